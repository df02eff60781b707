//! Convex polygons, cut along straight lines. Every edge knows what made it.

use passerby_geometry::DVec2;

/// A corner, and what made the edge that begins there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Corner<L> {
    pub at: DVec2,
    pub label: L,
}

/// Keeps what is to the left of the line from `a` to `b`; the new edge gets `label`. Whether anything was cut off.
pub(crate) fn cut<L: Copy>(
    polygon: &mut Vec<Corner<L>>,
    [a, b]: [DVec2; 2],
    label: L,
    scratch: &mut Vec<Corner<L>>,
) -> bool {
    let along = b - a;
    let side = |p: DVec2| along.perp_dot(p - a);
    if polygon.iter().all(|corner| side(corner.at) >= 0.0) {
        return false;
    }
    scratch.clear();
    for (i, &corner) in polygon.iter().enumerate() {
        let next = polygon[(i + 1) % polygon.len()];
        let (here, there) = (side(corner.at), side(next.at));
        let crossing = || corner.at + (next.at - corner.at) * (here / (here - there));
        match (here >= 0.0, there >= 0.0) {
            (true, true) => scratch.push(corner),
            (true, false) => {
                scratch.push(corner);
                scratch.push(Corner { at: if here == 0.0 { corner.at } else { crossing() }, label });
            }
            (false, true) => scratch.push(Corner { at: crossing(), label: corner.label }),
            (false, false) => {}
        }
    }
    scratch.dedup_by(|later, earlier| {
        let same = later.at == earlier.at;
        if same {
            earlier.label = later.label; // an edge without a length
        }
        same
    });
    if scratch.len() < 3 {
        scratch.clear();
    }
    std::mem::swap(polygon, scratch);
    true
}

/// Area of a counter-clockwise polygon, m2.
pub(crate) fn area(polygon: impl ExactSizeIterator<Item = DVec2> + Clone) -> f64 {
    let Some(origin) = polygon.clone().next() else { return 0.0 };
    let next = polygon.clone().cycle().skip(1);
    0.5 * polygon.zip(next).map(|(a, b)| (a - origin).perp_dot(b - origin)).sum::<f64>()
}

/// How much of the piece from `a` to `b` is inside a counter-clockwise polygon, m. Of a piece that lies on an edge all is inside if
/// the polygon is on its left (`left`), or on its right.
pub(crate) fn length_inside(
    polygon: impl ExactSizeIterator<Item = DVec2> + Clone,
    [a, b]: [DVec2; 2],
    left: bool,
) -> f64 {
    let length = a.distance(b);
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    let next = polygon.clone().cycle().skip(1);
    for (p, q) in polygon.zip(next) {
        let edge = q - p;
        let reach = edge.length();
        let [here, there] = [a, b].map(|end| edge.perp_dot(end - p) / reach);
        if here.abs() < ON_EDGE && there.abs() < ON_EDGE {
            // The inside is to the left of the edge.
            if (edge.dot(b - a) > 0.0) != left {
                return 0.0;
            }
        } else if here < 0.0 && there < 0.0 {
            return 0.0;
        } else if here < 0.0 {
            from = from.max(here / (here - there));
        } else if there < 0.0 {
            to = to.min(here / (here - there));
        }
    }
    (to - from).max(0.0) * length
}

/// A piece as near as this to an edge lies on it, m.
const ON_EDGE: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: f64) -> Vec<Corner<u8>> {
        let corners = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
        corners.iter().enumerate().map(|(i, c)| Corner { at: DVec2::from(*c), label: i as u8 }).collect()
    }

    fn line(a: [f64; 2], b: [f64; 2]) -> [DVec2; 2] {
        [a.into(), b.into()]
    }

    #[test]
    fn a_cut_keeps_what_is_on_the_left() {
        let (mut polygon, mut scratch) = (square(2.0), Vec::new());
        assert!(cut(&mut polygon, line([1.0, 5.0], [1.0, -5.0]), 9, &mut scratch)); // downwards: the right half is left
        assert_eq!(area(polygon.iter().map(|corner| corner.at)), 2.0);
        let labels: Vec<u8> = polygon.iter().map(|corner| corner.label).collect();
        assert_eq!(labels, [0, 1, 2, 9]);
        assert!(!cut(&mut polygon, line([1.0, 5.0], [1.0, -5.0]), 8, &mut scratch)); // along an edge: nothing to cut
        assert!(!cut(&mut polygon, line([0.0, 0.0], [1.0, 0.0]), 8, &mut scratch));
        assert!(cut(&mut polygon, line([0.0, 3.0], [1.0, 3.0]), 8, &mut scratch));
        assert!(polygon.is_empty());
    }

    /// Through two opposite corners, and past one of them.
    #[test]
    fn cuts_through_corners_leave_no_double_points() {
        let (mut polygon, mut scratch) = (square(1.0), Vec::new());
        assert!(cut(&mut polygon, line([0.0, 0.0], [1.0, 1.0]), 9, &mut scratch));
        assert_eq!(polygon.len(), 3);
        assert_eq!(area(polygon.iter().map(|corner| corner.at)), 0.5);
        assert!(!cut(&mut polygon, line([1.0, 1.0], [0.0, 2.0]), 7, &mut scratch));
        assert_eq!(area(polygon.iter().map(|corner| corner.at)), 0.5);
    }

    #[test]
    fn pieces_inside() {
        let polygon = square(2.0);
        let inside = |a, b, left| length_inside(polygon.iter().map(|corner| corner.at), line(a, b), left);
        assert_eq!(inside([-1.0, 1.0], [3.0, 1.0], true), 2.0);
        assert_eq!(inside([0.5, 1.0], [1.0, 1.0], true), 0.5);
        assert_eq!(inside([-1.0, 3.0], [3.0, 3.0], true), 0.0);
        assert!((inside([-1.0, 0.0], [1.0, 2.0], true) - 2.0_f64.sqrt()).abs() < 1e-12);
        // On its lower edge: the square is to the left of who goes to the right.
        assert_eq!((inside([-1.0, 0.0], [1.0, 0.0], true), inside([-1.0, 0.0], [1.0, 0.0], false)), (1.0, 0.0));
        assert_eq!((inside([1.0, 0.0], [-1.0, 0.0], true), inside([1.0, 0.0], [-1.0, 0.0], false)), (0.0, 1.0));
    }
}
