//! How wide a disc may be that goes round a corner of a triangle, from one free edge to the other.
//!
//! Demyen's search: the corner's edges bound the disc, and so does every wall that faces the corner across the third edge
//! and is nearer than both. It looks on through free edges as long as the corner's foot lies on them and is nearer.

use passerby_geometry::DVec2;

use crate::mesh::Triangle;

/// How far beyond an edge's end a foot may lie and still count as on it, as a share of the edge's length: rounding.
const FOOT_SLACK: f64 = 1e-9;

/// A wall that faces a corner, and how far away it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facing {
    pub triangle: u32,
    pub edge: usize,
    pub distance: f64,
}

/// The foot of `p` on the line through an edge and how far along the edge it is, 0 to 1.
pub(crate) fn foot(p: DVec2, [a, b]: [DVec2; 2]) -> (DVec2, f64) {
    let d = b - a;
    let along = (p - a).dot(d) / d.length_squared();
    (a + d * along, along)
}

/// Calls `visit` with every wall that faces corner `i` of a triangle and is nearer than `limit`, seen through its third edge.
/// `closed` says which free edges are to count as walls, by triangle and edge.
pub(crate) fn facing(
    (points, triangles): (&[DVec2], &[Triangle]),
    (t, i): (u32, usize),
    limit: f64,
    stack: &mut Vec<(u32, usize)>,
    closed: impl Fn(u32, usize) -> bool,
    mut visit: impl FnMut(Facing),
) {
    let at = points[triangles[t as usize].corners[i] as usize];
    stack.clear();
    stack.push((t, (i + 1) % 3));
    while let Some((triangle, edge)) = stack.pop() {
        let Triangle { corners, pass } = &triangles[triangle as usize];
        let ends = [corners[edge], corners[(edge + 1) % 3]].map(|v| points[v as usize]);
        let (foot, along) = foot(at, ends);
        let distance = foot.distance(at);
        if !(-FOOT_SLACK..=1.0 + FOOT_SLACK).contains(&along) || distance >= limit {
            continue;
        }
        match pass[edge].filter(|_| !closed(triangle, edge)) {
            None => visit(Facing { triangle, edge, distance }),
            Some(beyond) => {
                let back = triangles[beyond as usize].pass.iter().position(|&n| n == Some(triangle));
                let Some(back) = back else { continue };
                stack.extend([(beyond, (back + 1) % 3), (beyond, (back + 2) % 3)]);
            }
        }
    }
}

/// The lengths of the two edges that meet at corner `i`, the shorter one.
pub(crate) fn shorter_edge(points: &[DVec2], triangle: &Triangle, i: usize) -> f64 {
    let [at, b, c] = [0, 1, 2].map(|k| points[triangle.corners[(i + k) % 3] as usize]);
    at.distance(b).min(at.distance(c))
}

/// The widest disc that can go round each corner of each triangle; 0 where one of the corner's edges is a wall.
pub(crate) fn widths(points: &[DVec2], triangles: &[Triangle]) -> Vec<[f64; 3]> {
    let mut stack = Vec::new();
    (0..triangles.len() as u32).map(|t| widths_of((points, triangles), t, &mut stack, |_, _| false)).collect()
}

/// The widest disc that can go round each corner of a triangle, where `closed` says which free edges are walls for now.
pub(crate) fn widths_of(
    (points, triangles): (&[DVec2], &[Triangle]),
    t: u32,
    stack: &mut Vec<(u32, usize)>,
    closed: impl Fn(u32, usize) -> bool,
) -> [f64; 3] {
    let triangle = &triangles[t as usize];
    [0, 1, 2].map(|i| {
        if triangle.pass[i].is_none() || triangle.pass[(i + 2) % 3].is_none() {
            return 0.0;
        }
        let mut least = shorter_edge(points, triangle, i);
        facing((points, triangles), (t, i), least, stack, &closed, |wall| least = least.min(wall.distance));
        least
    })
}

/// How far away a wall can be that faces a corner and matters to its width, m.
pub(crate) fn reach(points: &[DVec2], triangles: &[Triangle]) -> f64 {
    let corners = triangles.iter().flat_map(|t| [0, 1, 2].map(|i| shorter_edge(points, t, i)));
    corners.fold(0.0, f64::max)
}
