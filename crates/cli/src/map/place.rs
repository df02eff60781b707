//! The place: a file of another program, a saved map, or the place of a scenario.

use crate::failure::Failure;
use crate::folder::similar_name;
use crate::source;
use clap::Args;
use passerby::geometry::{DVec2, Homography};
use passerby::navigation::Floor;
use passerby::navigation::import::{self, BYTES_MAX, ImportError, Layers, Options, Report};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::{Duration, Instant};

/// Coordinates beyond this are no places, in whatever unit.
const COORDINATE_MAX: f64 = 1e12;

/// Bytes of a homography that are read.
const HOMOGRAPHY_MAX: u64 = 1 << 16;

/// What a file does not say itself. The keys of a scenario's `[place]` have the same names.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "How a place file is read")]
pub struct Reading {
    /// The part that is wanted, in the file's coordinates: two opposite corners, or a polygon
    #[arg(long, value_name = "X,Y,X,Y[,...]", allow_hyphen_values = true, value_parser = corners)]
    area: Option<Corners>,
    /// A layer of a drawing that holds floor, obstacles, doors or regions; may be given several times
    #[arg(long, value_name = "KIND=NAME", value_parser = layer)]
    layer: Vec<Layer>,
    /// Metres for one unit of a WKT, GeoJSON or DXF file
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    scale: Option<f64>,
    /// GeoJSON that names no coordinate system holds longitude and latitude
    #[arg(long)]
    degrees: bool,
    /// Side of a cell of a grid map, m [default: 1]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    cell: Option<f64>,
    /// Points closer than this are one point, m [default: 0.001]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    tolerance: Option<f64>,
    /// How thick walls are that the file gives as lines, m [default: 0.05]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    wall: Option<f64>,
    /// How far the floor reaches beyond buildings where nothing says where it ends, m [default: 10]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    margin: Option<f64>,
    /// All pieces of floor but the largest become obstacles, such as courtyards
    #[arg(long)]
    fill_enclosed: bool,
    /// How the picture lies on the ground whose pixels the file names: 3 x 3 numbers from (row, column, 1) to metres
    #[arg(long, value_name = "FILE", value_parser = homography)]
    homography: Option<Homography>,
}

#[derive(Debug, Clone)]
struct Corners(Vec<DVec2>);

#[derive(Debug, Clone)]
struct Layer {
    kind: usize,
    name: String,
}

/// What layers can hold.
const KINDS: [&str; 4] = ["floor", "obstacles", "doors", "regions"];

/// A place that was read.
pub struct Place {
    /// What messages and pictures call it.
    pub name: String,
    pub floor: Floor,
    /// What was read and changed, if it comes from a place file.
    pub report: Option<Report>,
    pub time: Duration,
}

impl Reading {
    /// How a plan is read beside recorded people: with their homography, if its points are pixels too.
    pub fn beside(path: &Path, homography: Option<Homography>) -> Reading {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let in_pixels = |_: &Homography| bytes_of(path).is_ok_and(|bytes| import::is_in_pixels(&name, &bytes));
        Reading { homography: homography.filter(in_pixels), ..Reading::default() }
    }

    /// Whether it was said how pixels lie on the ground.
    pub fn has_homography(&self) -> bool {
        self.homography.is_some()
    }

    /// Reads a place.
    pub fn read(&self, path: &Path) -> Result<Place, Failure> {
        let started = Instant::now();
        let shown = path.display().to_string();
        let name = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
        if path.is_dir() {
            return Err(Failure::input(format!("{shown}: is a folder, not a place\n    hint: name a file in it")));
        }
        let (floor, report) = if name.to_ascii_lowercase().ends_with(".toml") {
            self.refuse_for_scenarios(&shown)?;
            let scenario = source::load(path)?;
            (scenario.place, scenario.place_report)
        } else {
            let refused = |ImportError { at, what, help }: ImportError| {
                let what = if at.is_empty() { what } else { format!("{at}: {what}") };
                Failure::input(format!("{shown}: {what}\n    hint: {help}"))
            };
            import::check_name(&name).map_err(refused)?;
            let imported = import::read(&name, &bytes_of(path)?, &self.options()).map_err(refused)?;
            (imported.floor, Some(imported.report))
        };
        Ok(Place { name, floor, report, time: started.elapsed() })
    }

    fn options(&self) -> Options {
        let default = Options::default();
        let names =
            |kind: usize| self.layer.iter().filter(move |layer| layer.kind == kind).map(|layer| layer.name.clone());
        Options {
            area: self.area.as_ref().map(|corners| corners.0.clone()),
            layers: Layers {
                floor: names(0).collect(),
                obstacles: names(1).collect(),
                doors: names(2).collect(),
                regions: names(3).collect(),
            },
            scale: self.scale,
            degrees: self.degrees,
            tolerance: self.tolerance.unwrap_or(default.tolerance),
            cell: self.cell.unwrap_or(default.cell),
            wall: self.wall.unwrap_or(default.wall),
            margin: self.margin.unwrap_or(default.margin),
            fill_enclosed: self.fill_enclosed,
            homography: self.homography,
        }
    }

    fn refuse_for_scenarios(&self, shown: &str) -> Result<(), Failure> {
        if self.options() == Options::default() {
            return Ok(());
        }
        let message =
            "a scenario says itself how its place is read\n    hint: write it into [place], or name the place file";
        Err(Failure::input(format!("{shown}: {message}")))
    }
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    let mut bytes = Vec::new();
    let too_large = |size: String| {
        let message = format!("{shown}: the file has {size} bytes, at most {BYTES_MAX} (64 MiB) are read");
        Failure::input(message + "\n    hint: cut out the part that is needed")
    };
    match path.metadata() {
        Ok(file) if file.len() > BYTES_MAX as u64 => return Err(too_large(file.len().to_string())),
        _ => (),
    }
    // One byte more than is allowed: a pipe or a growing file has no size that could be asked before.
    let read = File::open(path).and_then(|file| file.take(BYTES_MAX as u64 + 1).read_to_end(&mut bytes));
    match read {
        Ok(size) if size > BYTES_MAX => Err(too_large(format!("more than {BYTES_MAX}"))),
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let hint = similar_name(path).map_or_else(String::new, |name| {
                format!("\n    hint: did you mean {}?", path.with_file_name(name).display())
            });
            Err(Failure::input(format!("{shown}: there is no such file{hint}")))
        }
        Err(error) => Err(Failure::Failed(anyhow::anyhow!("{shown} cannot be read: {error}"))),
    }
}

/// Finite numbers with commas between them.
pub fn numbers(text: &str) -> Result<Vec<f64>, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.abs() <= COORDINATE_MAX);
    let one =
        |text: &str| number(text).ok_or_else(|| format!("`{text}` is no coordinate: give numbers such as 10.5,-4"));
    text.split(',').map(one).collect()
}

fn corners(text: &str) -> Result<Corners, String> {
    let numbers = numbers(text)?;
    if numbers.len() < 4 || numbers.len() % 2 == 1 {
        return Err(
            "allowed: at least two points X,Y,X,Y, opposite corners of a box or corners of a polygon".to_owned()
        );
    }
    Ok(Corners(numbers.chunks_exact(2).map(|pair| DVec2::new(pair[0], pair[1])).collect()))
}

/// Reads a homography from the file of this name.
pub fn homography(path: &str) -> Result<Homography, String> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(HOMOGRAPHY_MAX).read_to_string(&mut text));
    read.map_err(|error| format!("cannot be read: {error}"))?;
    Homography::parse(&text).map_err(|error| error.to_string())
}

fn layer(text: &str) -> Result<Layer, String> {
    let known =
        text.split_once('=').and_then(|(kind, name)| Some((KINDS.iter().position(|known| *known == kind)?, name)));
    match known {
        Some((kind, name)) if !name.is_empty() => Ok(Layer { kind, name: name.to_owned() }),
        _ => Err(format!("allowed: KIND=NAME, such as floor=A-FLOR, with {} as KIND", KINDS.join(", "))),
    }
}
