//! Bytes of a source, by place, never more than there are.

use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

use crate::RecordError;
use crate::journal::{TAIL, Tail};
use crate::reader::damaged;

/// What a recording is read from: a file, or a `Cursor` over bytes.
pub trait Source: Read + Seek + Send {}

impl<S: Read + Seek + Send> Source for S {}

/// A source of known size that several threads may ask.
pub(crate) struct Input {
    source: Mutex<Box<dyn Source>>,
    size: u64,
}

impl Input {
    pub(crate) fn new(mut source: Box<dyn Source>) -> Result<Self, RecordError> {
        let size = source.seek(SeekFrom::End(0)).map_err(|error| read_error(0, 0, &error))?;
        Ok(Self { source: Mutex::new(source), size })
    }

    /// Size of the file.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// The `length` bytes at byte `offset`.
    pub(crate) fn read(&self, offset: u64, length: usize) -> Result<Vec<u8>, RecordError> {
        if offset.checked_add(length as u64).is_none_or(|end| end > self.size) {
            return Err(read_error(offset, length, &ErrorKind::UnexpectedEof.into()));
        }
        let mut bytes = vec![0; length];
        self.fill(offset, &mut bytes)?;
        Ok(bytes)
    }

    /// The bytes at byte `offset`, which are there.
    fn fill(&self, offset: u64, bytes: &mut [u8]) -> Result<(), RecordError> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let read = source.seek(SeekFrom::Start(offset)).and_then(|_| source.read_exact(bytes));
        read.map_err(|error| read_error(offset, bytes.len(), &error))
    }

    /// The tail of the journal record that ends at byte `end`; `None` when none does.
    pub(crate) fn tail(&self, end: u64) -> Result<Option<Tail>, RecordError> {
        let Some(start) = end.checked_sub(TAIL as u64) else { return Ok(None) };
        if end > self.size {
            return Err(read_error(start, TAIL, &ErrorKind::UnexpectedEof.into()));
        }
        let mut bytes = [0; TAIL];
        self.fill(start, &mut bytes)?;
        Ok(Tail::read(&bytes, end))
    }

    /// The body of a journal record.
    pub(crate) fn body(&self, record: &Tail) -> Result<Vec<u8>, RecordError> {
        let body = self.read(record.start, record.length)?;
        if !record.matches(&body) {
            return Err(damaged(record.start, "a journal record is not what was written"));
        }
        Ok(body)
    }

    pub(crate) fn not_a_recording(&self, reason: &str) -> RecordError {
        RecordError::NotARecording { reason: reason.into(), size: self.size }
    }
}

fn read_error(offset: u64, length: usize, error: &std::io::Error) -> RecordError {
    RecordError::Read { offset, length: length as u64, kind: error.kind(), message: error.to_string() }
}
