//! `passerby run`: simulate and record a scenario, and say what came of it.

use crate::checkpoint::{self, Keeper};
use crate::failure::Failure;
use crate::folder::Folder;
use crate::markdown;
use crate::report::Report;
use crate::simulate::{Manner, simulate};
use crate::{interrupt, output, runs, shapes, source};
use anyhow::Context;
use clap::Args;
use passerby::Scenario;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  passerby run room.toml                      record to passerby-out/room.parquet
  passerby run room.toml --seed 7 --until 30  another crowd, half a minute of it
  passerby run room.toml --json -             the result for programs
  passerby run room.toml --report room.md     the result for a report
  passerby run room.toml --realtime           as slow as life
  passerby run room.toml --runs 200           seeds 1 to 200: mean, spread, T0.95; nothing is recorded
  passerby run city.toml --checkpoint-every 60
  passerby run --resume passerby-out/city.checkpoint

Ctrl-C ends a run cleanly; a run that is killed leaves a recording up to its last second, and its last checkpoint.";

/// Simulate a scenario and record it.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Run {
    /// Scenario file; `passerby new NAME` writes one. A checkpoint brings its own
    #[arg(required_unless_present = "resume")]
    scenario: Option<PathBuf>,
    /// Recording to write [default: passerby-out/ and the scenario's file name, as .parquet]
    #[arg(short, long, value_name = "FILE", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// End after so many simulated seconds, whatever the scenario says
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    until: Option<f64>,
    /// Record every n-th tick, whatever the scenario says
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1000), conflicts_with = "resume")]
    every: Option<u32>,
    /// Source of all chance, whatever the scenario says
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "resume")]
    seed: Option<u64>,
    /// Threads to run on; changes the time, never the result [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Never run ahead of the wall clock
    #[arg(long)]
    realtime: bool,
    /// Put the run away every so many simulated seconds, beside the recording as .checkpoint
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    checkpoint_every: Option<f64>,
    /// Go on from a checkpoint, bit for bit; the recording is continued
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Run it so many times, with the seed and those after it, and put the results together; records nothing
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: Option<u32>,
    /// Write the result as JSON to a file, or to stdout (-) in place of the table
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Write the result as Markdown, with people, parameters and how to get it again
    #[arg(long, value_name = "FILE.md")]
    report: Option<PathBuf>,
    /// Neither progress nor table
    #[arg(short, long)]
    quiet: bool,
}

impl Run {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        for (path, option) in [(&self.json, "--json"), (&self.report, "--report")] {
            let kept = [&self.scenario, &self.out, &self.resume].into_iter().flatten().map(AsRef::as_ref);
            path.iter().try_for_each(|path| output::refuse(path, option, &kept.clone().collect::<Vec<&Path>>()))?;
        }
        if let (Some(out), Some(scenario)) = (&self.out, &self.scenario) {
            output::refuse(out, "--out", &[scenario])?;
        }
        match self.runs {
            Some(runs) => self.run_many(runs),
            None => self.run_one(),
        }
    }

    fn run_one(&self) -> Result<ExitCode, Failure> {
        let (report, scenario) = in_pool(self.threads, || self.simulate())?;
        self.put(&report, &report.table(), || markdown::of_run(&report, &scenario))?;
        Ok(exit_code(report.interrupted))
    }

    fn run_many(&self, runs: u32) -> Result<ExitCode, Failure> {
        let unfit = [
            (self.out.is_some(), "--out"),
            (self.every.is_some(), "--every"),
            (self.realtime, "--realtime"),
            (self.checkpoint_every.is_some(), "--checkpoint-every"),
            (self.resume.is_some(), "--resume"),
        ];
        if let Some((_, option)) = unfit.into_iter().find(|(given, _)| *given) {
            return Err(Failure::input(format!(
                "{option} cannot go with --runs, which records nothing\n    \
                 hint: leave {option} out; then run the seed that you want to look at alone, with --seed and --out"
            )));
        }
        let scenario = self.load()?;
        let report = in_pool(self.threads, || runs::run(&scenario, runs, self.quiet))?;
        self.put(&report, &report.table(), || markdown::of_runs(&report, &scenario))?;
        Ok(exit_code(report.interrupted))
    }

    /// Hands a result to whoever wants it.
    fn put(&self, result: &impl Serialize, table: &str, page: impl Fn() -> String) -> Result<(), Failure> {
        if let Some(json) = &self.json {
            output::put(json, &(serde_json::to_string_pretty(result).context("result as JSON")? + "\n"))?;
        }
        if let Some(report) = &self.report {
            output::put(report, &page())?;
        }
        if !self.quiet && self.json.as_deref() != Some(Path::new("-")) {
            output::print(table)?;
        }
        Ok(())
    }

    /// The scenario with what the command line changes.
    fn load(&self) -> Result<Scenario, Failure> {
        let mut scenario = source::load(self.scenario.as_deref().unwrap_or(Path::new("")))?;
        scenario.run.until = self.until.unwrap_or(scenario.run.until);
        scenario.run.seed = self.seed.unwrap_or(scenario.run.seed);
        scenario.record.every = self.every.unwrap_or(scenario.record.every);
        output::warn(&shapes::off_floor(&scenario), self.quiet);
        Ok(scenario)
    }

    fn simulate(&self) -> Result<(Report, Scenario), Failure> {
        let started = Instant::now();
        if let Some(file) = &self.resume {
            return self.go_on(file, started);
        }
        let (scenario, file) = (self.load()?, self.scenario.clone().unwrap_or_default());
        let out = match &self.out {
            Some(out) => out.clone(),
            // The file's name rather than the scenario's: whoever typed it will look for it.
            None => output::default_file(&file.file_stem().unwrap_or_default().to_string_lossy(), "parquet")?,
        };
        output::refuse(&out, "recording", &[&file])?;
        let keeper = self.checkpoint_every.map(|seconds| Keeper::new(&scenario, &file, &out, seconds)).transpose()?;
        let manner = Manner { realtime: self.realtime, quiet: self.quiet, keeper, resume: None };
        Ok((simulate(scenario.clone(), &out, &manner, started)?, scenario))
    }

    /// Takes up a checkpoint: its own scenario, unless one is named; its own recording, beside it.
    fn go_on(&self, checkpoint: &Path, started: Instant) -> Result<(Report, Scenario), Failure> {
        let (words, state) = checkpoint::open(checkpoint)?;
        let (mut scenario, file) = match &self.scenario {
            Some(file) => (source::load(file)?, file.clone()),
            None => {
                let name = words.file.display().to_string();
                (Scenario::parse(&words.text, &Folder::of(&words.file), &name)?, words.file)
            }
        };
        scenario.run.until = self.until.unwrap_or(words.until);
        (scenario.run.seed, scenario.record.every) = (words.seed, words.every);
        // Its name alone: a checkpoint from anywhere has no say over other folders.
        let out = checkpoint.with_file_name(Path::new(&words.recording).file_name().unwrap_or_default());
        output::refuse(&out, "recording", &[&file, checkpoint])?;
        let seconds = self.checkpoint_every.unwrap_or(words.seconds);
        let keeper = Some(Keeper::new(&scenario, &file, &out, seconds)?);
        let manner = Manner { realtime: self.realtime, quiet: self.quiet, keeper, resume: Some(state) };
        Ok((simulate(scenario.clone(), &out, &manner, started)?, scenario))
    }
}

/// Calls `work` in a pool of so many threads, or of one for each core.
pub fn in_pool<T: Send>(threads: Option<u16>, work: impl FnOnce() -> Result<T, Failure> + Send) -> Result<T, Failure> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from));
    builder.build().context("the threads cannot be started")?.install(work)
}

/// That of a run: 130 where it was interrupted.
pub fn exit_code(interrupted: bool) -> ExitCode {
    if interrupted { ExitCode::from(interrupt::EXIT) } else { ExitCode::SUCCESS }
}

/// Simulated seconds that a run may take.
pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.001..=1e6).contains(&value) => Ok(value),
        _ => Err("allowed: 0.001 to 1000000 seconds".to_owned()),
    }
}
