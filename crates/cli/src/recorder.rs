//! Writes a run into a recording while it goes on.

use crate::failure::Failure;
use crate::render;
use crate::scribe::{Note, Scribe};
use anyhow::anyhow;
use passerby::Simulation;
use passerby::crowd::AgentId;
use passerby::record::{Event, RecordError, Recording, Writer};
use std::fs::File;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::Path;

/// An open recording of a run.
pub struct Recorder {
    scribe: Scribe,
    every: u32,
    /// How many people of each population are noted: ordinals rise in the order of entering.
    people: Vec<u32>,
    events: usize,
}

/// A recording that is written right here: what a [`Recorder`] begins with.
struct Draft {
    writer: Writer<File>,
    /// The file the writer writes to, for telling the disk.
    file: File,
    people: Vec<u32>,
}

impl Draft {
    fn create(path: &Path, simulation: &Simulation) -> Result<Draft, Failure> {
        let create = || File::create(path).and_then(|file| Ok((file.try_clone()?, file)));
        let (file, sink) = create().map_err(|error| failed(path, &error.to_string(), error.kind(), 0.0))?;
        // No BufWriter: the writer collects a second of frames and flushes after each, so it would only copy once more.
        let writer = Writer::new(sink, &simulation.header()).map_err(|error| explain(path, error))?;
        Ok(Draft { writer, file, people: vec![0; simulation.scenario().populations.len()] })
    }

    /// Copies the frames up to a tick, and who is in them. Events are known to the simulation and noted from there.
    fn copy(&mut self, old: &Recording, tick: u32, path: &Path) -> Result<(), Failure> {
        let damaged = |what: String| Failure::input(format!("{}: {what}", path.display()));
        let (mut frames, mut failure) = (0, None);
        let read = old.frames(0, tick, &mut |frame| {
            for id in frame.id.iter().map(|id| AgentId::from_bits(*id)) {
                match self.people.get_mut(id.population() as usize) {
                    Some(noted) => *noted = (*noted).max(id.ordinal() + 1),
                    None => failure = Some(damaged(format!("{id} is of no population of the scenario"))),
                }
            }
            frames += 1;
            let written = self.writer.frame(frame).map_err(|error| explain(path, error));
            failure = failure.take().or(written.err());
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        read.map_err(|error| damaged(error.to_string()))?;
        failure.map_or(Ok(()), Err)?;
        let (expected, seconds) = (tick / old.header().every + 1, f64::from(tick) * old.header().tick);
        if frames != expected {
            let what = format!("holds {frames} of the {expected} frames up to {seconds:.2} s, where the checkpoint is");
            return Err(damaged(format!("{what}; put back the recording that belongs to it, or begin anew")));
        }
        let is_in = |id: AgentId| self.people.get(id.population() as usize).is_some_and(|noted| id.ordinal() < *noted);
        let people: Vec<_> =
            old.people().iter().filter(|person| is_in(AgentId::from_bits(person.id))).cloned().collect();
        self.writer.people(&people);
        self.writer.flush_all().map_err(|error| explain(path, error))?;
        self.file.sync_data().map_err(|error| failed(path, &error.to_string(), error.kind(), 0.0))
    }
}

impl Recorder {
    /// Begins a recording at `path`, over whatever was there.
    pub fn create(path: &Path, simulation: &Simulation) -> Result<Recorder, Failure> {
        Recorder::start(Draft::create(path, simulation)?, path, simulation)
    }

    /// Goes on with the recording of a run that was taken up again. Its frames up to now are copied, what comes after them
    /// is forgotten. Whatever happens meanwhile, the old recording is whole until the new one has all of it.
    pub fn take_over(path: &Path, simulation: &Simulation) -> Result<Recorder, Failure> {
        let old = render::open(path)?;
        if *old.header() != simulation.header() {
            let message = "is the recording of another run; put the one that the checkpoint was made with in its place";
            return Err(Failure::input(format!("{}: {message}", path.display())));
        }
        let part = path.with_extension("parquet.part");
        let copied = || -> Result<Draft, Failure> {
            let mut draft = Draft::create(&part, simulation)?;
            draft.copy(&old, simulation.tick(), path)?;
            Ok(draft)
        };
        let draft = copied().inspect_err(|_| drop(std::fs::remove_file(&part)))?;
        drop(old);
        std::fs::rename(&part, path).map_err(|error| failed(path, &error.to_string(), error.kind(), 0.0))?;
        Recorder::start(draft, path, simulation)
    }

    fn start(Draft { writer, file, people }: Draft, path: &Path, simulation: &Simulation) -> Result<Recorder, Failure> {
        let path = path.to_owned();
        let scribe = Scribe::start(writer, file, Box::new(move |error| explain(&path, error)))?;
        Ok(Recorder { scribe, every: simulation.scenario().record.every, people, events: 0 })
    }

    /// Puts everything so far onto the disk, so that a checkpoint never is ahead of the recording.
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.scribe.flush()
    }

    /// Notes what the last step brought; to be called before the first and after every step. An error may be that of an earlier
    /// frame.
    pub fn note(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        for happened in &simulation.events()[self.events..] {
            let what = happened.words(simulation.scenario());
            self.scribe.put(Note::Event(Event { tick: happened.tick, what, adds: None }))?;
        }
        self.events = simulation.events().len();
        if !simulation.tick().is_multiple_of(self.every) {
            return Ok(());
        }
        self.note_newcomers(simulation)?;
        let mut frame = self.scribe.blank();
        simulation.fill_frame(&mut frame);
        self.scribe.put(Note::Frame(frame))
    }

    /// Notes what somebody added to the scenario while it ran, so that the recording tells what was run.
    pub fn note_added(&mut self, tick: u32, text: &str) -> Result<(), Failure> {
        let what = "the scenario grows".to_owned();
        self.scribe.put(Note::Event(Event { tick, what, adds: Some(text.to_owned()) }))
    }

    fn note_newcomers(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        let is_new = |people: &[u32], id: u32| {
            let id = AgentId::from_bits(id);
            id.ordinal() >= people[id.population() as usize]
        };
        if !simulation.ids().iter().any(|id| is_new(&self.people, id.bits())) {
            return Ok(());
        }
        let mut persons = simulation.persons();
        persons.retain(|person| is_new(&self.people, person.id));
        for id in persons.iter().map(|person| AgentId::from_bits(person.id)) {
            let noted = &mut self.people[id.population() as usize];
            *noted = (*noted).max(id.ordinal() + 1);
        }
        self.scribe.put(Note::People(persons))
    }

    /// Completes the recording; its size in bytes.
    pub fn finish(self) -> Result<u64, Failure> {
        self.scribe.finish()
    }
}

fn explain(path: &Path, error: RecordError) -> Failure {
    match error {
        RecordError::Write { kind, message, safe_seconds } => failed(path, &message, kind, safe_seconds),
        other => anyhow!("the recording {} cannot be written: {other}", path.display()).into(),
    }
}

/// What failed, why, what is safe, what to do.
fn failed(path: &Path, message: &str, kind: ErrorKind, safe_seconds: f64) -> Failure {
    let advice = match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room, record less often with --every, or choose another disk with --out"
        }
        ErrorKind::NotFound => "make that folder, or choose another one with --out",
        _ => "choose a place that you may write to with --out",
    };
    let safe = match safe_seconds {
        0.0 => "0 s of the run are safe".to_owned(),
        seconds => format!("the first {seconds:.2} s of the run are safe in it"),
    };
    anyhow!("the recording {} cannot be written: {message}; {safe}; {advice}", path.display()).into()
}
