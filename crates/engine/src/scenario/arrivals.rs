//! `rate`, `until` and `total`: people who come while the run goes on.

use super::population::PEOPLE_MAX;
use super::run::AT;
use super::sheet::{Keys, Table};
use super::value::{Range, Value};
use super::{Arrivals, RateStep};

pub(super) const RATE: Keys = Keys {
    name: "rate",
    title: "people a second: a number, { poisson = 1.5 } or { schedule = [[0, 1.0], [60, 0.2]] }",
    known: &["poisson", "schedule"],
    later: &[],
};

/// A rate that people come at.
pub(super) const PER_SECOND: Range = Range::new(1e-6, 1000.0, " people a second");
/// A rate of a schedule, which may pause.
const PER_SECOND_OR_NONE: Range = Range::new(0.0, PER_SECOND.high, PER_SECOND.unit);
/// Most steps of a schedule.
const STEPS_MAX: usize = 1000;

/// How people come; `None` where everybody is there from the start.
pub(super) fn arrivals(table: &Table<'_>) -> Option<Arrivals> {
    let Some(value) = table.get("rate") else {
        for value in table.present(&["until", "total"]).into_iter().filter_map(|key| table.get(key)) {
            let problem = value.problem("only where people come while the run goes on");
            table.report(problem.hint("add rate = 1.5, in people a second"));
        }
        return None;
    };
    // On a circle the count is that of the points to come to.
    if !table.present(&["count"]).is_empty() && table.present(&["circle"]).is_empty() {
        let problem = value.problem("cannot stand beside `count`");
        table.report(problem.hint("people who come have until or total instead of count"));
        return None;
    }
    let until = table.get("until").map(|until| until.number(&AT));
    let total = table.get("total").map(|total| total.whole(0, PEOPLE_MAX));
    let rate = rate(&value);
    if until.is_none() && total.is_none() {
        table.report(value.problem("does not say when it ends").hint("add until = 60, in seconds, or total = 100"));
        return None;
    }
    // A wrong one is reported already; without it nobody knows when it ends.
    let (until, total) =
        (until.map_or(Some(None), |until| until.map(Some))?, total.map_or(Some(None), |total| total.map(Some))?);
    let (rate, random) = rate?;
    Some(Arrivals { rate, random, until, total: total.map(|total| total as u32) }) // at most PEOPLE_MAX
}

/// The rate over time, and whether people come at random.
fn rate(value: &Value<'_>) -> Option<(Vec<RateStep>, bool)> {
    if value.is_number() {
        return Some((constant(value)?, false));
    }
    let table = value.table(&RATE)?;
    let key =
        table.exactly_one(RATE.known, "rate = 1.5, or { poisson = 1.5 }, or { schedule = [[0, 1.0], [60, 0.2]] }")?;
    let given = table.get(key)?;
    let steps = if key == "poisson" && given.is_number() { constant(&given) } else { schedule(&given) };
    Some((steps?, key == "poisson"))
}

fn constant(value: &Value<'_>) -> Option<Vec<RateStep>> {
    Some(vec![RateStep { from: 0.0, rate: value.number(&PER_SECOND)? }])
}

/// `[[0, 1.0], [60, 0.2]]`: one a second from 0 s on, one in five seconds from 60 s on.
fn schedule(value: &Value<'_>) -> Option<Vec<RateStep>> {
    let items = value.list("a list [[seconds, rate], [seconds, rate], ...]")?;
    if items.len() > STEPS_MAX {
        let problem = value.problem(format!("{} steps are too many", items.len()));
        value.sheet.report(problem.allowed(format!("at most {STEPS_MAX}")));
        return None;
    }
    let read: Vec<Option<RateStep>> = items.iter().map(step).collect();
    let steps: Vec<RateStep> = read.into_iter().collect::<Option<_>>()?;
    if let Some(i) = steps.windows(2).position(|pair| pair[1].from <= pair[0].from) {
        let problem = items[i + 1].problem(format!("not later than the step before it, at {} s", steps[i].from));
        value.sheet.report(problem.hint("list the steps in order of time"));
        return None;
    }
    if steps.iter().all(|step| step.rate == 0.0) {
        value.sheet.report(value.problem("nobody ever comes").hint("give one step a rate above 0"));
        return None;
    }
    Some(steps)
}

fn step(value: &Value<'_>) -> Option<RateStep> {
    let items = value.list("a step [seconds, rate]")?;
    let [from, rate] = &items[..] else {
        let what = format!("expected a step [seconds, rate], found a list of {}", items.len());
        value.sheet.report(value.problem(what));
        return None;
    };
    let (from, rate) = (from.number(&AT), rate.number(&PER_SECOND_OR_NONE)); // both, so that both are reported
    Some(RateStep { from: from?, rate: rate? })
}
