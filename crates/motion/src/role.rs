//! Which joint of a figure is the hips, which the left foot.

use crate::placed;
use crate::skeleton::{JointId, Skeleton};

/// Why a figure cannot walk.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RolesError {
    /// Joints for these were not found, neither by name nor by shape.
    #[error("no joint for: {}; {why}; give these roles by hand", names(missing))]
    Missing {
        /// What has no joint.
        missing: Vec<Role>,
        /// What was tried.
        why: String,
    },
    /// A joint that hangs on another one than it should.
    #[error("joint `{joint}` is the {role} by its name, but does not hang on `{on}`: the leg cannot be bent")]
    Elsewhere {
        /// What it should be.
        role: &'static str,
        /// How it is called.
        joint: String,
        /// What it should hang on.
        on: String,
    },
    /// A leg needs bones.
    #[error("the bone from `{from}` to `{to}` has no length: a leg needs two bones")]
    NoLength {
        /// Its upper joint.
        from: String,
        /// Its lower joint.
        to: String,
    },
}

fn names(roles: &[Role]) -> String {
    roles.iter().map(|role| role.name()).collect::<Vec<_>>().join(", ")
}

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

    /// Thigh, shin, foot, toe: left, right.
    pub const LEGS: [[Role; 4]; 2] = [
        [Role::LeftThigh, Role::LeftShin, Role::LeftFoot, Role::LeftToe],
        [Role::RightThigh, Role::RightShin, Role::RightFoot, Role::RightToe],
    ];

    /// Upper arm, forearm, hand: left, right.
    pub const ARMS: [[Role; 3]; 2] = [
        [Role::LeftUpperArm, Role::LeftForearm, Role::LeftHand],
        [Role::RightUpperArm, Role::RightForearm, Role::RightHand],
    ];

    /// The same on the other side; what is in the middle is itself.
    pub fn mirrored(self) -> Role {
        for [left, right] in [Role::LEGS.map(|leg| leg.to_vec()), Role::ARMS.map(|arm| arm.to_vec())] {
            for (left, right) in left.into_iter().zip(right) {
                if self == left {
                    return right;
                }
                if self == right {
                    return left;
                }
            }
        }
        self
    }

    /// As it is said to people.
    pub fn name(self) -> &'static str {
        match self {
            Role::Hips => "hips",
            Role::Spine => "spine",
            Role::Chest => "chest",
            Role::Neck => "neck",
            Role::Head => "head",
            Role::LeftUpperArm => "left upper arm",
            Role::LeftForearm => "left forearm",
            Role::LeftHand => "left hand",
            Role::RightUpperArm => "right upper arm",
            Role::RightForearm => "right forearm",
            Role::RightHand => "right hand",
            Role::LeftThigh => "left thigh",
            Role::LeftShin => "left shin",
            Role::LeftFoot => "left foot",
            Role::LeftToe => "left toe",
            Role::RightThigh => "right thigh",
            Role::RightShin => "right shin",
            Role::RightFoot => "right foot",
            Role::RightToe => "right toe",
        }
    }
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

    /// The joint of a role that every figure has that can walk: hips, thighs, shins, feet.
    ///
    /// # Panics
    /// If it is none of those or the roles were not checked with [`Roles::check`].
    pub fn leg(&self, role: Role) -> JointId {
        self.get(role).expect("checked when the roles were found")
    }

    /// All roles that have a joint, in the order of [`Role::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Role, JointId)> + '_ {
        Role::ALL.into_iter().filter_map(|role| Some((role, self.get(role)?)))
    }

    /// The role of a joint.
    pub fn of(&self, joint: JointId) -> Option<Role> {
        self.iter().find(|(_, other)| *other == joint).map(|(role, _)| role)
    }

    /// Takes a role away.
    pub fn clear(&mut self, role: Role) {
        self.joints[role as usize] = None;
    }

    /// Left for right: the roles of a figure that is its own mirror image.
    pub fn mirrored(&self) -> Self {
        let mut swapped = Self::default();
        self.iter().for_each(|(role, joint)| swapped.set(role.mirrored(), joint));
        swapped
    }

    /// Thigh and shin, m: the longer of both legs. The roles of the legs are there.
    pub fn leg_length(&self, skeleton: &Skeleton) -> f64 {
        let rest = placed::rest(skeleton);
        let at = |role| rest[self.leg(role).index()].position;
        let length = |[thigh, shin, foot, _]: [Role; 4]| at(thigh).distance(at(shin)) + at(shin).distance(at(foot));
        length(Role::LEGS[0]).max(length(Role::LEGS[1]))
    }

    /// Whether the figure can walk: hips and two legs whose joints hang on each other and have a length.
    pub fn check(&self, skeleton: &Skeleton) -> Result<(), RolesError> {
        let mut missing: Vec<Role> = vec![];
        let needed = Role::LEGS.iter().flat_map(|leg| &leg[..3]);
        missing.extend([Role::Hips].iter().chain(needed).filter(|role| self.get(**role).is_none()));
        if !missing.is_empty() {
            return Err(RolesError::Missing { missing, why: "no joint has a name we know for it".into() });
        }
        for leg in Role::LEGS {
            for (upper, lower) in [(Role::Hips, leg[0]), (leg[0], leg[1]), (leg[1], leg[2])] {
                let name = |role| skeleton.joint(self.leg(role)).name.clone();
                if !skeleton.hangs_on(self.leg(lower), self.leg(upper)) {
                    let (role, joint, on) = (lower.name(), name(lower), name(upper));
                    return Err(RolesError::Elsewhere { role, joint, on });
                }
                let rest = placed::rest(skeleton);
                let gap = rest[self.leg(lower).index()].position.distance(rest[self.leg(upper).index()].position);
                if upper != Role::Hips && gap < 1e-6 {
                    return Err(RolesError::NoLength { from: name(upper), to: name(lower) });
                }
            }
        }
        Ok(())
    }

    /// Gives a role to a joint.
    pub fn set(&mut self, role: Role, joint: JointId) {
        self.joints[role as usize] = Some(joint);
    }
}
