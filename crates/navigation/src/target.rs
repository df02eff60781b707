//! Goals made ready for one radius, and the last straight piece of a way to them.

use passerby_geometry::DVec2;

use crate::corners::Corner;
use crate::ground::{End, Ground};
use crate::mesh::Mesh;
use crate::sight::{Entry, Sight, Sought};
use crate::tangent::{Circle, Line, line, normal};

/// Ends of intervals are compared with this tolerance, as a fraction of an edge.
const SLACK: f64 = 1e-9;

/// What a way leads to.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// Off the floor, or a region that does not exist.
    Nowhere,
    /// A point.
    Point(Destination),
    /// The nearest point of a region.
    Region(Entrances),
}

/// A point to which ways lead.
#[derive(Debug, Clone)]
pub(crate) struct Destination {
    /// Where a disc can be, and the triangles that hold it.
    pub end: End,
    pub triangles: Vec<u32>,
    /// What was asked for: the same, or a point near it that is too close to a wall.
    pub wanted: DVec2,
}

/// Where a disc can enter a region.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entrances {
    pub region: usize,
    /// In the order of their edges.
    pieces: Vec<Piece>,
    /// Distance from walls at all of them.
    room: f64,
}

/// A part of an edge of the region's outline on which the disc's centre can be.
#[derive(Debug, Clone, Copy, PartialEq)]
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
            // Slightly less, so that a passage exactly as wide as the disc keeps its one point.
            found.room = (room - 1e-8).max(0.0);
            found.pieces = pieces(mesh, inside, found.room);
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
            Target::Point(point) => {
                Sought::Point { at: point.end.at, triangles: &point.triangles, within: f64::INFINITY }
            }
            Target::Region(entrances) => Sought::Region(&regions[entrances.region]),
        }
    }

    /// Whether ways to another goal end where and as those to this one do.
    pub fn is_entered_like(&self, other: &Target) -> bool {
        match (self, other) {
            (Target::Nowhere, Target::Nowhere) => true,
            (Target::Point(a), Target::Point(b)) => (a.end, a.wanted) == (b.end, b.wanted),
            (Target::Region(a), Target::Region(b)) => a == b,
            _ => false,
        }
    }

    /// Whether a disc can enter the goal.
    pub fn has_room(&self, radius: f64) -> bool {
        match self {
            Target::Region(entrances) => entrances.room >= radius - 1e-6,
            Target::Nowhere | Target::Point(_) => true,
        }
    }

    /// Length of what every way ends with: from where a disc can be to the point that was asked for.
    pub fn extra(&self) -> f64 {
        match self {
            Target::Point(point) => point.wanted.distance(point.end.at),
            _ => 0.0,
        }
    }

    /// Calls `visit` with every straight piece from `source` to the target that may end a shortest way, and with the
    /// normal at which it leaves a corner.
    ///
    /// To a region these are the perpendicular and the lines to the ends of what can be entered. If a corner is in the way
    /// of the shorter ones, also lines that pass it as close as they may.
    pub fn lines(
        &self,
        ground: &Ground,
        source: Source<'_>,
        radius: f64,
        sight: &Sight,
        mut visit: impl FnMut(Line, DVec2),
    ) {
        match self {
            Target::Nowhere => {}
            Target::Point(point) => {
                if sight.point {
                    visit_some(source.line_to(ground, point.end, radius, sight), &mut visit);
                }
            }
            Target::Region(entrances) => {
                for entry in &sight.entries {
                    for piece in entrances.on(entry.edge) {
                        let (a, way) = (piece.ends[0], piece.ends[1] - piece.ends[0]);
                        for t in [piece.from, piece.to].into_iter().filter(|&t| entry.shows(t)) {
                            let end = End { at: a + way * t, room: entrances.room };
                            visit_some(source.line_to(ground, end, radius, sight), &mut visit);
                        }
                        let straight =
                            source.shoot(ground, -way.perp().normalize(), piece, entry, entrances.room, radius, sight);
                        if straight.is_none() {
                            source.each_tangent(ground, radius, sight, |direction| {
                                let line = source.shoot(ground, direction, piece, entry, entrances.room, radius, sight);
                                visit_some(line, &mut visit);
                            });
                        }
                        visit_some(straight, &mut visit);
                    }
                }
            }
        }
    }
}

impl Entry {
    fn shows(&self, t: f64) -> bool {
        t >= self.from - SLACK && t <= self.to + SLACK
    }
}

fn visit_some(found: Option<(Line, DVec2)>, visit: &mut impl FnMut(Line, DVec2)) {
    if let Some((line, n)) = found {
        visit(line, n);
    }
}

impl Source<'_> {
    /// The line to a point, if a disc can go along it.
    fn line_to(&self, ground: &Ground, end: End, radius: f64, sight: &Sight) -> Option<(Line, DVec2)> {
        match *self {
            // Seen from the end, the corner is passed on the other side.
            Source::Corner(corner, side) => {
                let (line, n) = ground.approach(end, corner, -side, radius, &sight.vertices)?;
                Some((line.reversed(), n))
            }
            Source::Point(start) => {
                let here = Line { from: start.at, to: end.at, direction: DVec2::X, length: 0.0 };
                let line = line(Circle::point(start.at), Circle::point(end.at)).unwrap_or(here);
                let keep = |v| start.distance_to_keep(v, radius).min(end.distance_to_keep(v, radius));
                ground.is_clear(&line, &sight.vertices, keep).then_some((line, DVec2::ZERO))
            }
        }
    }

    /// The line in `direction` as far as a piece of a region's outline, if a disc can go along it.
    #[expect(clippy::too_many_arguments, reason = "the two callers differ in the direction only")]
    fn shoot(
        &self,
        ground: &Ground,
        direction: DVec2,
        piece: &Piece,
        entry: &Entry,
        room: f64,
        radius: f64,
        sight: &Sight,
    ) -> Option<(Line, DVec2)> {
        let (from, n) = match *self {
            Source::Corner(corner, side) => {
                let n = normal(side, direction);
                (corner.at + n * radius, n)
            }
            Source::Point(start) => (start.at, DVec2::ZERO),
        };
        let (a, way) = (piece.ends[0], piece.ends[1] - piece.ends[0]);
        // from + direction * length = a + way * t
        let across = direction.perp_dot(way);
        let (length, t) = ((a - from).perp_dot(way) / across, (a - from).perp_dot(direction) / across);
        // Into the region, not out of it; the comparisons are false for a parallel line too.
        if !(across > 0.0 && length >= 0.0 && t > piece.from && t < piece.to && entry.shows(t)) {
            return None;
        }
        let line = Line { from, to: a + way * t, direction, length };
        let end = End { at: line.to, room };
        let free = match *self {
            Source::Corner(corner, _) => {
                corner.faces(n)
                    && ground.fits_at(corner, n, radius)
                    && ground.is_clear(&line, &sight.vertices, |v| end.distance_to_keep(v, radius))
            }
            Source::Point(start) => {
                let keep = |v| start.distance_to_keep(v, radius).min(end.distance_to_keep(v, radius));
                ground.is_clear(&line, &sight.vertices, keep)
            }
        };
        free.then_some((line, n))
    }

    /// Calls `visit` with the directions of all lines from here that touch a corner in sight.
    fn each_tangent(&self, ground: &Ground, radius: f64, sight: &Sight, mut visit: impl FnMut(DVec2)) {
        let (here, room) = match *self {
            Source::Corner(corner, side) => (Circle { centre: corner.at, signed_radius: side * radius }, None),
            Source::Point(start) => (Circle::point(start.at), Some(start)),
        };
        for corner in sight.vertices.iter().filter_map(|&v| ground.corners.at(v)) {
            let around = room.map_or(radius, |start| start.distance_to_keep(corner.at, radius));
            for side in [1.0, -1.0] {
                let touching = line(here, Circle { centre: corner.at, signed_radius: side * around });
                if let Some(touching) = touching.filter(|l| corner.faces(normal(side, l.direction))) {
                    visit(touching.direction);
                }
            }
        }
    }
}

/// The parts of a region's outline that keep `room` from all walls.
fn pieces(mesh: &Mesh, inside: &[bool], room: f64) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (t, triangle) in mesh.all() {
        for edge in 0..3 {
            if !inside[t as usize] && triangle.pass[edge].is_some_and(|n| inside[n as usize]) {
                let edge = (t, edge);
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
