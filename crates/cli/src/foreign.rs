//! Recordings of ours, and recorded people in the formats of others.

use crate::failure::Failure;
use crate::folder::similar_name;
use crate::map::place::{self, Reading};
use crate::scratch;
use anyhow::Context;
use clap::{Args, ValueEnum};
use passerby::geometry::Homography;
use passerby::place_shape;
use passerby::record::{self, Image, ImportError, PlaceShape, RecordError, Recording, Stated, Unit};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What a file of others may not say about itself.
#[derive(Debug, Args)]
pub struct Foreign {
    /// Unit of lengths in the file that is read, if it does not state it
    #[arg(long, value_enum)]
    unit: Option<Length>,
    /// Frames a second in the file that is read, if it does not state it
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    fps: Option<f64>,
    /// How the film lies on the ground whose pixels the file that is read, or the place, is in: 3 x 3 numbers from (row, column, 1) to metres
    #[arg(long, value_name = "FILE", value_parser = place::homography)]
    homography: Option<Homography>,
    /// Metres a pixel, where people are recorded in pixels straight from above
    #[arg(long, value_name = "M", allow_negative_numbers = true, conflicts_with = "homography")]
    pixel_size: Option<f64>,
    /// Walls of the place, from a plan or a scenario, where the file that is read has none or others
    #[arg(long, value_name = "FILE")]
    place: Option<PathBuf>,
}

/// A unit of lengths.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Length {
    /// Metres
    M,
    /// Centimetres
    Cm,
}

impl Foreign {
    /// Opens a recording, or reads recorded people, whatever the file is called, and puts them into the place that was named.
    pub fn read(&self, path: &Path, warnings: &mut Vec<String>) -> Result<Recording, Failure> {
        let Some(plan) = &self.place else { return self.open(path) };
        let reading = Reading::beside(plan, self.homography);
        // One that is for the place need not be for the people.
        let recording = match self.import(path)? {
            Err(ImportError::NotPixels) if reading.has_homography() => self.without_pixels().open(path)?,
            read => self.told(path, read)?,
        };
        let held = &recording.header().place;
        let read = place_shape(&reading.read(plan)?.floor);
        let place = PlaceShape { measures: held.measures.clone(), movers: held.movers.clone(), ..read };
        if !held.areas.is_empty() && *held != place {
            let (plan, path) = (plan.display(), path.display());
            warnings.push(format!(
                "--place {plan}: {path} has walls, doors and regions of its own; those of {plan} are used in their place"
            ));
        }
        Ok(recording.with_place(place))
    }

    /// The files that nothing may be written over.
    pub fn kept<'a>(&'a self, recording: &'a Path) -> Vec<&'a Path> {
        self.place.iter().map(PathBuf::as_path).chain([recording]).collect()
    }

    /// Opens a recording, or reads recorded people, with the walls they have.
    pub fn open(&self, path: &Path) -> Result<Recording, Failure> {
        self.told(path, self.import(path)?)
    }

    fn import(&self, path: &Path) -> Result<Result<Recording, ImportError>, Failure> {
        let unit = self.unit.map(|unit| match unit {
            Length::M => Unit::Metre,
            Length::Cm => Unit::Centimetre,
        });
        let image = self.homography.map(Image::Homography).or(self.pixel_size.map(Image::PixelSize));
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let file = open(path)?;
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        let scratch = scratch::for_file_of(size).with_context(|| temporary(path))?;
        Ok(record::import_through(file, scratch, &name, &Stated { unit, fps: self.fps, image }))
    }

    /// What was read, or the message that says why not.
    fn told(&self, path: &Path, read: Result<Recording, ImportError>) -> Result<Recording, Failure> {
        read.map_err(|error| match error {
            ImportError::Record(error @ RecordError::Read { .. }) => {
                anyhow::Error::new(error).context(path.display().to_string()).into()
            }
            ImportError::Record(error @ RecordError::Write { .. }) => {
                anyhow::Error::new(error).context(temporary(path)).into()
            }
            wrong => {
                let beside = path.with_file_name(HOMOGRAPHY);
                let asked = matches!(wrong, ImportError::NotStated { option: "--homography", .. });
                let hint = match asked && beside.is_file() {
                    true => format!("\n    hint: there is a file beside it: --homography {}", beside.display()),
                    false => String::new(),
                };
                Failure::input(format!("{}: {wrong}{hint}", path.display()))
            }
        })
    }

    /// The same for people in metres.
    fn without_pixels(&self) -> Foreign {
        Foreign { unit: self.unit, fps: self.fps, homography: None, pixel_size: None, place: None }
    }
}

/// What a homography is usually called.
const HOMOGRAPHY: &str = "H.txt";

fn temporary(path: &Path) -> String {
    let folder = std::env::temp_dir();
    format!("{}: no temporary file in {} (TMPDIR names another folder)", path.display(), folder.display())
}

/// Why the end of a recording may be missing. People who are missing between frames are told elsewhere, among its faults.
pub fn doubts(recording: &Recording, path: &Path) -> Vec<String> {
    let gaps = recording.events().iter().filter_map(|event| event.what.strip_prefix("gap: "));
    let cut = gaps.filter(|gap| !gap.starts_with("person ") && !gap.starts_with("and "));
    let broken = (!recording.complete()).then_some("was broken off; its last second may be missing");
    cut.chain(broken).map(|what| format!("{}: {what}", path.display())).collect()
}

fn open(path: &Path) -> Result<File, Failure> {
    let shown = path.display();
    if path.is_dir() {
        return Err(Failure::input(format!("{shown}: is a folder, not a recording; name a file in it")));
    }
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        let what = "is a pipe or a device, in which nothing can be looked up; write it into a file first";
        return Err(Failure::input(format!("{shown}: {what}")));
    }
    File::open(path).map_err(|error| match (error.kind(), similar_name(path)) {
        (ErrorKind::NotFound, Some(name)) => {
            let near = path.with_file_name(name);
            Failure::input(format!("{shown}: there is no such file; did you mean {}?", near.display()))
        }
        (ErrorKind::NotFound, None) => Failure::input(format!("{shown}: there is no such file")),
        _ => Failure::input(format!("{shown}: cannot be read: {error}")),
    })
}
