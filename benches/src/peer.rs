//! The peer: the kernel of `dodgy_2d`, fed by a plain uniform grid.

use crate::scene::{DT, Goal, HORIZON, NEIGHBOURS, RADIUS, RANGE, SPEED_MAX, Scene};
use crate::{Crowd, Walking};
use dodgy_2d::{Agent, AvoidanceOptions, Vec2 as PeerVec};
use passerby_geometry::Vec2;
use std::borrow::Cow;

/// The peer's crowd. Its storage is sorted in space once, at the start.
pub struct Peer<'a> {
    scene: &'a Scene,
    agents: Vec<Agent>,
    goal: Vec<Goal>,
    /// Number in the scene of each row.
    number: Vec<u32>,
    desired: Vec<Vec2>,
    chosen: Vec<Vec2>,
    grid: Grid,
    give_way: GiveWay,
}

/// How avoidance is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GiveWay {
    /// Everybody takes half: how people walk.
    Half,
    /// Everybody takes all of it: how kernels are compared. Where two are not about to collide the peer takes all of the
    /// change and not its share, unlike the paper (eq. 6) and us; like this both mean the same.
    All,
}

impl<'a> Peer<'a> {
    /// The crowd at its start.
    pub fn new(scene: &'a Scene, give_way: GiveWay) -> Self {
        let mut grid = Grid::new(scene);
        grid.build(scene.start.iter().copied());
        let number = grid.sorted.iter().map(|(row, _)| *row).collect::<Vec<_>>();
        let agent = |at: Vec2| Agent {
            position: theirs(at),
            velocity: PeerVec::ZERO,
            radius: RADIUS,
            avoidance_responsibility: if give_way == GiveWay::Half { 1.0 } else { 0.0 },
        };
        Self {
            scene,
            agents: number.iter().map(|i| agent(scene.start[*i as usize])).collect(),
            goal: number.iter().map(|i| scene.goal[*i as usize]).collect(),
            number,
            desired: vec![Vec2::ZERO; scene.start.len()],
            chosen: vec![Vec2::ZERO; scene.start.len()],
            grid,
            give_way,
        }
    }
}

fn theirs(v: Vec2) -> PeerVec {
    PeerVec::new(v.x, v.y)
}

fn mine(v: PeerVec) -> Vec2 {
    Vec2::new(v.x, v.y)
}

impl Crowd for Peer<'_> {
    fn step(&mut self) {
        let Self { scene, agents, goal, desired, chosen, grid, .. } = self;
        let options = AvoidanceOptions { obstacle_margin: RADIUS, time_horizon: HORIZON, obstacle_time_horizon: 0.5 };
        grid.build(agents.iter().map(|agent| mine(agent.position)));
        let (mut near, mut neighbours) = (Vec::new(), Vec::new());
        for (row, agent) in agents.iter().enumerate() {
            let at = mine(agent.position);
            desired[row] = scene.desired(at, &mut goal[row]);
            grid.nearest(at, row as u32, &mut near);
            neighbours.clear();
            neighbours.extend(near.iter().map(|(_, row)| Cow::Borrowed(&agents[*row as usize])));
            let keen =
                (self.give_way == GiveWay::All).then(|| Agent { avoidance_responsibility: 1.0, ..agent.clone() });
            let me = keen.as_ref().unwrap_or(agent);
            let v = me.compute_avoiding_velocity(&neighbours, &[], theirs(desired[row]), SPEED_MAX, DT, &options);
            chosen[row] = mine(v);
        }
        for (agent, v) in agents.iter_mut().zip(chosen) {
            agent.velocity = theirs(*v);
            agent.position += DT * agent.velocity;
        }
    }

    fn state(&self, out: &mut Vec<Walking>) {
        out.clear();
        out.resize(self.agents.len(), Walking::NOBODY);
        for (row, agent) in self.agents.iter().enumerate() {
            out[self.number[row] as usize] = Walking {
                position: mine(agent.position),
                velocity: mine(agent.velocity),
                desired: self.desired[row],
                goal: self.goal[row],
            };
        }
    }
}

/// Everybody in square cells, sorted by counting: the usual way.
#[derive(Debug, Default)]
struct Grid {
    low: Vec2,
    cell: f32,
    columns: i32,
    rows: i32,
    start: Vec<u32>,
    /// Row and position, by cell.
    sorted: Vec<(u32, Vec2)>,
}

impl Grid {
    /// Square cells of the size at which the peer is fastest, never over the range of sight.
    fn new(scene: &Scene) -> Grid {
        let size = scene.high - scene.low;
        let cell = (scene.peer_cell * size.x * size.y / scene.start.len() as f32).sqrt().min(RANGE);
        let cells = (size / cell).ceil();
        Grid { low: scene.low, cell, columns: cells.x as i32, rows: cells.y as i32, ..Grid::default() }
    }

    fn column(&self, x: f32) -> i32 {
        (((x - self.low.x) / self.cell) as i32).clamp(0, self.columns - 1)
    }

    fn row(&self, y: f32) -> i32 {
        (((y - self.low.y) / self.cell) as i32).clamp(0, self.rows - 1)
    }

    fn build(&mut self, positions: impl ExactSizeIterator<Item = Vec2> + Clone) {
        let cells = (self.columns * self.rows) as usize;
        self.start.clear();
        self.start.resize(cells + 2, 0);
        self.sorted.resize(positions.len(), (0, Vec2::ZERO));
        for at in positions.clone() {
            let cell = self.row(at.y) * self.columns + self.column(at.x);
            self.start[cell as usize + 2] += 1;
        }
        for i in 2..cells + 2 {
            self.start[i] += self.start[i - 1];
        }
        // `start[c + 1]` walks from the first place of cell `c` to that of the next one.
        for (i, at) in positions.enumerate() {
            let cell = self.row(at.y) * self.columns + self.column(at.x);
            let next = &mut self.start[cell as usize + 1];
            self.sorted[*next as usize] = (i as u32, at);
            *next += 1;
        }
    }

    /// Puts the nearest others within range into `near`, nearest first: ring of cells after ring, until the next ring is
    /// farther away than the last of them.
    fn nearest(&self, at: Vec2, own: u32, near: &mut Vec<(f32, u32)>) {
        near.clear();
        let (column, row) = (self.column(at.x), self.row(at.y));
        let mut limit = RANGE * RANGE;
        let within = (at - self.low) - self.cell * Vec2::new(column as f32, row as f32);
        // Distance to the border of the own cell: the next ring begins there. Who is outside the grid gets 0 or less.
        let border = within.min(self.cell - within).min_element();
        for ring in 0.. {
            let gap = border + self.cell * (ring - 1) as f32;
            if ring > 0 && gap > 0.0 && gap * gap > limit {
                return;
            }
            if ring > self.columns.max(self.rows) {
                return;
            }
            for r in (row - ring).max(0)..=(row + ring).min(self.rows - 1) {
                if (r - row).abs() == ring {
                    let (first, last) = ((column - ring).max(0), (column + ring).min(self.columns - 1));
                    self.look(r, first, last, at, own, near, &mut limit);
                } else {
                    for c in [column - ring, column + ring] {
                        if (0..self.columns).contains(&c) {
                            self.look(r, c, c, at, own, near, &mut limit);
                        }
                    }
                }
            }
        }
    }

    /// Looks at a run of cells.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn look(&self, row: i32, first: i32, last: i32, at: Vec2, own: u32, near: &mut Vec<(f32, u32)>, limit: &mut f32) {
        let cell = (row * self.columns) as usize;
        let run = self.start[cell + first as usize] as usize..self.start[cell + last as usize + 1] as usize;
        for (other, position) in &self.sorted[run] {
            let distance = position.distance_squared(at);
            if distance <= *limit && *other != own {
                if near.len() == NEIGHBOURS {
                    near.pop();
                }
                let place = near.iter().rposition(|(d, _)| *d <= distance).map_or(0, |i| i + 1);
                near.insert(place, (distance, *other));
                if near.len() == NEIGHBOURS {
                    *limit = near[NEIGHBOURS - 1].0;
                }
            }
        }
    }
}
