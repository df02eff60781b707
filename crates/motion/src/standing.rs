//! What people do without going anywhere: stand, wait, talk, look around, sit down, get up, turn.
//!
//! Feet stand, the rest of the body follows laws of time: breathing at 0.25 a second and sway below 10 mm; sitting down takes the
//! hips down by 0.41 m and back in some 0.8 s while the trunk leans to 38 degrees and returns (measured clips).

use crate::clip::{Clip, FootContacts, Span};
use crate::gait_clip::{self, Posture, keep_signs};
use crate::gait_feet::Foot;
use crate::take::{Moved, Take};
use crate::walker;
use passerby_geometry::{Quat, Vec2, Vec3, math};
use std::f32::consts::TAU;

/// Frames a second.
const RATE: f32 = 20.0;
/// From the middle to each ankle of who stands, over stature.
const ASIDE: f32 = 0.042;
/// How high a seat is over stature.
const SEAT: f32 = 0.25;

/// Standing quietly, breathing: a loop of 4 s.
pub fn idle(stature: f32) -> Clip {
    still("idle", stature, 4.0, true, |s| quiet(stature, s))
}

/// Everything else that stays in its place.
pub fn clips(stature: f32) -> Vec<Clip> {
    let mut clips = vec![
        still("wait", stature, 12.0, true, |s| waiting(stature, s)),
        still("talk", stature, 6.0, true, |s| talking(stature, s)),
        still("look-around", stature, 6.0, true, |s| looking(stature, s)),
        still("sit-down", stature, 1.6, false, |s| seated(stature, smooth(s / 1.2))),
        still("sit", stature, 4.0, true, |s| seated_quietly(stature, s)),
        still("stand-up", stature, 1.8, false, |s| seated(stature, 1.0 - smooth((s - 0.2) / 1.3))),
    ];
    for degrees in [45.0f32, 90.0, -45.0, -90.0] {
        let side = if degrees > 0.0 { "left" } else { "right" };
        let name = format!("turn-{side}-{:.0}", degrees.abs());
        let steps = (degrees.abs() / 45.0).round();
        clips.push(turn(&name, stature, degrees.to_radians(), 1.2 * steps));
    }
    for (name, turn) in [("walk-left", 0.6), ("walk-right", -0.6)] {
        clips.push(crate::gait_turn::clip(name, stature, 1.1, turn));
    }
    clips
}

fn smooth(share: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// Upright, feet side by side, arms hanging.
fn upright(stature: f32) -> Posture {
    let foot = |side: f32| {
        let ankle = Vec3::new(0.0, side * ASIDE * stature, walker::ANKLE * stature);
        (Foot { ankle, pitch: 0.0 }, 7f32.to_radians())
    };
    Posture {
        hips: Vec3::new(0.0, 0.0, walker::HIP * stature - 0.005),
        pelvis: Quat::IDENTITY,
        chest: Quat::IDENTITY,
        head: Quat::IDENTITY,
        arms: [[0.03, 0.12, 0.18]; 2],
        feet: [foot(1.0), foot(-1.0)],
        toes_down: [0.0; 2],
    }
}

fn quiet(stature: f32, s: f32) -> Posture {
    let mut posture = upright(stature);
    let breath = math::sin(TAU * 0.25 * s);
    posture.hips += Vec3::new(0.004 * math::sin(TAU * 0.25 * s + 1.0), 0.003 * math::cos(TAU * 0.25 * s), 0.0);
    posture.chest = Quat::from_rotation_y(-0.012 * breath);
    posture.arms = [[0.03, 0.12 + 0.01 * breath, 0.18]; 2];
    posture
}

/// Weight goes from one leg to the other and back.
fn waiting(stature: f32, s: f32) -> Posture {
    let mut posture = quiet(stature, s);
    let shift = math::sin(TAU * s / 12.0);
    let firm = shift * (1.5 - 0.5 * shift * shift);
    posture.hips += Vec3::new(0.0, 0.035 * firm, -0.012 * firm * firm);
    posture.pelvis = Quat::from_rotation_x(0.05 * firm);
    posture.chest = Quat::from_rotation_x(-0.03 * firm) * posture.chest;
    posture.head = Quat::from_rotation_z(0.25 * math::sin(TAU * s / 6.0)) * Quat::from_rotation_y(0.06);
    posture
}

/// A hand tells along, the head nods.
fn talking(stature: f32, s: f32) -> Posture {
    let mut posture = quiet(stature, s);
    let beat = |rate: f32| math::sin(TAU * rate * s / 6.0);
    posture.arms[1] = [0.35 + 0.18 * beat(5.0), 0.20 + 0.06 * beat(3.0), 1.25 + 0.30 * beat(7.0)];
    posture.arms[0] = [0.08 + 0.05 * beat(2.0), 0.14, 0.35 + 0.10 * beat(3.0)];
    posture.chest = Quat::from_rotation_z(0.06 * beat(2.0)) * posture.chest;
    posture.head = Quat::from_rotation_z(0.10 * beat(1.0)) * Quat::from_rotation_y(0.05 * beat(4.0));
    posture
}

fn looking(stature: f32, s: f32) -> Posture {
    let mut posture = quiet(stature, s);
    let wave = math::sin(TAU * s / 6.0);
    let look = wave * (1.5 - 0.5 * wave * wave);
    posture.chest = Quat::from_rotation_z(0.25 * look) * posture.chest;
    posture.head = Quat::from_rotation_z(0.95 * look) * Quat::from_rotation_y(-0.04);
    posture
}

/// From standing (0) to sitting (1).
fn seated(stature: f32, share: f32) -> Posture {
    let mut posture = upright(stature);
    let low = Vec3::new(-0.245 * stature * 0.95, 0.0, SEAT * stature + 0.05 * stature);
    posture.hips = posture.hips.lerp(low, share);
    // The trunk leans most half way and returns.
    let lean = 38f32.to_radians() * 4.0 * share * (1.0 - share);
    posture.pelvis = Quat::from_rotation_y(0.5 * lean - 0.10 * share);
    posture.chest = Quat::from_rotation_y(lean);
    posture.head = Quat::from_rotation_y(0.4 * lean);
    posture.arms = [[0.03 + 0.42 * share, 0.12, 0.18 + 0.62 * share]; 2];
    posture
}

fn seated_quietly(stature: f32, s: f32) -> Posture {
    let mut posture = seated(stature, 1.0);
    posture.chest = Quat::from_rotation_y(-0.012 * math::sin(TAU * 0.25 * s)) * posture.chest;
    posture
}

/// Turning on the spot, a step of 45 degrees at a time: one foot opens, the other follows.
fn turn(name: &str, stature: f32, angle: f32, seconds: f32) -> Clip {
    let steps = (angle.abs() / 45f32.to_radians()).round().max(1.0);
    let first = usize::from(angle < 0.0);
    let at = |s: f32| {
        let share = s / seconds;
        let mut posture = quiet(stature, 0.0);
        // Pelvis and chest turn evenly, the head first.
        let heading = angle * smooth(share);
        let base = upright(stature);
        posture.pelvis = Quat::from_rotation_z(heading);
        posture.chest = Quat::from_rotation_z(angle * smooth(share * 1.1));
        posture.head = Quat::from_rotation_z(angle * smooth(share * 1.25));
        for foot in 0..2 {
            let begin = if foot == first { 0.0 } else { 0.5 };
            let local = (share * steps).min(steps - 1e-4);
            let (done, now) = (local.floor(), local.fract());
            let u = ((now - begin) / 0.5).clamp(0.0, 1.0);
            let yaw = angle / steps * (done + smooth(u));
            let (Foot { ankle, pitch }, open) = base.feet[foot];
            let side = if foot == 0 { 1.0 } else { -1.0 };
            let turned = Quat::from_rotation_z(yaw) * ankle;
            let lifted = turned + Vec3::Z * 0.05 * 4.0 * u * (1.0 - u);
            posture.feet[foot] = (Foot { ankle: lifted, pitch }, open + side * yaw);
        }
        posture
    };
    let mut clip = still(name, stature, seconds, false, at);
    let spans = |foot: usize| {
        let begin = if foot == first { 0.0 } else { 0.5 };
        let mut spans = Vec::new();
        let mut from = 0.0;
        for step in 0..steps as usize {
            let lift = (step as f32 + begin) / steps;
            if lift > from {
                spans.push(Span { from, to: lift });
            }
            from = (step as f32 + begin + 0.5) / steps;
        }
        if from < 1.0 {
            spans.push(Span { from, to: 1.0 });
        }
        spans
    };
    clip.contacts = [0, 1].map(|foot| FootContacts { heel: spans(foot), ball: spans(foot) });
    clip
}

/// A clip in which feet stand all the time.
fn still(name: &str, stature: f32, seconds: f32, looped: bool, at: impl Fn(f32) -> Posture) -> Clip {
    let skeleton = walker::skeleton(stature);
    let frames = (seconds * RATE).round() as usize;
    let (mut rotations, mut hips) = (Vec::new(), Vec::new());
    for frame in 0..=frames {
        let frame = if looped { frame % frames } else { frame };
        let posture = at(frame as f32 / RATE);
        gait_clip::rotations(&skeleton, &posture, &mut rotations);
        hips.push(posture.hips);
    }
    keep_signs(&mut rotations);
    let always = || FootContacts { heel: vec![Span { from: 0.0, to: 1.0 }], ball: vec![Span { from: 0.0, to: 1.0 }] };
    Clip {
        take: Take {
            name: name.to_owned(),
            frame_rate: RATE,
            joints: walker::JOINTS,
            rotations,
            moved: vec![Moved { joint: walker::HIPS, offsets: hips }],
        },
        looped,
        velocity: Vec2::ZERO,
        turn: 0.0,
        contacts: [always(), always()],
    }
}

/// The mirror image of a clip of the built-in body, so that the right foot lands at phase 0 again.
pub fn mirrored(clip: &Clip) -> Clip {
    let take = &clip.take;
    let frames = take.frames() - 1;
    // A cycle begins half a cycle later: with the touch-down of what was the left foot.
    let later = if clip.looped { frames / 2 } else { 0 };
    let source = |frame: usize| if clip.looped { (frame + later) % frames } else { frame };
    let mut rotations = vec![Quat::IDENTITY; take.rotations.len()];
    for frame in 0..=frames {
        for (joint, q) in take.frame(source(frame)).iter().enumerate() {
            let other = walker::mirrored(crate::skeleton::JointId(joint as u16)).index();
            rotations[frame * take.joints + other] = Quat::from_xyzw(-q.x, q.y, -q.z, q.w);
        }
    }
    keep_signs(&mut rotations);
    let moved = take.moved.iter().map(|moved| Moved {
        joint: moved.joint,
        offsets: (0..=frames).map(|frame| moved.offsets[source(frame)] * Vec3::new(1.0, -1.0, 1.0)).collect(),
    });
    let back = later as f32 / frames as f32;
    let earlier = |spans: &[Span]| {
        let wrap = |phase: f32| if clip.looped { (phase - back).rem_euclid(1.0) } else { phase };
        spans.iter().map(|span| Span { from: wrap(span.from), to: wrap(span.to) }).collect()
    };
    let foot = |foot: &FootContacts| FootContacts { heel: earlier(&foot.heel), ball: earlier(&foot.ball) };
    Clip {
        take: Take {
            name: format!("{}-right", take.name),
            rotations,
            moved: moved.collect(),
            frame_rate: take.frame_rate,
            joints: take.joints,
        },
        looped: clip.looped,
        velocity: Vec2::new(clip.velocity.x, -clip.velocity.y),
        turn: -clip.turn,
        contacts: [foot(&clip.contacts[1]), foot(&clip.contacts[0])],
    }
}
