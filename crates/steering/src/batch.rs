//! Many walkers of one model at once.

use crate::{Explanation, Memory, Model, Moment, Moving, Walker, lockstep, orca, sight, vision};
use passerby_crowd::search::{Group, Nearest};
use passerby_crowd::{AgentId, Agents, Graph, Index, NEAREST_MAX, Neighbours, Row, Slot};
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
    /// How far each row is from where it will stand, m; infinite for those who walk on there.
    pub left: &'a [f32],
    /// How far each row is from the point it walks to at present, m.
    pub ahead: &'a [f32],
    /// Whom each row follows, for models that can; empty where nobody follows anybody.
    pub led: &'a [Option<Led>],
    /// The group each row belongs to, by a number; empty where nobody belongs to anybody.
    pub groups: &'a [AgentId],
    /// The walls.
    pub walls: &'a Walls,
    /// What moves and does not give way.
    pub movers: &'a [Moving],
    /// Whom each looks at.
    pub neighbours: Neighbours,
    /// Who is joined to whom, where that is asked for.
    pub graph: &'a Graph,
    /// Length of the step, s.
    pub dt: f32,
    /// When this is, for models that remember.
    pub now: Moment,
    /// Which lanes to use: changes the time, never the result.
    pub width: Width,
}

/// Somebody who is followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Led {
    /// Who.
    pub who: AgentId,
    /// Where they are.
    pub position: Vec2,
    /// m/s.
    pub velocity: Vec2,
}

/// Buffers of one thread.
#[derive(Debug)]
pub struct Scratch {
    pub(crate) ten: Box<Nearest<10>>,
    pub(crate) many: Box<Nearest<{ NEAREST_MAX as usize }>>,
    pub(crate) near_walls: Vec<WallNear>,
    pub(crate) walls: Vec<Segment>,
    /// From the walls near the present group to its walkers, for models that decide in lockstep.
    pub(crate) wall_offsets: Vec<lockstep::Vectors>,
    pub(crate) orca: Box<orca::Buffers>,
    pub(crate) vision: Box<vision::Buffers>,
}

impl Default for Scratch {
    fn default() -> Self {
        // Room for more walls than there ordinarily are near one group: a thread may meet its first wall late in a run.
        const WALLS: usize = 64;
        Self {
            ten: Box::default(),
            many: Box::default(),
            near_walls: Vec::with_capacity(WALLS),
            walls: Vec::with_capacity(WALLS),
            wall_offsets: Vec::with_capacity(WALLS),
            orca: Box::default(),
            vision: Box::default(),
        }
    }
}

/// Chooses the velocity of each of `slots` (ascending, all of one model) and writes it to the same place of `out`. What they remember is in the same
/// place of `memories`, which may be empty for models that do not.
pub fn choose(
    model: &Model,
    batch: &Batch<'_>,
    slots: &[Slot],
    memories: &mut [Option<Box<Memory>>],
    out: &mut [Vec2],
    scratch: &mut Scratch,
) {
    match model {
        Model::Straight => {
            for (slot, out) in slots.iter().zip(out) {
                *out = batch.desired[batch.index.body(*slot).row.index()];
            }
        }
        Model::Headway(p) => lockstep::choose(&p.kernel(), batch, slots, out, scratch),
        Model::Orca(p) => p.choose(batch, slots, out, scratch),
        Model::Helbing1995(p) => lockstep::choose(p, batch, slots, out, scratch),
        Model::Helbing2000(p) => lockstep::choose(p, batch, slots, out, scratch),
        Model::Rvo(p) => p.choose(batch, slots, out, scratch),
        Model::Lamarche(p) => sight::choose(p, batch, slots, memories, out, scratch),
        Model::Tangent(p) => sight::choose(p, batch, slots, memories, out, scratch),
        Model::Vision(p) => vision::choose(p, batch, slots, memories, out, scratch),
        Model::Paris(p) => sight::choose(p, batch, slots, memories, out, scratch),
        Model::Reynolds(p) => sight::choose(p, batch, slots, memories, out, scratch),
        Model::Custom(_) => unreachable!("a custom model is asked by its own `choose`"),
    }
}

/// Why the walker in a slot chooses what it chooses.
pub fn explain(
    model: &Model,
    batch: &Batch<'_>,
    slot: Slot,
    memory: Option<&Memory>,
    scratch: &mut Scratch,
) -> Explanation {
    match model {
        Model::Straight | Model::Custom(_) => {
            let (me, others) = (batch.walker(slot), sight::see(batch, slot, false, scratch));
            Explanation { chosen: me.desired, ..Explanation::new(me, others.seen(), &[]) }
        }
        Model::Headway(p) => lockstep::explain(&p.kernel(), batch, slot, scratch),
        Model::Orca(p) => p.explain(batch, slot, scratch),
        Model::Helbing1995(p) => lockstep::explain(p, batch, slot, scratch),
        Model::Helbing2000(p) => lockstep::explain(p, batch, slot, scratch),
        Model::Rvo(p) => sight::explain(&p.sampled(batch.width), batch, slot, memory, scratch),
        Model::Lamarche(p) => sight::explain(p, batch, slot, memory, scratch),
        Model::Tangent(p) => sight::explain(p, batch, slot, memory, scratch),
        Model::Vision(p) => vision::explain(p, batch, slot, memory, scratch),
        Model::Paris(p) => sight::explain(p, batch, slot, memory, scratch),
        Model::Reynolds(p) => sight::explain(p, batch, slot, memory, scratch),
    }
}

impl Batch<'_> {
    /// Whether two rows belong together.
    pub(crate) fn together(&self, one: Row, other: Row) -> bool {
        self.groups.get(one.index()).is_some_and(|group| *group == self.groups[other.index()])
    }

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
            heading: self.agents.now.heading[row],
            left: self.left[row],
            ahead: self.ahead[row],
        }
    }

    /// Finds whom each walker of a group looks at.
    #[inline(always)]
    pub(crate) fn find<const K: usize>(&self, group: &Group, nearest: &mut Nearest<K>) {
        let heading = |slot: Slot| self.agents.now.heading[self.index.body(slot).row.index()];
        self.neighbours.find(self.width, self.index, (self.walls, self.graph), heading, group, nearest);
    }

    /// Whether surely no wall is within `sight` of any walker of the group: one question for all.
    pub(crate) fn no_walls_near(&self, group: &Group, sight: impl Fn(Slot) -> f32) -> bool {
        let (mut low, mut high, mut range) = (Vec2::INFINITY, Vec2::NEG_INFINITY, 0.0f32);
        for slot in group.slots() {
            let at = self.index.body(slot).position;
            (low, high, range) = (low.min(at), high.max(at), range.max(sight(slot)));
        }
        self.walls.clear(0.5 * (low + high), range + 0.51 * (high - low).length())
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

#[cfg(test)]
#[path = "batch_test.rs"]
mod tests;
