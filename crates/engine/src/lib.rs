//! A crowd of virtual humans, from the building to the feet.
//!
//! ```
//! use passerby::{Scenario, Simulation, scenario::NoFiles};
//!
//! let text = r#"
//!     [place]
//!     floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
//!     regions = [{ name = "exit", polygon = [[19, 0], [20, 0], [20, 10], [19, 10]] }]
//!
//!     [[population]]
//!     count = 20
//!     area = [[1, 1], [8, 1], [8, 9], [1, 9]]
//!     journey = ["exit"]
//! "#;
//! let mut simulation = Simulation::new(Scenario::parse(text, &NoFiles, "room.toml")?)?;
//! while !simulation.finished() {
//!     simulation.step();
//! }
//! assert_eq!(simulation.summary().arrived, 20);
//! # Ok::<(), passerby::scenario::Problems>(())
//! ```
//!
//! A [`Scenario`] is read from text; nothing here opens a file. A [`Simulation`] runs it tick by tick; its columns can be
//! looked at as slices at any time. The same scenario and seed give the same bytes on any number of threads:
//! [`Simulation::digest`] shows it. [`Simulation::checkpoint`] puts a run away, [`Simulation::resume`] goes on with it bit for bit.
//!
//! The crates below are re-exported: [`geometry`], [`navigation`], [`crowd`], [`steering`], [`record`].

mod arrivals;
mod checkpoint;
mod choice;
mod contact;
mod custom;
mod draw;
mod events;
mod journey;
mod movers;
mod people;
mod per_thread;
mod placement;
mod play;
mod saved;
pub mod scenario;
mod simulation;
mod stages;
mod step;
mod tally;
mod world;

pub use checkpoint::{ResumeError, seal, unseal};
pub use journey::{Aim, Journeys, NewJourney, TargetId};
pub use people::People;
pub use scenario::Scenario;
pub use simulation::{AddError, Simulation};
pub use tally::{Happened, Summary, TravelTime, What};
pub use world::{Kind, World};

pub use passerby_crowd as crowd;
pub use passerby_geometry as geometry;
pub use passerby_navigation as navigation;
pub use passerby_record as record;
pub use passerby_steering as steering;
