//! An obstacle is cut out of the cells that it touches, or given back to them; all others stay as they are.
//!
//! The cells that an obstacle touches are taken out, and what is left of them is triangulated, cut at bottlenecks and merged into
//! cells as the whole floor was. That has to be what doing it to the whole floor would lead to as far as widths are concerned, so the
//! piece grows by a cell wherever
//!
//! - the triangles on both sides of its border are not Delaunay any more: then a corner may be nearer to another than edges tell;
//! - one of its corners has its foot on a wall outside.
//!
//! Corners outside whose view of walls has changed are measured anew.

use std::collections::{BTreeMap, BTreeSet};

use passerby_geometry::refinement::Refinement;
use passerby_geometry::{DVec2, Polygon};

use crate::bottlenecks::{Cut, Facets, Rule, cut, cuts, free};
use crate::carve::{Carved, carve, touched};
use crate::mesh::{Triangle, closest_point};
use crate::subdivision::Subdivision;
use crate::turns::shorter_edge;

/// How often the piece may grow before everything is made anew.
const GROWTHS_MAX: usize = 64;

/// A point this deep in a circle is inside of it, as a share: less is rounding.
const INSIDE_CIRCLE: f64 = 1e-12;

/// A portal this close to a door is part of it, m.
const ON_DOOR: f64 = 1e-6;

/// A piece of the floor without the obstacle, on its way to cells.
pub(crate) struct Piece {
    /// The old triangles, sorted.
    pub patch: Vec<u32>,
    pub facets: Facets,
    pub laid: Laid,
    /// Triangles around it whose corners may see other walls now.
    pub around: Vec<u32>,
}

/// Triangles that were put into the mesh.
#[derive(Debug, Clone, Default)]
pub(crate) struct Laid {
    pub triangles: Vec<u32>,
    pub points: Vec<u32>,
    /// For each edge to what stays the old triangle and edge, and the new ones.
    pub border: Vec<[(u32, usize); 2]>,
    /// For each vertex of the piece its number in the mesh, where it is used.
    number: Vec<Option<u32>>,
}

/// The walls of a piece and how they are cut.
struct Cutting<'a> {
    carved: &'a Carved,
    refinement: Refinement,
    /// Free side on the left; the edges to what stays are among them.
    walls: BTreeSet<[u32; 2]>,
}

impl Cutting<'_> {
    fn new<'a>(subdivision: &Subdivision, carved: &'a Carved, patch: &[u32]) -> Option<Cutting<'a>> {
        let doors: Vec<[DVec2; 2]> = (patch.iter())
            .flat_map(|&t| (0..3).filter(move |&i| subdivision.is_door(t, i)).map(move |i| (t, i)))
            .map(|(t, i)| subdivision.mesh.edge(t, i))
            .collect();
        let on_door = |p: DVec2| doors.iter().any(|&door| closest_point(door, p).distance(p) <= ON_DOOR);
        let (mut walls, mut edges) = (BTreeSet::new(), BTreeSet::new());
        for t in (0..carved.free.len()).filter(|&t| carved.free[t]) {
            for i in 0..3 {
                let [a, b] = carved.ends(t, i);
                if carved.beyond(t, i).is_none() {
                    walls.insert([a, b]);
                    edges.insert([a.min(b), a.max(b)]);
                } else if carved.all.triangles[t].constrained[i] {
                    let middle = (carved.all.vertices[a as usize] + carved.all.vertices[b as usize]) / 2.0;
                    edges.extend(on_door(middle).then_some([a.min(b), a.max(b)]));
                }
            }
        }
        let edges: Vec<[u32; 2]> = edges.into_iter().collect();
        let refinement = Refinement::new(&carved.all.vertices, &edges)?;
        Some(Cutting { carved, refinement, walls })
    }

    /// The triangles as the walls are cut now.
    fn facets(&self) -> Facets {
        let originals = self.carved.all.vertices.len() as u32;
        let mut facets = free(&self.refinement.triangulation(), &self.walls, originals);
        for (triangle, out) in facets.triangles.iter().zip(&mut facets.out) {
            let ends = |i: usize| [triangle.corners[i], triangle.corners[(i + 1) % 3]];
            *out = [0, 1, 2].map(|i| triangle.pass[i].is_none() && self.carved.fixed_at(ends(i)).is_some());
        }
        facets
    }
}

impl Subdivision {
    pub(crate) fn is_door(&self, t: u32, i: usize) -> bool {
        self.portal_of[t as usize][i].is_some_and(|p| self.portals[p as usize].door)
    }

    /// The piece that an obstacle changes, laid into the mesh in place of its old triangles; none of the cells know of it yet. The inner
    /// `None` if it touches nothing; the outer one if there is no clean cut.
    pub(crate) fn cut_out(&mut self, polygon: &Polygon) -> Option<Option<Piece>> {
        let mut seeds = touched(&self.mesh, polygon);
        if seeds.is_empty() {
            return Some(None);
        }
        for _ in 0..GROWTHS_MAX {
            let patch = self.whole_cells(&seeds);
            let carved = carve(&self.mesh, &patch, |t, i| self.is_door(t, i), polygon)?;
            let mut cutting = Cutting::new(self, &carved, &patch)?;
            match self.fit(patch, &mut cutting) {
                Ok(piece) => return Some(Some(piece)),
                Err(more) => seeds.extend(more),
            }
        }
        None
    }

    /// All triangles of the cells of some, sorted.
    fn whole_cells(&self, seeds: &[u32]) -> Vec<u32> {
        let cells: BTreeSet<u32> = seeds.iter().map(|&t| self.cell_of[t as usize]).collect();
        let (mut all, mut some) = (Vec::new(), Vec::new());
        for cell in cells {
            self.triangles_of(crate::subdivision::CellId(cell), &mut some);
            all.extend_from_slice(&some);
        }
        all.sort_unstable();
        all
    }

    /// Lays the piece and cuts its walls until no corner has a foot on one; or says by which triangles it has to grow.
    fn fit(&mut self, patch: Vec<u32>, cutting: &mut Cutting<'_>) -> Result<Piece, Vec<u32>> {
        loop {
            let facets = cutting.facets();
            let laid = self.lay(&facets, cutting.carved);
            let around = self.around(&patch);
            let mut more = self.not_delaunay(&laid.border);
            let (wanted, outside) = self.wanted_cuts(&laid.triangles, &around);
            more.extend(outside);
            if !more.is_empty() {
                self.lift(&laid);
                return Err(more);
            }
            let local = in_piece(&wanted, &laid);
            if local.is_empty() || !cut(&mut cutting.refinement, &mut cutting.walls, &local) {
                return Ok(Piece { patch, facets, laid, around });
            }
            self.lift(&laid);
        }
    }

    /// Puts the triangles of a piece into the mesh and leads its neighbours to them.
    fn lay(&mut self, facets: &Facets, carved: &Carved) -> Laid {
        let mut laid = Laid { number: vec![None; facets.points.len()], ..Laid::default() };
        for (v, known) in carved.known.iter().enumerate() {
            laid.number[v] = Some(*known);
        }
        for &v in facets.triangles.iter().flat_map(|t| &t.corners) {
            if laid.number[v as usize].is_none() {
                let point = self.new_point(facets.points[v as usize], v >= facets.originals);
                laid.points.push(point);
                laid.number[v as usize] = Some(point);
            }
        }
        laid.triangles = facets.triangles.iter().map(|_| self.new_triangle()).collect();
        for (t, triangle) in facets.triangles.iter().enumerate() {
            let new = laid.triangles[t];
            // All corners have been numbered above.
            let corners = triangle.corners.map(|v| laid.number[v as usize].unwrap_or_default());
            let pass = triangle.pass.map(|n| n.map(|n| laid.triangles[n as usize]));
            self.mesh.triangles[new as usize] = Triangle { corners, pass };
            for i in (0..3).filter(|&i| facets.out[t][i]) {
                let ends = [triangle.corners[i], triangle.corners[(i + 1) % 3]];
                if let Some(fixed) = carved.fixed_at(ends) {
                    laid.border.push([fixed.old, (new, i)]);
                    self.mesh.hand_over(fixed.old, (new, i));
                }
            }
        }
        laid
    }

    /// Takes the triangles of a piece out again.
    fn lift(&mut self, laid: &Laid) {
        for &[old, new] in &laid.border {
            self.mesh.hand_over(new, old);
        }
        self.forget(laid);
    }

    /// Gives the numbers of triangles and points back.
    pub(crate) fn forget(&mut self, laid: &Laid) {
        laid.triangles.iter().for_each(|&t| self.mesh.triangles[t as usize] = Triangle::GONE);
        self.unused.triangles.extend(laid.triangles.iter().rev());
        self.unused.points.extend(laid.points.iter().rev());
    }

    fn new_point(&mut self, at: DVec2, is_foot: bool) -> u32 {
        if let Some(point) = self.unused.points.pop() {
            (self.mesh.points[point as usize], self.is_foot[point as usize]) = (at, is_foot);
            return point;
        }
        (self.mesh.points.push(at), self.is_foot.push(is_foot));
        self.mesh.points.len() as u32 - 1
    }

    fn new_triangle(&mut self) -> u32 {
        self.unused.triangles.pop().unwrap_or_else(|| {
            self.mesh.triangles.push(Triangle::GONE);
            self.cell_of.push(0);
            self.corner_widths.push([0.0; 3]);
            self.portal_of.push([None; 3]);
            self.mesh.triangles.len() as u32 - 1
        })
    }

    /// Triangles beside a patch with corners that may see into it. The patch is in the grid, what was laid in its place is not.
    pub(crate) fn around(&self, patch: &[u32]) -> Vec<u32> {
        let (low, high) = self.mesh.bounds_of(patch);
        let mut near = self.looking_into(low, high);
        near.retain(|t| patch.binary_search(t).is_err());
        near
    }

    /// Triangles with corners that may see what is in a box through their third edge, sorted.
    pub(crate) fn looking_into(&self, low: DVec2, high: DVec2) -> Vec<u32> {
        let mut near = Vec::new();
        let reach = DVec2::splat(self.reach);
        self.mesh.grid.each_in(low - reach, high + reach, |t| near.push(t));
        near.sort_unstable();
        near.dedup();
        near.retain(|&t| {
            let triangle = self.mesh.triangle(t);
            let sees_in = |i: usize| {
                let at = self.mesh.point(triangle.corners[i]);
                let opposite = triangle.pass[(i + 1) % 3].is_some();
                opposite && at.distance(at.clamp(low, high)) <= shorter_edge(&self.mesh.points, triangle, i)
            };
            (0..3).any(sees_in)
        });
        near
    }

    /// Triangles beyond the border whose far corner is inside of the circle of the triangle on this side.
    pub(crate) fn not_delaunay(&self, border: &[[(u32, usize); 2]]) -> Vec<u32> {
        let mesh = &self.mesh;
        let inside = |&[(old, edge), (new, i)]: &[(u32, usize); 2]| {
            // Door lines are edges whatever is beside them.
            let outside = mesh.triangle(new).pass[i].filter(|_| !self.is_door(old, edge))?;
            let back = mesh.triangle(outside).pass.iter().position(|&n| n == Some(new))?;
            let apex = mesh.point(mesh.triangle(outside).corners[(back + 2) % 3]);
            let circle = mesh.triangle(new).corners.map(|v| mesh.point(v));
            in_circle(circle, apex).then_some(outside)
        };
        border.iter().filter_map(inside).collect()
    }

    /// The cuts that corners of the new triangles and around them ask for, on walls of the new ones; and triangles outside with walls that
    /// a corner of the new ones wants to be cut.
    pub(crate) fn wanted_cuts(&self, new: &[u32], around: &[u32]) -> (Vec<Cut>, Vec<u32>) {
        let mut sorted = new.to_vec();
        sorted.sort_unstable();
        let is_new = |cut: &Cut| sorted.binary_search(&cut.triangle).is_ok();
        let of = |some: &[u32]| {
            let original = |v: u32| !self.is_foot[v as usize];
            cuts(&self.mesh.points, &self.mesh.triangles, some.iter().copied(), original, Rule::Extended)
        };
        let (mut wanted, outside): (Vec<Cut>, Vec<Cut>) = of(new).into_iter().partition(is_new);
        wanted.extend(of(around).into_iter().filter(is_new));
        (wanted, outside.iter().map(|cut| cut.triangle).collect())
    }
}

/// The same cuts in the numbers of the piece, sorted by wall and along it.
fn in_piece(cuts: &[Cut], laid: &Laid) -> Vec<Cut> {
    let local: BTreeMap<u32, u32> = laid.number.iter().zip(0..).filter_map(|(n, v)| n.map(|n| (n, v))).collect();
    let mut cuts: Vec<Cut> = (cuts.iter())
        .filter_map(|cut| {
            let wall = [*local.get(&cut.wall[0])?, *local.get(&cut.wall[1])?];
            Some(Cut { wall, ..*cut })
        })
        .collect();
    cuts.sort_by(|a, b| a.wall.cmp(&b.wall).then(a.along.total_cmp(&b.along)));
    cuts
}

/// Whether a point is inside of the circle through the corners of a counter-clockwise triangle, by more than rounding.
fn in_circle(corners: [DVec2; 3], p: DVec2) -> bool {
    let [a, b, c] = corners.map(|corner| corner - p);
    let [x, y, z] = [a, b, c].map(DVec2::length_squared);
    let determinant = x * b.perp_dot(c) - y * a.perp_dot(c) + z * a.perp_dot(b);
    let scale = x.max(y).max(z);
    determinant > INSIDE_CIRCLE * scale * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_hold_what_is_inside() {
        // Through (0,0), (4,0), (0,4): centre (2,2), radius 2.83.
        let corners = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]].map(DVec2::from);
        assert!(in_circle(corners, DVec2::new(4.0, 3.9)) && in_circle(corners, DVec2::new(1.0, 1.0)));
        assert!(!in_circle(corners, DVec2::new(4.0, 4.1)) && !in_circle(corners, DVec2::new(-1.0, -1.0)));
        assert!(!in_circle(corners, DVec2::new(4.0, 4.0)), "on it is not inside");
    }
}
