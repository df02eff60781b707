//! A straight piece between two points: nearest points and crossings.
//!
//! Coordinates are `f32`, the arithmetic inside is `f64`: differences and products of `f32` are then exact or nearly
//! so, and an answer is right up to its own rounding even for a wall of a kilometre.

use crate::{DVec2, Vec2};

/// The points from `a` to `b`. As a wall, its free side is on the left of the way from `a` to `b`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Where it begins.
    pub a: Vec2,
    /// Where it ends.
    pub b: Vec2,
}

impl Segment {
    /// The segment from `a` to `b`.
    pub const fn new(a: Vec2, b: Vec2) -> Segment {
        Segment { a, b }
    }

    /// Length, m.
    pub fn length(&self) -> f32 {
        let (a, b) = self.ends();
        (b - a).length() as f32
    }

    /// Unit vector from `a` to `b`; zero when they are the same point.
    pub fn direction(&self) -> Vec2 {
        let (a, b) = self.ends();
        (b - a).normalize_or_zero().as_vec2()
    }

    /// Unit vector to the left of the way from `a` to `b`: a wall's free side. Zero when they are the same point.
    pub fn normal(&self) -> Vec2 {
        self.direction().perp()
    }

    /// The point at `fraction` of the way: `a` at 0, `b` at 1.
    pub fn at(&self, fraction: f32) -> Vec2 {
        let (a, b) = self.ends();
        a.lerp(b, f64::from(fraction)).as_vec2()
    }

    /// The same points, walked from `b` to `a`: the free side changes.
    pub fn reversed(&self) -> Segment {
        Segment { a: self.b, b: self.a }
    }

    /// The point of the segment nearest to `p`.
    pub fn closest_point(&self, p: Vec2) -> Vec2 {
        self.closest_exact(p).as_vec2()
    }

    /// Distance from `p` to the nearest point of the segment, m.
    pub fn distance(&self, p: Vec2) -> f32 {
        self.closest_exact(p).distance(p.as_dvec2()) as f32
    }

    /// Signed distance of `p` from the straight line through the segment, m: positive on the left (free) side.
    /// Zero when `a` and `b` are the same point.
    pub fn side(&self, p: Vec2) -> f32 {
        let (a, b) = self.ends();
        (b - a).normalize_or_zero().perp_dot(p.as_dvec2() - a) as f32
    }

    /// The two points, one on each segment, that are nearest to each other (first on `self`, then on `other`). Where
    /// the segments cross, both are the crossing. Of several equally near pairs, it is one that contains an end.
    pub fn closest_points(&self, other: &Segment) -> (Vec2, Vec2) {
        if let Some((fraction, _)) = self.crossing(other) {
            let point = self.at(fraction);
            return (point, point);
        }
        // Segments that do not cross are nearest at one of the four ends.
        let candidates = [
            (self.a.as_dvec2(), other.closest_exact(self.a)),
            (self.b.as_dvec2(), other.closest_exact(self.b)),
            (self.closest_exact(other.a), other.a.as_dvec2()),
            (self.closest_exact(other.b), other.b.as_dvec2()),
        ];
        let mut best = candidates[0];
        for pair in &candidates[1..] {
            if pair.0.distance_squared(pair.1) < best.0.distance_squared(best.1) {
                best = *pair;
            }
        }
        (best.0.as_vec2(), best.1.as_vec2())
    }

    /// Where the segments meet, as fractions of the way along `self` and along `other`; touching ends count.
    ///
    /// `None` when they do not meet and when they are parallel, even if they overlap: then there is no single point.
    pub fn crossing(&self, other: &Segment) -> Option<(f32, f32)> {
        self.crossing_exact(other).map(|(along, other_along)| (along as f32, other_along as f32))
    }

    /// [`Segment::crossing`] before rounding, for comparing crossings with one another.
    pub(crate) fn crossing_exact(&self, other: &Segment) -> Option<(f64, f64)> {
        let ((a, b), (c, d)) = (self.ends(), other.ends());
        let (along, across, between) = (b - a, d - c, c - a);
        let area = along.perp_dot(across);
        let (t, u) = (between.perp_dot(across) / area, between.perp_dot(along) / area);
        // For parallel segments these are infinite or NaN, which no range contains.
        ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then_some((t, u))
    }

    /// [`Segment::closest_point`] before rounding.
    pub(crate) fn closest_exact(&self, p: Vec2) -> DVec2 {
        let (a, b) = self.ends();
        let along = b - a;
        let fraction = along.dot(p.as_dvec2() - a) / along.length_squared();
        if fraction >= 1.0 {
            b
        } else if fraction > 0.0 {
            a + along * fraction
        } else {
            a // also when a = b, where the fraction is not a number
        }
    }

    /// Both ends in `f64`.
    pub(crate) fn ends(&self) -> (DVec2, DVec2) {
        (self.a.as_dvec2(), self.b.as_dvec2())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn segment(a: [f32; 2], b: [f32; 2]) -> Segment {
        Segment::new(a.into(), b.into())
    }

    #[test]
    fn a_segment_of_three_by_four() {
        let s = segment([1.0, 1.0], [4.0, 5.0]);
        assert_eq!(s.length(), 5.0);
        assert_eq!(s.direction(), Vec2::new(0.6, 0.8));
        assert_eq!(s.normal(), Vec2::new(-0.8, 0.6)); // to the left
        assert_eq!(s.at(0.5), Vec2::new(2.5, 3.0));
        assert_eq!(s.reversed().normal(), Vec2::new(0.8, -0.6));
        assert_eq!(s.side(Vec2::new(1.0, 6.0)), 3.0); // left
        assert_eq!(s.side(Vec2::new(6.0, 1.0)), -4.0); // right
    }

    #[test]
    fn nearest_points_at_sides_and_ends() {
        let s = segment([0.0, 0.0], [4.0, 0.0]);
        let check = |p: [f32; 2], expected: [f32; 2], distance: f32| {
            assert_eq!(s.closest_point(p.into()), expected.into());
            assert_eq!(s.distance(p.into()), distance);
        };
        check([1.0, 2.0], [1.0, 0.0], 2.0);
        check([-3.0, 4.0], [0.0, 0.0], 5.0);
        check([7.0, -4.0], [4.0, 0.0], 5.0);
        check([4.0, 0.0], [4.0, 0.0], 0.0);
    }

    #[test]
    fn a_segment_without_length_is_a_point() {
        let s = segment([1.0, 1.0], [1.0, 1.0]);
        assert_eq!((s.length(), s.direction(), s.normal()), (0.0, Vec2::ZERO, Vec2::ZERO));
        assert_eq!(s.closest_point(Vec2::new(4.0, 5.0)), Vec2::ONE);
        assert_eq!(s.distance(Vec2::new(4.0, 5.0)), 5.0);
        assert_eq!(s.side(Vec2::new(4.0, 5.0)), 0.0);
    }

    #[test]
    fn crossings_at_middles_ends_and_nowhere() {
        let s = segment([0.0, 0.0], [4.0, 0.0]);
        assert_eq!(s.crossing(&segment([1.0, -1.0], [1.0, 3.0])), Some((0.25, 0.25)));
        assert_eq!(s.crossing(&segment([4.0, 2.0], [4.0, 0.0])), Some((1.0, 1.0))); // end to end
        assert_eq!(s.crossing(&segment([4.5, -1.0], [4.5, 1.0])), None);
        assert_eq!(s.crossing(&segment([1.0, 1.0], [3.0, 1.0])), None); // parallel
        assert_eq!(s.crossing(&segment([1.0, 0.0], [3.0, 0.0])), None); // overlapping
    }

    #[test]
    fn nearest_points_of_two_segments() {
        let s = segment([0.0, 0.0], [4.0, 0.0]);
        let check = |other: Segment, on_s: [f32; 2], on_other: [f32; 2]| {
            assert_eq!(s.closest_points(&other), (on_s.into(), on_other.into()));
            assert_eq!(other.closest_points(&s), (on_other.into(), on_s.into()));
        };
        check(segment([1.0, -1.0], [1.0, 3.0]), [1.0, 0.0], [1.0, 0.0]);
        check(segment([2.0, 1.0], [3.0, 3.0]), [2.0, 0.0], [2.0, 1.0]);
        check(segment([7.0, 4.0], [8.0, 9.0]), [4.0, 0.0], [7.0, 4.0]);
        check(segment([1.0, 0.0], [1.0, 0.0]), [1.0, 0.0], [1.0, 0.0]);
    }

    fn place() -> impl Strategy<Value = Vec2> {
        [-10.0f32..10.0, -10.0f32..10.0].prop_map(Vec2::from)
    }

    proptest! {
        #[test]
        fn no_sampled_point_is_nearer(a in place(), b in place(), p in place()) {
            let s = Segment::new(a, b);
            prop_assert!((s.closest_point(p).distance(p) - s.distance(p)).abs() < 1e-5);
            for i in 0..=100 {
                prop_assert!(s.at(i as f32 / 100.0).distance(p) >= s.distance(p) - 1e-5);
            }
        }

        #[test]
        fn no_sampled_pair_is_nearer(a in place(), b in place(), c in place(), d in place()) {
            let (s, t) = (Segment::new(a, b), Segment::new(c, d));
            let (p, q) = s.closest_points(&t);
            prop_assert!(s.distance(p) < 1e-5 && t.distance(q) < 1e-5);
            for i in 0..=50 {
                prop_assert!(t.distance(s.at(i as f32 / 50.0)) >= p.distance(q) - 1e-5);
                prop_assert!(s.distance(t.at(i as f32 / 50.0)) >= p.distance(q) - 1e-5);
            }
        }

        #[test]
        fn crossings_are_on_both(a in place(), b in place(), c in place(), d in place()) {
            let (s, t) = (Segment::new(a, b), Segment::new(c, d));
            match s.crossing(&t) {
                Some((u, v)) => prop_assert!(s.at(u).distance(t.at(v)) < 1e-4),
                // Then one of them is on one side of the other.
                None => prop_assert!(s.side(c) * s.side(d) > -1e-6 || t.side(a) * t.side(b) > -1e-6),
            }
        }
    }
}
