//! The abstraction tree: cells that belong together become one, again and again, until one closed cell per part is left.
//!
//! Lamarche and Donikian 2004, section 3.2. A cell with one way out is a dead end, with two a passage, with more a
//! crossroads; ways are counted, not neighbours.
//!
//! 1. Chains and rings of dead ends and passages become balanced binary trees.
//! 2. Dead ends go to their crossroads.
//! 3. Passages go to one of their crossroads: that of fewer ways, then of lower id.
//! 4. Pairs of adjacent crossroads that add the fewest paths are merged, a cell once a round, in the order of ids.
//!
//! Whenever one of these has left a dead end or a passage, it begins again. The tree knows nothing of geometry.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use passerby_geometry::lists::Lists;

pub(crate) const NONE: u32 = u32::MAX;

/// How pairs of crossroads are chosen in step 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pairing {
    /// As printed: only the pairs that add the fewest paths in a round.
    Fewest,
    /// All pairs in ascending order of added paths that share no cell: a flatter tree with the same answers.
    #[default]
    Disjoint,
}

/// A cell or an abstract cell: cells come first and keep their numbers, children come before their parents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Cells merged into trees, one per connected part.
#[derive(Debug, Clone, Default)]
pub struct Abstraction {
    cells: u32,
    pub(crate) parent: Vec<u32>,
    pub(crate) children: Lists<u32>,
    /// For each node its ways out: twice the edge, plus the end of the edge that is inside.
    pub(crate) gates: Lists<u32>,
    /// Whether each node is there: cells may be gone, or not have come yet, and what is merged of such ones is not there either.
    pub(crate) there: Vec<bool>,
    /// Numbers of abstract cells that are free again.
    pub(crate) unused: Vec<u32>,
}

impl Abstraction {
    /// The trees over a graph of `cells` nodes. Several edges may join the same two cells, none a cell with itself.
    pub fn build(cells: u32, edges: &[[u32; 2]], pairing: Pairing) -> Abstraction {
        Abstraction::build_with_room(cells, 0, edges, pairing)
    }

    /// As [`Abstraction::build`], with numbers for so many cells that may come later.
    pub(crate) fn build_with_room(cells: u32, room: u32, edges: &[[u32; 2]], pairing: Pairing) -> Abstraction {
        let mut builder = Builder::new(cells + room, edges);
        builder.run(pairing);
        let mut tree = Abstraction { cells: cells + room, parent: builder.parent, ..Abstraction::default() };
        for (children, gates) in builder.children.iter().zip(&builder.gates) {
            tree.children.push(children.iter().copied());
            tree.gates.push(gates.iter().copied());
        }
        tree.there = vec![true; tree.parent.len()];
        tree.there[cells as usize..(cells + room) as usize].fill(false);
        tree
    }

    /// Number of cells, which are the leaves; numbers for cells that may come later are counted.
    pub fn cell_count(&self) -> u32 {
        self.cells
    }

    /// Number of cells and abstract cells.
    pub fn node_count(&self) -> u32 {
        self.parent.len() as u32
    }

    /// What a node was merged into; none for the root of a part.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        Some(self.parent[node.0 as usize]).filter(|&p| p != NONE).map(NodeId)
    }

    /// What was merged into a node; none for a cell.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children_of(node.0).iter().map(|&c| NodeId(c))
    }

    /// Number of ways out of a node.
    pub fn arity(&self, node: NodeId) -> u32 {
        self.gates_of(node.0).len() as u32
    }

    /// The roots, in the order of their ids.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> + '_ {
        let is_root = |n: &u32| self.parent[*n as usize] == NONE && self.there[*n as usize];
        (0..self.node_count()).filter(is_root).map(NodeId)
    }

    /// How many steps it is from a node up to its root.
    pub fn depth(&self, node: NodeId) -> u32 {
        std::iter::successors(self.parent(node), |&n| self.parent(n)).count() as u32
    }

    pub(crate) fn children_of(&self, node: u32) -> &[u32] {
        self.children.get(node as usize)
    }

    pub(crate) fn gates_of(&self, node: u32) -> &[u32] {
        self.gates.get(node as usize)
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        5 * self.parent.len() + self.children.bytes() + self.gates.bytes()
    }
}

/// Paths through a node with so many ways out.
fn paths(arity: i64) -> i64 {
    arity * (arity - 1)
}

/// How many paths are added when two nodes with these arities that share so many edges become one: add(c1, c2).
pub fn added_paths(arities: [u32; 2], shared: u32) -> i64 {
    let [a, b] = arities.map(i64::from);
    paths(a + b - 2 * i64::from(shared)) - paths(a) - paths(b)
}

struct Builder<'a> {
    edges: &'a [[u32; 2]],
    parent: Vec<u32>,
    /// Towards the node that a node is in now.
    up: Vec<u32>,
    children: Vec<Vec<u32>>,
    gates: Vec<Vec<u32>>,
    /// Dead ends and passages that have appeared, some merged since.
    small: Vec<u32>,
    /// Pairs of neighbours by (added paths, lower id, higher id), some merged since.
    pairs: BinaryHeap<Reverse<(i64, u32, u32)>>,
}

impl Builder<'_> {
    fn new(cells: u32, edges: &[[u32; 2]]) -> Builder<'_> {
        let mut gates = vec![Vec::new(); cells as usize];
        for (e, ends) in edges.iter().enumerate() {
            for (side, &cell) in ends.iter().enumerate() {
                gates[cell as usize].push(2 * e as u32 + side as u32);
            }
        }
        let (parent, children) = (vec![NONE; cells as usize], vec![Vec::new(); cells as usize]);
        let up = (0..cells).collect();
        let mut builder = Builder { edges, parent, up, children, gates, small: Vec::new(), pairs: BinaryHeap::new() };
        for cell in 0..cells {
            builder.appeared(cell);
        }
        builder
    }

    fn run(&mut self, pairing: Pairing) {
        loop {
            while !self.small.is_empty() {
                self.chains();
                if !self.dead_ends() {
                    self.passages();
                }
            }
            let merged = match pairing {
                Pairing::Fewest => self.fewest(),
                Pairing::Disjoint => self.disjoint(),
            };
            if !merged && self.small.is_empty() {
                return;
            }
        }
    }

    fn is_there(&self, node: u32) -> bool {
        self.parent[node as usize] == NONE
    }

    fn arity(&self, node: u32) -> usize {
        self.gates[node as usize].len()
    }

    fn is_small(&self, node: u32) -> bool {
        matches!(self.arity(node), 1 | 2)
    }

    fn is_crossroads(&self, node: u32) -> bool {
        self.arity(node) > 2
    }

    /// The node that a node is in now.
    fn top(&mut self, node: u32) -> u32 {
        let mut node = node;
        while self.up[node as usize] != node {
            self.up[node as usize] = self.up[self.up[node as usize] as usize];
            node = self.up[node as usize];
        }
        node
    }

    /// The node beyond a gate.
    fn beyond(&mut self, gate: u32) -> u32 {
        self.top(self.edges[(gate / 2) as usize][((gate % 2) ^ 1) as usize])
    }

    fn merge(&mut self, children: &[u32]) -> u32 {
        let node = self.parent.len() as u32;
        self.parent.push(NONE);
        self.up.push(node);
        for &child in children {
            self.parent[child as usize] = node;
            self.up[child as usize] = node;
        }
        let mut gates = Vec::new();
        for &child in children {
            for i in 0..self.arity(child) {
                let gate = self.gates[child as usize][i];
                if self.beyond(gate) != node {
                    gates.push(gate);
                }
            }
        }
        self.children.push(children.to_vec());
        self.gates.push(gates);
        self.appeared(node);
        node
    }

    /// Notes what a new node means for the steps.
    fn appeared(&mut self, node: u32) {
        if self.is_small(node) {
            self.small.push(node);
        }
        let mut neighbours: Vec<u32> = Vec::new();
        for i in 0..self.arity(node) {
            let gate = self.gates[node as usize][i];
            neighbours.push(self.beyond(gate));
        }
        neighbours.sort_unstable();
        // Each pair is noted once, when its higher id has appeared.
        for same in neighbours.chunk_by(|a, b| a == b).filter(|same| same[0] < node) {
            let arities = [self.arity(node) as u32, self.arity(same[0]) as u32];
            if self.is_crossroads(node) && self.is_crossroads(same[0]) {
                self.pairs.push(Reverse((added_paths(arities, same.len() as u32), same[0], node)));
            }
        }
    }

    /// The dead ends and passages there are now, by id.
    fn take_small(&mut self) -> Vec<u32> {
        let mut small = std::mem::take(&mut self.small);
        small.retain(|&n| self.is_there(n));
        small.sort_unstable();
        small.dedup();
        small
    }

    /// Step 1. What stands alone stays in the list of small ones.
    fn chains(&mut self) {
        let small = self.take_small();
        for seed in small {
            if !self.is_there(seed) || !self.is_small(seed) {
                continue;
            }
            let mut chain = self.chain_from(seed, 0);
            if chain.last() == Some(&seed) {
                chain.pop();
                chain.insert(0, seed);
            } else {
                chain.reverse();
                chain.push(seed);
                if self.arity(seed) == 2 {
                    let rest = self.chain_from(seed, 1);
                    chain.extend(rest);
                }
            }
            let whole = self.balanced(&chain);
            if whole == seed {
                self.small.push(seed);
            }
        }
        let mut left = self.take_small();
        left.retain(|&n| self.is_small(n));
        self.small = left;
    }

    /// The small nodes that follow a node through its gate `way`; with itself at the end if they are a ring.
    fn chain_from(&mut self, seed: u32, way: usize) -> Vec<u32> {
        let mut chain = Vec::new();
        let mut gate = self.gates[seed as usize][way];
        loop {
            let next = self.beyond(gate);
            if !self.is_small(next) {
                return chain;
            }
            chain.push(next);
            let on = self.gates[next as usize].iter().copied().find(|&g| g != gate ^ 1);
            match on.filter(|_| next != seed) {
                Some(on) => gate = on,
                None => return chain,
            }
        }
    }

    fn balanced(&mut self, chain: &[u32]) -> u32 {
        if let [one] = chain {
            return *one;
        }
        let (first, second) = chain.split_at(chain.len().div_ceil(2));
        let pair = [self.balanced(first), self.balanced(second)];
        self.merge(&pair)
    }

    /// Step 2; says whether a small node has appeared.
    fn dead_ends(&mut self) -> bool {
        let small = self.take_small();
        let mut goes: Vec<(u32, u32)> = Vec::new();
        for &node in &small {
            if let [gate] = self.gates[node as usize][..] {
                goes.push((self.beyond(gate), node));
            }
        }
        let appeared = self.gather(goes);
        self.small.extend(small);
        appeared
    }

    /// Step 3.
    fn passages(&mut self) -> bool {
        let small = self.take_small();
        let mut goes: Vec<(u32, u32)> = Vec::new();
        for node in small {
            let ends = [0, 1].map(|i| self.gates[node as usize][i]).map(|gate| self.beyond(gate));
            let best = ends.into_iter().min_by_key(|&end| (self.arity(end), end));
            goes.extend(best.map(|best| (best, node)));
        }
        self.gather(goes)
    }

    /// Merges each crossroads with all that go to it; says whether a small node has appeared.
    fn gather(&mut self, mut goes: Vec<(u32, u32)>) -> bool {
        goes.sort_unstable();
        for group in goes.chunk_by(|a, b| a.0 == b.0) {
            let mut children = vec![group[0].0];
            children.extend(group.iter().map(|(_, node)| *node));
            self.merge(&children);
        }
        !self.small.is_empty()
    }

    /// Step 4 as printed; says whether anything was merged.
    fn fewest(&mut self) -> bool {
        let mut round: Vec<(i64, u32, u32)> = Vec::new();
        while let Some(&Reverse(pair)) = self.pairs.peek() {
            let (added, a, b) = pair;
            if self.is_there(a) && self.is_there(b) {
                if round.first().is_some_and(|first| first.0 < added) {
                    break;
                }
                round.push(pair);
            }
            self.pairs.pop();
        }
        self.merge_pairs(&round)
    }

    /// Step 4 over all pairs.
    fn disjoint(&mut self) -> bool {
        let mut round: Vec<(i64, u32, u32)> = self.pairs.drain().map(|Reverse(pair)| pair).collect();
        round.retain(|&(_, a, b)| self.is_there(a) && self.is_there(b));
        round.sort_unstable();
        let merged = self.merge_pairs(&round);
        round.retain(|&(_, a, b)| self.is_there(a) && self.is_there(b));
        self.pairs.extend(round.into_iter().map(Reverse));
        merged
    }

    fn merge_pairs(&mut self, round: &[(i64, u32, u32)]) -> bool {
        let mut merged = false;
        for &(_, a, b) in round {
            if self.is_there(a) && self.is_there(b) {
                self.merge(&[a, b]);
                merged = true;
            }
        }
        merged
    }
}
