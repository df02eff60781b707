//! The topography of a Vadere scenario: bounds, obstacles, and as regions sources, targets and measurement areas.

use serde_json::Value;

use passerby_geometry::DVec2;

use super::draft::{Draft, Patch};
use super::error::{ImportError, fail};
use super::{join, json};

/// How far a chord may lie within its circle, m.
const SAGITTA: f64 = 0.01;

pub(super) fn draft(text: &str) -> Result<Draft, ImportError> {
    let file = json::parse(text)?;
    let inner = file.get("scenario").unwrap_or(&file);
    let topography = inner.get("topography").unwrap_or(inner);
    let attributes = topography.get("attributes").unwrap_or(&Value::Null);
    let Some(bounds) = attributes.get("bounds") else {
        return fail(
            "topography",
            "it has no `attributes.bounds`",
            "a Vadere scenario has scenario.topography.attributes.bounds",
        );
    };
    let mut draft = Draft::default();
    let floor = floor(attributes, bounds)?;
    draft.count("bounds", floor.len())?;
    draft.floors.push(Patch { element: "bounds".to_owned(), rings: vec![floor] });
    for (element, ring) in shapes(topography, "obstacles", "obstacle")? {
        draft.count(&element, ring.len())?;
        draft.obstacles.push(Patch { element, rings: vec![ring] });
    }
    for (key, kind) in [("sources", "source"), ("targets", "target"), ("measurementAreas", "measurement area")] {
        for (element, ring) in shapes(topography, key, kind)? {
            draft.count(&element, ring.len())?;
            draft.regions.push((element.clone(), Patch { element, rings: vec![ring] }));
        }
    }
    for key in ["stairs", "teleporter", "dynamicElements", "absorbingAreas", "targetChangers"] {
        let count = topography.get(key).and_then(Value::as_array).map_or(0, Vec::len);
        (0..count).for_each(|_| draft.ignore(key));
    }
    Ok(draft)
}

/// The bounds; a bounded topography has a wall of some width along them.
fn floor(attributes: &Value, bounds: &Value) -> Result<Vec<DVec2>, ImportError> {
    let at = "topography.attributes.bounds";
    let (low, high) = corners(at, bounds)?;
    let bounded = attributes.get("bounded").and_then(Value::as_bool).unwrap_or(false);
    let width = if bounded && attributes.get("boundingBoxWidth").is_some() {
        json::number("topography.attributes", attributes, "boundingBoxWidth")?
    } else {
        0.0
    };
    let (low, high) = (low + width, high - width);
    if !(low.x < high.x && low.y < high.y) {
        return fail(
            at,
            "no floor is left within the bounding box",
            "width and height have to be larger than its walls",
        );
    }
    Ok(rectangle(low, high))
}

fn rectangle(low: DVec2, high: DVec2) -> Vec<DVec2> {
    vec![low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)]
}

fn corners(at: &str, value: &Value) -> Result<(DVec2, DVec2), ImportError> {
    let low = json::point(at, value)?;
    Ok((low, low + DVec2::new(json::number(at, value, "width")?, json::number(at, value, "height")?)))
}

/// The outlines of a list of things, each with what to call it.
fn shapes(topography: &Value, key: &str, kind: &str) -> Result<Vec<(String, Vec<DVec2>)>, ImportError> {
    let list = match topography.get(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        other => return fail(key, format!("this is {}", json::shown(other)), "give a list"),
    };
    let mut found = Vec::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        // Older files keep shapes and ids under `attributes`.
        let item = item.get("attributes").filter(|inner| inner.get("shape").is_some()).unwrap_or(item);
        let at = match item.get("id").and_then(Value::as_i64) {
            Some(id) if id >= 0 => format!("{kind} {id}"),
            _ => format!("{kind} #{index}"),
        };
        let Some(shape) = item.get("shape") else { return fail(at, "it has no `shape`", "give its outline") };
        let ring = outline(&at, shape)?;
        found.push((at, ring));
    }
    Ok(found)
}

fn outline(at: &str, shape: &Value) -> Result<Vec<DVec2>, ImportError> {
    match shape.get("type").and_then(Value::as_str) {
        Some("RECTANGLE") => corners(at, shape).map(|(low, high)| rectangle(low, high)),
        Some("POLYGON") => match shape.get("points").and_then(Value::as_array) {
            Some(points) => points.iter().map(|point| json::point(at, point)).collect(),
            None => fail(at, "a POLYGON has no `points`", "give a list of { x, y }"),
        },
        Some("CIRCLE") => {
            let centre = json::point(at, shape.get("center").unwrap_or(&Value::Null))?;
            let radius = json::number(at, shape, "radius")?;
            join::circle(at, centre, radius, SAGITTA)
        }
        _ => fail(
            at,
            format!("a shape of type {}", json::shown(shape.get("type"))),
            "RECTANGLE, POLYGON or CIRCLE can be read",
        ),
    }
}
