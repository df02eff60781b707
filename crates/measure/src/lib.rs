//! Measures over recorded frames, and the charts that show them.
//!
//! A measure is an *accumulator*: it is shown every frame once, in order, and holds what it has found so far. So one
//! pass over a recording serves any number of measures, and the recording may be larger than memory.
//!
//! ```
//! use passerby_measure::Crossings;
//! use passerby_record::{Frame, NamedLine};
//!
//! let line = NamedLine { name: "gate".into(), line: [[1.0, -1.0], [1.0, 1.0]] };
//! let mut crossings = Crossings::new(vec![line]);
//! for tick in 0..5 {
//!     let x = [0.3 * f64::from(tick) + 0.2]; // 0.2, 0.5, 0.8, 1.1, 1.4
//!     crossings.see(&Frame { tick, id: &[7], x: &x, y: &[0.0], vx: &[0.0], vy: &[0.0], heading: &[0.0], bodies: &[] });
//! }
//! assert_eq!(crossings.of_line(0)[0].tick, 3);
//! ```
//!
//! | accumulator | finds |
//! | --- | --- |
//! | [`Tracks`] | everybody's way, thinned to a stated tolerance |
//! | [`Maps`] | seconds of presence and mean speed in the cells of a [`Grid`] |
//! | [`Stays`] | who is there when: people present, entered, left; travel times |
//! | [`Crossings`] | who crosses lines and when: N-t and flow, as PedPy defines them |
//! | [`Histogram`], [`Nearest`] | how often which speed, time, distance |
//! | [`Extent`] | the smallest rectangle around everybody |
//! | [`Samples`] | everybody's places on one clock: what [`find_encounters`], [`Belonging`] and [`sway`] need, smoothed |
//! | [`Jumps`] | the parts of walks between jumps, which others measure one by one |
//! | [`Audit`] | what is wrong with recorded data: gaps, jumps, people outside of the floor |
//!
//! [`plot`] draws them on a [`chart::Sheet`]: SVG text, or pixels.

mod astray;
mod audit;
mod boxes;
mod by_id;
pub mod chart;
mod collisions;
mod company;
mod contacts;
mod convex;
mod covariance;
mod crossings;
mod diagram;
mod encounter_summary;
mod encounters;
mod ensemble;
mod entropy;
mod exits;
mod floor;
mod gate;
mod grid;
mod groups;
mod histogram;
mod jumps;
mod lanes;
mod maps;
mod measures;
mod moment;
mod nearest;
mod neighbourhood;
mod pairs;
mod passing;
mod phases;
pub mod plot;
mod predicted;
mod profiles;
mod samples;
mod series;
mod smooth;
mod stays;
mod stops;
mod stripes;
mod sway;
mod tracks;
mod voronoi;
mod walks;
mod zone;

pub use astray::{Astray, astray};
pub use audit::{Audit, AuditLimits, Fault, FaultExample, Faults};
pub use by_id::ById;
pub use collisions::Collisions;
pub use company::{Belonging, Company};
pub use contacts::{Contact, Contacts};
pub use covariance::Covariance;
pub use crossings::{Crossing, Crossings, FlowWindow};
pub use diagram::{AtDensity, Diagram, weidmann};
pub use encounter_summary::{CURVE_POINTS, EncounterSummary, Spread};
pub use encounters::{Encounter, EncounterCounts, EncounterSelection, find_encounters};
pub use ensemble::{PersonState, Predictor};
pub use entropy::{Entropy, EntropyError, EntropyOptions, entropy};
pub use exits::{ExitUse, Exits};
pub use floor::{Floor, FloorError};
pub use gate::{Gate, Totals};
pub use grid::{Extent, Grid, GridError};
pub use groups::{Agreement, Groups, GroupsError};
pub use histogram::Histogram;
pub use jumps::Jumps;
pub use lanes::{BandOrder, Lanes, band_order, streams};
pub use maps::Maps;
pub use measures::{CELLS_SECONDS, Measures, Plan, PlanError, STEP_SECONDS};
pub use moment::{Moment, Motion};
pub use nearest::Nearest;
pub use neighbourhood::Neighbourhood;
pub use pairs::Pairs;
pub use passing::{Passed, Passing};
pub use phases::{Phases, phases_of_mean, phases_of_trial};
pub use predicted::{
    Approach, Closest, PassingOrder, adaptation, approach, closest, normalised_time, passing_order, time_to_collision,
};
pub use profiles::{Profiles, Service};
pub use samples::{SampledWalk, Samples, Smoothed};
pub use series::Series;
pub use smooth::{Butterworth, FilterOrder, SmoothError, Smoothing, TOO_SHORT};
pub use stays::{Stay, Stays};
pub use stops::Stops;
pub use stripes::{crossing, stripe_angle, stripe_spacing};
pub use sway::{Sway, sway};
pub use tracks::{Track, Tracks, Vertex};
pub use voronoi::{Cells, CutOff, Voronoi};
pub use walks::{Amounts, Walks, effort};
pub use zone::Zone;
