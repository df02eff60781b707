//! What all files of others have in common: rows, one after the other, that can be read again from any of them on.

use std::ops::ControlFlow;

use passerby_geometry::math;

use crate::import_error::{ImportError, Place};
use crate::{PlaceShape, Unit};

/// Where somebody is in one frame, in the unit of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub id: u32,
    pub frame: u32,
    pub at: [f64; 2],
    /// In the file's unit a second.
    pub velocity: Option<[f64; 2]>,
    pub facing: Option<Facing>,
}

/// Where somebody faces, as the file has it: an angle costs more than the rest of a row, and not every reading needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Facing {
    /// Radians from the x axis.
    Angle(f32),
    /// A direction of any length.
    Along([f64; 2]),
}

impl Facing {
    /// Radians from the x axis.
    pub(crate) fn heading(self) -> f32 {
        match self {
            Facing::Angle(angle) => angle,
            Facing::Along([x, y]) => math::double::atan2(y, x) as f32,
        }
    }

    /// What is wrong with it where it is no direction: its angle, or a part that is no number.
    pub(crate) fn odd_part(self) -> f64 {
        match self {
            Facing::Angle(angle) => f64::from(angle),
            Facing::Along([x, y]) if x.is_nan() || y.is_nan() => f64::NAN,
            Facing::Along(_) => 0.0,
        }
    }
}

/// Where a row begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    /// How the format finds it again: a byte of a text, a key of a database.
    pub at: u64,
    /// How a person finds it: its line or row, counted from 1.
    pub number: u64,
}

impl Mark {
    /// The beginning of a file.
    pub(crate) const START: Mark = Mark { at: 0, number: 1 };
}

/// What is done with each row.
pub(crate) type Each<'a> = dyn FnMut(&Row, Mark) -> Result<ControlFlow<()>, ImportError> + 'a;

/// A file of rows.
pub(crate) trait Table {
    /// Hands the rows from `from` on to `each`, in the order of the file, until it breaks.
    fn rows(&mut self, from: Mark, each: &mut Each<'_>) -> Result<(), ImportError>;

    /// What the file states. Complete only when all rows were read once.
    fn facts(&self) -> Result<Facts, ImportError>;

    /// `Place::Line` or `Place::Row`.
    fn place(&self) -> fn(u64) -> Place;

    /// Whether the file ends within its last row, or may do so.
    fn end_is_open(&self) -> Result<bool, ImportError>;
}

/// What a file says about itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// The unit, and where it is stated.
    pub unit: Option<(Unit, String)>,
    /// The frame rate, and where it is stated.
    pub fps: Option<(f64, String)>,
    pub place: PlaceShape,
}
