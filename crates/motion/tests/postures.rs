//! Sitting, talking, waiting, looking around: feet stay, nothing jumps, and who is to walk stands up first.

use passerby_geometry::{Vec2, Vec3};
use passerby_motion::figure::{self, Figure};
use passerby_motion::mediator::{self, Body, Wish};
use passerby_motion::posture::Posture;
use passerby_motion::{Library, walker};

const FRAME: f32 = 1.0 / 30.0;

/// What was seen of somebody: in every frame the name of the clip, hips and both balls in the world.
struct Seen {
    clip: String,
    hips: Vec3,
    balls: [Vec3; 2],
    agent: Vec2,
}

/// Looks at somebody in every frame; no joint may turn by more than 15 degrees from one to the next.
fn look(seconds: f32, wish: impl Fn(f32) -> Wish) -> Vec<Seen> {
    let library = Library::built_in();
    let (mut agent, mut body) = (Vec2::ZERO, Body::standing(&library, Vec2::ZERO, 0.4));
    let (mut figure, mut last): (Figure, Option<Figure>) = (Figure::default(), None);
    let mut seen = Vec::new();
    for frame in 0..(seconds / FRAME) as usize {
        let walked = mediator::step(&library, 1.05, &mut body, agent, &wish(frame as f32 * FRAME), FRAME);
        agent += walked.displacement;
        assert_eq!(walked.skating, 0, "a foot is beyond its leg");
        figure.set(&library, &body, 1.05);
        if let Some(last) = &last {
            for (joint, (was, is)) in last.pose.rotations.iter().zip(&figure.pose.rotations).enumerate() {
                let turned = was.angle_between(*is).to_degrees();
                let name = walker::NAMES[joint];
                // A leg that takes a step may be as quick as in a walk.
                let steps = body.feet.iter().any(|foot| foot.step > 0.0) || !library.stays(body.clip);
                assert!(turned < 15.0 || steps, "{name}: {turned} degrees");
            }
        }
        last = Some(figure.clone());
        let at = |joint: passerby_motion::JointId| figure::in_world(&body, 1.05, figure.placed[joint.index()].position);
        seen.push(Seen {
            clip: library.clip(body.clip).take.name.clone(),
            hips: at(walker::HIPS),
            balls: [at(walker::LEFT_TOE), at(walker::RIGHT_TOE)],
            agent,
        });
    }
    seen
}

fn stay(posture: Posture) -> Wish {
    Wish { velocity: Vec2::ZERO, cruise: 0.0, facing: None, pushed: Vec2::ZERO, posture }
}

/// Hips fall by some 0.41 m, as measured; feet stay where they are; getting up takes a second or two before the first step.
#[test]
fn who_sits_gets_up_before_walking() {
    let go = Wish { velocity: Vec2::X * 1.2, cruise: 1.2, posture: Posture::Sit, ..stay(Posture::Sit) };
    let seen = look(14.0, |t| match t {
        t if t < 1.0 => stay(Posture::Stand),
        t if t < 7.0 => stay(Posture::Sit),
        _ => go,
    });
    let mut clips: Vec<&str> = seen.iter().map(|seen| seen.clip.as_str()).collect();
    let at = |name: &str| clips.iter().position(|clip| *clip == name).unwrap_or_else(|| panic!("{name} is not played"));
    let (down, sits, up) = (at("sit-down"), at("sit"), at("stand-up"));
    let stood = up + clips[up..].iter().position(|clip| *clip == "idle").expect("they stand");
    assert!(down < sits && sits < up);
    let fall = seen[0].hips.z - seen[sits + 10].hips.z;
    println!(
        "hips fall by {fall:.3} m in {:.2} s, rise in {:.2} s",
        (sits - down) as f32 * FRAME,
        (stood - up) as f32 * FRAME
    );
    assert!((0.36..0.46).contains(&fall), "{fall} m");
    for (frame, seen_now) in seen[..stood].iter().enumerate() {
        for (ball, first) in seen_now.balls.iter().zip(&seen[0].balls) {
            assert!(ball.distance(*first) < 1e-3, "frame {frame}: a foot moved by {} m", ball.distance(*first));
        }
        assert_eq!(seen_now.agent, Vec2::ZERO, "frame {frame}: nobody walks sitting");
    }
    for (frame, pair) in seen[..=stood].windows(2).enumerate() {
        let moved = pair[0].hips.distance(pair[1].hips);
        assert!(moved < 0.04, "frame {frame}: hips move by {moved} m");
    }
    clips.dedup();
    assert!(clips.starts_with(&["idle", "sit-down", "sit", "stand-up", "idle"]), "{clips:?}");
    assert!(clips[5].starts_with("walk") && seen[seen.len() - 1].agent.x > 3.0, "{clips:?}");
}

#[test]
fn standing_postures_follow_each_other() {
    let seen = look(24.0, |t| match (t / 6.0) as u32 {
        0 => stay(Posture::Talk),
        1 => stay(Posture::Wait),
        2 => stay(Posture::LookAround),
        _ => stay(Posture::Stand),
    });
    let mut clips: Vec<&str> = seen.iter().map(|seen| seen.clip.as_str()).collect();
    clips.dedup();
    assert_eq!(clips, ["talk", "idle", "wait", "idle", "look-around", "idle"]);
    for seen_now in &seen {
        for (ball, first) in seen_now.balls.iter().zip(&seen[0].balls) {
            assert!(ball.distance(*first) < 1e-3, "a foot moved by {} m", ball.distance(*first));
        }
    }
}

/// Who is pushed while sitting stays seated; who turns elsewhere while talking goes on with it once turned.
#[test]
fn postures_bear_what_happens_to_people() {
    let pushed = Wish { pushed: Vec2::new(0.0, 0.06), ..stay(Posture::Sit) };
    let seen = look(6.0, |t| if (4.0..4.5).contains(&t) { pushed } else { stay(Posture::Sit) });
    assert_eq!(seen[seen.len() - 1].clip, "sit");
    let turning = Wish { facing: Some(1.2), ..stay(Posture::Talk) };
    let seen = look(6.0, |t| if t < 2.0 { stay(Posture::Talk) } else { turning });
    let mut clips: Vec<&str> = seen.iter().map(|seen| seen.clip.as_str()).collect();
    clips.dedup();
    assert_eq!(clips, ["talk", "idle", "talk"]);
}
