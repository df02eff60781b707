//! Where each walker would go if alone: the next point of its way, and the desired velocity towards it.
//!
//! Goals that people share have trees of exact ways. Goals of one's own are reached straight where nothing is in between, and by
//! portals otherwise ([`passerby_navigation::Network`]), followed by visual optimisation. Portals also lead those who look for the
//! quickest way, and those whose way is blocked by people who stand in it.

use crate::journey::Aim;
use crate::people::People;
use crate::per_thread::PerThread;
use crate::queues::Queues;
use crate::round::{self, Stander, Way};
use crate::scenario::Routes;
use crate::walk::Walk;
use crate::world::{World, width_of};
use passerby_geometry::Vec2;
use passerby_geometry::chance::Purpose;
use passerby_navigation::{Crossing, Goal, Level, Network, NetworkSearch, Search, Spot};
use rayon::prelude::*;

/// Buffers of this stage.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    searches: PerThread<Memory>,
    standing: Vec<Stander>,
    queues: Queues,
}

/// The memory of searches, one per thread.
#[derive(Debug, Default)]
struct Memory {
    tree: Search,
    network: NetworkSearch,
    route: Vec<Crossing>,
    group: Vec<bool>,
}

/// Seconds between two looks at the way, if nothing calls for one before.
const LOOK_EVERY: f64 = 0.5;
/// Who looks for the quickest way compares all ways every so many seconds.
const COMPARE_EVERY: u32 = 4;
/// Another way has to be this much cheaper to be taken.
const WORTH_IT: f32 = 0.8;
/// The ground ahead is slow if it costs this many times its length.
const SLOW_AHEAD: f32 = 1.01;
/// A way point counts as reached within this distance, m.
const WAYPOINT_REACHED: f32 = 0.3;
/// How narrow a cone of sight people accept: from this, rad, to so much more.
const SKIMS: f32 = 0.03;
const KEEPS_OFF: f32 = 0.15;
const CHUNK: usize = 512;

/// Plans where it is time to, and fills `desired` with the velocity each row would choose if alone, `left` with how far it is from
/// where it will stand, `ahead` with how far from the point it walks to.
pub(crate) fn follow(
    world: &mut World,
    people: &mut People,
    buffers: &mut Buffers,
    (desired, left, ahead): (&mut Vec<Vec2>, &mut Vec<f32>, &mut Vec<f32>),
    tick: u32,
) {
    let Buffers { searches, standing, queues } = buffers;
    searches.prepare();
    desired.resize(people.len(), Vec2::ZERO);
    left.resize(people.len(), f32::INFINITY);
    ahead.resize(people.len(), f32::INFINITY);
    let compares = prepare(world, people, standing, queues, tick);
    let world = &*world;
    let look_every = (LOOK_EVERY / world.tick).ceil().max(1.0) as u32;
    let agents = &people.agents;
    let journeys = &mut people.journeys;
    let rows = (
        journeys.waypoint.par_chunks_mut(CHUNK),
        journeys.plan_at.par_chunks_mut(CHUNK),
        journeys.unable.par_chunks_mut(CHUNK),
        journeys.walk.par_chunks_mut(CHUNK),
        journeys.wary_until.par_chunks_mut(CHUNK),
        (desired.par_chunks_mut(CHUNK), left.par_chunks_mut(CHUNK), ahead.par_chunks_mut(CHUNK)),
    );
    let (aims, own, class, start_at) = (&journeys.aim, &journeys.own, &journeys.class, &journeys.start_at);
    let stops = &journeys.stop;
    rows.into_par_iter().enumerate().for_each(
        |(chunk, (waypoints, plan_at, unable, walks, wary_until, (desired, left, ahead)))| {
            let mut memory = searches.mine();
            for i in 0..desired.len() {
                let row = chunk * CHUNK + i;
                let at = agents.now.position[row];
                if aims[row] == Aim::Nothing || start_at[row] > tick {
                    desired[i] = Vec2::ZERO;
                    continue;
                }
                let compares = compares && compares_now(world, agents.id[row], tick);
                if plan_at[i] <= tick || compares || at.distance(waypoints[i]) < WAYPOINT_REACHED {
                    if let Some(until) =
                        walks[i].look_back([at, waypoints[i]], agents.speed[row], tick, 1.0 / world.tick)
                    {
                        wary_until[i] = until;
                    }
                    let walker = Walker {
                        world,
                        at,
                        waypoint: waypoints[i],
                        aim: aims[row],
                        goal: goal_of(world, aims[row], own[row]),
                        radius: agents.radius[row],
                        class: class[row],
                        threshold: threshold(world, agents.id[row].bits()),
                        quickest: is_quickest(world, agents.id[row]),
                    };
                    let queues = compares.then_some(&*queues);
                    let standing = if wary_until[i] > tick { &standing[..] } else { &[] };
                    let toward = walker.look(&mut walks[i], queues, standing, &mut memory);
                    unable[i] = toward.is_none();
                    waypoints[i] = toward.unwrap_or(at);
                    // The first look is at once, later ones are spread over the ticks by id so that no tick has them all.
                    plan_at[i] = tick + look_every - (tick + agents.id[row].bits()) % look_every;
                }
                desired[i] = (waypoints[i] - at).normalize_or_zero() * (agents.speed[row] * world.map.pace_at(at));
                ahead[i] = waypoints[i].distance(at);
                let kind = agents.id[row].population() as usize;
                if world.kinds[kind].population.model.slows_before_goals() {
                    let goal = point_of(world, aims[row], own[row]).filter(|goal| *goal == waypoints[i]);
                    left[i] = match world.plan(agents.id[row]).stands_after(stops[row]) {
                        true => goal.map_or(f32::INFINITY, |goal| goal.distance(at)),
                        false => f32::INFINITY,
                    };
                }
            }
        },
    );
}

/// Gets ready what all look at: who stands, and where queues are. Whether anybody compares ways in this tick.
fn prepare(
    world: &mut World,
    people: &mut People,
    standing: &mut Vec<Stander>,
    queues: &mut Queues,
    tick: u32,
) -> bool {
    standing.clear();
    let (agents, journeys) = (&people.agents, &people.journeys);
    if journeys.wary_until.iter().any(|until| *until > tick) {
        world.make_network();
        let stands = |row: &usize| journeys.aim[*row] == Aim::Nothing || journeys.start_at[*row] > tick;
        let people = (0..people.len()).filter(stands);
        standing.extend(people.map(|row| Stander { at: agents.now.position[row], radius: agents.radius[row] }));
        // The order of rows must not matter.
        standing.sort_unstable_by(|a, b| a.at.x.total_cmp(&b.at.x).then(a.at.y.total_cmp(&b.at.y)));
    }
    let quickest = world.kinds.iter().any(|kind| kind.population.routes == Routes::Quickest);
    let compares = quickest && tick.is_multiple_of(world.second());
    if compares {
        world.make_network();
        people.sort_by_id();
        if let Some(network) = world.network() {
            queues.count(network, people, |at| world.map.pace_at(at));
        }
    }
    compares
}

fn is_quickest(world: &World, id: passerby_crowd::AgentId) -> bool {
    world.kinds[id.population() as usize].population.routes == Routes::Quickest
}

/// Whether somebody compares ways in this tick, in which it is possible.
fn compares_now(world: &World, id: passerby_crowd::AgentId, tick: u32) -> bool {
    is_quickest(world, id) && (tick / world.second() + id.bits()).is_multiple_of(COMPARE_EVERY)
}

/// How narrow a cone of sight somebody accepts, rad: a habit for life.
fn threshold(world: &World, id: u32) -> f32 {
    SKIMS + (KEEPS_OFF - SKIMS) * world.chance.stream(id, 0, Purpose::Habit).uniform() as f32
}

/// Where somebody wants to be in the end, if that is one point.
fn goal_of(world: &World, aim: Aim, own: Vec2) -> Option<Vec2> {
    match aim {
        Aim::Target(target) => world.stand_in(target),
        Aim::Own => Some(own),
        Aim::Nothing => None,
    }
}

/// The very point somebody goes to; a region has none.
fn point_of(world: &World, aim: Aim, own: Vec2) -> Option<Vec2> {
    match aim {
        Aim::Target(target) => match world.targets[target.0 as usize] {
            Goal::Point(at) => Some(at),
            Goal::Region(_) => None,
        },
        Aim::Own => Some(own),
        Aim::Nothing => None,
    }
}

/// Somebody who looks where to go.
struct Walker<'a> {
    world: &'a World,
    at: Vec2,
    /// Where they went so far.
    waypoint: Vec2,
    aim: Aim,
    goal: Option<Vec2>,
    radius: f32,
    class: u8,
    threshold: f32,
    quickest: bool,
}

impl Walker<'_> {
    /// The point to walk to now; `None` if there is no way to the goal.
    fn look(
        &self,
        walk: &mut Walk,
        queues: Option<&Queues>,
        standing: &[Stander],
        memory: &mut Memory,
    ) -> Option<Vec2> {
        if let (Some(queues), Some(network), Some(goal)) = (queues, self.world.network(), self.goal) {
            self.compare(network, queues, goal, walk, memory);
        }
        let toward = self.way(walk, memory)?;
        match round::look(self.world.map.walls(), standing, self.at, toward, self.radius, &mut memory.group) {
            Way::Free => Some(toward),
            Way::Round(point) => Some(point),
            Way::Blocked => {
                self.turn_away(toward, walk, memory);
                self.way(walk, memory).or(Some(toward))
            }
        }
    }

    /// The next point of the way, by the route or by the tree.
    fn way(&self, walk: &mut Walk, memory: &mut Memory) -> Option<Vec2> {
        let goal = self.goal;
        let straight = |to: Vec2| self.world.map.walls().passable(self.at, to, self.radius);
        if let (Aim::Own, Some(goal)) = (self.aim, goal)
            && straight(goal)
            && !self.goes_round(goal, walk)
        {
            walk.drop_route();
            return Some(goal);
        }
        if let (Some(network), Some(goal)) = (self.world.network(), goal)
            && walk.leads_to(goal)
        {
            if let Some(toward) = walk.toward(network, self.at, self.radius, self.threshold) {
                return Some(toward);
            }
            walk.drop_route();
        }
        match self.aim {
            Aim::Target(target) => {
                let tree = self.world.tree(target, self.class)?;
                self.world.map.next(tree, self.at, &mut memory.tree).map(|way| way.toward)
            }
            Aim::Own => self.own_way(goal?, walk, memory),
            Aim::Nothing => None,
        }
    }

    /// Whether somebody is on a route because the ground straight ahead is slow.
    fn goes_round(&self, goal: Vec2, walk: &Walk) -> bool {
        let ahead = |network: &Network| network.cost(self.ends(goal), &[], (&[], None));
        self.quickest
            && walk.leads_to(goal)
            && self.world.network().is_some_and(|network| ahead(network) > SLOW_AHEAD * self.at.distance(goal))
    }

    /// A route of portals to a goal of one's own; the exact way where cells do not know one.
    fn own_way(&self, goal: Vec2, walk: &mut Walk, memory: &mut Memory) -> Option<Vec2> {
        if let Some(network) = self.world.network() {
            let Memory { network: search, route, .. } = memory;
            if network.route(width_of(self.class), self.ends(goal), search, route).is_some() {
                walk.take_up(route, goal);
                if let Some(toward) = walk.toward(network, self.at, self.radius, self.threshold) {
                    return Some(toward);
                }
                walk.drop_route();
            }
        }
        // In a niche narrower than the class, or a step off the floor.
        let path = self.world.map.path(self.at, &Goal::Point(goal), self.radius)?;
        path.points.get(1).copied().or(Some(goal))
    }

    /// Takes another route if it is quicker by a margin than the one they are on.
    fn compare(&self, network: &Network, queues: &Queues, goal: Vec2, walk: &mut Walk, memory: &mut Memory) {
        let own = queues.own(network, self.at, self.waypoint);
        let tolls = (&queues.extra[..], own);
        let Memory { network: search, route, .. } = memory;
        let (width, ends) = (width_of(self.class), self.ends(goal));
        let now = match walk.leads_to(goal) {
            true => network.cost(ends, walk.ahead(), tolls),
            // By the tree, which knows no portals: nearly the shortest route.
            false => match network.detour(width, ends, (&[], None), search, route) {
                Some(_) => network.cost(ends, route, tolls),
                None => return,
            },
        };
        if let Some(best) = network.quickest(width, ends, tolls, search, route)
            && best < WORTH_IT * now
        {
            walk.take_up(route, goal);
        }
    }

    /// Takes a route that does not leave by the portal ahead, if there is one.
    fn turn_away(&self, toward: Vec2, walk: &mut Walk, memory: &mut Memory) {
        let (Some(network), Some(goal)) = (self.world.network(), self.goal) else { return };
        let beyond = toward + (toward - self.at).normalize_or_zero() * 0.5;
        let Some(portal) = network.exit(Spot { level: Level(0), at: self.at }, beyond) else { return };
        let Memory { network: search, route, .. } = memory;
        let blocked = Some((portal, f32::INFINITY));
        if network.detour(width_of(self.class), self.ends(goal), (&[], blocked), search, route).is_some() {
            walk.take_up(route, goal);
        }
    }

    fn ends(&self, goal: Vec2) -> [Spot; 2] {
        [self.at, goal].map(|at| Spot { level: Level(0), at })
    }
}
