//! The runs themselves: seed after seed, as many at a time as there are threads.

use passerby::record::OwnedFrame;
use passerby::scenario::Problems;
use passerby::{Scenario, Simulation, Summary};
use passerby_measure::{Measures, Plan};
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
    /// What was measured at the scenario's named lines and areas.
    pub named: Vec<Named>,
}

/// A quantity that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// Where and what: `door: flow`.
    pub quantity: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its value; `None` where it could not be measured, such as the flow of a single person.
    pub value: Option<f64>,
}

/// The measures of a run that is not recorded.
pub(crate) struct Ruler {
    measures: Measures,
    frame: OwnedFrame,
}

impl Ruler {
    /// For a scenario that names something to be measured.
    pub(crate) fn of(simulation: &Simulation) -> Option<Ruler> {
        let header = simulation.header();
        let named = !header.place.measures.is_empty();
        // Shapes were checked with the scenario.
        let measures = named.then(|| Measures::new(&header, &[], Plan::of(&header)).ok())?;
        Some(Ruler { measures: measures?, frame: OwnedFrame::default() })
    }

    pub(crate) fn look(&mut self, simulation: &mut Simulation) {
        if simulation.tick().is_multiple_of(simulation.scenario().record.every) {
            simulation.fill_frame(&mut self.frame);
            self.measures.see(&self.frame.as_frame());
        }
    }

    /// All that was measured.
    pub(crate) fn finish(mut self) -> Measures {
        self.measures.finish();
        self.measures
    }
}

impl Named {
    /// What was measured at the named lines and areas, in ticks of so many seconds.
    pub(crate) fn all(measures: &Measures, tick: f64) -> Vec<Named> {
        let Measures { zones, gates, crossings, passing, .. } = measures;
        let mut named = Vec::new();
        let mut add = |name: &str, what: &str, unit, value| {
            named.push(Named { quantity: format!("{name}: {what}"), unit, value });
        };
        for zone in zones {
            add(&zone.name, "density", "1/m2", zone.density.mean());
            add(&zone.name, "Voronoi density", "1/m2", zone.voronoi_density.mean());
            add(&zone.name, "speed", "m/s", zone.speed.mean());
        }
        for (n, gate) in gates.iter().enumerate() {
            add(&gate.line().name, "people", "", Some(crossings.first_ticks(n).len() as f64));
            add(&gate.line().name, "flow", "1/s", crossings.flow(n, tick));
        }
        for strip in passing {
            let passed = strip.passed();
            let mean = passed.iter().map(|passed| passed.speed).sum::<f64>() / passed.len() as f64;
            add(&strip.name, "passing speed", "m/s", (!passed.is_empty()).then_some(mean));
        }
        named
    }
}

/// Who looks on while runs go on, from any thread.
pub trait Watch: Sync {
    /// Before the first step of every run.
    fn began(&self, _: &Simulation) {}
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
    numbered(runs, |number| {
        let Some((simulation, ruler)) = run(scenario, number, watch, |_| {})? else { return Ok(None) };
        Ok(Some(One::of(&simulation, ruler.map(Ruler::finish).as_ref(), watch)))
    })
}

/// Does the work of so many runs, one after another on every thread, until one has a problem or was ended. In their order.
pub(crate) fn numbered<T: Send>(
    runs: u32,
    work: impl Fn(u32) -> Result<Option<T>, Problems> + Sync,
) -> Result<Vec<T>, Problems> {
    let (next, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    // Broadcast rather than a parallel loop: a thread that waits for the parts of a step would begin another run meanwhile.
    let done = rayon::broadcast(|_| {
        let mut done = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= runs {
                break;
            }
            let run = work(number);
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

/// One run from the first tick to the last, with what was measured; `None` where the watch has ended it. `look` is called with
/// every tick, the first and the last among them.
pub(crate) fn run(
    scenario: &Scenario,
    number: u32,
    watch: &impl Watch,
    mut look: impl FnMut(&mut Simulation),
) -> Result<Option<(Simulation, Option<Ruler>)>, Problems> {
    let mut scenario = scenario.clone();
    scenario.run.seed = scenario.run.seed.wrapping_add(u64::from(number));
    let mut simulation = Simulation::new(scenario)?;
    let mut ruler = Ruler::of(&simulation);
    watch.began(&simulation);
    let mut see = |simulation: &mut Simulation| {
        ruler.iter_mut().for_each(|ruler| ruler.look(simulation));
        look(simulation);
    };
    see(&mut simulation);
    while !simulation.finished() {
        simulation.step();
        see(&mut simulation);
        if watch.stepped(&simulation).is_break() {
            return Ok(None);
        }
    }
    Ok(Some((simulation, ruler)))
}

impl One {
    /// What is kept of a run that has ended.
    pub(crate) fn of(simulation: &Simulation, measures: Option<&Measures>, watch: &impl Watch) -> One {
        let run = One {
            seed: simulation.scenario().run.seed,
            digest: simulation.digest(),
            time: simulation.time(),
            complete: simulation.all_arrived(),
            summary: simulation.summary(),
            named: measures.map_or_else(Vec::new, |measures| Named::all(measures, simulation.scenario().run.tick)),
        };
        watch.ended(&run);
        run
    }
}
