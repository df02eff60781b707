//! Landmarks: portals at the border of a place, and how far everything is from them.
//!
//! Goldberg and Harrelson 2005: by the triangle inequality, what is 300 m from a landmark and what is 500 m from it are at
//! least 200 m apart. In a city that says far more than a straight line does.
//!
//! Distances are those of a crowd that may do more than anybody can: all doors are open, turns have no width, and one may turn
//! round in a portal. Closing a door makes real paths longer, so bounds stay what they are. An obstacle that comes brings other
//! portals, by whose middles paths may be shorter: from then on only straight lines are sure.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use passerby_geometry::{Vec2, math};

use crate::abstraction::Abstraction;

/// How many there are.
pub(crate) const MARKS: usize = 24;

/// How many of them a query looks at.
pub(crate) const USED: usize = 4;

/// How far each edge is from each landmark, m.
#[derive(Debug, Clone, Default)]
pub(crate) struct Landmarks {
    pub of_edge: Vec<[f32; MARKS]>,
    /// Whether they say no more than straight lines do.
    forgotten: bool,
    /// How much longer paths are than straight lines, in the mean.
    pub detour: f32,
}

/// Two places and what landmarks say about them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Aim {
    pub at: Vec2,
    pub goal: Vec2,
    /// The landmarks that say most, and how far they are from either place.
    pub marks: [(usize, [f32; 2]); USED],
}

impl Aim {
    /// The way back.
    pub fn turned(&self) -> Aim {
        Aim { at: self.goal, goal: self.at, marks: self.marks.map(|(mark, [at, goal])| (mark, [goal, at])) }
    }

    /// No path from one to the other is shorter than this.
    pub fn least(&self) -> f32 {
        self.marks.iter().map(|(_, [at, goal])| (at - goal).abs()).fold(self.at.distance(self.goal), f32::max)
    }
}

impl Landmarks {
    /// Chooses landmarks in the largest part, the farthest from its middle in each direction, and measures.
    pub fn new(tree: &Abstraction, ends: &[[u32; 2]], middles: &[Vec2]) -> Landmarks {
        let mut of_edge = vec![[0.0; MARKS]; ends.len()];
        let mut measure =
            Measure { tree, ends, middles, far: vec![f64::INFINITY; ends.len()], queue: BinaryHeap::new() };
        let Some(first) = start_of_largest(tree) else { return Landmarks { of_edge, forgotten: false, detour: 1.0 } };
        measure.from(first);
        let (mut walked, mut straight) = (0.0, 0.0);
        for (mark, edge) in ends_of_place(middles, &measure.far).into_iter().enumerate() {
            measure.from(edge);
            for (number, &far) in measure.far.iter().enumerate().filter(|(_, far)| far.is_finite()) {
                of_edge[number][mark] = far as f32;
                walked += far;
                straight += f64::from(middles[number].distance(middles[edge as usize]));
            }
        }
        Landmarks { of_edge, forgotten: false, detour: if straight > 0.0 { (walked / straight) as f32 } else { 1.0 } }
    }

    /// Says no more than straight lines do from now on, about so many edges.
    pub fn forget(&mut self, edges: usize) {
        if !std::mem::replace(&mut self.forgotten, true) {
            self.of_edge.clear();
        }
        self.of_edge.resize(edges, [0.0; MARKS]);
    }

    /// How long a path is hardly ever: paths are either as long as landmarks say, or as much longer than a straight line as
    /// elsewhere in the place, but for a per cent and what short ones have in addition.
    pub fn expected(&self, aim: &Aim) -> f32 {
        (1.005 * aim.least()).max(1.01 * self.detour * aim.at.distance(aim.goal)) + 10.0
    }

    /// What landmarks say about places in two cells.
    pub fn aim(&self, tree: &Abstraction, middles: &[Vec2], cells: [u32; 2], ends: [Vec2; 2]) -> Aim {
        let far = [0, 1].map(|end| {
            let mut far = [f32::INFINITY; MARKS];
            for gate in tree.gates_of(cells[end]) {
                let (first, of_edge) =
                    (middles[(gate / 2) as usize].distance(ends[end]), &self.of_edge[(gate / 2) as usize]);
                far.iter_mut().zip(of_edge).for_each(|(far, edge)| *far = far.min(first + edge));
            }
            far
        });
        let mut aim = Aim { at: ends[0], goal: ends[1], marks: [(0, [0.0; 2]); USED] };
        if tree.gates_of(cells[0]).is_empty() || tree.gates_of(cells[1]).is_empty() {
            return aim;
        }
        let mut all: [(usize, [f32; 2]); MARKS] = std::array::from_fn(|mark| (mark, [far[0][mark], far[1][mark]]));
        all.sort_by(|(_, a), (_, b)| (b[0] - b[1]).abs().total_cmp(&(a[0] - a[1]).abs()));
        aim.marks.copy_from_slice(&all[..USED]);
        aim
    }
}

/// An edge in the part with the most cells.
fn start_of_largest(tree: &Abstraction) -> Option<u32> {
    let mut sizes = vec![0_u32; tree.node_count() as usize];
    for node in 0..tree.node_count() {
        let cells =
            if node < tree.cell_count() { 1 } else { tree.children_of(node).iter().map(|&c| sizes[c as usize]).sum() };
        sizes[node as usize] = cells;
    }
    let mut node = tree.roots().map(|root| root.0).max_by_key(|&root| (sizes[root as usize], Reverse(root)))?;
    while let Some(&child) = tree.children_of(node).first() {
        node = child;
    }
    tree.gates_of(node).first().map(|gate| gate / 2)
}

/// The edges farthest from the middle, one in each direction; of those that have a distance.
fn ends_of_place(middles: &[Vec2], far: &[f64]) -> [u32; MARKS] {
    let there = || middles.iter().zip(far).enumerate().filter(|(_, (_, far))| far.is_finite());
    let low = there().fold(Vec2::INFINITY, |low, (_, (at, _))| low.min(*at));
    let high = there().fold(Vec2::NEG_INFINITY, |high, (_, (at, _))| high.max(*at));
    let middle = (low + high) / 2.0;
    let mut farthest = [(-1.0, 0); MARKS];
    for (number, (at, _)) in there() {
        let turn = math::atan2(at.y - middle.y, at.x - middle.x) / std::f32::consts::TAU + 0.5;
        let sector = &mut farthest[((turn * MARKS as f32) as usize).min(MARKS - 1)];
        let away = at.distance_squared(middle);
        if away > sector.0 {
            *sector = (away, number as u32);
        }
    }
    let most = farthest.into_iter().fold((-1.0, 0), |a, b| if b.0 > a.0 { b } else { a });
    farthest.map(|(away, edge)| if away < 0.0 { most.1 } else { edge })
}

/// Dijkstra over edges.
struct Measure<'a> {
    tree: &'a Abstraction,
    ends: &'a [[u32; 2]],
    middles: &'a [Vec2],
    far: Vec<f64>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Measure<'_> {
    fn from(&mut self, edge: u32) {
        self.far.fill(f64::INFINITY);
        self.far[edge as usize] = 0.0;
        self.queue.push(Reverse((0, edge)));
        while let Some(Reverse((far, edge))) = self.queue.pop() {
            // Lengths are not negative, so that their bits sort as they do.
            let far = f64::from_bits(far);
            if far > self.far[edge as usize] {
                continue;
            }
            let at = self.middles[edge as usize];
            for cell in self.ends[edge as usize] {
                for next in self.tree.gates_of(cell).iter().map(|gate| gate / 2) {
                    let far = far + f64::from(at.distance(self.middles[next as usize]));
                    if far < self.far[next as usize] {
                        self.far[next as usize] = far;
                        self.queue.push(Reverse((far.to_bits(), next)));
                    }
                }
            }
        }
    }
}
