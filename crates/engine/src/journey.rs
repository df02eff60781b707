//! Where each person is going: the columns, and what a journey's stops are once the place is known.

use crate::saved::{Bytes, Saved, column};
use crate::scenario::Distribution;
use crate::walk::Walk;
use passerby_crowd::{Reorder, Row};
use passerby_geometry::{Sampler, Vec2};
use passerby_navigation::{Goal, Map};
use passerby_situations::SituationId;

/// A goal that several people may share, by its number in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetId(pub u32);

/// A stop of a journey, in local coordinates.
#[derive(Debug, Clone)]
pub(crate) enum Stage {
    /// A goal that others may share.
    Target(TargetId),
    /// A point of one's own.
    Own,
    /// The nearest of several.
    Any(Vec<TargetId>),
    /// The one of several that they expect to be through soonest.
    Soonest(Vec<TargetId>),
    /// One of several, drawn by weights.
    Drawn { targets: Vec<TargetId>, weights: Vec<f64> },
    /// Standing for so many seconds.
    Wait(Distribution),
    /// Standing until a signal shows something.
    Signal { signal: usize, show: String },
    /// A random point of a situation, and then what is done there.
    Visit(SituationId),
    /// Random points of a region, for so many seconds or for good.
    Wander { region: TargetId, area: Sampler, lasting: Option<Distribution> },
}

/// A journey that a population begins with, or that an event gives it.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub stages: Vec<Stage>,
    /// Whether people stay at the last stop.
    pub stay: bool,
    /// Whether people begin again after the last stop.
    pub repeat: bool,
}

impl Plan {
    /// Whether people stand after they have reached this stop.
    pub(crate) fn stands_after(&self, stop: u32) -> bool {
        match self.stages.get(stop as usize + 1) {
            Some(next) => matches!(next, Stage::Wait(_) | Stage::Signal { .. }),
            None => self.stay,
        }
    }
}

/// What somebody is heading for at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// Nothing: stands.
    Nothing,
    /// A goal that others may share.
    Target(TargetId),
    /// A point of one's own.
    Own,
}

/// Somebody who enters, as far as the journey goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewJourney {
    /// Where it enters: the first way point until a way is planned.
    pub position: Vec2,
    /// The goal of its own, where the journey has one.
    pub own: Vec2,
    /// Tick at which it entered.
    pub entered_at: u32,
    /// Tick at which it begins to walk.
    pub start_at: u32,
    /// Width class: which trees it uses.
    pub class: u8,
}

/// The columns of journeys. Row `i` of each is the same person as in the crowd's.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Journeys {
    /// Which stop of the journey comes next.
    pub stop: Vec<u32>,
    /// What they head for.
    pub aim: Vec<Aim>,
    /// A goal of one's own.
    pub own: Vec<Vec2>,
    /// The point they walk straight to.
    pub waypoint: Vec<Vec2>,
    /// Tick at which the way is planned again.
    pub plan_at: Vec<u32>,
    /// Tick at which they entered.
    pub entered_at: Vec<u32>,
    /// Tick at which they begin to walk.
    pub start_at: Vec<u32>,
    /// Tick at which a wait or wandering ends; 0: neither.
    pub until: Vec<u32>,
    /// Width class.
    pub class: Vec<u8>,
    /// Whether there is no way to where they want to go.
    pub unable: Vec<bool>,
    /// Whether an event sent them on when they had arrived: they do not arrive a second time.
    pub sent_on: Vec<bool>,
    /// Routes of portals, and how they get on.
    pub walk: Vec<Walk>,
    /// Until which tick they keep an eye on who stands in their way, because they did not get on.
    pub wary_until: Vec<u32>,
}

impl Journeys {
    pub(crate) fn push(&mut self, new: NewJourney) {
        let Self {
            stop,
            aim,
            own,
            waypoint,
            plan_at,
            entered_at,
            start_at,
            until,
            class,
            unable,
            sent_on,
            walk,
            wary_until,
        } = self;
        (stop.push(0), aim.push(Aim::Nothing), own.push(new.own), waypoint.push(new.position), plan_at.push(0));
        (
            entered_at.push(new.entered_at),
            start_at.push(new.start_at),
            until.push(0),
            class.push(new.class),
            unable.push(false),
            sent_on.push(false),
            walk.push(Walk::default()),
            wary_until.push(0),
        );
    }

    pub(crate) fn swap_remove(&mut self, row: Row) {
        let Self {
            stop,
            aim,
            own,
            waypoint,
            plan_at,
            entered_at,
            start_at,
            until,
            class,
            unable,
            sent_on,
            walk,
            wary_until,
        } = self;
        let i = row.index();
        (stop.swap_remove(i), aim.swap_remove(i), own.swap_remove(i), waypoint.swap_remove(i), plan_at.swap_remove(i));
        (
            entered_at.swap_remove(i),
            start_at.swap_remove(i),
            until.swap_remove(i),
            class.swap_remove(i),
            unable.swap_remove(i),
            sent_on.swap_remove(i),
            walk.swap_remove(i),
            wary_until.swap_remove(i),
        );
    }

    pub(crate) fn permute(&mut self, order: &Reorder) {
        let Self {
            stop,
            aim,
            own,
            waypoint,
            plan_at,
            entered_at,
            start_at,
            until,
            class,
            unable,
            sent_on,
            walk,
            wary_until,
        } = self;
        (order.apply(stop), order.apply(aim), order.apply(own), order.apply(waypoint), order.apply(plan_at));
        (order.apply(entered_at), order.apply(start_at), order.apply(until), order.apply(class), order.apply(unable));
        (order.apply(sent_on), order.apply(walk), order.apply(wary_until));
    }
}

impl Journeys {
    /// Appends all columns.
    pub(crate) fn save(&self, to: &mut Vec<u8>) {
        let Self {
            stop,
            aim,
            own,
            waypoint,
            plan_at,
            entered_at,
            start_at,
            until,
            class,
            unable,
            sent_on,
            walk,
            wary_until,
        } = self;
        (stop.save(to), aim.save(to), own.save(to), waypoint.save(to), plan_at.save(to));
        (entered_at.save(to), start_at.save(to), until.save(to), class.save(to), unable.save(to), sent_on.save(to));
        (walk.save(to), wary_until.save(to));
    }

    /// Reads columns of so many people.
    pub(crate) fn load(from: &mut Bytes<'_>, people: usize) -> Result<Journeys, String> {
        let journeys = Self {
            stop: column(from, people)?,
            aim: column(from, people)?,
            own: column(from, people)?,
            waypoint: column(from, people)?,
            plan_at: column(from, people)?,
            entered_at: column(from, people)?,
            start_at: column(from, people)?,
            until: column(from, people)?,
            class: column(from, people)?,
            unable: column(from, people)?,
            sent_on: column(from, people)?,
            walk: column(from, people)?,
            wary_until: column(from, people)?,
        };
        let mut points = journeys.own.iter().chain(&journeys.waypoint);
        if points.all(|point| point.is_finite()) { Ok(journeys) } else { Err("a goal is nowhere".to_owned()) }
    }
}

/// How near to a point counts as being there, beyond one's radius, m.
const POINT_REACHED: f32 = 0.2;
/// How near to a point on the way counts as having passed it, m: a crowd cannot tread on one spot.
const POINT_PASSED: f32 = 1.0;
/// Room that people who stand keep round themselves, m.
const ELBOW_ROOM: f32 = 0.15;

/// Somebody who may have reached a goal.
pub(crate) struct Comer {
    pub at: Vec2,
    pub radius: f32,
    /// Whether it gets on at less than a quarter of its desired speed.
    pub held_up: bool,
    /// Whether the goal is the last of its journey.
    pub last: bool,
}

/// Whether somebody has reached a goal at which `standing` people already are to stay.
///
/// A point has no room for a crowd: the more stand there, the farther out is there. Where those are packed (six tenths of the
/// ground) for everybody, and as far as a loose crowd reaches (a sixth) for who gets no nearer.
pub(crate) fn reached(map: &Map, goal: &Goal, comer: &Comer, standing: u32) -> bool {
    match goal {
        Goal::Region(region) => map.in_region(*region, comer.at),
        Goal::Point(point) if comer.last => {
            let covers = if comer.held_up { 0.15 } else { 0.6 };
            let crowd = (comer.radius + ELBOW_ROOM) * (standing as f32 / covers).sqrt();
            point.distance(comer.at) <= comer.radius + POINT_REACHED + crowd
        }
        Goal::Point(point) => point.distance(comer.at) <= POINT_PASSED.max(comer.radius + POINT_REACHED),
    }
}
