//! Social force, in two forms.
//!
//! [`Helbing1995`]: Helbing, Molnár, *Social force model for pedestrian dynamics*, 1995. People repel each other by an elliptic
//! potential that reaches ahead of the other's next step; what is behind counts less. Points, not bodies.
//!
//! [`Helbing2000`]: Helbing, Farkas, Vicsek, *Simulating dynamical features of escape panic*, 2000. Bodies with radii that are
//! compressed and rub against each other. Stiff: it wants steps of a hundredth of a second.
//!
//! Both give accelerations; the velocity is that of one explicit step, at most the walker's fastest.

use crate::parameter::Field;
use crate::{Neighbour, Seen, Walker};
use passerby_geometry::{Segment, Vec2, math};

/// Parameters of the social force of 1995. Defaults as published.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Helbing1995 {
    /// Strength of the repulsion between people: V0, m2/s2, 0 to 1000, default 2.1.
    pub strength: f32,
    /// Its range: sigma, m, 0.01 to 10, default 0.3.
    pub range: f32,
    /// How far ahead the other's step is foreseen: Delta t, s, 0 to 10, default 2.
    pub step_ahead: f32,
    /// Strength of the repulsion from walls: U0, m2/s2, 0 to 1000, default 10.
    pub strength_walls: f32,
    /// Its range: R, m, 0.01 to 10, default 0.2.
    pub range_walls: f32,
    /// Time to reach the desired velocity: tau, s, 0.05 to 10, default 0.5.
    pub relaxation: f32,
    /// Weight of what is outside the field of view of 200 degrees: c, 0 to 1, default 0.5.
    pub weight_behind: f32,
}

/// Parameters of the social force of 2000. Defaults as published.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Helbing2000 {
    /// Strength of the repulsion: A, N, 0 to 100000, default 2000.
    pub strength: f32,
    /// Its range: B, m, 0.01 to 10, default 0.08.
    pub range: f32,
    /// Stiffness of bodies: k, kg/s2, 0 to 1e6, default 1.2e5.
    pub stiffness: f32,
    /// Sliding friction of bodies: kappa, kg/(m s), 0 to 1e6, default 2.4e5.
    pub friction: f32,
    /// Time to reach the desired velocity: tau, s, 0.05 to 10, default 0.5.
    pub relaxation: f32,
}

impl Default for Helbing1995 {
    fn default() -> Self {
        Self {
            strength: 2.1,
            range: 0.3,
            step_ahead: 2.0,
            strength_walls: 10.0,
            range_walls: 0.2,
            relaxation: 0.5,
            weight_behind: 0.5,
        }
    }
}

impl Default for Helbing2000 {
    fn default() -> Self {
        Self { strength: 2000.0, range: 0.08, stiffness: 1.2e5, friction: 2.4e5, relaxation: 0.5 }
    }
}

/// cos 100 degrees: half of the field of view.
const COS_HALF_VIEW: f32 = -0.173_648_18;

impl Helbing1995 {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "strength", low: 0.0, high: 1000.0, allowed: "0 to 1000 m2/s2", slot: |p| &mut p.strength },
        Field { name: "range", low: 0.01, high: 10.0, allowed: "0.01 to 10 m", slot: |p| &mut p.range },
        Field { name: "step_ahead", low: 0.0, high: 10.0, allowed: "0 to 10 s", slot: |p| &mut p.step_ahead },
        Field {
            name: "strength_walls",
            low: 0.0,
            high: 1000.0,
            allowed: "0 to 1000 m2/s2",
            slot: |p| &mut p.strength_walls,
        },
        Field { name: "range_walls", low: 0.01, high: 10.0, allowed: "0.01 to 10 m", slot: |p| &mut p.range_walls },
        Field { name: "relaxation", low: 0.05, high: 10.0, allowed: "0.05 to 10 s", slot: |p| &mut p.relaxation },
        Field { name: "weight_behind", low: 0.0, high: 1.0, allowed: "0 to 1", slot: |p| &mut p.weight_behind },
    ];

    /// A tenth of the relaxation time keeps the explicit step well inside its stable range.
    pub fn step_max(&self) -> f32 {
        0.1 * self.relaxation
    }

    /// How far it sees walls beyond its radius, m: there the force has fallen to 5e-5 of its strength.
    pub fn sight(&self) -> f32 {
        10.0 * self.range_walls
    }

    /// The velocity after one step of `dt` seconds.
    pub fn steer(&self, me: &Walker, seen: &Seen<'_>, dt: f32) -> Vec2 {
        let ahead = me.desired.normalize_or_zero();
        let mut acceleration = (me.desired - me.velocity) / self.relaxation;
        for other in seen.neighbours {
            let f = self.repulsion(me, other);
            acceleration += self.weight(ahead, f) * f;
        }
        for away in away_from_walls(me.position, seen.walls) {
            acceleration += self.wall_repulsion(away);
        }
        (me.velocity + acceleration * dt).clamp_length_max(me.speed_max)
    }

    /// Acceleration by which `other` repels `me`: the gradient of V0 exp(-b/sigma), eq. (3) and (4), before the weight.
    pub fn repulsion(&self, me: &Walker, other: &Neighbour) -> Vec2 {
        let speed = other.velocity.length();
        let s = speed * self.step_ahead;
        let e_b = if speed > 0.0 { other.velocity / speed } else { Vec2::ZERO };
        let r = me.position - other.position;
        let y = r - s * e_b;
        let (n1, n2) = (r.length(), y.length());
        if n1 < 1e-6 {
            // The very same spot: part by id, as hard as the potential allows.
            return Vec2::X * if me.id < other.id { self.strength / self.range } else { -self.strength / self.range };
        }
        let b = 0.5 * ((n1 + n2) * (n1 + n2) - s * s).max(0.0).sqrt();
        if b < 1e-4 * (n1 + n2) {
            // On the other's coming path: the limit of the gradient, sideways, to the right of where the other goes.
            let strength = self.strength / (2.0 * self.range) * (s * (1.0 / n1 + 1.0 / n2.max(1e-6))).sqrt();
            return strength * Vec2::new(-e_b.y, e_b.x);
        }
        let strength = self.strength / self.range * math::exp(-b / self.range) * (n1 + n2) / (4.0 * b);
        strength * (r / n1 + y / n2.max(1e-6))
    }

    /// 1 for what is in view, `weight_behind` otherwise: eq. (7) and (8).
    pub fn weight(&self, ahead: Vec2, f: Vec2) -> f32 {
        if ahead.dot(-f) >= f.length() * COS_HALF_VIEW { 1.0 } else { self.weight_behind }
    }

    /// Acceleration from a wall whose nearest point is `away` behind the walker: eq. (5).
    fn wall_repulsion(&self, away: Vec2) -> Vec2 {
        let distance = away.length().max(1e-6);
        self.strength_walls / self.range_walls * math::exp(-distance / self.range_walls) * (away / distance)
    }
}

impl Helbing2000 {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "strength", low: 0.0, high: 1e5, allowed: "0 to 100000 N", slot: |p| &mut p.strength },
        Field { name: "range", low: 0.01, high: 10.0, allowed: "0.01 to 10 m", slot: |p| &mut p.range },
        Field { name: "stiffness", low: 0.0, high: 1e6, allowed: "0 to 1000000 kg/s2", slot: |p| &mut p.stiffness },
        Field { name: "friction", low: 0.0, high: 1e6, allowed: "0 to 1000000 kg/(m s)", slot: |p| &mut p.friction },
        Field { name: "relaxation", low: 0.05, high: 10.0, allowed: "0.05 to 10 s", slot: |p| &mut p.relaxation },
    ];

    /// Bodies swing with 55 rad/s and friction stops them within a few hundredths of a second.
    pub fn step_max(&self) -> f32 {
        0.01
    }

    /// How far it sees walls beyond its radius, m.
    pub fn sight(&self) -> f32 {
        10.0 * self.range
    }

    /// The velocity after one step of `dt` seconds.
    pub fn steer(&self, me: &Walker, seen: &Seen<'_>, dt: f32) -> Vec2 {
        let mut force = me.mass * (me.desired - me.velocity) / self.relaxation;
        for other in seen.neighbours {
            force += self.person_force(me, other);
        }
        for away in away_from_walls(me.position, seen.walls) {
            force += self.wall_force(me, away);
        }
        (me.velocity + force / me.mass * dt).clamp_length_max(me.speed_max)
    }

    /// Force of another person, N: eq. (2) with body force and sliding friction.
    pub fn person_force(&self, me: &Walker, other: &Neighbour) -> Vec2 {
        let offset = me.position - other.position;
        let distance = offset.length();
        let n = if distance > 1e-6 { offset / distance } else { Vec2::X * if me.id < other.id { 1.0 } else { -1.0 } };
        self.contact(n, me.radius + other.radius - distance, other.velocity - me.velocity)
    }

    /// Force of a wall whose nearest point is `away` behind the walker, N: eq. (3).
    pub fn wall_force(&self, me: &Walker, away: Vec2) -> Vec2 {
        let distance = away.length().max(1e-6);
        self.contact(away / distance, me.radius - distance, -me.velocity)
    }

    /// (A exp(x/B) + k g(x)) n + kappa g(x) (dv . t) t, with t = (-n_y, n_x) and g(x) = max(0, x).
    fn contact(&self, n: Vec2, x: f32, relative_velocity: Vec2) -> Vec2 {
        let g = x.max(0.0);
        let t = Vec2::new(-n.y, n.x);
        (self.strength * math::exp(x / self.range) + self.stiffness * g) * n
            + self.friction * g * relative_velocity.dot(t) * t
    }
}

/// From the nearest point of each wall to `at`; two walls that meet in that point count once.
fn away_from_walls(at: Vec2, walls: &[Segment]) -> impl Iterator<Item = Vec2> + '_ {
    let mut last = None;
    walls.iter().filter_map(move |wall| {
        let point = wall.closest_point(at);
        (last != Some(point)).then(|| {
            last = Some(point);
            at - point
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_crowd::AgentId;

    fn me(radius: f32, velocity: Vec2, desired: Vec2) -> Walker {
        let id = AgentId::new(0, 0);
        Walker { id, position: Vec2::ZERO, velocity, radius, mass: 80.0, desired, speed_max: 100.0 }
    }

    fn other(position: Vec2, velocity: Vec2, radius: f32) -> Neighbour {
        Neighbour { id: AgentId::new(0, 1), position, velocity, radius, share: 0.5 }
    }

    #[track_caller]
    fn near(got: Vec2, x: f32, y: f32) {
        let expected = Vec2::new(x, y);
        assert!(got.distance(expected) <= 2e-4 * expected.length().max(1e-3), "{got}, expected {expected}");
    }

    /// Worked examples, section 5: force on somebody at the origin who looks along +x, before and after the weight.
    #[test]
    fn elliptic_repulsion_is_the_worked_one() {
        let check = |x: f32, y: f32, speed: f32, e_b: [f32; 2], f: [f32; 2], weight: f32| {
            let p = Helbing1995::default();
            let got =
                p.repulsion(&me(0.25, Vec2::ZERO, Vec2::X), &other(Vec2::new(x, y), speed * Vec2::from(e_b), 0.25));
            near(got, f[0], f[1]);
            assert_eq!(p.weight(Vec2::X, got), weight, "({x}, {y})");
        };
        check(4.0, 0.0, 1.3, [-1.0, 0.0], [-0.00299645, 0.0], 1.0);
        check(2.0, 0.3, 1.3, [-1.0, 0.0], [-0.393435, -2.47925], 1.0);
        check(2.0, 0.0, 1.3, [-1.0, 0.0], [0.0, -8.30713], 1.0); // on the coming path: the limit
        check(1.0, 0.0, 1.3, [1.0, 0.0], [-0.0152039, 0.0], 1.0);
        check(1.0, 0.0, 0.0, [1.0, 0.0], [-0.249718, 0.0], 1.0);
        check(1.5, -1.5, 1.3, [0.0, 1.0], [-0.0459466, 0.00351369], 1.0);
        check(-1.0, 0.0, 0.0, [1.0, 0.0], [0.249718, 0.0], 0.5);
        check(-4.0, 0.0, 1.3, [1.0, 0.0], [0.00299645, 0.0], 0.5);
    }

    #[test]
    fn walls_and_drive_of_1995_are_the_worked_ones() {
        let p = Helbing1995::default();
        near(p.wall_repulsion(Vec2::new(0.0, 0.5)), 0.0, 4.10425);
        near(p.wall_repulsion(Vec2::new(0.0, 0.2)), 0.0, 18.3940);
        let alone = Seen { neighbours: &[], walls: &[] };
        let v = p.steer(&me(0.25, Vec2::new(1.0, 0.2), Vec2::new(1.34, 0.0)), &alone, 0.05);
        near(v - Vec2::new(1.0, 0.2), 0.68 * 0.05, -0.4 * 0.05);
    }

    /// Worked examples, section 6.
    #[test]
    fn bodies_push_and_rub_as_worked() {
        let check = |x_j: [f32; 2], v_i: [f32; 2], v_j: [f32; 2], f: [f32; 2]| {
            let other = other(Vec2::from(x_j), Vec2::from(v_j), 0.3);
            near(Helbing2000::default().person_force(&me(0.3, Vec2::from(v_i), Vec2::X), &other), f[0], f[1]);
        };
        check([1.1, 0.0], [1.0, 0.0], [-1.0, 0.0], [-3.86091, 0.0]);
        check([0.6, 0.0], [1.0, 0.0], [-1.0, 0.0], [-2000.0, 0.0]);
        check([0.58, 0.0], [1.0, 0.5], [0.0, -0.5], [-4968.05, -4800.0]);
        check([0.4, 0.4], [1.0, 0.0], [0.0, 0.0], [-9201.13, -965.629]);
        let p = Helbing2000::default();
        let walker = me(0.3, Vec2::X, Vec2::X);
        near(p.wall_force(&walker, Vec2::new(0.0, 0.5)), 0.0, 164.170);
        near(p.wall_force(&walker, Vec2::new(0.0, 0.29)), -2400.0, 3466.30);
        let alone = Seen { neighbours: &[], walls: &[] };
        let v = p.steer(&me(0.3, Vec2::new(1.0, 0.2), Vec2::new(1.5, 0.0)), &alone, 0.01);
        near(v - Vec2::new(1.0, 0.2), 80.0 / 80.0 * 0.01, -32.0 / 80.0 * 0.01);
    }

    #[test]
    fn coinciding_centres_part_by_id() {
        let p = Helbing2000::default();
        let here = other(Vec2::ZERO, Vec2::ZERO, 0.3);
        assert!(p.person_force(&me(0.3, Vec2::ZERO, Vec2::X), &here).x > 0.0);
        let mut later = me(0.3, Vec2::ZERO, Vec2::X);
        later.id = AgentId::new(0, 2);
        assert!(p.person_force(&later, &here).x < 0.0);
    }
}
