//! Crossings of real people, against what PedPy 1.5.1 finds in the same recordings.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use passerby_measure::{Crossings, Extent, Grid, Maps, Stays};
use passerby_record::{Frame, NamedLine, Stated, Unit, import};

/// `PASSERBY_DATA`, or `../shared/data` beside the project; without either the test says so.
fn data() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("PASSERBY_DATA").map_or_else(beside, PathBuf::from).join("trajectories");
    if !folder.is_dir() {
        println!("skipped: there is no {}", folder.display());
        return None;
    }
    Some(folder)
}

struct Case {
    file: &'static str,
    /// Unit and frames a second, where the file does not state them.
    unit: Option<Unit>,
    fps: Option<f64>,
    line: [[f64; 2]; 2],
    /// PedPy: people in N-t at its end, frames of the first and last first crossing, flow.
    people: usize,
    first: u32,
    last: u32,
    flow: f64,
    /// Rows and people of the file, by the page that describes the data.
    rows: u64,
}

const CM: Option<Unit> = Some(Unit::Centimetre);
const M: Option<Unit> = Some(Unit::Metre);

#[rustfmt::skip]
const CASES: &[Case] = &[
    Case { file: "juelich-corridor-uni/uo-050-180-180.txt", unit: CM, fps: Some(16.0), line: [[0.0, 0.0], [1.8, 0.0]], people: 61, first: 111, last: 943, flow: 1.153846, rows: 9_712 },
    Case { file: "juelich-corridor-uni/uo-180-180-070.txt", unit: CM, fps: Some(16.0), line: [[0.0, 0.0], [1.8, 0.0]], people: 148, first: 278, last: 1541, flow: 1.862233, rows: 75_336 },
    Case { file: "juelich-corridor-bi/bi_corr_400_b_03.txt", unit: CM, fps: Some(25.0), line: [[0.0, 0.0], [0.0, 4.0]], people: 480, first: 191, last: 3234, flow: 3.935261, rows: 120_790 },
    Case { file: "juelich-bottleneck/040_c_56_h-.txt", unit: M, fps: Some(25.0), line: [[-0.25, -0.4], [0.25, -0.4]], people: 75, first: 30, last: 1639, flow: 1.149782, rows: 63_110 },
    Case { file: "juelich-corner/traj.txt", unit: M, fps: Some(16.0), line: [[-3.0, 2.0], [0.0, 2.0]], people: 137, first: 121, last: 856, flow: 2.960544, rows: 18_704 },
    Case { file: "juelich-t-junction/traj_KO_240_050_240.txt", unit: M, fps: Some(16.0), line: [[-2.4, 3.0], [0.0, 3.0]], people: 134, first: 166, last: 1077, flow: 2.335895, rows: 13_569 },
];

#[test]
fn people_cross_lines_when_pedpy_says() {
    let Some(folder) = data() else { return };
    for case in CASES {
        let file = File::open(folder.join(case.file)).expect(case.file);
        let recording = import(file, "people", &Stated { unit: case.unit, fps: case.fps }).expect(case.file);
        let (first, last) = recording.ticks().expect("frames");
        let header = recording.header();
        let mut crossings = Crossings::new(vec![NamedLine { name: "line".into(), line: case.line }]);
        let (mut stays, mut extent) = (Stays::default(), None);
        let mut all = |frame: &Frame<'_>| {
            crossings.see(frame);
            stays.see(frame);
            Extent::see(&mut extent, frame);
            ControlFlow::Continue(())
        };
        recording.frames(first, last, &mut all).expect("readable");
        let ticks = crossings.first_ticks(0);
        let found = (ticks.len(), ticks.first().copied(), ticks.last().copied());
        assert_eq!(found, (case.people, Some(case.first), Some(case.last)), "{}", case.file);
        let flow = crossings.flow(0, header.tick).expect("more than one person");
        assert!((flow - case.flow).abs() < 1e-6, "{}: {flow} a second, PedPy {}", case.file, case.flow);
        // Each row is somebody for one frame: all of them are in the cells.
        let mut maps = Maps::new(Grid::new(&extent.expect("people"), 0.2).expect("a grid"), header.tick);
        let mut again = |frame: &Frame<'_>| {
            maps.see(frame);
            ControlFlow::Continue(())
        };
        recording.frames(first, last, &mut again).expect("readable");
        let rows = (maps.person_seconds() + maps.outside_seconds()) / header.tick;
        assert!((rows - case.rows as f64).abs() < 1e-6 * rows, "{}: {rows} rows", case.file);
    }
}
