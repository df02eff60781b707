//! Slow and fast ground: how many times their speed people walk in regions, and what a straight piece costs them there.

use passerby_geometry::{DVec2, Polygon, Vec2};

use crate::floor::Region;

/// A point this close to a region is in it, m: agents are `f32`, and stop where they were told to.
pub(crate) const REGION_SLACK: f64 = 1e-3;

/// Cuts of a piece closer to each other than this share of it are one.
const SAME_CUT: f64 = 1e-9;

/// The regions in which people are slower or faster than on plain ground, in local coordinates.
#[derive(Debug, Clone, Default)]
pub(crate) struct Paces {
    of_regions: Vec<(Polygon, f64)>,
}

impl Paces {
    pub fn new(regions: &[Region]) -> Paces {
        let other = regions.iter().filter(|region| region.speed != 1.0);
        Paces { of_regions: other.map(|region| (region.polygon.clone(), region.speed)).collect() }
    }

    /// How many times their speed people walk at a point; where regions overlap, the slowest counts.
    pub fn at(&self, at: DVec2) -> f64 {
        let here = self.of_regions.iter().filter(|(outline, _)| holds(outline, at)).map(|(_, pace)| *pace);
        here.min_by(f64::total_cmp).unwrap_or(1.0)
    }

    /// The fastest that anybody is anywhere: no piece costs less than its length divided by this.
    pub fn fastest(&self) -> f32 {
        self.of_regions.iter().map(|(_, pace)| *pace as f32).fold(1.0, f32::max)
    }

    /// How many metres of plain ground take as long as a straight piece.
    pub fn metres(&self, from: Vec2, to: Vec2) -> f32 {
        if self.of_regions.is_empty() {
            return from.distance(to);
        }
        let [a, b] = [from, to].map(|p| p.as_dvec2());
        let (mut share, mut done) = (0.0, 0.0);
        while done < 1.0 {
            let next = self.next_cut([a, b], done);
            share += (next - done) / self.at(a + (b - a) * ((done + next) / 2.0));
            done = next;
        }
        (a.distance(b) * share) as f32
    }

    /// Where a piece next crosses the outline of a region, as a share of it; 1 if nowhere.
    fn next_cut(&self, [a, b]: [DVec2; 2], done: f64) -> f64 {
        let along = b - a;
        let mut next: f64 = 1.0;
        for (outline, _) in &self.of_regions {
            let (low, high) = outline.bounds();
            if !(a.min(b).cmple(high).all() && a.max(b).cmpge(low).all()) {
                continue;
            }
            for [p, q] in outline.edges() {
                let across = along.perp_dot(q - p);
                let (at, beside) = ((p - a).perp_dot(q - p) / across, (p - a).perp_dot(along) / across);
                // One that runs along the outline crosses the edges before and after.
                if across != 0.0 && (0.0..=1.0).contains(&beside) && at > done + SAME_CUT && at < next {
                    next = at;
                }
            }
        }
        next
    }
}

/// Whether a point is in a region or close to it. Everybody asks in every tick, and most are far off.
pub(crate) fn holds(outline: &Polygon, at: DVec2) -> bool {
    let (low, high) = outline.bounds();
    (at - at.clamp(low, high)).abs().max_element() <= REGION_SLACK && outline.distance(at) <= REGION_SLACK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: [f32; 2], to: [f32; 2], expected: f32) {
        let region = |low: [f64; 2], high: [f64; 2], speed: f64| {
            let polygon = Polygon::rectangle(low.into(), high.into()).unwrap();
            Region { name: String::new(), polygon, speed }
        };
        let paces = Paces::new(&[
            region([4.0, 0.0], [6.0, 2.0], 0.5),
            region([5.0, 0.0], [8.0, 2.0], 0.25),
            region([20.0, 0.0], [30.0, 2.0], 2.0),
            region([0.0, 0.0], [100.0, 2.0], 1.0),
        ]);
        for [from, to] in [[from, to], [to, from]] {
            let metres = paces.metres(from.into(), to.into());
            assert!((metres - expected).abs() < 1e-3, "{metres} m from {from:?} to {to:?}, expected {expected}");
        }
        assert_eq!(paces.fastest(), 2.0);
    }

    #[test]
    fn slow_ground_costs_what_it_takes() {
        check([0.0, 1.0], [3.0, 1.0], 3.0);
        check([0.0, 1.0], [5.0, 1.0], 4.0 + 1.0 / 0.5);
        // Where both are, the slower one counts.
        check([0.0, 1.0], [10.0, 1.0], 4.0 + 1.0 / 0.5 + 3.0 / 0.25 + 2.0);
        check([4.5, 0.5], [4.5, 1.5], 1.0 / 0.5);
        check([10.0, 1.0], [40.0, 1.0], 10.0 + 10.0 / 2.0 + 10.0);
        check([10.0, 3.0], [40.0, 3.0], 30.0);
        check([7.0, 1.0], [7.0, 1.0], 0.0);
        // Corner to corner of the fast one, 10.198 m, and as much again outside.
        check([20.0, 0.0], [40.0, 4.0], 1.5 * 10.198_04);
    }
}
