//! Writes a run into a recording while it goes on.

use crate::failure::Failure;
use anyhow::anyhow;
use passerby::record::{Event, FORMAT, Header, NamedLine, NamedPolygon, PlaceShape, RecordError, Writer};
use passerby::{Simulation, geometry::DVec2, navigation::Floor};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// An open recording of a run.
pub struct Recorder {
    writer: Writer<File>,
    path: PathBuf,
    every: u32,
    /// How many people of each population are noted: ordinals rise in the order of entering.
    people: Vec<u32>,
    events: usize,
}

impl Recorder {
    /// Begins a recording at `path`, over whatever was there.
    pub fn create(path: &Path, simulation: &Simulation) -> Result<Recorder, Failure> {
        let file = File::create(path).map_err(|error| failed(path, &error.to_string(), error.kind(), 0.0))?;
        // No BufWriter: the writer collects a second of frames and flushes after each, so it would only copy once more.
        let writer = Writer::new(file, &header(simulation)).map_err(|error| explain(path, error))?;
        let people = vec![0; simulation.scenario().populations.len()];
        Ok(Recorder { writer, path: path.to_owned(), every: simulation.scenario().record.every, people, events: 0 })
    }

    /// Notes what the last step brought; to be called before the first and after every step.
    pub fn note(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        for happened in &simulation.events()[self.events..] {
            let what = happened.words(simulation.scenario());
            self.writer.event(Event { tick: happened.tick, what });
        }
        self.events = simulation.events().len();
        if !simulation.tick().is_multiple_of(self.every) {
            return Ok(());
        }
        self.note_newcomers(simulation);
        self.writer.frame(&simulation.frame()).map_err(|error| explain(&self.path, error))
    }

    fn note_newcomers(&mut self, simulation: &mut Simulation) {
        let is_new = |people: &[u32], id: u32| {
            let id = passerby::crowd::AgentId::from_bits(id);
            id.ordinal() >= people[id.population() as usize]
        };
        if !simulation.ids().iter().any(|id| is_new(&self.people, id.bits())) {
            return;
        }
        let mut persons = simulation.persons();
        persons.retain(|person| is_new(&self.people, person.id));
        self.writer.people(&persons);
        for id in persons.iter().map(|person| passerby::crowd::AgentId::from_bits(person.id)) {
            let noted = &mut self.people[id.population() as usize];
            *noted = (*noted).max(id.ordinal() + 1);
        }
    }

    /// Completes the recording; its size in bytes.
    pub fn finish(self) -> Result<u64, Failure> {
        let file = self.writer.finish().map_err(|error| explain(&self.path, error))?;
        Ok(file.metadata().map_or(0, |metadata| metadata.len()))
    }
}

/// What is known before the first step.
fn header(simulation: &Simulation) -> Header {
    let scenario = simulation.scenario();
    Header {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        name: scenario.name.clone(),
        scenario: scenario.text.clone(),
        seed: scenario.run.seed,
        tick: scenario.run.tick,
        every: scenario.record.every,
        offset: simulation.offset().to_array(),
        place: PlaceShape { movers: scenario.movers.clone(), ..shape(&scenario.place) },
    }
}

fn shape(floor: &Floor) -> PlaceShape {
    let ring = |points: &[DVec2]| points.iter().map(|point| point.to_array()).collect::<Vec<_>>();
    PlaceShape {
        areas: floor.areas.iter().map(|area| area.rings().map(|outline| ring(outline.points())).collect()).collect(),
        obstacles: floor.obstacles.iter().map(|polygon| ring(polygon.points())).collect(),
        doors: (floor.doors.iter())
            .map(|door| NamedLine { name: door.name.clone(), line: door.line.map(|end| end.to_array()) })
            .collect(),
        regions: (floor.regions.iter())
            .map(|region| NamedPolygon { name: region.name.clone(), polygon: ring(region.polygon.points()) })
            .collect(),
        movers: Vec::new(),
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
