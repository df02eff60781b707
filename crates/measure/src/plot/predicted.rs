//! Predicted distance against normalised time: how often which, the mean, and its phases. After Figure 7 of the Tangent paper.

use super::legend;
use super::{MARGINS, TOP, WIDTH, note};
use crate::chart::{Align, Axis, Color, Panel, Path, Pen, Sheet, Words, ink, pale};
use crate::{CURVE_POINTS, EncounterSummary};

const PANEL: f32 = 380.0;
const FOOT: f32 = 64.0;
/// From one line of text to the next.
const LINE: f32 = 20.0;

pub(super) const HEIGHT: f32 = TOP + PANEL + FOOT + 40.0;

pub(super) fn draw(sheet: &mut dyn Sheet, summary: &EncounterSummary) {
    let frame = [MARGINS[0], TOP, WIDTH - MARGINS[1], TOP + PANEL];
    let axis = share_axis([summary].into_iter());
    panel(sheet, frame, summary, &axis, "time from seeing each other (0) to the closest approach (1)");
    if summary.count() == 0 {
        note(sheet, frame, "no two people would have passed within a metre of each other");
    }
    let y = frame[3] + FOOT;
    let plateau = summary.phases().is_none_or(|phases| phases.regulation.is_some());
    let words = match summary.count() {
        1 => "1 encounter; line: its own".to_owned(),
        count => format!("{count} encounters; line: mean"),
    };
    let left = Words::new(Align::Left, Panel::TEXT, ink::TEXT);
    sheet.text([MARGINS[0], y + 4.0], &words, &left);
    // On a line of its own: beside the first is what the colours mean.
    if summary.count() > 0 {
        let flat = if plateau { "" } else { "; the mean has no plateau" };
        sheet.text([MARGINS[0], y + 4.0 + LINE], &format!("foreseen within 1 m at first{flat}"), &left);
    }
    legend::color_bar(sheet, y, &axis, pale);
}

/// The share of encounters that a colour stands for, the same for all summaries.
pub(super) fn share_axis<'a>(summaries: impl Iterator<Item = &'a EncounterSummary>) -> Axis {
    let most = summaries.fold(0.0, |most: f64, summary| {
        let bins = (0..CURVE_POINTS).flat_map(|point| summary.bins(point));
        let largest = bins.copied().max().unwrap_or(0);
        most.max(f64::from(largest) / summary.count().max(1) as f64)
    });
    Axis::from_zero("share of the encounters in %", 100.0 * most.max(1e-3), 4)
}

/// How often which predicted distance, the mean, and its phases.
pub(super) fn panel(
    sheet: &mut dyn Sheet,
    frame: [f32; 4],
    summary: &EncounterSummary,
    axis: &Axis,
    time: &'static str,
) {
    let rows = summary.bins(0).len();
    let panel = Panel {
        frame,
        x: Axis::exact(time, 0.0, 1.0, 10),
        y: Axis::exact("predicted distance in m", 0.0, rows as f64 * summary.bin(), 6),
    };
    panel.ground(sheet);
    // Shares of each column: as many encounters pass every moment.
    let count = summary.count().max(1) as f64;
    let share = |point: usize, row: usize| f64::from(summary.bins(point)[row]) / count;
    let color = |share: f64| (share > 0.0).then(|| pale(axis.fraction(100.0 * share).clamp(0.0, 1.0) as f32));
    let colors: Vec<Option<Color>> = (0..rows)
        .flat_map(|row| (0..CURVE_POINTS).map(move |point| (row, point)))
        .map(|(row, point)| color(share(point, row)))
        .collect();
    sheet.cells(panel.frame, CURVE_POINTS, &colors);
    if let Some(curve) = summary.curve() {
        let time = |point: usize| point as f64 / (CURVE_POINTS - 1) as f64;
        let line = Path::line(curve.iter().enumerate().map(|(point, mean)| panel.at([time(point), *mean])));
        sheet.stroke(&line, &Pen::new(Color::hex(0xb0_3a2e), 2.4));
    }
    if let Some(phases) = summary.phases() {
        let borders: Vec<f64> =
            [Some(0.0), Some(phases.reaction), phases.regulation, Some(1.0)].into_iter().flatten().collect();
        for time in &borders[1..borders.len() - 1] {
            let [x, _] = panel.at([*time, 0.0]);
            sheet.line([x, panel.frame[1]], [x, panel.frame[3]], &Pen { dash: Some(4.0), ..Pen::new(ink::TEXT, 1.2) });
        }
        for (pair, name) in borders.windows(2).zip(["observation", "reaction", "regulation"]) {
            let [x, _] = panel.at([0.5 * (pair[0] + pair[1]), 0.0]);
            // A name of a dozen letters takes some 75 units.
            if (pair[1] - pair[0]) as f32 * (frame[2] - frame[0]) > 75.0 {
                sheet.text([x, panel.frame[1] + 17.0], name, &Words::label(Align::Middle, Panel::TEXT, ink::TEXT));
            }
        }
    }
    panel.axes(sheet);
}
