//! A percentile and how sure it is, from the runs alone: no law is assumed.
//!
//! Of `n` independent runs the number below the true percentile is binomial with `n` and its share `p`. So the k-th
//! smallest run is at most the percentile with probability P(B >= k), and at least it with P(B <= k - 1), whatever the law
//! (David, Nagaraja 2003, *Order Statistics*, section 7.1; Conover 1999, section 3.2).

/// A percentile of a sample with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Percentile {
    /// The smallest value that the wanted share of the sample does not exceed.
    pub value: f64,
    /// Below it the true percentile lies with at most half of the doubt; `None`: too few runs for any bound.
    pub low: Option<f64>,
    /// Above it the true percentile lies with at most half of the doubt; `None`: too few runs for any bound.
    pub high: Option<f64>,
}

/// The percentile `share` of a sample, with an interval that holds the true one with at least `confidence`: half of the doubt
/// on either side. `None` where there is no sample.
pub fn percentile(sample: &[f64], share: f64, confidence: f64) -> Option<Percentile> {
    let mut sorted = sample.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let rank = rank_of(n, share)?;
    let half = 0.5 * (1.0 - confidence);
    // below[k] = P(B <= k)
    let below: Vec<f64> = binomial(n, share)
        .scan(0.0, |sum, probability| {
            *sum += probability;
            Some(*sum)
        })
        .collect();
    // The l-th smallest exceeds the percentile with P(B <= l - 1): the largest l that does so seldom enough.
    let low = (1..=n).rev().find(|l| below[l - 1] <= half);
    // The u-th smallest falls short of it with P(B >= u) = 1 - P(B <= u - 1): the smallest u that does so seldom enough.
    let high = (1..=n).find(|u| 1.0 - below[u - 1] <= half);
    Some(Percentile { value: sorted[rank - 1], low: low.map(|l| sorted[l - 1]), high: high.map(|u| sorted[u - 1]) })
}

/// Which of `n` in order is the percentile: the smallest that at least the share does not exceed.
fn rank_of(n: usize, share: f64) -> Option<usize> {
    // A hair of tolerance: 0.95 of 20 is 19, not 20.
    (n > 0).then(|| ((n as f64 * share - 1e-9).ceil() as usize).clamp(1, n))
}

/// How many runs it takes until both bounds of [`percentile`] exist: the largest of `n` falls short of the percentile with
/// probability share^n, the smallest exceeds it with (1 - share)^n.
pub fn runs_needed(share: f64, confidence: f64) -> u32 {
    let half = 0.5 * (1.0 - confidence);
    let (mut all_below, mut runs) = (1.0, 0);
    let worse = share.max(1.0 - share);
    while all_below > half && runs < 1_000_000 {
        (all_below, runs) = (all_below * worse, runs + 1);
    }
    runs
}

/// P(B = k) for k = 0 to n, by P(k + 1) / P(k) = (n - k) / (k + 1) * p / (1 - p), begun at the likeliest so that nothing that
/// matters is too small for a number.
fn binomial(n: usize, p: f64) -> impl Iterator<Item = f64> {
    let likeliest = (((n + 1) as f64 * p) as usize).min(n);
    let odds = p / (1.0 - p);
    let mut weights = vec![1.0; n + 1];
    for k in likeliest..n {
        weights[k + 1] = weights[k] * ((n - k) as f64 / (k + 1) as f64) * odds;
    }
    for k in (0..likeliest).rev() {
        weights[k] = weights[k + 1] * ((k + 1) as f64 / (n - k) as f64) / odds;
    }
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(move |weight| weight / sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranks of value, low and high in a sample of `n`, from 1; 0: there is none.
    #[track_caller]
    fn check(n: u32, share: f64, expected: [u32; 3]) {
        let sample: Vec<f64> = (1..=n).rev().map(f64::from).collect();
        let Percentile { value, low, high } = percentile(&sample, share, 0.95).expect("a sample");
        let ranks = [Some(value), low, high].map(|rank| rank.map_or(0, |rank| rank as u32));
        assert_eq!(ranks, expected, "{n} runs, share {share}");
    }

    /// For the median the ranks are those of the sign test's table (Conover 1999, table A3 with p = 0.5; Dixon and Massey).
    #[test]
    fn intervals_of_the_median_are_those_of_the_tables() {
        check(5, 0.5, [3, 0, 0]); // 2 * 0.5^5 = 0.0625: no interval
        check(6, 0.5, [3, 1, 6]); // 2 * 0.5^6 = 0.03125
        check(10, 0.5, [5, 2, 9]); // 2 * (1 + 10) / 1024 = 0.0215; with 45 more 0.109
        check(15, 0.5, [8, 4, 12]); // 2 * (1 + 15 + 105 + 455) / 32768 = 0.0352
        check(20, 0.5, [10, 6, 15]); // 2 * 21700 / 2^20 = 0.0414
    }

    /// Worked out for p = 0.95 by hand: P(B = n) = 0.95^n, P(B = n - 1) = n * 0.05 * 0.95^(n - 1) ...
    #[test]
    fn intervals_of_the_95th_percentile() {
        // 0.95^50 = 0.0769 > 0.025: even the largest of 50 is too low too often. Below: P(B <= 43) = 0.0118 (7 or more of
        // 50 above, 5 % each), P(B <= 44) = 0.0378, so the 44th smallest.
        check(50, 0.95, [48, 44, 0]);
        // 0.95^71 = 0.0262, 0.95^72 = 0.0249: from 72 on the largest is an upper bound. P(B <= 63) = 0.0096, P(B <= 64) = 0.0272.
        check(71, 0.95, [68, 63, 0]);
        check(72, 0.95, [69, 64, 72]);
        // P(B = 100) + P(B = 99) = 0.00592 + 0.03116 = 0.0371: only the largest. P(B <= 89) = 0.0115, P(B <= 90) = 0.0282.
        check(100, 0.95, [95, 90, 100]);
    }

    #[test]
    fn how_many_runs_it_takes() {
        assert_eq!(runs_needed(0.95, 0.95), 72); // ln 0.025 / ln 0.95 = 71.92
        assert_eq!(runs_needed(0.95, 0.90), 59); // ln 0.05 / ln 0.95 = 58.40: Wilks' 59 runs
        assert_eq!(runs_needed(0.5, 0.95), 6);
    }

    #[test]
    fn percentiles_of_a_sample() {
        assert_eq!(percentile(&[], 0.95, 0.95), None);
        let value =
            |n: u32| percentile(&(1..=n).map(f64::from).collect::<Vec<_>>(), 0.95, 0.95).expect("a sample").value;
        assert_eq!([1, 19, 20, 21, 40, 100, 500].map(value), [1.0, 19.0, 19.0, 20.0, 38.0, 95.0, 475.0]);
    }
}
