//! What stands between the writer and the caller's sink.

use std::io::{self, ErrorKind, IoSlice, Write};

/// Passes bytes on, counts them, and closes for good at the first error: what is written later, even by a buffer that is
/// being dropped, must not reach a file that already ends in a torn record.
pub(crate) struct Gate<W> {
    sink: Option<W>,
    written: u64,
    failure: Option<(ErrorKind, String)>,
}

impl<W: Write> Gate<W> {
    pub(crate) fn new(sink: W) -> Self {
        Self { sink: Some(sink), written: 0, failure: None }
    }

    /// How many bytes went through.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// The error that closed the gate.
    pub(crate) fn failure(&self) -> Option<&(ErrorKind, String)> {
        self.failure.as_ref()
    }

    /// Closes the gate and gives the sink back; `None` the second time.
    pub(crate) fn take_sink(&mut self) -> Option<W> {
        self.sink.take()
    }

    /// Passes on all parts, one behind the other. A file gets them in one go, without a copy.
    pub(crate) fn put(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        let mut slices: Vec<IoSlice<'_>> =
            parts.iter().filter(|part| !part.is_empty()).map(|part| IoSlice::new(part)).collect();
        let mut left = &mut slices[..];
        while !left.is_empty() {
            match self.write_vectored(left) {
                Ok(written) => IoSlice::advance_slices(&mut left, written),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn pass<T>(&mut self, act: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        let sink = match (&self.failure, &mut self.sink) {
            (None, Some(sink)) => sink,
            _ => return Err(io::Error::other("closed after an error")),
        };
        let result = act(sink);
        if let Err(error) = &result
            && error.kind() != ErrorKind::Interrupted
        {
            self.failure = Some((error.kind(), error.to_string()));
        }
        result
    }
}

impl<W: Write> Write for Gate<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        let nothing = parts.iter().all(|part| part.is_empty());
        let written = self.pass(|sink| match sink.write_vectored(parts)? {
            0 if !nothing => Err(ErrorKind::WriteZero.into()),
            written => Ok(written),
        })?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass(|sink| sink.flush())
    }
}
