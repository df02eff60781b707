//! Climbs: how far it is from a spot to every gate of the cell it is in, of what that was merged into, and so on to the root.
//!
//! One step up needs no queue. Whoever leaves the child by a gate that is none of the parent's stands at one of its shared
//! places, and from there the shortest paths to all gates of the parent are stored. So a step takes the least over rows of
//! stored paths, eight gates at a time.
//!
//! Few of these rows and gates matter. A path that is no longer than a limit stays in the ellipse around start and goal of
//! that length: gates outside are left out, and so are rows that begin too late to get to the goal in time.

use passerby_geometry::Vec2;

use crate::hierarchy::Hierarchy;
use crate::roadmap::{Block, Head, Roadmap, WIDE};

const NONE: u32 = u32::MAX;

/// One node that holds the spot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rung {
    pub node: u32,
    pub head: Head,
    /// Where its costs begin.
    start: u32,
}

/// The memory of a climb.
#[derive(Debug, Clone, Default)]
pub(crate) struct Climb {
    pub rungs: Vec<Rung>,
    /// For each rung the shortest paths from the spot to its gates, staying inside: m, or infinity.
    costs: Vec<Block>,
    /// Not more than what is left from each gate to the goal.
    rests: Vec<Block>,
    /// The shared places from which one goes on in the step that is being taken, and what it costs to get there.
    rows: Vec<(u32, f32)>,
    /// Blocks of gates in the ellipse.
    blocks: Vec<u32>,
    at: Vec2,
    goal: Vec2,
}

impl Climb {
    /// Begins in a cell, at the gates that are in reach.
    pub fn begin(&mut self, hierarchy: &Hierarchy, cell: u32, reach: &[bool], [at, goal]: [Vec2; 2]) {
        (self.rungs.clear(), self.costs.clear(), self.rests.clear());
        (self.at, self.goal) = (at, goal);
        self.push(hierarchy, cell);
        for (index, &gate) in hierarchy.tree.gates_of(cell).iter().enumerate().filter(|(i, _)| reach[*i]) {
            self.costs[index / WIDE][index % WIDE] = hierarchy.middles[(gate / 2) as usize].distance(at);
        }
    }

    /// A new rung, with everything out of reach.
    fn push(&mut self, hierarchy: &Hierarchy, node: u32) -> usize {
        let (head, start) = (hierarchy.roadmap.heads[node as usize], self.costs.len());
        let blocks = (head.gates as usize).div_ceil(WIDE);
        self.rungs.push(Rung { node, head, start: start as u32 });
        self.costs.resize(start + blocks, [f32::INFINITY; WIDE]);
        self.rests.resize(start + blocks, [0.0; WIDE]);
        start
    }

    pub fn last(&self) -> Rung {
        self.rungs[self.rungs.len() - 1]
    }

    /// The shortest path from the spot to a gate of a rung.
    pub fn cost(&self, rung: &Rung, gate: usize) -> f32 {
        self.costs[rung.start as usize + gate / WIDE][gate % WIDE]
    }

    /// Not more than that and what is left to the goal.
    pub fn least(&self, rung: &Rung, gate: usize) -> f32 {
        self.cost(rung, gate) + self.rests[rung.start as usize + gate / WIDE][gate % WIDE]
    }

    /// Climbs to the parent of the last rung; gives how many rows were looked at.
    pub fn rise(&mut self, hierarchy: &Hierarchy, limit: f32) -> u32 {
        let (below, roadmap) = (self.last(), &hierarchy.roadmap);
        let start = self.push(hierarchy, hierarchy.tree.parent[below.node as usize]);
        let Rung { head, .. } = self.last();
        self.find_blocks(roadmap, &head, start, limit);
        let (costs, new) = self.costs.split_at_mut(start);
        self.rows.clear();
        for (index, &up) in roadmap.ups(&below.head).iter().enumerate() {
            let (block, lane, up) = (below.start as usize + index / WIDE, index % WIDE, u32::from(up));
            let cost = costs[block][lane];
            if up < head.gates {
                new[up as usize / WIDE][up as usize % WIDE] = cost;
            } else if cost + self.rests[block][lane] < limit {
                self.rows.push((up, cost));
            }
        }
        for &(place, cost) in &self.rows {
            let row = roadmap.row(&head, place);
            for &block in &self.blocks {
                let (new, across) = (&mut new[block as usize], &row[block as usize]);
                for lane in 0..WIDE {
                    let through = cost + across[lane];
                    new[lane] = if through < new[lane] { through } else { new[lane] };
                }
            }
        }
        self.rows.len() as u32
    }

    /// Which blocks of a node's gates have one in the ellipse, and how far from the goal they all are.
    fn find_blocks(&mut self, roadmap: &Roadmap, head: &Head, start: usize, limit: f32) {
        self.blocks.clear();
        if !head.is_large() {
            self.blocks.extend(0..head.gates.min(1));
            return;
        }
        for (number, [x, y]) in roadmap.middles(head).iter().enumerate() {
            let mut rest = [0.0; WIDE];
            let mut inside = false;
            for lane in 0..WIDE {
                let [ahead, behind] = [self.goal, self.at].map(|p| {
                    let (x, y) = (x[lane] - p.x, y[lane] - p.y);
                    (x * x + y * y).sqrt()
                });
                rest[lane] = ahead;
                inside |= ahead + behind < limit;
            }
            self.rests[start + number] = rest;
            if inside {
                self.blocks.push(number as u32);
            }
        }
    }

    /// Whether any gate of the last rung can be on a path that is not longer than a limit.
    pub fn gets_out(&self, limit: f32) -> bool {
        let rung = self.last();
        (0..rung.head.gates as usize).any(|gate| self.least(&rung, gate) < limit)
    }

    /// How the shortest path gets to a gate of a rung that is no cell: the gate of the rung below by which it leaves that,
    /// and, unless it is the same, the place from which it then crosses the upper one.
    pub fn origin(&self, roadmap: &Roadmap, number: usize, gate: usize) -> (usize, Option<u32>) {
        let (rung, below) = (&self.rungs[number], &self.rungs[number - 1]);
        let cost = self.cost(rung, gate);
        let mut found = None;
        for (index, &up) in roadmap.ups(&below.head).iter().enumerate() {
            let (up, first) = (u32::from(up), self.cost(below, index));
            if up as usize == gate && first == cost {
                return (index, None);
            }
            if found.is_none() && up >= rung.head.gates && first <= cost {
                let across = roadmap.row(&rung.head, up)[gate / WIDE][gate % WIDE];
                found = (first + across == cost).then_some((index, Some(up)));
            }
        }
        found.unwrap_or((0, None))
    }
}

/// Where two climbs have met.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting {
    pub length: f32,
    pub node: u32,
    /// The rungs below, and by which of their gates they are left and entered.
    pub rungs: [usize; 2],
    pub gates: [usize; 2],
    /// The places in the node from which one goes on there.
    pub places: [u32; 2],
}

impl Meeting {
    pub const NOWHERE: Meeting =
        Meeting { length: f32::INFINITY, node: NONE, rungs: [0; 2], gates: [0; 2], places: [0; 2] };
}

/// The memory of meetings.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meetings {
    /// For each place of the node what it costs to go on from there to the goal, without leaving the child that holds it.
    ahead: Vec<Block>,
    blocks: Vec<u32>,
}

impl Meetings {
    /// Tries all paths through a node from the last rung of one climb to that of another, both of them children of the node;
    /// gives how many rows were looked at.
    pub fn meet(
        &mut self,
        hierarchy: &Hierarchy,
        node: u32,
        [from, to]: [&Climb; 2],
        slack: impl Fn(f32) -> f32,
        best: &mut Meeting,
    ) -> u32 {
        let (roadmap, head) = (&hierarchy.roadmap, hierarchy.roadmap.heads[node as usize]);
        let (leaves, enters) = (from.last(), to.last());
        let (ups, downs) = (roadmap.ups(&leaves.head), roadmap.ups(&enters.head));
        let rungs = [from, to].map(|climb| climb.rungs.len() - 1);
        self.ahead.clear();
        self.ahead.resize(head.width(), [f32::INFINITY; WIDE]);
        for (index, &up) in downs.iter().enumerate().filter(|(_, up)| u32::from(**up) >= head.gates) {
            let place = head.turned(u32::from(up)) as usize;
            self.ahead[place / WIDE][place % WIDE] = to.cost(&enters, index);
        }
        let gate_of = |place: u32| downs.iter().position(|&up| u32::from(up) == head.turned(place)).unwrap_or(0);
        for (index, &up) in ups.iter().enumerate().filter(|(_, up)| u32::from(**up) >= head.gates) {
            let up = u32::from(up);
            let length = from.cost(&leaves, index) + self.ahead[up as usize / WIDE][up as usize % WIDE];
            if length < best.length {
                *best = Meeting { length, node, rungs, gates: [index, gate_of(up)], places: [up; 2] };
            }
        }
        let limit = slack(best.length);
        self.blocks.clear();
        for (index, &up) in downs.iter().enumerate().filter(|(_, up)| u32::from(**up) >= head.gates) {
            let block = head.turned(u32::from(up)) / WIDE as u32;
            if to.least(&enters, index) < limit && self.blocks.last() != Some(&block) {
                self.blocks.push(block);
            }
        }
        let mut rows = 0;
        for (index, &up) in ups.iter().enumerate().filter(|(_, up)| u32::from(**up) >= head.gates) {
            let up = u32::from(up);
            if from.least(&leaves, index) >= limit {
                continue;
            }
            rows += 1;
            let (first, row) = (from.cost(&leaves, index), roadmap.row(&head, up));
            for &block in &self.blocks {
                let (across, ahead) = (&row[block as usize], &self.ahead[block as usize]);
                let mut least = f32::INFINITY;
                let lengths: Block = std::array::from_fn(|lane| first + across[lane] + ahead[lane]);
                lengths.iter().for_each(|&length| least = if length < least { length } else { least });
                if least < best.length {
                    let lane = lengths.iter().position(|&length| length == least).unwrap_or(0);
                    let place = block * WIDE as u32 + lane as u32;
                    let gates = [index, gate_of(place)];
                    *best = Meeting { length: least, node, rungs, gates, places: [up, place] };
                }
            }
        }
        rows
    }
}
