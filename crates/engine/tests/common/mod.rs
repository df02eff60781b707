//! Scenes of `scenarios/`, with any model.

use passerby::Scenario;
use passerby::scenario::NoFiles;
use passerby::steering::Model;

/// A scene of `scenarios/`.
pub fn scene(name: &str) -> Scenario {
    let path = format!("{}/../../scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    Scenario::parse(&text, &NoFiles, name).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The same scene, everybody with this model.
pub fn scene_with(name: &str, model: Model) -> Scenario {
    let mut scenario = scene(name);
    scenario.populations.iter_mut().for_each(|population| population.model = model);
    scenario
}
