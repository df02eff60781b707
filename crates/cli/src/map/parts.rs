//! Parts of the floor that do not touch, for people of one width.

use passerby::geometry::DVec2;
use passerby::navigation::{CellId, Portal, Subdivision, Topology};

/// Cells in parts between which there is no portal that is wide enough.
pub struct Parts {
    of_cell: Vec<u32>,
    areas: Vec<f64>,
    largest: Vec<CellId>,
}

impl Parts {
    /// The parts for people of a width, m; the largest first.
    pub fn new(subdivision: &Subdivision, width: f64) -> Parts {
        let cells = subdivision.cell_count();
        let mut sets = Sets::new(cells);
        for &[a, b] in Topology::new(subdivision, width).ends() {
            sets.join(a, b);
        }
        let mut area = vec![0.0; cells as usize];
        let mut largest = vec![(0.0, CellId(0)); cells as usize];
        for cell in 0..cells {
            let (first, here) = (sets.first(cell) as usize, doubled_area(subdivision.outline(CellId(cell))) / 2.0);
            area[first] += here;
            if here > largest[first].0 {
                largest[first] = (here, CellId(cell));
            }
        }
        let mut firsts: Vec<u32> = (0..cells).filter(|&cell| sets.first(cell) == cell).collect();
        firsts.sort_by(|&a, &b| area[b as usize].total_cmp(&area[a as usize]).then(a.cmp(&b)));
        let mut number = vec![0; cells as usize];
        firsts.iter().enumerate().for_each(|(n, &first)| number[first as usize] = n as u32);
        Parts {
            of_cell: (0..cells).map(|cell| number[sets.first(cell) as usize]).collect(),
            areas: firsts.iter().map(|&first| area[first as usize]).collect(),
            largest: firsts.iter().map(|&first| largest[first as usize].1).collect(),
        }
    }

    /// Area of each part, m2, the largest first.
    pub fn areas(&self) -> &[f64] {
        &self.areas
    }

    /// The largest cell of each part, by which it can be found.
    pub fn largest_cells(&self) -> &[CellId] {
        &self.largest
    }

    /// The number of the part that a cell is in, from 0.
    pub fn of(&self, cell: CellId) -> usize {
        self.of_cell[cell.0 as usize] as usize
    }
}

/// The portal that keeps people who are wider than it from getting from one cell to another: the narrowest on the widest way.
pub fn narrowest_between(subdivision: &Subdivision, from: CellId, to: CellId) -> Option<Portal> {
    let mut sets = Sets::new(subdivision.cell_count());
    by_width(subdivision).into_iter().find(|portal| {
        sets.join(portal.cells[0].0, portal.cells[1].0);
        sets.first(from.0) == sets.first(to.0)
    })
}

/// All portals, the widest first, ties by id.
pub fn by_width(subdivision: &Subdivision) -> Vec<Portal> {
    let mut portals = subdivision.portals().to_vec();
    portals.sort_by(|a, b| b.length().total_cmp(&a.length()));
    portals
}

fn doubled_area(outline: &[DVec2]) -> f64 {
    let first = outline[0];
    outline.windows(2).map(|edge| (edge[0] - first).perp_dot(edge[1] - first)).sum()
}

/// Sets of cells that grow together.
pub struct Sets(Vec<u32>);

impl Sets {
    /// Each cell by itself.
    pub fn new(cells: u32) -> Sets {
        Sets((0..cells).collect())
    }

    /// The cell that stands for the set a cell is in.
    pub fn first(&mut self, cell: u32) -> u32 {
        let mut at = cell;
        while self.0[at as usize] != at {
            // Every second step is saved for the next who come this way.
            self.0[at as usize] = self.0[self.0[at as usize] as usize];
            at = self.0[at as usize];
        }
        at
    }

    /// Makes two sets one. The lower of the two cells that stood for them stands for both.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
