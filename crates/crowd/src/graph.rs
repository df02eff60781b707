//! The neighbourhood graph: who is joined to whom, far in a sparse crowd and near in a dense one, at the same cost.
//!
//! Lamarche and Donikian 2004, section 4.1: the Delaunay triangulation of all positions, edges filtered by line of sight. People
//! behind a wall take up edges, and somebody fast two rows away is not seen: it is one way to select neighbours, beside those of the
//! [`Index`].

use crate::delaunay::{Delaunay, Points};
use crate::{Index, Slot};
use passerby_geometry::{DVec2, Walls};

/// Who is joined to whom: the Delaunay triangulation of all positions, edges filtered by line of sight.
///
/// Before the filter there are 3 n - 3 - h edges for n positions of which h are on the hull, so that the mean degree is below six, and
/// everybody is joined to the nearest other.
///
/// - Where four or more positions are exactly on one empty circle, the one with the lowest id is joined to all of them, and the others
///   to the next on the circle.
/// - People at exactly the same position are a chain in the order of their ids, walls or not; the lowest id stands for them in the triangulation.
///   So a crowd in one point has few edges too.
/// - Fewer than three positions, or all on one line: a chain along it.
///
/// It is a function of positions and ids: not of rows, nor of the order of slots, nor of what was built before.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    triangles: Delaunay,
    at: Vec<DVec2>,
    key: Vec<u32>,
    /// The lowest of each position, on a way that visits all from strip to strip.
    path: Vec<u32>,
    /// People of one cell, while it is looked for those at one position.
    cell: Vec<u32>,
    edges: Vec<[u32; 2]>,
    /// First link of each slot, and one more.
    start: Vec<u32>,
    links: Vec<Slot>,
    /// Neighbours of one, while they are sorted: bits of the squared distance, then of the id.
    ranked: Vec<(u64, Slot)>,
}

impl Graph {
    /// Joins everybody of the index anew. Allocates only when the crowd has grown.
    ///
    /// # Panics
    /// If a position is not finite.
    pub fn build(&mut self, index: &Index, walls: &Walls) {
        let bodies = index.bodies();
        self.clear(bodies.len());
        // Plus nothing: the zero that is negative becomes the other one.
        self.at.extend(bodies.iter().map(|body| body.position.as_dvec2() + 0.0));
        assert!(self.at.iter().all(|at| at.is_finite()), "a position is not finite");
        self.key.extend(bodies.iter().map(|body| body.id.bits()));
        self.visit(index);
        self.triangulate(index, walls);
        self.link();
        self.sort(index);
    }

    /// The neighbours of a slot: nearest first, ties by id.
    pub fn of(&self, slot: Slot) -> &[Slot] {
        let slot = slot.0 as usize;
        &self.links[self.start[slot] as usize..self.start[slot + 1] as usize]
    }

    /// Forgets everybody, and makes room for so many people wherever they may stand: later builds must not have to ask for it.
    fn clear(&mut self, people: usize) {
        let Self { triangles: _, at, key, path, cell, edges, start, links, ranked } = self;
        (at.clear(), key.clear(), path.clear(), cell.clear());
        (edges.clear(), start.clear(), links.clear(), ranked.clear());
        (at.reserve(people), key.reserve(people), path.reserve(people), cell.reserve(people));
        // Each has fewer than three edges of its own, and they have two ends.
        (edges.reserve(3 * people), start.reserve(people + 1), links.reserve(6 * people), ranked.reserve(people));
    }

    /// Finds a way that visits every position once, to and fro along the strips, and chains those who share one.
    fn visit(&mut self, index: &Index) {
        let Self { at, key, path, cell, edges, .. } = self;
        for (number, strip) in index.strips().enumerate() {
            let begin = path.len();
            for people in strip {
                if people.len() < 2 {
                    path.extend(people);
                    continue;
                }
                // Who shares a position shares a cell.
                cell.clear();
                cell.extend(people);
                let points = Points { at, key };
                cell.sort_unstable_by(|&a, &b| points.along(a, b).then(key[a as usize].cmp(&key[b as usize])));
                path.push(cell[0]);
                for pair in cell.windows(2) {
                    if at[pair[0] as usize] == at[pair[1] as usize] {
                        edges.push([pair[0], pair[1]]);
                    } else {
                        path.push(pair[1]);
                    }
                }
            }
            if number % 2 == 1 {
                path[begin..].reverse();
            }
        }
    }

    /// Adds the edges between positions that see each other.
    fn triangulate(&mut self, index: &Index, walls: &Walls) {
        let Self { triangles, at, key, path, edges, .. } = self;
        let points = Points { at, key };
        triangles.build(points, path);
        let seen = |edge: &[u32; 2]| {
            // From the lower id to the higher: where rounding decides, both see the same.
            let [from, to] = if key[edge[0] as usize] < key[edge[1] as usize] { *edge } else { [edge[1], edge[0]] };
            walls.is_empty() || walls.visible(index.body(Slot(from)).position, index.body(Slot(to)).position)
        };
        if triangles.is_empty() {
            path.sort_unstable_by(|a, b| points.along(*a, *b));
            edges.extend(path.windows(2).map(|pair| [pair[0], pair[1]]).filter(seen));
        } else {
            edges.extend(triangles.edges().filter(seen));
        }
    }

    /// Lists at each end of each edge the other one.
    fn link(&mut self) {
        let Self { at, edges, start, links, .. } = self;
        start.resize(at.len() + 1, 0);
        edges.iter().flatten().for_each(|end| start[*end as usize] += 1);
        let mut sum = 0;
        for start in start.iter_mut() {
            sum += *start;
            *start = sum;
        }
        links.resize(2 * edges.len(), Slot(0));
        // `start` goes back from the end of each list to where it begins.
        let mut add = |from: u32, to: u32| {
            start[from as usize] -= 1;
            links[start[from as usize] as usize] = Slot(to);
        };
        for &[a, b] in edges.iter() {
            (add(a, b), add(b, a));
        }
    }

    fn sort(&mut self, index: &Index) {
        let Self { start, links, ranked, .. } = self;
        for (body, ends) in index.bodies().iter().zip(start.windows(2)) {
            let links = &mut links[ends[0] as usize..ends[1] as usize];
            ranked.clear();
            ranked.extend(links.iter().map(|slot| {
                let other = index.body(*slot);
                // Bits of floats that are not negative are in their order.
                let distance = u64::from(body.position.distance_squared(other.position).to_bits());
                (distance << 32 | u64::from(other.id.bits()), *slot)
            }));
            ranked.sort_unstable_by_key(|(rank, _)| *rank);
            links.iter_mut().zip(ranked.iter()).for_each(|(link, (_, slot))| *link = *slot);
        }
    }
}
