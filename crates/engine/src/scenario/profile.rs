//! `profile`: named sets of speed, radius and mass, each with its source. Explicit keys go before.

use super::Distribution;
use super::sheet::Table;

/// Speed, radius and mass of a kind of people.
pub(super) struct Profile {
    pub speed: Distribution,
    pub radius: Distribution,
    pub mass: Distribution,
}

/// The names, in the order of [`named`].
pub(super) const NAMES: [&str; 6] = ["adult", "elderly", "child", "wheelchair", "imo-passenger", "rimea-age"];

/// The profile a population names; without one, adults.
pub(super) fn profile(table: &Table<'_>) -> Profile {
    named(table.get("profile").and_then(|value| value.one_of("profile", NAMES.into_iter())).unwrap_or(0))
}

/// Speeds have a source where one is named. Radii and masses are ours (a disc of 0.5 m, 80 kg as Helbing, Farkas and Vicsek 2000 have
/// it) unless said otherwise.
fn named(index: usize) -> Profile {
    let uniform = |low, high| Distribution::Uniform { low, high };
    let people = |speed, radius, mass| Profile {
        speed,
        radius: Distribution::Constant(radius),
        mass: Distribution::Constant(mass),
    };
    match NAMES[index] {
        // RiMEA 3.0, test 7: older than 50 years.
        "elderly" => people(uniform(0.68, 1.41), 0.25, 80.0),
        // Ours, all three: no guideline at hand gives children.
        "child" => people(uniform(0.8, 1.4), 0.18, 35.0),
        // RiMEA 3.0, test 7: impaired. Radius: NIST TN 1822, test 2.10. Mass ours: a person and a chair.
        "wheelchair" => people(uniform(0.46, 0.76), 0.4, 100.0),
        // IMO MSC.1/Circ.1533, test 7: speeds of its fifty adults.
        "imo-passenger" => people(uniform(0.97, 1.62), 0.25, 80.0),
        // RiMEA 4.1.1, test 7: the curve over age.
        "rimea-age" => people(Distribution::RimeaAge, 0.25, 80.0),
        // Weidmann 1993: free speed on level ground, as usually clipped.
        _ => people(Distribution::Normal { mean: 1.34, sd: 0.26, min: 0.5, max: 2.2 }, 0.25, 80.0),
    }
}
