//! Optimal reciprocal collision avoidance: van den Berg, Guy, Lin, Manocha, *Reciprocal n-body collision avoidance*, 2011.
//!
//! For each neighbour B, the relative velocities that lead walker A into a collision within the time horizon form a
//! truncated cone, the velocity obstacle (eq. 1, 2). The smallest change `u` that takes the present relative velocity out
//! of it (eq. 5) is shared: A takes its share of it, which leaves it a half plane of velocities (eq. 6). A chooses the
//! velocity nearest to its preferred one in all half planes (eq. 8, 9; `program.rs`). Walls give half planes that
//! are never relaxed.
//!
//! Eight walkers that stand close together are computed in lockstep, one per lane. Those whose half planes leave no room
//! are set aside and solved when there are eight of them, so that the common case does not wait for the rare one.
//!
//! Read differently from the paper: where the relative velocity is exactly at the centre of the cut-off circle the paper
//! has no direction; it is then taken away from the neighbour. Walkers on the very same spot part by id.

use crate::batch::{Batch, Scratch};
use crate::explanation::{Line as Told, Witness};
use crate::lockstep::{Bodies, apart};
use crate::parameter::Field;
use crate::program::{self, HalfPlane};
use crate::wall_plane::wall_planes;
use crate::{Explanation, sight};
use passerby_crowd::search::{Group, Nearest};
use passerby_crowd::{AgentId, NEAREST_MAX, Slot};
use passerby_geometry::Vec2;
use passerby_geometry::lane_math::{cross, dot};
#[cfg(target_arch = "x86_64")]
use passerby_geometry::lanes::{Avx2, Sse2};
use passerby_geometry::lanes::{LANES, Lanes, Plain, Registers};
use std::ops::Range;

/// Parameters of ORCA. The paper leaves them to the scene; these are usual for walking people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orca {
    /// How far ahead collisions with people are avoided: tau of eq. (2), s, 0.1 to 60, default 3.
    pub time_horizon: f32,
    /// The same for walls, s, 0.1 to 60, default 0.5: people pass walls closely.
    pub time_horizon_walls: f32,
    /// Room kept between two bodies beyond contact, m, 0 to 1, default 0 as in the paper. Where a crowd leaves no velocity
    /// that avoids everybody, the one chosen violates some half plane by centimetres a step: a margin takes that up.
    pub margin: f32,
    /// Time between two decisions, s, 0 to 5, default 0: at every step.
    pub interval: f32,
}

impl Default for Orca {
    fn default() -> Self {
        Self { time_horizon: 3.0, time_horizon_walls: 0.5, margin: 0.0, interval: 0.0 }
    }
}

impl Orca {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "time_horizon", low: 0.1, high: 60.0, allowed: "0.1 to 60 s", slot: |p| &mut p.time_horizon },
        Field {
            name: "time_horizon_walls",
            low: 0.1,
            high: 60.0,
            allowed: "0.1 to 60 s",
            slot: |p| &mut p.time_horizon_walls,
        },
        Field { name: "margin", low: 0.0, high: 1.0, allowed: "0 to 1 m", slot: |p| &mut p.margin },
        Field { name: "interval", low: 0.0, high: 5.0, allowed: "0 to 5 s", slot: |p| &mut p.interval },
    ];

    /// It picks velocities, so it has no stiffness; with longer steps walkers would go too far between two looks.
    pub fn step_max(&self) -> f32 {
        0.25
    }

    /// Chooses the velocities of `slots`, see [`crate::choose`].
    pub(crate) fn choose(&self, batch: &Batch<'_>, slots: &[Slot], out: &mut [Vec2], scratch: &mut Scratch) {
        match batch.width.registers() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Width` only holds what the processor has.
            #[allow(unsafe_code)]
            Registers::Avx2 => unsafe { self.choose_avx2(batch, slots, out, scratch) },
            #[cfg(target_arch = "x86_64")]
            Registers::Sse2 => self.choose_in::<Sse2>(batch, slots, out, scratch),
            _ => self.choose_in::<Plain>(batch, slots, out, scratch),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn choose_avx2(&self, batch: &Batch<'_>, slots: &[Slot], out: &mut [Vec2], scratch: &mut Scratch) {
        self.choose_in::<Avx2>(batch, slots, out, scratch);
    }

    #[inline(always)]
    fn choose_in<L: Lanes>(&self, batch: &Batch<'_>, slots: &[Slot], out: &mut [Vec2], scratch: &mut Scratch) {
        let mut done = 0;
        while let Some((group, _)) = Group::split_first(batch.index, &slots[done..]) {
            let walls = self.see_walls(batch, &group, scratch);
            let Scratch { ten, many, orca, .. } = scratch;
            let task = Task { batch, group: &group, walls, first: done, parameters: self };
            if batch.neighbours.looked_at() <= 10 {
                batch.find(&group, ten);
                task.solve::<L, 10, { WALLS + 10 }>(ten, orca, out);
            } else {
                batch.find(&group, many);
                task.solve::<L, { NEAREST_MAX as usize }, LINES>(many, orca, out);
            }
            done += group.len();
        }
        scratch.orca.pending.solve::<L>(out);
    }

    /// Why the walker in a slot chooses what it chooses: its half planes.
    pub(crate) fn explain(&self, batch: &Batch<'_>, slot: Slot, scratch: &mut Scratch) -> Explanation {
        let (me, others) = (batch.walker(slot), sight::see(batch, slot, false, scratch));
        let range = me.radius + self.time_horizon_walls * me.speed_max;
        batch.see_walls(me.position, range, &mut scratch.near_walls, &mut scratch.walls);
        let mut why = Explanation::new(me, others.seen(), &scratch.walls);
        let splat = |v: Vec2| [Plain::splat(v.x), Plain::splat(v.y)];
        for other in others.seen() {
            let relative = Other {
                position: splat(other.offset),
                velocity: splat(me.velocity - other.velocity),
                reach: Plain::splat(me.radius + other.radius + self.margin),
                share: Plain::splat(other.share),
            };
            let (per_horizon, per_step) = (Plain::splat(1.0 / self.time_horizon), Plain::splat(1.0 / batch.dt));
            let plane = half_plane(&relative, splat(me.velocity), per_horizon, per_step);
            let mut line = EVERYTHING;
            store(&plane, &mut line);
            why.line(told([line[0][0], line[1][0]], line[2][0], Some(other.id)));
        }
        for plane in wall_planes(&me, &scratch.walls, self.time_horizon_walls).take(WALLS) {
            why.line(told(plane.direction, plane.offset, None));
        }
        let mut chosen = [Vec2::ZERO];
        self.choose(batch, &[slot], &mut chosen, scratch);
        why.chosen = chosen[0];
        why
    }

    /// Puts the half planes of walls into the scratch. Returns how many lines of them there are.
    #[inline(never)]
    fn see_walls(&self, batch: &Batch<'_>, group: &Group, scratch: &mut Scratch) -> usize {
        let Scratch { near_walls, walls, orca, .. } = scratch;
        let sight = |slot: Slot| {
            let body = batch.index.body(slot);
            body.radius + self.time_horizon_walls * batch.agents.speed_max[body.row.index()]
        };
        // Mostly there is no wall near any of them, and one question answers for all.
        if batch.no_walls_near(group, sight) {
            return 0;
        }
        let mut count = 0;
        orca.walls = [EVERYTHING; WALLS];
        for (lane, slot) in group.slots().enumerate() {
            let me = batch.walker(slot);
            batch.see_walls(me.position, sight(slot), near_walls, walls);
            for (i, plane) in wall_planes(&me, walls, self.time_horizon_walls).take(WALLS).enumerate() {
                let [x, y, offset] = &mut orca.walls[WALLS - 1 - i];
                (x[lane], y[lane], offset[lane]) = (plane.direction[0], plane.direction[1], plane.offset);
                count = count.max(i + 1);
            }
        }
        count
    }
}

/// A half plane as an explanation tells it: through the point of its line nearest to the origin.
fn told(direction: [f32; 2], offset: f32, of: Option<AgentId>) -> Told {
    let direction = Vec2::from(direction);
    let length = direction.length().max(1e-9);
    Told { point: direction.perp() * (offset / (length * length)), direction: direction / length, of }
}

/// A half plane of one walker, before it is put into a lane.
pub(crate) type Plane = HalfPlane<f32>;

/// Half planes of eight walkers in memory: direction x and y, offset.
type Line = [[f32; LANES]; 3];

/// [`HalfPlane::everything`] in memory.
const EVERYTHING: Line = [[1.0; LANES], [0.0; LANES], [-1e4; LANES]];

/// How many walls a walker keeps away from, nearest first.
pub(crate) const WALLS: usize = 6;
/// Lines of a walker. Walls end at [`WALLS`], people start there, so that what is used is contiguous.
const LINES: usize = WALLS + NEAREST_MAX as usize;

#[inline(always)]
fn load<L: Lanes>([x, y, offset]: &Line) -> HalfPlane<L> {
    HalfPlane { direction: [L::load(x), L::load(y)], offset: L::load(offset) }
}

#[inline(always)]
fn store<L: Lanes>(plane: &HalfPlane<L>, [x, y, offset]: &mut Line) {
    (plane.direction[0].store(x), plane.direction[1].store(y), plane.offset.store(offset));
}

/// Buffers of one thread. They are kept, because clearing them for each group would take longer than filling them.
#[derive(Debug)]
pub(crate) struct Buffers {
    /// Walls of the present group; the nearest is the last.
    walls: [Line; WALLS],
    pending: Pending,
}

impl Default for Buffers {
    fn default() -> Self {
        Self { walls: [EVERYTHING; WALLS], pending: Pending::default() }
    }
}

/// One group of walkers on its way through the kernel.
struct Task<'a> {
    batch: &'a Batch<'a>,
    group: &'a Group,
    /// Lines of walls.
    walls: usize,
    /// Place of the first walker in the output.
    first: usize,
    parameters: &'a Orca,
}

/// What eight walkers want.
#[derive(Clone, Copy)]
struct Wish<L> {
    preferred: [L; 2],
    speed_max: L,
}

/// One neighbour of each of eight walkers, relative to them.
#[derive(Clone, Copy)]
struct Other<L> {
    /// From the walker to the neighbour.
    position: [L; 2],
    /// Velocity of the walker less that of the neighbour.
    velocity: [L; 2],
    /// Sum of the radii.
    reach: L,
    /// Share of the change that the walker takes.
    share: L,
}

impl Task<'_> {
    /// Half planes and the first program; who is left without room is set aside. `N` is `WALLS + K`.
    #[inline(always)]
    fn solve<L: Lanes, const K: usize, const N: usize>(
        &self,
        nearest: &Nearest<K>,
        buffers: &mut Buffers,
        out: &mut [Vec2],
    ) {
        let bodies = self.batch.index.bodies();
        let me = Bodies::<L>::gather(bodies, self.group.lanes());
        let wish = self.wish::<L>();
        let (per_horizon, per_step) = (1.0 / self.parameters.time_horizon, 1.0 / self.batch.dt);
        let counts = nearest.count;
        let most = counts.iter().fold(0, |most, count| most.max(*count)) as usize;
        let counts = L::load(&counts.map(|count| count as f32));

        let (start, end) = (WALLS - self.walls, WALLS + most);
        let mut lines = [HalfPlane::<L>::everything(); N];
        for line in start..WALLS {
            lines[line] = load(&buffers.walls[line]);
        }
        for k in 0..most {
            let valid = L::splat(k as f32).lt(counts);
            let they = Bodies::<L>::gather(bodies, &nearest.slot[k]);
            let other = Other {
                position: apart(self.batch.index, (&me, self.group.lanes()), (&they, &nearest.slot[k]), valid),
                velocity: [me.velocity[0] - they.velocity[0], me.velocity[1] - they.velocity[1]],
                reach: me.radius + they.radius + L::splat(self.parameters.margin),
                share: they.share,
            };
            let plane = half_plane(&other, me.velocity, L::splat(per_horizon), L::splat(per_step));
            lines[WALLS + k] = HalfPlane::select(valid, plane, HalfPlane::everything());
        }
        let (v, kept) = program::best(&lines[start..end], wish.speed_max, wish.preferred);

        let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
        (v[0].store(&mut x), v[1].store(&mut y));
        for lane in 0..self.group.len() {
            out[self.first + lane] = Vec2::new(x[lane], y[lane]);
        }
        let mut left = !kept.bits() & ((1u16 << self.group.len()) - 1) as u8;
        if left != 0 {
            let mut stored = [EVERYTHING; N];
            for line in start..end {
                store(&lines[line], &mut stored[line]);
            }
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let row = bodies[self.group.lanes()[lane] as usize].row.index();
                let wish = (self.batch.desired[row], self.batch.agents.speed_max[row]);
                buffers.pending.add(&stored, start..end, lane, wish, self.first + lane);
                if buffers.pending.len == LANES {
                    buffers.pending.solve::<L>(out);
                }
            }
        }
    }

    #[inline(always)]
    fn wish<L: Lanes>(&self) -> Wish<L> {
        let (mut x, mut y, mut speed_max) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let row = self.batch.index.bodies()[self.group.lanes()[lane] as usize].row.index();
            (x[lane], y[lane]) = (self.batch.desired[row].x, self.batch.desired[row].y);
            speed_max[lane] = self.batch.agents.speed_max[row];
        }
        Wish { preferred: [L::load(&x), L::load(&y)], speed_max: L::load(&speed_max) }
    }
}

/// The velocities of A that avoid B for the time horizon if B takes its share: eq. (5) and (6).
///
/// `p` is from A to B, `v` = v_A - v_B. Inside the cone of the velocity obstacle the nearest border is either the cut-off circle
/// or one of the legs; when the two overlap already, it is the circle of one step.
#[inline(always)]
fn half_plane<L: Lanes>(other: &Other<L>, v_a: [L; 2], per_horizon: L, per_step: L) -> HalfPlane<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let Other { position: p, velocity: v, reach, share } = *other;
    let (distance2, reach2) = (dot(p, p), reach * reach);
    let overlap = distance2.le(reach2);
    let per_time = overlap.select(per_step, per_horizon);

    // From the centre of the cut-off circle to the relative velocity.
    let w = [v[0] - per_time * p[0], v[1] - per_time * p[1]];
    let (w2, ahead) = (dot(w, w), dot(w, p));
    let circle = overlap.or(ahead.lt(zero).and((reach2 * w2).lt(ahead * ahead)));

    let centred = w2.le(L::splat(1e-12));
    let distance = distance2.sqrt();
    let length = centred.select(distance, w2.sqrt());
    let unit = [centred.select(p[0].negate(), w[0]) / length, centred.select(p[1].negate(), w[1]) / length];
    let depth = reach * per_time - centred.select(zero, length);

    // The left leg is the tangent with the disc on its right; the right one, taken backwards, has it on its right too.
    let leg = (distance2 - reach2).max(zero).sqrt();
    let leg = zero.lt(cross(p, w)).select(leg, leg.negate());
    let inverse = one / distance2;
    let tangent = [(p[0] * leg - p[1] * reach) * inverse, (p[0] * reach + p[1] * leg) * inverse];
    let slide = dot(v, tangent);

    let direction = [circle.select(unit[1], tangent[0]), circle.select(unit[0].negate(), tangent[1])];
    let u = [
        circle.select(depth * unit[0], slide * tangent[0] - v[0]),
        circle.select(depth * unit[1], slide * tangent[1] - v[1]),
    ];
    HalfPlane::through([v_a[0] + share * u[0], v_a[1] + share * u[1]], direction)
}

/// Walkers whose half planes leave no room, until there are eight of them.
#[derive(Debug)]
pub(crate) struct Pending {
    line: [Line; LINES],
    preferred: [[f32; LANES]; 2],
    speed_max: [f32; LANES],
    /// The lines in use by any of them.
    walls: usize,
    end: usize,
    /// Places in the output.
    to: [usize; LANES],
    len: usize,
}

impl Default for Pending {
    fn default() -> Self {
        Self {
            line: [EVERYTHING; LINES],
            preferred: [[0.0; LANES]; 2],
            speed_max: [0.0; LANES],
            walls: 0,
            end: WALLS,
            to: [0; LANES],
            len: 0,
        }
    }
}

impl Pending {
    /// Adds the walker of a lane with its lines, preferred velocity and highest speed. Its velocity in the output is what the
    /// first program was left with.
    #[inline(always)]
    fn add(&mut self, from: &[Line], lines: Range<usize>, lane: usize, wish: (Vec2, f32), to: usize) {
        let at = self.len;
        for line in lines.clone() {
            let ([x, y, offset], [from_x, from_y, from_offset]) = (&mut self.line[line], &from[line]);
            (x[at], y[at], offset[at]) = (from_x[lane], from_y[lane], from_offset[lane]);
        }
        (self.preferred[0][at], self.preferred[1][at], self.speed_max[at]) = (wish.0.x, wish.0.y, wish.1);
        self.walls = self.walls.max(WALLS - lines.start);
        self.end = self.end.max(lines.end);
        self.to[at] = to;
        self.len += 1;
    }

    /// Solves those set aside and forgets them.
    #[inline(always)]
    fn solve<L: Lanes>(&mut self, out: &mut [Vec2]) {
        if self.len == 0 {
            return;
        }
        let start = WALLS - self.walls;
        let mut lines = [HalfPlane::<L>::everything(); LINES];
        for line in start..self.end {
            lines[line] = load(&self.line[line]);
            self.line[line] = EVERYTHING;
        }
        let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..self.len {
            (x[lane], y[lane]) = (out[self.to[lane]].x, out[self.to[lane]].y);
        }
        let v = program::least_violation::<L, LINES>(
            &lines[start..self.end],
            self.walls,
            L::load(&self.speed_max),
            [L::load(&self.preferred[0]), L::load(&self.preferred[1])],
            [L::load(&x), L::load(&y)],
            L::mask((u16::MAX >> (16 - self.len)) as u8),
        );
        (v[0].store(&mut x), v[1].store(&mut y));
        for lane in 0..self.len {
            out[self.to[lane]] = Vec2::new(x[lane], y[lane]);
        }
        (self.walls, self.end, self.len) = (0, WALLS, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Case {
        p_b: [f32; 2],
        v_b: [f32; 2],
        v_a: [f32; 2],
        tau: f32,
        step: f32,
    }

    /// Worked examples, section 7: radii 0.5, preferred (1.3, 0), fastest 2.
    #[track_caller]
    fn check(case: Case, point: [f32; 2], direction: [f32; 2], chosen: [f32; 2]) {
        let other = Other {
            position: case.p_b.map(Plain::splat),
            velocity: [0, 1].map(|axis| Plain::splat(case.v_a[axis] - case.v_b[axis])),
            reach: Plain::splat(1.0),
            share: Plain::splat(0.5),
        };
        let plane =
            half_plane(&other, case.v_a.map(Plain::splat), Plain::splat(1.0 / case.tau), Plain::splat(1.0 / case.step));
        let (v, kept) = program::best(&[plane], Plain::splat(2.0), [1.3, 0.0].map(Plain::splat));
        assert_eq!(kept.bits() & 1, 1);
        let offset = direction[0] * point[1] - direction[1] * point[0];
        for (name, got, expected) in [
            ("direction x", plane.direction[0], direction[0]),
            ("direction y", plane.direction[1], direction[1]),
            ("offset", plane.offset, offset),
            ("chosen x", v[0], chosen[0]),
            ("chosen y", v[1], chosen[1]),
        ] {
            let mut lanes = [0.0; LANES];
            got.store(&mut lanes);
            assert!((lanes[0] - expected).abs() < 2e-5, "{name} is {}, expected {expected}", lanes[0]);
        }
    }

    #[test]
    fn half_planes_are_the_worked_ones() {
        let moving = |p_b, v_b, tau| Case { p_b, v_b, v_a: [1.0, 0.0], tau, step: 0.25 };
        check(moving([4.5, 0.0], [-1.0, 0.0], 2.0), [0.875, 0.0], [0.0, 1.0], [0.875, 0.0]);
        check(
            moving([4.5, 0.2], [-1.0, 0.0], 2.0),
            [0.892881, -0.0428477],
            [-0.371391, 0.928477],
            [0.934260, -0.146296],
        );
        check(moving([4.5, 0.2], [-1.0, 0.0], 5.0), [0.968141, -0.175625], [-0.983941, 0.178491], [1.25858, -0.228313]);
        check(
            moving([3.0, -3.0], [0.0, 1.0], 5.0),
            [0.857692, -0.0867529],
            [-0.520518, 0.853851],
            [0.938973, -0.220086],
        );
        check(moving([5.0, 0.0], [-1.0, 0.0], 2.0), [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]);
        check(moving([3.0, 3.0], [0.0, 0.0], 5.0), [0.864531, 0.222222], [-0.853851, -0.520518], [1.3, 0.0]);
        check(moving([0.8, 0.0], [0.0, 0.0], 5.0), [0.1, 0.0], [0.0, 1.0], [0.1, 0.0]);
        let still = Case { p_b: [0.6, 0.3], v_b: [0.0, 0.0], v_a: [0.0, 0.0], tau: 5.0, step: 0.25 };
        check(still, [-0.588854, -0.294427], [-0.447214, 0.894427], [-0.328854, -0.814427]);
    }
}
