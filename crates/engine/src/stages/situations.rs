//! What people do where they are: who enters and leaves situations, what follows for their goals, their pace and where they look.
//!
//! While a situation leads somebody elsewhere, where they were going by themselves is kept and taken up again afterwards: journeys, routes and
//! every later stage see one goal, whoever set it.

use crate::journey::{Aim, Stage, TargetId};
use crate::people::People;
use crate::placement::speeds_of;
use crate::step::Scratch;
use crate::tally::Tally;
use crate::walk::Walk;
use crate::world::World;
use passerby_crowd::{AgentId, Index, Row};
use passerby_geometry::chance::Stream;
use passerby_geometry::{Vec2, math};
use passerby_motion::Posture;
use passerby_situations::{Crowd, Intent, LawId, Moment, Plugged, SituationId, Situations};
use rayon::prelude::*;

/// Buffers of this stage.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    leaving: Vec<AgentId>,
    carried: Vec<(SituationId, Vec2)>,
    wishes: Vec<(AgentId, SituationId)>,
}

/// Timetables, paths and guides, and what events did to situations: before anybody is sorted in space, because members are carried along.
pub(crate) fn move_on(world: &mut World, people: &mut People, buffers: &mut Buffers, tick: u32) {
    world.look_at_signals(tick);
    let Some(mut situations) = world.situations.take() else { return };
    let first_of = |population: u32| {
        let there = people.agents.id.iter().zip(&people.agents.now.position);
        let first = there.filter(|(id, _)| id.population() == population).min_by_key(|(id, _)| **id);
        first.map(|(_, at)| *at)
    };
    with_moment(world, tick, |moment| situations.move_on(moment, first_of, &mut buffers.carried));
    if !buffers.carried.is_empty() {
        carry(world, &situations, people, &buffers.carried);
    }
    world.situations = Some(situations);
}

/// Members of what moves move with it, unless a wall is in between.
fn carry(world: &World, situations: &Situations, people: &mut People, carried: &[(SituationId, Vec2)]) {
    let People { agents, journeys, plugged, .. } = people;
    let walls = world.map.walls();
    for (situation, by) in carried {
        let members = &situations.state(*situation).members;
        for row in 0..agents.id.len() {
            // Who is in two trains is carried by the first.
            let first = |person: &&Plugged| {
                let mut theirs = person.memberships.iter().map(|membership| membership.situation);
                theirs.find(|theirs| carried.iter().any(|(other, _)| other == theirs)) == Some(*situation)
            };
            let is_first = plugged[row].as_deref().filter(first).is_some();
            if members.binary_search(&agents.id[row]).is_err() || !is_first {
                continue;
            }
            let (from, radius) = (agents.now.position[row], agents.radius[row]);
            if walls.passable(from, from + *by, radius) {
                agents.now.position[row] += *by;
                journeys.waypoint[row] += *by;
                if let Some(person) = plugged[row].as_deref_mut() {
                    let carried = person.memberships.iter_mut().filter(|membership| membership.situation == *situation);
                    carried.filter_map(|membership| membership.goal.as_mut()).for_each(|goal| *goal += *by);
                }
            }
        }
    }
}

/// Calls `use_it` with what a tick brings.
fn with_moment<R>(world: &World, tick: u32, use_it: impl FnOnce(&Moment<'_>) -> R) -> R {
    let law = |law: LawId, stream: &mut Stream| world.laws[law.0 as usize].draw(stream);
    let has_room = |at: Vec2, radius: f32| world.map.contains(at) && world.map.walls().clear(at, radius);
    use_it(&Moment {
        tick,
        length: world.tick,
        chance: world.chance,
        phases: &world.phases,
        law: &law,
        has_room: &has_room,
    })
}

/// Calls `use_it` with everybody as situations see them, and with what they carry.
fn with_crowd<R>(
    people: &mut People,
    near: &Index,
    use_it: impl FnOnce(&Crowd<'_>, &mut [Option<Box<Plugged>>]) -> R,
) -> R {
    people.sort_by_id();
    let by_id: Vec<Row> = people.by_id().to_vec();
    let People { agents, plugged, .. } = people;
    let crowd = Crowd {
        id: &agents.id,
        position: &agents.now.position,
        velocity: &agents.now.velocity,
        radius: &agents.radius,
        by_id: &by_id,
        near,
    };
    use_it(&crowd, plugged)
}

/// Exits, entries, sensors, rules, composition; then goals and paces. Who is done with their last situation leaves.
pub(crate) fn choose_goals(
    world: &mut World,
    people: &mut People,
    scratch: &mut Scratch,
    tally: &mut Tally,
    tick: u32,
) {
    let Some(mut situations) = world.situations.take() else { return };
    let Scratch { near, doings, .. } = scratch;
    with_moment(world, tick, |moment| {
        with_crowd(people, near, |crowd, plugged| {
            situations.settle(crowd, plugged, moment);
            let incidents = situations.decide(crowd, plugged, moment);
            situations.conclude(crowd, plugged, moment, incidents, &mut doings.leaving);
        });
    });
    for row in 0..people.len() {
        if people.plugged[row].is_some() {
            take_up(world, people, row, tick);
        }
    }
    world.situations = Some(situations);
    remove(world, people, &doings.leaving, tally, tick);
    if !doings.leaving.is_empty() {
        crate::stages::near::index(world, &people.agents, near);
    }
}

/// Those who leave the scene.
fn remove(world: &mut World, people: &mut People, leaving: &[AgentId], tally: &mut Tally, tick: u32) {
    for id in leaving {
        if let Some(row) = people.row_of(*id) {
            tally.arrived(people, row, tick);
            world.forget(people, row);
            people.swap_remove(row);
        }
    }
}

/// What somebody's intent means for where they go and how fast.
fn take_up(world: &World, people: &mut People, row: usize, tick: u32) {
    let id = people.agents.id[row];
    let Some(person) = people.plugged[row].as_deref_mut() else { return };
    let journeys = &mut people.journeys;
    // Who has come for a situation that is full stands where they are, and keeps their turn.
    let visited = match world.plan(id).stages.get(journeys.stop[row] as usize) {
        Some(Stage::Visit(situation)) => Some(*situation),
        _ => None,
    };
    let wanted = [visited, person.errand.map(|errand| errand.to)];
    let waits = person.waiting.iter().any(|situation| wanted.contains(&Some(*situation)));
    let led = match (person.intent.hold || (waits && person.intent.goal.is_none()), person.intent.goal, person.errand) {
        (true, _, _) => Some((Aim::Nothing, journeys.own[row])),
        (_, Some(goal), _) => Some((Aim::Own, goal)),
        (_, None, Some(errand)) => Some((Aim::Own, errand.at)),
        (_, None, None) => None,
    };
    let (aim, own) = match led {
        Some(led) => {
            person.kept.get_or_insert((number_of(journeys.aim[row]), journeys.own[row]));
            led
        }
        None => match person.kept.take() {
            Some((aim, own)) => (aim_of(aim), own),
            None => (journeys.aim[row], journeys.own[row]),
        },
    };
    if (aim, own) != (journeys.aim[row], journeys.own[row]) {
        (journeys.aim[row], journeys.own[row], journeys.plan_at[row]) = (aim, own, tick);
        journeys.unable[row] = false;
        Walk::drop_route(&mut journeys.walk[row]);
    }
    if person.pace != person.intent.speed {
        person.pace = person.intent.speed;
        let id = people.agents.id[row];
        let (speed, speed_max) = speeds_of(world, id.population() as usize, id);
        let pace = person.pace;
        (people.agents.speed[row], people.agents.speed_max[row]) = (speed * pace, speed_max * pace.max(1.0));
    }
    if let Some(walker) = people.bodies[row].as_deref_mut() {
        walker.posture = posture(person, people.agents.now.position[row], people.agents.now.heading[row]);
    }
    if person.is_empty() {
        people.plugged[row] = None;
    }
}

/// How somebody holds themselves: who sits turns as the seat faces before they sit down.
fn posture(person: &Plugged, at: Vec2, heading: f32) -> Posture {
    let Intent { hold, looks_at, posture, .. } = person.intent;
    let off = looks_at.map_or(0.0, |to| math::wrap_angle(math::atan2(to.y - at.y, to.x - at.x) - heading).abs());
    match posture {
        _ if !hold => Posture::Stand,
        Posture::Sit if off > 0.3 => Posture::Stand,
        posture => posture,
    }
}

/// An aim as a number, for what somebody carries.
fn number_of(aim: Aim) -> u32 {
    match aim {
        Aim::Nothing => 0,
        Aim::Own => 1,
        Aim::Target(TargetId(target)) => 2 + target,
    }
}

fn aim_of(number: u32) -> Aim {
    match number {
        0 => Aim::Nothing,
        1 => Aim::Own,
        target => Aim::Target(TargetId(target - 2)),
    }
}

/// Who is to turn as little as can be goes half way between where they face and where they want to go.
pub(crate) fn keep_straight(people: &People, desired: &mut [Vec2]) {
    for (row, person) in people.plugged.iter().enumerate() {
        if person.as_deref().is_some_and(|person| person.intent.straight) {
            let (speed, (sin, cos)) = (desired[row].length(), math::sin_cos(people.agents.now.heading[row]));
            // Who faces away has to turn after all.
            let ahead = Vec2::new(cos, sin);
            if speed > 0.0 && ahead.dot(desired[row]) > 0.0 {
                desired[row] = (desired[row] / speed + ahead).normalize_or_zero() * speed;
            }
        }
    }
}

/// How long somebody takes to stop before what is closed, s.
const STOPS_WITHIN: f32 = 0.5;
/// Those who are faster than this look no farther ahead, m.
const AHEAD_MAX: f32 = 1.2;
/// How far people stay from an exclusive place that they wait for, m: the first, how much farther each who came later, and the last.
const KEEPS_BACK: f32 = 1.2;
const KEEPS_APART: f32 = 0.5;
const KEEPS_BACK_MAX: f32 = 5.0;

/// Desired velocities end before situations that are closed; those who want into an exclusive one are let in as there is room.
pub(crate) fn stop_before_gates(world: &mut World, people: &mut People, scratch: &mut Scratch, tick: u32) {
    let Some(mut situations) = world.situations.take_if(|situations| situations.has_gates()) else { return };
    let Scratch { near, doings, desired, ahead, .. } = scratch;
    for let_in in [true, false] {
        let (agents, plugged) = (&people.agents, &people.plugged);
        let stopped = desired.par_iter_mut().enumerate().with_min_len(512).filter_map(|(row, desired)| {
            let speed = desired.length();
            if speed == 0.0 {
                return None;
            }
            let (at, radius) = (agents.now.position[row], agents.radius[row]);
            // No farther than the point they walk to: they may turn there.
            let brakes = radius + (speed * STOPS_WITHIN).min(AHEAD_MAX) + 0.1;
            let look = (brakes + KEEPS_BACK_MAX).min(ahead[row] + 0.3).max(brakes);
            let way = [at, at + *desired * (look / speed)];
            let who = (agents.id[row].population(), plugged[row].as_deref());
            let (after, situation) = situations.stopped_by(who, way, &world.phases)?;
            if !let_in {
                // Before an exclusive place people keep back, the later the farther, so that whoever comes out has a way.
                let back = if situations.situation(situation).exclusive {
                    let before = &situations.state(situation).before;
                    let turn = before.iter().position(|(_, id)| *id == agents.id[row]).unwrap_or(before.len());
                    (KEEPS_BACK + KEEPS_APART * turn as f32).min(KEEPS_BACK_MAX)
                } else {
                    0.0
                };
                let gap = (after * look - radius - back).max(0.0);
                *desired *= (gap / STOPS_WITHIN).min(speed) / speed;
            }
            situations.situation(situation).exclusive.then_some((agents.id[row], situation))
        });
        doings.wishes.clear();
        doings.wishes.par_extend(stopped);
        if !let_in {
            break;
        }
        doings.wishes.sort_unstable();
        with_moment(world, tick, |moment| {
            with_crowd(people, near, |crowd, plugged| situations.let_in(&doings.wishes, crowd, plugged, moment));
        });
    }
    world.situations = Some(situations);
}

/// Who stands turns to what they look at, no faster than people turn.
pub(crate) fn face(people: &mut People, dt: f32) {
    let People { agents, plugged, .. } = people;
    for (row, person) in plugged.iter().enumerate() {
        let looks_at = person.as_deref().and_then(|person| person.intent.looks_at);
        let stands = agents.next.velocity[row].length_squared() < 0.01;
        if let (Some(at), true) = (looks_at, stands) {
            let to = at - agents.next.position[row];
            if to.length_squared() > 0.01 {
                let angle = math::atan2(to.y, to.x);
                agents.next.heading[row] = crate::gait::turned(agents.now.heading[row], angle, dt);
            }
        }
    }
}

/// What is closed to whom while people move: the ground's side of [`stop_before_gates`].
#[derive(Clone, Copy)]
pub(crate) struct Gates<'a> {
    situations: &'a Situations,
    plugged: &'a [Option<Box<Plugged>>],
    phases: &'a [u32],
}

impl<'a> Gates<'a> {
    /// The gates of a world, if it has any.
    pub(crate) fn of(world: &'a World, plugged: &'a [Option<Box<Plugged>>]) -> Option<Gates<'a>> {
        let situations = world.situations.as_ref().filter(|situations| situations.has_gates())?;
        Some(Gates { situations, plugged, phases: &world.phases })
    }

    /// As much of the way from a point to another as somebody in a row may go.
    pub(crate) fn until(&self, id: AgentId, row: usize, from: Vec2, to: Vec2) -> Vec2 {
        let who = (id.population(), self.plugged[row].as_deref());
        match self.situations.stopped_by(who, [from, to], self.phases) {
            // A hair before it: its edge belongs to it.
            Some((after, situation)) => {
                let stops = from + (to - from) * (after - 1e-3 / from.distance(to).max(1e-3)).max(0.0);
                // Rounding may put somebody behind an edge that they all but touched.
                if self.situations.contains(situation, stops) { from } else { stops }
            }
            None => to,
        }
    }
}
