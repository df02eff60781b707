//! People with bodies: feet that do not slide in a crowd, and every promise of a run.

use passerby::{Scenario, Simulation, scenario::NoFiles};

const CORRIDOR: &str = include_str!("../../../scenarios/bodies.toml");

fn corridor(model: &str, people: usize) -> Simulation {
    let text = CORRIDOR
        .replace("body = \"mediated\"", &format!("body = \"mediated\"\nmodel = \"{model}\""))
        .replace("count = 100", &format!("count = {people}"));
    Simulation::new(Scenario::parse(&text, &NoFiles, "bodies.toml").unwrap()).unwrap()
}

/// Two hundred people in a corridor of two ways, with the models that need no help: what the issue asks of feet and roots.
#[test]
fn two_hundred_walk_through_a_corridor_without_a_sliding_foot() {
    for model in ["headway", "orca"] {
        let mut simulation = corridor(model, 100);
        let (mut overlap, mut apart): (f32, f32) = (0.0, 0.0);
        let start = std::time::Instant::now();
        while !simulation.finished() {
            simulation.step();
            let people = simulation.people();
            for row in 0..people.len() {
                let walker = people.bodies[row].as_deref().expect("everybody has a body");
                let at = walker.body.root;
                apart = apart.max(at.distance(people.agents.now.position[row]));
                for other in 0..row {
                    let there = people.bodies[other].as_deref().expect("everybody has a body").body.root;
                    overlap = overlap.max(people.agents.radius[row] + people.agents.radius[other] - at.distance(there));
                }
            }
        }
        let (summary, bodies) = (simulation.summary(), simulation.summary().bodies.expect("bodies walked"));
        println!(
            "{model}: {} of {} arrived in {:?} s, {:.1} s; {bodies:?}; roots overlap by {:.1} mm, are {:.1} mm from their agents",
            summary.arrived,
            summary.entered,
            summary.last_arrival,
            start.elapsed().as_secs_f32(),
            overlap * 1000.0,
            apart * 1000.0
        );
        assert_eq!(summary.arrived, 200, "{model}");
        assert!(bodies.slide[0] < 5.0 && bodies.slide[1] < 20.0, "{model}: before the lock");
        assert!(bodies.slide_locked[0] < 1.0 && bodies.slide_locked[1] < 5.0, "{model}: after the lock");
        assert!(bodies.skating_ratio < 0.01, "{model}: skating");
        assert!(overlap < 0.02, "{model}: bodies overlap");
    }
}
