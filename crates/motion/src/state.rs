//! How somebody's body moves: all that is kept between ticks, all a pose is made from, and the same as plain numbers.

use crate::footing::Footing;
use crate::library::{ClipId, Library};
use crate::mediator::Slide;
use passerby_geometry::{Vec2, math};

/// The torso is twisted against the hips by at most this, rad.
pub const TWIST_MAX: f32 = 1.0;

/// One foot of somebody.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foot {
    /// From where its clip puts it to where it is, on the ground, in the world, m.
    pub shift: Vec2,
    /// How far it is turned against the clip, rad.
    pub yaw: f32,
    /// How much of a step on the spot is done, from 0 to 1; 0 if there is none.
    pub step: f32,
    /// The clip it goes by, and the one it went by before.
    pub clip: ClipId,
    /// See `clip`.
    pub before: ClipId,
    /// Share of the change between them that is done.
    pub fade: f32,
    /// Its shift when it landed.
    pub(crate) landed: Vec2,
    /// How far it has gone from there while it stood, before it was held, m.
    pub(crate) slid: f32,
    /// And how much of that was left after it was held, m.
    pub(crate) left: f32,
}

/// How somebody's body moves: all that is kept between ticks, and all a pose is made from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Where the travel frame is, m.
    pub root: Vec2,
    /// How the figure is turned, rad.
    pub heading: f32,
    /// Where the torso faces, rad.
    pub torso: f32,
    /// Of the cycle, from 0 to 1.
    pub phase: f32,
    /// Share of the cross-fade that is done; 1 if one clip plays alone.
    pub fade: f32,
    /// What is played.
    pub clip: ClipId,
    /// What was played before, while that fades.
    pub before: ClipId,
    /// Left, right.
    pub feet: [Foot; 2],
}

impl Foot {
    fn standing(clip: ClipId) -> Self {
        let (shift, landed) = (Vec2::ZERO, Vec2::ZERO);
        Self { shift, yaw: 0.0, step: 0.0, clip, before: clip, fade: 1.0, landed, slid: 0.0, left: 0.0 }
    }

    /// Weight of the clip it goes by, from 0 to 1.
    pub fn weight(&self) -> f32 {
        smooth(self.fade)
    }

    /// A stance begins: slides are counted from here.
    pub(crate) fn land(&mut self) {
        (self.landed, self.slid, self.left) = (self.shift, 0.0, 0.0);
    }

    pub(crate) fn slide(&self) -> Option<Slide> {
        Some(Slide { before: self.slid, after: self.left })
    }
}

/// From 0 to 1 without a jerk at either end.
pub(crate) fn smooth(share: f32) -> f32 {
    share * share * (3.0 - 2.0 * share)
}

impl Body {
    /// Somebody who stands somewhere.
    pub fn standing(library: &Library, root: Vec2, heading: f32) -> Self {
        let clip = library.idle();
        let feet = [Foot::standing(clip); 2];
        Self { root, heading, torso: heading, phase: 0.0, fade: 1.0, clip, before: clip, feet }
    }

    /// Weight of the clip that is played, from 0 to 1.
    pub fn weight(&self) -> f32 {
        smooth(self.fade)
    }

    /// How far the torso is twisted against the figure, psi, rad.
    pub fn twist(&self) -> f32 {
        math::wrap_angle(self.torso - self.heading).clamp(-TWIST_MAX, TWIST_MAX)
    }

    /// Whether they stay where they are, in whatever posture.
    pub fn stands(&self, library: &Library) -> bool {
        library.stays(self.clip)
    }

    /// Whether they sit or talk or do anything else but stand, or are on their way from that: who is to walk has to stand first.
    pub fn is_posed(&self, library: &Library) -> bool {
        let posed = |clip: ClipId| clip != library.idle() && library.stays(clip);
        posed(self.clip) || (self.fade < 1.0 && posed(self.before) && self.clip == library.idle())
    }

    /// The clip whose contacts count: the heavier one; from standing the new one at once.
    pub fn labels<'a>(&self, library: &'a Library) -> &'a Footing {
        let new = self.weight() >= 0.5 || self.before == library.idle();
        library.footing(if new { self.clip } else { self.before })
    }
}

/// As plain numbers, for checkpoints and digests.
impl Body {
    /// How many numbers there are.
    pub const NUMBERS: usize = 24;

    /// All numbers, and all clips: played and before, of the body, the left and the right foot.
    pub fn numbers(&self) -> ([f32; Self::NUMBERS], [u16; 6]) {
        let Self { root, heading, torso, phase, fade, clip, before, feet: [left, right] } = *self;
        let foot = |foot: Foot| {
            let Foot { shift, yaw, step, clip: _, before: _, fade, landed, slid, left } = foot;
            [shift.x, shift.y, yaw, step, fade, landed.x, landed.y, slid, left]
        };
        let mut numbers = [0.0; Self::NUMBERS];
        numbers[..6].copy_from_slice(&[root.x, root.y, heading, torso, phase, fade]);
        (numbers[6..15].copy_from_slice(&foot(left)), numbers[15..].copy_from_slice(&foot(right)));
        (numbers, [clip.0, before.0, left.clip.0, left.before.0, right.clip.0, right.before.0])
    }

    /// The body of these numbers.
    pub fn from_numbers(numbers: &[f32; Self::NUMBERS], clips: [u16; 6]) -> Self {
        let foot = |first: usize, clips: [u16; 2]| {
            let n = &numbers[first..first + 9];
            Foot {
                shift: Vec2::new(n[0], n[1]),
                yaw: n[2],
                step: n[3],
                clip: ClipId(clips[0]),
                before: ClipId(clips[1]),
                fade: n[4],
                landed: Vec2::new(n[5], n[6]),
                slid: n[7],
                left: n[8],
            }
        };
        Self {
            root: Vec2::new(numbers[0], numbers[1]),
            heading: numbers[2],
            torso: numbers[3],
            phase: numbers[4],
            fade: numbers[5],
            clip: ClipId(clips[0]),
            before: ClipId(clips[1]),
            feet: [foot(6, [clips[2], clips[3]]), foot(15, [clips[4], clips[5]])],
        }
    }

    /// Whether this can be somebody's body in a library: every number in its range, every clip there.
    pub fn is_of(&self, library: &Library) -> bool {
        let (numbers, clips) = self.numbers();
        let share = |value: f32| (0.0..=1.0).contains(&value);
        numbers.iter().all(|number| number.is_finite() && number.abs() < 1e7)
            && clips.iter().all(|clip| usize::from(*clip) < library.clips().len())
            && share(self.phase)
            && share(self.fade)
            && self.feet.iter().all(|foot| share(foot.fade) && share(foot.step))
    }
}
