//! `passerby check`: everything that is wrong with a scenario, at once.

use crate::failure::Failure;
use crate::{output, shapes, source};
use anyhow::Context;
use clap::Args;
use passerby::scenario::{Problem, Problems, Start, Stop};
use passerby::{Scenario, Simulation};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  passerby check room.toml         all mistakes with their lines, or a short description
  passerby check room.toml --json  the same for programs; --json=FILE writes it to a file";

/// Find all mistakes of a scenario at once.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Check {
    /// Scenario file
    scenario: PathBuf,
    /// Print JSON, or write it to a file with --json=FILE
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
}

impl Check {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        if let Some(json) = &self.json {
            output::refuse(json, "--json", &[&self.scenario])?;
        }
        // The simulation finds what the text alone does not show: people in walls, goals that cannot be reached.
        let checked = source::load(&self.scenario).and_then(Simulation::new);
        match &self.json {
            None => {
                let checked = checked?;
                output::warn(&shapes::off_floor(checked.scenario()), false);
                output::print(&describe(checked.scenario()))?;
                Ok(ExitCode::SUCCESS)
            }
            Some(to) => {
                let value = match &checked {
                    Ok(simulation) => as_json(simulation.scenario()),
                    Err(Problems(list)) => {
                        let problems: Vec<Value> = list.iter().map(problem_json).collect();
                        json!({ "file": self.scenario.display().to_string(), "ok": false, "problems": problems })
                    }
                };
                output::put(to, &(serde_json::to_string_pretty(&value).context("result as JSON")? + "\n"))?;
                Ok(if checked.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) })
            }
        }
    }
}

fn describe(scenario: &Scenario) -> String {
    let mut text = format!("{}: ok\n", scenario.file);
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<12}{value}");
    };
    let place = &scenario.place;
    row("floor", format!("{:.1} m2, {}", floor_area(scenario), counted(place.obstacles.len(), "obstacle")));
    if let Some(report) = &scenario.place_report {
        report.to_string().lines().for_each(|line| row("file", line.to_owned()));
    }
    row("doors", names(place.doors.iter().map(|door| &*door.name)));
    row("regions", names(place.regions.iter().map(|region| &*region.name)));
    for population in &scenario.populations {
        let people = match (&population.arrivals, population.count()) {
            (Some(arrivals), _) if arrivals.expected().is_finite() => {
                format!("about {:.0} people to come", arrivals.expected())
            }
            (Some(_), _) => "people who keep coming".to_owned(),
            (None, 1) => "1 person".to_owned(),
            (None, count) => format!("{count} people"),
        };
        let stops = names_of_stops(&population.journey, scenario);
        row(
            "people",
            match &population.start {
                Start::Played(played) => {
                    format!(
                        "\"{}\": {} recorded people, from {} s on",
                        population.name,
                        played.tracks.len(),
                        played.start
                    )
                }
                _ => format!("\"{}\": {people}, {}, {stops}", population.name, population.model.name()),
            },
        );
    }
    for signal in &scenario.signals {
        let phases: Vec<String> =
            signal.phases.iter().map(|phase| format!("{} for {} s", phase.show, phase.lasting)).collect();
        row("signal", format!("\"{}\": {}", signal.name, phases.join(", ")));
    }
    for mover in &scenario.movers {
        let (from, to) = (mover.path[0][0], mover.path[mover.path.len() - 1][0]);
        let again = if mover.repeat { ", over and over" } else { "" };
        row("mover", format!("\"{}\": from {from} to {to} s{again}", mover.name));
    }
    let situations = &scenario.doings.situations;
    if !situations.is_empty() {
        row("situations", names(situations.iter().map(|situation| &*situation.name)));
    }
    let run = scenario.run;
    let events = counted(scenario.events.len(), "event");
    row("run", format!("until {} s, tick {} s, seed {}, {events}", run.until, run.tick, run.seed));
    text
}

fn as_json(scenario: &Scenario) -> Value {
    let place = &scenario.place;
    let populations: Vec<Value> = (scenario.populations.iter())
        .map(|p| json!({ "name": p.name, "count": p.count(), "model": p.moved_by() }))
        .collect();
    json!({
        "file": scenario.file,
        "ok": true,
        "problems": [],
        "warnings": shapes::off_floor(scenario),
        "name": scenario.name,
        "floor_m2": floor_area(scenario),
        "obstacles": place.obstacles.len(),
        "file_report": scenario.place_report.as_ref().map(|report| report.to_string().lines().map(str::to_owned).collect::<Vec<_>>()),
        "doors": place.doors.iter().map(|door| &door.name).collect::<Vec<_>>(),
        "regions": place.regions.iter().map(|region| &region.name).collect::<Vec<_>>(),
        "populations": populations,
        "events": scenario.events.len(),
        "movers": scenario.movers.iter().map(|mover| &mover.name).collect::<Vec<_>>(),
        "signals": scenario.signals.iter().map(|signal| &signal.name).collect::<Vec<_>>(),
        "situations": scenario.doings.situations.iter().map(|situation| &situation.name).collect::<Vec<_>>(),
        "seed": scenario.run.seed,
        "until": scenario.run.until,
        "tick": scenario.run.tick,
    })
}

fn problem_json(problem: &Problem) -> Value {
    let Problem { file, line, column, key, value, what, allowed, hint } = problem;
    json!({
        "file": file, "line": line, "column": column, "key": key, "value": value, "what": what, "allowed": allowed, "hint": hint,
    })
}

/// Area of the floor before anything stands on it, m2.
fn floor_area(scenario: &Scenario) -> f64 {
    scenario.place.areas.iter().map(|area| area.area()).sum()
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// The names, the first dozen of them.
fn names<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let more = names.len().saturating_sub(MOST);
    match names.take(MOST).collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "none".to_owned(),
        all if more == 0 => all,
        some => format!("{some} and {more} more"),
    }
}

fn names_of_stops(journey: &[Stop], scenario: &Scenario) -> String {
    fn one(stop: &Stop, scenario: &Scenario) -> String {
        match stop {
            Stop::Region(region) => format!("\"{}\"", scenario.place.regions[*region].name),
            Stop::Point(at) => format!("[{}, {}]", at.x, at.y),
            Stop::Opposite => "the other side".to_owned(),
            Stop::Drawn { stops, .. } => format!("one of {} places", stops.len()),
            Stop::Wait(_) => "a wait".to_owned(),
            Stop::Wander { region, .. } => format!("wandering in \"{}\"", scenario.place.regions[*region].name),
            Stop::Signal { .. } | Stop::Visit(_) => stop.words(scenario),
            Stop::Any(stops) | Stop::Soonest(stops) if stops.len() > 4 => format!("one of {} places", stops.len()),
            Stop::Any(stops) | Stop::Soonest(stops) => {
                stops.iter().map(|stop| one(stop, scenario)).collect::<Vec<_>>().join(" or ")
            }
        }
    }
    match journey {
        [] => "staying".to_owned(),
        [_, .., _] if journey.len() > 4 => format!("to {} places", journey.len()),
        stops => format!("to {}", stops.iter().map(|stop| one(stop, scenario)).collect::<Vec<_>>().join(", ")),
    }
}
