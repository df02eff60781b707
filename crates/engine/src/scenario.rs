//! What a scenario file says, checked: the place, the people, the events and the run.
//!
//! [`Scenario::parse`] turns TOML text into these structs or into *all* problems of the file at once. Everything here is
//! within its documented range, names are resolved, and positions are in the place's own coordinates (`f64`, metres).

mod arrivals;
mod behaviours;
mod crossing;
mod distribution;
mod event;
#[cfg(test)]
mod good_test;
mod group;
mod journey;
mod measure;
mod model;
mod mover;
#[cfg(test)]
mod people_test;
mod place;
mod place_file;
#[cfg(test)]
mod place_test;
mod play;
mod population;
mod problem;
mod profile;
mod reactions;
mod read;
mod run;
mod sensors;
mod shape;
mod sheet;
mod signal;
mod situation;
mod starter;
#[cfg(test)]
mod tests;
mod tile;
mod value;
mod words;

use passerby_crowd::{AgentId, Neighbours};
use passerby_geometry::{DVec2, Polygon};
use passerby_navigation::Floor;
use passerby_situations::SituationId;
use passerby_steering::Model;
use std::sync::Arc;

pub use crossing::{CROSSING, crossing};
pub use model::ParameterLaw;
pub use passerby_record::{MeasureShape, Mover, NamedMeasure};
pub use problem::{Problem, Problems};
pub use read::{Files, NoFiles, TEXT_MAX};
pub use situation::Doings;
pub use starter::{schema, template};

/// A checked scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// What the user calls it; the file's stem where it says nothing.
    pub name: String,
    /// The file it was read from, as messages call it.
    pub file: String,
    /// The text it was read from, kept for the recording.
    pub text: String,
    /// Floor, obstacles, doors and regions.
    pub place: Floor,
    /// What was read and changed where a file of another program holds the place.
    pub place_report: Option<passerby_navigation::import::Report>,
    /// Where in the file its parts are, for errors found later.
    pub place_lines: PlaceLines,
    /// Who walks. Their index is the population part of an agent's id.
    pub populations: Vec<Population>,
    /// What happens when, in order of time.
    pub events: Vec<Event>,
    /// What shows one thing after another, such as traffic lights.
    pub signals: Vec<Signal>,
    /// What moves and does not give way.
    pub movers: Vec<Mover>,
    /// What people do somewhere, or with somebody.
    pub doings: Doings,
    /// What is measured.
    pub measures: Vec<NamedMeasure>,
    /// Seed, end, tick.
    pub run: Run,
    /// What is recorded.
    pub record: Record,
}

/// Lines of the parts of a place, counted from 1; empty when built in code. Each list is as long as its part of the [`Floor`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlaceLines {
    /// Line of `[place]`; 0 when built in code.
    pub floor: u32,
    /// One line an obstacle.
    pub obstacles: Vec<u32>,
    /// One line a door.
    pub doors: Vec<u32>,
    /// One line a region.
    pub regions: Vec<u32>,
}

/// People of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Population {
    /// Unique in the scenario.
    pub name: String,
    /// Line of its table in the file, for errors found later. 1-based; 0 when built in code.
    pub line: u32,
    /// Where they start.
    pub start: Start,
    /// Line that says where they start; 0 when built in code.
    pub start_line: u32,
    /// How they come while the run goes on: then nobody is there from the start.
    pub arrivals: Option<Arrivals>,
    /// Which model moves them.
    pub model: Model,
    /// Parameters of the model that are drawn for each person, if [`Model::differs_between_people`].
    pub laws: Vec<ParameterLaw>,
    /// Desired speed, m/s.
    pub speed: Distribution,
    /// Body radius, m.
    pub radius: Distribution,
    /// Body mass, kg.
    pub mass: Distribution,
    /// Time before they begin to walk, s.
    pub premovement: Distribution,
    /// Whom a walker looks at.
    pub neighbours: Neighbours,
    /// The population whose people they walk behind, by its index: one by one, or, if it is their own, each behind the one before.
    pub follow: Option<usize>,
    /// Where they go, one after another.
    pub journey: Vec<Stop>,
    /// Line of the journey; 0 when built in code.
    pub journey_line: u32,
    /// Whether they stay at the last stop instead of being removed there.
    pub stay: bool,
    /// Whether they begin their journey again after the last stop, and never leave.
    pub repeat: bool,
    /// Which of several ways they take.
    pub routes: Routes,
    /// What they are made of.
    pub body: BodyKind,
    /// Who of them belongs together; `None`: everybody walks alone.
    pub group: Option<Grouping>,
    /// To which side they turn when somebody comes towards them.
    pub side: Side,
}

/// People of a population who belong together: those with consecutive numbers, so many at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouping {
    /// How many a group has: one of these, 1 to 12.
    pub sizes: Vec<u32>,
    /// How often each of them is drawn, as a share of their sum. As many as `sizes`.
    pub weights: Vec<f64>,
    /// Whether the first of a group leads and the others follow in line, instead of walking abreast.
    pub leader: bool,
    /// Desired speed of each member in turn, m/s, instead of one that is drawn. Empty, or as many as the largest size.
    pub speeds: Vec<f64>,
}

/// To which side people turn when somebody comes towards them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// To none.
    #[default]
    None,
    /// To their left.
    Left,
    /// To their right.
    Right,
}

/// What people are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BodyKind {
    /// A disc, which goes wherever its velocity leads.
    #[default]
    Disc,
    /// A figure that walks: the mediator picks clips, and the foot that carries decides where the root goes.
    Mediated,
}

/// Which of several ways people take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Routes {
    /// The shortest, whoever waits there.
    #[default]
    Shortest,
    /// The one that takes the least time, as far as they see it from the queues.
    Quickest,
}

/// How people come while the run goes on.
///
/// Those who come to an area take a random free place in it. Those who come to points (a circle, a grid, one by one) take the
/// first free one, beginning with the point whose turn it is. Whoever finds no free place when their time has come waits
/// outside and enters as soon as there is one; those after them wait behind them.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrivals {
    /// People a second, from when on; times rise. Nobody comes before the first.
    pub rate: Vec<RateStep>,
    /// Whether they come as a Poisson process of that rate. Otherwise evenly: one whenever the rate has added up to one
    /// more, so that after `t` seconds of a constant rate `rate * t` have come, rounded down.
    pub random: bool,
    /// Nobody comes later than this, s.
    pub until: Option<f64>,
    /// Nobody comes after so many.
    pub total: Option<u32>,
}

/// A rate that holds from a time on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateStep {
    /// Seconds after the start.
    pub from: f64,
    /// People a second.
    pub rate: f64,
}

/// Where the people of a population start.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// `count` people anywhere on the free floor inside `polygon`.
    Area {
        /// How many.
        count: u32,
        /// Where, in the place's coordinates.
        polygon: Polygon,
    },
    /// `count` people evenly on a circle; a journey to `opposite` crosses it. `jitter` moves each start at random by at most so many metres.
    Circle {
        /// How many.
        count: u32,
        /// Centre.
        center: DVec2,
        /// Radius, m.
        radius: f64,
        /// Largest random offset, m.
        jitter: f64,
    },
    /// A rectangular grid of people: `columns` x `rows`, `spacing` apart, lower left one at `origin`.
    Grid {
        /// Position of the first.
        origin: DVec2,
        /// People along x.
        columns: u32,
        /// People along y.
        rows: u32,
        /// Distance between neighbours, m.
        spacing: f64,
        /// Largest random offset, m.
        jitter: f64,
    },
    /// One by one.
    At(Vec<DVec2>),
    /// They come and go as they were recorded.
    Played(Played),
}

/// Recorded people who walk as recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// When the recording begins, s after the start.
    pub start: f64,
    /// Everybody's way, in the order of coming. Clones of a scenario share them.
    pub tracks: Arc<[Track]>,
}

/// The way of a recorded person. Both lists are equally long and not empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Body radius, m.
    pub radius: f32,
    /// When they were seen, s from the beginning of the recording; times rise.
    pub times: Vec<f64>,
    /// Where, in the place's coordinates.
    pub points: Vec<DVec2>,
}

impl Population {
    /// The name of the model that moves them, `recorded` for recorded people.
    pub fn moved_by(&self) -> &'static str {
        if matches!(self.start, Start::Played(_)) { "recorded" } else { self.model.name() }
    }

    /// How many of them are there from the start.
    pub fn count(&self) -> u32 {
        let comes = self.arrivals.is_some() || matches!(self.start, Start::Played(_));
        if comes { 0 } else { self.start.count() }
    }
}

impl Start {
    /// Whether people start anywhere in an area.
    pub fn is_area(&self) -> bool {
        matches!(self, Start::Area { .. })
    }

    /// Whether a point is in the area where people start.
    pub fn contains(&self, at: DVec2) -> bool {
        matches!(self, Start::Area { polygon, .. } if polygon.contains(at))
    }

    /// How many people there are, or points to come to.
    pub fn count(&self) -> u32 {
        match self {
            Start::Area { count, .. } | Start::Circle { count, .. } => *count,
            Start::Grid { columns, rows, .. } => columns * rows,
            Start::At(points) => points.len() as u32, // a text of 16 MiB cannot hold more
            Start::Played(played) => played.tracks.len() as u32, // nor a file as many as 2^32
        }
    }
}

/// One stop of a journey.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// A region by its index in the place; reached when the centre is inside.
    Region(usize),
    /// A point; reached within the walker's radius plus 0.2 m.
    Point(DVec2),
    /// The point opposite to the start, mirrored at the centre of the population's circle (only with [`Start::Circle`]).
    Opposite,
    /// The nearest of several, by walking distance, chosen when the walker turns to it.
    Any(Vec<Stop>),
    /// The one of several that the walker expects to be through soonest, waiting in a crowd included; chosen when the walker
    /// turns to it, and again every few seconds.
    Soonest(Vec<Stop>),
    /// One of several, drawn by weights among those there is a way to, when the walker turns to it. It is drawn again only
    /// where a door closes the way.
    Drawn {
        /// What there is to choose from.
        stops: Vec<Stop>,
        /// How often each is chosen, as a share of their sum.
        weights: Vec<f64>,
    },
    /// They stand where they are for so many seconds, and give way as far as their model does. A wait that comes first begins after the premovement time.
    Wait(Distribution),
    /// They stand where they are until a signal shows something.
    Signal {
        /// The signal's index in the scenario.
        signal: usize,
        /// What it has to show.
        show: String,
    },
    /// They go to a random point of a situation, by its number, enter it, and go on when they are done there.
    Visit(SituationId),
    /// They walk to uniformly random points of a region, one after another.
    Wander {
        /// The region's index in the place.
        region: usize,
        /// Seconds from when they turn to it, the way to the region included; then they go on to the next stop from where they are. `None`: for good.
        lasting: Option<Distribution>,
    },
}

/// A law that a number is drawn from, once per person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Distribution {
    /// Always the same.
    Constant(f64),
    /// Between two bounds.
    Uniform {
        /// Lowest.
        low: f64,
        /// Highest.
        high: f64,
    },
    /// Normal, drawn again until inside the bounds.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation.
        sd: f64,
        /// Lowest allowed.
        min: f64,
        /// Highest allowed.
        max: f64,
    },
    /// Log-normal: `mu` and `sigma` are those of the logarithm. Drawn again until inside the bounds.
    Lognormal {
        /// Mean of the logarithm.
        mu: f64,
        /// Standard deviation of the logarithm.
        sigma: f64,
        /// Lowest allowed.
        min: f64,
        /// Highest allowed.
        max: f64,
    },
    /// Gamma, drawn again until inside the bounds.
    Gamma {
        /// Shape.
        shape: f64,
        /// Scale: the mean is shape times scale.
        scale: f64,
        /// Lowest allowed.
        min: f64,
        /// Highest allowed.
        max: f64,
    },
    /// Weibull, drawn again until inside the bounds.
    Weibull {
        /// Shape.
        shape: f64,
        /// Scale: 63 of 100 are lower.
        scale: f64,
        /// Lowest allowed.
        min: f64,
        /// Highest allowed.
        max: f64,
    },
    /// Walking speed by age, m/s: every age from 20 to 70 years is as likely as any other (ours), its speeds lie evenly in the
    /// band of RiMEA 4.1.1, test 7 (20 years 1.60-1.64, 30 1.52-1.56, 40 1.46-1.50, 50 1.39-1.43, 60 1.27, 70 1.07), whose
    /// ends are straight lines in between (ours).
    RimeaAge,
    /// Exponential with this mean, drawn again until at most `max`.
    Exponential {
        /// Mean.
        mean: f64,
        /// Highest allowed.
        max: f64,
    },
}

/// Something that happens at a given time.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Seconds after the start.
    pub at: f64,
    /// Line of its table in the file; 0 when built in code.
    pub line: u32,
    /// What happens.
    pub action: Action,
}

/// Whom an event is for.
#[derive(Debug, Clone, PartialEq)]
pub enum Whom {
    /// Everybody who is there or comes.
    Everybody,
    /// The population with this index, those among it who come later as well.
    Population(usize),
    /// These people, by their numbers in recordings, in ascending order. Who is not there is not missed.
    People(Vec<u32>),
}

impl Whom {
    /// Whether somebody is meant.
    pub(crate) fn has(&self, id: AgentId) -> bool {
        match self {
            Whom::Everybody => true,
            Whom::Population(of) => *of == id.population() as usize,
            Whom::People(ids) => ids.binary_search(&id.bits()).is_ok(),
        }
    }

    /// Whether somebody of a population may be meant.
    pub(crate) fn is_of(&self, population: usize) -> bool {
        match self {
            Whom::Everybody => true,
            Whom::Population(of) => *of == population,
            Whom::People(ids) => ids.iter().any(|id| AgentId::from_bits(*id).population() as usize == population),
        }
    }
}

/// What an event does.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// The door with this index in the place opens.
    Open(usize),
    /// The door with this index in the place closes.
    Close(usize),
    /// So many more people come, as those who come at a rate do.
    Add {
        /// Their population's index.
        population: usize,
        /// How many.
        count: u32,
    },
    /// People drop their goals and take this journey; so do those of a population who come later.
    Journey {
        /// Who does.
        whom: Whom,
        /// Where they go instead.
        journey: Vec<Stop>,
        /// Whether they stay at the last stop.
        stay: bool,
        /// Whether they begin again after the last stop.
        repeat: bool,
    },
    /// An obstacle is put on the floor, as soon as nobody is where it will stand.
    Put {
        /// Unique among those that are put.
        name: String,
        /// What it covers, in the place's coordinates.
        polygon: Polygon,
    },
    /// An obstacle that was put is taken away, or not put if people are still in its place.
    Take {
        /// Its name.
        name: String,
    },
    /// A situation begins to hold.
    Begin(SituationId),
    /// A situation no longer holds.
    End(SituationId),
    /// A situation moves by so much.
    Shift {
        /// Which.
        situation: SituationId,
        /// How far, m.
        by: DVec2,
    },
    /// A situation changes.
    Change {
        /// Which.
        situation: SituationId,
        /// Its region from now on, if that changes.
        region: Option<Vec<Polygon>>,
        /// Its capacity from now on, if that changes.
        capacity: Option<u32>,
    },
    /// Somebody is put down at each of these points, or as near to it as there is room.
    Drop {
        /// Their population's index.
        population: usize,
        /// Where, in the place's coordinates.
        points: Vec<DVec2>,
        /// What they are called together, for who is to remove them.
        name: Option<String>,
    },
    /// People are taken out of the scene, by their numbers in recordings; who is not there is not missed.
    Remove {
        /// Whom.
        people: Vec<u32>,
    },
    /// Those who were dropped under a name are taken out of the scene.
    RemoveDropped {
        /// The name.
        name: String,
    },
    /// People drop their goals and take up the journey of their population again.
    Resume {
        /// Who does.
        whom: Whom,
    },
    /// People walk at so many times their own speed from now on; so do those who come later.
    Speed {
        /// Whose population; `None`: everybody.
        of: Option<usize>,
        /// Times the speed that was drawn for them, not the present one.
        factor: f64,
    },
}

/// Something that shows one thing after another, over and over: a traffic light.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// Unique in the scenario.
    pub name: String,
    /// What it shows in turn.
    pub phases: Vec<Phase>,
    /// When the first phase begins, s. Before and after, phases follow each other without end.
    pub start: f64,
}

/// What a signal shows for a while.
#[derive(Debug, Clone, PartialEq)]
pub struct Phase {
    /// What it shows.
    pub show: String,
    /// For how long, s.
    pub lasting: f64,
}

/// How the scenario is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// Source of all chance.
    pub seed: u64,
    /// Latest end, s.
    pub until: f64,
    /// Length of a tick, s.
    pub tick: f64,
    /// Whether overlapping discs are separated after the models have moved them.
    pub separate: bool,
}

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Every n-th tick.
    pub every: u32,
}
