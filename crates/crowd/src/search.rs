//! The nearest neighbours of eight agents at once.
//!
//! Agents that follow one another in the index stand close together, so their neighbourhoods overlap: each candidate is
//! looked at once for all eight, and pushed through a chain of sorted registers, one lane per agent, without a branch.
//! The answer is exact, nearest first, ties by id: lanes in which two distances are equal, or nearly so, are done again by
//! a plain search that compares all bits, and ids.

use crate::index::{Found, Index, Slot};
use passerby_geometry::Vec2;
#[cfg(target_arch = "x86_64")]
use passerby_geometry::lanes::{Avx2, Sse2};
use passerby_geometry::lanes::{LANES, Lanes, Plain, Registers, Width};

/// Up to eight agents that stand close together.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    slots: [u32; LANES],
    len: u8,
}

impl Group {
    /// The first group of `slots` (ascending), and the rest. A group ends where it would span more than three strips.
    pub fn split_first<'a>(index: &Index, slots: &'a [Slot]) -> Option<(Group, &'a [Slot])> {
        let first = *slots.first()?;
        let span = 3.0 * index.strip_height;
        let (mut low, mut high) = (index.body(first).position, index.body(first).position);
        let mut group = Group { slots: [first.0; LANES], len: 0 };
        for slot in slots.iter().take(LANES) {
            let at = index.body(*slot).position;
            (low, high) = (low.min(at), high.max(at));
            if (high - low).max_element() > span {
                break;
            }
            group.slots[group.len as usize] = slot.0;
            group.len += 1;
        }
        Some((group, &slots[group.len as usize..]))
    }

    /// Its agents.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.slots[..self.len as usize].iter().map(|&slot| Slot(slot))
    }

    /// The slot of each lane; lanes without an agent repeat the first one.
    pub fn lanes(&self) -> &[u32; LANES] {
        &self.slots
    }

    /// How many agents it has.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// A group has at least one agent.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The `K` nearest of each agent of a group: neighbour `k` of lane `l` is `slot[k][l]`.
#[derive(Debug, Clone)]
pub struct Nearest<const K: usize> {
    /// Where in the index; from `count[l]` on some slot or other.
    pub slot: [[u32; LANES]; K],
    /// How many there are.
    pub count: [u32; LANES],
    /// Radius of the last search: the next one starts from there. Changes the time, never the result.
    guess: f32,
    /// Slot of each candidate, by its number in the scan.
    candidates: Vec<u32>,
    ties: Vec<Found>,
}

impl<const K: usize> Default for Nearest<K> {
    fn default() -> Self {
        let (candidates, ties) = (Vec::with_capacity(1024), Vec::with_capacity(256));
        Self { slot: [[0; LANES]; K], count: [0; LANES], guess: 1.0, candidates, ties }
    }
}

impl<const K: usize> Nearest<K> {
    /// Finds the `K` nearest within `range` metres of each agent of the group, in lanes of the given width.
    pub fn find_with(&mut self, width: Width, index: &Index, group: &Group, range: f32) {
        match width.registers() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Width` only holds what the processor has.
            #[allow(unsafe_code)]
            Registers::Avx2 => unsafe { self.find_avx2(index, group, range) },
            #[cfg(target_arch = "x86_64")]
            Registers::Sse2 => self.find::<Sse2>(index, group, range),
            _ => self.find::<Plain>(index, group, range),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn find_avx2(&mut self, index: &Index, group: &Group, range: f32) {
        self.find::<Avx2>(index, group, range);
    }

    /// The neighbours of the agent in this lane, nearest first.
    pub fn of(&self, lane: usize) -> impl Iterator<Item = Slot> + '_ {
        self.slot[..self.count[lane] as usize].iter().map(move |lanes| Slot(lanes[lane]))
    }

    /// Keeps the first `count` of each.
    #[inline(always)]
    pub fn keep_first(&mut self, count: u32) {
        for lane in 0..LANES {
            self.count[lane] = self.count[lane].min(count);
        }
    }

    /// Takes the first `K` of those that `of` names for each agent.
    pub fn take<'a>(&mut self, group: &Group, of: impl Fn(Slot) -> &'a [Slot]) {
        self.count = [0; LANES];
        // Kernels read all lanes of as many rows as one of them has neighbours, so what is there must be somebody of this index.
        self.slot.fill(group.slots);
        for (lane, own) in group.slots().enumerate() {
            let others = of(own);
            self.count[lane] = others.len().min(K) as u32;
            for (k, other) in others.iter().take(K).enumerate() {
                self.slot[k][lane] = other.0;
            }
        }
    }

    /// Finds the `count` nearest within `range` metres of each agent of the group for whom `keep`, asked with the agent and the
    /// neighbour, is true.
    pub fn find_seen(
        &mut self,
        width: Width,
        index: &Index,
        group: &Group,
        (count, range): (u32, f32),
        keep: impl Fn(Slot, Slot) -> bool,
    ) {
        self.find_with(width, index, group, range);
        for (lane, own) in group.slots().enumerate() {
            let found = self.count[lane] as usize;
            let mut kept = 0;
            for k in 0..found {
                let other = self.slot[k][lane];
                if keep(own, Slot(other)) {
                    self.slot[kept][lane] = other;
                    kept += 1;
                }
            }
            self.count[lane] = kept as u32;
            if found == K && kept < count as usize {
                self.look_farther(index, (lane, own), (count, range), |other| keep(own, other));
            }
        }
        self.keep_first(count);
    }

    /// Looks at everybody in range: the `K` nearest were not enough to find all who are seen.
    fn look_farther(
        &mut self,
        index: &Index,
        (lane, own): (usize, Slot),
        (count, range): (u32, f32),
        keep: impl Fn(Slot) -> bool,
    ) {
        index.within(index.body(own).position, range, &mut self.ties);
        let others = self.ties.iter().map(|found| found.slot).filter(|other| *other != own && keep(*other));
        let mut kept = 0;
        for (k, other) in others.take(K.min(count as usize)).enumerate() {
            self.slot[k][lane] = other.0;
            kept = k as u32 + 1;
        }
        self.count[lane] = kept;
    }

    /// Finds the `K` nearest within `range` metres of each agent of the group.
    #[inline(always)]
    fn find<L: Lanes>(&mut self, index: &Index, group: &Group, range: f32) {
        let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
        let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for lane in 0..LANES {
            let at = index.body(Slot(group.slots[lane])).position;
            (x[lane], y[lane]) = (at.x, at.y);
            (low, high) = (low.min(at), high.max(at));
        }
        let me = [L::load(&x), L::load(&y)];
        let mut radius = self.guess.min(range);
        let (farthest, ties) = loop {
            let (farthest, ties) = self.scan(index, me, low - radius, high + radius, range);
            // A hair more than the distance, for the rounding of the box.
            if 1.0001 * farthest <= radius || radius >= range {
                break (farthest, ties);
            }
            radius = (1.5 * radius).min(range);
        };
        // Beyond the farthest of the last group: to search again costs more than a few candidates too many. Where somebody has
        // few neighbours, no guess can be good.
        self.guess = if farthest.is_finite() { 1.2 * farthest } else { (0.8 * radius).max(0.5) };
        self.count[group.len()..].fill(0);
        if ties != 0 {
            self.settle_ties(index, group, range, ties);
        }
    }

    /// One pass over everybody in the box. Returns the largest distance of a `K`-th neighbour, infinite if one has fewer,
    /// and a bit for each lane whose order is not certain.
    ///
    /// What goes through the chain is the squared distance with the candidate's number in its lowest bits: a minimum and a
    /// maximum a step, where distance and number apart would take five operations. Distances that differ in no higher bit
    /// are not put in order by this, so their lanes are done again.
    #[inline(always)]
    fn scan<L: Lanes>(&mut self, index: &Index, me: [L; 2], low: Vec2, high: Vec2, range: f32) -> (f32, u8) {
        self.candidates.clear();
        for run in index.runs(low, high) {
            self.candidates.extend(run.start as u32..run.end as u32);
        }
        let number_bits = (self.candidates.len() as u32).next_power_of_two() - 1;
        let distance_bits = L::splat_bits(!number_bits);
        let nothing = L::splat(f32::MAX);
        // The nearest of all is the agent itself. One more than asked for: who is as far decides by id whether it is in.
        let (mut own, mut nearest, mut beyond) = (nothing, [nothing; K], nothing);
        let mut number = 0;
        for run in index.runs(low, high) {
            for body in &index.bodies()[run] {
                let (dx, dy) = (me[0] - L::splat(body.position.x), me[1] - L::splat(body.position.y));
                let mut key = (dx * dx + dy * dy).and(distance_bits).or(L::splat_bits(number));
                (own, key) = (own.min(key), own.max(key));
                for place in &mut nearest {
                    (*place, key) = (place.min(key), place.max(key));
                }
                beyond = beyond.min(key);
                number += 1;
            }
        }

        // Below `nothing`, however far the range.
        let limit = L::splat((range * range).min(1e38)).and(distance_bits);
        let (mut count, mut unsure) = (L::splat(0.0), L::splat(0.0));
        let mut before = own.and(distance_bits);
        for k in 0..K {
            let distance = nearest[k].and(distance_bits);
            let within = distance.lt(limit);
            count = count + within.and(L::splat(1.0));
            unsure = unsure.or(distance.same(before).and(within)).or(distance.same(limit));
            before = distance;
            let mut keys = [0.0; LANES];
            nearest[k].store(&mut keys);
            for lane in 0..LANES {
                let number = keys[lane].to_bits() & number_bits;
                // With fewer than `K` candidates the number of nobody is none of theirs.
                self.slot[k][lane] = self.candidates.get(number as usize).copied().unwrap_or_default();
            }
        }
        unsure = unsure.or(beyond.and(distance_bits).same(before).and(before.lt(limit)));
        let mut counts = [0.0; LANES];
        count.store(&mut counts);
        for lane in 0..LANES {
            self.count[lane] = counts[lane] as u32;
        }
        // From above: the bits of the number stand for those of the distance that are gone.
        let mut last = [0.0; LANES];
        let full = nearest[K - 1].lt(limit);
        full.select(nearest[K - 1].or(L::splat_bits(number_bits)), L::splat(f32::INFINITY)).store(&mut last);
        (last.iter().fold(0.0, |most: f32, d| most.max(*d)).sqrt(), unsure.bits())
    }

    /// Searches again for the lanes of `ties`, one by one, comparing ids where distances are equal.
    #[cold]
    #[inline(never)]
    fn settle_ties(&mut self, index: &Index, group: &Group, range: f32, ties: u8) {
        for lane in (0..group.len()).filter(|lane| ties >> lane & 1 == 1) {
            let own = Slot(group.slots[lane]);
            index.nearest(index.body(own).position, K as u32 + 1, range, &mut self.ties);
            let others = self.ties.iter().filter(|found| found.slot != own);
            self.count[lane] = 0;
            for (k, found) in others.take(K).enumerate() {
                self.slot[k][lane] = found.slot.0;
                self.count[lane] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentId, Columns};
    use passerby_geometry::chance::{Chance, Purpose};

    /// `people` on a square, every third one on a lattice so that many distances are equal to the bit.
    fn crowd(people: u32, side: f32, seed: u64) -> Index {
        let mut stream = Chance::new(seed).stream(0, 0, Purpose::Placement);
        let position: Vec<Vec2> = (0..people)
            .map(|i| {
                let at = Vec2::new(stream.uniform() as f32, stream.uniform() as f32) * side;
                if i % 3 == 0 { at.floor() } else { at }
            })
            .collect();
        let id: Vec<AgentId> = (0..people).map(|i| AgentId::new(0, (i * 7919) % people)).collect();
        let n = people as usize;
        let mut index = Index::default();
        index.build(
            Vec2::ZERO,
            Vec2::splat(side),
            Columns {
                id: &id,
                position: &position,
                velocity: &vec![Vec2::ZERO; n],
                radius: &vec![0.25; n],
                share: &vec![0.5; n],
            },
        );
        index
    }

    /// Every other body within `range`, by distance and id: the definition.
    fn by_definition(index: &Index, own: Slot, range: f32) -> Vec<AgentId> {
        let at = index.body(own).position;
        let mut all: Vec<_> = index
            .bodies()
            .iter()
            .enumerate()
            .filter(|(slot, _)| *slot as u32 != own.0)
            .map(|(_, body)| (body.position.distance_squared(at), body.id))
            .filter(|(d, _)| *d <= range * range)
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        all.into_iter().map(|(_, id)| id).collect()
    }

    #[test]
    fn eight_at_once_find_what_the_definition_says() {
        for (people, side, seed) in [(1, 10.0, 1), (2, 10.0, 2), (60, 30.0, 3), (500, 12.0, 4), (2000, 30.0, 5)] {
            let index = crowd(people, side, seed);
            let slots: Vec<Slot> = (0..people).map(Slot).collect();
            let (mut rest, mut nearest) = (&slots[..], Nearest::<10>::default());
            let mut seen = 0;
            while let Some((group, left)) = Group::split_first(&index, rest) {
                for width in [Width::plain(), Width::baseline(), Width::detect()] {
                    nearest.find_with(width, &index, &group, 5.0);
                    for (lane, own) in group.slots().enumerate() {
                        let found: Vec<AgentId> = nearest.of(lane).map(|slot| index.body(slot).id).collect();
                        let mut expected = by_definition(&index, own, 5.0);
                        expected.truncate(10);
                        assert_eq!(found, expected, "{people} people, slot {own:?}, {width:?}");
                    }
                }
                seen += group.len() as u32;
                rest = left;
            }
            assert_eq!(seen, people);
        }
    }

    #[test]
    fn plain_searches_find_what_the_definition_says() {
        let index = crowd(800, 20.0, 6);
        let mut found = Vec::new();
        for own in (0..800).map(Slot) {
            let at = index.body(own).position;
            index.within(at, 2.5, &mut found);
            let ids: Vec<AgentId> = found.iter().filter(|f| f.slot != own).map(|f| index.body(f.slot).id).collect();
            assert_eq!(ids, by_definition(&index, own, 2.5));
            index.nearest(at, 14, 4.0, &mut found);
            assert!(found.len() <= 14 && found.windows(2).all(|w| w[0].distance_squared <= w[1].distance_squared));
        }
    }

    /// Of 500 only every fortieth is seen, so that most of the nearest are not: those who are have to be found all the same.
    #[test]
    fn who_is_seen_is_found_behind_many_who_are_not() {
        let index = crowd(500, 20.0, 3);
        let seen = |slot: Slot| index.body(slot).id.bits().is_multiple_of(40);
        let slots: Vec<Slot> = (0..500).map(Slot).collect();
        let (mut nearest, mut rest) = (Nearest::<32>::default(), &slots[..]);
        while let Some((group, left)) = Group::split_first(&index, rest) {
            nearest.find_seen(Width::detect(), &index, &group, (5, 8.0), |_, other| seen(other));
            for (lane, own) in group.slots().enumerate() {
                let found: Vec<AgentId> = nearest.of(lane).map(|slot| index.body(slot).id).collect();
                let mut expected = by_definition(&index, own, 8.0);
                expected.retain(|id| id.bits().is_multiple_of(40));
                expected.truncate(5);
                assert_eq!(found, expected, "of {own:?}");
            }
            rest = left;
        }
    }
}
