//! Where every joint of a figure is turned, and where that puts it.

use crate::skeleton::Skeleton;
use passerby_geometry::{Quat, Vec3};

/// One posture of a skeleton: rotations relative to the parents, and where each joint sits in its parent's frame.
///
/// Few figures move joints other than the first: offsets are those of the skeleton for all the rest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pose {
    /// Relative to the parent, unit length.
    pub rotations: Vec<Quat>,
    /// In the parent's frame, m.
    pub offsets: Vec<Vec3>,
}

/// Where a joint is in the frame of the figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// How it is turned.
    pub rotation: Quat,
    /// Where it is, m.
    pub position: Vec3,
}

impl Placed {
    /// A point of the joint's own frame, in the frame of the figure.
    pub fn point(&self, local: Vec3) -> Vec3 {
        self.position + self.rotation * local
    }
}

impl Pose {
    /// A skeleton at rest.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self {
            rotations: skeleton.joints().iter().map(|joint| joint.rest).collect(),
            offsets: skeleton.joints().iter().map(|joint| joint.offset).collect(),
        }
    }

    /// From local to model space: every joint in the frame of the figure, into `out`, which is cleared before.
    pub fn to_model(&self, skeleton: &Skeleton, out: &mut Vec<Placed>) {
        out.clear();
        out.reserve(self.rotations.len());
        for ((joint, rotation), offset) in skeleton.joints().iter().zip(&self.rotations).zip(&self.offsets) {
            let placed = match joint.parent {
                None => Placed { rotation: *rotation, position: *offset },
                Some(parent) => {
                    let parent = out[parent.index()];
                    Placed { rotation: parent.rotation * *rotation, position: parent.point(*offset) }
                }
            };
            out.push(placed);
        }
    }

    /// Moves this pose towards another by a share from 0 to 1: rotations on the shorter way, as normalised sums.
    pub fn blend(&mut self, other: &Pose, share: f32) {
        for (own, other) in self.rotations.iter_mut().zip(&other.rotations) {
            *own = nlerp(*own, *other, share);
        }
        for (own, other) in self.offsets.iter_mut().zip(&other.offsets) {
            *own = own.lerp(*other, share);
        }
    }
}

/// Between two rotations, on the shorter way: their weighted sum, normalised.
pub fn nlerp(from: Quat, to: Quat, share: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    (from * (1.0 - share) + to * share).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::{Joint, JointId};

    /// A leg of two bones of 0.4 m that hangs down; the hip is flexed by 90 degrees, so the knee is 0.4 m ahead.
    #[test]
    fn joints_are_where_their_parents_put_them() {
        let joint = |name: &str, parent, offset| Joint { name: name.into(), parent, offset, rest: Quat::IDENTITY };
        let down = Vec3::new(0.0, 0.0, -0.4);
        let skeleton = Skeleton::new(vec![
            joint("hip", None, Vec3::new(0.0, 0.0, 0.9)),
            joint("knee", Some(JointId(0)), down),
            joint("foot", Some(JointId(1)), down),
        ])
        .unwrap();
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[0] = Quat::from_rotation_y(-std::f32::consts::FRAC_PI_2);
        pose.rotations[1] = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        let mut placed = Vec::new();
        pose.to_model(&skeleton, &mut placed);
        assert!(placed[1].position.distance(Vec3::new(0.4, 0.0, 0.9)) < 1e-6, "{placed:?}");
        assert!(placed[2].position.distance(Vec3::new(0.4, 0.0, 0.5)) < 1e-6, "{placed:?}");
    }

    /// Half way from 0 to 90 degrees is 45, whichever sign the second quaternion has.
    #[test]
    fn blends_go_the_shorter_way() {
        let (from, to) = (Quat::IDENTITY, Quat::from_rotation_z(std::f32::consts::FRAC_PI_2));
        for to in [to, -to] {
            let half = nlerp(from, to, 0.5);
            assert!(half.angle_between(Quat::from_rotation_z(std::f32::consts::FRAC_PI_4)) < 1e-3, "{half}");
        }
    }
}
