//! Getting out of the way of what moves and does not give way, such as a bus.
//!
//! The same for every model, after it has chosen: a velocity that would be hit within the horizon, if the mover goes on as it
//! does, is changed to the one nearest to it, of a fan of directions and speeds, that would not. Seen from the mover the
//! walker moves with the difference of the two velocities, past edges that stand; so people ahead of it step aside, people
//! beside it keep off, and one that stands is walked round.

use crate::Walker;
use passerby_geometry::sweep::disc_hits_segment;
use passerby_geometry::walls::Walls;
use passerby_geometry::{Segment, Vec2, math};

/// Something that moves and does not give way, as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct Moving {
    /// Its edges, in order round it.
    pub edges: Vec<Segment>,
    /// m/s.
    pub velocity: Vec2,
}

/// How far ahead people look, s.
pub const HORIZON: f32 = 3.0;
/// Room they leave, m.
const MARGIN: f32 = 0.15;
const DIRECTIONS: usize = 32;
/// How much keeping the present velocity counts beside keeping the chosen one: so nobody dithers before the middle of a bus.
const KEEP: f32 = 0.3;
/// How much running ahead of a mover counts against a velocity: aside is out of its way.
const ASIDE: f32 = 0.3;

/// The velocity of a walker who had `chosen` one and minds what moves.
pub fn avoid(me: &Walker, chosen: Vec2, movers: &[Moving], walls: &Walls) -> Vec2 {
    let free_for = |v: Vec2, horizon: f32| {
        movers.iter().fold(horizon, |least, mover| least.min(time_free(me, v, mover, walls, horizon)))
    };
    if free_for(chosen, HORIZON) >= HORIZON {
        return chosen;
    }
    // Who has to change looks farther: running ahead of it, or creeping up to it, only puts it off.
    let free = |v: Vec2| free_for(v, 2.0 * HORIZON);
    let ahead_of = |v: Vec2| movers.iter().map(|m| v.dot(m.velocity.normalize_or_zero()).max(0.0)).fold(0.0, f32::max);
    let change = |v: Vec2| v.distance(chosen) + KEEP * v.distance(me.velocity) + ASIDE * ahead_of(v);
    let speed = chosen.length().max(me.desired.length()).clamp(0.5 * me.speed_max, me.speed_max);
    let fan = (0..DIRECTIONS).flat_map(|i| {
        let (sin, cos) = math::sin_cos(std::f32::consts::TAU * i as f32 / DIRECTIONS as f32);
        [0.5 * speed, speed, me.speed_max].map(|speed| speed * Vec2::new(cos, sin))
    });
    let mut best = (free(Vec2::ZERO), change(Vec2::ZERO), Vec2::ZERO);
    for v in fan {
        let (time, change) = (free(v), change(v));
        // Free for longest; of those that are equally long the least change; of those the first.
        if time > best.0 || (time == best.0 && change < best.1) {
            best = (time, change, v);
        }
    }
    best.2
}

/// For how long, up to the horizon, a walker with velocity `v` is not hit by a mover, s. Who comes to a wall stops there.
fn time_free(me: &Walker, v: Vec2, mover: &Moving, walls: &Walls, horizon: f32) -> f32 {
    let walks = match walls.ray(me.position, me.position + v * horizon) {
        Some(hit) => (hit.fraction * horizon - me.radius / v.length().max(1e-3)).clamp(0.0, horizon),
        None => horizon,
    };
    let (there, after) = ((v - mover.velocity) * walks, -mover.velocity * (horizon - walks));
    let hit = |from: Vec2, motion: Vec2| {
        let room =
            |edge: &Segment| MARGIN.min((edge.closest_point(me.position).distance(me.position) - me.radius).max(0.0));
        let first = |edge: &Segment| disc_hits_segment(from, motion, me.radius + room(edge), edge);
        mover.edges.iter().filter_map(first).fold(None, |least: Option<f32>, t| Some(least.map_or(t, |l| l.min(t))))
    };
    if let Some(share) = hit(me.position, there) {
        return share * walks;
    }
    hit(me.position + there, after).map_or(horizon, |share| walks + share * (horizon - walks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_crowd::AgentId;

    /// A bus 2 m wide and 6 m long whose front is `ahead` metres west of the walker, going east.
    fn bus(ahead: f32, speed: f32) -> Moving {
        let corners = [[-6.0, -1.0], [0.0, -1.0], [0.0, 1.0], [-6.0, 1.0]].map(|c| Vec2::from(c) - Vec2::X * ahead);
        let edges = (0..4).map(|i| Segment { a: corners[i], b: corners[(i + 1) % 4] }).collect();
        Moving { edges, velocity: Vec2::X * speed }
    }

    fn walker(y: f32, velocity: Vec2) -> Walker {
        let id = AgentId::new(0, 0);
        Walker {
            id,
            position: Vec2::Y * y,
            velocity,
            radius: 0.25,
            mass: 80.0,
            desired: velocity,
            speed_max: 1.7,
            heading: 0.0,
            left: f32::INFINITY,
            ahead: f32::INFINITY,
        }
    }

    #[test]
    fn who_is_not_in_its_way_walks_on() {
        let none = Walls::new(Vec::new());
        for (y, ahead, v) in [(1.5, 2.0, Vec2::X), (0.0, 8.0, Vec2::ZERO), (0.0, 1.0, Vec2::X * 1.3)] {
            let speed = if ahead == 1.0 { 1.3 } else { 2.0 };
            assert_eq!(avoid(&walker(y, v), v, &[bus(ahead, speed)], &none), v, "{y} m beside, {ahead} m ahead");
        }
    }

    /// Standing a little left of the middle, 4 m before it: two seconds until it comes, 1.15 m to the left: to be gone in time
    /// takes 0.6 m/s at least, and to the right more.
    #[test]
    fn who_stands_before_it_steps_aside_on_the_nearer_side() {
        let none = Walls::new(Vec::new());
        let v = avoid(&walker(0.25, Vec2::ZERO), Vec2::ZERO, &[bus(4.0, 2.0)], &none);
        assert!(v.y >= 0.6 && v.length() <= 1.7, "{v}");
        // With a wall on that side, 0.75 m away, the other side is the way out.
        let wall = Walls::new(vec![Segment { a: Vec2::new(50.0, 1.0), b: Vec2::new(-50.0, 1.0) }]);
        let v = avoid(&walker(0.25, Vec2::ZERO), Vec2::ZERO, &[bus(4.0, 2.0)], &wall);
        assert!(v.y < -0.5, "{v}");
    }

    #[test]
    fn one_that_stands_is_not_walked_into() {
        let none = Walls::new(Vec::new());
        let me = walker(0.0, Vec2::NEG_X);
        let v = avoid(&me, Vec2::NEG_X, &[bus(2.0, 0.0)], &none);
        // Past its corner, 2 m ahead and 1 m aside: on, and at least 1.25 m aside by the time it is 2.25 m on.
        assert!(v.x < -0.2 && v.y.abs() >= 1.25 / 2.25 * v.x.abs(), "{v}");
    }
}
