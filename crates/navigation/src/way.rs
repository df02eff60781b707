//! Where somebody wants to go, and what they are told.

use passerby_geometry::Vec2;

/// Where to. In the map's local coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// A point.
    Point(Vec2),
    /// The nearest point of a region, by its index in the floor.
    Region(usize),
}

/// What to do now, and how long the whole way is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Way {
    /// The point to walk straight to: the next turn, or the goal.
    pub toward: Vec2,
    /// Length of the whole way, m.
    pub distance: f32,
}

/// A whole way.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// From the start to the goal; arcs are drawn with a point every few degrees.
    pub points: Vec<Vec2>,
    /// Its true length, arcs included, m. The drawn arcs are a little shorter.
    pub length: f32,
}
