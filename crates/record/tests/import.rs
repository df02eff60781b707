//! Recorded people: what is read, what is worked out, what is refused.

use std::io::Cursor;

use passerby_record::{ImportError, Recording, Stated, Unit, import};

fn read(text: &str) -> Result<Recording, ImportError> {
    import(Cursor::new(text.to_owned()), "text", &Stated::default())
}

fn read_metres(text: &str) -> Result<Recording, ImportError> {
    let stated = Stated { unit: Some(Unit::Metre), fps: Some(10.0), image: None };
    import(Cursor::new(text.to_owned()), "text", &stated)
}

#[test]
fn velocities_are_central_differences() {
    let text =
        "# framerate: 10 fps\n# id frame x/cm y/cm z/cm\n7 3 100 0 170\n7 4 110 0 170\n7 5 140 30 170\n2 4 5 5 160\n";
    let recording = read(text).expect("a recording");
    let frame = |tick| recording.frame_at(tick).expect("readable").expect("a frame");
    assert_eq!((frame(3).x, frame(3).vx, frame(3).vy), (vec![1.0], vec![1.0], vec![0.0]));
    assert_eq!((frame(4).id, frame(4).x, frame(4).y), (vec![2, 7], vec![0.05, 1.1], vec![0.05, 0.0]));
    // (1.4 - 1.0) m in 0.2 s; (0.3 - 0) m in 0.2 s.
    let (v, expected) = ([frame(4).vx[1], frame(4).vy[1]], [2.0, 1.5]);
    assert!(v.iter().zip(expected).all(|(v, expected): (&f32, f32)| (v - expected).abs() < 1e-6), "{v:?}");
    assert_eq!((frame(4).vx[0], frame(4).vy[0]), (0.0, 0.0), "a single row stands");
    let (v, expected) = ([frame(5).vx[0], frame(5).vy[0]], [3.0, 3.0]);
    assert!(v.iter().zip(expected).all(|(v, expected): (&f32, f32)| (v - expected).abs() < 1e-5), "{v:?}");
    assert!((frame(5).heading[0] - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
    assert_eq!((recording.header().tick, recording.header().every), (0.1, 1));
}

#[test]
fn gaps_are_stated_and_not_bridged() {
    let recording = read_metres("1 0 0 0\n1 1 1 0\n1 5 50 0\n1 6 51 0\n").expect("a recording");
    let events: Vec<&str> = recording.events().iter().map(|event| event.what.as_str()).collect();
    assert_eq!(events, ["gap: person 1 is missing between frames 1 and 5"]);
    assert_eq!(recording.events()[0].tick, 1);
    assert_eq!(recording.frame_at(1).expect("readable").expect("a frame").vx, [10.0]);
    assert_eq!(recording.frame_at(5).expect("readable").expect("a frame").vx, [10.0]);
    assert_eq!(recording.frame_count(), 4);
}

#[test]
fn csv_names_may_come_in_any_order_and_state_everything() {
    let text = "time_s;Y_cm;\"X_cm\";Frame;ID;other;V_X;v_y\n0.5;200;100;10;1;a;130;0\n0.75;200;110;15;1;b;130;50\n";
    let recording = read(text).expect("a recording");
    let frame = recording.frame_at(15).expect("readable").expect("a frame");
    assert_eq!((frame.x, frame.y, frame.vx, frame.vy), (vec![1.1], vec![2.0], vec![1.3], vec![0.5]));
    assert_eq!((recording.header().tick, recording.header().every), (0.05, 5));
}

#[track_caller]
fn refused(text: &str, words: &[&str]) {
    let error = read_metres(text).err().unwrap_or_else(|| panic!("{text:?} was read")).to_string();
    assert!(words.iter().all(|word| error.contains(word)), "{error}");
}

#[test]
fn wrong_rows_are_named() {
    refused("", &["no rows"]);
    refused("# only a comment\n", &["no rows"]);
    refused("1 0 0 0\n1 1 NaN 0\n", &["line 2", "x is `NaN`", "finite"]);
    refused("1 0 0 0\n1 1 1 inf\n", &["line 2", "y is `inf`"]);
    refused("1 0 0 0\n1 1 1 1e999\n", &["line 2", "y is `1e999`"]);
    refused("1 0 0 0\n1 1 1 -2e9\n", &["line 2", "y is `-2000000000`", "-1e9 to 1e9"]);
    refused("1 0 0 0\nx 1 1 1\n", &["line 2", "the id is `x`", "whole numbers"]);
    refused("1 0 0 0\n1 -1 1 1\n", &["line 2", "the frame is `-1`"]);
    refused("1 0 0 0\n1 1.5 1 1\n", &["line 2", "the frame is `1.5`"]);
    refused("1 0 0 0\n1 99999999999 1 1\n", &["line 2", "`99999999999`"]);
    refused("1 0 0 0\n\n# more\n2 0 0 0\n1 0 5 5\n", &["line 5", "person 1", "frame 0 a second time", "line 1"]);
    refused("1 5 0 0\n1 4 0 0\n", &["line 2", "person 1", "frame 4 after frame 5"]);
    refused("1 0 0 0\n1 1 0\n", &["line 2", "3 values", "expected 4"]);
    refused("1 0 0 0\n1 1 0 0 1.7\n", &["line 2", "5 values", "expected 4"]);
    refused("1 2 3\n", &["line 1", "3 values", "id frame x y"]);
    refused(&format!("1 0 0 {}\n", "9".repeat(100_000)), &["line 1", "…"]);
    refused("# framerate: fast\n1 0 0 0\n", &["line 1", "the frame rate is `fast`"]);
    refused("# framerate: 0\n1 0 0 0\n", &["frame rate is 0"]);
    refused("# framerate: 25\n1 0 0 0\n", &["frame rate is 25", "line 1", "10", "--fps"]);
    refused("# x/m\n# x/cm\n1 0 0 0\n", &["line 1", "line 2", "unit"]);
    refused("1 1 0 0 0 0 0 0\n1 1 0 0 0 0 0 nan\n", &["line 2", "vy is `nan`"]);
    refused("id,frame,x\n1,2,3\n", &["line 1", "no column is called y"]);
    refused("id,frame,x,y,X\n1,2,3,4,5\n", &["line 1", "two columns", "x"]);
    refused("id,frame,x,y\n1,2,3\n", &["line 2", "3 values", "expected 4"]);
    refused("id,frame,x,y\n1,2,,4\n", &["line 2", "x is ``"]);
    refused("id,frame,x_m,y_cm\n1,2,3,4\n", &["unit", "m", "cm"]);
    refused("id,frame,x,y,time\n1,2,3,4,5\n1,3,3,4,5\n", &["line 3", "the time is `5`"]);
}

#[test]
fn wrong_rates_of_the_caller_are_refused() {
    for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let stated = Stated { unit: Some(Unit::Metre), fps: Some(fps), image: None };
        assert!(import(Cursor::new("1 0 0 0\n"), "text", &stated).is_err(), "{fps}");
    }
}

#[test]
fn noise_is_an_error_and_no_panic() {
    let mut state = 7_u64;
    for length in 0..2000 {
        let bytes: Vec<u8> = (0..length % 300)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                b"0123456789.- \n,;#exyNaid\xff\0"[(state >> 40) as usize % 25]
            })
            .collect();
        let _ = import(Cursor::new(bytes), "noise", &Stated { unit: Some(Unit::Metre), fps: Some(10.0), image: None });
    }
    for start in [&b"SQLite format 3\0"[..], b"\x89HDF\r\n\x1a\n", b"PAR1"] {
        for length in [0, 1, 100, 5000] {
            let bytes = [start, &vec![0xa5; length]].concat();
            assert!(import(Cursor::new(bytes), "noise", &Stated::default()).is_err());
        }
    }
}
