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
//! # In five minutes
//!
//! **A scenario is text.** [`Scenario::parse`] reads it and tells everything that is wrong with it at once ([`scenario::Problems`]):
//! line, key, value, what is allowed, the nearest fix. Nothing here opens a file; what a scenario names comes through
//! [`scenario::Files`]. A scenario is also a plain struct: change its seed, its models, its people before it runs.
//!
//! **A simulation is stepped.** [`Simulation::new`] builds the map and places everybody, [`Simulation::step`] moves everybody on by one
//! tick, [`Simulation::run`] goes to the end. Steps use the rayon pool they are called in; the same scenario and seed give the same
//! bytes on any number of threads, and [`Simulation::digest`] shows it.
//!
//! **People are columns.** Row `i` of [`Simulation::ids`], [`Simulation::positions`], [`Simulation::velocities`] is the same person;
//! rows change from tick to tick, ids do not. [`Simulation::add`] and [`Simulation::remove`] change who is there.
//!
//! ```
//! # use passerby::{Scenario, Simulation, scenario::NoFiles};
//! # let text = "[place]\nfloor = [[0, 0], [20, 0], [20, 10], [0, 10]]\n[[population]]\nname = \"visitors\"\ncount = 5\narea = [[1, 1], [8, 1], [8, 9], [1, 9]]\njourney = [[15, 5]]";
//! use passerby::geometry::DVec2;
//!
//! let mut simulation = Simulation::new(Scenario::parse(text, &NoFiles, "room.toml")?)?;
//! let guest = simulation.add("visitors", DVec2::new(12.0, 5.0)).expect("there is room");
//! // Observers see every tick.
//! simulation.on_tick(|now| assert!(now.velocities().iter().all(|v| v.length() < 3.0)));
//! for _ in 0..40 {
//!     simulation.step();
//! }
//! let row = simulation.ids().iter().position(|id| *id == guest).expect("still on the way");
//! println!("{:.1} s: {} at {}", simulation.time(), guest, simulation.positions()[row].as_dvec2() + simulation.offset());
//! # Ok::<(), passerby::scenario::Problems>(())
//! ```
//!
//! **Models** are an enum, [`steering::Model`], one file each. One of your own is a [`steering::CustomModel`], given to
//! [`Simulation::with_models`].
//!
//! **Results.** [`Simulation::summary`] at any time; a header and frames for a [`record::Writer`] by
//! [`Simulation::header`] and [`Simulation::frame`]; a
//! [`Simulation::checkpoint`] from which [`Simulation::resume`] goes on bit for bit.
//!
//! # The parts
//!
//! [`navigation`] turns a place into a map with ways; [`crowd`] holds columns and answers who is near; [`steering`] turns what a walker
//! sees into a velocity; [`record`] writes and reads recordings; [`geometry`] has vectors, polygons, chance and mathematics with the
//! same bits everywhere. Each can be used by itself. Examples, each under 60 lines: `room`, `custom_model`, `observe`, `record`,
//! `compare_models` in `crates/engine/examples`.

mod amend;
mod arrivals;
mod bodies;
mod checkpoint;
mod choice;
mod company;
mod contact;
mod custom;
mod doings;
mod draw;
mod drop_in;
mod events;
mod followers;
mod gait;
mod groups;
mod header;
mod huddle;
mod journey;
mod movers;
mod obstacles;
mod partners;
mod people;
mod per_thread;
mod personal;
mod placement;
mod play;
mod queues;
mod reasons;
mod round;
mod saved;
mod saved_situations;
pub mod scenario;
mod simulation;
mod stages;
mod step;
mod taken;
mod tally;
mod walk;
mod ways;
mod world;

pub use bodies::{BodySummary, Walker, recorded as recorded_body};
pub use checkpoint::{ResumeError, seal, unseal};
pub use header::place_shape;
pub use journey::{Aim, Journeys, NewJourney, TargetId};
pub use people::People;
pub use scenario::Scenario;
pub use simulation::{AddError, Simulation};
pub use tally::{Happened, Summary, TravelTime, What};
pub use world::{Kind, World};

pub use passerby_crowd as crowd;
pub use passerby_geometry as geometry;
pub use passerby_motion as motion;
pub use passerby_navigation as navigation;
pub use passerby_record as record;
pub use passerby_situations as situations;
pub use passerby_steering as steering;
