//! Who may touch whom during one step: asked of the index once per row, and kept until the step ends.

use crate::contact::Bodies;
use passerby_crowd::Agents;
use rayon::prelude::*;

/// Rows that one task asks for.
const CHUNK: usize = 128;

/// For the rows that were asked for, the rows that may touch them and are not left to their model, by id.
#[derive(Debug, Default)]
pub(crate) struct Partners {
    /// One list per task of [`Partners::ask`]: tasks write side by side.
    lists: Vec<List>,
    /// How many of them have been written to.
    used: usize,
    known: Vec<Known>,
    asked: Vec<u32>,
    fresh: Vec<u32>,
}

#[derive(Debug, Default)]
struct List {
    rows: Vec<u32>,
    /// How many rows there were before the last answers.
    begun: u32,
    /// Where the rows of each answer end.
    ends: Vec<u32>,
}

/// Where an answer is: `lists[list - 1].rows[first..end]`. List 0 stands for no answer yet.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    list: u32,
    first: u32,
    end: u32,
}

impl Partners {
    /// Forgets what was asked in the step before, and makes room for so many people.
    pub fn begin(&mut self, people: usize) {
        self.asked.drain(..).for_each(|row| self.known[row as usize].list = 0);
        self.known.resize(people, Known::default());
        // Later steps must not have to ask for room.
        self.fresh.clear();
        (self.asked.reserve(people), self.fresh.reserve(people));
        self.make_lists(people.div_ceil(CHUNK) + 96);
        self.lists[..self.used].iter_mut().for_each(|list| list.rows.clear());
        self.used = 0;
    }

    fn make_lists(&mut self, count: usize) {
        let rows_each = 20 * CHUNK;
        let make = || List { rows: Vec::with_capacity(rows_each), begun: 0, ends: Vec::with_capacity(CHUNK + 1) };
        if self.lists.len() < count {
            self.lists.resize_with(count, make);
        }
    }

    /// Finds the partners of those rows that have not been asked for yet.
    pub fn ask(&mut self, bodies: &Bodies<'_>, agents: &Agents, rows: &[u32]) {
        let known = &self.known;
        self.fresh.clear();
        self.fresh.extend(rows.iter().filter(|row| known[**row as usize].list == 0));
        // The last rounds ask for a few rows each: as long as there is room they go to the list that was used last.
        let has_room = |list: &List| list.rows.len() + 40 * self.fresh.len() <= list.rows.capacity();
        let shares = self.used > 0 && self.fresh.len() < CHUNK && has_room(&self.lists[self.used - 1]);
        let first_list = self.used - usize::from(shares);
        self.used = first_list + self.fresh.len().div_ceil(CHUNK).max(usize::from(shares));
        self.make_lists(self.used);
        let Partners { lists, used, known, asked, fresh } = self;
        let lists = &mut lists[first_list..*used];
        fresh.par_chunks(CHUNK).zip(&mut *lists).for_each(|(rows, list)| list.answer(bodies, agents, rows));
        for (number, (rows, list)) in fresh.chunks(CHUNK).zip(lists).enumerate() {
            let (list_number, mut first) = ((first_list + number) as u32 + 1, list.begun);
            for (row, end) in rows.iter().zip(list.ends.drain(..)) {
                known[*row as usize] = Known { list: list_number, first, end };
                first = end;
            }
        }
        asked.extend_from_slice(fresh);
    }

    /// The partners of a row that was asked for.
    pub fn of(&self, row: usize) -> &[u32] {
        let Known { list, first, end } = self.known[row];
        &self.lists[list as usize - 1].rows[first as usize..end as usize]
    }
}

impl List {
    /// Appends the partners of some rows.
    fn answer(&mut self, bodies: &Bodies<'_>, agents: &Agents, rows: &[u32]) {
        self.begun = self.rows.len() as u32;
        for &row in rows {
            let row = row as usize;
            let first = self.rows.len();
            let soft = bodies.is_soft(agents.id[row]);
            let firm = bodies.partners(agents, row).filter(|other| !(soft && bodies.is_soft(other.id)));
            self.rows.extend(firm.map(|other| other.row.0));
            // By id: float addition depends on order, and the order of the index on the size of its cells.
            self.rows[first..].sort_unstable_by_key(|other| agents.id[*other as usize]);
            self.ends.push(self.rows.len() as u32);
        }
    }
}
