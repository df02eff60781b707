//! Small files made by hand, read and looked at.

use passerby_navigation::import::{Imported, Options, read};
use passerby_navigation::{Floor, Map};

#[track_caller]
pub fn import(name: &str, text: &str, options: &Options) -> Imported {
    read(name, text.as_bytes(), options).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The file gives so many areas, obstacles, doors and regions, and so much free floor, which the map has too.
#[track_caller]
pub fn check(name: &str, text: &str, options: &Options, counts: [usize; 4], area: f64) -> Imported {
    let imported = import(name, text, options);
    let Floor { areas, obstacles, doors, regions } = &imported.floor;
    assert_eq!([areas.len(), obstacles.len(), doors.len(), regions.len()], counts, "{}", imported.report);
    let free = imported.report.free_area;
    assert!((free - area).abs() < 1e-6, "{free} m2, expected {area}\n{}", imported.report);
    let map = Map::build(&imported.floor).unwrap_or_else(|error| panic!("{error}\n{}", imported.report));
    assert!((map.free_area() - free).abs() < 1e-4, "{} m2 in the map, {free} in the report", map.free_area());
    imported
}

#[track_caller]
pub fn refused(name: &str, text: &str, words: &[&str]) {
    let error = read(name, text.as_bytes(), &Options::default()).expect_err(name).to_string();
    words.iter().for_each(|word| assert!(error.contains(word), "{error}: no `{word}`"));
}

pub fn plain() -> Options {
    Options::default()
}
