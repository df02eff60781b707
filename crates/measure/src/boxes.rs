//! Rectangles around parts of walks, so that two who are never near each other need not be compared place by place.

use std::ops::Range;

use passerby_geometry::DVec2;

use crate::SampledWalk;

/// Samples of the clock that share a rectangle.
pub(crate) const BLOCK: u32 = 32;

/// Rectangles around a walk, one for each block of the clock that it is in.
#[derive(Debug, Clone)]
pub(crate) struct Boxes {
    first: u32,
    corners: Vec<[DVec2; 2]>,
}

impl Boxes {
    /// Around all of a walk.
    pub(crate) fn new(walk: &SampledWalk) -> Boxes {
        let first = walk.first / BLOCK;
        let mut corners: Vec<[DVec2; 2]> = Vec::new();
        for (sample, place) in (walk.first..).zip(&walk.places) {
            match corners.get_mut((sample / BLOCK - first) as usize) {
                Some([low, high]) => (*low, *high) = (low.min(*place), high.max(*place)),
                None => corners.push([*place; 2]),
            }
        }
        Boxes { first, corners }
    }

    /// The square of a distance that two people are not nearer than during a block of the clock that both are in, m2.
    pub(crate) fn gap_squared(&self, other: &Boxes, block: u32) -> f64 {
        let [low, high] = self.corners[(block - self.first) as usize];
        let [their_low, their_high] = other.corners[(block - other.first) as usize];
        (their_low - high).max(low - their_high).max(DVec2::ZERO).length_squared()
    }
}

/// The samples that two walks have in common.
pub(crate) fn common(one: &SampledWalk, other: &SampledWalk) -> Range<u32> {
    let start = one.first.max(other.first);
    start..one.end().min(other.end()).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_are_never_farther_apart_than_people() {
        let place = |k: u32| DVec2::new(f64::from(k * 7919 % 101), f64::from(k * 104_729 % 97));
        let walk = |first: u32, n: u32| SampledWalk { id: 0, first, places: (first..first + n).map(place).collect() };
        let (one, other) = (walk(20, 200), walk(70, 40));
        let moved =
            SampledWalk { places: other.places.iter().map(|at| *at + DVec2::new(150.0, 30.0)).collect(), ..other };
        let (boxes, their) = (Boxes::new(&one), Boxes::new(&moved));
        assert_eq!(common(&one, &moved), 70..110);
        assert!(common(&walk(0, 5), &walk(9, 3)).is_empty());
        for sample in common(&one, &moved) {
            let at = |walk: &SampledWalk| walk.places[(sample - walk.first) as usize];
            let gap = boxes.gap_squared(&their, sample / BLOCK);
            assert!(gap > 0.0 && gap <= at(&one).distance_squared(at(&moved)), "{sample}");
        }
    }
}
