//! A take of one figure on another one.
//!
//! Every joint of a role is turned in the frame of the figure as its counterpart is turned against its own rest; before that the bone
//! at rest is brought into the direction of the counterpart's bone, so that a figure whose arms hang down at rest and one
//! in a T-pose do the same. Both figures face x at rest, as imported.

use crate::placed::{self, DPlaced, place};
use crate::role::{Role, Roles};
use crate::skeleton::{JointId, Skeleton};
use crate::take::{Moved, Take};
use passerby_geometry::{DQuat, DVec3, Quat, Vec3};

/// A figure and which joint is what.
#[derive(Debug, Clone, Copy)]
pub struct Figure<'a> {
    /// Its joints.
    pub skeleton: &'a Skeleton,
    /// Their roles; those of the legs are there.
    pub roles: &'a Roles,
}

/// The next joint of each bone whose direction is kept: (role of the bone, role of its end).
const BONES: [(Role, Role); 13] = [
    (Role::Spine, Role::Chest),
    (Role::Chest, Role::Neck),
    (Role::Neck, Role::Head),
    (Role::LeftUpperArm, Role::LeftForearm),
    (Role::LeftForearm, Role::LeftHand),
    (Role::RightUpperArm, Role::RightForearm),
    (Role::RightForearm, Role::RightHand),
    (Role::LeftThigh, Role::LeftShin),
    (Role::LeftShin, Role::LeftFoot),
    (Role::LeftFoot, Role::LeftToe),
    (Role::RightThigh, Role::RightShin),
    (Role::RightShin, Role::RightFoot),
    (Role::RightFoot, Role::RightToe),
];

/// Hands and toes have no bone of their own: they go with the one they hang on.
const FOLLOW: [(Role, Role); 4] = [
    (Role::LeftHand, Role::LeftForearm),
    (Role::RightHand, Role::RightForearm),
    (Role::LeftToe, Role::LeftFoot),
    (Role::RightToe, Role::RightFoot),
];

/// The take on another figure: bones point where they pointed, the hips move by as many legs as before, and as high above the ground that
/// the lowest foot of the take is as low as it was. Two figures of the same legs may have their hips' joint at other heights above them.
pub fn retarget(take: &Take, from: Figure, to: Figure) -> Take {
    let pairs: Vec<Pair> =
        to.roles.iter().filter_map(|(role, joint)| Some(Pair { joint, like: from.roles.get(role)? })).collect();
    let size = to.roles.leg_length(to.skeleton) / from.roles.leg_length(from.skeleton);
    let plain = copy(take, from, to, &pairs, 0.0);
    let lift = lowest(take, from) * size - lowest(&plain, to);
    copy(take, from, to, &pairs, lift)
}

/// How high the lowest ball of a foot, or ankle where there are no toes, is in a take, m.
fn lowest(take: &Take, figure: Figure) -> f64 {
    let joints = [(Role::LeftToe, Role::LeftFoot), (Role::RightToe, Role::RightFoot)]
        .map(|(toe, foot)| figure.roles.get(toe).unwrap_or_else(|| figure.roles.leg(foot)));
    let mut placed = Vec::new();
    let heights = (0..take.frames()).map(|frame| {
        place(figure.skeleton, take, frame, &mut placed);
        joints.map(|joint| placed[joint.index()].position.z).into_iter().fold(f64::INFINITY, f64::min)
    });
    let low = heights.fold(f64::INFINITY, f64::min);
    if low.is_finite() { low } else { 0.0 }
}

/// A joint that does what another one does.
#[derive(Debug, Clone, Copy)]
struct Pair {
    joint: JointId,
    like: JointId,
}

/// [`retarget`] for any joints, not only those with roles, with hips that are higher by `lift`, m.
fn copy(take: &Take, from: Figure, to: Figure, pairs: &[Pair], lift: f64) -> Take {
    let (rest_from, rest_to) = (placed::rest(from.skeleton), placed::rest(to.skeleton));
    let mut like: Vec<Option<JointId>> = vec![None; to.skeleton.len()];
    pairs.iter().for_each(|pair| like[pair.joint.index()] = Some(pair.like));
    let bones: Vec<Option<Bone>> =
        to.skeleton.ids().map(|joint| Bone::of(to, joint, &like, &rest_from, &rest_to)).collect();
    // What a joint's rotation is multiplied by on the right: the counterpart's rest undone, alignment, own rest.
    let rests: Vec<DQuat> = to
        .skeleton
        .ids()
        .map(|joint| match like[joint.index()] {
            None => DQuat::IDENTITY,
            Some(like) => {
                let leader = leader(to.roles, joint).unwrap_or(joint);
                let align = bones[leader.index()].map_or(DQuat::IDENTITY, |bone| bone.align);
                rest_from[like.index()].rotation.inverse() * align * rest_to[joint.index()].rotation
            }
        })
        .collect();
    let hips = to.roles.leg(Role::Hips);
    let size = to.roles.leg_length(to.skeleton) / from.roles.leg_length(from.skeleton);
    let mut out = Take {
        name: take.name.clone(),
        frame_rate: take.frame_rate,
        joints: to.skeleton.len(),
        rotations: Vec::with_capacity(take.frames() * to.skeleton.len()),
        moved: vec![Moved { joint: hips, offsets: Vec::with_capacity(take.frames()) }],
    };
    let (mut source, mut figure) = (vec![], Vec::<DPlaced>::new());
    for frame in 0..take.frames() {
        place(from.skeleton, take, frame, &mut source);
        let at = source[from.roles.leg(Role::Hips).index()].position * size + DVec3::Z * lift;
        figure.clear();
        for (index, joint) in to.skeleton.joints().iter().enumerate() {
            let parent = joint.parent.map_or(ORIGIN, |parent| figure[parent.index()]);
            let local = match like[index] {
                None => joint.rest.as_dquat(),
                Some(like) => {
                    let swing = bones[index].map_or(DQuat::IDENTITY, |bone| bone.swing(like, &rest_from, &source));
                    parent.rotation.inverse() * swing * source[like.index()].rotation * rests[index]
                }
            };
            let mut offset = joint.offset.as_dvec3();
            if index == hips.index() {
                offset = parent.rotation.inverse() * (at - parent.position);
                out.moved[0].offsets.push(offset.as_vec3());
            }
            let rotation: Quat = local.normalize().as_quat();
            out.rotations.push(rotation);
            figure.push(DPlaced {
                rotation: parent.rotation * rotation.as_dquat().normalize(),
                position: parent.position + parent.rotation * offset,
            });
        }
    }
    out
}

/// The frame of the figure.
const ORIGIN: DPlaced = DPlaced { rotation: DQuat::IDENTITY, position: DVec3::ZERO };

/// The joint that a hand or toe goes with.
fn leader(roles: &Roles, joint: JointId) -> Option<JointId> {
    let role = roles.of(joint)?;
    FOLLOW.iter().find(|(follower, _)| *follower == role).and_then(|(_, leader)| roles.get(*leader))
}

/// A bone of the figure and its counterpart.
#[derive(Debug, Clone, Copy)]
struct Bone {
    /// The end of the counterpart.
    end: JointId,
    /// Direction of the counterpart at rest, unit length.
    rest: DVec3,
    /// Turns the bone at rest into that direction.
    align: DQuat,
}

impl Bone {
    /// From a joint to the next one that has a counterpart, on the way to the end of a bone with a role. None of no length.
    fn of(
        to: Figure,
        joint: JointId,
        like: &[Option<JointId>],
        rest_from: &[DPlaced],
        rest_to: &[DPlaced],
    ) -> Option<Self> {
        let start = like[joint.index()]?;
        let next = BONES.iter().find_map(|(first, last)| {
            let (first, last) = (to.roles.get(*first)?, to.roles.get(*last)?);
            let way: Vec<JointId> = std::iter::once(last)
                .chain(to.skeleton.ancestors(last))
                .take_while(|id| *id != joint)
                .filter(|id| like[id.index()].is_some())
                .collect();
            let on_way = joint == first || to.skeleton.hangs_on(joint, first);
            way.last().copied().filter(|_| on_way && to.skeleton.hangs_on(last, joint))
        })?;
        let end = like[next.index()]?;
        let between = |rest: &[DPlaced], from: JointId, to: JointId| {
            let gap = rest[to.index()].position - rest[from.index()].position;
            (gap.length() > 1e-4).then(|| gap.normalize())
        };
        let rest = between(rest_from, start, end)?;
        let own = between(rest_to, joint, next)?;
        Some(Self { end, rest, align: DQuat::from_rotation_arc(own, rest) })
    }

    /// What is left between the direction that the counterpart's start gives its bone and where that points: a spine of many joints
    /// bends on its way.
    fn swing(&self, start: JointId, rest_from: &[DPlaced], source: &[DPlaced]) -> DQuat {
        let turned = source[start.index()].rotation * rest_from[start.index()].rotation.inverse() * self.rest;
        let points = source[self.end.index()].position - source[start.index()].position;
        if points.length() > 1e-4 {
            DQuat::from_rotation_arc(turned.normalize(), points.normalize())
        } else {
            DQuat::IDENTITY
        }
    }
}

/// The take seen in a mirror: left does what right did. Joints without a role follow by name, if left and right differ by that.
pub fn mirror(take: &Take, figure: Figure) -> Take {
    let flip = |rotation: Quat| Quat::from_xyzw(-rotation.x, rotation.y, -rotation.z, rotation.w);
    let flop = |offset: Vec3| Vec3::new(offset.x, -offset.y, offset.z);
    let mut joints = figure.skeleton.joints().to_vec();
    joints.iter_mut().for_each(|joint| (joint.rest, joint.offset) = (flip(joint.rest), flop(joint.offset)));
    let image = Skeleton::new(joints).expect("as many joints with the same parents");
    let mut flipped = take.clone();
    flipped.rotations.iter_mut().for_each(|rotation| *rotation = flip(*rotation));
    flipped.moved.iter_mut().flat_map(|moved| &mut moved.offsets).for_each(|offset| *offset = flop(*offset));
    let roles = figure.roles.mirrored();
    let like = |joint: JointId| match figure.roles.of(joint) {
        Some(role) => roles.get(role),
        None => Some(figure.skeleton.find(&other_side(&figure.skeleton.joint(joint).name)).unwrap_or(joint)),
    };
    let pairs: Vec<Pair> = figure.skeleton.ids().filter_map(|joint| Some(Pair { joint, like: like(joint)? })).collect();
    copy(&flipped, Figure { skeleton: &image, roles: &roles }, figure, &pairs, 0.0)
}

/// A name with left for right.
fn other_side(name: &str) -> String {
    for (left, right) in [("Left", "Right"), ("left", "right"), ("_L", "_R"), (".L", ".R"), ("_l", "_r"), (".l", ".r")]
    {
        if name.contains(left) {
            return name.replacen(left, right, 1);
        }
        if name.contains(right) {
            return name.replacen(right, left, 1);
        }
    }
    // `LThumb` of CMU.
    match name.split_at_checked(1) {
        Some(("L", rest)) if rest.starts_with(char::is_uppercase) => format!("R{rest}"),
        Some(("R", rest)) if rest.starts_with(char::is_uppercase) => format!("L{rest}"),
        _ => name.to_string(),
    }
}
