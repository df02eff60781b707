//! Everybody in a run: the crowd's columns and the journey's, kept together.

use crate::bodies::Walker;
use crate::journey::{Aim, Journeys, NewJourney};
use crate::saved::{Bytes, Saved, column};
use crate::saved_situations;
use crate::scenario::Start;
use crate::world::{CLASSES, World};
use passerby_crowd::{AgentId, Agents, Motion, NewAgent, Reorder, Row};
use passerby_geometry::Vec2;
use passerby_situations::Plugged;
use passerby_steering::Memory;
use std::collections::BTreeSet;

/// All columns of all people. Row `i` of every column is the same person.
#[derive(Debug, Clone, Default)]
pub struct People {
    /// Who they are and how they move.
    pub agents: Agents,
    /// Where they are going.
    pub journeys: Journeys,
    /// What they remember, where their model does.
    pub memories: Vec<Option<Box<Memory>>>,
    /// Their bodies, where they have more than a disc; made when they first walk.
    pub bodies: Vec<Option<Box<Walker>>>,
    /// What their situations gave them, where they are in some.
    pub plugged: Vec<Option<Box<Plugged>>>,
    /// Rows in the order of ids; empty when it has to be sorted anew.
    by_id: Vec<Row>,
}

impl People {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// Adds somebody as the last row.
    pub fn push(&mut self, agent: NewAgent, journey: NewJourney, memory: Option<Box<Memory>>) {
        let Self { agents, journeys, memories, bodies, plugged, by_id } = self;
        (agents.push(agent), journeys.push(journey), by_id.clear());
        (memories.push(memory), bodies.push(None), plugged.push(None));
    }

    /// Removes a row; the last one takes its place.
    pub fn swap_remove(&mut self, row: Row) {
        let Self { agents, journeys, memories, bodies, plugged, by_id } = self;
        (agents.swap_remove(row), journeys.swap_remove(row), memories.swap_remove(row.index()), by_id.clear());
        (bodies.swap_remove(row.index()), plugged.swap_remove(row.index()));
    }

    /// Reorders everybody.
    pub fn permute(&mut self, order: &Reorder) {
        let Self { agents, journeys, memories, bodies, plugged, by_id } = self;
        (agents.permute(order), journeys.permute(order), order.apply(memories), order.apply(bodies));
        order.apply(plugged);
        by_id.iter_mut().for_each(|row| *row = order.moved(*row));
    }

    /// The row of somebody, if still there.
    pub fn row_of(&self, id: AgentId) -> Option<Row> {
        self.agents.id.iter().position(|other| *other == id).map(|row| Row(row as u32))
    }

    /// Sorts rows by id, where that has to be done anew.
    pub fn sort_by_id(&mut self) {
        if self.by_id.len() != self.agents.len() {
            let ids = &self.agents.id;
            self.by_id.clear();
            self.by_id.extend((0..ids.len() as u32).map(Row));
            self.by_id.sort_unstable_by_key(|row| ids[row.index()]);
        }
    }

    /// Where in the order of ids those are whom somebody is with and who are there, their own row among them; after
    /// [`People::sort_by_id`].
    pub(crate) fn company(&self, world: &World, id: AgentId) -> std::ops::Range<usize> {
        let numbers = world.company(id);
        let [first, last] = [numbers.start, numbers.end - 1].map(|ordinal| AgentId::new(id.population(), ordinal));
        let ids = &self.agents.id;
        let from = self.by_id.partition_point(|row| ids[row.index()] < first);
        from..from + self.by_id[from..].partition_point(|row| ids[row.index()] <= last)
    }

    /// Rows in the order of ids, after [`People::sort_by_id`].
    pub fn by_id(&self) -> &[Row] {
        &self.by_id
    }
}

/// Checkpoints.
impl People {
    /// Appends all columns, in the order of ids: that of rows depends on when they were last sorted in space, and equal runs
    /// have equal checkpoints. `next` is written anew in every tick.
    pub(crate) fn save(&self, to: &mut Vec<u8>) {
        let mut sorted = self.clone();
        sorted.sort_by_id();
        let mut order = Reorder::default();
        order.set(sorted.by_id.iter().copied());
        sorted.permute(&order);
        let Self { agents, journeys, memories, bodies, plugged, by_id: _ } = &sorted;
        let Agents { id, radius, mass, speed, speed_max, share, pushed, wanted, gait, decide_at, now, next: _ } =
            agents;
        let Motion { position, velocity, heading } = now;
        (id.save(to), radius.save(to), mass.save(to), speed.save(to), speed_max.save(to), share.save(to));
        (
            pushed.save(to),
            wanted.save(to),
            gait.save(to),
            decide_at.save(to),
            position.save(to),
            velocity.save(to),
            heading.save(to),
        );
        (journeys.save(to), memories.save(to), bodies.save(to), plugged.save(to));
    }

    /// Reads all columns.
    pub(crate) fn load(from: &mut Bytes<'_>) -> Result<People, String> {
        let id: Vec<AgentId> = Saved::load(from)?;
        let people = id.len();
        let mut agents = Agents {
            id,
            radius: column(from, people)?,
            mass: column(from, people)?,
            speed: column(from, people)?,
            speed_max: column(from, people)?,
            share: column(from, people)?,
            pushed: column(from, people)?,
            wanted: column(from, people)?,
            gait: column(from, people)?,
            decide_at: column(from, people)?,
            now: Motion {
                position: column(from, people)?,
                velocity: column(from, people)?,
                heading: column(from, people)?,
            },
            next: Motion::default(),
        };
        agents.next = agents.now.clone();
        let journeys = Journeys::load(from, people)?;
        let (memories, bodies) = (column(from, people)?, column(from, people)?);
        let plugged = column(from, people)?;
        Ok(People { agents, journeys, memories, bodies, plugged, by_id: Vec::new() })
    }

    /// Whether all routes are of this world, which knows the cells they lead through.
    pub(crate) fn check_routes(&self, world: &World) -> Result<(), String> {
        let mut routes = self.agents.id.iter().zip(&self.journeys.walk);
        match routes.find(|(_, walk)| !walk.is_of(world.network())) {
            Some((id, _)) => Err(format!("person {id} follows a route that is none")),
            None => Ok(()),
        }
    }

    /// Whether everybody can be somebody of this world.
    pub(crate) fn check(&self, world: &World) -> Result<(), String> {
        let (agents, journeys) = (&self.agents, &self.journeys);
        let mut seen = BTreeSet::new();
        for (row, id) in agents.id.iter().enumerate() {
            let wrong = |what: &str| Err(format!("person {id} {what}"));
            let number = id.population() as usize;
            let Some(kind) = world.kinds.get(number) else { return wrong("is of no population") };
            if id.ordinal() >= kind.entered || !seen.insert(id) {
                return wrong("has never entered, or twice");
            }
            // Somebody who was recorded may have stood all the time.
            let slowest = if matches!(kind.population.start, Start::Played(_)) { 0.0 } else { f32::MIN_POSITIVE };
            let body = [agents.radius[row], agents.mass[row]];
            let speeds = [agents.speed[row], agents.speed_max[row]];
            let motion = [agents.share[row], agents.now.heading[row], agents.gait[row]];
            let finite = [agents.pushed[row], agents.wanted[row], agents.now.position[row], agents.now.velocity[row]];
            if !body.into_iter().all(|value| value > 0.0 && value < 1e4)
                || !speeds.into_iter().all(|speed| (slowest..1e4).contains(&speed))
                || !motion.into_iter().all(f32::is_finite)
                || !finite.into_iter().all(|vector| vector.is_finite() && vector.abs().max_element() < 1e7)
            {
                return wrong("has a body or a motion that nobody can have");
            }
            let sane = |v: Vec2| v.is_finite() && v.abs().max_element() < 1e7;
            let memory = self.memories[row].as_deref();
            let remembered = |memory: &Memory| {
                let seen = memory.seen.iter().all(|seen| sane(seen.velocity) && sane(seen.acceleration));
                seen && memory.turning.is_none_or(|turning| turning.rate.abs() < 1e3 && turning.facing.abs() < 1e3)
            };
            if memory.is_some() != kind.population.model.remembers() || !memory.is_none_or(remembered) {
                return wrong("remembers what nobody can have seen");
            }
            if !self.bodies[row].as_deref().is_none_or(|walker| walker.is_of(world, number)) {
                return wrong("has a body that nobody can have");
            }
            let plugged = self.plugged[row].as_deref();
            let carries = |person| saved_situations::check(person, world.situations.as_ref(), world.targets.len());
            if !plugged.is_none_or(carries) {
                return wrong("is in situations that nobody can be in");
            }
            let known = |aim: Aim| !matches!(aim, Aim::Target(target) if target.0 as usize >= world.targets.len());
            let on_the_way = journeys.stop[row] as usize <= world.plan(self.agents.id[row]).stages.len();
            if !known(journeys.aim[row]) || !on_the_way || usize::from(journeys.class[row]) >= CLASSES {
                return wrong("goes where nobody can");
            }
        }
        Ok(())
    }
}
