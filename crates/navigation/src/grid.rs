//! Which triangles touch which square of the ground.

use passerby_geometry::DVec2;

use passerby_geometry::lists::Lists;

/// Squares over the floor, each with the triangles that touch it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Grid {
    low: DVec2,
    cell: f64,
    columns: usize,
    rows: usize,
    squares: Lists<u32>,
}

impl Grid {
    /// About two squares a triangle.
    pub fn new(triangles: &[[DVec2; 3]]) -> Grid {
        let mut low = DVec2::INFINITY;
        let mut high = DVec2::NEG_INFINITY;
        for p in triangles.iter().flatten() {
            (low, high) = (low.min(*p), high.max(*p));
        }
        if triangles.is_empty() {
            let mut squares = Lists::default();
            squares.push([]);
            return Grid { squares, cell: 1.0, columns: 1, rows: 1, ..Grid::default() };
        }
        let size = (high - low).max(DVec2::splat(1e-3));
        // A long thin floor must not ask for more squares than a square one.
        let cell = (size.x * size.y / (2 * triangles.len()) as f64)
            .sqrt()
            .max(size.max_element() / (4 * triangles.len()) as f64);
        let (columns, rows) = ((size.x / cell) as usize + 1, (size.y / cell) as usize + 1);
        let mut grid = Grid { low, cell, columns, rows, squares: Lists::default() };
        let mut touched: Vec<(u32, u32)> = Vec::new();
        for (number, triangle) in triangles.iter().enumerate() {
            grid.each_touched(triangle, |square| touched.push((square as u32, number as u32)));
        }
        touched.sort_unstable();
        let mut rest = &touched[..];
        for square in 0..(columns * rows) as u32 {
            let (here, after) = rest.split_at(rest.partition_point(|t| t.0 == square));
            grid.squares.push(here.iter().map(|t| t.1));
            rest = after;
        }
        grid
    }

    /// Takes triangles out and puts others in. Those that are put in are where some of the others are.
    pub fn replace(&mut self, out: &[(u32, [DVec2; 3])], into: &[(u32, [DVec2; 3])]) {
        let mut touched: Vec<(usize, bool, u32)> = Vec::new();
        for (list, comes) in [(out, false), (into, true)] {
            for (number, triangle) in list {
                self.each_touched(triangle, |square| touched.push((square, comes, *number)));
            }
        }
        touched.sort_unstable();
        let mut now: Vec<u32> = Vec::new();
        for here in touched.chunk_by(|a, b| a.0 == b.0) {
            let (goes, comes) = here.split_at(here.partition_point(|t| !t.1));
            now.clear();
            now.extend(self.squares.get(here[0].0).iter().filter(|t| goes.binary_search_by_key(t, |g| &g.2).is_err()));
            now.extend(comes.iter().map(|t| t.2));
            now.sort_unstable();
            self.squares.set(here[0].0, &now);
        }
    }

    fn each_touched(&self, triangle: &[DVec2; 3], mut visit: impl FnMut(usize)) {
        let (from, to) = (triangle[0].min(triangle[1]).min(triangle[2]), triangle[0].max(triangle[1]).max(triangle[2]));
        self.each_cell(from, to, |square, corner| {
            if overlap(triangle, corner, corner + DVec2::splat(self.cell)) {
                visit(square);
            }
        });
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.squares.bytes()
    }

    /// Triangles that may contain `p`.
    pub fn at(&self, p: DVec2) -> &[u32] {
        let at = ((p - self.low) / self.cell).floor();
        // A comparison that is false for NaN.
        let inside = at.x >= 0.0 && at.y >= 0.0 && at.x < self.columns as f64 && at.y < self.rows as f64;
        if inside { self.square(at.y as usize * self.columns + at.x as usize) } else { &[] }
    }

    /// Calls `visit` with every triangle that may touch the box; with some of them several times.
    pub fn each_in(&self, from: DVec2, to: DVec2, mut visit: impl FnMut(u32)) {
        self.each_cell(from, to, |square, _| self.square(square).iter().for_each(|&t| visit(t)));
    }

    fn square(&self, square: usize) -> &[u32] {
        self.squares.get(square)
    }

    fn each_cell(&self, from: DVec2, to: DVec2, mut visit: impl FnMut(usize, DVec2)) {
        // Casts to integers stop at their ends, so what is outside ends up in the border squares.
        let (from, to) = ((from - self.low) / self.cell, (to - self.low) / self.cell);
        for row in from.y as usize..=(to.y as usize).min(self.rows - 1) {
            for column in from.x as usize..=(to.x as usize).min(self.columns - 1) {
                visit(row * self.columns + column, self.low + DVec2::new(column as f64, row as f64) * self.cell);
            }
        }
    }
}

/// Whether a counter-clockwise triangle touches a box; a box next to it may be taken too.
fn overlap(triangle: &[DVec2; 3], low: DVec2, high: DVec2) -> bool {
    (0..3).all(|i| {
        let (a, d) = (triangle[i], triangle[(i + 1) % 3] - triangle[i]);
        // The corner of the box that is farthest to the left of this edge.
        let p = DVec2::new(if d.y < 0.0 { high.x } else { low.x }, if d.x > 0.0 { high.y } else { low.y });
        d.perp_dot(p - a) >= -1e-6 * d.length()
    })
}
