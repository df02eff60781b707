//! `journey`: where the people of a population go, one stop after another.

use super::distribution::distribution;
use super::place::OPPOSITE;
use super::shape::point;
use super::sheet::{Keys, Table};
use super::value::{Range, Value};
use super::{Signal, Stop};
use passerby_situations::SituationId;

pub(super) const ANY: Keys = Keys {
    name: "any",
    title: "a stop: a region's name, a point [x, y], \"opposite\", { any = [...] }, { wait = 10 } or { wander = \"hall\" }",
    known: &["any", "by", "weights", "wait", "wander", "for"],
    later: &[],
};
/// `{ wait = { signal = "light", show = "green" } }`
pub(super) const FOR_SIGNAL: Keys =
    Keys { name: "for_signal", title: "a wait for a signal { signal, show }", known: &["signal", "show"], later: &[] };

/// How long somebody waits or wanders.
pub(super) const SECONDS: Range = Range::new(0.0, 1e5, " s");
/// By what one of several is chosen.
const BY: &[&str] = &["distance", "time", "weights"];
/// How often one of several is chosen, beside the others.
const WEIGHT: Range = Range::new(0.0, 1e6, "");

/// What a journey may name.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub regions: &'a [String],
    pub situations: &'a [String],
    pub signals: &'a [Signal],
    /// Whether those who walk it have an opposite side; else what to do about it.
    pub opposite: Result<(), &'static str>,
}

/// The stops of a population or an event; none where the key is absent.
pub(super) fn journey(table: &Table<'_>, names: &Names<'_>) -> Vec<Stop> {
    let Some(value) = table.get("journey") else { return Vec::new() };
    if let Some(name) = value.as_text() {
        let problem = value.problem("expected a list of stops, found a string");
        table.report(problem.hint(format!("journey = [\"{name}\"]")));
        return Vec::new();
    }
    let Some(items) = value.list("a list of stops") else { return Vec::new() };
    if !items.is_empty() && items.iter().all(Value::is_number) {
        table.report(
            value.problem("expected a list of stops, found numbers").hint("a point is a list: journey = [[x, y]]"),
        );
        return Vec::new();
    }
    let stops: Vec<Stop> = items.iter().filter_map(|item| stop(item, names)).collect();
    let wanders = stops.iter().any(|stop| matches!(stop, Stop::Wander { .. }));
    if wanders && stops.contains(&Stop::Opposite) {
        let problem = value.problem("who wanders forgets where the opposite side is");
        table.report(problem.hint("leave one of them out"));
    }
    stops
}

/// Nobody gets to a stop after wandering for good.
pub(super) fn endless_wandering_is_last(table: &Table<'_>, stops: &[Stop], repeat: bool) {
    let endless = |stop: &Stop| matches!(stop, Stop::Wander { lasting: None, .. });
    let before_others = if repeat { stops } else { stops.split_last().map_or(stops, |(_, before)| before) };
    if let (true, Some(value)) = (before_others.iter().any(endless), table.get("journey")) {
        let problem = value.problem("nobody gets to the stops after one where they wander for good");
        table.report(problem.hint("say for how long, in seconds: { wander = \"hall\", for = 60 }"));
    }
}

fn stop(value: &Value<'_>, names: &Names<'_>) -> Option<Stop> {
    match value.as_text() {
        Some(OPPOSITE) => match names.opposite {
            Ok(()) => Some(Stop::Opposite),
            Err(hint) => {
                value.sheet.report(value.problem("only people on a circle have an opposite side").hint(hint));
                None
            }
        },
        Some(name) => match names.situations.iter().position(|situation| situation == name) {
            // A region of the same name comes first: journeys were there before situations.
            Some(situation) if !names.regions.iter().any(|region| region == name) => {
                Some(Stop::Visit(SituationId(situation as u32)))
            }
            _ => {
                let all = names.regions.iter().chain(names.situations).map(String::as_str);
                value.one_of("region", all).map(Stop::Region)
            }
        },
        None if value.is_table() => stop_table(value, names),
        None if value.is_list() => point(value).map(Stop::Point),
        None => value.wrong_type(ANY.title),
    }
}

/// `{ any = [...] }`, `{ wait = 10 }` or `{ wander = "hall", for = 60 }`
fn stop_table(value: &Value<'_>, names: &Names<'_>) -> Option<Stop> {
    let regions = names.regions;
    let table = value.table(&ANY)?;
    let key = table.exactly_one(&["any", "wait", "wander"], "{ any = [\"north\", \"south\"] } is the nearer of two")?;
    let strangers: &[&'static str] = match key {
        "any" => &["for"],
        "wait" => &["by", "weights", "for"],
        _ => &["by", "weights"],
    };
    for other in table.present(strangers).into_iter().filter_map(|key| table.get(key)) {
        table.report(other.key_problem(format!("has no meaning beside `{key}`")).hint("leave it out"));
    }
    match key {
        "any" => any(&table, regions),
        "wait" => {
            let wait = table.get("wait")?;
            if wait.has_key("signal") || wait.has_key("show") {
                return for_signal(&wait, names.signals);
            }
            distribution(&wait, &SECONDS).map(Stop::Wait)
        }
        _ => {
            let region = table.get("wander")?.one_of("region", regions.iter().map(String::as_str));
            let lasting = table.get("for").map(|seconds| distribution(&seconds, &SECONDS));
            let lasting = match lasting {
                Some(wrong_or_law) => Some(wrong_or_law?),
                None => None,
            };
            Some(Stop::Wander { region: region?, lasting })
        }
    }
}

/// `{ signal = "light", show = "green" }`
fn for_signal(value: &Value<'_>, signals: &[Signal]) -> Option<Stop> {
    let table = value.table(&FOR_SIGNAL)?;
    let named = table.require("signal", "signal = \"light\", a [[signal]] by name");
    let signal = named.and_then(|named| named.one_of("signal", signals.iter().map(|signal| signal.name.as_str())));
    let show = table.require("show", "show = \"green\"");
    let (signal, show) = (signal?, show?);
    if signals[signal].phases.is_empty() {
        return None; // a signal without a phase is a problem of its own
    }
    let phases = &signals[signal].phases;
    let phase = show.one_of("phase", phases.iter().map(|phase| phase.show.as_str()))?;
    Some(Stop::Signal { signal, show: phases[phase].show.clone() })
}

/// `{ any = ["north", "south"], by = "distance" }`
fn any(table: &Table<'_>, regions: &[String]) -> Option<Stop> {
    let by = table.get("by").map(|by| by.one_of("choice", BY.iter().copied()));
    let list = table.get("any")?;
    let items = list.list("a list of regions and points")?;
    if items.is_empty() {
        table.report(list.problem("there is nothing to choose from").hint("name one region at least"));
        return None;
    }
    let choice = |item: &Value<'_>| match item.as_text() {
        Some(_) => item.one_of("region", regions.iter().map(String::as_str)).map(Stop::Region),
        None if item.is_list() => point(item).map(Stop::Point),
        None => item.wrong_type("a region's name or a point [x, y]"),
    };
    let read: Vec<Option<Stop>> = items.iter().map(choice).collect();
    let weights = weights(table, items.len());
    let stops = read.into_iter().collect::<Option<_>>()?;
    Some(match (weights?, by) {
        (Some(weights), _) => Stop::Drawn { stops, weights },
        (None, Some(by)) if BY.get(by?) == Some(&"time") => Stop::Soonest(stops),
        (None, _) => Stop::Any(stops),
    })
}

/// The weights of so many stops, if they are chosen by weights; `None` and a problem if those are wrong.
fn weights(table: &Table<'_>, count: usize) -> Option<Option<Vec<f64>>> {
    let by_weights = table.get("by").is_some_and(|by| by.as_text() == Some("weights"));
    if !by_weights {
        if let Some(value) = table.get("weights") {
            table.report(value.key_problem("only counts where the choice is by weights").hint("add by = \"weights\""));
        }
        return Some(None);
    }
    let value = table.require("weights", "weights = [0.7, 0.3], one for each")?;
    let items = value.list("a list of numbers")?;
    if items.len() != count {
        let what = format!("{} weights for {count} stops", items.len());
        table.report(value.problem(what).hint("give one to each"));
        return None;
    }
    let read: Vec<Option<f64>> = items.iter().map(|item| item.number(&WEIGHT)).collect();
    let weights: Vec<f64> = read.into_iter().collect::<Option<_>>()?;
    if weights.iter().sum::<f64>() <= 0.0 {
        table.report(value.problem("all weights are 0").hint("give one of them at least a weight above 0"));
        return None;
    }
    Some(Some(weights))
}
