//! Bodies walk what models chose.
//!
//! The mediator takes the velocity somebody is about to have and gives back where the root goes; by that the ground moves them. The velocity
//! that others see stays the one the model chose: a root sways with its feet, and who answered to that would sway the more. Discs pass
//! straight through. Recorded people go where they were recorded, and their bodies follow them.

use crate::bodies::Walker;
use crate::people::People;
use crate::scenario::BodyKind;
use crate::world::World;
use passerby_geometry::{Vec2, math};
use passerby_motion::mediator::{self, Walked, Wish};
use rayon::prelude::*;

/// How long a push is remembered, s: who is pushed all the time walks along, who was pushed once does not.
const REMEMBER: f32 = 0.3;
/// Rows that one task walks.
const CHUNK: usize = 256;

/// Moves all bodies on by a step; how each walked comes into `walked`, row by row, and stays empty where nobody has a body.
pub(crate) fn walk(world: &World, people: &mut People, walked: &mut Vec<Walked>, dt: f32, tick: u32) {
    walked.clear();
    let Some(library) = &world.library else { return };
    walked.resize(people.len(), Walked::default());
    let agents = &mut people.agents;
    let (id, now, wanted) = (&agents.id, &agents.now, &agents.wanted);
    let speed_max = &agents.speed_max;
    let plugged = &people.plugged;
    let rows =
        (people.bodies.par_chunks_mut(CHUNK), walked.par_chunks_mut(CHUNK), agents.next.velocity.par_chunks(CHUNK));
    rows.into_par_iter().enumerate().for_each(|(chunk, (bodies, walked, velocity))| {
        for i in 0..bodies.len() {
            let row = chunk * CHUNK + i;
            let kind = &world.kinds[id[row].population() as usize];
            if kind.population.body != BodyKind::Mediated {
                walked[i].displacement = velocity[i] * dt;
                continue;
            }
            let at = now.position[row];
            if bodies[i].is_none() {
                // Newcomers face where they are going.
                let first = if velocity[i] == Vec2::ZERO {
                    now.heading[row]
                } else {
                    math::atan2(velocity[i].y, velocity[i].x)
                };
                bodies[i] = Walker::new(world, id[row], at, first).map(Box::new);
            }
            let Some(Walker { body, scale, pushed, posture }) = bodies[i].as_deref_mut() else { continue };
            let recorded = kind.played().is_some();
            let wish = if recorded { now.velocity[row] } else { velocity[i] };
            let cruise = if recorded || wish == Vec2::ZERO { wish.length() } else { wanted[row].length() };
            let aside = if recorded { Vec2::ZERO } else { *pushed };
            let intent = plugged[row].as_deref().map(|person| person.intent).filter(|intent| intent.hold);
            let looks = intent.and_then(|intent| intent.looks_at).map(|to| to - at);
            let facing = looks.filter(|to| to.length_squared() > 0.01).map(|to| math::atan2(to.y, to.x));
            let wish = Wish { velocity: wish, cruise, facing, pushed: aside, posture: *posture };
            walked[i] = mediator::step(library, *scale, body, at, &wish, dt);
            if !recorded {
                walked[i].displacement = walked[i].displacement.clamp_length_max(speed_max[row] * dt);
            }
        }
    });
    // Models that are asked when a foot lands are asked when this one does.
    for (row, walked) in walked.iter().enumerate() {
        let model = &world.kinds[agents.id[row].population() as usize].population.model;
        if walked.landed && model.decides_at_steps() {
            agents.decide_at[row] = agents.decide_at[row].min(tick + 1);
        }
    }
}

/// After the ground has spoken: roots stay near their agents, and what pushed them is remembered.
pub(crate) fn follow(world: &World, people: &mut People, walked: &[Walked], dt: f32) {
    let Some(library) = &world.library else { return };
    let agents = &people.agents;
    let (before, after, speed_max) = (&agents.now.position, &agents.next.position, &agents.speed_max);
    people.bodies.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, bodies)| {
        for (row, walker) in (chunk * CHUNK..).zip(bodies) {
            let Some(Walker { body, pushed, .. }) = walker.as_deref_mut() else { continue };
            mediator::pull(library, body, after[row]);
            let push = (after[row] - before[row] - walked[row].displacement) / dt;
            *pushed = (*pushed + (push - *pushed) * (dt / REMEMBER).min(1.0)).clamp_length_max(speed_max[row]);
        }
    });
}
