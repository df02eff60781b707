//! `passerby map` on small floors whose cells, portals and ways were worked out by hand, and on what is wrong with places.

mod common;
use common::{expect, folder, write};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tiny_skia::Pixmap;

const L: &str = "POLYGON ((0 0, 10 0, 10 4, 4 4, 4 10, 0 10))";
const PILLAR: &str = "POLYGON ((0 0, 10 0, 10 10, 0 10), (4 4, 6 4, 6 6, 4 6))";
const OFF_PILLAR: &str = "POLYGON ((0 0, 12 0, 12 9, 0 9), (5 3, 7 3, 7 5, 5 5))";
const T: &str = "POLYGON ((0 0, 15 0, 15 3, 9 3, 9 10, 6 10, 6 3, 0 3))";
const KINK: &str = "POLYGON ((0 0, 12 0, 12 3, 7 2, 0 5))";
const DOOR: &str = "
[place]
floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
obstacles = [[[9.9, 0], [10.1, 0], [10.1, 4], [9.9, 4]], [[9.9, 6], [10.1, 6], [10.1, 10], [9.9, 10]]]
[[population]]
at = [[1, 1]]
";
/// Rooms of 16 m2 and 20 m2 that do not touch.
const ROOMS: &str = "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4)), ((10 0, 15 0, 15 4, 10 4)))";

#[track_caller]
fn measured(folder: &Path, arguments: &[&str]) -> Value {
    let (out, err) = expect(0, folder, &[&["map"], arguments, &["--json"]].concat());
    assert!(err.is_empty(), "{err}");
    serde_json::from_str(&out).expect("nothing but JSON")
}

fn near(value: &Value, expected: f64, within: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() <= within)
}

/// Points, sorted.
fn points(value: &Value) -> Vec<[f64; 2]> {
    let number = |value: &Value| value.as_f64().expect("a number");
    let list = value.as_array().expect("points");
    let mut points: Vec<[f64; 2]> = list.iter().map(|point| [number(&point[0]), number(&point[1])]).collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points
}

/// A floor with the feet, cells, ways out (of 1, 2 and 3) and widths of passages it must have.
struct Small {
    name: &'static str,
    text: &'static str,
    corners: u32,
    feet: &'static [[f64; 2]],
    cells: u32,
    portals: u32,
    ways_out: [u32; 3],
    passages: &'static [f64],
    area: f64,
}

#[rustfmt::skip]
const SMALL: &[Small] = &[
    Small { name: "l.wkt", text: L, corners: 6, feet: &[[0.0, 4.0], [4.0, 0.0]], cells: 3, portals: 2, ways_out: [2, 1, 0], passages: &[4.0, 4.0], area: 64.0 },
    Small { name: "pillar.wkt", text: PILLAR, corners: 8, feet: &[[0.0, 4.0], [0.0, 6.0], [4.0, 0.0], [4.0, 10.0], [6.0, 0.0], [6.0, 10.0], [10.0, 4.0], [10.0, 6.0]],
        cells: 8, portals: 8, ways_out: [0, 8, 0], passages: &[4.0; 5], area: 96.0 },
    Small { name: "off.wkt", text: OFF_PILLAR, corners: 8, feet: &[[0.0, 3.0], [0.0, 5.0], [5.0, 0.0], [5.0, 9.0], [7.0, 0.0], [7.0, 9.0], [12.0, 3.0], [12.0, 5.0]],
        cells: 8, portals: 8, ways_out: [0, 8, 0], passages: &[3.0, 3.0, 4.0, 4.0], area: 104.0 },
    Small { name: "door.toml", text: DOOR, corners: 12, feet: &[[0.0, 4.0], [0.0, 6.0], [20.0, 4.0], [20.0, 6.0]], cells: 7, portals: 6, ways_out: [4, 1, 2], passages: &[2.0, 2.0], area: 198.4 },
    Small { name: "t.wkt", text: T, corners: 8, feet: &[[6.0, 0.0], [9.0, 0.0]], cells: 4, portals: 3, ways_out: [3, 0, 1], passages: &[3.0; 3], area: 66.0 },
    Small { name: "kink.wkt", text: KINK, corners: 5, feet: &[[0.0, 2.0], [1.8103, 4.2241], [7.0, 0.0], [11.4231, 2.8846], [12.0, 2.0]], cells: 3, portals: 2, ways_out: [2, 1, 0], passages: &[2.0], area: 37.0 },
];

#[test]
fn small_floors_are_as_worked_out_by_hand() {
    let folder = folder("map-small");
    for Small { name, text, corners, feet, cells, portals, ways_out, passages, area } in SMALL {
        write(&folder, name, text);
        let found = measured(&folder, &[name]);
        let kept = [&found["corners"], &found["cells"], &found["portals"], &found["portals_wide_enough"]];
        assert_eq!(kept, [&json!(corners), &json!(cells), &json!(portals), &json!(portals)], "{name}: {found}");
        let [one, two, three] = ways_out;
        assert_eq!(found["ways_out"], json!({ "0": 0, "1": one, "2": two, "3": three, "4": 0, "more": 0 }), "{name}");
        let at = points(&found["feet"]);
        let alike = at.iter().zip(*feet).all(|(a, b)| (a[0] - b[0]).abs() < 1e-4 && (a[1] - b[1]).abs() < 1e-4);
        assert!(at.len() == feet.len() && alike, "{name}: {at:?}");
        let narrow = found["passages"].as_array().expect("passages");
        let widths = narrow.iter().zip(*passages).all(|(found, width)| near(&found["width_m"], *width, 1e-6));
        assert!(narrow.len() == passages.len() && widths, "{name}: {narrow:?}");
        assert!(near(&found["free_m2"], *area, 1e-6) && near(&found["parts"][0]["m2"], *area, 1e-6), "{name}: {found}");
        assert_eq!(found["parts"].as_array().map(Vec::len), Some(1), "{name}");
    }
}

/// The middle of the kink is at (7, 1); the text says the same as the JSON.
#[test]
fn text_says_where_it_is_narrow() {
    let folder = folder("map-text");
    // Far from the origin, as surveys are.
    let far = KINK.replace("0 0, 12 0, 12 3, 7 2, 0 5", "500000 0, 500012 0, 500012 3, 500007 2, 500000 5");
    write(&folder, "kink.wkt", &far);
    let (out, _) = expect(0, &folder, &["map", "kink.wkt"]);
    for words in [
        "12.00 m x 5.00 m from (500000.00, 0.00), 37.0 m2 free",
        "5 original, 5 feet",
        "cells       3, portals 2, of these 2 wide enough for 0.5 m",
        "0: 0, 1: 2, 2: 1, 3: 0, 4: 0, more: 0",
        "passage     2.000 m at (500007, 1)",
        "well-known text",
        "tree and paths",
        "the program at most",
    ] {
        assert!(out.contains(words), "{words} is missing:\n{out}");
    }
    assert_eq!(out.matches("passage ").count(), 1, "{out}");
}

#[test]
fn ways_are_as_long_as_worked_out_by_hand() {
    let folder = folder("map-ways");
    SMALL.iter().for_each(|small| write(&folder, small.name, small.text));
    let check = |name: &str, width: &str, ends: [&str; 2], exact: f64| {
        let found = measured(&folder, &[name, "--width", width, "--path", ends[0], ends[1]]);
        let way = found["paths"][0].clone();
        assert!(near(&way["exact"]["length_m"], exact, 1e-4), "{name} {width}: {way}");
        assert!(way["why"].is_null(), "{way}");
        way
    };
    let way = check("l.wkt", "0", ["9,2", "2,9"], 10.7703);
    assert!(near(&way["cells"]["over_middles_m"], 12.8284, 1e-4), "{way}");
    assert!(near(&way["cells"]["pulled_m"], 10.7703, 1e-4), "{way}");
    assert_eq!(way["exact"]["points"], json!([[9.0, 2.0], [4.0, 4.0], [2.0, 9.0]]));
    assert_eq!(way["cells"]["portals"].as_array().map(Vec::len), Some(2));
    check("l.wkt", "0.5", ["9,2", "2,9"], 10.9844);
    let way = check("pillar.wkt", "0", ["1,4.5", "9,4.5"], 8.0828);
    assert_eq!(way["exact"]["points"][1], json!([4.0, 4.0]));
    check("door.toml", "0", ["2,2", "18,8"], 17.0880);
    check("door.toml", "0", ["2,9", "18,9"], 17.1009);
    check("t.wkt", "0", ["1,1", "7.5,9"], 11.5698);
    // A disc as wide as the door passes.
    let way = measured(&folder, &["door.toml", "--width", "2", "--path", "2,5", "18,5"])["paths"][0].clone();
    assert!(near(&way["exact"]["length_m"], 16.0, 1e-4) && near(&way["cells"]["pulled_m"], 16.0, 1e-4), "{way}");
}

#[test]
fn why_there_is_no_way() {
    let folder = folder("map-none");
    SMALL.iter().for_each(|small| write(&folder, small.name, small.text));
    write(&folder, "rooms.wkt", ROOMS);
    let (out, _) = expect(0, &folder, &["map", "rooms.wkt"]);
    assert!(out.contains("2 without a way between them: 20.0 m2 at (12.5, 2), 16.0 m2 at (2, 2)\n"), "{out}");
    let check = |arguments: &[&str], words: &[&str]| {
        let (out, err) = expect(1, &folder, &[&["map"], arguments].concat());
        let why = out.lines().find(|line| line.trim_start().starts_with("why ")).unwrap_or_else(|| panic!("{out}"));
        assert!(words.iter().all(|word| why.contains(word)), "{arguments:?}: {why}");
        assert!(out.contains("  exact       none") && out.contains("  cells       none"), "{out}");
        assert!(err.starts_with("error: there is no way from ("), "{err}");
        assert!(words.iter().all(|word| err.contains(word)), "{arguments:?}: {err}");
        why.to_owned()
    };
    // From the middle of the pillar of 2 m it is 1.25 m to where there is room for 0.5 m; found within 5 %.
    let why =
        check(&["pillar.wkt", "--path", "5,5", "9,4.5"], &["the start (5, 5) is off the floor", "room for 0.5 m"]);
    let gap: f64 =
        why.rsplit_once(" m away").and_then(|(start, _)| start.rsplit(' ').next()?.parse().ok()).expect(&why);
    assert!((1.25..1.32).contains(&gap), "{why}");
    check(&["pillar.wkt", "--path", "1,1", "-3,-4"], &["the goal (-3, -4) is off the floor"]);
    check(&["rooms.wkt", "--path", "1,1", "12,1"], &["start is in part 2 (16.0 m2)", "goal in part 1 (20.0 m2)"]);
    check(
        &["door.toml", "--width", "2.5", "--path", "2,5", "18,5"],
        &["for people 2.5 m wide", "the widest way between them is 2.000 m wide at (", ", 5.000)"],
    );
}

#[test]
fn random_queries_agree_on_what_can_be_reached() {
    let folder = folder("map-queries");
    write(&folder, "rooms.wkt", ROOMS);
    write(&folder, "door.toml", DOOR);
    let queries = |arguments: &[&str]| measured(&folder, arguments)["queries"].clone();
    let found = queries(&["rooms.wkt", "--queries", "400", "--seed", "3"]);
    assert_eq!((&found["count"], &found["seed"]), (&json!(400), &json!(3)));
    assert_eq!(found["unreachable"]["cells"], found["unreachable"]["exact"]);
    assert_eq!(found["unreachable"]["differ"], 0);
    // Places with room for a disc of 0.5 m: 3.48^2 and 4.48 x 3.48, so 0.492 of all pairs are in two rooms; four
    // standard deviations of 400 draws are 40.
    let unreachable = found["unreachable"]["exact"].as_f64().expect("a count");
    assert!((157.0..=237.0).contains(&unreachable), "{unreachable}");
    assert_eq!(queries(&["rooms.wkt", "--queries", "400", "--seed", "3"])["unreachable"], found["unreachable"]);
    let found = queries(&["door.toml", "--queries", "300"]);
    assert_eq!(found["unreachable"], json!({ "cells": 0, "exact": 0, "differ": 0 }));
    for name in ["search_s", "cells_s", "exact_s", "excess"] {
        let value = |which: &str| found[name][which].as_f64().expect("a number");
        assert!(value("mean") <= value("largest") && value("p99") <= value("largest"), "{name}: {found}");
    }
    assert!(found["excess"]["largest"].as_f64().is_some_and(|most| most < 0.5), "{found}");
    let (out, _) = expect(0, &folder, &["map", "door.toml", "--queries", "20"]);
    assert!(out.contains("20 random ways, seed 1") && out.contains("0 over cells, 0 exact: they agree"), "{out}");
}

#[track_caller]
fn svg(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text
}

#[test]
fn pictures_show_what_was_asked_for() {
    let folder = folder("map-pictures");
    write(&folder, "l <&>.wkt", L);
    let draw = |show: &str, name: &str, more: &[&str]| {
        let (out, _) = expect(0, &folder, &[&["map", "l <&>.wkt", "--show", show, "--out", name], more].concat());
        assert!(out.contains(&format!("{name} written")), "{out}");
        folder.join(name)
    };
    // Cells are filled with 0.4 of their colour: one path a colour, one ring a cell; the legend has rectangles of six kinds.
    let filled = |text: &str| {
        text.lines().filter(|line| line.contains("fill-opacity=\"0.4\"")).map(str::to_owned).collect::<Vec<_>>()
    };
    let cells = svg(&draw("cells", "cells.svg", &[]));
    assert!(
        cells.contains("l &lt;&amp;&gt;.wkt") && cells.contains("3 cells, 2 portals wide enough for 0.5 m"),
        "{cells}"
    );
    assert_eq!(filled(&cells).len(), 2 + 6, "dead ends and a passage: {cells}");
    // The root is all of the floor; far below it every cell is by itself, and neighbours differ.
    let root = filled(&svg(&draw("abstraction=0", "root.svg", &[])));
    assert_eq!((root.len(), root[0].matches('M').count()), (1, 3), "{root:?}");
    let leaves = filled(&svg(&draw("abstraction=9", "leaves.svg", &[])));
    assert!(leaves.len() >= 2 && leaves.iter().map(|path| path.matches('M').count()).sum::<usize>() == 3, "{leaves:?}");
    let graph = svg(&draw("graph", "graph.svg", &[]));
    assert_eq!(graph.matches("<circle").count(), 3, "{graph}");
    let way = svg(&draw("map", "way.svg", &["--path", "9,2", "2,9"]));
    assert!(way.contains("exact way") && way.contains("way over cells") && !way.contains("dead end"), "{way}");
    assert_eq!(way.matches("<circle").count(), 4, "two marks, each with a white rim: {way}");
    let path = draw("cells", "cells.PNG", &["--size", "700", "--path", "9,2", "2,9"]);
    let pixels = Pixmap::decode_png(&fs::read(path).expect("a picture")).expect("a picture that opens");
    assert_eq!(pixels.width(), 700);
    let colours: std::collections::BTreeSet<[u8; 3]> =
        pixels.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    assert!(colours.contains(&[0xb3, 0x26, 0x1e]), "the exact way is drawn");
}

#[test]
fn saved_maps_are_places() {
    let folder = folder("map-saved");
    write(&folder, "off.wkt", OFF_PILLAR);
    expect(0, &folder, &["map", "off.wkt", "--save", "off.pmap", "--quiet"]);
    let figures = |name: &str| {
        let found = measured(&folder, &[name, "--path", "1,4", "11,4"]);
        ["free_m2", "corners", "feet", "cells", "ways_out", "passages", "stored_paths", "offset_m", "paths"]
            .map(|key| found[key].clone())
    };
    assert_eq!(figures("off.pmap"), figures("off.wkt"));
    let (out, _) = expect(0, &folder, &["map", "off.pmap"]);
    assert!(out.contains("saved map, metres") && out.contains("before it was saved, well-known text"), "{out}");
    // Saved once more it is the same file.
    expect(0, &folder, &["map", "off.pmap", "--save", "again.pmap", "--quiet"]);
    let bytes = fs::read(folder.join("off.pmap")).expect("a map");
    assert_eq!(fs::read(folder.join("again.pmap")).expect("a map"), bytes);
    let scene = "[place]\nfile = \"off.pmap\"\n[[population]]\nat = [[1, 1]]\njourney = [[11, 8]]\n[run]\nuntil = 60\n";
    write(&folder, "walk.toml", scene);
    let (out, _) = expect(0, &folder, &["check", "walk.toml"]);
    assert!(out.contains("walk.toml: ok") && out.contains("saved map"), "{out}");
    assert_eq!(figures("walk.toml"), figures("off.wkt"));
    fs::write(folder.join("cut.pmap"), &bytes[..bytes.len() / 2]).expect("a file");
    let mut flipped = bytes.clone();
    let last = flipped.len() - 40;
    flipped[last] ^= 1;
    fs::write(folder.join("flipped.pmap"), flipped).expect("a file");
    let (_, err) = expect(2, &folder, &["map", "cut.pmap"]);
    assert!(err.contains(&format!("cut.pmap: byte {}", bytes.len() / 2)) && err.contains("the file ends"), "{err}");
    let (_, err) = expect(2, &folder, &["map", "flipped.pmap"]);
    assert!(err.contains("checksum does not fit") && err.contains("section"), "{err}");
    write(&folder, "cut.toml", &scene.replace("off.pmap", "cut.pmap"));
    let (_, err) = expect(2, &folder, &["check", "cut.toml"]);
    assert!(err.contains("cut.toml:2") && err.contains("the file ends"), "{err}");
}

#[test]
fn wrong_arguments_are_answered() {
    let folder = folder("map-wrong");
    write(&folder, "l.wkt", L);
    write(&folder, "door.toml", DOOR);
    write(&folder, "house.ifc", "ISO-10303-21;");
    write(&folder, "bow.wkt", "POLYGON ((0 0, 10 10, 10 0, 0 10))");
    let check = |arguments: &[&str], words: &[&str]| {
        let (_, err) = expect(2, &folder, &[&["map"], arguments].concat());
        assert!(err.starts_with("error: ") && words.iter().all(|word| err.contains(word)), "{arguments:?}: {err}");
    };
    check(&["ll.wkt"], &["ll.wkt: there is no such file", "did you mean l.wkt?"]);
    check(&["."], &["is a folder"]);
    check(&["house.ifc"], &["house.ifc: building models (IFC) cannot be read", "export the outline of each floor"]);
    check(&["bow.wkt"], &["bow.wkt: line 1: polygon 1", "hint: "]);
    check(&["l.wkt", "--width", "-1"], &["--width -1", "0 to 100 m"]);
    check(&["l.wkt", "--width", "nan"], &["--width NaN", "0 to 100 m"]);
    check(&["l.wkt", "--path", "1,2", "x,3"], &["--path", "no coordinate"]);
    check(&["l.wkt", "--path", "1,2"], &["--path"]);
    check(&["l.wkt", "--show", "abstraction"], &["--show", "abstraction=N"]);
    check(&["l.wkt", "--out", "a.pdf"], &["--out a.pdf", ".svg or .png"]);
    check(&["l.wkt", "--out", "l.wkt"], &["--out l.wkt", "would overwrite"]);
    check(&["l.wkt", "--save", "a.map"], &["--save a.map", "--save a.pmap"]);
    check(&["l.wkt", "--queries", "0"], &["--queries"]);
    check(&["l.wkt", "--width", "5", "--queries", "3"], &["nowhere is there room for people 5 m wide"]);
    check(&["door.toml", "--scale", "2"], &["door.toml", "[place]"]);
    check(&["l.wkt", "--layer", "flor=A"], &["--layer", "floor=A-FLOR"]);
    check(&["l.wkt", "--area", "1,2,3"], &["--area", "X,Y,X,Y"]);
    check(&["l.wkt", "--tolerance", "2"], &["tolerance is 2", "0 to 1"]);
    check(&["l.wkt", "--degrees"], &["`degrees` does not go with well-known text", "it is for GeoJSON"]);
    // A file of holes: only its size is looked at.
    fs::File::create(folder.join("huge.wkt")).and_then(|file| file.set_len(70 << 20)).expect("a file");
    check(&["huge.wkt"], &["huge.wkt: the file has 73400320 bytes, at most 67108864 (64 MiB) are read", "cut out"]);
    // An area and a scale are what they are in scenarios.
    let found = measured(&folder, &["l.wkt", "--area", "0,0,4,4"]);
    assert!(near(&found["free_m2"], 16.0, 1e-9), "{found}");
}
