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

use crate::footing::{Footing, Point};
use crate::leg::REACH;
use crate::library::{ClipId, Library};
use passerby_geometry::{Vec2, math};
use std::f32::consts::PI;

/// Cross-fade between clips, s.
const FADE: f32 = 0.2;
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
const STOP: f32 = 0.05;
const START: f32 = 0.09;
/// Who is slower than this, m/s, and goes elsewhere than the body heads, by these angles, rad, shuffles: small steps, any way. A cycle of
/// walking would take a second to follow.
const SHUFFLE: f32 = 0.5;
const ELSEWHERE: f32 = 0.9;
const AHEAD: f32 = 0.5;
/// Where a shuffling foot lands: so far ahead of where it belongs, s of the velocity, and at most m.
const LEAD: f32 = 0.25;
const LEAD_MAX: f32 = 0.10;
/// How fast a figure turns while walking and on the spot, rad/s: the peaks measured in walks round a corner, and on the spot.
const TURN: f32 = 2.9;
const TURN_STANDING: f32 = 1.7;
/// How long a step of who stands takes, s.
const SETTLE: f32 = 0.45;
/// A foot this far from where it belongs, m or rad, is set there by a step.
const SETTLE_SHIFT: f32 = 0.09;
const SETTLE_YAW: f32 = 0.55;
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
/// How far the pelvis gives way to feet that stand, m: while walking, and while standing with feet apart.
pub const GIVE: f32 = 0.04;
/// See [`GIVE`].
pub const GIVE_STANDING: f32 = 0.14;
/// The torso is twisted against the hips by at most this, rad.
pub const TWIST_MAX: f32 = 1.0;

/// One foot of somebody.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foot {
    /// From where its clip puts it to where it is, on the ground, in the world, m.
    pub shift: Vec2,
    /// How far it is turned against the clip, rad.
    pub yaw: f32,
    /// How much of a step on the spot is done, from 0 to 1; 0 if there is none.
    pub step: f32,
    /// The clip it goes by, and the one it went by before.
    pub clip: ClipId,
    /// See `clip`.
    pub before: ClipId,
    /// Share of the change between them that is done.
    pub fade: f32,
    /// Its shift when it landed.
    landed: Vec2,
    /// How far it has gone from there while it stood, before it was held, m.
    slid: f32,
    /// And how much of that was left after it was held, m.
    left: f32,
}

/// How somebody's body moves: all that is kept between ticks, and all a pose is made from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Where the travel frame is, m.
    pub root: Vec2,
    /// How the figure is turned, rad.
    pub heading: f32,
    /// Where the torso faces, rad.
    pub torso: f32,
    /// Of the cycle, from 0 to 1.
    pub phase: f32,
    /// Share of the cross-fade that is done; 1 if one clip plays alone.
    pub fade: f32,
    /// What is played.
    pub clip: ClipId,
    /// What was played before, while that fades.
    pub before: ClipId,
    /// Left, right.
    pub feet: [Foot; 2],
}

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

impl Foot {
    fn standing(clip: ClipId) -> Self {
        let (shift, landed) = (Vec2::ZERO, Vec2::ZERO);
        Self { shift, yaw: 0.0, step: 0.0, clip, before: clip, fade: 1.0, landed, slid: 0.0, left: 0.0 }
    }

    /// Weight of the clip it goes by, from 0 to 1.
    pub fn weight(&self) -> f32 {
        smooth(self.fade)
    }

    /// A stance begins: slides are counted from here.
    fn land(&mut self) {
        (self.landed, self.slid, self.left) = (self.shift, 0.0, 0.0);
    }

    fn slide(&self) -> Option<Slide> {
        Some(Slide { before: self.slid, after: self.left })
    }
}

fn smooth(share: f32) -> f32 {
    share * share * (3.0 - 2.0 * share)
}

impl Body {
    /// Somebody who stands somewhere.
    pub fn standing(library: &Library, root: Vec2, heading: f32) -> Self {
        let clip = library.idle();
        let feet = [Foot::standing(clip); 2];
        Self { root, heading, torso: heading, phase: 0.0, fade: 1.0, clip, before: clip, feet }
    }

    /// Weight of the clip that is played, from 0 to 1.
    pub fn weight(&self) -> f32 {
        smooth(self.fade)
    }

    /// How far the torso is twisted against the figure, psi, rad.
    pub fn twist(&self) -> f32 {
        math::wrap_angle(self.torso - self.heading).clamp(-TWIST_MAX, TWIST_MAX)
    }

    /// Whether nothing but standing goes on.
    pub fn stands(&self, library: &Library) -> bool {
        self.clip == library.idle()
    }

    /// The clip whose contacts count: the heavier one; from standing the new one at once.
    pub fn labels<'a>(&self, library: &'a Library) -> &'a Footing {
        let new = self.weight() >= 0.5 || self.before == library.idle();
        library.footing(if new { self.clip } else { self.before })
    }
}

/// As plain numbers, for checkpoints and digests.
impl Body {
    /// How many numbers there are.
    pub const NUMBERS: usize = 24;

    /// All numbers, and all clips: played and before, of the body, the left and the right foot.
    pub fn numbers(&self) -> ([f32; Self::NUMBERS], [u16; 6]) {
        let Self { root, heading, torso, phase, fade, clip, before, feet: [left, right] } = *self;
        let foot = |foot: Foot| {
            let Foot { shift, yaw, step, clip: _, before: _, fade, landed, slid, left } = foot;
            [shift.x, shift.y, yaw, step, fade, landed.x, landed.y, slid, left]
        };
        let mut numbers = [0.0; Self::NUMBERS];
        numbers[..6].copy_from_slice(&[root.x, root.y, heading, torso, phase, fade]);
        (numbers[6..15].copy_from_slice(&foot(left)), numbers[15..].copy_from_slice(&foot(right)));
        (numbers, [clip.0, before.0, left.clip.0, left.before.0, right.clip.0, right.before.0])
    }

    /// The body of these numbers.
    pub fn from_numbers(numbers: &[f32; Self::NUMBERS], clips: [u16; 6]) -> Self {
        let foot = |first: usize, clips: [u16; 2]| {
            let n = &numbers[first..first + 9];
            Foot {
                shift: Vec2::new(n[0], n[1]),
                yaw: n[2],
                step: n[3],
                clip: ClipId(clips[0]),
                before: ClipId(clips[1]),
                fade: n[4],
                landed: Vec2::new(n[5], n[6]),
                slid: n[7],
                left: n[8],
            }
        };
        Self {
            root: Vec2::new(numbers[0], numbers[1]),
            heading: numbers[2],
            torso: numbers[3],
            phase: numbers[4],
            fade: numbers[5],
            clip: ClipId(clips[0]),
            before: ClipId(clips[1]),
            feet: [foot(6, [clips[2], clips[3]]), foot(15, [clips[4], clips[5]])],
        }
    }

    /// Whether this can be somebody's body in a library: every number in its range, every clip there.
    pub fn is_of(&self, library: &Library) -> bool {
        let (numbers, clips) = self.numbers();
        let share = |value: f32| (0.0..=1.0).contains(&value);
        numbers.iter().all(|number| number.is_finite() && number.abs() < 1e7)
            && clips.iter().all(|clip| usize::from(*clip) < library.clips().len())
            && share(self.phase)
            && share(self.fade)
            && self.feet.iter().all(|foot| share(foot.fade) && share(foot.step))
    }
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
    let velocity = wish.velocity + aside;
    let speed = velocity.length();
    // A fade is not broken off: what was half way between two clips would jump.
    let (stands, free) = (body.stands(library), body.fade >= 1.0);
    let slow = speed < SHUFFLE;
    if stands {
        let ahead = math::wrap_angle(direction(velocity) - body.heading).abs() < AHEAD;
        let firm = body.feet.iter().any(|foot| foot.step == 0.0);
        if free && firm && speed > START && (ahead || !slow) {
            begin(library, scale, body, velocity, wish.cruise);
        }
    } else if free {
        let travel = body.heading + library.footing(body.clip).alpha;
        let elsewhere = math::wrap_angle(direction(velocity) - travel).abs() > ELSEWHERE;
        let stops = (wish.velocity + wish.pushed).length() < STOP && speed < RETURN_LEAST;
        if stops || (slow && speed > 0.02 && elsewhere) {
            halt(library, scale, body);
        }
    }
    let moved = if body.stands(library) {
        stand(library, scale, body, velocity, wish.facing, dt, &mut walked)
    } else {
        walk(library, scale, body, velocity, wish.cruise, dt, &mut walked)
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

/// From standing to walking: the foot that is farther behind swings, the clip starts where feet pass.
fn begin(library: &Library, scale: f32, body: &mut Body, velocity: Vec2, cruise: f32) {
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

/// From walking to standing: feet stay where they are; one in the air comes down where it belongs.
fn halt(library: &Library, scale: f32, body: &mut Body) {
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

/// A foot that stands goes by another clip from now on, and stays where it is.
fn stay(library: &Library, scale: f32, heading: f32, foot: &mut Foot, side: usize, phases: (f32, f32), clip: ClipId) {
    let was = contact(library, foot, side, Point::Ball, scale, &Moment { phase: phases.0, heading });
    (foot.before, foot.clip, foot.fade) = (clip, clip, 1.0);
    let is = contact(library, foot, side, Point::Ball, scale, &Moment { phase: phases.1, heading });
    foot.shift += was - is;
    foot.land();
}

/// A tick of walking: how far the root goes, m.
fn walk(
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
                hold(library, state, foot, scale, &to, GIVE, walked);
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

/// A tick of standing or shuffling: the root goes where it should, feet stay until one is too far from where it belongs.
fn stand(
    library: &Library,
    scale: f32,
    body: &mut Body,
    velocity: Vec2,
    facing: Option<f32>,
    dt: f32,
    walked: &mut Walked,
) -> Vec2 {
    body.fade = (body.fade + dt / FADE).min(1.0);
    // Who goes somewhere in small steps turns there by and by.
    body.torso = turn_torso(body.torso, velocity, dt);
    let facing = facing.unwrap_or(if velocity.length() > STOP { body.torso } else { body.heading });
    let turn = math::wrap_angle(facing - body.heading).clamp(-TURN_STANDING * dt, TURN_STANDING * dt);
    if velocity.length() <= STOP {
        let left = math::wrap_angle(body.heading + turn - body.torso);
        body.torso = math::wrap_angle(body.torso + left.clamp(-TURN_STANDING * dt, TURN_STANDING * dt));
    }
    // Quiet standing goes on at its own pace.
    let pace = dt / library.footing(library.idle()).cycle;
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
            hold(library, state, foot, scale, &to, GIVE_STANDING, walked);
        }
    }
    (body.phase, body.heading) = (to.phase.rem_euclid(1.0), math::wrap_angle(to.heading));
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

/// When and how turned.
#[derive(Debug, Clone, Copy)]
struct Moment {
    phase: f32,
    heading: f32,
}

/// Where heel or ball of a foot is, from the root, in the world's directions, m. Phases go on beyond 1.
fn contact(library: &Library, foot: &Foot, side: usize, point: Point, scale: f32, at: &Moment) -> Vec2 {
    let phase = if at.phase >= 1.0 { at.phase - 1.0 } else { at.phase };
    let now = library.footing(foot.clip).contact(side, point, phase);
    let place = if foot.fade >= 1.0 {
        now
    } else {
        library.footing(foot.before).contact(side, point, phase).lerp(now, foot.weight())
    };
    let (sin, cos) = math::sin_cos(at.heading);
    Vec2::new(cos, sin).rotate(place) * scale
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

/// Notes how far a foot that is held is beyond the leg's reach once the pelvis has given way by `give`, m.
fn hold(library: &Library, foot: &mut Foot, side: usize, scale: f32, at: &Moment, give: f32, walked: &mut Walked) {
    let place = library.footing(foot.clip).place(side, at.phase.rem_euclid(1.0));
    let (sin, cos) = math::sin_cos(at.heading);
    let to = (place.ankle - place.hip).truncate() * scale + Vec2::new(cos, -sin).rotate(foot.shift);
    let reach = REACH * library.leg() * scale;
    let down = ((place.hip.z - place.ankle.z) * scale - give).max(0.0);
    let left = (to.length_squared() + down * down).sqrt().max(reach) - reach;
    foot.left = foot.left.max(left);
    walked.standing += 1;
    walked.skating += u32::from(left > 1e-3);
}

/// Direction of a velocity, rad.
fn direction(velocity: Vec2) -> f32 {
    math::atan2(velocity.y, velocity.x)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let wish =
                Wish { velocity: Vec2::from_angle(0.02 * tick as f32), cruise: 1.0, facing: None, pushed: Vec2::ZERO };
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
