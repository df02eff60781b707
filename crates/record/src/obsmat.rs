//! UCY `obsmat`: `frame id x z y vx vz vy`, z is up and unused; metres, as the homography gives them.

use crate::PlaceShape;
use crate::import::{Read, Unit};
use crate::import_error::{ImportError, Place};
use crate::text::{count, lines, number};
use crate::tracks::{Row, Tracks};

/// Reads the whole text.
pub(crate) fn read(bytes: &[u8]) -> Result<Read, ImportError> {
    let mut tracks = Tracks::new(Place::Line);
    for (line, words) in lines(bytes) {
        if words.is_empty() || words.starts_with('#') {
            continue;
        }
        let place = Place::Line(line);
        let mut values = [""; 8];
        let mut found = 0;
        for word in words.split_whitespace() {
            if let Some(value) = values.get_mut(found) {
                *value = word;
            }
            found += 1;
        }
        if found != values.len() {
            return Err(ImportError::Columns { place, found, expected: "8 (`frame id x z y vx vz vy`)".to_owned() });
        }
        let [frame, id, x, _, y, vx, _, vy] = values;
        let row = Row {
            id: count("the id", id, place)?,
            frame: count("the frame", frame, place)?,
            at: [number("x", x, place)?, number("y", y, place)?],
            velocity: Some([number("vx", vx, place)?, number("vy", vy, place)?]),
            heading: None,
        };
        tracks.push(row, line)?;
    }
    let unit = Some((Unit::Metre, "the format `obsmat`".to_owned()));
    Ok(Read { tracks, unit, fps: None, place: PlaceShape::default() })
}
