//! Which walls come and go with an obstacle.
//!
//! Walls are as long as they go straight on, whatever triangles are beside them, and steering feels each of them. So a wall that an
//! obstacle stands against is taken away whole, and what is left of it comes in its place.

use passerby_geometry::{DVec2, Polygon, Segment, Vec2, WallId};

use crate::map::Map;
use crate::mesh::closest_point;

/// Walls closer to an obstacle than this may be cut by it, m.
const BESIDE: f64 = 0.05;

/// What is this close to a line is on it, m.
const ON_LINE: f64 = 1e-5;

/// A part of a wall, by the distances of its ends from the wall's first one.
#[derive(Debug, Clone, Copy)]
struct Part {
    from: f64,
    to: f64,
    ends: [Vec2; 2],
}

/// Changes the walls of a map where wall edges of triangles have become others: the ones that were switched off, and those put up.
pub(crate) fn change(
    map: &mut Map,
    polygon: &Polygon,
    old: &[[DVec2; 2]],
    new: &[[DVec2; 2]],
) -> (Vec<WallId>, Vec<WallId>) {
    let on_outline = |edge: &[DVec2; 2]| {
        let middle = (edge[0] + edge[1]) / 2.0;
        polygon.edges().any(|side| closest_point(side, middle).distance(middle) <= ON_LINE)
    };
    let mut outline: Vec<[DVec2; 2]> = new.iter().filter(|edge| on_outline(edge)).copied().collect();
    let (beside, mut pieces) = (beside(map, polygon), Vec::new());
    for segment in beside.iter().map(|&wall| map.walls.segment(wall)) {
        let parts = |edges: &[[DVec2; 2]]| edges.iter().filter_map(|e| part_of(segment, *e)).collect::<Vec<_>>();
        pieces.extend(left_of(segment, &parts(old), &parts(new)).iter().map(|part| part.ends));
        outline.retain(|edge| part_of(segment, *edge).is_none());
    }
    pieces.extend(outline.iter().map(|edge| edge.map(DVec2::as_vec2)));
    // A wall of the obstacle may go straight on where one of the place ends.
    let mut there = joined(pieces);
    let mut off = Vec::new();
    for wall in beside {
        let Segment { a, b } = map.walls.segment(wall);
        match there.iter().position(|ends| *ends == [a, b]) {
            Some(stays) => _ = there.remove(stays),
            None => off.push(wall),
        }
    }
    off.iter().for_each(|&wall| map.walls.set_on(wall, false));
    let added = there.into_iter().filter(|[a, b]| a != b);
    let added = added.map(|[a, b]| map.walls.add(Segment { a, b })).collect();
    (off, added)
}

/// The walls near an obstacle that are no doors, in the order of their numbers.
fn beside(map: &Map, polygon: &Polygon) -> Vec<WallId> {
    let (low, high) = polygon.bounds();
    let middle = ((low + high) / 2.0).as_vec2();
    let range = (low.distance(high) / 2.0 + BESIDE) as f32 + middle.length() * 4.0 * f32::EPSILON;
    let mut near = Vec::new();
    map.walls.near(middle, range, &mut near);
    let is_door = |wall: WallId| map.door_edges.iter().filter_map(|edge| edge.walls).flatten().any(|w| w == wall);
    let mut walls: Vec<WallId> = near.iter().map(|near| near.id).filter(|wall| !is_door(*wall)).collect();
    walls.sort_unstable();
    walls
}

/// Which part of a wall an edge is; none if it is no part of it.
fn part_of(wall: Segment, edge: [DVec2; 2]) -> Option<Part> {
    let (a, b) = (wall.a.as_dvec2(), wall.b.as_dvec2());
    let length = a.distance(b);
    let along = (b - a) / length;
    // Walls are in single precision.
    let slack = ON_LINE + 4.0 * f64::from(f32::EPSILON) * a.abs().max(b.abs()).max_element();
    let [from, to] = edge.map(|p| along.dot(p - a));
    let on = edge.iter().all(|p| along.perp_dot(*p - a).abs() <= slack);
    (on && from < to && from >= -slack && to <= length + slack).then(|| {
        let at_start = from <= slack;
        let at_end = to >= length - slack;
        let ends = [if at_start { wall.a } else { edge[0].as_vec2() }, if at_end { wall.b } else { edge[1].as_vec2() }];
        Part { from: if at_start { 0.0 } else { from }, to: if at_end { length } else { to }, ends }
    })
}

/// A wall without some parts, and with others: what of it is there in one piece.
fn left_of(wall: Segment, without: &[Part], with: &[Part]) -> Vec<Part> {
    let length = wall.a.as_dvec2().distance(wall.b.as_dvec2());
    let mut parts = vec![Part { from: 0.0, to: length, ends: [wall.a, wall.b] }];
    for gone in without {
        parts = parts
            .iter()
            .flat_map(|part| {
                let before = Part { to: gone.from.min(part.to), ends: [part.ends[0], gone.ends[0]], ..*part };
                let after = Part { from: gone.to.max(part.from), ends: [gone.ends[1], part.ends[1]], ..*part };
                let apart = gone.to <= part.from || gone.from >= part.to;
                if apart { [Some(*part), None] } else { [Some(before), Some(after)] }
            })
            .flatten()
            .filter(|part| part.to - part.from > ON_LINE)
            .collect();
    }
    parts.extend(with);
    parts.sort_by(|a, b| a.from.total_cmp(&b.from));
    let mut left: Vec<Part> = Vec::new();
    for part in parts {
        match left.last_mut() {
            Some(last) if part.from <= last.to + 2.0 * ON_LINE => {
                if part.to > last.to {
                    (last.to, last.ends[1]) = (part.to, part.ends[1]);
                }
            }
            _ => left.push(part),
        }
    }
    left
}

/// Segments that follow each other in a straight line as one.
fn joined(mut pieces: Vec<[Vec2; 2]>) -> Vec<[Vec2; 2]> {
    let straight = |[a, b]: [Vec2; 2], [_, c]: [Vec2; 2]| {
        let [a, b, c] = [a, b, c].map(Vec2::as_dvec2);
        let slack = ON_LINE + 4.0 * f64::from(f32::EPSILON) * b.abs().max_element();
        (b - a).dot(c - b) > 0.0 && closest_point([a, c], b).distance(b) <= slack
    };
    let mut i = 0;
    while i < pieces.len() {
        let end = pieces[i][1];
        let after: Vec<usize> = (0..pieces.len()).filter(|&j| pieces[j][0] == end).collect();
        let arriving = pieces.iter().filter(|piece| piece[1] == end).count();
        match after[..] {
            [j] if j != i && arriving == 1 && straight(pieces[i], pieces[j]) => {
                pieces[i][1] = pieces[j][1];
                pieces.remove(j);
                i = 0;
            }
            _ => i += 1,
        }
    }
    pieces
}
