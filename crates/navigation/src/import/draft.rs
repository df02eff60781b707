//! What a reader finds in a file, in the file's coordinates, before anything is checked.

use passerby_geometry::DVec2;

use super::error::{ImportError, fail};
use super::{ELEMENTS_MAX, POINTS_MAX};

/// A closed outline with holes; the points of each ring in order, the first may be repeated at the end.
#[derive(Debug, Clone)]
pub(super) struct Patch {
    /// What messages call it.
    pub element: String,
    pub rings: Vec<Vec<DVec2>>,
}

/// A line that people cannot cross, or that is a door.
#[derive(Debug, Clone)]
pub(super) struct Stroke {
    pub element: String,
    pub points: Vec<DVec2>,
}

/// How the file's coordinates become metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Unit {
    /// Metres for one unit.
    Metres(f64),
    /// Longitude and latitude.
    Degrees,
}

/// What was found.
#[derive(Debug)]
pub(super) struct Draft {
    pub floors: Vec<Patch>,
    pub obstacles: Vec<Patch>,
    /// Walls that are lines.
    pub walls: Vec<Stroke>,
    /// Name and line.
    pub doors: Vec<(String, Stroke)>,
    /// Name and outline.
    pub regions: Vec<(String, Patch)>,
    pub unit: Unit,
    /// What the report calls the unit.
    pub unit_name: String,
    /// Where no floor is given: whether the box around the obstacles is one.
    pub boxed: bool,
    /// What was not read, and how often.
    pub ignored: Vec<(String, usize)>,
    /// Elements whose outline had a gap that was closed.
    pub closed: Vec<String>,
    /// Kept by [`Draft::count`].
    pub points: usize,
    /// Kept by [`Draft::count`].
    pub elements: usize,
}

impl Default for Draft {
    fn default() -> Draft {
        Draft {
            floors: Vec::new(),
            obstacles: Vec::new(),
            walls: Vec::new(),
            doors: Vec::new(),
            regions: Vec::new(),
            unit: Unit::Metres(1.0),
            unit_name: "m".to_owned(),
            boxed: false,
            ignored: Vec::new(),
            closed: Vec::new(),
            points: 0,
            elements: 0,
        }
    }
}

impl Draft {
    /// Counts what is about to be kept: an error as soon as it is too much.
    pub fn count(&mut self, element: &str, points: usize) -> Result<(), ImportError> {
        self.elements += 1;
        if self.elements > ELEMENTS_MAX {
            let what = format!("there are more than {ELEMENTS_MAX} outlines and lines");
            return fail(element, what, "cut out the part that is needed");
        }
        self.count_points(element, points)
    }

    /// Counts points of something that has been counted.
    pub fn count_points(&mut self, element: &str, points: usize) -> Result<(), ImportError> {
        self.points += points;
        if self.points > POINTS_MAX {
            let what = format!("with this one there are {} points, at most {POINTS_MAX} can be read", self.points);
            return fail(element, what, "cut out the part that is needed");
        }
        Ok(())
    }

    /// Takes the unit that whoever reads the file has given: so many metres, or metres.
    pub fn scaled(&mut self, scale: Option<f64>) {
        let scale = scale.unwrap_or(1.0);
        self.unit = Unit::Metres(scale);
        self.unit_name = if scale == 1.0 { "m".to_owned() } else { format!("units of {scale} m") };
    }

    /// Notes something that is left out.
    pub fn ignore(&mut self, what: impl Into<String>) {
        let what = what.into();
        match self.ignored.iter().position(|(known, _)| *known == what) {
            Some(index) => self.ignored[index].1 += 1,
            // A file with thousands of kinds of nonsense is not worth a longer list.
            None if self.ignored.len() < 100 => self.ignored.push((what, 1)),
            None => (),
        }
    }

    /// What a file without a place holds instead: it may be what is broken.
    pub fn left_out(&self) -> String {
        let first: Vec<String> = self.ignored.iter().take(3).map(|(what, times)| format!("{times} x {what}")).collect();
        let more = if self.ignored.len() > 3 { ", ..." } else { "" };
        if first.is_empty() { String::new() } else { format!(" but what is not read: {}{more}", first.join(", ")) }
    }

    /// A name that no door and no region has: this one, or with a number behind it.
    pub fn unique_name(taken: &mut std::collections::BTreeMap<String, usize>, wanted: &str) -> String {
        let mut wanted: String = wanted.trim().chars().filter(|c| !c.is_control()).take(90).collect();
        if wanted.is_empty() {
            wanted = "unnamed".to_owned();
        }
        let mut name = wanted.clone();
        while taken.contains_key(&name) {
            let times = taken.entry(wanted.clone()).or_insert(1);
            *times += 1;
            name = format!("{wanted} {times}");
        }
        taken.insert(name.clone(), 1);
        name
    }
}
