//! Many runs of one scenario: the same place and people drawn anew from other seeds, and what all of them say together.
//!
//! [`run_seeds`] runs them on the pool it is called in, never more at a time than that has threads, and keeps a summary of
//! each. [`Aggregate`] puts summaries together: mean, spread and the time within which 95 of 100 runs have ended, T0.95,
//! with its confidence interval ([`percentile`]).

mod aggregate;
mod percentile;
mod runs;

pub use aggregate::{Aggregate, Spread};
pub use percentile::{Percentile, percentile, runs_needed};
pub use runs::{Named, One, Watch, run_seeds};
