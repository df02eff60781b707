//! The Delaunay triangulation of points that are all different, made canonical where it is not unique.
//!
//! Points are put in one by one: walk to the triangle that holds the point, cut it in three, flip edges until all circles are empty
//! again (Lawson 1977). A vertex at infinity closes the hull, so that a point outside is put in like any other. Most of a crowd
//! is put in along a path on which each is close to the one before; a few who are spread over everything come first, or the
//! first rows would be joined by long slivers that all later ones have to flip away again.
//!
//! **Exact.** Coordinates are `f32` and every sign is that of the exact number: it is calculated in `f64`, where products of four
//! differences of `f32` neither overflow nor underflow, and by `robust` or in whole numbers where rounding could decide.
//!
//! **Canonical.** Where four or more points are on one empty circle, many triangulations are Delaunay. An edge of such a quad is flipped if
//! the lowest key of its four corners is not on the edge but opposite.
//! - *It is unique.* The points of one empty circle are the corners of a convex polygon; let `m` be the one with the lowest key. If some
//!   triangle of the polygon had no corner at `m`, then one of those would share an edge with a triangle that has, and `m` would be
//!   opposite that edge and lowest of the quad: the edge would have been flipped. So all triangles meet at `m`: the polygon is a fan from
//!   its lowest corner, whatever came before.
//! - *It ends.* A flip because of a circle lowers the triangulation when points are lifted onto the paraboloid z = x² + y²; a flip because
//!   of keys leaves it where it is and takes an edge to the lowest corner of the quad, so that the list of degrees, in the order of keys,
//!   grows as words do in a dictionary. Neither can go on for ever, and the first never undoes the second.
//!
//! So the result is a function of points and keys alone: not of the path, nor of what was built before.

use crate::circle;
use passerby_geometry::DVec2;
use robust::{Coord, orient2d};
use std::cmp::Ordering;

/// The vertex at infinity, corner of every triangle outside the hull.
const FAR: u32 = u32::MAX;

/// So many times fewer points are in each earlier round.
const ROUND: usize = 8;

/// Triangles around everything, three half-edges each: half-edge `h` is one of triangle `h / 3`, counter-clockwise.
#[derive(Debug, Clone, Default)]
pub(crate) struct Delaunay {
    /// Where each half-edge begins.
    corner: Vec<u32>,
    /// The other half of its edge.
    twin: Vec<u32>,
}

/// What is triangulated. Numbers of points are places in both columns.
#[derive(Clone, Copy)]
pub(crate) struct Points<'a> {
    /// Where they are: as exact as `f32`.
    pub at: &'a [DVec2],
    /// Their order where the triangulation is not unique.
    pub key: &'a [u32],
}

/// The half-edge after this one in its triangle.
#[inline(always)]
fn next(half: u32) -> u32 {
    if half % 3 == 2 { half - 2 } else { half + 1 }
}

/// The half-edge before this one in its triangle.
#[inline(always)]
fn previous(half: u32) -> u32 {
    if half.is_multiple_of(3) { half + 2 } else { half - 1 }
}

impl Points<'_> {
    #[inline(always)]
    fn coord(&self, point: u32) -> Coord<f64> {
        let at = self.at[point as usize];
        Coord { x: at.x, y: at.y }
    }

    /// Positive if `c` is to the left of the way from `a` to `b`, zero on it.
    #[inline(always)]
    fn side(&self, a: u32, b: u32, c: u32) -> f64 {
        orient2d(self.coord(a), self.coord(b), self.coord(c))
    }

    /// Whether `p`, on the line through `a` and `b`, is between them.
    fn between(&self, a: u32, b: u32, p: u32) -> bool {
        let [a, b, p] = [a, b, p].map(|point| self.at[point as usize]);
        (p.x - a.x) * (p.x - b.x) + (p.y - a.y) * (p.y - b.y) < 0.0
    }

    /// Whether an edge from `a` to `b`, with `p` to its left and `d` to its right, has to become one from `p` to `d`.
    #[inline(always)]
    fn flips(&self, a: u32, b: u32, d: u32, p: u32) -> bool {
        // Outside the hull the circle has become a half-plane, with the edge itself.
        if d == FAR {
            return self.beyond(b, a, p);
        } else if a == FAR {
            return self.beyond(d, b, p);
        } else if b == FAR {
            return self.beyond(a, d, p);
        }
        let [to, from, right, point] = [b, a, d, p].map(|point| self.at[point as usize]);
        match circle::inside(to, from, right, point) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => self.opposite_lowest(a, b, d, p),
        }
    }

    /// Whether the lowest key of an edge from `a` to `b` and the corners `d` and `p` beside it is not on the edge.
    #[cold]
    fn opposite_lowest(&self, a: u32, b: u32, d: u32, p: u32) -> bool {
        let [a, b, d, p] = [a, b, d, p].map(|point| self.key[point as usize]);
        d.min(p) < a.min(b)
    }

    /// Whether `p` is to the left of the line from `a` to `b`, or on it between them.
    fn beyond(&self, a: u32, b: u32, p: u32) -> bool {
        let side = self.side(a, b, p);
        side > 0.0 || (side == 0.0 && self.between(a, b, p))
    }

    /// Order along a line that all are on.
    pub fn along(&self, a: u32, b: u32) -> Ordering {
        let [a, b] = [a, b].map(|point| self.at[point as usize]);
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y))
    }
}

impl Delaunay {
    /// Triangulates the points of `path`, all different, each close to the one before if it is to be quick. If all are on a line, or fewer
    /// than three, there are no triangles. Allocates only when there are more than ever.
    pub fn build(&mut self, points: Points<'_>, path: &[u32]) {
        (self.corner.clear(), self.twin.clear());
        // With the vertex at infinity there are 2 n - 2 triangles. There is room for all even if nobody needs it: people on a line or in a
        // point need not stay there.
        (self.corner.reserve(6 * points.at.len()), self.twin.reserve(6 * points.at.len()));
        let Some(first) = first_triangle(points, path) else { return };
        let [a, b, c] = first.map(|place| path[place]);
        self.corner.extend([a, b, c, b, a, FAR, c, b, FAR, a, c, FAR]);
        self.twin.extend([3, 6, 9, 0, 11, 7, 1, 5, 10, 2, 8, 4]);
        let (mut last, mut step) = (0, ROUND);
        while step < path.len() {
            step *= ROUND;
        }
        // In each round all multiples of a step but those of the round before; the very first is a corner already.
        while step > 1 {
            let finer = step / ROUND;
            for place in (0..path.len()).step_by(finer) {
                if !place.is_multiple_of(step) && !first.contains(&place) {
                    last = self.insert(points, path[place], last);
                }
            }
            step = finer;
        }
    }

    /// Whether there are no triangles.
    pub fn is_empty(&self) -> bool {
        self.corner.is_empty()
    }

    /// Each edge once, in no order that means anything.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let halves = self.twin.iter().enumerate().filter(|(half, twin)| (*half as u32) < **twin);
        halves
            .map(|(half, twin)| [self.corner[half], self.corner[*twin as usize]])
            .filter(|edge| edge[0] != FAR && edge[1] != FAR)
    }

    #[inline(always)]
    fn corner(&self, half: u32) -> u32 {
        self.corner[half as usize]
    }

    #[inline(always)]
    fn twin(&self, half: u32) -> u32 {
        self.twin[half as usize]
    }

    #[inline(always)]
    fn join(&mut self, half: u32, twin: u32) {
        self.twin[half as usize] = twin;
        self.twin[twin as usize] = half;
    }

    /// Puts a point in, beginning to look for its place at the half-edge `near`. Gives a half-edge of a triangle that it is in.
    fn insert(&mut self, points: Points<'_>, point: u32, near: u32) -> u32 {
        let mut half = self.locate(points, point, near);
        self.split(half, point);
        // Round the point counter-clockwise: `half` is the side opposite it. Flips only put further corners between two that there
        // are, so the first one comes again.
        let first = self.corner(half);
        loop {
            let (twin, end) = (self.twin(half), self.corner(next(half)));
            if points.flips(self.corner(half), end, self.corner(previous(twin)), point) {
                self.flip(half, point);
            } else if end == first {
                return half;
            } else {
                half = next(self.twin(next(half)));
            }
        }
    }

    /// A half-edge of the triangle that the point is in, border included, or beyond one of whose edges it is outside the hull.
    ///
    /// Goes over any edge that has the point on its other side. In a Delaunay triangulation this never goes in circles.
    fn locate(&self, points: Points<'_>, point: u32, near: u32) -> u32 {
        let mut half = near - near % 3;
        if let Some(far) = (half..half + 3).find(|h| self.corner(*h) == FAR) {
            half = self.twin(next(far));
        }
        // Of the triangle one comes from, the edge between is known.
        let mut sides = [half, next(half), previous(half)];
        let mut known = 0;
        'walk: loop {
            for side in &sides[known..] {
                if points.side(self.corner(*side), self.corner(next(*side)), point) < 0.0 {
                    let twin = self.twin(*side);
                    if self.corner(previous(twin)) == FAR {
                        return twin;
                    }
                    (sides, known) = ([twin, next(twin), previous(twin)], 1);
                    continue 'walk;
                }
            }
            return sides[0];
        }
    }

    /// Cuts the triangle of a half-edge in three, which meet in a new point.
    fn split(&mut self, half: u32, point: u32) {
        let (second, third) = (next(half), previous(half));
        let [a, b, c] = [half, second, third].map(|h| self.corner(h));
        let (beyond_second, beyond_third) = (self.twin(second), self.twin(third));
        let new = self.corner.len() as u32;
        self.corner.extend([b, c, point, c, a, point]);
        self.twin.extend([0; 6]);
        self.corner[third as usize] = point;
        (self.join(new, beyond_second), self.join(new + 3, beyond_third));
        (self.join(second, new + 2), self.join(new + 1, new + 5), self.join(new + 4, third));
    }

    /// Turns the edge of a half-edge, whose triangle has its third corner at `point`, so that it begins there. The half-edge stays opposite
    /// the point, with the same beginning.
    #[inline(always)]
    fn flip(&mut self, half: u32, point: u32) {
        let twin = self.twin(half);
        let (after, after_twin) = (next(half), next(twin));
        let apex = self.corner(previous(twin));
        let (beyond, beyond_twin) = (self.twin(after_twin), self.twin(after));
        self.corner[after as usize] = apex;
        self.corner[after_twin as usize] = point;
        (self.join(half, beyond), self.join(twin, beyond_twin), self.join(after, after_twin));
    }
}

/// Places in `path` of three points that are on no line, counter-clockwise.
fn first_triangle(points: Points<'_>, path: &[u32]) -> Option<[usize; 3]> {
    let (&a, &b) = (path.first()?, path.get(1)?);
    (2..path.len()).find_map(|place| match points.side(a, b, path[place]) {
        side if side > 0.0 => Some([0, 1, place]),
        side if side < 0.0 => Some([1, 0, place]),
        _ => None,
    })
}
