//! Where the torso faces, how fast somebody goes, and in which direction against it.

use super::contacts::Contacts;
use crate::placed::Placements;
use crate::role::{Role, Roles};
use passerby_geometry::{DVec2, math::double};

/// Mean motion over some frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gait {
    /// Mean velocity of the hips over the ground, m/s.
    pub velocity: DVec2,
    /// Where the torso faces on average, rad: perpendicular to the line through the shoulders.
    pub torso: f64,
    /// Direction of the velocity against the torso, rad, in (-pi, pi]: +90 degrees is a step to the left.
    pub alpha: f64,
}

/// Over the frames from one to another (both included).
pub fn measure(placements: &Placements, roles: &Roles, from: usize, to: usize) -> Gait {
    let hips = roles.leg(Role::Hips);
    let way = (placements.position(to, hips) - placements.position(from, hips)).truncate();
    let velocity = way * (placements.frame_rate / (to - from).max(1) as f64);
    let facing = (from..=to).map(|frame| facing(placements, roles, frame)).fold(DVec2::ZERO, |sum, one| sum + one);
    let torso = double::atan2(facing.y, facing.x);
    Gait { velocity, torso, alpha: double::wrap_angle(double::atan2(velocity.y, velocity.x) - torso) }
}

/// Where the torso faces in a frame, unit length: to the right of the line from the right to the left shoulder (without arms: hip).
pub fn facing(placements: &Placements, roles: &Roles, frame: usize) -> DVec2 {
    let line = |left: Role, right: Role| {
        let at = |role| Some(placements.position(frame, roles.get(role)?).truncate());
        (at(left)? - at(right)?).try_normalize()
    };
    let left = line(Role::LeftUpperArm, Role::RightUpperArm).or_else(|| line(Role::LeftThigh, Role::RightThigh));
    left.map_or(DVec2::X, |left| DVec2::new(left.y, -left.x))
}

/// Frames in which a foot comes down (0 left, 1 right). What stands in the first frame came down before.
pub fn touch_downs(contacts: &Contacts, side: usize) -> Vec<usize> {
    contacts.feet[side].stances().iter().map(|stance| stance.from).filter(|frame| *frame > 0).collect()
}

/// Phase of a frame, 0 to 1: 0 is the right touch-down. Between two of them; none outside.
pub fn phase(contacts: &Contacts, frame: usize) -> Option<f64> {
    let rights = touch_downs(contacts, 1);
    let pair = rights.windows(2).find(|pair| (pair[0]..=pair[1]).contains(&frame))?;
    Some((frame - pair[0]) as f64 / (pair[1] - pair[0]) as f64)
}
