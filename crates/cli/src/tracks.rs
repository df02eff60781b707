//! The tracks of a recording's people, drawn while reading: of each person only the last point is kept.

use crate::layout::Layout;
use crate::legend::Legend;
use crate::strokes::Strokes;
use anyhow::Result;
use passerby::record::Recording;
use passerby_measure::chart::{Sheet, ink};
use std::ops::ControlFlow;

/// What was drawn.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// How many people.
    pub people: usize,
}

/// Somebody's track so far, in pixels.
#[derive(Debug, Clone, Copy)]
struct Track {
    start: [f32; 2],
    /// Up to here it is drawn.
    drawn: [f32; 2],
    last: [f32; 2],
    color: usize,
}

/// Shorter pieces are not drawn one by one, pixels.
const PIECE: f32 = 1.5;

/// Draws all tracks with their starts and ends.
pub fn draw(
    sheet: &mut dyn Sheet,
    layout: &Layout,
    recording: &Recording,
    legend: &Legend,
    ticks: (u32, u32),
) -> Result<Shown> {
    let mut people: Vec<(u32, usize)> =
        recording.people().iter().enumerate().map(|(i, person)| (person.id, i)).collect();
    people.sort_unstable();
    people.dedup_by_key(|(id, _)| *id);
    let mut tracks: Vec<Option<Track>> = vec![None; people.len()];
    let count = people.len().max(1) as f32;
    // Many tracks: finer and fainter, so that busy places are dark and others stay light.
    let (alpha, width) = (0.85 * (25.0 / count).powf(0.25).min(1.0), (1.9 * (60.0 / count).powf(0.12)).clamp(0.9, 1.9));
    let colors = legend.colors().into_iter().map(|color| color.with_alpha(alpha)).collect();
    let mut strokes = Strokes::new(colors, width * layout.unit.max(0.7));
    recording.frames(ticks.0, ticks.1, &mut |frame| {
        let mut row = 0; // ids rise in frames as in `people`
        for i in 0..frame.id.len() {
            row += below(&people[row..], frame.id[i]);
            let Some((id, person)) = people.get(row) else { break };
            if *id != frame.id[i] {
                continue;
            }
            let at = layout.pixel([frame.x[i], frame.y[i]]);
            let speed = (frame.vx[i] * frame.vx[i] + frame.vy[i] * frame.vy[i]).sqrt();
            let color = legend.color_of(frame.tick, speed, *person);
            let track = tracks[row].get_or_insert(Track { start: at, drawn: at, last: at, color });
            (track.last, track.color) = (at, color);
            if (at[0] - track.drawn[0]).abs().max((at[1] - track.drawn[1]).abs()) >= PIECE {
                strokes.add(sheet, color, track.drawn, at);
                track.drawn = at;
            }
        }
        ControlFlow::Continue(())
    })?;
    for track in tracks.iter().flatten().filter(|track| track.drawn != track.last) {
        strokes.add(sheet, track.color, track.drawn, track.last);
    }
    strokes.draw(sheet);
    let mark = Mark::of_crowd(layout, people.len());
    tracks.iter().flatten().for_each(|track| mark.start(sheet, track.start));
    tracks.iter().flatten().for_each(|track| mark.end(sheet, track.last));
    Ok(Shown { people: tracks.iter().flatten().count() })
}

/// How starts and ends are marked.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    radius: f32,
    alpha: f32,
}

impl Mark {
    /// As the legend shows it.
    pub fn new(layout: &Layout) -> Mark {
        Mark { radius: 4.2 * layout.unit, alpha: 0.8 }
    }

    /// Smaller and fainter among many.
    fn of_crowd(layout: &Layout, people: usize) -> Mark {
        let Mark { radius, alpha } = Mark::new(layout);
        let crowd = (100.0 / people.max(1) as f32).powf(0.3).min(1.0);
        Mark { radius: (radius * crowd.max(0.2)).max(0.7), alpha: alpha * crowd.sqrt().max(0.3) }
    }

    /// A ring.
    pub fn start(&self, sheet: &mut dyn Sheet, at: [f32; 2]) {
        sheet.disc(at, self.radius, ink::TEXT.with_alpha(self.alpha));
        sheet.disc(at, 0.62 * self.radius, ink::FLOOR);
    }

    /// A disc.
    pub fn end(&self, sheet: &mut dyn Sheet, at: [f32; 2]) {
        sheet.disc(at, 0.8 * self.radius, ink::TEXT.with_alpha(self.alpha));
    }
}

/// How many of these sorted ids are below `id`. Those who are there stand close together, so it looks at the first few first.
fn below(people: &[(u32, usize)], id: u32) -> usize {
    match people.iter().take(8).position(|(other, _)| *other >= id) {
        Some(near) => near,
        None => people.partition_point(|(other, _)| *other < id),
    }
}
