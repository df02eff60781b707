//! Social force.
use crate::parameter::Field;

/// Parameters of the social force of 1995.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Helbing1995 {
    /// Strength of the repulsion between people: V0, m2/s2, default 2.1.
    pub strength: f32,
    /// Its range: sigma, m, default 0.3.
    pub range: f32,
    /// How far ahead the other's step is foreseen: Delta t, s, default 2.
    pub step_ahead: f32,
    /// Strength of the repulsion from walls: U0, m2/s2, default 10.
    pub strength_walls: f32,
    /// Its range: R, m, default 0.2.
    pub range_walls: f32,
    /// Time to reach the desired velocity: tau, s, default 0.5.
    pub relaxation: f32,
    /// Weight of what is outside the field of view of 200 degrees: c, default 0.5.
    pub weight_behind: f32,
}

/// Parameters of the social force of 2000.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Helbing2000 {
    /// Strength of the repulsion: A, N, default 2000.
    pub strength: f32,
    /// Its range: B, m, default 0.08.
    pub range: f32,
    /// Stiffness of bodies: k, kg/s2, default 1.2e5.
    pub stiffness: f32,
    /// Sliding friction of bodies: kappa, kg/(m s), default 2.4e5.
    pub friction: f32,
    /// Time to reach the desired velocity: tau, s, default 0.5.
    pub relaxation: f32,
}

impl Default for Helbing1995 {
    fn default() -> Self {
        Self { strength: 2.1, range: 0.3, step_ahead: 2.0, strength_walls: 10.0, range_walls: 0.2, relaxation: 0.5, weight_behind: 0.5 }
    }
}

impl Default for Helbing2000 {
    fn default() -> Self {
        Self { strength: 2000.0, range: 0.08, stiffness: 1.2e5, friction: 2.4e5, relaxation: 0.5 }
    }
}

impl Helbing1995 {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "strength", low: 0.0, high: 1000.0, allowed: "0 to 1000 m2/s2", slot: |p| &mut p.strength },
        Field { name: "range", low: 0.01, high: 10.0, allowed: "0.01 to 10 m", slot: |p| &mut p.range },
        Field { name: "step_ahead", low: 0.0, high: 10.0, allowed: "0 to 10 s", slot: |p| &mut p.step_ahead },
        Field { name: "strength_walls", low: 0.0, high: 1000.0, allowed: "0 to 1000 m2/s2", slot: |p| &mut p.strength_walls },
        Field { name: "range_walls", low: 0.01, high: 10.0, allowed: "0.01 to 10 m", slot: |p| &mut p.range_walls },
        Field { name: "relaxation", low: 0.05, high: 10.0, allowed: "0.05 to 10 s", slot: |p| &mut p.relaxation },
        Field { name: "weight_behind", low: 0.0, high: 1.0, allowed: "0 to 1", slot: |p| &mut p.weight_behind },
    ];

    /// A tenth of the relaxation time keeps the explicit step well inside its stable range.
    pub fn step_max(&self) -> f32 {
        0.1 * self.relaxation
    }
}

impl Helbing2000 {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "strength", low: 0.0, high: 1e5, allowed: "0 to 100000 N", slot: |p| &mut p.strength },
        Field { name: "range", low: 0.01, high: 10.0, allowed: "0.01 to 10 m", slot: |p| &mut p.range },
        Field { name: "stiffness", low: 0.0, high: 1e6, allowed: "0 to 1000000 kg/s2", slot: |p| &mut p.stiffness },
        Field { name: "friction", low: 0.0, high: 1e6, allowed: "0 to 1000000 kg/(m s)", slot: |p| &mut p.friction },
        Field { name: "relaxation", low: 0.05, high: 10.0, allowed: "0.05 to 10 s", slot: |p| &mut p.relaxation },
    ];

    /// Stiff contact.
    pub fn step_max(&self) -> f32 {
        0.01
    }
}
