//! Who stands where already, for those who look for a place.

use crate::people::People;
use crate::scenario::{Scenario, Start};
use crate::world::World;
use passerby_geometry::{DVec2, Vec2};
use std::collections::BTreeMap;

/// Room left between two people who are placed, m: rounding must not make them overlap.
pub(crate) const SPARE: f32 = 0.001;
/// Room between somebody who comes and others, m: nobody appears right before the feet of somebody who walks.
pub(crate) const STEP_APART: f32 = 0.1;

/// Who stands where already: a grid of cells as wide as the widest body, so that only neighbouring cells matter.
pub(crate) struct Taken {
    cell: f32,
    cells: BTreeMap<(i32, i32), Vec<(Vec2, f32)>>,
}

impl Taken {
    /// Nobody yet; for everybody of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let widest = scenario.populations.iter().fold(0.1, |most: f64, population| most.max(population.radius.max()));
        Self { cell: 2.0 * (widest as f32 + SPARE), cells: BTreeMap::new() }
    }

    /// Where everybody is who may be in the way of somebody who comes to a start.
    pub fn around(world: &World, people: &People, start: &Start) -> Self {
        let widest = world.kinds.iter().fold(0.1, |most: f64, kind| most.max(kind.population.radius.max()));
        let cell = 2.0 * (widest as f32 + SPARE) + STEP_APART;
        let mut taken = Self { cell, cells: BTreeMap::new() };
        let (low, high) = bounds(start);
        let (low, high) = (world.local(low) - cell, world.local(high) + cell);
        for (at, radius) in people.agents.now.position.iter().zip(&people.agents.radius) {
            if at.cmpge(low).all() && at.cmple(high).all() {
                taken.add(*at, *radius);
            }
        }
        taken
    }

    fn key(&self, at: Vec2) -> (i32, i32) {
        ((at.x / self.cell).floor() as i32, (at.y / self.cell).floor() as i32)
    }

    /// Whether a body has room there.
    pub fn is_free(&self, at: Vec2, radius: f32) -> bool {
        let (x, y) = self.key(at);
        (x - 1..=x + 1).all(|x| {
            (y - 1..=y + 1).all(|y| {
                self.cells.get(&(x, y)).is_none_or(|here| {
                    here.iter().all(|(other, other_radius)| other.distance(at) >= radius + other_radius + SPARE)
                })
            })
        })
    }

    /// Notes somebody.
    pub fn add(&mut self, at: Vec2, radius: f32) {
        self.cells.entry(self.key(at)).or_default().push((at, radius));
    }

    /// Forgets who stands exactly there.
    pub fn remove(&mut self, at: Vec2) {
        if let Some(here) = self.cells.get_mut(&self.key(at)) {
            here.retain(|(other, _)| *other != at);
        }
    }
}

/// The box around everywhere that somebody may start.
fn bounds(start: &Start) -> (DVec2, DVec2) {
    match start {
        Start::Area { polygon, .. } => polygon.bounds(),
        Start::Circle { center, radius, jitter, .. } => (*center - (*radius + *jitter), *center + (*radius + *jitter)),
        Start::Grid { origin, columns, rows, spacing, jitter } => {
            let size = *spacing * DVec2::new(f64::from(*columns), f64::from(*rows));
            (*origin - *jitter, *origin + size + *jitter)
        }
        Start::Played(_) => (DVec2::ZERO, DVec2::ZERO),
        Start::At(points) => {
            let nowhere = (DVec2::INFINITY, DVec2::NEG_INFINITY);
            points.iter().fold(nowhere, |(low, high), point| (low.min(*point), high.max(*point)))
        }
    }
}
