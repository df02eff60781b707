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
}

impl Topology {
    /// The graph for discs of a width, m.
    pub fn new(subdivision: &Subdivision, width: f64) -> Topology {
        let mut of = Topology { width, arities: vec![0; subdivision.cell_count() as usize], ..Topology::default() };
        for (number, portal) in subdivision.portals().iter().enumerate() {
            if passes(width, portal.length()) && portal.cells[0] != portal.cells[1] {
                of.portals.push(PortalId(number as u32));
                of.ends.push(portal.cells.map(|c| c.0));
                portal.cells.iter().for_each(|c| of.arities[c.0 as usize] += 1);
            }
        }
        of
    }

    /// Diameter of the discs this is for, m.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The portals that are wide enough, which are the edges.
    pub fn portals(&self) -> &[PortalId] {
        &self.portals
    }

    /// The cells that each edge joins.
    pub fn ends(&self) -> &[[u32; 2]] {
        &self.ends
    }

    /// Ways out of a cell: 0 closed, 1 a dead end, 2 a passage, more a crossroads.
    pub fn arity(&self, cell: CellId) -> u32 {
        self.arities[cell.0 as usize]
    }
}
