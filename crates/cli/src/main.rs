//! The `passerby` command: reads the arguments, calls the file of a command, turns failures into messages and exit codes.

mod check;
mod checkpoint;
mod compare;
mod compared;
mod demo;
mod encounter_rows;
mod encountered;
mod explain;
mod explain_draw;
mod explain_json;
mod explain_picture;
mod explain_velocities;
mod explain_view;
mod export;
mod export_glb;
mod failure;
mod ffmpeg;
mod figure;
mod figure_camera;
mod figure_canvas;
mod film;
mod film_frame;
mod folder;
mod foreign;
mod foreseen;
mod interrupt;
mod labels;
mod layout;
mod legend;
mod map;
mod markdown;
mod measure;
mod measured;
mod measured_rows;
mod motion;
mod motion_clips;
mod new;
mod output;
mod picture;
mod plot;
mod plot_boxes;
mod plot_json;
mod plot_pass;
mod progress;
mod recorder;
mod render;
mod report;
mod run;
mod runs;
mod scratch;
mod scribe;
mod shapes;
mod simulate;
mod situated;
mod source;
mod strokes;
mod tracks;
mod view;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  passerby                the demo: an office floor empties
  passerby new room       a scenario to start from, room.toml
  passerby check room.toml
  passerby run room.toml
  passerby view room.toml                watch it in the browser, and paint in it
  passerby compare room.toml --models orca,headway
  passerby render passerby-out/room.parquet --to room.png
  passerby plot passerby-out/room.parquet
  passerby measure passerby-out/room.parquet
  passerby map town.osm --out town.png   how ways through a place are found

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
    Compare(compare::Compare),
    View(view::View),
    Check(check::Check),
    New(new::New),
    Render(render::Render),
    Plot(plot::Plot),
    Measure(Box<measure::Measure>),
    Map(map::Map),
    Motion(motion::Motion),
    Export(export::Export),
    /// Print the JSON schema of scenario files, for editors
    #[command(after_help = "Example:\n  passerby schema > scenario.schema.json")]
    Schema {
        /// Print the reference of situations instead: behaviours, sensors, what rules can say
        #[arg(long)]
        situations: bool,
    },
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return not_parsed(&error),
    };
    let done = match cli.command {
        None => demo::run(),
        Some(Command::Run(run)) => run.run(),
        Some(Command::Compare(compare)) => compare.run(),
        Some(Command::View(view)) => view.run(),
        Some(Command::Check(check)) => check.run(),
        Some(Command::New(new)) => new.run(),
        Some(Command::Render(render)) => render.run(),
        Some(Command::Plot(plot)) => plot.run(),
        Some(Command::Measure(measure)) => measure.run(),
        Some(Command::Map(map)) => map.run(),
        Some(Command::Motion(motion)) => motion.run(),
        Some(Command::Export(export)) => export.run(),
        Some(Command::Schema { situations: false }) => schema(),
        Some(Command::Schema { situations: true }) => {
            output::print(&passerby::situations::reference()).map(|()| ExitCode::SUCCESS)
        }
    };
    done.unwrap_or_else(|failure| failure.report())
}

fn schema() -> Result<ExitCode, Failure> {
    output::print(passerby::scenario::schema())?;
    Ok(ExitCode::SUCCESS)
}

/// Says what is wrong with the arguments, or prints the help that was asked for.
fn not_parsed(error: &clap::Error) -> ExitCode {
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    {
        return unknown_command(word).report();
    }
    let _ = error.print(); // nothing to be done about a closed stdout
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

fn unknown_command(word: &str) -> Failure {
    let commands: Vec<String> = Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let distance = |name: &String| strsim::damerau_levenshtein(word, name);
    let nearest = commands.iter().min_by_key(|name| distance(name)).filter(|name| distance(name) <= 2);
    let hint = match nearest {
        Some(name) => format!("did you mean `passerby {name}`?"),
        None if word.ends_with(".toml") => format!("did you mean `passerby run {word}`?"),
        None if word.ends_with(".parquet") => format!("did you mean `passerby render {word} --to FILE.png`?"),
        None => "`passerby --help` shows what there is".to_owned(),
    };
    Failure::input(format!("there is no command `{word}`\n    allowed: {}\n    hint: {hint}", commands.join(", ")))
}
