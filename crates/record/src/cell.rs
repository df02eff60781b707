//! A value of a row of text: a word as it stands there, or a plain number that was read on the way.
//!
//! Nearly all rows are plain numbers, and there may be millions of them: these are read in one pass over the line. Whatever
//! is not plain is read word by word instead, and that is where errors come from.

use crate::import_error::{ImportError, Place, short_number, shortened};

/// Values in a row that can be plain.
pub(crate) const CELLS_MAX: usize = 16;
/// Digits that always fit into 64 bits.
const DIGITS_MAX: usize = 19;
/// Whole numbers up to here are floats, and so are the powers of ten: their quotient is rounded once, as it should be.
const EXACT: u64 = 1 << 53;
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// What a value can be read as.
pub(crate) trait Cell: Copy {
    /// A finite number.
    fn number(self, what: &'static str, place: Place) -> Result<f64, ImportError>;
    /// A whole number that is not negative; `1.000000e+00` is one as well.
    fn count(self, what: &'static str, place: Place) -> Result<u32, ImportError>;
}

impl Cell for &str {
    fn number(self, what: &'static str, place: Place) -> Result<f64, ImportError> {
        match self.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(ImportError::Value { place, what, value: shortened(self), allowed: "finite numbers" }),
        }
    }

    fn count(self, what: &'static str, place: Place) -> Result<u32, ImportError> {
        let number = self.parse().unwrap_or(f64::NAN);
        whole_count(number).ok_or_else(|| ImportError::Value { place, what, value: shortened(self), allowed: COUNTS })
    }
}

/// A plain number: digits, with at most one point and one minus.
impl Cell for f64 {
    fn number(self, _: &'static str, _: Place) -> Result<f64, ImportError> {
        Ok(self)
    }

    fn count(self, what: &'static str, place: Place) -> Result<u32, ImportError> {
        whole_count(self).ok_or_else(|| ImportError::Value { place, what, value: short_number(self), allowed: COUNTS })
    }
}

/// What ids and frames may be.
pub(crate) const COUNTS: &str = "whole numbers from 0 to 2147483647";
const COUNT_MAX: u32 = i32::MAX.cast_unsigned();

/// The number as a count, if it is one.
pub(crate) fn whole_count(number: f64) -> Option<u32> {
    let count = number as u32;
    (f64::from(count) == number && count <= COUNT_MAX).then_some(count)
}

/// The values of a line of plain numbers: how many there are. `None` when it is anything else, or has too many. Between two
/// values stands the separator, once, or if it is a space any spaces and tabs.
pub(crate) fn plain(line: &[u8], separator: u8, cells: &mut [f64; CELLS_MAX]) -> Option<usize> {
    let mut rest = line;
    for (index, cell) in cells.iter_mut().enumerate() {
        *cell = plain_number(&mut rest)?;
        let Some((&end, behind)) = rest.split_first() else { return Some(index + 1) };
        let separates = |byte: u8| byte == separator || separator == b' ' && byte == b'\t';
        if !separates(end) {
            return None;
        }
        rest = behind;
        while separator == b' ' && rest.first().is_some_and(|byte| separates(*byte)) {
            rest = &rest[1..];
        }
    }
    None
}

/// Reads digits with at most one point and one minus from the beginning of `rest`, exactly as the standard library would.
#[inline]
fn plain_number(rest: &mut &[u8]) -> Option<f64> {
    let negative = rest.first() == Some(&b'-');
    let begin = usize::from(negative);
    let (mut all, point) = digits(rest, begin, 0);
    let (mut end, mut behind) = (point, 0);
    if rest.get(point) == Some(&b'.') {
        (all, end) = digits(rest, point + 1, all);
        behind = end - point - 1;
    }
    let count = point - begin + behind;
    if count == 0 || count > DIGITS_MAX || all > EXACT {
        return None;
    }
    *rest = &rest[end..];
    let number = if behind == 0 { all as f64 } else { all as f64 / TENS[behind] };
    Some(if negative { -number } else { number })
}

/// Appends the digits from byte `from` on to `number`; the number, which is wrong if there are too many, and where they end.
#[inline]
fn digits(bytes: &[u8], from: usize, mut number: u64) -> (u64, usize) {
    let mut at = from;
    while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0'))
        && digit <= 9
    {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (number, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, separator: u8, expected: Option<&[f64]>) {
        let mut cells = [0.0; CELLS_MAX];
        let found = plain(line.as_bytes(), separator, &mut cells).map(|count| &cells[..count]);
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn counts_are_whole_and_not_negative() {
        for (number, expected) in [
            (0.0, Some(0)),
            (-0.0, Some(0)),
            (7.0, Some(7)),
            (2_147_483_647.0, Some(2_147_483_647)),
            (2_147_483_648.0, None),
            (4_294_967_296.0, None),
            (-1.0, None),
            (0.5, None),
            (f64::NAN, None),
            (f64::INFINITY, None),
        ] {
            assert_eq!(whole_count(number), expected, "{number}");
        }
    }

    #[test]
    fn lines_of_plain_numbers_are_read() {
        check("1 2 3.5 -4.25", b' ', Some(&[1.0, 2.0, 3.5, -4.25]));
        check("1 \t 2\t3", b' ', Some(&[1.0, 2.0, 3.0]));
        check("1,2;3", b',', None);
        check("1,,3", b',', None);
        check("1, 3", b',', None);
        check("1;.5;5.", b';', Some(&[1.0, 0.5, 5.0]));
        for line in
            ["", "-", ".", "1 NaN", "1 +2", "1e5", "1.2.3", "--1", "1 2,", "inf", "\"1\"", "1 ", "18446744073709551617"]
        {
            check(line, b' ', None);
        }
        check(&"1 ".repeat(CELLS_MAX + 1), b' ', None);
    }

    /// Every number that is read at all has the bits that the standard library gives.
    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let mut words: Vec<String> = [
            "0",
            "-0",
            "-0.0",
            "0.1",
            "9007199254740992",
            "9007199254740993",
            "0.000000000000000001",
            "899000.000000125",
        ]
        .map(String::from)
        .to_vec();
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digits = (state >> 11).to_string();
            let length = 1 + (state >> 3) as usize % digits.len();
            let point = (state >> 7) as usize % (length + 1);
            let sign = if state & 1024 == 0 { "-" } else { "" };
            words.push(format!("{sign}{}.{}", &digits[..point], &digits[point..length]));
        }
        let mut read = 0;
        for word in &words {
            if let Some(number) = plain_number(&mut word.as_bytes()) {
                read += 1;
                assert_eq!(number.to_bits(), word.parse::<f64>().expect("a number").to_bits(), "{word}");
            }
        }
        assert!(read > 190_000, "{read} of {}", words.len());
    }
}
