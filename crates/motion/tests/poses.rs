//! Poses of walking bodies, joint by joint: feet stay, nothing jumps, knees bend one way.

mod common;

use passerby_geometry::{Vec2, Vec3, math};
use passerby_motion::figure::{self, Figure};
use passerby_motion::mediator::{self, Body, Wish};
use passerby_motion::posture::Posture;
use passerby_motion::{Library, Role};

const FRAME: f32 = 1.0 / 30.0;

struct Worst {
    slide: Vec<f32>,
    turn: f32,
    knee: f32,
    torso: Vec<f32>,
    stretch: f32,
}

/// Walks and looks at every frame. A stance is found from the joints alone: the ball within 3 mm of the ground for 0.1 s and more.
fn look(library: &Library, scale: f32, seconds: f32, wish: impl Fn(f32) -> Wish) -> Worst {
    let (mut agent, mut body) = (Vec2::ZERO, Body::standing(library, Vec2::ZERO, 0.0));
    let quickest = quickest(library);
    let joint = |role: Role| library.roles().get(role).expect("everybody has it");
    // Which way chest and thighs face, in the frames of their joints: as they stand, everybody faces x.
    let mut rest: Figure = Figure::default();
    rest.set(library, &body, scale);
    let frame_of = |role: Role| rest.placed[joint(role).index()].rotation;
    let ahead = frame_of(Role::Chest).inverse() * Vec3::X;
    let (mut figure, mut last): (Figure, Option<Figure>) = (Figure::default(), None);
    let mut worst = Worst { slide: Vec::new(), turn: 0.0, knee: f32::INFINITY, torso: Vec::new(), stretch: 0.0 };
    let mut down: [Vec<Vec3>; 2] = [Vec::new(), Vec::new()];
    for frame in 0..(seconds / FRAME) as usize {
        let wish = wish(frame as f32 * FRAME);
        agent += mediator::step(library, scale, &mut body, agent, &wish, FRAME).displacement;
        figure.set(library, &body, scale);
        for (side, toe) in [Role::LeftToe, Role::RightToe].map(joint).into_iter().enumerate() {
            let ball = figure::in_world(&body, scale, figure.placed[toe.index()].position);
            if ball.z < 0.003 {
                down[side].push(ball);
            } else {
                let stance = std::mem::take(&mut down[side]);
                if stance.len() >= 4 {
                    let spread = stance.iter().map(|at| at.truncate().distance(stance[1].truncate()));
                    // The first and the last frame are on the way down and up.
                    worst.slide.push(spread.skip(1).take(stance.len() - 2).fold(0.0, f32::max));
                }
            }
        }
        for [thigh, shin, foot] in [
            [Role::LeftThigh, Role::LeftShin, Role::LeftFoot].map(joint),
            [Role::RightThigh, Role::RightShin, Role::RightFoot].map(joint),
        ] {
            let at = |joint: passerby_motion::JointId| figure.placed[joint.index()].position;
            // Seen along the thigh the shin of a bent knee points backwards, away from where the thigh faces.
            let along = (at(shin) - at(thigh)).normalize();
            let turned = figure.placed[thigh.index()].rotation * rest.placed[thigh.index()].rotation.inverse();
            let faces = (turned * Vec3::X).reject_from_normalized(along).normalize();
            let bent = at(foot) - at(shin);
            let flexion = math::atan2(-bent.dot(faces), bent.dot(along)).to_degrees();
            worst.knee = worst.knee.min(flexion);
            let leg = at(thigh).distance(at(shin)) + at(shin).distance(at(foot));
            worst.stretch = worst.stretch.max((leg / library.leg() - 1.0).abs());
        }
        if wish.velocity.length() > 0.3 {
            let facing = figure.placed[joint(Role::Chest).index()].rotation * ahead;
            let facing = Vec2::from_angle(body.heading).rotate(facing.truncate());
            worst.torso.push(facing.angle_to(wish.velocity).abs().to_degrees());
        }
        for (joint, now) in figure.pose.rotations.iter().enumerate() {
            assert!(now.is_finite() && (now.length() - 1.0).abs() < 1e-4, "joint {joint}: {now}");
            if let Some(last) = &last {
                let turned = last.pose.rotations[joint].angle_between(*now).to_degrees();
                // Quick joints may be as quick as they are in the clips.
                let excess = turned - quickest[joint].max(15.0);
                if excess > worst.turn {
                    worst.turn = excess;
                    println!(
                        "  {:.2} s joint {} turns {turned:.1} degrees, clips {:.1}",
                        frame as f32 * FRAME,
                        library.skeleton().joints()[joint].name,
                        quickest[joint]
                    );
                }
            }
        }
        last = Some(figure.clone());
    }
    worst
}

/// How far each joint turns in a frame of a clip that is played a quarter faster than it was made, at the most, degrees.
fn quickest(library: &Library) -> Vec<f32> {
    let mut quickest = vec![0.0f32; library.skeleton().len()];
    for clip in library.clips().iter().filter(|clip| clip.velocity.length() > 0.0 && clip.velocity.length() < 2.1) {
        let frame = 1.0 / clip.take.frame_rate;
        for pair in 1..clip.take.frames() {
            for (joint, (a, b)) in clip.take.frame(pair - 1).iter().zip(clip.take.frame(pair)).enumerate() {
                let turned = a.angle_between(*b).to_degrees() / frame * FRAME * 1.25;
                quickest[joint] = quickest[joint].max(turned);
            }
        }
    }
    quickest
}

fn at(values: &[f32], share: f32) -> f32 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted.get(((sorted.len() as f32 * share) as usize).min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

#[track_caller]
fn check(name: &str, worst: &Worst) {
    let [median, p95] = [0.5, 0.95].map(|share| at(&worst.slide, share) * 1000.0);
    println!(
        "{name}: {} stances, ball moves {median:.2} / {p95:.2} mm, joints turn {:.1} degrees more than in a clip, knees bend from {:.1} degrees, \
         torso within {:.1} degrees, legs stretched by {:.2} %",
        worst.slide.len(),
        worst.turn,
        worst.knee,
        at(&worst.torso, 0.95),
        worst.stretch * 100.0
    );
    assert!(median < 1.0 && p95 < 5.0, "{name}: feet slide");
    assert!(worst.turn <= 0.0, "{name}: a joint jumps");
    assert!(worst.knee > -0.5, "{name}: a knee bends backwards");
    assert!(at(&worst.torso, 0.95) < 30.0, "{name}: the torso does not face the way");
    assert!(worst.stretch < 0.01, "{name}: a leg is stretched");
}

fn go(speed: f32, heading: f32) -> Wish {
    Wish {
        velocity: Vec2::from_angle(heading) * speed,
        cruise: speed,
        facing: None,
        pushed: Vec2::ZERO,
        posture: Posture::Stand,
    }
}

fn stop_and_go(t: f32) -> Wish {
    let t = t.rem_euclid(7.0);
    let speed = (4.0 * t).min(4.0 * (4.0 - t)).clamp(0.0, 1.3);
    Wish { cruise: if t < 3.6 { 1.3 } else { 0.0 }, ..go(speed, 0.0) }
}

/// From 0 to 2 m/s and back.
fn sweep(t: f32) -> Wish {
    go(1.0 - math::cos(t * 0.157), 0.0)
}

fn on_the_spot(t: f32) -> Wish {
    Wish { facing: Some(1.5 * (t * 0.5).floor()), ..go(0.0, 0.0) }
}

#[test]
fn poses_are_those_of_people() {
    let library = Library::built_in();
    for speed in [0.2, 0.6, 1.0, 1.33, 1.8] {
        check(&format!("{speed} m/s"), &look(&library, 1.0, 15.0, |_| go(speed, 0.0)));
    }
    check("tall", &look(&library, 1.1, 15.0, |_| go(1.3, 0.0)));
    check("small", &look(&library, 0.85, 15.0, |_| go(1.3, 0.0)));
    check("curve", &look(&library, 1.0, 20.0, |t| go(1.2, 0.5 * t)));
    check("slalom", &look(&library, 1.0, 30.0, |t| go(1.3, 0.6 * math::sin(t * 0.8))));
    check("figure of eight", &look(&library, 1.0, 40.0, |t| go(1.2, 2.8 * math::sin(t * 0.35))));
    check("stop and go", &look(&library, 1.0, 42.0, stop_and_go));
    check("sweep", &look(&library, 1.0, 40.0, sweep));
    check("turns on the spot", &look(&library, 1.0, 30.0, on_the_spot));
}

/// The same of three captured walks on their own skeleton.
#[test]
fn poses_of_captured_clips_are_those_of_people() {
    let Some(library) = common::captured() else { return };
    // Balls of captured feet are not all at one height, so stances are those of the clips' contacts: `walks`.
    let walks = |name: &str, wish: &dyn Fn(f32) -> Wish| {
        let worst = Worst { slide: Vec::new(), ..look(&library, 1.0, 30.0, wish) };
        check(&format!("captured, {name}"), &worst);
    };
    for speed in [0.6, 1.0, 1.33, 1.6] {
        walks(&format!("{speed} m/s"), &|_| go(speed, 0.0));
    }
    walks("curve", &|t| go(1.2, 0.5 * t));
    walks("slalom", &|t| go(1.3, 0.6 * math::sin(t * 0.8)));
    walks("figure of eight", &|t| go(1.2, 2.8 * math::sin(t * 0.35)));
    walks("stop and go", &stop_and_go);
    walks("sweep", &sweep);
    walks("turns on the spot", &on_the_spot);
}
