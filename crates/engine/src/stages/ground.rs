//! The last word: people move, keep out of walls, and where two bodies overlap they are set apart.
//!
//! Three things are promised of what comes out, whatever the models wanted: nobody crosses a wall, nobody is displaced
//! faster than they can go, and no two bodies overlap by more than a millimetre (soft bodies aside, whose model
//! has its own contact). The first two hold because every displacement, wanted or pushed, is swept along the walls and
//! cut to the fastest step; how the third is kept stands in [`crate::contact`].

use crate::contact::{self, Apart, Bodies};
use crate::gait::turned;
use crate::movers;
use crate::per_thread::PerThread;
use crate::play;
use crate::stages::situations::Gates;
use crate::tally::Tally;
use crate::world::World;
use passerby_crowd::{Agents, Index};
use passerby_geometry::Vec2;
use passerby_geometry::math;
use passerby_geometry::sweep::disc_hits_segment;
use passerby_geometry::walls::{WallNear, Walls};
use passerby_motion::mediator::Walked;
use passerby_situations::Plugged;
use rayon::prelude::*;

/// Buffers of this stage.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Where the models wanted people to be, walls respected.
    walked: Vec<Vec2>,
    apart: Apart,
    near_walls: PerThread<Vec<WallNear>>,
}

/// Share of their radius that soft bodies keep from walls.
const SOFT_CORE: f32 = 0.5;
const CHUNK: usize = 512;
/// Room for walls near one person, more than there ordinarily are: a thread may meet its first wall late in a run.
pub(crate) const WALLS_NEAR: usize = 64;

/// Moves everybody by their velocity, counts who touches, and separates those who overlap. The last argument is the length of the step
/// and the time at its end, s.
pub(crate) fn move_and_separate(
    world: &World,
    (agents, plugged): (&mut Agents, &[Option<Box<Plugged>>]),
    near: &Index,
    walked_by_feet: &[Walked],
    buffers: &mut Buffers,
    tally: &mut Tally,
    (dt, end): (f32, f64),
) {
    let Buffers { walked, apart, near_walls } = buffers;
    let gates = Gates::of(world, plugged);
    walk(world, agents, gates, walked_by_feet, near_walls, dt);
    if world.played.contains(&true) {
        play::follow(world, agents, end, dt);
    }
    walked.clear();
    walked.extend_from_slice(&agents.next.position);
    let movers = movers::at(world, end);
    movers::keep_out(world, &movers, agents, dt);
    let bodies = Bodies::new(world, agents, gates, near, dt);
    contact::measure(&bodies, agents, apart, tally);
    if world.separate {
        contact::separate(&bodies, agents, apart);
    }
    tally.caught(movers::keep_out(world, &movers, agents, dt));
    for (row, walked) in walked.iter().enumerate() {
        agents.pushed[row] = agents.next.position[row] - *walked;
    }
}

/// Everybody's own step, along walls where they meet one. The velocity becomes what was really walked; where there are bodies, they
/// say how far it goes.
fn walk(
    world: &World,
    agents: &mut Agents,
    gates: Option<Gates<'_>>,
    by_feet: &[Walked],
    near_walls: &mut PerThread<Vec<WallNear>>,
    dt: f32,
) {
    near_walls.prepare_with(|| Vec::with_capacity(WALLS_NEAR));
    let (walls, soft) = (world.map.walls(), &world.soft);
    let (id, radius, now) = (&agents.id, &agents.radius, &agents.now);
    let next = &mut agents.next;
    let rows =
        (next.position.par_chunks_mut(CHUNK), next.velocity.par_chunks_mut(CHUNK), next.heading.par_chunks_mut(CHUNK));
    rows.into_par_iter().enumerate().for_each(|(chunk, (position, velocity, heading))| {
        let mut near_walls = near_walls.mine();
        for i in 0..position.len() {
            let row = chunk * CHUNK + i;
            let from = now.position[row];
            let wanted = by_feet.get(row).map_or(velocity[i] * dt, |walked| walked.displacement);
            let radius = wall_radius(radius[row], soft[id[row].population() as usize]);
            let walked = slide(walls, from, wanted, radius, &mut near_walls);
            let walked = gates.map_or(walked, |gates| gates.until(id[row], row, from, from + walked) - from);
            position[i] = from + walked;
            if walked != wanted {
                velocity[i] = if by_feet.is_empty() { walked / dt } else { velocity[i] + (walked - wanted) / dt };
            }
            let v = velocity[i];
            // Who stands keeps facing where they faced.
            let facing = now.heading[row];
            heading[i] = if v.length_squared() > 0.0025 { turned(facing, math::atan2(v.y, v.x), dt) } else { facing };
        }
    });
}

pub(crate) fn wall_radius(radius: f32, soft: bool) -> f32 {
    if soft { SOFT_CORE * radius } else { radius }
}

/// How much of `wanted` a disc can walk: up to the first wall, then along it, three times at the most.
pub(crate) fn slide(walls: &Walls, from: Vec2, wanted: Vec2, radius: f32, near: &mut Vec<WallNear>) -> Vec2 {
    let length = wanted.length();
    if length == 0.0 || walls.clear(from, radius + length + 0.01) {
        return wanted;
    }
    walls.near(from, radius + length + 0.01, near);
    let (mut at, mut left) = (from, wanted);
    for _ in 0..3 {
        let mut first = None;
        for wall in near.iter() {
            if let Some(t) = disc_hits_segment(at, left, radius, &walls.segment(wall.id))
                && first.is_none_or(|(least, _)| t < least)
            {
                first = Some((t, wall.id));
            }
        }
        let Some((t, wall)) = first else { return at + left - from };
        // A hair before the wall, so that rounding does not put anybody behind it.
        let step = left * t;
        at += step * (1.0 - 1e-4 / step.length().max(1e-4)).max(0.0);
        left *= 1.0 - t;
        let away = (at - walls.segment(wall).closest_point(at)).normalize_or_zero();
        left -= away * left.dot(away).min(0.0);
    }
    // In a corner: what is left of the motion is given up.
    at - from
}
