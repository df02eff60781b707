//! Convex cells: triangles merged over their longest free edges, so that the short ones, the bottlenecks, stay.
//!
//! Lamarche and Donikian 2004, section 3.1: free segments are visited from the longest to the shortest; the two cells beside
//! one become one if that is convex and the segment is longer than every free segment left on it. One pass is enough: a
//! segment that stays is on both its cells, so no shorter one of theirs can ever go.

use passerby_geometry::DVec2;

use crate::bottlenecks::Facets;

/// A corner may turn the wrong way by this much, as a share of the product of its edges: feet lie on walls up to rounding.
const CONVEX_SLACK: f64 = 1e-9;

/// Lengths that differ by less than this share of them are equal.
const EQUAL: f64 = 1e-9;

const NONE: u32 = u32::MAX;

/// Outlines of cells as linked edges: edge `3 t + i` is edge `i` of triangle `t`.
pub(crate) struct Merged {
    /// The edge after each one on the outline of its cell.
    next: Vec<u32>,
    before: Vec<u32>,
    /// The same edge seen from the other side, or [`NONE`] for a wall.
    pub twin: Vec<u32>,
    /// Whether each edge is on an outline still.
    pub stays: Vec<bool>,
    /// A triangle of the same cell, towards the first one.
    up: Vec<u32>,
    /// Cells that cannot grow any more, by their first triangle.
    frozen: Vec<bool>,
}

impl Merged {
    pub fn new(facets: &Facets) -> Merged {
        let count = facets.triangles.len() as u32;
        let step = |e: u32, by: u32| e - e % 3 + (e % 3 + by) % 3;
        let twin = |e: u32| {
            let (t, i) = (e / 3, (e % 3) as usize);
            let Some(n) = facets.triangles[t as usize].pass[i] else { return NONE };
            let back = facets.triangles[n as usize].pass.iter().position(|&b| b == Some(t));
            back.map_or(NONE, |j| 3 * n + j as u32)
        };
        let mut merged = Merged {
            next: (0..3 * count).map(|e| step(e, 1)).collect(),
            before: (0..3 * count).map(|e| step(e, 2)).collect(),
            twin: (0..3 * count).map(twin).collect(),
            stays: vec![true; 3 * count as usize],
            up: (0..count).collect(),
            frozen: vec![false; count as usize],
        };
        let at = |e: u32| facets.points[facets.triangles[(e / 3) as usize].corners[(e % 3) as usize] as usize];
        let length = |e: u32| at(e).distance(at(step(e, 1)));
        let mut segments: Vec<(f64, u32)> = (0..3 * count)
            .filter(|&e| merged.twin[e as usize] != NONE && merged.twin[e as usize] > e)
            .map(|e| (length(e), e))
            .collect();
        segments.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (length_of_it, e) in segments {
            let door = facets.doors[(e / 3) as usize][(e % 3) as usize];
            let cells = [e, merged.twin[e as usize]].map(|e| merged.first(e / 3));
            let open = !door && cells[0] != cells[1] && cells.iter().all(|&c| !merged.frozen[c as usize]);
            if open && merged.is_convex_without(e, at) && merged.is_longest(e, length_of_it, length, facets) {
                merged.remove(e);
            } else {
                cells.iter().for_each(|&c| merged.frozen[c as usize] = true);
            }
        }
        merged
    }

    /// The first triangle of the cell that a triangle belongs to.
    pub fn first(&mut self, t: u32) -> u32 {
        let mut t = t;
        while self.up[t as usize] != t {
            self.up[t as usize] = self.up[self.up[t as usize] as usize];
            t = self.up[t as usize];
        }
        t
    }

    /// The edges of an outline from `e` on, counter-clockwise.
    pub fn outline(&self, e: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(e), move |&now| Some(self.next[now as usize]).filter(|&n| n != e))
    }

    /// Whether both corners that would be left by removing an edge are convex.
    fn is_convex_without(&self, e: u32, at: impl Fn(u32) -> DVec2) -> bool {
        let twin = self.twin[e as usize];
        [(e, twin), (twin, e)].iter().all(|&(e, twin)| {
            let (before, after) = (self.before[e as usize], self.next[twin as usize]);
            let arriving = at(e) - at(before);
            let leaving = at(self.next[after as usize]) - at(after);
            arriving.perp_dot(leaving) >= -CONVEX_SLACK * arriving.length() * leaving.length()
        })
    }

    fn is_longest(&self, e: u32, length_of_it: f64, length: impl Fn(u32) -> f64, facets: &Facets) -> bool {
        let twin = self.twin[e as usize];
        let others = self.outline(e).skip(1).chain(self.outline(twin).skip(1));
        others
            .filter(|&other| self.twin[other as usize] != NONE || facets.out[other as usize / 3][other as usize % 3])
            .all(|other| length(other) < length_of_it * (1.0 - EQUAL))
    }

    fn remove(&mut self, e: u32) {
        let twin = self.twin[e as usize];
        for (e, twin) in [(e, twin), (twin, e)] {
            let (before, after) = (self.before[e as usize], self.next[twin as usize]);
            self.next[before as usize] = after;
            self.before[after as usize] = before;
            self.stays[e as usize] = false;
        }
        let [a, b] = [e, twin].map(|e| self.first(e / 3));
        self.up[a.max(b) as usize] = a.min(b);
    }
}
