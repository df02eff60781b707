//! `passerby run --runs N`: many seeds, one result.

use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::progress::RunsProgress;
use crate::report::{Travel, listed, peak_rss_bytes};
use passerby::{Scenario, Simulation};
use passerby_study::{Aggregate, One, Spread, Watch, run_seeds, runs_needed};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::Instant;

/// The result of many runs. The names of the fields are those of `--json` and stay.
#[derive(Debug, Serialize)]
pub struct RunsReport {
    pub name: String,
    pub scenario: String,
    pub version: &'static str,
    pub models: Vec<&'static str>,
    pub first_seed: u64,
    pub tick: f64,
    pub until: f64,
    pub threads: usize,
    pub interrupted: bool,
    pub runs_wanted: u32,
    pub runs: u32,
    pub wall_seconds: f64,
    pub peak_rss_bytes: Option<u64>,
    /// Seeds of the runs in which somebody had not arrived at the end.
    pub incomplete: Vec<u64>,
    pub t95: T95,
    pub aggregate: Vec<Row>,
    pub each: Vec<Each>,
}

/// Time within which 95 of 100 runs have seen the last one arrive, s. Null: beyond the end of the runs, or for a bound, too
/// few runs.
#[derive(Debug, Serialize)]
pub struct T95 {
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub confidence: f64,
    pub runs_needed: u32,
}

/// One quantity over the runs.
#[derive(Debug, Serialize)]
pub struct Row {
    pub quantity: String,
    pub unit: &'static str,
    pub runs: u32,
    pub mean: f64,
    pub sd: Option<f64>,
    pub min: f64,
    pub max: f64,
}

/// One run.
#[derive(Debug, Serialize)]
pub struct Each {
    pub seed: u64,
    pub digest: String,
    pub sim_seconds: f64,
    pub complete: bool,
    pub entered: u64,
    pub arrived: u64,
    pub unable: u64,
    pub contacts: u64,
    pub overlap_before_ground_m: f32,
    pub last_arrival: Option<f64>,
    pub travel_time: Travel,
    pub mean_speed: Option<f64>,
    pub slow_share: Option<f64>,
    /// What was measured at the scenario's named lines and areas.
    pub measures: BTreeMap<String, Option<f64>>,
}

/// Shows progress and listens for Ctrl-C.
impl Watch for RunsProgress {
    fn stepped(&self, simulation: &Simulation) -> ControlFlow<()> {
        self.stepped(simulation);
        if interrupt::asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn ended(&self, _: &One) {
        self.ended();
    }
}

/// Runs the scenario with its seed and those after it, on the pool it is called in.
pub fn run(scenario: &Scenario, runs: u32, quiet: bool) -> Result<RunsReport, Failure> {
    interrupt::watch()?;
    let began = Instant::now();
    let progress = RunsProgress::new(runs, quiet);
    let done = run_seeds(scenario, runs, &progress);
    progress.end();
    Ok(RunsReport::new(scenario, runs, done?, began.elapsed().as_secs_f64()))
}

fn rows(all: &Aggregate) -> Vec<Row> {
    let quantities = [
        ("last arrival", "s", all.last_arrival),
        ("travel time, mean", "s", all.travel_mean),
        ("travel time, 95 of 100 within", "s", all.travel_p95),
        ("travel time, longest", "s", all.travel_max),
        ("mean speed", "m/s", all.mean_speed),
        ("time below 0.5 m/s", "share", all.slow_share),
        ("contacts", "", all.contacts),
        ("deepest overlap before ground", "m", all.overlap),
        ("people entered", "", all.entered),
        ("people arrived", "", all.arrived),
    ];
    let row = |quantity: &str, unit, Spread { runs, mean, sd, min, max }: Spread| Row {
        quantity: quantity.to_owned(),
        unit,
        runs,
        mean,
        sd,
        min,
        max,
    };
    let known = quantities.into_iter().filter_map(|(quantity, unit, spread)| Some(row(quantity, unit, spread?)));
    known.chain(all.named.iter().map(|(quantity, unit, spread)| row(quantity, unit, *spread))).collect()
}

/// So many runs.
pub fn counted(runs: u32) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}

fn each(One { seed, digest, time, complete, summary, named }: One) -> Each {
    let travel = summary.travel_time;
    Each {
        seed,
        digest: format!("{digest:016x}"),
        sim_seconds: time,
        complete,
        entered: summary.entered,
        arrived: summary.arrived,
        unable: summary.unable,
        contacts: summary.contacts,
        overlap_before_ground_m: summary.overlap_before_ground,
        last_arrival: summary.last_arrival,
        travel_time: Travel {
            mean: travel.map(|time| time.mean),
            p95: travel.map(|time| time.p95),
            max: travel.map(|time| time.max),
        },
        mean_speed: summary.mean_speed,
        slow_share: summary.slow_share,
        measures: named.into_iter().map(|named| (named.quantity, named.value)).collect(),
    }
}

impl RunsReport {
    /// Puts runs of a scenario together, of which so many were wanted.
    pub fn new(scenario: &Scenario, runs_wanted: u32, done: Vec<One>, wall_seconds: f64) -> RunsReport {
        let all = Aggregate::of(&done);
        let models: BTreeSet<_> = scenario.populations.iter().map(|population| population.moved_by()).collect();
        let finite = |value: f64| value.is_finite().then_some(value);
        RunsReport {
            name: scenario.name.clone(),
            scenario: scenario.file.clone(),
            version: env!("CARGO_PKG_VERSION"),
            models: models.into_iter().collect(),
            first_seed: scenario.run.seed,
            tick: scenario.run.tick,
            until: scenario.run.until,
            threads: rayon::current_num_threads(),
            interrupted: interrupt::asked() && all.runs < runs_wanted,
            runs_wanted,
            runs: all.runs,
            wall_seconds,
            peak_rss_bytes: peak_rss_bytes(),
            incomplete: all.incomplete.clone(),
            t95: T95 {
                value: all.t95.and_then(|t95| finite(t95.value)),
                low: all.t95.and_then(|t95| t95.low).and_then(finite),
                high: all.t95.and_then(|t95| t95.high).and_then(finite),
                confidence: 0.95,
                runs_needed: runs_needed(0.95, 0.95),
            },
            aggregate: rows(&all),
            each: done.into_iter().map(each).collect(),
        }
    }

    /// The table, for a terminal.
    pub fn table(&self) -> String {
        let last = self.each.last().map_or(self.first_seed, |run| run.seed);
        let (first, models) = (self.first_seed, listed(&self.models));
        let mut text = match self.each.len() {
            0 | 1 => format!("{} ({models}, seed {first})\n", self.name),
            _ => format!("{} ({models}, seeds {first} to {last})\n", self.name),
        };
        if self.interrupted {
            let _ = writeln!(text, "  interrupted: {} of {}", self.runs, counted(self.runs_wanted));
        }
        let [quantity, mean, sd, min, max, runs] = Self::HEAD;
        let _ = writeln!(text, "  {quantity:<36}{mean:>10}{sd:>10}{min:>10}{max:>10}{runs:>8}");
        for [quantity, mean, sd, min, max, runs] in self.cells() {
            let _ = writeln!(text, "  {quantity:<36}{mean:>10}{sd:>10}{min:>10}{max:>10}{runs:>8}");
        }
        for (name, value) in self.remarks().into_iter().chain(self.course()) {
            let _ = writeln!(text, "  {name:<24}{value}");
        }
        text
    }

    /// What stands over the columns of [`RunsReport::cells`].
    pub const HEAD: [&str; 6] = ["", "mean", "sd", "min", "max", "runs"];

    /// Quantities with their units, mean, standard deviation, smallest, largest and the number of runs.
    pub fn cells(&self) -> Vec<[String; 6]> {
        let cells = |row: &Row| {
            let number = |value: f64| match row.unit {
                "" => format!("{value:.1}"),
                "share" | "m" => format!("{value:.4}"),
                "m/s" => format!("{value:.3}"),
                _ => format!("{value:.2}"),
            };
            let unit = if row.unit.is_empty() { String::new() } else { format!(" [{}]", row.unit) };
            [
                format!("{}{unit}", row.quantity),
                number(row.mean),
                row.sd.map_or_else(|| "-".to_owned(), number),
                number(row.min),
                number(row.max),
                row.runs.to_string(),
            ]
        };
        self.aggregate.iter().map(cells).collect()
    }

    /// T0.95, how sure it is, and who did not arrive.
    pub fn remarks(&self) -> Vec<(&'static str, String)> {
        if self.runs == 0 {
            return Vec::new();
        }
        let T95 { value, low, high, confidence, runs_needed } = &self.t95;
        let seconds = |value: &Option<f64>| value.map(|value| format!("{value:.2} s"));
        let mut rows = Vec::new();
        // Then there is no last one to wait for.
        if self.each.iter().all(|run| run.entered == 0) {
            return vec![("T0.95", "-, nobody has entered".to_owned())];
        }
        let beyond = || format!("beyond the end of the runs at {} s", self.until);
        rows.push(("T0.95", seconds(value).unwrap_or_else(beyond)));
        let percent = 100.0 * confidence;
        let interval = if self.runs < *runs_needed {
            let from = seconds(low).map_or_else(String::new, |low| format!("from {low}, "));
            format!("{from}no upper bound with {}: {percent:.0} % take {runs_needed}", counted(self.runs))
        } else {
            let [low, high] = [low, high].map(|bound| seconds(bound).unwrap_or_else(beyond));
            format!("{low} to {high}, {percent:.0} % confidence")
        };
        rows.push(("  interval", interval));
        if !self.incomplete.is_empty() {
            let shown: Vec<String> = self.incomplete.iter().take(10).map(u64::to_string).collect();
            let more = if self.incomplete.len() > shown.len() { ", ..." } else { "" };
            let count = self.incomplete.len();
            let seeds = shown.join(", ");
            let of = counted(self.runs);
            rows.push((
                "not all arrived",
                format!(
                    "in {count} of {of} (seeds {seeds}{more}): not in the times above; T0.95 counts them as endless"
                ),
            ));
        }
        rows
    }

    /// How it went here.
    fn course(&self) -> Vec<(&'static str, String)> {
        let mut rows = vec![("wall time", format!("{:.2} s on {} threads", self.wall_seconds, self.threads))];
        rows.extend(self.peak_rss_bytes.map(|most| ("  memory at most", output::bytes(most))));
        rows.push(("recording", "none; `--seed N` without `--runs` records one of them".to_owned()));
        rows
    }
}
