//! What the inspector shows of a person.

use crate::explained;
use passerby::crowd::AgentId;
use passerby::geometry::DVec2;
use passerby::record::{OwnedFrame, Person};
use passerby::situations::SituationId;
use passerby::steering::Explanation;
use passerby::{Simulation, motion};
use serde_json::{Value, json};

/// Facts of somebody in a run that goes on.
pub(crate) fn of_live(simulation: &Simulation, person: &Person, library: &motion::Library) -> Vec<[String; 2]> {
    let id = AgentId::from_bits(person.id);
    let Some(row) = simulation.people().row_of(id) else { return of_person(person) };
    let (row, mut facts) = (row.index(), of_person(person));
    let mut add = |what: &str, value: String| facts.push([what.to_owned(), value]);
    let velocity = simulation.velocities()[row];
    add("walks at", format!("{:.2} m/s", velocity.length()));
    let at = simulation.positions()[row].as_dvec2() + simulation.offset();
    add("is at", format!("{:.2}, {:.2}", at.x, at.y));
    let goal = match simulation.goal_of(id) {
        Some(region) => format!("\u{201c}{region}\u{201d}"),
        None => simulation
            .way_of(id)
            .and_then(|way| way.last().copied())
            .map_or_else(|| "none: stands".to_owned(), |to| format!("{:.2}, {:.2}", to.x, to.y)),
    };
    add("goes to", goal);
    let journeys = &simulation.people().journeys;
    add(
        "in the scene for",
        format!("{:.1} s", f64::from(simulation.tick() - journeys.entered_at[row]) * simulation.world().tick),
    );
    if journeys.unable[row] {
        add("way", "there is none to where they want to go".to_owned());
    }
    if let (Some(situations), Some(plugged)) = (simulation.situations(), &simulation.people().plugged[row]) {
        let name = |situation: SituationId| situations.situation(situation).name.clone();
        for membership in &plugged.memberships {
            let situation = situations.situation(membership.situation);
            let sensed = situation.sensors.iter().zip(&membership.memory);
            let sensed: Vec<String> = sensed.map(|((name, _), reading)| format!("{name} {reading:?}")).collect();
            let note = if membership.done { ", done" } else { "" };
            add(
                "is in",
                format!(
                    "\u{201c}{}\u{201d}{note}{}{}",
                    situation.name,
                    if sensed.is_empty() { "" } else { ": " },
                    sensed.join(", ")
                ),
            );
        }
        plugged.waiting.iter().for_each(|situation| add("waits for", format!("\u{201c}{}\u{201d}", name(*situation))));
        plugged.errand.iter().for_each(|errand| add("is sent to", format!("\u{201c}{}\u{201d}", name(errand.to))));
        if (plugged.pace - 1.0).abs() > 1e-3 {
            add("pace", format!("{:.2} times their own", plugged.pace));
        }
    }
    if let Some(walker) = &simulation.people().bodies[row] {
        add("clip", library.clip(walker.body.clip).take.name.clone());
        add("phase", format!("{:.2}", walker.body.phase));
    }
    facts
}

/// Facts of somebody in a recording.
pub(crate) fn of_recorded(frame: &OwnedFrame, person: &Person, library: &motion::Library) -> Vec<[String; 2]> {
    let mut facts = of_person(person);
    let Ok(row) = frame.id.binary_search(&person.id) else { return facts };
    let mut add = |what: &str, value: String| facts.push([what.to_owned(), value]);
    let speed = DVec2::new(f64::from(frame.vx[row]), f64::from(frame.vy[row])).length();
    add("walks at", format!("{speed:.2} m/s"));
    add("is at", format!("{:.2}, {:.2}", frame.x[row], frame.y[row]));
    if let Some(body) = frame.bodies.get(row)
        && let Some(clip) = library.clips().get(usize::from(body.clips[0]))
    {
        add("clip", clip.take.name.clone());
        add("phase", format!("{:.2}", body.phase));
    }
    facts
}

fn of_person(person: &Person) -> Vec<[String; 2]> {
    let fact = |what: &str, value: String| [what.to_owned(), value];
    vec![
        fact("population", person.population.clone()),
        fact("model", person.model.clone()),
        fact("likes to walk at", format!("{:.2} m/s", person.speed)),
        fact("radius", format!("{:.2} m", person.radius)),
        fact("mass", format!("{:.0} kg", person.mass)),
    ]
}

/// What is known of the person who is inspected.
pub(crate) struct Inspected<'a> {
    pub person: &'a Person,
    pub tick: u32,
    pub facts: Vec<[String; 2]>,
    /// From where they are to where they go, m from the scene's origin.
    pub way: Vec<[f64; 2]>,
    pub why: Option<&'a Explanation>,
    pub note: Option<String>,
}

impl Inspected<'_> {
    pub(crate) fn json(&self) -> String {
        let why = self.why.map_or(Value::Null, |why| explained::json(why, self.person, DVec2::ZERO));
        json!({
            "is": "inspected",
            "id": self.person.id,
            "tick": self.tick,
            "facts": self.facts,
            "goal": self.way.last(),
            "path": self.way,
            "why": why,
            "note": self.note,
        })
        .to_string()
    }
}
