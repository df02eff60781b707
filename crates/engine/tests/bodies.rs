//! People with bodies: feet that do not slide in a crowd, and every promise of a run.

use passerby::geometry::DVec2;
use passerby::motion::{Library, Posture};
use passerby::{BodySummary, Scenario, Simulation, recorded_body, scenario::NoFiles};

const CORRIDOR: &str = include_str!("../../../scenarios/bodies.toml");

/// The corridor with a model; one way if not both.
fn corridor(model: &str, both_ways: bool) -> Simulation {
    let text = CORRIDOR.replace("body = \"mediated\"", &format!("body = \"mediated\"\nmodel = \"{model}\""));
    let text = if both_ways { text } else { text.replace("journey = [\"west\"]", "journey = [\"east\"]") };
    Simulation::new(Scenario::parse(&text, &NoFiles, "bodies.toml").unwrap()).unwrap()
}

/// Runs to the end; how bodies walked, and by how much two of them overlapped at the most, m.
fn walk(name: &str, simulation: &mut Simulation) -> (BodySummary, f32) {
    let (mut overlap, mut apart): (f32, f32) = (0.0, 0.0);
    let mut into_walls: f64 = 0.0;
    while !simulation.finished() {
        simulation.step();
        let people = simulation.people();
        for row in 0..people.len() {
            let at = people.bodies[row].as_deref().expect("everybody has a body").body.root;
            apart = apart.max(at.distance(people.agents.now.position[row]));
            // The corridor is 60 m by 10 m; its walls are where its floor ends.
            let (on_floor, radius) = (at.as_dvec2() + simulation.offset(), f64::from(people.agents.radius[row]));
            let gap = on_floor.min(DVec2::new(60.0, 10.0) - on_floor).min_element() - radius;
            into_walls = into_walls.max(-gap);
            for other in 0..row {
                let there = people.bodies[other].as_deref().expect("everybody has a body").body.root;
                overlap = overlap.max(people.agents.radius[row] + people.agents.radius[other] - at.distance(there));
            }
        }
    }
    let (summary, bodies) = (simulation.summary(), simulation.summary().bodies.expect("bodies walked"));
    println!(
        "{name}: {} arrived, the last after {:?} s; {bodies:?}; bodies overlap by {:.1} mm, are {:.1} mm from their agents, {:.1} mm into walls",
        summary.arrived,
        summary.last_arrival,
        overlap * 1000.0,
        apart * 1000.0,
        into_walls * 1000.0
    );
    assert_eq!(summary.arrived, 200, "{name}");
    // Their agents' discs touch walls and no more; the body is within 2 cm of its agent.
    assert!(into_walls < 0.02, "{name}: somebody is {into_walls} m into a wall");
    (bodies, overlap)
}

/// Two hundred people in a corridor: what is asked of feet and roots holds where people walk as people do.
#[test]
fn two_hundred_walk_through_a_corridor_without_a_sliding_foot() {
    for (model, both_ways) in [("headway", false), ("orca", false), ("orca", true)] {
        let name = format!("{model}, {}", if both_ways { "both ways" } else { "one way" });
        let (bodies, overlap) = walk(&name, &mut corridor(model, both_ways));
        assert!(bodies.slide[0] < 5.0 && bodies.slide[1] < 20.0, "{name}: before the lock");
        assert!(bodies.slide_locked[0] < 1.0 && bodies.slide_locked[1] < 5.0, "{name}: after the lock");
        assert!(bodies.skating_ratio < 0.01, "{name}: skating");
        assert!(overlap < 0.02, "{name}: bodies overlap");
    }
}

/// Two ways with headway, whose people dart where they meet: roots cannot follow every turn, so more is left to the lock. It holds, and legs reach,
/// whatever the seed.
#[test]
fn who_darts_is_held_by_the_lock() {
    for seed in 0..4 {
        let text = CORRIDOR.replace("[run]", &format!("[run]\nseed = {seed}"));
        let mut simulation = Simulation::new(Scenario::parse(&text, &NoFiles, "bodies.toml").unwrap()).unwrap();
        let (bodies, overlap) = walk(&format!("headway, both ways, seed {seed}"), &mut simulation);
        assert!(bodies.slide_locked[0] < 1.0 && bodies.slide_locked[1] < 5.0, "seed {seed}: after the lock");
        assert!(bodies.skating_ratio < 0.01, "seed {seed}: skating");
        assert!(overlap < 0.02, "seed {seed}: bodies overlap");
    }
}

/// The digest covers bodies, and nothing but the seed changes it: not threads, not rows, not a checkpoint in the middle.
#[test]
fn bodies_have_the_same_bits_on_any_number_of_threads_and_after_a_checkpoint() {
    let run = |threads: usize, prepare: fn(&mut Simulation), stop: u32| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = corridor("headway", true);
            prepare(&mut simulation);
            while simulation.tick() < stop {
                simulation.step();
            }
            if stop < 400 {
                let bytes = simulation.checkpoint();
                let scenario = simulation.scenario().clone();
                simulation = Simulation::resume(scenario, &bytes).unwrap_or_else(|error| panic!("{error}"));
            }
            while simulation.tick() < 400 {
                simulation.step();
            }
            simulation.digest()
        })
    };
    let one = run(1, |_| {}, 400);
    assert_eq!(one, run(2, |_| {}, 400));
    assert_eq!(one, run(8, |simulation| simulation.reverse_rows(), 400));
    assert_eq!(one, run(2, |_| {}, 137));
    // Discs walk otherwise.
    let discs = CORRIDOR.replace("body = \"mediated\"\n", "");
    let mut discs = Simulation::new(Scenario::parse(&discs, &NoFiles, "discs.toml").unwrap()).unwrap();
    while discs.tick() < 400 {
        discs.step();
    }
    assert_ne!(one, discs.digest());
}

/// Whoever sets a posture, by hand here, sees it played, recorded, and taken up again after a checkpoint.
#[test]
fn a_posture_is_played_recorded_and_kept_in_a_checkpoint() {
    let text = "[place]\nfloor = [[0, 0], [12, 0], [12, 6], [0, 6]]\n\
                [[population]]\nat = [[2, 2], [2, 4]]\nbody = \"mediated\"\npremovement = 8\njourney = [[10, 3]]\n[run]\nuntil = 30\n";
    let mut simulation = Simulation::new(Scenario::parse(text, &NoFiles, "seat.toml").unwrap()).unwrap();
    let library = Library::built_in();
    let [sits, talks] = [simulation.ids()[0], simulation.ids()[1]];
    assert!(!simulation.set_posture(sits, Posture::Sit), "bodies come with the first step");
    simulation.step();
    assert!(simulation.set_posture(sits, Posture::Sit) && simulation.set_posture(talks, Posture::Talk));
    let played = |simulation: &mut Simulation, id: u32| {
        let frame = simulation.frame();
        let row = frame.id.iter().position(|other| *other == id).expect("still there");
        let body = recorded_body(&frame.bodies[row]);
        assert!(body.is_of(&library));
        library.clip(body.clip).take.name.clone()
    };
    while simulation.tick() < 100 {
        simulation.step();
    }
    assert_eq!(played(&mut simulation, sits.bits()), "sit");
    assert_eq!(played(&mut simulation, talks.bits()), "talk");
    let bytes = simulation.checkpoint();
    let mut resumed =
        Simulation::resume(simulation.scenario().clone(), &bytes).unwrap_or_else(|error| panic!("{error}"));
    let at = simulation.positions().to_vec();
    // They are to walk after 8 s; until who sits has got up they stay where they are.
    while simulation.tick() < 175 {
        (simulation.step(), resumed.step());
    }
    assert_eq!(played(&mut simulation, sits.bits()), "stand-up");
    let row = simulation.people().row_of(sits).expect("still there").index();
    assert!(simulation.positions()[row].distance(at[row]) < 0.01, "nobody walks sitting");
    while !simulation.finished() {
        (simulation.step(), resumed.step());
    }
    assert_eq!(simulation.digest(), resumed.digest());
    assert_eq!(simulation.summary().arrived, 2);
}
