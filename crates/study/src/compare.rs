//! One scene, several models: the same place and the same people, steered by one model after the other.

use crate::met::{Lookout, Met};
use crate::runs::{One, Ruler, Watch, numbered, run};
use passerby::record::OwnedFrame;
use passerby::scenario::{Problems, Start};
use passerby::steering::Model;
use passerby::{Scenario, Simulation};
use passerby_measure::{Measures, Tracks};

/// What came of a scene with one model.
#[derive(Debug)]
pub struct Trial {
    /// The model.
    pub model: Model,
    /// What is kept of every run, in the order of seeds; fewer than were asked for where the watch has ended them.
    pub runs: Vec<One>,
    /// The run of the first seed, to look at more closely; `None` if it was ended.
    pub first: Option<First>,
    /// Encounters of all runs together, where they were asked for.
    pub met: Option<Met>,
}

/// A run that has ended, and what was seen of it.
#[derive(Debug)]
pub struct First {
    /// As it ended.
    pub simulation: Simulation,
    /// What the scenario names to be measured.
    pub measures: Option<Measures>,
    /// Everybody's way.
    pub tracks: Tracks,
    /// Sum over all ticks of those who were there.
    pub agent_steps: u64,
}

/// How exactly ways are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fineness {
    /// No place is farther than this from its track, m.
    pub tolerance: f64,
    /// Points that are kept for a model, whatever the tolerance: more, and it is doubled.
    pub vertices_max: usize,
}

/// The scenario with this model for everybody who is steered: at its published parameters, but for populations that have it anyway and
/// keep theirs. Recorded people stay what they are.
pub fn with_model(scenario: &Scenario, model: Model) -> Scenario {
    let mut changed = scenario.clone();
    let steered = changed.populations.iter_mut().filter(|population| !matches!(population.start, Start::Played(_)));
    let others = steered.filter(|population| population.model.name() != model.name());
    others.for_each(|population| {
        population.model = model;
        population.laws.clear(); // they are laws of the other model's parameters
    });
    changed
}

/// Runs the scene with one model, with the scenario's seed and `runs - 1` of those after it, on the pool it is called in.
///
/// Models are compared by one call after another, so that each has all threads for itself and no more than one first run is kept
/// at a time. A problem is that of the lowest seed that has one.
pub fn trial(
    scenario: &Scenario,
    model: Model,
    runs: u32,
    fineness: Fineness,
    encounters: bool,
    watch: &impl Watch,
) -> Result<Trial, Problems> {
    let scenario = with_model(scenario, model);
    let done = numbered(runs, |number| {
        let mut lookout = None;
        let mut look = |simulation: &mut Simulation| {
            if encounters {
                lookout.get_or_insert_with(|| Lookout::new(simulation)).look(simulation);
            }
        };
        if number > 0 {
            let Some((simulation, ruler)) = run(&scenario, number, watch, look)? else { return Ok(None) };
            let one = One::of(&simulation, ruler.map(Ruler::finish).as_ref(), watch);
            return Ok(Some((one, None, lookout.map(Lookout::finish))));
        }
        let Some(first) = first(&scenario, fineness, watch, &mut look)? else { return Ok(None) };
        let one = One::of(&first.simulation, first.measures.as_ref(), watch);
        Ok(Some((one, Some(first), lookout.map(Lookout::finish))))
    })?;
    // In the order of seeds, so that sums do not depend on threads.
    let mut trial = Trial { model, runs: Vec::new(), first: None, met: encounters.then(Met::default) };
    for (one, first, met) in done {
        trial.runs.push(one);
        trial.first = trial.first.or(first);
        if let (Some(all), Some(met)) = (&mut trial.met, met) {
            all.join(&met);
        }
    }
    Ok(trial)
}

/// The run of the first seed, looked at tick by tick.
fn first(
    scenario: &Scenario,
    fineness: Fineness,
    watch: &impl Watch,
    look: &mut impl FnMut(&mut Simulation),
) -> Result<Option<First>, Problems> {
    let every = scenario.record.every;
    let ticks = (scenario.run.until / scenario.run.tick).ceil() as u32;
    let mut tracks = Tracks::new(fineness.tolerance, ticks / 64, fineness.vertices_max);
    let (mut frame, mut people, mut agent_steps) = (OwnedFrame::default(), 0, 0);
    let ended = run(scenario, 0, watch, |simulation| {
        look(simulation);
        if simulation.tick() > 0 {
            agent_steps += people; // those who were there before the step
        }
        people = simulation.len() as u64;
        if simulation.tick().is_multiple_of(every) {
            simulation.fill_frame(&mut frame);
            tracks.see(&frame.as_frame());
        }
    })?;
    Ok(ended.map(|(simulation, ruler)| First { simulation, measures: ruler.map(Ruler::finish), tracks, agent_steps }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby::scenario::NoFiles;

    const TWO: &str = "[place]\nfloor = [[0, 0], [9, 0], [9, 9], [0, 9]]\n\
        [[population]]\nname = \"a\"\nat = [[1, 1]]\njourney = [[8, 1]]\nmodel = { orca = { time_horizon = 7 } }\n\
        [[population]]\nname = \"b\"\nat = [[1, 8]]\njourney = [[8, 8]]\nmodel = \"paris\"\n";

    #[test]
    fn whoever_has_the_model_keeps_its_parameters() {
        let scenario = Scenario::parse(TWO, &NoFiles, "two.toml").expect("a scenario");
        for model in Model::all() {
            let changed = with_model(&scenario, model);
            assert!(changed.populations.iter().all(|population| population.model.name() == model.name()));
            let own = model.name() == "orca";
            assert_eq!(changed.populations[0].model == scenario.populations[0].model, own, "{}", model.name());
            assert_eq!(changed.populations[0].model == model, !own, "{}", model.name());
            assert_eq!(changed.populations[1].model, model);
        }
    }
}
