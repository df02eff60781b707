//! `passerby export`: a recording, or somebody else's file of recorded people, in the format of others.

use crate::export_glb;
use crate::failure::Failure;
use crate::foreign::Foreign;
use crate::measured_rows::{counted, people};
use crate::output;
use anyhow::Context;
use clap::Args;
use passerby::record::{self, ExportError, Exported, Format, RecordError, Recording};
use serde_json::json;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  passerby export passerby-out/room.parquet --to room.sqlite          for PedPy and JuPedSim
  passerby export passerby-out/room.parquet --to room.csv --every 10
  passerby export uo-050-180-180.txt --unit cm --fps 16 --to people.parquet
  passerby export traj.txt --unit m --fps 25 --place walls.wkt --to walls-and-people.parquet
  passerby export passerby-out/bodies.parquet --to crowd.glb
  passerby render people.parquet --to people.png

Reads recordings, Jülich text, UCY obsmat, CSV with a header line, HDF5 and JuPedSim SQLite, whatever the file is called.
Writes CSV (.csv), PeTrack text (.txt), JuPedSim SQLite version 2 (.sqlite), recordings (.parquet), and people with bodies as an animated
crowd for three.js and Blender (.glb).";

/// Write a recording in the format of others, or theirs in ours.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Export {
    /// Recording, or recorded people in another format
    recording: PathBuf,
    /// File to write; its ending says the format
    #[arg(long, value_name = "FILE.{csv,txt,sqlite,parquet,glb}")]
    to: PathBuf,
    /// Write every n-th recorded frame
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    #[command(flatten)]
    foreign: Foreign,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
}

impl Export {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let glb = self.to.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("glb"));
        let format = if glb { Format::Parquet } else { format(&self.to)? };
        output::refuse(&self.to, "--to", &self.foreign.kept(&self.recording))?;
        let mut warnings = Vec::new();
        let recording = self.foreign.read(&self.recording, &mut warnings)?;
        let exported = if glb { self.write_crowd(&recording)? } else { self.write(&recording, format)? };
        output::warn(&warnings, self.quiet);
        if !self.quiet {
            output::print(&self.summary(&recording, &exported))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Writes beside the file and renames at the end: a file that was there before is lost only to a whole one.
    fn write(&self, recording: &Recording, format: Format) -> Result<Exported, Failure> {
        let mut part = self.to.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let failed = || format!("{} cannot be written", self.to.display());
        let file = File::create(&part).with_context(failed)?;
        let exported = record::export(recording, format, self.every, BufWriter::new(file));
        let done = exported.map_err(|error| self.explain(error)).and_then(|exported| {
            fs::rename(&part, &self.to).with_context(failed)?;
            Ok(exported)
        });
        if done.is_err() {
            let _ = fs::remove_file(&part); // what failed before is what to tell
        }
        done
    }

    /// Bodies as a crowd for other programs.
    fn write_crowd(&self, recording: &Recording) -> Result<Exported, Failure> {
        let (bytes, exported) = export_glb::write(&self.recording, recording, self.every)?;
        fs::write(&self.to, bytes).with_context(|| format!("{} cannot be written", self.to.display()))?;
        Ok(exported)
    }

    fn explain(&self, error: ExportError) -> Failure {
        let (from, to) = (self.recording.display(), self.to.display());
        match error {
            ExportError::Write(_) | ExportError::Database(_) | ExportError::Record(RecordError::Write { .. }) => {
                anyhow::Error::new(error).context(format!("{to}")).into()
            }
            ExportError::Record(RecordError::Read { .. }) => {
                anyhow::Error::new(error).context(format!("{from}")).into()
            }
            wrong => Failure::input(format!("{from}: {wrong}")),
        }
    }

    fn summary(&self, recording: &Recording, exported: &Exported) -> String {
        let Exported { frames, rows, fps } = exported;
        let mut text = format!(
            "{} written: {}, {} in {}, {fps} frames a second\n",
            self.to.display(),
            people(&json!(recording.people().len())),
            counted(&json!(rows), "row"),
            counted(&json!(frames), "frame")
        );
        let gaps: Vec<&str> = recording.events().iter().filter_map(|event| event.what.strip_prefix("gap: ")).collect();
        gaps.iter().take(5).for_each(|gap| text.push_str(&format!("  gap: {gap}\n")));
        if gaps.len() > 5 {
            text.push_str(&format!("  and {} more gaps; an export to .parquet lists them\n", gaps.len() - 5));
        }
        if !recording.complete() {
            text.push_str("  the recording was broken off; its last second may be missing\n");
        }
        text
    }
}

/// The format that a file's ending says.
fn format(path: &Path) -> Result<Format, Failure> {
    let ending = path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_lowercase());
    match ending.as_str() {
        "csv" => Ok(Format::Csv),
        "txt" => Ok(Format::Text),
        "sqlite" => Ok(Format::Sqlite),
        "parquet" => Ok(Format::Parquet),
        _ => Err(Failure::input(format!(
            "--to {}: cannot tell the format\n    allowed: files that end in .csv, .txt, .sqlite, .parquet or .glb",
            path.display()
        ))),
    }
}
