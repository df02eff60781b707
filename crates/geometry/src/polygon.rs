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
