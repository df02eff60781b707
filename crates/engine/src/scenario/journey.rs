//! `journey`: where the people of a population go, one stop after another.

use super::Stop;
use super::distribution::distribution;
use super::place::OPPOSITE;
use super::shape::point;
use super::sheet::{Keys, Table};
use super::value::{Range, Value};

pub(super) const ANY: Keys = Keys {
    name: "any",
    title: "a stop: a region's name, a point [x, y], \"opposite\", { any = [...] }, { wait = 10 } or { wander = \"hall\" }",
    known: &["any", "by", "weights", "wait", "wander", "for"],
    later: &[],
};

/// How long somebody waits or wanders.
pub(super) const SECONDS: Range = Range::new(0.0, 1e5, " s");
/// How often one of several is chosen, beside the others.
const WEIGHT: Range = Range::new(0.0, 1e6, "");

/// The stops of a population; none where the key is absent. `on_circle`: whether its people start on one.
pub(super) fn journey(table: &Table<'_>, regions: &[String], on_circle: bool) -> Vec<Stop> {
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
    let stops: Vec<Stop> = items.iter().filter_map(|item| stop(item, regions, on_circle)).collect();
    let wanders = stops.iter().any(|stop| matches!(stop, Stop::Wander { .. }));
    if wanders && stops.contains(&Stop::Opposite) {
        let problem = value.problem("who wanders forgets where the opposite side is");
        table.report(problem.hint("leave one of them out"));
    }
    stops
}

fn stop(value: &Value<'_>, regions: &[String], on_circle: bool) -> Option<Stop> {
    match value.as_text() {
        Some(OPPOSITE) if on_circle => Some(Stop::Opposite),
        Some(OPPOSITE) => {
            let problem = value.problem("only people on a circle have an opposite side");
            value.sheet.report(problem.hint("start them with circle = { center = [0, 0], radius = 10 }"));
            None
        }
        Some(_) => value.one_of("region", regions.iter().map(String::as_str)).map(Stop::Region),
        None if value.is_table() => stop_table(value, regions),
        None if value.is_list() => point(value).map(Stop::Point),
        None => value.wrong_type(ANY.title),
    }
}

/// `{ any = [...] }`, `{ wait = 10 }` or `{ wander = "hall", for = 60 }`
fn stop_table(value: &Value<'_>, regions: &[String]) -> Option<Stop> {
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
        "wait" => distribution(&table.get("wait")?, &SECONDS).map(Stop::Wait),
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

/// `{ any = ["north", "south"], by = "distance" }`
fn any(table: &Table<'_>, regions: &[String]) -> Option<Stop> {
    if let Some(by) = table.get("by") {
        match by.as_text() {
            Some("time") => table.report(by.later()),
            _ => drop(by.one_of("choice", ["distance", "weights"].into_iter())),
        }
    }
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
    Some(match weights? {
        Some(weights) => Stop::Drawn { stops, weights },
        None => Stop::Any(stops),
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
