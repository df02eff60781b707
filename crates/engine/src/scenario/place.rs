//! `[place]`: floor, obstacles, doors and regions, or a file that holds the floor.

use passerby_geometry::Area;
use passerby_navigation::{Door, Floor, Region, wkt};

use super::shape::{area, line, polygon, rings};
use super::sheet::{Keys, Table};
use super::value::Value;
use super::{Files, PlaceLines, Problem};

pub(super) const PLACE: Keys = Keys {
    name: "place",
    title: "[place]",
    known: &["file", "floor", "holes", "areas", "obstacles", "doors", "regions"],
    later: &["level", "link"],
};
pub(super) const AREA: Keys =
    Keys { name: "area", title: "an area { floor, holes }", known: &["floor", "holes"], later: &[] };
pub(super) const DOOR: Keys =
    Keys { name: "door", title: "a door { name, line }", known: &["name", "line"], later: &["level"] };
pub(super) const REGION: Keys =
    Keys { name: "region", title: "a region { name, polygon }", known: &["name", "polygon"], later: &["level"] };

/// Extensions of place files that can be read.
const SUPPORTED: &[&str] = &["wkt"];

/// Largest place file, in bytes.
const FILE_MAX: usize = 256 << 20;

/// Most doors, and most regions.
const NAMED_MAX: usize = 10_000;

/// A word that stops of journeys use for something else.
pub(super) const OPPOSITE: &str = "opposite";

/// What was read of a place. Wrong parts are reported and left out of `floor`; their names are kept, so that a journey
/// to a region with a wrong polygon is no second problem. Without problems, names and parts have the same order.
#[derive(Default)]
pub(super) struct Place {
    pub floor: Floor,
    pub lines: PlaceLines,
    pub doors: Vec<String>,
    pub regions: Vec<String>,
}

/// Reads the place.
pub(super) fn place(table: &Table<'_>, files: &dyn Files) -> Place {
    let mut place = Place::default();
    place.lines.floor = table.line();
    place.floor.areas = areas(table, files);
    for item in table.get("obstacles").and_then(|list| rings(&list)).into_iter().flatten() {
        place.lines.obstacles.push(item.line());
        place.floor.obstacles.extend(polygon(&item));
    }
    for door in at_most(NAMED_MAX, "doors", table.tables("doors", &DOOR)) {
        let name = unique_name(&door, "door", &mut place.doors);
        let shape = door.require("line", "line = [[x, y], [x, y]] from jamb to jamb").and_then(|value| line(&value));
        place.lines.doors.push(door.line());
        if let (Some(name), Some(line)) = (name, shape) {
            place.floor.doors.push(Door { name, line });
        }
    }
    for region in at_most(NAMED_MAX, "regions", table.tables("regions", &REGION)) {
        let name = unique_name(&region, "region", &mut place.regions);
        let ring = region.require("polygon", "polygon = [[x, y], [x, y], [x, y], ...]");
        place.lines.regions.push(region.line());
        if let (Some(name), Some(polygon)) = (name, ring.and_then(|value| polygon(&value))) {
            place.floor.regions.push(Region { name, polygon });
        }
    }
    place
}

/// The first tables of a list; reports the first of those that are too many.
pub(super) fn at_most<'a>(most: usize, kind: &str, mut tables: Vec<Table<'a>>) -> Vec<Table<'a>> {
    if let Some(table) = tables.get(most) {
        table.report(table.problem(format!("too many {kind}")).allowed(format!("at most {most}")));
    }
    tables.truncate(most);
    tables
}

/// The floor from `floor` and `holes`, from `areas`, or from `file`.
fn areas(table: &Table<'_>, files: &dyn Files) -> Vec<Area> {
    let hint = "floor = [[0, 0], [20, 0], [20, 10], [0, 10]] is a room of 20 m x 10 m";
    let source = table.exactly_one(&["floor", "areas", "file"], hint);
    if let (Some("areas" | "file"), Some(holes)) = (source, table.get("holes")) {
        table.report(holes.problem("goes with `floor`").hint("areas and files have holes of their own"));
    }
    let Some(value) = source.and_then(|key| table.get(key)) else { return Vec::new() };
    match source {
        Some("floor") => area(&value, table.get("holes")).into_iter().collect(),
        Some("areas") => {
            let read = |item: Table<'_>| area(&item.require("floor", "floor = [[x, y], ...]")?, item.get("holes"));
            let tables = table.tables("areas", &AREA);
            if value.is_empty_list() {
                table.report(value.problem("there is no floor").hint("areas = [{ floor = [[0, 0], [9, 0], [9, 9]] }]"));
            }
            tables.into_iter().filter_map(read).collect()
        }
        _ => read_file(&value, files).unwrap_or_default(),
    }
}

/// The areas of a place file.
fn read_file(value: &Value<'_>, files: &dyn Files) -> Option<Vec<Area>> {
    let path = value.text()?;
    let problem = if let Some(problem) = path_problem(value, path) {
        Some(problem)
    } else if !SUPPORTED.iter().any(|known| has_extension(path, known)) {
        let list = SUPPORTED.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ");
        Some(value.problem("this kind of file cannot be read").allowed(list))
    } else {
        None
    };
    if let Some(problem) = problem {
        value.sheet.report(problem);
        return None;
    }
    let read = files.read(path).and_then(|bytes| match bytes.len() {
        0..=FILE_MAX => String::from_utf8(bytes).map_err(|_| "not UTF-8 text".to_owned()),
        _ => Err(format!("larger than {} MiB", FILE_MAX >> 20)),
    });
    let areas = match read {
        Ok(text) => wkt::read(&text).map_err(|error| error.to_string()),
        Err(what) => Err(what),
    };
    match areas {
        Ok(areas) if areas.is_empty() => value.sheet.report(value.problem("there is no polygon in it")),
        Ok(areas) => return Some(areas),
        Err(what) => value.sheet.report(value.problem(what)),
    }
    None
}

/// What is wrong with the name of a file, if it cannot be one in the scenario's folder.
pub(super) fn path_problem(value: &Value<'_>, path: &str) -> Option<Problem> {
    if path.is_empty() {
        Some(value.problem("no file is named"))
    } else if path.starts_with(['/', '\\']) || path.contains(':') || path.contains('\0') {
        Some(value.problem("not a path inside the scenario's folder").hint("name the file relative to the scenario"))
    } else if path.split(['/', '\\']).any(|part| part == "..") {
        Some(value.problem("leads out of the scenario's folder").hint("put the file beside the scenario"))
    } else {
        None
    }
}

fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, found)| found.eq_ignore_ascii_case(extension))
}

/// The name of a door or region, if nothing of its kind had it before.
fn unique_name(table: &Table<'_>, kind: &str, taken: &mut Vec<String>) -> Option<String> {
    let value = table.require("name", "name = \"exit\"")?;
    let name = value.name()?;
    let what = if kind == "region" && name == OPPOSITE {
        "in a journey this word means the other side of a circle".to_owned()
    } else if taken.iter().any(|other| other == name) {
        format!("there is another {kind} of this name")
    } else {
        taken.push(name.to_owned());
        return Some(name.to_owned());
    };
    value.sheet.report(value.problem(what).hint("choose another name"));
    None
}
