//! Frames that are no recording: calibration poses, zeros, jumps.

use crate::placed::{DPlaced, place};
use crate::role::{Role, Roles};
use crate::skeleton::{JointId, Skeleton};
use crate::take::Take;
use passerby_geometry::{DVec3, math::double};

/// Faster than anybody moves their hips, m/s.
const HIPS_SPEED_MAX: f64 = 15.0;

/// Faster than anybody turns a joint, rad/s: two turns and a half a second of the hand of a pitcher's arm are 40 rad/s.
const TURN_RATE_MAX: f64 = 60.0;

/// Who turns a joint and straight back in two frames does it slower, rad/s.
const SPIKE_RATE_MIN: f64 = 6.0;

/// Joints whose jumps are not counted: what is small is noisy.
const SMALL: [Role; 7] =
    [Role::Head, Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot, Role::LeftToe, Role::RightToe];

/// Joints whose spikes are counted: heavy parts do not tremble.
const TRUNK: [Role; 6] = [Role::Hips, Role::Spine, Role::LeftThigh, Role::RightThigh, Role::LeftShin, Role::RightShin];

/// What is wrong with a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// All joints at rest and the hips in the origin: nothing was recorded.
    Zero,
    /// Arms stretched out, apart from the frames beside it: put there for calibration.
    TPose,
    /// Apart from the frames on both sides.
    Jump,
}

/// A frame that is no recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// Which, from 0.
    pub frame: usize,
    /// What.
    pub kind: FaultKind,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self.kind {
            FaultKind::Zero => "all joints at rest, hips in the origin",
            FaultKind::TPose => "a T-pose apart from the motion",
            FaultKind::Jump => "apart from the frames beside it",
        };
        write!(out, "frame {}: {what}", self.frame)
    }
}

/// All faults of a take, in order of frames. The longest stretch without a jump is the recording; what is outside it is faulty.
pub fn find(skeleton: &Skeleton, roles: &Roles, take: &Take) -> Vec<Fault> {
    let frames = take.frames();
    let pieces = pieces(skeleton, roles, take);
    let good = |piece: &(usize, usize)| {
        // Only short pieces are faults: a cut in a long recording is for people to judge.
        let short = (piece.1 - piece.0) as f32 <= 0.1 * take.frame_rate && piece.1 - piece.0 < frames;
        !(short && pieces.len() > 1)
    };
    let mut placed = vec![];
    let mut faults = vec![];
    let mut faulty = vec![false; frames];
    pieces.iter().filter(|piece| !good(piece)).for_each(|piece| faulty[piece.0..piece.1].fill(true));
    for frame in 1..frames.saturating_sub(1) {
        faulty[frame] |= !faulty[frame - 1] && !faulty[frame + 1] && spikes(roles, take, frame);
    }
    for frame in (0..frames).filter(|frame| faulty[*frame]) {
        place(skeleton, take, frame, &mut placed);
        let kind = if zero(skeleton, roles, take, frame, &placed) {
            FaultKind::Zero
        } else if t_pose(roles, &placed) {
            FaultKind::TPose
        } else {
            FaultKind::Jump
        };
        faults.push(Fault { frame, kind });
    }
    faults
}

/// Stretches of frames in which nothing jumps.
fn pieces(skeleton: &Skeleton, roles: &Roles, take: &Take) -> Vec<(usize, usize)> {
    let (mut before, mut now) = (vec![], vec![]);
    let (mut pieces, mut start) = (vec![], 0);
    place(skeleton, take, 0, &mut before);
    for frame in 1..take.frames() {
        place(skeleton, take, frame, &mut now);
        if jumps(roles, f64::from(take.frame_rate), &before, &now, take, frame) {
            pieces.push((start, frame));
            start = frame;
        }
        std::mem::swap(&mut before, &mut now);
    }
    pieces.push((start, take.frames()));
    pieces
}

fn jumps(roles: &Roles, rate: f64, before: &[DPlaced], now: &[DPlaced], take: &Take, frame: usize) -> bool {
    let hips = roles.leg(Role::Hips).index();
    if before[hips].position.distance(now[hips].position) * rate > HIPS_SPEED_MAX {
        return true;
    }
    let limit = TURN_RATE_MAX / rate;
    large(roles).filter(|joint| angle(take, frame - 1, frame, *joint) > limit).count() >= 2
}

/// Whether a frame stands out from both neighbours, which are alike: two joints of trunk or legs turn there and
/// straight back.
fn spikes(roles: &Roles, take: &Take, frame: usize) -> bool {
    let least = SPIKE_RATE_MIN / f64::from(take.frame_rate);
    let spike = |joint: &JointId| {
        let there = angle(take, frame - 1, frame, *joint).min(angle(take, frame, frame + 1, *joint));
        there > least && angle(take, frame - 1, frame + 1, *joint) < 0.4 * there
    };
    TRUNK.into_iter().filter_map(|role| roles.get(role)).filter(spike).count() >= 2
}

/// Joints whose jumps are counted.
fn large(roles: &Roles) -> impl Iterator<Item = JointId> + '_ {
    roles.iter().filter(|(role, _)| !SMALL.contains(role)).map(|(_, joint)| joint)
}

/// How far a joint turns against its parent between two frames, rad: a jump of one joint is not hidden by that of another.
fn angle(take: &Take, from: usize, to: usize, joint: JointId) -> f64 {
    let [from, to] = [from, to].map(|frame| take.frame(frame)[joint.index()].as_dquat().normalize());
    2.0 * double::acos(from.dot(to).abs().min(1.0))
}

fn zero(skeleton: &Skeleton, roles: &Roles, take: &Take, frame: usize, placed: &[DPlaced]) -> bool {
    let rests = skeleton.joints().iter().zip(take.frame(frame));
    let still = rests.into_iter().all(|(joint, rotation)| joint.rest.dot(*rotation).abs() > 1.0 - 1e-6);
    still && placed[roles.leg(Role::Hips).index()].position.length() < 1e-6
}

/// Both arms straight, level and sideways within 30 degrees.
fn t_pose(roles: &Roles, placed: &[DPlaced]) -> bool {
    let at = |role| roles.get(role).map(|joint| placed[joint.index()].position);
    let arm = |[upper, _, hand]: [Role; 3]| (at(hand)? - at(upper)?).try_normalize();
    match (arm(Role::ARMS[0]), arm(Role::ARMS[1])) {
        (Some(left), Some(right)) => left.dot(right) < -0.75 && left.z.abs() < 0.5 && right.z.abs() < 0.5,
        _ => false,
    }
}

/// The take without its faults: those at its ends are cut off, those within are bridged. None if less than two frames are left.
pub fn mend(take: &Take, faults: &[Fault]) -> Option<Take> {
    let frames = take.frames();
    let mut faulty = vec![false; frames];
    faults.iter().for_each(|fault| faulty[fault.frame] = true);
    let first = faulty.iter().position(|faulty| !faulty)?;
    let last = faulty.iter().rposition(|faulty| !faulty)?;
    let mut mended = take.slice(first, last + 1);
    for frame in (first..=last).filter(|frame| faulty[*frame]) {
        let before = (first..frame).rev().find(|frame| !faulty[*frame])?;
        let after = (frame..=last).find(|frame| !faulty[*frame])?;
        let share = (frame - before) as f32 / (after - before) as f32;
        for joint in 0..take.joints {
            let [from, to] = [before, after].map(|frame| take.frame(frame)[joint].as_dquat());
            let between = from.slerp(to, f64::from(share)).normalize();
            mended.rotations[(frame - first) * take.joints + joint] = between.as_quat();
        }
        for (own, moved) in mended.moved.iter_mut().zip(&take.moved) {
            own.offsets[frame - first] = moved.offsets[before].lerp(moved.offsets[after], share);
        }
    }
    (mended.frames() > 1).then_some(mended)
}

/// The length of the way of the hips over the ground, m, in steps of 0.1 s: what trembles goes nowhere.
pub fn path_length(skeleton: &Skeleton, roles: &Roles, take: &Take) -> f64 {
    let hips = roles.leg(Role::Hips);
    let mut placed = vec![];
    let mut at = |frame| -> DVec3 {
        place(skeleton, take, frame, &mut placed);
        placed[hips.index()].position
    };
    let step = (0.1 * take.frame_rate).round().max(1.0) as usize;
    let places: Vec<DVec3> = (0..take.frames()).step_by(step).map(&mut at).collect();
    places.windows(2).map(|pair| (pair[1] - pair[0]).truncate().length()).sum()
}
