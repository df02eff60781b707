//! Where people are and how fast they walk there, cell by cell.

use std::collections::BTreeMap;

use passerby_record::Frame;

use crate::Grid;

/// Seconds of presence and mean speed in the cells of a grid. A row of a frame stands for the time from one recorded frame
/// to the next.
#[derive(Debug, Clone)]
pub struct Maps {
    grid: Grid,
    frame_seconds: f64,
    /// Rows that were in each cell.
    rows: Vec<u64>,
    /// Sum of their speeds, m/s.
    speeds: Vec<f64>,
    outside: u64,
    /// Faster than this is no walking, m/s.
    speed_max: f64,
    /// Rows of each cell that are.
    too_fast: BTreeMap<usize, u64>,
}

impl Maps {
    /// Nobody was anywhere; `frame_seconds` is the time between two recorded frames.
    pub fn new(grid: Grid, frame_seconds: f64) -> Self {
        let cells = grid.columns() * grid.rows();
        let (rows, speeds, too_fast) = (vec![0; cells], vec![0.0; cells], BTreeMap::new());
        Self { grid, frame_seconds, rows, speeds, outside: 0, speed_max: f64::INFINITY, too_fast }
    }

    /// The same, without the speeds of rows that are faster than this, m/s: velocities of camera systems lead over jumps.
    pub fn up_to(self, speed_max: f64) -> Self {
        Self { speed_max, ..self }
    }

    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        for row in 0..frame.id.len() {
            let Some(cell) = self.grid.cell_of([frame.x[row], frame.y[row]]) else {
                self.outside += 1;
                continue;
            };
            self.rows[cell] += 1;
            match speed(frame, row) {
                speed if speed <= self.speed_max => self.speeds[cell] += speed,
                _ => *self.too_fast.entry(cell).or_default() += 1,
            }
        }
    }

    /// The cells.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Seconds of presence of all people in each cell; `None` where nobody ever was.
    pub fn seconds(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.rows.iter().map(|rows| (*rows > 0).then_some(*rows as f64 * self.frame_seconds))
    }

    /// Mean speed of all who were in each cell, m/s; `None` where nobody ever was, or nobody walked.
    pub fn mean_speeds(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.rows.iter().zip(&self.speeds).enumerate().map(|(cell, (rows, speeds))| {
            let walked = rows - self.too_fast.get(&cell).copied().unwrap_or(0);
            (walked > 0).then(|| speeds / walked as f64)
        })
    }

    /// Rows whose speed is left out.
    pub fn too_fast(&self) -> u64 {
        self.too_fast.values().sum()
    }

    /// Seconds of presence of all people in all cells.
    pub fn person_seconds(&self) -> f64 {
        self.rows.iter().sum::<u64>() as f64 * self.frame_seconds
    }

    /// Seconds of presence of all people outside of the grid.
    pub fn outside_seconds(&self) -> f64 {
        self.outside as f64 * self.frame_seconds
    }
}

/// How fast somebody walks, m/s.
pub(crate) fn speed(frame: &Frame<'_>, row: usize) -> f64 {
    let (vx, vy) = (f64::from(frame.vx[row]), f64::from(frame.vy[row]));
    (vx * vx + vy * vy).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extent;

    /// One stands in the cell (0, 0) for 3 frames of 0.5 s, one walks from (1, 0) to (1, 1) and out at 1 m/s and 2 m/s.
    #[test]
    fn presence_adds_up_to_person_seconds() {
        let grid = Grid::new(&Extent { low: [0.0, 0.0], high: [2.0, 2.0] }, 1.0).unwrap();
        let mut maps = Maps::new(grid, 0.5);
        for (tick, y, vy) in [(0, 0.25, 1.0), (10, 0.75, 2.0), (20, 1.75, 2.0), (30, 2.75, 2.0)] {
            let people = if tick < 30 { 2 } else { 1 };
            let (x, y) = ([1.5, 0.5], [y, 0.5]);
            let (vx, vy) = ([0.0; 2], [vy, 0.0]);
            let frame = Frame { tick, id: &[1, 2], x: &x, y: &y, vx: &vx, vy: &vy, heading: &[0.0; 2], bodies: &[] };
            let Frame { tick, id, x, y, vx, vy, heading, bodies } = frame;
            let first = |n| (&id[..n], &x[..n], &y[..n], &vx[..n], &vy[..n], &heading[..n]);
            let (id, x, y, vx, vy, heading) = first(people);
            maps.see(&Frame { tick, id, x, y, vx, vy, heading, bodies });
        }
        assert_eq!(maps.seconds().collect::<Vec<_>>(), [Some(1.5), Some(1.0), None, Some(0.5)]);
        assert_eq!(maps.mean_speeds().collect::<Vec<_>>(), [Some(0.0), Some(1.5), None, Some(2.0)]);
        assert_eq!((maps.person_seconds(), maps.outside_seconds()), (3.0, 0.5)); // 7 rows of 0.5 s in all
    }

    #[test]
    fn velocities_of_jumps_are_left_out() {
        let grid = Grid::new(&Extent { low: [0.0, 0.0], high: [2.0, 1.0] }, 1.0).unwrap();
        let mut maps = Maps::new(grid, 0.5).up_to(5.0);
        for (x, vx) in [(0.5, 1.0), (0.5, 40.0), (1.5, 40.0)] {
            maps.see(&Frame {
                tick: 0,
                id: &[1],
                x: &[x],
                y: &[0.5],
                vx: &[vx],
                vy: &[0.0],
                heading: &[0.0],
                bodies: &[],
            });
        }
        assert_eq!(maps.mean_speeds().collect::<Vec<_>>(), [Some(1.0), None]);
        assert_eq!((maps.too_fast(), maps.person_seconds()), (2, 1.5)); // they were there all the same
    }
}
