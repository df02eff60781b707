//! Frames of a figure as they come from a file or from our own laws, at equal distances in time.

use crate::pose::{Pose, nlerp};
use crate::skeleton::{JointId, Skeleton};
use passerby_geometry::{Quat, Vec3};

/// Offsets of one joint that is moved besides being turned.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved {
    /// Which.
    pub joint: JointId,
    /// In the parent's frame, one for each frame, m.
    pub offsets: Vec<Vec3>,
}

/// A recording of a skeleton: rotations of every joint in every frame, and offsets of those joints that are moved.
#[derive(Debug, Clone, PartialEq)]
pub struct Take {
    /// As the file or our library calls it.
    pub name: String,
    /// Frames a second, above 0.
    pub frame_rate: f32,
    /// Joints in a frame.
    pub joints: usize,
    /// Frame after frame, all joints of each; unit length.
    pub rotations: Vec<Quat>,
    /// Joints that are moved: the first one in every take of somebody who goes anywhere.
    pub moved: Vec<Moved>,
}

impl Take {
    /// How many frames.
    pub fn frames(&self) -> usize {
        self.rotations.len() / self.joints.max(1)
    }

    /// From the first frame to the last, s.
    pub fn duration(&self) -> f32 {
        self.frames().saturating_sub(1) as f32 / self.frame_rate
    }

    /// Rotations of one frame.
    pub fn frame(&self, frame: usize) -> &[Quat] {
        &self.rotations[frame * self.joints..(frame + 1) * self.joints]
    }

    /// The frames from one to before another.
    pub fn slice(&self, from: usize, to: usize) -> Self {
        let moved = |moved: &Moved| Moved { joint: moved.joint, offsets: moved.offsets[from..to].to_vec() };
        Self {
            name: self.name.clone(),
            rotations: self.rotations[from * self.joints..to * self.joints].to_vec(),
            moved: self.moved.iter().map(moved).collect(),
            ..*self
        }
    }

    /// The pose at a time, s, held at both ends; between frames on the shorter way. `out` keeps its memory.
    pub fn sample(&self, skeleton: &Skeleton, time: f32, out: &mut Pose) {
        let last = self.frames().saturating_sub(1);
        let at = (time * self.frame_rate).clamp(0.0, last as f32);
        let before = (at as usize).min(last);
        let (after, share) = ((before + 1).min(last), at - before as f32);
        out.rotations.clear();
        let pairs = self.frame(before).iter().zip(self.frame(after));
        out.rotations.extend(pairs.map(|(before, after)| nlerp(*before, *after, share)));
        out.offsets.clear();
        out.offsets.extend(skeleton.joints().iter().map(|joint| joint.offset));
        for moved in &self.moved {
            out.offsets[moved.joint.index()] = moved.offsets[before].lerp(moved.offsets[after], share);
        }
    }
}
