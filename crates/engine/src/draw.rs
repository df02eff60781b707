//! Numbers drawn from the laws a scenario gives.

use crate::scenario::Distribution;
use passerby_geometry::chance::Stream;
use passerby_geometry::math::double as math;

impl Distribution {
    /// One draw. Laws with bounds are drawn again until they are met, so that they keep their shape inside; the reader has
    /// made sure that bounds leave room.
    pub fn draw(&self, stream: &mut Stream) -> f64 {
        match *self {
            Distribution::Constant(value) => value,
            Distribution::Uniform { low, high } => stream.between(low, high),
            Distribution::Normal { mean, sd, min, max } => until(min, max, || mean + sd * stream.normal()),
            Distribution::Lognormal { mu, sigma, min, max } => {
                until(min, max, || math::exp(mu + sigma * stream.normal()))
            }
            Distribution::Gamma { shape, scale, min, max } => until(min, max, || scale * gamma(shape, stream)),
            Distribution::Weibull { shape, scale, min, max } => {
                until(min, max, || scale * math::powf(stream.exponential(), 1.0 / shape))
            }
            Distribution::RimeaAge => rimea_speed(stream.between(20.0, 70.0), stream.uniform()),
            Distribution::Exponential { mean, max } => until(0.0, max, || mean * stream.exponential()),
        }
    }

    /// The largest value it can give.
    pub fn max(&self) -> f64 {
        match *self {
            Distribution::Constant(value) => value,
            Distribution::Uniform { high, .. } => high,
            Distribution::RimeaAge => 1.64,
            Distribution::Normal { max, .. }
            | Distribution::Lognormal { max, .. }
            | Distribution::Gamma { max, .. }
            | Distribution::Weibull { max, .. }
            | Distribution::Exponential { max, .. } => max,
        }
    }
}

/// Gamma with scale 1. Marsaglia, Tsang 2000, "A simple method for generating gamma variables", sections 2 and 6.
fn gamma(shape: f64, stream: &mut Stream) -> f64 {
    if shape < 1.0 {
        let boost = math::powf(1.0 - stream.uniform(), 1.0 / shape);
        return gamma(shape + 1.0, stream) * boost;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = stream.normal();
        let v = (1.0 + c * x) * (1.0 + c * x) * (1.0 + c * x);
        // 1 - u is in (0, 1]: never the logarithm of zero.
        if v > 0.0 && math::ln(1.0 - stream.uniform()) < 0.5 * x * x + d - d * v + d * math::ln(v) {
            return d * v;
        }
    }
}

/// RiMEA 4.1.1, test 7: age, lowest and highest speed.
const RIMEA_AGES: [[f64; 3]; 6] =
    [[20., 1.60, 1.64], [30., 1.52, 1.56], [40., 1.46, 1.50], [50., 1.39, 1.43], [60., 1.27, 1.27], [70., 1.07, 1.07]];

/// The speed of an age, `share` of the way from the lowest to the highest, m/s.
fn rimea_speed(age: f64, share: f64) -> f64 {
    let i = RIMEA_AGES[1..5].partition_point(|row| row[0] <= age);
    let ([from, low, high], [to, next_low, next_high]) = (RIMEA_AGES[i], RIMEA_AGES[i + 1]);
    let t = (age - from) / (to - from);
    let (low, high) = (low + t * (next_low - low), high + t * (next_high - high));
    low + share * (high - low)
}

/// A draw inside the bounds; after a thousand misses the bound that is nearer to the last one.
fn until(min: f64, max: f64, mut draw: impl FnMut() -> f64) -> f64 {
    let mut value = draw();
    for _ in 0..1000 {
        if (min..=max).contains(&value) {
            return value;
        }
        value = draw();
    }
    value.clamp(min, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_geometry::chance::{Chance, Purpose};

    /// Mean and standard deviation of 20000 draws, against the law's.
    #[track_caller]
    fn check(law: Distribution, mean: f64, sd: f64) {
        let draws: Vec<f64> =
            (0..20_000).map(|who| law.draw(&mut Chance::new(3).stream(who, 0, Purpose::Speed))).collect();
        let n = draws.len() as f64;
        let m = draws.iter().sum::<f64>() / n;
        let s = (draws.iter().map(|x| (x - m) * (x - m)).sum::<f64>() / n).sqrt();
        // Four standard errors.
        assert!((m - mean).abs() <= 4.0 * sd / n.sqrt() + 1e-12, "{law:?}: mean {m}, expected {mean}");
        assert!((s - sd).abs() <= 0.04 * sd + 1e-12, "{law:?}: deviation {s}, expected {sd}");
        assert!(draws.iter().all(|x| *x <= law.max()));
    }

    #[test]
    fn speeds_of_ages() {
        for (age, share, speed) in [
            (20., 0., 1.60),
            (20., 1., 1.64),
            (25., 0.5, 1.58),
            (30., 0., 1.52),
            (50., 1., 1.43),
            (65., 0.3, 1.17),
            (70., 1., 1.07),
        ] {
            assert!((rimea_speed(age, share) - speed).abs() < 1e-12, "{age} years: {}", rimea_speed(age, share));
        }
    }

    #[test]
    fn draws_follow_their_laws() {
        check(Distribution::Constant(1.5), 1.5, 0.0);
        check(Distribution::Uniform { low: 10.0, high: 100.0 }, 55.0, 90.0 / 12f64.sqrt());
        check(Distribution::Normal { mean: 1.34, sd: 0.26, min: -9.0, max: 9.0 }, 1.34, 0.26);
        // exp(mu + sigma^2/2), and that times sqrt(exp(sigma^2) - 1).
        check(Distribution::Lognormal { mu: 1.0, sigma: 0.5, min: 0.0, max: 1e9 }, 3.080217, 1.641572);
        check(Distribution::Exponential { mean: 4.0, max: 1e9 }, 4.0, 4.0);
        check(Distribution::Gamma { shape: 2.5, scale: 2.0, min: 0.0, max: 1e9 }, 5.0, 10f64.sqrt());
        check(Distribution::Gamma { shape: 0.64, scale: 2.0, min: 0.0, max: 1e9 }, 1.28, 1.6);
        // Shape 2: sqrt(pi)/2 and sqrt(1 - pi/4) times the scale.
        check(Distribution::Weibull { shape: 2.0, scale: 3.0, min: 0.0, max: 1e9 }, 2.658681, 1.389754);
        // A normal law cut at one deviation on both sides has 0.53956 of its deviation left.
        check(Distribution::Normal { mean: 1.0, sd: 0.2, min: 0.8, max: 1.2 }, 1.0, 0.2 * 0.539_56);
    }
}
