//! Which format a file has.

use super::error::{ImportError, fail, short};
use super::picture;

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Well-known text: POLYGON, MULTIPOLYGON, GEOMETRYCOLLECTION of these.
    WellKnownText,
    /// GeoJSON.
    GeoJson,
    /// OpenStreetMap XML.
    OpenStreetMap,
    /// Drawing exchange format, as text.
    Dxf,
    /// Grid maps of the Moving AI lab.
    MovingAi,
    /// Geometry XML of JuPedSim.
    JuPedSim,
    /// Scenario of Vadere, of which the topography is read.
    Vadere,
    /// Pixels of a picture, `column row` a line.
    Picture,
    /// A map that was saved by [`saved`](super::saved).
    Saved,
}

impl Format {
    /// What messages call it.
    pub fn name(self) -> &'static str {
        match self {
            Format::WellKnownText => "well-known text",
            Format::GeoJson => "GeoJSON",
            Format::OpenStreetMap => "OpenStreetMap XML",
            Format::Dxf => "DXF",
            Format::MovingAi => "Moving AI grid map",
            Format::JuPedSim => "JuPedSim geometry",
            Format::Vadere => "Vadere topography",
            Format::Picture => "points of a picture",
            Format::Saved => "saved map",
        }
    }
}

const ALLOWED: &str = ".wkt, .geojson, .json, .osm, .xml, .dxf, .map, .scenario, .txt or .pmap can be read";

/// Decides by the extension, and by the content where that is not enough.
pub(super) fn of(name: &str, bytes: &[u8]) -> Result<Format, ImportError> {
    match of_name(name)? {
        Some(format) => Ok(format),
        None => by_content(bytes),
    }
}

/// What the extension says; nothing where several formats share it.
pub(super) fn of_name(name: &str) -> Result<Option<Format>, ImportError> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    match &*extension {
        "wkt" => Ok(Some(Format::WellKnownText)),
        "geojson" => Ok(Some(Format::GeoJson)),
        "osm" => Ok(Some(Format::OpenStreetMap)),
        "dxf" => Ok(Some(Format::Dxf)),
        "map" => Ok(Some(Format::MovingAi)),
        "scenario" => Ok(Some(Format::Vadere)),
        "pmap" => Ok(Some(Format::Saved)),
        "xml" | "json" | "txt" => Ok(None),
        "dwg" => fail("", "DWG drawings cannot be read", "save the drawing as DXF (ASCII)"),
        "pbf" => {
            fail("", "compressed OpenStreetMap files cannot be read", "convert it: osmium cat place.pbf -o place.osm")
        }
        "ifc" => fail("", "building models (IFC) cannot be read", WAY_ROUND),
        "obj" | "gltf" | "glb" | "stl" | "ply" | "fbx" | "usd" | "usda" | "usdz" => {
            fail("", "3D models cannot be read", WAY_ROUND)
        }
        _ => fail("", "this kind of file cannot be read", ALLOWED),
    }
}

pub(super) const WAY_ROUND: &str = "draw or export the outline of each floor as DXF, WKT or GeoJSON and read that";

/// The beginning of a file tells: only so much of it is looked at.
fn by_content(bytes: &[u8]) -> Result<Format, ImportError> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(64 << 10)]);
    let head = head.trim_start_matches('\u{feff}').trim_start();
    let starts = |words: &[&str]| words.iter().any(|w| head.get(..w.len()).is_some_and(|h| h.eq_ignore_ascii_case(w)));
    if head.starts_with('<') {
        return if head.contains("<osm") {
            Ok(Format::OpenStreetMap)
        } else if head.contains("<geometry") {
            Ok(Format::JuPedSim)
        } else {
            fail("", "this XML holds no place", "OpenStreetMap has <osm>, JuPedSim has <geometry> at its beginning")
        };
    }
    if head.starts_with('{') {
        return if head.contains("\"CityJSON\"") {
            fail("", "3D city models (CityJSON) cannot be read", WAY_ROUND)
        } else if head.contains("\"topography\"") || head.contains("\"obstacles\"") || head.contains("\"vadere\"") {
            Ok(Format::Vadere)
        } else {
            Ok(Format::GeoJson)
        };
    }
    if starts(&["POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION"]) {
        return Ok(Format::WellKnownText);
    }
    if starts(&["type "]) {
        return Ok(Format::MovingAi);
    }
    if picture::begins(head) {
        return Ok(Format::Picture);
    }
    fail("", format!("a file that begins with `{}` holds no place", short(head)), ALLOWED)
}
