//! The built-in body's skeleton: 26 joints, drawn to anybody's height.
//!
//! Lengths are fractions of stature as Drillis and Contini measured them (printed by Winter, "Biomechanics and motor control of
//! human movement"). At rest the body stands upright on z = 0 with straight legs, arms hanging straight down, looking along x;
//! the frames of all joints are then those of the world, so that a rotation of any joint about y is flexion or extension,
//! about x to the side, about z a twist.

use crate::role::{Role, Roles};
use crate::skeleton::{Joint, JointId, Skeleton};
use passerby_geometry::{Quat, Vec3};

/// Height of the hip joints.
pub const HIP: f32 = 0.530;
/// Height of the knees.
pub const KNEE: f32 = 0.285;
/// Height of the ankles.
pub const ANKLE: f32 = 0.039;
/// Hip joints are this far to each side.
pub const HIP_ASIDE: f32 = 0.055;
/// Length of the foot.
pub const FOOT: f32 = 0.152;
/// The ball is this far ahead of the ankle.
pub const BALL_AHEAD: f32 = 0.48 * FOOT;
/// The heel's point is this far behind the ankle.
pub const HEEL_BEHIND: f32 = 0.25 * FOOT;
/// Height of the shoulder joints.
pub const SHOULDER: f32 = 0.818;
/// Shoulder joints are this far to each side: half of the 0.259 over both shoulders, less the muscle outside the joint.
pub const SHOULDER_ASIDE: f32 = 0.108;
/// From shoulder to elbow.
pub const UPPER_ARM: f32 = 0.186;
/// From elbow to wrist.
pub const FOREARM: f32 = 0.146;
/// From wrist to fingertips.
pub const HAND: f32 = 0.108;
/// From wrist to knuckles, where the fingers bend (ours).
pub const PALM: f32 = 0.052;

// Heights of the joints of the trunk are ours: the table has none. Sacrum, third lumbar and ninth thoracic vertebra, the
// lowest one of the neck, and the joint under the skull, level with the ear's lobe.
const SPINE_HEIGHT: f32 = 0.570;
const BELLY_HEIGHT: f32 = 0.630;
const CHEST_HEIGHT: f32 = 0.705;
const NECK_HEIGHT: f32 = 0.842;
const HEAD_HEIGHT: f32 = 0.905;
/// Where collar bones start: beside the upper end of the breastbone.
const COLLAR_PLACE: Vec3 = Vec3::new(0.012, 0.014, 0.808);

macro_rules! joints {
    ($($constant:ident = $index:literal, $name:literal;)*) => {
        $(#[doc = concat!("Joint `", $name, "`.")] pub const $constant: JointId = JointId($index);)*
        /// Names of all joints, in order.
        pub const NAMES: [&str; 26] = [$($name),*];
    };
}

joints! {
    HIPS = 0, "hips";
    SPINE = 1, "spine";
    BELLY = 2, "belly";
    CHEST = 3, "chest";
    NECK = 4, "neck";
    HEAD = 5, "head";
    LEFT_COLLAR = 6, "left_collar";
    LEFT_UPPER_ARM = 7, "left_upper_arm";
    LEFT_FOREARM = 8, "left_forearm";
    LEFT_HAND = 9, "left_hand";
    LEFT_FINGERS = 10, "left_fingers";
    RIGHT_COLLAR = 11, "right_collar";
    RIGHT_UPPER_ARM = 12, "right_upper_arm";
    RIGHT_FOREARM = 13, "right_forearm";
    RIGHT_HAND = 14, "right_hand";
    RIGHT_FINGERS = 15, "right_fingers";
    LEFT_THIGH = 16, "left_thigh";
    LEFT_SHIN = 17, "left_shin";
    LEFT_FOOT = 18, "left_foot";
    LEFT_TOE = 19, "left_toe";
    LEFT_HEEL = 20, "left_heel";
    RIGHT_THIGH = 21, "right_thigh";
    RIGHT_SHIN = 22, "right_shin";
    RIGHT_FOOT = 23, "right_foot";
    RIGHT_TOE = 24, "right_toe";
    RIGHT_HEEL = 25, "right_heel";
}

/// How many joints the body has.
pub const JOINTS: usize = NAMES.len();

/// What each joint hangs on; the hips on nothing.
const PARENTS: [Option<JointId>; JOINTS] = [
    None,
    Some(HIPS),
    Some(SPINE),
    Some(BELLY),
    Some(CHEST),
    Some(NECK),
    Some(CHEST),
    Some(LEFT_COLLAR),
    Some(LEFT_UPPER_ARM),
    Some(LEFT_FOREARM),
    Some(LEFT_HAND),
    Some(CHEST),
    Some(RIGHT_COLLAR),
    Some(RIGHT_UPPER_ARM),
    Some(RIGHT_FOREARM),
    Some(RIGHT_HAND),
    Some(HIPS),
    Some(LEFT_THIGH),
    Some(LEFT_SHIN),
    Some(LEFT_FOOT),
    Some(LEFT_FOOT),
    Some(HIPS),
    Some(RIGHT_THIGH),
    Some(RIGHT_SHIN),
    Some(RIGHT_FOOT),
    Some(RIGHT_FOOT),
];

/// Where the joints of a body of stature 1 are at rest, in the body's frame.
pub fn places() -> [Vec3; JOINTS] {
    let mut places = [Vec3::ZERO; JOINTS];
    let middle = [(HIPS, HIP), (SPINE, SPINE_HEIGHT), (BELLY, BELLY_HEIGHT), (CHEST, CHEST_HEIGHT)];
    for (joint, height) in middle.into_iter().chain([(NECK, NECK_HEIGHT), (HEAD, HEAD_HEIGHT)]) {
        places[joint.index()] = Vec3::new(0.0, 0.0, height);
    }
    let elbow = SHOULDER - UPPER_ARM;
    let wrist = elbow - FOREARM;
    let left = [
        (LEFT_COLLAR, COLLAR_PLACE),
        (LEFT_UPPER_ARM, Vec3::new(0.0, SHOULDER_ASIDE, SHOULDER)),
        (LEFT_FOREARM, Vec3::new(0.0, SHOULDER_ASIDE, elbow)),
        (LEFT_HAND, Vec3::new(0.0, SHOULDER_ASIDE, wrist)),
        (LEFT_FINGERS, Vec3::new(0.0, SHOULDER_ASIDE, wrist - PALM)),
        (LEFT_THIGH, Vec3::new(0.0, HIP_ASIDE, HIP)),
        (LEFT_SHIN, Vec3::new(0.0, HIP_ASIDE, KNEE)),
        (LEFT_FOOT, Vec3::new(0.0, HIP_ASIDE, ANKLE)),
        (LEFT_TOE, Vec3::new(BALL_AHEAD, HIP_ASIDE, 0.0)),
        (LEFT_HEEL, Vec3::new(-HEEL_BEHIND, HIP_ASIDE, 0.0)),
    ];
    for (joint, place) in left {
        places[joint.index()] = place;
        places[mirrored(joint).index()] = place * Vec3::new(1.0, -1.0, 1.0);
    }
    places
}

/// The joint on the other side; those in the middle are their own.
pub fn mirrored(joint: JointId) -> JointId {
    match joint.0 {
        6..=10 | 16..=20 => JointId(joint.0 + 5),
        11..=15 | 21..=25 => JointId(joint.0 - 5),
        _ => joint,
    }
}

/// The skeleton of somebody of this height, m.
///
/// # Panics
/// If the stature is not a positive number.
pub fn skeleton(stature: f32) -> Skeleton {
    assert!(stature.is_finite() && stature > 0.0, "a body {stature} m tall");
    let places = places();
    let joints = NAMES.iter().zip(PARENTS).zip(places).map(|((name, parent), place)| Joint {
        name: (*name).to_owned(),
        parent,
        offset: (place - parent.map_or(Vec3::ZERO, |parent| places[parent.index()])) * stature,
        rest: Quat::IDENTITY,
    });
    Skeleton::new(joints.collect()).expect("parents come first")
}

/// What the joints are for.
pub fn roles() -> Roles {
    let mut roles = Roles::default();
    for (role, joint) in [
        (Role::Hips, HIPS),
        (Role::Spine, SPINE),
        (Role::Chest, CHEST),
        (Role::Neck, NECK),
        (Role::Head, HEAD),
        (Role::LeftUpperArm, LEFT_UPPER_ARM),
        (Role::LeftForearm, LEFT_FOREARM),
        (Role::LeftHand, LEFT_HAND),
        (Role::RightUpperArm, RIGHT_UPPER_ARM),
        (Role::RightForearm, RIGHT_FOREARM),
        (Role::RightHand, RIGHT_HAND),
        (Role::LeftThigh, LEFT_THIGH),
        (Role::LeftShin, LEFT_SHIN),
        (Role::LeftFoot, LEFT_FOOT),
        (Role::LeftToe, LEFT_TOE),
        (Role::RightThigh, RIGHT_THIGH),
        (Role::RightShin, RIGHT_SHIN),
        (Role::RightFoot, RIGHT_FOOT),
        (Role::RightToe, RIGHT_TOE),
    ] {
        roles.set(role, joint);
    }
    roles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::Pose;

    fn at_rest(stature: f32) -> Vec<Vec3> {
        let skeleton = skeleton(stature);
        let mut placed = Vec::new();
        Pose::rest(&skeleton).to_model(&skeleton, &mut placed);
        placed.iter().map(|joint| joint.position).collect()
    }

    /// Values of the table times 1.75 m: hip 0.9275, knee 0.49875, ankle 0.06825, shoulder 1.4315, wrist 0.8505; the ball
    /// 0.48 and the heel 0.25 of a foot of 0.266 m.
    #[test]
    fn joints_are_where_the_table_puts_them() {
        let places = at_rest(1.75);
        let check = |joint: JointId, expected: [f32; 3]| {
            let place = places[joint.index()];
            assert!(place.distance(expected.into()) < 1e-4, "{}: {place}", NAMES[joint.index()]);
        };
        check(HIPS, [0.0, 0.0, 0.9275]);
        check(LEFT_THIGH, [0.0, 0.09625, 0.9275]);
        check(RIGHT_SHIN, [0.0, -0.09625, 0.49875]);
        check(LEFT_FOOT, [0.0, 0.09625, 0.06825]);
        check(LEFT_TOE, [0.12768, 0.09625, 0.0]);
        check(RIGHT_HEEL, [-0.0665, -0.09625, 0.0]);
        check(LEFT_UPPER_ARM, [0.0, 0.189, 1.4315]);
        check(RIGHT_HAND, [0.0, -0.189, 0.8505]);
    }

    #[test]
    fn names_roles_and_sides_agree() {
        let (skeleton, roles) = (skeleton(1.7), roles());
        assert_eq!(skeleton.len(), 26);
        for role in Role::ALL {
            let name = NAMES[roles.get(role).expect("the body has every role").index()];
            assert_eq!(name.replace('_', ""), format!("{role:?}").to_lowercase());
        }
        for id in skeleton.ids() {
            let other = &skeleton.joint(mirrored(id)).name;
            let swapped = match skeleton.joint(id).name.split_once('_') {
                Some(("left", part)) => format!("right_{part}"),
                Some(("right", part)) => format!("left_{part}"),
                _ => skeleton.joint(id).name.clone(),
            };
            assert_eq!(*other, swapped);
            assert_eq!(mirrored(mirrored(id)), id);
            assert_eq!(skeleton.joint(id).rest, Quat::IDENTITY);
        }
    }
}
