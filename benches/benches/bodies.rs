//! What bodies cost: the mediator's step of one person, the full pose of one figure, and a crowd that walks on feet.
//!
//! `cargo bench -p passerby-benches --bench bodies` first checks that fast poses are those of a plain reference, and that roots go where
//! people want to; a check that fails ends it with exit code 1. Times are the least of many rounds: others work on the same machine.

use passerby::{Scenario, Simulation, Walker, scenario::NoFiles};
use passerby_geometry::{Quat, Vec2, Vec3};
use passerby_motion::mediator::{self, Body, Wish};
use passerby_motion::pose::Placed;
use passerby_motion::posture::Posture;
use passerby_motion::take::Moved;
use passerby_motion::{Joint, JointId, Library, Pose, Skeleton, Take};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

/// Least seconds of one round of `work`.
fn least(rounds: usize, mut work: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let begun = Instant::now();
        work();
        least = least.min(begun.elapsed().as_secs_f64());
    }
    least
}

/// A figure of 67 joints as captured people have: spine, limbs, fingers.
fn figure() -> Skeleton {
    let joints = (0..67u16).map(|i| Joint {
        name: format!("joint {i}"),
        parent: match i {
            0 => None,
            // Seven chains of up to eleven joints.
            _ if i % 11 == 1 => Some(JointId((i / 11) * 2)),
            _ => Some(JointId(i - 1)),
        },
        offset: Vec3::new(0.02, 0.01 * f32::from(i % 3), 0.1),
        rest: Quat::IDENTITY,
    });
    Skeleton::new(joints.collect()).expect("parents come first")
}

/// A second of made-up motion at 30 frames a second.
fn take(joints: usize, wave: f32) -> Take {
    let mut rotations = Vec::new();
    for frame in 0..31 {
        for joint in 0..joints {
            let t = frame as f32 / 30.0 * std::f32::consts::TAU + joint as f32 * wave;
            rotations.push(
                Quat::from_rotation_z(0.4 * t.sin())
                    * Quat::from_rotation_y(0.3 * (t * 1.3).cos())
                    * Quat::from_rotation_x(0.2 * t.sin()),
            );
        }
    }
    let offsets = (0..31).map(|frame| Vec3::new(0.0, 0.01 * frame as f32, 0.9)).collect();
    let moved = vec![Moved { joint: JointId(0), offsets }];
    Take { name: "made up".into(), frame_rate: 30.0, joints, rotations, moved }
}

/// The same by the book: slerp between frames, slerp between takes, parents looked up one by one.
fn naive(skeleton: &Skeleton, first: (&Take, f32), second: (&Take, f32), share: f32) -> Vec<Placed> {
    let at = |take: &Take, time: f32, joint: usize| {
        let frame = time * take.frame_rate;
        let (i, part) = (frame as usize, frame.fract());
        take.frame(i)[joint].slerp(take.frame(i + 1)[joint], part)
    };
    let offset = |take: &Take, time: f32| {
        let frame = time * take.frame_rate;
        take.moved[0].offsets[frame as usize].lerp(take.moved[0].offsets[frame as usize + 1], frame.fract())
    };
    let local: Vec<(Quat, Vec3)> = (0..skeleton.len())
        .map(|joint| {
            let turned = at(first.0, first.1, joint).slerp(at(second.0, second.1, joint), share);
            let moved = offset(first.0, first.1).lerp(offset(second.0, second.1), share);
            (turned, if joint == 0 { moved } else { skeleton.joints()[joint].offset })
        })
        .collect();
    (0..skeleton.len())
        .map(|joint| {
            let mut placed = Placed { rotation: local[joint].0, position: local[joint].1 };
            let mut up = skeleton.joints()[joint].parent;
            while let Some(parent) = up {
                let (rotation, offset) = local[parent.index()];
                placed = Placed { rotation: rotation * placed.rotation, position: offset + rotation * placed.position };
                up = skeleton.joint(parent).parent;
            }
            placed
        })
        .collect()
}

/// Characters a millisecond: ours, the plain reference, and how far they are apart, m.
fn poses(rounds: usize) -> (f64, f64, f32) {
    let skeleton = figure();
    let (a, b) = (take(67, 0.1), take(67, 0.23));
    let (mut pose, mut placed) = (Pose::default(), Vec::new());
    let times: Vec<(f32, f32)> = (0..64).map(|i| (i as f32 / 70.0, i as f32 / 80.0)).collect();
    let mut apart: f32 = 0.0;
    for &(first, second) in &times {
        Take::sample_two(&skeleton, (&a, first), (&b, second), 0.4, &mut pose);
        pose.to_model(&skeleton, &mut placed);
        let slow = naive(&skeleton, (&a, first), (&b, second), 0.4);
        let gaps = placed.iter().zip(&slow).map(|(one, other)| one.position.distance(other.position));
        apart = apart.max(gaps.fold(0.0, f32::max));
    }
    let ours = least(rounds, || {
        for &(first, second) in &times {
            Take::sample_two(&skeleton, (&a, first), (&b, second), 0.4, &mut pose);
            pose.to_model(&skeleton, &mut placed);
            black_box(&placed);
        }
    });
    let plain = least(rounds / 4 + 1, || {
        for &(first, second) in &times {
            black_box(naive(&skeleton, (&a, first), (&b, second), 0.4));
        }
    });
    (64.0 / ours / 1000.0, 64.0 / plain / 1000.0, apart)
}

/// Microseconds a tick of one body among 10 000 that walk, turn, stop and go; and how far roots are from where they should be, m.
fn mediated(rounds: usize) -> (f64, f32) {
    let library = Library::built_in();
    let mut bodies: Vec<(Body, Vec2)> = (0..10_000)
        .map(|i| (Body::standing(&library, Vec2::new(i as f32, 0.0), 0.0), Vec2::new(i as f32, 0.0)))
        .collect();
    let mut tick = 0;
    let mut walk = |bodies: &mut [(Body, Vec2)]| {
        for (i, (body, agent)) in bodies.iter_mut().enumerate() {
            let t = tick as f32 * 0.05 + i as f32 * 0.7;
            let speed = (1.1 + 0.9 * (t * 0.21).sin()).max(0.0);
            let velocity = Vec2::from_angle(0.8 * (t * 0.3).sin()) * speed;
            *agent += mediator::step(
                &library,
                1.0,
                body,
                *agent,
                &Wish { velocity, cruise: speed, facing: None, pushed: Vec2::ZERO, posture: Posture::Stand },
                0.05,
            )
            .displacement;
        }
        tick += 1;
    };
    (0..20).for_each(|_| walk(&mut bodies));
    let seconds = least(rounds, || walk(&mut bodies));
    let apart = bodies.iter().map(|(body, agent)| body.root.distance(*agent)).fold(0.0, f32::max);
    (seconds / 10_000.0 * 1e6, apart)
}

/// Steps a second of a crowd with bodies and headway on two threads.
fn crowd(people: usize, steps: usize) -> (f64, usize) {
    let side = (people as f64 / 0.5).sqrt().ceil();
    let text = format!(
        "[place]\nfloor = [[0, 0], [{side}, 0], [{side}, {side}], [0, {side}]]\nregions = [{{ name = \"all\", polygon = [[1, 1], [{0}, 1], [{0}, {0}], [1, {0}]] }}]\n\
         [[population]]\ncount = {people}\nregion = \"all\"\nbody = \"mediated\"\njourney = [{{ wander = \"all\" }}]\n[run]\nuntil = 1000\ntick = 0.05\n",
        side - 1.0
    );
    let scenario = Scenario::parse(&text, &NoFiles, "bench").unwrap_or_else(|problems| panic!("{problems}"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    pool.install(|| {
        let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
        (0..40).for_each(|_| simulation.step());
        let begun = Instant::now();
        (0..steps).for_each(|_| simulation.step());
        (steps as f64 / begun.elapsed().as_secs_f64(), size_of::<Walker>() + size_of::<Option<Box<Walker>>>())
    })
}

fn main() -> ExitCode {
    let quick = std::env::args().any(|option| option == "--quick");
    let (ours, plain, apart) = poses(if quick { 10 } else { 2000 });
    let (tick, off) = mediated(if quick { 3 } else { 60 });
    let (steps, bytes) = crowd(if quick { 500 } else { 10_000 }, if quick { 10 } else { 100 });
    println!("<!-- bench: bodies -->");
    println!("| | |");
    println!("| --- | --- |");
    println!("| mediator: root, planted foot and phase of one person, a tick | {tick:.2} us |");
    println!("| full pose of 67 joints, two clips blended, to model space | {ours:.0} characters per ms and core |");
    println!("| the same by a plain reference | {plain:.0} |");
    println!(
        "| {} people with bodies and headway, two threads | {steps:.0} steps a second |",
        if quick { 500 } else { 10_000 }
    );
    println!("| motion state of one person | {bytes} bytes |");
    println!("<!-- end -->");
    // Sums of rotations instead of arcs: half a degree at most between frames of 30 a second.
    if apart > 0.01 || off > 0.2 {
        eprintln!("poses are {apart} m from the reference, roots {off} m from their agents");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
