//! Places from the files of other programs: from bytes to a [`Floor`], with a report of what was read and changed.
//!
//! [`read`] finds out the format, a reader of that format makes a draft of it, and the same cleaning makes every draft a
//! floor: units, near-duplicate points, slivers, outlines that cross themselves, obstacles that overlap.
//!
//! ```
//! use passerby_navigation::import::{Options, read};
//!
//! let text = b"POLYGON ((0 0, 9 0, 9 6, 0 6), (2 2, 4 2, 4 4, 2 4))";
//! let place = read("room.wkt", text, &Options::default()).unwrap();
//! assert_eq!(place.floor.areas.len(), 1);
//! assert!((place.report.free_area - 50.0).abs() < 1e-6);
//! ```

mod clean;
mod draft;
mod dxf;
mod entangled;
mod error;
mod format;
mod geojson;
mod join;
mod json;
mod jupedsim;
mod moving_ai;
mod osm;
mod overlay;
mod picture;
mod pieces;
mod project;
mod report;
mod rings;
pub mod saved;
mod unite;
mod vadere;
mod weld;
mod well_known;
mod xml;

use passerby_geometry::{DVec2, Homography};

pub use error::ImportError;
pub use format::Format;
pub use report::{Change, Report};

use crate::floor::Floor;
use error::fail;

/// Longest file that is read, bytes.
pub const BYTES_MAX: usize = 64 << 20;

/// Most points of all outlines together.
pub const POINTS_MAX: usize = 1_000_000;

/// Most outlines, lines, doors and regions together.
pub const ELEMENTS_MAX: usize = 250_000;

/// Deepest nesting of lists, collections and elements.
pub const DEPTH_MAX: usize = 64;

/// What a file does not say itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The part of the place that is wanted, in the file's coordinates (for degrees: longitude, latitude): two opposite
    /// corners of a box, or the corners of a polygon. All of the place without it.
    pub area: Option<Vec<DVec2>>,
    /// Which layers of a drawing hold what.
    pub layers: Layers,
    /// Metres for one unit of WKT, GeoJSON or DXF; without it what the file says, and metres if it says nothing.
    pub scale: Option<f64>,
    /// Whether GeoJSON that names no coordinate system holds degrees.
    pub degrees: bool,
    /// Points closer than this are the same, and what is thinner is a sliver, m, from 0 to 1; default 0.001.
    pub tolerance: f64,
    /// Side of a cell of a grid map, m; default 1.
    pub cell: f64,
    /// How thick walls are that a drawing gives as lines, m; default 0.05.
    pub wall: f64,
    /// How far the floor reaches beyond the obstacles where nothing says where it ends, m; default 10.
    pub margin: f64,
    /// Whether all but the largest piece of floor become obstacles: nobody gets from one to another.
    pub fill_enclosed: bool,
    /// How a picture lies on the ground whose pixels the file names.
    pub homography: Option<Homography>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            area: None,
            layers: Layers::default(),
            scale: None,
            degrees: false,
            tolerance: 1e-3,
            cell: 1.0,
            wall: 0.05,
            margin: 10.0,
            fill_enclosed: false,
            homography: None,
        }
    }
}

/// Names of layers, whatever their case. A kind without any has the usual names: `floor` or `walkablearea`; `obstacles` or
/// `walls`; `doors`; `regions`, `exits`, `distributions` or `waypoints`, each also with `jps-` before it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layers {
    /// Outlines of the floor; one inside another is a hole.
    pub floor: Vec<String>,
    /// Outlines and walls.
    pub obstacles: Vec<String>,
    /// Lines from jamb to jamb.
    pub doors: Vec<String>,
    /// Outlines of regions.
    pub regions: Vec<String>,
}

/// A place that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The place, in metres.
    pub floor: Floor,
    /// What was read, and what was changed.
    pub report: Report,
}

/// Reads a place. `name` is that of the file: its extension tells the format, and the content where several formats share
/// an extension.
pub fn read(name: &str, bytes: &[u8], options: &Options) -> Result<Imported, ImportError> {
    check(options)?;
    if bytes.len() > BYTES_MAX {
        let what = format!("the file has {} bytes, at most {BYTES_MAX} (64 MiB) are read", bytes.len());
        return fail("", what, "cut out the part that is needed");
    }
    let format = format::of(name, bytes)?;
    check_goes_with(format, options)?;
    let draft = match format {
        Format::WellKnownText => well_known::draft(text(bytes)?, options),
        Format::GeoJson => geojson::draft(text(bytes)?, options),
        Format::OpenStreetMap => osm::draft(text(bytes)?),
        Format::Dxf => dxf::draft(text(bytes)?, options),
        Format::MovingAi => return moving_ai::read(text(bytes)?, options),
        Format::JuPedSim => jupedsim::draft(text(bytes)?),
        Format::Vadere => vadere::draft(text(bytes)?),
        Format::Picture => picture::draft(text(bytes)?, options),
        Format::Saved => return saved::imported(bytes, options),
    }?;
    clean::imported(format, draft, options)
}

fn text(bytes: &[u8]) -> Result<&str, ImportError> {
    let text = std::str::from_utf8(bytes).or_else(|error| {
        let at = error.valid_up_to();
        let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        let what = format!("byte {at} is 0x{:02x}, not UTF-8 text", bytes[at]);
        fail(format!("line {line}"), what, "save the file as UTF-8")
    })?;
    Ok(text.trim_start_matches('\u{feff}'))
}

/// An error if a file of this name cannot be read, whatever it holds.
pub fn check_name(name: &str) -> Result<(), ImportError> {
    format::of_name(name).map(|_| ())
}

/// Whether the points of a file are pixels of a picture, so that it can be read with a homography only.
pub fn is_in_pixels(name: &str, bytes: &[u8]) -> bool {
    format::of(name, bytes).is_ok_and(|format| format == Format::Picture)
}

/// An error if something was said that does not matter to a file of this format: it would be left out silently.
fn check_goes_with(format: Format, options: &Options) -> Result<(), ImportError> {
    let said = [
        ("scale", options.scale.is_some(), &[Format::WellKnownText, Format::GeoJson, Format::Dxf][..]),
        ("degrees", options.degrees, &[Format::GeoJson]),
        ("layers", options.layers != Layers::default(), &[Format::Dxf]),
        ("homography", options.homography.is_some(), &[Format::Picture]),
        ("cell", options.cell != Options::default().cell, &[Format::MovingAi]),
    ];
    // A saved map says more about why nothing goes with it.
    match said.iter().find(|(_, said, formats)| *said && format != Format::Saved && !formats.contains(&format)) {
        Some((name, _, formats)) => {
            let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
            let what = format!("`{name}` does not go with {}", format.name());
            fail("", what, format!("leave it out; it is for {}", names.join(", ")))
        }
        None => Ok(()),
    }
}

fn check(options: &Options) -> Result<(), ImportError> {
    let within = |name: &str, value: f64, low: f64, high: f64| {
        let what = format!("{name} is {value}");
        if (low..=high).contains(&value) { Ok(()) } else { fail("", what, format!("give {low} to {high}")) }
    };
    within("scale", options.scale.unwrap_or(1.0), 1e-9, 1e9)?;
    within("tolerance", options.tolerance, 0.0, 1.0)?;
    within("cell", options.cell, 1e-3, 1e4)?;
    within("wall", options.wall, 1e-3, 10.0)?;
    within("margin", options.margin, 0.0, 1e4)?;
    match options.area.as_deref() {
        Some([] | [_]) => fail("area", "this encloses nothing", "give two opposite corners, or at least three corners"),
        _ => Ok(()),
    }
}
