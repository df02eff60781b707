//! Texts, one row a line: which format it is, and the words that all of them consist of.

use std::ops::ControlFlow;

use crate::csv::{Clock, Columns};
use crate::import::{Unit, unreadable};
use crate::import_error::{ImportError, Place, shortened};
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
            if !line.is_empty() && !line.starts_with('#') {
                let mut facts = Facts::default();
                let layout = Layout::of(&line, mark.number, &mut facts)?;
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

impl Table for Text<'_> {
    fn rows(&mut self, from: Mark, each: &mut Each<'_>) -> Result<(), ImportError> {
        let mut lines = Lines::new(self.input, from);
        while let Some((mark, line)) = lines.next()? {
            if line.is_empty() {
                continue;
            }
            let comment = line.strip_prefix('#');
            let row: Row = match (&self.layout, comment) {
                (Layout::Juelich { .. }, Some(comment)) => {
                    juelich::read_comment(comment, mark.number, &mut self.facts)?;
                    continue;
                }
                (_, Some(_)) => continue,
                (Layout::Csv { names, .. }, None) if *names == mark.number => continue,
                (Layout::Juelich { values }, None) => juelich::row(&line, mark.number, *values)?,
                (Layout::Obsmat, None) => obsmat::row(&line, mark.number)?,
                (Layout::Csv { columns, .. }, None) => columns.row(&line, mark.number, &mut self.clock)?,
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
