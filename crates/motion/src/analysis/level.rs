//! Makes the floor of a take level: recordings are tilted by up to a degree, which is 5 cm after 3 m and would hide every later step.

use super::contacts::joints;
use crate::placed::Placements;
use crate::retarget::Figure;
use crate::take::Take;
use passerby_geometry::{DQuat, DVec2, DVec3, Vec3};

/// Steeper floors are ramps or stairs, not faults: those stay.
const SLOPE_MAX: f64 = 0.03;

/// A point slower than this stands somewhere, m/s.
const SPEED_MAX: f64 = 0.15;

/// Rise of the floor for each metre along x and y, from all that stands. Directions in which nobody went have none.
pub fn slope(figure: Figure, take: &Take) -> DVec2 {
    let placements = Placements::of(figure.skeleton, take);
    let reach = (placements.frame_rate / 60.0).round().max(1.0) as usize;
    let (mut xx, mut xy, mut yy, mut xz, mut yz, mut count) = (0.0, 0.0, 0.0, 0.0, 0.0, 0);
    for joint in [0, 1].into_iter().flat_map(|side| joints(figure.roles, side)) {
        let stands = |frame: &usize| placements.velocity(*frame, joint, reach).length() < SPEED_MAX;
        let places: Vec<DVec3> =
            (0..placements.frames()).filter(stands).map(|frame| placements.position(frame, joint)).collect();
        let mean = places.iter().fold(DVec3::ZERO, |sum, at| sum + *at) / places.len().max(1) as f64;
        for at in &places {
            let d = *at - mean;
            (xx += d.x * d.x, xy += d.x * d.y, yy += d.y * d.y, xz += d.x * d.z, yz += d.y * d.z, count += 1).0;
        }
    }
    // A spread of 0.15 m counts as much as none at all: who stands on the spot has no slope.
    let none = 0.15 * 0.15 * f64::from(count) + 1e-12;
    let (xx, yy) = (xx + none, yy + none);
    let slope = DVec2::new(xz * yy - yz * xy, yz * xx - xz * xy) / (xx * yy - xy * xy);
    if slope.length() > SLOPE_MAX { DVec2::ZERO } else { slope }
}

/// The take on a level floor, turned about the origin, and the slope it had.
pub fn level(figure: Figure, take: &Take) -> (Take, DVec2) {
    let slope = slope(figure, take);
    let turn = DQuat::from_rotation_arc(DVec3::new(-slope.x, -slope.y, 1.0).normalize(), DVec3::Z);
    let mut take = take.clone();
    let (joints, frames) = (take.joints, take.frames());
    for rotation in take.rotations.iter_mut().step_by(joints) {
        *rotation = (turn * rotation.as_dquat()).normalize().as_quat();
    }
    let rest: Vec3 = figure.skeleton.joints()[0].offset;
    if !take.moved.iter().any(|moved| moved.joint.index() == 0) {
        take.moved.push(crate::take::Moved { joint: crate::skeleton::JointId(0), offsets: vec![rest; frames] });
    }
    for moved in take.moved.iter_mut().filter(|moved| moved.joint.index() == 0) {
        moved.offsets.iter_mut().for_each(|offset| *offset = (turn * offset.as_dvec3()).as_vec3());
    }
    (take, slope)
}
