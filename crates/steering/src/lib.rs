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
//! | [`mod@rvo`] | the best of some velocities by their penalty | van den Berg, Lin, Manocha 2008 |
//! | [`mod@lamarche`] | the best of some reactions to the collisions ahead | Lamarche, Donikian 2004 |
//! | [`mod@paris`] | directions and speeds that pass behind or before each, and what they cost | Paris, Pettré, Donikian 2007 |
//! | [`mod@tangent`] | a personal kite, and where the relative motion of somebody leads in it | Pettré et al. 2009 |
//! | [`mod@vision_decision`] | an image of what is in view, and how the bearings in it turn | Ondřej, Pettré, Olivier, Donikian 2010 |
//! | [`mod@reynolds`] | accelerations of some behaviours, weighed and added | Reynolds 1999 |
//! | [`mod@helbing`] | accelerations from social forces; bodies and friction in the later form | Helbing, Molnár 1995; Helbing, Farkas, Vicsek 2000 |

mod batch;
mod custom;
mod explanation;
pub mod headway;
pub mod helbing;
pub mod lamarche;
mod lockstep;
mod memory;
mod model;
mod mover;
pub mod orca;
mod parameter;
pub mod paris;
mod paris_section;
mod program;
pub mod reactions;
pub mod reynolds;
pub mod rvo;
mod sight;
pub mod tangent;
mod tangent_domain;
mod tangent_pair;
mod vision;
pub mod vision_camera;
pub mod vision_decision;
pub mod vision_image;
mod vision_shape;
pub mod vision_threat;
mod walker;
mod wall_plane;

pub use batch::{Batch, Led, Scratch, choose, explain};
pub use custom::{CustomId, CustomModel, View};
pub use explanation::{Candidate, Explanation, Force, Line, Looked, Section};
pub use headway::Headway;
pub use helbing::{Helbing1995, Helbing2000};
pub use lamarche::Lamarche;
pub use memory::{MEMORY_SLOTS, Memory, Moment, Seen, Turning};
pub use model::Model;
pub use mover::{HORIZON, Moving, avoid};
pub use orca::Orca;
pub use parameter::ParameterError;
pub use paris::Paris;
pub use reynolds::Reynolds;
pub use rvo::Rvo;
pub use sight::Neighbour;
pub use tangent::Tangent;
pub use vision_decision::Vision;
pub use vision_threat::{Stimulus, Threat};
pub use walker::Walker;
