//! What people do at their stops who are not alone: they choose alike, and wait for each other.
//!
//! Whoever turns to a stop first chooses for all of them; the others do as they did. Stops are dealt with in the order of ids, so that is
//! the same person in every run.

use crate::journey::{Aim, Stage};
use crate::people::People;
use crate::world::World;

/// Row of somebody whom they are with and who has chosen already, if their choice counts for somebody who turns to a stage.
///
/// Who turns to a stop does as whoever is on it already. Who thinks again does as the first of them does; that one chooses anew, and so
/// does whoever reaches a point of wandering, for all.
pub(crate) fn whom_to_follow(world: &World, people: &People, row: usize, stage: &Stage) -> Option<usize> {
    let journeys = &people.journeys;
    let id = people.agents.id[row];
    if matches!(stage, Stage::Target(_) | Stage::Own) || world.company(id).len() == 1 {
        return None;
    }
    let turns_to_it = journeys.aim[row] == Aim::Nothing && journeys.until[row] == 0;
    let mut others = (people.by_id()[people.company(world, id)].iter())
        .map(|other| other.index())
        .filter(|other| journeys.stop[*other] == journeys.stop[row]);
    match stage {
        _ if turns_to_it => others.find(|other| {
            let chosen = journeys.aim[*other] != Aim::Nothing || journeys.until[*other] > 0;
            *other != row && chosen
        }),
        Stage::Any(_) | Stage::Soonest(_) | Stage::Drawn { .. } => others.next().filter(|first| *first != row),
        _ => None,
    }
}

/// Does as somebody else: goes where they go, or waits as long as they do.
pub(crate) fn follow(people: &mut People, row: usize, mate: usize, stage: &Stage) {
    let journeys = &mut people.journeys;
    journeys.aim[row] = journeys.aim[mate];
    if let Stage::Wait(_) | Stage::Wander { .. } = stage {
        (journeys.until[row], journeys.own[row]) = (journeys.until[mate], journeys.own[mate]);
    }
}

/// Somebody who wanders has chosen the next point, for all whom they are with and who wander too.
pub(crate) fn wander_to(world: &World, people: &mut People, row: usize, to: passerby_geometry::Vec2, tick: u32) {
    people.journeys.own[row] = to;
    let id = people.agents.id[row];
    if world.company(id).len() == 1 {
        return;
    }
    for place in people.company(world, id) {
        let other = people.by_id()[place].index();
        let journeys = &mut people.journeys;
        if journeys.stop[other] == journeys.stop[row] && journeys.aim[other] == Aim::Own {
            (journeys.own[other], journeys.plan_at[other]) = (to, tick);
        }
    }
}

/// Whether somebody who waits at a stop has to wait for others whom they are with, because those are still on the way there. Who has no way
/// there is not waited for.
pub(crate) fn waits_for_others(world: &World, people: &People, row: usize, stage: Option<&Stage>) -> bool {
    let (journeys, id) = (&people.journeys, people.agents.id[row]);
    if !matches!(stage, Some(Stage::Wait(_) | Stage::Signal { .. })) || world.company(id).len() == 1 {
        return false;
    }
    let plan = world.plan(id);
    let (stop, stops) = (journeys.stop[row], plan.stages.len() as u32);
    let behind = |other: u32| match plan.repeat {
        // Round and round: behind is who gets here sooner than we would get there.
        true => (1..=stops / 2).contains(&((stop + stops - other % stops) % stops)),
        false => other < stop,
    };
    let mut others = people.by_id()[people.company(world, id)].iter().map(|other| other.index());
    others.any(|other| behind(journeys.stop[other]) && !journeys.unable[other])
}
