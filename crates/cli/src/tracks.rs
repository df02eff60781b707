//! The tracks of a recording's people, drawn while reading: of each person only the last point is kept.

use crate::canvas::{Canvas, hex, with_alpha};
use crate::layout::Layout;
use crate::legend::Legend;
use crate::picture::{FLOOR, TEXT};
use crate::strokes::Strokes;
use anyhow::Result;
use passerby::record::Recording;
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
    canvas: &mut Canvas,
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
    let colors = legend.colors().into_iter().map(|color| with_alpha(color, alpha)).collect();
    let mut strokes = Strokes::new(colors, width * layout.unit.max(0.7));
    recording.frames(ticks.0, ticks.1, &mut |frame| {
        let mut row = 0; // ids rise in frames as in `people`
        for i in 0..frame.id.len() {
            row += people[row..].partition_point_near(frame.id[i]);
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
                strokes.add(canvas, color, track.drawn, at);
                track.drawn = at;
            }
        }
        ControlFlow::Continue(())
    })?;
    for track in tracks.iter().flatten().filter(|track| track.drawn != track.last) {
        strokes.add(canvas, track.color, track.drawn, track.last);
    }
    strokes.draw(canvas);
    let radius = dot_radius(layout, people.len());
    tracks.iter().flatten().for_each(|track| start(canvas, track.start, radius));
    tracks.iter().flatten().for_each(|track| end(canvas, track.last, radius));
    Ok(Shown { people: tracks.iter().flatten().count() })
}

/// The mark of a start.
pub fn start(canvas: &mut Canvas, at: [f32; 2], radius: f32) {
    canvas.dot(at, radius, with_alpha(hex(TEXT), 0.8));
    canvas.dot(at, 0.62 * radius, hex(FLOOR));
}

/// The mark of an end.
pub fn end(canvas: &mut Canvas, at: [f32; 2], radius: f32) {
    canvas.dot(at, 0.8 * radius, with_alpha(hex(TEXT), 0.8));
}

/// How large marks are: smaller in a crowd.
fn dot_radius(layout: &Layout, people: usize) -> f32 {
    let crowd = (100.0 / people.max(1) as f32).powf(0.3).clamp(0.2, 1.0);
    (4.2 * crowd * layout.unit).max(0.7)
}

/// Search in what is sorted, from the beginning: those who are there stand close together.
trait Near {
    fn partition_point_near(&self, id: u32) -> usize;
}

impl Near for [(u32, usize)] {
    fn partition_point_near(&self, id: u32) -> usize {
        match self.iter().take(8).position(|(other, _)| *other >= id) {
            Some(near) => near,
            None => self.partition_point(|(other, _)| *other < id),
        }
    }
}
