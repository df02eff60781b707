//! Which joint of a figure is the hips, which the left foot.

use crate::skeleton::JointId;

/// What a joint is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // Each name says it.
pub enum Role {
    Hips,
    Spine,
    Chest,
    Neck,
    Head,
    LeftUpperArm,
    LeftForearm,
    LeftHand,
    RightUpperArm,
    RightForearm,
    RightHand,
    LeftThigh,
    LeftShin,
    LeftFoot,
    LeftToe,
    RightThigh,
    RightShin,
    RightFoot,
    RightToe,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 19] = [
        Role::Hips,
        Role::Spine,
        Role::Chest,
        Role::Neck,
        Role::Head,
        Role::LeftUpperArm,
        Role::LeftForearm,
        Role::LeftHand,
        Role::RightUpperArm,
        Role::RightForearm,
        Role::RightHand,
        Role::LeftThigh,
        Role::LeftShin,
        Role::LeftFoot,
        Role::LeftToe,
        Role::RightThigh,
        Role::RightShin,
        Role::RightFoot,
        Role::RightToe,
    ];
}

/// The joint of each role; figures without toes, neck or chest have none for those.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Roles {
    joints: [Option<JointId>; Role::ALL.len()],
}

impl Roles {
    /// The joint of a role.
    pub fn get(&self, role: Role) -> Option<JointId> {
        self.joints[role as usize]
    }

    /// Gives a role to a joint.
    pub fn set(&mut self, role: Role, joint: JointId) {
        self.joints[role as usize] = Some(joint);
    }
}
