//! Recorded people from other people's files, as recordings like any other.
//!
//! | format | known by | states |
//! | --- | --- | --- |
//! | Jülich (PeTrack) text, `id frame x y [z]` | 4 or 5 numbers a line | unit and frame rate, if its comments do |
//! | UCY `obsmat`, `frame id x z y vx vz vy` | 8 numbers a line | metres |
//! | CSV with a header line | names in its first line | unit, if the names do; frame rate, if there is a time |
//! | HDF5 of the Pedestrian Dynamics Data Archive | its signature | metres, frame rate, walls |
//! | JuPedSim SQLite, version 1 and 2 | its signature | metres, frame rate, walls |
//! | a recording of ours | its signature | all |
//!
//! What a file does not state the caller must, see [`Stated`]; nothing is guessed.

use std::io::Cursor;

use crate::import_error::{ImportError, Place};
use crate::input::{Input, Source};
use crate::tracks::Tracks;
use crate::{PlaceShape, Recording, csv, hdf5, obsmat, sqlite, text};

/// What these files begin with.
const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";
const SQLITE: &[u8] = b"SQLite format 3\0";
/// Bytes of a file that is not ours: they are all held in memory.
const BYTES_MAX: u64 = 1 << 30;
/// Bytes of the first line of a text.
const LINE_MAX: u64 = 1 << 20;

/// The unit of lengths in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Metres.
    Metre,
    /// Centimetres.
    Centimetre,
}

impl Unit {
    /// A length of this unit in metres.
    pub fn metres(self, length: f64) -> f64 {
        match self {
            Unit::Metre => length,
            Unit::Centimetre => length / 100.0, // not times 0.01: 164.834 cm are the double nearest to 1.64834 m
        }
    }

    /// Its symbol: `m`, `cm`.
    pub fn symbol(self) -> &'static str {
        match self {
            Unit::Metre => "m",
            Unit::Centimetre => "cm",
        }
    }
}

/// What the caller knows about a file.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Stated {
    /// Unit of its lengths.
    pub unit: Option<Unit>,
    /// Frames a second, > 0. Frame numbers count these, also where only every tenth frame has rows.
    pub fps: Option<f64>,
}

/// What was read from a file, and what the file says about itself.
pub(crate) struct Read {
    pub tracks: Tracks,
    /// The unit, and where it is stated. Positions in `tracks` are as in the file.
    pub unit: Option<(Unit, String)>,
    /// The frame rate, and where it is stated.
    pub fps: Option<(f64, String)>,
    pub place: PlaceShape,
}

/// Reads recorded people. `name` becomes the name of the recording. Where somebody is missing for some frames between
/// others, or a text ends within a line, the recording has an event that says so: it begins with `gap:`.
pub fn import(source: impl Source + 'static, name: &str, stated: &Stated) -> Result<Recording, ImportError> {
    check_stated(stated)?;
    let input = Input::new(Box::new(source))?;
    let beginning = input.read(0, input.size().min(16) as usize)?;
    if beginning.starts_with(b"PAR1") {
        return ours(Recording::from_input(input)?, stated);
    }
    if input.size() > BYTES_MAX {
        return Err(ImportError::TooMuch { what: "size of the file in bytes", found: input.size(), most: BYTES_MAX });
    }
    let binary = beginning.starts_with(HDF5) || beginning.starts_with(SQLITE);
    if !binary {
        check_text(&input)?;
    }
    let bytes = input.read(0, input.size() as usize)?;
    drop(input);
    let read = if beginning.starts_with(HDF5) {
        hdf5::read(bytes)?
    } else if beginning.starts_with(SQLITE) {
        sqlite::read(&bytes)?
    } else {
        lines(&bytes)?
    };
    let unit = agreed("unit of lengths", "--unit", read.unit, stated.unit, |unit| unit.symbol().to_owned())?;
    let fps = agreed("frame rate", "--fps", read.fps, stated.fps, |fps| format!("{fps} frames a second"))?;
    check_fps(fps, "the file")?;
    let file = read.tracks.recording(name, unit, fps, read.place)?;
    Ok(Recording::open(Cursor::new(file))?)
}

/// A look at the beginning, before the whole file is held in memory: texts have lines, and no zeros.
fn check_text(input: &Input) -> Result<(), ImportError> {
    let beginning = input.read(0, input.size().min(LINE_MAX) as usize)?;
    if let Some(at) = beginning.iter().position(|byte| *byte == 0) {
        let reason = format!("byte {at} of it is 0, so it is no UTF-8 text, and it begins as no other format we know");
        return Err(unreadable("recorded people", reason));
    }
    if input.size() > LINE_MAX && !beginning.contains(&b'\n') {
        return Err(unreadable("recorded people", format!("its first line is longer than {LINE_MAX} bytes")));
    }
    Ok(())
}

/// A text: its first line that is not a comment tells which one.
fn lines(bytes: &[u8]) -> Result<Read, ImportError> {
    let Some((line, first)) = text::lines(bytes).find(|(_, line)| !line.is_empty() && !line.starts_with('#')) else {
        return Err(unreadable("recorded people", "there are no rows in it"));
    };
    let mut read = match first.split_whitespace().count() {
        _ if first.contains([',', ';']) => csv::read(bytes)?,
        4 | 5 => text::read(bytes)?,
        8 => obsmat::read(bytes)?,
        found => {
            let expected = "4 or 5 (`id frame x y [z]`), 8 (`frame id x z y vx vz vy`), or CSV with a header line";
            return Err(ImportError::Columns { place: Place::Line(line), found, expected: expected.into() });
        }
    };
    if !bytes.ends_with(b"\n") {
        read.tracks.end_is_open();
    }
    Ok(read)
}

/// A recording of ours states everything.
fn ours(recording: Recording, stated: &Stated) -> Result<Recording, ImportError> {
    let by = || "the recording".to_owned();
    let fps = whole(1.0 / recording.header().tick);
    agreed("unit of lengths", "--unit", Some((Unit::Metre, by())), stated.unit, |unit| unit.symbol().to_owned())?;
    agreed("frame rate", "--fps", Some((fps, by())), stated.fps, |fps| format!("{fps} frames a second"))?;
    Ok(recording)
}

/// What file and caller say, if at least one does and both agree.
fn agreed<T: PartialEq + Copy>(
    what: &'static str,
    option: &'static str,
    file: Option<(T, String)>,
    caller: Option<T>,
    words: impl Fn(T) -> String,
) -> Result<T, ImportError> {
    match (file, caller) {
        (Some((found, by)), Some(other)) if found != other => Err(ImportError::Contradiction {
            what,
            found: words(found),
            by,
            other: words(other),
            other_by: option.to_owned(),
        }),
        (Some((value, _)), _) | (None, Some(value)) => Ok(value),
        (None, None) => {
            let values = if option == "--unit" { "m or cm" } else { "frames a second" };
            Err(ImportError::NotStated { what, option, values })
        }
    }
}

fn check_stated(stated: &Stated) -> Result<(), ImportError> {
    stated.fps.map_or(Ok(()), |fps| check_fps(fps, "--fps"))
}

fn check_fps(fps: f64, by: &str) -> Result<(), ImportError> {
    if (1e-3..=1e6).contains(&fps) {
        return Ok(());
    }
    Err(unreadable("recorded people", format!("the frame rate is {fps} by {by}; allowed: 0.001 to 1000000")))
}

/// The number itself, or the whole number it was before it was divided and rounded: `1 / (1 / 49)`.
pub(crate) fn whole(number: f64) -> f64 {
    let near = number.round();
    if (number - near).abs() <= 1e-12 * near { near } else { number }
}

pub(crate) fn unreadable(format: &'static str, reason: impl ToString) -> ImportError {
    ImportError::Unreadable { format, reason: reason.to_string() }
}
