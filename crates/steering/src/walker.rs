//! The walker that decides.

use passerby_crowd::AgentId;
use passerby_geometry::Vec2;

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
    /// Where it faces, rad.
    pub heading: f32,
    /// How far it is from where it will stand, m; infinite if it walks on there.
    pub left: f32,
    /// How far it is to the point it walks to at present, m.
    pub ahead: f32,
}
