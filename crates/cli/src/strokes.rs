//! Many short lines of few colours, drawn as they come: a colour's lines are collected and drawn as one path, so that
//! neighbouring pieces of a track do not add up where they meet.

use passerby_measure::chart::{Color, Path, Pen, Sheet};

/// Pieces that are collected before they are drawn.
const BATCH: usize = 1 << 14;

/// Lines by colour.
pub struct Strokes {
    colors: Vec<Color>,
    paths: Vec<Path>,
    width: f32,
    pieces: usize,
}

impl Strokes {
    /// No lines yet.
    pub fn new(colors: Vec<Color>, width: f32) -> Strokes {
        let paths = colors.iter().map(|_| Path::new()).collect();
        Strokes { colors, paths, width, pieces: 0 }
    }

    /// Adds a line of the n-th colour.
    pub fn add(&mut self, sheet: &mut dyn Sheet, color: usize, from: [f32; 2], to: [f32; 2]) {
        self.paths[color].add([from, to]);
        self.pieces += 1;
        if self.pieces >= BATCH {
            self.draw(sheet);
        }
    }

    /// Draws what was collected.
    pub fn draw(&mut self, sheet: &mut dyn Sheet) {
        for (path, color) in self.paths.iter_mut().zip(&self.colors) {
            sheet.stroke(path, &Pen::new(*color, self.width));
            path.clear();
        }
        self.pieces = 0;
    }
}
