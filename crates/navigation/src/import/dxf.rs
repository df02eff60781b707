//! DXF drawings as text: closed outlines and lines, by layer.
//!
//! A drawing is a list of pairs of lines, a code and a value. Of its entities LINE, LWPOLYLINE, POLYLINE, CIRCLE and ARC are
//! read; what else there is on a layer that is wanted is counted in the report.

use std::collections::BTreeMap;

use passerby_geometry::DVec2;

use super::draft::{Draft, Patch, Stroke, Unit};
use super::error::{ImportError, fail, number, short};
use super::weld::Weld;
use super::{Layers, Options, POINTS_MAX, join};

/// How far a chord may lie within its arc, m.
const SAGITTA: f64 = 0.01;

/// What a layer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Floor,
    Obstacle,
    Door,
    Region,
}

/// Most values of one entity: two for each point that can be read.
const CODES_MAX: usize = 2 * POINTS_MAX;

/// One entity, code by code; the line of the first.
struct Entity<'a> {
    kind: &'a str,
    line: usize,
    codes: Vec<(i32, &'a str, usize)>,
}

/// The outline or line of an entity.
struct Path {
    element: String,
    layer: String,
    points: Vec<DVec2>,
    closed: bool,
}

pub(super) fn draft(text: &str, options: &Options) -> Result<Draft, ImportError> {
    if text.starts_with("AutoCAD Binary DXF") {
        return fail("", "this drawing is binary", "save it as DXF (ASCII)");
    }
    let mut pairs = Pairs { lines: text.lines(), line: 0 };
    let (mut draft, mut paths) = (Draft::default(), Vec::new());
    let mut layers: BTreeMap<String, usize> = BTreeMap::new();
    let (mut section, mut variable, mut unit) = ("", "", 0);
    let mut sagitta = SAGITTA;
    let (mut entity, mut spare): (Option<Entity<'_>>, _) = (None, Vec::new());
    // Corners of a POLYLINE come as entities of their own.
    let mut polyline: Option<(Path, Vec<(DVec2, f64)>)> = None;
    loop {
        let Some((code, value, line)) = pairs.next()? else {
            return fail(format!("line {}", pairs.line), "the drawing ends without EOF", "was the file cut short?");
        };
        if code == 0 {
            if let Some(mut done) = entity.take() {
                finish(&done, &mut polyline, &mut paths, &mut layers, (&mut draft, options, sagitta))?;
                done.codes.clear();
                spare = done.codes; // millions of entities share one list
            }
            match value {
                "EOF" => break,
                "SECTION" | "ENDSEC" => section = "",
                _ if section == "ENTITIES" => {
                    let codes = std::mem::take(&mut spare);
                    entity = Some(Entity { kind: value, line, codes });
                }
                _ => (),
            }
        } else if code == 2 && section.is_empty() {
            section = value;
            sagitta = SAGITTA / scale(unit, options)?.0; // the header stands before the entities
        } else if code == 9 {
            variable = value;
        } else if code == 70 && section == "HEADER" && variable == "$INSUNITS" {
            unit = whole(value, line, code)?;
        } else if let Some(entity) = &mut entity {
            if entity.codes.len() == CODES_MAX {
                let what = format!("it has more than {CODES_MAX} values, so more than {POINTS_MAX} points");
                return fail(entity.element(), what, "cut out the part that is needed");
            }
            entity.codes.push((code, value, line));
        }
    }
    if let Some((path, _)) = &polyline {
        return unfinished(path);
    }
    let (scale, unit_name) = scale(unit, options)?;
    (draft.unit, draft.unit_name) = (Unit::Metres(scale), unit_name);
    sort(paths, &layers, &mut draft, options, scale)?;
    Ok(draft)
}

struct Pairs<'a> {
    lines: std::str::Lines<'a>,
    line: usize,
}

impl<'a> Pairs<'a> {
    /// Code, value, and the line of the code.
    fn next(&mut self) -> Result<Option<(i32, &'a str, usize)>, ImportError> {
        let Some(code) = self.lines.next() else { return Ok(None) };
        self.line += 1;
        let at = self.line;
        let Ok(number) = code.trim().parse() else {
            let what = format!("`{}` is no group code", short(code));
            return fail(format!("line {at}"), what, "a DXF file has a code, then a value, on lines of their own");
        };
        let Some(value) = self.lines.next() else { return Ok(None) };
        self.line += 1;
        Ok(Some((number, value.trim(), at)))
    }
}

/// Metres for one unit of the drawing.
fn scale(unit: i32, options: &Options) -> Result<(f64, String), ImportError> {
    if let Some(scale) = options.scale {
        return Ok((scale, format!("units of {scale} m")));
    }
    let (scale, name) = match unit {
        0 => (1.0, "no unit given, taken as m"),
        1 => (0.0254, "inch"),
        2 => (0.3048, "ft"),
        4 => (0.001, "mm"),
        5 => (0.01, "cm"),
        6 => (1.0, "m"),
        14 => (0.1, "dm"),
        _ => return fail("$INSUNITS", format!("unit {unit} is not known"), "give a scale: metres for one unit"),
    };
    Ok((scale, name.to_owned()))
}

impl Entity<'_> {
    fn text(&self, code: i32) -> &str {
        self.codes.iter().find(|(known, ..)| *known == code).map_or("", |(_, value, _)| value)
    }

    fn number(&self, code: i32) -> Result<f64, ImportError> {
        match self.codes.iter().find(|(known, ..)| *known == code) {
            Some((_, value, line)) => finite(value, *line, code),
            None => fail(self.element(), format!("its group code {code} is missing"), "was the file cut short?"),
        }
    }

    fn number_or(&self, code: i32, default: f64) -> Result<f64, ImportError> {
        if self.codes.iter().any(|(known, ..)| *known == code) { self.number(code) } else { Ok(default) }
    }

    fn flag(&self, bit: i32) -> Result<bool, ImportError> {
        match self.codes.iter().find(|(known, ..)| *known == 70) {
            Some((code, value, line)) => Ok(whole(value, *line, *code)? & bit != 0),
            None => Ok(false),
        }
    }

    fn element(&self) -> String {
        match self.text(5) {
            "" => format!("{} of line {}", short(self.kind), self.line),
            handle => format!("{} {} on layer {}", short(self.kind), short(handle), short(self.text(8))),
        }
    }
}

fn finite(value: &str, line: usize, code: i32) -> Result<f64, ImportError> {
    match number(value) {
        Some(number) => Ok(number),
        None => {
            let what = format!("`{}` is the value of group code {code}", short(value));
            fail(format!("line {}", line + 1), what, "give a finite number")
        }
    }
}

fn whole(value: &str, line: usize, code: i32) -> Result<i32, ImportError> {
    let what = || format!("`{}` is the value of group code {code}", short(value));
    value.parse().or_else(|_| fail(format!("line {}", line + 1), what(), "give a whole number"))
}

/// Corners of a POLYLINE that were followed by something else than its end.
fn unfinished<T>(path: &Path) -> Result<T, ImportError> {
    fail(&path.element, "its corners end without SEQEND", "was the file cut short? save the drawing again")
}

/// Makes a path of an entity that is complete.
fn finish(
    entity: &Entity<'_>,
    polyline: &mut Option<(Path, Vec<(DVec2, f64)>)>,
    paths: &mut Vec<Path>,
    layers: &mut BTreeMap<String, usize>,
    (draft, options, sagitta): (&mut Draft, &Options, f64),
) -> Result<(), ImportError> {
    if entity.text(67) == "1" || entity.kind == "VIEWPORT" {
        return Ok(()); // paper, not the model
    }
    match (entity.kind, &mut *polyline) {
        ("VERTEX", Some((path, corners))) => {
            draft.count_points(&path.element, 1)?;
            corners.push((DVec2::new(entity.number(10)?, entity.number(20)?), entity.number_or(42, 0.0)?));
            return Ok(());
        }
        ("SEQEND", _) => {
            if let Some((mut path, corners)) = polyline.take() {
                path.points = curved(&corners, path.closed, sagitta);
                paths.push(path);
            }
            return Ok(());
        }
        (_, Some((path, _))) => return unfinished(path),
        _ => (),
    }
    let layer = entity.text(8).to_owned();
    if layers.len() < 10_000 || layers.contains_key(&layer) {
        *layers.entry(layer.clone()).or_default() += 1;
    }
    if role(&layer, &options.layers).is_none() {
        return Ok(());
    }
    let element = entity.element();
    let mirror = if entity.number_or(230, 1.0)? < 0.0 { -1.0 } else { 1.0 };
    let centre = || Ok(DVec2::new(entity.number(10)? * mirror, entity.number(20)?));
    let mut path = Path { element, layer, points: Vec::new(), closed: false };
    match entity.kind {
        "LINE" => {
            let point = |x: i32, y: i32| Ok(DVec2::new(entity.number(x)?, entity.number(y)?));
            path.points = vec![point(10, 20)?, point(11, 21)?];
        }
        "LWPOLYLINE" => {
            path.closed = entity.flag(1)?;
            let corners = corners(entity, mirror)?;
            let stated = entity.text(90).trim();
            if !stated.is_empty() && stated.parse() != Ok(corners.len()) {
                let what = format!("it says that it has {} corners, and has {}", short(stated), corners.len());
                return fail(path.element, what, "was the file cut short? save the drawing again");
            }
            path.points = curved(&corners, path.closed, sagitta);
        }
        "CIRCLE" => {
            path.closed = true;
            path.points = join::circle(&path.element, centre()?, entity.number(40)?, sagitta)?;
        }
        "ARC" => {
            let (from, to) = (join::radians(entity.number(50)?), join::radians(entity.number(51)?));
            let turn = std::f64::consts::TAU;
            let angle = (to - from).rem_euclid(turn);
            let angle = if angle == 0.0 { turn } else { angle };
            let mut points = join::arc(DVec2::ZERO, radius(entity)?, from, angle, sagitta);
            let centre = DVec2::new(entity.number(10)?, entity.number(20)?);
            points.iter_mut().for_each(|point| *point = (*point + centre) * DVec2::new(mirror, 1.0));
            path.points = points;
        }
        "POLYLINE" if entity.flag(16 | 64)? => draft.ignore("mesh (POLYLINE)"),
        "POLYLINE" => {
            path.closed = entity.flag(1)?;
            draft.count(&path.element, 0)?;
            *polyline = Some((path, Vec::new()));
            return Ok(());
        }
        kind => draft.ignore(format!("{} on layer {}", short(kind), short(&path.layer))),
    }
    if !path.points.is_empty() {
        draft.count(&path.element, path.points.len())?;
        paths.push(path);
    }
    Ok(())
}

fn radius(entity: &Entity<'_>) -> Result<f64, ImportError> {
    let radius = entity.number(40)?;
    if radius > 0.0 {
        Ok(radius)
    } else {
        fail(entity.element(), format!("its radius is {radius}"), "give more than 0")
    }
}

/// Corners of an LWPOLYLINE with their bulges.
fn corners(entity: &Entity<'_>, mirror: f64) -> Result<Vec<(DVec2, f64)>, ImportError> {
    let mut corners: Vec<(DVec2, f64)> = Vec::new();
    for &(code, value, line) in &entity.codes {
        match (code, corners.last_mut()) {
            (10, _) => corners.push((DVec2::new(finite(value, line, code)? * mirror, 0.0), 0.0)),
            (20, Some(corner)) => corner.0.y = finite(value, line, code)?,
            (42, Some(corner)) => corner.1 = finite(value, line, code)? * mirror,
            _ => (),
        }
    }
    Ok(corners)
}

/// The points of a line with arcs.
fn curved(corners: &[(DVec2, f64)], closed: bool, sagitta: f64) -> Vec<DVec2> {
    let mut points = Vec::with_capacity(corners.len());
    for (i, &(at, bulge)) in corners.iter().enumerate() {
        points.push(at);
        let last = i + 1 == corners.len();
        if bulge != 0.0 && (closed || !last) {
            points.extend(join::bulge(at, corners[(i + 1) % corners.len()].0, bulge, sagitta));
        }
    }
    points
}

/// What a layer is for.
fn role(layer: &str, layers: &Layers) -> Option<Role> {
    let plain = layer.to_ascii_lowercase();
    let plain = plain.strip_prefix("jps-").unwrap_or(&plain);
    let is = |given: &[String], usual: &[&str]| match given {
        [] => usual.contains(&plain),
        given => given.iter().any(|name| name.eq_ignore_ascii_case(layer)),
    };
    if is(&layers.floor, &["floor", "walkablearea"]) {
        Some(Role::Floor)
    } else if is(&layers.obstacles, &["obstacles", "walls"]) {
        Some(Role::Obstacle)
    } else if is(&layers.doors, &["doors"]) {
        Some(Role::Door)
    } else if is(&layers.regions, &["regions", "exits", "distributions", "waypoints"]) {
        Some(Role::Region)
    } else {
        None
    }
}

/// Puts every path where its layer says it belongs.
fn sort(
    paths: Vec<Path>,
    layers: &BTreeMap<String, usize>,
    draft: &mut Draft,
    options: &Options,
    scale: f64,
) -> Result<(), ImportError> {
    for (layer, &count) in layers {
        if role(layer, &options.layers).is_none() {
            draft.ignored.push((format!("entity on layer {}", short(layer)), count));
        }
    }
    let (mut floors, mut open) = (Vec::new(), Vec::new());
    for path in paths {
        let Some(role) = role(&path.layer, &options.layers) else { continue };
        let closed = path.closed || (path.points.len() > 3 && path.points.first() == path.points.last());
        match role {
            Role::Floor if closed => floors.push(path),
            Role::Obstacle if closed => draft.obstacles.push(Patch { element: path.element, rings: vec![path.points] }),
            Role::Floor | Role::Obstacle => open.push((role, path)),
            Role::Door if closed => draft.ignore("closed outline on a layer of doors"),
            Role::Door => {
                let stroke = Stroke { element: path.element, points: path.points };
                draft.doors.push((short(&path.layer), stroke));
            }
            Role::Region if closed => {
                let patch = Patch { element: path.element, rings: vec![path.points] };
                draft.regions.push((short(&path.layer), patch));
            }
            Role::Region => draft.ignore(format!("open line on layer {}", short(&path.layer))),
        }
    }
    join_open(open, &mut floors, draft, options.tolerance / scale)?;
    if floors.is_empty() && options.area.is_none() {
        let names: Vec<String> = layers.keys().take(30).map(|layer| short(layer)).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let rest = draft.left_out();
        let what = format!("no closed outline lies on a layer of floor; there are: {names}{rest}");
        return fail("layers", what, "say which layers hold the floor, or give the wanted area");
    }
    nest(floors, draft);
    Ok(())
}

/// Joins open lines of a role to outlines; obstacles that stay open become walls.
fn join_open(
    open: Vec<(Role, Path)>,
    floors: &mut Vec<Path>,
    draft: &mut Draft,
    tolerance: f64,
) -> Result<(), ImportError> {
    let mut by_layer: BTreeMap<(Role, String), Vec<Path>> = BTreeMap::new();
    for (role, path) in open {
        by_layer.entry((role, path.layer.clone())).or_default().push(path);
    }
    for ((role, layer), paths) in by_layer {
        let mut weld = Weld::new(tolerance);
        let lines = paths.iter().map(|path| path.points.iter().map(|&p| join::key(weld.point(p))).collect()).collect();
        let joined = join::join(lines);
        let points = |line: &Vec<[u64; 2]>| line.iter().map(|&key| join::from_key(key)).collect::<Vec<_>>();
        let element = |i: usize, what: &str| format!("{what} {} of joined lines on layer {}", i + 1, short(&layer));
        for (i, line) in joined.closed.iter().enumerate().filter(|(_, line)| line.len() > 2) {
            let (element, points) = (element(i, "outline"), points(line));
            match role {
                Role::Floor => floors.push(Path { element, layer: layer.clone(), points, closed: true }),
                _ => draft.obstacles.push(Patch { element, rings: vec![points] }),
            }
        }
        for (i, line) in joined.open.iter().enumerate() {
            match role {
                Role::Floor => draft.ignore(format!("open line on layer {}", short(&layer))),
                _ => draft.walls.push(Stroke { element: element(i, "line"), points: points(line) }),
            }
        }
    }
    Ok(())
}

/// Outlines of floor inside of others are holes, and inside of these floor again.
fn nest(floors: Vec<Path>, draft: &mut Draft) {
    /// More outlines than this are not looked at in pairs: each is floor.
    const NESTED_MAX: usize = 1000;
    let points: usize = floors.iter().map(|path| path.points.len()).sum();
    let inside = |i: usize, j: usize| {
        let (ring, other) = (&floors[i].points, &floors[j].points);
        i != j && ring.iter().all(|&corner| join::encloses(other, corner))
    };
    let few = floors.len() <= NESTED_MAX && points * floors.len() <= 10_000_000;
    let around = |i: usize| (0..floors.len()).filter(|&j| few && inside(i, j)).collect::<Vec<_>>();
    let parents: Vec<Vec<usize>> = (0..floors.len()).map(around).collect();
    for (i, floor) in floors.iter().enumerate().filter(|(i, _)| parents[*i].len().is_multiple_of(2)) {
        let is_hole = |j: &usize| parents[*j].contains(&i) && parents[*j].len() == parents[i].len() + 1;
        let holes = (0..floors.len()).filter(is_hole).map(|j| floors[j].points.clone());
        let rings = std::iter::once(floor.points.clone()).chain(holes).collect();
        draft.floors.push(Patch { element: floor.element.clone(), rings });
    }
}
