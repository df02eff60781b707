//! Bad scenarios, one line each: the line that is named and the words that matter. Here what all tests of scenarios use, and
//! files as a whole.

use super::*;

/// Lines 1 to 4: a place.
pub(super) const PLACE: &str = "[place]
floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
doors = [{ name = \"front\", line = [[10, 4], [10, 6]] }]
regions = [{ name = \"exit\", polygon = [[19, 0], [20, 0], [20, 10], [19, 10]] }]
";
/// Lines 5 to 7: people in it.
pub(super) const PEOPLE: &str = "[[population]]
count = 3
area = [[1, 1], [8, 1], [8, 9], [1, 9]]
";

pub(super) struct OnePlan(pub &'static [u8]);

impl Files for OnePlan {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == "plan.wkt" { Ok(self.0.to_vec()) } else { Err("no such file".into()) }
    }
}

#[track_caller]
pub(super) fn good(text: &str) -> Scenario {
    Scenario::parse(text, &OnePlan(b"POLYGON ((0 0, 20 0, 20 10, 0 10, 0 0))"), "dir/room.toml")
        .unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
pub(super) fn bad(text: &str) -> Vec<Problem> {
    match Scenario::parse(text, &OnePlan(b"POLYGON ((0 0, 20 0"), "room.toml") {
        Ok(_) => panic!("taken:\n{text}"),
        Err(problems) => problems.0,
    }
}

/// The file has exactly one problem, in that line (0: of the whole file), told with these words.
#[track_caller]
pub(super) fn check(text: &str, line: u32, words: &[&str]) {
    let problems = bad(text);
    let shown = problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(problems.len(), 1, "{shown}");
    assert_eq!(problems[0].line.unwrap_or(0), line, "{shown}");
    for word in words {
        assert!(shown.contains(word), "no `{word}` in\n{shown}");
    }
}

/// A wrong line of a place that has a floor already, line 3 of the file.
#[track_caller]
pub(super) fn part(line: &str, words: &[&str]) {
    check(&format!("[place]\nfloor = [[0, 0], [20, 0], [20, 10], [0, 10]]\n{line}\n"), 3, words);
}

/// A wrong place, line 2 of the file.
#[track_caller]
pub(super) fn ground(line: &str, words: &[&str]) {
    check(&format!("[place]\n{line}\n"), 2, words);
}

/// A wrong line after all, line 8 of the file.
#[track_caller]
pub(super) fn after(lines: &str, line: u32, words: &[&str]) {
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
    after("[[situation]]\nname = \"a\"\nregion = \"hall\"", 10, &["situation \"a\".region", "unknown region", "exit"]);
    after("[runs]\nseed = 3", 8, &["runs: unknown key", "did you mean `run`?", "format, name, place"]);
    check(&format!("seed = 7\n{PLACE}"), 1, &["seed: unknown key", "`seed` belongs in [run]"]);
    check(&format!("name = \"\"\n{PLACE}"), 1, &["not usable as a name", "1 to 100 characters"]);
}

#[test]
fn measures() {
    after("[[measure]]\nline = [[0, 0], [1, 0]]", 8, &["measure[0]", "`name` is missing"]);
    after("[[measure]]\nname = \"a\"", 8, &["one of `line`, `area` is missing", "line = [[10, 4], [10, 6]]"]);
    let measure = |lines: &str, words: &[&str]| after(&format!("[[measure]]\nname = \"a\"\n{lines}"), 10, words);
    measure("line = [[0, 0]]", &["measure \"a\".line", "expected a line [[x, y], [x, y]], found 1 points"]);
    measure("line = [[0, 0], [0, 0]]", &["less than 0.01 m apart"]);
    measure("area = [[0, 0], [1, 1]]", &["measure \"a\".area"]);
    measure("width = 0\nline = [[0, 0], [1, 0]]", &["measure \"a\".width = 0", "from 0.01 to 10000 m"]);
    measure("width = 2\narea = [[0, 0], [1, 0], [1, 1]]", &["goes with `line`"]);
    measure("breadth = 2\nline = [[0, 0], [1, 0]]", &["unknown key", "in [[measure]]: name, line, area, width"]);
    after(
        "[[measure]]\nname = \"a\"\nline = [[0, 0], [1, 0]]\n[[measure]]\nname = \"a\"\nline = [[0, 0], [1, 0]]",
        12,
        &["another measure of this name"],
    );
}

#[test]
fn events_run_and_record() {
    after("[[event]]\nat = -1\nclose = \"front\"", 9, &["event[0].at = -1", "from 0 to 1000000 s", "try 1"]);
    after("[[event]]\nclose = \"front\"", 8, &["event[0]", "`at` is missing"]);
    after(
        "[[event]]\nat = 3",
        8,
        &["one of `open`, `close`, `put`, `take`, `add`, `journey`, `speed`", "`change`", "`resume` is missing"],
    );
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
