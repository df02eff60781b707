//! Map files: what is written is read back to the last bit, what was cut or changed is an error that says where.

mod common;

use passerby_geometry::chance::{Chance, Purpose};
use passerby_geometry::{Area, DVec2, Polygon};
use passerby_navigation::import::saved::{SavedMap, read, write};
use passerby_navigation::import::{self, Change, Format, Options};
use passerby_navigation::{Door, Floor, Map, Region};

const HEAD: usize = 12;

/// A place of a survey, far from the origin, with a bit of everything.
fn place() -> SavedMap {
    let from = DVec2::new(3_512_345.678_901_234, 5_401_234.1);
    let ring = |corners: &[[f64; 2]]| {
        Polygon::new(corners.iter().map(|corner| from + DVec2::from(*corner)).collect()).expect("a polygon")
    };
    let square = |x: f64, y: f64, side: f64| ring(&[[x, y], [x + side, y], [x + side, y + side], [x, y + side]]);
    let floor = Floor {
        areas: vec![
            Area::new(square(0.0, 0.0, 20.0), vec![square(4.1, 4.3, 2.0), square(10.0, 4.0, 1.0)]).expect("an area"),
            ring(&[[20.0, 0.0], [25.0, 0.3], [25.0, 5.0], [20.0, 5.0]]).into(),
        ],
        obstacles: vec![square(1.0, 15.0, 1.7), square(12.0, 12.0, 3.0)],
        doors: vec![Door {
            name: "Tür nach Süden".to_owned(),
            line: [from + DVec2::new(20.0, 1.0), from + DVec2::new(20.0, 4.0)],
        }],
        regions: vec![Region { name: "exit".to_owned(), polygon: square(23.0, 1.0, 1.0), speed: 0.7 }],
    };
    let offset = Map::build(&floor).expect("a map").offset();
    SavedMap {
        floor,
        offset,
        pieces: vec![412.345_678, 7.5],
        tolerance: 0.001,
        centre: Some(DVec2::new(13.439_920_1, 52.473_432_3)),
        distortion: 4e-5,
        history: vec!["town.osm".to_owned(), "OpenStreetMap XML, degrees".to_owned()],
    }
}

#[test]
fn all_comes_back_to_the_last_bit() {
    let map = place();
    let bytes = write(&map);
    let again = read(&bytes).expect("what was written can be read");
    assert_eq!(again, map);
    assert_eq!(write(&again), bytes);
    assert_eq!(Map::build(&again.floor).expect("a map").offset(), map.offset);
}

#[test]
fn it_is_a_place_like_others() {
    let map = place();
    let imported = import::read("town.PMAP", &write(&map), &Options::default()).expect("a place");
    assert_eq!(imported.floor, map.floor);
    let report = imported.report;
    assert_eq!(
        (report.format, report.floors, report.obstacles, report.doors, report.regions),
        (Format::Saved, 2, 2, 1, 1)
    );
    assert_eq!(report.points, 4 * 4 + 4 * 2 + 4); // rings of areas, obstacles, region
    assert_eq!((report.centre, report.tolerance, report.free_area), (map.centre, 0.001, 419.845_678));
    assert_eq!(report.changes, map.history.iter().cloned().map(Change::Earlier).collect::<Vec<_>>());
    let error = import::read("town.pmap", &write(&map), &Options { fill_enclosed: true, ..Options::default() });
    assert!(error.expect_err("nothing is left to choose").what.contains("read as it is"));
}

#[test]
fn a_map_cut_anywhere_is_refused() {
    let bytes = write(&place());
    for length in 0..bytes.len() {
        let error = read(&bytes[..length]).expect_err("it is cut");
        let says_where = if length < 8 { "byte 0".to_owned() } else { format!("byte {length}") };
        assert!(error.at.contains(&says_where), "cut to {length} bytes: {error}");
    }
    let error = read(&[&bytes[..], b"x"].concat()).expect_err("it is longer");
    assert!(error.at.contains(&format!("byte {}", bytes.len())) && error.what.contains("1 bytes follow"), "{error}");
}

#[test]
fn a_flipped_bit_is_refused_and_its_section_named() {
    let bytes = write(&place());
    let sections = sections(&bytes);
    for bit in 0..8 * bytes.len() {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let error = read(&changed).expect_err("a bit is not as it was");
        let expected = match sections.iter().position(|&(start, end)| (start..end).contains(&(bit / 8))) {
            Some(n) => ["about", "areas", "obstacles", "doors", "regions"][n],
            None if bit / 8 < 8 => "byte 0",
            None => "byte 8",
        };
        assert!(error.at.contains(expected), "bit {bit}: {error}");
    }
}

/// Where sections begin and end: length, body, checksum.
fn sections(bytes: &[u8]) -> Vec<(usize, usize)> {
    let (mut sections, mut at) = (Vec::new(), HEAD);
    while at < bytes.len() {
        let length = u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes")) as usize;
        sections.push((at, at + 8 + length + 4));
        at += 8 + length + 4;
    }
    sections
}

/// The same with checksums that fit.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    for (start, end) in sections(&bytes) {
        let sum = crc32fast::hash(&bytes[start..end - 4]);
        bytes[end - 4..end].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

#[test]
fn wrong_values_with_right_checksums_never_panic() {
    let bytes = write(&place());
    let bodies: Vec<usize> = sections(&bytes).into_iter().flat_map(|(start, end)| start + 8..end - 4).collect();
    let values: [[u8; 8]; 5] = [f64::NAN, f64::INFINITY, -1.0, 1e300, 0.0].map(f64::to_le_bytes);
    let mut draw = Chance::new(4).stream(0, 0, Purpose::Decision);
    let mut refused = 0;
    for _ in 0..10_000 {
        let mut changed = bytes.clone();
        for _ in 0..=draw.below(3) {
            let at = bodies[draw.below(bodies.len() as u32) as usize];
            match draw.below(3) {
                0 => changed[at] = draw.next_u32() as u8,
                1 if bodies.contains(&(at + 7)) => {
                    changed[at..at + 8].copy_from_slice(&values[draw.below(5) as usize]);
                }
                _ if bodies.contains(&(at + 3)) => changed[at..at + 4].fill(0xff),
                _ => {}
            }
        }
        // Lengths of sections stay as they are, so that checksums can be put where they belong.
        let lengths_kept =
            sections(&bytes).iter().all(|&(start, _)| changed[start..start + 8] == bytes[start..start + 8]);
        if !lengths_kept {
            continue;
        }
        match read(&sealed(changed)) {
            Ok(map) => drop(Map::build(&map.floor)),
            Err(error) => {
                assert!(!error.at.is_empty() && !error.help.is_empty(), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 2_000, "only {refused} were refused");
}

#[test]
fn endless_counts_are_refused_before_memory_is_taken() {
    let bytes = write(&place());
    for (n, name) in ["areas", "obstacles", "doors", "regions"].iter().enumerate() {
        let mut changed = bytes.clone();
        let body = sections(&bytes)[n + 1].0 + 8;
        changed[body..body + 4].fill(0xff);
        let error = read(&sealed(changed)).expect_err("there is no room for so many");
        assert!(error.at.contains(name) && error.what.contains("4294967295 are claimed"), "{error}");
    }
    let mut other = bytes.clone();
    other[8] = 9;
    assert!(read(&other).expect_err("another version").what.contains("version 9, version 1 can be read"));
}

/// Rings of 50 000 corners within each other, the inner one leaving the outer with its last corner: asking every corner about every edge took
/// seconds.
#[test]
fn large_outlines_are_checked_soon() {
    let corners = |radius: f64| {
        (0..50_000).map(move |i| {
            let (sin, cos) = passerby_geometry::math::double::sin_cos(f64::from(i) * std::f64::consts::TAU / 5e4);
            radius * DVec2::new(cos, sin)
        })
    };
    let ring = |corners: Vec<DVec2>| Polygon::new(corners).expect("a polygon");
    let mut map = place();
    let whole = Area { outer: ring(corners(500.0).collect()), holes: vec![ring(corners(400.0).collect())] };
    map.floor = Floor { areas: vec![whole.clone()], ..Floor::default() };
    assert_eq!(read(&write(&map)).expect("a map").floor.areas, std::slice::from_ref(&whole));
    let beyond = corners(400.0).take(49_999).chain([DVec2::new(600.0, -0.01)]).collect();
    map.floor.areas = vec![Area { holes: vec![ring(beyond)], ..whole }];
    let bytes = write(&map);
    let error =
        common::soon::refused_soon("rings", || read(&bytes).expect_err("the hole leaves the floor").to_string());
    assert!(error.contains("hole 0 leaves the outer outline near its vertex 49999 at (600, -0.01)"), "{error}");
}
