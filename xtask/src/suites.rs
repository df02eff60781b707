//! The suites of `cargo xtask test`, in the order in which they run.
//!
//! Clippy, tests and documentation share the profile `proven`, so that dependencies are compiled once for all of them.

use std::time::{Duration, Instant};

use crate::command::{cargo, has_cargo_command, run};
use crate::first_run;
use crate::packages;
use crate::python;
use crate::tally::Tally;
use crate::viewer;

/// What a suite found: the tests it counted, and why it failed if it did.
pub type Outcome = (Tally, Result<(), String>);

/// One suite.
pub struct Suite {
    pub name: &'static str,
    /// What it shows, in a few words.
    pub about: &'static str,
    /// After so long it is killed and counts as failed.
    pub minutes: u64,
    /// Whether it only runs with `--long`.
    pub long: bool,
    pub run: fn(Duration) -> Outcome,
}

/// All suites, cheapest first: a file that is not formatted is told within a second.
pub const ALL: &[Suite] = &[
    Suite { name: "format", about: "every file as rustfmt writes it", minutes: 2, long: false, run: format },
    Suite { name: "clippy", about: "no warning of compiler or clippy", minutes: 15, long: false, run: clippy },
    Suite {
        name: "python",
        about: "PedPy and JuPedSim, to compare with",
        minutes: 15,
        long: false,
        run: python::suite,
    },
    Suite { name: "tests", about: "unit, property and scenario tests", minutes: 25, long: false, run: tests },
    Suite { name: "doctests", about: "the examples in the documentation", minutes: 15, long: false, run: doctests },
    Suite { name: "docs", about: "documentation without a warning", minutes: 10, long: false, run: docs },
    Suite {
        name: "digest-debug",
        about: "golden digests, plain debug build",
        minutes: 15,
        long: false,
        run: digest_debug,
    },
    Suite {
        name: "digest-release",
        about: "golden digests, release build",
        minutes: 15,
        long: false,
        run: digest_release,
    },
    Suite { name: "bench", about: "all benches, quick", minutes: 15, long: false, run: bench },
    Suite {
        name: "first-run",
        about: "`cargo run --release` leaves its files",
        minutes: 10,
        long: false,
        run: first_run::run,
    },
    Suite { name: "viewer", about: "the viewer in a real browser", minutes: 15, long: false, run: viewer::suite },
    Suite { name: "long", about: "tests whose names begin with `long_`", minutes: 75, long: true, run: long },
    Suite { name: "drawn", about: "property tests with inputs drawn anew", minutes: 10, long: true, run: drawn },
];

fn format(limit: Duration) -> Outcome {
    run(cargo(&["fmt", "--all", "--check"]), limit)
}

fn clippy(limit: Duration) -> Outcome {
    let shared = ["clippy", "--workspace", "--all-targets", "--profile", "proven", "--keep-going"];
    run(cargo(&[&shared[..], &["--", "-D", "warnings"]].concat()), limit)
}

/// The seed of property tests. A change that lands must not fail for what somebody else happens to draw; plain `cargo test` and
/// the suite `drawn` draw anew.
const PROPERTY_SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// Nextest where it is installed: it runs the tests of all crates at once and kills none of the others when one aborts.
fn tests(limit: Duration) -> Outcome {
    packages::install_for_films();
    let mut command = if has_cargo_command("nextest") {
        let shared = ["nextest", "run", "--workspace", "--cargo-profile", "proven", "--no-fail-fast"];
        cargo(&[&shared[..], &["--status-level", "slow"]].concat())
    } else {
        cargo(&["test", "--workspace", "--profile", "proven", "--no-fail-fast", "--lib", "--bins", "--tests"])
    };
    let (variable, seed) = PROPERTY_SEED;
    if std::env::var_os(variable).is_none() {
        command.env(variable, seed);
    }
    run(python::with(command), limit)
}

fn doctests(limit: Duration) -> Outcome {
    run(cargo(&["test", "--workspace", "--doc", "--profile", "proven", "--no-fail-fast"]), limit)
}

fn docs(limit: Duration) -> Outcome {
    let mut command = cargo(&["doc", "--no-deps", "--profile", "proven"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    run(command, limit)
}

/// The suite `tests` has shown the same digests for the profile `proven`. Nobody builds this a second time in the same place, so
/// nothing is kept for that.
fn digest_debug(limit: Duration) -> Outcome {
    let mut command = cargo(&["test", "-p", "passerby", "--test", "digest"]);
    command.env("CARGO_INCREMENTAL", "0");
    run(command, limit)
}

fn digest_release(limit: Duration) -> Outcome {
    run(cargo(&["test", "-p", "passerby", "--test", "digest", "--release"]), limit)
}

/// Each bench checks its answers before it times them, and fails if they are wrong.
fn bench(limit: Duration) -> Outcome {
    let begun = Instant::now();
    for name in crate::bench::BENCHES {
        let command = cargo(&["bench", "-p", "passerby-benches", "--bench", name, "--", "--quick"]);
        let (_, end) = run(python::with(command), limit.saturating_sub(begun.elapsed()));
        if let Err(why) = end {
            return (Tally::default(), Err(format!("{name}: {why}")));
        }
    }
    (Tally::default(), Ok(()))
}

/// Tests that are `#[ignore]`d for their length, and only those.
fn long(limit: Duration) -> Outcome {
    let command = if has_cargo_command("nextest") {
        let shared = ["nextest", "run", "--workspace", "--cargo-profile", "proven", "--no-fail-fast"];
        let only = ["--run-ignored", "only", "-E", "test(/(^|::)long_/)", "--no-tests", "pass"];
        cargo(&[&shared[..], &only[..]].concat())
    } else {
        cargo(&["test", "--workspace", "--profile", "proven", "--no-fail-fast", "--", "--ignored", "long_"])
    };
    run(python::with(command), limit)
}

fn drawn(limit: Duration) -> Outcome {
    let with_properties = ["passerby-geometry", "passerby-crowd", "passerby-navigation", "passerby"];
    let packages = with_properties.iter().flat_map(|package| ["-p", package]);
    let shared = ["test", "--profile", "proven", "--no-fail-fast"];
    run(cargo(&shared.into_iter().chain(packages).collect::<Vec<_>>()), limit)
}
