//! The worked examples of reactive navigation: R = 0.6 m, S_I = (1.3, 0), v_max = 2.

use super::*;
use crate::reactions::Rating;
use crate::sight::test::{ask, other, sight, walker};

const NO_ROOM: f32 = 0.0;

/// Two radii of 0.25 and the margin of 0.1 make R = 0.6 m.
fn case(offset: [f32; 2], velocity: [f32; 2]) -> Neighbour {
    other(0, offset, velocity, 0.25)
}

fn near(found: Vec2, expected: [f32; 2], what: &str) {
    assert!(found.distance(expected.into()) < 2e-4, "{what}: {found}, expected {expected:?}");
}

/// Only the avoidance: no personal space.
fn only_avoiding(reactions: Reactions) -> Lamarche {
    Lamarche { space_people: NO_ROOM, space_walls: NO_ROOM, reactions, ..Lamarche::default() }
}

#[test]
fn collisions_are_found_when_and_as_the_table_says() {
    let v = Vec2::new(1.3, 0.0);
    for (number, v, offset, velocity, times, kind) in [
        (1, v, [4.0, -4.0], [0.0, 1.3], [2.75057, 3.40328], Kind::Back),
        (2, v, [6.0, 0.0], [-1.0, 0.0], [2.34783, 2.86957], Kind::Front),
        (3, v, [6.0, 0.3], [-1.0, 0.0], [2.38278, 2.83462], Kind::Front),
        (4, v, [6.0, 3.0], [-0.7, -0.9], [2.81265, 3.29962], Kind::Front),
        (5, v, [3.0, 0.0], [0.8, 0.0], [4.8, 7.2], Kind::Back),
        (6, v, [4.0, 0.2], [0.0, 0.0], [2.64178, 3.51207], Kind::Static),
        (7, Vec2::new(0.6, 0.0), [-3.0, 0.1], [1.5, 0.0], [2.67599, 3.99068], Kind::Rear),
    ] {
        let other = case(offset, velocity);
        let met = meeting(other.offset, v - other.velocity, 0.6);
        let Meeting::At(from, until) = met else { panic!("case {number}: none") };
        for (found, time) in [from, until].into_iter().zip(times) {
            assert!((found - time).abs() < 1e-4 * time, "case {number}: {found}, expected {time}");
        }
        assert_eq!(kind_of(v, &other, from), kind, "case {number}");
    }
    for (number, v, offset, velocity, expected) in [
        (8, v, [-2.0, 0.0], [0.0, 0.0], Meeting::Never),
        (9, Vec2::X, [2.0, 0.0], [1.0, 0.0], Meeting::Never),
        (10, Vec2::X, [0.5, 0.0], [0.0, 0.0], Meeting::Now),
        (11, v, [4.0, 2.0], [0.0, 0.0], Meeting::Never),
    ] {
        let other = case(offset, velocity);
        assert_eq!(meeting(other.offset, v - other.velocity, 0.6), expected, "case {number}");
    }
}

/// Left, right, decelerate, accelerate of cases 1 to 6; the circle is the larger one that solutions are built for, hence the tolerance.
#[test]
fn reactions_are_those_of_the_table() {
    let cases = [
        (1, [4.0, -4.0], [0.0, 1.3], [1.27075, 0.274216], [1.27075, -0.274216], (Some(1.04940), Some(1.61045))),
        (2, [6.0, 0.0], [-1.0, 0.0], [1.27965, 0.229114], [1.27965, -0.229114], (None, None)),
        (3, [6.0, 0.3], [-1.0, 0.0], [1.25455, 0.340743], [1.29490, -0.115033], (None, None)),
        (4, [6.0, 3.0], [-0.7, -0.9], [1.26209, 0.311651], [1.29473, -0.116928], (Some(0.757418), Some(1.59258))),
        (5, [3.0, 0.0], [0.8, 0.0], [1.29605, 0.101256], [1.29605, -0.101256], (Some(0.8), None)),
        (6, [4.0, 0.2], [0.0, 0.0], [1.27400, 0.258700], [1.29345, -0.130327], (None, None)),
    ];
    for (number, offset, velocity, left, right, (slower, faster)) in cases {
        let (other, v) = (case(offset, velocity), Vec2::new(1.3, 0.0));
        let found = |reaction| solve(reaction, v, &other, 0.6, 2.0);
        near(found(Reaction::Left).unwrap(), left, &format!("case {number} left"));
        near(found(Reaction::Right).unwrap(), right, &format!("case {number} right"));
        for (reaction, speed) in [(Reaction::Decelerate, slower), (Reaction::Accelerate, faster)] {
            match (found(reaction), speed) {
                (Some(v), Some(speed)) => near(v, [speed, 0.0], &format!("case {number} {reaction:?}")),
                (None, None) => {}
                (Some(v), None) if reaction == Reaction::Decelerate && number == 6 => near(v, [0.0, 0.0], "stops"),
                (found, _) => panic!("case {number} {reaction:?}: {found:?}"),
            }
        }
    }
}

/// What those reactions are worth: n, for left, right, decelerate and accelerate.
#[test]
fn reactions_are_worth_what_the_table_says() {
    let cases: [(_, _, _, [Option<f32>; 4]); 6] = [
        (1, [4.0, -4.0], [0.0, 1.3], [Some(0.977500), Some(0.977500), Some(0.807227), Some(0.342751)]),
        (2, [6.0, 0.0], [-1.0, 0.0], [Some(0.984347), Some(0.984347), None, None]),
        (3, [6.0, 0.3], [-1.0, 0.0], [Some(0.965038), Some(0.996077), None, None]),
        (4, [6.0, 3.0], [-0.7, -0.9], [Some(0.970839), Some(0.995947), Some(0.582629), Some(0.362416)]),
        (5, [3.0, 0.0], [0.8, 0.0], [Some(0.996962), Some(0.996962), Some(0.615385), None]),
        (6, [4.0, 0.2], [0.0, 0.0], [Some(0.979999), Some(0.994962), None, None]),
    ];
    let reactions = [Reaction::Left, Reaction::Right, Reaction::Decelerate, Reaction::Accelerate];
    for (number, offset, velocity, worth) in cases {
        let (other, v) = (case(offset, velocity), Vec2::new(1.3, 0.0));
        for (reaction, worth) in reactions.into_iter().zip(worth) {
            let Some(expected) = worth else { continue };
            let rating = Rating { turn: 1.0, speed: if reaction == Reaction::Accelerate { 5.0 } else { 1.0 } };
            let found = rating.quality(solve(reaction, v, &other, 0.6, 2.0).unwrap(), v);
            assert!((found - expected).abs() < 2e-4, "case {number} {reaction:?}: {found}, expected {expected}");
        }
    }
}

#[test]
fn the_best_reaction_is_chosen_as_the_table_says() {
    let me = walker(0.25);
    let chooses = |reactions, others: &[Neighbour]| ask(&only_avoiding(reactions), &me, others, &[], &mut ());
    let one = [case([4.0, -4.0], [0.0, 1.3])];
    near(chooses(Reactions::DRIVING_RULE, &one), [1.27075, 0.274216], "case 1, driving rule: left");
    near(chooses(Reactions::MINIMAL_ADJUSTMENT, &one), [1.27075, -0.274216], "case 1, a tie: table order");
    let four = [case([6.0, 3.0], [-0.7, -0.9])];
    near(chooses(Reactions::DRIVING_RULE, &four), [1.29473, -0.116928], "case 4");
    near(chooses(Reactions::MINIMAL_ADJUSTMENT, &four), [1.29473, -0.116928], "case 4");
    // Right of the first hits the second later than the first would have been hit: taken.
    let two = [case([4.0, 0.2], [0.0; 2]), case([4.0, -0.9], [0.0; 2])];
    near(chooses(Reactions::MINIMAL_ADJUSTMENT, &two), [1.29345, -0.130327], "two who stand");
    // With the second nearer, left of the first is worth more.
    let two = [case([4.0, 0.2], [0.0; 2]), case([3.0, -0.6], [0.0; 2])];
    near(chooses(Reactions::MINIMAL_ADJUSTMENT, &two), [1.27400, 0.258700], "two who stand, one nearer");
}

/// Rear collisions are accepted, whatever is chosen otherwise.
#[test]
fn who_comes_from_behind_takes_care_himself() {
    let me = Walker { desired: Vec2::new(0.6, 0.0), velocity: Vec2::new(0.6, 0.0), ..walker(0.25) };
    let v = ask(&only_avoiding(Reactions::DRIVING_RULE), &me, &[case([-3.0, 0.1], [1.5, 0.0])], &[], &mut ());
    near(v, [0.6, 0.0], "case 7");
}

/// Case 10: the approaching metre a second goes, (0.6 - 0.5)/0.5 comes as a push; security then stops what is left of it to the front.
#[test]
fn who_overlaps_parts() {
    let model = only_avoiding(Reactions::MINIMAL_ADJUSTMENT);
    let me = Walker { desired: Vec2::X, velocity: Vec2::ZERO, ..walker(0.25) };
    near(ask(&model, &me, &[case([0.5, 0.0], [0.0; 2])], &[], &mut ()), [-0.2, 0.0], "case 10");
}

#[test]
fn personal_space_bends_as_the_table_says() {
    let model = Lamarche::default();
    let me = walker(0.25);
    let bent = |others: &[Neighbour], walls: &[Segment]| {
        let map = passerby_geometry::walls::Walls::new(walls.to_vec());
        model.bend(me.desired, &sight(&me, others, walls, &map), &mut ())
    };
    let wall = [Segment { a: Vec2::new(3.0, -0.3), b: Vec2::new(-3.0, -0.3) }];
    near(bent(&[case([0.5, 0.5], [0.0; 2])], &[]), [1.27727, -0.242046], "one neighbour");
    near(bent(&[case([0.5, 0.5], [0.0; 2]), case([1.2, 0.0], [0.0; 2])], &[]), [1.27727, -0.242046], "one beyond d");
    near(bent(&[], &wall), [1.24251, 0.382312], "a wall");
    near(bent(&[case([0.4, 0.0], [0.0; 2])], &[]), [1.3, 0.0], "straight ahead");
    near(bent(&[case([-0.4, 0.0], [0.0; 2])], &wall), [1.27211, 0.267814], "behind, and a wall");
}

/// t_c = 0.3 s, t_react = 0.5 s: 1.3 x 0.6 = 0.78 m/s. It uses bare radii: contact at 0.5 m, so the other stands 0.5 + 0.39 m ahead.
#[test]
fn security_slows_down_in_proportion() {
    let model = Lamarche::default();
    let me = walker(0.25);
    let secured = |others: &[Neighbour], walls: &[Segment]| {
        let map = passerby_geometry::walls::Walls::new(walls.to_vec());
        model.secure(me.desired, &sight(&me, others, walls, &map), &mut ())
    };
    near(secured(&[case([0.89, 0.0], [0.0; 2])], &[]), [0.78, 0.0], "somebody stands ahead");
    near(secured(&[case([-0.6, 0.0], [3.0, 0.0])], &[]), [1.3, 0.0], "somebody comes from behind");
    near(secured(&[case([0.6, 0.0], [2.0, 0.0])], &[]), [1.3, 0.0], "somebody walks away");
    // A wall across, 0.25 + 0.39 m ahead.
    let wall = [Segment { a: Vec2::new(0.64, 1.0), b: Vec2::new(0.64, -1.0) }];
    near(secured(&[], &wall), [0.78, 0.0], "a wall");
}
