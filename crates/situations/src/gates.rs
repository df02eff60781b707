//! Who may set foot into an exclusive situation: those who wait before it propose, and it lets in as many as there is room for, by the order of
//! coming, then by id.

use crate::plugged::Plugged;
use crate::situation::SituationId;
use crate::state::{Crowd, Moment, Situations};
use passerby_crowd::AgentId;

/// Who has been let in and does not come loses the right after so many seconds.
const COMES_WITHIN: f64 = 15.0;

impl Situations {
    /// Lets in those who may. `wishes` are all who would step into an exclusive situation if they could, in the order of ids.
    pub fn let_in(
        &mut self,
        wishes: &[(AgentId, SituationId)],
        crowd: &Crowd<'_>,
        people: &mut [Option<Box<Plugged>>],
        moment: &Moment<'_>,
    ) {
        for place in 0..self.exclusive.len() {
            let situation = self.exclusive[place];
            let number = situation.index();
            self.take_back(situation, crowd, people, moment);
            let here = || wishes.iter().filter(|(_, wish)| *wish == situation).map(|(id, _)| *id);
            let room = self.empty_places(situation).saturating_sub(self.states[number].let_in.len() as u32);
            let state = &mut self.states[number];
            state.before.retain(|(_, id)| here().any(|other| other == *id));
            for id in here() {
                if !state.before.iter().any(|(_, other)| *other == id) {
                    state.before.push((moment.tick, id));
                }
            }
            let admitted = state.before.len().min(room as usize);
            for (_, id) in state.before.drain(..admitted) {
                if let Some(row) = crowd.row_of(id) {
                    let person = people[row].get_or_insert_default();
                    // Who is let in elsewhere gives that up: their way leads here.
                    person.pass = Some(situation);
                    state.let_in.push((moment.tick, id));
                }
            }
        }
    }

    /// Who has been let in and gone elsewhere, or never came, loses the right.
    fn take_back(
        &mut self,
        situation: SituationId,
        crowd: &Crowd<'_>,
        people: &mut [Option<Box<Plugged>>],
        moment: &Moment<'_>,
    ) {
        let latest = moment.tick.saturating_sub(moment.ticks(COMES_WITHIN));
        self.states[situation.index()].let_in.retain(|(since, id)| {
            let person = crowd.row_of(*id).and_then(|row| people[row].as_deref_mut());
            let Some(person) = person.filter(|person| person.pass == Some(situation)) else { return false };
            if *since < latest {
                person.pass = None;
            }
            *since >= latest
        });
    }
}
