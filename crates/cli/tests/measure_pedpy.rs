//! `passerby measure`: five recordings of real people as PedPy measures them in the same test.

mod common;
use common::{data_and_python, expect, folder, write};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

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
