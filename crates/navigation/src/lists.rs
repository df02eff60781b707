//! Many short lists in one piece of memory, each of which can be replaced by another.

/// Lists by number. A list that grows beyond its room moves to the end and gets more.
#[derive(Debug, Clone)]
pub(crate) struct Lists<T> {
    items: Vec<T>,
    spans: Vec<Span>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    len: u32,
    room: u32,
}

impl<T> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists { items: Vec::new(), spans: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    /// Number of lists.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    pub fn get(&self, list: usize) -> &[T] {
        let Span { start, len, .. } = self.spans[list];
        &self.items[start as usize..(start + len) as usize]
    }

    pub fn get_mut(&mut self, list: usize) -> &mut [T] {
        let Span { start, len, .. } = self.spans[list];
        &mut self.items[start as usize..(start + len) as usize]
    }

    /// Where a list is in memory; its items may be changed there.
    pub fn start(&self, list: usize) -> usize {
        self.spans[list].start as usize
    }

    /// Adds a list at the end.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        let start = self.items.len() as u32;
        self.items.extend(list);
        let len = self.items.len() as u32 - start;
        self.spans.push(Span { start, len, room: len });
    }

    /// Puts another list in the place of one; there are at least so many lists afterwards.
    pub fn set(&mut self, list: usize, new: &[T]) {
        if list >= self.spans.len() {
            self.spans.resize(list + 1, Span::default());
        }
        let Span { start, room, .. } = self.spans[list];
        if new.len() <= room as usize {
            self.items[start as usize..start as usize + new.len()].copy_from_slice(new);
            self.spans[list].len = new.len() as u32;
        } else {
            // What it may take is doubled each time, so that a list that comes and goes does not use up memory.
            let (start, room) = (self.items.len(), new.len().max(2 * room as usize));
            self.items.extend_from_slice(new);
            self.items.resize(start + room, new[0]);
            self.spans[list] = Span { start: start as u32, len: new.len() as u32, room: room as u32 };
        }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.items[..]) + size_of_val(&self.spans[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_replaced_and_memory_stays_bounded() {
        let mut lists = Lists::default();
        lists.push([1, 2, 3]);
        lists.push([]);
        lists.push([4]);
        lists.set(1, &[5, 6]);
        lists.set(0, &[7]);
        lists.set(4, &[8]);
        let all: Vec<&[i32]> = (0..lists.len()).map(|i| lists.get(i)).collect();
        assert_eq!(all, [&[7][..], &[5, 6], &[4], &[], &[8]]);
        let before = lists.bytes();
        for _ in 0..100 {
            lists.set(1, &[]);
            lists.set(1, &[9, 9]);
            lists.set(0, &[1, 2, 3]);
        }
        assert_eq!((lists.bytes(), lists.get(0), lists.get(1)), (before, &[1, 2, 3][..], &[9, 9][..]));
    }
}
