//! The form of behaviours for people moved by clips: each weighs every action that could come next.
//!
//! "High" and "low" are x = 1 and x = -1 with alpha 3. A behaviour without an opinion (no goal, say) gives no weights.

use crate::scheme::{ALPHA, Opinion, sigmoid};
use passerby_geometry::DVec2;
use passerby_geometry::math::double as math;

/// Somebody who is about to choose, in local coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Where they are.
    pub at: DVec2,
    /// Where they face, rad.
    pub heading: f64,
    /// Where they were one action ago.
    pub previous: Option<DVec2>,
    /// The point they walk to.
    pub goal: Option<DVec2>,
}

/// What kind of action it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Stands.
    Stand,
    /// Walks.
    Walk,
    /// Runs.
    Run,
    /// Turns in place.
    Turn,
    /// Talks.
    Talk,
    /// Sits.
    Sit,
}

/// An action that may come next: a clip, by what it does on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Action {
    /// What kind it is.
    pub kind: Kind,
    /// Where it ends.
    pub end: DVec2,
    /// By how much the heading turns, rad.
    pub turn: f64,
    /// The corners of the box around its root's way.
    pub corners: [DVec2; 4],
}

/// Displacements below this say nothing about a direction, m.
const STILL: f64 = 0.05;

fn opinion(alpha: f64, actions: &[Action], x: impl Fn(&Action) -> f64) -> Opinion {
    Opinion { weights: actions.iter().map(|action| sigmoid(alpha, x(action))).collect(), firm: false }
}

fn high_where(actions: &[Action], is_high: impl Fn(&Action) -> bool) -> Opinion {
    opinion(ALPHA, actions, |action| if is_high(action) { 1.0 } else { -1.0 })
}

/// Turns as little as can be: x = v - 180 degrees, v the angle at the present place between the last place and the next one. Where an action
/// hardly moves, v is 180 degrees less the turn of the heading; without a last place it lies behind the heading. The text prints x = v, which
/// prefers nothing.
pub fn dont_turn(alpha: f64, state: &State, actions: &[Action]) -> Opinion {
    let behind = state.previous.map(|previous| previous - state.at).filter(|back| back.length() >= STILL);
    let back = behind.unwrap_or_else(|| {
        let (sin, cos) = math::sin_cos(state.heading);
        DVec2::new(-cos, -sin)
    });
    opinion(alpha, actions, |action| {
        let on = action.end - state.at;
        if on.length() < STILL {
            return -action.turn.abs().to_degrees();
        }
        let angle = math::atan2(back.perp_dot(on), back.dot(on)).abs();
        angle.to_degrees() - 180.0
    })
}

/// Walks to the goal: the distances from the actions' ends to it are divided into three groups of equal width, the nearest with x = 1, the farthest
/// with x = -1. No opinion without a goal.
pub fn target_finding(alpha: f64, state: &State, actions: &[Action]) -> Option<Opinion> {
    const GROUPS: f64 = 3.0;
    let goal = state.goal?;
    let distance = |action: &Action| action.end.distance(goal);
    let nearest = actions.iter().map(distance).fold(f64::INFINITY, f64::min);
    let farthest = actions.iter().map(distance).fold(0.0, f64::max);
    let width = (farthest - nearest) / GROUPS;
    Some(opinion(alpha, actions, |action| {
        let group = if width > 0.0 { ((distance(action) - nearest) / width).floor().min(GROUPS - 1.0) } else { 0.0 };
        1.0 - 2.0 * group / (GROUPS - 1.0)
    }))
}

/// Keeps off what is no ground: `clamp(slope v + intercept, 0, 1)` of the darkest point on the way, `look` giving 0 (black) to 1 (white).
/// The text looks at the end only, which jumps thin walls.
pub fn image(slope: f64, intercept: f64, state: &State, actions: &[Action], look: impl Fn(DVec2) -> f64) -> Opinion {
    const STEP: f64 = 0.1;
    let weight = |action: &Action| {
        let steps = (state.at.distance(action.end) / STEP).ceil().max(1.0);
        let darkest =
            (1..=steps as u32).map(|step| look(state.at.lerp(action.end, f64::from(step) / steps))).fold(1.0, f64::min);
        (slope * darkest + intercept).clamp(0.0, 1.0)
    };
    Opinion { weights: actions.iter().map(weight).collect(), firm: true }
}

/// Does not run into others: 0 for actions that would, 1 for the rest.
pub fn collision(actions: &[Action], hits: impl Fn(&Action) -> bool) -> Opinion {
    let weight = |action: &Action| if hits(action) { 0.0 } else { 1.0 };
    Opinion { weights: actions.iter().map(weight).collect(), firm: true }
}

/// Stands: high for those that move by less than `threshold`, m. (The text has it the other way round by a slip.)
pub fn stop(threshold: f64, state: &State, actions: &[Action]) -> Opinion {
    high_where(actions, |action| action.end.distance(state.at) <= threshold)
}

/// Stays in a region: high where all four corners of the clip's box are inside; low, not 0, elsewhere, or nobody could come back.
pub fn stay(actions: &[Action], inside: impl Fn(DVec2) -> bool) -> Opinion {
    high_where(actions, |action| action.corners.iter().all(|corner| inside(*corner)))
}

/// Prefers actions of a kind: running when in a hurry, talking, sitting.
pub fn prefers(kind: Kind, actions: &[Action]) -> Opinion {
    high_where(actions, |action| action.kind == kind)
}

/// Does not end in a region that is taken.
pub fn exclusive(actions: &[Action], taken: impl Fn(DVec2) -> bool) -> Opinion {
    let weight = |action: &Action| if taken(action.end) { 0.0 } else { 1.0 };
    Opinion { weights: actions.iter().map(weight).collect(), firm: false }
}

/// Looks at a point: x falls from 1 when facing it to -1 when it is behind.
pub fn look_at(at: DVec2, state: &State, actions: &[Action]) -> Opinion {
    opinion(ALPHA, actions, |action| {
        let to = at - action.end;
        let off = math::wrap_angle(math::atan2(to.y, to.x) - state.heading - action.turn).abs();
        1.0 - 2.0 * off / std::f64::consts::PI
    })
}

/// Which way point is the current one: the index only grows, one is passed within `min_dist`. `None`: the last one is reached.
pub fn advance(way: &[DVec2], current: usize, at: DVec2, min_dist: f64) -> Option<usize> {
    let passed = way[current..].iter().take_while(|point| point.distance(at) <= min_dist).count();
    Some(current + passed).filter(|next| *next < way.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::{Composed, compose, draw};

    fn action(kind: Kind, end: [f64; 2], turn_deg: f64) -> Action {
        let end = DVec2::from(end);
        let corners = [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]].map(|c| end + DVec2::from(c));
        Action { kind, end, turn: turn_deg.to_radians(), corners }
    }

    /// The actions of "From geometry": stand, straight, left 30, right 30, turn left 90, turn right 90.
    fn actions() -> [Action; 6] {
        [
            action(Kind::Stand, [0.0, 0.0], 0.0),
            action(Kind::Walk, [1.0, 0.0], 0.0),
            action(Kind::Walk, [0.866025, 0.5], 30.0),
            action(Kind::Walk, [0.866025, -0.5], -30.0),
            action(Kind::Turn, [0.0, 0.0], 90.0),
            action(Kind::Turn, [0.0, 0.0], -90.0),
        ]
    }

    fn state(goal: [f64; 2]) -> State {
        State { at: DVec2::ZERO, heading: 0.0, previous: Some(DVec2::new(-1.0, 0.0)), goal: Some(DVec2::from(goal)) }
    }

    #[track_caller]
    fn check(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{found}, expected {expected}");
        }
    }

    #[test]
    fn opinions_from_geometry_are_those_of_the_worked_page() {
        let (actions, me) = (actions(), state([3.0, 2.0]));
        let turning = dont_turn(0.05, &me, &actions);
        check(&turning.weights, &[0.5, 0.5, 0.182426, 0.182426, 0.010987, 0.010987]);
        let target = target_finding(ALPHA, &me, &actions).expect("there is a goal");
        check(&target.weights, &[0.047426, 0.952574, 0.952574, 0.047426, 0.047426, 0.047426]);
        let ground = image(1.0, 0.0, &me, &actions, |at| if at.y < -0.45 { 128.0 / 255.0 } else { 1.0 });
        check(&ground.weights, &[1.0, 1.0, 1.0, 0.501961, 1.0, 1.0]);
        let hits = collision(&actions, |action| action.end == DVec2::X);
        let Composed::Distribution(p) = compose(6, &[ground, hits, target, turning]) else { panic!("blocked") };
        check(&p, &[0.116886, 0.0, 0.856570, 0.021407, 0.002568, 0.002568]);
        for (u, expected) in [(0.05, 0), (0.1, 0), (0.2, 2), (0.97, 2), (0.99, 3)] {
            assert_eq!(draw(&p, u), Some(expected), "u = {u}");
        }
    }

    #[test]
    fn with_the_goal_ahead_and_nothing_in_the_way() {
        let (actions, me) = (actions(), state([4.0, 1.0]));
        let all = [dont_turn(0.05, &me, &actions), target_finding(ALPHA, &me, &actions).expect("there is a goal")];
        let Composed::Distribution(p) = compose(6, &all) else { panic!("blocked") };
        check(&p, &[0.027944, 0.561269, 0.204780, 0.204780, 0.000614, 0.000614]);
        assert_eq!(target_finding(ALPHA, &State { goal: None, ..me }, &actions), None);
    }

    #[test]
    fn images_are_clamped() {
        let me = state([3.0, 2.0]);
        let walk = [action(Kind::Walk, [1.0, 0.0], 0.0)];
        let look = |slope, intercept, v: f64| image(slope, intercept, &me, &walk, |_| v / 255.0).weights[0];
        check(&[0.0, 128.0, 255.0].map(|v| look(0.8, 0.2, v)), &[0.2, 0.601569, 1.0]);
        check(&[0.0, 128.0, 255.0].map(|v| look(1.5, -0.25, v)), &[0.0, 0.502941, 1.0]);
        // A thin wall half way vetoes, though the end is white.
        assert_eq!(image(1.0, 0.0, &me, &walk, |at| if (0.4..0.6).contains(&at.x) { 0.0 } else { 1.0 }).weights, [0.0]);
    }

    #[test]
    fn standing_staying_and_kinds() {
        let me = state([3.0, 2.0]);
        let moved = |x: f64| action(Kind::Walk, [x, 0.0], 0.0);
        let stands = stop(0.1, &me, &[moved(0.0), moved(0.05), moved(1.0)]);
        check(&stands.weights, &[0.952574, 0.952574, 0.047426]);
        let stays = stay(&[moved(0.5), moved(0.95), moved(2.0)], |at| at.x < 1.0);
        check(&stays.weights, &[0.952574, 0.047426, 0.047426]); // 0.95: a corner of the box is outside
        let runs = prefers(Kind::Run, &[moved(1.0), action(Kind::Run, [2.0, 0.0], 0.0)]);
        check(&runs.weights, &[0.047426, 0.952574]);
        assert_eq!(exclusive(&[moved(0.0), moved(2.0)], |at| at.x > 1.0).weights, [1.0, 0.0]);
        let looks = look_at(DVec2::new(10.0, 0.0), &me, &[moved(0.0), action(Kind::Turn, [0.0, 0.0], 180.0)]);
        check(&looks.weights, &[0.952574, 0.047426]);
    }

    #[test]
    fn way_points_are_passed_and_never_come_back() {
        let way = [[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 3.0]].map(DVec2::from);
        let mut current = 0;
        let steps = [([0.0, 0.0], 1), ([0.9, 0.0], 1), ([1.4, 0.0], 1), ([1.6, 0.0], 2), ([3.9, 0.2], 3)];
        for (at, expected) in steps {
            current = advance(&way, current, DVec2::from(at), 0.5).expect("not there yet");
            assert_eq!(current, expected, "{at:?}");
        }
        assert_eq!(advance(&way, current, DVec2::new(4.0, 2.6), 0.5), None);
    }
}
