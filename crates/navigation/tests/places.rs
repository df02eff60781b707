//! Real places: each is imported and built. Areas are those of scripts of their own (scan lines over the outlines of the
//! file), by hand where a line says so; counts are those that the collection of places states.

use std::path::{Path, PathBuf};

use passerby_geometry::DVec2;
use passerby_navigation::Map;
use passerby_navigation::import::{Change, Imported, Options, read};

/// `PASSERBY_DATA`, or `../shared/data` beside the project; without either the test says so.
fn data() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("PASSERBY_DATA").map_or_else(beside, PathBuf::from);
    if !data.is_dir() {
        println!("skipped: no places; PASSERBY_DATA names the folder that holds them");
        return None;
    }
    Some(data)
}

#[track_caller]
fn import(path: &Path, options: &Options) -> Imported {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    read(&path.to_string_lossy(), &bytes, options).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Counts of floors, obstacles, doors and regions in the file, size of the floor, free area within `slack`; the map has the
/// same free area.
#[track_caller]
fn check(name: &str, counts: [usize; 4], size: [f64; 2], (area, slack): (f64, f64)) {
    let Some(data) = data() else { return };
    let Imported { floor, report } = import(&data.join(name), &Options::default());
    assert_eq!([report.floors, report.obstacles, report.doors, report.regions], counts, "{name}");
    let found = report.bounds.1 - report.bounds.0;
    assert!((found - DVec2::from(size)).abs().max_element() < 0.01, "{name}: {found}");
    assert!((report.free_area - area).abs() <= slack, "{name}: {} m2, expected {area}", report.free_area);
    let map = Map::build(&floor).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!((map.free_area() - report.free_area).abs() < 1e-3, "{name}: {} m2", map.free_area());
}

#[test]
fn floor_plans_of_well_known_text() {
    let at = |name: &str| format!("environments/floorplan-wkt/{name}");
    check(&at("BUW.wkt"), [1, 0, 0, 0], [50.25, 32.24], (1378.0, 0.5));
    check(&at("arena.wkt"), [1, 0, 0, 0], [20.63, 21.6], (263.0, 0.6));
    check(&at("corner_with_shortcut.wkt"), [1, 0, 0, 0], [30.0, 30.0], (337.5, 1e-6));
    check(&at("juelich_tests/office_rooms.wkt"), [1, 0, 0, 0], [9.0, 8.0], (69.62, 1e-6));
    check("peers/iso20414/ISO-table21/geometry.wkt", [1, 0, 0, 0], [100.0, 2.0], (200.0, 1e-9));
    check("peers/iso20414/ISO-table22/geometry.wkt", [1, 0, 0, 0], [10.0, 10.0], (100.0, 1e-9));
}

#[test]
fn drawings() {
    // 27 LWPOLYLINE, 3 CIRCLE, 4 LINE: 2 floors (one has no size), 16 obstacles and a line of 8 mm, 9 regions.
    check("environments/floorplan-dxf/Gallery.dxf", [2, 17, 0, 9], [45.49, 29.92], (685.525, 0.02));
    check("environments/floorplan-dxf/ISO-Corner.dxf", [1, 0, 0, 2], [12.0, 12.0], (44.0, 1e-9)); // 12 x 2 + 2 x 10
    check("environments/floorplan-dxf/ISO-Bottleneck.dxf", [1, 0, 0, 2], [30.0, 10.0], (220.0, 1e-9));
}

#[test]
fn streets() {
    // 127 buildings: 123 ways, 3 roofs that are left out, and a relation whose courtyard is not in the file.
    check("environments/osm/neukolln/input.osm", [0, 124, 0, 0], NEUKOLLN.0, (NEUKOLLN.1, 1.0));
    check("environments/osm/tiny_loop/input.osm", [0, 167, 0, 0], [460.828, 439.078], (181_787.04, 1.0));
}

/// Size and free area.
const NEUKOLLN: ([f64; 2], f64) = ([304.131, 402.123], 95_252.67);

#[test]
fn a_part_of_a_town_is_cut_out() {
    let Some(data) = data() else { return };
    let (low, high) = (DVec2::new(13.4385, 52.4725), DVec2::new(13.4415, 52.4745));
    let options = Options { area: Some(vec![low, high]), ..Options::default() };
    let Imported { floor, report } = import(&data.join("environments/osm/neukolln/input.osm"), &options);
    // At 52.4735 N, by the series 111 412.84 cos(p) - 93.5 cos(3p) + 0.118 cos(5p) m for a degree of longitude and
    // 111 132.92 - 559.82 cos(2p) + 1.175 cos(4p) m for one of latitude.
    let size = report.bounds.1 - report.bounds.0;
    assert!((size - DVec2::new(203.853, 222.553)).abs().max_element() < 0.001, "{size}");
    assert_eq!(report.centre, Some((low + high) / 2.0));
    assert!(
        report
            .changes
            .iter()
            .any(|change| matches!(change, Change::CutOff(floor, obstacles) if *floor == 0.0 && *obstacles > 0.0))
    );
    assert!(report.changes.iter().any(|change| matches!(change, Change::OffFloor(_))));
    assert!(floor.obstacles.iter().all(|o| o.bounds().0.cmpge(report.bounds.0 - 1e-6).all()));
    Map::build(&floor).unwrap();
}

#[test]
fn grid_maps_have_the_free_cells_of_the_file() {
    let at = |name: &str| format!("environments/city-grid/{name}.map");
    check(&at("Berlin_1_256"), [10, 47, 0, 0], [256.0, 256.0], (47_540.0, 0.0));
    check(&at("Paris_1_256"), [34, 82, 0, 0], [256.0, 256.0], (47_240.0, 0.0));
    check(&at("NewYork_0_512"), [2, 28, 0, 0], [512.0, 512.0], (196_644.0, 0.0));
}

/// Ends of the queries that come with a map are on its floor, where the page of the importer says they are.
#[test]
fn queries_of_grid_maps_begin_and_end_on_the_floor() {
    let Some(data) = data() else { return };
    let folder = data.join("environments/city-grid");
    let map = Map::build(&import(&folder.join("Berlin_1_256.map"), &Options::default()).floor).unwrap();
    let queries = std::fs::read_to_string(folder.join("Berlin_1_256.map.scen")).unwrap();
    let mut count = 0;
    for line in queries.lines().skip(1) {
        let numbers: Vec<f64> = line.split_whitespace().skip(2).filter_map(|word| word.parse().ok()).collect();
        let [_, height, x0, y0, x1, y1, _] = numbers[..] else { panic!("{line}") };
        for (x, y) in [(x0, y0), (x1, y1)] {
            let at = DVec2::new(x + 0.5, height - y - 0.5);
            assert!(map.contains((at - map.offset()).as_vec2()), "{line}");
        }
        count += 1;
    }
    assert_eq!(count, 910);
}

#[test]
fn geometries_of_jupedsim() {
    let rimea = |name: &str| format!("peers/jupedsim-rimea/{name}/geometry.xml");
    check(&rimea("test_1"), [1, 0, 0, 1], [42.0, 2.0], (84.0, 1e-9));
    check(&rimea("test_2"), [3, 0, 2, 1], [12.0, 2.0], (24.0, 1e-9));
    check(&rimea("test_4"), [1, 0, 0, 2], [27.0, 2.0], (54.0, 1e-9));
    check(&rimea("test_5"), [1, 0, 0, 1], [5.0, 8.0], (40.0, 1e-9));
    check(&rimea("test_6"), [2, 0, 1, 1], [12.0, 12.0], (44.0, 1e-9));
    check(&rimea("test_9"), [2, 0, 0, 8], [61.0, 20.0], (1200.0, 1e-9));
    check(&rimea("test_12"), [3, 0, 2, 1], [25.0, 10.0], (205.0, 1e-9)); // 10 x 10 + 5 x 1 + 10 x 10
    // By hand: 18 x 11 m less walls of 0.05 m: 11 of 5 m between rooms, 11.4 m and 12.6 m along the corridor; where they meet
    // 9 corners of 0.05 x 0.025 m and 2 of 0.025 x 0.025 m were counted twice.
    check(&rimea("test_10"), [13, 61, 12, 2], [18.0, 11.0], (198.0 - 3.95 + 0.0125, 1e-9));
    check("trajectories/juelich-corner/geo.xml", [1, 0, 0, 0], [8.0, 8.0], (39.0, 1e-9)); // 3 x (8 + 5)
    check("trajectories/juelich-t-junction/geo_KO_240_050_240.xml", [1, 0, 0, 0], [9.0, 6.9], (32.4, 1e-9)); // 2.4 x (9 + 4.5)
    check("trajectories/juelich-crossing-90/geo_crossing_90_c_6_v5.xml", [1, 1, 0, 0], [10.5, 6.0], (49.7115, 1e-4));
}

#[test]
fn topographies_of_vadere() {
    let places = |name: &str| format!("environments/vadere-places/{name}.scenario");
    let rimea = |name: &str| format!("peers/vadere-rimea/{name}.scenario");
    // 318 x 511 m less a wall of half a metre.
    check(&places("03-Kaiserslautern-Klein"), [1, 96, 0, 0], [317.0, 510.0], (109_778.5, 1.0));
    check(&places("supermarket_basic"), [1, 41, 0, 218], [51.5, 31.5], (871.3, 0.1));
    check(&rimea("rimea_01_pathway_discrete_ca"), [1, 8, 0, 2], [44.0, 2.0], (88.0, 0.01)); // walls 0.1 mm too thick
    check(&rimea("rimea_04_flow_osm1_050_h"), [1, 0, 0, 4], [34.0, 3.0], (102.0, 1e-9));
    check(&rimea("rimea_05_react"), [1, 2, 0, 2], [14.0, 5.0], (68.0, 1e-9));
    check(&rimea("rimea_06_corner"), [1, 2, 0, 3], [12.0, 16.0], (173.0, 1e-9));
    check(&rimea("rimea_07_speeds_nelder_mead"), [1, 0, 0, 2], [110.0, 53.0], (5830.0, 1e-9));
    check(&rimea("rimea_10_pathfinding"), [1, 45, 0, 14], [38.0, 19.0], (534.2, 0.02));
    check("peers/vadere-t-junction/T-240-050-240.scenario", [1, 13, 0, 6], [34.0, 11.0], (316.35, 0.01));
}

/// What no place can be made of is refused with the way round.
#[test]
fn models_in_three_dimensions_are_refused() {
    let Some(data) = data() else { return };
    for name in ["building-ifc/Duplex_A_20110907.ifc", "mesh-obj/nav_test.obj", "city-3d-cityjson/delft.json"] {
        let bytes = std::fs::read(data.join("environments").join(name)).unwrap();
        let error = read(name, &bytes, &Options::default()).unwrap_err();
        assert!(error.help.contains("as DXF, WKT or GeoJSON"), "{name}: {error}");
    }
}
