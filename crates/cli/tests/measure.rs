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
        area: &[[0.0, -2.0], [1.8, -2.0], [1.8, 2.0], [0.0, 2.0]], line: [[0.0, 0.0], [1.8, 0.0]], crossings: true },
    Case { file: "juelich-corridor-uni/uo-180-180-180.txt", format: "txt", unit: "cm", fps: 16.0, every: 1.0, floor: Some(CORRIDOR), obstacles: &[],
        area: &[[0.3, -1.0], [1.5, -1.2], [1.7, 1.1], [0.9, 2.0]], line: [[1.8, 1.0], [0.0, 1.0]], crossings: true },
    Case { file: "juelich-crossing-90/traj_crossing_90_c_6_v5.txt", format: "txt", unit: "m", fps: 25.0, every: 1.0,
        floor: Some(&[[0.0, 0.0], [0.0, -1.0], [4.0, -1.0], [4.0, 0.0], [6.5, 0.0], [6.5, 4.0], [4.0, 4.0], [4.0, 5.0], [0.0, 5.0], [0.0, 4.0], [-4.0, 4.0], [-4.0, 0.0]]),
        obstacles: &[&[[2.08, 2.30], [2.22, 2.22], [2.30, 2.08], [2.30, 1.92], [2.22, 1.79], [2.08, 1.70], [1.92, 1.70], [1.78, 1.78], [1.70, 1.92], [1.70, 2.08], [1.78, 2.22], [1.92, 2.30]]],
        area: &[[2.5, 1.0], [3.5, 1.0], [3.5, 3.0], [2.5, 3.0]], line: [[3.0, 0.0], [3.0, 4.0]], crossings: true },
    Case { file: "juelich-bottleneck-pupils/00_01a.h5", format: "hdf5", unit: "m", fps: 25.0, every: 1.0, floor: None, obstacles: &[],
        area: &[[-0.5, 0.5], [0.5, 0.5], [0.5, 1.5], [-0.5, 1.5]], line: [[-0.4, 0.0], [0.4, 0.0]], crossings: true },
    Case { file: "ucy-zara01/obsmat.txt", format: "obsmat", unit: "m", fps: 25.0, every: 10.0, floor: Some(&[[-8.0, 4.0], [7.0, 4.0], [7.0, 21.0], [-8.0, 21.0]]), obstacles: &[],
        area: &[[-3.0, 8.0], [3.0, 8.0], [3.0, 14.0], [-3.0, 14.0]], line: [[0.0, 21.0], [0.0, 4.0]], crossings: false },
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
    for words in ["area middle", "line line", "1 people, 0 crossings from its left and 1 from its right", "strip strip"]
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
    refused(&["--step", "0"], &["above 0"]);
    refused(&["--cut-off", "-2"], &["or none"]);
    refused(&["--cut-off", "none", "--area", "0,0,1,0,1,1"], &["no walls", "--place FILE"]);
    refused(&["--from-time", "50"], &["nothing was recorded then"]);
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
    let jump = measure("jump.txt", "1 0 0 0\n1 1 0.1 0\n1 2 40 0\n1 3 40.1 0\n");
    assert!(jump["speed_m_s"]["max"].as_f64().is_some_and(|speed| speed > 100.0), "{}", jump["speed_m_s"]);
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
    for words in ["75 times outside of the floor, first person", "1 times faster than people are, first person"] {
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
