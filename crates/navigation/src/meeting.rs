//! Where two climbs meet: the shortest path through a node from one of its children to one of them, perhaps the same.

use crate::climb::{Climb, Out};
use crate::roadmap::Roadmap;
use crate::table::{Block, WIDE};

/// A path that leads from the last rung of one climb to that of another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meeting {
    /// m, or infinity.
    pub length: f32,
    /// The slot of the node.
    pub slot: u32,
    /// The rungs below the node.
    pub rungs: [usize; 2],
    /// By which of their gates they are left and entered.
    pub gates: [u32; 2],
    /// The places in the node from which one goes on there.
    pub places: [u32; 2],
}

impl Meeting {
    pub const NOWHERE: Meeting =
        Meeting { length: f32::INFINITY, slot: u32::MAX, rungs: [0; 2], gates: [0; 2], places: [0; 2] };
}

/// The memory of meetings.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meetings {
    /// For each place of the node what it costs to go on from there to the goal, without leaving the child that holds it.
    ahead: Vec<Block>,
    /// Those of its blocks that matter.
    blocks: Vec<u32>,
}

impl Meetings {
    /// Tries all paths through the node in a slot from the last rung of one climb to that of another, both of them children of
    /// the node; `within` says from what length on a path need not be looked at, if one of some length is known. Gives how
    /// many rows were looked at.
    pub fn meet(
        &mut self,
        roadmap: &Roadmap,
        slot: u32,
        climbs: [&Climb; 2],
        within: impl Fn(f32) -> f32,
        best: &mut Meeting,
    ) -> u32 {
        let head = roadmap.heads[slot as usize];
        let [outs, ins] = climbs.map(|climb| Shared { roadmap, climb, gates: head.gates });
        let rungs = climbs.map(|climb| climb.rungs.len() - 1);
        self.ahead.clear();
        self.ahead.resize(head.width(), [f32::INFINITY; WIDE]);
        for enter in ins.all() {
            let place = head.turned(enter.up) as usize;
            self.ahead[place / WIDE][place % WIDE] = enter.cost;
        }
        // Straight from one child into the other.
        for out in outs.all() {
            let length = out.cost + self.ahead[out.up as usize / WIDE][out.up as usize % WIDE];
            if length < best.length {
                *best = Meeting { length, slot, rungs, gates: [out.gate; 2], places: [out.up; 2] };
            }
        }
        // To and fro between the children.
        let limit = within(best.length);
        self.blocks.clear();
        let enters = ins.all().filter(|enter| enter.least < limit);
        self.blocks.extend(enters.map(|enter| head.turned(enter.up) / WIDE as u32));
        self.blocks.sort_unstable();
        self.blocks.dedup();
        let mut rows = 0;
        for out in outs.all().filter(|out| out.least < limit) {
            rows += 1;
            if let Some((length, place)) = self.shortest(roadmap.row(&head, out.up), out.cost, best.length) {
                *best = Meeting { length, slot, rungs, gates: [out.gate; 2], places: [out.up, place] };
            }
        }
        if best.slot == slot {
            let entered = ins.all().find(|enter| head.turned(enter.up) == best.places[1]);
            best.gates[1] = entered.map_or(0, |enter| enter.gate);
        }
        rows
    }

    /// The shortest path along a row and then ahead if it is below a limit, and the place where it leaves the row.
    fn shortest(&self, row: &[Block], first: f32, limit: f32) -> Option<(f32, u32)> {
        let mut best = (limit, None);
        for &block in &self.blocks {
            let (across, ahead) = (&row[block as usize], &self.ahead[block as usize]);
            let lengths: Block = std::array::from_fn(|lane| first + across[lane] + ahead[lane]);
            let least = lengths.iter().fold(f32::INFINITY, |a, &b| if b < a { b } else { a });
            if least < best.0 {
                let lane = lengths.iter().position(|&length| length == least).unwrap_or(0);
                best = (least, Some(block * WIDE as u32 + lane as u32));
            }
        }
        best.1.map(|place| (best.0, place))
    }
}

/// The ways out of the last rung of a climb that lead to other children of the same node.
struct Shared<'a> {
    roadmap: &'a Roadmap,
    climb: &'a Climb,
    /// How many gates the node has.
    gates: u32,
}

impl Shared<'_> {
    fn all(&self) -> impl Iterator<Item = Out> + '_ {
        self.climb.ways_out(self.roadmap, self.climb.last()).filter(|out| out.up >= self.gates)
    }
}
