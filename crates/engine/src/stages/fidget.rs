//! Who does not get on because others come the other way tries this and that.
//!
//! Two who are held up by each other in exactly the same way would else do the same for ever. Who waits behind others that want to go
//! where they want to go keeps waiting: a crowd in front of a door that tried this and that would get out later.

use crate::journey::Aim;
use crate::people::People;
use crate::step::Scratch;
use crate::world::World;
use passerby_geometry::chance::Purpose;
use passerby_geometry::math;

/// How far somebody turns at the most, rad.
const TURN: f32 = 1.0;
/// How far ahead, from rim to rim, somebody is who may be in the way, m.
const NEAR: f32 = 0.8;

/// Turns the desired velocities of those who are held up, another way each second.
pub(crate) fn try_this_and_that(world: &World, people: &People, scratch: &mut Scratch, tick: u32) {
    let Scratch { near, desired, held_up, .. } = scratch;
    let (agents, journeys) = (&people.agents, &people.journeys);
    // Who goes to the same place is in front in a queue, not in the way.
    let goes_along = |row: usize, other: usize| {
        let aim = journeys.aim[row];
        aim == journeys.aim[other] && (aim != Aim::Own || journeys.own[row] == journeys.own[other])
    };
    // Somebody ahead goes across or the other way, or stands.
    let opposed = |row: usize| {
        let (at, radius, own) = (agents.now.position[row], agents.radius[row], desired[row]);
        near.around(at, radius + near.radius_max() + NEAR).any(|body| {
            let (other, wants) = (body.row.index(), desired[body.row.index()]);
            let to = agents.now.position[other] - at;
            let in_the_way = to.dot(own) > 0.0 && to.length() < radius + agents.radius[other] + NEAR;
            in_the_way && !goes_along(row, other) && wants.dot(own) <= 0.0
        })
    };
    // All are looked at before any is turned: the order of rows must not matter.
    held_up.clear();
    held_up.reserve(people.len());
    let wary = (0..people.len()).filter(|row| journeys.wary_until[*row] > tick);
    held_up.extend(wary.filter(|row| opposed(*row)).map(|row| row as u32));
    let second = tick / world.second();
    for row in held_up.iter().map(|row| *row as usize) {
        let chance = world.chance.stream(agents.id[row].bits(), second, Purpose::Jitter).uniform() as f32;
        let (sin, cos) = math::sin_cos(TURN * (2.0 * chance - 1.0));
        desired[row] = desired[row] * cos + desired[row].perp() * sin;
    }
}
