//! ORCA.
use crate::parameter::Field;

/// Parameters of ORCA (van den Berg et al. 2011).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orca {
    /// How far ahead collisions with people are avoided: tau of section 3, s, default 3.
    pub time_horizon: f32,
    /// The same for walls, s, default 1.
    pub time_horizon_walls: f32,
    /// Time between two decisions, s, default 0: every step.
    pub interval: f32,
}

impl Default for Orca {
    fn default() -> Self {
        Self { time_horizon: 3.0, time_horizon_walls: 1.0, interval: 0.0 }
    }
}

impl Orca {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "time_horizon", low: 0.1, high: 60.0, allowed: "0.1 to 60 s", slot: |p| &mut p.time_horizon },
        Field {
            name: "time_horizon_walls",
            low: 0.1,
            high: 60.0,
            allowed: "0.1 to 60 s",
            slot: |p| &mut p.time_horizon_walls,
        },
        Field { name: "interval", low: 0.0, high: 5.0, allowed: "0 to 5 s", slot: |p| &mut p.interval },
    ];

    /// It picks velocities, so it has no stiffness; beyond a quarter of a second walkers would step too far between looks.
    pub fn step_max(&self) -> f32 {
        0.25
    }
}
