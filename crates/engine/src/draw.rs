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
            Distribution::Exponential { mean, max } => until(0.0, max, || mean * stream.exponential()),
        }
    }

    /// The largest value it can give.
    pub fn max(&self) -> f64 {
        match *self {
            Distribution::Constant(value) => value,
            Distribution::Uniform { high, .. } => high,
            Distribution::Normal { max, .. }
            | Distribution::Lognormal { max, .. }
            | Distribution::Exponential { max, .. } => max,
        }
    }
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
    fn draws_follow_their_laws() {
        check(Distribution::Constant(1.5), 1.5, 0.0);
        check(Distribution::Uniform { low: 10.0, high: 100.0 }, 55.0, 90.0 / 12f64.sqrt());
        check(Distribution::Normal { mean: 1.34, sd: 0.26, min: -9.0, max: 9.0 }, 1.34, 0.26);
        // exp(mu + sigma^2/2), and that times sqrt(exp(sigma^2) - 1).
        check(Distribution::Lognormal { mu: 1.0, sigma: 0.5, min: 0.0, max: 1e9 }, 3.080217, 1.641572);
        check(Distribution::Exponential { mean: 4.0, max: 1e9 }, 4.0, 4.0);
        // A normal law cut at one deviation on both sides has 0.53956 of its deviation left.
        check(Distribution::Normal { mean: 1.0, sd: 0.2, min: 0.8, max: 1.2 }, 1.0, 0.2 * 0.539_56);
    }
}
