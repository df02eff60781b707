//! Points drawn uniformly from a polygon.
//!
//! The polygon is cut into triangles once; a draw then chooses a triangle by its area and a point in it, with three
//! uniform numbers whatever the shape. Nothing is drawn and thrown away, so every draw takes as much of a stream.

use crate::chance::Stream;
use crate::crossings::turn;
use crate::{DVec2, Polygon};

/// A polygon made ready for drawing points.
#[derive(Debug, Clone)]
pub struct Sampler {
    triangles: Vec<[DVec2; 3]>,
    /// Area of each triangle and all before it, m2.
    area_up_to: Vec<f64>,
}

impl Sampler {
    /// Cuts the polygon into triangles.
    pub fn new(polygon: &Polygon) -> Sampler {
        let triangles = cut_ears(polygon.points());
        let area = |[a, b, c]: &[DVec2; 3]| 0.5 * (*b - *a).perp_dot(*c - *a);
        let sums = triangles.iter().scan(0.0, |sum, triangle| {
            *sum += area(triangle).max(0.0);
            Some(*sum)
        });
        Sampler { area_up_to: sums.collect(), triangles }
    }

    /// A point of the polygon, every place as likely as every other. It may be outside by the rounding of its coordinates.
    pub fn point(&self, stream: &mut Stream) -> DVec2 {
        let last = self.triangles.len() - 1;
        let drawn = self.area_up_to[last] * stream.uniform();
        let triangle = self.area_up_to.partition_point(|area| *area <= drawn).min(last);
        let [a, b, c] = self.triangles[triangle];
        let (mut u, mut v) = (stream.uniform(), stream.uniform());
        if u + v > 1.0 {
            // The other half of the parallelogram, turned onto the triangle.
            (u, v) = (1.0 - u, 1.0 - v);
        }
        a + (b - a) * u + (c - a) * v
    }
}

/// Cuts a simple counter-clockwise polygon into triangles by clipping ears: corners whose two neighbours see each other
/// inside. Every simple polygon has two of them (Meisters 1975), and clipping one leaves a simple polygon.
fn cut_ears(points: &[DVec2]) -> Vec<[DVec2; 3]> {
    let mut rest = points.to_vec();
    let mut triangles = Vec::with_capacity(points.len() - 2);
    let mut at = 0;
    let mut misses = 0;
    while rest.len() > 3 && misses < rest.len() {
        let n = rest.len();
        at %= n;
        let [a, b, c] = [rest[(at + n - 1) % n], rest[at], rest[(at + 1) % n]];
        let bend = turn(a, b, c);
        let flat = bend == 0.0; // in the middle of a straight side: nothing to cut, but no corner either
        if flat || (bend > 0.0 && is_empty([a, b, c], &rest)) {
            if !flat {
                triangles.push([a, b, c]);
            }
            rest.remove(at);
            at = (at + n - 2) % (n - 1); // the corner before may now be an ear
            misses = 0;
        } else {
            at += 1;
            misses += 1;
        }
    }
    // Three are left, or more if corners are so close (1e-150 m) that the exact test underflows: a fan will do there.
    triangles.extend(rest[1..].windows(2).map(|pair| [rest[0], pair[0], pair[1]]));
    triangles
}

/// Whether a counter-clockwise triangle of corners contains no other of them, not even on its border.
fn is_empty([a, b, c]: [DVec2; 3], corners: &[DVec2]) -> bool {
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    !corners.iter().any(|&p| {
        p.cmpge(low).all()
            && p.cmple(high).all()
            && p != a
            && p != b
            && p != c
            && turn(a, b, p) >= 0.0
            && turn(b, c, p) >= 0.0
            && turn(c, a, p) >= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Chance, Purpose};
    use crate::polygon::tests::star;
    use proptest::prelude::*;

    fn polygon(points: &[[f64; 2]]) -> Polygon {
        Polygon::new(points.iter().map(|&p| p.into()).collect()).unwrap()
    }

    /// Counts draws in unit cells, all wholly inside, and compares with an even share by chi-square at 99.9 %.
    #[track_caller]
    fn check_even(polygon: &Polygon, cells: &[[i32; 2]], chi2_max: f64) {
        let sampler = Sampler::new(polygon);
        let mut stream = Chance::new(5).stream(1, 0, Purpose::Placement);
        let mut counts = vec![0.0; cells.len()];
        let draws = 1000.0 * cells.len() as f64;
        for _ in 0..draws as usize {
            let p = sampler.point(&mut stream);
            assert!(polygon.distance(p) < 1e-12, "{p} is outside");
            let cell = [p.x.floor() as i32, p.y.floor() as i32];
            counts[cells.iter().position(|c| *c == cell).expect("a cell of the polygon")] += 1.0;
        }
        let chi2: f64 = counts.iter().map(|count| (count - 1000.0) * (count - 1000.0) / 1000.0).sum();
        assert!(chi2 < chi2_max, "chi-square {chi2}, at most {chi2_max}: {counts:?}");
    }

    #[test]
    fn draws_are_even_over_a_rectangle() {
        let cells: Vec<[i32; 2]> = (0..20).map(|i| [i % 5, i / 5]).collect();
        check_even(&polygon(&[[0.0, 0.0], [5.0, 0.0], [5.0, 4.0], [0.0, 4.0]]), &cells, 43.82); // 19 degrees of freedom
    }

    #[test]
    fn draws_are_even_over_a_u_with_flat_corners() {
        let outline =
            [[0., 0.], [1., 0.], [3., 0.], [3., 3.], [2., 3.], [2., 1.], [1., 1.], [1., 2.], [1., 3.], [0., 3.]];
        let cells = [[0, 0], [1, 0], [2, 0], [0, 1], [0, 2], [2, 1], [2, 2]];
        check_even(&polygon(&outline), &cells, 22.46); // 6 degrees of freedom
    }

    #[test]
    fn a_comb_of_ten_thousand_corners_is_cut_completely() {
        let mut points = vec![DVec2::new(5000.0, -1.0), DVec2::new(5000.0, 0.0)];
        points.extend((0..4999).rev().flat_map(|i| [DVec2::new(i as f64 + 0.5, 10.0), DVec2::new(i as f64, 0.0)]));
        points.push(DVec2::new(0.0, -1.0));
        let comb = Polygon::new(points).unwrap();
        let sampler = Sampler::new(&comb);
        let area = sampler.area_up_to.last().unwrap();
        assert!((area - comb.area()).abs() < 1e-6, "{area} m2 of {}", comb.area());
    }

    proptest! {
        #[test]
        fn triangles_fill_the_polygon(outline in star(40)) {
            let polygon = Polygon::new(outline).unwrap();
            let sampler = Sampler::new(&polygon);
            let area = sampler.area_up_to.last().unwrap();
            prop_assert!((area - polygon.area()).abs() < 1e-9 * polygon.area());
            let mut stream = Chance::new(1).stream(0, 0, Purpose::Placement);
            for _ in 0..50 {
                prop_assert!(polygon.distance(sampler.point(&mut stream)) < 1e-10);
            }
        }
    }
}
