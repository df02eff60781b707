//! Who prefers a side turns a little to it when somebody comes towards them, so that two streams sort by side.
//!
//! Only the desired velocity is turned, whatever the model, and not towards a wall that is close already.

use crate::people::People;
use crate::scenario::Side;
use crate::step::{Scratch, want};
use crate::world::World;
use passerby_geometry::{Vec2, math};
use rayon::prelude::*;

/// How far somebody turns at the most, rad, before somebody who is right in front.
const TURN: f32 = 0.35;
/// How far ahead, and how far to either side of the way, somebody who comes is looked for, m.
const AHEAD: f32 = 6.0;
const ASIDE: f32 = 1.2;
/// Who comes towards somebody at less than this, m/s, does not come.
const COMES: f32 = 0.3;
/// Room that is left between a body and a wall on the side, m.
const ROOM: f32 = 0.3;
const CHUNK: usize = 256;

/// Buffers of this stage.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// What each row wants after it has turned.
    turned: Vec<Vec2>,
}

/// Turns the desired velocities of those who prefer a side and whom somebody comes towards.
pub(crate) fn keep_to_a_side(world: &World, people: &People, scratch: &mut Scratch) {
    if world.kinds.iter().all(|kind| kind.population.side == Side::None) {
        return;
    }
    let Scratch { near, desired, ahead, sides: Buffers { turned }, .. } = scratch;
    let (agents, walls) = (&people.agents, world.map.walls());
    // Sine of the turn to the left that somebody's habit asks for.
    let turn = |row: usize| {
        let left = match world.kinds[agents.id[row].population() as usize].population.side {
            Side::None => return 0.0,
            Side::Left => 1.0,
            Side::Right => -1.0,
        };
        let (at, along) = (agents.now.position[row], desired[row].normalize_or_zero());
        let aside = left * along.perp();
        let reach = |to: Vec2| if (0.0..AHEAD).contains(&to.dot(along)) { 1.0 - to.dot(along) / AHEAD } else { 0.0 };
        let urgency = (near.around(at + 0.5 * AHEAD * along, 0.5 * AHEAD + ASIDE))
            .filter(|body| body.velocity.dot(along) < -COMES)
            .filter(|body| (body.position - at).dot(aside).abs() < ASIDE)
            .fold(0.0f32, |most, body| most.max(reach(body.position - at)));
        let has_room = || walls.visible(at, at + (agents.radius[row] + ROOM) * aside);
        if urgency > 0.0 && has_room() { left * TURN * urgency } else { 0.0 }
    };
    turned.resize(people.len(), Vec2::ZERO);
    turned.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, turned)| {
        for (row, turned) in (chunk * CHUNK..).zip(turned) {
            let (sin, cos) = math::sin_cos(turn(row));
            *turned = desired[row] * cos + desired[row].perp() * sin;
        }
    });
    for ((wants, desired), ahead) in turned.iter().zip(desired).zip(ahead) {
        want(*wants, desired, ahead);
    }
}
