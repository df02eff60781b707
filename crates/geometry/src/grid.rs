//! A uniform grid over straight edges: which edges touch a cell, which cells a line passes.
//!
//! Used by the wall index and by the search for crossings of polygon outlines. Cells are entered with a margin of
//! [`PAD`] cells around every edge and every question, far more than arithmetic can be off, so an edge is always
//! listed in each cell it touches; now and then also in one that it misses by a hair, which costs time, never truth.

use crate::DVec2;
use crate::lists::Lists;
use std::ops::{ControlFlow, Range};

/// Margin around edges and questions, in cells.
const PAD: f64 = 1e-6;

/// Bounds of the cell size: about `cells` cells at most, of at least `smallest` metres.
pub(crate) struct Sizing {
    pub cells: f64,
    pub smallest: f64,
}

/// Equal square cells over the box around some edges, in rows from low y to high y, each row from low x to high x.
#[derive(Debug, Clone)]
pub(crate) struct Lattice {
    low: DVec2,
    high: DVec2,
    /// Side of a cell, m.
    pub cell: f64,
    /// Cells in one metre: multiplying is faster than dividing, and every question begins with it.
    per_metre: f64,
    pub columns: usize,
    pub rows: usize,
}

impl Lattice {
    /// Covers the edges. Coordinates must be finite.
    pub fn new(edges: &[[DVec2; 2]], sizing: Sizing) -> Lattice {
        let (mut low, mut high) = edges.first().map_or((DVec2::ZERO, DVec2::ZERO), |edge| (edge[0], edge[0]));
        let mut length = 0.0;
        for [a, b] in edges {
            low = low.min(*a).min(*b);
            high = high.max(*a).max(*b);
            length += a.distance(*b);
        }
        let size = high - low;
        // The last bound keeps lists short: an edge is listed once or twice per cell length.
        let cell = (size.x.sqrt() * size.y.sqrt() / sizing.cells.sqrt()) // root by root: the area may underflow
            .max(size.max_element() / sizing.cells)
            .max(length / (16.0 * sizing.cells))
            .max(sizing.smallest);
        // Edges that are all one point, or next to it, need a single cell of whatever size.
        let cell = if cell > f64::MIN_POSITIVE { cell } else { 1.0 };
        let columns = (size.x / cell) as usize + 1;
        let rows = (size.y / cell) as usize + 1;
        Lattice { low, high, cell, per_metre: 1.0 / cell, columns, rows }
    }

    /// Visits the cells that the way from `a` to `b` touches. `visit` gets the cell and a lower bound of the fraction
    /// of the way at which this cell, or any that is visited later, is reached; it breaks to end the walk.
    pub fn walk(&self, a: DVec2, b: DVec2, mut visit: impl FnMut(usize, f64) -> ControlFlow<()>) -> ControlFlow<()> {
        let (from, to) = ((a - self.low) * self.per_metre, (b - self.low) * self.per_metre);
        let way = to - from;
        let rows = span(from.y.min(to.y), from.y.max(to.y), self.rows);
        for step in 0..rows.len() {
            let row = if way.y < 0.0 { rows.end - 1 - step } else { rows.start + step };
            let (enter, leave) = slab(from.y, way.y, row);
            if enter > leave {
                continue;
            }
            // Later rows begin here, without the margin.
            let exit = if way.y == 0.0 { 1.0 } else { leave - PAD / way.y.abs() };
            let (x0, x1) = (from.x + way.x * enter, from.x + way.x * leave);
            let columns = span(x0.min(x1), x0.max(x1), self.columns);
            for step in 0..columns.len() {
                let column = if way.x < 0.0 { columns.end - 1 - step } else { columns.start + step };
                let entry = slab(from.x, way.x, column).0.max(enter).min(exit);
                visit(row * self.columns + column, entry)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The columns and rows that a box touches.
    pub fn block(&self, low: DVec2, high: DVec2) -> (Range<usize>, Range<usize>) {
        let (low, high) = ((low - self.low) * self.per_metre, (high - self.low) * self.per_metre);
        (span(low.x, high.x, self.columns), span(low.y, high.y, self.rows))
    }

    /// The cell that contains `p`; for a point outside, the cell of the border next to it.
    pub fn cell_at(&self, p: DVec2) -> usize {
        self.cell_of((p - self.low) * self.per_metre)
    }

    /// The cell that contains `p`, and the distance in metres from `p` to the nearest side of that cell; `None`
    /// outside of the box around all edges.
    pub fn cell_and_depth(&self, p: DVec2) -> Option<(usize, f64)> {
        if !(p.cmpge(self.low).all() && p.cmple(self.high).all()) {
            return None;
        }
        let p = (p - self.low) * self.per_metre;
        let cell = self.cell_of(p);
        // From the integers again: rounding down is a slow call on processors without an instruction for it.
        let within = p - DVec2::new(f64::from(p.x as u32), f64::from(p.y as u32));
        Some((cell, within.min(1.0 - within).min_element() * self.cell))
    }

    /// The cell at a place counted in cells. A cast to an integer rounds toward zero and stops at its ends, so negative
    /// becomes 0.
    fn cell_of(&self, p: DVec2) -> usize {
        (p.y as usize).min(self.rows - 1) * self.columns + (p.x as usize).min(self.columns - 1)
    }
}

/// The edges in each cell of a lattice.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub lattice: Lattice,
    /// For each cell its edges, in rising order.
    lists: Lists<u32>,
}

impl Grid {
    /// Lists every edge in the cells it touches. Coordinates must be finite.
    pub fn new(edges: &[[DVec2; 2]], sizing: Sizing) -> Grid {
        let lattice = Lattice::new(edges, sizing);
        let each_cell = |[a, b]: &[DVec2; 2], visit: &mut dyn FnMut(usize)| {
            let _ = lattice.walk(*a, *b, |cell, _| {
                visit(cell);
                ControlFlow::Continue(())
            });
        };
        // Counts, then fills: the lists of all cells lie one after the other, each in order of edge.
        let mut starts = vec![0; lattice.columns * lattice.rows + 1];
        for edge in edges {
            each_cell(edge, &mut |cell| starts[cell + 1] += 1);
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut free = starts.clone();
        let mut items = vec![0; starts[starts.len() - 1] as usize];
        for (number, edge) in edges.iter().enumerate() {
            each_cell(edge, &mut |cell| {
                items[free[cell] as usize] = number as u32;
                free[cell] += 1;
            });
        }
        let mut lists = Lists::default();
        starts.windows(2).for_each(|ends| lists.push(items[ends[0] as usize..ends[1] as usize].iter().copied()));
        Grid { lattice, lists }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.lists.len()
    }

    /// The edges listed in a cell, in rising order.
    pub fn items(&self, cell: usize) -> &[u32] {
        self.lists.get(cell)
    }

    /// Lists one more edge, which is in the box around the others.
    pub fn add(&mut self, number: u32, edge: [DVec2; 2]) {
        self.change(edge, |list| {
            list.push(number);
            list.sort_unstable();
        });
    }

    /// Forgets an edge.
    pub fn remove(&mut self, number: u32, edge: [DVec2; 2]) {
        self.change(edge, |list| list.retain(|&other| other != number));
    }

    fn change(&mut self, [a, b]: [DVec2; 2], mut change: impl FnMut(&mut Vec<u32>)) {
        let Grid { lattice, lists } = self;
        let mut list = Vec::new();
        let _ = lattice.walk(a, b, |cell, _| {
            list.clear();
            list.extend_from_slice(lists.get(cell));
            change(&mut list);
            lists.set(cell, &list);
            ControlFlow::Continue(())
        });
    }
}

/// The whole numbers whose unit interval touches [low, high], among 0..count.
fn span(low: f64, high: f64, count: usize) -> Range<usize> {
    if high < -PAD || low > count as f64 + PAD || low.is_nan() || high.is_nan() {
        return 0..0;
    }
    let (low, high) = ((low - PAD) as usize, (high + PAD) as usize);
    low.min(count - 1)..high.saturating_add(1).min(count)
}

/// The part of [0, 1] in which start + way * fraction is within the unit interval of `number`; empty if first > last.
fn slab(start: f64, way: f64, number: usize) -> (f64, f64) {
    if way == 0.0 {
        return (0.0, 1.0); // the caller has chosen this number because the line is inside
    }
    let low = (number as f64 - PAD - start) / way;
    let high = (number as f64 + 1.0 + PAD - start) / way;
    (low.min(high).max(0.0), low.max(high).min(1.0))
}
