//! The reactions of `lamarche`: a preset by its name, or a table for each kind of collision.

use super::sheet::Keys;
use super::value::{Range, Value};
use passerby_steering::Model;
use passerby_steering::reactions::{Answer, Kind, Rating, Reaction, Reactions};

/// The keys of `lamarche` that are no numbers.
#[cfg(test)]
pub(super) const KEYS: [&str; 5] = ["preset", "rear", "front", "back", "static"];

pub(super) const REACTIONS: Keys = Keys {
    name: "reactions",
    title: "reactions { right, left, decelerate, accelerate }",
    known: &["right", "left", "decelerate", "accelerate"],
    later: &[],
};

pub(super) const EXPONENT: Range = Range::new(0.0, 100.0, "");

/// Takes a key that says how collisions are met; whether it was one.
pub(super) fn reaction(model: &mut Model, key: &str, value: &Value<'_>) -> bool {
    let Model::Lamarche(lamarche) = model else { return false };
    if key == "preset" {
        if let Some(index) = value.one_of("preset", Reactions::PRESETS.iter().map(|(name, _)| *name)) {
            lamarche.reactions = Reactions::PRESETS[index].1;
        }
        return true;
    }
    let Some((_, kind)) = Kind::ALL.iter().find(|(name, _)| *name == key) else { return false };
    if let Some(answer) = answer(value) {
        lamarche.reactions.to[*kind as usize] = answer;
    }
    true
}

/// `"accept"`, or the reactions that come into question, each with its exponents of turn and speed.
fn answer(value: &Value<'_>) -> Option<Answer> {
    let mut answer = Answer { accept: false, rated: [None; 4] };
    if !value.is_table() {
        value.one_of("answer to a collision", ["accept"].into_iter())?;
        return Some(Answer { accept: true, ..answer });
    }
    let table = value.table(&REACTIONS)?;
    for reaction in Reaction::ALL {
        let Some(exponents) = table.get(reaction.name()) else { continue };
        let numbers = exponents.list("two exponents")?;
        let [turn, speed] = &numbers[..] else {
            let problem = exponents.problem(format!("expected two exponents, found {}", numbers.len()));
            value.sheet.report(problem.hint("[1, 1]: of the turn and of the change of speed"));
            return None;
        };
        let (turn, speed) = (turn.number(&EXPONENT)?, speed.number(&EXPONENT)?);
        answer.rated[reaction as usize] = Some(Rating { turn: turn as f32, speed: speed as f32 });
    }
    if value.entries("reactions")?.is_empty() {
        let problem = value.problem("no reaction comes into question").allowed("\"accept\" or at least one of them");
        value.sheet.report(problem.hint("for example { right = [1, 1], left = [2, 1] }"));
        return None;
    }
    Some(answer)
}
