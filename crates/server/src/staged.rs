//! Doors, obstacles and situations at a moment of a recorded run, as the events of its scenario have them.
//!
//! A recording holds people. What the place was like follows from the scenario that was run, but for one thing: an obstacle that had to wait
//! until people had left its place is shown from when it was put.

use crate::scene::{Scene, from};
use passerby::Scenario;
use passerby::geometry::{DVec2, Polygon};
use passerby::scenario::Action;
use passerby::situations::{Extent, Moving, Situation};
use serde_json::{Value, json};

/// What events have made of a situation.
#[derive(Clone)]
struct Now<'a> {
    situation: &'a Situation,
    active: bool,
    moved: DVec2,
    region: &'a [Polygon],
}

/// The message that tells pages how the place is at a time, s.
pub(crate) fn changed(scenario: &Scenario, scene: &Scene, time: f64) -> String {
    let mut closed = vec![false; scenario.place.doors.len()];
    let mut put: Vec<(&str, &Polygon)> = Vec::new();
    let mut situations: Vec<Now> = (scenario.doings.situations.iter())
        .map(|situation| {
            let region = match &situation.extent {
                Extent::Region(polygons) => polygons.as_slice(),
                Extent::Relation(_) => &[],
            };
            Now { situation, active: situation.active, moved: DVec2::ZERO, region }
        })
        .collect();
    // What happens at the beginning of a tick is not yet there in the frame before it.
    for event in scenario.events.iter().take_while(|event| event.at < time - 1e-9) {
        match &event.action {
            Action::Open(door) => closed[*door] = false,
            Action::Close(door) => closed[*door] = true,
            Action::Put { name, polygon } => put.push((name, polygon)),
            Action::Take { name } => put.retain(|(other, _)| other != name),
            Action::Begin(id) => situations[id.index()].active = true,
            Action::End(id) => situations[id.index()].active = false,
            Action::Shift { situation, by } => situations[situation.index()].moved += *by,
            Action::Change { situation, region: Some(region), .. } => situations[situation.index()].region = region,
            _ => {}
        }
    }
    let origin = scene.header.offset;
    let ring = |polygon: &Polygon, moved: DVec2| {
        polygon.points().iter().map(|at| from(origin, (*at + moved).to_array())).collect::<Vec<_>>()
    };
    let put: Vec<Value> =
        put.iter().map(|(name, polygon)| json!({ "name": name, "polygon": ring(polygon, DVec2::ZERO) })).collect();
    let shown = situations.iter().filter(|now| now.active || now.situation.active).map(|now| {
        let Situation { name, moving, times, behaviours, capacity, .. } = now.situation;
        // One that goes with somebody is where they are, and that is not known here.
        let region = if matches!(moving, Some(Moving::With { .. })) { &[] } else { now.region };
        let moved = now.moved + moving.as_ref().and_then(|moving| moving.offset(time)).unwrap_or_default();
        let holds = times.is_empty() || times.iter().any(|[from, to]| (*from..*to).contains(&time));
        let words = &scenario.doings.words.behaviours;
        json!({
            "name": name,
            "active": now.active && holds,
            "rings": region.iter().map(|polygon| ring(polygon, moved)).collect::<Vec<_>>(),
            "behaviours": behaviours.iter().filter_map(|behaviour| words.get(behaviour.word() as usize)).collect::<Vec<_>>(),
            "members": 0,
            "capacity": capacity,
            "painted": false,
        })
    });
    json!({
        "is": "changed",
        "doors": scene.doors(&closed),
        "put": put,
        "situations": shown.collect::<Vec<_>>(),
        "undo": null,
        "redo": null,
    })
    .to_string()
}
