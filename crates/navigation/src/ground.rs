//! Where a disc fits: the mesh and its corners, and the three tests of which every way is made.
//!
//! Let w be a corner on whose circle a straight piece begins. If anything comes closer than the radius to that piece,
//! then some wall vertex *in sight of w* does: take the strip between w and the piece; what hides a vertex from w would
//! itself end in that strip. For the same reason the corner at the other end is in sight of w. So exact sight lines
//! between vertices, which depend on no radius, are all that ways for discs of any radius need.

use passerby_geometry::DVec2;

use crate::corners::{Corner, Corners};
use crate::mesh::{Mesh, closest_point};
use crate::tangent::Line;

/// Distances to walls may be short by this, m: a disc that fits exactly gets through.
pub(crate) const FIT: f64 = 1e-6;

/// The free floor with its corners, doors as they are now.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ground {
    pub mesh: Mesh,
    pub corners: Corners,
}

/// A point at which a way starts or ends. Somebody may have been pushed closer to a wall than their radius, or want to
/// go there; then everything near that point is passed with the room there is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End {
    pub at: DVec2,
    /// Distance to the nearest wall, at most the radius.
    pub room: f64,
}

impl End {
    pub fn new(mesh: &Mesh, at: DVec2, radius: f64) -> End {
        End { at, room: mesh.clearance(at, radius) }
    }

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

    /// Whether a disc on `line` keeps its distance from all of `vertices`, which is given for each.
    pub fn is_clear(&self, line: &Line, vertices: &[u32], distance_to_keep: impl Fn(DVec2) -> f64) -> bool {
        vertices.iter().all(|&v| {
            let p = self.mesh.point(v);
            let along = (p - line.from).dot(line.direction).clamp(0.0, line.length);
            let keep = distance_to_keep(p) - FIT;
            keep <= 0.0 || (line.from + line.direction * along).distance_squared(p) >= keep * keep
        })
    }

    /// `at` and the triangles that hold it; or the nearest point of the floor, if that is not farther than `slack`.
    pub fn settle(&self, at: DVec2, slack: f64, triangles: &mut Vec<u32>) -> Option<DVec2> {
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
