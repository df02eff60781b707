//! From joints to surfaces: matrices for a graphics card, and the same sum on the processor.
//!
//! A vertex goes where its joints would carry it from rest, averaged by its shares (linear blend skinning).

use crate::mesh::{Carried, Mesh, Shape};
use crate::pose::{Placed, Pose};
use crate::skeleton::Skeleton;
use passerby_geometry::Vec3;

/// The first three rows of a joint's matrix, each (x, y, z, translation); the fourth is always 0 0 0 1.
pub type Rows = [[f32; 4]; 3];

/// Where joints are at rest: what has to be undone before a joint may carry a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Bind {
    rest: Vec<Placed>,
}

impl Bind {
    /// Of a skeleton at rest.
    pub fn new(skeleton: &Skeleton) -> Bind {
        let mut rest = Vec::new();
        Pose::rest(skeleton).to_model(skeleton, &mut rest);
        Bind { rest }
    }

    /// From the frame of the figure at rest to each joint's own frame.
    pub fn inverse(&self) -> Vec<Placed> {
        let undo = |rest: &Placed| {
            let rotation = rest.rotation.conjugate();
            Placed { rotation, position: rotation * -rest.position }
        };
        self.rest.iter().map(undo).collect()
    }

    /// One matrix a joint, model times inverse bind, into `out`, which is cleared before: points at rest go in, points of the
    /// posed figure come out.
    pub fn matrices(&self, placed: &[Placed], out: &mut Vec<Rows>) {
        out.clear();
        out.extend(placed.iter().zip(&self.rest).map(|(now, rest)| {
            let turn = now.rotation * rest.rotation.conjugate();
            let shift = now.position - turn * rest.position;
            let [x, y, z] = [turn * Vec3::X, turn * Vec3::Y, turn * Vec3::Z];
            [[x.x, y.x, z.x, shift.x], [x.y, y.y, z.y, shift.y], [x.z, y.z, z.z, shift.z]]
        }));
    }
}

/// The matrix of a vertex: those of its joints, averaged by its shares.
pub fn blended(matrices: &[Rows], carried: &Carried) -> Rows {
    let mut sum = [[0.0; 4]; 3];
    for (joint, share) in carried.joints.iter().zip(carried.shares) {
        if share > 0.0 {
            let rows = &matrices[joint.index()];
            (0..3).for_each(|row| (0..4).for_each(|column| sum[row][column] += share * rows[row][column]));
        }
    }
    sum
}

/// A point through a matrix.
pub fn point(rows: &Rows, at: Vec3) -> Vec3 {
    Vec3::from(rows.map(|[x, y, z, shift]| x * at.x + y * at.y + z * at.z + shift))
}

/// A direction through a matrix.
pub fn direction(rows: &Rows, at: Vec3) -> Vec3 {
    Vec3::from(rows.map(|[x, y, z, _]| x * at.x + y * at.y + z * at.z))
}

/// A mesh in a pose: positions and normals of all vertices.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skinned {
    /// In the frame of the figure, m.
    pub positions: Vec<Vec3>,
    /// Unit length.
    pub normals: Vec<Vec3>,
}

/// Puts a mesh on placed joints, for somebody of this stature and shape. `bind` is that of their skeleton. `out` keeps its memory.
pub fn skin(mesh: &Mesh, stature: f32, shape: Shape, bind: &Bind, placed: &[Placed], out: &mut Skinned) {
    let mut matrices = Vec::new();
    bind.matrices(placed, &mut matrices);
    out.positions.clear();
    out.normals.clear();
    for vertex in 0..mesh.positions.len() {
        let rows = blended(&matrices, &mesh.carried[vertex]);
        out.positions.push(point(&rows, stature * mesh.shaped(vertex, shape)));
        out.normals.push(direction(&rows, mesh.normals[vertex]).normalize_or(Vec3::Z));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::JointId;
    use crate::walker::{self, LEFT_FOOT, LEFT_SHIN, LEFT_THIGH};
    use passerby_geometry::Quat;
    use std::f32::consts::FRAC_PI_2;

    fn knee_bent() -> (Bind, Vec<Placed>) {
        let skeleton = walker::skeleton(2.0);
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[LEFT_SHIN.index()] = Quat::from_rotation_y(FRAC_PI_2);
        let mut placed = Vec::new();
        pose.to_model(&skeleton, &mut placed);
        (Bind::new(&skeleton), placed)
    }

    /// Somebody of 2 m bends the left knee by a right angle: the ankle, 0.492 m below the knee, is now as far behind it.
    #[test]
    fn points_go_with_their_joints() {
        let (bind, placed) = knee_bent();
        let mut matrices = Vec::new();
        bind.matrices(&placed, &mut matrices);
        let ankle = Vec3::new(0.0, 0.11, 0.078);
        let check = |joint: JointId, expected: [f32; 3]| {
            let at = point(&matrices[joint.index()], ankle);
            assert!(at.distance(expected.into()) < 1e-5, "{joint:?}: {at}");
        };
        check(LEFT_THIGH, [0.0, 0.11, 0.078]);
        check(LEFT_SHIN, [-0.492, 0.11, 0.57]);
        check(LEFT_FOOT, [-0.492, 0.11, 0.57]);
        // Half and half: half way.
        let unused = JointId(0);
        let carried = Carried { joints: [LEFT_THIGH, LEFT_SHIN, unused, unused], shares: [0.5, 0.5, 0.0, 0.0] };
        let half = point(&blended(&matrices, &carried), ankle);
        assert!(half.distance(Vec3::new(-0.246, 0.11, 0.324)) < 1e-5, "{half}");
    }

    #[test]
    fn inverse_binds_undo_the_rest() {
        let (bind, _) = knee_bent();
        for (inverse, rest) in bind.inverse().iter().zip(&bind.rest) {
            assert!(inverse.point(rest.position).length() < 1e-6);
        }
    }
}
