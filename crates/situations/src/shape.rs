//! Where a spatial situation is: painted rings that may overlap, and whether somebody is inside.

use passerby_geometry::{DVec2, Segment, Vec2};

/// Some rings, each a simple polygon; a point is inside if it is in one of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    rings: Vec<Vec<Vec2>>,
    low: Vec2,
    high: Vec2,
}

impl Shape {
    /// Rings in local coordinates. One at least, each of three points at least.
    pub fn new(rings: Vec<Vec<Vec2>>) -> Shape {
        let corners = || rings.iter().flatten();
        let low = corners().fold(Vec2::INFINITY, |low, at| low.min(*at));
        let high = corners().fold(Vec2::NEG_INFINITY, |high, at| high.max(*at));
        Shape { rings, low, high }
    }

    /// Lowest and highest corner of the box around it.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        (self.low, self.high)
    }

    /// The rings.
    pub fn rings(&self) -> &[Vec<Vec2>] {
        &self.rings
    }

    /// Whether a point is inside. Left and lower edges belong to a ring, right and upper ones do not, so of two rings that share
    /// an edge never both hold a point.
    pub fn contains(&self, at: Vec2) -> bool {
        let in_box = at.cmpge(self.low).all() && at.cmple(self.high).all();
        in_box && self.rings.iter().any(|ring| ring_contains(ring, at))
    }

    /// The share of the way from a point outside to another one after which it enters; `None` if it does not.
    pub fn entered_after(&self, from: Vec2, to: Vec2) -> Option<f32> {
        let apart = from.max(to).cmplt(self.low).any() || from.min(to).cmpgt(self.high).any();
        if apart {
            return None;
        }
        let way = Segment { a: from, b: to };
        let crossed = self.edges().filter_map(|edge| way.crossing(&edge)).map(|(on_way, _)| on_way);
        let first = crossed.fold(f32::INFINITY, f32::min);
        match first.is_finite() {
            true => Some(first),
            false => self.contains(to).then_some(1.0),
        }
    }

    /// The point of it that is nearest: the point itself if it is inside.
    pub fn nearest(&self, at: Vec2) -> Vec2 {
        if self.contains(at) {
            return at;
        }
        let points = self.edges().map(|edge| edge.closest_point(at));
        points.min_by(|a, b| a.distance_squared(at).total_cmp(&b.distance_squared(at))).unwrap_or(at)
    }

    /// All of it moved.
    pub fn moved(&self, by: Vec2) -> Shape {
        let ring = |ring: &Vec<Vec2>| ring.iter().map(|at| *at + by).collect();
        Shape { rings: self.rings.iter().map(ring).collect(), low: self.low + by, high: self.high + by }
    }

    fn edges(&self) -> impl Iterator<Item = Segment> + '_ {
        self.rings
            .iter()
            .flat_map(|ring| (0..ring.len()).map(move |i| Segment { a: ring[i], b: ring[(i + 1) % ring.len()] }))
    }
}

/// Whether a ring holds a point: a ray along +x leaves it an odd number of times.
fn ring_contains(ring: &[Vec2], at: Vec2) -> bool {
    let mut inside = false;
    for (i, a) in ring.iter().enumerate() {
        let b = ring[(i + 1) % ring.len()];
        if (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x) {
            inside = !inside;
        }
    }
    inside
}

/// The rings of a painted stroke: a rectangle along each part of the line, an octagon at each of its points.
pub fn stroke(line: &[DVec2], width: f64) -> Vec<Vec<DVec2>> {
    let half = 0.5 * width;
    let along = line.windows(2).map(|ends| {
        let aside = half * (ends[1] - ends[0]).normalize_or(DVec2::X).perp();
        vec![ends[0] - aside, ends[1] - aside, ends[1] + aside, ends[0] + aside]
    });
    // The corners of an octagon: the eighth part of a turn is exact without a sine.
    let slant = half * std::f64::consts::FRAC_1_SQRT_2;
    let corners = [
        [half, 0.0],
        [slant, slant],
        [0.0, half],
        [-slant, slant],
        [-half, 0.0],
        [-slant, -slant],
        [0.0, -half],
        [slant, -slant],
    ];
    let joints = line.iter().map(|at| corners.iter().map(|corner| *at + DVec2::from(*corner)).collect());
    along.chain(joints).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(corners: &[[f32; 2]]) -> Vec<Vec2> {
        corners.iter().copied().map(Vec2::from).collect()
    }

    /// The table of inside tests: left and lower edges belong to the square, whichever way round it is drawn.
    #[test]
    fn left_and_lower_edges_are_inside() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let mut reversed = square;
        reversed.reverse();
        for corners in [square, reversed] {
            let shape = Shape::new(vec![ring(&corners)]);
            for at in [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5], [0.5, 0.5]] {
                assert!(shape.contains(Vec2::from(at)), "{at:?}");
            }
            for at in [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.5], [0.5, 1.0]] {
                assert!(!shape.contains(Vec2::from(at)), "{at:?}");
            }
        }
    }

    #[test]
    fn a_way_enters_where_it_crosses_the_first_edge() {
        let shape = Shape::new(vec![ring(&[[2.0, 0.0], [3.0, 0.0], [3.0, 4.0], [2.0, 4.0]])]);
        let enters = |from: [f32; 2], to: [f32; 2]| shape.entered_after(Vec2::from(from), Vec2::from(to));
        assert_eq!(enters([0.0, 1.0], [4.0, 1.0]), Some(0.5)); // and leaves again: still entered
        assert_eq!(enters([0.0, 1.0], [1.9, 1.0]), None);
        assert_eq!(enters([0.0, 5.0], [4.0, 5.0]), None);
        assert_eq!(shape.nearest(Vec2::new(0.0, 1.0)), Vec2::new(2.0, 1.0));
        assert!(shape.moved(Vec2::new(-2.0, 0.0)).contains(Vec2::new(0.5, 1.0)));
    }

    #[test]
    fn a_stroke_covers_its_width_and_its_corners() {
        let line = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]].map(DVec2::from);
        let rings = stroke(&line, 2.0).into_iter().map(|ring| ring.iter().map(|at| at.as_vec2()).collect());
        let shape = Shape::new(rings.collect());
        for at in [[2.0, 0.9], [2.0, -0.9], [4.6, -0.6], [4.9, 2.0], [-0.6, 0.6]] {
            assert!(shape.contains(Vec2::from(at)), "{at:?}");
        }
        for at in [[2.0, 1.1], [2.0, -1.1], [4.8, -0.8], [5.1, 2.0]] {
            assert!(!shape.contains(Vec2::from(at)), "{at:?}");
        }
    }
}
