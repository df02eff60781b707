//! A value for each frame, as it comes: its mean, extremes and course.

/// Points of the course that are kept.
const POINTS_MAX: usize = 1 << 14;

/// Values over time. Mean and extremes are of all values; of the course no more points are kept than a chart can show.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    sum: f64,
    squares: f64,
    count: u64,
    min: f64,
    max: f64,
    points: Vec<(u32, f64)>,
    /// Every so many values one is kept.
    stride: u64,
}

impl Default for Series {
    fn default() -> Self {
        let (min, max) = (f64::INFINITY, f64::NEG_INFINITY);
        Self { sum: 0.0, squares: 0.0, count: 0, min, max, points: Vec::new(), stride: 1 }
    }
}

impl Series {
    /// Takes in the next value.
    pub fn push(&mut self, tick: u32, value: f64) {
        if self.count.is_multiple_of(self.stride) {
            if self.points.len() == POINTS_MAX {
                let mut keep = false;
                self.points.retain(|_| {
                    keep = !keep;
                    keep
                });
                self.stride *= 2;
            }
            if self.count.is_multiple_of(self.stride) {
                self.points.push((tick, value));
            }
        }
        self.sum += value;
        self.squares += value * value;
        self.count += 1;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Takes in so many zeros for moments that were not seen; they are not among the points.
    pub fn push_zeros(&mut self, count: u64) {
        if count > 0 {
            self.count += count;
            (self.min, self.max) = (self.min.min(0.0), self.max.max(0.0));
        }
    }

    /// How many values there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their sum.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// Their mean; `None` without any.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Their standard deviation (of the values, not of the mean); `None` without any.
    pub fn deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        Some((self.squares / self.count as f64 - mean * mean).max(0.0).sqrt())
    }

    /// The largest; `None` without any.
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }

    /// The smallest; `None` without any.
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }

    /// Ticks and values: all of them, or every second, fourth, .. of very many.
    pub fn points(&self) -> &[(u32, f64)] {
        &self.points
    }

    /// Every so many values one is among the points.
    pub fn stride(&self) -> u64 {
        self.stride
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_all_and_points_of_some() {
        let mut series = Series::default();
        assert_eq!((series.mean(), series.max(), series.min(), series.deviation()), (None, None, None, None));
        for tick in 0..100_000 {
            series.push(tick, f64::from(tick % 10));
        }
        assert_eq!(
            (series.count(), series.mean(), series.max(), series.min()),
            (100_000, Some(4.5), Some(9.0), Some(0.0))
        );
        assert!((series.deviation().unwrap() - 8.25_f64.sqrt()).abs() < 1e-9);
        assert_eq!((series.stride(), series.points().len()), (8, 12_500));
        assert!(series.points().iter().enumerate().all(|(i, (tick, _))| *tick == 8 * i as u32));
    }
}
