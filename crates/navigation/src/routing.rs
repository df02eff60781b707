//! Queries: the tree is opened from its root down to the two cells, and A* searches what has come to light.
//!
//! Lamarche and Donikian 2004, section 3.3. Of the tree only what holds the start or the goal is opened; all other nodes on
//! the way are crossed by their stored paths. The result is partly abstract: portals are looked up one by one, when
//! somebody wants them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use passerby_geometry::Vec2;

use crate::hierarchy::{Crossing, Hierarchy};
use crate::subdivision::{CellId, Spot, Subdivision, passes};

const NONE: u32 = u32::MAX;

/// A node that has come to light: nothing of it has to be opened.
#[derive(Debug, Clone, Copy)]
struct Lit {
    node: u32,
    /// Its ways in are the states from here on, in the order of its gates.
    states: u32,
    gates: u32,
    /// Where its stored paths begin.
    costs: u32,
}

/// A way into a node that has come to light, and the shortest path to it so far.
#[derive(Debug, Clone, Copy)]
struct State {
    cost: f32,
    /// The state from which the path has come.
    from: u32,
    /// Its node among those that have come to light, and the gate.
    lit: u32,
    gate: u32,
}

/// Part of a path: across a node from one of its places to one of its gates.
#[derive(Debug, Clone, Copy)]
struct Step {
    node: u32,
    place: u16,
    gate: u16,
}

/// The memory of queries, and the route that the last one has found. Keep one per thread: after the first few queries
/// nothing is allocated.
#[derive(Debug, Clone, Default)]
pub struct Routing {
    query: u32,
    lit: Vec<Lit>,
    states: Vec<State>,
    /// For each state the one that is entered by leaving its node there.
    beyond: Vec<u32>,
    /// For each gate its state, if it has come to light.
    of_gate: Vec<u32>,
    /// For each node the query that opened it, doubled, and one more when its children have come to light.
    opened: Vec<u32>,
    queue: BinaryHeap<Reverse<u64>>,
    walk: Vec<(u32, Option<usize>, f64)>,
    /// Gates of the start's and the goal's cell that are in reach.
    leaving: Vec<bool>,
    arriving: Vec<bool>,
    /// What is left of the route, the next at the end.
    steps: Vec<Step>,
    first: Option<Crossing>,
    expanded: u32,
}

impl Routing {
    /// Searches a route, and gives its length over the middles of portals, m; [`Routing::next_crossing`] then tells the
    /// portals. `None` if there is none, or one of the spots is off the floor.
    ///
    /// The subdivision has to be the one that the hierarchy was built from.
    pub fn find(&mut self, hierarchy: &Hierarchy, subdivision: &Subdivision, from: Spot, to: Spot) -> Option<f32> {
        (self.steps.clear(), self.first = None);
        self.expanded = 0;
        let triangles = [subdivision.triangle_at(from)?, subdivision.triangle_at(to)?];
        let [start, goal] = triangles.map(|t| subdivision.cell_of[t as usize]);
        self.begin(hierarchy);
        let mut leaving = std::mem::take(&mut self.leaving);
        let together = self.reach(hierarchy, subdivision, triangles, &mut leaving);
        self.leaving = leaving;
        if start == goal && together {
            return Some(from.at.distance(to.at));
        }
        let mut arriving = std::mem::take(&mut self.arriving);
        self.reach(hierarchy, subdivision, [triangles[1], triangles[0]], &mut arriving);
        self.arriving = arriving;
        if self.open(hierarchy, start) != self.open(hierarchy, goal) {
            return None;
        }
        self.bring_to_light(hierarchy, start);
        self.bring_to_light(hierarchy, goal);
        self.beyond.clear();
        self.beyond.extend(self.states.iter().map(|state| self.of_gate[(state.gate ^ 1) as usize]));
        let (length, last) = self.search(hierarchy, [start, goal], from.at, to.at)?;
        self.trace(hierarchy, last);
        Some(length)
    }

    fn begin(&mut self, hierarchy: &Hierarchy) {
        self.of_gate.resize(2 * hierarchy.middles.len(), NONE);
        self.opened.resize(hierarchy.tree.node_count() as usize, 0);
        self.query = self.query.wrapping_add(2);
        if self.query == 0 {
            self.opened.fill(0);
            self.query = 2;
        }
        (self.queue.clear(), self.lit.clear(), self.states.clear());
    }

    /// Which gates of its cell a disc that stands in the first triangle can get to, and whether it can get to the second.
    fn reach(
        &mut self,
        hierarchy: &Hierarchy,
        subdivision: &Subdivision,
        [t, to]: [u32; 2],
        out: &mut Vec<bool>,
    ) -> bool {
        let cell = subdivision.cell_of[t as usize];
        let (gates, narrow) = (hierarchy.tree.gates_of(cell), hierarchy.narrow[cell as usize]);
        out.clear();
        out.resize(gates.len(), !narrow);
        let mut together = !narrow && cell == subdivision.cell_of[to as usize];
        if narrow {
            let (width, portals) = (hierarchy.topology.width(), hierarchy.topology.portals());
            subdivision.walk_cell(
                t,
                None,
                &mut self.walk,
                |portal, room| {
                    let gate = gates.iter().position(|&g| portals[(g / 2) as usize].0 == portal);
                    if let Some(gate) = gate {
                        out[gate] = passes(width, room);
                    }
                },
                |triangle, room| together |= triangle == to && passes(width, room),
            );
        }
        for (out, gate) in out.iter_mut().zip(gates) {
            *out &= !hierarchy.closed[(gate / 2) as usize];
        }
        together
    }

    /// Marks the nodes that hold a cell and gives their root.
    fn open(&mut self, hierarchy: &Hierarchy, cell: u32) -> u32 {
        let mut node = cell;
        while hierarchy.tree.parent[node as usize] != NONE {
            node = hierarchy.tree.parent[node as usize];
            self.opened[node as usize] = self.query;
        }
        node
    }

    /// Makes states of the ways into all nodes beside the path from a cell to its root, and into the cell.
    fn bring_to_light(&mut self, hierarchy: &Hierarchy, cell: u32) {
        let tree = &hierarchy.tree;
        let mut node = cell;
        while tree.parent[node as usize] != NONE && self.opened[tree.parent[node as usize] as usize] == self.query {
            node = tree.parent[node as usize];
            self.opened[node as usize] = self.query + 1;
            for &child in tree.children_of(node).iter().filter(|&&c| self.opened[c as usize] < self.query) {
                let (lit, states, gates) = (self.lit.len() as u32, self.states.len() as u32, tree.gates_of(child));
                let costs = hierarchy.roadmap.cost_starts[child as usize];
                self.lit.push(Lit { node: child, states, gates: gates.len() as u32, costs });
                for &gate in gates {
                    self.of_gate[gate as usize] = self.states.len() as u32;
                    self.states.push(State { cost: f32::INFINITY, from: NONE, lit, gate });
                }
            }
        }
    }

    /// A*: the length of the shortest path and the last state on it.
    fn search(&mut self, hierarchy: &Hierarchy, [start, goal]: [u32; 2], from: Vec2, to: Vec2) -> Option<(f32, u32)> {
        let (tree, middles) = (&hierarchy.tree, &hierarchy.middles);
        let estimate = |gate: u32| middles[(gate / 2) as usize].distance(to);
        // Lengths are not negative, so that their bits sort as they do; ties go to the lower state.
        let entry = |key: f32, state: u32| Reverse(u64::from(key.to_bits()) << 32 | u64::from(state));
        for (index, &gate) in tree.gates_of(start).iter().enumerate() {
            if self.leaving[index] {
                let (cost, state) = (middles[(gate / 2) as usize].distance(from), self.of_gate[(gate ^ 1) as usize]);
                self.states[state as usize].cost = cost;
                self.queue.push(entry(cost + estimate(gate), state));
            }
        }
        let mut best = (f32::INFINITY, NONE);
        while let Some(Reverse(first)) = self.queue.pop() {
            let (key, number) = (f32::from_bits((first >> 32) as u32), first as u32);
            if key >= best.0 {
                break;
            }
            let State { cost, lit, gate, .. } = self.states[number as usize];
            // A shorter path to it has been followed since.
            if key > cost + estimate(gate) {
                continue;
            }
            self.expanded += 1;
            let Lit { node, states, gates, costs } = self.lit[lit as usize];
            if node == goal && self.arriving[(number - states) as usize] && key < best.0 {
                best = (key, number);
            }
            let row = (costs + (number - states) * gates) as usize;
            let across = &hierarchy.roadmap.costs[row..row + gates as usize];
            for (&across, &next) in across.iter().zip(&self.beyond[states as usize..]) {
                let (cost, state) = (cost + across, &mut self.states[next as usize]);
                if cost < state.cost {
                    let key = cost + estimate(state.gate);
                    if key < best.0 {
                        (state.cost, state.from) = (cost, number);
                        self.queue.push(entry(key, next));
                    }
                }
            }
        }
        (best.1 != NONE).then_some(best)
    }

    /// Turns the states that lead to the last one into steps.
    fn trace(&mut self, hierarchy: &Hierarchy, last: u32) {
        let mut number = last;
        while self.states[number as usize].from != NONE {
            let State { from, gate, .. } = self.states[number as usize];
            let Lit { node, states, .. } = self.lit[self.states[from as usize].lit as usize];
            let exit = self.of_gate[(gate ^ 1) as usize] - states;
            self.steps.push(Step { node, place: (from - states) as u16, gate: exit as u16 });
            number = from;
        }
        self.first = Some(hierarchy.crossing(self.states[number as usize].gate ^ 1));
    }

    /// The next portal of the route that was found, or `None` at its end.
    pub fn next_crossing(&mut self, hierarchy: &Hierarchy) -> Option<Crossing> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            let Step { node, place, gate } = self.steps.pop()?;
            if node < hierarchy.tree.cell_count() {
                return Some(hierarchy.crossing(hierarchy.tree.gates_of(node)[usize::from(gate)]));
            }
            let (hop, child, [enter, exit]) = hierarchy.roadmap.step(node, place, gate);
            if hop != gate {
                self.steps.push(Step { node, place: hop, gate });
            }
            self.steps.push(Step { node: child, place: enter, gate: exit });
        }
    }

    /// Puts all portals of the route that are left into `out`. Clears `out` before.
    pub fn crossings(&mut self, hierarchy: &Hierarchy, out: &mut Vec<Crossing>) {
        out.clear();
        while let Some(crossing) = self.next_crossing(hierarchy) {
            out.push(crossing);
        }
    }

    /// How many states the last query has looked at.
    pub fn expanded(&self) -> u32 {
        self.expanded
    }
}

impl Hierarchy {
    /// Leaving a node by a gate of its own.
    fn crossing(&self, gate: u32) -> Crossing {
        let edge = (gate / 2) as usize;
        Crossing {
            portal: self.topology.portals()[edge],
            into: CellId(self.topology.ends()[edge][((gate % 2) ^ 1) as usize]),
        }
    }
}
