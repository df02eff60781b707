//! What it costs to see: one view of 256 x 48 pixels with 100 walkers and 20 walls in it, drawn and decided upon, on one thread.
//!
//! `cargo bench -p passerby-benches --bench vision` first checks every pixel against a ray cast in `f64`, and the decision against one from all pixels one
//! by one; a check that fails ends it with exit code 1. Times are the least of many rounds: others work on the same machine.

use passerby_geometry::Vec2;
use passerby_geometry::chance::{Chance, Purpose};
use passerby_geometry::lanes::Width;
use passerby_steering::vision_camera::{Camera, Projection, Rays};
use passerby_steering::vision_decision::{Pace, Vision};
use passerby_steering::vision_image::{Cone, Image, Seen, Surface, Wall};
use passerby_steering::vision_threat::Threat;
use reference::{Scene, Verdict};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

#[path = "../../crates/steering/src/vision_reference.rs"]
mod reference;

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

fn pace() -> Pace {
    Pace { velocity: Vec2::new(1.3, 0.0), heading: Vec2::X, turn_rate: 0.0 }
}

/// 100 walkers in the field of view, so many to the square metre, no two nearer than 0.5 m; five square pillars among them. Nearest first.
fn crowd(density: f32, seed: u64) -> (Vec<Wall>, Vec<Cone>) {
    let mut stream = Chance::new(seed).stream(0, 0, Purpose::Placement);
    let half = 75f32.to_radians();
    let reach = (100.0 / (density * half)).sqrt();
    let mut somewhere = |least: f32| loop {
        let (ahead, left) = (stream.between(0.0, 1.0) as f32 * reach, stream.between(-1.0, 1.0) as f32 * reach);
        let at = Vec2::new(ahead, left);
        if at.length() < reach && at.length() > least && at.to_angle().abs() < half {
            return (at, Vec2::from_angle(stream.between(0.0, 6.3) as f32) * stream.between(0.5, 1.6) as f32);
        }
    };
    let (mut walls, mut cones): (Vec<Wall>, Vec<Cone>) = (Vec::new(), Vec::new());
    while walls.len() < 20 {
        let (at, _) = somewhere(0.5 * reach);
        let corners = [[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]].map(|corner| at + Vec2::from(corner));
        for i in 0..4 {
            walls.push(Wall { from: corners[i], to: corners[(i + 1) % 4], velocity: Vec2::ZERO, height: 3.0 });
        }
    }
    while cones.len() < 100 {
        let (offset, velocity) = somewhere(0.5);
        if cones.iter().all(|other| other.offset.distance(offset) > 0.5) {
            cones.push(Cone { offset, velocity, radius: 0.5, height: 1.8 });
        }
    }
    cones.sort_by(|a, b| a.offset.length().total_cmp(&b.offset.length()));
    walls.sort_by(|a, b| a.from.length().total_cmp(&b.from.length()));
    (walls, cones)
}

/// Every pixel against the reference; how many of those that differ do so by rounding.
fn check(rays: &Rays, walls: &[Wall], cones: &[Cone], seen: &Seen<'_>) -> Result<u32, String> {
    let (camera, scene) = (*rays.camera(), Scene { heading: Vec2::X, walls, cones });
    let (mut rounding, model) = (0, Vision::default());
    let mut slow: Option<Threat> = None;
    for (column, row) in (0..camera.columns).flat_map(|column| (0..camera.rows).map(move |row| (column, row))) {
        let found = seen.pixel(column, row).map(|pixel| (pixel.surface, f64::from(pixel.distance)));
        match reference::judge(&scene, &camera, (column, row), found, 2e-6) {
            Verdict::Same => {}
            Verdict::Rounding => rounding += 1,
            Verdict::Wrong => return Err(format!("pixel {column}, {row} shows {found:?}")),
        }
        let Some(point) = model.stimulus(seen, pace().velocity, column, row).filter(|point| point.collides) else {
            continue;
        };
        let tti = point.tti.unwrap_or(f32::INFINITY);
        let (right, left) = (point.rate - model.threshold(tti), point.rate + model.threshold(tti));
        let all = slow.unwrap_or(Threat { right, left, soonest: tti });
        slow = Some(Threat { right: right.min(all.right), left: left.max(all.left), soonest: tti.min(all.soonest) });
    }
    let fast = model.threat(seen, pace().velocity);
    let close = |a: f32, b: f32| (a - b).abs() <= 1e-5 * b.abs();
    let same = match (fast, slow) {
        (Some(a), Some(b)) => close(a.right, b.right) && close(a.left, b.left) && close(a.soonest, b.soonest),
        (a, b) => a.is_none() && b.is_none(),
    };
    if same { Ok(rounding) } else { Err(format!("{fast:?} is asked for, and {slow:?} by the pixels one by one")) }
}

fn main() -> ExitCode {
    let quick = std::env::args().any(|option| option == "--quick");
    let rounds = if quick { 20 } else { 20_000 };
    let even = Camera::default();
    let pinhole = Camera { projection: Projection::Pinhole, ..even };
    let model = Vision::default();
    println!("<!-- bench: vision -->");
    println!(
        "| view | people per m2 | lanes | draw, us | decide, us | both, us | surfaces seen | pixels filled | differ by rounding |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (name, camera, density) in [
        ("even", even, 0.5),
        ("even", even, 1.5),
        ("even", even, 2.0),
        ("even, farthest first", even, 1.5),
        ("pinhole", pinhole, 1.5),
    ] {
        let rays = Rays::new(camera);
        let (mut walls, mut cones) = crowd(density, 11);
        if name == "even, farthest first" {
            (walls.reverse(), cones.reverse());
        }
        for width in [Width::detect(), Width::baseline(), Width::plain()] {
            let mut image = Image::new(width);
            let seen = image.look(&rays, Vec2::X, &walls, &cones);
            let rounding = match check(&rays, &walls, &cones, &seen) {
                Ok(rounding) => rounding,
                Err(problem) => {
                    eprintln!("{name}, {density}/m2, {width:?}: {problem}");
                    return ExitCode::FAILURE;
                }
            };
            let pixels = (0..camera.columns).flat_map(|column| (0..camera.rows).map(move |row| (column, row)));
            let shown: Vec<Surface> =
                pixels.filter_map(|(column, row)| Some(seen.pixel(column, row)?.surface)).collect();
            let all = (0..20).map(Surface::Wall).chain((0..100).map(Surface::Cone));
            let surfaces = all.filter(|surface| shown.contains(surface)).count();
            let decide = least(rounds, || {
                black_box(model.decide(&seen, &pace(), Vec2::new(20.0, 0.0), 1.3, 0.1));
            });
            let draw = least(rounds, || {
                black_box(image.look(&rays, Vec2::X, black_box(&walls), black_box(&cones)));
            });
            let both = least(rounds, || {
                let seen = image.look(&rays, Vec2::X, black_box(&walls), black_box(&cones));
                black_box(model.decide(&seen, &pace(), Vec2::new(20.0, 0.0), 1.3, 0.1));
            });
            let lanes = format!("{:?}", width.registers()).to_lowercase();
            let us = [draw, decide, both].map(|seconds| format!("{:.1}", 1e6 * seconds));
            println!(
                "| {name} | {density} | {lanes} | {} | {surfaces} | {} | {rounding} |",
                us.join(" | "),
                shown.len()
            );
        }
    }
    println!("<!-- end -->");
    ExitCode::SUCCESS
}
