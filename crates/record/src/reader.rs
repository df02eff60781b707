//! File in, frames out.

use std::io::{Read, Seek};
use std::ops::ControlFlow;

use crate::{Event, Frame, Header, OwnedFrame, Person, RecordError};

/// What a recording is read from: a file, or a `Cursor` over bytes.
pub trait Source: Read + Seek + Send {}

impl<S: Read + Seek + Send> Source for S {}

/// A recording, opened for reading. Holds one second of frames at a time.
pub struct Recording {
    header: Header,
}

impl Recording {
    /// Opens a recording, finished or broken off.
    pub fn open(_source: impl Source + 'static) -> Result<Recording, RecordError> {
        Err(RecordError::NotARecording { reason: String::new(), size: 0 })
    }

    /// What was known before the first step.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Everybody who was there, in the order they were noted.
    pub fn people(&self) -> &[Person] {
        &[]
    }

    /// What happened, in the order it was noted.
    pub fn events(&self) -> &[Event] {
        &[]
    }

    /// Whether the run ended properly; if not, its last second may be missing.
    pub fn complete(&self) -> bool {
        false
    }

    /// First and last recorded tick; `None` when there is no frame.
    pub fn ticks(&self) -> Option<(u32, u32)> {
        None
    }

    /// How many frames there are.
    pub fn frame_count(&self) -> u64 {
        0
    }

    /// Hands the frames of `first..=last` (ticks) to `each`, in order, until it breaks.
    pub fn frames(
        &self,
        _first: u32,
        _last: u32,
        _each: &mut dyn FnMut(&Frame<'_>) -> ControlFlow<()>,
    ) -> Result<(), RecordError> {
        Ok(())
    }

    /// The recorded frame at `tick`, or the nearest before it; `None` when there is none.
    pub fn frame_at(&self, _tick: u32) -> Result<Option<OwnedFrame>, RecordError> {
        Ok(None)
    }
}
