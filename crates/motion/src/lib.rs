//! Bodies: from a velocity to feet that stand where they stand.
//!
//! | module | holds |
//! | --- | --- |
//! | [`skeleton`] | joints, each after its parent |
//! | [`pose`] | where every joint is turned; blending, and from local to model space |
//! | [`role`], [`role_names`], [`role_shape`] | which joint is the hips, which the left foot; found by name or by shape |
//! | [`import`] | BVH and glTF from bytes, in our axes and unit |
//! | [`placed`] | joints in the frame of the figure, in doubles |
//! | [`retarget`] | a take on another figure, or in a mirror |
//! | [`analysis`] | faults, contacts, velocity and phase of a take; a captured walk as a seamless cycle |
//! | [`ik`] | two bones that reach for a point |
//! | [`take`] | frames as they come from a file or from our own laws |
//! | [`clip`] | a cycle in its travel frame, with velocity and contacts: what is walked |
//! | [`mesh`], [`body`] | surfaces that joints carry; the built-in one, at four levels of detail |
//! | [`looks`] | how tall, broad and dressed somebody is |
//! | [`glb`] | a crowd as a file that other programs open |
//! | [`skinning`] | joint matrices for a graphics card, and the same on the processor |
//! | [`walker`] | the built-in body's skeleton |
//! | [`figure`] | the pose of a body, worked out when somebody looks |
//! | [`gait`], [`leg`] | how people walk and run, as laws; a leg as two bones and a hinge |
//! | [`footing`], [`tracks`], [`library`] | what the mediator knows of a clip, which one goes with a velocity, and all of them |
//! | [`mediator`] | between a velocity and feet that stand |
//! | [`posture`] | what people do where they stay: stand, sit, talk, wait, look around |
//! | [`reverse`] | a clip played backwards |
//!
//! x is forward, y left, z up; metres, seconds, radians. Nothing here opens a file: clips come as bytes.

pub mod analysis;
pub mod body;
pub mod clip;
pub mod figure;
pub mod footing;
pub mod gait;
mod gait_clip;
mod gait_feet;
mod gait_turn;
pub mod glb;
pub mod ik;
pub mod import;
pub mod leg;
pub mod library;
pub mod looks;
pub mod mediator;
pub mod mesh;
pub mod placed;
mod planted;
pub mod pose;
pub mod posture;
pub mod retarget;
pub mod reverse;
pub mod role;
pub mod role_names;
pub mod role_shape;
pub mod skeleton;
pub mod skinning;
mod stand;
mod standing;
mod state;
pub mod take;
pub mod tracks;
mod walk;
pub mod walker;

pub use clip::{Clip, FootContacts, Span};
pub use library::{ClipId, Library, LibraryError};
pub use looks::Looks;
pub use pose::Pose;
pub use posture::Posture;
pub use role::{Role, Roles, RolesError};
pub use skeleton::{Joint, JointId, Skeleton, SkeletonError};
pub use take::Take;
