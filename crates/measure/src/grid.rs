//! A part of the ground, and how it is divided into square cells.

use passerby_record::{Frame, PlaceShape};

/// Cells of a grid: 64 MB of numbers.
const CELLS_MAX: f64 = 4e6;

/// The smallest rectangle around points, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Its lower left corner.
    pub low: [f64; 2],
    /// Its upper right corner.
    pub high: [f64; 2],
}

impl Extent {
    /// Around all of them; `None` if there are none.
    pub fn of(points: impl IntoIterator<Item = [f64; 2]>) -> Option<Extent> {
        points.into_iter().map(|point| Extent { low: point, high: point }).reduce(Extent::with)
    }

    /// Around the floor of a place; `None` if it has none.
    pub fn of_place(place: &PlaceShape) -> Option<Extent> {
        Extent::of(place.areas.iter().flatten().flatten().copied())
    }

    /// Around what was there and everybody in this frame.
    pub fn see(seen: &mut Option<Extent>, frame: &Frame<'_>) {
        let here = Extent::of(frame.x.iter().zip(frame.y).map(|(x, y)| [*x, *y]));
        *seen = match (*seen, here) {
            (Some(a), Some(b)) => Some(a.with(b)),
            (a, b) => a.or(b),
        };
    }

    /// Around both.
    fn with(self, other: Extent) -> Extent {
        let axes = [0, 1];
        Extent {
            low: axes.map(|axis| self.low[axis].min(other.low[axis])),
            high: axes.map(|axis| self.high[axis].max(other.high[axis])),
        }
    }

    /// Width and height, m; at least a metre.
    pub fn size(&self) -> [f64; 2] {
        [0, 1].map(|axis| (self.high[axis] - self.low[axis]).max(1.0))
    }
}

/// Why there is no such grid.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum GridError {
    /// The cells have no size.
    #[error("cells of {cell} m cannot be made; allowed: 0.01 m to 1000 m")]
    Cell {
        /// Their side, m.
        cell: f64,
    },
    /// There would be too many cells.
    #[error(
        "{cells:.3e} cells of {cell} m are too many for {width:.1} m x {height:.1} m; at most 4e6: choose cells of {enough} m or more"
    )]
    TooMany {
        /// So many.
        cells: f64,
        /// Their side, m.
        cell: f64,
        /// Width of the ground, m.
        width: f64,
        /// Height of the ground, m.
        height: f64,
        /// A side that would do, m.
        enough: f64,
    },
}

/// Square cells, row by row from the lower left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    low: [f64; 2],
    cell: f64,
    columns: usize,
    rows: usize,
}

impl Grid {
    /// Cells of this side that cover the extent. Their borders are at multiples of the side, so that two recordings of a
    /// place have the same cells.
    pub fn new(extent: &Extent, cell: f64) -> Result<Grid, GridError> {
        if !(0.01..=1000.0).contains(&cell) {
            return Err(GridError::Cell { cell });
        }
        let low = extent.low.map(|low| (low / cell + 1e-9).floor());
        let high = extent.high.map(|high| (high / cell - 1e-9).ceil());
        let count = [0, 1].map(|axis| (high[axis] - low[axis]).max(1.0));
        let cells = count[0] * count[1];
        if cells.is_nan() || cells > CELLS_MAX {
            let [width, height] = extent.size();
            let enough = (10.0 * (width * height / CELLS_MAX).sqrt()).ceil().max(1.0) / 10.0;
            return Err(GridError::TooMany { cells, cell, width, height, enough });
        }
        Ok(Grid { low: low.map(|low| low * cell), cell, columns: count[0] as usize, rows: count[1] as usize })
    }

    /// The cell that a point is in: its place in row by row order. A point on the border of two cells is in the upper one, on the
    /// border of the grid in the last one. `None` outside.
    pub fn cell_of(&self, at: [f64; 2]) -> Option<usize> {
        let place = |axis: usize, count: usize| {
            let cells = (at[axis] - self.low[axis]) / self.cell;
            let inside = (-1e-6..=count as f64 + 1e-6).contains(&cells);
            inside.then(|| (cells.max(0.0) as usize).min(count - 1))
        };
        Some(place(1, self.rows)? * self.columns + place(0, self.columns)?)
    }

    /// Side of a cell, m.
    pub fn cell(&self) -> f64 {
        self.cell
    }

    /// Cells from left to right.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Cells from bottom to top.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All that the cells cover.
    pub fn extent(&self) -> Extent {
        let high = [self.columns as f64 * self.cell, self.rows as f64 * self.cell];
        Extent { low: self.low, high: [self.low[0] + high[0], self.low[1] + high[1]] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_begin_at_multiples_of_their_side() {
        let grid = Grid::new(&Extent { low: [0.1, -0.3], high: [1.0, 0.5] }, 0.5).unwrap();
        assert_eq!((grid.columns(), grid.rows(), grid.extent().low), (2, 2, [0.0, -0.5]));
        assert_eq!(grid.cell_of([0.1, -0.3]), Some(0));
        assert_eq!(grid.cell_of([0.5, -0.01]), Some(1));
        assert_eq!(grid.cell_of([0.49, 0.0]), Some(2));
        assert_eq!((grid.cell_of([1.0, 0.5]), grid.cell_of([0.0, -0.5])), (Some(3), Some(0))); // on the outer border
        for outside in [[-0.01, 0.0], [1.01, 0.0], [0.0, 0.51], [f64::NAN, 0.0], [1e300, 0.0]] {
            assert_eq!(grid.cell_of(outside), None, "{outside:?}");
        }
        let whole = Grid::new(&Extent { low: [0.0, 0.0], high: [14.0, 10.0] }, 0.2).unwrap();
        assert_eq!((whole.columns(), whole.rows()), (70, 50));
    }

    #[test]
    fn grids_that_cannot_be_held_are_refused() {
        let extent = Extent { low: [0.0, 0.0], high: [1e6, 1e6] };
        assert!(matches!(Grid::new(&extent, 0.0), Err(GridError::Cell { .. })));
        assert!(matches!(Grid::new(&extent, f64::NAN), Err(GridError::Cell { .. })));
        let Err(GridError::TooMany { enough, .. }) = Grid::new(&extent, 0.2) else {
            panic!("1e6 km2 in cells of 0.2 m")
        };
        assert!((500.0..=501.0).contains(&enough) && Grid::new(&extent, enough).is_ok(), "{enough}");
        let nowhere = Extent { low: [f64::NAN; 2], high: [f64::NAN; 2] };
        assert!(Grid::new(&nowhere, 1.0).is_ok_and(|grid| grid.cell_of([0.0, 0.0]).is_none()));
    }
}
