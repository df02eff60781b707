//! The half planes that walls leave to an ORCA walker: van den Berg et al. 2011, section 5.4.
//!
//! The velocities that lead a disc into a wall within the time horizon are the wall, widened by the disc and divided by the
//! horizon, and its shadow: a stadium in front and two legs. A wall does not give way, so the walker takes all of the change,
//! and the half plane touches the obstacle where its border is nearest to the present velocity.

use crate::Walker;
use crate::orca::Plane;
use crate::program::HalfPlane;
use passerby_geometry::{Segment, Vec2};

/// Half planes of the walls in sight, nearest first. Walls that turn their back to the walker are passed over, and so are
/// those a nearer one already rules out: their shadow lies within what is forbidden.
pub(crate) fn wall_planes(me: &Walker, walls: &[Segment], horizon: f32) -> impl Iterator<Item = Plane> {
    let (at, velocity, radius) = (me.position, me.velocity, me.radius);
    walls.iter().enumerate().filter_map(move |(i, wall)| {
        let facing = wall.direction().perp_dot(at - wall.a) > 0.0;
        let joined = |end: Vec2| {
            walls
                .iter()
                .enumerate()
                .find(|(j, other)| *j != i && (other.a == end || other.b == end))
                .map(|(_, other)| *other)
        };
        facing.then(|| half_plane(at, velocity, radius, wall, horizon, joined(wall.a), joined(wall.b)))
    })
}

/// Allowed: on the side of `normal`, from `point` on.
fn plane(point: Vec2, normal: Vec2) -> Plane {
    // `cross(direction, v)` is the part of `v` along the normal.
    HalfPlane { direction: [normal.y, -normal.x], offset: normal.dot(point) }
}

/// The half plane of one wall. `before` and `after` are the walls joined to its two ends.
fn half_plane(
    at: Vec2,
    velocity: Vec2,
    radius: f32,
    wall: &Segment,
    horizon: f32,
    before: Option<Segment>,
    after: Option<Segment>,
) -> Plane {
    let nearest = wall.closest_point(at) - at;
    let distance = nearest.length();
    if distance <= radius {
        // Touching: not a step nearer.
        let away = if distance > 1e-6 { -nearest / distance } else { left(wall.direction()) };
        return plane(Vec2::ZERO, away);
    }
    // Seen from the walker the wall runs from right to left, because the floor is on its left.
    let (right, left_end) = ((wall.a - at) / horizon, (wall.b - at) / horizon);
    let reach = radius / horizon;
    let along = (left_end - right).normalize_or(Vec2::X);
    let share = (velocity - right).dot(along) / (left_end - right).dot(along).max(1e-9);
    let (leg_left, leg_right) = (tangent(left_end, reach, 1.0), tangent(right, reach, -1.0));
    let (past_left, past_right) = ((velocity - left_end).dot(leg_left), (velocity - right).dot(leg_right));

    if share < 0.0 && past_right < 0.0 {
        return round(velocity, right, reach);
    }
    if share > 1.0 && past_left < 0.0 {
        return round(velocity, left_end, reach);
    }
    let mut best = (f32::INFINITY, right + reach * left(along), left(along));
    let mut offer = |from: Vec2, line: Vec2, normal: Vec2, allowed: bool| {
        let gap = (velocity - from).perp_dot(line).abs();
        if allowed && gap < best.0 {
            best = (gap, from + reach * normal, normal);
        }
    };
    offer(right, along, left(along), (0.0..=1.0).contains(&share));
    // A leg that would lead into the wall joined at that end is no way out.
    offer(left_end, leg_left, left(leg_left), past_left >= 0.0 && !hidden(after, wall.b, leg_left));
    offer(right, leg_right, -left(leg_right), past_right >= 0.0 && !hidden(before, wall.a, leg_right));
    plane(best.1, best.2)
}

/// Whether the wall joined at `end` covers the direction `leg`: the walker would slip along the leg behind it.
fn hidden(joined: Option<Segment>, end: Vec2, leg: Vec2) -> bool {
    joined.is_some_and(|other| {
        let away = if other.a == end { other.b - other.a } else { other.a - other.b };
        // The free side of the other wall is on the left of a -> b.
        let free = left(other.direction());
        away.dot(leg) > 0.0 && free.dot(leg) <= 0.0
    })
}

/// Half plane at the end of a wall: tangent to the circle about it, on the side of the velocity.
fn round(velocity: Vec2, center: Vec2, reach: f32) -> Plane {
    let normal = (velocity - center).normalize_or(-center.normalize_or(Vec2::X));
    plane(center + reach * normal, normal)
}

/// Unit vector along the tangent from the origin to the circle about `center`, on its left (`side` 1) or right (-1).
fn tangent(center: Vec2, radius: f32, side: f32) -> Vec2 {
    let leg = (center.length_squared() - radius * radius).max(0.0).sqrt();
    let towards = Vec2::new(center.x * leg - side * center.y * radius, side * center.x * radius + center.y * leg);
    towards.normalize_or(center.normalize_or(Vec2::X))
}

fn left(v: Vec2) -> Vec2 {
    Vec2::new(-v.y, v.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_crowd::AgentId;

    fn walker(velocity: Vec2) -> Walker {
        let id = AgentId::new(0, 0);
        Walker {
            id,
            position: Vec2::ZERO,
            velocity,
            radius: 0.5,
            mass: 80.0,
            desired: velocity,
            speed_max: 2.0,
            heading: 0.0,
            left: f32::INFINITY,
            ahead: f32::INFINITY,
        }
    }

    fn allowed(planes: &[Plane], v: Vec2) -> bool {
        planes.iter().all(|plane| Vec2::from(plane.direction).perp_dot(v) >= plane.offset - 1e-5)
    }

    /// A wall 2 m ahead, disc of 0.5 m, horizon 1 s: at most 1.5 m/s towards it.
    #[test]
    fn a_long_wall_ahead_limits_the_speed_towards_it() {
        let wall = Segment { a: Vec2::new(2.0, -50.0), b: Vec2::new(2.0, 50.0) };
        let planes: Vec<_> = wall_planes(&walker(Vec2::new(1.6, 0.0)), &[wall], 1.0).collect();
        assert_eq!(planes.len(), 1);
        assert!(allowed(&planes, Vec2::new(1.499, 0.9)) && !allowed(&planes, Vec2::new(1.501, 0.0)));
    }

    #[test]
    fn a_wall_touched_forbids_only_to_approach() {
        let wall = Segment { a: Vec2::new(0.5, -1.0), b: Vec2::new(0.5, 1.0) };
        let planes: Vec<_> = wall_planes(&walker(Vec2::new(0.0, 1.0)), &[wall], 1.0).collect();
        assert!(allowed(&planes, Vec2::new(0.0, 1.3)) && allowed(&planes, Vec2::new(-0.1, 0.0)));
        assert!(!allowed(&planes, Vec2::new(0.01, 0.0)));
    }

    #[test]
    fn a_wall_seen_from_behind_is_not_there() {
        let wall = Segment { a: Vec2::new(2.0, 1.0), b: Vec2::new(2.0, -1.0) };
        assert_eq!(wall_planes(&walker(Vec2::X), &[wall], 1.0).count(), 0);
    }

    /// Velocities beside the end of a short wall: what is allowed never meets the wall within the horizon.
    #[test]
    fn allowed_velocities_near_the_present_one_do_not_meet_the_wall() {
        let wall = Segment { a: Vec2::new(1.5, -0.6), b: Vec2::new(1.2, 0.7) };
        for i in 0..60 {
            let (sin, cos) = passerby_geometry::math::sin_cos(i as f32 * 0.105);
            let velocity = 1.4 * Vec2::new(cos, sin);
            let planes: Vec<_> = wall_planes(&walker(velocity), &[wall], 1.0).collect();
            for x in -20..=20 {
                for y in -20..=20 {
                    let v = Vec2::new(x as f32, y as f32) * 0.1;
                    let end = Segment { a: Vec2::ZERO, b: v };
                    let (p, q) = end.closest_points(&wall);
                    if allowed(&planes, v) {
                        assert!(p.distance(q) > 0.5 - 1e-3, "{v} meets the wall, walking {velocity}");
                    }
                }
            }
        }
    }
}
