//! The body from far away: a few rings of the tables with three or four corners each, as closed pieces that stand in one another.

use super::half::Half;
use super::ring::Ring;
use super::{skin, tables, whole};
use crate::mesh::{Carried, Shape, Slot};
use crate::walker::HIP_ASIDE;
use passerby_geometry::Vec3;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, TAU};

/// Corners cut off what lies between them; this much wider, a piece looks as wide as the ring it stands for.
const WIDER: f32 = 0.31;

/// Rows of the trunk and head between which there are sides.
const HIPS_ROW: usize = 0;
const HEM_ROW: usize = 4;
const SHOULDER_ROW: usize = 11;
const NECK_ROW: usize = 13;
const BROW_ROW: usize = 23;
/// Rings of the leg and the arm.
const THIGH_RING: usize = 0;
const KNEE_RING: usize = 5;
const SHOULDER_RING: usize = 1;

/// The whole body.
pub fn body(shape: Shape) -> Half {
    let mut half = Half::default();
    arm(&mut half, shape);
    leg(&mut half, shape);
    let mut body = whole(half);
    // The trunk reaches into the legs and the neck into the trunk: no gap opens when they turn.
    let rows = [(HIPS_ROW, -0.02), (HEM_ROW, 0.0), (SHOULDER_ROW, 0.0), (NECK_ROW, -0.04), (BROW_ROW, 0.0)];
    let [hips, hem, shoulders, neck, brow] =
        rows.map(|(row, up)| box_of(&mut body, &tables::trunk(row, shape).lifted(up)));
    body.join(&hips, &hem, Slot::Trousers);
    body.join(&hem, &shoulders, Slot::Top);
    lid(&mut body, hips, Slot::Trousers);
    lid(&mut body, reversed(shoulders), Slot::Top);
    let crown = body.point(Vec3::Z, skin::trunk(Vec3::Z));
    for (side, slot) in [Slot::Skin, Slot::Hair, Slot::Skin, Slot::Skin].into_iter().enumerate() {
        let next = (side + 1) % 4;
        body.quad([neck[side], neck[next], brow[next], brow[side]], slot);
    }
    body.close(&brow, crown, Slot::Hair);
    lid(&mut body, neck, Slot::Skin);
    body
}

/// Four corners around the trunk, counter-clockwise from above: left in front, left behind, and so on.
fn box_of(body: &mut Half, ring: &Ring) -> [u32; 4] {
    let ring = ring.widened(WIDER, WIDER, 0.8 * WIDER, 0.8 * WIDER);
    [0.0, 1.0, 2.0, 3.0].map(|quarter| {
        let at = ring.at(FRAC_PI_4 + quarter * FRAC_PI_2);
        let left = skin::trunk(Vec3::new(at.x, at.y.abs(), at.z));
        body.point(at, if at.y < 0.0 { skin::mirrored(&left) } else { left })
    })
}

fn reversed([a, b, c, d]: [u32; 4]) -> [u32; 4] {
    [d, c, b, a]
}

/// Closes the lower end of four sides.
fn lid(body: &mut Half, [a, b, c, d]: [u32; 4], slot: Slot) {
    body.quad([d, c, b, a], slot);
}

/// Three corners around a limb, clockwise from above: in front, behind inside, behind outside.
fn triangle_of(half: &mut Half, ring: &Ring, carried: impl Fn(Vec3) -> Carried) -> [u32; 3] {
    let ring = ring.widened(1.6 * WIDER, 1.6 * WIDER, WIDER, 0.4 * WIDER);
    [0.0, 2.0, 1.0].map(|third| {
        let at = ring.at(third * TAU / 3.0);
        half.point(at, carried(at))
    })
}

fn arm(half: &mut Half, shape: Shape) {
    let (ring, own) = tables::arm(SHOULDER_RING, shape);
    let shoulder = triangle_of(half, &ring.lifted(0.03), |at| skin::arm(at, own));
    let tip = Vec3::from(tables::ARM_END);
    let tip = half.point(tip, skin::arm(tip, 1.0));
    half.close(&shoulder, tip, Slot::Top);
    let [a, b, c] = shoulder;
    half.triangles.push(([c, b, a], Slot::Top));
}

fn leg(half: &mut Half, shape: Shape) {
    let thigh = triangle_of(half, &tables::leg(THIGH_RING, shape).lifted(0.06), skin::leg);
    let knee = triangle_of(half, &tables::leg(KNEE_RING, shape), skin::leg);
    let sole = [[0.075, 0.0], [-0.030, -0.015], [-0.030, 0.015]].map(|[x, aside]| {
        let at = Vec3::new(x, HIP_ASIDE + aside, 0.0);
        half.point(at, skin::foot(at))
    });
    half.join(&thigh, &knee, Slot::Trousers);
    half.join(&knee, &sole, Slot::Legs);
    let [a, b, c] = thigh;
    half.triangles.push(([c, b, a], Slot::Trousers));
    half.triangles.push((sole, Slot::Shoes));
}
