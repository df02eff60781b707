//! Posed bodies as pictures, and sheets of them side by side.

use crate::figure_camera::Camera;
use crate::figure_canvas::{Canvas, Corner};
use anyhow::{Context, Result};
use passerby_geometry::Vec3;
use passerby_measure::chart::{Align, Color, Pixels, Sheet, Words, ink};
use passerby_motion::mesh::Mesh;
use passerby_motion::pose::{Placed, Pose};
use passerby_motion::skinning::{Bind, Skinned, skin};
use passerby_motion::{Looks, Skeleton};

/// The ground and all behind it.
const PAPER: [u8; 3] = [238, 238, 234];
/// Height of captions and the room for them, pixels.
const TEXT: f32 = 11.0;
const CAPTION: f32 = 26.0;

/// Somebody in a pose.
pub struct Figure<'a> {
    /// At which level of detail.
    pub mesh: &'a Mesh,
    /// Who.
    pub looks: &'a Looks,
    /// Theirs.
    pub skeleton: &'a Skeleton,
    /// How they stand or walk, in their own frame.
    pub pose: &'a Pose,
}

/// A picture of a sheet.
pub struct Frame<'a> {
    /// Who is to be seen.
    pub figure: Figure<'a>,
    /// From where.
    pub camera: Camera,
    /// What is written below.
    pub caption: String,
}

impl Figure<'_> {
    /// Draws the body and its shadow; rows from above, red green blue of each pixel.
    pub fn draw(&self, size: [u32; 2], camera: Camera) -> Vec<[u8; 3]> {
        let mut placed: Vec<Placed> = Vec::new();
        self.pose.to_model(self.skeleton, &mut placed);
        let mut skinned = Skinned::default();
        let bind = Bind::new(self.skeleton);
        skin(self.mesh, self.looks.stature, self.looks.shape, &bind, &placed, &mut skinned);
        let mut canvas = Canvas::new(size, PAPER, camera);
        for corners in &self.mesh.triangles {
            canvas.shadow(corners.map(|corner| skinned.positions[corner as usize]), PAPER);
        }
        for corners in &self.mesh.triangles {
            let [first, ..] = *corners;
            let color = self.looks.colours.of(self.mesh.slots[first as usize]);
            let corner = |vertex: u32| Corner {
                position: skinned.positions[vertex as usize],
                normal: skinned.normals[vertex as usize],
            };
            canvas.triangle(corners.map(corner), color);
        }
        canvas.pixels()
    }
}

/// Frames in rows of so many, each of this size, with their captions; the PNG file's bytes.
pub fn sheet(frames: &[Frame], columns: usize, size: [u32; 2]) -> Result<Vec<u8>> {
    let columns = columns.clamp(1, frames.len().max(1));
    let [wide, high] = [size[0] as f32, size[1] as f32 + CAPTION];
    let whole = [wide * columns as f32, high * frames.len().div_ceil(columns) as f32];
    let [red, green, blue] = PAPER;
    let paper = Color { rgb: [red, green, blue], alpha: 1.0 };
    let mut sheet = Pixels::new(whole, 1.0, paper)
        .with_context(|| format!("no picture of {} x {} pixels; draw fewer frames", whole[0], whole[1]))?;
    for (index, frame) in frames.iter().enumerate() {
        let [left, top] = [(index % columns) as f32 * wide, (index / columns) as f32 * high];
        let pixels = frame.figure.draw(size, frame.camera);
        let rows = pixels.chunks(size[0] as usize).rev(); // cells start below
        let cells: Vec<Option<Color>> = rows.flatten().map(|rgb| Some(Color { rgb: *rgb, alpha: 1.0 })).collect();
        sheet.cells([left, top, left + wide, top + size[1] as f32], size[0] as usize, &cells);
        let words = Words::new(Align::Middle, TEXT, ink::TEXT);
        sheet.text([left + 0.5 * wide, top + high - 0.5 * (CAPTION - TEXT)], &frame.caption, &words);
    }
    sheet.png().context("the picture cannot be packed")
}

/// A camera that has somebody of this height in view, from an angle around them, degrees: 0 from ahead, 90 from their left.
pub fn camera(stature: f32, around_deg: f32) -> Camera {
    Camera {
        target: Vec3::new(0.0, 0.0, 0.5 * stature),
        around: around_deg.to_radians(),
        above: 0.12,
        height: 1.18 * stature.max(1.75),
        distance: 5.0,
    }
}
