//! Frames of a figure as they come from a file or from our own laws, at equal distances in time.

use crate::pose::{Pose, nlerp};
use crate::skeleton::{JointId, Skeleton};
use passerby_geometry::{Quat, Vec3};

/// A rotation or its negative, which is the same, whichever is nearer.
fn toward(from: Quat, to: Quat) -> Quat {
    if from.dot(to) < 0.0 { -to } else { to }
}

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

    /// The frames around a time, s, held at both ends, and the share of the second.
    fn around(&self, time: f32) -> (usize, usize, f32) {
        let last = self.frames().saturating_sub(1);
        let at = (time * self.frame_rate).clamp(0.0, last as f32);
        let before = (at as usize).min(last);
        (before, (before + 1).min(last), at - before as f32)
    }

    /// The pose between two takes, each at a time of its own, s: `share` is that of the second. What comes out is the weighted sum of
    /// four frames, each turned into the hemisphere of its neighbour, normalised once.
    pub fn sample_two(skeleton: &Skeleton, first: (&Take, f32), second: (&Take, f32), share: f32, out: &mut Pose) {
        let (a0, a1, a) = first.0.around(first.1);
        let (b0, b1, b) = second.0.around(second.1);
        let (a_frames, b_frames) = ((first.0.frame(a0), first.0.frame(a1)), (second.0.frame(b0), second.0.frame(b1)));
        out.rotations.clear();
        let a_pairs = a_frames.0.iter().zip(a_frames.1);
        let b_pairs = b_frames.0.iter().zip(b_frames.1);
        out.rotations.extend(a_pairs.zip(b_pairs).map(|((&a0, &a1), (&b0, &b1))| {
            let mine = a0 * (1.0 - a) + toward(a0, a1) * a;
            let other = b0 * (1.0 - b) + toward(b0, b1) * b;
            (mine * (1.0 - share) + toward(mine, other) * share).normalize()
        }));
        out.offsets.clear();
        out.offsets.extend(skeleton.joints().iter().map(|joint| joint.offset));
        let rest = |joint: JointId| skeleton.joint(joint).offset;
        for moved in &first.0.moved {
            let mine = moved.offsets[a0].lerp(moved.offsets[a1], a);
            out.offsets[moved.joint.index()] = mine.lerp(rest(moved.joint), share);
        }
        for moved in &second.0.moved {
            let other = moved.offsets[b0].lerp(moved.offsets[b1], b);
            out.offsets[moved.joint.index()] += (other - rest(moved.joint)) * share;
        }
    }

    /// The pose at a time, s, held at both ends; between frames on the shorter way. `out` keeps its memory.
    pub fn sample(&self, skeleton: &Skeleton, time: f32, out: &mut Pose) {
        let (before, after, share) = self.around(time);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::Joint;

    /// A joint that turns from 0 to 40 degrees in one take and stands at -20 in the other: half way, a quarter of the second, is 10. The
    /// first is moved from 0 to 1 m: half way, three quarters of it.
    #[test]
    fn two_takes_are_mixed_by_their_shares() {
        let skeleton =
            Skeleton::new(vec![Joint { name: "hips".into(), parent: None, offset: Vec3::ZERO, rest: Quat::IDENTITY }])
                .unwrap();
        let turned = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
        let take = |rotations: Vec<Quat>, moved: Vec<Moved>| Take {
            name: "take".into(),
            frame_rate: 1.0,
            joints: 1,
            rotations,
            moved,
        };
        let offsets = vec![Vec3::ZERO, Vec3::X];
        let first = take(vec![turned(0.0), turned(40.0)], vec![Moved { joint: JointId(0), offsets }]);
        let second = take(vec![-turned(-20.0), turned(-20.0)], Vec::new());
        let mut pose = Pose::default();
        Take::sample_two(&skeleton, (&first, 0.5), (&second, 0.5), 0.25, &mut pose);
        assert!(pose.rotations[0].angle_between(turned(10.0)).to_degrees() < 0.2, "{}", pose.rotations[0]);
        assert!(pose.offsets[0].distance(Vec3::new(0.375, 0.0, 0.0)) < 1e-6, "{}", pose.offsets[0]);
    }
}
