//! Drawings (DXF) made by hand, one feature each; areas are those of the drawing.

mod small_files;

use passerby_navigation::import::{Change, Layers, Options};
use small_files::{check, import, plain, refused};

/// A drawing of these entities, in millimetres.
fn drawing(entities: &str) -> String {
    format!(
        "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n{entities}0\nENDSEC\n0\nEOF\n"
    )
}

fn polyline(layer: &str, closed: bool, points: &[[f64; 3]]) -> String {
    let corners: String = points.iter().map(|[x, y, bulge]| format!("10\n{x}\n20\n{y}\n42\n{bulge}\n")).collect();
    format!("0\nLWPOLYLINE\n5\nAB\n8\n{layer}\n90\n{}\n70\n{}\n{corners}", points.len(), u8::from(closed))
}

fn line(layer: &str, [x, y, to_x, to_y]: [f64; 4]) -> String {
    format!("0\nLINE\n8\n{layer}\n10\n{x}\n20\n{y}\n11\n{to_x}\n21\n{to_y}\n")
}

#[test]
fn drawings_by_layer() {
    let room = polyline("FLOOR", true, &[[0., 0., 0.], [10_000., 0., 0.], [10_000., 10_000., 0.], [0., 10_000., 0.]]);
    let yard =
        polyline("floor", true, &[[8000., 8000., 0.], [9000., 8000., 0.], [9000., 9000., 0.], [8000., 9000., 0.]]);
    // Four lines in any order and sense, ends up to half a millimetre apart, and one that stays open.
    let walls = [
        [1000., 1000., 3000., 1000.],
        [3000., 3000., 3000., 1000.4],
        [1000., 1000., 1000., 3000.],
        [3000., 3000., 1000.3, 3000.],
    ];
    let walls: String = walls.iter().map(|ends| line("obstacles", *ends)).collect();
    let open = line("obstacles", [5000., 1000., 5000., 3000.]);
    let door = line("doors", [0., 5000., 10_000., 5000.]);
    let text = drawing(
        &(room.clone()
            + &yard
            + &walls
            + &open
            + &door
            + "0\nTEXT\n8\nnotes\n1\nhall\n0\nINSERT\n8\nwalls\n2\nchair\n"),
    );
    let imported = import("plan.dxf", &text, &plain());
    let report = &imported.report;
    assert!((report.free_area - (100.0 - 1.0 - 4.0 - 0.1)).abs() < 0.002, "{report}"); // ends were moved by 0.4 mm
    assert_eq!((imported.floor.areas[0].holes.len(), imported.floor.obstacles.len()), (1, 2));
    assert_eq!(imported.floor.doors[0].name, "doors");
    assert_eq!(report.unit, "mm");
    assert!(report.changes.contains(&Change::Walls(1, 0.05)), "{report}");
    assert_eq!(report.ignored, [("INSERT on layer walls".to_owned(), 1), ("entity on layer notes".to_owned(), 1)]);
    // The same floor by a name of its own; its obstacles are not asked for.
    let layers = Layers { floor: vec!["floor".into()], obstacles: vec!["none".into()], ..Layers::default() };
    let options = Options { layers, scale: Some(1.0), ..plain() };
    check("plan.dxf", &drawing(&room), &options, [1, 0, 0, 0], 1e8);
    refused(
        "plan.dxf",
        &drawing(&open),
        &["no closed outline lies on a layer of floor", "there are: obstacles", "say which layers"],
    );
    refused("plan.dxf", "0\nSECTION\nx\n", &["line 3", "no group code"]);
    refused("plan.dxf", "AutoCAD Binary DXF", &["binary", "ASCII"]);
    refused(
        "plan.dxf",
        &drawing(&room.replacen("10000", "1e999", 1)),
        &["line", "1e999", "group code 10", "finite number"],
    );
}

/// A floor of 4 x 2 m with half a circle at its right end, with a circle in it.
#[test]
fn arcs_of_drawings() {
    let floor = polyline("floor", true, &[[0., 0., 0.], [4000., 0., 1.], [4000., 2000., 0.], [0., 2000., 0.]]);
    let column = "0\nCIRCLE\n8\nobstacles\n10\n2000\n20\n1000\n40\n500\n";
    let imported = import("a.dxf", &drawing(&(floor + column)), &plain());
    let expected = 8.0 + std::f64::consts::PI * (0.5 - 0.25);
    // Sides lie at most 1 cm within the arc: less than 3.14 x 0.01 m2 and 3.14 x 0.01 m2.
    assert!(
        (imported.report.free_area - expected).abs() < 0.04,
        "{} m2, expected {expected}",
        imported.report.free_area
    );
    let (_, high) = imported.report.bounds;
    assert!((high.x - 5.0).abs() < 0.02, "{high}"); // to the right of the chord
    // The same floor as POLYLINE, VERTEX and SEQEND.
    let vertex = |x: f64, y: f64, bulge: f64| format!("0\nVERTEX\n8\nfloor\n10\n{x}\n20\n{y}\n42\n{bulge}\n");
    let corners = vertex(0., 0., 0.) + &vertex(4000., 0., 1.) + &vertex(4000., 2000., 0.) + &vertex(0., 2000., 0.);
    let old = drawing(&format!("0\nPOLYLINE\n8\nfloor\n66\n1\n70\n1\n{corners}0\nSEQEND\n"));
    let area = import("a.dxf", &old, &plain()).report.free_area;
    assert!((area - (8.0 + std::f64::consts::PI / 2.0)).abs() < 0.02, "{area}");
}

/// What a drawing says wrongly is never read as something else.
#[test]
fn drawings_with_wrong_values() {
    let floor = polyline("floor", true, &[[0., 0., 0.], [4000., 0., 0.], [4000., 2000., 0.]]);
    let text = drawing(&floor);
    // Lines 7 and 8 are the unit; the outline begins at line 15.
    let flag = 1 + text.lines().skip(14).position(|line| line == "70").unwrap() + 15;
    let line = format!("line {flag}");
    for wrong in ["yes", "1.5", "", "99999999999"] {
        let flag = drawing(&floor.replacen("70\n1\n", &format!("70\n{wrong}\n"), 1));
        refused("a.dxf", &flag, &[&line, &format!("`{}`", wrong), "group code 70", "whole number"]);
        let unit = text.replacen("70\n4\n", &format!("70\n{wrong}\n"), 1);
        refused("a.dxf", &unit, &["line 8", &format!("`{}`", wrong), "group code 70", "whole number"]);
    }
    let vertex = "0\nVERTEX\n8\nfloor\n10\n0\n20\n0\n";
    let cut = format!("0\nPOLYLINE\n8\nfloor\n70\n1\n{vertex}{vertex}");
    for rest in ["", &floor] {
        refused("a.dxf", &drawing(&format!("{cut}{rest}")), &["POLYLINE of line 15", "without SEQEND", "cut short"]);
    }
    let arc = "0\nARC\n8\nwalls\n10\n0\n20\n0\n40\n-5\n50\n0\n51\n90\n";
    refused("a.dxf", &drawing(&(floor + arc)), &["ARC of line", "radius is -5", "more than 0"]);
}
