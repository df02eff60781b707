//! `[place] file`: a place that another program wrote, and what the file does not say itself.

use passerby_geometry::{DVec2, Homography};
use passerby_navigation::Floor;
use passerby_navigation::import::{self, ImportError, Layers, Options, Report};

use super::Files;
use super::place::{OPPOSITE, path_problem};
use super::sheet::{Keys, Table};
use super::value::{Range, Value};

pub(super) const LAYERS: Keys = Keys {
    name: "layers",
    title: "layers { floor, obstacles, doors, regions }",
    known: &["floor", "obstacles", "doors", "regions"],
    later: &[],
};

/// The keys of `[place]` that go with `file` only.
pub(super) const KEYS: &[&str] =
    &["area", "layers", "scale", "degrees", "cell", "tolerance", "wall", "margin", "fill_enclosed", "homography"];

const CORNERS: &str = "corners [[x, y], [x, y], ...]";
const COORDINATE: Range = Range::new(-1e12, 1e12, "");
const SCALE: Range = Range::new(1e-9, 1e9, " m");
const CELL: Range = Range::new(1e-3, 1e4, " m");
const TOLERANCE: Range = Range::new(0.0, 1.0, " m");
const WALL: Range = Range::new(1e-3, 10.0, " m");
/// Longest file of a homography, bytes.
const HOMOGRAPHY_MAX: usize = 1 << 16;
const MARGIN: Range = Range::new(0.0, 1e4, " m");

/// A place from a file.
pub(super) struct PlaceFile {
    pub floor: Floor,
    pub report: Report,
    /// The line that names the file.
    pub line: u32,
}

/// Reads the file that a place names, or reports why it cannot be read.
pub(super) fn read(table: &Table<'_>, value: &Value<'_>, files: &dyn Files) -> Option<PlaceFile> {
    let path = value.text()?;
    let options = options(table, files);
    let refused = |ImportError { at, what, help }: ImportError| {
        let what = if at.is_empty() { what } else { format!("{at}: {what}") };
        value.sheet.report(value.problem(what).hint(help));
    };
    if let Some(problem) = path_problem(value, path) {
        value.sheet.report(problem);
        return None;
    }
    if let Err(error) = import::check_name(path) {
        refused(error);
        return None;
    }
    let bytes = match files.read_at_most(path, import::BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(what) => {
            value.sheet.report(value.problem(what));
            return None;
        }
    };
    match import::read(path, &bytes, &options?) {
        Ok(imported) if imported.floor.regions.iter().any(|region| region.name == OPPOSITE) => {
            let what = format!("a region in it is called \"{OPPOSITE}\"");
            value.sheet.report(value.problem(what).hint("in a journey this word means the other side of a circle"));
            None
        }
        Ok(imported) => Some(PlaceFile { floor: imported.floor, report: imported.report, line: value.line() }),
        Err(error) => {
            refused(error);
            None
        }
    }
}

/// What the scenario says about the file; nothing if something of it is wrong.
fn options(table: &Table<'_>, files: &dyn Files) -> Option<Options> {
    let default = Options::default();
    let number = |key: &'static str, range: &Range, default: f64| match table.get(key) {
        Some(value) => value.number(range),
        None => Some(default),
    };
    let flag = |key: &'static str| table.get(key).map_or(Some(false), |value| value.flag());
    // All are read before the first wrong one ends it, so that all are reported.
    let area = table.get("area").map(|value| corners(&value));
    let layers = table.get("layers").map(|value| layers(&value));
    let scale = table.get("scale").map(|value| value.number(&SCALE));
    let (degrees, fill_enclosed) = (flag("degrees"), flag("fill_enclosed"));
    let (cell, tolerance) = (number("cell", &CELL, default.cell), number("tolerance", &TOLERANCE, default.tolerance));
    let homography = table.get("homography").map(|value| homography(&value, files));
    let (wall, margin) = (number("wall", &WALL, default.wall), number("margin", &MARGIN, default.margin));
    Some(Options {
        area: match area {
            Some(area) => Some(area?),
            None => None,
        },
        layers: match layers {
            Some(layers) => layers?,
            None => Layers::default(),
        },
        scale: match scale {
            Some(scale) => Some(scale?),
            None => None,
        },
        degrees: degrees?,
        tolerance: tolerance?,
        cell: cell?,
        wall: wall?,
        margin: margin?,
        fill_enclosed: fill_enclosed?,
        homography: match homography {
            Some(homography) => Some(homography?),
            None => None,
        },
    })
}

/// The homography in the file that a key names, or reports why it is none.
pub(super) fn homography(value: &Value<'_>, files: &dyn Files) -> Option<Homography> {
    let path = value.text()?;
    if let Some(problem) = path_problem(value, path) {
        value.sheet.report(problem);
        return None;
    }
    let text = files.read_at_most(path, HOMOGRAPHY_MAX).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let read = text.and_then(|text| Homography::parse(&text).map_err(|error| error.to_string()));
    let report = |what: String| {
        let hint = "3 lines of 3 numbers that lead from (row, column, 1) of a picture to metres";
        value.sheet.report(value.problem(what).hint(hint));
    };
    read.map_err(report).ok()
}

/// Two or more points, in whatever unit the file has.
fn corners(value: &Value<'_>) -> Option<Vec<DVec2>> {
    let items = value.list(CORNERS)?;
    if items.len() < 2 {
        let problem = value.problem(format!("expected {CORNERS}, found {} points", items.len()));
        value.sheet.report(problem.hint("two opposite corners of a box, or the corners of a polygon"));
        return None;
    }
    let point = |item: &Value<'_>| {
        let numbers = item.list("a point [x, y]")?;
        let [x, y] = &numbers[..] else {
            let what = format!("expected a point [x, y], found a list of {}", numbers.len());
            item.sheet.report(item.problem(what));
            return None;
        };
        Some(DVec2::new(x.number(&COORDINATE)?, y.number(&COORDINATE)?))
    };
    items.iter().map(point).collect()
}

fn layers(value: &Value<'_>) -> Option<Layers> {
    let table = value.table(&LAYERS)?;
    let names = |key: &'static str| match table.get(key) {
        None => Some(Vec::new()),
        Some(value) if value.as_text().is_some() => Some(vec![value.text()?.to_owned()]),
        Some(value) => {
            let items = value.list("the name of a layer, or a list of names")?;
            items.iter().map(|item| item.text().map(str::to_owned)).collect()
        }
    };
    let (floor, obstacles, doors, regions) = (names("floor"), names("obstacles"), names("doors"), names("regions"));
    Some(Layers { floor: floor?, obstacles: obstacles?, doors: doors?, regions: regions? })
}
