//! One recorded tick, in columns.

use crate::{BodyRow, RecordError};

/// One recorded tick. Slices of equal length, in order of id. Positions in the place's own coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame<'a> {
    /// When, in ticks.
    pub tick: u32,
    /// Who is there.
    pub id: &'a [u32],
    /// Where they are, m.
    pub x: &'a [f64],
    /// Where they are, m.
    pub y: &'a [f64],
    /// How they move, m/s.
    pub vx: &'a [f32],
    /// How they move, m/s.
    pub vy: &'a [f32],
    /// Where they face, rad from the x axis.
    pub heading: &'a [f32],
    /// How their bodies are posed; empty in a recording without bodies.
    pub bodies: &'a [BodyRow],
}

impl Frame<'_> {
    /// Finite numbers, everybody once and in order of id: what every frame that is written or read must be.
    pub(crate) fn check(&self) -> Result<(), RecordError> {
        let Frame { tick, id, x, y, vx, vy, heading, bodies } = *self;
        let rises = |all, (before, id): (&u32, &u32)| all & (before < id);
        if !id.iter().zip(id.iter().skip(1)).fold(true, rises)
            && let Some(row) = id.windows(2).position(|pair| pair[0] >= pair[1])
        {
            return Err(RecordError::IdOrder { id: id[row + 1], before: id[row], tick, row: row + 2 });
        }
        for (what, column) in [("x", x), ("y", y)] {
            if let Some(row) = not_finite(column, f64::is_finite) {
                return Err(RecordError::NotFinite { what, id: id[row], tick, row: row + 1, value: column[row] });
            }
        }
        for (what, column) in [("vx", vx), ("vy", vy), ("heading", heading)] {
            if let Some(row) = not_finite(column, f32::is_finite) {
                let value = f64::from(column[row]);
                return Err(RecordError::NotFinite { what, id: id[row], tick, row: row + 1, value });
            }
        }
        if !bodies.iter().fold(true, |all, body| all & body.is_finite())
            && let Some((row, (what, value))) =
                bodies.iter().enumerate().find_map(|(row, body)| Some((row, body.not_finite()?)))
        {
            let value = f64::from(value);
            return Err(RecordError::NotFinite { what, id: id[row], tick, row: row + 1, value });
        }
        Ok(())
    }
}

/// The first row whose value is no finite number.
fn not_finite<T: Copy>(column: &[T], is_finite: fn(T) -> bool) -> Option<usize> {
    // Without a way out of the loop the compiler looks at several values at a time.
    if column.iter().fold(true, |all, value| all & is_finite(*value)) {
        return None;
    }
    column.iter().position(|value| !is_finite(*value))
}

/// A [`Frame`] that owns its columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnedFrame {
    /// When, in ticks.
    pub tick: u32,
    /// Who is there.
    pub id: Vec<u32>,
    /// Where they are, m.
    pub x: Vec<f64>,
    /// Where they are, m.
    pub y: Vec<f64>,
    /// How they move, m/s.
    pub vx: Vec<f32>,
    /// How they move, m/s.
    pub vy: Vec<f32>,
    /// Where they face, rad from the x axis.
    pub heading: Vec<f32>,
    /// How their bodies are posed; empty in a recording without bodies.
    pub bodies: Vec<BodyRow>,
}

impl OwnedFrame {
    /// The same frame, borrowed.
    pub fn as_frame(&self) -> Frame<'_> {
        let Self { tick, id, x, y, vx, vy, heading, bodies } = self;
        Frame { tick: *tick, id, x, y, vx, vy, heading, bodies }
    }
}

impl From<&Frame<'_>> for OwnedFrame {
    fn from(frame: &Frame<'_>) -> Self {
        let Frame { tick, id, x, y, vx, vy, heading, bodies } = *frame;
        Self {
            tick,
            id: id.to_vec(),
            x: x.to_vec(),
            y: y.to_vec(),
            vx: vx.to_vec(),
            vy: vy.to_vec(),
            heading: heading.to_vec(),
            bodies: bodies.to_vec(),
        }
    }
}
