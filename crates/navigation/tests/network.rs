//! Doors that open and close, portals that cost more, and routes that are followed, against maps built anew.

mod common;

use common::*;
use passerby_geometry::{DVec2, Vec2};
use passerby_navigation::{
    Crossing, Door, Floor, Goal, Level, Map, Network, NetworkSearch, PortalId, Spot, heading, pull,
};
use proptest::prelude::*;

const WIDTH: f64 = 0.5;

fn spots(from: Vec2, to: Vec2) -> [Spot; 2] {
    [from, to].map(|at| Spot { level: Level(0), at })
}

/// Two rooms with three doors between them, at y = 1.5, 5 and 8.5; the walls are 20 cm thick.
fn three_doors() -> Floor {
    let wall = |low: f64, high: f64| rectangle([9.9, low], [10.1, high]);
    let door =
        |name: &str, y: f64| Door { name: name.into(), line: [DVec2::new(10.0, y - 0.5), DVec2::new(10.0, y + 0.5)] };
    Floor {
        areas: vec![rectangle([0.0, 0.0], [20.0, 10.0]).into()],
        obstacles: vec![wall(0.0, 1.0), wall(2.0, 4.5), wall(5.5, 8.0), wall(9.0, 10.0)],
        doors: vec![door("south", 1.5), door("middle", 5.0), door("north", 8.5)],
        ..Floor::default()
    }
}

/// Which doors a route goes through.
fn doors_on(network: &Network, map: &Map, crossings: &[Crossing]) -> Vec<f64> {
    let portals = crossings.iter().map(|c| network.subdivision().portal(c.portal));
    portals.filter(|portal| portal.door).map(|portal| (portal.middle() + map.offset()).y).collect()
}

#[test]
fn a_door_that_closes_leads_to_the_next_and_a_crowded_one_too() {
    let map = Map::build(&three_doors()).unwrap();
    let mut network = Network::build(&map);
    network.need(WIDTH);
    let ends = spots(local(&map, [2.0, 5.5]), local(&map, [18.0, 5.5]));
    let (mut search, mut out) = (NetworkSearch::default(), Vec::new());
    network.route(WIDTH, ends, &mut search, &mut out).unwrap();
    assert_eq!(doors_on(&network, &map, &out), [5.0]);
    network.detour(WIDTH, ends, (&[], None), &mut search, &mut out).unwrap();
    assert_eq!(doors_on(&network, &map, &out), [5.0]);

    // A hundred metres of queue in front of the middle door: the north one is nearer than the south one.
    let middle = out.iter().find(|c| network.subdivision().portal(c.portal).door).unwrap().portal;
    let mut extra = vec![0.0; network.subdivision().portals().len()];
    extra[middle.0 as usize] = 100.0;
    network.detour(WIDTH, ends, (&extra, None), &mut search, &mut out).unwrap();
    assert_eq!(doors_on(&network, &map, &out), [8.5]);
    // Not for who is at its head; and nobody goes where it costs infinitely much.
    network.detour(WIDTH, ends, (&extra, Some((middle, 0.1))), &mut search, &mut out).unwrap();
    assert_eq!(doors_on(&network, &map, &out), [5.0]);
    network.detour(WIDTH, ends, (&[], Some((middle, f32::INFINITY))), &mut search, &mut out).unwrap();
    assert_eq!(doors_on(&network, &map, &out), [8.5]);

    network.set_door(1, false);
    for _ in 0..2 {
        network.route(WIDTH, ends, &mut search, &mut out).unwrap();
        assert_eq!(doors_on(&network, &map, &out), [8.5]);
        network.detour(WIDTH, ends, (&[], None), &mut search, &mut out).unwrap();
        assert_eq!(doors_on(&network, &map, &out), [8.5]);
    }
    network.set_door(2, false);
    network.route(WIDTH, ends, &mut search, &mut out).unwrap();
    assert_eq!(doors_on(&network, &map, &out), [1.5]);
    network.set_door(0, false);
    assert_eq!(network.route(WIDTH, ends, &mut search, &mut out), None);
    assert_eq!(network.detour(WIDTH, ends, (&[], None), &mut search, &mut out), None);
    network.set_door(1, true);
    network.route(WIDTH, ends, &mut search, &mut out).unwrap();
    assert_eq!(doors_on(&network, &map, &out), [5.0]);
}

/// Rooms in a grid with doors in every wall between them, some too narrow.
fn rooms(columns: usize, rows: usize, widths: &[f64]) -> Floor {
    let mut floor = Floor {
        areas: vec![rectangle([0.0, 0.0], [5.0 * columns as f64, 5.0 * rows as f64]).into()],
        ..Floor::default()
    };
    let mut widths = widths.iter().cycle();
    for (i, j) in (0..columns).flat_map(|i| (0..rows).map(move |j| (i, j))) {
        let (x, y) = (5.0 * i as f64, 5.0 * j as f64);
        let half = widths.next().unwrap() / 2.0;
        if i > 0 {
            floor.obstacles.push(rectangle([x - 0.1, y - 0.1], [x + 0.1, y + 2.5 - half]));
            floor.obstacles.push(rectangle([x - 0.1, y + 2.5 + half], [x + 0.1, y + 5.1]));
            let line = [DVec2::new(x, y + 2.5 - half), DVec2::new(x, y + 2.5 + half)];
            floor.doors.push(Door { name: format!("{i}|{j}"), line });
        }
        if j > 0 {
            floor.obstacles.push(rectangle([x - 0.1, y - 0.1], [x + 2.5 - half, y + 0.1]));
            floor.obstacles.push(rectangle([x + 2.5 + half, y - 0.1], [x + 5.1, y + 0.1]));
            let line = [DVec2::new(x + 2.5 - half, y), DVec2::new(x + 2.5 + half, y)];
            floor.doors.push(Door { name: format!("{i}-{j}"), line });
        }
    }
    floor
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// After any sequence of doors: reachability as on a map built anew, as the exact planner says, and for the same cells the
    /// same lengths.
    #[test]
    fn doors_repair_like_a_rebuilt_map(
        widths in prop::collection::vec(0.4..1.6, 5..9),
        steps in prop::collection::vec((0_usize..24, any::<bool>()), 1..40),
    ) {
        let floor = rooms(4, 4, &widths);
        let mut map = Map::build(&floor).unwrap();
        let mut network = Network::build(&map);
        network.need(WIDTH);
        for (door, open) in steps {
            if map.closed_doors()[door] == open {
                network.set_door(door, open);
                map.set_door(door, open);
            }
        }
        let mut fresh = Network::build(&map);
        fresh.need(WIDTH);
        let (mut search, mut out) = (NetworkSearch::default(), Vec::new());
        for i in 0..16 {
            for j in 0..16 {
                let middle = |k: usize| local(&map, [5.0 * (k % 4) as f64 + 2.2, 5.0 * (k / 4) as f64 + 2.4]);
                let ends = spots(middle(i), middle(j));
                let found = network.route(WIDTH, ends, &mut search, &mut out);
                prop_assert_eq!(found, fresh.route(WIDTH, ends, &mut search, &mut out));
                let detour = network.detour(WIDTH, ends, (&[], None), &mut search, &mut out);
                prop_assert_eq!(found.is_some(), detour.is_some());
                if let (Some(a), Some(b)) = (found, detour) {
                    prop_assert!((a - b).abs() < 1e-3 * a.max(1.0), "over the tree {a} m, over cells {b} m");
                }
                let exact = map.path(ends[0].at, &Goal::Point(ends[1].at), WIDTH as f32 / 2.0);
                prop_assert_eq!(found.is_some(), exact.is_some(), "from {} to {}", i, j);
            }
        }
    }
}

/// Walks by headings in steps of 5 cm and gives the length of the way, m.
fn walked(map: &Map, network: &Network, ends: [Spot; 2], route: &[Crossing], threshold: f32, most: f32) -> f32 {
    let (mut at, mut walked, mut next, step) = (ends[0].at, 0.0, 0, 0.05);
    while at.distance(ends[1].at) > step {
        let cell = network.subdivision().locate(Spot { level: Level(0), at }).expect("on the floor");
        next = (next..route.len()).rev().find(|&i| route[i].into == cell).map_or(next, |i| i + 1);
        let found = heading(network.subdivision(), at, WIDTH as f32 / 2.0, &route[next..], ends[1].at, threshold);
        at += (found.toward - at).normalize_or_zero() * step;
        walked += step;
        assert!(map.walls().clear(at, 0.15), "in a wall at {at}");
        assert!(walked < most, "no end after {walked} m");
    }
    walked
}

/// Walking by headings leads to the goal and keeps clear of walls up to what a corner takes. Who skims corners walks hardly
/// farther than the pulled string; who keeps to the middle of passages hardly farther than
/// over the middles of all portals.
#[test]
fn following_arrives() {
    let map = Map::build(&rooms(4, 4, &[1.0, 1.3])).unwrap();
    let mut network = Network::build(&map);
    network.need(WIDTH);
    let middle = |k: usize| local(&map, [5.0 * (k % 4) as f64 + 1.2, 5.0 * (k / 4) as f64 + 3.4]);
    let (mut search, mut out, mut line) = (NetworkSearch::default(), Vec::new(), Vec::new());
    for (from, to) in (0..16).flat_map(|from| (0..16).map(move |to| (from, to))) {
        let ends = spots(middle(from), middle(to));
        let over_middles = network.route(WIDTH, ends, &mut search, &mut out).unwrap();
        let pulled = pull(network.subdivision(), ends[0].at, &out, ends[1].at, WIDTH / 2.0, &mut line) as f32;
        for degrees in [1.0_f32, 5.0, 10.0, 18.3, 30.0] {
            let longest = if degrees <= 5.0 { 1.02 * pulled } else { 1.05 * over_middles } + 0.1;
            let way = walked(&map, &network, ends, &out, degrees.to_radians(), 3.0 * pulled + 5.0);
            assert!(
                way < longest,
                "{from} to {to}, {degrees} degrees: {way} m, string {pulled}, middles {over_middles}"
            );
        }
    }
}

/// Cells of the L: legs of 4 m with portals at x = 4 and y = 4.
#[test]
fn a_line_leaves_its_cell_by_a_portal_or_not_at_all() {
    let map = Map::build(&l_floor()).unwrap();
    let network = Network::build(&map);
    let exit = |from: [f64; 2], to: [f64; 2]| {
        let spot = Spot { level: Level(0), at: local(&map, from) };
        network.exit(spot, local(&map, to)).map(|p| network.subdivision().portal(p).middle() + map.offset())
    };
    assert_eq!(exit([9.0, 2.0], [1.0, 2.0]), Some(DVec2::new(4.0, 2.0)));
    assert_eq!(exit([9.0, 2.0], [5.0, 2.0]), None);
    assert_eq!(exit([9.0, 2.0], [9.0, 9.0]), None);
    assert_eq!(exit([2.0, 9.0], [2.0, 2.0]), Some(DVec2::new(2.0, 4.0)));
}

#[test]
fn portals_of_closed_doors_are_known_by_their_door() {
    let mut map = Map::build(&three_doors()).unwrap();
    map.set_door(0, false);
    let network = Network::build(&map);
    let doors = (0..network.subdivision().portals().len() as u32).map(PortalId);
    assert_eq!(doors.filter(|&p| network.subdivision().portal(p).door).count(), 3);
}
