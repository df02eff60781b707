//! Climbs: how far it is from a spot to every gate of the cell it is in, of what that was merged into, and so on to the root.
//!
//! One step up needs no queue. Whoever leaves the child by a gate that is none of the parent's stands at one of its shared
//! places, and from there the shortest paths to all gates of the parent are stored. So a step takes the least over rows of
//! stored paths, eight gates at a time.
//!
//! Few of these rows and gates matter: those where a path that is not longer than a limit can be. What [bounds](crate::bounds)
//! leave out is not even read, or the time of a query would grow with the ways out of the largest nodes.

use crate::bounds::Found;
use crate::hierarchy::Hierarchy;
use crate::landmarks::Aim;
use crate::roadmap::{Head, Roadmap};
use crate::table::{Block, WIDE};

/// One node that holds the spot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rung {
    /// Of the node.
    pub slot: u32,
    pub head: Head,
    /// Which of the found blocks are its own.
    blocks: [u32; 2],
}

/// The memory of a climb.
#[derive(Debug, Clone, Default)]
pub(crate) struct Climb {
    pub rungs: Vec<Rung>,
    found: Found,
    /// For each found block the shortest paths from the spot to its gates, staying inside: m, or infinity.
    costs: Vec<Block>,
    /// The shared places from which one goes on in the step that is being taken, and what it costs to get there.
    rows: Vec<(u32, f32)>,
    /// For each block of the node that is being climbed to which of the found ones it is.
    slots: Vec<u32>,
    aim: Aim,
}

impl Climb {
    /// Begins in a cell, at the gates that are in reach.
    pub fn begin(&mut self, hierarchy: &Hierarchy, cell: u32, reach: &[bool], aim: Aim) {
        (self.rungs.clear(), self.costs.clear(), self.found.clear());
        self.aim = aim;
        self.push(&hierarchy.roadmap, hierarchy.roadmap.slots[cell as usize], f32::INFINITY);
        for (index, &gate) in hierarchy.tree.gates_of(cell).iter().enumerate().filter(|(i, _)| reach[*i]) {
            self.costs[index / WIDE][index % WIDE] = hierarchy.middles[(gate / 2) as usize].distance(aim.at);
        }
    }

    /// A new rung with nothing in reach; gives where its blocks begin.
    fn push(&mut self, roadmap: &Roadmap, slot: u32, limit: f32) -> usize {
        let (head, start) = (roadmap.heads[slot as usize], self.costs.len());
        roadmap.bounds.find(head.bound, head.gates, &self.aim, limit, &mut self.found);
        let end = self.found.blocks.len();
        self.rungs.push(Rung { slot, head, blocks: [start as u32, end as u32] });
        self.costs.resize(end, [f32::INFINITY; WIDE]);
        start
    }

    pub fn last(&self) -> Rung {
        self.rungs[self.rungs.len() - 1]
    }

    /// The gates of a rung that are in reach: what each is in the parent, the shortest path to it, and the least that such
    /// a path has in all.
    pub fn ways_out<'a>(&'a self, roadmap: &'a Roadmap, rung: Rung) -> impl Iterator<Item = Out> + 'a {
        let (ups, [start, end]) = (roadmap.ups(&rung.head), rung.blocks.map(|block| block as usize));
        (start..end).flat_map(move |slot| {
            let (costs, rests, first) =
                (&self.costs[slot], &self.found.rests[slot], self.found.blocks[slot] as usize * WIDE);
            ups[first..].iter().zip(costs.iter().zip(rests)).enumerate().map(move |(lane, (&up, (&cost, &rest)))| Out {
                gate: (first + lane) as u32,
                up: u32::from(up),
                cost,
                least: cost + rest,
            })
        })
    }

    /// Climbs to the parent of the last rung; gives how many rows were looked at.
    pub fn rise(&mut self, roadmap: &Roadmap, limit: f32) -> u32 {
        let below = self.last();
        let start = self.push(roadmap, below.head.parent, limit);
        let Rung { head, .. } = self.last();
        let mut rows = std::mem::take(&mut self.rows);
        let mut slots = std::mem::take(&mut self.slots);
        let blocks = &self.found.blocks[start..];
        slots.clear();
        slots.resize(head.width(), u32::MAX);
        blocks.iter().zip(0..).for_each(|(&block, slot)| slots[block as usize] = slot);
        rows.clear();
        let (costs, new) = self.costs.split_at_mut(start);
        let ups = roadmap.ups(&below.head);
        for slot in below.blocks[0] as usize..below.blocks[1] as usize {
            let (costs, rests) = (&costs[slot], &self.found.rests[slot]);
            for (lane, &up) in ups[self.found.blocks[slot] as usize * WIDE..].iter().take(WIDE).enumerate() {
                let (up, cost) = (up as usize, costs[lane]);
                if up >= head.gates as usize {
                    if cost + rests[lane] < limit {
                        rows.push((up as u32, cost));
                    }
                } else if slots[up / WIDE] != u32::MAX {
                    new[slots[up / WIDE] as usize][up % WIDE] = cost;
                }
            }
        }
        for &(place, cost) in &rows {
            let row = roadmap.row(&head, place);
            for (new, &block) in new.iter_mut().zip(blocks) {
                let (across, mut least) = (row[block as usize], *new);
                for lane in 0..WIDE {
                    let through = cost + across[lane];
                    least[lane] = if through < least[lane] { through } else { least[lane] };
                }
                *new = least;
            }
        }
        (self.rows, self.slots) = (rows, slots);
        self.rows.len() as u32
    }

    /// How the shortest path gets to a gate of a rung that is no cell: the gate of the rung below by which it leaves that,
    /// and, unless it is the same, the place from which it then crosses the upper one.
    pub fn origin(&self, roadmap: &Roadmap, number: usize, gate: u32) -> (u32, Option<u32>) {
        let (rung, below) = (&self.rungs[number], &self.rungs[number - 1]);
        let (block, lane) = (gate / WIDE as u32, gate as usize % WIDE);
        let [start, end] = rung.blocks.map(|block| block as usize);
        let slot = start + self.found.blocks[start..end].partition_point(|&other| other < block);
        let cost = self.costs[slot][lane];
        let mut found = None;
        for out in self.ways_out(roadmap, *below) {
            if out.up == gate && out.cost == cost {
                return (out.gate, None);
            }
            if found.is_none() && out.up >= rung.head.gates && out.cost <= cost {
                let across = roadmap.row(&rung.head, out.up)[block as usize][lane];
                found = (out.cost + across == cost).then_some((out.gate, Some(out.up)));
            }
        }
        found.unwrap_or((0, None))
    }
}

/// A way out of a node that holds the spot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Out {
    pub gate: u32,
    /// What it is in the parent.
    pub up: u32,
    /// The shortest path to it.
    pub cost: f32,
    /// No path to the goal that goes this way is shorter.
    pub least: f32,
}
