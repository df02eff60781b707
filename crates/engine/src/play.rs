//! People who walk exactly as recorded: they come and go with their track, and nothing moves them off it.
//!
//! Where they are is a function of time alone. Others see them as people who do not give way; the ground takes them as they are.

use crate::journey::NewJourney;
use crate::people::People;
use crate::scenario::{Played, Start};
use crate::world::{Kind, World, class_of};
use passerby_crowd::{AgentId, Agents, NewAgent, Row};
use passerby_geometry::math;

/// Tolerance on times, s: a track that ends at 30 s is there at the tick of 30 s, whatever its last bits.
const HAIR: f64 = 1e-9;
/// Nobody is expected to come faster than this, m/s: recorded people who are lost and found again jump.
const SPEED_MAX: f64 = 10.0;
/// Mass of people of whom only the way is known, kg.
const MASS: f32 = 80.0;

impl Kind {
    /// Their tracks, if they are recorded people.
    pub(crate) fn played(&self) -> Option<&Played> {
        match &self.population.start {
            Start::Played(played) => Some(played),
            _ => None,
        }
    }
}

/// Lets recorded people in whose track has begun at `tick`, and removes those whose track has ended.
pub(crate) fn come_and_go(world: &mut World, people: &mut People, tick: u32) {
    if !world.played.contains(&true) {
        return;
    }
    let time = f64::from(tick) * world.tick;
    for row in (0..people.len()).rev() {
        let id = people.agents.id[row];
        let kind = &world.kinds[id.population() as usize];
        let gone = |played: &Played| played.start + played.tracks[id.ordinal() as usize].span().1 < time - HAIR;
        if kind.played().is_some_and(gone) {
            people.swap_remove(Row(row as u32));
        }
    }
    for kind in 0..world.kinds.len() {
        let Some(played) = world.kinds[kind].played().cloned() else { continue };
        while let Some(track) = played.tracks.get(world.kinds[kind].entered as usize) {
            let (first, last) = track.span();
            if played.start + first > time + HAIR {
                break;
            }
            let id = AgentId::new(kind as u32, world.kinds[kind].entered);
            world.kinds[kind].entered += 1;
            // Shorter than a tick and between two: nobody sees it.
            if played.start + last >= time - HAIR {
                enter(world, people, id, &played, tick, time);
            }
        }
    }
}

fn enter(world: &World, people: &mut People, id: AgentId, played: &Played, tick: u32, time: f64) {
    let track = &played.tracks[id.ordinal() as usize];
    let at = |time: f64| world.local(track.at(time - played.start));
    let (position, ahead) = (at(time), at(time + world.tick) - at(time));
    let speed = track.speed_max().min(SPEED_MAX) as f32;
    people.push(
        NewAgent {
            id,
            position,
            heading: if ahead.length_squared() > 0.0 { math::atan2(ahead.y, ahead.x) } else { 0.0 },
            radius: track.radius,
            mass: MASS,
            speed,
            speed_max: speed,
            share: 1.0,
        },
        // They never begin a journey.
        NewJourney { position, own: position, entered_at: tick, start_at: u32::MAX, class: class_of(track.radius) },
        None,
    );
    let row = people.len() - 1;
    people.agents.now.velocity[row] = ahead / world.tick as f32;
}

/// Puts recorded people where they are at a time, s; their velocity is what leads there within `dt` seconds.
pub(crate) fn follow(world: &World, agents: &mut Agents, time: f64, dt: f32) {
    for row in 0..agents.len() {
        let id = agents.id[row];
        let Some(played) = world.kinds[id.population() as usize].played() else { continue };
        let to = world.local(played.tracks[id.ordinal() as usize].at(time - played.start));
        let velocity = (to - agents.now.position[row]) / dt;
        agents.next.position[row] = to;
        agents.next.velocity[row] = velocity;
        // Who stands keeps facing where they faced.
        agents.next.heading[row] = match velocity.length_squared() > 0.0025 {
            true => math::atan2(velocity.y, velocity.x),
            false => agents.now.heading[row],
        };
    }
}
