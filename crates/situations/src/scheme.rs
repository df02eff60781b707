//! The probability scheme: several behaviours weigh the same actions, their product is normalised once, and one action is drawn.
//!
//! Sung, Gleicher, Chenney 2004, and the dissertation it became (chapter 3): P_k = sigmoid(alpha x) for each behaviour k, the product over
//! k, a draw. A weight is kept above 1e-9: only an explicit zero is a veto.

use passerby_geometry::math::double as math;

/// The least a behaviour gives to an action that it does not veto.
pub const LEAST: f64 = 1e-9;
/// How much "high" and "low" (x = 1 and x = -1) differ, where a behaviour says nothing else.
pub const ALPHA: f64 = 3.0;

/// The weight of an action that a behaviour values at `x`. Equation 3.1: 1 / (1 + exp(-alpha x)), at least [`LEAST`].
pub fn sigmoid(alpha: f64, x: f64) -> f64 {
    // Beyond this the exponential is no number any more, and the sigmoid 0.
    let slope = (-alpha * x).min(700.0);
    (1.0 / (1.0 + math::exp(slope))).max(LEAST)
}

/// What a behaviour says of the actions.
#[derive(Debug, Clone, PartialEq)]
pub struct Opinion {
    /// One weight for each action; 0 is a veto.
    pub weights: Vec<f64>,
    /// Whether its vetoes hold even if every action is vetoed: collisions and what the image shows to be no ground.
    pub firm: bool,
}

/// What is left after all opinions.
#[derive(Debug, Clone, PartialEq)]
pub enum Composed {
    /// Probabilities that add up to one.
    Distribution(Vec<f64>),
    /// Every action is vetoed firmly: the person stands and counts as blocked.
    Blocked,
}

/// Multiplies opinions and normalises the product. Where everything is vetoed, vetoes that are not firm are lifted.
pub fn compose(actions: usize, opinions: &[Opinion]) -> Composed {
    let product = |lifted: bool| {
        let mut product = vec![1.0; actions];
        for opinion in opinions {
            for (product, weight) in product.iter_mut().zip(&opinion.weights) {
                let lifts = lifted && !opinion.firm && *weight == 0.0;
                *product *= if lifts { 1.0 } else { *weight };
            }
        }
        product
    };
    for lifted in [false, true] {
        let product = product(lifted);
        let sum: f64 = product.iter().sum();
        if sum > 0.0 {
            return Composed::Distribution(product.into_iter().map(|weight| weight / sum).collect());
        }
    }
    Composed::Blocked
}

/// The first action whose cumulative probability is greater than `u`, which is in [0, 1). `None` where nothing has a probability.
pub fn draw(distribution: &[f64], u: f64) -> Option<usize> {
    let mut cumulative = 0.0;
    let found = distribution.iter().position(|p| {
        cumulative += p;
        cumulative > u
    });
    // Rounding may leave the sum a hair below one: then the last action that can be drawn is.
    found.or_else(|| distribution.iter().rposition(|p| *p > 0.0))
}

/// Of several who draw at the same instant, those whose actions collide draw again, the lower id first come: `collides(a, i, b, j)` tells
/// whether action `i` of `a` and action `j` of `b` do. Each has its distribution and its `u`; they are given in the order of ids. Who has
/// nothing left stands: `None`.
pub fn settle(
    proposals: &[(Vec<f64>, f64)],
    collides: impl Fn(usize, usize, usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut taken: Vec<Option<usize>> = Vec::with_capacity(proposals.len());
    for (me, (distribution, u)) in proposals.iter().enumerate() {
        let mut left = distribution.clone();
        let choice = loop {
            let sum: f64 = left.iter().sum();
            if sum <= 0.0 {
                break None;
            }
            let normalised: Vec<f64> = left.iter().map(|p| p / sum).collect();
            let Some(action) = draw(&normalised, *u) else { break None };
            let clash = taken
                .iter()
                .enumerate()
                .any(|(other, theirs)| theirs.is_some_and(|theirs| collides(me, action, other, theirs)));
            if !clash {
                break Some(action);
            }
            left[action] = 0.0;
        };
        taken.push(choice);
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opinion(alpha: f64, x: &[f64]) -> Opinion {
        Opinion { weights: x.iter().map(|x| sigmoid(alpha, *x)).collect(), firm: false }
    }

    #[track_caller]
    fn check(found: &[f64], expected: &[f64]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
        }
    }

    /// "Given evaluations" of the worked page.
    #[test]
    fn three_opinions_compose_to_the_worked_distribution() {
        let first = opinion(1.0, &[2.0, 1.0, 0.0, -1.0, -2.0, 0.5]);
        let second = opinion(2.0, &[0.0, 0.5, 1.0, 0.5, 0.0, -1.0]);
        let collision = Opinion { weights: vec![1.0, 0.0, 1.0, 1.0, 1.0, 1.0], firm: true };
        check(&first.weights, &[0.880797, 0.731059, 0.5, 0.268941, 0.119203, 0.622459]);
        check(&second.weights, &[0.5, 0.731059, 0.880797, 0.731059, 0.5, 0.119203]);
        let orders = [[0, 1, 2], [2, 0, 1], [1, 2, 0]];
        for order in orders {
            let all = [first.clone(), second.clone(), collision.clone()];
            let ordered: Vec<Opinion> = order.iter().map(|i: &usize| all[*i].clone()).collect();
            let Composed::Distribution(p) = compose(6, &ordered) else { panic!("nothing is left") };
            check(&p, &[0.363602, 0.0, 0.363602, 0.162327, 0.049208, 0.061260]);
            for (u, expected) in
                [(0.0, 0), (0.3, 0), (0.4, 2), (0.6, 2), (0.74, 3), (0.8, 3), (0.9, 4), (0.95, 5), (0.999999, 5)]
            {
                assert_eq!(draw(&p, u), Some(expected), "u = {u}");
            }
        }
    }

    #[test]
    fn only_an_explicit_zero_is_a_veto() {
        check(&[sigmoid(3.0, 1.0), sigmoid(3.0, -1.0)], &[0.952574, 0.047426]);
        assert_eq!(sigmoid(1.0, -1800.0), LEAST);
        assert_eq!(sigmoid(1.0, 1800.0), 1.0);
    }

    #[test]
    fn where_all_is_vetoed_soft_vetoes_are_lifted() {
        let firm = Opinion { weights: vec![0.0, 1.0, 1.0], firm: true };
        let soft = Opinion { weights: vec![1.0, 0.0, 0.0], firm: false };
        let weighs = Opinion { weights: vec![1.0, 0.2, 0.6], firm: false };
        let Composed::Distribution(p) = compose(3, &[firm.clone(), soft, weighs]) else { panic!("blocked") };
        check(&p, &[0.0, 0.25, 0.75]);
        let all = Opinion { weights: vec![1.0, 0.0, 0.0], firm: true };
        assert_eq!(compose(3, &[firm, all]), Composed::Blocked);
        // One action left is taken for every u.
        assert_eq!([0.0, 0.5, 0.999].map(|u| draw(&[0.0, 1.0, 0.0], u)), [Some(1); 3]);
        assert_eq!(draw(&[0.0, 0.0], 0.5), None);
    }

    /// Agents 3 and 7 draw "straight" into the same place: 3 keeps it, 7 draws again with the same u.
    #[test]
    fn of_two_who_collide_the_later_draws_again() {
        let proposals = [(vec![0.5, 0.5], 0.2), (vec![0.5, 0.3, 0.2], 0.2)];
        let same_place = |_: usize, mine: usize, _: usize, theirs: usize| mine == 0 && theirs == 0;
        // 7's second draw: 0.3 / 0.5 = 0.6 > 0.2.
        assert_eq!(settle(&proposals, same_place), [Some(0), Some(1)]);
        assert_eq!(settle(&proposals, |_, _, _, _| true), [Some(0), None]);
    }

    /// Pearson's test over 100 000 draws: with 5 degrees of freedom, 20.5 is exceeded once in a thousand.
    #[test]
    fn drawn_actions_follow_the_distribution() {
        use passerby_geometry::chance::{Chance, Purpose};
        let p = [0.363602, 0.0, 0.363602, 0.162327, 0.049208, 0.061261];
        let mut counts = [0u32; 6];
        for who in 0..100_000 {
            let u = Chance::new(3).stream(who, 0, Purpose::Decision).uniform();
            counts[draw(&p, u).expect("something is drawn")] += 1;
        }
        assert_eq!(counts[1], 0, "a vetoed action was drawn");
        let expected = |i: usize| 1e5 * p[i];
        let chi2: f64 = (0..6)
            .filter(|i| *i != 1)
            .map(|i| {
                let off = f64::from(counts[i]) - expected(i);
                off * off / expected(i)
            })
            .sum();
        assert!(chi2 < 18.5, "chi-square {chi2}"); // 4 degrees of freedom, once in a thousand
    }
}
