//! Good scenarios, and anything at all: a scenario or problems, never a panic.

use super::tests::*;
use super::*;
use passerby_crowd::Neighbours;
use passerby_steering::{Headway, Orca};
use proptest::prelude::*;

#[test]
fn ten_lines_run() {
    let scenario = good(&format!("{PLACE}{PEOPLE}journey = [\"exit\"]\n"));
    assert_eq!(scenario.name, "room");
    assert_eq!(scenario.run, Run { seed: 1, until: 600.0, tick: 0.05, separate: true });
    assert_eq!(scenario.record, Record { every: 1 });
    assert_eq!(scenario.place_lines, PlaceLines { floor: 1, obstacles: vec![], doors: vec![3], regions: vec![4] });
    let people = &scenario.populations[0];
    assert_eq!((people.line, people.start_line, people.journey_line), (5, 7, 8));
    assert_eq!(people.speed, Distribution::Normal { mean: 1.34, sd: 0.26, min: 0.5, max: 2.2 });
    assert_eq!(people.radius, Distribution::Constant(0.25));
    assert_eq!(people.mass, Distribution::Constant(80.0));
    assert_eq!(people.premovement, Distribution::Constant(0.0));
    assert_eq!((people.neighbours, people.stay), (Neighbours::Nearest { count: 10, within: 5.0 }, false));
    assert_eq!(people.model, Model::Headway(Headway::default()));
    assert_eq!(people.journey, [Stop::Region(0)]);
    assert_eq!(people.start.count(), 3);
}

#[test]
fn every_form_is_understood() {
    let text = format!(
        "format = 1\nname = \"all\"\n{PLACE}
[[population]]
circle = {{ center = [10, 5], radius = 4, jitter = 0.1 }}
count = 0x10
journey = [\"opposite\", [1, 2.5], {{ any = [\"exit\", [3, 3]], by = \"distance\" }}]
stay = true
model = {{ orca = {{ time_horizon = 4 }} }}
speed = {{ normal = [1.2, 0.2] }}
radius = {{ uniform = [0.2, 0.3] }}
mass = {{ normal = [70, 0] }}
premovement = {{ lognormal = [3.44, 0.94], max = 300 }}
neighbours = {{ nearest = 5, within = 8 }}
body = \"disc\"

[[population]]
grid = {{ origin = [1, 1], columns = 3, rows = 2, spacing = 0.8 }}
premovement = {{ exponential = 10, max = 60 }}

[[event]]
at = 9
open = \"front\"
[[event]]
at = 3
close = \"front\"
"
    );
    let scenario = good(&text);
    assert_eq!((scenario.name.as_str(), scenario.text.as_str()), ("all", text.as_str()));
    let [first, second] = &scenario.populations[..] else { panic!("two populations") };
    assert_eq!(first.start, Start::Circle { count: 16, center: DVec2::new(10.0, 5.0), radius: 4.0, jitter: 0.1 });
    let any = Stop::Any(vec![Stop::Region(0), Stop::Point(DVec2::new(3.0, 3.0))]);
    assert_eq!(first.journey, [Stop::Opposite, Stop::Point(DVec2::new(1.0, 2.5)), any]);
    assert_eq!(first.model, Model::Orca(Orca { time_horizon: 4.0, ..Orca::default() }));
    assert_eq!(first.speed, Distribution::Normal { mean: 1.2, sd: 0.2, min: 0.01, max: 10.0 });
    assert_eq!(first.radius, Distribution::Uniform { low: 0.2, high: 0.3 });
    assert_eq!(first.mass, Distribution::Constant(70.0));
    assert_eq!(first.premovement, Distribution::Lognormal { mu: 3.44, sigma: 0.94, min: 0.0, max: 300.0 });
    assert_eq!((first.neighbours, first.stay), (Neighbours::Nearest { count: 5, within: 8.0 }, true));
    assert_eq!(second.start.count(), 6);
    assert_eq!(second.premovement, Distribution::Exponential { mean: 10.0, max: 60.0 });
    assert!(second.stay && second.journey.is_empty());
    let times: Vec<(f64, Action)> = scenario.events.iter().map(|event| (event.at, event.action.clone())).collect();
    assert_eq!(times, [(3.0, Action::Close(0)), (9.0, Action::Open(0))]);
}

#[test]
fn template_parses_and_bears_its_name() {
    for name in ["a room", "quote \" and \\", "Ünïcode"] {
        let scenario = good(&template(name));
        assert_eq!(scenario.name, name);
        assert_eq!((scenario.populations.len(), scenario.events.len()), (1, 2));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random edits of a good file: a scenario or problems, never a panic.
    #[test]
    fn mutated_templates_never_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>()), 1..12)) {
        let mut bytes = template("x").into_bytes();
        for (at, kind, byte) in edits {
            let i = at.index(bytes.len());
            match kind {
                0 => bytes[i] = byte,
                1 => drop(bytes.remove(i)),
                2 => bytes.insert(i, byte % 128),
                _ => { let j = (i + usize::from(byte)).min(bytes.len()); drop(bytes.drain(i..j)); bytes.push(b'\n'); }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Err(problems) = Scenario::parse(&text, &NoFiles, "x.toml") {
            prop_assert!(!problems.0.is_empty());
            prop_assert!(!problems.to_string().is_empty());
        }
    }

    /// Words of the format in any order.
    #[test]
    fn shuffled_words_never_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..40)) {
        let text = words.concat();
        let _ = Scenario::parse(&text, &NoFiles, "x.toml");
    }
}

const WORDS: &[&str] = &[
    "[place]\n",
    "[[population]]\n",
    "[[event]]\n",
    "[run]\n",
    "[record]\n",
    "floor = ",
    "at = ",
    "journey = ",
    "speed = ",
    "count = ",
    "circle = ",
    "grid = ",
    "model = ",
    "regions = ",
    "doors = ",
    "areas = ",
    "holes = ",
    "file = \"plan.wkt\"\n",
    "{ any = [[1, 2]] }\n",
    "[[0, 0], [9, 0], [9, 9]]\n",
    "[[[1, 1], [2, 1], [2, 2]]]\n",
    "[]\n",
    "{}\n",
    "[{}]\n",
    "3\n",
    "-0.5\n",
    "nan\n",
    "\"x\"\n",
    "true\n",
    "{ normal = [1, 2] }\n",
    "{ orca = {} }\n",
    "{ uniform = [1, 2] }\n",
    "1979-05-27\n",
    "[1, 2]\n",
    "\n",
    "# x\n",
];
