//! Map files: a floor to the last bit, with what is known of where it comes from.
//!
//! ```text
//! magic 8 bytes, version u32, then five sections: length u64, body, CRC-32 of both
//! about      offset, tolerance, distortion, origin in degrees, areas of pieces, history
//! areas      for each its rings, the outer one first        obstacles  for each its ring
//! doors      for each its name and line                     regions    for each its name, speed and ring
//! ```
//!
//! Everything is little-endian; a count (u32) stands before what it counts. What is read may come from anywhere: counts are
//! held against the bytes that are left before anything is allocated, and every outline is checked as one from another program is.

use std::collections::BTreeSet;

use passerby_geometry::{Area, DVec2, Polygon};

use super::error::{ImportError, check_reach, fail};
use super::overlay::Shape;
use super::pieces::check_named;
use super::{Change, ELEMENTS_MAX, Format, Imported, Options, POINTS_MAX, Report, entangled};
use crate::floor::{Door, Floor, Region};

const MAGIC: [u8; 8] = *b"PsbyMap\xff";
const VERSION: u32 = 1;
const SECTIONS: [&str; 5] = ["about", "areas", "obstacles", "doors", "regions"];
const AGAIN: &str = "save the map again: passerby map PLACE --save FILE.pmap";

/// Most characters of a name, and of a line of the history.
const TEXT_MAX: usize = 4096;

/// How many times their speed people may walk in a region, as in scenarios.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.05..=4.0;

/// A floor, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedMap {
    /// The place, in its own coordinates.
    pub floor: Floor,
    /// The local origin of its map, [`Map::offset`](crate::Map::offset).
    pub offset: DVec2,
    /// Area of the pieces of free floor between which nobody can walk, m2, the largest first.
    pub pieces: Vec<f64>,
    /// Points closer than this were taken as one, m.
    pub tolerance: f64,
    /// Longitude and latitude of the place's origin, if it comes from degrees.
    pub centre: Option<DVec2>,
    /// How much too long or too short a length may be, as a part of it.
    pub distortion: f64,
    /// What it was read from, and what was changed.
    pub history: Vec<String>,
}

/// The map as a file.
pub fn write(map: &SavedMap) -> Vec<u8> {
    let SavedMap { floor, offset, pieces, tolerance, centre, distortion, history } = map;
    let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
    section(&mut bytes, |body| {
        points(body, &[*offset, DVec2::new(*tolerance, *distortion)]);
        points_counted(body, centre.as_slice());
        count(body, pieces.len());
        pieces.iter().for_each(|piece| body.extend(piece.to_le_bytes()));
        count(body, history.len());
        history.iter().for_each(|line| text(body, line));
    });
    section(&mut bytes, |body| {
        count(body, floor.areas.len());
        for area in &floor.areas {
            count(body, 1 + area.holes.len());
            area.rings().for_each(|ring| points_counted(body, ring.points()));
        }
    });
    section(&mut bytes, |body| {
        count(body, floor.obstacles.len());
        floor.obstacles.iter().for_each(|obstacle| points_counted(body, obstacle.points()));
    });
    section(&mut bytes, |body| {
        count(body, floor.doors.len());
        for Door { name, line } in &floor.doors {
            text(body, name);
            points(body, line);
        }
    });
    section(&mut bytes, |body| {
        count(body, floor.regions.len());
        for Region { name, polygon, speed } in &floor.regions {
            text(body, name);
            body.extend(speed.to_le_bytes());
            points_counted(body, polygon.points());
        }
    });
    bytes
}

fn section(bytes: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) {
    let mut body = vec![0; 8];
    fill(&mut body);
    let length = (body.len() - 8) as u64;
    body[..8].copy_from_slice(&length.to_le_bytes());
    bytes.extend(&body);
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
}

fn count(to: &mut Vec<u8>, count: usize) {
    to.extend((count as u32).to_le_bytes());
}

fn text(to: &mut Vec<u8>, text: &str) {
    let short: String = text.chars().take(TEXT_MAX / 4).collect();
    count(to, short.len());
    to.extend(short.as_bytes());
}

fn points(to: &mut Vec<u8>, points: &[DVec2]) {
    points.iter().flat_map(|point| [point.x, point.y]).for_each(|value| to.extend(value.to_le_bytes()));
}

fn points_counted(to: &mut Vec<u8>, of: &[DVec2]) {
    count(to, of.len());
    points(to, of);
}

/// Reads a map file.
pub fn read(bytes: &[u8]) -> Result<SavedMap, ImportError> {
    let Some(rest) = bytes.strip_prefix(&MAGIC) else {
        return fail("byte 0", "this does not begin like a saved map", AGAIN);
    };
    let Some(version) = rest.first_chunk().map(|version| u32::from_le_bytes(*version)) else {
        return fail(format!("byte {}", bytes.len()), "the file ends before its version", AGAIN);
    };
    if version != VERSION {
        let help = "take the version of this program that wrote it, or save the map again from what it was made of";
        return fail("byte 8", format!("the map has version {version}, version {VERSION} can be read"), help);
    }
    let (mut at, mut bodies) = (MAGIC.len() + 4, Vec::new());
    for name in SECTIONS {
        bodies.push(body(bytes, &mut at, name)?);
    }
    if at < bytes.len() {
        return fail(format!("byte {at}"), format!("{} bytes follow the last section", bytes.len() - at), AGAIN);
    }
    let (mut bodies, mut used) = (bodies.into_iter(), Used::default());
    let mut next = || {
        bodies.next().ok_or_else(|| ImportError {
            at: String::new(),
            what: "sections are missing".into(),
            help: AGAIN.into(),
        })
    };
    let mut map = about(next()?)?;
    map.floor.areas = areas(next()?, &mut used)?;
    map.floor.obstacles = obstacles(next()?, &mut used)?;
    map.floor.doors = doors(next()?, &mut used)?;
    map.floor.regions = regions(next()?, &mut used)?;
    if map.floor.areas.is_empty() {
        return fail("areas", "there is no floor", AGAIN);
    }
    check_named(&map.floor)?;
    Ok(map)
}

/// What is in a section, if all of it is there as it was written.
fn body<'a>(bytes: &'a [u8], at: &mut usize, name: &'static str) -> Result<Body<'a>, ImportError> {
    let start = *at;
    let cut = |what: String| fail(format!("byte {}, section {name}", bytes.len()), what, AGAIN);
    let Some(length) = bytes[start..].first_chunk().map(|length| u64::from_le_bytes(*length)) else {
        return cut("the file ends before the section's length".to_owned());
    };
    let left = (bytes.len() - start - 8) as u64;
    if length.checked_add(4).is_none_or(|needed| needed > left) {
        return cut(format!("the file ends: the section has {length} bytes and a checksum, {left} bytes are left"));
    }
    let end = start + 8 + length as usize;
    let sum = crc32fast::hash(&bytes[start..end]);
    if bytes[end..end + 4] != sum.to_le_bytes() {
        let place = format!("bytes {start} to {}, section {name}", end + 4);
        return fail(place, "the checksum does not fit: something was changed", AGAIN);
    }
    *at = end + 4;
    Ok(Body { name, bytes: &bytes[start + 8..end], at: start + 8 })
}

/// How much was read of what is limited.
#[derive(Default)]
struct Used {
    points: usize,
    elements: usize,
}

/// What is left of a section.
struct Body<'a> {
    name: &'static str,
    bytes: &'a [u8],
    /// Where it begins in the file.
    at: usize,
}

impl Body<'_> {
    fn fail<T>(&self, what: impl Into<String>) -> Result<T, ImportError> {
        fail(format!("byte {}, section {}", self.at, self.name), what, AGAIN)
    }

    fn take(&mut self, count: usize) -> Result<&[u8], ImportError> {
        if count > self.bytes.len() {
            return self.fail(format!("the section ends: {count} bytes are wanted, {} are left", self.bytes.len()));
        }
        let (taken, rest) = self.bytes.split_at(count);
        (self.bytes = rest, self.at += count);
        Ok(taken)
    }

    fn word<const N: usize>(&mut self) -> Result<[u8; N], ImportError> {
        let mut word = [0; N];
        word.copy_from_slice(self.take(N)?);
        Ok(word)
    }

    /// How many follow, each of at least `size` bytes.
    fn count(&mut self, size: usize) -> Result<usize, ImportError> {
        let count = u32::from_le_bytes(self.word()?) as usize;
        let most = self.bytes.len() / size;
        if count > most { self.fail(format!("{count} are claimed where there is room for {most}")) } else { Ok(count) }
    }

    fn number(&mut self) -> Result<f64, ImportError> {
        let value = f64::from_le_bytes(self.word()?);
        if value.is_finite() { Ok(value) } else { self.fail(format!("{value} is no number")) }
    }

    /// A number that is not below 0.
    fn size(&mut self) -> Result<f64, ImportError> {
        let value = self.number()?;
        if value >= 0.0 { Ok(value) } else { self.fail(format!("{value} is below 0")) }
    }

    fn point(&mut self) -> Result<DVec2, ImportError> {
        let place = format!("byte {}, section {}", self.at, self.name);
        let point = DVec2::new(f64::from_le_bytes(self.word()?), f64::from_le_bytes(self.word()?));
        check_reach(&place, point)
    }

    fn text(&mut self) -> Result<String, ImportError> {
        let length = self.count(1)?;
        if length > TEXT_MAX {
            return self.fail(format!("a text has {length} bytes, at most {TEXT_MAX} can be read"));
        }
        let place = self.at;
        let text = std::str::from_utf8(self.take(length)?).ok().filter(|text| !text.chars().any(char::is_control));
        match text.map(str::to_owned) {
            Some(text) => Ok(text),
            None => fail(format!("byte {place}, section {}", self.name), "this is no text", AGAIN),
        }
    }

    /// A ring's points.
    fn ring(&mut self, used: &mut Used) -> Result<Vec<DVec2>, ImportError> {
        let count = self.count(16)?;
        (used.points += count, used.elements += 1);
        if used.points > POINTS_MAX || used.elements > ELEMENTS_MAX {
            return self.fail(format!("more than {POINTS_MAX} points or {ELEMENTS_MAX} outlines"));
        }
        (0..count).map(|_| self.point()).collect()
    }

    fn end<T>(self, read: T) -> Result<T, ImportError> {
        if self.bytes.is_empty() { Ok(read) } else { self.fail(format!("{} bytes too many", self.bytes.len())) }
    }
}

fn about(mut body: Body<'_>) -> Result<SavedMap, ImportError> {
    let offset = body.point()?;
    let (tolerance, distortion) = (body.size()?, body.size()?);
    let centre = match body.count(16)? {
        0 => None,
        1 => Some(body.point()?),
        more => return body.fail(format!("{more} origins where there can be one")),
    };
    let pieces = (0..body.count(8)?).map(|_| body.size()).collect::<Result<_, _>>()?;
    let history = (0..body.count(4)?).map(|_| body.text()).collect::<Result<_, _>>()?;
    let floor = Floor::default();
    body.end(SavedMap { floor, offset, pieces, tolerance, centre, distortion, history })
}

fn areas(mut body: Body<'_>, used: &mut Used) -> Result<Vec<Area>, ImportError> {
    let mut areas = Vec::new();
    for number in 0..body.count(4)? {
        let rings = (0..body.count(4)?).map(|_| body.ring(used)).collect::<Result<Vec<_>, _>>()?;
        let element = format!("area {number}");
        check_tangle(&element, &rings)?;
        let mut polygons = rings.into_iter().map(|ring| polygon(&element, ring)).collect::<Result<Vec<_>, _>>()?;
        if polygons.is_empty() {
            return body.fail(format!("{element} has no outline"));
        }
        let outer = polygons.remove(0);
        areas.push(Area::new(outer, polygons).or_else(|error| fail(element, error.to_string(), AGAIN))?);
    }
    body.end(areas)
}

fn obstacles(mut body: Body<'_>, used: &mut Used) -> Result<Vec<Polygon>, ImportError> {
    let mut obstacles = Vec::new();
    for number in 0..body.count(4)? {
        let (element, ring) = (format!("obstacle {number}"), body.ring(used)?);
        check_tangle(&element, std::slice::from_ref(&ring))?;
        obstacles.push(polygon(&element, ring)?);
    }
    body.end(obstacles)
}

fn doors(mut body: Body<'_>, used: &mut Used) -> Result<Vec<Door>, ImportError> {
    let (mut doors, mut names) = (Vec::new(), BTreeSet::new());
    for _ in 0..body.count(36)? {
        let (name, line) = (body.text()?, [body.point()?, body.point()?]);
        used.elements += 1;
        if line[0] == line[1] || !names.insert(name.clone()) {
            return body.fail(format!("door `{name}` has no length, or another one has its name"));
        }
        doors.push(Door { name, line });
    }
    body.end(doors)
}

fn regions(mut body: Body<'_>, used: &mut Used) -> Result<Vec<Region>, ImportError> {
    let (mut regions, mut names) = (Vec::new(), BTreeSet::new());
    for _ in 0..body.count(16)? {
        let (name, speed, ring) = (body.text()?, body.number()?, body.ring(used)?);
        let element = format!("region `{name}`");
        if !names.insert(name.clone()) {
            return body.fail(format!("another region is called `{name}`"));
        }
        if !SPEEDS.contains(&speed) {
            return body.fail(format!("in {element} people would walk at {speed} times their speed"));
        }
        check_tangle(&element, std::slice::from_ref(&ring))?;
        regions.push(Region { name, polygon: polygon(&element, ring)?, speed });
    }
    body.end(regions)
}

fn polygon(element: &str, ring: Vec<DVec2>) -> Result<Polygon, ImportError> {
    Polygon::new(ring).or_else(|error| fail(element, error.to_string(), AGAIN))
}

/// Small outlines cannot keep anybody busy.
fn check_tangle(element: &str, rings: &[Vec<DVec2>]) -> Result<(), ImportError> {
    if rings.iter().map(Vec::len).sum::<usize>() < 1000 {
        return Ok(());
    }
    let shape: Shape = rings.iter().map(|ring| ring.iter().map(|point| point.to_array()).collect()).collect();
    entangled::check(element, [shape].iter())
}

/// A place as other files give it.
pub(super) fn imported(bytes: &[u8], options: &Options) -> Result<Imported, ImportError> {
    if *options != Options::default() {
        return fail("", "a saved map is read as it is", "give area, layers, scale and the like when it is saved");
    }
    let SavedMap { floor, pieces, tolerance, centre, distortion, history, .. } = read(bytes)?;
    let outlines = || floor.areas.iter().map(|area| area.outer.bounds());
    let bounds =
        outlines().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), (l, h)| (low.min(l), high.max(h)));
    let rings = floor.areas.iter().flat_map(Area::rings).chain(&floor.obstacles);
    let report = Report {
        format: Format::Saved,
        unit: "metres".to_owned(),
        floors: floor.areas.len(),
        obstacles: floor.obstacles.len(),
        doors: floor.doors.len(),
        regions: floor.regions.len(),
        points: rings.chain(floor.regions.iter().map(|region| &region.polygon)).map(|ring| ring.points().len()).sum(),
        centre,
        distortion,
        bounds,
        free_area: pieces.iter().sum(),
        pieces,
        tolerance,
        changes: history.into_iter().map(Change::Earlier).collect(),
        ignored: Vec::new(),
    };
    Ok(Imported { floor, report })
}
