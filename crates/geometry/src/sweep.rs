//! A moving disc: when does it touch a wall, a corner, another disc?
//!
//! This is what keeps people from walking through walls, so it follows the motion itself instead of looking at its
//! ends: a step of ten metres stops at a wall of a hand's breadth. All arithmetic is `f64`, and a result is rounded
//! down, so the place it leads to is not beyond the contact.
//!
//! A disc that touches is stopped (fraction 0) if it moves closer, and free if it moves off or slides along: an agent
//! that was pushed into a wall can always come out. The distance from a point that moves straight to a segment only
//! falls and then only rises (it is convex), so one that moves off at first meets the segment no more.

use crate::{DVec2, Segment, Vec2};

/// Sliding may come closer by this share of the way: a motion turned parallel to a wall is so only up to rounding.
const SLIDE: f64 = 1e-6;

/// The first fraction of `motion`, from 0 to 1, at which a disc touches a wall, with its side or either end.
///
/// `None` if it does not come to touch it, or touches it already and moves off or along. `Some(0)` if it touches and
/// moves closer. A disc whose centre is exactly on the wall counts as moving closer when it moves to the wall's right,
/// the side that is not free.
pub fn disc_hits_segment(center: Vec2, motion: Vec2, radius: f32, wall: &Segment) -> Option<f32> {
    let (a, b) = wall.ends();
    let (center, motion, radius) = (center.as_dvec2(), motion.as_dvec2(), f64::from(radius));
    let along = (b - a).normalize_or_zero();
    let from_a = center - a;
    // Position and motion across the wall, positive to its left, and position along it.
    let (side, across) = (along.perp_dot(from_a), along.perp_dot(motion));
    let position = along.dot(from_a);
    let length = a.distance(b);

    let beside = length > 0.0 && (0.0..=length).contains(&position);
    let gap = if beside { side.abs() } else { from_a.length().min((center - b).length()) };
    if gap <= radius {
        let approach = if gap == 0.0 {
            -across
        } else if beside {
            -across * side.signum()
        } else {
            let from_end = if position < 0.0 { from_a } else { center - b };
            -motion.dot(from_end) / gap
        };
        return (approach > SLIDE * motion.length()).then_some(0.0);
    }
    // Where the centre meets the wall's side moved out by the radius; past the ends, a corner is met before that.
    let approach = -across * side.signum();
    if side.abs() > radius && approach > SLIDE * motion.length() {
        let fraction = (side.abs() - radius) / approach;
        if (0.0..=length).contains(&(position + along.dot(motion) * fraction)) {
            return within_motion(fraction);
        }
    }
    let corners = [from_a, center - b].into_iter().filter_map(|from| first_contact(from, motion, radius, SLIDE));
    corners.reduce(f64::min).and_then(within_motion)
}

/// The first fraction of `motion`, from 0 to 1, at which a disc touches a point. `Some(0)` if it touches already and
/// moves closer; `None` if it does not come to touch it, or moves off or along.
pub fn disc_hits_point(center: Vec2, motion: Vec2, radius: f32, corner: Vec2) -> Option<f32> {
    disc_hits_segment(center, motion, radius, &Segment::new(corner, corner))
}

/// The time until two discs touch: the first `t >= 0` with |p + v t| = r, for relative position `p`, relative velocity
/// `v` and the sum of the radii `r`. `Some(0)` if they overlap and approach; `None` if they never touch, or move apart.
pub fn disc_hits_disc(p: Vec2, v: Vec2, r: f32) -> Option<f32> {
    let (p, v, r) = (p.as_dvec2(), v.as_dvec2(), f64::from(r));
    if p.length_squared() <= r * r {
        return (p.dot(v) < 0.0).then_some(0.0);
    }
    first_contact(p, v, r, 0.0).map(round_down)
}

/// The first t >= 0 with |p + v t| = r, from outside. Contacts are left out at which less than the share `slide` of the
/// velocity points inwards.
fn first_contact(p: DVec2, v: DVec2, r: f64, slide: f64) -> Option<f64> {
    // v.v t^2 + 2 p.v t + p.p - r^2 = 0. A quarter of its discriminant is v.v r^2 - (p x v)^2: written so, it does not
    // cancel when the disc only grazes, and its root is r times the inward velocity at the contact. The solution is taken
    // in the form that does not cancel either.
    let closing = -p.dot(v);
    let quarter = v.length_squared() * r * r - p.perp_dot(v) * p.perp_dot(v);
    let enough = v.length_squared() * r * r * slide * slide;
    (closing > 0.0 && quarter >= enough).then(|| (p.length_squared() - r * r).max(0.0) / (closing + quarter.sqrt()))
}

fn within_motion(fraction: f64) -> Option<f32> {
    (fraction <= 1.0).then(|| round_down(fraction))
}

/// The largest `f32` that is not above `x`, for x >= 0.
fn round_down(x: f64) -> f32 {
    let rounded = x as f32;
    if f64::from(rounded) > x { rounded.next_down() } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WALL: Segment = Segment::new(Vec2::new(0.0, 0.0), Vec2::new(4.0, 0.0));

    #[track_caller]
    fn check(center: [f32; 2], motion: [f32; 2], expected: Option<f32>) {
        let hit = disc_hits_segment(center.into(), motion.into(), 0.5, &WALL);
        let same = match (hit, expected) {
            (Some(hit), Some(expected)) => (hit - expected).abs() < 1e-6,
            (hit, expected) => hit == expected,
        };
        assert!(same, "from {center:?} by {motion:?}: {hit:?}, expected {expected:?}");
    }

    #[test]
    fn sides_stop_a_disc_from_left_and_right() {
        check([2.0, 2.0], [0.0, -3.0], Some(0.5)); // 1.5 m of 3 m
        check([2.0, -2.0], [0.0, 3.0], Some(0.5));
        check([2.0, 2.0], [0.0, -1.5], Some(1.0)); // touches at the very end
        check([2.0, 2.0], [0.0, -1.4], None); // stops before
        check([1.0, 3.5], [3.0, -4.0], Some(0.75)); // at (3.25, 0.5)
        check([2.0, 8.0], [0.0, -100.0], Some(0.075)); // fast: the ends of the motion are far from the wall
    }

    #[test]
    fn corners_stop_a_disc() {
        check([-2.0, 0.0], [3.0, 0.0], Some(0.5)); // head on to the end a
        check([6.0, 0.0], [-3.0, 0.0], Some(0.5)); // and to b
        // Past the end at x = 4.3: touches b where 0.3^2 + 0.4^2 = 0.5^2, at y = 0.4.
        check([4.3, 2.4], [0.0, -4.0], Some(0.5));
        check([-0.3, -2.4], [0.0, 4.0], Some(0.5));
        check([4.6, 2.0], [0.0, -4.0], None); // passes 0.1 m clear
        // Flat towards the end with less than a radius beside the line: the corner comes first, at (-0.4, 0.3).
        check([-2.4, 0.3], [8.0, 0.0], Some(0.25));
    }

    #[test]
    fn a_disc_in_contact_may_leave_and_slide_but_not_press_on() {
        check([2.0, 0.5], [0.0, -1.0], Some(0.0));
        check([2.0, 0.5], [0.0, 1.0], None);
        check([2.0, 0.5], [1.0, 0.0], None);
        check([2.0, 0.3], [1.0, 0.0], None); // pressed in: sliding on
        check([2.0, 0.3], [1.0, -0.01], Some(0.0));
        check([2.0, 0.3], [1.0, 0.01], None); // and out
        check([4.3, 0.4], [-1.0, -1.0], Some(0.0)); // at the corner b
        check([4.3, 0.4], [4.0, -3.0], None); // along its tangent
        check([2.0, 0.0], [0.0, -1.0], Some(0.0)); // centre on the wall: left is free, right is not
        check([2.0, 0.0], [0.0, 1.0], None);
        check([2.0, 0.5], [0.0, 0.0], None);
    }

    #[test]
    fn points_and_degenerate_walls() {
        let hit = |center: [f32; 2], motion: [f32; 2]| {
            disc_hits_point(center.into(), motion.into(), 1.0, Vec2::new(1.0, 1.0))
        };
        assert_eq!(hit([1.0, 4.0], [0.0, -4.0]), Some(0.5));
        assert_eq!(hit([2.0, 1.0], [-1.0, 0.0]), Some(0.0));
        assert_eq!(hit([2.0, 1.0], [0.0, 1.0]), None);
        assert_eq!(hit([1.0, 1.0], [1.0, 0.0]), None);
        assert_eq!(hit([3.0, 4.0], [0.0, -8.0]), None);
        assert_eq!(hit([f32::NAN, 4.0], [0.0, -8.0]), None);
    }

    #[test]
    fn discs_meet() {
        let meet = |p: [f32; 2], v: [f32; 2]| disc_hits_disc(p.into(), v.into(), 1.0);
        assert_eq!(meet([5.0, 0.0], [-2.0, 0.0]), Some(2.0));
        assert_eq!(meet([5.0, 0.0], [2.0, 0.0]), None);
        assert_eq!(meet([5.0, 2.0], [-2.0, 0.0]), None);
        assert_eq!(meet([5.0, 1.0], [-2.0, 0.0]), Some(2.5)); // grazes
        assert_eq!(meet([0.5, 0.0], [-2.0, 0.0]), Some(0.0));
        assert_eq!(meet([0.5, 0.0], [2.0, 0.0]), None);
        assert_eq!(meet([5.0, 0.0], [0.0, 0.0]), None);
        let at = meet([3.0, 0.6], [-1.0, 0.0]).unwrap(); // at x = 0.8
        assert!((at - 2.2).abs() < 1e-6, "{at}");
    }

    fn place(size: f32) -> impl Strategy<Value = Vec2> {
        [-size..size, -size..size].prop_map(Vec2::from)
    }

    /// Distance between the centre on its way and the wall, in f64: the `f32` position would hide what is tested.
    fn gap(center: Vec2, motion: Vec2, fraction: f64, wall: &Segment) -> f64 {
        let (a, b) = wall.ends();
        let p = center.as_dvec2() + motion.as_dvec2() * fraction;
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance(if t.is_nan() { a } else { a.lerp(b, t) })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Walks along the whole motion in small steps: before the hit the disc is free, at the hit it touches,
        /// without a hit it is free all the way.
        #[test]
        fn the_hit_is_the_first_contact(
            center in place(5.0), motion in place(10.0), radius in 0.05f32..1.0, a in place(5.0), b in place(5.0),
        ) {
            let wall = Segment::new(a, b);
            let hit = disc_hits_segment(center, motion, radius, &wall);
            let (start, r) = (gap(center, motion, 0.0, &wall), f64::from(radius));
            if start <= r {
                // Touching already: stopped exactly if the next millimetre is closer.
                let next = gap(center, motion, 1e-3 / f64::from(motion.length()), &wall);
                prop_assume!((start - next).abs() > 1e-5 && start > 2e-3);
                prop_assert_eq!(hit, (next < start).then_some(0.0));
                return Ok(());
            }
            let slide = 1e-9 + 1e-6 * f64::from(motion.length());
            let free = hit.map_or(1.0, f64::from);
            for step in 0..1000 {
                let fraction = free * f64::from(step) / 1000.0;
                prop_assert!(gap(center, motion, fraction, &wall) > r - slide, "inside at {}", fraction);
            }
            if hit.is_some() {
                let left = gap(center, motion, free, &wall) - r;
                // One unit of rounding of the fraction, over at most 14 m of way.
                prop_assert!((-slide..2e-6).contains(&left), "{} m left", left);
            } else {
                prop_assert!(gap(center, motion, 1.0, &wall) > r - slide);
            }
        }

        /// Aimed at a place on the wall, from far, a step beyond it never gets through.
        #[test]
        fn nobody_jumps_through(
            center in place(50.0), a in place(5.0), b in place(5.0), where_to in 0.0f32..1.0, radius in 0.05f32..0.5,
        ) {
            let wall = Segment::new(a, b);
            let motion = (wall.at(where_to) - center) * 2.0;
            prop_assume!(wall.distance(center) > radius);
            let hit = disc_hits_segment(center, motion, radius, &wall);
            prop_assert!(hit.is_some_and(|fraction| fraction < 0.5), "{:?}", hit);
        }

        #[test]
        fn discs_touch_when_told(p in place(10.0), v in place(3.0), r in 0.1f32..2.0) {
            let distance = |t: f64| (p.as_dvec2() + v.as_dvec2() * t).length();
            prop_assume!(p.length() > r);
            let nearest = (-p.dot(v) / v.length_squared()).max(0.0);
            match disc_hits_disc(p, v, r) {
                Some(t) => {
                    prop_assert!((distance(f64::from(t)) - f64::from(r)).abs() < 1e-5 * (1.0 + t.abs() * v.length()) as f64);
                    prop_assert!(t <= nearest * 1.0001);
                }
                None => prop_assert!(distance(f64::from(nearest)) > f64::from(r) - 1e-5),
            }
        }

        /// A disc that touches, up to rounding, and moves along is not held, wherever the wall and however long it is.
        #[test]
        fn sliding_does_not_stick(a in place(50.0), b in place(50.0), radius in 0.1f32..0.5, press in -1e-6f32..1e-6) {
            let wall = Segment::new(a, b);
            prop_assume!(wall.length() > 0.5);
            let center = wall.at(0.5) + wall.normal() * (radius + press);
            prop_assert_eq!(disc_hits_segment(center, wall.direction() * 0.1, radius, &wall), None);
        }
    }
}
