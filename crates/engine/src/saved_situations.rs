//! What situations hold and what people carry of them, as bytes and as a hash.

use crate::saved::{Bytes, Saved};
use crate::tally::mix;
use passerby_geometry::{DVec2, Polygon, Vec2};
use passerby_situations::{
    Claim, Counts, Customer, Errand, Incident, Intent, Membership, Plugged, Posture, Queue, Reading, SituationId,
    Situations, State,
};

/// Saves the named fields in this order, and reads them back.
macro_rules! saved_fields {
    ($($kind:ty { $($field:ident),* $(,)? } from $least:expr;)*) => {$(
        impl Saved for $kind {
            const SIZE_MIN: usize = $least;
            fn save(&self, to: &mut Vec<u8>) {
                let Self { $($field),* } = self;
                $($field.save(to);)*
            }
            fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
                $(let $field = Saved::load(from)?;)*
                Ok(Self { $($field),* })
            }
        }
    )*};
}

saved_fields! {
    Plugged { memberships, waiting, tags, errand, pass, released, intent, leaves, kept, pace } from 40;
    Membership { situation, entered, from, goal, sent, until, progress, seat, done, concluded, served, broken, memory } from 40;
    Claim { seat, granted } from 5;
    Errand { from, edge, to, at } from 20;
    Intent { goal, stands, speed, hold, looks_at, straight, posture } from 10;
    Customer { id, until } from 8;
    Queue { waiting, counters } from 16;
    Counts { entered, left, turned_away, done, served, gave_up, peak, edges } from 60;
    State { active, moved, shift, repainted, capacity, members, waiting, before, let_in, queue, seats, counts } from 80;
    Incident { tick, id, situation, template, line, what } from 20;
}

impl Saved for SituationId {
    const SIZE_MIN: usize = 4;
    fn save(&self, to: &mut Vec<u8>) {
        self.0.save(to);
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        u32::load(from).map(SituationId)
    }
}

impl<A: Saved, B: Saved> Saved for (A, B) {
    const SIZE_MIN: usize = A::SIZE_MIN + B::SIZE_MIN;
    fn save(&self, to: &mut Vec<u8>) {
        (self.0.save(to), self.1.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        Ok((A::load(from)?, B::load(from)?))
    }
}

impl Saved for [u64; 2] {
    const SIZE_MIN: usize = 16;
    fn save(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|word| word.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        Ok([u64::load(from)?, u64::load(from)?])
    }
}

impl Saved for String {
    const SIZE_MIN: usize = 8;
    fn save(&self, to: &mut Vec<u8>) {
        self.as_bytes().to_vec().save(to);
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        String::from_utf8(Saved::load(from)?).map_err(|_| "a text in it is none".to_owned())
    }
}

impl Saved for Polygon {
    const SIZE_MIN: usize = 8;
    fn save(&self, to: &mut Vec<u8>) {
        let corners: Vec<(f64, f64)> = self.points().iter().map(|at| (at.x, at.y)).collect();
        corners.save(to);
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        let corners: Vec<(f64, f64)> = Saved::load(from)?;
        let corners = corners.into_iter().map(|(x, y)| DVec2::new(x, y)).collect();
        Polygon::new(corners).map_err(|error| format!("a region in it is none: {error}"))
    }
}

impl Saved for Posture {
    const SIZE_MIN: usize = 1;
    fn save(&self, to: &mut Vec<u8>) {
        self.number().save(to);
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        let number = u8::load(from)?;
        Posture::from_number(number).ok_or_else(|| format!("{number} is no posture"))
    }
}

impl Saved for Reading {
    const SIZE_MIN: usize = 2;
    fn save(&self, to: &mut Vec<u8>) {
        match *self {
            Reading::Number(number) => (0u8.save(to), number.save(to)),
            Reading::Flag(flag) => (1u8.save(to), flag.save(to)),
            Reading::Shows { signal, phase } => (2u8.save(to), (signal, phase).save(to)),
        };
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        match u8::load(from)? {
            0 => f64::load(from).map(Reading::Number),
            1 => bool::load(from).map(Reading::Flag),
            2 => <(u32, u32)>::load(from).map(|(signal, phase)| Reading::Shows { signal, phase }),
            other => Err(format!("{other} is no reading")),
        }
    }
}

/// Appends what a run changes of its situations.
pub(crate) fn save(situations: &Situations, to: &mut Vec<u8>) {
    let (states, incidents, count) = situations.states();
    (states.to_vec().save(to), incidents.to_vec().save(to), count.save(to));
}

/// Takes up what [`save`] put away, in situations of the same scenario.
pub(crate) fn load(situations: &mut Situations, from: &mut Bytes<'_>) -> Result<(), String> {
    let states: Vec<State> = Saved::load(from)?;
    let incidents: Vec<Incident> = Saved::load(from)?;
    let count = u64::load(from)?;
    let (fresh, ..) = situations.states();
    let alike = |(a, b): (&State, &State)| {
        let queues = a.queue.as_ref().map(|q| q.counters.len()) == b.queue.as_ref().map(|q| q.counters.len());
        let sane = |v: Vec2| v.is_finite() && v.abs().max_element() < 1e7;
        let sorted = a.members.windows(2).all(|pair| pair[0] < pair[1]);
        let edges = a.counts.edges.len() == b.counts.edges.len();
        queues && a.seats.len() == b.seats.len() && sane(a.moved) && sane(a.shift) && sorted && edges
    };
    if states.len() != fresh.len() || !states.iter().zip(fresh).all(alike) {
        return Err("its situations are not those of the scenario".to_owned());
    }
    situations.take_up(states, incidents, count);
    Ok(())
}

/// Whether somebody can carry this in a world with these situations and so many goals.
pub(crate) fn check(person: &Plugged, situations: Option<&Situations>, goals: usize) -> bool {
    let Some(situations) = situations else { return false };
    let known = |id: SituationId| id.index() < situations.len();
    let sane = |v: Vec2| v.is_finite() && v.abs().max_element() < 1e7;
    let membership = |m: &Membership| {
        let situation = known(m.situation).then(|| situations.situation(m.situation));
        let seats = if known(m.situation) { situations.state(m.situation).seats.len() } else { 0 };
        let reads = |reading: &Reading| match *reading {
            Reading::Shows { signal, phase } => {
                let shown = situations.words().shown.get(signal as usize);
                shown.is_some_and(|shown| (phase as usize) < shown.len())
            }
            _ => true,
        };
        situation.is_some_and(|situation| m.memory.len() == situation.sensors.len() || m.memory.is_empty())
            && m.memory.iter().all(reads)
            && m.goal.is_none_or(sane)
            && sane(m.from)
            && m.progress.is_finite()
            && m.seat.is_none_or(|claim| (claim.seat as usize) < seats)
    };
    let intent = &person.intent;
    person.memberships.iter().all(membership)
        && person.waiting.iter().chain(&person.released).copied().chain(person.pass).all(known)
        && person.errand.is_none_or(|errand| known(errand.from) && known(errand.to) && sane(errand.at))
        && intent.goal.is_none_or(sane)
        && intent.looks_at.is_none_or(sane)
        && (0.01..100.0).contains(&intent.speed)
        && (0.01..100.0).contains(&person.pace)
        && person.kept.is_none_or(|(aim, own)| (aim as usize) < 2 + goals && sane(own))
}

/// A hash of all that somebody carries.
pub(crate) fn hash(person: &Plugged) -> u64 {
    let mut bytes = Vec::with_capacity(256);
    person.save(&mut bytes);
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(8).map(word).fold(bytes.len() as u64, mix)
}
