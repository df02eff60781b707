//! The mediator walks the built-in body where velocities lead it: feet do not slide, the root stays with its agent.

mod common;

use passerby_geometry::{Vec2, math};
use passerby_motion::Library;
use passerby_motion::mediator::{self, Body, Wish};
use passerby_motion::posture::Posture;

/// What came of a walk.
#[derive(Debug, Default)]
struct Figures {
    before: Vec<f32>,
    after: Vec<f32>,
    deviation: Vec<f32>,
    apart: f32,
    standing: u32,
    skating: u32,
}

const FRAME: f32 = 1.0 / 25.0;

/// Walks for some seconds as `wish` says at each time.
fn walk(library: &Library, scale: f32, seconds: f32, wish: impl Fn(f32) -> Wish) -> Figures {
    let (mut agent, mut figures) = (Vec2::ZERO, Figures::default());
    let mut body = Body::standing(library, agent, 0.0);
    for frame in 0..(seconds / FRAME) as usize {
        let walked = mediator::step(library, scale, &mut body, agent, &wish(frame as f32 * FRAME), FRAME);
        agent += walked.displacement;
        for slide in walked.lifted.into_iter().flatten() {
            (figures.before.push(slide.before), figures.after.push(slide.after));
        }
        figures.deviation.push(walked.deviation);
        figures.apart = figures.apart.max((agent - body.root).length());
        (figures.standing, figures.skating) = (figures.standing + walked.standing, figures.skating + walked.skating);
    }
    figures
}

fn at(values: &[f32], share: f32) -> f32 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted.get(((sorted.len() as f32 * share) as usize).min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

fn mean(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len().max(1) as f32
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

#[track_caller]
fn check(name: &str, figures: &Figures, deviation: f32) {
    let millimetres = |value: f32| value * 1000.0;
    let [median, p95] = [0.5, 0.95].map(|share| millimetres(at(&figures.before, share)));
    let [held, held95] = [0.5, 0.95].map(|share| millimetres(at(&figures.after, share)));
    let [off, most] = [mean(&figures.deviation), at(&figures.deviation, 1.0)].map(millimetres);
    let skating = figures.skating as f32 / figures.standing.max(1) as f32;
    println!(
        "{name}: {} stances, slide {median:.2} / {p95:.2} mm, held {held:.2} / {held95:.2} mm, root off by {off:.2} mm, at most \
         {most:.1} mm, apart {:.1} mm, skating {:.2} %",
        figures.before.len(),
        millimetres(figures.apart),
        100.0 * skating
    );
    assert!(median < 5.0 && p95 < 20.0, "{name}: slide before the lock");
    assert!(held < 1.0 && held95 < 5.0, "{name}: slide after the lock");
    assert!(off < deviation && most < 30.0, "{name}: deviation of the root");
    assert!(skating < 0.01, "{name}: skating");
}

#[test]
fn feet_stand_on_straight_ways() {
    let library = Library::built_in();
    for speed in [0.1, 0.25, 0.3, 0.5, 0.8, 1.0, 1.2, 1.33, 1.6, 1.9, 2.0] {
        for scale in [0.9, 1.0, 1.1] {
            check(&format!("{speed} m/s x {scale}"), &walk(&library, scale, 24.0, |_| go(speed, 0.0)), 2.0);
        }
    }
}

#[test]
fn feet_stand_in_curves() {
    let library = Library::built_in();
    for (turn, deviation, speeds) in
        [(0.25, 8.0, &[0.6, 1.0, 1.33][..]), (0.5, 8.0, &[0.6, 1.0, 1.33]), (1.0, 10.0, &[0.6, 1.0, 1.33])]
    {
        for &speed in speeds {
            check(
                &format!("{speed} m/s, {turn} rad/s"),
                &walk(&library, 1.0, 24.0, |t| go(speed, turn * t)),
                deviation,
            );
        }
    }
    check("slalom", &walk(&library, 1.0, 30.0, |t| go(1.3, 0.6 * math::sin(t * 0.8))), 8.0);
    check("figure of eight", &walk(&library, 1.0, 40.0, |t| go(1.2, 2.8 * math::sin(t * 0.35))), 10.0);
}

#[test]
fn feet_stand_when_people_stop_and_go_and_change_speed() {
    let library = Library::built_in();
    let bounded = |t: f32| {
        // 4 s of walking, 3 s of standing, 1.3 m/s reached and left with 4 m/s2.
        let s = t.rem_euclid(7.0);
        (4.0 * s).min(4.0 * (4.0 - s)).clamp(0.0, 1.3)
    };
    let going = |t: f32| if t.rem_euclid(7.0) < 3.6 { 1.3 } else { 0.0 };
    check("stop and go", &walk(&library, 1.0, 42.0, |t| Wish { cruise: going(t), ..go(bounded(t), 0.0) }), 2.0);
    check(
        "sudden stop and go",
        &walk(&library, 1.0, 42.0, |t| go(if t.rem_euclid(7.0) < 4.0 { 1.2 } else { 0.0 }, 0.0)),
        2.0,
    );
    check("sweep", &walk(&library, 1.0, 40.0, |t| go(2.0 * (1.0 - math::cos(t * 0.157)) / 2.0, 0.0)), 2.0);
}

#[test]
fn feet_stand_in_turns_on_the_spot() {
    let library = Library::built_in();
    let facing = |t: f32| Wish {
        velocity: Vec2::ZERO,
        cruise: 0.0,
        facing: Some(1.5 * (t * 0.5).floor()),
        pushed: Vec2::ZERO,
        posture: Posture::Stand,
    };
    check("turns on the spot", &walk(&library, 1.0, 30.0, facing), 2.0);
    check("run", &walk(&library, 1.0, 20.0, |_| go(3.0, 0.0)), 2.0);
}

/// Captured walks, cut into cycles and replanted, on their own skeleton: what holds for made clips holds for them.
#[test]
fn feet_stand_with_captured_clips() {
    let Some(library) = common::captured() else { return };
    for speed in [0.7, 0.95, 1.2, 1.35, 1.6] {
        check(&format!("captured, {speed} m/s"), &walk(&library, 1.0, 24.0, |_| go(speed, 0.0)), 2.0);
    }
    check("captured, 0.5 rad/s", &walk(&library, 1.0, 24.0, |t| go(1.2, 0.5 * t)), 8.0);
    check("captured, 1 rad/s", &walk(&library, 1.0, 24.0, |t| go(1.2, t)), 10.0);
    check("captured, slalom", &walk(&library, 1.0, 30.0, |t| go(1.3, 0.6 * math::sin(t * 0.8))), 8.0);
    let going = |t: f32| if t.rem_euclid(7.0) < 4.0 { 1.2 } else { 0.0 };
    check("captured, stop and go", &walk(&library, 1.0, 42.0, |t| go(going(t), 0.0)), 2.0);
    check("captured, figure of eight", &walk(&library, 1.0, 40.0, |t| go(1.2, 2.8 * math::sin(t * 0.35))), 10.0);
    check("captured, sweep", &walk(&library, 1.0, 40.0, |t| go(1.0 - math::cos(t * 0.157), 0.0)), 2.0);
    let facing = |t: f32| Wish { facing: Some(1.5 * (t * 0.5).floor()), ..go(0.0, 0.0) };
    check("captured, turns on the spot", &walk(&library, 1.0, 30.0, facing), 2.0);
}

/// Somebody is shoved by 0.3 m while walking, and while standing: two seconds later the body is where its agent is.
#[test]
fn a_body_is_back_on_its_agent_after_a_shove() {
    let library = Library::built_in();
    for speed in [0.0, 0.3, 1.3] {
        let (mut agent, mut body) = (Vec2::ZERO, Body::standing(&library, Vec2::ZERO, 0.0));
        for frame in 0..150 {
            if frame == 100 {
                agent += Vec2::new(0.1, 0.28);
            }
            agent += mediator::step(&library, 1.0, &mut body, agent, &go(speed, 0.0), FRAME).displacement;
            mediator::pull(&library, &mut body, agent);
        }
        let apart = agent.distance(body.root) * 1000.0;
        println!("{speed} m/s: {apart:.2} mm");
        assert!(apart < 2.0, "{speed} m/s: {apart} mm");
    }
}
