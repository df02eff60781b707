//! What is kept about each person while frames pass.

use passerby_record::Frame;

/// A value for each person that was seen, in order of their ids.
#[derive(Debug, Clone, PartialEq)]
pub struct ById<T> {
    ids: Vec<u32>,
    values: Vec<T>,
}

impl<T> Default for ById<T> {
    fn default() -> Self {
        Self { ids: Vec::new(), values: Vec::new() }
    }
}

impl<T> ById<T> {
    /// Shows each row of a frame with the value of its person; `new` makes the value of somebody who was never seen.
    ///
    /// Panics when ids do not rise in the frame: somebody would be left out. No [`Recording`](passerby_record::Recording)
    /// hands over such a frame.
    pub fn visit(&mut self, frame: &Frame<'_>, new: impl FnMut(usize) -> T, each: impl FnMut(usize, &mut T)) {
        self.visit_rows(frame.tick, frame.id, new, each);
    }

    /// The same for ids of a tick that are no whole frame.
    pub fn visit_rows(
        &mut self,
        tick: u32,
        ids: &[u32],
        mut new: impl FnMut(usize) -> T,
        mut each: impl FnMut(usize, &mut T),
    ) {
        let wrong = ids.windows(2).find(|pair| pair[0] >= pair[1]);
        assert!(wrong.is_none(), "tick {tick}: ids {wrong:?} do not rise");
        self.add_missing(ids, &mut new);
        let mut slot = 0;
        for (row, id) in ids.iter().enumerate() {
            slot += below(&self.ids[slot..], *id);
            each(row, &mut self.values[slot]);
        }
    }

    /// Ids and values, in order of id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, &T)> {
        self.ids.iter().copied().zip(&self.values)
    }

    /// Values in order of id.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// How many people were seen.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether nobody was seen.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    fn add_missing(&mut self, ids: &[u32], new: &mut impl FnMut(usize) -> T) {
        let mut missing: Vec<(u32, usize)> = Vec::new();
        let mut slot = 0;
        for (row, id) in ids.iter().enumerate() {
            slot += below(&self.ids[slot..], *id);
            if self.ids.get(slot) != Some(id) {
                missing.push((*id, row));
            }
        }
        if missing.is_empty() {
            return;
        }
        let in_order = self.ids.last().is_none_or(|last| *last < missing[0].0);
        for (id, row) in missing {
            self.ids.push(id);
            self.values.push(new(row));
        }
        if !in_order {
            // One sort for all who come in this frame; those who come later mostly have larger numbers.
            let mut all: Vec<(u32, T)> = self.ids.drain(..).zip(self.values.drain(..)).collect();
            all.sort_by_key(|(id, _)| *id);
            (self.ids, self.values) = all.into_iter().unzip();
        }
    }
}

/// How many of these rising ids are below `id`. Those who are there stand close together, so it looks at the first few first.
fn below(ids: &[u32], id: u32) -> usize {
    match ids.iter().take(8).position(|other| *other >= id) {
        Some(near) => near,
        None => ids.partition_point(|other| *other < id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(id: &[u32]) -> Frame<'_> {
        const ZERO: [f64; 32] = [0.0; 32];
        const FLAT: [f32; 32] = [0.0; 32];
        let n = id.len();
        Frame {
            tick: 0,
            id,
            x: &ZERO[..n],
            y: &ZERO[..n],
            vx: &FLAT[..n],
            vy: &FLAT[..n],
            heading: &FLAT[..n],
            bodies: &[],
        }
    }

    #[test]
    fn everybody_has_one_value_whoever_comes_first() {
        let mut counts = ById::default();
        let many: Vec<u32> = (0..30).map(|i| 3 * i).collect();
        for ids in [&[50, 70][..], &[7], &[1, 7, 50, 60], &many, &[]] {
            counts.visit(&frame(ids), |_| 0, |_, count| *count += 1);
        }
        let of = |wanted: u32| counts.iter().find(|(id, _)| *id == wanted).map(|(_, count)| *count);
        assert_eq!([1, 7, 50, 60, 70, 87].map(of), [1, 2, 2, 2, 1, 1].map(Some));
        assert_eq!((counts.len(), of(2)), (34, None));
        assert!(counts.iter().map(|(id, _)| id).is_sorted());
    }

    #[test]
    #[should_panic(expected = "tick 0: ids Some([7, 7]) do not rise")]
    fn somebody_twice_in_a_frame_is_a_bug() {
        ById::<u32>::default().visit(&frame(&[1, 7, 7, 50]), |_| 0, |_, count| *count += 1);
    }
}
