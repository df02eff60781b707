//! `[[situation]]` and `[[behaviour]]`: what people do somewhere, or with somebody.

use super::behaviours::{TEMPLATE, behaviours, templates};
use super::distribution::distribution;
use super::journey::{FOR_SIGNAL, SECONDS};
use super::place::at_most;
use super::problem::nearest;
use super::read::Files;
use super::run::AT;
use super::sensors::sensors;
use super::shape::{COORDINATE, point, points, polygon, rings};
use super::sheet::{Keys, Table};
use super::tile::Tile;
use super::value::{Range, Value};
use super::{Distribution, Population, Signal};
use passerby_geometry::{DVec2, Polygon};
use passerby_navigation::Region;
use passerby_situations::{
    BEHAVIOURS, Concerns, Extent, LawId, Moving, NAMES_MAX, Relation, Scripts, Shown, Situation, SituationId, Words,
    stroke,
};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) const SITUATION: Keys = Keys {
    name: "situation",
    title: "[[situation]]",
    known: &[
        "name",
        "region",
        "stroke",
        "relation",
        "path",
        "repeat",
        "with",
        "active",
        "times",
        "concerns",
        "capacity",
        "exclusive",
        "enter",
        "needs",
        "gives",
        "takes",
        "tags",
        "sensors",
        "behaviours",
        "rule",
        "rule_file",
        "next",
        "remove",
    ],
    later: &["level"],
};
pub(super) const CONCERNS: Keys =
    Keys { name: "concerns", title: "whom it concerns { of, has, lacks }", known: &["of", "has", "lacks"], later: &[] };
pub(super) const STROKE: Keys =
    Keys { name: "stroke", title: "a stroke { line, width }", known: &["line", "width"], later: &[] };
pub(super) const RELATION: Keys = Keys {
    name: "relation",
    title: "a relation { of, people, share, size, leader }",
    known: &["of", "people", "share", "size", "leader"],
    later: &[],
};

const SITUATIONS_MAX: usize = 100_000;
/// Width of a stroke, m.
pub(super) const WIDTH: Range = Range::new(0.1, 1000.0, " m");
/// The highest number that somebody of a population can have.
const PEOPLE_MAX: u64 = 1_000_000;
const SHARE: Range = Range::new(0.0, 1.0, "");
const WEIGHT: Range = Range::new(0.0, 1e6, "");
pub(super) const CAPACITY_MAX: u64 = 1_000_000;

/// All situations of a scenario, with what they refer to.
#[derive(Debug, Clone, Default)]
pub struct Doings {
    /// The situations, by their numbers.
    pub situations: Vec<Situation>,
    /// Names that rules use.
    pub words: Arc<Words>,
    /// Laws that durations are drawn from, by their numbers.
    pub laws: Vec<Distribution>,
}

impl PartialEq for Doings {
    /// Rules are compared by how they are printed, which is their text.
    fn eq(&self, other: &Self) -> bool {
        let Doings { situations, words, laws } = self;
        *words == other.words && *laws == other.laws && format!("{situations:?}") == format!("{:?}", other.situations)
    }
}

/// What a situation may name, and the laws it uses.
pub(super) struct Known<'a> {
    pub signals: &'a [Signal],
    pub populations: &'a [Population],
    pub regions: &'a [Region],
    pub situations: &'a [String],
    pub words: &'a Arc<Words>,
    pub templates: &'a [Arc<passerby_situations::Template>],
    pub laws: std::cell::RefCell<Vec<Distribution>>,
    pub scripts: Scripts,
}

impl Known<'_> {
    /// A duration, s.
    pub fn law(&self, value: &Value<'_>) -> Option<LawId> {
        let law = distribution(value, &SECONDS)?;
        let mut laws = self.laws.borrow_mut();
        laws.push(law);
        Some(LawId(laws.len() as u32 - 1))
    }

    /// `{ signal = "light", show = "green" }`
    pub fn shown(&self, value: &Value<'_>) -> Option<Shown> {
        let table = value.table(&FOR_SIGNAL)?;
        let named = table.require("signal", "signal = \"light\", a [[signal]] by name");
        let names = self.signals.iter().map(|signal| signal.name.as_str());
        let signal = named.and_then(|named| named.one_of("signal", names));
        let show = table.require("show", "show = \"green\"");
        let (signal, show) = (signal?, show?);
        let shown = &self.words.shown[signal];
        let phase = show.one_of("phase", shown.iter().map(String::as_str))?;
        Some(Shown { signal: signal as u32, phase: phase as u32 })
    }

    /// A situation by name.
    pub fn situation(&self, value: &Value<'_>) -> Option<SituationId> {
        let number = value.one_of("situation", self.situations.iter().map(String::as_str))?;
        Some(SituationId(number as u32))
    }

    pub fn population(&self, value: &Value<'_>) -> Option<u32> {
        let names = self.populations.iter().map(|population| population.name.as_str());
        value.one_of("population", names).map(|number| number as u32)
    }

    /// The bits of a list of tags.
    fn tags(&self, table: &Table<'_>, key: &'static str) -> u64 {
        let items = table.get(key).and_then(|list| list.list("a list of names")).unwrap_or_default();
        let bit = |item: &Value<'_>| item.one_of("tag", self.words.tags.iter().map(String::as_str));
        items.iter().filter_map(bit).fold(0, |bits, tag| bits | 1 << tag)
    }
}

/// The names of all situations, in the file's order, those of wrong ones included; then those of copies.
pub(super) fn names(root: &Table<'_>, tile: Option<&Tile>) -> Vec<String> {
    let Some(items) = root.get("situation").filter(Value::is_list).and_then(|list| list.list("tables")) else {
        return Vec::new();
    };
    let name = |item: &Value<'_>| {
        let entries = item.is_table().then(|| item.entries("a table")).flatten().unwrap_or_default();
        let name = entries.iter().find(|(key, _)| *key == "name").and_then(|(_, value)| value.as_text());
        name.unwrap_or_default().to_owned()
    };
    let names: Vec<String> = items.iter().map(name).collect();
    // Relations and what moves are not copied.
    let stays = |item: &Value<'_>| !["relation", "path", "with"].iter().any(|key| item.has_key(key));
    let copied: Vec<bool> = items.iter().map(stays).collect();
    tile.map_or(names.clone(), |tile| tile.names(&names, &copied))
}

/// Reads all situations.
pub(super) fn situations(
    root: &Table<'_>,
    signals: &[Signal],
    populations: &[Population],
    (regions, names): (&[Region], &[String]),
    files: &dyn Files,
) -> Doings {
    let tables = at_most(SITUATIONS_MAX, "situations", root.tables("situation", &SITUATION));
    let template_tables = at_most(NAMES_MAX - BEHAVIOURS.len(), "behaviours", root.tables("behaviour", &TEMPLATE));
    let scripts = Scripts::default();
    let templates = templates(&template_tables, &scripts);
    let mut taken: BTreeSet<&str> = names.iter().skip(tables.len()).map(String::as_str).collect();
    for (table, name) in tables.iter().zip(names) {
        if !name_of(table).is_empty()
            && !taken.insert(name)
            && let Some(value) = table.get("name")
        {
            table.report(value.problem("there is another situation of this name").hint("choose another name"));
        }
    }
    let words = Arc::new(Words {
        behaviours: (BEHAVIOURS.iter().map(|described| described.name.to_owned()))
            .chain(templates.iter().map(|template| template.name.clone()))
            .collect(),
        situations: names.to_vec(),
        tags: all_tags(&tables),
        shown: signals.iter().map(shows).collect(),
    });
    let known = Known {
        signals,
        populations,
        regions,
        situations: names,
        words: &words,
        templates: &templates,
        laws: Vec::new().into(),
        scripts,
    };
    let read: Vec<Option<Situation>> = tables.iter().map(|table| situation(table, &known, files)).collect();
    // Where one is wrong the file is refused: numbers need not hold any more.
    let situations = read.into_iter().flatten().collect();
    Doings { situations, words: known.words.clone(), laws: known.laws.into_inner() }
}

/// The different things a signal shows, in the order of its phases.
fn shows(signal: &Signal) -> Vec<String> {
    let mut shows: Vec<String> = Vec::new();
    for phase in &signal.phases {
        if !shows.contains(&phase.show) {
            shows.push(phase.show.clone());
        }
    }
    shows
}

fn name_of(table: &Table<'_>) -> String {
    let name = table.require("name", "name = \"crossing\"").and_then(|value| value.name());
    name.unwrap_or_default().to_owned()
}

/// Every tag that somebody can have: what situations give, and what their rules say they hand out.
fn all_tags(tables: &[Table<'_>]) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for table in tables {
        for key in ["gives", "tags"] {
            let Some(value) = table.get(key) else { continue };
            for item in value.list("a list of names").unwrap_or_default() {
                let Some(name) = item.name() else { continue };
                if !tags.iter().any(|tag| tag == name) {
                    tags.push(name.to_owned());
                }
                if tags.len() == NAMES_MAX + 1 {
                    let problem = item.problem(format!("{} tags are too many", tags.len()));
                    table.report(problem.allowed(format!("at most {NAMES_MAX} in a scenario")));
                }
            }
        }
    }
    tags.truncate(NAMES_MAX);
    tags
}

fn situation(table: &Table<'_>, known: &Known<'_>, files: &dyn Files) -> Option<Situation> {
    let extent = extent(table, known);
    let moving = moving(table, known);
    let sensors = sensors(table, known);
    let behaviours = behaviours(table, known);
    let rule = rule(table, known, files, sensors.iter().map(|(name, _)| name.clone()).collect());
    let next = next(table, known);
    let capacity = table.get("capacity").and_then(|value| value.whole(1, CAPACITY_MAX)).map(|most| most as u32);
    let exclusive =
        table.flag_or("exclusive", false) || behaviours.contains(&passerby_situations::Behaviour::Exclusive);
    let situation = Situation {
        name: table.get("name")?.as_text()?.to_owned(),
        line: table.line(),
        extent: extent?,
        moving: moving?,
        active: table.flag_or("active", true),
        times: times(table),
        concerns: concerns(table, known),
        capacity: capacity.or(exclusive.then_some(1)),
        exclusive,
        enter: table.get("enter").and_then(|value| known.shown(&value)),
        needs: known.tags(table, "needs"),
        gives: known.tags(table, "gives"),
        takes: known.tags(table, "takes"),
        sensors,
        behaviours,
        rule: rule?,
        next,
        remove: table.flag_or("remove", false),
    };
    fits(table, &situation);
    Some(situation)
}

/// What contradicts itself.
fn fits(table: &Table<'_>, situation: &Situation) {
    let is_relation = matches!(situation.extent, Extent::Relation(_));
    for key in ["exclusive", "enter", "needs", "path", "with"] {
        if let (true, Some(value)) = (is_relation, table.get(key)) {
            table.report(value.key_problem("has no meaning for a relation").hint("leave it out, or give it a region"));
        }
    }
    for behaviour in &situation.behaviours {
        let problem = match behaviour {
            passerby_situations::Behaviour::Queue(line) => {
                let most = situation.capacity.unwrap_or(line.room());
                (most > line.room()).then(|| {
                    let long = line.length();
                    let need = f64::from(most - 1 - line.counters.len() as u32) * line.spacing;
                    (
                        format!("its line of {long:.2} m has room for {}, not for {most}", line.room()),
                        format!("make the line {need:.2} m long, stand closer, or lower the capacity"),
                    )
                })
            }
            passerby_situations::Behaviour::Sit { seats, .. } => {
                let most = situation.capacity.unwrap_or(seats.len() as u32);
                (most as usize > seats.len()).then(|| {
                    (format!("{} seats for {most} people", seats.len()), "add seats, or lower the capacity".to_owned())
                })
            }
            passerby_situations::Behaviour::Stay { .. } if is_relation => {
                Some(("a relation has no region to stay in".to_owned(), "give it a region".to_owned()))
            }
            _ => None,
        };
        if let Some((what, hint)) = problem {
            table.report(table.problem(what).hint(hint));
        }
    }
}

/// `region`, `stroke` or `relation`.
fn extent(table: &Table<'_>, known: &Known<'_>) -> Option<Extent> {
    let hint = "region = [[0, 0], [4, 0], [4, 3], [0, 3]], or the name of a region of the place";
    let key = table.exactly_one(&["region", "stroke", "relation"], hint)?;
    let value = table.get(key)?;
    match key {
        "region" if value.as_text().is_some() => {
            let region = value.one_of("region", known.regions.iter().map(|region| region.name.as_str()))?;
            Some(Extent::Region(vec![known.regions[region].polygon.clone()]))
        }
        "region" => Some(Extent::Region(region(&value)?)),
        "stroke" => {
            let table = value.table(&STROKE)?;
            let line = table.require("line", "line = [[0, 0], [10, 0]]").and_then(|line| points(&line, "a line"));
            let width = table.require("width", "width = 2, in metres").and_then(|width| width.number(&WIDTH));
            let (line, width) = (line?, width?);
            if line.len() < 2 {
                table.report(table.problem("a stroke of less than two points").hint("line = [[0, 0], [10, 0]]"));
                return None;
            }
            let polygons = stroke(&line, width).into_iter().map(Polygon::new).collect::<Result<_, _>>();
            match polygons {
                Ok(polygons) => Some(Extent::Region(polygons)),
                Err(error) => {
                    table.report(table.problem(error.to_string()));
                    None
                }
            }
        }
        _ => {
            let table = value.table(&RELATION)?;
            let of = table.require("of", "of = \"visitors\", a population").and_then(|of| known.population(&of));
            let size = table.get("size").and_then(|size| size.whole(2, 1000)).map(|size| size as u32);
            let share = table.number_or("share", &SHARE, 1.0);
            let (people, leader) = (named_people(&table), table.flag_or("leader", false));
            Some(Extent::Relation(Relation { population: of?, share, size, people: people?, leader }))
        }
    }
}

/// `people = [0, 3]`: who is related, by their numbers in the population. `None` and a problem if it is wrong.
fn named_people(table: &Table<'_>) -> Option<Vec<u32>> {
    let Some(value) = table.get("people") else { return Some(Vec::new()) };
    for key in ["share", "size"] {
        if let Some(other) = table.get(key) {
            table.report(other.key_problem("has no meaning beside `people`").hint("leave one of them out"));
        }
    }
    let items = value.list("a list of numbers of people")?;
    let read: Vec<Option<u64>> = items.iter().map(|item| item.whole(0, PEOPLE_MAX)).collect();
    let mut people: Vec<u32> =
        read.into_iter().map(|number| number.map(|number| number as u32)).collect::<Option<_>>()?;
    people.sort_unstable();
    people.dedup();
    if people.is_empty() {
        table.report(value.problem("a relation between nobody").hint("people = [0, 1], or leave it out for everybody"));
        return None;
    }
    Some(people)
}

/// One ring, or a list of them.
pub(super) fn region(value: &Value<'_>) -> Option<Vec<Polygon>> {
    let first = value.first_of_list().and_then(|item| item.first_of_list());
    if first.is_some_and(|inner| inner.is_list()) {
        let read: Vec<Option<Polygon>> = rings(value)?.iter().map(polygon).collect();
        return read.into_iter().collect();
    }
    polygon(value).map(|polygon| vec![polygon])
}

/// `path` or `with`. `None` and a problem if it is wrong.
fn moving(table: &Table<'_>, known: &Known<'_>) -> Option<Option<Moving>> {
    if let (Some(value), None) = (table.get("repeat"), table.get("path")) {
        table.report(value.key_problem("goes with `path`").hint("leave it out"));
    }
    match (table.get("path"), table.get("with")) {
        (None, None) => Some(None),
        (Some(_), Some(with)) => {
            table.report(with.key_problem("has no meaning beside `path`").hint("leave one of them out"));
            None
        }
        (None, Some(with)) => Some(Some(Moving::With { population: known.population(&with)? })),
        (Some(path), None) => {
            let items = path.list("a path [[seconds, x, y], ...]")?;
            let point = |item: &Value<'_>| {
                let numbers = item.list("a point [seconds, x, y]")?;
                let [seconds, x, y] = &numbers[..] else {
                    table.report(item.problem("expected a point [seconds, x, y]"));
                    return None;
                };
                let (seconds, x, y) = (seconds.number(&AT), x.number(&COORDINATE), y.number(&COORDINATE));
                Some([seconds?, x?, y?])
            };
            let read: Vec<Option<[f64; 3]>> = items.iter().map(point).collect();
            let read: Vec<[f64; 3]> = read.into_iter().collect::<Option<_>>()?;
            if read.len() < 2 || read.windows(2).any(|pair| pair[1][0] <= pair[0][0]) {
                let problem = path.problem("a path needs two points, each later than the one before");
                table.report(problem.hint("path = [[0, 0, 0], [30, 60, 0]], each with seconds, x and y"));
                return None;
            }
            Some(Some(Moving::Along { path: read, repeat: table.flag_or("repeat", false) }))
        }
    }
}

/// `concerns = { of = ["visitors"], has = ["ticket"], lacks = ["seat"] }`
fn concerns(table: &Table<'_>, known: &Known<'_>) -> Concerns {
    let Some(table) = table.get("concerns").and_then(|value| value.table(&CONCERNS)) else {
        return Concerns::default();
    };
    let items = table.get("of").and_then(|list| list.list("a list of populations")).unwrap_or_default();
    let of = items.iter().filter_map(|item| known.population(item)).collect();
    Concerns { of, has: known.tags(&table, "has"), lacks: known.tags(&table, "lacks") }
}

/// `times = [[0, 60], [120, 180]]`
fn times(table: &Table<'_>) -> Vec<[f64; 2]> {
    let Some(value) = table.get("times") else { return Vec::new() };
    let span = |item: &Value<'_>| {
        let ends = item.list("[from, to] in seconds")?;
        let [from, to] = &ends[..] else {
            table.report(item.problem("expected [from, to] in seconds"));
            return None;
        };
        let (from, to) = (from.number(&AT), to.number(&AT));
        let (from, to) = (from?, to?);
        if from >= to {
            table.report(item.problem("it ends before it begins").hint(format!("try [{to}, {from}]")));
        }
        Some([from, to])
    };
    value.list("a list of [from, to]").unwrap_or_default().iter().filter_map(span).collect()
}

/// `rule` or `rule_file`. `None` and a problem if it is wrong.
#[allow(clippy::type_complexity)] // a rule that may be absent, or wrong
fn rule(
    table: &Table<'_>,
    known: &Known<'_>,
    files: &dyn Files,
    sensors: Vec<String>,
) -> Option<Option<Arc<dyn passerby_situations::Rule>>> {
    let (value, text) = match (table.get("rule"), table.get("rule_file")) {
        (None, None) => return Some(None),
        (Some(_), Some(file)) => {
            table.report(file.key_problem("has no meaning beside `rule`").hint("leave one of them out"));
            return None;
        }
        (Some(rule), None) => {
            let text = rule.text()?.to_owned();
            (rule, text)
        }
        (None, Some(file)) => {
            let bytes = files.read_at_most(file.text()?, passerby_situations::RULE_MAX);
            match bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is no text (UTF-8)".to_owned())) {
                Ok(text) => (file, text),
                Err(why) => {
                    table.report(file.problem(why));
                    return None;
                }
            }
        }
    };
    match known.scripts.rule(&text, &sensors, known.words) {
        Ok(rule) => Some(Some(Arc::new(rule))),
        Err(mistake) => {
            value.sheet.report(value.mistake(&mistake, table.get("rule").is_some()));
            None
        }
    }
}

/// `next = { lobby = 0.7, exit = 0.3 }`
fn next(table: &Table<'_>, known: &Known<'_>) -> Vec<(SituationId, f64)> {
    let Some(value) = table.get("next") else { return Vec::new() };
    if value.as_text().is_some() {
        return known.situation(&value).map(|to| vec![(to, 1.0)]).unwrap_or_default();
    }
    let mut edges = Vec::new();
    for (name, weight) in
        value.entries("a table of situations with weights { lobby = 0.7, exit = 0.3 }").unwrap_or_default()
    {
        let Some(to) = known.situations.iter().position(|other| other == name) else {
            let problem = weight.key_problem(format!("there is no situation \"{name}\" to go to"));
            table.report(match nearest(name, known.situations.iter().map(String::as_str)) {
                Some(near) => problem.hint(format!("did you mean \"{near}\"?")),
                None => problem,
            });
            continue;
        };
        edges.extend(weight.number(&WEIGHT).map(|weight| (SituationId(to as u32), weight)));
    }
    if !edges.is_empty() && edges.iter().all(|(_, weight)| *weight == 0.0) {
        table.report(value.problem("all weights are 0").hint("give one of them at least a weight above 0"));
    }
    edges
}

/// A point of a behaviour.
pub(super) fn place_point(value: &Value<'_>) -> Option<DVec2> {
    point(value)
}
