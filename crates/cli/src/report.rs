//! What a run amounted to: the table that people read and the JSON that programs read.

use crate::output;
use crate::situated::{self, Situated};
use passerby::crowd::AgentId;
use passerby::scenario::Start;
use passerby::{BodySummary, Simulation, Summary};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

/// The result of a run. The names of the fields are those of `--json` and stay.
#[derive(Debug, Serialize)]
pub struct Report {
    pub name: String,
    pub scenario: String,
    pub version: &'static str,
    pub models: Vec<&'static str>,
    pub seed: u64,
    pub tick: f64,
    pub threads: usize,
    pub interrupted: bool,
    /// Where a checkpoint was taken up, s; null in a run from the beginning. Wall time and agent-steps count from there.
    pub resumed_at: Option<f64>,
    pub digest: String,
    pub steps: u32,
    pub sim_seconds: f64,
    /// Reading, map, placement.
    pub setup_seconds: f64,
    /// Stepping and recording.
    pub wall_seconds: f64,
    pub times_real_time: f64,
    pub agent_steps: u64,
    pub agent_steps_per_second: f64,
    pub peak_rss_bytes: Option<u64>,
    pub entered: u64,
    pub arrived: u64,
    pub unable: u64,
    /// Why, a sentence for each goal.
    pub why_unable: Vec<String>,
    pub inside: u64,
    pub contacts: u64,
    pub overlap_before_ground_m: f32,
    pub smallest_gap: Option<f32>,
    /// Times that a mover was over somebody at the end of a step.
    pub caught: u64,
    pub last_arrival: Option<f64>,
    pub travel_time: Travel,
    pub mean_speed: Option<f64>,
    pub slow_share: Option<f64>,
    /// How feet and roots of bodies moved; not there where nobody has a body.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Bodies>,
    /// What happened in the scenario's situations; not there where it has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub situations: Vec<Situated>,
    /// Rules that were stopped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stopped_rules: Vec<String>,
    /// Null where nothing was recorded.
    pub recording: Option<String>,
    pub recording_bytes: Option<u64>,
    pub every: u32,
    pub checkpoint: Option<String>,
    /// What the scenario's `[[measure]]` tables name, as `passerby measure` gives it; null where there are none.
    pub measures: Option<Value>,
    /// The same, for people.
    #[serde(skip)]
    pub measured: Vec<(String, String)>,
}

/// How bodies walked.
#[derive(Debug, Serialize)]
pub struct Bodies {
    pub stances: u64,
    /// Before the foot was held.
    pub foot_slide_mm: Slide,
    pub foot_slide_locked_mm: Slide,
    /// Of one step.
    pub root_deviation_mm: Deviation,
    pub skating_ratio: f64,
}

/// Over stances.
#[derive(Debug, Serialize)]
pub struct Slide {
    pub median: f64,
    pub p95: f64,
}

/// Over steps.
#[derive(Debug, Serialize)]
pub struct Deviation {
    pub mean: f64,
    pub max: f64,
}

impl From<BodySummary> for Bodies {
    fn from(summary: BodySummary) -> Bodies {
        let BodySummary { stances, slide, slide_locked, root_deviation, skating_ratio } = summary;
        let of = |[median, p95]: [f64; 2]| Slide { median, p95 };
        Bodies {
            stances,
            foot_slide_mm: of(slide),
            foot_slide_locked_mm: of(slide_locked),
            root_deviation_mm: Deviation { mean: root_deviation[0], max: root_deviation[1] },
            skating_ratio,
        }
    }
}

/// Travel times, s; null where nobody has arrived.
#[derive(Debug, Serialize)]
pub struct Travel {
    pub mean: Option<f64>,
    pub p95: Option<f64>,
    pub max: Option<f64>,
}

/// What only the one who ran it knows.
#[derive(Debug)]
pub struct Course {
    pub setup_seconds: f64,
    pub wall_seconds: f64,
    pub agent_steps: u64,
    pub interrupted: bool,
    pub resumed_at: Option<f64>,
    pub checkpoint: Option<PathBuf>,
    /// Its path and bytes, if there is one.
    pub recording: Option<(String, u64)>,
    pub named: Option<Named>,
}

/// What was measured at named lines and areas, for programs and for people.
pub type Named = (Value, Vec<(String, String)>);

impl Report {
    /// Sums up a run that has ended.
    pub fn new(simulation: &Simulation, course: Course) -> Report {
        let scenario = simulation.scenario();
        let models: BTreeSet<_> = scenario.populations.iter().map(|population| population.moved_by()).collect();
        let Course { setup_seconds, wall_seconds, agent_steps, interrupted, resumed_at, checkpoint, recording, named } =
            course;
        let (recording, recording_bytes) = recording.unzip();
        let (measures, measured) = named.map_or((None, Vec::new()), |(measures, measured)| (Some(measures), measured));
        let begun_at = resumed_at.unwrap_or(0.0);
        let Summary {
            entered,
            arrived,
            unable,
            contacts,
            overlap_before_ground,
            smallest_gap,
            travel_time,
            last_arrival,
            caught,
            mean_speed,
            slow_share,
            bodies,
        } = simulation.summary();
        // Recorded people are neither among those who have entered nor among those who are left.
        let recorded = |id: &AgentId| matches!(scenario.populations[id.population() as usize].start, Start::Played(_));
        let inside = simulation.ids().iter().filter(|id| !recorded(id)).count() as u64;
        Report {
            name: scenario.name.clone(),
            scenario: scenario.file.clone(),
            version: env!("CARGO_PKG_VERSION"),
            models: models.into_iter().collect(),
            seed: scenario.run.seed,
            tick: scenario.run.tick,
            threads: rayon::current_num_threads(),
            interrupted,
            resumed_at,
            digest: format!("{:016x}", simulation.digest()),
            steps: simulation.tick(),
            sim_seconds: simulation.time(),
            setup_seconds,
            wall_seconds,
            times_real_time: (simulation.time() - begun_at) / wall_seconds,
            agent_steps,
            agent_steps_per_second: agent_steps as f64 / wall_seconds,
            peak_rss_bytes: peak_rss_bytes(),
            entered,
            arrived,
            unable,
            why_unable: simulation.why_unable(),
            inside,
            contacts,
            overlap_before_ground_m: overlap_before_ground,
            smallest_gap,
            caught,
            last_arrival,
            travel_time: Travel {
                mean: travel_time.map(|time| time.mean),
                p95: travel_time.map(|time| time.p95),
                max: travel_time.map(|time| time.max),
            },
            mean_speed,
            slow_share,
            bodies: bodies.map(Bodies::from),
            situations: situated::situated(simulation),
            stopped_rules: situated::incidents(simulation),
            recording,
            recording_bytes,
            every: scenario.record.every,
            checkpoint: checkpoint.map(|path| path.display().to_string()),
            measures,
            measured,
        }
    }

    /// The table, for a terminal.
    pub fn table(&self) -> String {
        let mut text = format!("{} ({}, seed {})\n", self.name, listed(&self.models), self.seed);
        let row = |(name, value): &(&str, String)| format!("  {name:<24}{value}\n");
        self.results().iter().for_each(|line| text += &row(line));
        for (name, value) in situated::rows(&self.situations).iter().chain(&self.measured) {
            let _ = writeln!(text, "  {name:<24}{value}");
        }
        self.course().iter().for_each(|line| text += &row(line));
        text
    }

    /// What came out, with units: the same on any machine.
    pub fn results(&self) -> Vec<(&'static str, String)> {
        let seconds = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2} s"));
        let mut rows = Vec::new();
        let mut row = |name, value| rows.push((name, value));
        if self.interrupted {
            row("interrupted at", format!("{:.2} s", self.sim_seconds));
        }
        row("people entered", self.entered.to_string());
        row("  arrived", self.arrived.to_string());
        row("  unable to arrive", self.unable.to_string());
        self.why_unable.iter().for_each(|why| row("", why.clone()));
        row("  still inside", self.inside.to_string());
        row("simulated time", format!("{:.2} s in {} steps", self.sim_seconds, self.steps));
        row("last arrival", seconds(self.last_arrival));
        let Travel { mean, p95, max } = &self.travel_time;
        row("travel time, mean", seconds(*mean));
        row("  95 of 100 within", seconds(*p95));
        row("  longest", seconds(*max));
        let walked = self.mean_speed.zip(self.slow_share);
        let speed =
            walked.map(|(mean, slow)| format!("{mean:.2} m/s, {:.1} % of the time below 0.5 m/s", 100.0 * slow));
        row("mean speed", speed.unwrap_or_else(|| "-".to_owned()));
        row("contacts", self.contacts.to_string());
        row("  deepest overlap", format!("{:.1} mm before ground", 1e3 * self.overlap_before_ground_m));
        row("  smallest gap", self.smallest_gap.map_or_else(|| "-".to_owned(), |gap| format!("{:.1} mm", 1e3 * gap)));
        if self.caught > 0 {
            row("caught by a mover", format!("{} times at the end of a step", self.caught));
        }
        if let Some(bodies) = &self.bodies {
            let slid =
                |slide: &Slide| format!("{:.1} mm in the median, {:.1} mm for 95 of 100", slide.median, slide.p95);
            row("feet slide", format!("{}, {} stances", slid(&bodies.foot_slide_locked_mm), bodies.stances));
            row("  before they are held", slid(&bodies.foot_slide_mm));
            row("  skating", format!("{:.2} % of the time", 100.0 * bodies.skating_ratio));
            let Deviation { mean, max } = bodies.root_deviation_mm;
            row("roots off by", format!("{mean:.1} mm a step, {max:.1} mm at most"));
        }
        self.stopped_rules.iter().for_each(|stopped| row("stopped", stopped.clone()));
        row("digest", self.digest.clone());
        rows
    }

    /// How it went here.
    pub fn course(&self) -> Vec<(&'static str, String)> {
        let mut rows = Vec::new();
        let mut row = |name, value| rows.push((name, value));
        if let Some(at) = self.resumed_at {
            row("resumed at", format!("{at:.2} s"));
        }
        row("wall time", format!("{:.2} s and {:.2} s to set up", self.wall_seconds, self.setup_seconds));
        row("  times real time", format!("{:.1}", self.times_real_time));
        row("  agent-steps a second", format!("{:.0} on {} threads", self.agent_steps_per_second, self.threads));
        if let (Some(recording), Some(bytes)) = (&self.recording, self.recording_bytes) {
            row("recording", format!("{recording} ({})", output::bytes(bytes)));
        }
        if let Some(checkpoint) = &self.checkpoint {
            row("checkpoint", checkpoint.clone());
        }
        rows
    }
}

/// The models of a scenario, for a heading.
pub fn listed(models: &[&str]) -> String {
    if models.is_empty() { "nobody".to_owned() } else { models.join(", ") }
}

/// The most memory this process ever had, in bytes, where the system tells.
pub fn peak_rss_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
