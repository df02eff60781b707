//! `[place]`: floor, obstacles, doors and regions, or a file that holds the floor.

use passerby_geometry::Area;
use passerby_navigation::import::Report;
use passerby_navigation::{Door, Floor, Region};

use super::event::FACTOR;
use super::place_file::{self, PlaceFile};
use super::shape::{area, line, polygon, rings};
use super::sheet::{Keys, Table};
use super::value::Value;
use super::{Files, PlaceLines, Problem};

pub(super) const PLACE: Keys = Keys {
    name: "place",
    title: "[place]",
    known: &[
        "file",
        "floor",
        "holes",
        "areas",
        "obstacles",
        "doors",
        "regions",
        "tile",
        "area",
        "layers",
        "scale",
        "degrees",
        "cell",
        "tolerance",
        "wall",
        "margin",
        "fill_enclosed",
        "homography",
    ],
    later: &["level", "link"],
};
pub(super) const AREA: Keys =
    Keys { name: "area", title: "an area { floor, holes }", known: &["floor", "holes"], later: &[] };
pub(super) const DOOR: Keys =
    Keys { name: "door", title: "a door { name, line }", known: &["name", "line"], later: &["level"] };
pub(super) const REGION: Keys = Keys {
    name: "region",
    title: "a region { name, polygon, speed }",
    known: &["name", "polygon", "speed"],
    later: &["level"],
};

/// Most doors, and most regions.
const NAMED_MAX: usize = 10_000;

/// A word that stops of journeys use for something else.
pub(super) const OPPOSITE: &str = "opposite";

/// What was read of a place. Wrong parts are reported and left out of `floor`; their names are kept, so that a journey
/// to a region with a wrong polygon is no second problem. Without problems, names and parts have the same order.
#[derive(Default)]
pub(super) struct Place {
    pub floor: Floor,
    pub report: Option<Report>,
    pub lines: PlaceLines,
    pub doors: Vec<String>,
    pub regions: Vec<String>,
}

/// Reads the place.
pub(super) fn place(table: &Table<'_>, files: &dyn Files) -> Place {
    let mut place = Place::default();
    place.lines.floor = table.line();
    match ground(table, files) {
        Ground::Areas(areas) => place.floor.areas = areas,
        Ground::File(file) => take(&mut place, *file),
    }
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
        let speed = region.get("speed").map_or(Some(1.0), |value| value.number(&FACTOR));
        if let (Some(name), Some(polygon), Some(speed)) = (name, ring.and_then(|value| polygon(&value)), speed) {
            place.floor.regions.push(Region { name, polygon, speed });
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

/// What says where there is ground.
enum Ground {
    Areas(Vec<Area>),
    File(Box<PlaceFile>),
}

/// The floor from `floor` and `holes`, from `areas`, or from `file`.
fn ground(table: &Table<'_>, files: &dyn Files) -> Ground {
    let hint = "floor = [[0, 0], [20, 0], [20, 10], [0, 10]] is a room of 20 m x 10 m";
    let source = table.exactly_one(&["floor", "areas", "file"], hint);
    if let (Some("areas" | "file"), Some(holes)) = (source, table.get("holes")) {
        table.report(holes.problem("goes with `floor`").hint("areas and files have holes of their own"));
    }
    if source != Some("file") {
        for stranger in table.present(place_file::KEYS).into_iter().filter_map(|key| table.get(key)) {
            table.report(stranger.key_problem("goes with `file`").hint("leave it out"));
        }
    }
    let Some(value) = source.and_then(|key| table.get(key)) else { return Ground::Areas(Vec::new()) };
    match source {
        Some("floor") => Ground::Areas(area(&value, table.get("holes")).into_iter().collect()),
        Some("areas") => {
            let read = |item: Table<'_>| area(&item.require("floor", "floor = [[x, y], ...]")?, item.get("holes"));
            let tables = table.tables("areas", &AREA);
            if value.is_empty_list() {
                table.report(value.problem("there is no floor").hint("areas = [{ floor = [[0, 0], [9, 0], [9, 9]] }]"));
            }
            Ground::Areas(tables.into_iter().filter_map(read).collect())
        }
        _ => match place_file::read(table, &value, files) {
            Some(file) => Ground::File(Box::new(file)),
            None => Ground::Areas(Vec::new()),
        },
    }
}

/// Everything that a file holds, with the line that names the file.
fn take(place: &mut Place, PlaceFile { floor, report, line }: PlaceFile) {
    place.lines.obstacles = vec![line; floor.obstacles.len()];
    place.lines.doors = vec![line; floor.doors.len()];
    place.lines.regions = vec![line; floor.regions.len()];
    place.doors = floor.doors.iter().map(|door| door.name.clone()).collect();
    place.regions = floor.regions.iter().map(|region| region.name.clone()).collect();
    place.floor = floor;
    place.report = Some(report);
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
