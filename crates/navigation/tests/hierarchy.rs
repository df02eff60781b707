//! Hierarchical queries against a search of the whole roadmap, the exact planner, and a disc that is moved along.

mod common;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use common::*;
use passerby_geometry::{DVec2, Vec2};
use passerby_navigation::{CellId, Floor, Goal, Hierarchy, Level, Map, Pairing, Routing, Spot, Subdivision, pull};
use proptest::prelude::*;

fn spot(at: Vec2) -> Spot {
    Spot { level: Level(0), at }
}

#[track_caller]
fn check(floor: &Floor, from: [f64; 2], to: [f64; 2], portals: usize, key_points: f64, pulled: f64) {
    let map = Map::build(floor).unwrap();
    let of = Subdivision::build(&map);
    let hierarchy = Hierarchy::build(&of, 0.0);
    let mut routing = Routing::default();
    let (from, to) = (local(&map, from), local(&map, to));
    let length = routing.find(&hierarchy, &of, spot(from), spot(to)).unwrap();
    assert!((f64::from(length) - key_points).abs() < 1e-4, "{length}, expected {key_points}");
    let (mut crossings, mut line) = (Vec::new(), Vec::new());
    routing.crossings(&hierarchy, &mut crossings);
    assert_eq!(crossings.len(), portals);
    let length = pull(&of, from, &crossings, to, 0.0, &mut line);
    assert!((length - pulled).abs() < 1e-4, "{length}, expected {pulled}: {line:?}");
}

#[test]
fn worked_routes() {
    check(&l_floor(), [9.0, 2.0], [2.0, 9.0], 2, 12.8284, 10.7703);
    // (1,1) to (6,1.5), (7.5,3), (7.5,9).
    let key_points = (25.0f64 + 0.25).sqrt() + (2.25f64 + 2.25).sqrt() + 6.0;
    check(&t_floor(), [1.0, 1.0], [7.5, 9.0], 2, key_points, 11.5698);
    check(&l_floor(), [9.0, 2.0], [5.0, 1.0], 0, 17.0f64.sqrt(), 17.0f64.sqrt());
}

#[test]
fn narrowest_passages() {
    let mut without_door = door_floor();
    without_door.doors.clear();
    let cases = [
        (l_floor(), [9.0, 2.0], [2.0, 9.0], 4.0),
        (pillar_floor(), [2.0, 5.0], [8.0, 5.0], 4.0),
        (off_pillar_floor(), [2.5, 4.0], [9.5, 4.0], 4.0),
        (without_door, [5.0, 5.0], [15.0, 5.0], 2.0),
        (door_floor(), [5.0, 5.0], [15.0, 5.0], 2.0),
        (t_floor(), [1.6, 1.5], [13.4, 1.5], 3.0),
        (kink_floor(), [4.0, 1.5], [10.0, 1.1], 2.0),
    ];
    for (floor, from, to, width) in cases {
        let map = Map::build(&floor).unwrap();
        let of = Subdivision::build(&map);
        for (asked, expected) in [(width - 1e-3, true), (width, true), (width + 1e-3, false)] {
            let hierarchy = Hierarchy::build(&of, asked);
            let (from, to) = (spot(local(&map, from)), spot(local(&map, to)));
            let found = Routing::default().find(&hierarchy, &of, from, to);
            assert_eq!(found.is_some(), expected, "{asked} m through {width} m: {found:?}");
        }
    }
}

#[test]
fn a_closed_door_stops_everybody() {
    let mut map = Map::build(&door_floor()).unwrap();
    let ask = |map: &Map| {
        let of = Subdivision::build(map);
        let (from, to) = (spot(local(map, [5.0, 5.0])), spot(local(map, [15.0, 5.0])));
        Routing::default().find(&Hierarchy::build(&of, 0.5), &of, from, to)
    };
    assert!(ask(&map).is_some());
    map.set_door(0, false);
    assert!(ask(&map).is_none());
}

#[test]
fn other_levels_have_no_floor_yet() {
    let map = Map::build(&l_floor()).unwrap();
    let of = Subdivision::build(&map);
    let upstairs = Spot { level: Level(1), at: local(&map, [9.0, 2.0]) };
    assert!(of.locate(upstairs).is_none());
    let ground = spot(upstairs.at);
    assert!(Routing::default().find(&Hierarchy::build(&of, 0.5), &of, ground, upstairs).is_none());
}

/// Dijkstra over all portals, each in both directions: length to each `(portal, into)`.
fn whole_roadmap(of: &Subdivision, width: f64, from: DVec2, start: CellId, to: DVec2, goal: CellId) -> Option<f64> {
    let fits = |room: f64| room >= width - 2e-6;
    let mut best: BTreeMap<(u32, u32), f64> = BTreeMap::new();
    let mut queue: BinaryHeap<Reverse<(u64, u32, u32)>> = BinaryHeap::new();
    let mut answer = f64::INFINITY;
    let beyond = |portal: u32, cell: CellId| {
        let cells = of.portals()[portal as usize].cells;
        if cells[0] == cell { cells[1].0 } else { cells[0].0 }
    };
    for p in of.portals_of(start).iter().filter(|p| fits(of.portal(**p).length())) {
        queue.push(Reverse((from.distance(of.portal(*p).middle()).to_bits(), p.0, beyond(p.0, start))));
    }
    while let Some(Reverse((cost, portal, into))) = queue.pop() {
        let cost = f64::from_bits(cost);
        if best.contains_key(&(portal, into)) {
            continue;
        }
        best.insert((portal, into), cost);
        let (cell, middle) = (CellId(into), of.portals()[portal as usize].middle());
        if cell == goal {
            answer = answer.min(cost + middle.distance(to));
        }
        let (portals, widths) = (of.portals_of(cell), of.turn_widths(cell));
        let i = portals.iter().position(|p| p.0 == portal).unwrap();
        for (_, next) in portals.iter().enumerate().filter(|&(j, _)| j != i && fits(widths[i * portals.len() + j])) {
            let cost = cost + middle.distance(of.portal(*next).middle());
            queue.push(Reverse((cost.to_bits(), next.0, beyond(next.0, cell))));
        }
    }
    answer.is_finite().then_some(answer)
}

fn random_floor() -> impl Strategy<Value = Floor> {
    let rectangle = (0.0..14.0, 0.0..11.0, 0.05..2.0f64, 0.05..2.0f64, prop_oneof![Just(0.0), 0.0..3.0f64]);
    let star = (1.0..13.0, 1.0..10.0, prop::collection::vec(0.2..2.0f64, 3..9), 0.0..3.0f64);
    (prop::collection::vec(rectangle, 0..9), prop::collection::vec(star, 0..5)).prop_map(|(rectangles, stars)| {
        let mut floor = Room::new([14.0, 11.0], &rectangles).floor();
        floor.obstacles.extend(stars.iter().map(|(x, y, arms, turn)| star_at([*x, *y], arms, *turn)));
        floor
    })
}

fn place() -> impl Strategy<Value = [f64; 2]> {
    (0u32..14 * 64, 0u32..11 * 64).prop_map(|(x, y)| [f64::from(x) / 64.0, f64::from(y) / 64.0])
}

/// A width at which a passage is claimed by its portals and denied by its turn, or any.
fn telling_width(of: &Subdivision, share: f64) -> f64 {
    let mut between: Vec<f64> = Vec::new();
    for cell in (0..of.cell_count()).map(CellId) {
        let (portals, widths) = (of.portals_of(cell), of.turn_widths(cell));
        for i in 0..portals.len() {
            for j in 0..i {
                let shorter = of.portal(portals[i]).length().min(of.portal(portals[j]).length());
                let turn = widths[i * portals.len() + j];
                if turn < shorter - 1e-3 {
                    between.push(turn + share * (shorter - turn));
                }
            }
        }
    }
    let pick = (share * between.len() as f64) as usize;
    between.get(pick).copied().filter(|w| *w < 3.0).unwrap_or(0.1 + 1.5 * share)
}

fn has_narrow_turn(of: &Subdivision, cell: CellId, width: f64) -> bool {
    let count = of.portals_of(cell).len();
    (0..count * count).any(|k| k / count != k % count && of.turn_widths(cell)[k] < width)
}

fn clearance(map: &Map, p: Vec2) -> f32 {
    if !map.contains(p) {
        return 0.0;
    }
    let mut walls = Vec::new();
    map.walls().near(p, 5.0, &mut walls);
    walls.iter().map(|near| near.distance).fold(5.0, f32::min)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_hierarchy_answers_as_the_whole_roadmap_and_the_exact_planner(
        floor in random_floor(),
        places in prop::collection::vec(place(), 8),
        share in 0.0..1.0f64,
        telling in any::<bool>(),
        printed in any::<bool>(),
    ) {
        let Ok(map) = Map::build(&floor) else { return Ok(()) };
        let of = Subdivision::build(&map);
        let width = if telling { telling_width(&of, share) } else { 0.05 + 1.5 * share };
        let radius = (width / 2.0) as f32;
        let hierarchy = Hierarchy::build_by(&of, width, if printed { Pairing::Fewest } else { Pairing::Disjoint });
        let mut routing = Routing::default();
        let (mut crossings, mut line) = (Vec::new(), Vec::new());
        for ends in places.chunks(2) {
            let [from, to] = [ends[0], ends[1]].map(|p| local(&map, p));
            if clearance(&map, from) < radius + 1e-4 || clearance(&map, to) < radius + 1e-4 {
                continue;
            }
            let exact = map.path(from, &Goal::Point(to), radius);
            let found = routing.find(&hierarchy, &of, spot(from), spot(to));
            prop_assert_eq!(found.is_some(), exact.is_some(), "width {} from {} to {}", width, from, to);
            let (Some(found), Some(_)) = (found, exact) else { continue };
            routing.crossings(&hierarchy, &mut crossings);
            let (start, goal) = (of.locate(spot(from)).unwrap(), of.locate(spot(to)).unwrap());
            // Every crossing leads on from where the one before has led to.
            let mut cell = start;
            for crossing in &crossings {
                let cells = of.portal(crossing.portal).cells;
                prop_assert!(cells.contains(&cell) && cells.contains(&crossing.into) && cell != crossing.into);
                cell = crossing.into;
            }
            prop_assert_eq!(cell, goal);
            if !crossings.is_empty() {
                let whole = whole_roadmap(&of, width, from.as_dvec2(), start, to.as_dvec2(), goal).unwrap();
                prop_assert!(whole <= f64::from(found) + 1e-4, "{found}, whole roadmap {whole}");
                // From a cell with a narrow turn the start may not reach every portal, which the reference does not know.
                if !has_narrow_turn(&of, start, width) && !has_narrow_turn(&of, goal, width) {
                    prop_assert!((whole - f64::from(found)).abs() < 1e-4, "{found}, whole roadmap {whole}");
                }
                let mut length = 0.0;
                let mut last = from.as_dvec2();
                for middle in crossings.iter().map(|c| of.portal(c.portal).middle()).chain([to.as_dvec2()]) {
                    length += last.distance(middle);
                    last = middle;
                }
                prop_assert!((length - f64::from(found)).abs() < 1e-3, "{length} said {found}");
            }
            let pulled = pull(&of, from, &crossings, to, 0.0, &mut line);
            prop_assert!(pulled <= f64::from(found) + 1e-3, "{pulled} pulled, {found} over key points");
            let exact_point = map.path(from, &Goal::Point(to), 0.0).unwrap();
            prop_assert!(pulled >= f64::from(exact_point.length) - 1e-3, "{pulled} < {}", exact_point.length);
        }
    }
}

/// Fineness of the squares on which a disc is moved, m. Its radius is smaller by as much.
const STEP: f64 = 0.04;

/// Whether a disc can be moved from one place to another with its centre in these cells, by trying all squares.
fn can_be_moved(map: &Map, of: &Subdivision, cells: &[CellId], from: Vec2, to: Vec2, radius: f64) -> bool {
    let columns = (14.0 / STEP) as i64 + 2;
    let at = |x: i64, y: i64| from + (DVec2::new(x as f64, y as f64) * STEP).as_vec2();
    let free = |p: Vec2| {
        of.locate(spot(p)).is_some_and(|cell| cells.contains(&cell)) && map.walls().clear(p, (radius - STEP) as f32)
    };
    let mut seen = vec![false; (4 * columns * columns) as usize];
    let number = |x: i64, y: i64| ((y + columns) * 2 * columns + x + columns) as usize;
    let mut open = vec![(0i64, 0i64)];
    seen[number(0, 0)] = true;
    while let Some((x, y)) = open.pop() {
        if f64::from(at(x, y).distance(to)) < 2.0 * STEP {
            return true;
        }
        for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
            if x.abs() < columns && y.abs() < columns && !seen[number(x, y)] && free(at(x, y)) {
                seen[number(x, y)] = true;
                open.push((x, y));
            }
        }
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_disc_can_be_moved_along_every_route(
        floor in random_floor(),
        from in place(),
        to in place(),
        share in 0.0..1.0f64,
    ) {
        let Ok(map) = Map::build(&floor) else { return Ok(()) };
        let of = Subdivision::build(&map);
        let width = telling_width(&of, share);
        let (from, to) = (local(&map, from), local(&map, to));
        prop_assume!(width > 0.2);
        prop_assume!([from, to].iter().all(|p| f64::from(clearance(&map, *p)) > width / 2.0 + 1e-4));
        let hierarchy = Hierarchy::build(&of, width);
        let mut routing = Routing::default();
        if routing.find(&hierarchy, &of, spot(from), spot(to)).is_some() {
            let mut crossings = Vec::new();
            routing.crossings(&hierarchy, &mut crossings);
            let mut cells = vec![of.locate(spot(from)).unwrap()];
            cells.extend(crossings.iter().map(|c| c.into));
            prop_assert!(can_be_moved(&map, &of, &cells, from, to, width / 2.0), "width {width}: {cells:?}");
        }
    }
}
