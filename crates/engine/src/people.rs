//! Everybody in a run: the crowd's columns and the journey's, kept together.

use crate::journey::{Journeys, NewJourney};
use passerby_crowd::{AgentId, Agents, NewAgent, Reorder, Row};

/// All columns of all people. Row `i` of every column is the same person.
#[derive(Debug, Clone, Default)]
pub struct People {
    /// Who they are and how they move.
    pub agents: Agents,
    /// Where they are going.
    pub journeys: Journeys,
    /// Rows in the order of ids; empty when it has to be sorted anew.
    by_id: Vec<Row>,
}

impl People {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// Adds somebody as the last row.
    pub fn push(&mut self, agent: NewAgent, journey: NewJourney) {
        let Self { agents, journeys, by_id } = self;
        (agents.push(agent), journeys.push(journey), by_id.clear());
    }

    /// Removes a row; the last one takes its place.
    pub fn swap_remove(&mut self, row: Row) {
        let Self { agents, journeys, by_id } = self;
        (agents.swap_remove(row), journeys.swap_remove(row), by_id.clear());
    }

    /// Reorders everybody.
    pub fn permute(&mut self, order: &Reorder) {
        let Self { agents, journeys, by_id } = self;
        (agents.permute(order), journeys.permute(order));
        by_id.iter_mut().for_each(|row| *row = order.moved(*row));
    }

    /// The row of somebody, if still there.
    pub fn row_of(&self, id: AgentId) -> Option<Row> {
        self.agents.id.iter().position(|other| *other == id).map(|row| Row(row as u32))
    }

    /// Sorts rows by id, where that has to be done anew.
    pub fn sort_by_id(&mut self) {
        if self.by_id.len() != self.agents.len() {
            let ids = &self.agents.id;
            self.by_id.clear();
            self.by_id.extend((0..ids.len() as u32).map(Row));
            self.by_id.sort_unstable_by_key(|row| ids[row.index()]);
        }
    }

    /// Rows in the order of ids, after [`People::sort_by_id`].
    pub fn by_id(&self) -> &[Row] {
        &self.by_id
    }
}
