//! Numbers of people over time: who is there, and who has passed a line.

use super::legend;
use super::{MARGINS, Scene, TOP, WIDTH, shortened};
use crate::chart::{Axis, Color, Panel, Path, Pen, Point, Sheet, ink, kind, round_above};
use crate::{Crossings, Stays};

const EGRESS: f32 = 330.0;
const PASSED: f32 = 250.0;
const FLOW: f32 = 150.0;
/// From a panel's lower edge to the base line of the legend's first row.
const FOOT: f32 = 66.0;
/// Lines that are drawn; more could not be told apart.
const LINES_MAX: usize = 12;

fn frame(top: f32, height: f32) -> [f32; 4] {
    [MARGINS[0], top, WIDTH - MARGINS[1], top + height]
}

fn time_axis(scene: &Scene<'_>) -> Axis {
    Axis::exact("time in s", scene.seconds(scene.ticks.0), scene.seconds(scene.ticks.1), 10)
}

/// A curve that jumps at its points: their times and the numbers from then on, up to the time `end`.
fn stairs(panel: &Panel, start: f64, end: f64, points: impl IntoIterator<Item = [f64; 2]>) -> Path {
    let mut corners: Vec<Point> = vec![panel.at([panel.x.low, start])];
    let mut height = start;
    for [time, number] in points {
        if number != height {
            corners.extend([panel.at([time, height]), panel.at([time, number])]);
            height = number;
        }
    }
    corners.push(panel.at([end.min(panel.x.high), height]));
    Path::line(corners)
}

/// How many there are from each tick on: the n-th is the tick of the n-th one.
fn counted<'a>(scene: &'a Scene<'_>, ticks: &'a [u32]) -> impl Iterator<Item = [f64; 2]> + 'a {
    ticks.iter().enumerate().map(|(n, tick)| [scene.seconds(*tick), (n + 1) as f64])
}

/// What is drawn: its name, and when the first, second, .. one had entered or left.
fn egress_curves(stays: &Stays) -> Vec<(String, Option<Vec<u32>>)> {
    let (entered, left) = (stays.entered(), stays.left());
    let first = stays.present().first().map_or(0, |(tick, _)| *tick);
    let name = |word: &str, ticks: &[u32]| format!("{word} ({})", ticks.len());
    let mut curves = vec![("present".to_owned(), None), (name("left", &left), Some(left))];
    if entered.last().is_some_and(|last| *last > first) {
        curves.push((name("entered", &entered), Some(entered)));
    }
    curves
}

pub(super) fn egress_height(stays: &Stays) -> f32 {
    let names: Vec<String> = egress_curves(stays).into_iter().map(|(name, _)| name).collect();
    TOP + EGRESS + FOOT + 14.0 + legend::ROW * (legend::rows(&names) - 1) as f32
}

/// People present, left and entered.
pub(super) fn egress(scene: &Scene<'_>, sheet: &mut dyn Sheet, stays: &Stays) {
    let panel = Panel {
        frame: frame(TOP, EGRESS),
        x: time_axis(scene),
        y: Axis::of_counts("people", stays.people() as f64, 6).with_room(),
    };
    panel.ground(sheet);
    let curves = egress_curves(stays);
    let colors: Vec<Color> = (0..curves.len()).map(kind).collect();
    for ((_, ticks), color) in curves.iter().zip(&colors) {
        let path = match ticks {
            Some(ticks) => stairs(&panel, 0.0, panel.x.high, counted(scene, ticks)),
            None => {
                let start = stays.present().first().map_or(0.0, |(_, people)| f64::from(*people));
                let points = stays.present().iter().map(|(tick, people)| [scene.seconds(*tick), f64::from(*people)]);
                stairs(&panel, start, panel.x.high, points)
            }
        };
        sheet.stroke(&path, &Pen::new(*color, 2.0));
    }
    panel.axes(sheet);
    let names: Vec<String> = curves.into_iter().map(|(name, _)| name).collect();
    legend::draw(sheet, panel.frame[3] + FOOT, &names, &colors);
}

/// Names of the lines with people and mean flow.
fn flow_names(scene: &Scene<'_>, crossings: &Crossings) -> Vec<String> {
    let lines = crossings.lines().iter().take(LINES_MAX).enumerate();
    let name = |(n, line): (usize, &passerby_record::NamedLine)| {
        let people = crossings.first_ticks(n).len();
        let flow = crossings.flow(n, scene.header.tick).map_or(String::new(), |flow| format!(", {flow:.2}/s"));
        let name: String = shortened(&line.name).chars().take(20).collect();
        format!("{name}: {people}{flow}")
    };
    lines.map(name).collect()
}

pub(super) fn flow_height(scene: &Scene<'_>, crossings: &Crossings) -> f32 {
    let rows = legend::rows(&flow_names(scene, crossings)).max(1);
    TOP + PASSED + 30.0 + FLOW + FOOT + 14.0 + legend::ROW * (rows - 1) as f32
}

/// Length of the windows in which flow is counted, s: about 30 of them, of a round length.
pub(crate) fn window(seconds: f64) -> f64 {
    round_above(seconds / 30.0)
}

/// First crossings in each whole window, a second. What is left at the end is no window.
fn flow_in_windows(scene: &Scene<'_>, ticks: &[u32], window: f64) -> Vec<f64> {
    let (from, to) = (scene.seconds(scene.ticks.0), scene.seconds(scene.ticks.1));
    let windows = (((to - from) / window + 1e-6).floor().max(1.0) as usize).min(1000);
    let mut flow = vec![0.0; windows];
    for tick in ticks {
        if let Some(flow) = flow.get_mut(((scene.seconds(*tick) - from) / window) as usize) {
            *flow += 1.0 / window;
        }
    }
    flow
}

/// People who have passed each line, and below how many a second.
pub(super) fn flow(scene: &Scene<'_>, sheet: &mut dyn Sheet, crossings: &Crossings) {
    let names = flow_names(scene, crossings);
    let colors: Vec<Color> = (0..names.len()).map(kind).collect();
    let ticks: Vec<Vec<u32>> = (0..names.len()).map(|n| crossings.first_ticks(n)).collect();
    let most = ticks.iter().map(Vec::len).max().unwrap_or(0);
    let mut upper = Panel {
        frame: frame(TOP, PASSED),
        x: time_axis(scene),
        y: Axis::of_counts("people passed", most as f64, 5).with_room(),
    };
    upper.x.label.clear(); // the panel below has the same times
    let window = window(scene.seconds(scene.ticks.1) - scene.seconds(scene.ticks.0));
    let flows: Vec<Vec<f64>> = ticks.iter().map(|ticks| flow_in_windows(scene, ticks, window)).collect();
    let highest = flows.iter().flatten().copied().fold(0.0, f64::max);
    let lower = Panel {
        frame: frame(TOP + PASSED + 30.0, FLOW),
        x: time_axis(scene),
        y: Axis::from_zero(format!("flow in 1/s, each {window} s"), highest.max(0.1), 4).with_room(),
    };
    (upper.ground(sheet), lower.ground(sheet));
    for (n, color) in colors.iter().enumerate() {
        let pen = Pen::new(*color, 2.0);
        sheet.stroke(&stairs(&upper, 0.0, upper.x.high, counted(scene, &ticks[n])), &pen);
        let start = lower.x.low;
        let points = flows[n].iter().enumerate().map(|(i, flow)| [start + i as f64 * window, *flow]);
        sheet.clip(lower.frame);
        sheet.stroke(&stairs(&lower, flows[n][0], start + flows[n].len() as f64 * window, points), &pen);
        sheet.unclip();
    }
    (upper.axes(sheet), lower.axes(sheet));
    if names.is_empty() {
        let words = crate::chart::Words::new(crate::chart::Align::Left, Panel::TEXT, ink::FAINT);
        sheet.text([MARGINS[0], lower.frame[3] + FOOT], "no lines", &words);
    }
    legend::draw(sheet, lower.frame[3] + FOOT, &names, &colors);
}
