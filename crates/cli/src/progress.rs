//! How far a run is, on a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use passerby::Simulation;
use std::time::{Duration, Instant};

/// Pause between two looks at the run: often enough for the eye, too seldom to cost anything.
const PAUSE: Duration = Duration::from_millis(200);

/// A line that is redrawn; nothing at all when stderr is no terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: Instant,
}

impl Progress {
    /// Begins to show a run, unless it is to be quiet.
    pub fn new(simulation: &Simulation, quiet: bool) -> Progress {
        let run = simulation.scenario().run;
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new((run.until / run.tick).ceil() as u64) };
        if let Ok(style) = ProgressStyle::with_template("{bar:24.cyan/dim} {wide_msg}") {
            bar.set_style(style);
        }
        let now = Instant::now();
        Progress { bar, started: now, shown: now }
    }

    /// To be called after every step.
    pub fn update(&mut self, simulation: &Simulation) {
        if self.bar.is_hidden() || self.shown.elapsed() < PAUSE {
            return;
        }
        self.shown = Instant::now();
        let (time, until) = (simulation.time(), simulation.scenario().run.until);
        let elapsed = self.started.elapsed().as_secs_f64();
        let steps = f64::from(simulation.tick()) / elapsed;
        let left = elapsed * (until - time).max(0.0) / time.max(1e-9);
        self.bar.set_position(u64::from(simulation.tick()));
        self.bar.set_message(format!(
            "{time:.1} of {until} s, {} inside, {} arrived, {steps:.0} steps/s, at most {left:.0} s left",
            simulation.len(),
            simulation.arrived(),
        ));
    }

    /// Takes the line away.
    pub fn end(self) {
        self.bar.finish_and_clear();
    }
}

/// A line for something that is counted up to a known number; nothing at all when stderr is no terminal.
pub fn counting(total: u64, quiet: bool) -> ProgressBar {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(total) };
    if let Ok(style) = ProgressStyle::with_template("{bar:24.cyan/dim} frame {pos} of {len}, {eta} left") {
        bar.set_style(style);
    }
    bar
}
