//! The last word: people move, keep out of walls, and where two bodies overlap they are set apart.
//!
//! Three things are promised of what comes out, whatever the models wanted: nobody crosses a wall, nobody is displaced
//! faster than they can go, and no two bodies overlap by more than a millimetre (soft bodies aside, whose model
//! has its own contact). The first two hold because every displacement, wanted or pushed, is swept along the walls and
//! cut to the fastest step. The third: overlaps are shared out in a few passes; who still overlaps after them goes back to
//! where it stood, and so do those who run into them there. Where everybody stood nobody overlapped.

use crate::tally::{Contact, Tally};
use crate::world::World;
use passerby_crowd::{AgentId, Agents, Body, Index};
use passerby_geometry::Vec2;
use passerby_geometry::math;
use passerby_geometry::sweep::disc_hits_segment;
use passerby_geometry::walls::{WallNear, Walls};
use rayon::prelude::*;

/// Buffers of this stage.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Where the models wanted people to be, walls respected.
    walked: Vec<Vec2>,
    /// Rows to be looked at in this pass and in the next one.
    active: Vec<u32>,
    moved: Vec<(u32, Vec2)>,
    contacts: Vec<Contact>,
}

/// Overlap that the separation leaves, m.
const OVERLAP_LEFT: f32 = 0.000_5;
/// Overlap at which somebody is sent back, m. Less than the promised millimetre, because where they go back to may have some.
const OVERLAP_MAX: f32 = 0.000_9;
/// Overlap from which two bodies count as touching, m.
const CONTACT: f32 = 0.001;
/// Passes in which overlaps are shared out before people are sent back.
const PASSES: u32 = 12;
/// Share of their radius that soft bodies keep from walls.
const SOFT_CORE: f32 = 0.5;
const CHUNK: usize = 512;

/// Moves everybody by their velocity, counts who touches, and separates those who overlap.
pub(crate) fn move_and_separate(
    world: &World,
    agents: &mut Agents,
    near: &Index,
    buffers: &mut Buffers,
    tally: &mut Tally,
    dt: f32,
) {
    let soft: Vec<bool> = world.kinds.iter().map(|kind| kind.population.model.soft_bodies()).collect();
    walk(world.map.walls(), agents, &soft, dt);
    buffers.walked.clear();
    buffers.walked.extend_from_slice(&agents.next.position);
    let bodies = Bodies { near, soft: &soft, reach: reach(agents, near, dt) };
    measure(&bodies, agents, buffers, tally);
    if world.separate && !buffers.active.is_empty() {
        separate(world.map.walls(), &bodies, agents, buffers, dt);
    }
    for (row, walked) in buffers.walked.iter().enumerate() {
        agents.pushed[row] = agents.next.position[row] - *walked;
    }
}

/// Everybody's own step, along walls where they meet one. The velocity becomes what was really walked.
fn walk(walls: &Walls, agents: &mut Agents, soft: &[bool], dt: f32) {
    let (id, radius, now) = (&agents.id, &agents.radius, &agents.now);
    let next = &mut agents.next;
    let rows =
        (next.position.par_chunks_mut(CHUNK), next.velocity.par_chunks_mut(CHUNK), next.heading.par_chunks_mut(CHUNK));
    rows.into_par_iter().enumerate().for_each(|(chunk, (position, velocity, heading))| {
        let mut near_walls = Vec::new();
        for i in 0..position.len() {
            let row = chunk * CHUNK + i;
            let from = now.position[row];
            let wanted = velocity[i] * dt;
            let radius = wall_radius(radius[row], soft[id[row].population() as usize]);
            let walked = slide(walls, from, wanted, radius, &mut near_walls);
            position[i] = from + walked;
            if walked != wanted {
                velocity[i] = walked / dt;
            }
            let v = velocity[i];
            // Who stands keeps facing where they faced.
            heading[i] = if v.length_squared() > 0.0025 { math::atan2(v.y, v.x) } else { now.heading[row] };
        }
    });
}

fn wall_radius(radius: f32, soft: bool) -> f32 {
    if soft { SOFT_CORE * radius } else { radius }
}

/// How much of `wanted` a disc can walk: up to the first wall, then along it, three times at the most.
pub(crate) fn slide(walls: &Walls, from: Vec2, wanted: Vec2, radius: f32, near: &mut Vec<WallNear>) -> Vec2 {
    let length = wanted.length();
    if length == 0.0 || walls.clear(from, radius + length + 0.01) {
        return wanted;
    }
    walls.near(from, radius + length + 0.01, near);
    let (mut at, mut left) = (from, wanted);
    for _ in 0..3 {
        let mut first = None;
        for wall in near.iter() {
            if let Some(t) = disc_hits_segment(at, left, radius, &walls.segment(wall.id))
                && first.is_none_or(|(least, _)| t < least)
            {
                first = Some((t, wall.id));
            }
        }
        let Some((t, wall)) = first else { return at + left - from };
        // A hair before the wall, so that rounding does not put anybody behind it.
        let step = left * t;
        at += step * (1.0 - 1e-4 / step.length().max(1e-4)).max(0.0);
        left *= 1.0 - t;
        let away = (at - walls.segment(wall).closest_point(at)).normalize_or_zero();
        left -= away * left.dot(away).min(0.0);
    }
    // In a corner: what is left of the motion is given up.
    at - from
}

/// What the contact passes share.
struct Bodies<'a> {
    near: &'a Index,
    soft: &'a [bool],
    /// How far apart two people can have stood at the start of the step and still touch at its end, beyond their radii.
    reach: f32,
}

/// Twice the longest step anybody may take.
fn reach(agents: &Agents, near: &Index, dt: f32) -> f32 {
    debug_assert_eq!(near.len(), agents.len());
    2.0 * dt * agents.speed_max.iter().fold(0.0, |most: f32, speed| most.max(*speed)) + 0.01
}

impl Bodies<'_> {
    /// Everybody who may touch row `row` at the end of the step. Both being soft, they are left to their model.
    fn partners<'a>(&'a self, agents: &'a Agents, row: usize) -> impl Iterator<Item = (&'a Body, bool)> + 'a {
        let (at, id) = (agents.now.position[row], agents.id[row]);
        let soft = self.soft[id.population() as usize];
        self.near
            .around(at, agents.radius[row] + self.near.radius_max() + self.reach)
            .filter_map(move |body| (body.id != id).then(|| (body, soft && self.soft[body.id.population() as usize])))
    }

    /// The deepest overlap of a row with anybody who is not left to its model, m; negative: the smallest gap.
    fn overlap(&self, agents: &Agents, row: usize) -> f32 {
        let mut deepest = f32::NEG_INFINITY;
        for (other, soft) in self.partners(agents, row) {
            if !soft {
                deepest = deepest.max(overlap(agents, row, other));
            }
        }
        deepest
    }
}

/// By how much two bodies overlap at the end of the step.
fn overlap(agents: &Agents, row: usize, other: &Body) -> f32 {
    let distance = agents.next.position[row].distance(agents.next.position[other.row.index()]);
    agents.radius[row] + other.radius - distance
}

/// Looks at the models' own result: contacts, the deepest overlap, the smallest gap; marks who has to be separated.
fn measure(bodies: &Bodies<'_>, agents: &Agents, buffers: &mut Buffers, tally: &mut Tally) {
    struct Part {
        contacts: Vec<Contact>,
        active: Vec<u32>,
        gap: f32,
    }
    let parts: Vec<Part> = (0..agents.len().div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let mut part = Part { contacts: Vec::new(), active: Vec::new(), gap: f32::INFINITY };
            for slot in chunk * CHUNK..((chunk + 1) * CHUNK).min(agents.len()) {
                let row = bodies.near.bodies()[slot].row.index();
                let mut separate = false;
                for (other, soft) in bodies.partners(agents, row) {
                    let depth = overlap(agents, row, other);
                    part.gap = part.gap.min(-depth);
                    separate |= depth > OVERLAP_LEFT && !soft;
                    if depth > CONTACT && agents.id[row] < other.id {
                        part.contacts.push(Contact { a: agents.id[row], b: other.id });
                    }
                }
                if separate {
                    part.active.push(row as u32);
                }
            }
            part
        })
        .collect();
    buffers.active.clear();
    buffers.contacts.clear();
    let mut gap = f32::INFINITY;
    for part in parts {
        buffers.active.extend(part.active);
        buffers.contacts.extend(part.contacts);
        gap = gap.min(part.gap);
    }
    tally.touched(&mut buffers.contacts, gap);
}

/// Shares overlaps out; sends back who still overlaps.
fn separate(walls: &Walls, bodies: &Bodies<'_>, agents: &mut Agents, buffers: &mut Buffers, dt: f32) {
    let Buffers { active, moved, .. } = buffers;
    for _ in 0..PASSES {
        if active.is_empty() {
            return;
        }
        moved.clear();
        moved.par_extend(
            active
                .par_iter()
                .map_init(Apart::default, |apart, &row| (row, apart.place(walls, bodies, agents, row as usize, dt))),
        );
        for &(row, to) in moved.iter() {
            agents.next.position[row as usize] = to;
        }
        look_again(bodies, agents, active, OVERLAP_LEFT);
    }
    look_again(bodies, agents, active, OVERLAP_MAX);
    while !active.is_empty() {
        let mut sent_back = false;
        for &row in active.iter() {
            let row = row as usize;
            sent_back |= agents.next.position[row] != agents.now.position[row];
            agents.next.position[row] = agents.now.position[row];
            agents.next.velocity[row] = Vec2::ZERO;
        }
        if !sent_back {
            // They overlapped before the step: put so from outside, and nothing left to undo.
            return;
        }
        look_again(bodies, agents, active, OVERLAP_MAX);
    }
}

/// Buffers for setting somebody apart from others.
#[derive(Default)]
struct Apart {
    pushes: Vec<(AgentId, Vec2)>,
    near_walls: Vec<WallNear>,
}

impl Apart {
    /// Where a row goes when it takes its half of each of its overlaps, without crossing a wall or being too fast.
    fn place(&mut self, walls: &Walls, bodies: &Bodies<'_>, agents: &Agents, row: usize, dt: f32) -> Vec2 {
        let (at, from, id) = (agents.next.position[row], agents.now.position[row], agents.id[row]);
        self.pushes.clear();
        for (other, soft) in bodies.partners(agents, row) {
            let depth = overlap(agents, row, other);
            if depth > 0.0 && !soft {
                let offset = at - agents.next.position[other.row.index()];
                let away = offset.normalize_or(if id < other.id { Vec2::X } else { Vec2::NEG_X });
                self.pushes.push((other.id, away * (0.5 * depth + 0.25 * OVERLAP_LEFT)));
            }
        }
        // By id: float addition depends on order, and the order of bodies on the size of the index's cells.
        self.pushes.sort_unstable_by_key(|(id, _)| *id);
        let push = self.pushes.iter().fold(Vec2::ZERO, |sum, (_, push)| sum + *push);
        let radius = wall_radius(agents.radius[row], bodies.soft[id.population() as usize]);
        let to = at + slide(walls, at, push, radius, &mut self.near_walls);
        let (whole, fastest) = (to - from, agents.speed_max[row] * dt);
        if whole.length_squared() <= fastest * fastest {
            return to;
        }
        from + slide(walls, from, whole.clamp_length_max(fastest), radius, &mut self.near_walls)
    }
}

/// From the rows in `active` and those near them, keeps the ones that overlap by more than `limit`.
fn look_again(bodies: &Bodies<'_>, agents: &Agents, active: &mut Vec<u32>, limit: f32) {
    let mut rows: Vec<u32> = active
        .par_iter()
        .flat_map_iter(|&row| {
            let partners = bodies.partners(agents, row as usize).map(|(other, _)| other.row.0);
            std::iter::once(row).chain(partners)
        })
        .collect();
    rows.sort_unstable();
    rows.dedup();
    active.clear();
    active.par_extend(rows.into_par_iter().filter(|&row| bodies.overlap(agents, row as usize) > limit));
}
