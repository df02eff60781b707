//! What the colours of a picture mean, and the lines below it that say so.

use crate::canvas::{Align, Canvas, hex};
use crate::font;
use crate::layout::{Layout, round_below};
use crate::picture::{FAINT, TEXT, Wanted, shortened};
use crate::{ramp, tracks};
use clap::ValueEnum;
use passerby::record::Recording;
use tiny_skia::Color;

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
                let fastest = recording.people().iter().map(|person| f64::from(person.speed)).fold(0.0, f64::max);
                let high = ((fastest * 2.0).ceil() / 2.0).max(0.5); // in halves of a metre a second
                Legend::Numbers { title: "speed in m/s", low: 0.0, high, per_tick: None }
            }
            Scheme::Population => {
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
                Legend::Kinds { names, of }
            }
        }
    }

    /// All colours there are.
    pub fn colors(&self) -> Vec<Color> {
        match self {
            Legend::Numbers { .. } => (0..STEPS).map(|i| ramp::ramp(i as f32 / (STEPS - 1) as f32)).collect(),
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
            Legend::Kinds { names, .. } => {
                let unit = (width as f32 / 1600.0).max(0.4);
                rows(names, width as f32 - 88.0 * unit, unit).len()
            }
        }
    }

    /// Draws it below the place, with scale bar and marks.
    pub fn draw(&self, canvas: &mut Canvas, layout: &Layout) {
        let unit = layout.unit;
        let base = layout.frame[3] + 58.0 * unit;
        scale_bar(canvas, layout, base);
        match self {
            Legend::Numbers { title, low, high, .. } => numbers(canvas, layout, base, title, *low, *high),
            Legend::Kinds { names, .. } => {
                let rows = rows(names, layout.width - 2.0 * layout.margin, unit);
                for (i, row) in rows.iter().enumerate() {
                    let y = base + (36.0 + 26.0 * i as f32) * unit;
                    for (x, n) in row {
                        let left = layout.margin + x;
                        canvas.rectangle(left, y - 0.6 * layout.text(), 22.0 * unit, 4.0 * unit, kind_color(*n));
                        canvas.text(
                            [left + 30.0 * unit, y],
                            Align::Left,
                            &shortened(&names[*n]),
                            layout.text(),
                            hex(TEXT),
                        );
                    }
                }
            }
        }
    }
}

fn kind_color(n: usize) -> Color {
    if n < KINDS { ramp::kind(n) } else { hex(FAINT) }
}

/// Entries in rows: where each begins, and which it is.
fn rows(names: &[String], width: f32, unit: f32) -> Vec<Vec<(f32, usize)>> {
    let mut rows = vec![Vec::new()];
    let mut x = 0.0;
    for (n, name) in names.iter().enumerate() {
        let length = 60.0 * unit + font::width(&shortened(name), 11.0 * unit);
        if x > 0.0 && x + length > width {
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

/// The scale bar and the marks of starts and ends, on the left.
fn scale_bar(canvas: &mut Canvas, layout: &Layout, base: f32) {
    let (unit, left, size) = (layout.unit, layout.margin, layout.text());
    let metres = round_below(f64::from(0.16 * layout.width) / layout.scale);
    let right = left + (metres * layout.scale) as f32;
    canvas.line([left, base], [right, base], hex(TEXT), 2.0 * unit);
    for x in [left, right] {
        canvas.line([x, base - 5.0 * unit], [x, base + 5.0 * unit], hex(TEXT), 2.0 * unit);
    }
    canvas.text([right + 12.0 * unit, base + 0.5 * size], Align::Left, &format!("{metres} m"), size, hex(TEXT));
    let mut x = right + 40.0 * unit + font::width(&format!("{metres} m"), size);
    for (name, mark) in [("start", tracks::start as fn(&mut Canvas, [f32; 2], f32)), ("end", tracks::end)] {
        mark(canvas, [x, base], 4.2 * unit);
        canvas.text([x + 11.0 * unit, base + 0.5 * size], Align::Left, name, size, hex(FAINT));
        x += 34.0 * unit + font::width(name, size);
    }
}

/// A bar of colours with numbers, on the right.
fn numbers(canvas: &mut Canvas, layout: &Layout, base: f32, title: &str, low: f64, high: f64) {
    let (unit, size) = (layout.unit, layout.text());
    let (length, right) = (420.0 * unit, layout.width - layout.margin - 8.0 * unit);
    let (left, top, height) = (right - length, base - 12.0 * unit, 12.0 * unit);
    let steps = 2 * STEPS;
    for i in 0..steps {
        let x = left + length * i as f32 / steps as f32;
        // A little wider than a step, or the gaps between pixels would show.
        let step = (length / steps as f32 + 0.7 * unit).min(right - x);
        canvas.rectangle(x, top, step, height, ramp::ramp((i as f32 + 0.5) / steps as f32));
    }
    canvas.text([left - 16.0 * unit, base - 6.0 * unit + 0.5 * size], Align::Right, title, size, hex(TEXT));
    let step = round_below((high - low) / 3.0);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let mut value = (low / step).ceil() * step;
    while value <= high + 1e-9 * step {
        let x = left + length * ((value - low) / (high - low)) as f32;
        canvas.line([x, base], [x, base + 5.0 * unit], hex(FAINT), unit);
        canvas.text([x, base + 11.0 * unit + size], Align::Middle, &format!("{value:.decimals$}"), size, hex(FAINT));
        value += step;
    }
}
