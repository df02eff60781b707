//! Movers: people get out of the way of a bus, with every model, and nobody ends up in it.

use passerby::geometry::{DVec2, Polygon};
use passerby::scenario::NoFiles;
use passerby::steering::Model;
use passerby::{Scenario, Simulation};

/// A street of 60 m x 10 m along which a bus goes east, 10 m long and 2.4 m wide, at so many metres a second.
fn street(speed: f64, rest: &str) -> Scenario {
    let end = 80.0 / speed;
    let text = format!(
        "[place]\nfloor = [[0, 0], [60, 0], [60, 10], [0, 10]]\n\
         [[mover]]\nname = \"bus\"\npolygon = [[-5, -1.2], [5, -1.2], [5, 1.2], [-5, 1.2]]\n\
         path = [[0, -10, 5], [{end}, 70, 5]]\n{rest}\n[run]\nuntil = {}\n",
        2.0 * end
    );
    Scenario::parse(&text, &NoFiles, "street.toml").unwrap_or_else(|problems| panic!("{problems}"))
}

struct Seen {
    /// Deepest that a centre was in the bus, or a body over its edge, m.
    deepest: f64,
    /// Largest displacement as a share of what the person's fastest speed allows.
    speed_share: f32,
    simulation: Simulation,
}

/// Runs and measures the overlap with the bus itself, from the scenario's path, in every tick.
fn run(scenario: Scenario) -> Seen {
    let bus = scenario.movers[0].clone();
    let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
    let (mut deepest, mut speed_share) = (0.0f64, 0.0f32);
    while !simulation.finished() {
        let before: std::collections::BTreeMap<_, _> =
            simulation.ids().iter().copied().zip(simulation.positions().iter().copied()).collect();
        simulation.step();
        let Some(corners) = bus.outline(simulation.time()) else { continue };
        let ring: Vec<DVec2> = corners.into_iter().map(DVec2::from).collect();
        let polygon = Polygon::new(ring.clone()).expect("a bus");
        for row in 0..simulation.len() {
            let at = simulation.positions()[row].as_dvec2() + simulation.offset();
            let distance =
                (0..ring.len()).map(|i| distance(at, ring[i], ring[(i + 1) % ring.len()])).fold(1e9, f64::min);
            let radius = f64::from(simulation.radii()[row]);
            let depth = if polygon.contains(at) { distance + radius } else { radius - distance };
            deepest = deepest.max(depth);
            let agents = &simulation.people().agents;
            if let Some(from) = before.get(&agents.id[row]) {
                let fastest = agents.speed_max[row] * simulation.world().tick as f32;
                speed_share = speed_share.max(from.distance(agents.now.position[row]) / fastest);
            }
        }
    }
    Seen { deepest, speed_share, simulation }
}

fn distance(at: DVec2, a: DVec2, b: DVec2) -> f64 {
    let t = ((at - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    at.distance(a.lerp(b, t))
}

/// People who stand in front of it, who walk towards it, away from it and across; a bus at 2 m/s.
#[test]
fn nobody_ends_up_in_a_bus_with_any_model() {
    for model in Model::all() {
        let name = model.name();
        let people = format!(
            "[[population]]\nmodel = \"{name}\"\nat = [[20, 5], [25, 4.2], [30, 5.9], [35, 5]]\n\
             [[population]]\nmodel = \"{name}\"\nat = [[50, 5], [52, 4.5]]\njourney = [[3, 5]]\nspeed = 1.3\n\
             [[population]]\nmodel = \"{name}\"\nat = [[12, 5], [14, 5.6]]\njourney = [[58, 5]]\nspeed = 1.3\n\
             [[population]]\nmodel = \"{name}\"\ngrid = {{ origin = [22, 0.8], columns = 4, rows = 1, spacing = 2 }}\n\
             journey = [[30, 9]]\nspeed = 1.3\npremovement = 8\n"
        );
        let seen = run(street(2.0, &people));
        assert!(seen.deepest <= 0.002, "{name}: {} m into the bus", seen.deepest);
        assert_eq!(seen.simulation.summary().caught, 0, "{name}");
        assert!(seen.speed_share <= 1.001, "{name}: {} times as fast as they can be", seen.speed_share);
        // Those who have somewhere to go get there in spite of it.
        assert_eq!(seen.simulation.summary().arrived, 8, "{name}");
    }
}

/// A crowd in a street that it nearly fills.
#[test]
fn a_crowd_makes_room() {
    for name in ["headway", "orca", "helbing-1995"] {
        let people = format!(
            "[[population]]\nmodel = \"{name}\"\ncount = 60\narea = [[15, 0.5], [45, 0.5], [45, 9.5], [15, 9.5]]\n"
        );
        let seen = run(street(1.0, &people));
        assert!(seen.deepest <= 0.002, "{name}: {} m into the bus", seen.deepest);
        assert_eq!(seen.simulation.summary().caught, 0, "{name}");
    }
}

/// Faster than anybody can run, through a street that it fills: who is caught is counted.
#[test]
fn who_cannot_get_away_is_counted() {
    let people = "[[population]]\nat = [[50, 5]]\n";
    let mut scenario = street(8.0, people);
    scenario.movers[0].polygon = vec![[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0]];
    let seen = run(scenario);
    assert!(seen.simulation.summary().caught > 0 && seen.deepest > 0.1);
    assert!(seen.speed_share <= 1.001, "{}", seen.speed_share);
}

/// A parked one is walked round.
#[test]
fn people_walk_round_one_that_stands() {
    for model in Model::all() {
        let people = format!(
            "[[population]]\nmodel = \"{}\"\nat = [[10, 5], [8, 4.6], [6, 5.5]]\njourney = [[58, 5]]\nspeed = 1.3\n",
            model.name()
        );
        let mut scenario = street(1.0, &people);
        scenario.movers[0].path = vec![[0.0, 25.0, 5.0], [1000.0, 25.0, 5.0]];
        let seen = run(scenario);
        assert_eq!(seen.simulation.summary().arrived, 3, "{}", model.name());
        assert!(seen.deepest <= 0.002, "{}: {} m into the bus", model.name(), seen.deepest);
    }
}

#[test]
fn the_same_bytes_on_any_threads() {
    let digest = |threads: usize, reversed: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let people = "[[population]]\ncount = 60\narea = [[10, 1], [40, 1], [40, 9], [10, 9]]\njourney = [[58, 5]]\n\
                          [[population]]\nmodel = \"orca\"\nrate = 2\ntotal = 20\narea = [[45, 1], [55, 1], [55, 9], [45, 9]]\n\
                          journey = [[2, 5]]\n";
            let mut simulation = Simulation::new(street(2.0, people)).unwrap_or_else(|problems| panic!("{problems}"));
            if reversed {
                simulation.sort_rows(false);
                simulation.reverse_rows();
            }
            while simulation.time() < 20.0 {
                simulation.step();
            }
            simulation.digest()
        })
    };
    let one = digest(1, false);
    assert_eq!((one, one), (digest(8, false), digest(2, true)));
}
