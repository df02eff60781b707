//! Obstacles that come and go, beside doors, against maps that are built anew with what stands.

mod common;

use common::*;
use passerby_geometry::{Chance, DVec2, Polygon, Purpose, Segment, Vec2, WallId};
use passerby_navigation::{
    CellId, Door, Floor, Goal, Level, Map, Network, NetworkSearch, ObstacleId, PortalId, Region, Search, Spot, Tree,
};
use proptest::prelude::*;

const WIDTHS: [f64; 2] = [0.5, 1.1];

/// All ways between so many places are 1024 queries.
const PLACES: usize = 32;

fn spot(at: Vec2) -> Spot {
    Spot { level: Level(0), at }
}

fn doubled_area(outline: &[DVec2]) -> f64 {
    (0..outline.len()).map(|i| outline[i].perp_dot(outline[(i + 1) % outline.len()])).sum()
}

/// Cells are convex, cover the free floor once, and know each other over whole portals.
#[track_caller]
fn check_cells(network: &Network, anew: &Map) {
    let of = network.subdivision();
    let mut doubled = 0.0;
    for cell in (0..of.cell_count()).map(CellId) {
        let outline = of.outline(cell);
        for i in 0..outline.len() {
            let [a, b, c] = [0, 1, 2].map(|k| outline[(i + k) % outline.len()]);
            let turn = (b - a).perp_dot(c - b) / ((b - a).length() * (c - b).length());
            assert!(turn > -1e-6, "{cell:?} turns by {turn} at {b}");
        }
        doubled += doubled_area(outline);
        if !outline.is_empty() {
            let middle = outline.iter().sum::<DVec2>() / outline.len() as f64;
            // Spots are told in `f32`, to a millionth of a metre here: the middle of a splinter may be told as a spot beside it.
            let longest =
                (0..outline.len()).map(|i| outline[i].distance(outline[(i + 1) % outline.len()])).fold(0.0, f64::max);
            let thick = doubled_area(outline) / longest;
            let found = of.locate(spot(middle.as_vec2()));
            assert!(thick < 1e-5 || found == Some(cell), "the middle of {cell:?}, {thick} m thick, is in {found:?}");
            assert!(anew.contains(middle.as_vec2()), "{cell:?} at {middle} is not free");
        }
        for portal in of.portals_of(cell) {
            let portal = of.portal(*portal);
            let side = portal.cells.iter().position(|c| *c == cell).expect("a portal knows its cells");
            let other = portal.cells[1 - side];
            assert!(of.portals_of(other).iter().any(|p| of.portal(*p) == portal), "{other:?} does not know {portal:?}");
            let [a, b] = if side == 0 { portal.ends } else { [portal.ends[1], portal.ends[0]] };
            let edge = (0..outline.len()).any(|i| outline[i] == a && outline[(i + 1) % outline.len()] == b);
            assert!(edge, "{portal:?} is no edge of {cell:?}");
        }
        assert_eq!(of.turn_widths(cell).len(), of.portals_of(cell).len() * of.portals_of(cell).len());
    }
    let area = anew.free_area();
    assert!((doubled / 2.0 - area).abs() < 1e-5 * area, "cells have {} m2 of {area}", doubled / 2.0);
}

/// Places to go from and to, with room for a disc.
fn places(map: &Map, count: usize, size: DVec2, radius: f32) -> Vec<Vec2> {
    let chance = Chance::new(7);
    let mut draw = chance.stream(0, 0, Purpose::Placement);
    let mut found = Vec::new();
    for _ in 0..200 * count {
        let at = (DVec2::new(draw.uniform(), draw.uniform()) * size - map.offset()).as_vec2();
        if map.contains(at) && map.walls().clear(at, radius + 0.01) && found.len() < count {
            found.push(at);
        }
    }
    assert_eq!(found.len(), count, "there is room on every floor here");
    found
}

/// Everybody gets where they would on a network built anew and where the exact planner says, over the tree as over the cells.
#[track_caller]
fn check_routes(network: &Network, anew: &Map, size: DVec2) {
    let mut search = NetworkSearch::default();
    let mut out = Vec::new();
    let mut fresh = Network::build(anew);
    WIDTHS.iter().for_each(|width| fresh.need(*width));
    for width in WIDTHS {
        let at = places(anew, PLACES, size, width as f32 / 2.0);
        for (i, j) in (0..at.len()).flat_map(|i| (0..at.len()).map(move |j| (i, j))) {
            let ends = [spot(at[i]), spot(at[j])];
            let found = network.route(width, ends, &mut search, &mut out);
            let mut last = at[i];
            let mut length = 0.0;
            for crossing in &out {
                let portal = network.subdivision().portal(crossing.portal);
                assert!(portal.length() >= width - 1e-5 && portal.cells.contains(&crossing.into));
                length += last.distance(portal.middle().as_vec2());
                last = portal.middle().as_vec2();
            }
            let detour = network.detour(width, ends, (&[], None), &mut search, &mut out);
            let exact = anew.path(at[i], &Goal::Point(at[j]), width as f32 / 2.0);
            let other = fresh.route(width, ends, &mut search, &mut out);
            assert_eq!(found.is_some(), other.is_some(), "width {width}: from {} to {}", at[i], at[j]);
            assert_eq!(found.is_some(), exact.is_some(), "{width} m exactly: from {} to {}", at[i], at[j]);
            assert_eq!(found.is_some(), detour.is_some(), "width {width}: from {} to {}", at[i], at[j]);
            if let (Some(found), Some(detour)) = (found, detour) {
                assert!(
                    (found - detour).abs() < 1e-3 * found.max(1.0),
                    "over the tree {found} m, over cells {detour} m"
                );
                length += last.distance(at[j]);
                assert!((length - found).abs() < 1e-2, "a route of {length} m is said to have {found} m");
            }
        }
    }
}

/// The map has the floor, walls, corners, regions and exact ways of one built anew.
#[track_caller]
fn check_map(map: &Map, anew: &Map, size: DVec2) {
    let (area, expected) = (map.free_area(), anew.free_area());
    assert!((area - expected).abs() < 1e-6 * expected, "{area} m2 of {expected}");
    assert_eq!(map.closed_doors(), anew.closed_doors());
    let near = |a: Vec2, b: Vec2| a.distance(b) < 1e-4;
    assert!(near(map.bounds().0, anew.bounds().0) && near(map.bounds().1, anew.bounds().1));
    let walls = |map: &Map| {
        let on = (0..map.walls().len() as u32).map(WallId).filter(|wall| map.walls().is_on(*wall));
        on.map(|wall| map.walls().segment(wall)).collect::<Vec<_>>()
    };
    let (walls, expected) = (walls(map), walls(anew));
    let alike = |a: &Segment, b: &Segment| near(a.a, b.a) && near(a.b, b.b);
    for wall in &expected {
        assert!(walls.iter().any(|other| alike(wall, other)), "no wall from {} to {}", wall.a, wall.b);
    }
    for wall in &walls {
        assert!(expected.iter().any(|other| alike(wall, other)), "a wall from {} to {} is too much", wall.a, wall.b);
    }
    let mut search = Search::default();
    for radius in [0.0, 0.25, 0.55] {
        let at = places(anew, PLACES, size, radius);
        for goal in at.iter().map(|at| Goal::Point(*at)).chain([Goal::Region(0)]) {
            let [tree, other] = [map, anew].map(|map| map.tree(&goal, radius));
            for from in &at {
                let length = |path: Option<f32>| path.map_or(-1.0, f64::from);
                let (path, expected) = (map.path(*from, &goal, radius), anew.path(*from, &goal, radius));
                let (path, expected) = (length(path.map(|p| p.length)), length(expected.map(|p| p.length)));
                assert!(
                    (path - expected).abs() < 1e-3,
                    "radius {radius}: {path} m of {expected} from {from} to {goal:?}"
                );
                let way = length(map.next(&tree, *from, &mut search).map(|way| way.distance));
                let expected = length(anew.next(&other, *from, &mut search).map(|way| way.distance));
                assert!((way - expected).abs() < 1e-3, "radius {radius}: {way} m of {expected} from {from} by a tree");
            }
        }
    }
}

/// What happens: an obstacle comes or goes, or a door closes or opens.
#[derive(Debug, Clone)]
enum Happens {
    Put(Vec<DVec2>),
    Take(usize),
    Door(usize),
}

fn happenings(size: f64) -> impl Strategy<Value = Vec<Happens>> {
    let place = (0.0..size, 0.0..size, 0.3..2.0, 0.3..2.0, 0.0..3.2, any::<bool>());
    let put = place.prop_map(move |(x, y, w, d, turn, even)| {
        // Half of them square and on whole metres, so that they share edges and corners with all else.
        let one = if even { (x.round(), y.round(), 1.0, 1.0, 0.0) } else { (x, y, w, d, turn) };
        Happens::Put(Room::new([size; 2], &[one]).obstacles.remove(0))
    });
    let take = (0usize..8).prop_map(Happens::Take);
    let door = (0usize..4).prop_map(Happens::Door);
    prop::collection::vec(prop_oneof![3 => put, 2 => take, 1 => door], 1..10)
}

/// A room of 20 x 20 m with obstacles, and two doors in walls across it.
fn place(rectangles: &[(f64, f64, f64, f64, f64)]) -> Floor {
    let mut floor = Room::new([20.0, 20.0], rectangles).floor();
    floor.obstacles.push(rectangle([9.9, 0.0], [10.1, 4.0]));
    floor.obstacles.push(rectangle([9.9, 6.0], [10.1, 14.0]));
    floor.obstacles.push(rectangle([9.9, 16.0], [10.1, 20.0]));
    let door = |y: f64| Door { name: format!("{y}"), line: [DVec2::new(10.0, y), DVec2::new(10.0, y + 2.0)] };
    floor.doors = vec![door(4.0), door(14.0)];
    floor.regions = vec![Region { name: "exit".into(), polygon: rectangle([15.0, 16.0], [19.0, 18.0]), speed: 1.0 }];
    floor
}

/// What stands on a floor, and the map and the network that know of it.
struct Living {
    floor: Floor,
    map: Map,
    network: Network,
    standing: Vec<(ObstacleId, Polygon)>,
    closed: Vec<bool>,
    rebuilt: usize,
}

impl Living {
    fn new(floor: Floor) -> Option<Living> {
        let map = Map::build(&floor).ok()?;
        let mut network = Network::build(&map);
        WIDTHS.iter().for_each(|width| network.need(*width));
        Some(Living { closed: vec![false; floor.doors.len()], floor, map, network, standing: Vec::new(), rebuilt: 0 })
    }

    fn anew(&self) -> Option<Map> {
        let put: Vec<Polygon> = self.standing.iter().map(|(_, polygon)| polygon.clone()).collect();
        let mut map = Map::build_with(&self.floor, &put).ok()?;
        self.closed.iter().enumerate().filter(|(_, closed)| **closed).for_each(|(door, _)| map.set_door(door, false));
        Some(map)
    }

    fn happen(&mut self, number: u32, what: &Happens) {
        match what {
            Happens::Put(points) => {
                let (id, polygon) = (ObstacleId(number), Polygon::new(points.clone()).unwrap());
                self.standing.push((id, polygon.clone()));
                if !self.network.put(id, &polygon) | !self.map.put(id, &polygon) {
                    self.rebuilt += 1;
                    self.standing.pop();
                }
            }
            Happens::Take(which) if !self.standing.is_empty() => {
                let (id, _) = self.standing.remove(which % self.standing.len());
                assert!(self.network.take(id) & self.map.take(id), "{id:?} does not go");
            }
            Happens::Take(_) => {}
            Happens::Door(door) => {
                let door = door % self.closed.len();
                self.closed[door] = !self.closed[door];
                self.network.set_door(door, !self.closed[door]);
                self.map.set_door(door, !self.closed[door]);
            }
        }
    }
}

/// Trees of some goals and radii, and their goals.
fn trees(map: &Map) -> Vec<(Goal, Tree)> {
    let points = [[1.0, 1.0], [18.5, 3.0], [10.0, 5.0], [4.0, 17.0], [9.95, 10.0]].map(|at| point_goal(map, at));
    let goals: Vec<Goal> = points.into_iter().chain([Goal::Region(0)]).collect();
    let radii = [0.0, 0.25, 0.55, 1.2];
    goals.iter().flat_map(|goal| radii.map(|radius| (*goal, map.tree(goal, radius)))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Trees that follow are those that would be planted, after each change and after several at once.
    #[test]
    fn trees_follow_to_the_last_bit(
        rectangles in prop::collection::vec((1.0..19.0, 1.0..19.0, 0.3..2.5, 0.3..2.5, 0.0..3.2), 0..10),
        happens in happenings(20.0),
        together in 1usize..3,
    ) {
        let Some(mut living) = Living::new(place(&rectangles)) else { return Ok(()) };
        let mut trees = trees(&living.map);
        for (number, what) in happens.iter().enumerate() {
            living.happen(number as u32, what);
            if number % together != 0 {
                continue;
            }
            prop_assert!(living.map.look());
            for (goal, tree) in &mut trees {
                living.map.repair(goal, tree);
                let anew = living.map.tree(goal, tree.radius());
                prop_assert!(tree.is_like(&anew), "{goal:?}, radius {}, after {number} changes", tree.radius());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn anything_may_happen(
        rectangles in prop::collection::vec((1.0..19.0, 1.0..19.0, 0.3..2.5, 0.3..2.5, 0.0..3.2), 0..8),
        happens in happenings(20.0),
    ) {
        let Some(mut living) = Living::new(place(&rectangles)) else { return Ok(()) };
        for (number, what) in happens.iter().enumerate() {
            living.happen(number as u32, what);
            let Some(anew) = living.anew() else { return Ok(()) };
            check_cells(&living.network, &anew);
        }
        let anew = living.anew().expect("it was built before");
        check_routes(&living.network, &anew, DVec2::splat(20.0));
        check_map(&living.map, &anew, DVec2::splat(20.0));
        prop_assert_eq!(living.rebuilt, 0, "every cut of these is clean");
    }
}

/// A corridor 2 m wide, with a door in its upper side that leads to a room, and a pillar before it that leaves 0.8 m. To who
/// is 1 m wide the doorway is what makes room: 1.2 m from the pillar's corners to the door's ends.
fn corridor_with_a_door_at_its_side() -> Floor {
    Floor {
        areas: vec![rectangle([0.0, 0.0], [10.0, 6.0]).into()],
        obstacles: vec![
            rectangle([0.0, 2.0], [4.0, 2.2]),
            rectangle([6.0, 2.0], [10.0, 2.2]),
            rectangle([4.9, 0.0], [5.1, 1.2]),
        ],
        doors: vec![Door { name: "side".into(), line: [DVec2::new(4.0, 2.0), DVec2::new(6.0, 2.0)] }],
        ..Floor::default()
    }
}

/// Whether somebody gets from end to end of that corridor, by all planners.
#[track_caller]
fn check_corridor(living: &Living, width: f64, expected: bool) {
    let (mut search, mut out) = (NetworkSearch::default(), Vec::new());
    let [from, to] = [local(&living.map, [1.0, 1.0]), local(&living.map, [9.0, 1.0])];
    let exact = living.map.path(from, &Goal::Point(to), width as f32 / 2.0).is_some();
    let ends = [spot(from), spot(to)];
    let route = living.network.route(width, ends, &mut search, &mut out).is_some();
    let detour = living.network.detour(width, ends, (&[], None), &mut search, &mut out).is_some();
    assert_eq!([exact, route, detour], [expected; 3], "{width} m wide: exactly, over the tree, over cells");
}

#[test]
fn a_closed_door_is_a_wall_to_who_passes_by() {
    let mut living = Living::new(corridor_with_a_door_at_its_side()).unwrap();
    for (width, when_closed) in [(0.5, true), (0.79, true), (0.81, false), (1.1, false)] {
        living.network.need(width);
        check_corridor(&living, width, true);
        living.happen(0, &Happens::Door(0));
        check_corridor(&living, width, when_closed);
        // Known only since the door is closed.
        let mut late = Network::build(&living.map);
        late.need(width);
        check_corridor(
            &Living { network: late, map: living.map.clone(), ..Living::new(living.floor.clone()).unwrap() },
            width,
            when_closed,
        );
        living.happen(0, &Happens::Door(0));
        check_corridor(&living, width, true);
    }
}

#[test]
fn a_closed_door_stays_a_wall_when_an_obstacle_cuts_its_cells() {
    let mut living = Living::new(corridor_with_a_door_at_its_side()).unwrap();
    let beyond = Happens::Put(rectangle([4.5, 4.0], [5.5, 4.5]).points().to_vec());
    // What covers an end of the door leaves a shorter one: the corner of the pillar is 1.0 m from it, 0.8 from its line.
    let on_it = Happens::Put(rectangle([5.6, 1.9], [6.2, 2.1]).points().to_vec());
    living.happen(0, &Happens::Door(0));
    for (number, obstacle) in [beyond, on_it].iter().enumerate() {
        living.happen(number as u32, obstacle);
        check_corridor(&living, 0.5, true);
        check_corridor(&living, 1.1, false);
    }
    living.happen(2, &Happens::Take(0));
    living.happen(2, &Happens::Take(0));
    check_corridor(&living, 1.1, false);
    living.happen(2, &Happens::Door(0));
    check_corridor(&living, 1.1, true);
}

#[test]
fn all_is_as_before_when_obstacles_are_gone() {
    let mut living = Living::new(place(&[(4.0, 4.0, 1.0, 2.0, 0.4), (15.0, 12.0, 2.0, 1.0, 1.0)])).unwrap();
    let before = (0..living.network.subdivision().cell_count()).map(CellId);
    let before: Vec<(Vec<DVec2>, Vec<PortalId>, Vec<f64>)> = before.map(|c| cell(&living.network, c)).collect();
    let square = |x: f64, y: f64| Happens::Put(rectangle([x, y], [x + 2.0, y + 2.0]).points().to_vec());
    for (number, at) in [(5.0, 9.0), (6.5, 9.5), (9.0, 4.5), (14.0, 3.0)].into_iter().enumerate() {
        living.happen(number as u32, &square(at.0, at.1));
    }
    for which in [0, 2, 1, 0] {
        living.happen(9, &Happens::Take(which));
        check_cells(&living.network, &living.anew().unwrap());
    }
    for (number, was) in before.iter().enumerate() {
        assert_eq!(&cell(&living.network, CellId(number as u32)), was, "cell {number}");
    }
    check_routes(&living.network, &living.anew().unwrap(), DVec2::splat(20.0));
    check_map(&living.map, &living.anew().unwrap(), DVec2::splat(20.0));
}

fn cell(network: &Network, cell: CellId) -> (Vec<DVec2>, Vec<PortalId>, Vec<f64>) {
    let of = network.subdivision();
    (of.outline(cell).to_vec(), of.portals_of(cell).to_vec(), of.turn_widths(cell).to_vec())
}

/// Two doors side by side, of 1 m and of 1.5 m: each closes by itself.
#[test]
fn leaves_of_a_double_door_close_one_by_one() {
    let mut floor = corridor_with_a_door_at_its_side();
    floor.obstacles = vec![rectangle([4.9, 0.0], [5.1, 2.0]), rectangle([4.9, 4.5], [5.1, 6.0])];
    let door = |[from, to]: [f64; 2]| Door { name: format!("{from}"), line: [from, to].map(|y| DVec2::new(5.0, y)) };
    floor.doors = vec![door([2.0, 3.0]), door([3.0, 4.5])];
    let mut living = Living::new(floor).unwrap();
    let mut check = |door: usize, [narrow, wide]: [bool; 2]| {
        living.happen(0, &Happens::Door(door));
        check_corridor(&living, 0.5, narrow);
        check_corridor(&living, 1.1, wide);
    };
    check(0, [true, true]);
    check(1, [false, false]);
    check(0, [true, false]);
    check(0, [false, false]);
    check(1, [true, true]);
}
