//! Walking round people who stand in the way.
//!
//! Steering avoids one person at a time: before a group that stands shoulder to shoulder it comes to rest. Who has not got on for
//! a while sees the group as one thing and heads for its nearer flank.

use passerby_geometry::{Vec2, Walls, math};

/// How far ahead people in the way are looked for, m: `tangent` stops before a row of people from more than 4 m on.
const SIGHT: f32 = 6.0;
/// Room kept from those who stand, m.
const ROOM: f32 = 0.15;
/// How far beyond a flank the way has to go on, m.
const PAST: f32 = 1.0;
/// Nobody turns round by more than this to pass a group, rad.
const TURN_MAX: f32 = 2.2;

/// Somebody who stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stander {
    pub at: Vec2,
    pub radius: f32,
}

/// What is in the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Way {
    /// Nobody who stands.
    Free,
    /// A group that is passed by heading for this point.
    Round(Vec2),
    /// A group that reaches from wall to wall.
    Blocked,
}

/// Looks from `at` towards `toward` for people who stand in the way of a disc, and past which flank of them it gets on.
///
/// Those who stand so close together that the disc does not fit between them are one group. `group` is only kept to be used
/// again.
pub(crate) fn look(
    walls: &Walls,
    standing: &[Stander],
    at: Vec2,
    toward: Vec2,
    radius: f32,
    group: &mut Vec<bool>,
) -> Way {
    let Some(ahead) = (toward - at).try_normalize() else { return Way::Free };
    let reach = at.distance(toward).min(SIGHT);
    let in_the_way = |s: &Stander| {
        let along = (s.at - at).dot(ahead);
        along > 0.0 && along < reach && (s.at - at).perp_dot(ahead).abs() < radius + s.radius
    };
    group.clear();
    group.extend(standing.iter().map(in_the_way));
    if !group.contains(&true) {
        return Way::Free;
    }
    gather(standing, 2.0 * radius, group);
    // The two flanks, as angles to the left of straight ahead and the points that are headed for.
    let mut flanks = [(0.0_f32, toward); 2];
    for s in standing.iter().zip(&*group).filter(|(_, is_in)| **is_in).map(|(s, _)| s) {
        let (to, keep) = (s.at - at, s.radius + radius + ROOM);
        let distance = to.length().max(1e-3);
        let middle = math::atan2(ahead.perp_dot(to), ahead.dot(to));
        let half = math::atan2(keep, (distance * distance - keep * keep).max(1e-4).sqrt());
        for (flank, side) in flanks.iter_mut().zip([1.0, -1.0]) {
            let angle = middle + side * half;
            if angle * side > flank.0 * side {
                let (sin, cos) = math::sin_cos(angle);
                // As far as beside that person, or a step where they touch already.
                *flank = (angle, at + (ahead * cos + ahead.perp() * sin) * distance.max(keep));
            }
        }
    }
    flanks.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let passable = |&&(angle, point): &&(f32, Vec2)| {
        // On from the flank, too: beside people who stand in a door there is only wall.
        let on = (reach - (point - at).dot(ahead)).clamp(0.0, PAST);
        angle.abs() < TURN_MAX && walls.passable(at, point, radius) && walls.passable(point, point + ahead * on, radius)
    };
    flanks.iter().find(passable).map_or(Way::Blocked, |(_, point)| Way::Round(*point))
}

/// Adds everybody who stands closer than `gap` to one of the group.
fn gather(standing: &[Stander], gap: f32, group: &mut [bool]) {
    let mut grows = true;
    while grows {
        grows = false;
        for i in 0..standing.len() {
            let joins = |j: usize| {
                let limit = standing[i].radius + standing[j].radius + gap;
                group[j] && standing[i].at.distance_squared(standing[j].at) < limit * limit
            };
            if !group[i] && (0..standing.len()).any(joins) {
                (group[i], grows) = (true, true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_geometry::Segment;

    fn row(ys: &[f32]) -> Vec<Stander> {
        ys.iter().map(|y| Stander { at: Vec2::new(3.0, *y), radius: 0.25 }).collect()
    }

    /// A corridor 6 m wide along x, people across it.
    fn see(standing: &[Stander]) -> Way {
        let walls = Walls::new(vec![
            Segment { a: Vec2::new(-10.0, -3.0), b: Vec2::new(10.0, -3.0) },
            Segment { a: Vec2::new(10.0, 3.0), b: Vec2::new(-10.0, 3.0) },
        ]);
        look(&walls, standing, Vec2::ZERO, Vec2::new(9.0, 0.0), 0.25, &mut Vec::new())
    }

    #[test]
    fn a_group_is_passed_on_its_nearer_flank() {
        assert_eq!(see(&[]), Way::Free);
        assert_eq!(see(&row(&[2.0, 2.5])), Way::Free);
        // From -0.6 to 1.4: the nearer flank is to the right, 0.65 m off the lowest, seen over 3 m.
        let Way::Round(point) = see(&row(&[-0.6, 0.0, 0.7, 1.4])) else { panic!("no way round") };
        // The lowest is 3.0594 m off, 11.310 degrees to the right; its flank 12.267 degrees (asin 0.65 / 3.0594) further.
        let (sin, cos) = math::sin_cos(-(11.310_f32 + 12.267).to_radians());
        assert!(point.distance(3.0594 * Vec2::new(cos, sin)) < 1e-3, "{point}");
    }

    #[test]
    fn a_gap_that_is_wide_enough_parts_a_group() {
        // 0.6 m between bodies is enough for somebody 0.5 m wide: only the one straight ahead counts.
        let Way::Round(point) = see(&row(&[0.1, 1.2, -1.0, -2.1])) else { panic!("no way round") };
        assert!(point.y.abs() < 1.0, "{point}");
    }

    /// Two in a door of 1.2 m: close before them both flanks are beside the wall, and lead nowhere.
    #[test]
    fn a_door_full_of_people_is_no_way() {
        let walls = Walls::new(vec![
            Segment { a: Vec2::new(1.0, -5.0), b: Vec2::new(1.0, -0.6) },
            Segment { a: Vec2::new(1.0, 0.6), b: Vec2::new(1.0, 5.0) },
        ]);
        let standing = [-0.28, 0.28].map(|y| Stander { at: Vec2::new(1.0, y), radius: 0.25 });
        assert_eq!(look(&walls, &standing, Vec2::ZERO, Vec2::new(3.0, 0.0), 0.25, &mut Vec::new()), Way::Blocked);
    }

    #[test]
    fn from_wall_to_wall_there_is_no_way() {
        assert_eq!(see(&row(&[-2.7, -2.0, -1.3, -0.6, 0.1, 0.8, 1.5, 2.2, 2.75])), Way::Blocked);
    }
}
