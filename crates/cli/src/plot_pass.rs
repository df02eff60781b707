//! One pass over a recording, for all that charts need of it.

use crate::encountered::Encountered;
use crate::failure::Failure;
use crate::measured_rows::counted;
use crate::plot::{Plot, TOLERANCE, What};
use crate::shapes::{self, JumpSpeed};
use crate::{measure, render};
use passerby::record::{Frame, NamedLine, NamedPolygon, PlaceShape, Recording};
use passerby_measure::{
    Crossings, Extent, Floor, Grid, Histogram, Jumps, Maps, Measures, Nearest, Plan, Stays, Tracks, Zone, astray,
};
use serde_json::json;
use std::ops::ControlFlow;
use std::path::Path;

/// Points of all tracks: 48 MB.
const VERTICES_MAX: usize = 2_000_000;

/// What is passed over, and for which charts.
pub struct Pass<'a> {
    pub plot: &'a Plot,
    pub recording: &'a Recording,
    /// First and last.
    pub ticks: (u32, u32),
    /// The ground that is shown.
    pub extent: Extent,
}

/// Everything that was measured on the way.
pub struct Passed {
    pub extent: Extent,
    pub tracks: Tracks,
    pub maps: Maps,
    pub stays: Stays,
    pub crossings: Crossings,
    /// Speed, travel time, distance to the nearest person.
    pub histograms: [Histogram; 3],
    pub jumps: Jumps,
    /// The rectangle around everybody.
    people: Option<Extent>,
    /// Where a chart needs Voronoi cells or areas.
    pub measures: Option<Measures>,
    /// Where it is asked for.
    pub encountered: Option<Encountered>,
}

impl Passed {
    /// The areas of the fundamental diagram.
    pub fn zones(&self) -> &[Zone] {
        self.measures.as_ref().map_or(&[], |measures| &measures.zones)
    }

    /// What the charts do not show as it may be expected.
    pub fn warnings(&self, place: &PlaceShape) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.jumps.count() > 0 {
            let jumps = counted(&json!(self.jumps.count()), "jump");
            warnings.push(format!(
                "{jumps} left out of tracks, crossings and speeds: faster than people are; `passerby measure` says where"
            ));
        }
        if self.maps.too_fast() > 0 {
            let rows = counted(&json!(self.maps.too_fast()), "row");
            warnings.push(format!("{rows} left out of speeds: their recorded velocity is that of a jump"));
        }
        let floor = Floor::new(place).ok().flatten(); // one that cannot be used was refused before
        let lines = self.crossings.lines().iter().filter(|line| !place.doors.contains(line));
        let lines = lines.filter_map(|line| astray("line", &line.name, &line.line, floor.as_ref(), self.people));
        let areas = self.measures.iter().flat_map(|measures| measures.astray(place));
        warnings.extend(lines.chain(areas).map(|astray| astray.to_string()));
        let zones = self.zones();
        if !zones.is_empty() && zones.iter().all(|zone| zone.speed.count() == 0) {
            warnings.push("the fundamental diagram is empty: nobody walked in any of its areas".to_owned());
        }
        if self.encountered.as_ref().is_some_and(|found| found.close.count() == 0) {
            warnings.push("the chart of encounters is empty: no two people would have passed within a metre of each other; `passerby measure --encounters` counts why".to_owned());
        }
        warnings
    }
}

impl Pass<'_> {
    /// Does it.
    pub fn go(&self) -> Result<Passed, Failure> {
        let Pass { plot, recording, ticks, extent } = self;
        let header = recording.header();
        let grid =
            Grid::new(extent, plot.cell).map_err(|error| Failure::input(format!("--cell {}: {error}", plot.cell)))?;
        let jump_speed = plot.jump_speed.map_or_else(|| Jumps::speed_of(header), |JumpSpeed(speed)| speed);
        let mut passed = Passed {
            extent: *extent,
            tracks: Tracks::new(TOLERANCE, (ticks.1 - ticks.0) / 64, VERTICES_MAX),
            maps: Maps::new(grid, header.tick * f64::from(header.every)).up_to(jump_speed),
            stays: Stays::default(),
            crossings: Crossings::new(self.lines()?),
            histograms: [Histogram::new(0.05, 80), Histogram::of(&[]), Histogram::new(0.05, 100)],
            jumps: Jumps::new(jump_speed, header.tick),
            people: None,
            measures: self.measures(grid, jump_speed)?,
            encountered: None,
        };
        let mut pairs =
            (plot.what == What::Encounters).then(|| plot.choice.collector(header, jump_speed)).transpose()?;
        let mut nearest = Nearest::default();
        let (first, last) = passed.measures.as_ref().map_or(*ticks, Measures::needed);
        let mut see = |frame: &Frame<'_>| {
            passed.measures.iter_mut().for_each(|measures| measures.see(frame));
            if (ticks.0..=ticks.1).contains(&frame.tick) {
                pairs.iter_mut().for_each(|pairs| pairs.see(frame));
                passed.see(frame, jump_speed, &mut nearest);
            }
            ControlFlow::Continue(())
        };
        let read = recording.frames(first, last, &mut see);
        read.map_err(|error| render::unreadable(&plot.recording, error))?;
        if let Some(measures) = &mut passed.measures {
            measures.finish();
            for path in &plot.beside {
                measures.zones.extend(beside(path, &measures.plan().areas)?);
            }
        }
        let times: Vec<f64> = passed.stays.durations().map(|ticks| f64::from(ticks) * header.tick).collect();
        passed.histograms[1] = Histogram::of(&times);
        passed.encountered = pairs.map(|pairs| pairs.finish(&plot.recording, |_, _| {})).transpose()?;
        Ok(passed)
    }

    /// The lines that were named, or those of the scenario, or the doors.
    fn lines(&self) -> Result<Vec<NamedLine>, Failure> {
        let mut lines = self.plot.line.clone();
        shapes::name_all("line", lines.iter_mut().map(|line| &mut line.name))?;
        if lines.is_empty() {
            lines = Plan::of(self.recording.header()).lines;
        }
        if lines.is_empty() && self.plot.what == What::Flow {
            return Err(Failure::input(format!(
                "{}: there is no line to count people at: its place has no doors and its scenario measures none\n    hint: name one, --line X1,Y1,X2,Y2",
                self.plot.recording.display()
            )));
        }
        Ok(lines)
    }

    /// Voronoi cells and areas, if a chart needs them; the areas that were named, or those of the scenario.
    fn measures(&self, grid: Grid, jump_speed: f64) -> Result<Option<Measures>, Failure> {
        let Pass { plot, recording, ticks, .. } = self;
        let mut areas = plot.area.clone();
        shapes::name_all("area", areas.iter_mut().map(|area| &mut area.name))?;
        let usual = Plan::of(recording.header());
        let areas = if areas.is_empty() { usual.areas } else { areas };
        if plot.what == What::Diagram && areas.is_empty() {
            return Err(Failure::input(format!(
                "{}: there is no area whose density could be drawn\n    hint: name one, --area X,Y,X,Y,X,Y",
                plot.recording.display()
            )));
        }
        let profiles = matches!(plot.what, What::All | What::Density | What::Service | What::Last);
        if !profiles && plot.what != What::Diagram {
            return Ok(None);
        }
        let none = (Vec::new(), Vec::new()); // lines are counted without cells
        let (lines, strips) = none;
        let plan = Plan { ticks: *ticks, areas, lines, strips, jump_speed, grid: profiles.then_some(grid), ..usual };
        let measures = Measures::new(recording.header(), recording.people(), plan);
        measures.map(Some).map_err(|error| Failure::input(format!("{}: {error}", plot.recording.display())))
    }
}

impl Passed {
    fn see(&mut self, frame: &Frame<'_>, speed_max: f64, nearest: &mut Nearest) {
        let [speeds, _, distances] = &mut self.histograms;
        Extent::see(&mut self.people, frame);
        self.stays.see(frame);
        let parts = self.jumps.see(frame);
        self.tracks.see_parts(frame, parts);
        self.crossings.see_parts(frame, parts);
        self.maps.see(frame);
        for (vx, vy) in frame.vx.iter().zip(frame.vy) {
            let (vx, vy) = (f64::from(*vx), f64::from(*vy));
            let speed = (vx * vx + vy * vy).sqrt();
            if speed <= speed_max {
                speeds.add(speed);
            }
        }
        nearest.see(frame, |distance| distances.add(distance));
    }
}

/// The same areas in another recording.
fn beside(path: &Path, areas: &[NamedPolygon]) -> Result<Vec<Zone>, Failure> {
    let other = render::open(path)?;
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let named = |area: &NamedPolygon| NamedPolygon { name: format!("{}, {stem}", area.name), ..area.clone() };
    let areas = areas.iter().map(named).collect();
    let plan = Plan { areas, lines: Vec::new(), strips: Vec::new(), ..Plan::of(other.header()) };
    Ok(measure::measure(&other, plan, path)?.zones)
}
