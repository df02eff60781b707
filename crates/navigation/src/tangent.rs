//! Straight lines that touch two circles, and turns about one.
//!
//! A walker on a circle moves counter-clockwise round it (side +1, the centre to the left) or clockwise (side -1). A
//! *normal* is the direction from the centre to where the line touches. Points are circles of radius 0 without a side.

use passerby_geometry::{DVec2, math};

/// A circle as the end of a line: its centre, and its radius times the side on which it is passed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Circle {
    pub centre: DVec2,
    pub signed_radius: f64,
}

/// A straight piece of a way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub from: DVec2,
    pub to: DVec2,
    pub direction: DVec2,
    pub length: f64,
}

impl Line {
    pub fn reversed(&self) -> Line {
        Line { from: self.to, to: self.from, direction: -self.direction, length: self.length }
    }
}

impl Circle {
    pub fn point(centre: DVec2) -> Circle {
        Circle { centre, signed_radius: 0.0 }
    }
}

/// The line that leaves `a` and arrives at `b`; none if one circle lies inside the other, or crosses it on the wrong side.
///
/// With D from centre to centre, k the difference of the signed radii and u the direction of the line:
/// D = length u + k perp(u), which is solved for both without angles.
pub(crate) fn line(a: Circle, b: Circle) -> Option<Line> {
    let (d, k) = (b.centre - a.centre, b.signed_radius - a.signed_radius);
    let square = d.length_squared();
    let rest = square - k * k;
    // A point on the circle touches it, also when rounding has put it a little inside.
    if square == 0.0 || rest < -1e-6 * square {
        return None;
    }
    let length = rest.max(0.0).sqrt();
    let direction = ((length * d - k * d.perp()) / square).normalize();
    let touch = |c: Circle| c.centre - c.signed_radius * direction.perp();
    Some(Line { from: touch(a), to: touch(b), direction, length })
}

/// The direction from the centre of a circle to where a line in `direction` touches it.
pub(crate) fn normal(side: f64, direction: DVec2) -> DVec2 {
    -side * direction.perp()
}

/// Angle between two unit vectors, 0 to pi.
pub(crate) fn angle(a: DVec2, b: DVec2) -> f64 {
    math::double::atan2(a.perp_dot(b).abs(), a.dot(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: [f64; 3], b: [f64; 3], expected: Option<([f64; 2], [f64; 2])>) {
        let circle = |c: [f64; 3]| Circle { centre: DVec2::new(c[0], c[1]), signed_radius: c[2] };
        let found = line(circle(a), circle(b));
        assert_eq!(found.is_some(), expected.is_some());
        if let (Some(line), Some((from, to))) = (found, expected) {
            assert!(line.from.distance(DVec2::from(from)) < 1e-12, "{line:?}");
            assert!(line.to.distance(DVec2::from(to)) < 1e-12, "{line:?}");
            assert!((line.length - line.from.distance(line.to)).abs() < 1e-12);
        }
    }

    #[test]
    fn lines_touch_on_the_right_side() {
        // Centres to the left: the line runs below them. Centres to the right: above.
        check([0.0, 0.0, 1.0], [4.0, 0.0, 1.0], Some(([0.0, -1.0], [4.0, -1.0])));
        check([0.0, 0.0, -1.0], [4.0, 0.0, -1.0], Some(([0.0, 1.0], [4.0, 1.0])));
        // Crossing over between circles of radius 3 and 2 at distance sqrt(25 + 144) = 13.
        check([0.0, 0.0, -3.0], [12.0, 5.0, 2.0], Some(([0.0, 3.0], [12.0, 3.0])));
        // From a point: 3-4-5.
        check([0.0, 0.0, 0.0], [4.0, 3.0, 3.0], Some(([0.0, 0.0], [4.0, 0.0])));
        // Overlapping circles have outer tangents, but none between them.
        check([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], Some(([0.0, -1.0], [1.0, -1.0])));
        check([0.0, 0.0, 1.0], [1.0, 0.0, -1.0], None);
        check([0.0, 0.0, 0.0], [0.5, 0.0, 1.0], None);
    }
}
