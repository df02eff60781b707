//! Where each walker would go if alone: the next point of its way, and the desired velocity towards it.

use crate::journey::Aim;
use crate::people::People;
use crate::per_thread::PerThread;
use crate::world::World;
use passerby_geometry::Vec2;
use passerby_navigation::{Goal, Search};
use rayon::prelude::*;

/// Buffers of this stage.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    searches: PerThread<Search>,
}

/// Seconds between two looks at the way, if nothing calls for one before.
const LOOK_EVERY: f64 = 0.5;
/// A way point counts as reached within this distance, m.
const WAYPOINT_REACHED: f32 = 0.3;
const CHUNK: usize = 512;

/// Plans where it is time to, and fills `desired` with the velocity each row would choose if alone.
pub(crate) fn follow(world: &World, people: &mut People, buffers: &mut Buffers, desired: &mut Vec<Vec2>, tick: u32) {
    buffers.searches.prepare();
    desired.resize(people.len(), Vec2::ZERO);
    let look_every = (LOOK_EVERY / world.tick).ceil().max(1.0) as u32;
    let agents = &people.agents;
    let journeys = &mut people.journeys;
    let searches = &buffers.searches;
    let rows = (
        journeys.waypoint.par_chunks_mut(CHUNK),
        journeys.plan_at.par_chunks_mut(CHUNK),
        journeys.unable.par_chunks_mut(CHUNK),
        desired.par_chunks_mut(CHUNK),
    );
    let (aims, own, class, start_at) = (&journeys.aim, &journeys.own, &journeys.class, &journeys.start_at);
    rows.into_par_iter().enumerate().for_each(|(chunk, (waypoints, plan_at, unable, desired))| {
        let mut search = searches.mine();
        for i in 0..desired.len() {
            let row = chunk * CHUNK + i;
            let at = agents.now.position[row];
            if aims[row] == Aim::Nothing || start_at[row] > tick {
                desired[i] = Vec2::ZERO;
                continue;
            }
            if plan_at[i] <= tick || at.distance(waypoints[i]) < WAYPOINT_REACHED {
                let toward = match aims[row] {
                    Aim::Target(target) => world
                        .tree(target, class[row])
                        .and_then(|tree| world.map.next(tree, at, &mut search))
                        .map(|way| way.toward),
                    Aim::Own => own_way(world, at, own[row], agents.radius[row]),
                    Aim::Nothing => None,
                };
                unable[i] = toward.is_none();
                waypoints[i] = toward.unwrap_or(at);
                // The first look is at once, later ones are spread over the ticks by id so that no tick has them all.
                plan_at[i] = tick + look_every - (tick + agents.id[row].bits()) % look_every;
            }
            desired[i] = (waypoints[i] - at).normalize_or_zero() * agents.speed[row];
        }
    });
}

/// The next point on the way to a goal of one's own: straight there if nothing is in between.
fn own_way(world: &World, at: Vec2, goal: Vec2, radius: f32) -> Option<Vec2> {
    if world.map.walls().passable(at, goal, radius) {
        return Some(goal);
    }
    let path = world.map.path(at, &Goal::Point(goal), radius)?;
    path.points.get(1).copied().or(Some(goal))
}
