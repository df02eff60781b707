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
    if let Some(point) = proper_crossing([a, b], [c, d]) {
        return Some(point);
    }
    if on_edge(c, [a, b]) {
        return Some(c);
    }
    if on_edge(d, [a, b]) {
        return Some(d);
    }
    if on_edge(a, [c, d]) {
        return Some(a);
    }
    on_edge(b, [c, d]).then_some(b)
}

/// Where two edges cross from one side to the other, neither ending on the other.
pub(crate) fn proper_crossing([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> Option<DVec2> {
    let (at_a, at_b) = (turn(c, d, a), turn(c, d, b));
    if !(at_a > 0.0 && at_b < 0.0 || at_a < 0.0 && at_b > 0.0) {
        return None;
    }
    let (at_c, at_d) = (turn(a, b, c), turn(a, b, d));
    (at_c > 0.0 && at_d < 0.0 || at_c < 0.0 && at_d > 0.0).then(|| a.lerp(b, at_a / (at_a - at_b)))
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
    for cell in 0..grid.columns() * grid.rows() {
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
