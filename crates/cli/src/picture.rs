//! A recording as a picture: the place, the tracks of its people, and what is needed to read them.

use crate::canvas::{Align, Canvas, hex, with_alpha};
use crate::labels;
use crate::layout::{Bounds, Layout};
use crate::legend::{self, Scheme};
use crate::tracks::{self, Shown};
use anyhow::{Context, Result};
use passerby::record::{PlaceShape, Recording};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use tiny_skia::{Path, PathBuilder};

pub const PAPER: u32 = 0xf3f4f6;
pub const FLOOR: u32 = 0xffffff;
pub const WALL: u32 = 0x3d4450;
pub const SOLID: u32 = 0xc6cbd3;
pub const REGION: u32 = 0x5f86b8;
pub const DOOR: u32 = 0xd9822b;
pub const MOVER: u32 = 0x7d4fa3;
pub const TEXT: u32 = 0x2b313b;
pub const FAINT: u32 = 0x6b7380;

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
    let bounds = match Bounds::of_place(place) {
        Some(bounds) => bounds,
        None => bounds_of_tracks(recording, wanted.ticks)?.context("there is neither a floor nor anybody to draw")?,
    };
    let legend = legend::Legend::new(recording, wanted);
    let layout = Layout::new(wanted.width, &bounds, legend.lines(wanted.width));
    let mut canvas = Canvas::new(layout.width as u32, layout.height as u32, hex(PAPER))?;
    floor(&mut canvas, &layout, place);
    let shown = tracks::draw(&mut canvas, &layout, recording, &legend, wanted.ticks)?;
    doors(&mut canvas, &layout, place);
    movers(&mut canvas, &layout, recording, wanted.ticks);
    labels::draw(&mut canvas, &layout, place);
    title(&mut canvas, &layout, recording, wanted, &shown);
    legend.draw(&mut canvas, &layout);
    canvas.png()
}

fn bounds_of_tracks(recording: &Recording, (first, last): (u32, u32)) -> Result<Option<Bounds>> {
    let mut bounds: Option<Bounds> = None;
    recording.frames(first, last, &mut |frame| {
        let corners = bounds.into_iter().flat_map(|bounds| [bounds.low, bounds.high]);
        bounds = Bounds::of(corners.chain(frame.x.iter().zip(frame.y).map(|(x, y)| [*x, *y])));
        ControlFlow::Continue(())
    })?;
    Ok(bounds)
}

/// Rings as a path.
fn outline<'a>(layout: &Layout, rings: impl IntoIterator<Item = &'a Vec<[f64; 2]>>) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for ring in rings {
        for (i, at) in ring.iter().map(|point| layout.pixel(*point)).enumerate() {
            if i == 0 { builder.move_to(at[0], at[1]) } else { builder.line_to(at[0], at[1]) }
        }
        builder.close();
    }
    builder.finish()
}

fn floor(canvas: &mut Canvas, layout: &Layout, place: &PlaceShape) {
    let areas: Vec<Path> = place.areas.iter().filter_map(|area| outline(layout, area)).collect();
    // Walls first: where two areas meet there is none, and the floor of the other covers it.
    areas.iter().for_each(|area| canvas.stroke(area, hex(WALL), 5.0 * layout.unit));
    areas.iter().for_each(|area| canvas.fill(area, hex(FLOOR)));
    for region in place.regions.iter().filter_map(|region| outline(layout, [&region.polygon])) {
        canvas.fill(&region, with_alpha(hex(REGION), 0.07));
        canvas.dashes(&region, with_alpha(hex(REGION), 0.45), layout.unit, 5.0 * layout.unit);
    }
    for obstacle in place.obstacles.iter().filter_map(|obstacle| outline(layout, [obstacle])) {
        canvas.fill(&obstacle, hex(SOLID));
        canvas.stroke(&obstacle, hex(WALL), 1.2 * layout.unit);
    }
}

fn doors(canvas: &mut Canvas, layout: &Layout, place: &PlaceShape) {
    for [from, to] in place.doors.iter().map(|door| door.line.map(|end| layout.pixel(end))) {
        canvas.line(from, to, with_alpha(hex(DOOR), 0.85), 3.0 * layout.unit);
        canvas.dot(from, 3.5 * layout.unit, hex(DOOR));
        canvas.dot(to, 3.5 * layout.unit, hex(DOOR));
    }
}

/// Each mover at five moments, the later the firmer, with the way it takes in between.
fn movers(canvas: &mut Canvas, layout: &Layout, recording: &Recording, (first, last): (u32, u32)) {
    const MOMENTS: u32 = 5;
    let header = recording.header();
    let frame = layout.frame;
    for mover in header.place.movers.iter().filter(|mover| (3..=1000).contains(&mover.polygon.len())) {
        let (Some([begins, ..]), Some([ends, ..])) = (mover.path.first(), mover.path.last()) else { continue };
        let seconds = |tick: u32| f64::from(tick) * header.tick;
        let ends = if mover.repeat { f64::INFINITY } else { *ends };
        let (from, to) = (seconds(first).max(*begins), seconds(last).min(ends));
        for moment in (0..MOMENTS).filter(|_| to >= from) {
            let share = f64::from(moment) / f64::from(MOMENTS - 1);
            let Some(corners) = mover.outline(from + share * (to - from)) else { continue };
            // On its way in and out it may be outside the place: not over the title and the legend.
            let visible = corners
                .iter()
                .map(|corner| layout.pixel(*corner))
                .all(|[x, y]| (frame[0]..=frame[2]).contains(&x) && (frame[1]..=frame[3]).contains(&y));
            if let Some(shape) = outline(layout, [&corners]).filter(|_| visible) {
                let alpha = 0.15 + 0.45 * share as f32;
                canvas.fill(&shape, with_alpha(hex(MOVER), 0.5 * alpha));
                canvas.stroke(&shape, with_alpha(hex(MOVER), alpha), 1.5 * layout.unit);
            }
        }
    }
}

fn title(canvas: &mut Canvas, layout: &Layout, recording: &Recording, wanted: &Wanted, shown: &Shown) {
    let header = recording.header();
    let large = 20.0 * layout.unit;
    canvas.text([layout.margin, 54.0 * layout.unit], Align::Left, &shortened(&header.name), large, hex(TEXT));
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
    canvas.text([layout.margin, 86.0 * layout.unit], Align::Left, &line, layout.text(), hex(FAINT));
}

/// A name that leaves room for others.
pub fn shortened(name: &str) -> String {
    const MOST: usize = 40;
    if name.chars().count() <= MOST { name.to_owned() } else { name.chars().take(MOST - 3).collect::<String>() + "..." }
}
