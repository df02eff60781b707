//! What many runs say together.

use crate::percentile::{Percentile, percentile};
use crate::runs::One;
use passerby::TravelTime;

/// Share of the runs that have ended within T0.95 (IMO MSC.1/Circ.1533).
const SHARE: f64 = 0.95;
/// How sure the interval round it is.
const CONFIDENCE: f64 = 0.95;

/// Mean and spread of one quantity over runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Over how many runs.
    pub runs: u32,
    /// Mean.
    pub mean: f64,
    /// Standard deviation of the sample (divided by runs - 1); `None` for a single run.
    pub sd: Option<f64>,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
}

impl Spread {
    /// Of these values, in their order; `None` where there are none.
    pub fn of(values: impl Iterator<Item = f64>) -> Option<Spread> {
        let values: Vec<f64> = values.collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        (!values.is_empty()).then(|| Spread {
            runs: values.len() as u32,
            mean,
            sd: (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
            min: values.iter().copied().fold(f64::INFINITY, f64::min),
            max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        })
    }
}

/// Runs together. Times that ask for everybody to have arrived are those of the complete runs alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregate {
    /// How many runs there are.
    pub runs: u32,
    /// Seeds of the runs in which somebody had not arrived at the end.
    pub incomplete: Vec<u64>,
    /// When the last one arrived, s; complete runs.
    pub last_arrival: Option<Spread>,
    /// Within which time 95 of 100 runs have ended, s, with a confidence of 95 %. A run that is not complete counts as one
    /// that never ends, so a value or a bound may be infinite.
    pub t95: Option<Percentile>,
    /// Mean travel time of a run, s; complete runs.
    pub travel_mean: Option<Spread>,
    /// Time within which 95 of 100 people of a run have arrived, s; complete runs.
    pub travel_p95: Option<Spread>,
    /// Longest travel time of a run, s; complete runs.
    pub travel_max: Option<Spread>,
    /// Mean speed of those who walk, m/s; runs in which somebody walked.
    pub mean_speed: Option<Spread>,
    /// Share of the walking time slower than 0.5 m/s; runs in which somebody walked.
    pub slow_share: Option<Spread>,
    /// Contacts; all runs.
    pub contacts: Option<Spread>,
    /// Deepest overlap before the ground, m; all runs.
    pub overlap: Option<Spread>,
    /// People who entered; all runs.
    pub entered: Option<Spread>,
    /// People who arrived; all runs.
    pub arrived: Option<Spread>,
    /// What was measured at named lines and areas: where and what, unit, spread over the runs that have a value.
    pub named: Vec<(String, &'static str, Spread)>,
}

impl Aggregate {
    /// Puts runs together, in their order.
    pub fn of(runs: &[One]) -> Aggregate {
        let complete = || runs.iter().filter(|run| run.complete);
        let travel =
            |part: fn(TravelTime) -> f64| Spread::of(complete().filter_map(|run| run.summary.travel_time).map(part));
        let all = |part: fn(&One) -> f64| Spread::of(runs.iter().map(part));
        let last = |run: &One| if run.complete { run.summary.last_arrival } else { Some(f64::INFINITY) };
        let ends: Vec<f64> = runs.iter().filter_map(last).collect();
        Aggregate {
            runs: runs.len() as u32,
            incomplete: runs.iter().filter(|run| !run.complete).map(|run| run.seed).collect(),
            last_arrival: Spread::of(complete().filter_map(|run| run.summary.last_arrival)),
            t95: percentile(&ends, SHARE, CONFIDENCE),
            travel_mean: travel(|time| time.mean),
            travel_p95: travel(|time| time.p95),
            travel_max: travel(|time| time.max),
            mean_speed: Spread::of(runs.iter().filter_map(|run| run.summary.mean_speed)),
            slow_share: Spread::of(runs.iter().filter_map(|run| run.summary.slow_share)),
            contacts: all(|run| run.summary.contacts as f64),
            overlap: all(|run| f64::from(run.summary.overlap_before_ground)),
            entered: all(|run| run.summary.entered as f64),
            arrived: all(|run| run.summary.arrived as f64),
            named: named(runs),
        }
    }
}

/// Every run has the same named quantities in the same order.
fn named(runs: &[One]) -> Vec<(String, &'static str, Spread)> {
    let Some(first) = runs.first() else { return Vec::new() };
    let spread = |n: usize| Spread::of(runs.iter().filter_map(|run| run.named.get(n)?.value));
    let quantities = first.named.iter().enumerate();
    quantities.filter_map(|(n, named)| Some((named.quantity.clone(), named.unit, spread(n)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 4 4 4 5 5 7 9: the mean is 5, the squares of the differences add up to 9 + 3 + 0 + 4 + 16 = 32.
    #[test]
    fn spread_of_a_sample() {
        let spread = Spread::of([2., 4., 4., 4., 5., 5., 7., 9.].into_iter()).expect("a sample");
        assert_eq!((spread.runs, spread.mean, spread.min, spread.max), (8, 5.0, 2.0, 9.0));
        assert_eq!(spread.sd, Some((32.0f64 / 7.0).sqrt()));
        assert_eq!(Spread::of([3.0].into_iter()).map(|spread| spread.sd), Some(None));
        assert_eq!(Spread::of(std::iter::empty()), None);
    }
}
