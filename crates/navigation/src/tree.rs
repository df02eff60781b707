//! Shortest ways from everywhere to one goal.

use passerby_geometry::{DVec2, math};

use crate::corners::{ANGLE_SLACK, Corner};
use crate::ground::{End, FIT, FLOOR_SLACK, Ground};
use crate::labels::{EVERY_KEY, Label, Labels, SIDES};
use crate::sight::Sight;
use crate::tangent::{Line, angle};
use crate::target::{Destination, Source, Target};
use crate::way::Way;

/// A way that ends within this distance has ended, m.
const ARRIVED: f64 = 1e-3;

/// Largest piece of a turn that is walked straight, rad.
const TURN_STEP: f64 = 0.35;

/// All shortest ways to a goal, for a disc of one radius and the doors as they were.
///
/// Valid for the map it was made by until a door is opened or closed.
#[derive(Debug, Clone)]
pub struct Tree {
    pub(crate) target: Target,
    pub(crate) radius: f64,
    labels: Labels,
}

/// The memory of a query. Keep one per thread: after the first few queries nothing is allocated.
#[derive(Debug, Clone, Default)]
pub struct Search {
    sight: Sight,
    triangles: Vec<u32>,
}

/// The first piece of a way: a line, what it leads to, and the length of the whole.
struct Choice {
    total: f64,
    line: Line,
    /// Normal at which the line arrives at the corner it leads to.
    arrive: DVec2,
    then: Option<u32>,
}

impl Tree {
    /// Dijkstra from the goal outward. Sight from each corner is worked out once.
    pub(crate) fn grow(ground: &Ground, regions: &[Vec<bool>], target: Target, radius: f64) -> Tree {
        let (mut labels, mut sight) = (Labels::new(ground.mesh.points.len()), Sight::default());
        let mut seen: Vec<Option<(usize, usize)>> = vec![None; ground.mesh.points.len()];
        let mut vertices: Vec<u32> = Vec::new();
        let sought = target.sought(regions);
        let mut look = |corner: &Corner, sight: &mut Sight, vertices: &mut Vec<u32>| {
            *seen[corner.vertex as usize].get_or_insert_with(|| {
                sight.look_from_corner(&ground.mesh, &ground.corners, corner, sought);
                let start = vertices.len();
                vertices.extend_from_slice(&sight.vertices);
                (start, vertices.len())
            })
        };
        match &target {
            Target::Nowhere => {}
            Target::Point(Destination { end, triangles, .. }) => {
                sight.look_from_point(&ground.mesh, &ground.corners, end.at, triangles, sought);
                labels.start(ground, *end, radius, &sight.vertices, EVERY_KEY, |_| 0.0);
            }
            Target::Region(_) => {
                for corner in ground.corners.all() {
                    look(corner, &mut sight, &mut vertices);
                    for side in SIDES {
                        target.lines(ground, Source::Corner(corner, side), radius, &sight, |line, n| {
                            let label = Label::new(corner, side, n, &line, line.length, None);
                            labels.add_direct(ground, label, radius, 0.0);
                        });
                    }
                }
            }
        }
        while let Some((_, label)) = labels.pop() {
            if let Some(corner) = ground.corners.at(labels.get(label).vertex) {
                let (start, end) = look(corner, &mut sight, &mut vertices);
                labels.spread(ground, label, radius, &vertices[start..end], EVERY_KEY, |_| 0.0);
            }
        }
        labels.finish();
        Tree { target, radius, labels }
    }

    /// The way from `at`.
    pub(crate) fn next(&self, ground: &Ground, regions: &[Vec<bool>], at: DVec2, search: &mut Search) -> Option<Way> {
        let Search { sight, triangles } = search;
        let start = ground.stand(at, self.radius, triangles)?;
        if let Target::Region(entrances) = &self.target
            && triangles.iter().any(|&t| regions[entrances.region][t as usize])
        {
            return Some(Way { toward: at.as_vec2(), distance: 0.0 });
        }
        sight.look_from_point(&ground.mesh, &ground.corners, start.at, triangles, self.target.sought(regions));
        let mut best: Option<Choice> = None;
        self.target.lines(ground, Source::Point(start), self.radius, sight, |line, arrive| {
            if best.as_ref().is_none_or(|b| line.length < b.total) {
                best = Some(Choice { total: line.length, line, arrive, then: None });
            }
        });
        for &v in &sight.vertices {
            if let Some(corner) = ground.corners.at(v) {
                for side in SIDES {
                    self.try_corner(ground, start, corner, side, &sight.vertices, &mut best);
                }
            }
        }
        let choice = best?;
        let back = start.at.distance(at);
        // From closer than the radius, the straight line to the end of the first piece is free too: nothing can be in the
        // triangle between the two, since all of it is closer than the radius to that piece.
        let toward = if back > self.radius.max(FLOOR_SLACK) { start.at } else { self.toward(ground, &choice, start) };
        Some(Way { toward: toward.as_vec2(), distance: (back + choice.total + self.target.extra()) as f32 })
    }

    /// Takes the way by `corner` if it is shorter than `best`; ties go to the lower vertex.
    fn try_corner(
        &self,
        ground: &Ground,
        start: End,
        corner: &Corner,
        side: f64,
        seen: &[u32],
        best: &mut Option<Choice>,
    ) {
        let shorter = |total: f64, best: &Option<Choice>| {
            best.as_ref().is_none_or(|b| {
                let tie = total == b.total && b.then.is_some_and(|n| corner.vertex < self.labels.get(n).vertex);
                total < b.total || tie
            })
        };
        // No way by this corner is shorter than straight to it and then on.
        let least = self.labels.of(corner.vertex, side).map(|(_, label)| label.distance).fold(f64::INFINITY, f64::min);
        if !shorter(least + start.at.distance(corner.at) - self.radius, best) || least.is_infinite() {
            return;
        }
        let Some((line, arrive)) = ground.approach(start, corner, side, self.radius, seen) else { return };
        let around = start.distance_to_keep(corner.at, self.radius);
        for (number, &Label { normal: leave, distance, .. }) in self.labels.of(corner.vertex, side) {
            let total = line.length + self.radius * angle(arrive, leave) + distance;
            if side * arrive.perp_dot(leave) >= -ANGLE_SLACK
                && shorter(total, best)
                && ground.can_turn(corner, side, arrive, leave, around)
            {
                *best = Some(Choice { total, line, arrive, then: Some(number) });
            }
        }
    }

    /// The point to walk straight to. On a turn, where the next straight piece has no length, it is a point ahead on the
    /// tangent; at its end it is the next turn.
    fn toward(&self, ground: &Ground, choice: &Choice, start: End) -> DVec2 {
        let Line { to, direction, length, .. } = choice.line;
        let Some(then) = choice.then else {
            return match &self.target {
                Target::Point(point) if length <= self.radius => point.wanted,
                _ => to,
            };
        };
        let label = self.labels.get(then);
        let Some(corner) = ground.corners.at(label.vertex) else { return to };
        let around = start.distance_to_keep(corner.at, self.radius);
        let turn = angle(choice.arrive, label.normal);
        let ahead = (around * math::double::tan(turn.min(TURN_STEP) / 2.0)).max(ARRIVED);
        if length > ahead {
            to
        } else if around * turn > FIT {
            start.at + direction * ahead
        } else {
            label.to
        }
    }

    /// Whether the disc can be where these ways lead: not so for a region in a niche that is too narrow for it, which the
    /// ways still lead to.
    pub fn goal_has_room(&self) -> bool {
        self.target.has_room(self.radius)
    }

    /// Radius of the disc these ways are for, m.
    pub fn radius(&self) -> f32 {
        self.radius as f32
    }
}
