//! Queries: two climbs, from the start's cell and from the goal's, meet where one node holds both.
//!
//! Lamarche and Donikian 2004, section 3.3. Of the tree only what holds the start or the goal is opened; all other nodes on
//! the way are crossed by their stored paths. The result is partly abstract: portals are looked up one by one, when
//! somebody wants them.
//!
//! A shortest path is found in the uppermost node whose children it changes between. So climbs go on above the lowest
//! node that holds both ends, for as long as a path that leaves it could be shorter.

use crate::climb::Climb;
use crate::hierarchy::{Crossing, Hierarchy};
use crate::landmarks::Aim;
use crate::meeting::{Meeting, Meetings};
use crate::roadmap::Across;
use crate::subdivision::{CellId, Spot, Subdivision, passes};

const NONE: u32 = u32::MAX;

/// How often a limit is tried before all paths are looked at.
const WIDER: usize = 4;

/// Part of a path: across a node from one of its places to another.
#[derive(Debug, Clone, Copy)]
struct Step {
    slot: u32,
    place: u16,
    goal: u16,
}

/// The memory of queries, and the route that the last one has found. Keep one per thread: after the first few queries
/// nothing is allocated.
#[derive(Debug, Clone, Default)]
pub struct Routing {
    /// From the start, and from the goal.
    climbs: [Climb; 2],
    meetings: Meetings,
    walk: Vec<(u32, Option<usize>, f64)>,
    /// Gates of the start's and the goal's cell that are in reach.
    reach: [Vec<bool>; 2],
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
        let [mut leaving, mut arriving] = std::mem::take(&mut self.reach);
        let together = self.reach(hierarchy, subdivision, triangles, &mut leaving);
        self.reach(hierarchy, subdivision, [triangles[1], triangles[0]], &mut arriving);
        self.reach = [leaving, arriving];
        if start == goal && together {
            return Some(from.at.distance(to.at));
        }
        let aim = hierarchy.landmarks.aim(&hierarchy.tree, &hierarchy.middles, [start, goal], [from.at, to.at]);
        let found = self.shortest(hierarchy, [start, goal], aim)?;
        self.trace(hierarchy, &found);
        Some(found.length)
    }

    /// Searches within a limit that most paths keep to, and again within a wider one where that was too short.
    fn shortest(&mut self, hierarchy: &Hierarchy, cells: [u32; 2], aim: Aim) -> Option<Meeting> {
        let least = aim.least();
        let mut limit = hierarchy.landmarks.expected(&aim);
        for _ in 0..WIDER {
            let found = self.search(hierarchy, cells, aim, limit);
            if ample(found.length) <= limit {
                return Some(found);
            }
            // One that is too long bounds the shortest.
            limit = if found.slot == NONE { limit + 3.0 * (limit - least) } else { ample(ample(found.length)) };
        }
        Some(self.search(hierarchy, cells, aim, f32::INFINITY)).filter(|found| found.slot != NONE)
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

    /// The shortest path that is not longer than a limit; others may be found or not.
    fn search(&mut self, hierarchy: &Hierarchy, cells: [u32; 2], aim: Aim, limit: f32) -> Meeting {
        let roadmap = &hierarchy.roadmap;
        let [up, down] = &mut self.climbs;
        up.begin(hierarchy, cells[0], &self.reach[0], aim);
        down.begin(hierarchy, cells[1], &self.reach[1], aim.turned());
        let mut best = Meeting::NOWHERE;
        loop {
            let parents = [&*up, &*down].map(|climb| climb.last().head.parent);
            if parents == [NONE; 2] {
                return best;
            }
            // Parents have lower slots than their children, so the node that holds both is not climbed past.
            if parents[0] != parents[1] {
                let first = parents[1] == NONE || (parents[0] != NONE && parents[0] > parents[1]);
                self.expanded += if first { up.rise(roadmap, limit) } else { down.rise(roadmap, limit) };
                continue;
            }
            let within = |length: f32| ample(length).min(limit);
            self.expanded += self.meetings.meet(roadmap, parents[0], [up, down], within, &mut best);
            let limit = within(best.length);
            self.expanded += up.rise(roadmap, limit);
            if up.ways_out(roadmap, up.last()).all(|out| out.least >= limit) {
                return best;
            }
            self.expanded += down.rise(roadmap, limit);
        }
    }

    /// Turns the way to a meeting and on from there into steps, the last one first.
    fn trace(&mut self, hierarchy: &Hierarchy, meeting: &Meeting) {
        let roadmap = &hierarchy.roadmap;
        let mut gate = meeting.gates[1];
        for number in (1..=meeting.rungs[1]).rev() {
            let rung = self.climbs[1].rungs[number];
            let (below, place) = self.climbs[1].origin(roadmap, number, gate);
            if let Some(place) = place {
                // This climb was from the goal: the path goes the other way.
                let goal = rung.head.turned(place) as u16;
                self.steps.push(Step { slot: rung.slot, place: gate as u16, goal });
            }
            gate = below;
        }
        self.steps.reverse();
        let [place, goal] = meeting.places.map(|place| place as u16);
        if place != goal {
            self.steps.push(Step { slot: meeting.slot, place, goal });
        }
        let mut gate = meeting.gates[0];
        for number in (1..=meeting.rungs[0]).rev() {
            let slot = self.climbs[0].rungs[number].slot;
            let (below, place) = self.climbs[0].origin(roadmap, number, gate);
            if let Some(place) = place {
                self.steps.push(Step { slot, place: place as u16, goal: gate as u16 });
            }
            gate = below;
        }
        self.first = Some(hierarchy.crossing(roadmap.gates(&self.climbs[0].rungs[0].head)[gate as usize]));
    }

    /// The next portal of the route that was found, or `None` at its end.
    pub fn next_crossing(&mut self, hierarchy: &Hierarchy) -> Option<Crossing> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            let Step { slot, place, goal } = self.steps.pop()?;
            match hierarchy.roadmap.step(slot, place, goal) {
                Across::Cell(gate) => return Some(hierarchy.crossing(gate)),
                Across::Child { hop, child, gates: [place, exit] } => {
                    if hop != goal {
                        self.steps.push(Step { slot, place: hop, goal });
                    }
                    self.steps.push(Step { slot: child, place, goal: exit });
                }
            }
        }
    }

    /// Puts all portals of the route that are left into `out`. Clears `out` before.
    pub fn crossings(&mut self, hierarchy: &Hierarchy, out: &mut Vec<Crossing>) {
        out.clear();
        while let Some(crossing) = self.next_crossing(hierarchy) {
            out.push(crossing);
        }
    }

    /// How many rows of stored paths the last query has looked at.
    pub fn expanded(&self) -> u32 {
        self.expanded
    }
}

/// A length with room for rounding.
fn ample(length: f32) -> f32 {
    length * 1.00001 + 1e-3
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
