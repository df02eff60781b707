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

use crate::parameter::Field;
use crate::{NEAREST_MAX, Neighbour, Seen, Walker};
use passerby_geometry::{Segment, Vec2, math};

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
const SIDE_DIRECTIONS: u32 = 5;
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

    /// The velocity it chooses.
    pub fn steer(&self, me: &Walker, seen: &Seen<'_>) -> Vec2 {
        let desired_speed = me.desired.length();
        if desired_speed <= 0.0 {
            return Vec2::ZERO;
        }
        // What does not depend on the direction is worked out once for all that are tried.
        let mut others = [Other::NONE; NEAREST_MAX as usize];
        let count = seen.neighbours.len().min(others.len());
        for (other, neighbour) in others.iter_mut().zip(seen.neighbours) {
            *other = Other::new(self, me, neighbour);
        }
        let others = &others[..count];
        let ahead = self.way_round(me, me.desired / desired_speed, desired_speed, others, seen.walls);
        let pull = self.pull(me, ahead, others, seen.walls);
        let e = pull.normalize_or(ahead);
        self.speed(e, desired_speed * self.will(pull, ahead), others) * e
    }

    /// How much of its desired speed a walker puts into a direction: less when it is pulled both ways, and little when it is
    /// pushed back. Without this it darts back and forth where the two pulls balance, at its full speed.
    fn will(&self, pull: Vec2, ahead: Vec2) -> f32 {
        if self.retreat >= 1.0 {
            return 1.0;
        }
        let decided = pull.length().min(1.0);
        if pull.dot(ahead) < 0.0 { decided * self.retreat } else { decided }
    }

    /// The direction a walker who is held up gets on best in; `ahead` if it is not held up.
    fn way_round(&self, me: &Walker, ahead: Vec2, desired_speed: f32, others: &[Other], walls: &[Segment]) -> Vec2 {
        let prospect = |e: Vec2| self.prospect_at_walls(me, e, self.prospect(e, desired_speed, others), walls);
        let straight = prospect(ahead);
        if self.sidestep <= 0.0 || straight >= UNHINDERED * desired_speed {
            return ahead;
        }
        let going = me.velocity.normalize_or_zero();
        let keep = |e: Vec2| 1.0 + KEEP * e.dot(going);
        let mut best = (straight * keep(ahead), ahead);
        for i in 1..=SIDE_DIRECTIONS {
            let (sin, cos) = math::sin_cos(self.sidestep * i as f32 / SIDE_DIRECTIONS as f32);
            for sin in [-sin, sin] {
                let e = Vec2::new(cos, sin).rotate(ahead);
                let progress = cos * prospect(e) * keep(e);
                if progress > best.0 {
                    best = (progress, e);
                }
            }
        }
        best.1
    }

    /// How fast it expects to get on in direction `e`: as `speed`, but whoever comes towards it is as near as they will
    /// be after [`Headway::anticipation`] seconds.
    fn prospect(&self, e: Vec2, desired_speed: f32, others: &[Other]) -> f32 {
        others.iter().filter(|other| other.is_in_front(e)).fold(desired_speed, |speed, other| {
            let comes = (-other.velocity.dot(e)).max(0.0);
            speed.min((other.gap - comes * self.anticipation).max(0.0) / self.time_gap)
        })
    }

    /// The same with walls, which the paper leaves out because nobody turns towards one: the part of the velocity that
    /// approaches a wall closes the gap to it in T.
    fn prospect_at_walls(&self, me: &Walker, e: Vec2, speed: f32, walls: &[Segment]) -> f32 {
        walls.iter().fold(speed, |speed, wall| {
            let offset = wall.closest_point(me.position) - me.position;
            let distance = offset.length().max(1e-6);
            let approach = e.dot(offset / distance);
            let gap = (distance - me.radius).max(0.0);
            if approach > 1e-3 { speed.min(gap / (self.time_gap * approach)) } else { speed }
        })
    }

    /// Where it is pulled: e_0 + sum over people of a exp((l - s)/D) e_ji + the same over walls. Its direction is e.
    fn pull(&self, me: &Walker, ahead: Vec2, others: &[Other], walls: &[Segment]) -> Vec2 {
        let mut e = ahead;
        for other in others {
            e += self.strength * math::exp(-other.gap_signed / self.range) * other.away;
        }
        let mut last = None;
        for wall in walls {
            let point = wall.closest_point(me.position);
            // Two walls that meet in the nearest corner push once.
            if last == Some(point) {
                continue;
            }
            last = Some(point);
            let offset = me.position - point;
            let distance = offset.length();
            let gap = distance - me.radius;
            e += self.strength_walls * math::exp(-gap / self.range_walls) * (offset / distance.max(1e-6));
        }
        e
    }

    /// How fast it can go in direction `e`: V = min(v_0, max(0, (s - l)/T)), s - l the smallest gap to those in front.
    fn speed(&self, e: Vec2, desired_speed: f32, others: &[Other]) -> f32 {
        let gaps = others.iter().filter(|other| other.is_in_front(e)).map(|other| other.gap);
        gaps.fold(desired_speed, |speed, gap| speed.min(gap / self.time_gap))
    }
}

/// Somebody, relative to the walker.
#[derive(Clone, Copy)]
struct Other {
    /// Unit vector from the other to the walker: e_ji.
    away: Vec2,
    velocity: Vec2,
    /// s - l, m; negative: overlap.
    gap_signed: f32,
    /// The same, never negative.
    gap: f32,
    /// Half of the stripe that the two need, as a sine: l/s.
    stripe: f32,
}

impl Other {
    const NONE: Other = Other { away: Vec2::ZERO, velocity: Vec2::ZERO, gap_signed: 0.0, gap: 0.0, stripe: 0.0 };

    /// Two on the very same spot part by id.
    fn new(p: &Headway, me: &Walker, other: &Neighbour) -> Other {
        let offset = me.position - other.position;
        let (distance, width) = (offset.length(), me.radius + other.radius);
        let away =
            if distance > 1e-6 { offset / distance } else { Vec2::X * if me.id < other.id { 1.0 } else { -1.0 } };
        let gap = distance - width;
        Other {
            away,
            velocity: other.velocity,
            gap_signed: gap,
            gap: gap.max(0.0),
            stripe: p.squeeze * width / distance.max(1e-6),
        }
    }

    /// Ahead of e and within the stripe that two bodies need: e . e_ij >= 0 and |e_perp . e_ij| <= l/s.
    fn is_in_front(&self, e: Vec2) -> bool {
        e.dot(self.away) <= 0.0 && e.perp_dot(self.away).abs() <= self.stripe
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_crowd::AgentId;

    fn me(desired: Vec2) -> Walker {
        let id = AgentId::new(0, 0);
        Walker { id, position: Vec2::ZERO, velocity: desired, radius: 0.25, mass: 80.0, desired, speed_max: 2.0 }
    }

    fn other(x: f32, y: f32) -> Neighbour {
        let id = AgentId::new(0, 1);
        Neighbour { id, position: Vec2::new(x, y), velocity: Vec2::ZERO, radius: 0.25, share: 0.5 }
    }

    /// Speed towards +x with 1.3 m/s desired and somebody at (x, y).
    #[track_caller]
    fn check_speed(x: f32, y: f32, expected: f32) {
        let paper = Headway { squeeze: 1.0, ..Headway::default() };
        let others = [Other::new(&paper, &me(Vec2::new(1.3, 0.0)), &other(x, y))];
        let speed = paper.speed(Vec2::X, 1.3, &others);
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
        let p = Headway::default();
        let others = [Other::new(&p, &me(Vec2::X), &other(0.0, -0.6))];
        let e = p.pull(&me(Vec2::X), Vec2::X, &others, &[]).normalize();
        let expected = Vec2::new(1.0, 2.943_036).normalize();
        assert!(e.distance(expected) < 1e-5, "{e}, expected {expected}");
    }

    /// Wall 0.27 m to the right: 5 exp(-0.02/0.02) = 1.839397.
    #[test]
    fn walls_turn_the_direction_by_hand() {
        let wall = Segment { a: Vec2::new(-5.0, -0.27), b: Vec2::new(5.0, -0.27) };
        let e = Headway::default().pull(&me(Vec2::X), Vec2::X, &[], &[wall]).normalize();
        let expected = Vec2::new(1.0, 1.839_397).normalize();
        assert!(e.distance(expected) < 1e-4, "{e}, expected {expected}");
    }

    /// Somebody 2 m ahead, radii 0.25: the gap is 1.5 m. Standing, that is no hindrance at 1.3 m/s; coming with 1 m/s it is
    /// 0.5 m in a second's time.
    #[test]
    fn who_comes_is_nearer_than_who_stands() {
        let p = Headway::default();
        let prospect = |velocity: Vec2| {
            let other = Neighbour { velocity, ..other(2.0, 0.0) };
            p.prospect(Vec2::X, 1.3, &[Other::new(&p, &me(Vec2::new(1.3, 0.0)), &other)])
        };
        assert_eq!(prospect(Vec2::ZERO), 1.3);
        assert_eq!(prospect(Vec2::new(1.0, 0.0)), 1.3);
        assert!((prospect(Vec2::new(-1.0, 0.0)) - 0.5).abs() < 1e-5);
    }

    #[test]
    fn who_is_held_up_steps_aside_to_the_right() {
        let p = Headway::default();
        let seen = Seen { neighbours: &[other(0.7, 0.0)], walls: &[] };
        let v = p.steer(&me(Vec2::new(1.3, 0.0)), &seen);
        assert!(v.y < -0.3, "{v}");
        let paper = Headway { sidestep: 0.0, squeeze: 1.0, retreat: 1.0, ..p };
        let v = paper.steer(&me(Vec2::new(1.3, 0.0)), &seen);
        assert!(v.y == 0.0 && v.x < 0.21, "{v}"); // the gap of 0.2 m, or less: neighbours may even push it back
    }
}
