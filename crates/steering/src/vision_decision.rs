//! Steering by sight: Ondřej, Pettré, Olivier, Donikian, *A synthetic-vision based steering approach for crowd simulation*, 2010.
//!
//! From every pixel of a walker's view come two numbers: how fast the bearing of what is seen there turns, and how long until it is
//! nearest. A point whose bearing hardly turns while it comes nearer is one that will be run into. The walker turns just so far that no such
//! point is left (section 3.3), and slows down when one is close in time (3.4).
//!
//! Read differently from the paper, settled in the project's notes: the bearing rate is the exact derivative and not eq. (14), its mean over
//! the next second; eq. (2) compares bearing rates, in magnitude; eq. (3) and (4) run over all of P_col; eq. (6) and (7) hold for phi+ < goal rate
//! < phi-, and outside.

use crate::parameter::Field;
use crate::vision_camera::{Camera, Projection};
use crate::vision_image::Seen;
use crate::vision_threat::Threat;
use passerby_geometry::{Vec2, math};
use std::f32::consts::FRAC_PI_2;

/// Parameters of steering by sight. Defaults are the printed ones unless a line says otherwise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vision {
    /// Shifts both thresholds: a of eq. (1), rad/s, -1 to 1, default 0.
    pub bias: f32,
    /// How early a walker reacts: b of eq. (1), 0.01 to 10, default 0.6.
    pub anticipation: f32,
    /// How much more it reacts to what is near in time: c of eq. (1), 0.5 to 4, default 1.5.
    pub curvature: f32,
    /// Bearing rates are means over so long: u of eq. (14), s, 0 to 1, default 0: the rate of the moment; 1 as printed.
    pub mean_over: f32,
    /// Anything on a collision course nearer in time slows the walker: tau_2, s, 0 to 60, default 3.
    pub slow_within: f32,
    /// A goal whose rate is less has no say: of eq. (5), rad/s, 0 to 1, default 0.1.
    pub neglect: f32,
    /// Turn rate for each bearing rate of the goal, 1 to 10, default 2. Ours: with 1 a walker spirals round its goal.
    pub goal_gain: f32,
    /// A goal nearer than this is turned to by its bearing, m, 0 to 20, default 2. Ours.
    pub goal_near: f32,
    /// Sides are equally good if they differ by less than this share, 0 to 1, default 0.1. Ours.
    pub tie: f32,
    /// The walker ends its way no faster than the metres left, but no slower than this, m/s, 0.01 to 2, default 0.3. Ours.
    pub creep: f32,
    /// The fastest turn: of section 3.3, rad/s, 0.1 to 10, default pi/2.
    pub turn_rate_max: f32,
    /// How fast turns begin and end: of section 3.3, rad/s^2, 0.1 to 100, default pi/2.
    pub turn_change_max: f32,
    /// How fast speeds change: of section 3.4, m/s^2, 0.1 to 100, default 1.
    pub acceleration_max: f32,
    /// How far behind somebody a follower walks, m, 0.1 to 10, default 1.2. Ours.
    pub follow_gap: f32,
    /// The time to interaction that a follower holds: "cst" of section 6, s, 0.2 to 20, default 1.5. Ours, the paper prints none.
    pub follow_time: f32,
    /// Pixels side by side, 8 to 1024, default 256.
    pub columns: f32,
    /// Pixels one above the other, 1 to 256, default 48.
    pub rows: f32,
    /// Angle from the left edge to the right one, rad, 0.1 to 3, default 2.618: 150 degrees.
    pub view: f32,
    /// Depression of the lower edge, rad, 0.1 to 1.5, default 1.3963: 80 degrees.
    pub depression: f32,
    /// Height of the eye, m, 0.1 to 3, default 1.7; the paper prints "eye level".
    pub eye: f32,
    /// Base radius of the cone somebody is seen as, m, 0.05 to 2, default 0.5. It stands for both bodies.
    pub body_radius: f32,
    /// Height of that cone, m, 0.1 to 3, default 1.8.
    pub body_height: f32,
    /// Height of walls, m, 0.1 to 100, default 3. Ours.
    pub wall_height: f32,
    /// How often somebody looks: every so many seconds, 0.01 to 1, default 0.1.
    pub interval: f32,
    /// How far people see, m, 1 to 100, default 15. Ours: what is farther away than some ten seconds asks for next to no turn.
    pub sight: f32,
    /// How many of the nearest are looked for, 1 to 1000, default 100. Ours: in a crowd those behind are hidden anyway.
    pub people: f32,
}

impl Default for Vision {
    fn default() -> Self {
        Self {
            bias: 0.0,
            anticipation: 0.6,
            curvature: 1.5,
            mean_over: 0.0,
            slow_within: 3.0,
            neglect: 0.1,
            goal_gain: 2.0,
            goal_near: 2.0,
            tie: 0.1,
            creep: 0.3,
            turn_rate_max: FRAC_PI_2,
            turn_change_max: FRAC_PI_2,
            acceleration_max: 1.0,
            follow_gap: 1.2,
            follow_time: 1.5,
            columns: 256.0,
            rows: 48.0,
            view: 150f32.to_radians(),
            depression: 80f32.to_radians(),
            eye: 1.7,
            body_radius: 0.5,
            body_height: 1.8,
            wall_height: 3.0,
            interval: 0.1,
            sight: 15.0,
            people: 100.0,
        }
    }
}

/// Who turns more slowly, rad/s, does not turn to a side: they correct their way to the goal, and two who meet would correct it to
/// the same side of the world, into each other.
const TURNS: f32 = 0.02;

/// A field of [`Vision`] in one line.
macro_rules! field {
    ($name:ident, $low:expr, $high:expr, $allowed:expr) => {
        Field { name: stringify!($name), low: $low, high: $high, allowed: $allowed, slot: |p| &mut p.$name }
    };
}

impl Vision {
    /// Every parameter with its range.
    pub(crate) const FIELDS: &[Field<Self>] = &[
        field!(bias, -1.0, 1.0, "-1 to 1 rad/s"),
        field!(anticipation, 0.01, 10.0, "0.01 to 10"),
        field!(curvature, 0.5, 4.0, "0.5 to 4"),
        field!(mean_over, 0.0, 1.0, "0 to 1 s"),
        field!(slow_within, 0.0, 60.0, "0 to 60 s"),
        field!(neglect, 0.0, 1.0, "0 to 1 rad/s"),
        field!(goal_gain, 1.0, 10.0, "1 to 10"),
        field!(goal_near, 0.0, 20.0, "0 to 20 m"),
        field!(tie, 0.0, 1.0, "0 to 1"),
        field!(creep, 0.01, 2.0, "0.01 to 2 m/s"),
        field!(turn_rate_max, 0.1, 10.0, "0.1 to 10 rad/s"),
        field!(turn_change_max, 0.1, 100.0, "0.1 to 100 rad/s^2"),
        field!(acceleration_max, 0.1, 100.0, "0.1 to 100 m/s^2"),
        field!(follow_gap, 0.1, 10.0, "0.1 to 10 m"),
        field!(follow_time, 0.2, 20.0, "0.2 to 20 s"),
        field!(columns, 8.0, 1024.0, "8 to 1024"),
        field!(rows, 1.0, 256.0, "1 to 256"),
        field!(view, 0.1, 3.0, "0.1 to 3 rad"),
        field!(depression, 0.1, 1.5, "0.1 to 1.5 rad"),
        field!(eye, 0.1, 3.0, "0.1 to 3 m"),
        field!(body_radius, 0.05, 2.0, "0.05 to 2 m"),
        field!(body_height, 0.1, 3.0, "0.1 to 3 m"),
        field!(wall_height, 0.1, 100.0, "0.1 to 100 m"),
        field!(interval, 0.01, 1.0, "0.01 to 1 s"),
        field!(sight, 1.0, 100.0, "1 to 100 m"),
        field!(people, 1.0, 1000.0, "1 to 1000"),
    ];
}

/// The walker that decides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// m/s, in the world's frame.
    pub velocity: Vec2,
    /// Where it faces: a unit vector.
    pub heading: Vec2,
    /// How it turns at present, rad/s, left positive.
    pub turn_rate: f32,
}

/// What a walker does, or would do if nothing was in the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steer {
    /// rad/s, left positive.
    pub turn_rate: f32,
    /// m/s.
    pub speed: f32,
}

impl Vision {
    /// The eye of a walker.
    pub fn camera(&self) -> Camera {
        let (columns, rows) = (self.columns.round() as u32, self.rows.round() as u32);
        let (eye, view, bottom) = (self.eye, self.view, self.depression);
        Camera { projection: Projection::Even, columns, rows, eye, view, top: 0.0, bottom }
    }

    /// It sets velocities; in between positions have to follow walls and others.
    pub fn step_max(&self) -> f32 {
        0.25
    }

    /// What somebody does who sees this and walks to a goal at an offset.
    pub fn decide(&self, seen: &Seen<'_>, pace: &Pace, goal: Vec2, comfort: f32, dt: f32) -> Steer {
        let threat = self.threat(seen, pace.velocity);
        self.bounded(pace, self.avoid(pace, self.towards(pace, goal, comfort), threat), dt)
    }

    /// What somebody would do who is alone with a goal at an offset: the goal rate, and the speed of comfort until near it.
    ///
    /// The paper wants the bearing of the goal to turn no more, and takes its rate for a turn rate. That keeps a goal aside at a constant
    /// angle: a walker spirals. So the rate counts `goal_gain` times, and a goal that is near or behind is turned to by its bearing.
    pub fn towards(&self, pace: &Pace, goal: Vec2, comfort: f32) -> Steer {
        let (distance, ahead) = (goal.length(), pace.heading.dot(goal));
        let turn_rate = match () {
            () if distance < 1e-6 => 0.0,
            // Whoever stands sees no goal turn.
            () if ahead < 0.0 || distance < self.goal_near || pace.velocity.length_squared() < 0.01 => {
                math::atan2(pace.heading.perp_dot(goal), ahead)
            }
            () => -self.goal_gain * goal.perp_dot(pace.velocity) / (distance * distance),
        };
        Steer { turn_rate, speed: comfort.min(distance.max(self.creep)) }
    }

    /// What somebody would do who follows another one at an offset with a velocity, and walks at most so fast.
    ///
    /// Section 6: "following p is controlling velocity so that (rate -> 0, tti -> cst)". Taken for the body of the other this ends in it, so
    /// p is a spot `follow_gap` behind. Whose velocity differs from the other's by (way to the spot)/`follow_time` sees the spot under a
    /// constant bearing and always that time away: both at once, and at the spot the velocities are equal.
    pub fn follow(&self, pace: &Pace, offset: Vec2, velocity: Vec2, speed_max: f32) -> Steer {
        // Behind somebody who stands is where the follower comes from; in between, some of both.
        let forth = (velocity + 0.2 * offset.normalize_or_zero()).normalize_or(pace.heading);
        let spot = offset - self.follow_gap * forth;
        let wanted = velocity + spot / self.follow_time;
        let (ahead, aside) = (pace.heading.dot(wanted), pace.heading.perp_dot(wanted));
        // Nobody turns on the spot for a velocity that is next to none.
        let angle = if wanted.length_squared() < 0.01 { 0.0 } else { math::atan2(aside, ahead) };
        Steer { turn_rate: self.goal_gain * angle, speed: ahead.clamp(0.0, speed_max) }
    }

    /// The wish, or what is nearest to it and clears all points on a collision course: eq. (5) to (7) and (9), without bounds.
    pub fn avoid(&self, pace: &Pace, wish: Steer, threat: Option<Threat>) -> Steer {
        let Some(threat) = threat else { return wish };
        let within = threat.soonest < self.slow_within;
        let speed = if within { walking_speed(wish.speed, threat.soonest) } else { wish.speed };
        Steer { turn_rate: self.side(wish.turn_rate, pace.turn_rate, &threat), speed }
    }

    /// The turn rate of eq. (5) to (7). Equally good sides: the one already turned to, else left.
    fn side(&self, goal: f32, present: f32, threat: &Threat) -> f32 {
        if goal <= threat.right || goal >= threat.left {
            return goal;
        }
        let goal = if goal.abs() < self.neglect { 0.0 } else { goal };
        let (right, left) = ((threat.right - goal).abs(), (threat.left - goal).abs());
        let tie = (right - left).abs() < self.tie * (right + left);
        let turn_right = if tie { present < -TURNS } else { right < left };
        if turn_right { threat.right } else { threat.left }
    }

    /// What of it a body can do within `dt`: the bounds of sections 3.3 and 3.4.
    pub fn bounded(&self, pace: &Pace, wish: Steer, dt: f32) -> Steer {
        let turn_rate = wish.turn_rate.clamp(-self.turn_rate_max, self.turn_rate_max);
        let (turn, change) = (self.turn_change_max * dt, self.acceleration_max * dt);
        let speed = pace.velocity.length();
        Steer {
            turn_rate: turn_rate.clamp(pace.turn_rate - turn, pace.turn_rate + turn),
            speed: wish.speed.clamp(speed - change, speed + change).max(0.0),
        }
    }
}

/// Walking speed in m/s with something on a collision course `tti_mp` seconds away: eq. (9).
pub fn walking_speed(comfort: f32, tti_mp: f32) -> f32 {
    comfort * (1.0 - math::exp(-0.5 * tti_mp * tti_mp))
}

#[cfg(test)]
#[path = "vision_decision_test.rs"]
mod tests;
