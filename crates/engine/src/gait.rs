//! The clock of feet: when they land, and how fast a walker's velocity and heading can change.
//!
//! Some models are asked when a foot lands. For discs, and for who stands, a clock tells when that is; bodies that walk have feet of their own.

use crate::people::People;
use crate::scenario::BodyKind;
use crate::world::{Kind, World};
use passerby_crowd::Agents;
use passerby_geometry::{Vec2, math};
use rayon::prelude::*;

/// How fast a velocity changes at the most, m/s2: from a walk to a stand within a third of a second.
pub(crate) const ACCELERATION: f32 = 4.0;
/// How fast people turn at the most, rad/s: the peak measured in walks round a right angle.
pub(crate) const TURN: f32 = 2.9;
/// Who is slower than this, m/s, goes in single steps, and each may lead anywhere.
const SINGLE_STEPS: f32 = 0.3;

/// Rows that one task looks at.
const CHUNK: usize = 2048;

/// Steps a second at a speed: two a cycle of 1.346 s / sqrt(RV), RV = v / 0.53 H (Boulic, Magnenat-Thalmann, Thalmann 1990), for
/// somebody 1.75 m tall; who stands shifts weight once a second.
fn step_rate(speed: f32) -> f32 {
    (1.543 * speed.sqrt()).clamp(1.0, 2.5)
}

/// Moves everybody's feet on by a tick. Where one lands, models that wait for it are asked in this tick.
pub(crate) fn walk_on(world: &World, people: &mut People, tick: u32) {
    if !world.kinds.iter().any(|kind| kind.population.model.decides_at_steps()) {
        return;
    }
    let Agents { id, gait, decide_at, now, .. } = &mut people.agents;
    for row in 0..id.len() {
        let walker = people.bodies[row].as_deref();
        if let (Some(library), Some(walker)) = (&world.library, walker)
            && !walker.body.stands(library)
        {
            continue;
        }
        gait[row] += step_rate(now.velocity[row].length()) * world.tick as f32;
        if gait[row] >= 1.0 {
            gait[row] -= gait[row].floor();
            if world.kinds[id[row].population() as usize].population.model.decides_at_steps() {
                decide_at[row] = tick;
            }
        }
    }
}

/// Brings velocities towards what models chose, as fast as people can, where a model leaves that to the engine: their turning, and their change
/// besides unless the model's velocities are taken at once.
pub(crate) fn limit_changes(world: &World, people: &mut People, (dt, part): (f32, u32), tick: u32) {
    // Where a speed is taken at once bodies turn on their feet: bounded here besides, feet of `orca` slide by 24 mm before the lock, 20 are asked.
    let on_feet = |kind: &Kind| kind.population.body == BodyKind::Mediated && kind.population.model.takes_at_once();
    let free = |kind: &Kind| kind.population.model.turns_at_once() || on_feet(kind);
    if world.kinds.iter().all(free) {
        return;
    }
    let reach = Reach::within(dt);
    let Agents { id, wanted, now, next, .. } = &mut people.agents;
    let (id, wanted, now, start_at) = (&*id, &*wanted, &now.velocity, &people.journeys.start_at);
    next.velocity.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, next)| {
        for (row, next) in (chunk * CHUNK..).zip(next) {
            let kind = &world.kinds[id[row].population() as usize];
            if start_at[row] > tick || free(kind) {
                continue;
            }
            let model = &kind.population.model;
            *next = match model.takes_at_once() {
                // After the first part of a tick who is not asked again walks on.
                true => reach.turned(now[row], if part == 0 { wanted[row] } else { *next }),
                false => reach.approached(now[row], wanted[row]),
            };
            if model.brakes_at_once() {
                *next = next.clamp_length_max(wanted[row].length());
            }
        }
    });
}

/// What people can change within a step.
struct Reach {
    /// Of a velocity, m/s.
    change: f32,
    /// Sine and cosine of the farthest turn.
    turn: Vec2,
}

impl Reach {
    fn within(dt: f32) -> Reach {
        let (sin, cos) = math::sin_cos(TURN * dt);
        Reach { change: ACCELERATION * dt, turn: Vec2::new(cos, sin) }
    }

    /// The velocity that leads from one towards another as fast as people change and turn theirs.
    fn approached(&self, now: Vec2, wanted: Vec2) -> Vec2 {
        self.turned(now, now + (wanted - now).clamp_length_max(self.change))
    }

    /// Of the velocities that people can turn to the one nearest to `next`: what would turn more goes on as far as people turn, with as much of its
    /// speed as lies that way.
    fn turned(&self, now: Vec2, next: Vec2) -> Vec2 {
        let (cos, sin) = (self.turn.x, self.turn.y);
        // Within the bound if the cosine of the turn is as large, told without a root of either length.
        let along = now.dot(next);
        let slow = SINGLE_STEPS * SINGLE_STEPS;
        if now.length_squared() < slow || next.length_squared() < slow {
            return next;
        }
        if along > 0.0 && along * along >= cos * cos * now.length_squared() * next.length_squared() {
            return next;
        }
        let side = if now.perp_dot(next) < 0.0 { -sin } else { sin };
        let ahead = now.normalize_or_zero().rotate(Vec2::new(cos, side));
        ahead * next.dot(ahead).max(0.0)
    }
}

/// A heading that turns towards another as far as people can in a step.
pub(crate) fn turned(from: f32, to: f32, dt: f32) -> f32 {
    let turn = math::wrap_angle(to - from);
    if turn.abs() <= TURN * dt { to } else { math::wrap_angle(from + (TURN * dt).copysign(turn)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1.3 m/s: RV = 1.402, T = 1.137 s, 1.759 steps a second.
    #[test]
    fn steps_are_as_fast_as_the_law_says() {
        assert!((step_rate(1.3) - 1.759).abs() < 2e-3, "{}", step_rate(1.3));
        assert_eq!((step_rate(0.0), step_rate(9.0)), (1.0, 2.5));
    }

    /// At 1.3 m/s and 0.05 s: at most 0.2 m/s of change, 0.145 rad of turn.
    #[test]
    fn velocities_change_and_turn_no_faster_than_people_do() {
        let now = Vec2::new(1.3, 0.0);
        let check = |now: Vec2, wanted: Vec2, expected: [f32; 2]| {
            let next = Reach::within(0.05).approached(now, wanted);
            assert!(next.distance(expected.into()) < 1e-4, "from {now} to {wanted}: {next}, expected {expected:?}");
        };
        check(now, Vec2::new(1.4, 0.1), [1.4, 0.1]); // near enough
        check(now, Vec2::new(-1.3, 0.0), [1.1, 0.0]); // brakes before turning back
        check(now, Vec2::ZERO, [1.1, 0.0]);
        // 0.6 m/s wants aside: 0.2 m/s of change lead to (0.458579, 0.141421), a turn of 0.299 rad. What is left is its part along 0.145 rad:
        // 0.458579 cos + 0.141421 sin = 0.474201, along (0.989506, 0.144492).
        check(Vec2::new(0.6, 0.0), Vec2::new(0.0, 0.6), [0.469225, 0.0685184]);
        check(Vec2::new(0.6, 0.0), Vec2::new(0.0, -0.6), [0.469225, -0.0685184]);
        // A single step leads anywhere.
        check(Vec2::new(0.1, 0.0), Vec2::new(-0.1, 0.0), [-0.1, 0.0]);
    }

    /// Taken at once but for its turn of 0.145 rad: 1.3 m/s aside keep 1.3 sin(0.145) = 0.187839 m/s of it, along (0.989506, 0.144492).
    #[test]
    fn velocities_that_are_taken_at_once_turn_no_faster_either() {
        let check = |now: [f32; 2], wanted: [f32; 2], expected: [f32; 2]| {
            let next = Reach::within(0.05).turned(now.into(), wanted.into());
            assert!(next.distance(expected.into()) < 1e-4, "from {now:?} to {wanted:?}: {next}, expected {expected:?}");
        };
        check([1.3, 0.0], [0.0, 1.3], [0.185868, 0.0271412]);
        check([1.3, 0.0], [0.4, 0.0], [0.4, 0.0]); // brakes at once
        check([1.3, 0.0], [-1.3, 0.0], [0.0, 0.0]); // stops before it turns back
        check([0.2, 0.0], [-1.3, 0.0], [-1.3, 0.0]); // sets off anywhere
        check([0.0, 0.0], [0.0, 1.3], [0.0, 1.3]);
    }

    #[test]
    fn headings_turn_the_shorter_way_and_no_farther_than_people() {
        assert_eq!(turned(0.0, 0.1, 0.05), 0.1);
        assert!((turned(0.0, 3.0, 0.05) - 0.145).abs() < 1e-6);
        assert!((turned(3.1, -3.1, 0.01) - 3.129).abs() < 1e-6);
    }
}
