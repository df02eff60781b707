//! The ground of a place in convex pieces, so that cells can be cut by it and do not reach round walls.

use passerby_geometry::triangulation::{Triangulation, TriangulationError, orientation, triangulate};
use passerby_geometry::{DVec2, Polygon, PolygonError};
use passerby_record::PlaceShape;

use crate::convex::{Corner, area, cut, length_inside};
use crate::grid::Extent;

/// Convex pieces that tile the floor of a place.
#[derive(Debug, Clone, Default)]
pub struct Floor {
    pub(crate) pieces: Vec<Piece>,
    /// Cells of a coarse grid, each with the pieces whose boxes reach into it.
    lookup: Vec<Vec<u32>>,
    low: DVec2,
    cell: DVec2,
    columns: usize,
}

/// A convex polygon, counter-clockwise, and the piece beyond each of its edges.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Piece {
    pub corners: Vec<DVec2>,
    pub beyond: Vec<Option<u32>>,
}

/// Why a place has no floor to measure on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FloorError {
    /// One of its rings is no polygon.
    #[error("{ring} of the place is no polygon: {error}")]
    Ring {
        /// Which.
        ring: String,
        /// What is wrong with it.
        error: PolygonError,
    },
    /// A coordinate is out of reach.
    #[error(transparent)]
    Reach(#[from] TriangulationError),
}

/// Grid cells along the longer side of a floor's box.
const LOOKUP: f64 = 64.0;

impl Floor {
    /// The floor of a place: its areas without their holes and without its obstacles. `None` if it has no areas: then nothing bounds
    /// anybody.
    pub fn new(place: &PlaceShape) -> Result<Option<Floor>, FloorError> {
        if place.areas.is_empty() {
            return Ok(None);
        }
        let polygon = |ring: &[[f64; 2]], name: String| {
            Polygon::new(ring.iter().map(|p| DVec2::from(*p)).collect())
                .map_err(|error| FloorError::Ring { ring: name, error })
        };
        let (mut areas, mut holes): (Vec<(Polygon, Vec<Polygon>)>, Vec<Polygon>) = Default::default();
        for (n, rings) in place.areas.iter().enumerate() {
            let mut rings = rings.iter().enumerate().map(|(i, ring)| {
                let name = if i == 0 { format!("area {}", n + 1) } else { format!("hole {i} of area {}", n + 1) };
                polygon(ring, name)
            });
            if let Some(outer) = rings.next() {
                areas.push((outer?, rings.collect::<Result<_, _>>()?));
            }
        }
        for (n, ring) in place.obstacles.iter().enumerate() {
            holes.push(polygon(ring, format!("obstacle {}", n + 1))?);
        }
        let outlines = areas.iter().flat_map(|(outer, inner)| std::iter::once(outer).chain(inner)).chain(&holes);
        let edges: Vec<[DVec2; 2]> = outlines.flat_map(|polygon| polygon.edges().collect::<Vec<_>>()).collect();
        let walkable = |p: DVec2| {
            let in_area = |(outer, inner): &(Polygon, Vec<Polygon>)| {
                outer.contains(p) && !inner.iter().any(|hole| hole.contains(p))
            };
            areas.iter().any(in_area) && !holes.iter().any(|hole| hole.contains(p))
        };
        Ok(Some(Floor::of(merged(&triangulate(&edges)?, walkable))))
    }

    /// The inside of one polygon.
    pub fn of_polygon(polygon: &Polygon) -> Result<Floor, TriangulationError> {
        let edges: Vec<[DVec2; 2]> = polygon.edges().collect();
        Ok(Floor::of(merged(&triangulate(&edges)?, |p| polygon.contains(p))))
    }

    fn of(pieces: Vec<Piece>) -> Floor {
        let corners = pieces.iter().flat_map(|piece| piece.corners.iter().map(|p| [p.x, p.y]));
        let Some(extent) = Extent::of(corners) else { return Floor::default() };
        let [width, height] = extent.size();
        let side = width.max(height) / LOOKUP;
        let columns = (width / side).ceil().max(1.0);
        let rows = (height / side).ceil().max(1.0);
        let (low, cell) = (DVec2::from(extent.low), DVec2::new(width / columns, height / rows));
        let mut floor =
            Floor { pieces, lookup: vec![Vec::new(); (columns * rows) as usize], low, cell, columns: columns as usize };
        for (number, piece) in floor.pieces.iter().enumerate() {
            let from = piece.corners.iter().copied().fold(DVec2::INFINITY, DVec2::min);
            let to = piece.corners.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
            let place = |p: DVec2| ((p - low) / cell).floor().clamp(DVec2::ZERO, DVec2::new(columns - 1.0, rows - 1.0));
            let (first, last) = (place(from), place(to));
            for row in first.y as usize..=last.y as usize {
                for column in first.x as usize..=last.x as usize {
                    floor.lookup[row * floor.columns + column].push(number as u32);
                }
            }
        }
        floor
    }

    /// Area, m2.
    pub fn area(&self) -> f64 {
        self.pieces.iter().map(|piece| area(piece.corners.iter().copied())).sum()
    }

    /// Whether somebody can stand there: inside, not on the border.
    pub fn contains(&self, at: DVec2) -> bool {
        self.locate(at).is_some_and(|number| {
            let piece = &self.pieces[number as usize];
            // On an edge that is a wall one is not inside.
            (0..piece.corners.len()).all(|i| piece.beyond[i].is_some() || piece.side(i, at) > 0.0)
        })
    }

    /// Whether some of a line is on it, more than its ends.
    pub(crate) fn has_part_of(&self, line: [DVec2; 2]) -> bool {
        // A line along the edges of pieces is inside of those on one of its sides.
        let inside = |piece: &Piece, left: bool| length_inside(piece.corners.iter().copied(), line, left) > 1e-9;
        self.pieces.iter().any(|piece| inside(piece, true) || inside(piece, false))
    }

    /// Whether both have ground in common, more than a border.
    pub(crate) fn overlaps(&self, other: &Floor) -> bool {
        let corners = |piece: &Piece| piece.corners.iter().map(|at| Corner { at: *at, label: () }).collect::<Vec<_>>();
        let (mut part, mut scratch) = (Vec::new(), Vec::new());
        self.pieces.iter().any(|piece| {
            other.pieces.iter().any(|other| {
                part = corners(piece);
                (0..other.corners.len()).for_each(|i| {
                    cut(&mut part, other.edge(i), (), &mut scratch);
                });
                area(part.iter().map(|corner| corner.at)) > 1e-9
            })
        })
    }

    /// The piece that a point is in or on the edge of.
    pub(crate) fn locate(&self, at: DVec2) -> Option<u32> {
        let place = ((at - self.low) / self.cell).floor();
        // One cell to the right or above is its own border.
        let rows = self.lookup.len() / self.columns.max(1);
        let on = |value: f64, count: usize| {
            (0.0..=count as f64).contains(&value).then(|| (value as usize).min(count.saturating_sub(1)))
        };
        let (column, row) = (on(place.x, self.columns)?, on(place.y, rows)?);
        let near = &self.lookup[row * self.columns + column];
        near.iter().copied().find(|&number| {
            let piece = &self.pieces[number as usize];
            (0..piece.corners.len()).all(|i| piece.side(i, at) >= 0.0)
        })
    }
}

impl Piece {
    pub fn edge(&self, i: usize) -> [DVec2; 2] {
        [self.corners[i], self.corners[(i + 1) % self.corners.len()]]
    }

    /// Positive to the left of an edge, exactly.
    fn side(&self, i: usize, p: DVec2) -> f64 {
        let [a, b] = self.edge(i);
        orientation(a, b, p)
    }
}

/// The triangles on the floor, merged while they stay convex.
fn merged(mesh: &Triangulation, walkable: impl Fn(DVec2) -> bool) -> Vec<Piece> {
    let corner = |v: u32| mesh.vertices[v as usize];
    let middle = |t: &[u32; 3]| (corner(t[0]) + corner(t[1]) + corner(t[2])) / 3.0;
    let mut piece_of: Vec<Option<u32>> = Vec::new();
    // Pieces as rings of (vertex, triangle beyond the edge that begins there).
    let mut rings: Vec<Vec<(u32, Option<u32>)>> = Vec::new();
    for triangle in &mesh.triangles {
        let on_floor = walkable(middle(&triangle.corners));
        piece_of.push(on_floor.then_some(rings.len() as u32));
        if on_floor {
            rings.push((0..3).map(|i| (triangle.corners[i], triangle.neighbours[i])).collect());
        }
    }
    for t in 0..mesh.triangles.len() {
        for (i, beyond) in mesh.triangles[t].neighbours.iter().enumerate() {
            let Some(beyond) = *beyond else { continue };
            let (Some(a), Some(b)) = (piece_of[t], piece_of[beyond as usize]) else { continue };
            let [v, w] = [mesh.triangles[t].corners[i], mesh.triangles[t].corners[(i + 1) % 3]];
            if a == b {
                continue;
            }
            if let Some(union) = union(&rings[a as usize], &rings[b as usize], [v, w], corner) {
                rings[a as usize] = union;
                rings[b as usize].clear();
                piece_of.iter_mut().filter(|piece| **piece == Some(b)).for_each(|piece| *piece = Some(a));
            }
        }
    }
    let mut number = vec![None; rings.len()];
    rings.iter().enumerate().filter(|(_, ring)| !ring.is_empty()).enumerate().for_each(|(new, (old, _))| {
        number[old] = Some(new as u32);
    });
    let piece_beyond =
        |triangle: Option<u32>| triangle.and_then(|t| piece_of[t as usize]).and_then(|p| number[p as usize]);
    let pieces = rings.iter().filter(|ring| !ring.is_empty());
    pieces
        .map(|ring| Piece {
            corners: ring.iter().map(|(v, _)| corner(*v)).collect(),
            beyond: ring.iter().map(|(_, triangle)| piece_beyond(*triangle)).collect(),
        })
        .collect()
}

/// Two rings with a common edge as one, if that is convex.
fn union(
    a: &[(u32, Option<u32>)],
    b: &[(u32, Option<u32>)],
    [v, w]: [u32; 2],
    corner: impl Fn(u32) -> DVec2,
) -> Option<Vec<(u32, Option<u32>)>> {
    let starts = |ring: &[(u32, Option<u32>)], vertex: u32| ring.iter().position(|(at, _)| *at == vertex);
    // In `a` the edge goes from v to w, in `b` back. What `a` has from w round to v, then what `b` has from v round to w.
    let (first, second) = (starts(a, w)?, starts(b, v)?);
    let mut ring: Vec<(u32, Option<u32>)> = a.iter().cycle().skip(first).take(a.len() - 1).copied().collect();
    ring.extend(b.iter().cycle().skip(second).take(b.len() - 1));
    let count = ring.len();
    let mut once: Vec<u32> = ring.iter().map(|(vertex, _)| *vertex).collect();
    once.sort_unstable();
    if once.windows(2).any(|pair| pair[0] == pair[1]) {
        return None; // they share a second edge
    }
    let convex = (0..count).all(|i| {
        let [p, q, r] = [i, i + 1, i + 2].map(|i| corner(ring[i % count].0));
        orientation(p, q, r) >= 0.0
    });
    convex.then_some(ring)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(outer: &[[f64; 2]], obstacles: &[&[[f64; 2]]]) -> PlaceShape {
        PlaceShape {
            areas: vec![vec![outer.to_vec()]],
            obstacles: obstacles.iter().map(|ring| ring.to_vec()).collect(),
            ..PlaceShape::default()
        }
    }

    #[test]
    fn an_l_is_two_pieces_and_a_pillar_is_left_out() {
        let l = [[0.0, 0.0], [10.0, 0.0], [10.0, 4.0], [4.0, 4.0], [4.0, 10.0], [0.0, 10.0]];
        let floor = Floor::new(&place(&l, &[])).unwrap().unwrap();
        assert_eq!((floor.pieces.len(), floor.area()), (2, 64.0));
        let pillar = [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0]];
        let floor = Floor::new(&place(&l, &[&pillar])).unwrap().unwrap();
        assert!((floor.area() - 63.0).abs() < 1e-9);
        for piece in &floor.pieces {
            let n = piece.corners.len();
            assert!((0..n).all(|i| piece.side(i, piece.corners[(i + 2) % n]) >= 0.0), "{piece:?}");
            for (i, beyond) in piece.beyond.iter().enumerate().filter_map(|(i, b)| Some((i, (*b)?))) {
                let [a, b] = piece.edge(i);
                let other = &floor.pieces[beyond as usize];
                assert!((0..other.corners.len()).any(|j| other.edge(j) == [b, a]), "edges are shared whole");
            }
        }
        for (at, inside) in [([0.5, 0.5], true), ([1.5, 1.5], false), ([1.0, 1.5], false), ([5.0, 5.0], false)] {
            assert_eq!(floor.contains(at.into()), inside, "{at:?}");
        }
        for (at, inside) in [([0.0, 5.0], false), ([3.999, 9.0], true), ([4.0, 4.0], false), ([11.0, 0.5], false)] {
            assert_eq!(floor.contains(at.into()), inside, "{at:?}");
        }
    }

    #[test]
    fn no_area_bounds_nobody_and_rings_are_checked() {
        assert!(Floor::new(&PlaceShape::default()).unwrap().is_none());
        let crossed = [[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]];
        let wrong = Floor::new(&place(&crossed, &[])).unwrap_err();
        assert!(wrong.to_string().starts_with("area 1 of the place is no polygon"), "{wrong}");
    }
}
