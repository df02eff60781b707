//! Where people go: several stops, the nearest of several, doors that close on the way, people added and removed.

use passerby::geometry::DVec2;
use passerby::scenario::NoFiles;
use passerby::{AddError, Scenario, Simulation};

/// A hall of 20 x 10 m with a wall in the middle that has a door at each end, and exits to the east, north and south of it.
const HALL: &str = r#"
[place]
floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
obstacles = [[[9.9, 2], [10.1, 2], [10.1, 8], [9.9, 8]]]
doors = [{ name = "south", line = [[10, 0], [10, 2]] }, { name = "north", line = [[10, 8], [10, 10]] }]
regions = [
    { name = "east", polygon = [[19, 0], [20, 0], [20, 10], [19, 10]] },
    { name = "near", polygon = [[0, 9], [1, 9], [1, 10], [0, 10]] },
    { name = "far", polygon = [[6, 0], [7, 0], [7, 1], [6, 1]] },
]
"#;

fn simulation(rest: &str) -> Simulation {
    let text = format!("{HALL}{rest}");
    let scenario = Scenario::parse(&text, &NoFiles, "hall.toml").unwrap_or_else(|problems| panic!("{problems}"));
    Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Runs to the end; calls `look` after every tick.
fn run(simulation: &mut Simulation, mut look: impl FnMut(&Simulation)) {
    while !simulation.finished() {
        simulation.step();
        look(simulation);
    }
}

/// Where somebody is, in the place's coordinates.
fn at(simulation: &Simulation, row: usize) -> DVec2 {
    simulation.positions()[row].as_dvec2() + simulation.offset()
}

#[test]
fn stops_are_visited_one_after_another() {
    let mut simulation =
        simulation("[[population]]\nat = [[2, 2]]\njourney = [\"near\", [8, 5], \"east\"]\nspeed = 1.3\n");
    let (mut near, mut point) = (None, None);
    run(&mut simulation, |simulation| {
        if simulation.is_empty() {
            return;
        }
        let (here, tick) = (at(simulation, 0), simulation.tick());
        if here.x <= 1.0 && here.y >= 9.0 {
            near.get_or_insert(tick);
        }
        if here.distance(DVec2::new(8.0, 5.0)) <= 1.0 {
            point.get_or_insert(tick);
        }
    });
    assert!(near.unwrap() < point.unwrap());
    assert_eq!(simulation.summary().arrived, 1);
    // (2,2) to (1,9), to (8,5), round the wall's southern end to (19, ...): at least 7.07 + 8.06 + 11.5 m at 1.3 m/s.
    assert!(simulation.time() > 20.0 && simulation.time() < 30.0, "{} s", simulation.time());
}

#[test]
fn any_means_the_nearest_by_walking() {
    // "near" is 8.5 m away in a straight line, "far" only 4.2 m: each person goes to the one nearer to them.
    let people = "[[population]]\nat = [[1, 7], [6.5, 3]]\njourney = [{ any = [\"near\", \"far\"], by = \"distance\" }]\nstay = true\n";
    let mut simulation = simulation(&format!("{people}[run]\nuntil = 15\n"));
    run(&mut simulation, |_| {});
    for (row, id) in simulation.ids().iter().enumerate() {
        let expected = if id.ordinal() == 0 { DVec2::new(0.5, 9.5) } else { DVec2::new(6.5, 0.5) };
        assert!(at(&simulation, row).distance(expected) < 0.9, "{id} is at {}", at(&simulation, row));
    }
    assert_eq!(simulation.summary().arrived, 2);
}

/// The way leads through the southern door; it closes while people are on their way, and they take the northern one.
#[test]
fn a_door_that_closes_sends_people_another_way() {
    let people = "[[population]]\ncount = 10\narea = [[5, 1], [8, 1], [8, 4], [5, 4]]\njourney = [\"east\"]\n";
    let through = |event: &str| {
        let mut simulation = simulation(&format!("{people}{event}"));
        let mut north = 0;
        let mut last = std::collections::BTreeMap::new();
        run(&mut simulation, |simulation| {
            for (row, id) in simulation.ids().iter().enumerate() {
                let here = at(simulation, row);
                let before: Option<DVec2> = last.insert(*id, here);
                north += i32::from(before.is_some_and(|before| before.x < 10.0 && here.x >= 10.0 && here.y > 5.0));
            }
        });
        assert_eq!(simulation.summary().arrived, 10);
        north
    };
    assert_eq!(through(""), 0);
    assert_eq!(through("[[event]]\nat = 0\nclose = \"south\"\n"), 10);
    let some = through("[[event]]\nat = 3\nclose = \"south\"\n");
    assert!((1..10).contains(&some), "{some} of 10 went north");
}

#[test]
fn who_is_locked_in_waits_and_goes_when_the_door_opens() {
    let events = "[[event]]\nat = 0\nclose = \"south\"\n[[event]]\nat = 0\nclose = \"north\"\n[[event]]\nat = 20\nopen = \"north\"\n";
    let mut simulation = simulation(&format!("[[population]]\nat = [[4, 5]]\njourney = [\"east\"]\n{events}"));
    while simulation.time() < 19.0 {
        simulation.step();
    }
    assert_eq!(simulation.summary().unable, 1);
    assert!(at(&simulation, 0).distance(DVec2::new(4.0, 5.0)) < 0.01, "no way, no step");
    run(&mut simulation, |_| {});
    assert_eq!((simulation.summary().arrived, simulation.summary().unable), (1, 0));
    assert_eq!(simulation.events().len(), 3);
}

#[test]
fn people_are_added_and_removed_while_it_runs() {
    let people = "[[population]]\nname = \"visitors\"\nat = [[2, 2], [2, 4]]\njourney = [\"east\"]\n";
    let mut simulation = simulation(people);
    for _ in 0..20 {
        simulation.step();
    }
    let first = simulation.ids()[0];
    let id = simulation.add("visitors", DVec2::new(3.0, 8.0)).unwrap();
    assert_eq!((id.population(), id.ordinal(), simulation.len()), (0, 2, 3));
    assert!(simulation.remove(first) && !simulation.remove(first));
    run(&mut simulation, |_| {});
    let summary = simulation.summary();
    assert_eq!((summary.entered, summary.arrived), (3, 2));
    assert!(matches!(simulation.add("guests", DVec2::ZERO), Err(AddError::NoPopulation { .. })));
    assert!(matches!(simulation.add("visitors", DVec2::new(10.0, 5.0)), Err(AddError::NoRoom { .. })));
    assert!(matches!(simulation.add("visitors", DVec2::new(f64::NAN, 5.0)), Err(AddError::NoRoom { .. })));
    simulation.add("visitors", DVec2::new(3.0, 8.0)).unwrap();
    let twice = simulation.add("visitors", DVec2::new(3.2, 8.0));
    assert!(matches!(twice, Err(AddError::NoRoom { .. })), "{twice:?}");
}

/// Forty people cannot tread on one spot: who gets no nearer because others stand there has arrived.
#[test]
fn a_crowd_gathers_round_a_point() {
    for model in ["headway", "orca", "helbing-1995", "helbing-2000"] {
        let people = format!(
            "[[population]]\ncount = 30\narea = [[0, 2], [7, 2], [7, 9], [0, 9]]\njourney = [[6, 5]]\nstay = true\nmodel = \"{model}\"\n"
        );
        let mut simulation = simulation(&format!("{people}[run]\nuntil = 60\n"));
        run(&mut simulation, |_| {});
        let summary = simulation.summary();
        assert_eq!(summary.arrived, 30, "{model}");
        let farthest = (0..30).map(|row| at(&simulation, row).distance(DVec2::new(6.0, 5.0))).fold(0.0, f64::max);
        // As far as a loose crowd of thirty reaches: 0.45 + 0.4 sqrt(30/0.15) m. The force of 1995 goes on spreading them.
        let bound = if model == "helbing-1995" { 7.0 } else { 6.2 };
        assert!(farthest < bound, "{model}: somebody stands {farthest} m away");
    }
}

/// Only 0.1 m of the region is floor, and nobody is that slim.
#[test]
fn a_goal_without_room_is_refused() {
    let text = format!(
        "{}[[population]]\nat = [[2, 2]]\njourney = [\"slit\"]\n",
        HALL.replace(
            "regions = [",
            "regions = [{ name = \"slit\", polygon = [[9.8, 3], [10, 3], [10, 7], [9.8, 7]] },"
        )
    );
    let problems = Simulation::new(Scenario::parse(&text, &NoFiles, "hall.toml").unwrap()).unwrap_err().to_string();
    assert!(problems.contains("\"slit\", cannot be reached by 1 of 1"), "{problems}");
}

/// An area may be drawn far beyond the floor.
#[test]
fn an_area_beyond_the_floor_costs_no_time() {
    let people = "[[population]]\ncount = 40\narea = [[0, 0], [1000000, 0], [1000000, 10], [0, 10]]\n";
    assert_eq!(simulation(people).len(), 40);
}

/// `separate = false` leaves the models' own result alone: two who see nobody walk through each other.
#[test]
fn bodies_are_only_separated_if_wanted() {
    let people = "[[population]]\nmodel = \"straight\"\nat = [[2, 5]]\njourney = [[8, 5]]\nspeed = 1\n\
                  [[population]]\nmodel = \"straight\"\nat = [[8, 5]]\njourney = [[2, 5]]\nspeed = 1\n";
    let mut simulation = simulation(&format!("{people}[run]\nseparate = false\nuntil = 30\n"));
    run(&mut simulation, |_| {});
    let summary = simulation.summary();
    assert_eq!((summary.arrived, summary.contacts), (2, 1));
    assert!(summary.overlap_before_ground > 0.45, "{}", summary.overlap_before_ground);
}
