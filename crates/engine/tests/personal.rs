//! Parameters that differ from person to person, with `tangent` and `vision`.

mod common;

use common::{scene, scene_with};
use passerby::crowd::AgentId;
use passerby::scenario::NoFiles;
use passerby::steering::Model;
use passerby::{Scenario, Simulation};

fn parsed(text: &str) -> Scenario {
    Scenario::parse(text, &NoFiles, "personal").unwrap_or_else(|problems| panic!("{problems}"))
}

fn started(scenario: Scenario) -> Simulation {
    Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"))
}

/// What was drawn for everybody of a population, person by person.
fn drawn(simulation: &Simulation, parameter: &str) -> Vec<f64> {
    let value = |id: &AgentId| {
        let model = simulation.world().model_of(*id);
        let found = model.parameters().into_iter().find(|(name, _)| *name == parameter);
        f64::from(found.unwrap_or_else(|| panic!("no {parameter}")).1)
    };
    simulation.ids().iter().map(value).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Mean of the products of both deviations.
fn together(a: &[f64], b: &[f64]) -> f64 {
    let (ma, mb) = (mean(a), mean(b));
    a.iter().zip(b).map(|(a, b)| (a - ma) * (b - mb)).sum::<f64>() / a.len() as f64
}

/// A uniform law from 0.2 to 0.6 has the mean 0.4 and the variance 0.16 / 12; a normal one its own; two parameters have nothing to do with each other, though
/// both have the same law. All within four standard errors, of 4000 people.
#[test]
fn everybody_draws_from_the_law() {
    let text = "[place]\nfloor = [[0, 0], [80, 0], [80, 80], [0, 80]]\n[[population]]\nmodel = { tangent = { strategy = { uniform = [0.2, 0.6] }, \
                speed_error = { normal = [1, 0.2] }, direction_error = { normal = [1, 0.2] }, crowding = 3 } }\n\
                grid = { origin = [1, 1], columns = 64, rows = 63, spacing = 1.2 }\n";
    let simulation = started(parsed(text));
    let [strategy, speed, direction, crowding] =
        ["strategy", "speed_error", "direction_error", "crowding"].map(|name| drawn(&simulation, name));
    let n = strategy.len() as f64;
    assert_eq!(n, 4032.0);
    assert!(crowding.iter().all(|value| *value == 3.0));
    assert!(strategy.iter().all(|value| (0.2..=0.6001).contains(value)));
    for (values, expected, variance) in [(&strategy, 0.4, 0.16 / 12.0), (&speed, 1.0, 0.04), (&direction, 1.0, 0.04)] {
        let found = mean(values);
        assert!((found - expected).abs() < 4.0 * (variance / n).sqrt(), "mean {found}, expected {expected}");
        // The variance of a variance is at most 2 / n of its square.
        let spread = together(values, values);
        assert!(
            (spread - variance).abs() < 4.0 * variance * (2.0 / n).sqrt(),
            "variance {spread}, expected {variance}"
        );
    }
    let joint = together(&speed, &direction);
    assert!(joint.abs() < 4.0 * 0.04 / n.sqrt(), "two parameters of a person are drawn together: {joint}");
}

/// Another seed draws others; one person more draws nothing else for the others.
#[test]
fn draws_belong_to_the_seed_and_the_person() {
    let strategies = |seed: u64, columns: u32| {
        let mut scenario = parsed(&format!(
            "[place]\nfloor = [[0, 0], [20, 0], [20, 20], [0, 20]]\n[[population]]\nmodel = {{ tangent = {{ strategy = {{ uniform = [0, 1] }} }} }}\n\
             grid = {{ origin = [1, 1], columns = {columns}, rows = 1, spacing = 1.2 }}\n"
        ));
        scenario.run.seed = seed;
        drawn(&started(scenario), "strategy")
    };
    assert_eq!(strategies(1, 8)[..], strategies(1, 9)[..8]);
    assert!(strategies(1, 8).iter().zip(&strategies(2, 8)).all(|(a, b)| a != b));
}

/// Three kinds: some with laws of `tangent`, some with laws of `vision`, how often they look among them, some without.
fn mixed() -> Scenario {
    let mut scenario = scene("corridor");
    let models = [
        "{ tangent = { strategy = { uniform = [0, 1] }, speed_error = { lognormal = [-0.7, 0.4] } } }",
        "{ vision = { anticipation = { normal = [0.6, 0.1] }, interval = { uniform = [0.05, 0.2] }, columns = 64, rows = 8 } }",
        "\"tangent\"",
    ];
    for (i, model) in models.iter().enumerate() {
        let area = if i == 1 {
            "[[40, 0.5], [48, 0.5], [48, 3.5], [40, 3.5]]"
        } else {
            "[[2, 0.5], [10, 0.5], [10, 3.5], [2, 3.5]]"
        };
        let other = parsed(&format!(
            "[place]\nfloor = [[0, 0], [50, 0], [50, 4], [0, 4]]\n[[population]]\nname = \"kind {i}\"\nmodel = {model}\ncount = 8\narea = {area}\n\
             journey = [[25, 2]]\nstay = true\n"
        ));
        scenario.populations.extend(other.populations);
    }
    scenario.populations.drain(..2);
    scenario
}

#[test]
fn threads_rows_and_checkpoints_do_not_matter() {
    let digest = |threads: usize, prepare: fn(&mut Simulation)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = started(mixed());
            prepare(&mut simulation);
            (0..300).for_each(|_| simulation.step());
            simulation.digest()
        })
    };
    let one = digest(1, |_| {});
    assert_eq!(one, digest(8, |_| {}), "on eight threads");
    let reversed = digest(2, |simulation| {
        simulation.sort_rows(false);
        simulation.reverse_rows();
    });
    assert_eq!(one, reversed, "rows the other way round");
    let mut first = started(mixed());
    (0..123).for_each(|_| first.step());
    let mut resumed = Simulation::resume(mixed(), &first.checkpoint()).unwrap_or_else(|error| panic!("{error}"));
    (123..300).for_each(|_| resumed.step());
    assert_eq!(one, resumed.digest(), "after a checkpoint");
}

/// A law that always gives the same number is that number, to the last bit of a run.
#[test]
fn a_law_of_one_number_is_that_number() {
    for (law, number) in [
        ("{ tangent = { strategy = { uniform = [0.25, 0.25] } } }", "{ tangent = { strategy = 0.25 } }"),
        (
            "{ vision = { anticipation = { uniform = [0.5, 0.5] }, interval = { normal = [0.15, 0] }, columns = 64, rows = 8 } }",
            "{ vision = { anticipation = 0.5, interval = 0.15, columns = 64, rows = 8 } }",
        ),
    ] {
        let digest = |model: &str| {
            let like = parsed(&format!(
                "[place]\nfloor = [[0, 0], [9, 0], [9, 9], [0, 9]]\n[[population]]\nat = [[1, 1]]\nmodel = {model}\n"
            ));
            let mut scenario = scene_with("demo", like.populations[0].model);
            scenario.populations.iter_mut().for_each(|population| population.laws = like.populations[0].laws.clone());
            let mut simulation = started(scenario);
            (0..200).for_each(|_| simulation.step());
            simulation.digest()
        };
        assert_eq!(digest(law), digest(number), "{law}");
    }
}

/// In one population those whose strategy is near 0 turn, and those whose is near 1 change their speed: pairs that cross at a right angle.
#[test]
fn one_population_has_people_who_turn_and_people_who_change_their_speed() {
    let (mut slowing, mut turning) = ([(0.0, 0u32); 2], [(0.0, 0u32); 2]);
    for seed in 1..=40 {
        let mut scenario = parsed(
            "[place]\nfloor = [[-20, -20], [20, -20], [20, 20], [-20, 20]]\n\
             regions = [{ name = \"east\", polygon = [[9, -20], [20, -20], [20, 20], [9, 20]] }]\n\
             [[population]]\nat = [[-8, 0]]\nspeed = 1.3\nmodel = { tangent = { strategy = { uniform = [0, 1] } } }\njourney = [\"east\"]\n\
             [[population]]\nat = [[0, -8.3]]\nspeed = 1.3\nmodel = \"straight\"\njourney = [[0, 12]]\n[run]\nuntil = 30\n",
        );
        scenario.run.seed = seed;
        let mut simulation = started(scenario);
        let who = simulation.ids().iter().copied().find(|id| id.population() == 0).expect("somebody");
        let Model::Tangent(tangent) = simulation.world().model_of(who) else { panic!("another model") };
        let kind = usize::from(tangent.strategy > 0.5);
        let (mut most, mut farthest) = (0f32, 0f32);
        while !simulation.finished() {
            simulation.step();
            let row = simulation.ids().iter().position(|id| *id == who);
            if let (Some(row), true) = (row, simulation.time() > 1.0) {
                let v = simulation.velocities()[row];
                (most, farthest) = (most.max((v.length() - 1.3).abs()), farthest.max(v.y.abs() / v.length().max(0.1)));
            }
        }
        slowing[kind] = (slowing[kind].0 + f64::from(most), slowing[kind].1 + 1);
        turning[kind] = (turning[kind].0 + f64::from(farthest), turning[kind].1 + 1);
    }
    let [turners, slowers] = slowing.map(|(sum, count)| sum / f64::from(count));
    let [turners_turn, slowers_turn] = turning.map(|(sum, count)| sum / f64::from(count));
    println!(
        "change their speed by {turners:.2} and {slowers:.2} m/s, turn by {turners_turn:.2} and {slowers_turn:.2} (sine)"
    );
    assert!(slowers > turners + 0.1, "change their speed by {turners} and {slowers} m/s");
    assert!(turners_turn > slowers_turn, "turn by {turners_turn} and {slowers_turn}");
}
