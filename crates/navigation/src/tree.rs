//! Shortest ways from everywhere to one goal.

use passerby_geometry::{DVec2, math};

use crate::corners::{ANGLE_SLACK, Corner};
use crate::ground::{End, FIT, FLOOR_SLACK, Ground};
use crate::growth::{Growth, Label, Soil};
use crate::labels::SIDES;
use crate::sight::Sight;
use crate::tangent::{Line, angle};
use crate::target::{Destination, Source, Target};
use crate::views::Views;
use crate::way::Way;
use std::collections::{BTreeMap, BTreeSet};

/// A way that ends within this distance has ended, m.
const ARRIVED: f64 = 1e-3;

/// Largest piece of a turn that is walked straight, rad.
const TURN_STEP: f64 = 0.35;

/// All shortest ways to a goal, for a disc of one radius and the doors as they were.
///
/// Valid for the map it was made by until a door is opened or closed or an obstacle comes or goes; then
/// [`Map::repair`](crate::Map::repair) makes it so again.
#[derive(Debug, Clone)]
pub struct Tree {
    pub(crate) target: Target,
    pub(crate) radius: f64,
    labels: Growth,
    /// How often the map had changed.
    version: usize,
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
    /// Dijkstra from the goal outward.
    pub(crate) fn grow(ground: &Ground, views: &Views, regions: &[Vec<bool>], target: Target, radius: f64) -> Tree {
        let soil = Soil { ground, views, radius };
        let direct = match &target {
            Target::Nowhere => BTreeMap::new(),
            Target::Point(point) => from_point(soil, point, &target, regions),
            Target::Region(_) => from_corners(soil, ground.corners.all().iter(), &target, regions),
        };
        Tree { target, radius, labels: Growth::new(soil, direct), version: views.version() }
    }

    /// Follows all changes of the floor since it was grown, to what growing it anew would give; false, and it is as before, if that
    /// needs growing anew. All views have to be there.
    pub(crate) fn repair(&mut self, ground: &Ground, views: &Views, regions: &[Vec<bool>], target: Target) -> bool {
        let soil = Soil { ground, views, radius: self.radius };
        let Some(changes) = views.since(self.version).filter(|_| self.target.is_entered_like(&target)) else {
            return false;
        };
        let mut affected: BTreeSet<u32> = changes.iter().flat_map(|changed| changed.vertices.iter().copied()).collect();
        // Where there is little room, walls out of sight matter too.
        let reach = DVec2::splat(2.0 * self.radius + FLOOR_SLACK);
        for corner in ground.corners.all().iter().filter(|corner| !corner.is_open(self.radius)) {
            let near =
                |(low, high): (DVec2, DVec2)| corner.at.cmpge(low - reach).all() && corner.at.cmple(high + reach).all();
            affected.extend(changes.iter().any(|changed| near(changed.bounds)).then_some(corner.vertex));
        }
        let direct = match &target {
            Target::Nowhere => BTreeMap::new(),
            Target::Point(point) => {
                let mut direct = from_point(soil, point, &target, regions);
                let old = self.labels.direct();
                let none = Vec::new();
                let differs = |vertex: &u32| {
                    let [a, b] = [old, &direct].map(|all| all.get(vertex).unwrap_or(&none));
                    !Growth::same(a, b)
                };
                affected.extend(old.keys().chain(direct.keys()).copied().filter(differs));
                direct.retain(|vertex, _| affected.contains(vertex));
                direct
            }
            Target::Region(_) => {
                let corners = affected.iter().filter_map(|&vertex| ground.corners.at(vertex));
                from_corners(soil, corners, &target, regions)
            }
        };
        let affected: Vec<u32> = affected.into_iter().collect();
        self.labels.repair(soil, &affected, direct);
        (self.target, self.version) = (target, views.version());
        true
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

    /// Whether the ways of two trees are the same to the last bit.
    pub fn is_like(&self, other: &Tree) -> bool {
        self.radius == other.radius && self.target.is_entered_like(&other.target) && self.labels.is_like(&other.labels)
    }

    /// Radius of the disc these ways are for, m.
    pub fn radius(&self) -> f32 {
        self.radius as f32
    }
}

/// The labels whose lines lead straight to a point.
fn from_point(
    soil: Soil<'_>,
    point: &Destination,
    target: &Target,
    regions: &[Vec<bool>],
) -> BTreeMap<u32, Vec<Label>> {
    let Soil { ground, radius, .. } = soil;
    let mut sight = Sight::default();
    sight.look_from_point(&ground.mesh, &ground.corners, point.end.at, &point.triangles, target.sought(regions));
    let mut direct: BTreeMap<u32, Vec<Label>> = BTreeMap::new();
    for corner in sight.vertices.iter().filter_map(|&v| ground.corners.at(v)) {
        if direct.contains_key(&corner.vertex) {
            continue; // a few are seen twice
        }
        for side in SIDES {
            // Seen from the goal, the corner is passed on the other side.
            if let Some((line, n)) = ground.approach(point.end, corner, -side, radius, &sight.vertices) {
                let label = Label::new(corner, side, n, &line.reversed(), line.length, None);
                direct.entry(corner.vertex).or_default().push(label);
            }
        }
    }
    direct
}

/// The labels of some corners whose lines lead straight to a region.
fn from_corners<'a>(
    soil: Soil<'_>,
    corners: impl Iterator<Item = &'a Corner>,
    target: &Target,
    regions: &[Vec<bool>],
) -> BTreeMap<u32, Vec<Label>> {
    let Soil { ground, views, radius } = soil;
    let mut sight = Sight::default();
    let mut direct: BTreeMap<u32, Vec<Label>> = BTreeMap::new();
    for corner in corners {
        sight.look_from_corner(&ground.mesh, &ground.corners, corner, target.sought(regions));
        views.keep(ground, corner, &sight);
        for side in SIDES {
            target.lines(ground, Source::Corner(corner, side), radius, &sight, |line, n| {
                let label = Label::new(corner, side, n, &line, line.length, None);
                direct.entry(corner.vertex).or_default().push(label);
            });
        }
    }
    direct
}
