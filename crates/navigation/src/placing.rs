//! Obstacles that come and go on a map: triangles, doors, corners and walls are made anew where they stand.

use passerby_geometry::{DVec2, Polygon, Vec2, WallId};

use crate::build::{DOOR_SLACK, DoorEdge};
use crate::carve::{Carved, carve, touched};
use crate::corners::GAP_RANGE;
use crate::map::Map;
use crate::mesh::{Triangle, closest_point};
use crate::rewalling;
use crate::standing::{NEAR, ObstacleId};

/// An obstacle that was put on a map, and what was there before.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    id: ObstacleId,
    /// How many were put before it.
    order: u32,
    /// In local coordinates.
    polygon: Polygon,
    old: Vec<(u32, Triangle)>,
    new: Vec<u32>,
    points: Vec<u32>,
    /// For each edge to what stays the old triangle and edge, and the new ones.
    border: Vec<[(u32, usize); 2]>,
    old_doors: Vec<DoorEdge>,
    /// Walls that it covers, or parts of which.
    off: Vec<WallId>,
    /// Walls that are there because of it.
    added: Vec<WallId>,
}

/// All that were put and stand, in the order they were, and numbers that are free again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Placing {
    placed: Vec<Placed>,
    put_count: u32,
    unused_points: Vec<u32>,
    unused_triangles: Vec<u32>,
}

impl Placed {
    /// Whether it was cut out of what another one had left, or stands where that hides it.
    fn is_on(&self, other: &Placed) -> bool {
        let ((low, high), (from, to)) = (self.polygon.bounds(), other.polygon.bounds());
        (low.cmple(to + NEAR).all() && high.cmpge(from - NEAR).all())
            || self.old.iter().any(|(t, _)| other.new.contains(t))
            || self.off.iter().any(|wall| other.added.contains(wall))
    }
}

impl Map {
    /// Puts an obstacle on the floor, in the place's coordinates; nobody else may be called so. It may cover doors and regions, which
    /// then cannot be reached. Only what is around it is made anew; trees made before do not know.
    ///
    /// `false`, and nothing has changed, if rounding leaves no clean cut: then [`Map::build_with`] has to do it.
    #[must_use]
    pub fn put(&mut self, id: ObstacleId, polygon: &Polygon) -> bool {
        self.put_local(id, polygon.translated(-self.offset))
    }

    /// Takes an obstacle away that was put.
    ///
    /// `false` if there is none of that name, or others cannot be put again without it: then the map has to be built anew.
    #[must_use]
    pub fn take(&mut self, id: ObstacleId) -> bool {
        let placed = &self.placing.placed;
        let Some(first) = placed.iter().position(|p| p.id == id) else { return false };
        // What was cut out of what this one has left has to go before it, and comes again afterwards.
        let mut with_it = vec![first];
        for later in first + 1..placed.len() {
            if with_it.iter().any(|&before| placed[later].is_on(&placed[before])) {
                with_it.push(later);
            }
        }
        let mut again: Vec<Placed> = with_it.iter().rev().map(|&place| self.undo(place)).collect();
        again.retain(|p| p.id != id);
        again.sort_by_key(|p| p.order);
        again.into_iter().all(|p| self.put_local(p.id, p.polygon))
    }

    fn put_local(&mut self, id: ObstacleId, polygon: Polygon) -> bool {
        let patch = self.with_doors(touched(&self.ground.mesh, &polygon));
        let mut placed = Placed::new(id, self.placing.put_count, polygon);
        if !patch.is_empty() {
            let mesh = &self.ground.mesh;
            let divides = |t: u32, i: usize| {
                let beyond = mesh.triangle(t).pass[i];
                let differs = |inside: &Vec<bool>| beyond.is_some_and(|n| inside[t as usize] != inside[n as usize]);
                self.is_door(t, i) || self.regions.iter().any(differs)
            };
            let Some(carved) = carve(mesh, &patch, divides, &placed.polygon) else { return false };
            self.lay(&mut placed, &patch, &carved);
        }
        self.placing.put_count += 1;
        self.placing.placed.push(placed);
        true
    }

    /// With the triangles on the other sides of doors, so that no door is between what is cut and what stays.
    fn with_doors(&self, mut patch: Vec<u32>) -> Vec<u32> {
        loop {
            let within = |(t, _): &(u32, usize)| patch.binary_search(t).is_ok();
            let more: Vec<u32> = (self.door_edges.iter())
                .filter(|edge| edge.sides.iter().any(within) && !edge.sides.iter().all(within))
                .flat_map(|edge| edge.sides.map(|(t, _)| t))
                .collect();
            if more.is_empty() {
                return patch;
            }
            patch.extend(more);
            patch.sort_unstable();
            patch.dedup();
        }
    }

    fn is_door(&self, t: u32, i: usize) -> bool {
        self.door_edges.iter().any(|edge| edge.sides.contains(&(t, i)))
    }

    /// Puts what was carved in the place of a patch.
    fn lay(&mut self, placed: &mut Placed, patch: &[u32], carved: &Carved) {
        let old_walls = self.wall_edges(patch);
        let (doors, rest) = std::mem::take(&mut self.door_edges)
            .into_iter()
            .partition(|edge: &DoorEdge| patch.binary_search(&edge.sides[0].0).is_ok());
        (placed.old_doors, self.door_edges) = (doors, rest);
        for wall in placed.old_doors.iter().filter_map(|edge| edge.walls).flatten() {
            self.walls.set_on(wall, false);
        }
        let free: Vec<usize> = (0..carved.free.len()).filter(|&t| carved.free[t]).collect();
        let numbers = self.number_points(placed, carved, &free);
        let mut number = vec![None; carved.free.len()];
        for &t in &free {
            let new = self.new_triangle();
            number[t] = Some(new);
            placed.new.push(new);
            let source = carved.source[t] as usize;
            self.regions.iter_mut().for_each(|inside| inside[new as usize] = inside[source]);
        }
        let mesh = &mut self.ground.mesh;
        for (&t, &new) in free.iter().zip(&placed.new) {
            let corners = carved.all.triangles[t].corners.map(|v| numbers[v as usize].unwrap_or_default());
            let pass = [0, 1, 2].map(|i| carved.beyond(t, i).and_then(|n| number[n as usize]));
            mesh.triangles[new as usize] = Triangle { corners, pass };
            for i in 0..3 {
                if let Some(fixed) = carved.fixed_at(carved.ends(t, i)) {
                    placed.border.push([fixed.old, (new, i)]);
                }
            }
        }
        placed.border.iter().for_each(|&[old, new]| mesh.hand_over(old, new));
        placed.old = patch.iter().map(|&t| (t, *mesh.triangle(t))).collect();
        mesh.grid.replace(&mesh.shapes(patch), &mesh.shapes(&placed.new));
        let bounds = mesh.bounds_of(patch);
        patch.iter().for_each(|&t| mesh.triangles[t as usize] = Triangle::GONE);
        let new_walls = self.wall_edges(&placed.new);
        (placed.off, placed.added) = rewalling::change(self, &placed.polygon, &old_walls, &new_walls);
        self.cut_doors(placed, carved, &free);
        self.look_around(bounds, &[patch, &placed.new[..]].concat(), &placed.points);
    }

    /// The numbers of all points in the mesh that free triangles use.
    fn number_points(&mut self, placed: &mut Placed, carved: &Carved, free: &[usize]) -> Vec<Option<u32>> {
        let mut numbers: Vec<Option<u32>> = vec![None; carved.all.vertices.len()];
        carved.known.iter().enumerate().for_each(|(v, known)| numbers[v] = Some(*known));
        for v in free.iter().flat_map(|&t| carved.all.triangles[t].corners) {
            if numbers[v as usize].is_none() {
                let points = &mut self.ground.mesh.points;
                let point = self.placing.unused_points.pop().unwrap_or(points.len() as u32);
                if point as usize == points.len() {
                    points.push(DVec2::ZERO);
                }
                points[point as usize] = carved.all.vertices[v as usize];
                placed.points.push(point);
                numbers[v as usize] = Some(point);
            }
        }
        numbers
    }

    fn new_triangle(&mut self) -> u32 {
        self.placing.unused_triangles.pop().unwrap_or_else(|| {
            self.ground.mesh.triangles.push(Triangle::GONE);
            self.regions.iter_mut().for_each(|inside| inside.push(false));
            self.ground.mesh.triangles.len() as u32 - 1
        })
    }

    /// Walls of some triangles that are no doors, free side on the left.
    fn wall_edges(&self, some: &[u32]) -> Vec<[DVec2; 2]> {
        let mesh = &self.ground.mesh;
        let walls = |t: u32| (0..3).filter(move |&i| mesh.triangle(t).pass[i].is_none() && !self.is_door(t, i));
        some.iter().flat_map(|&t| walls(t).map(move |i| mesh.edge(t, i))).collect()
    }

    /// What is left of doors becomes doors.
    fn cut_doors(&mut self, placed: &Placed, carved: &Carved, free: &[usize]) {
        if placed.old_doors.is_empty() {
            return;
        }
        let mesh = &self.ground.mesh;
        let lines: Vec<[DVec2; 2]> = (placed.old_doors.iter())
            .map(|edge| {
                let (t, i) = edge.sides[0];
                let corners = placed.old.iter().find(|(old, _)| *old == t).map_or([0; 3], |(_, t)| t.corners);
                [mesh.point(corners[i]), mesh.point(corners[(i + 1) % 3])]
            })
            .collect();
        let mut found = Vec::new();
        for (&t, &new) in free.iter().zip(&placed.new) {
            for i in (0..3).filter(|&i| carved.all.triangles[t].constrained[i]) {
                let Some(beyond) = mesh.triangle(new).pass[i].filter(|&n| n > new && placed.new.contains(&n)) else {
                    continue;
                };
                let back = mesh.triangle(beyond).pass.iter().position(|&n| n == Some(new));
                let [a, b] = mesh.edge(new, i);
                let on = |line: &[DVec2; 2]| [a, b].iter().all(|p| closest_point(*line, *p).distance(*p) <= DOOR_SLACK);
                if let (Some(old), Some(back)) = (lines.iter().position(on), back) {
                    let doors = placed.old_doors[old].doors.clone();
                    found.push((DoorEdge { sides: [(new, i), (beyond, back)], doors, walls: None }, [a, b]));
                }
            }
        }
        for (mut edge, ends) in found {
            let [a, b] = ends.map(DVec2::as_vec2);
            edge.walls = (a != b).then(|| self.add_door_walls(a, b));
            self.set_edge(&edge);
            self.door_edges.push(edge);
        }
    }

    fn add_door_walls(&mut self, a: Vec2, b: Vec2) -> [WallId; 2] {
        [[a, b], [b, a]].map(|[a, b]| self.walls.add(passerby_geometry::Segment { a, b }))
    }

    /// Gives back what was there before an obstacle.
    fn undo(&mut self, place: usize) -> Placed {
        let placed = self.placing.placed.remove(place);
        if placed.old.is_empty() {
            return placed;
        }
        let mesh = &mut self.ground.mesh;
        placed.old.iter().for_each(|(t, triangle)| mesh.triangles[*t as usize] = *triangle);
        placed.border.iter().for_each(|&[old, new]| mesh.hand_over(new, old));
        let old: Vec<u32> = placed.old.iter().map(|(t, _)| *t).collect();
        mesh.grid.replace(&mesh.shapes(&placed.new), &mesh.shapes(&old));
        let bounds = mesh.bounds_of(&old);
        placed.new.iter().for_each(|&t| mesh.triangles[t as usize] = Triangle::GONE);
        self.placing.unused_triangles.extend(placed.new.iter().rev());
        self.placing.unused_points.extend(placed.points.iter().rev());
        let (gone, rest): (Vec<DoorEdge>, Vec<DoorEdge>) =
            std::mem::take(&mut self.door_edges).into_iter().partition(|edge| placed.new.contains(&edge.sides[0].0));
        self.door_edges = rest;
        for wall in gone.iter().filter_map(|edge| edge.walls).flatten().chain(placed.added.iter().copied()) {
            self.walls.remove(wall);
        }
        placed.off.iter().for_each(|&wall| self.walls.set_on(wall, true));
        for edge in placed.old_doors.iter().cloned() {
            self.set_edge(&edge);
            self.door_edges.push(edge);
        }
        self.look_around(bounds, &[&old[..], &placed.new].concat(), &placed.points);
        placed
    }

    /// Finds the corners in a box, and those whose gaps may have changed. Forgets what was seen through some triangles, which have
    /// changed, or of some points, which are new or gone.
    pub(crate) fn look_around(&mut self, (low, high): (DVec2, DVec2), triangles: &[u32], points: &[u32]) {
        let margin = DVec2::splat(GAP_RANGE);
        let mut vertices = self.ground.corners.update(&self.ground.mesh, low - margin, high + margin);
        vertices.extend_from_slice(points);
        self.views.change(&self.ground, triangles, &vertices, (low, high));
        self.bounds = crate::build::bounds(&self.ground.mesh);
    }
}

impl Placed {
    fn new(id: ObstacleId, order: u32, polygon: Polygon) -> Placed {
        Placed {
            id,
            order,
            polygon,
            old: Vec::new(),
            new: Vec::new(),
            points: Vec::new(),
            border: Vec::new(),
            old_doors: Vec::new(),
            off: Vec::new(),
            added: Vec::new(),
        }
    }
}
