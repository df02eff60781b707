//! Frames in, file out.

use std::io::{ErrorKind, Write};

use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use serde::Serialize;

use crate::columns::{Layout, Lengths};
use crate::footer::{Written, put_footer};
use crate::group::Encoder;
use crate::journal::{FrameRows, Kind, Rows, seal};
use crate::limits::{FRAMES_MAX, PEOPLE_MAX, WORDS_MAX, WORDS_TOTAL_MAX};
use crate::sink::Gate;
use crate::words::{People, Words};
use crate::{Event, FORMAT, Frame, Header, OwnedFrame, Person, RecordError};

/// What every Parquet file begins with.
const PARQUET: &[u8] = b"PAR1";
/// A row group is closed as soon as it has so many rows, even within a second: what is buffered stays small, and a
/// frame of a large crowd goes out without being copied.
const GROUP_ROWS: usize = 1 << 16;
/// People or events in one journal record.
const BATCH: usize = 1 << 14;

/// Writes a recording to a sink: a file, a pipe, a `Vec<u8>`.
///
/// Dropping a writer that was not [finished](Writer::finish) leaves a file like that of a killed run: readable, without
/// its last second.
pub struct Writer<W: Write + Send> {
    file: Gate<W>,
    layout: Layout,
    encoder: Encoder,
    /// The row groups in the file.
    groups: Vec<Written>,
    header: Header,
    people: Vec<Person>,
    events: Vec<Event>,
    /// How many of them are in the journal.
    people_written: usize,
    events_written: usize,
    /// Rows that are not yet in the file; its tick means nothing.
    pending: OwnedFrame,
    /// The frames that `pending` consists of.
    frames: Vec<FrameRows>,
    last_tick: Option<u32>,
    safe_tick: Option<u32>,
    /// Where the last journal record ends.
    journal_end: u64,
    records: usize,
    words_total: usize,
    stopped: bool,
}

impl<W: Write + Send> Writer<W> {
    /// Begins a recording. The header is in the sink when this returns.
    pub fn new(sink: W, header: &Header) -> Result<Self, RecordError> {
        check_header(header)?;
        let layout = Layout::of(header);
        let encoder = Encoder::new(layout).map_err(|error| write_error(None, &error.to_string(), 0.0))?;
        let mut writer = Self {
            file: Gate::new(sink),
            layout,
            encoder,
            groups: Vec::new(),
            header: header.clone(),
            people: Vec::new(),
            events: Vec::new(),
            people_written: 0,
            events_written: 0,
            pending: OwnedFrame::default(),
            frames: Vec::new(),
            last_tick: None,
            safe_tick: None,
            journal_end: 0,
            records: 0,
            words_total: 0,
            stopped: false,
        };
        let begun = writer.file.put(&[PARQUET]);
        writer.check(begun)?;
        writer.put_words(&Words { header: Some(header.clone()), ..Words::default() })?;
        Ok(writer)
    }

    /// Notes who joined. They reach the sink with the next second, before the frames they are in.
    pub fn people(&mut self, people: &[Person]) {
        self.people.extend_from_slice(people);
    }

    /// Notes what happened. It reaches the sink with the next second.
    pub fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Appends a frame; ticks must rise, ids too, and numbers be finite. The sink is flushed at least once a simulated second.
    pub fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        if self.stopped {
            return Err(RecordError::Stopped);
        }
        check_frame(frame, self.last_tick, self.layout)?;
        self.put_frame(frame)
    }

    /// Appends a frame that was checked.
    pub(crate) fn put_frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.last_tick = Some(frame.tick);
        let people = frame.id.len();
        if self.pending.id.len() + people > self.layout.rows_max() {
            self.put_pending()?;
        }
        self.frames.push(FrameRows { tick: frame.tick, people: people as u32 });
        if self.frames.len() == 1 && people >= GROUP_ROWS {
            return self.put_rows(frame);
        }
        append(&mut self.pending, frame);
        let next_tick = u64::from(frame.tick) + u64::from(self.header.every);
        let ticks = next_tick - u64::from(self.frames[0].tick);
        // The next frame would begin another second; the little that is subtracted is for ticks like 1/60.
        let second_ends = ticks as f64 * self.header.tick >= 1.0 - 1e-9;
        if second_ends || self.pending.id.len() >= GROUP_ROWS || self.frames.len() >= FRAMES_MAX {
            self.put_pending()?;
        }
        Ok(())
    }

    /// Puts everything noted so far into the sink, so that a reader finds it there, as at the end of a second.
    pub fn flush_all(&mut self) -> Result<(), RecordError> {
        if self.stopped {
            return Err(RecordError::Stopped);
        }
        self.put_news()?;
        if self.frames.is_empty() { Ok(()) } else { self.put_pending() }
    }

    /// Writes what is left and the Parquet footer, and gives the sink back.
    pub fn finish(mut self) -> Result<W, RecordError> {
        self.flush_all()?;
        let words = [
            ("passerby.header", self.json(&self.header)?),
            ("passerby.people", self.json(&People::from_people(&self.people))?),
            ("passerby.events", self.json(&self.events)?),
        ];
        let words = words.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
        let finished = put_footer(&mut self.file, self.layout, &self.header.version, &self.groups, words);
        self.check(finished)?;
        // The footer went through a buffer, which keeps the error of its last bytes to itself; the gate does not.
        self.flush()?;
        let sink = self.file.take_sink();
        sink.ok_or(RecordError::Stopped)
    }

    /// Writes the pending rows with the people and events that are news.
    fn put_pending(&mut self) -> Result<(), RecordError> {
        let rows = std::mem::take(&mut self.pending);
        let result = self.put_rows(&rows.as_frame());
        self.pending = rows;
        let OwnedFrame { tick: _, id, x, y, vx, vy, heading, bodies } = &mut self.pending;
        id.clear();
        bodies.clear();
        [x, y].into_iter().for_each(Vec::clear);
        [vx, vy, heading].into_iter().for_each(Vec::clear);
        result
    }

    /// Writes the rows of `self.frames` as a row group, with its journal record.
    fn put_rows(&mut self, rows: &Frame<'_>) -> Result<(), RecordError> {
        self.put_news()?;
        let start = self.file.written();
        let (mut lengths, mut sum) = (Lengths::default(), 0);
        if !rows.id.is_empty() {
            let written = self.put_group(start, rows);
            (lengths, sum) = self.check(written)?;
        }
        let frames = std::mem::take(&mut self.frames);
        let safe_tick = frames.last().map(|frame| frame.tick);
        self.put_record(Kind::Rows, Rows { start, sum, lengths, frames }.write(self.layout))?;
        self.safe_tick = safe_tick;
        Ok(())
    }

    /// Writes the rows of `self.frames`; lengths of the column chunks and checksum.
    fn put_group(&mut self, start: u64, rows: &Frame<'_>) -> Result<(Lengths, u32), ParquetError> {
        let group = self.encoder.encode(start, &self.frames, rows)?;
        self.file.put(&group.parts.each_ref().map(|part| &part[..]))?;
        self.groups.push(group.facts);
        Ok((group.facts.lengths, group.sum()))
    }

    /// Writes the people and events that are not yet in the journal.
    fn put_news(&mut self) -> Result<(), RecordError> {
        while self.people_written < self.people.len() || self.events_written < self.events.len() {
            let people = batch(&self.people, self.people_written);
            let events = batch(&self.events, self.events_written);
            let news = (people.len(), events.len());
            check_people(people, self.people.len()).inspect_err(|_| self.stopped = true)?;
            let people = (!people.is_empty()).then(|| People::from_people(people));
            self.put_words(&Words { header: None, people, events: events.to_vec() })?;
            self.people_written += news.0;
            self.events_written += news.1;
        }
        Ok(())
    }

    fn put_words(&mut self, words: &Words) -> Result<(), RecordError> {
        let body = self.json(words)?.into_bytes();
        self.words_total += body.len();
        if body.len() > WORDS_MAX || self.words_total > WORDS_TOTAL_MAX {
            self.stopped = true;
            return Err(RecordError::NotRecordable {
                what: "the text of header, people and events".into(),
                value: format!("{} bytes long at once, {} in all", body.len(), self.words_total),
                allowed: format!("{WORDS_MAX} and {WORDS_TOTAL_MAX} bytes"),
            });
        }
        self.put_record(Kind::Words, body)
    }

    fn put_record(&mut self, kind: Kind, body: Vec<u8>) -> Result<(), RecordError> {
        self.records += 1;
        let records_max = self.layout.records_max();
        if self.records > records_max {
            self.stopped = true;
            return Err(RecordError::NotRecordable {
                what: "the length of the recording".into(),
                value: format!("more than {records_max} parts"),
                allowed: "fewer frames, or several recordings".into(),
            });
        }
        let start = self.file.written();
        let record = seal(kind, body, start, self.journal_end);
        let written = self.file.put(&[&record]);
        self.check(written)?;
        self.journal_end = start + record.len() as u64;
        self.flush()
    }

    fn flush(&mut self) -> Result<(), RecordError> {
        let flushed = self.file.flush();
        self.check(flushed)
    }

    fn json(&self, value: &impl Serialize) -> Result<String, RecordError> {
        serde_json::to_string(value).map_err(|error| write_error(None, &error.to_string(), self.safe_seconds()))
    }

    /// Stops the recording at the first error.
    fn check<T, E: std::fmt::Display>(&mut self, result: Result<T, E>) -> Result<T, RecordError> {
        result.map_err(|error| {
            self.stopped = true;
            let failure = self.file.failure().cloned();
            write_error(failure, &error.to_string(), self.safe_seconds())
        })
    }

    fn safe_seconds(&self) -> f64 {
        self.safe_tick.map_or(0.0, |tick| f64::from(tick) * self.header.tick)
    }
}

fn write_error(failure: Option<(ErrorKind, String)>, otherwise: &str, safe_seconds: f64) -> RecordError {
    let (kind, message) = failure.unwrap_or_else(|| (ErrorKind::Other, otherwise.to_owned()));
    RecordError::Write { kind, message, safe_seconds }
}

fn batch<T>(all: &[T], from: usize) -> &[T] {
    &all[from..all.len().min(from + BATCH)]
}

fn append(pending: &mut OwnedFrame, frame: &Frame<'_>) {
    let OwnedFrame { tick: _, id, x, y, vx, vy, heading, bodies } = pending;
    id.extend_from_slice(frame.id);
    x.extend_from_slice(frame.x);
    y.extend_from_slice(frame.y);
    vx.extend_from_slice(frame.vx);
    vy.extend_from_slice(frame.vy);
    heading.extend_from_slice(frame.heading);
    bodies.extend_from_slice(frame.bodies);
}

fn not_recordable(what: impl Into<String>, value: impl ToString, allowed: impl Into<String>) -> RecordError {
    RecordError::NotRecordable { what: what.into(), value: value.to_string(), allowed: allowed.into() }
}

fn check_header(header: &Header) -> Result<(), RecordError> {
    if header.format != FORMAT {
        return Err(RecordError::Format { found: header.format, known: FORMAT });
    }
    if !(header.tick.is_finite() && header.tick > 0.0) {
        return Err(not_recordable("tick of the header", header.tick, "a positive number of seconds"));
    }
    if header.every == 0 {
        return Err(not_recordable("every of the header", 0, "1 or more"));
    }
    // JSON has no word for what is not a finite number.
    let text = serde_json::to_string(header).unwrap_or_default();
    match serde_json::from_str::<Header>(&text) {
        Ok(back) if back == *header => Ok(()),
        _ => Err(not_recordable("place or offset of the header", "not finite", "finite coordinates")),
    }
}

fn check_people(people: &[Person], total: usize) -> Result<(), RecordError> {
    if total > PEOPLE_MAX {
        return Err(not_recordable("the number of people", total, format!("at most {PEOPLE_MAX}")));
    }
    for Person { id, population: _, radius, mass, speed, model: _ } in people {
        for (name, value) in [("radius", radius), ("mass", mass), ("speed", speed)] {
            if !value.is_finite() {
                return Err(not_recordable(format!("{name} of person {id}"), value, "finite numbers"));
            }
        }
    }
    Ok(())
}

fn check_frame(frame: &Frame<'_>, last_tick: Option<u32>, layout: Layout) -> Result<(), RecordError> {
    let Frame { tick, id, x, y, vx, vy, heading, bodies } = *frame;
    if last_tick.is_some_and(|last| tick <= last) || i32::try_from(tick).is_err() {
        let after = last_tick.map_or(String::new(), |last| format!("above {last} and "));
        return Err(not_recordable("the tick of a frame", tick, format!("{after}at most {}", i32::MAX)));
    }
    for (name, length) in
        [("x", x.len()), ("y", y.len()), ("vx", vx.len()), ("vy", vy.len()), ("heading", heading.len())]
    {
        if length != id.len() {
            let what = format!("the length of {name} in the frame of tick {tick}");
            return Err(not_recordable(what, length, format!("{}, that of id", id.len())));
        }
    }
    let expected = match layout {
        Layout::Base => 0,
        Layout::Bodies => id.len(),
    };
    if bodies.len() != expected {
        let what = format!("the number of bodies in the frame of tick {tick}");
        let begun = if layout == Layout::Base { "without bodies" } else { "with the body of everybody" };
        return Err(not_recordable(what, bodies.len(), format!("{expected}, for the recording was begun {begun}")));
    }
    let rows_max = layout.rows_max();
    if id.len() > rows_max {
        let what = format!("the number of people in the frame of tick {tick}");
        return Err(not_recordable(what, id.len(), format!("at most {rows_max}")));
    }
    match frame.check() {
        Err(RecordError::IdOrder { id, before, .. }) => {
            let what = format!("an id in the frame of tick {tick}");
            Err(not_recordable(what, id, format!("above {before}, the one before it")))
        }
        checked => checked,
    }
}
