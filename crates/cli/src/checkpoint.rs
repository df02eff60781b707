//! Checkpoints on disk: the state of a run with what it takes to go on, beside its recording.

use crate::failure::Failure;
use anyhow::Context;
use passerby::{Scenario, Simulation, seal, unseal};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What the file begins with.
const KIND: [u8; 8] = *b"PsbyRun\xff";

/// What goes with the state of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Words {
    /// The scenario's text.
    pub text: String,
    /// The file it is from, wherever we are when the run is taken up: files it names are beside it.
    pub file: PathBuf,
    /// Settings that the command line may have changed.
    pub seed: u64,
    pub until: f64,
    pub every: u32,
    /// Simulated seconds between two checkpoints.
    pub seconds: f64,
    /// Name of the recording in the folder of the checkpoint.
    pub recording: String,
}

/// Writes a checkpoint every so often, over the one before.
#[derive(Debug)]
pub struct Keeper {
    path: PathBuf,
    /// Ticks between two.
    every: u32,
    words: Words,
}

impl Keeper {
    /// For a run that is recorded at `out`; `seconds` of simulated time pass between two checkpoints.
    pub fn new(scenario: &Scenario, file: &Path, out: &Path, seconds: f64) -> Result<Keeper, Failure> {
        let path = out.with_extension("checkpoint");
        let Some(name) = out.file_name().filter(|_| path != out) else {
            return Err(Failure::input(format!("recording {}: a checkpoint would overwrite it", out.display())));
        };
        let words = Words {
            text: scenario.text.clone(),
            file: file.canonicalize().unwrap_or_else(|_| file.to_owned()),
            seed: scenario.run.seed,
            until: scenario.run.until,
            every: scenario.record.every,
            seconds,
            recording: name.to_string_lossy().into_owned(),
        };
        let every = (seconds / scenario.run.tick).round().max(1.0) as u32;
        Ok(Keeper { path, every, words })
    }

    /// Where it goes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is time for one.
    pub fn is_due(&self, simulation: &Simulation) -> bool {
        simulation.tick().is_multiple_of(self.every)
    }

    /// Writes one: whole or not at all, because it gets its name only when it is on the disk.
    pub fn keep(&self, simulation: &Simulation) -> Result<(), Failure> {
        let part = self.path.with_extension("checkpoint.part");
        let write = || -> anyhow::Result<()> {
            let words = serde_json::to_vec(&self.words)?;
            let state = simulation.checkpoint();
            let body = [&(words.len() as u64).to_le_bytes()[..], &words, &state].concat();
            let mut file = File::create(&part)?;
            file.write_all(&seal(KIND, &body))?;
            file.sync_all()?;
            Ok(fs::rename(&part, &self.path)?)
        };
        let advice = || {
            format!(
                "the checkpoint {} cannot be written; make room, or choose another disk with --out",
                self.path.display()
            )
        };
        write().with_context(advice).map_err(Failure::Failed)
    }
}

/// Reads a checkpoint: what goes with it, and the state itself.
pub fn open(path: &Path) -> Result<(Words, Vec<u8>), Failure> {
    let wrong = |what: &dyn std::fmt::Display| Failure::input(format!("{}: {what}", path.display()));
    let bytes = fs::read(path).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    let body = unseal(KIND, &bytes).map_err(|error| wrong(&error))?;
    let split = body.split_first_chunk().and_then(|(length, rest)| {
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        rest.split_at_checked(length)
    });
    let Some((words, state)) = split else { return Err(wrong(&"the checkpoint is damaged: it ends too soon")) };
    let words = serde_json::from_slice(words).map_err(|error| wrong(&format!("the checkpoint is damaged: {error}")))?;
    Ok((words, state.to_vec()))
}
