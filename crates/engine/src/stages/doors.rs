//! What happens at the edges of a run: events fire, waiting ends, people arrive at their stops and leave.

use crate::journey::{Aim, Comer, Stage, reached};
use crate::people::People;
use crate::tally::Tally;
use crate::world::World;
use passerby_crowd::Row;
use passerby_navigation::{Goal, Search};
use rayon::prelude::*;

/// Fires events that are due, moves people on to their next stop, and removes those who have reached the last.
pub(crate) fn admit_and_remove(world: &mut World, people: &mut People, tally: &mut Tally, tick: u32) {
    let changed = fire_events(world, tally, tick);
    if changed {
        people.journeys.plan_at.fill(tick);
    }
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
fn turn_to_next_stop(world: &mut World, people: &mut People, tally: &mut Tally, tick: u32, map_changed: bool) {
    let turns = |row: usize| {
        let kind = &world.kinds[people.agents.id[row].population() as usize];
        let stage = kind.stages.get(people.journeys.stop[row] as usize);
        match people.journeys.aim[row] {
            Aim::Nothing => stage.is_some(),
            _ => is_there(world, people, row) || (map_changed && matches!(stage, Some(Stage::Any(_)))),
        }
    };
    let mut turning: Vec<Row> =
        (0..people.len() as u32).into_par_iter().filter(|&row| turns(row as usize)).map(Row).collect();
    // Who counts as being there depends on how many stand there already: in the order of ids, whatever the rows.
    turning.sort_unstable_by_key(|row| people.agents.id[row.index()]);
    let mut search = Search::default();
    let mut leaving = Vec::new();
    for row in turning {
        let i = row.index();
        loop {
            let there = is_there(world, people, i);
            if there {
                people.journeys.stop[i] += 1;
            }
            let kind = &world.kinds[people.agents.id[i].population() as usize];
            let Some(stage) = kind.stages.get(people.journeys.stop[i] as usize) else { break };
            people.journeys.aim[i] = choose_aim(world, people, i, stage, &mut search);
            people.journeys.plan_at[i] = tick;
            if !there {
                break;
            }
        }
        let kind = &world.kinds[people.agents.id[i].population() as usize];
        if people.journeys.stop[i] as usize >= kind.stages.len() {
            tally.arrived(people, row, tick);
            if !kind.population.stay {
                leaving.push(row);
            } else if let Aim::Target(target) = std::mem::replace(&mut people.journeys.aim[i], Aim::Nothing) {
                world.standing[target.0 as usize] += 1;
            }
        }
    }
    // Removing a row moves the last one: from the back, so that the rows still to come stay where they are.
    leaving.sort_unstable_by_key(|row| std::cmp::Reverse(*row));
    leaving.into_iter().for_each(|row| people.swap_remove(row));
}

/// Whether somebody has reached what they head for.
fn is_there(world: &World, people: &People, row: usize) -> bool {
    let agents = &people.agents;
    let stages = world.kinds[agents.id[row].population() as usize].stages.len();
    let comer = Comer {
        at: agents.now.position[row],
        radius: agents.radius[row],
        held_up: agents.now.velocity[row].length() < 0.25 * agents.speed[row],
        last: people.journeys.stop[row] as usize + 1 >= stages,
    };
    match people.journeys.aim[row] {
        Aim::Nothing => false,
        Aim::Target(target) => {
            reached(&world.map, &world.targets[target.0 as usize], &comer, world.standing[target.0 as usize])
        }
        Aim::Own => reached(&world.map, &Goal::Point(people.journeys.own[row]), &comer, 0),
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
