//! What a recording says besides its frames.

use crate::Mover;
use serde::{Deserialize, Serialize};

/// The version of the file format that this crate writes and reads.
pub const FORMAT: u32 = 2;

/// What is known before the first step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the file format, [`FORMAT`].
    pub format: u32,
    /// Version of the program that ran.
    pub version: String,
    /// Name of the scenario.
    pub name: String,
    /// The scenario file's text.
    pub scenario: String,
    /// Seed of all chance in the run.
    pub seed: u64,
    /// Length of a tick, s, > 0.
    pub tick: f64,
    /// A frame was recorded every so many ticks, > 0.
    pub every: u32,
    /// What the run subtracted from the place's coordinates, m. Positions in the file are the place's own.
    pub offset: [f64; 2],
    /// Where people walked.
    pub place: PlaceShape,
    /// Whether every row says how the body is posed; recordings from before there were bodies have none.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bodies: bool,
}

/// The shape of a place in its own coordinates, m.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlaceShape {
    /// Walkable areas: for each its outer ring, then its holes.
    pub areas: Vec<Vec<Vec<[f64; 2]>>>,
    /// What stands on them.
    pub obstacles: Vec<Vec<[f64; 2]>>,
    /// Lines that can be closed.
    pub doors: Vec<NamedLine>,
    /// Parts of the floor that journeys and measurements name.
    pub regions: Vec<NamedPolygon>,
    /// What moved; recordings from before there were movers have none.
    #[serde(default)]
    pub movers: Vec<Mover>,
    /// What is measured; recordings from before there were measures have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<NamedMeasure>,
}

/// A line or an area that is measured at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedMeasure {
    /// Its name in the scenario.
    pub name: String,
    /// What it is.
    pub shape: MeasureShape,
}

/// What a measure is taken at, m.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MeasureShape {
    /// People who cross it, density, speed and flow at it.
    Line([[f64; 2]; 2]),
    /// Density and speed in it.
    Area(Vec<[f64; 2]>),
    /// People who pass the ground between a line and its copy `width` metres to its left.
    Strip {
        /// The line.
        line: [[f64; 2]; 2],
        /// How far the copy is away.
        width: f64,
    },
}

/// A line with a name, such as a door.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedLine {
    /// Its name in the scenario.
    pub name: String,
    /// Its two ends, m.
    pub line: [[f64; 2]; 2],
}

/// A polygon with a name, such as an exit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NamedPolygon {
    /// Its name in the scenario.
    pub name: String,
    /// Its corners, m.
    pub polygon: Vec<[f64; 2]>,
}

/// Somebody who was there, and what stays the same about them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Person {
    /// The number that frames know them by.
    pub id: u32,
    /// Name of their population.
    pub population: String,
    /// Radius of the body, m.
    pub radius: f32,
    /// Mass, kg.
    pub mass: f32,
    /// Speed they like to walk at, m/s.
    pub speed: f32,
    /// Name of their steering model.
    pub model: String,
}

/// Something that happened during the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When, in ticks.
    pub tick: u32,
    /// What, in words: `close front`.
    pub what: String,
    /// Lines that somebody added to the scenario at this moment, in the viewer; they hold for the run from here on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adds: Option<String>,
}
