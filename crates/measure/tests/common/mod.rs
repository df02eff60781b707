//! Recordings of real people, for the tests of this folder.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use passerby_record::{Header, OwnedFrame, Stated, Unit, import};

/// Units of files that do not state one.
pub const CM: Option<Unit> = Some(Unit::Centimetre);
/// See `CM`.
pub const M: Option<Unit> = Some(Unit::Metre);

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

/// What a recording says besides its frames, and all of these.
pub fn recording(file: &str, stated: &Stated) -> Option<(Header, Vec<OwnedFrame>)> {
    let source = File::open(data()?.join(file)).expect(file);
    let recording = import(source, "people", stated).expect(file);
    let mut frames = Vec::new();
    let mut keep = |frame: &passerby_record::Frame<'_>| {
        frames.push(OwnedFrame::from(frame));
        ControlFlow::Continue(())
    };
    recording.frames(0, u32::MAX, &mut keep).expect("readable");
    Some((recording.header().clone(), frames))
}
