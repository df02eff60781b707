//! What pictures of decisions are made of: arrows, wedges, half planes, bars of colours.

use passerby::geometry::math::{ln, sin_cos};
use passerby_measure::chart::{Align, Color, Path, Pen, Point, Sheet, Words, ink, ramp};

/// Capitals of ordinary text.
pub const TEXT: f32 = 8.5;
/// What somebody walks at now.
pub const NOW: Color = ink::TEXT;
/// What they would like.
pub const DESIRED: Color = Color::hex(0x8a919c);
/// What they choose.
pub const CHOSEN: Color = Color::hex(0xc2243b);
/// Those whom they see.
pub const SEEN: Color = Color::hex(0x5f86b8);

/// An arrow; too short ones are dots.
pub fn arrow(sheet: &mut dyn Sheet, from: Point, to: Point, pen: &Pen) {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let length = (dx * dx + dy * dy).sqrt();
    if length < 1.5 {
        return sheet.disc(from, 1.2 * pen.width, pen.color);
    }
    let head = (4.0 + 2.2 * pen.width).min(0.7 * length);
    let (ux, uy) = (dx / length, dy / length);
    let neck = [to[0] - head * ux, to[1] - head * uy];
    let wing = |side: f32| [neck[0] - side * 0.42 * head * uy, neck[1] + side * 0.42 * head * ux];
    sheet.line(from, [to[0] - 0.8 * head * ux, to[1] - 0.8 * head * uy], pen);
    sheet.fill(&Path::rings([[to, wing(1.0), wing(-1.0)]]), pen.color);
}

/// A piece of a ring between two directions, rad, and two radii, round a point of the sheet.
pub fn wedge(middle: Point, [from, to]: [f32; 2], [inner, outer]: [f32; 2]) -> Path {
    let steps = ((to - from).abs() / 0.05).ceil().clamp(1.0, 200.0) as usize;
    let at = |radius: f32, step: usize| {
        let (sin, cos) = sin_cos(from + (to - from) * step as f32 / steps as f32);
        [middle[0] + radius * cos, middle[1] - radius * sin]
    };
    let out = (0..=steps).map(|step| at(outer, step));
    let back = (0..=steps).rev().map(|step| at(inner, step));
    Path::rings([out.chain(back).collect::<Vec<_>>()])
}

/// A circle.
pub fn ring(middle: Point, radius: f32) -> Path {
    let at = |step: u32| {
        let (sin, cos) = sin_cos(std::f32::consts::TAU * step as f32 / 72.0);
        [middle[0] + radius * cos, middle[1] - radius * sin]
    };
    Path::rings([(0..72).map(at)])
}

/// How numbers become colours: dark is low.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shades {
    low: f32,
    high: f32,
    /// Whether there are larger ones than the highest that has a colour of its own.
    more: bool,
    /// Whether equal factors are equal steps.
    factors: bool,
}

impl Shades {
    /// For these numbers. Of many the largest tenth shares a colour, so that extremes do not make the rest look alike; where they differ by
    /// orders of magnitude equal factors are equal steps.
    pub fn of(values: impl Iterator<Item = f32>) -> Option<Shades> {
        let mut sorted: Vec<f32> = values.filter(|value| value.is_finite()).collect();
        sorted.sort_unstable_by(f32::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let (low, most) = (sorted[0], sorted[last]);
        let high = if sorted.len() < 20 { most } else { sorted[last - sorted.len() / 10] };
        Some(Shades { low, high, more: most > high, factors: low > 0.0 && high > 20.0 * low })
    }

    /// The colour of a number.
    pub fn color(&self, value: f32) -> Color {
        let Shades { low, high, factors, .. } = *self;
        let scaled = |value: f32| if factors { ln(value.max(low)) } else { value };
        if high > low { ramp((scaled(value) - scaled(low)) / (scaled(high) - scaled(low))) } else { ramp(0.0) }
    }

    /// A bar of the colours with the numbers at its ends, and what they are.
    pub fn bar(&self, sheet: &mut dyn Sheet, [left, y]: Point, label: &str) {
        const LENGTH: f32 = 110.0;
        const STEPS: usize = 32;
        let words = Words::new(Align::Left, TEXT, ink::TEXT);
        sheet.text([left, y], label, &words);
        let from = left + sheet.text_width(label, TEXT) + 8.0;
        let shown = |value: f32| if value.abs() < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") };
        sheet.text([from, y], &shown(self.low), &words);
        let from = from + sheet.text_width(&shown(self.low), TEXT) + 6.0;
        let colors: Vec<Option<Color>> = (0..STEPS).map(|i| Some(ramp(i as f32 / (STEPS - 1) as f32))).collect();
        sheet.cells([from, y - TEXT, from + LENGTH, y + 1.0], STEPS, &colors);
        let most = shown(self.high) + if self.more { " or more" } else { "" };
        let even = if self.factors { ", in equal factors" } else { "" };
        sheet.text([from + LENGTH + 6.0, y], &format!("{most}{even}"), &words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_the_lowest_to_the_highest() {
        let shades = Shades::of([3.0, 1.0, 2.0, f32::INFINITY].into_iter()).expect("numbers");
        assert_eq!(shades, Shades { low: 1.0, high: 3.0, more: false, factors: false });
        assert_eq!([1.0, 2.0, 3.0, 9.0].map(|value| shades.color(value)), [0.0, 0.5, 1.0, 1.0].map(ramp));
        // 1 to 10^4: 100 is half way.
        let wide = Shades::of([1.0, 100.0, 1e4].into_iter()).expect("numbers");
        assert_eq!(wide.color(100.0), ramp(0.5));
        assert_eq!(Shades::of(std::iter::empty()), None);
        // Of a hundred the highest tenth shares a colour.
        let many = Shades::of((1..=100).map(|n| n as f32)).expect("numbers");
        assert_eq!((many.high, many.more), (90.0, true));
    }
}
