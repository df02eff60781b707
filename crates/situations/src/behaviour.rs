//! What people do in a situation, and what each of it makes of somebody's intent.
//!
//! Every behaviour has two forms. For people moved by a steering model it changes an [`Intent`](crate::Intent): a goal, a pace, a hold, where they look.
//! For people moved by clips it scores every action they could take next ([`crate::score`]).

use crate::situation::{LawId, Shown, SituationId};
use passerby_geometry::DVec2;
use std::sync::Arc;

/// A behaviour with its arguments, in the place's coordinates.
#[derive(Debug, Clone, PartialEq)]
pub enum Behaviour {
    /// Goes to a place.
    Target(Place),
    /// Stands.
    Stop,
    /// Stands for a while, at a point or where they enter; then is done.
    Wait {
        /// How long.
        seconds: LawId,
        /// Where; the time counts from when they are there.
        at: Option<DVec2>,
    },
    /// Stays in the region: stands, or walks about in it.
    Stay {
        /// Until a signal shows something; `None`: until something else ends it.
        until: Option<Shown>,
        /// How long they stand between two walks; `None`: they do not walk about.
        pause: Option<LawId>,
    },
    /// Flows along a line to its end, where they are done, or gather.
    Follow {
        /// The line.
        line: Vec<DVec2>,
        /// Whether they gather at its end.
        gather: bool,
    },
    /// Drawn to a point for a while, then disperses.
    Gather {
        /// The point.
        at: DVec2,
        /// How long, from when they come.
        seconds: LawId,
    },
    /// Talks: turns to the nearest other member.
    Talk,
    /// Walks up to the nearest other member.
    Approach,
    /// Keeps close to the centre of those who are in it.
    Close {
        /// How far from it they may be, m.
        within: f32,
    },
    /// Walks at so many times their own speed.
    Hurry {
        /// How many.
        factor: f32,
    },
    /// Stands in a line, is served, and is done.
    Queue(Line),
    /// Nobody else comes in while it is full.
    Exclusive,
    /// Takes a seat and stays there.
    Sit {
        /// The seats.
        seats: Vec<Seat>,
        /// Which seat they take.
        fill: Fill,
        /// How long, from when they sit; `None`: for good.
        seconds: Option<LawId>,
        /// Until a signal shows something; `None`: until something else ends it.
        until: Option<Shown>,
    },
    /// Looks at a point.
    LookAt {
        /// The point.
        at: DVec2,
    },
    /// Turns as little as can be.
    DontTurn,
    /// One that the scenario made by formulas.
    Template(Arc<crate::template::Template>),
}

/// Where somebody is sent.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// A point.
    Point(DVec2),
    /// A random point of a situation's region.
    In(SituationId),
    /// The nearest point that is neither here nor where they came from: the far side of a crossing, opposite to where they entered.
    Across,
}

/// Which of the free seats somebody takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fill {
    /// The nearest.
    #[default]
    Near,
    /// The farthest: rows fill from the back, and nobody has to pass those who sit.
    Far,
}

/// A seat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seat {
    /// Where somebody sits.
    pub at: DVec2,
    /// Which way they look, rad.
    pub facing: f64,
}

/// A line in which people stand, with the places where they are served.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Where it stands, from its head.
    pub line: Vec<DVec2>,
    /// How far apart people stand, m.
    pub spacing: f64,
    /// Where people are served; none: at the head of the line.
    pub counters: Vec<DVec2>,
    /// How long that takes.
    pub service: LawId,
    /// How long somebody waits before they give up; `None`: for good.
    pub patience: Option<LawId>,
}

impl Line {
    /// The length of the line, m.
    pub fn length(&self) -> f64 {
        self.line.windows(2).map(|ends| ends[0].distance(ends[1])).sum()
    }

    /// How many have room in it, those at the counters included.
    pub fn room(&self) -> u32 {
        (self.length() / self.spacing + 1e-9) as u32 + 1 + self.counters.len() as u32
    }

    /// The place of somebody with so many before them in the line.
    pub fn slot(&self, number: u32) -> DVec2 {
        let mut left = f64::from(number) * self.spacing;
        for ends in self.line.windows(2) {
            let length = ends[0].distance(ends[1]);
            if left <= length {
                return ends[0].lerp(ends[1], if length > 0.0 { left / length } else { 0.0 });
            }
            left -= length;
        }
        *self.line.last().expect("a line has points")
    }
}

/// A name that rules and scenarios use, what it takes, and what it does: the reference is made of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Described {
    /// As scenarios write it.
    pub name: &'static str,
    /// An example.
    pub example: &'static str,
    /// What people do.
    pub does: &'static str,
}

/// Every behaviour there is, in the order of [`Behaviour::word`].
pub const BEHAVIOURS: &[Described] = &[
    Described {
        name: "image",
        example: "-",
        does: "keeps off what is no ground; everybody has it; steered people have walls",
    },
    Described {
        name: "collision",
        example: "-",
        does: "keeps from running into others; everybody has it; steered people have their model",
    },
    Described {
        name: "target",
        example: "{ target = \"lobby\" }, { target = [4, 2] } or { target = \"across\" }",
        does: "goes to a random point of a situation, to a point, or to the far side; everybody has it for the goal they came with",
    },
    Described { name: "dont-turn", example: "\"dont-turn\"", does: "turns as little as can be; everybody has it" },
    Described { name: "stop", example: "\"stop\"", does: "stands" },
    Described {
        name: "wait",
        example: "{ wait = 5 } or { wait = { for = 5, at = [4, 2] } }",
        does: "stands for a while, where they are or at a point; then is done",
    },
    Described {
        name: "stay",
        example: "\"stay\" or { stay = { until = { signal = \"film\", show = \"on\" }, pause = 10 } }",
        does: "stays in the region, walking about between pauses, until a signal shows something",
    },
    Described {
        name: "follow",
        example: "{ follow = [[0, 0], [20, 0]] } or { follow = { line = [[0, 0], [20, 0]], gather = true } }",
        does: "flows along a line; is done at its end, or gathers there",
    },
    Described {
        name: "gather",
        example: "{ gather = { at = [4, 2], for = 20 } }",
        does: "is drawn to a point for a while, then disperses",
    },
    Described { name: "talk", example: "\"talk\"", does: "turns to the nearest other member and talks" },
    Described { name: "approach", example: "\"approach\"", does: "walks up to the nearest other member" },
    Described {
        name: "close",
        example: "\"close\" or { close = 3 }",
        does: "keeps within so many metres of the centre of all members",
    },
    Described {
        name: "hurry",
        example: "\"hurry\" or { hurry = 1.5 }",
        does: "walks at so many times their own speed; twice it, which is running, where nothing is said",
    },
    Described {
        name: "queue",
        example: "{ queue = { line = [[0, 0], [8, 0]], service = 4 } }",
        does: "stands in line, first come first served, is served, then is done",
    },
    Described {
        name: "exclusive",
        example: "\"exclusive\"",
        does: "nobody else sets foot into the region while it is full",
    },
    Described {
        name: "sit",
        example: "{ sit = { seats = [[2, 3, 90]], for = 60 } } or { sit = { seats = [[2, 3, 90]], until = { signal = \"film\", show = \"over\" } } }",
        does: "takes the nearest free seat, each [x, y, degrees], or with fill = \"far\" the farthest, and stays there for a while, or until a signal shows something",
    },
    Described { name: "look-at", example: "{ look-at = [4, 2] }", does: "looks at a point" },
];

impl Behaviour {
    /// What "hurry" means where nothing is said: a run.
    pub const HURRY: f32 = 2.0;

    /// Its number among [`BEHAVIOURS`]; those of templates come after.
    pub fn word(&self) -> u32 {
        match self {
            Behaviour::Target(_) => 2,
            Behaviour::DontTurn => 3,
            Behaviour::Stop => 4,
            Behaviour::Wait { .. } => 5,
            Behaviour::Stay { .. } => 6,
            Behaviour::Follow { .. } => 7,
            Behaviour::Gather { .. } => 8,
            Behaviour::Talk => 9,
            Behaviour::Approach => 10,
            Behaviour::Close { .. } => 11,
            Behaviour::Hurry { .. } => 12,
            Behaviour::Queue(_) => 13,
            Behaviour::Exclusive => 14,
            Behaviour::Sit { .. } => 15,
            Behaviour::LookAt { .. } => 16,
            Behaviour::Template(template) => BEHAVIOURS.len() as u32 + template.number,
        }
    }

    /// Whether it keeps people until something has happened.
    pub fn detains(&self) -> bool {
        matches!(
            self,
            Behaviour::Wait { .. }
                | Behaviour::Stay { .. }
                | Behaviour::Follow { .. }
                | Behaviour::Gather { .. }
                | Behaviour::Queue(_)
                | Behaviour::Sit { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_follow_the_line_round_its_corners() {
        let line = Line {
            line: [[0.0, 0.0], [2.0, 0.0], [2.0, 3.0]].map(DVec2::from).to_vec(),
            spacing: 0.8,
            counters: Vec::new(),
            service: LawId(0),
            patience: None,
        };
        assert_eq!(line.room(), 7); // 0, 0.8, ... 4.8 of 5 m
        for (number, expected) in [(0, [0.0, 0.0]), (2, [1.6, 0.0]), (3, [2.0, 0.4]), (6, [2.0, 2.8]), (9, [2.0, 3.0])]
        {
            assert!(line.slot(number).distance(DVec2::from(expected)) < 1e-9, "{number}: {}", line.slot(number));
        }
    }

    #[test]
    fn words_are_those_of_the_table() {
        let line = Line { line: vec![DVec2::ZERO], spacing: 1.0, counters: vec![], service: LawId(0), patience: None };
        let named = [
            (Behaviour::Target(Place::Across), "target"),
            (Behaviour::Stop, "stop"),
            (Behaviour::Wait { seconds: LawId(0), at: None }, "wait"),
            (Behaviour::Stay { until: None, pause: None }, "stay"),
            (Behaviour::Follow { line: vec![], gather: false }, "follow"),
            (Behaviour::Gather { at: DVec2::ZERO, seconds: LawId(0) }, "gather"),
            (Behaviour::Talk, "talk"),
            (Behaviour::Approach, "approach"),
            (Behaviour::Close { within: 2.0 }, "close"),
            (Behaviour::Hurry { factor: 2.0 }, "hurry"),
            (Behaviour::Queue(line), "queue"),
            (Behaviour::Exclusive, "exclusive"),
            (Behaviour::Sit { seats: vec![], fill: Fill::Near, seconds: None, until: None }, "sit"),
            (Behaviour::LookAt { at: DVec2::ZERO }, "look-at"),
            (Behaviour::DontTurn, "dont-turn"),
        ];
        for (behaviour, name) in named {
            assert_eq!(BEHAVIOURS[behaviour.word() as usize].name, name);
        }
    }
}
