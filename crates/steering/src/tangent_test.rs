//! Whole decisions: who is minded, several at once, walls, and what is remembered.

use super::*;
use crate::memory::Moment;
use crate::sight::test::{ask, other, sight, walker};
use passerby_geometry::walls::Walls as Map;

const EAST: Vec2 = Vec2::new(1.3, 0.0);

fn near(found: Vec2, expected: [f32; 2], what: &str) {
    assert!(found.distance(expected.into()) < 2e-4, "{what}: {found}, expected {expected:?}");
}

/// What is chosen by somebody who has seen all of them for some seconds.
fn after(seconds: u32, others: &[Neighbour], walls: &[Segment]) -> Vec2 {
    let (model, me, map) = (Tangent::default(), walker(0.25), Map::new(walls.to_vec()));
    let mut memory = Memory::default();
    let mut found = Vec2::ZERO;
    for tick in 0..=10 * seconds {
        let now = Moment { tick, length: 0.1 };
        let seen = Sight { now, ..sight(&me, others, walls, &map) };
        model.remember(&seen, &mut memory);
        found = model.velocity(&Sight { memory: &memory, ..seen }, &mut ());
    }
    found
}

/// Rows 1, 4 and 5 of the table: the reaction comes when what is seen is sure enough.
#[test]
fn reactions_wait_until_the_motion_is_known() {
    let crossing = [other(0, [5.0, -5.5], [0.0, 1.3], 0.25)];
    near(after(0, &crossing, &[]), [1.3, 0.0], "row 4: nothing is known yet");
    near(after(20, &crossing, &[]), [1.33893, 0.0414101], "row 5");
    near(after(1, &[other(0, [5.6, -5.0], [0.0, 1.3], 0.25)], &[]), [1.19196, -0.0924799], "row 1");
    near(after(20, &[other(0, [3.0, -3.0], [0.5, -1.3], 0.25)], &[]), [1.3, 0.0], "row 11: goes away");
    // Row 12 stands inside the kite.
    near(
        ask(&Tangent::default(), &walker(0.25), &[other(0, [0.6, 0.2], [0.0; 2], 0.25)], &[], &mut ()),
        [0.13, -0.39],
        "row 12",
    );
}

/// A wall between them, and nobody is seen.
#[test]
fn walls_hide() {
    let crossing = [other(0, [5.6, -5.0], [0.0, 1.3], 0.25)];
    let wall = [Segment { a: Vec2::new(1.0, -1.5), b: Vec2::new(9.0, -1.5) }];
    near(after(5, &crossing, &wall), [1.3, 0.0], "hidden");
    assert!(after(5, &crossing, &[]).y < -0.05);
}

/// Row 8: two who meet turn right. With a wall on the right, a body's width away, the other side is left.
#[test]
fn walls_leave_the_other_side() {
    let meets = [other(0, [8.0, 0.0], [-1.3, 0.0], 0.25)];
    near(after(1, &meets, &[]), [1.27426, -0.257426], "row 8");
    let wall = [Segment { a: Vec2::new(-3.0, -0.4), b: Vec2::new(9.0, -0.4) }];
    let v = after(1, &meets, &wall);
    near(v, [1.27426, 0.257426], "the mirrored solution");
}

/// Two who come abreast, 1 m apart, straight ahead: right of both or left of both, never between; a third one on the right leaves the left.
#[test]
fn several_are_solved_together() {
    let two = [other(0, [8.0, 0.5], [-1.3, 0.0], 0.25), other(1, [8.0, -0.5], [-1.3, 0.0], 0.25)];
    let v = after(3, &two, &[]);
    // Beyond the tangent from (8, -0.5) to the left corner (0, 0.8), or its mirror image: |V_y| at least 2.6 x 1.3/8.1 or so.
    assert!(v.y.abs() > 0.38 && v.x > 1.0, "{v}");
    let right = Neighbour { offset: Vec2::new(7.0, -2.0), ..other(2, [0.0; 2], [-1.3, 0.0], 0.25) };
    let three = [right, two[0], two[1]];
    let v = after(3, &three, &[]);
    assert!(v.y > 0.38, "{v}");
}

/// Closed on all sides: people abreast from wall to wall, all coming. Nothing is left, so it stops.
#[test]
fn who_finds_no_way_stops() {
    let wall = |y: f32| Segment { a: Vec2::new(-20.0, y), b: Vec2::new(20.0, y) };
    let walls = [wall(0.8), wall(-0.8)];
    let row: Vec<Neighbour> = (0..3).map(|i| other(i, [4.0, 0.5 * i as f32 - 0.5], [-1.3, 0.0], 0.25)).collect();
    near(after(4, &row, &walls), [0.0, 0.0], "no way");
}

/// At most seven, the soonest.
#[test]
fn seven_are_minded_at_the_most() {
    let many: Vec<Neighbour> = (0..20).map(|i| other(i, [4.0 + i as f32, -4.0 - i as f32], [0.0, 1.3], 0.25)).collect();
    let (model, me, map) = (Tangent::default(), walker(0.25), Map::new(Vec::new()));
    let seen = sight(&me, &many, &[], &map);
    let mut memory = Memory::default();
    for tick in 0..200 {
        model.remember(&Sight { now: Moment { tick, length: 0.1 }, ..seen }, &mut memory);
    }
    let seen = Sight { memory: &memory, now: Moment { tick: 199, length: 0.1 }, ..seen };
    let scene = model.look(&seen, &reference(&model, &me, &[]));
    assert_eq!(scene.met_count, INTERACTIONS);
    let times: Vec<f32> = scene.met.iter().map(|(met, _)| met.time).collect();
    assert!(times.windows(2).all(|two| two[0] <= two[1]), "{times:?}");
    assert_eq!(scene.met[0].1, 0);
}

#[test]
fn strategies_differ() {
    let crossing = [other(0, [5.6, -5.0], [0.0, 1.3], 0.25)];
    let chosen = |strategy| {
        let model = Tangent { strategy, speed_error: 0.0, direction_error: 0.0, ..Tangent::default() };
        ask(&model, &walker(0.25), &crossing, &[], &mut ())
    };
    near(chosen(0.0), [1.28444, -0.200517], "turns");
    near(chosen(1.0), [1.1128, 0.0], "slows down");
    assert!((chosen(0.0).length() - EAST.length()).abs() < 1e-4);
}
