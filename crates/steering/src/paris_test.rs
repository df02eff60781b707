//! The worked decisions: R = 0.7, desired direction 0, V_des = 1.3, V_max = 1.95, alpha = 0.5, T = 8, beta = 0.

use super::*;
use crate::explanation::Explanation;
use crate::sight::test::{ask, other, sight, walker};
use passerby_geometry::Segment;

fn me() -> Walker {
    Walker { speed_max: 1.95, ..walker(0.25) }
}

const A: ([f32; 2], [f32; 2]) = ([6.0, -6.0], [0.0, 1.3]);
const B: ([f32; 2], [f32; 2]) = ([10.0, 0.0], [-1.3, 0.0]);
const C: ([f32; 2], [f32; 2]) = ([3.0, 0.0], [0.8, 0.0]);
const D: ([f32; 2], [f32; 2]) = ([5.0, 1.0], [0.0, 0.0]);
const G: ([f32; 2], [f32; 2]) = ([0.5, 0.0], [0.0, 0.0]);

/// C_speed, C_dev, C_pred and C_total of single sections.
#[test]
fn costs_are_those_of_the_table() {
    let model = Paris { adapt: 0.0, ..Paris::default() };
    for (name, (p, v), interval, [speed, turn, nearness, total]) in [
        ("A", A, 0, [0.0, 0.0398657, 1.0, 0.0398657]),
        ("A", A, 1, [0.0, 0.0211073, 0.875, 0.0184689]),
        ("A", A, 2, [0.0, 3.46477e-5, 0.75, 2.59858e-5]),
        ("A", A, 3, [0.175941, 0.0, 0.5, 0.0879704]),
        ("B", B, 2, [0.105769, 0.0, 0.75, 0.0793269]),
        ("B", B, 3, [0.0576923, 0.0, 0.5, 0.0288462]),
        ("C", C, 3, [0.0817308, 0.0, 0.5, 0.0408654]),
        ("D", D, 3, [0.115196, 0.000445071, 0.5, 0.0578206]),
        ("G", G, 0, [0.5, 0.0, 1.0, 0.5]),
    ] {
        let range = of_neighbour(p.into(), v.into(), 0.7, 1.0).ranges[interval];
        let found_speed = model.speed_cost(range.behind, range.before, 1.3, 1.95);
        let found_turn = model.turn_cost(0f32.clamp(range.from, range.from + range.width));
        let found_nearness = 1.0 - range.start / model.horizon();
        let found_total = (found_speed + found_turn) * found_nearness;
        for (what, found, expected) in [
            ("C_speed", found_speed, speed),
            ("C_dev", found_turn, turn),
            ("C_pred", found_nearness, nearness),
            ("C_total", found_total, total),
        ] {
            let close = (found - expected).abs() < 1e-6 + 2e-4 * expected;
            assert!(close, "{name} {interval}: {what} {found}, expected {expected}");
        }
    }
}

#[test]
fn decisions_are_those_of_the_table() {
    for (names, others, cost, turn, speed) in [
        ("A", &[A][..], 0.0134340, -0.248454, 1.3),
        ("B", &[B], 0.0328552, -0.146355, 1.375),
        ("C", &[C], 0.00319701, -0.113144, 1.3),
        ("D", &[D], 0.0, 0.0, 1.3),
        ("G", &[G], 0.5, 0.0, 0.0),
        ("A and D", &[A, D], 0.0134340, -0.248454, 1.3),
    ] {
        // The table sees B at 10 m, whoever is asked.
        let others: Vec<_> = others.iter().zip(0..).map(|((p, v), i)| other(i, *p, *v, 0.25)).collect();
        let (model, me) = (Paris { adapt: 0.0, ..Paris::default() }, me());
        let mut why = Explanation::new(me, &others, &[]);
        let map = passerby_geometry::walls::Walls::new(Vec::new());
        let v = model.decide(&sight(&me, &others, &[], &map), &mut why);
        let cheapest = why.sections.iter().fold(f32::INFINITY, |least, section| least.min(section.cost));
        assert!((cheapest - cost).abs() < 1e-6 + 2e-4 * cost, "{names}: cost {cheapest}, expected {cost}");
        assert!((v.length() - speed).abs() < 2e-4, "{names}: speed {}, expected {speed}", v.length());
        let found = math::atan2(v.y, v.x);
        assert!((found - turn).abs() < 2e-4, "{names}: turn {found}, expected {turn}");
    }
}

/// Between 0 and D's section going on costs 0.0879704 at 1.68827 m/s, in D's section 0.377592 at 0.549877.
#[test]
fn pieces_add_up_who_covers_them() {
    let others = [other(0, A.0, A.1, 0.25), other(1, D.0, D.1, 0.25)];
    let mut why = Explanation::new(me(), &others, &[]);
    ask(&Paris::default(), &me(), &others, &[], &mut why);
    let at = |angle: f32| why.sections.iter().find(|s| s.from <= angle && angle < s.to).expect("a piece");
    assert!((at(0.03).cost - 0.0879704).abs() < 2e-5, "{:?}", at(0.03));
    assert!((at(0.03).before - 1.68827).abs() < 2e-4, "{:?}", at(0.03));
    assert!((at(0.1).behind - 0.549877).abs() < 2e-4, "{:?}", at(0.1));
    // C_dev once, A's 0.0879704 and D's share, with the turn of the piece that begins at 0.0596794.
    let turn = 0.25 * (1.0 - math::cos(0.0596794));
    assert!((at(0.1).cost - 0.377592).abs() < 2e-4, "{:?}, turn {turn}", at(0.1));
}

/// Out of the field of view somebody counts as standing; behind a wall not at all.
#[test]
fn who_is_not_seen_stands_and_who_is_hidden_is_not_there() {
    let behind = other(0, [-3.0, 0.1], [3.0, 0.0], 0.25);
    assert_eq!(ask(&Paris::default(), &me(), &[behind], &[], &mut ()), Vec2::new(1.3, 0.0));
    let hidden = other(0, [3.0, 0.0], [-1.0, 0.0], 0.25);
    let sight = |walls: &[Segment]| {
        let map = passerby_geometry::walls::Walls::new(walls.to_vec());
        let me = me();
        let others = [hidden];
        let sight = sight(&me, &others, walls, &map);
        View::new(&Paris::default(), sight.me).perceived(&sight, &hidden)
    };
    assert_eq!(sight(&[Segment { a: Vec2::new(2.0, 5.0), b: Vec2::new(2.0, -5.0) }]), None);
    assert_eq!(sight(&[]), Some(Vec2::new(-1.0, 0.0)));
}

/// 0.5 m apart where 0.7 are asked for: half of the 0.2 m each, over a second.
#[test]
fn who_is_too_near_parts() {
    let model = Paris { adapt: 0.0, ..Paris::default() };
    let v = ask(&model, &me(), &[other(0, G.0, G.1, 0.25)], &[], &mut ());
    assert!(v.distance(Vec2::new(-0.1, 0.0)) < 1e-5, "{v}");
}
