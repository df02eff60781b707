//! Joints in the frame of the figure, in doubles: what is derived from a clip has the same bits on every platform.

use crate::skeleton::{JointId, Skeleton};
use crate::take::Take;
use passerby_geometry::{DQuat, DVec3, Quat, Vec3};

/// Where a joint is in the frame of the figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DPlaced {
    /// How it is turned.
    pub rotation: DQuat,
    /// Where it is, m.
    pub position: DVec3,
}

/// All joints of all frames of a take, in the frame of the figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Placements {
    /// Joints in a frame.
    pub joints: usize,
    /// Frames a second.
    pub frame_rate: f64,
    placed: Vec<DPlaced>,
}

impl Placements {
    /// Of every frame.
    pub fn of(skeleton: &Skeleton, take: &Take) -> Self {
        let mut placed = Vec::with_capacity(take.rotations.len());
        let mut frame = Vec::new();
        for index in 0..take.frames() {
            place(skeleton, take, index, &mut frame);
            placed.extend_from_slice(&frame);
        }
        Self { joints: take.joints, frame_rate: f64::from(take.frame_rate), placed }
    }

    /// Of joints that were placed elsewhere, frame after frame.
    pub fn new(joints: usize, frame_rate: f64, placed: Vec<DPlaced>) -> Self {
        Self { joints, frame_rate, placed }
    }

    /// How many frames.
    pub fn frames(&self) -> usize {
        self.placed.len() / self.joints.max(1)
    }

    /// All joints of a frame.
    pub fn frame(&self, frame: usize) -> &[DPlaced] {
        &self.placed[frame * self.joints..(frame + 1) * self.joints]
    }

    /// Where a joint is in a frame, m.
    pub fn position(&self, frame: usize, joint: JointId) -> DVec3 {
        self.placed[frame * self.joints + joint.index()].position
    }

    /// How fast a joint moves, m/s: over `reach` frames to both sides, fewer at the ends.
    pub fn velocity(&self, frame: usize, joint: JointId, reach: usize) -> DVec3 {
        let (before, after) = (frame.saturating_sub(reach), (frame + reach).min(self.frames() - 1));
        if before == after {
            return DVec3::ZERO;
        }
        (self.position(after, joint) - self.position(before, joint)) * (self.frame_rate / (after - before) as f64)
    }
}

/// The joints of one frame, into `out`, which is cleared before.
pub fn place(skeleton: &Skeleton, take: &Take, frame: usize, out: &mut Vec<DPlaced>) {
    let offset = |joint: usize| {
        let moved = take.moved.iter().find(|moved| moved.joint.index() == joint);
        moved.map_or(skeleton.joints()[joint].offset, |moved| moved.offsets[frame])
    };
    chain(skeleton, take.frame(frame), offset, out);
}

/// The joints at rest.
pub fn rest(skeleton: &Skeleton) -> Vec<DPlaced> {
    let rotations: Vec<Quat> = skeleton.joints().iter().map(|joint| joint.rest).collect();
    let mut out = Vec::new();
    chain(skeleton, &rotations, |joint| skeleton.joints()[joint].offset, &mut out);
    out
}

fn chain(skeleton: &Skeleton, rotations: &[Quat], offset: impl Fn(usize) -> Vec3, out: &mut Vec<DPlaced>) {
    out.clear();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let (rotation, offset) = (rotations[index].as_dquat().normalize(), offset(index).as_dvec3());
        out.push(match joint.parent {
            None => DPlaced { rotation, position: offset },
            Some(parent) => {
                let parent: DPlaced = out[parent.index()];
                DPlaced { rotation: parent.rotation * rotation, position: parent.position + parent.rotation * offset }
            }
        });
    }
}
