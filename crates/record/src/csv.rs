//! CSV with a header line: `ID,Frame,x,y[,v_x,v_y]`, in any order and case, further columns unread.
//!
//! A name may state the unit (`x_cm`, `x/m`, `x [m]`); a column `time` or `time_s` states the frame rate.

use crate::cell::Cell;
use crate::import::{unreadable, whole};
use crate::import_error::{ImportError, Place, short_number, shortened};
use crate::table::{Facing, Facts, Row};
use crate::text::{state, unit};

const FORMAT: &str = "CSV";
/// Columns that are known.
const NAMES: [&str; 8] = ["id", "frame", "x", "y", "vx", "vy", "heading", "time"];

/// Which cell of a row holds what.
pub(crate) struct Columns {
    separator: char,
    /// How many cells a row has.
    count: usize,
    /// Which cell holds what, in the order of [`NAMES`].
    at: [Option<usize>; NAMES.len()],
    /// The same the other way round: for each cell its place in [`NAMES`].
    names: Vec<Option<usize>>,
}

impl Columns {
    /// Reads the line of names.
    pub(crate) fn read(header: &str, place: Place, facts: &mut Facts) -> Result<Self, ImportError> {
        let separator = if header.contains(';') { ';' } else { ',' };
        let count = header.split(separator).count();
        let mut columns = Self { separator, count, at: [None; NAMES.len()], names: vec![None; count] };
        for (cell, name) in header.split(separator).enumerate() {
            let name = name.trim().trim_matches('"').to_lowercase();
            let Some((column, suffix)) = known(&name) else { continue };
            columns.names[cell] = Some(column);
            if columns.at[column].replace(cell).is_some() {
                let reason = format!("{place}: two columns are called {}: `{}`", NAMES[column], shortened(header));
                return Err(unreadable(FORMAT, reason));
            }
            if let ("x" | "y", Some(unit)) = (NAMES[column], unit(suffix)) {
                state("unit of lengths", &mut facts.unit, unit, place, |unit| unit.symbol().to_owned())?;
            }
        }
        match (0..4).find(|column| columns.at[*column].is_none()) {
            Some(column) => {
                let (name, header) = (NAMES[column], shortened(header));
                let reason = format!("{place}: no column is called {name} in `{header}`; needed: id, frame, x, y");
                Err(unreadable(FORMAT, reason))
            }
            None => Ok(columns),
        }
    }

    /// What stands between two cells.
    pub(crate) fn separator(&self) -> u8 {
        self.separator as u8
    }

    /// The cells of a line.
    pub(crate) fn cells<'a>(&self, line: &'a str) -> impl Iterator<Item = &'a str> {
        line.split(self.separator).map(|cell| cell.trim().trim_matches('"'))
    }

    /// The row of its cells; its time, if it has one, goes into the clock. `empty` stands for a column that there is not.
    pub(crate) fn row<C: Cell>(
        &self,
        cells: impl Iterator<Item = C>,
        empty: C,
        place: Place,
        clock: &mut Clock,
    ) -> Result<Row, ImportError> {
        let mut known = [empty; NAMES.len()];
        let mut found = 0;
        for cell in cells {
            if let Some(Some(column)) = self.names.get(found) {
                known[*column] = cell;
            }
            found += 1;
        }
        if found != self.count {
            return Err(ImportError::Columns { place, found, expected: format!("{}, one for each name", self.count) });
        }
        let [id, frame, x, y, vx, vy, heading, time] = known;
        let has = |column: usize| self.at[column].is_some();
        let frame = frame.count("the frame", place)?;
        if has(7) {
            clock.note(frame, time.number("the time", place)?, place);
        }
        let velocity = match has(4) && has(5) {
            true => Some([vx.number("v_x", place)?, vy.number("v_y", place)?]),
            false => None,
        };
        let facing = if has(6) { Some(Facing::Angle(heading.number("the heading", place)? as f32)) } else { None };
        let at = [x.number("x", place)?, y.number("y", place)?];
        Ok(Row { id: id.count("the id", place)?, frame, at, velocity, facing })
    }
}

/// The column of a name, and the unit behind it: `x_cm` is (2, "cm").
fn known(name: &str) -> Option<(usize, &str)> {
    let name_end = name.trim_end_matches([']', ')', ' ']);
    let find = |word: &str| {
        let word = match word {
            "v_x" => "vx",
            "v_y" => "vy",
            "t" => "time",
            word => word,
        };
        NAMES.iter().position(|known| *known == word)
    };
    if let Some(column) = find(name_end) {
        return Some((column, ""));
    }
    let mut borders = name_end.char_indices().filter(|(_, c)| matches!(c, '_' | '/' | '[' | '(' | ' '));
    borders.find_map(|(at, _)| {
        Some((find(name_end[..at].trim_end())?, name_end[at + 1..].trim_start_matches(['[', '(', ' '])))
    })
}

/// First and last time that rows give, to work out the frame rate.
#[derive(Default)]
pub(crate) struct Clock {
    first: Option<(u32, f64)>,
    last: Option<(u32, f64, Option<Place>)>,
}

impl Clock {
    fn note(&mut self, frame: u32, time: f64, place: Place) {
        if self.first.is_none_or(|(first, _)| frame < first) {
            self.first = Some((frame, time));
        }
        if self.last.is_none_or(|(last, _, _)| frame > last) {
            self.last = Some((frame, time, Some(place)));
        }
    }

    /// Frames a second; `None` when there are not two times.
    pub(crate) fn fps(&self) -> Result<Option<f64>, ImportError> {
        let (Some((first, start)), Some((last, end, Some(place)))) = (self.first, self.last) else { return Ok(None) };
        if first == last {
            return Ok(None);
        }
        let fps = f64::from(last - first) / (end - start);
        if !(fps.is_finite() && fps > 0.0) {
            let allowed = "times that rise with the frames";
            return Err(ImportError::Value { place, what: "the time", value: short_number(end), allowed });
        }
        Ok(Some(whole(fps)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_units() {
        for (name, expected) in [
            ("id", Some((0, ""))),
            ("x", Some((2, ""))),
            ("x_cm", Some((2, "cm"))),
            ("y [m]", Some((3, "m"))),
            ("x/m", Some((2, "m"))),
            ("v_x", Some((4, ""))),
            ("v_y_m_s", Some((5, "m_s"))),
            ("vx_m_s", Some((4, "m_s"))),
            ("time_s", Some((7, "s"))),
            ("z", None),
            ("xx", None),
        ] {
            assert_eq!(known(name), expected, "{name}");
        }
    }
}
