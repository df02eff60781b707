//! Places that want to hurt, of every format: the real program refuses each of them with a second of processor time and
//! 256 MB of memory.
#![cfg(target_os = "linux")]

mod common;
use common::{PASSERBY, folder, write};
use std::path::Path;
use std::process::Command;

/// Runs `passerby check` on a scenario in this place, as the shell limits it: memory in kB, processor time in seconds.
/// Gives its exit code and stderr.
fn limited(folder: &Path, name: &str, text: &str) -> (Option<i32>, String) {
    write(folder, name, text);
    // Pixels need a camera.
    write(folder, "H.txt", "0 0.02 0\n-0.02 0 9\n0.001 0 1\n");
    let camera = if name.ends_with(".txt") { "homography = \"H.txt\"\n" } else { "" };
    let scenario = format!("name = \"hostile\"\n[place]\nfile = \"{name}\"\n{camera}[run]\nuntil = 1\n");
    write(folder, "place.toml", &scenario);
    let script = format!("ulimit -v 262144; ulimit -t 1; exec '{PASSERBY}' check place.toml");
    let output = Command::new("sh").current_dir(folder).args(["-c", &script]).output().expect("a shell");
    std::fs::remove_file(folder.join(name)).expect("the file that was written");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Each case is a file name, what is wrong, the text, and words of the message.
#[track_caller]
fn refused(test: &str, cases: &[(&str, &str, String, &str)]) {
    let folder = folder(test);
    let mut wrong = String::new();
    for (name, case, text, words) in cases {
        let (code, error) = limited(&folder, name, text);
        // The place is what is wrong, not the scenario around it.
        let named = error.contains(&format!("place.file = \"{name}\": "));
        if code != Some(2) || error.contains("panicked") || !named || !error.contains(words) {
            wrong += &format!("{name}, {case}: {code:?}: {error}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A drawing with these entities, given as one word a line.
fn drawing(entities: &str) -> String {
    let words: String = entities.split_whitespace().map(|word| format!("{word}\n")).collect();
    format!("0\nSECTION\n2\nENTITIES\n{words}0\nENDSEC\n0\nEOF\n")
}

/// A JuPedSim geometry of one room with these walls.
fn room(vertices: &str) -> String {
    format!(
        "<geometry><rooms><room id=\"0\"><subroom id=\"0\"><polygon>{vertices}</polygon></subroom></room></rooms></geometry>"
    )
}

fn vertices(points: &[[&str; 2]]) -> String {
    points.iter().map(|[x, y]| format!("<vertex px=\"{x}\" py=\"{y}\"/>")).collect()
}

/// An OpenStreetMap file with bounds and these elements.
fn town(elements: &str) -> String {
    format!("<osm><bounds minlat=\"1\" minlon=\"1\" maxlat=\"1.001\" maxlon=\"1.001\"/>{elements}</osm>")
}

/// A Vadere topography of 9 x 9 m with this target.
fn topography(shape: &str) -> String {
    let attributes = r#""attributes":{"bounds":{"x":0,"y":0,"width":9,"height":9}}"#;
    format!(r#"{{"topography":{{{attributes},"targets":[{{"id":3,"shape":{shape}}}]}}}}"#)
}

fn polygon_of_points(points: &str) -> String {
    format!(r#"{{"type":"Polygon","coordinates":[[{points}]]}}"#)
}

#[test]
fn cut_files() {
    let cases = [
        ("a.wkt", "POLYGON ((0 0, 9 0, 9 9".to_owned(), ""),
        ("a.geojson", r#"{"type":"Polygon","coordinates":[[[0,0],[9,0"#.to_owned(), ""),
        ("a.osm", r#"<osm><bounds minlat="1" minlon="1""#.to_owned(), ""),
        ("a.dxf", "0\nSECTION\n2\nENTITIES\n0\nLWPOLYLINE\n8\nfloor\n90\n4\n70\n1\n10\n0\n20\n0\n10\n9".to_owned(), ""),
        ("a.map", "type octile\nheight 4\nwidth 5\nmap\n.....\n...".to_owned(), ""),
        ("a.xml", "<geometry><rooms><room id=\"0\"><subroom id=\"0\"><polygon><vertex px=".to_owned(), ""),
        ("a.scenario", r#"{"topography":{"attributes":{"bounds":{"x":0,"#.to_owned(), ""),
        ("a.txt", "10 20\n400 20\n400".to_owned(), "line 3"),
    ];
    refused("places-cut", &cases.map(|(name, text, words)| (name, "cut", text, words)));
}

/// Counts and sizes that the rest of the file does not hold, and references to what is not there.
#[test]
fn huge_counts_and_indices_out_of_range() {
    let many = "18446744073709551615";
    refused(
        "places-counts",
        &[
            ("a.wkt", "count", "POLYGON ((1e308 0, 9 0, 9 9))".to_owned(), ""),
            ("a.txt", "size", "10 20\n1e308 20\n400 90\n10 20\n".to_owned(), "line 2"),
            ("a.txt", "horizon", "10 20\n10 -1000\n400 90\n10 20\n".to_owned(), "line 2: this pixel is on the horizon"),
            ("a.geojson", "index", r#"{"type":"Polygon","coordinates":[[[0]]]}"#.to_owned(), ""),
            ("a.osm", "index", town(&format!("<way id=\"{many}\"><nd ref=\"1\"/></way>")), ""),
            (
                "a.osm",
                "index",
                "<osm><way id=\"7\"><nd ref=\"1\"/><tag k=\"building\" v=\"yes\"/></way></osm>".to_owned(),
                "",
            ),
            (
                "a.dxf",
                "count",
                drawing(&format!("0 LWPOLYLINE 8 floor 90 {many} 70 1 10 0 20 0 10 9 20 0 10 9 20 9")),
                "",
            ),
            (
                "a.dxf",
                "count",
                drawing(&format!("0 LWPOLYLINE 8 floor 90 3 70 {many} 10 0 20 0 10 9 20 0 10 9 20 9")),
                "",
            ),
            ("a.dxf", "size", drawing("0 CIRCLE 8 floor 10 5 20 5 40 1e300"), ""),
            ("a.map", "count", format!("type octile\nheight {many}\nwidth {many}\nmap\n.....\n"), ""),
            ("a.map", "count", "type octile\nheight 4000000000\nwidth 4000000000\nmap\n.....\n".to_owned(), ""),
            ("a.xml", "index", room("").replace("id=\"0\"", &format!("id=\"{many}\"")), ""),
            (
                "a.xml",
                "index",
                format!(
                    "<geometry><transitions><transition id=\"0\" room1_id=\"8\" subroom1_id=\"9\" room2_id=\"-1\" \
                     subroom2_id=\"-1\">{}</transition></transitions></geometry>",
                    vertices(&[["4", "1"], ["4", "2"]])
                ),
                "",
            ),
            ("a.scenario", "size", topography(r#"{"type":"CIRCLE","center":{"x":6,"y":6},"radius":1e300}"#), ""),
            ("a.scenario", "index", topography(r#"{"type":"POLYGON","points":7}"#), ""),
        ],
    );
}

#[test]
fn numbers_that_are_none() {
    refused(
        "places-nan",
        &[
            ("a.wkt", "NaN", "POLYGON ((0 0, NaN 0, 9 9, 0 9))".to_owned(), ""),
            ("a.txt", "NaN", "10 20\nNaN 20\n400 90\n10 20\n".to_owned(), "line 2: `NaN 20` are not two numbers"),
            ("a.wkt", "infinite", "POLYGON ((0 0, 1e999 0, 9 9, 0 9))".to_owned(), ""),
            ("a.geojson", "NaN", polygon_of_points("[0,0],[NaN,0],[9,9]"), ""),
            ("a.geojson", "infinite", polygon_of_points("[0,0],[1e999,0],[9,9]"), ""),
            ("a.osm", "NaN", town("<node id=\"1\" lat=\"NaN\" lon=\"1\"/>"), ""),
            ("a.dxf", "NaN", drawing("0 LINE 8 walls 10 nan 20 1 11 3 21 1"), ""),
            ("a.map", "NaN", "type octile\nheight NaN\nwidth 5\nmap\n.....\n".to_owned(), ""),
            ("a.xml", "NaN", room(&vertices(&[["0", "0"], ["NaN", "0"], ["9", "9"]])), ""),
            ("a.scenario", "NaN", topography(r#"{"type":"CIRCLE","center":{"x":6,"y":6},"radius":NaN}"#), ""),
        ],
    );
}

/// Lists in lists, elements in elements. A drawing and a grid have none; their longest line is tried instead.
#[test]
fn deep_nesting() {
    let deep = |piece: &str| piece.repeat(1_000_000);
    refused(
        "places-deep",
        &[
            ("a.wkt", "deep", deep("GEOMETRYCOLLECTION ("), ""),
            ("a.wkt", "deep", format!("POLYGON {}", deep("(")), ""),
            ("a.geojson", "deep", format!("{{\"type\":\"Polygon\",\"coordinates\":{}", deep("[")), ""),
            ("a.geojson", "deep", deep(r#"{"type":"GeometryCollection","geometries":["#), ""),
            ("a.osm", "deep", format!("<osm>{}", deep("<way id=\"1\">")), ""),
            ("a.dxf", "long", format!("0\n{}", deep("SECTION")), ""),
            ("a.map", "long", format!("type octile\nheight 4\nwidth 5\nmap\n{}", deep(".....")), ""),
            ("a.xml", "deep", format!("<geometry>{}", deep("<room id=\"1\">")), ""),
            ("a.scenario", "deep", format!("{{\"topography\":{}", deep("[")), ""),
        ],
    );
}

/// Where a file can say what is floor: a floor, and else a region. A grid has no outlines; OpenStreetMap's only ones are
/// obstacles, which are filled, and bounds, which can only be the wrong way round.
#[test]
fn outlines_that_cross_themselves() {
    let bow = [["0", "0"], ["4", "4"], ["4", "0"], ["0", "4"]];
    refused(
        "places-crossing",
        &[
            ("a.wkt", "crossing", "POLYGON ((0 0, 4 4, 4 0, 0 4))".to_owned(), "crosses itself"),
            ("a.geojson", "crossing", polygon_of_points("[0,0],[4,4],[4,0],[0,4]"), ""),
            ("a.osm", "turned", town("").replace("maxlat=\"1.001\"", "maxlat=\"0.5\""), ""),
            (
                "a.dxf",
                "crossing",
                drawing("0 LWPOLYLINE 8 floor 90 4 70 1 10 0 20 0 10 4 20 4 10 4 20 0 10 0 20 4"),
                "",
            ),
            ("a.xml", "crossing", room(&vertices(&bow)), ""),
            (
                "a.scenario",
                "crossing",
                topography(r#"{"type":"POLYGON","points":[{"x":0,"y":0},{"x":4,"y":4},{"x":4,"y":0},{"x":0,"y":4}]}"#),
                "",
            ),
        ],
    );
}

#[test]
fn no_area() {
    refused(
        "places-flat",
        &[
            ("a.wkt", "flat", "POLYGON ((0 0, 9 0, 5 0))".to_owned(), ""),
            ("a.geojson", "flat", polygon_of_points("[0,0],[9,0],[5,0]"), ""),
            ("a.osm", "flat", town("").replace("maxlat=\"1.001\"", "maxlat=\"1\""), ""),
            ("a.dxf", "flat", drawing("0 LWPOLYLINE 8 floor 90 3 70 1 10 0 20 0 10 9 20 0 10 5 20 0"), ""),
            ("a.map", "flat", "type octile\nheight 0\nwidth 0\nmap\n".to_owned(), ""),
            ("a.map", "no floor", "type octile\nheight 2\nwidth 2\nmap\n@@\n@@\n".to_owned(), ""),
            ("a.xml", "flat", room(&vertices(&[["0", "0"], ["9", "0"], ["5", "0"]])), ""),
            ("a.scenario", "flat", topography("{}").replace("\"height\":9", "\"height\":0"), ""),
        ],
    );
}

/// Ten million points, and where they do not fit into the bytes that are read, also as many as do.
#[test]
fn ten_million_points() {
    let spread = |format: &dyn Fn(u32, u32) -> String, count: u32| -> String {
        // A square of tiny steps back and forth, in as few characters as can be.
        (0..count).map(|i| format(i % 10, i / 10 % 10)).collect()
    };
    let million = 1_000_000;
    let wkt = |count| format!("POLYGON (({}0 0))", spread(&|x, y| format!("{x} {y},"), count));
    let geojson = |count| polygon_of_points(&(spread(&|x, y| format!("[{x},{y}],"), count) + "[0,0]"));
    let node = |x: u32, y: u32| format!("<node id=\"{x}\" lat=\"1.{x}\" lon=\"1.{y}\"/>");
    let dxf = |count| {
        let points = spread(&|x, y| format!("10\n{x}\n20\n{y}\n"), count);
        drawing(&format!("0 LWPOLYLINE 8 floor 90 {count} 70 1")).replace("70\n1\n", &format!("70\n1\n{points}"))
    };
    let xml = |count| room(&spread(&|x, y| format!("<vertex px=\"{x}\" py=\"{y}\"/>"), count));
    let vadere = |count| {
        let points = spread(&|x, y| format!("{{\"x\":{x},\"y\":{y}}},"), count);
        topography(&format!("{{\"type\":\"POLYGON\",\"points\":[{points}{{\"x\":0,\"y\":0}}]}}"))
    };
    // A chessboard: every free cell has four corners of its own.
    let grid = |half: usize| {
        let rows = [".@".repeat(half), "@.".repeat(half)].join("\n") + "\n";
        format!("type octile\nheight {side}\nwidth {side}\nmap\n{}", rows.repeat(half), side = 2 * half)
    };
    let cases: [(&str, &str, &dyn Fn() -> String, &str); 12] = [
        ("a.wkt", "10 million", &|| wkt(10 * million), ""),
        ("a.geojson", "10 million", &|| geojson(10 * million), ""),
        ("a.osm", "10 million", &|| town(&spread(&node, 10 * million)), "bytes"),
        ("a.osm", "as many as fit", &|| town(&spread(&node, 19 * million / 10)), ""),
        ("a.dxf", "10 million", &|| dxf(10 * million), "bytes"),
        ("a.dxf", "as many as fit", &|| dxf(6 * million), ""),
        ("a.map", "10 million", &|| grid(1120), "corners"),
        ("a.map", "as many cells as can be", &|| grid(2000), "corners"),
        ("a.xml", "10 million", &|| xml(10 * million), "bytes"),
        ("a.xml", "as many as fit", &|| xml(29 * million / 10), ""),
        ("a.scenario", "10 million", &|| vadere(10 * million), "bytes"),
        ("a.scenario", "as many as fit", &|| vadere(47 * million / 10), ""),
    ];
    // One at a time: all of them together would be a gigabyte.
    for (name, case, text, words) in cases {
        refused("places-many", &[(name, case, text(), words)]);
    }
}
