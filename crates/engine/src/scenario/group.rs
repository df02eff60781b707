//! `group = { size = [2, 3], weights = [0.7, 0.3] }`: how many of a population belong together, and `side`, which they keep to.

use super::population::SPEED;
use super::sheet::{Keys, Table};
use super::value::{Range, Value};
use super::{Grouping, Side};
use crate::groups::SIZE_MAX;

pub(super) const GROUP: Keys = Keys {
    name: "group",
    title: "a group { size, weights, leader, speeds }",
    known: &["size", "weights", "leader", "speeds"],
    later: &[],
};

pub(super) const SIZE_MOST: u64 = SIZE_MAX as u64;
pub(super) const WEIGHT: Range = Range::new(0.0, 1e6, "");

/// Whether and how people of a population belong together.
pub(super) fn group(table: &Table<'_>) -> Option<Grouping> {
    let table = table.get("group")?.table(&GROUP)?;
    let size = table.require("size", "size = 2, or size = [2, 3] with weights = [0.7, 0.3]")?;
    let given = if size.is_list() { size.list("a list of sizes")? } else { Vec::new() };
    if size.is_empty_list() {
        size.sheet.report(size.problem("there is no size to choose from").hint("write size = 2, or size = [2, 3]"));
        return None;
    }
    let sizes: Vec<Option<u32>> = match size.is_list() {
        true => given.iter().map(|size| size.whole(1, SIZE_MOST).map(|size| size as u32)).collect(),
        false => vec![size.whole(1, SIZE_MOST).map(|size| size as u32)],
    };
    let weights = weights(&table, sizes.len());
    let speeds = speeds(&table, sizes.iter().flatten().copied().max().unwrap_or(0));
    let leader = table.flag_or("leader", false);
    let sizes: Vec<u32> = sizes.into_iter().collect::<Option<_>>()?;
    Some(Grouping { sizes, weights: weights?, leader, speeds: speeds? })
}

/// How often each size is; all alike where nothing is said.
fn weights(table: &Table<'_>, sizes: usize) -> Option<Vec<f64>> {
    let Some(value) = table.get("weights") else { return Some(vec![1.0; sizes]) };
    let weights = numbers(&value, "a list of weights", &WEIGHT)?;
    let fault = match &weights[..] {
        weights if weights.len() != sizes => Some(format!("{} weights for {sizes} sizes", weights.len())),
        weights if weights.iter().all(|weight| *weight == 0.0) => Some("all weights are 0".to_owned()),
        _ => None,
    };
    if let Some(what) = fault {
        value.sheet.report(value.problem(what).hint("one weight for each size, at least one above 0"));
        return None;
    }
    Some(weights)
}

/// The speed of each member, where it is not drawn.
fn speeds(table: &Table<'_>, size: u32) -> Option<Vec<f64>> {
    let Some(value) = table.get("speeds") else { return Some(Vec::new()) };
    let speeds = numbers(&value, "a list of speeds", &SPEED)?;
    if speeds.len() != size as usize {
        let problem = value.problem(format!("{} speeds for groups of up to {size}", speeds.len()));
        value.sheet.report(problem.hint("one speed for each member of the largest group, or leave it out"));
        return None;
    }
    Some(speeds)
}

fn numbers(value: &Value<'_>, expected: &str, range: &Range) -> Option<Vec<f64>> {
    // All of them, so that all that are wrong are reported.
    let read: Vec<Option<f64>> = value.list(expected)?.iter().map(|number| number.number(range)).collect();
    read.into_iter().collect()
}

/// To which side people turn when somebody comes towards them.
pub(super) fn side(table: &Table<'_>) -> Side {
    let named = table.get("side").and_then(|value| value.one_of("side", ["none", "left", "right"].into_iter()));
    match named {
        Some(1) => Side::Left,
        Some(2) => Side::Right,
        _ => Side::None,
    }
}
