//! Finding the journal: from the footer of a finished file, else from the last whole record of a broken one.

use crate::RecordError;
use crate::input::Input;
use crate::journal::{Kind, MAGIC, Tail};
use crate::limits::{RECORDS_MAX, SEARCH_MAX, WORDS_TOTAL_MAX};
use crate::reader::damaged;

/// What every Parquet file begins and ends with.
const PARQUET: [u8; 4] = *b"PAR1";
/// Bytes looked through at first; each time twice as many, because the last record is mostly near the end.
const BLOCK: u64 = 1 << 12;
/// Bytes looked through at most at a time.
const BLOCK_MAX: u64 = 1 << 20;
/// Places that look like the end of a record without being it, before the search is given up.
const DECOYS_MAX: usize = 64;

/// All journal records, first one first, and whether the file was finished.
pub(crate) fn journal(input: &Input) -> Result<(Vec<Tail>, bool), RecordError> {
    if input.size() == 0 {
        return Err(input.not_a_recording("it is empty"));
    }
    if input.size() < PARQUET.len() as u64 || input.read(0, PARQUET.len())? != PARQUET {
        return Err(input.not_a_recording("it does not begin as a Parquet file does"));
    }
    if let Some(last) = before_footer(input)? {
        return Ok((chain(input, last)?, true));
    }
    let last = last_whole(input)?.ok_or_else(|| input.not_a_recording("there is no whole journal record in it"))?;
    Ok((chain(input, last)?, false))
}

/// The record that ends where the footer begins; a finished file ends in the footer's length and four letters.
fn before_footer(input: &Input) -> Result<Option<Tail>, RecordError> {
    let Some(end) = input.size().checked_sub(8) else { return Ok(None) };
    let bytes = input.read(end, 8)?;
    let Some((&length, letters)) = bytes.split_first_chunk::<4>() else { return Ok(None) };
    if letters != PARQUET {
        return Ok(None);
    }
    match end.checked_sub(u64::from(u32::from_le_bytes(length))) {
        Some(footer) => input.tail(footer),
        None => Ok(None),
    }
}

/// The last record that is whole, searched backwards from the end.
fn last_whole(input: &Input) -> Result<Option<Tail>, RecordError> {
    let floor = input.size().saturating_sub(SEARCH_MAX);
    let mut decoys = 0;
    let mut end = input.size();
    let mut step = BLOCK;
    while end > floor {
        let start = end.saturating_sub(step).max(floor);
        step = BLOCK_MAX.min(2 * step);
        // A magic may lie across the border of two blocks.
        let length = (end - start + MAGIC.len() as u64 - 1).min(input.size() - start);
        let block = input.read(start, length as usize)?;
        // Forwards and then turned round: backwards it is searched byte by byte.
        let found: Vec<usize> = memchr::memmem::find_iter(&block, &MAGIC).collect();
        for at in found.into_iter().rev() {
            let found = input.tail(start + (at + MAGIC.len()) as u64)?;
            if let Some(tail) = found.filter(|tail| input.body(tail).is_ok()) {
                return Ok(Some(tail));
            }
            decoys += 1;
            if decoys > DECOYS_MAX {
                return Ok(None);
            }
        }
        end = start;
    }
    Ok(None)
}

/// All records up to `last`. Bodies are not read yet.
fn chain(input: &Input, last: Tail) -> Result<Vec<Tail>, RecordError> {
    let mut records = vec![last];
    let mut words = 0;
    let mut record = last;
    loop {
        if record.kind == Kind::Words {
            words += record.length;
        }
        if records.len() > RECORDS_MAX || words > WORDS_TOTAL_MAX {
            return Err(damaged(record.start, "its journal is longer than any we write"));
        }
        if record.previous == 0 {
            break;
        }
        record = input
            .tail(record.previous)?
            .ok_or_else(|| damaged(record.previous, "no journal record ends here, though the next one says so"))?;
        records.push(record);
    }
    records.reverse();
    Ok(records)
}
