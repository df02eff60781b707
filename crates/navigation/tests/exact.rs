//! Ways in random rooms against a reference that tries every pair of points.

mod common;

use common::*;
use passerby_geometry::{DVec2, Polygon, Vec2};
use passerby_navigation::{Floor, Goal, Map, Region, Search};
use proptest::prelude::*;

const SIZE: [f64; 2] = [12.0, 9.0];

fn room() -> impl Strategy<Value = Room> {
    let rectangle = (0.0..SIZE[0], 0.0..SIZE[1], 0.05..1.8f64, 0.05..1.8f64, prop_oneof![Just(0.0), 0.0..3.0f64]);
    prop::collection::vec(rectangle, 1..7).prop_map(|rectangles| Room::new(SIZE, &rectangles))
}

fn place() -> impl Strategy<Value = DVec2> {
    // Exactly representable in `f32`, so that the map and the reference speak of the same point.
    (0u32..12 * 64, 0u32..9 * 64).prop_map(|(x, y)| DVec2::new(f64::from(x) / 64.0, f64::from(y) / 64.0))
}

fn at(map: &Map, p: DVec2) -> Vec2 {
    (p - map.offset()).as_vec2()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn point_walkers_take_the_shortest_way(room in room(), from in place(), to in place()) {
        prop_assume!(room.clearance(from) > 1e-3 && room.clearance(to) > 1e-3);
        let map = Map::build(&room.floor()).unwrap();
        let goal = Goal::Point(at(&map, to));
        let expected = room.reference(from, to, 0.0, 1, false);
        let path = map.path(at(&map, from), &goal, 0.0).map(|p| f64::from(p.length));
        let way = map.next(&map.tree(&goal, 0.0), at(&map, from), &mut Search::default()).map(|w| f64::from(w.distance));
        prop_assert_eq!(path.is_some(), expected.is_some(), "path {:?}, expected {:?}", path, expected);
        prop_assert_eq!(way.is_some(), expected.is_some(), "way {:?}, expected {:?}", way, expected);
        if let (Some(path), Some(way), Some(expected)) = (path, way, expected) {
            prop_assert!((path - expected).abs() < 1e-4, "path {path}, expected {expected}");
            prop_assert!((way - expected).abs() < 1e-4, "way {way}, expected {expected}");
        }
    }

    #[test]
    fn discs_take_the_shortest_way(room in room(), from in place(), to in place(), radius in 0.05..0.8f32) {
        let r = f64::from(radius);
        prop_assume!(room.clearance(from) > r && room.clearance(to) > r);
        let map = Map::build(&room.floor()).unwrap();
        let goal = Goal::Point(at(&map, to));
        // The grown obstacles of the references are inside and outside of the true ones.
        let (short, long) = (room.reference(from, to, r, 12, false), room.reference(from, to, r, 12, true));
        let path = map.path(at(&map, from), &goal, radius);
        let way = map.next(&map.tree(&goal, radius), at(&map, from), &mut Search::default());
        prop_assert_eq!(path.is_some(), way.is_some());
        prop_assert!(path.is_some() || long.is_none(), "no way was found, but there is one of {:?}", long);
        if let (Some(path), Some(way)) = (path, way) {
            prop_assert!((path.length - way.distance).abs() < 1e-4, "path {}, tree {}", path.length, way.distance);
            let length = f64::from(path.length);
            prop_assert!(short.is_some_and(|short| short <= length + 1e-4), "{length} is shorter than {short:?}");
            prop_assert!(long.is_none_or(|long| length <= long + 1e-4), "{length} is longer than {long:?}");
            // Drawn and analytic length agree, and the disc touches nothing anywhere.
            let points: Vec<DVec2> = path.points.iter().map(|p| p.as_dvec2() + map.offset()).collect();
            prop_assert!(points[0] == from && points[points.len() - 1] == to);
            let drawn: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
            prop_assert!((drawn - length).abs() < 1e-3, "drawn {drawn}, said {length}");
            for pair in points.windows(2) {
                for k in 0..=20 {
                    let p = pair[0].lerp(pair[1], f64::from(k) / 20.0);
                    prop_assert!(room.clearance(p) > r - 1e-4, "only {} at {p}, radius {r}", room.clearance(p));
                }
            }
        }
    }

    #[test]
    fn a_wider_body_never_has_a_shorter_way(room in room(), from in place(), to in place()) {
        prop_assume!(room.clearance(from) > 0.6 && room.clearance(to) > 0.6);
        let map = Map::build(&room.floor()).unwrap();
        let goal = Goal::Point(at(&map, to));
        let mut last = 0.0;
        for radius in [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6] {
            let length = map.path(at(&map, from), &goal, radius).map_or(f32::INFINITY, |p| p.length);
            prop_assert!(length >= last - 1e-4, "{last} m, and {length} m for radius {radius}");
            last = length;
        }
    }

    #[test]
    fn a_region_is_as_far_as_its_nearest_point(room in room(), from in place(), center in place(), radius in 0.05..0.5f32) {
        let outline = Room::new(SIZE, &[(center.x, center.y, 1.3, 0.8, 0.5)]).obstacles[0].clone();
        let border: Vec<DVec2> =
            (0..4).flat_map(|i| (0..600).map(move |k| (i, f64::from(k) / 600.0))).map(|(i, t)| outline[i].lerp(outline[(i + 1) % 4], t)).collect();
        let r = f64::from(radius);
        prop_assume!(room.clearance(from) > r);
        let mut floor = room.floor();
        floor.regions = vec![Region { name: "goal".into(), polygon: passerby_geometry::Polygon::new(outline).unwrap(), speed: 1.0 }];
        let Ok(map) = Map::build(&floor) else { return Ok(()) };
        // Points of the outline on which the disc can be; if there are none the goal is for a smaller disc.
        // Every tenth is enough, and the first and last where only a few are free.
        let free = |k: usize| room.clearance(border[k % border.len()]) > r + 1e-5;
        let reached: Vec<f32> = (0..border.len())
            .filter(|&k| free(k) && (k % 10 == 0 || !free(k + 1) || !free(k + border.len() - 1)))
            .map(|k| border[k])
            .filter_map(|p| map.path(at(&map, from), &Goal::Point(at(&map, p)), radius))
            .map(|p| p.length)
            .collect();
        let nearest = reached.into_iter().fold(f32::INFINITY, f32::min);
        prop_assume!(nearest.is_finite() && !map.in_region(0, at(&map, from)));
        let path = map.path(at(&map, from), &Goal::Region(0), radius).unwrap().length;
        let way = map.next(&map.tree(&Goal::Region(0), radius), at(&map, from), &mut Search::default()).unwrap();
        prop_assert!((path - way.distance).abs() < 1e-4, "path {path}, tree {}", way.distance);
        prop_assert!(path <= nearest + 1e-4 && path > nearest - 0.08, "region {path}, nearest sample {nearest}");
    }

    #[test]
    fn whoever_follows_the_way_arrives(room in room(), from in place(), to in place(), radius in 0.0..0.5f32) {
        let r = f64::from(radius);
        prop_assume!(room.clearance(from) > r.max(1e-3) && room.clearance(to) > r.max(1e-3));
        let map = Map::build(&room.floor()).unwrap();
        let (tree, mut search) = (map.tree(&Goal::Point(at(&map, to)), radius), Search::default());
        let mut p = at(&map, from);
        let Some(first) = map.next(&tree, p, &mut search) else { return Ok(()) };
        let (mut walked, step) = (0.0, 0.03);
        while p.distance(at(&map, to)) > step {
            let Some(way) = map.next(&tree, p, &mut search) else { return Err(TestCaseError::fail(format!("lost at {p}"))) };
            let go = (way.toward - p).clamp_length_max(step);
            prop_assert!(go.length() > 1e-4, "stands still at {p}, {} m to go", way.distance);
            p += go;
            walked += go.length();
            prop_assert!(walked < first.distance * 1.02 + 0.2, "{walked} m walked of {}", first.distance);
            let clearance = room.clearance(p.as_dvec2() + map.offset());
            prop_assert!(clearance > r - 2e-3, "{clearance} m from a wall at {p}, radius {r}");
        }
    }

    #[test]
    fn whoever_was_pushed_to_a_wall_has_a_way(room in room(), from in place(), to in place(), push in 0.0..1.0f64) {
        let r = 0.3;
        prop_assume!(room.clearance(from) > r && room.clearance(to) > r);
        let map = Map::build(&room.floor()).unwrap();
        let (tree, mut search) = (map.tree(&Goal::Point(at(&map, to)), r as f32), Search::default());
        let Some(way) = map.next(&tree, at(&map, from), &mut search) else { return Ok(()) };
        // Push downhill, towards the nearest wall.
        let mut p = from;
        let wanted = r * push;
        for _ in 0..400 {
            let slope = |d: DVec2| room.clearance(p + d * 1e-4) - room.clearance(p - d * 1e-4);
            let downhill = -DVec2::new(slope(DVec2::X), slope(DVec2::Y)).normalize_or_zero();
            if room.clearance(p) > wanted + 0.01 {
                p += downhill * 0.005;
            }
        }
        prop_assume!(room.clearance(p) > 1e-3);
        let pushed = map.next(&tree, at(&map, p), &mut search);
        prop_assert!(pushed.is_some(), "no way from {p}, clearance {}", room.clearance(p));
        let pushed = pushed.unwrap();
        prop_assert!((pushed.distance - way.distance).abs() < p.distance(from) as f32 * 2.0 + 1.0);
        prop_assert!(map.walls().visible(at(&map, p), at(&map, p).lerp(pushed.toward, 0.99)));
    }
}

/// Corners and the end of a wall in one line: the wall is above that line, so whoever comes along it from one box to the other has to duck under its end
/// and touch both boxes, wherever they come from. The way there is as long as the way back.
#[test]
fn a_wall_that_ends_between_two_corners_is_in_the_way() {
    let rectangle = |[x, y]: [f64; 2], [to_x, to_y]: [f64; 2]| {
        Polygon::new([[x, y], [to_x, y], [to_x, to_y], [x, to_y]].map(DVec2::from).to_vec()).unwrap()
    };
    let obstacles = vec![
        rectangle([9.9, 6.0], [10.1, 20.0]),
        rectangle([13.0, 4.0], [15.0, 6.0]),
        rectangle([4.0, 4.0], [6.0, 6.0]),
    ];
    let floor = Floor { areas: vec![rectangle([0.0, 0.0], [20.0, 20.0]).into()], obstacles, ..Floor::default() };
    let map = Map::build(&floor).unwrap();
    let [from, to] = [[15.5, 5.5], [2.0, 6.6]].map(|p| at(&map, DVec2::from(p)));
    for radius in [0.0, 0.1, 0.2, 0.22, 0.25, 0.3, 0.49] {
        let [there, back] = [(from, to), (to, from)].map(|(a, b)| map.path(a, &Goal::Point(b), radius).expect("a way"));
        assert!(
            (there.length - back.length).abs() < 1e-4,
            "{radius} m: {} m there, {} m back",
            there.length,
            back.length
        );
        for path in [&there, &back] {
            for piece in path.points.windows(2) {
                let steps = (piece[0].distance(piece[1]) / 0.01).ceil().max(1.0) as usize;
                let on = |i: usize| piece[0].lerp(piece[1], i as f32 / steps as f32);
                let free = (0..=steps).all(|i| map.contains(on(i)) && map.walls().clear(on(i), radius - 1e-3));
                assert!(free, "{radius} m: from {} to {} there is a wall", piece[0], piece[1]);
            }
        }
        let tree = map.tree(&Goal::Point(to), radius);
        let way = map.next(&tree, from, &mut Search::default()).expect("a way by the tree");
        assert!((way.distance - there.length).abs() < 1e-3, "{radius} m: {} m by the tree", way.distance);
    }
}
