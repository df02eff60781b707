//! A run that is put away and taken up again goes on bit for bit; whatever is not a checkpoint of it is refused.

mod common;

use common::scene_with;
use passerby::geometry::DVec2;
use passerby::scenario::{Files, NoFiles};
use passerby::steering::Model;
use passerby::{ResumeError, Scenario, Simulation, seal, unseal};

/// People who come evenly and by chance, wait, wander, choose, stay and go round; a door that closes and opens again.
const LIVELY: &str = r#"
[place]
floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
obstacles = [[[12, 0], [12.2, 0], [12.2, 2], [12, 2]], [[12, 3.2], [12.2, 3.2], [12.2, 7], [12, 7]], [[12, 8.2], [12.2, 8.2], [12.2, 10], [12, 10]]]
doors = [{ name = "south", line = [[12.1, 2], [12.1, 3.2]] }]
regions = [
    { name = "hall", polygon = [[1, 1], [11, 1], [11, 9], [1, 9]] },
    { name = "north exit", polygon = [[19, 6], [20, 6], [20, 10], [19, 10]] },
    { name = "south exit", polygon = [[19, 0], [20, 0], [20, 4], [19, 4]] },
]
[[population]]
name = "steady"
rate = { schedule = [[0, 2], [8, 0.5]] }
until = 20
area = [[0.3, 0.3], [3, 0.3], [3, 9.7], [0.3, 9.7]]
radius = { uniform = [0.18, 0.3] }
journey = [{ wait = { uniform = [0, 3] } }, { any = ["north exit", "south exit"] }]
[[population]]
name = "by chance"
rate = { poisson = 1 }
until = 30
area = [[4, 0.3], [6, 0.3], [6, 9.7], [4, 9.7]]
speed = { normal = [1.34, 0.26], min = 0.6, max = 2 }
journey = [{ wander = "hall", for = 6 }, { any = ["north exit", "south exit"], by = "weights", weights = [1, 3] }]
[[population]]
name = "there"
count = 25
area = [[7, 0.5], [11, 0.5], [11, 9.5], [7, 9.5]]
premovement = { uniform = [0, 6] }
journey = ["north exit"]
[[population]]
name = "stay"
count = 6
area = [[13, 4], [18, 4], [18, 6], [13, 6]]
journey = [[16, 5]]
stay = true
[[population]]
name = "round"
count = 5
area = [[13, 0.5], [18, 0.5], [18, 3], [13, 3]]
journey = [[14, 8], [14, 2]]
repeat = true
[[event]]
at = 4.02
close = "south"
[[event]]
at = 11
open = "south"
[run]
until = 26
"#;

fn lively(model: Option<Model>) -> Scenario {
    let mut scenario = Scenario::parse(LIVELY, &NoFiles, "lively.toml").unwrap_or_else(|problems| panic!("{problems}"));
    for (population, mixed) in scenario.populations.iter_mut().zip(Model::all()) {
        population.model = model.unwrap_or(mixed);
    }
    scenario
}

fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

/// Digest and summary at the end of a run, and its state after every `every`-th tick.
fn whole(scenario: &Scenario, every: u32) -> (Simulation, Vec<Vec<u8>>) {
    let mut simulation = Simulation::new(scenario.clone()).unwrap_or_else(|problems| panic!("{problems}"));
    let mut states = vec![simulation.checkpoint()];
    while !simulation.finished() {
        simulation.step();
        if simulation.tick().is_multiple_of(every) {
            states.push(simulation.checkpoint());
        }
    }
    (simulation, states)
}

/// Takes a run up from each of its states on other numbers of threads: the same end, to the last bit.
#[track_caller]
fn check(name: &str, scenario: &Scenario, every: u32) {
    let (end, states) = on(1, || whole(scenario, every));
    for (i, state) in states.iter().enumerate() {
        let resumed = on(2 + i % 2, || {
            let mut simulation = Simulation::resume(scenario.clone(), state).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(simulation.tick(), i as u32 * every);
            assert!(simulation.checkpoint() == *state, "{name}: a state that is read is not the one written");
            while !simulation.finished() {
                simulation.step();
            }
            simulation
        });
        let at = simulation_time(&end, i, every);
        assert_eq!(resumed.digest(), end.digest(), "{name}: taken up at {at} s");
        assert_eq!((resumed.summary(), resumed.events()), (end.summary(), end.events()), "{name}: taken up at {at} s");
        assert!(resumed.checkpoint() == end.checkpoint(), "{name}: taken up at {at} s");
    }
}

fn simulation_time(simulation: &Simulation, i: usize, every: u32) -> f64 {
    (i as u32 * every) as f64 * simulation.world().tick
}

#[test]
fn resume_at_any_second_gives_the_digest_of_the_whole_run() {
    for model in Model::all() {
        check(model.name(), &lively(Some(model)), 20);
    }
    let scenario = lively(None);
    check("mixed", &scenario, 20);
    let summary = whole(&scenario, 1000).0.summary();
    assert!(summary.entered > 60 && summary.arrived > 20 && summary.contacts > 0, "too little happens: {summary:?}");
}

/// All that moves by itself, and all that changes a run from outside: recorded people, a bus, a light, events that add people,
/// send them elsewhere and slow them down, a door that closes.
const EVERYTHING: &str = r#"
[place]
floor = [[0, 0], [40, 0], [40, 12], [0, 12]]
obstacles = [[[24, 0], [24.2, 0], [24.2, 4], [24, 4]], [[24, 8], [24.2, 8], [24.2, 12], [24, 12]]]
doors = [{ name = "gate", line = [[24.1, 4], [24.1, 8]] }]
regions = [
    { name = "west", polygon = [[0, 0], [2, 0], [2, 12], [0, 12]] },
    { name = "north", polygon = [[8, 11], [16, 11], [16, 12], [8, 12]] },
    { name = "east", polygon = [[38, 0], [40, 0], [40, 12], [38, 12]] },
]
[[mover]]
name = "bus"
polygon = [[-2, -1], [2, -1], [2, 1], [-2, 1]]
path = [[2, -6, 5], [10, 8, 5], [13, 8, 5], [21, 22, 5]]
[[signal]]
name = "light"
phases = [{ show = "red", for = 4 }, { show = "green", for = 3 }]
[[population]]
name = "recorded"
play = { file = "people.txt", start = 3 }
[[population]]
name = "crossing"
rate = { poisson = 1 }
until = 20
area = [[8, 0.3], [16, 0.3], [16, 2], [8, 2]]
journey = [[12, 3], { wait = { signal = "light", show = "green" } }, "north"]
[[population]]
name = "through"
rate = 1
until = 15
area = [[17, 1], [22, 1], [22, 11], [17, 11]]
journey = ["east"]
[[population]]
name = "added"
count = 8
area = [[26, 1], [36, 1], [36, 11], [26, 11]]
journey = [{ wait = 2 }, "east"]
[[event]]
at = 5
add = "added"
count = 10
[[event]]
at = 6.5
close = "gate"
[[event]]
at = 9
of = "through"
journey = ["west"]
[[event]]
at = 10
of = "crossing"
speed = 0.7
[[event]]
at = 14
open = "gate"
[[event]]
at = 15
add = "added"
count = 5
[run]
until = 28
"#;

/// Three at 10 frames a second: one along the street from 0 to 12 s, one who stands from 4 to 9 s, one across it and gone.
struct Recorded;

impl Files for Recorded {
    fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
        let mut text = "# framerate: 10\n# id frame x/m y/m\n".to_owned();
        (0..=120).for_each(|frame| text += &format!("1 {frame} {} 9\n", 3.0 + 0.12 * f64::from(frame)));
        (40..=90).for_each(|frame| text += &format!("2 {frame} 20.5 6.25\n"));
        (0..=70).for_each(|frame| text += &format!("5 {frame} 30 {}\n", 2.0 + 0.1 * f64::from(frame)));
        Ok(text.into_bytes())
    }
}

#[test]
fn resume_gives_the_digest_of_a_run_with_everything_that_moves_and_changes() {
    let everything = || Scenario::parse(EVERYTHING, &Recorded, "everything.toml").unwrap_or_else(|p| panic!("{p}"));
    let scenario = everything();
    let (end, states) = whole(&scenario, 20);
    let happened: Vec<String> = end.events().iter().map(|event| event.words(&scenario)).collect();
    for words in ["add 10 \"added\"", "add 5 \"added\"", "close \"gate\"", "\"light\" shows \"green\""] {
        assert!(happened.iter().any(|event| event == words), "{words}: {happened:?}");
    }
    assert!(happened.len() >= 9, "{happened:?}");
    let summary = end.summary();
    assert!(summary.entered > 45 && summary.arrived > 20 && states.len() > 20, "too little happens: {summary:?}");
    // Somebody has arrived, and somebody is still to come, at more than one of the places where it is taken up.
    let arrived = |state: &Vec<u8>| Simulation::resume(everything(), state).expect("a checkpoint").summary().arrived;
    let between = states.iter().map(arrived).filter(|arrived| (1..summary.arrived).contains(arrived)).count();
    assert!(between > 5, "{between} states between the first arrival and the last");
    for model in [None, Some(Model::default())] {
        let mut scenario = everything();
        for (population, mixed) in scenario.populations.iter_mut().zip(Model::all()) {
            population.model = model.unwrap_or(mixed);
        }
        check("everything", &scenario, 40);
    }
    check("everything", &everything(), 20);
}

/// Not only where a second ends: also between two looks at the way, two sorts of rows, two decisions.
#[test]
fn resume_at_any_tick_gives_the_digest_of_the_whole_run() {
    let mut scenario = lively(None);
    scenario.run.until = 7.0;
    check("mixed", &scenario, 1);
    let mut room = scene_with("room", Model::default());
    room.run.until = 6.0;
    check("room", &room, 7);
}

/// Obstacles come and go among people who wander, one over another and one in a door; people of other widths come meanwhile.
#[test]
fn resume_gives_the_digest_while_obstacles_come_and_go() {
    let text = LIVELY.replace("[run]\nuntil = 26", OBSTACLES);
    let scenario = Scenario::parse(&text, &NoFiles, "obstacles.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let (end, _) = whole(&scenario, 1000);
    let free = |at: [f64; 2]| end.world().map.contains((DVec2::from(at) - end.offset()).as_vec2());
    assert!(!free([5.1, 9.6]) && free([5.6, 9.3]) && free([8.2, 5.2]), "one stands, two are gone");
    check("obstacles", &scenario, 37);
}

const OBSTACLES: &str = r#"
[[event]]
at = 2
put = { name = "crate", polygon = [[8, 5], [8.4, 5], [8.4, 5.4], [8, 5.4]] }
[[event]]
at = 3
put = { name = "box", polygon = [[5, 9.2], [5.8, 9.2], [5.8, 9.8], [5, 9.8]] }
[[event]]
at = 3
put = { name = "board", polygon = [[4.8, 9.5], [5.2, 9.5], [5.2, 9.7], [4.8, 9.7]] }
[[event]]
at = 9
take = "box"
[[event]]
at = 10
take = "crate"
[run]
until = 16
"#;

/// A run that is taken up may go on for longer than was meant, and be called otherwise.
#[test]
fn the_end_and_the_name_may_change() {
    let mut longer = lively(None);
    longer.run.until = 9.0;
    let (end, _) = whole(&longer, 1000);
    let mut short = longer.clone();
    (short.run.until, short.name, short.record.every) = (5.0, "other".into(), 4);
    let state = whole(&short, 1000).0.checkpoint();
    let mut resumed = Simulation::resume(longer, &state).expect("a checkpoint");
    while !resumed.finished() {
        resumed.step();
    }
    assert_eq!((resumed.time(), resumed.digest()), (end.time(), end.digest()));
}

const SMALL: &str = r#"
[place]
floor = [[0, 0], [6, 0], [6, 4], [0, 4]]
doors = [{ name = "front", line = [[3, 0], [3, 4]] }]
[[population]]
rate = 1
until = 4
area = [[0.5, 0.5], [2, 0.5], [2, 3.5], [0.5, 3.5]]
journey = [{ wait = 1 }, [5.5, 2]]
stay = true
[[event]]
at = 1
close = "front"
"#;

fn small() -> (Scenario, Vec<u8>) {
    let scenario = Scenario::parse(SMALL, &NoFiles, "small.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let mut simulation = Simulation::new(scenario.clone()).unwrap_or_else(|problems| panic!("{problems}"));
    while simulation.time() < 3.5 {
        simulation.step();
    }
    assert_eq!(simulation.len(), 3);
    (scenario, simulation.checkpoint())
}

#[test]
fn a_checkpoint_cut_anywhere_is_refused() {
    let (scenario, state) = small();
    for length in 0..state.len() {
        let error = Simulation::resume(scenario.clone(), &state[..length]).expect_err("it is cut");
        let expected = if length < 8 {
            matches!(error, ResumeError::NotACheckpoint)
        } else {
            matches!(error, ResumeError::Damaged { .. })
        };
        assert!(expected, "cut to {length} bytes: {error}");
    }
    let longer = [&state[..], b"x"].concat();
    assert!(matches!(Simulation::resume(scenario, &longer), Err(ResumeError::Damaged { .. })));
}

#[test]
fn a_flipped_bit_is_refused() {
    let (scenario, state) = small();
    for bit in 0..8 * state.len() {
        let mut flipped = state.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let error = Simulation::resume(scenario.clone(), &flipped).expect_err("a bit is wrong");
        let expected = match bit / 8 {
            0..8 => matches!(error, ResumeError::NotACheckpoint),
            8..12 => matches!(error, ResumeError::Version { .. }),
            _ => matches!(error, ResumeError::Damaged { .. }),
        };
        assert!(expected, "bit {bit}: {error}");
    }
}

/// Whoever writes a wrong value and a right checksum gets an error or a run, never a panic and never more memory than the
/// file is long.
#[test]
fn wrong_values_with_a_right_checksum_never_panic() {
    let (scenario, state) = small();
    let kind: [u8; 8] = *state.first_chunk().expect("a kind");
    let body = unseal(kind, &state).expect("a whole checkpoint").to_vec();
    let mut taken = 0;
    for at in 0..body.len() - 8 {
        for value in [u64::MAX, 1 << 62, u64::from(u32::MAX), 0x7f80_0000, 1 << 20, 0] {
            for width in [1, 4, 8] {
                let mut wrong = body.clone();
                wrong[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
                let resumed = Simulation::resume(scenario.clone(), &seal(kind, &wrong));
                if let Ok(mut simulation) = resumed {
                    (0..2).for_each(|_| simulation.step());
                    taken += 1;
                }
            }
        }
    }
    assert!(taken > 0, "some values may be anything");
}

#[test]
fn another_scenario_or_version_is_told() {
    let (scenario, state) = small();
    let refused =
        |scenario: Scenario, state: &[u8]| Simulation::resume(scenario, state).expect_err("refused").to_string();
    let mut seed = scenario.clone();
    seed.run.seed = 2;
    assert!(refused(seed, &state).contains("the seed differs"));
    let mut model = scenario.clone();
    model.populations[0].model = Model::Straight;
    assert!(refused(model, &state).contains("a population differs"));
    let mut tick = scenario.clone();
    tick.run.tick = 0.04;
    assert!(refused(tick, &state).contains("the length of a tick differs"));
    let comment = Scenario::parse(&format!("{SMALL}# more\n"), &NoFiles, "small.toml").expect("a scenario");
    assert!(refused(comment, &state).contains("the text of the scenario differs"));

    let kind: [u8; 8] = *state.first_chunk().expect("a kind");
    let mut body = unseal(kind, &state).expect("a whole checkpoint").to_vec();
    assert_eq!(&body[8..13], env!("CARGO_PKG_VERSION").as_bytes());
    body[8] = b'7';
    assert!(refused(scenario.clone(), &seal(kind, &body)).contains("written by version 7.1.0, this is version 0.1.0"));
    let mut format = state.clone();
    format[8] = 9;
    assert!(refused(scenario.clone(), &format).contains("written by format 9, this is format 8"));
    assert!(refused(scenario, b"PAR1 is a recording").contains("no checkpoint"));
}
