//! From a place to a walkable map and the paths through it.

mod floor;
mod way;

pub use floor::{Door, Floor, Region};
pub use way::{Goal, Path, Way};
