//! What happens in a named area: density and speed, by counting people and by Voronoi cells.
//!
//! | measure | definition (PedPy's) |
//! | --- | --- |
//! | classic density | people inside / area; who is on the border is outside |
//! | mean speed | mean of the speeds of those inside |
//! | Voronoi density | integral of 1 / (area of the cell) over the area / area |
//! | Voronoi speed | integral of the speed of a cell's person over the area / area: ground that is nobody's counts as 0 m/s |

use passerby_geometry::triangulation::TriangulationError;
use passerby_geometry::{DVec2, Polygon};

use crate::diagram::Diagram;
use crate::floor::Floor;
use crate::moment::Moment;
use crate::series::Series;
use crate::voronoi::Cells;

/// Density and speed in one area.
#[derive(Debug, Clone)]
pub struct Zone {
    /// Its name.
    pub name: String,
    polygon: Polygon,
    region: Floor,
    area: f64,
    /// Classic density, 1/m2, of every frame.
    pub density: Series,
    /// Mean speed, m/s, of the frames with people.
    pub speed: Series,
    /// Mean size of the acceleration, m/s2, of the frames with people who have one.
    pub acceleration: Series,
    /// Voronoi density, 1/m2, of the frames with cells.
    pub voronoi_density: Series,
    /// Voronoi speed, m/s, of the frames with cells.
    pub voronoi_speed: Series,
    /// Density and mean speed of the frames with people: the fundamental diagram.
    pub diagram: Diagram,
}

impl Zone {
    /// Nobody was there yet.
    pub fn new(name: &str, polygon: Polygon) -> Result<Zone, TriangulationError> {
        let region = Floor::of_polygon(&polygon)?;
        let area = polygon.area();
        Ok(Zone {
            name: name.to_owned(),
            polygon,
            region,
            area,
            density: Series::default(),
            speed: Series::default(),
            acceleration: Series::default(),
            voronoi_density: Series::default(),
            voronoi_speed: Series::default(),
            diagram: Diagram::default(),
        })
    }

    /// Its area, m2.
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Its outline.
    pub fn polygon(&self) -> &Polygon {
        &self.polygon
    }

    /// Whether somebody at this place is inside.
    pub fn contains(&self, at: DVec2) -> bool {
        self.polygon.surrounds(at)
    }

    /// Counts those who are inside.
    pub fn see(&mut self, moment: &Moment<'_>) {
        let (mut people, mut speeds, mut accelerations) = (0_u32, Mean::default(), Mean::default());
        for (row, at) in moment.at.iter().enumerate() {
            if self.polygon.surrounds(*at) {
                people += 1;
                speeds.add(moment.velocity[row].map(DVec2::length));
                accelerations.add(moment.acceleration[row].map(DVec2::length));
            }
        }
        let density = f64::from(people) / self.area;
        self.density.push(moment.tick, density);
        if let Some(speed) = speeds.value() {
            self.speed.push(moment.tick, speed);
            self.diagram.add(density, speed);
        }
        if let Some(acceleration) = accelerations.value() {
            self.acceleration.push(moment.tick, acceleration);
        }
    }

    /// Counts frames in which nobody was anywhere, so that there is no moment of them.
    pub fn nobody(&mut self, frames: u64) {
        self.density.push_zeros(frames);
    }

    /// The same for frames that cells would have been computed for.
    pub fn no_cells(&mut self, frames: u64) {
        self.voronoi_density.push_zeros(frames);
        self.voronoi_speed.push_zeros(frames);
    }

    /// Takes in the cells of the same moment.
    pub fn see_cells(&mut self, moment: &Moment<'_>, cells: &Cells) {
        let (low, high) = self.polygon.bounds();
        let (mut density, mut speed) = (0.0, 0.0);
        // Who owns ground here, and how many of them have a speed: without any there is no speed, which is not 0 m/s.
        let (mut owners, mut known) = (0, 0);
        for row in 0..cells.len() {
            let [from, to] = cells.bounds(row);
            if cells.area(row) == 0.0 || !(from.cmple(high).all() && low.cmple(to).all()) {
                continue;
            }
            let inside = cells.area_inside(row, &self.region);
            density += inside / cells.area(row);
            speed += inside * moment.velocity[row].map_or(0.0, DVec2::length);
            if inside > 0.0 {
                (owners += 1, known += u32::from(moment.velocity[row].is_some()));
            }
        }
        self.voronoi_density.push(moment.tick, density / self.area);
        if owners == 0 || known > 0 {
            self.voronoi_speed.push(moment.tick, speed / self.area);
        }
    }

    /// Mean of the mean speeds of all frames, those without people as 0 m/s: what PedPy's mean over frames gives.
    pub fn speed_with_empty(&self) -> Option<f64> {
        (self.density.count() > 0).then(|| self.speed.sum() / self.density.count() as f64)
    }
}

/// A mean of what is there.
#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value {
            self.sum += value;
            self.count += 1;
        }
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voronoi::Voronoi;

    fn rectangle(low: [f64; 2], high: [f64; 2]) -> Polygon {
        Polygon::rectangle(low.into(), high.into()).unwrap()
    }

    /// Section 5 of the worked examples: three people in a box of 8 m x 4 m, and the area x from 1.5 to 6.
    #[test]
    fn densities_and_speeds_of_three() {
        let at = [[1.0, 2.0], [3.0, 2.0], [7.0, 2.0]].map(DVec2::from);
        let velocity = [1.0, 1.2, 0.5].map(|speed| Some(DVec2::new(0.0, speed)));
        let moment = Moment {
            tick: 7,
            id: &[1, 2, 3],
            at: &at,
            velocity: &velocity,
            acceleration: &[None, Some(DVec2::X), None],
        };
        let mut zone = Zone::new("middle", rectangle([1.5, 0.0], [6.0, 4.0])).unwrap();
        let mut cells = Cells::default();
        Voronoi::new(Some(Floor::of_polygon(&rectangle([0.0, 0.0], [8.0, 4.0])).unwrap()), None).cells(&at, &mut cells);
        zone.see(&moment);
        zone.see_cells(&moment, &cells);
        let near = |series: &Series, expected: f64| {
            assert!((series.mean().unwrap() - expected).abs() < 1e-6, "{series:?}, expected {expected}");
        };
        near(&zone.density, 0.055556);
        near(&zone.speed, 1.2);
        near(&zone.acceleration, 1.0);
        near(&zone.voronoi_density, 0.087963);
        near(&zone.voronoi_speed, 1.022222);
        assert_eq!(zone.density.points(), [(7, 1.0 / 18.0)]);
    }

    #[test]
    fn ground_of_people_without_a_speed_has_none() {
        let at = [[1.0, 2.0], [3.0, 2.0]].map(DVec2::from);
        let mut cells = Cells::default();
        Voronoi::new(Some(Floor::of_polygon(&rectangle([0.0, 0.0], [4.0, 4.0])).unwrap()), None).cells(&at, &mut cells);
        let see = |velocity: [Option<DVec2>; 2]| {
            let mut zone = Zone::new("all", rectangle([0.0, 0.0], [4.0, 4.0])).unwrap();
            let moment = Moment { tick: 0, id: &[1, 2], at: &at, velocity: &velocity, acceleration: &[None; 2] };
            zone.see_cells(&moment, &cells);
            (zone.voronoi_density.mean(), zone.voronoi_speed.mean())
        };
        assert_eq!(see([None, None]), (Some(0.125), None));
        assert_eq!(see([None, Some(DVec2::X)]), (Some(0.125), Some(0.5))); // as PedPy: the others' ground counts as 0 m/s
    }

    #[test]
    fn who_is_on_the_border_is_outside_and_empty_frames_have_no_speed() {
        let mut zone = Zone::new("square", rectangle([1.0, 1.0], [3.0, 3.0])).unwrap();
        let at = [[1.0, 1.0], [3.0, 1.0], [2.0, 3.0]].map(DVec2::from);
        let moment =
            Moment { tick: 0, id: &[1, 2, 3], at: &at, velocity: &[Some(DVec2::X); 3], acceleration: &[None; 3] };
        zone.see(&moment);
        assert_eq!((zone.density.mean(), zone.speed.mean(), zone.speed_with_empty()), (Some(0.0), None, Some(0.0)));
        let moment =
            Moment { tick: 1, id: &[1], at: &[DVec2::splat(2.0)], velocity: &[Some(DVec2::X)], acceleration: &[None] };
        zone.see(&moment);
        assert_eq!(
            (zone.density.mean(), zone.speed.mean(), zone.speed_with_empty()),
            (Some(0.125), Some(1.0), Some(0.5))
        );
    }
}
