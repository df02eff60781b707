//! How often which value, in bins of equal width from zero.

/// Counts of values from zero on.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    width: f64,
    counts: Vec<u64>,
    above: u64,
    unknown: u64,
    sum: f64,
}

impl Histogram {
    /// No values yet; `bins` bins of this width, the first from zero.
    pub fn new(width: f64, bins: usize) -> Self {
        Self { width, counts: vec![0; bins], above: 0, unknown: 0, sum: 0.0 }
    }

    /// Bins that hold all of these values, not more than 40 of them, of a round width.
    pub fn of(values: &[f64]) -> Self {
        let most = values.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
        let width = crate::chart::round_above(most.max(1e-6) / 40.0);
        let mut histogram = Self::new(width, (most / width).floor() as usize + 1);
        values.iter().for_each(|value| histogram.add(*value));
        histogram
    }

    /// Counts a value. A value on the border of two bins is in the upper one.
    pub fn add(&mut self, value: f64) {
        if !(value >= 0.0 && value.is_finite()) {
            self.unknown += 1;
            return;
        }
        self.sum += value;
        // A saturating cast: what is too large for any bin is above.
        match self.counts.get_mut((value / self.width + 1e-9).floor() as usize) {
            Some(count) => *count += 1,
            None => self.above += 1,
        }
    }

    /// Width of a bin.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Values in each bin.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Values beyond the last bin.
    pub fn above(&self) -> u64 {
        self.above
    }

    /// What was no number from zero on, and is in no bin.
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    /// All values that were counted, also those beyond the last bin.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum::<u64>() + self.above
    }

    /// Their mean; `None` if there are none.
    pub fn mean(&self) -> Option<f64> {
        (self.total() > 0).then(|| self.sum / self.total() as f64)
    }

    /// The same counts in bins `n` times as wide.
    pub fn wider(&self, n: usize) -> Histogram {
        let counts = self.counts.chunks(n.max(1)).map(|bins| bins.iter().sum()).collect();
        Histogram { width: self.width * n.max(1) as f64, counts, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_where_they_belong() {
        let mut histogram = Histogram::new(0.5, 3);
        [0.0, 0.49, 0.5, 1.49, 1.5, 99.0, -0.1, f64::NAN].into_iter().for_each(|value| histogram.add(value));
        assert_eq!(histogram.counts(), [2, 1, 1]);
        assert_eq!((histogram.above(), histogram.unknown(), histogram.total()), (2, 2, 6));
        assert!((histogram.mean().unwrap() - 102.98 / 6.0).abs() < 1e-12);
        assert_eq!(histogram.wider(2).counts(), [3, 1]);
        // 0.3 / 0.1 is below 3 in binary: it is meant to be in the bin that begins at 0.3.
        let mut tenths = Histogram::new(0.1, 5);
        tenths.add(0.3);
        assert_eq!(tenths.counts(), [0, 0, 0, 1, 0]);
    }

    #[test]
    fn bins_hold_all_values() {
        let histogram = Histogram::of(&[12.0, 30.0, 71.5]);
        assert_eq!((histogram.width(), histogram.counts().len(), histogram.above()), (2.0, 36, 0));
        assert_eq!((histogram.counts()[6], histogram.counts()[15], histogram.counts()[35]), (1, 1, 1));
        assert_eq!(Histogram::of(&[]).mean(), None);
        assert_eq!(Histogram::of(&[0.0]).counts(), [1]);
    }
}
