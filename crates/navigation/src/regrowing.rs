//! Cells of an abstraction tree are replaced by others: all that they were part of stays, less them.
//!
//! The new cells are merged among themselves and hung under the lowest node that held all the old ones. Nothing changes above that
//! node but lengths: it has the same ways out as before. When the old cells come back they go where they were.

use std::collections::BTreeSet;

use crate::abstraction::{Abstraction, NONE, NodeId, Pairing};
use crate::topology::Topology;

/// What was merged of new cells, so that it can be taken apart again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Grown {
    nodes: Vec<u32>,
    /// Cells and nodes that hang on others that were there.
    tops: Vec<u32>,
}

impl Abstraction {
    /// Puts new cells in the place of old ones. Gates of cells are those of the topology already. Notes in `places` which nodes have other
    /// children.
    pub(crate) fn graft(
        &mut self,
        topology: &Topology,
        gone: &[u32],
        new: &[u32],
        places: &mut BTreeSet<u32>,
    ) -> Grown {
        let under = self.lowest_common(gone);
        let roots: BTreeSet<u32> = gone.iter().map(|&cell| self.root(cell)).collect();
        for &cell in gone {
            self.go(cell, places);
        }
        let mut grown = self.merged(topology, new, places);
        let roots: Vec<u32> = roots.into_iter().filter(|&root| self.there[root as usize]).collect();
        // Where the old cells were of several parts, the new ones may join these, or were alone.
        let under = under.or_else(|| (!roots.is_empty()).then(|| self.joined(&roots, places)));
        for &top in under.iter().flat_map(|_| &grown.tops) {
            self.parent[top as usize] = under.unwrap_or(NONE);
            self.come(top, places);
        }
        if under.is_none() {
            grown.tops.clear();
        }
        grown
    }

    /// Takes new cells away and lets the old ones come back.
    pub(crate) fn prune(&mut self, grown: &Grown, new: &[u32], old: &[u32], places: &mut BTreeSet<u32>) {
        for &top in &grown.tops {
            self.go(top, places);
        }
        for &node in new.iter().chain(&grown.nodes) {
            self.there[node as usize] = false;
            self.parent[node as usize] = NONE;
            self.gates.set(node as usize, &[]);
            self.children.set(node as usize, &[]);
            places.remove(&node);
        }
        self.unused.extend(grown.nodes.iter().rev());
        for &cell in old {
            self.come(cell, places);
        }
    }

    /// Collects the ways out of a node from its children; whether they are others than before. Their order changes only then.
    pub(crate) fn renew_gates(&mut self, node: u32) -> bool {
        let mut all: Vec<u32> =
            self.children_of(node).iter().flat_map(|&child| self.gates_of(child)).copied().collect();
        let mut sorted = all.clone();
        sorted.sort_unstable();
        all.retain(|gate| sorted.binary_search(&(gate ^ 1)).is_err());
        let (mut now, mut before) = (all.clone(), self.gates_of(node).to_vec());
        (now.sort_unstable(), before.sort_unstable());
        if now == before {
            return false;
        }
        self.gates.set(node as usize, &all);
        true
    }

    fn root(&self, node: u32) -> u32 {
        std::iter::successors(Some(node), |&n| self.parent(NodeId(n)).map(|p| p.0)).last().unwrap_or(node)
    }

    /// The lowest abstract cell that holds all of some cells.
    fn lowest_common(&self, cells: &[u32]) -> Option<u32> {
        let above = |cell: u32| std::iter::successors(self.parent(NodeId(cell)), |&n| self.parent(n)).map(|n| n.0);
        let mut common: Vec<u32> = above(*cells.first()?).collect();
        for &cell in &cells[1..] {
            let these: Vec<u32> = above(cell).collect();
            common.retain(|node| these.contains(node));
        }
        common.first().copied()
    }

    /// A node goes, and all that would be left without children.
    fn go(&mut self, node: u32, places: &mut BTreeSet<u32>) {
        self.there[node as usize] = false;
        places.remove(&node);
        let parent = self.parent[node as usize];
        if parent == NONE {
            return;
        }
        let left: Vec<u32> = self.children_of(parent).iter().copied().filter(|&child| child != node).collect();
        self.children.set(parent as usize, &left);
        if left.is_empty() {
            self.gates.set(parent as usize, &[]);
            self.go(parent, places);
        } else {
            places.insert(parent);
        }
    }

    /// A node comes to its parent, and that to its own if it was not there.
    fn come(&mut self, node: u32, places: &mut BTreeSet<u32>) {
        self.there[node as usize] = true;
        let parent = self.parent[node as usize];
        if parent == NONE {
            return;
        }
        let mut children = self.children_of(parent).to_vec();
        children.push(node);
        self.children.set(parent as usize, &children);
        places.insert(parent);
        if !self.there[parent as usize] {
            self.come(parent, places);
        }
    }

    /// Merges new cells over the edges between them.
    fn merged(&mut self, topology: &Topology, new: &[u32], places: &mut BTreeSet<u32>) -> Grown {
        let index = |cell: u32| new.iter().position(|&other| other == cell).map(|i| i as u32);
        let gates = new.iter().flat_map(|&cell| self.gates_of(cell)).filter(|&gate| gate % 2 == 0);
        let inner = gates.filter_map(|gate| {
            let [a, b] = topology.ends()[(gate / 2) as usize];
            Some([index(a)?, index(b)?])
        });
        let local = Abstraction::build(new.len() as u32, &inner.collect::<Vec<_>>(), Pairing::default());
        let mut number = new.to_vec();
        let mut grown = Grown::default();
        for node in new.len() as u32..local.node_count() {
            let children: Vec<u32> = local.children_of(node).iter().map(|&child| number[child as usize]).collect();
            let new = self.new_node(&children, places);
            (number.push(new), grown.nodes.push(new));
        }
        new.iter().for_each(|&cell| self.there[cell as usize] = true);
        grown.tops = local.roots().map(|root| number[root.0 as usize]).collect();
        grown
    }

    /// One node over several roots, for good: it has no ways out.
    fn joined(&mut self, roots: &[u32], places: &mut BTreeSet<u32>) -> u32 {
        self.new_node(roots, places)
    }

    fn new_node(&mut self, children: &[u32], places: &mut BTreeSet<u32>) -> u32 {
        let node = self.unused.pop().unwrap_or(self.node_count());
        if node == self.node_count() {
            (self.parent.push(NONE), self.there.push(true));
        }
        (self.parent[node as usize], self.there[node as usize]) = (NONE, true);
        self.children.set(node as usize, children);
        self.gates.set(node as usize, &[]);
        children.iter().for_each(|&child| self.parent[child as usize] = node);
        places.insert(node);
        node
    }
}
