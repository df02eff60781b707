//! Density and speed over the ground, cell by cell: Voronoi and Gaussian profiles, the time of last occupation, levels of service.
//!
//! The classic density and the mean speed of those in a cell are in [`Maps`](crate::Maps). Here a cell gets the share that
//! Voronoi cells have of it, or the sum of bell curves around people; both averaged over frames. PedPy's definitions.

use passerby_geometry::{DVec2, math::double};

use crate::convex::{self, Corner, cut};
use crate::grid::Grid;
use crate::moment::Moment;
use crate::voronoi::{Cells, Edge};

/// Sums over frames for each cell of a grid.
#[derive(Debug, Clone)]
pub struct Profiles {
    grid: Grid,
    /// Full width of the bell curves at half their height, m.
    width: f64,
    frames: u64,
    voronoi_frames: u64,
    voronoi: Vec<f64>,
    voronoi_speed: Vec<f64>,
    gaussian: Vec<f64>,
    weights: Vec<f64>,
    weighted_speed: Vec<f64>,
    last: Vec<Option<u32>>,
    part: Vec<Corner<Edge>>,
    scratch: Vec<Corner<Edge>>,
}

impl Profiles {
    /// Nothing seen yet. Bell curves of `width` metres at half their height; PedPy's examples take 0.5 m.
    pub fn new(grid: Grid, width: f64) -> Profiles {
        let cells = grid.columns() * grid.rows();
        let zero = || vec![0.0; cells];
        Profiles {
            grid,
            width,
            frames: 0,
            voronoi_frames: 0,
            voronoi: zero(),
            voronoi_speed: zero(),
            gaussian: zero(),
            weights: zero(),
            weighted_speed: zero(),
            last: vec![None; cells],
            part: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Takes in a moment: who is where.
    pub fn see(&mut self, moment: &Moment<'_>) {
        self.frames += 1;
        for (row, at) in moment.at.iter().enumerate() {
            if let Some(cell) = self.grid.cell_of([at.x, at.y]) {
                self.last[cell] = Some(moment.tick);
            }
            self.spread(*at, moment.velocity[row].map(DVec2::length));
        }
    }

    /// Adds the bell curve of somebody to all cells within its reach.
    fn spread(&mut self, at: DVec2, speed: Option<f64>) {
        let sigma = self.width / 2.354_820_045;
        let reach = 6.0 * sigma; // beyond, less than 2e-8 of its height
        let (low, cell) = (DVec2::from(self.grid.extent().low), self.grid.cell());
        let from = ((at - low - reach) / cell).floor().max(DVec2::ZERO);
        let to = ((at - low + reach) / cell)
            .floor()
            .min(DVec2::new(self.grid.columns() as f64, self.grid.rows() as f64) - 1.0);
        let height = 1.0 / (sigma * std::f64::consts::TAU.sqrt());
        let bell = |x: f64| height * double::exp(-x * x / (2.0 * sigma * sigma));
        let mut row = from.y;
        while row <= to.y {
            let across = bell(low.y + (row + 0.5) * cell - at.y);
            let mut column = from.x;
            while column <= to.x {
                let weight = across * bell(low.x + (column + 0.5) * cell - at.x);
                let place = row as usize * self.grid.columns() + column as usize;
                self.gaussian[place] += weight;
                if let Some(speed) = speed {
                    self.weights[place] += weight;
                    self.weighted_speed[place] += weight * speed;
                }
                column += 1.0;
            }
            row += 1.0;
        }
    }

    /// Takes in the Voronoi cells of a moment.
    pub fn see_cells(&mut self, moment: &Moment<'_>, cells: &Cells) {
        self.voronoi_frames += 1;
        for row in (0..cells.len()).filter(|row| cells.area(*row) > 0.0) {
            let (density, speed) = (1.0 / cells.area(row), moment.velocity[row].map_or(0.0, DVec2::length));
            for part in cells.labelled(row) {
                self.share_out(part, density, speed);
            }
        }
    }

    fn share_out(&mut self, part: &[Corner<Edge>], density: f64, speed: f64) {
        let (low, side) = (DVec2::from(self.grid.extent().low), self.grid.cell());
        let points = part.iter().map(|corner| (corner.at - low) / side);
        let most = DVec2::new(self.grid.columns() as f64, self.grid.rows() as f64) - 1.0;
        let from = points.clone().fold(DVec2::INFINITY, DVec2::min).floor().max(DVec2::ZERO);
        let to = points.fold(DVec2::NEG_INFINITY, DVec2::max).floor().min(most);
        if !(from.x <= to.x && from.y <= to.y) {
            return;
        }
        for row in from.y as usize..=to.y as usize {
            for column in from.x as usize..=to.x as usize {
                let corner = low + side * DVec2::new(column as f64, row as f64);
                let far = corner + side;
                let square = [corner, DVec2::new(far.x, corner.y), far, DVec2::new(corner.x, far.y)];
                self.part.clear();
                self.part.extend_from_slice(part);
                for i in 0..4 {
                    cut(&mut self.part, [square[i], square[(i + 1) % 4]], Edge::Bound, &mut self.scratch);
                }
                let share = convex::area(self.part.iter().map(|corner| corner.at)) / (side * side);
                let place = row * self.grid.columns() + column;
                self.voronoi[place] += share * density;
                self.voronoi_speed[place] += share * speed;
            }
        }
    }

    /// The cells.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Mean Voronoi density of each cell, 1/m2.
    pub fn voronoi_density(&self) -> impl Iterator<Item = f64> + '_ {
        let frames = self.voronoi_frames.max(1) as f64;
        self.voronoi.iter().map(move |sum| sum / frames)
    }

    /// Mean Voronoi speed of each cell, m/s: ground that is nobody's counts as 0 m/s.
    pub fn voronoi_speed(&self) -> impl Iterator<Item = f64> + '_ {
        let frames = self.voronoi_frames.max(1) as f64;
        self.voronoi_speed.iter().map(move |sum| sum / frames)
    }

    /// Mean Gaussian density of each cell, 1/m2.
    pub fn gaussian_density(&self) -> impl Iterator<Item = f64> + '_ {
        let frames = self.frames.max(1) as f64;
        self.gaussian.iter().map(move |sum| sum / frames)
    }

    /// Speed at each cell, m/s: that of people, weighted by their bell curves over all frames. `None` where nobody is near.
    pub fn gaussian_speed(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        let people = self.weights.iter().zip(&self.weighted_speed);
        people.map(|(weight, speed)| (*weight > 1e-9).then(|| speed / weight))
    }

    /// The last tick at which somebody was in each cell; `None` where nobody ever was.
    pub fn last_occupied(&self) -> &[Option<u32>] {
        &self.last
    }
}

/// Fruin's levels of service of walkways, by density.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Service {
    /// Free: at most 0.31 people a square metre.
    A,
    /// At most 0.43.
    B,
    /// At most 0.72.
    C,
    /// At most 1.08.
    D,
    /// At most 2.17.
    E,
    /// More: movement breaks down.
    F,
}

impl Service {
    /// All levels, from the freest.
    pub const ALL: [Service; 6] = [Service::A, Service::B, Service::C, Service::D, Service::E, Service::F];

    /// The level at a density, 1/m2. Fruin (1971): 3.24, 2.32, 1.39, 0.93 and 0.46 m2 a person.
    pub fn at(density: f64) -> Service {
        let borders = [3.24, 2.32, 1.39, 0.93, 0.46].map(|module| 1.0 / module);
        Service::ALL[borders.iter().take_while(|border| density > **border).count()]
    }

    /// Its letter.
    pub fn letter(self) -> char {
        (b'A' + self as u8) as char
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CutOff, Extent, Voronoi};

    fn grid(cell: f64) -> Grid {
        Grid::new(&Extent { low: [0.0, 0.0], high: [4.0, 4.0] }, cell).unwrap()
    }

    /// One person in the middle of 4 m x 4 m: whatever the cells, all of them together hold one person.
    #[test]
    fn profiles_hold_everybody() {
        let at = [DVec2::new(2.1, 1.9)];
        let moment = Moment { tick: 8, id: &[1], at: &at, velocity: &[Some(DVec2::X * 1.5)], acceleration: &[None] };
        let mut cells = Cells::default();
        Voronoi::new(None, Some(CutOff::default())).cells(&at, &mut cells);
        let mut profiles = Profiles::new(grid(0.2), 0.5);
        for _ in 0..3 {
            profiles.see(&moment);
            profiles.see_cells(&moment, &cells);
        }
        let sum = |values: Vec<f64>| values.iter().sum::<f64>() * 0.04;
        assert!((sum(profiles.voronoi_density().collect()) - 1.0).abs() < 1e-9);
        assert!((sum(profiles.gaussian_density().collect()) - 1.0).abs() < 1e-4);
        assert!((sum(profiles.voronoi_speed().collect()) - 1.5 * 1.92).abs() < 1e-9); // m/s over the 12-gon
        assert!(profiles.gaussian_speed().flatten().all(|speed| (speed - 1.5).abs() < 1e-9));
        let occupied: Vec<usize> = (0..400).filter(|i| profiles.last_occupied()[*i].is_some()).collect();
        assert_eq!((&occupied[..], profiles.last_occupied()[190]), (&[190][..], Some(8))); // column 10, row 9
    }

    /// A bell curve that falls to one half after w / 2 = 0.25 m is 4 ln 2 / (pi w^2) = 3.530170 high, and falls by 2^(-r^2 / 0.0625).
    #[test]
    fn the_bell_has_its_height() {
        let at = [DVec2::new(2.1, 1.9)];
        let moment = Moment { tick: 0, id: &[1], at: &at, velocity: &[None], acceleration: &[None] };
        let mut profiles = Profiles::new(grid(0.2), 0.5);
        profiles.see(&moment);
        let values: Vec<f64> = profiles.gaussian_density().collect();
        assert!((values[190] - 3.530_170).abs() < 1e-6, "{}", values[190]);
        assert!((values[190 + 5] / values[190] - 1.525_88e-5).abs() < 1e-9); // 1 m away: 2^-16
        assert!(profiles.gaussian_speed().all(|speed| speed.is_none()));
    }

    #[test]
    fn levels_of_service() {
        let levels: String =
            [0.0, 0.30, 0.4, 0.6, 1.0, 2.0, 2.2, 9.0].map(|density| Service::at(density).letter()).iter().collect();
        assert_eq!(levels, "AABCDEFF");
    }
}
