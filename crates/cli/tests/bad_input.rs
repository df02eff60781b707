//! Bad input, each kind with a message of its own: file, line, key, value, what is allowed, a suggestion. Exit code 2.

mod common;
use common::{expect, folder, passerby, texts, write};
use std::fs;

/// A scenario in which nothing is wrong; cases replace one of its lines.
const GOOD: &str = r#"name = "room"
[place]
floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
holes = [[[15, 4], [16, 4], [16, 5]]]
obstacles = [[[9, 0], [9.5, 0], [9.5, 4], [9, 4]]]
doors = [{ name = "front", line = [[9.2, 4], [9.2, 10]] }]
regions = [{ name = "exit", polygon = [[19, 0], [20, 0], [20, 10], [19, 10]] }]
[[population]]
name = "visitors"
count = 20
area = [[1, 1], [8, 1], [8, 9], [1, 9]]
journey = ["exit"]
model = "headway"
speed = 1.3
radius = 0.25
[[event]]
at = 3
close = "front"
[run]
seed = 1
until = 10
tick = 0.05
"#;

/// Which line of `GOOD` becomes what, and the words that its message must hold.
type Case = (&'static str, &'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const CASES: &[Case] = &[
    ("unknown key", "speed = 1.3", "sped = 1.3", &["sped", "unknown key", "did you mean `speed`?"]),
    ("wrong type", "count = 20", "count = \"many\"", &["count", "many", "whole number"]),
    ("not a number", "speed = 1.3", "speed = nan", &["speed", "nan", "10 m/s"]),
    ("infinity", "until = 10", "until = inf", &["until", "inf", "allowed"]),
    ("negative radius", "radius = 0.25", "radius = -0.25", &["radius", "-0.25", "2 m"]),
    ("absurd radius", "radius = 0.25", "radius = 2.1", &["radius", "2.1", "2 m"]),
    ("negative speed", "speed = 1.3", "speed = -1.3", &["speed", "-1.3", "10 m/s"]),
    ("absurd speed", "speed = 1.3", "speed = 10.1", &["speed", "10.1", "10 m/s"]),
    ("zero tick", "tick = 0.05", "tick = 0", &["tick", "= 0", "allowed"]),
    ("self-crossing polygon", "floor = [[0, 0], [20, 0], [20, 10], [0, 10]]", "floor = [[0, 0], [20, 0], [0, 10], [20, 10]]", &["place.floor[3]", "meets the edge", "at (10, 5)"]),
    ("hole outside", "holes = [[[15, 4], [16, 4], [16, 5]]]", "holes = [[[25, 4], [26, 4], [26, 5]]]", &["hole 0 leaves the outer outline", "(25, 4)", "obstacle"]),
    ("people in a wall", "area = [[1, 1], [8, 1], [8, 9], [1, 9]]", "at = [[9.1, 1]]", &["visitors", "[9.100, 1.000]", "nearest place"]),
    ("people too near a wall", "area = [[1, 1], [8, 1], [8, 9], [1, 9]]", "at = [[0.1, 1]]", &["visitors", "[0.100, 1.000]", "wall", "nearest place"]),
    ("more people than fit", "count = 20", "count = 20000", &["20000 people do not fit", "at most"]),
    ("goal that does not exist", "journey = [\"exit\"]", "journey = [\"exti\"]", &["exti", "unknown region", "did you mean \"exit\"?"]),
    ("goal that cannot be reached", "obstacles = [[[9, 0], [9.5, 0], [9.5, 4], [9, 4]]]", "obstacles = [[[9, 0], [9.5, 0], [9.5, 10], [9, 10]]]", &["visitors", "stop 1 of the journey, \"exit\", cannot be reached", "20 of 20 people", "open a door"]),
    ("unknown model", "model = \"headway\"", "model = \"headwai\"", &["headwai", "did you mean \"headway\"?", "\"orca\""]),
    ("door that does not exist", "close = \"front\"", "close = \"frunt\"", &["frunt", "unknown door", "did you mean \"front\"?"]),
    ("path out of the folder", "floor = [[0, 0], [20, 0], [20, 10], [0, 10]]", "file = \"../secret.wkt\"", &["../secret.wkt", "out of the scenario's folder"]),
    ("absolute path", "floor = [[0, 0], [20, 0], [20, 10], [0, 10]]", "file = \"/etc/secret.wkt\"", &["/etc/secret.wkt", "not a path inside the scenario's folder"]),
    ("link out of the folder", "floor = [[0, 0], [20, 0], [20, 10], [0, 10]]", "file = \"link.wkt\"", &["link.wkt", "is a link that leads out of the scenario's folder"]),
    ("not TOML", "count = 20", "count = = 20", &["not TOML"]),
];

/// What else has to change for a case.
fn text_of((name, good, bad, _): &Case) -> String {
    assert!(GOOD.contains(good), "{name}: {good} is not in the scenario");
    let text = GOOD.replace(good, bad);
    match *name {
        // The wall goes from side to side; there is no room for the door.
        "goal that cannot be reached" => {
            let door = "doors = [{ name = \"front\", line = [[9.2, 4], [9.2, 10]] }]\n";
            text.replace(door, "").replace("[[event]]\nat = 3\nclose = \"front\"\n", "")
        }
        "people in a wall" | "people too near a wall" => text.replace("count = 20\n", "\n"),
        _ if bad.starts_with("file") => text.replace("holes = [[[15, 4], [16, 4], [16, 5]]]", ""),
        _ => text,
    }
}

#[test]
fn good_one_is_good() {
    let folder = folder("bad-good");
    write(&folder, "room.toml", GOOD);
    expect(0, &folder, &["check", "room.toml"]);
}

#[test]
fn every_mistake_in_a_scenario_has_its_message() {
    let top = folder("bad");
    let folder = top.join("in");
    fs::create_dir(&folder).expect("a folder");
    write(&top, "secret.wkt", "POLYGON((0 0, 20 0, 20 10, 0 10, 0 0))");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.wkt", folder.join("link.wkt")).expect("a link");
    let mut failures = Vec::new();
    let mut messages = Vec::new();
    for case @ (name, _, bad, words) in CASES {
        let text = text_of(case);
        write(&folder, "room.toml", &text);
        let line = 1 + text.lines().position(|line| line == *bad).unwrap_or_else(|| panic!("{name}: no line {bad}"));
        // What only the whole shows is reported where the people start or where they go.
        let line = match *name {
            "more people than fit" => line + 1,
            "goal that cannot be reached" => {
                1 + text.lines().position(|line| line.starts_with("journey")).expect("a journey")
            }
            _ => line,
        };
        for command in ["check", "run"] {
            let output = passerby(&folder, &[command, "room.toml"]);
            let (out, err) = texts(&output);
            let place = format!("error: room.toml:{line}:");
            let place_found = err.contains(&place);
            let missing: Vec<_> = words.iter().filter(|word| !err.contains(**word)).collect();
            if output.status.code() != Some(2) || !out.is_empty() || !place_found || !missing.is_empty() {
                failures.push(format!(
                    "{command}, {name}: {:?}, {place} {place_found}, missing {missing:?}\n{out}{err}",
                    output.status
                ));
            }
            if command == "check" {
                messages.push(err);
            }
        }
    }
    assert!(!folder.join("passerby-out/room.parquet").exists(), "something was recorded");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    messages.sort();
    assert!(messages.windows(2).all(|pair| pair[0] != pair[1]), "two mistakes share a message");
}

#[test]
fn all_mistakes_are_told_at_once() {
    let folder = folder("bad-many");
    let text = GOOD
        .replace("speed = 1.3", "speed = -1")
        .replace("model = \"headway\"", "model = \"ocra\"")
        .replace("close = \"front\"", "close = \"back\"")
        .replace("tick = 0.05", "tick = 0\nticks = 3");
    write(&folder, "room.toml", &text);
    let (out, err) = expect(2, &folder, &["check", "room.toml"]);
    assert!(out.is_empty(), "{out}");
    let lines: Vec<&str> = err.lines().filter(|line| line.starts_with("error: ")).collect();
    let places: Vec<bool> = [13, 14, 18, 22, 23]
        .iter()
        .zip(&lines)
        .map(|(number, line)| line.starts_with(&format!("error: room.toml:{number}:")))
        .collect();
    assert_eq!(places, [true; 5], "{err}");
    assert_eq!(lines.len(), 5, "{err}");
}

#[test]
fn every_unusable_file_has_its_message() {
    let folder = folder("bad-files");
    fs::create_dir(folder.join("folder.toml")).expect("a folder");
    write(&folder, "empty.toml", "");
    write(&folder, "comment.toml", "# nothing but this\n");
    fs::write(folder.join("latin.toml"), b"name = \"a\"\n# caf\xe9\n").expect("a file");
    let large = fs::File::create(folder.join("large.toml")).expect("a file");
    large.set_len(100_000_000).expect("a sparse file");
    let table: &[(&str, &[&str])] = &[
        ("missing.toml", &["missing.toml: there is no such file", "passerby new"]),
        ("emty.toml", &["emty.toml: there is no such file", "did you mean empty.toml?"]),
        ("nowhere/room.toml", &["nowhere/room.toml: there is no such file"]),
        ("folder.toml", &["folder.toml: is a folder"]),
        ("empty.toml", &["empty.toml: the file is empty", "passerby new"]),
        ("comment.toml", &["comment.toml: the file is empty"]),
        ("large.toml", &["large.toml: has 100000000 bytes", "16 MiB", "wkt"]),
        ("latin.toml", &["latin.toml:2: not UTF-8 text: byte 16 is 0xe9", "UTF-8"]),
    ];
    for (file, words) in table {
        for command in ["check", "run"] {
            let (out, err) = expect(2, &folder, &[command, file]);
            assert!(out.is_empty() && err.starts_with("error: "), "{file}: {out}{err}");
            for word in *words {
                assert!(err.contains(word), "{file}: {word} is missing: {err}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn endless_files_end() {
    let (_, err) = expect(2, &folder("bad-endless"), &["check", "/dev/zero"]);
    assert!(err.contains("/dev/zero: has more than 16777216 bytes"), "{err}");
}

#[test]
fn messages_cannot_steer_the_terminal() {
    let folder = folder("bad-escape");
    write(&folder, "room.toml", &GOOD.replace("journey = [\"exit\"]", "journey = [\"\\u001b[31mred\"]"));
    let (_, err) = expect(2, &folder, &["check", "room.toml"]);
    assert!(!err.contains('\u{1b}'), "{err:?}");
}
