//! The abstract roadmap: for every cell and abstract cell how far it is from each way in to each way out, staying inside.
//!
//! A cell's paths are straight, from the middle of one portal to the middle of another. Those of a merged cell go through its
//! children, from one shared portal to the next; they are shortest when each shared portal has been tried once between all
//! others (Floyd, restricted to these). What is crossed is stored as the next portal to go to, from which the path of a child
//! can be looked up in turn.
//!
//! A shared portal is two places here, one for each direction: whoever has arrived at it goes on beyond it. Turning round
//! on it could lead past a wall behind it that leaves no room for the disc.
//!
//! What a query reads of a merged cell is stored for its shared portals too: from each of them to every gate and to every
//! other. A climb then takes one step per node, however often the path goes to and fro between the children.
//!
//! Tables of siblings lie side by side, parents before children: a query climbs the tree from two of its cells.

use std::collections::BTreeSet;

use passerby_geometry::Vec2;

use crate::abstraction::{Abstraction, NodeId};
use crate::bounds::Bounds;
use crate::landmarks::Landmarks;
use crate::subdivision::{CellId, Subdivision, passes};
use crate::table::{Block, Inside, Table, WIDE, arrival};
use crate::topology::Topology;

/// All stored paths.
#[derive(Debug, Clone, Default)]
pub(crate) struct Roadmap {
    /// For each node the square of its gates: m, or infinity.
    costs: Vec<f32>,
    /// For each merged node, from each shared place to each place: m, or infinity.
    through: Vec<Block>,
    /// For each merged node, from each place to each place, the place to go to next.
    hops: Vec<u16>,
    /// The places of each merged node: its gates, then the shared portals, each in both directions.
    places: Vec<Inside>,
    /// For each gate of each node what it is in the parent: the same gate, or the place from which one goes on beyond it.
    ups: Vec<u16>,
    /// The same gates as the tree has them.
    gates: Vec<u32>,
    pub bounds: Bounds,
    /// For each node its slot: what is near in the tree is near in memory. Parents have lower slots than their children.
    pub slots: Vec<u32>,
    /// For each slot what is stored of its node.
    pub heads: Vec<Head>,
}

/// Where the paths of a node are: one read instead of seven.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Head {
    pub gates: u32,
    /// Gates and shared places.
    pub places: u32,
    /// The slot of the parent, or `u32::MAX`.
    pub parent: u32,
    costs: u32,
    through: u32,
    ups: u32,
    /// Its number among large nodes.
    pub bound: u32,
    hops: u32,
    inside: u32,
}

/// One step of a path across a node.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Across {
    /// A cell is left by this gate.
    Cell(u32),
    /// A child is crossed from one of its gates to another, which leads to a place of the node.
    Child { hop: u16, child: u32, gates: [u16; 2] },
}

impl Head {
    /// How many blocks a row has.
    pub fn width(&self) -> usize {
        (self.places as usize).div_ceil(WIDE)
    }

    /// The same shared portal in the other direction.
    pub fn turned(&self, place: u32) -> u32 {
        arrival(place as usize, self.gates as usize) as u32
    }
}

impl Roadmap {
    pub fn new(
        subdivision: &Subdivision,
        topology: &Topology,
        tree: &Abstraction,
        middles: &[Vec2],
        landmarks: &Landmarks,
    ) -> Roadmap {
        let count = tree.node_count() as usize;
        let mut roadmap = Roadmap { slots: vec![0; count], heads: vec![Head::default(); count], ..Roadmap::default() };
        for (slot, node) in roadmap.reserve(tree).into_iter().enumerate() {
            roadmap.heads[slot].bound = roadmap.bounds.push(tree, middles, landmarks, node);
            roadmap.gates.extend(tree.gates_of(node));
        }
        let open = vec![false; topology.portals().len()];
        for cell in 0..tree.cell_count() {
            roadmap.write_cell(subdivision, topology, tree, &open, cell);
        }
        let mut inside = vec![Inside::default(); 2 * open.len()];
        let mut table = Table::default();
        for node in tree.cell_count()..tree.node_count() {
            roadmap.write_places(tree, node, &mut inside);
            roadmap.write_paths(node, &mut table);
        }
        roadmap
    }

    /// Writes the paths of some cells anew, and of everything that they are part of. `closed` says for each edge whether
    /// nobody can use it.
    pub fn repair(
        &mut self,
        subdivision: &Subdivision,
        topology: &Topology,
        tree: &Abstraction,
        closed: &[bool],
        cells: &[u32],
    ) {
        // Children come before their parents, and what costs the same as before changes nothing further up.
        let parent = |node: u32| tree.parent(NodeId(node)).map(|node| node.0);
        let mut nodes: BTreeSet<u32> = BTreeSet::new();
        for &cell in cells {
            self.write_cell(subdivision, topology, tree, closed, cell);
            nodes.extend(parent(cell));
        }
        let mut table = Table::default();
        while let Some(node) = nodes.pop_first() {
            if self.write_paths(node, &mut table) {
                nodes.extend(parent(node));
            }
        }
    }

    /// Gives every table its place: those of a node's children side by side. Gives the nodes in that order.
    fn reserve(&mut self, tree: &Abstraction) -> Vec<u32> {
        let mut open: Vec<u32> = tree.roots().map(|root| root.0).collect();
        let mut order = open.clone();
        while let Some(node) = open.pop() {
            order.extend(tree.children_of(node));
            open.extend(tree.children_of(node));
        }
        let mut next = Head::default();
        for (slot, &node) in order.iter().enumerate() {
            let gates = tree.gates_of(node).len() as u32;
            let inner: usize = tree.children_of(node).iter().map(|&child| tree.gates_of(child).len()).sum();
            let parent = tree.parent(NodeId(node)).map_or(u32::MAX, |parent| self.slots[parent.0 as usize]);
            let head = Head { gates, places: gates.max(inner as u32), parent, ..next };
            (self.slots[node as usize], self.heads[slot]) = (slot as u32, head);
            (next.costs, next.ups) = (next.costs + gates * gates, next.ups + gates);
            if inner > 0 {
                (next.hops, next.inside) = (next.hops + head.places * head.places, next.inside + head.places);
                next.through += (head.places - gates) * head.width() as u32;
            }
        }
        self.costs = vec![f32::INFINITY; next.costs as usize];
        self.through = vec![[f32::INFINITY; WIDE]; next.through as usize];
        (self.hops, self.places) = (vec![0; next.hops as usize], vec![Inside::default(); next.inside as usize]);
        self.ups = vec![0; next.ups as usize];
        order
    }

    fn write_cell(
        &mut self,
        subdivision: &Subdivision,
        topology: &Topology,
        tree: &Abstraction,
        closed: &[bool],
        cell: u32,
    ) {
        let (gates, start) = (tree.gates_of(cell), self.head(cell).costs as usize);
        let (portals, widths) = (subdivision.portals_of(CellId(cell)), subdivision.turn_widths(CellId(cell)));
        let index = |gate: u32| portals.iter().position(|p| *p == topology.portals()[(gate / 2) as usize]);
        for (i, &from) in gates.iter().enumerate() {
            for (j, &to) in gates.iter().enumerate().filter(|&(j, _)| j != i) {
                let free = !closed[(from / 2) as usize] && !closed[(to / 2) as usize];
                let mut cost = f32::INFINITY;
                if let (Some(a), Some(b)) = (index(from), index(to))
                    && free
                    && passes(topology.width(), widths[a * portals.len() + b])
                {
                    let [from, to] = [a, b].map(|i| subdivision.portal(portals[i]).middle());
                    cost = from.distance(to) as f32;
                }
                self.costs[start + i * gates.len() + j] = cost;
            }
        }
    }

    /// Finds the places of a merged node, and what the gates of its children are in it.
    fn write_places(&mut self, tree: &Abstraction, node: u32, inside: &mut [Inside]) {
        let gates = tree.gates_of(node);
        let mut shared: Vec<u32> = Vec::new();
        for &child in tree.children_of(node) {
            let slot = self.slots[child as usize];
            for (index, &gate) in tree.gates_of(child).iter().enumerate() {
                inside[gate as usize] = Inside { child: slot, index: index as u16 };
                shared.push(gate);
            }
        }
        // Both sides of a shared edge are among them, of the others only one.
        shared.sort_unstable();
        let pairs = shared.windows(2).filter(|pair| pair[0] ^ 1 == pair[1] && pair[0] % 2 == 0);
        let head = self.head(node);
        for (place, &gate) in gates.iter().chain(pairs.flatten()).enumerate() {
            let Inside { child, index } = inside[gate as usize];
            self.places[head.inside as usize + place] = Inside { child, index };
            let up = self.heads[child as usize].ups as usize + usize::from(index);
            self.ups[up] = head.turned(place as u32) as u16;
        }
    }

    /// Works out the paths of a merged node from those of its children; whether their costs have changed.
    fn write_paths(&mut self, node: u32, table: &mut Table) -> bool {
        let mut changed = false;
        let head = self.head(node);
        let (columns, rows) = (head.gates as usize, head.places as usize);
        let (places, start) = (&self.places[head.inside as usize..][..rows], head.costs as usize);
        table.fill(places, columns, |from, to| {
            let Head { costs, gates, .. } = self.heads[from.child as usize];
            self.costs[costs as usize + usize::from(from.index) * gates as usize + usize::from(to.index)]
        });
        let width = head.width();
        for row in 0..rows {
            let (costs, hops) = (&table.costs[row * width..][..width], &table.hops[row * width..][..width]);
            let old = &mut self.hops[head.hops as usize + row * rows..][..rows];
            old.iter_mut().zip(hops.as_flattened()).for_each(|(old, new)| *old = *new as u16);
            if row < columns {
                let (old, new) =
                    (&mut self.costs[start + row * columns..][..columns], &costs.as_flattened()[..columns]);
                changed |= old != new;
                old.copy_from_slice(new);
            } else {
                self.through[head.through as usize + (row - columns) * width..][..width].copy_from_slice(costs);
            }
        }
        changed
    }

    fn head(&self, node: u32) -> Head {
        self.heads[self.slots[node as usize] as usize]
    }

    /// From a shared place of a merged node to all of its places, eight at a time: m, or infinity.
    pub fn row(&self, head: &Head, place: u32) -> &[Block] {
        &self.through[head.through as usize + (place - head.gates) as usize * head.width()..][..head.width()]
    }

    /// For each gate of a node what it is in the parent.
    pub fn ups(&self, head: &Head) -> &[u16] {
        &self.ups[head.ups as usize..][..head.gates as usize]
    }

    /// The gates of the node in a slot.
    pub fn gates(&self, head: &Head) -> &[u32] {
        &self.gates[head.ups as usize..][..head.gates as usize]
    }

    /// One step of the path across the node in a slot from one place to another: the gate by which a cell is left, or the
    /// place it leads to, the slot of the child it crosses, and that child's gates.
    pub fn step(&self, slot: u32, place: u16, goal: u16) -> Across {
        let Head { hops, inside, places, gates, ups, .. } = self.heads[slot as usize];
        if places == gates {
            return Across::Cell(self.gates[ups as usize + usize::from(goal)]);
        }
        let hop = self.hops[hops as usize + usize::from(place) * places as usize + usize::from(goal)];
        let from = self.places[inside as usize + usize::from(place)];
        let to = self.places[inside as usize + arrival(usize::from(hop), gates as usize)];
        Across::Child { hop, child: from.child, gates: [from.index, to.index] }
    }

    /// Number of paths that are stored: those of every node from each gate to each other.
    pub fn path_count(&self) -> usize {
        self.costs.iter().filter(|cost| cost.is_finite()).count()
    }

    pub fn bytes(&self) -> usize {
        let Roadmap { costs, through, hops, places, ups, gates, bounds, slots, heads } = self;
        let starts = size_of_val(&slots[..]) + size_of_val(&heads[..]) + size_of_val(&gates[..]);
        let paths = size_of_val(&costs[..]) + size_of_val(&through[..]) + size_of_val(&hops[..]);
        paths + size_of_val(&places[..]) + size_of_val(&ups[..]) + bounds.bytes() + starts
    }
}
