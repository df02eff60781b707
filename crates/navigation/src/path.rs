//! One shortest way: A* from the start.
//!
//! What a corner sees is looked at only as far as the ways by it are not much longer than the straight line, and only on the
//! side from which somebody who turns there may have come; the rest when nothing shorter waits.

use passerby_geometry::{DVec2, Vec2, math};

use crate::corners::ANGLE_SLACK;
use crate::ground::{End, FIT, Ground};
use crate::labels::{Labels, ROOT};
use crate::mesh::closest_point;
use crate::sight::{Sight, Turn};
use crate::tangent::{Line, angle};
use crate::target::{Source, Target};
use crate::way::Path;

/// How far the chords of a drawn arc may cut into it, m.
const CHORD_DEPTH: f64 = 2e-5;

/// How much longer than the estimate ways may be that are first tried from a corner, as a share of it. Most are never needed:
/// corners are left to wait, and tried again with ways longer by this factor when nothing shorter waits.
const FIRST_STEP: f64 = 0.02;
const STEP_GROWTH: f64 = 4.0;

/// What is left when a way is found: the last piece, from a corner or from the start itself.
struct Arrival {
    length: f64,
    line: Line,
    from: Option<u32>,
}

/// What is asked for: the shortest way to `target` for a disc, `outline` being that of the target if it is a region.
pub(crate) struct Question<'a> {
    pub ground: &'a Ground,
    pub regions: &'a [Vec<bool>],
    pub target: &'a Target,
    pub outline: &'a [DVec2],
    pub radius: f64,
}

impl Question<'_> {
    /// The way from `start`.
    pub fn answer(&self, start: Vec2) -> Option<Path> {
        let mut triangles = Vec::new();
        let root = self.ground.stand(start.as_dvec2(), self.radius, &mut triangles)?;
        if let Target::Region(entrances) = self.target
            && triangles.iter().any(|&t| self.regions[entrances.region][t as usize])
        {
            return Some(Path { points: vec![start], length: 0.0 });
        }
        let (labels, arrival) = self.search(root, &triangles)?;
        let mut points = Vec::new();
        if let Target::Point(point) = self.target {
            points.push(point.wanted);
        }
        trace(self.ground, &labels, &arrival, &mut points);
        points.push(start.as_dvec2());
        points.reverse();
        points.dedup_by(|a, b| a.distance(*b) < 1e-6);
        let length = root.at.distance(start.as_dvec2()) + arrival.length + self.target.extra();
        Some(Path { points: points.into_iter().map(DVec2::as_vec2).collect(), length: length as f32 })
    }

    /// Never more than what is really left: the straight line.
    fn estimate(&self, p: DVec2) -> f64 {
        match self.target {
            Target::Nowhere => 0.0,
            Target::Point(point) => point.end.at.distance(p),
            Target::Region(_) => {
                let outline = self.outline;
                let edges = (0..outline.len()).map(|i| [outline[i], outline[(i + 1) % outline.len()]]);
                edges.map(|edge| closest_point(edge, p).distance(p)).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// How long ways may be that are tried now from a label at `at`, which has waited with `key`.
    fn longest(&self, at: DVec2, distance: f64, key: f64) -> f64 {
        match self.target {
            Target::Point(_) => {
                let estimate = self.estimate(at);
                let first = FIRST_STEP * estimate + self.radius + FIT;
                distance + estimate + first.max(STEP_GROWTH * (key - distance - estimate))
            }
            Target::Region(_) | Target::Nowhere => f64::INFINITY,
        }
    }

    /// A*: what leads to the root, and the last piece of the shortest way.
    fn search(&self, root: End, triangles: &[u32]) -> Option<(Labels, Arrival)> {
        let Question { ground, target, radius, .. } = *self;
        let (mesh, corners, sought) = (&ground.mesh, &ground.corners, target.sought(self.regions));
        let (mut sight, mut labels) = (Sight::default(), Labels::new(mesh.points.len()));
        let mut best: Option<Arrival> = None;
        let estimate = |p: DVec2| self.estimate(p);
        labels.wait(estimate(root.at), ROOT);
        while let Some((key, number)) = labels.pop() {
            if best.as_ref().is_some_and(|b| b.length <= key) {
                break;
            }
            let label = (number != ROOT).then(|| *labels.get(number));
            let (at, distance) = label.map_or((root.at, 0.0), |label| (label.from, label.distance));
            let most = self.longest(at, distance, key);
            // A line that touches the circles of two corners is shorter than that between them by two radii at most, and
            // what is left is estimated from a radius before the second. What blocks such a line is no farther away.
            let near = sought.within(most - distance + 3.0 * radius + FIT);
            let (keys, mut more) = ([key - FIT, most], false);
            let mut arrive = |line: Line, turn: f64| {
                let length = line.length + turn + distance;
                if length > most {
                    more = true;
                } else if best.as_ref().is_none_or(|b| length < b.length) {
                    best = Some(Arrival { length, line, from: label.map(|_| number) });
                }
            };
            if let Some(label) = label {
                let Some(corner) = corners.at(label.vertex) else { continue };
                let turn = Turn { side: label.side, normal: label.normal, radius };
                sight.look_from_turn(mesh, corners, corner, turn, near);
                // Labels are walked towards their root, this last piece away from it: the turn goes the other way round.
                target.lines(ground, Source::Corner(corner, -label.side), radius, &sight, |line, n| {
                    if label.side * n.perp_dot(label.normal) >= -ANGLE_SLACK
                        && ground.can_turn(corner, label.side, n, label.normal, radius)
                    {
                        arrive(line, radius * angle(n, label.normal));
                    }
                });
                more |= labels.spread(ground, number, radius, &sight.vertices, keys, estimate);
            } else {
                sight.look_from_point(mesh, corners, root.at, triangles, near);
                target.lines(ground, Source::Point(root), radius, &sight, |line, _| arrive(line, 0.0));
                more |= labels.start(ground, root, radius, &sight.vertices, keys, estimate);
            }
            if more || sight.cut {
                labels.wait(most, number);
            }
        }
        best.map(|arrival| (labels, arrival))
    }
}

/// Adds the points of a way from its end back to the start.
fn trace(ground: &Ground, labels: &Labels, arrival: &Arrival, points: &mut Vec<DVec2>) {
    points.extend([arrival.line.to, arrival.line.from]);
    let mut next = arrival.from;
    while let Some(label) = next.map(|number| labels.get(number)) {
        if let (Some(&touch), Some(corner)) = (points.last(), ground.corners.at(label.vertex)) {
            arc(corner.at, label.side, touch, label.from, points);
        }
        points.extend([label.from, label.to]);
        next = label.parent;
    }
}

/// Points between `from` and `to` on a circle, going round on `side`.
fn arc(centre: DVec2, side: f64, from: DVec2, to: DVec2, points: &mut Vec<DVec2>) {
    let radius = to.distance(centre);
    let (Some(a), Some(b)) = ((from - centre).try_normalize(), (to - centre).try_normalize()) else { return };
    let turn = side * angle(a, b);
    // A chord over the angle x is r (1 - cos(x / 2)), about r x^2 / 8, deep.
    let steps = (turn.abs() / (8.0 * CHORD_DEPTH / radius.max(1e-6)).sqrt()).ceil();
    for i in 1..steps as usize {
        let (sin, cos) = math::double::sin_cos(turn * i as f64 / steps);
        points.push(centre + radius * DVec2::new(a.x * cos - a.y * sin, a.x * sin + a.y * cos));
    }
}
