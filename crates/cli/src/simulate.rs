//! Runs a scenario from the first tick to the last, and records it.

use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Progress;
use crate::recorder::Recorder;
use crate::report::{Course, Report};
use passerby::{Scenario, Simulation};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How a run goes about it; none of it changes the result.
#[derive(Debug, Clone, Copy, Default)]
pub struct Manner {
    /// Never ahead of the wall clock.
    pub realtime: bool,
    /// No progress line.
    pub quiet: bool,
}

/// Runs and records a scenario on the pool it is called in. `started` is when setting up began.
pub fn simulate(scenario: Scenario, out: &Path, manner: Manner, started: Instant) -> Result<Report, Failure> {
    let mut simulation = Simulation::new(scenario)?;
    interrupt::watch()?;
    let mut recorder = Recorder::create(out, &simulation)?;
    let setup_seconds = started.elapsed().as_secs_f64();
    let mut progress = Progress::new(&simulation, manner.quiet);
    let began = Instant::now();
    let mut agent_steps = 0;
    let mut note = recorder.note(&mut simulation);
    while note.is_ok() && !simulation.finished() && !interrupt::asked() {
        agent_steps += simulation.len() as u64;
        simulation.step();
        note = recorder.note(&mut simulation);
        progress.update(&simulation);
        if manner.realtime {
            wait_until(began + Duration::from_secs_f64(simulation.time()));
        }
    }
    progress.end();
    note?;
    let recording_bytes = recorder.finish()?;
    let course = Course {
        setup_seconds,
        wall_seconds: began.elapsed().as_secs_f64(),
        agent_steps,
        interrupted: interrupt::asked() && !simulation.finished(),
        recording: out.display().to_string(),
        recording_bytes,
    };
    Ok(Report::new(&simulation, course))
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
