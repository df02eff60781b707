//! What pictures are drawn with: paths, dots and lines of text on a sheet of pixels.

use crate::font;
use anyhow::{Context, Result};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};

/// A sheet of pixels.
pub struct Canvas {
    pixmap: Pixmap,
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

impl Canvas {
    /// A sheet of one colour.
    pub fn new(width: u32, height: u32, background: Color) -> Result<Canvas> {
        let mut pixmap =
            Pixmap::new(width, height).with_context(|| format!("no picture of {width} x {height} pixels"))?;
        pixmap.fill(background);
        Ok(Canvas { pixmap })
    }

    /// The sheet as a PNG file.
    pub fn png(&self) -> Result<Vec<u8>> {
        self.pixmap.encode_png().context("the picture cannot be packed")
    }

    /// Fills a path; what is inside of an even number of its rings is left out.
    pub fn fill(&mut self, path: &Path, color: Color) {
        self.pixmap.fill_path(path, &paint(color), FillRule::EvenOdd, Transform::identity(), None);
    }

    /// Fills a rectangle.
    pub fn rectangle(&mut self, x: f32, y: f32, width: f32, height: f32, color: Color) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.fill(&PathBuilder::from_rect(rect), color);
        }
    }

    /// Strokes a path with square ends.
    pub fn stroke(&mut self, path: &Path, color: Color, width: f32) {
        self.stroke_with(path, color, Stroke { width, line_join: LineJoin::Round, ..Stroke::default() });
    }

    /// Strokes a path with dashes of so many pixels.
    pub fn dashes(&mut self, path: &Path, color: Color, width: f32, dash: f32) {
        let dash = StrokeDash::new(vec![dash, dash], 0.0);
        self.stroke_with(path, color, Stroke { width, dash, ..Stroke::default() });
    }

    fn stroke_with(&mut self, path: &Path, color: Color, stroke: Stroke) {
        self.pixmap.stroke_path(path, &paint(color), &stroke, Transform::identity(), None);
    }

    /// A straight line.
    pub fn line(&mut self, from: [f32; 2], to: [f32; 2], color: Color, width: f32) {
        let mut builder = PathBuilder::new();
        builder.move_to(from[0], from[1]);
        builder.line_to(to[0], to[1]);
        if let Some(path) = builder.finish() {
            self.stroke(&path, color, width);
        }
    }

    /// A disc.
    pub fn dot(&mut self, at: [f32; 2], radius: f32, color: Color) {
        if let Some(path) = PathBuilder::from_circle(at[0], at[1], radius) {
            self.fill(&path, color);
        }
    }

    /// A line of text on its base line, capitals `size` pixels high.
    pub fn text(&mut self, at: [f32; 2], align: Align, text: &str, size: f32, color: Color) {
        self.letters(at, align, text, size, color, font::thickness(size));
    }

    /// A line of text on a soft white ground, to be read on top of anything.
    pub fn label(&mut self, at: [f32; 2], align: Align, text: &str, size: f32, color: Color) {
        let halo = with_alpha(Color::WHITE, 0.75);
        self.letters(at, align, text, size, halo, 4.0 * font::thickness(size));
        self.text(at, align, text, size, color);
    }

    fn letters(&mut self, at: [f32; 2], align: Align, text: &str, size: f32, color: Color, width: f32) {
        let left = match align {
            Align::Left => at[0],
            Align::Middle => at[0] - 0.5 * font::width(text, size),
            Align::Right => at[0] - font::width(text, size),
        };
        if let Some(path) = font::path(text, left, at[1], size) {
            let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
            self.stroke_with(&path, color, stroke);
        }
    }
}

/// The same colour, more or less transparent.
pub fn with_alpha(mut color: Color, alpha: f32) -> Color {
    color.set_alpha(alpha);
    color
}

/// A colour as people write it: 0xrrggbb.
pub fn hex(rgb: u32) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Color::from_rgba8(red, green, blue, 255)
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(color);
    paint
}
