//! An index of wall segments: what is near, what is in the way, what can be seen.
//!
//! Every agent asks in every tick, so no question allocates, and the commonest answer, "no wall anywhere near", is
//! one look into a table. The walls lie in a uniform grid; beside its list of walls each cell knows how many cells
//! away the next wall is. Answers do not depend on the cell size.

use crate::grid::{Grid, Sizing};
use crate::{DVec2, Segment, Vec2};
use std::ops::ControlFlow;

/// Number of a wall: its place in the list that [`Walls::new`] was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallId(pub u32);

/// A wall within reach of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallNear {
    /// The wall.
    pub id: WallId,
    /// Its point nearest to the place asked about.
    pub point: Vec2,
    /// Distance to that point, m.
    pub distance: f32,
}

/// Where a straight way meets a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallHit {
    /// The wall.
    pub id: WallId,
    /// The meeting point.
    pub point: Vec2,
    /// The fraction of the way that is free, from 0 to 1.
    pub fraction: f32,
}

/// A fixed set of walls. The free side of a wall is on its left. Each can be switched off and on, as a door opens and
/// closes; all are on at first.
#[derive(Debug, Clone)]
pub struct Walls {
    segments: Vec<Segment>,
    on: Vec<bool>,
    grid: Grid,
    /// For each cell: so many cells away, diagonal steps allowed, is the nearest one that lists a wall, on or off.
    ring: Vec<u16>,
}

impl Walls {
    /// Indexes the walls. The grid has at most about four cells a wall (but may have 4096 even for few walls), never
    /// more than about a million, and none under a metre.
    ///
    /// # Panics
    /// If a coordinate is not finite, or there are 2^32 walls.
    pub fn new(segments: Vec<Segment>) -> Walls {
        assert!(u32::try_from(segments.len()).is_ok(), "{} walls are too many to number", segments.len());
        let finite = |wall: &Segment| wall.a.is_finite() && wall.b.is_finite();
        if let Some(wall) = segments.iter().find(|wall| !finite(wall)) {
            panic!("a wall from {} to {} is nowhere", wall.a, wall.b);
        }
        let edges: Vec<[DVec2; 2]> = segments.iter().map(|wall| wall.ends().into()).collect();
        let cells = (4.0 * segments.len() as f64).clamp(4096.0, 1e6);
        let grid = Grid::new(&edges, Sizing { cells, smallest: 1.0 });
        Walls { on: vec![true; segments.len()], ring: rings(&grid), segments, grid }
    }

    /// How many walls there are, on or off.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether there are no walls at all.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// All walls by number: `WallId(i)` is the segment at `i`.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The wall with this number.
    pub fn segment(&self, id: WallId) -> Segment {
        self.segments[id.0 as usize]
    }

    /// Whether the wall is there (on) or open (off).
    pub fn is_on(&self, id: WallId) -> bool {
        self.on[id.0 as usize]
    }

    /// Switches a wall on or off.
    pub fn set_on(&mut self, id: WallId, on: bool) {
        self.on[id.0 as usize] = on;
    }

    /// Puts the walls that are on and at most `range` metres from `at` into `out`: nearest first, ties by id. Clears
    /// `out` before.
    pub fn near(&self, at: Vec2, range: f32, out: &mut Vec<WallNear>) {
        out.clear();
        if self.certainly_clear(at, range) {
            return;
        }
        let _ = self.each_near(at, range, |near| {
            out.push(near);
            ControlFlow::Continue(())
        });
        out.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.id.cmp(&b.id)));
    }

    /// Whether no wall that is on is within `range` metres of `at`.
    pub fn clear(&self, at: Vec2, range: f32) -> bool {
        self.certainly_clear(at, range) || self.each_near(at, range, |_| ControlFlow::Break(())).is_continue()
    }

    /// The first wall that is on and meets the way from `from` to `to`, from either side, ends included; ties by id.
    /// A wall exactly along the way is not met: one can walk and look along it.
    pub fn ray(&self, from: Vec2, to: Vec2) -> Option<WallHit> {
        let way = Segment::new(from, to);
        let mut first: Option<(f64, u32)> = None;
        let _ = self.grid.walk(from.as_dvec2(), to.as_dvec2(), |cell, entry| {
            if first.is_some_and(|(fraction, _)| fraction < entry) {
                return ControlFlow::Break(());
            }
            for &wall in self.grid.items(cell) {
                if self.on[wall as usize]
                    && let Some((fraction, _)) = way.crossing_exact(&self.segments[wall as usize])
                    && first.is_none_or(|best| (fraction, wall) < best)
                {
                    first = Some((fraction, wall));
                }
            }
            ControlFlow::Continue(())
        });
        first.map(|(fraction, wall)| WallHit {
            id: WallId(wall),
            point: from.as_dvec2().lerp(to.as_dvec2(), fraction).as_vec2(),
            fraction: fraction as f32,
        })
    }

    /// Whether no wall that is on meets the way from `from` to `to`: [`Walls::ray`] finds none.
    pub fn visible(&self, from: Vec2, to: Vec2) -> bool {
        let way = Segment::new(from, to);
        let seen = self.grid.walk(from.as_dvec2(), to.as_dvec2(), |cell, _| {
            let blocks =
                |&wall: &u32| self.on[wall as usize] && way.crossing_exact(&self.segments[wall as usize]).is_some();
            if self.grid.items(cell).iter().any(blocks) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        seen.is_continue()
    }

    /// True only if no wall is within range, found without looking at any wall.
    fn certainly_clear(&self, at: Vec2, range: f32) -> bool {
        let at = at.as_dvec2();
        let Some(depth) = self.grid.depth_in_cell(at) else {
            return false; // outside of all walls: the block of cells in reach will be small or empty
        };
        let ring = self.ring[self.grid.cell_at(at)];
        // To a cell two rings away one has to leave the own cell and cross another.
        ring > 0 && depth + f64::from(ring - 1) * self.grid.cell() > f64::from(range)
    }

    /// Calls `found` once for each wall that is on and within range, in no particular order.
    fn each_near(&self, at: Vec2, range: f32, mut found: impl FnMut(WallNear) -> ControlFlow<()>) -> ControlFlow<()> {
        // A hair more than the range, because the distance is compared after rounding.
        let reach = DVec2::splat(f64::from(range) * (1.0 + 1e-6));
        let (columns, rows) = self.grid.block(at.as_dvec2() - reach, at.as_dvec2() + reach);
        for row in rows {
            for column in columns.clone() {
                let cell = row * self.grid.columns() + column;
                for &wall in self.grid.items(cell) {
                    if !self.on[wall as usize] {
                        continue;
                    }
                    let point = self.segments[wall as usize].closest_exact(at);
                    let distance = point.distance(at.as_dvec2()) as f32;
                    // A wall is listed in many cells; only the one with its nearest point reports it.
                    if distance <= range && self.grid.cell_at(point) == cell {
                        found(WallNear { id: WallId(wall), point: point.as_vec2(), distance })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// For each cell the number of steps to the nearest cell that lists a wall, sideways and diagonal steps alike.
///
/// Two sweeps, one from each end, each taking one more than the least of the four neighbours it has already passed,
/// give it exactly (Rosenfeld and Pfaltz 1968).
fn rings(grid: &Grid) -> Vec<u16> {
    let (columns, rows) = (grid.columns(), grid.rows());
    let listed = |cell| !grid.items(cell).is_empty();
    let mut ring: Vec<u16> = (0..columns * rows).map(|cell| if listed(cell) { 0 } else { u16::MAX }).collect();
    let relax =
        |ring: &mut Vec<u16>, row: usize, column: usize, passed_row: Option<usize>, passed_column: Option<usize>| {
            let mut least = ring[row * columns + column];
            if let Some(c) = passed_column {
                least = least.min(ring[row * columns + c].saturating_add(1));
            }
            if let Some(r) = passed_row {
                for c in column.saturating_sub(1)..(column + 2).min(columns) {
                    least = least.min(ring[r * columns + c].saturating_add(1));
                }
            }
            ring[row * columns + column] = least;
        };
    for row in 0..rows {
        for column in 0..columns {
            relax(&mut ring, row, column, row.checked_sub(1), column.checked_sub(1));
        }
    }
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let after = |number: usize, count: usize| (number + 1 < count).then_some(number + 1);
            relax(&mut ring, row, column, after(row, rows), after(column, columns));
        }
    }
    ring
}
