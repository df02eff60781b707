//! Who leaves and who enters. Everybody looks from the same state; what they find is settled in the order of ids.

use crate::plugged::{Membership, Plugged};
use crate::situation::{MEMBERSHIPS_MAX, SituationId};
use crate::state::{Crowd, Draw, Middle, Moment, Situations};
use passerby_crowd::AgentId;
use passerby_geometry::Vec2;
use rayon::prelude::*;

/// Somebody who is no longer where a situation holds, or newly is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    /// Exits come first.
    enters: bool,
    id: AgentId,
    situation: SituationId,
    row: u32,
}

const CHUNK: usize = 1024;

impl Situations {
    /// Exits, then entries: those who waited first, by the order of coming; then those who come, by id. `people` are rows of the crowd.
    pub fn settle(&mut self, crowd: &Crowd<'_>, people: &mut [Option<Box<Plugged>>], moment: &Moment<'_>) {
        let mut changes = self.changes(crowd, people, moment);
        changes.sort_unstable();
        let entries = changes.partition_point(|change| !change.enters);
        let mut freed: Vec<SituationId> = Vec::new();
        for change in &changes[..entries] {
            let person = people[change.row as usize].get_or_insert_default();
            self.leave(change.id, person, change.situation);
            freed.push(change.situation);
        }
        freed.extend(&self.crowded);
        freed.sort_unstable();
        freed.dedup();
        for situation in freed {
            self.admit_waiting(crowd, people, moment, situation);
        }
        for change in &changes[entries..] {
            let person = people[change.row as usize].get_or_insert_default();
            let has_room = self.empty_places(change.situation) > 0;
            let state = &mut self.states[change.situation.index()];
            if has_room && state.waiting.is_empty() && person.memberships.len() < MEMBERSHIPS_MAX {
                self.enter(change.id, person, change.situation, crowd.position[change.row as usize], moment);
            } else if person.waiting.len() < MEMBERSHIPS_MAX {
                state.waiting.push((moment.tick, change.id));
                state.counts.turned_away += 1;
                if let Err(place) = self.crowded.binary_search(&change.situation) {
                    self.crowded.insert(place, change.situation);
                }
                person.waiting.push(change.situation);
            }
        }
        let states = &self.states;
        self.crowded.retain(|id| !states[id.index()].waiting.is_empty());
        self.find_middles(crowd);
    }

    /// What has changed for everybody since the last tick.
    fn changes(&self, crowd: &Crowd<'_>, people: &[Option<Box<Plugged>>], moment: &Moment<'_>) -> Vec<Change> {
        let chunks = people.par_chunks(CHUNK).enumerate().map_init(Vec::new, |around, (chunk, people)| {
            let mut changes = Vec::new();
            for (row, person) in (chunk * CHUNK..).zip(people) {
                let id = crowd.id[row];
                let tags = person.as_deref().map_or(0, |person| person.tags);
                self.around(id, tags, crowd.position[row], moment.chance, around);
                let change = |enters, situation| Change { enters, id, situation, row: row as u32 };
                match person {
                    None => changes.extend(around.iter().map(|situation| change(true, *situation))),
                    Some(person) => {
                        let known = || {
                            let members = person.memberships.iter().map(|membership| membership.situation);
                            members.chain(person.waiting.iter().copied())
                        };
                        changes.extend(known().filter(|id| !around.contains(id)).map(|id| change(false, id)));
                        let is_new = |id: &&SituationId| !known().any(|known| known == **id);
                        changes.extend(around.iter().filter(is_new).map(|id| change(true, *id)));
                    }
                }
            }
            changes
        });
        chunks.flatten_iter().collect()
    }

    /// Those who wait become members as long as there is room.
    fn admit_waiting(
        &mut self,
        crowd: &Crowd<'_>,
        people: &mut [Option<Box<Plugged>>],
        moment: &Moment<'_>,
        situation: SituationId,
    ) {
        let mut next = 0;
        while self.empty_places(situation) > 0 && self.states[situation.index()].waiting.len() > next {
            let (_, id) = self.states[situation.index()].waiting[next];
            let Some(row) = crowd.row_of(id) else {
                self.states[situation.index()].waiting.remove(next);
                continue;
            };
            let person = people[row].get_or_insert_default();
            if person.memberships.len() >= MEMBERSHIPS_MAX {
                next += 1; // others may enter before them: they cannot be in more at a time
                continue;
            }
            self.states[situation.index()].waiting.remove(next);
            person.waiting.retain(|other| *other != situation);
            self.enter(id, person, situation, crowd.position[row], moment);
        }
    }

    fn enter(&mut self, id: AgentId, person: &mut Plugged, situation: SituationId, at: Vec2, moment: &Moment<'_>) {
        person.memberships.push(Membership {
            situation,
            entered: moment.tick,
            from: at,
            goal: None,
            sent: None,
            until: 0,
            progress: 0.0,
            seat: None,
            done: false,
            concluded: false,
            served: None,
            broken: false,
            memory: Vec::new(),
        });
        if person.pass == Some(situation) {
            person.pass = None;
        }
        if let Some(errand) = person.errand.filter(|errand| errand.to == situation) {
            self.count_edge(&errand, true);
            person.errand = None;
        }
        let patience = self.line(situation).map(|line| line.patience);
        let state = &mut self.states[situation.index()];
        if let Err(place) = state.members.binary_search(&id) {
            state.members.insert(place, id);
        }
        state.let_in.retain(|(_, other)| *other != id);
        state.before.retain(|(_, other)| *other != id);
        state.counts.entered += 1;
        state.counts.peak = state.counts.peak.max(state.members.len() as u32);
        if let (Some(queue), Some(patience)) = (&mut state.queue, patience) {
            let gives_up = patience.map_or(u32::MAX, |law| {
                let seconds = (moment.law)(law, &mut moment.stream(id, situation, Draw::Patience));
                moment.tick + moment.ticks(seconds)
            });
            queue.join(id, gives_up);
        }
    }

    /// All that a situation gave somebody is gone, and what they had of it is free.
    pub(crate) fn leave(&mut self, id: AgentId, person: &mut Plugged, situation: SituationId) {
        let state = &mut self.states[situation.index()];
        person.waiting.retain(|other| *other != situation);
        state.waiting.retain(|(_, other)| *other != id);
        let Some(place) = person.memberships.iter().position(|membership| membership.situation == situation) else {
            return;
        };
        person.memberships.remove(place);
        if let Ok(member) = state.members.binary_search(&id) {
            state.members.remove(member);
        }
        state.queue.iter_mut().for_each(|queue| queue.leave(id));
        for seat in state.seats.iter_mut().filter(|seat| **seat == Some(id)) {
            *seat = None;
        }
        state.counts.left += 1;
    }

    /// Somebody leaves the scene: an exit from everything.
    pub fn forget(&mut self, id: AgentId, person: &mut Plugged) {
        let members: Vec<SituationId> = person.memberships.iter().map(|membership| membership.situation).collect();
        let known: Vec<SituationId> = members.into_iter().chain(person.waiting.iter().copied()).collect();
        for situation in known {
            self.leave(id, person, situation);
        }
        if let Some(pass) = person.pass.take() {
            self.states[pass.index()].let_in.retain(|(_, other)| *other != id);
        }
        for state in self.states.iter_mut().filter(|state| !state.before.is_empty()) {
            state.before.retain(|(_, other)| *other != id);
        }
    }

    /// Adds up where groups are that keep close, in the order of ids.
    fn find_middles(&mut self, crowd: &Crowd<'_>) {
        self.middles.clear();
        for place in 0..self.close.len() {
            let id = self.close[place];
            let (number, is_led) = (id.index(), self.is_led(id));
            for member in 0..self.states[number].members.len() {
                let who = self.states[number].members[member];
                let Some(row) = crowd.row_of(who) else { continue };
                let (group, at) = (self.group_of(id, who), crowd.position[row]);
                // Members come in the order of ids, so those of a group come together.
                match self.middles.last_mut() {
                    // Where somebody leads, the middle is where they are: the first of the group.
                    Some(last) if (last.situation, last.group) == (id, group) && is_led => {}
                    Some(last) if (last.situation, last.group) == (id, group) => {
                        last.sum += at;
                        last.count += 1;
                    }
                    _ => self.middles.push(Middle { situation: id, group, sum: at, count: 1 }),
                }
            }
        }
    }

    /// The middle of the group that somebody is in.
    pub(crate) fn middle_of(&self, situation: SituationId, id: AgentId) -> Option<Vec2> {
        let group = self.group_of(situation, id);
        let found = self.middles.binary_search_by_key(&(situation, group), |middle| (middle.situation, middle.group));
        found.ok().map(|at| self.middles[at].sum / self.middles[at].count as f32)
    }
}
