//! What can go wrong with a recording.

use std::io::ErrorKind;

/// Why a recording could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The sink refused bytes: a full disk, a closed pipe. What was flushed before stays readable.
    #[error(
        "the recording cannot be written ({kind}: {message}); the first {safe_seconds} s of the run are safe in it"
    )]
    Write {
        /// The kind of the sink's error.
        kind: ErrorKind,
        /// The sink's own words.
        message: String,
        /// Simulated time up to the last flushed frame, s; 0 when there is none.
        safe_seconds: f64,
    },
    /// An earlier write failed; the file keeps what was flushed before that.
    #[error("the recording takes no more: an earlier write to it failed")]
    Stopped,
    /// A header, frame or person that the format cannot hold.
    #[error("{what} is {value}; allowed: {allowed}")]
    NotRecordable {
        /// Which value.
        what: String,
        /// The value itself.
        value: String,
        /// What would do.
        allowed: String,
    },
    /// The source gave an error while reading.
    #[error("reading {length} bytes at byte {offset} of the recording failed ({kind}: {message})")]
    Read {
        /// Where in the file.
        offset: u64,
        /// How much was wanted.
        length: u64,
        /// The kind of the source's error.
        kind: ErrorKind,
        /// The source's own words.
        message: String,
    },
    /// The file is no recording of ours, or it was cut before anything was flushed.
    #[error("not a recording, or cut before its beginning was written: {reason} (file of {size} bytes)")]
    NotARecording {
        /// How we know.
        reason: String,
        /// Size of the file.
        size: u64,
    },
    /// The file was written in a format that this version does not know.
    #[error("the recording has format {found}; this version reads format {known}")]
    Format {
        /// Format of the file.
        found: u32,
        /// Format of this crate.
        known: u32,
    },
    /// The file contradicts itself.
    #[error("the recording is damaged at byte {offset}: {reason}")]
    Damaged {
        /// Where in the file.
        offset: u64,
        /// What is wrong there.
        reason: String,
    },
    /// A row with a number that is none. Frames before it can be read.
    #[error("{what} of person {id} at tick {tick} is {value} (row {row} of that frame); allowed: finite numbers")]
    NotFinite {
        /// Which column.
        what: &'static str,
        /// Whose.
        id: u32,
        /// When.
        tick: u32,
        /// Which row of the frame, counted from 1.
        row: usize,
        /// The value.
        value: f64,
    },
    /// Somebody twice in a frame, or rows that are not in order of id. Frames before it can be read.
    #[error(
        "person {id} at tick {tick} comes after person {before} (row {row} of that frame); allowed: ids that rise, each once"
    )]
    IdOrder {
        /// Who.
        id: u32,
        /// Who stands in the row before.
        before: u32,
        /// When.
        tick: u32,
        /// Which row of the frame, counted from 1.
        row: usize,
    },
}
