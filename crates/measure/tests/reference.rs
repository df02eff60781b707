//! Real people, measured: the values that PedPy 1.5.1 finds in the same recordings.
//!
//! Speeds over 5 frames to each side, single-sided at the ends. Voronoi cells of every 10th frame from the first of the window, cut by the
//! walls, with and without a cut-off of 0.8 m in 12 pieces; positions that are not on the floor are left out.

mod common;

use common::*;
use passerby_geometry::{DVec2, Polygon};
use passerby_measure::{Cells, Crossings, CutOff, Extent, Floor, Grid, Maps, Series, Stays, Voronoi, Zone};
use passerby_record::{Frame, NamedLine, Unit};
use std::ops::ControlFlow;

struct Case {
    file: &'static str,
    unit: Option<Unit>,
    fps: f64,
    floor: Ring,
    obstacles: &'static [Ring],
    /// x from, x to, y from, y to.
    area: [f64; 4],
    line: [[f64; 2]; 2],
    /// First and last frame of what is measured in the area.
    frames: [u32; 2],
    rows: u64,
    /// Classic density: mean and largest.
    classic: [f64; 2],
    /// Voronoi density: mean with cut-off and without.
    voronoi: [f64; 2],
    /// Mean speed in the area: of frames with people, with empty frames as 0.
    speed: [f64; 2],
    voronoi_speed: f64,
    /// Speed of all rows over 1, 5 and 10 frames.
    all: [f64; 3],
    /// N-t: people, frames of the first and the last.
    passed: (usize, u32, u32),
    flow: f64,
    /// PedPy's flow in windows of 100 frames: how many, mean.
    windows: (usize, f64),
    /// One frame: number, present, in the area, N(t).
    one: (u32, usize, usize, usize),
    /// Its Voronoi density without and with cut-off, its mean speed in the area.
    its: [f64; 3],
}

#[rustfmt::skip]
const CASES: &[Case] = &[
    Case { file: "juelich-corridor-uni/uo-050-180-180.txt", unit: CM, fps: 16.0, floor: ONE_WAY, obstacles: &[], area: [0.0, 1.8, -2.0, 2.0], line: [[0.0, 0.0], [1.8, 0.0]], frames: [211, 800], rows: 9_712,
        classic: [0.507298, 0.972222], voronoi: [0.502005, 0.500509], speed: [1.353456, 1.339692], voronoi_speed: 0.853235, all: [1.4139, 1.4069, 1.4056],
        passed: (61, 111, 943), flow: 1.153846, windows: (9, 1.176715), one: (500, 12, 1, 27), its: [0.293479, 0.162857, 1.196064] },
    Case { file: "juelich-corridor-uni/uo-180-180-070.txt", unit: CM, fps: 16.0, floor: ONE_WAY, obstacles: &[], area: [0.0, 1.8, -2.0, 2.0], line: [[0.0, 0.0], [1.8, 0.0]], frames: [500, 1399], rows: 75_336,
        classic: [3.008796, 3.472222], voronoi: [3.008812, 3.008808], speed: [0.349090, 0.349090], voronoi_speed: 0.353030, all: [0.4874, 0.4703, 0.4476],
        passed: (148, 278, 1541), flow: 1.862233, windows: (13, 1.871069), one: (900, 72, 21, 84), its: [2.983028, 2.983028, 0.332602] },
    Case { file: "juelich-corridor-bi/bi_corr_400_b_03.txt", unit: CM, fps: 25.0, floor: TWO_WAY, obstacles: &[], area: [-2.0, 2.0, 0.0, 4.0], line: [[0.0, 0.0], [0.0, 4.0]], frames: [94, 3340], rows: 120_790,
        classic: [0.907684, 1.5], voronoi: [0.907038, 0.906990], speed: [1.047758, 1.009036], voronoi_speed: 0.866500, all: [1.0331, 1.0276, 1.0221],
        passed: (480, 191, 3234), flow: 3.935261, windows: (31, 3.917270), one: (1500, 46, 16, 209), its: [1.089418, 1.077004, 1.018063] },
    Case { file: "juelich-bottleneck/040_c_56_h-.txt", unit: M, fps: 25.0, floor: BOTTLENECK, obstacles: &[LEFT_BARRIER, RIGHT_BARRIER], area: [-0.4, 0.4, 0.5, 1.3], line: [[-0.25, -0.4], [0.25, -0.4]], frames: [0, 1656], rows: 63_110,
        classic: [6.674336, 10.9375], voronoi: [6.048811, 5.942739], speed: [0.140927, 0.135994], voronoi_speed: 0.140207, all: [0.2083, 0.1998, 0.1858],
        passed: (75, 30, 1639), flow: 1.149782, windows: (16, 1.177815), one: (500, 52, 5, 24), its: [8.183648, 8.183648, 0.208693] },
    Case { file: "juelich-corner/traj.txt", unit: M, fps: 16.0, floor: CORNER, obstacles: &[], area: [1.0, 3.0, -3.0, 0.0], line: [[-3.0, 2.0], [0.0, 2.0]], frames: [53, 885], rows: 18_704,
        classic: [0.755302, 1.666667], voronoi: [0.749290, 0.715649], speed: [1.192298, 1.036283], voronoi_speed: 0.881488, all: [1.1528, 1.1437, 1.1353],
        passed: (137, 121, 856), flow: 2.960544, windows: (7, 3.057640), one: (400, 26, 4, 50), its: [0.707344, 0.731239, 1.235749] },
    Case { file: "juelich-t-junction/traj_KO_240_050_240.txt", unit: M, fps: 16.0, floor: T_JUNCTION, obstacles: &[], area: [-2.4, 0.0, 1.0, 3.0], line: [[-2.4, 3.0], [0.0, 3.0]], frames: [89, 1088], rows: 13_569,
        classic: [0.689583, 1.458333], voronoi: [0.690237, 0.664539], speed: [1.311628, 1.218503], voronoi_speed: 1.033975, all: [1.2806, 1.2690, 1.2577],
        passed: (134, 166, 1077), flow: 2.335895, windows: (9, 2.341508), one: (600, 14, 4, 65), its: [0.865625, 0.895307, 1.297154] },
];

/// The page prints six digits, or the relative error that is asked for if that is coarser.
#[track_caller]
fn check(what: &str, file: &str, found: Option<f64>, expected: f64, relative: f64, digit: f64) {
    let found = found.unwrap_or_else(|| panic!("{file}: no {what}"));
    let allowed = (relative * expected).max(0.51 * digit);
    assert!((found - expected).abs() <= allowed, "{file}: {what} {found}, PedPy {expected}");
}

#[test]
fn density_and_speed_in_areas_are_those_of_pedpy() {
    let Some(folder) = data() else { return };
    for case in CASES {
        let Case { file, unit, fps, frames, area: [left, right, low, high], .. } = *case;
        let recording = people(&folder, file, unit, Some(fps));
        let floor = Floor::new(&place(case.floor, case.obstacles)).unwrap();
        let polygon = Polygon::rectangle(DVec2::new(left, low), DVec2::new(right, high)).unwrap();
        let mut zones = [(); 2].map(|()| Zone::new("area", polygon.clone()).unwrap());
        let mut voronoi = [Some(CutOff::default()), None].map(|cut_off| Voronoi::new(floor.clone(), cut_off));
        let mut cells = Cells::default();
        moments(&recording, 5, |moment| {
            let tick = moment.tick;
            if !(frames[0]..=frames[1]).contains(&tick) {
                return;
            }
            zones[0].see(moment);
            for (zone, voronoi) in zones.iter_mut().zip(&mut voronoi) {
                if (tick - frames[0]).is_multiple_of(10) || tick == case.one.0 {
                    voronoi.cells(moment.at, &mut cells);
                }
                if (tick - frames[0]).is_multiple_of(10) {
                    zone.see_cells(moment, &cells);
                }
                if tick == case.one.0 {
                    let mut alone = Zone::new("area", polygon.clone()).unwrap();
                    alone.see(moment);
                    alone.see_cells(moment, &cells);
                    let density = case.its[usize::from(voronoi.cut_off().is_some())];
                    check("density of one frame", file, alone.voronoi_density.mean(), density, 1e-3, 1e-6);
                    check("speed of one frame", file, alone.speed.mean(), case.its[2], 1e-6, 1e-6);
                    let inside = moment.at.iter().filter(|at| alone.contains(**at)).count();
                    assert_eq!((moment.id.len(), inside), (case.one.1, case.one.2), "{file}");
                }
            }
        });
        let [zone, unlimited] = &zones;
        check("classic density", file, zone.density.mean(), case.classic[0], 1e-6, 1e-6);
        check("largest classic density", file, zone.density.max(), case.classic[1], 1e-6, 1e-6);
        check("mean speed", file, zone.speed.mean(), case.speed[0], 1e-6, 1e-6);
        check("mean speed with empty frames", file, zone.speed_with_empty(), case.speed[1], 1e-6, 1e-6);
        check("Voronoi density", file, zone.voronoi_density.mean(), case.voronoi[0], 1e-3, 1e-6);
        check("Voronoi density without cut-off", file, unlimited.voronoi_density.mean(), case.voronoi[1], 1e-3, 1e-6);
        check("Voronoi speed", file, zone.voronoi_speed.mean(), case.voronoi_speed, 1e-3, 1e-6);
    }
}

#[test]
fn speeds_of_all_rows_are_those_of_pedpy() {
    let Some(folder) = data() else { return };
    for case in CASES {
        let recording = people(&folder, case.file, case.unit, Some(case.fps));
        for (step, expected) in [1, 5, 10].into_iter().zip(case.all) {
            let mut speeds = Series::default();
            moments(&recording, step, |moment| {
                moment.velocity.iter().flatten().for_each(|velocity| speeds.push(0, velocity.length()));
            });
            check("speed of all rows", case.file, speeds.mean(), expected, 1e-6, 1e-4);
        }
    }
}

#[test]
fn people_cross_lines_when_pedpy_says() {
    let Some(folder) = data() else { return };
    for case in CASES {
        let file = case.file;
        let recording = people(&folder, file, case.unit, Some(case.fps));
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
        let found = (ticks.len(), ticks.first().copied().unwrap_or(0), ticks.last().copied().unwrap_or(0));
        assert_eq!(found, case.passed, "{file}");
        assert_eq!(ticks.partition_point(|tick| *tick <= case.one.0), case.one.3, "{file}");
        check("flow", file, crossings.flow(0, header.tick), case.flow, 1e-6, 1e-6);
        let windows = crossings.windows(0, last, 100, header.every, header.tick);
        let mean = windows.iter().map(|window| window.flow).sum::<f64>() / windows.len() as f64;
        assert_eq!(windows.len(), case.windows.0, "{file}");
        check("flow in windows", file, Some(mean), case.windows.1, 1e-6, 1e-6);
        // Each row is somebody for one frame: all of them are in the cells.
        let mut maps = Maps::new(Grid::new(&extent.expect("people"), 0.2).expect("a grid"), header.tick);
        let mut again = |frame: &Frame<'_>| {
            maps.see(frame);
            ControlFlow::Continue(())
        };
        recording.frames(first, last, &mut again).expect("readable");
        let rows = (maps.person_seconds() + maps.outside_seconds()) / header.tick;
        assert!((rows - case.rows as f64).abs() < 1e-6 * rows, "{file}: {rows} rows");
    }
}
