//! People and walls in the pixels of a film.

mod common;
use common::{expect, folder, open, write};

/// One person walks 100 pixels to the right in a second.
const FILM: &str = "1 - the number of splines\n2 - Num of control points\n\
                    0 0 0 -90 - (2D point, m_id)\n100 0 25 -90 - (2D point, m_id)\n";
/// A tenth of a metre a pixel: x to the right, y upwards from the lower edge.
const CAMERA: &str = "0 0.1 0\n-0.1 0 57.6\n0 0 1\n";
/// A house of 4 m x 4 m, 20 m above the way: rows 48 to 88 are y 52.8 to 48.8.
const HOUSE: &str = "400 48\n440 48\n440 88\n400 88\n400 48\n";

#[test]
fn a_film_and_a_house_in_it_are_read_with_a_homography() {
    let folder = folder("pixels");
    for (name, text) in [("annotation.vsp", FILM), ("H.txt", CAMERA), ("static.txt", HOUSE)] {
        write(&folder, name, text);
    }
    let export = |more: &[&str], code: i32| {
        let arguments = [&["export", "annotation.vsp", "--fps", "25", "--to", "film.parquet"], more].concat();
        expect(code, &folder, &arguments)
    };
    let (_, error) = export(&[], 2);
    assert!(
        error.contains("--pixel-size") && error.contains("hint: there is a file beside it: --homography"),
        "{error}"
    );
    export(&["--homography", "H.txt", "--place", "static.txt"], 0);
    let recording = open(&folder.join("film.parquet"));
    // The middle of the film is column 360, row 288: (36, 28.8).
    let last = recording.frame_at(25).expect("readable").expect("a frame");
    assert!((last.x[0] - 46.0).abs() < 1e-9 && (last.y[0] - 28.8).abs() < 1e-9, "{} {}", last.x[0], last.y[0]);
    assert!(last.heading[0].abs() < 1e-6 && (last.vx[0] - 10.0).abs() < 1e-3, "{} {}", last.heading[0], last.vx[0]);
    assert_eq!(recording.header().place.obstacles.len(), 1);
    export(&["--pixel-size", "0.02"], 0);
    let last = open(&folder.join("film.parquet")).frame_at(25).expect("readable").expect("a frame");
    assert!((last.x[0] - 2.0).abs() < 1e-9 && last.y[0] == 0.0);

    // People in metres, walls in pixels.
    write(&folder, "people.txt", "1 0 36 20\n1 25 46 20\n");
    let people = ["measure", "people.txt", "--unit", "m", "--fps", "25", "--quiet"];
    expect(0, &folder, &[&people[..], &["--place", "static.txt", "--homography", "H.txt"]].concat());
    let (_, error) = expect(2, &folder, &[&people[..], &["--place", "static.txt"]].concat());
    assert!(error.contains("static.txt: its points are pixels"), "{error}");
    let (_, error) = expect(2, &folder, &[&people[..], &["--homography", "H.txt"]].concat());
    assert!(error.contains("this file has none"), "{error}");
    let (_, error) = expect(2, &folder, &[&people[..], &["--homography", "static.txt"]].concat());
    assert!(error.contains("2 numbers; a homography has 3 lines of 3 numbers"), "{error}");

    write(
        &folder,
        "street.toml",
        "[place]\nfile = \"static.txt\"\nhomography = \"H.txt\"\nmargin = 30\n[[population]]\n\
         play = { file = \"annotation.vsp\", fps = 25, homography = \"H.txt\" }\n[run]\nuntil = 1\n",
    );
    let (out, _) = expect(0, &folder, &["check", "street.toml"]);
    assert!(out.contains("points of a picture"), "{out}");
    write(&folder, "street.toml", "[place]\nfile = \"static.txt\"\nhomography = \"none.txt\"\n[run]\nuntil = 1\n");
    let (_, error) = expect(2, &folder, &["check", "street.toml"]);
    assert!(error.contains("place.homography = \"none.txt\""), "{error}");
}
