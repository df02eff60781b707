//! `passerby compare` says of each model what `passerby run` says of a scenario with that model, and draws all of them.

mod common;
use common::{expect, folder, write};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tiny_skia::Pixmap;

/// Two groups change places in a room; a line and an area are measured.
const SWAP: &str = r#"
name = "swap"

[place]
floor = [[0, 0], [14, 0], [14, 6], [0, 6]]
regions = [
    { name = "east", polygon = [[13, 0], [14, 0], [14, 6], [13, 6]] },
    { name = "west", polygon = [[0, 0], [1, 0], [1, 6], [0, 6]] },
]

[[measure]]
name = "middle"
line = [[7, 0], [7, 6]]

[[measure]]
name = "centre"
area = [[6, 2], [8, 2], [8, 4], [6, 4]]

[[population]]
name = "eastward"
model = "MODEL"
grid = { origin = [2, 1.5], columns = 2, rows = 4, spacing = 1.0, jitter = 0.2 }
journey = ["east"]

[[population]]
name = "westward"
model = "MODEL"
grid = { origin = [11, 1.5], columns = 2, rows = 4, spacing = 1.0, jitter = 0.2 }
journey = ["west"]

[run]
seed = 3
until = 40
"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn file(folder: &Path, name: &str) -> Value {
    json(&fs::read_to_string(folder.join(name)).expect("a result"))
}

/// What depends on the machine, and what there is only with a recording.
const OTHERWISE: [&str; 13] = [
    "scenario",
    "threads",
    "setup_seconds",
    "wall_seconds",
    "times_real_time",
    "agent_steps_per_second",
    "peak_rss_bytes",
    "recording",
    "recording_bytes",
    "model",
    "complete",
    "checkpoint",
    "resumed_at",
];

#[test]
fn each_model_says_what_a_run_with_it_says() {
    let folder = folder("compare-run");
    write(&folder, "swap.toml", &SWAP.replace("MODEL", "straight"));
    expect(0, &folder, &["compare", "swap.toml", "--models", "orca,paris", "--json", "all.json", "--quiet"]);
    let all = file(&folder, "all.json");
    let models = all["models"].as_array().expect("models");
    assert_eq!(models.len(), 2);
    for (entry, model) in models.iter().zip(["orca", "paris"]) {
        write(&folder, "one.toml", &SWAP.replace("MODEL", model));
        expect(0, &folder, &["run", "one.toml", "--out", "one.parquet", "--json", "one.json", "--quiet"]);
        let one = file(&folder, "one.json");
        assert_eq!(entry["model"], model);
        let names = one.as_object().expect("names");
        for (name, value) in names.iter().filter(|(name, _)| !OTHERWISE.contains(&name.as_str())) {
            assert_eq!(&entry[name], value, "{model}: {name}");
        }
        assert!(names["measures"]["lines"][0]["people"].as_u64() == Some(16), "{}", names["measures"]);
        for name in OTHERWISE.iter().filter(|name| !["recording", "recording_bytes"].contains(*name)) {
            assert!(entry.get(name).is_some(), "{model}: {name} is missing");
        }
    }
}

#[test]
fn many_seeds_say_what_many_runs_say_on_any_number_of_threads() {
    let folder = folder("compare-runs");
    write(&folder, "swap.toml", &SWAP.replace("MODEL", "headway"));
    for threads in ["1", "3"] {
        let picture = format!("{threads}.svg");
        let (out, _) = expect(
            0,
            &folder,
            &[
                "compare",
                "swap.toml",
                "--models",
                "headway,rvo",
                "--runs",
                "4",
                "--threads",
                threads,
                "--json",
                "-",
                "--picture",
                &picture,
            ],
        );
        write(&folder, &format!("{threads}.json"), &out);
    }
    let [one, three] = ["1", "3"].map(|threads| fs::read(folder.join(format!("{threads}.svg"))).expect("a picture"));
    assert!(one == three, "pictures differ with the threads");
    expect(0, &folder, &["run", "swap.toml", "--runs", "4", "--json", "runs.json", "--quiet"]);
    let (alone, runs) = (file(&folder, "1.json"), file(&folder, "runs.json"));
    assert_eq!(alone["models"], with_times_of(file(&folder, "3.json")["models"].clone(), &alone["models"]));
    for names in ["aggregate", "each", "t95", "incomplete"] {
        assert_eq!(alone["models"][0][names], runs[names], "{names}");
    }
    let each = runs["each"].as_array().expect("runs");
    let mean = each.iter().filter_map(|run| run["contacts"].as_f64()).sum::<f64>() / 4.0;
    assert_eq!(alone["models"][0]["contacts"].as_f64(), Some(mean));
}

/// Times and memory are nobody's result.
fn with_times_of(mut models: Value, others: &Value) -> Value {
    let pairs = models.as_array_mut().expect("models").iter_mut().zip(others.as_array().expect("models"));
    for (entry, other) in pairs {
        for name in ["threads", "wall_seconds", "peak_rss_bytes"] {
            entry[name] = other[name].clone();
        }
    }
    models
}

#[test]
fn every_model_has_a_row_and_a_panel() {
    let folder = folder("compare-all");
    write(&folder, "swap.toml", &SWAP.replace("MODEL", "orca"));
    let (out, err) = expect(0, &folder, &["compare", "swap.toml", "--models", "all", "--picture", "all.svg"]);
    assert!(err.is_empty(), "{err}");
    let svg = fs::read_to_string(folder.join("all.svg")).expect("a picture");
    let document = roxmltree::Document::parse(&svg).expect("SVG");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    let words: Vec<&str> = texts.filter_map(|node| node.text()).collect();
    let models = [
        "straight",
        "headway",
        "orca",
        "helbing-1995",
        "helbing-2000",
        "rvo",
        "lamarche",
        "paris",
        "reynolds",
        "tangent",
        "vision",
    ];
    for model in models {
        assert!(out.lines().any(|line| line.trim_start().starts_with(model)), "{model}: {out}");
        assert_eq!(words.iter().filter(|word| **word == model).count(), 1, "{model}: {words:?}");
    }
    assert!(words.iter().filter(|word| word.contains("of 16 after")).count() == models.len(), "{words:?}");
    assert!(words.contains(&"eastward") && words.contains(&"westward"), "{words:?}");
    assert!(out.contains("middle: flow [1/s]") && out.contains("centre: density [1/m2]"), "{out}");
    expect(
        0,
        &folder,
        &["compare", "swap.toml", "--models", "orca", "--picture", "one.png", "--size", "700", "--quiet"],
    );
    let png = Pixmap::decode_png(&fs::read(folder.join("one.png")).expect("a picture")).expect("a PNG");
    assert_eq!(png.width(), 700);
}

/// Seven metres take more than a second, whatever the model.
#[test]
fn runs_that_end_before_everybody_is_there_are_told() {
    let folder = folder("compare-early");
    write(&folder, "swap.toml", &SWAP.replace("MODEL", "orca"));
    let (out, _) = expect(0, &folder, &["compare", "swap.toml", "--models", "orca,headway", "--until", "1"]);
    assert_eq!(out.matches("0/16").count(), 2, "{out}");
    assert_eq!(out.matches("beyond 1").count(), 2, "{out}");
    let (out, _) = expect(0, &folder, &["compare", "swap.toml", "--models", "orca", "--until", "1", "--json", "-"]);
    assert_eq!(json(&out)["models"][0]["complete"], false);
}

#[test]
fn wrong_names_are_told_with_what_is_allowed() {
    let folder = folder("compare-wrong");
    write(&folder, "swap.toml", &SWAP.replace("MODEL", "orca"));
    let check = |arguments: &[&str], words: &[&str]| {
        let (_, err) = expect(2, &folder, &[&["compare"], arguments].concat());
        for word in words {
            assert!(err.contains(word), "{arguments:?}: {word} is missing in {err}");
        }
    };
    check(&["swap.toml", "--models", "orca,lamarch"], &["`lamarch`", "did you mean lamarche?", "helbing-1995"]);
    check(&["swap.toml", "--models", ""], &["there is no model ``"]);
    check(&["swap.toml", "--models", "orca,rvo,orca"], &["orca is there twice"]);
    check(&["swap.toml", "--picture", "all.gif"], &["all.gif", ".svg or .png"]);
    check(&["swap.toml", "--json", "swap.toml"], &["would overwrite swap.toml"]);
    check(&["swap.toml", "--picture", "a.svg", "--json", "a.json", "--runs", "0"], &["--runs"]);
    check(&["swop.toml"], &["did you mean swap.toml?"]);
    assert!(!folder.join("a.svg").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_well() {
    use common::{signal, start, texts};
    use std::time::{Duration, Instant};
    let folder = folder("compare-interrupted");
    // They walk to and fro for ten days: nobody could be through before the signal comes.
    let endless =
        SWAP.replace("MODEL", "orca").replace("journey = [\"east\"]", "journey = [\"east\", \"west\"]\nrepeat = true");
    write(&folder, "swap.toml", &endless.replace("until = 40", "until = 900000"));
    let child = start(&folder, &["compare", "swap.toml", "--models", "orca,headway"]);
    std::thread::sleep(Duration::from_millis(2500));
    let asked = Instant::now();
    signal("-INT", &child);
    let output = child.wait_with_output().expect("an end");
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(130), "{out}\n{err}");
    assert!(out.contains("interrupted"), "{out}\n{err}");
}

/// The experiment of two walkers: who sees nobody adapts nothing and comes as near as foreseen; tangent passes at the rim of its personal area.
#[test]
fn encounters_are_told_for_each_model() {
    let folder = folder("compare-encounters");
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/two-walkers.toml");
    fs::copy(scene, folder.join("two.toml")).expect("the scene");
    let compare = |threads: &str, json: &str, picture: &str| {
        let arguments = ["compare", "two.toml", "--models", "straight,tangent", "--runs", "12", "--threads", threads];
        expect(0, &folder, &[&arguments[..], &["--encounters", picture, "--json", json]].concat()).0
    };
    let out = compare("1", "one.json", "one.svg");
    for word in ["encounters", "foreseen [m]", "by the first [%]", "one.svg written"] {
        assert!(out.contains(word), "{word} is missing:\n{out}");
    }
    compare("2", "two.json", "two.svg");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    assert_eq!(read("one.svg"), read("two.svg"), "the picture on two threads");
    let value = json(&read("one.json"));
    let close = |model: usize| value["models"][model]["encounters"]["would_pass_within_1_m"].clone();
    let end = |model: usize| {
        close(model)["predicted_m"].as_array().and_then(|curve| curve.last()?.as_f64()).expect("a curve")
    };
    assert_eq!(close(0)["count"], close(1)["count"]);
    assert!(close(0)["count"].as_u64().is_some_and(|count| count >= 4), "{}", close(0)["count"]);
    assert!(end(1) > 0.8 && end(1) > end(0) + 0.2, "{} m, {} m", end(0), end(1));
    let (_, err) = expect(2, &folder, &["compare", "two.toml", "--encounters", "a.gif"]);
    assert!(err.contains("--encounters a.gif") && err.contains(".svg or .png"), "{err}");
}
