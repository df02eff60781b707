//! What a run leaves behind: frames, people, place and events, written so that a kill loses at most a second.
//!
//! A recording is one ordinary Parquet file, one row per person and frame: `tick`, `id`, `x`, `y`, `vx`, `vy`,
//! `heading`, and how the body is posed if it was begun [so](Header::bodies). The rest is JSON in the footer: `passerby.header`, `passerby.people`, `passerby.events`. Any Parquet
//! reader opens a finished one.
//!
//! A run that was killed has no footer. So the [`Writer`] sets a small *journal record* behind every second of frames
//! (other readers skip it), and a [`Recording`] opens a broken file as well as a finished one, up to the last
//! whole record.
//!
//! Recorded people come in through [`import`], from the formats that others use, and are recordings like any other;
//! [`export`] writes these formats.
//!
//! ```
//! use passerby_record::{FORMAT, Frame, Header, PlaceShape, Recording, Writer};
//! # fn main() -> Result<(), passerby_record::RecordError> {
//! let header = Header {
//!     format: FORMAT,
//!     version: "0.1.0".into(),
//!     name: "one walker".into(),
//!     scenario: String::new(),
//!     seed: 7,
//!     tick: 0.05,
//!     every: 1,
//!     offset: [0.0, 0.0],
//!     place: PlaceShape::default(),
//!     bodies: false,
//! };
//! let mut writer = Writer::new(Vec::new(), &header)?;
//! let (x, y) = ([1.5], [2.0]);
//! writer.frame(&Frame { tick: 0, id: &[0], x: &x, y: &y, vx: &[1.3], vy: &[0.0], heading: &[0.0], bodies: &[] })?;
//! let file = writer.finish()?;
//!
//! let recording = Recording::open(std::io::Cursor::new(file))?;
//! assert_eq!(recording.frame_at(0)?.unwrap().x, [1.5]);
//! # Ok(())
//! # }
//! ```

mod body;
mod cell;
mod columns;
mod csv;
mod database;
mod error;
mod export;
mod floor;
mod footer;
#[cfg(test)]
mod forged;
mod frame;
mod group;
mod hdf5;
mod header;
mod import;
mod import_error;
mod input;
mod journal;
mod juelich;
mod jupedsim;
mod limits;
mod lines;
mod mover;
mod obsmat;
mod pages;
mod reader;
mod search;
mod sink;
mod splines;
mod sqlite;
mod survey;
mod table;
mod text;
mod tracks;
mod wkt;
mod words;
mod writer;

pub use body::{BodyRow, FootRow};
pub use error::RecordError;
pub use export::{ExportError, Exported, Format, export};
pub use frame::{Frame, OwnedFrame};
pub use header::{Event, FORMAT, Header, MeasureShape, NamedLine, NamedMeasure, NamedPolygon, Person, PlaceShape};
pub use import::{Image, Scratch, Stated, Unit, import, import_through};
pub use import_error::{ImportError, Place};
pub use input::Source;
pub use mover::{Mover, Pose};
pub use reader::Recording;
pub use writer::Writer;
