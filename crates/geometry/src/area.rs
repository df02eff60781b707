//! A polygon with holes: a floor with what is cut out of it.

use crate::crossings::{first_pair, proper_crossing};
use crate::polygon::Place;
use crate::rows::Rows;
use crate::{DVec2, Polygon, PolygonError};

/// A polygon less its holes. Holes may touch the outer outline and each other, but not cross.
///
/// Make it with [`Area::new`], which checks that.
#[derive(Debug, Clone, PartialEq)]
pub struct Area {
    /// The outline.
    pub outer: Polygon,
    /// What is cut out.
    pub holes: Vec<Polygon>,
}

impl Area {
    /// Checks that the holes are inside and apart from each other.
    ///
    /// Vertices in errors are counted along the hole's [`points`](Polygon::points).
    pub fn new(outer: Polygon, holes: Vec<Polygon>) -> Result<Area, PolygonError> {
        let rows = Rows::new(&outer);
        let outside = |p: &DVec2| rows.locate(*p) == Place::Outside;
        for (hole, polygon) in holes.iter().enumerate() {
            if let Some(vertex) = polygon.points().iter().position(outside) {
                return Err(PolygonError::HoleOutside { hole, vertex, at: polygon.points()[vertex] });
            }
            let inner = polygon.inner_point();
            if outside(&inner) {
                return Err(PolygonError::HoleOutside { hole, vertex: 0, at: inner });
            }
        }
        check_crossings(&outer, &holes)?;
        check_nesting(&holes)?;
        Ok(Area { outer, holes })
    }

    /// Whether `p` is on the floor: inside the outline and not inside a hole. All outlines belong to the floor.
    pub fn contains(&self, p: DVec2) -> bool {
        self.outer.contains(p) && self.holes.iter().all(|hole| hole.locate(p) != Place::Inside)
    }

    /// Area of the outline less that of the holes, m2.
    pub fn area(&self) -> f64 {
        self.outer.area() - self.holes.iter().map(Polygon::area).sum::<f64>()
    }

    /// The outline, then the holes.
    pub fn rings(&self) -> impl Iterator<Item = &Polygon> {
        std::iter::once(&self.outer).chain(&self.holes)
    }

    /// The area moved by `by`.
    pub fn translated(&self, by: DVec2) -> Area {
        Area { outer: self.outer.translated(by), holes: self.holes.iter().map(|hole| hole.translated(by)).collect() }
    }
}

impl From<Polygon> for Area {
    fn from(outer: Polygon) -> Area {
        Area { outer, holes: Vec::new() }
    }
}

/// No outline may cross another: one search over the edges of all.
fn check_crossings(outer: &Polygon, holes: &[Polygon]) -> Result<(), PolygonError> {
    // For every edge: the ring it belongs to (0 is the outline, hole h is h + 1) and its number there.
    let mut owner = Vec::new();
    let mut edges = Vec::new();
    for (ring, polygon) in std::iter::once(outer).chain(holes).enumerate() {
        for (number, edge) in polygon.edges().enumerate() {
            owner.push((ring, number));
            edges.push(edge);
        }
    }
    let crossing =
        first_pair(&edges, |i, j| if owner[i].0 == owner[j].0 { None } else { proper_crossing(edges[i], edges[j]) });
    match crossing.map(|(i, j, at)| (owner[i], owner[j], at)) {
        None => Ok(()),
        Some(((0, _), (ring, vertex), at)) => Err(PolygonError::HoleOutside { hole: ring - 1, vertex, at }),
        Some(((ring, _), (other, _), at)) => Err(PolygonError::HolesOverlap { hole: ring - 1, other: other - 1, at }),
    }
}

/// A hole, and what it is asked for again and again.
struct Hole<'a> {
    polygon: &'a Polygon,
    rows: Rows<'a>,
    /// A point inside.
    inner: DVec2,
}

/// Holes that do not cross overlap only if one has its corners, or some point inside, within the other.
fn check_nesting(holes: &[Polygon]) -> Result<(), PolygonError> {
    let hole = |polygon| Hole { polygon, rows: Rows::new(polygon), inner: polygon.inner_point() };
    let all: Vec<Hole<'_>> = holes.iter().map(hole).collect();
    let mut order: Vec<usize> = (0..holes.len()).collect();
    order.sort_by(|&i, &j| holes[i].bounds().0.x.total_cmp(&holes[j].bounds().0.x).then(i.cmp(&j)));
    for (k, &i) in order.iter().enumerate() {
        let (_, high) = holes[i].bounds();
        for &j in order[k + 1..].iter().take_while(|&&j| holes[j].bounds().0.x <= high.x) {
            if let Some(at) = shared_point(&all[i], &all[j]) {
                return Err(PolygonError::HolesOverlap { hole: i.min(j), other: i.max(j), at });
            }
        }
    }
    Ok(())
}

fn shared_point(one: &Hole<'_>, other: &Hole<'_>) -> Option<DVec2> {
    let within = |a: &Hole<'_>, b: &Hole<'_>| {
        let (low, high) = b.polygon.bounds();
        let is_inside = |p: DVec2| b.rows.locate(p) == Place::Inside;
        a.rows.first_within([low, high], is_inside).or_else(|| is_inside(a.inner).then_some(a.inner))
    };
    let ((low, high), (other_low, other_high)) = (one.polygon.bounds(), other.polygon.bounds());
    if !(low.cmple(other_high).all() && other_low.cmple(high).all()) {
        return None;
    }
    within(one, other).or_else(|| within(other, one))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, side: f64) -> Polygon {
        Polygon::rectangle(DVec2::new(x, y), DVec2::new(x + side, y + side)).unwrap()
    }

    fn polygon(points: &[[f64; 2]]) -> Polygon {
        Polygon::new(points.iter().map(|&p| p.into()).collect()).unwrap()
    }

    #[test]
    fn a_floor_with_two_holes() {
        let area = Area::new(square(0., 0., 10.), vec![square(1., 1., 2.), square(5., 5., 3.)]).unwrap();
        assert_eq!(area.area(), 100.0 - 4.0 - 9.0);
        assert!(area.contains(DVec2::new(4.0, 4.0)));
        assert!(area.contains(DVec2::new(1.0, 2.0))); // on the outline of a hole
        assert!(!area.contains(DVec2::new(2.0, 2.0)));
        assert!(!area.contains(DVec2::new(11.0, 2.0)));
        assert_eq!(area.rings().count(), 3);
        let moved = area.translated(DVec2::new(100.0, 0.0));
        assert!(moved.contains(DVec2::new(104.0, 4.0)) && !moved.contains(DVec2::new(102.0, 2.0)));
        assert_eq!(Area::from(square(0., 0., 2.)).area(), 4.0);
    }

    #[test]
    fn holes_may_touch() {
        let holes = vec![square(0., 0., 2.), square(2., 2., 2.), square(4., 2., 2.)]; // outline, corner, side
        assert!(Area::new(square(0., 0., 10.), holes).is_ok());
    }

    #[track_caller]
    fn refused(outer: Polygon, holes: &[Polygon], expected: PolygonError, message: &str) {
        let error = Area::new(outer, holes.to_vec()).unwrap_err();
        assert_eq!(error, expected);
        assert!(error.to_string().starts_with(message), "{error}");
    }

    #[test]
    fn errors_name_the_hole() {
        let at = |x, y| DVec2::new(x, y);
        refused(
            square(0., 0., 10.),
            &[square(1., 1., 1.), square(8., 1., 3.)],
            PolygonError::HoleOutside { hole: 1, vertex: 1, at: at(11., 1.) },
            "hole 1 leaves the outer outline near its vertex 1 at (11, 1): ",
        );
        // All corners inside a U, but not what is between its arms.
        let u = polygon(&[[0., 0.], [9., 0.], [9., 9.], [6., 9.], [6., 3.], [3., 3.], [3., 9.], [0., 9.]]);
        let bar = polygon(&[[1., 5.], [8., 5.], [8., 6.], [1., 6.]]);
        assert!(matches!(Area::new(u, vec![bar]), Err(PolygonError::HoleOutside { hole: 0, .. })));
        refused(
            square(0., 0., 10.),
            &[square(1., 1., 1.), square(4., 4., 3.), square(5., 5., 3.)],
            PolygonError::HolesOverlap { hole: 1, other: 2, at: at(7., 5.) },
            "hole 1 overlaps hole 2 at (7, 5): join them into one",
        );
    }

    #[test]
    fn nested_and_equal_holes_overlap() {
        let overlap = |one: Polygon, other: Polygon| {
            matches!(
                Area::new(square(0., 0., 10.), vec![one, other]),
                Err(PolygonError::HolesOverlap { hole: 0, other: 1, .. })
            )
        };
        assert!(overlap(square(1., 1., 5.), square(2., 2., 1.)));
        assert!(overlap(square(2., 2., 1.), square(1., 1., 5.)));
        assert!(overlap(square(1., 1., 5.), square(1., 1., 5.)));
        assert!(!overlap(square(1., 1., 1.), square(5., 1., 1.)));
    }
}
