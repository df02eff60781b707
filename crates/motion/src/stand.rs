//! Standing and shuffling: feet stay where they are until one of them is too far from where it belongs, and then takes a step.

use crate::footing::Point;
use crate::library::Library;
use crate::mediator::{FADE, GIVE_STANDING, SHUFFLE, STOP, Walked, turn_torso};
use crate::planted::{Moment, contact, hold, stay};
use crate::posture::Posture;
use crate::state::{Body, Foot, smooth};
use passerby_geometry::{Vec2, math};

/// Where a shuffling foot lands: so far ahead of where it belongs, s of the velocity, and at most m.
const LEAD: f32 = 0.25;
const LEAD_MAX: f32 = 0.10;
/// How fast a figure turns on the spot, rad/s: the peak measured.
const TURN_STANDING: f32 = 1.7;
/// Cross-fade between postures, s: an arm that talks comes down without haste.
const FADE_POSTURE: f32 = 0.6;
/// How long a step of who stands takes, s.
const SETTLE: f32 = 0.45;
/// A foot this far from where it belongs, m or rad, is set there by a step.
const SETTLE_SHIFT: f32 = 0.09;
/// See [`SETTLE_SHIFT`].
pub(crate) const SETTLE_YAW: f32 = 0.55;

/// From walking to standing: feet stay where they are; one in the air comes down where it belongs.
pub(crate) fn halt(library: &Library, scale: f32, body: &mut Body) {
    let (idle, labels) = (library.idle(), body.labels(library));
    for (foot, state) in body.feet.iter_mut().enumerate() {
        if labels.stands(foot, body.phase).is_some() {
            stay(library, scale, body.heading, state, foot, (body.phase, body.phase), idle);
        } else {
            (state.before, state.clip, state.fade, state.step) = (state.clip, idle, 0.0, 0.4);
        }
    }
    (body.before, body.clip, body.fade) = (body.clip, idle, 0.0);
}

/// What somebody wants who stays, or shuffles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Staying {
    /// m/s.
    pub velocity: Vec2,
    /// Where they want to face, rad.
    pub facing: Option<f32>,
    /// What they do.
    pub posture: Posture,
}

/// Plays on to a phase, or begins what leads to a posture. Clips that go on are faded into each other; those of a seat follow each other
/// where they end alike.
fn pose(library: &Library, body: &mut Body, phase: f32, posture: Posture) {
    let looped = library.clip(body.clip).looped;
    body.phase = if looped { phase.rem_euclid(1.0) } else { phase.min(1.0) };
    let firm = body.feet.iter().all(|foot| foot.step == 0.0);
    if body.fade < 1.0 || !firm {
        return;
    }
    let Some(next) = library.postures().next(body.clip, !looped && phase >= 1.0, posture) else { return };
    if library.postures().seated(body.clip) || library.postures().seated(next) {
        (body.before, body.clip, body.phase) = (next, next, 0.0);
    } else {
        (body.before, body.clip, body.fade) = (body.clip, next, 0.0);
    }
}

/// A tick of standing or shuffling: the root goes where it should, feet stay until one is too far from where it belongs.
pub(crate) fn stand(
    library: &Library,
    scale: f32,
    body: &mut Body,
    wish: &Staying,
    dt: f32,
    walked: &mut Walked,
) -> Vec2 {
    // Nobody shuffles faster than their feet can.
    let velocity = wish.velocity.clamp_length_max(SHUFFLE);
    let seated = library.postures().seated(body.clip);
    let fade = if library.stays(body.before) { FADE_POSTURE } else { FADE };
    body.fade = (body.fade + dt / fade).min(1.0);
    // Who goes somewhere in small steps turns there by and by.
    body.torso = turn_torso(body.torso, velocity, dt);
    let ahead = if velocity.length() > STOP { body.torso } else { body.heading };
    let facing = if seated { body.heading } else { wish.facing.unwrap_or(ahead) };
    let turn = math::wrap_angle(facing - body.heading).clamp(-TURN_STANDING * dt, TURN_STANDING * dt);
    if velocity.length() <= STOP {
        let left = math::wrap_angle(body.heading + turn - body.torso);
        body.torso = math::wrap_angle(body.torso + left.clamp(-TURN_STANDING * dt, TURN_STANDING * dt));
    }
    // What is played goes on at its own pace.
    let pace = dt / library.footing(body.clip).cycle;
    let from = Moment { phase: body.phase, heading: body.heading };
    let to = Moment { phase: body.phase + pace, heading: body.heading + turn };
    let moved = velocity * dt;
    let lead = (velocity * LEAD).clamp_length_max(LEAD_MAX);
    for foot in 0..2 {
        let state = &mut body.feet[foot];
        if state.step > 0.0 {
            // In the air: what is left of the shift goes as the step does.
            let next = (state.step + dt / SETTLE).min(1.0);
            let ease = |s: f32| 1.0 - smooth(s);
            let kept = if next >= 1.0 { 0.0 } else { ease(next) / ease(state.step) };
            (state.shift, state.yaw, state.step) = (lead + (state.shift - lead) * kept, state.yaw * kept, next);
            state.fade = (state.fade + dt / FADE).min(1.0);
            if next >= 1.0 {
                (state.step, state.fade) = (0.0, 1.0);
                state.land();
                walked.landed = true;
            }
        } else {
            let at = |moment: &Moment| contact(library, state, foot, Point::Ball, scale, moment);
            state.shift -= moved + at(&to) - at(&from);
            state.yaw = math::wrap_angle(state.yaw - turn);
            hold(library, state, (foot, Point::Ball), scale, &to, GIVE_STANDING, walked);
        }
    }
    body.heading = math::wrap_angle(to.heading);
    pose(library, body, to.phase, if turn.abs() < 1e-3 { wish.posture } else { Posture::Stand });
    if body.fade >= 1.0 && body.feet.iter().all(|foot| foot.step == 0.0) {
        let off = |foot: &Foot| foot.shift.length() / (SETTLE_SHIFT * scale) + foot.yaw.abs() / SETTLE_YAW;
        let (left, right) = (off(&body.feet[0]), off(&body.feet[1]));
        let worse = usize::from(right > left);
        if left.max(right) > 1.0 {
            walked.lifted[worse] = body.feet[worse].slide();
            body.feet[worse].step = 1e-3;
        }
    }
    moved
}
