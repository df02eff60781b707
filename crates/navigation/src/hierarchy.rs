//! Everything that queries for people of one width need: graph of cells, abstraction tree, abstract roadmap.

use std::collections::BTreeSet;

use passerby_geometry::Vec2;

use crate::abstraction::{Abstraction, Pairing};
use crate::landmarks::{Landmarks, MARKS};
use crate::regrowing::Grown;
use crate::repair::Change;
use crate::roadmap::{Place, Roadmap};
use crate::subdivision::{CellId, PortalId, Subdivision, passes};
use crate::topology::Topology;

/// How many cells may come by repairs before the tree has to be built anew: so many, and this part of those that are there.
const ROOM_LEAST: u32 = 256;
const ROOM_SHARE: u32 = 4;

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
        let cells = subdivision.cell_count();
        // Cells that obstacles leave of others need numbers below those of abstract cells.
        let room = ROOM_LEAST + cells / ROOM_SHARE;
        let tree = Abstraction::build_with_room(cells, room, topology.ends(), pairing);
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
        self.set_open_and_turn(subdivision, portals, open, &[]);
    }

    /// Likewise where cells have turns of other widths since.
    pub(crate) fn set_open_and_turn(
        &mut self,
        subdivision: &Subdivision,
        portals: &[PortalId],
        open: bool,
        turned: &[u32],
    ) {
        let Hierarchy { topology, tree, roadmap, closed, narrow, .. } = self;
        for &cell in turned {
            narrow[cell as usize] = has_narrow_turn(subdivision, CellId(cell), topology.width());
        }
        let mut cells = turned.to_vec();
        for portal in portals {
            let Some(edge) = topology.edge(*portal) else { continue };
            if std::mem::replace(&mut closed[edge as usize], !open) == open {
                cells.extend(topology.ends()[edge as usize]);
            }
        }
        cells.sort_unstable();
        cells.dedup();
        roadmap.repair(subdivision, topology, tree, closed, &cells);
    }

    /// Whether there are numbers for so many cells.
    pub(crate) fn has_room_for(&self, cells: u32) -> bool {
        cells <= self.tree.cell_count()
    }

    /// Takes up that cells were replaced by others for an obstacle.
    pub(crate) fn put(&mut self, subdivision: &Subdivision, change: &Change) -> Grown {
        self.change_edges(subdivision, change);
        let mut places = BTreeSet::new();
        let grown = self.tree.graft(&self.topology, &change.gone_cells, &change.new_cells, &mut places);
        self.work_out(subdivision, change, &places);
        grown
    }

    /// Takes up that they were given back.
    pub(crate) fn take(&mut self, subdivision: &Subdivision, change: &Change, grown: &Grown) {
        self.change_edges(subdivision, change);
        let mut places = BTreeSet::new();
        self.tree.prune(grown, &change.gone_cells, &change.new_cells, &mut places);
        self.work_out(subdivision, change, &places);
    }

    /// Edges and the gates of cells as they are now.
    fn change_edges(&mut self, subdivision: &Subdivision, change: &Change) {
        let Hierarchy { topology, tree, middles, narrow, closed: closed_edges, .. } = self;
        change.gone_portals.iter().for_each(|&portal| topology.remove(PortalId(portal)));
        change.border.iter().for_each(|&portal| topology.lead_elsewhere(subdivision, PortalId(portal)));
        for portal in change.new_portals.iter().map(|&portal| PortalId(portal)) {
            let Some(edge) = topology.add(subdivision, portal).map(|edge| edge as usize) else { continue };
            if edge == middles.len() {
                (middles.push(Vec2::ZERO), closed_edges.push(false));
            }
            middles[edge] = subdivision.portal(portal).middle().as_vec2();
            closed_edges[edge] = subdivision.is_closed(portal);
        }
        for &cell in &change.new_cells {
            let mut gates = Vec::new();
            for portal in subdivision.portals_of(CellId(cell)) {
                if let Some(edge) = topology.edge(*portal) {
                    let side = u32::from(topology.ends()[edge as usize][0] != cell);
                    gates.push(2 * edge + side);
                }
            }
            tree.gates.set(cell as usize, &gates);
        }
        let count = narrow.len().max(subdivision.cell_count() as usize);
        narrow.resize(count, false);
        for &cell in change.new_cells.iter().chain(&change.turned) {
            narrow[cell as usize] = has_narrow_turn(subdivision, CellId(cell), topology.width());
        }
    }

    fn work_out(&mut self, subdivision: &Subdivision, change: &Change, places: &BTreeSet<u32>) {
        let cells: Vec<u32> = change.new_cells.iter().chain(&change.turned).copied().collect();
        let places: Vec<u32> = places.iter().copied().collect();
        let Hierarchy { topology, tree, roadmap, middles, landmarks, closed, .. } = self;
        // Other cells have other middles of portals: what landmarks said of the old ones need not hold.
        landmarks.forget(middles.len());
        roadmap.bounds.forget_landmarks();
        let place = Place { subdivision, topology, middles, landmarks, closed };
        roadmap.rebuild(&place, tree, (&cells, &places));
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
