//! Event rules: what a member does with what it perceives. Written in the scenario ([`crate::script`]) or in Rust.

use crate::sensor::Reading;
use passerby_geometry::chance::Stream;
use std::fmt::Debug;
use std::sync::Arc;

/// A rule of a situation, asked for each member in every tick.
///
/// ```
/// use passerby_situations::{Me, Reading, Rule, RuleError};
///
/// /// Stands while it is crowded.
/// #[derive(Debug)]
/// struct Shy;
///
/// impl Rule for Shy {
///     fn decide(&self, sensed: &[Reading], me: &mut Me) -> Result<(), RuleError> {
///         if matches!(sensed, [Reading::Number(density)] if *density > 1.0) {
///             me.hold();
///         }
///         Ok(())
///     }
/// }
/// ```
pub trait Rule: Debug + Send + Sync {
    /// Reads what the sensors of the situation tell, in their order, and says to `me` what follows.
    fn decide(&self, sensed: &[Reading], me: &mut Me) -> Result<(), RuleError>;
}

/// Why a rule was stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct RuleError {
    /// What it did.
    pub what: String,
    /// In which line of the rule, counted from 1; 0 where none is known.
    pub line: u32,
}

/// Names that rules use, by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// Behaviours: those of [`crate::behaviour::BEHAVIOURS`], then templates.
    pub behaviours: Vec<String>,
    /// Situations.
    pub situations: Vec<String>,
    /// What people can have.
    pub tags: Vec<String>,
    /// For each signal, the different things it can show.
    pub shown: Vec<Vec<String>>,
}

impl Words {
    /// The bit of a tag.
    pub fn tag(&self, name: &str) -> Result<u64, String> {
        find(&self.tags, "tag", name).map(|number| 1 << number)
    }

    pub(crate) fn situation(&self, name: &str) -> Result<u32, String> {
        find(&self.situations, "situation", name).map(|number| number as u32)
    }

    pub(crate) fn behaviour(&self, name: &str) -> Result<u64, String> {
        find(&self.behaviours, "behaviour", name).map(|number| 1 << number)
    }
}

/// The number of a name, or what to say about it.
pub(crate) fn find(names: &[String], kind: &str, name: &str) -> Result<usize, String> {
    names.iter().position(|other| other == name).ok_or_else(|| {
        let near = names.iter().min_by_key(|other| strsim::damerau_levenshtein(other, name));
        let hint = near.map_or_else(String::new, |near| format!(", did you mean \"{near}\"?"));
        format!("there is no {kind} \"{name}\"{hint}")
    })
}

/// Where a rule sends somebody.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sent {
    /// To a point, in the place's coordinates.
    To([f64; 2]),
    /// To a random point of a situation, drawn when the rule begins to say so.
    Into(u32),
}

/// Somebody whom a rule speaks to, and what it has said.
#[derive(Debug, Clone)]
pub struct Me {
    pub(crate) words: Arc<Words>,
    pub(crate) chance: Stream,
    /// What they have, a bit each.
    pub(crate) has: u64,
    /// The behaviours of the situation that are composed; `None`: all.
    pub(crate) only: Option<u64>,
    /// Behaviours that are not composed, whoever gave them.
    pub(crate) suppressed: u64,
    pub(crate) sent: Option<Sent>,
    pub(crate) speed: f64,
    pub(crate) holds: bool,
    pub(crate) looks_at: Option<[f64; 2]>,
    pub(crate) done: bool,
}

impl Me {
    /// Somebody who has heard nothing yet.
    pub fn new(words: Arc<Words>, chance: Stream, has: u64) -> Me {
        Me {
            words,
            chance,
            has,
            only: None,
            suppressed: 0,
            sent: None,
            speed: 1.0,
            holds: false,
            looks_at: None,
            done: false,
        }
    }

    /// Of the situation's behaviours only this one is composed, and others named in the same way.
    pub fn only(&mut self, behaviour: &str) -> Result<(), String> {
        *self.only.get_or_insert(0) |= self.words.behaviour(behaviour)?;
        Ok(())
    }

    /// This behaviour is not composed, whoever gave it.
    pub fn suppress(&mut self, behaviour: &str) -> Result<(), String> {
        self.suppressed |= self.words.behaviour(behaviour)?;
        Ok(())
    }

    /// Goes to a point of the place.
    pub fn go_to(&mut self, x: f64, y: f64) {
        self.sent = Some(Sent::To([x, y]));
    }

    /// Goes to a random point of a situation; drawn once, as long as the rule says so without a break.
    pub fn go_into(&mut self, situation: &str) -> Result<(), String> {
        self.sent = Some(Sent::Into(self.words.situation(situation)?));
        Ok(())
    }

    /// Walks at so many times their own speed.
    pub fn pace(&mut self, factor: f64) {
        self.speed = factor;
    }

    /// Stands.
    pub fn hold(&mut self) {
        self.holds = true;
    }

    /// Looks at a point of the place.
    pub fn look_at(&mut self, x: f64, y: f64) {
        self.looks_at = Some([x, y]);
    }

    /// Is done here: released, as after being served.
    pub fn finish(&mut self) {
        self.done = true;
    }

    /// Whether they have a tag.
    pub fn has(&self, tag: &str) -> Result<bool, String> {
        Ok(self.has & self.words.tag(tag)? != 0)
    }

    /// Gets a tag.
    pub fn take(&mut self, tag: &str) -> Result<(), String> {
        self.has |= self.words.tag(tag)?;
        Ok(())
    }

    /// Loses a tag.
    pub fn lose(&mut self, tag: &str) -> Result<(), String> {
        self.has &= !self.words.tag(tag)?;
        Ok(())
    }

    /// A number in [0, 1) that nobody else draws.
    pub fn chance(&mut self) -> f64 {
        self.chance.uniform()
    }
}

/// What rules can say, with what it does: the reference is made of this.
pub const FUNCTIONS: &[(&str, &str)] = &[
    (
        "me.only(\"stop\")",
        "of the behaviours of this situation only this one is composed, and others named in the same way; if nothing is named, all are",
    ),
    (
        "me.suppress(\"dont-turn\")",
        "this behaviour is not composed, whoever gave it, until the rule no longer says so or the situation is left",
    ),
    ("me.go_to(4.0, 2.5)", "walks to a point"),
    ("me.go_into(\"lobby\")", "walks to a random point of a situation, drawn when the rule begins to say so"),
    ("me.pace(1.5)", "walks at so many times their own speed, 0.05 to 4"),
    ("me.hold()", "stands"),
    ("me.look_at(4.0, 2.5)", "looks at a point"),
    ("me.finish()", "is done here, as after being served: goes on with the journey, or along the graph"),
    ("me.has(\"ticket\")", "whether they have a tag"),
    ("me.take(\"ticket\"), me.lose(\"ticket\")", "gets or loses a tag; tags stay when the situation is left"),
    ("me.chance()", "a random number from 0 to 1, the same for the same seed, person and tick"),
    ("abs, min, max, sqrt, floor, exp, ln, sin, cos, atan2", "of numbers, with the same bits on every machine"),
];
