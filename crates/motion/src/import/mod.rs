//! Skeletons and takes out of files of other programs, given as bytes.
//!
//! Files have their own axes and units. The first joint is turned and all offsets are scaled, so that the figure at rest stands on
//! z, faces x and is measured in metres; the frames of all other joints stay what they were. What was assumed is in the [`Report`].

pub mod bvh;
pub mod bvh_write;
pub mod gltf;
mod gltf_buffers;
mod gltf_nodes;
mod gltf_sampler;
mod placing;

pub use placing::{Axis, Options, Report, ScaleFrom};

use crate::role::{Roles, RolesError};
use crate::skeleton::{JointId, Skeleton, SkeletonError};
use crate::take::Take;
use passerby_geometry::Vec3;

/// Rotations in all takes of a file: a quarter of an hour of a 67-joint figure at 60 frames a second. More is refused.
pub const ROTATIONS_MAX: usize = 4 << 20;

/// What a file held.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The figure.
    pub skeleton: Skeleton,
    /// Which joint is what; or why the figure cannot walk. It can still be played.
    pub roles: Result<Roles, RolesError>,
    /// At least one of a BVH file; none of a model that does not move.
    pub takes: Vec<Take>,
    /// Ends of bones that are no joints: tips of toes, fingers, head.
    pub ends: Vec<End>,
    /// For skinning, of glTF: joint, and the matrix from the mesh to the joint, by columns, in the file's axes and unit.
    pub inverse_binds: Vec<(JointId, [f32; 16])>,
    /// What was assumed.
    pub report: Report,
}

/// The end of a bone that is no joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// What it hangs on.
    pub joint: JointId,
    /// In the joint's frame, m.
    pub offset: Vec3,
}

/// Why bytes are no clip: what, and where.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct ImportError {
    /// A line, or a path into a document.
    pub place: String,
    /// What is wrong, and what is allowed.
    pub what: String,
}

impl ImportError {
    pub(crate) fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }
}

impl From<SkeletonError> for ImportError {
    fn from(error: SkeletonError) -> Self {
        Self::new("joints", error.to_string())
    }
}
