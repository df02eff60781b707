//! Social force, in two forms.
//!
//! [`Helbing1995`]: Helbing, Molnár, *Social force model for pedestrian dynamics*, 1995. People repel each other by an elliptic
//! potential that reaches ahead of the other's next step; what is behind counts less. Points, not bodies.
//!
//! [`Helbing2000`]: Helbing, Farkas, Vicsek, *Simulating dynamical features of escape panic*, 2000. Bodies with radii that are
//! compressed and rub against each other. Stiff: it wants steps of a hundredth of a second.
//!
//! Both give accelerations; the velocity is that of one explicit step, at most the walker's fastest.

use crate::lockstep::{EXPONENT_MAX, Kernel, Other, Walkers};
use crate::parameter::Field;
use passerby_geometry::lane_math::{add, at_most, dot, exp, length, scale, select, sub, unit_or};
use passerby_geometry::lanes::Lanes;

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

    /// Acceleration by which `other` repels a walker: the gradient of V0 exp(-b/sigma), eq. (3) and (4), before the weight.
    #[inline(always)]
    fn repulsion<L: Lanes>(&self, other: &Other<L>) -> [L; 2] {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let speed = length(other.velocity);
        let s = speed * L::splat(self.step_ahead);
        let e_b = unit_or(other.velocity, [zero; 2]);
        let r = other.offset;
        let y = sub(r, scale(e_b, s));
        let (n1, n2) = (length(r), length(y).max(L::splat(1e-6)));
        let b = L::splat(0.5) * ((n1 + n2) * (n1 + n2) - s * s).max(zero).sqrt();
        // On the other's coming path b vanishes and the gradient has a limit: sideways, to the right of where the other goes.
        let on_path = b.lt(L::splat(1e-4) * (n1 + n2));
        let limit = L::splat(self.strength / (2.0 * self.range)) * (s * (one / n1 + one / n2)).sqrt();
        let b = on_path.select(one, b);
        let strength = L::splat(self.strength / self.range) * exp(b * L::splat(-1.0 / self.range)) * (n1 + n2)
            / (L::splat(4.0) * b);
        let gradient = scale(add([r[0] / n1, r[1] / n1], [y[0] / n2, y[1] / n2]), strength);
        select(on_path, [(limit * e_b[1]).negate(), limit * e_b[0]], gradient)
    }

    /// 1 for what is in view, `weight_behind` otherwise: eq. (7) and (8).
    #[inline(always)]
    fn weight<L: Lanes>(&self, ahead: [L; 2], f: [L; 2]) -> L {
        let seen = (length(f) * L::splat(COS_HALF_VIEW)).le(dot(ahead, f).negate());
        seen.select(L::splat(1.0), L::splat(self.weight_behind))
    }

    /// Acceleration from a wall whose nearest point is `away` behind the walker: eq. (5).
    #[inline(always)]
    fn wall_repulsion<L: Lanes>(&self, away: [L; 2]) -> [L; 2] {
        let distance = length(away).max(L::splat(1e-6));
        let strength = L::splat(self.strength_walls / self.range_walls);
        scale(away, strength * exp(distance * L::splat(-1.0 / self.range_walls)) / distance)
    }
}

impl Kernel for Helbing1995 {
    fn sight(&self) -> f32 {
        self.sight()
    }

    #[inline(always)]
    fn velocity<L: Lanes>(&self, me: &Walkers<L>, others: &[Other<L>], walls: &[[L; 2]]) -> [L; 2] {
        let ahead = unit_or(me.desired, [L::splat(0.0); 2]);
        let mut acceleration = scale(sub(me.desired, me.body.velocity), L::splat(1.0 / self.relaxation));
        for other in others {
            let f = self.repulsion(other);
            acceleration = add(acceleration, scale(f, self.weight(ahead, f)));
        }
        for wall in walls {
            acceleration = add(acceleration, self.wall_repulsion(*wall));
        }
        at_most(add(me.body.velocity, scale(acceleration, me.dt)), me.speed_max)
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

    /// Force of another person, N: eq. (2) with body force and sliding friction.
    #[inline(always)]
    fn person_force<L: Lanes>(&self, me: &Walkers<L>, other: &Other<L>) -> [L; 2] {
        let distance = length(other.offset);
        let n = [other.offset[0] / distance, other.offset[1] / distance];
        self.contact(n, me.body.radius + other.radius - distance, sub(other.velocity, me.body.velocity))
    }

    /// Force of a wall whose nearest point is `away` behind the walker, N: eq. (3).
    #[inline(always)]
    fn wall_force<L: Lanes>(&self, me: &Walkers<L>, away: [L; 2]) -> [L; 2] {
        let distance = length(away).max(L::splat(1e-6));
        let n = [away[0] / distance, away[1] / distance];
        self.contact(n, me.body.radius - distance, sub([L::splat(0.0); 2], me.body.velocity))
    }

    /// (A exp(x/B) + k g(x)) n + kappa g(x) (dv . t) t, with t = (-n_y, n_x) and g(x) = max(0, x).
    #[inline(always)]
    fn contact<L: Lanes>(&self, n: [L; 2], x: L, relative_velocity: [L; 2]) -> [L; 2] {
        let g = x.max(L::splat(0.0));
        let t = [n[1].negate(), n[0]];
        let exponent = (x * L::splat(1.0 / self.range)).min(L::splat(EXPONENT_MAX));
        let push = L::splat(self.strength) * exp(exponent) + L::splat(self.stiffness) * g;
        add(scale(n, push), scale(t, L::splat(self.friction) * g * dot(relative_velocity, t)))
    }
}

impl Kernel for Helbing2000 {
    fn sight(&self) -> f32 {
        self.sight()
    }

    #[inline(always)]
    fn velocity<L: Lanes>(&self, me: &Walkers<L>, others: &[Other<L>], walls: &[[L; 2]]) -> [L; 2] {
        let mut force = scale(sub(me.desired, me.body.velocity), me.mass * L::splat(1.0 / self.relaxation));
        for other in others {
            force = add(force, self.person_force(me, other));
        }
        for wall in walls {
            force = add(force, self.wall_force(me, *wall));
        }
        at_most(add(me.body.velocity, scale(force, me.dt / me.mass)), me.speed_max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Walker;
    use crate::lockstep::test::{Neighbour, first, other as seen_by, splat, walker};
    use passerby_crowd::AgentId;
    use passerby_geometry::Vec2;

    fn me(radius: f32, velocity: Vec2, desired: Vec2) -> Walker {
        let id = AgentId::new(0, 0);
        Walker {
            id,
            position: Vec2::ZERO,
            velocity,
            radius,
            mass: 80.0,
            desired,
            speed_max: 100.0,
            heading: 0.0,
            left: f32::INFINITY,
            ahead: f32::INFINITY,
        }
    }

    fn other(position: Vec2, velocity: Vec2, radius: f32) -> Neighbour {
        Neighbour { position, velocity, radius }
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
            let me = me(0.25, Vec2::ZERO, Vec2::X);
            let got = p.repulsion(&seen_by(&me, &other(Vec2::new(x, y), speed * Vec2::from(e_b), 0.25)));
            near(first(got), f[0], f[1]);
            assert_eq!(first([p.weight(splat(Vec2::X), got); 2]).x, weight, "({x}, {y})");
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
        near(first(p.wall_repulsion(splat(Vec2::new(0.0, 0.5)))), 0.0, 4.10425);
        near(first(p.wall_repulsion(splat(Vec2::new(0.0, 0.2)))), 0.0, 18.3940);
        let v = first(p.velocity(&walker(&me(0.25, Vec2::new(1.0, 0.2), Vec2::new(1.34, 0.0)), 0.05), &[], &[]));
        near(v - Vec2::new(1.0, 0.2), 0.68 * 0.05, -0.4 * 0.05);
    }

    /// Worked examples, section 6.
    #[test]
    fn bodies_push_and_rub_as_worked() {
        let check = |x_j: [f32; 2], v_i: [f32; 2], v_j: [f32; 2], f: [f32; 2]| {
            let (me, other) = (me(0.3, Vec2::from(v_i), Vec2::X), other(Vec2::from(x_j), Vec2::from(v_j), 0.3));
            near(first(Helbing2000::default().person_force(&walker(&me, 0.01), &seen_by(&me, &other))), f[0], f[1]);
        };
        check([1.1, 0.0], [1.0, 0.0], [-1.0, 0.0], [-3.86091, 0.0]);
        check([0.6, 0.0], [1.0, 0.0], [-1.0, 0.0], [-2000.0, 0.0]);
        check([0.58, 0.0], [1.0, 0.5], [0.0, -0.5], [-4968.05, -4800.0]);
        check([0.4, 0.4], [1.0, 0.0], [0.0, 0.0], [-9201.13, -965.629]);
        let p = Helbing2000::default();
        let going = walker(&me(0.3, Vec2::X, Vec2::X), 0.01);
        near(first(p.wall_force(&going, splat(Vec2::new(0.0, 0.5)))), 0.0, 164.170);
        near(first(p.wall_force(&going, splat(Vec2::new(0.0, 0.29)))), -2400.0, 3466.30);
        let v = first(p.velocity(&walker(&me(0.3, Vec2::new(1.0, 0.2), Vec2::new(1.5, 0.0)), 0.01), &[], &[]));
        near(v - Vec2::new(1.0, 0.2), 80.0 / 80.0 * 0.01, -32.0 / 80.0 * 0.01);
    }
}
