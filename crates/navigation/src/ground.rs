//! Where a disc fits: the mesh and its corners, and the three tests of which every way is made.
//!
//! Let w be a corner on whose circle a straight piece begins. If anything comes closer than the radius to that piece,
//! then some wall vertex *in sight of w* does: take the strip between w and the piece; what hides a vertex from w would
//! itself end in that strip. For the same reason the corner at the other end is in sight of w. So exact sight lines
//! between vertices, which depend on no radius, are all that ways for discs of any radius need.

use passerby_geometry::DVec2;

use crate::corners::{Corner, Corners};
use crate::mesh::{Mesh, closest_point};
use crate::tangent::{Circle, Line, line, normal};

/// Distances to walls may be short by this, m: a disc that fits exactly gets through.
pub(crate) const FIT: f64 = 1e-6;

/// Whoever is this close to the floor is on it, m.
pub(crate) const FLOOR_SLACK: f64 = 1e-3;

/// How often somebody too close to walls steps away from the nearest. Between two walls at a right angle it takes two
/// steps; the sharper the angle the more.
const STEPS_MAX: usize = 16;

/// The free floor with its corners, doors as they are now.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ground {
    pub mesh: Mesh,
    pub corners: Corners,
}

/// A point at which a way starts or ends. Where there is less room than the radius, as in a niche too narrow for the
/// disc, everything near that point is passed with the room there is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct End {
    pub at: DVec2,
    /// Distance to the nearest wall, at most the radius.
    pub room: f64,
}

impl End {
    /// How far a line from this end has to keep away from `vertex`.
    pub fn distance_to_keep(&self, vertex: DVec2, radius: f64) -> f64 {
        let near = self.room < radius && self.at.distance_squared(vertex) < 4.0 * radius * radius;
        if near { self.room } else { radius }
    }
}

impl Ground {
    /// Whether a disc that touches `corner` in direction `n` touches nothing else.
    pub fn fits_at(&self, corner: &Corner, n: DVec2, radius: f64) -> bool {
        corner.is_open(radius) || self.mesh.clearance(corner.at + n * radius, radius) >= radius - FIT
    }

    /// Whether a disc can turn about `corner` from normal `from` to normal `to`, `side` being the way round. It is known
    /// to fit at both.
    ///
    /// The normals at which a wall is in the way form one interval round the direction of its nearest point. If neither
    /// end of the turn is in it, then all of it is between them, or none.
    pub fn can_turn(&self, corner: &Corner, side: f64, from: DVec2, to: DVec2, radius: f64) -> bool {
        let mut free = true;
        if !corner.is_open(radius) {
            self.mesh.walls_within(corner.at, 2.0 * radius - FIT, |wall, nearest| {
                let n = nearest - corner.at;
                let between = side * from.perp_dot(n) > 0.0 && side * n.perp_dot(to) > 0.0;
                free &= !between || wall.contains(&corner.at);
            });
        }
        free
    }

    /// The straight piece from `end` to the circle of `corner`, passed on `side`, and the normal at which it arrives; none
    /// if a disc cannot go there. `seen` is in sight of either.
    ///
    /// From an end that is closer to the wall than the radius, the tangent would touch the circle behind that wall; then
    /// the piece leads to where the circle begins.
    pub fn approach(&self, end: End, corner: &Corner, side: f64, radius: f64, seen: &[u32]) -> Option<(Line, DVec2)> {
        let around = end.distance_to_keep(corner.at, radius);
        let tangent = line(Circle::point(end.at), Circle { centre: corner.at, signed_radius: side * around })?;
        let arrive = normal(side, tangent.direction);
        let first = corner.first_normal(side);
        let (line, arrive) = if corner.faces(arrive) {
            (tangent, arrive)
        } else if end.room < radius && side * arrive.perp_dot(first) > 0.0 && arrive.dot(first) > 0.0 {
            (line(Circle::point(end.at), Circle::point(corner.at + first * around))?, first)
        } else {
            return None;
        };
        let keep = |v: DVec2| if v == corner.at { 0.0 } else { end.distance_to_keep(v, radius) };
        (self.fits_at(corner, arrive, around) && self.is_clear(&line, seen, keep)).then_some((line, arrive))
    }

    /// Whether a disc on `line` keeps its distance from all of `vertices`, which is given for each.
    ///
    /// A line that touches the circle of a vertex in passing does so on its free side. On the other one it would go through the wall that
    /// ends there: from corner to corner nothing is hidden by a vertex that is exactly between them.
    pub fn is_clear(&self, line: &Line, vertices: &[u32], distance_to_keep: impl Fn(DVec2) -> f64) -> bool {
        vertices.iter().all(|&v| {
            let p = self.mesh.point(v);
            let along = (p - line.from).dot(line.direction);
            let foot = line.from + line.direction * along.clamp(0.0, line.length);
            let (keep, square) = (distance_to_keep(p), foot.distance_squared(p));
            if keep <= FIT {
                return true;
            }
            let touches = || square <= (keep + FIT) * (keep + FIT) && (FIT..line.length - FIT).contains(&along);
            square >= (keep - FIT) * (keep - FIT)
                && (!touches() || self.corners.at(v).is_none_or(|corner| !corner.is_behind((foot - p).normalize())))
        })
    }

    /// Where a way from or to `at` begins, and the triangles that hold that point: `at` itself, or for somebody who is closer
    /// to a wall than their radius a place to stand that is close by, or if there is none `at` with the room there is.
    /// `None` off the floor.
    pub fn stand(&self, at: DVec2, radius: f64, triangles: &mut Vec<u32>) -> Option<End> {
        let at = self.settle(at, radius.max(FLOOR_SLACK), triangles)?;
        let room = self.mesh.clearance(at, radius);
        if room < radius
            && let Some(beside) = self.step_away(at, radius)
        {
            self.mesh.around(beside, triangles);
            return Some(End { at: beside, room: self.mesh.clearance(beside, radius) });
        }
        Some(End { at, room })
    }

    /// A place for a disc, found by stepping away from all walls that are too close, in sight of `at`.
    fn step_away(&self, at: DVec2, radius: f64) -> Option<DVec2> {
        let mut p = at;
        for _ in 0..STEPS_MAX {
            let mut push: Option<(f64, DVec2)> = None;
            self.mesh.walls_within(p, radius, |[a, b], nearest| {
                let gap = nearest.distance(p);
                if push.is_none_or(|(least, _)| gap < least) {
                    let away = if gap > FIT { (p - nearest) / gap } else { (b - a).perp().normalize() };
                    push = Some((gap, away));
                }
            });
            match push.filter(|(gap, _)| *gap < radius - FIT / 2.0) {
                Some((gap, away)) => p += away * (radius - gap),
                None => return (self.mesh.locate(p).is_some() && self.mesh.sees(at, p)).then_some(p),
            }
        }
        None
    }

    /// `at` and the triangles that hold it; or the nearest point of the floor, if that is not farther than `slack`.
    fn settle(&self, at: DVec2, slack: f64, triangles: &mut Vec<u32>) -> Option<DVec2> {
        self.mesh.around(at, triangles);
        if !triangles.is_empty() {
            return Some(at);
        }
        let mut best: Option<(f64, DVec2)> = None;
        self.mesh.walls_within(at, slack, |[a, b], nearest| {
            let gap = nearest.distance(at);
            if best.is_none_or(|(least, _)| gap < least) {
                // A little into the floor, which is to the left, and away from the ends of the wall.
                let inside = closest_point([a.lerp(b, 0.01), a.lerp(b, 0.99)], at) + (b - a).perp().normalize() * FIT;
                best = Some((gap, inside));
            }
        });
        let (_, inside) = best?;
        self.mesh.around(inside, triangles);
        (!triangles.is_empty()).then_some(inside)
    }
}
