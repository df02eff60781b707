//! Many short lists in one piece of memory, each of which can be replaced by another.

/// Lists by number. A list that grows beyond its room moves to the end and gets more.
#[derive(Debug, Clone)]
pub struct Lists<T> {
    items: Vec<T>,
    spans: Vec<Span>,
    /// How long each list may get where it is.
    rooms: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    len: u32,
}

impl<T> Default for Lists<T> {
    fn default() -> Lists<T> {
        Lists { items: Vec::new(), spans: Vec::new(), rooms: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    /// Number of lists.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// A list by its number.
    pub fn get(&self, list: usize) -> &[T] {
        let Span { start, len } = self.spans[list];
        &self.items[start as usize..(start + len) as usize]
    }

    /// Adds a list at the end.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        let start = self.items.len() as u32;
        self.items.extend(list);
        let len = self.items.len() as u32 - start;
        self.spans.push(Span { start, len });
        self.rooms.push(len);
    }

    /// Puts another list in the place of one; there are at least so many lists afterwards.
    pub fn set(&mut self, list: usize, new: &[T]) {
        if list >= self.spans.len() {
            self.spans.resize(list + 1, Span::default());
            self.rooms.resize(list + 1, 0);
        }
        let room = self.rooms[list] as usize;
        if new.len() > room {
            // What it may take is doubled each time, so that a list that comes and goes does not use up memory.
            let room = new.len().max(2 * room);
            self.spans[list].start = self.items.len() as u32;
            self.rooms[list] = room as u32;
            self.items.resize(self.items.len() + room, new[0]);
        }
        let start = self.spans[list].start as usize;
        self.items[start..start + new.len()].copy_from_slice(new);
        self.spans[list].len = new.len() as u32;
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.items[..]) + size_of_val(&self.spans[..]) + size_of_val(&self.rooms[..])
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
