//! Stops that are no places: waiting, wandering, choosing by weights, and journeys that begin again.

use passerby::geometry::DVec2;
use passerby::scenario::NoFiles;
use passerby::{Scenario, Simulation};

/// A hall of 20 m x 10 m with three regions.
const HALL: &str = r#"
[place]
floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
doors = [{ name = "gate", line = [[15, 0], [15, 10]] }]
regions = [
    { name = "west", polygon = [[0, 0], [2, 0], [2, 10], [0, 10]] },
    { name = "middle", polygon = [[6, 1], [12, 1], [12, 9], [6, 9]] },
    { name = "east", polygon = [[18, 0], [20, 0], [20, 10], [18, 10]] },
]
"#;

fn simulation(rest: &str) -> Simulation {
    let text = format!("{HALL}{rest}");
    let scenario = Scenario::parse(&text, &NoFiles, "hall.toml").unwrap_or_else(|problems| panic!("{problems}"));
    Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Where somebody is, in the place's coordinates.
fn at(simulation: &Simulation, row: usize) -> DVec2 {
    simulation.positions()[row].as_dvec2() + simulation.offset()
}

#[test]
fn a_wait_takes_its_time() {
    let time = |stops: &str| {
        let people = format!("[[population]]\nat = [[5, 5]]\nspeed = 1\njourney = [{stops}]\n");
        let mut simulation = simulation(&people);
        while !simulation.finished() {
            simulation.step();
        }
        assert_eq!(simulation.summary().arrived, 1);
        simulation.time()
    };
    let without = time("[10, 5], \"east\"");
    for (stops, seconds) in [
        ("[10, 5], { wait = 10 }, \"east\"", 10.0),
        ("{ wait = 7 }, [10, 5], \"east\"", 7.0),
        ("[10, 5], \"east\", { wait = 4 }", 4.0),
        ("[10, 5], { wait = 2 }, { wait = 3 }, \"east\"", 5.0),
        ("[10, 5], { wait = 0 }, \"east\"", 0.0),
    ] {
        let took = time(stops) - without;
        // Stopping and setting off again may cost a few ticks.
        assert!((seconds - 0.01..seconds + 0.4).contains(&took), "{stops}: {took} s more");
    }
}

#[test]
fn waits_are_drawn_for_each() {
    let people = "[[population]]\ngrid = { origin = [1, 1], columns = 4, rows = 5, spacing = 1 }\n\
                  journey = [{ wait = { uniform = [5, 20] } }, \"east\"]\n";
    let mut simulation = simulation(people);
    simulation.step();
    let mut until: Vec<f64> = simulation.people().journeys.until.iter().map(|tick| f64::from(*tick) * 0.05).collect();
    until.sort_by(f64::total_cmp);
    until.dedup();
    assert!(until.len() > 15 && until[0] >= 5.0 && until[until.len() - 1] <= 20.1, "{until:?}");
}

#[test]
fn wandering_stays_in_its_region_and_ends() {
    let people = "[[population]]\nat = [[7, 2], [7, 4], [7, 6], [7, 8]]\njourney = [{ wander = \"middle\", for = 60 }, \"east\"]\n";
    let mut simulation = simulation(people);
    let (mut sum, mut count, mut walked) = (DVec2::ZERO, 0.0, 0.0);
    while simulation.time() < 60.0 {
        simulation.step();
        for row in 0..simulation.len() {
            let here = at(&simulation, row);
            assert!((5.4..12.6).contains(&here.x) && (0.4..9.6).contains(&here.y), "{here}");
            (sum, count) = (sum + here, count + 1.0);
            walked += f64::from(simulation.velocities()[row].length()) * 0.05;
        }
    }
    let mean = sum / count;
    assert!(mean.distance(DVec2::new(9.0, 5.0)) < 1.0, "mean at {mean}");
    assert!(walked > 4.0 * 60.0 * 0.5, "{walked} m in all");
    while !simulation.finished() {
        simulation.step();
    }
    assert_eq!(simulation.summary().arrived, 4);
    assert!(simulation.time() < 90.0, "{} s", simulation.time());
}

#[test]
fn wandering_without_end_goes_on() {
    let mut simulation =
        simulation("[[population]]\nat = [[1, 5]]\njourney = [{ wander = \"middle\" }]\n[run]\nuntil = 100\n");
    while !simulation.finished() {
        simulation.step();
    }
    assert_eq!((simulation.tick(), simulation.len(), simulation.summary().arrived), (2000, 1, 0));
    assert!((5.4..12.6).contains(&at(&simulation, 0).x));
}

#[test]
fn a_journey_that_repeats_goes_to_and_fro() {
    let mut simulation = simulation(
        "[[population]]\nat = [[10, 5]]\nspeed = 1.5\njourney = [\"west\", \"east\"]\nrepeat = true\n[run]\nuntil = 100\n",
    );
    let (mut turns, mut last) = (0, 0.0);
    while !simulation.finished() {
        simulation.step();
        let v = f64::from(simulation.velocities()[0].x);
        turns += i32::from(v * last < 0.0);
        last = if v == 0.0 { last } else { v };
    }
    // 8 m to the west, then 16 m each way at 1.5 m/s: 5.3 s and 10.7 s.
    assert!((8..=9).contains(&turns), "{turns} turns");
    assert_eq!((simulation.len(), simulation.summary().arrived), (1, 0));
}

/// Where the only stop is where somebody stands already, the journey is over and over in every tick.
#[test]
fn repeating_on_the_spot_does_not_hang() {
    let mut simulation = simulation(
        "[[population]]\nat = [[1, 5]]\njourney = [\"west\", { wait = 0 }]\nrepeat = true\n[run]\nuntil = 1\n",
    );
    while !simulation.finished() {
        simulation.step();
    }
    assert_eq!(simulation.len(), 1);
}

/// A choice of 3 to 1: 120 people, within four deviations; nobody chooses what a closed door shuts off.
#[test]
fn weights_are_the_shares() {
    let west = |event: &str| {
        let people = "[[population]]\ncount = 120\narea = [[3, 0], [14, 0], [14, 10], [3, 10]]\nstay = true\n\
                      journey = [{ any = [\"west\", \"east\"], by = \"weights\", weights = [3, 1] }]\n";
        let mut simulation = simulation(&format!("{people}{event}"));
        simulation.step();
        let aims = &simulation.people().journeys.aim;
        aims.iter().filter(|aim| **aim == aims_at(&simulation, "west")).count()
    };
    let free = west("");
    assert!((free as f64 - 90.0).abs() <= 4.0 * (120.0f64 * 0.75 * 0.25).sqrt(), "{free} of 120");
    assert_eq!(west("[[event]]\nat = 0\nclose = \"gate\"\n"), 120);
}

/// The aim of those who go to a region.
fn aims_at(simulation: &Simulation, region: &str) -> passerby::Aim {
    use passerby::navigation::Goal;
    let index = simulation.scenario().place.regions.iter().position(|other| other.name == region).unwrap();
    let target = simulation.world().targets.iter().position(|goal| *goal == Goal::Region(index)).unwrap();
    passerby::Aim::Target(passerby::TargetId(target as u32))
}

#[test]
fn threads_do_not_matter() {
    let people = "[[population]]\ncount = 60\narea = [[3, 0], [14, 0], [14, 10], [3, 10]]\nrepeat = true\n\
                  journey = [{ any = [\"west\", \"east\"], by = \"weights\", weights = [3, 1] }, { wait = { uniform = [1, 3] } }, { wander = \"middle\", for = 5 }]\n";
    let digest = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = simulation(people);
            while simulation.time() < 30.0 {
                simulation.step();
            }
            simulation.digest()
        })
    };
    let one = digest(1);
    assert_eq!([digest(2), digest(8)], [one; 2]);
}
