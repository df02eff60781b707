//! A recording that was cut, at every byte of its last megabyte.

mod common;

use std::io::Cursor;
use std::thread;

use common::{KINDS, Kind, same_bits};
use passerby_record::{Recording, Writer};

const SECOND: usize = 20;

/// With bodies rows are longer, so fewer people make as large a file.
fn people(kind: Kind) -> u32 {
    match kind {
        Kind::Plain => 100,
        Kind::Bodies => 30,
    }
}

/// Four megabytes: their last one has some twenty seconds of frames and the footer.
fn recording(kind: Kind) -> &'static [u8] {
    let mut writer = Writer::new(Vec::new(), &kind.header(1)).unwrap();
    for tick in 0..20 * 90 {
        writer.frame(&kind.frame(tick, people(kind)).as_frame()).unwrap();
    }
    writer.finish().unwrap().leak()
}

/// Opens the file cut at each of these lengths and reads its last frame: it is one that was written, and the more is left
/// of the file the more frames there are.
fn check(kind: Kind, file: &'static [u8], cuts: impl Iterator<Item = usize>) -> usize {
    let mut last = 0;
    let mut count = 0;
    for length in cuts {
        let recording =
            Recording::open(Cursor::new(&file[..length])).unwrap_or_else(|e| panic!("cut at {length}: {e}"));
        assert_eq!(recording.complete(), length == file.len(), "cut at {length}");
        let frames = recording.frame_count() as usize;
        assert!(frames >= last && frames.is_multiple_of(SECOND), "{frames} frames after {last}, cut at {length}");
        let (first, tick) = recording.ticks().unwrap();
        assert_eq!((first, tick as usize + 1), (0, frames), "cut at {length}");
        if frames > last || length % 1009 == 0 {
            same_bits(&recording.frame_at(tick).unwrap().unwrap(), &kind.frame(tick, people(kind)));
        }
        (last, count) = (frames, count + 1);
    }
    count
}

/// `check` on every core, each with a part of the cuts.
fn check_in_parallel(kind: Kind, file: &'static [u8], cuts: &[usize]) {
    let parts = cuts.chunks(cuts.len().div_ceil(thread::available_parallelism().map_or(1, usize::from)));
    let checked: usize = thread::scope(|scope| {
        let threads: Vec<_> = parts.map(|part| scope.spawn(|| check(kind, file, part.iter().copied()))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(checked, cuts.len());
}

#[test]
fn a_file_cut_in_its_last_megabyte_opens_up_to_its_last_second() {
    cut_in_its_last_megabyte(Kind::Plain);
}

#[test]
fn a_file_with_bodies_cut_in_its_last_megabyte_opens_up_to_its_last_second() {
    cut_in_its_last_megabyte(Kind::Bodies);
}

fn cut_in_its_last_megabyte(kind: Kind) {
    let file = recording(kind);
    assert!(file.len() > 3 << 20, "{} bytes", file.len());
    let (start, end) = (file.len() - (1 << 20), file.len() - (64 << 10));
    check_in_parallel(kind, file, &(start..end).step_by(61).chain(end..=file.len()).collect::<Vec<_>>());
}

#[test]
#[ignore = "a million recordings are opened; minutes"]
fn long_a_file_cut_at_every_byte_of_its_last_megabyte_opens_up_to_its_last_second() {
    for kind in KINDS {
        let file = recording(kind);
        check_in_parallel(kind, file, &(file.len() - (1 << 20)..=file.len()).collect::<Vec<_>>());
    }
}
