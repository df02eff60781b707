//! Bad scenarios, one line each: the line that is named and the words that matter. Then good ones, and anything at all.

use super::*;
use passerby_steering::{Headway, Orca};
use proptest::prelude::*;

/// Lines 1 to 4: a place.
const PLACE: &str = "[place]
floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
doors = [{ name = \"front\", line = [[10, 4], [10, 6]] }]
regions = [{ name = \"exit\", polygon = [[19, 0], [20, 0], [20, 10], [19, 10]] }]
";
/// Lines 5 to 7: people in it.
const PEOPLE: &str = "[[population]]
count = 3
area = [[1, 1], [8, 1], [8, 9], [1, 9]]
";

struct OnePlan(&'static [u8]);

impl Files for OnePlan {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == "plan.wkt" { Ok(self.0.to_vec()) } else { Err("no such file".into()) }
    }
}

#[track_caller]
fn good(text: &str) -> Scenario {
    Scenario::parse(text, &OnePlan(b"POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))"), "dir/room.toml")
        .unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn bad(text: &str) -> Vec<Problem> {
    match Scenario::parse(text, &OnePlan(b"POLYGON ((0 0, 20 0"), "room.toml") {
        Ok(_) => panic!("taken:\n{text}"),
        Err(problems) => problems.0,
    }
}

/// The file has exactly one problem, in that line (0: of the whole file), told with these words.
#[track_caller]
fn check(text: &str, line: u32, words: &[&str]) {
    let problems = bad(text);
    let shown = problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(problems.len(), 1, "{shown}");
    assert_eq!(problems[0].line.unwrap_or(0), line, "{shown}");
    for word in words {
        assert!(shown.contains(word), "no `{word}` in\n{shown}");
    }
}

/// A wrong line of a population, line 8 of the file.
#[track_caller]
fn person(line: &str, words: &[&str]) {
    check(&format!("{PLACE}{PEOPLE}{line}\n"), 8, words);
}

/// A wrong beginning of a population, line 6 of the file.
#[track_caller]
fn start(line: &str, words: &[&str]) {
    check(&format!("{PLACE}[[population]]\n{line}\n"), 6, words);
}

/// A wrong line of a place that has a floor already, line 3 of the file.
#[track_caller]
fn part(line: &str, words: &[&str]) {
    check(&format!("[place]\nfloor = [[0, 0], [20, 0], [20, 10], [0, 10]]\n{line}\n"), 3, words);
}

/// A wrong place, line 2 of the file.
#[track_caller]
fn ground(line: &str, words: &[&str]) {
    check(&format!("[place]\n{line}\n"), 2, words);
}

/// A wrong line after all, line 8 of the file.
#[track_caller]
fn after(lines: &str, line: u32, words: &[&str]) {
    check(&format!("{PLACE}{PEOPLE}{lines}\n"), line, words);
}

#[test]
fn the_file_as_a_whole() {
    check("", 0, &["room.toml: the file is empty: `passerby new NAME` writes one"]);
    check("# nothing but a comment\n", 0, &["the file is empty"]);
    check(&" ".repeat(TEXT_MAX + 1), 0, &["16777217 bytes", "at most 16777216"]);
    check("name = \"x\"\n", 0, &["`place` is missing", "[place]"]);
    check("place = 3\n", 1, &["place = 3", "expected [place], found a number"]);
    check("format = 2\n[place]\nfloor = [[0, 0], [1, 0], [1, 1]]", 1, &["format = 2", "from 1 to 1"]);
    check("\n\nname = unquoted\n", 3, &["room.toml:3:", "not TOML", "quoted"]);
    check("[place]\nfloor = [[0, 0],\n", 2, &["not TOML", "`]`"]);
    check("a = 1\na = 2\n", 2, &["room.toml:2:1: not TOML: duplicate key"]);
    check(&format!("{}a = 1", "a.".repeat(100_000)), 1, &["not TOML", "recursion"]);
    after("[[measure]]\nline = []", 8, &["measure", "not available in this version"]);
    after("[runs]\nseed = 3", 8, &["runs: unknown key", "did you mean `run`?", "format, name, place"]);
    check(&format!("seed = 7\n{PLACE}"), 1, &["seed: unknown key", "`seed` belongs in [run]"]);
    check(&format!("name = \"\"\n{PLACE}"), 1, &["not usable as a name", "1 to 100 characters"]);
}

#[test]
fn places() {
    check("[place]\nobstacles = []\n", 1, &["one of `floor`, `areas`, `file` is missing", "20 m x 10 m"]);
    ground("floor = 3", &["place.floor = 3", "expected a ring of points", "found a number"]);
    ground("floor = [[0, 0], [1, 0]]", &["2 points", "at least 3"]);
    ground("floor = [[0, 0], [1, 0], [1]]", &["place.floor[2] = [1]", "expected a point [x, y], found a list of 1"]);
    ground("floor = [[0, 0], [1, 0], [1, \"1\"]]", &["floor[2][1] = \"1\"", "found a string", "leave out the quotes"]);
    ground("floor = [[0, 0], [1, 0], [1, nan]]", &["floor[2][1] = nan", "not a number"]);
    ground("floor = [[0, 0], [-inf, 0], [1, 1]]", &["floor[1][0] = -inf", "not a finite number"]);
    ground("floor = [[0, 0], [1e999, 0], [1, 1]]", &["1e999", "not a finite number"]);
    ground("floor = [[0, 0], [2e7, 0], [1, 1]]", &["out of range", "from -10000000 to 10000000 m", "try 10000000"]);
    ground(
        "floor = [[0, 0], [2, 2], [2, 0], [0, 2]]",
        &["floor[2] = [2, 0]", "at (1, 1)", "list the corners in order"],
    );
    ground("floor = [[0, 0], [2, 0], [2, 2], [2, 0]]", &["floor[3]", "same point as vertex 1"]);
    ground("floor = [[0, 0], [2, 0], [4, 0]]", &["on one line"]);
    ground("file = \"plan.wkt\"\nfloor = [[0, 0], [2, 0], [2, 2]]", &["cannot stand beside `floor`"]);
    ground("areas = []", &["there is no floor"]);
    ground("areas = [{ holes = [] }]", &["areas[0]", "`floor` is missing"]);
    part("holes = [[[30, 1], [31, 1], [31, 2]]]", &["place.holes[0]", "leaves the outer outline"]);
    part("holes = [[[1, 1], [4, 1], [4, 4]], [[2, 1], [5, 1], [5, 4]]]", &["place.holes[1]", "overlaps"]);
    part(
        "obstacles = [[0, 0], [1, 0], [1, 1]]",
        &["expected a list of rings, found one ring", "one more pair of brackets"],
    );
    ground("floor = [0, 0, 9, 9]", &["expected a ring of points", "found one of numbers", "one more pair of brackets"]);
    part("obstacles = [[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 0]]]", &["place.obstacles[1]", "2 points"]);
    part("doors = [{ name = \"a\" }]", &["place.doors \"a\"", "`line` is missing"]);
    part("doors = [{ line = [[0, 0], [1, 0]] }]", &["place.doors[0]", "`name` is missing"]);
    part("doors = [{ name = \"a\", line = [[1, 1], [1, 1]] }]", &["less than 0.01 m apart"]);
    part("doors = [{ name = \"a\", line = [[1, 1]] }]", &["expected a line", "found 1 points"]);
    part(
        "regions = { name = \"a\", polygon = [[0, 0], [1, 0], [1, 1]] }",
        &["expected a list of tables, found one table", "[[place.regions]]"],
    );
    part("regions = [{ name = \"opposite\", polygon = [[0, 0], [1, 0], [1, 1]] }]", &["other side of a circle"]);
    part("door = []", &["place.door: unknown key", "did you mean `doors`?"]);
    part("level = []", &["place.level", "not available in this version"]);
    let two = "regions = [\n{ name = \"a\", polygon = [[0, 0], [1, 0], [1, 1]] },\n{ name = \"a\", polygon = [[0, 0], [1, 0], [1, 1]] }]";
    check(
        &format!("[place]\nfloor = [[0, 0], [20, 0], [20, 10], [0, 10]]\n{two}\n"),
        5,
        &["another region of this name"],
    );
}

#[test]
fn place_files() {
    ground("file = \"plan.pdf\"", &["place.file = \"plan.pdf\"", "cannot be read", ".wkt, .geojson"]);
    ground("file = \"house.ifc\"", &["building models (IFC) cannot be read", "export the outline of each floor"]);
    ground("file = \"/etc/plan.wkt\"", &["not a path inside the scenario's folder"]);
    ground("file = \"C:\\\\plan.wkt\"", &["not a path inside the scenario's folder"]);
    ground("file = \"a/../../plan.wkt\"", &["leads out of the scenario's folder"]);
    ground("file = \"\"", &["no file is named"]);
    ground("file = \"other.wkt\"", &["other.wkt", "no such file"]);
    ground("file = \"plan.wkt\"", &["plan.wkt"]);
    let broken = Scenario::parse("[place]\nfile = \"plan.wkt\"\n", &OnePlan(&[0xff, 0xfe]), "room.toml").unwrap_err();
    assert!(broken.to_string().contains("not UTF-8"), "{broken}");
    assert_eq!(NoFiles.read("plan.wkt"), Err("there are no files here".into()));
    part("cell = 2", &["place.cell", "goes with `file`"]);
    option("cell = -1", &["place.cell = -1", "from 0.001 to 10000 m", "try 1"]);
    option("area = [[1, 2]]", &["place.area", "found 1 points", "two opposite corners"]);
    // The plan of these tests is cut short: that is said as well.
    let both = bad("[place]\nfile = \"plan.wkt\"\nlayers = { flor = \"x\" }\n");
    let said: Vec<String> = both.iter().map(Problem::to_string).collect();
    assert!(said[0].contains("line 1, column 20") && said[1].contains("did you mean `floor`?"), "{said:?}");
    option("layers = { floor = 3 }", &["place.layers.floor = 3", "the name of a layer"]);
}

/// A wrong option of a place file, line 3 of the file.
#[track_caller]
fn option(line: &str, words: &[&str]) {
    check(&format!("[place]\nfile = \"plan.wkt\"\n{line}\n"), 3, words);
}

/// Regions and obstacles of the file come first, those of the scenario after them; names are unique among all.
#[test]
fn places_of_other_programs() {
    struct Topography;
    impl Files for Topography {
        fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
            let text = r#"{"topography": {"attributes": {"bounds": {"x": 0, "y": 0, "width": 20, "height": 10}},
                "obstacles": [{"id": 1, "shape": {"type": "RECTANGLE", "x": 4, "y": 4, "width": 1, "height": 1}}],
                "targets": [{"id": 7, "shape": {"type": "RECTANGLE", "x": 18, "y": 4, "width": 1, "height": 1}}]}}"#;
            Ok(text.into())
        }
    }
    let region = |name: &str| format!("regions = [{{ name = \"{name}\", polygon = [[1, 1], [2, 1], [2, 2]] }}]");
    let text = |name: &str| {
        let people = "[[population]]\ncount = 3\nregion = \"start\"\njourney = [\"target 7\"]\n";
        format!("[place]\nfile = \"hall.scenario\"\n{}\n{people}", region(name))
    };
    let scenario = Scenario::parse(&text("start"), &Topography, "hall.toml").unwrap();
    let names: Vec<&str> = scenario.place.regions.iter().map(|region| &*region.name).collect();
    assert_eq!(names, ["target 7", "start"]);
    assert_eq!((scenario.place.obstacles.len(), scenario.place_lines.obstacles.clone()), (1, vec![2]));
    assert_eq!(scenario.place_report.unwrap().free_area, 199.0);
    let problems = Scenario::parse(&text("target 7"), &Topography, "hall.toml").unwrap_err().to_string();
    assert!(problems.contains("another region of this name"), "{problems}");
}

#[test]
fn starts() {
    let place = |lines: &str| format!("{PLACE}[[population]]\n{lines}\n");
    check(&place("count = 3"), 5, &["population[0]", "one of `area`, `region`, `circle`, `grid`, `at` is missing"]);
    check(&place("region = \"exit\""), 5, &["`count` is missing", "count = 20"]);
    check(&place("count = -1\nregion = \"exit\""), 6, &["count = -1", "from 0 to 1000000", "try 0"]);
    check(&place("count = 3\nregion = \"exti\""), 7, &["unknown region", "did you mean \"exit\"?"]);
    check(&place("count = 3\narea = [[1, 1], [2, 2]]"), 7, &["2 points"]);
    check(&place("count = 3\ncircle = { radius = 3 }"), 7, &["population[0].circle", "`center` is missing"]);
    check(
        &place("count = 3\ncircle = { center = [1, 1], radius = 3, jitter = 4 }"),
        7,
        &["jitter = 4", "from 0 to 3 m"],
    );
    check(&place("count = 3\nat = [[1, 1]]"), 6, &["every point of `at` is one person", "leave `count` out"]);
    start("at = [[1, 1], [2]]", &["at[1] = [2]", "expected a point"]);
    start("grid = { origin = [1, 1], columns = 0, rows = 2, spacing = 1 }", &["grid.columns = 0", "try 1"]);
    start("grid = { origin = [1, 1], columns = 2000, rows = 2000, spacing = 1 }", &["4000000 people are too many"]);
    start("grid = { origin = [1, 1], columns = 2, rows = 2 }", &["population[0].grid", "`spacing` is missing"]);
    start("grid = [1, 2]", &["expected a grid { origin, columns", "found a list"]);
}

#[test]
fn people() {
    person(
        "speed = -1.3",
        &["room.toml:8:9: population[0].speed = -1.3: out of range", "from 0.01 to 10 m/s", "try 1.3"],
    );
    person("speed = 11", &["try 10"]);
    person("speed = \"fast\"", &["expected a number or one of { uniform", "found a string"]);
    person("speed = {}", &["one of `uniform`, `normal`, `lognormal`, `gamma`, `weibull`, `exponential` is missing"]);
    person("speed = { uniform = [2, 1] }", &["speed.uniform", "low end is above its high end", "try [1, 2]"]);
    person("speed = { uniform = [0, 1] }", &["speed.uniform[0] = 0", "from 0.01 to 10 m/s"]);
    person("speed = { uniform = [1] }", &["expected a list [low, high], found a list of 1"]);
    person("speed = { uniform = [1, 2], max = 3 }", &["speed.max = 3", "has its own bounds"]);
    person("speed = { normal = [1.3, -0.2] }", &["normal[1] = -0.2", "try 0.2"]);
    person("speed = { normal = [30, 0.2] }", &["hardly ever between 0.01 and 10"]);
    person("speed = { normal = [1, 1e6], min = 0.5, max = 2 }", &["hardly ever between 0.5 and 2"]);
    person("speed = { normal = [1.3, 0.2], min = 2, max = 1 }", &["speed.min = 2", "above max = 1"]);
    person("speed = { normal = [1.3, 0.2], mni = 1 }", &["speed.mni: unknown key", "did you mean `min`?"]);
    person("speed = { normal = [1.3, 0.2], uniform = [1, 2] }", &["normal", "cannot stand beside `uniform`"]);
    person("speed = { exponential = 1 }", &["begins at 0", "use uniform, normal or lognormal"]);
    person("premovement = { exponential = 0 }", &["premovement.exponential = 0", "out of range"]);
    person("premovement = { exponential = 100, max = 1 }", &["hardly ever between 0 and 1"]);
    person("premovement = { lognormal = [9, 0.5], max = 300 }", &["hardly ever between 0 and 300"]);
    person("premovement = { gamma = [0, 3] }", &["premovement.gamma[0] = 0", "from 0.1 to 100"]);
    person("premovement = { gamma = [2, 100], max = 20 }", &["hardly ever between 0 and 20"]);
    person("premovement = { weibull = [1.2] }", &["expected a list [shape, scale], found a list of 1"]);
    person("premovement = { weibull = [1.2, 100], max = 20 }", &["hardly ever between 0 and 20"]);
    person("profile = \"aldult\"", &["unknown profile", "did you mean \"adult\"?"]);
    person("premovement = -1", &["from 0 to 100000 s"]);
    person("radius = 0.04", &["from 0.05 to 2 m", "try 0.05"]);
    person("mass = 0", &["from 1 to 1000 kg"]);
    person("neighbours = { nearest = 0 }", &["a whole number from 1 to 32", "try 1"]);
    person("neighbours = { nearest = 2.5 }", &["not a whole number"]);
    person("neighbours = { within = 51 }", &["from 0.1 to 50 m"]);
    person("neighbours = \"delaunay\"", &["neighbours = \"delaunay\"", "not available in this version"]);
    person("neighbours = { view = 200 }", &["neighbours.view", "not available in this version"]);
    person("model = \"orka\"", &["unknown model", "did you mean \"orca\"?", "\"headway\""]);
    person("model = 3", &["expected a string, found a number"]);
    person("model = { orka = {} }", &["population[0].model.orka: unknown model", "did you mean \"orca\"?"]);
    person("model = { orca = { time_horizn = 3 } }", &["model.orca.time_horizn", "did you mean `time_horizon`?"]);
    person("model = { orca = { time_horizon = -3 } }", &["time_horizon = -3: out of range", "0.1 to 60 s"]);
    person("model = { orca = { time_horizon = \"3\" } }", &["expected a number, found a string"]);
    person("model = { orca = { time_horizon = nan } }", &["not a number"]);
    person("model = { orca = 3 }", &["expected a table of parameters, found a number"]);
    person("model = { orca = {}, headway = {} }", &["expected one model, found 2"]);
    person("body = \"mediated\"", &["body = \"mediated\"", "not available in this version"]);
    person("body = \"disk\"", &["did you mean \"disc\"?"]);
    person("rate = 1.5", &["population[0].rate = 1.5", "cannot stand beside `count`"]);
    person("stay = 1", &["expected true or false, found a number"]);
    person("stay = false", &["without a journey"]);
    person("sped = 1", &["sped: unknown key", "did you mean `speed`?"]);
    person("seed = 1", &["seed: unknown key", "hint"]);
    person("until = 60", &["until = 60", "only where people come", "add rate = 1.5"]);
    person("name = \"a\\nb\"", &["not usable as a name"]);
    person("at = [[1, 1]]", &["cannot stand beside `area`"]);
}

#[test]
fn rates() {
    let rate = |line: &str, words: &[&str]| start(&format!("{line}\nregion = \"exit\"\nuntil = 60"), words);
    start("rate = 1.5\nregion = \"exit\"", &["population[0].rate", "does not say when it ends", "until = 60"]);
    start("rate = 1.5\ncount = 3\nregion = \"exit\"\ntotal = 3", &["cannot stand beside `count`", "until or total"]);
    rate("rate = 0", &["rate = 0: out of range", "from 0.000001 to 1000 people a second"]);
    rate("rate = \"often\"", &["expected people a second", "found a string"]);
    rate("rate = {}", &["one of `poisson`, `schedule` is missing"]);
    rate("rate = { poisson = 1, poison = 1 }", &["unknown key", "did you mean `poisson`?"]);
    rate("rate = { poisson = -1.5 }", &["rate.poisson = -1.5", "try 1.5"]);
    rate("rate = { schedule = 3 }", &["expected a list [[seconds, rate]"]);
    rate("rate = { schedule = [[0, 1, 2]] }", &["schedule[0]", "expected a step [seconds, rate], found a list of 3"]);
    rate("rate = { schedule = [[0, 1], [0, 2]] }", &["schedule[1]", "not later than the step before it, at 0 s"]);
    rate("rate = { schedule = [[0, 0]] }", &["nobody ever comes"]);
    let many = "[[population]]\nrate = 1000\nregion = \"exit\"\nuntil = 1001\n";
    check(&format!("{PLACE}{many}"), 5, &["1001000 people", "at most 1000000 in a scenario"]);
    let read = |rate: &str| {
        let text = format!("{PLACE}[[population]]\nregion = \"exit\"\nrate = {rate}\nuntil = 60\ntotal = 9\n");
        good(&text).populations.remove(0).arrivals.expect("a rate")
    };
    let step = |from, rate| RateStep { from, rate };
    let arrivals = |rate, random| Arrivals { rate, random, until: Some(60.0), total: Some(9) };
    assert_eq!(read("1.5"), arrivals(vec![step(0.0, 1.5)], false));
    assert_eq!(read("{ poisson = 2 }"), arrivals(vec![step(0.0, 2.0)], true));
    let steps = vec![step(0.0, 1.0), step(60.0, 0.2)];
    assert_eq!(read("{ schedule = [[0, 1.0], [60, 0.2]] }"), arrivals(steps.clone(), false));
    assert_eq!(read("{ poisson = [[0, 1.0], [60, 0.2]] }"), arrivals(steps, true));
}

#[test]
fn journeys() {
    person("journey = \"exit\"", &["expected a list of stops, found a string", "journey = [\"exit\"]"]);
    person("journey = [3, 4]", &["found numbers", "journey = [[x, y]]"]);
    person("journey = [\"exlt\"]", &["journey[0] = \"exlt\": unknown region", "did you mean \"exit\"?"]);
    person("journey = [\"opposite\"]", &["only people on a circle"]);
    person("journey = [[1, 2, 3]]", &["expected a point [x, y], found a list of 3"]);
    person("journey = [true]", &["expected a stop", "found a truth value"]);
    person("journey = [{ any = [] }]", &["nothing to choose from"]);
    person(
        "journey = [{ any = [\"exit\", \"nowhere\"] }]",
        &["any[1] = \"nowhere\": unknown region", "allowed: \"exit\""],
    );
    person(
        "journey = [{ wait = { signal = \"light\", show = \"green\" } }]",
        &["wait.signal = \"light\"", "unknown signal"],
    );
    person("journey = [{ wait = { show = \"green\" } }]", &["journey[0].wait", "`signal` is missing"]);
    person("journey = [{ any = [\"exit\"], by = \"luck\" }]", &["unknown choice", "\"distance\""]);
    person("journey = [{ wait = -3 }]", &["journey[0].wait = -3", "from 0 to 100000 s"]);
    person("journey = [{ wait = 3, for = 2 }]", &["journey[0].for", "no meaning beside `wait`"]);
    person("journey = [{ wander = \"exti\" }]", &["unknown region", "did you mean \"exit\"?"]);
    person("journey = [{ wander = \"exit\" }, \"exit\"]", &["nobody gets to the stops after", "for = 60"]);
    person("journey = [{ wander = \"exit\", for = \"long\" }]", &["journey[0].for", "found a string"]);
    person("journey = [{ any = [\"exit\"], by = \"weights\" }]", &["`weights` is missing"]);
    person("journey = [{ any = [\"exit\"], weights = [1] }]", &["weights", "add by = \"weights\""]);
    person("journey = [{ any = [\"exit\"], by = \"weights\", weights = [1, 2] }]", &["2 weights for 1 stops"]);
    person("journey = [{ any = [\"exit\"], by = \"weights\", weights = [0] }]", &["all weights are 0"]);
    person("journey = [{ }]", &["one of `any`, `wait`, `wander` is missing"]);
    person("repeat = true", &["there is no journey to repeat"]);
    person("repeat = true\njourney = [\"exit\"]\nstay = true", &["who repeats a journey does not stay"]);
    // A region whose polygon is wrong is one problem, not two.
    let text = "[place]\nfloor = [[0, 0], [9, 0], [9, 9]]\nregions = [{ name = \"exit\", polygon = 3 }]\n[[population]]\nat = [[1, 1]]\njourney = [\"exit\"]\n";
    check(text, 3, &["expected a ring"]);
}

#[test]
fn events_run_and_record() {
    after("[[event]]\nat = -1\nclose = \"front\"", 9, &["event[0].at = -1", "from 0 to 1000000 s", "try 1"]);
    after("[[event]]\nclose = \"front\"", 8, &["event[0]", "`at` is missing"]);
    after("[[event]]\nat = 3", 8, &["one of `open`, `close`, `add`, `journey`, `speed` is missing"]);
    let event = |lines: &str, words: &[&str]| after(&format!("[[event]]\nat = 3\n{lines}"), 10, words);
    event("add = \"peple\"\ncount = 3", &["unknown population", "did you mean \"people\"?"]);
    after("[[event]]\nat = 3\nadd = \"people\"", 8, &["`count` is missing"]);
    event("count = 0\nadd = \"people\"", &["event[0].count = 0", "from 1 to 1000000"]);
    event("of = \"people\"\nadd = \"people\"\ncount = 3", &["event[0].of", "no meaning beside `add`"]);
    event("speed = 0", &["event[0].speed = 0", "from 0.05 to 4", "try 0.05"]);
    event("of = \"nobody\"\nspeed = 2", &["unknown population", "allowed: \"people\""]);
    event("stay = true\nspeed = 2", &["no meaning beside `speed`"]);
    event("journey = []", &["there is no stop in it"]);
    event("journey = [\"exti\"]", &["event[0].journey[0]", "did you mean \"exit\"?"]);
    event("journey = [\"opposite\"]", &["only people on a circle", "leave it out"]);
    event("repeat = true\nstay = true\njourney = [\"exit\"]", &["does not stay"]);
    event("journey = [{ wander = \"exit\" }, \"exit\"]", &["nobody gets to the stops after"]);
    after("[[event]]\nat = 3\nadd = \"people\"\ncount = 999998", 8, &["1000001 people up to here are too many"]);
    let signal = |lines: &str, line: u32, words: &[&str]| after(&format!("[[signal]]\n{lines}"), line, words);
    signal("phases = [{ show = \"red\", for = 3 }]", 8, &["signal[0]", "`name` is missing"]);
    signal("name = \"a\"", 8, &["signal \"a\"", "`phases` is missing", "for = 30"]);
    signal("name = \"a\"\nphases = []", 10, &["there is nothing to show"]);
    signal("name = \"a\"\nphases = [{ show = \"red\" }]", 10, &["`for` is missing"]);
    signal("name = \"a\"\nphases = [{ show = \"red\", for = 0.5 }]", 10, &["for = 0.5", "from 1 to 100000 s"]);
    let light = "[[signal]]\nname = \"light\"\nphases = [{ show = \"red\", for = 3 }]\n";
    let waits = |show: &str| {
        format!("{PLACE}{PEOPLE}journey = [{{ wait = {{ signal = \"light\", show = \"{show}\" }} }}]\n{light}")
    };
    check(&waits("green"), 8, &["wait.show = \"green\"", "unknown phase", "allowed: \"red\""]);
    assert_eq!(good(&waits("red")).populations[0].journey, [Stop::Signal { signal: 0, show: "red".into() }]);
    signal(&format!("name = \"light\"\nphases = [{{ show = \"x\", for = 3 }}]\n{light}"), 12, &["another signal"]);
    after("[[event]]\nat = 3\nclose = \"frnt\"", 10, &["unknown door", "did you mean \"front\"?"]);
    after("[[event]]\nat = 3\nclose = \"front\"\nopen = \"front\"", 10, &["cannot stand beside `open`"]);
    after("[event]\nat = 3\nclose = \"front\"", 8, &["write [[event]] instead of [event]"]);
    after("[run]\ntick = 0", 9, &["run.tick = 0", "from 0.001 to 1 s", "try 0.001"]);
    after("[run]\nuntil = 1e7", 9, &["try 1000000"]);
    after("[run]\nseed = -1", 9, &["a whole number from 0 to 18446744073709551615", "try 0"]);
    after("[run]\nseed = 1.5", 9, &["not a whole number"]);
    after("[run]\nseed = 99999999999999999999999999999999999999999999", 9, &["out of range"]);
    after("[run]\nseparate = \"no\"", 9, &["expected true or false, found a string"]);
    after("[record]\nevery = 0", 9, &["a whole number from 1 to 1000"]);
    after("run = 3", 8, &["population[0].run: unknown key", "`run` belongs in the file"]);
}

#[test]
fn movers_and_recorded_people() {
    let bus = |line: u32, path: &str, words: &[&str]| {
        let shape = "name = \"bus\"\npolygon = [[-5, -1], [5, -1], [5, 1], [-5, 1]]\n";
        after(&format!("[[mover]]\n{shape}{path}"), line, words);
    };
    bus(8, "turn = true", &["mover \"bus\"", "`path` is missing"]);
    bus(11, "path = [[0, 1, 2]]", &["a path of 1 points", "2 to 100000 points"]);
    bus(11, "path = [[0, 1], [5, 2, 3]]", &["path[0]", "expected a point [seconds, x, y], found a list of 2"]);
    bus(11, "path = [[5, 1, 1], [5, 2, 3]]", &["path[1]", "not later than the point before it, at 5 s"]);
    bus(11, "path = [[-5, 1, 1], [5, 2, 3]]", &["path[0][0] = -5", "from 0 to 1000000 s"]);
    after("[[mover]]\npolygon = [[0, 0], [1, 0], [1, 1]]\npath = [[0, 1, 1], [5, 2, 3]]", 8, &["`name` is missing"]);
    after("[[mover]]\nname = \"bus\"\npolygon = [[0, 0], [1, 0]]\npath = [[0, 1, 1], [5, 2, 3]]", 10, &["2 points"]);

    start("play = \"people.txt\"", &["play = \"people.txt\"", "no such file"]);
    start("play = \"../people.txt\"", &["leads out of the scenario's folder"]);
    start("play = { unit = \"cm\" }", &["population[0].play", "`file` is missing"]);
    start("play = { file = \"plan.wkt\", unit = \"km\" }", &["play.unit", "unknown unit", "\"m\" or \"cm\""]);
    start("play = \"plan.wkt\"", &["play = \"plan.wkt\""]);
    let recorded = |text: &str| {
        struct People;
        impl Files for People {
            fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
                Ok(b"7 10 100 200\n7 12 300 200\n3 11 500 500\n3 12 500 600\n".to_vec())
            }
        }
        Scenario::parse(&format!("{PLACE}[[population]]\n{text}\n"), &People, "room.toml")
    };
    let unstated = recorded("play = \"people.txt\"").unwrap_err().to_string();
    assert!(unstated.contains("room.toml:6:") && unstated.contains("does not state its unit"), "{unstated}");
    assert!(unstated.contains("play = { file = \"people.txt\", unit = \"cm\" }"), "{unstated}");
    let both = recorded("play = { file = \"people.txt\", unit = \"cm\", fps = 2 }\nspeed = 3").unwrap_err().to_string();
    assert!(both.contains("speed: has no meaning beside `play`"), "{both}");
    let people = recorded("play = { file = \"people.txt\", unit = \"cm\", fps = 2, start = 5 }\nradius = 0.2");
    let people = people.unwrap_or_else(|problems| panic!("{problems}")).populations.remove(0);
    let Start::Played(played) = people.start else { panic!("recorded people") };
    let point = DVec2::new;
    let first = Track { radius: 0.2, times: vec![0.0, 1.0], points: vec![point(1.0, 2.0), point(3.0, 2.0)] };
    let second = Track { radius: 0.2, times: vec![0.5, 1.0], points: vec![point(5.0, 5.0), point(5.0, 6.0)] };
    assert_eq!((played.start, &*played.tracks), (5.0, &[first, second][..]));
}

#[test]
fn all_problems_come_at_once_in_order_of_lines() {
    let text = format!(
        "{PLACE}[[population]]\ncount = -3\narea = [[1, 1], [8, 1]]\nspeed = 20\nmodell = \"orca\"\n\
        journey = [\"exit\", \"entry\"]\n[[event]]\nat = 1\nopen = \"back\"\n[run]\ntick = 5\n"
    );
    let lines: Vec<u32> = bad(&text).iter().filter_map(|problem| problem.line).collect();
    assert_eq!(lines, [6, 7, 8, 9, 10, 13, 15]);
}

#[test]
fn names_are_unique_and_given() {
    let person = "[[population]]\nat = [[1, 1]]\n";
    check(&format!("{PLACE}{person}name = \"a\"\n{person}name = \"a\"\n"), 10, &["another population called \"a\""]);
    let scenario = good(&format!("{PLACE}{person}{person}name = \"people 2\"\n{person}"));
    let names: Vec<&str> = scenario.populations.iter().map(|population| population.name.as_str()).collect();
    assert_eq!(names, ["people", "people 2", "people 3"]);
    let named = format!("{PLACE}{person}name = \"visitors\"\nspeed = 0\n");
    check(&named, 8, &["population \"visitors\".speed = 0"]);
}

#[test]
fn too_many() {
    let person = "[[population]]\nat = [[1, 1]]\n";
    check(&format!("{PLACE}{}", person.repeat(1024)), 4 + 2 * 1023 + 1, &["too many populations", "at most 1023"]);
    let half = "[[population]]\ncount = 500001\nregion = \"exit\"\n";
    check(&format!("{PLACE}{half}{half}"), 8, &["1000002 people", "at most 1000000 in a scenario"]);
}

#[test]
fn a_large_bad_file_is_refused_soon() {
    let keys: String = (0..100_000).map(|i| format!("a{i} = {i}\n")).collect();
    let people = "[[population]]\n".repeat(100_000);
    let stops = "\"nowhere\", ".repeat(100_000);
    for text in [keys, format!("{PLACE}{people}"), format!("{PLACE}{PEOPLE}journey = [{stops}]")] {
        assert!(bad(&text).len() <= 101);
    }
}

#[test]
fn ten_lines_run() {
    let scenario = good(&format!("{PLACE}{PEOPLE}journey = [\"exit\"]\n"));
    assert_eq!(scenario.name, "room");
    assert_eq!(scenario.run, Run { seed: 1, until: 600.0, tick: 0.05, separate: true });
    assert_eq!(scenario.record, Record { every: 1 });
    assert_eq!(scenario.place_lines, PlaceLines { floor: 1, obstacles: vec![], doors: vec![3], regions: vec![4] });
    let people = &scenario.populations[0];
    assert_eq!((people.line, people.start_line, people.journey_line), (5, 7, 8));
    assert_eq!(people.speed, Distribution::Normal { mean: 1.34, sd: 0.26, min: 0.5, max: 2.2 });
    assert_eq!(people.radius, Distribution::Constant(0.25));
    assert_eq!(people.mass, Distribution::Constant(80.0));
    assert_eq!(people.premovement, Distribution::Constant(0.0));
    assert_eq!((people.nearest, people.within, people.stay), (10, 5.0, false));
    assert_eq!(people.model, Model::Headway(Headway::default()));
    assert_eq!(people.journey, [Stop::Region(0)]);
    assert_eq!(people.start.count(), 3);
}

#[test]
fn every_form_is_understood() {
    let text = format!(
        "format = 1\nname = \"all\"\n{PLACE}
[[population]]
circle = {{ center = [10, 5], radius = 4, jitter = 0.1 }}
count = 0x10
journey = [\"opposite\", [1, 2.5], {{ any = [\"exit\", [3, 3]], by = \"distance\" }}]
stay = true
model = {{ orca = {{ time_horizon = 4 }} }}
speed = {{ normal = [1.2, 0.2] }}
radius = {{ uniform = [0.2, 0.3] }}
mass = {{ normal = [70, 0] }}
premovement = {{ lognormal = [3.44, 0.94], max = 300 }}
neighbours = {{ nearest = 5, within = 8 }}
body = \"disc\"

[[population]]
grid = {{ origin = [1, 1], columns = 3, rows = 2, spacing = 0.8 }}
premovement = {{ exponential = 10, max = 60 }}

[[event]]
at = 9
open = \"front\"
[[event]]
at = 3
close = \"front\"
"
    );
    let scenario = good(&text);
    assert_eq!((scenario.name.as_str(), scenario.text.as_str()), ("all", text.as_str()));
    let [first, second] = &scenario.populations[..] else { panic!("two populations") };
    assert_eq!(first.start, Start::Circle { count: 16, center: DVec2::new(10.0, 5.0), radius: 4.0, jitter: 0.1 });
    let any = Stop::Any(vec![Stop::Region(0), Stop::Point(DVec2::new(3.0, 3.0))]);
    assert_eq!(first.journey, [Stop::Opposite, Stop::Point(DVec2::new(1.0, 2.5)), any]);
    assert_eq!(first.model, Model::Orca(Orca { time_horizon: 4.0, ..Orca::default() }));
    assert_eq!(first.speed, Distribution::Normal { mean: 1.2, sd: 0.2, min: 0.01, max: 10.0 });
    assert_eq!(first.radius, Distribution::Uniform { low: 0.2, high: 0.3 });
    assert_eq!(first.mass, Distribution::Constant(70.0));
    assert_eq!(first.premovement, Distribution::Lognormal { mu: 3.44, sigma: 0.94, min: 0.0, max: 300.0 });
    assert_eq!((first.nearest, first.within, first.stay), (5, 8.0, true));
    assert_eq!(second.start.count(), 6);
    assert_eq!(second.premovement, Distribution::Exponential { mean: 10.0, max: 60.0 });
    assert!(second.stay && second.journey.is_empty());
    let times: Vec<(f64, Action)> = scenario.events.iter().map(|event| (event.at, event.action.clone())).collect();
    assert_eq!(times, [(3.0, Action::Close(0)), (9.0, Action::Open(0))]);
}

#[test]
fn floors_of_every_kind() {
    let floor = good("[place]\nfile = \"plan.wkt\"\n").place;
    assert_eq!(floor.areas.len(), 1);
    let text = "[place]\nareas = [{ floor = [[0, 0], [9, 0], [9, 9]] }, { floor = [[20, 0], [29, 0], [29, 9]], holes = [[[26, 1], [27, 1], [27, 2]]] }]\n";
    let floor = good(text).place;
    assert_eq!((floor.areas.len(), floor.areas[1].holes.len()), (2, 1));
    let text = "[place]\nfloor = [[0, 0], [9, 0], [9, 9]]\nholes = [[[6, 1], [7, 1], [7, 2]]]\n[[place.regions]]\nname = \"a\"\npolygon = [[0, 0], [1, 0], [1, 1]]\n";
    let place = good(text).place;
    assert_eq!((place.areas[0].holes.len(), place.regions[0].name.as_str()), (1, "a"));
}

#[test]
fn template_parses_and_bears_its_name() {
    for name in ["a room", "quote \" and \\", "Ünïcode"] {
        let scenario = good(&template(name));
        assert_eq!(scenario.name, name);
        assert_eq!((scenario.populations.len(), scenario.events.len()), (1, 2));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random edits of a good file: a scenario or problems, never a panic.
    #[test]
    fn mutated_templates_never_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>()), 1..12)) {
        let mut bytes = template("x").into_bytes();
        for (at, kind, byte) in edits {
            let i = at.index(bytes.len());
            match kind {
                0 => bytes[i] = byte,
                1 => drop(bytes.remove(i)),
                2 => bytes.insert(i, byte % 128),
                _ => { let j = (i + usize::from(byte)).min(bytes.len()); drop(bytes.drain(i..j)); bytes.push(b'\n'); }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Err(problems) = Scenario::parse(&text, &NoFiles, "x.toml") {
            prop_assert!(!problems.0.is_empty());
            prop_assert!(!problems.to_string().is_empty());
        }
    }

    /// Words of the format in any order.
    #[test]
    fn shuffled_words_never_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..40)) {
        let text = words.concat();
        let _ = Scenario::parse(&text, &NoFiles, "x.toml");
    }
}

const WORDS: &[&str] = &[
    "[place]\n",
    "[[population]]\n",
    "[[event]]\n",
    "[run]\n",
    "[record]\n",
    "floor = ",
    "at = ",
    "journey = ",
    "speed = ",
    "count = ",
    "circle = ",
    "grid = ",
    "model = ",
    "regions = ",
    "doors = ",
    "areas = ",
    "holes = ",
    "file = \"plan.wkt\"\n",
    "{ any = [[1, 2]] }\n",
    "[[0, 0], [9, 0], [9, 9]]\n",
    "[[[1, 1], [2, 1], [2, 2]]]\n",
    "[]\n",
    "{}\n",
    "[{}]\n",
    "3\n",
    "-0.5\n",
    "nan\n",
    "\"x\"\n",
    "true\n",
    "{ normal = [1, 2] }\n",
    "{ orca = {} }\n",
    "{ uniform = [1, 2] }\n",
    "1979-05-27\n",
    "[1, 2]\n",
    "\n",
    "# x\n",
];

/// One population starts off the floor, another has a wrong speed, a third does not fit: one look shows all three.
#[test]
fn what_only_the_map_shows_comes_with_the_rest() {
    let text = r#"
[place]
floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
[[population]]
name = "a"
at = [[-1, 5]]
[[population]]
name = "b"
count = 3
area = [[1, 1], [8, 1], [8, 9], [1, 9]]
speed = -1
[[population]]
name = "c"
count = 3000
area = [[1, 1], [8, 1], [8, 9], [1, 9]]
"#;
    let Problems(problems) = Scenario::parse(text, &NoFiles, "three.toml").unwrap_err();
    let lines: Vec<_> = problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [Some(6), Some(11), Some(15)], "{problems:?}");
}
