//! How people walk and run, as laws of speed and phase.
//!
//! Walking follows Boulic, Magnenat-Thalmann and Thalmann 1990; runs, side steps and steps backwards follow measured clips.
//! Phase 0 is the touch-down of the right foot, the left one's is half a cycle later. What each channel is and where it was read
//! stands with its function.

use passerby_geometry::{Vec2, math};
use std::f32::consts::{PI, TAU};

/// Height of the hips over stature.
pub const HIPS: f32 = 0.530;

/// One way to go on two feet: everything that stays the same over a cycle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gait {
    /// m.
    pub stature: f32,
    /// In the frame of the torso, m/s.
    pub velocity: Vec2,
    /// From one touch-down of the right foot to the next, s.
    pub cycle: f32,
    /// Share of the cycle that a foot stands.
    pub duty: f32,
    /// Share of its way on the ground that a foot lands ahead of the hips.
    pub ahead: f32,
    /// How much feet roll: 1 rolls from a heel at 20 degrees to a ball at 68.
    pub roll: f32,
    /// From the middle to each ankle, m.
    pub aside: f32,
    /// How far the ankle is lifted above both ends of a swing, m.
    pub lift: f32,
    /// Whether there is a flight.
    pub running: bool,
}

/// Height of the hips, m.
fn hips(stature: f32) -> f32 {
    HIPS * stature
}

impl Gait {
    /// Walking straight on. Cycle T = 1.346 / sqrt(RV), support 0.752 T - 0.143 s, RV = v / H_t.
    ///
    /// Below RV 0.35 the law would take 2.3 s and more for a cycle of slow motion; people in a jam take short steps instead, so the
    /// cycle stays there (ours).
    pub fn walk(stature: f32, speed: f32) -> Self {
        let rv = speed / hips(stature);
        let cycle = cycle(rv.max(0.35));
        let duty = ((0.752 * cycle - 0.143) / cycle).clamp(0.5, 0.70);
        Self {
            stature,
            velocity: Vec2::new(speed, 0.0),
            cycle,
            duty,
            ahead: 0.40,
            roll: (0.55 + 0.30 * rv).min(1.15) * (rv / 0.35).min(1.0),
            aside: 0.0275 * stature,
            lift: lift(rv) * hips(stature),
            running: false,
        }
    }

    /// Running: 2.5 + 0.15 (v - 2.5) steps a second, support 0.30 s at 2.5 m/s down to 0.20 s at 5 m/s.
    pub fn run(stature: f32, speed: f32) -> Self {
        let cycle = 2.0 / (2.5 + 0.15 * (speed - 2.5));
        let support = (0.30 - 0.04 * (speed - 2.5)).clamp(0.20, 0.32);
        Self {
            stature,
            velocity: Vec2::new(speed, 0.0),
            cycle,
            duty: support / cycle,
            ahead: 0.42,
            roll: 0.75,
            aside: 0.018 * stature,
            lift: 0.22 + 0.02 * speed,
            running: true,
        }
    }

    /// Going in any direction at a walk, without turning the torso: side steps and oblique ones. Feet are 0.10 m apart at least and never cross.
    pub fn oblique(stature: f32, velocity: Vec2) -> Self {
        let straight = Self::walk(stature, velocity.length());
        let cycle = (1.9 - 1.35 * velocity.length()).clamp(1.03, 1.6).min(straight.cycle);
        let sideways = (velocity.y * cycle).abs();
        let forward = (velocity.x / velocity.length().max(1e-3)).abs();
        Self {
            velocity,
            cycle,
            duty: 0.64,
            ahead: 0.5 - 0.1 * forward,
            roll: straight.roll * (0.15 + 0.55 * forward * forward),
            aside: straight.aside.max(0.05 + 0.25 * sideways),
            lift: straight.lift * 0.7,
            ..straight
        }
    }

    /// Relative velocity RV = v / H_t, 1/s.
    pub fn rv(&self) -> f32 {
        self.velocity.length() / hips(self.stature)
    }

    /// How far feet point outwards, rad: 8.5 - 1.4 RV degrees.
    pub fn open(&self) -> f32 {
        (8.5 - 1.4 * self.rv()).max(2.0).to_radians()
    }

    /// How much of the velocity is forward, from -1 to 1.
    fn forward(&self) -> f32 {
        self.velocity.x / self.velocity.length().max(1e-3)
    }
}

/// Boulic et al.: T = 1.346 / sqrt(RV), s.
pub fn cycle(rv: f32) -> f32 {
    1.346 / rv.sqrt()
}

/// Height of the swing over that of the hips.
fn lift(rv: f32) -> f32 {
    (0.08 + 0.03 * rv).min(0.14) * (rv / 0.35).clamp(0.5, 1.0)
}

/// Where the pelvis is at a phase, against standing upright.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pelvis {
    /// m.
    pub forward: f32,
    /// m.
    pub left: f32,
    /// m.
    pub up: f32,
    /// Right side forward, rad.
    pub yaw: f32,
    /// Left side up, rad.
    pub list: f32,
}

/// Laws of the pelvis; in a run it is lowest at mid-stance.
pub fn pelvis(gait: &Gait, t: f32) -> Pelvis {
    let (rv, tall) = (gait.rv(), hips(gait.stature));
    let wave = |t: f32| math::sin(TAU * t);
    if gait.running {
        return Pelvis {
            forward: 0.02 * wave(2.0 * (t - 0.3)),
            left: -0.010 * wave(t - 0.1),
            up: -0.05 * math::cos(2.0 * TAU * (t - gait.duty / 2.0)),
            yaw: 7f32.to_radians() * math::cos(TAU * t),
            list: 0.5 * list(rv, t),
        };
    }
    let slow = |full: f32, factor: f32| if rv < 0.5 { factor * (rv - rv * rv) } else { full };
    Pelvis {
        forward: slow(0.021, 0.084) * tall * wave(2.0 * (t - 0.05)) * gait.forward(),
        left: -slow(0.032 * (1.25 / rv).min(1.0), 0.128) * tall * wave(t - 0.1),
        up: (0.015 * rv).min(0.03) * tall * wave(2.0 * t - 0.35),
        yaw: (4.0 * rv).to_radians() * math::cos(TAU * t) * gait.forward(),
        list: list(rv, t),
    }
}

/// Pelvis list, rad, left side lower negative: -a + a cos(2 pi t / 0.3) to 0.15, -a - a cos(2 pi (t - 0.15) / 0.7) to 0.5, negated half a
/// cycle later; a = 1.66 RV degrees.
fn list(rv: f32, t: f32) -> f32 {
    let a = (1.66 * rv.min(2.2)).to_radians();
    let t = t.rem_euclid(1.0);
    let (t, sign) = if t < 0.5 { (t, 1.0) } else { (t - 0.5, -1.0) };
    let half = if t < 0.15 { -a + a * math::cos(TAU * t / 0.3) } else { -a - a * math::cos(TAU * (t - 0.15) / 0.7) };
    sign * half
}

/// How far the trunk leans forward, rad: 2 - 2 sin(2 pi (2 t - 0.1)) degrees, less below RV 0.5; a runner leans by 5 to 10.
pub fn lean(gait: &Gait, t: f32) -> f32 {
    let rv = gait.rv();
    if gait.running {
        return (7.0 - 2.0 * math::sin(TAU * 2.0 * (t - 0.1))).to_radians();
    }
    let degrees = if rv < 0.5 { 8.0 * (rv - rv * rv).max(0.0) } else { 2.0 };
    (degrees * (1.0 - math::sin(TAU * (2.0 * t - 0.1)))).to_radians()
}

/// Thorax yaw, rad, right side forward: about -1.4 RV cos(2 pi t) degrees.
pub fn thorax(gait: &Gait, t: f32) -> f32 {
    let degrees = if gait.running { 9.0 } else { 1.4 * gait.rv() };
    -degrees.to_radians() * math::cos(TAU * t) * gait.forward()
}

/// Right upper arm forward, rad: 3 - 4.94 RV - 9.88 RV cos(2 pi t) degrees; the left one's is half a cycle later. Who steps aside hardly swings.
pub fn upper_arm(gait: &Gait, t: f32) -> f32 {
    if gait.running {
        return (-14.0 - 20.0 * math::cos(TAU * t)).to_radians();
    }
    let (rv, swing) = (gait.rv().min(2.2), 0.15 + 0.85 * gait.forward().max(0.0));
    (3.0 - 4.94 * rv * swing - 9.88 * rv * swing * math::cos(TAU * t)).to_radians()
}

/// How far the right elbow is bent, rad: three keys by phase, smooth between them.
pub fn elbow(gait: &Gait, t: f32) -> f32 {
    if gait.running {
        return (98.0 - 18.0 * math::cos(TAU * (t - 0.5))).to_radians();
    }
    let rv = gait.rv();
    let keys = if rv < 0.5 {
        [3.0 + 6.0 * rv, 3.0 + 34.0 * rv, 3.0 + 10.0 * rv]
    } else if rv < 1.3 {
        let q = (rv - 0.5) / 0.8;
        [6.0 + 8.0 * q, 20.0 + 24.0 * q, 8.0 + 9.0 * q]
    } else {
        let q = ((rv - 1.3) / 1.7).min(1.0);
        [14.0 - 6.0 * q, 44.0 + 26.0 * q, 17.0 - 6.0 * q]
    };
    let t = (t - 0.05).rem_euclid(1.0);
    let ease = |from: f32, to: f32, share: f32| from + (to - from) * (1.0 - math::cos(PI * share)) / 2.0;
    let degrees = if t < 0.45 {
        ease(keys[0], keys[1], t / 0.45)
    } else if t < 0.85 {
        ease(keys[1], keys[2], (t - 0.45) / 0.40)
    } else {
        ease(keys[2], keys[0], (t - 0.85) / 0.15)
    };
    degrees.to_radians() * (0.4 + 0.6 * gait.forward().abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(value: f32, expected: f32, by: f32) {
        assert!((value - expected).abs() <= by, "{value}, expected {expected}");
    }

    /// The table of worked values for somebody 1.75 m tall.
    #[test]
    fn walks_follow_the_worked_table() {
        for (speed, rv, cycle, duty) in [
            (0.7, 0.754717, 1.549365, 0.659704),
            (1.0, 1.078167, 1.29629, 0.641685),
            (1.33, 1.433962, 1.124026, 0.624779),
            (1.8, 1.940701, 0.966197, 0.603997),
        ] {
            let gait = Gait::walk(1.75, speed);
            (near(gait.rv(), rv, 1e-5), near(gait.cycle, cycle, 1e-5), near(gait.duty, duty, 1e-5));
        }
        near(Gait::walk(1.75, 1.33).roll, 0.980189, 1e-5);
    }

    /// At RV 1 (0.9275 m/s): the left side drops by 3.32 degrees at 0.15; the pelvis is yawed by 4 degrees at touch-down.
    #[test]
    fn the_pelvis_lists_and_turns_as_the_law_says() {
        let gait = Gait::walk(1.75, 0.9275);
        near(pelvis(&gait, 0.15).list.to_degrees(), -3.32, 1e-3);
        near(pelvis(&gait, 0.65).list.to_degrees(), 3.32, 1e-3);
        near(pelvis(&gait, 0.0).list, 0.0, 1e-6);
        near(pelvis(&gait, 0.0).yaw.to_degrees(), 4.0, 1e-4);
        // 0.032 H_t to the right at 0.35, that is 29.7 mm; 0.015 H_t up at 0.3.
        near(pelvis(&gait, 0.35).left, -0.02968, 1e-4);
        near(pelvis(&gait, 0.3).up, 0.0139125, 1e-5);
    }

    /// RV 1: 3 - 4.94 - 9.88 degrees at touch-down of the same side, 7.94 half a cycle later; elbow 11 at 0.05 and 35 at 0.5.
    #[test]
    fn arms_swing_against_the_legs() {
        let gait = Gait::walk(1.75, 0.9275);
        near(upper_arm(&gait, 0.0).to_degrees(), -11.82, 1e-3);
        near(upper_arm(&gait, 0.5).to_degrees(), 7.94, 1e-3);
        near(elbow(&gait, 0.05).to_degrees(), 11.0, 1e-3);
        near(elbow(&gait, 0.5).to_degrees(), 35.0, 1e-3);
    }

    /// 2.5 m/s: 2.5 steps a second, a foot stands for 0.30 s of 0.8, duty 0.375; both feet are off the ground for the rest.
    #[test]
    fn a_run_has_a_flight() {
        let gait = Gait::run(1.75, 2.5);
        (near(gait.cycle, 0.8, 1e-6), near(gait.duty, 0.375, 1e-6));
    }
}
