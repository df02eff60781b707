//! `behaviours` of a `[[situation]]`, and `[[behaviour]]`: those that a scenario makes by formulas.

use super::event::FACTOR;
use super::problem::{listed, nearest};
use super::shape::points;
use super::sheet::{Keys, Table};
use super::situation::{Known, place_point};
use super::value::{Range, Value};
use passerby_geometry::DVec2;
use passerby_situations::template::{SCORED, STEERED};
use passerby_situations::{BEHAVIOURS, Behaviour, Fill, Formula, Line, Place, Scripts, Seat, Template};
use std::sync::Arc;

pub(super) const TEMPLATE: Keys =
    Keys { name: "behaviour", title: "[[behaviour]]", known: &["name", "speed", "hold", "score"], later: &[] };
pub(super) const WAIT: Keys = Keys { name: "wait", title: "{ wait = { for, at } }", known: &["for", "at"], later: &[] };
pub(super) const STAY: Keys =
    Keys { name: "stay", title: "{ stay = { until, pause } }", known: &["until", "pause"], later: &[] };
pub(super) const FOLLOW: Keys =
    Keys { name: "follow", title: "{ follow = { line, gather } }", known: &["line", "gather"], later: &[] };
pub(super) const GATHER: Keys =
    Keys { name: "gather", title: "{ gather = { at, for } }", known: &["at", "for"], later: &[] };
pub(super) const QUEUE: Keys = Keys {
    name: "queue",
    title: "{ queue = { line, spacing, counters, service, patience } }",
    known: &["line", "spacing", "counters", "service", "patience"],
    later: &[],
};
pub(super) const SIT: Keys = Keys {
    name: "sit",
    title: "{ sit = { seats, fill, for, until } }",
    known: &["seats", "fill", "for", "until"],
    later: &[],
};

/// How far apart people stand in a line, m.
pub(super) const SPACING: Range = Range::new(0.3, 10.0, " m");
/// How far from the middle of a group, m.
pub(super) const WITHIN: Range = Range::new(0.5, 100.0, " m");
const CLOSE_WITHIN: f32 = 2.0;
const SPACED: f64 = 0.8;
const TURN: Range = Range::new(-360.0, 360.0, " degrees");
const SEATS_MAX: usize = 100_000;
/// Behaviours that everybody has, and that need no situation.
const DEFAULTS: &[&str] = &["image", "collision"];

/// Reads the formulas of all templates.
pub(super) fn templates(tables: &[Table<'_>], scripts: &Scripts) -> Vec<Arc<Template>> {
    let mut read: Vec<Arc<Template>> = Vec::new();
    for table in tables {
        let name = table.require("name", "name = \"shy\"").and_then(|value| Some((value.name()?, value)));
        let taken = |name: &str| {
            BEHAVIOURS.iter().any(|known| known.name == name) || read.iter().any(|known| known.name == name)
        };
        if let Some((name, value)) = &name
            && taken(name)
        {
            table.report(value.problem("there is another behaviour of this name").hint("choose another name"));
        }
        let formula = |key: &'static str, variables: &'static [&'static str]| {
            let value = table.get(key)?;
            match scripts.formula(value.text()?, variables) {
                Ok(formula) => Some(formula),
                Err(mistake) => {
                    let problem = value.mistake(&mistake, true);
                    table.report(problem.allowed(format!("a formula of {}", variables.join(", "))));
                    None
                }
            }
        };
        let (speed, hold): (Option<Formula>, Option<Formula>) = (formula("speed", STEERED), formula("hold", STEERED));
        let score = formula("score", SCORED);
        if table.present(&["speed", "hold", "score"]).is_empty() {
            let problem = table.problem("it does nothing");
            table.report(problem.hint("speed = \"if density > 1.0 { 0.5 } else { 1.0 }\" walks slower in a crowd"));
        }
        if let Some((name, _)) = name {
            let number = read.len() as u32;
            read.push(Arc::new(Template { name: name.to_owned(), number, speed, hold, score }));
        }
    }
    read
}

/// Reads the behaviours of a situation.
pub(super) fn behaviours(table: &Table<'_>, known: &Known<'_>) -> Vec<Behaviour> {
    let Some(value) = table.get("behaviours") else { return Vec::new() };
    let items = value.list("a list of behaviours [\"stop\", { wait = 5 }]").unwrap_or_default();
    let read: Vec<Behaviour> = items.iter().filter_map(|item| behaviour(item, known)).collect();
    for (i, behaviour) in read.iter().enumerate() {
        if read[..i].iter().any(|other| other.word() == behaviour.word()) && i < items.len() {
            let problem = items[i].problem("this behaviour is listed twice");
            table.report(problem.hint("a rule could not tell them apart: make two situations of it"));
        }
    }
    read
}

fn behaviour(value: &Value<'_>, known: &Known<'_>) -> Option<Behaviour> {
    if let Some(name) = value.as_text() {
        return plain(name, value, known);
    }
    let entries = value.entries("a behaviour: \"stop\", or { wait = 5 }")?;
    let [(name, argument)] = &entries[..] else {
        let problem = value.problem(format!("expected one behaviour, found {} keys", entries.len()));
        value.sheet.report(problem.hint("write each by itself: [{ wait = 5 }, \"talk\"]"));
        return None;
    };
    with_argument(name, argument, known)
}

/// A behaviour by its name alone.
fn plain(name: &str, value: &Value<'_>, known: &Known<'_>) -> Option<Behaviour> {
    if let Some(template) = known.templates.iter().find(|template| template.name == name) {
        return Some(Behaviour::Template(template.clone()));
    }
    let behaviour = match name {
        "stop" => Behaviour::Stop,
        "stay" => Behaviour::Stay { until: None, pause: None },
        "talk" => Behaviour::Talk,
        "approach" => Behaviour::Approach,
        "close" => Behaviour::Close { within: CLOSE_WITHIN },
        "hurry" => Behaviour::Hurry { factor: Behaviour::HURRY },
        "exclusive" => Behaviour::Exclusive,
        "dont-turn" => Behaviour::DontTurn,
        _ => {
            report_unknown(name, value, known);
            return None;
        }
    };
    Some(behaviour)
}

fn report_unknown(name: &str, value: &Value<'_>, known: &Known<'_>) {
    let names = || {
        let own = BEHAVIOURS.iter().map(|known| known.name).filter(|name| !DEFAULTS.contains(name));
        own.chain(known.templates.iter().map(|template| template.name.as_str()))
    };
    if let Some(described) = BEHAVIOURS.iter().find(|known| known.name == name) {
        let problem = value.problem(format!("\"{name}\" needs arguments, or is given to everybody"));
        value.sheet.report(problem.hint(format!("write {}", described.example)));
        return;
    }
    let problem = value.problem("unknown behaviour").allowed(listed(names()));
    value.sheet.report(match nearest(name, names()) {
        Some(near) => problem.hint(format!("did you mean \"{near}\"?")),
        None => problem,
    });
}

fn with_argument(name: &str, value: &Value<'_>, known: &Known<'_>) -> Option<Behaviour> {
    match name {
        "target" => target(value, known).map(Behaviour::Target),
        "wait" => wait(value, known),
        "stay" => {
            let table = value.table(&STAY)?;
            let until = table.get("until").map(|until| known.shown(&until));
            let pause = table.get("pause").map(|pause| known.law(&pause));
            Some(Behaviour::Stay { until: or_none(until)?, pause: or_none(pause)? })
        }
        "follow" if value.is_list() => line(value).map(|line| Behaviour::Follow { line, gather: false }),
        "follow" => {
            let table = value.table(&FOLLOW)?;
            let line = table.require("line", "line = [[0, 0], [20, 0]]").and_then(|value| line(&value));
            Some(Behaviour::Follow { line: line?, gather: table.flag_or("gather", false) })
        }
        "gather" => {
            let table = value.table(&GATHER)?;
            let at = table.require("at", "at = [4, 2]").and_then(|at| place_point(&at));
            let seconds = table.require("for", "for = 20, in seconds").and_then(|seconds| known.law(&seconds));
            Some(Behaviour::Gather { at: at?, seconds: seconds? })
        }
        "close" => value.number(&WITHIN).map(|within| Behaviour::Close { within: within as f32 }),
        "hurry" => value.number(&FACTOR).map(|factor| Behaviour::Hurry { factor: factor as f32 }),
        "queue" => queue(value, known),
        "sit" => sit(value, known),
        "look-at" => place_point(value).map(|at| Behaviour::LookAt { at }),
        _ => {
            match plain_takes_nothing(name, known) {
                true => value.sheet.report(
                    value.key_problem(format!("\"{name}\" takes no arguments")).hint(format!("write \"{name}\"")),
                ),
                false => {
                    let names = || BEHAVIOURS.iter().map(|known| known.name);
                    let problem = value.key_problem("unknown behaviour").allowed(listed(names()));
                    value.sheet.report(match nearest(name, names()) {
                        Some(near) => problem.hint(format!("did you mean \"{near}\"?")),
                        None => problem,
                    });
                }
            }
            None
        }
    }
}

fn plain_takes_nothing(name: &str, known: &Known<'_>) -> bool {
    ["stop", "talk", "approach", "exclusive", "dont-turn"].contains(&name)
        || known.templates.iter().any(|template| template.name == name)
}

/// What is there has to be right.
#[allow(clippy::option_option)] // absent, or wrong, or right
fn or_none<T>(read: Option<Option<T>>) -> Option<Option<T>> {
    match read {
        None => Some(None),
        Some(read) => read.map(Some),
    }
}

/// `"across"`, a situation's name, or a point.
fn target(value: &Value<'_>, known: &Known<'_>) -> Option<Place> {
    match value.as_text() {
        Some("across") => Some(Place::Across),
        Some(_) => known.situation(value).map(Place::In),
        None => place_point(value).map(Place::Point),
    }
}

fn wait(value: &Value<'_>, known: &Known<'_>) -> Option<Behaviour> {
    if !value.has_key("for") && !value.has_key("at") {
        return known.law(value).map(|seconds| Behaviour::Wait { seconds, at: None });
    }
    let table = value.table(&WAIT)?;
    let seconds = table.require("for", "for = 5, in seconds").and_then(|seconds| known.law(&seconds));
    let at = or_none(table.get("at").map(|at| place_point(&at)));
    Some(Behaviour::Wait { seconds: seconds?, at: at? })
}

/// A line of two points at least.
fn line(value: &Value<'_>) -> Option<Vec<DVec2>> {
    let line = points(value, "a line [[x, y], [x, y], ...]")?;
    if line.len() < 2 || line.windows(2).any(|ends| ends[0].distance(ends[1]) < 0.01) {
        let problem = value.problem("a line needs two points at least, none of them twice");
        value.sheet.report(problem.hint("[[0, 0], [20, 0]]"));
        return None;
    }
    Some(line)
}

fn queue(value: &Value<'_>, known: &Known<'_>) -> Option<Behaviour> {
    let table = value.table(&QUEUE)?;
    let line = table.require("line", "line = [[0, 0], [8, 0]], from its head").and_then(|value| line(&value));
    let counters = table.get("counters").map(|value| points(&value, "a list of points [[x, y], ...]"));
    let service = table.require("service", "service = 4, in seconds").and_then(|value| known.law(&value));
    let patience = or_none(table.get("patience").map(|value| known.law(&value)));
    let spacing = table.number_or("spacing", &SPACING, SPACED);
    let counters = or_none(counters)?.unwrap_or_default();
    Some(Behaviour::Queue(Line { line: line?, spacing, counters, service: service?, patience: patience? }))
}

fn sit(value: &Value<'_>, known: &Known<'_>) -> Option<Behaviour> {
    let table = value.table(&SIT)?;
    let until = or_none(table.get("until").map(|until| known.shown(&until)));
    let seconds = or_none(table.get("for").map(|seconds| known.law(&seconds)));
    let list = table.require("seats", "seats = [[2, 3, 90]], each with x, y and where it faces in degrees")?;
    let items = list.list("a list of seats [[x, y, degrees], ...]")?;
    if items.is_empty() || items.len() > SEATS_MAX {
        let problem = list.problem(format!("{} seats", items.len()));
        table.report(problem.allowed(format!("1 to {SEATS_MAX}")));
        return None;
    }
    let seat = |item: &Value<'_>| {
        let numbers = item.list("a seat [x, y, degrees]")?;
        let coordinate = |value: &Value<'_>| value.number(&super::shape::COORDINATE);
        let (x, y, degrees) = match &numbers[..] {
            [x, y] => (coordinate(x), coordinate(y), Some(0.0)),
            [x, y, degrees] => (coordinate(x), coordinate(y), degrees.number(&TURN)),
            _ => {
                item.sheet.report(item.problem("expected a seat [x, y, degrees]"));
                return None;
            }
        };
        Some(Seat { at: DVec2::new(x?, y?), facing: degrees?.to_radians() })
    };
    let seats: Vec<Option<Seat>> = items.iter().map(seat).collect();
    let seats = seats.into_iter().collect::<Option<_>>()?;
    let fill = match table.get("fill").map(|fill| fill.one_of("order", ["near", "far"].into_iter())) {
        None | Some(Some(0)) => Fill::Near,
        Some(order) => order.map(|_| Fill::Far)?,
    };
    Some(Behaviour::Sit { seats, fill, seconds: seconds?, until: until? })
}
