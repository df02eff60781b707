//! What a situation is: where it holds or for whom, and what it plugs into those who are in it.

use crate::behaviour::Behaviour;
use crate::rule::Rule;
use crate::sensor::Sensor;
use passerby_geometry::{DVec2, Polygon};
use std::sync::Arc;

/// A situation by its number in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SituationId(pub u32);

impl SituationId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A law that a duration is drawn from, by its number; who runs the situations knows the laws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LawId(pub u32);

/// A signal that shows something, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Which signal.
    pub signal: u32,
    /// Which of the different things it can show.
    pub phase: u32,
}

/// Most situations one person is in at a time; who comes to more stays out of them.
pub const MEMBERSHIPS_MAX: usize = 8;
/// Most things of one kind that words can name: tags, behaviours.
pub const NAMES_MAX: usize = 64;

/// A situation as a scenario has it, in the place's coordinates.
#[derive(Debug, Clone)]
pub struct Situation {
    /// Unique in the scenario.
    pub name: String,
    /// Line of its table in the file; 0 when built in code.
    pub line: u32,
    /// Where it holds, or for whom.
    pub extent: Extent,
    /// How it moves, if it does.
    pub moving: Option<Moving>,
    /// Whether it holds from the start; events begin and end it.
    pub active: bool,
    /// Its timetable: from when to when it holds, s. Empty: always.
    pub times: Vec<[f64; 2]>,
    /// Whom it concerns; the others pass as if it were not there.
    pub concerns: Concerns,
    /// Most members.
    pub capacity: Option<u32>,
    /// Whether nobody else sets foot into it while it is full.
    pub exclusive: bool,
    /// What has to be shown before somebody enters.
    pub enter: Option<Shown>,
    /// Tags somebody must have to enter, a bit each.
    pub needs: u64,
    /// Tags somebody has once they are done here.
    pub gives: u64,
    /// Tags somebody loses once they are done here.
    pub takes: u64,
    /// What its members perceive, by the names their rule knows them by.
    pub sensors: Vec<(String, Sensor)>,
    /// What its members do.
    pub behaviours: Vec<Behaviour>,
    /// Which of that they do when.
    pub rule: Option<Arc<dyn Rule>>,
    /// Where people go when they are done here, and how often, as a share of the sum.
    pub next: Vec<(SituationId, f64)>,
    /// Whether people leave the scene when they are done here.
    pub remove: bool,
}

/// Whom a situation concerns: those of whom all of this is true.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Concerns {
    /// Of one of these populations; empty: of any.
    pub of: Vec<u32>,
    /// With all of these tags, a bit each.
    pub has: u64,
    /// With none of these tags, a bit each.
    pub lacks: u64,
}

impl Concerns {
    /// Whether it concerns somebody of a population with these tags.
    pub fn holds(&self, population: u32, tags: u64) -> bool {
        tags & self.has == self.has && tags & self.lacks == 0 && (self.of.is_empty() || self.of.contains(&population))
    }
}

/// Where a situation holds, or for whom.
#[derive(Debug, Clone, PartialEq)]
pub enum Extent {
    /// Those who are in one of these polygons.
    Region(Vec<Polygon>),
    /// Those who are related, wherever they are.
    Relation(Relation),
}

/// People who have to do with each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// Of which population.
    pub population: u32,
    /// Which share of them, drawn person by person. With a size, group by group.
    pub share: f64,
    /// How many belong together: those with consecutive numbers. `None`: all of them.
    pub size: Option<u32>,
    /// The numbers of those who are related, rising. Empty: nobody is named, and the share says who is.
    pub people: Vec<u32>,
    /// Whether the one with the lowest number of those who are there leads: the others keep close to them, not to the middle.
    pub leader: bool,
}

impl Relation {
    /// The number of the group that somebody with this ordinal is in.
    pub fn group_of(&self, ordinal: u32) -> u32 {
        self.size.map_or(0, |size| ordinal / size)
    }
}

/// How a situation moves.
#[derive(Debug, Clone, PartialEq)]
pub enum Moving {
    /// Along a path in time: seconds, x, y. Its region is drawn where it is at the first of these; its members are carried along.
    Along {
        /// Times rise.
        path: Vec<[f64; 3]>,
        /// Whether it begins anew at the end.
        repeat: bool,
    },
    /// With the first person of a population who is there, a guide. Its region is drawn around the origin; its members walk themselves.
    With {
        /// Which population.
        population: u32,
    },
}

impl Moving {
    /// How far it is from where its region is drawn at a time, where time alone tells.
    pub fn offset(&self, time: f64) -> Option<DVec2> {
        let Moving::Along { path, repeat } = self else { return None };
        let (first, last) = (path.first()?, path.last()?);
        let length = last[0] - first[0];
        let time = if *repeat && length > 0.0 { first[0] + (time - first[0]).rem_euclid(length) } else { time };
        let at = |point: &[f64; 3]| DVec2::new(point[1], point[2]);
        let next = path.partition_point(|point| point[0] <= time);
        let place = match (next.checked_sub(1).map(|before| &path[before]), path.get(next)) {
            (None, _) => at(first),
            (_, None) => at(last),
            (Some(before), Some(after)) => at(before).lerp(at(after), (time - before[0]) / (after[0] - before[0])),
        };
        Some(place - at(first))
    }
}

impl Situation {
    /// Whether it holds at a time, s, as far as its timetable goes.
    pub fn is_on(&self, time: f64) -> bool {
        let within = |[from, to]: &[f64; 2]| time + 1e-9 >= *from && time + 1e-9 < *to;
        self.times.is_empty() || self.times.iter().any(within)
    }

    /// Whether somebody has to be let in: not everybody may step into it at any time.
    pub fn is_gated(&self) -> bool {
        self.exclusive || self.enter.is_some() || self.needs != 0
    }

    /// Whether it keeps people until something has happened.
    pub fn detains(&self) -> bool {
        self.behaviours.iter().any(Behaviour::detains)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_walked_in_time() {
        let path = vec![[10.0, 0.0, 0.0], [20.0, 5.0, 0.0], [30.0, 5.0, 8.0]];
        let there = Moving::Along { path: path.clone(), repeat: false };
        let check = |moving: &Moving, time: f64, expected: [f64; 2]| {
            let offset = moving.offset(time).expect("time tells");
            assert!(offset.distance(DVec2::from(expected)) < 1e-9, "{time} s: {offset}");
        };
        check(&there, 0.0, [0.0, 0.0]);
        check(&there, 15.0, [2.5, 0.0]);
        check(&there, 25.0, [5.0, 4.0]);
        check(&there, 99.0, [5.0, 8.0]);
        check(&Moving::Along { path, repeat: true }, 35.0, [2.5, 0.0]);
        assert_eq!(Moving::With { population: 0 }.offset(3.0), None);
    }
}
