//! `passerby render`: a recording as a picture or a film.

use crate::failure::Failure;
use crate::ffmpeg::Kind;
use crate::film::{self, Film};
use crate::folder::similar_name;
use crate::interrupt;
use crate::legend::Scheme;
use crate::output;
use crate::picture::{self, Wanted};
use crate::shapes;
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
  passerby render passerby-out/room.parquet --to room.mp4 --speed 4
  passerby render passerby-out/room.parquet --to room.gif --fps 15 --size 800 --trail 1

Films need ffmpeg (Debian: apt install ffmpeg). Recordings of runs that were killed are drawn as far as they go.";

/// Draw a recording: the place and the tracks of its people, or a film of them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Render {
    /// Recording to draw
    recording: PathBuf,
    /// Picture or film to write; its ending says which
    #[arg(long, value_name = "FILE.{png,mp4,gif}")]
    to: PathBuf,
    /// Width in pixels [default: 1600, films 1280]
    #[arg(long, value_name = "W", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(600..=8000))]
    size: Option<u32>,
    /// What colours stand for in a picture; in films they stand for populations [default: time]
    #[arg(long, value_enum)]
    color: Option<Scheme>,
    #[command(flatten)]
    film: Film,
    /// Leave out what was before, s
    #[arg(long, alias = "from-time", value_name = "S", allow_negative_numbers = true, default_value_t = 0.0, value_parser = shapes::moment)]
    from: f64,
    /// Leave out what came later, s
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = shapes::moment)]
    to_time: Option<f64>,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
}

impl Render {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let ending = self.to.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_lowercase());
        let kind = match ending.as_str() {
            "png" => None,
            "mp4" => Some(Kind::Mp4),
            "gif" => Some(Kind::Gif),
            _ => {
                let to = self.to.display();
                let message =
                    format!("--to {to}: cannot tell what to draw\n    allowed: files that end in .png, .mp4 or .gif");
                return Err(Failure::input(message));
            }
        };
        output::refuse(&self.to, "--to", &[&self.recording])?;
        let recording = open(&self.recording)?;
        let ticks = ticks_between(&recording, &self.recording, self.from, self.to_time, "--from")?;
        let code = match kind {
            None => {
                self.film.refuse_for_pictures()?;
                let (width, color) = (self.size.unwrap_or(WIDTH), self.color.unwrap_or(Scheme::Time));
                draw(&recording, &self.recording, &self.to, &Wanted { width, color, ticks })?;
                ExitCode::SUCCESS
            }
            Some(kind) => {
                if let Some(color) = self.color.filter(|color| *color != Scheme::Population) {
                    let message = format!("--color {color:?}: in films colours stand for populations; leave it out");
                    return Err(Failure::input(message.to_lowercase()));
                }
                interrupt::watch()?;
                let width = self.size.unwrap_or(film::WIDTH);
                let wanted = film::Wanted { kind, width, ticks, to: &self.to, quiet: self.quiet };
                self.film.write(&recording, &self.recording, &wanted)?
            }
        };
        if !self.quiet && code == ExitCode::SUCCESS {
            output::print(&format!("{} written\n", self.to.display()))?;
        }
        Ok(code)
    }
}

/// First and last tick between two times, s; `option` is how the first one was named.
pub fn ticks_between(
    recording: &Recording,
    path: &Path,
    from: f64,
    to: Option<f64>,
    option: &str,
) -> Result<(u32, u32), Failure> {
    let (first, last) = whole(recording, path)?;
    let tick = recording.header().tick;
    // Casts saturate: what is before the beginning or after the end is cut to it.
    let first_wanted = first.max((from / tick - 1e-6).ceil() as u32);
    let last_wanted = to.map_or(last, |to| last.min((to / tick + 1e-6).floor() as u32));
    // A negative end is before everything, although casts make it tick 0.
    if first_wanted <= last_wanted && to.is_none_or(|to| to >= 0.0) {
        return Ok((first_wanted, last_wanted));
    }
    let (held_from, held_to) = (f64::from(first) * tick, f64::from(last) * tick);
    let until = to.map_or_else(String::new, |to| format!(" --to-time {to}"));
    Err(Failure::input(format!(
        "{option} {from}{until}: nothing was recorded then; {} holds {held_from:.2} to {held_to:.2} s",
        path.display()
    )))
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
    Recording::open(file).map_err(|error| match error {
        RecordError::NotARecording { .. } => Failure::input(format!(
            "{shown}: {error}\n    hint: `passerby export {shown} --to people.parquet` makes one of recorded people in another format"
        )),
        other => unreadable(path, other),
    })
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

/// What to say about a recording that cannot be read on.
pub fn unreadable(path: &Path, error: RecordError) -> Failure {
    match error {
        RecordError::Read { .. } => anyhow::Error::new(error).context(path.display().to_string()).into(),
        damaged => Failure::input(format!("{}: {damaged}", path.display())),
    }
}
