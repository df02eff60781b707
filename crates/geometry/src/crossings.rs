//! Which edges meet: exact tests of two edges, and a search among many that does not try every pair.

use crate::DVec2;
use crate::grid::{Grid, Sizing};

/// Positive when a, b, c turn left, negative when they turn right, exactly zero when they are on one line.
///
/// The sign is right whatever the rounding (Shewchuk 1997).
pub(crate) fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    let coord = |p: DVec2| robust::Coord { x: p.x, y: p.y };
    robust::orient2d(coord(a), coord(b), coord(c))
}

/// A common point of two edges, ends included; for overlapping edges one of the ends.
pub(crate) fn contact([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> Option<DVec2> {
    let (at_a, at_b) = (turn(c, d, a), turn(c, d, b));
    if same_side(at_a, at_b) {
        return None;
    }
    let (at_c, at_d) = (turn(a, b, c), turn(a, b, d));
    if same_side(at_c, at_d) {
        return None;
    }
    if opposite(at_a, at_b) && opposite(at_c, at_d) {
        return Some(a.lerp(b, at_a / (at_a - at_b)));
    }
    let ends = [(c, [a, b]), (d, [a, b]), (a, [c, d]), (b, [c, d])];
    ends.into_iter().find(|(end, edge)| on_edge(*end, *edge)).map(|(end, _)| end)
}

/// Where two edges cross from one side to the other, neither ending on the other.
pub(crate) fn proper_crossing([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> Option<DVec2> {
    let (at_a, at_b) = (turn(c, d, a), turn(c, d, b));
    (opposite(at_a, at_b) && opposite(turn(a, b, c), turn(a, b, d))).then(|| a.lerp(b, at_a / (at_a - at_b)))
}

fn same_side(one: f64, other: f64) -> bool {
    one > 0.0 && other > 0.0 || one < 0.0 && other < 0.0
}

fn opposite(one: f64, other: f64) -> bool {
    one > 0.0 && other < 0.0 || one < 0.0 && other > 0.0
}

/// Whether `p` is exactly on the edge.
pub(crate) fn on_edge(p: DVec2, [a, b]: [DVec2; 2]) -> bool {
    p.cmpge(a.min(b)).all() && p.cmple(a.max(b)).all() && turn(a, b, p) == 0.0
}

/// The first pair of edges, lowest numbers first, for which `test` finds a point. Asked only about pairs `(i, j)`
/// with `i < j` whose boxes touch.
pub(crate) fn first_pair(
    edges: &[[DVec2; 2]],
    mut test: impl FnMut(usize, usize) -> Option<DVec2>,
) -> Option<(usize, usize, DVec2)> {
    let grid = Grid::new(edges, Sizing { cells: (2.0 * edges.len() as f64).clamp(16.0, 1e6), smallest: 0.0 });
    let mut best: Option<(usize, usize, DVec2)> = None;
    for cell in 0..grid.cells() {
        let items = grid.items(cell);
        for (k, &i) in items.iter().enumerate() {
            for &j in &items[k + 1..] {
                let (i, j) = (i as usize, j as usize);
                let earlier = best.is_none_or(|(first, second, _)| (i, j) < (first, second));
                if earlier
                    && boxes_touch(edges[i], edges[j])
                    && let Some(point) = test(i, j)
                {
                    best = Some((i, j, point));
                }
            }
        }
    }
    best
}

fn boxes_touch([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    a.min(b).cmple(c.max(d)).all() && c.min(d).cmple(a.max(b)).all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(a: [f64; 2], b: [f64; 2]) -> [DVec2; 2] {
        [a.into(), b.into()]
    }

    #[test]
    fn edges_cross_touch_overlap_or_miss() {
        let base = edge([0., 0.], [4., 0.]);
        let check = |other: [DVec2; 2], touching: Option<[f64; 2]>, crossing: bool| {
            assert_eq!(contact(base, other), touching.map(DVec2::from), "{other:?}");
            assert_eq!(proper_crossing(base, other).is_some(), crossing, "{other:?}");
            assert_eq!(contact(other, base).is_some(), touching.is_some());
        };
        check(edge([1., -1.], [1., 3.]), Some([1., 0.]), true);
        check(edge([1., 0.], [1., 3.]), Some([1., 0.]), false); // ends on it
        check(edge([4., 0.], [5., 3.]), Some([4., 0.]), false); // end to end
        check(edge([3., 0.], [9., 0.]), Some([3., 0.]), false); // overlap
        check(edge([-1., 0.], [9., 0.]), Some([0., 0.]), false); // one within the other
        check(edge([5., 0.], [9., 0.]), None, false); // in line, apart
        check(edge([1., 1e-300], [3., 1.]), None, false);
        check(edge([5., -1.], [5., 1.]), None, false);
    }

    #[test]
    fn turns_are_exact_where_rounding_would_lie() {
        // The third point is off the line by one unit in the last place.
        let (a, b, c) = (DVec2::splat(0.5), DVec2::splat(12.0), DVec2::splat(24.0));
        assert_eq!(turn(a, b, c), 0.0);
        assert!(turn(a, b, DVec2::new(24.0, 24.0_f64.next_up())) > 0.0);
        assert!(turn(a, b, DVec2::new(24.0, 24.0_f64.next_down())) < 0.0);
        assert!(turn(DVec2::new(0.5, 0.5_f64.next_up()), b, c) > 0.0);
    }

    #[test]
    fn the_pair_with_the_lowest_numbers_is_found() {
        // A ladder: uprights 0 and 1, rungs 2 to 21 that cross both.
        let mut edges = vec![edge([1., -1.], [1., 99.]), edge([2., -1.], [2., 99.])];
        edges.extend((0..20).map(|i| edge([0., f64::from(i)], [3., f64::from(i)])));
        let found = first_pair(&edges, |i, j| contact(edges[i], edges[j]));
        assert_eq!(found, Some((0, 2, DVec2::new(1.0, 0.0))));
        assert_eq!(first_pair(&edges[2..], |i, j| contact(edges[i + 2], edges[j + 2])), None);
        assert_eq!(first_pair(&[], |_, _| None), None);
    }
}
