//! Why somebody chose what they chose, as JSON that programs and the page read.

use passerby::crowd::AgentId;
use passerby::geometry::{DVec2, Vec2};
use passerby::record::Person;
use passerby::steering::{Candidate, Explanation, Force, Line, Looked, Neighbour, Section, Stimulus, Walker};
use serde_json::{Value, json};

/// Everything. What is added to positions makes them the caller's; what is infinite is null.
pub fn json(why: &Explanation, person: &Person, add: DVec2) -> Value {
    let Walker { position, velocity, radius, mass, desired, speed_max, heading, left, .. } = why.me;
    let place = |at: Vec2| (at.as_dvec2() + add).to_array();
    let of = |id: Option<AgentId>| id.map(|id| id.bits());
    let neighbour = |other: &Neighbour| {
        json!({
            "id": other.id.bits(),
            "position": place(position + other.offset),
            "velocity": other.velocity.to_array(),
            "radius": other.radius,
            "share": other.share,
        })
    };
    let section = |&Section { from, to, behind, before, cost }: &Section| json!({ "from": from, "to": to, "behind": behind, "before": before, "cost": cost });
    let line = |line: &Line| json!({ "point": line.point.to_array(), "direction": line.direction.to_array(), "of": of(line.of) });
    let force = |force: &Force| json!({ "what": force.what, "vector": force.vector.to_array(), "of": of(force.of) });
    let candidate = |candidate: &Candidate| {
        json!({
            "what": candidate.what,
            "velocity": candidate.velocity.to_array(),
            "rating": candidate.rating,
            "collides_in": candidate.collides_in,
            "of": of(candidate.of),
        })
    };
    let view = |view: &Looked| {
        let tti = |pixel: &Option<Stimulus>| pixel.and_then(|pixel| pixel.tti);
        json!({
            "columns": view.columns,
            "rows": view.rows,
            "bearing_rate": view.pixels.iter().map(|pixel| pixel.map(|pixel| pixel.rate)).collect::<Vec<_>>(),
            "tti": view.pixels.iter().map(tti).collect::<Vec<_>>(),
            "collides": view.pixels.iter().map(|pixel| pixel.is_some_and(|pixel| pixel.collides)).collect::<Vec<_>>(),
            "threat": view.threat.map(|threat| json!({ "right": threat.right, "left": threat.left, "soonest": threat.soonest })),
        })
    };
    json!({
        "model": person.model,
        "me": {
            "id": person.id,
            "population": person.population,
            "position": place(position),
            "velocity": velocity.to_array(),
            "radius": radius,
            "mass": mass,
            "speed_max": speed_max,
            "heading": heading,
            "left": left,
        },
        "desired": desired.to_array(),
        "chosen": why.chosen.to_array(),
        "seen": why.seen.iter().map(neighbour).collect::<Vec<_>>(),
        "walls": why.walls.iter().map(|wall| [place(wall.a), place(wall.b)]).collect::<Vec<_>>(),
        "sections": why.sections.iter().map(section).collect::<Vec<_>>(),
        "lines": why.lines.iter().map(line).collect::<Vec<_>>(),
        "forces": why.forces.iter().map(force).collect::<Vec<_>>(),
        "candidates": why.candidates.iter().map(candidate).collect::<Vec<_>>(),
        "view": why.view.as_ref().map(view),
    })
}
