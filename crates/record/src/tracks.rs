//! The second reading of somebody else's file: rows become frames, some of them at a time, whatever their order in the file.

use std::io::Write;
use std::ops::ControlFlow;

use crate::import_error::ImportError;
use crate::survey::{Somebody, Survey, direction};
use crate::table::{Facing, Row, Table};
use crate::{Event, FORMAT, Header, OwnedFrame, Person, PlaceShape, RecordError, Unit, Writer};

/// Rows that are held at a time: twice as many while they are chosen, 48 bytes each.
const HELD: usize = 1 << 20;
/// Gaps that are told one by one.
const GAPS_TOLD: usize = 1000;
/// Body radius, m, and mass, kg, of people of whom only the way is known: those of an adult.
const BODY: (f32, f32) = (0.25, 80.0);

/// Where somebody is in one frame; metres, seconds.
#[derive(Debug, Clone, Copy)]
struct Held {
    id: u32,
    frame: u32,
    at: [f64; 2],
    velocity: Option<[f32; 2]>,
    heading: Option<f32>,
}

impl Held {
    fn new(row: &Row, unit: Unit) -> Self {
        let velocity = row.velocity.map(|velocity| velocity.map(|length| unit.metres(length) as f32));
        let at = row.at.map(|length| unit.metres(length));
        Self { id: row.id, frame: row.frame, at, velocity, heading: row.facing.map(Facing::heading) }
    }
}

/// Rows of a file on their way into a recording.
pub(crate) struct Tracks<'a> {
    table: &'a mut dyn Table,
    survey: &'a Survey,
    unit: Unit,
    fps: f64,
    /// Rows that are held at a time.
    held: usize,
}

impl<'a> Tracks<'a> {
    /// Rows of a file that was surveyed.
    pub(crate) fn new(table: &'a mut dyn Table, survey: &'a Survey, unit: Unit, fps: f64) -> Self {
        Self { table, survey, unit, fps, held: HELD }
    }

    /// Writes the recording with these rows.
    pub(crate) fn recording<W: Write + Send>(
        mut self,
        name: &str,
        place: PlaceShape,
        sink: W,
    ) -> Result<W, ImportError> {
        let header = Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            name: name.to_owned(),
            scenario: String::new(),
            seed: 0,
            tick: 1.0 / self.fps,
            every: self.survey.every,
            offset: [0.0, 0.0],
            place,
            bodies: false,
        };
        let mut writer = Writer::new(sink, &header)?;
        writer.people(&self.survey.people.iter().map(|somebody| self.person(somebody, name)).collect::<Vec<_>>());
        let gaps = self.put_frames(&mut writer)?;
        gaps.into_events().into_iter().for_each(|gap| writer.event(gap));
        if self.table.end_is_open()? {
            let (tick, number) = self.survey.last;
            let place = self.table.place()(number);
            let what = format!("gap: {place} is the last and has no end; the file may have been cut within it");
            writer.event(Event { tick, what, adds: None });
        }
        Ok(writer.finish()?)
    }

    fn person(&self, somebody: &Somebody, name: &str) -> Person {
        let (first, last) = somebody.frames;
        // Length of the way through the time it took, m/s.
        let speed = match last - first {
            0 => 0.0,
            frames => self.unit.metres(somebody.way) * self.fps / f64::from(frames),
        };
        Person {
            id: somebody.id,
            population: name.to_owned(),
            radius: BODY.0,
            mass: BODY.1,
            speed: speed.min(f64::from(f32::MAX)) as f32,
            model: "recorded".to_owned(),
        }
    }

    /// Writes all frames; gives who is missing when.
    fn put_frames<W: Write + Send>(&mut self, writer: &mut Writer<W>) -> Result<Gaps, ImportError> {
        let every = self.survey.every;
        let mut people: Vec<Passing> = self.survey.people.iter().map(Passing::new).collect();
        let mut gaps = Gaps::default();
        let mut rows = Vec::new();
        let mut start = self.survey.frames.0;
        loop {
            // The frame before and the one behind, because velocities are differences.
            let limit = self.collect(start.saturating_sub(every), &mut rows)?;
            let end = limit.map(|limit| limit.saturating_sub(every));
            if end.is_some_and(|end| end <= start) {
                self.held *= 2; // more people at once than that
                continue;
            }
            rows.sort_unstable_by_key(|row| (row.id, row.frame));
            rows.chunk_by_mut(|a, b| a.id == b.id && b.frame - a.frame == every)
                .for_each(|part| velocities(part, self.fps));
            rows.retain(|row| row.frame >= start && end.is_none_or(|end| row.frame < end));
            let mut passing = people.iter_mut();
            for track in rows.chunk_by_mut(|a, b| a.id == b.id) {
                if let Some(somebody) = passing.find(|somebody| somebody.id == track[0].id) {
                    somebody.pass(track, every, &mut gaps);
                }
            }
            rows.sort_unstable_by_key(|row| (row.frame, row.id));
            write_frames(writer, &rows)?;
            match end {
                Some(end) => start = end,
                None => return Ok(gaps),
            }
        }
    }

    /// The rows of frames from `first` on, as many frames as can be held. Gives the first frame that is not among
    /// them; `None` when all are.
    fn collect(&mut self, first: u32, rows: &mut Vec<Held>) -> Result<Option<u32>, ImportError> {
        rows.clear();
        let (mut limit, unit, held) = (None, self.unit, self.held);
        let wanted = |(from, to): (u32, u32), limit: Option<u32>| to >= first && limit.is_none_or(|limit| from < limit);
        let blocks = &self.survey.blocks;
        let mut next = 0;
        while let Some(start) = (next..blocks.len()).find(|block| wanted(blocks[*block].frames, limit)) {
            // One reading for all blocks that follow one another.
            let (mut block, mut left) = (start, blocks[start].rows);
            self.table.rows(blocks[start].start, &mut |row, _| {
                if wanted((row.frame, row.frame), limit) {
                    rows.push(Held::new(row, unit));
                }
                if rows.len() >= 2 * held {
                    let frame = rows.select_nth_unstable_by_key(held, |row| row.frame).1.frame;
                    rows.retain(|row| row.frame < frame);
                    limit = Some(frame);
                }
                left -= 1;
                if left == 0 {
                    block += 1;
                    match blocks.get(block).filter(|block| wanted(block.frames, limit)) {
                        Some(block) => left = block.rows,
                        None => return Ok(ControlFlow::Break(())),
                    }
                }
                Ok(ControlFlow::Continue(()))
            })?;
            next = block.max(start + 1);
        }
        Ok(limit)
    }
}

/// Somebody on their way through the frames.
struct Passing {
    id: u32,
    /// Their last frame.
    frame: Option<u32>,
    heading: f32,
}

impl Passing {
    fn new(somebody: &Somebody) -> Self {
        Self { id: somebody.id, frame: None, heading: somebody.heading.unwrap_or(0.0) }
    }

    /// Fills in where they face: where they walk; who stands keeps the direction they came in, or takes the one they leave
    /// in. Notes when they were missing.
    fn pass(&mut self, track: &mut [Held], every: u32, gaps: &mut Gaps) {
        for row in track {
            let walked = || direction(row.velocity.unwrap_or_default().map(f64::from));
            self.heading = row.heading.or_else(walked).unwrap_or(self.heading);
            row.heading = Some(self.heading);
            if let Some(before) = self.frame.replace(row.frame)
                && row.frame - before != every
            {
                gaps.note(self.id, before, row.frame);
            }
        }
    }
}

/// Who is missing when.
#[derive(Default)]
struct Gaps {
    told: Vec<Event>,
    count: usize,
}

impl Gaps {
    fn note(&mut self, id: u32, last: u32, next: u32) {
        self.count += 1;
        if self.told.len() < GAPS_TOLD {
            let what = format!("gap: person {id} is missing between frames {last} and {next}");
            self.told.push(Event { tick: last, what, adds: None });
        }
    }

    fn into_events(mut self) -> Vec<Event> {
        self.told.sort_by_key(|gap| gap.tick);
        if let Some(Event { tick, .. }) = self.told.last().filter(|_| self.count > GAPS_TOLD) {
            let what = format!("gap: and {} more", self.count - GAPS_TOLD);
            self.told.push(Event { tick: *tick, what, adds: None });
        }
        self.told
    }
}

/// Central differences inside, one-sided ones at the ends, rest for a single row; m/s. Where the file has them, they stay.
fn velocities(part: &mut [Held], fps: f64) {
    let mut before = part[0];
    for i in 0..part.len() {
        let (row, after) = (part[i], part[(i + 1).min(part.len() - 1)]);
        let seconds = f64::from(after.frame - before.frame) / fps;
        let difference = |axis: usize| {
            if seconds > 0.0 { ((after.at[axis] - before.at[axis]) / seconds) as f32 } else { 0.0 }
        };
        part[i].velocity = row.velocity.or_else(|| Some([difference(0), difference(1)]));
        before = row;
    }
}

fn write_frames<W: Write + Send>(writer: &mut Writer<W>, rows: &[Held]) -> Result<(), RecordError> {
    let mut frame = OwnedFrame::default();
    for rows in rows.chunk_by(|a, b| a.frame == b.frame) {
        let OwnedFrame { tick, id, x, y, vx, vy, heading, bodies: _ } = &mut frame;
        *tick = rows[0].frame;
        let velocity = |row: &Held| row.velocity.unwrap_or_default();
        (id.clear(), id.extend(rows.iter().map(|row| row.id)));
        (x.clear(), x.extend(rows.iter().map(|row| row.at[0])));
        (y.clear(), y.extend(rows.iter().map(|row| row.at[1])));
        (vx.clear(), vx.extend(rows.iter().map(|row| velocity(row)[0])));
        (vy.clear(), vy.extend(rows.iter().map(|row| velocity(row)[1])));
        (heading.clear(), heading.extend(rows.iter().map(|row| row.heading.unwrap_or(0.0))));
        writer.frame(&frame.as_frame())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::input::Input;
    use crate::text::Text;

    /// A crowd that walks in circles, some of them missing now and then, some standing at first.
    fn rows() -> Vec<(u32, u32, f64, f64)> {
        let mut rows = Vec::new();
        for id in 1..=40_u32 {
            for frame in (id % 7 * 30..=600).step_by(3).filter(|frame| (frame / 3 + id) % 50 > 2) {
                let t = f64::from(frame.saturating_sub(id * 5)) / 25.0;
                rows.push((id, frame, f64::from(id) + t * 1.25, t * t * 0.5));
            }
        }
        rows
    }

    fn recording(rows: &[(u32, u32, f64, f64)], held: usize) -> Vec<u8> {
        let text: String = rows.iter().map(|(id, frame, x, y)| format!("{id} {frame} {x:?} {y:?}\n")).collect();
        let input = Input::new(Box::new(Cursor::new(text))).expect("a text");
        let mut table = Text::open(&input).expect("rows");
        let survey = Survey::new(&mut table).expect("right rows");
        assert_eq!((survey.every, survey.people.len()), (3, 40));
        let tracks = Tracks { held, ..Tracks::new(&mut table, &survey, Unit::Metre, 25.0) };
        tracks.recording("crowd", PlaceShape::default(), Vec::new()).expect("a recording")
    }

    /// However few rows are held at a time, and whether the file is sorted by person or by frame: the same bytes.
    #[test]
    fn the_recording_does_not_depend_on_how_much_is_held() {
        let by_person = rows();
        let mut by_frame = rows();
        by_frame.sort_by_key(|(id, frame, ..)| (*frame, 40 - id));
        let whole = recording(&by_person, HELD);
        assert_eq!(recording(&by_frame, HELD), whole);
        for held in [1, 90, 200, 1000] {
            assert!(recording(&by_person, held) == whole, "{held} rows by person");
            assert!(recording(&by_frame, held) == whole, "{held} rows by frame");
        }
    }
}
