//! Where many points are with respect to one polygon: its edges sorted into rows, so that a point asks only those beside it.

use crate::DVec2;
use crate::polygon::{Place, Polygon, locate};

/// Below so many edges all of them are asked sooner than rows are made.
const EDGES_FEW: usize = 32;

/// An edge may stand in so many rows, in the mean.
const ROWS_EACH: f64 = 4.0;

/// The edges of a polygon by height.
pub(crate) struct Rows<'a> {
    polygon: &'a Polygon,
    /// Rows in a metre.
    scale: f64,
    /// Where each row's edges begin in `edges`, and where the last one's end. Empty if there are few edges.
    starts: Vec<u32>,
    edges: Vec<u32>,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(polygon: &'a Polygon) -> Rows<'a> {
        let mut rows = Rows { polygon, scale: 0.0, starts: Vec::new(), edges: Vec::new() };
        let count = polygon.points().len();
        if count < EDGES_FEW {
            return rows;
        }
        let (low, high) = polygon.bounds();
        // All edges together are so many times as high as the polygon: the higher, the fewer rows.
        let climbed: f64 = polygon.edges().map(|[a, b]| (a.y - b.y).abs()).sum();
        let number = (ROWS_EACH * count as f64 * (high.y - low.y) / climbed).floor().clamp(1.0, count as f64);
        rows.scale = number / (high.y - low.y);
        rows.starts = vec![0; number as usize + 2];
        let spans = || polygon.edges().map(|[a, b]| [rows.row(a.y.min(b.y)), rows.row(a.y.max(b.y))]);
        let mut starts = rows.starts.clone();
        for [from, to] in spans() {
            starts[from + 1..=to + 1].iter_mut().for_each(|count| *count += 1);
        }
        for row in 1..starts.len() {
            starts[row] += starts[row - 1];
        }
        let (mut next, mut edges) = (starts.clone(), vec![0; starts.last().map_or(0, |all| *all as usize)]);
        for (edge, [from, to]) in spans().enumerate() {
            for free in &mut next[from..=to] {
                edges[*free as usize] = edge as u32;
                *free += 1;
            }
        }
        (rows.starts, rows.edges) = (starts, edges);
        rows
    }

    /// The row of a height. Rounding never puts a higher point into a lower row, so that a point is in a row of every edge beside it.
    fn row(&self, y: f64) -> usize {
        let last = self.starts.len() - 2;
        (((y - self.polygon.bounds().0.y) * self.scale) as usize).min(last)
    }

    fn edge(&self, number: u32) -> [DVec2; 2] {
        let (points, i) = (self.polygon.points(), number as usize);
        [points[i], points[if i + 1 == points.len() { 0 } else { i + 1 }]]
    }

    /// Inside, outside, or exactly on the outline.
    pub(crate) fn locate(&self, p: DVec2) -> Place {
        let (low, high) = self.polygon.bounds();
        if !(p.cmpge(low).all() && p.cmple(high).all()) {
            return Place::Outside;
        }
        if self.starts.is_empty() {
            return locate(p, self.polygon.edges());
        }
        let row = self.row(p.y);
        let beside = &self.edges[self.starts[row] as usize..self.starts[row + 1] as usize];
        locate(p, beside.iter().map(|&number| self.edge(number)))
    }

    /// The first corner within the box that `is_wanted`.
    pub(crate) fn first_within(&self, [low, high]: [DVec2; 2], is_wanted: impl Fn(DVec2) -> bool) -> Option<DVec2> {
        let points = self.polygon.points();
        let is_found = |p: DVec2| p.cmpge(low).all() && p.cmple(high).all() && is_wanted(p);
        if self.starts.is_empty() {
            return points.iter().copied().find(|&p| is_found(p));
        }
        // The edge that begins at a corner stands in the corner's row.
        let rows = self.starts[self.row(low.y)] as usize..self.starts[self.row(high.y) + 1] as usize;
        let corners = self.edges[rows].iter().map(|&number| number as usize);
        corners.filter(|&number| is_found(points[number])).min().map(|number| points[number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::tests::star;
    use proptest::prelude::*;

    proptest! {
        /// Rows say what the polygon says: of points anywhere, of its corners, and of points as high as one of them.
        #[test]
        fn rows_agree_with_all_edges(outline in star(200), points in prop::collection::vec((-0.1f64..1.1, -0.1f64..1.1), 30)) {
            let polygon = Polygon::new(outline).unwrap();
            let (rows, (low, high)) = (Rows::new(&polygon), polygon.bounds());
            let level = polygon.points().iter().zip(&points).map(|(corner, (x, _))| DVec2::new(low.x + x * (high.x - low.x), corner.y));
            let anywhere = points.iter().map(|&(x, y)| low + DVec2::new(x, y) * (high - low));
            for p in anywhere.chain(level).chain(polygon.points().iter().copied()) {
                prop_assert_eq!(rows.locate(p), polygon.locate(p), "{}", p);
            }
            let (one, other) = (low + (high - low) * 0.3, low + (high - low) * 0.6);
            let is_within = |p: &DVec2| p.cmpge(one).all() && p.cmple(other).all() && p.x > one.x + 0.1;
            let expected = polygon.points().iter().copied().find(is_within);
            prop_assert_eq!(rows.first_within([one, other], |p| p.x > one.x + 0.1), expected);
        }
    }

    /// A ring of 50 000 corners asks about 4 edges a point; teeth that all reach from bottom to top leave few rows, but as many places.
    #[test]
    fn edges_stand_in_few_rows() {
        let circle = |i: u32| {
            let (sin, cos) = crate::math::double::sin_cos(f64::from(i) * std::f64::consts::TAU / 5e4);
            DVec2::new(cos, sin)
        };
        let circle = Polygon::new((0..50_000).map(circle).collect()).unwrap();
        let rows = Rows::new(&circle);
        assert!(rows.edges.len() < 250_000 && rows.starts.len() > 40_000, "{} {}", rows.edges.len(), rows.starts.len());
        assert_eq!(rows.locate(DVec2::new(0.999, 0.0)), Place::Inside);
        let teeth = (0..1000).map(|i| DVec2::new(f64::from(i), if i % 2 == 0 { 1.0 } else { 9.0 }));
        let comb = teeth.chain([DVec2::new(999.0, 0.0), DVec2::ZERO]).collect();
        let rows_of_comb = Polygon::new(comb).unwrap();
        assert!(Rows::new(&rows_of_comb).edges.len() < 6 * 1002);
    }
}
