//! Well-known text: every polygon is floor.

use super::draft::{Draft, Patch};
use super::error::{ImportError, fail};
use super::{Options, POINTS_MAX};
use crate::wkt::{self, WktError};

pub(super) fn draft(text: &str, options: &Options) -> Result<Draft, ImportError> {
    let polygons = match wkt::read_rings(text, POINTS_MAX) {
        Ok(polygons) => polygons,
        Err(error) => return refused(&error),
    };
    let mut draft = Draft::default();
    draft.scaled(options.scale);
    // Bytes come in order, so lines are counted only once.
    let (mut line, mut counted) = (1, 0);
    for (at, rings) in polygons {
        line += text.as_bytes()[counted..at].iter().filter(|byte| **byte == b'\n').count();
        counted = at;
        let element = format!("line {line}: polygon {}", draft.floors.len() + 1);
        draft.count(&element, rings.iter().map(|(_, points)| points.len()).sum())?;
        draft.floors.push(Patch { element, rings: rings.into_iter().map(|(_, points)| points).collect() });
    }
    if draft.floors.is_empty() {
        return fail("", "there is no polygon in it", "POLYGON ((0 0, 9 0, 9 6, 0 6)) is a room");
    }
    Ok(draft)
}

fn refused<T>(error: &WktError) -> Result<T, ImportError> {
    match error {
        WktError::Unexpected { line, column, expected, found } => {
            fail(format!("line {line}, column {column}"), format!("found {found}"), format!("expected {expected}"))
        }
        other => fail("", other.to_string(), "polygons, multipolygons and collections of these can be read"),
    }
}
