//! `passerby plot`: charts of a recording, each measured in one pass over it.

use crate::encountered::{Choice, Encountered};
use crate::failure::Failure;
use crate::foreign::Foreign;
use crate::output::{self, FOLDER};
use crate::plot_cells::Density;
use crate::{measure, picture, plot_boxes, plot_json, render};
use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use passerby::record::{Frame, MeasureShape, NamedLine, NamedPolygon, Recording};
use passerby_measure::plot::{Chart, Scene};
use passerby_measure::{Crossings, Grid, Histogram, Maps, Nearest, Plan, Stays, Tracks, Zone};
use std::fs;
use std::ops::ControlFlow;
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
  passerby plot uo-050-180-180.txt --unit cm --fps 16 --place corridor.wkt --line 0,0,1.8,0 --to corridor/

Lines are crossed as PedPy defines it; without --line the doors of the place are the lines.";

/// Points of all tracks: 48 MB.
const VERTICES_MAX: usize = 2_000_000;
/// A track is drawn as exactly as this, m: less than a line's width.
const TOLERANCE: f64 = 0.01;

/// Draw charts of a recording: trajectories, presence, speed, egress, flow, histograms.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Plot {
    /// Recording, or recorded people in another format
    recording: PathBuf,
    /// Which chart
    #[arg(long, value_enum, default_value_t = What::All)]
    what: What,
    /// A line whose crossings are counted; may be given several times [default: the doors of the place]
    #[arg(long, value_name = "[NAME=]X1,Y1,X2,Y2", allow_negative_numbers = true, value_parser = line)]
    line: Vec<NamedLine>,
    /// An area whose fundamental diagram is drawn; may be given several times [default: those of the scenario]
    #[arg(long, value_name = "[NAME=]X,Y,X,Y,X,Y,...", allow_negative_numbers = true, value_parser = measure::area)]
    area: Vec<NamedPolygon>,
    /// Another recording whose fundamental diagram is drawn beside it; may be given several times
    #[arg(long, value_name = "RECORDING")]
    beside: Vec<PathBuf>,
    /// Picture to write, or a folder: there each chart is written as SVG and as PNG [default: passerby-out]
    #[arg(long, value_name = "FILE.{svg,png} or FOLDER")]
    to: Option<PathBuf>,
    /// Leave out what was before, s
    #[arg(long, alias = "from", value_name = "S", allow_negative_numbers = true, default_value_t = 0.0)]
    from_time: f64,
    /// Leave out what came later, s
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = f64::INFINITY, hide_default_value = true)]
    to_time: f64,
    /// Side of the cells of presence and speed, m
    #[arg(long, value_name = "M", allow_negative_numbers = true, default_value_t = 0.2)]
    cell: f64,
    /// Width of PNG pictures in pixels
    #[arg(long, value_name = "W", allow_negative_numbers = true, default_value_t = 1600, value_parser = clap::value_parser!(u32).range(600..=8000))]
    size: u32,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    foreign: Foreign,
    /// Write what was measured as JSON, to a file or to stdout (-)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
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

/// Everything that is measured on the way.
pub struct Measured {
    pub tracks: Tracks,
    pub maps: Maps,
    pub stays: Stays,
    pub crossings: Crossings,
    /// Speed, travel time, distance to the nearest person.
    pub histograms: [Histogram; 3],
    /// Where a chart needs it.
    pub density: Option<Density>,
    /// Where it is asked for.
    pub encountered: Option<Encountered>,
}

impl Plot {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let target = self.target()?;
        if let Target::File(file) = &target {
            output::refuse(file, "--to", &self.foreign.kept(&self.recording))?;
        }
        if let Some(json) = self.json.as_ref().filter(|json| **json != Path::new("-")) {
            output::refuse(json, "--json", &self.foreign.kept(&self.recording))?;
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
        let mut warnings = Vec::new();
        let recording = self.foreign.read(&self.recording, &mut warnings)?;
        let ticks = render::ticks_between(&recording, &self.recording, self.from_time, self.to_time, "--from-time")?;
        let lines = self.lines(&recording)?;
        let measured = self.measure(&recording, ticks, lines)?;
        let seen = measured.stays.people();
        let (header, people) = (recording.header(), recording.people());
        let extent = picture::extent(&recording, ticks)?;
        let scene = Scene { header, people, extent, ticks, seen };
        let mut written = Vec::new();
        for what in EACH.into_iter().filter(|what| matches!(self.what, What::All) || *what == self.what) {
            match (what, self.what) {
                (What::Flow, What::All) if measured.crossings.lines().is_empty() => {}
                (What::Encounters, What::All) => {}
                (What::Diagram, What::All) if self.areas(&recording).is_empty() => {}
                _ => self.write(&scene, &measured, what, &target, &mut written)?,
            }
        }
        if let Some(json) = &self.json {
            output::put(json, &plot_json::text(&scene, &measured))?;
        }
        output::warn(&warnings, self.quiet);
        if !self.quiet && self.json.as_deref() != Some(Path::new("-")) {
            output::print(&self.summary(&written, &measured))?;
        }
        Ok(ExitCode::SUCCESS)
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

    /// The lines that were named, or the doors.
    fn lines(&self, recording: &Recording) -> Result<Vec<NamedLine>, Failure> {
        let mut lines = self.line.clone();
        for (n, line) in lines.iter_mut().enumerate().filter(|(_, line)| line.name.is_empty()) {
            line.name = format!("line {}", n + 1);
        }
        if lines.is_empty() {
            lines = Plan::of(recording.header()).lines; // those of the scenario, or the doors
        }
        if lines.is_empty() && self.what == What::Flow {
            let shown = self.recording.display();
            return Err(Failure::input(format!(
                "{shown}: there is no line to count people at: its place has no doors and its scenario measures none\n    hint: name one, --line X1,Y1,X2,Y2"
            )));
        }
        Ok(lines)
    }

    /// The areas that were named, or those of the scenario.
    fn areas(&self, recording: &Recording) -> Vec<NamedPolygon> {
        let mut areas = self.area.clone();
        for (n, area) in areas.iter_mut().enumerate().filter(|(_, area)| area.name.is_empty()) {
            area.name = format!("area {}", n + 1);
        }
        if areas.is_empty() {
            let held = recording.header().place.measures.iter();
            areas.extend(held.filter_map(|measure| match &measure.shape {
                MeasureShape::Area(polygon) => {
                    Some(NamedPolygon { name: measure.name.clone(), polygon: polygon.clone() })
                }
                _ => None,
            }));
        }
        areas
    }

    /// Voronoi cells, if a chart needs them.
    fn density(&self, recording: &Recording, grid: Grid) -> Result<Option<Density>, Failure> {
        let areas = self.areas(recording);
        if self.what == What::Diagram && areas.is_empty() {
            return Err(Failure::input(format!(
                "{}: there is no area whose density could be drawn\n    hint: name one, --area X,Y,X,Y,X,Y",
                self.recording.display()
            )));
        }
        let needed = matches!(self.what, What::All | What::Density | What::Service | What::Last | What::Diagram);
        needed.then(|| Density::new(recording.header(), grid, &areas, &self.recording)).transpose()
    }

    /// The same areas in another recording.
    fn beside(&self, path: &Path, grid: Grid, areas: &[NamedPolygon]) -> Result<Vec<Zone>, Failure> {
        let other = render::open(path)?;
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let named = |area: &NamedPolygon| NamedPolygon { name: format!("{}, {stem}", area.name), ..area.clone() };
        let areas: Vec<NamedPolygon> = areas.iter().map(named).collect();
        let mut density = Density::new(other.header(), grid, &areas, path)?;
        let mut see = |frame: &Frame<'_>| {
            density.see(frame);
            ControlFlow::Continue(())
        };
        other.frames(0, u32::MAX, &mut see).map_err(|error| render::unreadable(path, error))?;
        density.finish();
        Ok(density.zones)
    }

    /// One pass over the recording.
    fn measure(&self, recording: &Recording, ticks: (u32, u32), lines: Vec<NamedLine>) -> Result<Measured, Failure> {
        let header = recording.header();
        let extent = picture::extent(recording, ticks)?;
        let grid =
            Grid::new(&extent, self.cell).map_err(|error| Failure::input(format!("--cell {}: {error}", self.cell)))?;
        let mut tracks = Tracks::new(TOLERANCE, (ticks.1 - ticks.0) / 64, VERTICES_MAX);
        let mut maps = Maps::new(grid, header.tick * f64::from(header.every));
        let (mut stays, mut crossings) = (Stays::default(), Crossings::new(lines));
        let (mut speeds, mut distances) = (Histogram::new(0.05, 80), Histogram::new(0.05, 100));
        let mut nearest = Nearest::default();
        let mut density = self.density(recording, grid)?;
        let mut pairs = (self.what == What::Encounters).then(|| self.choice.collector(header)).transpose()?;
        let mut see = |frame: &Frame<'_>| {
            pairs.iter_mut().for_each(|pairs| pairs.see(frame));
            tracks.see(frame);
            maps.see(frame);
            stays.see(frame);
            crossings.see(frame);
            for (vx, vy) in frame.vx.iter().zip(frame.vy) {
                let (vx, vy) = (f64::from(*vx), f64::from(*vy));
                speeds.add((vx * vx + vy * vy).sqrt());
            }
            nearest.see(frame, |distance| distances.add(distance));
            density.iter_mut().for_each(|density| density.see(frame));
            ControlFlow::Continue(())
        };
        recording.frames(ticks.0, ticks.1, &mut see).map_err(|error| render::unreadable(&self.recording, error))?;
        if let Some(density) = &mut density {
            density.finish();
            for path in &self.beside {
                density.zones.extend(self.beside(path, grid, &self.areas(recording))?);
            }
        }
        let times: Vec<f64> = stays.durations().map(|ticks| f64::from(ticks) * header.tick).collect();
        let histograms = [speeds, Histogram::of(&times), distances];
        let encountered = pairs.map(|pairs| pairs.finish(&self.recording)).transpose()?;
        Ok(Measured { tracks, maps, stays, crossings, histograms, density, encountered })
    }

    fn write(
        &self,
        scene: &Scene<'_>,
        measured: &Measured,
        what: What,
        target: &Target,
        written: &mut Vec<PathBuf>,
    ) -> Result<(), Failure> {
        let held = || measured.density.as_ref().ok_or_else(|| anyhow!("no density was measured"));
        let chart = match what {
            What::Density => Chart::Density(&held()?.profiles),
            What::Service => Chart::Service(&held()?.profiles),
            What::Last => Chart::Last(&held()?.profiles),
            What::Diagram => Chart::Diagram(&held()?.zones),
            What::Encounters => match &measured.encountered {
                Some(found) => Chart::Predicted(&found.close),
                None => return Ok(()),
            },
            What::Trajectories => Chart::Trajectories(&measured.tracks),
            What::Occupancy => Chart::Occupancy(&measured.maps),
            What::Speed => Chart::Speed(&measured.maps),
            What::Egress => Chart::Egress(&measured.stays),
            What::Flow => Chart::Flow(&measured.crossings),
            What::Histograms | What::Boxes | What::All => Chart::Histograms(&measured.histograms),
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

    fn summary(&self, written: &[PathBuf], measured: &Measured) -> String {
        let mut text: String = written.iter().map(|path| format!("{} written\n", path.display())).collect();
        if self.what == What::All && measured.crossings.lines().is_empty() {
            text += "no flow: the place has no doors; name a line with --line X1,Y1,X2,Y2\n";
        }
        if matches!(self.what, What::All | What::Trajectories) && measured.tracks.tolerance() > TOLERANCE {
            text += &format!("tracks are drawn to {} m: there are very many\n", measured.tracks.tolerance());
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

/// `[NAME=]X1,Y1,X2,Y2`; without a name it is empty.
pub fn line(text: &str) -> Result<NamedLine, String> {
    let (name, numbers) = text.rsplit_once('=').unwrap_or(("", text));
    let values: Vec<f64> = numbers.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    match (<[f64; 4]>::try_from(&values[..]), numbers.split(',').count()) {
        (Ok([x1, y1, x2, y2]), 4) if values.iter().all(|value| value.abs() <= 1e9) && [x1, y1] != [x2, y2] => {
            Ok(NamedLine { name: name.to_owned(), line: [[x1, y1], [x2, y2]] })
        }
        _ => Err("allowed: the two different ends of a line in metres, such as 10,4.4,10,5.6 or gate=10,4.4,10,5.6"
            .to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let gate = line("north gate=10, -4.5,10,5.6").unwrap();
        assert_eq!((&*gate.name, gate.line), ("north gate", [[10.0, -4.5], [10.0, 5.6]]));
        assert_eq!(line("-1,0,1,0").unwrap().line, [[-1.0, 0.0], [1.0, 0.0]]);
        for wrong in ["", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,1,2", "nan,0,1,1", "1,2,,3,4", "1e300,0,1,1"] {
            assert!(line(wrong).is_err(), "{wrong}");
        }
    }
}
