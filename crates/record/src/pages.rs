//! Headers of pages: how we write them, and a look at them before Parquet's reader, which believes them, allocates for the pages.
//!
//! Thrift's compact protocol: each field is a byte (difference to the last field's number, then type: 5 a number, 12 a
//! structure) and its value; a structure ends in a zero byte.

use parquet::basic::Encoding;

use crate::columns::Column;

/// A field with the next number that holds a number.
const NUMBER: u8 = 0x15;
/// A structure, one field left out before it: what is known of a data page.
const DATA_PAGE: u8 = 0x2c;
/// A structure, three fields left out before it: what is known of a dictionary.
const DICTIONARY_PAGE: u8 = 0x4c;

/// Puts the header of a data page without compression or statistics into `out`.
pub(crate) fn put_data_header(values: usize, bytes: usize, encoding: Encoding, out: &mut Vec<u8>) {
    const LEVELS_RLE: usize = 3;
    [0, bytes, bytes].into_iter().for_each(|value| put_field(value, out));
    out.push(DATA_PAGE);
    [values, number_of(encoding), LEVELS_RLE, LEVELS_RLE].into_iter().for_each(|value| put_field(value, out));
    out.extend_from_slice(&[0, 0]);
}

/// Puts the header of a dictionary of plain values into `out`.
pub(crate) fn put_dictionary_header(values: usize, bytes: usize, out: &mut Vec<u8>) {
    [2, bytes, bytes].into_iter().for_each(|value| put_field(value, out));
    out.push(DICTIONARY_PAGE);
    [values, number_of(Encoding::PLAIN)].into_iter().for_each(|value| put_field(value, out));
    out.extend_from_slice(&[0, 0]);
}

/// The number of an encoding that we use.
fn number_of(encoding: Encoding) -> usize {
    match encoding {
        Encoding::PLAIN => 0,
        Encoding::RLE_DICTIONARY => 8,
        _ => 9,
    }
}

/// Checks that a chunk holds exactly `rows` values in pages of the kind we write; `Err` says what is wrong.
pub(crate) fn check_pages(chunk: &[u8], column: &Column, rows: usize) -> Result<(), &'static str> {
    let encoding = number_of(column.encoding);
    let mut rest = chunk;
    let mut left = rows;
    while !rest.is_empty() {
        let page = Page::read(&mut rest).ok_or("a page header is not of the kind we write")?;
        if page.encoding != encoding {
            return Err("a page has another encoding");
        }
        left = left.checked_sub(page.values).ok_or("the pages hold more values than there are people")?;
        if page.values.checked_mul(column.width) != Some(page.bytes) {
            return Err("the size of a page is not that of its values");
        }
        if !column.compressed && page.stored != page.bytes {
            return Err("a plain page has two sizes");
        }
        rest = rest.get(page.stored..).ok_or("a page is longer than its column")?;
    }
    if left > 0 { Err("the pages hold fewer values than there are people") } else { Ok(()) }
}

/// What matters of a page header.
struct Page {
    values: usize,
    encoding: usize,
    /// Bytes of values.
    bytes: usize,
    /// Bytes in the file.
    stored: usize,
}

impl Page {
    /// Reads a header of a version 1 data page without statistics and moves `from` behind it; `None` for any other.
    fn read(from: &mut &[u8]) -> Option<Self> {
        let kind = field(from, NUMBER)?;
        let bytes = field(from, NUMBER)?;
        let stored = field(from, NUMBER)?;
        expect(from, DATA_PAGE)?;
        let values = field(from, NUMBER)?;
        let encoding = field(from, NUMBER)?;
        let _levels = (field(from, NUMBER)?, field(from, NUMBER)?);
        expect(from, 0)?;
        expect(from, 0)?;
        (kind == 0).then_some(Self { values, encoding, bytes, stored })
    }
}

fn expect(from: &mut &[u8], byte: u8) -> Option<()> {
    let (&first, rest) = from.split_first()?;
    *from = rest;
    (first == byte).then_some(())
}

/// A field's byte, then a number that is not negative: seven bits a byte, lowest first, doubled because of the sign.
fn field(from: &mut &[u8], byte: u8) -> Option<usize> {
    expect(from, byte)?;
    let mut number = 0_u32;
    for shift in [0, 7, 14, 21] {
        let (&first, rest) = from.split_first()?;
        *from = rest;
        number |= u32::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return number.is_multiple_of(2).then_some(number as usize / 2);
        }
    }
    None
}

/// The same, the other way round.
fn put_field(value: usize, out: &mut Vec<u8>) {
    out.push(NUMBER);
    put_number(2 * value, out);
}

/// Puts a number into `out`, seven bits a byte, lowest first.
pub(crate) fn put_number(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Layout;

    /// By hand: data page, 8 bytes, 8 stored, two plain values, levels RLE (3).
    const TWO_FLOATS: [u8; 17] = [0x15, 0, 0x15, 16, 0x15, 16, 0x2c, 0x15, 4, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0];

    #[track_caller]
    fn check(change: Option<(usize, u8)>, rows: usize, expected: Result<(), &str>) {
        let mut chunk = TWO_FLOATS.to_vec();
        chunk.extend([0; 8]);
        if let Some((at, byte)) = change {
            chunk[at] = byte;
        }
        assert_eq!(check_pages(&chunk, &Layout::Base.columns()[4], rows), expected);
    }

    #[test]
    fn headers_are_those_worked_out_by_hand() {
        let mut header = Vec::new();
        put_data_header(2, 8, Encoding::PLAIN, &mut header);
        assert_eq!(header, TWO_FLOATS);
        header.clear();
        // 300 doubled is 600 = 4 * 128 + 88.
        put_dictionary_header(75, 300, &mut header);
        assert_eq!(header, [0x15, 4, 0x15, 0xd8, 4, 0x15, 0xd8, 4, 0x4c, 0x15, 0x96, 1, 0x15, 0, 0, 0]);
    }

    #[test]
    fn pages_hold_what_they_say() {
        check(None, 2, Ok(()));
        check(None, 1, Err("the pages hold more values than there are people"));
        check(None, 3, Err("the pages hold fewer values than there are people"));
        check(Some((3, 18)), 2, Err("the size of a page is not that of its values"));
        check(Some((5, 14)), 2, Err("a plain page has two sizes"));
        check(Some((10, 18)), 2, Err("a page has another encoding"));
        check(Some((1, 4)), 2, Err("a page header is not of the kind we write"));
        check(Some((3, 17)), 2, Err("a page header is not of the kind we write"));
        check(Some((15, 1)), 2, Err("a page header is not of the kind we write"));
        let column = &Layout::Base.columns()[4];
        assert_eq!(check_pages(&TWO_FLOATS, column, 2), Err("a page is longer than its column"));
        assert_eq!(check_pages(&TWO_FLOATS[..9], column, 2), Err("a page header is not of the kind we write"));
        assert_eq!(check_pages(&[], column, 0), Ok(()));
    }
}
