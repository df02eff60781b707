//! What charts of density need: Voronoi cells, seen on the way through a recording.

use crate::failure::Failure;
use passerby::geometry::{DVec2, Polygon};
use passerby::record::{Frame, Header, NamedPolygon};
use passerby_measure::{
    CELLS_SECONDS, Cells, CutOff, Floor, Grid, Jumps, Moment, Motion, Profiles, STEP_SECONDS, Voronoi, Zone,
};
use std::path::Path;

/// Width of the bell curves of Gaussian profiles at half their height, m.
const BELL: f64 = 0.5;

/// Profiles over the ground, and areas.
pub struct Density {
    jumps: Jumps,
    motion: Motion,
    voronoi: Voronoi,
    cells: Cells,
    every: u32,
    cells_every: u32,
    first: Option<u32>,
    pub profiles: Profiles,
    pub zones: Vec<Zone>,
}

impl Density {
    pub fn new(header: &Header, grid: Grid, areas: &[NamedPolygon], path: &Path) -> Result<Density, Failure> {
        let wrong = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
        let zone = |area: &NamedPolygon| {
            let polygon =
                Polygon::new(area.polygon.iter().map(|p| DVec2::from(*p)).collect()).map_err(|e| wrong(&e))?;
            Zone::new(&area.name, polygon).map_err(|error| wrong(&error))
        };
        let floor = Floor::new(&header.place).map_err(|error| wrong(&error))?;
        Ok(Density {
            jumps: Jumps::new(Jumps::speed_of(header), header.tick),
            motion: Motion::new(Motion::step_of(STEP_SECONDS, header.every, header.tick), header.every, header.tick),
            voronoi: Voronoi::new(floor, Some(CutOff::default())),
            cells: Cells::default(),
            every: header.every,
            cells_every: Motion::step_of(CELLS_SECONDS, header.every, header.tick),
            first: None,
            profiles: Profiles::new(grid, BELL),
            zones: areas.iter().map(zone).collect::<Result<_, _>>()?,
        })
    }

    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        self.first.get_or_insert(frame.tick);
        let mut jumps = std::mem::replace(&mut self.jumps, Jumps::new(0.0, 0.0));
        let parts = jumps.see(frame);
        self.through_motion(|motion, each| motion.see_parts(frame, parts, each));
        self.jumps = jumps;
    }

    /// Takes in the end.
    pub fn finish(&mut self) {
        self.through_motion(Motion::finish);
    }

    fn through_motion(&mut self, go: impl FnOnce(&mut Motion, &mut dyn FnMut(&Moment<'_>))) {
        let mut motion = std::mem::replace(&mut self.motion, Motion::new(1, 1, 1.0));
        go(&mut motion, &mut |moment| self.look(moment));
        self.motion = motion;
    }

    fn look(&mut self, moment: &Moment<'_>) {
        self.zones.iter_mut().for_each(|zone| zone.see(moment));
        self.profiles.see(moment);
        let number = (moment.tick - self.first.unwrap_or(moment.tick)) / self.every;
        if number.is_multiple_of(self.cells_every) {
            self.voronoi.cells(moment.at, &mut self.cells);
            self.profiles.see_cells(moment, &self.cells);
        }
    }
}
