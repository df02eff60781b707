//! Texts, one row a line: which format it is, and the words that all of them consist of.

use std::ops::ControlFlow;

use crate::cell::{CELLS_MAX, plain};
use crate::csv::{Clock, Columns};
use crate::import::{Unit, unreadable};
use crate::import_error::{ImportError, Place};
use crate::input::Input;
use crate::lines::{LINE_MAX, Lines};
use crate::table::{Each, Facts, Mark, Row, Table};
use crate::{juelich, obsmat};

/// A text of recorded people.
pub(crate) struct Text<'a> {
    input: &'a Input,
    layout: Layout,
    facts: Facts,
    clock: Clock,
}

/// What a line of it is.
enum Layout {
    /// `id frame x y [z]`, so many values.
    Juelich { values: usize },
    /// `frame id x z y vx vz vy`.
    Obsmat,
    /// Cells with names, which stand in this line.
    Csv { columns: Columns, names: u64 },
}

impl<'a> Text<'a> {
    /// Looks at the beginning: the first line that is no comment tells which format it is.
    pub(crate) fn open(input: &'a Input) -> Result<Self, ImportError> {
        check_beginning(input)?;
        let mut lines = Lines::new(input, Mark::START);
        while let Some((mark, line)) = lines.next()? {
            if !line.is_empty() && !line.starts_with(b"#") {
                let mut facts = Facts::default();
                let layout = Layout::of(&String::from_utf8_lossy(line), mark.number, &mut facts)?;
                return Ok(Self { input, layout, facts, clock: Clock::default() });
            }
        }
        Err(unreadable("recorded people", "there are no rows in it"))
    }
}

impl Layout {
    fn of(line: &str, number: u64, facts: &mut Facts) -> Result<Self, ImportError> {
        let place = Place::Line(number);
        match line.split_ascii_whitespace().count() {
            _ if line.contains([',', ';']) => {
                Ok(Layout::Csv { columns: Columns::read(line, place, facts)?, names: number })
            }
            values @ (4 | 5) => Ok(Layout::Juelich { values }),
            8 => {
                facts.unit = Some((Unit::Metre, "the format `obsmat`".to_owned()));
                Ok(Layout::Obsmat)
            }
            found => {
                let expected = "4 or 5 (`id frame x y [z]`), 8 (`frame id x z y vx vz vy`), or CSV with a header line";
                Err(ImportError::Columns { place, found, expected: expected.into() })
            }
        }
    }
}

impl Layout {
    /// The row of a line of plain numbers; `None` if it is none, or if anything is wrong with it.
    fn plain_row(&self, line: &[u8], number: u64, clock: &mut Clock) -> Option<Row> {
        let place = Place::Line(number);
        let mut cells = [0.0; CELLS_MAX];
        let separator = match self {
            Layout::Csv { columns, .. } => columns.separator(),
            _ => b' ',
        };
        let found = plain(line, separator, &mut cells)?;
        match (self, &cells) {
            (Layout::Juelich { values }, &[id, frame, x, y, ..]) if found == *values => {
                juelich::row([id, frame, x, y], place).ok()
            }
            (Layout::Obsmat, &[frame, id, x, _, y, vx, _, vy, ..]) if found == 8 => {
                obsmat::row([frame, id, x, y, vx, vy], place).ok()
            }
            (Layout::Csv { columns, .. }, cells) => columns.row(cells[..found].iter().copied(), 0.0, place, clock).ok(),
            _ => None,
        }
    }

    /// The row of any line.
    fn row(&self, line: &str, number: u64, clock: &mut Clock) -> Result<Row, ImportError> {
        let place = Place::Line(number);
        match self {
            Layout::Juelich { values } => juelich::row(juelich::cells(line, *values, place)?, place),
            Layout::Obsmat => obsmat::row(obsmat::cells(line, place)?, place),
            Layout::Csv { columns, .. } => columns.row(columns.cells(line), "", place, clock),
        }
    }
}

impl Table for Text<'_> {
    fn rows(&mut self, from: Mark, each: &mut Each<'_>) -> Result<(), ImportError> {
        let mut lines = Lines::new(self.input, from);
        while let Some((mark, line)) = lines.next()? {
            if line.is_empty() {
                continue;
            }
            let comment = line.strip_prefix(b"#");
            let row: Row = match (&self.layout, comment) {
                (Layout::Juelich { .. }, Some(comment)) => {
                    juelich::read_comment(&String::from_utf8_lossy(comment), mark.number, &mut self.facts)?;
                    continue;
                }
                (_, Some(_)) => continue,
                (Layout::Csv { names, .. }, None) if *names == mark.number => continue,
                (layout, None) => match layout.plain_row(line, mark.number, &mut self.clock) {
                    Some(row) => row,
                    None => layout.row(&String::from_utf8_lossy(line), mark.number, &mut self.clock)?,
                },
            };
            if let ControlFlow::Break(()) = each(&row, mark)? {
                break;
            }
        }
        Ok(())
    }

    fn facts(&self) -> Result<Facts, ImportError> {
        let mut facts = self.facts.clone();
        if let Some(fps) = self.clock.fps()? {
            facts.fps = Some((fps, "the column of times".to_owned()));
        }
        Ok(facts)
    }

    fn place(&self) -> fn(u64) -> Place {
        Place::Line
    }

    fn end_is_open(&self) -> Result<bool, ImportError> {
        let size = self.input.size();
        Ok(size > 0 && self.input.read(size - 1, 1)? != b"\n")
    }
}

/// Texts have lines, and no zeros.
fn check_beginning(input: &Input) -> Result<(), ImportError> {
    let beginning = input.read(0, input.size().min(LINE_MAX as u64) as usize)?;
    if let Some(at) = beginning.iter().position(|byte| *byte == 0) {
        let reason = format!("byte {at} of it is 0, so it is no UTF-8 text, and it begins as no other format we know");
        return Err(unreadable("recorded people", reason));
    }
    if input.size() > LINE_MAX as u64 && !beginning.contains(&b'\n') {
        return Err(unreadable("recorded people", format!("its first line is longer than {LINE_MAX} bytes")));
    }
    Ok(())
}

/// The words of a line, if there are as many as there should be.
pub(crate) fn words<const N: usize>(line: &str) -> Result<[&str; N], usize> {
    let mut values = [""; N];
    let mut found = 0;
    for word in line.split_ascii_whitespace() {
        if let Some(value) = values.get_mut(found) {
            *value = word;
        }
        found += 1;
    }
    if found == N { Ok(values) } else { Err(found) }
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
