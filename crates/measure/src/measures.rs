//! All measures of a recording in one pass: the ruler for runs, comparisons and recorded people.

use passerby_geometry::{DVec2, Polygon, PolygonError};
use passerby_record::{Frame, Header, MeasureShape, NamedLine, NamedPolygon, Person, PlaceShape};

use crate::astray::{Astray, astray};
use crate::audit::{Audit, AuditLimits, Fault};
use crate::collisions::Collisions;
use crate::contacts::Contacts;
use crate::crossings::Crossings;
use crate::exits::Exits;
use crate::floor::{Floor, FloorError};
use crate::gate::Gate;
use crate::grid::{Extent, Grid};
use crate::jumps::Jumps;
use crate::lanes::Lanes;
use crate::moment::{Moment, Motion};
use crate::neighbourhood::Neighbourhood;
use crate::pairs::Pairs;
use crate::passing::Passing;
use crate::profiles::Profiles;
use crate::series::Series;
use crate::stops::Stops;
use crate::voronoi::{Cells, CutOff, Voronoi};
use crate::walks::Walks;
use crate::zone::Zone;

/// What is measured, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// First and last tick.
    pub ticks: (u32, u32),
    /// Frames to each side that speeds are taken over.
    pub step: u32,
    /// Every so many frames Voronoi cells, lanes and pairs are looked at.
    pub cells_every: u32,
    /// How far Voronoi cells reach.
    pub cut_off: Option<CutOff>,
    /// Who is faster than this between two recorded places has jumped, m/s: see [`Jumps`].
    pub jump_speed: f64,
    /// Named areas.
    pub areas: Vec<NamedPolygon>,
    /// Named lines.
    pub lines: Vec<NamedLine>,
    /// Cells over the ground whose density and speed are wanted.
    pub grid: Option<Grid>,
    /// Strips of a width to the left of lines, m.
    pub strips: Vec<(NamedLine, f64)>,
}

/// Seconds to each side that speeds are taken over unless told otherwise: heads sway at step frequency.
pub const STEP_SECONDS: f64 = 0.2;
/// Width of the bell curves of profiles at half their height, m: that of PedPy's examples.
const BELL: f64 = 0.5;
/// Seconds between frames that Voronoi cells are computed for unless told otherwise.
pub const CELLS_SECONDS: f64 = 0.4;

impl Plan {
    /// The named lines and areas of a recording; its doors where it has no lines.
    pub fn of(header: &Header) -> Plan {
        let mut plan = Plan {
            ticks: (0, u32::MAX),
            step: Motion::step_of(STEP_SECONDS, header.every, header.tick),
            cells_every: Motion::step_of(CELLS_SECONDS, header.every, header.tick),
            cut_off: Some(CutOff::default()),
            jump_speed: Jumps::speed_of(header),
            areas: Vec::new(),
            lines: Vec::new(),
            grid: None,
            strips: Vec::new(),
        };
        for measure in &header.place.measures {
            let name = measure.name.clone();
            match &measure.shape {
                MeasureShape::Area(polygon) => plan.areas.push(NamedPolygon { name, polygon: polygon.clone() }),
                MeasureShape::Line(line) => plan.lines.push(NamedLine { name, line: *line }),
                MeasureShape::Strip { line, width } => plan.strips.push((NamedLine { name, line: *line }, *width)),
            }
        }
        if plan.lines.is_empty() {
            plan.lines.clone_from(&header.place.doors);
        }
        plan
    }
}

/// Why something cannot be measured.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// An area is no polygon.
    #[error("the area \"{name}\" is no polygon: {error}")]
    Area {
        /// Its name.
        name: String,
        /// What is wrong with it.
        error: PolygonError,
    },
    /// The floor of the place cannot be used.
    #[error(transparent)]
    Floor(#[from] FloorError),
}

/// The measures of one recording.
#[derive(Debug, Clone)]
pub struct Measures {
    plan: Plan,
    every: u32,
    jumps: Jumps,
    motion: Motion,
    voronoi: Voronoi,
    cells: Cells,
    /// Numbers of the frame that was measured last, and of the one whose cells were.
    measured: [Option<u32>; 2],
    /// Frames, and rows in them.
    pub seen: (u64, u64),
    /// Tick of the last frame.
    pub last: u32,
    /// People in the frames.
    pub present: Series,
    /// Speeds of all rows that have one, m/s.
    pub speed: Series,
    /// Rows of people who are not on the floor; they have no Voronoi cell. Of the frames that cells were computed for.
    pub off_floor: u64,
    /// One for each area.
    pub zones: Vec<Zone>,
    /// One for each line.
    pub gates: Vec<Gate>,
    /// Crossings of all lines.
    pub crossings: Crossings,
    /// One for each strip.
    pub passing: Vec<Passing>,
    /// Everybody's walk.
    pub walks: Walks,
    /// Who touched whom.
    pub contacts: Contacts,
    /// Who would touch whom, and when.
    pub collisions: Collisions,
    /// What is wrong with the data.
    pub audit: Audit,
    /// How the regions of the place were left by.
    pub exits: Exits,
    /// Lanes and stripes.
    pub lanes: Lanes,
    /// Standing and stopping.
    pub stops: Stops,
    /// Distances between people.
    pub pairs: Pairs,
    /// Density and speed over the ground, where the plan has a grid.
    pub profiles: Option<Profiles>,
    /// The rectangle around everybody.
    pub extent: Option<Extent>,
    /// Neighbours, where cells are computed.
    pub neighbourhood: Neighbourhood,
}

impl Measures {
    /// Nothing measured yet.
    pub fn new(header: &Header, people: &[Person], plan: Plan) -> Result<Measures, PlanError> {
        let polygon = |area: &NamedPolygon| {
            let corners = area.polygon.iter().map(|p| DVec2::from(*p)).collect();
            Polygon::new(corners).map_err(|error| PlanError::Area { name: area.name.clone(), error })
        };
        let zone = |area: &NamedPolygon| {
            let zone = Zone::new(&area.name, polygon(area)?).map_err(FloorError::from)?;
            Ok::<Zone, PlanError>(zone)
        };
        let regions = header.place.regions.iter();
        let exits =
            regions.map(|region| Ok((region.name.clone(), polygon(region)?))).collect::<Result<_, PlanError>>()?;
        let strip = |(line, width): &(NamedLine, f64)| {
            Passing::new(line, *width, header.every, header.tick)
                .map_err(|error| PlanError::Area { name: line.name.clone(), error })
        };
        Ok(Measures {
            every: header.every,
            jumps: Jumps::new(plan.jump_speed, header.tick),
            motion: Motion::new(plan.step, header.every, header.tick),
            voronoi: Voronoi::new(Floor::new(&header.place)?, plan.cut_off),
            cells: Cells::default(),
            measured: [None; 2],
            seen: (0, 0),
            last: 0,
            present: Series::default(),
            speed: Series::default(),
            off_floor: 0,
            zones: plan.areas.iter().map(zone).collect::<Result<_, _>>()?,
            gates: plan.lines.iter().cloned().map(Gate::new).collect(),
            crossings: Crossings::new(plan.lines.clone()),
            passing: plan.strips.iter().map(strip).collect::<Result<_, _>>()?,
            walks: Walks::new(header.tick),
            contacts: Contacts::new(people),
            collisions: Collisions::new(people),
            audit: Audit::new(header, AuditLimits { speed: plan.jump_speed, ..AuditLimits::default() })
                .map_err(|error| FloorError::Ring { ring: "a ring".to_owned(), error })?,
            exits: Exits::new(exits),
            lanes: Lanes::default(),
            stops: Stops::default(),
            pairs: Pairs::new(0.1, 10.0, header.seed),
            profiles: plan.grid.map(|grid| Profiles::new(grid, BELL)),
            extent: None,
            neighbourhood: Neighbourhood::default(),
            plan,
        })
    }

    /// What is measured.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The ticks of the frames that [`Measures::see`] needs: speeds look a little beyond what is measured.
    pub fn needed(&self) -> (u32, u32) {
        let beyond = 2 * self.plan.step * self.every;
        (self.plan.ticks.0.saturating_sub(beyond), self.plan.ticks.1.saturating_add(beyond))
    }

    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        let (first, last) = self.plan.ticks;
        // Taken out, so that the parts it tells may be handed on.
        let mut jumps = std::mem::replace(&mut self.jumps, Jumps::new(0.0, 0.0));
        let parts = jumps.see(frame);
        if (first..=last).contains(&frame.tick) {
            self.last = frame.tick;
            Extent::see(&mut self.extent, frame);
            self.seen.0 += 1;
            self.seen.1 += frame.id.len() as u64;
            self.present.push(frame.tick, frame.id.len() as f64);
            self.crossings.see_parts(frame, parts);
            self.passing.iter_mut().for_each(|passing| passing.see_parts(frame, parts));
            self.walks.see_parts(frame, parts);
            self.contacts.see(frame);
            self.audit.see(frame);
            self.exits.see(frame);
        }
        self.through_motion(|motion, each| motion.see_parts(frame, parts, each));
        self.jumps = jumps;
    }

    /// Jumps that were left out.
    pub fn jumps(&self) -> u64 {
        self.audit.faults().get(&Fault::Jump).map_or(0, |jumps| jumps.count)
    }

    /// Named lines, areas and strips that nobody can be at. The doors of the place are no one's mistake, wherever they are.
    pub fn astray(&self, place: &PlaceShape) -> Vec<Astray> {
        let (floor, people) = (self.voronoi.floor(), self.extent);
        let lines = self.plan.lines.iter().filter(|line| !place.doors.contains(line));
        let lines = lines.map(|line| astray("line", &line.name, &line.line, floor, people));
        let areas = self.plan.areas.iter().map(|area| astray("area", &area.name, &area.polygon, floor, people));
        let strips = self.passing.iter().map(|strip| astray("strip", &strip.name, &strip.corners(), floor, people));
        lines.chain(areas).chain(strips).flatten().collect()
    }

    /// Takes in the end of the recording.
    pub fn finish(&mut self) {
        self.through_motion(Motion::finish);
        self.contacts.finish();
    }

    fn through_motion(&mut self, go: impl FnOnce(&mut Motion, &mut dyn FnMut(&Moment<'_>))) {
        // Taken out, so that what it hands on may be measured by the others.
        let mut motion = std::mem::replace(&mut self.motion, Motion::new(1, 1, 1.0));
        go(&mut motion, &mut |moment| self.measure(moment));
        self.motion = motion;
    }

    fn measure(&mut self, moment: &Moment<'_>) {
        let (first, last) = self.plan.ticks;
        if !(first..=last).contains(&moment.tick) {
            return;
        }
        for velocity in moment.velocity.iter().flatten() {
            self.speed.push(moment.tick, velocity.length());
        }
        self.stops.see(moment);
        let number = moment.tick.saturating_sub(first) / self.every;
        // Frames in which nobody was there are not in every recording, and still are frames with a density of zero.
        let absent = missing(&mut self.measured[0], number);
        for zone in &mut self.zones {
            zone.nobody(absent);
            zone.see(moment);
        }
        self.profiles.iter_mut().for_each(|profiles| profiles.see(moment));
        if !number.is_multiple_of(self.plan.cells_every.max(1)) {
            return;
        }
        self.lanes.see(moment, |_| true);
        self.pairs.see(moment);
        self.collisions.see(moment);
        if self.zones.is_empty() && self.gates.is_empty() && self.profiles.is_none() {
            return; // cells are dear, and nobody asks for them
        }
        self.voronoi.cells(moment.at, &mut self.cells);
        let cells = &self.cells;
        self.off_floor += (0..cells.len()).filter(|row| cells.area(*row) == 0.0).count() as u64;
        let absent = missing(&mut self.measured[1], number / self.plan.cells_every.max(1));
        for zone in &mut self.zones {
            zone.no_cells(absent);
            zone.see_cells(moment, cells);
        }
        self.gates.iter_mut().for_each(|gate| gate.see_cells(moment, cells));
        self.profiles.iter_mut().for_each(|profiles| profiles.see_cells(moment, cells));
        self.neighbourhood.see_cells(moment, cells);
    }
}

/// How many numbers were left out between the last one and this one.
fn missing(last: &mut Option<u32>, number: u32) -> u64 {
    let before = last.replace(number);
    u64::from(before.map_or(number, |before| number - before - 1))
}
