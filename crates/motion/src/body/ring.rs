//! Closed curves around a bone: what tubes are made of.

use passerby_geometry::{Vec2, Vec3, math};

/// A curve of four quarter ellipses that share their ends. Angle 0 is the front, a quarter turn the outside (the left).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ring {
    /// Where the four axes meet.
    pub middle: Vec3,
    /// From the middle to the foremost point.
    pub front: Vec3,
    /// From the middle to the rearmost point.
    pub back: Vec3,
    /// From the middle to the outermost point.
    pub outer: Vec3,
    /// From the middle to the innermost point.
    pub inner: Vec3,
    /// 1 gives ellipses, less gives fuller corners.
    pub power: f32,
}

impl Ring {
    /// Across the trunk, neck or head: heights in front, at the sides and behind, and how far it reaches there.
    pub fn slice([front_z, side_z, back_z]: [f32; 3], [front, back, side]: [f32; 3], power: f32) -> Ring {
        Ring {
            middle: Vec3::new(0.0, 0.0, side_z),
            front: Vec3::new(front, 0.0, front_z - side_z),
            back: Vec3::new(-back, 0.0, back_z - side_z),
            outer: Vec3::new(0.0, side, 0.0),
            inner: Vec3::new(0.0, -side, 0.0),
            power,
        }
    }

    /// Around a limb that hangs down: outermost and innermost point (y, z), reach to the front and the back.
    pub fn limb(outer: [f32; 2], inner: [f32; 2], front: f32, back: f32) -> Ring {
        let [outer, inner] = [outer, inner].map(|[y, z]| Vec3::new(0.0, y, z));
        let middle = 0.5 * (outer + inner);
        Ring {
            middle,
            front: Vec3::new(front, 0.0, 0.0),
            back: Vec3::new(-back, 0.0, 0.0),
            outer: outer - middle,
            inner: inner - middle,
            power: 0.94,
        }
    }

    /// Around a foot: from the point (x, z) on the instep to the one at the heel or sole, at `y`, half as wide as it is.
    pub fn foot(instep: [f32; 2], sole: [f32; 2], y: f32, half: f32) -> Ring {
        let [instep, sole] = [instep, sole].map(|[x, z]| Vec3::new(x, y, z));
        let middle = 0.5 * (instep + sole);
        let outer = Vec3::new(0.0, half, 0.0);
        Ring { middle, front: instep - middle, back: sole - middle, outer, inner: -outer, power: 0.8 }
    }

    /// The point at an angle.
    pub fn at(&self, angle: f32) -> Vec3 {
        let (sin, cos) = math::sin_cos(angle);
        let reach = Vec2::new(cos, sin).abs();
        let [along, across] = [reach.x, reach.y].map(|share| math::powf(share, self.power));
        let fore = if cos > 0.0 { self.front } else { self.back };
        let side = if sin > 0.0 { self.outer } else { self.inner };
        self.middle + fore * along + side * across
    }

    /// The same ring, wider by shares of what it is.
    pub fn widened(mut self, front: f32, back: f32, outer: f32, inner: f32) -> Ring {
        self.front *= 1.0 + front;
        self.back *= 1.0 + back;
        self.outer *= 1.0 + outer;
        self.inner *= 1.0 + inner;
        self
    }

    /// The same ring, higher.
    pub fn lifted(mut self, by: f32) -> Ring {
        self.middle.z += by;
        self
    }

    /// The same ring, reaching further by lengths.
    pub fn grown(mut self, front: f32, back: f32, side: f32) -> Ring {
        self.front.x += front;
        self.back.x -= back;
        self.outer.y += side;
        self.inner.y -= side;
        self
    }
}

/// Between knots (x, y) on straight lines; held at both ends.
pub fn curve(knots: &[(f32, f32)], x: f32) -> f32 {
    let after = knots.partition_point(|knot| knot.0 <= x);
    match (after.checked_sub(1).map(|before| knots[before]), knots.get(after)) {
        (Some(before), Some(after)) => before.1 + (after.1 - before.1) * (x - before.0) / (after.0 - before.0),
        (Some(knot), None) => knot.1,
        (None, Some(knot)) => knot.1,
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

    #[test]
    fn rings_pass_through_their_four_points() {
        let ring = Ring::slice([0.9, 1.0, 1.1], [0.3, 0.2, 0.1], 1.0);
        let check = |angle: f32, expected: [f32; 3]| {
            let point = ring.at(angle);
            assert!(point.distance(expected.into()) < 1e-6, "{angle}: {point}");
        };
        check(0.0, [0.3, 0.0, 0.9]);
        check(FRAC_PI_2, [0.0, 0.1, 1.0]);
        check(PI, [-0.2, 0.0, 1.1]);
        check(-FRAC_PI_2, [0.0, -0.1, 1.0]);
        check(FRAC_PI_4, [0.212132, 0.070711, 0.929289]);
    }

    #[test]
    fn curves_are_straight_between_knots_and_held_outside() {
        let knots = [(1.0, 2.0), (3.0, 6.0)];
        for (x, expected) in [(0.0, 2.0), (1.0, 2.0), (1.5, 3.0), (3.0, 6.0), (4.0, 6.0)] {
            assert_eq!(curve(&knots, x), expected);
        }
    }
}
