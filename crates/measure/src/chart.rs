//! What charts are drawn with: a sheet with two back ends, letters, colours, axes, and a place seen from above.

mod axis;
mod font;
mod path;
mod pixels;
mod place;
mod ramp;
mod sheet;
mod svg;

/// Width of a line of text on [`Pixels`] whose capitals are so high.
pub use font::width as text_width;

pub use axis::{Axis, Panel, round_above, round_below};
pub use path::{Path, Point};
pub use pixels::Pixels;
pub use place::{View, doors, floor, mover, outlines, surroundings};
pub use ramp::{kind, pale, ramp};
pub use sheet::{Align, Color, Pen, Sheet, Words};
pub use svg::Svg;

/// The colours of paper, ink and places.
pub mod ink {
    use super::Color;

    /// Around a place.
    pub const PAPER: Color = Color::hex(0xf3f4f6);
    /// Where people can walk.
    pub const FLOOR: Color = Color::hex(0xffffff);
    /// Edges of the floor.
    pub const WALL: Color = Color::hex(0x3d4450);
    /// Obstacles.
    pub const SOLID: Color = Color::hex(0xc6cbd3);
    /// Regions.
    pub const REGION: Color = Color::hex(0x5f86b8);
    /// Doors.
    pub const DOOR: Color = Color::hex(0xd9822b);
    /// Things that move.
    pub const MOVER: Color = Color::hex(0x7d4fa3);
    /// Words that matter.
    pub const TEXT: Color = Color::hex(0x2b313b);
    /// Words that explain.
    pub const FAINT: Color = Color::hex(0x5d6570);
    /// Lines to read values along.
    pub const GRID: Color = Color::hex(0xe3e6ea);
}
