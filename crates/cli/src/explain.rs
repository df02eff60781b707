//! `passerby plot RECORDING --explain AGENT --at T`: runs the recorded scenario again up to a moment, and asks the model why.

use crate::failure::Failure;
use crate::folder::{Folder, folder_of};
use crate::progress::Progress;
use crate::{explain_json, explain_picture, interrupt, output, render};
use anyhow::{Context, anyhow};
use passerby::crowd::AgentId;
use passerby::geometry::DVec2;
use passerby::record::{OwnedFrame, Person, PlaceShape, Recording};
use passerby::steering::{Explanation, Model};
use passerby::{Scenario, Simulation};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Positions of the run and of the recording that differ by no more than this are the same, m: they are stored as they were.
const SAME: f64 = 1e-6;

/// Whose decision is explained, and what becomes of it.
pub struct Wanted<'a> {
    pub recording: &'a Path,
    pub agent: u32,
    /// When, s.
    pub at: f64,
    /// Where files are that the scenario names.
    pub folder: Option<&'a Path>,
    /// Pictures to write.
    pub pictures: &'a [PathBuf],
    /// Width of pictures in pixels.
    pub size: u32,
    pub json: Option<&'a Path>,
    pub quiet: bool,
}

/// A decision, and what there was around.
pub struct Explained {
    pub why: Explanation,
    pub person: Person,
    /// Of the scenario.
    pub name: String,
    pub seed: u64,
    pub tick: u32,
    /// s.
    pub time: f64,
    pub place: PlaceShape,
    /// What has to be added to local coordinates to get the place's.
    pub offset: DVec2,
    /// Everybody, as they were.
    pub frame: OwnedFrame,
    /// Radii, in the order of the frame.
    pub radii: Vec<f32>,
}

impl Wanted<'_> {
    /// Runs, asks, draws and tells. `false`: somebody wanted us to end before.
    pub fn go(&self) -> Result<bool, Failure> {
        let recording = render::open(self.recording)?;
        let tick = self.tick(&recording)?;
        let person = self.person(&recording, tick)?;
        let scenario = self.scenario(&recording)?;
        let Some(explained) = self.explain(&recording, scenario, tick, person)? else { return Ok(false) };
        for path in self.pictures {
            let svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
            let drawn = if svg {
                Some(explain_picture::svg(&explained).into_bytes())
            } else {
                explain_picture::png(&explained, self.size)
            };
            let bytes = drawn.ok_or_else(|| anyhow!("{} cannot be drawn", path.display()))?;
            fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        if let Some(json) = self.json {
            let text = serde_json::to_string_pretty(&explain_json::json(&explained)).context("result as JSON")?;
            output::put(json, &(text + "\n"))?;
        }
        if !self.quiet && self.json != Some(Path::new("-")) {
            let written: String = self.pictures.iter().map(|path| format!("{} written\n", path.display())).collect();
            output::print(&(explain_json::words(&explained) + written.as_str()))?;
        }
        Ok(true)
    }

    /// The tick of the moment that was asked for.
    fn tick(&self, recording: &Recording) -> Result<u32, Failure> {
        let (first, last) = render::whole(recording, self.recording)?;
        let length = recording.header().tick;
        let tick = (self.at / length + 1e-6).floor();
        if (f64::from(first)..=f64::from(last)).contains(&tick) {
            return Ok(tick as u32);
        }
        Err(Failure::input(format!(
            "--at {}: nothing was recorded then; {} holds {:.2} to {:.2} s",
            self.at,
            self.recording.display(),
            f64::from(first) * length,
            f64::from(last) * length
        )))
    }

    /// The one whose decision is explained, if they are there and decide at all.
    fn person(&self, recording: &Recording, tick: u32) -> Result<Person, Failure> {
        let (agent, shown) = (self.agent, self.recording.display());
        if recording.header().scenario.is_empty() {
            return Err(Failure::input(format!(
                "{shown}: holds no scenario that could be run again: its people were recorded, not simulated\n    \
                 hint: --explain goes with recordings of `passerby run`"
            )));
        }
        let Some(person) = recording.people().iter().find(|person| person.id == agent) else {
            let ids = ids(recording.people());
            return Err(Failure::input(format!(
                "--explain {agent}: nobody in {shown} has that id\n    allowed: {ids}"
            )));
        };
        if person.model == "recorded" {
            return Err(Failure::input(format!(
                "--explain {agent}: the people of \"{}\" walk as they were recorded and choose nothing",
                person.population
            )));
        }
        if Model::named(&person.model).is_none() {
            return Err(Failure::input(format!(
                "--explain {agent}: walks by \"{}\", a model that this program does not have\n    allowed: people who \
                 walk by {}",
                person.model,
                Model::names().join(", ")
            )));
        }
        let frame = recording.frame_at(tick).map_err(|error| render::unreadable(self.recording, error))?;
        if frame.is_some_and(|frame| frame.id.contains(&agent)) {
            return Ok(person.clone());
        }
        let length = recording.header().tick;
        let there = self.stay(recording)?.map_or_else(
            || "is in no frame of it".to_owned(),
            |(from, to)| format!("is there from {:.2} to {:.2} s", f64::from(from) * length, f64::from(to) * length),
        );
        Err(Failure::input(format!("--explain {agent} --at {}: is not in {shown} then, but {there}", self.at)))
    }

    /// First and last frame in which the person is.
    fn stay(&self, recording: &Recording) -> Result<Option<(u32, u32)>, Failure> {
        let mut stay: Option<(u32, u32)> = None;
        let seen = recording.frames(0, u32::MAX, &mut |frame| {
            if frame.id.binary_search(&self.agent).is_ok() {
                stay = Some((stay.map_or(frame.tick, |(from, _)| from), frame.tick));
            }
            ControlFlow::Continue(())
        });
        seen.map_err(|error| render::unreadable(self.recording, error))?;
        Ok(stay)
    }

    /// The scenario that the recording holds.
    fn scenario(&self, recording: &Recording) -> Result<Scenario, Failure> {
        let header = recording.header();
        let folder = self.folder.unwrap_or_else(|| folder_of(self.recording));
        let file = folder.join("scenario.toml"); // it need not exist: files are looked for beside it
        let name = format!("scenario in {}", self.recording.display());
        let mut scenario = Scenario::parse(&recording.scenario(), &Folder::of(&file), &name).map_err(|problems| {
            let mut messages: Vec<String> = problems.0.iter().map(ToString::to_string).collect();
            messages.push(format!(
                "{}: its scenario cannot be run again\n    hint: files it names are looked for in {}; --folder names another",
                self.recording.display(),
                folder.display()
            ));
            Failure::Input(messages)
        })?;
        (scenario.run.seed, scenario.record.every) = (header.seed, header.every);
        Ok(scenario)
    }

    /// Runs up to the tick and explains the decision that is taken there; `None` if somebody wanted us to end.
    fn explain(
        &self,
        recording: &Recording,
        scenario: Scenario,
        tick: u32,
        person: Person,
    ) -> Result<Option<Explained>, Failure> {
        let recorded = recording.frame_at(tick).map_err(|error| render::unreadable(self.recording, error))?;
        let recorded = recorded.ok_or_else(|| anyhow!("a frame that was there is gone"))?;
        let mut simulation = Simulation::new(scenario)?;
        interrupt::watch()?;
        let mut progress = Progress::new(&simulation, self.quiet);
        let mut frame = OwnedFrame::default();
        loop {
            if simulation.tick() == recorded.tick {
                simulation.fill_frame(&mut frame);
                self.compare(recording, &recorded, &frame)?;
            }
            if simulation.tick() >= tick || interrupt::asked() {
                break;
            }
            simulation.step();
            progress.update(&simulation);
        }
        progress.end();
        if interrupt::asked() {
            return Ok(None);
        }
        simulation.fill_frame(&mut frame);
        let radii = simulation.persons().iter().map(|person| person.radius).collect();
        let (time, offset) = (simulation.time(), simulation.offset());
        let Some(why) = simulation.step_and_explain(AgentId::from_bits(self.agent)) else {
            let agent = self.agent;
            return Err(Failure::input(format!(
                "--explain {agent} --at {}: has arrived and leaves at this moment",
                self.at
            )));
        };
        let header = simulation.header();
        let (name, seed, place) = (header.name, header.seed, header.place);
        Ok(Some(Explained { why, person, name, seed, tick, time, place, offset, frame, radii }))
    }

    /// Whether the run is the one that was recorded.
    fn compare(&self, recording: &Recording, recorded: &OwnedFrame, run: &OwnedFrame) -> Result<(), Failure> {
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME);
        if recorded.id == run.id && near(&recorded.x, &run.x) && near(&recorded.y, &run.y) {
            return Ok(());
        }
        let header = recording.header();
        let (theirs, ours) = (&header.version, env!("CARGO_PKG_VERSION"));
        let why = if theirs == ours {
            "it was made by a program that is built differently, its files or the recording were changed, or --folder names other files"
        } else {
            "it was made by another version"
        };
        Err(Failure::input(format!(
            "{}: run again, its people are elsewhere at {:.2} s than it says, so nothing can be explained\n    \
             why: {why} (recorded by {theirs}, this is {ours})\n    hint: run its scenario again and explain the new recording",
            self.recording.display(),
            f64::from(recorded.tick) * header.tick
        )))
    }
}

/// Which ids the people of each population have.
fn ids(people: &[Person]) -> String {
    let mut populations: Vec<(&str, u32, u32)> = Vec::new();
    for Person { id, population, .. } in people {
        match populations.iter_mut().find(|(name, ..)| name == population) {
            Some((_, low, high)) => (*low, *high) = ((*low).min(*id), (*high).max(*id)),
            None => populations.push((population, *id, *id)),
        }
    }
    let shown = populations.iter().take(8).map(|(name, low, high)| format!("{low} to {high} ({name})"));
    let more = (populations.len() > 8).then(|| "...".to_owned());
    shown.chain(more).collect::<Vec<_>>().join(", ")
}
