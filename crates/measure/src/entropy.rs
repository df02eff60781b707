//! The entropy metric of Guy et al. 2012, "A statistical similarity measure for aggregate crowd dynamics": how well a predictor (a
//! model, a simulator) foresees what real people do next. Their true states are not known, only noisy places; so the states
//! are estimated with the predictor's own help, and the entropy of its errors is the score: lower is better.
//!
//! An ensemble Kalman smoother estimates the states when the covariance of errors is known; its errors give a better covariance;
//! both take turns (expectation and maximisation). What we choose ourselves: a state is place and velocity; an error is one of place,
//! and changes the velocity by as much as it takes to get there (with errors of both, recorded places alone could not tell one
//! from the other); all people share one covariance; a person's places correct that person's states only.

use std::collections::VecDeque;

use passerby_geometry::{Chance, DVec2, Purpose};
use passerby_record::{Frame, Header};

use crate::Covariance;

/// Numbers of a state: x, y, vx, vy.
const NUMBERS: usize = 4;
/// A turn that changes the entropy by less than this is the last.
const SAME: f64 = 0.002;

/// Somebody's state.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct State {
    /// Where, m.
    pub at: DVec2,
    /// How they move, m/s.
    pub velocity: DVec2,
}

impl State {
    fn numbers(&self) -> [f64; NUMBERS] {
        [self.at.x, self.at.y, self.velocity.x, self.velocity.y]
    }

    /// The state of somebody who is elsewhere than foreseen after a step of this many seconds.
    fn missed_by(self, error: DVec2, step: f64) -> State {
        State { at: self.at + error, velocity: self.velocity + error / step }
    }

    fn add(&mut self, change: [f64; NUMBERS]) {
        self.at += DVec2::new(change[0], change[1]);
        self.velocity += DVec2::new(change[2], change[3]);
    }
}

/// Foresees the next frame: ids and states of all people in order of id, and where their next states go, which hold the present
/// ones.
pub type Predictor<'a> = dyn FnMut(&[u32], &[State], &mut [State]) + 'a;

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

/// All states of one frame.
#[derive(Default)]
struct Ensemble {
    ids: Vec<u32>,
    /// Who was not foreseen: their first state.
    fresh: Vec<bool>,
    /// Everybody's states in the first member, then in the second ...
    states: Vec<State>,
}

impl Ensemble {
    fn row(&self, id: u32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Somebody's state in each member.
    fn of(&self, row: usize) -> impl Iterator<Item = &State> {
        self.states[row..].iter().step_by(self.ids.len())
    }
}

/// One turn: states of all frames under a covariance, and the covariance of the errors that remain.
struct Turn<'a, 'p> {
    options: &'a EntropyOptions,
    predictor: &'a mut Predictor<'p>,
    every: u32,
    step: f64,
    chance: Chance,
    root: [DVec2; 2],
    window: VecDeque<Ensemble>,
    tick: Option<u32>,
    /// Who came in the last frame, and where: with a second place there is a velocity.
    newcomers: Vec<(u32, DVec2)>,
    /// Sums of products of errors.
    sums: Covariance,
    count: u64,
}

impl<'a, 'p> Turn<'a, 'p> {
    fn new(
        header: &Header,
        options: &'a EntropyOptions,
        covariance: &Covariance,
        predictor: &'a mut Predictor<'p>,
    ) -> Self {
        let every = header.every.max(1);
        Turn {
            options,
            predictor,
            every,
            step: header.tick * f64::from(every),
            chance: Chance::new(options.seed),
            root: covariance.root(),
            window: VecDeque::new(),
            tick: None,
            newcomers: Vec::new(),
            sums: Covariance::even(0.0),
            count: 0,
        }
    }

    fn see(&mut self, frame: &Frame<'_>) {
        if self.tick.is_none_or(|tick| tick + self.every != frame.tick) {
            self.settle_all(); // frames are missing: everybody begins anew
            self.newcomers.clear();
        }
        self.tick = Some(frame.tick);
        let mut next = self.foresee(frame);
        self.correct(frame, &mut next);
        self.newcomers.clear();
        let place = |row: usize| DVec2::new(frame.x[row], frame.y[row]);
        let new = |row: &usize| next.row(frame.id[*row]).is_none();
        self.newcomers.extend((0..frame.id.len()).filter(new).map(|row| (frame.id[row], place(row))));
        self.window.push_back(next);
        while self.window.len() > self.options.lag as usize + 1 {
            self.settle();
        }
    }

    /// The covariance of errors and how many there are; `None` if there is none.
    fn finish(mut self) -> Option<(Covariance, u64)> {
        self.settle_all();
        let n = self.count as f64 * f64::from(self.options.members);
        let Covariance { xx, xy, yy } = self.sums;
        (self.count > 0).then_some((Covariance { xx: xx / n, xy: xy / n, yy: yy / n }, self.count))
    }

    /// States in this frame by those of the frame before, and by their first two places of those who have no states yet.
    fn foresee(&mut self, frame: &Frame<'_>) -> Ensemble {
        let empty = Ensemble::default();
        let before = self.window.back().unwrap_or(&empty);
        let newcomer = |id: u32| self.newcomers.iter().find(|newcomer| newcomer.0 == id);
        let rows = (0..frame.id.len())
            .filter(|row| before.row(frame.id[*row]).is_some() || newcomer(frame.id[*row]).is_some());
        let rows: Vec<usize> = rows.collect();
        let ids: Vec<u32> = rows.iter().map(|row| frame.id[*row]).collect();
        let fresh: Vec<bool> = ids.iter().map(|id| before.row(*id).is_none()).collect();
        let chance: Vec<_> = ids.iter().map(|id| self.chance(*id, frame.tick)).collect();
        let (mut states, mut foreseen) = (Vec::new(), Vec::new());
        for member in 0..self.options.members as usize {
            let now = &before.states[member * before.ids.len()..][..before.ids.len()];
            foreseen.clear();
            foreseen.extend_from_slice(now);
            (self.predictor)(&before.ids, now, &mut foreseen);
            states.extend((0..ids.len()).map(|k| {
                let place = DVec2::new(frame.x[rows[k]], frame.y[rows[k]]);
                match (before.row(ids[k]), newcomer(ids[k])) {
                    (Some(row), _) => foreseen[row].missed_by(self.error(&chance[k][member]), self.step),
                    (None, Some((_, first))) => self.first_state(*first, place, &chance[k][member]),
                    (None, None) => unreachable!("rows are those of the frame before or of newcomers"),
                }
            }));
        }
        Ensemble { ids, fresh, states }
    }

    /// Normal numbers for each member; their mean is zero in each ensemble, as it is in the long run.
    fn chance(&self, id: u32, tick: u32) -> Vec<[f64; NUMBERS]> {
        let mut stream = self.chance.stream(id, tick, Purpose::Jitter);
        let draw = |_| std::array::from_fn(|_| stream.normal());
        let mut all: Vec<[f64; NUMBERS]> = (0..self.options.members).map(draw).collect();
        for number in 0..NUMBERS {
            let mean = all.iter().map(|member| member[number]).sum::<f64>() / all.len() as f64;
            all.iter_mut().for_each(|member| member[number] -= mean);
        }
        all
    }

    /// An error of the predictor, m.
    fn error(&self, chance: &[f64; NUMBERS]) -> DVec2 {
        DVec2::from_array(self.root.map(|row| row.dot(DVec2::new(chance[0], chance[1]))))
    }

    /// A state from somebody's first two places. Both miss by the noise, and so does the velocity that they give.
    fn first_state(&self, first: DVec2, second: DVec2, chance: &[f64; NUMBERS]) -> State {
        let first = first + self.options.noise * DVec2::new(chance[0], chance[1]);
        let at = second + self.options.noise * DVec2::new(chance[2], chance[3]);
        State { at, velocity: (at - first) / self.step }
    }

    /// Moves the states towards the places of this frame, and those of earlier frames with them.
    fn correct(&mut self, frame: &Frame<'_>, next: &mut Ensemble) {
        for row in 0..next.ids.len() {
            let id = next.ids[row];
            let Some(seen) = frame.id.binary_search(&id).ok().filter(|_| !next.fresh[row]) else { continue };
            for (axis, place) in [(0, frame.x[seen]), (1, frame.y[seen])] {
                let miss = Miss::new(next.of(row).map(|state| state.numbers()[axis]), place, self.options.noise);
                miss.shift(next, row);
                for earlier in self.window.iter_mut().rev() {
                    let Some(row) = earlier.row(id) else { break };
                    miss.shift(earlier, row);
                    if earlier.fresh[row] {
                        break; // before that they were somewhere else
                    }
                }
            }
        }
    }

    /// Takes the errors between the two oldest frames in, and drops the oldest.
    fn settle(&mut self) {
        let Some(now) = self.window.pop_front() else { return };
        let Some(next) = self.window.front() else { return };
        let people: Vec<(usize, usize)> = (0..next.ids.len())
            .filter(|row| !next.fresh[*row])
            .filter_map(|row| Some((now.row(next.ids[row])?, row)))
            .collect();
        let mut foreseen = Vec::new();
        for member in 0..self.options.members as usize {
            let states = &now.states[member * now.ids.len()..][..now.ids.len()];
            foreseen.clear();
            foreseen.extend_from_slice(states);
            (self.predictor)(&now.ids, states, &mut foreseen);
            for (before, row) in &people {
                let error = next.states[member * next.ids.len() + row].at - foreseen[*before].at;
                let Covariance { xx, xy, yy } = &mut self.sums;
                (*xx += error.x * error.x, *xy += error.x * error.y, *yy += error.y * error.y);
            }
        }
        self.count += people.len() as u64;
    }

    fn settle_all(&mut self) {
        while !self.window.is_empty() {
            self.settle();
        }
    }
}

/// What one coordinate of somebody's states misses a recorded one by.
///
/// Coordinates are taken one after the other, and the spread of states is narrowed as it should be instead of adding noise to what was
/// recorded (Whitaker and Hamill 2002): chance of that kind would be taken for errors of the predictor.
struct Miss {
    /// How far each member is from the mean of all.
    aside: Vec<f64>,
    /// How far the recorded coordinate is from it.
    missed: f64,
    /// Variance of the members and of the noise together.
    variance: f64,
    /// Which part of a full correction narrows the spread rightly.
    part: f64,
}

impl Miss {
    fn new(members: impl Iterator<Item = f64>, recorded: f64, noise: f64) -> Miss {
        let mut aside: Vec<f64> = members.collect();
        let n = aside.len() as f64;
        let mean = aside.iter().sum::<f64>() / n;
        aside.iter_mut().for_each(|member| *member -= mean);
        let variance = aside.iter().map(|aside| aside * aside).sum::<f64>() / (n - 1.0) + noise * noise;
        Miss { aside, missed: recorded - mean, variance, part: 1.0 / (1.0 + noise / variance.sqrt()) }
    }

    /// Moves somebody's states by it, as far as both go together in the ensemble.
    fn shift(&self, ensemble: &mut Ensemble, row: usize) {
        let mut with = [0.0; NUMBERS];
        for (state, aside) in ensemble.of(row).zip(&self.aside) {
            with.iter_mut().zip(state.numbers()).for_each(|(with, number)| *with += aside * number);
        }
        let gain = with.map(|with| with / ((self.aside.len() as f64 - 1.0) * self.variance));
        let people = ensemble.ids.len();
        for (state, aside) in ensemble.states[row..].iter_mut().step_by(people).zip(&self.aside) {
            state.add(gain.map(|gain| gain * (self.missed - self.part * aside)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tests::{frame, header};
    use passerby_geometry::math::double::sin_cos;

    const STEP: f64 = 0.4;
    type Places = Vec<(u32, f64, f64)>;

    /// People who follow a rule but for chance with this covariance, as they are seen with noise.
    fn made(
        people: u32,
        frames: u32,
        covariance: &Covariance,
        noise: f64,
        rule: impl Fn(State) -> State,
    ) -> Vec<Places> {
        let mut stream = Chance::new(99).stream(0, 0, Purpose::Habit);
        let root = covariance.root();
        let begin = |k: u32| State { at: DVec2::new(0.0, f64::from(k)), velocity: DVec2::new(1.3, 0.0) };
        let mut states: Vec<State> = (0..people).map(begin).collect();
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

    fn walk_on(state: State) -> State {
        State { at: state.at + STEP * state.velocity, ..state }
    }

    fn score(frames: &[Places], noise: f64, rule: impl Fn(State) -> State) -> Entropy {
        let options = EntropyOptions { noise, members: 50, ..EntropyOptions::default() };
        let mut predictor = |_: &[u32], now: &[State], next: &mut [State]| {
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
        let turn = |state: State, angle: f64| {
            let (sin, cos) = sin_cos(angle);
            State { at: state.at + STEP * state.velocity, velocity: DVec2::new(cos, sin).rotate(state.velocity) }
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
