//! Every command does what its help says.

mod common;
use common::{LONG, command, expect, folder, is_root, open, passerby, texts, write};
use std::fs;
use tiny_skia::Pixmap;

/// A room that empties within seconds.
const SMALL: &str = r#"
name = "small"
[place]
floor = [[0, 0], [12, 0], [12, 6], [0, 6]]
obstacles = [[[7, 0], [7.2, 0], [7.2, 2], [7, 2]], [[7, 4], [7.2, 4], [7.2, 6], [7, 6]]]
doors = [{ name = "front", line = [[7.1, 2], [7.1, 4]] }]
regions = [{ name = "exit", polygon = [[11, 0], [12, 0], [12, 6], [11, 6]] }]
[[population]]
name = "visitors"
count = 12
area = [[1, 1], [5, 1], [5, 5], [1, 5]]
journey = ["exit"]
[[event]]
at = 1
close = "front"
[[event]]
at = 3
open = "front"
[run]
until = 60
"#;

/// Names that `run --json` promises.
const NAMES: [&str; 22] = [
    "digest",
    "steps",
    "sim_seconds",
    "setup_seconds",
    "wall_seconds",
    "agent_steps_per_second",
    "peak_rss_bytes",
    "entered",
    "arrived",
    "unable",
    "contacts",
    "overlap_before_ground_m",
    "smallest_gap",
    "travel_time",
    "mean_speed",
    "slow_share",
    "name",
    "seed",
    "recording",
    "models",
    "interrupted",
    "inside",
];

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[track_caller]
fn picture(path: &std::path::Path) -> Pixmap {
    let bytes = fs::read(path).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"), "no PNG");
    let pixels = Pixmap::decode_png(&bytes).expect("a picture that opens");
    let first = pixels.pixels()[0];
    let others = pixels.pixels().iter().filter(|pixel| **pixel != first).count();
    assert!(others * 20 > pixels.pixels().len(), "{}: {others} pixels are drawn", path.display());
    pixels
}

#[test]
fn demo_leaves_a_recording_and_a_picture() {
    let folder = folder("demo");
    let (out, _) = expect(0, &folder, &[]);
    for word in
        ["people entered", "200", "passerby-out/demo.parquet", "passerby-out/demo.png", "passerby new", "passerby run"]
    {
        assert!(out.contains(word), "{word} is missing:\n{out}");
    }
    let recording = open(&folder.join("passerby-out/demo.parquet"));
    assert!(recording.complete());
    assert_eq!(recording.people().len(), 200);
    assert_eq!(recording.events()[0].what, "close \"north\"");
    let pixels = picture(&folder.join("passerby-out/demo.png"));
    assert_eq!(pixels.width(), 1600);
    assert!((500..2000).contains(&pixels.height()));
}

#[test]
fn run_records_what_it_says() {
    let folder = folder("run");
    write(&folder, "small.toml", SMALL);
    let (out, err) = expect(0, &folder, &["run", "small.toml", "--json", "result.json", "--every", "4", "--seed", "9"]);
    assert!(err.is_empty(), "{err}"); // no progress without a terminal
    let result = json(&fs::read_to_string(folder.join("result.json")).expect("a result"));
    for name in NAMES {
        assert!(result.get(name).is_some(), "{name} is missing");
    }
    for name in ["mean", "p95", "max"] {
        assert!(result["travel_time"][name].as_f64().expect(name) > 1.0);
    }
    assert_eq!((result["entered"].as_u64(), result["arrived"].as_u64()), (Some(12), Some(12)));
    assert_eq!((result["seed"].as_u64(), result["models"][0].as_str()), (Some(9), Some("headway")));
    let digest = result["digest"].as_str().expect("digest");
    assert!(digest.len() == 16 && digest.chars().all(|c| c.is_ascii_hexdigit()) && out.contains(digest), "{digest}");
    assert!(result["peak_rss_bytes"].as_u64().is_some_and(|bytes| bytes > 1 << 20) || !cfg!(target_os = "linux"));

    let recording = open(&folder.join("passerby-out/small.parquet"));
    let header = recording.header();
    assert!(recording.complete());
    assert_eq!((header.seed, header.every, &*header.scenario), (9, 4, SMALL));
    assert_eq!((header.place.obstacles.len(), &*header.place.doors[0].name), (2, "front"));
    assert_eq!(recording.people().len(), 12);
    let events: Vec<_> = recording.events().iter().map(|event| (event.tick, &*event.what)).collect();
    assert_eq!(events, [(20, "close \"front\""), (60, "open \"front\"")]);
    let first = recording.frame_at(0).expect("readable").expect("a frame before the first step");
    assert_eq!((first.tick, first.id.len()), (0, 12));
    assert_eq!(recording.frame_count(), result["steps"].as_u64().expect("steps") / 4 + 1);
}

#[test]
fn threads_do_not_change_the_result() {
    let folder = folder("threads");
    write(&folder, "small.toml", SMALL);
    let mut digests = Vec::new();
    for threads in ["1", "2", "8"] {
        let out = format!("{threads}.parquet");
        let arguments = ["run", "small.toml", "--json", "-", "--threads", threads, "--out", &out];
        let (text, _) = expect(0, &folder, &arguments);
        let result = json(&text);
        assert_eq!(result["threads"].as_u64(), threads.parse().ok());
        digests.push(result["digest"].as_str().expect("digest").to_owned());
    }
    assert!(digests.iter().all(|digest| *digest == digests[0]), "{digests:?}");
    let bytes = |threads: u32| fs::read(folder.join(format!("{threads}.parquet"))).expect("a recording");
    assert!(bytes(1) == bytes(2) && bytes(1) == bytes(8), "recordings differ");
    let (other, _) = expect(0, &folder, &["run", "small.toml", "--json", "-", "--seed", "2"]);
    assert_ne!(json(&other)["digest"].as_str(), Some(&*digests[0]));
}

#[test]
fn quiet_runs_say_nothing() {
    let folder = folder("quiet");
    write(&folder, "small.toml", SMALL);
    let (out, err) = expect(0, &folder, &["run", "small.toml", "--quiet", "--until", "2"]);
    assert_eq!((&*out, &*err), ("", ""));
    let (out, err) = expect(0, &folder, &["render", "passerby-out/small.parquet", "--to", "a.png", "--quiet"]);
    assert_eq!((&*out, &*err), ("", ""));
}

#[test]
fn outputs_never_replace_inputs() {
    let folder = folder("outputs");
    write(&folder, "small.toml", SMALL);
    fs::hard_link(folder.join("small.toml"), folder.join("alias.parquet")).expect("a link");
    expect(0, &folder, &["run", "small.toml", "--quiet", "--out", "good.parquet"]);
    for arguments in [
        ["run", "small.toml", "--out", "small.toml"],
        ["run", "small.toml", "--out", "./alias.parquet"],
        ["run", "small.toml", "--out", "."],
        ["run", "small.toml", "--json", "small.toml"],
        ["render", "good.parquet", "--to", "good.parquet"],
        ["render", "good.parquet", "--to", "film.avi"],
    ] {
        let (_, err) = expect(2, &folder, &arguments);
        assert!(err.starts_with(&format!("error: {} {}:", arguments[2], arguments[3])), "{err}");
    }
    assert_eq!(fs::read_to_string(folder.join("small.toml")).expect("text"), SMALL);
    // The name of a scenario leads nowhere else.
    write(&folder, "odd.toml", &SMALL.replace("name = \"small\"", "name = \"../../odd\""));
    expect(0, &folder, &["run", "odd.toml", "--until", "1"]);
    assert!(folder.join("passerby-out/odd.parquet").is_file());
}

#[test]
fn pictures_of_every_kind() {
    let folder = folder("pictures");
    write(&folder, "small.toml", SMALL);
    expect(0, &folder, &["run", "small.toml", "--out", "a.parquet"]);
    let mut seen = Vec::new();
    for color in ["time", "speed", "population"] {
        expect(0, &folder, &["render", "a.parquet", "--to", "a.png", "--color", color, "--size", "700"]);
        let pixels = picture(&folder.join("a.png"));
        assert_eq!(pixels.width(), 700);
        assert!(!seen.contains(&pixels), "{color} changes nothing");
        seen.push(pixels);
    }
    expect(0, &folder, &["render", "a.parquet", "--to", "a.png", "--size", "700", "--from", "2", "--to-time", "4"]);
    assert!(!seen.contains(&picture(&folder.join("a.png"))));
    let (_, err) = expect(2, &folder, &["render", "a.parquet", "--to", "a.png", "--from", "1000"]);
    assert!(err.contains("holds 0.00 to"), "{err}");
    let (_, err) = expect(2, &folder, &["render", "b.parquet", "--to", "a.png"]);
    assert!(err.contains("did you mean a.parquet?"), "{err}");
    let (_, err) = expect(2, &folder, &["render", "small.toml", "--to", "a.png"]);
    assert!(err.contains("small.toml: not a recording"), "{err}");
    let (_, err) = expect(1, &folder, &["render", "a.parquet", "--to", "nowhere/a.png"]);
    assert!(err.contains("nowhere/a.png cannot be written"), "{err}");
}

#[test]
fn new_writes_a_scenario_that_runs() {
    let folder = folder("new");
    expect(0, &folder, &["new", "my room"]);
    let (out, _) = expect(0, &folder, &["check", "my room.toml"]);
    assert!(out.contains("my room.toml: ok") && out.contains("40 people, headway"), "{out}");
    expect(0, &folder, &["run", "my room.toml", "--until", "3"]);
    assert!(folder.join("passerby-out/my room.parquet").is_file());
    for degrees in ["60", "180", "0.5"] {
        let name = format!("streams {degrees}");
        expect(0, &folder, &["new", &name, "--crossing", degrees]);
        let (out, _) = expect(0, &folder, &["check", &format!("{name}.toml")]);
        assert!(out.contains("\"first\": 50 people") && out.contains("\"second\": 50 people"), "{out}");
    }
    for wrong in ["0", "180.1", "-60", "nan"] {
        let (_, err) = expect(2, &folder, &["new", "other", "--crossing", wrong]);
        assert!(err.contains("up to 180 degrees"), "{err}");
    }
    write(&folder, "mine.toml", "mine");
    for name in ["mine", "mine.toml"] {
        let (_, err) = expect(2, &folder, &["new", name]);
        assert!(err.contains("mine.toml is there already"), "{err}");
    }
    assert_eq!(fs::read_to_string(folder.join("mine.toml")).expect("text"), "mine");
    expect(2, &folder, &["new", ".."]);
    let (_, err) = expect(1, &folder, &["new", "nowhere/room"]);
    assert!(err.contains("nowhere/room.toml cannot be written"), "{err}");
}

#[test]
fn check_describes_and_its_json_parses() {
    let folder = folder("check");
    write(&folder, "small.toml", SMALL);
    let (out, err) = expect(0, &folder, &["check", "small.toml"]);
    for word in ["small.toml: ok", "72.0 m2", "front", "exit", "\"visitors\": 12 people, headway"] {
        assert!(out.contains(word), "{word} is missing:\n{out}");
    }
    assert!(err.is_empty(), "{err}");
    let (out, _) = expect(0, &folder, &["check", "small.toml", "--json"]);
    let value = json(&out);
    assert_eq!((value["ok"].as_bool(), value["populations"][0]["count"].as_u64()), (Some(true), Some(12)));
    write(&folder, "wrong.toml", &SMALL.replace("count = 12", "count = -3"));
    let (out, _) = expect(2, &folder, &["check", "wrong.toml", "--json"]);
    let value = json(&out);
    assert_eq!((value["ok"].as_bool(), value["problems"][0]["line"].as_u64()), (Some(false), Some(10)), "{out}");
    expect(2, &folder, &["check", "missing.toml", "--json"]);
}

#[test]
fn schema_is_json() {
    let (out, _) = expect(0, &folder("schema"), &["schema"]);
    assert!(json(&out)["$defs"].is_object());
}

#[test]
fn help_and_usage() {
    let folder = folder("usage");
    for arguments in [&["--help"][..], &["run", "--help"], &["check", "-h"], &["render", "--help"], &["--version"]] {
        let (out, err) = expect(0, &folder, arguments);
        assert!(!out.is_empty() && err.is_empty(), "{arguments:?}: {err}");
    }
    for (arguments, word) in [
        (&["rnu", "a.toml"][..], "did you mean `passerby run`?"),
        (&["chekc"], "did you mean `passerby check`?"),
        (&["room.toml"], "did you mean `passerby run room.toml`?"),
        (&["run"], "SCENARIO"),
        (&["run", "a.toml", "--threads", "0"], "--threads"),
        (&["run", "a.toml", "--until", "nan"], "0.001 to 1000000"),
        (&["run", "a.toml", "--every", "0"], "--every"),
        (&["run", "a.toml", "--seed", "-1"], "--seed"),
        (&["run", "a.toml", "--sed", "1"], "--seed"),
        (&["render", "a.parquet", "--to", "a.png", "--color", "sped"], "speed"),
    ] {
        let (_, err) = expect(2, &folder, arguments);
        assert!(err.starts_with("error: ") && err.contains(word), "{arguments:?}: {err}");
    }
}

#[cfg(unix)]
#[test]
fn closed_and_full_stdout() {
    let folder = folder("stdout");
    let closed = common::shell(&folder, &format!("set -o pipefail; '{}' schema | true", common::PASSERBY));
    assert_eq!(texts(&closed).1, "");
    assert!(closed.status.success());
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let output = command(&folder, &["schema"]).stdout(full).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(texts(&output).1.starts_with("error: cannot print the result"), "{output:?}");
}

#[test]
fn folders_that_take_nothing() {
    let folder = folder("read-only");
    write(&folder, "small.toml", SMALL);
    let check = |out: &str, words: &[&str]| {
        let (_, err) = expect(1, &folder, &["run", "small.toml", "--out", out]);
        for word in words {
            assert!(err.contains(word), "{word} is missing: {err}");
        }
        assert!(err.starts_with("error: the recording ") && err.lines().count() == 1, "{err}");
    };
    check("nowhere/a.parquet", &["nowhere/a.parquet", "No such file", "0 s of the run are safe", "--out"]);
    check("/sys/x.parquet", &["/sys/x.parquet", "0 s of the run are safe", "--out"]);
    if is_root() {
        println!("skipped: a folder without the right to write does not stop root");
        return;
    }
    let locked = folder.join("locked");
    fs::create_dir(&locked).expect("a folder");
    let mut rights = fs::metadata(&locked).expect("rights").permissions();
    rights.set_readonly(true);
    fs::set_permissions(&locked, rights).expect("rights");
    check("locked/a.parquet", &["locked/a.parquet", "Permission denied", "0 s of the run are safe"]);
}

#[test]
fn long_names_and_strange_scenarios_do_not_break_anything() {
    let folder = folder("strange");
    let name = "x".repeat(100);
    write(&folder, "strange.toml", &LONG.replace("\"long\"", &format!("\"{name}\"")));
    expect(0, &folder, &["run", "strange.toml", "--until", "1", "--out", "a.parquet"]);
    expect(0, &folder, &["render", "a.parquet", "--to", "a.png"]); // a corridor of 700 m x 4 m
    picture_opens(&folder.join("a.png"));
    write(&folder, "nobody.toml", "[place]\nfloor = [[0, 0], [9, 0], [9, 9]]\n");
    let output = passerby(&folder, &["run", "nobody.toml", "--out", "nobody.parquet"]);
    assert!(output.status.success(), "{output:?}");
    expect(0, &folder, &["render", "nobody.parquet", "--to", "nobody.png"]);
    picture_opens(&folder.join("nobody.png"));
}

fn picture_opens(path: &std::path::Path) {
    assert!(Pixmap::decode_png(&fs::read(path).expect("a picture")).is_ok());
}

/// The page on situations is what the command prints.
#[test]
fn the_reference_of_situations_is_that_of_the_code() {
    let folder = folder("the_reference_of_situations");
    let (printed, _) = expect(0, &folder, &["schema", "--situations"]);
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/situations-reference.md")).expect("a page");
    assert_eq!(printed, page, "make it anew: passerby schema --situations > docs/situations-reference.md");
}

/// What happened in situations is told by the table, by the JSON and by `check`.
#[test]
fn situations_are_told() {
    let folder = folder("situations_are_told");
    let scene = SMALL.replace(
        "[run]",
        "[[situation]]\nname = \"desk\"\nregion = [[0, 0], [7, 0], [7, 6], [0, 6]]\nbehaviours = [{ wait = 2 }]\nrule = \"let x = 1 / 0;\"\n[run]",
    );
    write(&folder, "desk.toml", &scene);
    let (checked, _) = expect(0, &folder, &["check", "desk.toml"]);
    assert!(checked.contains("situations  desk"), "{checked}");
    let (report, _) = expect(0, &folder, &["run", "desk.toml", "--json", "-"]);
    let report = json(&report);
    assert_eq!(report["situations"][0]["name"], "desk");
    assert_eq!(report["situations"][0]["entered"], 12);
    assert_eq!(report["stopped_rules"].as_array().map(Vec::len), Some(12));
    let told = report["stopped_rules"][0].as_str().expect("a sentence");
    assert!(told.contains("rule of \"desk\", line 1, person") && told.contains("Division by zero"), "{told}");
}
