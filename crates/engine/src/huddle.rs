//! Places for people who belong together: near each other, with nothing in between.

use crate::taken::SPARE;
use crate::world::World;
use passerby_geometry::chance::Stream;
use passerby_geometry::{Vec2, math};

/// Random places tried beside the first for each of the others.
const TRIES: u32 = 30;
/// How far from the first the others stand at the most, m: for a pair, and for each more.
const REACH: f32 = 1.0;
const REACH_EACH: f32 = 0.2;

/// A random place near somebody whom one is with, that `has_room` and is not behind a wall.
pub(crate) fn beside(
    world: &World,
    mate: Vec2,
    members: usize,
    stream: &mut Stream,
    has_room: impl Fn(&Vec2) -> bool,
) -> Option<Vec2> {
    let reach = REACH + REACH_EACH * members.saturating_sub(2) as f32;
    let walls = world.map.walls();
    let place = |_| {
        // The root makes the density on the disc even.
        let (length, angle) = (reach * stream.uniform().sqrt() as f32, std::f32::consts::TAU * stream.uniform() as f32);
        let (sin, cos) = math::sin_cos(angle);
        mate + length * Vec2::new(cos, sin)
    };
    (0..TRIES).map(place).find(|at| has_room(at) && walls.visible(mate, *at))
}

/// Places for all of a group, the first at `first`; `None` if that or one of the others has no room. Draws nothing for one person.
pub(crate) fn huddle(
    world: &World,
    first: Vec2,
    radii: &[f32],
    stream: &mut Stream,
    has_room: impl Fn(Vec2, f32) -> bool,
) -> Option<Vec<Vec2>> {
    if !has_room(first, radii[0]) {
        return None;
    }
    let mut places = vec![first];
    for &radius in &radii[1..] {
        let apart = |at: &Vec2| {
            places.iter().zip(radii).all(|(other, other_radius)| other.distance(*at) >= radius + other_radius + SPARE)
        };
        let at = beside(world, first, radii.len(), stream, |at| apart(at) && has_room(*at, radius))?;
        places.push(at);
    }
    Some(places)
}

/// Reorders places that were dealt out at random so that those of each group are near each other: its first stays, and the others take
/// the nearest of those that are left.
pub(crate) fn gather(places: &mut [Vec2], company: impl Fn(u32) -> std::ops::Range<u32>) {
    let mut first = 0;
    while first < places.len() {
        let end = (company(first as u32).end as usize).min(places.len());
        for member in first + 1..end {
            let distance = |other: &usize| places[first].distance_squared(places[*other]);
            let nearest = (member..places.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
            places.swap(member, nearest.unwrap_or(member));
        }
        first = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_are_together_get_the_nearest_places() {
        let mut places = [0.0, 9.0, 5.0, 1.0, 4.0, 2.0].map(|x| Vec2::new(x, 0.0));
        gather(&mut places, |who| who / 3 * 3..who / 3 * 3 + 3);
        assert_eq!(places.map(|at| at.x), [0.0, 1.0, 2.0, 9.0, 5.0, 4.0]);
    }
}
