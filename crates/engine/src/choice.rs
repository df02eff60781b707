//! Which of several goals somebody chooses: the nearest, the one they expect to be through soonest, or one drawn by weights.
//!
//! The expected time is that of the walk at one's own speed, and that of the wait in front of the goal: those who head for it
//! and are nearer on foot, divided by what its approach lets through (1.3 people a second and metre of width, the specific flow
//! of a doorway in IMO MSC.1/Circ.1533, annex 1). Everybody looks at the same moment `now`, so no order matters.

use crate::journey::{Aim, Stage, TargetId};
use crate::people::People;
use crate::scenario::Scenario;
use crate::world::World;
use passerby_crowd::Row;
use passerby_geometry::DVec2;
use passerby_geometry::chance::Stream;
use passerby_navigation::{Goal, Map, Search};
use rayon::prelude::*;

/// What a metre of width lets through, people a second.
const FLOW: f32 = 1.3;
/// The part of the present goal's time that another one must stay below to be chosen instead.
const CLEARLY: f32 = 0.8;
/// Seconds after which somebody thinks again.
const AGAIN: f64 = 2.0;
/// Groups who think again at different times: if all did at once, all would turn at once.
const GROUPS: u32 = 8;
/// Width taken for a point, and the least for a region, m.
const WIDTH_OF_POINT: f32 = 1.0;
const WIDTH_LEAST: f32 = 0.5;
/// The outline of a region is felt in steps this long, and this far outside of it, m.
const STEP: f64 = 0.1;
const OUTSIDE: f64 = 0.05;

/// How crowded the goals are that somebody may choose by time, in one tick.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    /// Walking distances of those who head for each target, ascending, m; empty where nobody asks.
    ahead: Vec<Vec<f32>>,
    /// Which group thinks again in this tick.
    group: Option<u32>,
}

impl Choice {
    /// Who thinks again in a tick; nobody where nobody chooses by time.
    pub fn at(world: &World, tick: u32) -> Choice {
        let anybody = world.widths.iter().any(|width| *width > 0.0);
        let every = (AGAIN / f64::from(GROUPS) / world.tick).ceil().max(1.0) as u32;
        let group = (anybody && tick.is_multiple_of(every)).then_some(tick / every % GROUPS);
        Choice { ahead: Vec::new(), group }
    }

    /// Looks at everybody, if one of those who turn may have to choose by time.
    pub fn look(&mut self, world: &World, people: &People, turning: &[Row]) {
        let by_time = |row: &Row| {
            let plan = world.plan(people.agents.id[row.index()]);
            plan.stages.iter().any(|stage| matches!(stage, Stage::Soonest(_)))
        };
        if !turning.iter().any(by_time) {
            return;
        }
        let distance_of = |search: &mut Search, row: usize| {
            let Aim::Target(target) = people.journeys.aim[row] else { return None };
            let asked = world.widths[target.0 as usize] > 0.0;
            let tree = world.tree(target, people.journeys.class[row]).filter(|_| asked)?;
            Some((target, world.map.next(tree, people.agents.now.position[row], search)?.distance))
        };
        let distances: Vec<Option<(TargetId, f32)>> =
            (0..people.len()).into_par_iter().map_init(Search::default, distance_of).collect();
        self.ahead = vec![Vec::new(); world.widths.len()];
        for (TargetId(target), distance) in distances.into_iter().flatten() {
            self.ahead[target as usize].push(distance);
        }
        self.ahead.iter_mut().for_each(|distances| distances.sort_unstable_by(f32::total_cmp));
    }

    /// Whether somebody with this number in their population thinks again in this tick.
    pub fn is_due(&self, ordinal: u32) -> bool {
        self.group == Some(ordinal % GROUPS)
    }

    /// Seconds that those take to get through who are nearer to a target than `distance`.
    fn queue(&self, world: &World, target: TargetId, distance: f32) -> f32 {
        let ahead =
            self.ahead.get(target.0 as usize).map_or(0, |ahead| ahead.partition_point(|other| *other < distance));
        ahead as f32 / (FLOW * world.widths[target.0 as usize])
    }
}

/// How wide the way into a goal is, m: for a region the length of its outline from which it is entered, that is, with floor just
/// outside of it; for a point one metre.
pub(crate) fn approach_width(map: &Map, scenario: &Scenario, goal: &Goal) -> f32 {
    let Goal::Region(region) = goal else { return WIDTH_OF_POINT };
    let polygon = &scenario.place.regions[*region].polygon;
    let points = polygon.points();
    let mut width = 0.0;
    for (i, from) in points.iter().enumerate() {
        let to = points[(i + 1) % points.len()];
        let (length, along) = (from.distance(to), (to - *from).normalize_or_zero());
        let aside = OUTSIDE * DVec2::new(along.y, -along.x);
        let steps = (length / STEP).ceil().max(1.0);
        for step in 0..steps as u32 {
            let at = from.lerp(to, (f64::from(step) + 0.5) / steps);
            let outside = [at + aside, at - aside].into_iter().find(|point| !polygon.contains(*point));
            let is_floor = |point: DVec2| map.contains((point - map.offset()).as_vec2());
            if outside.is_some_and(is_floor) && is_floor(2.0 * at - outside.unwrap_or(at)) {
                width += length / steps;
            }
        }
    }
    (width as f32).max(WIDTH_LEAST)
}

/// The goal of a stage: with several, the nearest by walking distance or the soonest, ties by their order, or one drawn by
/// weights.
pub(crate) fn choose_aim(
    world: &World,
    people: &People,
    row: usize,
    stage: &Stage,
    choice: &Choice,
    stream: &mut Stream,
    search: &mut Search,
) -> Aim {
    let (at, class) = (people.agents.now.position[row], people.journeys.class[row]);
    let mut distance = |target: TargetId| {
        let way = world.tree(target, class).and_then(|tree| world.map.next(tree, at, search));
        way.map(|way| way.distance)
    };
    match stage {
        Stage::Target(target) => Aim::Target(*target),
        Stage::Own | Stage::Visit(_) | Stage::Wander { .. } => Aim::Own,
        Stage::Wait(_) | Stage::Signal { .. } => Aim::Nothing,
        Stage::Soonest(targets) => {
            let present = people.journeys.aim[row];
            let mut seconds = |target: TargetId| {
                let distance = distance(target)?;
                Some(distance / people.agents.speed[row] + choice.queue(world, target, distance))
            };
            let stays = targets.iter().find(|target| present == Aim::Target(**target));
            // Who has chosen turns away only if that is clearly better.
            let mut best = match stays.and_then(|target| Some((seconds(*target)? * CLEARLY, *target))) {
                Some((limit, target)) => (limit, Some(target)),
                None => (f32::INFINITY, targets.first().copied()),
            };
            for target in targets.iter().filter(|target| present != Aim::Target(**target)) {
                if let Some(seconds) = seconds(*target).filter(|seconds| *seconds < best.0) {
                    best = (seconds, Some(*target));
                }
            }
            best.1.map_or(Aim::Nothing, Aim::Target)
        }
        Stage::Any(targets) => {
            let mut best = (f32::INFINITY, targets.first().copied());
            for target in targets {
                if let Some(distance) = distance(*target).filter(|distance| *distance < best.0) {
                    best = (distance, Some(*target));
                }
            }
            best.1.map_or(Aim::Nothing, Aim::Target)
        }
        Stage::Drawn { targets, weights } => {
            if let Aim::Target(target) = people.journeys.aim[row]
                && distance(target).is_some()
            {
                return Aim::Target(target);
            }
            let mut open = |(target, weight): (&TargetId, &f64)| distance(*target).map_or(0.0, |_| *weight);
            let weights: Vec<f64> = targets.iter().zip(weights).map(&mut open).collect();
            let mut left = weights.iter().sum::<f64>() * stream.uniform();
            let drawn = weights.iter().position(|weight| {
                left -= weight;
                left < 0.0
            });
            // No way to any of them, or the last bit of the sum: somewhere they may go.
            let last = weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0);
            Aim::Target(targets[drawn.unwrap_or(last)])
        }
    }
}
