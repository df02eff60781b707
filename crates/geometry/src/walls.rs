//! An index of wall segments: what is near, what is in the way, what can be seen.
//!
//! Every agent asks in every tick, so no question allocates, and the commonest answer, "no wall anywhere near", is
//! one look into a table of clearances. Otherwise the walls lie in a uniform grid. Answers do not depend on cell sizes.

use crate::clearance::Clearance;
use crate::grid::{Grid, Sizing};
use crate::sweep::disc_hits_segment;
use crate::{DVec2, Segment, Vec2};
use std::ops::ControlFlow;

/// Number of a wall: its place in the list that [`Walls::new`] was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallId(pub u32);

/// A wall within reach of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallNear {
    /// The wall.
    pub id: WallId,
    /// Its point nearest to the place asked about.
    pub point: Vec2,
    /// Distance to that point, m.
    pub distance: f32,
}

/// Where a straight way meets a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallHit {
    /// The wall.
    pub id: WallId,
    /// The meeting point.
    pub point: Vec2,
    /// The fraction of the way that is free, from 0 to 1.
    pub fraction: f32,
}

/// A fixed set of walls. The free side of a wall is on its left. Each can be switched off and on, as a door opens and
/// closes; all are on at first.
#[derive(Debug, Clone)]
pub struct Walls {
    segments: Vec<Segment>,
    on: Vec<bool>,
    grid: Grid,
    clearance: Clearance,
    /// Numbers of walls that were removed.
    unused: Vec<u32>,
}

impl Walls {
    /// Indexes the walls. The grid has about four cells a wall (or 4096, for few walls), at most about a million, none
    /// under a metre; the table of clearances has at most about a million, none under half a metre.
    ///
    /// # Panics
    /// If a coordinate is not finite, or there are 2^32 walls.
    pub fn new(segments: Vec<Segment>) -> Walls {
        assert!(u32::try_from(segments.len()).is_ok(), "{} walls are too many to number", segments.len());
        let finite = |wall: &Segment| wall.a.is_finite() && wall.b.is_finite();
        if let Some(wall) = segments.iter().find(|wall| !finite(wall)) {
            panic!("a wall from {} to {} is nowhere", wall.a, wall.b);
        }
        let edges: Vec<[DVec2; 2]> = segments.iter().map(|wall| wall.ends().into()).collect();
        let cells = (4.0 * segments.len() as f64).clamp(4096.0, 1e6);
        let grid = Grid::new(&edges, Sizing { cells, smallest: 1.0 });
        Walls { on: vec![true; segments.len()], clearance: Clearance::new(&edges), segments, grid, unused: Vec::new() }
    }

    /// How many walls there are, on or off.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether there are no walls at all.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// All walls by number: `WallId(i)` is the segment at `i`.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The wall with this number.
    pub fn segment(&self, id: WallId) -> Segment {
        self.segments[id.0 as usize]
    }

    /// Whether the wall is there (on) or open (off).
    pub fn is_on(&self, id: WallId) -> bool {
        self.on[id.0 as usize]
    }

    /// Switches a wall on or off.
    pub fn set_on(&mut self, id: WallId, on: bool) {
        self.on[id.0 as usize] = on;
    }

    /// Puts up one more wall, within the box around those that [`Walls::new`] was given. It is on; its number may be that of a wall
    /// that was removed.
    ///
    /// # Panics
    /// If a coordinate is not finite.
    pub fn add(&mut self, wall: Segment) -> WallId {
        assert!(wall.a.is_finite() && wall.b.is_finite(), "a wall from {} to {} is nowhere", wall.a, wall.b);
        let number = self.unused.pop().unwrap_or(self.segments.len() as u32);
        if number as usize == self.segments.len() {
            (self.segments.push(wall), self.on.push(true));
        }
        (self.segments[number as usize], self.on[number as usize]) = (wall, true);
        let edge: [DVec2; 2] = wall.ends().into();
        self.grid.add(number, edge);
        self.clearance.add(edge);
        WallId(number)
    }

    /// Tears a wall down for good; once. What is near it may take a little longer to find out that it is gone.
    pub fn remove(&mut self, id: WallId) {
        self.on[id.0 as usize] = false;
        self.grid.remove(id.0, self.segments[id.0 as usize].ends().into());
        self.unused.push(id.0);
    }

    /// Puts the walls that are on and at most `range` metres from `at` into `out`: nearest first, ties by id. Clears
    /// `out` before.
    pub fn near(&self, at: Vec2, range: f32, out: &mut Vec<WallNear>) {
        out.clear();
        if self.clearance.exceeds(at.as_dvec2(), range) {
            return;
        }
        let _ = self.each_near(at, range, |near| {
            out.push(near);
            ControlFlow::Continue(())
        });
        out.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.id.cmp(&b.id)));
    }

    /// Whether no wall that is on is within `range` metres of `at`.
    pub fn clear(&self, at: Vec2, range: f32) -> bool {
        self.clearance.exceeds(at.as_dvec2(), range)
            || self.each_near(at, range, |_| ControlFlow::Break(())).is_continue()
    }

    /// Whether a disc can go straight from `from` to `to` and come to touch no wall that is on.
    ///
    /// From each point one may go on by as much as the room there exceeds the radius: in the open that is a few strides, however far
    /// the way. Only close to walls is the disc swept, a stride of half a metre or so at a time.
    pub fn passable(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        let (start, way) = (from.as_dvec2(), to.as_dvec2() - from.as_dvec2());
        let length = way.length();
        let direction = way / length.max(f64::MIN_POSITIVE);
        let stride = self.clearance.cell();
        let mut gone = 0.0;
        while gone < length {
            let at = start + direction * gone;
            let room = self.clearance.at_least(at) - f64::from(radius);
            if room >= 0.5 * stride {
                gone += room;
                continue;
            }
            let step = stride.min(length - gone);
            let (at, motion) = (at.as_vec2(), (direction * step).as_vec2());
            let hit = |near: WallNear| match disc_hits_segment(at, motion, radius, &self.segment(near.id)) {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            };
            if self.each_near(at, radius + step as f32 + 1e-3, hit).is_break() {
                return false;
            }
            gone += step;
        }
        length.is_finite()
    }

    /// The first wall that is on and meets the way from `from` to `to`, from either side, ends included; ties by id.
    /// A wall exactly along the way is not met: one can walk and look along it.
    pub fn ray(&self, from: Vec2, to: Vec2) -> Option<WallHit> {
        let way = Segment::new(from, to);
        let mut first: Option<(f64, u32)> = None;
        let _ = self.grid.lattice.walk(from.as_dvec2(), to.as_dvec2(), |cell, entry| {
            if first.is_some_and(|(fraction, _)| fraction < entry) {
                return ControlFlow::Break(());
            }
            for &wall in self.grid.items(cell) {
                if self.on[wall as usize]
                    && let Some((fraction, _)) = way.crossing_exact(&self.segments[wall as usize])
                    && first.is_none_or(|best| (fraction, wall) < best)
                {
                    first = Some((fraction, wall));
                }
            }
            ControlFlow::Continue(())
        });
        first.map(|(fraction, wall)| WallHit {
            id: WallId(wall),
            point: from.as_dvec2().lerp(to.as_dvec2(), fraction).as_vec2(),
            fraction: fraction as f32,
        })
    }

    /// Whether no wall that is on meets the way from `from` to `to`: [`Walls::ray`] finds none.
    pub fn visible(&self, from: Vec2, to: Vec2) -> bool {
        let way = Segment::new(from, to);
        let seen = self.grid.lattice.walk(from.as_dvec2(), to.as_dvec2(), |cell, _| {
            let blocks =
                |&wall: &u32| self.on[wall as usize] && way.crossing_exact(&self.segments[wall as usize]).is_some();
            if self.grid.items(cell).iter().any(blocks) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        seen.is_continue()
    }

    /// Calls `found` once for each wall that is on and within range, in no particular order.
    fn each_near(&self, at: Vec2, range: f32, mut found: impl FnMut(WallNear) -> ControlFlow<()>) -> ControlFlow<()> {
        // A hair more than the range, because the distance is compared after rounding.
        let reach = f64::from(range) * (1.0 + 1e-6);
        let (columns, rows) = self.grid.lattice.block(at.as_dvec2() - reach, at.as_dvec2() + reach);
        for row in rows {
            for column in columns.clone() {
                let cell = row * self.grid.lattice.columns + column;
                for &wall in self.grid.items(cell) {
                    if !self.on[wall as usize] {
                        continue;
                    }
                    let point = self.segments[wall as usize].closest_exact(at);
                    let squared = point.distance_squared(at.as_dvec2());
                    if squared > reach * reach {
                        continue; // most of them: no root needed
                    }
                    let distance = squared.sqrt() as f32;
                    // A wall is listed in many cells; only the one with its nearest point reports it.
                    if distance <= range && self.grid.lattice.cell_at(point) == cell {
                        found(WallNear { id: WallId(wall), point: point.as_vec2(), distance })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A room of 10 x 6 m, the inside on the left of its walls.
    fn room() -> Walls {
        let corners = [[0.0, 0.0], [10.0, 0.0], [10.0, 6.0], [0.0, 6.0]].map(Vec2::from);
        Walls::new((0..4).map(|i| Segment::new(corners[i], corners[(i + 1) % 4])).collect())
    }

    fn near(walls: &Walls, at: Vec2, range: f32) -> Vec<WallNear> {
        let mut out = vec![WallNear { id: WallId(77), point: Vec2::ZERO, distance: 0.0 }]; // to be cleared
        walls.near(at, range, &mut out);
        out
    }

    #[test]
    fn walls_of_a_room_come_nearest_first() {
        let found = near(&room(), Vec2::new(2.0, 1.0), 3.0);
        let expected = [
            WallNear { id: WallId(0), point: Vec2::new(2.0, 0.0), distance: 1.0 },
            WallNear { id: WallId(3), point: Vec2::new(0.0, 1.0), distance: 2.0 },
        ];
        assert_eq!(found, expected);
        // Ties by id, and a wall at exactly the range is in.
        let ids: Vec<u32> = near(&room(), Vec2::new(5.0, 3.0), 3.0).iter().map(|wall| wall.id.0).collect();
        assert_eq!(ids, [0, 2]);
        assert!(near(&room(), Vec2::new(5.0, 3.0), 2.99).is_empty());
        assert_eq!(near(&room(), Vec2::new(-1.0, -1.0), 2.0).len(), 2); // from outside
        assert!(near(&room(), Vec2::NAN, 2.0).is_empty());
        assert_eq!(near(&room(), Vec2::new(5.0, 3.0), f32::INFINITY).len(), 4);
    }

    #[test]
    fn clear_is_the_absence_of_near_walls() {
        let walls = room();
        assert!(walls.clear(Vec2::new(5.0, 3.0), 2.99));
        assert!(!walls.clear(Vec2::new(5.0, 3.0), 3.0));
        assert!(walls.clear(Vec2::new(-1.0, -1.0), 1.41));
        assert!(!walls.clear(Vec2::new(-1.0, -1.0), 1.42));
        assert!(walls.clear(Vec2::new(1e6, 1e6), 100.0));
    }

    #[test]
    fn rays_stop_at_the_first_wall() {
        let walls = room();
        let hit = walls.ray(Vec2::new(2.0, 3.0), Vec2::new(18.0, 3.0)).unwrap();
        assert_eq!(hit, WallHit { id: WallId(1), point: Vec2::new(10.0, 3.0), fraction: 0.5 });
        // From outside through the whole room: the near wall first.
        let hit = walls.ray(Vec2::new(5.0, 10.0), Vec2::new(5.0, -10.0)).unwrap();
        assert_eq!((hit.id, hit.fraction), (WallId(2), 0.2));
        assert_eq!(walls.ray(Vec2::new(1.0, 1.0), Vec2::new(9.0, 5.0)), None);
        assert!(walls.visible(Vec2::new(1.0, 1.0), Vec2::new(9.0, 5.0)));
        assert!(!walls.visible(Vec2::new(1.0, 1.0), Vec2::new(11.0, 5.0)));
        assert!(walls.visible(Vec2::new(-5.0, 7.0), Vec2::new(15.0, 7.0)));
        // Into a corner: the wall with the lower number.
        assert_eq!(walls.ray(Vec2::new(5.0, 5.0), Vec2::new(0.0, 0.0)).unwrap().id, WallId(0));
        assert_eq!(walls.ray(Vec2::NAN, Vec2::ONE), None);
    }

    #[test]
    fn discs_go_straight_where_nothing_is_in_the_way() {
        // 40 x 10 m with a pillar of 1 m in the middle.
        let ring =
            |corners: [[f32; 2]; 4]| (0..4).map(move |i| Segment::new(corners[i].into(), corners[(i + 1) % 4].into()));
        let outside = ring([[0.0, 0.0], [40.0, 0.0], [40.0, 10.0], [0.0, 10.0]]);
        let pillar = ring([[19.5, 4.5], [19.5, 5.5], [20.5, 5.5], [20.5, 4.5]]);
        let walls = Walls::new(outside.chain(pillar).collect());
        let passable = |a: [f32; 2], b: [f32; 2]| walls.passable(a.into(), b.into(), 0.25);
        assert!(
            passable([2.0, 2.25], [38.0, 2.25])
                && passable([2.0, 2.0], [18.0, 8.0])
                && passable([5.0, 5.0], [5.0, 5.0])
        );
        assert!(!passable([2.0, 5.0], [38.0, 5.0])); // through the pillar
        assert!(passable([2.0, 5.76], [38.0, 5.76]) && !passable([2.0, 5.74], [38.0, 5.74])); // a centimetre beside it
        assert!(passable([0.26, 0.26], [39.7, 0.26]) && passable([39.7, 0.26], [30.0, 9.7])); // along walls, and across
        assert!(!passable([2.0, 2.0], [2.0, 12.0]) && !passable([2.0, 2.0], [2.0, 9.8])); // out of the room, or too close
        assert!(!passable([2.0, 2.0], [f32::NAN, 2.0]));
    }

    #[test]
    fn a_wall_switched_off_is_not_there() {
        let mut walls = room();
        walls.set_on(WallId(1), false);
        assert!(!walls.is_on(WallId(1)) && walls.is_on(WallId(0)));
        assert!(walls.clear(Vec2::new(9.5, 3.0), 1.0));
        assert!(near(&walls, Vec2::new(9.5, 3.0), 1.0).is_empty());
        assert!(walls.visible(Vec2::new(2.0, 3.0), Vec2::new(18.0, 3.0)));
        walls.set_on(WallId(1), true);
        assert!(!walls.clear(Vec2::new(9.5, 3.0), 1.0));
        assert!(!walls.visible(Vec2::new(2.0, 3.0), Vec2::new(18.0, 3.0)));
    }

    #[test]
    fn no_walls_no_answers() {
        let walls = Walls::new(Vec::new());
        assert!(walls.is_empty());
        assert!(walls.clear(Vec2::ZERO, 1e9) && walls.visible(Vec2::ZERO, Vec2::ONE));
        assert!(near(&walls, Vec2::ZERO, 10.0).is_empty());
    }

    #[test]
    fn memory_is_bounded_for_long_and_for_many_walls() {
        // A kilometre square with 2000 diagonals, and a very long thin corridor.
        let long =
            |i: u16| Segment::new(Vec2::new(f32::from(i) * 0.5, 0.0), Vec2::new(1000.0 - f32::from(i) * 0.5, 1000.0));
        let walls = Walls::new((0..2000).map(long).collect());
        let cells = walls.grid.cells();
        let listed: usize = (0..cells).map(|cell| walls.grid.items(cell).len()).sum();
        assert!(cells <= 4 * 4 * 2000 && listed < 1_000_000, "{cells} cells, {listed} entries");
        let corridor = |y: f32| Segment::new(Vec2::new(-5e4, y), Vec2::new(5e4, y));
        let walls = Walls::new(vec![corridor(0.0), corridor(2.0)]);
        assert!(walls.grid.cells() < 20_000);
        assert!(!walls.clear(Vec2::new(4e4, 0.5), 0.5) && walls.clear(Vec2::new(4e4, 1.0), 0.99));
    }

    fn place(size: f32) -> impl Strategy<Value = Vec2> {
        // Half of the places on whole metres: on cell borders, on walls, walls end to end and axis-parallel.
        let free = [-size..size, -size..size].prop_map(Vec2::from);
        let whole = [-size..size, -size..size].prop_map(|p| Vec2::from(p).round());
        prop_oneof![free, whole]
    }

    fn some_walls() -> impl Strategy<Value = Walls> {
        let short = (place(30.0), place(3.0)).prop_map(|(a, b)| Segment::new(a, a + b));
        let long = (place(30.0), place(30.0)).prop_map(|(a, b)| Segment::new(a, b));
        let wall = (prop_oneof![4 => short, 1 => long], prop::bool::weighted(0.8));
        prop::collection::vec(wall, 0..60).prop_map(|list| {
            let mut walls = Walls::new(list.iter().map(|(segment, _)| *segment).collect());
            for (i, (_, on)) in list.iter().enumerate() {
                walls.set_on(WallId(i as u32), *on);
            }
            walls
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn near_and_clear_are_exact(walls in some_walls(), at in place(40.0), range in 0.0f32..12.0) {
            let mut expected: Vec<WallNear> = (0..walls.len() as u32)
                .map(WallId)
                .filter(|id| walls.is_on(*id) && walls.segment(*id).distance(at) <= range)
                .map(|id| WallNear {
                    id,
                    point: walls.segment(id).closest_point(at),
                    distance: walls.segment(id).distance(at),
                })
                .collect();
            expected.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.id.cmp(&b.id)));
            prop_assert_eq!(walls.clear(at, range), expected.is_empty());
            prop_assert_eq!(near(&walls, at, range), expected);
        }

        #[test]
        fn rays_are_exact(walls in some_walls(), from in place(40.0), to in place(40.0)) {
            let way = Segment::new(from, to);
            let mut expected: Option<(f64, u32)> = None;
            for id in 0..walls.len() as u32 {
                if let Some((fraction, _)) = way.crossing_exact(&walls.segment(WallId(id)))
                    && walls.is_on(WallId(id))
                    && expected.is_none_or(|best| (fraction, id) < best)
                {
                    expected = Some((fraction, id));
                }
            }
            let hit = walls.ray(from, to);
            prop_assert_eq!(hit.map(|hit| (hit.fraction, hit.id.0)), expected.map(|(f, id)| (f as f32, id)));
            prop_assert_eq!(walls.visible(from, to), expected.is_none());
            if let Some(hit) = hit {
                prop_assert!(walls.segment(hit.id).distance(hit.point) < 1e-4);
            }
        }
    }
}
