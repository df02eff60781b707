//! Tracks without the sway of steps: a Butterworth filter that is run forwards and then backwards.
//!
//! FilterOrder and cut-off are those of *one* pass, as papers state them: of a motion at the cut-off half is left after both.
//! Olivier et al. 2012 use the third order at 0.5 Hz, which is the default; Pettré et al. 2009 the second at 1 Hz. The two
//! passes undo each other's delay, so nothing is shifted in time.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use passerby_geometry::DVec2;
use passerby_geometry::math::double::tan;

/// Tracks with so many samples or fewer are not smoothed: they hold less than the filter needs to settle.
pub const TOO_SHORT: usize = 12;

/// How steeply a filter falls beyond its cut-off, in one pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterOrder {
    /// 40 dB a decade.
    Second,
    /// 60 dB a decade.
    Third,
}

/// Which filter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smoothing {
    /// FilterOrder of one pass, default third.
    pub order: FilterOrder,
    /// Frequency at which one pass leaves 1/sqrt(2) and both leave half, Hz, > 0 and below half of the frame rate;
    /// default 0.5.
    pub cutoff: f64,
}

impl Default for Smoothing {
    fn default() -> Self {
        Self { order: FilterOrder::Third, cutoff: 0.5 }
    }
}

/// Why there is no such filter.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SmoothError {
    /// The cut-off is not between zero and what the frames can show.
    #[error(
        "a cut-off of {cutoff} Hz cannot be filtered from {rate} frames a second; allowed: above 0 and below {} Hz, half of the frame rate",
        .rate / 2.0
    )]
    Cutoff {
        /// The cut-off, Hz.
        cutoff: f64,
        /// Frames a second.
        rate: f64,
    },
}

/// A filter for one frame rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Butterworth {
    /// Factors of inputs, now and up to three before; the last is zero for the second order.
    b: [f64; 4],
    /// Factors of outputs; the first is 1.
    a: [f64; 4],
    /// By so many samples a series is continued at both ends, if it is long enough.
    extension: usize,
}

impl Butterworth {
    /// The filter for series of `rate` samples a second: the analogue filter under the bilinear transform, with the
    /// cut-off where it is wanted.
    pub fn new(smoothing: &Smoothing, rate: f64) -> Result<Butterworth, SmoothError> {
        let Smoothing { order, cutoff } = *smoothing;
        if !(rate.is_finite() && cutoff > 0.0 && cutoff < 0.5 * rate) {
            return Err(SmoothError::Cutoff { cutoff, rate });
        }
        let c = tan(PI * cutoff / rate);
        // s = (1 - z) / (c (1 + z)), z a delay of one sample, in 1 / (1 + s)(1 + s + s^2) and 1 / (1 + sqrt(2) s + s^2).
        let (gain, whole, a) = match order {
            FilterOrder::Third => (
                c * c * c,
                1.0 + 2.0 * c + 2.0 * c * c + c * c * c,
                [
                    -3.0 - 2.0 * c + 2.0 * c * c + 3.0 * c * c * c,
                    3.0 - 2.0 * c - 2.0 * c * c + 3.0 * c * c * c,
                    -1.0 + 2.0 * c - 2.0 * c * c + c * c * c,
                ],
            ),
            FilterOrder::Second => {
                let root = 2.0 * FRAC_1_SQRT_2 * c;
                (c * c, 1.0 + root + c * c, [2.0 * c * c - 2.0, 1.0 - root + c * c, 0.0])
            }
        };
        let binomial = match order {
            FilterOrder::Third => [1.0, 3.0, 3.0, 1.0],
            FilterOrder::Second => [1.0, 2.0, 1.0, 0.0],
        };
        let [a1, a2, a3] = a.map(|a| a / whole);
        // 2 / cut-off seconds: fewer move the ends of a walk, by 0.8 m with the usual 12 samples at 120 Hz.
        let extension = (2.0 / cutoff * rate).round().min(1e9) as usize;
        Ok(Butterworth { b: binomial.map(|n| n * gain / whole), a: [1.0, a1, a2, a3], extension })
    }

    /// The series without what is faster than the cut-off; `false` and unchanged if it has [`TOO_SHORT`] samples or fewer.
    ///
    /// Both ends are continued by 2 / cut-off seconds, at most by all samples but one, each of them turned about the end.
    pub fn smooth(&self, series: &mut [DVec2]) -> bool {
        if series.len() <= TOO_SHORT {
            return false;
        }
        self.smooth_extended(series, self.extension);
        true
    }

    fn smooth_extended(&self, series: &mut [DVec2], extension: usize) {
        let (n, extension) = (series.len(), extension.min(series.len() - 1));
        let (first, last) = (series[0], series[n - 1]);
        let before = (1..=extension).rev().map(|k| 2.0 * first - series[k]);
        let behind = (1..=extension).map(|k| 2.0 * last - series[n - 1 - k]);
        let mut long: Vec<DVec2> = before.chain(series.iter().copied()).chain(behind).collect();
        self.pass(long.iter_mut());
        self.pass(long.iter_mut().rev());
        series.copy_from_slice(&long[extension..extension + n]);
    }

    /// One pass in place, as the transposed direct form II, from the state that a constant first sample leaves.
    fn pass<'a>(&self, series: impl Iterator<Item = &'a mut DVec2>) {
        let (a, b) = (&self.a, &self.b);
        let mut series = series.peekable();
        let Some(first) = series.peek().map(|sample| **sample) else { return };
        let mut state = self.settled().map(|state| state * first);
        for sample in series {
            let x = *sample;
            let y = b[0] * x + state[0];
            state = [b[1] * x - a[1] * y + state[1], b[2] * x - a[2] * y + state[2], b[3] * x - a[3] * y];
            *sample = y;
        }
    }

    /// The state in which a constant input of 1 comes out as 1.
    fn settled(&self) -> [f64; 3] {
        let third = self.b[3] - self.a[3];
        let second = self.b[2] - self.a[2] + third;
        [self.b[1] - self.a[1] + second, second, third]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_geometry::math::double::sin_cos;

    fn filter(rate: f64) -> Butterworth {
        Butterworth::new(&Smoothing::default(), rate).unwrap()
    }

    /// To all digits that are printed.
    #[track_caller]
    fn check(value: f64, expected: f64, digits: f64) {
        assert!((value - expected).abs() <= 0.5001 * digits, "{value}, expected {expected}");
    }

    #[test]
    fn coefficients_are_the_published_ones() {
        for (rate, b0, a) in [
            (120.0, (2.18534587909e-6, 1e-17), [-2.94764161678, 2.89664496645, -0.948985866903]),
            (25.0, (2.19606211225e-4, 1e-15), [-2.74883580921, 2.52823121914, -0.777638560238]),
            (16.0, (7.84843957769e-4, 1e-15), [-2.60791327602, 2.28899391498, -0.674801887296]),
            (10.0, (2.89819463372e-3, 1e-14), [-2.37409474371, 1.92935566909, -0.532075368312]),
            (2.5, (9.85311609239e-2, 1e-13), [-0.577240524806, 0.42178704869, -0.0562972364918]),
        ] {
            let found = filter(rate);
            check(found.b[0], b0.0, b0.1);
            (0..4).for_each(|k| check(found.b[k], [1.0, 3.0, 3.0, 1.0][k] * b0.0, 3.0 * b0.1));
            (0..3).for_each(|k| check(found.a[k + 1], a[k], 1e-11));
        }
        let settled = filter(10.0).settled();
        [0.997101805366, -1.38568752224, 0.534973562946].iter().zip(settled).for_each(|(e, s)| check(s, *e, 1e-11));
    }

    /// The part of a motion of this frequency that one pass leaves, squared: what both leave.
    fn gain(filter: &Butterworth, frequency: f64, rate: f64) -> f64 {
        let sum = |factors: &[f64; 4]| {
            let turned = |k: usize| DVec2::from(sin_cos(2.0 * PI * frequency / rate * k as f64)) * factors[k];
            (0..4).map(turned).sum::<DVec2>().length_squared()
        };
        sum(&filter.b) / sum(&filter.a)
    }

    #[test]
    fn both_passes_leave_what_is_published() {
        let third = [(0.1, 0.999936), (0.25, 0.984619), (0.5, 0.5), (0.9, 0.028540), (1.0, 0.015369), (1.8, 0.000457)];
        third.into_iter().for_each(|(hz, left)| check(gain(&filter(120.0), hz, 120.0), left, 1e-6));
        let second = Butterworth::new(&Smoothing { order: FilterOrder::Second, cutoff: 1.0 }, 120.0).unwrap();
        let left = [(0.5, 0.941214), (1.0, 0.5), (1.8, 0.086812), (2.0, 0.058672)];
        left.into_iter().for_each(|(hz, left)| check(gain(&second, hz, 120.0), left, 1e-6));
    }

    /// In y the same series, mirrored.
    fn smoothed(series: &[f64], extension: usize) -> Vec<f64> {
        let mut both: Vec<DVec2> = series.iter().map(|x| DVec2::new(*x, -x)).collect();
        filter(10.0).smooth_extended(&mut both, extension);
        assert!(both.iter().all(|sample| sample.x == -sample.y));
        both.iter().map(|sample| sample.x).collect()
    }

    #[test]
    fn a_series_comes_out_as_published() {
        let series = [0.0, 1.0, 0.0, 2.0, -1.0, 3.0, 1.0, 0.0, 0.0, 1.0, 2.0, 4.0, 3.0, 2.0, 1.0, 0.0];
        let by_all = [
            0.036868, 0.293973, 0.545840, 0.784983, 1.003631, 1.193741, 1.346993, 1.454806, 1.508390, 1.499152,
            1.419888, 1.266835, 1.041941, 0.754392, 0.420613, 0.062615,
        ];
        let by_twelve = [
            0.132182, 0.358938, 0.582510, 0.797429, 0.997048, 1.173705, 1.318896, 1.423449, 1.477737, 1.472200,
            1.398645, 1.252359, 1.034426, 0.753278, 0.424701, 0.070182,
        ];
        smoothed(&series, 40).iter().zip(by_all).for_each(|(value, expected)| check(*value, expected, 1e-6));
        smoothed(&series, 12).iter().zip(by_twelve).for_each(|(value, expected)| check(*value, expected, 1e-6));
        let mut public: Vec<DVec2> = series.iter().map(|x| DVec2::splat(*x)).collect();
        assert!(filter(10.0).smooth(&mut public));
        public.iter().zip(by_all).for_each(|(value, expected)| check(value.y, expected, 1e-6));
    }

    #[test]
    fn a_step_is_rounded_as_published() {
        let step: Vec<f64> = (0..24).map(|k| if k < 12 { 0.0 } else { 1.0 }).collect();
        let found = smoothed(&step, 40);
        let expected = [0.160650, 0.245314, 0.341981, 0.446465, 0.553638, 0.658028, 0.754516, 0.838934];
        (8..16).for_each(|k| check(found[k], expected[k - 8], 1e-6));
        let highest = found.iter().copied().fold(0.0, f64::max);
        check(highest, 1.027177, 1e-6);
        assert_eq!(found[20], highest);
    }

    /// Largest errors of place, m, and speed, m/s, of somebody who walks at 1.5 m/s for 6 s.
    fn errors(rate: f64, extension: usize) -> (f64, f64) {
        let place = |k: usize| DVec2::new(1.5 * k as f64 / rate, 0.0);
        let n = (6.0 * rate) as usize + 1;
        let mut series: Vec<DVec2> = (0..n).map(place).collect();
        filter(rate).smooth_extended(&mut series, extension);
        let missed = (0..n).map(|k| series[k].distance(place(k))).fold(0.0, f64::max);
        let speeds = series.windows(2).map(|pair| ((pair[1] - pair[0]).length() * rate - 1.5).abs());
        (missed, speeds.fold(0.0, f64::max))
    }

    #[test]
    fn who_walks_evenly_comes_out_unchanged() {
        for (rate, twelve, second, four) in [
            (120.0, (0.805, 1.49), (0.066, 0.21), (0.0006, 0.003)),
            (25.0, (0.289, 1.08), (0.066, 0.19), (0.0006, 0.003)),
        ] {
            let rule = filter(rate).extension;
            assert_eq!(rule, (4.0 * rate) as usize);
            for (extension, (place, speed), digits) in
                [(12, twelve, (1e-3, 1e-2)), (rate as usize, second, (1e-3, 1e-2)), (rule, four, (1e-4, 1e-3))]
            {
                let found = errors(rate, extension);
                check(found.0, place, digits.0);
                check(found.1, speed, 2.0 * digits.1); // by which differences the published errors were taken is not said
            }
        }
    }

    #[test]
    fn what_cannot_be_filtered_is_refused() {
        for cutoff in [0.0, -1.0, 5.0, f64::NAN] {
            let error = Butterworth::new(&Smoothing { cutoff, ..Smoothing::default() }, 10.0).unwrap_err();
            assert!(error.to_string().contains("below 5 Hz"), "{error}");
        }
        assert!(Butterworth::new(&Smoothing::default(), f64::INFINITY).is_err());
        let mut short = vec![DVec2::X; TOO_SHORT];
        short[3] = DVec2::Y;
        let before = short.clone();
        assert!(!filter(10.0).smooth(&mut short));
        assert_eq!(short, before);
        assert!(!filter(10.0).smooth(&mut []));
    }
}
