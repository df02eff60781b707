//! `model`: how people choose a velocity, and what of it differs between them.

use super::Distribution;
use super::distribution::distribution;
use super::problem::{listed, nearest};
use super::reactions::reaction;
use super::value::{Range, Value};
use passerby_steering::{Model, ParameterError};

/// A parameter of a model that is drawn for each person.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterLaw {
    /// Its name.
    pub parameter: &'static str,
    /// Which of the model's parameters it is, in their order: part of the key of its chance.
    pub number: u32,
    /// What it is drawn from; all draws are within the range of the parameter.
    pub law: Distribution,
}

/// A model by name, or by name with parameters: `{ orca = { time_horizon = 3 } }`, `{ tangent = { strategy = { uniform = [0, 1] } } }`.
pub(super) fn model(value: &Value<'_>) -> Option<(Model, Vec<ParameterLaw>)> {
    if !value.is_table() {
        let index = value.one_of("model", Model::names().iter().copied())?;
        return Some((Model::named(Model::names()[index])?, Vec::new()));
    }
    let entries = value.entries("a model")?;
    let [(name, parameters)] = &entries[..] else {
        let problem = value.problem(format!("expected one model, found {}", entries.len()));
        value.sheet.report(problem.hint("for example { orca = { time_horizon = 3 } }"));
        return None;
    };
    let Some(mut model) = Model::named(name) else {
        let problem = parameters.key_problem("unknown model").allowed(listed(Model::names().iter().copied()));
        value.sheet.report(match nearest(name, Model::names().iter().copied()) {
            Some(near) => problem.hint(format!("did you mean \"{near}\"?")),
            None => problem,
        });
        return None;
    };
    let mut laws = Vec::new();
    for (key, value) in parameters.entries("a table of parameters")? {
        if !reaction(&mut model, key, &value) {
            laws.extend(set(&mut model, key, &value));
        }
    }
    Some((model, laws))
}

/// Sets a parameter of a model, or returns the law it is drawn from, or reports why neither.
fn set(model: &mut Model, key: &str, value: &Value<'_>) -> Option<ParameterLaw> {
    if let Err(ParameterError::Unknown { known }) = model.set(key, f32::NAN) {
        let problem = value.key_problem(format!("\"{}\" has no such parameter", model.name()));
        let problem = problem.allowed(if known.is_empty() { "none".to_owned() } else { known.join(", ") });
        value.sheet.report(match nearest(key, known.iter().copied()) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None => problem,
        });
        return None;
    }
    if value.is_table() {
        return law(model, key, value);
    }
    let number = value.any_number()?;
    if let Err(ParameterError::OutOfRange { allowed }) = model.set(key, number as f32) {
        let what = if number.is_nan() { "not a number" } else { "out of range" };
        value.sheet.report(value.problem(what).allowed(allowed));
    }
    None
}

/// The law that a parameter is drawn from.
fn law(model: &Model, key: &str, value: &Value<'_>) -> Option<ParameterLaw> {
    if !model.differs_between_people() {
        let problem = value.problem(format!("parameters of \"{}\" are the same for everybody", model.name()));
        value.sheet.report(problem.allowed("a number; laws with \"tangent\" and \"vision\" alone"));
        return None;
    }
    let ranges = model.ranges();
    let number = ranges.iter().position(|(name, _)| *name == key)?;
    let (parameter, ends) = ranges[number];
    // As they are written: 0.01, not the number next to it that a single float holds.
    let [low, high] = ends.map(|end| (f64::from(end) * 1e6).round() / 1e6);
    let law = distribution(value, &Range::new(low, high, ""))?;
    Some(ParameterLaw { parameter, number: number as u32, law })
}
