//! Recordings of ours, and recorded people in the formats of others.

use crate::failure::Failure;
use crate::folder::similar_name;
use crate::scratch;
use anyhow::Context;
use clap::{Args, ValueEnum};
use passerby::record::{self, ImportError, RecordError, Recording, Stated, Unit};
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

/// What a file of others may not say about itself.
#[derive(Debug, Args)]
pub struct Foreign {
    /// Unit of lengths in the file that is read, if it does not state it
    #[arg(long, value_enum)]
    unit: Option<Length>,
    /// Frames a second in the file that is read, if it does not state it
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    fps: Option<f64>,
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
    /// Opens a recording, or reads recorded people, whatever the file is called.
    pub fn read(&self, path: &Path) -> Result<Recording, Failure> {
        let unit = self.unit.map(|unit| match unit {
            Length::M => Unit::Metre,
            Length::Cm => Unit::Centimetre,
        });
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let file = open(path)?;
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        let temporary = || {
            let folder = std::env::temp_dir();
            format!("{}: no temporary file in {} (TMPDIR names another folder)", path.display(), folder.display())
        };
        let scratch = scratch::for_file_of(size).with_context(temporary)?;
        record::import_through(file, scratch, &name, &Stated { unit, fps: self.fps }).map_err(|error| match error {
            ImportError::Record(error @ RecordError::Read { .. }) => {
                anyhow::Error::new(error).context(path.display().to_string()).into()
            }
            ImportError::Record(error @ RecordError::Write { .. }) => {
                anyhow::Error::new(error).context(temporary()).into()
            }
            wrong => Failure::input(format!("{}: {wrong}", path.display())),
        })
    }
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
