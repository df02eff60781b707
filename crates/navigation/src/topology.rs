//! Which cells somebody of one width can go between.

use crate::subdivision::{CellId, PortalId, Subdivision, passes};

/// The portals that are wide enough, as edges of a graph of cells.
#[derive(Debug, Clone, Default)]
pub struct Topology {
    width: f64,
    /// The portal of each edge.
    portals: Vec<PortalId>,
    /// The cells of each edge.
    ends: Vec<[u32; 2]>,
    arities: Vec<u32>,
    /// The edge of each portal that is one.
    edge_of: Vec<Option<u32>>,
    /// Numbers of edges that are free again.
    unused: Vec<u32>,
}

impl Topology {
    /// The graph for discs of a width, m.
    pub fn new(subdivision: &Subdivision, width: f64) -> Topology {
        let mut of = Topology { width, ..Topology::default() };
        for number in 0..subdivision.portals().len() as u32 {
            of.add(subdivision, PortalId(number));
        }
        of.arities.resize(subdivision.cell_count() as usize, 0);
        of
    }

    /// Makes an edge of a portal, if it is wide enough, and gives its number.
    pub(crate) fn add(&mut self, subdivision: &Subdivision, portal: PortalId) -> Option<u32> {
        let it = subdivision.portal(portal);
        if !passes(self.width, it.length()) || it.cells[0] == it.cells[1] {
            return None;
        }
        let edge = self.unused.pop().unwrap_or(self.portals.len() as u32);
        let (number, ends) = (edge as usize, it.cells.map(|c| c.0));
        if number == self.portals.len() {
            (self.portals.push(portal), self.ends.push(ends));
        }
        (self.portals[number], self.ends[number]) = (portal, ends);
        let count = self.edge_of.len().max(portal.0 as usize + 1);
        self.edge_of.resize(count, None);
        self.edge_of[portal.0 as usize] = Some(edge);
        for cell in ends {
            let count = self.arities.len().max(cell as usize + 1);
            self.arities.resize(count, 0);
            self.arities[cell as usize] += 1;
        }
        Some(edge)
    }

    /// Forgets the edge of a portal.
    pub(crate) fn remove(&mut self, portal: PortalId) {
        let Some(edge) = self.edge_of.get_mut(portal.0 as usize).and_then(Option::take) else { return };
        self.unused.push(edge);
        self.ends[edge as usize].iter().for_each(|&cell| self.arities[cell as usize] -= 1);
    }

    /// Notes that a portal leads to other cells than before.
    pub(crate) fn lead_elsewhere(&mut self, subdivision: &Subdivision, portal: PortalId) {
        let Some(edge) = self.edge(portal) else { return };
        self.ends[edge as usize].iter().for_each(|&cell| self.arities[cell as usize] -= 1);
        self.ends[edge as usize] = subdivision.portal(portal).cells.map(|c| c.0);
        for &cell in &self.ends[edge as usize] {
            let count = self.arities.len().max(cell as usize + 1);
            self.arities.resize(count, 0);
            self.arities[cell as usize] += 1;
        }
    }

    /// The edge of a portal, if it is one.
    pub(crate) fn edge(&self, portal: PortalId) -> Option<u32> {
        self.edge_of.get(portal.0 as usize).copied().flatten()
    }

    /// Diameter of the discs this is for, m.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The portals that are wide enough, which are the edges; after a repair some that are gone too.
    pub fn portals(&self) -> &[PortalId] {
        &self.portals
    }

    /// The cells that each edge joins.
    pub fn ends(&self) -> &[[u32; 2]] {
        &self.ends
    }

    /// Ways out of a cell: 0 closed, 1 a dead end, 2 a passage, more a crossroads.
    pub fn arity(&self, cell: CellId) -> u32 {
        self.arities.get(cell.0 as usize).copied().unwrap_or(0)
    }
}
