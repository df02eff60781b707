//! Ways from corners to a root, shortest first: Dijkstra or A* over lines that touch two corners' circles.
//!
//! A label says: from the circle of this corner, left on this side at this normal, the root is so far. One corner and
//! side can need several labels, since a longer way that is left earlier may save more on the turn before it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use passerby_geometry::DVec2;

use crate::corners::{ANGLE_SLACK, Corner};
use crate::ground::{End, Ground};
use crate::tangent::{Circle, Line, angle, line, normal};

/// The two ways round a corner: counter-clockwise and clockwise.
pub(crate) const SIDES: [f64; 2] = [1.0, -1.0];

/// What waits in place of a label: the root itself.
pub(crate) const ROOT: u32 = u32::MAX;

/// A way from a corner to the root.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Label {
    pub vertex: u32,
    pub side: f64,
    /// Where the corner's circle is left.
    pub normal: DVec2,
    /// Length from there to the root, m.
    pub distance: f64,
    /// The straight piece that begins there.
    pub from: DVec2,
    pub to: DVec2,
    /// What follows; none if the piece ends at the root.
    pub parent: Option<u32>,
    /// The next label of this corner and side.
    next: Option<u32>,
    /// Whether a later label made it useless.
    dead: bool,
}

/// All labels found so far, and those that wait.
#[derive(Debug, Clone, Default)]
pub(crate) struct Labels {
    all: Vec<Label>,
    /// First label of each vertex and side.
    heads: Vec<[Option<u32>; 2]>,
    waiting: BinaryHeap<Reverse<(u64, u32)>>,
}

impl Labels {
    pub fn new(vertices: usize) -> Labels {
        Labels { heads: vec![[None; 2]; vertices], ..Labels::default() }
    }

    pub fn get(&self, label: u32) -> &Label {
        &self.all[label as usize]
    }

    /// The labels of a corner and side.
    pub fn of(&self, vertex: u32, side: f64) -> impl Iterator<Item = (u32, &Label)> {
        let mut next = self.heads.get(vertex as usize).and_then(|heads| heads[slot(side)]);
        std::iter::from_fn(move || {
            let number = next?;
            next = self.get(number).next;
            Some((number, self.get(number)))
        })
    }

    /// Takes out the waiting label with the lowest key, or [`ROOT`]. A key is at least 0.
    pub fn pop(&mut self) -> Option<(f64, u32)> {
        while let Some(Reverse((key, number))) = self.waiting.pop() {
            if number == ROOT || !self.get(number).dead {
                return Some((f64::from_bits(key), number));
            }
        }
        None
    }

    /// Lets a label or the root wait once more: what leads to it by keys below `key` has been added.
    pub fn wait(&mut self, key: f64, number: u32) {
        self.waiting.push(Reverse((key.to_bits(), number)));
    }

    /// Whether the label would be no better than one that is there, with a turn from its normal to the other's.
    fn is_useless(&self, ground: &Ground, corner: &Corner, side: f64, n: DVec2, distance: f64, radius: f64) -> bool {
        self.of(corner.vertex, side)
            .any(|(_, other)| beats(ground, corner, (other.normal, other.distance), (n, distance), radius))
    }

    /// Adds a label whose line has been checked.
    fn add(&mut self, ground: &Ground, corner: &Corner, mut label: Label, radius: f64, estimate: f64) {
        let number = self.all.len() as u32;
        let slot = slot(label.side);
        let (mut kept, mut next) = (None, self.heads[corner.vertex as usize][slot]);
        while let Some(n) = next {
            next = self.get(n).next;
            let other = self.get(n);
            if beats(ground, corner, (label.normal, label.distance), (other.normal, other.distance), radius) {
                self.all[n as usize].dead = true;
            } else {
                self.all[n as usize].next = kept;
                kept = Some(n);
            }
        }
        label.next = kept;
        self.heads[corner.vertex as usize][slot] = Some(number);
        self.waiting.push(Reverse(((label.distance + estimate).to_bits(), number)));
        self.all.push(label);
    }

    /// Adds the label of a corner whose line ends at the root, unless it is useless.
    pub fn add_direct(&mut self, ground: &Ground, label: Label, radius: f64, estimate: f64) {
        if let Some(corner) = ground.corners.at(label.vertex)
            && !self.is_useless(ground, corner, label.side, label.normal, label.distance, radius)
        {
            self.add(ground, corner, label, radius, estimate);
        }
    }

    /// Adds labels for all corners among `seen`, which are in sight of the root: those whose keys, ways and estimates together,
    /// are between the two given. Says whether there are some above them.
    pub fn start(
        &mut self,
        ground: &Ground,
        root: End,
        radius: f64,
        seen: &[u32],
        keys: [f64; 2],
        estimate: impl Fn(DVec2) -> f64,
    ) -> bool {
        let mut more = false;
        for corner in seen.iter().filter_map(|&v| ground.corners.at(v)) {
            // By the corner itself, a way is up to a radius longer at either side of it, or so much shorter.
            let by_corner = root.at.distance(corner.at) + estimate(corner.at);
            if by_corner + 3.0 * radius < keys[0] || by_corner - 3.0 * radius > keys[1] {
                more |= by_corner > keys[1];
                continue;
            }
            for side in SIDES {
                // Seen from the root, the corner is passed on the other side.
                if let Some((line, n)) = ground.approach(root, corner, -side, radius, seen) {
                    let (line, estimate) = (line.reversed(), estimate(line.to));
                    if line.length + estimate > keys[1] {
                        more = true;
                        continue;
                    }
                    let label = Label::new(corner, side, n, &line, line.length, None);
                    self.add_direct(ground, label, radius, estimate);
                }
            }
        }
        more
    }

    /// Adds labels for all corners from which a line leads to the corner of `label`, which has `seen` in sight: those whose
    /// keys are between the two given. Says whether there are some above them.
    pub fn spread(
        &mut self,
        ground: &Ground,
        label: u32,
        radius: f64,
        seen: &[u32],
        keys: [f64; 2],
        estimate: impl Fn(DVec2) -> f64,
    ) -> bool {
        let Label { vertex, side, normal: leave, distance, .. } = *self.get(label);
        let Some(here) = ground.corners.at(vertex) else { return false };
        let mut more = false;
        for there in seen.iter().filter_map(|&v| ground.corners.at(v)) {
            for other_side in SIDES {
                let circle = |corner: &Corner, side: f64| Circle { centre: corner.at, signed_radius: side * radius };
                let Some(line) = line(circle(there, other_side), circle(here, side)) else { continue };
                let (n, arrive) = (normal(other_side, line.direction), normal(side, line.direction));
                // The walker turns on towards where it leaves, never back: a way with a cusp can be shortened.
                if !there.faces(n) || !here.faces(arrive) || side * arrive.perp_dot(leave) < -ANGLE_SLACK {
                    continue;
                }
                let total = line.length + radius * angle(arrive, leave) + distance;
                let estimate = estimate(line.from);
                if total + estimate > keys[1] || total + estimate < keys[0] {
                    more |= total + estimate > keys[1];
                    continue;
                }
                if !self.is_useless(ground, there, other_side, n, total, radius)
                    && ground.fits_at(there, n, radius)
                    && ground.fits_at(here, arrive, radius)
                    && ground.can_turn(here, side, arrive, leave, radius)
                    && ground.is_clear(&line, seen, |_| radius)
                {
                    let new = Label::new(there, other_side, n, &line, total, Some(label));
                    self.add(ground, there, new, radius, estimate);
                }
            }
        }
        more
    }
}

/// 0 and 1 for the two sides.
pub(crate) fn slot(side: f64) -> usize {
    usize::from(side < 0.0)
}

impl Label {
    pub fn new(corner: &Corner, side: f64, normal: DVec2, line: &Line, distance: f64, parent: Option<u32>) -> Label {
        let Line { from, to, .. } = *line;
        Label { vertex: corner.vertex, side, normal, distance, from, to, parent, next: None, dead: false }
    }
}

/// Whether going to the normal of `better` first is not longer than leaving at the normal of `worse`. Going there may
/// mean a cusp; but then the way of `worse` is no shortest one either.
pub(crate) fn beats(ground: &Ground, corner: &Corner, better: (DVec2, f64), worse: (DVec2, f64), radius: f64) -> bool {
    if better.1 > worse.1 {
        return false;
    }
    let side = if worse.0.perp_dot(better.0) < 0.0 { -1.0 } else { 1.0 };
    // No turn is longer than half a circle, so most need not be measured.
    let nearer = || {
        better.1 + radius * std::f64::consts::PI <= worse.1 || better.1 + radius * angle(better.0, worse.0) <= worse.1
    };
    radius == 0.0 || nearer() && ground.can_turn(corner, side, worse.0, better.0, radius)
}
