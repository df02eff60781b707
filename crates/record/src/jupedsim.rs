//! JuPedSim's SQLite trajectories, version 1 and 2, read.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::cell::{COUNTS, whole_count};
use crate::database::{FORMAT, Number, Pages, Stored, Value, numbers};
use crate::import::{Unit, unreadable};
use crate::import_error::{ImportError, Place, short_number, shortened};
use crate::input::Input;
use crate::table::{Each, Facing, Facts, Mark, Row, Table};
use crate::{PlaceShape, wkt};

/// The columns of a row.
const COLUMNS: [&str; 6] = ["frame", "id", "pos_x", "pos_y", "ori_x", "ori_y"];

/// A database that can be read.
pub(crate) struct Database {
    pages: Pages,
    table: Stored,
    /// Where [`COLUMNS`] stand, and whether that is the rowid.
    columns: [(usize, bool); COLUMNS.len()],
    facts: Facts,
}

impl Database {
    /// Finds the tables and what they state.
    pub(crate) fn open(input: &Arc<Input>) -> Result<Self, ImportError> {
        let pages = Pages::open(input)?;
        let metadata = plain(&pages, "metadata")?;
        let table = plain(&pages, "trajectory_data")?;
        let version = first(&pages, &metadata, Some(("key", "version")), "value")?.unwrap_or_default();
        if !matches!(version.as_str(), "1" | "2") {
            return Err(unreadable(FORMAT, format!("its version is `{}`; known: 1, 2", shortened(&version))));
        }
        let fps =
            match first(&pages, &metadata, Some(("key", "fps")), "value")? {
                Some(text) => Some(text.trim().parse::<f64>().ok().filter(|fps| fps.is_finite()).ok_or_else(|| {
                    unreadable(FORMAT, format!("its fps is `{}`; allowed: a number", shortened(&text)))
                })?),
                None => None,
            };
        let mut columns = [(0, false); COLUMNS.len()];
        for (slot, name) in columns.iter_mut().zip(COLUMNS) {
            let missing = || unreadable(FORMAT, format!("`trajectory_data` has no column {name}"));
            *slot = table.column(name).ok_or_else(missing)?;
        }
        let facts = Facts {
            unit: Some((Unit::Metre, "the format JuPedSim SQLite".to_owned())),
            fps: fps.map(|fps| (fps, "its metadata".to_owned())),
            place: place(&pages)?,
        };
        Ok(Self { pages, table, columns, facts })
    }

    /// The row of its bytes. `values` has room for all columns up to the last that is wanted.
    fn row(&self, rowid: i64, bytes: &[u8], number: u64, values: &mut [Number]) -> Result<Row, ImportError> {
        let place = Place::Row(number);
        numbers(bytes, values)?;
        let mut numbers = [0.0; COLUMNS.len()];
        for ((slot, (column, is_rowid)), what) in numbers.iter_mut().zip(self.columns).zip(COLUMNS) {
            let wrong = |value: &str| ImportError::Value { place, what, value: value.into(), allowed: "numbers" };
            *slot = match values[column] {
                _ if is_rowid => rowid as f64,
                Number::Integer(integer) => integer as f64,
                Number::Real(real) => real,
                Number::Null => return Err(wrong("Null")),
                Number::Text => return Err(wrong("Text")),
                Number::Blob => return Err(wrong("Blob")),
            };
        }
        let [frame, id, x, y, ori_x, ori_y] = numbers;
        let count = |what, value: f64| {
            let wrong = || ImportError::Value { place, what, value: short_number(value), allowed: COUNTS };
            whole_count(value).ok_or_else(wrong)
        };
        Ok(Row {
            id: count("the id", id)?,
            frame: count("the frame", frame)?,
            at: [x, y],
            velocity: None,
            facing: Some(Facing::Along([ori_x, ori_y])),
        })
    }
}

impl Table for Database {
    fn rows(&mut self, from: Mark, each: &mut Each<'_>) -> Result<(), ImportError> {
        let mut number = from.number;
        // Ids of rows may be negative: the first row is not that of id 0.
        let first = if from == Mark::START { i64::MIN } else { from.at.cast_signed() };
        let count = self.columns.iter().map(|(column, _)| column + 1).max().unwrap_or(0);
        let mut values = vec![Number::Null; count];
        self.pages.rows(&self.table, first, &mut |rowid, bytes| {
            let mark = Mark { at: rowid.cast_unsigned(), number };
            number += 1;
            each(&self.row(rowid, bytes, mark.number, &mut values)?, mark)
        })
    }

    fn facts(&self) -> Result<Facts, ImportError> {
        Ok(self.facts.clone())
    }

    fn place(&self) -> fn(u64) -> Place {
        Place::Row
    }

    fn end_is_open(&self) -> Result<bool, ImportError> {
        Ok(false)
    }
}

fn plain(pages: &Pages, name: &str) -> Result<Stored, ImportError> {
    let missing = || unreadable(FORMAT, format!("there is no plain table `{name}` in it"));
    pages.table(name)?.ok_or_else(missing)
}

/// The column `wanted` of the first row, or of the first whose column has a value, as text.
fn first(
    pages: &Pages,
    table: &Stored,
    whose: Option<(&str, &str)>,
    wanted: &str,
) -> Result<Option<String>, ImportError> {
    let at = |name: &str| {
        let missing = || unreadable(FORMAT, format!("a table of it has no column {name}"));
        table.column(name).map(|(column, _)| column).ok_or_else(missing)
    };
    let wanted = at(wanted)?;
    let whose = whose.map(|(column, value)| Ok::<_, ImportError>((at(column)?, value))).transpose()?;
    let count = 1 + wanted.max(whose.map_or(0, |(column, _)| column));
    let mut found = None;
    pages.rows(table, i64::MIN, &mut |_, bytes| {
        let values = pages.values(bytes, count)?;
        if whose.is_some_and(|(column, value)| values[column] != Value::Text(value.to_owned())) {
            return Ok(ControlFlow::Continue(()));
        }
        found = match &values[wanted] {
            Value::Text(text) => Some(text.clone()),
            Value::Integer(integer) => Some(integer.to_string()),
            Value::Real(real) => Some(real.to_string()),
            Value::Null | Value::Blob => None,
        };
        Ok(ControlFlow::Break(()))
    })?;
    Ok(found)
}

/// The walkable area; a file whose geometry changes has several, of which the first frame's is taken.
fn place(pages: &Pages) -> Result<PlaceShape, ImportError> {
    let Some(geometry) = pages.table("geometry")? else { return Ok(PlaceShape::default()) };
    match first(pages, &geometry, None, "wkt")? {
        Some(walls) => wkt::read(&walls).map_err(|reason| unreadable(FORMAT, format!("its geometry: {reason}"))),
        None => Ok(PlaceShape::default()),
    }
}
