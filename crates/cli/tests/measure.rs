//! `passerby measure`: five recordings of real people as PedPy measures them in the same test, and everything that may be wrong
//! with what is measured.

mod common;
use common::{expect, folder, write};
use passerby::record::{FORMAT, Frame, Header, PlaceShape, Writer};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// `PASSERBY_DATA`, or `../shared/data` beside the project, and the interpreter with PedPy; without them the test says so.
fn data_and_python() -> Option<(PathBuf, std::ffi::OsString)> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("PASSERBY_DATA").map_or_else(beside, PathBuf::from).join("trajectories");
    if !data.is_dir() {
        println!("skipped: there is no {}", data.display());
        return None;
    }
    let Some(python) = std::env::var_os("PASSERBY_PYTHON") else {
        println!("skipped: PASSERBY_PYTHON is not set; `cargo xtask test` makes the environment it names");
        return None;
    };
    Some((data.canonicalize().expect("a folder"), python))
}

struct Case {
    file: &'static str,
    format: &'static str,
    unit: &'static str,
    fps: f64,
    /// Frames of the file between two rows of a person.
    every: f64,
    /// Corners of the walls; none: the file has them.
    floor: Option<&'static [[f64; 2]]>,
    obstacles: &'static [&'static [[f64; 2]]],
    area: &'static [[f64; 2]],
    line: [[f64; 2]; 2],
    /// Whether who crosses the line is compared: PedPy does not see a crossing while somebody is missing for some frames, as people
    /// are in zara01, nor in their last frame; here they have crossed.
    crossings: bool,
    /// Whether somebody jumps: PedPy uses such a step like any other, and so do we if we are told to.
    jumps: bool,
}

const CORRIDOR: &[[f64; 2]] = &[
    [2.8, -6.5],
    [2.8, -4.0],
    [1.8, -4.0],
    [1.8, 4.0],
    [2.8, 4.0],
    [2.8, 8.0],
    [-1.0, 8.0],
    [-1.0, 4.0],
    [0.0, 4.0],
    [0.0, -4.0],
    [-1.0, -4.0],
    [-1.0, -6.5],
];

#[rustfmt::skip]
const CASES: &[Case] = &[
    Case { file: "juelich-corridor-uni/uo-100-180-180.txt", format: "txt", unit: "cm", fps: 16.0, every: 1.0, floor: Some(CORRIDOR), obstacles: &[],
        area: &[[0.0, -2.0], [1.8, -2.0], [1.8, 2.0], [0.0, 2.0]], line: [[0.0, 0.0], [1.8, 0.0]], crossings: true, jumps: false },
    Case { file: "juelich-corridor-uni/uo-180-180-180.txt", format: "txt", unit: "cm", fps: 16.0, every: 1.0, floor: Some(CORRIDOR), obstacles: &[],
        area: &[[0.3, -1.0], [1.5, -1.2], [1.7, 1.1], [0.9, 2.0]], line: [[1.8, 1.0], [0.0, 1.0]], crossings: true, jumps: false },
    Case { file: "juelich-crossing-90/traj_crossing_90_c_6_v5.txt", format: "txt", unit: "m", fps: 25.0, every: 1.0,
        floor: Some(&[[0.0, 0.0], [0.0, -1.0], [4.0, -1.0], [4.0, 0.0], [6.5, 0.0], [6.5, 4.0], [4.0, 4.0], [4.0, 5.0], [0.0, 5.0], [0.0, 4.0], [-4.0, 4.0], [-4.0, 0.0]]),
        obstacles: &[&[[2.08, 2.30], [2.22, 2.22], [2.30, 2.08], [2.30, 1.92], [2.22, 1.79], [2.08, 1.70], [1.92, 1.70], [1.78, 1.78], [1.70, 1.92], [1.70, 2.08], [1.78, 2.22], [1.92, 2.30]]],
        area: &[[2.5, 1.0], [3.5, 1.0], [3.5, 3.0], [2.5, 3.0]], line: [[3.0, 0.0], [3.0, 4.0]], crossings: true, jumps: false },
    Case { file: "juelich-bottleneck-pupils/00_01a.h5", format: "hdf5", unit: "m", fps: 25.0, every: 1.0, floor: None, obstacles: &[],
        area: &[[-0.5, 0.5], [0.5, 0.5], [0.5, 1.5], [-0.5, 1.5]], line: [[-0.4, 0.0], [0.4, 0.0]], crossings: true, jumps: true },
    Case { file: "ucy-zara01/obsmat.txt", format: "obsmat", unit: "m", fps: 25.0, every: 10.0, floor: Some(&[[-8.0, 4.0], [7.0, 4.0], [7.0, 21.0], [-8.0, 21.0]]), obstacles: &[],
        area: &[[-3.0, 8.0], [3.0, 8.0], [3.0, 14.0], [-3.0, 14.0]], line: [[0.0, 21.0], [0.0, 4.0]], crossings: false, jumps: false },
];

fn joined(points: &[[f64; 2]]) -> String {
    points.iter().flatten().map(f64::to_string).collect::<Vec<_>>().join(",")
}

fn ring(points: &[[f64; 2]]) -> String {
    let corners = points.iter().chain(points.first()).map(|[x, y]| format!("{x} {y}"));
    format!("({})", corners.collect::<Vec<_>>().join(", "))
}

/// Ours, as JSON.
fn ours(folder: &Path, data: &Path, case: &Case, width: f64) -> Value {
    let [line, area] = [&case.line[..], case.area].map(joined);
    let (file, fps) = (data.join(case.file), case.fps.to_string());
    let seconds = |frames: f64| (frames * case.every / case.fps).to_string();
    let (step, cells) = (seconds(5.0), seconds(10.0));
    let (line, area, strip) = (format!("line={line}"), format!("area={area}"), format!("strip={line},{width}"));
    let mut arguments = vec!["measure", file.to_str().expect("UTF-8"), "--json", "-", "--line", &line, "--area", &area];
    arguments.extend(["--strip", &strip, "--step", &step, "--cells-every", &cells, "--fps", &fps]);
    if case.format != "hdf5" {
        arguments.extend(["--unit", case.unit]);
    }
    if case.jumps {
        arguments.extend(["--jump-speed", "none"]);
    }
    if let Some(floor) = case.floor {
        let rings: Vec<String> = std::iter::once(floor).chain(case.obstacles.iter().copied()).map(ring).collect();
        write(folder, "walls.wkt", &format!("POLYGON ({})", rings.join(", ")));
        arguments.extend(["--place", "walls.wkt"]);
    }
    serde_json::from_str(&expect(0, folder, &arguments).0).expect("JSON")
}

/// PedPy's, as JSON.
fn theirs(python: &std::ffi::OsStr, data: &Path, case: &Case, width: f64) -> Value {
    let asked = json!({
        "file": data.join(case.file), "format": case.format, "unit": case.unit, "fps": case.fps, "floor": case.floor,
        "obstacles": case.obstacles, "area": case.area, "line": case.line, "width": width, "step": 5, "cells_every": 10,
        "delta": (10.0 * case.fps / case.every).round() as u64,
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings_with_pedpy.py");
    let output = Command::new(python).arg(script).arg(asked.to_string()).output().expect("PASSERBY_PYTHON starts");
    assert!(output.status.success(), "{}: {}", case.file, String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[track_caller]
fn near(file: &str, what: &str, found: &Value, expected: &Value, relative: f64) {
    let (Some(a), Some(b)) = (found.as_f64(), expected.as_f64()) else {
        assert_eq!((found.is_null(), expected.is_null()), (true, true), "{file}: {what} {found}, PedPy {expected}");
        return;
    };
    assert!((a - b).abs() <= relative * b.abs() + 1e-12, "{file}: {what} {a}, PedPy {b}");
}

/// Who crosses the line, who passes the strip, and the flow.
fn crossings_agree(case: &Case, found: &Value, expected: &Value) {
    let (file, line, strip) = (case.file, &found["lines"][0], &found["strips"][0]);
    near(file, "people who passed", &strip["people"], &expected["passed"], 0.0);
    near(file, "passing density", &strip["density"], &expected["passing_density"], 1e-6);
    near(file, "passing speed", &strip["speed_m_s"], &expected["passing_speed"], 1e-6);
    let times: Vec<f64> = line["n_t_s"].as_array().expect("times").iter().filter_map(Value::as_f64).collect();
    let first = found["from_s"].as_f64().expect("a time");
    let frames: Vec<i64> = times.iter().map(|s| ((s - first) * case.fps / case.every).round() as i64).collect();
    assert_eq!(json!(frames), expected["crossing_frames"], "{file}: N-t");
    let flows: Vec<&Value> = line["flow_windows"].as_array().expect("windows").iter().map(|w| &w[3]).collect();
    let windows = expected["flow"].as_array().expect("flows");
    assert_eq!(flows.len(), windows.len(), "{file}: windows of flow");
    flows.iter().zip(windows).for_each(|(a, b)| near(file, "flow", a, b, 1e-6));
}

#[test]
fn recordings_measure_as_pedpy_does() {
    let Some((data, python)) = data_and_python() else { return };
    for case in CASES {
        let folder = folder("measure-pedpy");
        let (found, expected) = (ours(&folder, &data, case, 1.0), theirs(&python, &data, case, 1.0));
        let file = case.file;
        let (area, line) = (&found["areas"][0], &found["lines"][0]);
        let exact = [
            ("rows", &found["rows"], "rows"),
            ("density", &area["density"]["mean"], "density"),
            ("largest density", &area["density"]["max"], "density_max"),
            ("speed in the area", &area["speed_m_s"], "speed"),
            ("speed with empty frames", &area["speed_with_empty_m_s"], "speed_with_empty"),
            ("speed of all rows", &found["speed_m_s"]["mean"], "speed_of_rows"),
        ];
        exact.iter().for_each(|(what, value, name)| near(file, what, value, &expected[name], 1e-6));
        if case.crossings {
            crossings_agree(case, &found, &expected);
        }
        let cells = &line["cells"];
        let voronoi = [
            ("Voronoi density", &area["voronoi_density"]["mean"], "voronoi_density"),
            ("Voronoi speed", &area["voronoi_speed_m_s"], "voronoi_speed"),
            ("density at the line", &cells["density"], "line_density"),
            ("density from the left", &cells["from_left"]["density"], "line_density_1"),
            ("speed at the line", &cells["speed_m_s"], "line_speed"),
            ("speed from the right", &cells["from_right"]["speed_m_s"], "line_speed_2"),
            ("flow at the line", &cells["flow_per_m_s"], "line_flow"),
            ("neighbours", &found["neighbours"]["count"], "neighbours"),
            ("distance of neighbours", &found["neighbours"]["distance_m"], "neighbour_distance"),
        ];
        voronoi.iter().for_each(|(what, value, name)| near(file, what, value, &expected[name], 1e-3));
    }
}

/// A walker whom we know everything about.
const ONE: &str = r#"
name = "one"
[place]
floor = [[0, 0], [30, 0], [30, 4], [0, 4]]
doors = [{ name = "gate", line = [[10, 0], [10, 4]] }]
regions = [{ name = "end", polygon = [[28, 0], [30, 0], [30, 4], [28, 4]] }]
[[population]]
at = [[1, 2]]
model = "straight"
speed = 1.0
journey = ["end"]
[[measure]]
name = "middle"
area = [[5, 1], [15, 1], [15, 3], [5, 3]]
[[measure]]
name = "line"
line = [[20, 4], [20, 0]]
[[measure]]
name = "strip"
line = [[12, 4], [12, 0]]
width = 2
"#;

#[test]
fn named_lines_and_areas_are_reported_by_runs_and_by_measure() {
    let folder = folder("measure-named");
    write(&folder, "one.toml", ONE);
    let (run, _) = expect(0, &folder, &["run", "one.toml", "--out", "one.parquet"]);
    for words in ["area middle", "line line", "1 person, 0 crossings from its left and 1 from its right", "strip strip"]
    {
        assert!(run.contains(words), "{words}\n{run}");
    }
    let json: Value =
        serde_json::from_str(&expect(0, &folder, &["run", "one.toml", "--out", "one.parquet", "--json", "-"]).0)
            .unwrap();
    let (measured, _) = expect(0, &folder, &["measure", "one.parquet", "--json", "-"]);
    let measured: Value = serde_json::from_str(&measured).unwrap();
    for name in ["areas", "lines", "strips"] {
        assert_eq!(json["measures"][name], measured[name], "{name}");
    }
    // The line leads downwards, so who walks to +x comes from its right. 27 m at 1 m/s, 10 of them in 20 m2; the strip from x = 12 to 14 takes 2 s.
    let near = |value: &Value, expected: f64, within: f64| {
        assert!((value.as_f64().unwrap() - expected).abs() < within, "{value}, {expected}")
    };
    near(&measured["areas"][0]["density"]["mean"], 10.0 / 27.0 / 20.0, 2e-4);
    near(&measured["areas"][0]["speed_m_s"], 1.0, 1e-3);
    near(&measured["lines"][0]["first_s"], 19.0, 0.06);
    near(&measured["strips"][0]["speed_m_s"], 1.0, 0.03);
    near(&measured["walks"]["length_m"]["mean"], 27.0, 0.1);
    near(&measured["exits"]["each"][0]["last_s"], 27.0, 0.1);
    assert_eq!((&measured["lines"][0]["name"], &measured["exits"]["each"][0]["name"]), (&json!("line"), &json!("end")));
    // Where nobody can be: said by `check`, before a run, and before many.
    write(
        &folder,
        "off.toml",
        &ONE.replace("area = [[5, 1], [15, 1], [15, 3], [5, 3]]", "area = [[5, 6], [15, 6], [15, 8], [5, 8]]"),
    );
    let run = ["run", "off.toml", "--out", "off.parquet"];
    for arguments in [&["check", "off.toml"][..], &run, &["run", "off.toml", "--runs", "1"]] {
        let (_, err) = expect(0, &folder, arguments);
        assert_eq!(
            err.matches("warning: area \"middle\" lies off the floor of the place").count(),
            1,
            "{arguments:?}: {err}"
        );
    }
    // Named on the command line instead.
    let (table, _) =
        expect(0, &folder, &["measure", "one.parquet", "--line", "4,0,4,4", "--area", "here=2,0,4,0,4,4,2,4"]);
    assert!(table.contains("line line 1") && table.contains("area here") && !table.contains("middle"), "{table}");
}

#[test]
fn what_cannot_be_measured_is_said() {
    let folder = folder("measure-wrong");
    write(&folder, "one.txt", "1 0 0.5 0.5\n1 1 0.6 0.5\n");
    let text = ["--unit", "m", "--fps", "10"];
    let refused = |arguments: &[&str], words: &[&str]| {
        let (_, err) = expect(2, &folder, &[&["measure", "one.txt"], arguments, &text].concat());
        assert!(words.iter().all(|word| err.contains(word)), "{err}, expected {words:?}");
    };
    refused(&["--area", "1,2,3"], &["three corners"]);
    refused(&["--area", "0,0,1,1,0,1,1,0"], &["meets the edge"]);
    refused(&["--line", "0,0,0,0"], &["two different ends"]);
    refused(&["--strip", "0,0,1,0,-1"], &["a width above 0"]);
    refused(&["--strip", "0,0,1,0"], &["4 numbers are no strip", "X1,Y1,X2,Y2,WIDTH"]);
    refused(&["--step", "0"], &["above 0"]);
    refused(&["--step", "1e9"], &["up to 10,"]);
    refused(&["--cut-off", "1e9"], &["0.01 to 10000"]);
    refused(&["--line", "0,0,1e12,0"], &["`1e12`", "-1000000000 to 1000000000"]);
    refused(&["--line", "0,0,nan,0"], &["`nan`"]);
    refused(&["--line", "-1,0,-1e12,0"], &["`-1e12`"]);
    refused(&["--to-time", "inf"], &["leave it out for all"]);
    refused(&["--jump-speed", "0"], &["or none"]);
    refused(&["--line", "a=0,0,1,0", "--line", "a=0,1,1,1"], &["--line a=", "two of this name"]);
    refused(&["--area", "0,0,1,0,1,1", "--area", "area 1=0,0,1,0,1,1"], &["--area area 1=", "two of this name"]);
    refused(&["--strip", "b=0,0,1,0,1", "--strip", "b=0,1,1,1,1"], &["--strip b=", "two of this name"]);
    refused(&["--groups", "groups.txt"], &["--groups goes with encounters", "add --encounters"]);
    refused(&["--encounter-within", "2"], &["--encounter-within goes with encounters"]);
    refused(&["--entropy"], &["nobody is there for three frames in a row"]);
    refused(&["--encounters-csv", "-"], &["name a file"]);
    refused(&["--encounters-csv", "a", "--json", "a"], &["--encounters-csv a", "would overwrite"]);
    refused(&["--encounters-csv", "one.txt"], &["--encounters-csv one.txt", "would overwrite"]);
    refused(&["--cut-off", "-2"], &["or none"]);
    refused(&["--cut-off", "none", "--area", "0,0,1,0,1,1"], &["no walls", "--place FILE"]);
    refused(&["--from-time", "50"], &["--from-time 50: nothing was recorded then"]);
    refused(&["--from-time", "50", "--to-time", "60"], &["--from-time 50 --to-time 60: nothing was recorded then"]);
    refused(&["--to-time", "-1"], &["--to-time -1: nothing was recorded then"]);
    refused(&["--place", "nowhere.wkt"], &["nowhere.wkt", "no such file"]);
    write(&folder, "empty.txt", "");
    assert!(expect(2, &folder, &[&["measure", "empty.txt"][..], &text].concat()).1.contains("empty.txt"));
}

/// One person, one frame, nobody moving, people on top of each other, a teleport: numbers that are right, or none.
#[test]
fn few_people_and_strange_ones() {
    let folder = folder("measure-few");
    let measure = |name: &str, rows: &str| -> Value {
        write(&folder, name, rows);
        let area = "all=-5,-5,50,-5,50,50,-5,50";
        let (out, _) = expect(
            0,
            &folder,
            &["measure", name, "--unit", "m", "--fps", "10", "--area", area, "--line", "2,-1,2,3", "--json", "-"],
        );
        serde_json::from_str(&out).expect("JSON")
    };
    let one = measure("one.txt", "7 3 1.5 1.5\n");
    assert_eq!((&one["frames"], &one["rows"], &one["speed_m_s"]["mean"]), (&json!(1), &json!(1), &Value::Null));
    assert_eq!((&one["walks"]["slow_share"], &one["contacts"]["smallest_gap_m"]), (&Value::Null, &Value::Null));
    assert_eq!((&one["lines"][0]["people"], &one["lines"][0]["flow_per_s"]), (&json!(0), &Value::Null));
    let same = measure("same.txt", "1 0 1 1\n1 1 1 1\n1 2 1 1\n2 0 1 1\n2 1 1 1\n2 2 1 1\n");
    assert!(same["areas"][0]["voronoi_density"]["mean"].as_f64().is_some_and(f64::is_finite));
    assert_eq!(same["speed_m_s"]["mean"], json!(0.0));
}

/// 1 m at 1 m/s, a jump of 39 m over the line, 1 m at 1 m/s; and all of it with the jump, as PedPy measures it.
#[test]
fn a_jump_is_stated_and_used_for_nothing() {
    let folder = folder("measure-jump");
    let x = |frame: u32| 0.1 * f64::from(frame) + if frame > 10 { 38.9 } else { 0.0 };
    let rows: String = (0..=21).map(|frame| format!("1 {frame} {} 0\n", x(frame))).collect();
    write(&folder, "jump.txt", &rows);
    let arguments =
        ["measure", "jump.txt", "--unit", "m", "--fps", "10", "--line", "20,-1,20,1", "--strip", "0.5,1,0.5,-1,38"];
    let measure = |more: &[&str]| -> Value {
        serde_json::from_str(&expect(0, &folder, &[&arguments[..], more, &["--json", "-"]].concat()).0).expect("JSON")
    };
    let near = |value: &Value, expected: f64| {
        assert!((value.as_f64().expect("a number") - expected).abs() < 1e-9, "{value}, expected {expected}");
    };
    let split = measure(&[]);
    assert_eq!((&split["jumps_left_out"], &split["jump_speed_m_s"]), (&json!(1), &json!(5.0)));
    near(&split["walks"]["length_m"]["mean"], 2.0);
    near(&split["walks"]["time_s"]["mean"], 2.1);
    near(&split["walks"]["speed_m_s"]["mean"], 1.0); // 2 m in the 2 s that are no jump
    near(&split["walks"]["effort_j_kg"]["mean"], (2.23 + 1.26) * 2.0);
    near(&split["walks"]["slow_share"], 0.0);
    assert_eq!(split["walks"]["detour"]["mean"], Value::Null);
    near(&split["speed_m_s"]["max"], 1.0);
    assert_eq!((&split["lines"][0]["people"], &split["strips"][0]["people"]), (&json!(0), &json!(0)));
    let (table, _) = expect(0, &folder, &arguments);
    assert!(table.contains("1 time faster than people are, first person 1 at 1.10 s"), "{table}");
    assert!(table.contains("1 jump: no way, crossing, speed or turn leads over one"), "{table}");
    let whole = measure(&["--jump-speed", "none"]);
    assert_eq!((&whole["jumps_left_out"], &whole["jump_speed_m_s"]), (&json!(0), &Value::Null));
    near(&whole["walks"]["length_m"]["mean"], 41.0);
    assert_eq!((&whole["lines"][0]["people"], &whole["strips"][0]["people"]), (&json!(1), &json!(1)));
    assert!(whole["speed_m_s"]["max"].as_f64().is_some_and(|speed| speed > 90.0), "{}", whole["speed_m_s"]); // 39.3 m in 0.4 s
    let (out, err) = expect(
        0,
        &folder,
        &[
            "plot",
            "jump.txt",
            "--unit",
            "m",
            "--fps",
            "10",
            "--line",
            "20,-1,20,1",
            "--what",
            "speed",
            "--to",
            "speed.svg",
            "--json",
            "-",
        ],
    );
    let plotted: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&plotted["lines"][0]["people"], &plotted["jumps_left_out"]), (&json!(0), &json!(1)));
    assert!(err.contains("warning: 1 jump left out of tracks, crossings and speeds"), "{err}");
    near(&plotted["speed_m_s"]["mean"], 1.0);
}

/// Where nobody can be there is nothing to measure: it is said, and measured all the same.
#[test]
fn lines_and_areas_that_lie_elsewhere_are_warned_of() {
    let folder = folder("measure-astray");
    write(&folder, "one.txt", "1 0 0.5 0.5\n1 1 0.6 0.5\n1 2 0.7 0.6\n");
    write(&folder, "room.wkt", "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))");
    write(&folder, "hall.wkt", "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))");
    let recorded = ["one.txt", "--unit", "m", "--fps", "10"];
    let said = |arguments: &[&str]| expect(0, &folder, &[&["measure"], &recorded[..], arguments].concat()).1;
    assert_eq!(said(&["--line", "0,0.5,4,0.5", "--area", "0,0,1,0,1,1", "--place", "room.wkt"]), "");
    let far = ["--line", "gate=50,0,50,4", "--area", "hall=-1,-1,-3,-1,-3,-3", "--strip", "way=5,0,5,4,-0"];
    assert!(expect(2, &folder, &[&["measure"], &recorded[..], &far].concat()).1.contains("a width above 0"));
    let far = ["--line", "gate=50,0,50,4", "--area", "hall=-1,-1,-3,-1,-3,-3", "--strip", "way=7,0,7,4,1"];
    let err = said(&[&far[..], &["--place", "room.wkt"]].concat());
    for words in [
        "warning: line \"gate\" lies off the floor",
        "warning: area \"hall\" lies off",
        "warning: strip \"way\" lies off",
    ] {
        assert!(err.contains(words), "{words}\n{err}");
    }
    assert!(
        said(&far).contains("line \"gate\" lies beyond everybody: people were between (0.50, 0.50) and (0.70, 0.60) m")
    );
    assert_eq!(said(&[&far[..], &["--quiet"]].concat()), "");
    // A text that may have been cut says so.
    write(&folder, "cut.txt", "1 0 0.5 0.5\n1 1 0.6 0.5\n1 2 0.7 0.6");
    for arguments in [vec!["measure"], vec!["plot", "--what", "egress", "--to", "e.svg"]] {
        let (_, err) = expect(0, &folder, &[&arguments[..], &["cut.txt", "--unit", "m", "--fps", "10"]].concat());
        assert!(err.contains("warning: cut.txt: ") && err.contains("may have been cut"), "{err}");
    }
    // A place over another place.
    let export = |more: &[&str], to: &str| expect(0, &folder, &[&["export"], more, &["--to", to]].concat()).1;
    assert_eq!(export(&[&recorded[..], &["--place", "room.wkt"]].concat(), "one.parquet"), "");
    assert_eq!(export(&["one.parquet", "--place", "room.wkt"], "same.parquet"), "");
    let replaced = "warning: --place hall.wkt: one.parquet has walls";
    assert!(export(&["one.parquet", "--place", "hall.wkt"], "other.parquet").contains(replaced));
    for arguments in [vec!["measure", "one.parquet"], vec!["plot", "one.parquet", "--what", "egress", "--to", "e.svg"]]
    {
        assert!(expect(0, &folder, &[&arguments[..], &["--place", "hall.wkt"]].concat()).1.contains(replaced));
    }
    let other = common::open(&folder.join("other.parquet"));
    assert_eq!(other.header().place.areas, [[[[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]]]);
}

/// Two cross at a right angle, as in the worked example: the second brakes from 1.5 to 1.2 m/s between 1 and 2 s and lets the first pass.
#[test]
fn single_encounters_are_rows_of_a_table() {
    let folder = folder("measure-pairs");
    let braking = |t: f64| (t - 1.0_f64).clamp(0.0, 1.0);
    let y = |t: f64| -6.1 + 1.5 * t - 0.15 * braking(t) * braking(t) - 0.3 * (t - 2.0).max(0.0);
    let mut rows = String::new();
    for frame in 0..=120_u32 {
        let t = 0.05 * f64::from(frame);
        rows += &format!("3 {frame} {:.6} 0\n8 {frame} 0 {:.6}\n", -6.0 + 1.5 * t, y(t));
    }
    write(&folder, "pair.txt", &rows);
    let recorded = ["pair.txt", "--unit", "m", "--fps", "20"];
    let (out, _) =
        expect(0, &folder, &[&["measure"], &recorded[..], &["--encounters-csv", "pairs.csv", "--entropy"]].concat());
    assert!(out.contains("1 used; 0 groups") && out.contains("nats: walking on misses by"), "{out}");
    let text = std::fs::read_to_string(folder.join("pairs.csv")).expect("a table");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 2, "{text}");
    let value = |name: &str| lines[1][lines[0].iter().position(|column| *column == name).expect("a column")];
    let near = |name: &str, expected: f64, within: f64| {
        let found: f64 = value(name).parse().expect("a number");
        assert!((found - expected).abs() <= within, "{name}: {found}, expected {expected}\n{text}");
    };
    assert_eq!((value("id_1"), value("id_2"), value("would_pass_first"), value("passed_first")), ("3", "8", "3", "3"));
    // After 2 s the second is at -6.1 + 3 - 0.15 + 1.2 (t - 2), the first at -6 + 1.5 t: nearest after 4.274 s, 0.664 m.
    near("closest_s", 4.274, 0.03);
    near("clearance_m", 0.664, 0.01);
    near("see_s", 0.25, 0.051);
    // The filter of 0.5 Hz spreads the braking by some tenths of a second and overshoots it a little at both ends.
    near("predicted_at_first_m", 0.1 / 2.0_f64.sqrt(), 0.05);
    near("reaction_s", 1.1, 0.35);
    near("regulation_s", 1.9, 0.35);
    near("adaptation_1_m_s", 0.0, 0.01);
    near("adaptation_2_m_s", 0.3, 0.05);
    // Nobody meets: the chart says so, and so does the command.
    write(
        &folder,
        "alone.txt",
        &rows.lines().filter(|row| row.starts_with('3')).map(|row| format!("{row}\n")).collect::<String>(),
    );
    let alone = ["plot", "alone.txt", "--unit", "m", "--fps", "20"];
    let (_, err) = expect(0, &folder, &[&alone[..], &["--what", "encounters", "--to", "e.svg"]].concat());
    assert!(err.contains("the chart of encounters is empty"), "{err}");
    assert!(
        std::fs::read_to_string(folder.join("e.svg")).expect("a chart").contains("no two people would have passed")
    );
    let (_, err) = expect(
        0,
        &folder,
        &[&alone[..], &["--what", "diagram", "--area", "-6,1,6,1,6,2,-6,2", "--to", "d.svg"]].concat(),
    );
    assert!(err.contains("the fundamental diagram is empty") && err.contains("lies beyond everybody"), "{err}");
    assert!(
        std::fs::read_to_string(folder.join("d.svg")).expect("a chart").contains("nobody walked in any of these areas")
    );
}

/// The pairs of the reference: 228 encounters among those of zara01 who do not walk together, 80 of them predicted to pass within a metre.
#[test]
fn encounters_say_how_many_they_used() {
    let Some((data, _)) = data_and_python() else { return };
    let folder = folder("measure-encounters");
    let (file, groups) = (data.join("ucy-zara01/obsmat.txt"), data.join("ucy-zara01/groups.txt"));
    let (file, groups) = (file.to_str().expect("UTF-8"), groups.to_str().expect("UTF-8"));
    let arguments = ["measure", file, "--fps", "25", "--encounters", "--groups", groups];
    let (out, _) = expect(0, &folder, &[&arguments[..], &["--json", "-"]].concat());
    let found: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (&found["encounters"]["used"], &found["encounters"]["would_pass_within_1_m"]["count"]),
        (&json!(228), &json!(80))
    );
    let (table, _) = expect(0, &folder, &arguments);
    assert!(table.contains("228 used; ") && table.contains("order of passing kept"), "{table}");
    expect(0, &folder, &["plot", file, "--fps", "25", "--what", "encounters", "--to", "pairs.svg", "--quiet"]);
    assert!(std::fs::read_to_string(folder.join("pairs.svg")).expect("a chart").contains("predicted distance in m"));
    let (_, err) = expect(2, &folder, &["measure", file, "--fps", "25", "--encounters", "--groups", "nobody.txt"]);
    assert!(err.contains("--groups nobody.txt"), "{err}");
}

/// The recording of two ways through a corridor has one jump at 5.6 m/s and 75 rows outside of its 4 m.
#[test]
fn faults_of_real_data_are_told() {
    let Some((data, _)) = data_and_python() else { return };
    let folder = folder("measure-faults");
    write(&folder, "walls.wkt", "POLYGON ((-6 0, 5 0, 5 4, -6 4, -6 0))");
    let file = data.join("juelich-corridor-bi/bi_corr_400_b_03.txt");
    let file = file.to_str().expect("UTF-8");
    let (table, _) = expect(0, &folder, &["measure", file, "--unit", "cm", "--fps", "25", "--place", "walls.wkt"]);
    for words in ["75 times outside of the floor, first person", "1 time faster than people are, first person"] {
        assert!(table.contains(words), "{words}\n{table}");
    }
}

/// Three million rows: a file of 84 MB, measured in memory that does not grow with it.
#[test]
fn a_long_recording_is_measured_in_little_memory() {
    let folder = folder("measure-long");
    let place = PlaceShape {
        areas: vec![vec![vec![[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]]]],
        ..PlaceShape::default()
    };
    let (version, name, scenario) = ("0".into(), "long".into(), String::new());
    let header =
        Header { format: FORMAT, version, name, scenario, seed: 1, tick: 0.05, every: 1, offset: [0.0; 2], place };
    let file = std::fs::File::create(folder.join("long.parquet")).expect("a file");
    let mut writer = Writer::new(file, &header).expect("a header");
    let (id, flat): (Vec<u32>, Vec<f32>) = (0..1000).map(|id| (id, 0.0)).unzip();
    for tick in 0..3000 {
        // Everybody on a circle of their own, once round in a minute.
        let angle = |id: &u32| f64::from(*id) + f64::from(tick) * 0.005_236;
        let x: Vec<f64> = id.iter().map(|id| 4.0 + f64::from(id % 32) + 2.0 * angle(id).cos()).collect();
        let y: Vec<f64> = id.iter().map(|id| 4.0 + f64::from(id / 32) + 2.0 * angle(id).sin()).collect();
        writer.frame(&Frame { tick, id: &id, x: &x, y: &y, vx: &flat, vy: &flat, heading: &flat }).expect("a frame");
    }
    writer.finish().expect("a file");
    let arguments = [
        "measure",
        "long.parquet",
        "--area",
        "10,10,30,10,30,30,10,30",
        "--line",
        "20,0,20,40",
        "--encounters",
        "--json",
        "-",
    ];
    let found: Value = serde_json::from_str(&expect(0, &folder, &arguments).0).expect("JSON");
    let _ = std::fs::remove_file(folder.join("long.parquet"));
    assert_eq!(found["rows"], json!(3_000_000));
    let most = found["peak_rss_bytes"].as_u64().expect("Linux tells");
    println!("{} MB", most / 1_000_000);
    assert!(most < 200_000_000, "{most} bytes");
}
