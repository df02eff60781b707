//! What can be put on a sheet, whatever it is made of.

use super::path::{Path, Point};

/// A colour as screens know it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Color {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// From 0, not to be seen, to 1.
    pub alpha: f32,
}

impl Color {
    /// A colour as people write it: 0xrrggbb.
    pub const fn hex(rgb: u32) -> Color {
        let [_, red, green, blue] = rgb.to_be_bytes();
        Color { rgb: [red, green, blue], alpha: 1.0 }
    }

    /// The same colour, more or less transparent.
    pub const fn with_alpha(self, alpha: f32) -> Color {
        Color { alpha, ..self }
    }
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pen {
    /// Its colour.
    pub color: Color,
    /// Its width.
    pub width: f32,
    /// Length of its dashes and of the gaps between them, if it has any.
    pub dash: Option<f32>,
}

impl Pen {
    /// A line without gaps.
    pub fn new(color: Color, width: f32) -> Pen {
        Pen { color, width, dash: None }
    }
}

/// How a line of text is put at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// The point is its left end.
    Left,
    /// The point is its middle.
    Middle,
    /// The point is its right end.
    Right,
}

/// How a line of text looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Words {
    /// Where its point is.
    pub align: Align,
    /// Height of its capitals.
    pub size: f32,
    /// Its colour.
    pub color: Color,
    /// Whether it is read from below.
    pub upward: bool,
    /// Whether it has a soft white ground, to be read on top of anything.
    pub halo: bool,
}

impl Words {
    /// Ordinary text.
    pub fn new(align: Align, size: f32, color: Color) -> Words {
        Words { align, size, color, upward: false, halo: false }
    }

    /// Text on a soft white ground.
    pub fn label(align: Align, size: f32, color: Color) -> Words {
        Words { halo: true, ..Words::new(align, size, color) }
    }
}

/// Something to draw on.
pub trait Sheet {
    /// Width and height.
    fn size(&self) -> [f32; 2];

    /// Fills a path.
    fn fill(&mut self, path: &Path, color: Color);

    /// Draws along a path.
    fn stroke(&mut self, path: &Path, pen: &Pen);

    /// A disc.
    fn disc(&mut self, at: Point, radius: f32, color: Color);

    /// A line of text on its base line.
    fn text(&mut self, at: Point, text: &str, words: &Words);

    /// About how wide a line of text is; never less.
    fn text_width(&self, text: &str, size: f32) -> f32;

    /// Cells of equal size in a rectangle (left, top, right, bottom), row by row from its lower left corner; those
    /// without a colour are left out.
    fn cells(&mut self, frame: [f32; 4], columns: usize, colors: &[Option<Color>]);

    /// From now on only what is inside of this rectangle is drawn, until [`Sheet::unclip`].
    fn clip(&mut self, frame: [f32; 4]);

    /// Everything is drawn again.
    fn unclip(&mut self);

    /// A straight line.
    fn line(&mut self, from: Point, to: Point, pen: &Pen) {
        self.stroke(&Path::line([from, to]), pen);
    }

    /// A filled rectangle: left, top, right, bottom.
    fn rectangle(&mut self, frame: [f32; 4], color: Color) {
        self.fill(&Path::rectangle(frame), color);
    }
}
