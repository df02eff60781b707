//! Bad populations, one line each: where they start, who they are, when they come, where they go.

use super::tests::*;
use super::*;

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
    person("neighbours = \"delauny\"", &["unknown choice of neighbours", "did you mean \"delaunay\"?"]);
    person("neighbours = \"view\"", &["unknown choice of neighbours", "{ nearest, within, view }", "for example"]);
    person("neighbours = 5", &["expected a choice of neighbours", "\"delaunay\" or { nearest, within, view }"]);
    person("model = { lamarche = { back = {} } }", &["no reaction comes into question", "\"accept\""]);
    person("model = { rvo = { samples = 33.7 } }", &["out of range", "20 to 1000, whole"]);
    person("neighbours = { view = 400 }", &["neighbours.view = 400", "from 10 to 360 degrees"]);
    person("model = { lamarche = { preset = \"left\" } }", &["unknown preset", "\"driving-rule\""]);
    person("model = { lamarche = { front = \"stop\" } }", &["\"accept\""]);
    person("model = { lamarche = { front = { right = [1] } } }", &["expected two exponents, found 1", "[1, 1]"]);
    person("model = { lamarche = { front = { rigth = [1, 1] } } }", &["did you mean `right`?"]);
    person("model = { lamarche = { front = { right = [1, 101] } } }", &["from 0 to 100"]);
    person("model = \"orka\"", &["unknown model", "did you mean \"orca\"?", "\"headway\""]);
    person("model = 3", &["expected a string, found a number"]);
    person("model = { orka = {} }", &["population[0].model.orka: unknown model", "did you mean \"orca\"?"]);
    person("model = { orca = { time_horizn = 3 } }", &["model.orca.time_horizn", "did you mean `time_horizon`?"]);
    person("model = { orca = { time_horizon = -3 } }", &["time_horizon = -3: out of range", "0.1 to 60 s"]);
    person("model = { orca = { time_horizon = \"3\" } }", &["expected a number, found a string"]);
    person("model = { orca = { time_horizon = nan } }", &["not a number"]);
    person("model = { paris = { interval = inf } }", &["out of range", "0.1 to 5 s"]);
    person("model = { orca = 3 }", &["expected a table of parameters, found a number"]);
    person("model = { orca = {}, headway = {} }", &["expected one model, found 2"]);
    person(
        "model = { orca = { margin = { uniform = [0, 1] } } }",
        &["parameters of \"orca\" are the same for everybody", "laws with \"tangent\" and \"vision\" alone"],
    );
    person("model = { tangent = { strategy = { uniform = [0, 2] } } }", &["strategy.uniform[1] = 2", "from 0 to 1"]);
    person("model = { tangent = { strategy = { uniform = [0, 1], max = 1 } } }", &["strategy.max", "its own bounds"]);
    person("model = { tangent = { stratgy = { uniform = [0, 1] } } }", &["did you mean `strategy`?"]);
    person("model = { vision = { anticipation = { normal = [0.001, 0.1] } } }", &["hardly ever between 0.01 and 10"]);
    person("model = { vision = { anticipation = {} } }", &["model.vision.anticipation"]);
    person("body = \"graph\"", &["body = \"graph\"", "not available in this version"]);
    person("body = \"disk\"", &["did you mean \"disc\"?"]);
    person("rate = 1.5", &["population[0].rate = 1.5", "cannot stand beside `count`"]);
    person("stay = 1", &["expected true or false, found a number"]);
    person("stay = false", &["without a journey"]);
    person("sped = 1", &["sped: unknown key", "did you mean `speed`?"]);
    person("seed = 1", &["seed: unknown key", "hint"]);
    person("until = 60", &["until = 60", "only where people come", "add rate = 1.5"]);
    person("name = \"a\\nb\"", &["not usable as a name"]);
    person("at = [[1, 1]]", &["cannot stand beside `area`"]);
    person("follow = \"people\"", &["follow", "people of the model `headway` follow nobody", "model = \"vision\""]);
}

/// Whom people follow is another population by its name, or their own.
#[test]
fn followers() {
    let two = |first: &str, second: &str| {
        let people = |name: &str, line: &str| {
            format!("[[population]]\nname = \"{name}\"\nat = [[5, 5]]\nmodel = \"vision\"\n{line}\n")
        };
        format!("{PLACE}{}{}", people("a", first), people("b", second))
    };
    let read = |text: &str| good(text).populations.iter().map(|population| population.follow).collect::<Vec<_>>();
    assert_eq!(read(&two("follow = \"b\"", "")), [Some(1), None]);
    assert_eq!(read(&two("follow = \"a\"", "follow = \"a\"")), [Some(0), Some(0)]);
    check(&two("", "follow = \"c\""), 14, &["population \"b\".follow = \"c\": unknown population", "\"a\" or \"b\""]);
    check(&two("follow = \"b\"", "follow = \"a\""), 9, &["they follow people who follow them", "walk by itself"]);
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
fn groups_and_sides() {
    person("group = 2", &["expected a group { size, weights, leader, speeds }, found a number"]);
    person("group = {}", &["population[0].group", "`size` is missing", "size = 2"]);
    person("group = { size = 0 }", &["group.size = 0", "a whole number from 1 to 12", "try 1"]);
    person("group = { size = 13 }", &["group.size = 13", "try 12"]);
    person("group = { size = 2.5 }", &["not a whole number"]);
    person("group = { size = [] }", &["there is no size to choose from", "size = [2, 3]"]);
    person("group = { size = [2, 0] }", &["group.size[1] = 0", "from 1 to 12"]);
    person("group = { size = \"two\" }", &["found a string"]);
    person("group = { size = [2, 3], weights = [1] }", &["1 weights for 2 sizes", "one weight for each size"]);
    person("group = { size = [2, 3], weights = [0, 0] }", &["all weights are 0"]);
    person("group = { size = [2, 3], weights = [1, -1] }", &["group.weights[1] = -1", "try 1"]);
    person("group = { size = 2, weight = [1] }", &["group.weight: unknown key", "did you mean `weights`?"]);
    person("group = { size = 2, leader = 1 }", &["expected true or false, found a number"]);
    person("group = { size = [2, 3], speeds = [1, 1] }", &["2 speeds for groups of up to 3", "leave it out"]);
    person("group = { size = 2, speeds = [1, 0] }", &["group.speeds[1] = 0", "from 0.01 to 10 m/s"]);
    person("leader = true", &["leader: unknown key", "`leader` belongs in a group"]);
    person("side = \"rihgt\"", &["unknown side", "did you mean \"right\"?", "\"none\", \"left\" or \"right\""]);
    person("side = true", &["expected a string, found a truth value"]);
    let read = |lines: &str| {
        let people = good(&format!("{PLACE}{PEOPLE}{lines}\n")).populations.remove(0);
        (people.group, people.side)
    };
    let grouping = |sizes: &[u32], weights: &[f64]| {
        Some(Grouping { sizes: sizes.to_vec(), weights: weights.to_vec(), leader: false, speeds: Vec::new() })
    };
    assert_eq!(read(""), (None, Side::None));
    assert_eq!(read("group = { size = 3 }\nside = \"left\""), (grouping(&[3], &[1.0]), Side::Left));
    assert_eq!(read("group = { size = [2, 3], weights = [0.7, 0.3] }").0, grouping(&[2, 3], &[0.7, 0.3]));
    assert_eq!(read("group = { size = [1, 2] }\nside = \"none\"").0, grouping(&[1, 2], &[1.0, 1.0]));
    let led = read("group = { size = 2, leader = true, speeds = [0.5, 1.25] }\nside = \"right\"");
    let expected = Grouping { leader: true, speeds: vec![0.5, 1.25], ..grouping(&[2], &[1.0]).expect("a group") };
    assert_eq!(led, (Some(expected), Side::Right));
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
