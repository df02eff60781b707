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
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    pub corners: [u32; 3],
    /// Where each edge leads to: nowhere if it is a wall or a closed door.
    pub pass: [Option<u32>; 3],
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
