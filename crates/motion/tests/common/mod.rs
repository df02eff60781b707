//! Captured people of the shared data.
#![allow(dead_code)] // Each test uses some of it.

use passerby_motion::import::{Imported, Options, bvh, gltf};
use passerby_motion::retarget::{Figure, retarget};
use passerby_motion::{Clip, Library, analysis, library, walker};
use std::path::{Path, PathBuf};

/// `PASSERBY_DATA`, or `../shared/data` beside the project; without either the test says so.
pub fn mocap() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("PASSERBY_DATA").map_or_else(beside, PathBuf::from).join("mocap");
    if !folder.is_dir() {
        eprintln!("skipped: there is no {}; set PASSERBY_DATA", folder.display());
        return None;
    }
    Some(folder)
}

/// Files of the shared folder that end like this, in order of names.
pub fn files(ending: &str) -> Vec<PathBuf> {
    let Some(folder) = mocap() else { return vec![] };
    let folder = folder.join(if ending == "bvh" { "cmu-bvh" } else { "gltf" });
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == ending)).collect();
    found.sort();
    found
}

/// Reads a file of the shared folder.
pub fn load(path: &Path) -> Imported {
    let bytes = std::fs::read(path).unwrap();
    let imported = match path.extension().and_then(|end| end.to_str()) {
        Some("bvh") => bvh::read(&bytes, &Options::default()),
        _ => gltf::read(&bytes, &|_| None, &Options::default()),
    };
    imported.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A CMU clip by its number; none without the data.
pub fn cmu(name: &str) -> Option<Imported> {
    Some(load(&mocap()?.join("cmu-bvh").join(format!("{name}.bvh"))))
}

/// A library of three captured walks, cut into cycles, on their own skeleton; none without the data.
pub fn captured() -> Option<Library> {
    let figure = cmu("07_01")?;
    let roles = figure.roles.clone().expect("a person");
    let cycles = ["07_04", "07_01", "07_11"].map(|name| {
        let imported = cmu(name).expect("it lies beside the first");
        let roles = imported.roles.clone().expect("a person");
        let captured = Figure { skeleton: &imported.skeleton, roles: &roles };
        let cut = analysis::cycle::cut(captured, &imported.takes[0]).unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("{name}: {:.2} m/s, {:.2} s", cut.clip.velocity.length(), cut.clip.take.duration());
        cut.clip
    });
    let (body, of) = (walker::skeleton(library::STATURE), walker::roles());
    let built_in = Library::built_in();
    let standing = built_in.clip(built_in.idle());
    let onto = Figure { skeleton: &figure.skeleton, roles: &roles };
    let idle =
        Clip { take: retarget(&standing.take, Figure { skeleton: &body, roles: &of }, onto), ..standing.clone() };
    let library = Library::new(figure.skeleton.clone(), roles.clone(), idle, cycles.to_vec(), Clip::clone);
    Some(library.expect("a library"))
}
