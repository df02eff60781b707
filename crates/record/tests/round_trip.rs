//! What goes in comes out, to the bit.

mod common;

use std::ops::ControlFlow;

use common::{KINDS, Kind, all, frame, header, open, person, same_bits, write};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use passerby_record::{BodyRow, FORMAT, Frame, RecordError, Recording, Writer};

#[test]
fn frames_people_events_and_header_come_back() {
    KINDS.into_iter().for_each(all_comes_back);
}

fn all_comes_back(kind: Kind) {
    let recording = open(&kind.write(130, 1, 25).unwrap()).unwrap();
    assert_eq!(recording.header(), &kind.header(1));
    assert!(recording.complete());
    assert_eq!((recording.ticks(), recording.frame_count()), (Some((0, 129)), 130));
    let people: Vec<_> = (0..130).step_by(10).flat_map(|tick| [person(tick), person(tick + 1)]).collect();
    assert_eq!(recording.people(), people);
    assert_eq!(recording.events().len(), 9);
    assert_eq!((recording.events()[8].tick, recording.events()[8].what.as_str()), (120, "close \"120\""));
    let frames = all(&recording).unwrap();
    assert_eq!(frames.len(), 130);
    for (tick, read) in frames.iter().enumerate() {
        same_bits(read, &kind.frame(tick as u32, 25));
    }
}

#[test]
fn a_crowd_larger_than_a_row_group_comes_back() {
    for kind in KINDS {
        let sizes = [70_000, 10, 65_535, 65_536, 0, 200_001];
        let mut writer = Writer::new(Vec::new(), &kind.header(1)).unwrap();
        for (tick, people) in sizes.into_iter().enumerate() {
            writer.frame(&kind.frame(tick as u32, people).as_frame()).unwrap();
        }
        let recording = open(&writer.finish().unwrap()).unwrap();
        for (tick, people) in sizes.into_iter().enumerate() {
            same_bits(&recording.frame_at(tick as u32).unwrap().unwrap(), &kind.frame(tick as u32, people));
        }
    }
}

#[test]
fn nothing_recorded_is_still_a_recording() {
    let file = Writer::new(Vec::new(), &header(1)).unwrap().finish().unwrap();
    let recording = open(&file).unwrap();
    assert!(recording.complete());
    assert_eq!((recording.ticks(), recording.frame_count(), recording.people().len()), (None, 0, 0));
    assert_eq!(recording.frame_at(7).unwrap(), None);
    assert_eq!(all(&recording).unwrap(), []);
}

#[test]
fn a_frame_without_people_is_a_frame() {
    for kind in KINDS {
        let mut writer = Writer::new(Vec::new(), &kind.header(1)).unwrap();
        let sizes = [0, 0, 3, 0].into_iter().chain([0; 40]).chain([2]);
        for (tick, people) in sizes.clone().enumerate() {
            writer.frame(&kind.frame(tick as u32, people).as_frame()).unwrap();
        }
        let frames = all(&open(&writer.finish().unwrap()).unwrap()).unwrap();
        assert!(sizes.map(|people| people as usize).eq(frames.iter().map(|frame| frame.id.len())));
    }
}

#[track_caller]
fn check_at(recording: &Recording, tick: u32, expected: Option<u32>) {
    assert_eq!(recording.frame_at(tick).unwrap().map(|frame| frame.tick), expected, "at {tick}");
}

#[test]
fn sparse_frames_are_found_by_time() {
    for every in [3, 7, 40] {
        let recording = open(&write(500, every, 4).unwrap()).unwrap();
        let last = 499 / every * every;
        assert_eq!(recording.ticks(), Some((0, last)));
        for tick in 0..500 {
            check_at(&recording, tick, Some(tick / every * every));
        }
        check_at(&recording, u32::MAX, Some(last));
    }
}

#[test]
fn a_range_holds_its_ends_and_can_be_left_early() {
    let mut writer = Writer::new(Vec::new(), &header(1)).unwrap();
    (10..200).for_each(|tick| writer.frame(&frame(tick, 3).as_frame()).unwrap());
    let recording = open(&writer.finish().unwrap()).unwrap();
    check_at(&recording, 9, None);
    let range = |first, last, most: usize| {
        let mut ticks = Vec::new();
        let mut each = |frame: &Frame<'_>| {
            ticks.push(frame.tick);
            if ticks.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        recording.frames(first, last, &mut each).unwrap();
        ticks
    };
    assert_eq!(range(0, 12, 99), [10, 11, 12]);
    assert_eq!(range(28, 31, 99), [28, 29, 30, 31]);
    assert_eq!(range(198, 900, 99), [198, 199]);
    assert_eq!(range(50, 150, 2), [50, 51]);
    assert!(range(31, 28, 99).is_empty() && range(200, 300, 99).is_empty() && range(0, 9, 99).is_empty());
}

#[test]
fn other_programs_see_an_ordinary_parquet_file() {
    let reader = SerializedFileReader::new(bytes::Bytes::from(write(45, 2, 5).unwrap())).unwrap();
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.num_rows(), 23 * 5);
    let names: Vec<_> = metadata.schema_descr().columns().iter().map(|column| column.name()).collect();
    assert_eq!(names, ["tick", "id", "x", "y", "vx", "vy", "heading"]);
    let keys: Vec<_> = metadata.key_value_metadata().unwrap().iter().map(|pair| pair.key.as_str()).collect();
    assert_eq!(keys, ["passerby.header", "passerby.people", "passerby.events"]);
    let expected = frame(44, 5);
    for (row, read) in reader.get_row_iter(None).unwrap().skip(22 * 5).enumerate() {
        let values: Vec<_> = read.unwrap().into_columns().into_iter().map(|(_, value)| value.to_string()).collect();
        assert_eq!((values[0].as_str(), values[1].as_str()), ("44", expected.id[row].to_string().as_str()));
    }
}

#[test]
fn other_programs_see_bodies_as_ordinary_columns() {
    let reader = SerializedFileReader::new(bytes::Bytes::from(Kind::Bodies.write(45, 2, 5).unwrap())).unwrap();
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.num_rows(), 23 * 5);
    let names: Vec<_> = metadata.schema_descr().columns().iter().map(|column| column.name()).collect();
    let body = ["body_x", "body_y", "body_heading", "torso", "phase", "fade", "clips"];
    let left = ["left_x", "left_y", "left_yaw", "left_step", "left_fade", "left_clips"];
    let right = ["right_x", "right_y", "right_yaw", "right_step", "right_fade", "right_clips"];
    assert_eq!(names[..7], ["tick", "id", "x", "y", "vx", "vy", "heading"]);
    assert_eq!(names[7..], [&body[..], &left, &right].concat());
    let number = |field: &Field| match field {
        Field::Float(value) => value.to_bits(),
        Field::UInt(value) => *value,
        other => panic!("{other:?}"),
    };
    let clips = |[played, before]: [u16; 2]| u32::from(played) + 65_536 * u32::from(before);
    let mut rows = 0;
    let expected = (0..45).step_by(2).flat_map(|tick| Kind::Bodies.frame(tick, 5).bodies);
    for (read, body) in reader.get_row_iter(None).unwrap().zip(expected) {
        let read: Vec<_> = read.unwrap().into_columns()[7..].iter().map(|(_, field)| number(field)).collect();
        let BodyRow { root, heading, torso, phase, fade, feet, clips: both } = body;
        let mut values = vec![root[0], root[1], heading, torso, phase, fade].into_iter().map(f32::to_bits).collect();
        let put = |values: &mut Vec<u32>, both| values.push(clips(both));
        put(&mut values, both);
        for foot in feet {
            let numbers = [foot.shift[0], foot.shift[1], foot.yaw, foot.step, foot.fade];
            values.extend(numbers.map(f32::to_bits));
            put(&mut values, foot.clips);
        }
        assert_eq!(read, values);
        rows += 1;
    }
    assert_eq!(rows, 23 * 5);
}

/// A torn footer must not hide the last record, which is searched in the last 512 MB. Half as many bytes again are for offsets
/// that are longer in a long file.
#[test]
fn the_longest_footer_is_shorter_than_what_is_searched() {
    for (kind, records_max) in [(Kind::Plain, 1 << 20), (Kind::Bodies, 1 << 18)] {
        let footer = |seconds: u32| {
            let mut writer = Writer::new(Vec::new(), &kind.header(1)).unwrap();
            (0..20 * seconds).for_each(|tick| writer.frame(&kind.frame(tick, 5).as_frame()).unwrap());
            let file = writer.finish().unwrap();
            u64::from(u32::from_le_bytes(*file[file.len() - 8..].first_chunk().unwrap()))
        };
        let group = (footer(300) - footer(100)) / 200;
        println!("{kind:?}: {group} bytes of footer a row group");
        assert!(group * 3 / 2 * records_max < 512 << 20, "{kind:?}: {group} bytes a row group");
    }
}

/// Nobody is there, so only the records count: header and three days of seconds.
#[test]
fn three_days_with_bodies_are_refused_when_they_are_over() {
    let mut writer = Writer::new(std::io::sink(), &Kind::Bodies.header(20)).unwrap();
    (1..1 << 18).for_each(|second| writer.frame(&Kind::Bodies.frame(20 * second, 0).as_frame()).unwrap());
    let next = writer.frame(&Kind::Bodies.frame(20 << 18, 0).as_frame());
    refused(next, "the length of the recording is more than 262144 parts");
}

/// A file of the version that knew no bodies: it opens, and the same run leaves the same bytes today.
#[test]
fn without_bodies_a_recording_is_what_it_was() {
    let before = include_bytes!("small/without-bodies.parquet");
    let recording = open(before).unwrap();
    assert_eq!((recording.header(), recording.complete()), (&header(1), true));
    let frames = all(&recording).unwrap();
    assert_eq!(frames.len(), 25);
    frames.iter().for_each(|read| same_bits(read, &frame(read.tick, 3)));
    assert!(write(25, 1, 3).unwrap() == before);
}

#[track_caller]
fn refused(result: Result<(), RecordError>, words: &str) {
    let error = result.expect_err(words).to_string();
    assert!(error.contains(words), "{error}");
}

#[test]
fn what_the_format_cannot_hold_is_refused_with_its_value() {
    let mut wrong = header(1);
    wrong.tick = f64::NAN;
    refused(Writer::new(Vec::new(), &wrong).map(drop), "tick of the header is NaN");
    wrong = header(0);
    refused(Writer::new(Vec::new(), &wrong).map(drop), "every of the header is 0");
    wrong = header(1);
    wrong.place.doors[0].line[1][0] = f64::INFINITY;
    refused(Writer::new(Vec::new(), &wrong).map(drop), "finite coordinates");
    wrong = header(1);
    wrong.format = FORMAT + 1;
    refused(Writer::new(Vec::new(), &wrong).map(drop), "has format 3");

    let mut writer = Writer::new(Vec::new(), &header(1)).unwrap();
    writer.frame(&frame(5, 2).as_frame()).unwrap();
    refused(writer.frame(&frame(5, 2).as_frame()), "the tick of a frame is 5; allowed: above 5");
    let mut short = frame(6, 2);
    short.vy.pop();
    refused(writer.frame(&short.as_frame()), "the length of vy in the frame of tick 6 is 1; allowed: 2");
    let mut twice = frame(6, 2);
    twice.id = vec![9, 9];
    refused(writer.frame(&twice.as_frame()), "is 9; allowed: above 9");
    let some = Kind::Bodies.frame(6, 2);
    let words =
        "the number of bodies in the frame of tick 6 is 2; allowed: 0, for the recording was begun without bodies";
    refused(writer.frame(&some.as_frame()), words);
    let mut wide = Writer::new(Vec::new(), &Kind::Bodies.header(1)).unwrap();
    let words = "the number of bodies in the frame of tick 6 is 0; allowed: 2, for the recording was begun with";
    refused(wide.frame(&frame(6, 2).as_frame()), words);
    let mut bent = some.clone();
    bent.bodies[1].feet[0].yaw = f32::NAN;
    let words = format!("left_yaw of person {} at tick 6 is NaN (row 2 of that frame)", some.id[1]);
    refused(wide.frame(&bent.as_frame()), &words);
    let many = Kind::Bodies.frame(6, (1 << 18) + 1);
    refused(wide.frame(&many.as_frame()), "tick 6 is 262145; allowed: at most 262144");
    wide.frame(&some.as_frame()).unwrap();
    let mut light = person(1);
    light.mass = f32::NAN;
    writer.people(&[light]);
    refused(writer.finish().map(drop), "mass of person 1 is NaN");
}

#[test]
fn many_people_and_events_come_back() {
    let mut writer = Writer::new(Vec::new(), &header(1)).unwrap();
    let people: Vec<_> = (0..40_000).map(person).collect();
    writer.people(&people);
    (0..20_000).for_each(|tick| writer.event(passerby_record::Event { tick, what: String::new(), adds: None }));
    let recording = open(&writer.finish().unwrap()).unwrap();
    assert!(recording.people() == people && recording.events().len() == 20_000);
}

/// Prints what a row costs; asserts nothing about time, which is for benches.
#[test]
#[allow(clippy::disallowed_methods, reason = "measures")]
fn a_million_rows_go_in_and_out() {
    let frames: Vec<_> = (0..10).map(|tick| frame(tick, 100_000)).collect();
    let mut writer = Writer::new(Vec::with_capacity(50_000_000), &header(1)).unwrap();
    let begin = std::time::Instant::now();
    frames.iter().for_each(|frame| writer.frame(&frame.as_frame()).unwrap());
    let file = writer.finish().unwrap();
    let written = begin.elapsed();
    let size = file.len();
    let recording = Recording::open(std::io::Cursor::new(file)).unwrap();
    let begin = std::time::Instant::now();
    let mut rows = 0;
    recording
        .frames(0, 9, &mut |frame| {
            rows += frame.id.len();
            ControlFlow::Continue(())
        })
        .unwrap();
    let read = begin.elapsed();
    println!("1M rows: written in {written:?}, read in {read:?}, {:.1} bytes a row", size as f64 / 1e6);
    assert_eq!(rows, 1_000_000);
    assert!(frames.iter().all(|frame| {
        same_bits(&recording.frame_at(frame.tick).unwrap().unwrap(), frame);
        true
    }));
}
