//! What a walker remembers from one decision to the next: whom it has been seeing, and for how long.

use passerby_crowd::AgentId;
use passerby_geometry::Vec2;

/// How many others a walker keeps in mind.
pub const MEMORY_SLOTS: usize = 16;
/// For how long somebody who is out of sight is remembered, s: whoever walks past a pillar is not new behind it.
const KEPT: f32 = 1.0;
/// Over how long changes of velocity are averaged, s. A walk sways; what lasts is a turn.
const SMOOTHED: f32 = 1.0;

/// Somebody in mind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Who; nobody in slots that are free.
    pub who: Option<AgentId>,
    /// Since which tick they have been seen.
    pub since: u32,
    /// In which tick they were seen last.
    pub last: u32,
    /// Their velocity then, m/s.
    pub velocity: Vec2,
    /// How it has been changing, m/s2.
    pub acceleration: Vec2,
}

/// What one walker remembers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Memory {
    /// Whom it has in mind, in no order that means anything.
    pub seen: [Seen; MEMORY_SLOTS],
    /// How it was turning when it decided last; `None` before the first time, and with models that do not mind.
    pub turning: Option<Turning>,
}

/// How somebody looks round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turning {
    /// rad/s, left positive.
    pub rate: f32,
    /// Where they look, rad: not where they go when a wall holds them.
    pub facing: f32,
}

impl Default for Memory {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// When something is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// The tick.
    pub tick: u32,
    /// How long one is, s.
    pub length: f32,
}

impl Moment {
    /// Seconds since a tick.
    fn since(&self, tick: u32) -> f32 {
        self.tick.saturating_sub(tick) as f32 * self.length
    }
}

impl Seen {
    /// A free slot.
    pub const NOBODY: Seen = Seen { who: None, since: 0, last: 0, velocity: Vec2::ZERO, acceleration: Vec2::ZERO };
}

impl Memory {
    /// Nobody in mind.
    pub const EMPTY: Memory = Memory { seen: [Seen::NOBODY; MEMORY_SLOTS], turning: None };

    /// Notes somebody who is in sight now.
    pub(crate) fn see(&mut self, who: AgentId, velocity: Vec2, now: Moment) {
        let slot = match self.seen.iter().position(|seen| seen.who == Some(who)) {
            Some(slot) => slot,
            // Of those seen before, who was seen longest ago goes; free slots were never seen. Of equals the first.
            None => {
                (1..MEMORY_SLOTS).fold(0, |oldest, slot| if self.age(slot) < self.age(oldest) { slot } else { oldest })
            }
        };
        let seen = &mut self.seen[slot];
        let elapsed = now.since(seen.last);
        if seen.who != Some(who) || elapsed > KEPT {
            *seen = Seen { who: Some(who), since: now.tick, last: now.tick, velocity, acceleration: Vec2::ZERO };
        } else if elapsed > 0.0 {
            let change = (velocity - seen.velocity) / elapsed;
            seen.acceleration += (change - seen.acceleration) * (elapsed / (SMOOTHED + elapsed));
            (seen.last, seen.velocity) = (now.tick, velocity);
        }
    }

    /// Orders slots by who goes first when room is needed.
    fn age(&self, slot: usize) -> (bool, u32) {
        (self.seen[slot].who.is_some(), self.seen[slot].last)
    }

    /// For how long somebody has been seen, s, and how their velocity has been changing, m/s2.
    pub(crate) fn of(&self, who: AgentId, now: Moment) -> (f32, Vec2) {
        let known = self.seen.iter().find(|seen| seen.who == Some(who) && seen.last == now.tick);
        known.map_or((0.0, Vec2::ZERO), |seen| (now.since(seen.since), seen.acceleration))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(tick: u32) -> Moment {
        Moment { tick, length: 0.1 }
    }

    fn who(ordinal: u32) -> AgentId {
        AgentId::new(0, ordinal)
    }

    #[test]
    fn time_goes_on_while_somebody_is_in_sight_and_a_little_beyond() {
        let mut memory = Memory::default();
        for tick in (0..=20).chain(28..=30) {
            memory.see(who(7), Vec2::X, at(tick));
        }
        assert!((memory.of(who(7), at(30)).0 - 3.0).abs() < 1e-5);
        memory.see(who(7), Vec2::X, at(45));
        assert_eq!(memory.of(who(7), at(45)), (0.0, Vec2::ZERO));
        assert_eq!(memory.of(who(8), at(45)), (0.0, Vec2::ZERO));
    }

    /// Who goes on turning is seen to after some seconds: 1 - (1 - 0.1/1.1)^40 = 0.978 of it after four.
    #[test]
    fn changes_that_last_are_noticed() {
        let mut memory = Memory::default();
        for tick in 0..=40 {
            memory.see(who(1), Vec2::new(1.3, 0.03 * tick as f32), at(tick));
        }
        let (_, acceleration) = memory.of(who(1), at(40));
        assert!((acceleration.y - 0.3 * 0.978).abs() < 0.002 && acceleration.x == 0.0, "{acceleration}");
    }

    #[test]
    fn who_was_seen_longest_ago_is_forgotten_first() {
        let mut memory = Memory::default();
        for tick in 0..MEMORY_SLOTS as u32 {
            memory.see(who(tick), Vec2::X, at(tick));
        }
        memory.see(who(0), Vec2::X, at(16));
        memory.see(who(99), Vec2::X, at(17));
        let there = |ordinal| memory.seen.iter().any(|seen| seen.who == Some(who(ordinal)));
        assert!(there(0) && !there(1) && there(2) && there(99));
    }
}
