//! The entropy metric of Guy et al. 2012, "A statistical similarity measure for aggregate crowd dynamics": how well a predictor (a
//! model, a simulator) foresees what real people do next. Their true states are not known, only noisy places; so the states
//! are estimated with the predictor's own help, and the entropy of its errors is the score: lower is better.
//!
//! An ensemble Kalman smoother estimates the states when the covariance of errors is known; its errors give a better covariance;
//! both take turns (expectation and maximisation). What we choose ourselves: a state is place and velocity; an error is one of place,
//! and changes the velocity by as much as it takes to get there (with errors of both, recorded places alone could not tell one
//! from the other); all people share one covariance; a person's places correct that person's states only.

use passerby_record::{Frame, Header};

use crate::ensemble::Turn;
use crate::{Covariance, Predictor};

/// A turn that changes the entropy by less than this is the last.
const SAME: f64 = 0.002;

/// How the entropy is estimated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EntropyOptions {
    /// States that are tried for each person, 10 to 1000, default 100.
    pub members: u32,
    /// Standard deviation of each coordinate of a recorded place, m, > 0, default 0.05: that of heads that sway.
    pub noise: f64,
    /// Frames by which later places correct earlier states, 1 to 20, default 4.
    pub lag: u32,
    /// Turns of estimating states and covariance, 1 to 1000, default 30. It ends sooner when the entropy stays the same to 0.002.
    pub turns: u32,
    /// Seed of all chance.
    pub seed: u64,
}

impl Default for EntropyOptions {
    fn default() -> Self {
        Self { members: 100, noise: 0.05, lag: 4, turns: 30, seed: 1 }
    }
}

/// Why no entropy can be told.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum EntropyError {
    /// An option is outside of its range.
    #[error("entropy: {name} is {value}; allowed: {allowed}")]
    Option {
        /// Which.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Its range.
        allowed: &'static str,
    },
    /// Nobody is there for long enough.
    #[error("entropy: nobody is there for three frames in a row, {every} ticks apart; there is nothing to foresee")]
    NothingForeseen {
        /// Ticks from frame to frame, by the header.
        every: u32,
    },
}

/// How well people were foreseen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entropy {
    /// Entropy of the errors for one person and frame, nats; see [`Covariance::entropy`].
    pub entropy: f64,
    /// Covariance of the errors.
    pub covariance: Covariance,
    /// Predictions it comes from: people times frames.
    pub predictions: u64,
    /// Turns that were taken.
    pub turns: u32,
}

/// The entropy of a predictor's errors. `show` shows all frames in order, once for every turn. Memory is 32 bytes for each
/// person present, member and frame of the lag: 80 MB for 5000 people at once with the defaults.
pub fn entropy(
    header: &Header,
    options: &EntropyOptions,
    predictor: &mut Predictor<'_>,
    mut show: impl FnMut(&mut dyn FnMut(&Frame<'_>)),
) -> Result<Entropy, EntropyError> {
    options.check()?;
    let mut covariance = Covariance::even(0.2);
    let mut turns = 0;
    loop {
        let mut turn = Turn::new(header, options, &covariance, predictor);
        show(&mut |frame| turn.see(frame));
        let (found, predictions) = turn.finish().ok_or(EntropyError::NothingForeseen { every: header.every })?;
        turns += 1;
        let same = (found.entropy() - covariance.entropy()).abs() < SAME;
        covariance = found;
        if same || turns == options.turns {
            return Ok(Entropy { entropy: covariance.entropy(), covariance, predictions, turns });
        }
    }
}

impl EntropyOptions {
    fn check(&self) -> Result<(), EntropyError> {
        let Self { members, noise, lag, turns, .. } = *self;
        let rows = [
            ("members", f64::from(members), (10.0..=1000.0).contains(&f64::from(members)), "10 to 1000"),
            ("noise", noise, noise.is_finite() && noise > 0.0, "above 0 m"),
            ("lag", f64::from(lag), (1..=20).contains(&lag), "1 to 20 frames"),
            ("turns", f64::from(turns), (1..=1000).contains(&turns), "1 to 1000"),
        ];
        let wrong = rows.into_iter().find(|(_, _, allowed, _)| !allowed);
        wrong.map_or(Ok(()), |(name, value, _, allowed)| Err(EntropyError::Option { name, value, allowed }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PersonState;
    use crate::samples::tests::{frame, header};
    use passerby_geometry::math::double::sin_cos;
    use passerby_geometry::{Chance, DVec2, Purpose};

    const STEP: f64 = 0.4;
    type Places = Vec<(u32, f64, f64)>;

    /// People who follow a rule but for chance with this covariance, as they are seen with noise.
    fn made(
        people: u32,
        frames: u32,
        covariance: &Covariance,
        noise: f64,
        rule: impl Fn(PersonState) -> PersonState,
    ) -> Vec<Places> {
        let mut stream = Chance::new(99).stream(0, 0, Purpose::Habit);
        let root = covariance.root();
        let begin = |k: u32| PersonState { at: DVec2::new(0.0, f64::from(k)), velocity: DVec2::new(1.3, 0.0) };
        let mut states: Vec<PersonState> = (0..people).map(begin).collect();
        let mut all = Vec::new();
        for _ in 0..frames {
            for state in &mut states {
                let chance = DVec2::new(stream.normal(), stream.normal());
                *state = rule(*state).missed_by(DVec2::new(root[0].dot(chance), root[1].dot(chance)), STEP);
            }
            let mut seen = |at: f64| at + noise * stream.normal();
            all.push(states.iter().enumerate().map(|(k, s)| (k as u32, seen(s.at.x), seen(s.at.y))).collect());
        }
        all
    }

    fn walk_on(state: PersonState) -> PersonState {
        PersonState { at: state.at + STEP * state.velocity, ..state }
    }

    fn score(frames: &[Places], noise: f64, rule: impl Fn(PersonState) -> PersonState) -> Entropy {
        let options = EntropyOptions { noise, members: 50, ..EntropyOptions::default() };
        let mut predictor = |_: &[u32], now: &[PersonState], next: &mut [PersonState]| {
            now.iter().zip(next).for_each(|(now, next)| *next = rule(*now));
        };
        let show = |see: &mut dyn FnMut(&Frame<'_>)| {
            (0..).zip(frames).for_each(|(tick, people)| frame(tick, people, |frame| see(frame)));
        };
        entropy(&header(STEP, 1), &options, &mut predictor, show).unwrap()
    }

    /// The entropy of what was put in comes out.
    #[test]
    fn known_errors_have_their_entropy() {
        let slanted = Covariance { xx: 0.04, xy: 0.03, yy: 0.09 };
        for (covariance, noise) in [
            (Covariance::even(0.1), 0.01),
            (Covariance::even(0.1), 0.05),
            (Covariance::even(0.03), 0.01),
            (slanted, 0.02),
        ] {
            let found = score(&made(40, 60, &covariance, noise, walk_on), noise, walk_on);
            let expected = covariance.entropy();
            println!("{found:?}, expected {expected}");
            // A covariance of 2320 draws is known to 3 %: 0.03 nats, twice.
            assert!((found.entropy - expected).abs() < 0.06, "{} nats, expected {expected}", found.entropy);
            assert_eq!(found.predictions, 40 * 58);
        }
    }

    #[test]
    fn who_foresees_better_scores_lower() {
        let turn = |state: PersonState, angle: f64| {
            let (sin, cos) = sin_cos(angle);
            PersonState { at: state.at + STEP * state.velocity, velocity: DVec2::new(cos, sin).rotate(state.velocity) }
        };
        let frames = made(20, 40, &Covariance::even(0.03), 0.01, |state| turn(state, 0.2));
        let angles = [0.2, 0.1, 0.0, -0.2];
        let scores = angles.map(|angle| score(&frames, 0.01, |state| turn(state, angle)).entropy);
        println!("{scores:?}");
        assert!(scores.windows(2).all(|pair| pair[0] + 0.1 < pair[1]), "{scores:?}");
    }

    #[test]
    fn what_cannot_be_scored_is_refused() {
        let score = |options: EntropyOptions| {
            entropy(&header(STEP, 1), &options, &mut |_, _, _| {}, |see| {
                (0..2).for_each(|tick| frame(tick, &[(1, 0.0, 0.0)], |frame| see(frame)));
            })
        };
        let plain = EntropyOptions::default();
        assert_eq!(score(plain), Err(EntropyError::NothingForeseen { every: 1 }));
        for options in [
            EntropyOptions { members: 9, ..plain },
            EntropyOptions { noise: 0.0, ..plain },
            EntropyOptions { noise: f64::NAN, ..plain },
            EntropyOptions { lag: 0, ..plain },
            EntropyOptions { turns: 0, ..plain },
        ] {
            assert!(matches!(score(options), Err(EntropyError::Option { .. })), "{options:?}");
        }
    }

    #[test]
    fn missing_frames_and_people_begin_anew() {
        // Nobody is there for three frames in a row, although all are there for many.
        let result = entropy(&header(STEP, 1), &EntropyOptions::default(), &mut |_, _, _| {}, |see| {
            for tick in (0..30).filter(|tick| tick % 3 != 2) {
                frame(tick, &[(1, f64::from(tick), 0.0)], |frame| see(frame));
            }
        });
        assert_eq!(result, Err(EntropyError::NothingForeseen { every: 1 }));
    }
}
