//! What only the map shows to be wrong with situations: seats in walls, lines that leave the floor, regions that are nowhere.

use crate::scenario::{Problem, Scenario, Stop};
use crate::world::World;
use passerby_geometry::{DVec2, Vec2};
use passerby_situations::{Behaviour, Extent, Line, Place, Situation, SituationId};

/// Room that somebody who sits, stands in line or is served needs around them, m.
const ROOM: f32 = 0.2;

/// Everything that is wrong.
pub(crate) fn problems(world: &World, scenario: &Scenario) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (situation, number) in scenario.doings.situations.iter().zip(0..) {
        let report = |what: String, hint: String| Problem {
            line: (situation.line > 0).then_some(situation.line),
            key: format!("situation \"{}\"", situation.name),
            ..Problem::of_file(&scenario.file, what).hint(hint)
        };
        // What moves takes its points along: they are where it is.
        if situation.moving.is_none() {
            let wrong = situation.behaviours.iter().flat_map(points_of).find(|(_, at)| !is_free(world, *at));
            if let Some((what, at)) = wrong {
                let free = world.map.nearest_free(world.local(at), ROOM).map(|free| world.place(free));
                let hint = free.map_or_else(
                    || "there is no place with room for it".to_owned(),
                    |to| format!("the nearest place with room is at [{:.2}, {:.2}]", to.x, to.y),
                );
                problems.push(report(format!("{what} at [{}, {}] is in a wall or off the floor", at.x, at.y), hint));
            }
            if matches!(situation.extent, Extent::Region(_)) && !is_on_floor(world, SituationId(number)) {
                let hint = "draw it where people can walk".to_owned();
                problems.push(report("its region is nowhere on the floor".to_owned(), hint));
            }
        }
        for (to, _) in &situation.next {
            if let Some(why) = cannot_be_gone_to(&scenario.doings.situations[to.index()]) {
                let name = scenario.situation_name(*to);
                problems.push(report(format!("\"{name}\" {why}: nobody can be sent there"), "name another".to_owned()));
            }
        }
    }
    for population in &scenario.populations {
        for stop in &population.journey {
            let Stop::Visit(id) = stop else { continue };
            if let Some(why) = cannot_be_gone_to(&scenario.doings.situations[id.index()]) {
                problems.push(Problem {
                    line: (population.journey_line > 0).then_some(population.journey_line),
                    key: format!("population \"{}\".journey", population.name),
                    ..Problem::of_file(
                        &scenario.file,
                        format!("\"{}\" {why}: it is no place to go to", scenario.situation_name(*id)),
                    )
                    .hint("name a region, a point, or a situation that stays where it is")
                });
            }
        }
    }
    problems
}

fn cannot_be_gone_to(situation: &Situation) -> Option<&'static str> {
    match (&situation.extent, &situation.moving) {
        (Extent::Relation(_), _) => Some("is a relation"),
        (_, Some(_)) => Some("moves"),
        _ => None,
    }
}

/// Where people will stand or sit, with what to call it.
fn points_of(behaviour: &Behaviour) -> Vec<(String, DVec2)> {
    match behaviour {
        Behaviour::Sit { seats, .. } => {
            seats.iter().enumerate().map(|(i, seat)| (format!("seat {}", i + 1), seat.at)).collect()
        }
        Behaviour::Queue(line) => queue_points(line),
        Behaviour::Wait { at: Some(at), .. } => vec![("the point to wait".to_owned(), *at)],
        Behaviour::Gather { at, .. } => vec![("the point to gather".to_owned(), *at)],
        Behaviour::Target(Place::Point(at)) => vec![("the point to go to".to_owned(), *at)],
        _ => Vec::new(),
    }
}

fn queue_points(line: &Line) -> Vec<(String, DVec2)> {
    let slots = line.room() - line.counters.len() as u32;
    let places = (0..slots).map(|slot| (format!("place {} of its line", slot + 1), line.slot(slot)));
    let counters = line.counters.iter().enumerate().map(|(i, at)| (format!("counter {}", i + 1), *at));
    places.chain(counters).collect()
}

fn is_free(world: &World, at: DVec2) -> bool {
    let at = world.local(at);
    world.map.contains(at) && world.map.walls().clear(at, ROOM)
}

/// Whether some of its region is on the floor: one of a lattice of points over the part of it that can be.
fn is_on_floor(world: &World, id: SituationId) -> bool {
    const LATTICE: u32 = 60;
    let Some(situations) = &world.situations else { return true };
    let Some((low, high)) = situations.bounds_of(id) else { return true };
    let (floor_low, floor_high) = world.map.bounds();
    let (low, high) = (low.max(floor_low), high.min(floor_high));
    let share = |i: u32| (i as f32 + 0.5) / LATTICE as f32;
    let mut points = (0..LATTICE).flat_map(|row| (0..LATTICE).map(move |column| Vec2::new(share(column), share(row))));
    points.any(|share| {
        let at = low + (high - low) * share;
        world.map.contains(at) && situations.contains(id, at)
    })
}
