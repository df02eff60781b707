//! UCY `annotation.vsp`: clicks in a film become the positions that were published of them.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use passerby_geometry::{DVec2, Homography};
use passerby_record::{Image, ImportError, Recording, Stated, Unit, import};

/// A file of `PASSERBY_DATA`, or of `../shared/data` beside the project; without either the test says so.
fn read(file: &str) -> Option<Vec<u8>> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("PASSERBY_DATA").map_or_else(beside, PathBuf::from);
    let path = data.join("trajectories").join(file);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        eprintln!("skipped: there is no {}; set PASSERBY_DATA", path.display());
    }
    bytes
}

/// Film of 25 frames a second, pixels of a centimetre.
const FILM: Stated = Stated { unit: None, fps: Some(25.0), image: Some(Image::PixelSize(0.01)) };

fn open(bytes: impl Into<Vec<u8>>, stated: &Stated) -> Result<Recording, ImportError> {
    import(Cursor::new(bytes.into()), "film", stated)
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    DVec2::from(a).distance(b.into())
}

/// Where each person is in each frame.
fn places(recording: &Recording) -> BTreeMap<(u32, u32), [f64; 2]> {
    let mut places = BTreeMap::new();
    let each = &mut |frame: &passerby_record::Frame<'_>| {
        let rows = frame.id.iter().zip(frame.x.iter().zip(frame.y));
        places.extend(rows.map(|(id, (x, y))| ((*id, frame.tick), [*x, *y])));
        ControlFlow::Continue(())
    };
    recording.frames(0, u32::MAX, each).expect("all frames");
    places
}

/// Frames of a film count from 0, those of `obsmat` from 1. The README of the data asks for 95 % within a millimetre; its numbers
/// are rounded to 1e-6 of their size, so that all have to be within 0.02 mm.
#[test]
fn zara01_is_what_was_published_of_it() {
    let Some([film, homography, published]) = ["annotation.vsp", "H.txt", "obsmat.txt"]
        .map(|file| read(&format!("ucy-zara01/{file}")))
        .into_iter()
        .collect::<Option<Vec<_>>>()
        .and_then(|all| <[Vec<u8>; 3]>::try_from(all).ok())
    else {
        return;
    };
    let homography = Homography::parse(&String::from_utf8_lossy(&homography)).expect("a homography");
    let film = open(film, &Stated { image: Some(Image::Homography(homography)), ..FILM }).expect("a film");
    let published = open(published, &Stated { image: None, ..FILM }).expect("a recording");
    assert_eq!((film.people().len(), film.ticks()), (148, Some((0, 9014))));
    assert_eq!((film.header().every, film.events().len()), (1, 0));
    let (film, published) = (places(&film), places(&published));
    // One row for each frame from everybody's first click to their last.
    assert_eq!((film.len(), published.len()), (50_172, 5024));
    let mut gaps: Vec<f64> = (published.iter())
        .map(|((id, frame), at)| {
            let ours = film[&(*id, frame - 1)];
            distance(ours, *at)
        })
        .collect();
    gaps.sort_by(f64::total_cmp);
    let (p95, most) = (gaps[gaps.len() * 95 / 100], gaps[gaps.len() - 1]);
    println!("{} rows: 95 % within {:.4} mm, all within {:.4} mm", gaps.len(), p95 * 1e3, most * 1e3);
    assert!(p95 < 1e-3 && most < 2e-5, "{p95} m, {most} m");
    let extent =
        film.values().fold([f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY], |e, [x, y]| {
            [e[0].min(*x), e[1].max(*x), e[2].min(*y), e[3].max(*y)]
        });
    // That of `obsmat`, which has every tenth frame only.
    let stated = [-7.35, 6.36, 4.98, 20.73];
    assert!(extent.iter().zip(stated).all(|(found, stated)| (found - stated).abs() < 0.06), "{extent:?}");
}

/// No homography is known for it; the obstacles behind its splines are not read.
#[test]
fn students03_has_434_people_in_pixels() {
    let Some(film) = read("ucy-students03/annotation.vsp") else { return };
    let recording = open(film, &FILM).expect("a film");
    assert_eq!((recording.people().len(), recording.ticks(), recording.events().len()), (434, Some((0, 5404)), 0));
    let places = places(&recording);
    assert_eq!(places.len(), 175_687);
    // Half a frame to each side at most, as far as the camera saw.
    assert!(places.values().all(|[x, y]| x.abs() <= 3.71 && y.abs() <= 2.95));
}

const TWO: &str = "2 - the number of splines\r\n3 - Num of control points\r\n10 20 4 0 - (2D point, m_id)\r\n\
                   30 20 6 -90 - (2D point, m_id)\r\n30 -20 7 180 - (2D point, m_id)\r\n\
                   1 - Num of control points\r\n-5.5 7 5 45 - (2D point, m_id)\r\n";

#[test]
fn between_clicks_people_go_straight_and_turn_the_shorter_way() {
    let recording = open(TWO, &FILM).expect("a film");
    let expected = [((1, 4), [0.1, 0.2]), ((1, 5), [0.2, 0.2]), ((1, 6), [0.3, 0.2]), ((1, 7), [0.3, -0.2])];
    let expected = BTreeMap::from_iter(expected.into_iter().chain([((2, 5), [-0.055, 0.07])]));
    let found = places(&recording);
    assert!(found.keys().eq(expected.keys()), "{found:?}");
    for (key, at) in &expected {
        let gap = distance(found[key], *at);
        assert!(gap < 1e-12, "{key:?}: {:?}", found[key]);
    }
    // Gaze 0 is straight up, -90 to the right, 180 down: headings from the x axis.
    let heading = |tick: u32| recording.frame_at(tick).expect("readable").expect("a frame").heading[0].to_degrees();
    for (tick, degrees) in [(4, 90.0), (5, 45.0), (6, 0.0), (7, -90.0)] {
        assert!((heading(tick) - degrees).abs() < 1e-4, "frame {tick}: {}", heading(tick));
    }
}

#[track_caller]
fn refused(text: &str, stated: &Stated, words: &str) {
    let error = open(text, stated).err().unwrap_or_else(|| panic!("read, though {words}")).to_string();
    assert!(error.contains(words), "{error}, expected {words}");
}

#[test]
fn wrong_films_are_named_by_their_lines() {
    let with = |from: &str, to: &str| TWO.replacen(from, to, 1);
    for (from, to, words) in [
        ("2 - the", "2.5 - the", "line 1"),
        ("2 - the", "3 - the", "it ends behind line 7, before the number of control points"),
        ("2 - the", "1 - the", "line 6: `1 - Num of control points` stands behind the last spline"),
        ("2 - the", "4000000 - the", "the number of splines is 4000000; allowed: at most 1048576"),
        ("3 - Num", "x - Num", "line 2: the number of control points is `x`"),
        ("3 - Num", "3 4 - Num", "line 2: 2 values; expected 1"),
        ("3 - Num", "4 - Num", "line 6: 1 values; expected 4"),
        ("3 - Num", "2147483647 - Num", "the number of control points is 2147483647; allowed: at most"),
        ("10 20 4 0", "10 20 4", "line 3: 3 values; expected 4 (`x y frame gaze`)"),
        ("10 20 4 0", "NaN 20 4 0", "line 3: x is `NaN`"),
        ("10 20 4 0", "10 1e999 4 0", "line 3: y is `1e999`"),
        ("10 20 4 0", "1e300 20 4 0", "line 3: x is `1.0000000000000001e298`"),
        ("10 20 4 0", "10 20 -4 0", "line 3: the frame is `-4`"),
        ("10 20 4 0", "10 20 4.5 0", "line 3: the frame is `4.5`"),
        ("10 20 4 0", "10 20 4 1e7", "line 3: the gaze is `10000000`"),
        ("30 20 6", "30 20 4", "line 4: person 1 is in frame 4 after frame 4"),
        ("30 20 6", "30 20 3", "line 4: person 1 is in frame 3 after frame 4"),
        ("30 -20 7", "30 -20 2147483647", "number of rows is 2147483644; allowed: at most"),
    ] {
        refused(&with(from, to), &FILM, words);
    }
    refused(TWO, &Stated { fps: None, ..FILM }, "frame rate");
    refused(TWO, &Stated { image: None, ..FILM }, "--homography");
    refused(TWO, &Stated { unit: Some(Unit::Centimetre), ..FILM }, "is m by --pixel-size, but cm by --unit");
    refused(TWO, &Stated { image: Some(Image::PixelSize(0.0)), ..FILM }, "a pixel has 0 m");
    refused("0 - the number of splines\n", &FILM, "there are no rows in it");
    refused("1 0 0.5 0.5\n1 1 0.5 0.5\n", &Stated { unit: Some(Unit::Metre), ..FILM }, "this file has none");
    // The rows of this camera meet at row 288, the middle of the film.
    let camera = Homography::parse("0 1 0\n1 0 0\n1 0 -288").expect("a homography");
    let stated = Stated { image: Some(Image::Homography(camera)), ..FILM };
    refused(&with("30 20 6", "30 0 6"), &stated, "line 4: the point is `30 0`; allowed: points below the horizon");
}

/// What is left of a film is refused, or only its last gaze or comment may be shorter than it was, and that is said.
#[test]
fn a_film_cut_at_any_byte_is_refused_or_the_cut_is_stated() {
    let mut read = 0;
    for cut in 0..TWO.len() {
        let Ok(recording) = open(&TWO[..cut], &FILM) else { continue };
        read += 1;
        assert_eq!(places(&recording).len(), 5, "{:?}", &TWO[..cut]);
        assert!(recording.events().iter().any(|event| event.what.starts_with("gap: line 7")), "{:?}", &TWO[..cut]);
    }
    assert!(read > 10, "{read}");
}

/// Every byte of a film as another one: an error or other numbers, never a panic.
#[test]
fn changed_bytes_never_panic() {
    for at in 0..TWO.len() {
        for byte in *b"\0\n\r -.09eE\xff" {
            let mut bytes = TWO.as_bytes().to_vec();
            bytes[at] = byte;
            let _ = open(bytes, &FILM);
        }
    }
}
