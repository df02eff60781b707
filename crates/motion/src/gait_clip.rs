//! From laws to frames: a gait becomes a clip of the built-in body.

use crate::clip::{Clip, FootContacts, Span};
use crate::gait::{self, Gait};
use crate::gait_feet::{Foot, Stepping};
use crate::leg;
use crate::skeleton::Skeleton;
use crate::take::{Moved, Take};
use crate::walker;
use passerby_geometry::{Quat, Vec2, Vec3, math};

/// Frames of a cycle.
const FRAMES: usize = 40;
/// Legs are stretched to this share at the most: the pelvis comes down until they are not more.
const STRETCH: f32 = 0.993;

/// Postures of one figure, part by part, before legs are bent.
#[derive(Debug, Clone, Copy)]
pub struct Posture {
    /// Where the hips are, m.
    pub hips: Vec3,
    /// How the hips are turned.
    pub pelvis: Quat,
    /// How the chest is turned in the frame of the figure.
    pub chest: Quat,
    /// How the head is turned in the frame of the figure.
    pub head: Quat,
    /// Upper arms forward, out to the side, and elbows bent: left, right; rad.
    pub arms: [[f32; 3]; 2],
    /// Ankles, pitch and yaw (outwards positive): left, right.
    pub feet: [(Foot, f32); 2],
    /// How much toes lie on the ground although the heel is up, from 0 to 1.
    pub toes_down: [f32; 2],
}

/// Rotations of all joints of the built-in body in a posture, and where its hips are.
pub fn rotations(body: &Skeleton, posture: &Posture, out: &mut Vec<Quat>) {
    use walker::*;
    let start = out.len();
    out.resize(start + JOINTS, Quat::IDENTITY);
    let pose = &mut out[start..];
    pose[HIPS.index()] = posture.pelvis;
    // What the chest is turned against the pelvis is shared by three joints, what the head is against the chest by two.
    let third = Quat::IDENTITY.slerp(posture.pelvis.inverse() * posture.chest, 1.0 / 3.0);
    (pose[SPINE.index()], pose[BELLY.index()], pose[CHEST.index()]) = (third, third, third);
    let half = Quat::IDENTITY.slerp(posture.chest.inverse() * posture.head, 0.5);
    (pose[NECK.index()], pose[HEAD.index()]) = (half, half);
    let arms =
        [(LEFT_UPPER_ARM, LEFT_FOREARM, LEFT_FINGERS, 1.0), (RIGHT_UPPER_ARM, RIGHT_FOREARM, RIGHT_FINGERS, -1.0)];
    for ((upper, fore, fingers, side), [forward, out, bent]) in arms.into_iter().zip(posture.arms) {
        pose[upper.index()] = Quat::from_rotation_x(side * out) * Quat::from_rotation_y(-forward);
        // Palms face the thighs; the forearm bends forward and a little inwards.
        pose[fore.index()] = Quat::from_rotation_z(-side * 0.25) * Quat::from_rotation_y(-bent);
        pose[fingers.index()] = Quat::from_rotation_x(-side * 0.35);
    }
    let legs =
        [(LEFT_THIGH, LEFT_SHIN, LEFT_FOOT, LEFT_TOE, 1.0), (RIGHT_THIGH, RIGHT_SHIN, RIGHT_FOOT, RIGHT_TOE, -1.0)];
    for (i, (thigh, shin, foot, toe, side)) in legs.into_iter().enumerate() {
        let (Foot { ankle, pitch }, open) = posture.feet[i];
        let hip = posture.hips + posture.pelvis * body.joint(thigh).offset;
        let lengths = (body.joint(shin).offset.length(), body.joint(foot).offset.length());
        let yaw = Quat::from_rotation_z(side * open);
        // Knees point between pelvis and toes.
        let forward = (posture.pelvis * Vec3::X + yaw * Vec3::X).normalize_or(Vec3::X);
        let bent = leg::bend(hip, ankle, lengths.0, lengths.1, forward);
        pose[thigh.index()] = posture.pelvis.inverse() * bent.thigh;
        pose[shin.index()] = bent.thigh.inverse() * bent.shin;
        let placed = yaw * Quat::from_rotation_y(-pitch);
        pose[foot.index()] = bent.shin.inverse() * placed;
        pose[toe.index()] = Quat::from_rotation_y(pitch.min(0.0) * posture.toes_down[i]);
    }
}

/// The gait at a phase, its hips lowered by so much, m.
fn posture(gait: &Gait, feet: &[Stepping; 2], t: f32, lowered: f32) -> Posture {
    let pelvis = gait::pelvis(gait, t);
    let tall = walker::HIP * gait.stature;
    let lean = gait::lean(gait, t);
    let turned =
        Quat::from_rotation_z(pelvis.yaw) * Quat::from_rotation_x(pelvis.list) * Quat::from_rotation_y(0.3 * lean);
    let chest = Quat::from_rotation_z(gait::thorax(gait, t)) * Quat::from_rotation_y(lean);
    let arm = |t: f32| [gait::upper_arm(gait, t), if gait.running { 0.20 } else { 0.13 }, gait::elbow(gait, t)];
    let open = gait.open();
    let own = [t + 0.5, t];
    Posture {
        hips: Vec3::new(pelvis.forward, pelvis.left, tall - lowered + pelvis.up),
        pelvis: turned,
        chest,
        head: Quat::IDENTITY,
        arms: [arm(t + 0.5), arm(t)],
        feet: [(feet[0].at(own[0]), open), (feet[1].at(own[1]), open)],
        // Toes straighten once they are off the ground.
        toes_down: own.map(|t| (1.0 - (t.rem_euclid(1.0) - gait.duty) / 0.2).clamp(0.0, 1.0)),
    }
}

/// One cycle of a gait as a clip of the built-in body. `backwards` plays it in reverse, as people who walk backwards nearly do.
pub fn clip(name: &str, gait: &Gait, backwards: bool) -> Clip {
    let skeleton = walker::skeleton(gait.stature);
    let feet = [Stepping::new(gait, 1.0), Stepping::new(gait, -1.0)];
    let law = 0.0365 * gait.rv() * walker::HIP * gait.stature;
    let lowered = lowest(gait, &feet, &skeleton, if gait.running { 0.06 } else { law });
    // In reverse a foot lands where it was lifted.
    let phase = |t: f32| if backwards { gait.duty - t } else { t };
    let (mut all, mut hips) = (Vec::with_capacity((FRAMES + 1) * walker::JOINTS), Vec::with_capacity(FRAMES + 1));
    for frame in 0..=FRAMES {
        let posture = posture(gait, &feet, phase((frame % FRAMES) as f32 / FRAMES as f32), lowered);
        rotations(&skeleton, &posture, &mut all);
        hips.push(posture.hips);
    }
    keep_signs(&mut all);
    let take = Take {
        name: name.to_owned(),
        frame_rate: FRAMES as f32 / gait.cycle,
        joints: walker::JOINTS,
        rotations: all,
        moved: vec![Moved { joint: walker::HIPS, offsets: hips }],
    };
    let velocity = if backwards { -gait.velocity } else { gait.velocity };
    Clip { take, looped: true, velocity, turn: 0.0, contacts: contacts(gait, &feet[0], backwards) }
}

/// How far the hips have to come down so that no leg is stretched beyond its share, from `least` on, m.
fn lowest(gait: &Gait, feet: &[Stepping; 2], skeleton: &Skeleton, least: f32) -> f32 {
    let leg = (walker::HIP - walker::ANKLE) * gait.stature;
    let stretched = |lowered: f32| {
        (0..FRAMES).any(|frame| {
            let posture = posture(gait, feet, frame as f32 / FRAMES as f32, lowered);
            [walker::LEFT_THIGH, walker::RIGHT_THIGH].iter().zip(posture.feet).any(|(thigh, (foot, _))| {
                let hip = posture.hips + posture.pelvis * skeleton.joint(*thigh).offset;
                hip.distance(foot.ankle) > STRETCH * leg
            })
        })
    };
    let mut lowered = least;
    while lowered < least + 0.2 && stretched(lowered) {
        lowered += 0.002;
    }
    lowered
}

/// When heels and balls stand. The right foot lands at 0, the left one half a cycle later; in reverse the ball lands first.
fn contacts(gait: &Gait, foot: &Stepping, backwards: bool) -> [FootContacts; 2] {
    let span = |(from, to): (f32, f32), later: f32| {
        let (from, to) = if backwards { (gait.duty - to, gait.duty - from) } else { (from, to) };
        vec![Span { from: (from + later).rem_euclid(1.0), to: (to + later).rem_euclid(1.0) }]
    };
    [0.5, 0.0].map(|later| FootContacts { heel: span(foot.heel(), later), ball: span(foot.ball(), later) })
}

/// Quaternions of a joint keep their sign from frame to frame, so that sums of neighbours are short ways.
pub(crate) fn keep_signs(rotations: &mut [Quat]) {
    for i in walker::JOINTS..rotations.len() {
        if rotations[i].dot(rotations[i - walker::JOINTS]) < 0.0 {
            rotations[i] = -rotations[i];
        }
    }
}

/// Direction of a velocity against the torso, rad.
pub fn alpha(velocity: Vec2) -> f32 {
    math::atan2(velocity.y, velocity.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::Pose;

    /// Knee flexion of the recipe at 1.33 m/s, as worked out for the right leg at tenths of the cycle.
    #[test]
    fn knees_bend_as_the_recipe_says() {
        let clip = clip("walk", &Gait::walk(1.75, 1.33), false);
        let skeleton = walker::skeleton(1.75);
        let mut pose = Pose::default();
        for (i, expected) in [16.0, 34.0, 35.0, 28.0, 24.0, 32.0, 27.0, 53.0, 73.0, 51.0].into_iter().enumerate() {
            clip.take.sample(&skeleton, clip.take.duration() * i as f32 / 10.0, &mut pose);
            let shin = pose.rotations[walker::RIGHT_SHIN.index()];
            let flexion = (2.0 * math::atan2(shin.y, shin.w)).to_degrees();
            assert!((flexion - expected).abs() < 5.0, "at {i} tenths: {flexion}, expected {expected}");
        }
    }

    /// Feet of a clip, worked out from its joints, stand still while they are said to.
    #[test]
    fn feet_stand_still_in_the_world_in_every_gait() {
        for (gait, backwards) in [
            (Gait::walk(1.75, 1.33), false),
            (Gait::walk(1.75, 0.2), false),
            (Gait::walk(1.75, 0.8), true),
            (Gait::run(1.75, 3.0), false),
            (Gait::oblique(1.75, Vec2::new(0.0, 0.5)), false),
            (Gait::oblique(1.75, Vec2::new(0.5, 0.5)), true),
        ] {
            let clip = clip("x", &gait, backwards);
            let skeleton = walker::skeleton(1.75);
            let (mut pose, mut placed) = (Pose::default(), Vec::new());
            for (foot, toe) in [(0, walker::LEFT_TOE), (1, walker::RIGHT_TOE)] {
                let span = clip.contacts[foot].ball[0];
                let mut at = |i: usize| {
                    let phase = span.from + span.length() * i as f32 / 16.0;
                    clip.take.sample(&skeleton, phase.rem_euclid(1.0) * gait.cycle, &mut pose);
                    pose.to_model(&skeleton, &mut placed);
                    placed[toe.index()].position.truncate() + clip.velocity * phase * gait.cycle
                };
                let first = at(0);
                for i in 1..=16 {
                    let slid = at(i).distance(first);
                    assert!(slid < 0.005, "{gait:?}, foot {foot}, {i}: {slid} m");
                }
            }
        }
    }
}
