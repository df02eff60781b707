//! Reciprocal velocity obstacles, sampled: van den Berg, Lin, Manocha, *Reciprocal velocity obstacles for real-time multi-agent
//! navigation*, 2008.
//!
//! Of some velocities the one with the least penalty is taken: w / tc(v) + |v - v_pref|, where tc is the time until the first
//! collision if the change is shared: with the velocity 2 v - v_A relative to somebody who gives way too, with v itself relative to
//! somebody who does not, and to walls.
//!
//! The paper draws velocities at random. Ours are the same for everybody, on rings round the desired direction, so that equal runs
//! are equal and a scene that is turned stays itself. Eight of them are weighed at once.
//!
//! Read differently from the paper, which has no answer there: those who overlap have a collision that is one step away unless they
//! part fast enough, the worse the faster they approach.

use crate::Walker;
use crate::batch::{Batch, Scratch};
use crate::explanation::{Candidate, Witness};
use crate::parameter::Field;
use crate::sight::{self, Mind, Sight};
use passerby_crowd::{NEAREST_MAX, Slot};
use passerby_geometry::lane_math::{dot, length, sub};
#[cfg(target_arch = "x86_64")]
use passerby_geometry::lanes::{Avx2, Sse2};
use passerby_geometry::lanes::{LANES, Lanes, Plain, Registers, Width};
use passerby_geometry::{Segment, Vec2, math};

/// Parameters of sampled reciprocal velocity obstacles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rvo {
    /// How much a collision counts beside the change of velocity: w, m, 0 to 1000, default 7.5 as in the published library's examples.
    pub safety: f32,
    /// How many velocities are weighed, 20 to 1000, default 250 as there.
    pub samples: f32,
    /// How far ahead walls count, s, 0.1 to 60, default 1. Ours: people walk up to walls.
    pub time_horizon_walls: f32,
    /// Room kept between bodies beyond contact, m, 0 to 2, default 0.05. Ours: penalties are soft, and bodies would touch.
    pub margin: f32,
}

impl Default for Rvo {
    fn default() -> Self {
        Self { safety: 7.5, samples: 250.0, time_horizon_walls: 1.0, margin: 0.05 }
    }
}

/// Walls weighed, nearest first.
const WALLS: usize = 6;
/// Velocities in blocks of eight: 1000, and three more.
const BLOCKS: usize = 1008 / LANES;

impl Rvo {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "safety", low: 0.0, high: 1000.0, allowed: "0 to 1000 m", slot: |p| &mut p.safety },
        Field { name: "samples", low: 20.0, high: 1000.0, allowed: "20 to 1000", slot: |p| &mut p.samples },
        Field {
            name: "time_horizon_walls",
            low: 0.1,
            high: 60.0,
            allowed: "0.1 to 60 s",
            slot: |p| &mut p.time_horizon_walls,
        },
        Field { name: "margin", low: 0.0, high: 2.0, allowed: "0 to 2 m", slot: |p| &mut p.margin },
    ];

    /// It picks velocities; with longer steps walkers would go too far between two looks.
    pub fn step_max(&self) -> f32 {
        0.25
    }

    /// Chooses the velocities of `slots`, see [`crate::choose`].
    pub(crate) fn choose(&self, batch: &Batch<'_>, slots: &[Slot], out: &mut [Vec2], scratch: &mut Scratch) {
        sight::choose(&self.sampled(batch.width), batch, slots, &mut [], out, scratch);
    }

    /// With its samples, which are the same for everybody.
    pub(crate) fn sampled(&self, width: Width) -> Sampled {
        // About two and a half times as many directions as speeds: rings that are as far apart as their points.
        let rings = (self.samples / 2.5).sqrt().round().max(1.0);
        let directions = (self.samples / rings).floor() as usize;
        let mut samples = [[[0.0; LANES]; 2]; BLOCKS];
        let mut count = 0;
        for direction in 0..directions {
            let (sin, cos) = math::sin_cos(std::f32::consts::TAU * direction as f32 / directions as f32);
            for ring in 1..=rings as usize {
                let speed = ring as f32 / rings;
                samples[count / LANES][0][count % LANES] = speed * cos;
                samples[count / LANES][1][count % LANES] = speed * sin;
                count += 1;
            }
        }
        Sampled { model: *self, samples, count, width }
    }
}

/// The model with its samples as shares of the highest speed, the desired direction along +x.
pub(crate) struct Sampled {
    model: Rvo,
    samples: [[[f32; LANES]; 2]; BLOCKS],
    count: usize,
    width: Width,
}

/// A disc that is not to be entered: somebody, or the end of a wall.
#[derive(Clone, Copy)]
struct Disc {
    /// From the walker to its centre.
    p: Vec2,
    /// Its velocity, and the walker's share of the change: the relative velocity is (v - rest) * scale.
    rest: Vec2,
    scale: f32,
    /// |p|^2 - R^2, and what urgency is per (p.v + root): its inverse, or 0 if it is entered already.
    power: f32,
    inverse: f32,
    /// How fast one has to leave it if it is entered already, m/s; `p` is then a unit vector.
    leave: f32,
    /// Urgency that does not count, 1/s: what is farther in the future than it looks.
    ignored: f32,
}

/// An overlap is left in this time, s, but no faster than so many m/s.
const LEAVE_IN: f32 = 0.5;
const LEAVE_MOST: f32 = 0.5;

impl Disc {
    fn new(p: Vec2, reach: f32, rest: Vec2, scale: f32) -> Self {
        let power = p.length_squared() - reach * reach;
        if power > 1e-6 {
            return Self { p, rest, scale, power, inverse: 1.0 / power, leave: 0.0, ignored: 0.0 };
        }
        let leave = ((reach - p.length()) / LEAVE_IN).min(LEAVE_MOST);
        Self { p: p.normalize_or(Vec2::X), rest, scale, power: -1.0, inverse: 0.0, leave, ignored: 0.0 }
    }
}

/// A wall that is not to be crossed: its line, from the walker.
#[derive(Clone, Copy)]
struct Line {
    /// Towards it, a unit vector, and along it.
    towards: Vec2,
    along: Vec2,
    /// Room before it, m, and per metre of that.
    room: f32,
    inverse: f32,
    /// Where along it the wall begins and ends.
    ends: [f32; 2],
    /// Urgency that does not count, 1/s.
    ignored: f32,
}

/// All that is in the way of one walker.
struct Hindrances {
    discs: [Disc; NEAREST_MAX as usize + 2 * WALLS],
    discs_len: usize,
    lines: [Line; WALLS],
    lines_len: usize,
}

impl Hindrances {
    fn new(model: &Rvo, sight: &Sight<'_>) -> Self {
        let me = sight.me;
        let nobody = Disc::new(Vec2::X, 0.0, Vec2::ZERO, 1.0);
        let nothing = Line { towards: Vec2::X, along: Vec2::Y, room: 1.0, inverse: 1.0, ends: [0.0; 2], ignored: 0.0 };
        let discs = [nobody; NEAREST_MAX as usize + 2 * WALLS];
        let mut all = Self { discs, discs_len: 0, lines: [nothing; WALLS], lines_len: 0 };
        for other in sight.others {
            // (v - (1 - s) v_A)/s - v_B: for a half 2 v - v_A - v_B.
            let rest = me.velocity * (1.0 - other.share) + other.velocity * other.share;
            all.add(Disc::new(other.offset, me.radius + other.radius + model.margin, rest, 1.0 / other.share));
        }
        for wall in sight.walls.iter().take(WALLS) {
            all.add_wall(wall, me, 1.0 / model.time_horizon_walls);
        }
        all
    }

    fn add(&mut self, disc: Disc) {
        self.discs[self.discs_len] = disc;
        self.discs_len += 1;
    }

    /// A wall is its line between its ends, and a disc of no size at each of them.
    fn add_wall(&mut self, wall: &Segment, me: &Walker, ignored: f32) {
        let (a, b) = (wall.a - me.position, wall.b - me.position);
        for end in [a, b] {
            self.add(Disc { ignored, ..Disc::new(end, me.radius, Vec2::ZERO, 1.0) });
        }
        let along = (b - a).normalize_or_zero();
        let aside = along.perp().dot(a);
        let towards = if aside >= 0.0 { along.perp() } else { -along.perp() };
        let room = aside.abs() - me.radius;
        let inverse = if room > 1e-4 { 1.0 / room } else { 0.0 };
        let ends = [a.dot(along), b.dot(along)];
        self.lines[self.lines_len] = Line { towards, along, room, inverse, ends, ignored };
        self.lines_len += 1;
    }

    /// One over the time until the first collision of each of eight velocities, 1/s.
    #[inline(always)]
    fn urgency<L: Lanes>(&self, v: [L; 2], per_step: L) -> L {
        let zero = L::splat(0.0);
        let mut most = zero;
        for disc in &self.discs[..self.discs_len] {
            let scale = L::splat(disc.scale);
            let rest = [L::splat(disc.rest.x), L::splat(disc.rest.y)];
            let relative = [(v[0] - rest[0]) * scale, (v[1] - rest[1]) * scale];
            let closing = dot([L::splat(disc.p.x), L::splat(disc.p.y)], relative);
            if disc.inverse == 0.0 {
                let closing = closing + L::splat(disc.leave);
                most = most.max(zero.lt(closing).and(per_step * (L::splat(1.0) + closing)));
                continue;
            }
            // t = (|p|^2 - R^2)/(p.v + root).
            let root = closing * closing - dot(relative, relative) * L::splat(disc.power);
            let hits = zero.lt(closing).and(zero.lt(root));
            let urgency = (closing + root.max(zero).sqrt()) * L::splat(disc.inverse) - L::splat(disc.ignored);
            most = most.max(hits.and(urgency));
        }
        for line in &self.lines[..self.lines_len] {
            let closing = dot([L::splat(line.towards.x), L::splat(line.towards.y)], v);
            let along = dot([L::splat(line.along.x), L::splat(line.along.y)], v);
            // Where along the wall it would be met, compared without a division by the closing speed.
            let at = along * L::splat(line.room.max(0.0));
            let inside = (L::splat(line.ends[0]) * closing).le(at).and(at.le(L::splat(line.ends[1]) * closing));
            let urgency = match line.inverse > 0.0 {
                true => closing * L::splat(line.inverse) - L::splat(line.ignored),
                false => per_step * (L::splat(1.0) + closing),
            };
            most = most.max(zero.lt(closing).and(inside).and(urgency));
        }
        most
    }
}

impl Sampled {
    /// The best of all samples: its velocity.
    #[inline(always)]
    fn best<L: Lanes>(&self, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let me = sight.me;
        let hindrances = Hindrances::new(&self.model, sight);
        let ahead = me.desired.normalize_or(Vec2::X) * me.speed_max;
        let own = [me.desired, Vec2::ZERO, me.velocity].map(|v| v.clamp_length_max(me.speed_max));
        let (per_step, safety) = (L::splat(1.0 / sight.dt), L::splat(self.model.safety));
        let pref = [L::splat(me.desired.x), L::splat(me.desired.y)];
        let (x, y) = (L::splat(ahead.x), L::splat(ahead.y));
        let mut best = (f32::INFINITY, own[0]);
        let blocks = (self.count + own.len()).div_ceil(LANES);
        for block in 0..blocks {
            let [sx, sy] = [L::load(&self.samples[block][0]), L::load(&self.samples[block][1])];
            let mut v = [sx * x - sy * y, sx * y + sy * x];
            if block + 1 >= self.count.div_ceil(LANES) {
                v = self.with_own(block, v, &own);
            }
            let urgency = hindrances.urgency(v, per_step);
            let penalty = safety * urgency + length(sub(v, pref));
            let (mut vx, mut vy, mut rated, mut urgent) = ([0.0; LANES], [0.0; LANES], [0.0; LANES], [0.0; LANES]);
            penalty.store(&mut rated);
            (v[0].store(&mut vx), v[1].store(&mut vy), urgency.store(&mut urgent));
            for lane in 0..LANES {
                let velocity = Vec2::new(vx[lane], vy[lane]);
                why.candidate(Candidate {
                    what: "sample",
                    velocity,
                    rating: rated[lane],
                    collides_in: 1.0 / urgent[lane],
                    of: None,
                });
                // Of equal ones the first: directions are counted from the desired one.
                if rated[lane] < best.0 {
                    best = (rated[lane], velocity);
                }
            }
        }
        best.1
    }

    /// The last samples with the walker's own velocities behind them; whatever is left repeats the desired one.
    #[inline(always)]
    fn with_own<L: Lanes>(&self, block: usize, v: [L; 2], own: &[Vec2; 3]) -> [L; 2] {
        let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
        (v[0].store(&mut x), v[1].store(&mut y));
        for lane in 0..LANES {
            if let Some(past) = (block * LANES + lane).checked_sub(self.count) {
                let velocity = own.get(past).unwrap_or(&own[0]);
                (x[lane], y[lane]) = (velocity.x, velocity.y);
            }
        }
        [L::load(&x), L::load(&y)]
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn best_avx2(&self, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        self.best::<Avx2>(sight, why)
    }
}

impl Mind for Sampled {
    const KNOWS_ITS_OWN: bool = true;

    fn reach(&self, me: &Walker) -> f32 {
        me.radius + self.model.time_horizon_walls * me.speed_max
    }

    fn velocity(&self, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let v = match self.width.registers() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Width` only holds what the processor has.
            #[allow(unsafe_code)]
            Registers::Avx2 => unsafe { self.best_avx2(sight, why) },
            #[cfg(target_arch = "x86_64")]
            Registers::Sse2 => self.best::<Sse2>(sight, why),
            _ => self.best::<Plain>(sight, why),
        };
        v.clamp_length_max(sight.me.speed_max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::Explanation;
    use crate::sight::test::{ask, other, sight, walker};

    /// Of the worked examples: p_B (5, 0), v_B (-1, 0), radii 0.5, v_A (1, 0), preferred (1.3, 0).
    #[test]
    fn penalties_are_the_worked_ones() {
        let me = Walker { velocity: Vec2::X, ..walker(0.5) };
        let model = Rvo { margin: 0.0, ..Rvo::default() };
        let (map, others) =
            (passerby_geometry::walls::Walls::new(Vec::new()), [other(0, [5.0, 0.0], [-1.0, 0.0], 0.5)]);
        let sight = sight(&me, &others, &[], &map);
        let hindrances = Hindrances::new(&model, &sight);
        for (v, time, penalty) in [
            ([1.3, 0.0], 1.53846, 4.875),
            ([1.0, 0.0], 2.0, 4.05),
            ([1.2, 0.25], f32::INFINITY, 0.269258),
            ([0.0, 0.0], f32::INFINITY, 1.3),
        ] {
            let lanes = [Plain::splat(v[0]), Plain::splat(v[1])];
            let mut urgency = [0.0; LANES];
            hindrances.urgency(lanes, Plain::splat(10.0)).store(&mut urgency);
            let found = 1.0 / urgency[0];
            assert!(found == time || (found - time).abs() < 1e-4 * time, "{v:?}: {found}");
            let found = 7.5 * urgency[0] + Vec2::from(v).distance(me.desired);
            assert!((found - penalty).abs() < 1e-4 * penalty, "{v:?}: penalty {found}");
        }
    }

    /// A wall across, 2 m ahead of a body of 0.5 m: at 1 m/s 1.5 s; past its end never; towards its end the corner counts.
    #[test]
    fn walls_are_met_when_they_are() {
        let walls = [Segment { a: Vec2::new(2.0, -1.0), b: Vec2::new(2.0, 1.0) }];
        let me = walker(0.5);
        // So far ahead that all of it counts.
        let model = Rvo { time_horizon_walls: f32::INFINITY, ..Rvo::default() };
        let map = passerby_geometry::walls::Walls::new(walls.to_vec());
        let hindrances = Hindrances::new(&model, &sight(&me, &[], &walls, &map));
        for (v, time) in
            [([1.0, 0.0], 1.5), ([0.0, 1.0], f32::INFINITY), ([-1.0, 0.0], f32::INFINITY), ([1.0, 1.0], f32::INFINITY)]
        {
            let mut urgency = [0.0; LANES];
            hindrances.urgency([Plain::splat(v[0]), Plain::splat(v[1])], Plain::splat(10.0)).store(&mut urgency);
            let found = 1.0 / urgency[0];
            assert!(found == time || (found - time).abs() < 1e-4, "{v:?}: {found}, expected {time}");
        }
        // Along (1, 0.7) it would pass the line at y = 1.05, beyond the end: the disc of 0.5 m meets the corner (2, 1).
        let mut urgency = [0.0; LANES];
        hindrances.urgency([Plain::splat(1.0), Plain::splat(0.7)], Plain::splat(10.0)).store(&mut urgency);
        let (a, b, c) = (1.49, 2.7, 4.75);
        let corner = (b - f32::sqrt(b * b - a * c)) / a;
        assert!((1.0 / urgency[0] - corner).abs() < 1e-4, "{} against {corner}", 1.0 / urgency[0]);
    }

    /// Nobody is there: the desired velocity itself, to the bit. Somebody who stands in the way is walked round.
    #[test]
    fn the_best_sample_is_taken() {
        let (me, model) = (walker(0.25), Rvo::default().sampled(Width::detect()));
        assert_eq!(ask(&model, &me, &[], &[], &mut ()), me.desired);
        let others = [other(0, [1.5, 0.0], [0.0; 2], 0.25)];
        let mut why = Explanation::new(me, &others, &[]);
        let v = ask(&model, &me, &others, &[], &mut why);
        assert!(why.candidates.len() >= 250 && v.y.abs() > 0.2 && v.length() <= me.speed_max + 1e-5, "{v}");
    }
}
