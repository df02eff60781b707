//! `--path`: one way, exact and over cells, or why there is none.

use passerby::geometry::{DVec2, Vec2};
use passerby::navigation::{CellId, Crossing, Goal, Path, Routing, pull};

use super::built::Built;
use super::parts::narrowest_between;

/// What was found.
pub struct Answer {
    /// From where to where, in the place's coordinates.
    pub ends: [DVec2; 2],
    pub exact: Option<Path>,
    pub route: Option<Route>,
    /// Why there is no way, if one of the two has found none.
    pub why: Option<String>,
}

/// A way over cells.
pub struct Route {
    /// Length over the middles of portals, m.
    pub over_middles: f64,
    /// Length of the line pulled tight, m.
    pub pulled: f64,
    pub crossings: Vec<Crossing>,
    /// The line pulled tight, in the map's coordinates.
    pub line: Vec<DVec2>,
}

impl Answer {
    /// What the command fails with if there is no way.
    pub fn failure(&self) -> Option<String> {
        let why = self.why.as_ref()?;
        let [from, to] = self.ends;
        Some(format!("there is no way from ({}, {}) to ({}, {}): {why}", from.x, from.y, to.x, to.y))
    }
}

/// Looks for a way between two points of the place.
pub fn find(built: &Built, ends: [DVec2; 2]) -> Answer {
    let [from, to] = ends.map(|end| built.spot(end));
    let exact = built.map.path(from.at, &Goal::Point(to.at), built.radius());
    let mut routing = Routing::default();
    let route = routing.find(&built.hierarchy, &built.subdivision, from, to).map(|over_middles| {
        let (mut crossings, mut line) = (Vec::new(), Vec::new());
        routing.crossings(&built.hierarchy, &mut crossings);
        let pulled = pull(&built.subdivision, from.at, &crossings, to.at, built.width / 2.0, &mut line);
        Route { over_middles: f64::from(over_middles), pulled, crossings, line }
    });
    let why = (exact.is_none() || route.is_none()).then(|| why(built, ends));
    Answer { ends, exact, route, why }
}

/// Why there is no way.
fn why(built: &Built, ends: [DVec2; 2]) -> String {
    let cells = ends.map(|end| built.subdivision.locate(built.spot(end)));
    let off: Vec<String> = (["start", "goal"].iter().zip(ends).zip(cells))
        .filter(|(_, cell)| cell.is_none())
        .map(|((name, at), _)| off_floor(built, name, at))
        .collect();
    let [Some(from), Some(to)] = cells else { return off.join("; ") };
    let parts = [from, to].map(|cell| built.parts.of(cell));
    if parts[0] != parts[1] {
        let [start, goal] = parts.map(|part| described(part, built.parts.areas()));
        return format!("the start is in {start} of the floor, the goal in {goal}; nothing joins them");
    }
    too_narrow(built, from, to)
}

fn off_floor(built: &Built, name: &str, at: DVec2) -> String {
    let here = format!("the {name} ({}, {}) is off the floor", at.x, at.y);
    match built.map.nearest_free(built.spot(at).at, built.radius()) {
        Some(free) => {
            let [x, y] = built.place_point(free.as_dvec2());
            let gap = (DVec2::new(x, y) - at).length();
            format!("{here}; the nearest point with room for {} m is ({x:.3}, {y:.3}), {gap:.3} m away", built.width)
        }
        None => format!("{here}; nowhere is there room for {} m", built.width),
    }
}

fn too_narrow(built: &Built, from: CellId, to: CellId) -> String {
    let parts = [from, to].map(|cell| built.parts_wide.of(cell));
    let width = built.width;
    if parts[0] == parts[1] {
        return format!("the way turns where there is less room than {width} m, although every portal on it is wider");
    }
    let [start, goal] = parts.map(|part| described(part, built.parts_wide.areas()));
    let count = built.parts_wide.areas().len();
    let mut text =
        format!("for people {width} m wide the floor has {count} parts: the start is in {start}, the goal in {goal}");
    if let Some(portal) = narrowest_between(&built.subdivision, from, to) {
        let [x, y] = built.place_point(portal.middle());
        text += &format!("; the widest way between them is {:.3} m wide at ({x:.3}, {y:.3})", portal.length());
    }
    text
}

fn described(part: usize, areas: &[f64]) -> String {
    format!("part {} ({:.1} m2)", part + 1, areas[part])
}

/// Those of a line's points without which it would be more than a centimetre off, so that arcs do not fill the screen.
pub fn main_points(points: &[Vec2]) -> Vec<Vec2> {
    const OFF: f32 = 0.01;
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return Vec::new() };
    let off = |p: &Vec2| {
        let way = last - first;
        let along = ((*p - first).dot(way) / way.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        (first + way * along).distance(*p)
    };
    let inner = points.iter().enumerate().skip(1).take(points.len().saturating_sub(2));
    let farthest = inner.map(|(i, p)| (i, off(p))).max_by(|a, b| a.1.total_cmp(&b.1));
    match farthest.filter(|(_, off)| *off > OFF) {
        None => vec![first, last],
        Some((i, _)) => {
            let mut kept = main_points(&points[..=i]);
            kept.pop();
            kept.extend(main_points(&points[i..]));
            kept
        }
    }
}
