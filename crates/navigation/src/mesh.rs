//! The free floor as triangles: where one can stand, and through which edges one can go on.

use passerby_geometry::DVec2;
use passerby_geometry::triangulation::orientation;

use crate::grid::Grid;

/// Free triangles, in local coordinates.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mesh {
    pub points: Vec<DVec2>,
    pub triangles: Vec<Triangle>,
    pub grid: Grid,
}

/// Counter-clockwise; edge `i` goes from corner `i` to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Triangle {
    pub corners: [u32; 3],
    /// Where each edge leads to: nowhere if it is a wall or a closed door.
    pub pass: [Option<u32>; 3],
}

impl Triangle {
    /// What is left of one that was taken out.
    pub const GONE: Triangle = Triangle { corners: [0; 3], pass: [None; 3] };

    pub fn is_gone(&self) -> bool {
        self.corners[0] == self.corners[1]
    }
}

impl Mesh {
    pub fn new(points: Vec<DVec2>, triangles: Vec<Triangle>) -> Mesh {
        let shapes: Vec<[DVec2; 3]> = triangles.iter().map(|t| t.corners.map(|v| points[v as usize])).collect();
        Mesh { grid: Grid::new(&shapes), points, triangles }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.points[..]) + size_of_val(&self.triangles[..]) + self.grid.bytes()
    }

    pub fn point(&self, vertex: u32) -> DVec2 {
        self.points[vertex as usize]
    }

    pub fn triangle(&self, triangle: u32) -> &Triangle {
        &self.triangles[triangle as usize]
    }

    /// The ends of an edge, with the free floor on the left.
    pub fn edge(&self, triangle: u32, edge: usize) -> [DVec2; 2] {
        let corners = self.triangle(triangle).corners;
        [self.point(corners[edge]), self.point(corners[(edge + 1) % 3])]
    }

    /// All triangles that are there, with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (u32, &Triangle)> {
        self.triangles.iter().enumerate().filter(|(_, t)| !t.is_gone()).map(|(number, t)| (number as u32, t))
    }

    /// The box around some triangles.
    pub fn bounds_of(&self, some: &[u32]) -> (DVec2, DVec2) {
        let corners = some.iter().flat_map(|&t| self.triangle(t).corners).map(|v| self.point(v));
        corners.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
    }

    /// Leads whoever comes to one edge of a triangle to that of another: both have the same ends.
    pub fn hand_over(&mut self, from: (u32, usize), to: (u32, usize)) {
        let outside = self.triangle(from.0).pass[from.1];
        self.triangles[to.0 as usize].pass[to.1] = outside;
        let Some(outside) = outside else { return };
        for back in &mut self.triangles[outside as usize].pass {
            if *back == Some(from.0) {
                *back = Some(to.0);
            }
        }
    }

    /// The corners of some triangles, as the grid wants them.
    pub fn shapes(&self, some: &[u32]) -> Vec<(u32, [DVec2; 3])> {
        some.iter().map(|&t| (t, self.triangle(t).corners.map(|v| self.point(v)))).collect()
    }

    /// Whether `p` is in a triangle or on its border.
    pub fn holds(&self, triangle: u32, p: DVec2) -> bool {
        let [a, b, c] = self.triangle(triangle).corners.map(|v| self.point(v));
        orientation(a, b, p) >= 0.0 && orientation(b, c, p) >= 0.0 && orientation(c, a, p) >= 0.0
    }

    /// One of the triangles that hold `p`.
    pub fn locate(&self, p: DVec2) -> Option<u32> {
        self.grid.at(p).iter().copied().find(|&t| self.holds(t, p))
    }

    /// All triangles that hold `p`: several if it is on an edge or a vertex. Clears `out` before.
    pub fn around(&self, p: DVec2, out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.grid.at(p).iter().copied().filter(|&t| self.holds(t, p)));
    }

    /// Calls `visit` with walls and closed doors that come closer to `p` than `range`, and their nearest point. A wall
    /// may be visited several times.
    pub fn walls_within(&self, p: DVec2, range: f64, mut visit: impl FnMut([DVec2; 2], DVec2)) {
        self.grid.each_in(p - DVec2::splat(range), p + DVec2::splat(range), |t| {
            for edge in 0..3 {
                if self.triangle(t).pass[edge].is_none() {
                    let wall = self.edge(t, edge);
                    let nearest = closest_point(wall, p);
                    if nearest.distance_squared(p) < range * range {
                        visit(wall, nearest);
                    }
                }
            }
        });
    }

    /// Whether no wall crosses the segment between two points.
    pub fn sees(&self, p: DVec2, q: DVec2) -> bool {
        let mut free = true;
        self.walls_within((p + q) / 2.0, p.distance(q) / 2.0, |[a, b], _| {
            let apart = orientation(p, q, a) * orientation(p, q, b) >= 0.0
                || orientation(a, b, p) * orientation(a, b, q) >= 0.0;
            free &= apart;
        });
        free
    }

    /// Distance from `p` to the nearest wall, or `range` if that is nearer.
    pub fn clearance(&self, p: DVec2, range: f64) -> f64 {
        let mut least = range;
        self.walls_within(p, range, |_, nearest| least = least.min(nearest.distance(p)));
        least
    }
}

/// The point of a segment that is nearest to `p`.
pub(crate) fn closest_point([a, b]: [DVec2; 2], p: DVec2) -> DVec2 {
    let d = b - a;
    a + d * ((p - a).dot(d) / d.length_squared()).clamp(0.0, 1.0)
}
