//! What a recording says of a run before its first step.

use crate::Simulation;
use passerby_geometry::DVec2;
use passerby_navigation::Floor;
use passerby_record::{FORMAT, Header, NamedLine, NamedPolygon, PlaceShape};

impl Simulation {
    /// The header of this run's recording, for a [`Writer`](passerby_record::Writer): what was known before the first step.
    pub fn header(&self) -> Header {
        let scenario = self.scenario();
        Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            name: scenario.name.clone(),
            scenario: scenario.text.clone(),
            seed: scenario.run.seed,
            tick: scenario.run.tick,
            every: scenario.record.every,
            offset: self.offset().to_array(),
            place: PlaceShape {
                movers: scenario.movers.clone(),
                measures: scenario.measures.clone(),
                ..place_shape(&scenario.place)
            },
            bodies: self.has_bodies(),
        }
    }
}

/// A floor as recordings and pictures know it.
pub fn place_shape(floor: &Floor) -> PlaceShape {
    let ring = |points: &[DVec2]| points.iter().map(|point| point.to_array()).collect::<Vec<_>>();
    PlaceShape {
        areas: floor.areas.iter().map(|area| area.rings().map(|outline| ring(outline.points())).collect()).collect(),
        obstacles: floor.obstacles.iter().map(|polygon| ring(polygon.points())).collect(),
        doors: (floor.doors.iter())
            .map(|door| NamedLine { name: door.name.clone(), line: door.line.map(|end| end.to_array()) })
            .collect(),
        regions: (floor.regions.iter())
            .map(|region| NamedPolygon { name: region.name.clone(), polygon: ring(region.polygon.points()) })
            .collect(),
        movers: Vec::new(),
        measures: Vec::new(),
    }
}
