//! Bodies that touch: counting them on the models' own result, and setting them apart.
//!
//! Overlaps are shared out in passes: each of two takes half, all at once from the same positions, so that no order matters.
//! In a jam that does not always come to an end. Who still overlaps then takes back half of its step, and in the end all of
//! it, and so do those who run into them there: where everybody stood before the step nobody overlapped, so this
//! ends, and nobody overlaps.

use crate::stages::ground::{slide, wall_radius};
use crate::tally::{Contact, Tally};
use crate::world::World;
use passerby_crowd::{AgentId, Agents, Body, Index};
use passerby_geometry::Vec2;
use passerby_geometry::walls::{WallNear, Walls};
use rayon::prelude::*;

/// Overlap that the separation leaves, m.
const OVERLAP_LEFT: f32 = 0.000_5;
/// Overlap at which somebody goes back, m. Less than the promised millimetre: where they go back to may have some.
const OVERLAP_MAX: f32 = 0.000_9;
/// Overlap from which two bodies count as touching, m.
const CONTACT: f32 = 0.001;
/// Passes in which overlaps are shared out before people go back.
const PASSES: u32 = 16;
const CHUNK: usize = 512;

/// Bodies during one step, and what limits them.
pub(crate) struct Bodies<'a> {
    walls: &'a Walls,
    near: &'a Index,
    /// Which populations have soft bodies.
    soft: &'a [bool],
    /// Which populations walk as recorded: nothing moves them, and who overlaps with them takes all of the separation.
    firm: &'a [bool],
    dt: f32,
    /// How far apart two people can have stood at the start of the step and still touch at its end, beyond their radii.
    reach: f32,
}

/// Buffers for setting people apart.
#[derive(Debug, Default)]
pub(crate) struct Apart {
    parts: Vec<Part>,
    /// Where each slot is at the end of the step.
    next: Vec<Vec2>,
    /// Rows that overlap with somebody.
    active: Vec<u32>,
    contacts: Vec<Contact>,
    /// Rows that may touch a row in this step: `partners[first..end]`, filled when first asked for.
    partners: Vec<u32>,
    known: Vec<(u32, u32)>,
    asked: Vec<u32>,
    marked: Vec<bool>,
    undone: Vec<bool>,
    moved: Vec<(u32, Vec2)>,
    near_walls: Vec<WallNear>,
}

impl<'a> Bodies<'a> {
    pub(crate) fn new(world: &'a World, agents: &Agents, near: &'a Index, dt: f32) -> Self {
        let fastest = agents.speed_max.iter().fold(0.0, |most: f32, speed| most.max(*speed));
        let (walls, soft, firm) = (world.map.walls(), &world.soft, &world.played);
        Self { walls, near, soft, firm, dt, reach: 2.0 * dt * fastest + 0.01 }
    }

    fn is_soft(&self, id: AgentId) -> bool {
        self.soft[id.population() as usize]
    }

    fn is_firm(&self, id: AgentId) -> bool {
        self.firm[id.population() as usize]
    }

    /// Everybody who may touch row `row` at the end of the step.
    fn partners<'b>(&'b self, agents: &Agents, row: usize) -> impl Iterator<Item = &'b Body> + 'b {
        let (at, id, radius) = (agents.now.position[row], agents.id[row], agents.radius[row]);
        let reach = radius + self.reach;
        self.near.around(at, reach + self.near.radius_max()).filter(move |body| {
            let limit = reach + body.radius;
            body.id != id && body.position.distance_squared(at) <= limit * limit
        })
    }
}

/// By how much two rows overlap at the end of the step, m.
fn overlap(agents: &Agents, a: usize, b: usize) -> f32 {
    agents.radius[a] + agents.radius[b] - agents.next.position[a].distance(agents.next.position[b])
}

/// What one task saw.
#[derive(Debug, Default)]
struct Part {
    contacts: Vec<Contact>,
    /// Rows that have to be set apart.
    active: Vec<u32>,
    gap: f32,
}

impl Part {
    /// Looks at every pair whose first slot is one of `slots`; `next` is where each slot is at the end of the step.
    fn look(&mut self, bodies: &Bodies<'_>, next: &[Vec2], slots: std::ops::Range<usize>) {
        // Room for more than there ever is: later steps must not have to ask for it.
        (self.contacts.clear(), self.active.clear());
        (self.contacts.reserve(2 * CHUNK), self.active.reserve(2 * CHUNK));
        self.gap = f32::INFINITY;
        let all = bodies.near.bodies();
        for slot in slots {
            let (me, at) = (&all[slot], next[slot]);
            let range = me.radius + bodies.reach + bodies.near.radius_max();
            for run in bodies.near.slots_around(me.position, range) {
                for other in run.start.max(slot + 1)..run.end {
                    let they = &all[other];
                    let (width, distance2) = (me.radius + they.radius, at.distance_squared(next[other]));
                    // Most pairs neither touch nor are the nearest so far: no root for them.
                    let interesting = width + self.gap.max(0.0);
                    let limit = width + bodies.reach;
                    if distance2 <= interesting * interesting
                        && me.position.distance_squared(they.position) <= limit * limit
                    {
                        self.take(bodies, me, they, width - distance2.sqrt());
                    }
                }
            }
        }
    }

    fn take(&mut self, bodies: &Bodies<'_>, me: &Body, they: &Body, depth: f32) {
        self.gap = self.gap.min(-depth);
        // Two soft bodies are left to their model.
        if depth > OVERLAP_LEFT && !(bodies.is_soft(me.id) && bodies.is_soft(they.id)) {
            self.active.extend([me, they].into_iter().filter(|body| !bodies.is_firm(body.id)).map(|body| body.row.0));
        }
        if depth > CONTACT {
            self.contacts.push(Contact { a: me.id.min(they.id), b: me.id.max(they.id) });
        }
    }
}

/// Looks at the models' own result: contacts, the smallest gap; marks who has to be set apart.
pub(crate) fn measure(bodies: &Bodies<'_>, agents: &Agents, apart: &mut Apart, tally: &mut Tally) {
    let Apart { parts, next, active, contacts, .. } = apart;
    // In the order of slots: who stand together lie together.
    next.resize(agents.len(), Vec2::ZERO);
    let slots = bodies.near.bodies().par_chunks(CHUNK).zip(next.par_chunks_mut(CHUNK));
    slots.for_each(|(bodies, next)| {
        bodies.iter().zip(next).for_each(|(body, next)| *next = agents.next.position[body.row.index()]);
    });
    parts.resize_with(agents.len().div_ceil(CHUNK), Part::default);
    parts.par_iter_mut().enumerate().for_each(|(chunk, part)| {
        part.look(bodies, next, chunk * CHUNK..((chunk + 1) * CHUNK).min(agents.len()));
    });
    (active.clear(), contacts.clear());
    (active.reserve(2 * agents.len()), contacts.reserve(2 * agents.len()));
    let mut gap = f32::INFINITY;
    for part in parts {
        active.extend(&part.active);
        contacts.extend(&part.contacts);
        gap = gap.min(part.gap);
    }
    // Somebody may be in several pairs.
    active.sort_unstable();
    active.dedup();
    tally.touched(contacts, gap);
}

/// Sets apart who overlaps. Afterwards no two bodies overlap by more than a millimetre, unless they did before the step.
pub(crate) fn separate(bodies: &Bodies<'_>, agents: &mut Agents, apart: &mut Apart) {
    if apart.active.is_empty() {
        return;
    }
    apart.begin(agents.len());
    for _ in 0..PASSES {
        if apart.active.is_empty() {
            break;
        }
        apart.share_out(bodies, agents);
        apart.look_again(bodies, agents, OVERLAP_LEFT);
    }
    apart.look_again(bodies, agents, OVERLAP_MAX);
    for share in [0.5, 0.0] {
        apart.go_back(bodies, agents, share);
    }
    apart.end();
}

impl Apart {
    fn begin(&mut self, people: usize) {
        self.known.resize(people, (0, 0));
        self.marked.resize(people, false);
        self.partners.clear();
        (self.partners.reserve(8 * people), self.asked.reserve(people), self.moved.reserve(people));
    }

    /// Forgets partners, so that the next step asks anew.
    fn end(&mut self) {
        for row in self.asked.drain(..) {
            self.known[row as usize] = (0, 0);
        }
    }

    /// The rows that may touch `row` and are not left to their model, by id: as a range of `self.partners`.
    fn partners_of(&mut self, bodies: &Bodies<'_>, agents: &Agents, row: usize) -> std::ops::Range<usize> {
        if self.known[row] == (0, 0) {
            let first = self.partners.len();
            let soft = bodies.is_soft(agents.id[row]);
            let firm = bodies.partners(agents, row).filter(|other| !(soft && bodies.is_soft(other.id)));
            self.partners.extend(firm.map(|other| other.row.0));
            // By id: float addition depends on order, and the order of the index on the size of its cells.
            self.partners[first..].sort_unstable_by_key(|other| agents.id[*other as usize]);
            // One more than the range, so that an empty one is not taken for an unknown one.
            self.known[row] = (first as u32, self.partners.len() as u32 + 1);
            self.asked.push(row as u32);
        }
        let (first, end) = self.known[row];
        first as usize..end as usize - 1
    }

    /// Each active row takes its half of each of its overlaps, all from the same positions.
    fn share_out(&mut self, bodies: &Bodies<'_>, agents: &mut Agents) {
        self.moved.clear();
        for i in 0..self.active.len() {
            let row = self.active[i] as usize;
            let (at, mut push) = (agents.next.position[row], Vec2::ZERO);
            for k in self.partners_of(bodies, agents, row) {
                let other = self.partners[k] as usize;
                let depth = overlap(agents, row, other);
                if depth > 0.0 {
                    let aside = if agents.id[row] < agents.id[other] { Vec2::X } else { Vec2::NEG_X };
                    let away = (at - agents.next.position[other]).normalize_or(aside);
                    let share = if bodies.is_firm(agents.id[other]) { 1.0 } else { 0.5 };
                    push += away * (share * depth + 0.25 * OVERLAP_LEFT);
                }
            }
            let to = self.limited(bodies, agents, row, push);
            self.moved.push((row as u32, to));
        }
        for &(row, to) in &self.moved {
            agents.next.position[row as usize] = to;
        }
    }

    /// Where a push takes a row that neither crosses a wall nor is faster than it can be.
    fn limited(&mut self, bodies: &Bodies<'_>, agents: &Agents, row: usize, push: Vec2) -> Vec2 {
        let (at, from) = (agents.next.position[row], agents.now.position[row]);
        let radius = wall_radius(agents.radius[row], bodies.is_soft(agents.id[row]));
        let to = at + slide(bodies.walls, at, push, radius, &mut self.near_walls);
        let (whole, fastest) = (to - from, agents.speed_max[row] * bodies.dt);
        if whole.length_squared() <= fastest * fastest {
            return to;
        }
        from + slide(bodies.walls, from, whole.clamp_length_max(fastest), radius, &mut self.near_walls)
    }

    /// Who overlaps keeps only a share of its step, as long as that helps anybody.
    fn go_back(&mut self, bodies: &Bodies<'_>, agents: &mut Agents, share: f32) {
        if !self.active.is_empty() {
            self.undone.clear();
            self.undone.resize(agents.len(), false);
        }
        while !self.active.is_empty() {
            let mut any = false;
            for &row in &self.active {
                let row = row as usize;
                if !std::mem::replace(&mut self.undone[row], true) {
                    any = true;
                    let from = agents.now.position[row];
                    let step = share * (agents.next.position[row] - from);
                    let radius = wall_radius(agents.radius[row], bodies.is_soft(agents.id[row]));
                    agents.next.position[row] = from + slide(bodies.walls, from, step, radius, &mut self.near_walls);
                    agents.next.velocity[row] *= share;
                }
            }
            if !any {
                return;
            }
            self.look_again(bodies, agents, OVERLAP_MAX);
        }
    }

    /// From the active rows and those near them, keeps the ones that overlap by more than `limit`.
    fn look_again(&mut self, bodies: &Bodies<'_>, agents: &Agents, limit: f32) {
        let mut rows = std::mem::take(&mut self.active);
        let active = rows.len();
        rows.iter().for_each(|row| self.marked[*row as usize] = true);
        for i in 0..active {
            for k in self.partners_of(bodies, agents, rows[i] as usize) {
                let other = self.partners[k];
                if !std::mem::replace(&mut self.marked[other as usize], true) {
                    rows.push(other);
                }
            }
        }
        rows.iter().for_each(|row| self.marked[*row as usize] = false);
        rows.retain(|&row| {
            let row = row as usize;
            !bodies.is_firm(agents.id[row])
                && self
                    .partners_of(bodies, agents, row)
                    .any(|k| overlap(agents, row, self.partners[k] as usize) > limit)
        });
        self.active = rows;
    }
}
