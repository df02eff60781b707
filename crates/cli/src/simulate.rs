//! Runs a scenario from the first tick to the last, and records it.

use crate::checkpoint::Keeper;
use crate::failure::Failure;
use crate::measured::Measured;
use crate::progress::Progress;
use crate::recorder::Recorder;
use crate::report::{Course, Named, Report};
use crate::{interrupt, measure, output, render};
use passerby::{Scenario, Simulation};
use passerby_measure::Plan;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How a run goes about it; none of it changes the result.
#[derive(Debug, Default)]
pub struct Manner {
    /// Never ahead of the wall clock.
    pub realtime: bool,
    /// No progress line.
    pub quiet: bool,
    /// Puts the run away every so often.
    pub keeper: Option<Keeper>,
    /// The state to go on from, instead of the first tick.
    pub resume: Option<Vec<u8>>,
}

/// Runs and records a scenario on the pool it is called in. `started` is when setting up began.
pub fn simulate(scenario: Scenario, out: &Path, manner: &Manner, started: Instant) -> Result<Report, Failure> {
    let (mut simulation, mut recorder) = begin(scenario, out, manner.resume.as_deref())?;
    let setup_seconds = started.elapsed().as_secs_f64();
    let mut progress = Progress::new(&simulation, manner.quiet);
    let (began, begun_at) = (Instant::now(), simulation.time());
    let mut agent_steps = 0;
    let mut note = Ok(());
    while note.is_ok() && !simulation.finished() && !interrupt::asked() {
        agent_steps += simulation.len() as u64;
        simulation.step();
        note = recorder.note(&mut simulation);
        if let Some(keeper) = manner.keeper.as_ref().filter(|keeper| keeper.is_due(&simulation)) {
            note = note.and_then(|()| keep(keeper, &mut recorder, &simulation));
        }
        progress.update(&simulation);
        if manner.realtime {
            wait_until(began + Duration::from_secs_f64(simulation.time() - begun_at));
        }
    }
    progress.end();
    note?;
    let interrupted = interrupt::asked() && !simulation.finished();
    if let Some(keeper) = manner.keeper.as_ref().filter(|_| interrupted) {
        keep(keeper, &mut recorder, &simulation)?;
    }
    let recording_bytes = recorder.finish()?;
    let course = Course {
        setup_seconds,
        wall_seconds: began.elapsed().as_secs_f64(),
        agent_steps,
        interrupted,
        resumed_at: manner.resume.as_ref().map(|_| begun_at),
        checkpoint: manner.keeper.as_ref().map(Keeper::path).filter(|path| path.exists()).map(Path::to_owned),
        recording: Some((out.display().to_string(), recording_bytes)),
        named: named(&simulation, out, manner.quiet)?,
    };
    Ok(Report::new(&simulation, course))
}

/// What the scenario names to be measured, from the recording: so a run that was taken up again is measured from its beginning.
fn named(simulation: &Simulation, out: &Path, quiet: bool) -> Result<Option<Named>, Failure> {
    if simulation.scenario().measures.is_empty() {
        return Ok(None);
    }
    let recording = render::open(out)?;
    let header = recording.header();
    let measures = measure::measure(&recording, Plan::of(header), out)?;
    // What lies off the floor was said before the run.
    let astray = measures.astray(&header.place).into_iter().filter(|astray| astray.people.is_some());
    let warnings: Vec<String> = astray.map(|astray| astray.to_string()).collect();
    output::warn(&warnings, quiet);
    let measured = Measured { measures: &measures, tick: header.tick, every: header.every };
    Ok(Some((measured.named(), measured.places())))
}

/// The run and its recording, before the first step or where a checkpoint left them.
fn begin(scenario: Scenario, out: &Path, state: Option<&[u8]>) -> Result<(Simulation, Recorder), Failure> {
    let Some(state) = state else {
        let mut simulation = Simulation::new(scenario)?;
        interrupt::watch()?;
        let mut recorder = Recorder::create(out, &simulation)?;
        recorder.note(&mut simulation)?;
        return Ok((simulation, recorder));
    };
    let simulation = Simulation::resume(scenario, state).map_err(|error| Failure::input(error.to_string()))?;
    let (until, at) = (simulation.scenario().run.until, simulation.time());
    // Before the recording is touched: what it holds after the checkpoint would be lost for nothing.
    if until + simulation.scenario().run.tick < at {
        return Err(Failure::input(format!(
            "--until {until}: the checkpoint is at {at:.2} s, and what was before cannot be run again\n    \
             hint: name a later time, or leave --until out"
        )));
    }
    interrupt::watch()?;
    let recorder = Recorder::take_over(out, &simulation)?;
    Ok((simulation, recorder))
}

/// The recording first: a checkpoint without the frames before it would be of no use.
fn keep(keeper: &Keeper, recorder: &mut Recorder, simulation: &Simulation) -> Result<(), Failure> {
    recorder.flush()?;
    keeper.keep(simulation)
}

/// Sleeps until then, or until somebody wants us to end.
fn wait_until(then: Instant) {
    while !interrupt::asked() {
        match then.checked_duration_since(Instant::now()) {
            Some(left) if !left.is_zero() => sleep(left.min(Duration::from_millis(50))),
            _ => return,
        }
    }
}
