//! Which directions somebody covers in each interval of the future, and how fast one passes behind and before them.

use passerby_geometry::{Vec2, math};
use std::f32::consts::{PI, TAU};

/// Intervals of the future.
pub(crate) const INTERVALS: usize = 4;
/// Where they end, in units of the first.
const ENDS: [f32; INTERVALS] = [1.0, 2.0, 4.0, 8.0];

/// Directions that are covered, with the critical speeds there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    /// First direction, rad; counter-clockwise from there.
    pub from: f32,
    /// rad; 0: nothing is covered, 2 pi: everything.
    pub width: f32,
    /// The fastest that passes behind: V1, m/s.
    pub behind: f32,
    /// The slowest that passes before: V2, m/s.
    pub before: f32,
    /// When the interval begins: t1, s.
    pub start: f32,
}

/// What one neighbour or one side of a wall covers, interval by interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Swept {
    pub ranges: [Range; INTERVALS],
}

impl Swept {
    pub(crate) const NOTHING: Swept =
        Swept { ranges: [Range { from: 0.0, width: 0.0, behind: f32::INFINITY, before: 0.0, start: 0.0 }; INTERVALS] };

    /// The ranges of these bits as one: V1 the least, V2 the most, t1 the earliest.
    pub(crate) fn merged(&self, bits: u8) -> Range {
        let mut all = Range { from: 0.0, width: 0.0, behind: f32::INFINITY, before: 0.0, start: f32::INFINITY };
        for (number, range) in self.ranges.iter().enumerate() {
            if bits >> number & 1 == 1 {
                all.behind = all.behind.min(range.behind);
                all.before = all.before.max(range.before);
                all.start = all.start.min(range.start);
            }
        }
        all
    }
}

/// What somebody at `p` with velocity `v`, both seen from the walker, covers; `reach` is how near the centres may come.
pub(crate) fn of_neighbour(p: Vec2, v: Vec2, reach: f32, interval: f32) -> Swept {
    let mut swept = Swept::NOTHING;
    let inner = Extrema::new(p, v, reach);
    let (mut t1, mut from) = (0.0, Disc::new(p, reach));
    for (range, end) in swept.ranges.iter_mut().zip(ENDS) {
        let t2 = end * interval;
        let to = Disc::new(p + v * t2, reach);
        let (first, width) = hull(&from, &to, reach);
        *range = Range { from: first, width, behind: inner.behind(t1, t2), before: inner.before(t1, t2), start: t1 };
        (t1, from) = (t2, to);
    }
    swept
}

/// A disc that is not to be touched, as the walker sees it.
struct Disc {
    at: Vec2,
    /// Its direction, rad.
    bearing: f32,
    /// Half the angle it covers, rad.
    half: f32,
}

impl Disc {
    fn new(at: Vec2, reach: f32) -> Self {
        let half = math::asin((reach / at.length()).min(1.0));
        Self { at, bearing: math::atan2(at.y, at.x), half }
    }
}

/// The directions of a disc that moves from `a` to `b`: the hull of both ends, or everything if it covers the walker.
fn hull(a: &Disc, b: &Disc, reach: f32) -> (f32, f32) {
    let along = b.at - a.at;
    let t = (-a.at.dot(along) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
    if (a.at + along * t).length_squared() < reach * reach {
        return (-PI, TAU);
    }
    // A straight way past the walker turns by less than half a circle.
    let turn = math::wrap_angle(b.bearing - a.bearing);
    let (low, high) = ((-a.half).min(turn - b.half), a.half.max(turn + b.half));
    (a.bearing + low, (high - low).min(TAU))
}

/// Extrema of (|P + v t| -/+ R)/t over intervals: at their ends, or at the roots of one quadratic inside them.
struct Extrema {
    p: Vec2,
    v: Vec2,
    reach: f32,
    /// Roots, with whether V1 (not V2) has its extremum there.
    roots: [(f32, bool); 2],
}

impl Extrema {
    /// ((P.v)^2 - R^2 v^2) t^2 + 2 P.v (P^2 - R^2) t + P^2 (P^2 - R^2) = 0.
    fn new(p: Vec2, v: Vec2, reach: f32) -> Self {
        let (pv, p2, r2) = (p.dot(v), p.length_squared(), reach * reach);
        let a = pv * pv - r2 * v.length_squared();
        let half = pv * (p2 - r2);
        let c = p2 * (p2 - r2);
        let root = half * half - a * c;
        let none = (f32::NAN, false);
        let mut roots = [none; 2];
        if root >= 0.0 && a.abs() > 1e-9 {
            for (found, sign) in roots.iter_mut().zip([1.0, -1.0]) {
                let t = (-half + sign * root.sqrt()) / a;
                *found = (t, p2 + pv * t > 0.0);
            }
        }
        Self { p, v, reach, roots }
    }

    fn distance(&self, t: f32) -> f32 {
        (self.p + self.v * t).length()
    }

    /// V1 = min (d - R)/t, never below 0.
    fn behind(&self, t1: f32, t2: f32) -> f32 {
        if t1 == 0.0 && self.p.length_squared() < self.reach * self.reach {
            return 0.0;
        }
        let at = |t: f32| (self.distance(t) - self.reach) / t;
        let mut least = at(t2);
        if t1 > 0.0 {
            least = least.min(at(t1));
        }
        for (t, is_behind) in self.roots {
            if is_behind && t > t1 && t < t2 {
                least = least.min(at(t));
            }
        }
        // Where the centres come nearer than R in between, nothing is slow enough.
        let nearest = (-self.p.dot(self.v) / self.v.length_squared().max(1e-12)).clamp(t1, t2);
        if self.distance(nearest) <= self.reach { 0.0 } else { least.max(0.0) }
    }

    /// V2 = max (d + R)/t; infinite in the first interval, where t begins at 0.
    fn before(&self, t1: f32, t2: f32) -> f32 {
        if t1 == 0.0 {
            return f32::INFINITY;
        }
        let at = |t: f32| (self.distance(t) + self.reach) / t;
        let mut most = at(t1).max(at(t2));
        for (t, is_behind) in self.roots {
            if !is_behind && t > t1 && t < t2 {
                most = most.max(at(t));
            }
        }
        most
    }
}

/// What a wall covers on the two sides of its nearest point, for a walker at the origin who wants to walk at `speed`.
///
/// From that point P0 the wall is cut at v dt, 2 v dt, 4 v dt and 8 v dt (section 3.3); a range that the wall's end cuts short is
/// widened there by the walker's radius.
pub(crate) fn of_wall([a, b]: [Vec2; 2], radius: f32, speed: f32, interval: f32) -> [Swept; 2] {
    let along = (b - a).normalize_or_zero();
    let foot = (-a.dot(along)).clamp(0.0, (b - a).length());
    let nearest = a + along * foot;
    [(along, (b - a).length() - foot), (-along, foot)].map(|(along, room)| {
        let mut swept = Swept::NOTHING;
        let (mut start, mut here) = (0.0, 0.0);
        for (range, end) in swept.ranges.iter_mut().zip(ENDS) {
            let (t2, full) = (end * interval, speed * end * interval);
            let there = full.min(room);
            let (p, q) = (nearest + along * here, nearest + along * there);
            if there > here || (here == 0.0 && room == 0.0) {
                *range = wall_range(p, q, full > room, radius);
                range.behind = (p.length() - radius).max(0.0) / t2;
                (range.before, range.start) = (f32::INFINITY, start);
            }
            if full >= room {
                break;
            }
            (start, here) = (t2, there);
        }
        swept
    })
}

/// The directions from `p` to `q`, widened beyond `q` where the wall ends there.
fn wall_range(p: Vec2, q: Vec2, ends: bool, radius: f32) -> Range {
    let turn = math::atan2(p.perp_dot(q), p.dot(q));
    let beyond = if ends { math::asin((radius / q.length().max(radius)).min(1.0)) } else { 0.0 };
    let turn = if turn >= 0.0 { turn + beyond } else { turn - beyond };
    let from = math::atan2(p.y, p.x) + turn.min(0.0);
    Range { from, width: turn.abs().min(TAU), behind: 0.0, before: 0.0, start: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f32, expected: f32, what: &str) {
        let near = if expected.is_finite() {
            (found - expected).abs() <= 2e-4 * expected.abs().max(0.05)
        } else {
            found == expected
        };
        assert!(near, "{what}: {found}, expected {expected}");
    }

    /// The table of sections: R = 0.7.
    #[test]
    fn sections_are_those_of_the_table() {
        const INF: f32 = f32::INFINITY;
        let a = of_neighbour(Vec2::new(6.0, -6.0), Vec2::new(0.0, 1.3), 0.7, 1.0);
        for (i, [from, to, behind, before]) in [
            [-0.867988, -0.572523, 6.92168, INF],
            [-0.756468, -0.413871, 3.09819, 8.32168],
            [-0.617227, -0.0166490, 1.33827, 3.79819],
            [-0.248454, 0.726969, 0.842554, 1.68827],
        ]
        .into_iter()
        .enumerate()
        {
            let range = a.ranges[i];
            close(range.from, from, &format!("A {i} from"));
            close(range.from + range.width, to, &format!("A {i} to"));
            close(range.behind, behind, &format!("A {i} V1"));
            close(range.before, before, &format!("A {i} V2"));
        }
        let b = of_neighbour(Vec2::new(10.0, 0.0), Vec2::new(-1.3, 0.0), 0.7, 1.0);
        (close(b.ranges[2].width, 2.0 * 0.146355, "B"), close(b.ranges[2].behind, 1.025, "B V1"));
        (close(b.ranges[2].before, 4.05, "B V2"), close(b.ranges[3].width, TAU, "B covers all"));
        (close(b.ranges[3].behind, 0.0, "B V1 last"), close(b.ranges[3].before, 1.375, "B V2 last"));
        let c = of_neighbour(Vec2::new(3.0, 0.0), Vec2::new(0.8, 0.0), 0.7, 1.0).ranges[3];
        (close(c.from, -0.113144, "C"), close(c.behind, 1.08750, "C V1"), close(c.before, 1.725, "C V2"));
        let d = of_neighbour(Vec2::new(5.0, 1.0), Vec2::ZERO, 0.7, 1.0).ranges[3];
        (close(d.from, 0.0596794, "D"), close(d.from + d.width, 0.335112, "D to"));
        (close(d.behind, 0.549877, "D V1"), close(d.before, 1.44975, "D V2"));
        // The extremum lies inside the interval, at 4.1725 s.
        let e = of_neighbour(Vec2::new(3.0, -2.0), Vec2::new(-0.3, 0.9), 0.7, 1.0).ranges[3];
        (close(e.behind, 0.425968, "E V1"), close(e.before, 0.777080, "E V2"));
        let f = of_neighbour(Vec2::new(-3.0, 0.0), Vec2::ZERO, 0.7, 1.0);
        for (range, behind) in f.ranges.iter().zip([2.3, 1.15, 0.575, 0.2875]) {
            (close(range.from, 2.90609, "F"), close(range.from + range.width, 3.37710, "F to"));
            close(range.behind, behind, "F V1");
        }
        let g = of_neighbour(Vec2::new(0.5, 0.0), Vec2::ZERO, 0.7, 1.0).ranges[0];
        (close(g.width, TAU, "G"), close(g.behind, 0.0, "G V1"), close(g.before, INF, "G V2"));
    }

    /// Wall (-20, 1.5)-(6, 1.5), r = 0.25, 1.3 m/s, towards +x.
    #[test]
    fn walls_cover_what_the_worked_example_says() {
        let [toward, away] = of_wall([Vec2::new(-20.0, 1.5), Vec2::new(6.0, 1.5)], 0.25, 1.3, 1.0);
        for (range, [from, to, behind]) in toward.ranges.iter().zip([
            [0.856706, 0.5 * PI, 1.25],
            [0.523278, 0.856706, 0.867472],
            [0.280838, 0.523278, 0.687917],
            [0.204545, 0.280838, 0.645253],
        ]) {
            close(range.from, from, "from");
            close(range.from + range.width, to, "to");
            close(range.behind, behind, "V1");
        }
        // The other way the same, mirrored, and not cut.
        close(away.ranges[0].from, 0.5 * PI, "away");
        close(away.ranges[3].from + away.ranges[3].width, PI - math::atan2(1.5, 10.4), "away, uncut");
    }
}
