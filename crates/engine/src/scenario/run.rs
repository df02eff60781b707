//! `[run]` and `[record]`: how long, and what is kept.

use super::sheet::{Keys, Table};
use super::value::Range;
use super::{Record, Run};

pub(super) const RUN: Keys =
    Keys { name: "run", title: "[run]", known: &["seed", "until", "tick", "separate"], later: &[] };
pub(super) const RECORD: Keys = Keys { name: "record", title: "[record]", known: &["every"], later: &[] };

pub(super) const AT: Range = Range::new(0.0, 1e6, " s");
pub(super) const UNTIL: Range = Range::new(0.001, 1e6, " s");
pub(super) const TICK: Range = Range::new(0.001, 1.0, " s");
pub(super) const EVERY: [u64; 2] = [1, 1000];

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
