//! Runs that are changed while they go on, and run again from the text that comes out.

use passerby::scenario::NoFiles;
use passerby::{Scenario, Simulation};

const ROOM: &str = r#"
[place]
floor = [[0, 0], [24, 0], [24, 12], [0, 12]]
obstacles = [[[11.8, 0], [12.2, 0], [12.2, 5], [11.8, 5]], [[11.8, 7], [12.2, 7], [12.2, 12], [11.8, 12]]]
doors = [{ name = "front", line = [[12, 5], [12, 7]] }]
regions = [{ name = "exit", polygon = [[22, 0], [24, 0], [24, 12], [22, 12]] }, { name = "corner", polygon = [[0, 0], [2, 0], [2, 2], [0, 2]] }]
[[population]]
name = "here"
count = 25
area = [[1, 1], [10, 1], [10, 11], [1, 11]]
journey = ["exit"]
[[population]]
name = "later"
rate = 0.7
until = 15
area = [[1, 1], [10, 1], [10, 11], [1, 11]]
group = { size = [1, 2], weights = [0.5, 0.5] }
journey = [{ any = ["exit", "corner"], by = "weights", weights = [0.8, 0.2] }]
[[event]]
at = 12
speed = 1.2
of = "here"
[[event]]
at = 14
journey = ["corner"]
of = "later"
[run]
until = 30
seed = 3
"#;

fn parse(text: &str) -> Scenario {
    Scenario::parse(text, &NoFiles, "room.toml").unwrap_or_else(|problems| panic!("{problems:?}\n{text}"))
}

/// Runs a text, adds lines to it at their ticks, and runs what has come of it from the beginning: the digests of both at the end, and
/// of the unchanged run.
fn changed_and_again(text: &str, changes: &[(u32, &str)]) -> [u64; 3] {
    let mut simulation = Simulation::new(parse(text)).expect("it runs");
    let mut text = text.to_owned();
    let unchanged = {
        let mut other = Simulation::new(parse(&text)).expect("it runs");
        other.run();
        other.digest()
    };
    let mut left = changes.iter().peekable();
    while !simulation.finished() {
        while let Some((tick, more)) = left.next_if(|(tick, _)| *tick == simulation.tick()) {
            text = format!("{text}\n{}", more.replace("NOW", &(f64::from(*tick) * 0.05).to_string()));
            simulation.amend(parse(&text)).unwrap_or_else(|problems| panic!("{problems:?}"));
        }
        simulation.step();
    }
    assert!(left.next().is_none(), "the run was over before all was changed");
    let mut again = Simulation::new(parse(&text)).expect("it runs again");
    again.run();
    assert_eq!(simulation.tick(), again.tick());
    [simulation.digest(), again.digest(), unchanged]
}

fn check(text: &str, changes: &[(u32, &str)]) {
    let [changed, again, unchanged] = changed_and_again(text, changes);
    assert_eq!(changed, again, "run again it is another run: {changes:?}");
    assert_ne!(changed, unchanged, "nothing has changed: {changes:?}");
}

const CLOSE: &str = "[[event]]\nat = NOW\nclose = \"front\"";
const OPEN: &str = "[[event]]\nat = NOW\nopen = \"front\"";
const PUT: &str = "[[event]]\nat = NOW\nput = { name = \"block 1\", polygon = [[14, 4], [16, 4], [16, 8], [14, 8]] }";
const PUT_ELSEWHERE: &str =
    "[[event]]\nat = NOW\nput = { name = \"block 2\", polygon = [[4, 4], [5, 4], [5, 5], [4, 5]] }";
const TAKE: &str = "[[event]]\nat = NOW\ntake = \"block 1\"";
const DROP: &str = "[[event]]\nat = NOW\ndrop = \"here\"\npoints = [[5, 5], [5, 5], [18, 3]]";
const GOAL: &str = "[[event]]\nat = NOW\njourney = [[3, 10]]\nof = \"here\"";
const RESUME: &str = "[[event]]\nat = NOW\nresume = \"here\"";
const PAINT: &str = "[[situation]]\nname = \"follow 1\"\nstroke = { line = [[2, 6], [6, 10], [10, 6]], width = 4 }\nactive = false\nbehaviours = [{ follow = [[2, 6], [6, 10], [10, 6]] }]\n[[event]]\nat = NOW\nbegin = \"follow 1\"";
const END: &str = "[[event]]\nat = NOW\nend = \"follow 1\"";

#[test]
fn every_edit_can_be_run_again_to_the_digest() {
    check(ROOM, &[(50, CLOSE)]);
    check(ROOM, &[(50, CLOSE), (51, OPEN)]);
    check(ROOM, &[(40, PUT), (160, TAKE)]);
    check(ROOM, &[(77, DROP)]);
    check(ROOM, &[(60, GOAL), (150, RESUME)]);
    check(ROOM, &[(60, "[[event]]\nat = NOW\njourney = [[3, 10]]\npeople = [4, 0, 2]")]);
    check(
        ROOM,
        &[
            (60, "[[event]]\nat = NOW\njourney = [[3, 10]]\npeople = [1]"),
            (90, "[[event]]\nat = NOW\nresume = [1]"),
            (120, GOAL),
        ],
    );
    check(ROOM, &[(0, PAINT)]);
    check(ROOM, &[(66, PAINT), (200, END)]);
    check(ROOM, &[(30, "[[event]]\nat = NOW\nremove = [0, 3, 4294967295]")]);
    // What comes again under its name; and several things in one tick, each of which has happened before the next is added.
    check(ROOM, &[(40, PUT), (100, TAKE), (160, PUT)]);
    check(
        ROOM,
        &[(40, PUT), (40, TAKE), (40, PUT), (41, CLOSE), (41, DROP), (90, PUT_ELSEWHERE), (90, TAKE), (91, OPEN)],
    );
    let named = DROP.replace("drop =", "name = \"some\"\ndrop =");
    check(ROOM, &[(50, &named), (50, &named), (120, "[[event]]\nat = NOW\nremove = \"some\""), (150, &named)]);
    check(
        ROOM,
        &[
            (33, PAINT),
            (33, CLOSE),
            (34, DROP),
            (90, PUT),
            (120, OPEN),
            (140, GOAL),
            (170, TAKE),
            (200, END),
            (250, RESUME),
        ],
    );
}

/// What is there already, situations and bodies among it, goes on.
#[test]
fn runs_with_situations_and_bodies_can_be_changed_as_well() {
    let waits = "[[situation]]\nname = \"window\"\nregion = [[4, 4], [8, 4], [8, 8], [4, 8]]\ncapacity = 3\nbehaviours = [{ wait = { uniform = [1, 3] } }]\n";
    let text = ROOM.replace("[[event]]\nat = 12", &format!("{waits}[[event]]\nat = 12"));
    check(
        &text,
        &[
            (66, PAINT),
            (90, "[[event]]\nat = NOW\nmove = \"follow 1\"\nby = [1, 0.5]"),
            (120, CLOSE),
            (160, OPEN),
            (200, END),
        ],
    );
    check(
        &text,
        &[
            (80, "[[event]]\nat = NOW\nchange = \"window\"\nregion = [[5, 5], [7, 5], [7, 7]]"),
            (100, "[[event]]\nat = NOW\nend = \"window\""),
        ],
    );
    let bodies = ROOM.replace("journey = [\"exit\"]", "body = \"mediated\"\njourney = [\"exit\"]");
    check(&bodies, &[(66, PAINT), (100, DROP), (140, GOAL)]);
}

/// A hundred people, three models, edits at ticks that nobody chose.
#[test]
fn edits_at_any_tick_can_be_run_again() {
    for (round, model) in ["orca", "tangent", "helbing-1995"].iter().enumerate() {
        let text =
            ROOM.replace("count = 25", &format!("count = 25\nmodel = \"{model}\"")).replace("until = 30", "until = 16");
        let at = |i: u32| 13 + 29 * i + 7 * round as u32;
        check(
            &text,
            &[(at(0), PUT), (at(1), DROP), (at(2), PAINT), (at(3), CLOSE), (at(4), TAKE), (at(5), OPEN), (at(6), END)],
        );
    }
}

#[test]
fn what_would_change_the_past_is_refused() {
    let mut simulation = Simulation::new(parse(ROOM)).expect("it runs");
    (0..40).for_each(|_| simulation.step());
    let refused = |simulation: &mut Simulation, text: &str, why: &str| {
        let problems = simulation.amend(parse(text)).expect_err(why);
        let told: String = problems.0.iter().map(ToString::to_string).collect();
        assert!(told.contains(why), "{told}");
    };
    let more = |more: &str| format!("{ROOM}\n{more}");
    refused(&mut simulation, &more("[[event]]\nat = 1.9\nclose = \"front\""), "nothing can happen before");
    refused(&mut simulation, &ROOM.replace("speed = 1.2", "speed = 1.3"), "is missing");
    refused(&mut simulation, &ROOM.replace("count = 25", "count = 26"), "stay as they are");
    refused(&mut simulation, &ROOM.replace("seed = 3", "seed = 4"), "stay as they are");
    let early = PAINT.replace("active = false\n", "").replace("NOW", "2");
    refused(&mut simulation, &more(&early), "holds from the start");
    // And it goes on as if nobody had tried.
    let mut other = Simulation::new(parse(ROOM)).expect("it runs");
    simulation.run();
    other.run();
    assert_eq!(simulation.digest(), other.digest());
}

/// What is added is there at once, and not only with the next step; the digest is that of a run that had it from the start.
#[test]
fn what_is_added_has_happened() {
    let mut simulation = Simulation::new(parse(ROOM)).expect("it runs");
    (0..40).for_each(|_| simulation.step());
    let before = simulation.len();
    let mut text = ROOM.to_owned();
    let mut add = |simulation: &mut Simulation, more: &str| {
        text = format!("{text}\n{}\n", more.replace("NOW", &simulation.time().to_string()));
        simulation.amend(parse(&text)).unwrap_or_else(|problems| panic!("{problems}"));
    };
    add(&mut simulation, &DROP.replace("drop =", "name = \"some\"\ndrop ="));
    assert_eq!(simulation.len(), before + 3);
    add(&mut simulation, &DROP.replace("drop =", "name = \"others\"\ndrop ="));
    assert_eq!(simulation.len(), before + 6);
    add(&mut simulation, "[[event]]\nat = NOW\nremove = \"some\"");
    assert_eq!(simulation.len(), before + 3);
    add(&mut simulation, CLOSE);
    assert_eq!(simulation.world().map.closed_doors(), [true]);
    simulation.run();
    let mut again = Simulation::new(parse(&text)).expect("it runs again");
    again.run();
    assert_eq!(simulation.digest(), again.digest());
}

/// Two of three are sent up, one of them is called back; the third never leaves the way of all. A checkpoint knows who was sent.
#[test]
fn single_people_are_sent_elsewhere_and_called_back() {
    let text = r#"
        [place]
        floor = [[0, 0], [60, 0], [60, 30], [0, 30]]
        [[population]]
        name = "guests"
        at = [[1, 2], [1, 6], [1, 10]]
        speed = 1
        journey = [[59, 6]]
        stay = true
        [[event]]
        at = 5
        journey = [[6, 29]]
        people = [2, 0, 77]
        stay = true
        [[event]]
        at = 10
        resume = [2]
        [run]
        until = 20
    "#;
    let scenario = parse(text);
    let mut simulation = Simulation::new(scenario.clone()).expect("it runs");
    let place = |simulation: &Simulation, id: u32| {
        let row = simulation.ids().iter().position(|other| other.bits() == id).expect("they are there");
        simulation.positions()[row] + simulation.offset().as_vec2()
    };
    (0..190).for_each(|_| simulation.step());
    // The first has walked up for four and a half seconds, the others go east.
    assert!(place(&simulation, 0).y > 5.0 && place(&simulation, 0).x < 7.0, "{}", place(&simulation, 0));
    assert!(place(&simulation, 1).x > 8.0 && place(&simulation, 1).y < 8.0, "{}", place(&simulation, 1));
    (190..210).for_each(|_| simulation.step());
    let called_back = place(&simulation, 2);
    (0..9).for_each(|_| simulation.step());
    let moved = place(&simulation, 2) - called_back;
    assert!(moved.x > 0.3 && moved.y <= 0.0, "{moved}");
    let words: Vec<String> = simulation.events().iter().map(|event| event.words(simulation.scenario())).collect();
    assert_eq!(words, ["journey of 3 people: [6, 29]", "resume person 2"]);
    let mut saved = Simulation::new(scenario.clone()).expect("it runs");
    (0..130).for_each(|_| saved.step());
    let mut resumed = Simulation::resume(scenario, &saved.checkpoint()).unwrap_or_else(|error| panic!("{error}"));
    (saved.run(), resumed.run());
    assert_eq!(saved.digest(), resumed.digest());
}

/// By hand: two are dropped at one point, so the second stands half a metre away; where there is no floor within five metres nobody comes.
#[test]
fn who_is_dropped_stands_where_there_is_room() {
    let text = r#"
        [place]
        floor = [[0, 0], [10, 0], [10, 10], [0, 10]]
        [[population]]
        name = "guests"
        at = [[1, 1]]
        journey = [[9, 9]]
        premovement = 100
        [[event]]
        at = 1
        drop = "guests"
        points = [[5, 5], [5, 5], [30, 5], [12, 5]]
    "#;
    let mut simulation = Simulation::new(parse(text)).expect("it runs");
    (0..21).for_each(|_| simulation.step());
    let mut at: Vec<_> = simulation
        .ids()
        .iter()
        .zip(simulation.positions())
        .map(|(id, at)| (*id, *at + simulation.offset().as_vec2()))
        .collect();
    at.sort_by_key(|(id, _)| *id);
    assert_eq!(at.len(), 4);
    let place = |i: usize| at[i].1;
    assert!(place(1).distance(passerby::geometry::Vec2::new(5.0, 5.0)) < 1e-5, "{}", place(1));
    assert!((place(2).distance(place(1)) - 0.5).abs() < 1e-4, "{}", place(2));
    // The last was to stand two metres off the floor: on the ring of 2.5 m is the first free place, a quarter of a metre inside.
    assert!(place(3).x <= 9.76 && place(3).distance(passerby::geometry::Vec2::new(12.0, 5.0)) < 3.01, "{}", place(3));
}
