//! What a walker sees: for every pixel the nearest surface.
//!
//! Ondřej et al. 2010, section 4, "Simplified Geometries": walkers are cones of 1.8 m height and 0.5 m base radius, walls stand upright on
//! the ground. The nearest surface of a pixel wins, so who is hidden does not count, and heads show above shoulders.
//!
//! On a ray that goes down by `s` for each metre ahead, everything is found as u, one over the horizontal distance: nearer is larger, and
//! nothing is 0. Both kinds of surface end at the ground and at their top by the same two rules, eye u >= s and s + (height - eye) u >= 0.
//!
//! Anything nearer than 1 cm counts as that far away. An eye inside a cone sees it as a wall through the eye, across the direction of
//! the cone's centre: the half of the view towards the centre is full, the other is free.

use crate::vision_camera::Rays;
use crate::vision_shape::{Body, Close, Kind, Plate, Shape};
use passerby_geometry::Vec2;
#[cfg(target_arch = "x86_64")]
use passerby_geometry::lanes::{Avx2, Sse2};
use passerby_geometry::lanes::{LANES, Lanes, Plain, Registers, Width};
use std::ops::Range;

/// Somebody: a cone that stands on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    /// From the walker to its axis, in the world's frame.
    pub offset: Vec2,
    /// m/s, in the world's frame.
    pub velocity: Vec2,
    /// Of its base, m.
    pub radius: f32,
    /// m.
    pub height: f32,
}

/// A wall, or a side of something that moves: an upright rectangle on the ground. It is seen from both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// From the walker to its one end, in the world's frame.
    pub from: Vec2,
    /// From the walker to its other end.
    pub to: Vec2,
    /// m/s, in the world's frame.
    pub velocity: Vec2,
    /// m.
    pub height: f32,
}

/// A surface, by its place in the list it was given in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// Of the walls.
    Wall(u32),
    /// Of the cones.
    Cone(u32),
}

/// A pixel in which there is something.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pixel {
    /// What.
    pub surface: Surface,
    /// Horizontal distance, m.
    pub distance: f32,
}

/// Some rows of a block in which a surface was drawn; later ones may have covered it there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    /// Walls first, then cones.
    pub number: u32,
    /// The block, counted on through the strips.
    pub place: u32,
    /// Where its rows are among the tiles.
    pub tiles: [u32; 2],
}

/// Eight pixels of a row: one over the distance, and the number of the surface plus one as bits. All 0: nothing.
pub(crate) type Tile = [[f32; LANES]; 2];

/// The view of a walker; its buffers are used again for the next one.
#[derive(Debug, Clone)]
pub struct Image {
    width: Width,
    /// Rows of a block after each other.
    tiles: Vec<Tile>,
    /// For each block of each strip: one over the distance of the nearest wall that is as high as `screen_above`.
    screen: Vec<[f32; LANES]>,
    /// What walls have to stand out above the eye to be on the screen, m.
    screen_above: f32,
    spans: Vec<Span>,
    /// Of walls, then of cones, in the walker's frame.
    velocities: Vec<Vec2>,
}

/// A view that has been drawn.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub(crate) rays: &'a Rays,
    pub(crate) image: &'a Image,
    pub(crate) heading: Vec2,
    walls: u32,
}

impl Image {
    /// An empty one. The width changes the time, never the image.
    pub fn new(width: Width) -> Self {
        let (tiles, screen, spans, velocities) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { width, tiles, screen, screen_above: 0.0, spans, velocities }
    }

    /// Which lanes to use from now on.
    pub(crate) fn set_width(&mut self, width: Width) {
        self.width = width;
    }

    /// Draws what somebody sees who looks along `heading`, a unit vector.
    ///
    /// Of surfaces equally far away the first one shows, walls before cones. The image does not otherwise depend on their order, but
    /// the time does: it is least if the nearest come first.
    pub fn look<'a>(&'a mut self, rays: &'a Rays, heading: Vec2, walls: &[Wall], cones: &[Cone]) -> Seen<'a> {
        self.clear(rays);
        match self.width.registers() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Width` only holds what the processor has.
            #[allow(unsafe_code)]
            Registers::Avx2 => unsafe { self.draw_avx2(rays, heading, walls, cones) },
            #[cfg(target_arch = "x86_64")]
            Registers::Sse2 => self.draw_all::<Sse2>(rays, heading, walls, cones),
            _ => self.draw_all::<Plain>(rays, heading, walls, cones),
        }
        Seen { rays, image: self, heading, walls: walls.len() as u32 }
    }

    fn clear(&mut self, rays: &Rays) {
        let (blocks, rows) = (rays.blocks(), rays.camera().rows as usize);
        self.tiles.clear();
        self.tiles.resize(blocks * rows, [[0.0; LANES]; 2]);
        self.screen.clear();
        self.screen.resize(blocks * (rows / rays.strip()), [0.0; LANES]);
        self.screen_above = f32::INFINITY;
        (self.spans.clear(), self.velocities.clear());
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn draw_avx2(&mut self, rays: &Rays, heading: Vec2, walls: &[Wall], cones: &[Cone]) {
        self.draw_all::<Avx2>(rays, heading, walls, cones);
    }

    #[inline(always)]
    fn draw_all<L: Lanes>(&mut self, rays: &Rays, heading: Vec2, walls: &[Wall], cones: &[Cone]) {
        let eye = rays.camera().eye;
        for wall in walls {
            if let Some(plate) = Plate::of_wall(turned(heading, wall.from), turned(heading, wall.to), wall.height - eye)
            {
                self.draw::<L, Plate>(rays, &plate);
            }
            self.velocities.push(turned(heading, wall.velocity));
        }
        for cone in cones {
            let body = Body::new(turned(heading, cone.offset), cone.radius, cone.height, eye);
            match body.kind {
                Kind::Apart => self.draw::<L, Body>(rays, &body),
                Kind::Close => self.draw::<L, Close>(rays, &Close(body)),
                Kind::Around => self.draw::<L, Plate>(rays, &Plate::through_eye(body.at, body.above)),
            }
            self.velocities.push(turned(heading, cone.velocity));
        }
    }

    /// Draws one surface into the blocks and rows it may touch.
    #[inline(always)]
    fn draw<L: Lanes, S: Shape>(&mut self, rays: &Rays, shape: &S) {
        let outline = shape.outline(rays.camera().eye);
        let rows = rays.rows_between::<L>(outline.slopes);
        let (strip, blocks) = (rays.strip(), rays.blocks());
        for number in rows.start / strip..rows.end.div_ceil(strip) {
            let within = rows.start.max(number * strip)..rows.end.min((number + 1) * strip);
            for eight in 0..blocks.div_ceil(LANES) {
                let mut touched = rays.touched::<L>(number, eight, &outline);
                while touched != 0 {
                    let block = eight * LANES + touched.trailing_zeros() as usize;
                    touched &= touched - 1;
                    self.draw_block::<L, S>(rays, shape, (number, block), within.clone());
                }
            }
        }
    }

    #[inline(always)]
    fn draw_block<L: Lanes, S: Shape>(
        &mut self,
        rays: &Rays,
        shape: &S,
        (strip, block): (usize, usize),
        rows: Range<usize>,
    ) {
        let place = strip * rays.blocks() + block;
        let bound = L::splat(shape.nearest());
        let screen = L::load(&self.screen[place]);
        if !screen.lt(bound).any() && shape.above() <= self.screen_above {
            return;
        }
        let [x, y] = rays.block_direction(place);
        let cut = shape.cut::<L>([L::load(x), L::load(y)]);
        if shape.above() >= 0.0 && S::FLAT {
            screen.max(shape.inverse::<L>(&cut, L::splat(0.0))).store(&mut self.screen[place]);
            self.screen_above = self.screen_above.min(shape.above());
        }
        let first = block * rays.camera().rows as usize;
        let slopes = rays.block_slopes(strip, block, rows.clone());
        let tiles = &mut self.tiles[first + rows.start..first + rows.end];
        // Below, rows in which all that is there already is nearer; above, also those that it is too narrow for.
        let (mut from, mut to) = (0, tiles.len());
        while from < to && !uncovered::<L, S>(shape, &tiles[to - 1], &slopes[to - 1]).any() {
            to -= 1;
        }
        while from < to {
            let open = uncovered::<L, S>(shape, &tiles[from], &slopes[from]);
            if open.and(shape.meets(&cut, L::load(&slopes[from]))).any() {
                break;
            }
            from += 1;
        }
        let (eye, above) = (L::splat(rays.camera().eye), L::splat(shape.above()));
        let (zero, number) = (L::splat(0.0), self.velocities.len() as u32);
        let name = L::splat_bits(number + 1);
        let mut drawn = zero;
        for (tile, slope) in tiles[from..to].iter_mut().zip(&slopes[from..to]) {
            let slope = L::load(slope);
            let u = shape.inverse(&cut, slope);
            // Above the ground, and below the top.
            let there = slope.le(eye * u).and(zero.le(slope + above * u));
            let (best, who) = (L::load(&tile[0]), L::load(&tile[1]));
            let nearer = there.and(best.lt(u));
            drawn = drawn.or(nearer);
            // No selection here: the compiler would make masked stores of it, which are slow.
            nearer.and(u).max(best).store(&mut tile[0]);
            nearer.and(name).or(nearer.not_and(who)).store(&mut tile[1]);
        }
        if drawn.any() {
            let tiles = [from, to].map(|row| (first + rows.start + row) as u32);
            self.spans.push(Span { number, place: place as u32, tiles });
        }
    }

    pub(crate) fn width(&self) -> Width {
        self.width
    }

    pub(crate) fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub(crate) fn velocities(&self) -> &[Vec2] {
        &self.velocities
    }
}

impl Seen<'_> {
    /// What is in a pixel.
    pub fn pixel(&self, column: u32, row: u32) -> Option<Pixel> {
        let (tile, lane) = self.place(column, row);
        let number = tile[1][lane].to_bits().checked_sub(1)?;
        let surface = number.checked_sub(self.walls).map_or(Surface::Wall(number), Surface::Cone);
        Some(Pixel { surface, distance: 1.0 / tile[0][lane] })
    }

    /// Velocity of what is in a pixel, in the walker's frame, and one over its distance.
    pub(crate) fn flow(&self, column: u32, row: u32) -> Option<(Vec2, f32)> {
        let (tile, lane) = self.place(column, row);
        let number = tile[1][lane].to_bits().checked_sub(1)?;
        Some((self.image.velocities[number as usize], tile[0][lane]))
    }

    fn place(&self, column: u32, row: u32) -> (&Tile, usize) {
        let camera = self.rays.camera();
        assert!(column < camera.columns && row < camera.rows, "no pixel {column}, {row} in {camera:?}");
        let block = column as usize / LANES;
        (&self.image.tiles[block * camera.rows as usize + row as usize], column as usize % LANES)
    }
}

/// Where in a tile a shape could be the nearest. No closure: it would not be compiled for the registers at hand.
#[inline(always)]
fn uncovered<L: Lanes, S: Shape>(shape: &S, tile: &Tile, slope: &[f32; LANES]) -> L {
    L::load(&tile[0]).lt(shape.bound(L::load(slope)))
}

/// A vector of the world in the frame of somebody who looks along `heading`.
pub(crate) fn turned(heading: Vec2, v: Vec2) -> Vec2 {
    Vec2::new(heading.dot(v), heading.perp_dot(v))
}

#[cfg(test)]
#[path = "vision_image_test.rs"]
mod tests;
