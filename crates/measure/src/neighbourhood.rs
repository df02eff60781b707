//! Neighbours: those whose Voronoi cells touch.

use crate::moment::Moment;
use crate::series::Series;
use crate::voronoi::{Cells, Edge};

/// Shorter common edges are rounding, m.
const EDGE_MIN: f64 = 1e-9;

impl Cells {
    /// The rows whose cells share an edge with that of a row, in order.
    pub fn neighbours(&self, row: usize) -> Vec<u32> {
        let mut found: Vec<u32> =
            self.across(row).filter(|other| self.across(*other as usize).any(|i| i as usize == row)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Those on the other side of what is left of the edges of a cell.
    fn across(&self, row: usize) -> impl Iterator<Item = u32> {
        self.labelled(row).flat_map(|part| {
            (0..part.len()).filter_map(move |i| match part[i].label {
                Edge::Other(other) => {
                    let length = part[i].at.distance(part[(i + 1) % part.len()].at);
                    (length > EDGE_MIN).then_some(other)
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
