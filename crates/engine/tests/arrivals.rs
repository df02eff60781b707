//! People who come while the run goes on: as many as the rate says, in order, and only where there is room.

mod statistics;

use passerby::geometry::math::double::exp;
use passerby::scenario::NoFiles;
use passerby::{Scenario, Simulation};
use statistics::ks_p;
use std::collections::BTreeMap;

/// A hall of 30 m x 20 m with a way out at its far end.
const HALL: &str = r#"
[place]
floor = [[0, 0], [30, 0], [30, 20], [0, 20]]
regions = [
    { name = "in", polygon = [[0, 0], [6, 0], [6, 20], [0, 20]] },
    { name = "out", polygon = [[28, 0], [30, 0], [30, 20], [28, 20]] },
]
"#;

fn simulation(rest: &str) -> Simulation {
    let text = format!("{HALL}{rest}");
    let scenario = Scenario::parse(&text, &NoFiles, "hall.toml").unwrap_or_else(|problems| panic!("{problems}"));
    Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Seconds at which each entered, in the order of ids; checks that ids have no gaps.
fn times(simulation: &mut Simulation) -> Vec<f64> {
    let mut entered = BTreeMap::new();
    while !simulation.finished() {
        simulation.step();
        for (id, tick) in simulation.ids().iter().zip(&simulation.people().journeys.entered_at) {
            entered.insert(id.ordinal(), f64::from(*tick) * simulation.world().tick);
        }
    }
    assert!(entered.keys().copied().eq(0..entered.len() as u32));
    assert_eq!(simulation.summary().entered, entered.len() as u64);
    entered.into_values().collect()
}

/// In every tick exactly as many have entered as the rate has added up to.
#[track_caller]
fn check_counts(rate: &str, expected: impl Fn(f64) -> f64) {
    let people = format!("[[population]]\nregion = \"in\"\nrate = {rate}\nuntil = 40\njourney = [\"out\"]\n");
    let mut simulation = simulation(&people);
    assert_eq!((simulation.len(), simulation.finished()), (0, false));
    while !simulation.finished() {
        let time = simulation.time();
        simulation.step();
        let due = (expected(time.min(40.0)) + 1e-6).floor() as u64;
        assert_eq!(simulation.summary().entered, due, "at {time} s");
    }
    let summary = simulation.summary();
    assert_eq!((summary.entered, summary.arrived), (expected(40.0) as u64, expected(40.0) as u64));
    assert!(simulation.time() > 50.0 && simulation.time() < 150.0, "{} s", simulation.time());
}

#[test]
fn as_many_come_as_the_rate_says() {
    check_counts("1.5", |time| 1.5 * time);
    check_counts("{ schedule = [[0, 2], [10, 0], [20, 0.25]] }", |time| {
        2.0 * time.min(10.0) + 0.25 * (time - 20.0).max(0.0)
    });
}

#[test]
fn a_total_ends_it() {
    let mut simulation = simulation("[[population]]\nregion = \"in\"\nrate = 2\ntotal = 7\njourney = [\"out\"]\n");
    assert_eq!(times(&mut simulation), [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]);
    assert_eq!(simulation.summary().arrived, 7);
}

#[test]
fn poisson_gaps_are_exponential() {
    let people = "[[population]]\nregion = \"in\"\nrate = { poisson = 0.8 }\nuntil = 1000\njourney = [\"out\"]\n";
    let mut simulation = simulation(&format!("{people}[run]\nuntil = 2000\ntick = 0.01\nseed = 4\n"));
    let times = times(&mut simulation);
    let count = times.len() as f64;
    assert!((count - 800.0).abs() < 4.0 * 800f64.sqrt(), "{count} people, expected 800");
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let p = ks_p(&gaps, |gap| 1.0 - exp(-0.8 * gap));
    assert!(p > 0.05, "p = {p}");
}

/// A pen of 1 m x 1 m holds one at a time who stands: the others wait outside and come in order as it empties.
#[test]
fn who_finds_no_place_waits_outside() {
    let people = "[[population]]\narea = [[0, 0], [1, 0], [1, 1], [0, 1]]\nrate = 10\ntotal = 20\n\
                  journey = [\"out\"]\nspeed = 1\npremovement = 2\n";
    let mut simulation = simulation(people);
    let times = times(&mut simulation);
    assert_eq!(times.len(), 20);
    assert!(times.windows(2).all(|pair| pair[0] <= pair[1]), "{times:?}");
    assert!(times[19] > 15.0 && times[19] < 120.0, "{times:?}");
    let summary = simulation.summary();
    assert_eq!((summary.entered, summary.arrived), (20, 20));
    assert!(summary.smallest_gap.is_none_or(|gap| gap > -0.02), "{:?}", summary.smallest_gap);
}

/// They stand in the way for good: the run waits for those outside until its end.
#[test]
fn a_full_area_lets_nobody_in() {
    let people = "[[population]]\narea = [[0, 0], [1, 0], [1, 1], [0, 1]]\nrate = 10\ntotal = 20\n";
    let mut simulation = simulation(&format!("{people}[run]\nuntil = 20\n"));
    let entered = times(&mut simulation).len();
    assert!((1..=3).contains(&entered), "{entered}");
    assert_eq!(simulation.tick(), 400);
}

#[test]
fn what_cannot_work_is_said_before_the_run() {
    let refused = |rest: &str| {
        let scenario = Scenario::parse(&format!("{HALL}{rest}"), &NoFiles, "hall.toml").unwrap();
        Simulation::new(scenario).map(|_| ()).unwrap_err().to_string()
    };
    let off = "[[population]]\narea = [[40, 0], [41, 0], [41, 1]]\nrate = 1\ntotal = 5\njourney = [\"out\"]\n";
    assert!(refused(off).contains("finds a place in their area"), "{}", refused(off));
    let point = "[[population]]\nregion = \"in\"\nrate = 1\ntotal = 5\njourney = [[50, 50]]\n";
    assert!(refused(point).contains("cannot be reached by 5 of 5 people"), "{}", refused(point));
}

#[test]
fn threads_do_not_matter() {
    let people = "[[population]]\nregion = \"in\"\nrate = { poisson = 8 }\nuntil = 20\njourney = [\"out\"]\nradius = { uniform = [0.2, 0.3] }\n\
                  [[population]]\nregion = \"out\"\nrate = 3\ntotal = 50\njourney = [\"in\"]\nmodel = \"orca\"\n";
    let digest = |threads: usize, sorted: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = simulation(people);
            simulation.sort_rows(sorted);
            while simulation.time() < 30.0 {
                simulation.step();
            }
            assert!(simulation.summary().entered > 150);
            simulation.digest()
        })
    };
    let one = digest(1, true);
    assert_eq!([digest(2, true), digest(8, true), digest(2, false)], [one; 3]);
}
