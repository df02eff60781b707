//! Where people can walk, as polygons with holes: the areas of a place without what stands on them.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::single::SingleFloatOverlay;

use crate::PlaceShape;

type Ring = Vec<[f64; 2]>;

/// The free floor: for each part its outline, then its holes. Without obstacles these are the areas themselves; with
/// them, points move by the width of a fine grid.
pub(crate) fn free(place: &PlaceShape) -> Vec<Vec<Ring>> {
    if place.obstacles.is_empty() {
        return place.areas.clone();
    }
    // All one way round, so that obstacles that overlap add up.
    let obstacles: Vec<Ring> = place.obstacles.iter().map(|ring| anticlockwise(ring)).collect();
    let none: Vec<Ring> = Vec::new();
    let blocked: Vec<Vec<Ring>> = obstacles.overlay_as::<i64>(&none, OverlayRule::Union, FillRule::NonZero);
    let without = |area: &Vec<Ring>| area.overlay_as::<i64>(&blocked, OverlayRule::Difference, FillRule::EvenOdd);
    place.areas.iter().flat_map(without).collect()
}

fn anticlockwise(ring: &[[f64; 2]]) -> Ring {
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    let twice_area: f64 = pairs.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
    if twice_area < 0.0 { ring.iter().rev().copied().collect() } else { ring.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(rings: &[Ring]) -> f64 {
        let ring = |ring: &Ring| {
            let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
            pairs.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>().abs() / 2.0
        };
        ring(&rings[0]) - rings[1..].iter().map(ring).sum::<f64>()
    }

    #[track_caller]
    fn check(obstacles: &[Ring], parts: usize, holes: usize, expected: f64) {
        let square = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
        let place = PlaceShape { areas: vec![vec![square]], obstacles: obstacles.to_vec(), ..PlaceShape::default() };
        let free = free(&place);
        let found = free.iter().map(|part| area(part)).sum::<f64>();
        assert_eq!((free.len(), free.iter().map(|part| part.len() - 1).sum::<usize>()), (parts, holes));
        assert!((found - expected).abs() < 1e-6, "{found} m2, expected {expected}");
    }

    fn block(x0: f64, y0: f64, x1: f64, y1: f64) -> Ring {
        vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
    }

    #[test]
    fn obstacles_are_cut_out() {
        check(&[], 1, 0, 100.0);
        check(&[block(4.0, 4.0, 6.0, 6.0)], 1, 1, 96.0);
        check(&[block(4.0, -1.0, 6.0, 6.0)], 1, 0, 88.0);
        check(&[block(4.0, 0.0, 6.0, 4.0), block(4.0, 6.0, 6.0, 10.0)], 1, 0, 84.0);
        check(&[block(4.0, 0.0, 6.0, 10.0)], 2, 0, 80.0);
        let clockwise = block(5.0, 5.0, 7.0, 7.0).into_iter().rev().collect();
        check(&[block(4.0, 4.0, 6.0, 6.0), clockwise], 1, 1, 93.0);
    }
}
