//! `--queries`: random ways, over cells and exact, with their times and lengths.

use crate::failure::Failure;
use passerby::geometry::chance::{Chance, Purpose, Stream};
use passerby::geometry::{DVec2, Vec2};
use passerby::navigation::{CellId, Goal, Level, Routing, Spot, pull};
use std::time::Instant;

use super::built::Built;

/// How often a place for somebody is looked for.
const TRIES: u32 = 100_000;

/// What was measured.
pub struct Queries {
    pub count: u32,
    pub seed: u64,
    /// Seconds of each: the search over cells, the same with all portals, the exact planner.
    pub search: Spread,
    pub portals: Spread,
    pub exact: Spread,
    /// How much longer ways over cells are when pulled tight, as a part of the exact length; none if there was no way.
    pub excess: Option<Spread>,
    /// Ways that were not found over cells, and by the exact planner.
    pub unreachable: [u32; 2],
    /// Queries of which only one of the two has found a way, and the first of them.
    pub differ: u32,
    first_differing: Option<[Vec2; 2]>,
}

/// Mean, 99th percentile and largest of many values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub mean: f64,
    pub p99: f64,
    pub largest: f64,
}

impl Spread {
    /// The same in another unit.
    pub fn scaled(self, by: f64) -> Spread {
        Spread { mean: by * self.mean, p99: by * self.p99, largest: by * self.largest }
    }

    fn of(mut values: Vec<f64>) -> Option<Spread> {
        values.sort_by(f64::total_cmp);
        // The least value that 99 of 100 do not exceed.
        let rank = (values.len() * 99).div_ceil(100).max(1) - 1;
        let (p99, largest) = (*values.get(rank)?, *values.last()?);
        Some(Spread { mean: values.iter().sum::<f64>() / values.len() as f64, p99, largest })
    }
}

impl Queries {
    /// Asks so many queries between places where there is room.
    pub fn ask(built: &Built, count: u32, seed: u64) -> Result<Queries, Failure> {
        let places = Places::new(built);
        let mut draw = Chance::new(seed).stream(0, 0, Purpose::Placement);
        let mut pairs = Vec::new();
        for _ in 0..count {
            pairs.push([places.draw(built, &mut draw)?, places.draw(built, &mut draw)?]);
        }
        let mut routing = Routing::default();
        let (mut crossings, mut line) = (Vec::new(), Vec::new());
        let (mut search, mut portals, mut exact, mut excess) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut unreachable, mut differ, mut first_differing) = ([0, 0], 0, None);
        for pair in pairs {
            let [from, to] = pair.map(|at| Spot { level: Level(0), at });
            let started = Instant::now();
            let route = routing.find(&built.hierarchy, &built.subdivision, from, to);
            search.push(started.elapsed().as_secs_f64());
            routing.crossings(&built.hierarchy, &mut crossings);
            portals.push(started.elapsed().as_secs_f64());
            let started = Instant::now();
            let path = built.map.path(from.at, &Goal::Point(to.at), built.radius());
            exact.push(started.elapsed().as_secs_f64());
            unreachable[0] += u32::from(route.is_none());
            unreachable[1] += u32::from(path.is_none());
            match (route, path) {
                (Some(_), Some(path)) => {
                    let pulled = pull(&built.subdivision, from.at, &crossings, to.at, built.width / 2.0, &mut line);
                    excess.push(pulled / f64::from(path.length).max(1e-6) - 1.0);
                }
                (None, None) => {}
                _ => {
                    differ += 1;
                    first_differing = first_differing.or(Some(pair));
                }
            }
        }
        let [search, portals, exact] = [search, portals, exact].map(|times| Spread::of(times).unwrap_or(NOTHING));
        let excess = Spread::of(excess);
        Ok(Queries { count, seed, search, portals, exact, excess, unreachable, differ, first_differing })
    }

    /// What is wrong if the two planners do not agree on what can be reached.
    pub fn disagreement(&self, built: &Built) -> Option<String> {
        let [[x, y], [u, v]] = self.first_differing?.map(|at| built.place_point(at.as_dvec2()));
        Some(format!(
            "cells and exact planner disagree on {} of {} queries; look at --path {x},{y} {u},{v}",
            self.differ, self.count
        ))
    }
}

const NOTHING: Spread = Spread { mean: 0.0, p99: 0.0, largest: 0.0 };

/// Triangles of all cells, to draw points from.
struct Places {
    triangles: Vec<[DVec2; 3]>,
    /// Sum of doubled areas up to each, m2.
    sums: Vec<f64>,
}

impl Places {
    fn new(built: &Built) -> Places {
        let (mut places, mut sum) = (Places { triangles: Vec::new(), sums: Vec::new() }, 0.0);
        for cell in 0..built.subdivision.cell_count() {
            let outline = built.subdivision.outline(CellId(cell));
            for edge in outline.windows(2).skip(1) {
                sum += (edge[0] - outline[0]).perp_dot(edge[1] - outline[0]).max(0.0);
                places.triangles.push([outline[0], edge[0], edge[1]]);
                places.sums.push(sum);
            }
        }
        places
    }

    /// A point of the floor, anywhere equally likely, where a disc of the width touches nothing.
    fn draw(&self, built: &Built, draw: &mut Stream) -> Result<Vec2, Failure> {
        let total = self.sums.last().copied().unwrap_or(0.0);
        for _ in 0..TRIES {
            let drawn = draw.uniform() * total;
            let which = self.sums.partition_point(|&sum| sum <= drawn);
            let (mut u, mut v) = (draw.uniform(), draw.uniform());
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let Some([a, b, c]) = self.triangles.get(which) else { continue };
            let at = (*a + (*b - *a) * u + (*c - *a) * v).as_vec2();
            if built.map.contains(at) && built.map.walls().clear(at, built.radius() + 0.01) {
                return Ok(at);
            }
        }
        let message = format!("{}: nowhere is there room for people {} m wide", built.place.name, built.width);
        Err(Failure::input(format!("{message}\n    hint: choose a smaller --width")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_99th_percentile_is_the_least_that_99_of_100_do_not_exceed() {
        let spread = Spread::of((1..=200).rev().map(f64::from).collect()).unwrap();
        assert_eq!((spread.mean, spread.p99, spread.largest), (100.5, 198.0, 200.0));
        assert_eq!(Spread::of(vec![3.0]).map(|spread| spread.p99), Some(3.0));
        assert_eq!(Spread::of(Vec::new()), None);
    }
}
