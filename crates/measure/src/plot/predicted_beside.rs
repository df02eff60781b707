//! Small multiples: the predicted distance of encounters with several models, side by side at one scale.

use super::{TOP, WIDTH, legend, predicted, shortened};
use crate::EncounterSummary;
use crate::chart::{Align, Pixels, Sheet, Svg, Words, ink, pale};

/// Left of every panel: numbers and words of its axis.
const LEFT: f32 = 74.0;
const RIGHT: f32 = 22.0;
const PANEL: f32 = 210.0;
/// Above each panel: its name, and what came of it.
const CAPTION: f32 = 46.0;
/// Below each panel: its axis.
const BELOW: f32 = 58.0;
const FOOT: f32 = 64.0;
const COLUMNS: usize = 2;

/// One panel.
#[derive(Debug)]
pub struct PredictedSide<'a> {
    /// Over it.
    pub name: String,
    /// Below its name.
    pub remark: String,
    /// Its encounters.
    pub summary: &'a EncounterSummary,
}

/// A sheet of panels.
#[derive(Debug)]
pub struct PredictedBeside<'a> {
    /// What it is about.
    pub title: String,
    /// Below the title.
    pub subtitle: String,
    /// The panels.
    pub sides: Vec<PredictedSide<'a>>,
}

impl PredictedBeside<'_> {
    /// As an SVG file.
    pub fn svg(&self) -> String {
        let mut sheet = Svg::new(self.size(), ink::FLOOR);
        self.draw(&mut sheet);
        sheet.finish()
    }

    /// As a PNG file, so many pixels wide; `None` if that is no picture.
    pub fn png(&self, width: u32) -> Option<Vec<u8>> {
        let mut sheet = Pixels::new(self.size(), width as f32 / WIDTH, ink::FLOOR)?;
        self.draw(&mut sheet);
        sheet.png()
    }

    fn size(&self) -> [f32; 2] {
        [WIDTH, self.foot() + 40.0]
    }

    fn foot(&self) -> f32 {
        TOP + self.sides.len().div_ceil(COLUMNS) as f32 * (CAPTION + PANEL + BELOW) + FOOT - 40.0
    }

    fn draw(&self, sheet: &mut dyn Sheet) {
        sheet.text([26.0, 27.0], &shortened(&self.title), &Words::new(Align::Left, 12.5, ink::TEXT));
        sheet.text([26.0, 48.0], &self.subtitle, &Words::new(Align::Left, 9.0, ink::FAINT));
        let axis = predicted::share_axis(self.sides.iter().map(|side| side.summary));
        let column = WIDTH / COLUMNS as f32;
        for (n, side) in self.sides.iter().enumerate() {
            let left = (n % COLUMNS) as f32 * column + LEFT;
            let top = TOP + (n / COLUMNS) as f32 * (CAPTION + PANEL + BELOW) + CAPTION;
            sheet.text([left, top - 26.0], &side.name, &Words::new(Align::Left, 10.5, ink::TEXT));
            sheet.text([left, top - 9.0], &side.remark, &Words::new(Align::Left, 8.0, ink::FAINT));
            let frame = [left, top, left + column - LEFT - RIGHT, top + PANEL];
            predicted::panel(sheet, frame, side.summary, &axis, "from seeing each other to passing");
        }
        legend::color_bar(sheet, self.foot(), &axis, pale);
    }
}
