//! Everybody sorted in space: the index that all later stages ask, and now and then the rows themselves.

use crate::people::People;
use crate::step::Scratch;
use crate::world::World;
use passerby_crowd::{Agents, Graph, Index, Neighbours};

/// Rows are sorted every so many ticks: people walk a few metres in that time, and rows stay close to their neighbours'.
const SORT_EVERY: u32 = 32;

/// Sorts the rows of all columns in space, if it is time to.
pub(crate) fn sort_rows(world: &World, people: &mut People, scratch: &mut Scratch, tick: u32) {
    if scratch.sort_rows && tick.is_multiple_of(SORT_EVERY) {
        index(world, &people.agents, &mut scratch.near);
        scratch.order.set(scratch.near.bodies().iter().map(|body| body.row));
        people.permute(&scratch.order);
    }
}

/// Sorts everybody into the index.
pub(crate) fn index(world: &World, agents: &Agents, near: &mut Index) {
    let (low, high) = world.map.bounds();
    near.build(low, high, agents.columns());
}

/// Joins everybody to whom they see around them, if some population looks at neighbours that way.
pub(crate) fn join(world: &World, near: &Index, graph: &mut Graph) {
    if world.kinds.iter().any(|kind| kind.population.neighbours == Neighbours::Delaunay) {
        graph.build(near, world.map.walls());
    }
}
