//! Goals made ready for one radius, and the last straight piece of a way to them.

use passerby_geometry::DVec2;

use crate::corners::Corner;
use crate::ground::{End, Ground};
use crate::mesh::Mesh;
use crate::sight::{Sight, Sought};
use crate::tangent::{Circle, Line, line, normal};

/// Ends of intervals are compared with this tolerance, as a fraction of an edge.
const SLACK: f64 = 1e-9;

/// What a way leads to.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// Off the floor, or a region that does not exist.
    Nowhere,
    /// A point and the triangles that hold it.
    Point(End, Vec<u32>),
    /// The nearest point of a region.
    Region(Entrances),
}

/// Where a disc can enter a region.
#[derive(Debug, Clone)]
pub(crate) struct Entrances {
    pub region: usize,
    /// In the order of their edges.
    pieces: Vec<Piece>,
    /// Distance from walls at all of them.
    room: f64,
}

/// A part of an edge of the region's outline on which the disc's centre can be.
#[derive(Debug, Clone, Copy)]
struct Piece {
    /// The triangle outside, and its edge.
    edge: (u32, usize),
    ends: [DVec2; 2],
    /// Fractions of the edge.
    from: f64,
    to: f64,
}

/// Where a straight piece begins: on a corner's circle or at a point.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'a> {
    /// A corner and the side on which one leaves it.
    Corner(&'a Corner, f64),
    /// A point.
    Point(End),
}

impl Entrances {
    /// A region in a niche too narrow for the disc still is a goal: then the entrances are for a smaller one.
    pub fn new(mesh: &Mesh, region: usize, inside: &[bool], radius: f64) -> Entrances {
        let mut found = Entrances { region, pieces: Vec::new(), room: 0.0 };
        for room in [radius, radius / 2.0, radius / 4.0, 0.0] {
            found.room = room;
            found.pieces = pieces(mesh, inside, room);
            if !found.pieces.is_empty() {
                break;
            }
        }
        found
    }

    fn on(&self, edge: (u32, usize)) -> &[Piece] {
        let first = self.pieces.partition_point(|p| p.edge < edge);
        let count = self.pieces[first..].partition_point(|p| p.edge == edge);
        &self.pieces[first..first + count]
    }
}

impl Target {
    /// What an expansion has to look for.
    pub fn sought<'a>(&'a self, regions: &'a [Vec<bool>]) -> Sought<'a> {
        match self {
            Target::Nowhere => Sought::Nothing,
            Target::Point(end, triangles) => Sought::Point(end.at, triangles),
            Target::Region(entrances) => Sought::Region(&regions[entrances.region]),
        }
    }

    /// Calls `visit` with every straight piece from `source` to the target that may end a shortest way.
    ///
    /// To a region these are the perpendicular and the lines to the ends of what can be entered: a line to any other
    /// point can be shortened, unless it touches a corner, and then it is that corner's.
    pub fn lines(&self, ground: &Ground, source: Source<'_>, radius: f64, sight: &Sight, mut visit: impl FnMut(Line)) {
        match self {
            Target::Nowhere => {}
            Target::Point(end, _) => {
                if sight.point {
                    checked(
                        ground,
                        source,
                        *end,
                        radius,
                        sight,
                        |circle| line(circle, Circle::point(end.at)),
                        &mut visit,
                    );
                }
            }
            Target::Region(entrances) => {
                for entry in &sight.entries {
                    for piece in entrances.on(entry.edge) {
                        let [a, b] = piece.ends;
                        let in_sight = |t: f64| t >= entry.from - SLACK && t <= entry.to + SLACK;
                        for t in [piece.from, piece.to].into_iter().filter(|&t| in_sight(t)) {
                            let end = End { at: a.lerp(b, t), room: entrances.room };
                            checked(
                                ground,
                                source,
                                end,
                                radius,
                                sight,
                                |circle| line(circle, Circle::point(end.at)),
                                &mut visit,
                            );
                        }
                        let perpendicular = |circle: Circle| {
                            let direction = -(b - a).perp().normalize();
                            let from = circle.centre - circle.signed_radius * direction.perp();
                            let t = (from - a).dot(b - a) / (b - a).length_squared();
                            let length = (a - from).dot(direction);
                            let valid = in_sight(t) && t > piece.from && t < piece.to && length >= 0.0;
                            valid.then_some(Line { from, to: a.lerp(b, t), direction, length })
                        };
                        let end = End { at: crate::mesh::closest_point(piece.ends, source.at()), room: entrances.room };
                        checked(ground, source, end, radius, sight, perpendicular, &mut visit);
                    }
                }
            }
        }
    }
}

impl Source<'_> {
    fn at(&self) -> DVec2 {
        match self {
            Source::Corner(corner, _) => corner.at,
            Source::Point(end) => end.at,
        }
    }
}

/// Draws a line from `source` with `draw` and hands it on if a disc can go along it.
fn checked(
    ground: &Ground,
    source: Source<'_>,
    end: End,
    radius: f64,
    sight: &Sight,
    draw: impl Fn(Circle) -> Option<Line>,
    visit: &mut impl FnMut(Line),
) {
    match source {
        Source::Corner(corner, side) => {
            let around = end.distance_to_keep(corner.at, radius);
            let Some(line) = draw(Circle { centre: corner.at, signed_radius: side * around }) else { return };
            let n = normal(side, line.direction);
            if corner.faces(n)
                && ground.fits_at(corner, n, around)
                && ground.is_clear(&line, &sight.vertices, |v| end.distance_to_keep(v, radius))
            {
                visit(line);
            }
        }
        Source::Point(start) => {
            let here = Line { from: start.at, to: end.at, direction: DVec2::X, length: 0.0 };
            let line = if start.at == end.at { Some(here) } else { draw(Circle::point(start.at)) };
            let keep = |v| start.distance_to_keep(v, radius).min(end.distance_to_keep(v, radius));
            if let Some(line) = line.filter(|line| ground.is_clear(line, &sight.vertices, keep)) {
                visit(line);
            }
        }
    }
}

/// The parts of a region's outline that keep `room` from all walls.
fn pieces(mesh: &Mesh, inside: &[bool], room: f64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        for edge in 0..3 {
            if !inside[t] && triangle.pass[edge].is_some_and(|n| inside[n as usize]) {
                let edge = (t as u32, edge);
                let ends = mesh.edge(edge.0, edge.1);
                let mut from = 0.0;
                for (low, high) in blocked(mesh, ends, room).into_iter().chain([(1.0, 1.0)]) {
                    if low >= from {
                        pieces.push(Piece { edge, ends, from, to: low });
                    }
                    from = from.max(high);
                }
            }
        }
    }
    pieces
}

/// The parts of a segment closer to a wall than `room`, sorted by where they begin.
fn blocked(mesh: &Mesh, [a, b]: [DVec2; 2], room: f64) -> Vec<(f64, f64)> {
    // Slightly less, so that a passage exactly as wide as the disc keeps its one point.
    let room = room - 1e-8;
    let mut blocked = Vec::new();
    if room > 0.0 {
        let margin = DVec2::splat(room);
        mesh.grid.each_in(a.min(b) - margin, a.max(b) + margin, |t| {
            for edge in 0..3 {
                if mesh.triangle(t).pass[edge].is_none() {
                    blocked.extend(near_wall([a, b], mesh.edge(t, edge), room));
                }
            }
        });
    }
    blocked.sort_by(|x: &(f64, f64), y| x.0.total_cmp(&y.0));
    blocked
}

/// The fractions of a segment that are closer to a wall than `room`: the hull of what the discs round its ends and the
/// rectangle along it cut out, since all points closer than `room` to a wall form a convex shape.
fn near_wall([a, b]: [DVec2; 2], [c, d]: [DVec2; 2], room: f64) -> Option<(f64, f64)> {
    let way = b - a;
    let disc = |centre: DVec2| {
        let (square, half) = (way.length_squared(), way.dot(centre - a));
        let root = half * half - square * (a.distance_squared(centre) - room * room);
        (root > 0.0).then(|| ((half - root.sqrt()) / square, (half + root.sqrt()) / square))
    };
    let along = (d - c).normalize();
    let slab = |axis: DVec2, low: f64, high: f64| {
        let (start, speed) = (axis.dot(a - c), axis.dot(way));
        if speed == 0.0 {
            return if start > low && start < high { (f64::NEG_INFINITY, f64::INFINITY) } else { (1.0, 0.0) };
        }
        let (t, u) = ((low - start) / speed, (high - start) / speed);
        (t.min(u), t.max(u))
    };
    let (s, t) = (slab(along, 0.0, c.distance(d)), slab(along.perp(), -room, room));
    let rectangle = (s.0.max(t.0), s.1.min(t.1));
    let cut = [disc(c), disc(d), Some(rectangle).filter(|r| r.0 < r.1)].into_iter().flatten();
    let hull = cut.fold((f64::INFINITY, f64::NEG_INFINITY), |hull, r| (hull.0.min(r.0), hull.1.max(r.1)));
    (hull.0 < hull.1 && hull.1 > 0.0 && hull.0 < 1.0).then_some(hull)
}
