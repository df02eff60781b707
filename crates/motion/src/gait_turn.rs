//! Walking in a curve: feet that stand are still in the world while the travel frame turns.

use crate::clip::Clip;
use crate::gait::Gait;
use crate::gait_clip;
use crate::gait_feet::{Foot, Stepping};
use crate::leg;
use crate::pose::Pose;
use crate::walker;
use passerby_geometry::{Quat, Vec2, Vec3, math};

/// Gravity, m/s2.
const GRAVITY: f32 = 9.81;

/// A walk of a turn rate, rad/s, counter-clockwise. Its velocity is that of the travel frame, which turns.
pub fn clip(name: &str, stature: f32, speed: f32, turn: f32) -> Clip {
    let gait = Gait::walk(stature, speed);
    let mut clip = gait_clip::clip(name, &gait, false);
    clip.turn = turn;
    let skeleton = walker::skeleton(stature);
    let feet = [Stepping::new(&gait, 1.0), Stepping::new(&gait, -1.0)];
    let frames = clip.take.frames() - 1;
    let lean = Quat::from_rotation_x(-math::atan2(speed * turn, GRAVITY));
    let (mut pose, mut placed) = (Pose::default(), Vec::new());
    for frame in 0..=frames {
        let t = (frame % frames) as f32 / frames as f32;
        clip.take.sample(&skeleton, clip.take.duration() * frame as f32 / frames as f32, &mut pose);
        pose.rotations[0] = lean * pose.rotations[0];
        pose.to_model(&skeleton, &mut placed);
        let row = &mut clip.take.rotations[frame * walker::JOINTS..(frame + 1) * walker::JOINTS];
        row[0] = pose.rotations[0];
        let legs = [
            (walker::LEFT_THIGH, walker::LEFT_SHIN, walker::LEFT_FOOT, t + 0.5),
            (walker::RIGHT_THIGH, walker::RIGHT_SHIN, walker::RIGHT_FOOT, t),
        ];
        for (foot, (thigh, shin, ankle_joint, t)) in legs.into_iter().enumerate() {
            let straight = feet[foot].at(t);
            let (ankle, yaw) = curved(&gait, &straight, t.rem_euclid(1.0), turn);
            let lengths = (skeleton.joint(shin).offset.length(), skeleton.joint(ankle_joint).offset.length());
            let foot_turned = Quat::from_rotation_z(yaw) * placed[ankle_joint.index()].rotation;
            let bent = leg::bend(placed[thigh.index()].position, ankle, lengths.0, lengths.1, foot_turned * Vec3::X);
            row[thigh.index()] = pose.rotations[0].inverse() * bent.thigh;
            row[shin.index()] = bent.thigh.inverse() * bent.shin;
            row[ankle_joint.index()] = bent.shin.inverse() * foot_turned;
        }
    }
    gait_clip::keep_signs(&mut clip.take.rotations);
    clip
}

/// Where a foot of the straight walk is in a frame that turns: still about the middle of its stance, and back by then.
fn curved(gait: &Gait, foot: &Foot, t: f32, turn: f32) -> (Vec3, f32) {
    let middle = gait.duty * gait.ahead;
    // In the air the foot comes round from where it was lifted to where it lands.
    let stance = gait.duty;
    let at = if t <= stance { t } else { stance + (t - stance) / (1.0 - stance) * (0.0 - stance) };
    let (seconds, straight) = ((at - middle) * gait.cycle, foot.ankle);
    let angle = turn * seconds;
    // The world's point as the straight frame has it, from a frame that has gone along the arc instead.
    let speed = gait.velocity.x;
    let gone = Vec2::new(speed * seconds, 0.0);
    let (sin, cos) = math::sin_cos(angle);
    let arc = if turn.abs() < 1e-4 { gone } else { Vec2::new(sin, 1.0 - cos) * (speed / turn) };
    let world = straight.truncate() + gone - arc;
    let turned = Vec2::new(cos, -sin).rotate(world);
    (turned.extend(straight.z), -angle)
}
