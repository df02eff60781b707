//! `passerby plot --explain` tells what the model told the run: it agrees with the recording, and with what each model says of itself.

mod common;
use common::{expect, folder, write};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tiny_skia::Pixmap;

/// Two walk towards each other along y = 2, half a metre off the middle line of each other.
const PAIR: &str = r#"
name = "pair"

[place]
PLACE

[[population]]
name = "eastward"
at = [[1, 2]]
model = "MODEL"
speed = 1.2
journey = [[19, 2]]

[[population]]
name = "westward"
at = [[19, 2.2]]
model = "MODEL"
speed = 1.0
journey = [[1, 2.2]]

[run]
until = 30
"#;
const FLOOR: &str = "floor = [[0, 0], [20, 0], [20, 4], [0, 4]]";
/// The first of the second population.
const OTHER: &str = "4194304";

fn pair(model: &str) -> String {
    PAIR.replace("MODEL", model).replace("PLACE", FLOOR)
}

fn record(folder: &Path, model: &str) {
    write(folder, "pair.toml", &pair(model));
    expect(0, folder, &["run", "pair.toml", "--out", "pair.parquet", "--quiet"]);
}

/// The explanation as data.
fn explain(folder: &Path, arguments: &[&str]) -> Value {
    let (out, err) = expect(0, folder, &[&["plot", "pair.parquet", "--json", "-", "--explain"], arguments].concat());
    assert!(err.is_empty(), "{err}");
    serde_json::from_str(&out).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("numbers").iter().map(|number| number.as_f64().expect("a number")).collect()
}

/// Velocity of somebody in a frame of the recording, m/s.
fn recorded(folder: &Path, tick: u32, id: u32) -> [f32; 2] {
    let frame = common::open(&folder.join("pair.parquet")).frame_at(tick).expect("readable").expect("a frame");
    let row = frame.id.iter().position(|other| *other == id).expect("somebody");
    [frame.vx[row], frame.vy[row]]
}

/// Who sees nobody walks 1.2 m/s along x: 3 s later they are at 1 + 3.6 m, and the other at 19 - 3.0 m.
#[test]
fn a_straight_walk_is_where_it_has_to_be() {
    let folder = folder("explain-straight");
    record(&folder, "straight");
    let why = explain(&folder, &["0", "--at", "3"]);
    assert_eq!((&why["model"], &why["me"]["population"]), (&"straight".into(), &"eastward".into()));
    let near = |value: &Value, expected: [f64; 2]| {
        let found = numbers(value);
        assert!((found[0] - expected[0]).abs() < 1e-3 && (found[1] - expected[1]).abs() < 1e-3, "{found:?}");
    };
    near(&why["me"]["position"], [4.6, 2.0]);
    near(&why["chosen"], [1.2, 0.0]);
    near(&why["desired"], [1.2, 0.0]);
    assert_eq!((why["at_s"].as_f64(), why["tick"].as_u64()), (Some(3.0), Some(60)));
    // 11.4 m apart they do not see each other; 0.3 s before they meet they do.
    assert_eq!(why["seen"], serde_json::json!([]));
    let late = explain(&folder, &["0", "--at", "7.5"]);
    assert_eq!(late["seen"][0]["id"].to_string(), OTHER);
    near(&late["seen"][0]["position"], [19.0 - 7.5, 2.2]);
    for nothing in ["sections", "lines", "forces", "candidates"] {
        assert_eq!(late[nothing], serde_json::json!([]), "{nothing}");
    }
}

/// The run took what the explanation says: the next frame of the recording walks at it.
#[test]
fn half_planes_hold_and_the_next_frame_walks_as_chosen() {
    let folder = folder("explain-orca");
    record(&folder, "orca");
    let (tick, at) = (140, "7.0");
    let why = explain(&folder, &["0", "--at", at]);
    let chosen = numbers(&why["chosen"]);
    let next = recorded(&folder, tick + 1, 0);
    for axis in [0, 1] {
        assert!((chosen[axis] - f64::from(next[axis])).abs() < 1e-5, "{chosen:?}, recorded {next:?}");
    }
    let lines = why["lines"].as_array().expect("lines");
    assert!(lines.iter().any(|line| line["of"].as_u64() == OTHER.parse().ok()), "{lines:?}");
    // Left of every line: they are few enough to have a velocity in common.
    for line in lines {
        let (point, direction) = (numbers(&line["point"]), numbers(&line["direction"]));
        let left = direction[0] * (chosen[1] - point[1]) - direction[1] * (chosen[0] - point[0]);
        assert!(left > -1e-4, "{line}: {left}");
        assert!((direction[0].hypot(direction[1]) - 1.0).abs() < 1e-5, "{line}");
    }
    // They have begun to give way.
    assert!(chosen[1].abs() > 1e-3, "{chosen:?}");
}

#[test]
fn the_best_is_chosen() {
    let folder = folder("explain-best");
    record(&folder, "rvo");
    let why = explain(&folder, &["0", "--at", "6.5"]);
    let candidates = why["candidates"].as_array().expect("candidates");
    assert!(candidates.len() >= 250, "{}", candidates.len());
    let best =
        candidates.iter().min_by(|a, b| a["rating"].as_f64().partial_cmp(&b["rating"].as_f64()).expect("ratings"));
    assert_eq!(best.expect("some")["velocity"], why["chosen"]);
    record(&folder, "paris");
    let why = explain(&folder, &["0", "--at", "6.5"]);
    let sections = why["sections"].as_array().expect("sections");
    let number = |section: &Value, name: &str| section[name].as_f64().expect("a number");
    let cheapest = sections.iter().map(|section| number(section, "cost")).fold(f64::INFINITY, f64::min);
    let chosen = numbers(&why["chosen"]);
    let direction = chosen[1].atan2(chosen[0]);
    let holds = |section: &&Value| {
        let turns = [-1.0, 0.0, 1.0].map(|turns| direction + turns * std::f64::consts::TAU);
        turns.iter().any(|direction| (number(section, "from") - 1e-4..number(section, "to") + 1e-4).contains(direction))
    };
    let own = sections.iter().filter(holds).map(|section| number(section, "cost")).fold(f64::INFINITY, f64::min);
    assert!((own - cheapest).abs() < 1e-5, "{own}, cheapest {cheapest}");
}

#[test]
fn every_model_has_a_picture() {
    let folder = folder("explain-pictures");
    for model in ["straight", "headway", "orca", "helbing-1995", "helbing-2000", "rvo", "lamarche", "paris", "reynolds"]
    {
        record(&folder, model);
        let (out, _) =
            expect(0, &folder, &["plot", "pair.parquet", "--explain", OTHER, "--at", "7", "--out", "why.svg"]);
        assert!(out.contains("chooses") && out.contains("why.svg written"), "{out}");
        let svg = fs::read_to_string(folder.join("why.svg")).expect("a picture");
        let document = roxmltree::Document::parse(&svg).expect("SVG");
        let words: Vec<&str> =
            document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
        assert!(words.contains(&format!("pair: person {OTHER}, {model}").as_str()), "{words:?}");
        assert!(words.contains(&"desired") && words.contains(&"chosen"), "{words:?}");
    }
    expect(
        0,
        &folder,
        &["plot", "pair.parquet", "--explain", "0", "--at", "7", "--out", "why.png", "--size", "900", "--quiet"],
    );
    let png = Pixmap::decode_png(&fs::read(folder.join("why.png")).expect("a picture")).expect("a PNG");
    assert_eq!(png.width(), 900);
}

#[track_caller]
fn refused(folder: &Path, arguments: &[&str], words: &[&str]) {
    let (_, err) = expect(2, folder, &[&["plot"], arguments].concat());
    for word in words {
        assert!(err.contains(word), "{arguments:?}: {word} is missing in {err}");
    }
}

#[test]
fn what_cannot_be_explained_is_told() {
    let folder = folder("explain-wrong");
    record(&folder, "straight");
    refused(&folder, &["pair.parquet", "--explain", "7", "--at", "1"], &["nobody", "0 to 0 (eastward)", OTHER]);
    // 18 m at 1.2 m/s take 15 s; the other takes 18 s.
    refused(&folder, &["pair.parquet", "--explain", "0", "--at", "16.5"], &["is there from 0.00 to 1"]);
    refused(&folder, &["pair.parquet", "--explain", "0", "--at", "25"], &["nothing was recorded then", "0.00 to 1"]);
    refused(&folder, &["pair.parquet", "--explain", "0", "--at", "-1"], &["nothing was recorded then"]);
    refused(&folder, &["pair.parquet", "--explain", "0"], &["--at"]);
    for (option, value) in [("--place", "a.wkt"), ("--from-time", "3"), ("--fps", "25"), ("--cell", "1")] {
        let arguments = ["pair.parquet", "--explain", "0", "--at", "1", option, value];
        refused(&folder, &arguments, &["cannot be used with", option]);
    }
    refused(&folder, &["pair.parquet", "--explain", "0", "--at", "1", "--out", "a.gif"], &[".svg or .png"]);
    refused(&folder, &["pair.parquet", "--explain", "0", "--at", "1", "--json", "pair.parquet"], &["would overwrite"]);
    write(&folder, "two.csv", "id,frame,x_m,y_m,time_s\n1,0,1.0,1.0,0.0\n1,1,1.1,1.0,0.1\n1,2,1.2,1.0,0.2\n");
    expect(0, &folder, &["export", "two.csv", "--to", "two.parquet"]);
    refused(&folder, &["two.parquet", "--explain", "1", "--at", "0.1"], &["holds no scenario"]);
}

/// Those who walk as recorded choose nothing; those beside them do, and see them.
#[test]
fn recorded_people_choose_nothing() {
    let folder = folder("explain-played");
    let rows: String = (0..=300).map(|n| format!("1 {n} {:.2} 200\n", 1900.0 - 5.0 * f64::from(n))).collect();
    write(&folder, "people.txt", &rows);
    let second =
        "[[population]]\nname = \"recorded\"\nplay = { file = \"people.txt\", unit = \"cm\", fps = 20 }\n\n[run]";
    let begin = pair("orca");
    let first = begin.split("[[population]]\nname = \"westward\"").next().expect("a population");
    write(&folder, "pair.toml", &format!("{first}{second}\nuntil = 20\n"));
    expect(0, &folder, &["run", "pair.toml", "--out", "pair.parquet", "--quiet"]);
    let why = explain(&folder, &["0", "--at", "7"]);
    let recorded = &why["seen"][0];
    // 1 m/s to the west, and all of the avoidance is left to the other.
    assert_eq!((recorded["velocity"][0].as_f64().map(f64::round), recorded["share"].as_f64()), (Some(-1.0), Some(1.0)));
    let id = recorded["id"].to_string();
    refused(&folder, &["pair.parquet", "--explain", &id, "--at", "7"], &["walk as they were recorded"]);
    // In a comparison they stay what they are.
    let (out, _) = expect(0, &folder, &["compare", "pair.toml", "--models", "headway,paris", "--json", "-"]);
    let all: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(all["models"][1]["models"], serde_json::json!(["paris", "recorded"]));
    assert_eq!((&all["models"][0]["arrived"], &all["models"][0]["entered"]), (&1.into(), &1.into()));
}

#[test]
fn files_of_the_scenario_are_looked_for_where_one_says() {
    let folder = folder("explain-folder");
    fs::create_dir_all(folder.join("plans")).expect("a folder");
    write(&folder, "plans/plan.wkt", "POLYGON ((0 0, 20 0, 20 4, 0 4, 0 0))");
    write(&folder, "plans/pair.toml", &PAIR.replace("MODEL", "headway").replace("PLACE", "file = \"plan.wkt\""));
    expect(0, &folder, &["run", "plans/pair.toml", "--out", "pair.parquet", "--quiet"]);
    refused(&folder, &["pair.parquet", "--explain", "0", "--at", "5"], &["plan.wkt", "--folder"]);
    let why = explain(&folder, &["0", "--at", "5", "--folder", "plans"]);
    assert_eq!(why["model"], "headway");
    // A wall in the way: the run is another one.
    write(&folder, "plans/plan.wkt", "POLYGON ((0 0, 20 0, 20 4, 0 4, 0 0), (3 1, 4 1, 4 3, 3 3, 3 1))");
    refused(
        &folder,
        &["pair.parquet", "--explain", "0", "--at", "5", "--folder", "plans"],
        &["are elsewhere at 5.00 s"],
    );
}
