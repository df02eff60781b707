//! Puts the ball of a foot where it stood on average, for as long as it stands: recordings slide by some 30 mm in a stance.

use super::contacts::{Interval, joints};
use super::seam::Loop;
use crate::ik::{REACH_MAX, two_bone_double};
use crate::placed::DPlaced;
use crate::role::Role;
use passerby_geometry::{DQuat, DVec3};

/// The pelvis gives way by no more, m.
const LOWERED_MAX: f64 = 0.02;

/// What replanting did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Replanted {
    /// The longest way a ball was moved, m.
    pub shift: f64,
    /// How much lower the pelvis is now, m.
    pub lowered: f64,
    /// How far a standing ball still is from its place at most, m.
    pub short: f64,
}

/// Replants both feet; `balls` are the contacts of each in frames of the loop, which may go beyond its end.
pub(super) fn replant(cycle: &mut Loop, balls: [&[Interval]; 2]) -> Replanted {
    let shifts = [0, 1].map(|side| shifts(cycle, side, balls[side]));
    let mut done = Replanted::default();
    let longest = shifts.iter().flatten().map(|shift| shift.length()).fold(0.0, f64::max);
    done.shift = longest;
    let targets = [0, 1].map(|side| targets(cycle, side, &shifts[side]));
    let stands = [0, 1].map(|side| standing(cycle.steps, balls[side]));
    for side in [0, 1] {
        for frame in (0..cycle.steps).filter(|frame| stands[side][*frame]) {
            done.lowered = done.lowered.max(lowering(cycle, side, frame, targets[side][frame]));
        }
    }
    done.lowered = done.lowered.min(LOWERED_MAX);
    let hips = cycle.figure.roles.leg(Role::Hips).index();
    let joints = cycle.joints();
    (0..cycle.steps).for_each(|frame| cycle.offsets[frame * joints + hips].z -= done.lowered);
    for side in [0, 1] {
        for frame in 0..cycle.steps {
            let short = bend(cycle, side, frame, targets[side][frame]);
            if stands[side][frame] {
                done.short = done.short.max(short);
            }
        }
    }
    done
}

/// In which frames of a loop something stands.
fn standing(steps: usize, intervals: &[Interval]) -> Vec<bool> {
    let mut stands = vec![false; steps];
    intervals.iter().flat_map(|interval| interval.from..interval.to).for_each(|frame| stands[frame % steps] = true);
    stands
}

/// How far the ball has to go in every frame: to the median of its places in each contact, and linearly from one to the next.
fn shifts(cycle: &Loop, side: usize, balls: &[Interval]) -> Vec<DVec3> {
    let steps = cycle.steps;
    let ball = joints(cycle.figure.roles, side)[1].index();
    let mut placed = vec![];
    let mut shifts = vec![DVec3::ZERO; steps];
    for interval in balls {
        let mut places = vec![];
        for frame in interval.from..interval.to {
            cycle.place(frame % steps, &mut placed);
            places.push(placed[ball].position + (cycle.velocity * (frame as f64 / cycle.frame_rate)).extend(0.0));
        }
        let stood = DVec3::from_array([0, 1, 2].map(|axis| median(places.iter().map(|place| place[axis]).collect())));
        for (frame, place) in (interval.from..interval.to).zip(places) {
            shifts[frame % steps] = stood - place;
        }
    }
    for (index, interval) in balls.iter().enumerate() {
        let next = balls[(index + 1) % balls.len()].from + if index + 1 == balls.len() { steps } else { 0 };
        let last = interval.to - 1;
        let (from, to) = (shifts[last % steps], shifts[next % steps]);
        for frame in interval.to..next {
            shifts[frame % steps] = from.lerp(to, (frame - last) as f64 / (next - last) as f64);
        }
    }
    shifts
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[middle] } else { 0.5 * (numbers[middle - 1] + numbers[middle]) }
}

/// Where the ankle goes: the foot keeps its turn, so ankle and ball move by the same.
fn targets(cycle: &Loop, side: usize, shifts: &[DVec3]) -> Vec<DVec3> {
    let ankle = joints(cycle.figure.roles, side)[0].index();
    let mut placed = vec![];
    let mut target = |frame: usize| {
        cycle.place(frame, &mut placed);
        placed[ankle].position + shifts[frame]
    };
    (0..cycle.steps).map(&mut target).collect()
}

/// Where the joints of a leg are: hip, knee, ankle.
fn leg(cycle: &Loop, side: usize, placed: &[DPlaced]) -> [DVec3; 3] {
    let [thigh, shin, foot, _] = Role::LEGS[side];
    [thigh, shin, foot].map(|role| placed[cycle.figure.roles.leg(role).index()].position)
}

/// By how much the hip has to come down for the leg to reach, m. What is too far on level ground no lowering reaches.
fn lowering(cycle: &Loop, side: usize, frame: usize, target: DVec3) -> f64 {
    let mut placed = vec![];
    cycle.place(frame, &mut placed);
    let [hip, knee, ankle] = leg(cycle, side, &placed);
    let reach = REACH_MAX * (hip.distance(knee) + knee.distance(ankle));
    let away = (target - hip).truncate().length_squared();
    let below = (reach * reach - away).max(0.0).sqrt();
    (hip.z - target.z - below).max(0.0)
}

/// Bends a leg so that the ankle comes to the target, the foot turned as before; returns how far it stays away, m.
fn bend(cycle: &mut Loop, side: usize, frame: usize, target: DVec3) -> f64 {
    let mut placed = vec![];
    cycle.place(frame, &mut placed);
    let [hip, knee, ankle] = leg(cycle, side, &placed);
    let line = (ankle - hip).normalize_or_zero();
    let aside = (knee - hip) - line * (knee - hip).dot(line);
    // A straight leg has no plane: the knee bends to where the toes point.
    let toe = placed[joints(cycle.figure.roles, side)[1].index()].position - ankle;
    let ahead = if toe.length() > 1e-6 { toe } else { DVec3::X };
    let hint = aside + ahead.normalize_or_zero() * 0.002;
    let bent = two_bone_double(hip, target, hip.distance(knee), knee.distance(ankle), hint);
    let [thigh_role, shin_role, foot_role, _] = Role::LEGS[side];
    let foot = cycle.figure.roles.leg(foot_role).index();
    let turned = placed[foot].rotation;
    swing(cycle, frame, thigh_role, knee - hip, bent.knee - hip);
    cycle.place(frame, &mut placed);
    let [_, knee, ankle] = leg(cycle, side, &placed);
    swing(cycle, frame, shin_role, ankle - knee, bent.ankle - bent.knee);
    cycle.place(frame, &mut placed);
    let parent = cycle.figure.skeleton.joints()[foot].parent.expect("a foot hangs on a shin");
    let at = frame * cycle.joints() + foot;
    cycle.rotations[at] = (placed[parent.index()].rotation.inverse() * turned).normalize();
    bent.short
}

/// Turns a joint so that what points along `from` points along `to`.
fn swing(cycle: &mut Loop, frame: usize, role: Role, from: DVec3, to: DVec3) {
    let joint = cycle.figure.roles.leg(role).index();
    let mut placed = vec![];
    cycle.place(frame, &mut placed);
    let (Some(from), Some(to)) = (from.try_normalize(), to.try_normalize()) else { return };
    let turned = DQuat::from_rotation_arc(from, to) * placed[joint].rotation;
    let parent = cycle.figure.skeleton.joints()[joint].parent.expect("a leg hangs on the hips");
    let at = frame * cycle.joints() + joint;
    cycle.rotations[at] = (placed[parent.index()].rotation.inverse() * turned).normalize();
}
