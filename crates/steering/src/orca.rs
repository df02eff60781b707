//! Optimal reciprocal collision avoidance: van den Berg, Guy, Lin, Manocha, *Reciprocal n-body collision avoidance*, 2011.
//!
//! For each neighbour B, the relative velocities that lead walker A into a collision within the time horizon form a
//! truncated cone, the velocity obstacle (eq. 1, 2). The smallest change `u` that takes the present relative velocity out
//! of it (eq. 5) is shared: A takes its share of it, which leaves it a half plane of velocities (eq. 6). A chooses the
//! velocity nearest to its preferred one in all half planes (eq. 8, 9; [`mod@crate::program`]). Walls give half planes that
//! are never relaxed.
//!
//! Eight walkers that stand close together are computed in lockstep, one per lane. Those whose half planes leave no room
//! are set aside and solved when there are eight of them, so that the common case does not wait for the rare one.
//!
//! Read differently from the paper: where the relative velocity is exactly at the centre of the cut-off circle the paper
//! has no direction; it is then taken away from the neighbour. Walkers on the very same spot part by id.

use crate::batch::{Batch, NEAREST_MAX, Scratch};
use crate::parameter::Field;
use crate::program::{self, HalfPlane, cross, dot};
use crate::wall_plane::wall_planes;
use passerby_crowd::search::{Group, Nearest};
use passerby_crowd::{Body, Slot};
use passerby_geometry::Vec2;
#[cfg(target_arch = "x86_64")]
use passerby_geometry::lanes::{Avx2, Sse2};
use passerby_geometry::lanes::{LANES, Lanes, Plain, Registers, Width};

/// Parameters of ORCA. The paper leaves them to the scene; these are usual for walking people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orca {
    /// How far ahead collisions with people are avoided: tau of eq. (2), s, 0.1 to 60, default 3.
    pub time_horizon: f32,
    /// The same for walls, s, 0.1 to 60, default 0.5: people pass walls closely.
    pub time_horizon_walls: f32,
    /// Time between two decisions, s, 0 to 5, default 0: at every step.
    pub interval: f32,
}

impl Default for Orca {
    fn default() -> Self {
        Self { time_horizon: 3.0, time_horizon_walls: 0.5, interval: 0.0 }
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
        Field { name: "interval", low: 0.0, high: 5.0, allowed: "0 to 5 s", slot: |p| &mut p.interval },
    ];

    /// It picks velocities, so it has no stiffness; with longer steps walkers would go too far between two looks.
    pub fn step_max(&self) -> f32 {
        0.25
    }

    /// Chooses the velocities of `slots`, see [`crate::choose`].
    pub(crate) fn choose(&self, batch: &Batch<'_>, slots: &[Slot], out: &mut [Vec2], scratch: &mut Scratch) {
        let Scratch { ten, many, near_walls, walls, pending, .. } = scratch;
        let mut done = 0;
        while let Some((group, _)) = Group::split_first(batch.index, &slots[done..]) {
            let mut task = Task::new(self, batch, &group);
            for (lane, slot) in group.slots().enumerate() {
                let me = batch.walker(slot);
                let sight = me.radius + self.time_horizon_walls * me.speed_max;
                batch.see_walls(me.position, sight, near_walls, walls);
                task.set_walls(lane, wall_planes(&me, walls, self.time_horizon_walls));
            }
            if batch.nearest <= 10 {
                ten.find_with(batch.width, batch.index, &group, batch.range);
                task.solve(batch, &group, ten, pending, done, out);
            } else {
                many.find_with(batch.width, batch.index, &group, batch.range);
                task.solve(batch, &group, many, pending, done, out);
            }
            done += group.len();
        }
        pending.solve(batch.width, out);
    }
}

/// A half plane of one walker, before it is put into a lane.
pub(crate) type Plane = HalfPlane<f32>;

/// Half planes of eight walkers in memory. Walls end at [`WALLS`], people start there, so that what is used is contiguous.
#[derive(Debug, Clone)]
struct Planes {
    /// Direction x and y, offset.
    line: [[[f32; LANES]; 3]; LINES],
    /// A bit for each lane in which the line means something.
    valid: [u8; LINES],
}

/// How many walls a walker keeps away from, nearest first.
pub(crate) const WALLS: usize = 6;
const LINES: usize = WALLS + NEAREST_MAX as usize;

impl Planes {
    const NONE: Planes = Planes { line: [[[0.0; LANES]; 3]; LINES], valid: [0; LINES] };

    #[inline(always)]
    fn load<L: Lanes>(&self, line: usize) -> (HalfPlane<L>, L) {
        let [x, y, offset] = &self.line[line];
        let plane = HalfPlane { direction: [L::load(x), L::load(y)], offset: L::load(offset) };
        let valid = L::mask(self.valid[line]);
        (HalfPlane::select(valid, plane, HalfPlane::everything()), valid)
    }

    #[inline(always)]
    fn store<L: Lanes>(&mut self, line: usize, plane: &HalfPlane<L>, valid: u8) {
        let [x, y, offset] = &mut self.line[line];
        (plane.direction[0].store(x), plane.direction[1].store(y), plane.offset.store(offset));
        self.valid[line] = valid;
    }

    fn set(&mut self, line: usize, lane: usize, plane: &Plane) {
        let values = [plane.direction[0], plane.direction[1], plane.offset];
        for (to, value) in self.line[line].iter_mut().zip(values) {
            to[lane] = value;
        }
        self.valid[line] |= 1 << lane;
    }

    fn copy_lane(&mut self, to: usize, from: &Planes, lane: usize, lines: std::ops::Range<usize>) {
        for line in lines {
            for (to_values, values) in self.line[line].iter_mut().zip(&from.line[line]) {
                to_values[to] = values[lane];
            }
            self.valid[line] |= (from.valid[line] >> lane & 1) << to;
        }
    }
}

/// What eight walkers know of themselves.
#[derive(Debug, Clone)]
struct Own {
    velocity: [[f32; LANES]; 2],
    preferred: [[f32; LANES]; 2],
    speed_max: [f32; LANES],
}

/// One group of walkers on its way through the kernel.
struct Task {
    own: Own,
    planes: Planes,
    walls: usize,
    per_horizon: f32,
    per_step: f32,
}

/// One neighbour of each of eight walkers, relative to them.
#[derive(Clone, Copy)]
struct Others {
    position: [[f32; LANES]; 2],
    velocity: [[f32; LANES]; 2],
    reach: [f32; LANES],
    share: [f32; LANES],
    valid: u8,
}

impl Task {
    fn new(p: &Orca, batch: &Batch<'_>, group: &Group) -> Self {
        let mut own = Own { velocity: [[0.0; LANES]; 2], preferred: [[0.0; LANES]; 2], speed_max: [0.0; LANES] };
        for (lane, slot) in group.lanes().iter().enumerate() {
            let body = batch.index.body(Slot(*slot));
            let preferred = batch.desired[body.row.index()];
            own.velocity[0][lane] = body.velocity.x;
            own.velocity[1][lane] = body.velocity.y;
            own.preferred[0][lane] = preferred.x;
            own.preferred[1][lane] = preferred.y;
            own.speed_max[lane] = batch.agents.speed_max[body.row.index()];
        }
        Self { own, planes: Planes::NONE, walls: 0, per_horizon: 1.0 / p.time_horizon, per_step: 1.0 / batch.dt }
    }

    fn set_walls(&mut self, lane: usize, planes: impl Iterator<Item = Plane>) {
        for (i, plane) in planes.take(WALLS).enumerate() {
            self.planes.set(WALLS - 1 - i, lane, &plane);
            self.walls = self.walls.max(i + 1);
        }
    }

    /// Half planes and the first program; who is left without room is set aside in `pending`.
    fn solve<const K: usize>(
        &mut self,
        batch: &Batch<'_>,
        group: &Group,
        nearest: &Nearest<K>,
        pending: &mut Pending,
        first: usize,
        out: &mut [Vec2],
    ) {
        let count = nearest.count.iter().fold(0, |most, n| most.max(*n)).min(batch.nearest) as usize;
        let mut others = [Others::NONE; K];
        for (k, others) in others[..count].iter_mut().enumerate() {
            others.gather(batch, group, &nearest.slot[k], &nearest.count, k);
        }
        let lines = WALLS - self.walls..WALLS + count;
        let (v, kept) = match batch.width.registers() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Width` only holds what the processor has.
            #[allow(unsafe_code)]
            Registers::Avx2 => unsafe { self.first_avx2(&others[..count]) },
            #[cfg(target_arch = "x86_64")]
            Registers::Sse2 => self.first::<Sse2>(&others[..count]),
            _ => self.first::<Plain>(&others[..count]),
        };
        for lane in 0..group.len() {
            out[first + lane] = Vec2::new(v[0][lane], v[1][lane]);
            if kept >> lane & 1 == 0 {
                pending.add(&self.own, &self.planes, lane, lines.clone(), first + lane);
                if pending.len == LANES {
                    pending.solve(batch.width, out);
                }
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn first_avx2(&mut self, others: &[Others]) -> ([[f32; LANES]; 2], u8) {
        self.first::<Avx2>(others)
    }

    /// Builds the half planes and looks for the best velocity. Returns it, and a bit for each lane that has one.
    #[inline(always)]
    fn first<L: Lanes>(&mut self, others: &[Others]) -> ([[f32; LANES]; 2], u8) {
        let velocity = [L::load(&self.own.velocity[0]), L::load(&self.own.velocity[1])];
        let preferred = [L::load(&self.own.preferred[0]), L::load(&self.own.preferred[1])];
        let mut lines = [HalfPlane::<L>::everything(); LINES];
        let first = WALLS - self.walls;
        for (line, plane) in lines.iter_mut().enumerate().take(WALLS).skip(first) {
            *plane = self.planes.load::<L>(line).0;
        }
        for (k, other) in others.iter().enumerate() {
            let plane = half_plane(other, velocity, L::splat(self.per_horizon), L::splat(self.per_step));
            lines[WALLS + k] = HalfPlane::select(L::mask(other.valid), plane, HalfPlane::everything());
        }
        let end = WALLS + others.len();
        let (v, kept) = program::best(&lines[first..end], L::load(&self.own.speed_max), preferred);
        if kept.bits() != u8::MAX {
            for (k, other) in others.iter().enumerate() {
                self.planes.store(WALLS + k, &lines[WALLS + k], other.valid);
            }
        }
        let mut out = [[0.0; LANES]; 2];
        (v[0].store(&mut out[0]), v[1].store(&mut out[1]));
        (out, kept.bits())
    }
}

impl Others {
    const NONE: Others = Others {
        position: [[1.0; LANES]; 2],
        velocity: [[0.0; LANES]; 2],
        reach: [0.1; LANES],
        share: [0.0; LANES],
        valid: 0,
    };

    #[inline(always)]
    fn gather(&mut self, batch: &Batch<'_>, group: &Group, slots: &[u32; LANES], count: &[u32; LANES], k: usize) {
        for lane in 0..group.len() {
            if (k as u32) < count[lane] {
                let me = batch.index.body(Slot(group.lanes()[lane]));
                let other = batch.index.body(Slot(slots[lane]));
                let offset = apart(me, other);
                let velocity = me.velocity - other.velocity;
                (self.position[0][lane], self.position[1][lane]) = (offset.x, offset.y);
                (self.velocity[0][lane], self.velocity[1][lane]) = (velocity.x, velocity.y);
                self.reach[lane] = me.radius + other.radius;
                self.share[lane] = other.share;
                self.valid |= 1 << lane;
            }
        }
    }
}

/// From one to the other. Two on the very same spot see each other on opposite sides, by id.
#[inline(always)]
fn apart(me: &Body, other: &Body) -> Vec2 {
    let offset = other.position - me.position;
    if offset == Vec2::ZERO { Vec2::new(if me.id < other.id { 1e-5 } else { -1e-5 }, 0.0) } else { offset }
}

/// The velocities of A that avoid B for the time horizon if B takes its share: eq. (5) and (6).
///
/// `p` is from A to B, `v` = v_A - v_B. Inside the cone of the velocity obstacle the nearest border is either the cut-off circle
/// or one of the legs; when the two overlap already, it is the circle of one step.
#[inline(always)]
fn half_plane<L: Lanes>(other: &Others, v_a: [L; 2], per_horizon: L, per_step: L) -> HalfPlane<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let p = [L::load(&other.position[0]), L::load(&other.position[1])];
    let v = [L::load(&other.velocity[0]), L::load(&other.velocity[1])];
    let reach = L::load(&other.reach);
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
    let unit = [0, 1].map(|axis| centred.select(p[axis].negate(), w[axis]) / length);
    let depth = reach * per_time - centred.select(zero, length);

    // The left leg is the tangent with the disc on its right; the right one, taken backwards, has it on its right too.
    let leg = (distance2 - reach2).max(zero).sqrt();
    let leg = zero.lt(cross(p, w)).select(leg, leg.negate());
    let inverse = one / distance2;
    let tangent = [(p[0] * leg - p[1] * reach) * inverse, (p[0] * reach + p[1] * leg) * inverse];
    let slide = dot(v, tangent);

    let direction = [circle.select(unit[1], tangent[0]), circle.select(unit[0].negate(), tangent[1])];
    let share = L::load(&other.share);
    let point = [0, 1].map(|axis| {
        let u = circle.select(depth * unit[axis], slide * tangent[axis] - v[axis]);
        v_a[axis] + share * u
    });
    HalfPlane::through(point, direction)
}

/// Walkers whose half planes leave no room, until there are eight of them.
#[derive(Debug)]
pub(crate) struct Pending {
    own: Own,
    planes: Planes,
    walls: usize,
    lines: usize,
    to: [usize; LANES],
    len: usize,
}

impl Default for Pending {
    fn default() -> Self {
        let own = Own { velocity: [[0.0; LANES]; 2], preferred: [[0.0; LANES]; 2], speed_max: [0.0; LANES] };
        Self { own, planes: Planes::NONE, walls: 0, lines: WALLS, to: [0; LANES], len: 0 }
    }
}

impl Pending {
    fn add(&mut self, own: &Own, planes: &Planes, lane: usize, lines: std::ops::Range<usize>, to: usize) {
        let at = self.len;
        for axis in 0..2 {
            self.own.preferred[axis][at] = own.preferred[axis][lane];
        }
        self.own.speed_max[at] = own.speed_max[lane];
        self.planes.copy_lane(at, planes, lane, lines.clone());
        self.walls = self.walls.max(WALLS - lines.start);
        self.lines = self.lines.max(lines.end);
        self.to[at] = to;
        self.len += 1;
    }

    /// Solves those set aside and forgets them.
    fn solve(&mut self, width: Width, out: &mut [Vec2]) {
        if self.len == 0 {
            return;
        }
        let v = match width.registers() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Width` only holds what the processor has.
            #[allow(unsafe_code)]
            Registers::Avx2 => unsafe { self.second_avx2() },
            #[cfg(target_arch = "x86_64")]
            Registers::Sse2 => self.second::<Sse2>(),
            _ => self.second::<Plain>(),
        };
        for lane in 0..self.len {
            out[self.to[lane]] = Vec2::new(v[0][lane], v[1][lane]);
        }
        self.planes.valid = [0; LINES];
        (self.walls, self.lines, self.len) = (0, WALLS, 0);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn second_avx2(&self) -> [[f32; LANES]; 2] {
        self.second::<Avx2>()
    }

    /// Both programs on what was set aside.
    #[inline(always)]
    fn second<L: Lanes>(&self) -> [[f32; LANES]; 2] {
        let first = WALLS - self.walls;
        let mut lines = [HalfPlane::<L>::everything(); LINES];
        let mut valid = [L::splat(0.0); LINES];
        for line in first..self.lines {
            (lines[line], valid[line]) = self.planes.load(line);
        }
        let (lines, valid) = (&lines[first..self.lines], &valid[first..self.lines]);
        let preferred = [L::load(&self.own.preferred[0]), L::load(&self.own.preferred[1])];
        let speed = L::load(&self.own.speed_max);
        let active = L::mask((u16::MAX >> (16 - self.len)) as u8);
        let (v, _) = program::best(lines, speed, preferred);
        let v = program::least_violation::<L, LINES>(lines, valid, self.walls, speed, preferred, v, active);
        let mut out = [[0.0; LANES]; 2];
        (v[0].store(&mut out[0]), v[1].store(&mut out[1]));
        out
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
        let mut other = Others { valid: 1, ..Others::NONE };
        for axis in 0..2 {
            other.position[axis][0] = case.p_b[axis];
            other.velocity[axis][0] = case.v_a[axis] - case.v_b[axis];
        }
        (other.reach[0], other.share[0]) = (1.0, 0.5);
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
