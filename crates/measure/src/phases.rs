//! The phases of an encounter in its predicted distance: people observe, then react, then keep what they have reached
//! (Olivier et al. 2012, section 3; Pettré et al. 2009). The last one, regulation, is a plateau: a curve that still rises when they
//! pass each other has none.

/// A trial has phases if its predicted distance rises by this much, m.
const RISE_MIN: f64 = 0.1;
/// Points that differ by no more than this are equal, m.
const ROUNDING: f64 = 1e-9;
/// On a plateau the curve is this near to its highest point, as a share of the rise.
const LEVEL: f64 = 0.05;
/// A plateau loses no more than this share of the rise before the end. In the paper it is 9 %.
const LOSS_MAX: f64 = 0.25;
/// The plateau of a mean curve lasts at least this share of the time.
const PLATEAU_MIN: f64 = 0.05;
/// The plateau of a trial lasts at least this share of the time that the rise took from a tenth to nine tenths. What somebody does
/// shortly before they pass hardly changes how near they come: who brakes evenly to the end has 0.46 of it.
const PLATEAU_OF_RISE: f64 = 0.5;

/// What walkers do between seeing each other and passing: first nothing, then they adapt, then they keep what they reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Phases {
    /// When observation ends and reaction begins.
    pub reaction: f64,
    /// When reaction ends and regulation begins; `None` if there is no plateau, so that reaction goes on to the end.
    pub regulation: Option<f64>,
}

/// Phases of a predicted distance that is the mean over many trials, at equal steps of normalised time from 0 to 1. `None` if it
/// never rises.
///
/// Reaction begins at the lowest point before the highest. Regulation begins where the curve first ceases to rise within 5 % of the
/// rise below the highest point, which is the highest point itself unless a wobble of the plateau is a hair higher. There is none if it
/// lasts less than 5 % of the time, or if a quarter of the rise is lost again before the end.
///
/// This is the paper's rule (section 3, sign of the derivative), which no single trial is smooth enough for.
pub fn phases_of_mean(curve: &[f64]) -> Option<Phases> {
    let (low, high) = rise(curve)?;
    let rise = curve[high] - curve[low];
    let share = |k: usize| k as f64 / (curve.len() - 1) as f64;
    let level = curve[high] - LEVEL * rise;
    let plateau = (low + 1..curve.len() - 1).find(|k| curve[*k] >= level && curve[k + 1] <= curve[*k]);
    let lasts = |k: &usize| 1.0 - share(*k) >= PLATEAU_MIN - 1e-9;
    let kept = |k: &usize| least(&curve[*k..]) >= curve[high] - LOSS_MAX * rise;
    Some(Phases { reaction: share(low), regulation: plateau.filter(lasts).filter(kept).map(share) })
}

/// Phases of a single trial, in the units of `times`: when a tenth and nine tenths of the rise are reached. `None` if it
/// rises by less than 0.1 m.
///
/// Regulation has to last half of the time between the two, and to lose no more than a quarter of the rise.
pub fn phases_of_trial(times: &[f64], curve: &[f64]) -> Option<Phases> {
    let (low, high) = rise(curve)?;
    let rise = curve[high] - curve[low];
    // The sample at or before which a share of the rise is reached, and the moment.
    let reached = |share: f64| {
        let level = curve[low] + share * rise;
        let k = (low + 1..=high).find(|k| curve[*k] >= level)?;
        let part = (level - curve[k - 1]) / (curve[k] - curve[k - 1]);
        Some((k, times[k - 1] + part * (times[k] - times[k - 1])))
    };
    (rise >= RISE_MIN).then_some(())?;
    let ((_, reaction), (k, regulation)) = (reached(0.1)?, reached(0.9)?);
    let lasts = times[times.len() - 1] - regulation >= PLATEAU_OF_RISE * (regulation - reaction);
    let kept = least(&curve[k..]) >= curve[high] - LOSS_MAX * rise;
    Some(Phases { reaction, regulation: (lasts && kept).then_some(regulation) })
}

/// The lowest point before the highest, the last of equals because until then nothing rises; and the highest, the first of equals.
/// `None` if there is none before it.
fn rise(curve: &[f64]) -> Option<(usize, usize)> {
    let high = (0..curve.len()).reduce(|best, k| if curve[k] > curve[best] { k } else { best })?;
    let lowest = least(&curve[..high]) + ROUNDING;
    let low = (0..high).rev().find(|k| curve[*k] <= lowest)?;
    Some((low, high))
}

fn least(curve: &[f64]) -> f64 {
    curve.iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{approach, normalised_time};
    use passerby_geometry::DVec2;

    #[track_caller]
    fn near(value: f64, expected: f64, what: &str) {
        assert!((value - expected).abs() <= 6e-7, "{what}: {value}, expected {expected}");
    }

    /// One walks along x at 1.5 m/s through (0, 0) after 4 s; the other comes from below at a right angle, at 1.5 m/s, and brakes by 0.3 m/s2
    /// between two moments. Their predicted distance at 0, 0.001 s ... as in the worked examples, which have the braking from 1 s to 2 s.
    fn pair(begin: f64, end: f64, seconds: f64) -> (Vec<f64>, Vec<f64>) {
        let times: Vec<f64> = (0..=(1000.0 * seconds) as u32).map(|k| 0.001 * f64::from(k)).collect();
        let predicted = |t: f64| {
            let braking = (t - begin).clamp(0.0, end - begin);
            let y = -6.0 + 1.5 * t - 0.15 * braking * braking - 0.3 * (end - begin) * (t - end).max(0.0);
            let (one, other) = (DVec2::new(-6.0 + 1.5 * t, 0.0), DVec2::new(0.0, y));
            approach(other - one, DVec2::new(-1.5, 1.5 - 0.3 * braking)).distance
        };
        let curve = times.iter().map(|t| predicted(*t)).collect();
        (times, curve)
    }

    /// The curve at 0 %, 1 % ... 100 % of its time.
    fn hundredths(curve: &[f64]) -> Vec<f64> {
        (0..=100).map(|k| curve[k * (curve.len() - 1) / 100]).collect()
    }

    #[test]
    fn phases_of_the_scripted_encounter_are_the_worked_ones() {
        let (times, curve) = pair(1.0, 2.0, 4.243);
        let found = phases_of_trial(&times, &curve).unwrap();
        near(found.reaction, 1.092607, "10 %");
        near(found.regulation.unwrap(), 1.890170, "90 %");
        near(normalised_time(found.reaction, 0.0, 4.243902439), 0.257453, "10 %");
        near(normalised_time(found.regulation.unwrap(), 0.0, 4.243902439), 0.445385, "90 %");
        assert_eq!(phases_of_trial(&[0.0, 1.0, 2.0], &[0.5, 0.59, 0.55]), None); // rises by 0.09 m
        assert_eq!(phases_of_trial(&[], &[]), None);
        assert_eq!(phases_of_trial(&[0.0, 1.0], &[0.9, 0.2]), None);
    }

    /// Braking ends after 2 s of 4.243, which is 47 %: from there on the curve is level.
    #[test]
    fn a_pair_that_is_done_early_has_a_plateau() {
        let (_, curve) = pair(1.0, 2.0, 4.243);
        let found = phases_of_mean(&hundredths(&curve)).unwrap();
        assert!(
            (0.2..=0.24).contains(&found.reaction) && (0.45..=0.49).contains(&found.regulation.unwrap()),
            "{found:?}"
        );
    }

    /// Who brakes until they pass still reacts at the end: no plateau, neither in the trial nor in a mean of such trials.
    #[test]
    fn a_pair_that_adapts_to_the_end_has_none() {
        let (times, curve) = pair(1.0, 4.4, 4.3);
        let (of_trial, of_mean) =
            (phases_of_trial(&times, &curve).unwrap(), phases_of_mean(&hundredths(&curve)).unwrap());
        assert_eq!((of_trial.regulation, of_mean.regulation), (None, None));
        assert!(
            (1.0..2.0).contains(&of_trial.reaction) && (0.2..=0.24).contains(&of_mean.reaction),
            "{of_trial:?} {of_mean:?}"
        );
    }

    /// Nobody adapts: what is predicted does not change.
    #[test]
    fn a_pair_that_does_not_adapt_has_no_phases() {
        let (times, curve) = pair(9.0, 10.0, 3.9);
        assert_eq!(phases_of_trial(&times, &curve), None);
    }

    #[track_caller]
    fn check(curve: &[f64], reaction: f64, regulation: Option<f64>) {
        assert_eq!(phases_of_mean(curve), Some(Phases { reaction, regulation }), "{curve:?}");
    }

    #[test]
    fn phases_of_a_mean_curve_are_the_worked_ones() {
        check(&[0.44, 0.43, 0.46, 0.52, 0.60, 0.68, 0.76, 0.83, 0.88, 0.87, 0.84], 0.1, Some(0.8));
        assert_eq!(phases_of_mean(&[0.9, 0.5, 0.4]), None);
        assert_eq!(phases_of_mean(&[]), None);
        assert_eq!(phases_of_mean(&[0.4]), None);
        assert_eq!(phases_of_mean(&[0.4, 0.4]), None);
    }

    #[test]
    fn a_plateau_is_level_lasts_and_is_kept() {
        check(&[0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], 0.0, None); // rises to the end
        check(&[0.4, 0.6, 0.8, 1.0, 0.99, 1.0, 1.01], 0.0, Some(0.5)); // the wobble is 2 % of the rise
        check(&[0.4, 0.6, 0.8, 0.9, 0.89, 0.95, 1.0], 0.0, None); // here it is 17 %
        check(&[0.4, 0.6, 0.8, 1.0, 0.8, 0.6, 0.5], 0.0, None); // nothing is kept
        check(&[0.4, 0.6, 0.8, 1.0, 0.8, 0.9, 0.99], 0.0, None); // a third of the rise is lost on the way
        // Highest at 95 % of the time, and at 96 %: too short a plateau.
        let peak = |at: usize| (0..=100_usize).map(|k| 1.0 - 0.001 * k.abs_diff(at) as f64).collect::<Vec<_>>();
        check(&peak(95), 0.0, Some(0.95));
        check(&peak(96), 0.0, None);
    }
}
