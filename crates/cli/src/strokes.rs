//! Many short lines of few colours, drawn as they come: a colour's lines are collected and drawn as one path, so that
//! neighbouring pieces of a track do not add up where they meet.

use crate::canvas::Canvas;
use tiny_skia::{Color, PathBuilder};

/// Pieces that are collected before they are drawn.
const BATCH: usize = 1 << 14;

/// Lines by colour.
pub struct Strokes {
    colors: Vec<Color>,
    paths: Vec<PathBuilder>,
    width: f32,
    pieces: usize,
}

impl Strokes {
    /// No lines yet.
    pub fn new(colors: Vec<Color>, width: f32) -> Strokes {
        let paths = colors.iter().map(|_| PathBuilder::new()).collect();
        Strokes { colors, paths, width, pieces: 0 }
    }


    /// Adds a line of the n-th colour.
    pub fn add(&mut self, canvas: &mut Canvas, color: usize, from: [f32; 2], to: [f32; 2]) {
        let path = &mut self.paths[color];
        path.move_to(from[0], from[1]);
        path.line_to(to[0], to[1]);
        self.pieces += 1;
        if self.pieces >= BATCH {
            self.draw(canvas);
        }
    }

    /// Draws what was collected.
    pub fn draw(&mut self, canvas: &mut Canvas) {
        for (path, color) in self.paths.iter_mut().zip(&self.colors) {
            if let Some(path) = std::mem::replace(path, PathBuilder::new()).finish() {
                canvas.stroke(&path, *color, self.width);
            }
        }
        self.pieces = 0;
    }
}
