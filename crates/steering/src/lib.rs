//! Steering models: from what a walker sees to a velocity.
//!
//! A model is one file: its parameters, its step, its tests. It is a pure function of what it may see, the walker, its
//! neighbours and the walls near it: no clock, no files, no generator. [`Model`] is the closed set of them with the one
//! `match`; [`choose`] runs that `match` once for many walkers of the same model, eight of which decide in lockstep.
//!
//! | model | idea | paper |
//! | --- | --- | --- |
//! | [`Model::Straight`] | the desired velocity, whoever is in the way | - |
//! | [`mod@headway`] | direction from repulsion, speed from the gap in front | Tordeux, Chraibi, Seyfried 2016 |
//! | [`mod@orca`] | half planes of velocities that avoid everybody for a while, and the best velocity in all of them | van den Berg, Guy, Lin, Manocha 2011 |
//! | [`mod@helbing`] | accelerations from social forces; bodies and friction in the later form | Helbing, Molnár 1995; Helbing, Farkas, Vicsek 2000 |

mod batch;
mod custom;
pub mod headway;
pub mod helbing;
mod lockstep;
mod model;
mod mover;
pub mod orca;
mod parameter;
mod program;
mod walker;
mod wall_plane;

pub use batch::{Batch, NEAREST_MAX, Scratch, choose};
pub use custom::{CustomId, CustomModel, View};
pub use headway::Headway;
pub use helbing::{Helbing1995, Helbing2000};
pub use model::Model;
pub use mover::{HORIZON, Moving, avoid};
pub use orca::Orca;
pub use parameter::ParameterError;
pub use walker::Walker;
