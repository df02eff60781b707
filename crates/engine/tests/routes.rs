//! A place that changes, groups in the way, queues, slow ground: who walks there finds another way, or is said to have none.

use passerby::geometry::DVec2;
use passerby::scenario::NoFiles;
use passerby::steering::Model;
use passerby::{Scenario, Simulation};

fn simulation(text: &str) -> Simulation {
    let scenario = Scenario::parse(text, &NoFiles, "place.toml").unwrap_or_else(|problems| panic!("{problems}"));
    Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"))
}

fn run_to(simulation: &mut Simulation, seconds: f64) {
    while simulation.time() < seconds - 1e-9 && !simulation.finished() {
        simulation.step();
    }
}

/// Two rooms of 10 m x 10 m; the wall between them has a door in the middle and one in the north.
fn two_rooms(rest: &str) -> String {
    format!(
        r#"
[place]
floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
obstacles = [[[9.9, 0], [10.1, 0], [10.1, 4], [9.9, 4]], [[9.9, 5.2], [10.1, 5.2], [10.1, 8], [9.9, 8]], [[9.9, 9.2], [10.1, 9.2], [10.1, 10], [9.9, 10]]]
doors = [{{ name = "middle", line = [[10, 4], [10, 5.2]] }}, {{ name = "north", line = [[10, 8], [10, 9.2]] }}]
regions = [{{ name = "exit", polygon = [[18, 0], [20, 0], [20, 10], [18, 10]] }}]
[[population]]
count = 40
area = [[1, 1], [8, 1], [8, 9], [1, 9]]
journey = ["exit"]
{rest}
"#
    )
}

/// All models but some, which are named with the reason.
fn models_but(cannot: &[(&str, &str)]) -> impl Iterator<Item = &'static str> {
    assert!(cannot.iter().all(|(name, _)| Model::names().contains(name)));
    let cannot: Vec<String> = cannot.iter().map(|(name, _)| name.to_string()).collect();
    Model::names().iter().copied().filter(move |name| !cannot.iter().any(|other| other == name))
}

#[test]
fn a_door_closes_in_front_of_a_crowd_and_everybody_takes_the_other() {
    let cannot = [
        ("straight", "sees nobody: arches of people stand before a door of 1.2 m"),
        ("helbing-1995", "jambs push back harder than slow walkers drive: two of forty stay before a door of 1.2 m"),
    ];
    for model in models_but(&cannot) {
        let rest = format!("model = \"{model}\"\n[[event]]\nat = 4\nclose = \"middle\"\n[run]\nuntil = 200");
        let mut simulation = simulation(&two_rooms(&rest));
        run_to(&mut simulation, 4.0);
        assert!(simulation.summary().arrived < 5, "the door has to close before most are through");
        run_to(&mut simulation, 200.0);
        println!("{model}: the last arrives after {:.1} s", simulation.time());
        assert_eq!((simulation.summary().arrived, simulation.summary().unable), (40, 0), "{model}");
    }
}

#[test]
fn when_no_way_is_left_it_is_said_why_and_the_run_goes_on() {
    let rest = "[[event]]\nat = 2\nclose = \"middle\"\n[[event]]\nat = 2\nclose = \"north\"\n\
                [[event]]\nat = 30\nopen = \"north\"\n[run]\nuntil = 150";
    let mut simulation = simulation(&two_rooms(rest));
    run_to(&mut simulation, 29.0);
    let unable = simulation.summary().unable;
    assert!(unable >= 35, "{unable} people are left before closed doors");
    let why = simulation.why_unable();
    assert_eq!(why.len(), 1);
    assert_eq!(
        why[0],
        format!("{unable} people have no way to \"exit\": the doors \"middle\" and \"north\" are closed")
    );
    run_to(&mut simulation, 150.0);
    assert_eq!((simulation.summary().arrived, simulation.summary().unable), (40, 0));
    assert!(simulation.why_unable().is_empty());
}

#[test]
fn an_obstacle_appears_when_nobody_is_there_and_goes_again() {
    // A crate in the middle door before anybody is there, one in the northern one up to 40 s, and one among the people who start.
    let rest = r#"
[[event]]
at = 0
put = { name = "third", polygon = [[2, 2], [5, 2], [5, 5], [2, 5]] }
[[event]]
at = 0.5
put = { name = "first", polygon = [[9.5, 3.8], [10.5, 3.8], [10.5, 5.4], [9.5, 5.4]] }
[[event]]
at = 0.5
put = { name = "second", polygon = [[9.5, 7.8], [10.5, 7.8], [10.5, 9.4], [9.5, 9.4]] }
[[event]]
at = 40
take = "second"
[run]
until = 150
"#;
    let mut run = simulation(&two_rooms(rest));
    let inside = |run: &Simulation| {
        let within = |at: DVec2| (9.5..10.5).contains(&at.x) && (3.8..5.4).contains(&at.y);
        run.positions().iter().filter(|at| within(at.as_dvec2() + run.offset())).count()
    };
    let is_free = |run: &Simulation, at: DVec2| run.world().map.contains((at - run.offset()).as_vec2());
    let free = |run: &Simulation| is_free(run, DVec2::new(10.0, 4.6));
    run_to(&mut run, 1.0);
    assert!(is_free(&run, DVec2::new(3.0, 3.0)), "the third crate waits until nobody is where it will stand");
    run_to(&mut run, 20.0);
    assert!(!free(&run) && inside(&run) == 0, "the first crate stands where nobody is");
    let (arrived, unable) = (run.summary().arrived, run.summary().unable);
    assert!(unable == 40 && arrived == 0, "{arrived} arrived, {unable} have no way");
    // A resumed run knows what stands.
    let bytes = run.checkpoint();
    let mut resumed = Simulation::resume(run.scenario().clone(), &bytes).unwrap_or_else(|error| panic!("{error}"));
    assert!(!free(&resumed));
    run_to(&mut run, 150.0);
    run_to(&mut resumed, 150.0);
    assert_eq!((run.summary().arrived, run.digest()), (40, resumed.digest()));
}

/// A corridor of 6 m with people who stand in a row across it, 0.6 m apart, from `first` to `last`.
fn corridor(first: f64, last: f64, model: &str, floor: &str) -> String {
    let count = ((last - first) / 0.6).round() as u32 + 1;
    let points: Vec<String> = (0..count).map(|i| format!("[15, {:.2}]", first + 0.6 * f64::from(i))).collect();
    format!(
        r#"
[place]
{floor}
[[population]]
at = [{}]
radius = 0.25
[[population]]
name = "walkers"
count = 6
area = [[1, 1.5], [5, 1.5], [5, 4.5], [1, 4.5]]
model = "{model}"
radius = 0.25
speed = 1.3
journey = ["exit"]
[run]
until = 90
"#,
        points.join(", ")
    )
}

const CORRIDOR: &str = r#"floor = [[0, 0], [30, 0], [30, 6], [0, 6]]
regions = [{ name = "exit", polygon = [[28, 0], [30, 0], [30, 6], [28, 6]] }]"#;

#[test]
fn people_blocked_by_a_standing_group_walk_round_it() {
    let cannot = [
        ("straight", "sees nobody, and pushes through"),
        ("reynolds", "is held between separation from those who stand and seek, and drifts before them"),
    ];
    for model in models_but(&cannot) {
        // The group leaves 1.15 m at the northern wall, where nobody's way leads.
        let mut simulation = simulation(&corridor(0.3, 4.5, model, CORRIDOR));
        run_to(&mut simulation, 90.0);
        assert_eq!(simulation.summary().arrived, 6, "{model}");
    }
}

/// Another corridor leads round by the north.
const RING: &str = r#"floor = [[0, 0], [30, 0], [30, 12], [0, 12]]
obstacles = [[[8, 6], [22, 6], [22, 9], [8, 9]]]
regions = [{ name = "exit", polygon = [[28, 0], [30, 0], [30, 3], [28, 3]] }]"#;

#[test]
fn where_a_group_stands_from_wall_to_wall_another_way_is_taken() {
    let mut simulation = simulation(&corridor(0.3, 5.7, "headway", RING));
    let mut northern = 0.0_f64;
    while simulation.time() < 90.0 && !simulation.finished() {
        simulation.step();
        let offset = simulation.offset();
        let north = simulation.positions().iter().map(|at| (at.as_dvec2() + offset).y);
        northern = northern.max(north.fold(0.0, f64::max));
    }
    assert_eq!(simulation.summary().arrived, 6);
    assert!(northern > 9.0, "nobody went round by the north");
}

#[test]
fn slow_ground_takes_its_time() {
    let text = r#"
[place]
floor = [[0, 0], [30, 0], [30, 4], [0, 4]]
regions = [
    { name = "mud", polygon = [[8, 0], [18, 0], [18, 4], [8, 4]], speed = 0.5 },
    { name = "exit", polygon = [[28, 0], [30, 0], [30, 4], [28, 4]] },
]
[[population]]
at = [[2, 2]]
speed = 1.25
model = "straight"
journey = ["exit"]
[run]
until = 60
tick = 0.02
"#;
    let mut simulation = simulation(text);
    run_to(&mut simulation, 60.0);
    // 16 m at 1.25 m/s and 10 m at half of that.
    let expected = 16.0 / 1.25 + 10.0 / 0.625;
    let time = simulation.time();
    assert!((time - expected).abs() < 0.15, "{time} s, expected {expected}");
}

/// A hall of 12 m x 30 m with a door at y = 4 and one of the same width at y = 24, the crowd in the south, and the exit behind
/// the wall.
fn hall(routes: &str) -> String {
    format!(
        r#"
[place]
floor = [[0, 0], [16, 0], [16, 30], [0, 30]]
obstacles = [[[11.9, 0], [12.1, 0], [12.1, 4], [11.9, 4]], [[11.9, 5.2], [12.1, 5.2], [12.1, 24], [11.9, 24]], [[11.9, 25.2], [12.1, 25.2], [12.1, 30], [11.9, 30]]]
regions = [{{ name = "exit", polygon = [[14, 0], [16, 0], [16, 30], [14, 30]] }}]
[[population]]
count = 120
area = [[1, 1], [11, 1], [11, 12], [1, 12]]
routes = "{routes}"
journey = ["exit"]
[run]
until = 400
"#
    )
}

#[test]
fn the_quickest_way_is_not_the_shortest_one_when_that_is_crowded() {
    let time = |routes: &str| {
        let mut simulation = simulation(&hall(routes));
        let mut by_north = std::collections::BTreeSet::new();
        while !simulation.finished() {
            simulation.step();
            let offset = simulation.offset();
            for (id, at) in simulation.ids().iter().zip(simulation.positions()) {
                let at: DVec2 = at.as_dvec2() + offset;
                if (at.x - 12.0).abs() < 0.3 && at.y > 20.0 {
                    by_north.insert(*id);
                }
            }
        }
        assert_eq!(simulation.summary().arrived, 120, "{routes}");
        (simulation.time(), by_north.len())
    };
    let (shortest, none) = time("shortest");
    let (quickest, some) = time("quickest");
    assert!(none == 0 && some >= 30, "{some} of 120 by the northern door, {none} by distance");
    assert!(quickest < 0.8 * shortest, "{quickest} s against {shortest} s");
}

/// A block of 12 m x 8 m between two corridors. The lower one is straight ahead: 20 m, 8 of them on ground where people have a fifth
/// of their speed, which is worth 12 + 8 / 0.2 = 52 m. Round by the upper one they walk 32 m.
fn slow_corridor(people: &str, routes: &str) -> String {
    format!(
        r#"
[place]
floor = [[0, 0], [24, 0], [24, 12], [0, 12]]
obstacles = [[[6, 2], [18, 2], [18, 10], [6, 10]]]
regions = [
    {{ name = "exit", polygon = [[22, 0], [24, 0], [24, 2], [22, 2]] }},
    {{ name = "mud", polygon = [[8, 0], [16, 0], [16, 2], [8, 2]], speed = 0.2 }},
]
[[population]]
routes = "{routes}"
{people}
[run]
until = 120
"#
    )
}

#[test]
fn the_quickest_way_leads_round_slow_ground() {
    // By trees of exact ways to a goal that is shared, and over portals to one of one's own.
    for people in [
        "at = [[2, 1], [1, 1.5]]\njourney = [\"exit\"]",
        "count = 2\ncircle = { center = [12, 1], radius = 10 }\njourney = [\"opposite\"]",
    ] {
        let walk = |routes: &str| {
            let mut simulation = simulation(&slow_corridor(people, routes));
            let mut above = 0;
            while !simulation.finished() {
                simulation.step();
                let high = |at: &passerby::geometry::Vec2| f64::from(at.y) + simulation.offset().y > 9.5;
                above = above.max(simulation.positions().iter().filter(|at| high(at)).count());
            }
            assert_eq!(simulation.summary().arrived, 2, "{people}, {routes}");
            (simulation.time(), above)
        };
        let ((through, none), (round, both)) = (walk("shortest"), walk("quickest"));
        assert_eq!((none, both), (0, 2), "{people}: how many took the upper corridor");
        assert!(round < 0.8 * through, "{people}: round in {round} s, straight through in {through} s");
    }
}

/// Blocks of a city in which everybody wanders: ways of one's own, over portals.
fn city() -> String {
    let mut blocks = Vec::new();
    for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))) {
        let (x, y) = (4.0 + 9.0 * f64::from(i), 4.0 + 9.0 * f64::from(j));
        blocks.push(format!("[[{x}, {y}], [{}, {y}], [{}, {}], [{x}, {}]]", x + 6.0, x + 6.0, y + 6.0, y + 6.0));
    }
    format!(
        r#"
[place]
floor = [[0, 0], [58, 0], [58, 58], [0, 58]]
obstacles = [{}]
regions = [{{ name = "city", polygon = [[0, 0], [58, 0], [58, 58], [0, 58]] }}]
[[population]]
count = 60
region = "city"
journey = [{{ wander = "city" }}]
[run]
until = 60
"#,
        blocks.join(", ")
    )
}

#[test]
fn ways_of_ones_own_over_portals_are_the_same_on_any_threads_and_after_a_resume() {
    let digest = |threads: usize, reversed: bool, resume: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut run = simulation(&city());
            if reversed {
                run.sort_rows(false);
                run.reverse_rows();
            }
            run_to(&mut run, 13.0);
            if resume {
                let bytes = run.checkpoint();
                run = Simulation::resume(run.scenario().clone(), &bytes).unwrap_or_else(|error| panic!("{error}"));
            }
            run_to(&mut run, 30.0);
            run.digest()
        })
    };
    let one = digest(1, false, false);
    assert_eq!(one, digest(8, false, false), "eight threads");
    assert_eq!(one, digest(2, true, false), "rows reversed");
    assert_eq!(one, digest(2, false, true), "resumed");
}

#[test]
fn who_wanders_in_a_city_gets_on() {
    let mut run = simulation(&city());
    run_to(&mut run, 60.0);
    let summary = run.summary();
    assert!(summary.mean_speed > Some(1.0), "{:?} m/s", summary.mean_speed);
    assert_eq!(summary.unable, 0);
}

/// Two people stand in the nearer of two doors: somebody alone takes the other one. Not with `helbing-1995`, which pushes those who
/// stand to and fro in their door.
#[test]
fn a_door_that_people_stand_in_is_left_for_another() {
    for model in Model::all().filter(|model| !["straight", "helbing-1995"].contains(&model.name())) {
        let text = format!(
            "[place]\nfloor = [[0, 0], [30, 0], [30, 10], [0, 10]]\n\
             obstacles = [[[15, 0], [15.2, 0], [15.2, 2], [15, 2]], [[15, 3.2], [15.2, 3.2], [15.2, 7], [15, 7]], \
             [[15, 8.2], [15.2, 8.2], [15.2, 10], [15, 10]]]\n\
             regions = [{{ name = \"exit\", polygon = [[28, 0], [30, 0], [30, 10], [28, 10]] }}]\n\
             [[population]]\nat = [[15.1, 2.3], [15.1, 2.85]]\n\
             [[population]]\nmodel = \"{}\"\nat = [[5, 2.6]]\njourney = [\"exit\"]\nspeed = 1.3\n[run]\nuntil = 90\n",
            model.name()
        );
        let scenario = Scenario::parse(&text, &NoFiles, "doors.toml").unwrap_or_else(|problems| panic!("{problems}"));
        let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
        simulation.run();
        assert_eq!(simulation.arrived(), 1, "{}", model.name());
    }
}
