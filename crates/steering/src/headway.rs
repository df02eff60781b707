//! Headway.
use crate::parameter::Field;

/// Parameters of the headway model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Headway {
    /// Time gap kept to whoever is in front: T, s, default 1.
    pub time_gap: f32,
    /// Strength of the repulsion from people: a, default 8.
    pub strength: f32,
    /// Range of the repulsion from people: D, m, default 0.1.
    pub range: f32,
    /// Strength of the repulsion from walls, default 5.
    pub strength_walls: f32,
    /// Range of the repulsion from walls, m, default 0.02.
    pub range_walls: f32,
    /// Largest side step: how far a walker turns from its direction to get past those who block it, rad.
    pub sidestep: f32,
}

impl Default for Headway {
    fn default() -> Self {
        Self { time_gap: 1.0, strength: 8.0, range: 0.1, strength_walls: 5.0, range_walls: 0.02, sidestep: 1.5 }
    }
}

impl Headway {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "time_gap", low: 0.1, high: 10.0, allowed: "0.1 to 10 s", slot: |p| &mut p.time_gap },
        Field { name: "strength", low: 0.0, high: 100.0, allowed: "0 to 100", slot: |p| &mut p.strength },
        Field { name: "range", low: 0.001, high: 10.0, allowed: "0.001 to 10 m", slot: |p| &mut p.range },
        Field { name: "strength_walls", low: 0.0, high: 100.0, allowed: "0 to 100", slot: |p| &mut p.strength_walls },
        Field { name: "range_walls", low: 0.001, high: 10.0, allowed: "0.001 to 10 m", slot: |p| &mut p.range_walls },
        Field { name: "sidestep", low: 0.0, high: 1.57, allowed: "0 to 1.57 rad", slot: |p| &mut p.sidestep },
    ];

    /// First order: a walker covers less than its gap in a step shorter than the time gap.
    pub fn step_max(&self) -> f32 {
        0.25 * self.time_gap
    }
}
