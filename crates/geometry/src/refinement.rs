//! A constrained Delaunay triangulation whose constraints can be cut further, one point at a time.

use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation as _};

use crate::DVec2;
use crate::triangulation::{Triangle, Triangulation};

/// Constraints that are clean already, as edges between points, and the triangles between them.
pub struct Refinement {
    delaunay: ConstrainedDelaunayTriangulation<Point2<f64>>,
}

impl Refinement {
    /// The same points and edges in the same order give the same triangles. `None` if edges cross or pass through a point, or
    /// two points are one: then [`triangulate`](crate::triangulation::triangulate) has to clean them first.
    pub fn new(points: &[DVec2], edges: &[[u32; 2]]) -> Option<Refinement> {
        let points = points.iter().map(|p| spade_point(*p)).collect::<Vec<_>>();
        let count = points.len();
        let mut delaunay = ConstrainedDelaunayTriangulation::bulk_load_cdt(points, Vec::new()).ok()?;
        if delaunay.num_vertices() != count {
            return None;
        }
        for ends in edges {
            let [a, b] = ends.map(|v| FixedVertexHandle::from_index(v as usize));
            if !delaunay.can_add_constraint(a, b) {
                return None;
            }
            delaunay.add_constraint(a, b);
            // A constraint through a third point would have become two.
            delaunay.get_edge_from_neighbors(a, b).filter(|edge| edge.is_constraint_edge())?;
        }
        Some(Refinement { delaunay })
    }

    /// Cuts the constraint between two vertices at a point that lies on it up to rounding, and gives the number of the new
    /// vertex. `None`, and nothing has changed that matters, if there is no such constraint or the point is one of its ends.
    pub fn cut(&mut self, ends: [u32; 2], at: DVec2) -> Option<u32> {
        let [a, b] = ends.map(|v| FixedVertexHandle::from_index(v as usize));
        let edge = self.delaunay.get_edge_from_neighbors(a, b)?.as_undirected().fix();
        if !self.delaunay.remove_constraint_edge(edge) {
            return None;
        }
        let before = self.delaunay.num_vertices();
        let vertex = self.delaunay.insert_with_hint(spade_point(at), a).ok();
        let fits = |v: &FixedVertexHandle| {
            v.index() == before && self.delaunay.can_add_constraint(a, *v) && self.delaunay.can_add_constraint(*v, b)
        };
        let Some(vertex) = vertex.filter(fits) else {
            self.delaunay.add_constraint(a, b);
            return None;
        };
        self.delaunay.add_constraint(a, vertex);
        self.delaunay.add_constraint(vertex, b);
        Some(vertex.index() as u32)
    }

    /// The triangles as they are now. Vertices keep their numbers, new ones follow.
    pub fn triangulation(&self) -> Triangulation {
        let vertices = self.delaunay.vertices().map(|v| DVec2::new(v.position().x, v.position().y)).collect();
        let mut faces: Vec<([u32; 3], usize)> = self
            .delaunay
            .inner_faces()
            .map(|face| {
                (lowest_first(face.adjacent_edges().map(|e| e.from().fix().index() as u32)), face.fix().index())
            })
            .collect();
        // Sorted by corners, so that nothing depends on how faces are numbered inside.
        faces.sort_unstable();
        let mut number = vec![0u32; self.delaunay.num_all_faces()];
        faces.iter().enumerate().for_each(|(new, (_, old))| number[*old] = new as u32);
        let mut triangles: Vec<Triangle> = faces
            .iter()
            .map(|(corners, _)| Triangle { corners: *corners, neighbours: [None; 3], constrained: [false; 3] })
            .collect();
        for face in self.delaunay.inner_faces() {
            let triangle = &mut triangles[number[face.fix().index()] as usize];
            for edge in face.adjacent_edges() {
                let from = edge.from().fix().index() as u32;
                let i = (0..3).find(|&i| triangle.corners[i] == from).unwrap_or(0);
                triangle.neighbours[i] = edge.rev().face().as_inner().map(|other| number[other.fix().index()]);
                triangle.constrained[i] = edge.is_constraint_edge();
            }
        }
        Triangulation { vertices, triangles }
    }
}

fn lowest_first(corners: [u32; 3]) -> [u32; 3] {
    let first = (0..3).min_by_key(|&i| corners[i]).unwrap_or(0);
    [0, 1, 2].map(|i| corners[(first + i) % 3])
}

/// Spade refuses numbers whose products underflow; they are zero for us.
fn spade_point(p: DVec2) -> Point2<f64> {
    let flush = |x: f64| if x.abs() < 1e-60 { 0.0 } else { x };
    Point2::new(flush(p.x), flush(p.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> ([DVec2; 4], [[u32; 2]; 4]) {
        ([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]].map(DVec2::from), [[0, 1], [1, 2], [2, 3], [3, 0]])
    }

    #[test]
    fn a_cut_makes_two_constraints_of_one() {
        let (points, edges) = square();
        let mut square = Refinement::new(&points, &edges).unwrap();
        assert_eq!(square.triangulation().triangles.len(), 2);
        assert_eq!(square.cut([1, 0], DVec2::new(1.0, 0.0)), Some(4));
        assert_eq!(square.cut([0, 1], DVec2::new(2.0, 0.0)), None, "that wall is two by now");
        assert_eq!(square.cut([4, 1], DVec2::new(4.0, 0.0)), None, "that is its end");
        let after = square.triangulation();
        assert_eq!((after.vertices.len(), after.triangles.len()), (5, 3));
        let walls = after.triangles.iter().flat_map(|t| t.constrained).filter(|c| *c).count();
        let inner = after.triangles.iter().flat_map(|t| t.neighbours).flatten().count();
        assert_eq!((walls, inner), (5, 4));
    }

    #[test]
    fn crossing_edges_and_points_on_edges_are_refused() {
        let (points, _) = square();
        assert!(Refinement::new(&points, &[[0, 2], [1, 3]]).is_none());
        let line = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]].map(DVec2::from);
        assert!(Refinement::new(&line, &[[0, 2]]).is_none());
        assert!(Refinement::new(&[DVec2::ZERO, DVec2::ONE, DVec2::ZERO], &[]).is_none());
    }
}
