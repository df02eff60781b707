//! `[[population]]`: who walks, where they start and how they move.

use passerby_crowd::Neighbours;
use passerby_navigation::Floor;
use passerby_steering::Model;

use super::arrivals::arrivals;
use super::distribution::distribution;
use super::group::{group, side};
use super::journey::{Names, endless_wandering_is_last, journey};
use super::model::model;
use super::place::{Place, at_most};
use super::play::play;
use super::problem::nearest;
use super::profile::profile;
use super::shape::{point, points, polygon};
use super::sheet::{Keys, Table};
use super::value::{Range, Value};
use super::{BodyKind, Distribution, Files, Population, Routes, Side, Signal, Start, Track};

pub(super) const POPULATION: Keys = Keys {
    name: "population",
    title: "[[population]]",
    known: &[
        "name",
        "count",
        "rate",
        "until",
        "total",
        "area",
        "region",
        "circle",
        "grid",
        "at",
        "play",
        "model",
        "profile",
        "speed",
        "radius",
        "mass",
        "premovement",
        "neighbours",
        "follow",
        "journey",
        "stay",
        "repeat",
        "routes",
        "group",
        "side",
        "body",
    ],
    later: &[],
};
pub(super) const CIRCLE: Keys = Keys {
    name: "circle",
    title: "a circle { center, radius, jitter }",
    known: &["center", "radius", "jitter"],
    later: &[],
};
pub(super) const GRID: Keys = Keys {
    name: "grid",
    title: "a grid { origin, columns, rows, spacing, jitter }",
    known: &["origin", "columns", "rows", "spacing", "jitter"],
    later: &[],
};
pub(super) const NEIGHBOURS: Keys = Keys {
    name: "neighbours",
    title: "neighbours { nearest, within, view }",
    known: &["nearest", "within", "view"],
    later: &[],
};

/// An agent's id has ten bits for its population.
pub(super) const POPULATIONS_MAX: usize = 1023;
/// Most people of a scenario.
pub(super) const PEOPLE_MAX: u64 = 1_000_000;

// Lowest speeds and distances are well above what `f32` rounds to nothing.
pub(super) const SPEED: Range = Range::new(0.01, 10.0, " m/s");
pub(super) const RADIUS: Range = Range::new(0.05, 2.0, " m");
pub(super) const MASS: Range = Range::new(1.0, 1000.0, " kg");
pub(super) const PREMOVEMENT: Range = Range::new(0.0, 1e5, " s");
pub(super) const WITHIN: Range = Range::new(0.1, 50.0, " m");
pub(super) const NEAREST: [u64; 2] = [1, 32];
/// Field of view, in degrees as people speak of it.
pub(super) const VIEW: Range = Range::new(10.0, 360.0, " degrees");
pub(super) const CIRCLE_RADIUS: Range = Range::new(0.1, 1e6, " m");
pub(super) const SPACING: Range = Range::new(0.1, 1e4, " m");

/// Reads all populations.
pub(super) fn populations(
    root: &Table<'_>,
    place: &Place,
    shared: (&[Signal], &[String]),
    files: &dyn Files,
) -> Vec<Population> {
    let tables = at_most(POPULATIONS_MAX, "populations", root.tables("population", &POPULATION));
    let given: Vec<Option<String>> = tables.iter().map(|table| Some(table.get("name")?.name()?.to_owned())).collect();
    for (i, table) in tables.iter().enumerate() {
        if let (Some(name), Some(value)) = (&given[i], table.get("name"))
            && given[..i].contains(&given[i])
        {
            table.report(
                value.problem(format!("there is another population called \"{name}\"")).hint("choose another name"),
            );
        }
    }
    let names = with_defaults(&given);
    let read = |(table, name): (&Table<'_>, &String)| match table.present(&["play"]).is_empty() {
        true => population(table, name.clone(), (&names, place), shared),
        false => recorded(table, name.clone(), files),
    };
    let people: Vec<Population> = tables.iter().zip(&names).map(read).collect();
    followers_have_a_first(&tables, &people);
    let mut total = 0;
    for (table, population) in tables.iter().zip(&people) {
        let before = total;
        total = u64::saturating_add(total, population.people_expected());
        if before <= PEOPLE_MAX && total > PEOPLE_MAX {
            let what = format!("{total} people up to here are too many");
            table.report(table.problem(what).allowed(format!("at most {PEOPLE_MAX} in a scenario")));
        }
    }
    people
}

/// The names given, and "people", "people 2", ... for the others.
fn with_defaults(given: &[Option<String>]) -> Vec<String> {
    let mut number = 0;
    let mut next = || loop {
        number += 1;
        let name = if number == 1 { "people".to_owned() } else { format!("people {number}") };
        if !given.iter().flatten().any(|other| *other == name) {
            return name;
        }
    };
    given.iter().map(|name| name.clone().unwrap_or_else(&mut next)).collect()
}

fn population(
    table: &Table<'_>,
    name: String,
    (names, place): (&[String], &Place),
    (signals, situations): (&[Signal], &[String]),
) -> Population {
    let number =
        |key, range: &Range, default| table.get(key).and_then(|value| distribution(&value, range)).unwrap_or(default);
    let profile = profile(table);
    let (start, start_line) = start(table, &place.floor, &place.regions);
    let on_circle = matches!(start, Start::Circle { .. });
    let opposite = on_circle.then_some(()).ok_or("start them with circle = { center = [0, 0], radius = 10 }");
    let stops = journey(table, &Names { regions: &place.regions, situations, signals, opposite });
    let line = table.line();
    let body = body_kind(table);
    let stay = table.flag_or("stay", stops.is_empty());
    if let (true, false, Some(value)) = (stops.is_empty(), stay, table.get("stay")) {
        let problem = value.problem("without a journey there is no last stop to be removed at");
        table.report(problem.hint("add a journey, or leave `stay` out"));
    }
    let repeat = table.flag_or("repeat", false);
    if let (true, Some(value)) = (repeat && (stay || stops.is_empty()), table.get("repeat")) {
        let what =
            if stops.is_empty() { "there is no journey to repeat" } else { "who repeats a journey does not stay" };
        table.report(value.problem(what).hint("leave `repeat` out"));
    }
    endless_wandering_is_last(table, &stops, repeat);
    let routes =
        table.get("routes").and_then(|value| value.one_of("kind of routes", ["shortest", "quickest"].into_iter()));
    let (model, laws) = table.get("model").and_then(|value| model(&value)).unwrap_or_default();
    let follow = table.get("follow").and_then(|value| {
        if !matches!(model, Model::Vision(_)) {
            let problem = value.problem(format!("people of the model `{}` follow nobody", model.name()));
            table.report(problem.allowed("with `vision` alone").hint("add model = \"vision\""));
        }
        value.one_of("population", names.iter().map(String::as_str))
    });
    Population {
        name,
        line,
        start,
        start_line,
        arrivals: arrivals(table),
        model,
        laws,
        speed: number("speed", &SPEED, profile.speed),
        radius: number("radius", &RADIUS, profile.radius),
        mass: number("mass", &MASS, profile.mass),
        premovement: number("premovement", &PREMOVEMENT, Distribution::Constant(0.0)),
        neighbours: neighbours(table),
        follow,
        journey_line: table.get("journey").map_or(line, |value| value.line()),
        journey: stops,
        stay,
        repeat,
        routes: if routes == Some(1) { Routes::Quickest } else { Routes::Shortest },
        group: group(table),
        side: side(table),
        body,
    }
}

/// What people are made of.
fn body_kind(table: &Table<'_>) -> BodyKind {
    let Some(body) = table.get("body") else { return BodyKind::Disc };
    if let Some("graph" | "footsteps") = body.as_text() {
        table.report(body.later());
        return BodyKind::Disc;
    }
    match body.one_of("body", ["disc", "mediated"].into_iter()) {
        Some(1) => BodyKind::Mediated,
        _ => BodyKind::Disc,
    }
}

/// Somebody has to know the way: populations must not follow each other in a circle. A population that follows itself has its first.
fn followers_have_a_first(tables: &[Table<'_>], people: &[Population]) {
    for (i, table) in tables.iter().enumerate() {
        let next = |at: usize| people[at].follow.filter(|next| *next != at);
        let chain: Vec<usize> = std::iter::successors(next(i), |at| next(*at)).take(people.len()).collect();
        // One message for each circle, at its first population.
        let circle = chain.iter().position(|at| *at == i).is_some_and(|back| chain[..back].iter().all(|at| *at > i));
        if let (Some(value), true) = (table.get("follow"), circle) {
            let problem = value.problem("they follow people who follow them");
            table.report(problem.hint("let one of the populations walk by itself"));
        }
    }
}

/// People who walk as recorded: what others need to know of them, and defaults for all that does not count.
fn recorded(table: &Table<'_>, name: String, files: &dyn Files) -> Population {
    let (line, played) = (table.line(), play(table, files));
    let mut start = played.map_or_else(|| Start::At(Vec::new()), Start::Played);
    if let (Some(radius), Start::Played(played)) =
        (table.get("radius").and_then(|radius| radius.number(&RADIUS)), &mut start)
    {
        let wider = |track: &Track| Track { radius: radius as f32, ..track.clone() };
        played.tracks = played.tracks.iter().map(wider).collect();
    }
    Population {
        name,
        line,
        start,
        start_line: table.get("play").map_or(line, |value| value.line()),
        arrivals: None,
        model: Model::Straight,
        laws: Vec::new(),
        speed: Distribution::Constant(1.0),
        radius: Distribution::Constant(0.25),
        mass: Distribution::Constant(80.0),
        premovement: Distribution::Constant(0.0),
        neighbours: Neighbours::default(),
        follow: None,
        journey_line: line,
        journey: Vec::new(),
        stay: true,
        repeat: false,
        routes: Routes::Shortest,
        body: body_kind(table),
        group: None,
        side: Side::None,
    }
}

/// Where they start, and the line that says so.
fn start(table: &Table<'_>, floor: &Floor, regions: &[String]) -> (Start, u32) {
    let nobody = Start::At(Vec::new());
    let hint = "area = [[1, 1], [8, 1], [8, 9], [1, 9]] with count = 20 fills a rectangle";
    let Some(key) = table.exactly_one(&["area", "region", "circle", "grid", "at"], hint) else {
        table.get("count").map(|count| count.whole(0, PEOPLE_MAX));
        return (nobody, table.line());
    };
    let Some(value) = table.get(key) else { return (nobody, table.line()) };
    let start = match key {
        "grid" => grid(&value),
        "at" => points(&value, "a list of points").map(Start::At),
        _ => {
            let comes = table.get("rate").is_some() && table.get("count").is_none() && key != "circle";
            let count = if comes { None } else { table.require("count", "count = 20") };
            let count = count.and_then(|count| count.whole(0, PEOPLE_MAX));
            let count = count.unwrap_or(0) as u32; // at most PEOPLE_MAX
            match key {
                "area" => polygon(&value).map(|polygon| Start::Area { count, polygon }),
                "region" => value.one_of("region", regions.iter().map(String::as_str)).and_then(|index| {
                    let region = floor.regions.iter().find(|region| region.name == regions[index])?;
                    Some(Start::Area { count, polygon: region.polygon.clone() })
                }),
                _ => circle(&value, count),
            }
        }
    };
    if let ("grid" | "at", Some(count)) = (key, table.get("count")) {
        let why = if key == "at" { "every point of `at` is one person" } else { "a grid has columns x rows people" };
        table.report(count.problem(why).hint("leave `count` out"));
    }
    (start.unwrap_or(nobody), value.line())
}

impl Population {
    /// How many there are from the start and expected to come at their rate; those without end are the largest number there is.
    pub(super) fn people_expected(&self) -> u64 {
        let coming = self.arrivals.as_ref().map_or(0.0, |arrivals| arrivals.expected().ceil());
        let recorded = if matches!(self.start, Start::Played(_)) { self.start.count() } else { 0 };
        u64::from(self.count() + recorded).saturating_add(coming as u64)
    }
}

fn circle(value: &Value<'_>, count: u32) -> Option<Start> {
    let table = value.table(&CIRCLE)?;
    let center = table.require("center", "center = [0, 0]").and_then(|center| point(&center));
    let radius = table.require("radius", "radius = 10").and_then(|radius| radius.number(&CIRCLE_RADIUS));
    let jitter = table.number_or("jitter", &Range::new(0.0, radius.unwrap_or(CIRCLE_RADIUS.high), " m"), 0.0);
    Some(Start::Circle { count, center: center?, radius: radius?, jitter })
}

fn grid(value: &Value<'_>) -> Option<Start> {
    let table = value.table(&GRID)?;
    let origin = table.require("origin", "origin = [0, 0]").and_then(|origin| point(&origin));
    let columns = table.require("columns", "columns = 10").and_then(|columns| columns.whole(1, PEOPLE_MAX));
    let rows = table.require("rows", "rows = 10").and_then(|rows| rows.whole(1, PEOPLE_MAX));
    let spacing = table.require("spacing", "spacing = 1").and_then(|spacing| spacing.number(&SPACING));
    let jitter = table.number_or("jitter", &Range::new(0.0, spacing.unwrap_or(SPACING.high), " m"), 0.0);
    let (columns, rows) = (columns?, rows?);
    if columns * rows > PEOPLE_MAX {
        let problem = value.problem(format!("{} people are too many", columns * rows));
        value.sheet.report(problem.allowed(format!("at most {PEOPLE_MAX}")));
        return None;
    }
    // Both are at most PEOPLE_MAX.
    Some(Start::Grid { origin: origin?, columns: columns as u32, rows: rows as u32, spacing: spacing?, jitter })
}

/// Whom a walker looks at.
fn neighbours(table: &Table<'_>) -> Neighbours {
    let default = Neighbours::default();
    let Some(value) = table.get("neighbours") else { return default };
    let forms = "\"delaunay\" or { nearest, within, view }";
    match value.as_text() {
        Some("delaunay") => return Neighbours::Delaunay,
        Some(text) => {
            let problem = value.problem("unknown choice of neighbours").allowed(forms);
            value.sheet.report(match nearest(text, ["delaunay"]) {
                Some(near) => problem.hint(format!("did you mean \"{near}\"?")),
                None => problem.hint("for example { nearest = 10, within = 5, view = 200 }"),
            });
            return default;
        }
        None if !value.is_table() => {
            let problem = value.problem("expected a choice of neighbours").allowed(forms);
            value.sheet.report(problem.hint("for example { nearest = 10, within = 5 }"));
            return default;
        }
        None => {}
    }
    let Some(fields) = value.table(&NEIGHBOURS) else { return default };
    let [low, high] = NEAREST;
    let count = fields.whole_or("nearest", low, high, u64::from(default.count())) as u32;
    let within = fields.number_or("within", &WITHIN, 5.0) as f32;
    match fields.get("view").and_then(|view| view.number(&VIEW)) {
        Some(degrees) => Neighbours::View { angle: (degrees as f32).to_radians(), count, within },
        None => Neighbours::Nearest { count, within },
    }
}
