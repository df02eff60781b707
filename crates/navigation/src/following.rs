//! Following a route by visual optimisation: cones of sight through the next portals, intersected one by one.
//!
//! Lamarche and Donikian 2004, section 4.2. From where somebody stands, each portal ahead is a cone of directions. Cones are
//! intersected in order as long as what is left is wide enough; the heading is the bisector of the last cone that was. Cells
//! are convex, so nothing is in the way up to that portal. How narrow a cone may get is a habit of each person: a small angle
//! skims corners, a large one keeps to the middle of passages.

use passerby_geometry::{Vec2, math};

use crate::hierarchy::Crossing;
use crate::subdivision::Subdivision;

/// Who is this close to a portal's line is crossing it, m.
const AT_PORTAL: f32 = 1e-3;

/// Where somebody on a route should head for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heading {
    /// A point in that direction, on the last portal that was looked through, or the goal.
    pub toward: Vec2,
    /// How many of the portals it leads through in a straight line.
    pub through: usize,
}

/// Directions in which somebody may go, from right to left; at most a half circle.
#[derive(Debug, Clone, Copy)]
struct Cone {
    right: Vec2,
    left: Vec2,
}

impl Cone {
    /// What two cones share; `None` if that is a single direction or nothing.
    fn intersect(self, other: Cone) -> Option<Cone> {
        let right = if self.right.perp_dot(other.right) > 0.0 { other.right } else { self.right };
        let left = if self.left.perp_dot(other.left) < 0.0 { other.left } else { self.left };
        (right.perp_dot(left) > 1e-6 && self.holds(right + left)).then_some(Cone { right, left })
    }

    fn holds(self, direction: Vec2) -> bool {
        self.right.perp_dot(direction) >= 0.0 && direction.perp_dot(self.left) >= 0.0
    }

    fn bisector(self) -> Vec2 {
        (self.right + self.left).normalize_or(self.left.perp() * -1.0)
    }
}

/// The heading of a disc of `radius` at `at` on the way through `crossings` to `goal`, for somebody who looks no further once
/// the cone is narrower than `threshold`, rad.
///
/// `crossings` begin with the next portal ahead; those that have been crossed already are skipped. Portals lose the radius at
/// both ends. The cone of the first always counts, however narrow.
pub fn heading(
    subdivision: &Subdivision,
    at: Vec2,
    radius: f32,
    crossings: &[Crossing],
    goal: Vec2,
    threshold: f32,
) -> Heading {
    look(at, crossings.iter().map(|crossing| ends(subdivision, *crossing, radius)), goal, threshold)
}

/// The heading through portals given by their right and left ends.
fn look(at: Vec2, portals: impl Iterator<Item = [Vec2; 2]>, goal: Vec2, threshold: f32) -> Heading {
    let narrowest = math::cos(threshold.clamp(0.0, std::f32::consts::PI));
    let mut best: Option<(Cone, [Vec2; 2])> = None;
    let mut through = 0;
    for [right, left] in portals {
        let ahead = (left - right).perp().dot(at - right) > AT_PORTAL * right.distance(left);
        if ahead || best.is_some() {
            let cone = Cone { right: (right - at).normalize_or_zero(), left: (left - at).normalize_or_zero() };
            match best {
                None => best = Some((cone, [right, left])),
                Some((last, ends)) => match last.intersect(cone) {
                    Some(both) if both.right.dot(both.left) <= narrowest => best = Some((both, [right, left])),
                    _ => return Heading { toward: point_on(at, last, ends), through },
                },
            }
        }
        through += 1;
    }
    match best {
        Some((cone, ends)) if !cone.holds(goal - at) => Heading { toward: point_on(at, cone, ends), through },
        _ => Heading { toward: goal, through },
    }
}

/// Where the bisector of a cone meets a portal.
fn point_on(at: Vec2, cone: Cone, [right, left]: [Vec2; 2]) -> Vec2 {
    let (direction, along) = (cone.bisector(), left - right);
    let t = (at - right).perp_dot(direction) / along.perp_dot(direction);
    if t.is_finite() { right + along * t.clamp(0.0, 1.0) } else { (right + left) / 2.0 }
}

/// The right and left end of a portal as seen by who crosses it, drawn in by the radius; its middle twice if it is not longer
/// than that.
fn ends(subdivision: &Subdivision, crossing: Crossing, radius: f32) -> [Vec2; 2] {
    let portal = subdivision.portal(crossing.portal);
    let [a, b] = portal.ends.map(|end| end.as_vec2());
    let [right, left] = if portal.cells[0] == crossing.into { [b, a] } else { [a, b] };
    let length = right.distance(left);
    // A millimetre of play: who fits exactly still has a direction to go.
    let inward = (left - right) * (radius.min(0.5 * length - 1e-3).max(0.0) / length.max(1e-6));
    [right + inward, left - inward]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The portals of the worked example, right and left as seen from the origin.
    const PORTALS: [[Vec2; 2]; 4] = [
        [Vec2::new(2.0, -1.0), Vec2::new(2.0, 1.0)],
        [Vec2::new(4.0, 0.0), Vec2::new(4.0, 2.0)],
        [Vec2::new(6.0, 2.0), Vec2::new(6.0, 3.0)],
        [Vec2::new(8.0, 4.0), Vec2::new(8.0, 6.0)],
    ];

    #[track_caller]
    fn check(threshold: f32, drawn_in: f32, through: usize, degrees: f32) {
        let portals = PORTALS.map(|[right, left]| {
            let inward = (left - right).normalize() * drawn_in;
            [right + inward, left - inward]
        });
        let found = look(Vec2::ZERO, portals.into_iter(), Vec2::new(9.0, 9.0), threshold.to_radians());
        let angle = math::atan2(found.toward.y, found.toward.x).to_degrees();
        assert!((angle - degrees).abs() < 2e-3, "{angle} degrees");
        assert_eq!(found.through, through);
    }

    #[test]
    fn the_heading_is_the_bisector_of_the_last_cone_that_is_wide_enough() {
        check(5.0, 0.0, 3, 22.5);
        check(10.0, 0.0, 2, 13.283);
        check(30.0, 0.0, 1, 0.0);
        // The first cone always counts.
        check(60.0, 0.0, 1, 0.0);
        check(5.0, 0.25, 2, 12.066);
        check(10.0, 0.25, 2, 12.066);
    }

    #[test]
    fn the_goal_is_headed_for_once_it_is_in_the_cone() {
        let goal = Vec2::new(5.0, 1.5);
        let found = look(Vec2::ZERO, PORTALS[..2].iter().copied(), goal, 0.1);
        assert_eq!(found, Heading { toward: goal, through: 2 });
        // 40 degrees up, beside the cone of 0 to 26.565.
        let beside = look(Vec2::ZERO, PORTALS[..2].iter().copied(), Vec2::new(5.0, 4.2), 0.1);
        assert!(beside.through == 2 && beside.toward.x == 4.0);
        assert_eq!(look(Vec2::ZERO, [].into_iter(), goal, 0.1), Heading { toward: goal, through: 0 });
    }

    #[test]
    fn portals_that_were_crossed_do_not_count() {
        let found = look(Vec2::new(2.5, 0.5), PORTALS.into_iter(), Vec2::new(9.0, 9.0), 5_f32.to_radians());
        // From (2.5, 0.5) the second portal reaches from -18.435 to 45 degrees, the third from 23.199 to 35.538, and the
        // fourth, from 32.471 to 45, leaves only 3 degrees of that.
        assert_eq!(found.through, 3);
        let angle = math::atan2(found.toward.y - 0.5, found.toward.x - 2.5).to_degrees();
        assert!((angle - (23.199 + 35.538) / 2.0).abs() < 2e-3, "{angle} degrees");
    }
}
