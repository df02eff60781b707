//! A recording as a picture: the place, the tracks of its people, and what is needed to read them.

use crate::labels;
use crate::layout::Layout;
use crate::legend::{self, Scheme};
use crate::tracks::{self, Shown};
use anyhow::{Context, Result};
use passerby::record::Recording;
use passerby_measure::Extent;
use passerby_measure::chart::{self, Align, Pixels, Sheet, Words, ink};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// What a picture is to show.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Width of the picture in pixels.
    pub width: u32,
    /// What colours mean.
    pub color: Scheme,
    /// First and last tick.
    pub ticks: (u32, u32),
}

/// Draws a recording; the PNG file's bytes.
pub fn draw(recording: &Recording, wanted: &Wanted) -> Result<Vec<u8>> {
    let place = &recording.header().place;
    let bounds = extent(recording, wanted.ticks)?;
    let legend = legend::Legend::new(recording, wanted);
    let layout = Layout::new(wanted.width, &bounds, legend.lines(wanted.width));
    let mut sheet = Pixels::new([layout.width, layout.height], 1.0, ink::PAPER)
        .with_context(|| format!("no picture of {} x {} pixels", layout.width, layout.height))?;
    chart::floor(&mut sheet, &layout.view(), place);
    let shown = tracks::draw(&mut sheet, &layout, recording, &legend, wanted.ticks)?;
    chart::doors(&mut sheet, &layout.view(), place);
    movers(&mut sheet, &layout, recording, wanted.ticks);
    labels::draw(&mut sheet, &layout, place);
    title(&mut sheet, &layout, recording, wanted, &shown);
    legend.draw(&mut sheet, &layout);
    sheet.png().context("the picture cannot be packed")
}

/// What is shown: the floor, or where people were if there is none.
pub fn extent(recording: &Recording, (first, last): (u32, u32)) -> Result<Extent> {
    if let Some(extent) = Extent::of_place(&recording.header().place) {
        return Ok(extent);
    }
    let mut extent = None;
    recording.frames(first, last, &mut |frame| {
        Extent::see(&mut extent, frame);
        ControlFlow::Continue(())
    })?;
    extent.context("there is neither a floor nor anybody to draw")
}

/// Each mover at five moments, the later the firmer.
fn movers(sheet: &mut Pixels, layout: &Layout, recording: &Recording, (first, last): (u32, u32)) {
    const MOMENTS: u32 = 5;
    let header = recording.header();
    // On its way in and out it may be outside the place: not over the title and the legend.
    sheet.clip(layout.frame);
    for mover in &header.place.movers {
        let (Some([begins, ..]), Some([ends, ..])) = (mover.path.first(), mover.path.last()) else { continue };
        let seconds = |tick: u32| f64::from(tick) * header.tick;
        let ends = if mover.repeat { f64::INFINITY } else { *ends };
        let (from, to) = (seconds(first).max(*begins), seconds(last).min(ends));
        for moment in (0..MOMENTS).filter(|_| to >= from) {
            let share = f64::from(moment) / f64::from(MOMENTS - 1);
            chart::mover(sheet, &layout.view(), mover, from + share * (to - from), 0.15 + 0.45 * share as f32);
        }
    }
    sheet.unclip();
}

fn title(sheet: &mut dyn Sheet, layout: &Layout, recording: &Recording, wanted: &Wanted, shown: &Shown) {
    let header = recording.header();
    let large = 20.0 * layout.unit;
    sheet.text(
        [layout.margin, 54.0 * layout.unit],
        &shortened(&header.name),
        &Words::new(Align::Left, large, ink::TEXT),
    );
    let models: BTreeSet<&str> = recording.people().iter().map(|person| &*person.model).collect();
    let models = models.into_iter().collect::<Vec<_>>().join(", ");
    let people = if shown.people == 1 { "1 person".to_owned() } else { format!("{} people", shown.people) };
    let seconds = |tick: u32| format!("{:.1}", f64::from(tick) * header.tick);
    let mut line = format!(
        "{people}, {models}, {} to {} s, seed {}",
        seconds(wanted.ticks.0),
        seconds(wanted.ticks.1),
        header.seed
    );
    if !recording.complete() {
        line += ", broken off";
    }
    sheet.text([layout.margin, 86.0 * layout.unit], &line, &Words::new(Align::Left, layout.text(), ink::FAINT));
}

/// A name that leaves room for others.
pub fn shortened(name: &str) -> String {
    const MOST: usize = 40;
    if name.chars().count() <= MOST { name.to_owned() } else { name.chars().take(MOST - 3).collect::<String>() + "..." }
}
