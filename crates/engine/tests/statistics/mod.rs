//! How well samples follow a law.

/// Kolmogorov-Smirnov: the probability that samples of the law `cdf` lie at least as far from it as these.
pub fn ks_p(samples: &[f64], cdf: impl Fn(f64) -> f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let mut distance: f64 = 0.0;
    for (i, x) in sorted.iter().enumerate() {
        let expected = cdf(*x);
        distance = distance.max(expected - i as f64 / n).max((i + 1) as f64 / n - expected);
    }
    // Stephens 1970: the limit law holds from a few samples on with this argument.
    let lambda = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * distance;
    let term = |k: i32| {
        let sign = if k % 2 == 1 { 2.0 } else { -2.0 };
        sign * passerby::geometry::math::double::exp(-2.0 * f64::from(k * k) * lambda * lambda)
    };
    if lambda < 0.2 { 1.0 } else { (1..100).map(term).sum::<f64>().clamp(0.0, 1.0) }
}
