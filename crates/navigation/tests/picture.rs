//! Corners in a picture and its homography become what stands on the ground.

mod small_files;

use passerby_geometry::{DVec2, Homography};
use passerby_navigation::import::{Options, read};
use small_files::{check, plain, refused};
use std::path::{Path, PathBuf};

/// A tenth of a metre a pixel from straight above: x to the right, y upwards from row 100.
fn above() -> Options {
    Options { homography: Homography::parse("0 0.1 0\n-0.1 0 10\n0 0 1").ok(), margin: 1.0, ..plain() }
}

#[test]
fn corners_in_a_picture_are_an_obstacle_or_a_wall() {
    // 4 m x 2 m and a metre around it: 6 x 4 - 8.
    let outline = "10 20\n50 20\n50 40\n10 40\n10 20\n";
    let imported = check("static.txt", outline, &above(), [1, 1, 0, 0], 16.0);
    let corners = imported.floor.obstacles[0].points();
    for corner in [[1.0, 8.0], [5.0, 8.0], [5.0, 6.0], [1.0, 6.0]] {
        assert!(corners.iter().any(|at| at.distance(DVec2::from(corner)) < 1e-9), "{corner:?} is not in {corners:?}");
    }
    // A wall of 4 m that is 0.2 m thick, in 6 m x 2 m.
    check("static.txt", "10 20\n50 20\n", &Options { wall: 0.2, ..above() }, [1, 1, 0, 0], 12.0 - 0.8);
    for (text, words) in [
        ("10 20\n50 20 7\n", "line 2: `50 20 7` are not two numbers"),
        ("10 20\n\n50 x\n", "line 3: `50 x`"),
        ("10 20\n", "one point is no wall"),
    ] {
        let error = read("static.txt", text.as_bytes(), &above()).expect_err(text).to_string();
        assert!(error.contains(words), "{error}");
    }
    refused("static.txt", outline, &["pixels", "homography = \"H.txt\""]);
    let error = read("a.wkt", b"POLYGON ((0 0, 4 0, 4 4))", &above()).expect_err("no pixels").to_string();
    assert!(error.contains("`homography` does not go with well-known text"), "{error}");
}

/// The building beside the street of zara01. Its last edge crosses one arm of it, so that it has two parts: 24.886 m2 and 2.817 m2 as
/// Shapely's `polygonize` has them. Nobody walks through it but one, for 12 of 5024 positions, along its rear wall.
#[test]
fn zara01_walks_round_its_building() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("PASSERBY_DATA").map_or_else(beside, PathBuf::from).join("trajectories/ucy-zara01");
    let text = |file: &str| std::fs::read_to_string(data.join(file));
    let (Ok(corners), Ok(homography), Ok(people)) = (text("static.txt"), text("H.txt"), text("obsmat.txt")) else {
        eprintln!("skipped: there is no {}; set PASSERBY_DATA", data.display());
        return;
    };
    let homography = Homography::parse(&homography).expect("a homography");
    let options = Options { homography: Some(homography), ..plain() };
    let imported = read("static.txt", corners.as_bytes(), &options).expect("a place");
    let building = &imported.floor.obstacles;
    let mut areas: Vec<f64> = building.iter().map(|part| part.area()).collect();
    areas.sort_by(f64::total_cmp);
    assert!(areas.len() == 2 && (areas[0] - 2.817).abs() < 1e-3 && (areas[1] - 24.886).abs() < 1e-3, "{areas:?} m2");
    let corners = || building.iter().flat_map(|part| part.points());
    let low = corners().fold(DVec2::INFINITY, |low, p| low.min(*p));
    let high = corners().fold(DVec2::NEG_INFINITY, |high, p| high.max(*p));
    let near = |p: DVec2, x: f64, y: f64| p.distance(DVec2::new(x, y)) < 0.01;
    assert!(near(low, 0.649, 6.367) && near(high, 7.553, 18.181), "{low} {high}");
    let numbers =
        |line: &str| line.split_whitespace().map(|word| word.parse().expect("a number")).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = people.lines().map(numbers).collect();
    let is_inside = |row: &Vec<f64>| building.iter().any(|part| part.contains(DVec2::new(row[2], row[4])));
    let inside: Vec<f64> = rows.iter().filter(|row| is_inside(row)).map(|row| row[1]).collect();
    assert_eq!((rows.len(), inside.len()), (5024, 12), "{inside:?}");
    assert!(inside.iter().all(|id| *id == 90.0), "{inside:?}");
    assert!(
        rows.iter().all(|row| imported.floor.areas[0].outer.contains(DVec2::new(row[2], row[4]))),
        "all on the floor"
    );
}
