//! What happens at a named line: density, speed and flow over the cells that it cuts, for each direction.
//!
//! PedPy's definition. A cell that covers the part w_i / w of the line adds 1/A_i, the speed across, or both multiplied. Who belongs to
//! which direction is decided when their cell meets the line for the first time, and stays.

use passerby_geometry::DVec2;
use passerby_record::NamedLine;

use crate::ById;
use crate::moment::Moment;
use crate::series::Series;
use crate::voronoi::Cells;

/// Density, speed and flow at one line.
#[derive(Debug, Clone)]
pub struct Gate {
    line: NamedLine,
    ends: [DVec2; 2],
    /// Unit vector across the line: to the right of who looks from its first end to its second.
    across: DVec2,
    directions: ById<Option<bool>>,
    /// From left to right, and from right to left; frames in which a cell of that direction meets the line.
    pub density: [Series; 2],
    /// Speed across, m/s; forwards positive in both.
    pub speed: [Series; 2],
    /// Flow a metre of the line, 1/(m s).
    pub flow: [Series; 2],
    /// Both directions together.
    pub total: Totals,
}

/// Both directions together, in frames in which a cell meets the line.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    /// 1/m2.
    pub density: Series,
    /// m/s.
    pub speed: Series,
    /// 1/(m s).
    pub flow: Series,
}

impl Gate {
    /// Nobody was there yet.
    pub fn new(line: NamedLine) -> Gate {
        let ends = line.line.map(DVec2::from);
        let across = -(ends[1] - ends[0]).normalize_or_zero().perp();
        Gate {
            line,
            ends,
            across,
            directions: ById::default(),
            density: Default::default(),
            speed: Default::default(),
            flow: Default::default(),
            total: Totals::default(),
        }
    }

    /// The line.
    pub fn line(&self) -> &NamedLine {
        &self.line
    }

    /// Takes in the cells of a moment.
    pub fn see_cells(&mut self, moment: &Moment<'_>, cells: &Cells) {
        let Gate { ends, across, directions, .. } = self;
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let width = ends[0].distance(ends[1]);
        let mut sums = [[0.0; 3]; 2];
        let mut met = [false; 2];
        let touched: Vec<(usize, f64)> = (0..cells.len())
            .filter(|&row| {
                let [from, to] = cells.bounds(row);
                cells.area(row) > 0.0 && from.cmple(high).all() && low.cmple(to).all()
            })
            .map(|row| (row, cells.length_inside(row, *ends) / width))
            .filter(|(_, share)| *share > 0.0)
            .collect();
        let id: Vec<u32> = touched.iter().map(|(row, _)| moment.id[*row]).collect();
        let speed = |row: usize| moment.velocity[row].map(|velocity| velocity.dot(*across));
        let direction = |i: usize| speed(touched[i].0).filter(|speed| *speed != 0.0).map(|speed| speed < 0.0);
        directions.visit_rows(moment.tick, &id, direction, |i, backwards| {
            let (row, share) = touched[i];
            let (Some(backwards), Some(speed)) = (*backwards, speed(row)) else { return };
            let n = usize::from(backwards);
            let ahead = if backwards { -speed } else { speed };
            met[n] = true;
            let density = share / cells.area(row);
            let terms = [density, ahead * share, ahead * density];
            sums[n].iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        });
        for n in (0..2).filter(|n| met[*n]) {
            let [density, speed, flow] = sums[n];
            self.density[n].push(moment.tick, density);
            self.speed[n].push(moment.tick, speed);
            self.flow[n].push(moment.tick, flow);
        }
        if met[0] || met[1] {
            let [density, speed, flow] = [0, 1, 2].map(|i| sums[0][i] + sums[1][i]);
            self.total.density.push(moment.tick, density);
            self.total.speed.push(moment.tick, speed);
            self.total.flow.push(moment.tick, flow);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floor::Floor;
    use crate::voronoi::Voronoi;
    use passerby_geometry::Polygon;

    /// A corridor 4 m wide and 8 m long; one walks to the right in its lower half, one to the left in its upper. Cells of 16 m2.
    #[test]
    fn two_ways_through_a_line() {
        let floor = Floor::of_polygon(&Polygon::rectangle(DVec2::ZERO, DVec2::new(8.0, 4.0)).unwrap()).unwrap();
        let mut gate = Gate::new(NamedLine { name: "gate".into(), line: [[4.0, 4.0], [4.0, 0.0]] });
        let at = [[4.0, 1.0], [4.0, 3.0]].map(DVec2::from);
        let mut cells = Cells::default();
        Voronoi::new(Some(floor), None).cells(&at, &mut cells);
        for (tick, speed) in [(0, 1.2), (1, 1.0), (2, -0.2)] {
            // Downwards, so that its right is at smaller x: who walks to +x goes from right to left.
            let velocity = [Some(DVec2::new(speed, 0.3)), Some(DVec2::new(-0.8, 0.0))];
            gate.see_cells(
                &Moment { tick, id: &[3, 9], at: &at, velocity: &velocity, acceleration: &[None; 2] },
                &cells,
            );
        }
        let near = |series: &Series, expected: [f64; 3]| {
            let found: Vec<f64> = series.points().iter().map(|(_, value)| *value).collect();
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}, expected {expected:?}");
        };
        near(&gate.density[0], [0.5 / 16.0; 3]);
        near(&gate.speed[0], [0.4; 3]);
        near(&gate.speed[1], [0.6, 0.5, -0.1]); // goes back, and still belongs to those who came from there
        near(&gate.flow[1], [0.6 / 16.0, 0.5 / 16.0, -0.1 / 16.0]);
        near(&gate.total.density, [1.0 / 16.0; 3]);
        near(&gate.total.flow, [1.0 / 16.0, 0.9 / 16.0, 0.3 / 16.0]);
    }
}
