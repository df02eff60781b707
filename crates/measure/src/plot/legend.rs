//! What colours stand for, and how long a metre is.

use super::{MARGINS, WIDTH, shortened};
use crate::chart::{Align, Axis, Color, Panel, Path, Pen, Sheet, Words, ink, round_below};

/// From the base line of a row to that of the next.
pub(super) const ROW: f32 = 20.0;

/// Colours of the n-th number of so many, from 0 to 1: few enough for neighbours to be told apart.
pub(super) const STEPS: usize = 64;

/// Where entries of a legend go: row and distance from the left. Widths are those of a broad font, whatever the sheet.
fn places(names: &[String]) -> Vec<(usize, f32)> {
    let room = WIDTH - MARGINS[0] - MARGINS[1];
    let (mut row, mut x, mut places) = (0, 0.0, Vec::new());
    for name in names {
        let width = 44.0 + 0.95 * Panel::TEXT * shortened(name).chars().count() as f32;
        if x > 0.0 && x + width > room {
            (row, x) = (row + 1, 0.0);
        }
        places.push((row, x));
        x += width;
    }
    places
}

/// How many rows the entries take.
pub(super) fn rows(names: &[String]) -> usize {
    places(names).last().map_or(0, |(row, _)| row + 1)
}

/// Draws entries; the base line of their first row is at `y`.
pub(super) fn draw(sheet: &mut dyn Sheet, y: f32, names: &[String], colors: &[Color]) {
    for ((row, x), (name, color)) in places(names).into_iter().zip(names.iter().zip(colors)) {
        let (left, y) = (MARGINS[0] + x, y + ROW * row as f32);
        let middle = y - 0.5 * Panel::TEXT;
        sheet.line([left, middle], [left + 22.0, middle], &Pen::new(*color, 3.0));
        sheet.text([left + 29.0, y], &shortened(name), &Words::new(Align::Left, Panel::TEXT, ink::TEXT));
    }
}

/// A bar of about a seventh of the width and its length in metres, from the left margin on.
pub(super) fn scale_bar(sheet: &mut dyn Sheet, y: f32, per_metre: f64) {
    let metres = round_below(115.0 / per_metre);
    let (left, right) = (MARGINS[0], MARGINS[0] + (metres * per_metre) as f32);
    let pen = Pen::new(ink::TEXT, 1.5);
    sheet.line([left, y], [right, y], &pen);
    for x in [left, right] {
        sheet.line([x, y - 4.0], [x, y + 4.0], &pen);
    }
    let words = Words::new(Align::Left, Panel::TEXT, ink::TEXT);
    sheet.text([right + 8.0, y + 0.5 * Panel::TEXT], &format!("{metres} m"), &words);
}

/// A bar of colours with the numbers they stand for, up to the right margin.
pub(super) fn color_bar(sheet: &mut dyn Sheet, y: f32, axis: &Axis, color: impl Fn(f32) -> Color) {
    const LENGTH: f32 = 260.0;
    let right = WIDTH - MARGINS[1] - 8.0;
    let (left, top, bottom) = (right - LENGTH, y - 7.0, y + 5.0);
    let colors: Vec<Option<Color>> = (0..STEPS).map(|i| Some(color(i as f32 / (STEPS - 1) as f32))).collect();
    sheet.cells([left, top, right, bottom], STEPS, &colors);
    let pen = Pen::new(ink::TEXT, 0.8);
    sheet.stroke(&Path::rectangle([left, top, right, bottom]), &pen);
    for value in axis.ticks() {
        let x = left + LENGTH * axis.fraction(value) as f32;
        sheet.line([x, bottom], [x, bottom + 4.0], &pen);
        let words = Words::new(Align::Middle, Panel::TEXT, ink::TEXT);
        sheet.text([x, bottom + 7.5 + Panel::TEXT], &axis.number(value), &words);
    }
    let words = Words::new(Align::Right, Panel::TEXT, ink::TEXT);
    sheet.text([left - 12.0, y - 1.0 + 0.5 * Panel::TEXT], &axis.label, &words);
}
