//! Runs a scenario and watches every tick of it.

use passerby::crowd::{AgentId, Columns, Index};
use passerby::geometry::{Vec2, math};
use passerby::{Scenario, Simulation, Summary};
use std::collections::BTreeMap;

/// What was seen in all ticks of a run.
#[allow(dead_code)] // not every suite asks for all of it
pub struct Watched {
    pub summary: Summary,
    /// Smallest gap between two bodies after the ground, m.
    pub gap_after_ground: f32,
    /// Smallest gap between a body and a wall, m.
    pub wall_gap: f32,
    /// Ticks times people with their centre off the floor.
    pub outside: u32,
    /// Largest displacement as a share of what the person's fastest speed allows.
    pub speed_share: f32,
    /// Share of steps that turn back against the step before.
    pub turned_back: f64,
    /// How fast headings turned at the most, rad/s.
    pub heading_turn: f32,
    /// How fast the velocities of those who touch nothing turned at the most, above 0.3 m/s, rad/s.
    pub turn: f32,
    /// How fast the velocities of those who touch nothing changed at the most, m/s2.
    pub change: f32,
    /// When the run ended, s.
    pub time: f64,
}

/// Velocity and heading of everybody who is there.
fn motions(simulation: &Simulation) -> impl Iterator<Item = (AgentId, (Vec2, f32))> {
    let now = simulation.velocities().iter().copied().zip(simulation.headings().iter().copied());
    simulation.ids().iter().copied().zip(now)
}

/// Runs a scenario to its end and watches.
pub fn watch(scenario: Scenario) -> Watched {
    let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
    let mut steps = (0u64, 0u64);
    let (mut heading_turn, mut turn, mut change) = (0f32, 0f32, 0f32);
    let mut seen = (f32::INFINITY, f32::INFINITY, 0, 0.0f32);
    let (mut index, mut found, mut walls) = (Index::default(), Vec::new(), Vec::new());
    while !simulation.finished() {
        let before: BTreeMap<_, Vec2> =
            simulation.ids().iter().copied().zip(simulation.positions().iter().copied()).collect();
        let motions: BTreeMap<_, (Vec2, f32)> = motions(&simulation).collect();
        simulation.step();
        for (id, (v, _)) in self::motions(&simulation) {
            let Some((before, _)) = motions.get(&id).copied() else { continue };
            let fast = v.length() > 0.2 && before.length() > 0.2;
            steps.0 += 1;
            steps.1 += u64::from(fast && v.dot(before) < -0.3 * v.length() * before.length());
        }
        let agents = &simulation.people().agents;
        let world = simulation.world();
        let (low, high) = world.map.bounds();
        if !agents.is_empty() {
            let columns = Columns { position: &agents.now.position, ..agents.columns() };
            index.build(low, high, columns);
        }
        for (row, &at) in simulation.positions().iter().enumerate() {
            let radius = agents.radius[row];
            let mut touches = agents.pushed[row] != Vec2::ZERO;
            index.within(at, radius + index.radius_max() + 0.05, &mut found);
            for other in found.iter().map(|found| index.body(found.slot)).filter(|other| other.id != agents.id[row]) {
                let gap = other.position.distance(at) - radius - other.radius;
                seen.0 = seen.0.min(gap);
                touches |= gap < 0.01;
            }
            world.map.walls().near(at, radius + 0.05, &mut walls);
            seen.1 = walls.first().map_or(seen.1, |wall| seen.1.min(wall.distance - radius));
            touches |= walls.first().is_some_and(|wall| wall.distance < radius + 0.05);
            seen.2 += u32::from(!world.map.contains(at));
            if let Some((before, was)) = motions.get(&agents.id[row]).copied() {
                let v = agents.now.velocity[row];
                heading_turn = heading_turn.max(math::wrap_angle(agents.now.heading[row] - was).abs());
                // Who bumps into somebody or something stops as things do.
                if !touches {
                    change = change.max(v.distance(before));
                    if v.length() > 0.3 && before.length() > 0.3 {
                        turn = turn.max(before.angle_to(v).abs());
                    }
                }
            }
            if let Some(from) = before.get(&agents.id[row]) {
                // At 30 m a position is rounded by up to 1e-6 m along each axis, in each of the parts of a tick.
                let way = from.distance(at) - 5e-6;
                seen.3 = seen.3.max(way / (agents.speed_max[row] * world.tick as f32));
            }
        }
    }
    let tick = simulation.world().tick as f32;
    let [heading_turn, turn, change] = [heading_turn, turn, change].map(|most| most / tick);
    Watched {
        heading_turn,
        turn,
        change,
        summary: simulation.summary(),
        gap_after_ground: seen.0,
        wall_gap: seen.1,
        outside: seen.2,
        speed_share: seen.3,
        turned_back: steps.1 as f64 / steps.0.max(1) as f64,
        time: simulation.time(),
    }
}
