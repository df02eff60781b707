//! What stands between Parquet and the caller's sink.

use std::io::{self, ErrorKind, Write};

/// Passes bytes on, adds them up in a checksum, and closes for good at the first error: what is flushed later, even by
/// a buffer that is being dropped, must not reach a file that already ends in a torn record.
pub(crate) struct Gate<W> {
    sink: Option<W>,
    sum: crc32fast::Hasher,
    failure: Option<(ErrorKind, String)>,
}

impl<W: Write> Gate<W> {
    pub(crate) fn new(sink: W) -> Self {
        Self { sink: Some(sink), sum: crc32fast::Hasher::new(), failure: None }
    }

    /// The checksum of all bytes since the last call.
    pub(crate) fn take_sum(&mut self) -> u32 {
        std::mem::take(&mut self.sum).finalize()
    }

    /// The error that closed the gate.
    pub(crate) fn failure(&self) -> Option<&(ErrorKind, String)> {
        self.failure.as_ref()
    }

    /// Closes the gate and gives the sink back; `None` the second time.
    pub(crate) fn take_sink(&mut self) -> Option<W> {
        self.sink.take()
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
        let written = self.pass(|sink| match sink.write(bytes)? {
            0 if !bytes.is_empty() => Err(ErrorKind::WriteZero.into()),
            written => Ok(written),
        })?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass(|sink| sink.flush())
    }
}
