//! `passerby compare`: the same scene with several models, as a table, as JSON and as one picture.

use crate::compared::{Compared, Entry};
use crate::failure::Failure;
use crate::measured::Measured;
use crate::plot::TOLERANCE;
use crate::progress::RunsProgress;
use crate::report::{Course, Report};
use crate::run::{exit_code, in_pool, seconds};
use crate::runs::RunsReport;
use crate::{interrupt, output, shapes, source};
use anyhow::{Context, anyhow};
use clap::Args;
use passerby::crowd::AgentId;
use passerby::record::PlaceShape;
use passerby::steering::Model;
use passerby::{Scenario, Simulation};
use passerby_measure::plot::{Beside, Side};
use passerby_measure::{Extent, Tracks};
use passerby_study::{Fineness, First, One, Trial, Watch, trial, with_model};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  passerby compare room.toml                                every model, a row for each
  passerby compare room.toml --models headway,orca          two of them
  passerby compare room.toml --models all --picture room.svg
  passerby compare room.toml --models all --runs 20         mean and spread over 20 seeds
  passerby compare room.toml --models orca,rvo --json -     the result for programs
  passerby compare scenarios/two-walkers.toml --runs 429 --encounters two-walkers.svg   who gives way to whom, and how early

Everybody who is steered gets the model, at its published parameters; populations that have it anyway keep theirs. Recorded people stay
as they are. Nothing is recorded.";

/// Points of all tracks of all models: 48 MB.
const VERTICES_MAX: usize = 2_000_000;

/// Run the same scene with several models and put the results side by side.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Compare {
    /// Scenario file
    scenario: PathBuf,
    /// Models, separated by commas, or `all`
    #[arg(long, value_name = "A,B,C|all", default_value = "all")]
    models: String,
    /// Run each so many times, with the seed and those after it: mean and spread
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// End after so many simulated seconds, whatever the scenario says
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = seconds)]
    until: Option<f64>,
    /// Source of all chance, whatever the scenario says
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Threads to run on; changes the time, never the result [default: one for each core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write the result as JSON to a file, or to stdout (-) in place of the table
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Draw everybody's way with each model, side by side; with --runs, of the first seed
    #[arg(long, value_name = "FILE.{svg,png}")]
    picture: Option<PathBuf>,
    /// Draw the predicted distance of people who meet, with each model, over all runs; what they do about it is in the table and in JSON
    #[arg(long, value_name = "FILE.{svg,png}")]
    encounters: Option<PathBuf>,
    /// Width of a PNG picture in pixels
    #[arg(long, value_name = "W", allow_negative_numbers = true, default_value_t = 1600, value_parser = clap::value_parser!(u32).range(600..=8000))]
    size: u32,
    /// Neither progress nor table
    #[arg(short, long)]
    quiet: bool,
}

/// Shows progress, listens for Ctrl-C, and notes when the latest run began.
struct Onlooker {
    progress: RunsProgress,
    began: Mutex<Option<Instant>>,
}

impl Watch for Onlooker {
    fn began(&self, _: &Simulation) {
        if let Ok(mut began) = self.began.lock() {
            *began = Some(Instant::now());
        }
    }

    fn stepped(&self, simulation: &Simulation) -> ControlFlow<()> {
        Watch::stepped(&self.progress, simulation)
    }

    fn ended(&self, run: &One) {
        Watch::ended(&self.progress, run);
    }
}

impl Onlooker {
    /// Seconds from then to the beginning of the latest run, and since.
    fn took(&self, started: Instant) -> [f64; 2] {
        let began = self.began.lock().ok().and_then(|began| *began).unwrap_or(started);
        [began.duration_since(started), began.elapsed()].map(|time| time.as_secs_f64())
    }
}

/// What the picture needs of the runs.
#[derive(Default)]
struct Drawing {
    place: Option<PlaceShape>,
    /// Names of models, what came of them, and everybody's way.
    sides: Vec<(&'static str, String, Tracks)>,
}

impl Drawing {
    fn add(&mut self, model: &'static str, remark: String, first: &First) {
        self.place.get_or_insert_with(|| first.simulation.header().place);
        self.sides.push((model, remark, first.tracks.clone()));
    }
}

impl Compare {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let models = named(&self.models)?;
        let mut kept: Vec<&Path> = vec![&self.scenario];
        for (option, picture) in [("--picture", &self.picture), ("--encounters", &self.encounters)] {
            let Some(picture) = picture else { continue };
            if !["svg", "png"].contains(&ending(picture).as_str()) {
                return Err(Failure::input(format!(
                    "{option} {}: cannot tell what to draw\n    allowed: files that end in .svg or .png",
                    picture.display()
                )));
            }
            output::refuse(picture, option, &kept)?;
            kept.push(picture);
        }
        if let Some(json) = self.json.as_ref().filter(|json| **json != Path::new("-")) {
            output::refuse(json, "--json", &kept)?;
        }
        let mut scenario = source::load(&self.scenario)?;
        scenario.run.until = self.until.unwrap_or(scenario.run.until);
        scenario.run.seed = self.seed.unwrap_or(scenario.run.seed);
        output::warn(&shapes::off_floor(&scenario), self.quiet);
        interrupt::watch()?;
        let (compared, drawing) = in_pool(self.threads, || self.compare(&scenario, &models))?;
        if let Some(picture) = &self.picture {
            self.draw(&scenario, &drawing, picture)?;
        }
        if let Some(picture) = &self.encounters {
            let page = compared.encounters();
            self.put(picture, || page.svg(), |width| page.png(width))?;
        }
        if let Some(json) = &self.json {
            output::put(json, &(serde_json::to_string_pretty(&compared).context("result as JSON")? + "\n"))?;
        }
        if !self.quiet && self.json.as_deref() != Some(Path::new("-")) {
            let pictures = self.picture.iter().chain(&self.encounters);
            let written: String = pictures.map(|path| format!("{} written\n", path.display())).collect();
            output::print(&(compared.table() + written.as_str()))?;
        }
        Ok(exit_code(compared.interrupted))
    }

    /// One model after the other, each with all threads: so that their times can be compared as well.
    fn compare(&self, scenario: &Scenario, models: &[Model]) -> Result<(Compared, Drawing), Failure> {
        let began = Instant::now();
        let total = self.runs.saturating_mul(models.len() as u32);
        let watch = Onlooker { progress: RunsProgress::new(total, self.quiet), began: Mutex::new(None) };
        let fineness = Fineness { tolerance: TOLERANCE, vertices_max: VERTICES_MAX / models.len().max(1) };
        let (mut entries, mut drawing, mut whole) = (Vec::new(), Drawing::default(), true);
        for model in models {
            let started = Instant::now();
            let tried = trial(scenario, *model, self.runs, fineness, self.encounters.is_some(), &watch);
            let Trial { runs, first, met, .. } = tried.inspect_err(|_| watch.progress.end())?;
            let took = watch.took(started);
            whole &= runs.len() == self.runs as usize;
            let Some(run) = runs.first() else { break };
            if let Some(first) = first.as_ref().filter(|_| self.picture.is_some()) {
                drawing.add(model.name(), remark(run), first);
            }
            let first = first.filter(|_| self.runs == 1);
            let one = first.map(|first| report(&first, took));
            let many = || RunsReport::new(&with_model(scenario, *model), self.runs, runs.clone(), took[0] + took[1]);
            let many = one.is_none().then(many);
            entries.push(Entry::new(model.name(), runs, one, many, met));
        }
        watch.progress.end();
        Ok((Compared::new(scenario, self.runs, entries, !whole, began.elapsed().as_secs_f64()), drawing))
    }

    fn draw(&self, scenario: &Scenario, drawing: &Drawing, to: &Path) -> Result<(), Failure> {
        let place = drawing.place.as_ref().ok_or_else(|| anyhow!("no run has ended: there is nothing to draw"))?;
        let page = Beside {
            title: scenario.name.clone(),
            subtitle: format!("everybody's way with each model, seed {}", scenario.run.seed),
            place,
            extent: Extent::of_place(place).ok_or_else(|| anyhow!("there is no floor to draw"))?,
            populations: scenario.populations.iter().map(|population| population.name.clone()).collect(),
            population_of: |id| AgentId::from_bits(id).population() as usize,
            tick: scenario.run.tick,
            sides: (drawing.sides.iter())
                .map(|(name, remark, tracks)| Side { name: (*name).to_owned(), remark: remark.clone(), tracks })
                .collect(),
        };
        self.put(to, || page.svg(), |width| page.png(width))
    }

    /// Writes a picture in the form that its name asks for.
    fn put(&self, to: &Path, svg: impl Fn() -> String, png: impl Fn(u32) -> Option<Vec<u8>>) -> Result<(), Failure> {
        let bytes = if ending(to) == "svg" { Some(svg().into_bytes()) } else { png(self.size) };
        let bytes = bytes.ok_or_else(|| anyhow!("{} cannot be drawn", to.display()))?;
        fs::write(to, bytes).with_context(|| format!("the picture {} cannot be written", to.display()))?;
        Ok(())
    }
}

/// The only run of a model, as `passerby run` reports on it. `took` are the seconds to set up and to step.
fn report(first: &First, [setup_seconds, wall_seconds]: [f64; 2]) -> Report {
    let scenario = first.simulation.scenario();
    let measured = |measures| Measured { measures, tick: scenario.run.tick, every: scenario.record.every };
    let course = Course {
        setup_seconds,
        wall_seconds,
        agent_steps: first.agent_steps,
        interrupted: false,
        resumed_at: None,
        checkpoint: None,
        recording: None,
        named: first.measures.as_ref().map(|measures| (measured(measures).named(), Vec::new())),
    };
    Report::new(&first.simulation, course)
}

/// When the last one arrived, or how many did.
fn remark(run: &One) -> String {
    let (entered, arrived) = (run.summary.entered, run.summary.arrived);
    match run.summary.last_arrival.filter(|_| run.complete) {
        Some(last) => format!("last of {entered} after {last:.1} s"),
        None => format!("{arrived} of {entered} after {:.1} s", run.time),
    }
}

/// The models of a list such as `orca,rvo`, or all.
fn named(list: &str) -> Result<Vec<Model>, Failure> {
    if list == "all" {
        return Ok(Model::all().collect());
    }
    let allowed = || format!("allowed: {}, or all", Model::names().join(", "));
    let mut models: Vec<Model> = Vec::new();
    for name in list.split(',').map(str::trim) {
        if name == "all" {
            let hint = "name `all` alone, or the models one by one";
            return Err(Failure::input(format!("--models: `all` stands among other models\n    hint: {hint}")));
        }
        let Some(model) = Model::named(name) else {
            let distance = |known: &&&str| strsim::damerau_levenshtein(name, known);
            let nearest =
                Model::names().iter().min_by_key(distance).filter(|known| distance(known) <= name.len().min(3));
            let hint = nearest.map_or_else(String::new, |known| format!("\n    hint: did you mean {known}?"));
            return Err(Failure::input(format!("--models: there is no model `{name}`\n    {}{hint}", allowed())));
        };
        if models.iter().any(|other| other.name() == name) {
            return Err(Failure::input(format!("--models: {name} is there twice\n    hint: name each model once")));
        }
        models.push(model);
    }
    Ok(models)
}

fn ending(path: &Path) -> String {
    path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_lowercase())
}
