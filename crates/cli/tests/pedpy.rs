//! PedPy and JuPedSim read what we export, and measure what the run itself says.
//!
//! `cargo xtask test` makes the environment with both and names its interpreter in `PASSERBY_PYTHON`; without it these
//! tests say that they are skipped.

mod common;
use common::{expect, folder, open, write};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

/// Frames on each side that a speed is taken over.
const STEP: usize = 5;

/// Twenty people in single file, a metre apart, at 1.3 m/s: 0.065 m in each of the 20 ticks of a second.
const COLUMN: &str = r#"
name = "column"
[place]
floor = [[0, 0], [60, 0], [60, 4], [0, 4]]
[[population]]
grid = { origin = [1, 2], columns = 20, rows = 1, spacing = 1 }
model = "straight"
speed = 1.3
journey = [[59, 2]]
[run]
until = 25
"#;

/// Everybody's way: frame of the first row, and all positions.
type Tracks = BTreeMap<u32, (usize, Vec<[f64; 2]>)>;

/// What is measured: a rectangle (x from, x to, y from, y to) and an upright line (x, y from, y to).
struct Measured {
    area: [f64; 4],
    line: [f64; 3],
    delta_frame: usize,
    frames: Vec<usize>,
}

/// Exports a recording, lets the others read it, and checks all that needs no measuring: rates, counts, floor, positions.
fn read_by_others(folder: &Path, measured: &Measured, floor: f64) -> Option<(Tracks, Value)> {
    let Some(python) = std::env::var_os("PASSERBY_PYTHON") else {
        eprintln!("skipped: PASSERBY_PYTHON is not set; `cargo xtask test` makes the environment it names");
        return None;
    };
    for to in ["run.sqlite", "run.txt"] {
        expect(0, folder, &["export", "run.parquet", "--to", to, "--quiet"]);
    }
    let [left, right, low, high] = measured.area;
    let [x, from, to] = measured.line;
    let asked = json!({
        "sqlite": folder.join("run.sqlite"), "text": folder.join("run.txt"),
        "area": [[left, low], [right, low], [right, high], [left, high]], "line": [[x, from], [x, to]],
        "frame_step": STEP, "delta_frame": measured.delta_frame, "frames": measured.frames,
    });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/measure_with_pedpy.py");
    let output = Command::new(python).arg(script).arg(asked.to_string()).output().expect("PASSERBY_PYTHON starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");

    let tracks = tracks(&folder.join("run.parquet"));
    let rows: usize = tracks.values().map(|(_, way)| way.len()).sum();
    let frames = open(&folder.join("run.parquet")).frame_count(); // the last one may be empty: everybody has left
    for reader in ["pedpy", "text", "jupedsim"] {
        assert_eq!(found[reader]["frame_rate"], 20.0, "{reader}");
    }
    assert_eq!((&found["pedpy"]["rows"], &found["text"]["rows"]), (&json!(rows), &json!(rows)));
    assert_eq!(found["jupedsim"]["frames"], frames);
    for reader in ["pedpy", "jupedsim"] {
        near(number(&found[reader]["floor"]), floor, 1e-9, reader);
    }
    for reader in ["text", "jupedsim"] {
        let mut there: Vec<Vec<f64>> = rows_of(&found[reader]["positions"]);
        there.sort_by(|a, b| a[..2].partial_cmp(&b[..2]).expect("numbers"));
        let ours = measured.frames.iter().flat_map(|frame| {
            tracks.iter().filter_map(move |(id, track)| {
                let [x, y] = at(track, *frame)?;
                Some(vec![*frame as f64, f64::from(*id), x, y])
            })
        });
        assert_eq!(there, ours.collect::<Vec<_>>(), "{reader}: positions to the bit");
    }
    Some((tracks, found))
}

/// Everybody's way, from the recording itself.
fn tracks(path: &Path) -> Tracks {
    let (recording, mut tracks) = (open(path), Tracks::new());
    let read = recording.frames(0, u32::MAX, &mut |frame| {
        for i in 0..frame.id.len() {
            let track = tracks.entry(frame.id[i]).or_insert((frame.tick as usize, Vec::new()));
            track.1.push([frame.x[i], frame.y[i]]);
        }
        ControlFlow::Continue(())
    });
    read.expect("a whole recording");
    tracks
}

fn at((first, way): &(usize, Vec<[f64; 2]>), frame: usize) -> Option<[f64; 2]> {
    way.get(frame.checked_sub(*first)?).copied()
}

/// Distance over the frames from `STEP` before to `STEP` after, on one side where the other is missing.
fn speed(track: &(usize, Vec<[f64; 2]>), frame: usize) -> f64 {
    let or_now = |other: Option<usize>| other.filter(|other| at(track, *other).is_some()).unwrap_or(frame);
    let (from, to) = (or_now(frame.checked_sub(STEP)), or_now(Some(frame + STEP)));
    let [a, b] = [from, to].map(|frame| at(track, frame).expect("there"));
    (b[0] - a[0]).hypot(b[1] - a[1]) / ((to - from) as f64 / 20.0)
}

fn inside(area: &[f64; 4], [x, y]: [f64; 2]) -> bool {
    area[0] < x && x < area[1] && area[2] < y && y < area[3]
}

/// The first frame behind the line, of those who came from before it.
fn crossing((first, way): &(usize, Vec<[f64; 2]>), line: f64) -> Option<usize> {
    (1..way.len()).find(|i| way[i - 1][0] < line && way[*i][0] > line).map(|i| first + i)
}

/// Density, speeds and counts of PedPy against those of the recording's own frames.
fn agrees_with_the_run(tracks: &Tracks, found: &Value, measured: &Measured) {
    let [left, right, low, high] = measured.area;
    let density = rows_of(&found["pedpy"]["density"]);
    let mean_speed = rows_of(&found["pedpy"]["mean_speed"]);
    let n_t = rows_of(&found["pedpy"]["n_t"]);
    assert!(density.len() == n_t.len() && mean_speed.len() == n_t.len());
    let crossings: BTreeMap<u32, usize> =
        tracks.iter().filter_map(|(id, track)| Some((*id, crossing(track, measured.line[0])?))).collect();
    for frame in 0..density.len() {
        let there = tracks.values().filter(|track| at(track, frame).is_some_and(|at| inside(&measured.area, at)));
        let speeds: Vec<f64> = there.map(|track| speed(track, frame)).collect();
        let expected = speeds.len() as f64 / ((right - left) * (high - low));
        near(density[frame][1], expected, 1e-9, &format!("density, frame {frame}"));
        let expected = speeds.iter().sum::<f64>() / speeds.len().max(1) as f64;
        near(mean_speed[frame][1], expected, 1e-9, &format!("mean speed, frame {frame}"));
        let expected = crossings.values().filter(|crossed| **crossed <= frame).count();
        assert_eq!(n_t[frame], [frame as f64, expected as f64], "people behind the line, frame {frame}");
    }
    for row in rows_of(&found["pedpy"]["speed"]) {
        let (id, frame) = (row[0] as u32, row[1] as usize);
        near(row[2], speed(&tracks[&id], frame), 1e-9, &format!("speed of {id}, frame {frame}"));
    }
}

#[test]
fn a_column_measures_as_worked_out_by_hand() {
    let folder = folder("pedpy-column");
    write(&folder, "run.toml", COLUMN);
    expect(0, &folder, &["run", "run.toml", "--quiet", "--out", "run.parquet"]);
    // Borders at odd millimetres: nobody is ever within 2 mm of one, steps being multiples of 5 mm.
    let (area, line) = ([24.512, 34.512, 0.0, 4.0], [30.002, 0.0, 4.0]);
    let measured = Measured { area, line, delta_frame: 190, frames: vec![0, 1, 250, 500] };
    let Some((tracks, found)) = read_by_others(&folder, &measured, 60.0 * 4.0) else { return };
    agrees_with_the_run(&tracks, &found, &measured);

    // The first is past 34.512 m after 14.512 m (223.3 ticks), the last reaches 24.512 m after 23.512 m (361.7): in between
    // ten people, a metre apart, are on 10 m x 4 m.
    let (density, speed) = (rows_of(&found["pedpy"]["density"]), rows_of(&found["pedpy"]["mean_speed"]));
    for frame in 224..=361 {
        near(density[frame][1], 10.0 / 40.0, 1e-9, "density of the column");
        near(speed[frame][1], 1.3, 1e-4, "speed of the column");
    }
    for row in rows_of(&found["pedpy"]["speed"]) {
        near(row[2], 1.3, 1e-4, "everybody's speed");
    }
    // The k-th from the front has 10.002 + k metres to the line.
    let crossed = |k: usize| (10_002 + 1000 * k).div_ceil(65);
    let n_t = rows_of(&found["pedpy"]["n_t"]);
    for (frame, row) in n_t.iter().enumerate() {
        assert_eq!(row[1] as usize, (0..20).filter(|k| crossed(*k) <= frame).count(), "behind the line, frame {frame}");
    }
    // A metre apart at 1.3 m/s: 1.3 people a second, to the frame that each is seen in.
    let seconds = (crossed(19) - crossed(0)) as f64 / 20.0;
    let rows = rows_of(&found["pedpy"]["crossings"]);
    near(19.0 / (rows[19][1] - rows[0][1]) * 20.0, 19.0 / seconds, 1e-9, "people a second");
    near(19.0 / seconds, 1.3, 0.005, "people a second");
    // PedPy's own flow counts the one who opens the window too: 13 people from frame 154 to 340.
    let flow = rows_of(&found["pedpy"]["flow"]);
    assert_eq!((flow.len(), crossed(0), crossed(12)), (1, 154, 339));
    near(flow[0][0], 13.0 / (186.0 / 20.0), 1e-9, "PedPy's flow");
    near(flow[0][1], 1.3, 1e-4, "speed at the line");
    // JuPedSim: everybody walks east; place and people are within these bounds.
    for orientation in rows_of(&found["jupedsim"]["orientations"]) {
        (near(orientation[0], 1.0, 1e-6, "orientation"), near(orientation[1], 0.0, 1e-3, "orientation"));
    }
    assert_eq!(found["jupedsim"]["bounds"], json!([0.0, 0.0, 60.0, 4.0]));
}

#[test]
fn a_crowd_measures_as_its_recording_says() {
    let folder = folder("pedpy-crowd");
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/bottleneck.toml");
    expect(0, &folder, &["run", scene.to_str().expect("UTF-8"), "--quiet", "--out", "run.parquet"]);
    let (area, line) = ([5.0, 8.0, 1.0, 5.0], [10.0, 2.4, 3.6]);
    let measured = Measured { area, line, delta_frame: 100, frames: vec![0, 100, 400] };
    // Two rooms of 48 and 36 m2 and a passage of 4 m x 1.2 m.
    let Some((tracks, found)) = read_by_others(&folder, &measured, 48.0 + 36.0 + 4.8) else { return };
    agrees_with_the_run(&tracks, &found, &measured);
    let n_t = rows_of(&found["pedpy"]["n_t"]);
    assert_eq!(n_t.last().expect("frames")[1], 60.0, "everybody has passed");
    let most = rows_of(&found["pedpy"]["density"]).iter().map(|row| row[1]).fold(0.0, f64::max);
    assert!(most > 1.0, "a queue stands before the passage, but never more than {most} people a m2");
}

#[track_caller]
fn near(found: f64, expected: f64, most: f64, what: &str) {
    assert!((found - expected).abs() <= most, "{what}: {found}, expected {expected}");
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn rows_of(value: &Value) -> Vec<Vec<f64>> {
    let rows = value.as_array().unwrap_or_else(|| panic!("{value} is no list"));
    rows.iter().map(|row| row.as_array().expect("a row").iter().map(number).collect()).collect()
}
