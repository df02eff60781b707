//! Rows of somebody else's file on their way into a recording.

use passerby_geometry::math;

use crate::import::unreadable;
use crate::import_error::{ImportError, Place};
use crate::{Event, FORMAT, Header, OwnedFrame, Person, PlaceShape, RecordError, Unit, Writer};

/// Rows of a file.
const ROWS_MAX: usize = 1 << 25;
/// Gaps that are told one by one.
const GAPS_TOLD: usize = 1000;
/// Body radius, m, and mass, kg, of people of whom only the way is known: those of an adult.
const BODY: (f32, f32) = (0.25, 80.0);

/// Where somebody is in one frame, in the unit of the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub id: u32,
    pub frame: u32,
    pub at: [f64; 2],
    /// In the file's unit a second.
    pub velocity: Option<[f64; 2]>,
    /// Radians from the x axis.
    pub heading: Option<f32>,
}

/// All rows of a file.
#[derive(Debug)]
pub(crate) struct Tracks {
    /// `Place::Line` or `Place::Row`.
    place: fn(u64) -> Place,
    rows: Vec<(Row, u32)>,
    /// The last row of the file, if the file may have been cut within it: its frame and place.
    open_end: Option<(u32, u32)>,
}

impl Tracks {
    /// No rows yet; `place` makes a number into a place of this file.
    pub(crate) fn new(place: fn(u64) -> Place) -> Self {
        Self { place, rows: Vec::new(), open_end: None }
    }

    /// Adds the row at `place`.
    pub(crate) fn push(&mut self, row: Row, place: u64) -> Result<(), ImportError> {
        let [vx, vy] = row.velocity.unwrap_or_default();
        let heading = row.heading.map_or(0.0, f64::from);
        for (what, value) in [("x", row.at[0]), ("y", row.at[1]), ("v_x", vx), ("v_y", vy), ("the heading", heading)] {
            // Beyond this, or not a number at all: no place on Earth, and a speed that `f32` may not hold.
            if !(-1e9..=1e9).contains(&value) {
                let (place, allowed) = ((self.place)(place), "numbers from -1e9 to 1e9");
                return Err(ImportError::Value { place, what, value: value.to_string(), allowed });
            }
        }
        if self.rows.len() >= ROWS_MAX {
            let found = self.rows.len() as u64 + 1;
            return Err(ImportError::TooMuch { what: "number of rows", found, most: ROWS_MAX as u64 });
        }
        // Early, so that a file that repeats one row for ever is not held in memory first.
        if let Some(before) = self.rows.last() {
            self.check_pair(*before, (row, place as u32))?;
        }
        self.rows.push((row, place as u32));
        Ok(())
    }

    /// Notes that the last row has no end: the file may have been cut within its last number.
    pub(crate) fn end_is_open(&mut self) {
        self.open_end = self.rows.last().map(|(row, place)| (row.frame, *place));
    }

    /// The bytes of a recording with these rows.
    pub(crate) fn recording(
        mut self,
        name: &str,
        unit: Unit,
        fps: f64,
        place: PlaceShape,
    ) -> Result<Vec<u8>, ImportError> {
        if self.rows.is_empty() {
            return Err(unreadable("recorded people", "there are no rows in it"));
        }
        // Stable: the rows of a person stay in the order of the file.
        self.rows.sort_by_key(|(row, _)| row.id);
        self.check_order()?;
        let every = self.step();
        self.convert(unit);
        let (people, gaps) = self.complete(name, fps, every);
        self.rows.sort_unstable_by_key(|(row, _)| (row.frame, row.id));
        let header = Header {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            name: name.to_owned(),
            scenario: String::new(),
            seed: 0,
            tick: 1.0 / fps,
            every,
            offset: [0.0, 0.0],
            place,
        };
        let mut writer = Writer::new(Vec::new(), &header)?;
        writer.people(&people);
        gaps.into_iter().for_each(|gap| writer.event(gap));
        write_frames(&mut writer, &self.rows)?;
        Ok(writer.finish()?)
    }

    /// Frames must rise for each person.
    fn check_order(&self) -> Result<(), ImportError> {
        self.rows.windows(2).try_for_each(|pair| self.check_pair(pair[0], pair[1]))
    }

    fn check_pair(&self, (before, first): (Row, u32), (row, place): (Row, u32)) -> Result<(), ImportError> {
        if before.id != row.id || before.frame < row.frame {
            return Ok(());
        }
        let (id, frame, before) = (row.id, row.frame, before.frame);
        let [place, first] = [place, first].map(|place| (self.place)(u64::from(place)));
        Err(match before == frame {
            true => ImportError::Twice { place, first, id, frame },
            false => ImportError::Backwards { place, id, frame, before },
        })
    }

    /// The largest step that leads from the first frame to every other one.
    fn step(&self) -> u32 {
        let first = self.rows.first().map_or(0, |(row, _)| row.frame);
        let step = self.rows.iter().fold(0, |step, (row, _)| greatest_divisor(row.frame.abs_diff(first), step));
        step.max(1)
    }

    fn convert(&mut self, unit: Unit) {
        for (row, _) in &mut self.rows {
            row.at = row.at.map(|length| unit.metres(length));
            row.velocity = row.velocity.map(|velocity| velocity.map(|length| unit.metres(length)));
        }
    }

    /// Fills in velocities and headings where they are missing; gives everybody, and who is missing when.
    fn complete(&mut self, name: &str, fps: f64, every: u32) -> (Vec<Person>, Vec<Event>) {
        let (mut people, mut gaps, mut gap_count) = (Vec::new(), Vec::new(), 0);
        for track in self.rows.chunk_by_mut(|(a, _), (b, _)| a.id == b.id) {
            let id = track[0].0.id;
            people.push(Person {
                id,
                population: name.to_owned(),
                radius: BODY.0,
                mass: BODY.1,
                speed: mean_speed(track, fps),
                model: "recorded".to_owned(),
            });
            for part in track.chunk_by_mut(|(a, _), (b, _)| b.frame - a.frame == every) {
                velocities(part, fps);
            }
            headings(track);
            for pair in track.windows(2) {
                let (last, next) = (pair[0].0.frame, pair[1].0.frame);
                if next - last == every {
                    continue;
                }
                gap_count += 1;
                if gaps.len() < GAPS_TOLD {
                    let what = format!("gap: person {id} is missing between frames {last} and {next}");
                    gaps.push(Event { tick: last, what });
                }
            }
        }
        gaps.sort_by_key(|gap| gap.tick);
        if let Some(Event { tick, .. }) = gaps.last().filter(|_| gap_count > GAPS_TOLD) {
            let what = format!("gap: and {} more", gap_count - GAPS_TOLD);
            gaps.push(Event { tick: *tick, what });
        }
        if let Some((tick, place)) = self.open_end {
            let place = (self.place)(u64::from(place));
            let what = format!("gap: {place} is the last and has no end; the file may have been cut within it");
            gaps.push(Event { tick, what });
        }
        (people, gaps)
    }
}

/// Central differences inside, one-sided ones at the ends, rest for a single row; m/s.
fn velocities(part: &mut [(Row, u32)], fps: f64) {
    let mut before = part[0].0;
    for i in 0..part.len() {
        let (row, after) = (part[i].0, part[(i + 1).min(part.len() - 1)].0);
        let seconds = f64::from(after.frame - before.frame) / fps;
        let difference = |axis: usize| if seconds > 0.0 { (after.at[axis] - before.at[axis]) / seconds } else { 0.0 };
        part[i].0.velocity = row.velocity.or_else(|| Some([difference(0), difference(1)]));
        before = row;
    }
}

/// Where they walk; who stands keeps the direction they came in, or takes the one they leave in.
fn headings(track: &mut [(Row, u32)]) {
    let walked = |row: &Row| {
        let [vx, vy] = row.velocity.unwrap_or_default();
        (vx != 0.0 || vy != 0.0).then(|| math::double::atan2(vy, vx) as f32)
    };
    let mut last = track.iter().find_map(|(row, _)| row.heading.or_else(|| walked(row))).unwrap_or(0.0);
    for (row, _) in track {
        last = row.heading.or_else(|| walked(row)).unwrap_or(last);
        row.heading = Some(last);
    }
}

/// Length of the way through the time it took, m/s.
fn mean_speed(track: &[(Row, u32)], fps: f64) -> f32 {
    let way: f64 = track.windows(2).map(|pair| distance(pair[0].0.at, pair[1].0.at)).sum();
    let frames = track[track.len() - 1].0.frame - track[0].0.frame;
    let speed = if frames == 0 { 0.0 } else { way * fps / f64::from(frames) };
    speed.min(f64::from(f32::MAX)) as f32
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    (dx * dx + dy * dy).sqrt()
}

fn greatest_divisor(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn write_frames(writer: &mut Writer<Vec<u8>>, rows: &[(Row, u32)]) -> Result<(), RecordError> {
    let mut frame = OwnedFrame::default();
    for rows in rows.chunk_by(|(a, _), (b, _)| a.frame == b.frame) {
        let OwnedFrame { tick, id, x, y, vx, vy, heading } = &mut frame;
        *tick = rows[0].0.frame;
        let velocity = |row: &Row| row.velocity.unwrap_or_default();
        (id.clear(), id.extend(rows.iter().map(|(row, _)| row.id)));
        (x.clear(), x.extend(rows.iter().map(|(row, _)| row.at[0])));
        (y.clear(), y.extend(rows.iter().map(|(row, _)| row.at[1])));
        (vx.clear(), vx.extend(rows.iter().map(|(row, _)| velocity(row)[0] as f32)));
        (vy.clear(), vy.extend(rows.iter().map(|(row, _)| velocity(row)[1] as f32)));
        (heading.clear(), heading.extend(rows.iter().map(|(row, _)| row.heading.unwrap_or(0.0))));
        writer.frame(&frame.as_frame())?;
    }
    Ok(())
}
