//! Everybody's way, thinned while it comes in: as many points as a tolerance needs, and no more than fit into memory.
//!
//! A vertex is kept when the straight piece from the vertex before it would otherwise miss a recorded place by more than the
//! tolerance. That is known without keeping the places between: each of them allows a cone of directions from the last
//! vertex, and the piece may go on as long as it is in all cones (the sleeve of Zhao and Saalfeld 1997).

use passerby_geometry::math::double::{asin, atan2, wrap_angle};
use passerby_record::Frame;

use crate::ById;
use crate::jumps::part_of;

/// A point of a thinned track.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// When, in ticks.
    pub tick: u32,
    /// Where, m.
    pub at: [f64; 2],
    /// Which part of the walk, as [`Jumps`](crate::Jumps) tells: nobody walked from one to the next.
    pub part: u32,
}

/// Somebody's way.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    vertices: Vec<Vertex>,
    /// The last place seen, if it is no vertex.
    open: Option<Vertex>,
    cone: Cone,
}

/// Directions in which a piece may go on from the last vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cone {
    /// Middle and half of the opening, rad; all directions before anybody has moved.
    directions: Option<(f64, f64)>,
    /// How far from the vertex the way has led, m.
    farthest: f64,
}

const ALL: Cone = Cone { directions: None, farthest: 0.0 };

impl Track {
    /// Its points, in order of time; the first and the last place are among them.
    pub fn vertices(&self) -> impl Iterator<Item = &Vertex> {
        self.vertices.iter().chain(&self.open)
    }

    /// Returns how many vertices were made.
    fn add(&mut self, vertex: Vertex, tolerance: f64, ticks_max: u32) -> usize {
        let anchor = self.vertices[self.vertices.len() - 1];
        if anchor.part != vertex.part {
            let before = self.vertices.len();
            self.vertices.extend(self.open.take());
            self.vertices.push(vertex);
            self.cone = ALL;
            return self.vertices.len() - before;
        }
        let fits = self.cone.narrow(anchor.at, vertex.at, tolerance);
        let late = vertex.tick - anchor.tick > ticks_max;
        match self.open.filter(|_| !fits || late) {
            Some(open) => {
                self.vertices.push(open);
                self.cone = ALL;
                self.cone.narrow(open.at, vertex.at, tolerance);
                self.open = Some(vertex);
                1
            }
            None => {
                self.open = Some(vertex);
                0
            }
        }
    }
}

impl Cone {
    /// Takes a place in; `false` if a piece that ends there would miss an earlier one.
    fn narrow(&mut self, anchor: [f64; 2], at: [f64; 2], tolerance: f64) -> bool {
        let [dx, dy] = [at[0] - anchor[0], at[1] - anchor[1]];
        let distance = (dx * dx + dy * dy).sqrt();
        if distance <= tolerance {
            return self.farthest <= 2.0 * tolerance; // every direction passes it; a piece must not end far behind its way
        }
        let (towards, half) = (atan2(dy, dx), asin((tolerance / distance).min(1.0)));
        let Some((middle, opening)) = self.directions else {
            *self = Cone { directions: Some((towards, half)), farthest: distance };
            return true;
        };
        let turn = wrap_angle(towards - middle);
        if turn.abs() > opening || distance < self.farthest - tolerance {
            return false;
        }
        let (low, high) = ((-opening).max(turn - half), opening.min(turn + half));
        self.directions = Some((middle + 0.5 * (low + high), 0.5 * (high - low)));
        self.farthest = self.farthest.max(distance);
        true
    }
}

/// Everybody's thinned way.
#[derive(Debug, Clone)]
pub struct Tracks {
    tracks: ById<Track>,
    tolerance: f64,
    ticks_max: u32,
    vertices: usize,
    vertices_max: usize,
}

impl Tracks {
    /// No places yet. No recorded place will be farther than `tolerance` metres from its track, pieces are no longer than
    /// `ticks_max`; should more than `vertices_max` points be needed, both are doubled until they are enough.
    pub fn new(tolerance: f64, ticks_max: u32, vertices_max: usize) -> Self {
        Self { tracks: ById::default(), tolerance, ticks_max: ticks_max.max(1), vertices: 0, vertices_max }
    }

    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        self.see_parts(frame, &[]);
    }

    /// The same, with the parts that [`Jumps`](crate::Jumps) tells: a track ends before a jump and begins anew behind it.
    pub fn see_parts(&mut self, frame: &Frame<'_>, parts: &[u32]) {
        let Self { tracks, tolerance, ticks_max, vertices, .. } = self;
        let place = |row: usize| [frame.x[row], frame.y[row]];
        let vertex = |row: usize| Vertex { tick: frame.tick, at: place(row), part: part_of(parts, row) };
        let before = tracks.len();
        let new = |row: usize| Track { vertices: vec![vertex(row)], open: None, cone: ALL };
        let mut made = 0;
        tracks.visit(frame, new, |row, track| {
            if track.vertices[0].tick < frame.tick {
                made += track.add(vertex(row), *tolerance, *ticks_max);
            }
        });
        *vertices += made + tracks.len() - before;
        if self.vertices > self.vertices_max {
            // Until there is room again; where nothing more can be left out, as for very many people, memory has to do.
            for _ in 0..8 {
                if self.vertices > self.vertices_max / 2 {
                    self.thin();
                }
            }
            self.vertices_max = self.vertices_max.max(2 * self.vertices);
        }
    }

    /// Everybody's id and track, in order of id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, &Track)> {
        self.tracks.iter()
    }

    /// No recorded place is farther than this from its track, m.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Thins what there is with twice the tolerance.
    fn thin(&mut self) {
        // What is thinned twice is off by both tolerances: t for the tracks as they are, and t more.
        let more = self.tolerance;
        self.tolerance *= 2.0;
        self.ticks_max = self.ticks_max.saturating_mul(2);
        self.vertices = 0;
        for track in self.tracks.values_mut() {
            let mut places = track.vertices().copied();
            let Some(first) = places.next() else { continue };
            let mut thinned = Track { vertices: vec![first], open: None, cone: ALL };
            for vertex in places {
                thinned.add(vertex, more, self.ticks_max);
            }
            // The next pieces begin at a vertex: where the earlier ones were is known only to the tolerance.
            thinned.vertices.extend(thinned.open.take());
            thinned.cone = ALL;
            self.vertices += thinned.vertices.len();
            *track = thinned;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(tracks: &mut Tracks, place: impl Fn(u32) -> [f64; 2], ticks: u32) {
        for tick in 0..ticks {
            let [x, y] = place(tick);
            tracks.see(&Frame {
                tick,
                id: &[1],
                x: &[x],
                y: &[y],
                vx: &[0.0],
                vy: &[0.0],
                heading: &[0.0],
                bodies: &[],
            });
        }
    }

    /// The largest distance of a place to the piece of the track that is drawn at its time.
    fn miss(track: &Track, place: impl Fn(u32) -> [f64; 2]) -> f64 {
        let vertices: Vec<&Vertex> = track.vertices().collect();
        let mut worst = 0.0f64;
        for pair in vertices.windows(2) {
            for tick in pair[0].tick..=pair[1].tick {
                let ([a, b], p) = ([pair[0].at, pair[1].at], place(tick));
                let (along, to) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
                let squared = (along[0] * along[0] + along[1] * along[1]).max(1e-12);
                let part = ((to[0] * along[0] + to[1] * along[1]) / squared).clamp(0.0, 1.0);
                let gap = [to[0] - part * along[0], to[1] - part * along[1]];
                worst = worst.max((gap[0] * gap[0] + gap[1] * gap[1]).sqrt());
            }
        }
        worst
    }

    fn count(tracks: &Tracks) -> usize {
        tracks.iter().map(|(_, track)| track.vertices().count()).sum()
    }

    #[test]
    fn a_straight_way_is_two_points() {
        let mut tracks = Tracks::new(0.01, u32::MAX, 1000);
        walk(&mut tracks, |tick| [0.1 * f64::from(tick), 2.0], 500);
        let (_, track) = tracks.iter().next().unwrap();
        let ends: Vec<Vertex> = track.vertices().copied().collect();
        let vertex = |tick: u32, at: [f64; 2]| Vertex { tick, at, part: 0 };
        assert_eq!(ends, [vertex(0, [0.0, 2.0]), vertex(499, [49.900000000000006, 2.0])]);
        let mut pieces = Tracks::new(0.01, 100, 1000);
        walk(&mut pieces, |tick| [0.1 * f64::from(tick), 2.0], 500);
        assert_eq!(count(&pieces), 6); // 0, 100, 200, 300, 400, 499
    }

    #[test]
    fn a_track_breaks_at_a_jump() {
        let (mut tracks, mut jumps) = (Tracks::new(0.01, u32::MAX, 1000), crate::Jumps::new(5.0, 1.0));
        for (tick, x) in [0.0, 1.0, 2.0, 40.0, 41.0, 42.0, -7.0].into_iter().enumerate() {
            let (tick, x) = (tick as u32, [x]);
            let frame =
                Frame { tick, id: &[1], x: &x, y: &[0.0], vx: &[0.0], vy: &[0.0], heading: &[0.0], bodies: &[] };
            tracks.see_parts(&frame, jumps.see(&frame));
        }
        let (_, track) = tracks.iter().next().unwrap();
        let found: Vec<(f64, u32)> = track.vertices().map(|vertex| (vertex.at[0], vertex.part)).collect();
        assert_eq!(found, [(0.0, 0), (2.0, 0), (40.0, 1), (42.0, 1), (-7.0, 2)]);
    }

    #[test]
    fn no_place_is_missed_by_more_than_the_tolerance() {
        let circle = |tick: u32| {
            let (sin, cos) = passerby_geometry::math::double::sin_cos(0.01 * f64::from(tick));
            [5.0 * cos, 5.0 * sin]
        };
        let there_and_back =
            |tick: u32| [if tick < 300 { f64::from(tick) } else { 600.0 - f64::from(tick) } * 0.05, 0.0];
        let staircase = |tick: u32| [f64::from(tick / 7), f64::from((tick + 3) / 7)];
        let standing = |tick: u32| [if tick.is_multiple_of(2) { 0.0 } else { 0.001 }, 1.0];
        let check = |place: &dyn Fn(u32) -> [f64; 2], most: usize| {
            for (tolerance, budget) in [(0.01, 100_000), (0.1, 100_000), (0.01, 20)] {
                let mut tracks = Tracks::new(tolerance, u32::MAX, budget);
                walk(&mut tracks, place, 600);
                let (_, track) = tracks.iter().next().unwrap();
                let miss = miss(track, place);
                assert!(miss <= tracks.tolerance() + 1e-9, "{miss} m, tolerance {}", tracks.tolerance());
                assert!(count(&tracks) <= most.min(budget + 2), "{} points", count(&tracks));
            }
        };
        check(&circle, 80); // pieces of 2 acos(1 - 0.01 / 5) = 0.126 rad are 48; a sleeve takes somewhat more
        check(&there_and_back, 4);
        check(&staircase, 600);
        check(&standing, 3);
    }
}
