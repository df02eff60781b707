//! Passerby beside JuPedSim: the same density, widths and speeds on an open floor, one thread, the same time step.
//!
//! What is compared is the work for one person and step: all of `Simulation::step` here, all of `Simulation.iterate` there,
//! in processor time, turns taken alternately. The models are relatives, not twins: headway and JuPedSim's collision-free
//! speed model share the equations of 2016; our social force is that of 1995, JuPedSim's that of 2000. `PASSERBY_PYTHON` names
//! the interpreter (`cargo xtask bench` makes one); `-- --quick` does little.

use passerby_benches::jupedsim::{Child, Stepped};
use passerby_benches::run::{Manner, Run};
use passerby_benches::scene::{SPEED, Scene};
use passerby_benches::workload::Workload;
use passerby_benches::{allocations::Counting, clock};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// JuPedSim's own time step, s; ours is asked to use it too.
const DT: f64 = 0.01;

const PAIRS: &[(&str, &str)] =
    &[("headway", "collision-free speed"), ("helbing-1995", "social force"), ("helbing-2000", "social force")];

fn main() -> ExitCode {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let Some(python) = std::env::var_os("PASSERBY_PYTHON") else {
        println!("skipped: PASSERBY_PYTHON is not set; `cargo xtask bench` makes the environment it names");
        return ExitCode::SUCCESS;
    };
    let (people, rounds) = if quick { (1000, 1) } else { (10_000, 5) };
    let scene = Scene::plane(people, 1.5);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    println!("<!-- bench: jupedsim -->");
    println!(
        "| {people} people at 1.5/m², steps of {DT} s | JuPedSim, thousand agent-steps per CPU second | Passerby | ratio | spread | mean speed, m/s |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut all_walk = true;
    for (ours, theirs) in PAIRS {
        let workload = Workload::plane(people, 1.5, ours, DT);
        let mut run = Run::new(&workload, &std::env::temp_dir());
        let mut child = Child::start(&python, theirs, &scene, DT);
        child.step(if quick { 20 } else { 64 }, DT); // as many as ours have done
        let (mut rates, mut peer_rates, mut speed) = (Vec::new(), Vec::new(), 0.0);
        for _ in 0..rounds {
            let Stepped { agent_steps_per_cpu_second, speed: now } = child.step(if quick { 10 } else { 50 }, DT);
            peer_rates.push(agent_steps_per_cpu_second);
            speed = now;
            let turn = run.turn(&pool, Manner { threads: 1, record: false }, if quick { 0.1 } else { 1.0 });
            rates.push(turn.agent_steps_per_cpu_second);
        }
        let mut ratios: Vec<f64> = rates.iter().zip(&peer_rates).map(|(ours, peer)| ours / peer).collect();
        let [ours_rate, peer_rate] = [&mut rates, &mut peer_rates].map(|rates| clock::median(rates) / 1000.0);
        println!(
            "| {ours} beside {theirs} | {peer_rate:.0} | {ours_rate:.0} | {:.1} | {:.0} % | {speed:.2}, {:.2} |",
            clock::median(&mut ratios),
            100.0 * clock::spread(&ratios),
            run.mean_speed(),
        );
        // Who stands is quickly stepped: neither may be a crowd that has stopped.
        all_walk &= speed > 0.1 * f64::from(SPEED) && run.mean_speed() > 0.1 * SPEED;
    }
    println!("<!-- end -->");
    if !all_walk {
        eprintln!("a crowd has come to a stand, so times cannot be compared");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
