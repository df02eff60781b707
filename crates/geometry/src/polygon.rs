//! Simple polygons: checked once when made, trusted afterwards.

use crate::DVec2;
use crate::crossings::{contact, first_pair, on_edge, turn};
use crate::outline::{PolygonError, check_outline, check_points};

/// A simple polygon: at least three corners, counter-clockwise, the outline meets itself nowhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    points: Vec<DVec2>,
    low: DVec2,
    high: DVec2,
}

impl Polygon {
    /// Checks the corners and turns them counter-clockwise. A last point equal to the first, as many file formats
    /// repeat it, is dropped.
    pub fn new(points: Vec<DVec2>) -> Result<Polygon, PolygonError> {
        // Adding zero makes -0 a 0, so that equal points are equal in every comparison.
        let mut points: Vec<DVec2> = points.into_iter().map(|p| p + DVec2::ZERO).collect();
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        check_points(&points)?;
        check_outline(&points)?;
        if is_clockwise(&points) {
            points.reverse();
        }
        if doubled_area(&points) > 0.0 {
            Ok(Polygon::of(points))
        } else {
            Err(PolygonError::NoArea { count: points.len(), at: points[0] }) // but for rounding: too flat to measure
        }
    }

    /// The rectangle between two opposite corners.
    pub fn rectangle(min: DVec2, max: DVec2) -> Result<Polygon, PolygonError> {
        Polygon::new(vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)])
    }

    fn of(points: Vec<DVec2>) -> Polygon {
        let (low, high) = (points.iter().copied().reduce(DVec2::min), points.iter().copied().reduce(DVec2::max));
        Polygon { low: low.unwrap_or_default(), high: high.unwrap_or_default(), points }
    }

    /// The corners, counter-clockwise, each once.
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// The edges, counter-clockwise: the inside is on the left of each.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = [DVec2; 2]> + '_ {
        let n = self.points.len();
        (0..n).map(move |i| [self.points[i], self.points[if i + 1 == n { 0 } else { i + 1 }]])
    }

    /// The lowest and the highest coordinates.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        (self.low, self.high)
    }

    /// Area, m2.
    pub fn area(&self) -> f64 {
        0.5 * doubled_area(&self.points)
    }

    /// Centre of mass of the area.
    pub fn centroid(&self) -> DVec2 {
        // Relative to the first corner: far from the origin the products would cancel.
        let origin = self.points[0];
        let mut sum = DVec2::ZERO;
        for [a, b] in self.edges() {
            let (a, b) = (a - origin, b - origin);
            sum += (a + b) * a.perp_dot(b);
        }
        origin + sum / (3.0 * doubled_area(&self.points))
    }

    /// Whether `p` is inside or exactly on the outline.
    pub fn contains(&self, p: DVec2) -> bool {
        self.locate(p) != Place::Outside
    }

    /// Whether `p` is inside and not on the outline.
    pub fn surrounds(&self, p: DVec2) -> bool {
        self.locate(p) == Place::Inside
    }

    /// Inside, outside, or exactly on the outline.
    pub(crate) fn locate(&self, p: DVec2) -> Place {
        if !(p.cmpge(self.low).all() && p.cmple(self.high).all()) {
            return Place::Outside;
        }
        locate(p, self.edges())
    }

    /// The point of the outline nearest to `p`, which may be inside or outside.
    pub fn closest_point(&self, p: DVec2) -> DVec2 {
        let mut best = self.points[0];
        for [a, b] in self.edges() {
            let along = b - a;
            let fraction = (along.dot(p - a) / along.length_squared()).clamp(0.0, 1.0);
            let point = if fraction == 1.0 { b } else { a + along * fraction };
            if point.distance_squared(p) < best.distance_squared(p) {
                best = point;
            }
        }
        best
    }

    /// Distance from `p` to the polygon, m; zero inside.
    pub fn distance(&self, p: DVec2) -> f64 {
        if self.contains(p) { 0.0 } else { self.closest_point(p).distance(p) }
    }

    /// Whether the polygons have a point in common; touching counts.
    pub fn intersects(&self, other: &Polygon) -> bool {
        if !(self.low.cmple(other.high).all() && other.low.cmple(self.high).all()) {
            return false;
        }
        // One inside the other, or outlines that meet.
        self.contains(other.points[0]) || other.contains(self.points[0]) || {
            let edges: Vec<_> = self.edges().chain(other.edges()).collect();
            let own = self.points.len();
            first_pair(&edges, |i, j| if i < own && own <= j { contact(edges[i], edges[j]) } else { None }).is_some()
        }
    }

    /// The polygon moved by `by`. Moving rounds coordinates: keep to distances at which they stay apart.
    pub fn translated(&self, by: DVec2) -> Polygon {
        Polygon::of(self.points.iter().map(|p| *p + by).collect())
    }

    /// A point that is inside and not on the outline.
    pub(crate) fn inner_point(&self) -> DVec2 {
        // The leftmost corner is convex. Either the triangle with its neighbours is free of other corners,
        // or the line from it to that corner inside which is farthest from the opposite side meets no edge.
        let n = self.points.len();
        let tip = leftmost(&self.points);
        let (before, at, after) = (self.points[(tip + n - 1) % n], self.points[tip], self.points[(tip + 1) % n]);
        let mut farthest: Option<(f64, DVec2)> = None;
        for &p in self.points.iter().filter(|&&p| p != before && p != at && p != after) {
            if turn(before, at, p) >= 0.0 && turn(at, after, p) >= 0.0 && turn(after, before, p) >= 0.0 {
                let depth = (before - after).perp_dot(p - after);
                if farthest.is_none_or(|(most, _)| depth > most) {
                    farthest = Some((depth, p));
                }
            }
        }
        farthest.map_or((before + at + after) / 3.0, |(_, p)| (p + at) * 0.5)
    }
}

/// Where a point is with respect to a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Inside,
    Border,
    Outside,
}

/// Where `p` is with respect to an outline, of which at least all edges beside it are given.
pub(crate) fn locate(p: DVec2, edges: impl Iterator<Item = [DVec2; 2]>) -> Place {
    // A ray to the right crosses the outline an odd number of times from inside. An edge counts with its lower end
    // and without its upper one, so a ray through a corner counts right.
    let mut inside = false;
    for [a, b] in edges {
        let side = if (a.y > p.y) != (b.y > p.y) { turn(a, b, p) } else { 0.0 };
        if side == 0.0 && on_edge(p, [a, b]) {
            return Place::Border;
        }
        inside ^= side != 0.0 && (side > 0.0) == (b.y > a.y);
    }
    if inside { Place::Inside } else { Place::Outside }
}

/// Number of the leftmost corner, the lowest of several. It is convex: all others are to the right of it or above.
fn leftmost(points: &[DVec2]) -> usize {
    let lower = |i: &usize, j: &usize| {
        let (a, b) = (points[*i], points[*j]);
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
    };
    (0..points.len()).min_by(lower).unwrap_or(0)
}

/// The exact sense of rotation of a simple outline: that of its turn at a convex corner. The sign of the area would be
/// lost to rounding in a thin sliver.
fn is_clockwise(points: &[DVec2]) -> bool {
    let (n, tip) = (points.len(), leftmost(points));
    turn(points[(tip + n - 1) % n], points[tip], points[(tip + 1) % n]) < 0.0
}

/// Twice the area, positive if counter-clockwise.
fn doubled_area(points: &[DVec2]) -> f64 {
    let mut sum = 0.0;
    for pair in points[1..].windows(2) {
        sum += (pair[0] - points[0]).perp_dot(pair[1] - points[0]);
    }
    sum
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::math::double;
    use proptest::prelude::*;

    fn points(list: &[[f64; 2]]) -> Vec<DVec2> {
        list.iter().map(|&p| p.into()).collect()
    }

    /// An L: a 4 x 4 square without its upper right quarter.
    fn ell() -> Polygon {
        Polygon::new(points(&[[0., 0.], [4., 0.], [4., 2.], [2., 2.], [2., 4.], [0., 4.]])).unwrap()
    }

    /// Corners around a centre at random distances: simple whatever the distances, with many reflex corners.
    pub(crate) fn star(most: usize) -> impl Strategy<Value = Vec<DVec2>> {
        (prop::collection::vec(0.5f64..10.0, 5..most), -100.0f64..100.0, -100.0f64..100.0).prop_map(|(radii, x, y)| {
            let step = std::f64::consts::TAU / radii.len() as f64;
            let corner = |(i, radius): (usize, &f64)| {
                let (sin, cos) = double::sin_cos(step * i as f64);
                DVec2::new(x + radius * cos, y + radius * sin)
            };
            radii.iter().enumerate().map(corner).collect()
        })
    }

    #[test]
    fn outlines_are_turned_counter_clockwise_and_opened() {
        let clockwise = points(&[[0., 0.], [0., 1.], [1., 1.], [1., 0.], [0., 0.]]);
        let polygon = Polygon::new(clockwise).unwrap();
        assert_eq!(polygon.points(), points(&[[1., 0.], [1., 1.], [0., 1.], [0., 0.]]));
        assert_eq!(polygon.area(), 1.0);
        let same = Polygon::rectangle(DVec2::ZERO, DVec2::ONE).unwrap();
        assert_eq!(same.points(), points(&[[0., 0.], [1., 0.], [1., 1.], [0., 1.]]));
        assert_eq!(same.edges().len(), 4);
        assert_eq!(same.edges().last(), Some([DVec2::new(0., 1.), DVec2::ZERO]));
    }

    #[test]
    fn measures_of_an_ell() {
        let ell = ell();
        assert_eq!(ell.area(), 12.0);
        // Lower half 8 m2 at (2, 1), upper left quarter 4 m2 at (1, 3).
        assert!(ell.centroid().distance(DVec2::new(20.0 / 12.0, 20.0 / 12.0)) < 1e-12);
        assert_eq!(ell.bounds(), (DVec2::ZERO, DVec2::splat(4.0)));
        assert_eq!(ell.closest_point(DVec2::new(3.0, 3.5)), DVec2::new(2.0, 3.5));
        assert_eq!(ell.distance(DVec2::new(3.0, 3.5)), 1.0);
        assert_eq!(ell.distance(DVec2::new(7.0, -4.0)), 5.0);
        assert_eq!(ell.distance(DVec2::new(1.0, 1.0)), 0.0);
        assert_eq!(ell.closest_point(DVec2::new(1.0, 0.25)), DVec2::new(1.0, 0.0)); // on the outline, from inside
        let far = ell.translated(DVec2::new(500_000.0, 4_000_000.0));
        assert_eq!(far.area(), 12.0);
        assert!(far.centroid().distance(ell.centroid() + DVec2::new(500_000.0, 4_000_000.0)) < 1e-9);
    }

    #[test]
    fn the_outline_belongs_to_the_polygon() {
        let ell = ell();
        for on in [[0., 0.], [2., 0.], [4., 1.], [2., 2.], [2., 3.], [3., 2.], [0., 4.], [0., 2.]] {
            assert!(ell.contains(on.into()), "{on:?}");
            assert_eq!(ell.locate(on.into()), Place::Border);
        }
        for off in [[3., 3.], [-1., 2.], [5., 2.], [2.0000001, 2.0000001], [f64::NAN, 1.]] {
            assert!(!ell.contains(off.into()), "{off:?}");
        }
        assert!(ell.contains(DVec2::new(1.0, 2.0))); // a ray to the right runs along an edge
    }

    #[test]
    fn polygons_meet_when_they_overlap_touch_or_nest() {
        let square =
            |x: f64, y: f64, side: f64| Polygon::rectangle(DVec2::new(x, y), DVec2::new(x + side, y + side)).unwrap();
        let meets = |x, y, side| {
            let (one, other) = (ell(), square(x, y, side));
            assert_eq!(one.intersects(&other), other.intersects(&one));
            one.intersects(&other)
        };
        assert!(meets(0.5, 0.5, 0.5)); // inside
        assert!(meets(-1.0, -1.0, 10.0)); // around
        assert!(meets(1.5, 2.5, 1.0)); // across
        assert!(meets(4.0, 2.0, 1.0)); // corner to corner
        assert!(!meets(2.5, 2.5, 1.0)); // in the missing quarter
        assert!(!meets(9.0, 0.0, 1.0));
    }

    /// Total angle that the outline turns around `p`, in full turns: 1 inside, 0 outside.
    fn winding(outline: &[DVec2], p: DVec2) -> f64 {
        let n = outline.len();
        let angle = |i: usize| {
            let (a, b) = (outline[i] - p, outline[(i + 1) % n] - p);
            double::atan2(a.perp_dot(b), a.dot(b))
        };
        (0..n).map(angle).sum::<f64>() / std::f64::consts::TAU
    }

    proptest! {
        #[test]
        fn contains_agrees_with_the_winding_number(outline in star(30), x in -12.0f64..12.0, y in -12.0f64..12.0) {
            let polygon = Polygon::new(outline.clone()).unwrap();
            let (low, high) = polygon.bounds();
            let p = (low + high) * 0.5 + DVec2::new(x, y);
            prop_assume!(polygon.closest_point(p).distance(p) > 1e-9);
            prop_assert_eq!(polygon.contains(p), winding(&outline, p).abs() > 0.5);
        }

        #[test]
        fn no_sampled_point_of_the_outline_is_nearer(outline in star(30), x in -12.0f64..12.0, y in -12.0f64..12.0) {
            let polygon = Polygon::new(outline).unwrap();
            let p = polygon.bounds().0 + DVec2::new(x, y);
            let closest = polygon.closest_point(p);
            let on_outline = |q: DVec2| polygon.edges().any(|[a, b]| a.distance(q) + q.distance(b) < a.distance(b) + 1e-9);
            prop_assert!(on_outline(closest));
            for [a, b] in polygon.edges() {
                for i in 0..50 {
                    prop_assert!(a.lerp(b, f64::from(i) / 50.0).distance(p) >= closest.distance(p) - 1e-9);
                }
            }
        }

        #[test]
        fn inner_points_are_inside(outline in star(30)) {
            let polygon = Polygon::new(outline).unwrap();
            prop_assert_eq!(polygon.locate(polygon.inner_point()), Place::Inside);
        }
    }
}
