//! Long runs: killed and taken up again, many seeds at once, results for a report.

mod common;
use common::{expect, folder, open, start, wait_for, write};
use passerby::record::OwnedFrame;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

/// A minute in which people come and go and a door closes; slow enough that it can be killed in the middle.
const LIVELY: &str = r#"
name = "lively"
[place]
floor = [[0, 0], [40, 0], [40, 20], [0, 20]]
obstacles = [[[20, 0], [20.2, 0], [20.2, 9], [20, 9]], [[20, 11], [20.2, 11], [20.2, 20], [20, 20]]]
doors = [{ name = "middle", line = [[20.1, 9], [20.1, 11]] }]
regions = [
    { name = "hall", polygon = [[5, 1], [19, 1], [19, 19], [5, 19]] },
    { name = "out", polygon = [[39, 0], [40, 0], [40, 20], [39, 20]] },
]
[[population]]
name = "visitors"
rate = { poisson = 3 }
until = 50
area = [[0.5, 0.5], [4, 0.5], [4, 19.5], [0.5, 19.5]]
model = "orca"
journey = [{ wander = "hall", for = { uniform = [0, 10] } }, "out"]
[[population]]
name = "crowd"
count = 250
area = [[5, 1], [19, 1], [19, 19], [5, 19]]
model = "helbing-2000"
premovement = { uniform = [0, 10] }
journey = [{ wait = 1 }, "out"]
[[event]]
at = 12
close = "middle"
[[event]]
at = 20
open = "middle"
[run]
until = 60
[record]
every = 3
"#;

fn json(folder: &Path, name: &str) -> serde_json::Value {
    let text = fs::read_to_string(folder.join(name)).expect("a result");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Everything two recordings hold is the same.
#[track_caller]
fn same_recording(a: &Path, b: &Path) {
    let (a, b) = (open(a), open(b));
    assert!(a.complete() && b.complete());
    assert_eq!(a.header(), b.header());
    assert_eq!(a.events(), b.events());
    assert_eq!(a.people(), b.people());
    assert_eq!(a.frame_count(), b.frame_count());
    let frames = |recording: &passerby::record::Recording| {
        let mut frames = Vec::new();
        let read = recording.frames(0, u32::MAX, &mut |frame| {
            frames.push(OwnedFrame::from(frame));
            ControlFlow::Continue(())
        });
        read.expect("readable");
        frames
    };
    for (x, y) in frames(&a).iter().zip(&frames(&b)) {
        assert!(x == y, "tick {} differs from tick {}", x.tick, y.tick);
    }
}

#[test]
fn a_killed_run_is_taken_up_bit_for_bit() {
    let folder = folder("resume");
    write(&folder, "lively.toml", LIVELY);
    expect(0, &folder, &["run", "lively.toml", "--out", "whole.parquet", "--json", "whole.json", "--threads", "1"]);
    let arguments = ["run", "lively.toml", "--out", "a.parquet", "--checkpoint-every", "2.5", "--threads", "2"];
    let mut child = start(&folder, &arguments);
    wait_for(&folder.join("a.checkpoint"), 0);
    // Let it get past a few more, and into the middle of something.
    let first = fs::metadata(folder.join("a.parquet")).expect("a recording").len();
    wait_for(&folder.join("a.parquet"), 3 * first);
    child.kill().expect("SIGKILL");
    assert!(!child.wait().expect("an end").success(), "it had ended before it could be killed");
    assert!(!open(&folder.join("a.parquet")).complete());
    // From another folder, without naming the scenario, on another number of threads.
    let elsewhere = folder.join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    let (out, err) =
        expect(0, &elsewhere, &["run", "--resume", "../a.checkpoint", "--json", "../a.json", "--threads", "3"]);
    assert!(out.contains("resumed at") && err.is_empty(), "{out}\n{err}");
    let (whole, resumed) = (json(&folder, "whole.json"), json(&folder, "a.json"));
    for name in ["digest", "steps", "entered", "arrived", "contacts", "travel_time", "last_arrival", "mean_speed"] {
        assert_eq!(whole[name], resumed[name], "{name}");
    }
    let at = resumed["resumed_at"].as_f64().expect("seconds");
    assert!((2.5..60.0).contains(&at) && (at / 2.5).fract() < 1e-9, "{at} s");
    assert!(whole["arrived"].as_u64() > Some(20), "nobody left: {whole}");
    same_recording(&folder.join("whole.parquet"), &folder.join("a.parquet"));
    let left: Vec<_> = fs::read_dir(&folder)
        .expect("a folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    assert!(left.iter().all(|name| !name.ends_with(".part")), "{left:?}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_checkpoint() {
    let folder = folder("resume-interrupted");
    write(&folder, "lively.toml", LIVELY);
    expect(0, &folder, &["run", "lively.toml", "--until", "12", "--out", "whole.parquet", "--json", "whole.json"]);
    let arguments =
        ["run", "lively.toml", "--until", "12", "--out", "a.parquet", "--checkpoint-every", "1000", "--realtime"];
    let child = start(&folder, &arguments);
    wait_for(&folder.join("a.parquet"), 10_000);
    common::signal("-INT", &child);
    assert_eq!(child.wait_with_output().expect("an end").status.code(), Some(130));
    expect(0, &folder, &["run", "--resume", "a.checkpoint", "--json", "a.json"]);
    assert_eq!(json(&folder, "whole.json")["digest"], json(&folder, "a.json")["digest"]);
    same_recording(&folder.join("whole.parquet"), &folder.join("a.parquet"));
}

#[test]
fn a_run_may_go_on_beyond_its_end() {
    let folder = folder("resume-longer");
    write(&folder, "lively.toml", LIVELY);
    expect(0, &folder, &["run", "lively.toml", "--until", "6", "--out", "whole.parquet", "--json", "whole.json"]);
    expect(0, &folder, &["run", "lively.toml", "--until", "4", "--out", "a.parquet", "--checkpoint-every", "1.5"]);
    expect(0, &folder, &["run", "lively.toml", "--resume", "a.checkpoint", "--until", "6", "--json", "a.json"]);
    assert_eq!(json(&folder, "whole.json")["digest"], json(&folder, "a.json")["digest"]);
    same_recording(&folder.join("whole.parquet"), &folder.join("a.parquet"));
}

#[test]
fn what_is_no_checkpoint_of_the_run_is_refused() {
    let folder = folder("resume-refused");
    write(&folder, "lively.toml", LIVELY);
    expect(0, &folder, &["run", "lively.toml", "--until", "2", "--out", "a.parquet", "--checkpoint-every", "1"]);
    let refused = |arguments: &[&str], word: &str| {
        let (out, err) = expect(2, &folder, &[&["run"], arguments].concat());
        assert!(out.is_empty() && err.contains(word), "{word} is missing: {err}");
    };
    refused(&["--resume", "a.parquet"], "a.parquet: this is no checkpoint");
    refused(&["--resume", "b.checkpoint"], "b.checkpoint: cannot be read");
    refused(&["--resume", "a.checkpoint", "--seed", "2"], "cannot be used with");
    refused(&["--resume", "a.checkpoint", "--out", "b.parquet"], "cannot be used with");
    // What the recording holds after that time stays as it is.
    let held = fs::read(folder.join("a.parquet")).expect("a recording");
    refused(&["--resume", "a.checkpoint", "--until", "1"], "--until 1: the checkpoint is at 2.00 s");
    assert!(fs::read(folder.join("a.parquet")).expect("a recording") == held);
    let bytes = fs::read(folder.join("a.checkpoint")).expect("a checkpoint");
    for (name, bytes) in [("cut", &bytes[..bytes.len() / 2]), ("empty", &[])] {
        fs::write(folder.join(name), bytes).expect("a file");
        refused(&["--resume", name], if name == "cut" { "is damaged: it has" } else { "no checkpoint" });
    }
    let mut flipped = bytes.clone();
    flipped[40] ^= 4;
    fs::write(folder.join("flipped"), flipped).expect("a file");
    refused(&["--resume", "flipped"], "its checksum does not fit");
    write(&folder, "other.toml", &LIVELY.replace("count = 250", "count = 240"));
    refused(&["other.toml", "--resume", "a.checkpoint"], "a population differs");
    // The recording is cut before the checkpoint, of another run, gone.
    let recording = fs::read(folder.join("a.parquet")).expect("a recording");
    fs::write(folder.join("a.parquet"), &recording[..recording.len() / 2]).expect("a file");
    refused(&["--resume", "a.checkpoint"], "frames up to 2.00 s, where the checkpoint is");
    expect(0, &folder, &["run", "lively.toml", "--until", "2", "--out", "a.parquet", "--seed", "5"]);
    refused(&["--resume", "a.checkpoint"], "a.parquet: is the recording of another run");
    fs::remove_file(folder.join("a.parquet")).expect("a file");
    refused(&["--resume", "a.checkpoint"], "a.parquet: there is no such file");
}

/// A room that empties within seconds.
const SMALL: &str = r#"
name = "small | room"
[place]
floor = [[0, 0], [12, 0], [12, 6], [0, 6]]
regions = [{ name = "exit", polygon = [[11, 0], [12, 0], [12, 6], [11, 6]] }]
[[population]]
name = "visitors"
count = 12
area = [[1, 1], [5, 1], [5, 5], [1, 5]]
model = { orca = { time_horizon = 4 } }
journey = ["exit"]
[run]
seed = 5
until = 60
"#;

#[test]
fn many_runs_are_the_single_ones_in_order_of_seed() {
    let folder = folder("runs");
    write(&folder, "small.toml", SMALL);
    let (out, err) = expect(0, &folder, &["run", "small.toml", "--runs", "5", "--json", "2.json", "--threads", "2"]);
    assert!(err.is_empty() && !folder.join("passerby-out").exists(), "{err}");
    for word in ["seeds 5 to 9", "T0.95", "no upper bound with 5 runs: 95 % take 72", "recording", "none"] {
        assert!(out.contains(word), "{word} is missing:\n{out}");
    }
    expect(0, &folder, &["run", "small.toml", "--runs", "5", "--json", "3.json", "--threads", "3", "--quiet"]);
    let (two, three) = (json(&folder, "2.json"), json(&folder, "3.json"));
    for name in ["each", "aggregate", "t95", "incomplete"] {
        assert_eq!(two[name], three[name], "{name}");
    }
    let mut last = Vec::new();
    for (run, seed) in two["each"].as_array().expect("runs").iter().zip(5..) {
        let arguments = ["run", "small.toml", "--seed", &seed.to_string(), "--out", "a.parquet", "--json", "a.json"];
        expect(0, &folder, &arguments);
        let alone = json(&folder, "a.json");
        assert_eq!(run["seed"].as_u64(), Some(seed));
        for name in ["digest", "arrived", "contacts", "last_arrival", "travel_time", "mean_speed", "sim_seconds"] {
            assert_eq!(run[name], alone[name], "{name} of seed {seed}");
        }
        last.push(alone["last_arrival"].as_f64().expect("somebody arrived"));
    }
    assert_eq!(last.len(), 5);
    let row = &two["aggregate"][0];
    let mean = last.iter().sum::<f64>() / 5.0;
    let sd = (last.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / 4.0).sqrt();
    assert_eq!((row["quantity"].as_str(), row["runs"].as_u64()), (Some("last arrival"), Some(5)));
    assert!((row["mean"].as_f64().expect("mean") - mean).abs() < 1e-9);
    assert!((row["sd"].as_f64().expect("sd") - sd).abs() < 1e-9);
    // 95 of 100 of five are all of them.
    assert_eq!(two["t95"]["value"].as_f64(), last.iter().copied().reduce(f64::max));
    assert!(two["t95"]["high"].is_null());
}

#[test]
fn runs_in_which_somebody_does_not_arrive_are_told() {
    let folder = folder("runs-incomplete");
    write(&folder, "small.toml", SMALL);
    let (out, _) = expect(0, &folder, &["run", "small.toml", "--runs", "3", "--until", "2", "--json", "a.json"]);
    assert!(
        out.contains("beyond the end of the runs at 2 s") && out.contains("in 3 of 3 runs (seeds 5, 6, 7)"),
        "{out}"
    );
    let result = json(&folder, "a.json");
    assert!(result["t95"]["value"].is_null());
    assert_eq!(result["incomplete"].as_array().map(Vec::len), Some(3));
    assert_ne!(result["aggregate"][0]["quantity"].as_str(), Some("last arrival"));
}

/// Where nobody is there is no speed and no last one: no number is told, neither 0 m/s nor the end of the run.
#[test]
fn runs_without_people_have_no_speeds_and_no_last_arrival() {
    let folder = folder("runs-nobody");
    write(&folder, "nobody.toml", "[place]\nfloor = [[0, 0], [9, 0], [9, 9], [0, 9]]\n[run]\nuntil = 2\n");
    let (out, _) = expect(0, &folder, &["run", "nobody.toml", "--json", "one.json", "--out", "a.parquet"]);
    assert!(out.starts_with("nobody (nobody, seed 1)\n") && out.contains("mean speed              -\n"), "{out}");
    let one = json(&folder, "one.json");
    assert_eq!([&one["mean_speed"], &one["slow_share"]], [&serde_json::Value::Null; 2]);
    let (out, _) = expect(0, &folder, &["run", "nobody.toml", "--runs", "3", "--json", "three.json"]);
    assert!(out.contains("T0.95                   -, nobody has entered\n") && !out.contains("mean speed"), "{out}");
    assert_eq!(json(&folder, "three.json")["t95"]["value"], serde_json::Value::Null);
}

#[test]
fn runs_that_would_record_are_refused_with_advice() {
    let folder = folder("runs-refused");
    write(&folder, "small.toml", SMALL);
    for option in [&["--out", "a.parquet"][..], &["--checkpoint-every", "5"], &["--realtime"], &["--every", "2"]] {
        let (_, err) = expect(2, &folder, &[&["run", "small.toml", "--runs", "3"], option].concat());
        let expected = format!("{} cannot go with --runs, which records nothing", option[0]);
        assert!(err.contains(&expected) && err.contains("hint: leave"), "{err}");
    }
}

#[test]
fn reports_say_what_was_run_and_how_to_get_it_again() {
    let folder = folder("report");
    write(&folder, "small.toml", SMALL);
    let arguments = ["run", "small.toml", "--until", "30", "--report", "a.md", "--json", "a.json", "--quiet"];
    expect(0, &folder, &arguments);
    let page = fs::read_to_string(folder.join("a.md")).expect("a report");
    let digest = json(&folder, "a.json")["digest"].as_str().expect("digest").to_owned();
    let command = "passerby run small.toml --seed 5 --until 30";
    let words = [
        "# small \\| room\n",
        "| visitors | 12 | orca |",
        "time_horizon 4",
        "| mean speed |",
        " m/s",
        &digest,
        command,
    ];
    for word in words {
        assert!(page.contains(word), "{word} is missing:\n{page}");
    }
    let again: Vec<&str> = command.split(' ').skip(1).chain(["--json", "-"]).collect();
    assert!(expect(0, &folder, &again).0.contains(&digest));
    expect(0, &folder, &["run", "small.toml", "--runs", "2", "--report", "b.md", "--quiet"]);
    let page = fs::read_to_string(folder.join("b.md")).expect("a report");
    for word in ["| seeds | 5 to 6 (2 runs) |", "| last arrival [s] |", "T0.95", "--seed 5 --until 60 --runs 2"] {
        assert!(page.contains(word), "{word} is missing:\n{page}");
    }
}
