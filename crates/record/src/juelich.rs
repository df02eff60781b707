//! Jülich text, as PeTrack writes it: `id frame x y [z]`, with comments that may state unit and frame rate.

use crate::cell::Cell;
use crate::import_error::{ImportError, Place};
use crate::table::{Facts, Row};
use crate::text::{state, unit, words};

/// The cells that matter of a line that has so many values.
pub(crate) fn cells(line: &str, values: usize, place: Place) -> Result<[&str; 4], ImportError> {
    let read = match values {
        4 => words::<4>(line),
        _ => words::<5>(line).map(|[id, frame, x, y, _]| [id, frame, x, y]),
    };
    read.map_err(|found| ImportError::Columns { place, found, expected: values.to_string() })
}

/// The row of its cells.
pub(crate) fn row<C: Cell>([id, frame, x, y]: [C; 4], place: Place) -> Result<Row, ImportError> {
    let at = [x.number("x", place)?, y.number("y", place)?];
    let (id, frame) = (id.count("the id", place)?, frame.count("the frame", place)?);
    Ok(Row { id, frame, at, velocity: None, facing: None })
}

/// Looks for `framerate: 25`, `x/cm`, `(in metres)`.
pub(crate) fn read_comment(comment: &str, number_of_line: u64, facts: &mut Facts) -> Result<(), ImportError> {
    let comment = comment.to_lowercase();
    let place = Place::Line(number_of_line);
    if let Some((_, rest)) = comment.split_once("framerate").or_else(|| comment.split_once("frame rate")) {
        let word = rest.trim_start_matches([':', '=', ' ', '\t']).split_whitespace().next().unwrap_or_default();
        let fps = word.trim_end_matches("fps").number("the frame rate", place)?;
        state("frame rate", &mut facts.fps, fps, place, |fps| fps.to_string())?;
    }
    for marker in ["x/", "x[", "x [", "x(", "x (", "x in ", "(in ", "unit:"] {
        let Some((_, rest)) = comment.split_once(marker) else { continue };
        let word: String = rest.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
        if let Some(unit) = unit(&word) {
            state("unit of lengths", &mut facts.unit, unit, place, |unit| unit.symbol().to_owned())?;
        }
    }
    Ok(())
}
