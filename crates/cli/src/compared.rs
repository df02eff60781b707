//! Models side by side: the table that people read and the JSON that programs read.

use crate::encountered::of;
use crate::report::{Report, Travel};
use crate::runs::RunsReport;
use passerby::Scenario;
use passerby_measure::plot::{PredictedBeside, PredictedSide};
use passerby_study::{Aggregate, Met, One, Spread};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write;

/// The result of a comparison. The names of the fields are those of `--json` and stay.
#[derive(Debug, Serialize)]
pub struct Compared {
    pub name: String,
    pub scenario: String,
    pub version: &'static str,
    pub seed: u64,
    pub tick: f64,
    pub until: f64,
    pub threads: usize,
    pub interrupted: bool,
    pub runs: u32,
    pub wall_seconds: f64,
    pub models: Vec<Entry>,
}

/// One model: the names of `run --json`, or with several runs those of `run --runs N --json` and the means.
#[derive(Debug, Serialize)]
pub struct Entry {
    pub model: &'static str,
    /// Whether everybody arrived in every run.
    pub complete: bool,
    #[serde(flatten)]
    one: Option<Report>,
    #[serde(flatten)]
    many: Option<RunsReport>,
    #[serde(flatten)]
    means: Option<Means>,
    /// Of all runs, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    encounters: Option<Value>,
    #[serde(skip)]
    met: Option<Met>,
    #[serde(skip)]
    runs: Vec<One>,
}

/// Means over runs, by the names that one run has; null where no run has a value.
#[derive(Debug, Serialize)]
struct Means {
    entered: Option<f64>,
    arrived: Option<f64>,
    contacts: Option<f64>,
    overlap_before_ground_m: Option<f64>,
    last_arrival: Option<f64>,
    travel_time: Travel,
    mean_speed: Option<f64>,
    slow_share: Option<f64>,
}

impl Entry {
    /// One model's runs: the report of the only one, or of all of them.
    pub fn new(
        model: &'static str,
        runs: Vec<One>,
        one: Option<Report>,
        many: Option<RunsReport>,
        met: Option<Met>,
    ) -> Entry {
        let all = Aggregate::of(&runs);
        let mean = |spread: Option<Spread>| spread.map(|spread| spread.mean);
        let means = many.is_some().then(|| Means {
            entered: mean(all.entered),
            arrived: mean(all.arrived),
            contacts: mean(all.contacts),
            overlap_before_ground_m: mean(all.overlap),
            last_arrival: mean(all.last_arrival),
            travel_time: Travel { mean: mean(all.travel_mean), p95: mean(all.travel_p95), max: mean(all.travel_max) },
            mean_speed: mean(all.mean_speed),
            slow_share: mean(all.slow_share),
        });
        let encounters = met.as_ref().map(|Met { all, close, far }| {
            json!({ "all": of(all), "would_pass_within_1_m": of(close), "would_not": of(far) })
        });
        Entry { model, complete: runs.iter().all(|run| run.complete), one, many, means, encounters, met, runs }
    }

    /// Its row: a cell for each of [`HEAD`], then one for each named quantity.
    fn cells(&self) -> Vec<String> {
        let all = Aggregate::of(&self.runs);
        // The times of a single run are of those who arrived; over several they are of the complete ones.
        let single = match &self.runs[..] {
            [run] => Some(&run.summary),
            _ => None,
        };
        let travel = single.and_then(|summary| summary.travel_time);
        let of = |value: Option<f64>, spread: Option<Spread>| match single {
            Some(_) => Spread::of(value.into_iter()),
            None => spread,
        };
        let arrived = match single {
            Some(summary) => format!("{}/{}", summary.arrived, summary.entered),
            None => {
                let mean = |spread: Option<Spread>| spread.map_or(0.0, |spread| spread.mean);
                format!("{:.1}/{:.1}", mean(all.arrived), mean(all.entered))
            }
        };
        let times = |factor: f64, spread: Option<Spread>| {
            spread.map(|Spread { runs, mean, sd, min, max }| Spread {
                runs,
                mean: factor * mean,
                sd: sd.map(|sd| factor * sd),
                min: factor * min,
                max: factor * max,
            })
        };
        let mut cells = vec![
            self.model.to_owned(),
            arrived,
            shown(of(travel.map(|time| time.mean), all.travel_mean), 2),
            shown(of(travel.map(|time| time.p95), all.travel_p95), 2),
            self.last(&all),
            shown(all.contacts, if single.is_some() { 0 } else { 1 }),
            shown(times(1e3, all.overlap), 1),
            shown(all.mean_speed, 2),
            shown(times(100.0, all.slow_share), 1),
        ];
        let quantities = self.runs.first().map_or(0, |run| run.named.len());
        let named = |n: usize| Spread::of(self.runs.iter().filter_map(|run| run.named.get(n)?.value));
        cells.extend((0..quantities).map(|n| shown(named(n), 3)));
        cells
    }

    /// Its row of encounters: a cell for each of [`MET`].
    fn met_cells(&self, Met { all, close, far }: &Met) -> Vec<String> {
        let shown = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        let curve = close.curve();
        let phases = close.phases();
        vec![
            self.model.to_owned(),
            all.count().to_string(),
            close.count().to_string(),
            shown(curve.map(|curve| curve[0]), 2),
            shown(curve.map(|curve| curve[curve.len() - 1]), 2),
            shown(phases.map(|phases| 100.0 * phases.reaction), 0),
            shown(phases.and_then(|phases| phases.regulation).map(|share| 100.0 * share), 0),
            shown(close.adaptation.mean(), 2),
            shown(close.share_of_first.mean().map(|share| 100.0 * share), 0),
            format!("{}/{}", close.order_kept, close.crossing),
            shown(far.adaptation.mean(), 2),
        ]
    }

    /// When the last one arrived; runs that ended before are said to go beyond their end.
    fn last(&self, all: &Aggregate) -> String {
        let missing = self.runs.iter().filter(|run| !run.complete).count();
        let end = self.runs.iter().map(|run| run.time).fold(0.0, f64::max);
        match all.last_arrival {
            None => format!("beyond {end:.0}"),
            last if missing == 0 => shown(last, 2),
            last => format!("{}, {missing} beyond {end:.0}", shown(last, 2)),
        }
    }
}

/// What stands over the columns that every scenario has.
const HEAD: [&str; 9] = [
    "model",
    "arrived",
    "travel mean [s]",
    "p95 [s]",
    "last [s]",
    "contacts",
    "overlap [mm]",
    "speed [m/s]",
    "slow [%]",
];

/// What stands over the columns of encounters.
const MET: [&str; 11] = [
    "model",
    "meet",
    "within 1 m",
    "foreseen [m]",
    "at the end [m]",
    "reaction from [%]",
    "regulation from [%]",
    "adapts [m/s]",
    "by the first [%]",
    "order kept",
    "others adapt [m/s]",
];

/// Tables are broken into blocks no wider than this.
const WIDE: usize = 120;

/// A mean, and its spread where there is one.
fn shown(spread: Option<Spread>, digits: usize) -> String {
    match spread {
        None => "-".to_owned(),
        Some(Spread { mean, sd: None, .. }) => format!("{mean:.digits$}"),
        Some(Spread { mean, sd: Some(sd), .. }) => format!("{mean:.digits$} ± {sd:.digits$}"),
    }
}

impl Compared {
    /// Puts models side by side.
    pub fn new(scenario: &Scenario, runs: u32, models: Vec<Entry>, interrupted: bool, wall_seconds: f64) -> Compared {
        Compared {
            name: scenario.name.clone(),
            scenario: scenario.file.clone(),
            version: env!("CARGO_PKG_VERSION"),
            seed: scenario.run.seed,
            tick: scenario.run.tick,
            until: scenario.run.until,
            threads: rayon::current_num_threads(),
            interrupted,
            runs,
            wall_seconds,
            models,
        }
    }

    /// The table, for a terminal.
    pub fn table(&self) -> String {
        let seeds = match self.runs {
            1 => format!("seed {}", self.seed),
            runs => format!(
                "seeds {} to {}: mean ± standard deviation",
                self.seed,
                self.seed.wrapping_add(u64::from(runs) - 1)
            ),
        };
        let mut text = format!("{} ({seeds})\n", self.name);
        if self.interrupted {
            let _ = writeln!(text, "  interrupted: what had ended by then");
        }
        text += &blocks(&self.rows());
        let met: Vec<Vec<String>> =
            self.models.iter().filter_map(|entry| entry.met.as_ref().map(|met| entry.met_cells(met))).collect();
        if !met.is_empty() {
            text += "encounters\n";
            text += &blocks(&std::iter::once(MET.map(str::to_owned).to_vec()).chain(met).collect::<Vec<_>>());
            let _ = writeln!(
                text,
                "  of those who would pass within 1 m: how near they would come at first and at the end, when that begins to rise and ceases to,\n  \
                 how much both change their velocities, the share of who passes first, and who passes in the order foreseen"
            );
        }
        let _ = writeln!(text, "  overlap: deepest, before ground; slow: share of the time below 0.5 m/s");
        if self.models.iter().any(|entry| !entry.complete) {
            let _ = writeln!(text, "  beyond: not everybody had arrived when the run ended");
        }
        let _ =
            writeln!(text, "  wall time {:.2} s on {} threads; nothing was recorded", self.wall_seconds, self.threads);
        text
    }

    /// The predicted distances of encounters, a panel for each model.
    pub fn encounters(&self) -> PredictedBeside<'_> {
        fn side(entry: &Entry) -> Option<PredictedSide<'_>> {
            let close = &entry.met.as_ref()?.close;
            let remark = match close.curve() {
                Some(curve) => format!(
                    "{} encounters, {:.2} m foreseen, {:.2} m at the end",
                    close.count(),
                    curve[0],
                    curve[curve.len() - 1]
                ),
                None => "no two would have passed within a metre".to_owned(),
            };
            Some(PredictedSide { name: entry.model.to_owned(), remark, summary: close })
        }
        let mut sides = Vec::new();
        for entry in &self.models {
            sides.extend(side(entry));
        }
        PredictedBeside {
            title: self.name.clone(),
            subtitle: format!(
                "predicted distance of those who would pass within a metre, over {} with each model; line: mean",
                if self.runs == 1 { "one run".to_owned() } else { format!("{} runs", self.runs) }
            ),
            sides,
        }
    }

    /// The head and a row for each model.
    fn rows(&self) -> Vec<Vec<String>> {
        let mut head: Vec<String> = HEAD.map(str::to_owned).to_vec();
        let named = self.models.first().and_then(|entry| entry.runs.first()).map_or(&[][..], |run| &run.named);
        head.extend(named.iter().map(|named| match named.unit {
            "" => named.quantity.clone(),
            unit => format!("{} [{unit}]", named.quantity),
        }));
        std::iter::once(head).chain(self.models.iter().map(Entry::cells)).collect()
    }
}

/// Columns as wide as they need to be, in as many blocks as it takes; each begins with the first column.
fn blocks(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (mut text, mut from) = (String::new(), 1);
    while from < columns {
        let (mut to, mut used) = (from, width(0));
        while to < columns && (to == from || used + 2 + width(to) <= WIDE) {
            used += 2 + width(to);
            to += 1;
        }
        for row in rows {
            let first = std::iter::once(format!("  {:<1$}", row[0], width(0)));
            let cells = (from..to).map(|column| format!("  {:>1$}", row[column], width(column)));
            text += first.chain(cells).collect::<String>().trim_end();
            text += "\n";
        }
        from = to;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_tables_are_broken_into_blocks() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let narrow = [row(&["model", "a", "b"]), row(&["orca", "10", "± 3"])];
        assert_eq!(blocks(&narrow), "  model   a    b\n  orca   10  ± 3\n");
        // 5 + 2 + 2 + 2 + 108 = 119: the last column does not fit any more.
        let wider = [row(&["model", "a", &"x".repeat(108), "b"]), row(&["orca", "10", "2", "± 3"])];
        let text = blocks(&wider);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        assert_eq!((lines[2], lines[3]), ("  model    b", "  orca   ± 3"));
    }
}
