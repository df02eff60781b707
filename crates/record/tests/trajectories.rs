//! Every recorded experiment of the test data loads, with the people, rows and extent that its README states.

use std::collections::BTreeSet;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use passerby_record::{ImportError, Recording, Stated, Unit, import};

/// `PASSERBY_DATA`, or `../shared/data` beside the project; without either the test says so.
fn data() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("PASSERBY_DATA").map_or_else(beside, PathBuf::from).join("trajectories");
    if !data.is_dir() {
        eprintln!("skipped: there is no {}; set PASSERBY_DATA", data.display());
        return None;
    }
    Some(data)
}

fn open(file: &str, unit: Option<Unit>, fps: Option<f64>) -> Option<Result<Recording, ImportError>> {
    open_as(file, &Stated { unit, fps, image: None })
}

fn open_as(file: &str, stated: &Stated) -> Option<Result<Recording, ImportError>> {
    let source = File::open(data()?.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    Some(import(source, file, stated))
}

/// What the README states of a file.
struct Facts {
    rows: usize,
    people: usize,
    /// First and last frame.
    frames: (u32, u32),
    /// Frame rate, and every which frame has rows.
    rate: (f64, u32),
    /// x from, x to, y from, y to; m, rounded to a centimetre.
    extent: Option<[f64; 4]>,
    /// Most at once, where it is stated.
    at_once: Option<usize>,
    gaps: usize,
}

#[track_caller]
fn check(file: &str, unit: Option<Unit>, fps: Option<f64>, facts: &Facts) {
    check_as(file, &Stated { unit, fps, image: None }, facts);
}

#[track_caller]
fn check_as(file: &str, stated: &Stated, facts: &Facts) {
    let Some(read) = open_as(file, stated) else { return };
    let recording = read.unwrap_or_else(|error| panic!("{file}: {error}"));
    let (mut rows, mut at_once, mut people) = (0, 0, BTreeSet::<u32>::new());
    let mut extent = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
    let frames = recording.ticks().expect("frames");
    let each = &mut |frame: &passerby_record::Frame<'_>| {
        (rows += frame.id.len(), at_once = at_once.max(frame.id.len()), people.extend(frame.id));
        for i in 0..frame.id.len() {
            let [x0, x1, y0, y1] = extent;
            extent = [x0.min(frame.x[i]), x1.max(frame.x[i]), y0.min(frame.y[i]), y1.max(frame.y[i])];
            let speed = frame.vx[i].abs().max(frame.vy[i].abs());
            assert!(speed < 10.0, "{file}: person {} walks at {speed} m/s in frame {}", frame.id[i], frame.tick);
        }
        ControlFlow::Continue(())
    };
    recording.frames(frames.0, frames.1, each).expect("all frames");
    assert_eq!((rows, people.len(), frames), (facts.rows, facts.people, facts.frames), "{file}: rows, people, frames");
    assert_eq!(recording.people().len(), facts.people, "{file}");
    let header = recording.header();
    assert_eq!((1.0 / header.tick, header.every), facts.rate, "{file}: frame rate, step");
    assert!(facts.at_once.is_none_or(|most| most == at_once), "{file}: {at_once} at once");
    if let Some(stated) = facts.extent {
        let near = stated.iter().zip(extent).all(|(stated, found)| (stated - found).abs() < 0.0051);
        assert!(near, "{file}: {extent:?}, stated {stated:?}");
    }
    assert_eq!(recording.events().len(), facts.gaps, "{file}: {:?}", recording.events());
}

#[test]
fn ucy() {
    let facts = Facts {
        rows: 5024,
        people: 148,
        frames: (1, 9011),
        rate: (25.0, 10),
        extent: Some([-7.35, 6.36, 4.98, 20.73]),
        at_once: Some(20),
        gaps: 0,
    };
    check("ucy-zara01/obsmat.txt", None, Some(25.0), &facts);
    let facts = Facts {
        rows: 21_846,
        people: 428,
        frames: (1, 5391),
        rate: (25.0, 10),
        extent: Some([-8.10, 9.51, -8.22, 9.52]),
        at_once: Some(62),
        gaps: 1,
    };
    check("ucy-students03/obsmat.txt", None, Some(25.0), &facts);
}

#[test]
fn juelich_in_metres() {
    let facts = Facts {
        rows: 63_110,
        people: 75,
        frames: (0, 1656),
        rate: (25.0, 1),
        extent: Some([-2.60, 2.26, -1.87, 5.98]),
        at_once: None,
        gaps: 0,
    };
    check("juelich-bottleneck/040_c_56_h-.txt", None, None, &facts);
    let facts = Facts {
        rows: 18_704,
        people: 137,
        frames: (53, 885),
        rate: (16.0, 1),
        extent: None,
        at_once: Some(35),
        gaps: 0,
    };
    check("juelich-corner/traj.txt", Some(Unit::Metre), None, &facts);
    let facts = Facts {
        rows: 13_569,
        people: 134,
        frames: (89, 1088),
        rate: (16.0, 1),
        extent: Some([-4.82, 3.92, -2.11, 4.16]),
        at_once: None,
        gaps: 0,
    };
    check("juelich-t-junction/traj_KO_240_050_240.txt", None, None, &facts);
    let facts = Facts {
        rows: 83_897,
        people: 223,
        frames: (721, 1250),
        rate: (25.0, 1),
        extent: Some([-3.71, 6.37, -0.85, 4.86]),
        at_once: Some(173),
        gaps: 0,
    };
    check("juelich-crossing-90/traj_crossing_90_c_6_v5.txt", None, None, &facts);
}

#[test]
fn juelich_in_centimetres() {
    let facts = Facts {
        rows: 120_790,
        people: 480,
        frames: (94, 3340),
        rate: (25.0, 1),
        extent: Some([-5.62, 4.55, -0.08, 4.27]),
        at_once: Some(50),
        gaps: 0,
    };
    check("juelich-corridor-bi/bi_corr_400_b_03.txt", None, None, &facts);
    for (name, rows, people, frames, at_once) in [
        ("050-180-180", 9_712, 61, (43, 1017), 16),
        ("100-180-180", 21_676, 121, (15, 958), 31),
        ("180-180-180", 51_570, 220, (29, 1467), 52),
        ("180-180-070", 75_336, 148, (218, 1817), 76),
    ] {
        let facts = Facts { rows, people, frames, rate: (16.0, 1), extent: None, at_once: Some(at_once), gaps: 0 };
        check(&format!("juelich-corridor-uni/uo-{name}.txt"), Some(Unit::Centimetre), Some(16.0), &facts);
    }
}

#[test]
fn csv_and_hdf5() {
    let facts = Facts {
        rows: 2391,
        people: 53,
        frames: (1010, 4990),
        rate: (25.0, 10),
        extent: Some([-1.0, 2.0, -0.32, 0.31]),
        at_once: None,
        gaps: 1,
    };
    check("juelich-single-file/n56_cam1.csv", Some(Unit::Metre), Some(25.0), &facts);
    let facts = Facts {
        rows: 30_701,
        people: 46,
        frames: (0, 942),
        rate: (25.0, 1),
        extent: Some([-1.79, 2.32, -2.68, 5.10]),
        at_once: None,
        gaps: 0,
    };
    check("juelich-bottleneck-pupils/00_01a.h5", None, None, &facts);
    let Some(recording) = open("juelich-bottleneck-pupils/00_01a.h5", None, None) else { return };
    assert!(!recording.expect("a recording").header().place.areas.is_empty(), "its walls are an attribute");
}

#[track_caller]
fn refused(file: &str, unit: Option<Unit>, fps: Option<f64>, words: &[&str]) {
    let Some(read) = open(file, unit, fps) else { return };
    let error = read.err().unwrap_or_else(|| panic!("{file} was read")).to_string();
    assert!(words.iter().all(|word| error.contains(word)), "{file}: {error}");
}

#[test]
fn what_a_file_does_not_state_is_asked_for() {
    refused("juelich-corridor-uni/uo-050-180-180.txt", None, Some(16.0), &["unit", "--unit"]);
    refused("juelich-corridor-uni/uo-050-180-180.txt", Some(Unit::Centimetre), None, &["frame rate", "--fps"]);
    refused("juelich-corner/traj.txt", None, None, &["unit", "--unit"]);
    refused("ucy-zara01/obsmat.txt", None, None, &["frame rate", "--fps"]);
    refused("juelich-single-file/n56_cam1.csv", None, Some(25.0), &["unit", "--unit"]);
    refused("juelich-bottleneck/040_c_56_h-.txt", Some(Unit::Centimetre), None, &["line 7", "is m by", "cm by --unit"]);
    refused("juelich-bottleneck-pupils/00_01a.h5", None, Some(16.0), &["25 frames", "16 frames", "--fps"]);
}

#[test]
fn other_files_are_refused() {
    for file in ["ucy-zara01/H.txt", "ucy-zara01/static.txt", "ucy-zara01/groups.txt", "juelich-corner/geo.xml"] {
        refused(file, Some(Unit::Metre), Some(25.0), &["line"]);
    }
}

/// Every bit of the structures at the beginning of the file, and cuts of it.
#[test]
fn broken_hdf5_is_an_error_or_other_values_but_no_panic() {
    let Some(data) = data() else { return };
    let whole = std::fs::read(data.join("juelich-bottleneck-pupils/00_01a.h5")).expect("a file");
    let read = |bytes: Vec<u8>| import(std::io::Cursor::new(bytes), "broken", &Stated::default());
    for at in (0..whole.len().min(6000)).step_by(11) {
        let mut wrong = whole.clone();
        wrong[at] ^= 0xff;
        let _ = read(wrong);
    }
    for cut in 1..40 {
        assert!(read(whole[..whole.len() * cut / 41].to_vec()).is_err(), "{cut}");
    }
}
