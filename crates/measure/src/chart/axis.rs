//! Axes with round numbers on them, and the panel between two of them.

use super::ink;
use super::path::{Path, Point};
use super::sheet::{Align, Pen, Sheet, Words};

/// The round number (1, 2 or 5 with zeros) nearest below `value`, or `value` itself; 1 where there is none.
pub fn round_below(value: f64) -> f64 {
    if !(1e-12..=1e12).contains(&value) {
        return 1.0;
    }
    let (mut power, slack) = (1.0, 1.0 + 1e-9);
    while power * 10.0 <= value * slack {
        power *= 10.0;
    }
    let mut divisor = 1.0;
    while power / divisor > value * slack {
        divisor *= 10.0;
    }
    // Divided, not multiplied: 5 / 100 is the double nearest to 0.05.
    [5.0, 2.0, 1.0]
        .map(|digit| digit * power / divisor)
        .into_iter()
        .find(|round| *round <= value * slack)
        .unwrap_or(power)
}

/// The round number nearest above `value`, or `value` itself; 1 where there is none.
pub fn round_above(value: f64) -> f64 {
    let below = round_below(value);
    if !(1e-12..=1e12).contains(&value) || below >= value * (1.0 - 1e-9) {
        return below;
    }
    [2.0, 2.5, 5.0, 10.0]
        .map(|factor| round_below(below * factor))
        .into_iter()
        .find(|round| *round > below)
        .unwrap_or(below)
}

/// A range of numbers and the round ones in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What the numbers are, with their unit.
    pub label: String,
    /// The first.
    pub low: f64,
    /// The last, above the first.
    pub high: f64,
    step: f64,
}

impl Axis {
    /// Exactly this range, with at most `ticks` ticks.
    pub fn exact(label: impl Into<String>, low: f64, high: f64, ticks: usize) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        Axis { label: label.into(), low, high, step: round_above((high - low) / ticks.max(1) as f64) }
    }

    /// From zero to a round number that is not below `most`.
    pub fn from_zero(label: impl Into<String>, most: f64, ticks: usize) -> Axis {
        let axis = Axis::exact(label, 0.0, most.max(1e-9), ticks);
        Axis { high: (axis.high / axis.step - 1e-9).ceil() * axis.step, ..axis }
    }

    /// As [`Axis::from_zero`], for what is counted: no ticks between whole numbers.
    pub fn of_counts(label: impl Into<String>, most: f64, ticks: usize) -> Axis {
        let axis = Axis::exact(label, 0.0, most.max(1.0), ticks);
        let step = axis.step.max(1.0);
        Axis { high: (axis.high / step - 1e-9).ceil() * step, step, ..axis }
    }

    /// The same axis with a little more room at its end, so that a curve does not run along the frame.
    pub fn with_room(self) -> Axis {
        Axis { high: self.high + 0.05 * (self.high - self.low), ..self }
    }

    /// The round numbers in the range.
    pub fn ticks(&self) -> Vec<f64> {
        let (first, last) = ((self.low / self.step - 1e-6).ceil(), (self.high / self.step + 1e-6).floor());
        let count = if last >= first { (last - first) as usize + 1 } else { 0 };
        (0..count.min(1000)).map(|i| (first + i as f64) * self.step).collect()
    }

    /// A number of this axis, with as many decimals as its ticks need.
    pub fn number(&self, value: f64) -> String {
        let (mut decimals, mut step) = (0, self.step);
        while decimals < 12 && (step - step.round()).abs() > 1e-6 * self.step {
            step *= 10.0;
            decimals += 1;
        }
        let text = format!("{value:.decimals$}");
        if text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.') { text.replace('-', "") } else { text }
    }

    /// Where a value is: 0 at the first number, 1 at the last.
    pub fn fraction(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// A rectangle between two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Left, top, right, bottom.
    pub frame: [f32; 4],
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
}

impl Panel {
    /// Height of the capitals of numbers and labels.
    pub const TEXT: f32 = 9.5;

    /// Where a pair of values is on the sheet.
    pub fn at(&self, [x, y]: [f64; 2]) -> Point {
        let [left, top, right, bottom] = self.frame;
        [left + (right - left) * self.x.fraction(x) as f32, bottom - (bottom - top) * self.y.fraction(y) as f32]
    }

    /// A clean ground with lines to read values along.
    pub fn ground(&self, sheet: &mut dyn Sheet) {
        sheet.rectangle(self.frame, ink::FLOOR);
        let [left, top, right, bottom] = self.frame;
        let mut lines = Path::new();
        for x in self.x.ticks().into_iter().map(|x| self.at([x, self.y.low])[0]) {
            lines.add([[x, top], [x, bottom]]);
        }
        for y in self.y.ticks().into_iter().map(|y| self.at([self.x.low, y])[1]) {
            lines.add([[left, y], [right, y]]);
        }
        sheet.stroke(&lines, &Pen::new(ink::GRID, 0.8));
    }

    /// The frame with ticks, numbers and labels.
    pub fn axes(&self, sheet: &mut dyn Sheet) {
        let [left, top, right, bottom] = self.frame;
        let (size, pen) = (Self::TEXT, Pen::new(ink::TEXT, 1.0));
        sheet.stroke(&Path::rectangle(self.frame), &pen);
        let mut free = f32::NEG_INFINITY; // numbers that would touch the one before them are left out
        for value in self.x.ticks() {
            let (x, number) = (self.at([value, self.y.low])[0], self.x.number(value));
            sheet.line([x, bottom], [x, bottom + 4.0], &pen);
            let half = 0.5 * sheet.text_width(&number, size);
            if x - half > free {
                sheet.text([x, bottom + 8.0 + size], &number, &Words::new(Align::Middle, size, ink::TEXT));
                free = x + half + size;
            }
        }
        let mut widest = 0.0f32;
        for value in self.y.ticks() {
            let (y, number) = (self.at([self.x.low, value])[1], self.y.number(value));
            sheet.line([left - 4.0, y], [left, y], &pen);
            sheet.text([left - 8.0, y + 0.5 * size], &number, &Words::new(Align::Right, size, ink::TEXT));
            widest = widest.max(sheet.text_width(&number, size));
        }
        let label = Words::new(Align::Middle, size, ink::TEXT);
        sheet.text([0.5 * (left + right), bottom + 14.0 + 2.3 * size], &self.x.label, &label);
        let beside = (left - 19.0 - widest).max(size + 4.0);
        sheet.text([beside, 0.5 * (top + bottom)], &self.y.label, &Words { upward: true, ..label });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers() {
        for (value, below, above) in [
            (1.0, 1.0, 1.0),
            (1.9, 1.0, 2.0),
            (4.0, 2.0, 5.0),
            (9.3, 5.0, 10.0),
            (10.0, 10.0, 10.0),
            (0.07, 0.05, 0.1),
            (0.05, 0.05, 0.05),
            (730.0, 500.0, 1000.0),
            (0.0, 1.0, 1.0),
            (f64::NAN, 1.0, 1.0),
        ] {
            assert_eq!((round_below(value), round_above(value)), (below, above), "{value}");
        }
    }

    #[track_caller]
    fn check(axis: &Axis, high: f64, numbers: &[&str]) {
        assert!((axis.high - high).abs() < 1e-9, "{axis:?}");
        let found: Vec<String> = axis.ticks().into_iter().map(|tick| axis.number(tick)).collect();
        assert_eq!(found, numbers, "{axis:?}");
    }

    #[test]
    fn ticks_are_round_and_in_range() {
        check(&Axis::exact("x", 0.0, 14.0, 8), 14.0, &["0", "2", "4", "6", "8", "10", "12", "14"]);
        check(&Axis::exact("x", -0.3, 1.1, 4), 1.1, &["0.0", "0.5", "1.0"]);
        check(&Axis::exact("x", -7.4, 6.4, 4), 6.4, &["-5", "0", "5"]);
        check(
            &Axis::exact("x", 500_000.0, 500_020.0, 4),
            500_020.0,
            &["500000", "500005", "500010", "500015", "500020"],
        );
        check(&Axis::exact("x", 3.0, 3.0, 4), 4.0, &["3.0", "3.5", "4.0"]);
        check(&Axis::from_zero("x", 1.74, 4), 2.0, &["0.0", "0.5", "1.0", "1.5", "2.0"]);
        check(&Axis::from_zero("x", 0.024, 3), 0.03, &["0.00", "0.01", "0.02", "0.03"]);
        check(&Axis::of_counts("x", 1.0, 5), 1.0, &["0", "1"]);
        check(&Axis::of_counts("x", 80.0, 5), 80.0, &["0", "20", "40", "60", "80"]);
        check(&Axis::of_counts("x", 81.0, 5), 100.0, &["0", "20", "40", "60", "80", "100"]);
    }

    #[test]
    fn panels_put_values_where_their_axes_say() {
        let (x, y) = (Axis::exact("x", 0.0, 10.0, 5), Axis::exact("y", -1.0, 1.0, 5));
        let panel = Panel { frame: [100.0, 20.0, 300.0, 120.0], x, y };
        assert_eq!((panel.at([0.0, -1.0]), panel.at([10.0, 1.0])), ([100.0, 120.0], [300.0, 20.0]));
        assert_eq!(panel.at([2.5, 0.0]), [150.0, 70.0]);
    }
}
