//! Where it is narrow: portals with at least as much room on both sides.
//!
//! Many portals are no passages: they cut off corners and niches in which there is less room than they are wide. So portals
//! are opened from the widest to the narrowest, as if water fell over a landscape of room. Of the floor on each side that has
//! come together by then the roomiest place counts; where that is narrower than the portal, nothing leads on.

use passerby::geometry::{DVec2, WallNear};
use passerby::navigation::{CellId, Map, Subdivision};

use super::built::middle;
use super::parts::{Sets, by_width};

/// Rooms may be short by this part of the width: map and walls are `f32`.
const SLACK: f64 = 1e-3;

/// A narrow place.
#[derive(Debug, Clone, Copy)]
pub struct Passage {
    /// m.
    pub width: f64,
    /// Its middle, in the map's coordinates.
    pub at: DVec2,
}

/// All passages, the narrowest first.
pub fn passages(map: &Map, subdivision: &Subdivision) -> Vec<Passage> {
    let mut near = Vec::new();
    // Portals that are opened later are no longer than the longest of a cell.
    let mut room: Vec<f64> = (0..subdivision.cell_count())
        .map(|cell| {
            let portals =
                subdivision.portals_of(CellId(cell)).iter().map(|&portal| subdivision.portal(portal).length());
            room_at(map, middle(subdivision.outline(CellId(cell))), portals.fold(0.0, f64::max), &mut near)
        })
        .collect();
    let mut sets = Sets::new(subdivision.cell_count());
    let mut found = Vec::new();
    for portal in by_width(subdivision) {
        let (width, at) = (portal.length(), portal.middle());
        let [a, b] = portal.cells.map(|cell| sets.first(cell.0) as usize);
        if room[a].min(room[b]) >= width * (1.0 - SLACK) {
            found.push(Passage { width, at });
        }
        let here = room_at(map, at, width, &mut near);
        sets.join(a as u32, b as u32);
        room[a.min(b)] = room[a].max(room[b]).max(here);
    }
    found.reverse();
    found
}

/// Diameter of the largest disc about a point, m, or `most`.
fn room_at(map: &Map, at: DVec2, most: f64, near: &mut Vec<WallNear>) -> f64 {
    map.walls().near(at.as_vec2(), (most / 2.0) as f32, near);
    near.first().map_or(most, |wall| 2.0 * f64::from(wall.distance))
}
