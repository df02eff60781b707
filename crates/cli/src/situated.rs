//! What happened in the situations of a run, for people and for programs.

use passerby::Simulation;
use passerby::situations::{Counts, Incident};
use serde::Serialize;
use std::collections::BTreeMap;

/// One situation.
#[derive(Debug, Serialize)]
pub struct Situated {
    pub name: String,
    pub entered: u64,
    pub left: u64,
    /// Who is in it at the end.
    pub inside: u64,
    pub peak: u32,
    pub turned_away: u64,
    pub done: u64,
    pub served: u64,
    pub gave_up: u64,
    /// How often the graph sent somebody to each of the next, and how often they came there.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub next: BTreeMap<String, [u64; 2]>,
}

/// All situations of a run; none where the scenario has none.
pub fn situated(simulation: &Simulation) -> Vec<Situated> {
    let Some(situations) = simulation.situations() else { return Vec::new() };
    let one = |id| {
        let (situation, state) = (situations.situation(id), situations.state(id));
        let Counts { entered, left, turned_away, done, served, gave_up, peak, edges } = &state.counts;
        let names = situation.next.iter().map(|(to, _)| situations.situation(*to).name.clone());
        Situated {
            name: situation.name.clone(),
            entered: *entered,
            left: *left,
            inside: state.members.len() as u64,
            peak: *peak,
            turned_away: *turned_away,
            done: *done,
            served: *served,
            gave_up: *gave_up,
            next: names.zip(edges.iter().copied()).collect(),
        }
    };
    situations.ids().map(one).collect()
}

/// Most rows of a table.
const ROWS: usize = 20;

/// The same, row by row.
pub fn rows(all: &[Situated]) -> Vec<(String, String)> {
    let used = all.iter().filter(|situated| situated.entered > 0 || situated.turned_away > 0);
    let mut rows: Vec<(String, String)> =
        used.clone().take(ROWS).map(|situated| (situated.name.clone(), told(situated))).collect();
    let more = used.count().saturating_sub(ROWS);
    if more > 0 {
        rows.push((format!("and {more} more"), "in the JSON".to_owned()));
    }
    rows
}

fn told(situated: &Situated) -> String {
    let mut told = format!("{} entered, {} at most at a time", situated.entered, situated.peak);
    for (count, what) in [
        (situated.served, "were served"),
        (situated.gave_up, "gave up"),
        (situated.turned_away, "found it full"),
        (situated.inside, "are still in it"),
    ] {
        if count > 0 {
            told += &format!(", {count} {what}");
        }
    }
    told
}

/// Rules that were stopped, a sentence for each, and how many more there were.
pub fn incidents(simulation: &Simulation) -> Vec<String> {
    let Some(situations) = simulation.situations() else { return Vec::new() };
    let (kept, count) = situations.incidents();
    let sentence = |incident: &Incident| {
        let Incident { tick, id, situation, template, line, what } = incident;
        let time = f64::from(*tick) * simulation.scenario().run.tick;
        let name = &situations.situation(*situation).name;
        let rule = match template {
            Some(template) => format!("behaviour \"{template}\" in \"{name}\""),
            None => format!("rule of \"{name}\""),
        };
        let line = if *line > 0 { format!(", line {line}") } else { String::new() };
        format!("{rule}{line}, person {id}, {time:.2} s: {what}; they go on without it")
    };
    let more = count.saturating_sub(kept.len() as u64);
    let more = (more > 0).then(|| format!("{more} more rules were stopped"));
    kept.iter().map(sentence).chain(more).collect()
}
