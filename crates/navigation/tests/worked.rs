//! The small floors of the worked examples: every length was worked out by hand.

mod common;

use common::*;
use passerby_geometry::math::double;
use passerby_geometry::{DVec2, WallId};
use passerby_navigation::{Floor, Goal, Map, MapError, Region, Search};

#[track_caller]
fn check(floor: &Floor, from: [f64; 2], to: [f64; 2], radius: f32, expected: f32) {
    let map = Map::build(floor).unwrap();
    let goal = point_goal(&map, to);
    let path = map.path(local(&map, from), &goal, radius).unwrap();
    assert!((path.length - expected).abs() < 1e-4, "path {} m, expected {expected}", path.length);
    let way = map.next(&map.tree(&goal, radius), local(&map, from), &mut Search::default()).unwrap();
    assert!((way.distance - expected).abs() < 1e-4, "way {} m, expected {expected}", way.distance);
}

#[test]
fn point_walkers() {
    check(&l_floor(), [9.0, 2.0], [2.0, 9.0], 0.0, 10.7703);
    check(&pillar_floor(), [1.0, 4.5], [9.0, 4.5], 0.0, 8.0828);
    // The way on the other side, over (4, 6) and (6, 6), when the near one is built up.
    let mut one_side = pillar_floor();
    one_side.obstacles.push(rectangle([4.0, 0.0], [6.0, 4.0]));
    check(&one_side, [1.0, 4.5], [9.0, 4.5], 0.0, 8.7082);
    check(&door_floor(), [2.0, 2.0], [18.0, 8.0], 0.0, 17.0880);
    check(&door_floor(), [2.0, 9.0], [18.0, 9.0], 0.0, 17.1009);
    check(&t_floor(), [1.0, 1.0], [7.5, 9.0], 0.0, 11.5698);
}

#[test]
fn a_disc_turns_in_an_arc() {
    // 2 sqrt(29 - r^2) + r 0.902665
    check(&l_floor(), [9.0, 2.0], [2.0, 9.0], 0.25, 10.9844);
}

#[test]
fn a_path_has_its_turns() {
    let map = Map::build(&pillar_floor()).unwrap();
    let path = map.path(local(&map, [1.0, 4.5]), &point_goal(&map, [9.0, 4.5]), 0.0).unwrap();
    assert_eq!(path.points, [[1.0, 4.5], [4.0, 4.0], [6.0, 4.0], [9.0, 4.5]].map(|p| local(&map, p)));
    // The first thing to do is to walk to the first corner.
    let tree = map.tree(&point_goal(&map, [9.0, 4.5]), 0.0);
    let way = map.next(&tree, local(&map, [1.0, 4.5]), &mut Search::default()).unwrap();
    assert_eq!(way.toward, local(&map, [4.0, 4.0]));
}

/// A disc passes if and only if it is not wider than the narrowest passage.
#[track_caller]
fn check_width(floor: &Floor, from: [f64; 2], to: [f64; 2], width: f32) {
    let map = Map::build(floor).unwrap();
    for (diameter, expected) in [(width - 1e-3, true), (width, true), (width + 1e-3, false)] {
        let goal = point_goal(&map, to);
        let found = map.path(local(&map, from), &goal, diameter / 2.0).is_some();
        assert_eq!(found, expected, "path for a disc {diameter} m wide");
        let tree = map.tree(&goal, diameter / 2.0);
        let found = map.next(&tree, local(&map, from), &mut Search::default()).is_some();
        assert_eq!(found, expected, "way for a disc {diameter} m wide");
    }
}

#[test]
fn narrowest_passages() {
    check_width(&l_floor(), [7.9, 2.0], [2.0, 7.9], 4.0);
    check_width(&pillar_floor(), [2.0, 2.0], [8.0, 8.0], 4.0);
    check_width(&off_pillar_floor(), [2.5, 4.0], [9.5, 4.0], 4.0);
    check_width(&door_floor(), [5.0, 5.0], [15.0, 5.0], 2.0);
    check_width(&t_floor(), [1.6, 1.5], [7.5, 8.4], 3.0);
    check_width(&kink_floor(), [1.3, 1.8], [10.7, 1.2], 2.0);
}

#[test]
fn the_wider_side_is_taken_when_the_other_is_too_narrow() {
    // Below the pillar 3 m, above 4 m.
    let map = Map::build(&off_pillar_floor()).unwrap();
    let (from, goal) = (local(&map, [2.5, 2.5]), point_goal(&map, [9.5, 2.5]));
    let below = |radius| map.path(from, &goal, radius).unwrap().points.iter().all(|p| p.y < local(&map, [0.0, 4.0]).y);
    assert!(below(1.5) && !below(1.51));
}

#[test]
fn a_turn_is_refused_by_the_gap_and_not_by_the_edges() {
    // The counterexample to the printed bottleneck rule: the gap between (6, 14) and the wall y = 20 is 6.
    let mut floor = floor(&[[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]]);
    floor.obstacles = vec![
        polygon(&[[6.0, 14.0], [5.0, 12.0], [8.0, 7.0]]),
        polygon(&[[15.0, 16.0], [11.0, 19.0], [13.0, 16.0], [13.0, 11.0]]),
        // Closes every other way from left to right: only the gap above (6, 14) is left.
        polygon(&[[5.0, -1.0], [9.0, -1.0], [8.5, 8.0], [5.5, 12.0]]),
    ];
    check_width(&floor, [3.01, 16.9], [8.0, 16.9], 6.0);
}

#[test]
fn closed_doors_are_walls() {
    let mut floor = door_floor();
    // A second door in the same wall makes a detour possible.
    floor.obstacles[0] = rectangle([9.9, 1.5], [10.1, 4.0]);
    let mut map = Map::build(&floor).unwrap();
    let (from, goal) = (local(&map, [5.0, 5.0]), point_goal(&map, [15.0, 5.0]));
    let length = |map: &Map| map.path(from, &goal, 0.0).map(|p| p.length);
    let border = map.walls().len() - 2;
    let walls_on = |map: &Map| (0..map.walls().len()).filter(|&w| map.walls().is_on(WallId(w as u32))).count();
    assert_eq!((length(&map), walls_on(&map)), (Some(10.0), border));
    map.set_door(0, false);
    assert_eq!(walls_on(&map), border + 2);
    // By (9.9, 1.5) and (10.1, 1.5).
    let detour = 2.0 * (4.9f32 * 4.9 + 3.5 * 3.5).sqrt() + 0.2;
    assert!((length(&map).unwrap() - detour).abs() < 1e-5);
    map.set_door(0, true);
    assert_eq!((length(&map), walls_on(&map)), (Some(10.0), border));
    map.set_door(7, false);
    let mut map = Map::build(&door_floor()).unwrap();
    map.set_door(0, false);
    assert_eq!(map.path(from, &goal, 0.0), None);
    assert_eq!(map.next(&map.tree(&goal, 0.2), from, &mut Search::default()), None);
    assert!(!map.walls().visible(from, local(&map, [15.0, 5.0])));
}

#[test]
fn regions_are_goals() {
    let map = Map::build(&door_floor()).unwrap();
    let (tree, mut search) = (map.tree(&Goal::Region(0), 0.3), Search::default());
    let mut way = |p: [f64; 2]| map.next(&tree, local(&map, p), &mut search).unwrap();
    // Straight to the nearest point of the region, 19 - 15.
    assert_eq!(way([15.0, 8.0]).distance, 4.0);
    assert_eq!(way([15.0, 8.0]).toward, local(&map, [19.0, 8.0]));
    assert_eq!(way([19.5, 2.0]).distance, 0.0);
    // Through the door: tangent to (9.9, 6), arc, tangent to (10.1, 6), ending at right angles to the region.
    let path = map.path(local(&map, [5.0, 9.0]), &Goal::Region(0), 0.3).unwrap();
    assert!((path.length - way([5.0, 9.0]).distance).abs() < 1e-5);
    let (dx, dy, r) = (4.9f64, 3.0f64, 0.3f64);
    let straight = (dx * dx + dy * dy - r * r).sqrt();
    // It goes down below the corner by that angle, and turns level.
    let arc = double::atan2(dy, dx) + double::asin(r / (dx * dx + dy * dy).sqrt());
    let expected = straight + r * arc + (19.0 - 9.9);
    assert!((path.length as f64 - expected).abs() < 1e-4, "{} m, expected {expected}", path.length);
    assert!(map.in_region(0, local(&map, [19.0, 5.0])) && !map.in_region(0, local(&map, [18.9, 5.0])));
    assert!(!map.in_region(3, local(&map, [19.0, 5.0])));
}

#[test]
fn a_region_in_a_niche_is_entered_on_the_arc() {
    // The region fills the short arm of the L from x = 4 on; the walker hugs the corner (4, 4) at 0.5 m.
    let mut floor = l_floor();
    floor.regions = vec![Region { name: "arm".into(), polygon: rectangle([4.0, 0.0], [10.0, 4.0]), speed: 1.0 }];
    let map = Map::build(&floor).unwrap();
    // Straight down beside the wall x = 4, a quarter turn would end at (4, 3.5): the arc meets x = 4 there.
    let path = map.path(local(&map, [3.5, 9.0]), &Goal::Region(0), 0.5).unwrap();
    assert!((path.length as f64 - (5.0 + 0.25 * std::f64::consts::PI)).abs() < 1e-5, "{}", path.length);
    let end = *path.points.last().unwrap();
    assert!(end.distance(local(&map, [4.0, 3.5])) < 1e-5, "{end}");
}

#[test]
fn a_region_too_narrow_for_the_disc_is_still_a_goal() {
    let mut floor = door_floor();
    floor.regions[0].polygon = rectangle([19.9, 4.0], [20.0, 6.0]);
    let map = Map::build(&floor).unwrap();
    let way = map.next(&map.tree(&Goal::Region(0), 0.3), local(&map, [15.0, 5.0]), &mut Search::default()).unwrap();
    assert!((way.distance - 4.9).abs() < 1e-5);
}

#[test]
fn walls_are_joined_and_face_the_floor() {
    let map = Map::build(&door_floor()).unwrap();
    // Outer walls 4, of which two are cut by the wall in the middle, its two parts with three sides each; the door.
    let border = 4 + 2 + 6;
    assert_eq!(map.walls().len(), border + 2);
    for wall in &map.walls().segments()[..border] {
        let middle = wall.at(0.5);
        assert!(
            map.contains(middle + wall.normal() * 0.01) && !map.contains(middle - wall.normal() * 0.01),
            "{wall:?}"
        );
    }
    assert!((map.free_area() - (200.0 - 2.0 * 0.8)).abs() < 1e-9);
    assert_eq!(map.bounds(), (local(&map, [0.0, 0.0]), local(&map, [20.0, 10.0])));
    assert_eq!(map.offset(), DVec2::new(10.0, 5.0));
}

#[test]
fn nearest_free_point() {
    let map = Map::build(&door_floor()).unwrap();
    let p = local(&map, [10.0, 2.0]);
    let found = map.nearest_free(p, 0.3).unwrap();
    assert!((found.distance(p) - 0.4).abs() < 0.03, "{found}");
    assert_eq!(map.nearest_free(local(&map, [5.0, 5.0]), 0.3), Some(local(&map, [5.0, 5.0])));
    assert_eq!(map.nearest_free(local(&map, [5.0, 5.0]), 5.1), None);
}

#[test]
fn bad_floors_are_named() {
    let mut floor = door_floor();
    floor.doors[0].line = [DVec2::new(9.95, 1.0), DVec2::new(10.05, 1.0)];
    assert!(matches!(Map::build(&floor), Err(MapError::DoorOffFloor { door, .. }) if door == "front"));
    floor.doors[0].line[0].x = f64::NAN;
    assert!(matches!(Map::build(&floor), Err(MapError::DoorOffFloor { .. })));
    floor.doors.clear();
    floor.regions[0].polygon = rectangle([30.0, 0.0], [31.0, 1.0]);
    let message = Map::build(&floor).unwrap_err().to_string();
    assert_eq!(message, "region `exit` with a corner at (30, 0) is nowhere on free floor");
    floor.regions.clear();
    floor.obstacles.push(rectangle([-1.0, -1.0], [21.0, 11.0]));
    assert_eq!(Map::build(&floor).unwrap_err(), MapError::NoFloor { areas: 1, obstacles: 3 });
    floor.obstacles[2] = rectangle([0.0, 0.0], [1e6, 1.0]);
    assert!(matches!(Map::build(&floor), Err(MapError::ObstacleFarOff { obstacle: 2, .. })));
    assert_eq!(Map::build(&Floor::default()).unwrap_err(), MapError::NoFloor { areas: 0, obstacles: 0 });
}

#[test]
fn a_point_gets_to_corners_of_the_walls() {
    let map = Map::build(&l_floor()).unwrap();
    let from = local(&map, [2.0, 9.0]);
    // By the corner at (4, 4), or to it: 2 and 5 m beside and below.
    let to_corner = 29.0_f64.sqrt();
    for (goal, expected) in [([4.0, 4.0], to_corner), ([10.0, 4.0], to_corner + 6.0), ([9.0, 4.0], to_corner + 5.0)] {
        let length = f64::from(map.path(from, &point_goal(&map, goal), 0.0).unwrap().length);
        assert!((length - expected).abs() < 1e-5, "{length} m to {goal:?}, expected {expected}");
    }
}

#[test]
fn goals_off_the_floor_have_no_way() {
    let map = Map::build(&door_floor()).unwrap();
    let from = local(&map, [2.0, 2.0]);
    for goal in [point_goal(&map, [10.0, 2.0]), point_goal(&map, [25.0, 2.0]), Goal::Region(5)] {
        assert_eq!(map.path(from, &goal, 0.05), None);
        assert_eq!(map.next(&map.tree(&goal, 0.05), from, &mut Search::default()), None);
    }
    assert_eq!(map.path(local(&map, [f64::NAN, 2.0]), &point_goal(&map, [2.0, 2.0]), 0.2), None);
    // Already there.
    assert_eq!(map.path(from, &point_goal(&map, [2.0, 2.0]), 0.2).unwrap().length, 0.0);
}
