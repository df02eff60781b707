//! Broken files of every format: an error or a place, never a panic, and soon.

mod common;

use passerby_geometry::Homography;
use passerby_navigation::Map;
use passerby_navigation::import::{Options, read};
use proptest::prelude::*;

/// A small file of each format, with a bit of everything. `cargo xtask fuzz` begins with the same.
const SMALL: &[(&str, &str)] = &[
    ("a.wkt", include_str!("small/a.wkt")),
    ("a.geojson", include_str!("small/a.geojson")),
    ("a.osm", include_str!("small/a.osm")),
    ("a.dxf", include_str!("small/a.dxf")),
    ("a.map", include_str!("small/a.map")),
    ("a.xml", include_str!("small/a.xml")),
    ("a.scenario", include_str!("small/a.scenario")),
    ("a.txt", include_str!("small/a.txt")),
];

/// What a file of the format needs: pixels a camera that looks from one side.
fn options(name: &str) -> Options {
    let camera = || Homography::parse("0 0.02 0\n-0.02 0 9\n0.001 0 1").expect("a homography");
    Options { homography: name.ends_with(".txt").then(camera), ..Options::default() }
}

/// Reads it, and builds the map of what was read; both have to end.
fn survive(name: &str, bytes: &[u8]) {
    if let Ok(imported) = read(name, bytes, &options(name)) {
        assert!(imported.report.free_area.is_finite());
        let _ = Map::build(&imported.floor);
    }
}

#[test]
fn the_small_files_are_places() {
    for (name, text) in SMALL {
        let imported = read(name, text.as_bytes(), &options(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        Map::build(&imported.floor).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn cut_anywhere() {
    for (name, text) in SMALL {
        for end in 0..text.len() {
            survive(name, &text.as_bytes()[..end]);
        }
    }
}

/// Numbers that are no coordinates, in every place where a number stands.
#[test]
fn strange_numbers() {
    for (name, text) in SMALL {
        let digits: Vec<usize> = text.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
        for at in digits {
            for strange in ["NaN", "1e300", "-1e9", "1e999", "-0", "inf", "99999999999999999999", "null", "\"x\"", "[]"]
            {
                survive(name, [&text[..at], strange, &text[at + 1..]].concat().as_bytes());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// 10 000 mutations of each small file.
    #[test]
    fn mutations(edits in prop::collection::vec((any::<prop::sample::Index>(), 0..5_u8, any::<u8>()), 1..8)) {
        for (name, text) in SMALL {
            let mut bytes = text.as_bytes().to_vec();
            for (at, kind, byte) in &edits {
                let i = at.index(bytes.len());
                match kind {
                    0 => bytes[i] = *byte,
                    1 => bytes[i] = b"0123456789-.eE"[usize::from(*byte) % 14],
                    2 => bytes.insert(i, byte % 128),
                    3 => { bytes.remove(i); }
                    _ => {
                        let piece = bytes[i..(i + usize::from(*byte)).min(bytes.len())].to_vec();
                        bytes.extend(piece);
                    }
                }
                if bytes.is_empty() {
                    bytes.push(b' ');
                }
            }
            survive(name, &bytes);
        }
    }
}

#[track_caller]
fn refused_soon(name: &str, text: &str) -> String {
    common::soon::refused_soon(name, || read(name, text.as_bytes(), &Options::default()).expect_err(name).to_string())
}

/// Millions of points, deep nesting and tangles are refused within a second.
#[test]
fn too_much() {
    let points = |count: usize, separator: &str| -> String {
        let mut text = String::with_capacity(count * 12);
        for i in 0..count {
            text.push_str(&format!("{} {}{separator}", i % 1000, i / 1000));
        }
        text
    };
    let millions = format!("POLYGON (({}0 0))", points(5_000_000, ", "));
    assert!(refused_soon("a.wkt", &millions).contains("no more points than can be read"));
    let list = format!("{{\"type\":\"Polygon\",\"coordinates\":[[{}[0,0]]]}}", "[0,0],".repeat(8_000_000));
    assert!(refused_soon("a.geojson", &list).contains("at most 3000000"));
    assert!(refused_soon("a.geojson", &"[".repeat(1_000_000)).contains("JSON"));
    assert!(refused_soon("a.wkt", &"GEOMETRYCOLLECTION (".repeat(100_000)).contains("nested"));
    assert!(refused_soon("a.osm", &"<a>".repeat(1_000_000)).contains("nested"));
    let vertices = "0\nVERTEX\n10\n0\n20\n0\n".repeat(1_500_000);
    let drawing =
        format!("0\nSECTION\n2\nENTITIES\n0\nPOLYLINE\n8\nfloor\n70\n1\n{vertices}0\nSEQEND\n0\nENDSEC\n0\nEOF\n");
    assert!(refused_soon("a.dxf", &drawing).contains("at most 1000000"));
    let zigzag: String = (0..100_000).map(|i| format!("{} {}, ", f64::from(i) * 1e-3, (i % 2) * 100)).collect();
    assert!(refused_soon("a.wkt", &format!("POLYGON (({zigzag}0 200))")).contains("too many edges"));
    let gates = "<polygon><vertex px=\"1\" py=\"2\"/></polygon>".repeat(1_000_000);
    assert!(refused_soon("a.xml", &format!("<geometry>{gates}</geometry>")).contains("more than 250000 polygons"));
    assert!(
        refused_soon("a.map", &format!("height 9000\nwidth 9000\nmap\n{}", ".".repeat(60 << 20))).contains("cells")
    );
}

/// What was once accepted, or refused too late.
#[test]
fn mended() {
    let bounds = "<osm><bounds minlat=\"1\" minlon=\"1\" maxlat=\"0.5\" maxlon=\"1.001\"/></osm>";
    assert!(refused_soon("a.osm", bounds).contains("enclose nothing"));
    let drawing = include_str!("small/a.dxf").replace("90\n4\n", "90\n5\n");
    assert!(refused_soon("a.dxf", &drawing).contains("says that it has 5 corners, and has 4"));
    let nodes = "<node id=\"1\" lat=\"1\" lon=\"1\"/>".repeat(1_900_000);
    assert!(refused_soon("a.osm", &format!("<osm>{nodes}</osm>")).contains("more than 1000000 <node>"));
    let board = [".@".repeat(1500), "@.".repeat(1500)].join("\n") + "\n";
    let board = format!("height 3000\nwidth 3000\nmap\n{}", board.repeat(1500));
    assert!(refused_soon("a.map", &board).contains("corners, at most 1000000"));
}
