//! What people walk in: the map, the goals with their trees, the kinds of people, what will happen.

use crate::arrivals::Coming;
use crate::journey::{Stage, TargetId};
use crate::scenario::{Action, Event, Population, Problem, Scenario, Start, Stop};
use passerby_geometry::chance::Chance;
use passerby_geometry::{DVec2, Sampler, Vec2};
use passerby_navigation::{Goal, Map, MapError, Tree};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// People of one kind, with their journey in local coordinates.
#[derive(Debug)]
pub struct Kind {
    /// As the scenario has it.
    pub population: Population,
    pub(crate) stages: Vec<Stage>,
    /// How many have ever entered: the next ordinal.
    pub(crate) entered: u32,
    /// Those who come while the run goes on.
    pub(crate) coming: Option<Coming>,
}

/// Everything that is not a person.
#[derive(Debug)]
pub struct World {
    /// Floor, walls, doors.
    pub map: Map,
    /// Kinds of people, by the population part of their ids.
    pub kinds: Vec<Kind>,
    /// Goals that people share.
    pub targets: Vec<Goal>,
    /// Ways to them: `trees[target][class]`, for the widths that are in use.
    trees: Vec<Vec<Option<Tree>>>,
    /// Source of all chance.
    pub chance: Chance,
    /// Length of a tick, s.
    pub tick: f64,
    /// Whether overlapping discs are separated.
    pub separate: bool,
    /// Which populations have soft bodies.
    pub(crate) soft: Vec<bool>,
    /// For each population the first one that decides in the same way: those decide together.
    pub(crate) decides_with: Vec<u32>,
    /// How many people have come to stay at each target.
    pub(crate) standing: Vec<u32>,
    pub(crate) region_names: Vec<String>,
    pub(crate) events: Vec<Event>,
    pub(crate) events_done: usize,
}

/// Widths are rounded up to multiples of this for planning, m of radius.
const CLASS_STEP: f32 = 0.05;
/// One class per step up to the largest radius a scenario allows, 2 m.
const CLASSES: usize = 41;

/// The width class of a radius.
pub(crate) fn class_of(radius: f32) -> u8 {
    // The tolerance keeps 0.25 in the class of 0.25, whatever its last bit.
    (radius / CLASS_STEP - 1e-3).ceil().clamp(0.0, CLASSES as f32 - 1.0) as u8
}

impl World {
    /// Builds the map and resolves journeys.
    pub fn new(scenario: &Scenario) -> Result<World, MapError> {
        let map = Map::build(&scenario.place)?;
        let mut targets = Vec::new();
        let chance = Chance::new(scenario.run.seed);
        let kinds = scenario
            .populations
            .iter()
            .zip(0..)
            .map(|(population, number)| Kind {
                stages: population
                    .journey
                    .iter()
                    .map(|stop| stage(stop, scenario, map.offset(), &mut targets))
                    .collect(),
                population: population.clone(),
                entered: 0,
                coming: coming(population, number, chance),
            })
            .collect();
        let trees = targets.iter().map(|_| (0..CLASSES).map(|_| None).collect()).collect();
        Ok(World {
            map,
            kinds,
            standing: vec![0; targets.len()],
            targets,
            trees,
            chance,
            tick: scenario.run.tick,
            separate: scenario.run.separate,
            decides_with: decides_with(&scenario.populations),
            soft: scenario.populations.iter().map(|population| population.model.soft_bodies()).collect(),
            region_names: scenario.place.regions.iter().map(|region| region.name.clone()).collect(),
            events: scenario.events.clone(),
            events_done: 0,
        })
    }

    /// From the place's coordinates to local ones.
    pub fn local(&self, at: DVec2) -> Vec2 {
        (at - self.map.offset()).as_vec2()
    }

    /// From local coordinates to the place's.
    pub fn place(&self, at: Vec2) -> DVec2 {
        at.as_dvec2() + self.map.offset()
    }

    /// The tree of ways to a target for a width class; made by [`World::need`].
    pub(crate) fn tree(&self, target: TargetId, class: u8) -> Option<&Tree> {
        self.trees[target.0 as usize][class as usize].as_ref()
    }

    /// Makes the trees that people of this kind and of these widths will ask for.
    pub(crate) fn need(&mut self, kind: usize, classes: impl Iterator<Item = u8>) {
        let classes: BTreeSet<u8> = classes.collect();
        let targets: BTreeSet<TargetId> = self.kinds[kind].stages.iter().flat_map(targets_of).copied().collect();
        let missing: Vec<(TargetId, u8)> = (targets.iter())
            .flat_map(|target| classes.iter().map(|class| (*target, *class)))
            .filter(|(target, class)| self.tree(*target, *class).is_none())
            .collect();
        let made: Vec<Tree> = missing
            .par_iter()
            .map(|(target, class)| self.map.tree(&self.targets[target.0 as usize], f32::from(*class) * CLASS_STEP))
            .collect();
        for ((target, class), tree) in missing.into_iter().zip(made) {
            self.trees[target.0 as usize][class as usize] = Some(tree);
        }
    }

    /// Opens or closes a door and makes all trees anew.
    pub(crate) fn act(&mut self, action: Action) {
        match action {
            Action::Open(door) => self.map.set_door(door, true),
            Action::Close(door) => self.map.set_door(door, false),
        }
        let Self { map, targets, trees, .. } = self;
        trees.par_iter_mut().zip(targets.par_iter()).for_each(|(trees, target)| {
            for (class, tree) in trees.iter_mut().enumerate().filter(|(_, tree)| tree.is_some()) {
                *tree = Some(map.tree(target, class as f32 * CLASS_STEP));
            }
        });
    }
}

fn decides_with(populations: &[Population]) -> Vec<u32> {
    let alike = |a: &Population, b: &Population| a.model == b.model && a.nearest == b.nearest && a.within == b.within;
    let first = |one: &Population| populations.iter().position(|other| alike(one, other)).unwrap_or_default() as u32;
    populations.iter().map(first).collect()
}

/// What is wrong with a place, at the line of the part that is to blame.
pub(crate) fn place_problem(scenario: &Scenario, error: &MapError) -> Problem {
    let (place, lines) = (&scenario.place, &scenario.place_lines);
    let named = |at: Option<usize>, lines: &[u32]| at.and_then(|i| lines.get(i).copied());
    let line = match error {
        MapError::ObstacleFarOff { obstacle, .. } => lines.obstacles.get(*obstacle).copied(),
        MapError::DoorOffFloor { door, .. } => {
            named(place.doors.iter().position(|other| other.name == *door), &lines.doors)
        }
        MapError::RegionOffFloor { region, .. } => {
            named(place.regions.iter().position(|other| other.name == *region), &lines.regions)
        }
        MapError::NoFloor { .. } | MapError::TooLarge { .. } => None,
    };
    let line = line.unwrap_or(lines.floor);
    Problem {
        line: (line > 0).then_some(line),
        key: "place".to_owned(),
        ..Problem::of_file(&scenario.file, error.to_string())
    }
}

/// The shared goals of a stage.
pub(crate) fn targets_of(stage: &Stage) -> &[TargetId] {
    match stage {
        Stage::Target(target) => std::slice::from_ref(target),
        Stage::Any(targets) | Stage::Drawn { targets, .. } => targets,
        Stage::Wander { region, .. } => std::slice::from_ref(region),
        Stage::Own | Stage::Wait(_) => &[],
    }
}

fn coming(population: &Population, number: u32, chance: Chance) -> Option<Coming> {
    let (arrivals, Start::Area { polygon, .. }) = (population.arrivals.as_ref()?, &population.start) else {
        return None;
    };
    Some(Coming::new(arrivals, number, chance, polygon))
}

fn stage(stop: &Stop, scenario: &Scenario, offset: DVec2, targets: &mut Vec<Goal>) -> Stage {
    let mut shared = |goal: Goal| {
        let at = targets.iter().position(|other| *other == goal).unwrap_or_else(|| {
            targets.push(goal);
            targets.len() - 1
        });
        TargetId(at as u32)
    };
    let mut target = |stop: &Stop| match stop {
        Stop::Region(region) => Some(shared(Goal::Region(*region))),
        Stop::Point(at) => Some(shared(Goal::Point((*at - offset).as_vec2()))),
        Stop::Opposite | Stop::Any(_) | Stop::Drawn { .. } | Stop::Wait(_) | Stop::Wander { .. } => None,
    };
    match stop {
        Stop::Opposite => Stage::Own,
        Stop::Any(stops) => Stage::Any(stops.iter().filter_map(target).collect()),
        Stop::Drawn { stops, weights } => {
            Stage::Drawn { targets: stops.iter().filter_map(target).collect(), weights: weights.clone() }
        }
        Stop::Wait(seconds) => Stage::Wait(*seconds),
        Stop::Wander { region, lasting } => Stage::Wander {
            region: shared(Goal::Region(*region)),
            area: Sampler::new(&scenario.place.regions[*region].polygon),
            lasting: *lasting,
        },
        other => Stage::Target(target(other).expect("regions and points are shared goals")),
    }
}

/// The point opposite to a start, for those who start on a circle.
pub(crate) fn opposite(start: &Start, from: DVec2) -> DVec2 {
    match start {
        Start::Circle { center, .. } => 2.0 * *center - from,
        _ => from,
    }
}
