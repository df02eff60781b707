//! Recordings of real people, and one pass of measures over them.
#![allow(dead_code, reason = "not every test needs everything")]

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use passerby_measure::{Moment, Motion};
use passerby_record::{PlaceShape, Recording, Stated, Unit, import};

/// `PASSERBY_DATA`, or `../shared/data` beside the project; without either the test says so.
pub fn data() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("PASSERBY_DATA").map_or_else(beside, PathBuf::from).join("trajectories");
    if !folder.is_dir() {
        println!("skipped: there is no {}", folder.display());
        return None;
    }
    Some(folder)
}

pub const CM: Option<Unit> = Some(Unit::Centimetre);
pub const M: Option<Unit> = Some(Unit::Metre);

pub fn people(folder: &Path, file: &str, unit: Option<Unit>, fps: Option<f64>) -> Recording {
    let stream = File::open(folder.join(file)).expect(file);
    import(stream, "people", &Stated { unit, fps, image: None }).expect(file)
}

/// Hands every moment of a recording on.
pub fn moments(recording: &Recording, step: u32, mut each: impl FnMut(&Moment<'_>)) {
    let header = recording.header();
    let (first, last) = recording.ticks().expect("frames");
    let mut motion = Motion::new(step, header.every, header.tick);
    let mut see = |frame: &passerby_record::Frame<'_>| {
        motion.see(frame, &mut each);
        ControlFlow::Continue(())
    };
    recording.frames(first, last, &mut see).expect("readable");
    motion.finish(&mut each);
}

pub type Ring = &'static [[f64; 2]];

pub fn place(outer: Ring, obstacles: &[Ring]) -> PlaceShape {
    PlaceShape {
        areas: vec![vec![outer.to_vec()]],
        obstacles: obstacles.iter().map(|ring| ring.to_vec()).collect(),
        ..PlaceShape::default()
    }
}

/// The walls that the page of the data describes.
#[rustfmt::skip]
pub const ONE_WAY: Ring = &[[2.8, -6.5], [2.8, -4.0], [1.8, -4.0], [1.8, 4.0], [2.8, 4.0], [2.8, 8.0], [-1.0, 8.0], [-1.0, 4.0], [0.0, 4.0], [0.0, -4.0], [-1.0, -4.0], [-1.0, -6.5]];
pub const TWO_WAY: Ring = &[[-6.0, 0.0], [5.0, 0.0], [5.0, 4.0], [-6.0, 4.0]];
pub const BOTTLENECK: Ring = &[[3.5, -2.0], [3.5, 8.0], [-3.5, 8.0], [-3.5, -2.0]];
#[rustfmt::skip]
pub const LEFT_BARRIER: Ring = &[[-0.7, -1.1], [-0.25, -1.1], [-0.25, -0.15], [-0.4, 0.0], [-2.8, 0.0], [-2.8, 6.7], [-3.05, 6.7], [-3.05, -0.3], [-0.7, -0.3], [-0.7, -1.0]];
#[rustfmt::skip]
pub const RIGHT_BARRIER: Ring = &[[0.7, -1.1], [0.25, -1.1], [0.25, -0.15], [0.4, 0.0], [2.8, 0.0], [2.8, 6.7], [3.05, 6.7], [3.05, -0.3], [0.7, -0.3], [0.7, -1.0]];
pub const CORNER: Ring = &[[-3.0, 5.0], [0.0, 5.0], [0.0, 0.0], [5.0, 0.0], [5.0, -3.0], [-3.0, -3.0]];
#[rustfmt::skip]
pub const T_JUNCTION: Ring = &[[-5.0, -2.4], [-5.0, 0.0], [-2.4, 0.0], [-2.4, 4.5], [0.0, 4.5], [0.0, 0.0], [4.0, 0.0], [4.0, -2.4]];
