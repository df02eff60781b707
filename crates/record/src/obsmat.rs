//! UCY `obsmat`: `frame id x z y vx vz vy`, z is up and unused; metres, as the homography gives them.

use crate::import_error::{ImportError, Place};
use crate::table::Row;
use crate::text::{count, number, words};

/// The row of a line.
pub(crate) fn row(line: &str, number_of_line: u64) -> Result<Row, ImportError> {
    let place = Place::Line(number_of_line);
    let expected = || "8 (`frame id x z y vx vz vy`)".to_owned();
    let [frame, id, x, _, y, vx, _, vy] =
        words(line).map_err(|found| ImportError::Columns { place, found, expected: expected() })?;
    Ok(Row {
        id: count("the id", id, place)?,
        frame: count("the frame", frame, place)?,
        at: [number("x", x, place)?, number("y", y, place)?],
        velocity: Some([number("vx", vx, place)?, number("vy", vy, place)?]),
        heading: None,
    })
}
