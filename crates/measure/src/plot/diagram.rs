//! The fundamental diagram: speed against density, with Weidmann's curve.

use super::legend;
use super::{MARGINS, Scene, TOP, WIDTH, note, shortened};
use crate::chart::{Axis, Color, Panel, Path, Pen, Sheet, kind};
use crate::{Zone, weidmann};

const PANEL: f32 = 380.0;
const FOOT: f32 = 66.0;
/// Areas that are drawn; more could not be told apart.
const ZONES_MAX: usize = 6;

fn names(zones: &[Zone]) -> Vec<String> {
    let name = |zone: &Zone| match zone.speed.count() {
        1 => format!("{} (1 frame)", shortened(&zone.name)),
        frames => format!("{} ({frames} frames)", shortened(&zone.name)),
    };
    let mut names: Vec<String> = zones.iter().take(ZONES_MAX).map(name).collect();
    names.push("Weidmann 1993".to_owned());
    names
}

pub(super) fn height(zones: &[Zone]) -> f32 {
    TOP + PANEL + FOOT + 14.0 + legend::ROW * (legend::rows(&names(zones)) - 1) as f32
}

/// How often which density and speed came together is the darkness of a cell; means with their spread, and Weidmann's curve.
pub(super) fn draw(_scene: &Scene<'_>, sheet: &mut dyn Sheet, zones: &[Zone]) {
    let shown = &zones[..zones.len().min(ZONES_MAX)];
    let cells = || shown.iter().flat_map(|zone| zone.diagram.cells());
    let most = |axis: usize| cells().map(|(at, _)| at[axis]).fold(0.0, f64::max);
    let panel = Panel {
        frame: [MARGINS[0], TOP, WIDTH - MARGINS[1], TOP + PANEL],
        x: Axis::from_zero("density in 1/m2", (most(0) + 0.5).max(2.0), 8),
        y: Axis::from_zero("speed in m/s", (most(1) + 0.1).max(1.6), 6),
    };
    panel.ground(sheet);
    sheet.clip(panel.frame);
    let mut colors: Vec<Color> = (0..shown.len()).map(kind).collect();
    for (zone, color) in shown.iter().zip(&colors) {
        let frames = zone.diagram.cells().map(|(_, count)| count).max().unwrap_or(1);
        let [wide, high] = zone.diagram.cell();
        for ([density, speed], count) in zone.diagram.cells() {
            let ([left, top], [right, bottom]) = (
                panel.at([density - wide / 2.0, speed + high / 2.0]),
                panel.at([density + wide / 2.0, speed - high / 2.0]),
            );
            // The square root: rare cells are seen beside common ones.
            let share = (f64::from(count) / f64::from(frames)).sqrt() as f32;
            sheet.rectangle([left, top, right, bottom], color.with_alpha(0.08 + 0.5 * share));
        }
        for at in zone.diagram.means().filter(|at| at.count >= 5) {
            let middle = panel.at([at.density, at.speed]);
            let [low, high] = [-1.0, 1.0].map(|sign| panel.at([at.density, at.speed + sign * at.deviation]));
            sheet.line(low, high, &Pen::new(*color, 1.2));
            sheet.disc(middle, 3.2, *color);
        }
    }
    let points = (0..=200).map(|i| panel.x.high * f64::from(i) / 200.0);
    let curve = Path::line(points.map(|density| panel.at([density, weidmann(density)])));
    let weidmann = Color::hex(0x33_3333);
    sheet.stroke(&curve, &Pen { dash: Some(5.0), ..Pen::new(weidmann, 1.6) });
    sheet.unclip();
    panel.axes(sheet);
    if shown.iter().all(|zone| zone.speed.count() == 0) {
        note(sheet, panel.frame, "nobody walked in any of these areas");
    }
    colors.push(weidmann);
    legend::draw(sheet, panel.frame[3] + FOOT, &names(zones), &colors);
}
