//! The eleven cases of SteerBench, for every model: everybody reaches the goal, in time, and nobody is inside anybody else.

mod common;

use common::scene_with;
use passerby::Simulation;
use passerby::geometry::Vec2;
use passerby::steering::Model;
use std::collections::BTreeMap;

/// The cases, with the share of the straight line's time that each person may take.
const CASES: &[(&str, f64)] = &[
    ("simple-obstacle", 1.5),
    ("oncoming-1", 1.5),
    ("oncoming-2", 1.5),
    ("crossing-1", 1.5),
    ("crossing-3", 1.5),
    ("similar-direction", 1.5),
    ("overtake", 1.5),
    ("squeeze", 2.0),
    ("double-squeeze", 2.0),
    ("hallway-two-way", 1.5),
    ("concentric-circles", 1.5),
];

/// What a model cannot do, and why. A case that passes in spite of this fails the test, so that the list stays true.
const CANNOT: &[(&str, &str, &str)] = &[
    (
        "headway",
        "concentric-circles",
        "walks as slowly as whoever is in front allows: in the knot everybody is in front of somebody",
    ),
    (
        "headway",
        "hallway-two-way",
        "slows down behind everybody in front: streams of 100 pass through each other at half their speed",
    ),
    (
        "orca",
        "concentric-circles",
        "locks where everybody meets everybody: no half plane gives way (the paper says so of symmetric scenes)",
    ),
    (
        "orca",
        "hallway-two-way",
        "takes 1.9 of the straight line's time since it turns no faster than people: 1.3 with turns taken at once, but 2.3 with 6 rad/s",
    ),
    (
        "helbing-1995",
        "hallway-two-way",
        "has no widths: its repulsion ends where bodies of half a metre in radius begin",
    ),
    (
        "helbing-1995",
        "concentric-circles",
        "has no widths: its repulsion ends where bodies of half a metre in radius begin",
    ),
    ("helbing-2000", "concentric-circles", "does not foresee: all push into the middle before any turns"),
    ("rvo", "double-squeeze", "waits for a gap: between two walls every sample for two abreast collides"),
    (
        "rvo",
        "concentric-circles",
        "keeps waiting at the rim of the knot: samples that go round collide with those who go round the other way",
    ),
    ("lamarche", "overtake", "decelerates behind the slow one: between the walls right and left turn into them"),
    (
        "lamarche",
        "hallway-two-way",
        "answers one collision at a time: among a hundred who come, who turns no faster than people do meets the next before it is \
         past the first",
    ),
    (
        "lamarche",
        "concentric-circles",
        "answers one collision at a time: in the knot each answer is the next collision",
    ),
    (
        "paris",
        "hallway-two-way",
        "wants free directions for seconds: bodies of a metre leave none, and the streams jam",
    ),
    ("paris", "concentric-circles", "wants free directions for seconds, and waits for them in the knot"),
    ("tangent", "overtake", "follows: between the walls both tangents lead into one of them, and speed alone is left"),
    (
        "tangent",
        "concentric-circles",
        "finds no velocity that solves everybody in the knot, and stands until others have gone",
    ),
    (
        "vision",
        "overtake",
        "follows: between the walls whoever passes sees one of them on a collision course, whichever side it turns to",
    ),
    (
        "vision",
        "double-squeeze",
        "stands and looks round: two abreast and two walls fill its view, and every turn leads to one of them",
    ),
    (
        "vision",
        "hallway-two-way",
        "stops before whoever is on a collision course within seconds: streams of a hundred wide people stand before each other",
    ),
    ("reynolds", "concentric-circles", "avoids one at a time, and is pushed off its way in the knot"),
];

/// How one model fares in one case.
struct Outcome {
    arrived: bool,
    /// The largest share of the straight line's time that somebody took.
    slowest: f64,
    overlap_before_ground: f64,
    overlap_after_ground: f64,
    seconds: f64,
}

fn run(case: &str, model: Model) -> Outcome {
    let scenario = scene_with(&format!("steerbench-{case}"), model);
    let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
    let (mut first, mut last) = (BTreeMap::new(), BTreeMap::new());
    let speeds: BTreeMap<_, _> =
        simulation.ids().iter().copied().zip(simulation.people().agents.speed.iter().copied()).collect();
    let mut overlap_after_ground = 0f32;
    while !simulation.finished() {
        for (id, at) in simulation.ids().iter().zip(simulation.positions()) {
            first.entry(*id).or_insert(*at);
            last.insert(*id, (*at, simulation.time()));
        }
        simulation.step();
        overlap_after_ground = overlap_after_ground.max(deepest(&simulation));
    }
    let slowest = last.iter().map(|(id, (at, time))| {
        let straight = first[id].distance(*at) / speeds[id];
        time / f64::from(straight).max(1e-3)
    });
    let summary = simulation.summary();
    Outcome {
        arrived: summary.arrived == summary.entered,
        slowest: slowest.fold(0.0, f64::max),
        overlap_before_ground: summary.overlap_before_ground.into(),
        overlap_after_ground: overlap_after_ground.into(),
        seconds: simulation.time(),
    }
}

/// The deepest overlap of two bodies now, m.
fn deepest(simulation: &Simulation) -> f32 {
    let (at, radius) = (simulation.positions(), simulation.radii());
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by(|a, b| at[*a].x.total_cmp(&at[*b].x));
    let widest = radius.iter().fold(0f32, |most, r| most.max(*r));
    let mut most = 0f32;
    for (i, &a) in order.iter().enumerate() {
        let near = order[i + 1..].iter().take_while(|b| at[**b].x - at[a].x < 2.0 * widest);
        for &b in near {
            most = most.max(radius[a] + radius[b] - Vec2::distance(at[a], at[b]));
        }
    }
    most
}

fn check(model: Model) {
    let mut failures = Vec::new();
    let mut expected = 0;
    for (case, share) in CASES {
        let outcome = run(case, model);
        println!(
            "{:<18} {:<13} {} in {:5.1} s, {:.2} of the straight line, overlap {:.3} m before ground, {:.4} m after",
            case,
            model.name(),
            if outcome.arrived { "arrived" } else { "STUCK  " },
            outcome.seconds,
            outcome.slowest,
            outcome.overlap_before_ground,
            outcome.overlap_after_ground,
        );
        assert!(
            outcome.overlap_after_ground <= 0.001,
            "{case} with {}: {} m",
            model.name(),
            outcome.overlap_after_ground
        );
        let passed = outcome.arrived && outcome.slowest <= *share;
        let cannot = CANNOT.iter().find(|(name, of, _)| of == case && *name == model.name());
        expected += u32::from(cannot.is_some());
        match (passed, cannot) {
            (true, None) | (false, Some(_)) => {}
            (true, Some((_, _, why))) => failures.push(format!("{case}: passes, though it {why}")),
            (false, None) => failures.push(format!("{case}: {} of the straight line's time", outcome.slowest)),
        }
    }
    let allowed = if matches!(model, Model::Reynolds(_) | Model::Rvo(_)) { 6 } else { 3 };
    assert!(expected <= allowed, "{} has {expected} expected failures, {allowed} are allowed", model.name());
    assert!(failures.is_empty(), "{}:\n{}", model.name(), failures.join("\n"));
}

macro_rules! cases {
    ($($test:ident: $name:literal,)*) => {
        $(#[test]
        fn $test() {
            check(Model::named($name).expect("a model"));
        })*

        #[test]
        fn every_model_is_tried() {
            let tried = [$($name),*];
            assert!(Model::names().iter().all(|name| *name == "straight" || tried.contains(name)));
        }
    };
}

cases! {
    headway: "headway",
    orca: "orca",
    helbing_1995: "helbing-1995",
    helbing_2000: "helbing-2000",
    rvo: "rvo",
    lamarche: "lamarche",
    paris: "paris",
    reynolds: "reynolds",
    tangent: "tangent",
    vision: "vision",
}
