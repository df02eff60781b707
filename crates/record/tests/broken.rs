//! Killed runs, full disks, damaged files and things that never were a recording.

mod common;

use std::io::{self, Cursor, ErrorKind, Write};
use std::sync::{Arc, Mutex};

use common::{KINDS, Kind, all, frame, note, open, same_bits, write};
use passerby_record::{RecordError, Recording, Writer};

/// A disk with room for `room` bytes that outlives its writer.
#[derive(Clone)]
struct Disk {
    bytes: Arc<Mutex<Vec<u8>>>,
    room: usize,
    /// How many of the bytes were flushed.
    flushed: Arc<Mutex<usize>>,
}

impl Disk {
    fn new(room: usize) -> Self {
        Self { bytes: Arc::default(), room, flushed: Arc::default() }
    }

    fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut held = self.bytes.lock().unwrap();
        let fits = bytes.len().min(self.room - held.len());
        if fits == 0 && !bytes.is_empty() {
            return Err(ErrorKind::StorageFull.into());
        }
        held.extend_from_slice(&bytes[..fits]);
        Ok(fits)
    }

    fn flush(&mut self) -> io::Result<()> {
        *self.flushed.lock().unwrap() = self.bytes.lock().unwrap().len();
        Ok(())
    }
}

#[test]
fn a_file_cut_anywhere_opens_up_to_its_last_second() {
    cut_anywhere(Kind::Plain, 40);
}

#[test]
fn a_file_with_bodies_cut_anywhere_opens_up_to_its_last_second() {
    cut_anywhere(Kind::Bodies, 12);
}

fn cut_anywhere(kind: Kind, people: u32) {
    let file: &'static [u8] = kind.write(20 * 30, 1, people).unwrap().leak();
    let tail = file.len() - (64 << 10);
    let mut last = 0;
    for length in (0..tail).step_by(997).chain(tail..=file.len()) {
        let recording = match Recording::open(Cursor::new(&file[..length])) {
            Ok(recording) => recording,
            Err(RecordError::NotARecording { size, .. }) if size == length as u64 && last == 0 => continue,
            Err(error) => panic!("cut at {length}: {error}"),
        };
        let frames = recording.frame_count();
        assert!(frames >= last && frames % 20 == 0, "{frames} frames after {last}, cut at {length}");
        last = frames;
        assert_eq!(recording.complete(), length == file.len(), "cut at {length}");
        assert_eq!(recording.header(), &kind.header(1));
        if length % 499 == 0 {
            let read = all(&recording).unwrap();
            assert_eq!(read.len() as u64, frames);
            read.iter().enumerate().for_each(|(tick, read)| same_bits(read, &kind.frame(tick as u32, people)));
        }
    }
    assert_eq!(last, 20 * 30);
}

#[test]
fn what_is_flushed_is_a_recording_at_every_moment() {
    KINDS.into_iter().for_each(flushed_at_every_moment);
}

fn flushed_at_every_moment(kind: Kind) {
    let disk = Disk::new(usize::MAX);
    let mut writer = Writer::new(disk.clone(), &kind.header(1)).unwrap();
    for tick in 0..100 {
        let flushed = *disk.flushed.lock().unwrap();
        let recording = open(&disk.bytes()[..flushed]).unwrap();
        let frames = recording.frame_count();
        assert!(!recording.complete() && u64::from(tick) - frames < 20, "{frames} frames after {tick}");
        // Nobody walks unannounced: every tenth tick brings two.
        assert_eq!(recording.people().len() as u64, frames / 10 * 2);
        note(&mut writer, tick);
        writer.frame(&kind.frame(tick, 3).as_frame()).unwrap();
    }
    drop(writer);
    let recording = open(&disk.bytes()).unwrap();
    assert_eq!((recording.complete(), recording.frame_count()), (false, 100));
}

#[test]
fn a_full_disk_stops_the_recording_and_keeps_what_was_flushed() {
    KINDS.into_iter().for_each(full_disk);
}

fn full_disk(kind: Kind) {
    let whole = kind.write(200, 1, 3).unwrap().len();
    for room in (0..whole).step_by(101) {
        let disk = Disk::new(room);
        let error = match Writer::new(disk.clone(), &kind.header(1)) {
            Err(error) => error,
            Ok(mut writer) => match (0..200).try_for_each(|tick| {
                note(&mut writer, tick);
                writer.frame(&kind.frame(tick, 3).as_frame())
            }) {
                Ok(()) => writer.finish().map(drop).expect_err("full"),
                Err(error) => {
                    let next = writer.frame(&kind.frame(200, 3).as_frame());
                    assert!(matches!(next, Err(RecordError::Stopped)), "{next:?}");
                    let held = disk.bytes().len();
                    drop(writer);
                    assert_eq!(disk.bytes().len(), held);
                    error
                }
            },
        };
        let RecordError::Write { kind, safe_seconds, .. } = error else { panic!("{error}") };
        assert_eq!(kind, ErrorKind::StorageFull);
        match open(&disk.bytes()) {
            Ok(recording) => {
                let last = recording.ticks().map_or(0.0, |(_, last)| f64::from(last) * 0.05);
                // The last record may be whole although the flush behind it failed.
                assert!(last >= safe_seconds && last - safe_seconds <= 1.0, "{last} {safe_seconds} room {room}");
                assert!(all(&recording).is_ok());
            }
            Err(error) => assert!(room < 2000 && safe_seconds == 0.0, "room {room}: {error}"),
        }
    }
}

#[test]
fn a_flipped_byte_is_noticed_or_harmless() {
    flipped_bytes(Kind::Plain, 65);
}

#[test]
fn a_flipped_byte_is_noticed_or_harmless_with_bodies() {
    flipped_bytes(Kind::Bodies, 25);
}

fn flipped_bytes(kind: Kind, ticks: u32) {
    let file = kind.write(ticks, 1, 3).unwrap();
    let frames: Vec<_> = (0..ticks).map(|tick| kind.frame(tick, 3)).collect();
    for at in 0..file.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut broken = file.clone();
            broken[at] ^= flip;
            let Ok(recording) = open(&broken) else { continue };
            if let Ok(read) = all(&recording) {
                read.iter().zip(&frames).for_each(|(a, b)| same_bits(a, b));
            }
        }
    }
}

#[test]
fn what_is_no_recording_is_named_so() {
    let file = write(65, 1, 3).unwrap();
    let zeros = vec![0; 100_000];
    let mut headless = file.clone();
    headless[0] = b'X';
    let hollow = [b"PAR1".as_slice(), &zeros, b"PAR1"].concat();
    let decoys = [b"PAR1".as_slice(), &b"\xffPsbyRec".repeat(10_000)].concat();
    for bytes in [b"".as_slice(), b"PAR1", b"PAR1PAR1", b"{}", &zeros, &headless, &hollow, &decoys, &file[1..]] {
        let error = open(bytes).map(drop).expect_err("no recording");
        assert!(matches!(error, RecordError::NotARecording { .. }), "{error}");
        assert!(error.to_string().contains(&format!("file of {} bytes", bytes.len())));
    }
}

#[test]
fn random_bytes_between_the_letters_are_refused() {
    for seed in 0..200 {
        let noise = frame(seed, 400);
        let mut bytes = b"PAR1".to_vec();
        noise.y.iter().for_each(|value| bytes.extend(value.to_bits().to_le_bytes()));
        bytes.extend_from_slice(b"PAR1");
        assert!(open(&bytes).is_err());
    }
}
