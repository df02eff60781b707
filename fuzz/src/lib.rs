//! What a fuzz target does with bytes: reads them, and uses what was read. A panic is a finding; an error is none.

use passerby_geometry::{DVec2, Homography};
use passerby_motion::import as clips;
use passerby_motion::{Pose, analysis, retarget};
use passerby_navigation::import::{Imported, Options, read};
use passerby_navigation::{Floor, Hierarchy, Map, Subdivision};

/// Places with more corners are only read: a target looks for panics, and small inputs find them sooner.
const CORNERS_MAX: usize = 2000;

/// Longer clips are only played.
const FRAMES_MAX: usize = 400;

/// Reads a place in the format of this file name, and builds its maps if it is small. Bytes of an odd length are read with
/// other options, so that both ways are tried; `area` is the box that is wanted then.
pub fn place(name: &str, bytes: &[u8], area: [[f64; 2]; 2]) {
    let mut options = if bytes.len() % 2 == 0 { Options::default() } else { unusual(name, area) };
    if name.ends_with(".txt") {
        options.homography = Homography::parse("0 0.02 0\n-0.02 0 9\n0.001 0 1").ok();
    }
    let Ok(Imported { floor, report }) = read(name, bytes, &options) else { return };
    assert!(report.free_area.is_finite());
    if corners(&floor) <= CORNERS_MAX
        && let Ok(map) = Map::build(&floor)
    {
        let subdivision = Subdivision::build(&map);
        Hierarchy::build(&subdivision, 0.5);
    }
}

/// Everything that can be chosen for the format, chosen otherwise.
fn unusual(name: &str, area: [[f64; 2]; 2]) -> Options {
    Options {
        area: Some(area.map(DVec2::from).to_vec()),
        degrees: name.ends_with(".geojson"),
        tolerance: 0.1,
        cell: if name.ends_with(".map") { 0.3 } else { Options::default().cell },
        wall: 0.5,
        margin: 0.0,
        fill_enclosed: true,
        ..Options::default()
    }
}

fn corners(floor: &Floor) -> usize {
    let Floor { areas, obstacles, doors, regions } = floor;
    let outlines = areas.iter().flat_map(|area| area.rings()).chain(obstacles).chain(regions.iter().map(|r| &r.polygon));
    outlines.map(|outline| outline.points().len()).sum::<usize>() + 2 * doors.len()
}

/// Reads a clip, plays it, and cuts a cycle out of it if it is a small one of somebody who can walk.
pub fn clip(read: impl Fn(&clips::Options) -> Result<clips::Imported, clips::ImportError>) {
    let Ok(clips::Imported { skeleton, roles, takes, .. }) = read(&clips::Options::default()) else { return };
    let (mut pose, mut placed) = (Pose::default(), vec![]);
    for take in &takes {
        for share in [0.0, 0.4, 1.0] {
            take.sample(&skeleton, share * take.duration(), &mut pose);
            pose.to_model(&skeleton, &mut placed);
            assert!(placed.iter().all(|joint| joint.rotation.is_finite() && joint.position.is_finite()));
        }
        if let (Ok(roles), true) = (&roles, take.frames() <= FRAMES_MAX) {
            let figure = retarget::Figure { skeleton: &skeleton, roles };
            let _ = analysis::cut(figure, take);
            let mirrored = retarget::mirror(take, figure);
            assert!(mirrored.rotations.iter().all(|rotation| rotation.is_finite()));
        }
    }
}
