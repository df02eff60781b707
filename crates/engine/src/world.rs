//! What people walk in: the map, the goals with their trees, the kinds of people, what will happen.

use crate::arrivals::Coming;
use crate::choice::approach_width;
use crate::groups::Groups;
use crate::journey::{Plan, Stage, TargetId};
use crate::obstacles::{Change, Put, check_put};
use crate::people::People;
use crate::saved::{Bytes, Saved};
use crate::saved_situations;
use crate::scenario::{
    Action, BodyKind, Distribution, Event, Mover, Population, Problem, Scenario, Signal, Start, Stop,
};
use passerby_crowd::{AgentId, Row};
use passerby_geometry::chance::Chance;
use passerby_geometry::{DVec2, Sampler, Vec2};
use passerby_motion::Library;
use passerby_navigation::{Floor, Goal, Map, MapError, Network, Tree};
use passerby_situations::Situations;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// People of one kind.
#[derive(Debug)]
pub struct Kind {
    /// As the scenario has it.
    pub population: Population,
    /// How many have ever entered: the next ordinal.
    pub(crate) entered: u32,
    /// Those who come while the run goes on.
    pub(crate) coming: Option<Coming>,
    /// Where those who come to an area take their places.
    pub(crate) area: Option<Sampler>,
    /// What events have made of them.
    pub(crate) changed: Changed,
    /// Who of them belongs together, where somebody does.
    pub(crate) groups: Option<Groups>,
}

/// What events change about a kind of people.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Changed {
    /// Which of the world's plans they follow.
    pub plan: u32,
    /// How many times the speed that is drawn for them they walk at.
    pub speed: f64,
    /// How many an event has added who are still outside.
    pub outside: u32,
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
    /// Whether the map is another one than that of the trees, so that they cannot follow.
    pub(crate) uprooted: bool,
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
    /// Journeys: first that of each kind, then those of the events that have one, in order of time.
    plans: Vec<Plan>,
    /// Those whom an event sent elsewhere than the rest of their kind, with the plans they follow.
    pub(crate) sent: BTreeMap<AgentId, u32>,
    /// For each event whom it dropped.
    pub(crate) dropped: Vec<Vec<AgentId>>,
    /// Whether events have changed the map since the last tick began.
    pub(crate) map_changed: bool,
    /// How wide the way into each target is, m; 0 where nobody asks.
    pub(crate) widths: Vec<f32>,
    /// A point of each target, to which routes of portals lead; none where it is off the floor.
    stand_ins: Vec<Option<Vec2>>,
    /// Cells and portals; made when somebody needs them.
    pub(crate) network: Option<Network>,
    pub(crate) signals: Vec<Signal>,
    pub(crate) movers: Vec<Mover>,
    /// Which kinds are recorded people.
    pub(crate) played: Vec<bool>,
    pub(crate) events: Vec<Event>,
    pub(crate) events_done: usize,
    /// The place without the obstacles that events put.
    pub(crate) floor: Floor,
    /// For each event what has become of the obstacle that it puts.
    pub(crate) put: Vec<Put>,
    /// Obstacles that have come and gone, in this order.
    pub(crate) changes: Vec<Change>,
    /// Clips of the built-in body, where somebody has one.
    pub(crate) library: Option<Library>,
    /// What people do somewhere, or with somebody, where the scenario has such.
    pub(crate) situations: Option<Situations>,
    /// Laws that situations draw from.
    pub(crate) laws: Vec<Distribution>,
    /// What each signal shows in this tick, as situations number it.
    pub(crate) phases: Vec<u32>,
}

/// Widths are rounded up to multiples of this for planning, m of radius.
const CLASS_STEP: f32 = 0.05;
/// One class per step up to the largest radius a scenario allows, 2 m.
pub(crate) const CLASSES: usize = 41;

/// The width class of a radius.
pub(crate) fn class_of(radius: f32) -> u8 {
    // The tolerance keeps 0.25 in the class of 0.25, whatever its last bit.
    (radius / CLASS_STEP - 1e-3).ceil().clamp(0.0, CLASSES as f32 - 1.0) as u8
}

/// The width of a class, m.
pub(crate) fn width_of(class: u8) -> f64 {
    f64::from(2.0 * CLASS_STEP * f32::from(class))
}

impl World {
    /// Ticks in a second.
    pub(crate) fn second(&self) -> u32 {
        (1.0 / self.tick).round().max(1.0) as u32
    }

    /// Builds the map and resolves journeys.
    pub fn new(scenario: &Scenario) -> Result<World, MapError> {
        let map = Map::build(&scenario.place)?;
        check_put(&scenario.place, &scenario.events)?;
        let mut targets = Vec::new();
        let chance = Chance::new(scenario.run.seed);
        let mediated = scenario.populations.iter().any(|population| population.body == BodyKind::Mediated);
        let library = mediated.then(Library::built_in);
        let kinds = (scenario.populations.iter().zip(0..))
            .map(|(population, number)| kind(population, number, &scenario.events, chance))
            .collect();
        let played = scenario.populations.iter().map(|p| matches!(p.start, Start::Played(_))).collect();
        let plans = plans(scenario, map.offset(), &mut targets);
        let mut widths = vec![0.0; targets.len()];
        for stage in plans.iter().flat_map(|plan: &Plan| &plan.stages) {
            if let Stage::Soonest(choices) = stage {
                for TargetId(target) in choices {
                    widths[*target as usize] = approach_width(&map, scenario, &targets[*target as usize]);
                }
            }
        }
        let words = &scenario.doings.words;
        let situations = (!scenario.doings.situations.is_empty())
            .then(|| Situations::new(scenario.doings.situations.clone(), words.clone(), map.offset(), map.bounds()));
        let stand_ins = targets.iter().map(|target| stand_in(&map, scenario, target)).collect();
        let trees = targets.iter().map(|_| (0..CLASSES).map(|_| None).collect()).collect();
        Ok(World {
            map,
            kinds,
            standing: vec![0; targets.len()],
            targets,
            trees,
            uprooted: false,
            chance,
            tick: scenario.run.tick,
            separate: scenario.run.separate,
            decides_with: decides_with(&scenario.populations),
            soft: scenario.populations.iter().map(|population| population.model.soft_bodies()).collect(),
            plans,
            sent: BTreeMap::new(),
            dropped: vec![Vec::new(); scenario.events.len()],
            map_changed: false,
            widths,
            stand_ins,
            network: None,
            signals: scenario.signals.clone(),
            movers: scenario.movers.clone(),
            played,
            events: scenario.events.clone(),
            events_done: 0,
            floor: scenario.place.clone(),
            put: vec![Put::Nowhere; scenario.events.len()],
            changes: Vec::new(),
            library,
            situations,
            laws: scenario.doings.laws.clone(),
            phases: vec![0; scenario.signals.len()],
        })
    }

    /// Sees what signals show in a tick.
    pub(crate) fn look_at_signals(&mut self, tick: u32) {
        let time = f64::from(tick) * self.tick;
        let Some(situations) = &self.situations else { return };
        for ((signal, phase), shown) in self.signals.iter().zip(&mut self.phases).zip(&situations.words().shown) {
            let shows = signal.shows(time);
            *phase = shown.iter().position(|other| other == shows).unwrap_or_default() as u32;
        }
    }

    /// Somebody leaves the scene, and with it every situation and where they were sent.
    pub(crate) fn forget(&mut self, people: &mut People, row: Row) {
        let id = people.agents.id[row.index()];
        self.sent.remove(&id);
        if let (Some(situations), Some(person)) = (&mut self.situations, people.plugged[row.index()].as_deref_mut()) {
            situations.forget(id, person);
        }
    }

    /// Those who were dropped under a name, who are nobody's any more.
    pub(crate) fn take_dropped(&mut self, name: &str) -> Vec<AgentId> {
        let is_it = |event: &Event| matches!(&event.action, Action::Drop { name: Some(other), .. } if other == name);
        let theirs = self.events.iter().zip(&mut self.dropped).filter(|(event, _)| is_it(event));
        theirs.flat_map(|(_, dropped)| std::mem::take(dropped)).collect()
    }

    /// The numbers of those whom somebody is with, their own among them.
    pub(crate) fn company(&self, id: AgentId) -> std::ops::Range<u32> {
        let ordinal = id.ordinal();
        self.kinds[id.population() as usize].groups.as_ref().map_or(ordinal..ordinal + 1, |groups| groups.of(ordinal))
    }

    /// Whether anybody belongs together.
    pub(crate) fn anybody_is_together(&self) -> bool {
        self.kinds.iter().any(|kind| kind.groups.is_some())
    }

    /// Draws who is with somebody who may come.
    pub(crate) fn draw_company(&mut self, id: AgentId) {
        let groups = &mut self.kinds[id.population() as usize].groups;
        groups.iter_mut().for_each(|groups| groups.reach(id.ordinal()));
    }

    /// The journey that somebody follows now: mostly that of their kind.
    pub(crate) fn plan(&self, id: AgentId) -> &Plan {
        let own = self.sent.get(&id).copied();
        &self.plans[own.unwrap_or(self.kinds[id.population() as usize].changed.plan) as usize]
    }

    /// All journeys that a kind of people may follow in the run: their own, then those of events with the event's number.
    pub(crate) fn plans_of(&self, kind: usize) -> impl Iterator<Item = (Option<usize>, &Plan)> {
        let with_journey = (self.events.iter().enumerate())
            .filter_map(|(i, event)| match &event.action {
                Action::Journey { whom, .. } => Some((i, whom)),
                _ => None,
            })
            .zip(&self.plans[self.kinds.len()..]);
        let theirs = with_journey.filter(move |((_, whom), _)| whom.is_of(kind));
        std::iter::once((None, &self.plans[kind])).chain(theirs.map(|((i, _), plan)| (Some(i), plan)))
    }

    /// The plan of an event that has a journey.
    pub(crate) fn plan_of_event(&self, event: usize) -> u32 {
        let has_journey = |event: &&Event| matches!(event.action, Action::Journey { .. });
        (self.kinds.len() + self.events[..event].iter().filter(has_journey).count()) as u32
    }

    /// Whether nobody will come any more, neither at a rate nor by an event.
    pub(crate) fn nobody_comes(&self) -> bool {
        let waits =
            |kind: &Kind| kind.changed.outside > 0 || kind.coming.as_ref().is_some_and(|coming| !coming.is_over());
        let adds = |event: &Event| matches!(event.action, Action::Add { .. } | Action::Drop { .. });
        let played = |kind: &Kind| kind.played().is_some_and(|played| (kind.entered as usize) < played.tracks.len());
        !self.kinds.iter().any(|kind| waits(kind) || played(kind)) && !self.events[self.events_done..].iter().any(adds)
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

    /// Cells and portals, once somebody has needed them.
    pub(crate) fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Makes cells and portals, unless they are there.
    pub(crate) fn make_network(&mut self) {
        self.need_network(&[]);
    }

    /// The point of a target to which routes of portals lead.
    pub(crate) fn stand_in(&self, target: TargetId) -> Option<Vec2> {
        self.stand_ins[target.0 as usize]
    }

    /// Makes the trees that people of this kind and of these widths will ask for.
    pub(crate) fn need(&mut self, kind: usize, classes: impl Iterator<Item = u8>) {
        let classes: BTreeSet<u8> = classes.collect();
        let alone = |stage: &Stage| matches!(stage, Stage::Own | Stage::Visit(_) | Stage::Wander { .. });
        if self.situations.is_some() || self.plans_of(kind).any(|(_, plan)| plan.stages.iter().any(alone)) {
            let widths: Vec<f64> = classes.iter().map(|class| width_of(*class)).collect();
            self.need_network(&widths);
        }
        let targets: BTreeSet<TargetId> =
            self.plans_of(kind).flat_map(|(_, plan)| plan.stages.iter().flat_map(targets_of)).copied().collect();
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

    /// Opens or closes a door; all trees follow.
    pub(crate) fn set_door(&mut self, door: usize, open: bool) {
        if self.map.closed_doors()[door] != open {
            return;
        }
        self.map.set_door(door, open);
        self.network.iter_mut().for_each(|network| network.set_door(door, open));
        self.follow_map();
    }

    /// Lets all trees follow what has happened to the map: they become what planting them anew would give.
    pub(crate) fn follow_map(&mut self) {
        let Self { map, targets, trees, uprooted, .. } = self;
        let can_follow = !std::mem::take(uprooted) && trees.iter().flatten().any(Option::is_some) && map.look();
        let map = &*map;
        trees.par_iter_mut().zip(targets.par_iter()).for_each(|(trees, target)| {
            for (class, tree) in trees.iter_mut().enumerate().filter_map(|(class, tree)| Some((class, tree.as_mut()?)))
            {
                match can_follow {
                    true => map.repair(target, tree),
                    false => *tree = map.tree(target, class as f32 * CLASS_STEP),
                }
            }
        });
    }
}

impl Kind {
    /// How many have ever come: the number of the next one.
    pub fn entered(&self) -> u32 {
        self.entered
    }

    /// Appends who has come and who will.
    fn save(&self, to: &mut Vec<u8>) {
        let Self { population: _, area: _, groups: _, entered, coming, changed: Changed { plan, speed, outside } } =
            self;
        (entered.save(to), plan.save(to), speed.save(to), outside.save(to));
        coming.iter().for_each(|coming| coming.save(to));
    }

    fn load(&mut self, from: &mut Bytes<'_>, plans: usize) -> Result<(), String> {
        let Self { population: _, area: _, groups, entered, coming, changed: Changed { plan, speed, outside } } = self;
        (*entered, *plan, *speed, *outside) =
            (Saved::load(from)?, Saved::load(from)?, Saved::load(from)?, Saved::load(from)?);
        if *entered > AgentId::ORDINALS_MAX || *outside > u32::MAX / 2 {
            return Err(format!("a population of {entered} people and {outside} outside is larger than any"));
        }
        if *plan as usize >= plans || !(*speed > 0.0 && *speed < 100.0) {
            return Err("a population goes where and as fast as none can".to_owned());
        }
        if let (Some(groups), Some(last)) = (groups, entered.checked_sub(1)) {
            groups.reach(last);
        }
        coming.iter_mut().try_for_each(|coming| coming.load(from))
    }
}

impl World {
    /// Appends what a run changes; the rest follows from the scenario. Trees are planted anew: what a tree says follows from
    /// map and doors.
    pub(crate) fn save(&self, to: &mut Vec<u8>) {
        let Self {
            map,
            kinds,
            targets: _,
            trees: _,
            uprooted: _,
            chance: _,
            tick: _,
            separate: _,
            soft: _,
            decides_with: _,
            standing,
            plans: _,
            sent,
            dropped,
            map_changed,
            widths: _,
            stand_ins: _,
            network: _,
            signals: _,
            movers: _,
            played: _,
            events: _,
            events_done,
            floor: _,
            put,
            changes,
            library: _,
            situations,
            laws: _,
            phases: _,
        } = self;
        kinds.iter().for_each(|kind| kind.save(to));
        (map.closed_doors().to_vec().save(to), standing.save(to), (*events_done as u64).save(to));
        (put.save(to), changes.save(to));
        let (who, plans): (Vec<AgentId>, Vec<u32>) = sent.iter().map(|(id, plan)| (*id, *plan)).unzip();
        (who.save(to), plans.save(to), dropped.save(to), map_changed.save(to));
        situations.iter().for_each(|situations| saved_situations::save(situations, to));
    }

    /// Takes up what [`World::save`] put away, in the world of the same scenario before its first step.
    pub(crate) fn load(&mut self, from: &mut Bytes<'_>) -> Result<(), String> {
        let plans = self.plans.len();
        self.kinds.iter_mut().try_for_each(|kind| kind.load(from, plans))?;
        let closed: Vec<bool> = Saved::load(from)?;
        let standing: Vec<u32> = Saved::load(from)?;
        let events_done = u64::load(from)?;
        let put: Vec<Put> = Saved::load(from)?;
        let changes: Vec<Change> = Saved::load(from)?;
        let (who, theirs): (Vec<AgentId>, Vec<u32>) = (Saved::load(from)?, Saved::load(from)?);
        let (dropped, map_changed): (Vec<Vec<AgentId>>, bool) = (Saved::load(from)?, Saved::load(from)?);
        if closed.len() != self.map.closed_doors().len() || standing.len() != self.standing.len() {
            return Err("its doors or goals are not those of the scenario".to_owned());
        }
        if put.len() != self.events.len()
            || dropped.len() != self.events.len()
            || events_done > self.events.len() as u64
            || standing.iter().any(|count| *count > u32::MAX / 2)
            || who.len() != theirs.len()
            || theirs.iter().any(|plan| *plan as usize >= plans)
        {
            return Err("more has happened in it than can".to_owned());
        }
        self.repeat(changes, &put)?;
        for (door, closed) in closed.into_iter().enumerate() {
            self.set_door(door, !closed);
        }
        (self.standing, self.events_done) = (standing, events_done as usize);
        self.sent = who.into_iter().zip(theirs).collect();
        (self.dropped, self.map_changed) = (dropped, map_changed);
        match &mut self.situations {
            Some(situations) => saved_situations::load(situations, from),
            None => Ok(()),
        }
    }

    /// Makes the trees of everybody who is there.
    pub(crate) fn plant(&mut self, people: &People) {
        for kind in 0..self.kinds.len() {
            let rows = people.agents.id.iter().zip(&people.journeys.class);
            let classes = rows.filter(|(id, _)| id.population() as usize == kind).map(|(_, class)| *class);
            self.need(kind, classes);
        }
        if people.journeys.walk.iter().any(|walk| !walk.route.is_empty()) {
            self.make_network();
        }
    }
}

fn decides_with(populations: &[Population]) -> Vec<u32> {
    let alike = |a: &Population, b: &Population| (&a.model, &a.laws, a.neighbours) == (&b.model, &b.laws, b.neighbours);
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
        Stage::Any(targets) | Stage::Soonest(targets) | Stage::Drawn { targets, .. } => targets,
        Stage::Wander { region, .. } => std::slice::from_ref(region),
        Stage::Own | Stage::Visit(_) | Stage::Wait(_) | Stage::Signal { .. } => &[],
    }
}

/// A free point of a target near the middle of it.
fn stand_in(map: &Map, scenario: &Scenario, target: &Goal) -> Option<Vec2> {
    match *target {
        Goal::Point(at) => Some(at),
        Goal::Region(region) => {
            let middle = (scenario.place.regions[region].polygon.centroid() - map.offset()).as_vec2();
            let free = |at: &Vec2| map.in_region(region, *at);
            map.nearest_free(middle, 0.25).filter(free).or_else(|| map.nearest_free(middle, 0.0).filter(free))
        }
    }
}

fn kind(population: &Population, number: u32, events: &[Event], chance: Chance) -> Kind {
    let adds = |event: &Event| matches!(event.action, Action::Add { population, .. } if population == number as usize);
    let anybody_comes = population.arrivals.is_some() || events.iter().any(adds);
    let area = match &population.start {
        Start::Area { polygon, .. } if anybody_comes => Some(Sampler::new(polygon)),
        _ => None,
    };
    Kind {
        population: population.clone(),
        entered: 0,
        coming: population.arrivals.as_ref().map(|arrivals| Coming::new(arrivals, number, chance)),
        area,
        changed: Changed { plan: number, speed: 1.0, outside: 0 },
        groups: Groups::new(population, number, events, chance),
    }
}

/// The journeys of all populations, then those of events.
fn plans(scenario: &Scenario, offset: DVec2, targets: &mut Vec<Goal>) -> Vec<Plan> {
    let own = scenario.populations.iter().map(|p| (&p.journey, p.stay, p.repeat));
    let given = scenario.events.iter().filter_map(|event| match &event.action {
        Action::Journey { journey, stay, repeat, .. } => Some((journey, *stay, *repeat)),
        _ => None,
    });
    own.chain(given)
        .map(|(journey, stay, repeat)| Plan {
            stages: journey.iter().map(|stop| stage(stop, scenario, offset, targets)).collect(),
            stay,
            repeat,
        })
        .collect()
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
        _ => None,
    };
    match stop {
        Stop::Opposite => Stage::Own,
        Stop::Any(stops) => Stage::Any(stops.iter().filter_map(target).collect()),
        Stop::Soonest(stops) => Stage::Soonest(stops.iter().filter_map(target).collect()),
        Stop::Signal { signal, show } => Stage::Signal { signal: *signal, show: show.clone() },
        Stop::Drawn { stops, weights } => {
            Stage::Drawn { targets: stops.iter().filter_map(target).collect(), weights: weights.clone() }
        }
        Stop::Wait(seconds) => Stage::Wait(*seconds),
        Stop::Visit(situation) => Stage::Visit(*situation),
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
