//! From text to a checked scenario: the file's topmost table, and who may ask for files.

use toml::de::DeTable;

use super::sheet::{Keys, Sheet};
use super::{
    Problem, Problems, Scenario, arrivals, behaviours, distribution, event, group, journey, measure, mover, place,
    place_file, play, population, reactions, run, sensors, signal, situation, tile,
};
use crate::placement::problems_on_the_map;

/// Longest text of a scenario, in bytes. Large places belong in a file of their own.
pub const TEXT_MAX: usize = 16 << 20;

/// How a scenario reads the files it names. The program that has a disk confines them to the scenario's folder.
pub trait Files {
    /// The bytes of the file at a path relative to the scenario, or what went wrong.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;

    /// The same for a file of at most `most` bytes. Who knows the size beforehand refuses a larger one unread.
    fn read_at_most(&self, path: &str, most: usize) -> Result<Vec<u8>, String> {
        let _ = most; // the reader of the bytes refuses them as well
        self.read(path)
    }
}

/// No files at all, for scenarios that name none.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
        Err("there are no files here".to_owned())
    }
}

/// The file itself.
pub(super) const FILE: Keys = Keys {
    name: "file",
    title: "the file",
    known: &[
        "format",
        "name",
        "place",
        "population",
        "event",
        "signal",
        "mover",
        "situation",
        "behaviour",
        "measure",
        "run",
        "record",
    ],
    later: &[],
};

/// Every kind of table, the larger ones first: a key in the wrong table is looked up here.
pub(super) const TABLES: &[&Keys] = &[
    &FILE,
    &place::PLACE,
    &population::POPULATION,
    &event::EVENT,
    &event::PUT,
    &signal::SIGNAL,
    &signal::PHASE,
    &mover::MOVER,
    &measure::MEASURE,
    &play::PLAY,
    &run::RUN,
    &run::RECORD,
    &place::AREA,
    &place::DOOR,
    &place::REGION,
    &tile::TILE,
    &place_file::LAYERS,
    &population::CIRCLE,
    &population::GRID,
    &population::NEIGHBOURS,
    &group::GROUP,
    &reactions::REACTIONS,
    &arrivals::RATE,
    &distribution::DISTRIBUTION,
    &journey::ANY,
    &journey::FOR_SIGNAL,
    &situation::SITUATION,
    &situation::CONCERNS,
    &situation::STROKE,
    &situation::RELATION,
    &sensors::SENSOR,
    &behaviours::TEMPLATE,
    &behaviours::WAIT,
    &behaviours::STAY,
    &behaviours::FOLLOW,
    &behaviours::GATHER,
    &behaviours::QUEUE,
    &behaviours::SIT,
];

impl Scenario {
    /// Reads a scenario, or finds everything that is wrong with it. `file` is what messages call it; its stem is the
    /// scenario's name where the text gives none.
    pub fn parse(text: &str, files: &dyn Files, file: &str) -> Result<Scenario, Problems> {
        let whole = |what: String| Err(Problems(vec![Problem::of_file(file, what)]));
        if text.len() > TEXT_MAX {
            return whole(format!("the file has {} bytes, at most {TEXT_MAX} can be read", text.len()));
        }
        let sheet = Sheet::new(file, text);
        let table = match DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                return Err(Problems(vec![sheet.problem_at(at, "", format!("not TOML: {}", error.message()))]));
            }
        };
        if table.is_empty() {
            return whole("the file is empty: `passerby new NAME` writes one to start from".to_owned());
        }
        let scenario = read(&sheet, &table, files, file);
        let problems = sheet.into_problems();
        if problems.is_empty() {
            Ok(Scenario { text: text.to_owned(), ..scenario })
        } else {
            let more = beyond_the_text(scenario, &problems);
            Err(Problems::sorted(problems.into_iter().chain(more).collect()))
        }
    }
}

/// What only the map shows, for the parts of the file that are right, so that nobody has to mend a file twice.
fn beyond_the_text(mut scenario: Scenario, problems: &[Problem]) -> Vec<Problem> {
    let people: u64 = scenario.populations.iter().map(|population| u64::from(population.count())).sum();
    let too_many = people > population::PEOPLE_MAX || scenario.populations.len() >= population::POPULATIONS_MAX;
    let no_place = scenario.place.areas.is_empty() || problems.iter().any(|problem| problem.key.starts_with("place"));
    if too_many || no_place {
        return Vec::new();
    }
    let lines: Vec<u32> = scenario.populations.iter().map(|population| population.line).collect();
    let in_doubt = |i: usize| {
        let end = lines.get(i + 1).copied().unwrap_or(u32::MAX);
        let here = |line: u32| (lines[i]..end).contains(&line);
        problems.iter().any(|problem| problem.key.starts_with("population") && problem.line.is_none_or(here))
    };
    let mut i = 0;
    scenario.populations.retain(|_| {
        i += 1;
        !in_doubt(i - 1)
    });
    if scenario.populations.len() < lines.len() {
        // They name populations by their place in the list.
        scenario.events.clear();
        scenario.doings = Default::default();
    }
    problems_on_the_map(&scenario)
}

/// Everything but the text; not to be used once problems are reported.
fn read<'a>(sheet: &'a Sheet<'a>, table: &'a DeTable<'a>, files: &dyn Files, file: &str) -> Scenario {
    let root = sheet.root(table, &FILE);
    root.get("format").map(|format| format.whole(1, 1));
    let name = root.get("name").and_then(|name| name.name());
    let place = match root.require("place", "[place] with floor = [[0, 0], [20, 0], [20, 10], [0, 10]] is a room") {
        Some(value) => value.table(&place::PLACE).map(|table| (place::place(&table, files), tile::tile(&table))),
        None => None,
    };
    // Without a place every region would be unknown: the one problem is enough.
    let regions_known = place.is_some();
    let (mut place, tile) = place.unwrap_or_default();
    tile.iter().for_each(|tile| tile.place(&mut place));
    let signals = signal::signals(&root);
    let situations = situation::names(&root, tile.as_ref());
    let (populations, events, doings) = if regions_known {
        let populations = population::populations(&root, &place, (&signals, &situations), files);
        let opposite = Err("of an event's journey leave it out");
        let names = journey::Names { regions: &place.regions, situations: &situations, signals: &signals, opposite };
        let events = event::events(&root, &place.doors, &names, &populations);
        let mut doings =
            situation::situations(&root, &signals, &populations, (&place.floor.regions, &situations), files);
        tile.iter().for_each(|tile| tile.situations(&mut doings));
        (populations, events, doings)
    } else {
        Default::default()
    };
    Scenario {
        name: name.map_or_else(|| stem(file), str::to_owned),
        file: file.to_owned(),
        text: String::new(),
        place: place.floor,
        place_report: place.report,
        place_lines: place.lines,
        populations,
        events,
        signals,
        movers: mover::movers(&root),
        doings,
        measures: measure::measures(&root),
        run: run::run(&root),
        record: run::record(&root),
    }
}

/// A file's name without folders and extension.
fn stem(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}
