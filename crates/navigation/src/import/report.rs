//! What was read from a file, and what was changed on the way to a floor.

use std::fmt;

use passerby_geometry::DVec2;

use super::Format;

/// What was read and changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Format of the file.
    pub format: Format,
    /// What one unit of the file is.
    pub unit: String,
    /// Outlines of floor in the file.
    pub floors: usize,
    /// Outlines and lines of obstacles in the file.
    pub obstacles: usize,
    /// Doors in the file.
    pub doors: usize,
    /// Regions in the file.
    pub regions: usize,
    /// Points of all of these.
    pub points: usize,
    /// Longitude and latitude of the place's origin, if the file has degrees.
    pub centre: Option<DVec2>,
    /// How much too long or too short a length at the border may be, as a part of it, because the Earth is round.
    pub distortion: f64,
    /// Lower left and upper right corner of the floor, m.
    pub bounds: (DVec2, DVec2),
    /// Floor that nothing stands on, m2.
    pub free_area: f64,
    /// Areas of the pieces of free floor between which nobody can walk, the largest first, m2.
    pub pieces: Vec<f64>,
    /// Points closer than this were taken as one, m.
    pub tolerance: f64,
    /// What was changed, in the order it was done.
    pub changes: Vec<Change>,
    /// What the file holds besides, and how often.
    pub ignored: Vec<(String, usize)>,
}

/// Something that is not as it was in the file.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Nothing said where the floor ends: it is the box around all obstacles, and so much more on every side, m.
    Boxed(f64),
    /// Outlines that were not closed.
    Closed(Vec<String>),
    /// Lines that became walls of this thickness, m.
    Walls(usize, f64),
    /// Points within the tolerance of another one.
    NearPoints(usize),
    /// Outlines and holes thinner than the tolerance that were left out, with their area, m2.
    Slivers(usize, f64),
    /// An outline that crossed or touched itself, and the number of outlines it became.
    Untangled(String, usize),
    /// A floor whose holes overlapped or left it: they were united and cut.
    HolesCut(String),
    /// Obstacles that overlapped or touched: so many became so many.
    United(usize, usize),
    /// Obstacles that enclose something: so many were divided into so many without holes.
    Divided(usize, usize),
    /// So many obstacles enclose so many places: they are holes of the floor now.
    CutOut(usize, usize),
    /// Obstacles that lay off the floor.
    OffFloor(usize),
    /// Floor and obstacles beyond the wanted area, m2.
    CutOff(f64, f64),
    /// Regions and doors no part of which is on free floor.
    Lost(Vec<String>),
    /// Pieces of floor that nobody can reach and that became obstacles, with their area, m2.
    Filled(usize, f64),
    /// What was said when the map was read from another file, before it was saved.
    Earlier(String),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Boxed(margin) => write!(f, "the floor is the box around all obstacles and {margin} m more"),
            Change::Closed(which) => {
                write!(f, "{}: {}", counted(which.len(), "outline closed", "outlines closed"), few(which))
            }
            Change::Walls(count, width) => {
                write!(f, "{} of {width} m", counted(*count, "line became a wall", "lines became walls"))
            }
            Change::NearPoints(count) => {
                write!(f, "{} removed", counted(*count, "near-duplicate point", "near-duplicate points"))
            }
            Change::Slivers(count, area) => {
                write!(f, "{} removed, {area:.6} m2", counted(*count, "sliver", "slivers"))
            }
            Change::Untangled(which, parts) => {
                write!(f, "{which} crossed itself and became {}", counted(*parts, "outline", "outlines"))
            }
            Change::HolesCut(which) => write!(f, "{which}: its holes overlapped or left it, they were united and cut"),
            Change::United(from, into) => write!(f, "{from} obstacles overlapped or touched and became {into}"),
            Change::Divided(from, into) => {
                write!(
                    f,
                    "{} became {into} without holes",
                    counted(*from, "obstacle with holes", "obstacles with holes")
                )
            }
            Change::CutOut(obstacles, holes) => {
                let which = counted(*obstacles, "obstacle was", "obstacles were");
                write!(f, "{which} cut out of the floor, because {holes} places are enclosed")
            }
            Change::OffFloor(count) => {
                write!(f, "{} removed", counted(*count, "obstacle off the floor", "obstacles off the floor"))
            }
            Change::CutOff(floor, obstacles) => {
                write!(f, "beyond the area {floor:.1} m2 of floor and {obstacles:.1} m2 of obstacles were cut off")
            }
            Change::Lost(which) => write!(f, "left out, because nowhere on free floor: {}", few(which)),
            Change::Filled(count, area) => {
                write!(
                    f,
                    "{} filled, {area:.1} m2",
                    counted(*count, "piece of floor nobody reaches", "pieces of floor nobody reaches")
                )
            }
            Change::Earlier(line) => write!(f, "before it was saved, {line}"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high) = self.bounds;
        writeln!(f, "{}, {}", self.format.name(), self.unit)?;
        writeln!(
            f,
            "read: {}, {}, {}, {}, {}",
            counted(self.floors, "floor", "floors"),
            counted(self.obstacles, "obstacle", "obstacles"),
            counted(self.doors, "door", "doors"),
            counted(self.regions, "region", "regions"),
            counted(self.points, "point", "points"),
        )?;
        let size = high - low;
        writeln!(
            f,
            "{:.2} m x {:.2} m from ({:.2}, {:.2}), {:.1} m2 free",
            size.x, size.y, low.x, low.y, self.free_area
        )?;
        if let Some(hint) = too_small(self.format, &self.unit, size) {
            writeln!(f, "hint: nobody fits into a place smaller than a metre; {hint}")?;
        }
        if let Some(centre) = self.centre {
            let percent = 100.0 * self.distortion;
            writeln!(
                f,
                "origin at longitude {:.7}, latitude {:.7}; lengths are right to {percent:.3} %",
                centre.x, centre.y
            )?;
        }
        if self.pieces.len() > 1 {
            let rest: f64 = self.pieces[1..].iter().sum();
            writeln!(
                f,
                "{} pieces of floor without a way between them: {:.1} m2, the others {rest:.1} m2",
                self.pieces.len(),
                self.pieces[0]
            )?;
        }
        writeln!(f, "tolerance {} m", self.tolerance)?;
        for change in &self.changes {
            writeln!(f, "changed: {change}")?;
        }
        for (what, times) in &self.ignored {
            writeln!(f, "not read: {times} x {what}")?;
        }
        Ok(())
    }
}

/// Which unit the file may have been meant in, if its place is smaller than a metre: rooms are not.
pub(super) fn too_small(format: Format, unit: &str, size: DVec2) -> Option<&'static str> {
    if !(0.0..1.0).contains(&size.max_element()) {
        return None;
    }
    Some(match format {
        Format::GeoJson if unit == "m" => {
            "if the file holds longitude and latitude, say `degrees`; if another unit than metres, its `scale`"
        }
        Format::GeoJson | Format::Dxf | Format::WellKnownText => {
            "if the file holds another unit than metres, say its `scale`"
        }
        Format::MovingAi => "say how large a `cell` is",
        Format::OpenStreetMap | Format::JuPedSim | Format::Vadere | Format::Picture | Format::Saved => {
            "is it the right file?"
        }
    })
}

fn counted(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

/// The first few of many names.
fn few(names: &[String]) -> String {
    const MOST: usize = 8;
    let more = names.len().saturating_sub(MOST);
    let first = names[..names.len().min(MOST)].join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}
