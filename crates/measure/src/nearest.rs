//! How far away the nearest other person is.

use passerby_record::Frame;

/// Finds nearest neighbours; holds its columns between frames.
#[derive(Debug, Clone, Default)]
pub struct Nearest {
    order: Vec<u32>,
}

impl Nearest {
    /// Hands the distance from each person of a frame to the nearest other one to `each`, m, from centre to centre. Nobody
    /// is near somebody who is alone.
    pub fn see(&mut self, frame: &Frame<'_>, mut each: impl FnMut(f64)) {
        let (x, y) = (frame.x, frame.y);
        let order = &mut self.order;
        (order.clear(), order.extend(0..x.len() as u32));
        order.sort_unstable_by(|a, b| x[*a as usize].total_cmp(&x[*b as usize]).then(a.cmp(b)));
        for place in 0..order.len() {
            let i = order[place] as usize;
            let mut best = f64::INFINITY;
            let mut look = |j: u32| {
                let (dx, dy) = (x[j as usize] - x[i], y[j as usize] - y[i]);
                let further = dx * dx <= best; // those beyond are not nearer either
                best = best.min(dx * dx + dy * dy);
                further
            };
            let _ = order[place + 1..].iter().all(|j| look(*j));
            let _ = order[..place].iter().rev().all(|j| look(*j));
            if best.is_finite() {
                each(best.sqrt());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distances(places: &[[f64; 2]]) -> Vec<f64> {
        let (x, y): (Vec<f64>, Vec<f64>) = places.iter().map(|[x, y]| (*x, *y)).unzip();
        let (id, v): (Vec<u32>, Vec<f32>) = (0..places.len()).map(|i| (i as u32, 0.0)).unzip();
        let mut found = Vec::new();
        let frame = Frame { tick: 0, id: &id, x: &x, y: &y, vx: &v, vy: &v, heading: &v, bodies: &[] };
        Nearest::default().see(&frame, |distance| found.push(distance));
        found.sort_by(f64::total_cmp);
        found
    }

    #[test]
    fn nearest_of_few() {
        assert!(distances(&[]).is_empty());
        assert!(distances(&[[1.0, 1.0]]).is_empty());
        assert_eq!(distances(&[[0.0, 0.0], [3.0, 4.0]]), [5.0, 5.0]);
        // The one with the same x is not the nearest.
        assert_eq!(distances(&[[0.0, 0.0], [0.0, 9.0], [1.0, 0.0], [-4.0, 0.0]]), [1.0, 1.0, 4.0, 9.0]);
    }

    #[test]
    fn nearest_of_many_is_that_of_the_definition() {
        let places: Vec<[f64; 2]> =
            (0..300u64).map(|i| [(i * 7919 % 1009) as f64 / 50.0, (i * 104_729 % 997) as f64 / 50.0]).collect();
        let plain = |i: usize| {
            let others = (0..places.len()).filter(|j| *j != i);
            let square = |x: f64| x * x;
            let squared = others.map(|j| square(places[i][0] - places[j][0]) + square(places[i][1] - places[j][1]));
            squared.fold(f64::INFINITY, f64::min).sqrt()
        };
        let mut expected: Vec<f64> = (0..places.len()).map(plain).collect();
        expected.sort_by(f64::total_cmp);
        assert_eq!(distances(&places), expected);
    }
}
