//! One tick, as a table of contents.
//!
//! Stages read `now` and write `next`; none calls another. What passes between them is an argument, so the data flow can be
//! read off the signatures.

use crate::custom::CustomModels;
use crate::gait;
use crate::movers;
use crate::people::People;
use crate::play;
use crate::stages::{doors, fidget, ground, motion, near, routes, sides, situations, steering, together};
use crate::tally::Tally;
use crate::world::World;
use passerby_crowd::{AgentId, Graph, Index, Reorder};
use passerby_geometry::Vec2;
use passerby_geometry::lanes::Width;
use passerby_motion::mediator::Walked;
use passerby_steering::{Explanation, Led};

/// Buffers that stages hand on to each other, kept from tick to tick so that a step allocates nothing.
#[derive(Debug)]
pub struct Scratch {
    pub(crate) near: Index,
    /// Who is joined to whom, where some population asks for it.
    pub(crate) graph: Graph,
    /// The order that rows are sorted into every so often.
    pub(crate) order: Reorder,
    pub(crate) doors: doors::Buffers,
    pub(crate) doings: situations::Buffers,
    /// Desired velocity of each row.
    pub(crate) desired: Vec<Vec2>,
    /// How far each row is from where it will stand, m; infinite for those who walk on there.
    pub(crate) left: Vec<f32>,
    /// How far each row is from the point it walks to at present, m.
    pub(crate) ahead: Vec<f32>,
    /// Whom each row follows; empty where nobody does.
    pub(crate) led: Vec<Option<Led>>,
    pub(crate) routes: routes::Buffers,
    pub(crate) together: together::Buffers,
    pub(crate) sides: sides::Buffers,
    /// Rows of those who are held up by others that come the other way.
    pub(crate) held_up: Vec<u32>,
    pub(crate) steering: steering::Buffers,
    pub(crate) ground: ground::Buffers,
    /// How each body walked in this step; empty where nobody has one.
    pub(crate) walked: Vec<Walked>,
    /// Whether rows are sorted in space every so often. Changes the time, never the result.
    pub(crate) sort_rows: bool,
    pub(crate) width: Width,
    /// Whose next decision is to be explained, and the explanation.
    pub(crate) explained: (Option<AgentId>, Option<Explanation>),
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            near: Index::default(),
            graph: Graph::default(),
            order: Reorder::default(),
            doors: doors::Buffers::default(),
            doings: situations::Buffers::default(),
            desired: Vec::new(),
            left: Vec::new(),
            ahead: Vec::new(),
            led: Vec::new(),
            routes: routes::Buffers::default(),
            together: together::Buffers::default(),
            sides: sides::Buffers::default(),
            held_up: Vec::new(),
            steering: steering::Buffers::default(),
            ground: ground::Buffers::default(),
            walked: Vec::new(),
            sort_rows: true,
            width: Width::detect(),
            explained: (None, None),
        }
    }
}

/// Moves everybody on by one tick.
pub(crate) fn step(
    world: &mut World,
    people: &mut People,
    models: &mut CustomModels,
    scratch: &mut Scratch,
    tally: &mut Tally,
    tick: u32,
) {
    doors::admit_and_remove(world, people, &mut scratch.doors, tally, tick);
    near::sort_rows(world, people, scratch, tick);
    situations::move_on(world, people, &mut scratch.doings, tick);
    near::index(world, &people.agents, &mut scratch.near);
    situations::choose_goals(world, people, scratch, tally, tick);
    routes::follow(
        world,
        people,
        &mut scratch.routes,
        (&mut scratch.desired, &mut scratch.left, &mut scratch.ahead),
        tick,
    );
    situations::keep_straight(people, &mut scratch.desired);
    situations::stop_before_gates(world, people, scratch, tick);
    gait::walk_on(world, people, tick);
    // The stiffest model present divides the tick; the others keep the velocity they chose in the first part.
    let parts = parts(world, people);
    let length = world.tick;
    let dt = (length / f64::from(parts)) as f32;
    let time = |part: u32| (f64::from(tick) + f64::from(part) / f64::from(parts)) * length;
    for part in 0..parts {
        if part > 0 {
            near::index(world, &people.agents, &mut scratch.near);
        }
        near::join(world, &scratch.near, &mut scratch.graph);
        if part == 0 {
            together::keep_together(world, people, scratch, tick);
            sides::keep_to_a_side(world, people, scratch);
            fidget::try_this_and_that(world, people, scratch, tick);
            steering::explain(world, people, scratch, dt, tick);
        }
        steering::choose_velocities(world, people, scratch, dt, tick, part);
        if part == 0 {
            steering::ask_custom_models(world, people, models, scratch, tick);
        }
        movers::get_out_of_the_way(world, people, &scratch.desired, tick, time(part));
        motion::walk(world, people, &mut scratch.walked, dt, tick);
        tally.walked(&scratch.walked);
        let end = time(part + 1);
        let Scratch { near, ground, walked, .. } = &mut *scratch;
        let People { agents, plugged, .. } = &mut *people;
        ground::move_and_separate(world, (agents, plugged), near, walked, ground, tally, (dt, end));
        motion::follow(world, people, walked, dt);
        situations::face(people, dt);
        std::mem::swap(&mut people.agents.now, &mut people.agents.next);
    }
    play::come_and_go(world, people, tick + 1);
    tally.count(people, tick);
}

/// Seconds ahead to the point that somebody walks to who does not walk to the next point of their route.
const SOON: f32 = 1.0;

/// Has somebody want another velocity than the one to the point that is so far ahead. What they walk to then is near: whoever steers by points and
/// not by directions, such as `vision`, would else take no notice.
pub(crate) fn want(wants: Vec2, desired: &mut Vec2, ahead: &mut f32) {
    if *desired != wants {
        (*desired, *ahead) = (wants, ahead.min(SOON * wants.length()));
    }
}

/// Into how many parts a tick has to be divided for the models present.
fn parts(world: &World, people: &People) -> u32 {
    let step = world.tick as f32;
    if world.kinds.iter().all(|kind| kind.population.model.step_max() >= step) {
        return 1;
    }
    let mut present = [false; AgentId::POPULATIONS_MAX as usize];
    people.agents.id.iter().for_each(|id| present[id.population() as usize] = true);
    let stiffest = (world.kinds.iter().zip(present).filter(|(_, present)| *present))
        .filter(|(kind, _)| kind.played().is_none())
        .fold(step, |least, (kind, _)| least.min(kind.population.model.step_max()));
    // A hair of tolerance: 0.05 s in steps of 0.01 s are five, not six.
    (step / stiffest - 1e-4).ceil().max(1.0) as u32
}
