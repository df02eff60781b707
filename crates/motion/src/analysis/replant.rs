//! Puts the ball of a foot where it stood on average, for as long as it stands: recordings slide by some 30 mm in a stance.

use super::contacts::{Interval, joints};
use super::seam::Loop;
use crate::ik::{REACH_MAX, two_bone_double};
use crate::placed::{self, DPlaced};
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
    let rest = placed::rest(cycle.figure.skeleton);
    let front = rest[hips].rotation.inverse() * DVec3::X;
    for side in [0, 1] {
        for frame in 0..cycle.steps {
            let short = bend(cycle, side, frame, targets[side][frame], front);
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

/// Bends a leg so that the ankle comes to the target; returns how far it stays away, m; `front` is where the hips'
/// own frame has its front. The foot is turned as before, unless the
/// leg is too short: then it rolls on its ball, as feet do at the end of a stance.
fn bend(cycle: &mut Loop, side: usize, frame: usize, target: DVec3, front: DVec3) -> f64 {
    let mut placed = vec![];
    cycle.place(frame, &mut placed);
    let [hip, knee, ankle] = leg(cycle, side, &placed);
    let (thigh, shin) = (hip.distance(knee), knee.distance(ankle));
    let toe = placed[joints(cycle.figure.roles, side)[1].index()].position - ankle;
    let (rolled, target) = roll(hip, target, toe, REACH_MAX * (thigh + shin));
    let line = (ankle - hip).normalize_or_zero();
    let aside = (knee - hip) - line * (knee - hip).dot(line);
    // A leg that is almost straight has no plane, or one of noise, in which its thigh twists: its knee bends to where the toes point.
    let hips = cycle.figure.roles.leg(Role::Hips).index();
    let ahead = toe.try_normalize().unwrap_or(placed[hips].rotation * front);
    let hint = aside + ahead * 0.03;
    let bent = two_bone_double(hip, target, thigh, shin, hint);
    let [thigh_role, shin_role, foot_role, _] = Role::LEGS[side];
    let foot = cycle.figure.roles.leg(foot_role).index();
    let turned = rolled * placed[foot].rotation;
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

/// Turns a foot about its ball, which is `toe` from the ankle, so that the ankle comes within reach of the hip: the turn, and where
/// the ankle is then. Law of cosines again, in the plane of hip, ankle and ball.
fn roll(hip: DVec3, ankle: DVec3, toe: DVec3, reach: f64) -> (DQuat, DVec3) {
    let (ball, length) = (ankle + toe, toe.length());
    let gap = hip.distance(ball);
    if hip.distance(ankle) <= reach || length < 1e-6 || gap >= reach + length || gap <= reach - length {
        return (DQuat::IDENTITY, ankle);
    }
    let axis = (ball - hip) / gap;
    let along = (reach * reach + gap * gap - length * length) / (2.0 * gap);
    let side = (ankle - hip) - axis * (ankle - hip).dot(axis);
    let Some(side) = side.try_normalize() else { return (DQuat::IDENTITY, ankle) };
    let rolled = hip + axis * along + side * (reach * reach - along * along).max(0.0).sqrt();
    (DQuat::from_rotation_arc(-toe / length, (rolled - ball) / length), rolled)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A leg of 5 to 3 above a foot of 4: the ankle comes to 5 from the hip and stays 4 from the ball.
    #[test]
    fn a_foot_rolls_on_its_ball() {
        let (hip, ball) = (DVec3::new(0.0, 0.0, 3.0), DVec3::new(6.0, 0.0, 0.0));
        let ankle = ball - DVec3::new(4.0 * 0.8, 0.0, 4.0 * 0.6);
        let (turn, rolled) = roll(hip, ankle, ball - ankle, 5.0);
        assert!((rolled.distance(hip) - 5.0).abs() < 1e-12 && (rolled.distance(ball) - 4.0).abs() < 1e-12, "{rolled}");
        assert!((rolled + turn * (ball - ankle)).distance(ball) < 1e-12, "the ball stays: {turn}");
        assert_eq!(roll(hip, ankle, ball - ankle, 9.0), (DQuat::IDENTITY, ankle), "within reach nothing rolls");
    }
}
