//! Many walkers of one model at once.

use crate::{Model, Neighbour, Seen, Walker, orca};
use passerby_crowd::search::{Group, Nearest};
use passerby_crowd::{Agents, Index, Slot};
use passerby_geometry::lanes::Width;
use passerby_geometry::walls::{WallNear, Walls};
use passerby_geometry::{Segment, Vec2};

/// What walkers of one model share when they decide.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// Everybody, sorted in space.
    pub index: &'a Index,
    /// The columns; rows are those of the index.
    pub agents: &'a Agents,
    /// Velocity each row would choose if alone.
    pub desired: &'a [Vec2],
    /// The walls.
    pub walls: &'a Walls,
    /// How many others each looks at, at most [`NEAREST_MAX`].
    pub nearest: u32,
    /// How far each looks, m.
    pub range: f32,
    /// Length of the step, s.
    pub dt: f32,
    /// Which lanes to use: changes the time, never the result.
    pub width: Width,
}

/// How many neighbours a walker can look at.
pub const NEAREST_MAX: u32 = 32;

/// Buffers of one thread.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) ten: Box<Nearest<10>>,
    pub(crate) many: Box<Nearest<{ NEAREST_MAX as usize }>>,
    pub(crate) near_walls: Vec<WallNear>,
    pub(crate) walls: Vec<Segment>,
    neighbours: Vec<Neighbour>,
    pub(crate) orca: Box<orca::Buffers>,
}

/// Chooses the velocity of each of `slots` (ascending, all of one model) and writes it to the same place of `out`.
pub fn choose(model: &Model, batch: &Batch<'_>, slots: &[Slot], out: &mut [Vec2], scratch: &mut Scratch) {
    match model {
        Model::Straight => {
            for (slot, out) in slots.iter().zip(out) {
                *out = batch.desired[batch.index.body(*slot).row.index()];
            }
        }
        Model::Headway(p) => each(batch, slots, out, scratch, p.sight(), |me, seen| p.steer(me, seen)),
        Model::Orca(p) => p.choose(batch, slots, out, scratch),
        Model::Helbing1995(p) => each(batch, slots, out, scratch, p.sight(), |me, seen| p.steer(me, seen, batch.dt)),
        Model::Helbing2000(p) => each(batch, slots, out, scratch, p.sight(), |me, seen| p.steer(me, seen, batch.dt)),
    }
}

impl Batch<'_> {
    /// The walker in a slot.
    pub(crate) fn walker(&self, slot: Slot) -> Walker {
        let body = self.index.body(slot);
        let row = body.row.index();
        Walker {
            id: body.id,
            position: body.position,
            velocity: body.velocity,
            radius: body.radius,
            mass: self.agents.mass[row],
            desired: self.desired[row],
            speed_max: self.agents.speed_max[row],
        }
    }

    /// Who is in a slot, as a walker sees it.
    fn neighbour(&self, slot: Slot) -> Neighbour {
        let body = self.index.body(slot);
        Neighbour {
            id: body.id,
            position: body.position,
            velocity: body.velocity,
            radius: body.radius,
            share: body.share,
        }
    }

    /// Puts the walls within `range` of `at` into `walls`, nearest first.
    pub(crate) fn see_walls(&self, at: Vec2, range: f32, near: &mut Vec<WallNear>, walls: &mut Vec<Segment>) {
        walls.clear();
        if !self.walls.clear(at, range) {
            self.walls.near(at, range, near);
            walls.extend(near.iter().map(|wall| self.walls.segment(wall.id)));
        }
    }
}

/// Runs a model that looks at one walker at a time over all `slots`. `wall_range` is how far it sees walls.
fn each(
    batch: &Batch<'_>,
    slots: &[Slot],
    out: &mut [Vec2],
    scratch: &mut Scratch,
    wall_range: f32,
    steer: impl Fn(&Walker, &Seen<'_>) -> Vec2,
) {
    let Scratch { ten, many, near_walls, walls, neighbours, .. } = scratch;
    let mut rest = slots;
    let mut out = out.iter_mut();
    while let Some((group, left)) = Group::split_first(batch.index, rest) {
        rest = left;
        let few = batch.nearest <= 10;
        if few {
            ten.find_with(batch.width, batch.index, &group, batch.range);
        } else {
            many.find_with(batch.width, batch.index, &group, batch.range);
        }
        for (lane, slot) in group.slots().enumerate() {
            neighbours.clear();
            if few {
                neighbours.extend(ten.of(lane).take(batch.nearest as usize).map(|slot| batch.neighbour(slot)));
            } else {
                neighbours.extend(many.of(lane).take(batch.nearest as usize).map(|slot| batch.neighbour(slot)));
            }
            let me = batch.walker(slot);
            batch.see_walls(me.position, me.radius + wall_range, near_walls, walls);
            if let Some(out) = out.next() {
                *out = steer(&me, &Seen { neighbours, walls });
            }
        }
    }
}

#[cfg(test)]
#[path = "batch_test.rs"]
mod tests;
