//! Queries in a town of 1600 houses against a search of the whole roadmap: all open, with portals closed here and there, with
//! a single gap left in a line across the town, with none, and open again.

mod common;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use common::*;
use passerby_geometry::{Chance, DVec2, Purpose, Vec2};
use passerby_navigation::{CellId, Crossing, Hierarchy, Level, Map, NodeId, PortalId, Routing, Spot, Subdivision};

const WIDTH: f64 = 0.5;
const HOUSES: usize = 40;
const PITCH: f64 = 14.0;
const SIDE: f64 = PITCH * HOUSES as f64;

/// Houses of 6-9 m at any angle, one in each square of 14 m: they never touch, and no street is straight.
fn town() -> Map {
    let chance = Chance::new(7);
    let mut draw = chance.stream(0, 0, Purpose::Placement);
    let mut houses = Vec::new();
    for (i, j) in (0..HOUSES).flat_map(|i| (0..HOUSES).map(move |j| (i, j))) {
        let [x, y] = [i, j].map(|k| PITCH * (k as f64 + 0.5) + draw.uniform() - 0.5);
        houses.push((x, y, 3.0 + 1.5 * draw.uniform(), 3.0 + 1.5 * draw.uniform(), 3.0 * draw.uniform()));
    }
    Map::build(&Room::new([SIDE, SIDE], &houses).floor()).unwrap()
}

fn spot(at: Vec2) -> Spot {
    Spot { level: Level(0), at }
}

/// A* over all portals that are open, each in both directions: state 2 p leads into the first cell of portal p.
fn whole(of: &Subdivision, closed: &[bool], ends: [DVec2; 2], cells: [CellId; 2]) -> Option<f64> {
    let fits = |room: f64| room >= WIDTH - 2e-6;
    let middle = |state: usize| of.portals()[state / 2].middle();
    let leaving = |p: PortalId, cell: CellId| 2 * p.0 as usize + usize::from(of.portal(p).cells[0] == cell);
    let open = |p: PortalId| !closed[p.0 as usize] && fits(of.portal(p).length());
    let mut costs = vec![f64::INFINITY; 2 * of.portals().len()];
    let mut queue = BinaryHeap::new();
    let mut reach = |state: usize, cost: f64, queue: &mut BinaryHeap<_>| {
        if cost < costs[state] {
            costs[state] = cost;
            queue.push(Reverse(((cost + middle(state).distance(ends[1])).to_bits(), state, cost.to_bits())));
        }
    };
    for &portal in of.portals_of(cells[0]).iter().filter(|p| open(**p)) {
        let state = leaving(portal, cells[0]);
        reach(state, ends[0].distance(middle(state)), &mut queue);
    }
    let mut best = f64::INFINITY;
    while let Some(Reverse((key, state, cost))) = queue.pop() {
        let (cost, cell) = (f64::from_bits(cost), of.portals()[state / 2].cells[state % 2]);
        if f64::from_bits(key) >= best {
            break;
        }
        if cell == cells[1] {
            best = best.min(cost + middle(state).distance(ends[1]));
        }
        let (portals, widths) = (of.portals_of(cell), of.turn_widths(cell));
        let entered = portals.iter().position(|p| p.0 as usize == state / 2)?;
        for (j, &portal) in portals.iter().enumerate() {
            if j != entered && open(portal) && fits(widths[entered * portals.len() + j]) {
                let next = leaving(portal, cell);
                reach(next, cost + middle(state).distance(middle(next)), &mut queue);
            }
        }
    }
    best.is_finite().then_some(best)
}

/// Asks many questions, and gives how many of them have an answer.
fn check(map: &Map, of: &Subdivision, hierarchy: &Hierarchy, closed: &[bool], count: usize) -> usize {
    let chance = Chance::new(3);
    let mut draw = chance.stream(1, 0, Purpose::Placement);
    let mut place = || loop {
        let at = local(map, [SIDE * draw.uniform(), SIDE * draw.uniform()]);
        if map.contains(at) && map.walls().clear(at, 0.3) {
            return at;
        }
    };
    let (mut routing, mut crossings, mut answered) = (Routing::default(), Vec::<Crossing>::new(), 0);
    for _ in 0..count {
        let ends = [place(), place()];
        let cells = ends.map(|at| of.locate(spot(at)).unwrap());
        let found = routing.find(hierarchy, of, spot(ends[0]), spot(ends[1]));
        if cells[0] == cells[1] {
            continue;
        }
        let expected = whole(of, closed, ends.map(|at| at.as_dvec2()), cells);
        assert_eq!(found.is_some(), expected.is_some(), "from {} to {}", ends[0], ends[1]);
        let (Some(found), Some(expected)) = (found.map(f64::from), expected) else { continue };
        assert!((found - expected).abs() < 1e-6 * expected + 1e-4, "{found} m, whole roadmap {expected} m");
        // The portals are those of a path of that length, and all of them are open.
        routing.crossings(hierarchy, &mut crossings);
        let (mut cell, mut last, mut length) = (cells[0], ends[0].as_dvec2(), 0.0);
        for crossing in &crossings {
            let portal = of.portal(crossing.portal);
            assert!(portal.cells.contains(&cell) && portal.cells.contains(&crossing.into) && cell != crossing.into);
            assert!(!closed[crossing.portal.0 as usize]);
            (cell, length, last) = (crossing.into, length + last.distance(portal.middle()), portal.middle());
        }
        length += last.distance(ends[1].as_dvec2());
        assert!(cell == cells[1] && (length - found).abs() < 1e-3, "{length} m of portals, said {found} m");
        answered += 1;
    }
    answered
}

#[test]
fn queries_are_as_short_as_over_the_whole_roadmap_whatever_is_closed() {
    let map = town();
    let of = Subdivision::build(&map);
    let mut hierarchy = Hierarchy::build(&of, WIDTH);
    let tree = hierarchy.tree();
    let largest = (0..tree.node_count()).map(|n| tree.arity(NodeId(n))).max().unwrap();
    // More than fit in one group of what is ruled out at a time.
    assert!(largest > 64, "{largest} ways out");
    let mut closed = vec![false; of.portals().len()];
    let set = |hierarchy: &mut Hierarchy, closed: &mut [bool], portals: &[u32], open: bool| {
        portals.iter().for_each(|&p| closed[p as usize] = !open);
        hierarchy.set_open(&of, &portals.iter().map(|&p| PortalId(p)).collect::<Vec<_>>(), open);
    };
    let all = check(&map, &of, &hierarchy, &closed, 150);
    assert!(all > 140);

    let some: Vec<u32> = (0..of.portals().len() as u32).step_by(9).collect();
    set(&mut hierarchy, &mut closed, &some, false);
    let answered = check(&map, &of, &hierarchy, &closed, 150);
    assert!(answered > 100, "{answered} of {all}");
    set(&mut hierarchy, &mut closed, &some, true);

    // A line across the town: whoever wants to the other side goes by the gap at its end, however far that is.
    let across = |p: &&u32| {
        let sides = of.portals()[**p as usize].cells.map(|cell| {
            let portals = of.portals_of(cell);
            let sum: DVec2 = portals.iter().map(|p| of.portal(*p).middle()).sum();
            (sum / portals.len() as f64 + map.offset()).x < SIDE / 2.0
        });
        sides[0] != sides[1]
    };
    let numbers: Vec<u32> = (0..of.portals().len() as u32).collect();
    let mut line: Vec<u32> = numbers.iter().filter(across).copied().collect();
    line.sort_by(|a, b| {
        let [a, b] = [a, b].map(|p| of.portals()[*p as usize].middle().y);
        a.total_cmp(&b)
    });
    set(&mut hierarchy, &mut closed, &line[1..], false);
    assert_eq!(check(&map, &of, &hierarchy, &closed, 150), all);
    set(&mut hierarchy, &mut closed, &line[..1], false);
    let answered = check(&map, &of, &hierarchy, &closed, 150);
    assert!((all / 4..3 * all / 4).contains(&answered), "{answered} of {all}");

    set(&mut hierarchy, &mut closed, &line, true);
    assert_eq!(check(&map, &of, &hierarchy, &closed, 150), all);
}
