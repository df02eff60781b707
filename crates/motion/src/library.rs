//! All clips a figure can play, by number, with tracks for those that go somewhere.

use crate::clip::Clip;
use crate::footing::Footing;
use crate::gait::Gait;
use crate::gait_clip;
use crate::posture::Postures;
use crate::reverse;
use crate::role::{Role, Roles};
use crate::skeleton::Skeleton;
use crate::standing;
use crate::tracks::{ANGLE_NEAR, Going, SPEED_NEAR, Tracks};
use crate::walker;
use passerby_geometry::Vec2;
use std::f32::consts::PI;

/// Stature that the built-in clips are made for, m; others are scaled.
pub const STATURE: f32 = 1.75;

/// A clip of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClipId(pub u16);

impl ClipId {
    /// Its place in lists.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Clips of one figure.
#[derive(Debug, Clone)]
pub struct Library {
    skeleton: Skeleton,
    roles: Roles,
    clips: Vec<Clip>,
    footings: Vec<Footing>,
    /// The mirror image of each clip: itself if it goes straight.
    mirrors: Vec<ClipId>,
    tracks: Tracks,
    idle: ClipId,
    postures: Postures,
    /// Length of a leg from hip to ankle, m.
    leg: f32,
}

/// Why clips are no library.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LibraryError {
    /// The figure has no thighs or feet.
    #[error("the figure has no thigh or no foot on one side: it cannot walk")]
    NoLegs,
    /// Nothing goes anywhere.
    #[error("no clip of {0} goes anywhere: at least one cycle of walking is needed")]
    NothingGoes(usize),
}

/// Slower than this a clip goes nowhere, m/s.
const GOES: f32 = 0.05;

impl Library {
    /// A library of these clips. `idle` is what is played by who stands; it goes nowhere. For clips that go aside `mirror` gives the image.
    pub fn new(
        skeleton: Skeleton,
        roles: Roles,
        idle: Clip,
        clips: Vec<Clip>,
        mirror: impl Fn(&Clip) -> Clip,
    ) -> Result<Self, LibraryError> {
        let mut library = Self {
            skeleton,
            roles,
            clips: Vec::new(),
            footings: Vec::new(),
            mirrors: Vec::new(),
            tracks: Tracks::new(&[Going { clip: ClipId(0), speed: 1.0, alpha: 0.0 }], SPEED_NEAR, false),
            idle: ClipId(0),
            postures: Postures::of(ClipId(0), |_| None),
            leg: 0.0,
        };
        library.leg = library.leg_length().ok_or(LibraryError::NoLegs)?;
        let count = clips.len();
        let idle = library.add(idle).ok_or(LibraryError::NoLegs)?;
        library.mirrors.push(idle);
        let mut going = Vec::new();
        for clip in clips {
            let (speed, aside) = (clip.velocity.length(), clip.velocity.y);
            let alpha = gait_clip::alpha(clip.velocity);
            let straight = alpha.abs() < ANGLE_NEAR || alpha.abs() > PI - ANGLE_NEAR || speed < GOES;
            // Tracks hold the left half circle.
            let (left, right) = match (straight, aside < 0.0) {
                (true, _) => (clip, None),
                (false, false) => (clip.clone(), Some(mirror(&clip))),
                (false, true) => (mirror(&clip), Some(clip)),
            };
            let id = library.add(left).ok_or(LibraryError::NoLegs)?;
            match right {
                None => library.mirrors.push(id),
                Some(right) => {
                    library.mirrors.push(ClipId(id.0 + 1));
                    library.add(right).ok_or(LibraryError::NoLegs)?;
                    library.mirrors.push(id);
                }
            }
            let clip = library.clip(id);
            if speed >= GOES && clip.looped && clip.turn == 0.0 {
                going.push(Going { clip: id, speed, alpha: alpha.abs() });
            }
        }
        if going.is_empty() {
            return Err(LibraryError::NothingGoes(count));
        }
        // Who has no clip that goes backwards walks in reverse.
        if !going.iter().any(|going| going.alpha > PI - ANGLE_NEAR) {
            for ahead in going.clone().into_iter().filter(|going| going.alpha < ANGLE_NEAR) {
                let clip = reverse::reversed(&library.skeleton, library.clip(ahead.clip));
                let id = library.add(clip).ok_or(LibraryError::NoLegs)?;
                library.mirrors.push(id);
                going.push(Going { clip: id, speed: ahead.speed, alpha: PI });
            }
        }
        // Slow clips differ by less: a step of 0.1 m/s and one of 0.13 are as different as 1.0 and 1.3.
        let slowest = going.iter().fold(f32::INFINITY, |least, going| least.min(going.speed));
        library.tracks = Tracks::new(&going, SPEED_NEAR.min(0.2 * slowest), false);
        library.postures = Postures::of(idle, |name| library.find(name));
        Ok(library)
    }

    /// Thigh and shin of the left leg.
    fn leg_length(&self) -> Option<f32> {
        let bone = |role| Some(self.skeleton.joint(self.roles.get(role)?).offset.length());
        Some(bone(Role::LeftShin)? + bone(Role::LeftFoot)?)
    }

    /// Length of a leg from hip to ankle, m.
    pub fn leg(&self) -> f32 {
        self.leg
    }

    fn add(&mut self, clip: Clip) -> Option<ClipId> {
        self.footings.push(Footing::new(&self.skeleton, &self.roles, &clip)?);
        self.clips.push(clip);
        Some(ClipId(self.clips.len() as u16 - 1))
    }

    /// The built-in body with everything it can do.
    pub fn built_in() -> Self {
        let mut clips = Vec::new();
        let mut add = |name: &str, gait: Gait, backwards: bool| {
            let name = format!("{name}-{:.2}", gait.velocity.length());
            clips.push(gait_clip::clip(&name, &gait, backwards));
        };
        // A sixth apart: a foot that lands by one clip while the other stands by its neighbour hardly differs.
        let walks = [
            0.1, 0.12, 0.14, 0.17, 0.2, 0.24, 0.28, 0.32, 0.38, 0.44, 0.52, 0.6, 0.7, 0.8, 0.9, 1.05, 1.2, 1.35, 1.5,
            1.7, 2.0,
        ];
        for speed in walks {
            add("walk", Gait::walk(STATURE, speed), false);
        }
        for speed in [2.5, 3.2, 4.0] {
            add("run", Gait::run(STATURE, speed), false);
        }
        for speed in [0.1, 0.3, 0.6, 1.0] {
            add("back", Gait::walk(STATURE, speed), true);
        }
        let half = std::f32::consts::FRAC_1_SQRT_2;
        for speed in [0.1, 0.3, 0.6] {
            add("side", Gait::oblique(STATURE, Vec2::new(0.0, speed)), false);
        }
        for speed in [0.1, 0.3, 0.6, 1.0] {
            add("oblique", Gait::oblique(STATURE, Vec2::new(half, half) * speed), false);
        }
        for speed in [0.1, 0.3, 0.6] {
            // In reverse it goes back and to the left.
            add("back-oblique", Gait::oblique(STATURE, Vec2::new(half, -half) * speed), true);
        }
        clips.extend(standing::clips(STATURE));
        let idle = standing::idle(STATURE);
        Self::new(walker::skeleton(STATURE), walker::roles(), idle, clips, standing::mirrored)
            .expect("the built-in body has legs and walks")
    }

    /// The figure.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// Its joints by role.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// All clips.
    pub fn clips(&self) -> &[Clip] {
        &self.clips
    }

    /// One clip.
    pub fn clip(&self, id: ClipId) -> &Clip {
        &self.clips[id.index()]
    }

    /// What the mediator knows of a clip.
    pub fn footing(&self, id: ClipId) -> &Footing {
        &self.footings[id.index()]
    }

    /// What is played by who stands.
    pub fn idle(&self) -> ClipId {
        self.idle
    }

    pub(crate) fn postures(&self) -> &Postures {
        &self.postures
    }

    /// The clip of this name.
    pub fn find(&self, name: &str) -> Option<ClipId> {
        self.clips.iter().position(|clip| clip.take.name == name).map(|i| ClipId(i as u16))
    }

    /// The clip for a speed (as the built-in stature would walk) and a direction against the torso, rad.
    pub fn choose(&self, speed: f32, phi: f32) -> ClipId {
        let choice = self.tracks.choose(speed, phi);
        if choice.mirrored { self.mirrors[choice.clip.index()] } else { choice.clip }
    }
}
