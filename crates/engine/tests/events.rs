//! Events that add people, send them elsewhere and change their speed; signals; choices by time.

use passerby::geometry::DVec2;
use passerby::scenario::NoFiles;
use passerby::{Scenario, Simulation};

/// A hall of 30 m x 10 m with a region at each end.
const HALL: &str = r#"
[place]
floor = [[0, 0], [30, 0], [30, 10], [0, 10]]
regions = [
    { name = "west", polygon = [[0, 0], [2, 0], [2, 10], [0, 10]] },
    { name = "east", polygon = [[28, 0], [30, 0], [30, 10], [28, 10]] },
]
"#;

fn scenario(rest: &str) -> Scenario {
    Scenario::parse(&format!("{HALL}{rest}"), &NoFiles, "hall.toml").unwrap_or_else(|problems| panic!("{problems}"))
}

fn simulation(rest: &str) -> Simulation {
    Simulation::new(scenario(rest)).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Where somebody is, in the place's coordinates.
fn at(simulation: &Simulation, row: usize) -> DVec2 {
    simulation.positions()[row].as_dvec2() + simulation.offset()
}

fn run_to(simulation: &mut Simulation, seconds: f64) {
    while simulation.time() < seconds - 1e-9 {
        simulation.step();
    }
}

fn words(simulation: &Simulation) -> Vec<(f64, String)> {
    let scenario = simulation.scenario();
    let told = simulation.events().iter();
    told.map(|event| (f64::from(event.tick) * scenario.run.tick, event.words(scenario))).collect()
}

/// The digest after twenty seconds, on so many threads, rows reversed or not.
fn digest(rest: &str, threads: usize, reversed: bool) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut simulation = simulation(rest);
        if reversed {
            simulation.sort_rows(false);
            simulation.reverse_rows();
        }
        run_to(&mut simulation, 20.0);
        simulation.digest()
    })
}

#[track_caller]
fn same_on_all_threads(rest: &str) {
    let one = digest(rest, 1, false);
    assert_eq!(one, digest(rest, 8, false), "eight threads");
    assert_eq!(one, digest(rest, 2, true), "rows reversed");
}

#[test]
fn added_people_enter_where_there_is_room_with_every_start() {
    // 12 people come to so many places at once; where there are fewer the others wait until those before them have gone.
    for (start, at_once) in [
        ("region = \"west\"\ncount = 0", 12),
        ("at = [[3, 3], [3, 5], [3, 7]]\npremovement = 1", 3),
        ("circle = { center = [8, 5], radius = 3 }\ncount = 4\npremovement = 1", 4),
        ("grid = { origin = [3, 3], columns = 2, rows = 2, spacing = 2, jitter = 0.1 }\npremovement = 1", 4),
    ] {
        let text = format!(
            "[[population]]\nname = \"visitors\"\n{start}\njourney = [\"east\"]\n\
             [[event]]\nat = 30\nadd = \"visitors\"\ncount = 12\n"
        );
        let mut simulation = simulation(&text);
        let first = simulation.len() as u64;
        run_to(&mut simulation, 30.0);
        assert_eq!((simulation.len(), simulation.finished()), (0, false), "{start}");
        simulation.step();
        assert_eq!(simulation.len(), at_once, "{start}");
        while !simulation.finished() {
            simulation.step();
        }
        assert_eq!((simulation.summary().entered, simulation.summary().arrived), (first + 12, first + 12), "{start}");
        assert!(simulation.time() > 45.0 && simulation.time() < 120.0, "{start}: {} s", simulation.time());
        assert_eq!(words(&simulation), [(30.0, "add 12 \"visitors\"".to_owned())]);
    }
}

#[test]
fn people_come_to_points_at_a_rate_and_wait_while_they_are_taken() {
    let text = "[[population]]\nat = [[3, 3], [3, 7]]\nrate = 1\ntotal = 8\npremovement = 6\njourney = [\"east\"]\n";
    let mut simulation = simulation(text);
    assert_eq!(simulation.len(), 0);
    let mut entered = Vec::new();
    while !simulation.finished() {
        let before = simulation.summary().entered;
        simulation.step();
        for _ in before..simulation.summary().entered {
            entered.push((simulation.time() * 20.0 - 1.0).round() / 20.0);
        }
        for row in 0..simulation.len() {
            if simulation.people().journeys.entered_at[row] == simulation.tick() - 1 {
                let at = at(&simulation, row);
                assert!(at.x == 3.0 && (at.y == 3.0 || at.y == 7.0), "{at}");
            }
        }
    }
    // Two places, each taken for the six seconds of premovement and until whoever stood there is a body's width and a step away.
    assert_eq!((entered.len(), entered[0], entered[1]), (8, 1.0, 2.0));
    for pair in entered.windows(3) {
        assert!((6.0..=7.5).contains(&(pair[2] - pair[0])), "{entered:?}");
    }
    assert_eq!(simulation.summary().arrived, 8);
}

#[test]
fn an_event_sends_people_elsewhere_and_those_who_come_later_too() {
    let text = "[[population]]\nname = \"a\"\nat = [[10, 3]]\njourney = [\"east\"]\nspeed = 1\n\
                [[population]]\nname = \"b\"\nat = [[10, 7]]\nspeed = 1\n\
                [[population]]\nname = \"c\"\nat = [[15, 5]]\nrate = 0.1\ntotal = 2\njourney = [\"east\"]\nspeed = 1\n\
                [[event]]\nat = 5\njourney = [\"west\"]\n\
                [[event]]\nat = 6\nof = \"a\"\njourney = [[12, 3]]\nstay = true\n";
    let mut simulation = simulation(text);
    run_to(&mut simulation, 5.0);
    let row = |simulation: &Simulation, kind: u32| simulation.ids().iter().position(|id| id.population() == kind);
    let x = |simulation: &Simulation, kind: u32| at(simulation, row(simulation, kind).unwrap()).x;
    assert!((x(&simulation, 0) - 15.0).abs() < 0.3 && (x(&simulation, 1) - 10.0).abs() < 0.01);
    while !simulation.finished() && simulation.time() < 60.0 {
        simulation.step();
    }
    // The first was turned round twice and stays; the others, also those who came after the event, have left in the west.
    assert_eq!((simulation.len(), simulation.summary().arrived), (1, 4));
    assert!((x(&simulation, 0) - 12.0).abs() < 0.5, "{}", x(&simulation, 0));
    let told: Vec<String> = words(&simulation).into_iter().map(|(_, what)| what).collect();
    assert_eq!(told, ["journey of everybody: \"west\"", "journey of \"a\": [12, 3]"]);
}

#[test]
fn who_has_arrived_and_is_sent_on_counts_once() {
    let text = "[[population]]\nat = [[10, 3], [10, 5], [10, 7]]\njourney = [[15, 5]]\nstay = true\n\
                [[event]]\nat = 20\njourney = [\"west\"]\n";
    let mut simulation = simulation(text);
    run_to(&mut simulation, 20.0);
    assert_eq!((simulation.len(), simulation.summary().arrived), (3, 3));
    while !simulation.finished() {
        simulation.step();
    }
    assert_eq!((simulation.len(), simulation.summary().arrived), (0, 3));
    assert!(simulation.time() < 45.0, "{} s", simulation.time());
}

#[test]
fn speeds_change_by_a_factor_of_what_was_drawn() {
    let text = "[[population]]\nat = [[3, 5]]\njourney = [[29, 5]]\nspeed = 1\nstay = true\n\
                [[event]]\nat = 4\nspeed = 0.5\n[[event]]\nat = 8\nof = \"people\"\nspeed = 2\n[[event]]\nat = 10\nspeed = 1\n";
    let mut simulation = simulation(text);
    let mut before = 3.0;
    // 1 m/s for 4 s, 0.5 m/s for 4 s, 2 m/s for 2 s: factors of the speed drawn, not of the one before. To become faster by dv
    // takes dv / 4 m/s2, in which dv^2 / 8 m are lost; headway brakes at once.
    for (seconds, way) in [(4.0, 4.0 - 0.125), (8.0, 2.0), (10.0, 4.0 - 0.28), (14.0, 4.0)] {
        run_to(&mut simulation, seconds);
        let x = at(&simulation, 0).x;
        assert!((x - before - way).abs() < 0.1, "{seconds} s: {} m, expected {way} m", x - before);
        before = x;
    }
    let told: Vec<String> = words(&simulation).into_iter().map(|(_, what)| what).collect();
    assert_eq!(told, ["speed of everybody: 0.5", "speed of \"people\": 2", "speed of everybody: 1"]);
}

#[test]
fn a_journey_of_an_event_that_leads_nowhere_is_a_problem_of_that_event() {
    let text = "[[population]]\nat = [[3, 5]]\n[[event]]\nat = 4\njourney = [[50, 5]]\n";
    let problems = Simulation::new(scenario(text)).expect_err("off the floor").to_string();
    assert!(
        problems.contains("hall.toml:10: event.journey: stop 1") && problems.contains("outside the floor"),
        "{problems}"
    );
}

#[test]
fn signals_hold_people_until_they_show_it() {
    let text = "[[signal]]\nname = \"light\"\nphases = [{ show = \"red\", for = 12 }, { show = \"green\", for = 5 }]\n\
                [[population]]\nat = [[8, 3]]\nspeed = 1\n\
                journey = [[12, 3], { wait = { signal = \"light\", show = \"green\" } }, [20, 3]]\nstay = true\n\
                [[population]]\nat = [[1, 7]]\nspeed = 1\n\
                journey = [[12, 7], { wait = { signal = \"light\", show = \"green\" } }, [20, 7]]\nstay = true\n\
                [[population]]\nat = [[1, 5]]\nspeed = 0.5\n\
                journey = [[12, 5], { wait = { signal = \"light\", show = \"green\" } }, [20, 5]]\nstay = true\n";
    let mut simulation = simulation(text);
    let xs = |simulation: &Simulation| {
        let mut xs = [0.0; 3];
        for row in 0..simulation.len() {
            xs[simulation.ids()[row].population() as usize] = at(simulation, row).x;
        }
        xs
    };
    run_to(&mut simulation, 12.0);
    // The first stands a metre before its point, where it counts as passed; the second is nearly there; the third is on its way.
    let [first, second, third] = xs(&simulation);
    assert!(
        (11.0..=12.1).contains(&first) && (11.0..=12.1).contains(&second) && third < 7.1,
        "{first} {second} {third}"
    );
    run_to(&mut simulation, 16.5);
    let [first, second, third] = xs(&simulation);
    assert!(first > 14.5 && second > 14.5 && third < 9.5, "{first} {second} {third}");
    // Red again at 17 s: the third comes at 20 s and waits until 29 s.
    run_to(&mut simulation, 29.0);
    assert!(xs(&simulation)[2] < 12.1, "{:?}", xs(&simulation));
    run_to(&mut simulation, 34.0);
    assert!(xs(&simulation)[2] > 12.6, "{:?}", xs(&simulation));
    let told = words(&simulation);
    let expected = [(0.0, "red"), (12.0, "green"), (17.0, "red"), (29.0, "green")];
    assert_eq!(told, expected.map(|(time, show)| (time, format!("\"light\" shows \"{show}\""))));
}

/// Two doors out of a room: one near, 1 m wide, with a crowd before it; one far.
fn two_exits(by: &str, near_count: u32) -> String {
    format!(
        "[place]\nfloor = [[0, 0], [30, 0], [30, 10], [0, 10]]\n\
         obstacles = [[[2, 0], [2.2, 0], [2.2, 4.5], [2, 4.5]], [[2, 5.5], [2.2, 5.5], [2.2, 10], [2, 10]],\n\
         [[27.8, 0], [28, 0], [28, 4.5], [27.8, 4.5]], [[27.8, 5.5], [28, 5.5], [28, 10], [27.8, 10]]]\n\
         regions = [{{ name = \"west\", polygon = [[0, 0], [2.1, 0], [2.1, 10], [0, 10]] }},\n\
         {{ name = \"east\", polygon = [[27.9, 0], [30, 0], [30, 10], [27.9, 10]] }}]\n\
         [[population]]\ncount = {near_count}\narea = [[3, 1], [10, 1], [10, 9], [3, 9]]\n\
         journey = [{{ any = [\"west\", \"east\"], by = \"{by}\" }}]\n"
    )
}

fn run_two(by: &str, count: u32) -> (f64, usize) {
    let scenario = Scenario::parse(&two_exits(by, count), &NoFiles, "two.toml").unwrap_or_else(|p| panic!("{p}"));
    let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
    let mut east = std::collections::BTreeSet::new();
    while !simulation.finished() {
        simulation.step();
        for row in 0..simulation.len() {
            if at(&simulation, row).x > 20.0 {
                east.insert(simulation.ids()[row]);
            }
        }
    }
    assert_eq!(simulation.summary().arrived, u64::from(count));
    (simulation.time(), east.len())
}

/// A few take the near door. Of a crowd, by distance all do; by time those at the back take the far one, and all are out sooner.
#[test]
fn a_crowd_that_chooses_by_time_uses_the_far_door_too() {
    assert_eq!(run_two("time", 4).1, 0);
    let (by_distance, east) = run_two("distance", 100);
    assert_eq!(east, 0);
    let (by_time, east) = run_two("time", 100);
    assert!((10..70).contains(&east), "{east} of 100 took the far door");
    assert!(by_time < 0.9 * by_distance, "{by_time} s by time, {by_distance} s by distance");
}

#[test]
fn events_signals_and_choices_give_the_same_bytes_on_any_threads() {
    let text = "[[signal]]\nname = \"light\"\nphases = [{ show = \"red\", for = 5 }, { show = \"green\", for = 4 }]\nstart = 1\n\
                [[population]]\nname = \"a\"\ncount = 40\narea = [[5, 1], [14, 1], [14, 9], [5, 9]]\n\
                journey = [{ any = [\"west\", \"east\"], by = \"time\" }]\n\
                [[population]]\nname = \"b\"\ngrid = { origin = [16, 2], columns = 5, rows = 5, spacing = 1, jitter = 0.1 }\n\
                model = \"orca\"\njourney = [{ wait = { signal = \"light\", show = \"green\" } }, \"west\"]\n\
                [[event]]\nat = 3\nadd = \"a\"\ncount = 30\n[[event]]\nat = 4\nadd = \"b\"\ncount = 20\n\
                [[event]]\nat = 7\nspeed = 1.5\nof = \"a\"\n[[event]]\nat = 9\nof = \"b\"\njourney = [[15, 5], \"east\"]\n";
    same_on_all_threads(text);
}
