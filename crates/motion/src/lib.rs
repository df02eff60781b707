//! Bodies: from a velocity to feet that stand where they stand.
//!
//! | module | holds |
//! | --- | --- |
//! | [`skeleton`] | joints, each after its parent |
//! | [`pose`] | where every joint is turned; blending, and from local to model space |
//! | [`role`] | which joint is the hips, which the left foot |
//! | [`take`] | frames as they come from a file or from our own laws |
//! | [`clip`] | a cycle in its travel frame, with velocity and contacts: what is walked |
//! | [`mesh`], [`body`] | surfaces that joints carry; the built-in one, at four levels of detail |
//! | [`looks`] | how tall, broad and dressed somebody is |
//! | [`glb`] | a crowd as a file that other programs open |
//! | [`skinning`] | joint matrices for a graphics card, and the same on the processor |
//! | [`walker`] | the built-in body's skeleton |
//!
//! x is forward, y left, z up; metres, seconds, radians. Nothing here opens a file: clips come as bytes.

pub mod body;
pub mod clip;
pub mod figure;
pub mod footing;
pub mod gait;
mod gait_clip;
mod gait_feet;
mod gait_turn;
pub mod glb;
pub mod leg;
pub mod library;
pub mod looks;
pub mod mediator;
pub mod mesh;
pub mod pose;
pub mod reverse;
pub mod role;
pub mod skeleton;
pub mod skinning;
mod standing;
pub mod take;
pub mod tracks;
pub mod walker;

pub use clip::{Clip, FootContacts, Span};
pub use library::{ClipId, Library, LibraryError};
pub use looks::Looks;
pub use pose::Pose;
pub use role::{Role, Roles};
pub use skeleton::{Joint, JointId, Skeleton, SkeletonError};
pub use take::Take;
