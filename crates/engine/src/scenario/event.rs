//! `[[event]]`: what happens at a given time.

use super::journey::{Names, endless_wandering_is_last, journey};
use super::population::PEOPLE_MAX;
use super::run::AT;
use super::shape::{point, points, polygon};
use super::sheet::{Keys, Table};
use super::situation::{CAPACITY_MAX, region};
use super::value::{Range, Value};
use super::{Action, Event, Population, Start, Whom};
use passerby_geometry::DVec2;
use passerby_situations::SituationId;

pub(super) const EVENT: Keys = Keys {
    name: "event",
    title: "[[event]]",
    known: &[
        "at", "open", "close", "put", "take", "add", "count", "journey", "speed", "of", "stay", "repeat", "begin",
        "end", "move", "by", "change", "region", "capacity", "drop", "points", "remove", "resume", "people", "name",
    ],
    later: &["signal", "lift"],
};

/// How many times their own speed people may be told to walk.
pub(super) const FACTOR: Range = Range::new(0.05, 4.0, "");

/// What an event can do; each of its tables has one of these.
const ACTIONS: &[&str] = &[
    "open", "close", "put", "take", "add", "journey", "speed", "begin", "end", "move", "change", "drop", "remove",
    "resume",
];
/// Most people that one event drops or removes.
const AT_ONCE_MAX: usize = 10_000;

pub(super) const PUT: Keys =
    Keys { name: "put", title: "an obstacle { name, polygon }", known: &["name", "polygon"], later: &[] };

/// Reads all events, in order of time; those of the same time in the file's order.
pub(super) fn events(root: &Table<'_>, doors: &[String], names: &Names<'_>, populations: &[Population]) -> Vec<Event> {
    let tables = root.tables("event", &EVENT);
    let mut people: u64 =
        populations.iter().map(|population| population.people_expected()).fold(0, u64::saturating_add);
    let mut events: Vec<Event> = Vec::new();
    // All of them first: an obstacle may be taken away in the file before it is put.
    let mut put_names = Vec::new();
    let put: Vec<Option<Action>> = tables.iter().map(|table| put(table, &mut put_names)).collect();
    let drops: Vec<String> = tables.iter().filter_map(|table| Some(table.get("name")?.name()?.to_owned())).collect();
    for (table, put) in tables.iter().zip(put) {
        let Some(event) = event(table, doors, (put, &put_names, &drops), names, populations) else { continue };
        if let Some(count) = match &event.action {
            Action::Add { count, .. } => Some(u64::from(*count)),
            Action::Drop { points, .. } => Some(points.len() as u64),
            _ => None,
        } {
            let before = people;
            people = people.saturating_add(count);
            if before <= PEOPLE_MAX && people > PEOPLE_MAX {
                let problem = table.problem(format!("{people} people up to here are too many"));
                table.report(problem.allowed(format!("at most {PEOPLE_MAX} in a scenario")));
            }
        }
        events.push(event);
    }
    events.sort_by(|a, b| a.at.total_cmp(&b.at));
    one_of_a_name_at_a_time(root, &tables, &events);
    events
}

/// An obstacle may come again after it was taken away; two of one name at a time are a problem.
fn one_of_a_name_at_a_time(root: &Table<'_>, tables: &[Table<'_>], events: &[Event]) {
    let mut there: Vec<&str> = Vec::new();
    for event in events {
        match &event.action {
            Action::Put { name, .. } if there.contains(&name.as_str()) => {
                let table = tables.iter().find(|table| table.line() == event.line).unwrap_or(root);
                let problem = table.problem(format!("there is another obstacle called \"{name}\""));
                table.report(problem.hint("choose another name, or take that one away before"));
            }
            Action::Put { name, .. } => there.push(name),
            Action::Take { name } => there.retain(|other| other != name),
            _ => {}
        }
    }
}

/// The obstacle that an event puts.
fn put(table: &Table<'_>, taken: &mut Vec<String>) -> Option<Action> {
    let obstacle = table.get("put")?.table(&PUT)?;
    let name = obstacle.require("name", "name = \"crate\"").and_then(|value| {
        let name = value.name()?.to_owned();
        taken.push(name.clone());
        Some(name)
    });
    let ring = obstacle.require("polygon", "polygon = [[x, y], [x, y], [x, y], ...]");
    let polygon = ring.and_then(|value| polygon(&value));
    Some(Action::Put { name: name?, polygon: polygon? })
}

fn event(
    table: &Table<'_>,
    doors: &[String],
    (put, put_names, drops): (Option<Action>, &[String], &[String]),
    names: &Names<'_>,
    populations: &[Population],
) -> Option<Event> {
    let at = table.require("at", "at = 30, in seconds after the start").and_then(|at| at.number(&AT));
    let key = table.exactly_one(ACTIONS, "close = \"front\" closes the door of that name")?;
    let strangers: &[&'static str] = match key {
        "open" | "close" | "put" | "take" | "begin" | "end" | "remove" | "resume" => {
            &["count", "of", "people", "stay", "repeat", "by", "region", "capacity", "points", "name"]
        }
        "add" => &["of", "people", "stay", "repeat", "by", "region", "capacity", "points", "name"],
        "drop" => &["count", "of", "people", "stay", "repeat", "by", "region", "capacity"],
        "speed" => &["count", "people", "stay", "repeat", "by", "region", "capacity", "points", "name"],
        "move" => &["count", "of", "people", "stay", "repeat", "region", "capacity", "points", "name"],
        "change" => &["count", "of", "people", "stay", "repeat", "by", "points", "name"],
        _ => &["count", "by", "region", "capacity", "points", "name"],
    };
    for other in table.present(strangers).into_iter().filter_map(|key| table.get(key)) {
        table.report(other.key_problem(format!("has no meaning beside `{key}`")).hint("leave it out"));
    }
    let action = match key {
        "open" | "close" => {
            let door = table.get(key)?.one_of("door", doors.iter().map(String::as_str))?;
            if key == "open" { Action::Open(door) } else { Action::Close(door) }
        }
        "put" => put?,
        "take" => {
            let number = table.get(key)?.one_of("obstacle", put_names.iter().map(String::as_str))?;
            Action::Take { name: put_names[number].clone() }
        }
        "begin" | "end" | "move" | "change" => situation(table, key, names)?,
        "add" => add(table, populations)?,
        "journey" => new_journey(table, names, populations)?,
        "drop" => {
            let population = self::population(table, "drop", populations);
            let points = table.require("points", "points = [[x, y], ...], where they are put down");
            let points = points.and_then(|value| points_of(table, &value));
            let name = table.get("name").and_then(|name| name.name().map(str::to_owned));
            Action::Drop { population: population?, points: points?, name }
        }
        "remove" if table.get(key)?.is_list() => Action::Remove { people: numbers(table, key)? },
        "remove" => {
            let number = table.get(key)?.one_of("drop", drops.iter().map(String::as_str))?;
            Action::RemoveDropped { name: drops[number].clone() }
        }
        "resume" => {
            let by_name = table.get(key)?.is_list();
            let whom = if by_name {
                Whom::People(numbers(table, key)?)
            } else {
                Whom::Population(population(table, key, populations)?)
            };
            Action::Resume { whom }
        }
        _ => {
            let (of, factor) = (of(table, populations), table.get("speed")?.number(&FACTOR));
            Action::Speed { of: of?, factor: factor? }
        }
    };
    Some(Event { at: at?, line: table.line(), action })
}

/// `begin`, `end`, `move` or `change` of a situation.
fn situation(table: &Table<'_>, key: &'static str, names: &Names<'_>) -> Option<Action> {
    let number = table.get(key)?.one_of("situation", names.situations.iter().map(String::as_str));
    let situation = number.map(|number| SituationId(number as u32));
    match key {
        "begin" => situation.map(Action::Begin),
        "end" => situation.map(Action::End),
        "move" => {
            let by = table.require("by", "by = [10, 0], in metres").and_then(|by| point(&by));
            Some(Action::Shift { situation: situation?, by: by? })
        }
        _ => {
            if table.present(&["region", "capacity"]).is_empty() {
                table.report(table.problem("nothing changes").hint("say its `region` or its `capacity` from now on"));
            }
            let region = table.get("region").map(|value| region(&value));
            let capacity = table.get("capacity").and_then(|value| value.whole(1, CAPACITY_MAX)).map(|most| most as u32);
            let region = match region {
                Some(read) => Some(read?),
                None => None,
            };
            Some(Action::Change { situation: situation?, region, capacity })
        }
    }
}

fn add(table: &Table<'_>, populations: &[Population]) -> Option<Action> {
    let population = population(table, "add", populations);
    let count = table.require("count", "count = 20").and_then(|count| count.whole(1, PEOPLE_MAX));
    let population = population?;
    if populations[population].start.count() == 0 && !populations[population].start.is_area() {
        let problem = table.get("add")?.problem("these people have no point to come to");
        table.report(problem.hint("give them an area, or points"));
        return None;
    }
    Some(Action::Add { population, count: count? as u32 }) // at most PEOPLE_MAX
}

/// Some points, not too many.
fn points_of(table: &Table<'_>, value: &Value<'_>) -> Option<Vec<DVec2>> {
    let points = points(value, "a list of points [[x, y], ...]")?;
    if points.is_empty() || points.len() > AT_ONCE_MAX {
        let problem = value.problem(format!("{} points", points.len()));
        table.report(problem.allowed(format!("1 to {AT_ONCE_MAX} points")));
        return None;
    }
    Some(points)
}

/// Numbers of people, as recordings have them, in ascending order.
fn numbers(table: &Table<'_>, key: &'static str) -> Option<Vec<u32>> {
    let value = table.get(key)?;
    let items = value.list("a list of people's numbers")?;
    if items.is_empty() || items.len() > AT_ONCE_MAX {
        table.report(value.problem(format!("{} people", items.len())).allowed(format!("1 to {AT_ONCE_MAX}")));
        return None;
    }
    let ids: Option<Vec<u32>> =
        items.iter().map(|item| item.whole(0, u64::from(u32::MAX)).map(|id| id as u32)).collect();
    let mut ids = ids?;
    ids.sort_unstable();
    ids.dedup();
    Some(ids)
}

fn new_journey(table: &Table<'_>, names: &Names<'_>, populations: &[Population]) -> Option<Action> {
    let whom = whom(table, populations);
    let stops = journey(table, names);
    let (stay, repeat) = (table.flag_or("stay", false), table.flag_or("repeat", false));
    if stops.is_empty() {
        // Where a stop is wrong that has been said.
        let value = table.get("journey").filter(|value| value.is_empty_list())?;
        table.report(value.problem("there is no stop in it").hint("name one: journey = [\"exit\"]"));
        return None;
    }
    if let (true, Some(value)) = (stay && repeat, table.get("repeat")) {
        table.report(value.problem("who repeats a journey does not stay").hint("leave `repeat` out"));
    }
    endless_wandering_is_last(table, &stops, repeat);
    Some(Action::Journey { whom: whom?, journey: stops, stay, repeat })
}

/// Who takes a journey: those who are named by `people` or `of`, or everybody.
fn whom(table: &Table<'_>, populations: &[Population]) -> Option<Whom> {
    let Some(people) = table.get("people") else {
        return of(table, populations).map(|of| of.map_or(Whom::Everybody, Whom::Population));
    };
    if table.get("of").is_some() {
        table.report(people.key_problem("has no meaning beside `of`").hint("leave one of them out"));
        return None;
    }
    numbers(table, "people").map(Whom::People)
}

/// Whom an event is for; everybody where it does not say. `None` and a problem if there is no such population.
fn of(table: &Table<'_>, populations: &[Population]) -> Option<Option<usize>> {
    match table.get("of") {
        None => Some(None),
        Some(_) => population(table, "of", populations).map(Some),
    }
}

fn population(table: &Table<'_>, key: &'static str, populations: &[Population]) -> Option<usize> {
    let value = table.get(key)?;
    let found = value.one_of("population", populations.iter().map(|population| population.name.as_str()))?;
    if matches!(populations[found].start, Start::Played(_)) {
        table.report(value.problem("recorded people walk as recorded").hint("name another population"));
        return None;
    }
    Some(found)
}
