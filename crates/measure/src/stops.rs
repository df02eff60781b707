//! Stop and go: how much people stand while they want to walk, and how often they stop.
//!
//! Somebody stands who falls below 0.1 m/s, until they are above 0.3 m/s again: between the two nothing changes, so that a slow
//! shuffle is not counted as many stops. What comes before the first time above 0.3 m/s is waiting, not stopping.

use crate::ById;
use crate::moment::Moment;
use passerby_geometry::DVec2;

/// Below this somebody stands, m/s.
pub const STANDS: f64 = 0.1;
/// Above this somebody goes, m/s.
pub const GOES: f64 = 0.3;

/// Standing and stopping of everybody.
#[derive(Debug, Clone, Default)]
pub struct Stops {
    people: ById<State>,
    going: u64,
    standing: u64,
    stops: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Waits,
    Goes,
    Stands,
}

impl Stops {
    /// Takes in the next moment.
    pub fn see(&mut self, moment: &Moment<'_>) {
        let Stops { people, going, standing, stops } = self;
        people.visit_rows(
            moment.tick,
            moment.id,
            |_| State::Waits,
            |row, state| {
                let Some(speed) = moment.velocity[row].map(DVec2::length) else { return };
                *state = match *state {
                    State::Goes if speed < STANDS => {
                        *stops += 1;
                        State::Stands
                    }
                    State::Stands | State::Waits if speed > GOES => State::Goes,
                    same => same,
                };
                match state {
                    State::Goes => *going += 1,
                    State::Stands => *standing += 1,
                    State::Waits => {}
                }
            },
        );
    }

    /// Share of the time after somebody's first step in which they stood; `None` if nobody has walked.
    pub fn standing_share(&self) -> Option<f64> {
        let all = self.going + self.standing;
        (all > 0).then(|| self.standing as f64 / all as f64)
    }

    /// Times that somebody stopped.
    pub fn stops(&self) -> u64 {
        self.stops
    }

    /// Rows of those who were on their way, going or standing.
    pub fn rows(&self) -> u64 {
        self.going + self.standing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_is_one_stop() {
        let mut stops = Stops::default();
        for (tick, speed) in [0.0, 0.2, 1.0, 1.0, 0.05, 0.2, 0.05, 0.25, 0.4, 0.2].into_iter().enumerate() {
            let velocity = [Some(DVec2::new(0.0, speed)), None];
            stops.see(&Moment {
                tick: tick as u32,
                id: &[1, 2],
                at: &[DVec2::ZERO; 2],
                velocity: &velocity,
                acceleration: &[None; 2],
            });
        }
        // Waits twice, goes twice, stands four times, goes twice.
        assert_eq!((stops.stops(), stops.rows(), stops.standing_share()), (1, 8, Some(0.5)));
        assert_eq!(Stops::default().standing_share(), None);
    }
}
