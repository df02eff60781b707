//! Jumps: steps that nobody can have walked, because a camera lost somebody and found them elsewhere, or took two people for one.
//!
//! A jump ends one part of a walk and begins the next. What accumulators measure between two places (ways, crossings, velocities) they
//! measure within a part, so the step over a jump is used for nothing. Where no parts are told, as in plain `see`, there is one.

use passerby_geometry::DVec2;
use passerby_record::{Frame, Header};

use crate::ById;

/// Tells the parts of everybody's walk.
#[derive(Debug, Clone)]
pub struct Jumps {
    speed: f64,
    tick_seconds: f64,
    people: ById<Last>,
    parts: Vec<u32>,
    count: u64,
}

#[derive(Debug, Clone, Copy)]
struct Last {
    tick: u32,
    at: DVec2,
    part: u32,
}

impl Jumps {
    /// Nobody has jumped yet. Who is faster than `speed` m/s from one recorded place to the next has jumped.
    pub fn new(speed: f64, tick_seconds: f64) -> Jumps {
        Jumps { speed, tick_seconds, people: ById::default(), parts: Vec::new(), count: 0 }
    }

    /// The speed that is a jump if the caller does not say otherwise, m/s: 5 for recorded people, 20 for runs, whose people may be told to
    /// run at 10 m/s and are where the recording says.
    pub fn speed_of(header: &Header) -> f64 {
        if header.scenario.is_empty() { 5.0 } else { 20.0 }
    }

    /// Takes in the next frame. Gives for each of its rows the part of their walk that the person is in: 0, after a jump 1, and so on.
    pub fn see(&mut self, frame: &Frame<'_>) -> &[u32] {
        let Jumps { speed, tick_seconds, people, parts, count } = self;
        let at = |row: usize| DVec2::new(frame.x[row], frame.y[row]);
        parts.clear();
        people.visit(
            frame,
            |row| Last { tick: frame.tick, at: at(row), part: 0 },
            |row, last| {
                let seconds = f64::from(frame.tick - last.tick) * *tick_seconds;
                if is_jump(last.at.distance(at(row)), seconds, *speed) {
                    last.part += 1;
                    *count += 1;
                }
                (last.tick, last.at) = (frame.tick, at(row));
                parts.push(last.part);
            },
        );
        parts
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Whether a way of so many metres in so many seconds is faster than `speed`.
pub(crate) fn is_jump(way: f64, seconds: f64, speed: f64) -> bool {
    seconds > 0.0 && way / seconds > speed
}

/// The part that a row belongs to.
pub(crate) fn part_of(parts: &[u32], row: usize) -> u32 {
    parts.get(row).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tests::frame;

    #[test]
    fn each_jump_begins_a_part() {
        let mut jumps = Jumps::new(5.0, 0.1);
        let mut see = |tick: u32, people: &[(u32, f64, f64)]| {
            let mut parts = Vec::new();
            frame(tick, people, |frame| parts.extend_from_slice(jumps.see(frame)));
            parts
        };
        assert_eq!(see(0, &[(1, 0.0, 0.0), (4, 0.0, 5.0)]), [0, 0]);
        assert_eq!(see(1, &[(1, 0.5, 0.0), (4, 0.0, 5.6)]), [0, 1]); // just 5 m/s; 6 m/s
        assert_eq!(see(2, &[(1, 9.0, 0.0), (2, 7.0, 7.0), (4, 0.0, 5.7)]), [1, 0, 1]);
        assert_eq!(see(6, &[(1, 10.9, 0.0), (2, 9.1, 7.0)]), [1, 1]); // 1.9 m and 2.1 m in 0.4 s
        assert_eq!(jumps.count(), 3);
    }
}
