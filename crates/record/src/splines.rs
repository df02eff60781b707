//! UCY `annotation.vsp`: people as somebody clicked them in a film, `x y frame gaze` a point, between which they go straight.
//!
//! x and y are pixels from the middle of a frame of 720 x 576, y upwards; frames count from 0, one less than those of
//! `obsmat`. The gaze is in degrees counter-clockwise from straight up. What stands behind ` - ` are comments. Behind the
//! splines some files list obstacles, which are not read.

use std::ops::ControlFlow;
use std::sync::Arc;

use passerby_geometry::{DVec2, math};

use crate::cell::{CELLS_MAX, Cell, plain};
use crate::import::{Image, Unit, unreadable};
use crate::import_error::{ImportError, Place, shortened};
use crate::input::Input;
use crate::limits::PEOPLE_MAX;
use crate::lines::Lines;
use crate::survey::ROWS_MAX;
use crate::table::{Each, Facing, Facts, Mark, Row, Table};
use crate::text::words;

const FORMAT: &str = "UCY annotation";
/// Row and column of the middle of a frame.
const MIDDLE: [f64; 2] = [288.0, 360.0];
/// Where a comment begins.
const COMMENT: &[u8] = b" - ";
/// Bytes in which the first line has to begin and end.
const HEAD: u64 = 1 << 12;

/// Whether a file begins as these do: with a number and a comment, or anything and a comment that speaks of splines.
pub(crate) fn is_one(input: &Input) -> Result<bool, ImportError> {
    let head = input.read(0, input.size().min(HEAD) as usize)?;
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head);
    let first = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty());
    let Some((number, told)) = first.and_then(|line| Some(line.split_at(comment(line)?))) else { return Ok(false) };
    let is_number = !number.is_empty() && number.iter().all(u8::is_ascii_digit);
    Ok(is_number || memchr::memmem::find(&told.to_ascii_lowercase(), b"splines").is_some())
}

/// A file whose every line was looked at once.
pub(crate) struct Splines {
    input: Arc<Input>,
    image: Image,
    /// Those that have points; who they are is their place in the file, counted from 1.
    all: Vec<Spline>,
}

/// Somebody's way.
#[derive(Debug, Clone, Copy)]
struct Spline {
    id: u32,
    /// Where its first point stands.
    start: Mark,
    points: u32,
    /// First frame.
    first: u32,
}

/// Where somebody was clicked.
#[derive(Debug, Clone, Copy)]
struct Point {
    /// From the middle of the frame, y upwards.
    at: DVec2,
    frame: u32,
    gaze_deg: f64,
}

impl Splines {
    /// Checks all points: whatever is wrong is found before the first row is made.
    pub(crate) fn open(input: &Arc<Input>, image: Option<Image>) -> Result<Self, ImportError> {
        let Some(image) = image else {
            return Err(ImportError::NotStated {
                what: "unit of lengths, which are pixels of a film",
                option: "--homography",
                values: "a file of 3 x 3 numbers that lead from (row, column, 1) to metres; or with --pixel-size: metres \
                         a pixel, seen straight from above",
            });
        };
        let mut points = Points::new(input, Mark::START);
        let count = points.count("the number of splines", PEOPLE_MAX as u64)?;
        let (mut all, mut rows) = (Vec::new(), 0);
        for id in 1..=count {
            let of_this = points.count("the number of control points", ROWS_MAX)?;
            let mut spline: Option<(Spline, Point)> = None;
            for _ in 0..of_this {
                let (mark, point) = points.next()?;
                let frame = point.frame;
                let place = Place::Line(mark.number);
                let (known, before) = spline.get_or_insert_with(|| {
                    rows += 1;
                    (Spline { id, start: mark, points: of_this, first: frame }, point)
                });
                if mark != known.start {
                    let before = std::mem::replace(before, point).frame;
                    if frame <= before {
                        return Err(ImportError::Backwards { place, id, frame, before });
                    }
                    rows += u64::from(frame - before);
                }
                if rows > ROWS_MAX {
                    return Err(ImportError::TooMuch { what: "number of rows", found: rows, most: ROWS_MAX });
                }
                row(image, id, point, place)?; // behind the horizon there is no ground
            }
            all.extend(spline.map(|(spline, _)| spline));
        }
        points.end()?;
        Ok(Self { input: Arc::clone(input), image, all })
    }

    /// Hands the rows of one to `each`, from frame `from` on; who breaks has had enough.
    fn rows_of(&self, index: usize, from: u32, each: &mut Each<'_>) -> Result<ControlFlow<()>, ImportError> {
        let Spline { id, start, points, first } = self.all[index];
        let mut lines = Points::new(&self.input, start);
        let (mut number, mut here) = lines.next()?;
        let mut put = |point: Point, line: u64| {
            let mark = Mark { at: (index as u64) << 32 | u64::from(point.frame - first), number: line };
            each(&row(self.image, id, point, Place::Line(line))?, mark)
        };
        for _ in 1..points {
            let (next_number, next) = lines.next()?;
            for frame in here.frame.max(from)..next.frame {
                if put(here.towards(&next, frame), number.number)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            (number, here) = (next_number, next);
        }
        if here.frame < from { Ok(ControlFlow::Continue(())) } else { put(here, number.number) }
    }
}

impl Table for Splines {
    fn rows(&mut self, from: Mark, each: &mut Each<'_>) -> Result<(), ImportError> {
        let start = if from == Mark::START { 0 } else { from.at };
        let (first, skipped) = ((start >> 32) as usize, start as u32);
        for index in first..self.all.len() {
            let begin = self.all[index].first + if index == first { skipped } else { 0 };
            if self.rows_of(index, begin, each)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn facts(&self) -> Result<Facts, ImportError> {
        let by = match self.image {
            Image::Homography(_) => "--homography",
            Image::PixelSize(_) => "--pixel-size",
        };
        Ok(Facts { unit: Some((Unit::Metre, by.to_owned())), ..Facts::default() })
    }

    fn place(&self) -> fn(u64) -> Place {
        Place::Line
    }

    fn end_is_open(&self) -> Result<bool, ImportError> {
        let size = self.input.size();
        Ok(size > 0 && self.input.read(size - 1, 1)? != b"\n")
    }
}

impl Point {
    /// Where they are in a frame on the way to the next point. They turn the shorter way round.
    fn towards(&self, next: &Point, frame: u32) -> Point {
        let share = f64::from(frame - self.frame) / f64::from(next.frame - self.frame);
        let turn = (next.gaze_deg - self.gaze_deg + 180.0).rem_euclid(360.0) - 180.0;
        let at = self.at + (next.at - self.at) * share;
        Point { at, frame, gaze_deg: self.gaze_deg + turn * share }
    }
}

/// The row of a point, in metres.
fn row(image: Image, id: u32, point: Point, place: Place) -> Result<Row, ImportError> {
    let Point { at, frame, gaze_deg } = point;
    let (sin, cos) = math::double::sin_cos(gaze_deg.to_radians());
    let gaze = DVec2::new(-sin, cos);
    let seen = match image {
        Image::PixelSize(size) => Some((at * size, gaze)),
        Image::Homography(homography) => {
            let [row, column] = [MIDDLE[0] - at.y, MIDDLE[1] + at.x];
            homography.ground(row, column).zip(homography.direction(row, column, [-gaze.y, gaze.x]))
        }
    };
    let Some((ground, gaze)) = seen else {
        let value = format!("{} {}", at.x, at.y);
        return Err(ImportError::Value { place, what: "the point", value, allowed: "points below the horizon" });
    };
    Ok(Row { id, frame, at: ground.into(), velocity: None, facing: Some(Facing::Along(gaze.into())) })
}

/// The lines of a file, one after the other.
struct Points<'a> {
    lines: Lines<'a>,
    /// Where the last line that was read begins, and the line.
    last: Mark,
    held: Vec<u8>,
}

impl<'a> Points<'a> {
    fn new(input: &'a Input, from: Mark) -> Self {
        Self { lines: Lines::new(input, from), last: from, held: Vec::new() }
    }

    /// The next line that is not empty, without its comment.
    fn line(&mut self, wanted: &str) -> Result<(Mark, &[u8]), ImportError> {
        while let Some((mark, line)) = self.lines.next()? {
            self.last = mark;
            if !line.is_empty() {
                let line = comment(line).map_or(line, |at| &line[..at]);
                (self.held.clear(), self.held.extend_from_slice(line.trim_ascii()));
                return Ok((mark, &self.held));
            }
        }
        Err(unreadable(FORMAT, format!("it ends behind line {}, before {wanted}", self.last.number)))
    }

    /// A line with a number of things.
    fn count(&mut self, what: &'static str, most: u64) -> Result<u32, ImportError> {
        let (mark, line) = self.line(what)?;
        let place = Place::Line(mark.number);
        let text = String::from_utf8_lossy(line);
        let [word] =
            words(&text).map_err(|found| ImportError::Columns { place, found, expected: format!("1 ({what})") })?;
        let count = word.count(what, place)?;
        if u64::from(count) > most {
            return Err(ImportError::TooMuch { what, found: u64::from(count), most });
        }
        Ok(count)
    }

    /// A line with a point.
    fn next(&mut self) -> Result<(Mark, Point), ImportError> {
        let (mark, line) = self.line("the next point of a spline")?;
        let place = Place::Line(mark.number);
        let mut cells = [0.0; CELLS_MAX];
        if plain(line, b' ', &mut cells) == Some(4) {
            return Ok((mark, point([cells[0], cells[1], cells[2], cells[3]], place)?));
        }
        let text = String::from_utf8_lossy(line);
        let expected = || "4 (`x y frame gaze`)".to_owned();
        let cells = words(&text).map_err(|found| ImportError::Columns { place, found, expected: expected() })?;
        Ok((mark, point::<&str>(cells, place)?))
    }

    /// Behind the last spline there may be obstacles.
    fn end(&mut self) -> Result<(), ImportError> {
        while let Some((mark, line)) = self.lines.next()? {
            if line.is_empty() {
                continue;
            }
            let told = comment(line).map(|at| String::from_utf8_lossy(&line[at..]).to_lowercase());
            if told.is_some_and(|told| told.contains("obstacle")) {
                return Ok(());
            }
            let shown = shortened(&String::from_utf8_lossy(line));
            let reason = format!("line {}: `{shown}` stands behind the last spline", mark.number);
            return Err(unreadable(FORMAT, reason));
        }
        Ok(())
    }
}

fn point<C: Cell>([x, y, frame, gaze]: [C; 4], place: Place) -> Result<Point, ImportError> {
    let at = DVec2::new(x.number("x", place)?, y.number("y", place)?);
    let (frame, gaze_deg) = (frame.count("the frame", place)?, gaze.number("the gaze", place)?);
    if gaze_deg.abs() > 1e6 {
        let value = crate::import_error::short_number(gaze_deg);
        return Err(ImportError::Value { place, what: "the gaze", value, allowed: "degrees from -1e6 to 1e6" });
    }
    Ok(Point { at, frame, gaze_deg })
}

/// Where the comment of a line begins.
fn comment(line: &[u8]) -> Option<usize> {
    memchr::memmem::find(line, COMMENT)
}
