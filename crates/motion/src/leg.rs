//! A leg as two bones and a hinge: how thigh and shin are turned so that the ankle is where it should be.

use crate::ik;
use passerby_geometry::{Mat3, Quat, Vec3};

/// Share of its length that a leg is stretched to at the most: a straight knee would snap.
pub const REACH: f32 = ik::REACH_MAX as f32;

/// Two bones between three points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leg {
    /// Turns the thigh from hanging straight down, in the frame of the figure.
    pub thigh: Quat,
    /// Turns the shin likewise.
    pub shin: Quat,
    /// Where the knee is.
    pub knee: Vec3,
    /// Where the ankle is: at the target, or as near as the leg reaches.
    pub ankle: Vec3,
}

/// Bends a leg so that its ankle comes to `ankle`, its knee to the side of `forward`. Never stretches a bone.
pub fn bend(hip: Vec3, ankle: Vec3, thigh: f32, shin: f32, forward: Vec3) -> Leg {
    let ik::Bent { knee, ankle, .. } = ik::two_bone(hip, ankle, thigh, shin, forward);
    // The hinge is across both bones, to the left of who looks ahead; straight legs have that of the hint.
    let bones = (ankle - knee).cross(knee - hip);
    let hinge = if bones.length_squared() > 1e-10 { bones } else { forward.cross(ankle - hip) };
    let left = hinge.normalize_or(Vec3::Y);
    Leg { thigh: frame(hip - knee, left), shin: frame(knee - ankle, left), knee, ankle }
}

/// A rotation whose z is along `up` and whose y is `left`.
fn frame(up: Vec3, left: Vec3) -> Quat {
    let z = up.normalize_or(Vec3::Z);
    let x = left.cross(z).normalize_or(Vec3::X);
    Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked example: thigh 0.43, shank 0.42, hip (0, 0, 0.9), ankle (0.15, 0.02, 0.09), knee towards +x.
    #[test]
    fn a_leg_bends_as_the_worked_example() {
        let leg = bend(Vec3::new(0.0, 0.0, 0.9), Vec3::new(0.15, 0.02, 0.09), 0.43, 0.42, Vec3::X);
        assert!(leg.knee.distance(Vec3::new(0.178472, 0.009657, 0.508906)) < 1e-5, "{}", leg.knee);
        // The rotations put the bones there.
        let knee = Vec3::new(0.0, 0.0, 0.9) + leg.thigh * Vec3::new(0.0, 0.0, -0.43);
        let ankle = knee + leg.shin * Vec3::new(0.0, 0.0, -0.42);
        assert!(knee.distance(leg.knee) < 1e-5 && ankle.distance(Vec3::new(0.15, 0.02, 0.09)) < 1e-5, "{knee} {ankle}");
        // A knee bends about its hinge alone, backwards.
        let bent = leg.thigh.inverse() * leg.shin;
        assert!(bent.x.abs() < 1e-4 && bent.z.abs() < 1e-4 && bent.y > 0.0, "{bent}");
    }

    #[test]
    fn a_target_out_of_reach_stretches_nothing() {
        let leg = bend(Vec3::Z, Vec3::new(3.0, 0.0, 0.0), 0.43, 0.42, Vec3::X);
        assert!((leg.knee.distance(Vec3::Z) - 0.43).abs() < 1e-5);
        assert!((leg.ankle.distance(leg.knee) - 0.42).abs() < 1e-4);
    }
}
