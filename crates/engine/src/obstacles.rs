//! Obstacles that events put on the floor and take away.
//!
//! One appears as soon as nobody is where it will stand: nobody is ever inside of it, and nobody is moved for it.

use crate::people::People;
use crate::saved::{Bytes, Saved};
use crate::scenario::{Action, Event};
use crate::world::World;
use passerby_geometry::{Polygon, Vec2};
use passerby_navigation::{Floor, Map, MapError, Network};

/// What has become of an obstacle that an event puts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Put {
    /// Nothing yet, or it is gone again.
    Nowhere,
    /// People are in its place.
    Waits,
    /// It stands.
    Stands,
}

impl World {
    /// Puts or takes away what waits for it: obstacles in whose place nobody is any more. Whether the map has changed.
    pub(crate) fn put_obstacles(&mut self, people: &People) -> bool {
        if !self.put.contains(&Put::Waits) {
            return false;
        }
        let agents = &people.agents;
        let taken = |polygon: &Polygon| {
            let near = |(at, radius): (&Vec2, &f32)| polygon.distance(self.place(*at)) <= f64::from(*radius);
            agents.now.position.iter().zip(&agents.radius).any(near)
        };
        let mut changed = false;
        let mut put = self.put.clone();
        for (state, event) in put.iter_mut().zip(&self.events).filter(|(state, _)| **state == Put::Waits) {
            if let Action::Put { polygon, .. } = &event.action
                && !taken(polygon)
            {
                (*state, changed) = (Put::Stands, true);
            }
        }
        if changed {
            self.put = put;
            self.build_anew();
        }
        changed
    }

    /// What an event does about an obstacle; whether the map has changed.
    pub(crate) fn put_or_take(&mut self, event: usize) -> bool {
        let name = match &self.events[event].action {
            Action::Put { .. } => {
                self.put[event] = Put::Waits;
                return false;
            }
            Action::Take { name } => name.clone(),
            _ => return false,
        };
        let is_it = |event: &Event| matches!(&event.action, Action::Put { name: other, .. } if *other == name);
        let Some(number) = self.events.iter().position(is_it) else { return false };
        let stood = std::mem::replace(&mut self.put[number], Put::Nowhere) == Put::Stands;
        if stood {
            self.build_anew();
        }
        stood
    }

    /// Builds map, trees and cells with the obstacles that stand now.
    pub(crate) fn build_anew(&mut self) {
        let put: Vec<Polygon> = standing(&self.events, &self.put).collect();
        // That it can be built was found out when the world was made.
        let Ok(mut map) = Map::build_with(&self.floor, &put) else { return };
        for (door, _) in self.map.closed_doors().iter().enumerate().filter(|(_, closed)| **closed) {
            map.set_door(door, false);
        }
        self.map = map;
        if let Some(old) = self.network.take() {
            let mut network = Network::build(&self.map);
            old.widths().for_each(|width| network.need(width));
            self.network = Some(network);
        }
        self.plant_anew();
    }
}

/// The obstacles of events that stand.
fn standing(events: &[Event], put: &[Put]) -> impl Iterator<Item = Polygon> {
    let stands = events.iter().zip(put).filter(|(_, put)| **put == Put::Stands);
    stands.filter_map(|(event, _)| match &event.action {
        Action::Put { polygon, .. } => Some(polygon.clone()),
        _ => None,
    })
}

/// Finds out whether the place can be built with all obstacles that events put.
pub(crate) fn check_put(floor: &Floor, events: &[Event]) -> Result<(), MapError> {
    let all: Vec<Polygon> = standing(events, &vec![Put::Stands; events.len()]).collect();
    if all.is_empty() { Ok(()) } else { Map::build_with(floor, &all).map(drop) }
}

impl Saved for Put {
    const SIZE_MIN: usize = 1;
    fn save(&self, to: &mut Vec<u8>) {
        (*self as u8).save(to);
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        match u8::load(from)? {
            0 => Ok(Put::Nowhere),
            1 => Ok(Put::Waits),
            2 => Ok(Put::Stands),
            other => Err(format!("{other} is nothing that can become of an obstacle")),
        }
    }
}
