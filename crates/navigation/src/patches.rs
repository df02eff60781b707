//! Patches: triangles that are connected without crossing an outline. All of a patch is inside of a polygon, or none of it.
//!
//! So it is enough to ask for one point a patch which polygons it is in. A map of a grid has a hundred times fewer patches
//! than triangles, and its outlines have ten thousands of edges.

use passerby_geometry::triangulation::{SNAP, Triangulation};
use passerby_geometry::{DVec2, Polygon};

use crate::floor::Floor;

/// The patches of a triangulation.
pub(crate) struct Patches {
    /// For each triangle its patch.
    pub of: Vec<u32>,
    /// For each patch a point inside and its number, sorted by x.
    inner: Vec<(DVec2, u32)>,
}

impl Patches {
    pub fn new(triangulation: &Triangulation) -> Patches {
        let triangles = &triangulation.triangles;
        let (mut of, mut inner, mut left) = (vec![u32::MAX; triangles.len()], Vec::new(), Vec::new());
        for start in 0..triangles.len() {
            if of[start] != u32::MAX {
                continue;
            }
            let number = inner.len() as u32;
            of[start] = number;
            left.push(start);
            // The middle of the triangle that is least thin: the others may be thinner than outlines were moved by cleaning.
            let mut best = (f64::NEG_INFINITY, start);
            while let Some(t) = left.pop() {
                let height = height(triangulation, t);
                if height > best.0 {
                    best = (height, t);
                }
                for i in (0..3).filter(|&i| !triangles[t].constrained[i]) {
                    if let Some(n) = triangles[t].neighbours[i].filter(|&n| of[n as usize] == u32::MAX) {
                        of[n as usize] = number;
                        left.push(n as usize);
                    }
                }
            }
            let corners = triangles[best.1].corners;
            inner.push((corners.iter().map(|&v| triangulation.vertices[v as usize]).sum::<DVec2>() / 3.0, number));
        }
        inner.sort_by(|a, b| a.0.x.total_cmp(&b.0.x));
        Patches { of, inner }
    }

    /// Calls `visit` with all patches in a polygon whose outline is part of the triangulation.
    pub fn each_inside(&self, polygon: &Polygon, mut visit: impl FnMut(usize)) {
        let (low, high) = polygon.bounds();
        let first = self.inner.partition_point(|(p, _)| p.x < low.x);
        for (p, patch) in self.inner[first..].iter().take_while(|(p, _)| p.x <= high.x) {
            if p.y >= low.y && p.y <= high.y && polygon.contains(*p) {
                visit(*patch as usize);
            }
        }
    }

    /// A point inside of each patch, and its number.
    pub fn inner(&self) -> impl Iterator<Item = (DVec2, u32)> + '_ {
        self.inner.iter().copied()
    }

    pub fn count(&self) -> usize {
        self.inner.len()
    }

    /// Which triangles are floor: in an area, not in its holes, not in an obstacle.
    pub fn free(&self, floor: &Floor, triangulation: &Triangulation) -> Vec<bool> {
        let mut free = vec![false; self.count()];
        let (mut inside, mut within) = (vec![false; self.count()], Vec::new());
        for area in &floor.areas {
            self.each_inside(&area.outer, |patch| within.push(patch));
            within.iter().for_each(|&patch| inside[patch] = true);
            area.holes.iter().for_each(|hole| self.each_inside(hole, |patch| inside[patch] = false));
            within.drain(..).for_each(|patch| free[patch] |= std::mem::take(&mut inside[patch]));
        }
        for obstacle in &floor.obstacles {
            self.each_inside(obstacle, |patch| free[patch] = false);
        }
        let mut free: Vec<bool> = self.of.iter().map(|&patch| free[patch as usize]).collect();
        close_leaks(triangulation, &mut free);
        free
    }
}

/// Where an outline was bent by cleaning, triangles as thin as that are left between the old and the new one. Open, they
/// would be leaks: they count as what is beside them.
pub(crate) fn close_leaks(triangulation: &Triangulation, free: &mut [bool]) {
    let mut thin = vec![false; free.len()];
    let mut left: Vec<usize> = (0..free.len()).filter(|&t| height(triangulation, t) < 4.0 * SNAP).collect();
    left.iter().for_each(|&t| (thin[t], free[t]) = (true, true));
    while let Some(t) = left.pop() {
        let neighbours = triangulation.triangles[t].neighbours;
        if free[t] && neighbours.iter().any(|n| n.is_none_or(|n| !free[n as usize])) {
            free[t] = false;
            left.extend(neighbours.iter().flatten().map(|&n| n as usize).filter(|&n| thin[n]));
        }
    }
}

fn height(triangulation: &Triangulation, t: usize) -> f64 {
    let [a, b, c] = triangulation.triangles[t].corners.map(|v| triangulation.vertices[v as usize]);
    (b - a).perp_dot(c - a) / a.distance(b).max(b.distance(c)).max(c.distance(a))
}
