//! Constrained Delaunay triangulation of line segments that may touch, overlap and cross.
//!
//! Drawings meet only up to rounding. So segments are first cleaned: points closer than [`SNAP`] become one, a segment
//! that passes within [`SNAP`] of a point goes through it, and crossing segments share a point. What is left either
//! shares end points or keeps clear of everything else, and no sliver opens where two walls were meant to touch.

use std::collections::{BTreeMap, BTreeSet};

use crate::DVec2;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};

/// Points closer than this are the same point, m.
pub const SNAP: f64 = 1e-6;

/// Coordinates may not be farther from zero than this, m: doubles would no longer resolve [`SNAP`] well.
pub const REACH: f64 = 1e8;

/// Rounds of cleaning after which the rest is left to the triangulation. Drawings need two or three.
const ROUNDS_MAX: usize = 16;

/// Triangles that fill the convex hull of all constraints, every constraint being a chain of edges.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Triangulation {
    /// End points in the order they were first named, then crossings.
    pub vertices: Vec<DVec2>,
    /// Sorted by their corners; empty if all points lie on a line.
    pub triangles: Vec<Triangle>,
}

/// One triangle; edge `i` goes from corner `i` to corner `(i + 1) % 3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Triangle {
    /// Counter-clockwise, the lowest first.
    pub corners: [u32; 3],
    /// The triangle on the other side of each edge; none at the hull.
    pub neighbours: [Option<u32>; 3],
    /// Whether each edge is part of a constraint.
    pub constrained: [bool; 3],
}

/// Why there is no triangulation.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum TriangulationError {
    /// An end point is not a number, or farther from zero than [`REACH`].
    #[error("end point ({}, {}) of segment {constraint} is not within {REACH} m of the origin", at.x, at.y)]
    OutOfReach {
        /// Index of the segment.
        constraint: usize,
        /// The end point.
        at: DVec2,
    },
}

/// Positive if `c` lies to the left of the line from `a` to `b`, negative to the right, zero on it: the sign is exact.
pub fn orientation(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coord = |p: DVec2| robust::Coord { x: p.x, y: p.y };
    robust::orient2d(coord(a), coord(b), coord(c))
}

/// Triangulates the convex hull of `constraints`. The same segments in the same order give the same triangles.
pub fn triangulate(constraints: &[[DVec2; 2]]) -> Result<Triangulation, TriangulationError> {
    let mut points = Points::default();
    let mut edges = BTreeSet::new();
    for (constraint, ends) in constraints.iter().enumerate() {
        // A negated comparison, so that NaN is refused too.
        if let Some(&at) = ends.iter().find(|p| !(p.x.abs() <= REACH && p.y.abs() <= REACH)) {
            return Err(TriangulationError::OutOfReach { constraint, at });
        }
        insert(&mut edges, points.index(ends[0]), points.index(ends[1]));
    }
    for _ in 0..ROUNDS_MAX {
        let split = split_touching(&mut points, &edges);
        if split == edges {
            break;
        }
        edges = split;
    }
    Ok(delaunay(&points.at, &edges))
}

/// Points with a grid that finds the one closer than [`SNAP`].
#[derive(Default)]
struct Points {
    at: Vec<DVec2>,
    cells: BTreeMap<(i64, i64), Vec<u32>>,
}

impl Points {
    fn index(&mut self, p: DVec2) -> u32 {
        let (x, y) = ((p.x / SNAP).floor() as i64, (p.y / SNAP).floor() as i64);
        let near = (x - 1..=x + 1)
            .flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y)))
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .copied()
            .filter(|&i| self.at[i as usize].distance_squared(p) <= SNAP * SNAP)
            .min();
        near.unwrap_or_else(|| {
            let index = self.at.len() as u32;
            self.at.push(p);
            self.cells.entry((x, y)).or_default().push(index);
            index
        })
    }
}

fn insert(edges: &mut BTreeSet<[u32; 2]>, a: u32, b: u32) {
    if a != b {
        edges.insert([a.min(b), a.max(b)]);
    }
}

/// One round of cleaning: every edge is cut where it crosses another one or passes a point.
fn split_touching(points: &mut Points, edges: &BTreeSet<[u32; 2]>) -> BTreeSet<[u32; 2]> {
    let edges: Vec<[u32; 2]> = edges.iter().copied().collect();
    let mut cuts: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
    for (i, j) in pairs_with_touching_boxes(&points.at, &edges) {
        let (e, f) = (edges[i], edges[j]);
        let touching = cuts[i].len() + cuts[j].len();
        cuts[i].extend(f.into_iter().filter(|&v| touches(&points.at, e, v)));
        cuts[j].extend(e.into_iter().filter(|&v| touches(&points.at, f, v)));
        let touching = cuts[i].len() + cuts[j].len() > touching;
        if !touching
            && !e.iter().any(|v| f.contains(v))
            && let Some(at) = crossing(e.map(|v| points.at[v as usize]), f.map(|v| points.at[v as usize]))
        {
            let v = points.index(at);
            cuts[i].push(v);
            cuts[j].push(v);
        }
    }
    let mut split = BTreeSet::new();
    for (edge, cuts) in edges.into_iter().zip(&mut cuts) {
        let from = points.at[edge[0] as usize];
        let along = |v: u32| points.at[v as usize].distance_squared(from);
        cuts.sort_by(|&a, &b| along(a).total_cmp(&along(b)));
        let mut last = edge[0];
        for &v in cuts.iter().chain([&edge[1]]) {
            insert(&mut split, last, v);
            last = v;
        }
    }
    split
}

/// Pairs of edges whose bounding boxes come within [`SNAP`], by a sweep along x.
fn pairs_with_touching_boxes(at: &[DVec2], edges: &[[u32; 2]]) -> Vec<(usize, usize)> {
    let boxes: Vec<(DVec2, DVec2)> = edges
        .iter()
        .map(|e| {
            let [a, b] = e.map(|v| at[v as usize]);
            (a.min(b) - DVec2::splat(SNAP), a.max(b) + DVec2::splat(SNAP))
        })
        .collect();
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by(|&i, &j| boxes[i].0.x.total_cmp(&boxes[j].0.x));
    let (mut open, mut pairs): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    for i in order {
        let (low, high) = boxes[i];
        open.retain(|&j| boxes[j].1.x >= low.x);
        pairs.extend(
            open.iter().filter(|&&j| boxes[j].0.y <= high.y && boxes[j].1.y >= low.y).map(|&j| (i.min(j), i.max(j))),
        );
        open.push(i);
    }
    pairs
}

/// Whether `edge` passes within [`SNAP`] of the point `v`, which is not one of its ends.
fn touches(at: &[DVec2], edge: [u32; 2], v: u32) -> bool {
    if edge.contains(&v) {
        return false;
    }
    let [a, b] = edge.map(|e| at[e as usize]);
    let (p, d) = (at[v as usize], b - a);
    let t = (p - a).dot(d) / d.length_squared();
    t > 0.0 && t < 1.0 && (a + d * t).distance_squared(p) <= SNAP * SNAP
}

/// Where two segments cross, if each has the other's ends on both sides.
fn crossing([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> Option<DVec2> {
    let opposite = |p: f64, q: f64| (p > 0.0 && q < 0.0) || (p < 0.0 && q > 0.0);
    let (of_c, of_d) = (orientation(a, b, c), orientation(a, b, d));
    (opposite(of_c, of_d) && opposite(orientation(c, d, a), orientation(c, d, b)))
        .then(|| c + (d - c) * (of_c / (of_c - of_d)))
}

fn delaunay(points: &[DVec2], edges: &BTreeSet<[u32; 2]>) -> Triangulation {
    // Spade refuses numbers whose products underflow; they are zero for us.
    let flush = |x: f64| if x.abs() < 1e-60 { 0.0 } else { x };
    let spade_points = points.iter().map(|p| Point2::new(flush(p.x), flush(p.y))).collect();
    let mut cdt = ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(spade_points, Vec::new())
        .expect("coordinates are finite and within reach");
    let handles: Vec<_> = cdt.fixed_vertices().collect();
    for &[a, b] in edges {
        let (a, b) = (handles[a as usize], handles[b as usize]);
        if cdt.can_add_constraint(a, b) {
            cdt.add_constraint(a, b);
        } else {
            cdt.add_constraint_and_split(a, b, |v| v);
        }
    }
    let vertices = cdt.vertices().map(|v| DVec2::new(v.position().x, v.position().y)).collect();
    // Sorted by corners, so that nothing depends on how spade numbers its faces.
    let mut faces: Vec<([u32; 3], [bool; 3])> = cdt
        .inner_faces()
        .map(|face| {
            let edges = face.adjacent_edges();
            let corners = edges.map(|e| e.from().fix().index() as u32);
            let constrained = edges.map(|e| e.is_constraint_edge());
            let first = (0..3).min_by_key(|&i| corners[i]).unwrap_or(0);
            ([0, 1, 2].map(|i| corners[(first + i) % 3]), [0, 1, 2].map(|i| constrained[(first + i) % 3]))
        })
        .collect();
    faces.sort_unstable_by_key(|face| face.0);
    let directed: BTreeMap<(u32, u32), u32> = faces
        .iter()
        .enumerate()
        .flat_map(|(t, f)| (0..3).map(move |i| ((f.0[i], f.0[(i + 1) % 3]), t as u32)))
        .collect();
    let triangles = faces
        .iter()
        .map(|&(corners, constrained)| Triangle {
            corners,
            neighbours: [0, 1, 2].map(|i| directed.get(&(corners[(i + 1) % 3], corners[i])).copied()),
            constrained,
        })
        .collect();
    Triangulation { vertices, triangles }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outline(points: &[[f64; 2]]) -> Vec<[DVec2; 2]> {
        (0..points.len()).map(|i| [DVec2::from(points[i]), DVec2::from(points[(i + 1) % points.len()])]).collect()
    }

    fn area(t: &Triangulation) -> f64 {
        let at = |v: u32| t.vertices[v as usize];
        t.triangles
            .iter()
            .map(|t| (at(t.corners[1]) - at(t.corners[0])).perp_dot(at(t.corners[2]) - at(t.corners[0])) / 2.0)
            .sum()
    }

    #[test]
    fn a_square_is_two_triangles() {
        let t = triangulate(&outline(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]])).unwrap();
        assert_eq!((t.vertices.len(), t.triangles.len()), (4, 2));
        assert_eq!(area(&t), 12.0);
        for triangle in &t.triangles {
            assert_eq!(triangle.constrained.iter().filter(|&&c| c).count(), 2);
            assert_eq!(triangle.neighbours.iter().flatten().count(), 1);
        }
    }

    #[test]
    fn crossing_segments_share_a_point() {
        let cross = [[DVec2::new(-1.0, 0.0), DVec2::new(1.0, 0.0)], [DVec2::new(0.0, -1.0), DVec2::new(0.0, 2.0)]];
        let t = triangulate(&cross).unwrap();
        assert_eq!(t.vertices[4], DVec2::ZERO);
        assert_eq!(t.triangles.len(), 4);
    }

    #[test]
    fn a_point_almost_on_a_segment_is_on_it() {
        // The second wall ends on the slanted one up to rounding: no gap and no sliver may be left.
        let slanted = [DVec2::ZERO, DVec2::new(0.3, 0.1)];
        let ending = [DVec2::new(0.1, 0.1 / 3.0 + 1e-9), DVec2::new(0.0, 1.0)];
        let t = triangulate(&[slanted, ending]).unwrap();
        assert_eq!(t.vertices.len(), 4);
        for wanted in [[0, 2], [2, 1], [2, 3]] {
            let found = t.triangles.iter().any(|t| {
                (0..3).any(|i| {
                    t.constrained[i] && wanted.contains(&t.corners[i]) && wanted.contains(&t.corners[(i + 1) % 3])
                })
            });
            assert!(found, "{wanted:?} is no constrained edge");
        }
    }

    #[test]
    fn overlapping_segments_become_one_chain() {
        let row = |a: f64, b: f64| [DVec2::new(a, 0.0), DVec2::new(b, 0.0)];
        let t =
            triangulate(&[row(0.0, 4.0), row(2.0, 6.0), row(1.0, 3.0), [DVec2::new(0.0, 0.0), DVec2::new(3.0, 5.0)]])
                .unwrap();
        let on_row = t.triangles.iter().flat_map(|t| t.constrained).filter(|&c| c).count();
        assert_eq!(on_row, 6, "five pieces of the row and the slanted segment, all on the hull");
    }

    #[test]
    fn bad_numbers_are_named() {
        let at = DVec2::new(f64::INFINITY, 0.0);
        let error = triangulate(&[[DVec2::ZERO, DVec2::ONE], [DVec2::ONE, at]]).unwrap_err();
        assert_eq!(error, TriangulationError::OutOfReach { constraint: 1, at });
        assert_eq!(triangulate(&[[DVec2::ZERO, DVec2::ONE]]).unwrap().triangles, []);
        assert_eq!(triangulate(&[]).unwrap(), Triangulation::default());
    }

    proptest! {
        #[test]
        fn random_segments_give_a_proper_triangulation(ends in prop::collection::vec((0i32..40, 0i32..40, 0i32..40, 0i32..40), 1..40)) {
            let segments: Vec<[DVec2; 2]> = ends
                .iter()
                .map(|&(a, b, c, d)| [DVec2::new(a as f64 * 0.1, b as f64 * 0.1), DVec2::new(c as f64 * 0.1, d as f64 * 0.1)])
                .collect();
            let t = triangulate(&segments).unwrap();
            prop_assert_eq!(&t, &triangulate(&segments).unwrap());
            let at = |v: u32| t.vertices[v as usize];
            for (i, triangle) in t.triangles.iter().enumerate() {
                let [a, b, c] = triangle.corners.map(at);
                prop_assert!(orientation(a, b, c) > 0.0);
                for (edge, neighbour) in triangle.neighbours.iter().enumerate() {
                    if let Some(n) = neighbour {
                        let back = t.triangles[*n as usize].neighbours.iter().position(|&b| b == Some(i as u32)).unwrap();
                        prop_assert_eq!(triangle.constrained[edge], t.triangles[*n as usize].constrained[back]);
                    }
                }
            }
            // The middle of every piece of every segment lies on a constrained edge.
            for [a, b] in segments {
                if t.triangles.is_empty() || a == b { continue; }
                for k in 1..16 {
                    let p = a.lerp(b, k as f64 / 16.0);
                    let on = t.triangles.iter().any(|t| (0..3).any(|i| {
                        let (c, d) = (at(t.corners[i]), at(t.corners[(i + 1) % 3]));
                        let s = ((p - c).dot(d - c) / (d - c).length_squared()).clamp(0.0, 1.0);
                        t.constrained[i] && (c + (d - c) * s).distance(p) < 1e-5
                    }));
                    prop_assert!(on, "{p} of {a} {b} is on no constrained edge");
                }
            }
        }
    }
}
