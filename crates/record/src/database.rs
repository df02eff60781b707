//! SQLite files, read page by page from a handle: the tables of one, and their rows in order of rowid.
//!
//! The library itself wants a path, or the whole file in memory. What is read here is what <https://sqlite.org/fileformat.html>
//! says of tables with rowids; the numbers in brackets are its sections.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::import::unreadable;
use crate::import_error::ImportError;
use crate::input::Input;

pub(crate) const FORMAT: &str = "JuPedSim SQLite";
/// Levels of a tree: each has at least two children a page, and there are at most 2^32 pages.
const DEPTH_MAX: usize = 20;
/// Bytes of a row that are read: a large place, as text.
const PAYLOAD_MAX: usize = 16 << 20;

/// What was found to be wrong.
fn wrong(reason: impl ToString) -> ImportError {
    unreadable(FORMAT, reason)
}

/// A file of pages.
pub(crate) struct Pages {
    input: Arc<Input>,
    /// Bytes of a page, and those of them that are used.
    size: usize,
    usable: usize,
    encoding: u32,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob,
}

/// A value of a row that should be a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Null,
    Integer(i64),
    Real(f64),
    Text,
    Blob,
}

/// A table with rowids.
pub(crate) struct Stored {
    root: u32,
    /// Names of the columns, and whether the column stands for the rowid.
    columns: Vec<(String, bool)>,
}

/// What is done with each row: its id and its bytes.
type EachRow<'a> = dyn FnMut(i64, &[u8]) -> Result<ControlFlow<()>, ImportError> + 'a;

impl Pages {
    /// Looks at the first 100 bytes (1.3).
    pub(crate) fn open(input: &Arc<Input>) -> Result<Self, ImportError> {
        let found = input.size();
        let head = input.read(0, found.min(100) as usize)?;
        let number = |at: usize, length: usize| {
            (at..at + length).fold(0, |number, at| number << 8 | head.get(at).map_or(0, |byte| u64::from(*byte)))
        };
        let size = match number(16, 2) {
            1 => 1 << 16,
            size => size,
        };
        let expected = size * number(28, 4);
        if found < 100 || found < expected {
            return Err(wrong(format!("it was cut: {found} of {} bytes are there", expected.max(100))));
        }
        if !(512..=1 << 16).contains(&size) || !size.is_power_of_two() {
            return Err(wrong(format!("its pages have {size} bytes; allowed: powers of two from 512 to 65536")));
        }
        let usable = size - number(20, 1);
        if usable < 480 {
            return Err(wrong(format!("its pages use {usable} bytes; allowed: at least 480")));
        }
        let (size, usable, encoding) = (size as usize, usable as usize, number(56, 4) as u32);
        Ok(Self { input: Arc::clone(input), size, usable, encoding })
    }

    /// The table of this name; `None` when there is no plain one: a view or a virtual table could compute for ever.
    pub(crate) fn table(&self, name: &str) -> Result<Option<Stored>, ImportError> {
        let mut found = None;
        self.scan(1, i64::MIN, &mut |_, row| {
            let values = self.values(row, 5)?;
            let [Value::Text(kind), Value::Text(own), _, Value::Integer(root), Value::Text(sql)] = &values[..] else {
                return Ok(ControlFlow::Continue(()));
            };
            if kind != "table" || own != name {
                return Ok(ControlFlow::Continue(()));
            }
            found = u32::try_from(*root).ok().filter(|root| *root > 0).zip(columns(sql));
            Ok(ControlFlow::Break(()))
        })?;
        Ok(found.map(|(root, columns)| Stored { root, columns }))
    }

    /// Hands the rows whose id is at least `from` to `each`, in order of their ids, until it breaks.
    pub(crate) fn rows(&self, table: &Stored, from: i64, each: &mut EachRow<'_>) -> Result<(), ImportError> {
        self.scan(table.root, from, each)
    }

    fn scan(&self, root: u32, from: i64, each: &mut EachRow<'_>) -> Result<(), ImportError> {
        let mut walk = Walk { pages: self, from, left: self.input.size() / self.size as u64, last: None };
        walk.descend(root, 0, each).map(drop)
    }

    fn page(&self, number: u32) -> Result<Vec<u8>, ImportError> {
        let at = u64::from(number).checked_sub(1).ok_or_else(|| wrong("a page has the number 0"))? * self.size as u64;
        if at + self.size as u64 > self.input.size() {
            return Err(wrong(format!("page {number} is missing")));
        }
        Ok(self.input.read(at, self.size)?)
    }

    /// The first `count` values of a row (2.1); those that it does not have are null.
    pub(crate) fn values(&self, row: &[u8], count: usize) -> Result<Vec<Value>, ImportError> {
        let mut values = Vec::with_capacity(count);
        each_value(row, count, |kind, bytes| values.push(self.value(kind, bytes)))?;
        values.resize(count, Value::Null);
        Ok(values)
    }

    fn value(&self, kind: u64, bytes: &[u8]) -> Value {
        match number(kind, bytes) {
            Number::Null => Value::Null,
            Number::Integer(integer) => Value::Integer(integer),
            Number::Real(real) => Value::Real(real),
            Number::Text => Value::Text(self.text(bytes)),
            Number::Blob => Value::Blob,
        }
    }

    fn text(&self, bytes: &[u8]) -> String {
        let wide = |from: fn([u8; 2]) -> u16| {
            String::from_utf16_lossy(&bytes.as_chunks().0.iter().map(|pair| from(*pair)).collect::<Vec<_>>())
        };
        match self.encoding {
            2 => wide(u16::from_le_bytes),
            3 => wide(u16::from_be_bytes),
            _ => String::from_utf8_lossy(bytes).into_owned(),
        }
    }
}

impl Stored {
    /// Where a column stands, and whether it is another name of the rowid.
    pub(crate) fn column(&self, name: &str) -> Option<(usize, bool)> {
        let at = self.columns.iter().position(|(column, _)| column.eq_ignore_ascii_case(name))?;
        Some((at, self.columns[at].1))
    }
}

/// A way through a tree (1.6), rows in order.
struct Walk<'a> {
    pages: &'a Pages,
    from: i64,
    /// Pages that may still be visited: no tree has one twice.
    left: u64,
    last: Option<i64>,
}

impl Walk<'_> {
    fn descend(&mut self, number: u32, depth: usize, each: &mut EachRow<'_>) -> Result<ControlFlow<()>, ImportError> {
        if depth > DEPTH_MAX || self.left == 0 {
            return Err(wrong(format!("its tree does not end at page {number}")));
        }
        self.left -= 1;
        let page = self.pages.page(number)?;
        let head = &page[if number == 1 { 100 } else { 0 }..];
        let (kind, cells) = (head[0], usize::from(u16::from_be_bytes([head[3], head[4]])));
        let broken = || wrong(format!("page {number} is broken"));
        let leaf = match kind {
            0x0d => true,
            0x05 => false,
            _ => return Err(wrong(format!("page {number} is of kind {kind}, not one of a table with rowids"))),
        };
        let places =
            head.get(if leaf { 8 } else { 12 }..).and_then(|bytes| bytes.get(..2 * cells)).ok_or_else(broken)?;
        for place in places.as_chunks().0 {
            let cell = page.get(usize::from(u16::from_be_bytes(*place))..).ok_or_else(broken)?;
            let flow = if leaf {
                self.row(cell, each)?
            } else {
                let (child, key) = cell.split_first_chunk().ok_or_else(broken)?;
                match varint(key).ok_or_else(broken)?.0.cast_signed() < self.from {
                    true => continue,
                    false => self.descend(u32::from_be_bytes(*child), depth + 1, each)?,
                }
            };
            if flow.is_break() {
                return Ok(flow);
            }
        }
        if leaf {
            return Ok(ControlFlow::Continue(()));
        }
        let last = u32::from_be_bytes([head[8], head[9], head[10], head[11]]);
        self.descend(last, depth + 1, each)
    }

    /// The row of a leaf's cell.
    fn row(&mut self, cell: &[u8], each: &mut EachRow<'_>) -> Result<ControlFlow<()>, ImportError> {
        let torn = || wrong("a row is broken");
        let (length, first) = varint(cell).ok_or_else(torn)?;
        let (id, second) = varint(&cell[first..]).ok_or_else(torn)?;
        let id = id.cast_signed();
        if self.last.replace(id).is_some_and(|last| last >= id) {
            return Err(wrong(format!("row id {id} does not come after the one before it")));
        }
        if id < self.from {
            return Ok(ControlFlow::Continue(()));
        }
        let length = usize::try_from(length)
            .ok()
            .filter(|length| *length <= PAYLOAD_MAX)
            .ok_or_else(|| wrong(format!("the row of id {id} has {length} bytes; allowed: at most {PAYLOAD_MAX}")))?;
        let rest = &cell[first + second..];
        let most = self.pages.usable - 35;
        if length <= most {
            return each(id, rest.get(..length).ok_or_else(torn)?);
        }
        let least = (self.pages.usable - 12) * 32 / 255 - 23;
        let fitting = least + (length - least) % (self.pages.usable - 4);
        let here = if fitting <= most { fitting } else { least };
        let mut row = rest.get(..here).ok_or_else(torn)?.to_vec();
        let mut next = rest.get(here..).and_then(|bytes| bytes.first_chunk()).map(|bytes| u32::from_be_bytes(*bytes));
        while row.len() < length {
            let page = self.pages.page(next.ok_or_else(torn)?)?;
            let wanted = (length - row.len()).min(self.pages.usable - 4);
            row.extend_from_slice(&page[4..4 + wanted]);
            next = page.first_chunk().map(|bytes| u32::from_be_bytes(*bytes));
        }
        each(id, &row)
    }
}

/// Fills `values` with the first values of a row (2.1); those that it does not have are null. Rows by the million are read so.
pub(crate) fn numbers(row: &[u8], values: &mut [Number]) -> Result<(), ImportError> {
    let mut found = 0;
    each_value(row, values.len(), |kind, bytes| {
        values[found] = number(kind, bytes);
        found += 1;
    })?;
    values[found..].fill(Number::Null);
    Ok(())
}

/// Hands kind and bytes of the first `count` values of a row over, or of all if there are fewer.
#[inline]
fn each_value(row: &[u8], count: usize, mut each: impl FnMut(u64, &[u8])) -> Result<(), ImportError> {
    let torn = || wrong("a row ends before its values do");
    let (length, mut at) = varint(row).ok_or_else(torn)?;
    let head = usize::try_from(length).ok().and_then(|length| row.get(..length)).ok_or_else(torn)?;
    let mut body = &row[head.len()..];
    for _ in 0..count {
        if at >= head.len() {
            break;
        }
        let (kind, bytes) = varint(&head[at..]).ok_or_else(torn)?;
        at += bytes;
        let length = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind as usize,
            5 => 6,
            6 | 7 => 8,
            _ => usize::try_from(kind.saturating_sub(12) / 2).map_err(|_| torn())?,
        };
        let (bytes, rest) = body.split_at_checked(length).ok_or_else(torn)?;
        body = rest;
        each(kind, bytes);
    }
    Ok(())
}

#[inline]
fn number(kind: u64, bytes: &[u8]) -> Number {
    match kind {
        0 | 10 | 11 => Number::Null,
        8 | 9 => Number::Integer(kind as i64 - 8),
        1..=6 => {
            let first = bytes.first().map_or(0, |byte| i64::from(byte.cast_signed()));
            Number::Integer(bytes.iter().skip(1).fold(first, |number, byte| number << 8 | i64::from(*byte)))
        }
        7 => Number::Real(bytes.first_chunk().map_or(0.0, |bytes| f64::from_be_bytes(*bytes))),
        _ if kind.is_multiple_of(2) => Number::Blob,
        _ => Number::Text,
    }
}

/// A number of one to nine bytes, highest first, and how many it has.
#[inline]
fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    // Nearly all have one byte.
    if let Some(byte) = bytes.first().filter(|byte| **byte < 0x80) {
        return Some((u64::from(*byte), 1));
    }
    let mut number = 0;
    for (i, byte) in bytes.iter().take(9).enumerate() {
        if i == 8 {
            return Some((number << 8 | u64::from(*byte), 9));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((number, i + 1));
        }
    }
    None
}

/// The columns that a `CREATE TABLE` names, and which is another name of the rowid; `None` when it computes any.
fn columns(sql: &str) -> Option<Vec<(String, bool)>> {
    let upper = sql.to_ascii_uppercase();
    if !upper.starts_with("CREATE TABLE") || [" AS ", "GENERATED", "WITHOUT"].iter().any(|word| upper.contains(word)) {
        return None;
    }
    let (start, end) = (sql.find('(')?, sql.rfind(')')?);
    let mut depth = 0;
    let parts = sql.get(start + 1..end)?.split(|c| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        c == ',' && depth == 0
    });
    let column = |part: &str| {
        let words: Vec<&str> = part.split_whitespace().collect();
        let name = words.first().map_or("", |name| name.trim_matches(['"', '`', '[', ']', '\'']));
        let rowid = words.join(" ").to_ascii_uppercase().contains("INTEGER PRIMARY KEY");
        (name.to_owned(), rowid)
    };
    Some(parts.map(column).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_to_nine_bytes() {
        for (bytes, expected) in [
            (&[0x00][..], Some((0, 1))),
            (&[0x7f], Some((127, 1))),
            (&[0x81, 0x00], Some((128, 2))),
            (&[0xff, 0x7f, 9], Some((16_383, 2))),
            (&[0xff; 9], Some((u64::MAX, 9))),
            (&[0x81], None),
            (&[], None),
        ] {
            assert_eq!(varint(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn columns_are_found_in_the_statement() {
        let sql =
            "CREATE TABLE t (\n \"id\" INTEGER  PRIMARY KEY, [x] DECIMAL(10, 2) NOT NULL, `y` REAL, PRIMARY KEY(x))";
        let found = columns(sql).expect("columns");
        assert_eq!(found[0], ("id".into(), true));
        assert_eq!([&found[1], &found[2]], [&("x".into(), false), &("y".into(), false)]);
        assert_eq!(columns("CREATE VIEW t AS SELECT 1"), None);
        assert_eq!(columns("CREATE TABLE t (a, b AS (a + 1))"), None);
    }
}
