//! Joints in a tree, each after its parent.

use passerby_geometry::{Quat, Vec3};

/// Joints a skeleton may have. Captured people have 20 to 70; a file that claims more is broken or hostile.
pub const JOINTS_MAX: usize = 1024;

/// A joint of a skeleton: its place in every list of joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct JointId(pub u16);

impl JointId {
    /// Its place in lists.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// One joint at rest, relative to its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// As the file or our body calls it.
    pub name: String,
    /// What it hangs on; none for the first.
    pub parent: Option<JointId>,
    /// From the parent's joint, in the parent's frame, m.
    pub offset: Vec3,
    /// Turned against the parent at rest.
    pub rest: Quat,
}

/// All joints of a figure. The first one has no parent, every other one comes after its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

/// Why joints are no skeleton.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SkeletonError {
    /// There are none, or too many.
    #[error("a skeleton of {0} joints: 1 to {JOINTS_MAX} are allowed")]
    Count(usize),
    /// A second root, or a root that is not the first.
    #[error("joint `{0}` has no parent: only the first joint has none")]
    SecondRoot(String),
    /// A joint before its parent, or a cycle.
    #[error("joint `{0}` comes before its parent")]
    BeforeParent(String),
    /// Not a number.
    #[error("joint `{0}` has an offset or a rotation that is no number")]
    NotFinite(String),
}

impl Skeleton {
    /// Checks that the first joint has no parent and every other one comes after its own.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.is_empty() || joints.len() > JOINTS_MAX {
            return Err(SkeletonError::Count(joints.len()));
        }
        for (index, joint) in joints.iter().enumerate() {
            match joint.parent {
                None if index > 0 => return Err(SkeletonError::SecondRoot(joint.name.clone())),
                Some(parent) if parent.index() >= index => return Err(SkeletonError::BeforeParent(joint.name.clone())),
                _ => {}
            }
            if !joint.offset.is_finite() || !joint.rest.is_finite() {
                return Err(SkeletonError::NotFinite(joint.name.clone()));
            }
        }
        Ok(Self { joints })
    }

    /// All joints, parents first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// How many joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Never: a skeleton has at least one joint.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// One joint.
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// The joint of this name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.joints.iter().position(|joint| joint.name == name).map(|index| JointId(index as u16))
    }

    /// All ids, parents first.
    pub fn ids(&self) -> impl Iterator<Item = JointId> {
        (0..self.joints.len() as u16).map(JointId)
    }

    /// Joints that hang on this one.
    pub fn children(&self, id: JointId) -> impl Iterator<Item = JointId> {
        self.ids().filter(move |child| self.joint(*child).parent == Some(id))
    }

    /// Whether a joint hangs on another one, at any distance.
    pub fn hangs_on(&self, joint: JointId, on: JointId) -> bool {
        self.ancestors(joint).any(|ancestor| ancestor == on)
    }

    /// What a joint hangs on: its parent, the parent of that, up to the first joint.
    pub fn ancestors(&self, joint: JointId) -> impl Iterator<Item = JointId> {
        std::iter::successors(self.joint(joint).parent, |ancestor| self.joint(*ancestor).parent)
    }

    /// The same figure, larger or smaller.
    pub fn scaled(&self, factor: f32) -> Self {
        let mut joints = self.joints.clone();
        joints.iter_mut().for_each(|joint| joint.offset *= factor);
        Self { joints }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<u16>) -> Joint {
        Joint { name: name.into(), parent: parent.map(JointId), offset: Vec3::Z, rest: Quat::IDENTITY }
    }

    #[test]
    fn parents_come_first() {
        let check = |joints: Vec<Joint>, expected: Option<SkeletonError>| {
            assert_eq!(Skeleton::new(joints).err(), expected);
        };
        check(vec![joint("hips", None), joint("leg", Some(0))], None);
        check(vec![], Some(SkeletonError::Count(0)));
        check(vec![joint("hips", None), joint("leg", None)], Some(SkeletonError::SecondRoot("leg".into())));
        check(vec![joint("hips", None), joint("leg", Some(1))], Some(SkeletonError::BeforeParent("leg".into())));
        check(vec![joint("hips", Some(0))], Some(SkeletonError::BeforeParent("hips".into())));
    }
}
