//! The runs themselves: seed after seed, as many at a time as there are threads.

use passerby::scenario::Problems;
use passerby::{Scenario, Simulation, Summary};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What is kept of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct One {
    /// Its seed.
    pub seed: u64,
    /// Digest of every tick of it.
    pub digest: u64,
    /// When it ended, s.
    pub time: f64,
    /// Whether everybody who was to come had come and arrived by then.
    pub complete: bool,
    /// What it amounts to.
    pub summary: Summary,
}

/// Who looks on while runs go on, from any thread.
pub trait Watch: Sync {
    /// After every step of every run; to break is to end all of them.
    fn stepped(&self, simulation: &Simulation) -> ControlFlow<()>;
    /// After every run.
    fn ended(&self, run: &One);
}

/// Runs a scenario `runs` times, with its seed and those after it. In the order of seeds, whatever the threads.
///
/// Every thread of the pool does one run after another, so that never more simulations are alive than there are threads.
/// Where the watch ends it early, the runs that had ended are given back. A problem is that of the lowest seed that has one.
pub fn run_seeds(scenario: &Scenario, runs: u32, watch: &impl Watch) -> Result<Vec<One>, Problems> {
    let (next, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    // Broadcast rather than a parallel loop: a thread that waits for the parts of a step would begin another run meanwhile.
    let done = rayon::broadcast(|_| {
        let mut done = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= runs {
                break;
            }
            let run = one(scenario, number, watch);
            if !matches!(run, Ok(Some(_))) {
                stop.store(true, Ordering::Relaxed);
            }
            done.extend(run.transpose().map(|run| (number, run)));
        }
        done
    });
    let mut done: Vec<_> = done.into_iter().flatten().collect();
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, run)| run).collect()
}

/// One run from the first tick to the last; `None` where the watch has ended it.
fn one(scenario: &Scenario, number: u32, watch: &impl Watch) -> Result<Option<One>, Problems> {
    let mut scenario = scenario.clone();
    scenario.run.seed = scenario.run.seed.wrapping_add(u64::from(number));
    let seed = scenario.run.seed;
    let mut simulation = Simulation::new(scenario)?;
    while !simulation.finished() {
        simulation.step();
        if watch.stepped(&simulation).is_break() {
            return Ok(None);
        }
    }
    let run = One {
        seed,
        digest: simulation.digest(),
        time: simulation.time(),
        complete: simulation.all_arrived(),
        summary: simulation.summary(),
    };
    watch.ended(&run);
    Ok(Some(run))
}
