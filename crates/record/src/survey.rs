//! The first reading of somebody else's file: every row is checked, and of each person only the last one is kept.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use passerby_geometry::math;

use crate::import::unreadable;
use crate::import_error::{ImportError, Place, short_number};
use crate::limits::PEOPLE_MAX;
use crate::table::{Facing, Mark, Row, Table};

/// Rows of a file.
pub(crate) const ROWS_MAX: u64 = 1 << 25;
/// Rows of a block: what is read again at once.
const BLOCK_ROWS: u64 = 1 << 14;

/// What is known of a file whose rows were all read once.
#[derive(Debug)]
pub(crate) struct Survey {
    /// In order of id.
    pub people: Vec<Somebody>,
    pub blocks: Vec<Block>,
    /// First and last frame.
    pub frames: (u32, u32),
    /// The largest step that leads from the first frame to every other one.
    pub every: u32,
    /// Frame and place of the file's last row.
    pub last: (u32, u64),
}

/// Somebody as far as the file was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Somebody {
    pub id: u32,
    /// First and last frame.
    pub frames: (u32, u32),
    /// Length of their way so far, in the unit of the file.
    pub way: f64,
    /// Where they face in the first frame in which they face anywhere.
    pub heading: Option<f32>,
    /// Place of the last row, and where they are in it.
    place: u32,
    at: [f64; 2],
}

/// Some rows that follow one another in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Block {
    pub start: Mark,
    pub rows: u64,
    /// Lowest and highest frame in it.
    pub frames: (u32, u32),
}

impl Survey {
    /// Reads all rows.
    pub(crate) fn new(table: &mut dyn Table) -> Result<Self, ImportError> {
        let mut reading = Reading { place: table.place(), ..Reading::default() };
        table.rows(Mark::START, &mut |row, mark| {
            reading.add(row, mark)?;
            Ok(ControlFlow::Continue(()))
        })?;
        let Some(last) = reading.last else {
            return Err(unreadable("recorded people", "there are no rows in it"));
        };
        let Reading { mut people, blocks, every, .. } = reading;
        people.sort_unstable_by_key(|somebody| somebody.id);
        let frames = blocks
            .iter()
            .fold((u32::MAX, 0), |(first, last), block| (block.frames.0.min(first), block.frames.1.max(last)));
        Ok(Self { people, blocks, frames, every: every.max(1), last })
    }
}

/// A survey in the making.
struct Reading {
    place: fn(u64) -> Place,
    /// In the order they appear in the file.
    people: Vec<Somebody>,
    by_id: BTreeMap<u32, usize>,
    /// The person of the last row.
    recent: usize,
    blocks: Vec<Block>,
    rows: u64,
    every: u32,
    last: Option<(u32, u64)>,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            place: Place::Row,
            people: Vec::new(),
            by_id: BTreeMap::new(),
            recent: 0,
            blocks: Vec::new(),
            rows: 0,
            every: 0,
            last: None,
        }
    }
}

impl Reading {
    fn add(&mut self, row: &Row, mark: Mark) -> Result<(), ImportError> {
        self.check(row, mark)?;
        match self.find(row.id) {
            Some(person) => self.walk_on(person, row, mark)?,
            None => self.enter(row, mark)?,
        }
        // Once it is 1 it stays 1.
        if let Some((before, _)) = self.last
            && self.every != 1
        {
            self.every = greatest_divisor(row.frame.abs_diff(before), self.every);
        }
        if self.rows.is_multiple_of(BLOCK_ROWS) {
            self.blocks.push(Block { start: mark, rows: 0, frames: (row.frame, row.frame) });
        }
        if let Some(Block { rows, frames: (first, last), .. }) = self.blocks.last_mut() {
            (*rows, *first, *last) = (*rows + 1, row.frame.min(*first), row.frame.max(*last));
        }
        self.rows += 1;
        self.last = Some((row.frame, mark.number));
        Ok(())
    }

    fn check(&self, row: &Row, mark: Mark) -> Result<(), ImportError> {
        let [vx, vy] = row.velocity.unwrap_or_default();
        let heading = row.facing.map_or(0.0, Facing::odd_part);
        for (what, value) in [("x", row.at[0]), ("y", row.at[1]), ("v_x", vx), ("v_y", vy), ("the heading", heading)] {
            // Beyond this, or not a number at all: no place on Earth, and a speed that `f32` may not hold.
            if !(-1e9..=1e9).contains(&value) {
                let (place, allowed) = ((self.place)(mark.number), "numbers from -1e9 to 1e9");
                return Err(ImportError::Value { place, what, value: short_number(value), allowed });
            }
        }
        if self.rows >= ROWS_MAX {
            return Err(ImportError::TooMuch { what: "number of rows", found: self.rows + 1, most: ROWS_MAX });
        }
        Ok(())
    }

    /// Who this is. Files are sorted by person or by frame, so it is the person of the last row or the one behind them.
    fn find(&mut self, id: u32) -> Option<usize> {
        let near = [self.recent, self.recent + 1].into_iter();
        let is = |person: &usize| self.people.get(*person).is_some_and(|somebody| somebody.id == id);
        let found = near.clone().find(is).or_else(|| self.by_id.get(&id).copied());
        self.recent = found.unwrap_or(self.people.len());
        found
    }

    fn enter(&mut self, row: &Row, mark: Mark) -> Result<(), ImportError> {
        if self.people.len() >= PEOPLE_MAX {
            let (found, most) = (PEOPLE_MAX as u64 + 1, PEOPLE_MAX as u64);
            return Err(ImportError::TooMuch { what: "number of people", found, most });
        }
        self.by_id.insert(row.id, self.people.len());
        self.people.push(Somebody {
            id: row.id,
            frames: (row.frame, row.frame),
            way: 0.0,
            heading: row.facing.map(Facing::heading).or_else(|| row.velocity.and_then(direction)),
            place: mark.number as u32,
            at: row.at,
        });
        Ok(())
    }

    /// Frames must rise for each person.
    fn walk_on(&mut self, person: usize, row: &Row, mark: Mark) -> Result<(), ImportError> {
        let somebody = &mut self.people[person];
        let (id, frame, before) = (row.id, row.frame, somebody.frames.1);
        if frame <= before {
            let [place, first] = [mark.number, u64::from(somebody.place)].map(self.place);
            return Err(match frame == before {
                true => ImportError::Twice { place, first, id, frame },
                false => ImportError::Backwards { place, id, frame, before },
            });
        }
        let step = [row.at[0] - somebody.at[0], row.at[1] - somebody.at[1]];
        let faces = || row.facing.map(Facing::heading).or_else(|| direction(row.velocity.unwrap_or(step)));
        somebody.heading = somebody.heading.or_else(faces);
        somebody.way += (step[0] * step[0] + step[1] * step[1]).sqrt();
        (somebody.frames.1, somebody.place, somebody.at) = (frame, mark.number as u32, row.at);
        Ok(())
    }
}

/// Radians from the x axis; `None` for who stands.
pub(crate) fn direction([x, y]: [f64; 2]) -> Option<f32> {
    (x != 0.0 || y != 0.0).then(|| math::double::atan2(y, x) as f32)
}

fn greatest_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
