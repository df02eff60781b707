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
    let bones = (knee - hip).cross(ankle - knee);
    let hinge = if bones.length_squared() > 1e-10 { bones } else { forward.cross(ankle - hip) };
    let left = hinge.normalize_or(Vec3::Y);
    Leg { thigh: frame(hip - knee, left), shin: frame(knee - ankle, left), knee, ankle }
}

/// How a foot rolls on its ball, heel up, so that its ankle comes within reach of the hip: no further than it has to, and by `most` rad.
pub fn roll(hip: Vec3, ankle: Vec3, ball: Vec3, reach: f32, most: f32) -> Quat {
    let back = ankle - ball;
    let axis = Vec3::Z.cross(-back).normalize_or(Vec3::Y);
    let too_far = |angle: f32| hip.distance(ball + Quat::from_axis_angle(axis, angle) * back) > reach;
    let (mut low, mut high) = (0.0, most);
    // An ankle above a ball that is ahead would go away from the hip.
    let nearer = (ankle - hip).dot(axis.cross(back)) < 0.0;
    if !nearer || !too_far(low) {
        return Quat::IDENTITY;
    }
    // Past the point where ball, ankle and hip are in line the ankle would go away again; that is beyond any roll of a foot.
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        (low, high) = if too_far(middle) { (middle, high) } else { (low, middle) };
    }
    Quat::from_axis_angle(axis, high)
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

    /// A ball 1 ahead of the hip's foot point and an ankle 0.2 behind it: heel up by half a right angle the ankle is 0.1414 behind and above.
    #[test]
    fn a_foot_rolls_until_the_ankle_is_in_reach() {
        let (hip, ball, ankle) = (Vec3::Z, Vec3::new(-0.5, 0.0, 0.0), Vec3::new(-0.7, 0.0, 0.0));
        let wanted = Vec3::new(-0.5 - 0.141_421, 0.0, 0.141_421);
        let turned = roll(hip, ankle, ball, hip.distance(wanted), 1.5);
        assert!((ball + turned * (ankle - ball)).distance(wanted) < 1e-3, "{turned}");
        assert_eq!(roll(hip, ankle, ball, 2.0, 1.5), Quat::IDENTITY);
        let ahead = Vec3::new(1.2, 0.0, 0.0);
        assert_eq!(roll(hip, ahead + Vec3::Z * 0.2, ahead, 0.9, 1.5), Quat::IDENTITY);
        let most = roll(hip, ankle, ball, 0.1, 0.5);
        assert!((most.angle_between(Quat::IDENTITY) - 0.5).abs() < 1e-3, "{most}");
    }

    #[test]
    fn a_target_out_of_reach_stretches_nothing() {
        let leg = bend(Vec3::Z, Vec3::new(3.0, 0.0, 0.0), 0.43, 0.42, Vec3::X);
        assert!((leg.knee.distance(Vec3::Z) - 0.43).abs() < 1e-5);
        assert!((leg.ankle.distance(leg.knee) - 0.42).abs() < 1e-4);
    }
}
