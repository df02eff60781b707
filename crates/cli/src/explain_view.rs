//! The two images of somebody who steers by sight: how bearings turn, and how long until what is seen is nearest.

use crate::explain_draw::TEXT;
use passerby::steering::{Looked, Stimulus};
use passerby_measure::chart::{Align, Color, Path, Pen, Sheet, Words, ink, pale};

/// Room over each image for its name.
const NAME: f32 = 22.0;
/// Bearings that turn faster than this, rad/s, are as good as away.
const FAST: f32 = 0.5;
/// Times to interaction beyond this, s, are far away.
const FAR: f32 = 10.0;
/// On a collision course.
const COLLIDES: Color = Color::hex(0xb0_3a2e);
/// Seen, but going away.
const HARMLESS: Color = Color::hex(0xc9_ced6);

/// Draws both images into a frame, one over the other, with what they ask for below.
pub fn draw(sheet: &mut dyn Sheet, [left, top, right, bottom]: [f32; 4], view: &Looked) {
    let height = (right - left) * view.rows as f32 / view.columns.max(1) as f32;
    // Taller than it is by its angles: rows are few, and what is near is low.
    let height = height.max(0.34 * (bottom - top)).min(0.36 * (bottom - top));
    let rate = |pixel: &Stimulus| match pixel.collides {
        true => COLLIDES,
        false if pixel.tti.is_none() => HARMLESS,
        false => pale((pixel.rate.abs() / FAST).clamp(0.0, 1.0)),
    };
    let time = |pixel: &Stimulus| pixel.tti.map_or(HARMLESS, |tti| pale(1.0 - (tti / FAR).clamp(0.0, 1.0)));
    let mut y = top + NAME;
    for (name, color) in [
        ("bearing rate: red is on a collision course, dark turns fast", &rate as &dyn Fn(&Stimulus) -> Color),
        ("time to interaction: dark is soon, grey goes away", &time),
    ] {
        let frame = [left + 8.0, y, right - 8.0, y + height];
        sheet.text([frame[0], y - 7.0], name, &Words::new(Align::Left, TEXT, ink::TEXT));
        sheet.rectangle(frame, ink::PAPER);
        // Cells come from below, pixels from above.
        let rows = view.pixels.chunks(view.columns.max(1) as usize).rev();
        let colors: Vec<Option<Color>> = rows.flatten().map(|pixel| pixel.as_ref().map(color)).collect();
        sheet.cells(frame, view.columns as usize, &colors);
        sheet.stroke(&Path::rectangle(frame), &Pen::new(ink::WALL, 0.8));
        y += height + NAME + 8.0;
    }
    let lines = match &view.threat {
        Some(threat) => vec![
            format!("turns between {:.2} and {:.2} rad/s are ruled out", threat.right, threat.left),
            format!("the soonest is {:.1} s away", threat.soonest),
        ],
        None => vec!["nothing is on a collision course".to_owned()],
    };
    for (n, line) in lines.iter().enumerate() {
        let at = [left + 8.0, (y + 18.0 * n as f32).min(bottom - 8.0)];
        sheet.text(at, line, &Words::new(Align::Left, TEXT, ink::TEXT));
    }
}
