//! Speeds that people walk at, as against those drawn for them: IMO 7 and NIST 2.4, in lanes where nobody hinders anybody.

mod statistics;

use passerby::geometry::math::double::exp;
use passerby::scenario::NoFiles;
use passerby::steering::Model;
use passerby::{Scenario, Simulation};
use statistics::ks_p;
use std::collections::BTreeMap;

/// Speeds of so many people, each in a lane of 3 m, timed over 40 m of a corridor.
fn walked(model: &Model, count: u32, law: &str) -> Vec<f64> {
    let width = 3 * count + 3;
    let text = format!(
        "[place]\nfloor = [[0, 0], [60, 0], [60, {width}], [0, {width}]]\n\
         regions = [{{ name = \"end\", polygon = [[58, 0], [60, 0], [60, {width}], [58, {width}]] }}]\n\
         [[population]]\ngrid = {{ origin = [2, 3], columns = 1, rows = {count}, spacing = 3 }}\n\
         model = \"{}\"\nspeed = {law}\njourney = [\"end\"]\n[run]\nseed = 1\n",
        model.name()
    );
    let scenario = Scenario::parse(&text, &NoFiles, "corridor.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
    let mut crossed: BTreeMap<_, Vec<f64>> = BTreeMap::new();
    while !simulation.finished() {
        let x = |simulation: &Simulation, row: usize| simulation.positions()[row].as_dvec2().x + simulation.offset().x;
        let before: BTreeMap<_, f64> =
            (0..simulation.len()).map(|row| (simulation.ids()[row], x(&simulation, row))).collect();
        let time = simulation.time();
        simulation.step();
        for row in 0..simulation.len() {
            let (from, to) = (before[&simulation.ids()[row]], x(&simulation, row));
            for line in [10.0, 50.0] {
                if from < line && to >= line {
                    let share = (line - from) / (to - from);
                    let at = time + share * simulation.world().tick;
                    crossed.entry(simulation.ids()[row]).or_default().push(at);
                }
            }
        }
    }
    assert_eq!(simulation.summary().arrived, u64::from(count));
    crossed.values().map(|times| 40.0 / (times[1] - times[0])).collect()
}

#[track_caller]
fn check(name: &str, speeds: &[f64], mean: f64, sd: f64, cdf: impl Fn(f64) -> f64) {
    let n = speeds.len() as f64;
    let m = speeds.iter().sum::<f64>() / n;
    let s = (speeds.iter().map(|v| (v - m) * (v - m)).sum::<f64>() / (n - 1.0)).sqrt();
    assert!((m - mean).abs() < 0.05 && (s - sd).abs() < 0.05, "{name}: {m} +- {s} m/s, expected {mean} +- {sd}");
    let p = ks_p(speeds, cdf);
    assert!(p > 0.05, "{name}: p = {p}");
}

/// Every model walks at its desired speed where nobody is in the way.
#[test]
fn imo_7_walked_speeds_follow_their_law() {
    for model in Model::all() {
        let speeds = walked(&model, 50, "{ uniform = [0.97, 1.62] }");
        let (mean, sd) = (1.295, 0.65 / 12f64.sqrt());
        check(model.name(), &speeds, mean, sd, |v| ((v - 0.97) / 0.65).clamp(0.0, 1.0));
    }
}

#[test]
fn nist_2_4_walked_speeds_follow_their_law() {
    // 1 / (1 + exp(-1.5976 z - 0.07056 z^3)), within 0.0002 of the normal law (Bowling et al. 2009).
    let normal = |z: f64| 1.0 / (1.0 + exp(-1.5976 * z - 0.07056 * z * z * z));
    for model in Model::all() {
        let speeds = walked(&model, 100, "{ normal = [1.2, 0.2] }");
        check(model.name(), &speeds, 1.2, 0.2, |v| normal((v - 1.2) / 0.2));
    }
}
