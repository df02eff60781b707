//! Recordings that no [`Writer`] of ours makes: each is an error that says what is wrong, in under a second.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::columns::{Layout, Lengths};
use crate::journal::{FrameRows, Kind, Rows, seal};
use crate::{BodyRow, FORMAT, FootRow, Header, OwnedFrame, PlaceShape, RecordError, Recording, Writer};

fn header() -> Header {
    Header {
        format: FORMAT,
        version: "0.1.0".into(),
        name: "forged".into(),
        scenario: String::new(),
        seed: 0,
        tick: 0.05,
        every: 1,
        offset: [0.0, 0.0],
        place: PlaceShape::default(),
        bodies: false,
    }
}

/// Three people at a tick.
fn frame(tick: u32) -> OwnedFrame {
    OwnedFrame {
        tick,
        id: vec![3, 5, 9],
        x: vec![1.0, 2.0, f64::from(tick)],
        y: vec![0.0; 3],
        vx: vec![1.5; 3],
        vy: vec![0.0; 3],
        heading: vec![0.0; 3],
        bodies: Vec::new(),
    }
}

/// The same with bodies.
fn posed(tick: u32) -> OwnedFrame {
    let foot = FootRow { shift: [0.25, -0.5], yaw: 0.125, step: 0.5, fade: 1.0, clips: [3, 4] };
    let body = |id: &u32| BodyRow {
        root: [0.0625, tick as f32],
        heading: *id as f32,
        torso: -1.5,
        phase: 0.75,
        fade: 0.5,
        feet: [foot, FootRow { yaw: -0.125, ..foot }],
        clips: [1, 2],
    };
    let frame = frame(tick);
    OwnedFrame { bodies: frame.id.iter().map(body).collect(), ..frame }
}

/// A recording of these frames, whatever is wrong with them.
fn forge(frames: &[OwnedFrame]) -> Vec<u8> {
    let bodies = frames.iter().any(|frame| !frame.bodies.is_empty());
    let mut writer = Writer::new(Vec::new(), &Header { bodies, ..header() }).expect("a writer");
    frames.iter().for_each(|frame| writer.put_frame(&frame.as_frame()).expect("unchecked"));
    writer.finish().expect("a file")
}

/// Opens and reads everything: the ticks that were handed over, and how it ended.
#[allow(clippy::disallowed_methods, reason = "a broken file must be refused at once")]
fn read(file: Vec<u8>) -> (Vec<u32>, Result<(), RecordError>) {
    let begin = Instant::now();
    let mut ticks = Vec::new();
    let ended = Recording::open(Cursor::new(file)).and_then(|recording| {
        let written = if recording.header().bodies { posed } else { frame };
        recording.frames(0, u32::MAX, &mut |frame| {
            assert_eq!(*frame, written(frame.tick).as_frame(), "what is handed over is what was written");
            ticks.push(frame.tick);
            ControlFlow::Continue(())
        })
    });
    assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
    (ticks, ended)
}

/// Frames 0 to 99 of which that of tick 47 is changed: all before it come, then an error with these words.
#[track_caller]
fn refused_when_reached(change: impl Fn(&mut OwnedFrame), words: &str) {
    refused_when_reached_among(frame, &change, words);
    refused_when_reached_among(posed, &change, words);
}

#[track_caller]
fn refused_when_reached_among(frame: fn(u32) -> OwnedFrame, change: impl Fn(&mut OwnedFrame), words: &str) {
    let mut frames: Vec<_> = (0..100).map(frame).collect();
    change(&mut frames[47]);
    let file = forge(&frames);
    let (ticks, ended) = read(file.clone());
    let error = ended.expect_err(words).to_string();
    assert!(error.contains(words), "{error}");
    assert!(ticks.iter().copied().eq(0..47), "{ticks:?}");
    let recording = Recording::open(Cursor::new(file)).expect("a recording");
    assert_eq!(recording.frame_at(46).expect("whole"), Some(frame(46)));
    assert_eq!(recording.frame_at(47).expect_err(words).to_string(), error);
    assert_eq!(recording.frame_at(48).expect("whole"), Some(frame(48)));
}

#[test]
fn rows_that_are_no_numbers_are_named() {
    refused_when_reached(|f| f.x[2] = f64::NAN, "x of person 9 at tick 47 is NaN (row 3 of that frame)");
    refused_when_reached(|f| f.y[0] = f64::NEG_INFINITY, "y of person 3 at tick 47 is -inf (row 1 of that frame)");
    refused_when_reached(|f| f.vx[1] = f32::NAN, "vx of person 5 at tick 47 is NaN");
    refused_when_reached(|f| f.vy[1] = f32::INFINITY, "vy of person 5 at tick 47 is inf");
    refused_when_reached(|f| f.heading[1] = f32::NAN, "heading of person 5 at tick 47 is NaN");
}

#[test]
fn bodies_that_are_no_numbers_are_named() {
    let refused = |change: fn(&mut BodyRow), row: usize, words: &str| {
        refused_when_reached_among(posed, |frame| change(&mut frame.bodies[row]), words);
    };
    refused(|b| b.root[0] = f32::NAN, 2, "body_x of person 9 at tick 47 is NaN (row 3 of that frame)");
    refused(|b| b.root[1] = f32::INFINITY, 0, "body_y of person 3 at tick 47 is inf (row 1 of that frame)");
    refused(|b| b.heading = f32::NAN, 1, "body_heading of person 5 at tick 47 is NaN");
    refused(|b| b.torso = f32::NEG_INFINITY, 1, "torso of person 5 at tick 47 is -inf");
    refused(|b| b.phase = f32::NAN, 1, "phase of person 5 at tick 47 is NaN");
    refused(|b| b.fade = f32::NAN, 1, "fade of person 5 at tick 47 is NaN");
    refused(|b| b.feet[0].shift[1] = f32::NAN, 1, "left_y of person 5 at tick 47 is NaN");
    refused(|b| b.feet[0].yaw = f32::NAN, 1, "left_yaw of person 5 at tick 47 is NaN");
    refused(|b| b.feet[1].step = f32::NAN, 1, "right_step of person 5 at tick 47 is NaN");
    refused(|b| b.feet[1].fade = f32::NAN, 2, "right_fade of person 9 at tick 47 is NaN");
}

#[test]
fn somebody_twice_in_a_frame_is_named() {
    refused_when_reached(|f| f.id[1] = 3, "person 3 at tick 47 comes after person 3 (row 2 of that frame)");
    refused_when_reached(|f| f.id[2] = 4, "person 4 at tick 47 comes after person 5 (row 3 of that frame)");
}

#[track_caller]
fn refused(file: Vec<u8>, words: &str) {
    let (ticks, ended) = read(file);
    let error = ended.expect_err(words).to_string();
    assert!(error.contains(words) && ticks.is_empty(), "{error}, after {ticks:?}");
}

/// A broken-off file: the header, then what is given.
fn journal(header: &str, records: &[(Kind, Vec<u8>)]) -> Vec<u8> {
    let mut file = b"PAR1".to_vec();
    let mut previous = 0;
    for (kind, body) in std::iter::once(&(Kind::Words, header.as_bytes().to_vec())).chain(records) {
        file.extend(seal(*kind, body.clone(), file.len() as u64, previous));
        previous = file.len() as u64;
    }
    file
}

fn header_words(format: u32) -> String {
    let header = serde_json::to_string(&Header { format, ..header() }).expect("JSON");
    format!("{{\"header\":{header}}}")
}

fn header_words_with_bodies() -> String {
    let header = serde_json::to_string(&Header { bodies: true, ..header() }).expect("JSON");
    format!("{{\"header\":{header}}}")
}

#[test]
fn frames_out_of_order_are_refused_on_opening() {
    let within_a_second: Vec<_> = [0, 1, 3, 2, 4].into_iter().map(frame).collect();
    refused(forge(&within_a_second), "the frames of a row group are not in order");
    let twice: Vec<_> = [0, 1, 1].into_iter().map(frame).collect();
    refused(forge(&twice), "the frames of a row group are not in order");
    let rows = |tick| {
        let frames = vec![FrameRows { tick, people: 0 }];
        Rows { start: 4, sum: 0, lengths: Lengths::default(), frames }.write(Layout::Base)
    };
    let seconds = journal(&header_words(FORMAT), &[(Kind::Rows, rows(40)), (Kind::Rows, rows(20))]);
    refused(seconds, "tick 20 comes after a later one");
}

#[test]
fn another_version_is_named_beside_ours() {
    for format in [0, FORMAT + 1, u32::MAX] {
        refused(
            journal(&header_words(format), &[]),
            &format!("the recording has format {format}; this version reads format {FORMAT}"),
        );
    }
    let unknown = format!("{{\"header\":{{\"format\":{},\"new\":[]}}}}", FORMAT + 1);
    refused(journal(&unknown, &[]), &format!("has format {}; this version reads format {FORMAT}", FORMAT + 1));
}

#[test]
fn claims_of_endless_rows_are_refused_before_memory_is_taken() {
    let layouts = [(Layout::Base, header_words(FORMAT)), (Layout::Bodies, header_words_with_bodies())];
    for (layout, header) in &layouts {
        let claim = |people, base, body| {
            let frames = (0..4096).map(|tick| FrameRows { tick, people }).collect();
            let rows = Rows { start: 4, sum: 0, lengths: Lengths { base, body }, frames }.write(*layout);
            journal(header, &[(Kind::Rows, rows)])
        };
        refused(claim(u32::MAX, [0; 7], 0), "a row group is larger than any we write");
        refused(claim(1, [u32::MAX; 7], 0), "a row group is larger than any we write");
        // 64 people in 4096 frames are as many as a row group with bodies holds.
        refused(claim(64, [1000; 7], 0), "a row group ends behind its record");
        if *layout == Layout::Bodies {
            refused(claim(1, [0; 7], u32::MAX), "a row group is larger than any we write");
            refused(claim(65, [0; 7], 0), "a row group is larger than any we write");
        }
    }
}

/// The footer is for other programs: what it claims does not matter to us.
#[test]
fn a_footer_that_claims_2_to_the_62_rows_is_not_believed() {
    let frames: Vec<_> = (0..100).map(frame).collect();
    let whole = forge(&frames);
    let length = u32::from_le_bytes(*whole[whole.len() - 8..].first_chunk().expect("a length")) as usize;
    // Thrift's compact protocol: version 1, a schema of nothing, 2^62 rows (doubled because of the sign), no row groups.
    let mut rows = vec![0x16];
    rows.extend([0x80; 9]);
    rows.push(0x01);
    let footer = [&[0x15, 2, 0x19, 0x0c][..], &rows, &[0x19, 0x0c, 0]].concat();
    let end = [&(footer.len() as u32).to_le_bytes()[..], b"PAR1"].concat();
    let forged = [&whole[..whole.len() - 8 - length], &footer, &end].concat();
    let (ticks, ended) = read(forged);
    ended.expect("a recording");
    assert!(ticks.into_iter().eq(0..100));
    refused([b"PAR1", &footer[..], &end].concat(), "not a recording");
}

/// Zstandard by hand: a frame without sizes, whose blocks each repeat one byte 128 kB long. 32 kB become a gigabyte.
fn bomb() -> Vec<u8> {
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
    for block in 0..8192_u32 {
        let head = (1 << 17) << 3 | 1 << 1 | u32::from(block == 8191);
        bytes.extend_from_slice(&head.to_le_bytes()[..3]);
        bytes.push(0);
    }
    bytes
}

/// A number of thrift's compact protocol.
fn number(value: usize) -> Vec<u8> {
    let mut rest = value * 2;
    let mut bytes = vec![0x15];
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

#[test]
fn pages_that_unpack_to_gigabytes_are_refused() {
    let bomb = bomb();
    for (claimed, people, words) in [
        // The page lies about what is in it; tells more than a row group may hold; tells the truth.
        (4, 1, "column id"),
        (1 << 21, 1 << 19, "column id"),
        (1 << 26, 1, "the size of a page is not that of its values"),
        (1 << 30, 1, "a page header is not of the kind we write"),
    ] {
        let page = [
            number(0),
            number(claimed),
            number(bomb.len()),
            vec![0x2c],
            number(people as usize),
            number(9),
            number(3),
            number(3),
            vec![0, 0],
            bomb.clone(),
        ]
        .concat();
        let mut lengths = Lengths::default();
        lengths.base[1] = page.len() as u32;
        let file = journal(&header_words(FORMAT), &[]);
        let (start, previous) = (file.len() as u64, file.len() as u64);
        let frames = vec![FrameRows { tick: 0, people }];
        let rows = Rows { start, sum: crc32fast::hash(&page), lengths, frames }.write(Layout::Base);
        let record = seal(Kind::Rows, rows, start + page.len() as u64, previous);
        refused([file, page, record].concat(), words);
    }
}

/// A journal whose rows are of one kind and whose header tells of the other.
#[test]
fn a_header_that_lies_about_bodies_is_refused() {
    let rows = |layout| {
        let frames = vec![FrameRows { tick: 0, people: 1 }];
        Rows { start: 4, sum: 0, lengths: Lengths::default(), frames }.write(layout)
    };
    let without = journal(&header_words(FORMAT), &[(Kind::Rows, rows(Layout::Bodies))]);
    refused(without, "a record of rows has no whole list of frames");
    let with = journal(&header_words_with_bodies(), &[(Kind::Rows, rows(Layout::Base))]);
    refused(with, "a record of rows has no whole list of frames");
    // The rows agree with the header, but there are no bodies in them.
    let mut encoder = crate::group::Encoder::new(Layout::Base).expect("an encoder");
    let frames = vec![FrameRows { tick: 0, people: 3 }];
    let frame = frame(0);
    let group = encoder.encode(0, &frames, &frame.as_frame()).expect("a row group");
    let (bytes, lengths) = (group.parts.concat(), group.facts.lengths);
    let file = journal(&header_words_with_bodies(), &[]);
    let (start, previous) = (file.len() as u64, file.len() as u64);
    let rows = Rows { start, sum: crc32fast::hash(&bytes), lengths, frames }.write(Layout::Bodies);
    let record = seal(Kind::Rows, rows, start + bytes.len() as u64, previous);
    refused([file, bytes, record].concat(), "the columns of 3 bodies have 0 bytes");
}
