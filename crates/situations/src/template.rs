//! Behaviours that a scenario makes by formulas, without a line of Rust.

use crate::rule::RuleError;
use crate::scheme::{ALPHA, Opinion, sigmoid};
use crate::score::{Action, Kind, State};
use crate::script::Formula;

/// What the formulas for steered people know: people to the square metre within 2 m, metres to the nearest other, seconds since they came, their
/// speed, metres to their goal.
pub const STEERED: &[&str] = &["density", "near", "time", "speed", "to_goal"];
/// What the formula for actions knows: how far it moves, by how many radians it turns, metres from its end to the goal, and whether it is standing,
/// running, or talking.
pub const SCORED: &[&str] = &["displacement", "turn", "to_goal", "standing", "running", "talking"];

/// A behaviour by formulas.
#[derive(Debug, PartialEq)]
pub struct Template {
    /// Unique, and no behaviour's.
    pub name: String,
    /// Its number among the scenario's templates.
    pub number: u32,
    /// How many times their own speed somebody walks.
    pub speed: Option<Formula>,
    /// Whether somebody stands: above 0.5.
    pub hold: Option<Formula>,
    /// How an action is valued: x of the sigmoid, 1 high and -1 low.
    pub score: Option<Formula>,
}

impl Template {
    /// What it says of actions; no opinion without a formula for it.
    pub fn opinion(&self, state: &State, actions: &[Action]) -> Result<Option<Opinion>, RuleError> {
        let Some(score) = &self.score else { return Ok(None) };
        let weight = |action: &Action| {
            let is = |kind: Kind| f64::from(u8::from(action.kind == kind));
            let to_goal = state.goal.map_or(0.0, |goal| goal.distance(action.end));
            let displacement = state.at.distance(action.end);
            let numbers = [displacement, action.turn, to_goal, is(Kind::Stand), is(Kind::Run), is(Kind::Talk)];
            score.value(&numbers).map(|x| sigmoid(ALPHA, x))
        };
        let weights = actions.iter().map(weight).collect::<Result<_, _>>()?;
        Ok(Some(Opinion { weights, firm: false }))
    }
}
