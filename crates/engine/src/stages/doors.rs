//! What happens at the edges of a run: events fire, people come, waiting ends, people arrive at their stops and leave.

use crate::arrivals::Coming;
use crate::journey::{Aim, Stage, reached};
use crate::people::People;
use crate::placement::{self, Taken};
use crate::scenario::Start;
use crate::tally::Tally;
use crate::world::{Kind, World};
use passerby_crowd::{AgentId, Row};
use passerby_navigation::{Goal, Search};
use rayon::prelude::*;

/// Fires events that are due, lets people in, moves people on to their next stop, and removes those who have reached the last.
pub(crate) fn admit_and_remove(world: &mut World, people: &mut People, tally: &mut Tally, tick: u32) {
    let changed = fire_events(world, tally, tick);
    if changed {
        people.journeys.plan_at.fill(tick);
    }
    admit(world, people, tally, tick);
    end_waiting(world, people, tick);
    turn_to_next_stop(world, people, tally, tick, changed);
}

/// Whether the map has changed.
fn fire_events(world: &mut World, tally: &mut Tally, tick: u32) -> bool {
    let first = world.events_done;
    while let Some(event) = world.events.get(world.events_done).copied() {
        if event.at > f64::from(tick) * world.tick + 1e-9 {
            break;
        }
        world.events_done += 1;
        world.act(event.action);
        tally.happened(tick, event.action);
    }
    world.events_done > first
}

/// Lets in those who are due and find a place, population by population, each in the order of coming.
fn admit(world: &mut World, people: &mut People, tally: &mut Tally, tick: u32) {
    let time = f64::from(tick) * world.tick;
    for kind in 0..world.kinds.len() {
        let is_due = |world: &World| world.kinds[kind].coming.as_ref().is_some_and(|coming| coming.is_due(time));
        let Start::Area { polygon, .. } = &world.kinds[kind].population.start else { continue };
        if !is_due(world) {
            continue;
        }
        let mut taken = Taken::around(world, people, polygon);
        while is_due(world) && world.kinds[kind].entered < AgentId::ORDINALS_MAX {
            let id = AgentId::new(kind as u32, world.kinds[kind].entered);
            let Some(newcomer) = placement::arrival(world, kind, id, &taken, tick) else { break };
            world.need(kind, newcomer.journey.class);
            let Kind { entered, coming, .. } = &mut world.kinds[kind];
            *entered += 1;
            coming.iter_mut().for_each(Coming::entered);
            taken.add(newcomer.agent.position, newcomer.agent.radius);
            people.push(newcomer.agent, newcomer.journey);
            tally.entered();
        }
    }
}

/// Those who wait do not give way; from their first step on they do, if their model does.
fn end_waiting(world: &World, people: &mut People, tick: u32) {
    for row in 0..people.len() {
        if people.journeys.start_at[row] == tick {
            let model = world.kinds[people.agents.id[row].population() as usize].population.model;
            people.agents.share[row] = if model.gives_way() { 0.5 } else { 1.0 };
        }
    }
}

/// Those who are at their stop turn to the next one; who has none left is removed, or stands if its population stays.
fn turn_to_next_stop(world: &World, people: &mut People, tally: &mut Tally, tick: u32, map_changed: bool) {
    let (agents, journeys) = (&people.agents, &people.journeys);
    let mut turning: Vec<Row> = (0..people.len() as u32)
        .into_par_iter()
        .filter(|&row| {
            let row = row as usize;
            let (at, radius) = (agents.now.position[row], agents.radius[row]);
            let kind = &world.kinds[agents.id[row].population() as usize];
            let stage = kind.stages.get(journeys.stop[row] as usize);
            match journeys.aim[row] {
                Aim::Nothing => stage.is_some(),
                Aim::Target(target) => {
                    reached(&world.map, &world.targets[target.0 as usize], at, radius)
                        || (map_changed && matches!(stage, Some(Stage::Any(_))))
                }
                Aim::Own => reached(&world.map, &Goal::Point(journeys.own[row]), at, radius),
            }
        })
        .map(Row)
        .collect();
    // Removing a row moves the last one: from the back, so that the rows still to come stay where they are.
    turning.sort_unstable_by_key(|row| std::cmp::Reverse(*row));
    let mut search = Search::default();
    for row in turning {
        let i = row.index();
        let kind = &world.kinds[people.agents.id[i].population() as usize];
        let (at, radius) = (people.agents.now.position[i], people.agents.radius[i]);
        loop {
            let there = match people.journeys.aim[i] {
                Aim::Nothing => false,
                Aim::Target(target) => reached(&world.map, &world.targets[target.0 as usize], at, radius),
                Aim::Own => reached(&world.map, &Goal::Point(people.journeys.own[i]), at, radius),
            };
            if there {
                people.journeys.stop[i] += 1;
            }
            let Some(stage) = kind.stages.get(people.journeys.stop[i] as usize) else { break };
            people.journeys.aim[i] = choose_aim(world, people, i, stage, &mut search);
            people.journeys.plan_at[i] = tick;
            if !there {
                break;
            }
        }
        if people.journeys.stop[i] as usize >= kind.stages.len() {
            if kind.population.stay {
                if people.journeys.aim[i] != Aim::Nothing {
                    tally.arrived(people, row, tick);
                }
                people.journeys.aim[i] = Aim::Nothing;
            } else {
                tally.arrived(people, row, tick);
                people.swap_remove(row);
            }
        }
    }
}

/// The goal of a stage: with several, the nearest by walking distance, ties by their order.
fn choose_aim(world: &World, people: &People, row: usize, stage: &Stage, search: &mut Search) -> Aim {
    match stage {
        Stage::Target(target) => Aim::Target(*target),
        Stage::Own => Aim::Own,
        Stage::Any(targets) => {
            let (at, class) = (people.agents.now.position[row], people.journeys.class[row]);
            let mut best = (f32::INFINITY, targets.first().copied());
            for target in targets {
                let way = world.tree(*target, class).and_then(|tree| world.map.next(tree, at, search));
                if let Some(way) = way.filter(|way| way.distance < best.0) {
                    best = (way.distance, Some(*target));
                }
            }
            best.1.map_or(Aim::Nothing, Aim::Target)
        }
    }
}
