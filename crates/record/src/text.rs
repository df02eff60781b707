//! Jülich text, as PeTrack writes it: `id frame x y [z]`, with comments that may state unit and frame rate.

use std::borrow::Cow;

use crate::PlaceShape;
use crate::import::{Read, Unit};
use crate::import_error::{ImportError, Place, shortened};
use crate::tracks::{Row, Tracks};

/// The lines of a text with their numbers, without spaces around them. Bytes that are no UTF-8, as in old comments,
/// become replacement characters.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (u64, Cow<'_, str>)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    (1..).zip(bytes.split(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line.trim_ascii())))
}

/// Reads the whole text.
pub(crate) fn read(bytes: &[u8]) -> Result<Read, ImportError> {
    let mut read = Read { tracks: Tracks::new(Place::Line), unit: None, fps: None, place: PlaceShape::default() };
    let mut expected = None;
    for (line, words) in lines(bytes) {
        if let Some(comment) = words.strip_prefix('#') {
            read_comment(comment, line, &mut read)?;
            continue;
        }
        let mut values = [""; 5];
        let mut found = 0;
        for word in words.split_whitespace() {
            if let Some(value) = values.get_mut(found) {
                *value = word;
            }
            found += 1;
        }
        if found == 0 {
            continue;
        }
        if !(4..=5).contains(&found) || *expected.get_or_insert(found) != found {
            let expected = expected.map_or("4 or 5".to_owned(), |count| count.to_string());
            return Err(ImportError::Columns { place: Place::Line(line), found, expected });
        }
        let [id, frame, x, y, _] = values;
        let place = Place::Line(line);
        let at = [number("x", x, place)?, number("y", y, place)?];
        let row = Row {
            id: count("the id", id, place)?,
            frame: count("the frame", frame, place)?,
            at,
            velocity: None,
            heading: None,
        };
        read.tracks.push(row, line)?;
    }
    Ok(read)
}

/// Looks for `framerate: 25`, `x/cm`, `(in metres)`.
fn read_comment(comment: &str, line: u64, read: &mut Read) -> Result<(), ImportError> {
    let comment = comment.to_lowercase();
    let place = Place::Line(line);
    if let Some((_, rest)) = comment.split_once("framerate").or_else(|| comment.split_once("frame rate")) {
        let word = rest.trim_start_matches([':', '=', ' ', '\t']).split_whitespace().next().unwrap_or_default();
        let fps = number("the frame rate", word.trim_end_matches("fps"), place)?;
        state("frame rate", &mut read.fps, fps, place, |fps| fps.to_string())?;
    }
    for marker in ["x/", "x[", "x [", "x(", "x (", "x in ", "(in ", "unit:"] {
        let Some((_, rest)) = comment.split_once(marker) else { continue };
        let word: String = rest.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
        if let Some(unit) = unit(&word) {
            state("unit of lengths", &mut read.unit, unit, place, |unit| unit.symbol().to_owned())?;
        }
    }
    Ok(())
}

/// The unit that a word stands for.
pub(crate) fn unit(word: &str) -> Option<Unit> {
    match word {
        "m" | "metre" | "metres" | "meter" | "meters" => Some(Unit::Metre),
        "cm" | "centimetre" | "centimetres" | "centimeter" | "centimeters" => Some(Unit::Centimetre),
        _ => None,
    }
}

/// Notes what a file states; twice the same is fine.
pub(crate) fn state<T: PartialEq + Copy>(
    what: &'static str,
    known: &mut Option<(T, String)>,
    value: T,
    place: Place,
    words: impl Fn(T) -> String,
) -> Result<(), ImportError> {
    match known {
        Some((before, by)) if *before != value => Err(ImportError::Contradiction {
            what,
            found: words(*before),
            by: by.clone(),
            other: words(value),
            other_by: place.to_string(),
        }),
        _ => {
            known.get_or_insert((value, place.to_string()));
            Ok(())
        }
    }
}

/// A finite number.
pub(crate) fn number(what: &'static str, word: &str, place: Place) -> Result<f64, ImportError> {
    match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(ImportError::Value { place, what, value: shortened(word), allowed: "finite numbers" }),
    }
}

/// A whole number that is not negative; `1.000000e+00` is one as well.
pub(crate) fn count(what: &'static str, word: &str, place: Place) -> Result<u32, ImportError> {
    if let Ok(count) = word.parse::<u32>()
        && count <= COUNT_MAX
    {
        return Ok(count);
    }
    let number = word.parse().unwrap_or(f64::NAN);
    whole_count(number).ok_or_else(|| ImportError::Value { place, what, value: shortened(word), allowed: COUNTS })
}

/// What ids and frames may be.
pub(crate) const COUNTS: &str = "whole numbers from 0 to 2147483647";
const COUNT_MAX: u32 = i32::MAX.cast_unsigned();

/// The number as a count, if it is one.
pub(crate) fn whole_count(number: f64) -> Option<u32> {
    (number.fract() == 0.0 && (0.0..=f64::from(COUNT_MAX)).contains(&number)).then_some(number as u32)
}
