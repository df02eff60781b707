//! Where feet are in a cycle: put down, not driven by joint angles, so that they do not slide.
//!
//! A foot that stands is still in the world, so in the travel frame it goes back at the gait's velocity. It rolls on its heel
//! while the toes are up, lies flat, and rolls on its ball while the heel is up. The recipe is that of section 4 of our worked numbers.

use crate::gait::Gait;
use crate::walker;
use passerby_geometry::{Vec2, Vec3, math};

/// Phase after touch-down at which the ball is down.
pub const BALL_DOWN: f32 = 0.08;
/// Phase before lift-off at which the heel comes up.
pub const HEEL_UP: f32 = 0.22;

/// A foot at a phase of its own, 0 being its touch-down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foot {
    /// Of the ankle, from the travel frame, m.
    pub ankle: Vec3,
    /// Toes up, rad.
    pub pitch: f32,
}

/// Places of one foot of a gait over the cycle.
#[derive(Debug, Clone, Copy)]
pub struct Stepping {
    gait: Gait,
    /// 1 for the left foot, -1 for the right one.
    side: f32,
    /// How long the roll from heel to sole and from sole to ball takes, as phases.
    down: f32,
    up: f32,
    /// Where and how fast (in phases) the ankle leaves the ground, and where it comes down.
    off: Vec2,
    off_rate: Vec2,
    on: Vec2,
}

impl Stepping {
    /// Of the left foot (1) or the right one (-1).
    pub fn new(gait: &Gait, side: f32) -> Self {
        let scale = if gait.running { gait.duty / 0.62 } else { 1.0 };
        let mut stepping = Self {
            gait: *gait,
            side,
            down: BALL_DOWN * scale,
            up: HEEL_UP * scale,
            off: Vec2::ZERO,
            off_rate: Vec2::ZERO,
            on: Vec2::ZERO,
        };
        const STEP: f32 = 1e-3;
        let plane = |t: f32| stepping.stance(t).ankle.truncate();
        let off = plane(gait.duty);
        let (rate, on) = ((off - plane(gait.duty - STEP)) / STEP, plane(0.0));
        (stepping.off, stepping.off_rate, stepping.on) = (off, rate, on);
        stepping
    }

    /// From touch-down to lift-off the ball stands from here to there, and the heel.
    pub fn ball(&self) -> (f32, f32) {
        (self.down, self.gait.duty)
    }

    /// See [`Stepping::ball`].
    pub fn heel(&self) -> (f32, f32) {
        (0.0, self.gait.duty - self.up)
    }

    /// The foot at a phase of its own.
    pub fn at(&self, t: f32) -> Foot {
        let t = t.rem_euclid(1.0);
        if t <= self.gait.duty { self.stance(t) } else { self.swing(t) }
    }

    /// Toes up, rad: smoothstep between the keys (0, 20 k) (0.08, 0) (d - 0.22, 0) (d + 0.06, -68 k) (0.88, 0) (0.97, 20 k) (1, 20 k).
    fn pitch(&self, t: f32) -> f32 {
        let (d, k) = (self.gait.duty, self.gait.roll);
        let high = if self.gait.running { 8.0 } else { 20.0 } * k;
        let keys = [
            (0.0, high),
            (self.down, 0.0),
            (d - self.up, 0.0),
            (d + 0.06, -68.0 * k),
            (0.88, 0.0),
            (0.97, high),
            (1.0, high),
        ];
        let next = keys.iter().position(|key| t < key.0).unwrap_or(keys.len() - 1).max(1);
        let (from, to) = (keys[next - 1], keys[next]);
        let share = ((t - from.0) / (to.0 - from.0)).clamp(0.0, 1.0);
        (from.1 + (to.1 - from.1) * share * share * (3.0 - 2.0 * share)).to_radians()
    }

    /// On the ground: the flat foot would be at 0.40 v T d - v T t; pitched it rolls on its heel or ball, which stays.
    fn stance(&self, t: f32) -> Foot {
        let Gait { stature, velocity, cycle, duty, ahead, aside, .. } = self.gait;
        let stride = velocity * cycle;
        let flat = stride * (ahead * duty - t) + Vec2::new(0.0, self.side * aside);
        let pitch = self.pitch(t);
        let height = walker::ANKLE * stature;
        let point = if pitch > 0.0 { -walker::HEEL_BEHIND * stature } else { walker::BALL_AHEAD * stature };
        let (sin, cos) = math::sin_cos(pitch);
        let (x, z) = (-point * cos - height * sin, -point * sin + height * cos);
        // The foot points outwards, and rolls where it points.
        let (out, ahead) = math::sin_cos(self.gait.open() * self.side);
        let plane = flat + Vec2::new(ahead, out) * (point + x);
        Foot { ankle: plane.extend(z), pitch }
    }

    /// In the air: cubic from where and as fast as it left the ground to where it comes down, at rest in the travel frame.
    fn swing(&self, t: f32) -> Foot {
        let d = self.gait.duty;
        let (length, u) = (1.0 - d, (t - d) / (1.0 - d));
        let (u2, u3) = (u * u, u * u * u);
        let plane = self.off * (2.0 * u3 - 3.0 * u2 + 1.0)
            + self.off_rate * length * (u3 - 2.0 * u2 + u)
            + self.on * (3.0 * u2 - 2.0 * u3);
        let (from, to) = (self.stance(d).ankle.z, self.stance(0.0).ankle.z);
        let even = from + (to - from) * u2 * (3.0 - 2.0 * u);
        let height = even + self.gait.lift * 6.75 * u * (1.0 - u) * (1.0 - u);
        Foot {
            ankle: plane.extend(height.max(walker::ANKLE * self.gait.stature + 0.01 * (4.0 * u * (1.0 - u)).min(1.0))),
            pitch: self.pitch(t),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Worked values at 1.33 m/s for somebody 1.75 m tall: ankle x, z and pitch in degrees by phase.
    #[test]
    fn the_ankle_goes_where_the_worked_values_say() {
        let stepping = Stepping::new(&Gait::walk(1.75, 1.33), -1.0);
        for (t, x, z, pitch) in [
            (0.0, 0.3469, 0.0866, 19.604),
            (0.1, 0.2241, 0.0683, 0.0),
            (0.3, -0.0749, 0.0683, 0.0),
            (0.5, -0.3467, 0.1042, -17.883),
            (0.6, -0.4205, 0.1426, -52.022),
            (0.7, -0.4010, 0.2372, -65.500),
            (0.8, -0.1300, 0.2206, -24.405),
            (0.9, 0.1915, 0.1369, 2.474),
        ] {
            let foot = stepping.at(t);
            let found = [foot.ankle.x, foot.ankle.z, foot.pitch.to_degrees()];
            assert!((found[0] - x).abs() < 1e-3 && (found[1] - z).abs() < 1e-3, "{t}: {found:?}, expected {x} {z}");
            assert!((found[2] - pitch).abs() < 2e-2, "{t}: {found:?}, expected {pitch}");
        }
    }

    /// The ball of a foot that stands goes back at the walking speed, so in the world it is still.
    #[test]
    fn a_foot_that_stands_is_still_in_the_world() {
        for gait in
            [Gait::walk(1.75, 1.2), Gait::walk(1.6, 0.1), Gait::run(1.8, 3.0), Gait::oblique(1.7, Vec2::new(0.0, 0.5))]
        {
            let stepping = Stepping::new(&gait, 1.0);
            let ball = |t: f32| {
                let (foot, (sin, cos)) = (stepping.at(t), math::sin_cos(stepping.at(t).pitch));
                let (x, z) = (walker::BALL_AHEAD * gait.stature, -walker::ANKLE * gait.stature);
                let (out, ahead) = math::sin_cos(gait.open());
                let reach = x * cos - z * sin;
                let turned = Vec3::new(reach * ahead, reach * out, x * sin + z * cos);
                foot.ankle + turned + (gait.velocity * gait.cycle * t).extend(0.0)
            };
            let (from, to) = stepping.ball();
            let first = ball(from);
            for i in 0..=20 {
                let t = from + (to - from) * i as f32 / 20.0;
                assert!(ball(t).distance(first) < 1e-4, "{gait:?} at {t}: {} from {first}", ball(t));
            }
        }
    }
}
