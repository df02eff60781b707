//! Obstacles of a file: lines made walls, outlines untangled, all of them united.

use passerby_geometry::DVec2;

use super::draft::{Patch, Stroke};
use super::overlay::{self, Ring, Shape};
use super::report::Change;
use super::rings::{Outline, Rings};

/// The shape of a patch: what its first outline encloses without what the others do.
pub(super) fn shapes(patch: &Patch, rings: &mut Rings, changes: &mut Vec<Change>) -> Vec<Shape> {
    let mut outlines = patch.rings.iter().map(|ring| match rings.outline(ring) {
        Outline::Simple(ring) => vec![vec![ring]],
        Outline::Tangled(parts, _) => {
            changes.push(Change::Untangled(patch.element.clone(), parts.len()));
            parts
        }
        Outline::Sliver => Vec::new(),
    });
    let outer = outlines.next().unwrap_or_default();
    let holes: Vec<Shape> = outlines.flatten().collect();
    if holes.is_empty() { outer } else { overlay::difference(&outer, &holes) }
}

/// A wall of a line: a rectangle for every piece, at bends longer by half the width, so that corners are closed. The ends
/// stay where they are: they may be jambs.
pub(super) fn wall(stroke: &Stroke, width: f64) -> Vec<Shape> {
    let last = stroke.points.len().saturating_sub(2);
    let rectangle = |(i, pair): (usize, &[DVec2])| -> Option<Shape> {
        let along = (pair[1] - pair[0]).try_normalize()? * (width / 2.0);
        let (a, b) = (if i > 0 { pair[0] - along } else { pair[0] }, if i < last { pair[1] + along } else { pair[1] });
        let aside = along.perp();
        Some(vec![[a - aside, b - aside, b + aside, a + aside].map(Into::into).to_vec()])
    };
    stroke.points.windows(2).enumerate().filter_map(rectangle).collect()
}

/// Shapes without holes that cover the same: a shape with holes is cut along lines through them.
pub(super) fn without_holes(shape: Shape, whole: &mut Vec<Ring>) {
    let mut left = vec![shape];
    while let Some(shape) = left.pop() {
        if shape.len() <= 1 {
            whole.extend(shape);
            continue;
        }
        let (low, high) = overlay::bounds(std::slice::from_ref(&shape));
        // The hole nearest to the middle: the parts have about as many left.
        let middle = |ring: &Ring| {
            let (from, to) = overlay::bounds(&[vec![ring.clone()]]);
            (from.x + to.x) / 2.0
        };
        let mut cuts: Vec<f64> = shape[1..].iter().map(middle).collect();
        cuts.sort_by(f64::total_cmp);
        let cut = cuts[cuts.len() / 2];
        let half = |from: f64, to: f64| {
            vec![vec![[from, low.y - 1.0], [to, low.y - 1.0], [to, high.y + 1.0], [from, high.y + 1.0]]]
        };
        let before = left.len();
        for clip in [half(low.x - 1.0, cut), half(cut, high.x + 1.0)] {
            let parts = overlay::intersection(std::slice::from_ref(&shape), &[clip]);
            left.extend(overlay::restored(parts, std::slice::from_ref(&shape)));
        }
        // A cut that takes no hole away would go on for ever; it cannot happen as long as holes have a width.
        let holes: usize = left[before..].iter().map(|part| part.len() - 1).sum();
        if holes >= shape.len() - 1 {
            left.drain(before..).for_each(|part| whole.extend(part.into_iter().take(1)));
        }
    }
}
