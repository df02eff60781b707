//! Events that fire and signals that change, at the beginning of a tick.

use crate::drop_in;
use crate::journey::{Aim, Plan};
use crate::people::People;
use crate::placement;
use crate::scenario::{Action, Whom};
use crate::tally::{Tally, What};
use crate::walk::Walk;
use crate::world::{World, targets_of};
use passerby_crowd::AgentId;
use passerby_geometry::DVec2;
use passerby_navigation::Goal;

/// Fires what is due, at the beginning of a tick; whether the map has changed.
pub(crate) fn fire(world: &mut World, people: &mut People, tally: &mut Tally, tick: u32) -> bool {
    note_signals(world, tally, tick);
    fire_due(world, people, tally, tick);
    let put = world.put_obstacles(people);
    drop_routes(people, put) | std::mem::take(&mut world.map_changed)
}

/// Does what is due, but for obstacles that are put: those come once all of a tick is done, so that it makes no difference whether this is
/// called once or after each event that is added.
pub(crate) fn fire_due(world: &mut World, people: &mut People, tally: &mut Tally, tick: u32) {
    let mut map_changed = false;
    while let Some(event) = world.events.get(world.events_done) {
        if event.at > f64::from(tick) * world.tick + 1e-9 {
            break;
        }
        let (number, action) = (world.events_done, event.action.clone());
        world.events_done += 1;
        match action {
            Action::Open(door) | Action::Close(door) => {
                world.set_door(door, matches!(action, Action::Open(_)));
                map_changed = true;
            }
            Action::Put { .. } | Action::Take { .. } => map_changed |= drop_routes(people, world.put_or_take(number)),
            Action::Add { population, count } => world.kinds[population].changed.outside += count,
            Action::Journey { whom, .. } => {
                let plan = world.plan_of_event(number);
                take_up(world, people, &whom, Some(plan), tick);
            }
            Action::Drop { population, points, .. } => {
                let near = |at: &DVec2| drop_in::near(world, people, tally, population, *at, tick);
                let came = points.iter().filter_map(near).collect();
                world.dropped[number] = came;
            }
            Action::Remove { people: ids } => {
                for id in ids.iter().map(|id| AgentId::from_bits(*id)) {
                    remove(world, people, id);
                }
            }
            Action::RemoveDropped { name } => {
                for id in world.take_dropped(&name) {
                    remove(world, people, id);
                }
            }
            Action::Resume { whom } => take_up(world, people, &whom, None, tick),
            Action::Speed { of, factor } => change_speed(world, people, of, factor),
            Action::Begin(_) | Action::End(_) | Action::Shift { .. } | Action::Change { .. } => {
                change_situation(world, &action);
            }
        }
        tally.happened(tick, What::Event(number as u32));
    }
    world.map_changed |= map_changed;
}

/// Takes somebody out of the scene; whether they were there.
pub(crate) fn remove(world: &mut World, people: &mut People, id: AgentId) -> bool {
    let row = people.row_of(id);
    row.iter().for_each(|row| world.forget(people, *row));
    row.map(|row| people.swap_remove(row)).is_some()
}

/// A situation begins, ends, moves, or changes; who is in it no longer is found out in the same tick.
fn change_situation(world: &mut World, action: &Action) {
    let Some(situations) = &mut world.situations else { return };
    match action {
        Action::Begin(situation) => situations.begin(*situation),
        Action::End(situation) => situations.end(*situation),
        Action::Shift { situation, by } => situations.shift(*situation, *by),
        Action::Change { situation, region, capacity } => {
            region.iter().for_each(|region| situations.repaint(*situation, region.clone()));
            capacity.iter().for_each(|most| situations.set_capacity(*situation, *most));
        }
        _ => {}
    }
}

/// Where the cells have changed, nobody can go on along the old ones. Gives what it was told.
fn drop_routes(people: &mut People, cells_changed: bool) -> bool {
    if cells_changed {
        people.journeys.walk.iter_mut().for_each(Walk::drop_route);
    }
    cells_changed
}

/// Notes the signals that show something else than in the tick before, and what they show at first.
fn note_signals(world: &World, tally: &mut Tally, tick: u32) {
    for (signal, number) in world.signals.iter().zip(0..) {
        let phase_at = |tick: u32| signal.phase_at(f64::from(tick) * world.tick);
        let phase = phase_at(tick);
        if tick == 0 || phase != phase_at(tick - 1) {
            tally.happened(tick, What::Signal { signal: number, phase: phase as u32 });
        }
    }
}

/// People drop their goals and take up another journey; without one, that of their kind (people by name) or the one that their kind began with.
fn take_up(world: &mut World, people: &mut People, whom: &Whom, plan: Option<u32>, tick: u32) {
    for row in 0..people.len() {
        let id = people.agents.id[row];
        if !whom.has(id) || world.kinds[id.population() as usize].played().is_some() {
            continue;
        }
        let stages = &world.plan(id).stages;
        if people.journeys.stop[row] as usize >= stages.len() && !stages.is_empty() {
            people.journeys.sent_on[row] = true;
            leave(world, people, row);
        }
        let journeys = &mut people.journeys;
        (journeys.stop[row], journeys.aim[row], journeys.until[row]) = (0, Aim::Nothing, 0);
        (journeys.plan_at[row], journeys.unable[row]) = (tick, false);
        // What a situation has kept for later is no longer where they go.
        people.plugged[row].iter_mut().for_each(|person| person.kept = None);
        match (whom, plan) {
            (Whom::People(_), Some(plan)) => world.sent.insert(id, plan),
            _ => world.sent.remove(&id),
        };
    }
    for (number, kind) in world.kinds.iter_mut().enumerate() {
        let all_of_it = match whom {
            Whom::Everybody => true,
            Whom::Population(of) => *of == number,
            Whom::People(_) => false,
        };
        if all_of_it && kind.played().is_none() {
            kind.changed.plan = plan.unwrap_or(number as u32);
        }
    }
}

/// Somebody who stood at the last stop of their journey no longer does.
fn leave(world: &mut World, people: &People, row: usize) {
    let (at, Plan { stages, .. }) = (people.agents.now.position[row], world.plan(people.agents.id[row]));
    let distance = |target: u32| match world.targets[target as usize] {
        Goal::Point(point) => point.distance(at),
        Goal::Region(_) => f32::INFINITY, // counted there, but nobody asks
    };
    let targets = stages.last().map_or(&[][..], targets_of).iter().map(|target| target.0);
    let nearest = targets.min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    if let Some(target) = nearest {
        let standing = &mut world.standing[target as usize];
        *standing = standing.saturating_sub(1);
    }
}

/// People of a kind, or all, walk at so many times the speed that was drawn for them.
fn change_speed(world: &mut World, people: &mut People, of: Option<usize>, factor: f64) {
    for (number, kind) in world.kinds.iter_mut().enumerate() {
        if of.is_none_or(|of| of == number) && kind.played().is_none() {
            kind.changed.speed = factor;
        }
    }
    for row in 0..people.len() {
        let id = people.agents.id[row];
        let kind = id.population() as usize;
        if of.is_none_or(|of| of == kind) && world.kinds[kind].played().is_none() {
            let (speed, speed_max) = placement::speeds_of(world, kind, id);
            let pace = people.plugged[row].as_deref().map_or(1.0, |person| person.pace);
            (people.agents.speed[row], people.agents.speed_max[row]) = (speed * pace, speed_max * pace.max(1.0));
        }
    }
}
