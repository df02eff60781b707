//! Which gates of a node can be on a path between two places that is not longer than a limit.
//!
//! Lower bounds on both parts of such a path are straight lines and what [landmarks](crate::landmarks) say. Gates that lie
//! side by side are ruled out together: first eight blocks of eight at a time, each by the box that holds it and by the
//! nearest and farthest that it gets to each landmark; then the gates of what is left, one by one.

use passerby_geometry::Vec2;

use crate::abstraction::Abstraction;
use crate::landmarks::{Aim, Landmarks, MARKS};
use crate::table::{Block, WIDE};

/// In nodes with so few gates ruling out takes longer than it saves.
const FEW: u32 = 2 * WIDE as u32;

/// What is known of eight blocks: low and high x, low and high y, and least and most from each landmark.
type Group = [[Block; 2]; 2 + MARKS];

/// What is known of the eight gates in a block: x, y, and how far from each landmark.
type Gates = [Block; 2 + MARKS];

/// Where the gates of large nodes are, and how far from landmarks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bounds {
    groups: Vec<Group>,
    gates: Vec<Gates>,
    /// For each large node where its groups and blocks begin.
    starts: Vec<[u32; 2]>,
    /// Whether landmarks say nothing any more.
    forgotten: bool,
}

/// Blocks of gates that have not been ruled out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    pub blocks: Vec<u32>,
    /// What is left to the goal from each gate of the block, at least.
    pub rests: Vec<Block>,
}

impl Found {
    pub fn clear(&mut self) {
        (self.blocks.clear(), self.rests.clear());
    }
}

impl Bounds {
    /// Adds a node, and gives its number if it is large.
    pub fn push(&mut self, tree: &Abstraction, middles: &[Vec2], landmarks: &Landmarks, node: u32) -> u32 {
        let gates = tree.gates_of(node);
        if gates.len() as u32 <= FEW {
            return u32::MAX;
        }
        self.starts.push([self.groups.len() as u32, self.gates.len() as u32]);
        for (number, block) in gates.chunks(WIDE).enumerate() {
            let known = |lane: usize| {
                let edge = (block[lane.min(block.len() - 1)] / 2) as usize;
                let mut known = [0.0; 2 + MARKS];
                (known[0], known[1]) = (middles[edge].x, middles[edge].y);
                known[2..].copy_from_slice(&landmarks.of_edge[edge]);
                known
            };
            let lanes: [[f32; 2 + MARKS]; WIDE] = std::array::from_fn(known);
            self.gates.push(std::array::from_fn(|k| std::array::from_fn(|lane| lanes[lane][k])));
            if number % WIDE == 0 {
                // Nothing is in the lanes after the last block.
                self.groups.push([[[f32::INFINITY; WIDE], [f32::NEG_INFINITY; WIDE]]; 2 + MARKS]);
            }
            let group = self.groups.len() - 1;
            for (k, [low, high]) in self.groups[group].iter_mut().enumerate() {
                let values = lanes.iter().map(|known| known[k]);
                low[number % WIDE] = values.clone().fold(f32::INFINITY, f32::min);
                high[number % WIDE] = values.fold(f32::NEG_INFINITY, f32::max);
            }
        }
        self.starts.len() as u32 - 1
    }

    /// Adds the blocks of a node to `found` that have a gate on a path shorter than a limit, perhaps.
    pub fn find(&self, number: u32, gates: u32, aim: &Aim, limit: f32, found: &mut Found) {
        let count = gates.div_ceil(WIDE as u32);
        let Some([group, block]) = self.starts.get(number as usize) else {
            found.blocks.extend(0..count);
            found.rests.resize(found.blocks.len(), [0.0; WIDE]);
            return;
        };
        for first in (0..count).step_by(WIDE) {
            let least = least_of_group(&self.groups[(group + first / WIDE as u32) as usize], aim);
            for (lane, _) in least.iter().enumerate().filter(|(_, least)| **least < limit) {
                let number = first + lane as u32;
                let [ahead, behind] = least_of_gates(&self.gates[(block + number) as usize], aim);
                let mut inside = false;
                (0..WIDE).for_each(|lane| inside |= ahead[lane] + behind[lane] < limit);
                if inside {
                    found.blocks.push(number);
                    found.rests.push(ahead);
                }
            }
        }
    }

    /// Rules nothing out by landmarks any more.
    pub fn forget_landmarks(&mut self) {
        if std::mem::replace(&mut self.forgotten, true) {
            return;
        }
        for group in &mut self.groups {
            group[2..].fill([[0.0; WIDE]; 2]);
        }
        for gates in &mut self.gates {
            gates[2..].fill([0.0; WIDE]);
        }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.groups[..]) + size_of_val(&self.gates[..]) + size_of_val(&self.starts[..])
    }
}

/// No path by way of each of the blocks is shorter than this.
fn least_of_group([[x_low, x_high], [y_low, y_high], far @ ..]: &Group, aim: &Aim) -> Block {
    let mut least = [[0.0_f32; WIDE]; 2];
    for (least, p) in least.iter_mut().zip([aim.goal, aim.at]) {
        for lane in 0..WIDE {
            let x = larger(larger(x_low[lane] - p.x, p.x - x_high[lane]), 0.0);
            let y = larger(larger(y_low[lane] - p.y, p.y - y_high[lane]), 0.0);
            least[lane] = (x * x + y * y).sqrt();
        }
    }
    let [ahead, behind] = &mut least;
    for &(mark, [at, goal]) in &aim.marks {
        let [low, high] = &far[mark];
        for lane in 0..WIDE {
            ahead[lane] = larger(ahead[lane], larger(low[lane] - goal, goal - high[lane]));
            behind[lane] = larger(behind[lane], larger(low[lane] - at, at - high[lane]));
        }
    }
    std::array::from_fn(|lane| ahead[lane] + behind[lane])
}

/// No path from each of the gates to the goal is shorter, and none from the start to it.
fn least_of_gates([x, y, far @ ..]: &Gates, aim: &Aim) -> [Block; 2] {
    let mut least = [[0.0_f32; WIDE]; 2];
    for (least, p) in least.iter_mut().zip([aim.goal, aim.at]) {
        for lane in 0..WIDE {
            let (x, y) = (x[lane] - p.x, y[lane] - p.y);
            least[lane] = (x * x + y * y).sqrt();
        }
    }
    let [ahead, behind] = &mut least;
    for &(mark, [at, goal]) in &aim.marks {
        for lane in 0..WIDE {
            ahead[lane] = larger(ahead[lane], (far[mark][lane] - goal).abs());
            behind[lane] = larger(behind[lane], (far[mark][lane] - at).abs());
        }
    }
    least
}

/// One instruction, unlike `f32::max`, which has a mind for numbers that are none.
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
