//! `passerby render`: a recording as a picture.

use crate::failure::Failure;
use crate::folder::similar_name;
use crate::legend::Scheme;
use crate::output;
use crate::picture::{self, Wanted};
use anyhow::Context;
use clap::Args;
use passerby::record::{RecordError, Recording};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Width of a picture nobody asked more of, pixels.
pub const WIDTH: u32 = 1600;

const EXAMPLES: &str = "\
Examples:
  passerby render passerby-out/room.parquet --to room.png
  passerby render passerby-out/room.parquet --to slow.png --color speed --from 10 --to-time 30
  passerby render passerby-out/room.parquet --to poster.png --size 4000 --color population

Recordings of runs that were killed are drawn as far as they go.";

/// Draw a recording: the place and the tracks of its people.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Render {
    /// Recording to draw
    recording: PathBuf,
    /// Picture to write
    #[arg(long, value_name = "FILE.png")]
    to: PathBuf,
    /// Width of the picture in pixels
    #[arg(long, value_name = "W", default_value_t = WIDTH, value_parser = clap::value_parser!(u32).range(320..=8000))]
    size: u32,
    /// What colours stand for
    #[arg(long, value_enum, default_value_t = Scheme::Time)]
    color: Scheme,
    /// Leave out what was before, s
    #[arg(long, value_name = "S", default_value_t = 0.0)]
    from: f64,
    /// Leave out what came later, s
    #[arg(long, value_name = "S", default_value_t = f64::INFINITY, hide_default_value = true)]
    to_time: f64,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
}

impl Render {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        if !self.to.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png")) {
            let message = format!("--to {}: only pictures that end in .png can be drawn", self.to.display());
            return Err(Failure::input(message));
        }
        output::refuse(&self.to, "--to", &[&self.recording])?;
        let recording = open(&self.recording)?;
        let ticks = self.ticks(&recording)?;
        draw(&recording, &self.recording, &self.to, &Wanted { width: self.size, color: self.color, ticks })?;
        if !self.quiet {
            output::print(&format!("{} written\n", self.to.display()))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// First and last tick of the picture.
    fn ticks(&self, recording: &Recording) -> Result<(u32, u32), Failure> {
        let (first, last) = whole(recording, &self.recording)?;
        let tick = recording.header().tick;
        // Casts saturate: what is before the beginning or after the end is cut to it.
        let from = first.max((self.from / tick - 1e-6).ceil() as u32);
        let to = last.min((self.to_time / tick + 1e-6).floor() as u32);
        if from <= to && !self.from.is_nan() && !self.to_time.is_nan() {
            return Ok((from, to));
        }
        let (held_from, held_to) = (f64::from(first) * tick, f64::from(last) * tick);
        Err(Failure::input(format!(
            "--from {} --to-time {}: nothing was recorded then; {} holds {held_from:.2} to {held_to:.2} s",
            self.from,
            self.to_time,
            self.recording.display()
        )))
    }
}

/// First and last tick of a recording.
pub fn whole(recording: &Recording, path: &Path) -> Result<(u32, u32), Failure> {
    recording.ticks().ok_or_else(|| Failure::input(format!("{}: nobody was recorded in it", path.display())))
}

/// Opens a recording.
pub fn open(path: &Path) -> Result<Recording, Failure> {
    let shown = path.display();
    if path.is_dir() {
        return Err(Failure::input(format!("{shown}: is a folder, not a recording; name the .parquet file in it")));
    }
    let file = File::open(path).map_err(|error| match (error.kind(), similar_name(path)) {
        (ErrorKind::NotFound, Some(name)) => {
            let near = path.with_file_name(name);
            Failure::input(format!("{shown}: there is no such file; did you mean {}?", near.display()))
        }
        (ErrorKind::NotFound, None) => {
            Failure::input(format!("{shown}: there is no such file; `passerby run SCENARIO` records one"))
        }
        _ => Failure::input(format!("{shown}: cannot be read: {error}")),
    })?;
    Recording::open(file).map_err(|error| unreadable(path, error))
}

/// Draws a recording into a file.
pub fn draw(recording: &Recording, path: &Path, to: &Path, wanted: &Wanted) -> Result<(), Failure> {
    let png = picture::draw(recording, wanted).map_err(|error| match error.downcast::<RecordError>() {
        Ok(error) => unreadable(path, error),
        Err(other) => other.context(format!("{} cannot be drawn", path.display())).into(),
    })?;
    fs::write(to, png).with_context(|| format!("the picture {} cannot be written", to.display()))?;
    Ok(())
}

fn unreadable(path: &Path, error: RecordError) -> Failure {
    match error {
        RecordError::Read { .. } => anyhow::Error::new(error).context(path.display().to_string()).into(),
        damaged => Failure::input(format!("{}: {damaged}", path.display())),
    }
}
