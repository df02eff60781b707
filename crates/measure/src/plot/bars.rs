//! Histograms: how often which speed, which travel time, which distance.

use super::{MARGINS, TOP, WIDTH};
use crate::Histogram;
use crate::chart::{Align, Axis, Panel, Path, Pen, Sheet, Words, ink, kind};

const PANEL: f32 = 150.0;
const GAP: f32 = 62.0;
/// More bars are drawn as half as many.
const BARS_MAX: usize = 60;

pub(super) const HEIGHT: f32 = TOP + 3.0 * (PANEL + GAP);

pub(super) fn draw(sheet: &mut dyn Sheet, histograms: &[Histogram; 3]) {
    let labels = [("speed", "m/s"), ("travel time", "s"), ("distance to the nearest person", "m")];
    for (n, (histogram, (label, unit))) in histograms.iter().zip(labels).enumerate() {
        one(sheet, TOP + n as f32 * (PANEL + GAP), histogram, label, unit);
    }
}

fn one(sheet: &mut dyn Sheet, top: f32, histogram: &Histogram, label: &str, unit: &str) {
    let used =
        |histogram: &Histogram| histogram.counts().iter().rposition(|count| *count > 0).map_or(1, |last| last + 1);
    let factor = used(histogram).div_ceil(BARS_MAX);
    let histogram = histogram.wider(factor);
    let (bars, total) = (used(&histogram), histogram.total().max(1) as f64);
    let share = |count: u64| 100.0 * count as f64 / total;
    let most = histogram.counts().iter().copied().max().unwrap_or(0);
    let panel = Panel {
        frame: [MARGINS[0], top, WIDTH - MARGINS[1], top + PANEL],
        x: Axis::from_zero(format!("{label} in {unit}"), bars as f64 * histogram.width(), 10),
        y: Axis::from_zero("share in %", share(most).max(1.0), 4).with_room(),
    };
    panel.ground(sheet);
    let bar = |n: usize, count: u64| {
        let (left, right) = (n as f64 * histogram.width(), (n + 1) as f64 * histogram.width());
        let ([left, bottom], [right, top]) = (panel.at([left, 0.0]), panel.at([right, share(count)]));
        [[left, bottom], [left, top], [right, top], [right, bottom]]
    };
    let counts = histogram.counts().iter().take(bars).enumerate();
    let outline = Path::rings(counts.filter(|(_, count)| **count > 0).map(|(n, count)| bar(n, *count)));
    sheet.fill(&outline, kind(0).with_alpha(0.55));
    sheet.stroke(&outline, &Pen::new(kind(0), 0.8));
    if let Some(mean) = histogram.mean() {
        let [x, _] = panel.at([mean.min(panel.x.high), 0.0]);
        sheet.line([x, top], [x, top + PANEL], &Pen { dash: Some(4.0), ..Pen::new(ink::TEXT, 1.2) });
    }
    panel.axes(sheet);
    let mut words = format!("{} values", histogram.total());
    if let Some(mean) = histogram.mean() {
        words += &format!(", mean {mean:.2} {unit}");
    }
    if histogram.above() > 0 {
        words += &format!(", {:.1} % beyond", share(histogram.above()));
    }
    sheet.text([WIDTH - MARGINS[1] - 8.0, top + 17.0], &words, &Words::label(Align::Right, Panel::TEXT, ink::TEXT));
}
