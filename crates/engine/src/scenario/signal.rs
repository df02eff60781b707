//! `[[signal]]`: what shows one thing after another, such as a traffic light.

use super::place::at_most;
use super::run::AT;
use super::sheet::{Keys, Table};
use super::value::Range;
use super::{Phase, Signal};

pub(super) const SIGNAL: Keys =
    Keys { name: "signal", title: "[[signal]]", known: &["name", "phases", "start"], later: &[] };
pub(super) const PHASE: Keys =
    Keys { name: "phase", title: "a phase { show, for }", known: &["show", "for"], later: &[] };

/// How long a phase lasts. Not shorter than the longest tick: no phase is missed.
pub(super) const LASTING: Range = Range::new(1.0, 1e5, " s");
const SIGNALS_MAX: usize = 1000;
const PHASES_MAX: usize = 100;

/// Reads all signals. Of a wrong one the name is kept, so that who waits for it is no second problem.
pub(super) fn signals(root: &Table<'_>) -> Vec<Signal> {
    let mut signals: Vec<Signal> = Vec::new();
    for table in at_most(SIGNALS_MAX, "signals", root.tables("signal", &SIGNAL)) {
        let value = table.require("name", "name = \"light\"");
        let name = value.as_ref().and_then(|value| value.name());
        if let (Some(value), Some(name)) = (value, name)
            && signals.iter().any(|other| other.name == name)
        {
            table.report(value.problem("there is another signal of this name").hint("choose another name"));
        }
        let phases = phases(&table);
        let start = table.number_or("start", &AT, 0.0);
        signals.push(Signal { name: name.unwrap_or_default().to_owned(), phases, start });
    }
    signals
}

fn phases(table: &Table<'_>) -> Vec<Phase> {
    let hint = "phases = [{ show = \"red\", for = 30 }, { show = \"green\", for = 20 }]";
    let Some(value) = table.require("phases", hint) else { return Vec::new() };
    if value.is_empty_list() {
        table.report(value.problem("there is nothing to show").hint(hint));
    }
    let tables = at_most(PHASES_MAX, "phases", table.tables("phases", &PHASE));
    let phase = |phase: &Table<'_>| {
        let show = phase.require("show", "show = \"green\"").and_then(|show| show.name());
        let lasting = phase.require("for", "for = 30, in seconds").and_then(|seconds| seconds.number(&LASTING));
        Some(Phase { show: show?.to_owned(), lasting: lasting? })
    };
    tables.iter().filter_map(phase).collect()
}

impl Signal {
    /// Which phase it is in at a time, s.
    pub fn phase_at(&self, time: f64) -> usize {
        let cycle: f64 = self.phases.iter().map(|phase| phase.lasting).sum();
        // The hair: the tick at which a phase ends belongs to the next one, whatever its last bit.
        let mut left = (time - self.start + 1e-9).rem_euclid(cycle);
        for (i, phase) in self.phases.iter().enumerate() {
            if left < phase.lasting {
                return i;
            }
            left -= phase.lasting;
        }
        self.phases.len() - 1
    }

    /// What it shows at a time, s.
    pub fn shows(&self, time: f64) -> &str {
        &self.phases[self.phase_at(time)].show
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_follow_each_other_without_end() {
        let phase = |show: &str, lasting| Phase { show: show.to_owned(), lasting };
        let light = Signal {
            name: "light".to_owned(),
            phases: vec![phase("red", 30.0), phase("green", 20.0), phase("amber", 3.0)],
            start: 10.0,
        };
        for (time, shown) in [
            (10.0, "red"),
            (39.9, "red"),
            (40.0, "green"),
            (59.95, "green"),
            (60.0, "amber"),
            (63.0, "red"),
            (10.0 + 53.0 * 1000.0 + 30.0, "green"),
            // Before its first phase begins it is in the cycle before.
            (9.0, "amber"),
            (0.0, "green"),
        ] {
            assert_eq!(light.shows(time), shown, "{time} s");
        }
    }
}
