//! From where a figure is looked at.

use passerby_geometry::{Vec2, Vec3};

/// A camera that looks level or from above, with z up in the picture.
#[derive(Debug, Clone, Copy)]
pub struct Camera {
    /// What is in the middle of the picture, m.
    pub target: Vec3,
    /// Where the camera stands, seen from the target: 0 is ahead of somebody who looks along x, a quarter turn to their left, rad.
    pub around: f32,
    /// How far above the horizon it stands, rad.
    pub above: f32,
    /// Height of what the picture shows at the target, m.
    pub height: f32,
    /// From the target to the camera, m; infinite for a parallel projection.
    pub distance: f32,
}

/// A point in a picture.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    /// Pixels from the upper left corner.
    pub at: Vec2,
    /// Larger is farther away. Between points it is linear in the picture.
    pub depth: f32,
}

impl Camera {
    /// From the target to the camera.
    pub fn towards(&self) -> Vec3 {
        let ((sin, cos), (up, level)) = (self.around.sin_cos(), self.above.sin_cos());
        Vec3::new(level * cos, level * sin, up)
    }

    /// Where a picture of this size shows a point; nowhere when it is behind the camera or nearly so.
    pub fn seen(&self, size: [u32; 2], point: Vec3) -> Option<Seen> {
        let towards = self.towards();
        let right = Vec3::Z.cross(towards).normalize();
        let up = towards.cross(right);
        let from_target = point - self.target;
        let nearer = from_target.dot(towards) / self.distance; // 0 for a parallel projection, 1 at the camera
        if nearer > 0.95 {
            return None;
        }
        let scale = size[1] as f32 / (self.height * (1.0 - nearer));
        let middle = 0.5 * Vec2::new(size[0] as f32, size[1] as f32);
        let at = middle + scale * Vec2::new(from_target.dot(right), -from_target.dot(up));
        // In perspective 1 / distance is what is linear in a picture, not distance.
        let depth = if self.distance.is_finite() { -1.0 / (1.0 - nearer) } else { -from_target.dot(towards) };
        Some(Seen { at, depth })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From ahead, level: their left is on the right of the picture, up is up, and nearer is nearer.
    #[test]
    fn pictures_are_the_right_way_round() {
        for distance in [f32::INFINITY, 8.0] {
            let camera = Camera { target: Vec3::Z, around: 0.0, above: 0.0, height: 2.0, distance };
            let see = |x, y, z| camera.seen([100, 200], Vec3::new(x, y, z)).unwrap();
            assert!((see(0.0, 0.0, 1.0).at - Vec2::new(50.0, 100.0)).length() < 1e-3);
            assert!((see(0.0, 0.4, 1.5).at - Vec2::new(90.0, 50.0)).length() < 1e-3);
            assert!(see(0.5, 0.0, 1.0).depth < see(0.0, 0.0, 1.0).depth);
        }
        // Half way to the camera everything is twice as large.
        let camera = Camera { target: Vec3::Z, around: 0.0, above: 0.0, height: 2.0, distance: 8.0 };
        let seen = camera.seen([100, 200], Vec3::new(4.0, 0.1, 1.0)).unwrap();
        assert!((seen.at - Vec2::new(70.0, 100.0)).length() < 1e-3, "{seen:?}");
        assert!(camera.seen([100, 200], Vec3::new(8.0, 0.0, 1.0)).is_none());
    }
}
