//! The `passerby` command: reads the arguments, calls the file of a command, turns failures into messages and exit codes.

mod canvas;
mod check;
mod demo;
mod failure;
mod folder;
mod font;
mod interrupt;
mod layout;
mod legend;
mod new;
mod output;
mod picture;
mod progress;
mod ramp;
mod recorder;
mod render;
mod report;
mod run;
mod simulate;
mod source;
mod strokes;
mod tracks;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  passerby                the demo: an office floor empties
  passerby new room       a scenario to start from, room.toml
  passerby check room.toml
  passerby run room.toml
  passerby render passerby-out/room.parquet --to room.png

Exit codes: 0 done, 1 failed (a full disk, say), 2 bad input, 130 interrupted.";

/// A crowd of virtual humans: simulates how people walk, records it, draws it.
///
/// Without a command it runs the built-in demo.
#[derive(Debug, Parser)]
#[command(name = "passerby", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Run),
    Check(check::Check),
    New(new::New),
    Render(render::Render),
    /// Print the JSON schema of scenario files, for editors
    #[command(after_help = "Example:\n  passerby schema > scenario.schema.json")]
    Schema,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        None => demo::run(),
        Some(Command::Run(run)) => run.run(),
        Some(Command::Check(check)) => check.run(),
        Some(Command::New(new)) => new.run(),
        Some(Command::Render(render)) => render.run(),
        Some(Command::Schema) => schema(),
    };
    done.unwrap_or_else(|failure| failure.report())
}

fn schema() -> Result<ExitCode, Failure> {
    output::print(passerby::scenario::schema())?;
    Ok(ExitCode::SUCCESS)
}
