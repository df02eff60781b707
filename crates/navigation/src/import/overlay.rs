//! Union, difference and intersection of polygons with holes.
//!
//! `i_overlay` snaps to a fine grid of integers, so points come back moved by less than [`SNAP`]; [`restored`] puts those
//! that were there before back to the bit.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::solver::Solver;
use i_overlay::float::overlay::{FloatOverlay, OverlayOptions};
use passerby_geometry::DVec2;
use passerby_geometry::triangulation::SNAP;

use super::weld::Weld;

/// A closed outline, each point once.
pub(super) type Ring = Vec<[f64; 2]>;

/// An outline counter-clockwise, then its holes clockwise.
pub(super) type Shape = Vec<Ring>;

/// Everything that is in one of the shapes.
pub(super) fn union(shapes: &[Shape]) -> Vec<Shape> {
    combine(shapes, &[], OverlayRule::Union)
}

/// What is in one of `shapes` and in none of `without`.
pub(super) fn difference(shapes: &[Shape], without: &[Shape]) -> Vec<Shape> {
    combine(shapes, without, OverlayRule::Difference)
}

/// What is in one of `shapes` and in one of `others`.
pub(super) fn intersection(shapes: &[Shape], others: &[Shape]) -> Vec<Shape> {
    if others.is_empty() { Vec::new() } else { combine(shapes, others, OverlayRule::Intersect) }
}

/// All that a ring winds around, however often and in whatever sense.
pub(super) fn enclosed(ring: &Ring) -> Vec<Shape> {
    combine(&[vec![ring.clone()]], &[], OverlayRule::Union)
}

fn combine(shapes: &[Shape], others: &[Shape], rule: OverlayRule) -> Vec<Shape> {
    if shapes.is_empty() {
        return Vec::new();
    }
    let (options, solver) = (OverlayOptions::ogc(), Solver::default());
    let mut overlay = FloatOverlay::<[f64; 2], i64>::from_subj_and_clip_custom(shapes, others, options, solver);
    // Outlines wind once and holes take one away again: what is left is not zero.
    let combined = overlay.overlay(rule, FillRule::NonZero);
    combined.into_iter().filter(|shape| !shape.is_empty()).collect()
}

/// Puts points that were corners of `before` back where they were.
pub(super) fn restored(mut shapes: Vec<Shape>, before: &[Shape]) -> Vec<Shape> {
    let mut corners = Weld::new(SNAP);
    for &[x, y] in before.iter().flatten().flatten() {
        corners.point(DVec2::new(x, y));
    }
    for point in shapes.iter_mut().flatten().flatten() {
        if let Some(corner) = corners.near(DVec2::from(*point)) {
            *point = corner.into();
        }
    }
    shapes
}

/// Area of a ring, positive if it is counter-clockwise, m2.
pub(super) fn signed_area(ring: &[[f64; 2]]) -> f64 {
    let Some(&first) = ring.first() else { return 0.0 };
    let origin = DVec2::from(first);
    let pairs = ring.iter().zip(ring.iter().skip(1));
    pairs.map(|(&a, &b)| (DVec2::from(a) - origin).perp_dot(DVec2::from(b) - origin)).sum::<f64>() / 2.0
}

/// Area of a shape without its holes, m2.
pub(super) fn area(shape: &Shape) -> f64 {
    shape.iter().map(|ring| signed_area(ring)).sum()
}

/// Length of a ring, m.
pub(super) fn perimeter(ring: &[[f64; 2]]) -> f64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).map(|(&a, &b)| DVec2::from(a).distance(DVec2::from(b))).sum()
}

/// Whether the mean width of a ring is less than `tolerance`.
pub(super) fn is_sliver(ring: &[[f64; 2]], tolerance: f64) -> bool {
    2.0 * signed_area(ring).abs() <= tolerance * perimeter(ring)
}

/// The lowest and the highest coordinates.
pub(super) fn bounds(shapes: &[Shape]) -> (DVec2, DVec2) {
    let points = shapes.iter().flatten().flatten().map(|&point| DVec2::from(point));
    points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
}
