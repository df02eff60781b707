//! What can go wrong with other people's files.

use std::fmt;

use crate::RecordError;

/// Where in a file: a line of a text, a row of a table. Counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of a text file.
    Line(u64),
    /// A row of a table in a binary file.
    Row(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// Why recorded people could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A value that cannot be one.
    #[error("{place}: {what} is `{value}`; allowed: {allowed}")]
    Value {
        /// Where.
        place: Place,
        /// Which value.
        what: &'static str,
        /// The value as it stands there, shortened.
        value: String,
        /// What would do.
        allowed: &'static str,
    },
    /// A row with too few or too many values.
    #[error("{place}: {found} values; expected {expected}")]
    Columns {
        /// Where.
        place: Place,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: String,
    },
    /// Somebody is at two places at once.
    #[error("{place}: person {id} is in frame {frame} a second time; the first is {first}")]
    Twice {
        /// Where.
        place: Place,
        /// Where they were first.
        first: Place,
        /// Who.
        id: u32,
        /// When.
        frame: u32,
    },
    /// Somebody goes back in time.
    #[error("{place}: person {id} is in frame {frame} after frame {before}; allowed: frames that rise for each person")]
    Backwards {
        /// Where.
        place: Place,
        /// Who.
        id: u32,
        /// When.
        frame: u32,
        /// The frame before it in the file.
        before: u32,
    },
    /// The file leaves open what it measures in, and nobody said it.
    #[error("the file does not state its {what}; state it with {option}: {values}")]
    NotStated {
        /// What it does not say.
        what: &'static str,
        /// How to say it.
        option: &'static str,
        /// What may be said.
        values: &'static str,
    },
    /// Somebody said how pixels lie on the ground, of a file that has none.
    #[error("--homography and --pixel-size are for points in pixels (UCY `annotation.vsp`), and this file has none")]
    NotPixels,
    /// Two statements that cannot both be true.
    #[error("the {what} is {found} by {by}, but {other} by {other_by}")]
    Contradiction {
        /// What they are about.
        what: &'static str,
        /// What the first says.
        found: String,
        /// Who says it.
        by: String,
        /// What the second says.
        other: String,
        /// Who says that.
        other_by: String,
    },
    /// No format that is known, or one that is broken.
    #[error("cannot be read as {format}: {reason}")]
    Unreadable {
        /// What it was taken for.
        format: &'static str,
        /// Why not.
        reason: String,
    },
    /// More than is read at once.
    #[error("{what} is {found}; allowed: at most {most}")]
    TooMuch {
        /// Of what.
        what: &'static str,
        /// How much there is.
        found: u64,
        /// How much there may be.
        most: u64,
    },
    /// The source gave an error, or what was read cannot be a recording.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// A number, for a message: 1e300 and not three hundred digits. Whole numbers of 64 bits are plain.
pub(crate) fn short_number(value: f64) -> String {
    let plain = value == 0.0 || !value.is_finite() || (1e-6..1e20).contains(&value.abs());
    if plain { value.to_string() } else { format!("{value:e}") }
}

/// The beginning of a value, for a message.
pub(crate) fn shortened(value: &str) -> String {
    let mut short: String = value.chars().take(40).collect();
    if short.len() < value.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(1e300, "1e300"), (-2.5e27, "-2.5e27"), (1e-300, "1e-300"), (0.0, "0"), (0.25, "0.25")] {
            assert_eq!(short_number(value), text);
        }
        assert_eq!((short_number(f64::NAN), short_number(f64::NEG_INFINITY)), ("NaN".to_owned(), "-inf".to_owned()));
    }
}
