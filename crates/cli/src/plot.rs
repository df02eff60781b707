//! `passerby plot`: charts of a recording, each measured in one pass over it.

use crate::encountered::Choice;
use crate::explain::Wanted;
use crate::failure::Failure;
use crate::foreign::{self, Foreign};
use crate::output::{self, FOLDER};
use crate::plot_pass::{Pass, Passed};
use crate::run::{exit_code, in_pool};
use crate::shapes::{self, JumpSpeed};
use crate::{picture, plot_boxes, plot_json, render};
use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use passerby::record::{NamedLine, NamedPolygon};
use passerby_measure::plot::{Chart, Scene};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  passerby plot passerby-out/room.parquet                             every chart, into passerby-out/
  passerby plot passerby-out/room.parquet --what egress --to egress.svg
  passerby plot passerby-out/room.parquet --what occupancy --cell 0.5 --to where.png
  passerby plot passerby-out/room.parquet --what flow --line gate=10,4,10,6 --to flow.svg --json -
  passerby plot passerby-out/room.parquet --what diagram --area before=5,1,8,1,8,5,5,5 --to diagram.svg
  passerby plot runs.json --what boxes --to spread.svg                the JSON of `passerby run room.toml --runs 50`
  passerby plot passerby-out/room.parquet --explain 12 --at 8.5 --out why.svg   what person 12 sees then, and why they choose what they choose
  passerby plot uo-050-180-180.txt --unit cm --fps 16 --place corridor.wkt --line 0,0,1.8,0 --to corridor/

Lines are crossed as PedPy defines it; without --line the doors of the place are the lines.";

/// What has no meaning for one decision of a run of ours.
const NOT_EXPLAINED: [&str; 11] =
    ["what", "line", "area", "beside", "from_time", "to_time", "cell", "jump_speed", "unit", "fps", "place"];

/// A track is drawn as exactly as this, m: less than a line's width.
pub const TOLERANCE: f64 = 0.01;

/// Draw charts of a recording: trajectories, presence, speed, egress, flow, histograms.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Plot {
    /// Recording, or recorded people in another format
    pub(crate) recording: PathBuf,
    /// Which chart
    #[arg(long, value_enum, default_value_t = What::All)]
    pub(crate) what: What,
    /// A line whose crossings are counted; may be given several times [default: the doors of the place]
    #[arg(long, value_name = "[NAME=]X1,Y1,X2,Y2", allow_hyphen_values = true, value_parser = shapes::line)]
    pub(crate) line: Vec<NamedLine>,
    /// An area whose fundamental diagram is drawn; may be given several times [default: those of the scenario]
    #[arg(long, value_name = "[NAME=]X,Y,X,Y,X,Y,...", allow_hyphen_values = true, value_parser = shapes::area)]
    pub(crate) area: Vec<NamedPolygon>,
    /// Another recording whose fundamental diagram is drawn beside it (`export` makes one of others' files); may be given several times
    #[arg(long, value_name = "RECORDING")]
    pub(crate) beside: Vec<PathBuf>,
    /// Picture to write, or a folder: there each chart is written as SVG and as PNG [default: passerby-out]
    #[arg(long, visible_alias = "out", value_name = "FILE.{svg,png} or FOLDER")]
    to: Option<PathBuf>,
    /// Run the recorded scenario again and show why this person chooses what they choose; the id is that of recordings and exports
    #[arg(long, value_name = "AGENT", requires = "at", conflicts_with_all = NOT_EXPLAINED)]
    explain: Option<u32>,
    /// When, s
    #[arg(long, value_name = "T", requires = "explain", allow_negative_numbers = true, value_parser = shapes::instant)]
    at: Option<f64>,
    /// Where files are that the recorded scenario names [default: where the recording is]
    #[arg(long, value_name = "DIR", requires = "explain")]
    folder: Option<PathBuf>,
    /// Leave out what was before, s
    #[arg(long, alias = "from", value_name = "S", allow_negative_numbers = true, default_value_t = 0.0, value_parser = shapes::moment)]
    from_time: f64,
    /// Leave out what came later, s
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = shapes::moment)]
    to_time: Option<f64>,
    /// Side of the cells of presence and speed, m
    #[arg(long, value_name = "M", allow_negative_numbers = true, default_value_t = 0.2)]
    pub(crate) cell: f64,
    /// Who is faster than this between two recorded places has jumped, m/s: the step is left out; `none`: nobody has [default: 5, runs 20]
    #[arg(long, value_name = "M/S", allow_negative_numbers = true, value_parser = shapes::jump_speed)]
    pub(crate) jump_speed: Option<JumpSpeed>,
    /// Width of PNG pictures in pixels
    #[arg(long, value_name = "W", allow_negative_numbers = true, default_value_t = 1600, value_parser = clap::value_parser!(u32).range(600..=8000))]
    size: u32,
    #[command(flatten)]
    foreign: Foreign,
    /// Write what was measured as JSON, to a file or to stdout (-)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
    // Last: the heading of its options would stand over what comes behind it.
    #[command(flatten)]
    pub(crate) choice: Choice,
}

/// Which chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Everybody's way over the place
    Trajectories,
    /// Where people are, and for how long
    Occupancy,
    /// How fast people are where
    Speed,
    /// How dense it is where, by Voronoi cells
    Density,
    /// Fruin's levels of service, by Voronoi density
    Service,
    /// When somebody was where for the last time
    Last,
    /// Speed against density in areas, beside Weidmann's curve
    Diagram,
    /// People present, entered and left over time
    Egress,
    /// People through lines over time
    Flow,
    /// How often which speed, travel time, distance to the nearest person
    Histograms,
    /// Predicted distance of pairs against normalised time
    Encounters,
    /// How results spread over seeds, from the JSON of `run --runs`
    Boxes,
    /// All of them, but for encounters and boxes
    All,
}

const EACH: [What; 11] = [
    What::Trajectories,
    What::Occupancy,
    What::Speed,
    What::Density,
    What::Service,
    What::Last,
    What::Diagram,
    What::Encounters,
    What::Egress,
    What::Flow,
    What::Histograms,
];

/// Where charts go.
enum Target {
    File(PathBuf),
    /// A folder, and how names of files in it begin.
    Folder(PathBuf, String),
}

impl Plot {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        if let (Some(agent), Some(at)) = (self.explain, self.at) {
            return self.explain(agent, at);
        }
        let target = self.target()?;
        let mut kept = self.foreign.kept(&self.recording);
        kept.extend(self.choice.groups());
        if let Target::File(file) = &target {
            output::refuse(file, "--to", &kept)?;
            kept.push(file);
        }
        if let Some(json) = self.json.as_ref().filter(|json| **json != Path::new("-")) {
            output::refuse(json, "--json", &kept)?;
        }
        if self.what == What::Boxes {
            return self.boxes(&target);
        }
        if ending(&self.recording) == "json" {
            return Err(Failure::input(format!(
                "{}: is no recording\n    hint: the result of many runs is drawn with --what boxes",
                self.recording.display()
            )));
        }
        if self.what != What::Encounters {
            self.choice.refuse("add --what encounters")?;
        }
        if !self.beside.is_empty() && !matches!(self.what, What::Diagram | What::All) {
            return Err(Failure::input("--beside goes with the fundamental diagram\n    hint: add --what diagram"));
        }
        let mut warnings = Vec::new();
        let recording = self.foreign.read(&self.recording, &mut warnings)?;
        warnings.extend(foreign::doubts(&recording, &self.recording));
        let ticks = render::ticks_between(&recording, &self.recording, self.from_time, self.to_time, "--from-time")?;
        let passed =
            Pass { plot: self, recording: &recording, ticks, extent: picture::extent(&recording, ticks)? }.go()?;
        warnings.extend(passed.warnings(&recording.header().place));
        let (header, people) = (recording.header(), recording.people());
        let scene = Scene { header, people, extent: passed.extent, ticks, seen: passed.stays.people() };
        let mut written = Vec::new();
        for what in EACH.into_iter().filter(|what| matches!(self.what, What::All) || *what == self.what) {
            match (what, self.what) {
                (What::Flow, What::All) if passed.crossings.lines().is_empty() => {}
                (What::Encounters, What::All) => {}
                (What::Diagram, What::All) if passed.zones().is_empty() => {}
                _ => self.write(&scene, &passed, what, &target, &mut written)?,
            }
        }
        if let Some(json) = &self.json {
            output::put(json, &plot_json::text(&scene, &passed, &warnings))?;
        }
        output::warn(&warnings, self.quiet);
        if !self.quiet && self.json.as_deref() != Some(Path::new("-")) {
            output::print(&self.summary(&written, &passed))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Why somebody chooses what they choose.
    fn explain(&self, agent: u32, at: f64) -> Result<ExitCode, Failure> {
        let stem = self.recording.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let pictures = match self.to.as_deref().map(|to| (to, ending(to))) {
            Some((to, ending)) if ["svg", "png"].contains(&ending.as_str()) => vec![to.to_owned()],
            // The data alone were asked for.
            None if self.json.is_some() => Vec::new(),
            None => vec![output::default_file(&format!("{stem}-explain-{agent}-{at}"), "svg")?],
            Some((to, _)) => {
                let to = to.display();
                return Err(Failure::input(format!(
                    "--to {to}: cannot tell what to draw\n    allowed: files that end in .svg or .png"
                )));
            }
        };
        let mut kept: Vec<&Path> = vec![&self.recording];
        for picture in &pictures {
            output::refuse(picture, "--to", &kept)?;
            kept.push(picture);
        }
        if let Some(json) = self.json.as_ref().filter(|json| **json != Path::new("-")) {
            output::refuse(json, "--json", &kept)?;
        }
        let wanted = Wanted {
            recording: &self.recording,
            agent,
            at,
            folder: self.folder.as_deref(),
            pictures: &pictures,
            size: self.size,
            json: self.json.as_deref(),
            quiet: self.quiet,
        };
        let done = in_pool(None, || wanted.go())?;
        Ok(exit_code(!done))
    }

    fn boxes(&self, target: &Target) -> Result<ExitCode, Failure> {
        let boxes = plot_boxes::read(&self.recording)?;
        let mut written = Vec::new();
        for path in paths(target, What::Boxes)? {
            let bytes = if ending(&path) == "svg" { Some(boxes.svg().into_bytes()) } else { boxes.png(self.size) };
            let bytes = bytes.ok_or_else(|| anyhow!("{} cannot be drawn", path.display()))?;
            fs::write(&path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
            written.push(path);
        }
        if !self.quiet {
            output::print(&written.iter().map(|path| format!("{} written\n", path.display())).collect::<String>())?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn target(&self) -> Result<Target, Failure> {
        let stem = self.recording.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let Some(to) = &self.to else { return Ok(Target::Folder(FOLDER.into(), stem)) };
        match ending(to).as_str() {
            "svg" | "png" if !to.is_dir() => match self.what {
                What::All => Err(Failure::input(format!(
                    "--to {}: so many charts do not fit into a file\n    hint: name a folder, or one chart with --what",
                    to.display()
                ))),
                _ => Ok(Target::File(to.clone())),
            },
            "" => Ok(Target::Folder(to.clone(), stem)),
            _ if to.is_dir() || to.as_os_str().to_string_lossy().ends_with('/') => Ok(Target::Folder(to.clone(), stem)),
            _ => Err(Failure::input(format!(
                "--to {}: cannot tell what to write\n    allowed: files that end in .svg or .png, folders",
                to.display()
            ))),
        }
    }

    fn write(
        &self,
        scene: &Scene<'_>,
        passed: &Passed,
        what: What,
        target: &Target,
        written: &mut Vec<PathBuf>,
    ) -> Result<(), Failure> {
        let profiles = || {
            let measures = passed.measures.as_ref();
            measures.and_then(|measures| measures.profiles.as_ref()).ok_or_else(|| anyhow!("no density was measured"))
        };
        let chart = match what {
            What::Density => Chart::Density(profiles()?),
            What::Service => Chart::Service(profiles()?),
            What::Last => Chart::Last(profiles()?),
            What::Diagram => Chart::Diagram(passed.zones()),
            What::Encounters => match &passed.encountered {
                Some(found) => Chart::Predicted(&found.close),
                None => return Ok(()),
            },
            What::Trajectories => Chart::Trajectories(&passed.tracks),
            What::Occupancy => Chart::Occupancy(&passed.maps),
            What::Speed => Chart::Speed(&passed.maps),
            What::Egress => Chart::Egress(&passed.stays),
            What::Flow => Chart::Flow(&passed.crossings),
            What::Histograms | What::Boxes | What::All => Chart::Histograms(&passed.histograms),
        };
        let paths = paths(target, what)?;
        for path in paths {
            let bytes = if ending(&path) == "svg" {
                chart.svg(scene).into_bytes()
            } else {
                chart.png(scene, self.size).ok_or_else(|| anyhow!("{} cannot be drawn", path.display()))?
            };
            fs::write(&path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
            written.push(path);
        }
        Ok(())
    }

    fn summary(&self, written: &[PathBuf], passed: &Passed) -> String {
        let mut text: String = written.iter().map(|path| format!("{} written\n", path.display())).collect();
        if self.what == What::All && passed.crossings.lines().is_empty() {
            text += "no flow: the place has no doors; name a line with --line X1,Y1,X2,Y2\n";
        }
        if matches!(self.what, What::All | What::Trajectories) && passed.tracks.tolerance() > TOLERANCE {
            text += &format!("tracks are drawn to {} m: there are very many\n", passed.tracks.tolerance());
        }
        text
    }
}

/// The files that a chart goes into; their folder is made.
fn paths(target: &Target, what: What) -> Result<Vec<PathBuf>, Failure> {
    match target {
        Target::File(path) => Ok(vec![path.clone()]),
        Target::Folder(folder, stem) => {
            fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
            let name = what.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
            Ok(["svg", "png"].map(|ending| folder.join(format!("{stem}-{name}.{ending}"))).to_vec())
        }
    }
}

fn ending(path: &Path) -> String {
    path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_lowercase())
}
