//! `sensors` of a `[[situation]]`: what its members perceive, by name.

use super::problem::nearest;
use super::sheet::{Keys, Table};
use super::situation::Known;
use super::value::{Range, Value};
use passerby_situations::Sensor;

pub(super) const SENSOR: Keys = Keys {
    name: "sensor",
    title: "a sensor: one of { signal = \"light\" }, { proximity = 3 }, { agents = \"visitors\", within = 3 }, { density = 2 }, { empty = \"seats\" }, { time = \"entry\" }, { state = \"speed\" }",
    known: &["signal", "proximity", "agents", "within", "density", "empty", "time", "state"],
    later: &[],
};

/// How far people perceive others, m.
pub(super) const REACH: Range = Range::new(0.1, 50.0, " m");
const SENSORS_MAX: usize = 16;
/// Words that rules have for something else.
const TAKEN: &[&str] = &["me", "if", "else", "let", "fn", "loop", "while", "for", "return", "true", "false", "this"];

/// Reads all sensors of a situation, in the file's order.
pub(super) fn sensors(table: &Table<'_>, known: &Known<'_>) -> Vec<(String, Sensor)> {
    let Some(value) = table.get("sensors") else { return Vec::new() };
    let entries = value.entries("a table of sensors { light = { signal = \"main\" } }").unwrap_or_default();
    if entries.len() > SENSORS_MAX {
        let problem = value.problem(format!("{} sensors are too many", entries.len()));
        table.report(problem.allowed(format!("at most {SENSORS_MAX}")));
    }
    let read = |(name, value): (&str, Value<'_>)| {
        let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_word = starts_well && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_word || TAKEN.contains(&name) {
            let problem = value.key_problem("rules could not use it as a name");
            table.report(problem.allowed("letters, digits and _, beginning with a letter; no word of the language"));
            return None;
        }
        Some((name.to_owned(), sensor(&value, known)?))
    };
    entries.into_iter().filter_map(read).collect()
}

fn sensor(value: &Value<'_>, known: &Known<'_>) -> Option<Sensor> {
    let table = value.table(&SENSOR)?;
    let kinds = ["signal", "proximity", "agents", "density", "empty", "time", "state"];
    let key = table.exactly_one(&kinds, "{ signal = \"light\" } tells what a signal shows")?;
    if let (true, Some(within)) = (key != "agents", table.get("within")) {
        table.report(within.key_problem(format!("has no meaning beside `{key}`")).hint("leave it out"));
    }
    let of = table.get(key)?;
    let reach = |value: Value<'_>| value.number(&REACH).map(|metres| metres as f32);
    match key {
        "signal" => {
            let names = known.signals.iter().map(|signal| signal.name.as_str());
            of.one_of("signal", names).map(|signal| Sensor::Signal { signal: signal as u32 })
        }
        "proximity" => reach(of).map(|within| Sensor::Proximity { within }),
        "density" => reach(of).map(|within| Sensor::Density { within }),
        "agents" => {
            let any = of.as_text() == Some("any");
            let population = if any { None } else { Some(known.population(&of)?) };
            let within = table.require("within", "within = 3, in metres").and_then(reach)?;
            Some(Sensor::Agents { population, within })
        }
        "empty" => known.situation(&of).map(|of| Sensor::Empty { of }),
        "time" => match of.one_of("time", ["entry", "run"].into_iter())? {
            0 => Some(Sensor::SinceEntry),
            _ => Some(Sensor::Clock),
        },
        _ => state(&of, known),
    }
}

fn state(value: &Value<'_>, known: &Known<'_>) -> Option<Sensor> {
    let name = value.text()?;
    if name == "speed" {
        return Some(Sensor::Speed);
    }
    match known.words.tag(name) {
        Ok(tag) => Some(Sensor::Has { tag }),
        Err(_) => {
            let names = || known.words.tags.iter().map(String::as_str).chain(["speed"]);
            let problem = value.problem("unknown state").allowed(super::problem::listed(names()));
            value.sheet.report(match nearest(name, names()) {
                Some(near) => problem.hint(format!("did you mean \"{near}\"?")),
                None => problem,
            });
            None
        }
    }
}
