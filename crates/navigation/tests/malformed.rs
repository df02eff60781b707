//! Broken files of every format: an error or a place, never a panic, and soon.

use std::time::{Duration, Instant};

use passerby_navigation::Map;
use passerby_navigation::import::{Options, read};
use proptest::prelude::*;

/// A small file of each format, with a bit of everything.
const SMALL: &[(&str, &str)] = &[
    (
        "a.wkt",
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 9 0, 9 9, 0 9), (1 1, 2 1, 2 2)), MULTIPOLYGON (((9 0, 12 0, 12 3))))",
    ),
    (
        "a.geojson",
        r#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"kind":"floor"},"geometry":{"type":"Polygon",
        "coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[2,1],[2,2]]]}},{"type":"Feature","properties":{"kind":"obstacle"},
        "geometry":{"type":"MultiPolygon","coordinates":[[[[3,3],[4,3],[4,4]]],[[[3.5,3],[5,3],[5,4]]]]}},{"type":"Feature",
        "properties":{"kind":"door","name":"d"},"geometry":{"type":"LineString","coordinates":[[0,5],[9,5]]}}]}"#,
    ),
    (
        "a.osm",
        r#"<?xml version="1.0"?><osm><bounds minlat="1" minlon="1" maxlat="1.001" maxlon="1.001"/><node id="1" lat="1.0002"
        lon="1.0002"/><node id="2" lat="1.0002" lon="1.0004"/><node id="3" lat="1.0004" lon="1.0004"/><way id="7"><nd ref="1"/>
        <nd ref="2"/><nd ref="3"/><nd ref="1"/><tag k="building" v="yes"/></way><relation id="8"><member type="way" ref="7"
        role="outer"/><tag k="type" v="multipolygon"/><tag k="building" v="yes"/></relation></osm>"#,
    ),
    (
        "a.dxf",
        "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n5\nA\n8\nfloor\n90\n4\n70\n1\n\
         10\n0\n20\n0\n42\n0.5\n10\n9\n20\n0\n10\n9\n20\n9\n10\n0\n20\n9\n0\nLINE\n8\nwalls\n10\n1\n20\n1\n11\n3\n21\n1\n0\nCIRCLE\n8\n\
         walls\n10\n5\n20\n5\n40\n1\n0\nARC\n8\nwalls\n10\n5\n20\n2\n40\n1\n50\n0\n51\n90\n0\nENDSEC\n0\nEOF\n",
    ),
    ("a.map", "type octile\nheight 4\nwidth 5\nmap\n.....\n.@.T.\n..@..\n@...@\n"),
    (
        "a.xml",
        r#"<geometry unit="m"><rooms><room id="0"><subroom id="0"><polygon><vertex px="4" py="1"/><vertex px="4" py="0"/><vertex
        px="0" py="0"/><vertex px="0" py="4"/><vertex px="4" py="4"/><vertex px="4" py="2"/></polygon></subroom></room></rooms>
        <transitions><transition id="0" room1_id="0" subroom1_id="0" room2_id="-1" subroom2_id="-1"><vertex px="4" py="1"/>
        <vertex px="4" py="2"/></transition></transitions></geometry>"#,
    ),
    (
        "a.scenario",
        r#"{"topography":{"attributes":{"bounds":{"x":0,"y":0,"width":9,"height":9},"bounded":true,"boundingBoxWidth":0.5},
        "obstacles":[{"id":1,"shape":{"type":"RECTANGLE","x":1,"y":1,"width":2,"height":2}},{"id":2,"shape":{"type":"POLYGON",
        "points":[{"x":2,"y":2},{"x":4,"y":2},{"x":4,"y":4}]}}],"targets":[{"id":3,"shape":{"type":"CIRCLE","center":{"x":6,"y":6},
        "radius":1}}]}}"#,
    ),
];

/// Reads it, and builds the map of what was read; both have to end.
fn survive(name: &str, bytes: &[u8]) {
    if let Ok(imported) = read(name, bytes, &Options::default()) {
        assert!(imported.report.free_area.is_finite());
        let _ = Map::build(&imported.floor);
    }
}

#[test]
fn the_small_files_are_places() {
    for (name, text) in SMALL {
        let imported =
            read(name, text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
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
#[allow(clippy::disallowed_methods, reason = "a broken file must be refused at once")]
fn refused_soon(name: &str, text: &str) -> String {
    let attempt = || {
        let start = Instant::now();
        let error = read(name, text.as_bytes(), &Options::default()).expect_err(name).to_string();
        (start.elapsed(), error)
    };
    // The best of several: the machine may have other work to do.
    let (took, error) = (0..4).map(|_| attempt()).min().expect("there are attempts");
    assert!(took < Duration::from_secs(1), "{name}: {took:?}: {error}");
    error
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
