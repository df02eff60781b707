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

use std::cmp::Reverse;
use std::collections::BTreeMap;

use passerby_geometry::Vec2;

use crate::abstraction::{Abstraction, NodeId};
use crate::bounds::Bounds;
use crate::landmarks::Landmarks;
use crate::subdivision::{CellId, Subdivision, passes};
use crate::table::{Block, Inside, Table, WIDE, arrival};
use crate::topology::Topology;

/// The slot of what has none.
const NONE: u32 = u32::MAX;

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
    /// For each slot how much its parts of the memory can take: costs, blocks, hops, places, gates.
    rooms: Vec<[u32; 5]>,
}

/// What repairs need to know of a place besides the tree.
pub(crate) struct Place<'a> {
    pub subdivision: &'a Subdivision,
    pub topology: &'a Topology,
    pub middles: &'a [Vec2],
    pub landmarks: &'a Landmarks,
    /// For each edge whether nobody can use it.
    pub closed: &'a [bool],
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
    /// Whether it is a cell.
    leaf: bool,
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
        let mut roadmap = Roadmap { slots: vec![NONE; count], ..Roadmap::default() };
        let order = roadmap.reserve(tree);
        for (slot, &node) in order.iter().enumerate() {
            roadmap.heads[slot].bound = roadmap.bounds.push(tree, middles, landmarks, node);
            roadmap.gates.extend(tree.gates_of(node));
        }
        let open = vec![false; topology.portals().len()];
        for cell in (0..tree.cell_count()).filter(|&cell| tree.there[cell as usize]) {
            roadmap.write_cell(subdivision, topology, tree, &open, cell);
        }
        let mut inside = vec![Inside::default(); 2 * open.len()];
        let mut table = Table::default();
        for &node in order.iter().rev().filter(|&&node| node >= tree.cell_count()) {
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
        // Deepest first, and what costs the same as before changes nothing further up.
        let mut nodes = Upward::default();
        for &cell in cells {
            self.write_cell(subdivision, topology, tree, closed, cell);
            nodes.add_parent(tree, cell, Renewal::Costs);
        }
        let mut table = Table::default();
        while let Some((node, _)) = nodes.pop() {
            if self.write_paths(node, &mut table) {
                nodes.add_parent(tree, node, Renewal::Costs);
            }
        }
    }

    /// Likewise where the tree has changed too: `places` are nodes with other children or gates than before.
    pub fn rebuild(&mut self, place: &Place<'_>, tree: &mut Abstraction, (cells, places): (&[u32], &[u32])) {
        if !self.number(tree, cells, places) {
            let mut nodes = Upward::default();
            places.iter().for_each(|&node| nodes.add(tree, node, Renewal::Places));
            while let Some((node, _)) = nodes.pop() {
                if tree.renew_gates(node) {
                    nodes.add_parent(tree, node, Renewal::Places);
                }
            }
            *self = Roadmap::new(place.subdivision, place.topology, tree, place.middles, place.landmarks);
            let all: Vec<u32> = (0..tree.cell_count()).filter(|&cell| tree.there[cell as usize]).collect();
            return self.repair(place.subdivision, place.topology, tree, place.closed, &all);
        }
        let mut nodes = Upward::default();
        for &cell in cells {
            self.fit(place, tree, cell);
            self.write_cell(place.subdivision, place.topology, tree, place.closed, cell);
            nodes.add_parent(tree, cell, Renewal::Costs);
        }
        places.iter().for_each(|&node| nodes.add(tree, node, Renewal::Places));
        let (mut inside, mut table) = (vec![Inside::default(); 2 * place.closed.len()], Table::default());
        while let Some((node, renewal)) = nodes.pop() {
            let mut other_gates = false;
            if renewal == Renewal::Places {
                other_gates = tree.renew_gates(node);
                self.fit(place, tree, node);
                self.write_places(tree, node, &mut inside);
            }
            let changed = self.write_paths(node, &mut table);
            if changed || other_gates {
                nodes.add_parent(tree, node, if other_gates { Renewal::Places } else { Renewal::Costs });
            }
        }
    }

    /// Gives slots to what is new, parents before children; whether that could be done.
    fn number(&mut self, tree: &Abstraction, cells: &[u32], places: &[u32]) -> bool {
        self.slots.resize(tree.node_count() as usize, NONE);
        let mut changed: Vec<(u32, u32)> =
            cells.iter().chain(places).map(|&node| (tree.depth(NodeId(node)), node)).collect();
        changed.sort_unstable();
        changed.dedup();
        for &(_, node) in &changed {
            let parent = tree.parent(NodeId(node)).map_or(NONE, |parent| self.slots[parent.0 as usize]);
            let slot = self.slots[node as usize];
            if slot == NONE || (parent != NONE && slot < parent) {
                self.slots[node as usize] = self.heads.len() as u32;
                (self.heads.push(Head { bound: NONE, ..Head::default() }), self.rooms.push([0; 5]));
            }
            self.heads[self.slots[node as usize] as usize].parent = parent;
        }
        // A new node over old ones has a higher slot than these.
        let slot = |node: u32| self.slots[node as usize];
        places.iter().all(|&node| tree.children_of(node).iter().all(|&child| slot(child) > slot(node)))
    }

    /// Makes room for what is stored of a node with the gates and children it has now.
    fn fit(&mut self, place: &Place<'_>, tree: &Abstraction, node: u32) {
        let gates = tree.gates_of(node);
        let inner: usize = tree.children_of(node).iter().map(|&child| tree.gates_of(child).len()).sum();
        let slot = self.slots[node as usize] as usize;
        let mut head = self.heads[slot];
        head.leaf = tree.children_of(node).is_empty();
        (head.gates, head.places) = (gates.len() as u32, gates.len().max(inner) as u32);
        let room = &mut self.rooms[slot];
        let mut more = |part: usize, needed: u32, start: &mut u32, end: usize| {
            let grows = needed > room[part];
            if grows {
                room[part] = needed.max(2 * room[part]);
                *start = end as u32;
            }
            if grows { end + room[part] as usize } else { end }
        };
        let merged = u32::from(!head.leaf);
        let blocks = merged * (head.places - head.gates) * head.width() as u32;
        let size = more(0, head.gates * head.gates, &mut head.costs, self.costs.len());
        self.costs.resize(size, f32::INFINITY);
        let size = more(1, blocks, &mut head.through, self.through.len());
        self.through.resize(size, [f32::INFINITY; WIDE]);
        let size = more(2, merged * head.places * head.places, &mut head.hops, self.hops.len());
        self.hops.resize(size, 0);
        let size = more(3, merged * head.places, &mut head.inside, self.places.len());
        self.places.resize(size, Inside::default());
        let size = more(4, head.gates, &mut head.ups, self.ups.len());
        (self.ups.resize(size, 0), self.gates.resize(size, 0));
        let held = &mut self.gates[head.ups as usize..][..gates.len()];
        if held != gates {
            held.copy_from_slice(gates);
            head.bound = self.bounds.push(tree, place.middles, place.landmarks, node);
        }
        self.heads[slot] = head;
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
            let parent = tree.parent(NodeId(node)).map_or(NONE, |parent| self.slots[parent.0 as usize]);
            let leaf = tree.children_of(node).is_empty();
            let head = Head { gates, places: gates.max(inner as u32), parent, leaf, ..next };
            self.slots[node as usize] = slot as u32;
            let places = if leaf { 0 } else { head.places };
            let blocks = if leaf { 0 } else { (places - gates) * head.width() as u32 };
            (self.heads.push(head), self.rooms.push([gates * gates, blocks, places * places, places, gates]));
            (next.costs, next.ups) = (next.costs + gates * gates, next.ups + gates);
            (next.hops, next.inside) = (next.hops + places * places, next.inside + places);
            next.through += blocks;
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
        self.costs[start..start + gates.len() * gates.len()].fill(f32::INFINITY);
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
        let Head { hops, inside, places, gates, ups, leaf, .. } = self.heads[slot as usize];
        if leaf {
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
        let Roadmap { costs, through, hops, places, ups, gates, bounds, slots, heads, rooms } = self;
        let starts =
            size_of_val(&slots[..]) + size_of_val(&heads[..]) + size_of_val(&rooms[..]) + size_of_val(&gates[..]);
        let paths = size_of_val(&costs[..]) + size_of_val(&through[..]) + size_of_val(&hops[..]);
        paths + size_of_val(&places[..]) + size_of_val(&ups[..]) + bounds.bytes() + starts
    }
}

/// What has to be done to a node: its costs worked out, or before that its gates and places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Renewal {
    Costs,
    Places,
}

/// Nodes that wait, children before their parents.
#[derive(Default)]
struct Upward {
    nodes: BTreeMap<(Reverse<u32>, u32), Renewal>,
}

impl Upward {
    fn add(&mut self, tree: &Abstraction, node: u32, renewal: Renewal) {
        let place = self.nodes.entry((Reverse(tree.depth(NodeId(node))), node)).or_insert(renewal);
        *place = renewal.max(*place);
    }

    fn add_parent(&mut self, tree: &Abstraction, node: u32, renewal: Renewal) {
        if let Some(parent) = tree.parent(NodeId(node)) {
            self.add(tree, parent.0, renewal);
        }
    }

    fn pop(&mut self) -> Option<(u32, Renewal)> {
        self.nodes.pop_first().map(|((_, node), renewal)| (node, renewal))
    }
}
