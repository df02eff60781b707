use super::*;
use crate::parameter;
use crate::vision_camera::Rays;
use crate::vision_image::{Cone, Image, Wall};
use passerby_geometry::lanes::Width;

const AHEAD: Vec2 = Vec2::new(1.3, 0.0);
const PACE: Pace = Pace { velocity: AHEAD, heading: Vec2::X, turn_rate: 0.0 };

#[track_caller]
fn check(what: &str, value: f32, expected: f32) {
    assert!((value - expected).abs() <= 1e-4 * expected.abs() + 2e-6, "{what}: {value}, expected {expected}");
}

/// What somebody at the origin wants who walks along +x at 1.3 m/s, sees these points with a velocity and has this goal.
fn wanted(points: &[[f32; 2]], velocity: [f32; 2], goal: [f32; 2], present: f32) -> Steer {
    let (model, pace) = (Vision::default(), Pace { turn_rate: present, ..PACE });
    let relative = Vec2::from(velocity) - AHEAD;
    let threat = model.of_points(points.iter().map(|point| (Vec2::from(*point), relative)));
    model.avoid(&pace, model.towards(&pace, goal.into(), 1.3), threat)
}

/// The nine rows of the worked table, goal (20, 0).
#[test]
fn turns_and_speeds_are_the_worked_ones() {
    for (p, velocity, turn, speed) in [
        ([6.0, 0.0], [0.0, 0.0], 0.0605117, 1.3),
        ([5.0, -5.0], [0.0, 1.3], 0.0795447, 1.3),
        ([5.0, -4.0], [0.0, 1.3], -0.0597575, 1.3),
        ([5.0, -6.0], [0.0, 1.3], 0.0467906, 1.3),
        ([5.0, 1.0], [0.0, 0.0], -0.025, 1.3),
        ([6.0, 0.5], [-1.3, 0.0], -0.133523, 1.21262),
        ([0.6, 0.1], [0.0, 0.0], -1.48515, 0.138333),
        ([-1.0, 2.0], [0.0, 1.0], 0.0, 1.3),
        ([3.0, 1.0], [1.3, 0.0], 0.0, 1.3),
    ] {
        let steer = wanted(&[p], velocity, [20.0, 0.0], 0.0);
        (check("turn", steer.turn_rate, turn), check("speed", steer.speed, speed));
    }
}

#[test]
fn the_goal_chooses_the_side() {
    let body = [[6.0, 0.0], [6.0, 0.5], [6.0, 1.0]];
    for (goal, turn) in
        [([20.0, 0.0], -0.171153), ([4.0, -3.0], -0.312), ([6.0, 3.0], 0.234532), ([6.0, -1.2], -0.171153)]
    {
        let steer = wanted(&body, [-1.3, 0.0], goal, 0.0);
        (check("turn", steer.turn_rate, turn), check("speed", steer.speed, 1.20931));
    }
    // The joint between eq. (6) and (7): a goal rate of phi- itself is outside.
    let (model, threat) = (Vision::default(), Threat { right: -0.2, left: 0.3, soonest: 2.0 });
    for (goal, turn) in [(-0.2, -0.2), (-0.19, -0.2), (0.29, 0.3), (0.3, 0.3), (0.31, 0.31), (-0.5, -0.5)] {
        assert_eq!(model.side(goal, 0.0, &threat), turn, "goal rate {goal}");
    }
}

#[test]
fn ties_keep_the_side_turned_to_or_go_left() {
    let body = [[6.0, -0.5], [6.0, 0.0], [6.0, 0.5]];
    for (present, turn) in [(0.0, 0.205248), (0.1, 0.205248), (-0.1, -0.205248)] {
        check("turn", wanted(&body, [-1.3, 0.0], [20.0, 0.0], present).turn_rate, turn);
    }
    // They are equal within 10 % of their sum.
    let model = Vision::default();
    for (left, turn) in [(0.2, 0.2), (0.24, 0.24), (0.245, -0.2)] {
        assert_eq!(model.side(0.0, 0.0, &Threat { right: -0.2, left, soonest: 9.0 }), turn, "left {left}");
    }
}

/// The worked images: which way, and how fast.
#[test]
fn images_are_answered_as_worked() {
    let model = Vision::default();
    let rays = Rays::new(Camera { projection: Projection::Pinhole, ..model.camera() });
    let mut image = Image::new(Width::detect());
    for (y, turn) in [(0.0, 0.423119), (0.3, -0.365511), (1.5, -0.134198)] {
        let cone = Cone { offset: Vec2::new(4.0, y), velocity: -AHEAD, radius: 0.5, height: 1.8 };
        let seen = image.look(&rays, Vec2::X, &[], &[cone]);
        let wish = model.towards(&PACE, Vec2::new(20.0, 0.0), 1.3);
        let steer = model.avoid(&PACE, wish, model.threat(&seen, AHEAD));
        check("turn", steer.turn_rate, turn);
        if y == 0.0 {
            check("speed", steer.speed, 0.778630);
        }
        // Within a tenth of a second only a part of it can be done.
        let done = model.decide(&seen, &PACE, Vec2::new(20.0, 0.0), 1.3, 0.1);
        check("turn done", done.turn_rate, turn.clamp(-0.157080, 0.157080));
        check("speed done", done.speed, steer.speed.max(1.2));
    }
}

#[test]
fn speed_follows_equation_9() {
    for (tti, speed) in [(0.5, 0.152754), (1.0, 0.511510), (2.0, 1.12406), (2.999, 1.28551), (0.0, 0.0)] {
        check("speed", walking_speed(1.3, tti), speed);
    }
    // Beyond tau_2 nothing slows: the speed jumps there, as the paper's does.
    let steer = |soonest: f32| {
        let wish = Steer { turn_rate: 0.0, speed: 1.3 };
        Vision::default().avoid(&PACE, wish, Some(Threat { right: -0.1, left: 0.1, soonest })).speed
    };
    (check("at 2.999 s", steer(2.999), 1.28551), check("at 3 s", steer(3.0), 1.3));
}

#[test]
fn bounds_are_kept() {
    let model = Vision::default();
    let ask = |turn_rate: f32, speed: f32, dt: f32| model.bounded(&PACE, Steer { turn_rate, speed }, dt);
    assert_eq!(ask(0.05, 1.25, 0.1), Steer { turn_rate: 0.05, speed: 1.25 });
    let most = ask(9.0, 9.0, 0.1);
    (check("turn", most.turn_rate, 0.157080), check("speed", most.speed, 1.4));
    let least = ask(-9.0, 0.0, 0.1);
    (check("turn", least.turn_rate, -0.157080), check("speed", least.speed, 1.2));
    let slow = ask(-9.0, 0.0, 2.0);
    (check("turn", slow.turn_rate, -FRAC_PI_2), check("speed", slow.speed, 0.0));
}

/// Behind, near and at the goal the bearing counts; the last metres are walked slower.
#[test]
fn goals_near_and_behind_are_turned_to() {
    let model = Vision::default();
    for (goal, turn, speed) in [
        ([-5.0, 5.0], 2.35619, 1.3),
        ([-5.0, -5.0], -2.35619, 1.3),
        ([1.0, 1.0], 0.5 * FRAC_PI_2, 1.3),
        ([0.0, 1.0], FRAC_PI_2, 1.0),
        ([0.5, 0.0], 0.0, 0.5),
        ([0.1, 0.0], 0.0, 0.3),
        ([0.0, 0.0], 0.0, 0.3),
    ] {
        let steer = model.towards(&PACE, goal.into(), 1.3);
        (check("turn", steer.turn_rate, turn), check("speed", steer.speed, speed));
    }
}

/// Every parameter at both ends of its range: what is done is a number within the bounds, whatever is seen and wherever the goal is.
#[test]
fn decisions_are_numbers_at_both_ends_of_every_range() {
    assert_eq!(Vision::FIELDS.len(), parameter::list(Vision::FIELDS, &Vision::default()).len());
    let goals = [[0.0, 0.0], [1e-9, 0.0], [20.0, 0.0], [-3.0, 0.0], [0.0, 1e9]].map(Vec2::from);
    for (name, ends) in parameter::ranges(Vision::FIELDS) {
        for value in ends {
            let mut model = Vision::default();
            parameter::set(Vision::FIELDS, &mut model, name, value).expect("the ends are within");
            assert!(parameter::set(Vision::FIELDS, &mut model, name, ends[1] + 1.0).is_err(), "{name} has an end");
            let (rays, mut image) = (Rays::new(model.camera()), Image::new(Width::detect()));
            let (radius, height) = (model.body_radius, model.body_height);
            for at in [Vec2::ZERO, Vec2::new(1e-5, 0.0), Vec2::new(0.4, 0.1), Vec2::new(4.0, 0.0)] {
                let cone = Cone { offset: at, velocity: -AHEAD, radius, height };
                let wall =
                    Wall { from: at - Vec2::Y, to: at + Vec2::Y, velocity: Vec2::ZERO, height: model.wall_height };
                let seen = image.look(&rays, Vec2::X, &[wall], &[cone]);
                for goal in goals {
                    for velocity in [AHEAD, Vec2::ZERO] {
                        let pace = Pace { velocity, ..PACE };
                        let steer = model.decide(&seen, &pace, goal, 1.3, 0.1);
                        let within = steer.turn_rate.abs() <= model.turn_rate_max && (0.0..20.0).contains(&steer.speed);
                        assert!(within, "{name} = {value}, body at {at}, goal {goal}: {steer:?}");
                        let steer = model.follow(&pace, at, goal.clamp_length_max(2.0), 2.0);
                        assert!(steer.turn_rate.is_finite() && (0.0..=2.0).contains(&steer.speed), "{name}: {steer:?}");
                    }
                }
            }
        }
    }
    assert!(parameter::set(Vision::FIELDS, &mut Vision::default(), "height", 1.0).is_err());
    for (name, value) in parameter::list(Vision::FIELDS, &Vision::default()) {
        let (_, [low, high]) =
            parameter::ranges(Vision::FIELDS).into_iter().find(|(n, _)| *n == name).expect("the same");
        assert!((low..=high).contains(&value), "{name} is {value} by default");
    }
}

/// Somebody moved by hand.
#[derive(Clone, Copy)]
struct Person {
    at: Vec2,
    pace: Pace,
}

impl Person {
    fn new(at: [f32; 2], heading: f32, speed: f32) -> Self {
        let (sin, cos) = math::sin_cos(heading);
        let heading = Vec2::new(cos, sin);
        Self { at: at.into(), pace: Pace { velocity: speed * heading, heading, turn_rate: 0.0 } }
    }

    fn step(&mut self, steer: Steer, dt: f32) {
        let (sin, cos) = math::sin_cos(steer.turn_rate * dt);
        let heading = Vec2::new(cos, sin).rotate(self.pace.heading).normalize();
        self.pace = Pace { velocity: steer.speed * heading, heading, turn_rate: steer.turn_rate };
        self.at += self.pace.velocity * dt;
    }
}

const DT: f32 = 0.05;

/// The follower and the leader after some seconds, and the greatest distance to the spot behind the leader in the last ten.
fn walk_behind(mut follower: Person, mut leader: Person, turn_rate: f32, seconds: f32) -> (Person, Person, f32) {
    let model = Vision::default();
    let (steps, speed) = ((seconds / DT) as usize, leader.pace.velocity.length());
    let mut worst = 0f32;
    for step in 0..steps {
        let (offset, velocity) = (leader.at - follower.at, leader.pace.velocity);
        let wish = model.follow(&follower.pace, offset, velocity, 2.0);
        follower.step(model.bounded(&follower.pace, wish, DT), DT);
        leader.step(Steer { turn_rate, speed }, DT);
        let spot = leader.at - model.follow_gap * leader.pace.heading;
        if (steps - step) as f32 * DT < 10.0 {
            worst = worst.max(follower.at.distance(spot));
        }
    }
    (follower, leader, worst)
}

/// From behind, aside, ahead and facing away, a follower ends on the leader's line, 1.2 m behind, as fast, with a bearing that does not turn.
#[test]
fn a_follower_settles_behind_a_leader() {
    for start in [[-5.0, 0.0], [-4.0, 3.0], [-1.0, -3.0], [3.0, 2.0], [-0.3, 0.0]] {
        for heading in [0.0, 2.0, -3.0] {
            let leader = Person::new([0.0, 0.0], 0.0, 1.2);
            let (follower, leader, worst) = walk_behind(Person::new(start, heading, 0.5), leader, 0.0, 40.0);
            assert!(worst < 0.02, "from {start:?}, {heading}: {worst} m from the spot");
            let offset = leader.at - follower.at;
            let point = Vision::default().of_point(offset, leader.pace.velocity - follower.pace.velocity);
            let apart = (follower.pace.velocity - leader.pace.velocity).length();
            assert!(point.rate.abs() < 0.005 && apart < 0.01, "from {start:?}: {point:?}, {apart} m/s");
            assert!((offset - Vec2::new(1.2, 0.0)).length() < 0.02, "from {start:?}: {offset}");
        }
    }
}

/// While the follower catches up, the spot behind the leader is seen under one bearing and stays `follow_time` away: (rate, tti) -> (0, cst).
#[test]
fn a_follower_holds_the_time_to_interaction() {
    let model = Vision::default();
    let (mut follower, mut leader) = (Person::new([-3.0, -0.3], 0.1, 1.2), Person::new([0.0, 0.0], 0.0, 1.0));
    let mut held = 0;
    for step in 0..120 {
        let offset = leader.at - follower.at;
        let spot = offset - model.follow_gap * Vec2::X;
        let point = model.of_point(spot, leader.pace.velocity - follower.pace.velocity);
        // After the first two seconds of turning and hurrying, while there is some way left.
        if step > 40 && spot.length() > 0.05 {
            let tti = point.tti.expect("it comes nearer");
            assert!((tti - model.follow_time).abs() < 0.3, "{tti} s at step {step}");
            assert!(point.rate.abs() < 0.3, "{} rad/s at step {step}", point.rate);
            held += 1;
        }
        let wish = model.follow(&follower.pace, offset, leader.pace.velocity, 2.0);
        follower.step(model.bounded(&follower.pace, wish, DT), DT);
        leader.step(Steer { turn_rate: 0.0, speed: 1.0 }, DT);
    }
    assert!(held > 10, "{held} steps");
}

/// Behind somebody who walks in a circle the follower stays near the spot; behind somebody who stands it stops short of them.
#[test]
fn a_follower_follows_turns_and_stops() {
    let leader = Person::new([0.0, 0.0], 0.0, 1.2);
    let (_, _, worst) = walk_behind(Person::new([-4.0, 1.0], 0.0, 1.0), leader, 0.2, 60.0);
    assert!(worst < 0.5, "{worst} m from the spot");
    let standing = Person::new([0.0, 0.0], 0.0, 0.0);
    let (follower, ..) = walk_behind(Person::new([-4.0, 1.0], 0.0, 1.0), standing, 0.0, 30.0);
    assert!((follower.at.length() - 1.2).abs() < 0.1 && follower.pace.velocity.length() < 0.05, "{}", follower.at);
}

/// Two who meet head-on, each seeing the other: they pass without touching.
#[test]
fn two_who_meet_pass_each_other() {
    let model = Vision::default();
    let rays = Rays::new(model.camera());
    let mut image = Image::new(Width::detect());
    let goals = [Vec2::new(8.0, 0.0), Vec2::new(-8.0, 0.0)];
    let mut both = [Person::new([-8.0, 0.0], 0.0, 1.3), Person::new([8.0, 0.0], std::f32::consts::PI, 1.3)];
    let mut nearest = f32::INFINITY;
    for _ in 0..600 {
        let now = both;
        for (i, person) in both.iter_mut().enumerate() {
            let (me, other) = (now[i], now[1 - i]);
            let cone = Cone { offset: other.at - me.at, velocity: other.pace.velocity, radius: 0.5, height: 1.8 };
            let seen = image.look(&rays, me.pace.heading, &[], &[cone]);
            person.step(model.decide(&seen, &me.pace, goals[i] - me.at, 1.3, DT), DT);
        }
        nearest = nearest.min(both[0].at.distance(both[1].at));
    }
    assert!(nearest > 0.6, "{nearest} m from centre to centre");
    assert!((0..2).all(|i| both[i].at.distance(goals[i]) < 1.0), "{} and {}", both[0].at, both[1].at);
}
