//! How far a run is and how long it will take, on a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use passerby::Simulation;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Pause between two looks at the run: often enough for the eye, too seldom to cost anything.
const PAUSE: Duration = Duration::from_millis(200);
/// Over so many seconds of wall time the speed of a run is averaged: people leave, and it gets faster.
const MEMORY: f64 = 20.0;

/// A line that is redrawn; nothing at all when stderr is no terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    began: Instant,
    shown: Instant,
    /// Tick when it was last shown.
    tick: u32,
    /// Ticks a second of wall time, lately.
    rate: Option<f64>,
    /// When the first one arrived, s of simulated time.
    first_arrival: Option<f64>,
}

fn bar(length: u64, quiet: bool) -> ProgressBar {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(length) };
    if let Ok(style) = ProgressStyle::with_template("{bar:24.cyan/dim} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

impl Progress {
    /// Begins to show a run, unless it is to be quiet.
    pub fn new(simulation: &Simulation, quiet: bool) -> Progress {
        let run = simulation.scenario().run;
        let bar = bar((run.until / run.tick).ceil() as u64, quiet);
        let now = Instant::now();
        Progress { bar, began: now, shown: now, tick: simulation.tick(), rate: None, first_arrival: None }
    }

    /// To be called after every step.
    pub fn update(&mut self, simulation: &Simulation) {
        if self.bar.is_hidden() || self.shown.elapsed() < PAUSE {
            return;
        }
        let passed = self.shown.elapsed().as_secs_f64();
        let rate = f64::from(simulation.tick() - self.tick) / passed;
        // All of the time at first, later the last seconds.
        let weight = (passed / MEMORY.min(self.began.elapsed().as_secs_f64())).min(1.0);
        let rate = self.rate.map_or(rate, |before| before + weight * (rate - before));
        (self.shown, self.tick, self.rate) = (Instant::now(), simulation.tick(), Some(rate));
        let (time, run) = (simulation.time(), simulation.scenario().run);
        let (inside, arrived) = (simulation.len() as u64, simulation.arrived());
        if arrived > 0 && self.first_arrival.is_none() {
            self.first_arrival = Some(time);
        }
        // Who is still to come is not known: then only `until` is.
        let first = self.first_arrival.filter(|_| simulation.everybody_came());
        let end = expected_end(time, run.until, first, arrived, inside);
        let left = duration((end - time).max(0.0) / run.tick / rate.max(1e-9));
        let about = if first.is_some() { "about" } else { "at most" };
        self.bar.set_position(u64::from(simulation.tick()));
        self.bar.set_message(format!(
            // What matters most first: narrow terminals cut the end off.
            "{time:.1} of {} s, {about} {left} left, {inside} inside, {arrived} arrived, {rate:.0} steps/s",
            run.until
        ));
    }

    /// Takes the line away.
    pub fn end(self) {
        self.bar.finish_and_clear();
    }
}

/// When a run will end, s: people arrive as evenly as since the first one, or `until` comes before.
fn expected_end(time: f64, until: f64, first_arrival: Option<f64>, arrived: u64, inside: u64) -> f64 {
    let Some(first) = first_arrival.filter(|_| arrived > 0) else { return until };
    (first + (time - first) * (arrived + inside) as f64 / arrived as f64).min(until)
}

/// The line for many runs, which all of them share.
#[derive(Debug)]
pub struct RunsProgress {
    bar: ProgressBar,
    runs: u32,
    done: AtomicU32,
    began: Instant,
    shown: Mutex<Instant>,
}

impl RunsProgress {
    /// Begins to show so many runs, unless they are to be quiet.
    pub fn new(runs: u32, quiet: bool) -> RunsProgress {
        let now = Instant::now();
        RunsProgress {
            bar: bar(u64::from(runs), quiet),
            runs,
            done: AtomicU32::new(0),
            began: now,
            shown: Mutex::new(now),
        }
    }

    /// After a step of any of them.
    pub fn stepped(&self, simulation: &Simulation) {
        let Ok(mut shown) = self.shown.try_lock() else { return };
        if self.bar.is_hidden() || shown.elapsed() < PAUSE {
            return;
        }
        *shown = Instant::now();
        let (done, elapsed) = (self.done.load(Ordering::Relaxed), self.began.elapsed().as_secs_f64());
        self.bar.set_position(u64::from(done));
        let left = match done {
            0 => format!("the first at {:.0} of {} s", simulation.time(), simulation.scenario().run.until),
            done => format!("about {} left", duration(elapsed * f64::from(self.runs - done) / f64::from(done))),
        };
        self.bar.set_message(format!("{done} of {} runs, {left}", self.runs));
    }

    /// After one of them.
    pub fn ended(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes the line away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Seconds for people to read.
fn duration(seconds: f64) -> String {
    let whole = seconds.clamp(0.0, 1e9).round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        3600..172_800 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} days", whole / 86_400),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_expected_from_who_has_arrived() {
        // 20 of 80 in the 10 s since the first: the other 60 take 30 s more.
        assert_eq!(expected_end(15.0, 180.0, Some(5.0), 20, 60), 45.0);
        assert_eq!(expected_end(15.0, 40.0, Some(5.0), 20, 60), 40.0);
        assert_eq!(expected_end(15.0, 180.0, None, 0, 80), 180.0);
        assert_eq!(expected_end(44.0, 180.0, Some(5.0), 80, 0), 44.0);
    }

    #[test]
    fn durations_have_units() {
        let check = |seconds, text: &str| assert_eq!(duration(seconds), text);
        check(0.4, "0 s");
        check(59.6, "1 min 0 s");
        check(3599.0, "59 min 59 s");
        check(7260.0, "2 h 1 min");
        check(260_000.0, "3 days");
    }
}
