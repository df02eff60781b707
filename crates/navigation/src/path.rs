//! One shortest way: A* from the start.

use passerby_geometry::{DVec2, Vec2, math};

use crate::corners::ANGLE_SLACK;
use crate::ground::Ground;
use crate::labels::Labels;
use crate::mesh::closest_point;
use crate::sight::{Sight, Turn};
use crate::tangent::{Line, angle};
use crate::target::{Source, Target};
use crate::way::Path;

/// How far the chords of a drawn arc may cut into it, m.
const CHORD_DEPTH: f64 = 2e-5;

/// What is left when a way is found: the last piece, from a corner or from the start itself.
struct Arrival {
    length: f64,
    line: Line,
    from: Option<u32>,
}

/// The shortest way from `start` to `target` for a disc, `outline` being that of the target if it is a region.
pub(crate) fn find(
    ground: &Ground,
    regions: &[Vec<bool>],
    start: Vec2,
    target: &Target,
    outline: &[DVec2],
    radius: f64,
) -> Option<Path> {
    let (mut sight, mut triangles) = (Sight::default(), Vec::new());
    let root = ground.stand(start.as_dvec2(), radius, &mut triangles)?;
    if let Target::Region(entrances) = target
        && triangles.iter().any(|&t| regions[entrances.region][t as usize])
    {
        return Some(Path { points: vec![start], length: 0.0 });
    }
    // Never more than what is really left: the straight line.
    let estimate = |p: DVec2| match target {
        Target::Nowhere => 0.0,
        Target::Point(point) => point.end.at.distance(p),
        Target::Region(_) => {
            let edges = (0..outline.len()).map(|i| [outline[i], outline[(i + 1) % outline.len()]]);
            edges.map(|edge| closest_point(edge, p).distance(p)).fold(f64::INFINITY, f64::min)
        }
    };
    let sought = target.sought(regions);
    let mut labels = Labels::new(ground.mesh.points.len());
    let mut best: Option<Arrival> = None;
    let arrive = |length: f64, line: Line, from: Option<u32>, best: &mut Option<Arrival>| {
        if best.as_ref().is_none_or(|b| length < b.length) {
            *best = Some(Arrival { length, line, from });
        }
    };
    sight.look_from_point(&ground.mesh, &ground.corners, root.at, &triangles, sought);
    target.lines(ground, Source::Point(root), radius, &sight, |line, _| arrive(line.length, line, None, &mut best));
    labels.start(ground, root, radius, &sight.vertices, estimate);
    while let Some((key, number)) = labels.pop() {
        if best.as_ref().is_some_and(|b| b.length <= key) {
            break;
        }
        let label = *labels.get(number);
        let Some(corner) = ground.corners.at(label.vertex) else { continue };
        let turn = Turn { side: label.side, normal: label.normal, radius };
        sight.look_from_turn(&ground.mesh, &ground.corners, corner, turn, sought);
        // Labels are walked towards their root, this last piece away from it: the turn goes the other way round.
        target.lines(ground, Source::Corner(corner, -label.side), radius, &sight, |line, n| {
            if label.side * n.perp_dot(label.normal) >= -ANGLE_SLACK
                && ground.can_turn(corner, label.side, n, label.normal, radius)
            {
                let length = line.length + radius * angle(n, label.normal) + label.distance;
                arrive(length, line, Some(number), &mut best);
            }
        });
        labels.spread(ground, number, radius, &sight.vertices, estimate);
    }
    let arrival = best?;
    let mut points = Vec::new();
    if let Target::Point(point) = target {
        points.push(point.wanted);
    }
    trace(ground, &labels, &arrival, &mut points);
    points.push(start.as_dvec2());
    points.reverse();
    points.dedup_by(|a, b| a.distance(*b) < 1e-6);
    let length = root.at.distance(start.as_dvec2()) + arrival.length + target.extra();
    Some(Path { points: points.into_iter().map(DVec2::as_vec2).collect(), length: length as f32 })
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
