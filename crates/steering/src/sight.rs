//! What one walker sees, for models that decide for one at a time.

use crate::batch::{Batch, Scratch};
use crate::explanation::Witness;
use crate::memory::{Memory, Moment};
use crate::{Explanation, Walker};
use passerby_crowd::search::Group;
use passerby_crowd::{AgentId, NEAREST_MAX, Slot};
use passerby_geometry::walls::Walls;
use passerby_geometry::{Segment, Vec2};

/// Somebody a walker looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// Who.
    pub id: AgentId,
    /// From the walker to them, never zero: two on the very same spot see each other on opposite sides, by id.
    pub offset: Vec2,
    /// m/s.
    pub velocity: Vec2,
    /// m.
    pub radius: f32,
    /// Share of the avoidance the walker takes towards them: half if they give way too, otherwise all.
    pub share: f32,
}

/// What one walker sees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub me: &'a Walker,
    /// Nearest first.
    pub others: &'a [Neighbour],
    /// Those within the reach the model asked for, nearest first.
    pub walls: &'a [Segment],
    /// All walls, for lines of sight.
    pub map: &'a Walls,
    /// Length of the step, s.
    pub dt: f32,
    /// What the walker remembers, this moment included; nothing with models that do not.
    pub memory: &'a Memory,
    /// When this is.
    pub now: Moment,
}

/// A model that decides for one walker at a time.
pub(crate) trait Mind {
    /// Whether those of one's own group are taken to go where one goes oneself, so that nobody gets out of their way.
    const KNOWS_ITS_OWN: bool = false;

    /// How far from its centre a walker minds walls, m.
    fn reach(&self, me: &Walker) -> f32;

    /// Takes what it sees now into a walker's memory.
    fn remember(&self, _: &Sight<'_>, _: &mut Memory) {}

    /// The velocity the walker chooses; what speaks for it is told to the witness.
    fn velocity(&self, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2;
}

fn mind_knows<M: Mind>(_: &M) -> bool {
    M::KNOWS_ITS_OWN
}

/// Chooses the velocities of `slots`, see [`crate::choose`].
pub(crate) fn choose(
    mind: &impl Mind,
    batch: &Batch<'_>,
    slots: &[Slot],
    memories: &mut [Option<Box<Memory>>],
    out: &mut [Vec2],
    scratch: &mut Scratch,
) {
    let Scratch { ten, many, near_walls, walls, .. } = scratch;
    let (nothing, knows) = (Memory::default(), mind_knows(mind));
    let mut done = 0;
    while let Some((group, _)) = Group::split_first(batch.index, &slots[done..]) {
        let few = batch.neighbours.looked_at() <= 10;
        if few {
            batch.find(&group, ten)
        } else {
            batch.find(&group, many)
        }
        // Mostly there is no wall near any of them, and one question answers for all.
        let open = batch.no_walls_near(&group, |slot| mind.reach(&batch.walker(slot)));
        for (lane, slot) in group.slots().enumerate() {
            let me = batch.walker(slot);
            walls.clear();
            if !open {
                batch.see_walls(me.position, mind.reach(&me), near_walls, walls);
            }
            let mut others = Others::default();
            match few {
                true => ten.of(lane).for_each(|other| others.add(batch, &me, knows.then_some(slot), other)),
                false => many.of(lane).for_each(|other| others.add(batch, &me, knows.then_some(slot), other)),
            }
            let (map, dt, now) = (batch.walls, batch.dt, batch.now);
            let mut sight = Sight { me: &me, others: others.seen(), walls, map, dt, memory: &nothing, now };
            if let Some(Some(memory)) = memories.get_mut(done) {
                mind.remember(&sight, memory);
                sight.memory = memory;
            }
            out[done] = mind.velocity(&sight, &mut ());
            done += 1;
        }
    }
}

/// Why the walker in a slot chooses what it chooses.
pub(crate) fn explain(
    mind: &impl Mind,
    batch: &Batch<'_>,
    slot: Slot,
    memory: Option<&Memory>,
    scratch: &mut Scratch,
) -> Explanation {
    let me = batch.walker(slot);
    let others = see(batch, slot, mind_knows(mind), scratch);
    batch.see_walls(me.position, mind.reach(&me), &mut scratch.near_walls, &mut scratch.walls);
    let walls = &scratch.walls[..];
    let mut why = Explanation::new(me, others.seen(), walls);
    let mut kept = memory.copied().unwrap_or_default();
    let (map, dt, now) = (batch.walls, batch.dt, batch.now);
    let sight = Sight { me: &me, others: others.seen(), walls, map, dt, memory: &Memory::default(), now };
    mind.remember(&sight, &mut kept);
    why.chosen = mind.velocity(&Sight { memory: &kept, ..sight }, &mut why);
    why
}

/// Whom the walker in a slot looks at, who knows its own or not.
pub(crate) fn see(batch: &Batch<'_>, slot: Slot, knows: bool, scratch: &mut Scratch) -> Others {
    let me = batch.walker(slot);
    let mut others = Others::default();
    if let Some((group, _)) = Group::split_first(batch.index, &[slot]) {
        if batch.neighbours.looked_at() <= 10 {
            batch.find(&group, &mut *scratch.ten);
            scratch.ten.of(0).for_each(|other| others.add(batch, &me, knows.then_some(slot), other));
        } else {
            batch.find(&group, &mut *scratch.many);
            scratch.many.of(0).for_each(|other| others.add(batch, &me, knows.then_some(slot), other));
        }
    }
    others
}

/// The neighbours of one walker, nearest first.
pub(crate) struct Others {
    seen: [Neighbour; NEAREST_MAX as usize],
    count: usize,
}

impl Default for Others {
    fn default() -> Self {
        let id = AgentId::from_bits(0);
        let nobody = Neighbour { id, offset: Vec2::X, velocity: Vec2::ZERO, radius: 0.0, share: 0.5 };
        Self { seen: [nobody; NEAREST_MAX as usize], count: 0 }
    }
}

impl Others {
    pub(crate) fn seen(&self) -> &[Neighbour] {
        &self.seen[..self.count]
    }

    /// Somebody is seen; by whom, if that one knows whom they walk with.
    fn add(&mut self, batch: &Batch<'_>, me: &Walker, by: Option<Slot>, slot: Slot) {
        let body = batch.index.body(slot);
        let mut offset = body.position - me.position;
        if offset == Vec2::ZERO {
            offset.x = if me.id < body.id { 1e-5 } else { -1e-5 };
        }
        // Whom one walks with goes where one goes: nobody gets out of the way of them. How near they come is settled by walking together.
        let with_me = by.is_some_and(|by| batch.together(batch.index.body(by).row, body.row));
        let velocity = if with_me { me.velocity } else { body.velocity };
        let (id, radius, share) = (body.id, body.radius, body.share);
        self.seen[self.count] = Neighbour { id, offset, velocity, radius, share };
        self.count += 1;
    }
}

#[cfg(test)]
pub(crate) mod test {
    //! One walker by hand.

    use super::*;

    /// A walker at the origin who walks along +x at 1.3 m/s.
    pub fn walker(radius: f32) -> Walker {
        Walker {
            id: AgentId::new(0, 0),
            position: Vec2::ZERO,
            velocity: Vec2::new(1.3, 0.0),
            radius,
            mass: 80.0,
            desired: Vec2::new(1.3, 0.0),
            speed_max: 2.0,
            heading: 0.0,
            left: f32::INFINITY,
            ahead: f32::INFINITY,
        }
    }

    /// Somebody at an offset from the walker.
    pub fn other(ordinal: u32, offset: [f32; 2], velocity: [f32; 2], radius: f32) -> Neighbour {
        let (offset, velocity) = (offset.into(), velocity.into());
        Neighbour { id: AgentId::new(1, ordinal), offset, velocity, radius, share: 0.5 }
    }

    /// What somebody sees who remembers nothing.
    pub fn sight<'a>(me: &'a Walker, others: &'a [Neighbour], walls: &'a [Segment], map: &'a Walls) -> Sight<'a> {
        static NOTHING: Memory = Memory::EMPTY;
        Sight { me, others, walls, map, dt: 0.1, memory: &NOTHING, now: Moment { tick: 0, length: 0.1 } }
    }

    /// What a model chooses for somebody who sees these.
    pub fn ask(mind: &impl Mind, me: &Walker, others: &[Neighbour], walls: &[Segment], why: &mut impl Witness) -> Vec2 {
        let map = Walls::new(walls.to_vec());
        mind.velocity(&sight(me, others, walls, &map), why)
    }
}
