//! Neighbours: those whose Voronoi cells touch.

use passerby_geometry::DVec2;

use crate::moment::Moment;
use crate::series::Series;
use crate::voronoi::{Cells, Edge};

/// Shorter common edges are rounding, m.
const EDGE_MIN: f64 = 1e-9;

impl Cells {
    /// The rows whose cells touch that of a row, in order. Both cells end at the line between the two people; they touch where what
    /// walls and circles have left of these edges overlaps.
    pub fn neighbours(&self, row: usize) -> Vec<u32> {
        let mut found: Vec<u32> = self.across(row).map(|(other, _)| other).collect();
        found.sort_unstable();
        found.dedup();
        let edges =
            |of: usize, beyond: u32| self.across(of).filter(move |(other, _)| *other == beyond).map(|(_, edge)| edge);
        found.retain(|&other| {
            edges(row, other).any(|[a, b]| {
                let along = (b - a).normalize_or_zero();
                let (from, to) = (0.0, a.distance(b));
                edges(other as usize, row as u32).any(|[c, d]| {
                    // The other cell has the edge in the other direction.
                    let [end, begin] = [c, d].map(|p| along.dot(p - a));
                    begin <= to + EDGE_MIN && end >= from - EDGE_MIN
                })
            })
        });
        found
    }

    /// What is left of the edges of a cell, and who is on their other side.
    fn across(&self, row: usize) -> impl Iterator<Item = (u32, [DVec2; 2])> {
        self.labelled(row).flat_map(|part| {
            (0..part.len()).filter_map(move |i| match part[i].label {
                Edge::Other(other) => {
                    let edge = [part[i].at, part[(i + 1) % part.len()].at];
                    (edge[0].distance(edge[1]) > EDGE_MIN).then_some((other, edge))
                }
                Edge::Bound => None,
            })
        })
    }
}

/// How many neighbours people have and how far they are.
#[derive(Debug, Clone, Default)]
pub struct Neighbourhood {
    /// Mean number of neighbours of each frame.
    pub count: Series,
    /// Mean distance to neighbours of each frame with any, m.
    pub distance: Series,
}

impl Neighbourhood {
    /// Takes in the cells of a moment.
    pub fn see_cells(&mut self, moment: &Moment<'_>, cells: &Cells) {
        let (mut people, mut count, mut distance) = (0_u64, 0_u64, 0.0);
        for row in (0..cells.len()).filter(|row| cells.area(*row) > 0.0) {
            people += 1;
            for other in cells.neighbours(row) {
                count += 1;
                distance += moment.at[row].distance(moment.at[other as usize]);
            }
        }
        if people > 0 {
            self.count.push(moment.tick, count as f64 / people as f64);
        }
        if count > 0 {
            self.distance.push(moment.tick, distance / count as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Cells, CutOff, Voronoi};
    use passerby_geometry::DVec2;

    #[test]
    fn neighbours_of_a_row_and_beyond_the_cut_off() {
        let at: Vec<DVec2> = [0.0, 1.0, 2.0, 5.0].iter().map(|x| DVec2::new(*x, 0.0)).collect();
        let mut cells = Cells::default();
        Voronoi::new(None, Some(CutOff::default())).cells(&at, &mut cells);
        let found: Vec<Vec<u32>> = (0..4).map(|row| cells.neighbours(row)).collect();
        assert_eq!(found, [vec![1], vec![0, 2], vec![1], vec![]]);
    }
}
