//! Real floor plans: each is read, built and walked through.

use std::path::{Path, PathBuf};

use passerby_geometry::Vec2;
use passerby_navigation::{Floor, Goal, Map, Search, wkt};

/// The folder of the plans, if it is there.
fn plans() -> Option<PathBuf> {
    let data = std::env::var_os("PASSERBY_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    Some(data.join("environments/floorplan-wkt")).filter(|folder| folder.is_dir())
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "wkt") {
            found.push(path);
        }
    }
}

#[test]
fn real_plans_become_maps() {
    let Some(folder) = plans() else {
        println!("skipped: no floor plans; PASSERBY_DATA names the folder that holds them");
        return;
    };
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    assert!(paths.len() >= 12, "{} plans in {}", paths.len(), folder.display());
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let areas = wkt::read(&std::fs::read_to_string(&path).unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let area: f64 = areas.iter().map(|a| a.area()).sum();
        let map = Map::build(&Floor { areas, ..Floor::default() }).unwrap_or_else(|e| panic!("{name}: {e}"));
        // Nothing overlaps in these plans.
        assert!((map.free_area() - area).abs() < 1e-3, "{name}: {} m2 of {area}", map.free_area());
        walk(&name, &map);
    }
}

/// Trees and paths agree between points all over the plan, and what is longer for nobody is not shorter for a disc.
fn walk(name: &str, map: &Map) {
    let (low, high) = map.bounds();
    let spots: Vec<Vec2> = (0..64)
        .map(|i| low + (high - low) * Vec2::new((i % 8) as f32 + 0.5, (i / 8) as f32 + 0.5) / 8.0)
        .filter_map(|p| map.nearest_free(p, 0.3))
        .collect();
    assert!(!spots.is_empty(), "{name}: a person fits nowhere");
    let mut search = Search::default();
    for &to in spots.iter().step_by(9) {
        let goal = Goal::Point(to);
        let (point, disc) = (map.tree(&goal, 0.0), map.tree(&goal, 0.25));
        for &from in spots.iter().step_by(3) {
            let way = map.next(&point, from, &mut search).map(|w| w.distance);
            let wide = map.next(&disc, from, &mut search).map(|w| w.distance);
            let path = map.path(from, &goal, 0.25).map(|p| p.length);
            assert_eq!(wide.is_some(), path.is_some(), "{name}: {from} to {to}");
            if let (Some(way), Some(wide), Some(path)) = (way, wide, path) {
                assert!((wide - path).abs() < 1e-3, "{name}: {from} to {to}: tree {wide}, path {path}");
                assert!(way <= wide + 1e-3 && way >= from.distance(to) - 1e-3, "{name}: {from} to {to}: {way}, {wide}");
            }
        }
    }
}
