//! Points, rings and polygons of a scenario file.

use passerby_geometry::{Area, DVec2, Polygon, PolygonError};

use super::value::{Range, Value};

/// Places farther from the origin than this lose millimetres in `f32` even around a local origin.
pub(super) const COORDINATE: Range = Range::new(-1e7, 1e7, " m");

const RING: &str = "a ring of points [[x, y], [x, y], [x, y], ...]";

/// A point `[x, y]`.
pub(super) fn point(value: &Value<'_>) -> Option<DVec2> {
    let coordinates = value.list("a point [x, y]")?;
    let [x, y] = &coordinates[..] else {
        let what = format!("expected a point [x, y], found a list of {}", coordinates.len());
        value.sheet.report(value.problem(what));
        return None;
    };
    let (x, y) = (x.number(&COORDINATE), y.number(&COORDINATE)); // both, so that both are reported
    Some(DVec2::new(x?, y?))
}

/// All points of a list, or `None` when one of them is wrong.
pub(super) fn points(value: &Value<'_>, expected: &str) -> Option<Vec<DVec2>> {
    let items = value.list(expected)?;
    if items.first().is_some_and(Value::is_number) {
        let problem = value.problem(format!("expected {expected}, found one of numbers"));
        value.sheet.report(problem.hint("put one more pair of brackets around it"));
        return None;
    }
    let read: Vec<Option<DVec2>> = items.iter().map(point).collect();
    read.into_iter().collect()
}

/// The rings of a list, not yet read.
pub(super) fn rings<'a>(value: &Value<'a>) -> Option<Vec<Value<'a>>> {
    let items = value.list("a list of rings")?;
    let is_point = |item: &Value<'a>| item.first_of_list().is_some_and(|inner| inner.is_number());
    if items.first().is_some_and(is_point) {
        let problem = value.problem("expected a list of rings, found one ring");
        value.sheet.report(problem.hint("put one more pair of brackets around it"));
        return None;
    }
    Some(items)
}

/// A line from one point to another, not too short to be one.
pub(super) fn line(value: &Value<'_>) -> Option<[DVec2; 2]> {
    let ends = points(value, "a line [[x, y], [x, y]]")?;
    let what = match ends[..] {
        [a, b] if a.distance(b) >= 0.01 => return Some([a, b]),
        [_, _] => "its ends are less than 0.01 m apart".to_owned(),
        _ => format!("expected a line [[x, y], [x, y]], found {} points", ends.len()),
    };
    value.sheet.report(value.problem(what));
    None
}

/// A simple polygon.
pub(super) fn polygon(value: &Value<'_>) -> Option<Polygon> {
    let items = value.list(RING)?;
    let ring = points(value, RING)?;
    match Polygon::new(ring) {
        Ok(polygon) => Some(polygon),
        Err(error) => {
            let vertex = match error {
                PolygonError::NotFinite { vertex, .. }
                | PolygonError::TooFar { vertex, .. }
                | PolygonError::Repeated { vertex, .. }
                | PolygonError::Spike { vertex, .. } => Some(vertex),
                PolygonError::SelfCrossing { edge, other, .. } => Some(edge.max(other)),
                _ => None,
            };
            report(vertex.and_then(|vertex| items.get(vertex)).unwrap_or(value), &error);
            None
        }
    }
}

/// A polygon with holes; `holes` may be absent.
pub(super) fn area(outer: &Value<'_>, holes: Option<Value<'_>>) -> Option<Area> {
    let shape = polygon(outer);
    let items = holes.as_ref().map_or(Some(Vec::new()), rings)?;
    let rings: Vec<Option<Polygon>> = items.iter().map(polygon).collect();
    match Area::new(shape?, rings.into_iter().collect::<Option<_>>()?) {
        Ok(area) => Some(area),
        Err(error) => {
            let hole = match error {
                PolygonError::HoleOutside { hole, .. } => Some(hole),
                PolygonError::HolesOverlap { hole, other, .. } => Some(hole.max(other)),
                _ => None,
            };
            report(hole.and_then(|hole| items.get(hole)).unwrap_or(outer), &error);
            None
        }
    }
}

/// Reports what geometry says of a shape: what is wrong before its colon, the way out after it.
fn report(at: &Value<'_>, error: &PolygonError) {
    let message = error.to_string();
    at.sheet.report(match message.split_once(": ") {
        Some((what, hint)) => at.problem(what).hint(hint),
        None => at.problem(message),
    });
}
