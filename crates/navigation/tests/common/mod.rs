//! Floors and a reference that knows nothing of triangles: visibility graphs by trying every pair of points.
#![allow(dead_code)] // Each test file uses its part.

pub mod soon;

use passerby_geometry::{Area, DVec2, Polygon, Vec2, math};
use passerby_navigation::{Door, Floor, Goal, Map, Region};

pub fn polygon(points: &[[f64; 2]]) -> Polygon {
    Polygon::new(points.iter().map(|&p| DVec2::from(p)).collect()).unwrap()
}

pub fn rectangle(low: [f64; 2], high: [f64; 2]) -> Polygon {
    Polygon::rectangle(low.into(), high.into()).unwrap()
}

pub fn floor(outline: &[[f64; 2]]) -> Floor {
    Floor { areas: vec![polygon(outline).into()], ..Floor::default() }
}

pub fn l_floor() -> Floor {
    floor(&[[0.0, 0.0], [10.0, 0.0], [10.0, 4.0], [4.0, 4.0], [4.0, 10.0], [0.0, 10.0]])
}

pub fn pillar_floor() -> Floor {
    let hole = rectangle([4.0, 4.0], [6.0, 6.0]);
    Floor { areas: vec![Area::new(rectangle([0.0, 0.0], [10.0, 10.0]), vec![hole]).unwrap()], ..Floor::default() }
}

pub fn off_pillar_floor() -> Floor {
    let obstacles = vec![rectangle([5.0, 3.0], [7.0, 5.0])];
    Floor { areas: vec![rectangle([0.0, 0.0], [12.0, 9.0]).into()], obstacles, ..Floor::default() }
}

pub fn door_floor() -> Floor {
    Floor {
        areas: vec![rectangle([0.0, 0.0], [20.0, 10.0]).into()],
        obstacles: vec![rectangle([9.9, 0.0], [10.1, 4.0]), rectangle([9.9, 6.0], [10.1, 10.0])],
        doors: vec![Door { name: "front".into(), line: [DVec2::new(10.0, 4.0), DVec2::new(10.0, 6.0)] }],
        regions: vec![Region { name: "exit".into(), polygon: rectangle([19.0, 0.0], [20.0, 10.0]), speed: 1.0 }],
    }
}

pub fn t_floor() -> Floor {
    floor(&[[0.0, 0.0], [15.0, 0.0], [15.0, 3.0], [9.0, 3.0], [9.0, 10.0], [6.0, 10.0], [6.0, 3.0], [0.0, 3.0]])
}

pub fn kink_floor() -> Floor {
    floor(&[[0.0, 0.0], [12.0, 0.0], [12.0, 3.0], [7.0, 2.0], [0.0, 5.0]])
}

/// A point of the place in the map's coordinates.
pub fn local(map: &Map, p: [f64; 2]) -> Vec2 {
    (DVec2::from(p) - map.offset()).as_vec2()
}

pub fn point_goal(map: &Map, p: [f64; 2]) -> Goal {
    Goal::Point(local(map, p))
}

/// A room with convex obstacles that may overlap and stick out.
#[derive(Debug, Clone)]
pub struct Room {
    pub size: DVec2,
    pub obstacles: Vec<Vec<DVec2>>,
}

impl Room {
    /// Rectangles from (centre x, centre y, half width, half depth, angle).
    pub fn new(size: [f64; 2], rectangles: &[(f64, f64, f64, f64, f64)]) -> Room {
        let corners = |&(x, y, w, d, turn): &(f64, f64, f64, f64, f64)| {
            let axis = DVec2::from_angle(turn);
            [[-w, -d], [w, -d], [w, d], [-w, d]].map(|p| DVec2::new(x, y) + axis.rotate(DVec2::from(p))).to_vec()
        };
        Room { size: size.into(), obstacles: rectangles.iter().map(corners).collect() }
    }

    pub fn floor(&self) -> Floor {
        Floor {
            areas: vec![rectangle([0.0, 0.0], self.size.into()).into()],
            obstacles: self.obstacles.iter().map(|o| Polygon::new(o.clone()).unwrap()).collect(),
            ..Floor::default()
        }
    }

    /// Distance from `p` to the nearest wall; negative inside of an obstacle or outside of the room.
    pub fn clearance(&self, p: DVec2) -> f64 {
        let room = p.min(self.size - p).min_element();
        self.obstacles.iter().map(|o| signed_distance(o, p)).fold(room, f64::min)
    }

    /// Length of the shortest way for a disc, obstacles grown by `radius` with arcs of `steps` pieces: cut inside the
    /// arc if `outer` is false, so that the result is too short, outside if it is true.
    pub fn reference(&self, from: DVec2, to: DVec2, radius: f64, steps: usize, outer: bool) -> Option<f64> {
        let grown: Vec<Vec<DVec2>> = self.obstacles.iter().map(|o| grow(o, radius, steps, outer)).collect();
        let mut nodes = vec![from, to];
        let inside = |p: &DVec2| p.min(self.size - *p).min_element() >= radius - 1e-9;
        nodes.extend(grown.iter().flatten().copied().filter(inside));
        let free = |a: DVec2, b: DVec2| !grown.iter().any(|o| passes_through(o, a, b));
        // Dijkstra over the full graph, edges tested when needed.
        let mut distance = vec![f64::INFINITY; nodes.len()];
        let mut done = vec![false; nodes.len()];
        distance[0] = 0.0;
        loop {
            let i = (0..nodes.len()).filter(|&i| !done[i]).min_by(|&i, &j| distance[i].total_cmp(&distance[j]))?;
            if distance[i].is_infinite() {
                return None;
            }
            if i == 1 {
                return Some(distance[1]);
            }
            done[i] = true;
            for j in 0..nodes.len() {
                let length = distance[i] + nodes[i].distance(nodes[j]);
                if !done[j] && length < distance[j] && free(nodes[i], nodes[j]) {
                    distance[j] = length;
                }
            }
        }
    }
}

/// A convex polygon grown by `radius`.
fn grow(polygon: &[DVec2], radius: f64, steps: usize, outer: bool) -> Vec<DVec2> {
    if radius == 0.0 {
        return polygon.to_vec();
    }
    let mut grown = Vec::new();
    for i in 0..polygon.len() {
        let [a, b, c] = [polygon.len() - 1, 0, 1].map(|k| polygon[(i + k) % polygon.len()]);
        let (first, last) = (-(b - a).perp().normalize(), -(c - b).perp().normalize());
        let turn = first.angle_to(last);
        let step = turn / steps as f64;
        if outer {
            let reach = radius / math::double::cos(step / 2.0);
            grown.extend((0..steps).map(|k| b + reach * DVec2::from_angle((k as f64 + 0.5) * step).rotate(first)));
        } else {
            grown.extend((0..=steps).map(|k| b + radius * DVec2::from_angle(k as f64 * step).rotate(first)));
        }
    }
    grown
}

/// Whether the segment has a piece inside a convex counter-clockwise polygon.
fn passes_through(polygon: &[DVec2], a: DVec2, b: DVec2) -> bool {
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for i in 0..polygon.len() {
        let (p, q) = (polygon[i], polygon[(i + 1) % polygon.len()]);
        let inward = (q - p).perp().normalize();
        let (start, speed) = (inward.dot(a - p) - 1e-7, inward.dot(b - a));
        if speed.abs() < 1e-12 {
            if start <= 0.0 {
                return false;
            }
        } else if speed > 0.0 {
            low = low.max(-start / speed);
        } else {
            high = high.min(-start / speed);
        }
    }
    low < high
}

fn signed_distance(polygon: &[DVec2], p: DVec2) -> f64 {
    let edges = (0..polygon.len()).map(|i| (polygon[i], polygon[(i + 1) % polygon.len()]));
    let inside = edges.clone().all(|(a, b)| (b - a).perp_dot(p - a) >= 0.0);
    let nearest = edges.map(|(a, b)| {
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        a.lerp(b, t).distance(p)
    });
    nearest.fold(f64::INFINITY, f64::min) * if inside { -1.0 } else { 1.0 }
}

/// A star-shaped polygon with arms of these lengths.
pub fn star_at(centre: [f64; 2], arms: &[f64], turn: f64) -> Polygon {
    let step = std::f64::consts::TAU / arms.len() as f64;
    let arm = |(i, arm): (usize, &f64)| DVec2::from(centre) + *arm * DVec2::from_angle(turn + i as f64 * step);
    Polygon::new(arms.iter().enumerate().map(arm).collect()).unwrap()
}
