//! Large recordings: what writing costs, and how fast a second is found in a gigabyte. Prints what was measured.
#![allow(clippy::disallowed_methods, reason = "measures")]

mod common;

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use common::{Kind, person, same_bits};
use passerby_record::{BodyRow, FootRow, OwnedFrame, Recording, Stated, Writer, import_through};
use rusqlite::Connection;

/// Whom and what writing is measured with.
const PEOPLE: u32 = 100_000;
const FRAMES: u32 = 20;

/// Walkers as a run records them: single precision around an origin of whole metres, everybody on their own way.
fn walkers(tick: u32, people: u32) -> OwnedFrame {
    let mut frame = OwnedFrame { tick, ..OwnedFrame::default() };
    let seconds = tick as f32 * 0.05;
    for id in 0..people {
        let noise = f32::from((id.wrapping_mul(2_654_435_761) >> 16) as u16) / 65_536.0;
        let angle = (noise - 0.5) * 6.0 + seconds * (noise - 0.4) * 0.1;
        let (vx, vy) = (1.0 - angle * angle * 0.1, angle * (1.0 - angle * angle * 0.05));
        let (column, row) = (id % 400, id / 400);
        frame.id.push(id);
        frame.x.push(f64::from(column as f32 * 0.8 - 160.0 + noise + vx * seconds) + 3_500_000.0);
        frame.y.push(f64::from(row as f32 * 0.8 - 100.0 - noise + vy * seconds) + 5_600_000.0);
        (frame.vx.push(vx), frame.vy.push(vy), frame.heading.push(angle));
    }
    frame
}

/// The same with bodies that walk: a step takes half a second, and who turns has feet apart from their clips.
fn walkers_of(kind: Kind, tick: u32, people: u32) -> OwnedFrame {
    let mut frame = walkers(tick, people);
    if kind == Kind::Bodies {
        let body = |row: usize| {
            let (phase, turn) = ((row as f32 * 0.37 + tick as f32 * 0.05).fract(), frame.heading[row]);
            let clip = row as u16 % 40;
            let foot = |side: f32| FootRow {
                shift: [side * phase * 0.01, phase * turn * 0.02],
                yaw: side * turn * 0.1,
                step: 0.0,
                fade: 1.0,
                clips: [clip, clip],
            };
            BodyRow {
                root: [0.003 * phase, -0.002 * phase],
                heading: turn,
                torso: turn + 0.05 * phase,
                phase,
                fade: 1.0,
                feet: [foot(1.0), foot(-1.0)],
                clips: [clip, clip],
            }
        };
        frame.bodies = (0..people as usize).map(body).collect();
    }
    frame
}

/// Time this thread was running, so that other programs do not count.
fn busy() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("a Linux machine");
    Duration::from_nanos(text.split_whitespace().next().and_then(|word| word.parse().ok()).expect("nanoseconds"))
}

/// Peak memory of this process in MB.
fn memory_peak() -> u64 {
    let text = fs::read_to_string("/proc/self/status").expect("a Linux machine");
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    line.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()).expect("kB") / 1024
}

/// 100 000 people at 30 steps a second on two threads leave 33 ms for a step; 15 % of it are 50 ns for each of them.
#[test]
#[ignore = "measures"]
fn long_writing_a_row_costs_less_than_50_ns() {
    let cost = cost(Kind::Plain);
    assert!(cost < 50.0, "{cost} ns");
}

/// 10 000 mediated people at 20 steps a second on two threads leave 10 us for each of them; 5 % of it are 500 ns. A fifth
/// of that may be our own, the rest is for the file: 76 to 371 ns were measured, 55 to 72 of them without one.
#[test]
#[ignore = "measures"]
fn long_writing_a_row_with_its_body_costs_less_than_500_ns() {
    let ours = cost_into(Kind::Bodies, std::io::sink());
    let all = cost(Kind::Bodies);
    assert!(ours < 100.0 && all < 500.0, "{ours} ns of our own, {all} ns");
}

/// Processor time for a row that goes into a file.
fn cost(kind: Kind) -> f64 {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cost-{kind:?}.parquet"));
    let cost = cost_into(kind, File::create(&path).unwrap());
    println!("{:.1} bytes a row", fs::metadata(&path).unwrap().len() as f64 / f64::from(FRAMES * PEOPLE));
    fs::remove_file(&path).unwrap();
    cost
}

fn cost_into(kind: Kind, sink: impl Write + Send) -> f64 {
    let frames: Vec<_> = (0..FRAMES).map(|tick| walkers_of(kind, tick, PEOPLE)).collect();
    let mut writer = Writer::new(sink, &kind.header(1)).unwrap();
    writer.frame(&frames[0].as_frame()).unwrap();
    let begin = (busy(), Instant::now());
    frames[1..].iter().for_each(|frame| writer.frame(&frame.as_frame()).unwrap());
    let (busy, elapsed) = (busy() - begin.0, begin.1.elapsed());
    drop(writer.finish().unwrap());
    let rows = f64::from((FRAMES - 1) * PEOPLE);
    let cost = busy.as_nanos() as f64 / rows;
    println!("writing: {cost:.1} ns of processor time a row, {:.1} ns elapsed", elapsed.as_nanos() as f64 / rows);
    cost
}

fn seek(kind: Kind, people: u32, gigabyte: u64) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("seek-{kind:?}-{people}.parquet"));
    let mut writer = Writer::new(BufWriter::new(File::create(&path).unwrap()), &kind.header(1)).unwrap();
    let mut tick = 0;
    while tick % 64 != 0 || tick == 0 || fs::metadata(&path).unwrap().len() < gigabyte {
        writer.frame(&walkers_of(kind, tick, people).as_frame()).unwrap();
        tick += 1;
    }
    drop(writer.finish().unwrap());
    let before = memory_peak();
    let begin = Instant::now();
    let recording = Recording::open(File::open(&path).unwrap()).unwrap();
    let opened = begin.elapsed();
    let seconds = tick / 20;
    let mut times: Vec<Duration> = (0..100_u32)
        .map(|i| {
            let wanted = i.wrapping_mul(2_654_435_761) % seconds * 20;
            let begin = Instant::now();
            let frame = recording.frame_at(wanted).unwrap().unwrap();
            let time = begin.elapsed();
            if i % 10 == 0 {
                same_bits(&frame, &walkers_of(kind, wanted, people));
            }
            time
        })
        .collect();
    times.sort();
    let size = fs::metadata(&path).unwrap().len();
    println!(
        "{kind:?}, {people} people, {seconds} s, {size} bytes: opened in {opened:?}; a second in {:?} (median), {:?} (longest); \
         memory {before} MB before, {} MB after",
        times[50],
        times[99],
        memory_peak()
    );
    fs::remove_file(&path).unwrap();
    assert!(opened.max(times[99]) < Duration::from_millis(100), "{opened:?} and {:?}", times[99]);
}

#[test]
#[ignore = "writes a gigabyte"]
fn long_any_second_of_a_gigabyte_is_found_in_100_ms_with_100_000_people() {
    seek(Kind::Plain, 100_000, 1_000_000_000);
}

#[test]
#[ignore = "writes a gigabyte"]
fn long_any_second_of_a_gigabyte_with_bodies_is_found_in_100_ms_with_100_000_people() {
    seek(Kind::Bodies, 100_000, 1_000_000_000);
}

#[test]
#[ignore = "writes a gigabyte"]
fn long_any_second_of_a_gigabyte_with_bodies_is_found_in_100_ms_with_2_000_people() {
    seek(Kind::Bodies, 2_000, 1_000_000_000);
}

#[test]
#[ignore = "writes a gigabyte"]
fn long_any_second_of_a_gigabyte_is_found_in_100_ms_with_2_000_people() {
    seek(Kind::Plain, 2_000, 1_000_000_000);
}

/// The largest frames and the most people there can be. The program that reads is one of its own, for its memory to be counted.
#[test]
#[ignore = "writes 100 MB"]
fn long_the_largest_recording_with_bodies_is_read_in_256_mb() {
    const READ: &str = "PASSERBY_TEST_READ";
    if let Some(path) = std::env::var_os(READ) {
        let recording = Recording::open(File::open(path).unwrap()).unwrap();
        let mut held = recording.frame_at(0).unwrap();
        for tick in [2, 0, 1] {
            held = recording.frame_at(tick).unwrap().or(held);
        }
        assert_eq!((recording.people().len(), held.unwrap().bodies.len()), (1 << 20, 1 << 18));
        println!("read with {} MB", memory_peak());
        assert!(memory_peak() < 256, "{} MB", memory_peak());
        return;
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("largest.parquet");
    let mut writer = Writer::new(File::create(&path).unwrap(), &Kind::Bodies.header(1)).unwrap();
    writer.people(&(0..1 << 20).map(person).collect::<Vec<_>>());
    (0..3).for_each(|tick| writer.frame(&walkers_of(Kind::Bodies, tick, 1 << 18).as_frame()).unwrap());
    drop(writer.finish().unwrap());
    let name = "long_the_largest_recording_with_bodies_is_read_in_256_mb";
    let mut reader = std::process::Command::new(std::env::current_exe().unwrap());
    let read = reader.args([name, "--exact", "--ignored", "--nocapture"]).env(READ, &path).output().unwrap();
    fs::remove_file(&path).unwrap();
    let said = String::from_utf8_lossy(&read.stdout);
    println!("{said}");
    assert!(read.status.success() && said.contains("read with"), "{said}");
}

/// 300 MB of a JuPedSim database of which only the last row is wrong, refused in a second of processor time. The other tests of this file need as little memory.
#[test]
#[ignore = "writes 300 MB"]
fn long_a_database_that_is_wrong_at_its_end_is_refused_in_little_memory() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("late.sqlite");
    let _ = fs::remove_file(&path);
    let mut database = Connection::open(&path).unwrap();
    let tables = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
        CREATE TABLE trajectory_data (frame INTEGER, id INTEGER, pos_x REAL, pos_y REAL, ori_x REAL, ori_y REAL);
        CREATE TABLE metadata (key TEXT, value TEXT);
        INSERT INTO metadata VALUES ('version', '2'), ('fps', '10');";
    database.execute_batch(tables).unwrap();
    let all = database.transaction().unwrap();
    let mut put = all.prepare("INSERT INTO trajectory_data VALUES (?1, ?2, ?3, ?4, 0.6, 0.8)").unwrap();
    for frame in 0..6000_u32 {
        for id in 0..1000_u32 {
            put.execute((frame, id, f64::from(frame) * 0.1, f64::from(id) + 0.5)).unwrap();
        }
    }
    put.execute((6000, 5, None::<f64>, 0.0)).unwrap();
    drop(put);
    all.commit().unwrap();
    drop(database);
    let size = fs::metadata(&path).unwrap().len();
    assert!(size > 256 << 20, "{size} bytes");
    let begin = (busy(), Instant::now());
    let scratch = std::io::Cursor::new(Vec::new());
    let read = import_through(File::open(&path).unwrap(), scratch, "late", &Stated::default());
    let error = read.map(drop).unwrap_err().to_string();
    let (busy, elapsed) = (busy() - begin.0, begin.1.elapsed());
    println!("{size} bytes: refused after {elapsed:?}, {busy:?} of processor time; memory {} MB", memory_peak());
    fs::remove_file(&path).unwrap();
    assert!(error.contains("row 6000001: pos_x is `Null`"), "{error}");
    assert!(memory_peak() < 128, "{} MB", memory_peak());
    assert!(busy < Duration::from_secs(1), "{busy:?}");
}
