//! Whether a point is inside the circle through three others: exactly.
//!
//! Three ways, each slower than the one before: doubles, if they are sure; whole numbers, if the points are on a grid that is not too fine for
//! their distances, as people put on a lattice are and most others too; `robust`, for what is left.

use passerby_geometry::DVec2;
use robust::Coord;
use std::cmp::Ordering;

/// Half the distance from one to the next double.
const EPSILON: f64 = 0.5 * f64::EPSILON;

/// What rounding may do to the determinant, as a share of its terms without their signs: Shewchuk 1997, bound A of `incircle`.
const BOUND: f64 = (10.0 + 96.0 * EPSILON) * EPSILON;

/// `Greater` if `d` is inside the circle through `a`, `b` and `c`, which are counter-clockwise, `Equal` on it. Coordinates are `f32` made longer.
#[inline(always)]
pub(crate) fn inside(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Ordering {
    let [a_d, b_d, c_d] = [a - d, b - d, c - d];
    let (bc, cb) = (b_d.x * c_d.y, c_d.x * b_d.y);
    let (ca, ac) = (c_d.x * a_d.y, a_d.x * c_d.y);
    let (ab, ba) = (a_d.x * b_d.y, b_d.x * a_d.y);
    let [a_lift, b_lift, c_lift] = [a_d, b_d, c_d].map(|p| p.x * p.x + p.y * p.y);
    let determinant = a_lift * (bc - cb) + b_lift * (ca - ac) + c_lift * (ab - ba);
    let terms = a_lift * (bc.abs() + cb.abs()) + b_lift * (ca.abs() + ac.abs()) + c_lift * (ab.abs() + ba.abs());
    if determinant.abs() > BOUND * terms {
        return if determinant > 0.0 { Ordering::Greater } else { Ordering::Less };
    }
    exactly(a, b, c, d)
}

#[cold]
#[inline(never)]
fn exactly(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Ordering {
    if let Some(determinant) = whole(a, b, c, d) {
        return determinant.cmp(&0);
    }
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord { x: p.x, y: p.y });
    robust::incircle(a, b, c, d).partial_cmp(&0.0).expect("finite coordinates")
}

/// The determinant in whole numbers, if all points are on a grid that is 2^-28 or so as wide as they are apart.
fn whole(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Option<i128> {
    let apart = (a - d).abs().max((b - d).abs()).max((c - d).abs()).max_element();
    // A power of two, so that nothing is rounded: `apart` becomes a number of 29 bits.
    let exponent = (apart.to_bits() >> 52) as i64 - 1023;
    let scale = f64::from_bits(((28 - exponent + 1023) as u64) << 52);
    let count = |x: f64| {
        let steps = (x * scale) as i64;
        (steps as f64 == x * scale && steps.abs() < 1 << 52).then_some(steps)
    };
    let [a, b, c, d] = [a, b, c, d].map(|p| Some([count(p.x)?, count(p.y)?]));
    let d = d?;
    // Differences have 30 bits, their products and sums of squares 61, the determinant 124.
    let [a, b, c] = [a?, b?, c?].map(|p| [p[0] - d[0], p[1] - d[1]]);
    let lift = |p: [i64; 2]| i128::from(p[0] * p[0] + p[1] * p[1]);
    let cross = |p: [i64; 2], q: [i64; 2]| i128::from(p[0] * q[1] - p[1] * q[0]);
    Some(lift(a) * cross(b, c) + lift(b) * cross(c, a) + lift(c) * cross(a, b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point(x: f32, y: f32) -> DVec2 {
        DVec2::new(x.into(), y.into())
    }

    /// The circle of radius five around (10, 10), through whole points.
    #[test]
    fn one_bit_decides() {
        let [a, b, c] = [point(15.0, 10.0), point(13.0, 14.0), point(6.0, 13.0)];
        let check = |d: DVec2, expected: Ordering| {
            assert_eq!(inside(a, b, c, d), expected, "{d}");
            assert_eq!(inside(b, c, a, d), expected, "{d}");
            assert_eq!(whole(a, b, c, d).map(|sign| sign.cmp(&0)), Some(expected), "{d}");
        };
        check(point(10.0, 5.0), Ordering::Equal);
        check(point(10.0, 5.0f32.next_up()), Ordering::Greater);
        check(point(10.0, 5.0f32.next_down()), Ordering::Less);
    }

    #[test]
    fn grids_that_are_too_fine_are_left_to_others() {
        let tiny = f32::from_bits(1);
        let [a, b, c] = [point(0.0, 0.0), point(3e38, 0.0), point(0.0, 3e38)];
        assert_eq!(whole(a, b, c, point(tiny, tiny)), None);
        // A right angle at the origin: the circle goes through it, with the tangent x + y = 0.
        assert_eq!(inside(a, b, c, point(tiny, tiny)), Ordering::Greater);
        assert_eq!(inside(a, b, c, point(-tiny, tiny)), Ordering::Less);
        assert_eq!(inside(a, b, c, point(3e38, 3e38)), Ordering::Equal);
    }

    proptest! {
        /// `robust` says the same, of points near one circle anywhere in a place.
        #[test]
        fn robust_agrees(
            at in (-500f32..500.0, -500f32..500.0), radius in prop_oneof![0.01f32..2.0, 10f32..300.0],
            angles in [0f32..6.3, 0f32..6.3, 0f32..6.3, 0f32..6.3],
        ) {
            let near = |angle: f32| {
                let (sin, cos) = passerby_geometry::math::sin_cos(angle);
                point(at.0 + radius * cos, at.1 + radius * sin)
            };
            let [a, b, c, d] = angles.map(near);
            let coord = |p: DVec2| Coord { x: p.x, y: p.y };
            let expected = robust::incircle(coord(a), coord(b), coord(c), coord(d));
            let expected = expected.partial_cmp(&0.0);
            prop_assert_eq!(Some(inside(a, b, c, d)), expected);
            prop_assert!(whole(a, b, c, d).is_none_or(|sign| Some(sign.cmp(&0)) == expected));
        }
    }
}
