//! Trees of shared goals in a town of 625 houses follow doors and obstacles: what they are then, and how long it takes.

mod common;

use common::*;
use passerby_geometry::{Chance, DVec2, Polygon, Purpose};
use passerby_navigation::{Door, Floor, Goal, Map, ObstacleId, Region, Subdivision, Tree};

const HOUSES: usize = 25;
const PITCH: f64 = 14.0;
const SIDE: f64 = PITCH * HOUSES as f64;

/// Houses of 6-9 m at any angle, one in each square of 14 m, and a place in the middle of the eastern border.
fn town() -> Floor {
    let chance = Chance::new(7);
    let mut draw = chance.stream(0, 0, Purpose::Placement);
    let mut houses = Vec::new();
    for (i, j) in (0..HOUSES).flat_map(|i| (0..HOUSES).map(move |j| (i, j))) {
        let [x, y] = [i, j].map(|k| PITCH * (k as f64 + 0.5) + draw.uniform() - 0.5);
        houses.push((x, y, 3.0 + 1.5 * draw.uniform(), 3.0 + 1.5 * draw.uniform(), 3.0 * draw.uniform()));
    }
    let mut floor = Room::new([SIDE, SIDE], &houses).floor();
    let polygon = rectangle([SIDE - 1.5, SIDE / 2.0 - 3.0], [SIDE, SIDE / 2.0 + 3.0]);
    floor.regions.push(Region { name: "exit".into(), polygon, speed: 1.0 });
    floor
}

/// The town with so many doors in passages all over it.
fn with_doors(count: usize) -> Map {
    let mut floor = town();
    let plain = Map::build(&floor).unwrap();
    let cells = Subdivision::build(&plain);
    let narrow: Vec<_> = cells.portals().iter().filter(|portal| portal.length() > 0.8).collect();
    for (number, portal) in narrow.iter().step_by((narrow.len() / count).max(1)).take(count).enumerate() {
        let line = portal.ends.map(|end| end + plain.offset());
        floor.doors.push(Door { name: format!("door {number}"), line });
    }
    Map::build(&floor).unwrap()
}

/// Lets doors close and open, and squares of 2 x 2 m come and go; calls `follow` after each with the map and what has happened.
fn live(map: &mut Map, count: usize, mut follow: impl FnMut(&mut Map, &str, &mut dyn FnMut(&mut Map))) {
    let chance = Chance::new(12);
    let mut draw = chance.stream(3, 0, Purpose::Placement);
    for door in 0..count {
        follow(map, "a door closes", &mut |map| map.set_door(door, false));
        follow(map, "a door opens", &mut |map| map.set_door(door, true));
        let square = loop {
            let at = DVec2::new(draw.uniform(), draw.uniform()) * SIDE;
            if map.contains((at - map.offset()).as_vec2()) {
                break Polygon::rectangle(at - DVec2::ONE, at + DVec2::ONE).unwrap();
            }
        };
        let id = ObstacleId(0);
        follow(map, "an obstacle comes", &mut |map| assert!(map.put(id, &square), "a clean cut"));
        follow(map, "an obstacle goes", &mut |map| assert!(map.take(id), "it stands"));
    }
}

#[test]
fn trees_in_a_town_follow_to_the_last_bit() {
    let mut map = with_doors(8);
    let goals = [Goal::Region(0), point_goal(&map, [PITCH * 12.0, PITCH * 12.0])];
    let mut trees: Vec<(Goal, Tree)> = goals.iter().map(|goal| (*goal, map.tree(goal, 0.25))).collect();
    live(&mut map, 8, |map, what, change| {
        change(map);
        assert!(map.look());
        for (goal, tree) in &mut trees {
            map.repair(goal, tree);
            assert!(tree.is_like(&map.tree(goal, 0.25)), "{goal:?}: {what}");
        }
    });
}

/// Each of them in under 5 ms of processor time in the mean, the map's own repair among it.
#[test]
#[ignore = "measures"]
fn long_a_tree_in_a_town_follows_in_5_ms() {
    let (mut map, mut slow) = (with_doors(60), Vec::new());
    for goal in [Goal::Region(0), point_goal(&map, [PITCH * 12.0, PITCH * 12.0])] {
        let begun = soon::seconds();
        let mut tree = map.tree(&goal, 0.25);
        let planted = 1e3 * (soon::seconds() - begun);
        println!("{goal:?}, {} corners: planted in {planted:.1} ms", map.corner_count());
        assert!(map.look());
        let (mut times, mut parts) = (Vec::<(String, f64)>::new(), [0.0; 3]);
        live(&mut map, 60, |map, what, change| {
            let begun = soon::seconds();
            change(map);
            let changed = soon::seconds();
            map.look();
            let looked = soon::seconds();
            map.repair(&goal, &mut tree);
            let done = soon::seconds();
            parts = [parts[0] + changed - begun, parts[1] + looked - changed, parts[2] + done - looked];
            times.push((what.to_owned(), 1e3 * (done - begun)));
        });
        let share = |seconds: f64| 1e3 * seconds / times.len() as f64;
        println!("  map {:.2} ms, views {:.2} ms, tree {:.2} ms", share(parts[0]), share(parts[1]), share(parts[2]));
        for what in ["a door closes", "a door opens", "an obstacle comes", "an obstacle goes"] {
            let mut of: Vec<f64> = times.iter().filter(|(other, _)| other == what).map(|(_, time)| *time).collect();
            of.sort_by(f64::total_cmp);
            let mean = of.iter().sum::<f64>() / of.len() as f64;
            println!("  {what}: mean {mean:.2} ms, median {:.2}, largest {:.2}", of[of.len() / 2], of[of.len() - 1]);
            slow.extend((mean >= 5.0).then_some(format!("{what}: {mean} ms")));
        }
    }
    assert!(slow.is_empty(), "{slow:?}");
}
