//! Interactions as people solve them: Pettré, Ondřej, Olivier, Cretual, Donikian, *Experiment-based modeling, simulation and
//! validation of interactions between virtual walkers*, 2009.
//!
//! A walker keeps a personal area free, a kite that is longer to the front ([`tangent_pair`](self) holds one interaction: equations 5 to 11). Seen from
//! somebody else, the two tangents to it bound the interaction area, and where their relative motion leads is the interaction point. What is seen for a
//! short time is seen with errors, so the point is a rectangle that shrinks; only when all of it is inside the area does the
//! walker react, and brings the point to the tangent on its side: by turning, by its speed, or both. With several interactions the velocities
//! that solve one are cut by all others (section 4.3), and of what is left the one is taken that leads into the fewest new ones.
//!
//! Read differently from the paper, settled in the project's notes: equation (15) takes the intersection away; the interaction point uses the desired
//! velocity, so that a reaction lasts; on the decision line who comes from the right goes first; who is inside the kite, where there are no tangents, is not
//! approached. Ours: velocities that reach a wall within a second are cut away too, and changes of a neighbour's velocity are averaged over a second.

use crate::Walker;
use crate::explanation::{Candidate, Witness};
use crate::memory::{MEMORY_SLOTS, Memory};
use crate::parameter::Field;
use crate::sight::{Mind, Neighbour, Sight};
use crate::tangent_domain::{Domain, Forbidden};
use crate::tangent_pair::{Area, Errors, Interaction, Perceived, Reference, SIDE, Side, part_from};
use passerby_crowd::NEAREST_MAX;
use passerby_geometry::{Segment, Vec2, math};

/// Parameters of the Tangent model, with the paper's uncalibrated defaults.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tangent {
    /// How wrongly speeds are perceived at first: beta_v, m, 0 to 5, default 0.5.
    pub speed_error: f32,
    /// How slowly that goes: gamma_v, 0.01 to 10, default 0.25.
    pub speed_decay: f32,
    /// How wrongly directions are perceived at first: beta_theta, m, 0 to 5, default 0.5.
    pub direction_error: f32,
    /// How slowly that goes: gamma_theta, 0.01 to 10, default 0.25.
    pub direction_decay: f32,
    /// Strategy: alpha, from 0, turning alone, over 0.5, the least change, to 1, speed alone; default 0.5.
    pub strategy: f32,
    /// How near the sixth nearest neighbour is, m, where the personal area begins to shrink with it: 0 to 10, default 2; 0: it never does.
    /// Ours: as printed, a crowd that is denser than one person on two square metres finds no solution at all and stands.
    pub crowding: f32,
}

impl Default for Tangent {
    fn default() -> Self {
        Self {
            speed_error: 0.5,
            speed_decay: 0.25,
            direction_error: 0.5,
            direction_decay: 0.25,
            strategy: 0.5,
            crowding: 2.0,
        }
    }
}

/// Interactions looked at together, by time: as many as the paper allows.
const INTERACTIONS: usize = 7;
/// The least room between two middles as a share of both radii.
const BODIES: f32 = 1.05;
/// Slower walkers, m/s, keep the heading they had.
const STANDS: f32 = 0.05;
/// How fast those part who overlap, m/s.
const PARTING: f32 = 0.5;
/// Walls looked at, nearest first.
const WALLS: usize = 8;
/// How far ahead walls count, s.
const WALL_TIME: f32 = 1.0;

impl Tangent {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "speed_error", low: 0.0, high: 5.0, allowed: "0 to 5 m", slot: |p| &mut p.speed_error },
        Field { name: "speed_decay", low: 0.01, high: 10.0, allowed: "0.01 to 10", slot: |p| &mut p.speed_decay },
        Field { name: "direction_error", low: 0.0, high: 5.0, allowed: "0 to 5 m", slot: |p| &mut p.direction_error },
        Field {
            name: "direction_decay",
            low: 0.01,
            high: 10.0,
            allowed: "0.01 to 10",
            slot: |p| &mut p.direction_decay,
        },
        Field { name: "strategy", low: 0.0, high: 1.0, allowed: "0 to 1", slot: |p| &mut p.strategy },
        Field { name: "crowding", low: 0.0, high: 10.0, allowed: "0 to 10 m", slot: |p| &mut p.crowding },
    ];

    /// It sets velocities; in between positions have to follow walls and others.
    pub fn step_max(&self) -> f32 {
        0.25
    }

    fn errors(&self) -> Errors {
        Errors {
            speed: self.speed_error,
            speed_decay: self.speed_decay,
            direction: self.direction_error,
            direction_decay: self.direction_decay,
        }
    }
}

/// Everybody a walker perceives, told apart by what they mean to it.
struct Scene {
    /// Whom it has to react to, soonest first.
    met: [(Interaction, usize); INTERACTIONS],
    met_count: usize,
    /// The areas of all others who are outside the kite.
    areas: [Option<Area>; NEAREST_MAX as usize],
}

impl Mind for Tangent {
    fn reach(&self, me: &Walker) -> f32 {
        me.radius + WALL_TIME * me.speed_max
    }

    fn remember(&self, sight: &Sight<'_>, memory: &mut Memory) {
        // The nearest: if more were noted than there are slots, each would push out the next.
        for other in sight.others.iter().filter(|other| is_visible(sight, other)).take(MEMORY_SLOTS) {
            memory.see(other.id, other.velocity, sight.now);
        }
    }

    fn velocity(&self, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let me = sight.me;
        let reference = reference(self, me, sight.others);
        let scene = self.look(sight, &reference);
        let walls = forbidden_by_walls(sight);
        let solved = self.solve(sight, &scene, &walls, why);
        let mut v = solved;
        // Twice: out of the way of one may be towards another.
        for _ in 0..2 {
            for (other, area) in sight.others.iter().zip(&scene.areas) {
                if area.is_none() && is_visible(sight, other) {
                    v = part_from(v, other.offset, other.velocity);
                }
            }
        }
        if v != solved {
            why.force("too near", v - solved, None);
        }
        v += part(sight, why);
        along_walls(v, sight).clamp_length_max(me.speed_max)
    }
}

impl Tangent {
    /// Steps 1 and 2 for everybody in sight.
    fn look(&self, sight: &Sight<'_>, reference: &Reference) -> Scene {
        let nobody = Interaction {
            area: Area { at: Vec2::ZERO, left: Vec2::X, right: Vec2::X },
            velocity: Vec2::ZERO,
            time: f32::INFINITY,
            side: Side::Right,
        };
        let mut scene = Scene { met: [(nobody, 0); INTERACTIONS], met_count: 0, areas: [None; NEAREST_MAX as usize] };
        for (number, other) in sight.others.iter().enumerate() {
            scene.areas[number] = reference.area(other.offset);
            if scene.areas[number].is_none() || !is_visible(sight, other) {
                continue;
            }
            let (seen_for, acceleration) = sight.memory.of(other.id, sight.now);
            let other = Perceived { offset: other.offset, velocity: other.velocity, acceleration, seen_for };
            if let Some(met) = reference.meet(&other, &self.errors()) {
                scene.add(met, number);
            }
        }
        scene
    }

    /// Steps 3 to 5: the velocity that solves what is to be solved.
    fn solve(&self, sight: &Sight<'_>, scene: &Scene, walls: &Walls, why: &mut impl Witness) -> Vec2 {
        let me = sight.me;
        let met = &scene.met[..scene.met_count];
        let tell = |why: &mut dyn FnMut(Candidate), what, velocity, rating, (met, number): &(Interaction, usize)| {
            why(Candidate { what, velocity, rating, collides_in: met.time, of: Some(sight.others[*number].id) });
        };
        if met.is_empty() {
            let collides_in = f32::INFINITY;
            why.candidate(Candidate { what: "free way", velocity: me.desired, rating: 0.0, collides_in, of: None });
            return me.desired;
        }
        if let [(one, number)] = met {
            let v = one.solution(me.desired, self.strategy).clamp_length_max(me.speed_max);
            if !walls.forbid(v) {
                tell(&mut |candidate| why.candidate(candidate), "the one", v, 0.0, &(*one, *number));
                return v;
            }
        }
        let mut new = [None; NEAREST_MAX as usize];
        for (number, area) in scene.areas[..sight.others.len()].iter().enumerate() {
            if !met.iter().any(|(_, met)| *met == number) {
                new[number] = area.map(|area| Forbidden::by_walker(&area, sight.others[number].velocity));
            }
        }
        let mut fresh = [Forbidden::NOTHING; NEAREST_MAX as usize];
        let mut count = 0;
        for forbidden in new.into_iter().flatten() {
            (fresh[count], count) = (forbidden, count + 1);
        }
        let mut best: Option<(u32, f32, Vec2)> = None;
        for (number, (interaction, other)) in met.iter().enumerate() {
            for (side, what) in [(Side::Left, "left tangent"), (Side::Right, "right tangent")] {
                let mut domain = Domain::new(interaction, side, me.desired, me.speed_max);
                for (_, (rest, _)) in met.iter().enumerate().filter(|(rest, _)| *rest != number) {
                    domain.cut(&Forbidden::by_walker(&rest.area, rest.velocity));
                }
                walls.all[..walls.count].iter().for_each(|wall| domain.cut(wall));
                let Some(found) = domain.best(me.velocity, &fresh[..count]) else { continue };
                tell(&mut |candidate| why.candidate(candidate), what, found.2, found.0 as f32, &(*interaction, *other));
                if best.is_none_or(|best| found.0 < best.0 || (found.0 == best.0 && found.1 < best.1)) {
                    best = Some(found);
                }
            }
        }
        best.map_or(Vec2::ZERO, |(_, _, v)| v)
    }
}

impl Scene {
    /// Notes an interaction; of too many those that are latest are left out.
    fn add(&mut self, met: Interaction, number: usize) {
        let place = self.met[..self.met_count].iter().take_while(|(other, _)| other.time <= met.time).count();
        if place < INTERACTIONS {
            self.met_count = (self.met_count + 1).min(INTERACTIONS);
            self.met[place..self.met_count].rotate_right(1);
            self.met[place] = (met, number);
        }
    }
}

/// The walker as its personal area is here.
fn reference(model: &Tangent, me: &Walker, others: &[Neighbour]) -> Reference {
    let share = match others.get(5).filter(|_| model.crowding > 0.0) {
        Some(sixth) => (sixth.offset.length() / model.crowding).min(1.0),
        None => 1.0,
    };
    // Wide bodies need their width, and nobody less than that.
    let side = (SIDE * share).max(2.0 * BODIES * me.radius);
    let (sin, cos) = math::sin_cos(me.heading);
    let facing = if me.velocity.length() < STANDS { Vec2::new(cos, sin) } else { me.velocity.normalize() };
    Reference { velocity: me.velocity, desired: me.desired, facing, side }
}

/// Apart from those who overlap, over a second. Ours: the paper's people never do.
fn part(sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
    let mut sum = Vec2::ZERO;
    for other in sight.others {
        let (reach, distance) = (sight.me.radius + other.radius, other.offset.length());
        if distance < reach {
            let push = -other.offset * ((reach - distance) * other.share / distance);
            why.force("overlaps", push, Some(other.id));
            sum += push;
        }
    }
    sum.clamp_length_max(PARTING)
}

/// Whether no wall hides somebody.
fn is_visible(sight: &Sight<'_>, other: &Neighbour) -> bool {
    let at = sight.me.position;
    sight.map.clear(at, other.offset.length()) || sight.map.visible(at, at + other.offset)
}

/// The velocities that walls forbid.
struct Walls {
    all: [Forbidden; WALLS],
    count: usize,
}

impl Walls {
    fn forbid(&self, v: Vec2) -> bool {
        self.all[..self.count].iter().any(|wall| wall.holds(v))
    }
}

fn forbidden_by_walls(sight: &Sight<'_>) -> Walls {
    let mut walls = Walls { all: [Forbidden::NOTHING; WALLS], count: sight.walls.len().min(WALLS) };
    for (place, wall) in walls.all.iter_mut().zip(sight.walls) {
        *place = Forbidden::by_wall(&beside(wall, sight.me), sight.me.radius);
    }
    walls
}

fn beside(wall: &Segment, me: &Walker) -> Segment {
    Segment { a: wall.a - me.position, b: wall.b - me.position }
}

/// The velocity without what would reach a wall within a second.
fn along_walls(v: Vec2, sight: &Sight<'_>) -> Vec2 {
    sight.walls.iter().take(WALLS).fold(v, |v, wall| {
        let nearest = wall.closest_point(sight.me.position) - sight.me.position;
        let distance = nearest.length();
        let towards = nearest.normalize_or_zero();
        let room = (distance - sight.me.radius).max(0.0) / WALL_TIME;
        v - (v.dot(towards) - room).max(0.0) * towards
    })
}

#[cfg(test)]
#[path = "tangent_test.rs"]
mod tests;
