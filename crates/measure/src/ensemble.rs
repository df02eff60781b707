//! States of people whom only noisy places are known of: an ensemble Kalman smoother. Many states are tried for each person; a predictor
//! moves all of them from frame to frame, recorded places draw them near, and earlier states with them.

use std::collections::VecDeque;

use passerby_geometry::{Chance, DVec2, Purpose};
use passerby_record::{Frame, Header};

use crate::{Covariance, EntropyOptions};

/// Numbers of a state: x, y, vx, vy.
const NUMBERS: usize = 4;

/// Somebody's state.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PersonState {
    /// Where, m.
    pub at: DVec2,
    /// How they move, m/s.
    pub velocity: DVec2,
}

impl PersonState {
    fn numbers(&self) -> [f64; NUMBERS] {
        [self.at.x, self.at.y, self.velocity.x, self.velocity.y]
    }

    /// The state of somebody who is elsewhere than foreseen after a step of this many seconds.
    pub(crate) fn missed_by(self, error: DVec2, step: f64) -> PersonState {
        PersonState { at: self.at + error, velocity: self.velocity + error / step }
    }

    fn add(&mut self, change: [f64; NUMBERS]) {
        self.at += DVec2::new(change[0], change[1]);
        self.velocity += DVec2::new(change[2], change[3]);
    }
}

/// Foresees the next frame: ids and states of all people in order of id, and where their next states go, which hold the present
/// ones.
pub type Predictor<'a> = dyn FnMut(&[u32], &[PersonState], &mut [PersonState]) + 'a;

/// All states of one frame.
#[derive(Default)]
struct Ensemble {
    ids: Vec<u32>,
    /// Who was not foreseen: their first state.
    fresh: Vec<bool>,
    /// Everybody's states in the first member, then in the second ...
    states: Vec<PersonState>,
}

impl Ensemble {
    fn row(&self, id: u32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Everybody's state in a member.
    fn member(&self, member: usize) -> &[PersonState] {
        &self.states[member * self.ids.len()..][..self.ids.len()]
    }

    /// Somebody's state in each member.
    fn of(&self, row: usize) -> impl Iterator<Item = &PersonState> {
        self.states[row..].iter().step_by(self.ids.len())
    }
}

/// What is known of somebody before their place in a frame is looked at.
enum Known {
    /// States in the frame before: their row there.
    Before(usize),
    /// Only their first two places, this frame's among them.
    Places([DVec2; 2]),
}

/// One turn: states of all frames under a covariance, and the covariance of the errors that remain.
pub(crate) struct Turn<'a, 'p> {
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
    /// Nothing was seen yet.
    pub(crate) fn new(
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

    /// Takes in the next frame.
    pub(crate) fn see(&mut self, frame: &Frame<'_>) {
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
    pub(crate) fn finish(mut self) -> Option<(Covariance, u64)> {
        self.settle_all();
        let n = self.count as f64 * f64::from(self.options.members);
        let Covariance { xx, xy, yy } = self.sums;
        (self.count > 0).then_some((Covariance { xx: xx / n, xy: xy / n, yy: yy / n }, self.count))
    }

    /// States in this frame by those of the frame before, and by their first two places of those who have no states yet.
    fn foresee(&mut self, frame: &Frame<'_>) -> Ensemble {
        let empty = Ensemble::default();
        let before = self.window.back().unwrap_or(&empty);
        let known = |row: usize| {
            let (id, second) = (frame.id[row], DVec2::new(frame.x[row], frame.y[row]));
            let first = || self.newcomers.binary_search_by_key(&id, |newcomer| newcomer.0).ok();
            let met = || first().map(|newcomer| Known::Places([self.newcomers[newcomer].1, second]));
            Some((id, before.row(id).map(Known::Before).or_else(met)?))
        };
        let (ids, known): (Vec<u32>, Vec<Known>) = (0..frame.id.len()).filter_map(known).unzip();
        let fresh = known.iter().map(|known| matches!(known, Known::Places(_))).collect();
        let chance: Vec<_> = ids.iter().map(|id| self.chance(*id, frame.tick)).collect();
        let (mut states, mut foreseen) = (Vec::new(), Vec::new());
        for member in 0..self.options.members as usize {
            let now = before.member(member);
            foreseen.clear();
            foreseen.extend_from_slice(now);
            (self.predictor)(&before.ids, now, &mut foreseen);
            states.extend(known.iter().zip(&chance).map(|(known, chance)| match known {
                Known::Before(row) => foreseen[*row].missed_by(self.error(&chance[member]), self.step),
                Known::Places(places) => self.first_state(*places, &chance[member]),
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
    fn first_state(&self, [first, second]: [DVec2; 2], chance: &[f64; NUMBERS]) -> PersonState {
        let first = first + self.options.noise * DVec2::new(chance[0], chance[1]);
        let at = second + self.options.noise * DVec2::new(chance[2], chance[3]);
        PersonState { at, velocity: (at - first) / self.step }
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
            let states = now.member(member);
            foreseen.clear();
            foreseen.extend_from_slice(states);
            (self.predictor)(&now.ids, states, &mut foreseen);
            for (before, row) in &people {
                let error = next.member(member)[*row].at - foreseen[*before].at;
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
