//! One recorded tick, in columns.

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
}

impl OwnedFrame {
    /// The same frame, borrowed.
    pub fn as_frame(&self) -> Frame<'_> {
        let Self { tick, id, x, y, vx, vy, heading } = self;
        Frame { tick: *tick, id, x, y, vx, vy, heading }
    }
}

impl From<&Frame<'_>> for OwnedFrame {
    fn from(frame: &Frame<'_>) -> Self {
        let Frame { tick, id, x, y, vx, vy, heading } = *frame;
        Self {
            tick,
            id: id.to_vec(),
            x: x.to_vec(),
            y: y.to_vec(),
            vx: vx.to_vec(),
            vy: vy.to_vec(),
            heading: heading.to_vec(),
        }
    }
}
