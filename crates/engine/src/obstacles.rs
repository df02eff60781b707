//! Obstacles that events put on the floor and take away.
//!
//! One appears as soon as nobody is where it will stand: nobody is ever inside of it, and nobody is moved for it.
//!
//! Map and cells are repaired around it. What comes out, down to the numbers of cells, depends on all that has come and gone before, so that
//! is part of a checkpoint: whoever makes a map or cells later does all of it again.

use crate::people::People;
use crate::saved::{Bytes, Saved};
use crate::scenario::{Action, Event};
use crate::world::World;
use passerby_geometry::{Polygon, Vec2};
use passerby_navigation::{Floor, Map, MapError, Network, ObstacleId};

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
    /// Obstacles that events have put and that stand, or wait for people to leave their place.
    pub fn put_obstacles_now(&self) -> impl Iterator<Item = (&str, &Polygon)> {
        let there = self.events.iter().zip(&self.put).filter(|(_, put)| **put != Put::Nowhere);
        there.filter_map(|(event, _)| match &event.action {
            Action::Put { name, polygon } => Some((name.as_str(), polygon)),
            _ => None,
        })
    }

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
        let free = |(number, state): &(usize, &Put)| {
            let polygon = obstacle(&self.events[*number]).filter(|_| **state == Put::Waits);
            polygon.is_some_and(|polygon| !taken(polygon))
        };
        let come: Vec<usize> = self.put.iter().enumerate().filter(free).map(|(number, _)| number).collect();
        come.iter().for_each(|&number| self.change_place(Change { event: number as u32, stands: true }));
        if !come.is_empty() {
            self.follow_map();
        }
        !come.is_empty()
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
        // One of a name is there at a time, but one may come again after it was taken.
        let is_it = |event: &Event| matches!(&event.action, Action::Put { name: other, .. } if *other == name);
        let mut there = self.events.iter().zip(&self.put);
        let Some(number) = there.position(|(event, put)| is_it(event) && *put != Put::Nowhere) else { return false };
        let stood = std::mem::replace(&mut self.put[number], Put::Nowhere) == Put::Stands;
        if stood {
            self.change_place(Change { event: number as u32, stands: false });
            self.follow_map();
        }
        stood
    }

    /// Puts an obstacle on map and cells, or takes it away.
    pub(crate) fn change_place(&mut self, change: Change) {
        self.put[change.event as usize] = if change.stands { Put::Stands } else { Put::Nowhere };
        self.changes.push(change);
        let Self { map, network, events, floor, put, uprooted, .. } = self;
        let Some(polygon) = obstacle(&events[change.event as usize]) else { return };
        let id = ObstacleId(change.event);
        let repaired = if change.stands { map.put(id, polygon) } else { map.take(id) };
        if !repaired {
            *map = anew(floor, events, put, map);
            *uprooted = true;
        }
        if let Some(network) = network {
            change.follow_over_cells(network, polygon, || anew(floor, events, put, map));
        }
    }

    /// Makes cells and portals, unless they are there, that people of these widths can ask.
    pub(crate) fn need_network(&mut self, widths: &[f64]) {
        let Self { map, network, events, floor, changes, .. } = self;
        // Asked in every step, which allocates nothing.
        let knows = |network: &Network| widths.iter().all(|width| network.widths().any(|known| known == *width));
        if network.as_ref().is_some_and(knows) {
            return;
        }
        let known: Vec<f64> = network.iter().flat_map(Network::widths).collect();
        let missing: Vec<f64> = widths.iter().copied().filter(|width| !known.contains(width)).collect();
        if changes.is_empty() {
            let network = network.get_or_insert_with(|| Network::build(map));
            missing.iter().for_each(|width| network.need(*width));
        } else if network.is_none() || !missing.is_empty() {
            let mut put = vec![Put::Nowhere; events.len()];
            let mut made = Network::build(&anew(floor, events, &put, map));
            known.iter().chain(&missing).for_each(|width| made.need(*width));
            for change in changes {
                put[change.event as usize] = if change.stands { Put::Stands } else { Put::Nowhere };
                if let Some(polygon) = obstacle(&events[change.event as usize]) {
                    change.follow_over_cells(&mut made, polygon, || anew(floor, events, &put, map));
                }
            }
            *network = Some(made);
        }
    }

    /// Does again what has come and gone in a run, before its first step.
    pub(crate) fn repeat(&mut self, changes: Vec<Change>, put: &[Put]) -> Result<(), String> {
        // Each comes once at most.
        if changes.len() > 2 * self.events.len() {
            return Err("more obstacles have come and gone than can".to_owned());
        }
        for change in changes {
            let stood = self.put.get(change.event as usize).is_none_or(|put| *put == Put::Stands);
            let is_one = self.events.get(change.event as usize).is_some_and(|event| obstacle(event).is_some());
            if !is_one || stood == change.stands {
                return Err("an obstacle has come that cannot, or gone that was not there".to_owned());
            }
            self.change_place(change);
        }
        let stand = |put: &[Put]| put.iter().map(|put| *put == Put::Stands).collect::<Vec<_>>();
        if stand(put) != stand(&self.put) {
            return Err("other obstacles stand than have come".to_owned());
        }
        self.put.copy_from_slice(put);
        Ok(())
    }
}

/// An obstacle has come or gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Change {
    /// The one that puts it.
    pub event: u32,
    pub stands: bool,
}

impl Change {
    /// Repairs cells, or makes them anew where that cannot be.
    fn follow_over_cells(self, network: &mut Network, polygon: &Polygon, anew: impl FnOnce() -> Map) {
        let widths: Vec<f64> = network.widths().collect();
        let id = ObstacleId(self.event);
        let repaired = if self.stands { network.put(id, polygon) } else { network.take(id) };
        if !repaired {
            *network = Network::build(&anew());
            widths.iter().for_each(|width| network.need(*width));
        }
    }
}

/// The map with all that stands, and doors as they are on another.
fn anew(floor: &Floor, events: &[Event], put: &[Put], like: &Map) -> Map {
    let all: Vec<Polygon> = standing(events, put).collect();
    // That it can be built was found out when the world was made.
    let Ok(mut map) = Map::build_with(floor, &all) else { return like.clone() };
    for (door, _) in like.closed_doors().iter().enumerate().filter(|(_, closed)| **closed) {
        map.set_door(door, false);
    }
    map
}

/// The obstacle that an event puts.
fn obstacle(event: &Event) -> Option<&Polygon> {
    match &event.action {
        Action::Put { polygon, .. } => Some(polygon),
        _ => None,
    }
}

/// The obstacles of events that stand.
fn standing(events: &[Event], put: &[Put]) -> impl Iterator<Item = Polygon> {
    let stands = events.iter().zip(put).filter(|(_, put)| **put == Put::Stands);
    stands.filter_map(|(event, _)| obstacle(event).cloned())
}

/// Finds out whether the place can be built with all obstacles that events put.
pub(crate) fn check_put(floor: &Floor, events: &[Event]) -> Result<(), MapError> {
    let all: Vec<Polygon> = standing(events, &vec![Put::Stands; events.len()]).collect();
    if all.is_empty() { Ok(()) } else { Map::build_with(floor, &all).map(drop) }
}

impl Saved for Change {
    const SIZE_MIN: usize = 5;
    fn save(&self, to: &mut Vec<u8>) {
        let Self { event, stands } = self;
        (event.save(to), stands.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        Ok(Change { event: Saved::load(from)?, stands: Saved::load(from)? })
    }
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
