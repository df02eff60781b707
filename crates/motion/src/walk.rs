//! Walking: cycles of clips, and a root that goes where the foot that carries puts it.

use crate::footing::{Footing, Point};
use crate::library::{ClipId, Library};
use crate::mediator::{FADE, GIVE, Walked, direction, turn_torso};
use crate::planted::{Moment, contact, hold, stay};
use crate::stand::SETTLE_YAW;
use crate::state::{Body, Foot};
use passerby_geometry::{Vec2, math};

/// How fast a figure turns while walking, rad/s: the peaks measured in walks round a corner.
const TURN: f32 = 2.9;
/// The torso lags behind a curve by no more than this, rad, unless by more than the second, and makes up for it at this rate, rad/s: the
/// filter alone would lag by 0.84 rad at 0.6 m/s and 1 rad/s, and people would step aside all the way round.
const LAG: f32 = 0.35;
const DART: f32 = 1.0;
const LEAD: f32 = 1.2;
/// A swinging foot forgets its shift with this time, s.
const FORGET: f32 = 0.07;
/// Steps are at most this much quicker than those of the clip, and no cycle takes longer than this, s.
const QUICK: f32 = 1.6;
const CYCLE_MAX: f32 = 8.0;
/// How much of what is left to turn is turned in a second.
const TURN_RATE: f32 = 20.0;
/// How fast the root goes beside what is wanted at the most: m/s, and a share of the speed.
const ASIDE_MAX: f32 = 0.74;
const ASIDE_SHARE: f32 = 0.65;

/// From standing to walking: the foot that is farther behind swings, the clip starts where feet pass.
pub(crate) fn begin(library: &Library, scale: f32, body: &mut Body, velocity: Vec2, cruise: f32) {
    body.torso = body.heading;
    let speed = velocity.length().max(cruise);
    let clip = library.choose(speed / scale, math::wrap_angle(direction(velocity) - body.torso));
    let footing = library.footing(clip);
    let behind = |foot: usize| body.feet[foot].shift.dot(velocity);
    let swing = match (body.feet[0].step > 0.0, body.feet[1].step > 0.0) {
        (true, _) => 0,
        (_, true) => 1,
        // Who goes aside begins with the foot of that side.
        _ if footing.alpha.abs() > 0.5 => usize::from(footing.alpha < 0.0),
        _ => usize::from(behind(1) < behind(0)),
    };
    let phase = footing.passing[1 - swing];
    for (foot, state) in body.feet.iter_mut().enumerate() {
        state.step = 0.0;
        if foot != swing {
            stay(library, scale, body.heading, state, foot, (body.phase, phase), clip);
        }
    }
    (body.before, body.clip, body.fade, body.phase) = (body.clip, clip, 0.0, phase);
}

/// A tick of walking: how far the root goes, m.
pub(crate) fn walk(
    library: &Library,
    scale: f32,
    body: &mut Body,
    velocity: Vec2,
    cruise: f32,
    dt: f32,
    walked: &mut Walked,
) -> Vec2 {
    let speed = velocity.length();
    body.torso = turn_torso(body.torso, velocity, dt);
    // Who is about to stop goes on where the body goes.
    let ahead = body.heading + library.footing(body.clip).alpha;
    let travel = if speed > 0.02 { direction(velocity) } else { ahead };
    body.torso = lead(body.torso, travel, dt);
    if body.fade >= 1.0 && speed > 0.02 {
        let phi = math::wrap_angle(travel - body.torso);
        // Slightly inside or outside of its sector a clip is kept: who walks at a border would change at every tick.
        let speed = speed.max(cruise) / scale;
        let clip = library.choose(speed, phi);
        let kept = |factor: f32| library.choose(speed * factor, phi * factor) == body.clip;
        if clip != body.clip && !kept(0.95) && !kept(1.05) {
            (body.before, body.clip, body.fade) = (body.clip, clip, 0.0);
        }
    }
    body.fade = (body.fade + dt / FADE).min(1.0);
    let labels = body.labels(library);
    // How far and where the carrying foot takes the root in a cycle.
    let support = labels.support(body.phase).0;
    let carrier = library.footing(support.map_or(body.clip, |(foot, _)| body.feet[foot].clip));
    let off = math::wrap_angle(travel - carrier.alpha - body.heading);
    let most = TURN * dt;
    let turn = (off * (dt * TURN_RATE * pivot(labels, carrier, support, body.phase)).min(1.0)).clamp(-most, most);
    let stride = (stride(library, labels, &body.feet, body.clip, body.phase) * scale).max(1e-3);
    let usual = 1.0 / library.footing(body.clip).cycle;
    let rate = (speed / stride).min(QUICK * usual).max(1.0 / CYCLE_MAX);
    let from = Moment { phase: body.phase, heading: body.heading };
    let to = Moment { phase: body.phase + rate * dt, heading: body.heading + turn };
    let along = math::sin_cos(to.heading + carrier.alpha);
    let flight = Vec2::new(along.1, along.0) * rate * stride * dt;
    // Who steps no slower than people do goes less far than the step would.
    let share = (speed / (rate * stride)).min(1.0);
    let carried = root(library, labels, &body.feet, scale, &from, &to, flight) * share;
    // A sharp turn about a foot that is far off would throw the root aside: what is too much is left to the foot.
    let moved = velocity * dt + (carried - velocity * dt).clamp_length_max((ASIDE_SHARE * speed).min(ASIDE_MAX) * dt);
    (body.phase, body.heading) = (to.phase.rem_euclid(1.0), math::wrap_angle(to.heading));
    for foot in 0..2 {
        let (was, is) = (labels.stands(foot, from.phase), labels.stands(foot, body.phase));
        let state = &mut body.feet[foot];
        match (was, is) {
            (Some(point), Some(_)) => {
                let at = |moment: &Moment| contact(library, state, foot, point, scale, moment);
                let slip = moved + at(&to) - at(&from);
                state.shift -= slip;
                state.yaw = math::wrap_angle(state.yaw - turn).clamp(-SETTLE_YAW, SETTLE_YAW);
                state.slid = state.slid.max((state.shift - state.landed).length());
                hold(library, state, (foot, point), scale, &to, GIVE, walked);
            }
            (None, Some(_)) => {
                // What is left of a change of clips is left to the shift.
                let phase = body.phase;
                let clip = state.clip;
                stay(library, scale, body.heading, state, foot, (phase, phase), clip);
                walked.landed = true;
            }
            (_, None) => {
                if was.is_some() {
                    walked.lifted[foot] = state.slide();
                }
                if state.fade >= 1.0 && state.clip != body.clip {
                    (state.before, state.clip, state.fade) = (state.clip, body.clip, 0.0);
                }
                state.fade = (state.fade + dt / FADE).min(1.0);
                let kept = math::exp(-dt / FORGET);
                (state.shift, state.yaw) = (state.shift * kept, state.yaw * kept);
            }
        }
    }
    moved
}

/// The torso of somebody in a curve: what it lags behind beyond the sector of walking ahead it makes up for. Who darts aside goes aside.
fn lead(torso: f32, travel: f32, dt: f32) -> f32 {
    let lag = math::wrap_angle(travel - torso);
    if lag.abs() > DART {
        return torso;
    }
    let beyond = (lag.abs() - LAG).clamp(0.0, LEAD * dt);
    math::wrap_angle(torso + beyond * lag.signum())
}

/// How easily a figure turns at a phase: not on two feet, best on one that is under or behind it. The root circles about the
/// foot that carries: about one ahead it is thrown out of the curve, about one behind it is carried into it.
fn pivot(labels: &Footing, carrier: &Footing, support: Option<(usize, Point)>, phase: f32) -> f32 {
    let Some((foot, point)) = support else { return 1.0 };
    if labels.stands(1 - foot, phase).is_some() {
        return 0.0;
    }
    let along = Vec2::new(math::cos(carrier.alpha), math::sin(carrier.alpha));
    let ahead = carrier.contact(foot, point, phase).dot(along) / (0.35 * carrier.stride).max(0.2);
    (0.7 - 1.3 * ahead).clamp(0.15, 1.6)
}

/// Root displacement d = R_t u_t - R_(t-1) u_(t-1), u from the point that carries to the root, piece by piece where another one
/// takes over; in flight the root goes on as `flight`, which is that of the whole tick.
fn root(
    library: &Library,
    labels: &Footing,
    feet: &[Foot; 2],
    scale: f32,
    from: &Moment,
    to: &Moment,
    flight: Vec2,
) -> Vec2 {
    let whole = to.phase - from.phase;
    let between = |phase: f32| {
        let share = (phase - from.phase) / whole;
        Moment { phase, heading: from.heading + (to.heading - from.heading) * share }
    };
    let (mut moved, mut start) = (Vec2::ZERO, *from);
    // A tick has few changes; the bound is against a clip whose spans are all of no length.
    for _ in 0..8 {
        let turned = start.phase >= 1.0;
        let (support, until) = labels.support(if turned { start.phase - 1.0 } else { start.phase });
        let until = if turned { until + 1.0 } else { until };
        let last = until >= to.phase || until <= start.phase;
        let end = if last { *to } else { between(until) };
        moved += match support {
            // u = -contact.
            Some((foot, point)) => {
                let by = |foot: usize, point: Point| {
                    let at = |moment: &Moment| contact(library, &feet[foot], foot, point, scale, moment);
                    at(&start) - at(&end)
                };
                let middle = (start.phase + end.phase) / 2.0;
                match labels.taking_over(foot, if middle >= 1.0 { middle - 1.0 } else { middle }) {
                    Some((other, point_other, share)) => by(foot, point).lerp(by(other, point_other), share),
                    None => by(foot, point),
                }
            }
            None => flight * ((end.phase - start.phase) / whole),
        };
        if last {
            break;
        }
        start = end;
    }
    moved
}

/// How far a cycle goes, at a phase, by the clips of the feet that carry.
fn stride(library: &Library, labels: &Footing, feet: &[Foot; 2], clip: ClipId, phase: f32) -> f32 {
    let of = |foot: usize| library.footing(feet[foot].clip).stride;
    match labels.support(phase).0 {
        None => library.footing(clip).stride,
        Some((foot, _)) => match labels.taking_over(foot, phase) {
            Some((other, _, share)) => of(foot) + (of(other) - of(foot)) * share,
            None => of(foot),
        },
    }
}
