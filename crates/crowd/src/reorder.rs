//! A new order of rows, applied to one column after another in place.

use crate::Row;

/// Says which row goes where. Kept and set anew, it allocates only when the crowd has grown.
#[derive(Debug, Clone, Default)]
pub struct Reorder {
    /// Exchanges that bring every row to its place, done in this order.
    swaps: Vec<(u32, u32)>,
    /// The new row of each old one.
    to: Vec<u32>,
    /// Where each place takes its row from, while the exchanges are worked out.
    from: Vec<u32>,
}

impl Reorder {
    /// The new row `i` will be the old row `order[i]`. Each row has to come exactly once.
    pub fn set(&mut self, order: impl Iterator<Item = Row>) {
        let Self { swaps, to, from } = self;
        (swaps.clear(), from.clear(), to.clear());
        from.extend(order.map(|row| row.0));
        to.resize(from.len(), 0);
        for (new, old) in from.iter().enumerate() {
            to[*old as usize] = new as u32;
        }
        // Along each cycle: what a place gets is exchanged for what it had, which travels on.
        for start in 0..from.len() {
            let mut place = start;
            while from[place] as usize != start {
                let next = std::mem::replace(&mut from[place], place as u32);
                swaps.push((place as u32, next));
                place = next as usize;
            }
            from[place] = place as u32;
        }
    }

    /// Puts a column into the new order.
    pub fn apply<T>(&self, column: &mut [T]) {
        for &(a, b) in &self.swaps {
            column.swap(a as usize, b as usize);
        }
    }

    /// Where an old row is now.
    pub fn moved(&self, row: Row) -> Row {
        Row(self.to[row.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_come_in_the_order_asked_for(order in Just((0..60u32).collect::<Vec<_>>()).prop_shuffle()) {
            let mut reorder = Reorder::default();
            reorder.set((0..5).rev().map(Row)); // what was there before does not matter
            reorder.set(order.iter().copied().map(Row));
            let mut column: Vec<u32> = (0..60).map(|row| 100 + row).collect();
            reorder.apply(&mut column);
            let expected: Vec<u32> = order.iter().map(|row| 100 + row).collect();
            prop_assert_eq!(&column, &expected);
            for old in 0..60 {
                prop_assert_eq!(column[reorder.moved(Row(old)).index()], 100 + old);
            }
        }
    }
}
