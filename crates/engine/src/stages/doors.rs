//! What happens at the edges of a run: events fire, people come, waiting ends, people arrive at their stops and leave.

use crate::arrivals::Coming;
use crate::choice::{Choice, choose_aim};
use crate::company;
use crate::events;
use crate::journey::{Aim, Comer, Stage, TargetId, reached};
use crate::people::People;
use crate::placement;
use crate::taken::Taken;
use crate::tally::Tally;
use crate::world::{Kind, World};
use passerby_crowd::{AgentId, Row};
use passerby_geometry::chance::{Purpose, Stream};
use passerby_geometry::{Sampler, Vec2};
use passerby_navigation::{Goal, Search};
use passerby_situations::SituationId;
use rayon::prelude::*;

/// Buffers of this stage.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    /// Whether each row turns to another stop.
    turns: Vec<bool>,
    turning: Vec<Row>,
    leaving: Vec<Row>,
    search: Search,
}

/// Rows that one task looks at.
const CHUNK: usize = 1024;

/// Fires events that are due, lets people in, moves people on to their next stop, and removes those who have reached the last.
pub(crate) fn admit_and_remove(
    world: &mut World,
    people: &mut People,
    buffers: &mut Buffers,
    tally: &mut Tally,
    tick: u32,
) {
    let changed = events::fire(world, people, tally, tick);
    if changed {
        people.journeys.plan_at.fill(tick);
    }
    admit(world, people, tally, tick);
    end_waiting(world, people, tick);
    turn_to_next_stop(world, people, buffers, tally, tick, changed);
}

/// Lets in those who are due and find a place, population by population, each in the order of coming.
fn admit(world: &mut World, people: &mut People, tally: &mut Tally, tick: u32) {
    let time = f64::from(tick) * world.tick;
    for kind in 0..world.kinds.len() {
        let is_due = |world: &World| {
            let Kind { coming, changed, groups, entered, .. } = &world.kinds[kind];
            // Who is with somebody who has come comes too, as soon as there is a place.
            let in_company = groups.as_ref().is_some_and(|groups| !groups.begins_with(*entered));
            let comes = |coming: &Coming| coming.is_due(time) || (in_company && !coming.is_over());
            changed.outside > 0 || coming.as_ref().is_some_and(comes)
        };
        if !is_due(world) {
            continue;
        }
        let mut taken = Taken::around(world, people, &world.kinds[kind].population.start);
        while is_due(world) && world.kinds[kind].entered < AgentId::ORDINALS_MAX {
            let id = AgentId::new(kind as u32, world.kinds[kind].entered);
            world.draw_company(id);
            let mate = (world.company(id).start < id.ordinal()).then(|| AgentId::new(kind as u32, id.ordinal() - 1));
            // Who came last is among the last rows.
            let mate = mate.and_then(|mate| people.agents.id.iter().rposition(|other| *other == mate));
            let mate = mate.map(|row| people.agents.now.position[row]);
            let Some(newcomer) = placement::arrival(world, kind, id, mate, &taken, tick) else { break };
            world.need(kind, std::iter::once(newcomer.journey.class));
            let Kind { entered, coming, changed, .. } = &mut world.kinds[kind];
            *entered += 1;
            // Those whom an event has added come before those who come at a rate: nobody can tell them apart.
            match changed.outside {
                0 => coming.iter_mut().for_each(Coming::entered),
                _ => changed.outside -= 1,
            }
            taken.add(newcomer.agent.position, newcomer.agent.radius);
            people.push(newcomer.agent, newcomer.journey, newcomer.memory);
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
fn turn_to_next_stop(
    world: &mut World,
    people: &mut People,
    buffers: &mut Buffers,
    tally: &mut Tally,
    tick: u32,
    map_changed: bool,
) {
    let Buffers { turns, turning, leaving, search } = buffers;
    if world.anybody_is_together() {
        people.sort_by_id();
    }
    let mut choice = Choice::at(world, tick);
    let turns_now = |row: usize| {
        let journeys = &people.journeys;
        let plan = world.plan(people.agents.id[row]);
        let stage = plan.stages.get(journeys.stop[row] as usize);
        if let Some(Stage::Visit(situation)) = stage {
            let begins = journeys.aim[row] == Aim::Nothing && journeys.start_at[row] <= tick;
            // It may have moved away from the point they went to.
            let misses = journeys.aim[row] == Aim::Own && is_there(world, people, row);
            return has_visited(world, people, row, *situation)
                || (!is_led(people, row) && (begins || (misses && !is_in(people, row, *situation))));
        }
        if is_led(people, row) {
            return false;
        }
        let over = journeys.until[row] <= tick;
        match journeys.aim[row] {
            Aim::Nothing => match stage {
                Some(Stage::Signal { .. }) => {
                    is_done(world, people, row, stage, tick) && !company::waits_for_others(world, people, row, stage)
                }
                stage => stage.is_some() && over && !company::waits_for_others(world, people, row, stage),
            },
            Aim::Target(_) => {
                is_there(world, people, row)
                    || match stage {
                        Some(Stage::Any(_) | Stage::Drawn { .. }) => map_changed,
                        Some(Stage::Soonest(_)) => {
                            map_changed || choice.is_due(world.company(people.agents.id[row]).start)
                        }
                        _ => false,
                    }
            }
            Aim::Own => {
                is_there(world, people, row)
                    || (matches!(stage, Some(Stage::Wander { .. })) && (over || journeys.unable[row]))
            }
        }
    };
    turns.resize(people.len(), false);
    turns.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, turns)| {
        for (row, turns) in (chunk * CHUNK..).zip(turns) {
            *turns = turns_now(row);
        }
    });
    turning.clear();
    turning.extend(turns.iter().zip(0..).filter(|(turns, _)| **turns).map(|(_, row)| Row(row)));
    // Who counts as being there depends on how many stand there already: in the order of ids, whatever the rows.
    turning.sort_unstable_by_key(|row| people.agents.id[row.index()]);
    choice.look(world, people, turning);
    leaving.clear();
    for &row in &*turning {
        let i = row.index();
        let plan = world.plan(people.agents.id[i]);
        let mut stream = world.chance.stream(people.agents.id[i].bits(), tick, Purpose::Choice);
        // Where they go next is theirs to choose; what leads them elsewhere keeps that, not what was before.
        people.plugged[i].iter_mut().for_each(|person| person.kept = None);
        let mut at_target = None;
        // A journey that repeats may be at all of its stops at once: once around in a tick is enough.
        for stops_done in 0..=plan.stages.len() {
            let stage = plan.stages.get(people.journeys.stop[i] as usize);
            // Who has stood here for a while was told by how it was before anybody turned: the first to go on must not hold up the rest.
            let waits = stops_done > 0 && company::waits_for_others(world, people, i, stage);
            let there = is_done(world, people, i, stage, tick) && !waits;
            if there {
                let next = people.journeys.stop[i] + 1;
                people.journeys.stop[i] = if plan.repeat { next % plan.stages.len() as u32 } else { next };
                if let Aim::Target(target) = people.journeys.aim[i] {
                    at_target = Some(target);
                }
                (people.journeys.aim[i], people.journeys.until[i]) = (Aim::Nothing, 0);
            }
            let Some(stage) = plan.stages.get(people.journeys.stop[i] as usize) else { break };
            if there || stops_done == 0 {
                begin(world, people, i, stage, tick, &choice, &mut stream, search);
            }
            if !there {
                break;
            }
        }
        if people.journeys.stop[i] as usize >= plan.stages.len() {
            tally.arrived(people, row, tick);
            if !plan.stay {
                leaving.push(row);
            } else if let Some(TargetId(target)) = at_target {
                world.standing[target as usize] += 1;
            }
        }
    }
    // Removing a row moves the last one: from the back, so that the rows still to come stay where they are.
    leaving.sort_unstable_by_key(|row| std::cmp::Reverse(*row));
    for row in &*leaving {
        world.forget(people, *row);
        people.swap_remove(*row);
    }
}

/// Whether a situation leads somebody where they would not go by themselves.
fn is_led(people: &People, row: usize) -> bool {
    people.plugged[row].as_deref().is_some_and(|person| person.kept.is_some())
}

/// Whether somebody is done with a situation, or it has nothing to offer them: it does not hold, or does not concern them.
fn has_visited(world: &World, people: &People, row: usize, situation: SituationId) -> bool {
    let person = people.plugged[row].as_deref();
    let (id, tags) = (people.agents.id[row], person.map_or(0, |person| person.tags));
    let takes = world.situations.as_ref().is_some_and(|all| all.takes(situation, id, tags));
    person.is_some_and(|person| person.is_done_with(situation)) || !takes
}

/// Whether somebody is in a situation, or stands in it and waits for room.
fn is_in(people: &People, row: usize, situation: SituationId) -> bool {
    let person = people.plugged[row].as_deref();
    person.is_some_and(|person| person.in_situation(situation).is_some() || person.waiting.contains(&situation))
}

/// Whether somebody has reached what they head for.
fn is_there(world: &World, people: &People, row: usize) -> bool {
    let agents = &people.agents;
    let plan = world.plan(agents.id[row]);
    let comer = Comer {
        at: agents.now.position[row],
        radius: agents.radius[row],
        held_up: agents.now.velocity[row].length() < 0.25 * agents.speed[row],
        last: !plan.repeat && people.journeys.stop[row] as usize + 1 >= plan.stages.len(),
    };
    match people.journeys.aim[row] {
        Aim::Nothing => false,
        Aim::Target(target) => {
            reached(&world.map, &world.targets[target.0 as usize], &comer, world.standing[target.0 as usize])
        }
        Aim::Own => reached(&world.map, &Goal::Point(people.journeys.own[row]), &comer, 0),
    }
}

/// Whether somebody is done with the stop they are at.
fn is_done(world: &World, people: &People, row: usize, stage: Option<&Stage>, tick: u32) -> bool {
    let over = (1..=tick).contains(&people.journeys.until[row]);
    match (people.journeys.aim[row], stage) {
        (_, Some(Stage::Wait(_) | Stage::Wander { .. })) => over,
        (_, Some(Stage::Visit(situation))) => has_visited(world, people, row, *situation),
        (_, Some(Stage::Signal { signal, show })) => {
            let shown = world.signals[*signal].shows(f64::from(tick) * world.tick);
            people.journeys.start_at[row] <= tick && shown == show
        }
        _ => is_there(world, people, row),
    }
}

/// Turns somebody to a stop, or to the next point of wandering.
#[allow(clippy::too_many_arguments)] // what a choice depends on
fn begin(
    world: &World,
    people: &mut People,
    row: usize,
    stage: &Stage,
    tick: u32,
    choice: &Choice,
    stream: &mut Stream,
    search: &mut Search,
) {
    let mate = company::whom_to_follow(world, people, row, stage);
    if let Some(mate) = mate {
        company::follow(people, row, mate, stage);
    }
    if let Stage::Wait(_) | Stage::Wander { .. } = stage
        && people.journeys.until[row] == 0
    {
        let seconds = match stage {
            Stage::Wait(law) | Stage::Wander { lasting: Some(law), .. } => law.draw(stream),
            _ => f64::INFINITY,
        };
        // For good: until the last tick a number can have.
        let ticks = (seconds / world.tick).ceil() as u32;
        people.journeys.until[row] = people.journeys.start_at[row].max(tick).saturating_add(ticks);
    }
    if let Stage::Visit(situation) = stage {
        // What was before does not count.
        people.plugged[row].iter_mut().for_each(|person| person.forget(*situation));
        people.journeys.own[row] = visited_point(world, people, row, *situation, stream);
    }
    if mate.is_none() {
        if let Stage::Wander { area, .. } = stage {
            let to = wander_to(world, people, row, area, stream);
            company::wander_to(world, people, row, to, tick);
        }
        people.journeys.aim[row] = choose_aim(world, people, row, stage, choice, stream, search);
    }
    people.journeys.plan_at[row] = tick;
}

/// A point of a situation with room for somebody.
fn visited_point(world: &World, people: &People, row: usize, situation: SituationId, stream: &mut Stream) -> Vec2 {
    let (at, radius) = (people.agents.now.position[row], people.agents.radius[row]);
    let has_room = |at: Vec2| world.map.contains(at) && world.map.walls().clear(at, radius);
    let found = world.situations.as_ref().and_then(|all| all.point_in(situation, &has_room, stream));
    found.unwrap_or(at)
}

/// Random points tried in a tick before somebody who wanders stands still for it.
const TRIES: u32 = 100;

/// A point of an area with room for somebody; where they are if none is found.
fn wander_to(world: &World, people: &People, row: usize, area: &Sampler, stream: &mut Stream) -> Vec2 {
    let has_room = |at: &Vec2| world.map.contains(*at) && world.map.walls().clear(*at, people.agents.radius[row]);
    let found = (0..TRIES).map(|_| world.local(area.point(stream))).find(has_room);
    found.unwrap_or(people.agents.now.position[row])
}
