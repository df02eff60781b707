//! What a model may see: the walker itself, those near it, and the walls.

use passerby_crowd::AgentId;
use passerby_geometry::{Segment, Vec2};

/// The walker that decides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walker {
    /// Who it is; ties between two walkers are settled by it.
    pub id: AgentId,
    /// Where it stands.
    pub position: Vec2,
    /// How it moves.
    pub velocity: Vec2,
    /// Half its width, m.
    pub radius: f32,
    /// kg.
    pub mass: f32,
    /// Velocity it would choose if alone: desired speed along its way.
    pub desired: Vec2,
    /// The fastest it can go, m/s.
    pub speed_max: f32,
}

/// Somebody the walker sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// Who it is.
    pub id: AgentId,
    /// Where it stands.
    pub position: Vec2,
    /// How it moves.
    pub velocity: Vec2,
    /// Half its width, m.
    pub radius: f32,
    /// Share of the avoidance the walker takes upon itself: 0.5 towards those who also give way, 1 towards those who do not.
    pub share: f32,
}

/// What the walker sees: people and walls, each nearest first, ties by id.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// People.
    pub neighbours: &'a [Neighbour],
    /// Walls; the floor is on the left of each.
    pub walls: &'a [Segment],
}
