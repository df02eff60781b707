//! The walls and door lines of a map as edges between few points: pieces that go straight on are one.

use passerby_geometry::DVec2;
use passerby_geometry::triangulation::SNAP;

use crate::map::Map;
use crate::mesh::closest_point;

/// What bounds and divides the free floor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Border {
    pub points: Vec<DVec2>,
    /// From point to point, free floor on the left; both ways where a door is closed.
    pub walls: Vec<[u32; 2]>,
    /// Open doors, the lower point first.
    pub doors: Vec<[u32; 2]>,
}

/// What meets at a vertex of the mesh.
#[derive(Debug, Clone, Copy, Default)]
struct Joint {
    walls_in: u32,
    walls_out: u32,
    doors: u32,
    wall_from: u32,
    wall_to: u32,
    door_to: [u32; 2],
    /// Which doors these edges are part of, as a number.
    door_is: [u32; 2],
}

impl Border {
    /// The border of the free floor of `map`, doors as they are now; `straight` joins pieces that go straight on.
    pub fn new(map: &Map, straight: bool) -> Border {
        let mesh = &map.ground.mesh;
        let mut walls: Vec<[u32; 2]> = Vec::new();
        for (_, triangle) in mesh.all() {
            let ends = |i: usize| [triangle.corners[i], triangle.corners[(i + 1) % 3]];
            walls.extend((0..3).filter(|&i| triangle.pass[i].is_none()).map(ends));
        }
        let (mut doors, mut of_doors, mut kinds): (Vec<[u32; 2]>, Vec<u32>, Vec<&[usize]>) = Default::default();
        for edge in &map.door_edges {
            let (triangle, i) = (mesh.triangle(edge.sides[0].0), edge.sides[0].1);
            let (a, b) = (triangle.corners[i], triangle.corners[(i + 1) % 3]);
            if triangle.pass[i].is_some() {
                let kind = kinds.iter().position(|kind| *kind == edge.doors).unwrap_or(kinds.len());
                if kind == kinds.len() {
                    kinds.push(&edge.doors);
                }
                (doors.push([a.min(b), a.max(b)]), of_doors.push(kind as u32));
            }
        }
        if straight {
            let joints = joints(mesh.points.len(), &walls, &doors, &of_doors);
            let goes_on = |a: u32, b: u32, c: u32| {
                let [a, b, c] = [a, b, c].map(|v| mesh.point(v));
                (b - a).dot(c - b) > 0.0 && closest_point([a, c], b).distance(b) <= 2.0 * SNAP
            };
            walls = joined(&walls, false, |from, at| joints[at as usize].after_wall(from), goes_on);
            doors = joined(&doors, true, |from, at| joints[at as usize].after_door(from), goes_on);
        }
        renumbered(&mesh.points, walls, doors)
    }
}

impl Joint {
    /// Where a wall goes on from here, if nothing else meets here.
    fn after_wall(&self, from: u32) -> Option<u32> {
        let only = self.walls_in == 1 && self.walls_out == 1 && self.doors == 0;
        (only && self.wall_from == from).then_some(self.wall_to)
    }

    /// Likewise for a door. Where another one begins it ends: that opens and closes by itself.
    fn after_door(&self, from: u32) -> Option<u32> {
        let only = self.doors == 2 && self.walls_in == 0 && self.walls_out == 0 && self.door_is[0] == self.door_is[1];
        only.then(|| if self.door_to[0] == from { self.door_to[1] } else { self.door_to[0] })
    }
}

fn joints(count: usize, walls: &[[u32; 2]], doors: &[[u32; 2]], of_doors: &[u32]) -> Vec<Joint> {
    let mut joints = vec![Joint::default(); count];
    for &[a, b] in walls {
        (joints[a as usize].walls_out += 1, joints[a as usize].wall_to = b);
        (joints[b as usize].walls_in += 1, joints[b as usize].wall_from = a);
    }
    for (&[a, b], &is) in doors.iter().zip(of_doors) {
        for (v, other) in [(a, b), (b, a)] {
            let joint = &mut joints[v as usize];
            if joint.doors < 2 {
                (joint.door_to[joint.doors as usize], joint.door_is[joint.doors as usize]) = (other, is);
            }
            joint.doors += 1;
        }
    }
    joints
}

/// Edges joined over every vertex at which `after` leads straight on. A run begins where nothing leads straight into it;
/// every border turns somewhere, so all are found. What has no direction is found from both ends and kept once.
fn joined(
    edges: &[[u32; 2]],
    both_ways: bool,
    after: impl Fn(u32, u32) -> Option<u32>,
    goes_on: impl Fn(u32, u32, u32) -> bool,
) -> Vec<[u32; 2]> {
    let next = |a: u32, b: u32| after(a, b).filter(|&c| goes_on(a, b, c)).map(|c| [b, c]);
    let mut directed: Vec<[u32; 2]> = edges.to_vec();
    if both_ways {
        directed.extend(edges.iter().map(|&[a, b]| [b, a]));
    }
    let mut inner: Vec<[u32; 2]> = directed.iter().filter_map(|&[a, b]| next(a, b)).collect();
    inner.sort_unstable();
    let mut runs = Vec::new();
    for &[start, then] in directed.iter().filter(|edge| inner.binary_search(edge).is_err()) {
        let mut last = [start, then];
        while let Some(further) = next(last[0], last[1]) {
            last = further;
        }
        if !both_ways || start < last[1] {
            runs.push([start, last[1]]);
        }
    }
    runs
}

fn renumbered(points: &[DVec2], mut walls: Vec<[u32; 2]>, mut doors: Vec<[u32; 2]>) -> Border {
    let mut number = vec![u32::MAX; points.len()];
    walls.iter().chain(&doors).flatten().for_each(|&v| number[v as usize] = 0);
    let mut kept = Vec::new();
    for (v, number) in number.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
        *number = kept.len() as u32;
        kept.push(points[v]);
    }
    walls.iter_mut().chain(&mut doors).flatten().for_each(|v| *v = number[*v as usize]);
    (walls.sort_unstable(), doors.sort_unstable());
    Border { points: kept, walls, doors }
}
