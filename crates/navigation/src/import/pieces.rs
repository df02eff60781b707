//! The free floor: its pieces, and what is on it.

use passerby_geometry::DVec2;

use super::error::{ImportError, fail};
use super::overlay::{self, Shape, is_sliver};
use crate::floor::Floor;

/// Most doors, and most regions.
const NAMED_MAX: usize = 10_000;

/// Points that are looked at for all regions and doors together; beyond it the map says what is off the floor.
const WORK_MAX: usize = 50_000_000;

/// The floor without obstacles.
pub(super) struct Free {
    /// Pieces between which nobody can walk, the largest first.
    pub pieces: Vec<Shape>,
    points: usize,
    work: std::cell::Cell<usize>,
}

impl Free {
    pub fn new(floors: &[Shape], obstacles: &[Shape], tolerance: f64) -> Free {
        let mut pieces = overlay::difference(floors, obstacles);
        pieces.retain(|piece| !is_sliver(&piece[0], tolerance));
        pieces.sort_by(|a, b| overlay::area(b).total_cmp(&overlay::area(a)));
        let points = pieces.iter().flatten().map(Vec::len).sum();
        Free { pieces, points, work: std::cell::Cell::new(0) }
    }

    /// Whether some of the shape is free.
    pub fn meets(&self, shape: &Shape) -> bool {
        if self.too_much(8) {
            return true;
        }
        // Regions mostly have their middle on the floor.
        let middle = shape[0].iter().map(|&p| DVec2::from(p)).sum::<DVec2>() / shape[0].len() as f64;
        let part = |shape: &Shape| overlay::intersection(&self.pieces, std::slice::from_ref(shape));
        (inside(shape, middle) && self.contains(middle)) || part(shape).iter().any(|part| overlay::area(part) > 1e-6)
    }

    /// Whether a line has free floor on both sides somewhere.
    pub fn holds_door(&self, [a, b]: [DVec2; 2]) -> bool {
        const SAMPLES: u32 = 33;
        let aside = (b - a).normalize_or_zero().perp() * 1e-4;
        let free = |i: u32| {
            let at = a.lerp(b, (f64::from(i) + 0.5) / f64::from(SAMPLES));
            self.contains(at + aside) && self.contains(at - aside)
        };
        self.too_much(SAMPLES as usize) || (0..SAMPLES).any(free)
    }

    fn contains(&self, at: DVec2) -> bool {
        self.pieces.iter().any(|piece| inside(piece, at))
    }

    fn too_much(&self, times: usize) -> bool {
        self.work.set(self.work.get().saturating_add(times * self.points));
        self.work.get() > WORK_MAX
    }
}

/// Whether a ray from the point crosses the rings an odd number of times.
fn inside(shape: &Shape, at: DVec2) -> bool {
    let mut inside = false;
    for ring in shape {
        for (i, &a) in ring.iter().enumerate() {
            let (a, b) = (DVec2::from(a), DVec2::from(ring[(i + 1) % ring.len()]));
            if (a.y > at.y) != (b.y > at.y) && at.x < a.x + (b.x - a.x) * ((at.y - a.y) / (b.y - a.y)) {
                inside = !inside;
            }
        }
    }
    inside
}

pub(super) fn check_named(floor: &Floor) -> Result<(), ImportError> {
    for (kind, count) in [("doors", floor.doors.len()), ("regions", floor.regions.len())] {
        if count > NAMED_MAX {
            return fail("", format!("there are {count} {kind}"), format!("at most {NAMED_MAX} can be read"));
        }
    }
    Ok(())
}
