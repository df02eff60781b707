//! `passerby measure`: what happened in a recording, by definitions that others use, in one pass over it.

use crate::encountered::{Choice, Encountered};
use crate::failure::Failure;
use crate::foreign::Foreign;
use crate::map::place::numbers;
use crate::measured::Measured;
use crate::{output, plot, render, report};
use clap::Args;
use passerby::geometry::{DVec2, Polygon};
use passerby::record::{Frame, Header, NamedLine, NamedPolygon, Recording};
use passerby_measure::{CutOff, Measures, Motion, Plan};
use serde_json::json;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  passerby measure passerby-out/room.parquet                      what its [[measure]] tables name, and the crowd as a whole
  passerby measure passerby-out/room.parquet --line gate=10,4,10,6 --area hall=2,2,8,2,8,8,2,8
  passerby measure passerby-out/room.parquet --strip gate=10,4,10,6,2   who passes the 2 m to the left of the line
  passerby measure zara01/obsmat.txt --fps 25 --encounters --groups zara01/groups.txt
  passerby measure uo-050-180-180.txt --unit cm --fps 16 --place corridor.wkt --area mid=0,-2,1.8,-2,1.8,2,0,2 --json -

Densities, speeds and flows are defined as in PedPy. Speeds are ways over --step seconds to each side, never the model's own.
Without --line the doors of the place are the lines.";

/// Measure a recording: density, speed, flow, walks, contacts, lanes.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Measure {
    /// Recording, or recorded people in another format
    recording: PathBuf,
    /// A line; may be given several times [default: those of the scenario, else the doors]
    #[arg(long, value_name = "[NAME=]X1,Y1,X2,Y2", allow_negative_numbers = true, value_parser = plot::line)]
    line: Vec<NamedLine>,
    /// An area, by its corners; may be given several times [default: those of the scenario]
    #[arg(long, value_name = "[NAME=]X,Y,X,Y,X,Y,...", allow_negative_numbers = true, value_parser = area)]
    area: Vec<NamedPolygon>,
    /// The strip of a width to the left of a line; may be given several times
    #[arg(long, value_name = "[NAME=]X1,Y1,X2,Y2,WIDTH", allow_negative_numbers = true, value_parser = strip)]
    strip: Vec<Strip>,
    /// Leave out what was before, s
    #[arg(long, alias = "from", value_name = "S", allow_negative_numbers = true, default_value_t = 0.0)]
    from_time: f64,
    /// Leave out what came later, s
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = f64::INFINITY, hide_default_value = true)]
    to_time: f64,
    /// Seconds to each side that speeds are taken over
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = passerby_measure::STEP_SECONDS, value_parser = positive)]
    step: f64,
    /// Seconds between the frames that Voronoi cells are computed for
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = passerby_measure::CELLS_SECONDS, value_parser = positive)]
    cells_every: f64,
    /// How far Voronoi cells reach, m; `none`: to the walls
    #[arg(long, value_name = "M", allow_negative_numbers = true, default_value = "0.8", value_parser = cut_off)]
    cut_off: Reach,
    /// Look at pairs of walkers who come near each other at an angle
    #[arg(long)]
    encounters: bool,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    foreign: Foreign,
    /// Write everything as JSON, to a file or to stdout (-) in place of the table
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
}

/// A line and how wide the strip to its left is.
#[derive(Debug, Clone)]
struct Strip(NamedLine, f64);

/// How far cells reach.
#[derive(Debug, Clone, Copy)]
struct Reach(Option<f64>);

impl Measure {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        if let Some(json) = self.json.as_ref().filter(|json| **json != Path::new("-")) {
            output::refuse(json, "--json", &self.foreign.kept(&self.recording))?;
        }
        let mut warnings = Vec::new();
        let recording = self.foreign.read(&self.recording, &mut warnings)?;
        let ticks = render::ticks_between(&recording, &self.recording, self.from_time, self.to_time, "--from-time")?;
        let header = recording.header();
        let plan = self.plan(header, ticks)?;
        if plan.cut_off.is_none() && header.place.areas.is_empty() && !(plan.areas.is_empty() && plan.lines.is_empty())
        {
            return Err(Failure::input(format!(
                "--cut-off none: {} has no walls that Voronoi cells could end at\n    hint: name them with --place FILE",
                self.recording.display()
            )));
        }
        let measures = measure(&recording, plan, &self.recording)?;
        output::warn(&warnings, self.quiet);
        let encountered = self.encountered(&recording, ticks)?;
        let measured = Measured { measures: &measures, tick: header.tick, every: header.every };
        if let Some(json) = &self.json {
            output::put(json, &self.text(header, ticks, &measured, encountered.as_ref()))?;
        }
        if !self.quiet && self.json.as_deref() != Some(Path::new("-")) {
            let (from, to) = (f64::from(ticks.0) * header.tick, f64::from(ticks.1) * header.tick);
            let mut text = format!("{}, {from:.2} s to {to:.2} s\n{}", header.name, measured.table());
            for (name, value) in encountered.iter().flat_map(|found| found.rows(header.tick)) {
                text += &format!("  {name:<32}{value}\n");
            }
            output::print(&text)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn plan(&self, header: &Header, ticks: (u32, u32)) -> Result<Plan, Failure> {
        let mut plan = Plan::of(header);
        plan.ticks = ticks;
        plan.step = Motion::step_of(self.step, header.every, header.tick);
        plan.cells_every = Motion::step_of(self.cells_every, header.every, header.tick);
        plan.cut_off = self.cut_off.0.map(|radius| CutOff { radius, ..CutOff::default() });
        let numbered = |name: &mut String, kind: &str, n: usize| {
            if name.is_empty() {
                *name = format!("{kind} {}", n + 1);
            }
        };
        if !self.line.is_empty() {
            plan.lines.clone_from(&self.line);
        }
        if !self.area.is_empty() {
            plan.areas.clone_from(&self.area);
        }
        if !self.strip.is_empty() {
            plan.strips = self.strip.iter().map(|Strip(line, width)| (line.clone(), *width)).collect();
        }
        plan.lines.iter_mut().enumerate().for_each(|(n, line)| numbered(&mut line.name, "line", n));
        plan.areas.iter_mut().enumerate().for_each(|(n, area)| numbered(&mut area.name, "area", n));
        plan.strips.iter_mut().enumerate().for_each(|(n, (line, _))| numbered(&mut line.name, "strip", n));
        Ok(plan)
    }

    /// A second pass, for those who ask for encounters.
    fn encountered(&self, recording: &Recording, ticks: (u32, u32)) -> Result<Option<Encountered>, Failure> {
        if !self.encounters {
            return Ok(None);
        }
        let mut collector = self.choice.collector(recording.header())?;
        let mut see = |frame: &Frame<'_>| {
            collector.see(frame);
            ControlFlow::Continue(())
        };
        recording.frames(ticks.0, ticks.1, &mut see).map_err(|error| render::unreadable(&self.recording, error))?;
        collector.finish(&self.recording).map(Some)
    }

    fn text(
        &self,
        header: &Header,
        ticks: (u32, u32),
        measured: &Measured<'_>,
        encountered: Option<&Encountered>,
    ) -> String {
        let mut value = measured.json();
        value["encounters"] = json!(encountered.map(|found| found.json(header.tick)));
        value["name"] = json!(header.name);
        value["peak_rss_bytes"] = json!(report::peak_rss_bytes());
        value["from_s"] = json!(f64::from(ticks.0) * header.tick);
        value["to_s"] = json!(f64::from(ticks.1) * header.tick);
        format!("{value}\n")
    }
}

/// One pass over a recording.
pub fn measure(recording: &Recording, plan: Plan, path: &Path) -> Result<Measures, Failure> {
    let wrong = |error| Failure::input(format!("{}: {error}", path.display()));
    let mut measures = Measures::new(recording.header(), recording.people(), plan).map_err(wrong)?;
    let (first, last) = measures.needed();
    let mut see = |frame: &Frame<'_>| {
        measures.see(frame);
        ControlFlow::Continue(())
    };
    recording.frames(first, last, &mut see).map_err(|error| render::unreadable(path, error))?;
    measures.finish();
    Ok(measures)
}

fn positive(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (1e-6..=1e4).contains(seconds));
    seconds.ok_or_else(|| "allowed: a number of seconds above 0, such as 0.2".to_owned())
}

fn cut_off(text: &str) -> Result<Reach, String> {
    if text == "none" {
        return Ok(Reach(None));
    }
    let metres = text.parse::<f64>().ok().filter(|metres| (0.01..=1e4).contains(metres));
    metres.map(|metres| Reach(Some(metres))).ok_or_else(|| "allowed: metres above 0, such as 0.8, or none".to_owned())
}

/// `[NAME=]X,Y,X,Y,X,Y,...`; without a name it is empty.
pub fn area(text: &str) -> Result<NamedPolygon, String> {
    let (name, corners) = text.rsplit_once('=').unwrap_or(("", text));
    let numbers = numbers(corners)?;
    if numbers.len() < 6 || numbers.len() % 2 == 1 {
        return Err("allowed: at least three corners X,Y,X,Y,X,Y, such as 0,0,4,0,4,2,0,2".to_owned());
    }
    let polygon: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    Polygon::new(polygon.iter().map(|p| DVec2::from(*p)).collect()).map_err(|error| error.to_string())?;
    Ok(NamedPolygon { name: name.to_owned(), polygon })
}

/// `[NAME=]X1,Y1,X2,Y2,WIDTH`.
fn strip(text: &str) -> Result<Strip, String> {
    let split = text.rsplit_once(',').and_then(|(line, width)| Some((line, width.trim().parse::<f64>().ok()?)));
    match split.filter(|(_, width)| (0.01..=1e4).contains(width)) {
        Some((line, width)) => Ok(Strip(plot::line(line)?, width)),
        None => Err("allowed: a line and a width above 0 in metres, such as 10,4,10,6,2".to_owned()),
    }
}
