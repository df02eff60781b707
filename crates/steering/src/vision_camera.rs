//! Where the pixels of a walker's view look.
//!
//! Ondřej et al. 2010, section 4, "Camera Setup": 150 by 80 degrees, 256 by 48 pixels, from the eye, the upper edge on the horizon.
//! The table is made once: it stands in the walker's frame, x ahead and y to the left, and what is looked at is turned instead.
//!
//! Pixels are kept in *blocks* of eight columns, one per lane. Rows that look in the same directions are a *strip*: all of an even
//! image, since a column of it is a vertical plane through the eye, and a single row of a pinhole image.

use passerby_geometry::Vec2;
use passerby_geometry::lane_math::{cross, dot};
use passerby_geometry::lanes::{LANES, Lanes};
use passerby_geometry::math::double;
use std::ops::Range;

/// How directions become pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// Columns are equal steps of azimuth, rows equal steps of depression. Ours: a flat image spends most pixels on its corners.
    Even,
    /// A flat image behind a pinhole, tilted down by the middle of the depressions, as the paper's graphics card drew it.
    Pinhole,
}

/// The eye of a walker. Column 0 is leftmost, row 0 on top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// How directions become pixels.
    pub projection: Projection,
    /// Pixels side by side, at least 1, default 256.
    pub columns: u32,
    /// Pixels one above the other, at least 1, default 48.
    pub rows: u32,
    /// Height of the eye above the ground, m, default 1.7.
    pub eye: f32,
    /// Angle from the left edge to the right one, rad, below pi, default 150 degrees.
    pub view: f32,
    /// Depression of the upper edge, rad, negative above the horizon, default 0.
    pub top: f32,
    /// Depression of the lower edge, rad, beyond `top` and below pi/2, default 80 degrees.
    pub bottom: f32,
}

impl Default for Camera {
    fn default() -> Self {
        let (view, bottom) = (150f32.to_radians(), 80f32.to_radians());
        Self { projection: Projection::Even, columns: 256, rows: 48, eye: 1.7, view, top: 0.0, bottom }
    }
}

impl Camera {
    /// Where the middle of a pixel looks, (ahead, left, down), of any length.
    ///
    /// In `f64`, so that the table is right to the last bit that an `f32` has.
    fn ray(&self, column: u32, row: u32) -> [f64; 3] {
        let half = 0.5 * f64::from(self.view);
        let (top, bottom) = (f64::from(self.top), f64::from(self.bottom));
        // From -1 at the left edge to 1 at the right one, and from 1 at the upper edge to -1 at the lower one.
        let x = (2.0 * f64::from(column) + 1.0) / f64::from(self.columns) - 1.0;
        let y = 1.0 - (2.0 * f64::from(row) + 1.0) / f64::from(self.rows);
        match self.projection {
            Projection::Even => {
                let (left, ahead) = double::sin_cos(-x * half);
                [ahead, left, double::tan(0.5 * ((top + bottom) - y * (bottom - top)))]
            }
            Projection::Pinhole => {
                let (sin, cos) = double::sin_cos(0.5 * (top + bottom));
                let up = y * double::tan(0.5 * (bottom - top));
                [cos + up * sin, -x * double::tan(half), sin - up * cos]
            }
        }
    }
}

/// What touches a block of pixels: the hull of two discs on the ground, seen from the eye.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outline {
    /// Their centres in the walker's frame.
    pub ends: [Vec2; 2],
    /// Their radius, m.
    pub radius: f32,
    /// The least and the greatest slope under which a point of it can be seen.
    pub slopes: [f32; 2],
}

/// The pixels of a camera: for each a horizontal unit vector and a slope.
#[derive(Debug, Clone)]
pub struct Rays {
    camera: Camera,
    /// Blocks of eight columns side by side.
    blocks: usize,
    /// Rows that share their directions.
    strip: usize,
    /// Horizontal unit vectors: blocks of a strip after each other, strips from the top.
    directions: Vec<[[f32; LANES]; 2]>,
    /// Metres down per horizontal metre: a row of an even image needs one for all blocks, a pinhole image one for each.
    slopes: Vec<[f32; LANES]>,
    /// The flattest and the steepest slope of each row, eight rows at a time; rows beyond the last are never within.
    spread: Vec<[[f32; LANES]; 2]>,
    /// First, middle and last direction of each block, x and y, eight blocks at a time, strips from the top.
    wedges: Vec<[[f32; LANES]; 6]>,
}

impl Rays {
    /// The table of a camera.
    pub fn new(camera: Camera) -> Self {
        assert!(camera.columns > 0 && camera.rows > 0, "an image has pixels: {camera:?}");
        assert!(
            camera.view > 0.0 && camera.view < std::f32::consts::PI - 1e-4,
            "the view is less than half a turn: {camera:?}"
        );
        assert!(camera.top < camera.bottom && camera.top > -1.57 && camera.bottom < 1.57, "from top down: {camera:?}");
        assert!(camera.eye > 0.0, "an eye is above the ground: {camera:?}");
        let (blocks, rows) = (camera.columns.div_ceil(LANES as u32) as usize, camera.rows as usize);
        let even = camera.projection == Projection::Even;
        let strip = if even { rows } else { 1 };
        let mut rays = Self {
            camera,
            blocks,
            strip,
            directions: Vec::new(),
            slopes: Vec::new(),
            spread: vec![[[f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]]; rows.div_ceil(LANES)],
            wedges: Vec::new(),
        };
        for row in 0..rows {
            for block in 0..blocks {
                rays.add_block(row, block, even);
            }
        }
        rays.add_wedges();
        rays
    }

    fn add_block(&mut self, row: usize, block: usize, even: bool) {
        let (mut direction, mut slope) = ([[0.0; LANES]; 2], [0.0; LANES]);
        for lane in 0..LANES {
            // Lanes beyond the last column repeat it: what they see changes no extreme.
            let column = ((block * LANES + lane) as u32).min(self.camera.columns - 1);
            let [ahead, left, down] = self.camera.ray(column, row as u32);
            let length = (ahead * ahead + left * left).sqrt();
            (direction[0][lane], direction[1][lane]) = ((ahead / length) as f32, (left / length) as f32);
            slope[lane] = (down / length) as f32;
            let [flattest, steepest] = &mut self.spread[row / LANES];
            flattest[row % LANES] = flattest[row % LANES].min(slope[lane]);
            steepest[row % LANES] = steepest[row % LANES].max(slope[lane]);
        }
        if !even || row == 0 {
            self.directions.push(direction);
        }
        if !even {
            self.slopes.push(slope);
        } else if block == 0 {
            // One for the whole row: rounding must not let columns of a row differ.
            self.slopes.push([slope[0]; LANES]);
            (self.spread[row / LANES][0][row % LANES], self.spread[row / LANES][1][row % LANES]) = (slope[0], slope[0]);
        }
    }

    fn add_wedges(&mut self) {
        for strip in self.directions.chunks(self.blocks) {
            for eight in strip.chunks(LANES) {
                let mut wedge = [[0.0; LANES]; 6];
                for (lane, [x, y]) in eight.iter().enumerate() {
                    let (first, last) = (Vec2::new(x[0], y[0]), Vec2::new(x[LANES - 1], y[LANES - 1]));
                    let middle = (first + last).normalize();
                    for (i, v) in [first, middle, last].into_iter().enumerate() {
                        (wedge[2 * i][lane], wedge[2 * i + 1][lane]) = (v.x, v.y);
                    }
                }
                self.wedges.push(wedge);
            }
        }
    }

    /// The camera it is of.
    pub fn camera(&self) -> &Camera {
        &self.camera
    }

    /// The horizontal unit vector of a pixel in the walker's frame, x ahead and y to the left.
    pub fn direction(&self, column: u32, row: u32) -> Vec2 {
        let [x, y] = self.block_direction(row as usize / self.strip * self.blocks + column as usize / LANES);
        Vec2::new(x[column as usize % LANES], y[column as usize % LANES])
    }

    /// Metres down for each horizontal metre, negative above the horizon.
    pub fn slope(&self, column: u32, row: u32) -> f32 {
        let (row, block) = (row as usize, column as usize / LANES);
        self.block_slopes(row / self.strip, block, row..row + 1)[0][column as usize % LANES]
    }

    pub(crate) fn blocks(&self) -> usize {
        self.blocks
    }

    /// The rows of a strip.
    pub(crate) fn strip(&self) -> usize {
        self.strip
    }

    /// Directions of a block; blocks are counted on through the strips.
    #[inline(always)]
    pub(crate) fn block_direction(&self, place: usize) -> &[[f32; LANES]; 2] {
        &self.directions[place]
    }

    /// Slopes of some rows of a strip in a block.
    #[inline(always)]
    pub(crate) fn block_slopes(&self, strip: usize, block: usize, rows: Range<usize>) -> &[[f32; LANES]] {
        match self.camera.projection {
            Projection::Even => &self.slopes[rows],
            Projection::Pinhole => &self.slopes[strip * self.blocks + block..][..1],
        }
    }

    /// From the first row to beyond the last one that holds slopes within the two.
    #[inline(always)]
    pub(crate) fn rows_between<L: Lanes>(&self, [least, greatest]: [f32; 2]) -> Range<usize> {
        let (least, greatest) = (L::splat(least), L::splat(greatest));
        let (mut from, mut to) = (usize::MAX, 0);
        for (eight, [flattest, steepest]) in self.spread.iter().enumerate() {
            let within = L::load(flattest).le(greatest).and(least.le(L::load(steepest))).bits();
            if within != 0 {
                from = from.min(eight * LANES + within.trailing_zeros() as usize);
                to = eight * LANES + LANES - within.leading_zeros() as usize;
            }
        }
        from.min(to)..to
    }

    /// Which of eight blocks of a strip an outline may touch, one bit each; it may name one that it just misses.
    #[inline(always)]
    pub(crate) fn touched<L: Lanes>(&self, strip: usize, eight: usize, outline: &Outline) -> u8 {
        let [a, b] = [outline.ends[0], outline.ends[1]];
        let slack = outline.radius + 1e-5 * (1.0 + a.abs().max_element() + b.abs().max_element());
        let (slack, minus) = (L::splat(slack), L::splat(-slack));
        let (a, b) = ([L::splat(a.x), L::splat(a.y)], [L::splat(b.x), L::splat(b.y)]);
        let wedge = &self.wedges[strip * self.blocks.div_ceil(LANES) + eight];
        let first = [L::load(&wedge[0]), L::load(&wedge[1])];
        let middle = [L::load(&wedge[2]), L::load(&wedge[3])];
        let last = [L::load(&wedge[4]), L::load(&wedge[5])];
        // Neither wholly left of the first direction, nor wholly right of the last one, nor wholly behind.
        let not_left = cross(first, a).min(cross(first, b)).le(slack);
        let not_right = minus.le(cross(last, a).max(cross(last, b)));
        let not_behind = minus.le(dot(middle, a).max(dot(middle, b)));
        let there = (self.blocks - eight * LANES).min(LANES);
        not_left.and(not_right).and(not_behind).bits() & (0xff >> (LANES - there))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_geometry::lanes::Plain;

    const PINHOLE: Camera = Camera {
        projection: Projection::Pinhole,
        columns: 256,
        rows: 48,
        eye: 1.7,
        view: 2.617_993_9,
        top: 0.0,
        bottom: 1.396_263_4,
    };

    #[track_caller]
    fn check(value: f32, expected: f32) {
        assert!((value - expected).abs() < 1e-4 * expected.abs().max(0.01), "{value}, expected {expected}");
    }

    /// Columns every 150/256 degrees, rows every 80/48 degrees, the first ones half a step inside.
    #[test]
    fn even_pixels_are_equal_steps() {
        let rays = Rays::new(Camera::default());
        for (column, degrees) in [(0, 74.70703f32), (127, 0.292969), (128, -0.292969), (255, -74.70703)] {
            let d = rays.direction(column, 17);
            check(d.to_angle().to_degrees(), degrees);
            check(d.length(), 1.0);
        }
        for (row, tangent) in [(0, 0.0145451), (24, 0.864193), (47, 5.22566)] {
            check(rays.slope(3, row), tangent);
        }
    }

    /// The middle of the image looks 40 degrees down, the upper edge is the horizon, where the view is 141.5 degrees wide.
    #[test]
    fn pinhole_pixels_are_those_of_a_flat_image() {
        let rays = Rays::new(Camera { columns: 255, rows: 47, ..PINHOLE });
        check(rays.slope(127, 23), 0.8390996); // tan 40 degrees
        assert_eq!(rays.direction(127, 23), Vec2::X);
        let wide = Rays::new(Camera { columns: 100_000, rows: 1000, ..PINHOLE });
        let degrees = 2.0 * wide.direction(0, 0).to_angle().to_degrees();
        assert!((degrees - 141.5).abs() < 0.1, "{degrees} degrees at the horizon");
        assert!(wide.slope(50_000, 0) > 0.0 && wide.slope(50_000, 0) < 2e-3, "{}", wide.slope(50_000, 0));
    }

    /// With the upper edge 10 degrees above the horizon, upper rows look up.
    #[test]
    fn slopes_above_the_horizon_are_negative() {
        for projection in [Projection::Even, Projection::Pinhole] {
            let camera = Camera { projection, top: -10f32.to_radians(), ..PINHOLE };
            let rays = Rays::new(camera);
            assert!(rays.slope(128, 0) < -0.15 && rays.slope(128, 47) > 4.0, "{projection:?}: {}", rays.slope(128, 0));
        }
    }

    /// A pixel whose ray meets the disc or the segment lies in a block that is named, and its row among those of its slope.
    #[test]
    fn what_touches_is_named() {
        for camera in [Camera::default(), PINHOLE, Camera { columns: 20, rows: 5, ..PINHOLE }] {
            let rays = Rays::new(camera);
            let radius = 0.4;
            for (x, y) in [(3.0, 1.0), (0.3, -0.1), (-0.2, 0.3), (-5.0, 0.1), (1.0, -4.0), (30.0, 20.0)] {
                let at = Vec2::new(x, y);
                let outline = Outline { ends: [at; 2], radius, slopes: [0.3, 1.1] };
                let rows = rays.rows_between::<Plain>(outline.slopes);
                for (column, row) in (0..camera.columns).flat_map(|c| (0..camera.rows).map(move |r| (c, r))) {
                    let d = rays.direction(column, row);
                    let meets = d.perp_dot(at).abs() < radius && (d.dot(at) > 0.0 || at.length() < radius);
                    let (strip, block) = (row as usize / rays.strip(), column as usize / LANES);
                    let named = rays.touched::<Plain>(strip, block / LANES, &outline) >> (block % LANES) & 1 == 1;
                    assert!(named || !meets, "{at}: pixel {column}, {row} is not named");
                    let within = (0.3..=1.1).contains(&rays.slope(column, row));
                    assert!(rows.contains(&(row as usize)) || !within, "row {row} is not in {rows:?}");
                }
            }
        }
        let rays = Rays::new(Camera::default());
        let far = Outline { ends: [Vec2::new(10.0, 0.2); 2], radius: 0.5, slopes: [0.0, 0.1] };
        let named: u32 = (0..4).map(|eight| rays.touched::<Plain>(0, eight, &far).count_ones()).sum();
        assert!(named <= 3, "{named} blocks for something 6 degrees wide");
        assert_eq!(rays.rows_between::<Plain>([0.0, 0.1]), 0..3);
        assert!(rays.rows_between::<Plain>([7.0, 9.0]).is_empty());
    }
}
