//! The walkable map of a place: what everybody asks for walls, regions and ways.

use passerby_geometry::{DVec2, Polygon, Vec2, Walls};

use crate::build::{self, DoorEdge, MapError};
use crate::floor::Floor;
use crate::ground::Ground;
use crate::pace::{Paces, holds};
use crate::path::Question;
use crate::placing::Placing;
use crate::target::{Destination, Entrances, Target};
use crate::tree::{Search, Tree};
use crate::views::Views;
use crate::way::{Goal, Path, Way};

/// Room that even a point needs at the end of a straight way, m.
const OFF_WALL: f32 = 1e-3;

/// Where one can walk, in local coordinates: those of the place less [`Map::offset`].
#[derive(Debug, Clone)]
pub struct Map {
    pub(crate) offset: DVec2,
    pub(crate) ground: Ground,
    pub(crate) walls: Walls,
    /// Lower left and upper right corner of the free floor.
    pub(crate) bounds: (Vec2, Vec2),
    pub(crate) door_edges: Vec<DoorEdge>,
    pub(crate) closed: Vec<bool>,
    pub(crate) outlines: Vec<Polygon>,
    pub(crate) paces: Paces,
    /// For each region, whether each triangle is in it.
    pub(crate) regions: Vec<Vec<bool>>,
    /// Obstacles that were put.
    pub(crate) placing: Placing,
    /// What corners see.
    pub(crate) views: Views,
}

impl Map {
    /// Works out where one can walk. All doors are open.
    pub fn build(floor: &Floor) -> Result<Map, MapError> {
        build::map(floor, &[])
    }

    /// As [`Map::build`], with more obstacles (in the place's coordinates) put on the floor. They may cover doors and regions,
    /// which then cannot be reached.
    pub fn build_with(floor: &Floor, put: &[Polygon]) -> Result<Map, MapError> {
        build::map(floor, put)
    }

    /// A point in the place's coordinates less this is the point in local coordinates: whole metres, near the middle.
    pub fn offset(&self) -> DVec2 {
        self.offset
    }

    /// The border of the free floor, free side on the left; each edge of a closed door is two opposite walls.
    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// Opens or closes a door, by its index in the floor. Trees made before do not know. Nothing happens if there is no
    /// such door.
    pub fn set_door(&mut self, door: usize, open: bool) {
        if self.closed.get(door).is_none_or(|&closed| closed != open) {
            return;
        }
        self.closed[door] = !open;
        let its: Vec<DoorEdge> = self.door_edges.iter().filter(|edge| edge.doors.contains(&door)).cloned().collect();
        let sides: Vec<u32> = its.iter().flat_map(|edge| edge.sides.map(|(t, _)| t)).collect();
        its.iter().for_each(|edge| self.set_edge(edge));
        if !sides.is_empty() {
            self.look_around(self.ground.mesh.bounds_of(&sides), &sides, &[]);
        }
    }

    /// Opens or closes an edge, as its doors are.
    pub(crate) fn set_edge(&mut self, edge: &DoorEdge) {
        // Where two doors share an edge, both have to be open.
        let open = !edge.doors.iter().any(|&d| self.closed[d]);
        let [(t, i), (u, j)] = edge.sides;
        self.ground.mesh.triangles[t as usize].pass[i] = open.then_some(u);
        self.ground.mesh.triangles[u as usize].pass[j] = open.then_some(t);
        for wall in edge.walls.into_iter().flatten() {
            self.walls.set_on(wall, !open);
        }
    }

    /// Whether each door is closed, by its index in the floor.
    pub fn closed_doors(&self) -> &[bool] {
        &self.closed
    }

    /// Whether `at` is on the free floor.
    pub fn contains(&self, at: Vec2) -> bool {
        self.ground.mesh.locate(at.as_dvec2()).is_some()
    }

    /// The smallest box that holds the free floor: lower left and upper right corner.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        self.bounds
    }

    /// Area of the free floor, m2.
    pub fn free_area(&self) -> f64 {
        let mesh = &self.ground.mesh;
        let doubled = |t: &crate::mesh::Triangle| {
            let [a, b, c] = t.corners.map(|v| mesh.point(v));
            (b - a).perp_dot(c - a)
        };
        mesh.all().map(|(_, t)| doubled(t)).sum::<f64>() / 2.0
    }

    /// Number of corners round which ways can turn, doors as they are now.
    pub fn corner_count(&self) -> usize {
        self.ground.corners.all().len()
    }

    /// Whether `at` is in a region, by its index in the floor; the outline counts, and a millimetre around it.
    pub fn in_region(&self, region: usize, at: Vec2) -> bool {
        self.outlines.get(region).is_some_and(|outline| holds(outline, at.as_dvec2()))
    }

    /// How many times their speed people walk at a point; where regions overlap, the slowest counts.
    pub fn pace_at(&self, at: Vec2) -> f32 {
        self.paces.at(at.as_dvec2()) as f32
    }

    /// A point of the free floor near `at` and at least `clearance` from walls. The nearest one to about 5 %: it is looked
    /// for on circles that grow by so much.
    pub fn nearest_free(&self, at: Vec2, clearance: f32) -> Option<Vec2> {
        let mesh = &self.ground.mesh;
        let (center, clearance) = (at.as_dvec2(), f64::from(clearance).max(0.0));
        let free = |p: DVec2| mesh.locate(p).is_some() && mesh.clearance(p, clearance) >= clearance;
        if !center.is_finite() || free(center) {
            return center.is_finite().then_some(at);
        }
        let (low, high) = self.bounds();
        let far = (center - low.as_dvec2()).abs().max((center - high.as_dvec2()).abs()).length();
        let mut radius = 1e-3;
        while radius < far * 1.1 {
            let around = (0..96).map(|i| {
                let (sin, cos) = passerby_geometry::math::double::sin_cos(f64::from(i) * std::f64::consts::TAU / 96.0);
                center + radius * DVec2::new(cos, sin)
            });
            // In `f32`, so that the caller's point is the one that was tested.
            if let Some(found) = around.map(|p| p.as_vec2()).find(|p| free(p.as_dvec2())) {
                return Some(found);
            }
            radius *= 1.05;
        }
        // A floor so narrow that all circles missed it: the nearest middle of a triangle.
        let middles = mesh.all().map(|(_, t)| t.corners.iter().map(|&v| mesh.point(v)).sum::<DVec2>() / 3.0);
        let nearest = middles.filter(|&p| free(p)).min_by(|p, q| p.distance(center).total_cmp(&q.distance(center)));
        nearest.map(|p| p.as_vec2())
    }

    /// Exact shortest ways from everywhere to `goal` for a disc of `radius` (m, at least 0), doors as they are now.
    pub fn tree(&self, goal: &Goal, radius: f32) -> Tree {
        let radius = f64::from(radius).max(0.0);
        Tree::grow(&self.ground, &self.views, &self.regions, self.target(goal, radius), radius)
    }

    /// Gets ready for [`Map::repair`]: all corners look around that have not yet, or whose surroundings have changed. False if the
    /// map is too large for that.
    pub fn look(&mut self) -> bool {
        self.views.complete(&self.ground)
    }

    /// Lets a tree that this map has made for a goal follow what has happened to doors and obstacles since: it becomes what
    /// [`Map::tree`] gives, to the last bit, and where little has changed in a fraction of the time. [`Map::look`] comes before it.
    pub fn repair(&self, goal: &Goal, tree: &mut Tree) {
        let target = self.target(goal, tree.radius);
        if !tree.repair(&self.ground, &self.views, &self.regions, target) {
            *tree = self.tree(goal, tree.radius as f32);
        }
    }

    /// What somebody at `at` has to do to get to the goal of `tree`; `None` if there is no way.
    ///
    /// Somebody closer to a wall than their radius is led along with the room there is. Exact otherwise.
    pub fn next(&self, tree: &Tree, at: Vec2, search: &mut Search) -> Option<Way> {
        self.straight(tree, at).or_else(|| tree.next(&self.ground, &self.regions, at.as_dvec2(), search))
    }

    /// The straight way to the nearest point of the goal, where it is free: then none is shorter.
    fn straight(&self, tree: &Tree, at: Vec2) -> Option<Way> {
        let from = at.as_dvec2();
        let to = match &tree.target {
            Target::Point(point) if point.wanted == point.end.at => point.wanted,
            Target::Region(entrances) => {
                let outline = &self.outlines[entrances.region];
                (!outline.contains(from)).then(|| outline.closest_point(from))?
            }
            Target::Point(_) | Target::Nowhere => return None,
        };
        let toward = to.as_vec2();
        // The nearest point may be on a wall, with all that is free of the region behind it: to points without a radius too
        // that is no way in.
        let free = self.walls.passable(at, toward, (tree.radius as f32).max(OFF_WALL));
        free.then(|| Way { toward, distance: from.distance(to) as f32 })
    }

    /// The exact shortest way for a disc of `radius` (m, at least 0); `None` if there is no way.
    pub fn path(&self, from: Vec2, goal: &Goal, radius: f32) -> Option<Path> {
        let radius = f64::from(radius).max(0.0);
        let target = self.target(goal, radius);
        let outline = match goal {
            Goal::Region(region) => self.outlines.get(*region).map(Polygon::points),
            Goal::Point(_) => None,
        };
        let outline = outline.unwrap_or(&[]);
        Question { ground: &self.ground, regions: &self.regions, target: &target, outline, radius }.answer(from)
    }

    fn target(&self, goal: &Goal, radius: f64) -> Target {
        match *goal {
            Goal::Point(at) => {
                let (wanted, mut triangles) = (at.as_dvec2(), Vec::new());
                let end = self.ground.stand(wanted, radius, &mut triangles);
                end.map_or(Target::Nowhere, |end| Target::Point(Destination { end, triangles, wanted }))
            }
            Goal::Region(region) => self.regions.get(region).map_or(Target::Nowhere, |inside| {
                Target::Region(Entrances::new(&self.ground.mesh, region, inside, radius))
            }),
        }
    }
}
