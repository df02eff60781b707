//! A clip played backwards, as a clip of its own: where a foot was lifted it lands.

use crate::clip::{Clip, FootContacts, Span};
use crate::pose::Pose;
use crate::skeleton::Skeleton;
use crate::take::{Moved, Take};

/// The same cycle in reverse, so that the right foot lands at phase 0 again.
pub fn reversed(skeleton: &Skeleton, clip: &Clip) -> Clip {
    let take = &clip.take;
    let frames = take.frames() - 1;
    // The right foot leaves the ground where the last of its contacts ends.
    let right = &clip.contacts[1];
    let lifted = right.ball.iter().chain(&right.heel).map(|span| span.to).next().unwrap_or(0.0);
    let (mut rotations, mut moved) = (Vec::with_capacity(take.rotations.len()), take.moved.clone());
    moved.iter_mut().for_each(|moved| moved.offsets.clear());
    let mut pose = Pose::default();
    for frame in 0..=frames {
        let phase = (lifted - (frame % frames) as f32 / frames as f32).rem_euclid(1.0);
        take.sample(skeleton, phase * take.duration(), &mut pose);
        rotations.extend_from_slice(&pose.rotations);
        for Moved { joint, offsets } in &mut moved {
            offsets.push(pose.offsets[joint.index()]);
        }
    }
    let back = |spans: &[Span]| {
        let turn = |phase: f32| (lifted - phase).rem_euclid(1.0);
        spans.iter().map(|span| Span { from: turn(span.to), to: turn(span.from) }).collect()
    };
    let foot = |foot: &FootContacts| FootContacts { heel: back(&foot.heel), ball: back(&foot.ball) };
    Clip {
        take: Take { name: format!("{}-back", take.name), rotations, moved, ..take.clone() },
        looped: clip.looped,
        velocity: -clip.velocity,
        turn: -clip.turn,
        contacts: clip.contacts.each_ref().map(foot),
    }
}
