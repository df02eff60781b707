//! Eight walkers that stand close together decide in lockstep, one per lane.
//!
//! A model that works this way is a [`Kernel`]: one function from eight walkers, their neighbours and their walls to eight
//! velocities, written once over [`Lanes`]. Here is the loop around it: groups of eight, the search for neighbours, gathering
//! what the kernel needs, and the choice of registers at run time.

use crate::batch::{Batch, Scratch};
use crate::explanation::Witness;
use crate::{Explanation, sight};
use passerby_crowd::search::{Group, Nearest};
use passerby_crowd::{Body, Index, NEAREST_MAX, Slot};
use passerby_geometry::Vec2;
use passerby_geometry::lane_math::sub;
#[cfg(target_arch = "x86_64")]
use passerby_geometry::lanes::{Avx2, Sse2};
use passerby_geometry::lanes::{LANES, Lanes, Plain, Registers};

/// A model that decides for eight walkers at once.
pub(crate) trait Kernel {
    /// How far it sees walls beyond a walker's radius, m.
    fn sight(&self) -> f32;

    /// The velocities that eight walkers choose. `walls` are vectors from the nearest point of a wall to each walker, nearest
    /// first; two walls that meet in that point count once.
    fn velocity<L: Lanes>(&self, me: &Walkers<L>, others: &[Other<L>], walls: &[[L; 2]]) -> [L; 2];
}

/// Eight walkers, one per lane.
#[derive(Clone, Copy)]
pub(crate) struct Walkers<L> {
    pub body: Bodies<L>,
    /// Velocity each would choose if alone.
    pub desired: [L; 2],
    pub speed_max: L,
    pub mass: L,
    /// Length of the step, s.
    pub dt: L,
}

/// Eight bodies, one per lane.
#[derive(Clone, Copy)]
pub(crate) struct Bodies<L> {
    pub position: [L; 2],
    pub velocity: [L; 2],
    pub radius: L,
    pub share: L,
}

/// One neighbour of each of eight walkers.
#[derive(Clone, Copy)]
pub(crate) struct Other<L> {
    /// From the neighbour to the walker, never zero. Far away in lanes that have no such neighbour.
    pub offset: [L; 2],
    pub velocity: [L; 2],
    pub radius: L,
}

/// The largest exponent of a push. With short ranges and deep overlaps sums of squares would overflow beyond it; with published ranges
/// bodies would have to overlap by metres.
pub(crate) const EXPONENT_MAX: f32 = 25.0;

/// Where those are who are not there, m: no model feels them.
const FAR_AWAY: f32 = 1e6;

impl<L: Lanes> Bodies<L> {
    /// Whole bodies are copied and turned into lanes together: six loads for each value of each lane would take longer.
    #[inline(always)]
    pub fn gather(bodies: &[Body], slots: &[u32; LANES]) -> Self {
        let mut rows = [[0.0; LANES]; LANES];
        for lane in 0..LANES {
            rows[lane] = bodies[slots[lane] as usize].words();
        }
        let [x, y, vx, vy, radius, share, _, _] = L::transpose(&rows);
        Self { position: [x, y], velocity: [vx, vy], radius, share }
    }
}

/// From `me` to `they`. Two on the very same spot see each other on opposite sides, by id.
#[inline(always)]
pub(crate) fn apart<L: Lanes>(
    index: &Index,
    (me, own): (&Bodies<L>, &[u32; LANES]),
    (they, slots): (&Bodies<L>, &[u32; LANES]),
    valid: L,
) -> [L; 2] {
    let zero = L::splat(0.0);
    let offset = sub(they.position, me.position);
    let same = offset[0].same(zero).and(offset[1].same(zero)).and(valid);
    if !same.any() {
        return offset;
    }
    let mut aside = [0.0; LANES];
    for lane in 0..LANES {
        let first = index.body(Slot(own[lane])).id < index.body(Slot(slots[lane])).id;
        aside[lane] = if first { 1e-5 } else { -1e-5 };
    }
    [same.select(L::load(&aside), offset[0]), offset[1]]
}

/// Chooses the velocities of `slots`, see [`crate::choose`].
pub(crate) fn choose(model: &impl Kernel, batch: &Batch<'_>, slots: &[Slot], out: &mut [Vec2], scratch: &mut Scratch) {
    match batch.width.registers() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Width` only holds what the processor has.
        #[allow(unsafe_code)]
        Registers::Avx2 => unsafe { choose_avx2(model, batch, slots, out, scratch) },
        #[cfg(target_arch = "x86_64")]
        Registers::Sse2 => choose_in::<Sse2>(model, batch, slots, out, scratch),
        _ => choose_in::<Plain>(model, batch, slots, out, scratch),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn choose_avx2(model: &impl Kernel, batch: &Batch<'_>, slots: &[Slot], out: &mut [Vec2], scratch: &mut Scratch) {
    choose_in::<Avx2>(model, batch, slots, out, scratch);
}

#[inline(always)]
fn choose_in<L: Lanes>(
    model: &impl Kernel,
    batch: &Batch<'_>,
    slots: &[Slot],
    out: &mut [Vec2],
    scratch: &mut Scratch,
) {
    let mut done = 0;
    while let Some((group, _)) = Group::split_first(batch.index, &slots[done..]) {
        see_walls(batch, &group, model.sight(), scratch);
        let Scratch { ten, many, wall_offsets, .. } = scratch;
        let out = &mut out[done..done + group.len()];
        if batch.neighbours.looked_at() <= 10 {
            batch.find(&group, ten);
            decide::<L, 10>(model, batch, &group, ten, wall_offsets, out);
        } else {
            batch.find(&group, many);
            decide::<L, { NEAREST_MAX as usize }>(model, batch, &group, many, wall_offsets, out);
        }
        done += group.len();
    }
}

/// Vectors in memory, one per lane.
pub(crate) type Vectors = [[f32; LANES]; 2];

/// Walls that a kernel is shown; the farther ones hardly matter.
pub(crate) const WALLS_MAX: usize = 16;

#[inline(always)]
fn decide<L: Lanes, const K: usize>(
    model: &impl Kernel,
    batch: &Batch<'_>,
    group: &Group,
    nearest: &Nearest<K>,
    wall_offsets: &[Vectors],
    out: &mut [Vec2],
) {
    let me = walkers::<L>(batch, group);
    let counts = nearest.count;
    let most = counts.iter().fold(0, |most, count| most.max(*count)) as usize;
    let counts = L::load(&counts.map(|count| count as f32));
    let far = [L::splat(FAR_AWAY), L::splat(0.0)];
    let mut others = [Other { offset: far, velocity: [L::splat(0.0); 2], radius: L::splat(0.0) }; K];
    for k in 0..most {
        let valid = L::splat(k as f32).lt(counts);
        let they = Bodies::<L>::gather(batch.index.bodies(), &nearest.slot[k]);
        let offset = apart(batch.index, (&they, &nearest.slot[k]), (&me.body, group.lanes()), valid);
        others[k] = Other {
            offset: [valid.select(offset[0], far[0]), valid.select(offset[1], far[1])],
            velocity: [valid.and(they.velocity[0]), valid.and(they.velocity[1])],
            radius: valid.and(they.radius),
        };
    }
    let mut walls = [far; WALLS_MAX];
    for (wall, [x, y]) in walls.iter_mut().zip(wall_offsets) {
        *wall = [L::load(x), L::load(y)];
    }
    let v = model.velocity(&me, &others[..most], &walls[..wall_offsets.len().min(WALLS_MAX)]);
    let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
    (v[0].store(&mut x), v[1].store(&mut y));
    for (lane, out) in out.iter_mut().enumerate() {
        *out = Vec2::new(x[lane], y[lane]);
    }
}

#[inline(always)]
fn walkers<L: Lanes>(batch: &Batch<'_>, group: &Group) -> Walkers<L> {
    let mut columns = [[0.0; LANES]; 4];
    let [x, y, speed_max, mass] = &mut columns;
    for lane in 0..LANES {
        let row = batch.index.bodies()[group.lanes()[lane] as usize].row.index();
        (x[lane], y[lane]) = (batch.desired[row].x, batch.desired[row].y);
        (speed_max[lane], mass[lane]) = (batch.agents.speed_max[row], batch.agents.mass[row]);
    }
    // No `map`: its closure would not be compiled for the registers at hand.
    Walkers {
        body: Bodies::gather(batch.index.bodies(), group.lanes()),
        desired: [L::load(&columns[0]), L::load(&columns[1])],
        speed_max: L::load(&columns[2]),
        mass: L::load(&columns[3]),
        dt: L::splat(batch.dt),
    }
}

/// Why the walker in a slot chooses what it chooses: by how much each of those it sees changes the velocity.
pub(crate) fn explain(model: &impl Kernel, batch: &Batch<'_>, slot: Slot, scratch: &mut Scratch) -> Explanation {
    let others = sight::see(batch, slot, false, scratch);
    let me = batch.walker(slot);
    let Some((group, _)) = Group::split_first(batch.index, &[slot]) else { unreachable!("one slot is a group") };
    see_walls(batch, &group, model.sight(), scratch);
    let mut walls = [[Plain::splat(FAR_AWAY), Plain::splat(0.0)]; WALLS_MAX];
    for (wall, [x, y]) in walls.iter_mut().zip(&scratch.wall_offsets) {
        *wall = [Plain::load(x), Plain::load(y)];
    }
    let walls = &walls[..scratch.wall_offsets.len().min(WALLS_MAX)];
    let walkers = walkers::<Plain>(batch, &group);
    let seen: Vec<Other<Plain>> = (others.seen().iter())
        .map(|other| Other {
            offset: [Plain::splat(-other.offset.x), Plain::splat(-other.offset.y)],
            velocity: [Plain::splat(other.velocity.x), Plain::splat(other.velocity.y)],
            radius: Plain::splat(other.radius),
        })
        .collect();
    let ask = |others: &[Other<Plain>], walls: &[[Plain; 2]]| {
        let v = model.velocity(&walkers, others, walls);
        let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
        (v[0].store(&mut x), v[1].store(&mut y));
        Vec2::new(x[0], y[0])
    };
    batch.see_walls(me.position, me.radius + model.sight(), &mut scratch.near_walls, &mut scratch.walls);
    let mut why = Explanation::new(me, others.seen(), &scratch.walls);
    why.chosen = ask(&seen, walls);
    why.force("alone", ask(&[], &[]) - me.velocity, None);
    if !walls.is_empty() {
        why.force("walls", why.chosen - ask(&seen, &[]), None);
    }
    for (i, other) in others.seen().iter().enumerate() {
        let mut without = seen.clone();
        without.remove(i);
        why.force("because of them", why.chosen - ask(&without, walls), Some(other.id));
    }
    why
}

/// Puts the vectors from the walls near each walker of the group into the scratch.
#[inline(never)]
fn see_walls(batch: &Batch<'_>, group: &Group, sight: f32, scratch: &mut Scratch) {
    let Scratch { near_walls, walls, wall_offsets, .. } = scratch;
    wall_offsets.clear();
    // Mostly there is no wall near any of them, and one question answers for all.
    if batch.no_walls_near(group, |slot| batch.index.body(slot).radius + sight) {
        return;
    }
    for (lane, slot) in group.slots().enumerate() {
        let body = batch.index.body(slot);
        batch.see_walls(body.position, body.radius + sight, near_walls, walls);
        let (mut count, mut last) = (0, None);
        for point in walls.iter().map(|wall| wall.closest_point(body.position)) {
            if last == Some(point) || count == WALLS_MAX {
                continue;
            }
            last = Some(point);
            if wall_offsets.len() == count {
                wall_offsets.push([[FAR_AWAY; LANES], [0.0; LANES]]);
            }
            let away = body.position - point;
            (wall_offsets[count][0][lane], wall_offsets[count][1][lane]) = (away.x, away.y);
            count += 1;
        }
    }
}

#[cfg(test)]
pub(crate) mod test {
    //! One walker by hand: the same in all lanes.

    use super::*;
    use crate::Walker;

    /// Somebody the walker sees.
    #[derive(Clone, Copy)]
    pub struct Neighbour {
        pub position: Vec2,
        pub velocity: Vec2,
        pub radius: f32,
    }

    pub fn splat(v: Vec2) -> [Plain; 2] {
        [Plain::splat(v.x), Plain::splat(v.y)]
    }

    pub fn first(v: [Plain; 2]) -> Vec2 {
        let mut lanes = [[0.0; LANES]; 2];
        (v[0].store(&mut lanes[0]), v[1].store(&mut lanes[1]));
        Vec2::new(lanes[0][0], lanes[1][0])
    }

    pub fn walker(me: &Walker, dt: f32) -> Walkers<Plain> {
        let body = Bodies {
            position: splat(me.position),
            velocity: splat(me.velocity),
            radius: Plain::splat(me.radius),
            share: Plain::splat(0.5),
        };
        Walkers {
            body,
            desired: splat(me.desired),
            speed_max: Plain::splat(me.speed_max),
            mass: Plain::splat(me.mass),
            dt: Plain::splat(dt),
        }
    }

    pub fn other(me: &Walker, other: &Neighbour) -> Other<Plain> {
        Other {
            offset: splat(me.position - other.position),
            velocity: splat(other.velocity),
            radius: Plain::splat(other.radius),
        }
    }
}
