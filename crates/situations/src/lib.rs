//! Situations: what people do somewhere, or with somebody, is plugged into them when they come and gone when they go.
//!
//! A *situation* is a painted region or a relation between people. Who enters gets its behaviours, sensors and rule; who leaves carries nothing of it.
//! Several compose by union, and a rule can suppress a behaviour. So a person is as simple as the few situations they are in, however
//! many the world has. After Sung, Gleicher, Chenney, "Scalable behaviors for crowd simulation", 2004, and the dissertation it became.
//!
//! One tick is, in this order: who leaves and who enters ([`Situations::settle`]), then for each person sensors, rules and composition
//! ([`Situations::decide`]), then what follows for the situations ([`Situations::conclude`]): claims are proposed by all from the same state and settled in
//! the order of ids. Out comes an [`Intent`] for each person: a goal, a pace, whether to stand, where to look.
//!
//! For people moved by clips the same behaviours score every action that could come next: [`scheme`] and [`score`].

mod behaviour;
mod decide;
mod gates;
mod names;
mod places;
mod plugged;
mod queue;
mod reference;
mod rule;
pub mod scheme;
pub mod score;
mod script;
mod sensor;
mod settle;
mod shape;
mod situation;
mod state;
pub mod template;
#[cfg(test)]
mod tests;

pub use behaviour::{BEHAVIOURS, Behaviour, Described, Fill, Line, Place, Seat};
pub use passerby_motion::Posture;
pub use plugged::{Claim, Errand, Intent, Membership, Plugged};
pub use queue::{Customer, Gone, Queue};
pub use reference::reference;
pub use rule::{FUNCTIONS, Me, Rule, RuleError, Sent, Words};
pub use script::{Formula, Mistake, OPERATIONS_MAX, Script, Scripts, TEXT_MAX as RULE_MAX};
pub use sensor::{Reading, Sensor};
pub use shape::{Shape, stroke};
pub use situation::{
    Concerns, Extent, LawId, MEMBERSHIPS_MAX, Moving, NAMES_MAX, Relation, Shown, Situation, SituationId,
};
pub use state::{Counts, Crowd, Draw, Incident, Moment, Situations, State};
pub use template::Template;
