//! Collision-free speed: Tordeux, Chraibi, Seyfried, *Collision-free speed model for pedestrian dynamics*, 2016.
//!
//! A walker turns away from those who are near  and then walks as fast as the gap to
//! whoever is in front allows, so that it would take the time gap T to close it . The fundamental diagram
//! follows directly from T, and alone a walker does not run into somebody who
//! stands: it closes a gap only over the time T.
//!
//! Its known weakness is that two who meet face to face stop for good. Ours, with a reason: a walker who is held up looks
//! for the direction in which it expects to get on best, within [`Headway::sidestep`] of its way, and takes that for its
//! way in this step; the model of 2016 then does the rest. That is the choice of direction of Moussaïd, Helbing,
//! Theraulaz, *How simple rules determine pedestrian behavior and crowd disasters*, 2011 (there: the least distance left to
//! the goal after a look ahead; here: the greatest progress that the model's own speed allows). Whoever comes
//! towards it is taken for as near as they will be in [`Headway::anticipation`] seconds, after Xu, Chraibi, Seyfried,
//! *Anticipation in a velocity-based model for pedestrian dynamics*, 2021: two streams then part into lanes before they
//! block each other. Equal directions: right.
//! And two who enter a door side by side would both stop, each just in front of the other: people turn their shoulders, so
//! only a share [`Headway::squeeze`] of the two widths has to be free. Somebody pulled both ways at full speed
//! would tremble where the pulls balance: they hesitate, and give ground slowly ([`Headway::retreat`]). With `sidestep = 0`,
//! `squeeze = 1` and `retreat = 1` the model is the one of 2016.

use crate::lockstep::{EXPONENT_MAX, Kernel, Other, WALLS_MAX, Walkers};
use crate::parameter::Field;
use passerby_crowd::NEAREST_MAX;
use passerby_geometry::lane_math::{add, cross, dot, exp, length, scale, select, unit_or};
use passerby_geometry::lanes::Lanes;
use passerby_geometry::math;

/// Parameters of the headway model. Defaults are those of the public implementation in JuPedSim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Headway {
    /// Time gap kept to whoever is in front: T, s, 0.1 to 10, default 1.
    pub time_gap: f32,
    /// Strength of the repulsion from people: a, 0 to 100, default 8.
    pub strength: f32,
    /// Range of the repulsion from people: D, m, 0.001 to 10, default 0.1.
    pub range: f32,
    /// Strength of the repulsion from walls, 0 to 100, default 5.
    pub strength_walls: f32,
    /// Range of the repulsion from walls, m, 0.001 to 10, default 0.02.
    pub range_walls: f32,
    /// How far a walker who is held up turns from its direction to get on, rad, 0 to 1.57, default 1.2. Ours; 0: never.
    pub sidestep: f32,
    /// Share of its desired speed with which a walker who is pushed back gives ground, 0 to 1, default 0.2. Ours; 1: all of it.
    pub retreat: f32,
    /// Share of the widths of two bodies that counts as being in front, 0.5 to 1, default 0.8: people turn their shoulders
    /// (Fruin's body is 0.46 m deep and 0.61 m wide). Ours; 1: all of it.
    pub squeeze: f32,
    /// How far ahead it foresees the step of somebody who comes towards it when it looks for a way, s, 0 to 5, default 1. Ours.
    pub anticipation: f32,
}

impl Default for Headway {
    fn default() -> Self {
        Self {
            time_gap: 1.0,
            strength: 8.0,
            range: 0.1,
            strength_walls: 5.0,
            range_walls: 0.02,
            sidestep: 1.2,
            retreat: 0.2,
            squeeze: 0.8,
            anticipation: 1.0,
        }
    }
}

/// Directions tried on each side when held up.
const SIDE_DIRECTIONS: usize = 5;
/// A walker who makes this share of its desired progress is not held up.
const UNHINDERED: f32 = 0.8;
/// How much better the way it is going already looks to a walker, so that it does not dither between two.
const KEEP: f32 = 0.3;

impl Headway {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "time_gap", low: 0.1, high: 10.0, allowed: "0.1 to 10 s", slot: |p| &mut p.time_gap },
        Field { name: "strength", low: 0.0, high: 100.0, allowed: "0 to 100", slot: |p| &mut p.strength },
        Field { name: "range", low: 0.001, high: 10.0, allowed: "0.001 to 10 m", slot: |p| &mut p.range },
        Field { name: "strength_walls", low: 0.0, high: 100.0, allowed: "0 to 100", slot: |p| &mut p.strength_walls },
        Field { name: "range_walls", low: 0.001, high: 10.0, allowed: "0.001 to 10 m", slot: |p| &mut p.range_walls },
        Field { name: "sidestep", low: 0.0, high: 1.57, allowed: "0 to 1.57 rad", slot: |p| &mut p.sidestep },
        Field { name: "retreat", low: 0.0, high: 1.0, allowed: "0 to 1", slot: |p| &mut p.retreat },
        Field { name: "squeeze", low: 0.5, high: 1.0, allowed: "0.5 to 1", slot: |p| &mut p.squeeze },
        Field { name: "anticipation", low: 0.0, high: 5.0, allowed: "0 to 5 s", slot: |p| &mut p.anticipation },
    ];

    /// First order: within a quarter of the time gap two who approach each other close at most half of their gap.
    pub fn step_max(&self) -> f32 {
        0.25 * self.time_gap
    }

    /// How far it sees walls beyond its radius, m.
    pub fn sight(&self) -> f32 {
        (10.0 * self.range_walls).max(self.time_gap)
    }

    /// The model with what is the same for everybody worked out.
    pub(crate) fn kernel(&self) -> HeadwayKernel {
        let sides = std::array::from_fn(|i| {
            let (sin, cos) = math::sin_cos(self.sidestep * (i + 1) as f32 / SIDE_DIRECTIONS as f32);
            [cos, sin]
        });
        HeadwayKernel { parameters: *self, sides }
    }

    /// The direction a walker who is held up gets on best in; `ahead` if it is not held up.
    #[inline(always)]
    fn way_round<L: Lanes>(&self, me: &Step<'_, L>, ahead: [L; 2]) -> [L; 2] {
        let straight = self.prospect(me, ahead);
        let held_up = straight.lt(L::splat(UNHINDERED) * me.desired_speed);
        if self.sidestep <= 0.0 || !held_up.any() {
            return ahead;
        }
        let (one, keep) = (L::splat(1.0), L::splat(KEEP));
        let (mut most, mut best) = (straight * (one + keep * dot(ahead, me.going)), ahead);
        for [cos, sin] in me.sides {
            for sin in [-sin, *sin] {
                let (cos, sin) = (L::splat(*cos), L::splat(sin));
                let e = [ahead[0] * cos - ahead[1] * sin, ahead[1] * cos + ahead[0] * sin];
                let progress = cos * self.prospect(me, e) * (one + keep * dot(e, me.going));
                let better = most.lt(progress);
                most = better.select(progress, most);
                best = select(better, e, best);
            }
        }
        select(held_up, best, ahead)
    }

    /// How fast a walker expects to get on in direction `e`: as [`Headway::speed`], but whoever comes towards it is as near as
    /// they will be after [`Headway::anticipation`] seconds.
    ///
    /// And with walls, which the paper leaves out because nobody turns towards one: the part of the velocity that approaches a wall
    /// closes the gap to it in T.
    #[inline(always)]
    fn prospect<L: Lanes>(&self, me: &Step<'_, L>, e: [L; 2]) -> L {
        let (zero, per_gap) = (L::splat(0.0), L::splat(1.0 / self.time_gap));
        let mut speed = me.desired_speed;
        for other in me.others {
            let comes = dot(other.velocity, e).negate().max(zero);
            let gap = (other.gap - comes * L::splat(self.anticipation)).max(zero);
            speed = other.is_in_front(e).select(speed.min(gap * per_gap), speed);
        }
        for wall in me.walls {
            let approach = dot(e, wall.away).negate();
            let closes = L::splat(1e-3).lt(approach);
            let most = wall.gap.max(zero) * per_gap / closes.select(approach, L::splat(1.0));
            speed = closes.select(speed.min(most), speed);
        }
        speed
    }

    /// Where a walker is pulled: e_0 + sum over people of a exp((l - s)/D) e_ji + the same over walls. Its direction is e.
    #[inline(always)]
    fn pull<L: Lanes>(&self, me: &Step<'_, L>, ahead: [L; 2]) -> [L; 2] {
        let mut e = ahead;
        for other in me.others {
            e = add(e, other.push(self.strength, self.range));
        }
        for wall in me.walls {
            e = add(e, wall.push(self.strength_walls, self.range_walls));
        }
        e
    }

    /// How much of its desired speed a walker puts into a direction: less when it is pulled both ways, and little when it is
    /// pushed back. Without this it darts back and forth where the two pulls balance, at its full speed.
    #[inline(always)]
    fn will<L: Lanes>(&self, pull: [L; 2], ahead: [L; 2]) -> L {
        let one = L::splat(1.0);
        if self.retreat >= 1.0 {
            return one;
        }
        let decided = length(pull).min(one);
        dot(pull, ahead).lt(L::splat(0.0)).select(decided * L::splat(self.retreat), decided)
    }

    /// How fast a walker can go in direction `e`: V = min(v_0, max(0, (s - l)/T)), s - l the smallest gap to those in front.
    #[inline(always)]
    fn speed<L: Lanes>(&self, me: &Step<'_, L>, e: [L; 2], desired_speed: L) -> L {
        let mut speed = desired_speed;
        for other in me.others {
            let most = other.gap * L::splat(1.0 / self.time_gap);
            speed = other.is_in_front(e).select(speed.min(most), speed);
        }
        speed
    }
}

/// See [`Headway::kernel`].
pub(crate) struct HeadwayKernel {
    parameters: Headway,
    /// Cosine and sine of the directions that are tried on each side.
    sides: [[f32; 2]; SIDE_DIRECTIONS],
}

impl Kernel for HeadwayKernel {
    fn sight(&self) -> f32 {
        self.parameters.sight()
    }

    #[inline(always)]
    fn velocity<L: Lanes>(&self, me: &Walkers<L>, others: &[Other<L>], walls: &[[L; 2]]) -> [L; 2] {
        let p = &self.parameters;
        let desired_speed = length(me.desired);
        // What does not depend on the direction is worked out once for all that are tried.
        let nobody = Gap::far();
        let (mut others_near, mut walls_near) = ([nobody; NEAREST_MAX as usize], [nobody; WALLS_MAX]);
        for (gap, other) in others_near.iter_mut().zip(others) {
            *gap = Gap::to_other(p, me, other);
        }
        for (gap, wall) in walls_near.iter_mut().zip(walls) {
            *gap = Gap::to_wall(me, *wall);
        }
        let zero = [L::splat(0.0); 2];
        let step = Step {
            desired_speed,
            going: unit_or(me.body.velocity, zero),
            others: &others_near[..others.len()],
            walls: &walls_near[..walls.len()],
            sides: &self.sides,
        };
        let ahead = p.way_round(&step, unit_or(me.desired, zero));
        let pull = p.pull(&step, ahead);
        let e = unit_or(pull, ahead);
        scale(e, p.speed(&step, e, desired_speed * p.will(pull, ahead)))
    }
}

/// What eight walkers know when they look for a direction.
struct Step<'a, L> {
    desired_speed: L,
    /// Unit vector of the present velocity.
    going: [L; 2],
    others: &'a [Gap<L>],
    walls: &'a [Gap<L>],
    sides: &'a [[f32; 2]; SIDE_DIRECTIONS],
}

/// Somebody or a wall, relative to the walker.
#[derive(Clone, Copy)]
struct Gap<L> {
    /// Unit vector from there to the walker: e_ji.
    away: [L; 2],
    velocity: [L; 2],
    /// s - l, m; negative: overlap.
    signed: L,
    /// The same, never negative.
    gap: L,
    /// Half of the stripe that the two need, as a sine: l/s.
    stripe: L,
}

impl<L: Lanes> Gap<L> {
    /// Nobody.
    #[inline(always)]
    fn far() -> Self {
        let (zero, far) = (L::splat(0.0), L::splat(1e6));
        Gap { away: [zero; 2], velocity: [zero; 2], signed: far, gap: far, stripe: L::splat(-1.0) }
    }

    #[inline(always)]
    fn to_other(p: &Headway, me: &Walkers<L>, other: &Other<L>) -> Self {
        let (distance, width) = (length(other.offset), me.body.radius + other.radius);
        let (signed, per_distance) = (distance - width, L::splat(1.0) / distance);
        Gap {
            away: scale(other.offset, per_distance),
            velocity: other.velocity,
            signed,
            gap: signed.max(L::splat(0.0)),
            stripe: L::splat(p.squeeze) * width * per_distance,
        }
    }

    /// `away` is from the nearest point of the wall to the walker.
    #[inline(always)]
    fn to_wall(me: &Walkers<L>, away: [L; 2]) -> Self {
        let distance = length(away).max(L::splat(1e-6));
        let signed = distance - me.body.radius;
        Gap { away: [away[0] / distance, away[1] / distance], signed, gap: signed.max(L::splat(0.0)), ..Gap::far() }
    }

    /// How hard it pushes: a exp((l - s)/D) e_ji.
    #[inline(always)]
    fn push(&self, strength: f32, range: f32) -> [L; 2] {
        scale(self.away, L::splat(strength) * exp((self.signed * L::splat(-1.0 / range)).min(L::splat(EXPONENT_MAX))))
    }

    /// Ahead of e and within the stripe that two bodies need: e . e_ij >= 0 and |e_perp . e_ij| <= l/s.
    #[inline(always)]
    fn is_in_front(&self, e: [L; 2]) -> L {
        dot(e, self.away).le(L::splat(0.0)).and(cross(e, self.away).abs().le(self.stripe))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Walker;
    use crate::lockstep::test::{Neighbour, first, other as seen_by, splat, walker};
    use passerby_crowd::AgentId;
    use passerby_geometry::Vec2;
    use passerby_geometry::lanes::Plain;

    fn me(desired: Vec2) -> Walker {
        let id = AgentId::new(0, 0);
        Walker {
            id,
            position: Vec2::ZERO,
            velocity: desired,
            radius: 0.25,
            mass: 80.0,
            desired,
            speed_max: 2.0,
            heading: 0.0,
            left: f32::INFINITY,
            ahead: f32::INFINITY,
        }
    }

    fn other(x: f32, y: f32) -> Neighbour {
        Neighbour { position: Vec2::new(x, y), velocity: Vec2::ZERO, radius: 0.25 }
    }

    /// What comes of one function of the model for somebody who goes along +x at 1.3 m/s.
    fn step<T>(
        p: &Headway,
        others: &[Neighbour],
        walls: &[Vec2],
        f: impl Fn(&Headway, &Step<'_, Plain>, [Plain; 2]) -> T,
    ) -> T {
        let me = me(Vec2::new(1.3, 0.0));
        let others: Vec<_> =
            others.iter().map(|other| Gap::to_other(p, &walker(&me, 0.1), &seen_by(&me, other))).collect();
        let walls: Vec<_> = walls.iter().map(|away| Gap::to_wall(&walker(&me, 0.1), splat(*away))).collect();
        let step = Step {
            desired_speed: Plain::splat(1.3),
            going: splat(Vec2::X),
            others: &others,
            walls: &walls,
            sides: &p.kernel().sides,
        };
        f(p, &step, splat(Vec2::X))
    }

    fn chosen(p: &Headway, others: &[Neighbour]) -> Vec2 {
        let me = me(Vec2::new(1.3, 0.0));
        let others: Vec<_> = others.iter().map(|other| seen_by(&me, other)).collect();
        first(p.kernel().velocity(&walker(&me, 0.1), &others, &[]))
    }

    /// Speed towards +x with 1.3 m/s desired and somebody at (x, y).
    #[track_caller]
    fn check_speed(x: f32, y: f32, expected: f32) {
        let paper = Headway { squeeze: 1.0, ..Headway::default() };
        let speed = step(&paper, &[other(x, y)], &[], |p, step, e| first([p.speed(step, e, step.desired_speed); 2]).x);
        assert!((speed - expected).abs() < 1e-5, "({x}, {y}): {speed} m/s, expected {expected}");
    }

    #[test]
    fn the_gap_in_front_sets_the_speed() {
        check_speed(1.2, 0.0, 0.7); // gap 0.7 m in 1 s
        check_speed(1.8, 0.0, 1.3); // exactly the desired speed
        check_speed(9.0, 0.0, 1.3);
        check_speed(0.5, 0.0, 0.0); // touching
        check_speed(0.4, 0.0, 0.0); // overlapping: stop, not backwards
        check_speed(-1.0, 0.0, 1.3); // behind
        check_speed(0.8, 0.49, 0.4381365); // inside the stripe of two radii: sqrt(0.8801) - 0.5
        check_speed(0.8, 0.51, 1.3); // outside it
    }

    /// a exp((l - s)/D) with s = 0.6, l = 0.5, D = 0.1: 8/e = 2.943036 to the left of somebody on the right.
    #[test]
    fn neighbours_turn_the_direction_by_hand() {
        let e = step(&Headway::default(), &[other(0.0, -0.6)], &[], |p, step, e| first(p.pull(step, e)).normalize());
        let expected = Vec2::new(1.0, 2.943_036).normalize();
        assert!(e.distance(expected) < 1e-5, "{e}, expected {expected}");
    }

    /// Wall 0.27 m to the right: 5 exp(-0.02/0.02) = 1.839397.
    #[test]
    fn walls_turn_the_direction_by_hand() {
        let wall = Vec2::new(0.0, 0.27);
        let e = step(&Headway::default(), &[], &[wall], |p, step, e| first(p.pull(step, e)).normalize());
        let expected = Vec2::new(1.0, 1.839_397).normalize();
        assert!(e.distance(expected) < 1e-4, "{e}, expected {expected}");
    }

    /// Somebody 2 m ahead, radii 0.25: the gap is 1.5 m. Standing, that is no hindrance at 1.3 m/s; coming with 1 m/s it is
    /// 0.5 m in a second's time.
    #[test]
    fn who_comes_is_nearer_than_who_stands() {
        let prospect = |velocity: Vec2| {
            let other = Neighbour { velocity, ..other(2.0, 0.0) };
            step(&Headway::default(), &[other], &[], |p, step, e| first([p.prospect(step, e); 2]).x)
        };
        assert_eq!(prospect(Vec2::ZERO), 1.3);
        assert_eq!(prospect(Vec2::new(1.0, 0.0)), 1.3);
        assert!((prospect(Vec2::new(-1.0, 0.0)) - 0.5).abs() < 1e-5);
    }

    /// A wall 0.75 m ahead, radius 0.25: half a metre in a second. At 60 degrees to it, it may be twice as fast.
    #[test]
    fn walls_ahead_bound_the_prospect() {
        let ahead = Vec2::new(-0.75, 0.0);
        let prospect =
            |e: Vec2| step(&Headway::default(), &[], &[ahead], |p, step, _| first([p.prospect(step, splat(e)); 2]).x);
        assert!((prospect(Vec2::X) - 0.5).abs() < 1e-5);
        assert!((prospect(Vec2::new(0.5, 0.75f32.sqrt())) - 1.0).abs() < 1e-5);
        assert_eq!(prospect(Vec2::Y), 1.3);
        assert_eq!(prospect(Vec2::NEG_X), 1.3);
    }

    #[test]
    fn who_is_held_up_steps_aside_to_the_right() {
        let p = Headway::default();
        let v = chosen(&p, &[other(0.7, 0.0)]);
        assert!(v.y < -0.3, "{v}");
        let v = chosen(&Headway { sidestep: 0.0, squeeze: 1.0, retreat: 1.0, ..p }, &[other(0.7, 0.0)]);
        assert!(v.y == 0.0 && v.x < 0.21, "{v}"); // the gap of 0.2 m, or less: neighbours may even push it back
    }
}
