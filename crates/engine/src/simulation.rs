//! A running scenario.

use crate::bodies;
use crate::custom::{CustomModels, Observers};
use crate::people::People;
use crate::placement;
use crate::play;
use crate::scenario::{Problems, Scenario};
use crate::step::{Scratch, step};
use crate::tally::{Happened, Summary, Tally};
use crate::world::{World, place_problem};
use crate::{drop_in, events};
use passerby_crowd::{AgentId, Row};
use passerby_geometry::lanes::Width;
use passerby_geometry::{DVec2, Vec2};
use passerby_motion::Posture;
use passerby_record as record;
use passerby_situations::Situations;
use passerby_steering::{CustomModel, Explanation};
use rayon::prelude::*;

/// A scenario that runs: step it, look at its columns, add and remove people.
///
/// Steps run on the rayon pool they are called in; the result does not depend on how many threads that has.
#[derive(Debug)]
pub struct Simulation {
    pub(crate) world: World,
    pub(crate) people: People,
    pub(crate) scratch: Scratch,
    pub(crate) tally: Tally,
    pub(crate) tick: u32,
    last_tick: u32,
    pub(crate) scenario: Scenario,
    frame: record::OwnedFrame,
    pub(crate) models: CustomModels,
    pub(crate) observers: Observers,
}

/// Why somebody could not be added.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AddError {
    /// There is no such population.
    #[error("there is no population \"{name}\"; there are: {known}")]
    NoPopulation {
        /// What was asked for.
        name: String,
        /// Those there are.
        known: String,
    },
    /// There is no room.
    #[error("{what}; {hint}")]
    NoRoom {
        /// What is in the way.
        what: String,
        /// The nearest way out.
        hint: String,
    },
    /// The population has had as many people as ids can tell apart.
    #[error("population \"{name}\" has had {count} people, more than can be told apart")]
    TooMany {
        /// Which.
        name: String,
        /// How many.
        count: u32,
    },
}

impl Simulation {
    /// Builds the map, places everybody, and finds out what is wrong with the scenario that its text alone does not show:
    /// people in walls, more than fit, goals that cannot be reached.
    pub fn new(scenario: Scenario) -> Result<Simulation, Problems> {
        Simulation::with_models(scenario, Vec::new())
    }

    /// As [`Simulation::new`], with models of one's own: populations whose model is `Model::Custom(CustomId(i))` walk by `models[i]`.
    pub fn with_models(scenario: Scenario, models: Vec<Box<dyn CustomModel>>) -> Result<Simulation, Problems> {
        let models = CustomModels::new(models, &scenario)?;
        let mut world = World::new(&scenario).map_err(|error| Problems(vec![place_problem(&scenario, &error)]))?;
        let newcomers = placement::place_everybody(&mut world, &scenario)?;
        let (mut people, mut tally) = (People::default(), Tally::default());
        for newcomer in newcomers {
            people.push(newcomer.agent, newcomer.journey, newcomer.memory);
            tally.entered();
        }
        play::come_and_go(&mut world, &mut people, 0);
        Ok(Simulation::assemble(world, people, tally, models, 0, scenario))
    }

    /// Everything that is state, with the buffers that are none.
    pub(crate) fn assemble(
        world: World,
        people: People,
        tally: Tally,
        models: CustomModels,
        tick: u32,
        scenario: Scenario,
    ) -> Simulation {
        let last_tick = (scenario.run.until / scenario.run.tick).ceil() as u32;
        let (scratch, frame) = (Scratch::default(), record::OwnedFrame::default());
        let observers = Observers::default();
        Simulation { world, people, scratch, tally, tick, last_tick, scenario, frame, models, observers }
    }

    /// Moves everybody on by one tick.
    pub fn step(&mut self) {
        let Self { world, people, scratch, tally, models, tick, .. } = self;
        step(world, people, models, scratch, tally, *tick);
        self.tick += 1;
        self.call_observers();
    }

    /// Moves everybody on by one tick, and tells what one of them saw and why it chose what it chose; `None` if they are not there.
    /// Everything is in local coordinates: add [`Simulation::offset`] to positions. A model that is asked only now and then is
    /// asked for the explanation whether it is time or not; the run does not notice.
    pub fn step_and_explain(&mut self, id: AgentId) -> Option<Explanation> {
        self.scratch.explained = (Some(id), None);
        self.step();
        self.scratch.explained.1.take()
    }

    /// Steps until the run is finished.
    pub fn run(&mut self) {
        while !self.finished() {
            self.step();
        }
    }

    /// Whether the end is reached, or nobody is left and nobody will come.
    pub fn finished(&self) -> bool {
        self.tick >= self.last_tick || (self.people.is_empty() && self.everybody_came())
    }

    /// Whether everybody who was to come has come and reached their last stop.
    pub fn all_arrived(&self) -> bool {
        self.everybody_came() && self.tally.all_arrived()
    }

    /// Whether nobody is still to come.
    pub fn everybody_came(&self) -> bool {
        self.world.nobody_comes()
    }

    /// Ticks done so far.
    pub fn tick(&self) -> u32 {
        self.tick
    }

    /// Simulated seconds so far: ticks times their length, never added up.
    pub fn time(&self) -> f64 {
        f64::from(self.tick) * self.world.tick
    }

    /// The scenario it runs.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Map, goals and kinds of people.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// How many people have reached their last stop.
    pub fn arrived(&self) -> u64 {
        self.tally.arrivals()
    }

    /// How many people are there now.
    pub fn len(&self) -> usize {
        self.people.len()
    }

    /// Whether nobody is there now.
    pub fn is_empty(&self) -> bool {
        self.people.is_empty()
    }

    /// Who is there. Row `i` of every column is the same person; rows change from tick to tick, ids do not.
    pub fn ids(&self) -> &[AgentId] {
        &self.people.agents.id
    }

    /// Where they are, m, in local coordinates: add [`Simulation::offset`] for the place's.
    pub fn positions(&self) -> &[Vec2] {
        &self.people.agents.now.position
    }

    /// Where they would go in the last step if they were alone, m/s, row by row; empty before the first one.
    pub fn desired(&self) -> &[Vec2] {
        if self.scratch.desired.len() == self.people.len() { &self.scratch.desired } else { &[] }
    }

    /// How they move, m/s.
    pub fn velocities(&self) -> &[Vec2] {
        &self.people.agents.now.velocity
    }

    /// Where they face, rad.
    pub fn headings(&self) -> &[f32] {
        &self.people.agents.now.heading
    }

    /// Half their widths, m.
    pub fn radii(&self) -> &[f32] {
        &self.people.agents.radius
    }

    /// All columns.
    pub fn people(&self) -> &People {
        &self.people
    }

    /// What has to be added to local coordinates to get the place's.
    pub fn offset(&self) -> DVec2 {
        self.world.map.offset()
    }

    /// Adds somebody of a population at a point of the place. Their speed, radius and so on are drawn as for anybody else there.
    pub fn add(&mut self, population: &str, at: DVec2) -> Result<AgentId, AddError> {
        let Some(kind) = self.world.kinds.iter().position(|kind| kind.population.name == population) else {
            let known: Vec<_> = self.world.kinds.iter().map(|kind| format!("\"{}\"", kind.population.name)).collect();
            return Err(AddError::NoPopulation { name: population.to_owned(), known: known.join(", ") });
        };
        drop_in::at(&mut self.world, &mut self.people, &mut self.tally, kind, at, self.tick)
    }

    /// Removes somebody; whether they were there.
    pub fn remove(&mut self, id: AgentId) -> bool {
        events::remove(&mut self.world, &mut self.people, id)
    }

    /// Says what somebody with a body does while they stay where they are; whether they have one. Bodies come with the first step.
    pub fn set_posture(&mut self, id: AgentId, posture: Posture) -> bool {
        let row = self.people.row_of(id);
        let walker = row.and_then(|row| self.people.bodies[row.index()].as_deref_mut());
        walker.map(|walker| walker.posture = posture).is_some()
    }

    /// Digest of every column of every tick so far: equal for equal runs, whatever the threads.
    pub fn digest(&self) -> u64 {
        self.tally.digest()
    }

    /// What the run amounts to so far.
    pub fn summary(&self) -> Summary {
        self.tally.summary(&self.people, self.world.tick)
    }

    /// What people do somewhere, or with somebody: who is in which situation, what has come of it, which rules were stopped. `None` where the
    /// scenario has none.
    pub fn situations(&self) -> Option<&Situations> {
        self.world.situations.as_ref()
    }

    /// Why those who are unable to reach their goal are: a sentence for each goal.
    pub fn why_unable(&self) -> Vec<String> {
        crate::reasons::why_unable(&self.world, &self.people, &self.scenario)
    }

    /// Events that have fired, and signals that have changed; [`Happened::words`] tells what.
    pub fn events(&self) -> &[Happened] {
        self.tally.events()
    }

    /// Switches the sorting of rows in space on or off: changes the time, never the result.
    pub fn sort_rows(&mut self, on: bool) {
        self.scratch.sort_rows = on;
    }

    /// Turns the order of rows round, as if everybody had been created in the opposite order: changes nothing but the order.
    pub fn reverse_rows(&mut self) {
        self.scratch.order.set((0..self.people.len() as u32).rev().map(Row));
        self.people.permute(&self.scratch.order);
    }

    /// Chooses the lanes that kernels use: changes the time, never the result.
    pub fn use_lanes(&mut self, width: Width) {
        self.scratch.width = width;
    }

    /// Everybody as a frame of a recording, in the order of ids and in the place's coordinates.
    pub fn frame(&mut self) -> record::Frame<'_> {
        let mut frame = std::mem::take(&mut self.frame);
        self.fill_frame(&mut frame);
        self.frame = frame;
        self.frame.as_frame()
    }

    /// The same, into a frame of the caller's.
    pub fn fill_frame(&mut self, frame: &mut record::OwnedFrame) {
        let offset = self.offset();
        let record::OwnedFrame { tick, id, x, y, vx, vy, heading, bodies } = frame;
        let people = self.people.len();
        *tick = self.tick;
        (id.resize(people, 0), x.resize(people, 0.0), y.resize(people, 0.0));
        (vx.resize(people, 0.0), vy.resize(people, 0.0), heading.resize(people, 0.0));
        self.people.sort_by_id();
        let agents = &self.people.agents;
        let columns = (id.par_iter_mut(), x.par_iter_mut(), y.par_iter_mut(), vx.par_iter_mut(), vy.par_iter_mut());
        let rows = (columns.into_par_iter(), heading.par_iter_mut(), self.people.by_id().par_iter()).into_par_iter();
        rows.with_min_len(1024).for_each(|((id, x, y, vx, vy), heading, row)| {
            let row = row.index();
            let (position, velocity) = (agents.now.position[row].as_dvec2() + offset, agents.now.velocity[row]);
            (*id, *x, *y) = (agents.id[row].bits(), position.x, position.y);
            (*vx, *vy, *heading) = (velocity.x, velocity.y, agents.now.heading[row]);
        });
        bodies.clear();
        if self.has_bodies() {
            let row = |row: &Row| bodies::row(&self.people, row.index());
            bodies.extend(self.people.by_id().iter().map(row));
        }
    }

    /// Whether somebody has more than a disc: then recordings carry how bodies were posed.
    pub fn has_bodies(&self) -> bool {
        self.world.library.is_some()
    }

    /// Who is there, for a recording, in the order of ids.
    pub fn persons(&mut self) -> Vec<record::Person> {
        self.people.sort_by_id();
        let agents = &self.people.agents;
        (self.people.by_id().iter())
            .map(|row| {
                let i = row.index();
                let population = &self.world.kinds[agents.id[i].population() as usize].population;
                record::Person {
                    id: agents.id[i].bits(),
                    population: population.name.clone(),
                    radius: agents.radius[i],
                    mass: agents.mass[i],
                    speed: agents.speed[i],
                    model: population.moved_by().to_owned(),
                }
            })
            .collect()
    }
}
