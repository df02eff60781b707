//! Movers among the people: where they are in a tick, who gets out of their way, and the ground's last word on it.
//!
//! Where a mover is follows from the time alone. People avoid it (see [`passerby_steering::avoid`]), the ground lets nobody walk
//! into it and pushes people out as far as their fastest step allows. Who still overlaps was caught by something faster
//! than they can run; that is counted.

use crate::people::People;
use crate::stages::ground::{slide, wall_radius};
use crate::world::World;
use passerby_crowd::Agents;
use passerby_geometry::walls::Walls;
use passerby_geometry::{DVec2, Segment, Vec2};
use passerby_steering::{HORIZON, Moving, Walker, avoid};
use rayon::prelude::*;

/// Overlap with a mover that counts, m.
const OVERLAP: f32 = 0.001;

/// A mover as it is at one moment, with a circle round it.
#[derive(Debug, Clone)]
pub(crate) struct Now {
    pub moving: Moving,
    center: Vec2,
    reach: f32,
}

/// The movers that are there at a time, s.
pub(crate) fn at(world: &World, time: f64) -> Vec<Now> {
    let mut there = Vec::new();
    for mover in &world.movers {
        let (Some(pose), Some(corners)) = (mover.pose(time), mover.outline(time)) else { continue };
        let corners: Vec<Vec2> = corners.into_iter().map(|corner| world.local(DVec2::from(corner))).collect();
        let center = world.local(DVec2::from(pose.at));
        let edges =
            (0..corners.len()).map(|i| Segment { a: corners[i], b: corners[(i + 1) % corners.len()] }).collect();
        let reach = corners.iter().fold(0.0, |most: f32, corner| most.max(corner.distance(center)));
        there.push(Now { moving: Moving { edges, velocity: DVec2::from(pose.velocity).as_vec2() }, center, reach });
    }
    there
}

/// Whether a body at `at` would touch one of the movers.
pub(crate) fn touches(movers: &[Now], at: Vec2, radius: f32) -> bool {
    movers.iter().any(|mover| way_out(mover, at, radius).is_some())
}

/// Those whose velocity would lead them into a mover, or a mover into them, take another one.
pub(crate) fn get_out_of_the_way(world: &World, people: &mut People, desired: &[Vec2], tick: u32, time: f64) {
    if world.movers.is_empty() {
        return;
    }
    let movers = at(world, time);
    let People { agents, journeys, .. } = people;
    let mut velocity = std::mem::take(&mut agents.next.velocity);
    velocity.par_iter_mut().enumerate().for_each_init(Vec::new, |near: &mut Vec<Moving>, (row, velocity)| {
        let (at, speed_max) = (agents.now.position[row], agents.speed_max[row]);
        if world.kinds[agents.id[row].population() as usize].played().is_some() {
            return;
        }
        let in_sight = |mover: &&Now| {
            let sight = agents.radius[row] + HORIZON * (speed_max + mover.moving.velocity.length());
            mover.center.distance(at) <= mover.reach + sight
        };
        if journeys.start_at[row] > tick {
            *velocity = Vec2::ZERO; // who has not begun to walk only steps aside
        }
        near.clear();
        near.extend(movers.iter().filter(in_sight).map(|mover| mover.moving.clone()));
        if near.is_empty() {
            return;
        }
        let me = Walker {
            id: agents.id[row],
            position: at,
            velocity: agents.now.velocity[row],
            radius: agents.radius[row],
            mass: agents.mass[row],
            desired: desired[row],
            speed_max,
            heading: agents.now.heading[row],
            left: f32::INFINITY,
            ahead: f32::INFINITY,
        };
        *velocity = avoid(&me, *velocity, near, world.map.walls());
    });
    agents.next.velocity = velocity;
}

/// Moves those who overlap with a mover out of it, no farther than their fastest step. How many still overlap.
pub(crate) fn keep_out(world: &World, movers: &[Now], agents: &mut Agents, dt: f32) -> u64 {
    if movers.is_empty() {
        return 0;
    }
    let mut near_walls = Vec::new();
    let mut caught = 0;
    for row in 0..agents.len() {
        let kind = &world.kinds[agents.id[row].population() as usize];
        if kind.played().is_some() {
            continue;
        }
        let (radius, from) = (agents.radius[row], agents.now.position[row]);
        let fastest = agents.speed_max[row] * dt;
        let body = wall_radius(radius, kind.population.model.soft_bodies());
        // Twice: out of one mover may be into another.
        for _ in 0..2 {
            for mover in movers {
                if let Some(to) = way_out(mover, agents.next.position[row], radius) {
                    agents.next.position[row] = reach(world.map.walls(), from, to, fastest, body, &mut near_walls);
                }
            }
        }
        let inside = |mover: &Now| way_out(mover, agents.next.position[row], radius - OVERLAP).is_some();
        caught += u64::from(movers.iter().any(inside));
    }
    caught
}

/// As far towards `to` as one step from `from` leads.
fn reach(
    walls: &Walls,
    from: Vec2,
    to: Vec2,
    fastest: f32,
    radius: f32,
    near: &mut Vec<passerby_geometry::walls::WallNear>,
) -> Vec2 {
    from + slide(walls, from, (to - from).clamp_length_max(fastest), radius, near)
}

/// Where a body that overlaps with a mover has to go to touch it only; `None` if it does not overlap.
fn way_out(mover: &Now, at: Vec2, radius: f32) -> Option<Vec2> {
    if mover.center.distance(at) > mover.reach + radius {
        return None;
    }
    let edges = &mover.moving.edges;
    // A hair more than the radius, so that rounding leaves nobody inside.
    let beside = radius + 1e-4;
    let mut nearest: Option<(f32, Vec2, &Segment)> = None;
    for edge in edges {
        let point = edge.closest_point(at);
        let distance = point.distance(at);
        if nearest.is_none_or(|(least, ..)| distance < least) {
            nearest = Some((distance, point, edge));
        }
    }
    let (distance, point, edge) = nearest?;
    let inside = contains(edges, at);
    if !inside && distance >= radius {
        return None;
    }
    let outward = if inside { point - at } else { at - point };
    // On the edge itself: either side of it, whichever is outside.
    let across = edge.direction().perp().normalize_or(Vec2::X);
    let across = if contains(edges, point + 0.01 * across) { -across } else { across };
    Some(point + beside * outward.normalize_or(across))
}

/// Whether a point is inside a ring of edges: a ray along +x leaves it an odd number of times.
fn contains(edges: &[Segment], at: Vec2) -> bool {
    let crosses = |edge: &&Segment| {
        let (a, b) = (edge.a, edge.b);
        (a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    edges.iter().filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_put_beside_the_nearest_edge() {
        let corners = [[0.0, 0.0], [6.0, 0.0], [6.0, 2.0], [0.0, 2.0]].map(Vec2::from);
        let edges = (0..4).map(|i| Segment { a: corners[i], b: corners[(i + 1) % 4] }).collect();
        let bus = Now { moving: Moving { edges, velocity: Vec2::ZERO }, center: Vec2::new(3.0, 1.0), reach: 4.0 };
        let check = |x: f32, y: f32, expected: Option<[f32; 2]>| {
            let out = way_out(&bus, Vec2::new(x, y), 0.25);
            let near = match (out, expected) {
                (Some(out), Some(expected)) => out.distance(Vec2::from(expected)) < 1e-3,
                (out, expected) => out.is_none() && expected.is_none(),
            };
            assert!(near, "[{x}, {y}]: {out:?}, expected {expected:?}");
        };
        check(3.0, 1.75, Some([3.0, 2.25])); // inside
        check(3.0, 2.1, Some([3.0, 2.25])); // partly outside
        check(3.0, 2.0, Some([3.0, 2.25])); // on the edge
        check(5.9, 1.0, Some([6.25, 1.0]));
        check(3.0, 2.26, None);
        check(6.1, 2.1, Some([6.0 + 0.25 / 2f32.sqrt(), 2.0 + 0.25 / 2f32.sqrt()])); // at a corner
        check(30.0, 1.0, None);
    }
}
