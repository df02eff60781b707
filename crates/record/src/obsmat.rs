//! UCY `obsmat`: `frame id x z y vx vz vy`, z is up and unused; metres, as the homography gives them.

use crate::cell::Cell;
use crate::import_error::{ImportError, Place};
use crate::table::Row;
use crate::text::words;

/// The cells that matter of a line.
pub(crate) fn cells(line: &str, place: Place) -> Result<[&str; 6], ImportError> {
    let expected = || "8 (`frame id x z y vx vz vy`)".to_owned();
    let [frame, id, x, _, y, vx, _, vy] =
        words(line).map_err(|found| ImportError::Columns { place, found, expected: expected() })?;
    Ok([frame, id, x, y, vx, vy])
}

/// The row of its cells.
pub(crate) fn row<C: Cell>([frame, id, x, y, vx, vy]: [C; 6], place: Place) -> Result<Row, ImportError> {
    Ok(Row {
        id: id.count("the id", place)?,
        frame: frame.count("the frame", place)?,
        at: [x.number("x", place)?, y.number("y", place)?],
        velocity: Some([vx.number("vx", place)?, vy.number("vy", place)?]),
        facing: None,
    })
}
