//! What a page is told before the first frame, and of people when they come.

use passerby::motion::Looks;
use passerby::motion::mesh::Slot;
use passerby::record::{Header, Person};
use serde_json::{Value, json};

/// What can be done with what is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Can {
    pub edit: bool,
    pub explain: bool,
    pub seek: bool,
    pub desired: bool,
    pub cells: bool,
}

/// Everything that stays the same while a run is shown.
#[derive(Debug, Clone)]
pub(crate) struct Scene {
    pub header: Header,
    pub live: bool,
    /// First and last tick there is to see.
    pub ticks: [u32; 2],
    /// Names of populations and their models.
    pub populations: Vec<(String, String)>,
    pub situations: Vec<Value>,
    pub closed_doors: Vec<bool>,
    pub events: Vec<Value>,
    pub can: Can,
    /// Joints of a body.
    pub joints: usize,
}

impl Scene {
    /// The first message.
    pub(crate) fn json(&self) -> String {
        let Header { name, seed, tick, every, offset, place, .. } = &self.header;
        let ring = |points: &[[f64; 2]]| points.iter().map(|at| from(*offset, *at)).collect::<Vec<_>>();
        let areas: Vec<Vec<_>> =
            place.areas.iter().map(|area| area.iter().map(|points| ring(points)).collect()).collect();
        let movers = place.movers.iter().map(|mover| {
            let path: Vec<_> = mover.path.iter().map(|[t, x, y]| [*t, x - offset[0], y - offset[1]]).collect();
            json!({ "name": mover.name, "polygon": mover.polygon, "path": path, "repeat": mover.repeat, "turn": mover.turn })
        });
        let regions =
            place.regions.iter().map(|region| json!({ "name": region.name, "polygon": ring(&region.polygon) }));
        let populations = self.populations.iter().map(|(name, model)| json!({ "name": name, "model": model }));
        let Can { edit, explain, seek, desired, cells } = self.can;
        json!({
            "is": "scene",
            "name": name,
            "seed": seed,
            "live": self.live,
            "tick": tick,
            "every": every,
            "first": self.ticks[0],
            "last": self.ticks[1],
            "origin": offset,
            "joints": self.joints,
            "place": {
                "areas": areas,
                "obstacles": place.obstacles.iter().map(|points| ring(points)).collect::<Vec<_>>(),
                "doors": self.doors(&self.closed_doors),
                "regions": regions.collect::<Vec<_>>(),
                "movers": movers.collect::<Vec<_>>(),
            },
            "populations": populations.collect::<Vec<_>>(),
            "situations": self.situations,
            "events": self.events,
            "can": { "edit": edit, "explain": explain, "seek": seek, "desired": desired, "cells": cells },
        })
        .to_string()
    }

    /// Doors, open or closed.
    pub(crate) fn doors(&self, closed: &[bool]) -> Vec<Value> {
        let Header { offset, place, .. } = &self.header;
        let door = |(i, door): (usize, &passerby::record::NamedLine)| {
            let open = !closed.get(i).copied().unwrap_or_default();
            json!({ "name": door.name, "line": door.line.map(|end| from(*offset, end)), "open": open })
        };
        place.doors.iter().enumerate().map(door).collect()
    }

    /// People who have come.
    pub(crate) fn people<'a>(&self, people: impl Iterator<Item = &'a Person>) -> String {
        let person = |person: &Person| {
            let population = self.populations.iter().position(|(name, _)| *name == person.population);
            let looks = Looks::new(self.header.seed, person.id);
            json!({
                "id": person.id,
                "population": population.unwrap_or_default(),
                "radius": person.radius,
                "speed": person.speed,
                "stature": looks.stature,
                "build": looks.shape.build,
                "female": looks.shape.female,
                "colours": Slot::ALL.iter().flat_map(|slot| looks.colours.of(*slot)).collect::<Vec<u8>>(),
            })
        };
        json!({ "is": "people", "people": people.map(person).collect::<Vec<_>>() }).to_string()
    }
}

/// A point of the place, m from the scene's origin.
pub(crate) fn from(origin: [f64; 2], at: [f64; 2]) -> [f64; 2] {
    [at[0] - origin[0], at[1] - origin[1]]
}
