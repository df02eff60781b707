//! Everything that queries for people of one width need: graph of cells, abstraction tree, abstract roadmap.

use passerby_geometry::Vec2;

use crate::abstraction::{Abstraction, Pairing};
use crate::landmarks::{Landmarks, MARKS};
use crate::roadmap::Roadmap;
use crate::subdivision::{CellId, PortalId, Subdivision, passes};
use crate::topology::Topology;

/// Cells, trees and stored paths for discs of one width. [`Routing::find`](crate::Routing::find) asks it.
#[derive(Debug, Clone, Default)]
pub struct Hierarchy {
    pub(crate) topology: Topology,
    pub(crate) tree: Abstraction,
    pub(crate) roadmap: Roadmap,
    /// The middle of each edge.
    pub(crate) middles: Vec<Vec2>,
    pub(crate) landmarks: Landmarks,
    /// Whether a cell has a turn that is too narrow although its portals are wide enough.
    pub(crate) narrow: Vec<bool>,
    /// Whether each edge is closed for the time being.
    pub(crate) closed: Vec<bool>,
}

/// A portal on a route, and the cell it leads into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// Through what.
    pub portal: PortalId,
    /// Where to.
    pub into: CellId,
}

impl Hierarchy {
    /// Builds all of it for discs of a width, m.
    pub fn build(subdivision: &Subdivision, width: f64) -> Hierarchy {
        Hierarchy::build_by(subdivision, width, Pairing::default())
    }

    /// As [`Hierarchy::build`], with crossroads paired in one way or the other.
    pub fn build_by(subdivision: &Subdivision, width: f64, pairing: Pairing) -> Hierarchy {
        let topology = Topology::new(subdivision, width);
        let tree = Abstraction::build(subdivision.cell_count(), topology.ends(), pairing);
        let middles: Vec<Vec2> = topology.portals().iter().map(|&p| subdivision.portal(p).middle().as_vec2()).collect();
        let landmarks = Landmarks::new(&tree, topology.ends(), &middles);
        let roadmap = Roadmap::new(subdivision, &topology, &tree, &middles, &landmarks);
        let narrow = (0..subdivision.cell_count()).map(|c| has_narrow_turn(subdivision, CellId(c), width)).collect();
        let closed = vec![false; topology.portals().len()];
        Hierarchy { topology, tree, roadmap, middles, landmarks, narrow, closed }
    }

    /// Closes portals, or opens them again. Only what they are part of is worked out anew; the tree stays as it is.
    ///
    /// Portals that are too narrow for this width stay what they are.
    pub fn set_open(&mut self, subdivision: &Subdivision, portals: &[PortalId], open: bool) {
        let Hierarchy { topology, tree, roadmap, closed, .. } = self;
        let mut cells = Vec::new();
        for portal in portals {
            // Edges are in the order of their portals.
            let Ok(edge) = topology.portals().binary_search(portal) else { continue };
            if std::mem::replace(&mut closed[edge], !open) == open {
                cells.extend(topology.ends()[edge]);
            }
        }
        cells.sort_unstable();
        cells.dedup();
        roadmap.repair(subdivision, topology, tree, closed, &cells);
    }

    /// The graph of cells.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The abstraction tree.
    pub fn tree(&self) -> &Abstraction {
        &self.tree
    }

    /// Number of stored paths, both directions.
    pub fn path_count(&self) -> usize {
        self.roadmap.path_count()
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        let edges = self.topology.portals().len();
        (21 + 4 * MARKS) * edges + 5 * self.narrow.len() + self.tree.bytes() + self.roadmap.bytes()
    }
}

fn has_narrow_turn(subdivision: &Subdivision, cell: CellId, width: f64) -> bool {
    let (portals, widths) = (subdivision.portals_of(cell), subdivision.turn_widths(cell));
    let wide = |i: usize| passes(width, subdivision.portal(portals[i]).length());
    (0..portals.len()).any(|i| {
        (0..portals.len()).any(|j| i != j && wide(i) && wide(j) && !passes(width, widths[i * portals.len() + j]))
    })
}
