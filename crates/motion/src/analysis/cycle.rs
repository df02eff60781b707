//! A captured walk as one seamless cycle.
//!
//! All pairs of frames 0.6 to 1.6 s apart (0.5 to 1.0 s with a flight) between which each foot comes down are compared by
//! their pose and velocity; the best pair is cut out, its seam closed and its feet replanted.

use super::contacts::{self, Contacts, Interval};
use super::level::level;
use super::replant::replant;
use super::seam::Loop;
use super::{faults, gait};
use crate::clip::{Clip, FootContacts, Span};
use crate::placed::Placements;
use crate::retarget::Figure;
use crate::skeleton::JointId;
use crate::take::Take;
use passerby_geometry::{DVec2, DVec3, Vec2, math::double};

/// Weight of velocities beside places, s.
const VELOCITY_WEIGHT: f64 = 0.1;

/// Pairs that are compared at most; longer takes are searched in wider steps.
const PAIRS_MAX: usize = 1 << 20;

/// Who turns further in a cycle does not walk ahead, rad (20 degrees).
const TURN_MAX: f64 = 0.35;

/// Poses farther apart are not the same moment of a gait, m.
const GAP_MAX: f64 = 0.06;

/// The ball's joint stands this share of a leg's length above the ground: 25 mm for a leg of 0.83 m.
const BALL_HEIGHT: f64 = 0.03;

/// A cycle and what it took to make it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// Ready to be walked; phase 0 is the right touch-down.
    pub clip: Clip,
    /// Frames of the take that was given: the first, and the one that became the first again.
    pub frames: (usize, usize),
    /// Root mean square of the joints' distances at the seam before it was closed, m.
    pub seam_gap: f64,
    /// Turn between both ends of the cycle, rad.
    pub heading_gap: f64,
    /// The longest way a standing ball was moved, m.
    pub shift: f64,
    /// How much lower the pelvis is than in the recording, m.
    pub lowered: f64,
    /// How far a standing ball is from its place at most, m, because the leg does not reach it.
    pub short: f64,
    /// Rise of the recorded floor for each metre, which was levelled.
    pub slope: f64,
    /// Whether both feet are in the air at some time.
    pub flight: bool,
}

/// Why a take has no cycle.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CutError {
    /// Fewer than two frames that are a recording.
    #[error("{0} frames, and all but one are faulty: nothing to cut")]
    Empty(usize),
    /// No two frames the right time apart have one step of each foot between them.
    #[error(
        "no cycle in {seconds:.2} s: the left foot comes down {left} times, the right one {right} times; each has to come down \
         between two frames 0.5 to 1.6 s apart, with less than 20 degrees of turn"
    )]
    NoCycle {
        /// How long the take is.
        seconds: f64,
        /// How often the left foot comes down.
        left: usize,
        /// How often the right foot comes down.
        right: usize,
    },
    /// Nothing repeats.
    #[error("no cycle: the frames most alike, {from} and {to}, are {gap:.3} m apart; {GAP_MAX} m are allowed")]
    Unlike {
        /// The first.
        from: usize,
        /// The second.
        to: usize,
        /// Root mean square of the joints' distances, m.
        gap: f64,
    },
}

/// Cuts the best cycle out of a take. Faulty frames are mended first.
pub fn cut(figure: Figure, take: &Take) -> Result<Cut, CutError> {
    let faults = faults::find(figure.skeleton, figure.roles, take);
    let skipped = (0..take.frames()).take_while(|frame| faults.iter().any(|fault| fault.frame == *frame)).count();
    let take = faults::mend(take, &faults).ok_or(CutError::Empty(take.frames()))?;
    let (take, slope) = level(figure, &take);
    let placements = Placements::of(figure.skeleton, &take);
    let contacts = contacts::find(&placements, figure.roles);
    let seam = search(&placements, &contacts).ok_or_else(|| CutError::NoCycle {
        seconds: f64::from(take.duration()),
        left: gait::touch_downs(&contacts, 0).len(),
        right: gait::touch_downs(&contacts, 1).len(),
    })?;
    if seam.gap > GAP_MAX {
        return Err(CutError::Unlike { from: seam.from + skipped, to: seam.to + skipped, gap: seam.gap });
    }
    let mut cycle = Loop::close(figure, &take, seam.from, seam.to, seam.turn);
    let mut contacts = labels(&cycle);
    let start = contacts.feet[1].stances().first().map_or(0, |stance| stance.from);
    cycle.begin_with(start % cycle.steps);
    contacts = labels(&cycle);
    let floor = 0.5 * (contacts.feet[0].floor[1] + contacts.feet[1].floor[1]);
    cycle.shift(DVec3::Z * (BALL_HEIGHT * figure.roles.leg_length(figure.skeleton) - floor));
    let done = replant(&mut cycle, [&contacts.feet[0].ball, &contacts.feet[1].ball]);
    let velocity = Vec2::new(cycle.velocity.x as f32, cycle.velocity.y as f32);
    let feet = [0, 1].map(|side| FootContacts {
        heel: spans(&contacts.feet[side].heel, cycle.steps),
        ball: spans(&contacts.feet[side].ball, cycle.steps),
    });
    Ok(Cut {
        clip: Clip { take: cycle.take(&take.name), looped: true, velocity, turn: 0.0, contacts: feet },
        frames: (seam.from + skipped, seam.to + skipped),
        seam_gap: seam.gap,
        heading_gap: seam.turn,
        shift: done.shift,
        lowered: done.lowered,
        short: done.short,
        slope: slope.length(),
        flight: contacts.flight,
    })
}

/// Contacts of the middle one of three cycles, in frames of the loop: those that begin in it.
fn labels(cycle: &Loop) -> Contacts {
    let steps = cycle.steps;
    let mut contacts = contacts::find(&cycle.placements(3), cycle.figure.roles);
    let keep = |intervals: &mut Vec<Interval>| {
        // What always stands begins in the first of the three.
        if intervals.iter().any(|interval| interval.to - interval.from >= 2 * steps) {
            *intervals = vec![Interval { from: 0, to: steps }];
            return;
        }
        intervals.retain(|interval| (steps..2 * steps).contains(&interval.from));
        intervals
            .iter_mut()
            .for_each(|interval| (interval.from, interval.to) = (interval.from - steps, interval.to - steps));
    };
    contacts.feet.iter_mut().for_each(|foot| (keep(&mut foot.heel), keep(&mut foot.ball)).0);
    contacts
}

/// Intervals of frames as stretches of phase.
fn spans(intervals: &[Interval], steps: usize) -> Vec<Span> {
    let phase =
        |frame: usize| if frame > steps { (frame - steps) as f32 / steps as f32 } else { frame as f32 / steps as f32 };
    let span = |interval: &Interval| match interval.to - interval.from >= steps {
        true => Span { from: 0.0, to: 1.0 },
        false => Span { from: phase(interval.from), to: phase(interval.to - 1) },
    };
    intervals.iter().map(span).collect()
}

/// Two frames that are alike.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Seam {
    from: usize,
    to: usize,
    /// What takes the second to the heading of the first, rad about z.
    turn: f64,
    gap: f64,
}

/// The pair with the least distance; the earlier of equals.
fn search(placements: &Placements, contacts: &Contacts) -> Option<Seam> {
    let (shortest, longest) = if contacts.flight { (0.5, 1.0) } else { (0.6, 1.6) };
    let rate = placements.frame_rate;
    let (near, far) = ((shortest * rate).ceil() as usize, (longest * rate) as usize);
    if far < near {
        return None; // Less than a frame in a second.
    }
    let step = (placements.frames() * (far - near + 1)).div_ceil(PAIRS_MAX).max(1);
    let downs = [0, 1].map(|side| gait::touch_downs(contacts, side));
    let steps_between = |side: usize, from: usize, to: usize| {
        downs[side].partition_point(|frame| *frame <= to) - downs[side].partition_point(|frame| *frame <= from)
    };
    let poses: Vec<Shape> = (0..placements.frames()).map(|frame| Shape::of(placements, frame)).collect();
    let mut best: Option<(f64, Seam)> = None;
    for from in (0..placements.frames()).step_by(step) {
        for to in (from + near..=from + far).step_by(step).take_while(|to| *to < placements.frames()) {
            if [0, 1].into_iter().any(|side| steps_between(side, from, to) == 0) {
                continue;
            }
            let (distance, gap, turn) = poses[from].distance(&poses[to]);
            if turn.abs() <= TURN_MAX && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, Seam { from, to, turn, gap }));
            }
        }
    }
    best.map(|(_, seam)| seam)
}

/// Places of all joints about their centre over the ground, and their velocities.
struct Shape {
    places: Vec<DVec3>,
    velocities: Vec<DVec3>,
}

impl Shape {
    fn of(placements: &Placements, frame: usize) -> Self {
        let ids = || (0..placements.joints as u16).map(JointId);
        let sum = ids().map(|id| placements.position(frame, id)).fold(DVec3::ZERO, |sum, at| sum + at);
        let centre = (sum / placements.joints as f64).truncate().extend(0.0);
        Self {
            places: ids().map(|id| placements.position(frame, id) - centre).collect(),
            velocities: ids().map(|id| placements.velocity(frame, id, 1)).collect(),
        }
    }

    /// Distance of pose and velocity after the other one was turned to fit best; the part of the pose; that turn.
    fn distance(&self, other: &Shape) -> (f64, f64, f64) {
        let (mut along, mut across) = (0.0, 0.0);
        for (own, other) in self.places.iter().zip(&other.places) {
            let (own, other) = (own.truncate(), other.truncate());
            (along += other.dot(own), across += other.perp_dot(own));
        }
        let turn = DVec2::new(along, across).try_normalize().unwrap_or(DVec2::X);
        let turned = |at: &DVec3| turn.rotate(at.truncate()).extend(at.z);
        let square = |own: &[DVec3], other: &[DVec3]| {
            let pairs = own.iter().zip(other).map(|(own, other)| own.distance_squared(turned(other)));
            pairs.sum::<f64>() / own.len() as f64
        };
        let pose = square(&self.places, &other.places);
        let velocity = square(&self.velocities, &other.velocities);
        let distance = pose + VELOCITY_WEIGHT * VELOCITY_WEIGHT * velocity;
        (distance.sqrt(), pose.sqrt(), double::atan2(turn.y, turn.x))
    }
}
