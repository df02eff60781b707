//! The models and observers that users bring to a simulation.

use crate::saved::{Bytes, Saved};
use crate::scenario::{Problem, Problems, Scenario};
use crate::simulation::Simulation;
use passerby_steering::{CustomId, CustomModel, Model};
use std::fmt;

/// Models by their [`CustomId`].
pub(crate) struct CustomModels(Vec<Box<dyn CustomModel>>);

impl fmt::Debug for CustomModels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|model| model.name())).finish()
    }
}

impl CustomModels {
    /// The models, if a scenario asks for no others.
    pub fn new(models: Vec<Box<dyn CustomModel>>, scenario: &Scenario) -> Result<CustomModels, Problems> {
        let missing = scenario.populations.iter().find_map(|population| match population.model {
            Model::Custom(CustomId(id)) if id as usize >= models.len() => Some((&population.name, id)),
            _ => None,
        });
        match missing {
            None => Ok(CustomModels(models)),
            Some((name, id)) => {
                let given = models.len();
                let what = format!(
                    "population \"{name}\" walks by custom model {id}, but {given} were given; they count from 0"
                );
                Err(Problems(vec![Problem::of_file(&scenario.file, what)]))
            }
        }
    }

    pub fn get_mut(&mut self, CustomId(id): CustomId) -> &mut dyn CustomModel {
        &mut *self.0[id as usize]
    }

    /// Appends what each remembers.
    pub fn save(&self, to: &mut Vec<u8>) {
        self.0.iter().for_each(|model| model.save().save(to));
    }

    pub fn load(&mut self, from: &mut Bytes<'_>) -> Result<(), String> {
        self.0.iter_mut().try_for_each(|model| {
            let memory = Vec::<u8>::load(from)?;
            model.load(&memory).map_err(|error| format!("the memory of model \"{}\": {error}", model.name()))
        })
    }
}

type Observer = Box<dyn FnMut(&Simulation) + Send>;

/// Those who look at a simulation after every tick.
#[derive(Default)]
pub(crate) struct Observers(Vec<Observer>);

impl fmt::Debug for Observers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} observers", self.0.len())
    }
}

impl Simulation {
    /// Calls `observer` at the end of every step, after all that were added before it.
    pub fn on_tick(&mut self, observer: impl FnMut(&Simulation) + Send + 'static) {
        self.observers.0.push(Box::new(observer));
    }

    pub(crate) fn call_observers(&mut self) {
        let mut observers = std::mem::take(&mut self.observers);
        observers.0.iter_mut().for_each(|observer| observer(self));
        self.observers = observers;
    }
}
