//! File in, frames out.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::columns::{Decoder, Layout};
use crate::input::{Input, Source};
use crate::journal::{FrameRows, Kind, Rows, Tail};
use crate::limits::PEOPLE_MAX;
use crate::search::journal;
use crate::words::{Version, Words};
use crate::{Event, FORMAT, Frame, Header, OwnedFrame, Person, PlaceShape, RecordError};

/// A recording, opened for reading. Holds one row group, at most a second of frames, at a time.
pub struct Recording {
    input: Input,
    decoder: Decoder,
    header: Header,
    people: Vec<Person>,
    events: Vec<Event>,
    complete: bool,
    groups: Vec<Group>,
    frame_count: u64,
    /// The row group read last, because the next question is often about it too.
    recent: Mutex<Option<Box<Decoded>>>,
}

/// A row group that can be read.
struct Group {
    record: Tail,
    first_tick: u32,
    last_tick: u32,
}

/// A row group that was read.
#[derive(Default)]
struct Decoded {
    group: usize,
    frames: Vec<FrameRows>,
    /// The rows of all frames; its tick means nothing.
    rows: OwnedFrame,
}

impl Recording {
    /// Opens a recording, finished or broken off.
    pub fn open(source: impl Source + 'static) -> Result<Recording, RecordError> {
        Self::from_input(Input::new(Box::new(source))?)
    }

    /// Opens a recording whose source is already in use.
    pub(crate) fn from_input(input: Input) -> Result<Recording, RecordError> {
        let (records, complete) = journal(&input)?;
        let Some((first, rest)) = records.split_first() else {
            return Err(input.not_a_recording("its journal is empty"));
        };
        let header = read_header(&input, first)?;
        let decoder = Decoder::new(Layout::of(&header)).map_err(|error| damaged(0, error.to_string()))?;
        let mut recording = Self {
            input,
            decoder,
            header,
            people: Vec::new(),
            events: Vec::new(),
            complete,
            groups: Vec::new(),
            frame_count: 0,
            recent: Mutex::new(None),
        };
        for record in rest {
            match record.kind {
                Kind::Words => recording.add_words(record)?,
                Kind::Rows => recording.add_rows(record)?,
            }
        }
        Ok(recording)
    }

    /// The same recording in another place: for people of whom a file tells no walls, or wrong ones.
    pub fn with_place(mut self, place: PlaceShape) -> Recording {
        self.header.place = place;
        self
    }

    /// What was known before the first step.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Everybody who was there, in the order they were noted.
    pub fn people(&self) -> &[Person] {
        &self.people
    }

    /// What happened, in the order it was noted.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The text of the scenario that was run: that of the header, and what was added while it ran.
    pub fn scenario(&self) -> String {
        let mut text = self.header.scenario.clone();
        for more in self.events.iter().filter_map(|event| event.adds.as_deref()) {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text.push_str(more);
        }
        text
    }

    /// Whether the recording was finished; if not, the last second of the run may be missing.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// First and last recorded tick; `None` when there is no frame.
    pub fn ticks(&self) -> Option<(u32, u32)> {
        Some((self.groups.first()?.first_tick, self.groups.last()?.last_tick))
    }

    /// How many frames there are.
    pub fn frame_count(&self) -> u64 {
        self.frame_count
    }

    /// Hands the frames of ticks `first` to `last`, both included, to `each`, in order, until it breaks. A frame that is
    /// damaged is an error when it is reached; those before it were handed over.
    pub fn frames(
        &self,
        first: u32,
        last: u32,
        each: &mut dyn FnMut(&Frame<'_>) -> ControlFlow<()>,
    ) -> Result<(), RecordError> {
        let from = self.groups.partition_point(|group| group.last_tick < first);
        for group in from..self.groups.len() {
            if self.groups[group].first_tick > last {
                break;
            }
            let decoded = self.decoded(group)?;
            let mut frames =
                decoded.frames().skip_while(|frame| frame.tick < first).take_while(|frame| frame.tick <= last);
            let flow = frames.try_for_each(|frame| match frame.check() {
                Ok(()) if each(&frame).is_continue() => ControlFlow::Continue(()),
                ended => ControlFlow::Break(ended),
            });
            drop(frames);
            self.keep(decoded);
            if let ControlFlow::Break(ended) = flow {
                return ended;
            }
        }
        Ok(())
    }

    /// The recorded frame at `tick`, or the nearest before it; `None` when there is none.
    pub fn frame_at(&self, tick: u32) -> Result<Option<OwnedFrame>, RecordError> {
        let Some(group) = self.groups.partition_point(|group| group.first_tick <= tick).checked_sub(1) else {
            return Ok(None);
        };
        let decoded = self.decoded(group)?;
        let frame = decoded.frames().take_while(|frame| frame.tick <= tick).last();
        let frame = frame.map(|frame| frame.check().map(|()| OwnedFrame::from(&frame))).transpose();
        self.keep(decoded);
        frame
    }

    fn add_words(&mut self, record: &Tail) -> Result<(), RecordError> {
        let body = self.input.body(record)?;
        let words: Words =
            serde_json::from_slice(&body).map_err(|error| damaged(record.start, format!("its text: {error}")))?;
        drop(body);
        if words.header.is_some() {
            return Err(damaged(record.start, "a second header"));
        }
        if let Some(people) = words.people {
            people.append_to(&mut self.people).ok_or_else(|| damaged(record.start, "people with missing values"))?;
        }
        if self.people.len() > PEOPLE_MAX {
            return Err(damaged(record.start, format!("more than {PEOPLE_MAX} people")));
        }
        self.events.extend(words.events);
        Ok(())
    }

    fn add_rows(&mut self, record: &Tail) -> Result<(), RecordError> {
        let rows = self.rows(record)?;
        let (Some(first), Some(last)) = (rows.frames.first(), rows.frames.last()) else {
            return Err(damaged(record.start, "a row group without frames"));
        };
        if self.groups.last().is_some_and(|group| group.last_tick >= first.tick) {
            return Err(damaged(record.start, format!("tick {} comes after a later one", first.tick)));
        }
        self.groups.push(Group { record: *record, first_tick: first.tick, last_tick: last.tick });
        self.frame_count += rows.frames.len() as u64;
        Ok(())
    }

    fn rows(&self, record: &Tail) -> Result<Rows, RecordError> {
        let body = self.input.body(record)?;
        Rows::read(&body, record.start, Layout::of(&self.header)).map_err(|reason| damaged(record.start, reason))
    }

    /// Takes the row group out of `recent` if it is there, else reads it.
    fn decoded(&self, group: usize) -> Result<Box<Decoded>, RecordError> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut decoded = match recent {
            Some(decoded) if decoded.group == group => return Ok(decoded),
            other => other.unwrap_or_default(),
        };
        let rows = self.rows(&self.groups[group].record)?;
        let bytes = self.input.read(rows.start, rows.lengths.total() as usize)?;
        if crc32fast::hash(&bytes) != rows.sum {
            return Err(damaged(
                rows.start,
                format!("the {} bytes of a row group are not what was written", bytes.len()),
            ));
        }
        self.decoder
            .decode(&Bytes::from(bytes), &rows.lengths, rows.people() as usize, &mut decoded.rows)
            .map_err(|reason| damaged(rows.start, reason))?;
        decoded.group = group;
        decoded.frames = rows.frames;
        Ok(decoded)
    }

    fn keep(&self, decoded: Box<Decoded>) {
        *self.recent.lock().unwrap_or_else(PoisonError::into_inner) = Some(decoded);
    }
}

impl Decoded {
    fn frames(&self) -> impl Iterator<Item = Frame<'_>> {
        let OwnedFrame { tick: _, id, x, y, vx, vy, heading, bodies } = &self.rows;
        self.frames.iter().scan(0, move |start, frame| {
            let rows = *start..*start + frame.people as usize;
            *start = rows.end;
            Some(Frame {
                tick: frame.tick,
                id: &id[rows.clone()],
                x: &x[rows.clone()],
                y: &y[rows.clone()],
                vx: &vx[rows.clone()],
                vy: &vy[rows.clone()],
                heading: &heading[rows.clone()],
                bodies: if bodies.is_empty() { &[] } else { &bodies[rows] },
            })
        })
    }
}

fn read_header(input: &Input, first: &Tail) -> Result<Header, RecordError> {
    let body = input.body(first)?;
    let version: Version = serde_json::from_slice(&body)
        .map_err(|error| damaged(first.start, format!("the first record has no header: {error}")))?;
    let found = version.header.format;
    if found != FORMAT {
        return Err(RecordError::Format { found, known: FORMAT });
    }
    let words: Words =
        serde_json::from_slice(&body).map_err(|error| damaged(first.start, format!("the header: {error}")))?;
    words.header.ok_or_else(|| damaged(first.start, "the first record has no header"))
}

pub(crate) fn damaged(offset: u64, reason: impl Into<String>) -> RecordError {
    RecordError::Damaged { offset, reason: reason.into() }
}
