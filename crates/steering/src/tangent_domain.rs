//! Velocities that solve interactions: a line of them along each tangent, cut by everything else (steps 4 and 5 of Pettré et al. 2009).

use crate::tangent_pair::{Area, Interaction, Side};
use passerby_geometry::{Segment, Vec2};

/// Pieces a line can be cut into: each of the other interactions and walls adds at most one.
const PIECES: usize = 16;

/// Velocities from V_P on, along a tangent: V_P - s d for s within some pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Domain {
    from: Vec2,
    along: Vec2,
    pieces: [[f32; 2]; PIECES],
    count: usize,
}

/// A convex set of velocities, some half planes each: `normal . v > bound` for all of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Forbidden {
    rules: [(Vec2, f32); 3],
}

impl Forbidden {
    /// No velocity at all.
    pub(crate) const NOTHING: Forbidden = Forbidden { rules: [(Vec2::ZERO, 0.0); 3] };

    /// The velocities of R with which somebody who walks at `velocity` is in their interaction area: I = P + V_P - v is between the tangents.
    pub(crate) fn by_walker(area: &Area, velocity: Vec2) -> Self {
        // right x (V_P - v) > 0 and left x (V_P - v) < 0; a x b = a.perp() . b.
        let (right, left) = (area.right.perp(), area.left.perp());
        let sure = (Vec2::ZERO, -1.0);
        Self { rules: [(-right, -right.dot(velocity)), (left, left.dot(velocity)), sure] }
    }

    /// The velocities with which a body of a radius reaches a wall within a second; ends are relative to its centre.
    pub(crate) fn by_wall(wall: &Segment, radius: f32) -> Self {
        let nearest = wall.closest_point(Vec2::ZERO);
        let distance = nearest.length();
        let sure = (Vec2::ZERO, -1.0);
        if distance <= radius * 1.001 {
            // It touches: nothing that leads farther in.
            return Self { rules: [(nearest.normalize_or_zero(), 1e-4), sure, sure] };
        }
        // The shadow of the wall, as wide as a body more at either end, from a body before it on.
        let [a, b] = if wall.a.perp_dot(wall.b) >= 0.0 { [wall.a, wall.b] } else { [wall.b, wall.a] };
        let beside = |end: Vec2, sign: f32| {
            let length = end.length();
            let sin = (radius / length).min(1.0) * sign;
            end.rotate(Vec2::new((1.0 - sin * sin).max(0.0).sqrt(), sin)) / length
        };
        let (first, last) = (beside(a, -1.0), beside(b, 1.0));
        let ahead = wall.direction().perp().normalize_or(nearest / distance);
        let ahead = if ahead.dot(nearest) < 0.0 { -ahead } else { ahead };
        // Of a wall seen end on, its near end counts.
        let to_line = ahead.dot(wall.a);
        let (ahead, reach) =
            if to_line > radius { (ahead, to_line - radius) } else { (nearest / distance, distance - radius) };
        Self { rules: [(first.perp(), 0.0), (-last.perp(), 0.0), (ahead, reach)] }
    }

    /// Whether a velocity is in it.
    pub(crate) fn holds(&self, v: Vec2) -> bool {
        self.rules.iter().all(|(normal, bound)| normal.dot(v) > *bound)
    }

    /// Which part of a line is in it: `from - s along`.
    fn within(&self, from: Vec2, along: Vec2) -> Option<[f32; 2]> {
        let mut part = [f32::NEG_INFINITY, f32::INFINITY];
        for (normal, bound) in self.rules {
            let (value, slope) = (normal.dot(from) - bound, -normal.dot(along));
            match () {
                () if slope > 1e-7 => part[0] = part[0].max(-value / slope),
                () if slope < -1e-7 => part[1] = part[1].min(-value / slope),
                () if value <= 0.0 => return None,
                () => {}
            }
        }
        (part[0] < part[1]).then_some(part)
    }
}

impl Domain {
    /// All solutions of an interaction on one tangent, 0 <= alpha <= 1, no faster than `speed_max`.
    pub(crate) fn new(interaction: &Interaction, side: Side, desired: Vec2, speed_max: f32) -> Self {
        let (from, along) = (interaction.velocity, interaction.area.tangent(side));
        let solutions = interaction.solutions(side, desired);
        let low = solutions.into_iter().fold(f32::INFINITY, f32::min);
        let high = solutions.into_iter().fold(0.0, f32::max);
        // |V_P - s d| <= speed_max between the roots of a square.
        let half = from.dot(along);
        let root = half * half - from.length_squared() + speed_max * speed_max;
        let mut pieces = [[0.0; 2]; PIECES];
        let mut count = 0;
        if root >= 0.0 {
            pieces[0] = [low.max(half - root.sqrt()), high.min(half + root.sqrt())];
            count = usize::from(pieces[0][0] <= pieces[0][1]);
        }
        Self { from, along, pieces, count }
    }

    /// Takes away what is forbidden.
    pub(crate) fn cut(&mut self, forbidden: &Forbidden) {
        let Some([low, high]) = forbidden.within(self.from, self.along) else { return };
        let (pieces, count) = (self.pieces, self.count);
        self.count = 0;
        for [from, to] in pieces[..count].iter().copied() {
            if high <= from || to <= low {
                self.keep([from, to]);
                continue;
            }
            if from <= low {
                self.keep([from, low]);
            }
            if high <= to {
                self.keep([high, to]);
            }
        }
    }

    fn keep(&mut self, piece: [f32; 2]) {
        if self.count < PIECES {
            self.pieces[self.count] = piece;
            self.count += 1;
        }
    }

    /// The velocity that leads into the fewest of `new` interactions, of those the nearest to `near`: how many, how far, and it.
    pub(crate) fn best(&self, near: Vec2, new: &[Forbidden]) -> Option<(u32, f32, Vec2)> {
        let wanted = (self.from - near).dot(self.along);
        let mut parts = [[0.0; 2]; 32];
        let mut count = 0;
        for part in new.iter().take(32).filter_map(|forbidden| forbidden.within(self.from, self.along)) {
            (parts[count], count) = (part, count + 1);
        }
        let parts = &parts[..count];
        let mut best: Option<(u32, f32, Vec2)> = None;
        for [from, to] in &self.pieces[..self.count] {
            // Nearest within the piece, and where the number changes.
            let ends = parts.iter().flatten().copied().filter(|s| (*from..=*to).contains(s));
            for s in [wanted.clamp(*from, *to)].into_iter().chain(ends) {
                let number = parts.iter().filter(|[low, high]| *low < s && s < *high).count() as u32;
                let v = self.from - s * self.along;
                let distance = v.distance(near);
                if best.is_none_or(|(least, nearest, _)| number < least || (number == least && distance < nearest)) {
                    best = Some((number, distance, v));
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tangent_pair::{Errors, Perceived, Reference, SIDE};

    const SURE: Errors = Errors { speed: 0.0, speed_decay: 0.25, direction: 0.0, direction_decay: 0.25 };
    const EAST: Vec2 = Vec2::new(1.3, 0.0);

    fn meet(offset: [f32; 2], velocity: [f32; 2]) -> Interaction {
        let me = Reference { velocity: EAST, desired: EAST, facing: Vec2::X, side: SIDE };
        let acceleration = Vec2::ZERO;
        let other = Perceived { offset: offset.into(), velocity: velocity.into(), acceleration, seen_for: 1.0 };
        me.meet(&other, &SURE).expect("an interaction")
    }

    fn near(found: Vec2, expected: [f32; 2]) {
        assert!(found.distance(expected.into()) < 2e-4, "{found}, expected {expected:?}");
    }

    /// Case 1 of the table alone: its domain runs from (1.28444, -0.200517) to (1.1128, 0), and the velocity nearest to the present one is the
    /// projection, (1.19196, -0.0924799).
    #[test]
    fn a_domain_runs_from_turning_to_speeding() {
        let domain = Domain::new(&meet([5.6, -5.0], [0.0, 1.3]), Side::Right, EAST, 2.0);
        let (_, _, v) = domain.best(EAST, &[]).expect("some velocity");
        near(v, [1.19196, -0.0924799]);
        near(domain.best(Vec2::new(1.4, -2.0), &[]).expect("some").2, [1.28444, -0.200517]);
        near(domain.best(Vec2::ZERO, &[]).expect("some").2, [1.1128, 0.0]);
    }

    #[test]
    fn what_is_forbidden_is_cut_out_and_what_is_new_is_avoided() {
        let whole = Domain::new(&meet([5.6, -5.0], [0.0, 1.3]), Side::Right, EAST, 2.0);
        // Not below y = -0.05: a wall right of the way, half a metre and 0.05 away from a body of 0.45.
        let wall = Forbidden::by_wall(&Segment { a: Vec2::new(-9.0, -0.5), b: Vec2::new(9.0, -0.5) }, 0.45);
        assert!(wall.holds(Vec2::new(1.0, -0.06)) && !wall.holds(Vec2::new(1.0, -0.04)));
        let mut cut = whole;
        cut.cut(&wall);
        let (_, _, v) = cut.best(EAST, &[]).expect("some velocity");
        assert!((v.y + 0.05).abs() < 1e-3, "{v}");
        // Rather than cut, avoided: the same velocity, because that leads into none; where all lead into one, the nearest.
        assert_eq!(whole.best(EAST, &[wall]).expect("some velocity").0, 0);
        let everywhere = Forbidden { rules: [(Vec2::ZERO, -1.0); 3] };
        let (new, _, v) = whole.best(EAST, &[everywhere]).expect("some velocity");
        assert_eq!(new, 1);
        near(v, [1.19196, -0.0924799]);
        cut.cut(&everywhere);
        assert!(cut.best(EAST, &[]).is_none());
    }

    /// Velocities that bring I between the tangents of case 1, and none beside.
    #[test]
    fn an_area_forbids_velocities() {
        let met = meet([5.6, -5.0], [0.0, 1.3]);
        let forbidden = Forbidden::by_walker(&met.area, met.velocity);
        assert!(forbidden.holds(EAST));
        // Both solutions are on its rim.
        for v in [[1.28444, -0.200517], [1.1128, 0.0]] {
            let v = Vec2::from(v);
            assert!(
                forbidden.holds(v + 0.01 * Vec2::new(0.759685, 0.650291))
                    && !forbidden.holds(v - 0.01 * Vec2::new(0.759685, 0.650291))
            );
        }
    }

    /// A pillar 1 m wide, 1.5 m ahead, for a body of 0.25 m: straight on it is reached within a second at more than 1.25 m/s; beside it never.
    #[test]
    fn a_wall_forbids_what_reaches_it_within_a_second() {
        let wall = Forbidden::by_wall(&Segment { a: Vec2::new(1.5, 0.5), b: Vec2::new(1.5, -0.5) }, 0.25);
        assert!(wall.holds(Vec2::new(1.3, 0.0)) && !wall.holds(Vec2::new(1.2, 0.0)));
        assert!(
            wall.holds(Vec2::new(1.3, 0.6)) && !wall.holds(Vec2::new(1.3, 0.9)) && !wall.holds(Vec2::new(-1.3, 0.0))
        );
        // Touching: not farther in, but along it and away.
        let touching = Forbidden::by_wall(&Segment { a: Vec2::new(0.25, 5.0), b: Vec2::new(0.25, -5.0) }, 0.25);
        assert!(touching.holds(Vec2::new(0.1, 1.0)) && !touching.holds(Vec2::new(0.0, 1.0)));
    }
}
