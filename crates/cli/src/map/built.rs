//! Everything that is made of a place before somebody can ask for a way, and how long each step took.

use crate::failure::Failure;
use passerby::geometry::DVec2;
use passerby::navigation::import::saved::{self, SavedMap};
use passerby::navigation::import::{Change, Format};
use passerby::navigation::{CellId, Hierarchy, Level, Map, NodeId, Spot, Subdivision};
use std::time::{Duration, Instant};

use super::parts::Parts;
use super::passages::{Passage, passages};
use super::place::Place;

/// A place made ready for people of one width.
pub struct Built {
    pub place: Place,
    pub width: f64,
    pub map: Map,
    pub subdivision: Subdivision,
    pub hierarchy: Hierarchy,
    /// Parts that do not touch, however narrow people are.
    pub parts: Parts,
    /// Parts between which people of this width cannot walk.
    pub parts_wide: Parts,
    /// The narrowest first.
    pub passages: Vec<Passage>,
    pub times: Times,
}

/// How long the steps took.
pub struct Times {
    pub map: Duration,
    pub cells: Duration,
    pub hierarchy: Duration,
}

impl Built {
    /// Builds everything for people of a width, m.
    pub fn new(place: Place, width: f64) -> Result<Built, Failure> {
        let (map, map_time) = timed(|| Map::build(&place.floor));
        let map = map.map_err(|error| Failure::input(format!("{}: {error}", place.name)))?;
        let (subdivision, cells) = timed(|| Subdivision::build(&map));
        if subdivision.cell_count() == 0 {
            return Err(Failure::input(format!("{}: its floor cannot be cut into cells", place.name)));
        }
        let (hierarchy, hierarchy_time) = timed(|| Hierarchy::build(&subdivision, width));
        Ok(Built {
            parts: Parts::new(&subdivision, 0.0),
            parts_wide: Parts::new(&subdivision, width),
            passages: passages(&map, &subdivision),
            times: Times { map: map_time, cells, hierarchy: hierarchy_time },
            place,
            width,
            map,
            subdivision,
            hierarchy,
        })
    }

    /// Half of the width, as the map's questions want it.
    pub fn radius(&self) -> f32 {
        (self.width / 2.0) as f32
    }

    /// A point of the place as the map knows it.
    pub fn spot(&self, at: DVec2) -> Spot {
        Spot { level: Level(0), at: (at - self.map.offset()).as_vec2() }
    }

    /// A point of the map in the coordinates of the place.
    pub fn place_point(&self, at: DVec2) -> [f64; 2] {
        (at + self.map.offset()).to_array()
    }

    /// Number of cells with 0, 1, 2, 3, 4 and more ways out.
    pub fn arities(&self) -> [u32; 6] {
        let mut counts = [0; 6];
        for cell in 0..self.subdivision.cell_count() {
            counts[self.hierarchy.topology().arity(CellId(cell)).min(5) as usize] += 1;
        }
        counts
    }

    /// Steps from a cell up to its root: the most, and in the mean.
    pub fn depth(&self) -> (u32, f64) {
        let cells = self.subdivision.cell_count();
        let depths = (0..cells).map(|cell| self.hierarchy.tree().depth(NodeId(cell)));
        (depths.clone().max().unwrap_or(0), depths.map(f64::from).sum::<f64>() / f64::from(cells.max(1)))
    }

    /// The place as a map file.
    pub fn saved(&self) -> Vec<u8> {
        let report = self.place.report.as_ref();
        let history = match report {
            None => vec![format!("place of the scenario {}", self.place.name)],
            // A map that is saved again has the history it had.
            Some(report) if report.format == Format::Saved => {
                let earlier = |change: &Change| match change {
                    Change::Earlier(line) => Some(line.clone()),
                    _ => None,
                };
                report.changes.iter().filter_map(earlier).collect()
            }
            Some(report) => {
                std::iter::once(self.place.name.clone()).chain(report.to_string().lines().map(str::to_owned)).collect()
            }
        };
        saved::write(&SavedMap {
            floor: self.place.floor.clone(),
            offset: self.map.offset(),
            pieces: self.parts.areas().to_vec(),
            tolerance: report.map_or(0.0, |report| report.tolerance),
            centre: report.and_then(|report| report.centre),
            distortion: report.map_or(0.0, |report| report.distortion),
            history,
        })
    }
}

fn timed<T>(make: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let made = make();
    (made, started.elapsed())
}

/// The middle of a convex outline.
pub fn middle(outline: &[DVec2]) -> DVec2 {
    let (mut sum, mut weight) = (DVec2::ZERO, 0.0);
    for edge in outline.windows(2) {
        let doubled = (edge[0] - outline[0]).perp_dot(edge[1] - outline[0]);
        sum += (outline[0] + edge[0] + edge[1]) / 3.0 * doubled;
        weight += doubled;
    }
    if weight > 0.0 { sum / weight } else { outline[0] }
}
