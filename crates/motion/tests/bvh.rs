//! BVH: read, written, read again; and what is wrong with broken ones.

mod common;

use passerby_geometry::{Quat, Vec3};
use passerby_motion::import::{Axis, Imported, Options, ScaleFrom, bvh, bvh_write};
use passerby_motion::{JointId, Role};

const SMALL: &str = include_str!("small/a.bvh");

fn read(text: &str) -> Imported {
    bvh::read(text.as_bytes(), &Options::default()).unwrap()
}

/// By hand: 95 cm above the ground, 20 cm further in each frame, turned by 5 degrees about the vertical in each.
#[test]
fn the_small_file_is_what_it_says() {
    let read = read(SMALL);
    assert_eq!((read.skeleton.len(), read.takes[0].frames(), read.ends.len()), (11, 4, 3));
    assert_eq!((read.report.up, read.report.forward, read.report.scale), (Axis::Y, Axis::Z, 0.01));
    assert_eq!(read.report.scale_from, ScaleFrom::Unit);
    let take = &read.takes[0];
    assert_eq!(take.frame_rate, 30.0);
    for frame in 0..4 {
        let expected = Vec3::new(0.2 * frame as f32, 0.0, 0.95 + 0.01 * frame as f32);
        assert!(take.moved[0].offsets[frame].distance(expected) < 1e-6, "{:?}", take.moved[0].offsets);
        // The figure faces z of the file, which is our x; its x is our y.
        let facing = take.frame(frame)[0] * Vec3::Z;
        let angle = (5.0 * frame as f32).to_radians();
        assert!(facing.distance(Quat::from_rotation_z(angle) * Vec3::X) < 1e-6, "{facing}");
    }
    let roles = read.roles.unwrap();
    assert_eq!(roles.get(Role::LeftShin).map(|joint| read.skeleton.joint(joint).name.as_str()), Some("LeftLeg"));
    let shin = roles.get(Role::LeftFoot).unwrap();
    assert!(read.skeleton.joint(shin).offset.distance(Vec3::new(0.0, -0.41, 0.0)) < 1e-6);
}

#[track_caller]
fn same(name: &str, one: &Imported, other: &Imported) {
    assert_eq!(one.skeleton.len(), other.skeleton.len(), "{name}");
    for (a, b) in one.skeleton.joints().iter().zip(other.skeleton.joints()) {
        assert_eq!((&a.name, a.parent), (&b.name, b.parent), "{name}");
        assert!(a.offset.distance(b.offset) < 1e-6, "{name}: {a:?} {b:?}");
    }
    assert_eq!(one.ends.len(), other.ends.len());
    let (one, other) = (&one.takes[0], &other.takes[0]);
    assert_eq!((one.frames(), one.moved.len()), (other.frames(), other.moved.len()), "{name}");
    assert!((one.frame_rate - other.frame_rate).abs() < 1e-3, "{name}");
    for (at, (a, b)) in one.rotations.iter().zip(&other.rotations).enumerate() {
        let apart = (*a - *b).length().min((*a + *b).length());
        assert!(apart < 2e-6, "{name}: rotation {at}: {a} {b}");
    }
    for (a, b) in one.moved.iter().zip(&other.moved) {
        assert!(a.offsets.iter().zip(&b.offsets).all(|(a, b)| a.distance(*b) < 2e-6), "{name}");
    }
}

#[test]
fn written_and_read_again_is_the_same() {
    let once = read(SMALL);
    let text = bvh_write::write(&once.skeleton, &once.takes[0], &once.ends);
    same("small", &once, &read(&text));
    for path in common::files("bvh") {
        let once = common::load(&path);
        let text = bvh_write::write(&once.skeleton, &once.takes[0], &once.ends);
        same(&path.display().to_string(), &once, &read(&text));
    }
}

/// Positions of a joint that is not the first, and its own order of angles: X 90 then Y 90 turns z first to -y, then on to -y.
#[test]
fn every_joint_may_move_and_turn_in_its_own_order() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT b c {\nOFFSET 1 2 3\nCHANNELS 6 Xposition Yposition Zposition \
                Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.5\n4 5 6 90 90 0\n";
    let read = bvh::read(text.as_bytes(), &Options { scale: Some(2.0), ..Options::default() }).unwrap();
    assert_eq!(read.skeleton.joint(JointId(1)).name, "b c");
    let take = &read.takes[0];
    assert_eq!(take.moved[1].offsets[0], Vec3::new(8.0, 10.0, 12.0));
    let expected = Quat::from_rotation_x(90f32.to_radians()) * Quat::from_rotation_y(90f32.to_radians());
    assert!(take.frame(0)[1].angle_between(expected) < 1e-3);
    assert!((take.frame(0)[1] * Vec3::X).distance(Vec3::Y) < 1e-6, "{}", take.frame(0)[1] * Vec3::X);
    let error = read.roles.unwrap_err().to_string();
    assert!(error.contains("left foot") && error.contains("hips"), "{error}");
}

#[test]
fn up_may_be_given_and_is_found() {
    // The same figure with z up, facing -y: x y z become x -z y.
    let mut lines: Vec<String> = vec![];
    for line in SMALL.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        lines.push(match words[..] {
            ["OFFSET", x, y, z] => format!("OFFSET {x} -{z} {y}").replace("--", ""),
            _ => line.to_string(),
        });
    }
    let read = bvh::read(lines.join("\n").as_bytes(), &Options::default()).unwrap();
    assert_eq!((read.report.up, read.report.forward), (Axis::Z, Axis::MinusY));
    let given = bvh::read(SMALL.as_bytes(), &Options { up: Some(Axis::Z), ..Options::default() }).unwrap();
    assert_eq!(given.report.up, Axis::Z);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let check = |from: &str, to: &str, line: &str, what: &str| {
        assert!(SMALL.contains(from), "{from}");
        let broken = SMALL.replacen(from, to, 1);
        let error = bvh::read(broken.as_bytes(), &Options::default()).expect_err(to);
        assert!(error.to_string().contains(what) && error.place.contains(line), "{to}: {error}");
    };
    check("HIERARCHY", "HIRARCHY", "line 1", "`HIERARCHY` has to stand");
    check("OFFSET 0 95 0", "OFFSET 0 95", "line 5", "number");
    check("OFFSET 0 95 0", "OFFSET 0 NaN 0", "line 4", "`NaN`");
    check("OFFSET 0 95 0", "OFFSET 0 1e99 0", "line 4", "`1e99`");
    check("CHANNELS 6", "CHANNELS 7", "line 5", "7 channels");
    check("CHANNELS 6", "CHANNELS 5", "line 5", "`Xrotation`");
    check("CHANNELS 3 Zrotation Yrotation", "CHANNELS 3 Zrotation Zrotation", "line 9", "twice");
    check("CHANNELS 3 Zrotation", "CHANNELS 3 Wrotation", "line 9", "`Wrotation`");
    check("Frames: 4", "Frames: 3", "line", "after the last of 3 frames");
    check("Frames: 4", "Frames: 5", "line", "5 frames of 36 numbers are said to follow");
    check("0.0333333\n0 95 0", "0.0333333\n95 0", "line 76", "frame 3 of 4: the file ends here");
    check("Frames: 4", "Frames: 0", "line", "0 frames");
    check("Frames: 4", "Frames: -4", "line", "-4 frames");
    check("Frames: 4", "Frames: 2.5", "line", "2.5 frames");
    check("Frames: 4", "Frames: 9999999", "line", "9999999 frames of 36 numbers");
    check("Frame Time: 0.0333333", "Frame Time: -0.0333333", "line", "a frame time of -0.0333333 s");
    check("Frame Time: 0.0333333", "Frame Time: 0", "line", "a frame time of 0 s");
    check("Frame Time: 0.0333333", "Frame Time: inf", "line", "`inf`");
    let deep = "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n".repeat(100_000);
    let deep = format!("HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 0\n{deep}");
    let error = bvh::read(deep.as_bytes(), &Options::default()).unwrap_err().to_string();
    assert!(error.contains("more than 1024 joints"), "{error}");
    assert!(bvh::read(b"", &Options::default()).unwrap_err().to_string().contains("line 1"));
}

/// Bones of the legs need a length: without, the figure cannot walk, and that is said.
#[test]
fn legs_without_length_are_refused() {
    let broken = SMALL.replacen("OFFSET 0 -41 0", "OFFSET 0 0 0", 1);
    let error = read(&broken).roles.unwrap_err().to_string();
    assert!(error.contains("from `LeftLeg` to `LeftFoot` has no length"), "{error}");
}

#[test]
fn cut_anywhere_is_an_error() {
    // The last number may lose digits and the last line its end: up to there a byte is missing that was needed.
    let whole = SMALL.trim_end().len() - 2;
    for end in 0..whole {
        assert!(bvh::read(&SMALL.as_bytes()[..end], &Options::default()).is_err(), "{end}");
    }
}
