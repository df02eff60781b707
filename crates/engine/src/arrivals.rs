//! When people come: the times that a rate gives, one after another.

use crate::saved::{Bytes, Saved};
use crate::scenario::{Arrivals, RateStep};
use passerby_crowd::AgentId;
use passerby_geometry::chance::{Chance, Purpose};

/// Who comes next to a population. Whoever finds no place waits outside, and those after them wait behind: so the next one
/// is all there is to remember.
#[derive(Debug, Clone)]
pub(crate) struct Coming {
    arrivals: Arrivals,
    population: u32,
    chance: Chance,
    /// How many have come before the next one.
    number: u32,
    /// How many the rate lets expect up to the next one: a clock that goes as fast as people come.
    expected: f64,
    /// When the next one comes, s.
    next: Option<f64>,
}

/// Hair of tolerance on times and counts: the third person of 0.1 a second comes at 30 s, not a tick later.
const HAIR: f64 = 1e-9;

impl Coming {
    pub fn new(arrivals: &Arrivals, population: u32, chance: Chance) -> Coming {
        let mut coming =
            Coming { arrivals: arrivals.clone(), population, chance, number: 0, expected: 0.0, next: None };
        coming.look_ahead();
        coming
    }

    /// Whether anybody is still to come.
    pub fn is_over(&self) -> bool {
        self.next.is_none()
    }

    /// Whether the next one is due at a time.
    pub fn is_due(&self, time: f64) -> bool {
        self.next.is_some_and(|next| next <= time + HAIR)
    }

    /// The next one has entered.
    pub fn entered(&mut self) {
        self.number += 1;
        self.look_ahead();
    }

    /// Appends how far it is; the rest follows from the scenario.
    pub fn save(&self, to: &mut Vec<u8>) {
        let Self { arrivals: _, population: _, chance: _, number, expected, next } = self;
        (number.save(to), expected.save(to), next.save(to));
    }

    /// Goes on from where it was when it was saved.
    pub fn load(&mut self, from: &mut Bytes<'_>) -> Result<(), String> {
        let Self { arrivals: _, population: _, chance: _, number, expected, next } = self;
        (*number, *expected, *next) = (Saved::load(from)?, Saved::load(from)?, Saved::load(from)?);
        let sound = *number <= AgentId::ORDINALS_MAX && expected.is_finite() && next.is_none_or(f64::is_finite);
        if sound { Ok(()) } else { Err(format!("person {number} of a population comes at an impossible time")) }
    }

    /// Finds out when the next one comes.
    ///
    /// Evenly: whenever the rate has added up to one more. Poisson: whenever it has added up to one more draw of an exponential law with
    /// mean 1, which gives a Poisson process also where the rate changes (Lewis, Shedler 1979, inversion).
    fn look_ahead(&mut self) {
        let Arrivals { rate, random, until, total } = &self.arrivals;
        if total.is_some_and(|total| self.number >= total) || self.number >= AgentId::ORDINALS_MAX {
            self.next = None;
            return;
        }
        let id = AgentId::new(self.population, self.number);
        self.expected += if *random { self.chance.stream(id.bits(), 0, Purpose::Arrival).exponential() } else { 1.0 };
        self.next = time_of(rate, self.expected).filter(|time| until.is_none_or(|until| *time <= until + HAIR));
    }
}

/// When a rate has added up to so many people, s; `None` if it never does.
fn time_of(rate: &[RateStep], people: f64) -> Option<f64> {
    let mut before = 0.0;
    for (i, step) in rate.iter().enumerate() {
        let end = rate.get(i + 1).map_or(f64::INFINITY, |next| next.from);
        if step.rate > 0.0 {
            let after = before + step.rate * (end - step.from);
            if people <= after + HAIR {
                return Some(step.from + (people - before) / step.rate);
            }
            before = after;
        }
    }
    None
}

impl Arrivals {
    /// How many are expected to come in all; `total` if there is one and the rate gets that far.
    pub fn expected(&self) -> f64 {
        let end = self.until.unwrap_or(f64::INFINITY);
        let mut people = 0.0;
        for (i, step) in self.rate.iter().enumerate().filter(|(_, step)| step.rate > 0.0) {
            let next = self.rate.get(i + 1).map_or(f64::INFINITY, |next| next.from);
            people += step.rate * (next.min(end) - step.from).max(0.0);
        }
        self.total.map_or(people, |total| people.min(f64::from(total)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times of a rate, rounded to milliseconds.
    fn times(rate: &[[f64; 2]], random: bool, until: Option<f64>, total: Option<u32>) -> Vec<f64> {
        let rate = rate.iter().map(|&[from, rate]| RateStep { from, rate }).collect();
        let arrivals = Arrivals { rate, random, until, total };
        let mut coming = Coming::new(&arrivals, 0, Chance::new(7));
        let mut times = Vec::new();
        while let Some(next) = coming.next {
            times.push((next * 1000.0).round() / 1000.0);
            coming.entered();
        }
        times
    }

    #[test]
    fn people_come_whenever_the_rate_adds_up_to_one_more() {
        assert_eq!(times(&[[0.0, 0.5]], false, Some(6.0), None), [2.0, 4.0, 6.0]);
        assert_eq!(times(&[[0.0, 0.1]], false, Some(1e6), Some(3)), [10.0, 20.0, 30.0]);
        assert_eq!(times(&[[0.0, 1.0], [2.0, 0.2]], false, Some(13.0), None), [1.0, 2.0, 7.0, 12.0]);
        // Half a person is left over from before the pause.
        assert_eq!(times(&[[1.0, 0.5], [4.0, 0.0], [10.0, 1.0]], false, None, Some(3)), [3.0, 10.5, 11.5]);
        assert_eq!(times(&[[0.0, 0.1], [60.0, 0.0]], false, None, Some(9)).len(), 6);
        assert!(times(&[[5.0, 1.0]], false, Some(5.5), None).is_empty());
    }

    /// Six hours at four rates: the count is within four deviations of what is expected, in each part.
    #[test]
    fn poisson_counts_follow_the_rate() {
        let steps = [[0.0, 1.5], [5400.0, 0.1], [10800.0, 0.0], [16200.0, 3.0]];
        let times = times(&steps, true, Some(21600.0), None);
        for (i, [from, rate]) in steps.into_iter().enumerate() {
            let end = steps.get(i + 1).map_or(21600.0, |next| next[0]);
            let count = times.iter().filter(|time| (from..end).contains(*time)).count() as f64;
            let expected = rate * (end - from);
            assert!((count - expected).abs() <= 4.0 * expected.sqrt(), "{count} people, expected {expected}");
        }
    }

    #[test]
    fn expected_people() {
        let arrivals = |until, total| Arrivals {
            rate: vec![RateStep { from: 0.0, rate: 1.0 }, RateStep { from: 60.0, rate: 0.2 }],
            random: false,
            until,
            total,
        };
        assert_eq!(arrivals(Some(30.0), None).expected(), 30.0);
        assert_eq!(arrivals(Some(160.0), None).expected(), 80.0);
        assert_eq!(arrivals(Some(160.0), Some(50)).expected(), 50.0);
        assert_eq!(arrivals(None, Some(500)).expected(), 500.0);
    }
}
