//! `passerby new`: a commented scenario to start from.

use crate::failure::Failure;
use crate::output;
use anyhow::anyhow;
use clap::Args;
use passerby::Scenario;
use passerby::scenario::{CROSSING, NoFiles, crossing, template};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a commented scenario to start from.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  passerby new room                    writes room.toml; try it with `passerby run room.toml`
  passerby new crossing --crossing 60  two streams that cross at 60 degrees")]
pub struct New {
    /// Name of the scenario, also with a folder: NAME.toml must not exist yet
    name: PathBuf,

    /// Two streams that cross at this angle, above 0 (merging) up to 180 degrees (head on), instead of two rooms
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true)]
    crossing: Option<f64>,
}

impl New {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let shown = self.name.display();
        let Some(file) = self.name.file_name() else {
            return Err(Failure::input(format!("NAME \"{shown}\": not the name of a file; try `passerby new room`")));
        };
        let file = file.to_string_lossy();
        let name = file.strip_suffix(".toml").unwrap_or(&file);
        let path = self.name.with_file_name(format!("{name}.toml"));
        let text = match self.crossing {
            None => template(name),
            Some(degrees) if degrees > CROSSING[0] && degrees <= CROSSING[1] => crossing(name, degrees),
            Some(degrees) => {
                let [low, high] = CROSSING;
                return Err(Failure::input(format!(
                    "--crossing {degrees}: streams cross at more than {low} and up to {high} degrees, where they meet head on"
                )));
            }
        };
        if let Err(problems) = Scenario::parse(&text, &NoFiles, "NAME") {
            return Err(Failure::input(format!("NAME \"{shown}\" does not do as a name: {problems}")));
        }
        let created = OpenOptions::new().write(true).create_new(true).open(&path);
        let path = path.display();
        match created.and_then(|mut file| file.write_all(text.as_bytes())) {
            Ok(()) => {
                let typed = path.to_string();
                let typed = if typed.contains(' ') { format!("\"{typed}\"") } else { typed };
                output::print(&format!("{path} written; next:\n  passerby check {typed}\n  passerby run {typed}\n"))?;
                Ok(ExitCode::SUCCESS)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let message =
                    format!("{path} is there already and stays as it is; choose another name, or remove it first");
                Err(Failure::input(message))
            }
            Err(error) => Err(anyhow!("{path} cannot be written: {error}").into()),
        }
    }
}
