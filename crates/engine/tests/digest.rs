//! Same seed, same bytes: on any number of threads, in any build, with rows sorted or not.

mod common;

use common::scene_with;
use passerby::Simulation;
use passerby::steering::Model;

/// Ten seconds of a crowded scene with doors, walls and both directions, for each model. They guard, they do not prove: when a
/// model is changed on purpose they change with it. They are the same in debug and release builds.
const GOLDEN: &[(&str, u64)] = &[
    ("straight", 0x442e_ff82_dc6f_f262),
    ("headway", 0x8883_3099_0c1e_4f19),
    ("orca", 0xd792_2145_0389_7197),
    ("helbing-1995", 0x4006_21a2_8def_568a),
    ("helbing-2000", 0xab52_6ac0_5ca8_5656),
    ("rvo", 0xccd5_b46f_369e_89e7),
    ("lamarche", 0x955c_30d8_e7a8_799f),
    ("paris", 0x21a8_3953_a51c_3975),
    ("reynolds", 0x77b0_03e0_cd50_1e58),
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
