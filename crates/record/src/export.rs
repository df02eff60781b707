//! Recordings as files that others read.
//!
//! | format | who reads it | frame numbers |
//! | --- | --- | --- |
//! | CSV | everybody | as recorded, counted in recorded frames |
//! | PeTrack text | PedPy, JPSreport, PeTrack | the same |
//! | JuPedSim SQLite, version 2 | PedPy, JuPedSim | from 0, counted in recorded frames |
//! | Parquet | us, and every Parquet reader | ticks, as in the recording |
//!
//! Numbers are written with as many digits as bring the same bits back.

use std::io::{self, Write};
use std::ops::ControlFlow;

use crate::import::whole;
use crate::{Frame, Header, RecordError, Recording, Writer, sqlite};

/// A format to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// CSV with a header line.
    Csv,
    /// PeTrack text.
    Text,
    /// JuPedSim's SQLite, version 2.
    Sqlite,
    /// A recording of ours.
    Parquet,
}

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Exported {
    /// Frames with people in them.
    pub frames: u64,
    /// Positions.
    pub rows: u64,
    /// Frames a second.
    pub fps: f64,
}

/// Why a recording could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// Nobody to write about.
    #[error("nobody was recorded in it")]
    Empty,
    /// Every which frame cannot be kept.
    #[error("every {every} frames are {ticks} ticks; allowed: 1 to {}", i32::MAX)]
    Every {
        /// What was asked for.
        every: u32,
        /// How many ticks that is.
        ticks: u64,
    },
    /// More than the format takes from us.
    #[error("more than {most} rows; write fewer with --every, or another format")]
    TooManyRows {
        /// How many there may be.
        most: u64,
    },
    /// The database did not take it.
    #[error("the database cannot be made: {0}")]
    Database(String),
    /// The sink refused bytes.
    #[error("cannot be written: {0}")]
    Write(#[from] io::Error),
    /// The recording cannot be read, or the copy of it cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Writes every n-th recorded frame to `sink`, n = `every` > 0. A last frame that a run recorded off its beat, because it
/// ended there, is left out.
pub fn export<W: Write + Send>(
    recording: &Recording,
    format: Format,
    every: u32,
    sink: W,
) -> Result<Exported, ExportError> {
    let beat = Beat::new(recording, every)?;
    match format {
        Format::Csv => csv(recording, &beat, sink),
        Format::Text => text(recording, &beat, sink),
        Format::Sqlite => sqlite::write(recording, &beat, sink),
        Format::Parquet => parquet(recording, &beat, sink),
    }
}

/// Which frames are written.
pub(crate) struct Beat {
    /// First and last tick of the recording.
    pub first: u32,
    last: u32,
    /// Ticks from one frame to the next.
    pub ticks: u32,
    /// Frames a second.
    pub fps: f64,
}

impl Beat {
    fn new(recording: &Recording, every: u32) -> Result<Self, ExportError> {
        let Header { tick, every: recorded, .. } = recording.header();
        let (first, last) = recording.ticks().ok_or(ExportError::Empty)?;
        let ticks = u64::from(every) * u64::from(*recorded);
        match i32::try_from(ticks) {
            Ok(ticks @ 1..) => {
                let fps = whole(1.0 / (tick * f64::from(ticks)));
                Ok(Self { first, last, ticks: ticks.cast_unsigned(), fps })
            }
            _ => Err(ExportError::Every { every, ticks }),
        }
    }

    /// Hands the frames to `each` until it gives an error.
    pub(crate) fn frames(
        &self,
        recording: &Recording,
        each: &mut dyn FnMut(&Frame<'_>) -> Result<(), ExportError>,
    ) -> Result<Exported, ExportError> {
        let mut exported = Exported { fps: self.fps, ..Exported::default() };
        let mut failure = None;
        recording.frames(self.first, self.last, &mut |frame| {
            if !(frame.tick - self.first).is_multiple_of(self.ticks) {
                return ControlFlow::Continue(());
            }
            exported.frames += u64::from(!frame.id.is_empty());
            exported.rows += frame.id.len() as u64;
            match each(frame) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        match failure {
            Some(error) => Err(error),
            None if exported.rows == 0 => Err(ExportError::Empty),
            None => Ok(exported),
        }
    }
}

fn csv<W: Write>(recording: &Recording, beat: &Beat, mut sink: W) -> Result<Exported, ExportError> {
    writeln!(sink, "id,frame,time_s,x_m,y_m,vx_m_s,vy_m_s,heading_rad")?;
    let exported = beat.frames(recording, &mut |frame| {
        let Frame { tick, id, x, y, vx, vy, heading, bodies: _ } = *frame;
        let number = tick / beat.ticks;
        let time = f64::from(number) / beat.fps;
        for i in 0..id.len() {
            let (id, x, y, vx, vy, heading) = (id[i], x[i], y[i], vx[i], vy[i], heading[i]);
            writeln!(sink, "{id},{number},{time:?},{x:?},{y:?},{vx:?},{vy:?},{heading:?}")?;
        }
        Ok(())
    })?;
    sink.flush()?;
    Ok(exported)
}

fn text<W: Write>(recording: &Recording, beat: &Beat, mut sink: W) -> Result<Exported, ExportError> {
    writeln!(sink, "# written by passerby {}", env!("CARGO_PKG_VERSION"))?;
    writeln!(sink, "# framerate: {} fps", beat.fps)?;
    writeln!(sink, "# z: the floor")?;
    writeln!(sink, "# id frame x/m y/m z/m")?;
    let exported = beat.frames(recording, &mut |frame| {
        let number = frame.tick / beat.ticks;
        for i in 0..frame.id.len() {
            writeln!(sink, "{} {number} {:?} {:?} 0", frame.id[i], frame.x[i], frame.y[i])?;
        }
        Ok(())
    })?;
    sink.flush()?;
    Ok(exported)
}

fn parquet<W: Write + Send>(recording: &Recording, beat: &Beat, sink: W) -> Result<Exported, ExportError> {
    let header = Header { every: beat.ticks, ..recording.header().clone() };
    let mut writer = Writer::new(sink, &header)?;
    writer.people(recording.people());
    recording.events().iter().for_each(|event| writer.event(event.clone()));
    let exported = beat.frames(recording, &mut |frame| Ok(writer.frame(frame)?))?;
    writer.finish()?;
    Ok(exported)
}
