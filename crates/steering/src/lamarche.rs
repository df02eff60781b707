//! Reactive navigation: Lamarche, Donikian, *Crowd of virtual humans*, 2004, section 4.2.
//!
//! A pipe that filters a velocity. The desired velocity is bent away from those who come too near (personal space), then replaced by
//! the best one that avoids the collisions it leads to (local optimisation), then slowed down before what cannot be avoided any more
//! (security).
//!
//! How a collision is met depends on its kind: whom one runs into from behind, meets, or finds standing. The
//! [`Reactions`] say which changes come into question and how they are rated: Figure 11 of the paper gives two tables, the
//! driving rule (pass oncoming people on the right, others on the left) and minimal adjustment (whatever changes least).
//!
//! Read differently from the paper, all of it settled in the project's notes on papers: the repulsion points away and has unit
//! directions; the quadratic of the collision has its factor 2 and sign; a solution is built for a circle larger by 1e-4, or
//! rounding would find the solved collision again; bodies that overlap already are left out of the optimisation, the velocity
//! loses what approaches them and gains a push. Where the paper leaves numbers open they are ours: `margin`, `reaction_time`,
//! `space_people`, `space_walls`.

use crate::Walker;
use crate::explanation::{Candidate, Witness};
use crate::parameter::Field;
use crate::reactions::{Kind, Reaction, Reactions};
use crate::sight::{Mind, Neighbour, Sight};
use passerby_geometry::sweep::disc_hits_segment;
use passerby_geometry::{Segment, Vec2};

/// Parameters of reactive navigation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lamarche {
    /// Room kept between bodies beyond contact: epsilon, m, 0 to 2, default 0.1. Ours.
    pub margin: f32,
    /// Time before a collision in which it slows down: t_react, s, 0.05 to 10, default 0.5. Ours.
    pub reaction_time: f32,
    /// How near people may come before one bends away: d_N, m between centres, 0 to 5, default 1. Ours.
    pub space_people: f32,
    /// The same for walls: d_W, m from the centre, 0 to 5, default 0.5. Ours.
    pub space_walls: f32,
    /// How a collision is met; in a scenario `preset = "driving-rule"` or `"minimal-adjustment"`, or a table for each kind.
    pub reactions: Reactions,
}

impl Default for Lamarche {
    fn default() -> Self {
        Self {
            margin: 0.1,
            reaction_time: 0.5,
            space_people: 1.0,
            space_walls: 0.5,
            reactions: Reactions::MINIMAL_ADJUSTMENT,
        }
    }
}

/// Velocities looked at before it gives up and stands.
const EXTRACTIONS: usize = 64;
/// Propositions that can wait at once: four for each velocity looked at.
const WAITING: usize = 4 * EXTRACTIONS;
/// A solution is built for a circle larger by this share, so that rounding does not find it colliding again.
const CLEAR: f32 = 1.0001;

/// Directions in which it steps aside: 60 and 90 degrees, then back at 120, right before left.
const ASIDE: [(f32, f32); 6] = [(0.5, -0.866), (0.5, 0.866), (0.0, -1.0), (0.0, 1.0), (-0.5, -0.866), (-0.5, 0.866)];
/// Share of its speed with which it steps aside.
const SLOWLY: f32 = 0.4;

impl Lamarche {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "margin", low: 0.0, high: 2.0, allowed: "0 to 2 m", slot: |p| &mut p.margin },
        Field { name: "reaction_time", low: 0.05, high: 10.0, allowed: "0.05 to 10 s", slot: |p| &mut p.reaction_time },
        Field { name: "space_people", low: 0.0, high: 5.0, allowed: "0 to 5 m", slot: |p| &mut p.space_people },
        Field { name: "space_walls", low: 0.0, high: 5.0, allowed: "0 to 5 m", slot: |p| &mut p.space_walls },
    ];

    /// It picks velocities; with longer steps walkers would go too far between two looks.
    pub fn step_max(&self) -> f32 {
        0.25
    }

    /// Personal space: the direction of the velocity bent away from who and what is too near, its norm kept.
    ///
    /// R(p, S, d) = sum over x in S with 0 < |x - p| < d of (1 - |x - p|/d) (p - x)/|x - p|.
    fn bend(&self, v: Vec2, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let repulsion = |away: Vec2, space: f32| {
            let distance = away.length();
            if distance > 0.0 && distance < space { away * ((1.0 - distance / space) / distance) } else { Vec2::ZERO }
        };
        let mut sum = Vec2::ZERO;
        for other in sight.others {
            let push = repulsion(-other.offset, self.space_people);
            if push != Vec2::ZERO {
                why.force("personal space", push, Some(other.id));
            }
            sum += push;
        }
        let mut last = None;
        for point in sight.walls.iter().map(|wall| wall.closest_point(sight.me.position)) {
            // Two walls that meet in their nearest point count once.
            if last != Some(point) {
                let push = repulsion(sight.me.position - point, self.space_walls);
                if push != Vec2::ZERO {
                    why.force("room to walls", push, None);
                }
                sum += push;
            }
            last = Some(point);
        }
        let bent = (v + sum).normalize_or_zero() * v.length();
        if sum == Vec2::ZERO || bent == Vec2::ZERO { v } else { bent }
    }

    /// The local optimisation: best first over (quality, velocity, time), as steps 1 to 3 of the paper.
    fn avoid(&self, entered: Vec2, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let mut list =
            List::new(Proposition { quality: 1.0, velocity: entered, time: f32::INFINITY, what: "no reaction" });
        for _ in 0..EXTRACTIONS {
            let Some(best) = list.take_best() else { break };
            let first = self.first_collision(best.velocity, sight);
            let (collides_in, of) = first.map_or((f32::INFINITY, None), |(time, other)| (time, Some(other.id)));
            let (what, velocity, rating) = (best.what, best.velocity, best.quality);
            why.candidate(Candidate { what, velocity, rating, collides_in, of });
            let Some((time, other)) = first.filter(|(time, _)| *time < best.time) else { return best.velocity };
            let kind = kind_of(best.velocity, other, time);
            let reactions = &self.reactions.to[kind as usize];
            if reactions.accept {
                return best.velocity;
            }
            for reaction in Reaction::ALL {
                let Some(rating) = reactions.rated[reaction as usize] else { continue };
                let reach = CLEAR * (sight.me.radius + other.radius + self.margin);
                let Some(velocity) = solve(reaction, best.velocity, other, reach, sight.me.speed_max) else { continue };
                let quality = rating.quality(velocity, entered);
                if quality > 0.0 {
                    list.add(Proposition { quality, velocity, time, what: reaction.name() });
                }
            }
        }
        self.step_aside(entered, sight, why)
    }

    /// Where nothing is left the paper stands; two who stand face to face would do so for good. Ours step aside, right first, where
    /// nobody is met within the reaction time.
    fn step_aside(&self, entered: Vec2, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        for (cosine, sine) in ASIDE {
            let velocity = (entered * cosine + entered.perp() * sine) * SLOWLY;
            let first = self.first_collision(velocity, sight);
            let (collides_in, of) = first.map_or((f32::INFINITY, None), |(time, other)| (time, Some(other.id)));
            why.candidate(Candidate { what: "aside", velocity, rating: 0.0, collides_in, of });
            if collides_in > self.reaction_time {
                return velocity;
            }
        }
        Vec2::ZERO
    }

    /// The earliest collision that a velocity leads to, leaving out those who overlap already.
    fn first_collision<'a>(&self, v: Vec2, sight: &Sight<'a>) -> Option<(f32, &'a Neighbour)> {
        let mut first: Option<(f32, &Neighbour)> = None;
        for other in sight.others {
            let reach = sight.me.radius + other.radius + self.margin;
            if let Meeting::At(time, _) = meeting(other.offset, v - other.velocity, reach)
                && first.is_none_or(|(least, _)| time < least)
            {
                first = Some((time, other));
            }
        }
        first
    }

    /// Those who are nearer than they should be: the velocity loses what approaches them and gains a push.
    fn part(&self, mut v: Vec2, entered: Vec2, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        for other in sight.others {
            let reach = sight.me.radius + other.radius + self.margin;
            if let Meeting::Now = meeting(other.offset, entered - other.velocity, reach) {
                let (distance, towards) = (other.offset.length(), other.offset.normalize_or_zero());
                let push = (reach - distance) / self.reaction_time;
                // Who walks ahead may be followed; nobody has to walk backwards because somebody comes.
                let approaching = (v - other.velocity).dot(towards).clamp(0.0, v.dot(towards).max(0.0));
                v -= towards * (approaching + push);
                why.force("too near", -towards * push, Some(other.id));
            }
        }
        v
    }

    /// Security: slowed down in proportion where a collision is nearer than the reaction time, predicted with the present velocity
    /// and bare bodies. Who comes from behind, and who moves away, slows nobody down; nor does somebody from whom the velocity leads
    /// away.
    fn secure(&self, v: Vec2, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let Walker { velocity, radius, position, .. } = *sight.me;
        let mut first = self.reaction_time;
        for other in sight.others.iter().filter(|other| (v - other.velocity).dot(other.offset) > 0.0) {
            match meeting(other.offset, velocity - other.velocity, radius + other.radius) {
                Meeting::At(time, _) if kind_of(velocity, other, time) != Kind::Rear => first = first.min(time),
                Meeting::Now if other.offset.dot(velocity) > 0.0 => first = 0.0,
                _ => {}
            }
        }
        let motion = velocity * self.reaction_time;
        let hit = |wall: &Segment| disc_hits_segment(position, motion, radius, wall);
        for share in sight.walls.iter().filter_map(hit) {
            first = first.min(share * self.reaction_time);
        }
        if first < self.reaction_time {
            why.force("security", v * (first / self.reaction_time - 1.0), None);
        }
        v * (first / self.reaction_time)
    }
}

impl Mind for Lamarche {
    fn reach(&self, me: &Walker) -> f32 {
        self.space_walls.max(me.radius + me.speed_max * self.reaction_time)
    }

    fn velocity(&self, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let bent = self.bend(sight.me.desired, sight, why);
        let avoiding = self.avoid(bent, sight, why);
        let parted = self.part(avoiding, bent, sight, why);
        self.secure(parted, sight, why).clamp_length_max(sight.me.speed_max)
    }
}

/// A velocity with what it is worth.
#[derive(Debug, Clone, Copy)]
struct Proposition {
    quality: f32,
    velocity: Vec2,
    /// The collision it answers is so many seconds away.
    time: f32,
    what: &'static str,
}

/// Propositions that wait, the best one first to leave; of equal ones the first that came.
struct List {
    waiting: [Proposition; WAITING],
    len: usize,
}

impl List {
    fn new(first: Proposition) -> Self {
        Self { waiting: [first; WAITING], len: 1 }
    }

    fn add(&mut self, new: Proposition) {
        if self.len < WAITING {
            self.waiting[self.len] = new;
            self.len += 1;
        }
    }

    fn take_best(&mut self) -> Option<Proposition> {
        let worth = |p: &Proposition| p.quality * p.time;
        let mut best = None;
        for (i, proposition) in self.waiting[..self.len].iter().enumerate() {
            if best.is_none_or(|(_, most)| worth(proposition) > most) {
                best = Some((i, worth(proposition)));
            }
        }
        let (i, _) = best?;
        let taken = self.waiting[i];
        // The others keep their order.
        self.waiting.copy_within(i + 1..self.len, i);
        self.len -= 1;
        Some(taken)
    }
}

/// When two meet who go on as they do.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meeting {
    Never,
    /// They are nearer than they should be and come nearer still.
    Now,
    /// From so many seconds on, until so many: both roots.
    At(f32, f32),
}

/// Solves |P_r + S_r t| = reach; `offset` is from the walker to the other, `v` the walker's velocity relative to it.
fn meeting(offset: Vec2, v: Vec2, reach: f32) -> Meeting {
    let (speed2, closing) = (v.length_squared(), offset.dot(v));
    if speed2 <= 1e-12 {
        return Meeting::Never;
    }
    if offset.length_squared() < reach * reach {
        return if closing > 0.0 { Meeting::Now } else { Meeting::Never };
    }
    let aside = offset.perp_dot(v);
    let depth = reach * reach * speed2 - aside * aside;
    // One root, up to rounding, is a touch and no collision.
    if depth <= 1e-6 * reach * reach * speed2 || closing <= 0.0 {
        return Meeting::Never;
    }
    let half = depth.sqrt();
    Meeting::At(((closing - half) / speed2).max(0.0), (closing + half) / speed2)
}

/// The kind of a collision in `time` seconds.
fn kind_of(v: Vec2, other: &Neighbour, time: f32) -> Kind {
    if other.velocity.length_squared() <= 1e-8 {
        return Kind::Static;
    }
    let between = other.offset + (other.velocity - v) * time;
    if between.dot(v) < 0.0 {
        Kind::Rear
    } else if v.dot(other.velocity) < 0.0 {
        Kind::Front
    } else {
        Kind::Back
    }
}

/// The velocity with which a reaction avoids somebody, system (1): its part relative to them is along a tangent to the circle round
/// them, ahead.
fn solve(reaction: Reaction, v: Vec2, other: &Neighbour, reach: f32, speed_max: f32) -> Option<Vec2> {
    let distance = other.offset.length();
    let sine = reach / distance;
    if sine >= 1.0 {
        return None;
    }
    let (towards, cosine) = (other.offset / distance, (1.0 - sine * sine).sqrt());
    let tangent = |side: f32| towards * cosine + towards.perp() * (side * sine);
    match reaction {
        Reaction::Left => turned(v, other.velocity, tangent(1.0)),
        Reaction::Right => turned(v, other.velocity, tangent(-1.0)),
        Reaction::Decelerate => {
            let (slower, speed) = (other.velocity, v.length());
            // Straight behind somebody who is slower: follow them.
            if v.perp_dot(slower).abs() <= 1e-4 * speed * slower.length() && v.dot(slower) > 0.0 {
                return (slower.length() < speed).then_some(slower);
            }
            let best = [1.0, -1.0].into_iter().filter_map(|side| scale_to(v, slower, tangent(side)));
            best.filter(|beta| (0.0..1.0).contains(beta)).reduce(f32::max).map(|beta| v * beta)
        }
        Reaction::Accelerate => {
            let best = [1.0, -1.0].into_iter().filter_map(|side| scale_to(v, other.velocity, tangent(side)));
            let possible = |beta: &f32| *beta > 1.0 && beta * v.length() <= speed_max;
            best.filter(possible).reduce(f32::min).map(|beta| v * beta)
        }
    }
}

/// The velocity of the norm of `v` that is `other` plus some of the tangent; of two the one nearer to `v`.
fn turned(v: Vec2, other: Vec2, tangent: Vec2) -> Option<Vec2> {
    let along = other.dot(tangent);
    let room = along * along - other.length_squared() + v.length_squared();
    if room < 0.0 {
        return None;
    }
    let [near, far] =
        [-along + room.sqrt(), -along - room.sqrt()].map(|alpha| (alpha > 0.0).then(|| other + tangent * alpha));
    match (near, far) {
        (Some(a), Some(b)) => Some(if b.distance_squared(v) < a.distance_squared(v) { b } else { a }),
        (one, two) => one.or(two),
    }
}

/// The factor of `v` at which its part relative to `other` is along the tangent, ahead.
fn scale_to(v: Vec2, other: Vec2, tangent: Vec2) -> Option<f32> {
    let across = v.perp_dot(tangent);
    if across.abs() <= 1e-6 * v.length() {
        return None;
    }
    let beta = other.perp_dot(tangent) / across;
    ((v * beta - other).dot(tangent) > 0.0).then_some(beta)
}

#[cfg(test)]
#[path = "lamarche_test.rs"]
mod tests;
