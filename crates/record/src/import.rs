//! Recorded people from other people's files, as recordings like any other.
//!
//! | format | known by | states |
//! | --- | --- | --- |
//! | Jülich (PeTrack) text, `id frame x y [z]` | 4 or 5 numbers a line | unit and frame rate, if its comments do |
//! | UCY `obsmat`, `frame id x z y vx vz vy` | 8 numbers a line | metres |
//! | UCY `annotation.vsp`, points in a film | `148 - the number of splines` | pixels |
//! | CSV with a header line | names in its first line | unit, if the names do; frame rate, if there is a time |
//! | HDF5 of the Pedestrian Dynamics Data Archive | its signature | metres, frame rate, walls |
//! | JuPedSim SQLite, version 1 and 2 | its signature | metres, frame rate, walls |
//! | a recording of ours | its signature | all |
//!
//! What a file does not state the caller must, see [`Stated`]; nothing is guessed.

use std::io::Cursor;
use std::sync::Arc;

use crate::Recording;
use passerby_geometry::Homography;

use crate::hdf5::Archive;
use crate::import_error::{ImportError, short_number};
use crate::input::{Input, Source};
use crate::jupedsim::Database;
use crate::splines::{self, Splines};
use crate::survey::Survey;
use crate::table::Table;
use crate::text::Text;
use crate::tracks::Tracks;

/// What these files begin with.
const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";
const SQLITE: &[u8] = b"SQLite format 3\0";
/// Bytes of a file that is not ours.
const BYTES_MAX: u64 = 1 << 30;

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

/// How pixels of a picture lie on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Image {
    /// As the camera sees them.
    Homography(Homography),
    /// Seen straight from above: metres a pixel, > 0, from the middle of the picture, y upwards.
    PixelSize(f64),
}

/// What the caller knows about a file.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Stated {
    /// How its pixels lie on the ground, for a file in pixels and no other.
    pub image: Option<Image>,
    /// Unit of its lengths.
    pub unit: Option<Unit>,
    /// Frames a second, > 0. Frame numbers count these, also where only every tenth frame has rows.
    pub fps: Option<f64>,
}

/// Where a recording is kept while it is made from somebody else's file: a temporary file, or a `Cursor` over bytes.
pub trait Scratch: std::io::Read + std::io::Write + std::io::Seek + Send {}

impl<S: std::io::Read + std::io::Write + std::io::Seek + Send> Scratch for S {}

/// Reads recorded people. `name` becomes the name of the recording, which is held in memory. Where somebody is missing for
/// some frames between others, or a text ends within a line, the recording has an event that says so: it begins with `gap:`.
pub fn import(source: impl Source + 'static, name: &str, stated: &Stated) -> Result<Recording, ImportError> {
    import_through(source, Cursor::new(Vec::new()), name, stated)
}

/// As [`import`], with the recording in `scratch`, so that a file of any size needs no more than 256 MB of memory.
/// `scratch` must be empty; a recording of ours is read where it is.
pub fn import_through(
    source: impl Source + 'static,
    scratch: impl Scratch + 'static,
    name: &str,
    stated: &Stated,
) -> Result<Recording, ImportError> {
    check_stated(stated)?;
    let input = Input::new(Box::new(source))?;
    let beginning = input.read(0, input.size().min(16) as usize)?;
    if beginning.starts_with(b"PAR1") {
        check_no_pixels(stated)?;
        return ours(Recording::from_input(input)?, stated);
    }
    if input.size() > BYTES_MAX {
        return Err(ImportError::TooMuch { what: "size of the file in bytes", found: input.size(), most: BYTES_MAX });
    }
    let input = Arc::new(input);
    let in_pixels = splines::is_one(&input)?;
    if !in_pixels {
        check_no_pixels(stated)?;
    }
    let mut table: Box<dyn Table> = if in_pixels {
        Box::new(Splines::open(&input, stated.image)?)
    } else if beginning.starts_with(HDF5) {
        Box::new(Archive::open(&input)?)
    } else if beginning.starts_with(SQLITE) {
        Box::new(Database::open(&input)?)
    } else {
        Box::new(Text::open(&input)?)
    };
    let survey = Survey::new(table.as_mut())?;
    let facts = table.facts()?;
    let unit = agreed("unit of lengths", "--unit", facts.unit, stated.unit, |unit| unit.symbol().to_owned())?;
    let fps = agreed("frame rate", "--fps", facts.fps, stated.fps, |fps| format!("{fps} frames a second"))?;
    check_fps(fps, "the file")?;
    let file = Tracks::new(table.as_mut(), &survey, unit, fps).recording(name, facts.place, scratch)?;
    Ok(Recording::open(file)?)
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

/// An error if pixels were spoken of, though the file has none.
fn check_no_pixels(stated: &Stated) -> Result<(), ImportError> {
    if stated.image.is_some() { Err(ImportError::NotPixels) } else { Ok(()) }
}

fn check_stated(stated: &Stated) -> Result<(), ImportError> {
    if let Some(Image::PixelSize(size)) = stated.image
        && !(1e-6..=1e3).contains(&size)
    {
        let reason = format!("a pixel has {} m by --pixel-size; allowed: 0.000001 to 1000", short_number(size));
        return Err(unreadable("recorded people", reason));
    }
    stated.fps.map_or(Ok(()), |fps| check_fps(fps, "--fps"))
}

fn check_fps(fps: f64, by: &str) -> Result<(), ImportError> {
    if (1e-3..=1e6).contains(&fps) {
        return Ok(());
    }
    Err(unreadable(
        "recorded people",
        format!("the frame rate is {} by {by}; allowed: 0.001 to 1000000", short_number(fps)),
    ))
}

/// The number itself, or the whole number it was before it was divided and rounded: `1 / (1 / 49)`.
pub(crate) fn whole(number: f64) -> f64 {
    let near = number.round();
    if (number - near).abs() <= 1e-12 * near { near } else { number }
}

pub(crate) fn unreadable(format: &'static str, reason: impl ToString) -> ImportError {
    ImportError::Unreadable { format, reason: reason.to_string() }
}
