//! The ground everything else stands on: vectors, numbers that have the same bits on every machine, and plane shapes.
//!
//! | module | holds |
//! | --- | --- |
//! | [`math`] | `exp`, `sin`, `atan2` and their like, equal on every platform |
//! | [`lanes`] | eight floats in lockstep, chosen for the processor at run time |
//! | [`chance`] | random numbers keyed by (seed, who, tick, purpose) instead of drawn from a shared generator |
//! | [`segment`] | a straight piece of wall: nearest points, crossings |
//! | [`sweep`] | when a moving disc touches something |
//! | [`walls`] | an index of many segments: near, clear, ray, visible |
//! | [`polygon`], [`outline`], [`area`] | simple polygons, how they are checked, and polygons with holes |
//! | [`triangulation`], [`refinement`] | constrained Delaunay: once for everything, or cut further step by step |
//! | [`homography`] | from the pixels of a picture to metres on the ground |
//! | [`sample`] | points drawn uniformly from a polygon |
//!
//! Metres, seconds, radians. What moves is `f32` around a local origin ([`Vec2`]), maps are built in `f64` ([`DVec2`]).
//! Nothing here knows about agents.

pub mod area;
pub mod chance;
mod clearance;
mod crossings;
mod grid;
pub mod homography;
pub mod lane_math;
pub mod lanes;
pub mod lists;
pub mod math;
pub mod outline;
pub mod polygon;
pub mod refinement;
mod rows;
pub mod sample;
pub mod segment;
pub mod sweep;
pub mod triangulation;
pub mod walls;

pub use area::Area;
pub use chance::{Chance, Purpose, Stream};
pub use glam::{DQuat, DVec2, DVec3, Mat3, Quat, Vec2, Vec3};
pub use homography::{Homography, HomographyError};
pub use outline::PolygonError;
pub use polygon::Polygon;
pub use sample::Sampler;
pub use segment::Segment;
pub use walls::{WallHit, WallId, WallNear, Walls};
