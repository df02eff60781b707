//! Points that lie so close together that they are meant to be one.

use std::collections::BTreeMap;

use passerby_geometry::DVec2;

/// Points apart from each other by more than a tolerance, in cells of that size.
pub(super) struct Weld {
    tolerance: f64,
    cells: BTreeMap<(i64, i64), Vec<DVec2>>,
}

impl Weld {
    pub fn new(tolerance: f64) -> Weld {
        Weld { tolerance, cells: BTreeMap::new() }
    }

    /// The first point that was given within the tolerance of this one; this one if there is none.
    pub fn point(&mut self, at: DVec2) -> DVec2 {
        if self.tolerance == 0.0 {
            return at;
        }
        match self.near(at) {
            Some(known) => known,
            None => {
                self.cells.entry(self.cell(at)).or_default().push(at);
                at
            }
        }
    }

    /// The first point that was given within the tolerance of this one.
    pub fn near(&self, at: DVec2) -> Option<DVec2> {
        let (x, y) = self.cell(at);
        // A corner that is there to the bit stays itself, whatever came before.
        let own = self.cells.get(&(x, y)).into_iter().flatten().find(|known| **known == at);
        let around = || {
            let columns = x.saturating_sub(1)..=x.saturating_add(1);
            let cells = columns.flat_map(|x| self.cells.range((x, y.saturating_sub(1))..=(x, y.saturating_add(1))));
            cells.flat_map(|(_, points)| points).find(|known| known.distance(at) <= self.tolerance)
        };
        own.or_else(around).copied()
    }

    fn cell(&self, at: DVec2) -> (i64, i64) {
        let cell = (at / self.tolerance).floor();
        (cell.x as i64, cell.y as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_points_become_the_first() {
        let mut weld = Weld::new(0.01);
        let first = DVec2::new(1.0, 2.0);
        assert_eq!(weld.point(first), first);
        assert_eq!(weld.point(DVec2::new(1.005, 1.995)), first);
        assert_eq!(weld.point(DVec2::new(0.9999, 2.0001)), first); // in another cell
        let apart = DVec2::new(1.0101, 2.0);
        assert_eq!(weld.point(apart), apart);
        assert_eq!(Weld::new(0.0).point(apart), apart);
    }
}
