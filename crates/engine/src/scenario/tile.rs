//! `tile` of `[place]`: the obstacles and situations of one block of a town, copied side by side. Floor, doors and regions are the whole town's.

use super::place::Place;
use super::shape::point;
use super::sheet::{Keys, Table};
use super::situation::Doings;
use passerby_geometry::{DVec2, Polygon};
use passerby_situations::{Behaviour, Extent, Place as Aimed, Seat, Sensor, Situation, SituationId};

pub(super) const TILE: Keys =
    Keys { name: "tile", title: "a tile { columns, rows, step }", known: &["columns", "rows", "step"], later: &[] };

/// Most copies along one side.
pub(super) const SIDE_MAX: u64 = 100;

/// How often what is drawn once is there: the columns and rows of all copies but the drawn one, with how far they are from it.
pub(super) struct Tile {
    copies: Vec<(String, DVec2)>,
}

/// Reads `tile`.
pub(super) fn tile(place: &Table<'_>) -> Option<Tile> {
    let table = place.get("tile")?.table(&TILE)?;
    let side = |key, hint| table.require(key, hint).and_then(|value| value.whole(1, SIDE_MAX));
    let (columns, rows) = (side("columns", "columns = 5"), side("rows", "rows = 5"));
    let step = table.require("step", "step = [50, 50], in metres").and_then(|value| point(&value));
    let (columns, rows, step) = (columns?, rows?, step?);
    let at = |row: u64| (0..columns).map(move |column| (column, row));
    let copies = (0..rows)
        .flat_map(at)
        .skip(1)
        .map(|(column, row)| (format!(" {},{}", column + 1, row + 1), step * DVec2::new(column as f64, row as f64)));
    Some(Tile { copies: copies.collect() })
}

impl Tile {
    /// Copies obstacles.
    pub fn place(&self, place: &mut Place) {
        let (obstacles, lines) = (place.floor.obstacles.clone(), place.lines.obstacles.clone());
        for (_, by) in &self.copies {
            place.floor.obstacles.extend(obstacles.iter().map(|obstacle| obstacle.translated(*by)));
            place.lines.obstacles.extend(&lines);
        }
    }

    /// Names of situations as a file draws them, then those of the copies, in the order of [`Tile::situations`]. `copied` tells which are copied.
    pub fn names(&self, drawn: &[String], copied: &[bool]) -> Vec<String> {
        let copies = self.copies.iter().flat_map(|(suffix, _)| {
            let copied = drawn.iter().zip(copied).filter(|(_, copied)| **copied);
            copied.map(move |(name, _)| format!("{name}{suffix}"))
        });
        drawn.iter().cloned().chain(copies).collect()
    }

    /// Copies situations that have a region and stand still; a copy is called by its name, column and row, and what it names is what lies in the
    /// same copy.
    pub fn situations(&self, doings: &mut Doings) {
        let drawn = doings.situations.clone();
        // The place of each among those that are copied.
        let mut count = 0;
        let places: Vec<Option<u32>> = (drawn.iter())
            .map(|situation| {
                let place = is_copied(situation).then_some(count);
                count += u32::from(place.is_some());
                place
            })
            .collect();
        for ((suffix, by), copy) in self.copies.iter().zip(0..) {
            let first = drawn.len() as u32 + copy * count;
            let renumbered = |id: SituationId| {
                let place = places.get(id.index()).copied().flatten();
                place.map_or(id, |place| SituationId(first + place))
            };
            doings.situations.extend(drawn.iter().filter(|situation| is_copied(situation)).map(|situation| {
                Situation {
                    name: format!("{}{suffix}", situation.name),
                    extent: match &situation.extent {
                        Extent::Region(polygons) => {
                            Extent::Region(polygons.iter().map(|polygon: &Polygon| polygon.translated(*by)).collect())
                        }
                        relation => relation.clone(),
                    },
                    sensors: (situation.sensors.iter())
                        .map(|(name, sensor)| match *sensor {
                            Sensor::Empty { of } => (name.clone(), Sensor::Empty { of: renumbered(of) }),
                            sensor => (name.clone(), sensor),
                        })
                        .collect(),
                    behaviours: situation.behaviours.iter().map(|b| moved(b, *by, &renumbered)).collect(),
                    next: situation.next.iter().map(|(to, weight)| (renumbered(*to), *weight)).collect(),
                    ..situation.clone()
                }
            }));
        }
    }
}

fn is_copied(situation: &Situation) -> bool {
    matches!(situation.extent, Extent::Region(_)) && situation.moving.is_none()
}

fn moved(behaviour: &Behaviour, by: DVec2, renumbered: &dyn Fn(SituationId) -> SituationId) -> Behaviour {
    let line = |line: &[DVec2]| line.iter().map(|at| *at + by).collect();
    let mut copy = behaviour.clone();
    match &mut copy {
        Behaviour::Target(Aimed::Point(at)) | Behaviour::Gather { at, .. } | Behaviour::LookAt { at } => *at += by,
        Behaviour::Target(Aimed::In(situation)) => *situation = renumbered(*situation),
        Behaviour::Wait { at: Some(at), .. } => *at += by,
        Behaviour::Follow { line: drawn, .. } => *drawn = line(drawn),
        Behaviour::Queue(queue) => (queue.line, queue.counters) = (line(&queue.line), line(&queue.counters)),
        Behaviour::Sit { seats, .. } => seats.iter_mut().for_each(|Seat { at, .. }| *at += by),
        _ => {}
    }
    copy
}
