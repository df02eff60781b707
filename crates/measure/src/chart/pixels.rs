//! A sheet of pixels, drawn without a graphics card.

use super::font;
use super::path::{Path, Point};
use super::sheet::{Align, Color, Pen, Sheet, Words};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Mask, Paint, PathBuilder, Pixmap, PixmapPaint, Rect, Stroke, StrokeDash, Transform,
};

/// A sheet of pixels.
#[derive(Debug, Clone)]
pub struct Pixels {
    pixmap: Pixmap,
    scale: f32,
    mask: Option<Mask>,
}

impl Pixels {
    /// A sheet of one colour, `size` wide and high, with `scale` pixels for each unit of length; `None` if that is no picture.
    pub fn new(size: [f32; 2], scale: f32, background: Color) -> Option<Pixels> {
        let [width, height] = size.map(|length| (length * scale - 1e-3).ceil().clamp(0.0, 1e5) as u32);
        let mut pixmap = Pixmap::new(width, height)?;
        pixmap.fill(color(background));
        Some(Pixels { pixmap, scale, mask: None })
    }

    /// The sheet as a PNG file; `None` if it is too large for one.
    pub fn png(&self) -> Option<Vec<u8>> {
        self.pixmap.encode_png().ok()
    }

    /// Red, green, blue and 255 for each pixel, row by row from the top.
    pub fn bytes(&self) -> &[u8] {
        self.pixmap.data()
    }

    /// Width and height in pixels.
    pub fn pixels(&self) -> [u32; 2] {
        [self.pixmap.width(), self.pixmap.height()]
    }

    /// Makes it look like another sheet of the same size.
    pub fn copy_from(&mut self, other: &Pixels) {
        self.pixmap.data_mut().copy_from_slice(other.pixmap.data());
    }

    fn scaled(&self) -> Transform {
        Transform::from_scale(self.scale, self.scale)
    }

    fn stroke_with(&mut self, path: &tiny_skia::Path, pen: Color, stroke: &Stroke, transform: Transform) {
        self.pixmap.stroke_path(path, &paint(pen), stroke, transform, self.mask.as_ref());
    }
}

impl Sheet for Pixels {
    fn size(&self) -> [f32; 2] {
        self.pixels().map(|pixels| pixels as f32 / self.scale)
    }

    fn fill(&mut self, path: &Path, color: Color) {
        let transform = self.scaled();
        if let Some(path) = outline(path) {
            self.pixmap.fill_path(&path, &paint(color), FillRule::EvenOdd, transform, self.mask.as_ref());
        }
    }

    fn stroke(&mut self, path: &Path, pen: &Pen) {
        let dash = pen.dash.and_then(|dash| StrokeDash::new(vec![dash, dash], 0.0));
        let stroke = Stroke { width: pen.width, line_join: LineJoin::Round, dash, ..Stroke::default() };
        if let Some(path) = outline(path) {
            self.stroke_with(&path, pen.color, &stroke, self.scaled());
        }
    }

    fn disc(&mut self, at: Point, radius: f32, color: Color) {
        let transform = self.scaled();
        if let Some(path) = PathBuilder::from_circle(at[0], at[1], radius) {
            self.pixmap.fill_path(&path, &paint(color), FillRule::Winding, transform, self.mask.as_ref());
        }
    }

    fn text(&mut self, at: Point, text: &str, words: &Words) {
        let width = font::width(text, words.size);
        let left = match words.align {
            Align::Left => 0.0,
            Align::Middle => -0.5 * width,
            Align::Right => -width,
        };
        let Some(path) = font::path(text, left, 0.0, words.size) else { return };
        let turn =
            if words.upward { Transform::from_row(0.0, -1.0, 1.0, 0.0, 0.0, 0.0) } else { Transform::identity() };
        let transform = turn.post_translate(at[0], at[1]).post_concat(self.scaled());
        let width = font::thickness(words.size).max(1.0 / self.scale); // thinner than a pixel is grey, not thin
        let (line_cap, line_join) = (LineCap::Round, LineJoin::Round);
        let stroke = Stroke { width, line_cap, line_join, ..Stroke::default() };
        if words.halo {
            let wide = Stroke { width: 4.0 * width, ..stroke.clone() };
            self.stroke_with(&path, Color::hex(0xffffff).with_alpha(0.75), &wide, transform);
        }
        self.stroke_with(&path, words.color, &stroke, transform);
    }

    fn text_width(&self, text: &str, size: f32) -> f32 {
        font::width(text, size)
    }

    fn cells(&mut self, [left, top, right, bottom]: [f32; 4], columns: usize, colors: &[Option<Color>]) {
        // One pixel a cell, then enlarged without smoothing: cells are cells.
        let rows = colors.len() / columns.max(1);
        let Some(mut small) = Pixmap::new(columns as u32, rows as u32) else { return };
        for (i, pixel) in small.pixels_mut().iter_mut().enumerate() {
            let (column, row) = (i % columns, rows - 1 - i / columns);
            if let Some(cell) = colors[row * columns + column] {
                *pixel = color(cell).premultiply().to_color_u8();
            }
        }
        let (wide, high) = ((right - left) / columns as f32, (bottom - top) / rows as f32);
        let transform = Transform::from_row(wide, 0.0, 0.0, high, left, top).post_concat(self.scaled());
        self.pixmap.draw_pixmap(0, 0, small.as_ref(), &PixmapPaint::default(), transform, self.mask.as_ref());
    }

    fn clip(&mut self, [left, top, right, bottom]: [f32; 4]) {
        let [width, height] = self.pixels();
        self.mask = Mask::new(width, height);
        let rect = Rect::from_ltrb(left, top, right, bottom).map(PathBuilder::from_rect);
        let transform = self.scaled();
        if let (Some(mask), Some(path)) = (&mut self.mask, rect) {
            mask.fill_path(&path, FillRule::Winding, false, transform);
        }
    }

    fn unclip(&mut self) {
        self.mask = None;
    }
}

fn outline(path: &Path) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    for (point, starts) in path.points() {
        if *starts {
            if path.closed() && !builder.is_empty() {
                builder.close();
            }
            builder.move_to(point[0], point[1]);
        } else {
            builder.line_to(point[0], point[1]);
        }
    }
    if path.closed() {
        builder.close();
    }
    builder.finish()
}

fn color(color: Color) -> tiny_skia::Color {
    let [red, green, blue] = color.rgb;
    let mut made = tiny_skia::Color::from_rgba8(red, green, blue, 255);
    made.set_alpha(color.alpha);
    made
}

fn paint(pen: Color) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(color(pen));
    paint
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(sheet: &Pixels, x: u32, y: u32) -> [u8; 3] {
        let start = 4 * (y * sheet.pixels()[0] + x) as usize;
        [sheet.bytes()[start], sheet.bytes()[start + 1], sheet.bytes()[start + 2]]
    }

    #[test]
    fn what_is_drawn_is_where_it_belongs() {
        let mut sheet = Pixels::new([20.0, 10.0], 2.0, Color::hex(0xffffff)).unwrap();
        assert_eq!((sheet.pixels(), sheet.size()), ([40, 20], [20.0, 10.0]));
        sheet.disc([5.0, 5.0], 2.0, Color::hex(0xff0000));
        assert_eq!((at(&sheet, 10, 10), at(&sheet, 10, 16)), ([255, 0, 0], [255, 255, 255]));
        let cells = [Some(Color::hex(0x00ff00)), None, Some(Color::hex(0x0000ff)), Some(Color::hex(0x000000))];
        sheet.cells([10.0, 0.0, 20.0, 10.0], 2, &cells);
        // The first row is the lowest.
        assert_eq!((at(&sheet, 25, 15), at(&sheet, 35, 15)), ([0, 255, 0], [255, 255, 255]));
        assert_eq!((at(&sheet, 25, 5), at(&sheet, 35, 5)), ([0, 0, 255], [0, 0, 0]));
        sheet.clip([0.0, 0.0, 1.0, 10.0]);
        sheet.rectangle([0.0, 0.0, 20.0, 10.0], Color::hex(0x123456));
        sheet.unclip();
        assert_eq!((at(&sheet, 1, 5), at(&sheet, 2, 5)), ([0x12, 0x34, 0x56], [255, 255, 255]));
        assert!(sheet.png().is_some_and(|png| png.starts_with(b"\x89PNG")));
        assert!(Pixels::new([0.0, 10.0], 1.0, Color::hex(0)).is_none());
    }

    #[test]
    fn text_stands_on_its_point() {
        let dark = |words: &Words| {
            let mut sheet = Pixels::new([100.0, 100.0], 1.0, Color::hex(0xffffff)).unwrap();
            sheet.text([50.0, 50.0], "HHHH", words);
            let drawn: Vec<[u32; 2]> =
                (0..10_000).map(|i| [i % 100, i / 100]).filter(|[x, y]| at(&sheet, *x, *y)[0] < 128).collect();
            let edge = |axis: usize| {
                let places = drawn.iter().map(|at| at[axis]);
                (places.clone().min().unwrap(), places.max().unwrap())
            };
            (edge(0), edge(1))
        };
        let width = font::width("HHHH", 10.0).round() as u32;
        let near = |a: u32, b: u32| a.abs_diff(b) <= 1;
        let black = Color::hex(0);
        let ((left, right), (top, bottom)) = dark(&Words::new(Align::Left, 10.0, black));
        assert!(near(left, 50) && near(right, 50 + width) && near(bottom, 50) && near(top, 40), "{left} {right} {top}");
        let ((left, right), _) = dark(&Words::new(Align::Right, 10.0, black));
        assert!(near(left, 50 - width) && near(right, 50), "{left} {right}");
        let upward = Words { upward: true, ..Words::new(Align::Left, 10.0, black) };
        let ((left, right), (top, bottom)) = dark(&upward);
        assert!(
            near(right, 50) && near(left, 40) && near(bottom, 50) && near(top, 50 - width),
            "{left} {top} {bottom}"
        );
    }
}
