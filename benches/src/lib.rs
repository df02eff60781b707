//! Workloads that the benches time, and the peers beside them.
//!
//! A [`scene::Scene`] is where everybody starts and wants to go; [`ours::Ours`] and [`peer::Peer`] step the same scene, so
//! that their answers can be compared ([`quality`]) before their time is ([`clock`]). A [`workload::Workload`] is a scenario
//! for the whole engine, which [`run::Run`] steps in turns, with and without a recording; [`jupedsim::Child`] steps the same
//! people with JuPedSim. A [`city::City`] is what paths are asked in. [`allocations`] and [`memory`] count what is asked of the system besides time.

pub mod allocations;
pub mod city;
pub mod clock;
pub mod jupedsim;
pub mod memory;
pub mod ours;
pub mod peer;
pub mod quality;
pub mod run;
pub mod scene;
pub mod workload;

use passerby_geometry::Vec2;
use scene::Goal;

/// A crowd that can be stepped: what the benches time.
pub trait Crowd {
    /// One step of [`scene::DT`].
    fn step(&mut self);
    /// Puts where everybody is, how they move and what they want into `out`, in the order of the scene.
    fn state(&self, out: &mut Vec<Walking>);
}

/// One person after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walking {
    /// m.
    pub position: Vec2,
    /// m/s.
    pub velocity: Vec2,
    /// Velocity it would have chosen if alone, m/s.
    pub desired: Vec2,
    /// What it wants.
    pub goal: Goal,
}

impl Walking {
    /// Who is nowhere yet.
    const NOBODY: Walking =
        Walking { position: Vec2::ZERO, velocity: Vec2::ZERO, desired: Vec2::ZERO, goal: Goal::Point(Vec2::ZERO) };
}
