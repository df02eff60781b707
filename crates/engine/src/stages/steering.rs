//! What each walker sees becomes a velocity, model by model.

use crate::custom::CustomModels;
use crate::followers;
use crate::gait;
use crate::movers;
use crate::people::People;
use crate::per_thread::PerThread;
use crate::step::Scratch;
use crate::world::World;
use passerby_crowd::{AgentId, Body, Row, Slot};
use passerby_geometry::Vec2;
use passerby_steering::{Batch, Memory, Model, Moment, Moving, View, choose};
use rayon::prelude::*;

/// Walkers that one task decides for: long enough to be worth handing out, short enough to balance.
const CHUNK: usize = 256;

/// Buffers of this stage.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    tasks: Vec<Task>,
    rows: Vec<Row>,
    chosen: Vec<Vec2>,
    scratch: PerThread<passerby_steering::Scratch>,
    /// The first of the group of each row; empty where nobody belongs together.
    groups: Vec<AgentId>,
}

/// What one task decides: who are due among the walkers of some slots, and what they choose.
#[derive(Debug, Default)]
struct Task {
    slots: Vec<Slot>,
    chosen: Vec<Vec2>,
    /// What they remember, where their model does; theirs alone while they decide.
    memories: Vec<Option<Box<Memory>>>,
}

impl Task {
    /// Takes those slots who are due.
    fn take(&mut self, slots: impl Iterator<Item = Slot>) {
        // Room for all of them: later steps must not have to ask for it.
        (self.slots.clear(), self.slots.reserve(CHUNK));
        self.slots.extend(slots);
        (self.chosen.clear(), self.chosen.reserve(CHUNK));
        self.chosen.resize(self.slots.len(), Vec2::ZERO);
        self.memories.clear();
    }
}

/// Chooses the velocities of those who are due; everybody else keeps theirs. After the first part of a tick only models
/// that need steps shorter than the tick are asked.
pub(crate) fn choose_velocities(
    world: &World,
    people: &mut People,
    scratch: &mut Scratch,
    dt: f32,
    tick: u32,
    part: u32,
) {
    let Scratch {
        near, graph, desired, left, ahead, led, steering: Buffers { tasks, scratch, groups, .. }, width, ..
    } = scratch;
    scratch.prepare();
    followers::look(world, people, led);
    find_groups(world, people, groups);
    let agents = &mut people.agents;
    agents.next.velocity.copy_from_slice(&agents.now.velocity);
    let now = Moment { tick, length: world.tick as f32 };
    let movers = movers_now(world, tick);
    for (number, kind) in world.kinds.iter().enumerate() {
        let population = &kind.population;
        if world.decides_with[number] as usize != number || matches!(population.model, Model::Custom(_)) {
            continue;
        }
        if part > 0 && population.model.step_max() >= world.tick as f32 {
            continue;
        }
        let is_due = |body: &Body| {
            let row = body.row.index();
            // In later parts of a tick those who need them are due again, whenever they decided last.
            let due = people.journeys.start_at[row] <= tick && (part > 0 || agents.decide_at[row] <= tick);
            due && world.decides_with[body.id.population() as usize] as usize == number
        };
        let batch = Batch {
            index: near,
            agents,
            desired,
            walls: world.map.walls(),
            left,
            ahead,
            led,
            groups,
            movers: &movers,
            neighbours: population.neighbours,
            graph,
            dt,
            now,
            width: *width,
        };
        let find = |(chunk, task): (usize, &mut Task)| {
            let first = chunk * CHUNK;
            let bodies = near.bodies()[first..].iter().take(CHUNK).zip(first as u32..);
            task.take(bodies.filter(|(body, _)| is_due(body)).map(|(_, slot)| Slot(slot)));
        };
        let choose = |task: &mut Task| {
            let (Task { slots, chosen, memories }, mut scratch) = (task, scratch.mine());
            if population.laws.is_empty() {
                return choose(&population.model, &batch, slots, memories, chosen, &mut scratch);
            }
            for (i, slot) in slots.iter().enumerate() {
                let (model, memory) =
                    (world.model_of(near.body(*slot).id), memories.get_mut(i..=i).unwrap_or_default());
                choose(&model, &batch, &slots[i..=i], memory, &mut chosen[i..=i], &mut scratch);
            }
        };
        let decide = |(chunk, task): (usize, &mut Task)| {
            // Who remembers was found, and handed what they remember, before.
            if !population.model.remembers() {
                find((chunk, task));
            }
            choose(task);
        };
        tasks.resize_with(near.len().div_ceil(CHUNK), Task::default);
        if population.model.remembers() {
            for (chunk, task) in tasks.iter_mut().enumerate() {
                find((chunk, task));
                let rows = task.slots.iter().map(|slot| near.body(*slot).row.index());
                task.memories.extend(rows.map(|row| people.memories[row].take()));
            }
        }
        if tasks.len() == 1 {
            tasks.iter_mut().enumerate().for_each(decide);
        } else {
            tasks.par_iter_mut().enumerate().for_each(decide);
        }
        let after = |model: &Model| tick + (f64::from(model.decide_every()) / world.tick).round() as u32;
        let again = match population.model.decides_at_steps() {
            // When a foot lands.
            true => u32::MAX,
            false => after(&population.model),
        };
        // Who looks now and then may do so at intervals of their own.
        let each = !population.laws.is_empty() && population.model.decide_every() > 0.0;
        for task in tasks.iter_mut() {
            for (slot, memory) in task.slots.iter().zip(task.memories.drain(..)) {
                people.memories[near.body(*slot).row.index()] = memory;
            }
        }
        for (slot, velocity) in tasks.iter().flat_map(|task| task.slots.iter().zip(&task.chosen)) {
            let (row, id) = (near.body(*slot).row.index(), near.body(*slot).id);
            (agents.next.velocity[row], agents.wanted[row]) = (*velocity, *velocity);
            let again = if each { after(&world.model_of(id)) } else { again };
            agents.decide_at[row] = again.max(tick + 1);
        }
    }
    gait::limit_changes(world, people, (dt, part), tick);
}

/// What moves, for models that see it as it is.
fn movers_now(world: &World, tick: u32) -> Vec<Moving> {
    if world.movers.is_empty() || !world.kinds.iter().any(|kind| matches!(kind.population.model, Model::Vision(_))) {
        return Vec::new();
    }
    movers::at(world, f64::from(tick) * world.tick).into_iter().map(|now| now.moving).collect()
}

/// Who belongs together, where anybody does.
fn find_groups(world: &World, people: &People, groups: &mut Vec<AgentId>) {
    groups.clear();
    if world.anybody_is_together() {
        groups.extend(people.agents.id.iter().map(|id| AgentId::new(id.population(), world.company(*id).start)));
    }
}

/// Explains the decision that was asked for, if that person is there.
pub(crate) fn explain(world: &World, people: &mut People, scratch: &mut Scratch, dt: f32, tick: u32) {
    let Scratch { near, graph, desired, left, ahead, led, width, explained, steering: Buffers { groups, .. }, .. } =
        scratch;
    let Some(id) = explained.0.take() else { return };
    let Some(slot) = near.bodies().iter().position(|body| body.id == id) else { return };
    followers::look(world, people, led);
    find_groups(world, people, groups);
    let population = &world.kinds[id.population() as usize].population;
    let (agents, neighbours) = (&people.agents, population.neighbours);
    let (walls, width) = (world.map.walls(), *width);
    let now = Moment { tick, length: world.tick as f32 };
    let movers = &movers_now(world, tick);
    let batch = Batch {
        index: near,
        agents,
        desired,
        left,
        ahead,
        led,
        groups,
        walls,
        movers,
        neighbours,
        graph,
        dt,
        now,
        width,
    };
    let memory = people.memories[near.bodies()[slot].row.index()].as_deref();
    let mut scratch = passerby_steering::Scratch::default();
    let model = world.model_of(id);
    explained.1 = Some(passerby_steering::explain(&model, &batch, Slot(slot as u32), memory, &mut scratch));
}

/// Asks the models that users brought, each once a tick for all of its people.
pub(crate) fn ask_custom_models(
    world: &World,
    people: &mut People,
    models: &mut CustomModels,
    scratch: &mut Scratch,
    tick: u32,
) {
    let Scratch { near, desired, steering: Buffers { rows, chosen, .. }, .. } = scratch;
    for (number, kind) in world.kinds.iter().enumerate() {
        let Model::Custom(id) = kind.population.model else { continue };
        if world.decides_with[number] as usize != number || kind.played().is_some() {
            continue;
        }
        let is_theirs = |row: &usize| {
            let kind = people.agents.id[*row].population() as usize;
            world.decides_with[kind] as usize == number && people.journeys.start_at[*row] <= tick
        };
        rows.clear();
        rows.extend((0..people.len()).filter(is_theirs).map(|row| Row(row as u32)));
        rows.sort_unstable_by_key(|row| people.agents.id[row.index()]);
        chosen.clear();
        chosen.extend(rows.iter().map(|row| desired[row.index()]));
        let (agents, walls, dt) = (&people.agents, world.map.walls(), world.tick as f32);
        let model = models.get_mut(id);
        model.choose(&View { rows, agents, desired, index: near, walls, dt, tick, chance: world.chance }, chosen);
        for (row, velocity) in rows.iter().zip(&*chosen) {
            let (row, id) = (row.index(), people.agents.id[row.index()]);
            assert!(velocity.is_finite(), "model \"{}\" chose the velocity {velocity} for person {id}", model.name());
            people.agents.next.velocity[row] = velocity.clamp_length_max(people.agents.speed_max[row]);
        }
    }
}
