//! Steering behaviours: Reynolds, *Steering behaviors for autonomous characters*, 1999.
//!
//! Each behaviour asks for an acceleration; they are weighed, added, cut to what a walker can do, and change the velocity:
//!
//! - *seek* the next point of the way, and *arrive*: slow down in front of where one will stand;
//! - *separation* from those who are near, *alignment* with where they go, *cohesion* with where they are;
//! - *unaligned collision avoidance*: foresee the nearest approach to each, and turn and brake before the first that is too near;
//! - *containment*: foresee the own path, and turn away from the wall it meets.
//!
//! The paper prints ideas, not numbers; the parameters are ours. Strangers do not flock, so alignment and cohesion weigh nothing
//! unless asked for.

use crate::Walker;
use crate::explanation::Witness;
use crate::parameter::Field;
use crate::sight::{Mind, Neighbour, Sight};
use passerby_geometry::sweep::disc_hits_segment;
use passerby_geometry::{Segment, Vec2};

/// Parameters of steering behaviours. Weights are accelerations: how strongly a behaviour at its full pulls, m/s2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reynolds {
    /// The strongest acceleration: max_force over mass, m/s2, 0.1 to 50, default 4.
    pub acceleration: f32,
    /// Time in which *seek* would reach the desired velocity alone, s, 0.05 to 10, default 0.5.
    pub relaxation: f32,
    /// How far before its goal *arrive* begins to slow down, m, 0 to 20, default 1.
    pub slowing: f32,
    /// Weight of *separation*, m/s2, 0 to 50, default 1.
    pub separation: f32,
    /// Gap between bodies within which *separation* acts, m, 0 to 10, default 0.6.
    pub space: f32,
    /// Weight of *alignment*, 1/s, 0 to 10, default 0.
    pub alignment: f32,
    /// Weight of *cohesion*, 1/s2, 0 to 10, default 0.
    pub cohesion: f32,
    /// Weight of *unaligned collision avoidance*, m/s2, 0 to 50, default 4.
    pub avoidance: f32,
    /// How far ahead collisions are foreseen, s, 0.1 to 20, default 4.
    pub horizon: f32,
    /// Gap at the nearest approach that is too near, m, 0 to 5, default 0.3.
    pub margin: f32,
    /// Weight of *containment*, m/s2, 0 to 50, default 4.
    pub containment: f32,
    /// How far ahead walls are foreseen, s, 0.1 to 20, default 1.
    pub horizon_walls: f32,
}

impl Default for Reynolds {
    fn default() -> Self {
        Self {
            acceleration: 4.0,
            relaxation: 0.5,
            slowing: 1.0,
            separation: 1.0,
            space: 0.6,
            alignment: 0.0,
            cohesion: 0.0,
            avoidance: 4.0,
            horizon: 4.0,
            margin: 0.3,
            containment: 4.0,
            horizon_walls: 1.0,
        }
    }
}

impl Reynolds {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "acceleration", low: 0.1, high: 50.0, allowed: "0.1 to 50 m/s2", slot: |p| &mut p.acceleration },
        Field { name: "relaxation", low: 0.05, high: 10.0, allowed: "0.05 to 10 s", slot: |p| &mut p.relaxation },
        Field { name: "slowing", low: 0.0, high: 20.0, allowed: "0 to 20 m", slot: |p| &mut p.slowing },
        Field { name: "separation", low: 0.0, high: 50.0, allowed: "0 to 50 m/s2", slot: |p| &mut p.separation },
        Field { name: "space", low: 0.0, high: 10.0, allowed: "0 to 10 m", slot: |p| &mut p.space },
        Field { name: "alignment", low: 0.0, high: 10.0, allowed: "0 to 10 /s", slot: |p| &mut p.alignment },
        Field { name: "cohesion", low: 0.0, high: 10.0, allowed: "0 to 10 /s2", slot: |p| &mut p.cohesion },
        Field { name: "avoidance", low: 0.0, high: 50.0, allowed: "0 to 50 m/s2", slot: |p| &mut p.avoidance },
        Field { name: "horizon", low: 0.1, high: 20.0, allowed: "0.1 to 20 s", slot: |p| &mut p.horizon },
        Field { name: "margin", low: 0.0, high: 5.0, allowed: "0 to 5 m", slot: |p| &mut p.margin },
        Field { name: "containment", low: 0.0, high: 50.0, allowed: "0 to 50 m/s2", slot: |p| &mut p.containment },
        Field { name: "horizon_walls", low: 0.1, high: 20.0, allowed: "0.1 to 20 s", slot: |p| &mut p.horizon_walls },
    ];

    /// A step must be shorter than the relaxation, or the walker overshoots.
    pub fn step_max(&self) -> f32 {
        (0.5 * self.relaxation).min(0.25)
    }

    /// *Seek* and *arrive*: towards the desired velocity, which falls to nothing over the last metres.
    fn seek(&self, me: &Walker) -> Vec2 {
        let share = if self.slowing > 0.0 { (me.left / self.slowing).min(1.0) } else { 1.0 };
        (me.desired * share - me.velocity) / self.relaxation
    }

    /// *Separation*: away from each who is near, the more the nearer; at contact with its full weight.
    fn separate(&self, me: &Walker, other: &Neighbour) -> Vec2 {
        let distance = other.offset.length();
        let gap = distance - me.radius - other.radius;
        if gap >= self.space {
            return Vec2::ZERO;
        }
        // All of it towards those who do not give way, half towards those who do.
        let share = 2.0 * other.share;
        let near = 1.0 - (gap / self.space.max(1e-3)).max(-1.0);
        -other.offset * (self.separation * share * near / distance)
    }

    /// *Alignment* and *cohesion*, over all who are seen.
    fn flock(&self, me: &Walker, others: &[Neighbour]) -> (Vec2, Vec2) {
        if others.is_empty() || (self.alignment == 0.0 && self.cohesion == 0.0) {
            return (Vec2::ZERO, Vec2::ZERO);
        }
        let share = 1.0 / others.len() as f32;
        let (mut velocity, mut offset) = (Vec2::ZERO, Vec2::ZERO);
        for other in others {
            (velocity, offset) = (velocity + other.velocity, offset + other.offset);
        }
        ((velocity * share - me.velocity) * self.alignment, offset * share * self.cohesion)
    }

    /// *Unaligned collision avoidance*: of those who will come too near the first is avoided, sideways away from where it will be, and
    /// by braking if it will be ahead.
    fn avoid(&self, me: &Walker, others: &[Neighbour]) -> Option<(Vec2, &'static str, passerby_crowd::AgentId)> {
        let mut first: Option<(f32, &Neighbour)> = None;
        for other in others {
            let time = nearest_approach(other.offset, other.velocity - me.velocity);
            let apart = (other.offset + (other.velocity - me.velocity) * time).length();
            let near = apart < me.radius + other.radius + self.margin;
            if near && time > 0.0 && time < first.map_or(self.horizon, |(least, _)| least) {
                first = Some((time, other));
            }
        }
        let (time, other) = first?;
        let ahead =
            if me.velocity.length_squared() > 1e-4 { me.velocity.normalize() } else { me.desired.normalize_or_zero() };
        let there = other.offset + (other.velocity - me.velocity) * time;
        // Straight on: both turn right. Who is seen on the left is passed on the right, and the other way round.
        let aside = ahead.perp_dot(there);
        let side = if aside.abs() <= 1e-3 { -ahead.perp() } else { -ahead.perp() * aside.signum() };
        let urgent = 1.0 - time / self.horizon;
        // Who crosses and will be ahead is let pass.
        let crosses = 1.0 - (other.velocity.normalize_or_zero().dot(ahead)).abs();
        let brake = if other.offset.dot(ahead) > 0.0 && there.dot(ahead) >= 0.0 { crosses } else { 0.0 };
        Some(((side - ahead * brake) * (self.avoidance * urgent), "avoidance", other.id))
    }

    /// *Containment*: away from the first wall that the own path meets.
    fn contain(&self, sight: &Sight<'_>) -> Vec2 {
        let Walker { position, velocity, radius, .. } = *sight.me;
        let motion = velocity * self.horizon_walls;
        let mut first: Option<(f32, &Segment)> = None;
        for wall in sight.walls {
            if let Some(share) = disc_hits_segment(position, motion, radius, wall)
                && first.is_none_or(|(least, _)| share < least)
            {
                first = Some((share, wall));
            }
        }
        let Some((share, wall)) = first else { return Vec2::ZERO };
        let at = position + motion * share;
        let away = (at - wall.closest_point(at)).normalize_or_zero();
        away * (self.containment * (1.0 - share))
    }
}

/// When two are nearest who go on as they do, s: -(p.v)/|v|^2; 0 if they move alike.
fn nearest_approach(p: Vec2, v: Vec2) -> f32 {
    let speed2 = v.length_squared();
    if speed2 <= 1e-9 { 0.0 } else { -p.dot(v) / speed2 }
}

impl Mind for Reynolds {
    fn reach(&self, me: &Walker) -> f32 {
        me.radius + me.speed_max * self.horizon_walls
    }

    fn velocity(&self, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let me = sight.me;
        let seek = self.seek(me);
        why.force("seek", seek, None);
        let mut sum = seek;
        for other in sight.others {
            let push = self.separate(me, other);
            if push != Vec2::ZERO {
                why.force("separation", push, Some(other.id));
            }
            sum += push;
        }
        let (alignment, cohesion) = self.flock(me, sight.others);
        for (what, force) in [("alignment", alignment), ("cohesion", cohesion), ("containment", self.contain(sight))] {
            if force != Vec2::ZERO {
                why.force(what, force, None);
            }
            sum += force;
        }
        if let Some((force, what, id)) = self.avoid(me, sight.others) {
            why.force(what, force, Some(id));
            sum += force;
        }
        let v = me.velocity + sum.clamp_length_max(self.acceleration) * sight.dt;
        v.clamp_length_max(me.speed_max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sight::test::{ask, other, sight, walker};

    #[test]
    fn nearest_approach_is_the_worked_one() {
        assert_eq!(nearest_approach(Vec2::new(3.0, -3.0), Vec2::new(-1.0, 1.0)), 3.0);
        assert_eq!(nearest_approach(Vec2::new(3.0, -3.0), Vec2::ZERO), 0.0);
    }

    /// Standing, desired 1.3 m/s, relaxation 0.5 s: 2.6 m/s2, below the limit of 4: 0.26 m/s after 0.1 s. With 0.25 s it would be
    /// 5.2, cut to 4.
    #[test]
    fn seek_is_cut_to_what_a_walker_can_do() {
        let me = Walker { velocity: Vec2::ZERO, ..walker(0.25) };
        assert_eq!(ask(&Reynolds::default(), &me, &[], &[], &mut ()), Vec2::new(0.26, 0.0));
        let model = Reynolds { relaxation: 0.25, ..Reynolds::default() };
        assert_eq!(ask(&model, &me, &[], &[], &mut ()), Vec2::new(0.4, 0.0));
    }

    /// Half a metre before the goal, slowing over 1 m: half the speed is wanted: (0.65 - 1.3)/0.5 = -1.3 m/s2.
    #[test]
    fn arrive_slows_down() {
        let me = Walker { left: 0.5, ..walker(0.25) };
        assert!((ask(&Reynolds::default(), &me, &[], &[], &mut ()).x - 1.17).abs() < 1e-6);
    }

    /// 0.8 m between centres is a gap of 0.3 m, half the space: half the weight, away.
    #[test]
    fn separation_grows_with_nearness() {
        let model = Reynolds::default();
        let push = model.separate(&walker(0.25), &other(1, [0.0, 0.8], [0.0; 2], 0.25));
        assert!(push.distance(Vec2::new(0.0, -0.5)) < 1e-5, "{push}");
        assert_eq!(model.separate(&walker(0.25), &other(1, [0.0, 1.2], [0.0; 2], 0.25)), Vec2::ZERO);
    }

    /// Two neighbours at (1, 1) and (1, -3) walking with (0, 1) and (2, 1): mean velocity (1, 1), mean place (1, -1).
    #[test]
    fn flocks_align_and_cohere() {
        let model = Reynolds { alignment: 0.5, cohesion: 0.25, ..Reynolds::default() };
        let others = [other(1, [1.0, 1.0], [0.0, 1.0], 0.25), other(2, [1.0, -3.0], [2.0, 1.0], 0.25)];
        let (alignment, cohesion) = model.flock(&walker(0.25), &others);
        assert!(alignment.distance(Vec2::new(-0.15, 0.5)) < 1e-6 && cohesion == Vec2::new(0.25, -0.25));
    }

    #[test]
    fn meetings_are_avoided_sideways() {
        let model = Reynolds::default();
        // Head-on, exactly: right. Seen on the left: right. On the right: left.
        for (y, right) in [(0.0, true), (0.2, true), (-0.2, false)] {
            let (force, ..) = model.avoid(&walker(0.25), &[other(1, [4.0, y], [-1.3, 0.0], 0.25)]).expect("a meeting");
            assert_eq!(force.y < 0.0, right, "{force} at {y}");
        }
        // Past each other at 1 m: nothing.
        assert_eq!(model.avoid(&walker(0.25), &[other(1, [4.0, 1.0], [-1.3, 0.0], 0.25)]), None);
    }

    /// A wall across 0.9 m ahead: at 1.3 m/s the disc meets it after 0.65 m, half of the second it looks ahead: half the weight, back.
    #[test]
    fn walls_ahead_turn_it_back() {
        let walls = [Segment { a: Vec2::new(0.9, 2.0), b: Vec2::new(0.9, -2.0) }];
        let (me, map) = (walker(0.25), passerby_geometry::walls::Walls::new(walls.to_vec()));
        let sight = sight(&me, &[], &walls, &map);
        let force = Reynolds::default().contain(&sight);
        assert!(force.distance(Vec2::new(-2.0, 0.0)) < 1e-3, "{force}");
    }
}
