//! `passerby run`: simulate and record a scenario, and say what came of it.

use crate::failure::Failure;
use crate::report::Report;
use crate::simulate::{Manner, simulate};
use crate::{interrupt, output, source};
use anyhow::Context;
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  passerby run room.toml                      record to passerby-out/room.parquet
  passerby run room.toml --seed 7 --until 30  another crowd, half a minute of it
  passerby run room.toml --json -             the result for programs
  passerby run room.toml --realtime           as slow as life

Ctrl-C ends a run cleanly; a run that is killed leaves a recording up to its last second.";

/// Simulate a scenario and record it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Run {
    /// Scenario file; `passerby new NAME` writes one
    scenario: PathBuf,
    /// Recording to write [default: passerby-out/ and the scenario's file name, as .parquet]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// End after so many simulated seconds, whatever the scenario says
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    until: Option<f64>,
    /// Record every n-th tick, whatever the scenario says
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1000))]
    every: Option<u32>,
    /// Source of all chance, whatever the scenario says
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Threads to run on; changes the time, never the result [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Never run ahead of the wall clock
    #[arg(long)]
    realtime: bool,
    /// Write the result as JSON to a file, or to stdout (-) in place of the table
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Neither progress nor table
    #[arg(short, long)]
    quiet: bool,
}

impl Run {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        if let Some(json) = &self.json {
            let kept: Vec<&Path> =
                [Some(&self.scenario), self.out.as_ref()].into_iter().flatten().map(AsRef::as_ref).collect();
            output::refuse(json, "--json", &kept)?;
        }
        if let Some(out) = &self.out {
            output::refuse(out, "--out", &[&self.scenario])?;
        }
        let report = in_pool(self.threads, || self.simulate())?;
        if let Some(json) = &self.json {
            output::put(json, &(serde_json::to_string_pretty(&report).context("result as JSON")? + "\n"))?;
        }
        if !self.quiet && self.json.as_deref() != Some(Path::new("-")) {
            output::print(&report.table())?;
        }
        Ok(exit_code(&report))
    }

    fn simulate(&self) -> Result<Report, Failure> {
        let started = Instant::now();
        let mut scenario = source::load(&self.scenario)?;
        scenario.run.until = self.until.unwrap_or(scenario.run.until);
        scenario.run.seed = self.seed.unwrap_or(scenario.run.seed);
        scenario.record.every = self.every.unwrap_or(scenario.record.every);
        let out = match &self.out {
            Some(out) => out.clone(),
            // The file's name rather than the scenario's: whoever typed it will look for it.
            None => {
                let stem = self.scenario.file_stem().unwrap_or_default().to_string_lossy();
                output::default_file(&stem, "parquet")?
            }
        };
        output::refuse(&out, "recording", &[&self.scenario])?;
        simulate(scenario, &out, Manner { realtime: self.realtime, quiet: self.quiet }, started)
    }
}

/// Calls `work` in a pool of so many threads, or of one for each core.
pub fn in_pool<T: Send>(threads: Option<u16>, work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from));
    builder.build().context("the threads cannot be started")?.install(work)
}

/// That of a run: 130 where it was interrupted.
pub fn exit_code(report: &Report) -> ExitCode {
    if report.interrupted { ExitCode::from(interrupt::EXIT) } else { ExitCode::SUCCESS }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.001..=1e6).contains(&value) => Ok(value),
        _ => Err("allowed: 0.001 to 1000000 seconds".to_owned()),
    }
}
