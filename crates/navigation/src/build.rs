//! From a floor to a map: one triangulation of everything, then what is free, what is a wall, what is a door.

use std::collections::BTreeMap;

use passerby_geometry::triangulation::{SNAP, Triangulation, triangulate};
use passerby_geometry::{DVec2, Polygon, Segment, Vec2, WallId, Walls};

use crate::corners::Corners;
use crate::floor::Floor;
use crate::ground::Ground;
use crate::map::Map;
use crate::mesh::{Mesh, Triangle, closest_point};
use crate::pace::Paces;
use crate::patches::Patches;
use crate::placing::Placing;
use crate::views::Views;

/// A place may not be larger than this, m: beyond it `f32` no longer resolves a centimetre.
const EXTENT_MAX: f64 = 100_000.0;

/// An edge belongs to a door if its ends are so close to the door's line, m: cleaning may have moved them a little.
pub(crate) const DOOR_SLACK: f64 = 10.0 * SNAP;

/// A place that cannot be made into a map.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MapError {
    /// There is no area, or obstacles cover all of it.
    #[error("no floor is left to walk on: {areas} areas, {obstacles} obstacles")]
    NoFloor {
        /// Number of areas.
        areas: usize,
        /// Number of obstacles.
        obstacles: usize,
    },
    /// The areas are too far apart.
    #[error("the floor is {extent} m across, at most {EXTENT_MAX} m are allowed: are these metres?")]
    TooLarge {
        /// The longer side of the box around all areas, m.
        extent: f64,
    },
    /// An obstacle is far away from the floor.
    #[error("obstacle {obstacle} reaches to ({}, {}), more than {EXTENT_MAX} m from the floor: are these metres?", at.x, at.y)]
    ObstacleFarOff {
        /// Index of the obstacle.
        obstacle: usize,
        /// Its farthest point.
        at: DVec2,
    },
    /// No part of a door lies on free floor.
    #[error("door `{door}` from ({}, {}) to ({}, {}) is nowhere on free floor", line[0].x, line[0].y, line[1].x, line[1].y)]
    DoorOffFloor {
        /// Its name.
        door: String,
        /// Its line.
        line: [DVec2; 2],
    },
    /// No part of a region lies on free floor.
    #[error("region `{region}` with a corner at ({}, {}) is nowhere on free floor", at.x, at.y)]
    RegionOffFloor {
        /// Its name.
        region: String,
        /// Its first vertex.
        at: DVec2,
    },
}

/// An edge between two free triangles that doors can close.
#[derive(Debug, Clone)]
pub(crate) struct DoorEdge {
    /// Triangle and edge, seen from both sides.
    pub sides: [(u32, usize); 2],
    pub doors: Vec<usize>,
    /// The walls that stand for it when it is closed; none where it is too short for `f32`.
    pub walls: Option<[WallId; 2]>,
}

/// The map of a floor on which more obstacles were put: these may cover doors and regions, those of the floor may not.
pub(crate) fn map(floor: &Floor, put: &[Polygon]) -> Result<Map, MapError> {
    let offset = offset(floor)?;
    let mut floor = moved(floor, -offset);
    floor.obstacles.extend(put.iter().map(|polygon| polygon.translated(-offset)));
    check_reach(&floor, offset)?;
    let (mut constraints, outlines) = (Vec::new(), floor.areas.iter().flat_map(|a| a.rings()).chain(&floor.obstacles));
    constraints.extend(outlines.chain(floor.regions.iter().map(|r| &r.polygon)).flat_map(Polygon::edges));
    constraints.extend(floor.doors.iter().map(|d| d.line));
    let nothing = MapError::NoFloor { areas: floor.areas.len(), obstacles: floor.obstacles.len() };
    // Everything has been checked to be within reach.
    let triangulation = triangulate(&constraints).map_err(|_| nothing.clone())?;
    let patches = Patches::new(&triangulation);
    let free = patches.free(&floor, &triangulation);
    let (mesh, constrained) = mesh(&triangulation, &free);
    if mesh.triangles.is_empty() {
        return Err(nothing);
    }
    let patch_of: Vec<u32> = patches.of.iter().zip(&free).filter_map(|(&patch, free)| free.then_some(patch)).collect();
    let mut regions = Vec::new();
    for region in &floor.regions {
        let mut covered = vec![false; patches.count()];
        patches.each_inside(&region.polygon, |patch| covered[patch] = true);
        let inside: Vec<bool> = patch_of.iter().map(|&patch| covered[patch as usize]).collect();
        if !inside.contains(&true) && put.is_empty() {
            let at = region.polygon.points()[0] + offset;
            return Err(MapError::RegionOffFloor { region: region.name.clone(), at });
        }
        regions.push(inside);
    }
    let mut door_edges = door_edges(&floor, &mesh, &constrained);
    for (door, there) in floor.doors.iter().enumerate() {
        if !door_edges.iter().any(|edge| edge.doors.contains(&door)) && put.is_empty() {
            return Err(MapError::DoorOffFloor { door: there.name.clone(), line: there.line.map(|p| p + offset) });
        }
    }
    let walls = walls(&mesh, &mut door_edges);
    let bounds = bounds(&mesh);
    let ground = Ground { corners: Corners::new(&mesh), mesh };
    let closed = vec![false; floor.doors.len()];
    let paces = Paces::new(&floor.regions);
    let outlines = floor.regions.into_iter().map(|r| r.polygon).collect();
    let (placing, views) = (Placing::default(), Views::new(ground.mesh.points.len()));
    Ok(Map { offset, ground, walls, bounds, door_edges, closed, outlines, paces, regions, placing, views })
}

/// The smallest box that holds all triangles.
pub(crate) fn bounds(mesh: &Mesh) -> (Vec2, Vec2) {
    let corners = mesh.all().flat_map(|(_, t)| t.corners).map(|v| mesh.point(v));
    let (low, high) = corners.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
    (low.as_vec2(), high.as_vec2())
}

/// The middle of the box around all areas, rounded to whole metres.
fn offset(floor: &Floor) -> Result<DVec2, MapError> {
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for (from, to) in floor.areas.iter().map(|a| a.outer.bounds()) {
        (low, high) = (low.min(from), high.max(to));
    }
    if floor.areas.is_empty() {
        return Err(MapError::NoFloor { areas: 0, obstacles: floor.obstacles.len() });
    }
    let extent = (high - low).max_element();
    if extent > EXTENT_MAX {
        return Err(MapError::TooLarge { extent });
    }
    Ok(((low + high) / 2.0).round())
}

fn moved(floor: &Floor, by: DVec2) -> Floor {
    let mut floor = floor.clone();
    floor.areas.iter_mut().for_each(|a| *a = a.translated(by));
    floor.obstacles.iter_mut().for_each(|o| *o = o.translated(by));
    floor.doors.iter_mut().for_each(|d| d.line = d.line.map(|p| p + by));
    floor.regions.iter_mut().for_each(|r| r.polygon = r.polygon.translated(by));
    floor
}

/// Everything has to be near the floor, or the triangulation would lose precision. NaN is refused too.
fn check_reach(floor: &Floor, offset: DVec2) -> Result<(), MapError> {
    let far = |p: &DVec2| !p.is_finite() || p.abs().max_element() > 2.0 * EXTENT_MAX;
    for (obstacle, polygon) in floor.obstacles.iter().enumerate() {
        if let Some(&at) = polygon.points().iter().find(|p| far(p)) {
            return Err(MapError::ObstacleFarOff { obstacle, at: at + offset });
        }
    }
    if let Some(door) = floor.doors.iter().find(|d| d.line.iter().any(far)) {
        return Err(MapError::DoorOffFloor { door: door.name.clone(), line: door.line.map(|p| p + offset) });
    }
    if let Some(region) = floor.regions.iter().find(|r| r.polygon.points().iter().any(&far)) {
        let at = region.polygon.points()[0] + offset;
        return Err(MapError::RegionOffFloor { region: region.name.clone(), at });
    }
    Ok(())
}

/// The free triangles, and which of their edges lie on constraints.
fn mesh(triangulation: &Triangulation, free: &[bool]) -> (Mesh, Vec<[bool; 3]>) {
    let mut number: Vec<Option<u32>> = vec![None; free.len()];
    let kept: Vec<usize> = (0..free.len()).filter(|&t| free[t]).collect();
    kept.iter().enumerate().for_each(|(new, &old)| number[old] = Some(new as u32));
    let triangle = |&t: &usize| {
        let triangle = &triangulation.triangles[t];
        Triangle { corners: triangle.corners, pass: triangle.neighbours.map(|n| number[n? as usize]) }
    };
    let triangles = kept.iter().map(triangle).collect();
    let constrained = kept.iter().map(|&t| triangulation.triangles[t].constrained).collect();
    (Mesh::new(triangulation.vertices.clone(), triangles), constrained)
}

/// The edges between free triangles that lie on doors.
fn door_edges(floor: &Floor, mesh: &Mesh, constrained: &[[bool; 3]]) -> Vec<DoorEdge> {
    let mut edges = Vec::new();
    for (t, triangle) in mesh.triangles.iter().enumerate() {
        for i in (0..3).filter(|&i| constrained[t][i]) {
            let Some(u) = triangle.pass[i].filter(|&u| u > t as u32) else { continue };
            let ends = mesh.edge(t as u32, i);
            let on = |line: [DVec2; 2]| ends.iter().all(|&p| closest_point(line, p).distance(p) <= DOOR_SLACK);
            let doors: Vec<usize> = (0..floor.doors.len()).filter(|&d| on(floor.doors[d].line)).collect();
            if let (false, Some(j)) =
                (doors.is_empty(), mesh.triangle(u).pass.iter().position(|&n| n == Some(t as u32)))
            {
                edges.push(DoorEdge { sides: [(t as u32, i), (u, j)], doors, walls: None });
            }
        }
    }
    edges
}

/// The border of the free floor, collinear edges joined, then two opposite walls for each door edge, switched off.
fn walls(mesh: &Mesh, door_edges: &mut [DoorEdge]) -> Walls {
    let mut segments: Vec<Segment> = Vec::new();
    for run in runs(mesh) {
        let (a, b) = (mesh.point(run.0).as_vec2(), mesh.point(run.1).as_vec2());
        segments.extend((a != b).then_some(Segment { a, b }));
    }
    let border = segments.len() as u32;
    for edge in door_edges.iter_mut() {
        let [a, b] = mesh.edge(edge.sides[0].0, edge.sides[0].1).map(DVec2::as_vec2);
        if a != b {
            let first = segments.len() as u32;
            edge.walls = Some([WallId(first), WallId(first + 1)]);
            segments.extend([Segment { a, b }, Segment { a: b, b: a }]);
        }
    }
    let count = segments.len() as u32;
    let mut walls = Walls::new(segments);
    (border..count).for_each(|wall| walls.set_on(WallId(wall), false));
    walls
}

/// The wall edges as pairs of vertices, joined where a vertex lies on a straight wall.
fn runs(mesh: &Mesh) -> Vec<(u32, u32)> {
    let mut after: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut arriving: BTreeMap<u32, u32> = BTreeMap::new();
    for triangle in &mesh.triangles {
        for i in (0..3).filter(|&i| triangle.pass[i].is_none()) {
            let (a, b) = (triangle.corners[i], triangle.corners[(i + 1) % 3]);
            after.entry(a).or_default().push(b);
            *arriving.entry(b).or_default() += 1;
        }
    }
    let simple = |v: u32| after.get(&v).is_some_and(|next| next.len() == 1) && arriving.get(&v) == Some(&1);
    let straight = |a: u32, b: u32, c: u32| {
        let [a, b, c] = [a, b, c].map(|v| mesh.point(v));
        (b - a).dot(c - b) > 0.0 && closest_point([a, c], b).distance(b) <= 2.0 * SNAP
    };
    let joint = |a: u32, b: u32| simple(b).then(|| after[&b][0]).filter(|&c| straight(a, b, c));
    let starts = after.iter().flat_map(|(&a, next)| next.iter().map(move |&b| (a, b)));
    let before: BTreeMap<u32, u32> = after.iter().flat_map(|(&a, next)| next.iter().map(move |&b| (b, a))).collect();
    let mut runs = Vec::new();
    // A run begins where the edge before does not lead straight into it. Every border turns somewhere, so all are found.
    for (a, b) in starts.filter(|&(a, b)| !(simple(a) && before.get(&a).is_some_and(|&z| straight(z, a, b)))) {
        let (mut last, mut end) = (a, b);
        while let Some(next) = joint(last, end) {
            (last, end) = (end, next);
        }
        runs.push((a, end));
    }
    runs
}
