//! A recorded run that is repeated behind the picture, to ask somebody why.

use crate::facts;
use passerby::crowd::AgentId;
use passerby::motion::Library;
use passerby::steering::Explanation;
use passerby::{Scenario, Simulation};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long it is repeated before the picture has its turn again.
const SLICE: Duration = Duration::from_millis(30);

/// The run up to a tick, and who is asked there.
pub(crate) struct Shadow {
    simulation: Simulation,
    tick: u32,
    whom: AgentId,
}

/// What they saw and chose, and the way to where they go, m from the scene's origin.
#[derive(Default)]
pub(crate) struct Reasons {
    pub why: Option<Explanation>,
    pub way: Vec<[f64; 2]>,
    /// What is known of them in the run.
    pub more: Vec<[String; 2]>,
}

impl Shadow {
    /// Goes on with an earlier one if that has not come too far.
    pub(crate) fn new(
        old: Option<Shadow>,
        scenario: &Arc<Scenario>,
        seed: u64,
        tick: u32,
        whom: AgentId,
    ) -> Option<Shadow> {
        let old = old.map(|old| old.simulation).filter(|simulation| simulation.tick() <= tick);
        let begin = || {
            let mut scenario = Scenario::clone(scenario);
            scenario.run.seed = seed;
            Simulation::new(scenario).ok()
        };
        Some(Shadow { simulation: old.or_else(begin)?, tick, whom })
    }

    /// Goes on for a while; gives the reasons when it is there.
    pub(crate) fn go_on(&mut self, library: &Library) -> Option<Reasons> {
        let until = Instant::now() + SLICE;
        while self.simulation.tick() < self.tick {
            if self.simulation.finished() {
                return Some(Reasons::default());
            }
            if Instant::now() > until {
                return None;
            }
            self.simulation.step();
        }
        let origin = self.simulation.offset();
        let way = self.simulation.way_of(self.whom).unwrap_or_default();
        let way = way.iter().map(|at| (*at - origin).to_array()).collect();
        let person = self.simulation.persons().into_iter().find(|person| person.id == self.whom.bits());
        let more = person.map(|person| facts::of_live(&self.simulation, &person, library)).unwrap_or_default();
        Some(Reasons { why: self.simulation.step_and_explain(self.whom), way, more })
    }
}
