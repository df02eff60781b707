//! ORCA of Passerby beside `dodgy_2d` on a plain grid: agent-steps per second of one thread's processor time, in thousands.
//!
//! `cargo bench -p passerby-benches --bench peers` checks that both walk alike and then times them; with `-- --quick` it
//! checks, and times little; `-- --scene=circle` leaves out other scenes. A check that fails ends it with exit code 1.

use passerby_benches::ours::{Ours, bytes_per_agent};
use passerby_benches::peer::{GiveWay, Peer};
use passerby_benches::quality::Quality;
use passerby_benches::scene::Scene;
use passerby_benches::{Crowd, Walking, clock};
use passerby_geometry::lanes::Width;
use std::process::ExitCode;

fn main() -> ExitCode {
    let options: Vec<String> = std::env::args().skip(1).collect();
    let quick = options.iter().any(|option| option == "--quick");
    let mut scenes = vec![Scene::circle(100), Scene::circle(1000)];
    for density in [0.5, 1.5] {
        scenes.extend([1000, 10_000, 100_000].map(|people| Scene::plane(people, density)));
    }
    if quick {
        scenes.retain(|scene| scene.start.len() <= 1000);
    }
    if let Some(wanted) = options.iter().find_map(|option| option.strip_prefix("--scene=")) {
        scenes.retain(|scene| scene.name.contains(wanted));
    }

    println!(
        "| checked before timing | agree to 1e-4 m/s | progress, peer and ours | overlaps a person | deepest, m |"
    );
    println!("| --- | --- | --- | --- | --- |");
    if !scenes.iter().all(check) {
        return ExitCode::FAILURE;
    }
    println!("\nBytes of crowd columns per agent: {}\n", bytes_per_agent());
    println!("<!-- bench: orca -->");
    println!(
        "| thousand agent-steps a second | dodgy_2d + plain grid | Passerby plain lanes | Passerby x86-64 | Passerby AVX2 | ratio |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    for scene in &scenes {
        time(scene, if quick { 1 } else { 5 }, if quick { 0.02 } else { 0.3 });
    }
    println!("<!-- end -->");
    ExitCode::SUCCESS
}

/// Whether both choose the same velocities in the same state and walk equally well; prints the figures.
fn check(scene: &Scene) -> bool {
    let agreeing = agreement(scene);
    let peer = Quality::of(scene, &mut Peer::new(scene, GiveWay::Half), scene.steps);
    let ours = Quality::of(scene, &mut Ours::new(scene, Width::detect(), 0.5), scene.steps);
    println!(
        "| {} | {:.2} % | {:.3}, {:.3} | {:.4}, {:.4} | {:.3}, {:.3} |",
        scene.name,
        100.0 * agreeing,
        peer.progress,
        ours.progress,
        peer.overlaps,
        ours.overlaps,
        peer.deepest,
        ours.deepest
    );
    let alike = agreeing >= 0.99 && ours.agrees(&peer);
    if !alike {
        eprintln!("{}: the two do not walk alike, so their times cannot be compared", scene.name);
    }
    alike
}

/// The share of people for whom both choose the same velocity, to 1e-4 m/s, from the same state. The rest are ties and lines
/// that are nearly parallel.
fn agreement(scene: &Scene) -> f64 {
    let mut peer = Peer::new(scene, GiveWay::All);
    let (mut before, mut theirs, mut mine) = (Vec::new(), Vec::new(), Vec::new());
    let (mut agreeing, mut asked) = (0, 0);
    let all = [Width::plain(), Width::baseline(), Width::detect()];
    // Of a large plane a few steps say as much as many of a small one.
    let steps = scene.steps.min(2_000_000 / scene.start.len());
    for step in 1..=steps {
        peer.state(&mut before);
        peer.step();
        if step % (steps / 4) == 0 {
            peer.state(&mut theirs);
            for width in all {
                let mut ours = Ours::new(scene, width, 1.0);
                ours.set(&before);
                ours.step();
                ours.state(&mut mine);
                let same = |(a, b): &(&Walking, &Walking)| a.velocity.distance(b.velocity) <= 1e-4;
                agreeing += theirs.iter().zip(&mine).filter(same).count();
                asked += mine.len();
            }
        }
    }
    agreeing as f64 / asked as f64
}

/// Times the peer and our three widths in turn, `rounds` times, each for at least `seconds`, and prints the medians.
fn time(scene: &Scene, rounds: usize, seconds: f64) {
    let mut rates: [Vec<f64>; 4] = Default::default();
    for _ in 0..rounds {
        rates[0].push(rate(scene, seconds, || Peer::new(scene, GiveWay::Half)));
        for (rates, width) in rates[1..].iter_mut().zip([Width::plain(), Width::baseline(), Width::detect()]) {
            rates.push(rate(scene, seconds, || Ours::new(scene, width, 0.5)));
        }
    }
    let mut ratios: [Vec<f64>; 2] =
        [2, 3].map(|column: usize| rates[column].iter().zip(&rates[0]).map(|(ours, peer)| ours / peer).collect());
    let [peer, plain, baseline, wide] = rates.each_mut().map(|rates| clock::median(rates) / 1000.0);
    let [ratio, ratio_wide] = ratios.each_mut().map(|ratios| clock::median(ratios));
    println!("| {} | {peer:.0} | {plain:.0} | {baseline:.0} | {wide:.0} | {ratio:.1} / {ratio_wide:.1} |", scene.name);
}

/// Agent-steps per processor second over whole runs of the scene, the first step (when everything is allocated) left out.
fn rate<C: Crowd>(scene: &Scene, seconds: f64, start: impl Fn() -> C) -> f64 {
    let (mut spent, mut steps) = (0.0, 0);
    while spent < seconds {
        let mut crowd = start();
        crowd.step();
        let from = clock::seconds();
        let mut left = scene.steps;
        // A large crowd need not walk to the end.
        while left > 0 && spent + clock::seconds() - from < seconds + 0.1 {
            let some = left.min(1 + 20_000 / scene.start.len());
            (0..some).for_each(|_| crowd.step());
            (left, steps) = (left - some, steps + some);
        }
        spent += clock::seconds() - from;
    }
    (steps * scene.start.len()) as f64 / spent
}
