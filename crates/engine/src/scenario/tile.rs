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

    /// Copies situations; a copy is called by its name, column and row, and what it names is what lies in the same copy.
    pub fn situations(&self, doings: &mut Doings) {
        let drawn = doings.situations.clone();
        let names = doings.words.situations.clone();
        let words = std::sync::Arc::make_mut(&mut doings.words);
        for ((suffix, by), copy) in self.copies.iter().zip(1..) {
            words.situations.extend(names.iter().map(|name| format!("{name}{suffix}")));
            let renumbered = |id: SituationId| SituationId(id.0 + copy * drawn.len() as u32);
            doings.situations.extend(drawn.iter().map(|situation| {
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
