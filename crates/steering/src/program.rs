//! The linear programs of ORCA for eight walkers at once: van den Berg et al. 2011, section 5.
//!
//! A [`HalfPlane`] allows the velocities on the left of a directed line. [`best`] looks for the allowed velocity nearest to
//! the preferred one, inside the circle of the highest speed, by adding one half plane after another. Where there is none,
//! [`least_violation`] finds the velocity whose largest violation is smallest, and among equals the one nearest to the
//! preferred (the three-dimensional program of section 5.3); half planes of walls are never relaxed.

use passerby_geometry::lane_math::{cross, dot, select};
use passerby_geometry::lanes::Lanes;

/// Velocities on the left of a line: `v` with `cross(direction, v) >= offset`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HalfPlane<L> {
    /// Unit vector along the line.
    pub direction: [L; 2],
    /// Distance of the line from the origin, positive if the origin is outside, m/s.
    pub offset: L,
}

/// Lines whose directions differ by less (sine of the angle) are parallel.
const PARALLEL: f32 = 1e-5;

#[inline(always)]
fn along<L: Lanes>(from: [L; 2], direction: [L; 2], t: L) -> [L; 2] {
    [from[0] + direction[0] * t, from[1] + direction[1] * t]
}

impl<L: Lanes> HalfPlane<L> {
    /// The half plane on the left of a line through `point`.
    #[inline(always)]
    pub fn through(point: [L; 2], direction: [L; 2]) -> Self {
        Self { direction, offset: cross(direction, point) }
    }

    /// A half plane that every velocity is in, so far away that it bounds nothing: the place holder for lanes that have fewer.
    #[inline(always)]
    pub fn everything() -> Self {
        Self { direction: [L::splat(1.0), L::splat(0.0)], offset: L::splat(-1e4) }
    }

    /// How far `v` is outside, m/s; negative inside.
    #[inline(always)]
    pub fn violation(&self, v: [L; 2]) -> L {
        self.offset - cross(self.direction, v)
    }

    /// The point of the line nearest to the origin.
    #[inline(always)]
    fn foot(&self) -> [L; 2] {
        [(self.direction[1] * self.offset).negate(), self.direction[0] * self.offset]
    }

    #[inline(always)]
    pub fn select(mask: L, yes: Self, no: Self) -> Self {
        Self { direction: select(mask, yes.direction, no.direction), offset: mask.select(yes.offset, no.offset) }
    }
}

/// What is looked for on the border of a half plane.
#[derive(Clone, Copy)]
enum Aim<L> {
    /// The point nearest to this velocity.
    Nearest([L; 2]),
    /// The point farthest along the first vector, and of equally far ones the nearest to the second.
    Farthest([L; 2], [L; 2]),
}

/// The best point on the border of `line` that is inside `others` and the circle of radius `speed`, and a mask of lanes
/// that have one.
#[inline(always)]
fn on_border<L: Lanes>(line: &HalfPlane<L>, others: &[HalfPlane<L>], speed: L, aim: Aim<L>) -> ([L; 2], L) {
    let zero = L::splat(0.0);
    let foot = line.foot();
    let discriminant = speed * speed - line.offset * line.offset;
    let mut possible = zero.le(discriminant);
    let mut high = discriminant.max(zero).sqrt();
    let mut low = high.negate();
    for other in others {
        let turn = cross(line.direction, other.direction);
        let gap = cross(other.direction, foot) - other.offset;
        // Not a number where `turn` is 0, but then neither end is closed.
        let t = gap / turn;
        let closes_high = L::splat(PARALLEL).lt(turn);
        let closes_low = turn.lt(L::splat(-PARALLEL));
        high = closes_high.select(high.min(t), high);
        low = closes_low.select(low.max(t), low);
        // Parallel and wholly outside the other: nothing is left.
        possible = closes_high.or(closes_low).not_and(gap.lt(zero)).not_and(possible);
    }
    possible = possible.and(low.le(high));
    let t = match aim {
        Aim::Nearest(to) => dot(line.direction, to).max(low).min(high),
        Aim::Farthest(direction, preferred) => {
            let gain = dot(direction, line.direction);
            let nearest = dot(line.direction, preferred).max(low).min(high);
            let end = zero.lt(gain).select(high, low);
            gain.abs().le(L::splat(PARALLEL)).select(nearest, end)
        }
    };
    (along(foot, line.direction, t), possible)
}

/// Adds half planes one after another, as long as lanes are `active`. Returns the velocity and a mask of lanes in which all of them
/// are kept; elsewhere the velocity keeps those before the first that could not be.
#[inline(always)]
fn incremental<L: Lanes>(lines: &[HalfPlane<L>], speed: L, aim: Aim<L>, start: [L; 2], active: L) -> ([L; 2], L) {
    let (mut v, mut kept) = (start, active);
    for (i, line) in lines.iter().enumerate() {
        let outside = L::splat(0.0).lt(line.violation(v)).and(kept);
        if outside.any() {
            let (better, possible) = on_border(line, &lines[..i], speed, aim);
            v = select(outside.and(possible), better, v);
            kept = possible.not_and(outside).not_and(kept);
        }
    }
    (v, kept)
}

/// The velocity nearest to `preferred` within `speed` that all `lines` allow, and a mask of lanes that have one. Where there
/// is none, the velocity keeps the lines before the first that could not be kept.
#[inline(always)]
pub(crate) fn best<L: Lanes>(lines: &[HalfPlane<L>], speed: L, preferred: [L; 2]) -> ([L; 2], L) {
    let length = dot(preferred, preferred).sqrt();
    let too_fast = speed.lt(length);
    let scale = too_fast.select(speed / too_fast.select(length, L::splat(1.0)), L::splat(1.0));
    let start = [preferred[0] * scale, preferred[1] * scale];
    let all = L::splat(0.0).le(L::splat(0.0));
    incremental(lines, speed, Aim::Nearest(preferred), start, all)
}

/// The velocity whose largest violation of `lines[hard..]` is smallest, the first `hard` ones never violated, for
/// the lanes of `active`. `v` is what [`best`] was left with.
#[inline(always)]
pub(crate) fn least_violation<L: Lanes, const N: usize>(
    lines: &[HalfPlane<L>],
    hard: usize,
    speed: L,
    preferred: [L; 2],
    mut v: [L; 2],
    active: L,
) -> [L; 2] {
    let mut worst = L::splat(0.0);
    let mut bounds = [HalfPlane::<L>::everything(); N];
    for i in hard..lines.len() {
        let outside = worst.lt(lines[i].violation(v)).and(active);
        if !outside.any() {
            continue;
        }
        // Where two violations are equal: the lines that bound the velocities for which line i is the worst.
        bounds[..hard].copy_from_slice(&lines[..hard]);
        for j in hard..i {
            let (bound, exists) = bisector(&lines[i], &lines[j]);
            bounds[j] = HalfPlane::select(exists, bound, HalfPlane::everything());
        }
        let inwards = [lines[i].direction[1].negate(), lines[i].direction[0]];
        let start = [inwards[0] * speed, inwards[1] * speed];
        let (better, kept) = incremental(&bounds[..i], speed, Aim::Farthest(inwards, preferred), start, outside);
        // Rounding alone makes this fail; the velocity at hand is then as good.
        v = select(outside.and(kept), better, v);
        worst = outside.select(lines[i].violation(v), worst);
    }
    v
}

/// The velocities that violate `line` at least as much as `other`, and a mask of lanes in which that is a half plane at all:
/// it is not when both point the same way.
#[inline(always)]
fn bisector<L: Lanes>(line: &HalfPlane<L>, other: &HalfPlane<L>) -> (HalfPlane<L>, L) {
    let direction = [other.direction[0] - line.direction[0], other.direction[1] - line.direction[1]];
    let length = dot(direction, direction).sqrt();
    let differ = L::splat(PARALLEL).lt(length);
    let inverse = L::splat(1.0) / differ.select(length, L::splat(1.0));
    let direction = [direction[0] * inverse, direction[1] * inverse];
    (HalfPlane { direction, offset: (other.offset - line.offset) * inverse }, differ)
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_geometry::Vec2;
    use passerby_geometry::chance::{Chance, Purpose};
    use passerby_geometry::lanes::{LANES, Plain};

    fn plane(point: [f32; 2], direction: [f32; 2]) -> HalfPlane<Plain> {
        HalfPlane::through(point.map(Plain::splat), direction.map(Plain::splat))
    }

    fn first(v: [Plain; 2]) -> Vec2 {
        let mut out = [[0.0; LANES]; 2];
        (v[0].store(&mut out[0]), v[1].store(&mut out[1]));
        Vec2::new(out[0][0], out[1][0])
    }

    fn solve(lines: &[HalfPlane<Plain>], speed: f32, preferred: [f32; 2]) -> (Vec2, bool) {
        let (speed, preferred) = (Plain::splat(speed), preferred.map(Plain::splat));
        let all = Plain::mask(0xff);
        let (v, kept) = best(lines, speed, preferred);
        if kept.bits() & 1 == 1 {
            return (first(v), true);
        }
        (first(least_violation::<_, 16>(lines, 0, speed, preferred, v, all)), false)
    }

    /// Worked examples, section 7, last row of the ORCA table.
    #[test]
    fn two_walls_of_velocities_that_leave_no_room_are_violated_alike() {
        let (v, kept) = solve(&[plane([-0.2, 0.0], [0.0, 1.0]), plane([0.4, 0.0], [0.0, -1.0])], 2.0, [1.3, 0.0]);
        assert!(!kept);
        assert!((v - Vec2::new(0.1, 0.0)).length() < 1e-5, "{v}");
    }

    /// Random half planes against every velocity of a fine polar grid.
    #[test]
    fn no_velocity_of_a_grid_is_better() {
        let (mut feasible, mut infeasible) = (0, 0);
        for case in 0..400 {
            let mut stream = Chance::new(11).stream(case, 0, Purpose::Decision);
            let mut number = |low, high| stream.between(low, high) as f32;
            let lines: Vec<_> = (0..2 + case % 9)
                .map(|_| {
                    let angle = number(0.0, std::f64::consts::TAU);
                    let (sin, cos) = passerby_geometry::math::sin_cos(angle);
                    plane([number(-0.8, 0.8), number(-0.8, 0.8)], [cos, sin])
                })
                .collect();
            let preferred = [number(-1.5, 1.5), number(-1.0, 1.0)];
            let (v, kept) = solve(&lines, 1.7, preferred);
            assert!(v.length() < 1.7 + 1e-4);
            let violation = |v: Vec2| {
                let at = [Plain::splat(v.x), Plain::splat(v.y)];
                lines.iter().map(|line| first([line.violation(at); 2]).x).fold(f32::MIN, f32::max)
            };
            let preferred = Vec2::from(preferred);
            (feasible, infeasible) = if kept { (feasible + 1, infeasible) } else { (feasible, infeasible + 1) };
            for step in 0..=40 {
                for turn in 0..180 {
                    let (sin, cos) = passerby_geometry::math::sin_cos(turn as f32 * std::f32::consts::TAU / 180.0);
                    let grid = Vec2::new(cos, sin) * (1.7 * step as f32 / 40.0);
                    if kept {
                        assert!(violation(v) < 1e-4, "case {case}: {v} is outside by {}", violation(v));
                        let better = violation(grid) <= 0.0 && grid.distance(preferred) < v.distance(preferred) - 1e-3;
                        assert!(!better, "case {case}: {grid} is allowed and better than {v}");
                    } else {
                        assert!(violation(v) < violation(grid) + 1e-3, "case {case}: {grid} violates less than {v}");
                    }
                }
            }
        }
        assert!(feasible > 50 && infeasible > 50, "{feasible} and {infeasible}");
    }
}
