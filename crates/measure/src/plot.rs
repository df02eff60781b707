//! The charts of a recording, laid out for a sheet 800 wide: as SVG that is its size, as pixels it is enlarged.

mod bars;
mod beside;
mod boxes;
mod curves;
mod diagram;
mod legend;
mod maps;
mod predicted;
mod predicted_beside;

use passerby_record::{Header, Person};

use crate::chart::{Align, Pixels, Sheet, Svg, Words, ink};
use crate::{Crossings, EncounterSummary, Extent, Histogram, Maps, Profiles, Stays, Tracks, Zone};

pub use beside::{Beside, Side};
pub use boxes::{Boxes, FiveNumbers, Spread};
pub use predicted_beside::{PredictedBeside, PredictedSide};

/// Width of every sheet.
pub const WIDTH: f32 = 800.0;
/// Left and right of what is drawn.
const MARGINS: [f32; 2] = [74.0, 26.0];
/// Above what is drawn: title and what it is about.
const TOP: f32 = 66.0;

/// What all charts of a recording have in common.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// Of the recording.
    pub header: &'a Header,
    /// Everybody in the recording.
    pub people: &'a [Person],
    /// The ground that is shown.
    pub extent: Extent,
    /// First and last tick that is shown.
    pub ticks: (u32, u32),
    /// How many people were seen between them.
    pub seen: usize,
}

/// One chart.
#[derive(Debug, Clone, Copy)]
pub enum Chart<'a> {
    /// Everybody's way over the place.
    Trajectories(&'a Tracks),
    /// Where people are, and for how long.
    Occupancy(&'a Maps),
    /// How fast people are where.
    Speed(&'a Maps),
    /// How dense it is where.
    Density(&'a Profiles),
    /// Fruin's levels of service.
    Service(&'a Profiles),
    /// When somebody was there last.
    Last(&'a Profiles),
    /// Speed against density in areas.
    Diagram(&'a [Zone]),
    /// Predicted distance against normalised time.
    Predicted(&'a EncounterSummary),
    /// People present, entered and left over time.
    Egress(&'a Stays),
    /// People through lines over time, and how many a second.
    Flow(&'a Crossings),
    /// How often which speed, which travel time, and which distance to the nearest person.
    Histograms(&'a [Histogram; 3]),
}

impl Chart<'_> {
    /// The chart as an SVG file.
    pub fn svg(&self, scene: &Scene<'_>) -> String {
        let mut sheet = Svg::new(self.size(scene), ink::FLOOR);
        self.draw(scene, &mut sheet);
        sheet.finish()
    }

    /// The chart as a PNG file, so many pixels wide; `None` if that is no picture.
    pub fn png(&self, scene: &Scene<'_>, width: u32) -> Option<Vec<u8>> {
        let mut sheet = Pixels::new(self.size(scene), width as f32 / WIDTH, ink::FLOOR)?;
        self.draw(scene, &mut sheet);
        sheet.png()
    }

    fn size(&self, scene: &Scene<'_>) -> [f32; 2] {
        let height = match self {
            Chart::Trajectories(_) => maps::height(scene, legend::rows(&maps::populations(scene))),
            Chart::Occupancy(_) | Chart::Speed(_) | Chart::Density(_) | Chart::Last(_) => maps::height(scene, 0),
            Chart::Service(_) => maps::height(scene, legend::rows(&maps::service_names())),
            Chart::Diagram(zones) => diagram::height(zones),
            Chart::Predicted(_) => predicted::HEIGHT,
            Chart::Egress(stays) => curves::egress_height(stays),
            Chart::Flow(crossings) => curves::flow_height(scene, crossings),
            Chart::Histograms(_) => bars::HEIGHT,
        };
        [WIDTH, height.ceil()]
    }

    fn draw(&self, scene: &Scene<'_>, sheet: &mut dyn Sheet) {
        let what = match self {
            Chart::Trajectories(_) => "trajectories",
            Chart::Occupancy(_) => "presence",
            Chart::Speed(_) => "mean speed",
            Chart::Density(_) => "density",
            Chart::Service(_) => "levels of service",
            Chart::Last(_) => "last occupied",
            Chart::Diagram(_) => "fundamental diagram",
            Chart::Predicted(_) => "predicted distance",
            Chart::Egress(_) => "people over time",
            Chart::Flow(_) => "people through lines",
            Chart::Histograms(_) => "speed, travel time, distance",
        };
        title(scene, sheet, what);
        match self {
            Chart::Trajectories(tracks) => maps::trajectories(scene, sheet, tracks),
            Chart::Occupancy(cells) => maps::occupancy(scene, sheet, cells),
            Chart::Speed(cells) => maps::speed(scene, sheet, cells),
            Chart::Density(profiles) => maps::density(scene, sheet, profiles),
            Chart::Service(profiles) => maps::service(scene, sheet, profiles),
            Chart::Last(profiles) => maps::last(scene, sheet, profiles),
            Chart::Diagram(zones) => diagram::draw(scene, sheet, zones),
            Chart::Predicted(summary) => predicted::draw(sheet, summary),
            Chart::Egress(stays) => curves::egress(scene, sheet, stays),
            Chart::Flow(crossings) => curves::flow(scene, sheet, crossings),
            Chart::Histograms(histograms) => bars::draw(sheet, histograms),
        }
    }
}

impl Scene<'_> {
    fn seconds(&self, tick: u32) -> f64 {
        f64::from(tick) * self.header.tick
    }
}

/// The recording's name and what is shown; below, how it came about.
fn title(scene: &Scene<'_>, sheet: &mut dyn Sheet, what: &str) {
    let name = format!("{}: {what}", shortened(&scene.header.name));
    sheet.text([MARGINS[0], 27.0], &name, &Words::new(Align::Left, 12.5, ink::TEXT));
    let mut models: Vec<&str> = scene.people.iter().map(|person| &*person.model).collect();
    models.sort_unstable();
    models.dedup();
    let people = if scene.seen == 1 { "1 person".to_owned() } else { format!("{} people", scene.seen) };
    let (from, to) = (scene.seconds(scene.ticks.0), scene.seconds(scene.ticks.1));
    let mut line = format!("{people}, {}, {from:.1} s to {to:.1} s", shortened(&models.join(", ")));
    if !scene.header.scenario.is_empty() {
        line += &format!(", seed {}", scene.header.seed); // recorded people have none
    }
    sheet.text([MARGINS[0], 48.0], &line, &Words::new(Align::Left, 9.0, ink::FAINT));
}

/// Says in a frame why it is empty; above its middle, where curves for comparison are.
fn note(sheet: &mut dyn Sheet, [left, top, right, bottom]: [f32; 4], words: &str) {
    let middle = [0.5 * (left + right), top + 0.15 * (bottom - top)];
    sheet.text(middle, words, &Words::label(Align::Middle, 10.0, ink::TEXT));
}

/// A name that leaves room for others.
fn shortened(name: &str) -> String {
    const MOST: usize = 40;
    if name.chars().count() <= MOST { name.to_owned() } else { name.chars().take(MOST - 3).collect::<String>() + "..." }
}
