//! Models that users bring.

use passerby_crowd::{Agents, Index, Row};
use passerby_geometry::Vec2;
use passerby_geometry::chance::Chance;
use passerby_geometry::walls::Walls;

/// Which of the models that were given to a simulation, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CustomId(pub u32);

/// A model of one's own: asked once a tick for all its people.
///
/// The same state and the same [`View`] have to give the same velocities, then runs repeat to the bit. What the model remembers
/// from tick to tick goes into checkpoints as bytes.
pub trait CustomModel: Send {
    /// Its name, for messages and recordings.
    fn name(&self) -> &str;

    /// Writes the velocity of `view.rows[i]` into `velocities[i]`. They come in as each person's desired velocity.
    fn choose(&mut self, view: &View<'_>, velocities: &mut [Vec2]);

    /// What it remembers. Nothing, unless it says otherwise.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes up what [`CustomModel::save`] gave; an error says what is wrong with it.
    fn load(&mut self, memory: &[u8]) -> Result<(), String> {
        if memory.is_empty() { Ok(()) } else { Err(format!("{} remembers nothing", self.name())) }
    }
}

/// What a custom model may see.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// Its people who walk, in the order of ids.
    pub rows: &'a [Row],
    /// Everybody's columns; read `now`.
    pub agents: &'a Agents,
    /// Velocity each row would choose if alone.
    pub desired: &'a [Vec2],
    /// Everybody sorted in space: who is near.
    pub index: &'a Index,
    /// The walls.
    pub walls: &'a Walls,
    /// Length of the tick, s.
    pub dt: f32,
    /// Which tick.
    pub tick: u32,
    /// Source of chance: `chance.stream(id.bits(), tick, Purpose::Choice)`.
    pub chance: Chance,
}
