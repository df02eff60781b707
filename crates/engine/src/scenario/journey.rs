//! `journey`: where the people of a population go, one stop after another.

use super::Stop;
use super::place::OPPOSITE;
use super::shape::point;
use super::sheet::{Keys, Table};
use super::value::Value;

pub(super) const ANY: Keys = Keys {
    name: "any",
    title: "a stop: a region's name, a point [x, y], \"opposite\" or { any = [...] }",
    known: &["any", "by"],
    later: &["wait", "wander", "weights"],
};

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
    items.iter().filter_map(|item| stop(item, regions, on_circle)).collect()
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
        None if value.is_table() => any(value, regions),
        None if value.is_list() => point(value).map(Stop::Point),
        None => value.wrong_type(ANY.title),
    }
}

/// `{ any = ["north", "south"], by = "distance" }`
fn any(value: &Value<'_>, regions: &[String]) -> Option<Stop> {
    let table = value.table(&ANY)?;
    if let Some(by) = table.get("by") {
        match by.as_text() {
            Some("time" | "weights") => table.report(by.later()),
            _ => drop(by.one_of("choice", ["distance"].into_iter())),
        }
    }
    if !table.present(ANY.later).is_empty() {
        return None;
    }
    let list = table.require("any", "any = [\"north\", \"south\"]")?;
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
    Some(Stop::Any(read.into_iter().collect::<Option<_>>()?))
}
