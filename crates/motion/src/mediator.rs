//! The animation planning mediator: between a velocity that somebody wants and feet that stand where they stand.
//!
//! "Avatar Locomotion" (Animation Planning Mediator). Each tick: the torso turns towards the velocity; a clip is chosen by speed and direction
//! ([`crate::tracks`]) and played as fast as the speed asks; the figure is turned so that the clip's travel goes along the velocity; and
//! the root goes where the foot that carries puts it, d = R_t u_t - R_(t-1) u_(t-1), so that this foot does not slide. The
//! corrected root goes back to the crowd.
//!
//! Past the paper: who stands keeps both feet where they landed and steps only when one of them is too far from where it
//! belongs, so stopping, starting, turning on the spot and being pushed all end with feet under the body. A foot changes to another clip
//! only in the air: while it stands it goes on as it landed, so a change of clips moves no foot that stands; while both stand one takes over
//! from the other by and by, so that clips of other speeds do not tear at the root. What the carrying
//! foot does not explain (the second one in a turn) is held by a shift of its own, which a pose applies by bending the leg.

use crate::library::Library;
use crate::posture::Posture;
use crate::stand::{self, Staying};
pub use crate::state::{Body, Foot, TWIST_MAX};
use crate::walk;
use passerby_geometry::{Vec2, math};
use std::f32::consts::PI;

/// Cross-fade between clips, s.
pub(crate) const FADE: f32 = 0.2;
/// Inertia of the torso's direction, omega_o, m/s at 25 frames a second.
const INERTIA: f32 = 12.0;
/// How fast the root comes back to its agent, 1/s.
const RETURN: f32 = 2.0;
/// Share of the speed that coming back takes at the most, and what it may take anyway, m/s.
const RETURN_SHARE: f32 = 0.25;
const RETURN_LEAST: f32 = 0.3;
/// Farther than this from its agent the root is pulled along at once, m: two bodies then overlap by no more than 2 cm where their agents
/// do not overlap at all.
const APART_MAX: f32 = 0.009;
/// Farther than this the body is simply put there, m: somebody has been set down elsewhere.
const ELSEWHERE_MAX: f32 = 1.0;
/// Who is slower stops, who is faster starts, m/s.
pub(crate) const STOP: f32 = 0.05;
const START: f32 = 0.09;
/// Who is slower than this, m/s, and goes elsewhere than the body heads, by these angles, rad, shuffles: small steps, any way. A cycle of
/// walking would take a second to follow.
pub(crate) const SHUFFLE: f32 = 0.7;
const ELSEWHERE: f32 = 0.5;
const AHEAD: f32 = 0.5;
/// How far the pelvis gives way to feet that stand, m: while walking, and while standing with feet apart.
pub const GIVE: f32 = 0.04;
/// See [`GIVE`].
pub const GIVE_STANDING: f32 = 0.14;
/// How far a foot rolls on its ball, rad, where its leg is too short even so: the heel comes up.
pub const ROLL: f32 = 0.5;

/// What somebody wants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wish {
    /// m/s.
    pub velocity: Vec2,
    /// The speed they are about to have, m/s: who starts to walk takes steps for that, not for the first tick's speed.
    pub cruise: f32,
    /// Where who stands wants to face, rad.
    pub facing: Option<f32>,
    /// How fast others push them aside, m/s: the body goes along, and the crowd will push again.
    pub pushed: Vec2,
    /// What they do while they stay where they are. Who is to walk stands up first.
    pub posture: Posture,
}

/// How far a foot slid while it stood, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slide {
    /// As root and clip would have it.
    pub before: f32,
    /// After it was held, as far as the leg reaches.
    pub after: f32,
}

/// What came out of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Walked {
    /// What the agent is to be moved by, m.
    pub displacement: Vec2,
    /// How far the root went beside what was wanted, m.
    pub deviation: f32,
    /// Feet that were lifted, with how far they slid while they stood.
    pub lifted: [Option<Slide>; 2],
    /// Feet that stand, and those of them that are more than a millimetre from where they landed.
    pub standing: u32,
    /// See `standing`.
    pub skating: u32,
    /// Whether a foot landed.
    pub landed: bool,
}

/// The direction of the torso after a step: a share 1 - exp(-25 dt ln(1 + |v| / omega_o)) of the way from w to v's direction.
pub fn turn_torso(torso: f32, velocity: Vec2, dt: f32) -> f32 {
    let speed = velocity.length();
    if speed < 1e-3 {
        return torso;
    }
    let share = 1.0 - math::exp(-25.0 * dt * math::ln(1.0 + speed / INERTIA));
    let (sin, cos) = math::sin_cos(torso);
    let mixed = Vec2::new(cos, sin) * (1.0 - share) + velocity / speed * share;
    // Exactly opposite: turn to the left, as from any other direction the shorter way would be.
    if mixed.length_squared() < 1e-8 { math::wrap_angle(torso + share * PI) } else { math::atan2(mixed.y, mixed.x) }
}

/// Moves somebody's body on by a tick. `scale` is their stature over that of the library, `agent` where the crowd has them.
pub fn step(library: &Library, scale: f32, body: &mut Body, agent: Vec2, wish: &Wish, dt: f32) -> Walked {
    let mut walked = Walked::default();
    let back = agent - body.root;
    let most = (RETURN_SHARE * wish.velocity.length()).max(RETURN_LEAST);
    let correction = if back.length() > 1e-3 { (back * RETURN).clamp_length_max(most) } else { Vec2::ZERO };
    let aside = correction + wish.pushed;
    // Who sits or talks is to stand before they go anywhere.
    let posed = body.is_posed(library);
    let velocity = if posed { aside } else { wish.velocity + aside };
    let speed = velocity.length();
    // A fade is not broken off: what was half way between two clips would jump.
    let (stands, free) = (body.stands(library), body.fade >= 1.0);
    let slow = speed < SHUFFLE;
    if stands {
        let ahead = math::wrap_angle(direction(velocity) - body.heading).abs() < AHEAD;
        let firm = body.feet.iter().any(|foot| foot.step == 0.0);
        if free && firm && !posed && speed > START && (ahead || !slow) {
            walk::begin(library, scale, body, velocity, wish.cruise);
        }
    } else if free {
        let travel = body.heading + library.footing(body.clip).alpha;
        let elsewhere = math::wrap_angle(direction(velocity) - travel).abs() > ELSEWHERE;
        let stops = (wish.velocity + wish.pushed).length() < STOP && speed < RETURN_LEAST;
        if stops || (slow && speed > 0.02 && elsewhere) {
            stand::halt(library, scale, body);
        }
    }
    let moved = if body.stands(library) {
        let posture = if wish.velocity.length() > STOP { Posture::Stand } else { wish.posture };
        stand::stand(library, scale, body, &Staying { velocity, facing: wish.facing, posture }, dt, &mut walked)
    } else {
        walk::walk(library, scale, body, velocity, wish.cruise, dt, &mut walked)
    };
    body.root += moved;
    walked.displacement = moved - aside * dt;
    walked.deviation = (moved - velocity * dt).length();
    walked
}

/// Once the crowd has put somebody somewhere: the root stays near, feet that stand stay where they are.
pub fn pull(library: &Library, body: &mut Body, agent: Vec2) {
    let away = agent - body.root;
    if away.length() > ELSEWHERE_MAX {
        *body = Body::standing(library, agent, body.heading);
        return;
    }
    let pulled = away - away.clamp_length_max(APART_MAX);
    if pulled == Vec2::ZERO {
        return;
    }
    body.root += pulled;
    let (labels, stands) = (body.labels(library), body.stands(library));
    for (side, foot) in body.feet.iter_mut().enumerate() {
        let held = if stands { foot.step == 0.0 } else { labels.stands(side, body.phase).is_some() };
        if held {
            foot.shift -= pulled;
            foot.slid = if stands { foot.slid } else { foot.slid.max((foot.shift - foot.landed).length()) };
        }
    }
}

/// Direction of a velocity, rad.
pub(crate) fn direction(velocity: Vec2) -> f32 {
    math::atan2(velocity.y, velocity.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::{Moment, contact};

    /// w = (1, 0), v = (0, 1.2): 5.710593 degrees in a frame of 1/25 s, 2.319879 in 1/60 s.
    #[test]
    fn the_torso_follows_as_worked_out() {
        let turned = |dt: f32| turn_torso(0.0, Vec2::new(0.0, 1.2), dt).to_degrees();
        assert!((turned(1.0 / 25.0) - 5.710593).abs() < 1e-3, "{}", turned(1.0 / 25.0));
        assert!((turned(1.0 / 60.0) - 2.319879).abs() < 1e-3, "{}", turned(1.0 / 60.0));
    }

    /// u_(t-1) = (-0.2, -0.1), figure at 30 degrees; u_t = (-0.15, -0.095), figure at 32: d = (0.046340, 0.026550).
    #[test]
    fn the_root_goes_where_the_carrying_foot_puts_it() {
        let turned = |u: Vec2, degrees: f32| Vec2::from_angle(degrees.to_radians()).rotate(u);
        let d = turned(Vec2::new(-0.15, -0.095), 32.0) - turned(Vec2::new(-0.2, -0.1), 30.0);
        assert!(d.distance(Vec2::new(0.046340, 0.026550)) < 1e-5, "{d}");
        // And so does the mediator: a body in a turn, its ball where it was.
        let library = Library::built_in();
        let mut body = Body::standing(&library, Vec2::ZERO, 0.0);
        let mut agent = Vec2::ZERO;
        for tick in 0..60 {
            let wish = Wish {
                velocity: Vec2::from_angle(0.02 * tick as f32),
                cruise: 1.0,
                facing: None,
                pushed: Vec2::ZERO,
                posture: Posture::Stand,
            };
            let before = body;
            agent += step(&library, 1.0, &mut body, agent, &wish, 0.04).displacement;
            let labels = before.labels(&library);
            if let (Some((foot, point)), until) = labels.support(before.phase)
                && before.clip == body.clip
                && before.fade >= 1.0
                && until > before.phase + 0.1
                && [before.phase, body.phase].iter().all(|phase| labels.taking_over(foot, *phase).is_none())
            {
                let at = |body: &Body| {
                    let moment = Moment { phase: body.phase, heading: body.heading };
                    body.root + contact(&library, &before.feet[foot], foot, point, 1.0, &moment)
                };
                assert!(at(&body).distance(at(&before)) < 1e-4, "{tick}: {} {}", at(&before), at(&body));
            }
        }
        assert!(agent.distance(body.root) < 1e-3);
    }
}
