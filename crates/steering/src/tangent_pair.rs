//! Two walkers as one of them sees it: the personal kite, the interaction area behind it, and where the other is heading in it.
//!
//! Everything is relative to the reference walker R: the perceived walker P is at an offset, both velocities are those in the world.
//! Numbers of equations are those of Pettré et al. 2009.

use passerby_geometry::{Vec2, math};

/// Half width of the personal area, and its length to the back, m.
pub(crate) const SIDE: f32 = 0.8;
/// How much farther it reaches to the front for each m/s, s: equation (6).
const AHEAD: f32 = 0.4;
/// Sides below this, m, are none: the interaction point is on the decision line.
const ON_THE_LINE: f32 = 1e-4;

/// The walker who decides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reference {
    /// m/s.
    pub velocity: Vec2,
    /// m/s.
    pub desired: Vec2,
    /// Where it faces, a unit vector.
    pub facing: Vec2,
    /// Half width of its personal area, m: [`SIDE`] as printed.
    pub side: f32,
}

/// Somebody it perceives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Perceived {
    /// From the reference walker, m.
    pub offset: Vec2,
    /// m/s.
    pub velocity: Vec2,
    /// How its velocity changes, m/s2.
    pub acceleration: Vec2,
    /// For how long it has been seen, s.
    pub seen_for: f32,
}

/// How wrongly motion is perceived, and how soon less so: beta and gamma of equations (9) and (10).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Errors {
    pub speed: f32,
    pub speed_decay: f32,
    pub direction: f32,
    pub direction_decay: f32,
}

impl Errors {
    /// epsilon_v and epsilon_theta, m: equations (9) and (10).
    fn after(&self, seen_for: f32, time: f32) -> [f32; 2] {
        let share = seen_for / (seen_for + time);
        [(self.speed, self.speed_decay), (self.direction, self.direction_decay)]
            .map(|(most, decay)| most * (1.0 - math::powf(share, decay)))
    }
}

/// The interaction area: the cone from P between the tangents to the personal area of R.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    /// Where it begins: at P.
    pub at: Vec2,
    /// The tangent leftmost seen from P towards R, a unit vector.
    pub left: Vec2,
    /// The rightmost one.
    pub right: Vec2,
}

impl Reference {
    /// The personal area, equation (6): front, left, back, right.
    fn kite(&self) -> [Vec2; 4] {
        let side = self.side;
        // Smaller ones are so in every direction.
        let front = side + AHEAD * self.velocity.length() * (side / SIDE).min(1.0);
        [front * self.facing, side * self.facing.perp(), -side * self.facing, -side * self.facing.perp()]
    }

    /// The interaction area of somebody; `None` if they are inside the personal area, which then has no tangents.
    pub(crate) fn area(&self, at: Vec2) -> Option<Area> {
        let kite = self.kite();
        let inside = (0..4).all(|i| (kite[(i + 1) % 4] - kite[i]).perp_dot(at - kite[i]) >= 0.0);
        if inside {
            return None;
        }
        let (mut left, mut right) = (kite[0] - at, kite[0] - at);
        for corner in &kite[1..] {
            let to = *corner - at;
            if left.perp_dot(to) > 0.0 {
                left = to;
            }
            if right.perp_dot(to) < 0.0 {
                right = to;
            }
        }
        Some(Area { at, left: left.normalize_or_zero(), right: right.normalize_or_zero() })
    }

    /// When both are nearest if they go on, equation (8), s: with the velocity of R, with the desired one where that gives none.
    pub(crate) fn time_to_interaction(&self, other: &Perceived) -> Option<f32> {
        let nearest = |own: Vec2| {
            let v = other.velocity - own;
            -other.offset.dot(v) / v.length_squared()
        };
        [self.velocity, self.desired].map(nearest).into_iter().find(|time| *time > 0.0 && time.is_finite())
    }

    /// The interaction point, equation (7).
    fn point(&self, other: &Perceived) -> Vec2 {
        other.offset + other.velocity - self.desired
    }

    /// Whether and how R has to react: step 1 and 2 of the paper. `None` where there is nothing to react to.
    pub(crate) fn meet(&self, other: &Perceived, errors: &Errors) -> Option<Interaction> {
        let area = self.area(other.offset)?;
        let time = self.time_to_interaction(other)?;
        let point = self.point(other);
        let [length, width] = errors.after(other.seen_for, time);
        // Who stands seems to head for us.
        let along = other.velocity.try_normalize().unwrap_or(-other.offset.normalize_or_zero());
        let (long, wide) = (0.5 * length * along, 0.5 * width * along.perp());
        let locus = [long + wide, long - wide, -long + wide, -long - wide].map(|corner| point + corner);
        let (mut within, mut by) = ([0.0, f32::INFINITY], [None, None]);
        for corner in locus {
            area.cross(corner, other.acceleration, &mut within, &mut by);
        }
        if !(within[0]..=within[1]).contains(&time) {
            return None;
        }
        let side = self.chosen(&area, point);
        // It moves through the area: out by where it leaves, or not in by where it enters, whichever is nearer in time.
        let side = match (within[1] - time < time - within[0], by) {
            (true, [_, Some(leaves)]) => leaves,
            (false, [Some(enters), _]) => enters,
            _ => side,
        };
        Some(Interaction { area, velocity: other.velocity, time, side })
    }

    /// The tangent that the interaction point is to be brought to: the one on its side of the decision line.
    fn chosen(&self, area: &Area, point: Vec2) -> Side {
        let towards = -area.at.normalize_or_zero();
        let side = towards.perp_dot(point - area.at);
        if side.abs() > ON_THE_LINE {
            return if side > 0.0 { Side::Left } else { Side::Right };
        }
        // On the line: who comes from the right goes first, who comes from the left gives way, and who meet turn right.
        let across = self.facing.perp_dot(area.at);
        let (front, rear) = if area.passes_in_front(Side::Left, self.facing) {
            (Side::Left, Side::Right)
        } else {
            (Side::Right, Side::Left)
        };
        match () {
            () if across < -ON_THE_LINE => front,
            () if across > ON_THE_LINE => rear,
            () if area.at.dot(self.facing) >= 0.0 => Side::Right,
            () => Side::Left,
        }
    }
}

/// One of the two tangents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Area {
    pub(crate) fn tangent(&self, side: Side) -> Vec2 {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    /// Whether a tangent passes in front of R: then R gives way, else it passes first.
    fn passes_in_front(&self, side: Side, facing: Vec2) -> bool {
        let along = self.tangent(side);
        (self.at - along * self.at.dot(along)).dot(facing) > 0.0
    }

    /// Narrows down when a point that moves so is inside, s, and tells by which tangent it enters and leaves.
    fn cross(&self, point: Vec2, motion: Vec2, within: &mut [f32; 2], by: &mut [Option<Side>; 2]) {
        let from = point - self.at;
        let rules = [
            (Side::Right, self.right.perp_dot(from), self.right.perp_dot(motion)),
            (Side::Left, -self.left.perp_dot(from), -self.left.perp_dot(motion)),
        ];
        for (side, depth, rate) in rules {
            match () {
                () if rate > 0.0 && -depth / rate > within[0] => (within[0], by[0]) = (-depth / rate, Some(side)),
                () if rate < 0.0 && -depth / rate < within[1] => (within[1], by[1]) = (-depth / rate, Some(side)),
                () if rate == 0.0 && depth < 0.0 => *within = [f32::INFINITY, f32::NEG_INFINITY],
                () => {}
            }
        }
    }
}

/// Somebody R has to react to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interaction {
    pub area: Area,
    /// That of P, m/s.
    pub velocity: Vec2,
    /// Until they are nearest, s.
    pub time: f32,
    /// The tangent that the interaction point is to be brought to.
    pub side: Side,
}

impl Interaction {
    /// Whether R is to give way, and not to pass first.
    #[cfg(test)]
    pub(crate) fn gives_way(&self, facing: Vec2) -> bool {
        self.area.passes_in_front(self.side, facing)
    }

    /// How far along a tangent the solutions for alpha = 0, 0.5 and 1 lie: V_sol = V_P - s d, equation (11). A missing one is that
    /// for 0.5.
    pub(crate) fn solutions(&self, side: Side, desired: Vec2) -> [f32; 3] {
        let (d, v) = (self.area.tangent(side), self.velocity);
        let both = (v - desired).dot(d).max(0.0);
        // Turning alone: the speed stays. Of two roots the one whose velocity is nearer to the desired one.
        let (half, rest) = (v.dot(d), v.length_squared() - desired.length_squared());
        let root = half * half - rest;
        let turning = (root >= 0.0).then(|| {
            let distance = |s: &f32| (v - *s * d - desired).length_squared();
            let roots = [half - root.sqrt(), half + root.sqrt()].into_iter().filter(|s| *s >= 0.0);
            roots.min_by(|a, b| distance(a).total_cmp(&distance(b)))
        });
        // Speed alone: the direction stays.
        let slope = d.perp_dot(desired);
        let speeding = (slope.abs() > 1e-6).then(|| v.perp_dot(desired) / slope);
        let speeding = speeding.filter(|s| *s >= 0.0 && (v - *s * d).dot(desired) >= 0.0);
        [turning.flatten().unwrap_or(both), both, speeding.unwrap_or(both)]
    }

    /// The velocity on the chosen tangent for a strategy from 0, turning alone, to 1, speed alone.
    pub(crate) fn solution(&self, desired: Vec2, alpha: f32) -> Vec2 {
        let [turning, both, speeding] = self.solutions(self.side, desired);
        let s = match alpha < 0.5 {
            true => turning + 2.0 * alpha * (both - turning),
            false => both + (2.0 * alpha - 1.0) * (speeding - both),
        };
        self.velocity - s * self.area.tangent(self.side)
    }
}

/// The velocity without what approaches somebody inside the personal area. Who comes nearer by themselves is not fled from.
pub(crate) fn part_from(velocity: Vec2, offset: Vec2, other: Vec2) -> Vec2 {
    let towards = offset.normalize_or_zero();
    let approach = (velocity - other).dot(towards).min(velocity.dot(towards));
    velocity - approach.max(0.0) * towards
}

#[cfg(test)]
#[path = "tangent_pair_test.rs"]
mod tests;
