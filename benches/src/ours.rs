//! The step of Passerby: index, search, ORCA, integration, and a re-sort of the columns every so often.

use crate::scene::{DT, Goal, HORIZON, NEIGHBOURS, RADIUS, RANGE, SPEED, SPEED_MAX, Scene};
use crate::{Crowd, Walking};
use passerby_crowd::{AgentId, Agents, Graph, Index, Neighbours, NewAgent, Reorder, Slot};
use passerby_geometry::Vec2;
use passerby_geometry::lanes::Width;
use passerby_geometry::walls::Walls;
use passerby_steering::{Batch, Model, Moment, Orca, Scratch, choose};

/// Steps between two re-sorts of the columns.
const SORT_EVERY: usize = 8;

/// Our crowd.
pub struct Ours<'a> {
    scene: &'a Scene,
    width: Width,
    agents: Agents,
    goal: Vec<Goal>,
    desired: Vec<Vec2>,
    left: Vec<f32>,
    index: Index,
    graph: Graph,
    walls: Walls,
    slots: Vec<Slot>,
    chosen: Vec<Vec2>,
    order: Reorder,
    scratch: Scratch,
    step: usize,
}

impl<'a> Ours<'a> {
    /// The crowd at its start. `share` is what each takes of the avoidance.
    pub fn new(scene: &'a Scene, width: Width, share: f32) -> Self {
        let mut agents = Agents::default();
        for (i, at) in scene.start.iter().enumerate() {
            agents.push(NewAgent {
                id: AgentId::new(0, i as u32),
                position: *at,
                heading: 0.0,
                radius: RADIUS,
                mass: 80.0,
                speed: SPEED,
                speed_max: SPEED_MAX,
                share,
            });
        }
        let people = scene.start.len();
        Self {
            scene,
            width,
            agents,
            goal: scene.goal.clone(),
            desired: vec![Vec2::ZERO; people],
            left: vec![f32::INFINITY; people],
            index: Index::default(),
            graph: Graph::default(),
            walls: Walls::new(Vec::new()),
            slots: (0..people as u32).map(Slot).collect(),
            chosen: vec![Vec2::ZERO; people],
            order: Reorder::default(),
            scratch: Scratch::default(),
            step: 0,
        }
    }

    /// Puts everybody where `walking` says, in the order of the scene. Only before the first step.
    pub fn set(&mut self, walking: &[Walking]) {
        for (row, walking) in walking.iter().enumerate() {
            self.agents.now.position[row] = walking.position;
            self.agents.now.velocity[row] = walking.velocity;
            self.goal[row] = walking.goal;
        }
    }

    /// Rows in the order of slots, so that what stands together lies together.
    fn sort(&mut self) {
        self.order.set(self.index.bodies().iter().map(|body| body.row));
        self.agents.permute(&self.order);
        self.order.apply(&mut self.goal);
    }
}

impl Crowd for Ours<'_> {
    fn step(&mut self) {
        self.index.build(self.scene.low, self.scene.high, self.agents.columns());
        if self.step.is_multiple_of(SORT_EVERY) {
            self.sort();
            self.index.build(self.scene.low, self.scene.high, self.agents.columns());
        }
        self.step += 1;
        for ((desired, at), goal) in self.desired.iter_mut().zip(&self.agents.now.position).zip(&mut self.goal) {
            *desired = self.scene.desired(*at, goal);
        }
        let batch = Batch {
            index: &self.index,
            agents: &self.agents,
            desired: &self.desired,
            walls: &self.walls,
            left: &self.left,
            neighbours: Neighbours::Nearest { count: NEIGHBOURS as u32, within: RANGE },
            graph: &self.graph,
            dt: DT,
            now: Moment { tick: 0, length: DT },
            movers: &[],
            led: &[],
            groups: &[],
            ahead: &self.left,
            width: self.width,
        };
        let model = Model::Orca(Orca { time_horizon: HORIZON, ..Orca::default() });
        choose(&model, &batch, &self.slots, &mut [], &mut self.chosen, &mut self.scratch);
        for (body, v) in self.index.bodies().iter().zip(&self.chosen) {
            let row = body.row.index();
            self.agents.next.velocity[row] = *v;
            self.agents.next.position[row] = body.position + DT * *v;
        }
        std::mem::swap(&mut self.agents.now, &mut self.agents.next);
    }

    fn state(&self, out: &mut Vec<Walking>) {
        out.clear();
        out.resize(self.agents.len(), Walking::NOBODY);
        for (row, id) in self.agents.id.iter().enumerate() {
            out[id.ordinal() as usize] = Walking {
                position: self.agents.now.position[row],
                velocity: self.agents.now.velocity[row],
                desired: self.desired[row],
                goal: self.goal[row],
            };
        }
    }
}

/// Bytes of all columns for one agent.
pub fn bytes_per_agent() -> usize {
    fn element<T>(_: &[T]) -> usize {
        size_of::<T>()
    }
    let Agents { id, radius, mass, speed, speed_max, share, pushed, wanted, gait, decide_at, now, next } =
        &Agents::default();
    let motion = [now, next].map(|m| element(&m.position) + element(&m.velocity) + element(&m.heading));
    let own = [element(id), element(radius), element(mass), element(speed), element(speed_max), element(share)];
    own.iter().chain(&motion).sum::<usize>() + element(pushed) + element(wanted) + element(gait) + element(decide_at)
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_agent_fits_into_256_bytes() {
        assert!(super::bytes_per_agent() <= 256, "{} bytes", super::bytes_per_agent());
    }
}
