//! Bottlenecks: walls are cut at the feet of the corners that face them, so that free edges measure the narrow places.
//!
//! Lamarche and Donikian 2004, section 3.1: for a triangle (A, B, C) with BC a wall, one of AB and AC free, A an original
//! vertex and its foot P inside BC, BC is cut at P. Printed alone, the rule misses walls that are hidden behind free edges, so
//! corners also look on through those ([`turns`](crate::turns)). Points made here have no feet, which ends the process:
//! an original vertex has one foot on each wall at most. All matches are collected, all are cut, and so on.

use std::collections::BTreeSet;

use passerby_geometry::DVec2;
use passerby_geometry::refinement::Refinement;
use passerby_geometry::triangulation::Triangulation;

use crate::border::Border;
use crate::map::Map;
use crate::mesh::Triangle;
use crate::turns::{facing, foot, shorter_edge};

/// A foot closer to an end of its wall than this is that end, m.
const FOOT_INSIDE: f64 = 1e-7;

/// Which of the rules to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// As printed.
    Printed,
    /// Also look through free edges.
    Extended,
}

/// The free floor in triangles, with walls cut at bottlenecks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facets {
    pub points: Vec<DVec2>,
    /// So many points are original, those after them are feet.
    pub originals: u32,
    pub triangles: Vec<Triangle>,
    /// Which edges are open doors.
    pub doors: Vec<[bool; 3]>,
    /// Which edges lead out, to cells that stay as they are; none where all of a floor is cut.
    pub out: Vec<[bool; 3]>,
    /// How often all matches were collected and some were found.
    pub rounds: u32,
}

/// A wall, its triangle, and where to cut it.
pub(crate) struct Cut {
    pub wall: [u32; 2],
    pub triangle: u32,
    pub along: f64,
    pub at: DVec2,
}

impl Facets {
    /// Cuts the walls of a map, doors as they are now.
    pub fn new(map: &Map, rule: Rule) -> Facets {
        let mut border = Border::new(map, true);
        let constraints =
            |border: &Border| -> Vec<[u32; 2]> { border.walls.iter().chain(&border.doors).copied().collect() };
        let mut refinement = Refinement::new(&border.points, &constraints(&border));
        if refinement.is_none() {
            // Joining moved a wall by a hair onto something else. Unjoined they are edges of a triangulation.
            border = Border::new(map, false);
            refinement = Refinement::new(&border.points, &constraints(&border));
        }
        let Some(mut refinement) = refinement else { return Facets::default() };
        let originals = border.points.len() as u32;
        let mut walls: BTreeSet<[u32; 2]> = border.walls.iter().copied().collect();
        let mut rounds = 0;
        loop {
            let mut facets = free(&refinement.triangulation(), &walls, originals);
            let cuts = facets.cuts(rule);
            if cuts.is_empty() || !cut(&mut refinement, &mut walls, &cuts) {
                facets.rounds = rounds;
                return facets;
            }
            rounds += 1;
        }
    }

    /// Every wall that has a foot inside, sorted by wall and along it.
    fn cuts(&self, rule: Rule) -> Vec<Cut> {
        let all = 0..self.triangles.len() as u32;
        cuts(&self.points, &self.triangles, all, |vertex| vertex < self.originals, rule)
    }
}

/// The walls on which a corner of some triangles has a foot inside, sorted by wall and along it. Only original vertices have feet.
pub(crate) fn cuts(
    points: &[DVec2],
    triangles: &[Triangle],
    some: impl Iterator<Item = u32>,
    is_original: impl Fn(u32) -> bool,
    rule: Rule,
) -> Vec<Cut> {
    let (mut cuts, mut stack) = (Vec::new(), Vec::new());
    let mut add = |at: DVec2, t: u32, edge: usize| {
        let corners = &triangles[t as usize].corners;
        let wall = [corners[edge], corners[(edge + 1) % 3]];
        let ends = wall.map(|v| points[v as usize]);
        let (foot, along) = foot(at, ends);
        let length = ends[0].distance(ends[1]);
        if along * length > FOOT_INSIDE && (1.0 - along) * length > FOOT_INSIDE {
            cuts.push(Cut { wall, triangle: t, along, at: foot });
        }
    };
    for t in some {
        let triangle = &triangles[t as usize];
        for i in (0..3).filter(|&i| is_original(triangle.corners[i])) {
            let at = points[triangle.corners[i] as usize];
            let [first, opposite, last] = [0, 1, 2].map(|k| triangle.pass[(i + k) % 3].is_some());
            if !opposite && (first || last) {
                add(at, t, (i + 1) % 3);
            } else if rule == Rule::Extended && opposite && first && last {
                let limit = shorter_edge(points, triangle, i);
                facing((points, triangles), (t, i), limit, &mut stack, |_, _| false, |w| add(at, w.triangle, w.edge));
            }
        }
    }
    cuts.sort_by(|a, b| a.wall.cmp(&b.wall).then(a.along.total_cmp(&b.along)));
    cuts
}

/// Makes the cuts, and says whether there was one.
pub(crate) fn cut(refinement: &mut Refinement, walls: &mut BTreeSet<[u32; 2]>, cuts: &[Cut]) -> bool {
    let mut any = false;
    let (mut whole, mut rest, mut last) = ([u32::MAX; 2], [u32::MAX; 2], DVec2::NAN);
    for cut in cuts {
        if whole != cut.wall {
            (whole, rest, last) = (cut.wall, cut.wall, DVec2::NAN);
        }
        if last.distance(cut.at) <= FOOT_INSIDE {
            continue;
        }
        if let Some(vertex) = refinement.cut(rest, cut.at) {
            let [a, b] = rest;
            // A closed door is two walls, one each way.
            for [a, b] in [[a, b], [b, a]] {
                if walls.remove(&[a, b]) {
                    walls.extend([[a, vertex], [vertex, b]]);
                }
            }
            (rest, last, any) = ([vertex, b], cut.at, true);
        }
    }
    any
}

/// The triangles to the left of walls, and all that can be reached from them without crossing one.
pub(crate) fn free(all: &Triangulation, walls_now: &BTreeSet<[u32; 2]>, originals: u32) -> Facets {
    let is_wall = |a: u32, b: u32| walls_now.contains(&[a, b]);
    let mut free = vec![false; all.triangles.len()];
    let mut walls = vec![[false; 3]; free.len()];
    let mut open: Vec<u32> = Vec::new();
    for (t, triangle) in all.triangles.iter().enumerate() {
        for i in (0..3).filter(|&i| triangle.constrained[i]) {
            let (a, b) = (triangle.corners[i], triangle.corners[(i + 1) % 3]);
            let left = is_wall(a, b);
            walls[t][i] = left || is_wall(b, a);
            if left && !free[t] {
                free[t] = true;
                open.push(t as u32);
            }
        }
    }
    while let Some(t) = open.pop() {
        for i in (0..3).filter(|&i| !walls[t as usize][i]) {
            if let Some(n) = all.triangles[t as usize].neighbours[i].filter(|&n| !free[n as usize]) {
                free[n as usize] = true;
                open.push(n);
            }
        }
    }
    let mut number = vec![u32::MAX; free.len()];
    let kept: Vec<usize> = (0..free.len()).filter(|&t| free[t]).collect();
    kept.iter().enumerate().for_each(|(new, &old)| number[old] = new as u32);
    let beyond = |t: usize, i: usize| {
        let neighbour = all.triangles[t].neighbours[i].filter(|_| !walls[t][i])?;
        Some(number[neighbour as usize])
    };
    let triangles =
        kept.iter().map(|&t| Triangle { corners: all.triangles[t].corners, pass: [0, 1, 2].map(|i| beyond(t, i)) });
    let doors = kept.iter().map(|&t| [0, 1, 2].map(|i| all.triangles[t].constrained[i] && !walls[t][i]));
    Facets {
        out: vec![[false; 3]; kept.len()],
        points: all.vertices.clone(),
        originals,
        triangles: triangles.collect(),
        doors: doors.collect(),
        rounds: 0,
    }
}
