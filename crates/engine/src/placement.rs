//! Where people start: on the free floor, clear of walls and of each other, or a problem that says why not.

use crate::doings;
use crate::huddle;
use crate::journey::{NewJourney, Stage, TargetId};
use crate::movers;
use crate::scenario::{Action, Population, Problem, Problems, Scenario, Start, Stop, Whom};
use crate::taken::{SPARE, STEP_APART, Taken};
use crate::world::{Kind, World, class_of, opposite, place_problem, targets_of};
use passerby_crowd::{AgentId, NewAgent};
use passerby_geometry::chance::{Purpose, Stream};
use passerby_geometry::{DVec2, Polygon, Sampler, Vec2, math};
use passerby_navigation::{Goal, Search};
use passerby_steering::Memory;

/// Somebody with all their columns, not yet in the crowd.
pub(crate) struct Newcomer {
    pub agent: NewAgent,
    pub journey: NewJourney,
    /// What it will remember, where its model does.
    pub memory: Option<Box<Memory>>,
}

/// Random places tried for one person before the whole population is put on a lattice.
const TRIES: u32 = 200;
/// How many of those who will come are looked at before the run.
const SAMPLES: u32 = 200;
/// The fastest somebody can go, as a multiple of their desired speed (Helbing, Molnár 1995).
const FASTEST: f32 = 1.3;

/// Draws and places everybody who is there from the start.
pub(crate) fn place_everybody(world: &mut World, scenario: &Scenario) -> Result<Vec<Newcomer>, Problems> {
    let mut taken = Taken::new(scenario);
    let (mut newcomers, mut problems) = (Vec::new(), Vec::new());
    for (number, population) in scenario.populations.iter().enumerate() {
        world.draw_company(AgentId::new(number as u32, population.count().max(SAMPLES).saturating_sub(1)));
        let report = |line: u32, what: String| Problem {
            line: (line > 0).then_some(line),
            key: format!("population \"{}\"", population.name),
            ..Problem::of_file(&scenario.file, what)
        };
        match starts(world, number, population, &mut taken) {
            Ok(starts) => {
                let first = newcomers.len();
                newcomers.extend(
                    starts.into_iter().enumerate().map(|(ordinal, at)| {
                        newcomer(world, number, AgentId::new(number as u32, ordinal as u32), at, 0)
                    }),
                );
                world.kinds[number].entered = (newcomers.len() - first) as u32;
                world.need(number, newcomers[first..].iter().map(|newcomer| newcomer.journey.class));
                let coming = match samples(world, number) {
                    Ok(coming) => coming,
                    Err(Misfit { what, hint }) => {
                        problems.push(report(population.start_line, what).hint(hint));
                        continue;
                    }
                };
                world.need(number, coming.iter().map(|newcomer| newcomer.journey.class));
                let checked = if coming.is_empty() { &newcomers[first..] } else { &coming };
                if let Some(Lost { event, misfit: Misfit { what, hint } }) =
                    unreachable_goal(world, scenario, number, checked)
                {
                    problems.push(match event {
                        None => report(population.journey_line, what).hint(hint),
                        Some(event) => Problem {
                            key: "event.journey".to_owned(),
                            ..report(scenario.events[event].line, what).hint(hint)
                        },
                    });
                }
            }
            Err(Misfit { what, hint }) => problems.push(report(population.start_line, what).hint(hint)),
        }
    }
    problems.extend(doings::problems(world, scenario));
    if problems.is_empty() { Ok(newcomers) } else { Err(Problems(problems)) }
}

/// What only the map shows to be wrong: people in walls, more than fit, goals that cannot be reached.
pub(crate) fn problems_on_the_map(scenario: &Scenario) -> Vec<Problem> {
    match World::new(scenario) {
        Err(error) => vec![place_problem(scenario, &error)],
        Ok(mut world) => place_everybody(&mut world, scenario).err().map_or_else(Vec::new, |problems| problems.0),
    }
}

/// Why somebody cannot be placed.
pub(crate) struct Misfit {
    pub what: String,
    pub hint: String,
}

/// One person with all that is drawn for it.
pub(crate) fn newcomer(world: &World, kind: usize, id: AgentId, at: Vec2, tick: u32) -> Newcomer {
    let population = &world.kinds[kind].population;
    let draw = |law: &crate::scenario::Distribution, purpose| law.draw(&mut world.chance.stream(id.bits(), 0, purpose));
    let radius = radius_of(world, population, id);
    let (speed, speed_max) = speeds_of(world, kind, id);
    // Who belongs together sets off together.
    let first = AgentId::new(id.population(), world.company(id).start);
    let mut hesitates = world.chance.stream(first.bits(), 0, Purpose::Premovement);
    let premovement = (population.premovement.draw(&mut hesitates) / world.tick).ceil() as u32;
    let waits = premovement > 0 || !population.model.gives_way();
    Newcomer {
        memory: population.model.remembers().then(Box::default),
        agent: NewAgent {
            id,
            position: at,
            heading: 0.0,
            radius,
            mass: draw(&population.mass, Purpose::Mass) as f32,
            speed,
            speed_max,
            share: if waits { 1.0 } else { 0.5 },
        },
        journey: NewJourney {
            position: at,
            own: world.local(opposite(&population.start, world.place(at))),
            entered_at: tick,
            start_at: tick + premovement,
            class: class_of(radius),
        },
    }
}

/// The speed somebody likes to walk at, as drawn for them and as events have changed it, and the fastest they can go, m/s. Who
/// belongs together walks as the slowest of them likes to.
pub(crate) fn speeds_of(world: &World, kind: usize, id: AgentId) -> (f32, f32) {
    let Kind { population, changed, groups, .. } = &world.kinds[kind];
    let likes = |ordinal: u32| {
        let id = AgentId::new(kind as u32, ordinal);
        let stated = groups.as_ref().and_then(|groups| groups.speed_of(ordinal));
        let draw = || population.speed.draw(&mut world.chance.stream(id.bits(), 0, Purpose::Speed));
        (stated.unwrap_or_else(draw) * changed.speed) as f32
    };
    let own = likes(id.ordinal());
    let speed =
        world.company(id).filter(|other| *other != id.ordinal()).fold(own, |least, other| least.min(likes(other)));
    (speed, FASTEST * own)
}

/// Some of those who will come, each as if nobody else were there: on them it shows whether people fit and reach their goals
/// from where they enter. None where nobody comes.
fn samples(world: &World, kind: usize) -> Result<Vec<Newcomer>, Misfit> {
    let Kind { population, area, .. } = &world.kinds[kind];
    let adds = |action: &Action| matches!(action, Action::Add { population, .. } if *population == kind);
    let added = world.events.iter().any(|event| adds(&event.action));
    if population.arrivals.is_none() && !added {
        return Ok(Vec::new());
    }
    let total = population.arrivals.as_ref().and_then(|arrivals| arrivals.total).filter(|_| !added);
    let points = if area.is_some() { SAMPLES } else { population.start.count() };
    let mut samples = Vec::new();
    for ordinal in 0..total.unwrap_or(u32::MAX).min(points) {
        let id = AgentId::new(kind as u32, ordinal);
        let radius = radius_of(world, population, id);
        let at = match area {
            None => {
                let at = world.local(fixed(&population.start, ordinal, || jitter_of(world, id)));
                if let Some(misfit) = misfit(world, at, radius) {
                    return Err(misfit);
                }
                at
            }
            Some(area) => {
                let mut stream = world.chance.stream(id.bits(), 0, Purpose::Placement);
                let found = (0..10 * TRIES)
                    .map(|_| world.local(area.point(&mut stream)))
                    .find(|at| world.map.contains(*at) && world.map.walls().clear(*at, radius));
                found.ok_or_else(|| Misfit {
                    what: format!("nobody with a radius of {radius} m finds a place in their area"),
                    hint: "make the area larger, move it onto the floor, or make the bodies slimmer".to_owned(),
                })?
            }
        };
        if samples.len() < SAMPLES as usize {
            samples.push(newcomer(world, kind, id, at, 0));
        }
    }
    Ok(samples)
}

/// Somebody who comes, if there is a place for them in this tick: anywhere in their area, or at the first free of their
/// points, beginning with the one whose turn it is. Near `mate`, if that can be: where somebody is whom they are with.
pub(crate) fn arrival(
    world: &World,
    kind: usize,
    id: AgentId,
    mate: Option<Vec2>,
    taken: &Taken,
    tick: u32,
) -> Option<Newcomer> {
    let Kind { population, area, .. } = &world.kinds[kind];
    let radius = radius_of(world, population, id);
    let movers = movers::at(world, f64::from(tick) * world.tick);
    let has_room = |at: &Vec2| {
        taken.is_free(*at, radius + STEP_APART)
            && world.map.contains(*at)
            && world.map.walls().clear(*at, radius)
            && !movers::touches(&movers, *at, radius)
    };
    let at = match area {
        Some(area) => {
            let mut stream = world.chance.stream(id.bits(), tick, Purpose::Placement);
            let anywhere = |stream: &mut Stream| (0..TRIES).map(|_| world.local(area.point(stream))).find(has_room);
            let in_area = |at: &Vec2| population.start.contains(world.place(*at)) && has_room(at);
            let members = world.company(id).len();
            let near = mate.and_then(|mate| huddle::beside(world, mate, members, &mut stream, in_area));
            near.or_else(|| anywhere(&mut stream))?
        }
        None => {
            let points = population.start.count();
            (0..points)
                .map(|i| (id.ordinal() + i) % points)
                .map(|point| world.local(fixed(&population.start, point, || jitter_of(world, id))))
                .find(has_room)?
        }
    };
    Some(newcomer(world, kind, id, at, tick))
}

fn jitter_of(world: &World, id: AgentId) -> Stream {
    world.chance.stream(id.bits(), 0, Purpose::Jitter)
}

fn radius_of(world: &World, population: &Population, id: AgentId) -> f32 {
    population.radius.draw(&mut world.chance.stream(id.bits(), 0, Purpose::Radius)) as f32
}

/// Why a body of this radius cannot stand at `at`, if it cannot.
pub(crate) fn misfit(world: &World, at: Vec2, radius: f32) -> Option<Misfit> {
    let place = world.place(at);
    let nearest = || match world.map.nearest_free(at, radius) {
        Some(free) => {
            let to = world.place(free);
            format!("the nearest place with room is {:.2} m away, at [{:.2}, {:.2}]", free.distance(at), to.x, to.y)
        }
        None => "there is no place with room for a body this wide".to_owned(),
    };
    if !world.map.contains(at) {
        let what = format!(
            "somebody would start at [{:.3}, {:.3}], outside the floor or inside an obstacle",
            place.x, place.y
        );
        return Some(Misfit { what, hint: nearest() });
    }
    if !world.map.walls().clear(at, radius) {
        let what = format!(
            "somebody would start at [{:.3}, {:.3}], inside a wall or nearer to one than their radius of {radius} m",
            place.x, place.y
        );
        return Some(Misfit { what, hint: nearest() });
    }
    None
}

/// Starting points of a population, in the order of ordinals.
fn starts(world: &World, number: usize, population: &Population, taken: &mut Taken) -> Result<Vec<Vec2>, Misfit> {
    let id = |ordinal: usize| AgentId::new(number as u32, ordinal as u32);
    if let Start::Played(played) = &population.start {
        let on_floor = |point: &DVec2| world.map.contains(world.local(*point));
        if !played.tracks.iter().any(|track| track.points.iter().any(on_floor)) {
            return Err(Misfit {
                what: "none of these recorded people is ever on the floor".to_owned(),
                hint: "state another unit, or draw the floor where they walked".to_owned(),
            });
        }
        return Ok(Vec::new());
    }
    if let Start::Area { count, polygon } = &population.start {
        return in_area(world, population, *count, polygon, &id, taken);
    }
    let mut placed = Vec::with_capacity(population.count() as usize);
    for ordinal in 0..population.count() as usize {
        let point = fixed(&population.start, ordinal as u32, || jitter_of(world, id(ordinal)));
        let (at, radius) = (world.local(point), radius_of(world, population, id(ordinal)));
        if let Some(misfit) = misfit(world, at, radius) {
            return Err(misfit);
        }
        if !taken.is_free(at, radius) {
            return Err(Misfit {
                what: format!(
                    "two people would overlap: one is to start at [{:.3}, {:.3}], where another stands",
                    point.x, point.y
                ),
                hint: "move them apart by at least the sum of their radii, or make them slimmer".to_owned(),
            });
        }
        taken.add(at, radius);
        placed.push(at);
    }
    Ok(placed)
}

/// A point on a circle, of a grid, or of a list, with its jitter.
fn fixed(start: &Start, number: u32, stream: impl Fn() -> Stream) -> DVec2 {
    let jittered = |at: DVec2, jitter: f64| {
        let mut stream = stream();
        // The root makes the density on the disc even.
        let (length, angle) = (jitter * stream.uniform().sqrt(), std::f64::consts::TAU * stream.uniform());
        at + length * DVec2::new(math::double::cos(angle), math::double::sin(angle))
    };
    match start {
        Start::Area { .. } | Start::Played(_) => unreachable!("they have no points of their own"),
        Start::At(points) => points[number as usize],
        Start::Circle { count, center, radius, jitter } => {
            let angle = std::f64::consts::TAU * f64::from(number) / f64::from(*count);
            let at = *center + *radius * DVec2::new(math::double::cos(angle), math::double::sin(angle));
            jittered(at, *jitter)
        }
        Start::Grid { origin, columns, spacing, jitter, .. } => {
            let at = *origin + *spacing * DVec2::new(f64::from(number % columns), f64::from(number / columns));
            jittered(at, *jitter)
        }
    }
}

/// Random places; where they are too crowded for that, a lattice.
fn in_area(
    world: &World,
    population: &Population,
    count: u32,
    polygon: &Polygon,
    id: &dyn Fn(usize) -> AgentId,
    taken: &mut Taken,
) -> Result<Vec<Vec2>, Misfit> {
    // An area drawn far beyond the floor is drawn from the part of it that can hold floor.
    let (low, high) = on_the_map(world, polygon);
    let size = (high - low).max(DVec2::ZERO);
    let sampler = (polygon.area() <= 2.0 * size.x * size.y).then(|| Sampler::new(polygon));
    let point = |stream: &mut Stream| match &sampler {
        Some(sampler) => sampler.point(stream),
        None => low + size * DVec2::new(stream.uniform(), stream.uniform()),
    };
    let movers = movers::at(world, 0.0);
    let free = |at: Vec2, radius: f32, taken: &Taken| {
        taken.is_free(at, radius)
            && !movers::touches(&movers, at, radius)
            && world.map.contains(at)
            && world.map.walls().clear(at, radius)
            && polygon.contains(world.place(at))
    };
    let mut placed: Vec<Vec2> = Vec::with_capacity(count as usize);
    while placed.len() < count as usize {
        let first = id(placed.len());
        let members = (placed.len()..(world.company(first).end.min(count)) as usize).map(id);
        let radii: Vec<f32> = members.map(|id| radius_of(world, population, id)).collect();
        let mut stream = world.chance.stream(first.bits(), 0, Purpose::Placement);
        let found = (0..TRIES).find_map(|_| {
            let at = world.local(point(&mut stream));
            huddle::huddle(world, at, &radii, &mut stream, |at, radius| free(at, radius, taken))
        });
        let Some(places) = found else {
            placed.iter().for_each(|&at| taken.remove(at));
            let mut places = on_lattice(world, population, id(0), count, polygon, taken, free)?;
            if population.group.is_some() {
                huddle::gather(&mut places, |ordinal| world.company(id(ordinal as usize)));
            }
            return Ok(places);
        };
        places.iter().zip(&radii).for_each(|(at, radius)| taken.add(*at, *radius));
        placed.extend(places);
    }
    Ok(placed)
}

/// The box around the part of an area that can hold floor.
fn on_the_map(world: &World, polygon: &Polygon) -> (DVec2, DVec2) {
    let ((low, high), (map_low, map_high)) = (polygon.bounds(), world.map.bounds());
    (low.max(world.place(map_low)), high.min(world.place(map_high)))
}

/// The densest packing, in a random order; the last resort.
fn on_lattice(
    world: &World,
    population: &Population,
    first: AgentId,
    count: u32,
    polygon: &Polygon,
    taken: &mut Taken,
    free: impl Fn(Vec2, f32, &Taken) -> bool,
) -> Result<Vec<Vec2>, Misfit> {
    let radius = population.radius.max() as f32;
    let spacing = f64::from(2.0 * (radius + SPARE));
    let (low, high) = on_the_map(world, polygon);
    let row_height = spacing * 0.75f64.sqrt();
    let mut points = Vec::new();
    let mut row = 0;
    let mut y = low.y + f64::from(radius);
    while y <= high.y {
        let mut x = low.x + f64::from(radius) + if row % 2 == 1 { 0.5 * spacing } else { 0.0 };
        while x <= high.x {
            let at = world.local(DVec2::new(x, y));
            if free(at, radius, taken) {
                points.push(at);
            }
            x += spacing;
        }
        y += row_height;
        row += 1;
    }
    if points.len() < count as usize {
        return Err(Misfit {
            what: format!("{count} people do not fit: there is room for {} in their area", points.len()),
            hint: format!("make the area larger, the bodies slimmer, or ask for at most {}", points.len()),
        });
    }
    // Which of the places stay empty is drawn, so that no corner is favoured.
    let mut stream = world.chance.stream(first.bits(), count, Purpose::Placement);
    for i in 0..count as usize {
        let other = i + stream.below((points.len() - i) as u32) as usize;
        points.swap(i, other);
        taken.add(points[i], radius);
    }
    points.truncate(count as usize);
    Ok(points)
}

/// A stop that cannot be reached.
pub(crate) struct Lost {
    /// The event whose journey has it; `None`: it is in the population's own.
    pub event: Option<usize>,
    pub misfit: Misfit,
}

/// What to say if somebody has no way to one of their stops, or could not be there.
fn unreachable_goal(world: &World, scenario: &Scenario, number: usize, newcomers: &[Newcomer]) -> Option<Lost> {
    let mut search = Search::default();
    // Whoever is sent somewhere by name goes from where they are by then, which nobody knows yet.
    let by_name = |event: &Option<usize>| {
        let action = event.map(|event| &scenario.events[event].action);
        matches!(action, Some(Action::Journey { whom: Whom::People(_), .. }))
    };
    for (event, plan) in world.plans_of(number).filter(|(event, _)| !by_name(event)) {
        let mut lost = 0;
        let mut example = None;
        for newcomer in newcomers {
            if let Some(stop) = first_unreachable(world, &plan.stages, newcomer, &mut search) {
                lost += 1;
                example.get_or_insert((world.place(newcomer.agent.position), stop));
            }
        }
        let journey = match event.map(|event| &scenario.events[event].action) {
            Some(Action::Journey { journey, .. }) => journey,
            _ => &world.kinds[number].population.journey,
        };
        if let Some((at, stop)) = example {
            let misfit = no_way(world, scenario, &journey[stop], stop + 1, at, [lost, newcomers.len()]);
            return Some(Lost { event, misfit });
        }
    }
    None
}

/// The number of the first stop that somebody has no way to.
fn first_unreachable(world: &World, stages: &[Stage], newcomer: &Newcomer, search: &mut Search) -> Option<usize> {
    let (at, class) = (newcomer.agent.position, newcomer.journey.class);
    stages.iter().position(|stage| match stage {
        Stage::Wait(_) | Stage::Signal { .. } | Stage::Visit(_) => false,
        Stage::Own => world.map.path(at, &Goal::Point(newcomer.journey.own), newcomer.agent.radius).is_none(),
        shared => !targets_of(shared).iter().any(|target| can_be_reached(world, *target, class, at, search)),
    })
}

fn no_way(world: &World, scenario: &Scenario, stop: &Stop, number: usize, at: DVec2, of: [usize; 2]) -> Misfit {
    let (name, [lost, people]) = (stop.words(scenario), of);
    let off_floor = matches!(stop, Stop::Point(at) if !world.map.contains(world.local(*at)));
    let hint = if off_floor {
        "that point is outside the floor or inside an obstacle: move it onto the floor"
    } else {
        "open a door, widen the passage or the goal, or choose another one: nobody wider than a passage walks through it"
    };
    Misfit {
        what: format!(
            "stop {number} of the journey, {name}, cannot be reached by {lost} of {people} people, for instance \
             from [{:.2}, {:.2}]",
            at.x, at.y
        ),
        hint: hint.to_owned(),
    }
}

/// Whether there is a way, and room at its end.
fn can_be_reached(world: &World, target: TargetId, class: u8, at: Vec2, search: &mut Search) -> bool {
    let inside = matches!(world.targets[target.0 as usize], Goal::Region(region) if world.map.in_region(region, at));
    inside
        || world
            .tree(target, class)
            .is_some_and(|tree| tree.goal_has_room() && world.map.next(tree, at, search).is_some())
}
