//! Many runs of one scenario: the same place and people drawn anew from other seeds or steered by other models, and what all of
//! them say together.
//!
//! [`run_seeds`] runs them on the pool it is called in, never more at a time than that has threads, and keeps a summary of
//! each. [`Aggregate`] puts summaries together: mean, spread and the time within which 95 of 100 runs have ended, T0.95,
//! with its confidence interval ([`percentile`]).
//!
//! [`trial`] runs a scene with another model for everybody who is steered: called for one model after the other, it compares them.

mod aggregate;
mod compare;
mod met;
mod percentile;
mod runs;

pub use aggregate::{Aggregate, Spread};
pub use compare::{Fineness, First, Trial, trial, with_model};
pub use met::Met;
pub use percentile::{Percentile, percentile, runs_needed};
pub use runs::{Named, One, Watch, run_seeds};
