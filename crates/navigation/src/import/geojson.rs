//! GeoJSON: polygons by their property `kind`, door and wall lines.

use serde_json::Value;

use passerby_geometry::DVec2;

use super::draft::{Draft, Patch, Stroke, Unit};
use super::error::{ImportError, fail};
use super::{DEPTH_MAX, Options, format, json};

/// What the property `kind` may say.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Floor,
    Obstacle,
    Region,
    Door,
}

pub(super) fn draft(text: &str, options: &Options) -> Result<Draft, ImportError> {
    let file = json::parse(text)?;
    let mut draft = Draft::default();
    if is_degrees(&file, options)? {
        (draft.unit, draft.unit_name, draft.boxed) = (Unit::Degrees, "degrees".to_owned(), true);
    } else {
        draft.scaled(options.scale);
    }
    match file.get("type").and_then(Value::as_str) {
        Some("FeatureCollection") => match file.get("features").and_then(Value::as_array) {
            Some(features) => {
                for (index, item) in features.iter().enumerate() {
                    feature(&mut draft, &label(index, item), item)?;
                }
            }
            None => return fail("", "a FeatureCollection has no list `features`", "give the features"),
        },
        Some("Feature") => feature(&mut draft, "feature", &file)?,
        Some("CityJSON") => return fail("", "3D city models (CityJSON) cannot be read", format::WAY_ROUND),
        Some(_) => geometry(&mut draft, "geometry", &file, (Kind::Floor, None), 0)?,
        None => return fail("", "it has no `type`", "GeoJSON begins with { \"type\": \"FeatureCollection\", ... }"),
    }
    Ok(draft)
}

/// Whether the file, or whoever reads it, says that coordinates are degrees.
fn is_degrees(file: &Value, options: &Options) -> Result<bool, ImportError> {
    let name = file.pointer("/crs/properties/name");
    let named = match name.and_then(Value::as_str) {
        None => false,
        Some(name) => {
            let name = name.to_ascii_uppercase();
            name.ends_with("CRS84") || name.ends_with(":4326")
        }
    };
    // Its metres are too long by the cosine of the latitude: 1.6 times in Berlin.
    let mercator = |name: &str| name.ends_with(":3857") || name.ends_with(":900913");
    if let Some(name) = name.and_then(Value::as_str).filter(|name| mercator(name) && options.scale.is_none()) {
        let help = "save the file as longitude and latitude, or give the `scale`, the cosine of the latitude";
        return fail("crs", format!("`{}` is Web Mercator, whose metres are none", super::error::short(name)), help);
    }
    if (named || options.degrees) && options.scale.is_some() {
        return fail("scale", "the file holds degrees", "leave the scale out");
    }
    Ok(named || options.degrees)
}

fn label(index: usize, feature: &Value) -> String {
    match feature.get("id").or_else(|| feature.pointer("/properties/@id")) {
        Some(id) => format!("feature {index} (id {})", json::shown(Some(id)).trim_matches('"')),
        None => format!("feature {index}"),
    }
}

fn feature(draft: &mut Draft, at: &str, item: &Value) -> Result<(), ImportError> {
    let properties = item.get("properties").unwrap_or(&Value::Null);
    let text = |key: &str| properties.get(key).and_then(Value::as_str);
    let kind = match properties.get("kind") {
        None | Some(Value::Null) if text("building").is_some_and(|building| building != "no") => Kind::Obstacle,
        None | Some(Value::Null) => Kind::Floor,
        Some(kind) => match kind.as_str() {
            Some("floor") => Kind::Floor,
            Some("obstacle" | "wall" | "building") => Kind::Obstacle,
            Some("region") => Kind::Region,
            Some("door") => Kind::Door,
            _ => {
                let what = format!("its kind is {}", json::shown(Some(kind)));
                return fail(at, what, "floor, obstacle, wall, building, region or door is known");
            }
        },
    };
    match item.get("geometry") {
        None | Some(Value::Null) => {
            draft.ignore("feature without a geometry");
            Ok(())
        }
        Some(shape) => geometry(draft, at, shape, (kind, text("name")), 0),
    }
}

fn geometry(
    draft: &mut Draft,
    at: &str,
    shape: &Value,
    (kind, name): (Kind, Option<&str>),
    depth: usize,
) -> Result<(), ImportError> {
    if depth > DEPTH_MAX {
        return fail(at, format!("collections are nested deeper than {DEPTH_MAX}"), "put them side by side");
    }
    let coordinates = shape.get("coordinates").unwrap_or(&Value::Null);
    match shape.get("type").and_then(Value::as_str) {
        Some("Polygon") => polygon(draft, at, coordinates, (kind, name)),
        Some("MultiPolygon") => {
            list(at, coordinates)?.iter().try_for_each(|item| polygon(draft, at, item, (kind, name)))
        }
        Some("LineString") => line(draft, at, coordinates, (kind, name)),
        Some("MultiLineString") => {
            list(at, coordinates)?.iter().try_for_each(|item| line(draft, at, item, (kind, name)))
        }
        Some("GeometryCollection") => {
            let items = list(at, shape.get("geometries").unwrap_or(&Value::Null))?;
            items.iter().try_for_each(|item| geometry(draft, at, item, (kind, name), depth + 1))
        }
        Some(other @ ("Point" | "MultiPoint")) => {
            draft.ignore(other);
            Ok(())
        }
        _ => {
            let what = format!("a geometry of type {}", json::shown(shape.get("type")));
            fail(at, what, "Polygon, MultiPolygon, LineString, MultiLineString or GeometryCollection can be read")
        }
    }
}

fn polygon(
    draft: &mut Draft,
    at: &str,
    coordinates: &Value,
    (kind, name): (Kind, Option<&str>),
) -> Result<(), ImportError> {
    let rings = list(at, coordinates)?.iter().map(|ring| points(at, ring)).collect::<Result<Vec<_>, _>>()?;
    draft.count(at, rings.iter().map(Vec::len).sum())?;
    let patch = Patch { element: at.to_owned(), rings };
    match kind {
        Kind::Floor => draft.floors.push(patch),
        Kind::Obstacle => draft.obstacles.push(patch),
        Kind::Region if patch.rings.len() > 1 => return fail(at, "a region has holes", "give a region without holes"),
        Kind::Region => draft.regions.push((name.unwrap_or("region").to_owned(), patch)),
        Kind::Door => return fail(at, "a door is a polygon", "a door is a LineString from jamb to jamb"),
    }
    Ok(())
}

fn line(
    draft: &mut Draft,
    at: &str,
    coordinates: &Value,
    (kind, name): (Kind, Option<&str>),
) -> Result<(), ImportError> {
    let points = points(at, coordinates)?;
    draft.count(at, points.len())?;
    let stroke = Stroke { element: at.to_owned(), points };
    match kind {
        Kind::Obstacle => draft.walls.push(stroke),
        Kind::Door => draft.doors.push((name.unwrap_or("door").to_owned(), stroke)),
        Kind::Floor | Kind::Region => draft.ignore("line that is no door and no wall"),
    }
    Ok(())
}

fn list<'a>(at: &str, value: &'a Value) -> Result<&'a [Value], ImportError> {
    match value {
        Value::Array(list) => Ok(list),
        other => fail(at, format!("coordinates are {}", json::shown(Some(other))), "give a list"),
    }
}

fn points(at: &str, ring: &Value) -> Result<Vec<DVec2>, ImportError> {
    let point = |(index, value): (usize, &Value)| {
        let coordinate = |i: usize| value.get(i).and_then(Value::as_f64).filter(|number| number.is_finite());
        match (coordinate(0), coordinate(1)) {
            (Some(x), Some(y)) => Ok(DVec2::new(x, y)),
            _ => fail(at, format!("point {index} is no point"), "give [x, y], two finite numbers"),
        }
    };
    list(at, ring)?.iter().enumerate().map(point).collect()
}
