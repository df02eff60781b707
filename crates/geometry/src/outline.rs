//! What makes a list of points the outline of a polygon, and what is said when it is none.

use crate::DVec2;
use crate::crossings::{contact, first_pair, turn};

/// Coordinates beyond this are refused, m: no place is that far away, and squares stay far from overflow.
pub const COORDINATE_MAX: f64 = 1e9;

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

/// What can be said of the points one by one.
pub(crate) fn check_points(points: &[DVec2]) -> Result<(), PolygonError> {
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
pub(crate) fn check_outline(points: &[DVec2]) -> Result<(), PolygonError> {
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
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Polygon;
    use crate::math::double;
    use proptest::prelude::*;

    fn points(list: &[[f64; 2]]) -> Vec<DVec2> {
        list.iter().map(|&p| p.into()).collect()
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

    proptest! {
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
