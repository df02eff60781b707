//! The left half of the body as one open surface: tubes of rings, joined where limbs leave the trunk.
//!
//! Points of the middle plane have y = 0 exactly, so that the mirrored half joins without a gap. Which points there are, and how
//! they are joined, does not depend on the shape.

use super::ring::Ring;
use super::skin;
use super::tables::{self, AROUND, COLUMNS, HEM_ROW};
use crate::mesh::{Carried, Shape, Slot};
use passerby_geometry::Vec3;
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// Points, what carries each, and triangles that turn counter-clockwise seen from outside.
#[derive(Debug, Default)]
pub struct Half {
    /// Where each point is at rest, for a stature of 1.
    pub points: Vec<Vec3>,
    /// Which joints carry it.
    pub carried: Vec<Carried>,
    /// Corners, and what covers the triangle.
    pub triangles: Vec<([u32; 3], Slot)>,
}

/// The left half, with hems that stand off.
pub fn half(shape: Shape) -> Half {
    let mut half = Half::default();
    let trunk = half.trunk(shape);
    half.arm(&trunk, shape);
    half.leg(&trunk, shape);
    half
}

/// The left half with hems that lie flat: what is collapsed must not run back on itself.
pub fn without_folds(shape: Shape) -> Half {
    let mut half = half(shape);
    let [below, hem, above] = [HEM_ROW - 1, HEM_ROW, HEM_ROW + 1].map(|row| row * (COLUMNS + 1));
    for column in 0..=COLUMNS {
        half.points[hem + column] = half.points[below + column].midpoint(half.points[above + column]);
    }
    half
}

impl Half {
    /// Adds a point.
    pub fn point(&mut self, at: Vec3, carried: Carried) -> u32 {
        self.points.push(at);
        self.carried.push(carried);
        (self.points.len() - 1) as u32
    }

    /// Adds two triangles.
    pub fn quad(&mut self, [a, b, c, d]: [u32; 4], slot: Slot) {
        self.triangles.extend([([a, b, c], slot), ([a, c, d], slot)]);
    }

    /// Joins a loop to the next one; both turn counter-clockwise seen from the end of the tube.
    pub fn join(&mut self, from: &[u32], to: &[u32], slot: Slot) {
        for i in 0..from.len() {
            let next = (i + 1) % from.len();
            self.quad([from[i], from[next], to[next], to[i]], slot);
        }
    }

    /// Closes a tube with its last point.
    pub fn close(&mut self, from: &[u32], end: u32, slot: Slot) {
        for i in 0..from.len() {
            self.triangles.push(([from[i], from[(i + 1) % from.len()], end], slot));
        }
    }

    /// Trunk, neck and head; its points, row by row from the legs to the crown.
    fn trunk(&mut self, shape: Shape) -> Vec<Vec<u32>> {
        let mut rows = Vec::new();
        for row in 0..tables::TRUNK_ROWS {
            let ring = tables::trunk(row, shape);
            let points = (0..=COLUMNS).map(|column| {
                let mut at = ring.at(PI * column as f32 / COLUMNS as f32) + feature(row, column, shape);
                if column == 0 || column == COLUMNS {
                    at.y = 0.0;
                }
                self.point(at, skin::trunk(at))
            });
            rows.push(points.collect::<Vec<u32>>());
        }
        let ([first, last], [low, high]) = (tables::ARM_COLUMNS, tables::ARM_ROWS);
        for row in 0..tables::TRUNK_ROWS - 1 {
            for column in 0..COLUMNS {
                if (low..high).contains(&row) && (first..last).contains(&column) {
                    continue; // here the arm begins
                }
                let (below, above) = (&rows[row], &rows[row + 1]);
                let corners = [below[column], below[column + 1], above[column + 1], above[column]];
                self.quad(corners, tables::trunk_slot(row, column));
            }
        }
        let crown = self.point(Vec3::Z, skin::trunk(Vec3::Z));
        let last = &rows[tables::TRUNK_ROWS - 1];
        self.triangles.extend((0..COLUMNS).map(|column| ([last[column], last[column + 1], crown], Slot::Hair)));
        rows
    }

    /// The points of a ring around a limb, clockwise from above as its tube ends below; the sixth last is the outermost.
    fn around(&mut self, ring: &Ring, carried: impl Fn(Vec3) -> Carried) -> Vec<u32> {
        let angle = |i: usize| FRAC_PI_2 + (i as f32 - 5.0) * TAU / AROUND as f32;
        (0..AROUND)
            .rev()
            .map(|i| {
                let mut at = ring.at(angle(i));
                at.z = at.z.max(0.0); // soles are flat
                self.point(at, carried(at))
            })
            .collect()
    }

    /// Arm and hand, from the hole in the trunk.
    fn arm(&mut self, trunk: &[Vec<u32>], shape: Shape) {
        let ([first, last], [low, high]) = (tables::ARM_COLUMNS, tables::ARM_ROWS);
        let mut hole: Vec<u32> = (low..=high).map(|row| trunk[row][first]).collect(); // up in front
        hole.extend((first + 1..last).map(|column| trunk[high][column])); // back over the shoulder
        hole.extend((low..=high).rev().map(|row| trunk[row][last])); // down behind
        hole.extend((first + 1..last).rev().map(|column| trunk[low][column])); // forward through the armpit
        hole.reverse();
        let mut rings = vec![hole];
        for index in 0..tables::ARM_RINGS {
            let (ring, own) = tables::arm(index, shape);
            let ring = self.around(&ring, |at| skin::arm(at, own));
            rings.push(ring);
        }
        // Points 12 and 11 of a ring are its front, inside and outside: between them the thumb leaves the hand.
        let thumb = tables::THUMB_ROW + 1;
        for gap in 0..tables::ARM_RINGS {
            let (from, to) = (&rings[gap], &rings[gap + 1]);
            for i in 0..AROUND {
                let next = (i + 1) % AROUND;
                if !(i == 11 && (thumb..thumb + 2).contains(&gap)) {
                    self.quad([from[i], from[next], to[next], to[i]], tables::arm_slot(gap));
                }
            }
        }
        let tip = Vec3::from(tables::ARM_END);
        let tip = self.point(tip, skin::arm(tip, 1.0));
        self.close(&rings[tables::ARM_RINGS], tip, Slot::Skin);
        let [upper, middle, lower] = [&rings[thumb], &rings[thumb + 1], &rings[thumb + 2]];
        let hole = [lower[12], lower[11], middle[11], upper[11], upper[12], middle[12]];
        self.thumb(hole);
    }

    fn thumb(&mut self, hole: [u32; 6]) {
        let up = Vec3::new(0.85, 0.0, 0.5); // across the thumb, which points forward and down
        let mut from = hole.to_vec();
        for (middle, half) in tables::THUMB {
            let ring: Vec<u32> = (0..6)
                .map(|i| {
                    let turned = Ring {
                        middle: middle.into(),
                        front: half * Vec3::Y,
                        back: -half * Vec3::Y,
                        outer: half * up,
                        inner: -half * up,
                        power: 1.0,
                    };
                    let at = turned.at((i as f32 - 2.0) * TAU / 6.0);
                    self.point(at, skin::thumb())
                })
                .collect();
            self.join(&from, &ring, Slot::Skin);
            from = ring;
        }
        let tip = self.point(tables::THUMB_END.into(), skin::thumb());
        self.close(&from, tip, Slot::Skin);
    }

    /// Leg and foot, from the lower end of the trunk.
    fn leg(&mut self, trunk: &[Vec<u32>], shape: Shape) {
        let mut from = trunk[0].clone();
        for [x, z] in tables::CROTCH {
            let at = Vec3::new(x, 0.0, z);
            from.push(self.point(at, skin::leg(at)));
        }
        from.reverse();
        for index in 0..tables::LEG_RINGS {
            let ring = tables::leg(index, shape);
            let ankle = index > tables::HEM;
            let ring = self.around(&ring, |at| if ankle { skin::foot(at) } else { skin::leg(at) });
            self.join(&from, &ring, tables::leg_slot(index));
            from = ring;
        }
        for index in 0..tables::FOOT_RINGS {
            let ring = self.around(&tables::foot(index, shape), skin::foot);
            self.join(&from, &ring, Slot::Shoes);
            from = ring;
        }
        let tip = Vec3::from(tables::FOOT_END);
        let tip = self.point(tip, skin::foot(tip));
        self.close(&from, tip, Slot::Shoes);
    }
}

/// What rings cannot say: nose, eyes, ears, the thickness of hair.
fn feature(row: usize, column: usize, shape: Shape) -> Vec3 {
    let slot = |row: usize, column: usize| tables::trunk_slot(row, column.min(COLUMNS - 1));
    let inside = |wanted: Slot| {
        let left = column.saturating_sub(1);
        row > 0
            && [(row, column), (row, left), (row - 1, column), (row - 1, left)]
                .iter()
                .all(|at| slot(at.0, at.1) == wanted)
    };
    let angle = PI * column as f32 / COLUMNS as f32;
    let outward = Ring::slice([0.0; 3], [1.0; 3], 1.0).at(angle);
    let hair = match row {
        25.. => 0.003,
        _ if inside(Slot::Hair) => 0.006,
        _ if (14..22).contains(&row) && column > 5 => 0.014 * shape.female,
        _ => 0.0,
    };
    let face = match (row, column) {
        (18, 0 | 1) => Vec3::new(-0.0015, 0.0, 0.0),
        (19, 0) => Vec3::new(0.0020, 0.0, 0.0),
        (20, 0) => Vec3::new(0.0135, 0.0, 0.001), // the tip of the nose
        (20, 1) => Vec3::new(0.0025, -0.003, 0.0),
        (21, 0) => Vec3::new(0.0060, 0.0, 0.0),
        (22, 0) => Vec3::new(0.0035, 0.0, 0.0),
        (21 | 22, 1) => Vec3::new(-0.0030, -0.002, 0.0),
        (21 | 22, 2) => Vec3::new(-0.0025, -0.001, 0.0),
        (23, 1 | 2) => Vec3::new(0.0010, 0.0, 0.0),
        (20, 5) => Vec3::new(-0.004, 0.003, 0.0), // the ear
        (21 | 22, 5) => Vec3::new(-0.006, 0.007, 0.0),
        _ => Vec3::ZERO,
    };
    // A bust is fullest beside the middle.
    let bust =
        if (7..10).contains(&row) { [-0.005, 0.002, 0.003, 0.0].get(column).copied().unwrap_or(0.0) } else { 0.0 };
    face + outward * hair + Vec3::X * bust * shape.female
}
