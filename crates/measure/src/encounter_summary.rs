//! What many encounters have in common: means, the mean curve of predicted distance with its phases, who adapts how much, who
//! passes first, and how often which predicted distance at which time.

use crate::{Encounter, PassingOrder, Phases, phases_of_mean};

/// Points of the curve, at 0 %, 1 % ... 100 % of the time from seeing each other to the closest approach.
pub const CURVE_POINTS: usize = 101;
/// Height of a bin of the density plot, m, and how many there are: up to 3 m.
const BIN: f64 = 0.05;
const BINS: usize = 60;

/// Mean and extremes of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    count: u64,
    sum: f64,
    /// The smallest; infinite if there is none.
    pub least: f64,
    /// The largest; minus infinity if there is none.
    pub most: f64,
}

impl Default for Spread {
    fn default() -> Self {
        Self { count: 0, sum: 0.0, least: f64::INFINITY, most: f64::NEG_INFINITY }
    }
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
        (self.least, self.most) = (self.least.min(value), self.most.max(value));
    }

    /// How many values.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn join(&mut self, other: &Spread) {
        self.count += other.count;
        self.sum += other.sum;
        (self.least, self.most) = (self.least.min(other.least), self.most.max(other.most));
    }

    /// Their mean; `None` if there are none.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// Collects encounters.
#[derive(Debug, Clone, PartialEq)]
pub struct EncounterSummary {
    /// From seeing each other to the nearest sample, s.
    pub duration: Spread,
    /// Speed of both during it, m/s.
    pub speed: Spread,
    /// Distance at the nearest sample, m.
    pub distance: Spread,
    /// Distance at the closest approach, between samples if need be, m.
    pub clearance: Spread,
    /// What was predicted when they saw each other, m.
    pub predicted_see: Spread,
    /// Beginning of reaction of the trials that rise enough for it, as shares of their time.
    pub reaction: Spread,
    /// Beginning of regulation of those of them that have a plateau.
    pub regulation: Spread,
    /// What both together change of their velocities, m/s: the integral of |dV/dt| over the time.
    pub adaptation: Spread,
    /// The share of it that is the work of the one who does more, 0.5 to 1.
    pub share_of_more: Spread,
    /// The share of it that is the work of the one who passes first, where there is one.
    pub share_of_first: Spread,
    /// Pairs whose directions are 45 to 135 degrees apart when they see each other, and who would pass and do pass one before
    /// the other.
    pub crossing: u64,
    /// Those of them who pass in the order they would have passed in without adaptation.
    pub order_kept: u64,
    sums: [f64; CURVE_POINTS],
    squares: [f64; CURVE_POINTS],
    /// Point by point from the lowest bin.
    bins: Vec<u32>,
    above: u64,
}

impl Default for EncounterSummary {
    fn default() -> Self {
        let none = Spread::default();
        Self {
            duration: none,
            speed: none,
            distance: none,
            clearance: none,
            predicted_see: none,
            reaction: none,
            regulation: none,
            adaptation: none,
            share_of_more: none,
            share_of_first: none,
            crossing: 0,
            order_kept: 0,
            sums: [0.0; CURVE_POINTS],
            squares: [0.0; CURVE_POINTS],
            bins: vec![0; CURVE_POINTS * BINS],
            above: 0,
        }
    }
}

impl EncounterSummary {
    /// Takes in an encounter.
    pub fn see(&mut self, encounter: &Encounter<'_>) {
        self.duration.add(encounter.duration());
        self.distance.add(encounter.closest.distance);
        self.clearance.add(encounter.closest.clearance);
        self.predicted_see.add(encounter.predicted[0]);
        let speeds = encounter.velocities.map(|column| mean(column.iter().map(|velocity| velocity.length())));
        self.speed.add(0.5 * (speeds[0] + speeds[1]));
        if let Some(phases) = encounter.phases() {
            self.reaction.add(phases.reaction / encounter.duration());
            if let Some(regulation) = phases.regulation {
                self.regulation.add(regulation / encounter.duration());
            }
        }
        self.see_curve(encounter.predicted);
        let order = self.see_order(encounter);
        self.see_adaptation(encounter, order);
    }

    /// Takes in all that another summary has seen.
    pub fn join(&mut self, other: &EncounterSummary) {
        let Self {
            duration,
            speed,
            distance,
            clearance,
            predicted_see,
            reaction,
            regulation,
            adaptation,
            share_of_more,
            share_of_first,
            crossing,
            order_kept,
            sums,
            squares,
            bins,
            above,
        } = self;
        for (mine, theirs) in [
            (duration, &other.duration),
            (speed, &other.speed),
            (distance, &other.distance),
            (clearance, &other.clearance),
            (predicted_see, &other.predicted_see),
            (reaction, &other.reaction),
            (regulation, &other.regulation),
            (adaptation, &other.adaptation),
            (share_of_more, &other.share_of_more),
            (share_of_first, &other.share_of_first),
        ] {
            mine.join(theirs);
        }
        (*crossing += other.crossing, *order_kept += other.order_kept, *above += other.above);
        sums.iter_mut().zip(&other.sums).for_each(|(mine, theirs)| *mine += theirs);
        squares.iter_mut().zip(&other.squares).for_each(|(mine, theirs)| *mine += theirs);
        bins.iter_mut().zip(&other.bins).for_each(|(mine, theirs)| *mine += theirs);
    }

    /// How many encounters were taken in.
    pub fn count(&self) -> u64 {
        self.duration.count()
    }

    /// Mean of the predicted distance, m, at 0 %, 1 % ... 100 % of the time; `None` without encounters.
    pub fn curve(&self) -> Option<[f64; CURVE_POINTS]> {
        (self.count() > 0).then(|| self.sums.map(|sum| sum / self.count() as f64))
    }

    /// Standard deviation of the predicted distance at the same points, m; `None` with fewer than two encounters.
    pub fn curve_deviation(&self) -> Option<[f64; CURVE_POINTS]> {
        let n = self.count() as f64;
        let variance = |k: usize| (self.squares[k] - self.sums[k] * self.sums[k] / n).max(0.0) / (n - 1.0);
        (self.count() > 1).then(|| std::array::from_fn(|k| variance(k).sqrt()))
    }

    /// The highest point of the mean curve, the first of equals: as a share of the time, and m; `None` without encounters.
    pub fn highest(&self) -> Option<(f64, f64)> {
        let curve = self.curve()?;
        let point = (1..CURVE_POINTS).fold(0, |best, k| if curve[k] > curve[best] { k } else { best });
        Some((point as f64 / (CURVE_POINTS - 1) as f64, curve[point]))
    }

    /// The phases of the mean curve, as shares of the time; `None` if it rises by less than 5 cm: then nobody has reacted.
    pub fn phases(&self) -> Option<Phases> {
        let curve = self.curve()?;
        let rise = curve.iter().copied().fold(0.0, f64::max) - curve.iter().copied().fold(f64::INFINITY, f64::min);
        phases_of_mean(&curve).filter(|_| rise >= 0.05)
    }

    /// How many encounters have which predicted distance at a point of the curve: bins of 0.05 m up to 3 m, from below. What
    /// is above 3 m is in none.
    pub fn bins(&self, point: usize) -> &[u32] {
        &self.bins[point * BINS..(point + 1) * BINS]
    }

    /// Height of a bin, m.
    pub fn bin(&self) -> f64 {
        BIN
    }

    /// Points of curves that are above the last bin.
    pub fn above(&self) -> u64 {
        self.above
    }

    fn see_curve(&mut self, predicted: &[f64]) {
        for point in 0..CURVE_POINTS {
            let value = at(predicted, point as f64 / (CURVE_POINTS - 1) as f64);
            self.sums[point] += value;
            self.squares[point] += value * value;
            match (value / BIN + 1e-9) as usize {
                bin if bin < BINS => self.bins[point * BINS + bin] += 1,
                _ => self.above += 1,
            }
        }
    }

    /// Who passes first, if their ways cross.
    fn see_order(&mut self, encounter: &Encounter<'_>) -> Option<PassingOrder> {
        let [foreseen, happened] = encounter.orders();
        if let (Some(foreseen), Some(happened)) = (foreseen, happened) {
            self.crossing += 1;
            self.order_kept += u64::from(foreseen == happened);
        }
        happened
    }

    fn see_adaptation(&mut self, encounter: &Encounter<'_>, order: Option<PassingOrder>) {
        let [one, other] = encounter.adaptations();
        let both = one + other;
        self.adaptation.add(both);
        if both > 0.0 {
            self.share_of_more.add(one.max(other) / both);
            match order {
                Some(PassingOrder::First) => self.share_of_first.add(one / both),
                Some(PassingOrder::Second) => self.share_of_first.add(other / both),
                None => {}
            }
        }
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len() as f64;
    values.sum::<f64>() / n
}

/// A series at a share of its length, straight between samples.
fn at(series: &[f64], share: f64) -> f64 {
    let place = share * (series.len() - 1) as f64;
    let before = (place as usize).min(series.len() - 1);
    let behind = (before + 1).min(series.len() - 1);
    series[before] + (place - before as f64) * (series[behind] - series[before])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closest;
    use passerby_geometry::DVec2;

    /// The scripted encounter of the worked examples, at 0.01 s: the second walker brakes and lets the first pass.
    fn scripted(see: &mut EncounterSummary, late: f64, turned: bool) {
        let samples = 435;
        let braking = |t: f64| (t - 1.0).clamp(0.0, 1.0);
        let y = |t: f64| -6.0 - late + 1.5 * t - 0.15 * braking(t) * braking(t) - 0.3 * (t - 2.0).max(0.0);
        let times: Vec<f64> = (0..=samples).map(|k| 0.01 * f64::from(k)).collect();
        let one: [Vec<DVec2>; 2] = [
            times.iter().map(|t| DVec2::new(-6.0 + 1.5 * t, 0.0)).collect(),
            times.iter().map(|_| DVec2::new(1.5, 0.0)).collect(),
        ];
        let other: [Vec<DVec2>; 2] = [
            times.iter().map(|t| DVec2::new(0.0, y(*t))).collect(),
            times.iter().map(|t| DVec2::new(0.0, 1.5 - 0.3 * braking(*t))).collect(),
        ];
        let (one, other) = if turned { (other, one) } else { (one, other) };
        let apart: Vec<DVec2> = (0..times.len()).map(|k| other[0][k] - one[0][k]).collect();
        let predicted: Vec<f64> =
            (0..times.len()).map(|k| crate::approach(apart[k], other[1][k] - one[1][k]).distance).collect();
        let closest = closest(&apart).unwrap();
        let n = closest.sample + 1;
        let places: [&[DVec2]; 2] = [&one[0][..n], &other[0][..n]];
        let velocities: [&[DVec2]; 2] = [&one[1][..n], &other[1][..n]];
        let predicted = &predicted[..n];
        see.see(&Encounter { people: [1, 2], see: 0, step: 0.01, closest, places, velocities, predicted });
    }

    #[test]
    fn a_scripted_encounter_is_summed_up() {
        let mut summary = EncounterSummary::default();
        scripted(&mut summary, 0.0, false);
        scripted(&mut summary, 0.0, true);
        let near = |value: f64, expected: f64, within: f64| {
            assert!((value - expected).abs() <= within, "{value}, expected {expected}");
        };
        assert_eq!(summary.count(), 2);
        near(summary.duration.mean().unwrap(), 4.24, 1e-9);
        near(summary.clearance.mean().unwrap(), 0.585652, 1e-6);
        near(summary.predicted_see.most, 0.0, 1e-9);
        near(summary.speed.mean().unwrap(), 1.5 - 0.5 * 0.3 * (0.5 + 2.245) / 4.25, 1e-3);
        near(summary.reaction.mean().unwrap(), 1.092607 / 4.24, 1e-4);
        near(summary.regulation.mean().unwrap(), 1.890170 / 4.24, 1e-4);
        near(summary.adaptation.mean().unwrap(), 0.3, 1e-6); // all of it by one
        near(summary.share_of_more.mean().unwrap(), 1.0, 1e-12);
        near(summary.share_of_first.most, 0.0, 1e-12);
        // They walk at a right angle and would meet: there is no order to be kept.
        assert_eq!((summary.crossing, summary.order_kept), (0, 0));
        let curve = summary.curve().unwrap();
        near(curve[0], 0.0, 1e-9);
        near(curve[50], 0.585652, 1e-6);
        near(summary.curve_deviation().unwrap()[50], 0.0, 1e-6);
        assert_eq!((summary.bins(50)[11], summary.bins(50).iter().sum::<u32>()), (2, 2)); // 0.55 to 0.6 m
        assert_eq!((summary.bins(0)[0], summary.above()), (2, 0));
        let phases = summary.phases().unwrap();
        assert!(phases.reaction <= 0.24 && (0.45..=0.49).contains(&phases.regulation.unwrap()), "{phases:?}");
    }

    #[test]
    fn order_is_kept_by_who_is_late_anyway() {
        let mut summary = EncounterSummary::default();
        scripted(&mut summary, 0.1, false);
        scripted(&mut summary, 0.1, true);
        assert_eq!((summary.crossing, summary.order_kept), (2, 2));
        scripted(&mut summary, -0.1, false); // would be first by 0.1 m, and gives way
        assert_eq!((summary.crossing, summary.order_kept), (3, 2));
        assert_eq!(summary.share_of_first.most, 0.0);
    }

    #[test]
    fn nothing_has_no_mean() {
        let summary = EncounterSummary::default();
        assert_eq!((summary.duration.mean(), summary.curve(), summary.phases()), (None, None, None));
        assert_eq!(summary.curve_deviation(), None);
    }
}
