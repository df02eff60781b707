//! What somebody carries of the situations they are in, and nothing of any other.

use crate::sensor::Reading;
use crate::situation::SituationId;
use passerby_geometry::Vec2;
use passerby_motion::Posture;

/// What a person has been given: there while they are in a situation, wait for one, have an errand or a tag.
#[derive(Debug, Clone, PartialEq)]
pub struct Plugged {
    /// The situations they are in, in the order of entering.
    pub memberships: Vec<Membership>,
    /// Full situations they stand in without being members.
    pub waiting: Vec<SituationId>,
    /// What they have, a bit each. Stays when a situation is left.
    pub tags: u64,
    /// Where the graph of situations sends them.
    pub errand: Option<Errand>,
    /// A gated situation that has let them in and that they have not reached yet.
    pub pass: Option<SituationId>,
    /// Situations they are done with, the latest last.
    pub released: Vec<SituationId>,
    /// What follows from all of it.
    pub intent: Intent,
    /// Whether they leave the scene.
    pub leaves: bool,
    /// Where they were going by themselves before this took them elsewhere, as who moves them numbers it.
    pub kept: Option<(u32, Vec2)>,
    /// How many times their own speed they walk at present.
    pub pace: f32,
}

impl Default for Plugged {
    fn default() -> Self {
        Plugged {
            memberships: Vec::new(),
            waiting: Vec::new(),
            tags: 0,
            errand: None,
            pass: None,
            released: Vec::new(),
            intent: Intent::default(),
            leaves: false,
            kept: None,
            pace: 1.0,
        }
    }
}

/// Somebody in a situation.
#[derive(Debug, Clone, PartialEq)]
pub struct Membership {
    /// Which.
    pub situation: SituationId,
    /// Tick of entering.
    pub entered: u32,
    /// Where they entered.
    pub from: Vec2,
    /// A goal that was drawn for them here.
    pub goal: Option<Vec2>,
    /// The situation into which its rule sends them at present.
    pub sent: Option<SituationId>,
    /// Tick at which what they wait for is over; 0: it has not begun.
    pub until: u32,
    /// How far along a line they have come, m.
    pub progress: f32,
    /// The seat they want, or have.
    pub seat: Option<Claim>,
    /// Whether they are done here.
    pub done: bool,
    /// Whether what follows from that has been done.
    pub concluded: bool,
    /// Whether they were served, where there is a queue and they are done with it.
    pub served: Option<bool>,
    /// Whether its rule was stopped: it is not asked again.
    pub broken: bool,
    /// What they perceived last, sensor by sensor.
    pub memory: Vec<Reading>,
}

/// A seat that somebody wants or has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// Its number.
    pub seat: u32,
    /// Whether it is theirs.
    pub granted: bool,
}

/// Where the graph sends somebody.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Errand {
    /// From where, by which edge.
    pub from: SituationId,
    /// The number of the edge.
    pub edge: u32,
    /// To which situation.
    pub to: SituationId,
    /// The point of it.
    pub at: Vec2,
}

/// What somebody wants in a tick, composed of everything their situations gave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intent {
    /// The point they want to be at, instead of where their journey leads.
    pub goal: Option<Vec2>,
    /// Whether they will stand there.
    pub stands: bool,
    /// How many times their own speed they walk.
    pub speed: f32,
    /// Whether they stand.
    pub hold: bool,
    /// The point they look at.
    pub looks_at: Option<Vec2>,
    /// Whether they turn as little as can be.
    pub straight: bool,
    /// How they hold themselves.
    pub posture: Posture,
}

impl Default for Intent {
    fn default() -> Self {
        Intent {
            goal: None,
            stands: false,
            speed: 1.0,
            hold: false,
            looks_at: None,
            straight: false,
            posture: Posture::Stand,
        }
    }
}

impl Intent {
    /// Whether it leads somebody away from their own way, or keeps them from it.
    pub fn detains(&self) -> bool {
        self.goal.is_some() || self.hold
    }
}

/// Most situations somebody remembers to be done with.
const RELEASED_MAX: usize = 8;

impl Plugged {
    /// Their membership of a situation.
    pub fn in_situation(&self, situation: SituationId) -> Option<&Membership> {
        self.memberships.iter().find(|membership| membership.situation == situation)
    }

    /// Whether they have been in a situation to its end since [`Plugged::forget`].
    pub fn is_done_with(&self, situation: SituationId) -> bool {
        self.released.contains(&situation)
    }

    /// Notes that they are done with a situation.
    pub fn release(&mut self, situation: SituationId) {
        self.forget(situation);
        if self.released.len() == RELEASED_MAX {
            self.released.remove(0);
        }
        self.released.push(situation);
    }

    /// What was in a situation before no longer counts.
    pub fn forget(&mut self, situation: SituationId) {
        self.released.retain(|other| *other != situation);
    }

    /// Whether there is nothing in it any more.
    pub fn is_empty(&self) -> bool {
        let Plugged { memberships, waiting, tags, errand, pass, released, intent, leaves, kept, pace } = self;
        memberships.is_empty()
            && waiting.is_empty()
            && *tags == 0
            && errand.is_none()
            && pass.is_none()
            && released.is_empty()
            && *intent == Intent::default()
            && !leaves
            && kept.is_none()
            && *pace == 1.0
    }

    /// Bytes it takes, beyond the pointer to it.
    pub fn bytes(&self) -> usize {
        size_of::<Plugged>()
            + self.memberships.capacity() * size_of::<Membership>()
            + self.memberships.iter().map(|m| m.memory.capacity() * size_of::<Reading>()).sum::<usize>()
            + (self.waiting.capacity() + self.released.capacity()) * size_of::<SituationId>()
    }
}
