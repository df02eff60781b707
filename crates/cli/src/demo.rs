//! `passerby` alone: the scenario that is built into the program, from the first step to the picture.

use crate::failure::Failure;
use crate::legend::Scheme;
use crate::picture::Wanted;
use crate::simulate::{Manner, simulate};
use crate::{output, render, run};
use passerby::Scenario;
use passerby::scenario::{NoFiles, Problems};
use std::process::ExitCode;
use std::time::Instant;

const DEMO: &str = include_str!("../../../scenarios/demo.toml");

/// The built-in scenario.
pub fn scenario() -> Result<Scenario, Problems> {
    Scenario::parse(DEMO, &NoFiles, "demo.toml (built in)")
}

/// Runs, records and draws the demo.
pub fn run() -> Result<ExitCode, Failure> {
    let out = output::default_file("demo", "parquet")?;
    let report = run::in_pool(None, || {
        let started = Instant::now();
        simulate(scenario()?, &out, &Manner::default(), started)
    })?;
    let recording = render::open(&out)?;
    let picture = out.with_extension("png");
    let ticks = render::whole(&recording, &out)?;
    render::draw(&recording, &out, &picture, &Wanted { width: render::WIDTH, color: Scheme::Time, ticks })?;
    output::print(&format!(
        "{}  {:<24}{}\n\nNext:\n  passerby view           shows it live in the browser\n  passerby new room       writes room.toml, a scenario to change as you like\n  \
         passerby run room.toml  simulates and records it\n  passerby --help         shows everything else\n",
        report.table(),
        "picture",
        picture.display()
    ))?;
    Ok(run::exit_code(report.interrupted))
}
