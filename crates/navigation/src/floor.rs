//! What a place is made of, before anybody has looked where one can walk in it.

use passerby_geometry::{Area, DVec2, Polygon};

/// A flat place, in its own coordinates (`f64`, metres).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Floor {
    /// Where there is ground. Areas that overlap or share an edge are one piece of ground; each keeps its own holes.
    pub areas: Vec<Area>,
    /// What stands on it. They may overlap each other, stick out of the floor or share edges with it.
    pub obstacles: Vec<Polygon>,
    /// Where walls can come and go.
    pub doors: Vec<Door>,
    /// Named parts of the ground: goals, entrances, measuring areas. They do not hinder anybody.
    pub regions: Vec<Region>,
}

/// A straight opening that can be closed.
#[derive(Debug, Clone, PartialEq)]
pub struct Door {
    /// What messages and events call it.
    pub name: String,
    /// From one jamb to the other. Closed, every part of it that lies on free floor is a wall.
    pub line: [DVec2; 2],
}

/// A named part of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// What messages and journeys call it.
    pub name: String,
    /// Its outline; what lies outside of the free floor does not count.
    pub polygon: Polygon,
    /// How many times their speed people walk in it: 1 on plain ground.
    pub speed: f64,
}
