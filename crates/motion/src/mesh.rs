//! Surfaces that joints carry.

use crate::skeleton::JointId;
use passerby_geometry::Vec3;

/// What covers a piece of the body; each has a colour of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// Face, neck, hands.
    Skin,
    /// The head's cap.
    Hair,
    /// Both eyes.
    Eyes,
    /// The mouth.
    Lips,
    /// Sides and nape: hair of those who wear it long, skin of the others.
    LongHair,
    /// Trunk, shoulders and upper arms.
    Top,
    /// Forearms: the top's colour, or skin under short sleeves.
    Sleeves,
    /// Hips and thighs.
    Trousers,
    /// Below the knee: the trousers' colour, or skin under shorts and skirts.
    Legs,
    /// Feet.
    Shoes,
}

impl Slot {
    /// The piece of cloth, or skin and hair, it is part of: surfaces are smooth within, and creased where two meet.
    pub fn piece(self) -> usize {
        match self {
            Slot::Skin | Slot::Hair | Slot::Eyes | Slot::Lips | Slot::LongHair => 0,
            Slot::Top | Slot::Sleeves => 1,
            Slot::Trousers | Slot::Legs => 2,
            Slot::Shoes => 3,
        }
    }

    /// How many pieces there are.
    pub const PIECES: usize = 4;

    /// All of them.
    pub const ALL: [Slot; 10] = [
        Slot::Skin,
        Slot::Hair,
        Slot::Eyes,
        Slot::Lips,
        Slot::LongHair,
        Slot::Top,
        Slot::Sleeves,
        Slot::Trousers,
        Slot::Legs,
        Slot::Shoes,
    ];
}

/// How somebody differs from the middle of all bodies. Points move in proportion to both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// Girth: 1 is the middle, 0.85 slight, 1.3 heavy.
    pub build: f32,
    /// 0 for a man's figure, 1 for a woman's.
    pub female: f32,
}

impl Shape {
    /// The shape in which a mesh's positions are given.
    pub const MIDDLE: Shape = Shape { build: 1.0, female: 0.0 };
}

/// Joints that carry a point at most.
pub const CARRIERS: usize = 4;

/// Up to four joints and their shares, which sum to 1; largest first, unused ones are joint 0 with a share of 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// Which.
    pub joints: [JointId; CARRIERS],
    /// By how much.
    pub shares: [f32; CARRIERS],
}

/// A closed surface at rest. Row `i` of every column but the last is the same vertex.
///
/// Where two slots meet there are two vertices in one place, so that colours end sharply.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Where it is, for a stature of 1.
    pub positions: Vec<Vec3>,
    /// Which way is out, unit length.
    pub normals: Vec<Vec3>,
    /// How far it moves for one unit more of `Shape::build`.
    pub heavier: Vec<Vec3>,
    /// How far it moves from a man's to a woman's figure.
    pub female: Vec<Vec3>,
    /// What carries it.
    pub carried: Vec<Carried>,
    /// What it belongs to.
    pub slots: Vec<Slot>,
    /// Corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Where a vertex is at rest for somebody of this shape, for a stature of 1.
    pub fn shaped(&self, vertex: usize, shape: Shape) -> Vec3 {
        self.positions[vertex] + self.heavier[vertex] * (shape.build - 1.0) + self.female[vertex] * shape.female
    }
}

/// Normals of points, for each piece that meets there: the sum of its triangles around the point, weighted by their angle
/// there, so that they do not depend on how a surface is cut into triangles.
pub fn normals(points: &[Vec3], triangles: &[([u32; 3], Slot)]) -> Vec<[Vec3; Slot::PIECES]> {
    let mut sums = vec![[Vec3::ZERO; Slot::PIECES]; points.len()];
    for (triangle, slot) in triangles {
        let corners = triangle.map(|corner| points[corner as usize]);
        let out = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        for i in 0..3 {
            let [at, next, last] = [corners[i], corners[(i + 1) % 3], corners[(i + 2) % 3]];
            sums[triangle[i] as usize][slot.piece()] += out * (next - at).angle_between(last - at);
        }
    }
    sums.into_iter().map(|pieces| pieces.map(|sum| sum.normalize_or(Vec3::Z))).collect()
}
