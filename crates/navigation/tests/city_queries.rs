//! Queries of the Moving AI lab in city maps, with the lengths of shortest paths on the grid that come with them.
//!
//! Grid paths go from middle to middle of cells in eight directions and never cut a corner, so a disc of less than a cell can
//! follow them: an exact path is no longer.

use std::path::{Path, PathBuf};

use passerby_geometry::{DVec2, Vec2};
use passerby_navigation::import::{Options, read};
use passerby_navigation::{Goal, Hierarchy, Level, Map, Routing, Spot, Subdivision, pull};

/// Half of a cell is the most that is free around the middle of one.
const RADIUS: f32 = 0.25;

/// Cities and how many queries come with each.
const CITIES: [(&str, usize); 4] =
    [("Berlin_1_256", 910), ("Paris_1_256", 1090), ("NewYork_0_512", 1790), ("Boston_0_1024", 3840)];

/// `PASSERBY_DATA`, or `../shared/data` beside the project; without either the test says so.
fn folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("PASSERBY_DATA").map_or_else(beside, PathBuf::from).join("environments/city-grid");
    if !folder.is_dir() {
        println!("skipped: no cities; PASSERBY_DATA names the folder that holds them");
        return None;
    }
    Some(folder)
}

/// Start, goal and shortest length on the grid of every query, in the map's coordinates.
fn queries(text: &str, map: &Map) -> Vec<(Vec2, Vec2, f64)> {
    let query = |line: &str| {
        let numbers: Vec<f64> = line.split_whitespace().skip(2).filter_map(|word| word.parse().ok()).collect();
        let [_, height, x0, y0, x1, y1, shortest] = numbers[..] else { panic!("{line}") };
        let middle = |x: f64, y: f64| (DVec2::new(x + 0.5, height - y - 0.5) - map.offset()).as_vec2();
        (middle(x0, y0), middle(x1, y1), shortest)
    };
    text.lines().skip(1).map(query).collect()
}

/// Solves one query of every `stride` exactly and by the hierarchy, and gives lengths of the latter over those on the grid.
#[track_caller]
fn detours(folder: &Path, (city, count): (&str, usize), stride: usize) -> Vec<f64> {
    let bytes = std::fs::read(folder.join(format!("{city}.map"))).unwrap();
    let map = Map::build(&read("city.map", &bytes, &Options::default()).unwrap().floor).unwrap();
    let subdivision = Subdivision::build(&map);
    let hierarchy = Hierarchy::build(&subdivision, 2.0 * f64::from(RADIUS));
    let queries = queries(&std::fs::read_to_string(folder.join(format!("{city}.map.scen"))).unwrap(), &map);
    assert_eq!(queries.len(), count, "{city}");
    let (mut routing, mut portals, mut line) = (Routing::default(), Vec::new(), Vec::new());
    let (mut longest, mut detours) = (0.0_f64, Vec::new());
    for (from, to, shortest) in queries.into_iter().step_by(stride) {
        let path = map.path(from, &Goal::Point(to), RADIUS);
        let exact = f64::from(path.unwrap_or_else(|| panic!("{city}: no path from {from} to {to}")).length);
        let [start, goal] = [from, to].map(|at| Spot { level: Level(0), at });
        let route = routing.find(&hierarchy, &subdivision, start, goal);
        assert!(route.is_some(), "{city}: no route from {from} to {to}");
        routing.crossings(&hierarchy, &mut portals);
        let pulled = pull(&subdivision, from, &portals, to, f64::from(RADIUS), &mut line);
        assert!(exact >= f64::from(from.distance(to)) - 1e-3, "{city}: {exact} m from {from} to {to}");
        if shortest > 0.0 {
            longest = longest.max(exact / shortest);
            detours.push(pulled / shortest);
        }
    }
    println!("{city}: {} queries, exact ones at most {longest:.7} of those on the grid", detours.len());
    assert!(longest <= 1.0 + 1e-5, "{city}: {longest} of the shortest path on the grid");
    detours
}

#[track_caller]
fn check(strides: [usize; 4]) {
    let Some(folder) = folder() else { return };
    let mut all: Vec<f64> =
        CITIES.iter().zip(strides).flat_map(|(&city, stride)| detours(&folder, city, stride)).collect();
    all.sort_by(f64::total_cmp);
    let worst = all[(all.len() - 1) * 99 / 100];
    println!("hierarchical ones at p99 {worst:.4}");
    assert!(worst <= 1.2, "hierarchical paths are {worst} of those on the grid at p99");
}

#[test]
fn some_queries_in_each_city_are_no_longer_than_on_the_grid() {
    check([5, 5, 20, 40]);
}

#[test]
#[ignore = "all 7630 queries take two minutes"]
fn long_all_queries_in_each_city_are_no_longer_than_on_the_grid() {
    check([1; 4]);
}
