//! Pixels with depth: triangles of bodies and their shadows, shaded.

use crate::figure_camera::{Camera, Seen};
use passerby_geometry::{Vec2, Vec3};

/// Samples along each side of a pixel.
const SAMPLES: u32 = 3;
/// Where the light comes from, in the camera's frame: from its left, from above, from behind it.
const LIGHT: Vec3 = Vec3::new(-0.45, 0.75, 0.50);
/// Light that comes from everywhere: from above, and from the ground.
const SKY: f32 = 0.42;
const BOUNCE: f32 = 0.22;
/// How much of the paper's light a shadow leaves.
const SHADOW: f32 = 0.80;

/// A picture that is being drawn, several samples a pixel.
pub struct Canvas {
    size: [u32; 2],
    camera: Camera,
    /// Linear light.
    colors: Vec<Vec3>,
    depths: Vec<f32>,
}

/// A corner of a triangle.
#[derive(Debug, Clone, Copy)]
pub struct Corner {
    /// Where, m.
    pub position: Vec3,
    /// Which way is out.
    pub normal: Vec3,
}

impl Canvas {
    /// Empty paper of this many pixels, sRGB.
    pub fn new(size: [u32; 2], paper: [u8; 3], camera: Camera) -> Canvas {
        let size = size.map(|side| side * SAMPLES);
        let samples = (size[0] * size[1]) as usize;
        Canvas { size, camera, colors: vec![linear(paper); samples], depths: vec![f32::INFINITY; samples] }
    }

    /// Shades the ground where this triangle keeps light from above off it. Shadows come before bodies.
    pub fn shadow(&mut self, corners: [Vec3; 3], paper: [u8; 3]) {
        let light = Vec3::new(0.05, 0.05, 1.0); // nearly overhead: the shadow stays at the feet
        let ground = corners.map(|corner| self.camera.seen(self.size, corner - light * (corner.z / light.z)));
        let [Some(a), Some(b), Some(c)] = ground else { return };
        let color = linear(paper) * SHADOW;
        let size = self.size;
        spread([a, b, c], size, |sample, _, _| self.colors[sample] = color);
    }

    /// Draws a triangle that is seen from outside.
    pub fn triangle(&mut self, corners: [Corner; 3], color: [u8; 3]) {
        let [Some(a), Some(b), Some(c)] = corners.map(|corner| self.camera.seen(self.size, corner.position)) else {
            return;
        };
        if (b.at - a.at).perp_dot(c.at - a.at) >= 0.0 {
            return; // from inside: y points down in pictures
        }
        let towards = self.camera.towards();
        let right = Vec3::Z.cross(towards).normalize();
        let light = (right * LIGHT.x + towards.cross(right) * LIGHT.y + towards * LIGHT.z).normalize();
        let (color, size) = (linear(color), self.size);
        spread([a, b, c], size, |sample, shares, depth| {
            if depth < self.depths[sample] {
                let normal: Vec3 = (0..3).map(|i| corners[i].normal * shares[i]).sum();
                let normal = normal.normalize_or(towards);
                let sky = BOUNCE + (SKY - BOUNCE) * (0.5 + 0.5 * normal.z);
                let lit = sky + (1.0 - SKY) * 1.25 * normal.dot(light).max(0.0);
                (self.depths[sample], self.colors[sample]) = (depth, color * lit);
            }
        });
    }

    /// The picture: rows from above, red green blue of each pixel.
    pub fn pixels(&self) -> Vec<[u8; 3]> {
        let [width, height] = self.size.map(|side| side / SAMPLES);
        let mut pixels = Vec::with_capacity((width * height) as usize);
        for y in 0..height {
            for x in 0..width {
                let mut sum = Vec3::ZERO;
                for row in 0..SAMPLES {
                    let start = ((y * SAMPLES + row) * self.size[0] + x * SAMPLES) as usize;
                    sum += self.colors[start..start + SAMPLES as usize].iter().sum::<Vec3>();
                }
                pixels.push((sum / (SAMPLES * SAMPLES) as f32).to_array().map(encoded));
            }
        }
        pixels
    }
}

/// Visits every sample in a triangle with the shares of its corners and its depth.
fn spread(corners: [Seen; 3], size: [u32; 2], mut visit: impl FnMut(usize, [f32; 3], f32)) {
    let [a, b, c] = corners.map(|corner| corner.at);
    let area = (b - a).perp_dot(c - a);
    if area.abs() < 1e-9 {
        return;
    }
    let low = a.min(b).min(c).floor().max(Vec2::ZERO);
    let high = a.max(b).max(c).ceil().min(Vec2::new(size[0] as f32, size[1] as f32));
    for y in low.y as u32..high.y.max(0.0) as u32 {
        for x in low.x as u32..high.x.max(0.0) as u32 {
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let shares =
                [(c - b).perp_dot(at - b) / area, (a - c).perp_dot(at - c) / area, (b - a).perp_dot(at - a) / area];
            if shares.iter().all(|share| *share >= 0.0) {
                let depth = (0..3).map(|i| shares[i] * corners[i].depth).sum();
                visit((y * size[0] + x) as usize, shares, depth);
            }
        }
    }
}

/// From sRGB to light.
fn linear(color: [u8; 3]) -> Vec3 {
    Vec3::from(color.map(|part| {
        let part = f32::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    }))
}

/// From light to sRGB.
fn encoded(light: f32) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let part = if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (255.0 * part).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: [u8; 3] = [255, 255, 255];

    /// From ahead, 2 m high on 20 pixels; the upper left half of the picture is one triangle, seen from outside.
    fn drawn(triangles: &[(f32, bool, [u8; 3])]) -> Vec<[u8; 3]> {
        let camera = Camera { target: Vec3::Z, around: 0.0, above: 0.0, height: 2.0, distance: f32::INFINITY };
        let mut canvas = Canvas::new([20, 20], PAPER, camera);
        for (x, outside, color) in triangles {
            let corner = |y: f32, z: f32| Corner { position: Vec3::new(*x, y, z), normal: Vec3::X };
            let [a, b, c] = [corner(-1.0, 2.0), corner(-1.0, 0.0), corner(1.0, 2.0)];
            canvas.triangle(if *outside { [a, b, c] } else { [a, c, b] }, *color);
        }
        canvas.pixels()
    }

    fn red([red, green, blue]: [u8; 3]) -> bool {
        red > 60 && green < 10 && blue < 10
    }

    #[test]
    fn triangles_are_where_they_belong_and_only_their_outside_is_seen() {
        let picture = drawn(&[(0.0, true, [255, 0, 0])]);
        for (x, y, inside) in
            [(0, 0, true), (9, 9, true), (18, 0, true), (0, 18, true), (19, 19, false), (12, 10, false)]
        {
            let pixel = picture[20 * y + x];
            assert_eq!(red(pixel), inside, "{x} {y}: {pixel:?}");
            assert!(inside || pixel == PAPER);
        }
        assert!(drawn(&[(0.0, false, [255, 0, 0])]).iter().all(|pixel| *pixel == PAPER));
    }

    #[test]
    fn the_nearer_hides_the_farther_whichever_comes_first() {
        let (near, far) = ((0.5, true, [255, 0, 0]), (-0.5, true, [0, 0, 255]));
        assert!(red(drawn(&[near, far])[20 * 5 + 5]));
        assert!(red(drawn(&[far, near])[20 * 5 + 5]));
    }

    /// The edge of the triangle cuts through pixels on the diagonal: they are between paper and red.
    #[test]
    fn edges_are_smooth() {
        let [_, green, _] = drawn(&[(0.0, true, [255, 0, 0])])[20 * 10 + 9];
        assert!((40..250).contains(&green), "{green}");
    }
}
