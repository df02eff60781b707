//! The slow way to the same image: one ray after the other against every surface, in `f64`, by the textbook. For tests and the bench only.
//!
//! Whoever includes this file has `Camera`, `Projection`, `Cone`, `Wall`, `Surface` and `Vec2` in the module above.

use super::{Camera, Cone, Projection, Surface, Vec2, Wall};
use passerby_geometry::math::double::{atan2, cos, sin, tan};

/// Where a ray ends: what, and how far away horizontally.
pub type Hit = Option<(Surface, f64)>;

/// What is around one walker.
pub struct Scene<'a> {
    /// Unit vector.
    pub heading: Vec2,
    /// Walls, from the walker.
    pub walls: &'a [Wall],
    /// Cones, from the walker.
    pub cones: &'a [Cone],
}

/// How a pixel of a fast image compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The same surface at the same distance.
    Same,
    /// Another surface or distance, as a ray beside it would see, or one equally far away.
    Rounding,
    /// Neither.
    Wrong,
}

/// The azimuth, left positive, and the slope of a pixel's middle.
pub fn angles(camera: &Camera, column: u32, row: u32) -> (f64, f64) {
    let share = (f64::from(column) + 0.5) / f64::from(camera.columns);
    let down = (f64::from(row) + 0.5) / f64::from(camera.rows);
    let (view, top, bottom) = (f64::from(camera.view), f64::from(camera.top), f64::from(camera.bottom));
    if camera.projection == Projection::Even {
        return (view * (0.5 - share), tan(top + (bottom - top) * down));
    }
    // On a screen 1 m before the eye, then tilted about the axis to the left.
    let left = tan(0.5 * view) * (1.0 - 2.0 * share);
    let up = tan(0.5 * (bottom - top)) * (1.0 - 2.0 * down);
    let tilt = 0.5 * (top + bottom);
    let (ahead, height) = (cos(tilt) + up * sin(tilt), up * cos(tilt) - sin(tilt));
    (atan2(left, ahead), -height / (ahead * ahead + left * left).sqrt())
}

/// What a ray meets first. Equal distances: what comes first, walls before cones.
pub fn cast(scene: &Scene<'_>, eye: f64, (azimuth, slope): (f64, f64)) -> Hit {
    let azimuth = azimuth + atan2(f64::from(scene.heading.y), f64::from(scene.heading.x));
    let ray = [cos(azimuth), sin(azimuth), -slope];
    let walls = scene.walls.iter().enumerate().map(|(i, wall)| (Surface::Wall(i as u32), meet_wall(wall, eye, ray)));
    let cones = scene.cones.iter().enumerate().map(|(i, cone)| (Surface::Cone(i as u32), meet_cone(cone, eye, ray)));
    let mut best: Hit = None;
    for (surface, distance) in walls.chain(cones) {
        // What is nearer than a centimetre counts as that far away.
        let Some(distance) = distance.map(|t: f64| t.max(0.01)) else { continue };
        if best.is_none_or(|(_, least)| distance < least) {
            best = Some((surface, distance));
        }
    }
    best
}

/// t ray = from + w (to - from) with 0 <= w <= 1, t >= 0.
fn meet_wall(wall: &Wall, eye: f64, [x, y, z]: [f64; 3]) -> Option<f64> {
    let (ax, ay) = (f64::from(wall.from.x), f64::from(wall.from.y));
    let (bx, by) = (f64::from(wall.to.x) - ax, f64::from(wall.to.y) - ay);
    let determinant = by * x - bx * y;
    if determinant == 0.0 {
        return None;
    }
    let (t, w) = ((ax * by - ay * bx) / determinant, (ax * y - ay * x) / determinant);
    let height = eye + t * z;
    let met = t >= 0.0 && (0.0..=1.0).contains(&w) && (0.0..=f64::from(wall.height)).contains(&height);
    met.then_some(t)
}

/// The first of both roots of |p - axis|^2 = (radius at its height)^2 that is ahead, above the ground and below the top.
fn meet_cone(cone: &Cone, eye: f64, [x, y, z]: [f64; 3]) -> Option<f64> {
    let (cx, cy) = (f64::from(cone.offset.x), f64::from(cone.offset.y));
    let (radius, height) = (f64::from(cone.radius), f64::from(cone.height));
    let k = radius / height;
    // An eye inside, or less than a centimetre outside, sees the half of everything that is towards the axis.
    if height >= eye && (cx * cx + cy * cy).sqrt() < k * (height - eye) + 0.01 {
        return (x * cx + y * cy > 0.0 || (cx, cy) == (0.0, 0.0)).then_some(0.01);
    }
    let (a, half_b) = (x * x + y * y - k * k * z * z, -x * cx - y * cy - k * k * (eye - height) * z);
    let c = cx * cx + cy * cy - k * k * (eye - height) * (eye - height);
    let square = half_b * half_b - a * c;
    if square < 0.0 {
        return None;
    }
    // The root without cancellation, and the other one from their product.
    let sum = -half_b - square.sqrt() * half_b.signum();
    let roots = [sum / a, c / sum];
    let ahead = roots.into_iter().filter(|t| *t > 0.0 && (0.0..=height).contains(&(eye + t * z)));
    ahead.min_by(f64::total_cmp)
}

/// Compares a pixel of a fast image with the ray through its middle.
///
/// `width` is by how much `f32` may miss a direction, rad; two surfaces whose distances differ by less than that share are equally far away.
pub fn judge(scene: &Scene<'_>, camera: &Camera, (column, row): (u32, u32), found: Hit, width: f64) -> Verdict {
    let (azimuth, slope) = angles(camera, column, row);
    let eye = f64::from(camera.eye);
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 10.0 * width;
    let alike = |expected: Hit| match (expected, found) {
        (None, None) => true,
        (Some((a, s)), Some((b, t))) => a == b && close(s, t),
        _ => false,
    };
    let expected = cast(scene, eye, (azimuth, slope));
    if alike(expected) {
        return Verdict::Same;
    }
    if let (Some((_, s)), Some((_, t))) = (expected, found)
        && close(s, t)
    {
        return Verdict::Rounding;
    }
    // At the rim of a cone distances change fast: what lies between those of the rays beside is right too.
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    for (i, j) in (-2..=2).flat_map(|i| (-2..=2).map(move |j| (f64::from(i), f64::from(j)))) {
        let beside = cast(scene, eye, (azimuth + i * width, slope + j * width * (1.0 + slope * slope)));
        if alike(beside) {
            return Verdict::Rounding;
        }
        if let (Some((a, s)), Some((b, _))) = (beside, found)
            && a == b
        {
            (least, most) = (least.min(s), most.max(s));
        }
    }
    let between = found.is_some_and(|(_, t)| (least..=most).contains(&t));
    if between { Verdict::Rounding } else { Verdict::Wrong }
}
