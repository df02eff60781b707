//! RiMEA tests 1, 5, 6, 7, 9, 10, 11 and the flat part of 14 (guideline 3.0, with the figures of 4.1.1), for the default model and ORCA.

mod common;
mod watch;

use common::scene_with;
use passerby::Simulation;
use passerby::crowd::AgentId;
use passerby::geometry::{DVec2, Vec2};
use passerby::scenario::{Distribution, Routes};
use passerby::steering::Model;
use std::collections::BTreeMap;
use watch::watch;

fn models() -> [Model; 2] {
    ["headway", "orca"].map(|name| Model::named(name).unwrap())
}

fn simulation(scene: &str, model: Model) -> Simulation {
    Simulation::new(scene_with(scene, model)).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Test 1: 40 m of corridor at 1.33 m/s take 26 to 34 s, at a steady speed within 1 %.
#[test]
fn rimea_1_keeps_its_speed_in_a_corridor() {
    for model in models() {
        let mut simulation = simulation("rimea-1", model);
        let mut times = Vec::new();
        while !simulation.finished() {
            simulation.step();
            times.extend(simulation.velocities().iter().map(|v| v.length()));
        }
        let steady = &times[20..];
        assert!(steady.iter().all(|speed| (speed - 1.33).abs() < 0.0133), "{}: {steady:?}", model.name());
        let arrival = simulation.summary().last_arrival.unwrap();
        assert!((26.0..=34.0).contains(&arrival), "{}: {arrival} s", model.name());
    }
}

/// Test 5: everybody starts at their own time, within one step of the draw, between 10 and 100 s.
#[test]
fn rimea_5_everybody_starts_in_their_own_time() {
    for model in models() {
        let mut simulation = simulation("rimea-5", model);
        let start_at: BTreeMap<_, u32> =
            simulation.ids().iter().copied().zip(simulation.people().journeys.start_at.iter().copied()).collect();
        assert_eq!(start_at.len(), 10);
        let mut times: Vec<f64> = start_at.values().map(|tick| f64::from(*tick) * simulation.world().tick).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        assert!(times.len() == 10 && times[0] >= 10.0 && times[9] <= 100.1, "{times:?}");
        let origin: BTreeMap<_, Vec2> =
            simulation.ids().iter().copied().zip(simulation.positions().iter().copied()).collect();
        while !simulation.finished() {
            simulation.step();
            for (row, id) in simulation.ids().iter().enumerate() {
                let moved = simulation.positions()[row].distance(origin[id]);
                if simulation.tick() <= start_at[id] {
                    assert!(moved < 0.05, "{}: {id} moved {moved} m before its time", model.name());
                }
                // At 0.05 s a step and 1 m/s, 0.05 m takes a step or two; whoever stands free has begun by then.
                if simulation.tick() == start_at[id] + 1 {
                    assert!(
                        simulation.velocities()[row].length() > 0.0,
                        "{}: {id} has not begun to move",
                        model.name()
                    );
                }
            }
        }
        assert_eq!(simulation.summary().arrived, 10);
    }
}

/// Test 6: round the corner without crossing a wall, all out in 60 s.
#[test]
fn rimea_6_nobody_crosses_the_corner() {
    for model in models() {
        let run = watch(scene_with("rimea-6", model));
        assert_eq!(run.outside, 0, "{}", model.name());
        assert!(run.wall_gap > -0.001, "{}: {} m into a wall", model.name(), -run.wall_gap);
        assert_eq!(run.summary.arrived, 20, "{}", model.name());
        assert!(run.time <= 60.1, "{}: {} s", model.name(), run.time);
        assert!(
            run.gap_after_ground > -0.001 && run.speed_share < 1.0001 && run.turned_back < 0.03,
            "{}",
            model.name()
        );
    }
}

/// Test 7: walking speeds lie within 0.03 m/s of the band of each age, and fall with age.
#[test]
fn rimea_7_speeds_follow_age() {
    for model in models() {
        let mut simulation = simulation("rimea-7", model);
        let mut fastest: BTreeMap<_, f32> = BTreeMap::new();
        while !simulation.finished() {
            simulation.step();
            for (id, v) in simulation.ids().iter().zip(simulation.velocities()) {
                let speed = fastest.entry(*id).or_default();
                *speed = speed.max(v.length());
            }
        }
        let mut last_mean = f32::INFINITY;
        for (number, kind) in simulation.world().kinds.iter().enumerate() {
            let (low, high) = match kind.population.speed {
                Distribution::Uniform { low, high } => (low, high),
                Distribution::Constant(speed) => (speed, speed),
                other => panic!("{other:?}"),
            };
            let speeds: Vec<f32> =
                fastest.iter().filter(|(id, _)| id.population() as usize == number).map(|(_, speed)| *speed).collect();
            let (low, high) = (low as f32 - 0.03, high as f32 + 0.03);
            assert!(
                !speeds.is_empty() && speeds.iter().all(|speed| (low..=high).contains(speed)),
                "{}: {speeds:?}",
                kind.population.name
            );
            let mean = speeds.iter().sum::<f32>() / speeds.len() as f32;
            assert!(mean < last_mean, "{}: mean speed {mean} after {last_mean}", kind.population.name);
            last_mean = mean;
        }
        assert_eq!(fastest.len(), 50);
    }
}

/// Test 9: a public room of 1000 with four exits; with two of them locked it takes about twice as long.
#[test]
fn rimea_9_half_the_exits_take_twice_the_time() {
    for model in models() {
        let [four, two] = ["rimea-9", "rimea-9-two-exits"].map(|scene| {
            let mut simulation = simulation(scene, model);
            while !simulation.finished() {
                simulation.step();
            }
            let summary = simulation.summary();
            assert_eq!(summary.arrived, 1000, "{scene} with {}", model.name());
            summary.last_arrival.unwrap()
        });
        println!("rimea 9 with {}: {four:.1} s and {two:.1} s (FDS+Evac: 220.7 and 412.9 s)", model.name());
        let ratio = two / four;
        assert!((1.6..=2.4).contains(&ratio), "{}: {four} s, {two} s, ratio {ratio}", model.name());
    }
}

/// Runs a scene, and counts who is last seen where: `place` names a place by its coordinates.
fn count_by_place(
    mut simulation: Simulation,
    place: impl Fn(DVec2) -> Option<&'static str>,
) -> BTreeMap<AgentId, &'static str> {
    let mut last = BTreeMap::new();
    while !simulation.finished() {
        simulation.step();
        let offset = simulation.offset();
        for (id, at) in simulation.ids().iter().zip(simulation.positions()) {
            if let Some(name) = place(at.as_dvec2() + offset) {
                last.insert(*id, name);
            }
        }
    }
    let summary = simulation.summary();
    assert_eq!(summary.arrived, summary.entered, "somebody did not arrive");
    last
}

/// Test 10: 15 people of eight rooms leave by the main exit, 8 of the others by the secondary one, all of them.
#[test]
fn rimea_10_everybody_takes_the_exit_assigned() {
    for model in models() {
        let side = |at: DVec2| match at.x {
            x if x < 0.0 => Some("main"),
            x if x > 30.0 => Some("secondary"),
            _ => None,
        };
        let last = count_by_place(simulation("rimea-10", model), side);
        let right = last.iter().filter(|(id, exit)| (id.population() == 0) == (**exit == "main")).count();
        assert_eq!((last.len(), right), (23, 23), "{}", model.name());
    }
}

/// Test 11: most take the nearer exit and jam there, some the farther one.
#[test]
fn rimea_11_some_take_the_farther_exit() {
    for model in models() {
        let exit = |at: DVec2| (at.y < 0.0 && at.y > -0.4).then_some(if at.x < 24.5 { "near" } else { "far" });
        let last = count_by_place(simulation("rimea-11", model), exit);
        let far = last.values().filter(|exit| **exit == "far").count() as f64 / last.len() as f64;
        println!("rimea 11 with {}: {:.0} % by the farther exit", model.name(), 100.0 * far);
        assert!(far > 0.0 && far < 0.5, "{}: {far}", model.name());
    }
}

/// Test 14: which way people take is documented: the short one if they go by distance, both if they go by time.
#[test]
fn rimea_14_says_which_way_is_taken() {
    for model in models() {
        let way = |at: DVec2| (14.0..16.0).contains(&at.x).then_some(if at.y < 10.0 { "short" } else { "long" });
        let share = |routes: Routes| {
            let mut scenario = scene_with("rimea-14", model);
            scenario.populations[0].routes = routes;
            let simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
            let last = count_by_place(simulation, way);
            last.values().filter(|way| **way == "short").count() as f64 / last.len() as f64
        };
        let (by_distance, by_time) = (share(Routes::Shortest), share(Routes::Quickest));
        let class = if by_time > 0.95 {
            "short"
        } else if by_time < 0.05 {
            "long"
        } else {
            "mixed"
        };
        println!("rimea 14 with {}: by distance {by_distance:.2} short, by time {by_time:.2} ({class})", model.name());
        assert_eq!(class, "mixed", "{}: {by_time}", model.name());
        assert!(by_time < by_distance);
    }
}
