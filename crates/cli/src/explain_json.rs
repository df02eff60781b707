//! Why somebody chose what they chose, as the JSON that programs read and the lines that people read.

use crate::explain::Explained;
use crate::measured_rows::{counted, people};
use passerby::geometry::Vec2;
use serde_json::{Value, json};
use std::fmt::Write;

/// Everything, for programs. Positions are in the place's coordinates; what is infinite is null.
pub fn json(explained: &Explained) -> Value {
    let mut all = passerby_server::explained::json(&explained.why, &explained.person, explained.offset);
    all["name"] = json!(explained.name);
    all["seed"] = json!(explained.seed);
    all["tick"] = json!(explained.tick);
    all["at_s"] = json!(explained.time);
    all
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
