//! A city of separate houses, as in Lamarche and Donikian 2004: rectangles at any angle on a square.

use glam_033::Vec2 as PeerVec;
use passerby_geometry::{Chance, DVec2, Polygon, Purpose, Vec2};
use passerby_navigation::{Floor, Map};

/// Houses in a city of one block: 1.3 x 1.3 km.
pub const HOUSES: usize = 2600;

/// Side of the square that so many houses stand on, m.
const SIDE: f64 = 1300.0;

/// Houses are at least so far from each other and from the border, m.
const APART: f64 = 2.0;

/// Squares over the city, each with the houses whose middle is in it. No house reaches farther than into the next.
const SQUARE: f64 = 34.0;

/// Where houses stand, and how large it all is.
#[derive(Debug, Clone)]
pub struct City {
    /// Side of the square, m.
    pub side: f64,
    /// Corners of each house, counter-clockwise.
    pub houses: Vec<[DVec2; 4]>,
}

impl City {
    /// So many houses of 8-18 x 8-24 m, as dense as [`HOUSES`] on 1.3 x 1.3 km. The same seed gives the same city.
    pub fn new(count: usize, seed: u64) -> City {
        let side = SIDE * (count as f64 / HOUSES as f64).sqrt();
        let columns = (side / SQUARE) as usize + 1;
        let mut squares: Vec<Vec<usize>> = vec![Vec::new(); columns * columns];
        let mut city = City { side, houses: Vec::new() };
        let chance = Chance::new(seed);
        let mut draw = chance.stream(0, 0, Purpose::Placement);
        while city.houses.len() < count {
            let middle = DVec2::new(draw.uniform(), draw.uniform()) * side;
            let half = DVec2::new(4.0 + 5.0 * draw.uniform(), 4.0 + 8.0 * draw.uniform());
            let axis = DVec2::from_angle(std::f64::consts::PI * draw.uniform());
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let house = corners.map(|sign| middle + axis.rotate(DVec2::from(sign) * half));
            let inside = house.iter().all(|p| p.min(DVec2::splat(side) - *p).min_element() >= APART);
            let [column, row] = [middle.x, middle.y].map(|v| (v / SQUARE) as usize);
            let around = |v: usize| v.saturating_sub(1)..(v + 2).min(columns);
            let near = around(row).flat_map(|r| around(column).map(move |c| r * columns + c));
            let free = inside && near.flat_map(|s| &squares[s]).all(|&h| distance(&house, &city.houses[h]) >= APART);
            if free {
                squares[row * columns + column].push(city.houses.len());
                city.houses.push(house);
            }
        }
        city
    }

    /// The city as a floor.
    pub fn floor(&self) -> Floor {
        let ground = Polygon::rectangle(DVec2::ZERO, DVec2::splat(self.side)).expect("it has an area");
        let house = |corners: &[DVec2; 4]| Polygon::new(corners.to_vec()).expect("houses are rectangles");
        Floor { areas: vec![ground.into()], obstacles: self.houses.iter().map(house).collect(), ..Floor::default() }
    }

    /// The city as `polyanya` sees it, in the map's coordinates: houses grown by a radius, with so many pieces for a half circle
    /// at their corners, polygons merged, everything baked.
    pub fn peer_mesh(&self, map: &Map, radius: f32, pieces: u8) -> polyanya::Mesh {
        let theirs = |p: DVec2| PeerVec::from((p - map.offset()).as_vec2().to_array());
        let side = self.side;
        let outer = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]].map(|p| theirs(p.into()));
        let mut place = polyanya::Triangulation::from_outer_edges(&outer);
        place.add_obstacles(self.houses.iter().map(|house| house.map(theirs).to_vec()).collect::<Vec<_>>());
        place.set_agent_radius(radius);
        place.set_agent_radius_segments(pieces);
        place.agent_radius_on_outer_edge(true);
        let mut mesh = place.as_navmesh();
        while mesh.merge_polygons() {}
        mesh.bake();
        mesh
    }

    /// So many pairs of places with room for a disc, in the map's coordinates.
    pub fn questions(&self, map: &Map, count: usize, radius: f32, seed: u64) -> Vec<[Vec2; 2]> {
        let chance = Chance::new(seed);
        let mut draw = chance.stream(1, 0, Purpose::Placement);
        let mut place = || loop {
            let at = DVec2::new(draw.uniform(), draw.uniform()) * self.side;
            let at = (at - map.offset()).as_vec2();
            if map.contains(at) && map.walls().clear(at, radius + 0.01) {
                return at;
            }
        };
        (0..count).map(|_| [place(), place()]).collect()
    }
}

/// Distance between two rectangles; 0 if they overlap.
fn distance(a: &[DVec2; 4], b: &[DVec2; 4]) -> f64 {
    let inside =
        |p: DVec2, house: &[DVec2; 4]| (0..4).all(|i| (house[(i + 1) % 4] - house[i]).perp_dot(p - house[i]) >= 0.0);
    let middle = |house: &[DVec2; 4]| (house[0] + house[2]) / 2.0;
    if inside(middle(a), b)
        || inside(middle(b), a)
        || a.iter().any(|p| inside(*p, b))
        || b.iter().any(|p| inside(*p, a))
    {
        return 0.0;
    }
    let to_edges = |p: DVec2, house: &[DVec2; 4]| {
        let gap = |i: usize| {
            let (start, edge) = (house[i], house[(i + 1) % 4] - house[i]);
            (start + edge * ((p - start).dot(edge) / edge.length_squared()).clamp(0.0, 1.0)).distance(p)
        };
        (0..4).map(gap).fold(f64::INFINITY, f64::min)
    };
    let crossing = (0..4).any(|i| (0..4).any(|j| cross([a[i], a[(i + 1) % 4]], [b[j], b[(j + 1) % 4]])));
    if crossing {
        return 0.0;
    }
    a.iter().map(|p| to_edges(*p, b)).chain(b.iter().map(|p| to_edges(*p, a))).fold(f64::INFINITY, f64::min)
}

fn cross([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let side = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p) > 0.0;
    side(a, b, c) != side(a, b, d) && side(c, d, a) != side(c, d, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_keep_apart() {
        let city = City::new(60, 1);
        assert_eq!(city.houses, City::new(60, 1).houses);
        for (i, a) in city.houses.iter().enumerate() {
            let sides = [a[0].distance(a[1]), a[1].distance(a[2])];
            assert!((8.0..=18.0).contains(&sides[0]) && (8.0..=24.0).contains(&sides[1]), "{sides:?}");
            for b in &city.houses[..i] {
                assert!(distance(a, b) >= APART);
            }
        }
    }

    #[test]
    fn distances_between_rectangles() {
        let at = |x: f64, y: f64, w: f64, h: f64| [[x, y], [x + w, y], [x + w, y + h], [x, y + h]].map(DVec2::from);
        assert_eq!(distance(&at(0.0, 0.0, 1.0, 1.0), &at(4.0, 5.0, 1.0, 1.0)), 5.0);
        assert_eq!(distance(&at(0.0, 0.0, 3.0, 1.0), &at(1.0, 2.0, 1.0, 1.0)), 1.0);
        assert_eq!(distance(&at(0.0, 1.0, 3.0, 1.0), &at(1.0, 0.0, 1.0, 3.0)), 0.0, "a cross");
        assert_eq!(distance(&at(0.0, 0.0, 9.0, 9.0), &at(4.0, 4.0, 1.0, 1.0)), 0.0, "one inside the other");
    }
}
