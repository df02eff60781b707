//! Voronoi cells of the people in a frame, cut by the floor and by a circle around each.
//!
//! PedPy's definition: the points nearer to somebody than to anybody else, on the floor, no farther than the cut-off; of what is left in
//! several parts, the one they stand in. A cell is kept as convex parts, one for each piece of the [`Floor`] it reaches into. So all
//! integrals over cells are sums over convex polygons.
//!
//! Each cell begins as the circle (or a box around everything) and loses what is nearer to others, the nearest first, until nobody
//! left can reach it.

use passerby_geometry::{DVec2, math::double};

use crate::convex::{self, Corner, cut};
use crate::floor::Floor;

/// How far cells reach at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutOff {
    /// Radius of the circle, m, > 0.
    pub radius: f64,
    /// Straight pieces that each quarter of it is made of, > 0. PedPy takes 3.
    pub quarter: u32,
}

impl Default for CutOff {
    fn default() -> Self {
        Self { radius: 0.8, quarter: 3 }
    }
}

/// What made an edge of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The circle, the floor, or the box around everything.
    Bound,
    /// Somebody: their row.
    Other(u32),
}

/// The cells of one frame; holds its memory between frames.
#[derive(Debug, Clone, Default)]
pub struct Cells {
    corners: Vec<Corner<Edge>>,
    /// Where each convex part ends in the corners.
    part_ends: Vec<u32>,
    /// Where the parts of each row end.
    row_ends: Vec<u32>,
    areas: Vec<f64>,
    boxes: Vec<[DVec2; 2]>,
}

/// Computes cells.
#[derive(Debug, Clone)]
pub struct Voronoi {
    floor: Option<Floor>,
    cut_off: Option<CutOff>,
    circle: Vec<DVec2>,
    near: Near,
    cell: Vec<Corner<Edge>>,
    part: Vec<Corner<Edge>>,
    scratch: Vec<Corner<Edge>>,
    reached: Vec<u32>,
}

impl Voronoi {
    /// Cells on a floor; without one, cells are bounded by the cut-off alone.
    pub fn new(floor: Option<Floor>, cut_off: Option<CutOff>) -> Voronoi {
        let circle = cut_off.map_or_else(Vec::new, |cut_off| {
            let count = 4 * cut_off.quarter.max(1);
            let corner = |i: u32| {
                let (sin, cos) = double::sin_cos(std::f64::consts::TAU * f64::from(i) / f64::from(count));
                cut_off.radius * DVec2::new(cos, sin)
            };
            (0..count).map(corner).collect()
        });
        Voronoi {
            floor,
            cut_off,
            circle,
            near: Near::default(),
            cell: Vec::new(),
            part: Vec::new(),
            scratch: Vec::new(),
            reached: Vec::new(),
        }
    }

    /// The floor that cells are cut by.
    pub fn floor(&self) -> Option<&Floor> {
        self.floor.as_ref()
    }

    /// The cells of people at these places. Who is not on the floor has none, and takes nothing from others.
    pub fn cells(&mut self, at: &[DVec2], out: &mut Cells) {
        let Cells { corners, part_ends, row_ends, areas, boxes } = out;
        (corners.clear(), part_ends.clear(), row_ends.clear(), areas.clear(), boxes.clear());
        let floor = self.floor.as_ref();
        self.near.index(at, |p| floor.is_none_or(|floor| floor.contains(p)));
        let bound = self.bound(at);
        for row in 0..at.len() {
            let first = corners.len();
            if self.near.holds(row) {
                self.grow(at, row, bound);
                self.lay_down(at[row], corners, part_ends);
            }
            let start = row_ends.last().map_or(0, |end| *end as usize);
            let mut from = if start == 0 { 0 } else { part_ends[start - 1] as usize };
            let mut area = 0.0;
            for end in &part_ends[start..] {
                area += convex::area(corners[from..*end as usize].iter().map(|corner| corner.at));
                from = *end as usize;
            }
            row_ends.push(part_ends.len() as u32);
            areas.push(area);
            let points = corners[first..].iter().map(|corner| corner.at);
            boxes
                .push([points.clone().fold(DVec2::INFINITY, DVec2::min), points.fold(DVec2::NEG_INFINITY, DVec2::max)]);
        }
    }

    /// A box around everybody and the whole floor.
    fn bound(&self, at: &[DVec2]) -> [DVec2; 2] {
        let corners = self.floor.iter().flat_map(|floor| floor.pieces.iter().flat_map(|piece| &piece.corners));
        let points = corners.chain(at);
        let low = points.clone().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = points.copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        [low - 1.0, high + 1.0]
    }

    /// The convex cell of a row, before the floor cuts it.
    fn grow(&mut self, at: &[DVec2], row: usize, [low, high]: [DVec2; 2]) {
        let Voronoi { circle, near, cell, scratch, .. } = self;
        let me = at[row];
        cell.clear();
        if circle.is_empty() {
            let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
            cell.extend(corners.map(|at| Corner { at, label: Edge::Bound }));
        } else {
            cell.extend(circle.iter().map(|offset| Corner { at: me + *offset, label: Edge::Bound }));
        }
        let mut reach = reach_of(cell, me);
        for around in 0..=near.rings() {
            // Who is farther than twice the farthest corner takes nothing away, and later rings are at least this far.
            let least = (around - 1).max(0) as f64 * near.side;
            if least * least > 4.0 * reach {
                return;
            }
            for &(squared, other) in near.ring(at, row, around) {
                if squared > 4.0 * reach {
                    break;
                }
                let them = at[other as usize];
                let (middle, across) = ((me + them) / 2.0, (them - me).perp());
                // Who stands exactly there shares the cell.
                if squared > 0.0 && cut(cell, [middle, middle + across], Edge::Other(other), scratch) {
                    reach = reach_of(cell, me);
                }
            }
        }
    }

    /// Cuts the cell by the floor, and keeps the part around `me`.
    fn lay_down(&mut self, me: DVec2, corners: &mut Vec<Corner<Edge>>, part_ends: &mut Vec<u32>) {
        let Voronoi { floor, cell, part, scratch, reached, .. } = self;
        let Some(floor) = floor else {
            corners.extend_from_slice(cell);
            part_ends.push(corners.len() as u32);
            return;
        };
        reached.clear();
        reached.extend(floor.locate(me));
        let mut next = 0;
        while next < reached.len() {
            let piece = &floor.pieces[reached[next] as usize];
            next += 1;
            part.clone_from(cell);
            for (i, beyond) in piece.beyond.iter().enumerate() {
                let edge = piece.edge(i);
                cut(part, edge, Edge::Bound, scratch);
                // Where the cell covers a part of an edge it goes on beyond it.
                if let Some(beyond) = beyond.filter(|beyond| !reached.contains(beyond))
                    && convex::length_inside(cell.iter().map(|corner| corner.at), edge, true) > 1e-9
                {
                    reached.push(beyond);
                }
            }
            if !part.is_empty() {
                corners.extend_from_slice(part);
                part_ends.push(corners.len() as u32);
            }
        }
    }

    /// How far cells reach at most.
    pub fn cut_off(&self) -> Option<CutOff> {
        self.cut_off
    }
}

/// Squared distance of the farthest corner, m2.
fn reach_of(cell: &[Corner<Edge>], me: DVec2) -> f64 {
    cell.iter().map(|corner| corner.at.distance_squared(me)).fold(0.0, f64::max)
}

impl Cells {
    /// Area of the cell of a row, m2; 0 for somebody who has none.
    pub fn area(&self, row: usize) -> f64 {
        self.areas[row]
    }

    /// People in the frame, with cells or without.
    pub fn len(&self) -> usize {
        self.areas.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// A box around the cell of a row: its lower left and upper right corner.
    pub fn bounds(&self, row: usize) -> [DVec2; 2] {
        self.boxes[row]
    }

    /// The convex parts of the cell of a row, counter-clockwise.
    pub fn parts(&self, row: usize) -> impl Iterator<Item = impl ExactSizeIterator<Item = DVec2> + Clone> {
        self.labelled(row).map(|part| part.iter().map(|corner| corner.at))
    }

    pub(crate) fn labelled(&self, row: usize) -> impl Iterator<Item = &[Corner<Edge>]> {
        let first = if row == 0 { 0 } else { self.row_ends[row - 1] as usize };
        let start = if first == 0 { 0 } else { self.part_ends[first - 1] as usize };
        self.part_ends[first..self.row_ends[row] as usize].iter().scan(start, |from, end| {
            let part = &self.corners[*from..*end as usize];
            *from = *end as usize;
            Some(part)
        })
    }

    /// How much of the cell of a row is inside of convex polygons that do not overlap, m2.
    pub fn area_inside(&self, row: usize, region: &Floor) -> f64 {
        let (mut part, mut scratch): (Vec<Corner<Edge>>, Vec<Corner<Edge>>) = Default::default();
        let mut inside = 0.0;
        for piece in &region.pieces {
            for corners in self.labelled(row) {
                part.clear();
                part.extend_from_slice(corners);
                for i in 0..piece.corners.len() {
                    cut(&mut part, piece.edge(i), Edge::Bound, &mut scratch);
                }
                inside += convex::area(part.iter().map(|corner| corner.at));
            }
        }
        inside
    }

    /// How much of a line is inside of the cell of a row, m.
    pub fn length_inside(&self, row: usize, line: [DVec2; 2]) -> f64 {
        // A line along the edges of parts is inside of one of two parts; along a wall there is only one.
        let along = |left: bool| self.parts(row).map(|part| convex::length_inside(part, line, left)).sum::<f64>();
        along(true).max(along(false))
    }
}

/// People in the cells of a grid, found ring by ring.
#[derive(Debug, Clone, Default)]
struct Near {
    low: DVec2,
    side: f64,
    columns: i64,
    rows: i64,
    starts: Vec<u32>,
    people: Vec<u32>,
    held: Vec<bool>,
    ring: Vec<(f64, u32)>,
}

impl Near {
    fn index(&mut self, at: &[DVec2], wanted: impl Fn(DVec2) -> bool) {
        let Near { low, side, columns, rows, starts, people, held, .. } = self;
        held.clear();
        held.extend(at.iter().map(|p| wanted(*p)));
        let there = || at.iter().zip(held.iter()).filter(|(_, held)| **held).map(|(p, _)| *p);
        let count = there().count();
        *low = there().fold(DVec2::INFINITY, DVec2::min);
        let size = (there().fold(DVec2::NEG_INFINITY, DVec2::max) - *low).max(DVec2::splat(0.1));
        // Two people in a cell, on average; never more cells than four times the people.
        *side =
            if count == 0 { 1.0 } else { (2.0 * size.x * size.y / count as f64).sqrt().max(size.max_element() / 1e3) };
        (*columns, *rows) =
            if count == 0 { (1, 1) } else { ((size.x / *side) as i64 + 1, (size.y / *side) as i64 + 1) };
        let cell = |p: DVec2| {
            let place = ((p - *low) / *side).floor();
            (place.y as i64).clamp(0, *rows - 1) * *columns + (place.x as i64).clamp(0, *columns - 1)
        };
        starts.clear();
        starts.resize((*columns * *rows) as usize + 1, 0);
        there().for_each(|p| starts[cell(p) as usize + 1] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        people.clear();
        people.resize(count, 0);
        let mut next = starts.clone();
        for row in (0..at.len()).filter(|row| held[*row]) {
            let slot = &mut next[cell(at[row]) as usize];
            people[*slot as usize] = row as u32;
            *slot += 1;
        }
    }

    fn holds(&self, row: usize) -> bool {
        self.held[row]
    }

    /// The last ring that anybody can be in.
    fn rings(&self) -> i64 {
        self.columns.max(self.rows)
    }

    /// The others in the cells that are `around` cells away from that of a row, with their squared distances, nearest first.
    fn ring(&mut self, at: &[DVec2], row: usize, around: i64) -> &[(f64, u32)] {
        let Near { low, side, columns, rows, starts, people, ring, .. } = self;
        let me = at[row];
        let place = ((me - *low) / *side).floor();
        let (column, line) = (place.x as i64, place.y as i64);
        ring.clear();
        for y in (line - around).max(0)..=(line + around).min(*rows - 1) {
            // The upper and the lower side whole, of the lines between them both ends.
            let step = if (y - line).abs() == around { 1 } else { (2 * around).max(1) };
            for x in (column - around..=column + around).step_by(step as usize).filter(|x| (0..*columns).contains(x)) {
                let cell = (y * *columns + x) as usize;
                let there = &people[starts[cell] as usize..starts[cell + 1] as usize];
                ring.extend(
                    there
                        .iter()
                        .filter(|other| **other as usize != row)
                        .map(|other| (me.distance_squared(at[*other as usize]), *other)),
                );
            }
        }
        ring.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        ring
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_record::PlaceShape;

    fn rectangle(low: [f64; 2], high: [f64; 2]) -> Vec<[f64; 2]> {
        vec![low, [high[0], low[1]], high, [low[0], high[1]]]
    }

    fn floor(areas: &[Vec<[f64; 2]>], obstacles: &[Vec<[f64; 2]>]) -> Floor {
        let areas = areas.iter().map(|ring| vec![ring.clone()]).collect();
        Floor::new(&PlaceShape { areas, obstacles: obstacles.to_vec(), ..PlaceShape::default() }).unwrap().unwrap()
    }

    fn cells(floor: Option<Floor>, cut_off: Option<CutOff>, at: &[[f64; 2]]) -> Cells {
        let mut out = Cells::default();
        let at: Vec<DVec2> = at.iter().map(|p| DVec2::from(*p)).collect();
        Voronoi::new(floor, cut_off).cells(&at, &mut out);
        out
    }

    #[track_caller]
    fn check(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found}, expected {expected}");
    }

    /// Section 5 of the worked examples.
    #[test]
    fn three_in_a_box() {
        let found =
            cells(Some(floor(&[rectangle([0.0, 0.0], [8.0, 4.0])], &[])), None, &[[1.0, 2.0], [3.0, 2.0], [7.0, 2.0]]);
        (0..3).for_each(|i| check(found.area(i), [8.0, 12.0, 12.0][i]));
        let area = floor(&[rectangle([1.5, 0.0], [6.0, 4.0])], &[]);
        let inside: Vec<f64> = (0..3).map(|i| found.area_inside(i, &area)).collect();
        check((0..3).map(|i| inside[i] / found.area(i)).sum::<f64>() / area.area(), 0.087963);
        check((0..3).map(|i| inside[i] * [1.0, 1.2, 0.5][i]).sum::<f64>() / area.area(), 1.022222);

        let found =
            cells(Some(floor(&[rectangle([0.0, 0.0], [4.0, 4.0])], &[])), None, &[[1.0, 1.0], [3.0, 1.0], [2.0, 3.0]]);
        (0..3).for_each(|i| check(found.area(i), [4.5, 4.5, 7.0][i]));
        let area = floor(&[rectangle([1.0, 1.0], [3.0, 3.0])], &[]);
        (0..3).for_each(|i| check(found.area_inside(i, &area), [1.0, 1.0, 2.0][i]));
        check((0..3).map(|i| found.area_inside(i, &area) / found.area(i)).sum::<f64>() / 4.0, 0.182540);
    }

    #[test]
    fn a_lone_person_has_the_circle() {
        for (quarter, area) in [(3, 1.92), (8, 1.997725)] {
            check(cells(None, Some(CutOff { radius: 0.8, quarter }), &[[5.0, 5.0]]).area(0), area);
        }
        assert!(cells(None, Some(CutOff::default()), &[]).is_empty());
    }

    /// Two rooms of 4 m x 4 m with a wall of 1 m between them, open at the top: who stands low in one room does not own ground in the
    /// other, although it is nearer to them than to the one who stands there.
    #[test]
    fn cells_do_not_reach_through_walls() {
        let rooms = floor(&[rectangle([0.0, 0.0], [9.0, 4.0])], &[rectangle([4.0, 0.0], [5.0, 3.0])]);
        let people = [[3.5, 0.5], [8.5, 3.5]];
        let found = cells(Some(rooms.clone()), None, &people);
        // The bisector runs through (6, 2) along (-3, 5): at y = 3 it is at x = 5.4, right of the wall. So the first one's cell goes on
        // over the top of the wall, down to where the bisector meets the wall: one part.
        assert!(found.parts(0).flatten().any(|p| p.x > 5.0));
        let low = cells(Some(rooms), Some(CutOff { radius: 2.0, quarter: 90 }), &people);
        // Within 2 m the top of the wall is out of reach, the ground behind it is not: it is not theirs.
        assert!(low.parts(0).flatten().all(|p| p.x <= 4.0 + 1e-9));
    }

    /// The upper edge of a T's bar is a wall, an opening and a wall in one straight line.
    #[test]
    fn who_is_alone_owns_the_whole_t() {
        let t = [[-5.0, -2.4], [4.0, -2.4], [4.0, 0.0], [0.0, 0.0], [0.0, 4.5], [-2.4, 4.5], [-2.4, 0.0], [-5.0, 0.0]];
        for at in [[3.0, -1.0], [-1.0, 4.0]] {
            check(cells(Some(floor(&[t.to_vec()], &[])), None, &[at]).area(0), 9.0 * 2.4 + 2.4 * 4.5);
        }
    }

    #[test]
    fn who_is_in_a_wall_has_no_cell_and_takes_none() {
        let room = floor(&[rectangle([0.0, 0.0], [4.0, 4.0])], &[rectangle([3.0, 0.0], [4.0, 4.0])]);
        let found = cells(Some(room), None, &[[1.0, 2.0], [3.5, 2.0], [3.0, 1.0]]);
        assert_eq!(found.len(), 3);
        check(found.area(0), 12.0);
        assert_eq!((found.area(1), found.area(2), found.parts(1).count()), (0.0, 0.0, 0));
    }

    /// Each point of a fine grid belongs to the nearest of 120 people: areas by counting, and the whole box is given out.
    #[test]
    fn many_share_a_floor_as_counting_says() {
        let people: Vec<[f64; 2]> =
            (0..120u64).map(|i| [(i * 7919 % 1009) as f64 / 101.0, (i * 104_729 % 997) as f64 / 142.5]).collect();
        let found = cells(Some(floor(&[rectangle([-1.0, -1.0], [11.0, 9.0])], &[])), None, &people);
        check((0..people.len()).map(|i| found.area(i)).sum(), 120.0);
        let mut counted = vec![0.0; people.len()];
        let cell = 0.02;
        for (i, j) in (0..600).flat_map(|i| (0..500).map(move |j| (i, j))) {
            let p = DVec2::new(-1.0 + cell * (f64::from(i) + 0.5), -1.0 + cell * (f64::from(j) + 0.5));
            let squared = |k: usize| p.distance_squared(people[k].into());
            let nearest = (0..people.len()).min_by(|a, b| squared(*a).total_cmp(&squared(*b))).unwrap();
            counted[nearest] += cell * cell;
        }
        for i in 0..people.len() {
            assert!((found.area(i) - counted[i]).abs() < 0.02, "{i}: {} m2, counted {}", found.area(i), counted[i]);
        }
    }

    #[test]
    fn a_line_is_shared_out_once() {
        // The diagonal of the L's triangulation may run along the line; each cell still gets its part once.
        let l = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 4.0], [4.0, 4.0], [4.0, 10.0], [0.0, 10.0]];
        let found = cells(Some(floor(&[l], &[])), None, &[[2.0, 2.0], [8.0, 2.0], [2.0, 8.0]]);
        for line in
            [[[4.0, 0.0], [4.0, 4.0]], [[0.0, 4.0], [4.0, 4.0]], [[0.0, 0.0], [0.0, 10.0]], [[0.0, 3.0], [10.0, 3.0]]]
        {
            let line = line.map(DVec2::from);
            let all: f64 = (0..3).map(|i| found.length_inside(i, line)).sum();
            check(all, line[0].distance(line[1]));
        }
    }
}
