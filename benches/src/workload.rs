//! Scenes that the whole engine is timed on, as scenarios: any model, any size.

use crate::scene::{RADIUS, SPEED};
use passerby::scenario::NoFiles;
use passerby::steering::Model;
use passerby::{Scenario, Simulation};

/// Rows are sorted every so many ticks: what is timed is a multiple of it, so that each stretch has its share of the sorting.
const SORTED_EVERY: u32 = 32;

/// A scene, who walks there and how many.
#[derive(Debug, Clone)]
pub struct Workload {
    /// `plane-1.5/orca/100000`.
    pub name: String,
    /// How many people there are at the start.
    pub people: usize,
    scenario: Scenario,
}

impl Workload {
    /// About so many people at so many persons per m2 on an open square floor, each wandering from one random point of it to
    /// the next: all directions. It ends after three seconds, because who walks from point to point crosses the middle more
    /// often than the border: after ten, half of a thousand people are on the inner quarter of their floor. The length of a tick is `tick` seconds.
    pub fn plane(people: usize, density: f64, model: &str, tick: f64) -> Workload {
        let columns = (people as f64).sqrt().round() as usize;
        let spacing = density.sqrt().recip();
        let size = columns as f64 * spacing;
        // Of two who start beside each other both may be moved.
        let jitter = 0.5 * (spacing - 2.0 * f64::from(RADIUS)) - 0.001;
        let text = format!(
            "[place]\n\
             floor = [[0, 0], [{size}, 0], [{size}, {size}], [0, {size}]]\n\
             regions = [{{ name = \"floor\", polygon = [[0, 0], [{size}, 0], [{size}, {size}], [0, {size}]] }}]\n\
             [[population]]\n\
             grid = {{ origin = [{0}, {0}], columns = {columns}, rows = {columns}, spacing = {spacing}, jitter = {jitter} }}\n\
             model = \"{model}\"\nspeed = {SPEED}\nradius = {RADIUS}\n\
             journey = [{{ wander = \"floor\" }}]\n\
             [run]\ntick = {tick}\nuntil = 3.2\n",
            0.5 * spacing,
        );
        Workload::read(&text, format!("plane-{density:.1}/{model}/{people}"))
    }

    /// So many people on a circle, a metre apart, on their way to the opposite point.
    pub fn circle(people: usize, model: &str) -> Workload {
        let radius = people as f64 / std::f64::consts::TAU;
        let wall = radius + 5.0;
        let text = format!(
            "[place]\nfloor = [[-{wall}, -{wall}], [{wall}, -{wall}], [{wall}, {wall}], [-{wall}, {wall}]]\n\
             [[population]]\ncount = {people}\n\
             circle = {{ center = [0, 0], radius = {radius}, jitter = 0.01 }}\n\
             model = \"{model}\"\nspeed = {SPEED}\nradius = {RADIUS}\njourney = [\"opposite\"]\n\
             [run]\nuntil = 40\n"
        );
        Workload::read(&text, format!("circle/{model}/{people}"))
    }

    /// Sixty people leave a room through a narrow passage: `scenarios/bottleneck.toml`.
    pub fn bottleneck(model: &str) -> Workload {
        let mut workload =
            Workload::read(include_str!("../../scenarios/bottleneck.toml"), format!("bottleneck/{model}/60"));
        let model = Model::named(model).expect("a model");
        workload.scenario.populations.iter_mut().for_each(|population| population.model = model);
        workload
    }

    /// Steps that are timed in one stretch: enough for a clock that moves every few milliseconds.
    pub fn cycle(&self) -> u32 {
        SORTED_EVERY * (1 + 20_000 / self.people as u32)
    }

    fn read(text: &str, name: String) -> Workload {
        let scenario = Scenario::parse(text, &NoFiles, &name).unwrap_or_else(|problems| panic!("{problems}"));
        let people = scenario.populations.iter().map(|population| population.start.count() as usize).sum();
        Workload { name, people, scenario }
    }

    /// Everybody at the start.
    pub fn start(&self) -> Simulation {
        Simulation::new(self.scenario.clone()).unwrap_or_else(|problems| panic!("{}: {problems}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby::geometry::Vec2;

    /// People walk, in all directions, nobody leaves, and they stay spread out: what is timed is what the name says.
    #[test]
    fn the_plane_stays_a_plane() {
        for model in ["orca", "headway", "helbing-1995"] {
            let workload = Workload::plane(1000, 1.5, model, 0.05);
            let mut simulation = workload.start();
            assert_eq!((workload.people, simulation.len()), (1024, 1024));
            simulation.run();
            assert_eq!(simulation.len(), 1024);
            let velocities = simulation.velocities();
            let mean = velocities.iter().map(|v| v.length()).sum::<f32>() / 1024.0;
            assert!(mean > 0.25, "{model}: {mean} m/s");
            for quadrant in 0..4 {
                let walks = |v: &&Vec2| u8::from(v.x > 0.0) + 2 * u8::from(v.y > 0.0) == quadrant;
                let there = velocities.iter().filter(walks).count();
                assert!((170..=340).contains(&there), "{model}: {there} of 1024 walk into quadrant {quadrant}");
            }
            // Half the width is a quarter of the floor: 256 of them if they are spread evenly.
            let quarter = 0.25 * (1024.0f32 / 1.5).sqrt();
            let inner = simulation.positions().iter().filter(|at| at.abs().max_element() < quarter).count();
            assert!((256..=384).contains(&inner), "{model}: {inner} of 1024 are on the inner quarter of the floor");
        }
    }
}
