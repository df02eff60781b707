//! What the colours of a picture mean, and the lines below it that say so.

use crate::layout::{self, Layout};
use crate::picture::{Wanted, shortened};
use crate::tracks::Mark;
use clap::ValueEnum;
use passerby::record::Recording;
use passerby_measure::chart::{self, Align, Axis, Color, Pen, Sheet, Words, ink, round_below, text_width};

/// What the colour of a track stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scheme {
    /// When somebody was there
    Time,
    /// How fast they walked
    Speed,
    /// Which population they belong to
    Population,
}

/// Steps of a ramp: more cannot be told apart.
const STEPS: usize = 64;
/// Populations that get a colour of their own.
const KINDS: usize = 12;

/// The meaning of colours in one picture.
#[derive(Debug)]
pub enum Legend {
    /// Numbers from `low` to `high`; `per_tick` is set where they are times, s.
    Numbers { title: &'static str, low: f64, high: f64, per_tick: Option<f64> },
    /// One colour a population: its names, and for each person the number of its name.
    Kinds { names: Vec<String>, of: Vec<usize> },
}

impl Legend {
    /// What colours mean in a picture of this recording.
    pub fn new(recording: &Recording, wanted: &Wanted) -> Legend {
        let tick = recording.header().tick;
        match wanted.color {
            Scheme::Time => {
                let (first, last) = wanted.ticks;
                let (low, high) = (f64::from(first) * tick, f64::from(last.max(first + 1)) * tick);
                Legend::Numbers { title: "time in s", low, high, per_tick: Some(tick) }
            }
            Scheme::Speed => {
                let mut speeds: Vec<f64> = recording.people().iter().map(|person| f64::from(person.speed)).collect();
                speeds.sort_unstable_by(f64::total_cmp);
                // What nearly everybody likes to walk at: the few runners would take half of the colours.
                let fast = speeds.get(speeds.len() * 95 / 100).copied().unwrap_or(1.0);
                let high = ((fast * 2.0).ceil() / 2.0).max(0.5); // in halves of a metre a second
                Legend::Numbers { title: "speed in m/s", low: 0.0, high, per_tick: None }
            }
            Scheme::Population => {
                let (names, of) = populations(recording);
                Legend::Kinds { names, of }
            }
        }
    }

    /// All colours there are.
    pub fn colors(&self) -> Vec<Color> {
        match self {
            Legend::Numbers { .. } => (0..STEPS).map(|i| chart::ramp(i as f32 / (STEPS - 1) as f32)).collect(),
            Legend::Kinds { names, .. } => (0..names.len()).map(kind_color).collect(),
        }
    }

    /// Which of the colours somebody has.
    pub fn color_of(&self, tick: u32, speed: f32, person: usize) -> usize {
        match self {
            Legend::Numbers { low, high, per_tick, .. } => {
                let value = per_tick.map_or(f64::from(speed), |per_tick| f64::from(tick) * per_tick);
                let fraction = ((value - low) / (high - low)).clamp(0.0, 1.0);
                ((fraction * STEPS as f64) as usize).min(STEPS - 1)
            }
            Legend::Kinds { of, .. } => of[person],
        }
    }

    /// Lines of text it takes besides the line of the scale bar.
    pub fn lines(&self, width: u32) -> usize {
        match self {
            Legend::Numbers { .. } => 0,
            Legend::Kinds { names, .. } => rows(names, width as f32).len(),
        }
    }

    /// Draws it below the place, with scale bar and marks.
    pub fn draw(&self, sheet: &mut dyn Sheet, layout: &Layout) {
        let base = layout.frame[3] + 58.0 * layout.unit;
        let right = scale_bar(sheet, layout, base);
        marks(sheet, layout, [right + 28.0 * layout.unit, base]);
        match self {
            Legend::Numbers { title, low, high, .. } => numbers(sheet, layout, base, title, *low, *high),
            Legend::Kinds { names, .. } => kinds(sheet, layout, base, names),
        }
    }
}

/// Names of populations, and for each person the number of its name; those beyond a dozen are others.
pub fn populations(recording: &Recording) -> (Vec<String>, Vec<usize>) {
    let mut names: Vec<String> = Vec::new();
    let of = (recording.people().iter())
        .map(|person| match names.iter().position(|name| *name == person.population) {
            Some(n) => n,
            None if names.len() < KINDS => {
                names.push(person.population.clone());
                names.len() - 1
            }
            None => KINDS,
        })
        .collect::<Vec<_>>();
    if of.contains(&KINDS) {
        names.push("others".to_owned());
    }
    (names, of)
}

/// Names of populations beside their colours.
pub fn kinds(sheet: &mut dyn Sheet, layout: &Layout, base: f32, names: &[String]) {
    let (unit, words) = (layout.unit, Words::new(Align::Left, layout.text(), ink::TEXT));
    for (i, row) in rows(names, layout.width).iter().enumerate() {
        let y = base + (36.0 + 26.0 * i as f32) * unit;
        for (x, n) in row {
            let (left, top) = (layout.margin + x, y - 0.6 * layout.text());
            sheet.rectangle([left, top, left + 22.0 * unit, top + 4.0 * unit], kind_color(*n));
            sheet.text([left + 30.0 * unit, y], &shortened(&names[*n]), &words);
        }
    }
}

/// The colour of the n-th population.
pub fn kind_color(n: usize) -> Color {
    if n < KINDS { chart::kind(n) } else { ink::FAINT }
}

/// Entries in rows: where each begins, and which it is.
pub fn rows(names: &[String], width: f32) -> Vec<Vec<(f32, usize)>> {
    let size = layout::text(width);
    let mut rows = vec![Vec::new()];
    let mut x = 0.0;
    for (n, name) in names.iter().enumerate() {
        let length = 5.5 * size + text_width(&shortened(name), size);
        if x > 0.0 && x + length > 0.94 * width {
            rows.push(Vec::new());
            x = 0.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push((x, n));
        }
        x += length;
    }
    rows
}

/// The scale bar, on the left. Gives its right end.
pub fn scale_bar(sheet: &mut dyn Sheet, layout: &Layout, base: f32) -> f32 {
    let (unit, left, size) = (layout.unit, layout.margin, layout.text());
    let metres = round_below(f64::from(0.16 * layout.width) / layout.scale);
    let right = left + (metres * layout.scale) as f32;
    let pen = Pen::new(ink::TEXT, 2.0 * unit);
    sheet.line([left, base], [right, base], &pen);
    for x in [left, right] {
        sheet.line([x, base - 5.0 * unit], [x, base + 5.0 * unit], &pen);
    }
    let length = format!("{metres} m");
    sheet.text([right + 12.0 * unit, base + 0.5 * size], &length, &Words::new(Align::Left, size, ink::TEXT));
    right + 12.0 * unit + text_width(&length, size)
}

/// What the marks of starts and ends look like.
fn marks(sheet: &mut dyn Sheet, layout: &Layout, [mut x, base]: [f32; 2]) {
    let (unit, size) = (layout.unit, layout.text());
    let mark = Mark::new(layout);
    for (name, draw) in [("start", Mark::start as fn(&Mark, &mut dyn Sheet, [f32; 2])), ("end", Mark::end)] {
        draw(&mark, sheet, [x, base]);
        sheet.text([x + 11.0 * unit, base + 0.5 * size], name, &Words::new(Align::Left, size, ink::FAINT));
        x += 34.0 * unit + text_width(name, size);
    }
}

/// A bar of colours with numbers, on the right.
fn numbers(sheet: &mut dyn Sheet, layout: &Layout, base: f32, title: &str, low: f64, high: f64) {
    let (unit, size) = (layout.unit, layout.text());
    let (length, right) = (420.0 * unit, layout.width - layout.margin - 8.0 * unit);
    let (left, top) = (right - length, base - 12.0 * unit);
    let colors: Vec<_> = (0..2 * STEPS).map(|i| Some(chart::ramp((i as f32 + 0.5) / (2 * STEPS) as f32))).collect();
    sheet.cells([left, top, right, base], colors.len(), &colors);
    let words = Words::new(Align::Right, size, ink::TEXT);
    sheet.text([left - 16.0 * unit, base - 6.0 * unit + 0.5 * size], title, &words);
    let axis = Axis::exact(title, low, high, 6);
    for value in axis.ticks() {
        let x = left + length * axis.fraction(value) as f32;
        sheet.line([x, base], [x, base + 5.0 * unit], &Pen::new(ink::FAINT, unit));
        let words = Words::new(Align::Middle, size, ink::FAINT);
        sheet.text([x, base + 11.0 * unit + size], &axis.number(value), &words);
    }
}
