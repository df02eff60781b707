//! The lines of a text of any size: a block of it is in memory at a time.

use crate::RecordError;
use crate::import::unreadable;
use crate::import_error::ImportError;
use crate::input::Input;
use crate::table::Mark;

/// Bytes that are read at once.
const BLOCK: usize = 1 << 18;
/// Bytes of a line.
pub(crate) const LINE_MAX: usize = 1 << 20;

/// Lines from some place of a text on, without spaces around them. Old comments may hold bytes that are no UTF-8.
pub(crate) struct Lines<'a> {
    input: &'a Input,
    /// What was read and not yet handed over: the part of it from `start` on.
    block: Vec<u8>,
    start: usize,
    /// Up to here there is certainly no end of a line.
    searched: usize,
    /// Where the next line begins.
    next: Mark,
}

impl<'a> Lines<'a> {
    /// Lines from `from` on, which is where a line begins.
    pub(crate) fn new(input: &'a Input, from: Mark) -> Self {
        Self { input, block: Vec::new(), start: 0, searched: 0, next: from }
    }

    /// The next line and where it begins; `None` behind the last one.
    pub(crate) fn next(&mut self) -> Result<Option<(Mark, &[u8])>, ImportError> {
        let end = loop {
            if let Some(end) = memchr::memchr(b'\n', &self.block[self.searched..]) {
                break self.searched + end;
            }
            self.searched = self.block.len();
            if self.searched - self.start > LINE_MAX {
                let reason = format!("line {} is longer than {LINE_MAX} bytes", self.next.number);
                return Err(unreadable("recorded people", reason));
            }
            if !self.read_on()? {
                if self.start == self.block.len() {
                    return Ok(None);
                }
                break self.block.len();
            }
        };
        let (begin, mark) = (self.start, self.next);
        self.start = (end + 1).min(self.block.len());
        self.searched = self.start;
        self.next = Mark { at: mark.at + (self.start - begin) as u64, number: mark.number + 1 };
        let mut line = &self.block[begin..end];
        if mark.at == 0 {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        Ok(Some((mark, line.trim_ascii())))
    }

    /// Reads another block; false when there is none.
    fn read_on(&mut self) -> Result<bool, RecordError> {
        let held = self.block.len() - self.start;
        let from = self.next.at + held as u64;
        let length = (self.input.size() - from).min(BLOCK as u64) as usize;
        if length == 0 {
            return Ok(false);
        }
        self.block.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.block.extend(self.input.read(from, length)?);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Lines of every length up to a few blocks: what is handed over is what was written, also from any of them on.
    #[test]
    fn lines_are_found_across_blocks() {
        let lines: Vec<String> = (0..60).map(|i| "x".repeat(i * i * 11 % 40_000) + &i.to_string()).collect();
        for end in ["", "\n"] {
            let text = lines.join("\n") + end;
            let input = Input::new(Box::new(Cursor::new(text))).expect("a text");
            let read = |from: Mark| {
                let (mut reader, mut found) = (Lines::new(&input, from), Vec::new());
                while let Some((mark, line)) = reader.next().expect("readable") {
                    found.push((mark, String::from_utf8_lossy(line).into_owned()));
                }
                found
            };
            let found = read(Mark::START);
            assert!(found.iter().map(|(_, line)| line).eq(&lines));
            assert!(found.iter().map(|(mark, _)| mark.number).eq(1..=60));
            assert_eq!(read(found[41].0), found[41..]);
        }
    }

    #[test]
    fn a_line_without_end_is_refused_before_memory_is_full() {
        let input = Input::new(Box::new(Cursor::new([b"1\n".to_vec(), vec![b'7'; 8 << 20]].concat()))).expect("a text");
        let mut lines = Lines::new(&input, Mark::START);
        assert!(lines.next().is_ok_and(|line| line.is_some_and(|(_, line)| line == b"1")));
        let error = lines.next().map(drop).expect_err("endless").to_string();
        assert!(error.contains("line 2 is longer than 1048576 bytes"), "{error}");
    }
}
