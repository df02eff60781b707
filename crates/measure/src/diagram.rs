//! The fundamental diagram: how fast people walk at which density.

use passerby_geometry::math::double;

/// Width of a cell in density, 1/m2, and in speed, m/s.
const CELL: [f64; 2] = [0.1, 0.05];
/// Cells up to 12 people a square metre and 4 m/s; what is beyond counts in the last.
const CELLS: [usize; 2] = [120, 80];

/// How often which density and speed came together, and the mean speed at each density.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagram {
    counts: Vec<u32>,
    /// Sums of densities, speeds and squares of these, and how many.
    speeds: Vec<(f64, f64, f64, u32)>,
}

/// Speed at one density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtDensity {
    /// Mean of the densities in the cell, 1/m2.
    pub density: f64,
    /// Mean speed, m/s.
    pub speed: f64,
    /// Standard deviation of the speeds, m/s.
    pub deviation: f64,
    /// So many values.
    pub count: u32,
}

impl Default for Diagram {
    fn default() -> Self {
        Self { counts: vec![0; CELLS[0] * CELLS[1]], speeds: vec![(0.0, 0.0, 0.0, 0); CELLS[0]] }
    }
}

impl Diagram {
    /// Takes in a density, 1/m2, and the speed at it, m/s.
    pub fn add(&mut self, density: f64, speed: f64) {
        // A count of people on an area is often just below a border by rounding.
        let place = |value: f64, axis: usize| ((value / CELL[axis] + 1e-9) as usize).min(CELLS[axis] - 1);
        let column = place(density, 0);
        self.counts[place(speed, 1) * CELLS[0] + column] += 1;
        let (densities, sum, squares, count) = &mut self.speeds[column];
        (*densities += density, *sum += speed, *squares += speed * speed, *count += 1);
    }

    /// Cells that were met: middle density, middle speed, how often.
    pub fn cells(&self) -> impl Iterator<Item = ([f64; 2], u32)> + '_ {
        let met = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        met.map(|(cell, count)| {
            let place = [cell % CELLS[0], cell / CELLS[0]];
            ([0, 1].map(|axis| (place[axis] as f64 + 0.5) * CELL[axis]), *count)
        })
    }

    /// Mean speed at each density that was met.
    pub fn means(&self) -> impl Iterator<Item = AtDensity> + '_ {
        self.speeds.iter().filter(|(.., count)| *count > 0).map(|(densities, sum, squares, count)| {
            let values = f64::from(*count);
            let speed = sum / values;
            let deviation = (squares / values - speed * speed).max(0.0).sqrt();
            AtDensity { density: densities / values, speed, deviation, count: *count }
        })
    }

    /// Width of a cell in density, 1/m2, and in speed, m/s.
    pub fn cell(&self) -> [f64; 2] {
        CELL
    }
}

/// Walking speed at a density, m/s, by Weidmann (1993): v = 1.34 (1 - exp(-1.913 (1/rho - 1/5.4))), 0 above 5.4 a square metre.
pub fn weidmann(density: f64) -> f64 {
    const FREE: f64 = 1.34;
    if density <= 0.0 {
        return FREE;
    }
    (FREE * (1.0 - double::exp(-1.913 * (1.0 / density - 1.0 / 5.4)))).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 3.1 of the verification page.
    #[test]
    fn weidmanns_curve() {
        let table =
            [(0.25, 1.339), (0.5, 1.298), (1.0, 1.058), (1.75, 0.700), (3.0, 0.331), (4.0, 0.156), (5.0, 0.037)];
        for (density, speed) in table {
            assert!((weidmann(density) - speed).abs() < 5e-4, "{density}: {}", weidmann(density));
        }
        assert_eq!((weidmann(0.0), weidmann(5.4), weidmann(8.0)), (1.34, 0.0, 0.0));
    }

    #[test]
    fn values_fall_into_cells() {
        let mut diagram = Diagram::default();
        for (density, speed) in [(0.31, 1.01), (0.39, 1.21), (0.3, 1.02), (50.0, 9.0)] {
            diagram.add(density, speed);
        }
        let cells: Vec<_> = diagram.cells().map(|([d, v], n)| (format!("{d:.2} {v:.3}"), n)).collect();
        let expected = [("0.35 1.025", 2), ("0.35 1.225", 1), ("11.95 3.975", 1)];
        assert_eq!(cells, expected.map(|(at, n)| (at.to_owned(), n)));
        let means: Vec<AtDensity> = diagram.means().collect();
        assert!((means[0].speed - 1.08).abs() < 1e-12 && means[0].count == 3);
        assert!((means[0].density - 1.0 / 3.0).abs() < 1e-12); // of 0.31, 0.39, 0.3
        assert!((means[0].deviation - 0.092_014_49).abs() < 1e-6); // of 1.01, 1.21, 1.02
    }
}
