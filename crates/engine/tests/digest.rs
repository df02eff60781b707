//! Same seed, same bytes: on any number of threads, in any build, with rows sorted or not.

mod common;

use common::scene_with;
use passerby::Simulation;
use passerby::steering::Model;

/// Ten seconds of a crowded scene with doors, walls and both directions, for each model. They guard, they do not prove: when a
/// model is changed on purpose they change with it. They are the same in debug and release builds.
const GOLDEN: &[(&str, u64)] = &[
    ("straight", 0x373c_f093_4020_0926),
    ("headway", 0x0813_b436_3b57_c618),
    ("orca", 0xa298_c340_e02f_5039),
    ("helbing-1995", 0xa8ad_243f_1d62_0546),
    ("helbing-2000", 0x1160_5279_70f4_9fd7),
    ("rvo", 0x3be4_1e37_934d_7db7),
    ("lamarche", 0x3c95_4677_10ef_1d22),
    ("paris", 0xb950_4963_9184_2233),
    ("reynolds", 0x0eac_1b50_f5ae_cf54),
    ("tangent", 0x32f3_6fe4_bc18_f0de),
    ("vision", 0xdbe7_06a3_a9ea_598b),
];

fn digest(scene: &str, model: Model, threads: usize, prepare: impl FnOnce(&mut Simulation) + Send) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut simulation = Simulation::new(scene_with(scene, model)).unwrap_or_else(|problems| panic!("{problems}"));
        prepare(&mut simulation);
        while simulation.time() < 10.0 {
            simulation.step();
        }
        simulation.digest()
    })
}

#[test]
fn golden_digests() {
    let mut wrong = Vec::new();
    assert!(Model::names().iter().all(|name| GOLDEN.iter().any(|(golden, _)| golden == name)), "a model has no digest");
    for (name, golden) in GOLDEN {
        let digest = digest("demo", Model::named(name).unwrap(), 1, |_| {});
        if digest != *golden {
            wrong.push(format!("    (\"{name}\", 0x{digest:016x}),"));
        }
    }
    assert!(wrong.is_empty(), "digests differ:\n{}", wrong.join("\n"));
}

#[test]
fn threads_do_not_matter() {
    for model in Model::all() {
        let one = digest("demo", model, 1, |_| {});
        for threads in [2, 8] {
            assert_eq!(one, digest("demo", model, threads, |_| {}), "{} on {threads} threads", model.name());
        }
    }
}

#[test]
fn sorting_rows_does_not_matter() {
    for model in Model::all() {
        let sorted = digest("demo", model, 2, |_| {});
        assert_eq!(sorted, digest("demo", model, 2, |simulation| simulation.sort_rows(false)), "{}", model.name());
    }
}

/// Rows in the opposite order, as if everybody had been created the other way round, and never sorted.
#[test]
fn the_order_of_creation_does_not_matter() {
    for model in Model::all() {
        let forwards = digest("demo", model, 2, |_| {});
        let backwards = digest("demo", model, 2, |simulation| {
            simulation.sort_rows(false);
            simulation.reverse_rows();
        });
        assert_eq!(forwards, backwards, "{}", model.name());
    }
}

#[test]
fn another_seed_is_another_run() {
    let run = |seed| {
        let mut scenario = scene_with("demo", Model::default());
        scenario.run.seed = seed;
        let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
        simulation.step();
        simulation.digest()
    };
    assert_ne!(run(1), run(2));
}

/// Every model's lanes: what the processor has, and what every processor has.
#[test]
fn the_width_of_lanes_does_not_matter() {
    for model in Model::all() {
        let widest = digest("demo", model, 1, |_| {});
        let plain =
            digest("demo", model, 1, |simulation| simulation.use_lanes(passerby::geometry::lanes::Width::plain()));
        assert_eq!(widest, plain, "{}", model.name());
    }
}
