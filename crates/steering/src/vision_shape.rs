//! The shapes that rays can meet: upright plates and cones on the ground.
//!
//! Where a ray meets one is told as u, one over the horizontal distance: nearer is larger, and 0 is never.

use crate::vision_camera::Outline;
use passerby_geometry::Vec2;
use passerby_geometry::lane_math::{cross, dot};
use passerby_geometry::lanes::Lanes;

/// No surface is nearer to the eye than this, m.
pub(crate) const NEAREST: f32 = 0.01;

/// Length of a vector, to the same bits as that of `Vec2`, which takes its root by an SSE instruction: in the midst of AVX2 code each cost
/// 70 ns (bench `vision`).
#[inline(always)]
fn length(v: Vec2) -> f32 {
    v.length_squared().sqrt()
}

/// Something that rays can meet.
pub(crate) trait Shape {
    /// Whether it is equally far away in all rows of a column.
    const FLAT: bool;
    /// What is known of it in the directions of a block.
    type Cut<L: Lanes>;

    /// Where it can be seen from an eye at this height.
    fn outline(&self, eye: f32) -> Outline;
    /// How far it stands out above the eye, m.
    fn above(&self) -> f32;
    /// At least one over its distance.
    fn nearest(&self) -> f32;
    /// At least one over its distance on rays of these slopes.
    fn bound<L: Lanes>(&self, slope: L) -> L;
    /// Where rays of these slopes may meet it.
    fn meets<L: Lanes>(&self, cut: &Self::Cut<L>, slope: L) -> L;
    /// Cuts it by the vertical planes through eight directions.
    fn cut<L: Lanes>(&self, direction: [L; 2]) -> Self::Cut<L>;
    /// One over the distance at which rays of these slopes meet it, as if it had no top and no ground below it; at most 0: never.
    fn inverse<L: Lanes>(&self, cut: &Self::Cut<L>, slope: L) -> L;
}

/// A wall: an upright plane between two ends.
pub(crate) struct Plate {
    ends: [Vec2; 2],
    /// Unit vector towards its plane, times one over the distance.
    towards: Vec2,
    /// One over the distance of its nearest point, or a little more.
    nearest: f32,
    /// Distance of its farther end, m.
    farthest: f32,
    above: f32,
}

impl Plate {
    /// `None` without any length.
    #[inline(always)]
    pub fn of_wall(a: Vec2, b: Vec2, above: f32) -> Option<Self> {
        let along = b - a;
        let long = length(along);
        if long < 1e-6 {
            return None;
        }
        let normal = along.perp() / long;
        // From the nearer end: the product is then least of all spoilt by rounding.
        let nearer = if a.length_squared() < b.length_squared() { a } else { b };
        let plane = normal.dot(nearer);
        let towards = if plane < 0.0 { -normal } else { normal };
        let foot = a + along * (-a.dot(along) / (long * long)).clamp(0.0, 1.0);
        let nearest = (1.0001 / length(foot).max(1e-6)).min(1.0 / NEAREST);
        let farthest = length(a).max(length(b));
        Some(Self { ends: [a, b], towards: towards / plane.abs().max(1e-6), nearest, farthest, above })
    }

    /// Across the direction of something around the eye.
    #[inline(always)]
    pub fn through_eye(at: Vec2, above: f32) -> Self {
        let distance = length(at);
        let normal = if distance > 1e-9 { at / distance } else { Vec2::X };
        let ends = [-normal.perp(), normal.perp()];
        Self { ends, towards: normal * 1e6, nearest: 1.0 / NEAREST, farthest: 1.0, above }
    }
}

impl Shape for Plate {
    const FLAT: bool = true;
    type Cut<L: Lanes> = L;

    #[inline(always)]
    fn outline(&self, eye: f32) -> Outline {
        // The top of a low one is seen nearer to the horizon the farther it is.
        let least = if self.above >= 0.0 { -self.above * self.nearest } else { -0.9999 * self.above / self.farthest };
        Outline { ends: self.ends, radius: 0.0, slopes: [least, eye * self.nearest] }
    }
    #[inline(always)]
    fn above(&self) -> f32 {
        self.above
    }
    #[inline(always)]
    fn nearest(&self) -> f32 {
        self.nearest
    }
    #[inline(always)]
    fn cut<L: Lanes>(&self, d: [L; 2]) -> L {
        let [a, b] = [self.ends[0], self.ends[1]];
        let sides = cross(d, [L::splat(a.x), L::splat(a.y)]) * cross(d, [L::splat(b.x), L::splat(b.y)]);
        let u = dot(d, [L::splat(self.towards.x), L::splat(self.towards.y)]);
        sides.le(L::splat(0.0)).and(u.min(L::splat(1.0 / NEAREST)))
    }
    #[inline(always)]
    fn bound<L: Lanes>(&self, _: L) -> L {
        L::splat(self.nearest())
    }
    #[inline(always)]
    fn meets<L: Lanes>(&self, cut: &L, _: L) -> L {
        L::splat(0.0).lt(*cut)
    }
    #[inline(always)]
    fn inverse<L: Lanes>(&self, cut: &L, _: L) -> L {
        *cut
    }
}

/// How a cone lies to the eye.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// The eye is above ground that is not the cone's, and below its top.
    Apart,
    /// The eye is above its base or above its top.
    Close,
    /// The eye is in it.
    Around,
}

/// A cone.
///
/// With k = radius / height and h = height - eye, a ray in the direction d with slope s meets it where |d/u - at| = k (h + s/u). In p = d.at and
/// q = d x at this is C u^2 - 2 B u + A = 0 with A = 1 - k^2 s^2, B = p + k^2 h s and C = |at|^2 - k^2 h^2; B^2 - A C = k^2 (h + s p)^2 - A q^2, the
/// second form being the one that loses no digits far away. The nearer root is (B + root)/C.
pub(crate) struct Body {
    pub at: Vec2,
    pub above: f32,
    radius: f32,
    distance: f32,
    /// k and k h.
    narrowing: f32,
    radius_at_eye: f32,
    /// 1/C.
    inverse: f32,
    nearest: f32,
    /// 1/(D - k h).
    towards_axis: f32,
    pub kind: Kind,
}

impl Body {
    #[inline(always)]
    pub fn new(at: Vec2, radius: f32, height: f32, eye: f32) -> Self {
        let (above, distance, narrowing) = (height - eye, length(at), radius / height);
        let radius_at_eye = narrowing * above;
        let kind = match () {
            () if above >= 0.0 && distance < radius_at_eye + NEAREST => Kind::Around,
            () if above < 0.0 || distance < radius + 2.0 * NEAREST => Kind::Close,
            () => Kind::Apart,
        };
        // C as a product: its two parts are near each other close to the cone's mantle.
        let c = (distance - radius_at_eye) * (distance + radius_at_eye);
        let inverse = 1.0 / if c.abs() < 1e-9 { 1e-9 } else { c };
        let nearest = (1.0001 / (distance - radius).max(1e-6)).min(1.0 / NEAREST);
        let towards_axis = 1.0 / (distance - radius_at_eye).max(1e-6);
        Self { towards_axis, at, above, radius, distance, narrowing, radius_at_eye, inverse, nearest, kind }
    }

    #[inline(always)]
    fn root<L: Lanes>(&self, cut: &Planes<L>, slope: L) -> (L, L, L) {
        let ks = L::splat(self.narrowing) * slope;
        let (kh, q) = (L::splat(self.radius_at_eye), ks * cut.across);
        let w = kh + ks * cut.ahead;
        // k^2 (h + s p)^2 - q^2 + (k s q)^2
        let square = w * w - cut.across * cut.across + q * q;
        (cut.ahead + kh * ks, square, ks)
    }
}

/// Eight vertical planes through the eye: where a cone's axis is along them, p, and across them, q.
pub(crate) struct Planes<L> {
    ahead: L,
    across: L,
}

impl Shape for Body {
    const FLAT: bool = false;
    type Cut<L: Lanes> = Planes<L>;

    #[inline(always)]
    fn outline(&self, eye: f32) -> Outline {
        let least = match self.above >= 0.0 {
            true => -self.above * self.nearest,
            false => -0.9999 * self.above / (self.distance + self.radius),
        };
        let greatest = if self.distance < self.radius + 2.0 * NEAREST { f32::INFINITY } else { eye * self.nearest };
        Outline { ends: [self.at; 2], radius: self.radius, slopes: [least, greatest] }
    }
    #[inline(always)]
    fn above(&self) -> f32 {
        self.above
    }
    #[inline(always)]
    fn nearest(&self) -> f32 {
        self.nearest
    }
    #[inline(always)]
    fn cut<L: Lanes>(&self, d: [L; 2]) -> Planes<L> {
        let at = [L::splat(self.at.x), L::splat(self.at.y)];
        Planes { ahead: dot(d, at), across: cross(d, at) }
    }
    #[inline(always)]
    fn bound<L: Lanes>(&self, slope: L) -> L {
        // Straight towards the axis: D - t = k (h + s t).
        (L::splat(1.0001) + L::splat(1.0001 * self.narrowing) * slope) * L::splat(self.towards_axis)
    }
    #[inline(always)]
    fn meets<L: Lanes>(&self, cut: &Planes<L>, slope: L) -> L {
        L::splat(0.0).le(self.root(cut, slope).1)
    }
    #[inline(always)]
    fn inverse<L: Lanes>(&self, cut: &Planes<L>, slope: L) -> L {
        let (b, square, _) = self.root(cut, slope);
        let zero = L::splat(0.0);
        zero.le(square).and((b + square.max(zero).sqrt()) * L::splat(self.inverse))
    }
}

/// A cone so close that B may be negative: the other form of the root, A/(B - root), loses no digits then.
pub(crate) struct Close(pub Body);

impl Shape for Close {
    const FLAT: bool = false;
    type Cut<L: Lanes> = Planes<L>;

    #[inline(always)]
    fn outline(&self, eye: f32) -> Outline {
        self.0.outline(eye)
    }
    #[inline(always)]
    fn above(&self) -> f32 {
        self.0.above
    }
    #[inline(always)]
    fn nearest(&self) -> f32 {
        1.0 / NEAREST
    }
    #[inline(always)]
    fn cut<L: Lanes>(&self, d: [L; 2]) -> Planes<L> {
        self.0.cut(d)
    }
    #[inline(always)]
    fn bound<L: Lanes>(&self, _: L) -> L {
        L::splat(self.nearest())
    }
    #[inline(always)]
    fn meets<L: Lanes>(&self, cut: &Planes<L>, slope: L) -> L {
        self.0.meets(cut, slope)
    }
    #[inline(always)]
    fn inverse<L: Lanes>(&self, cut: &Planes<L>, slope: L) -> L {
        let (b, square, ks) = self.0.root(cut, slope);
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let root = square.max(zero).sqrt();
        let back = b.lt(zero);
        let behind = (one - ks) * (one + ks) / back.select(b - root, one);
        let u = back.select(behind, (b + root) * L::splat(self.0.inverse));
        zero.le(square).and(u.max(zero).min(L::splat(1.0 / NEAREST)))
    }
}
