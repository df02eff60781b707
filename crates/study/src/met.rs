//! Encounters of the runs of a study: how near people would have come, how near they came, and who adapted.

use passerby::Simulation;
use passerby::record::OwnedFrame;
use passerby_measure::{EncounterSelection, EncounterSummary, Groups, Samples, Smoothing, find_encounters};

/// Whose predicted distance is less than this would have passed too near, m.
const CLOSE: f64 = 1.0;

/// What encounters have in common.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Met {
    /// All of them.
    pub all: EncounterSummary,
    /// Of those who would have passed within a metre.
    pub close: EncounterSummary,
    /// Of those who would not.
    pub far: EncounterSummary,
}

impl Met {
    /// Takes in those of another run.
    pub(crate) fn join(&mut self, other: &Met) {
        let Self { all, close, far } = self;
        (all.join(&other.all), close.join(&other.close), far.join(&other.far));
    }
}

/// Watches a run for encounters.
pub(crate) struct Lookout {
    samples: Samples,
    frame: OwnedFrame,
}

impl Lookout {
    pub(crate) fn new(simulation: &Simulation) -> Lookout {
        Lookout { samples: Samples::new(&simulation.header()), frame: OwnedFrame::default() }
    }

    pub(crate) fn look(&mut self, simulation: &mut Simulation) {
        if simulation.tick().is_multiple_of(simulation.scenario().record.every) {
            simulation.fill_frame(&mut self.frame);
            self.samples.see(&self.frame.as_frame());
        }
    }

    /// All encounters; none where walks are too few or too short to be smoothed.
    pub(crate) fn finish(self) -> Met {
        let mut met = Met::default();
        let Ok(smoothed) = self.samples.smoothed(&Smoothing::default()) else { return met };
        find_encounters(&smoothed, &EncounterSelection::default(), &Groups::default(), |encounter| {
            met.all.see(encounter);
            let part = if encounter.predicted[0] < CLOSE { &mut met.close } else { &mut met.far };
            part.see(encounter);
        });
        met
    }
}
