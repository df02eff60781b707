//! All situations of a world while it runs: what holds where, who is in what, who waits.

use crate::behaviour::{Behaviour, Line};
use crate::places::Places;
use crate::plugged::{Errand, Plugged};
use crate::queue::Queue;
use crate::rule::Words;
use crate::shape::Shape;
use crate::situation::{Extent, LawId, Moving, Relation, Shown, Situation, SituationId};
use passerby_crowd::{AgentId, Index, Row};
use passerby_geometry::chance::{Chance, Purpose, Stream};
use passerby_geometry::{DVec2, Polygon, Sampler, Vec2};
use std::sync::Arc;

/// Everybody, as situations see them. Row `i` of every column is the same person.
#[derive(Debug, Clone, Copy)]
pub struct Crowd<'a> {
    /// Who.
    pub id: &'a [AgentId],
    /// Where, in local coordinates.
    pub position: &'a [Vec2],
    /// How they move, m/s.
    pub velocity: &'a [Vec2],
    /// Half their widths, m.
    pub radius: &'a [f32],
    /// Rows in the order of ids.
    pub by_id: &'a [Row],
    /// Who is near whom.
    pub near: &'a Index,
}

impl Crowd<'_> {
    /// The row of somebody, if they are there.
    pub fn row_of(&self, id: AgentId) -> Option<usize> {
        let found = self.by_id.binary_search_by_key(&id, |row| self.id[row.index()]);
        found.ok().map(|at| self.by_id[at].index())
    }
}

/// What a tick brings besides the people.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// Its number.
    pub tick: u32,
    /// Its length, s.
    pub length: f64,
    /// Source of all chance.
    pub chance: Chance,
    /// What each signal shows now, as in [`Shown::phase`].
    pub phases: &'a [u32],
    /// Draws from a law.
    pub law: &'a (dyn Fn(LawId, &mut Stream) -> f64 + Sync),
    /// Whether somebody of a radius can stand at a point.
    pub has_room: &'a (dyn Fn(Vec2, f32) -> bool + Sync),
}

impl Moment<'_> {
    /// Seconds since the start.
    pub fn time(&self) -> f64 {
        f64::from(self.tick) * self.length
    }

    /// Chance of somebody in a situation in this tick: another one for each situation and each use.
    pub fn stream(&self, id: AgentId, situation: SituationId, draw: Draw) -> Stream {
        let apart = (u64::from(situation.0) << 8 | draw as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Chance::new(self.chance.seed() ^ apart).stream(id.bits(), self.tick, Purpose::Situation)
    }

    /// So many seconds in ticks, rounded up.
    pub fn ticks(&self, seconds: f64) -> u32 {
        (seconds / self.length).ceil().clamp(0.0, f64::from(u32::MAX / 4)) as u32
    }

    /// Whether a signal shows something.
    pub fn shows(&self, shown: Shown) -> bool {
        self.phases[shown.signal as usize] == shown.phase
    }
}

/// What chance is used for: two draws of the same person in the same tick are independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// What a rule asks for.
    Rule = 1,
    /// How long something lasts.
    Duration = 2,
    /// How long somebody waits.
    Patience = 3,
    /// A point of a region.
    Point = 4,
    /// Where to go next.
    Next = 5,
    /// Who is related.
    Relation = 6,
}

/// What a situation has amounted to so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Times somebody entered.
    pub entered: u64,
    /// Times somebody left.
    pub left: u64,
    /// Times somebody found it full.
    pub turned_away: u64,
    /// Times somebody was done.
    pub done: u64,
    /// Of these, those a queue has served.
    pub served: u64,
    /// Times somebody gave up waiting.
    pub gave_up: u64,
    /// Most members at a time.
    pub peak: u32,
    /// How often each edge of the graph was drawn, and how often somebody came to its end.
    pub edges: Vec<[u64; 2]>,
}

/// A situation while it runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// Whether it holds, apart from its timetable.
    pub active: bool,
    /// How far events have moved it.
    pub moved: Vec2,
    /// How far it is from where it is drawn, events included.
    pub shift: Vec2,
    /// Another region that an event gave it.
    pub repainted: Option<Vec<Polygon>>,
    /// Most members, as events have changed it.
    pub capacity: Option<u32>,
    /// Who is in it, in the order of ids.
    pub members: Vec<AgentId>,
    /// Who stands in it without being a member, because it is full, in the order of coming: tick and who.
    pub waiting: Vec<(u32, AgentId)>,
    /// Who stands before it, because nobody else may set foot into it, in the order of coming: tick and who.
    pub before: Vec<(u32, AgentId)>,
    /// Who has been let in and is not there yet, and since when.
    pub let_in: Vec<(u32, AgentId)>,
    /// The line, where it has one.
    pub queue: Option<Queue>,
    /// Who has each seat.
    pub seats: Vec<Option<AgentId>>,
    /// What it has amounted to.
    pub counts: Counts,
}

/// A rule or formula that was stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// When.
    pub tick: u32,
    /// For whom.
    pub id: AgentId,
    /// In which situation.
    pub situation: SituationId,
    /// Of which the rule, or the template of this name.
    pub template: Option<String>,
    /// In which line of it; 0 where none is known.
    pub line: u32,
    /// What it did.
    pub what: String,
}

/// Most incidents that are kept; the others are counted.
const INCIDENTS_MAX: usize = 100;
/// Longest way that is looked at for gates, m.
pub(crate) const LOOK_AHEAD: f32 = 7.0;

/// The middle of a group of members.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Middle {
    pub situation: SituationId,
    pub group: u32,
    pub sum: Vec2,
    pub count: u32,
}

/// All situations of a world.
#[derive(Debug)]
pub struct Situations {
    pub(crate) all: Vec<Situation>,
    pub(crate) states: Vec<State>,
    pub(crate) words: Arc<Words>,
    /// Where each is drawn, in local coordinates; none for relations.
    shapes: Vec<Option<Shape>>,
    samplers: Vec<Vec<(f64, Sampler)>>,
    /// Those that stand still, where they are now.
    places: Places,
    /// Those that are gated and stand still, with room around.
    gates: Places,
    /// Those that move.
    moving: Vec<SituationId>,
    /// Those with a timetable.
    timed: Vec<SituationId>,
    /// Those with a line.
    pub(crate) lines: Vec<SituationId>,
    /// Those whose members keep close.
    pub(crate) close: Vec<SituationId>,
    /// Those that keep others out.
    pub(crate) exclusive: Vec<SituationId>,
    /// Those in which somebody waits for room, in the order of their numbers.
    pub(crate) crowded: Vec<SituationId>,
    /// Which hold in this tick.
    pub(crate) on: Vec<bool>,
    /// For each population its relations.
    relations: Vec<Vec<SituationId>>,
    offset: DVec2,
    bounds: (Vec2, Vec2),
    /// Where the middles of groups are in this tick, in the order of situations and groups.
    pub(crate) middles: Vec<Middle>,
    pub(crate) incidents: Vec<Incident>,
    pub(crate) incidents_count: u64,
}

impl Situations {
    /// Situations of a place whose local coordinates are its own less `offset`, within these local bounds.
    pub fn new(all: Vec<Situation>, words: Arc<Words>, offset: DVec2, bounds: (Vec2, Vec2)) -> Situations {
        let states: Vec<State> = all.iter().map(fresh).collect();
        let mut situations = Situations {
            states,
            words,
            shapes: Vec::new(),
            samplers: Vec::new(),
            places: Places::default(),
            gates: Places::default(),
            moving: numbered(&all, |situation| situation.moving.is_some()),
            timed: numbered(&all, |situation| !situation.times.is_empty()),
            lines: numbered(&all, |situation| has(situation, |b| matches!(b, Behaviour::Queue(_)))),
            close: numbered(&all, |situation| has(situation, |b| matches!(b, Behaviour::Close { .. }))),
            exclusive: numbered(&all, |situation| situation.exclusive),
            crowded: Vec::new(),
            on: vec![false; all.len()],
            relations: Vec::new(),
            offset,
            bounds,
            middles: Vec::new(),
            incidents: Vec::new(),
            incidents_count: 0,
            all,
        };
        for (situation, number) in situations.all.iter().zip(0..) {
            if let Extent::Relation(Relation { population, .. }) = &situation.extent {
                let population = *population as usize;
                if situations.relations.len() <= population {
                    situations.relations.resize(population + 1, Vec::new());
                }
                situations.relations[population].push(SituationId(number));
            }
        }
        situations.draw_anew();
        situations
    }

    /// Names that rules use.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// One as the scenario has it.
    pub fn situation(&self, id: SituationId) -> &Situation {
        &self.all[id.index()]
    }

    /// One as it is now.
    pub fn state(&self, id: SituationId) -> &State {
        &self.states[id.index()]
    }

    /// The one of a name.
    pub fn find(&self, name: &str) -> Option<SituationId> {
        self.all.iter().position(|situation| situation.name == name).map(|number| SituationId(number as u32))
    }

    /// All by number.
    pub fn ids(&self) -> impl Iterator<Item = SituationId> + use<> {
        (0..self.all.len() as u32).map(SituationId)
    }

    /// Rules and formulas that were stopped: the first hundred, and how many there were.
    pub fn incidents(&self) -> (&[Incident], u64) {
        (&self.incidents, self.incidents_count)
    }

    /// Whether one holds now.
    pub fn is_on(&self, id: SituationId) -> bool {
        self.on[id.index()]
    }

    /// Everything that a run changes, for a checkpoint.
    pub fn states(&self) -> (&[State], &[Incident], u64) {
        (&self.states, &self.incidents, self.incidents_count)
    }

    /// Takes up what [`Situations::states`] gave.
    pub fn take_up(&mut self, states: Vec<State>, incidents: Vec<Incident>, count: u64) {
        (self.states, self.incidents, self.incidents_count) = (states, incidents, count);
        self.crowded = self.ids().filter(|id| !self.states[id.index()].waiting.is_empty()).collect();
        self.draw_anew();
    }

    /// From the place's coordinates to local ones.
    pub(crate) fn local(&self, at: DVec2) -> Vec2 {
        (at - self.offset).as_vec2()
    }

    /// A point of a situation where it is now: what moves takes its points along.
    pub(crate) fn here(&self, situation: SituationId, at: DVec2) -> Vec2 {
        let shift = self.states[situation.index()].shift;
        match self.all[situation.index()].moving {
            // Drawn around the origin.
            Some(Moving::With { .. }) => at.as_vec2() + shift,
            _ => self.local(at) + shift,
        }
    }

    /// Whether a point is in a spatial situation now.
    pub fn contains(&self, id: SituationId, at: Vec2) -> bool {
        let shape = self.shapes[id.index()].as_ref();
        shape.is_some_and(|shape| shape.contains(at - self.states[id.index()].shift))
    }

    /// The rings of a spatial situation where they are now; none for a relation.
    pub fn rings_of(&self, id: SituationId) -> Vec<Vec<Vec2>> {
        let shift = self.states[id.index()].shift;
        let rings = self.shapes[id.index()].as_ref().map_or(&[][..], Shape::rings);
        rings.iter().map(|ring| ring.iter().map(|at| *at + shift).collect()).collect()
    }

    /// The box around a spatial situation where it is now.
    pub fn bounds_of(&self, id: SituationId) -> Option<(Vec2, Vec2)> {
        let shift = self.states[id.index()].shift;
        let (low, high) = self.shapes[id.index()].as_ref()?.bounds();
        Some((low + shift, high + shift))
    }

    /// The point of a spatial situation nearest to another.
    pub(crate) fn nearest(&self, id: SituationId, at: Vec2) -> Vec2 {
        let shift = self.states[id.index()].shift;
        self.shapes[id.index()].as_ref().map_or(at, |shape| shape.nearest(at - shift) + shift)
    }

    /// The point straight across a spatial situation from where somebody entered, a metre beyond its far side: mirrored in the middle of the box
    /// around it, along the side through which they came.
    pub(crate) fn across(&self, id: SituationId, from: Vec2) -> Option<Vec2> {
        let (low, high) = self.shapes[id.index()].as_ref()?.bounds();
        let shift = self.states[id.index()].shift;
        let (middle, half) = (0.5 * (low + high) + shift, 0.5 * (high - low));
        let off = (from - middle) / half.max(Vec2::splat(1e-3));
        Some(match off.x.abs() > off.y.abs() {
            true => Vec2::new(middle.x - off.x.signum() * (half.x + 1.0), from.y),
            false => Vec2::new(from.x, middle.y - off.y.signum() * (half.y + 1.0)),
        })
    }

    /// A random point of a spatial situation with room; any if there is none in a hundred tries, none for a relation.
    pub fn point_in(&self, id: SituationId, has_room: &dyn Fn(Vec2) -> bool, stream: &mut Stream) -> Option<Vec2> {
        const TRIES: u32 = 100;
        let samplers = &self.samplers[id.index()];
        let whole: f64 = samplers.iter().map(|(area, _)| area).sum();
        let shift = self.states[id.index()].shift;
        let mut any = None;
        for _ in 0..TRIES {
            let mut left = stream.uniform() * whole;
            let sampler = samplers.iter().find(|(area, _)| {
                left -= area;
                left < 0.0
            });
            let (_, sampler) = sampler.or(samplers.last())?;
            let at = self.local(sampler.point(stream)) + shift;
            if has_room(at) {
                return Some(at);
            }
            any = any.or(Some(at));
        }
        any
    }

    /// Sorts those that stand still into their grids; after events have changed some.
    fn draw_anew(&mut self) {
        let (offset, states) = (self.offset, &self.states);
        let painted = |situation: &Situation, state: &State| match (&situation.extent, &state.repainted) {
            (Extent::Relation(_), _) => None,
            (_, Some(polygons)) => Some(polygons.clone()),
            (Extent::Region(polygons), None) => Some(polygons.clone()),
        };
        let ring = |polygon: &Polygon| polygon.points().iter().map(|at| (*at - offset).as_vec2()).collect();
        let polygons: Vec<Option<Vec<Polygon>>> =
            self.all.iter().zip(states).map(|(situation, state)| painted(situation, state)).collect();
        self.shapes = (polygons.iter())
            .map(|polygons| polygons.as_ref().map(|polygons| Shape::new(polygons.iter().map(ring).collect())))
            .collect();
        // Drawn around the origin, not around the place's: a guide's region has no offset.
        for (shape, situation) in self.shapes.iter_mut().zip(&self.all) {
            if let (Some(shape), Some(Moving::With { .. })) = (shape, &situation.moving) {
                *shape = shape.moved(offset.as_vec2());
            }
        }
        let sampler = |polygon: &Polygon| (polygon.area(), Sampler::new(polygon));
        self.samplers = (polygons.iter()).map(|polygons| polygons.iter().flatten().map(sampler).collect()).collect();
        let still = |number: &usize| self.all[*number].moving.is_none();
        let placed: Vec<(SituationId, Shape)> = (0..self.all.len())
            .filter(still)
            .filter_map(|number| {
                let shape = self.shapes[number].as_ref()?;
                Some((SituationId(number as u32), shape.moved(states[number].shift)))
            })
            .collect();
        let all = placed.iter().map(|(id, shape)| (*id, shape));
        self.places = Places::new(self.bounds, 0.0, all.clone());
        let gated = all.filter(|(id, _)| self.all[id.index()].is_gated());
        self.gates = match gated.clone().next() {
            Some(_) => Places::new(self.bounds, LOOK_AHEAD, gated),
            None => Places::default(),
        };
        for (number, on) in self.on.iter_mut().enumerate() {
            *on = self.states[number].active && self.all[number].times.is_empty();
        }
    }

    /// Whether a situation holds now and concerns somebody with these tags.
    pub fn takes(&self, situation: SituationId, id: AgentId, tags: u64) -> bool {
        self.on[situation.index()] && self.all[situation.index()].concerns.holds(id.population(), tags)
    }

    /// Whether anybody is ever held up before a situation.
    pub fn has_gates(&self) -> bool {
        self.all.iter().any(Situation::is_gated)
    }

    /// Situations that hold for somebody at a point, in the order of their numbers; into `out`, which is cleared.
    pub(crate) fn around(&self, id: AgentId, tags: u64, at: Vec2, chance: Chance, out: &mut Vec<SituationId>) {
        out.clear();
        let concerned = |situation: &SituationId| self.all[situation.index()].concerns.holds(id.population(), tags);
        let holds = |situation: &SituationId| {
            self.on[situation.index()] && self.contains(*situation, at) && concerned(situation)
        };
        out.extend(self.places.at(at).iter().copied().filter(holds));
        out.extend(self.moving.iter().copied().filter(holds));
        if let Some(relations) = self.relations.get(id.population() as usize) {
            let related = |situation: &SituationId| {
                self.on[situation.index()] && concerned(situation) && self.is_related(*situation, id, chance)
            };
            out.extend(relations.iter().copied().filter(related));
        }
        out.sort_unstable();
    }

    /// Whether somebody of its population has to do with a relation.
    fn is_related(&self, situation: SituationId, id: AgentId, chance: Chance) -> bool {
        let Extent::Relation(relation) = &self.all[situation.index()].extent else { return false };
        if !relation.people.is_empty() {
            return relation.people.binary_search(&id.ordinal()).is_ok();
        }
        if relation.share >= 1.0 {
            return true;
        }
        // The whole group is drawn at once.
        let who = relation.size.map_or(id.ordinal(), |size| id.ordinal() / size);
        let who = AgentId::new(id.population(), who);
        let apart = (u64::from(situation.0) << 8 | Draw::Relation as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let u = Chance::new(chance.seed() ^ apart).stream(who.bits(), u32::MAX, Purpose::Situation).uniform();
        u < relation.share
    }

    /// The group somebody is in within a situation: all members of a region are one.
    pub(crate) fn group_of(&self, situation: SituationId, id: AgentId) -> u32 {
        match &self.all[situation.index()].extent {
            Extent::Relation(relation) => relation.group_of(id.ordinal()),
            Extent::Region(_) => 0,
        }
    }

    /// Whether the first of each group leads the others.
    pub(crate) fn is_led(&self, situation: SituationId) -> bool {
        matches!(&self.all[situation.index()].extent, Extent::Relation(relation) if relation.leader)
    }

    /// The line of a situation.
    pub(crate) fn line(&self, situation: SituationId) -> Option<&Line> {
        self.all[situation.index()].behaviours.iter().find_map(|behaviour| match behaviour {
            Behaviour::Queue(line) => Some(line),
            _ => None,
        })
    }

    /// Most members of a situation: its capacity, or the room its line or its seats have.
    pub fn capacity(&self, situation: SituationId) -> u32 {
        let number = situation.index();
        let room = |behaviour: &Behaviour| match behaviour {
            Behaviour::Queue(line) => Some(line.room()),
            Behaviour::Sit { seats, .. } => Some(seats.len() as u32),
            _ => None,
        };
        let rooms = self.all[number].behaviours.iter().filter_map(room);
        rooms.fold(self.states[number].capacity.unwrap_or(u32::MAX), u32::min)
    }

    /// How many places of a situation are empty.
    pub fn empty_places(&self, situation: SituationId) -> u32 {
        let capacity = self.capacity(situation);
        capacity.saturating_sub(self.states[situation.index()].members.len() as u32)
    }
}

fn has(situation: &Situation, which: impl Fn(&Behaviour) -> bool) -> bool {
    situation.behaviours.iter().any(which)
}

fn numbered(all: &[Situation], which: impl Fn(&Situation) -> bool) -> Vec<SituationId> {
    all.iter().zip(0..).filter(|(situation, _)| which(situation)).map(|(_, number)| SituationId(number)).collect()
}

fn fresh(situation: &Situation) -> State {
    let line = situation.behaviours.iter().find_map(|behaviour| match behaviour {
        Behaviour::Queue(line) => Some(Queue::new(line)),
        _ => None,
    });
    let seats = situation.behaviours.iter().map(|behaviour| match behaviour {
        Behaviour::Sit { seats, .. } => seats.len(),
        _ => 0,
    });
    State {
        active: situation.active,
        capacity: situation.capacity,
        queue: line,
        seats: vec![None; seats.sum()],
        counts: Counts { edges: vec![[0; 2]; situation.next.len()], ..Counts::default() },
        ..State::default()
    }
}

/// Changes while it runs.
impl Situations {
    /// It begins to hold.
    pub fn begin(&mut self, id: SituationId) {
        self.states[id.index()].active = true;
        self.draw_anew();
    }

    /// It no longer holds: an exit for all its members.
    pub fn end(&mut self, id: SituationId) {
        self.states[id.index()].active = false;
        self.draw_anew();
    }

    /// It is moved.
    pub fn shift(&mut self, id: SituationId, by: DVec2) {
        let state = &mut self.states[id.index()];
        state.moved += by.as_vec2();
        state.shift += by.as_vec2();
        self.draw_anew();
    }

    /// It gets another region.
    pub fn repaint(&mut self, id: SituationId, region: Vec<Polygon>) {
        self.states[id.index()].repainted = Some(region);
        self.draw_anew();
    }

    /// It gets another capacity.
    pub fn set_capacity(&mut self, id: SituationId, capacity: u32) {
        self.states[id.index()].capacity = Some(capacity);
    }

    /// Timetables and paths, at the beginning of a tick. `guide` gives where the first person of a population is.
    /// Into `carried` come those that have moved and carry their members along, with how far.
    pub fn move_on(
        &mut self,
        moment: &Moment<'_>,
        guide: impl Fn(u32) -> Option<Vec2>,
        carried: &mut Vec<(SituationId, Vec2)>,
    ) {
        carried.clear();
        for id in self.timed.iter() {
            let number = id.index();
            self.on[number] = self.states[number].active && self.all[number].is_on(moment.time());
        }
        for id in self.moving.iter() {
            let state = &mut self.states[id.index()];
            match self.all[id.index()].moving.as_ref() {
                Some(Moving::With { population }) => {
                    let at = guide(*population);
                    state.shift = state.moved + at.unwrap_or(state.shift - state.moved);
                    self.on[id.index()] &= at.is_some();
                    self.on[id.index()] |= at.is_some() && state.active && self.all[id.index()].times.is_empty();
                }
                Some(moving) => {
                    let offset = moving.offset(moment.time()).unwrap_or_default().as_vec2();
                    let by = state.moved + offset - state.shift;
                    state.shift += by;
                    // A path that begins anew is a jump: nobody jumps along.
                    if by != Vec2::ZERO && by.length() < CARRIED_MAX && !state.members.is_empty() {
                        carried.push((*id, by));
                    }
                }
                None => {}
            }
        }
    }

    /// Notes a rule or formula that was stopped.
    pub(crate) fn note(&mut self, incident: Incident) {
        self.incidents_count += 1;
        if self.incidents.len() < INCIDENTS_MAX {
            self.incidents.push(incident);
        }
    }

    /// Whether a situation is closed to somebody who is outside of it.
    fn is_closed_to(&self, id: SituationId, population: u32, person: Option<&Plugged>, phases: &[u32]) -> bool {
        let situation = &self.all[id.index()];
        let tags = person.map_or(0, |person| person.tags);
        if !self.on[id.index()] || !situation.concerns.holds(population, tags) {
            return false;
        }
        let passes = || person.is_some_and(|person| person.pass == Some(id) || person.in_situation(id).is_some());
        situation.enter.is_some_and(|shown| phases[shown.signal as usize] != shown.phase)
            || situation.needs & !tags != 0
            || (situation.exclusive && !passes())
    }

    /// The first gated situation that is closed to somebody of a population on the way from a point to another, at most 7 m away, and after which share of the
    /// way; those they are in do not count. `phases` is what each signal shows.
    pub fn stopped_by(
        &self,
        (population, person): (u32, Option<&Plugged>),
        [from, to]: [Vec2; 2],
        phases: &[u32],
    ) -> Option<(f32, SituationId)> {
        let mut first: Option<(f32, SituationId)> = None;
        let gates = self.gates.at(from).iter().chain(self.moving.iter().filter(|id| self.all[id.index()].is_gated()));
        for id in gates {
            let shift = self.states[id.index()].shift;
            let Some(shape) = &self.shapes[id.index()] else { continue };
            let Some(after) = shape.entered_after(from - shift, to - shift) else { continue };
            if first.is_none_or(|(least, _)| after < least)
                && !shape.contains(from - shift)
                && self.is_closed_to(*id, population, person, phases)
            {
                first = Some((after, *id));
            }
        }
        first
    }

    /// Counts that the graph has sent somebody.
    pub(crate) fn count_edge(&mut self, errand: &Errand, arrived: bool) {
        let edges = &mut self.states[errand.from.index()].counts.edges;
        if let Some(edge) = edges.get_mut(errand.edge as usize) {
            edge[usize::from(arrived)] += 1;
        }
    }
}

/// Farther than this in a tick is a jump, m.
const CARRIED_MAX: f32 = 5.0;
