//! All shortest paths between the places of one merged cell, from those of its children.
//!
//! Places are the gates, then the shared portals, each in both directions: it is left into one child and reached from the
//! other. Paths are shortest when each shared place has been tried once between all others (Floyd, restricted to these).

/// Eight places at a time.
pub(crate) const WIDE: usize = 8;
pub(crate) type Block = [f32; WIDE];

/// Where a place of a merged cell is in one of its children.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Inside {
    /// The child's slot.
    pub child: u32,
    pub index: u16,
}

/// Memory for one table: rows of blocks, as wide as those of the node.
#[derive(Default)]
pub(crate) struct Table {
    pub costs: Vec<Block>,
    /// As wide as costs, so that both are treated alike.
    pub hops: Vec<[u32; WIDE]>,
    /// One row of the costs.
    via: Vec<Block>,
}

/// The place at which one arrives at a place: a shared portal is left into one child and reached from the other.
pub(crate) fn arrival(place: usize, gates: usize) -> usize {
    if place < gates { place } else { gates + ((place - gates) ^ 1) }
}

impl Table {
    /// All shortest paths between places, `cost` being that of one child from one of its gates to another.
    pub fn fill(&mut self, places: &[Inside], gates: usize, cost: impl Fn(Inside, Inside) -> f32) {
        let (count, width) = (places.len(), places.len().div_ceil(WIDE));
        self.costs.clear();
        self.costs.resize(count * width, [f32::INFINITY; WIDE]);
        self.hops.clear();
        for (x, from) in places.iter().enumerate() {
            self.hops
                .extend((0..width as u32).map(|block| std::array::from_fn(|lane| block * WIDE as u32 + lane as u32)));
            for y in 0..count {
                let to = places[arrival(y, gates)];
                if from.child == to.child && from.index != to.index {
                    self.costs[x * width + y / WIDE][y % WIDE] = cost(*from, to);
                }
            }
        }
        for by in gates..count {
            self.via.clear();
            self.via.extend_from_slice(&self.costs[by * width..(by + 1) * width]);
            for x in (0..count).filter(|&x| x != by) {
                let (costs, hops) = (&mut self.costs[x * width..][..width], &mut self.hops[x * width..][..width]);
                let (first, hop) = (costs[by / WIDE][by % WIDE], hops[by / WIDE][by % WIDE]);
                if first < f32::INFINITY {
                    go_by(costs, hops, (first, hop), &self.via);
                }
            }
        }
    }
}

/// Takes the way by another place where it is shorter. Mostly it is not, which eight comparisons at a time tell.
fn go_by(costs: &mut [Block], hops: &mut [[u32; WIDE]], (first, hop): (f32, u32), via: &[Block]) {
    for ((costs, hops), via) in costs.iter_mut().zip(hops).zip(via) {
        let through: Block = std::array::from_fn(|lane| first + via[lane]);
        let mut better = false;
        (0..WIDE).for_each(|lane| better |= through[lane] < costs[lane]);
        if better {
            let masks: [u32; WIDE] = std::array::from_fn(|lane| u32::from(through[lane] < costs[lane]).wrapping_neg());
            *hops = std::array::from_fn(|lane| (hop & masks[lane]) | (hops[lane] & !masks[lane]));
            *costs = std::array::from_fn(|lane| if through[lane] < costs[lane] { through[lane] } else { costs[lane] });
        }
    }
}
