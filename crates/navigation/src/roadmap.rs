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
//! Tables of siblings lie side by side, parents before children: a query opens the tree from its root.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::abstraction::{Abstraction, NodeId};
use crate::subdivision::{CellId, Subdivision, passes};
use crate::topology::Topology;

/// Where a place of a merged cell is in one of its children.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Inside {
    pub child: u32,
    pub index: u16,
}

/// All stored paths.
#[derive(Debug, Clone, Default)]
pub(crate) struct Roadmap {
    /// For each node the square of its gates: m, or infinity.
    pub costs: Vec<f32>,
    pub cost_starts: Vec<u32>,
    /// For each merged node, from each place to each gate, the place to go to next.
    hops: Vec<u16>,
    /// The places of each merged node: its gates, then the shared portals, each in both directions.
    places: Vec<Inside>,
    heads: Vec<Head>,
    /// For each node how many costs, hops and places its part of the memory can take.
    rooms: Vec<[u32; 3]>,
}

/// Where the paths of a node are: one read instead of three.
#[derive(Debug, Clone, Copy, Default)]
struct Head {
    hops: u32,
    places: u32,
    gates: u32,
    rows: u32,
}

/// Memory for one table.
#[derive(Default)]
struct Table {
    costs: Vec<f32>,
    /// As wide as costs, so that both are treated alike.
    hops: Vec<u32>,
    /// One row of the costs.
    via: Vec<f32>,
}

impl Roadmap {
    pub fn new(subdivision: &Subdivision, topology: &Topology, tree: &Abstraction) -> Roadmap {
        let count = tree.node_count() as usize;
        let mut roadmap =
            Roadmap { cost_starts: vec![0; count], heads: vec![Head::default(); count], ..Roadmap::default() };
        roadmap.rooms = vec![[0; 3]; count];
        roadmap.reserve(tree);
        let open = vec![false; topology.portals().len()];
        for cell in (0..tree.cell_count()).filter(|&cell| tree.there[cell as usize]) {
            roadmap.write_cell(subdivision, topology, tree, &open, cell);
        }
        let mut inside = vec![Inside::default(); 2 * open.len()];
        let mut table = Table::default();
        for node in tree.cell_count()..tree.node_count() {
            roadmap.write_places(tree, node, &mut inside);
            roadmap.write_paths(tree, node, &mut table);
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
            if self.write_paths(tree, node, &mut table) {
                nodes.add_parent(tree, node, Renewal::Costs);
            }
        }
    }

    /// Likewise where the tree has changed too: `places` are nodes with other children or gates than before.
    pub fn rebuild(
        &mut self,
        subdivision: &Subdivision,
        topology: &Topology,
        tree: &mut Abstraction,
        closed: &[bool],
        (cells, places): (&[u32], &[u32]),
    ) {
        let count = tree.node_count() as usize;
        (self.cost_starts.resize(count, 0), self.heads.resize(count, Head::default()));
        self.rooms.resize(count, [0; 3]);
        let mut nodes = Upward::default();
        for &cell in cells {
            self.make_room(cell, tree.gates_of(cell).len());
            self.write_cell(subdivision, topology, tree, closed, cell);
            nodes.add_parent(tree, cell, Renewal::Costs);
        }
        places.iter().for_each(|&node| nodes.add(tree, node, Renewal::Places));
        let (mut inside, mut table) = (vec![Inside::default(); 2 * closed.len()], Table::default());
        while let Some((node, renewal)) = nodes.pop() {
            let mut other_gates = false;
            if renewal == Renewal::Places {
                other_gates = tree.renew_gates(node);
                self.make_room(node, tree.gates_of(node).len());
                self.write_places(tree, node, &mut inside);
            }
            let changed = self.write_paths(tree, node, &mut table);
            if changed || other_gates {
                nodes.add_parent(tree, node, if other_gates { Renewal::Places } else { Renewal::Costs });
            }
        }
    }

    /// Makes sure that the costs between so many gates have a place. What was there may be anything then.
    fn make_room(&mut self, node: u32, gates: usize) {
        let room = &mut self.rooms[node as usize][0];
        if (gates * gates) as u32 > *room {
            *room = ((gates * gates) as u32).max(2 * *room);
            self.cost_starts[node as usize] = self.costs.len() as u32;
            self.costs.resize(self.costs.len() + *room as usize, f32::INFINITY);
        }
    }

    /// Gives every table its place: those of a node's children side by side.
    fn reserve(&mut self, tree: &Abstraction) {
        let mut costs = 0;
        let mut place = |node: u32, starts: &mut Vec<u32>| {
            starts[node as usize] = costs;
            costs += (tree.gates_of(node).len() * tree.gates_of(node).len()) as u32;
        };
        let mut open: Vec<u32> = tree.roots().map(|root| root.0).collect();
        open.iter().for_each(|&root| place(root, &mut self.cost_starts));
        while let Some(node) = open.pop() {
            tree.children_of(node).iter().for_each(|&child| place(child, &mut self.cost_starts));
            open.extend(tree.children_of(node));
        }
        self.costs = vec![f32::INFINITY; costs as usize];
        for (node, room) in self.rooms.iter_mut().enumerate() {
            room[0] = (tree.gates_of(node as u32).len() * tree.gates_of(node as u32).len()) as u32;
        }
    }

    fn write_cell(
        &mut self,
        subdivision: &Subdivision,
        topology: &Topology,
        tree: &Abstraction,
        closed: &[bool],
        cell: u32,
    ) {
        let (gates, start) = (tree.gates_of(cell), self.cost_starts[cell as usize] as usize);
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

    /// Finds the places of a merged node, and makes room for its paths.
    fn write_places(&mut self, tree: &Abstraction, node: u32, inside: &mut [Inside]) {
        let gates = tree.gates_of(node);
        let mut shared: Vec<u32> = Vec::new();
        for &child in tree.children_of(node) {
            for (index, &gate) in tree.gates_of(child).iter().enumerate() {
                inside[gate as usize] = Inside { child, index: index as u16 };
                shared.push(gate);
            }
        }
        // Both sides of a shared edge are among them, of the others only one.
        shared.sort_unstable();
        let mut places: Vec<Inside> = gates.iter().map(|&gate| inside[gate as usize]).collect();
        for pair in shared.windows(2).filter(|pair| pair[0] ^ 1 == pair[1] && pair[0] % 2 == 0) {
            places.extend(pair.iter().map(|&gate| inside[gate as usize]));
        }
        let (rows, hops) = (places.len() as u32, places.len() * gates.len());
        let (head, room) = (&mut self.heads[node as usize], &mut self.rooms[node as usize]);
        (head.gates, head.rows) = (gates.len() as u32, rows);
        if hops as u32 > room[1] {
            room[1] = (hops as u32).max(2 * room[1]);
            head.hops = self.hops.len() as u32;
            self.hops.resize(self.hops.len() + room[1] as usize, 0);
        }
        if rows > room[2] {
            room[2] = rows.max(2 * room[2]);
            head.places = self.places.len() as u32;
            self.places.resize(self.places.len() + room[2] as usize, Inside::default());
        }
        self.places[head.places as usize..][..rows as usize].copy_from_slice(&places);
    }

    /// Works out the paths of a merged node from those of its children; whether their costs have changed.
    fn write_paths(&mut self, tree: &Abstraction, node: u32, table: &mut Table) -> bool {
        let mut changed = false;
        let Head { hops, places, gates, rows } = self.heads[node as usize];
        let (columns, rows) = (gates as usize, rows as usize);
        // Nobody crosses a root.
        if columns == 0 {
            return false;
        }
        let (places, start) = (&self.places[places as usize..][..rows], self.cost_starts[node as usize] as usize);
        table.fill(places, columns, |from, to| {
            let start = self.cost_starts[from.child as usize] as usize;
            self.costs[start + usize::from(from.index) * tree.gates_of(from.child).len() + usize::from(to.index)]
        });
        for row in 0..rows {
            let hops = &mut self.hops[hops as usize + row * columns..][..columns];
            hops.iter_mut().zip(&table.hops[row * rows..]).for_each(|(hop, new)| *hop = *new as u16);
            if row < columns {
                let new = &table.costs[row * rows..row * rows + columns];
                let old = &mut self.costs[start + row * columns..start + (row + 1) * columns];
                changed |= *old != *new;
                old.copy_from_slice(new);
            }
        }
        changed
    }

    /// One step of the path of a merged node from a place to one of its gates: the place it leads to, the child it crosses,
    /// and that child's gates.
    pub fn step(&self, node: u32, place: u16, gate: u16) -> (u16, u32, [u16; 2]) {
        let Head { hops, places, gates, .. } = self.heads[node as usize];
        let hop = self.hops[hops as usize + usize::from(place) * gates as usize + usize::from(gate)];
        let from = self.places[places as usize + usize::from(place)];
        let to = self.places[places as usize + arrival(usize::from(hop), gates as usize)];
        (hop, from.child, [from.index, to.index])
    }

    /// Number of paths that are stored: those of every node from each gate to each other.
    pub fn path_count(&self) -> usize {
        self.costs.iter().filter(|cost| cost.is_finite()).count()
    }

    pub fn bytes(&self) -> usize {
        let Roadmap { costs, cost_starts, hops, places, heads, rooms } = self;
        let starts = size_of_val(&cost_starts[..]) + size_of_val(&heads[..]) + size_of_val(&rooms[..]);
        size_of_val(&costs[..]) + size_of_val(&hops[..]) + size_of_val(&places[..]) + starts
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

/// The place at which one arrives at a place: a shared portal is left into one child and reached from the other.
fn arrival(place: usize, gates: usize) -> usize {
    if place < gates { place } else { gates + ((place - gates) ^ 1) }
}

impl Table {
    /// All shortest paths between places, `cost` being that of one child from one of its gates to another.
    fn fill(&mut self, places: &[Inside], gates: usize, cost: impl Fn(Inside, Inside) -> f32) {
        let count = places.len();
        self.costs.clear();
        self.hops.clear();
        for from in places {
            for y in 0..count {
                let to = places[arrival(y, gates)];
                let direct = from.child == to.child && from.index != to.index;
                self.costs.push(if direct { cost(*from, to) } else { f32::INFINITY });
                self.hops.push(y as u32);
            }
        }
        for by in gates..count {
            self.via.clear();
            self.via.extend_from_slice(&self.costs[by * count..(by + 1) * count]);
            for x in (0..count).filter(|&x| x != by) {
                let (first, hop) = (self.costs[x * count + by], self.hops[x * count + by]);
                if first == f32::INFINITY {
                    continue;
                }
                let (costs, hops) = (&mut self.costs[x * count..(x + 1) * count], &mut self.hops[x * count..]);
                // Without a branch several are done at a time.
                for ((cost, next), via) in costs.iter_mut().zip(hops).zip(&self.via) {
                    let through = first + via;
                    let better = through < *cost;
                    *cost = if better { through } else { *cost };
                    *next = if better { hop } else { *next };
                }
            }
        }
    }
}
