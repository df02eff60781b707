//! How far away the nearest wall is at least, for every place: a table that spares most agents all further questions.

use crate::DVec2;
use crate::grid::{Lattice, Sizing};
use std::ops::ControlFlow;

/// For every cell the number of steps to the nearest cell that a wall touches.
#[derive(Debug, Clone)]
pub(crate) struct Clearance {
    lattice: Lattice,
    /// Sideways and diagonal steps alike; 255 also means more.
    steps: Vec<u8>,
}

impl Clearance {
    /// Measures the free space around the edges, in at most about a million cells of half a metre or more.
    pub fn new(edges: &[[DVec2; 2]]) -> Clearance {
        let lattice = Lattice::new(edges, Sizing { cells: 1e6, smallest: 0.5 });
        let mut steps = vec![u8::MAX; lattice.columns * lattice.rows];
        for [a, b] in edges {
            let _ = lattice.walk(*a, *b, |cell, _| {
                steps[cell] = 0;
                ControlFlow::Continue(())
            });
        }
        count_steps(&mut steps, lattice.columns);
        Clearance { lattice, steps }
    }

    /// Takes up one more edge, which is in the box around the others.
    pub fn add(&mut self, [a, b]: [DVec2; 2]) {
        let Clearance { lattice, steps } = self;
        let mut open = Vec::new();
        let _ = lattice.walk(a, b, |cell, _| {
            if std::mem::replace(&mut steps[cell], 0) > 0 {
                open.push(cell);
            }
            ControlFlow::Continue(())
        });
        // Ring by ring, as far as this edge is nearer than what was there.
        let mut next = Vec::new();
        while !open.is_empty() {
            for &cell in &open {
                let (row, column, beyond) =
                    (cell / lattice.columns, cell % lattice.columns, steps[cell].saturating_add(1));
                for row in row.saturating_sub(1)..(row + 2).min(lattice.rows) {
                    for column in column.saturating_sub(1)..(column + 2).min(lattice.columns) {
                        let beside = row * lattice.columns + column;
                        if steps[beside] > beyond {
                            steps[beside] = beyond;
                            next.push(beside);
                        }
                    }
                }
            }
            open.clear();
            std::mem::swap(&mut open, &mut next);
        }
    }

    /// Whether every edge is farther than `range` metres from `at`. `false` may mean that the table does not know.
    pub fn exceeds(&self, at: DVec2, range: f32) -> bool {
        // A hair more than the range, because exact distances are compared with it after rounding.
        self.at_least(at) > f64::from(range) * (1.0 + 1e-6)
    }

    /// Every edge is at least so many metres from `at`; 0 where the table does not know.
    pub fn at_least(&self, at: DVec2) -> f64 {
        let Some((cell, depth)) = self.lattice.cell_and_depth(at) else {
            return 0.0;
        };
        // To a cell n steps away one has to leave the own cell and to cross n - 1 others.
        let steps = self.steps[cell];
        if steps > 0 { depth + f64::from(steps - 1) * self.lattice.cell } else { 0.0 }
    }

    /// Side of a cell, m.
    pub fn cell(&self) -> f64 {
        self.lattice.cell
    }
}

/// Turns 0 for touched and 255 for free cells into numbers of steps.
///
/// Two sweeps from opposite corners, each taking one more than the least of the four neighbours it has already passed,
/// give them exactly (Rosenfeld and Pfaltz 1968).
fn count_steps(steps: &mut [u8], columns: usize) {
    let cells = steps.len();
    let mut sweep = |turned: bool| {
        // The second sweep is the first one in a table turned by half a turn.
        let place = |cell: usize| if turned { cells - 1 - cell } else { cell };
        for cell in 0..cells {
            let column = cell % columns;
            let mut least = steps[place(cell)];
            if column > 0 {
                least = least.min(steps[place(cell - 1)].saturating_add(1));
            }
            if cell >= columns {
                let above = cell - columns;
                for passed in above - (column > 0) as usize..=above + (column + 1 < columns) as usize {
                    least = least.min(steps[place(passed)].saturating_add(1));
                }
            }
            steps[place(cell)] = least;
        }
    };
    sweep(false);
    sweep(true);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn steps_are_those_to_the_nearest_touched_cell(
            touched in prop::collection::vec(0usize..120, 0..4), columns in prop::sample::select(vec![1, 5, 10, 120]),
        ) {
            let mut steps = [u8::MAX; 120];
            touched.iter().for_each(|&cell| steps[cell] = 0);
            count_steps(&mut steps, columns);
            for (cell, &count) in steps.iter().enumerate() {
                let distance = |&other: &usize| {
                    let (row, column) = (cell / columns, cell % columns);
                    row.abs_diff(other / columns).max(column.abs_diff(other % columns))
                };
                let expected = touched.iter().map(distance).min().unwrap_or(255);
                prop_assert_eq!(usize::from(count), expected);
            }
        }
    }

    proptest! {
        #[test]
        fn an_edge_that_comes_later_counts_as_if_it_had_been_there(
            ends in prop::collection::vec([0.0f64..30.0, 0.0..30.0, 0.0..30.0, 0.0..30.0], 1..5),
        ) {
            let frame = [[DVec2::ZERO, DVec2::new(30.0, 0.0)], [DVec2::new(0.0, 30.0), DVec2::splat(30.0)]];
            let edges: Vec<[DVec2; 2]> = ends.iter().map(|e| [DVec2::new(e[0], e[1]), DVec2::new(e[2], e[3])]).collect();
            let mut grown = Clearance::new(&frame);
            edges.iter().for_each(|edge| grown.add(*edge));
            // Cells of the same size, whatever lies in them.
            prop_assert_eq!(grown.lattice.cell, 0.5);
            let all: Vec<[DVec2; 2]> = frame.into_iter().chain(edges).collect();
            prop_assert_eq!(grown.steps, Clearance::new(&all).steps);
        }
    }

    #[test]
    fn clearance_is_at_most_a_cell_short() {
        // A single wall along the left of 20 x 20 m, and a dot in the far corner to span them.
        let wall = [DVec2::ZERO, DVec2::new(0.0, 20.0)];
        let dot = [DVec2::splat(20.0); 2];
        let clearance = Clearance::new(&[wall, dot]);
        assert_eq!(clearance.lattice.cell, 0.5);
        let at = DVec2::new(5.25, 5.25);
        assert!(!clearance.exceeds(at, 5.25) && !clearance.exceeds(at, 4.76));
        assert!(clearance.exceeds(at, 4.74));
        assert!(!clearance.exceeds(DVec2::new(0.25, 5.0), 0.1)); // in a touched cell
        assert!(!clearance.exceeds(DVec2::new(-50.0, 5.0), 0.1)); // outside: not known
    }
}
