//! What is exported comes back: the same people at the same places, to the last bit.

mod common;
use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
use std::ops::ControlFlow;

use common::{header, person, posed};
use passerby_record::{
    ExportError, Exported, Format, Header, ImportError, OwnedFrame, PlaceShape, Recording, Stated, Writer, export,
    import,
};

const FORMATS: [Format; 4] = [Format::Csv, Format::Text, Format::Sqlite, Format::Parquet];

/// Three people, one of whom leaves and one of whom comes later; positions far from the origin with all their digits.
fn frames(every: u32) -> Vec<OwnedFrame> {
    let walk = |tick: u32, id: u32| {
        let t = f64::from(tick) / 3.0;
        ([5.6e6 + t / 7.0 + f64::from(id), -1e-7 * t], [0.7 + id as f32 / 9.0, -0.1 * t as f32])
    };
    let frame = |tick: u32| {
        let mut frame = OwnedFrame { tick, ..OwnedFrame::default() };
        for id in [3, 8, 4_000].into_iter().filter(|id| (*id != 3 || tick < 70) && (*id != 8 || tick >= 20)) {
            let ([x, y], [vx, vy]) = walk(tick, id);
            (frame.id.push(id), frame.x.push(x), frame.y.push(y), frame.vx.push(vx), frame.vy.push(vy));
            frame.heading.push(-3.0 + tick as f32 / 40.0);
        }
        frame
    };
    (0..120).step_by(every as usize).map(frame).collect()
}

fn record(header: &Header, frames: &[OwnedFrame]) -> Recording {
    let mut writer = Writer::new(Vec::new(), header).expect("a writer");
    writer.people(&[person(3), person(8), person(4_000)]);
    frames.iter().for_each(|frame| writer.frame(&frame.as_frame()).expect("a frame"));
    Recording::open(Cursor::new(writer.finish().expect("a file"))).expect("a recording")
}

fn all(recording: &Recording) -> Vec<OwnedFrame> {
    let mut frames = Vec::new();
    let each = &mut |frame: &passerby_record::Frame<'_>| {
        frames.push(OwnedFrame::from(frame));
        ControlFlow::Continue(())
    };
    recording.frames(0, u32::MAX, each).expect("all frames");
    frames
}

fn through(recording: &Recording, format: Format, every: u32) -> (Exported, Recording) {
    let mut file = Vec::new();
    let exported = export(recording, format, every, &mut file).unwrap_or_else(|error| panic!("{format:?}: {error}"));
    let back = import(Cursor::new(file), "made up", &Stated::default());
    (exported, back.unwrap_or_else(|error| panic!("{format:?}: {error}")))
}

/// Every format states its unit and frame rate, so nothing is asked for on the way back.
#[test]
fn positions_come_back_to_the_bit() {
    for format in FORMATS {
        for (recorded, every) in [(1, 1), (1, 7), (2, 1), (2, 3)] {
            let written = frames(recorded);
            let (exported, back) = through(&record(&header(recorded), &written), format, every);
            let back_frames = all(&back);
            let kept: Vec<&OwnedFrame> = written.iter().step_by(every as usize).collect();
            let ticks = if format == Format::Parquet { 1 } else { recorded * every };
            assert_eq!(back_frames.len(), kept.len(), "{format:?}");
            for (found, expected) in back_frames.iter().zip(kept) {
                assert_eq!((found.tick * ticks, &found.id), (expected.tick, &expected.id), "{format:?}");
                assert_eq!((&found.x, &found.y), (&expected.x, &expected.y), "{format:?}, tick {}", expected.tick);
                if matches!(format, Format::Csv | Format::Parquet) {
                    assert_eq!((&found.vx, &found.vy), (&expected.vx, &expected.vy), "{format:?}");
                    assert_eq!(found.heading, expected.heading, "{format:?}");
                }
                if format == Format::Sqlite {
                    let near = found.heading.iter().zip(&expected.heading).all(|(a, b)| (a - b).abs() < 1e-6);
                    assert!(near, "{:?}, expected {:?}", found.heading, expected.heading);
                }
            }
            let rows = back_frames.iter().map(|frame| frame.id.len() as u64).sum::<u64>();
            assert_eq!((exported.rows, exported.frames), (rows, back_frames.len() as u64));
            let seconds = back.header().tick * f64::from(back.header().every);
            assert!((seconds - 0.05 * f64::from(recorded * every)).abs() < 1e-12, "{format:?}: {seconds} s");
            assert!((exported.fps * seconds - 1.0).abs() < 1e-12, "{format:?}: {}", exported.fps);
        }
    }
}

#[test]
fn parquet_keeps_header_people_and_events() {
    let recording = record(&header(1), &frames(1));
    let (_, back) = through(&recording, Format::Parquet, 4);
    assert_eq!(back.header(), &Header { every: 4, ..recording.header().clone() });
    assert_eq!((back.people(), back.events()), (recording.people(), recording.events()));
}

/// Every n-th frame as a recording keeps the bodies; the formats of others have no place for them.
#[test]
fn parquet_keeps_bodies_and_others_leave_them_out() {
    let written: Vec<_> = frames(1).into_iter().map(posed).collect();
    let with = record(&Header { bodies: true, ..header(1) }, &written);
    let without = record(&header(1), &frames(1));
    let (_, back) = through(&with, Format::Parquet, 4);
    assert!(back.header().bodies);
    assert_eq!(all(&back), written.iter().step_by(4).cloned().collect::<Vec<_>>());
    for format in [Format::Csv, Format::Text] {
        let file = |recording: &Recording| {
            let mut file = Vec::new();
            export(recording, format, 4, &mut file).expect("a text");
            file
        };
        assert!(file(&with) == file(&without), "{format:?}");
    }
    assert_eq!(all(&through(&with, Format::Sqlite, 4).1), all(&through(&without, Format::Sqlite, 4).1));
}

#[test]
fn sqlite_keeps_the_floor() {
    let square = |a: f64, b: f64| vec![[a, a], [b, a], [b, b], [a, b]];
    let areas = vec![vec![square(0.0, 10.0), square(1.0, 2.1)]];
    let place = PlaceShape { areas, ..PlaceShape::default() };
    let (_, back) = through(&record(&Header { place: place.clone(), ..header(1) }, &frames(1)), Format::Sqlite, 1);
    assert_eq!(back.header().place, place);
}

/// Recorded people go from any format into any other.
#[test]
fn formats_lead_into_one_another() {
    let written = frames(1);
    let recording = record(&header(1), &written);
    for first in FORMATS {
        for second in FORMATS {
            let (_, between) = through(&recording, first, 1);
            let (_, back) = through(&between, second, 1);
            let same = all(&back)
                .iter()
                .zip(&written)
                .all(|(a, b)| (a.tick, &a.id, &a.x, &a.y) == (b.tick, &b.id, &b.x, &b.y));
            assert!(same && back.frame_count() == written.len() as u64, "{first:?} to {second:?}");
        }
    }
}

#[track_caller]
fn refused(frames: &[OwnedFrame], every: u32, words: &str) {
    let recording = record(&header(1), frames);
    for format in FORMATS {
        let error: ExportError = export(&recording, format, every, Vec::new()).expect_err(words);
        assert!(error.to_string().contains(words), "{format:?}: {error}");
    }
}

#[test]
fn what_nobody_can_read_is_not_written() {
    let one = |x: f64, vx: f32| OwnedFrame {
        tick: 4,
        id: vec![9],
        x: vec![x],
        y: vec![0.0],
        vx: vec![vx],
        vy: vec![0.0],
        heading: vec![0.0],
        bodies: Vec::new(),
    };
    refused(&[], 1, "nobody");
    refused(&[OwnedFrame::default()], 1, "nobody");
    for (frame, words) in [
        (one(f64::NAN, 0.0), "x of person 9 at tick 4 is NaN"),
        (one(0.0, f32::INFINITY), "vx of person 9 at tick 4 is inf"),
    ] {
        let mut writer = Writer::new(Vec::new(), &header(1)).expect("a writer");
        let error = writer.frame(&frame.as_frame()).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    }
    refused(&[one(0.0, 0.0)], 0, "every 0 frames");
    refused(&[one(0.0, 0.0)], u32::MAX, "every 4294967295 frames");
}

/// A full disk.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let recording = record(&header(1), &frames(1));
    for format in FORMATS {
        assert!(export(&recording, format, 1, Full(1500)).is_err(), "{format:?}");
    }
}

fn sqlite() -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    export(&record(&header(1), &frames(1)), Format::Sqlite, 1, &mut file).expect("a database");
    file.seek(SeekFrom::Start(0)).expect("the beginning");
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).expect("bytes");
    bytes
}

#[test]
fn broken_databases_are_an_error_or_other_values_but_no_panic() {
    let whole = sqlite();
    let read = |bytes: Vec<u8>| import(Cursor::new(bytes), "broken", &Stated::default());
    assert!(read(whole.clone()).is_ok());
    for at in 0..whole.len() {
        if at % 61 == 0 || at < 120 {
            let mut wrong = whole.clone();
            wrong[at] ^= 0xff;
            let _ = read(wrong);
        }
    }
    for cut in (16..whole.len()).step_by(997) {
        let read: Result<_, ImportError> = read(whole[..cut].to_vec());
        assert!(read.is_err(), "{cut} of {} bytes", whole.len());
    }
}
