//! Simple polygons: checked once when made, trusted afterwards.

use crate::DVec2;
use crate::crossings::{contact, first_pair, on_edge, turn};

/// Coordinates beyond this are refused, m: no place is that far away, and squares stay far from overflow.
pub const COORDINATE_MAX: f64 = 1e9;

/// A simple polygon: at least three corners, counter-clockwise, the outline meets itself nowhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    points: Vec<DVec2>,
    low: DVec2,
    high: DVec2,
}

/// Why points do not make a polygon, or polygons not an [`Area`](crate::Area). Vertices, edges and holes are counted
/// from 0 in the order they were given; edge `i` goes from vertex `i` to the next.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PolygonError {
    /// Fewer than three different points.
    #[error("{count} points do not enclose anything: give at least 3 corners")]
    TooFew {
        /// How many points there are, a repeated closing point not counted.
        count: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} is ({}, {}), which is not a place: give finite coordinates in metres", at.x, at.y)]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        at: DVec2,
    },
    /// A coordinate is beyond [`COORDINATE_MAX`].
    #[error(
        "vertex {vertex} at ({}, {}) is more than {COORDINATE_MAX:e} m from the origin: are these metres?", at.x, at.y
    )]
    TooFar {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        at: DVec2,
    },
    /// The same point occurs twice.
    #[error(
        "vertex {vertex} at ({}, {}) is the same point as vertex {earlier}: give every corner once", at.x, at.y
    )]
    Repeated {
        /// The later of the two.
        vertex: usize,
        /// The earlier one.
        earlier: usize,
        /// Where both are.
        at: DVec2,
    },
    /// The outline turns back onto itself.
    #[error(
        "the outline turns straight back at vertex {vertex} at ({}, {}): a spike has no inside, remove that vertex",
        at.x, at.y
    )]
    Spike {
        /// The tip.
        vertex: usize,
        /// Its coordinates.
        at: DVec2,
    },
    /// Two edges that are not neighbours meet.
    #[error(
        "the edge that starts at vertex {edge} meets the edge that starts at vertex {other} at ({}, {}): \
         list the corners in order around the outline, or split it into several polygons", at.x, at.y
    )]
    SelfCrossing {
        /// Number of the first edge.
        edge: usize,
        /// Number of the second edge.
        other: usize,
        /// A point they have in common.
        at: DVec2,
    },
    /// All points are on one line.
    #[error("all {count} points are on one line from ({}, {}): move a corner off it", at.x, at.y)]
    NoArea {
        /// How many points there are.
        count: usize,
        /// The first of them.
        at: DVec2,
    },
    /// A hole is not inside the outline it is cut from.
    #[error(
        "hole {hole} leaves the outer outline near its vertex {vertex} at ({}, {}): cut the hole back to the outline, \
         or make it an obstacle", at.x, at.y
    )]
    HoleOutside {
        /// The hole.
        hole: usize,
        /// The vertex outside, or the one at which an edge that crosses the outline starts.
        vertex: usize,
        /// The vertex, or the crossing.
        at: DVec2,
    },
    /// Two holes have a piece in common.
    #[error("hole {hole} overlaps hole {other} at ({}, {}): join them into one", at.x, at.y)]
    HolesOverlap {
        /// The first hole.
        hole: usize,
        /// The second hole.
        other: usize,
        /// A point of both.
        at: DVec2,
    },
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
        if doubled_area(&points) < 0.0 {
            points.reverse();
        }
        Ok(Polygon::of(points))
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

    /// Inside, outside, or exactly on the outline.
    pub(crate) fn locate(&self, p: DVec2) -> Place {
        if !(p.cmpge(self.low).all() && p.cmple(self.high).all()) {
            return Place::Outside;
        }
        // A ray to the right crosses the outline an odd number of times from inside. An edge counts with its lower end
        // and without its upper one, so a ray through a corner counts right.
        let mut inside = false;
        for [a, b] in self.edges() {
            let side = if (a.y > p.y) != (b.y > p.y) { turn(a, b, p) } else { 0.0 };
            if side == 0.0 && on_edge(p, [a, b]) {
                return Place::Border;
            }
            inside ^= side != 0.0 && (side > 0.0) == (b.y > a.y);
        }
        if inside { Place::Inside } else { Place::Outside }
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
        // The lowest corner of the leftmost is convex. Either the triangle with its neighbours is free of other corners,
        // or the line from it to that corner inside which is farthest from the opposite side meets no edge.
        let n = self.points.len();
        let tip = (0..n)
            .min_by(|&i, &j| {
                let (a, b) = (self.points[i], self.points[j]);
                a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
            })
            .unwrap_or(0);
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

/// Twice the area, positive if counter-clockwise.
fn doubled_area(points: &[DVec2]) -> f64 {
    let mut sum = 0.0;
    for pair in points[1..].windows(2) {
        sum += (pair[0] - points[0]).perp_dot(pair[1] - points[0]);
    }
    sum
}

/// What can be said of the points one by one.
fn check_points(points: &[DVec2]) -> Result<(), PolygonError> {
    for (vertex, &at) in points.iter().enumerate() {
        if !at.is_finite() {
            return Err(PolygonError::NotFinite { vertex, at });
        }
        if at.abs().max_element() > COORDINATE_MAX {
            return Err(PolygonError::TooFar { vertex, at });
        }
    }
    if points.len() < 3 {
        return Err(PolygonError::TooFew { count: points.len() });
    }
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&i, &j| {
        points[i].x.total_cmp(&points[j].x).then(points[i].y.total_cmp(&points[j].y)).then(i.cmp(&j))
    });
    let repeated = order.windows(2).filter(|pair| points[pair[0]] == points[pair[1]]);
    match repeated.min_by_key(|pair| pair[1]) {
        Some(pair) => Err(PolygonError::Repeated { vertex: pair[1], earlier: pair[0], at: points[pair[1]] }),
        None => Ok(()),
    }
}

/// What can be said of different points in their order.
fn check_outline(points: &[DVec2]) -> Result<(), PolygonError> {
    let n = points.len();
    if points[2..].iter().all(|&p| turn(points[0], points[1], p) == 0.0) {
        return Err(PolygonError::NoArea { count: n, at: points[0] });
    }
    for vertex in 0..n {
        let (before, at, after) = (points[(vertex + n - 1) % n], points[vertex], points[(vertex + 1) % n]);
        if turn(before, at, after) == 0.0 && (before - at).dot(after - at) > 0.0 {
            return Err(PolygonError::Spike { vertex, at });
        }
    }
    let edges: Vec<[DVec2; 2]> = (0..n).map(|i| [points[i], points[(i + 1) % n]]).collect();
    // Neighbours share a corner, and without a spike nothing else.
    let neighbours = |i: usize, j: usize| j == i + 1 || (i == 0 && j == n - 1);
    let meeting = first_pair(&edges, |i, j| if neighbours(i, j) { None } else { contact(edges[i], edges[j]) });
    match meeting {
        Some((edge, other, at)) => Err(PolygonError::SelfCrossing { edge, other, at }),
        None if doubled_area(points) == 0.0 => Err(PolygonError::NoArea { count: n, at: points[0] }),
        None => Ok(()),
    }
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

    #[track_caller]
    fn refused(list: &[[f64; 2]], expected: PolygonError, message: &str) {
        let error = Polygon::new(points(list)).unwrap_err();
        assert_eq!(error, expected);
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn errors_name_the_vertex_and_the_way_out() {
        let at = |x, y| DVec2::new(x, y);
        refused(
            &[[0., 0.], [1., 0.], [0., 0.]],
            PolygonError::TooFew { count: 2 },
            "2 points do not enclose anything: give at least 3 corners",
        );
        refused(
            &[[0., 0.], [1., 0.], [1., 1.], [f64::INFINITY, 1.]],
            PolygonError::NotFinite { vertex: 3, at: at(f64::INFINITY, 1.) },
            "vertex 3 is (inf, 1), which is not a place: give finite coordinates in metres",
        );
        refused(
            &[[0., 0.], [2e9, 0.], [1., 1.]],
            PolygonError::TooFar { vertex: 1, at: at(2e9, 0.) },
            "vertex 1 at (2000000000, 0) is more than 1e9 m from the origin: are these metres?",
        );
        refused(
            &[[0., 0.], [1., 0.], [1., 0.], [1., 1.]],
            PolygonError::Repeated { vertex: 2, earlier: 1, at: at(1., 0.) },
            "vertex 2 at (1, 0) is the same point as vertex 1: give every corner once",
        );
        refused(
            &[[0., 0.], [2., 0.], [2., 2.], [2., 1.], [0., 1.]],
            PolygonError::Spike { vertex: 2, at: at(2., 2.) },
            "the outline turns straight back at vertex 2 at (2, 2): a spike has no inside, remove that vertex",
        );
        refused(
            &[[0., 0.], [2., 2.], [2., 0.], [0., 2.]],
            PolygonError::SelfCrossing { edge: 0, other: 2, at: at(1., 1.) },
            "the edge that starts at vertex 0 meets the edge that starts at vertex 2 at (1, 1): list the corners in \
             order around the outline, or split it into several polygons",
        );
        refused(
            &[[0., 0.], [1., 1.], [3., 3.], [2., 2.]],
            PolygonError::NoArea { count: 4, at: at(0., 0.) },
            "all 4 points are on one line from (0, 0): move a corner off it",
        );
    }

    #[test]
    fn an_outline_that_only_touches_itself_is_refused() {
        // Vertex 3 lies on the first edge.
        let touching = points(&[[0., 0.], [4., 0.], [4., 4.], [2., 0.], [0., 4.]]);
        assert!(matches!(Polygon::new(touching), Err(PolygonError::SelfCrossing { edge: 0, other: 2, .. })));
        // Two squares that share a corner.
        let figure = points(&[[0., 0.], [1., 0.], [1., 1.], [2., 1.], [2., 2.], [1., 2.], [1., 1.], [0., 1.]]);
        assert!(matches!(Polygon::new(figure), Err(PolygonError::Repeated { vertex: 6, earlier: 2, .. })));
        // Minus zero is zero.
        let zeros = points(&[[0., 0.], [1., 0.], [1., 1.], [-0., -0.], [0., 1.]]);
        assert!(matches!(Polygon::new(zeros), Err(PolygonError::Repeated { vertex: 3, earlier: 0, .. })));
    }

    #[test]
    fn one_crossing_among_ten_thousand_edges_is_found() {
        let mut circle: Vec<DVec2> = (0..10_000)
            .map(|i| DVec2::from(double::sin_cos(std::f64::consts::TAU * f64::from(i) / 10_000.0)) * 100.0)
            .collect();
        assert!(Polygon::new(circle.clone()).is_ok());
        circle.swap(7000, 7001);
        let error = Polygon::new(circle).unwrap_err();
        assert!(matches!(error, PolygonError::SelfCrossing { edge: 6999, other: 7001, .. }), "{error}");
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

        /// Shuffled corners are accepted exactly if trying every pair of edges finds no meeting.
        #[test]
        fn crossings_are_found_as_by_trying_all_pairs(list in prop::collection::vec((0i8..12, 0i8..12), 3..9)) {
            let outline: Vec<DVec2> = list.iter().map(|&(x, y)| DVec2::new(x.into(), y.into())).collect();
            prop_assume!(outline.first() != outline.last()); // a closing point would shift the numbers
            let n = outline.len();
            let edge = |i: usize| [outline[i], outline[(i + 1) % n]];
            let apart = |i: usize, j: usize| (i + 1) % n != j && (j + 1) % n != i;
            let meeting = (0..n).any(|i| (0..i).any(|j| apart(i, j) && contact(edge(i), edge(j)).is_some()));
            match Polygon::new(outline.clone()) {
                Ok(polygon) => prop_assert!(!meeting && polygon.area() > 0.0),
                Err(PolygonError::SelfCrossing { edge: i, other: j, at }) => {
                    prop_assert!(meeting && apart(i, j));
                    let [a, b] = edge(i);
                    let [c, d] = edge(j);
                    prop_assert!(a.distance(at) + at.distance(b) < a.distance(b) + 1e-9);
                    prop_assert!(c.distance(at) + at.distance(d) < c.distance(d) + 1e-9);
                }
                Err(_) => (), // fewer, repeated or flat points
            }
        }

        #[test]
        fn polygons_of_any_numbers_do_not_panic(list in prop::collection::vec((any::<f64>(), any::<f64>()), 0..8)) {
            let _ = Polygon::new(list.into_iter().map(DVec2::from).collect());
        }
    }
}
