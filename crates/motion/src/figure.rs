//! The pose of a body, worked out when somebody looks.
//!
//! Both clips are sampled and blended; the spine is twisted so that the torso faces where it should; each foot is put where its
//! table and shift say, by bending the leg; where a leg is too short for that the pelvis comes down.

use crate::footing::FootPlace;
use crate::leg;
use crate::library::{ClipId, Library};
use crate::mediator::{Body, Foot, GIVE, GIVE_STANDING, ROLL};
use crate::pose::{Placed, Pose};
use crate::role::Role;
use crate::skeleton::JointId;
use crate::take::Take;
use passerby_geometry::{Quat, Vec2, Vec3, math};

/// How high a foot is lifted in a step on the spot, m, for the library's stature.
const STEP_HEIGHT: f32 = 0.07;

/// A knee is this far from the line between hip and ankle where it begins to be straight, m.
const STRAIGHT: f32 = 0.02;

/// A posed figure, in its own frame: x is where the figure heads. Buffers are kept from one pose to the next.
#[derive(Debug, Clone, Default)]
pub struct Figure {
    /// Rotations and offsets relative to parents, for the library's stature: the figure is scaled as a whole.
    pub pose: Pose,
    /// Every joint, in the frame of the figure, for the library's stature.
    pub placed: Vec<Placed>,
}

/// Joints of a leg.
struct LegJoints {
    thigh: JointId,
    shin: JointId,
    foot: JointId,
    toe: Option<JointId>,
    heel: Option<JointId>,
}

impl Figure {
    /// Poses a body.
    pub fn set(&mut self, library: &Library, body: &Body, scale: f32) {
        let skeleton = library.skeleton();
        let weight = body.weight();
        let at = |clip: ClipId| {
            let take = &library.clip(clip).take;
            (take, body.phase * take.duration())
        };
        if weight < 1.0 {
            Take::sample_two(skeleton, at(body.before), at(body.clip), weight, &mut self.pose);
        } else {
            let (take, time) = at(body.clip);
            take.sample(skeleton, time, &mut self.pose);
        }
        self.twist(library, body.twist());
        self.pose.to_model(skeleton, &mut self.placed);
        let legs = [leg_joints(library, true), leg_joints(library, false)];
        let turned = Vec2::from_angle(-body.heading);
        let mut targets = [Vec3::ZERO; 2];
        let mut feet = [Quat::IDENTITY; 2];
        let stands = body.stands(library);
        for side in 0..2 {
            let Some(joints) = &legs[side] else { return };
            let foot = &body.feet[side];
            let place = place(library, foot, side, body.phase);
            let rotation = Quat::from_rotation_z(foot.yaw) * self.placed[joints.foot.index()].rotation;
            // Ball or heel is where the table has it, moved by the shift; the ankle is where the foot then puts it.
            let point = self.point(library, joints, body, side);
            let (wanted, reach) = match point {
                Some((joint, true)) => (place.ball, self.pose.offsets[joint.index()]),
                Some((joint, false)) => (place.heel, self.pose.offsets[joint.index()]),
                None => (place.ankle, Vec3::ZERO),
            };
            // Who halts with a foot in the air has it lifted already, by the clip that fades.
            let lift = STEP_HEIGHT * 4.0 * foot.step * (1.0 - foot.step) * foot.weight();
            let lifted = if stands { lift } else { 0.0 };
            let shift = turned.rotate(foot.shift / scale).extend(lifted);
            targets[side] = wanted + shift - rotation * reach;
            feet[side] = rotation;
        }
        self.give_way(library, &legs, &targets, if stands { GIVE_STANDING } else { GIVE } / scale);
        for side in 0..2 {
            if let Some(joints) = &legs[side] {
                if let Some((joint, true)) = self.point(library, joints, body, side) {
                    let hip = self.placed[joints.thigh.index()].position;
                    let ball = targets[side] + feet[side] * self.pose.offsets[joint.index()];
                    let reach = leg::REACH * self.leg(library, joints);
                    let rolled = leg::roll(hip, targets[side], ball, reach, ROLL);
                    targets[side] = ball + rolled * (targets[side] - ball);
                    feet[side] = rolled * feet[side];
                }
                self.bend(library, joints, targets[side], feet[side]);
            }
        }
        self.pose.to_model(skeleton, &mut self.placed);
    }

    /// The joint that the place of a foot is told by, and whether it is the ball.
    fn point(&self, library: &Library, joints: &LegJoints, body: &Body, side: usize) -> Option<(JointId, bool)> {
        let labels = body.labels(library);
        let heel = labels.stands(side, body.phase) == Some(crate::footing::Point::Heel) && !body.stands(library);
        match (heel, joints.toe, joints.heel) {
            (true, _, Some(heel)) => Some((heel, false)),
            (_, Some(toe), _) => Some((toe, true)),
            _ => None,
        }
    }

    /// Turns the spine so that the torso faces where it should, in equal parts.
    fn twist(&mut self, library: &Library, twist: f32) {
        let (Some(hips), Some(chest)) = (library.roles().get(Role::Hips), library.roles().get(Role::Chest)) else {
            return;
        };
        let mut spine = Vec::with_capacity(8);
        let mut joint = chest;
        while joint != hips {
            spine.push(joint);
            let Some(parent) = library.skeleton().joint(joint).parent else { break };
            joint = parent;
        }
        self.pose.to_model(library.skeleton(), &mut self.placed);
        let part = Quat::from_rotation_z(twist / spine.len().max(1) as f32);
        for joint in spine {
            let parent = library
                .skeleton()
                .joint(joint)
                .parent
                .map_or(Quat::IDENTITY, |parent| self.placed[parent.index()].rotation);
            // A turn about the vertical, in the frame of the parent.
            let local = &mut self.pose.rotations[joint.index()];
            *local = parent.inverse() * part * parent * *local;
        }
    }

    /// Lowers the hips until both legs reach, as far as they may.
    fn give_way(&mut self, library: &Library, legs: &[Option<LegJoints>; 2], targets: &[Vec3; 2], most: f32) {
        let mut down: f32 = 0.0;
        for (joints, target) in legs.iter().flatten().zip(targets) {
            let to = *target - self.placed[joints.thigh.index()].position;
            let length = leg::REACH * self.leg(library, joints);
            let flat = to.truncate().length_squared();
            let room = (length * length - flat).max(0.0).sqrt();
            down = down.max(-to.z - room);
        }
        let Some(hips) = library.roles().get(Role::Hips) else { return };
        self.pose.offsets[hips.index()].z -= down.clamp(0.0, most);
        self.pose.to_model(library.skeleton(), &mut self.placed);
    }

    fn leg(&self, library: &Library, joints: &LegJoints) -> f32 {
        let bone = |joint: JointId| library.skeleton().joint(joint).offset.length();
        bone(joints.shin) + bone(joints.foot)
    }

    /// Bends a leg so that its foot is where it should be, in the plane its knee is in.
    fn bend(&mut self, library: &Library, joints: &LegJoints, ankle: Vec3, foot: Quat) {
        let skeleton = library.skeleton();
        let bone = |joint: JointId| skeleton.joint(joint).offset;
        let (hip, old) = (self.placed[joints.thigh.index()], self.placed[joints.shin.index()]);
        let (knee, end) = (old.position, self.placed[joints.foot.index()].position);
        let (thigh, shin) = (bone(joints.shin), bone(joints.foot));
        // The knee keeps to its side: away from the line from hip to ankle. That of a leg that is nearly straight says little, so the foot
        // has the more to say the straighter it is.
        let line = (end - hip.position).normalize_or(Vec3::NEG_Z);
        let aside = (knee - hip.position) - line * (knee - hip.position).dot(line);
        let sole = joints.toe.map_or(Vec3::X, |toe| foot * bone(toe));
        let ahead = sole.truncate().normalize_or(Vec2::X).extend(0.0);
        let forward = aside + ahead * (STRAIGHT - aside.length()).max(0.0);
        let bent = leg::bend(hip.position, ankle, thigh.length(), shin.length(), forward);
        // Each bone is turned from where it points to where it should; what the clip twisted about it stays.
        let thigh_turn = Quat::from_rotation_arc(
            (knee - hip.position).normalize_or(Vec3::NEG_Z),
            (bent.knee - hip.position).normalize_or(Vec3::NEG_Z),
        );
        let thigh_model = thigh_turn * hip.rotation;
        let shin_before = thigh_turn * (end - knee);
        let shin_turn = Quat::from_rotation_arc(
            shin_before.normalize_or(Vec3::NEG_Z),
            (bent.ankle - bent.knee).normalize_or(Vec3::NEG_Z),
        );
        let shin_model = shin_turn * thigh_turn * old.rotation;
        let parent =
            skeleton.joint(joints.thigh).parent.map_or(Quat::IDENTITY, |hips| self.placed[hips.index()].rotation);
        let local = &mut self.pose.rotations;
        local[joints.thigh.index()] = (parent.inverse() * thigh_model).normalize();
        local[joints.shin.index()] = (thigh_model.inverse() * shin_model).normalize();
        local[joints.foot.index()] = (shin_model.inverse() * foot).normalize();
    }
}

fn leg_joints(library: &Library, left: bool) -> Option<LegJoints> {
    let roles = library.roles();
    let (thigh, shin, foot, toe, heel) = if left {
        (Role::LeftThigh, Role::LeftShin, Role::LeftFoot, Role::LeftToe, "left_heel")
    } else {
        (Role::RightThigh, Role::RightShin, Role::RightFoot, Role::RightToe, "right_heel")
    };
    Some(LegJoints {
        thigh: roles.get(thigh)?,
        shin: roles.get(shin)?,
        foot: roles.get(foot)?,
        toe: roles.get(toe),
        heel: library.skeleton().find(heel),
    })
}

/// Where a foot is by the clips it goes by.
fn place(library: &Library, foot: &Foot, side: usize, phase: f32) -> FootPlace {
    let now = library.footing(foot.clip).place(side, phase);
    if foot.fade >= 1.0 {
        return now;
    }
    let (before, share) = (library.footing(foot.before).place(side, phase), foot.weight());
    FootPlace {
        heel: before.heel.lerp(now.heel, share),
        ball: before.ball.lerp(now.ball, share),
        ankle: before.ankle.lerp(now.ankle, share),
        hip: before.hip.lerp(now.hip, share),
    }
}

/// A point of a figure's frame in the world.
pub fn in_world(body: &Body, scale: f32, point: Vec3) -> Vec3 {
    let (sin, cos) = math::sin_cos(body.heading);
    let plane = Vec2::new(cos, sin).rotate(point.truncate() * scale) + body.root;
    plane.extend(point.z * scale)
}
