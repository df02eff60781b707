//! Who is near: everybody sorted into strips and thin columns, with a copy of what hot loops need in that order.
//!
//! The floor is cut into strips along x, each strip into columns an eighth as wide as it is high. Agents are stored by
//! strip, then column, then id, so that what a strip contributes to a search is one contiguous run, and eight consecutive
//! agents stand close together and can be searched for in lockstep ([`crate::search`]). Every other strip runs backwards, as a field
//! is ploughed: where one ends, the next begins. Order and sizes of strips and columns change the time a search takes, never its
//! result.

use crate::{AgentId, Row};
use passerby_geometry::Vec2;
use rayon::prelude::*;

/// What a search and a steering model need of somebody, in one half of a cache line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub struct Body {
    /// Where.
    pub position: Vec2,
    /// How it moves.
    pub velocity: Vec2,
    /// Half its width.
    pub radius: f32,
    /// Share of the avoidance others take towards it: 0.5 if it gives way too, otherwise 1.
    pub share: f32,
    /// Who.
    pub id: AgentId,
    /// Its row in the columns.
    pub row: Row,
}

impl Body {
    /// Its eight words as they lie in memory: position, velocity, radius, share, bits of id and row.
    ///
    /// So that [`passerby_geometry::lanes::Lanes::transpose`] can put eight bodies into lanes.
    #[inline(always)]
    pub fn words(&self) -> [f32; 8] {
        let (id, row) = (f32::from_bits(self.id.bits()), f32::from_bits(self.row.0));
        let (position, velocity) = (self.position, self.velocity);
        [position.x, position.y, velocity.x, velocity.y, self.radius, self.share, id, row]
    }
}

/// A place in the index's own order. Dies when the index is built anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// The columns an index is built from. Row `i` of each is the same agent.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a> {
    /// Who.
    pub id: &'a [AgentId],
    /// Where.
    pub position: &'a [Vec2],
    /// How they move.
    pub velocity: &'a [Vec2],
    /// Half their width.
    pub radius: &'a [f32],
    /// Share of the avoidance others take towards them.
    pub share: &'a [f32],
}

/// Everybody, sorted in space.
#[derive(Debug, Clone, Default)]
pub struct Index {
    pub(crate) origin: Vec2,
    pub(crate) strip_height: f32,
    column_width: f32,
    strips_per_metre: f32,
    columns_per_metre: f32,
    strips: u32,
    columns: u32,
    /// First slot of each cell, and one more.
    start: Vec<u32>,
    /// Cell of each row, while building.
    cell: Vec<u32>,
    bodies: Vec<Body>,
    radius_max: f32,
}

/// People in the neighbourhood that a strip's height is fitted to: so many in its square.
const PEOPLE_PER_SQUARE: f32 = 8.0;

/// Columns in the square of a strip.
const COLUMNS_PER_SQUARE: f32 = 8.0;

impl Index {
    /// Sorts everybody anew. `low` and `high` bound the place (not the crowd); who is outside counts as being at its border,
    /// which costs time, not correctness. Allocates only when the crowd or the place has grown.
    pub fn build(&mut self, low: Vec2, high: Vec2, crowd: Columns<'_>) {
        self.fit(low, high, crowd.id.len());
        let people = crowd.id.len();
        let cells = (self.strips * self.columns) as usize;
        let mut cell = std::mem::take(&mut self.cell);
        cell.resize(people, 0);
        let locate = |cell: &mut [u32], position: &[Vec2]| {
            for (cell, p) in cell.iter_mut().zip(position) {
                *cell = self.cell_of(self.strip(p.y), self.column(p.x)) as u32;
            }
        };
        if people < ROWS {
            locate(&mut cell, crowd.position);
        } else {
            let chunks = cell.par_chunks_mut(ROWS).zip(crowd.position.par_chunks(ROWS));
            chunks.for_each(|(cell, position)| locate(cell, position));
        }
        self.cell = cell;
        self.radius_max = crowd.radius.iter().fold(0.0, |most: f32, radius| most.max(*radius));
        // Room for as many cells as there can be: later builds must not have to ask for it.
        self.start.reserve((cells_max(people) as usize + 1).saturating_sub(self.start.len()));
        self.start.resize(cells + 1, 0);
        self.bodies.resize(people, NOBODY);
        self.place(crowd);
    }

    /// Copies everybody to their cell, in the order of ids there.
    ///
    /// Each thread of the pool takes some of the cells: it looks at everybody, and takes those who are its own. So nobody has
    /// to wait for anybody, and what comes out does not depend on how many there are.
    fn place(&mut self, crowd: Columns<'_>) {
        let Self { start, cell, bodies, .. } = self;
        let cells = start.len() - 1;
        start[cells] = crowd.id.len() as u32;
        // To ask other threads takes longer than to do it.
        if crowd.id.len() < ROWS {
            count(&mut start[..cells], 0, cell);
            fill(&mut start[..cells], bodies, 0, 0, cell, crowd);
            return;
        }
        let tasks = rayon::current_num_threads().clamp(1, 16);
        let size = cells.div_ceil(tasks).max(1);
        let counts = &mut start[..cells];
        counts.par_chunks_mut(size).enumerate().for_each(|(task, counts)| count(counts, (task * size) as u32, cell));
        let mut rest = &mut bodies[..];
        let (mut tasks, mut first) = ([const { None }; 16], 0);
        for (number, counts) in counts.chunks_mut(size).enumerate() {
            let people = counts.iter().sum::<u32>();
            let (theirs, left) = rest.split_at_mut(people as usize);
            tasks[number] = Some((counts, theirs, first, (number * size) as u32));
            (rest, first) = (left, first + people);
        }
        tasks
            .par_iter_mut()
            .flatten()
            .for_each(|(start, bodies, first, low)| fill(start, bodies, *first, *low, cell, crowd));
    }

    /// Chooses strips and columns for so many people, from how densely they stood the last time.
    fn fit(&mut self, low: Vec2, high: Vec2, people: usize) {
        let size = (high - low).max(Vec2::splat(0.1));
        let density = self.local_density().unwrap_or(people as f32 / (size.x * size.y)).max(1e-3);
        let mut height = (PEOPLE_PER_SQUARE / density).sqrt().clamp(0.5, 4.0);
        // Keep what there is unless it is far off: refitting moves everybody.
        if self.origin == low && self.strip_height > 0.0 && (0.75..1.33).contains(&(height / self.strip_height)) {
            height = self.strip_height;
        }
        let mut width = height / COLUMNS_PER_SQUARE;
        while (size.x / width).ceil() * (size.y / height).ceil() > cells_max(people) {
            if width < height { width *= 2.0 } else { (width, height) = (2.0 * width, 2.0 * height) }
        }
        self.origin = low;
        self.strip_height = height;
        self.column_width = width;
        (self.strips_per_metre, self.columns_per_metre) = (1.0 / height, 1.0 / width);
        self.strips = (size.y / height).ceil() as u32;
        self.columns = (size.x / width).ceil() as u32;
    }

    /// Persons per m2 that the average person had around it when the index was built: not diluted by empty floor.
    fn local_density(&self) -> Option<f32> {
        if self.bodies.is_empty() {
            return None;
        }
        // Some columns make a square of a strip; a person sees the others in its square, and itself.
        let columns = (self.strip_height / self.column_width) as usize;
        let squares = (self.start.len() - 1) / columns.max(1);
        let seen: u64 = (0..squares)
            .map(|i| u64::from(self.start[(i + 1) * columns] - self.start[i * columns]))
            .map(|here| here * here)
            .sum();
        Some(seen as f32 / self.bodies.len() as f32 / (self.strip_height * self.strip_height))
    }

    /// How many people there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Everybody in the order of slots.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Who is in this slot.
    pub fn body(&self, slot: Slot) -> &Body {
        &self.bodies[slot.0 as usize]
    }

    /// The largest radius of all.
    pub fn radius_max(&self) -> f32 {
        self.radius_max
    }

    /// Grows with `x` even after rounding, so whoever is between two values of `x` is between their columns.
    #[inline(always)]
    fn column(&self, x: f32) -> usize {
        (((x - self.origin.x) * self.columns_per_metre) as i32).clamp(0, self.columns as i32 - 1) as usize
    }

    #[inline(always)]
    fn strip(&self, y: f32) -> usize {
        (((y - self.origin.y) * self.strips_per_metre) as i32).clamp(0, self.strips as i32 - 1) as usize
    }

    /// The cell of a strip and a column.
    #[inline(always)]
    fn cell_of(&self, strip: usize, column: usize) -> usize {
        let columns = self.columns as usize;
        strip * columns + if strip.is_multiple_of(2) { column } else { columns - 1 - column }
    }

    /// Strip by strip the slots of each of its cells, along x.
    pub(crate) fn strips(&self) -> impl Iterator<Item = impl Iterator<Item = std::ops::Range<u32>>> + '_ {
        (0..self.strips as usize).map(move |strip| {
            (0..self.columns as usize).map(move |column| {
                let cell = self.cell_of(strip, column);
                self.start[cell]..self.start[cell + 1]
            })
        })
    }

    /// Runs of slots that together hold everybody inside the box from `low` to `high`, and some others beside it.
    #[inline]
    pub(crate) fn runs(&self, low: Vec2, high: Vec2) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let (first, last) = (self.column(low.x), self.column(high.x));
        (self.strip(low.y)..=self.strip(high.y)).map(move |strip| {
            let (a, b) = (self.cell_of(strip, first), self.cell_of(strip, last));
            self.start[a.min(b)] as usize..self.start[a.max(b) + 1] as usize
        })
    }

    /// Runs of slots that together hold everybody within `range` metres of `at` along both axes, and some others beside them.
    #[inline]
    pub fn slots_around(&self, at: Vec2, range: f32) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.runs(at - Vec2::splat(range), at + Vec2::splat(range))
    }

    /// Everybody within `range` metres of `at` along both axes, and some others beside them, in no order that means anything.
    #[inline]
    pub fn around(&self, at: Vec2, range: f32) -> impl Iterator<Item = &Body> + '_ {
        let reach = Vec2::splat(range);
        self.runs(at - reach, at + reach).flat_map(|run| &self.bodies[run])
    }

    /// Puts everybody within `range` metres of `at` into `out`: nearest first, ties by id. Clears `out` before.
    pub fn within(&self, at: Vec2, range: f32, out: &mut Vec<Found>) {
        out.clear();
        if self.bodies.is_empty() {
            return;
        }
        let reach = Vec2::splat(range);
        for run in self.runs(at - reach, at + reach) {
            for slot in run {
                let distance_squared = self.bodies[slot].position.distance_squared(at);
                if distance_squared <= range * range {
                    out.push(Found { slot: Slot(slot as u32), distance_squared });
                }
            }
        }
        out.sort_unstable_by(|a, b| self.order(a, b));
    }

    /// Puts the `count` nearest within `range` metres of `at` into `out`: nearest first, ties by id. Clears `out` before.
    pub fn nearest(&self, at: Vec2, count: u32, range: f32, out: &mut Vec<Found>) {
        let mut radius = (1.2 * (count as f32 / PEOPLE_PER_SQUARE).sqrt() * self.strip_height).min(range);
        loop {
            self.within(at, radius, out);
            if out.len() >= count as usize || radius >= range {
                out.truncate(count as usize);
                return;
            }
            radius = (1.5 * radius).min(range);
        }
    }

    /// Nearest first, ties by id.
    pub(crate) fn order(&self, a: &Found, b: &Found) -> std::cmp::Ordering {
        a.distance_squared.total_cmp(&b.distance_squared).then_with(|| self.body(a.slot).id.cmp(&self.body(b.slot).id))
    }
}

const NOBODY: Body = Body {
    position: Vec2::ZERO,
    velocity: Vec2::ZERO,
    radius: 0.0,
    share: 0.5,
    id: AgentId::from_bits(0),
    row: Row(0),
};

/// Cells for so many people, at most. Every cell is looked at in every build: a small crowd in a large place must not pay for the
/// place.
fn cells_max(people: usize) -> f32 {
    8.0 * people as f32 + 256.0
}

/// Rows that one task looks at when cells are worked out. A smaller crowd is not worth handing out.
const ROWS: usize = 4096;

/// Counts who is in the cells from `low` on.
fn count(counts: &mut [u32], low: u32, cell: &[u32]) {
    counts.fill(0);
    for cell in cell {
        if let Some(count) = counts.get_mut(cell.wrapping_sub(low) as usize) {
            *count += 1;
        }
    }
}

/// Copies those who are in the cells from `low` on to `bodies`, whose first slot is `first`. `start` comes with the counts of the
/// cells and leaves with their first slots.
fn fill(start: &mut [u32], bodies: &mut [Body], first: u32, low: u32, cell: &[u32], crowd: Columns<'_>) {
    let mut at = first;
    for start in start.iter_mut() {
        at += std::mem::replace(start, at);
    }
    // `start[c]` walks to the end of cell `c` while filling it.
    for (row, cell) in cell.iter().enumerate() {
        let Some(start) = start.get_mut(cell.wrapping_sub(low) as usize) else { continue };
        bodies[(*start - first) as usize] = Body {
            position: crowd.position[row],
            velocity: crowd.velocity[row],
            radius: crowd.radius[row],
            share: crowd.share[row],
            id: crowd.id[row],
            row: Row(row as u32),
        };
        *start += 1;
    }
    // Within a cell by id, so that the order of slots does not depend on rows; and back to where each begins.
    let mut begin = first;
    for start in start.iter_mut() {
        let end = std::mem::replace(start, begin);
        let here = &mut bodies[(begin - first) as usize..(end - first) as usize];
        for i in 1..here.len() {
            let mut j = i;
            while j > 0 && here[j - 1].id > here[j].id {
                here.swap(j - 1, j);
                j -= 1;
            }
        }
        begin = end;
    }
}

/// Somebody a search has found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Where in the index.
    pub slot: Slot,
    /// Squared distance of the centres, m2.
    pub distance_squared: f32,
}
