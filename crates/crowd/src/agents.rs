//! The columns of a crowd: row `i` of each is the same agent.

use crate::{AgentId, Columns, Reorder, Row};
use passerby_geometry::Vec2;

/// What changes in every tick.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Motion {
    /// Where, m.
    pub position: Vec<Vec2>,
    /// m/s.
    pub velocity: Vec<Vec2>,
    /// Where they face, rad, counter-clockwise from +x.
    pub heading: Vec<f32>,
}

/// Somebody who enters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewAgent {
    /// Who.
    pub id: AgentId,
    /// Where, m.
    pub position: Vec2,
    /// Where it faces, rad.
    pub heading: f32,
    /// Half its width, m.
    pub radius: f32,
    /// kg.
    pub mass: f32,
    /// Desired speed, m/s.
    pub speed: f32,
    /// The fastest it can go, m/s.
    pub speed_max: f32,
    /// Share of the avoidance others take towards it: 0.5 if it gives way too, otherwise 1.
    pub share: f32,
}

/// Everybody, in columns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Agents {
    /// Who.
    pub id: Vec<AgentId>,
    /// Half their width, m.
    pub radius: Vec<f32>,
    /// kg.
    pub mass: Vec<f32>,
    /// Desired speed, m/s.
    pub speed: Vec<f32>,
    /// The fastest they can go, m/s.
    pub speed_max: Vec<f32>,
    /// Share of the avoidance others take towards them.
    pub share: Vec<f32>,
    /// How far the ground moved them in the last tick beyond what their model wanted, m.
    pub pushed: Vec<Vec2>,
    /// Velocity their model chose when it was last asked, m/s; they get there as fast as people can.
    pub wanted: Vec<Vec2>,
    /// How much of their present step they have done, from 0 to 1: at 1 a foot lands.
    pub gait: Vec<f32>,
    /// Tick at which their model wants to be asked again.
    pub decide_at: Vec<u32>,
    /// What stages read.
    pub now: Motion,
    /// What stages write.
    pub next: Motion,
}

impl Motion {
    fn push(&mut self, position: Vec2, heading: f32) {
        let Self { position: positions, velocity, heading: headings } = self;
        (positions.push(position), velocity.push(Vec2::ZERO), headings.push(heading));
    }

    fn swap_remove(&mut self, i: usize) {
        let Self { position, velocity, heading } = self;
        (position.swap_remove(i), velocity.swap_remove(i), heading.swap_remove(i));
    }

    fn permute(&mut self, order: &Reorder) {
        let Self { position, velocity, heading } = self;
        (order.apply(position), order.apply(velocity), order.apply(heading));
    }
}

impl Agents {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Adds somebody, who stands still at first, as the last row.
    pub fn push(&mut self, new: NewAgent) {
        let Self { id, radius, mass, speed, speed_max, share, pushed, wanted, gait, decide_at, now, next } = self;
        (id.push(new.id), radius.push(new.radius), mass.push(new.mass), speed.push(new.speed));
        (speed_max.push(new.speed_max), share.push(new.share), pushed.push(Vec2::ZERO), decide_at.push(0));
        (wanted.push(Vec2::ZERO), gait.push(first_phase(new.id)));
        (now.push(new.position, new.heading), next.push(new.position, new.heading));
    }

    /// Removes a row; the last one takes its place.
    pub fn swap_remove(&mut self, row: Row) {
        let Self { id, radius, mass, speed, speed_max, share, pushed, wanted, gait, decide_at, now, next } = self;
        let i = row.index();
        (id.swap_remove(i), radius.swap_remove(i), mass.swap_remove(i), speed.swap_remove(i));
        (speed_max.swap_remove(i), share.swap_remove(i), pushed.swap_remove(i), decide_at.swap_remove(i));
        (wanted.swap_remove(i), gait.swap_remove(i));
        (now.swap_remove(i), next.swap_remove(i));
    }

    /// Reorders everybody.
    pub fn permute(&mut self, order: &Reorder) {
        let Self { id, radius, mass, speed, speed_max, share, pushed, wanted, gait, decide_at, now, next } = self;
        (order.apply(id), order.apply(radius), order.apply(mass), order.apply(speed));
        (order.apply(speed_max), order.apply(share), order.apply(pushed), order.apply(decide_at));
        (order.apply(wanted), order.apply(gait));
        (now.permute(order), next.permute(order));
    }

    /// What the index is built from.
    pub fn columns(&self) -> Columns<'_> {
        Columns {
            id: &self.id,
            position: &self.now.position,
            velocity: &self.now.velocity,
            radius: &self.radius,
            share: &self.share,
        }
    }
}

/// Where in a step somebody begins: as different between people as can be, so that they do not walk in step.
fn first_phase(id: AgentId) -> f32 {
    // Multiples of the golden ratio are spread evenly; 24 bits are what a number below 1 has.
    (id.bits().wrapping_mul(0x9e37_79b9) >> 8) as f32 / 16_777_216.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(ordinals: &[u32]) -> Agents {
        let mut agents = Agents::default();
        for &ordinal in ordinals {
            let (position, id) = (Vec2::splat(ordinal as f32), AgentId::new(1, ordinal));
            agents.push(NewAgent {
                id,
                position,
                heading: 0.0,
                radius: 0.25,
                mass: 80.0,
                speed: 1.3,
                speed_max: 1.7,
                share: 0.5,
            });
        }
        agents
    }

    #[test]
    fn rows_stay_together_when_people_leave_and_rows_are_sorted() {
        let mut agents = crowd(&[0, 1, 2, 3]);
        agents.swap_remove(Row(1));
        assert_eq!(agents.id.iter().map(|id| id.ordinal()).collect::<Vec<_>>(), [0, 3, 2]);
        let mut order = Reorder::default();
        order.set([2, 0, 1].into_iter().map(Row));
        agents.permute(&order);
        assert_eq!(agents, crowd(&[2, 0, 3]));
    }
}
