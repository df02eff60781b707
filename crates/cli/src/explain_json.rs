//! Why somebody chose what they chose, as the JSON that programs read and the lines that people read.

use crate::explain::Explained;
use crate::measured_rows::{counted, people};
use passerby::geometry::Vec2;
use passerby::steering::{Candidate, Force, Line, Looked, Neighbour, Section, Stimulus, Walker};
use serde_json::{Value, json};
use std::fmt::Write;

/// Everything, for programs. Positions are in the place's coordinates; what is infinite is null.
pub fn json(explained: &Explained) -> Value {
    let why = &explained.why;
    let Walker { position, velocity, radius, mass, desired, speed_max, heading, left, .. } = why.me;
    let place = |at: Vec2| (at.as_dvec2() + explained.offset).to_array();
    let of = |id: Option<passerby::crowd::AgentId>| id.map(|id| id.bits());
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
        "name": explained.name,
        "seed": explained.seed,
        "tick": explained.tick,
        "at_s": explained.time,
        "model": explained.person.model,
        "me": {
            "id": explained.person.id,
            "population": explained.person.population,
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

/// The gist, for a terminal.
pub fn words(explained: &Explained) -> String {
    let why = &explained.why;
    let at = (why.me.position.as_dvec2() + explained.offset).to_array();
    let mut text = format!(
        "person {} of \"{}\" ({}) at {:.2} s\n",
        explained.person.id, explained.person.population, explained.person.model, explained.time
    );
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<24}{value}");
    };
    let velocity = |v: Vec2| format!("[{:.3}, {:.3}] m/s, speed {:.2}", v.x, v.y, v.length());
    row("is at", format!("[{:.3}, {:.3}]", at[0], at[1]));
    row("walks at", velocity(why.me.velocity));
    row("would like", velocity(why.me.desired));
    row("chooses", velocity(why.chosen));
    row("sees", format!("{}, {}", people(&json!(why.seen.len())), counted(&json!(why.walls.len()), "wall")));
    let weighed = [
        (why.sections.len(), ["section", "sections"]),
        (why.lines.len(), ["half plane", "half planes"]),
        (why.forces.len(), ["force", "forces"]),
        (why.candidates.len(), ["velocity", "velocities"]),
    ];
    let weighed: Vec<String> = weighed
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, [one, more])| format!("{count} {}", if *count == 1 { one } else { more }))
        .collect();
    if let Some(view) = &why.view {
        let threats = view.pixels.iter().flatten().filter(|pixel| pixel.collides).count();
        row("looks at", format!("{} x {} pixels, {threats} of them on a collision course", view.columns, view.rows));
    }
    match (weighed.is_empty(), &why.view) {
        (false, _) => row("weighs", weighed.join(", ")),
        (true, None) => row("weighs", "nothing".to_owned()),
        // The image is what is weighed.
        (true, Some(_)) => {}
    }
    text
}
