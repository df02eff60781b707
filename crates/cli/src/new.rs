//! `passerby new`: a commented scenario to start from.

use crate::failure::Failure;
use crate::output;
use anyhow::anyhow;
use clap::Args;
use passerby::Scenario;
use passerby::scenario::{NoFiles, template};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a commented scenario to start from.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  passerby new room  writes room.toml; try it with `passerby run room.toml`")]
pub struct New {
    /// Name of the scenario, also with a folder: NAME.toml must not exist yet
    name: PathBuf,
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
        let text = template(name);
        if let Err(problems) = Scenario::parse(&text, &NoFiles, "NAME") {
            return Err(Failure::input(format!("NAME \"{shown}\" does not do as a name: {problems}")));
        }
        let path = path.display();
        let created =
            OpenOptions::new().write(true).create_new(true).open(self.name.with_file_name(format!("{name}.toml")));
        match created.and_then(|mut file| file.write_all(text.as_bytes())) {
            Ok(()) => {
                output::print(&format!("{path} written; next:\n  passerby check {path}\n  passerby run {path}\n"))?;
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
