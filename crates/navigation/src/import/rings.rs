//! One outline of a file: welded, and either simple, or untangled, or nothing.

use passerby_geometry::{DVec2, Polygon, PolygonError};

use super::overlay::{self, Ring, Shape, is_sliver};
use super::weld::Weld;

/// What became of an outline.
pub(super) enum Outline {
    /// It meets itself nowhere; counter-clockwise.
    Simple(Ring),
    /// It met itself: what it encloses, and why.
    Tangled(Vec<Shape>, PolygonError),
    /// It is thinner than the tolerance.
    Sliver,
}

/// What welding and cleaning outlines changed so far.
pub(super) struct Rings {
    pub weld: Weld,
    pub tolerance: f64,
    /// Points that are gone.
    pub near_points: usize,
    /// Outlines that are gone, and their area, m2.
    pub slivers: (usize, f64),
}

impl Rings {
    pub fn new(tolerance: f64) -> Rings {
        Rings { weld: Weld::new(tolerance), tolerance, near_points: 0, slivers: (0, 0.0) }
    }

    /// Cleans one outline.
    pub fn outline(&mut self, points: &[DVec2]) -> Outline {
        let points = match points {
            [first, rest @ .., last] if first == last && !rest.is_empty() => &points[..points.len() - 1],
            _ => points,
        };
        let (mut ring, mut counted): (Vec<DVec2>, bool) = (Vec::with_capacity(points.len()), false);
        for &point in points {
            let welded = self.weld.point(point);
            let again = ring.last() == Some(&welded);
            counted = again || welded != point;
            self.near_points += usize::from(counted);
            if !again {
                ring.push(welded);
            }
        }
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
            self.near_points += usize::from(!counted);
        }
        let plain: Ring = ring.iter().map(|&p| p.into()).collect();
        match Polygon::new(ring) {
            Ok(polygon) => {
                let ring: Ring = polygon.points().iter().map(|&p| p.into()).collect();
                if is_sliver(&ring, self.tolerance) { self.sliver(&ring) } else { Outline::Simple(ring) }
            }
            Err(PolygonError::TooFew { .. } | PolygonError::NoArea { .. }) => self.sliver(&plain),
            Err(error) => {
                let found = overlay::restored(overlay::enclosed(&plain), &[vec![plain.clone()]]);
                let parts = self.without_slivers(found);
                if parts.is_empty() { self.sliver(&plain) } else { Outline::Tangled(parts, error) }
            }
        }
    }

    /// Shapes and holes that are wide enough to matter.
    pub fn without_slivers(&mut self, shapes: Vec<Shape>) -> Vec<Shape> {
        let mut kept = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let mut rings = shape.into_iter();
            let Some(outer) = rings.next() else { continue };
            if is_sliver(&outer, self.tolerance) {
                self.sliver(&outer);
                continue;
            }
            let mut shape = vec![outer];
            for hole in rings {
                if is_sliver(&hole, self.tolerance) {
                    self.sliver(&hole);
                } else {
                    shape.push(hole);
                }
            }
            kept.push(shape);
        }
        kept
    }

    fn sliver(&mut self, ring: &Ring) -> Outline {
        let area = overlay::signed_area(ring).abs();
        self.slivers.0 += 1;
        self.slivers.1 += area;
        Outline::Sliver
    }
}

/// Whether an outline met itself only by a trifle, so that it is clear what it encloses.
pub(super) fn is_trifle(points: &[DVec2], parts: &[Shape], tolerance: f64) -> bool {
    let ring: Ring = points.iter().map(|&p| p.into()).collect();
    let enclosed: f64 = parts.iter().map(overlay::area).sum();
    (enclosed - overlay::signed_area(&ring).abs()).abs() <= tolerance * overlay::perimeter(&ring)
}
