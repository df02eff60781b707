//! Journal records: what makes a file without a footer readable.
//!
//! A record is a body and a tail of 36 bytes, all numbers little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | length of the body |
//! | 4 | kind: 1 words, 2 rows |
//! | 8 | where the record begins in the file |
//! | 8 | where the record before it ends, 0 for the first |
//! | 4 | CRC-32 of body and tail up to here |
//! | 8 | the magic |
//!
//! The tail stands last because a reader that has only the end of a file starts from there. Words are JSON (see
//! `words`). Rows describe the row group just before: where it begins, its CRC-32, the length of its seven column
//! chunks and, in a recording with bodies, of each column of theirs, then tick and number of people of each frame.

use crate::columns::{BASE, Layout, Lengths};
use crate::limits::{FRAMES_MAX, WORDS_MAX};

/// Ends every record. Its first byte never occurs in UTF-8 text, so no scenario can contain it.
pub(crate) const MAGIC: [u8; 8] = *b"\xffPsbyRec";
/// Length of a tail.
pub(crate) const TAIL: usize = 36;
/// Length of a rows body without its frames. The two differ by half a frame, so that one is never taken for the other.
fn rows_fixed(layout: Layout) -> usize {
    match layout {
        Layout::Base => 8 + 4 + 4 * BASE,
        Layout::Bodies => 8 + 4 + 4 * BASE + 4,
    }
}
/// Length of one frame in a rows body.
const FRAME: usize = 8;

/// What a record's body holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Words = 1,
    Rows = 2,
}

/// A record's tail, found whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tail {
    pub kind: Kind,
    /// Where the record begins in the file.
    pub start: u64,
    /// Length of the body.
    pub length: usize,
    /// Where the record before it ends; 0 for the first.
    pub previous: u64,
    sum: u32,
}

impl Tail {
    /// Where the record ends in the file.
    pub(crate) fn end(&self) -> u64 {
        self.start + (self.length + TAIL) as u64
    }

    /// Reads the tail of a record that ends at byte `end`; `None` when there is none.
    pub(crate) fn read(bytes: &[u8; TAIL], end: u64) -> Option<Self> {
        let kind = match u32_at(bytes, 4)? {
            1 => Kind::Words,
            2 => Kind::Rows,
            _ => return None,
        };
        let tail = Self {
            kind,
            start: u64_at(bytes, 8)?,
            length: u32_at(bytes, 0)? as usize,
            previous: u64_at(bytes, 16)?,
            sum: u32_at(bytes, 24)?,
        };
        let length_max = match kind {
            Kind::Words => WORDS_MAX,
            Kind::Rows => rows_fixed(Layout::Bodies) + FRAME * FRAMES_MAX,
        };
        let fits = tail.length <= length_max && tail.start <= end && tail.end() == end && tail.previous <= tail.start;
        (bytes[28..] == MAGIC && fits).then_some(tail)
    }

    /// Whether `body` is what was written.
    pub(crate) fn matches(&self, body: &[u8]) -> bool {
        self.sum == sum(body, &self.fixed())
    }

    fn fixed(&self) -> [u8; 24] {
        let mut fixed = [0; 24];
        fixed[..4].copy_from_slice(&(self.length as u32).to_le_bytes());
        fixed[4..8].copy_from_slice(&(self.kind as u32).to_le_bytes());
        fixed[8..16].copy_from_slice(&self.start.to_le_bytes());
        fixed[16..].copy_from_slice(&self.previous.to_le_bytes());
        fixed
    }
}

fn sum(body: &[u8], fixed: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(body);
    hasher.update(fixed);
    hasher.finalize()
}

/// Puts the tail behind a body, for a record at byte `start` of the file after one that ends at byte `previous`.
pub(crate) fn seal(kind: Kind, mut body: Vec<u8>, start: u64, previous: u64) -> Vec<u8> {
    let fixed = Tail { kind, start, length: body.len(), previous, sum: 0 }.fixed();
    let sum = sum(&body, &fixed);
    body.extend_from_slice(&fixed);
    body.extend_from_slice(&sum.to_le_bytes());
    body.extend_from_slice(&MAGIC);
    body
}

/// One frame of a row group.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FrameRows {
    pub tick: u32,
    pub people: u32,
}

/// Where the rows of some frames are. A frame without people has no rows, but it is in `frames`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rows {
    /// Where the row group begins in the file.
    pub start: u64,
    /// CRC-32 of the whole row group.
    pub sum: u32,
    pub lengths: Lengths,
    /// At least one, ticks rising.
    pub frames: Vec<FrameRows>,
}

impl Rows {
    pub(crate) fn write(&self, layout: Layout) -> Vec<u8> {
        let Self { start, sum, lengths, frames } = self;
        let mut body = Vec::with_capacity(rows_fixed(layout) + FRAME * frames.len() + TAIL);
        body.extend_from_slice(&start.to_le_bytes());
        body.extend_from_slice(&sum.to_le_bytes());
        lengths.base.iter().for_each(|length| body.extend_from_slice(&length.to_le_bytes()));
        if layout == Layout::Bodies {
            body.extend_from_slice(&lengths.body.to_le_bytes());
        }
        for frame in frames {
            body.extend_from_slice(&frame.tick.to_le_bytes());
            body.extend_from_slice(&frame.people.to_le_bytes());
        }
        body
    }

    /// Reads a rows body that stands at byte `record` of the file; `Err` says what is wrong with it.
    pub(crate) fn read(body: &[u8], record: u64, layout: Layout) -> Result<Self, &'static str> {
        let (fixed, table) = body.split_at_checked(rows_fixed(layout)).ok_or("a record of rows is too short")?;
        if table.is_empty() || !table.len().is_multiple_of(FRAME) || table.len() > FRAME * FRAMES_MAX {
            return Err("a record of rows has no whole list of frames");
        }
        let number = |at| u32_at(fixed, at).ok_or("a record of rows is too short");
        let mut lengths = Lengths::default();
        for (column, length) in lengths.base.iter_mut().enumerate() {
            *length = number(12 + 4 * column)?;
        }
        if layout == Layout::Bodies {
            lengths.body = number(12 + 4 * BASE)?;
        }
        let mut frames = Vec::with_capacity(table.len() / FRAME);
        let row = |row: &[u8]| Some(FrameRows { tick: u32_at(row, 0)?, people: u32_at(row, 4)? });
        frames.extend(table.chunks_exact(FRAME).filter_map(row));
        let start = u64_at(fixed, 0).ok_or("a record of rows is too short")?;
        let rows = Self { start, sum: number(8)?, lengths, frames };
        if !rows.frames.is_sorted_by(|a, b| a.tick < b.tick) {
            return Err("the frames of a row group are not in order");
        }
        if rows.people() > layout.rows_max() as u64 || rows.lengths.total() > layout.group_bytes_max() as u64 {
            return Err("a row group is larger than any we write");
        }
        if start.checked_add(rows.lengths.total()).is_none_or(|end| end > record) {
            return Err("a row group ends behind its record");
        }
        Ok(rows)
    }

    /// Number of rows.
    pub(crate) fn people(&self) -> u64 {
        self.frames.iter().map(|frame| u64::from(frame.people)).sum()
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Rows {
        let frames = vec![FrameRows { tick: 3, people: 2 }, FrameRows { tick: 5, people: 0 }];
        Rows { start: 4, sum: 9, lengths: Lengths { base: [1, 2, 3, 4, 5, 6, 7], body: 0 }, frames }
    }

    #[track_caller]
    fn refused(change: impl Fn(&mut Rows), record: u64, words: &str) {
        for layout in [Layout::Base, Layout::Bodies] {
            let mut rows = rows();
            change(&mut rows);
            let error = Rows::read(&rows.write(layout), record, layout).expect_err(words);
            assert!(error.contains(words), "{layout:?}: {error}");
        }
    }

    #[test]
    fn rows_come_back() {
        assert_eq!(Rows::read(&rows().write(Layout::Base), 32, Layout::Base), Ok(rows()));
        let mut wide = rows();
        wide.lengths.body = 10;
        // 28 bytes as before and 19 columns of ten.
        assert_eq!(Rows::read(&wide.write(Layout::Bodies), 32 + 190, Layout::Bodies), Ok(wide.clone()));
        assert!(Rows::read(&wide.write(Layout::Bodies), 31 + 190, Layout::Bodies).is_err());
    }

    #[test]
    fn rows_of_the_other_layout_are_refused() {
        for (written, read) in [(Layout::Base, Layout::Bodies), (Layout::Bodies, Layout::Base)] {
            assert!(Rows::read(&rows().write(written), 32, read).is_err());
        }
    }

    #[test]
    fn rows_that_contradict_themselves_are_refused() {
        refused(|rows| rows.frames.clear(), 32, "no whole list");
        refused(|rows| rows.frames[1].tick = 3, 32, "not in order");
        refused(|rows| rows.frames[1].people = u32::MAX, 32, "larger than any");
        refused(|rows| rows.lengths.base = [u32::MAX; 7], u64::MAX, "larger than any");
        refused(|rows| rows.start = u64::MAX, 32, "behind its record");
        refused(|_| (), 31, "behind its record");
        assert!(Rows::read(&[0; 39], 100, Layout::Base).is_err());
        let mut wide = rows();
        wide.lengths.body = u32::MAX;
        assert_eq!(
            Rows::read(&wide.write(Layout::Bodies), u64::MAX, Layout::Bodies),
            Err("a row group is larger than any we write")
        );
        for (people, refused) in [(1 << 18, false), ((1 << 18) + 1, true)] {
            let mut many = rows();
            many.frames[0].people = people;
            assert_eq!(Rows::read(&many.write(Layout::Bodies), 32, Layout::Bodies).is_err(), refused, "{people}");
        }
    }

    #[test]
    fn a_tail_is_found_only_where_it_was_put() {
        let sealed = seal(Kind::Words, b"{}".to_vec(), 100, 40);
        let bytes: &[u8; TAIL] = sealed[2..].first_chunk().expect("a tail");
        let tail = Tail::read(bytes, 138).expect("a whole tail");
        assert_eq!((tail.kind, tail.start, tail.length, tail.previous), (Kind::Words, 100, 2, 40));
        assert!(tail.matches(b"{}") && !tail.matches(b"{]"));
        assert_eq!(Tail::read(bytes, 139), None);
    }
}
