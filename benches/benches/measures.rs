//! Measures beside PedPy: the same crowd, the same definitions, the answers compared before the times are.
//!
//! Two hundred people wander on 12 m x 12 m, 20 frames a second, until there are a million rows: density and speed in the middle and
//! flow through a line, for PedPy from a table in memory, for us from the recording, decoding included. Then Voronoi density of the
//! first frames. One core, processor time. `PASSERBY_PYTHON` names the interpreter (`cargo xtask bench` makes one);
//! `-- --quick` does little.

use passerby::geometry::{Chance, DVec2, Polygon, Purpose};
use passerby::record::{FORMAT, Frame, Header, NamedLine, NamedPolygon, PlaceShape, Recording, Writer};
use passerby_benches::{allocations::Counting, clock, memory};
use passerby_measure::{Cells, Crossings, CutOff, Floor, Measures, Moment, Motion, Plan, Voronoi, Zone};
use std::hint::black_box;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::process::{Command, ExitCode};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const PEOPLE: u32 = 200;
const SIDE: f64 = 12.0;
/// Seconds between two frames.
const TICK: f64 = 0.05;

/// Where everybody is in each frame: they walk straight, and turn at the walls.
fn crowd(frames: u32) -> Vec<Vec<DVec2>> {
    let chance = Chance::new(1);
    let mut walkers: Vec<(DVec2, DVec2)> = (0..PEOPLE)
        .map(|who| {
            let mut draw = chance.stream(who, 0, Purpose::Placement);
            let at = DVec2::new(draw.between(0.1, SIDE - 0.1), draw.between(0.1, SIDE - 0.1));
            let (sin, cos) = passerby::geometry::math::double::sin_cos(draw.between(0.0, std::f64::consts::TAU));
            (at, DVec2::new(cos, sin) * draw.between(0.6, 1.6))
        })
        .collect();
    let mut step = || {
        for (at, velocity) in &mut walkers {
            *at += *velocity * TICK;
            for axis in 0..2 {
                if !(0.05..=SIDE - 0.05).contains(&at[axis]) {
                    velocity[axis] = -velocity[axis];
                    at[axis] = at[axis].clamp(0.05, SIDE - 0.05);
                }
            }
        }
        walkers.iter().map(|(at, _)| *at).collect()
    };
    (0..frames).map(|_| step()).collect()
}

fn header() -> Header {
    let ring = vec![[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]];
    let place = PlaceShape { areas: vec![vec![ring]], ..PlaceShape::default() };
    let (version, name, scenario) = ("bench".into(), "wander".into(), String::new());
    Header {
        format: FORMAT,
        version,
        name,
        scenario,
        seed: 1,
        tick: TICK,
        every: 1,
        offset: [0.0; 2],
        place,
        bodies: false,
    }
}

fn recording(crowd: &[Vec<DVec2>]) -> Recording {
    let mut writer = Writer::new(Vec::new(), &header()).expect("memory");
    let (id, flat): (Vec<u32>, Vec<f32>) = (0..PEOPLE).map(|id| (id, 0.0)).unzip();
    for (tick, people) in crowd.iter().enumerate() {
        let (x, y): (Vec<f64>, Vec<f64>) = people.iter().map(|at| (at.x, at.y)).unzip();
        let frame =
            Frame { tick: tick as u32, id: &id, x: &x, y: &y, vx: &flat, vy: &flat, heading: &flat, bodies: &[] };
        writer.frame(&frame).expect("memory");
    }
    Recording::open(Cursor::new(writer.finish().expect("memory"))).expect("what was written")
}

/// The middle of the floor, and the line through it.
fn plan() -> (NamedPolygon, NamedLine) {
    let (low, high) = (0.25 * SIDE, 0.75 * SIDE);
    let polygon = vec![[low, low], [high, low], [high, high], [low, high]];
    let line = [[SIDE / 2.0, 0.0], [SIDE / 2.0, SIDE]];
    (NamedPolygon { name: "middle".into(), polygon }, NamedLine { name: "line".into(), line })
}

struct Answers {
    density: f64,
    speed: f64,
    people: usize,
}

fn zone() -> Zone {
    let corners = plan().0.polygon.into_iter().map(DVec2::from).collect();
    Zone::new("middle", Polygon::new(corners).expect("a square")).expect("in reach")
}

/// Density, speed and flow in one pass over the recording.
fn classic(recording: &Recording) -> Answers {
    let (mut zone, mut crossings) = (zone(), Crossings::new(vec![plan().1]));
    let mut motion = Motion::new(4, 1, TICK);
    let mut look = |moment: &Moment<'_>| zone.see(moment);
    let mut see = |frame: &Frame<'_>| {
        crossings.see(frame);
        motion.see(frame, &mut look);
        ControlFlow::Continue(())
    };
    recording.frames(0, u32::MAX, &mut see).expect("readable");
    motion.finish(&mut look);
    Answers {
        density: zone.density.mean().unwrap_or(0.0),
        speed: zone.speed_with_empty().unwrap_or(0.0),
        people: crossings.first_ticks(0).len(),
    }
}

/// Voronoi density of the first frames.
fn voronoi(crowd: &[Vec<DVec2>]) -> f64 {
    let floor = Floor::new(&header().place).expect("a square");
    let (mut voronoi, mut cells, mut zone) = (Voronoi::new(floor, Some(CutOff::default())), Cells::default(), zone());
    let id: Vec<u32> = (0..PEOPLE).collect();
    let none = vec![None; PEOPLE as usize];
    for (tick, at) in crowd.iter().enumerate() {
        voronoi.cells(at, &mut cells);
        zone.see_cells(&Moment { tick: tick as u32, id: &id, at, velocity: &none, acceleration: &none }, &cells);
    }
    zone.voronoi_density.mean().unwrap_or(0.0)
}

/// Everything that `passerby measure` measures.
fn everything(recording: &Recording) {
    let mut plan_of = Plan::of(recording.header());
    (plan_of.areas, plan_of.lines) = (vec![plan().0], vec![plan().1]);
    let mut measures = Measures::new(recording.header(), recording.people(), plan_of).expect("a plan");
    let mut see = |frame: &Frame<'_>| {
        measures.see(frame);
        ControlFlow::Continue(())
    };
    recording.frames(0, u32::MAX, &mut see).expect("readable");
    measures.finish();
}

fn main() -> ExitCode {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let Some(python) = std::env::var_os("PASSERBY_PYTHON") else {
        println!("skipped: PASSERBY_PYTHON is not set; `cargo xtask bench` makes the environment it names");
        return ExitCode::SUCCESS;
    };
    let (frames, cell_frames, rounds) = if quick { (200, 5, 1) } else { (5000, 100, 5) };
    let crowd = crowd(frames);
    let recording = recording(&crowd);
    let file = std::env::temp_dir().join(format!("passerby-bench-{}.f64", std::process::id()));
    let row = |tick: usize, id: usize, at: &DVec2| [id as f64, tick as f64, at.x, at.y];
    let rows =
        crowd.iter().enumerate().flat_map(|(t, people)| people.iter().enumerate().map(move |(i, at)| row(t, i, at)));
    let bytes: Vec<u8> = rows.flatten().flat_map(f64::to_le_bytes).collect();
    std::fs::write(&file, bytes).expect("a temporary file");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/measure_with_pedpy.py");
    let arguments = [&SIDE.to_string(), &cell_frames.to_string()];
    let output = Command::new(python).arg(script).arg(&file).args(arguments).output().expect("PASSERBY_PYTHON starts");
    let _ = std::fs::remove_file(&file);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let number = |name: &str| theirs[name].as_f64().expect("a number");

    let (answers, dense) = (classic(&recording), voronoi(&crowd[..cell_frames]));
    let near = |ours: f64, name: &str, within: f64| {
        assert!((ours - number(name)).abs() <= within * number(name), "{name}: {ours}, PedPy {}", number(name));
    };
    near(answers.density, "density", 1e-6);
    near(answers.speed, "speed", 1e-6);
    near(answers.people as f64, "people", 0.0);
    near(dense, "voronoi_density", 1e-3);

    // Long enough for the clock, which is brought up to date a hundred times a second.
    let once = |work: &mut dyn FnMut()| {
        let (begun, mut times) = (clock::seconds(), 0);
        while times == 0 || clock::seconds() - begun < if quick { 0.02 } else { 0.3 } {
            work();
            times += 1;
        }
        (clock::seconds() - begun) / f64::from(times)
    };
    let time = |work: &mut dyn FnMut()| clock::median(&mut (0..rounds).map(|_| once(&mut *work)).collect::<Vec<f64>>());
    let ours = time(&mut || {
        black_box(classic(&recording));
    });
    let cells = time(&mut || {
        black_box(voronoi(&crowd[..cell_frames]));
    });
    let all = time(&mut || everything(&recording));
    let (per_frame, their_frame) =
        (1e3 * cells / cell_frames as f64, 1e3 * number("voronoi_seconds") / cell_frames as f64);
    println!("<!-- bench: measures -->");
    println!("| {} rows of {PEOPLE} people, one core | PedPy | Passerby | ratio |", crowd.len() * PEOPLE as usize);
    println!("| --- | --- | --- | --- |");
    println!(
        "| density, speed and flow | {:.1} s | {ours:.2} s | {:.0} |",
        number("classic_seconds"),
        number("classic_seconds") / ours
    );
    println!(
        "| Voronoi density, each frame | {their_frame:.1} ms | {per_frame:.3} ms | {:.0} |",
        their_frame / per_frame
    );
    println!("| everything `passerby measure` reports | - | {all:.2} s | - |");
    println!("<!-- end -->");
    if let Some(bytes) = memory::peak() {
        println!("most memory of this process: {} MB", bytes / 1_000_000);
    }
    ExitCode::SUCCESS
}
