//! Vectors and functions over [`Lanes`]: the same bits in every width.

use crate::lanes::Lanes;

/// The product of the components along each other.
#[inline(always)]
pub fn dot<L: Lanes>(a: [L; 2], b: [L; 2]) -> L {
    a[0] * b[0] + a[1] * b[1]
}

/// The z component of the cross product.
#[inline(always)]
pub fn cross<L: Lanes>(a: [L; 2], b: [L; 2]) -> L {
    a[0] * b[1] - a[1] * b[0]
}

/// Length of a vector.
#[inline(always)]
pub fn length<L: Lanes>(a: [L; 2]) -> L {
    dot(a, a).sqrt()
}

/// Every component times a number.
#[inline(always)]
pub fn scale<L: Lanes>(a: [L; 2], by: L) -> [L; 2] {
    [a[0] * by, a[1] * by]
}

/// The sum of two vectors.
#[inline(always)]
pub fn add<L: Lanes>(a: [L; 2], b: [L; 2]) -> [L; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// The difference of two vectors.
#[inline(always)]
pub fn sub<L: Lanes>(a: [L; 2], b: [L; 2]) -> [L; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// `yes` in the lanes of the mask, elsewhere `no`.
#[inline(always)]
pub fn select<L: Lanes>(mask: L, yes: [L; 2], no: [L; 2]) -> [L; 2] {
    [mask.select(yes[0], no[0]), mask.select(yes[1], no[1])]
}

/// The unit vector along `a`; `otherwise` where `a` has no length to speak of.
#[inline(always)]
pub fn unit_or<L: Lanes>(a: [L; 2], otherwise: [L; 2]) -> [L; 2] {
    let length = length(a);
    let some = L::splat(1e-30).lt(length);
    let divisor = some.select(length, L::splat(1.0));
    select(some, [a[0] / divisor, a[1] / divisor], otherwise)
}

/// `a`, or the vector of length `most` along it where it is longer.
#[inline(always)]
pub fn at_most<L: Lanes>(a: [L; 2], most: L) -> [L; 2] {
    let length = length(a);
    let too_long = most.lt(length);
    select(too_long, scale(a, most / too_long.select(length, L::splat(1.0))), a)
}

/// e to the power of `x`, to a relative error of 2e-7. Below -87 it is 1.6e-38, above 88 it is 1.7e38.
///
/// x = n ln 2 + r with |r| at most half of ln 2; the series of e^r up to r^6 then misses 1.2e-7.
#[inline(always)]
pub fn exp<L: Lanes>(x: L) -> L {
    let x = x.max(L::splat(-87.0)).min(L::splat(88.0));
    // Adding and taking away 1.5 * 2^23 rounds to a whole number.
    let magic = L::splat(12_582_912.0);
    let n = (x * L::splat(std::f32::consts::LOG2_E) + magic) - magic;
    // ln 2 in two parts, the first with so few digits that its product with n is exact.
    let r = x - n * L::splat(355.0 / 512.0) - n * L::splat(-2.121_944_4e-4);
    let mut sum = L::splat(1.0 / 720.0);
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * r + L::splat(coefficient);
    }
    sum * n.power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{LANES, Plain};

    fn first(value: Plain) -> f32 {
        let mut lanes = [0.0; LANES];
        value.store(&mut lanes);
        lanes[0]
    }

    #[test]
    fn exp_is_that_of_the_library() {
        for i in -8700..=8800 {
            let x = i as f32 / 100.0 + 0.003;
            if x > 88.0 {
                continue;
            }
            let (got, expected) = (f64::from(first(exp(Plain::splat(x)))), crate::math::double::exp(f64::from(x)));
            assert!((got / expected - 1.0).abs() < 3e-7, "exp({x}) is {got}, expected {expected}");
        }
        assert_eq!(first(exp(Plain::splat(0.0))), 1.0);
        assert!(first(exp(Plain::splat(-1e9))) < 2e-38);
        assert!(first(exp(Plain::splat(1e9))) < 2e38);
    }

    #[test]
    fn vectors_by_hand() {
        let v = |x: f32, y: f32| [Plain::splat(x), Plain::splat(y)];
        let both = |v: [Plain; 2]| v.map(first);
        assert_eq!(both(unit_or(v(3.0, 4.0), v(1.0, 0.0))), [0.6, 0.8]);
        assert_eq!(both(unit_or(v(0.0, 0.0), v(1.0, 0.0))), [1.0, 0.0]);
        assert_eq!(both(at_most(v(3.0, 4.0), Plain::splat(2.5))), [1.5, 2.0]);
        assert_eq!(both(at_most(v(3.0, 4.0), Plain::splat(5.0))), [3.0, 4.0]);
        assert_eq!((first(dot(v(1.0, 2.0), v(3.0, 4.0))), first(cross(v(1.0, 2.0), v(3.0, 4.0)))), (11.0, -2.0));
        assert_eq!(both(add(v(1.0, 2.0), scale(v(3.0, 4.0), Plain::splat(2.0)))), [7.0, 10.0]);
        assert_eq!(both(sub(v(1.0, 2.0), v(3.0, 5.0))), [-2.0, -3.0]);
    }
}
