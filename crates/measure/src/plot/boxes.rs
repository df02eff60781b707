//! Box plots: how quantities spread over seeds.

use super::{MARGINS, TOP, WIDTH, shortened};
use crate::chart::{Align, Axis, Panel, Path, Pen, Pixels, Sheet, Svg, Words, ink, kind};

const PANEL: f32 = 92.0;
const GAP: f32 = 60.0;
/// Quantities that fit on a sheet.
const BOXES_MAX: usize = 24;

/// One quantity and its value in each run.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// What it is, with its unit.
    pub label: String,
    /// A value for each run that has one.
    pub values: Vec<f64>,
}

/// The five numbers of a box: Tukey's. Whiskers reach to the last value within one and a half boxes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FiveNumbers {
    /// Lower whisker, lower quartile, median, upper quartile, upper whisker.
    pub at: [f64; 5],
}

impl FiveNumbers {
    /// Those of some values; `None` without any.
    pub fn of(values: &[f64]) -> Option<FiveNumbers> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let quantile = |share: f64| {
            let place = share * last as f64;
            let (low, part) = (place.floor() as usize, place.fract());
            sorted[low] + part * (sorted[(low + 1).min(last)] - sorted[low])
        };
        let [low, middle, high] = [0.25, 0.5, 0.75].map(quantile);
        let reach = 1.5 * (high - low);
        let within = |value: &&f64| (low - reach..=high + reach).contains(*value);
        let (first, end) = (sorted.iter().find(within)?, sorted.iter().rev().find(within)?);
        Some(FiveNumbers { at: [*first, low, middle, high, *end] })
    }
}

/// A sheet of box plots.
#[derive(Debug, Clone, PartialEq)]
pub struct Boxes {
    /// What it is about.
    pub title: String,
    /// Below the title.
    pub subtitle: String,
    /// The quantities.
    pub spreads: Vec<Spread>,
}

impl Boxes {
    /// As an SVG file.
    pub fn svg(&self) -> String {
        let mut sheet = Svg::new(self.size(), ink::FLOOR);
        self.draw(&mut sheet);
        sheet.finish()
    }

    /// As a PNG file, so many pixels wide; `None` if that is no picture.
    pub fn png(&self, width: u32) -> Option<Vec<u8>> {
        let mut sheet = Pixels::new(self.size(), width as f32 / WIDTH, ink::FLOOR)?;
        self.draw(&mut sheet);
        sheet.png()
    }

    fn size(&self) -> [f32; 2] {
        [WIDTH, TOP + self.spreads.len().clamp(1, BOXES_MAX) as f32 * (PANEL + GAP)]
    }

    fn draw(&self, sheet: &mut dyn Sheet) {
        sheet.text([MARGINS[0], 27.0], &shortened(&self.title), &Words::new(Align::Left, 12.5, ink::TEXT));
        sheet.text([MARGINS[0], 48.0], &self.subtitle, &Words::new(Align::Left, 9.0, ink::FAINT));
        for (n, spread) in self.spreads.iter().take(BOXES_MAX).enumerate() {
            one(sheet, TOP + n as f32 * (PANEL + GAP), spread);
        }
    }
}

fn one(sheet: &mut dyn Sheet, top: f32, Spread { label, values }: &Spread) {
    let Some(FiveNumbers { at }) = FiveNumbers::of(values) else { return };
    let (least, most) = (values.iter().copied().fold(at[0], f64::min), values.iter().copied().fold(at[4], f64::max));
    let edge = if most > least { 0.06 * (most - least) } else { 0.5 * most.abs().max(1.0) };
    let panel = Panel {
        frame: [MARGINS[0], top, WIDTH - MARGINS[1], top + PANEL],
        x: Axis::exact(label.clone(), least - edge, most + edge, 8),
        y: Axis::exact("", 0.1, 0.9, 1), // no whole number in it, so no ticks
    };
    panel.ground(sheet);
    let [a, b, c, d, e] = at.map(|value| panel.at([value, 0.5]));
    let (y, half) = (a[1], 17.0);
    let pen = Pen::new(kind(0), 1.6);
    (sheet.line(a, b, &pen), sheet.line(d, e, &pen));
    [a, e].into_iter().for_each(|end| sheet.line([end[0], y - 8.0], [end[0], y + 8.0], &pen));
    sheet.rectangle([b[0], y - half, d[0], y + half], kind(0).with_alpha(0.3));
    sheet.stroke(&Path::rectangle([b[0], y - half, d[0], y + half]), &pen);
    sheet.line([c[0], y - half], [c[0], y + half], &Pen::new(ink::TEXT, 2.4));
    for value in values.iter().filter(|value| !(at[0]..=at[4]).contains(*value)) {
        sheet.disc(panel.at([*value, 0.5]), 2.6, kind(1));
    }
    panel.axes(sheet);
    let words = match values.len() {
        1 => format!("1 run: {:.3}", at[2]),
        runs => format!("median {:.3}, half of the {runs} runs {:.3} to {:.3}", at[2], at[1], at[3]),
    };
    sheet.text([WIDTH - MARGINS[1] - 8.0, top + 15.0], &words, &Words::label(Align::Right, Panel::TEXT, ink::TEXT));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 to 9: quartiles 3, 5, 7. With 30 the whisker stays at 9: 7 + 1.5 times 4 is 13.
    #[test]
    fn five_numbers() {
        let nine: Vec<f64> = (1..=9).map(f64::from).collect();
        assert_eq!(FiveNumbers::of(&nine), Some(FiveNumbers { at: [1.0, 3.0, 5.0, 7.0, 9.0] }));
        let far: Vec<f64> = (1..=8).map(f64::from).chain([30.0]).collect();
        assert_eq!(FiveNumbers::of(&far), Some(FiveNumbers { at: [1.0, 3.0, 5.0, 7.0, 8.0] }));
        assert_eq!(FiveNumbers::of(&[4.0]), Some(FiveNumbers { at: [4.0; 5] }));
        assert_eq!(FiveNumbers::of(&[f64::NAN]), None);
    }

    #[test]
    fn sheets_are_drawn() {
        let spreads = vec![Spread { label: "last arrival in s".into(), values: vec![10.0, 12.0, 11.0, 30.0] }];
        let boxes = Boxes { title: "room".into(), subtitle: "4 runs".into(), spreads };
        let svg = boxes.svg();
        assert!(svg.contains("last arrival in s") && svg.contains("median 11.500"), "{svg}");
        assert!(roxmltree::Document::parse(&svg).is_ok());
        assert!(boxes.png(800).is_some_and(|png| png.starts_with(b"\x89PNG")));
    }
}
