//! Routes with costs that change: A* over all portals, where each may cost more than its length.
//!
//! Stored paths cannot know that a door is crowded or that a group stands in a passage. Whoever has to care for that searches
//! the cells themselves: ten times as long as over the tree, and only for the few who need it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::hierarchy::Crossing;
use crate::pace::Paces;
use crate::subdivision::{CellId, PortalId, Spot, Subdivision, passes};

const NONE: u32 = u32::MAX;

/// What makes routes dearer than they are long.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Costs<'a> {
    /// For each portal m on top, for each portal; nothing where it ends. Not negative.
    pub extra: &'a [f32],
    /// What one of the portals costs on top for who asks: who is at the head of a queue does not wait for all of it, and
    /// nobody passes a portal that costs infinitely much.
    pub own: Option<(PortalId, f32)>,
    /// Where people are slower or faster.
    pub paces: &'a Paces,
}

impl Costs<'_> {
    /// What a portal costs on top.
    pub fn of(&self, subdivision: &Subdivision, portal: PortalId) -> f32 {
        match self.own {
            Some((own, extra)) if own == portal => extra,
            _ if subdivision.is_closed(portal) => f32::INFINITY,
            _ => self.extra.get(portal.0 as usize).copied().unwrap_or(0.0),
        }
    }
}

/// The memory of searches. Keep one per thread: after the first few nothing is allocated.
#[derive(Debug, Clone, Default)]
pub(crate) struct Detours {
    /// For each portal, entered from its right and from its left: the query that has reached it, at which cost, from where.
    states: Vec<State>,
    query: u32,
    queue: BinaryHeap<Reverse<u64>>,
    walk: Vec<(u32, Option<usize>, f64)>,
    arriving: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct State {
    query: u32,
    cost: f32,
    from: u32,
}

impl Detours {
    /// Puts the portals of the cheapest route for discs of a width into `out`, and gives its cost, m over the middles of
    /// portals. `None` if there is none, or one of the spots is off the floor. Clears `out` before.
    pub fn find(
        &mut self,
        subdivision: &Subdivision,
        width: f64,
        costs: Costs<'_>,
        [from, to]: [Spot; 2],
        out: &mut Vec<Crossing>,
    ) -> Option<f32> {
        out.clear();
        let [start, goal] = [subdivision.triangle_at(from)?, subdivision.triangle_at(to)?];
        self.begin(subdivision);
        let mut arriving = std::mem::take(&mut self.arriving);
        arriving.clear();
        let mut together = false;
        subdivision.walk_cell(
            goal,
            None,
            &mut self.walk,
            |portal, room| arriving.extend(passes(width, room).then_some(portal)),
            |triangle, room| together |= triangle == start && passes(width, room),
        );
        self.arriving = arriving;
        if together {
            return Some(costs.paces.metres(from.at, to.at));
        }
        let search = Search { subdivision, width, costs, to, fastest: costs.paces.fastest() };
        self.leave(&search, start, from);
        let (cost, last) = self.run(&search, subdivision.cell_of[goal as usize])?;
        let mut state = last;
        while state != NONE {
            out.push(search.crossing(state));
            state = self.states[state as usize].from;
        }
        out.reverse();
        Some(cost)
    }

    fn begin(&mut self, subdivision: &Subdivision) {
        self.states.resize(2 * subdivision.portals().len(), State::default());
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.states.fill(State::default());
            self.query = 1;
        }
        self.queue.clear();
    }

    /// Reaches the portals of the cell in which the route starts.
    fn leave(&mut self, search: &Search<'_>, start: u32, from: Spot) {
        let (mut walk, cell) = (std::mem::take(&mut self.walk), search.subdivision.cell_of[start as usize]);
        let reach = |portal: u32, room: f64| {
            if passes(search.width, room) {
                let cost = search.costs.paces.metres(from.at, search.middle(portal));
                self.reach(search, portal, cell, cost, NONE);
            }
        };
        search.subdivision.walk_cell(start, None, &mut walk, reach, |_, _| ());
        self.walk = walk;
    }

    /// Notes that a portal is reached from within a cell, if that is cheaper than what is known.
    fn reach(&mut self, search: &Search<'_>, portal: u32, cell: u32, cost: f32, from: u32) {
        let cells = search.subdivision.portal(PortalId(portal)).cells;
        let cost = cost + search.costs.of(search.subdivision, PortalId(portal));
        if cost == f32::INFINITY || cells[0] == cells[1] {
            return;
        }
        let number = 2 * portal + u32::from(cells[0] == CellId(cell));
        let state = &mut self.states[number as usize];
        if state.query != self.query || cost < state.cost {
            *state = State { query: self.query, cost, from };
            let key = cost + search.rest(portal);
            self.queue.push(Reverse(u64::from(key.to_bits()) << 32 | u64::from(number)));
        }
    }

    fn run(&mut self, search: &Search<'_>, goal: u32) -> Option<(f32, u32)> {
        let mut best = (f32::INFINITY, NONE);
        while let Some(Reverse(first)) = self.queue.pop() {
            let (key, number) = (f32::from_bits((first >> 32) as u32), first as u32);
            if key >= best.0 {
                break;
            }
            let (portal, cost) = (number / 2, self.states[number as usize].cost);
            let rest = search.rest(portal);
            // A cheaper way to it has been followed since.
            if key > cost + rest {
                continue;
            }
            let cell = search.crossing(number).into;
            if cell.0 == goal && self.arriving.contains(&portal) {
                let whole = cost + search.costs.paces.metres(search.middle(portal), search.to.at);
                if whole < best.0 {
                    best = (whole, number);
                }
                continue;
            }
            let (portals, widths) = (search.subdivision.portals_of(cell), search.subdivision.turn_widths(cell));
            let Some(row) = portals.iter().position(|p| p.0 == portal) else { continue };
            for (next, room) in portals.iter().zip(&widths[row * portals.len()..]) {
                if next.0 != portal && passes(search.width, *room) {
                    let piece = search.costs.paces.metres(search.middle(portal), search.middle(next.0));
                    self.reach(search, next.0, cell.0, cost + piece, number);
                }
            }
        }
        (best.1 != NONE).then_some(best)
    }
}

/// What one search is about.
struct Search<'a> {
    subdivision: &'a Subdivision,
    width: f64,
    costs: Costs<'a>,
    to: Spot,
    fastest: f32,
}

impl Search<'_> {
    fn middle(&self, portal: u32) -> passerby_geometry::Vec2 {
        self.subdivision.portal(PortalId(portal)).middle().as_vec2()
    }

    /// What is left to the goal from a portal, at least.
    fn rest(&self, portal: u32) -> f32 {
        self.middle(portal).distance(self.to.at) / self.fastest
    }

    fn crossing(&self, state: u32) -> Crossing {
        let portal = PortalId(state / 2);
        Crossing { portal, into: self.subdivision.portal(portal).cells[(state % 2) as usize] }
    }
}
