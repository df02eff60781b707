//! `[[event]]`, `[run]` and `[record]`: what happens when, how long, and what is kept.

use super::sheet::{Keys, Table};
use super::value::Range;
use super::{Action, Event, Record, Run};

pub(super) const EVENT: Keys =
    Keys { name: "event", title: "[[event]]", known: &["at", "open", "close"], later: &["signal", "lift"] };
pub(super) const RUN: Keys =
    Keys { name: "run", title: "[run]", known: &["seed", "until", "tick", "separate"], later: &[] };
pub(super) const RECORD: Keys = Keys { name: "record", title: "[record]", known: &["every"], later: &[] };

pub(super) const AT: Range = Range::new(0.0, 1e6, " s");
pub(super) const UNTIL: Range = Range::new(0.001, 1e6, " s");
pub(super) const TICK: Range = Range::new(0.001, 1.0, " s");
pub(super) const EVERY: [u64; 2] = [1, 1000];

/// Reads all events, in order of time; those of the same time in the file's order.
pub(super) fn events(root: &Table<'_>, doors: &[String]) -> Vec<Event> {
    let mut events: Vec<Event> = root.tables("event", &EVENT).iter().filter_map(|table| event(table, doors)).collect();
    events.sort_by(|a, b| a.at.total_cmp(&b.at));
    events
}

fn event(table: &Table<'_>, doors: &[String]) -> Option<Event> {
    let at = table.require("at", "at = 30, in seconds after the start").and_then(|at| at.number(&AT));
    let key = table.exactly_one(&["open", "close"], "close = \"front\" closes the door of that name")?;
    let door = table.get(key)?.one_of("door", doors.iter().map(String::as_str))?;
    let action = if key == "open" { Action::Open(door) } else { Action::Close(door) };
    Some(Event { at: at?, action })
}

/// Reads `[run]`; everything has a default.
pub(super) fn run(root: &Table<'_>) -> Run {
    let default = Run { seed: 1, until: 600.0, tick: 0.05, separate: true };
    let Some(table) = root.get("run").and_then(|value| value.table(&RUN)) else { return default };
    Run {
        seed: table.whole_or("seed", 0, u64::MAX, default.seed),
        until: table.number_or("until", &UNTIL, default.until),
        tick: table.number_or("tick", &TICK, default.tick),
        separate: table.flag_or("separate", default.separate),
    }
}

/// Reads `[record]`; everything has a default.
pub(super) fn record(root: &Table<'_>) -> Record {
    let [low, high] = EVERY;
    let table = root.get("record").and_then(|value| value.table(&RECORD));
    Record { every: table.map_or(1, |table| table.whole_or("every", low, high, 1) as u32) } // at most EVERY
}
