//! The model as it is in one person, where its parameters are drawn.

use crate::world::World;
use passerby_crowd::AgentId;
use passerby_geometry::chance::Purpose;
use passerby_steering::Model;

impl World {
    /// The model that moves somebody: that of their population, with the parameters that were drawn for them.
    ///
    /// Draws are functions of the seed, the person and the parameter, so they need not be kept: they are the same whenever it is asked.
    ///
    /// # Panics
    /// If the population has a law for a parameter that its model does not have; the reader makes none.
    pub fn model_of(&self, id: AgentId) -> Model {
        let population = &self.kinds[id.population() as usize].population;
        let mut model = population.model;
        for drawn in &population.laws {
            let mut stream = self.chance.stream(id.bits(), drawn.number, Purpose::Parameter);
            let taken = model.set(drawn.parameter, drawn.law.draw(&mut stream) as f32);
            let (name, parameter) = (model.name(), drawn.parameter);
            assert!(taken.is_ok(), "\"{}\" has a law for {parameter} of {name}: {taken:?}", population.name);
        }
        model
    }
}
