//! Small files made by hand, one feature each; areas are those of the drawing.

mod small_files;

use passerby_geometry::DVec2;
use passerby_navigation::Map;
use passerby_navigation::import::{Change, Imported, Layers, Options, read};
use small_files::{check, import, plain, refused};

#[test]
fn well_known_text() {
    check("a.wkt", "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2))", &plain(), [1, 0, 0, 0], 15.0);
    check("a.txt", "MULTIPOLYGON (((0 0, 1 0, 1 1)), ((5 0, 6 0, 6 1)))", &plain(), [2, 0, 0, 0], 1.0);
    // Two holes that overlap by 0.25 m2 become one; a hole that leaves the floor is cut.
    let text = "POLYGON ((0 0, 9 0, 9 9, 0 9), (1 1, 2 1, 2 2, 1 2), (1.5 1.5, 2.5 1.5, 2.5 2.5, 1.5 2.5), (8 8, 10 8, 10 8.5, 8 8.5))";
    let imported = check("a.wkt", text, &plain(), [1, 0, 0, 0], 81.0 - 1.75 - 0.5);
    assert_eq!(imported.report.changes, [Change::HolesCut("line 1: polygon 1".into())]);
    refused("a.wkt", "POLYGON ((0 0, 4 4, 4 0, 0 4))", &["line 1: polygon 1", "crosses itself", "(2, 2)"]);
    refused("a.wkt", "POLYGON ((0 0, 4 0, 4 1e300))", &["no place", "scale"]);
    refused("a.wkt", "POLYGON ((0 0, 4 nan, 4 1))", &["line 1, column 18", "expected a number"]);
    refused("a.wkt", "POLYGON ((0 0, 4 0, 8 0))", &["no floor is left"]);
    refused("a.wkt", "POLYGON EMPTY", &["no polygon"]);
}

/// Far away from the origin coordinates keep every bit.
#[test]
fn large_coordinates_are_kept_to_the_bit() {
    let text =
        "POLYGON ((691234.123 5334567.875, 691244.123 5334567.875, 691244.123 5334577.875, 691234.123 5334577.875),
        (691236.1 5334569.3, 691238.1 5334569.3, 691238.1 5334571.3, 691236.1 5334571.3))";
    let imported = check("utm.wkt", text, &plain(), [1, 0, 0, 0], 96.0);
    let corners: Vec<DVec2> = imported.floor.areas[0].rings().flat_map(|ring| ring.points().to_vec()).collect();
    for corner in [[691234.123, 5334567.875], [691244.123, 5334577.875], [691236.1, 5334569.3], [691238.1, 5334571.3]] {
        assert!(corners.contains(&corner.into()), "{corner:?} is not in {corners:?}");
    }
    assert!(imported.report.changes.is_empty(), "{}", imported.report);
}

#[test]
fn near_points_and_slivers_go() {
    // Half a millimetre beside a corner, twice; a hole of 10 m x 0.4 mm.
    let text = "POLYGON ((0 0, 0.0005 0, 20 0, 20 9.9996, 20 10, 0 10), (5 5, 15 5, 15 5.0004, 5 5.0004))";
    let imported = import("a.wkt", text, &plain());
    assert!(imported.report.changes.contains(&Change::NearPoints(4)), "{}", imported.report); // two of the hole as well
    assert!(
        imported.report.changes.iter().any(|change| matches!(change, Change::Slivers(1, _))),
        "{}",
        imported.report
    );
    assert_eq!(imported.floor.areas[0].outer.points().len(), 4);
    let exact = import("a.wkt", text, &Options { tolerance: 0.0, ..plain() });
    assert_eq!((exact.floor.areas[0].outer.points().len(), exact.floor.areas[0].holes.len()), (6, 1));
}

fn feature(kind: &str, shape: &str) -> String {
    format!(r#"{{"type": "Feature", "properties": {kind}, "geometry": {shape}}}"#)
}

fn square(x: f64, y: f64, side: f64) -> String {
    let (a, b, c, d) = ([x, y], [x + side, y], [x + side, y + side], [x, y + side]);
    format!(r#"{{"type": "Polygon", "coordinates": [[{a:?}, {b:?}, {c:?}, {d:?}, {a:?}]]}}"#)
}

fn collection(features: &[String]) -> String {
    format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(", "))
}

#[test]
fn geojson_by_kind() {
    let line = |points: &str| format!(r#"{{"type": "LineString", "coordinates": {points}}}"#);
    let text = collection(&[
        feature(r#"{"kind": "floor"}"#, &square(0., 0., 10.)),
        feature(r#"{"kind": "obstacle"}"#, &square(1., 1., 2.)),
        feature(r#"{"building": "yes"}"#, &square(2., 2., 2.)), // overlaps the one before by 1 m2
        feature(r#"{"kind": "region", "name": "exit"}"#, &square(8., 8., 1.)),
        feature(r#"{"kind": "region", "name": "exit"}"#, &square(6., 8., 1.)),
        feature(r#"{"kind": "door", "name": "front"}"#, &line("[[5, 0], [5, 10]]")),
        feature(r#"{"kind": "wall"}"#, &line("[[7, 1], [7, 3]]")),
        feature("{}", r#"{"type": "Point", "coordinates": [1, 1]}"#),
    ]);
    let imported = check("a.geojson", &text, &plain(), [1, 2, 1, 2], 100.0 - 7.0 - 2.0 * 0.05);
    assert!(imported.report.changes.contains(&Change::United(3, 2)), "{}", imported.report);
    assert_eq!(imported.report.ignored, [("Point".to_owned(), 1)]);
    let names: Vec<&str> = imported.floor.regions.iter().map(|region| &*region.name).collect();
    assert_eq!(names, ["exit", "exit 2"]);
    let scaled = Options { scale: Some(0.01), ..plain() };
    check("a.json", &square(0., 0., 100.), &scaled, [1, 0, 0, 0], 1.0);
    refused(
        "a.geojson",
        &collection(&[feature(r#"{"kind": "wardrobe"}"#, &square(0., 0., 1.))]),
        &["feature 0", "wardrobe", "obstacle"],
    );
    refused(
        "a.geojson",
        r#"{"type": "Polygon", "coordinates": [[[0, 0], [1, "x"], [1, 1]]]}"#,
        &["point 1 is no point"],
    );
    refused("a.geojson", &collection(&[feature(r#"{"kind": "obstacle"}"#, &square(0., 0., 1.))]), &["no floor"]);
}

/// A house of 0.001 x 0.001 degrees on the equator, where a degree is 111 319.5 m by 110 574.3 m.
#[test]
fn geojson_in_degrees() {
    let house = feature(r#"{"building": "yes"}"#, &square(10.0, -0.0005, 0.001));
    let text =
        collection(&[house]).replacen('{', r#"{"crs": {"properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}, "#, 1);
    let imported = import("a.geojson", &text, &plain());
    let size = imported.report.bounds.1 - imported.report.bounds.0;
    assert!((size - DVec2::new(131.3195, 130.5743)).abs().max_element() < 1e-3, "{size}"); // 10 m more on every side
    assert!(imported.report.centre.unwrap().distance(DVec2::new(10.0005, 0.0)) < 1e-9);
    let floor = Options { degrees: true, ..plain() };
    assert!(
        import("a.geojson", &collection(&[feature("{}", &square(10.0, 0.0, 0.001))]), &floor).report.centre.is_some()
    );
    let wrong = read("a.geojson", square(500.0, 0.0, 1.0).as_bytes(), &floor).unwrap_err();
    assert!(wrong.to_string().contains("no place on Earth"), "{wrong}");
}

/// Lines across each other, 0.1 m thick and 90 m long, so many each way, 4 m apart: they enclose a square less than there are lines.
#[test]
fn a_net_of_walls_is_divided_or_cut_out() {
    let net = |count: u32| {
        let walls = (0..count).flat_map(|i| {
            let at = 10 + 4 * i;
            [format!("[[{at}, 5], [{at}, 95]]"), format!("[[5, {at}], [95, {at}]]")]
        });
        let wall = |points: String| {
            feature(r#"{"kind": "wall"}"#, &format!(r#"{{"type": "LineString", "coordinates": {points}}}"#))
        };
        let floor = feature("{}", &square(0., 0., 100.));
        import(
            "a.geojson",
            &collection(&[vec![floor], walls.map(wall).collect()].concat()),
            &Options { wall: 0.1, ..plain() },
        )
    };
    for (count, cut_out) in [(16, false), (20, true)] {
        let Imported { floor, report } = net(count);
        let (lines, squares) = (f64::from(count), (count as usize - 1).pow(2));
        let free = 10_000.0 - (2.0 * lines * 90.0 * 0.1 - lines * lines * 0.01);
        assert!((report.free_area - free).abs() < 1e-6, "{report}");
        assert_eq!((report.pieces.len(), floor.obstacles.is_empty()), (squares + 1, cut_out), "{report}");
        assert_eq!(report.changes.contains(&Change::CutOut(1, squares)), cut_out, "{report}");
        let map = Map::build(&floor).unwrap();
        assert!((map.free_area() - free).abs() < 1e-3, "{} m2 in the map, {free} by hand", map.free_area());
    }
}

/// Degrees that nobody has announced: a place of a centimetre, or none.
#[test]
fn places_smaller_than_a_metre_get_a_hint() {
    let hint = "if the file holds longitude and latitude, say `degrees`";
    let report = import("a.geojson", &square(13.0, 52.0, 0.01), &plain()).report.to_string();
    assert!(
        report.contains("hint: nobody fits into a place smaller than a metre") && report.contains(hint),
        "{report}"
    );
    refused("a.geojson", &square(13.0, 52.0, 0.0005), &["no floor is left of 0.0005 m x 0.0005 m", hint]);
    let house = collection(&[feature(r#"{"building": "yes"}"#, &square(13.0, 52.0, 0.001))]);
    refused("a.geojson", &house, &["no floor in this file", hint]);
    refused(
        "a.geojson",
        r#"{"type": "Polygon", "coordinates": [[]]}"#,
        &["geometry: the outline of the floor encloses nothing"],
    );
    refused("a.geojson", r#"{"type": "Polygon", "coordinates": [[[0, 0], [1e300, 0], [1, 1]]]}"#, &["(1e300, 0)"]);
    let crs =
        square(0.0, 0.0, 20.0).replacen('{', r#"{"crs": {"properties": {"name": "urn:ogc:def:crs:EPSG::3857"}}, "#, 1);
    refused("a.geojson", &crs, &["crs: `urn:ogc:def:crs:EPSG::3857` is Web Mercator", "scale"]);
    refused("a.wkt", "POLYGON ((0 0, 0.0005 0, 0.0005 0.0005, 0 0.0005))", &["no floor is left", "say its `scale`"]);
    for large in [square(13.0, 52.0, 1.0), square(0.0, 0.0, 20.0)] {
        let report = import("a.geojson", &large, &plain()).report.to_string();
        assert!(!report.contains("hint"), "{report}");
    }
}

/// What does not matter to a format is not left out silently.
#[test]
fn options_go_with_their_formats() {
    let wkt = "POLYGON ((0 0, 400 0, 400 400, 0 400))";
    check("a.wkt", wkt, &Options { scale: Some(0.01), ..plain() }, [1, 0, 0, 0], 16.0);
    let layers = Layers { floor: vec!["A".into()], ..Layers::default() };
    for (options, name) in [
        (Options { degrees: true, ..plain() }, "degrees"),
        (Options { cell: 2.0, ..plain() }, "cell"),
        (Options { layers, ..plain() }, "layers"),
    ] {
        let error = read("a.wkt", wkt.as_bytes(), &options).expect_err(name).to_string();
        assert!(error.contains(&format!("`{name}` does not go with well-known text")), "{error}");
    }
    let error = read("a.osm", TOWN.as_bytes(), &Options { scale: Some(2.0), ..plain() }).expect_err("scale");
    assert!(error.to_string().contains("`scale` does not go with OpenStreetMap XML"), "{error}");
}

const TOWN: &str = r#"<?xml version="1.0"?>
<osm version="0.6">
  <bounds minlat="0.0" minlon="0.0" maxlat="0.001" maxlon="0.001"/>
  <node id="1" lat="0.0002" lon="0.0002"/> <node id="2" lat="0.0002" lon="0.0006"/>
  <node id="3" lat="0.0006" lon="0.0006"/> <node id="4" lat="0.0006" lon="0.0002"/>
  <node id="5" lat="0.0003" lon="0.0003"/> <node id="6" lat="0.0003" lon="0.0005"/>
  <node id="7" lat="0.0005" lon="0.0005"/> <node id="8" lat="0.0005" lon="0.0003"/>
  <node id="9" lat="0.0008" lon="0.0008"/> <node id="10" lat="0.0008" lon="0.0009"/> <node id="11" lat="0.0009" lon="0.0009"/>
  <way id="100"><nd ref="1"/><nd ref="2"/><nd ref="3"/></way>
  <way id="101"><nd ref="1"/><nd ref="4"/><nd ref="3"/></way>
  <way id="102"><nd ref="5"/><nd ref="6"/><nd ref="7"/><nd ref="8"/><nd ref="5"/></way>
  <way id="103"><nd ref="9"/><nd ref="10"/><nd ref="11"/><tag k="building" v="house"/></way>
  <way id="104"><nd ref="9"/><nd ref="77"/><nd ref="11"/><tag k="building" v="yes"/></way>
  <way id="105"><nd ref="1"/><nd ref="9"/><tag k="highway" v="footway"/></way>
  <relation id="200"><member type="way" ref="100" role="outer"/><member type="way" ref="101" role="outer"/>
    <member type="way" ref="102" role="inner"/><tag k="type" v="multipolygon"/><tag k="building" v="yes"/></relation>
</osm>"#;

/// A square house with a courtyard, a triangle that is not closed, a building whose node is missing.
#[test]
fn openstreetmap() {
    let degree = DVec2::new(111_319.491, 110_574.276); // on the equator
    let unit = (degree * 1e-4).element_product();
    let imported = import("town.osm", TOWN, &plain());
    let report = &imported.report;
    let expected = unit * (100.0 - 16.0 + 4.0 - 0.5);
    assert!((report.free_area - expected).abs() < 1e-4 * expected, "{} m2, expected {expected}", report.free_area);
    assert_eq!(report.pieces.len(), 2); // the courtyard
    assert!(report.changes.contains(&Change::Closed(vec!["way 103".into()])), "{report}");
    assert_eq!(report.ignored, [("building way 104, node 77 of which is missing".to_owned(), 1)]);
    assert!((Map::build(&imported.floor).unwrap().free_area() - report.free_area).abs() < 1e-3);
    let filled = import("town.xml", TOWN, &Options { fill_enclosed: true, ..plain() });
    let expected = unit * (100.0 - 16.0 - 0.5);
    assert!((filled.report.free_area - expected).abs() < 1e-4 * expected, "{}", filled.report);
    assert!((Map::build(&filled.floor).unwrap().free_area() - filled.report.free_area).abs() < 1e-3);
    refused(
        "a.osm",
        "<osm><node id=\"1\" lat=\"x\" lon=\"1\"/></osm>",
        &["line 1", "<node>: lat is `x`", "finite number"],
    );
    refused("a.osm", "<osm><node id=\"1\"\n lat=\"1\"/></osm>", &["line 2", "<node> has no lon"]);
    refused("a.osm", "<osm></osm>", &["nothing in this file: "]);
    refused(
        "a.osm",
        "<osm>\n<node id=\"7\" lat=\"152\" lon=\"13\"/></osm>",
        &["line 2: node 7", "latitude 152", "lat within 90"],
    );
    let broken = "<osm><node id=\"1\" lat=\"1\" lon=\"1\"/>
        <way id=\"5\"><nd ref=\"1\"/><nd ref=\"2\"/><tag k=\"building\" v=\"yes\"/></way></osm>";
    refused("a.osm", broken, &["nothing in this file but", "1 x building way 5, node 2 of which is missing"]);
    let corner = broken.replace("<nd ref=\"2\"/>", "");
    refused("a.osm", &corner, &["nothing in this file but", "building way 5, which has fewer than 3 corners"]);
    let again = TOWN.replace("<way id=\"100\">", "<node id=\"9\" lat=\"0.0008\" lon=\"0.0008\"/><way id=\"100\">");
    assert_eq!(import("town.osm", &again, &plain()).floor, imported.floor);
    refused("a.osm", &again.replacen("lat=\"0.0008\"", "lat=\"0.0007\"", 1), &["node 9", "twice", "two places"]);
    refused("a.osm", &TOWN.replace("id=\"105\"", "id=\"104\""), &["way 104", "twice", "two lists of nodes"]);
    let relation = "<osm><relation id=\"9\"><member type=\"way\" ref=\"6\" role=\"outer\"/>
        <tag k=\"type\" v=\"multipolygon\"/><tag k=\"building\" v=\"yes\"/></relation></osm>";
    refused("a.osm", relation, &["building relation 9, way 6 of which is missing"]);
    refused("a.osm", "<osm><way></osm>", &["line 1"]);
    refused("a.osm", &"<a>".repeat(100), &["nested deeper than 64"]);
}

#[test]
fn grid_maps() {
    let map = |rows: &[&str]| {
        format!("type octile\nheight {}\nwidth {}\nmap\n{}\n", rows.len(), rows[0].len(), rows.join("\n"))
    };
    // Free cells that touch with a corner are apart, blocked ones between them or not.
    let imported = check("a.map", &map(&[".@", "@."]), &plain(), [2, 0, 0, 0], 2.0);
    assert_eq!(imported.floor.areas[0].outer.points()[0].y, 0.0); // the last row is the lowest
    // A floor around two blocked cells that touch with a corner: two holes.
    let imported = check("a.map", &map(&["....", ".@..", "..T.", "...."]), &plain(), [1, 0, 0, 0], 14.0);
    assert_eq!(imported.floor.areas[0].holes.len(), 2);
    // A floor that touches itself with a corner.
    check("a.map", &map(&["...", ".@.", "..@"]), &plain(), [1, 0, 0, 0], 7.0);
    check("a.txt", &map(&["G@", "SW"]), &Options { cell: 0.5, ..plain() }, [1, 0, 0, 0], 0.5);
    let part = Options { area: Some(vec![DVec2::new(0.0, 0.0), DVec2::new(2.0, 2.0)]), ..plain() };
    check("a.map", &map(&["....", ".@..", "....", "...."]), &part, [1, 0, 0, 0], 4.0);
    let filled = Options { fill_enclosed: true, ..plain() };
    let imported = check("a.map", &map(&["..@.", "..@."]), &filled, [1, 0, 0, 0], 4.0);
    assert_eq!(imported.report.changes, [Change::Filled(1, 2.0)]);
    refused("a.map", &map(&["..", ".x"]), &["line 6, column 2", "no such cell: `x`"]);
    // One character, however many bytes: as long as the row in bytes, as long in characters, and longer.
    for row in ["\u{e9}", ".\u{2588}", "...\u{e9}"] {
        let column = format!("line 6, column {}", row.chars().count());
        let named = format!("no such cell: `{}`", row.chars().last().unwrap());
        refused("a.map", &map(&["..", row]), &[&column, &named, "`.`, `G`, `S`"]);
    }
    refused("a.map", &map(&["..", "..."]), &["line 6", "the row has 3 cells, not 2"]);
    refused("a.map", "height 1\nwidth 2\nmap\n..\n\n.@\n", &["line 6", "`.@` comes after the last of 1 rows"]);
    refused("a.map", "type octile\nheight 3\nwidth 2\nmap\n..\n..\n", &["2 of 3 rows", "cut short"]);
    refused("a.map", "height 9999\nwidth 9999\nmap\n", &["9999 x 9999 cells", "a cell is one character"]);
    refused("a.map", "height 99999999999999999999\n", &["line 1", "1 to 10000 cells"]);
    refused("a.map", &map(&["@@"]), &["no cell can be walked on"]);
}

const ROOMS: &str = r#"<geometry unit="m"><rooms><room id="0">
  <subroom id="0"><polygon><vertex px="4" py="1"/><vertex px="4" py="0"/><vertex px="0" py="0"/><vertex px="0" py="4"/>
    <vertex px="4" py="4"/><vertex px="4" py="2"/></polygon>
    <obstacle id="7"><polygon><vertex px="1" py="1"/><vertex px="2" py="1"/><vertex px="2" py="2"/><vertex px="1" py="2"/>
      <vertex px="1" py="1"/></polygon></obstacle></subroom>
  <subroom id="1"><polygon><vertex px="4" py="1"/><vertex px="4" py="0"/><vertex px="8" py="0"/><vertex px="8" py="1"/></polygon>
    <polygon><vertex px="8" py="2"/><vertex px="8" py="4"/><vertex px="4" py="4"/><vertex px="4" py="2"/></polygon></subroom>
  <crossings><crossing id="3" subroom1_id="0" subroom2_id="1"><vertex px="4" py="1"/><vertex px="4" py="2"/></crossing></crossings>
  </room></rooms><transitions><transition id="0" caption="exit" room1_id="0" subroom1_id="1" room2_id="-1" subroom2_id="-1">
  <vertex px="8" py="1"/><vertex px="8" py="2"/></transition></transitions></geometry>"#;

/// Two rooms of 4 x 4 m, a wall of 3 m with a door between them, an obstacle of 1 m2, an exit.
#[test]
fn jupedsim() {
    let imported = check("rooms.xml", ROOMS, &plain(), [2, 3, 1, 1], 32.0 - 1.0 - 3.0 * 0.05);
    assert_eq!((&*imported.floor.doors[0].name, &*imported.floor.regions[0].name), ("crossing 3", "exit"));
    // Without the exit the outline has a gap.
    let open = ROOMS.split("<transitions>").next().unwrap().to_owned() + "</geometry>";
    let imported = check("rooms.xml", &open, &plain(), [2, 3, 1, 0], 32.0 - 1.0 - 3.0 * 0.05);
    assert_eq!(imported.report.changes[0], Change::Closed(vec!["room 0 subroom 1".into()]));
    refused("a.xml", "<geometry unit=\"yard\"></geometry>", &["`yard`", "m, cm or mm"]);
    refused("a.xml", "<geometry><rooms></rooms></geometry>", &["no floor"]);
    refused("a.xml", "<plan/>", &["holds no place"]);
}

#[test]
fn vadere() {
    let topography = |inside: &str| {
        format!(
            r#"{{"scenario": {{"topography": {{"attributes": {{"bounds": {{"x": 0, "y": 0, "width": 11, "height": 6}},
            "boundingBoxWidth": 0.5, "bounded": true}}, {inside}}}}}}}"#
        )
    };
    let rectangle = |x: f64, y: f64, width: f64, height: f64| {
        format!(r#"{{"type": "RECTANGLE", "x": {x}, "y": {y}, "width": {width}, "height": {height}}}"#)
    };
    let polygon = r#"{"type": "POLYGON", "points": [{"x": 5, "y": 1}, {"x": 6, "y": 1}, {"x": 6, "y": 2}]}"#;
    let circle = r#"{"type": "CIRCLE", "center": {"x": 8, "y": 3}, "radius": 0.5}"#;
    let obstacles = format!(r#"{{"id": 1, "shape": {}}}, {{"id": 2, "shape": {polygon}}}"#, rectangle(2., 2., 1., 1.));
    let regions = format!(
        r#""targets": [{{"id": 3, "shape": {circle}}}], "sources": [{{"id": 4, "shape": {}}}, {{"id": 5, "shape": {}}}]"#,
        rectangle(1., 1., 1., 1.),
        rectangle(2.2, 2.2, 0.5, 0.5)
    );
    let text = topography(&format!(r#""obstacles": [{obstacles}], {regions}"#));
    let imported = check("a.scenario", &text, &plain(), [1, 2, 0, 2], 50.0 - 1.0 - 0.5);
    assert_eq!(imported.report.changes, [Change::Lost(vec!["source 5".into()])]); // it is in an obstacle
    check("a.json", &text, &plain(), [1, 2, 0, 2], 48.5);
    // Four walls around the middle stay a ring with free floor in it.
    let walls: Vec<String> = [[2., 1., 5., 0.5], [2., 4., 5., 0.5], [2., 1., 0.5, 3.5], [6.5, 1., 0.5, 3.5]]
        .iter()
        .map(|&[x, y, width, height]| format!(r#"{{"id": 1, "shape": {}}}"#, rectangle(x, y, width, height)))
        .collect();
    let text = topography(&format!(r#""obstacles": [{}]"#, walls.join(", ")));
    let imported = check("a.scenario", &text, &plain(), [1, 2, 0, 0], 50.0 - 17.5 + 10.0);
    assert_eq!(imported.report.changes, [Change::United(4, 1), Change::Divided(1, 2)]);
    assert_eq!(imported.report.pieces.len(), 2);
    refused(
        "a.scenario",
        &topography(r#""obstacles": [{"id": 9, "shape": {"type": "STAR"}}]"#),
        &["obstacle 9", "STAR", "RECTANGLE"],
    );
    refused("a.scenario", &topography(r#""obstacles": 3"#), &["obstacles", "this is 3", "give a list"]);
    refused("a.scenario", "{}", &["attributes.bounds"]);
}

/// Outlines that cross themselves are filled where they are obstacles.
#[test]
fn crossed_obstacles_are_untangled() {
    let bow_tie = r#"{"type": "Polygon", "coordinates": [[[1, 1], [3, 3], [3, 1], [1, 3]]]}"#;
    let text = collection(&[feature("{}", &square(0., 0., 5.)), feature(r#"{"kind": "obstacle"}"#, bow_tie)]);
    let imported = check("a.geojson", &text, &plain(), [1, 2, 0, 0], 25.0 - 2.0);
    assert_eq!(imported.report.changes, [Change::Untangled("feature 1".into(), 2)]);
}
