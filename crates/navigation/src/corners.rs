//! Corners: wall vertices round which the free floor turns by more than a half circle, so that ways can bend there.

use passerby_geometry::triangulation::orientation;
use passerby_geometry::{DVec2, math};
use std::collections::BTreeMap;

use crate::mesh::Mesh;

/// Directions are compared with this tolerance, rad: far above rounding, far below anything one could draw.
pub(crate) const ANGLE_SLACK: f64 = 1e-9;

/// Directions that lead by less than this behind a corner lead along it: lines of discs that fit exactly are off by as much.
const BEHIND: f64 = 1e-3;

/// How far from a corner other walls are looked for, m. Bodies up to half as large have a quick test.
pub(crate) const GAP_RANGE: f64 = 2.0;

/// What the vertices of a mesh are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Corners {
    /// Whether a wall or closed door ends at each vertex.
    wall: Vec<bool>,
    /// The corner at each vertex. There is at most one: two sectors of more than a half circle do not fit.
    number: Vec<Option<u32>>,
    all: Vec<Corner>,
}

/// A vertex whose free sector is wider than a half circle.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Corner {
    pub vertex: u32,
    pub at: DVec2,
    /// First triangle of its free sector, counter-clockwise.
    pub fan: u32,
    /// Directions of the two walls that bound the sector.
    sides: [DVec2; 2],
    /// Middle of the directions in which a disc can touch the corner.
    middle: DVec2,
    /// Distance to the nearest wall in whose way a disc on this corner could be, at most [`GAP_RANGE`].
    gap: f64,
}

impl Corners {
    pub fn new(mesh: &Mesh) -> Corners {
        let count = mesh.points.len();
        let mut corners = Corners { wall: vec![false; count], number: vec![None; count], all: Vec::new() };
        for (t, triangle) in mesh.all() {
            (0..3).filter(|&i| triangle.pass[i].is_none()).for_each(|i| corners.begin(mesh, t, triangle.corners[i]));
        }
        corners
    }

    /// Counter-clockwise round a vertex, a free sector begins with a triangle that is behind a wall.
    fn begin(&mut self, mesh: &Mesh, first: u32, vertex: u32) {
        self.wall[vertex as usize] = true;
        if let Some(corner) = corner(mesh, vertex, first) {
            self.number[vertex as usize] = Some(self.all.len() as u32);
            self.all.push(corner);
        }
    }

    /// Finds the corners in a box anew, and forgets those that are not there any more. Gives the vertices that are others now.
    pub fn update(&mut self, mesh: &Mesh, low: DVec2, high: DVec2) -> Vec<u32> {
        (self.wall.resize(mesh.points.len(), false), self.number.resize(mesh.points.len(), None));
        let inside = |at: DVec2| at.cmpge(low).all() && at.cmple(high).all();
        let mut near = Vec::new();
        mesh.grid.each_in(low, high, |t| near.push(t));
        near.sort_unstable();
        near.dedup();
        let mut before: BTreeMap<u32, (bool, Option<Corner>)> = BTreeMap::new();
        let known = |vertex: u32| (self.wall[vertex as usize], self.at(vertex).cloned());
        let there = near.iter().flat_map(|&t| mesh.triangle(t).corners).filter(|&v| inside(mesh.point(v)));
        there.for_each(|vertex| _ = before.entry(vertex).or_insert_with(|| known(vertex)));
        let gone: Vec<u32> = self.all.iter().filter(|corner| inside(corner.at)).map(|corner| corner.vertex).collect();
        gone.iter().for_each(|&vertex| _ = before.entry(vertex).or_insert_with(|| known(vertex)));
        gone.iter().for_each(|&vertex| self.forget(vertex));
        for vertex in near.iter().flat_map(|&t| mesh.triangle(t).corners).filter(|&v| inside(mesh.point(v))) {
            self.wall[vertex as usize] = false;
        }
        for &t in &near {
            let triangle = mesh.triangle(t);
            for i in (0..3).filter(|&i| triangle.pass[i].is_none() && inside(mesh.point(triangle.corners[i]))) {
                self.begin(mesh, t, triangle.corners[i]);
            }
        }
        let is_other = |(vertex, (wall, corner)): &(&u32, &(bool, Option<Corner>))| {
            self.wall[**vertex as usize] != *wall || self.at(**vertex) != corner.as_ref()
        };
        before.iter().filter(is_other).map(|(vertex, _)| *vertex).collect()
    }

    fn forget(&mut self, vertex: u32) {
        if let Some(number) = self.number[vertex as usize].take() {
            self.all.swap_remove(number as usize);
            if let Some(moved) = self.all.get(number as usize) {
                self.number[moved.vertex as usize] = Some(number);
            }
        }
    }

    pub fn is_wall(&self, vertex: u32) -> bool {
        self.wall[vertex as usize]
    }

    pub fn at(&self, vertex: u32) -> Option<&Corner> {
        self.number[vertex as usize].map(|n| &self.all[n as usize])
    }

    pub fn all(&self) -> &[Corner] {
        &self.all
    }
}

impl Corner {
    /// Whether a disc can touch the corner in direction `n` without cutting into the two walls that meet there.
    pub fn faces(&self, n: DVec2) -> bool {
        n.dot(self.sides[0]) <= ANGLE_SLACK && n.dot(self.sides[1]) <= ANGLE_SLACK && n.dot(self.middle) >= -ANGLE_SLACK
    }

    /// Whether direction `n` leads into the walls that meet there, and not only along one of them.
    pub fn is_behind(&self, n: DVec2) -> bool {
        n.dot(self.middle) < -BEHIND
    }

    /// The first normal at which a disc that goes round on `side` can touch.
    pub fn first_normal(&self, side: f64) -> DVec2 {
        if side > 0.0 { self.sides[0].perp() } else { -self.sides[1].perp() }
    }

    /// Whether the direction of `p`, from the corner, comes before that of `end` for somebody who looks round from the wall
    /// at which a turn on `side` begins.
    pub fn is_before(&self, side: f64, p: DVec2, end: DVec2) -> bool {
        let wall = if side > 0.0 { self.sides[0] } else { self.sides[1] };
        // The wall itself is before everything, also where the end is half a circle away.
        let slack = -ANGLE_SLACK * p.length();
        let (after_wall, before_end) = (side * wall.perp_dot(p) >= slack, side * p.perp_dot(end) >= slack);
        if side * wall.perp_dot(end) >= 0.0 { after_wall && before_end } else { after_wall || before_end }
    }

    /// Whether a disc of this radius keeps clear of all other walls, wherever it touches the corner.
    pub fn is_open(&self, radius: f64) -> bool {
        self.gap >= 2.0 * radius
    }
}

/// The triangles of a free sector, counter-clockwise from `first`: triangle and the index of the corner in it.
pub(crate) fn fan(mesh: &Mesh, vertex: u32, first: u32) -> impl Iterator<Item = (u32, usize)> + '_ {
    let mut next = Some(first);
    std::iter::from_fn(move || {
        let t = next?;
        let triangle = mesh.triangle(t);
        let i = triangle.corners.iter().position(|&v| v == vertex)?;
        // The last edge ends at the vertex: beyond it the sector goes on. Back at the start, the floor goes all round.
        next = triangle.pass[(i + 2) % 3].filter(|&t| t != first);
        Some((t, i))
    })
}

fn corner(mesh: &Mesh, vertex: u32, first: u32) -> Option<Corner> {
    let at = mesh.point(vertex);
    let direction = |p: DVec2| (p - at).normalize();
    let (mut angle, mut ends) = (0.0, [at; 2]);
    for (t, i) in fan(mesh, vertex, first) {
        let corners = mesh.triangle(t).corners;
        let (a, b) = (mesh.point(corners[(i + 1) % 3]), mesh.point(corners[(i + 2) % 3]));
        ends = [if t == first { a } else { ends[0] }, b];
        let (from, to) = (direction(a), direction(b));
        angle += math::double::atan2(from.perp_dot(to), from.dot(to));
    }
    // Where the walls are straight up to rounding, the exact sign decides: sight is exact too, and a vertex that sticks out
    // ever so little hides what is behind it, so that ways have to go by it.
    let beyond_half = angle - std::f64::consts::PI;
    let hollow = if beyond_half.abs() < 1e-3 { orientation(at, ends[0], ends[1]) >= 0.0 } else { beyond_half < 0.0 };
    if hollow {
        return None;
    }
    let sides = ends.map(direction);
    // The directions in which a disc can touch are those at right angles or more to both walls.
    let normals = [sides[0].perp(), -sides[1].perp()];
    let sum = normals[0] + normals[1] - sides[0] - sides[1];
    let middle = sum.try_normalize().unwrap_or(-sides[0]);
    // What lies in the wedge between the two walls is behind the corner: no disc that touches it gets there.
    let behind = |p: DVec2| [normals[0], normals[1], middle].iter().all(|n| n.dot(p - at) <= ANGLE_SLACK);
    let harmless = |wall: [DVec2; 2]| wall.contains(&at) || (behind(wall[0]) && behind(wall[1]));
    // Close by first: where walls are dense there are thousands within the whole range.
    let mut gap = GAP_RANGE;
    for range in [GAP_RANGE / 16.0, GAP_RANGE / 4.0, GAP_RANGE] {
        mesh.walls_within(at, range, |wall, nearest| {
            if !harmless(wall) {
                gap = gap.min(nearest.distance(at));
            }
        });
        if gap < range {
            break;
        }
    }
    Some(Corner { vertex, at, fan: first, sides, middle, gap })
}
