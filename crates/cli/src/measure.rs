//! `passerby measure`: what happened in a recording, by definitions that others use, in one pass over it.

use crate::encountered::{Choice, Encountered};
use crate::failure::Failure;
use crate::foreign::{self, Foreign};
use crate::foreseen::Foreseen;
use crate::measured::Measured;
use crate::shapes::{JumpSpeed, Reach, Strip};
use crate::{encounter_rows, foreseen, output, render, report, shapes};
use clap::Args;
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
  passerby measure zara01/obsmat.txt --fps 25 --encounters-csv pairs.csv --entropy
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
    #[arg(long, value_name = "[NAME=]X1,Y1,X2,Y2", allow_hyphen_values = true, value_parser = shapes::line)]
    line: Vec<NamedLine>,
    /// An area, by its corners; may be given several times [default: those of the scenario]
    #[arg(long, value_name = "[NAME=]X,Y,X,Y,X,Y,...", allow_hyphen_values = true, value_parser = shapes::area)]
    area: Vec<NamedPolygon>,
    /// The strip of a width to the left of a line; may be given several times
    #[arg(long, value_name = "[NAME=]X1,Y1,X2,Y2,WIDTH", allow_hyphen_values = true, value_parser = shapes::strip)]
    strip: Vec<Strip>,
    /// Leave out what was before, s
    #[arg(long, alias = "from", value_name = "S", allow_negative_numbers = true, default_value_t = 0.0, value_parser = shapes::moment)]
    from_time: f64,
    /// Leave out what came later, s
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = shapes::moment)]
    to_time: Option<f64>,
    /// Seconds to each side that speeds are taken over
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = passerby_measure::STEP_SECONDS, value_parser = shapes::step)]
    step: f64,
    /// Seconds between the frames that Voronoi cells are computed for
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = passerby_measure::CELLS_SECONDS, value_parser = shapes::interval)]
    cells_every: f64,
    /// How far Voronoi cells reach, m; `none`: to the walls
    #[arg(long, value_name = "M", allow_negative_numbers = true, default_value = "0.8", value_parser = shapes::cut_off)]
    cut_off: Reach,
    /// Who is faster than this between two recorded places has jumped, m/s: the step is left out; `none`: nobody has [default: 5, runs 20]
    #[arg(long, value_name = "M/S", allow_negative_numbers = true, value_parser = shapes::jump_speed)]
    jump_speed: Option<JumpSpeed>,
    /// Look at pairs of walkers who come near each other at an angle
    #[arg(long)]
    encounters: bool,
    /// Write one row for each encounter: who, when each phase begins, how near, who adapts how much, who passes first
    #[arg(long, value_name = "FILE.csv")]
    encounters_csv: Option<PathBuf>,
    /// How well people are foreseen who walk on as they walk: the entropy metric
    #[arg(long)]
    entropy: bool,
    /// Seconds that the entropy metric foresees
    #[arg(long, value_name = "S", allow_negative_numbers = true, requires = "entropy", default_value_t = foreseen::STEP_SECONDS, value_parser = shapes::step)]
    entropy_step: f64,
    #[command(flatten)]
    foreign: Foreign,
    /// Write everything as JSON, to a file or to stdout (-) in place of the table
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
    // Last: the heading of its options would stand over what comes behind it.
    #[command(flatten)]
    choice: Choice,
}

impl Measure {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        self.refuse_what_does_not_go()?;
        let mut warnings = Vec::new();
        let recording = self.foreign.read(&self.recording, &mut warnings)?;
        warnings.extend(foreign::doubts(&recording, &self.recording));
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
        warnings.extend(measures.astray(&header.place).iter().map(ToString::to_string));
        output::warn(&warnings, self.quiet);
        let encountered = self.encountered(&recording, ticks, measures.plan().jump_speed)?;
        let foreseen = self
            .entropy
            .then(|| Foreseen::new(&recording, ticks, self.entropy_step, measures.plan().jump_speed, &self.recording));
        let foreseen = foreseen.transpose()?;
        let measured = Measured { measures: &measures, tick: header.tick, every: header.every };
        if let Some(json) = &self.json {
            let mut value = measured.json();
            value["encounters"] = json!(encountered.as_ref().map(|found| found.json(header.tick)));
            value["entropy"] = json!(foreseen.as_ref().map(Foreseen::json));
            value["warnings"] = json!(warnings);
            value["name"] = json!(header.name);
            value["peak_rss_bytes"] = json!(report::peak_rss_bytes());
            value["from_s"] = json!(f64::from(ticks.0) * header.tick);
            value["to_s"] = json!(f64::from(ticks.1) * header.tick);
            output::put(json, &format!("{value}\n"))?;
        }
        if !self.quiet && self.json.as_deref() != Some(Path::new("-")) {
            let (from, to) = (f64::from(ticks.0) * header.tick, f64::from(ticks.1) * header.tick);
            let mut text = format!("{}, {from:.2} s to {to:.2} s\n{}", header.name, measured.table());
            let more = encountered.iter().flat_map(|found| found.rows(header.tick));
            for (name, value) in more.chain(foreseen.iter().map(Foreseen::row)) {
                text += &format!("  {name:<32}{value}\n");
            }
            output::print(&text)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// What can be told from the options alone.
    fn refuse_what_does_not_go(&self) -> Result<(), Failure> {
        let mut kept = self.foreign.kept(&self.recording);
        kept.extend(self.choice.groups());
        if let Some(json) = self.json.as_ref().filter(|json| **json != Path::new("-")) {
            output::refuse(json, "--json", &kept)?;
            kept.push(json);
        }
        match &self.encounters_csv {
            Some(csv) if csv == Path::new("-") => {
                Err(Failure::input("--encounters-csv -: the table is printed there; name a file"))
            }
            Some(csv) => output::refuse(csv, "--encounters-csv", &kept),
            None if self.encounters => Ok(()),
            None => self.choice.refuse("add --encounters"),
        }
    }

    fn plan(&self, header: &Header, ticks: (u32, u32)) -> Result<Plan, Failure> {
        let mut plan = Plan::of(header);
        plan.ticks = ticks;
        plan.step = Motion::step_of(self.step, header.every, header.tick);
        plan.cells_every = Motion::step_of(self.cells_every, header.every, header.tick);
        if let Some(JumpSpeed(speed)) = self.jump_speed {
            plan.jump_speed = speed;
        }
        plan.cut_off = self.cut_off.0.map(|radius| CutOff { radius, ..CutOff::default() });
        if !self.line.is_empty() {
            plan.lines.clone_from(&self.line);
            shapes::name_all("line", plan.lines.iter_mut().map(|line| &mut line.name))?;
        }
        if !self.area.is_empty() {
            plan.areas.clone_from(&self.area);
            shapes::name_all("area", plan.areas.iter_mut().map(|area| &mut area.name))?;
        }
        if !self.strip.is_empty() {
            plan.strips = self.strip.iter().map(|Strip(line, width)| (line.clone(), *width)).collect();
            shapes::name_all("strip", plan.strips.iter_mut().map(|(line, _)| &mut line.name))?;
        }
        Ok(plan)
    }

    /// A second pass, for those who ask for encounters.
    fn encountered(
        &self,
        recording: &Recording,
        ticks: (u32, u32),
        jump_speed: f64,
    ) -> Result<Option<Encountered>, Failure> {
        if !self.encounters && self.encounters_csv.is_none() {
            return Ok(None);
        }
        let mut collector = self.choice.collector(recording.header(), jump_speed)?;
        let mut see = |frame: &Frame<'_>| {
            collector.see(frame);
            ControlFlow::Continue(())
        };
        recording.frames(ticks.0, ticks.1, &mut see).map_err(|error| render::unreadable(&self.recording, error))?;
        let mut rows = encounter_rows::HEAD.to_owned();
        let found = collector.finish(&self.recording, |encounter, seconds| {
            if self.encounters_csv.is_some() {
                encounter_rows::add(&mut rows, encounter, seconds);
            }
        })?;
        if let Some(csv) = &self.encounters_csv {
            output::put(csv, &rows)?;
        }
        Ok(Some(found))
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
