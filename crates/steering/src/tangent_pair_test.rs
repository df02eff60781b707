//! The worked examples of one interaction: V_R = V_d = (1.3, 0) and the default errors, unless said.

use super::*;

const ERRORS: Errors = Errors { speed: 0.5, speed_decay: 0.25, direction: 0.5, direction_decay: 0.25 };
const EAST: Vec2 = Vec2::new(1.3, 0.0);

fn walking(velocity: Vec2) -> Reference {
    Reference { velocity, desired: velocity, facing: velocity.normalize(), side: SIDE }
}

fn perceived(offset: [f32; 2], velocity: [f32; 2], seen_for: f32) -> Perceived {
    Perceived { offset: offset.into(), velocity: velocity.into(), acceleration: Vec2::ZERO, seen_for }
}

fn near(found: Vec2, expected: [f32; 2], what: &str) {
    assert!(found.distance(expected.into()) < 2e-4, "{what}: {found}, expected {expected:?}");
}

/// A row of the table: tti, epsilon, I, side.
struct Row {
    number: u32,
    me: Reference,
    other: Perceived,
    time: f32,
    error: f32,
    point: [f32; 2],
    side: f32,
}

fn rows() -> Vec<Row> {
    let north = walking(Vec2::new(0.0, 1.3));
    let standing = Reference { velocity: Vec2::ZERO, desired: EAST, facing: Vec2::X, side: SIDE };
    let row = |number, me, other, time, error, point, side| Row { number, me, other, time, error, point, side };
    let east = walking(EAST);
    vec![
        row(1, east, perceived([5.6, -5.0], [0.0, 1.3], 1.0), 4.07692, 0.166904, [4.3, -3.7], -0.103898),
        row(2, north, perceived([-5.6, 5.0], [1.3, 0.0], 1.0), 4.07692, 0.166904, [-4.3, 3.7], -0.103898),
        row(3, east, perceived([5.0, -5.2], [0.0, 1.3], 1.0), 3.92308, 0.164331, [3.7, -3.9], 0.0360417),
        row(4, east, perceived([5.0, -5.5], [0.0, 1.3], 0.0), 4.03846, 0.5, [3.7, -4.2], 0.0874475),
        row(5, east, perceived([5.0, -5.5], [0.0, 1.3], 20.0), 4.03846, 0.0224698, [3.7, -4.2], 0.0874475),
        row(6, east, perceived([5.0, -5.0], [0.0, 1.3], 1.0), 3.84615, 0.163007, [3.7, -3.7], 0.0),
        row(7, east, perceived([8.0, 0.3], [-1.3, 0.0], 1.0), 3.07692, 0.148126, [5.4, 0.3], -0.0974315),
        row(8, east, perceived([8.0, 0.0], [-1.3, 0.0], 1.0), 3.07692, 0.148126, [5.4, 0.0], 0.0),
        row(9, east, perceived([4.0, 0.2], [0.7, 0.0], 2.0), 6.66667, 0.153451, [3.4, 0.2], -0.0299626),
        row(10, standing, perceived([3.0, 0.2], [0.0, 0.0], 1.0), 2.30769, 0.129244, [1.7, 0.2], -0.0864747),
    ]
}

#[test]
fn times_errors_points_and_sides_are_those_of_the_table() {
    for Row { number, me, other, time, error, point, side } in rows() {
        let found = me.time_to_interaction(&other).expect("they meet");
        assert!((found - time).abs() < 1e-4 * time, "row {number}: {found} s");
        for epsilon in ERRORS.after(other.seen_for, found) {
            assert!((epsilon - error).abs() < 1e-4, "row {number}: epsilon {epsilon}");
        }
        near(me.point(&other), point, &format!("row {number}"));
        let line = -other.offset.normalize();
        let found = line.perp_dot(me.point(&other) - other.offset);
        assert!((found - side).abs() < 1e-4, "row {number}: side {found}");
    }
    // Row 11 walks away.
    let away = perceived([3.0, -3.0], [0.5, -1.3], 1.0);
    assert_eq!(walking(EAST).time_to_interaction(&away), None);
    assert_eq!(walking(EAST).meet(&away, &ERRORS), None);
}

#[test]
fn reactions_are_those_of_the_table() {
    use Side::{Left, Right};
    // Whether they react, the tangent and whether R gives way, the solutions for alpha 0, 0.5 and 1.
    let expected = [
        (
            1,
            true,
            Right,
            [-0.650291, 0.759685],
            Some(true),
            [[1.28444, -0.200517], [1.19196, -0.0924799], [1.1128, 0.0]],
        ),
        (
            2,
            false,
            Right,
            [0.692532, -0.721387],
            Some(false),
            [[0.0530391, 1.29892], [0.0270608, 1.32598], [0.0, 1.35417]],
        ),
        (3, true, Left, [-0.750714, 0.660628], Some(false), [[1.28945, 0.165284], [1.37737, 0.087917], [1.47727, 0.0]]),
        (
            4,
            false,
            Left,
            [-0.728628, 0.684910],
            Some(false),
            [[1.29752, 0.0803355], [1.33893, 0.0414101], [1.38298, 0.0]],
        ),
        (
            5,
            true,
            Left,
            [-0.728628, 0.684910],
            Some(false),
            [[1.29752, 0.0803355], [1.33893, 0.0414101], [1.38298, 0.0]],
        ),
        (6, true, Right, [-0.592759, 0.80538], Some(true), [[1.24123, -0.386454], [1.07739, -0.163842], [0.9568, 0.0]]),
        (7, true, Right, [-0.998053, 0.0623783], None, [[1.28988, -0.161868]; 3]),
        (8, true, Right, [-0.995037, 0.0995037], None, [[1.27426, -0.257426]; 3]),
        (9, true, Right, [-0.988936, 0.14834], None, [[1.29691, -0.0895369], [1.2868, -0.0880196], [0.7, 0.0]]),
        (10, true, Right, [-0.980581, 0.196116], None, [[1.27475, -0.254951], [1.25, -0.25], [0.0, 0.0]]),
    ];
    for (Row { number, me, other, .. }, (same, reacts, side, tangent, gives_way, solutions)) in
        rows().into_iter().zip(expected)
    {
        assert_eq!(number, same);
        assert_eq!(me.meet(&other, &ERRORS).is_some(), reacts, "row {number}");
        // With no error left everybody of the table would react.
        let sure = me.meet(&Perceived { seen_for: 1e9, ..other }, &ERRORS).expect("an interaction");
        assert_eq!(sure.side, side, "row {number}");
        near(sure.area.tangent(side), tangent, &format!("row {number}, tangent"));
        if let Some(gives_way) = gives_way {
            assert_eq!(sure.gives_way(me.facing), gives_way, "row {number}");
        }
        for (alpha, expected) in [0.0, 0.5, 1.0].into_iter().zip(solutions) {
            near(sure.solution(me.desired, alpha), expected, &format!("row {number}, alpha {alpha}"));
        }
        // Linear in between.
        let [turning, both, speeding] = [0.0, 0.5, 1.0].map(|alpha| sure.solution(me.desired, alpha));
        near(sure.solution(me.desired, 0.25), (0.5 * (turning + both)).into(), &format!("row {number}, alpha 0.25"));
        near(sure.solution(me.desired, 0.75), (0.5 * (both + speeding)).into(), &format!("row {number}, alpha 0.75"));
    }
}

#[test]
fn errors_shrink_as_the_list_says() {
    for (seen_for, time, expected) in
        [(0.0, 4.0, 0.5), (0.5, 4.0, 0.211325), (1.0, 4.0, 0.165630), (2.0, 3.0, 0.102365), (4.0, 1.0, 0.0271292)]
    {
        let [found, _] = ERRORS.after(seen_for, time);
        assert!((found - expected).abs() < 1e-5, "{seen_for} s, {time} s: {found}");
    }
}

/// Row 12: no tangents.
#[test]
fn who_is_inside_the_kite_is_not_approached() {
    let (me, offset) = (walking(EAST), Vec2::new(0.6, 0.2));
    assert_eq!(me.area(offset), None);
    near(part_from(EAST, offset, Vec2::ZERO), [0.13, -0.39], "row 12");
    near(part_from(EAST, offset, EAST), [1.3, 0.0], "who walks along");
    near(part_from(Vec2::ZERO, offset, -EAST), [0.0, 0.0], "who comes is not fled from");
}

/// The kite is 1.32 m long to the front at 1.3 m/s, 0.8 m to the other sides.
#[test]
fn the_kite_is_where_it_should_be() {
    let me = walking(EAST);
    for (at, inside) in [
        ([1.31, 0.0], true),
        ([1.33, 0.0], false),
        ([0.0, 0.79], true),
        ([0.0, -0.81], false),
        ([-0.79, 0.0], true),
        ([-0.81, 0.0], false),
        ([0.66, 0.41], false),
        ([0.65, 0.39], true),
    ] {
        assert_eq!(me.area(at.into()).is_none(), inside, "{at:?}");
    }
}

/// The paper's figure 8. From P the area lies between the directions to the back of the kite, (-5.3, 6.5), and to its front, (-3.18, 6.5); I is in the
/// direction (-1.3, 1.3), left of both. With 0.2 m/s2 to the north it enters when 1.3 + 0.2 t = 1.3 x 6.5/5.3, after 1.47 s, and leaves when
/// 1.3 + 0.2 t = 1.3 x 6.5/3.18, after 6.79 s. They are nearest after 14.3/3.38 = 4.23 s, in between and nearer to the end: it is to leave sooner,
/// by the front. The other P is inside, and with 0.6 m/s2 outside again after (1.3 x 5.2/3.68 - 1.3)/0.6 = 0.895 s, before they are nearest.
#[test]
fn who_turns_is_seen_to() {
    let me = walking(EAST);
    let straight = perceived([4.5, -6.5], [0.0, 1.3], 1e9);
    assert_eq!(me.meet(&straight, &ERRORS), None);
    let turning = Perceived { acceleration: Vec2::new(0.0, 0.2), ..straight };
    let met = me.meet(&turning, &ERRORS).expect("I enters the area in time");
    assert!((met.time - 4.2308).abs() < 1e-3 && met.side == Side::Right, "{met:?}");
    // Slower, it enters after 4 s only: it is not to get in, by the back.
    let slowly = Perceived { acceleration: Vec2::new(0.0, 0.0735), ..straight };
    assert_eq!(me.meet(&slowly, &ERRORS).expect("just in time").side, Side::Left);
    let inside = perceived([5.0, -5.2], [0.0, 1.3], 1e9);
    assert!(me.meet(&inside, &ERRORS).is_some());
    let leaving = Perceived { acceleration: Vec2::new(0.0, 0.6), ..inside };
    assert_eq!(me.meet(&leaving, &ERRORS), None);
}
