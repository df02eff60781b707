//! The ways of a tree: found from the goal outward, and found again only where the floor has changed.
//!
//! A label says: from the circle of this corner, left on this side at this normal, the goal is so far. Labels are settled in one
//! order, that of their [`Key`]s: a candidate whose turn it is becomes a label unless one that was settled before it at
//! the same corner and side beats it. So what is settled depends on the floor alone and not on the order in which
//! candidates were found, and a tree that was repaired is the one that would be planted anew, to the last bit.
//!
//! After a change, labels of corners whose surroundings have changed are doubtful, and so are those whose lines lead to such
//! corners. Candidates are collected anew there. When it is the turn of a doubtful label, it stays if it was found again, and all that
//! leads to it stays with it; else it is taken out, with what leads to it, and so is everything after it at its corner and side, where
//! candidates are collected again. The same happens to what comes after a new label. All of that lies later in the order than
//! what has been settled.

use std::cmp::{Ordering, Reverse};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BinaryHeap};

use passerby_geometry::DVec2;

use crate::corners::{ANGLE_SLACK, Corner};
use crate::ground::{FIT, Ground};
use crate::labels::{SIDES, beats, slot};
use crate::sight::Sight;
use crate::tangent::{Circle, Line, angle, line, normal};
use crate::views::Views;

/// What a tree grows in, for a disc of one radius.
#[derive(Clone, Copy)]
pub(crate) struct Soil<'a> {
    pub ground: &'a Ground,
    pub views: &'a Views,
    pub radius: f64,
}

/// The order in which labels are settled: by distance, the rest tells ties apart. Numbers are bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    distance: u64,
    vertex: u32,
    slot: usize,
    normal: [u64; 2],
    to: [u64; 2],
}

/// A way from a corner to the goal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Label {
    pub vertex: u32,
    pub side: f64,
    /// Where the corner's circle is left.
    pub normal: DVec2,
    /// Length from there to the goal, m.
    pub distance: f64,
    /// End of the straight piece that begins there.
    pub to: DVec2,
    /// What follows; none if the piece ends at the goal.
    parent: Option<u32>,
    /// The label before it of this corner and side.
    next: Option<u32>,
    /// Whether it was taken out.
    dead: bool,
    /// Whether it has to be found again.
    doubtful: bool,
}

impl Label {
    fn key(&self) -> Key {
        let bits = |p: DVec2| [p.x.to_bits(), p.y.to_bits()];
        // No distance is below 0, so that bits have the order of numbers.
        Key {
            distance: self.distance.to_bits(),
            vertex: self.vertex,
            slot: slot(self.side),
            normal: bits(self.normal),
            to: bits(self.to),
        }
    }

    /// The way from a corner along a line, and on over what follows.
    pub fn new(corner: &Corner, side: f64, normal: DVec2, line: &Line, distance: f64, parent: Option<u32>) -> Label {
        Label {
            vertex: corner.vertex,
            side,
            normal,
            distance,
            to: line.to,
            parent,
            next: None,
            dead: false,
            doubtful: false,
        }
    }
}

/// A label that waits for its turn; none where a doubtful one has to be found again by then.
struct Waiting(Key, Option<Label>);

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0).then(self.1.is_none().cmp(&other.1.is_none()))
    }
}

/// All labels of a tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Growth {
    all: Vec<Label>,
    /// Last label of each vertex and side.
    heads: Vec<[Option<u32>; 2]>,
    /// Labels that lead straight to the goal if nothing beats them, by vertex.
    direct: BTreeMap<u32, Vec<Label>>,
    /// Numbers of labels that were taken out.
    unused: Vec<u32>,
}

/// What only growing needs.
#[derive(Default)]
struct Work {
    waiting: BinaryHeap<Reverse<Waiting>>,
    sight: Sight,
    /// Views that there was no room to keep.
    spare: BTreeMap<u32, Box<[u32]>>,
    /// Vertices whose surroundings have changed.
    affected: Vec<bool>,
    /// Corners and sides at which candidates from a key on have to be collected again.
    again: Vec<(u32, usize, Option<Key>)>,
    taken_out: Vec<u32>,
    /// Candidates of one label.
    found: Vec<Label>,
}

impl Work {
    fn seen<'a>(&'a mut self, soil: Soil<'a>, corner: &Corner) -> &'a [u32] {
        let Self { sight, spare, .. } = self;
        match spare.entry(corner.vertex) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => match soil.views.of(soil.ground, corner, sight) {
                Some(view) => &view.vertices,
                None => new.insert(sight.vertices[..].into()),
            },
        }
    }
}

impl Growth {
    /// Grows from the labels that lead straight to the goal.
    pub fn new(soil: Soil<'_>, direct: BTreeMap<u32, Vec<Label>>) -> Growth {
        let mut growth = Growth { heads: vec![[None; 2]; soil.ground.mesh.points.len()], ..Growth::default() };
        let mut work = Work::default();
        direct.values().flatten().for_each(|label| work.waiting.push(Reverse(Waiting(label.key(), Some(*label)))));
        growth.direct = direct;
        growth.settle_all(soil, &mut work);
        growth.all.shrink_to_fit();
        growth
    }

    pub fn get(&self, label: u32) -> &Label {
        &self.all[label as usize]
    }

    /// The labels of a corner and side, last one first.
    pub fn of(&self, vertex: u32, side: f64) -> impl Iterator<Item = (u32, &Label)> {
        self.in_slot(vertex, slot(side))
    }

    fn in_slot(&self, vertex: u32, slot: usize) -> impl Iterator<Item = (u32, &Label)> {
        let mut next = self.heads.get(vertex as usize).and_then(|heads| heads[slot]);
        std::iter::from_fn(move || {
            let number = next?;
            next = self.get(number).next;
            Some((number, self.get(number)))
        })
    }

    /// The labels that lead straight to the goal if nothing beats them, by vertex.
    pub fn direct(&self) -> &BTreeMap<u32, Vec<Label>> {
        &self.direct
    }

    /// Whether two lists of labels are the same to the last bit.
    pub fn same(a: &[Label], b: &[Label]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.key() == b.key())
    }

    /// Follows a change of the floor: `affected` are vertices whose surroundings are others now, `direct` what leads straight
    /// from them to the goal. Views must be complete.
    pub fn repair(&mut self, soil: Soil<'_>, affected: &[u32], direct: BTreeMap<u32, Vec<Label>>) {
        self.heads.resize(soil.ground.mesh.points.len(), [None; 2]);
        let mut work = Work { affected: vec![false; self.heads.len()], ..Work::default() };
        for &vertex in affected {
            work.affected[vertex as usize] = true;
            self.direct.remove(&vertex);
            work.again.extend([(vertex, 0, None), (vertex, 1, None)]);
        }
        self.direct.extend(direct);
        for number in 0..self.all.len() {
            let label = self.all[number];
            let is_affected = |vertex: u32| work.affected[vertex as usize];
            let leads_there = || label.parent.is_some_and(|parent| is_affected(self.get(parent).vertex));
            if !label.dead && (is_affected(label.vertex) || leads_there()) {
                self.all[number].doubtful = true;
                work.waiting.push(Reverse(Waiting(label.key(), None)));
            }
        }
        self.collect_again(soil, &mut work);
        self.settle_all(soil, &mut work);
        self.unused.append(&mut work.taken_out);
    }

    /// Marks a label as gone; gives the one before it.
    fn take_out(&mut self, number: u32, work: &mut Work) -> Option<u32> {
        let label = &mut self.all[number as usize];
        label.dead = true;
        work.taken_out.push(number);
        label.next
    }

    /// Takes out the labels of a corner and side from a key on, and all whose ways lead by them.
    fn cut(&mut self, soil: Soil<'_>, vertex: u32, slot: usize, from: Key, work: &mut Work) {
        let mut stack = vec![(vertex, slot, from)];
        while let Some((vertex, slot, from)) = stack.pop() {
            let before = work.taken_out.len();
            while let Some(head) = self.heads[vertex as usize][slot].filter(|&head| self.get(head).key() >= from) {
                self.heads[vertex as usize][slot] = self.take_out(head, work);
                for &there in soil.views.seen(vertex) {
                    for slot in [0, 1] {
                        let led = self.in_slot(there, slot).filter(|(_, label)| label.parent == Some(head));
                        stack.extend(led.map(|(_, label)| (there, slot, label.key())));
                    }
                }
            }
            if work.taken_out.len() > before {
                work.again.push((vertex, slot, Some(from)));
            }
        }
    }

    /// Collects candidates where labels were taken out.
    fn collect_again(&self, soil: Soil<'_>, work: &mut Work) {
        while let Some((vertex, slot, from)) = work.again.pop() {
            let Some(corner) = soil.ground.corners.at(vertex) else { continue };
            let late = |label: &Label| from.is_none_or(|from| label.key() >= from);
            let direct = self.direct.get(&vertex).into_iter().flatten();
            for label in direct.filter(|label| crate::labels::slot(label.side) == slot && late(label)) {
                work.waiting.push(Reverse(Waiting(label.key(), Some(*label))));
            }
            for &by in soil.views.seen_by(vertex) {
                for side in SIDES {
                    for (number, _) in self.of(by, side) {
                        if let Some(label) = self.lead(soil, corner, SIDES[slot], number).filter(late) {
                            work.waiting.push(Reverse(Waiting(label.key(), Some(label))));
                        }
                    }
                }
            }
        }
    }

    /// Settles what waits, and what comes of it.
    fn settle_all(&mut self, soil: Soil<'_>, work: &mut Work) {
        while let Some(Reverse(Waiting(key, label))) = work.waiting.pop() {
            let same = self.in_slot(key.vertex, key.slot).find(|(_, other)| other.key() == key);
            let same = same.map(|(number, other)| (number, other.doubtful));
            let Some(label) = label else {
                if same.is_some_and(|(_, doubtful)| doubtful) {
                    self.cut(soil, key.vertex, key.slot, key, work);
                    self.collect_again(soil, work);
                }
                continue;
            };
            let is_known = same.is_some_and(|(_, doubtful)| !doubtful);
            if is_known || label.parent.is_some_and(|parent| self.get(parent).dead) {
                continue;
            }
            let Some(corner) = soil.ground.corners.at(label.vertex) else { continue };
            if self.is_beaten(soil, corner, &label, key) || !self.is_free(soil, corner, &label, work) {
                continue;
            }
            if let Some((number, _)) = same {
                let found = &mut self.all[number as usize];
                (found.doubtful, found.parent) = (false, label.parent);
                if work.affected[key.vertex as usize] {
                    self.spread(soil, corner, number, work);
                }
                continue;
            }
            self.cut(soil, label.vertex, key.slot, key, work);
            self.collect_again(soil, work);
            let head = &mut self.heads[label.vertex as usize][key.slot];
            let label = Label { next: *head, ..label };
            let number = match self.unused.pop() {
                Some(number) => {
                    self.all[number as usize] = label;
                    number
                }
                None => {
                    self.all.push(label);
                    self.all.len() as u32 - 1
                }
            };
            *head = Some(number);
            self.spread(soil, corner, number, work);
        }
    }

    /// Finds candidates at all corners from which a line leads to a label's.
    fn spread(&self, soil: Soil<'_>, here: &Corner, label: u32, work: &mut Work) {
        let mut found = std::mem::take(&mut work.found);
        for there in work.seen(soil, here).iter().filter_map(|&v| soil.ground.corners.at(v)) {
            for side in SIDES {
                found.extend(self.lead(soil, there, side, label));
            }
        }
        work.waiting.extend(found.drain(..).map(|label| Reverse(Waiting(label.key(), Some(label)))));
        work.found = found;
    }

    /// The candidate at a corner and side whose line leads to a label, unless there is none or it is beaten. Whether the line
    /// is free is not asked yet: most are beaten before it is their turn.
    fn lead(&self, soil: Soil<'_>, there: &Corner, side: f64, label: u32) -> Option<Label> {
        let Label { vertex, normal: leave, distance, side: turn, .. } = *self.get(label);
        if self.is_far_off(soil, there, side, soil.ground.mesh.point(vertex).distance(there.at) + distance) {
            return None;
        }
        let (here, line, n, arrive) = self.line(soil, there, side, label)?;
        // The walker turns on towards where it leaves, never back: a way with a cusp can be shortened.
        if !there.faces(n) || !here.faces(arrive) || turn * arrive.perp_dot(leave) < -ANGLE_SLACK {
            return None;
        }
        let total = line.length + soil.radius * angle(arrive, leave) + distance;
        let new = Label::new(there, side, n, &line, total, Some(label));
        (!self.is_beaten(soil, there, &new, new.key())).then_some(new)
    }

    /// Whether something is settled at a corner and side that beats every way over another corner, whatever its line: `total` is
    /// the length from corner to corner and on. That spares most lines.
    fn is_far_off(&self, soil: Soil<'_>, there: &Corner, side: f64, total: f64) -> bool {
        // A line is shorter than from corner to corner by two radii at most, and no turn is longer than half a circle.
        let least = total - (2.0 + std::f64::consts::PI) * soil.radius - FIT;
        let can_turn = soil.radius == 0.0 || there.is_open(soil.radius);
        can_turn && self.of(there.vertex, side).any(|(_, other)| other.distance <= least)
    }

    /// The line from a corner to that of a label, and the normals at its ends.
    fn line<'a>(
        &self,
        soil: Soil<'a>,
        there: &Corner,
        side: f64,
        label: u32,
    ) -> Option<(&'a Corner, Line, DVec2, DVec2)> {
        let Label { vertex, side: turn, .. } = *self.get(label);
        let here = soil.ground.corners.at(vertex)?;
        let circle = |corner: &Corner, side: f64| Circle { centre: corner.at, signed_radius: side * soil.radius };
        let line = line(circle(there, side), circle(here, turn))?;
        Some((here, line, normal(side, line.direction), normal(turn, line.direction)))
    }

    /// Whether a label that was settled before a key is no worse, with a turn to its normal.
    fn is_beaten(&self, soil: Soil<'_>, corner: &Corner, label: &Label, key: Key) -> bool {
        let (ground, worse) = (soil.ground, (label.normal, label.distance));
        let beaten_by = |other: &Label| beats(ground, corner, (other.normal, other.distance), worse, soil.radius);
        self.of(label.vertex, label.side).any(|(_, other)| other.key() < key && beaten_by(other))
    }

    /// Whether a disc can go along the line of a candidate, and turn at its end.
    fn is_free(&self, soil: Soil<'_>, there: &Corner, label: &Label, work: &mut Work) -> bool {
        // What leads straight to the goal was looked at when it was found.
        let Some(parent) = label.parent else { return true };
        let Some((here, line, n, arrive)) = self.line(soil, there, label.side, parent) else { return false };
        let (ground, radius, leave) = (soil.ground, soil.radius, self.get(parent).normal);
        ground.fits_at(there, n, radius)
            && ground.fits_at(here, arrive, radius)
            && ground.can_turn(here, self.get(parent).side, arrive, leave, radius)
            && ground.is_clear(&line, work.seen(soil, here), |_| radius)
    }

    /// Whether both have the same labels at each corner and side, in the same order, to the last bit.
    pub fn is_like(&self, other: &Growth) -> bool {
        let vertices = self.heads.len().max(other.heads.len()) as u32;
        let keys =
            |of: &Growth, vertex: u32, slot: usize| of.in_slot(vertex, slot).map(|(_, l)| l.key()).collect::<Vec<_>>();
        (0..vertices).all(|vertex| (0..2).all(|slot| keys(self, vertex, slot) == keys(other, vertex, slot)))
    }
}
