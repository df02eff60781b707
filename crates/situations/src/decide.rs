//! What each person does: sensors, rules, composition; and what follows from it for the situations.

use crate::behaviour::{Behaviour, Fill, Place};
use crate::plugged::{Claim, Errand, Intent, Membership, Plugged};
use crate::queue::Gone;
use crate::rule::{Me, Sent};
use crate::sensor::{Reading, Sensor};
use crate::situation::SituationId;
use crate::state::{Crowd, Draw, Incident, Moment, Situations};
use passerby_crowd::AgentId;
use passerby_geometry::{DVec2, Vec2, math};
use passerby_motion::Posture;
use rayon::prelude::*;

/// How near to a point counts as standing there, m.
const THERE: f32 = 0.3;
/// How far people look ahead along a line they follow, m.
const AHEAD: f32 = 2.0;
/// How far people look for another member to talk to, m.
const IN_TALK: f32 = 3.0;
/// How far people look for another member to walk up to, m, and how near they come.
const IN_SIGHT: f32 = 8.0;
const FACE_TO_FACE: f32 = 1.0;
/// A goal that moves is followed in steps of this, m, so that ways are not looked for in every tick.
const GOAL_STEP: f32 = 0.5;
/// How much room somebody who stands in a crowd takes, m: so far out do the last of many stand.
const STANDING: f32 = 0.35;
/// What speeds a rule or formula may ask for.
const PACE: (f64, f64) = (0.05, 4.0);
const CHUNK: usize = 256;

/// What the situations of somebody have them do or be, while it is put together.
struct Wish {
    intent: Intent,
    /// Whether a behaviour or rule has them stand, wherever.
    holds: bool,
    /// Where they look, told by a rule, which nothing else overrules.
    told: Option<Vec2>,
}

/// What a rule has said for one membership.
#[derive(Default)]
struct Heard {
    only: Option<u64>,
    sent: Option<Vec2>,
}

impl Situations {
    /// Sensors, rules and behaviours of everybody who is in some situation. Rules and formulas that were stopped come back in the order of ids.
    pub fn decide(&self, crowd: &Crowd<'_>, people: &mut [Option<Box<Plugged>>], moment: &Moment<'_>) -> Vec<Incident> {
        let chunks = people.par_chunks_mut(CHUNK).enumerate().map(|(chunk, people)| {
            let mut incidents = Vec::new();
            for (row, person) in (chunk * CHUNK..).zip(people) {
                if let Some(person) = person {
                    self.decide_one(row, person, crowd, moment, &mut incidents);
                }
            }
            incidents
        });
        let mut incidents: Vec<Incident> = chunks.flatten_iter().collect();
        incidents.sort_by_key(|incident| incident.id);
        incidents
    }

    fn decide_one(
        &self,
        row: usize,
        person: &mut Plugged,
        crowd: &Crowd<'_>,
        moment: &Moment<'_>,
        incidents: &mut Vec<Incident>,
    ) {
        let mut wish = Wish { intent: Intent::default(), holds: false, told: None };
        let mut memberships = std::mem::take(&mut person.memberships);
        let mut heard: Vec<Heard> = Vec::with_capacity(memberships.len());
        let mut suppressed = 0;
        for membership in &mut memberships {
            self.perceive(row, membership, person.tags, crowd, moment);
            heard.push(self.hear(row, membership, person, crowd, moment, (&mut suppressed, &mut wish), incidents));
        }
        for number in 0..memberships.len() {
            let (before, after) = memberships.split_at_mut(number);
            let membership = &mut after[0];
            let situation = &self.all[membership.situation.index()];
            let is_composed = |number: usize, behaviour: &Behaviour| {
                let word = 1u64 << behaviour.word();
                suppressed & word == 0 && heard[number].only.is_none_or(|only| only & word != 0)
            };
            let (mut busy, mut detained) = (false, false);
            for behaviour in &situation.behaviours {
                if !is_composed(number, behaviour) {
                    continue;
                }
                // What two situations both give counts once.
                let given_before = before.iter().enumerate().any(|(earlier, other)| {
                    let theirs = &self.all[other.situation.index()].behaviours;
                    theirs.iter().any(|other| other == behaviour && is_composed(earlier, other))
                });
                if behaviour.detains() {
                    detained = true;
                    if !membership.done {
                        busy |= self.detain(row, behaviour, membership, crowd, moment, &mut wish);
                    }
                } else if !given_before {
                    self.apply(row, behaviour, membership, crowd, moment, &mut wish, incidents);
                }
            }
            membership.done |= !busy && (detained || !situation.detains());
        }
        // A rule's goal is stronger than any behaviour's; the latest rule's strongest.
        if let Some(goal) = heard.iter().rev().find_map(|heard| heard.sent) {
            (wish.intent.goal, wish.intent.stands, wish.intent.hold) = (Some(goal), false, false);
        }
        wish.intent.looks_at = wish.told.or(wish.intent.looks_at);
        wish.intent.hold |= wish.holds;
        wish.intent.speed = wish.intent.speed.clamp(PACE.0 as f32, PACE.1 as f32);
        person.memberships = memberships;
        person.intent = wish.intent;
    }

    /// Reads the sensors into the memory.
    fn perceive(&self, row: usize, membership: &mut Membership, tags: u64, crowd: &Crowd<'_>, moment: &Moment<'_>) {
        let sensors = &self.all[membership.situation.index()].sensors;
        membership.memory.resize(sensors.len(), Reading::Number(0.0));
        for (reading, (_, sensor)) in membership.memory.iter_mut().zip(sensors) {
            *reading = match *sensor {
                Sensor::Signal { signal } => Reading::Shows { signal, phase: moment.phases[signal as usize] },
                Sensor::Proximity { within } => Reading::Number(f64::from(nearest_gap(crowd, row, within))),
                Sensor::Agents { population, within } => {
                    Reading::Number(f64::from(count_near(crowd, row, population, within)))
                }
                Sensor::Density { within } => Reading::Number(density(crowd, row, within)),
                Sensor::Empty { of } => Reading::Number(f64::from(self.empty_places(of))),
                Sensor::SinceEntry => Reading::Number(f64::from(moment.tick - membership.entered) * moment.length),
                Sensor::Clock => Reading::Number(moment.time()),
                Sensor::Speed => Reading::Number(f64::from(crowd.velocity[row].length())),
                Sensor::Has { tag } => Reading::Flag(tags & tag != 0),
            };
        }
    }

    /// Asks the rule of a situation.
    #[allow(clippy::too_many_arguments)] // what a rule may read and change
    fn hear(
        &self,
        row: usize,
        membership: &mut Membership,
        person: &mut Plugged,
        crowd: &Crowd<'_>,
        moment: &Moment<'_>,
        (suppressed, wish): (&mut u64, &mut Wish),
        incidents: &mut Vec<Incident>,
    ) -> Heard {
        let Some(rule) = self.all[membership.situation.index()].rule.as_ref().filter(|_| !membership.broken) else {
            return Heard::default();
        };
        let id = crowd.id[row];
        let mut me = Me::new(self.words.clone(), moment.stream(id, membership.situation, Draw::Rule), person.tags);
        let outcome = rule.decide(&membership.memory, &mut me);
        let finite = |at: [f64; 2]| at.iter().all(|x| x.is_finite() && x.abs() < 1e7);
        let nowhere = match me.sent {
            Some(Sent::To(at)) => !finite(at),
            _ => false,
        };
        let problem = match outcome {
            Err(error) => Some((error.what, error.line)),
            Ok(()) if nowhere || me.looks_at.is_some_and(|at| !finite(at)) || !me.speed.is_finite() => {
                Some(("it asks for a point or a pace that is no number to go by".to_owned(), 0))
            }
            Ok(()) => None,
        };
        if let Some((what, line)) = problem {
            membership.broken = true;
            let situation = membership.situation;
            incidents.push(Incident { tick: moment.tick, id, situation, template: None, line, what });
            return Heard::default();
        }
        person.tags = me.has;
        *suppressed |= me.suppressed;
        wish.intent.speed *= me.speed.clamp(PACE.0, PACE.1) as f32;
        wish.holds |= me.holds;
        wish.told = me.looks_at.map(|at| self.local(DVec2::from(at))).or(wish.told);
        membership.done |= me.done;
        let into = match me.sent {
            Some(Sent::Into(situation)) => Some(SituationId(situation)),
            _ => None,
        };
        let sent = match me.sent {
            Some(Sent::To(at)) => Some(self.local(DVec2::from(at))),
            Some(Sent::Into(_)) => {
                // Drawn when the rule begins to say so, not in each tick.
                if membership.sent != into || membership.goal.is_none() {
                    let mut stream = moment.stream(id, membership.situation, Draw::Point);
                    membership.goal = into
                        .and_then(|to| self.point_in(to, &|at| (moment.has_room)(at, crowd.radius[row]), &mut stream));
                }
                membership.goal
            }
            None => None,
        };
        membership.sent = into;
        Heard { only: me.only, sent }
    }

    /// What a behaviour that keeps people makes of somebody. Whether it still does.
    fn detain(
        &self,
        row: usize,
        behaviour: &Behaviour,
        membership: &mut Membership,
        crowd: &Crowd<'_>,
        moment: &Moment<'_>,
        wish: &mut Wish,
    ) -> bool {
        let (id, at, situation) = (crowd.id[row], crowd.position[row], membership.situation);
        let draw = |law| {
            moment.tick + moment.ticks((moment.law)(law, &mut moment.stream(id, situation, Draw::Duration))).max(1)
        };
        match behaviour {
            Behaviour::Wait { seconds, at: place } => {
                let place = place.map(|place| self.here(situation, place));
                if membership.until == 0 && place.is_some_and(|place| place.distance(at) > THERE) {
                    wish.walk_to(place.unwrap_or(at));
                    return true;
                }
                if membership.until == 0 {
                    membership.until = draw(*seconds);
                }
                wish.stand(place, at, Posture::Wait);
                moment.tick < membership.until
            }
            Behaviour::Stay { until, pause } => {
                if until.is_some_and(|shown| moment.shows(shown)) {
                    return false;
                }
                match pause {
                    None if self.contains(situation, at) => wish.stand(None, at, Posture::Wait),
                    None => wish.walk_to(self.nearest(situation, at)),
                    Some(pause) => self.walk_about(row, membership, draw(*pause), crowd, moment, wish),
                }
                true
            }
            Behaviour::Follow { line, gather } => {
                let line: Vec<Vec2> = line.iter().map(|point| self.here(situation, *point)).collect();
                let length: f32 = line.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
                membership.progress = membership.progress.max(progress_along(&line, at));
                let end = *line.last().unwrap_or(&at);
                if membership.progress < length - 0.5 {
                    wish.walk_on_to(point_along(&line, membership.progress + AHEAD));
                    return true;
                }
                if *gather {
                    self.stand_around(row, end, situation, crowd, wish);
                }
                *gather
            }
            Behaviour::Gather { at: point, seconds } => {
                if membership.until == 0 {
                    membership.until = draw(*seconds);
                }
                self.stand_around(row, self.here(situation, *point), situation, crowd, wish);
                moment.tick < membership.until
            }
            Behaviour::Queue(line) => {
                if membership.served.is_some() {
                    return false;
                }
                let queue = self.states[situation.index()].queue.as_ref();
                if let Some(place) = queue.and_then(|queue| queue.place(id, line)) {
                    let (place, head) = (self.here(situation, place), self.here(situation, line.line[0]));
                    wish.stand(Some(place), at, Posture::Wait);
                    wish.intent.looks_at = Some(head).filter(|head| head.distance(at) > THERE).or(wish.intent.looks_at);
                }
                true
            }
            Behaviour::Sit { seats, fill, seconds, until } => {
                let over = membership.until > 0 && moment.tick >= membership.until;
                if over || until.is_some_and(|shown| moment.shows(shown)) {
                    return false;
                }
                if self.sit(row, (seats, *fill), membership, crowd, wish)
                    && membership.until == 0
                    && let Some(seconds) = seconds
                {
                    membership.until = draw(*seconds);
                }
                true
            }
            _ => false,
        }
    }

    /// What any other behaviour makes of somebody.
    #[allow(clippy::too_many_arguments)] // what a behaviour may read and change
    fn apply(
        &self,
        row: usize,
        behaviour: &Behaviour,
        membership: &mut Membership,
        crowd: &Crowd<'_>,
        moment: &Moment<'_>,
        wish: &mut Wish,
        incidents: &mut Vec<Incident>,
    ) {
        let (id, at, situation) = (crowd.id[row], crowd.position[row], membership.situation);
        match behaviour {
            Behaviour::Stop => wish.holds = true,
            Behaviour::Hurry { factor } => wish.intent.speed *= factor,
            Behaviour::DontTurn => wish.intent.straight = true,
            Behaviour::LookAt { at } => wish.intent.looks_at = Some(self.here(situation, *at)),
            Behaviour::Target(place) => {
                if membership.goal.is_none() {
                    let mut stream = moment.stream(id, situation, Draw::Point);
                    membership.goal = match place {
                        Place::Point(point) => Some(self.here(situation, *point)),
                        Place::In(to) => {
                            self.point_in(*to, &|at| (moment.has_room)(at, crowd.radius[row]), &mut stream)
                        }
                        Place::Across => self.across(situation, membership.from),
                    };
                }
                // Who has been there goes on, and is not drawn back.
                match membership.goal {
                    Some(goal) if membership.progress == 0.0 && goal.distance(at) > 2.0 * THERE => {
                        wish.walk_on_to(goal)
                    }
                    _ => membership.progress = 1.0,
                }
            }
            Behaviour::Talk => {
                wish.intent.posture = Posture::Talk;
                if let Some((_, other)) = self.nearest_member(row, situation, crowd, IN_TALK) {
                    wish.intent.looks_at = Some(other);
                }
            }
            Behaviour::Approach => {
                if let Some((gap, other)) = self.nearest_member(row, situation, crowd, IN_SIGHT) {
                    wish.intent.looks_at = Some(other);
                    match gap > FACE_TO_FACE {
                        true => wish.walk_on_to(follow(membership, other)),
                        false => wish.stand(None, at, Posture::Stand),
                    }
                }
            }
            Behaviour::Close { within } => {
                if let Some(middle) = self.middle_of(situation, id)
                    && middle.distance(at) > *within
                {
                    wish.walk_on_to(follow(membership, middle));
                }
            }
            Behaviour::Template(template) => {
                let to_goal = wish.intent.goal.map_or(0.0, |goal| f64::from(goal.distance(at)));
                let since = f64::from(moment.tick - membership.entered) * moment.length;
                let numbers = [
                    density(crowd, row, 2.0),
                    f64::from(nearest_gap(crowd, row, 10.0)),
                    since,
                    f64::from(crowd.velocity[row].length()),
                    to_goal,
                ];
                for (formula, is_speed) in [(&template.speed, true), (&template.hold, false)] {
                    match formula.as_ref().filter(|_| !membership.broken).map(|formula| formula.value(&numbers)) {
                        Some(Ok(speed)) if is_speed => wish.intent.speed *= speed.clamp(PACE.0, PACE.1) as f32,
                        Some(Ok(hold)) => wish.holds |= hold > 0.5,
                        Some(Err(error)) => {
                            membership.broken = true;
                            let template = Some(template.name.clone());
                            let (line, what) = (error.line, error.what);
                            incidents.push(Incident { tick: moment.tick, id, situation, template, line, what });
                        }
                        None => {}
                    }
                }
            }
            // Keeping others out is the gate's business; those that detain have a function of their own.
            _ => {}
        }
    }

    /// From one random point of the region to another, with pauses.
    fn walk_about(
        &self,
        row: usize,
        membership: &mut Membership,
        pause_ends: u32,
        crowd: &Crowd<'_>,
        moment: &Moment<'_>,
        wish: &mut Wish,
    ) {
        let (id, at) = (crowd.id[row], crowd.position[row]);
        if membership.until > 0 && moment.tick >= membership.until {
            (membership.until, membership.goal) = (0, None);
        }
        let goal = *membership.goal.get_or_insert_with(|| {
            let mut stream = moment.stream(id, membership.situation, Draw::Point);
            let has_room = |at: Vec2| (moment.has_room)(at, crowd.radius[row]);
            self.point_in(membership.situation, &has_room, &mut stream).unwrap_or(at)
        });
        if membership.until == 0 && goal.distance(at) > 2.0 * THERE {
            wish.walk_to(goal);
            return;
        }
        if membership.until == 0 {
            membership.until = pause_ends;
        }
        wish.stand(None, at, Posture::Wait);
    }

    /// Stands as near to a point as so many can.
    fn stand_around(&self, row: usize, point: Vec2, situation: SituationId, crowd: &Crowd<'_>, wish: &mut Wish) {
        let at = crowd.position[row];
        let crowd = STANDING * (self.states[situation.index()].members.len() as f32).sqrt();
        if point.distance(at) > 2.0 * THERE + crowd {
            wish.walk_to(point);
        } else {
            wish.stand(None, at, Posture::Stand);
            wish.intent.looks_at = Some(point);
        }
    }

    /// Goes to the seat they have, or asks for a free one. Whether they sit.
    fn sit(
        &self,
        row: usize,
        (seats, fill): (&[crate::behaviour::Seat], Fill),
        membership: &mut Membership,
        crowd: &Crowd<'_>,
        wish: &mut Wish,
    ) -> bool {
        let at = crowd.position[row];
        match membership.seat {
            Some(Claim { seat, granted: true }) => {
                let place = &seats[seat as usize];
                let (sin, cos) = math::sin_cos(place.facing as f32);
                let seat_at = self.here(membership.situation, place.at);
                wish.stand(Some(seat_at), at, Posture::Sit);
                let sits = seat_at.distance(at) <= THERE;
                if sits {
                    wish.intent.looks_at = Some(seat_at + 10.0 * Vec2::new(cos, sin));
                }
                sits
            }
            _ => {
                let taken = &self.states[membership.situation.index()].seats;
                let free = seats.iter().zip(taken).zip(0..).filter(|((_, taken), _)| taken.is_none());
                let sign = if fill == Fill::Far { -1.0 } else { 1.0 };
                let distance = |seat: &crate::behaviour::Seat| {
                    sign * self.here(membership.situation, seat.at).distance_squared(at)
                };
                let nearest = free.min_by(|((a, _), _), ((b, _), _)| distance(a).total_cmp(&distance(b)));
                membership.seat = nearest.map(|(_, seat)| Claim { seat, granted: false });
                wish.stand(None, at, Posture::Wait);
                false
            }
        }
    }

    /// How far the nearest other member of a situation is, and where; nearest first, ties by id.
    fn nearest_member(
        &self,
        row: usize,
        situation: SituationId,
        crowd: &Crowd<'_>,
        within: f32,
    ) -> Option<(f32, Vec2)> {
        let (id, at) = (crowd.id[row], crowd.position[row]);
        let members = &self.states[situation.index()].members;
        let group = self.group_of(situation, id);
        let others = crowd.near.around(at, within).filter(|body| {
            let is_member = body.id != id && members.binary_search(&body.id).is_ok();
            is_member && self.group_of(situation, body.id) == group && body.position.distance(at) <= within
        });
        let key = |body: &passerby_crowd::Body| (body.position.distance_squared(at), body.id);
        let nearest = others.min_by(|a, b| {
            let ((a, a_id), (b, b_id)) = (key(a), key(b));
            a.total_cmp(&b).then(a_id.cmp(&b_id))
        })?;
        Some((nearest.position.distance(at), nearest.position))
    }

    /// What follows from everybody's decisions, in the order of ids: seats are given, queues go on, who is done gets what they came for and is sent on.
    /// Into `leaving` come those who leave the scene.
    pub fn conclude(
        &mut self,
        crowd: &Crowd<'_>,
        people: &mut [Option<Box<Plugged>>],
        moment: &Moment<'_>,
        incidents: Vec<Incident>,
        leaving: &mut Vec<AgentId>,
    ) {
        incidents.into_iter().for_each(|incident| self.note(incident));
        self.serve(crowd, people, moment);
        leaving.clear();
        for row in crowd.by_id {
            let row = row.index();
            let Some(person) = people[row].as_deref_mut() else { continue };
            let id = crowd.id[row];
            for number in 0..person.memberships.len() {
                let membership = &mut person.memberships[number];
                let seats = &mut self.states[membership.situation.index()].seats;
                if let Some(claim) = membership.seat.filter(|claim| !claim.granted && !membership.done) {
                    let seat = &mut seats[claim.seat as usize];
                    let granted = seat.is_none();
                    seat.get_or_insert(id);
                    membership.seat = granted.then_some(Claim { granted, ..claim });
                }
                if membership.done && !membership.concluded {
                    membership.concluded = true;
                    let (situation, served) = (membership.situation, membership.served);
                    self.finish(id, crowd.radius[row], person, situation, served, moment);
                }
            }
            // What no longer holds, or does not concern them, is no place to go to.
            if person.errand.is_some_and(|errand| !self.takes(errand.to, id, person.tags)) {
                person.errand = None;
            }
            if person.leaves {
                leaving.push(id);
            }
        }
    }

    /// One tick of every line.
    fn serve(&mut self, crowd: &Crowd<'_>, people: &mut [Option<Box<Plugged>>], moment: &Moment<'_>) {
        let mut gone: Vec<Gone> = Vec::new();
        for place in 0..self.lines.len() {
            let situation = self.lines[place];
            let number = situation.index();
            let Some(mut queue) = self.states[number].queue.take() else { continue };
            if queue.is_empty() {
                self.states[number].queue = Some(queue);
                continue;
            }
            let line = self.line(situation).expect("who has a queue has a line").clone();
            let before = queue.clone();
            let is_there = |id: AgentId| {
                let place = before.place(id, &line).map(|place| self.here(situation, place));
                let at = crowd.row_of(id).map(|row| crowd.position[row]);
                place.zip(at).is_some_and(|(place, at)| place.distance(at) <= THERE + 0.1)
            };
            let service = |id: AgentId| {
                moment.ticks((moment.law)(line.service, &mut moment.stream(id, situation, Draw::Duration))).max(1)
            };
            queue.advance(moment.tick, is_there, service, &mut gone);
            let state = &mut self.states[number];
            state.queue = Some(queue);
            for Gone { id, served } in gone.drain(..) {
                let count = if served { &mut state.counts.served } else { &mut state.counts.gave_up };
                *count += 1;
                let person = crowd.row_of(id).and_then(|row| people[row].as_deref_mut());
                let membership =
                    person.and_then(|person| person.memberships.iter_mut().find(|m| m.situation == situation));
                if let Some(membership) = membership {
                    (membership.served, membership.done) = (Some(served), true);
                }
            }
        }
    }

    /// Somebody is done: they get and lose tags, and the graph sends them on.
    fn finish(
        &mut self,
        id: AgentId,
        radius: f32,
        person: &mut Plugged,
        situation: SituationId,
        served: Option<bool>,
        moment: &Moment<'_>,
    ) {
        let number = situation.index();
        let state = &mut self.states[number];
        state.counts.done += 1;
        for seat in state.seats.iter_mut().filter(|seat| **seat == Some(id)) {
            *seat = None;
        }
        if served != Some(false) {
            person.tags = (person.tags | self.all[number].gives) & !self.all[number].takes;
        }
        person.release(situation);
        person.leaves |= self.all[number].remove;
        let weights: f64 = self.all[number].next.iter().map(|(_, weight)| weight).sum();
        if weights > 0.0 {
            let mut stream = moment.stream(id, situation, Draw::Next);
            let mut left = stream.uniform() * weights;
            let edges = &self.all[number].next;
            let drawn = edges.iter().position(|(_, weight)| {
                left -= weight;
                left < 0.0
            });
            let edge = drawn.unwrap_or(edges.len() - 1);
            let to = edges[edge].0;
            person.forget(to);
            let here = Errand { from: situation, edge: edge as u32, to, at: Vec2::ZERO };
            if person.in_situation(to).is_some() {
                // They are there already.
                self.count_edge(&here, false);
                self.count_edge(&here, true);
            } else if let Some(at) = self.point_in(to, &|at| (moment.has_room)(at, radius), &mut stream) {
                let errand = Errand { at, ..here };
                self.count_edge(&errand, false);
                person.errand = Some(errand);
            }
        }
    }
}

impl Wish {
    /// Walks to a point to stand there.
    fn walk_to(&mut self, goal: Vec2) {
        (self.intent.goal, self.intent.stands, self.intent.hold) = (Some(goal), true, false);
    }

    /// Walks to a point and on.
    fn walk_on_to(&mut self, goal: Vec2) {
        (self.intent.goal, self.intent.stands, self.intent.hold) = (Some(goal), false, false);
    }

    /// Stands at a place, or walks to it first; where they are, if there is none.
    fn stand(&mut self, place: Option<Vec2>, at: Vec2, posture: Posture) {
        match place {
            Some(place) if place.distance(at) > THERE => self.walk_to(place),
            _ => {
                (self.intent.goal, self.intent.hold) = (None, true);
                self.intent.posture = posture;
            }
        }
    }
}

/// A moving goal, followed in steps.
fn follow(membership: &mut Membership, to: Vec2) -> Vec2 {
    let goal = membership.goal.filter(|goal| goal.distance(to) <= GOAL_STEP).unwrap_or(to);
    membership.goal = Some(goal);
    goal
}

/// How far along a line its nearest point to another one is, m.
fn progress_along(line: &[Vec2], at: Vec2) -> f32 {
    let (mut along, mut best) = (0.0, (f32::INFINITY, 0.0));
    for ends in line.windows(2) {
        let part = passerby_geometry::Segment { a: ends[0], b: ends[1] };
        let point = part.closest_point(at);
        let gap = point.distance_squared(at);
        if gap < best.0 {
            best = (gap, along + ends[0].distance(point));
        }
        along += part.length();
    }
    best.1
}

/// The point of a line after so many metres; its end if it is shorter.
fn point_along(line: &[Vec2], mut metres: f32) -> Vec2 {
    for ends in line.windows(2) {
        let length = ends[0].distance(ends[1]);
        if metres <= length && length > 0.0 {
            return ends[0].lerp(ends[1], metres / length);
        }
        metres -= length;
    }
    line.last().copied().unwrap_or_default()
}

/// How far the nearest other person is, rim to rim, m; the range where there is nobody.
fn nearest_gap(crowd: &Crowd<'_>, row: usize, within: f32) -> f32 {
    let (id, at, radius) = (crowd.id[row], crowd.position[row], crowd.radius[row]);
    let others = crowd.near.around(at, within + radius + crowd.near.radius_max()).filter(|body| body.id != id);
    others.map(|body| body.position.distance(at) - radius - body.radius).fold(within, f32::min).max(0.0)
}

fn count_near(crowd: &Crowd<'_>, row: usize, population: Option<u32>, within: f32) -> u32 {
    let (id, at) = (crowd.id[row], crowd.position[row]);
    let counts = |body: &&passerby_crowd::Body| {
        let of_kind = population.is_none_or(|population| body.id.population() == population);
        body.id != id && of_kind && body.position.distance_squared(at) <= within * within
    };
    crowd.near.around(at, within).filter(counts).count() as u32
}

/// People to the square metre within a circle, oneself included.
fn density(crowd: &Crowd<'_>, row: usize, within: f32) -> f64 {
    let people = f64::from(count_near(crowd, row, None, within) + 1);
    people / (std::f64::consts::PI * f64::from(within) * f64::from(within))
}
