//! Bodies that touch: counting them on the models' own result, and setting them apart.
//!
//! Overlaps are shared out in passes: each of two takes half, all at once from the same positions, so that no order matters.
//! In a jam that does not always come to an end. Who still overlaps then takes back half of its step, and in the end all of
//! it, and so do those who run into them there: where everybody stood before the step nobody overlapped, so this
//! ends, and nobody overlaps.

use crate::partners::Partners;
use crate::per_thread::PerThread;
use crate::stages::ground::{WALLS_NEAR, slide, wall_radius};
use crate::stages::situations::Gates;
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
    /// What is closed to whom.
    gates: Option<Gates<'a>>,
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
    partners: Partners,
    marked: Vec<bool>,
    undone: Vec<bool>,
    /// For each active row where it goes, or whether it stays active.
    moved: Vec<Vec2>,
    stays: Vec<bool>,
    near_walls: PerThread<Vec<WallNear>>,
}

impl<'a> Bodies<'a> {
    pub(crate) fn new(world: &'a World, agents: &Agents, gates: Option<Gates<'a>>, near: &'a Index, dt: f32) -> Self {
        let fastest = agents.speed_max.iter().fold(0.0, |most: f32, speed| most.max(*speed));
        let (walls, soft, firm) = (world.map.walls(), &world.soft, &world.played);
        Self { walls, gates, near, soft, firm, dt, reach: 2.0 * dt * fastest + 0.01 }
    }

    pub(crate) fn is_soft(&self, id: AgentId) -> bool {
        self.soft[id.population() as usize]
    }

    fn is_firm(&self, id: AgentId) -> bool {
        self.firm[id.population() as usize]
    }

    /// Where a disc gets to that wants to go so far: up to walls and what is closed to it.
    fn slide(
        &self,
        (id, row): (AgentId, usize),
        from: Vec2,
        wanted: Vec2,
        radius: f32,
        near_walls: &mut Vec<WallNear>,
    ) -> Vec2 {
        let to = from + slide(self.walls, from, wanted, radius, near_walls);
        self.gates.map_or(to, |gates| gates.until(id, row, from, to))
    }

    /// Everybody who may touch row `row` at the end of the step.
    pub(crate) fn partners<'b>(&'b self, agents: &Agents, row: usize) -> impl Iterator<Item = &'b Body> + 'b {
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
}

impl Apart {
    fn begin(&mut self, people: usize) {
        self.partners.begin(people);
        self.near_walls.prepare_with(|| Vec::with_capacity(WALLS_NEAR));
        self.marked.resize(people, false);
        // Room for everybody, counted from nobody: later steps must not have to ask for it.
        (self.moved.clear(), self.stays.clear(), self.undone.clear());
        (self.moved.reserve(people), self.stays.reserve(people), self.undone.reserve(people));
    }

    /// Each active row takes its half of each of its overlaps, all from the same positions.
    fn share_out(&mut self, bodies: &Bodies<'_>, agents: &mut Agents) {
        let Apart { active, partners, moved, near_walls, .. } = self;
        partners.ask(bodies, agents, active);
        moved.clear();
        moved.resize(active.len(), Vec2::ZERO);
        let chunks = active.par_chunks(CHUNK).zip(moved.par_chunks_mut(CHUNK));
        chunks.for_each(|(rows, moved)| {
            let mut near_walls = near_walls.mine();
            for (row, to) in rows.iter().zip(moved) {
                let row = *row as usize;
                let push = push(bodies, agents, row, partners.of(row));
                *to = limited(bodies, agents, row, push, &mut near_walls);
            }
        });
        for (row, to) in active.iter().zip(moved) {
            agents.next.position[*row as usize] = *to;
        }
    }

    /// Who overlaps keeps only a share of its step, as long as that helps anybody.
    fn go_back(&mut self, bodies: &Bodies<'_>, agents: &mut Agents, share: f32) {
        if !self.active.is_empty() {
            self.undone.clear();
            self.undone.resize(agents.len(), false);
        }
        while !self.active.is_empty() {
            let mut any = false;
            let mut near_walls = self.near_walls.mine();
            for &row in &self.active {
                let row = row as usize;
                if !std::mem::replace(&mut self.undone[row], true) {
                    any = true;
                    let from = agents.now.position[row];
                    let step = share * (agents.next.position[row] - from);
                    let radius = wall_radius(agents.radius[row], bodies.is_soft(agents.id[row]));
                    agents.next.position[row] =
                        bodies.slide((agents.id[row], row), from, step, radius, &mut near_walls);
                    agents.next.velocity[row] *= share;
                }
            }
            drop(near_walls);
            if !any {
                return;
            }
            self.look_again(bodies, agents, OVERLAP_MAX);
        }
    }

    /// From the active rows and those near them, keeps the ones that overlap by more than `limit`.
    fn look_again(&mut self, bodies: &Bodies<'_>, agents: &Agents, limit: f32) {
        let Apart { active: rows, partners, marked, stays, .. } = self;
        partners.ask(bodies, agents, rows);
        rows.iter().for_each(|row| marked[*row as usize] = true);
        for i in 0..rows.len() {
            for &other in partners.of(rows[i] as usize) {
                if !std::mem::replace(&mut marked[other as usize], true) {
                    rows.push(other);
                }
            }
        }
        rows.iter().for_each(|row| marked[*row as usize] = false);
        partners.ask(bodies, agents, rows);
        stays.clear();
        stays.resize(rows.len(), false);
        rows.par_chunks(CHUNK).zip(stays.par_chunks_mut(CHUNK)).for_each(|(rows, stays)| {
            for (row, stays) in rows.iter().zip(stays) {
                let row = *row as usize;
                *stays = !bodies.is_firm(agents.id[row])
                    && partners.of(row).iter().any(|&other| overlap(agents, row, other as usize) > limit);
            }
        });
        let mut stays = stays.iter();
        rows.retain(|_| stays.next() == Some(&true));
    }
}

/// The halves of all overlaps of a row, added up.
fn push(bodies: &Bodies<'_>, agents: &Agents, row: usize, partners: &[u32]) -> Vec2 {
    let (at, mut push) = (agents.next.position[row], Vec2::ZERO);
    for &other in partners {
        let other = other as usize;
        let depth = overlap(agents, row, other);
        if depth > 0.0 {
            let aside = if agents.id[row] < agents.id[other] { Vec2::X } else { Vec2::NEG_X };
            let away = (at - agents.next.position[other]).normalize_or(aside);
            let share = if bodies.is_firm(agents.id[other]) { 1.0 } else { 0.5 };
            push += away * (share * depth + 0.25 * OVERLAP_LEFT);
        }
    }
    push
}

/// Where a push takes a row that neither crosses a wall nor is faster than it can be.
fn limited(bodies: &Bodies<'_>, agents: &Agents, row: usize, push: Vec2, near_walls: &mut Vec<WallNear>) -> Vec2 {
    let (at, from) = (agents.next.position[row], agents.now.position[row]);
    let radius = wall_radius(agents.radius[row], bodies.is_soft(agents.id[row]));
    let to = bodies.slide((agents.id[row], row), at, push, radius, near_walls);
    let (whole, fastest) = (to - from, agents.speed_max[row] * bodies.dt);
    if whole.length_squared() <= fastest * fastest {
        return to;
    }
    bodies.slide((agents.id[row], row), from, whole.clamp_length_max(fastest), radius, near_walls)
}
