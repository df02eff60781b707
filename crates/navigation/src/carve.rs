//! An obstacle is cut out of some triangles of a mesh; what is around them keeps its edges.

use std::collections::BTreeMap;

use passerby_geometry::triangulation::{Triangulation, orientation, triangulate};
use passerby_geometry::{DVec2, Polygon};

use crate::mesh::{Mesh, closest_point};
use crate::patches::Patches;

/// Triangles closer to an obstacle than this are cut with it, m: far more than cleaning moves points.
const MARGIN: f64 = 1e-3;

/// What takes the place of some triangles.
pub(crate) struct Carved {
    /// The numbers in the mesh of those of its points that were used; they are the first ones in `all`.
    pub known: Vec<u32>,
    /// Triangles over everything, those that are not free too.
    pub all: Triangulation,
    pub free: Vec<bool>,
    /// For each free triangle an old one on the same side of all edges that were kept.
    pub source: Vec<u32>,
    /// Edges to triangles that stay, and the old triangle and edge: ends with the free side on the left, sorted.
    pub fixed: Vec<Fixed>,
}

/// An edge between what is cut and what stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fixed {
    pub ends: [u32; 2],
    pub old: (u32, usize),
}

impl Carved {
    /// Whether an edge of a triangle leads to another free one.
    pub fn beyond(&self, t: usize, i: usize) -> Option<u32> {
        self.all.triangles[t].neighbours[i].filter(|&n| self.free[n as usize])
    }

    pub fn ends(&self, t: usize, i: usize) -> [u32; 2] {
        let corners = self.all.triangles[t].corners;
        [corners[i], corners[(i + 1) % 3]]
    }

    /// The fixed edge between two vertices.
    pub fn fixed_at(&self, ends: [u32; 2]) -> Option<&Fixed> {
        self.fixed.binary_search_by_key(&ends, |f| f.ends).ok().map(|found| &self.fixed[found])
    }
}

/// The triangles that an obstacle touches, sorted.
pub(crate) fn touched(mesh: &Mesh, polygon: &Polygon) -> Vec<u32> {
    let (low, high) = polygon.bounds();
    let mut near = Vec::new();
    mesh.grid.each_in(low - DVec2::splat(MARGIN), high + DVec2::splat(MARGIN), |t| near.push(t));
    near.sort_unstable();
    near.dedup();
    near.retain(|&t| touches(mesh, t, polygon));
    near
}

fn touches(mesh: &Mesh, t: u32, polygon: &Polygon) -> bool {
    let corners = mesh.triangle(t).corners.map(|v| mesh.point(v));
    let edges = [0, 1, 2].map(|i| [corners[i], corners[(i + 1) % 3]]);
    let crossing = |[a, b]: [DVec2; 2], [c, d]: [DVec2; 2]| {
        orientation(a, b, c) * orientation(a, b, d) <= 0.0 && orientation(c, d, a) * orientation(c, d, b) <= 0.0
    };
    mesh.holds(t, polygon.points()[0])
        || corners.iter().any(|p| polygon.contains(*p) || polygon.closest_point(*p).distance(*p) <= MARGIN)
        || edges.iter().any(|&edge| {
            polygon.points().iter().any(|p| closest_point(edge, *p).distance(*p) <= MARGIN)
                || polygon.edges().any(|other| crossing(edge, other))
        })
}

/// Cuts `polygon` out of the triangles of `patch`, which are sorted and hold all that it touches. Edges between them that are
/// `kept` stay edges. `None` if rounding leaves no clean cut: then everything has to be made anew.
pub(crate) fn carve(
    mesh: &Mesh,
    patch: &[u32],
    kept: impl Fn(u32, usize) -> bool,
    polygon: &Polygon,
) -> Option<Carved> {
    let (mut number, mut known) = (BTreeMap::new(), Vec::new());
    let (mut constraints, mut fixed) = (Vec::new(), Vec::new());
    for &t in patch {
        let triangle = mesh.triangle(t);
        for i in 0..3 {
            let inner = triangle.pass[i].is_some_and(|n| patch.binary_search(&n).is_ok());
            if inner && !kept(t, i) {
                continue;
            }
            let ends = [triangle.corners[i], triangle.corners[(i + 1) % 3]].map(|v| {
                *number.entry(v).or_insert_with(|| {
                    known.push(v);
                    known.len() as u32 - 1
                })
            });
            constraints.push(mesh.edge(t, i));
            if !inner && triangle.pass[i].is_some() {
                fixed.push(Fixed { ends, old: (t, i) });
            }
        }
    }
    fixed.sort_unstable();
    constraints.extend(polygon.edges());
    let all = triangulate(&constraints).ok()?;
    // Two points that became one, or were moved, would tear it off what is around.
    let same = known.iter().enumerate().all(|(i, &v)| all.vertices.get(i) == Some(&mesh.point(v)));
    if !same {
        return None;
    }
    let patches = Patches::new(&all);
    let mut of_patch = vec![None; patches.count()];
    for (inner, number) in patches.inner() {
        let old = patch.iter().copied().find(|&t| mesh.holds(t, inner));
        of_patch[number as usize] = old.filter(|_| !polygon.contains(inner));
    }
    let mut free: Vec<bool> = patches.of.iter().map(|&p| of_patch[p as usize].is_some()).collect();
    crate::patches::close_leaks(&all, &mut free);
    // A thin triangle may have been closed or opened: then it is as what is beside it.
    let source = patches.of.iter().map(|&p| of_patch[p as usize].unwrap_or(patch[0])).collect();
    let carved = Carved { known, all, free, source, fixed };
    let mut found = 0;
    for t in (0..carved.free.len()).filter(|&t| carved.free[t]) {
        for i in 0..3 {
            if carved.fixed_at(carved.ends(t, i)).is_some() {
                found += 1;
                if carved.beyond(t, i).is_some() {
                    return None;
                }
            }
        }
    }
    (found == carved.fixed.len()).then_some(carved)
}
