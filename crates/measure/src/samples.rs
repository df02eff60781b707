//! Everybody's places on one clock, for measures that need whole walks: smoothing, encounters, sway, who belongs together.
//!
//! Whole walks do not fit into memory whatever the length of a recording, so there is a stated end to it: at most two
//! million places, 32 MB, are held, or twice that while lists grow. When there are more, every second sample is left out,
//! down to 2.5 a second (that of the hand-annotated recordings in use); after that nothing more is taken in.

use passerby_geometry::DVec2;
use passerby_record::{Frame, Header};

use crate::jumps::part_of;
use crate::predicted::difference;
use crate::{Butterworth, ById, SmoothError, Smoothing};

/// Places that are held.
const PLACES_MAX: usize = 1 << 21;
/// Samples a second that are kept at least.
const RATE_MIN: f64 = 2.5;
/// Longest gap in a walk that is filled, s. After a longer one a new walk begins.
const GAP_MAX: f64 = 4.0;

/// Somebody's places at equal steps of time.
#[derive(Debug, Clone, PartialEq)]
pub struct SampledWalk {
    /// Who.
    pub id: u32,
    /// When it begins, in samples of the clock.
    pub first: u32,
    /// Where they are at each sample, m.
    pub places: Vec<DVec2>,
}

impl SampledWalk {
    /// The sample behind the last.
    pub fn end(&self) -> u32 {
        self.first + self.places.len() as u32
    }

    /// Where they are at a sample of the clock that is in the walk, m.
    pub fn place(&self, sample: u32) -> DVec2 {
        self.places[(sample - self.first) as usize]
    }

    /// How they move at a sample of the clock that is in the walk, m/s: central differences, at the ends to the only
    /// neighbour. Zero if there is but one sample.
    pub fn velocity(&self, sample: u32, step: f64) -> DVec2 {
        difference(&self.places, (sample - self.first) as usize, step)
    }
}

/// Walks that were smoothed.
#[derive(Debug, Clone, PartialEq)]
pub struct Smoothed {
    /// In order of their beginning, then of id.
    pub walks: Vec<SampledWalk>,
    /// Seconds from sample to sample.
    pub step: f64,
    /// Walks that were too short for it and are not among them.
    pub too_short: usize,
}

/// Collects everybody's places.
#[derive(Debug, Clone)]
pub struct Samples {
    walks: Vec<SampledWalk>,
    /// Each person's walk at the moment, and the part of it between jumps.
    current: ById<(usize, u32)>,
    /// Length of a tick, s.
    tick: f64,
    /// Ticks from frame to frame, and from sample to sample.
    every: u32,
    stride: u32,
    origin: Option<u32>,
    held: usize,
    held_max: usize,
    filled: u64,
    off_clock: u64,
    full: Option<u32>,
}

impl Samples {
    /// No places yet. Frames are expected every so many ticks, as the header of their recording says.
    pub fn new(header: &Header) -> Self {
        Self::with_room(header, PLACES_MAX)
    }

    fn with_room(header: &Header, held_max: usize) -> Self {
        let every = header.every.max(1);
        Self {
            walks: Vec::new(),
            current: ById::default(),
            tick: header.tick,
            every,
            stride: every,
            origin: None,
            held: 0,
            held_max,
            filled: 0,
            off_clock: 0,
            full: None,
        }
    }

    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        self.see_parts(frame, &[]);
    }

    /// The same, with the parts that [`Jumps`](crate::Jumps) tells: after a jump a new walk begins.
    pub fn see_parts(&mut self, frame: &Frame<'_>, parts: &[u32]) {
        let origin = *self.origin.get_or_insert(frame.tick);
        let ticks = frame.tick - origin;
        self.off_clock += u64::from(!ticks.is_multiple_of(self.every));
        if self.full.is_some() || !ticks.is_multiple_of(self.stride) {
            return;
        }
        let sample = ticks / self.stride;
        let gap_max = (GAP_MAX / self.step()) as u32;
        let Self { walks, current, held, filled, .. } = self;
        let place = |row: usize| DVec2::new(frame.x[row], frame.y[row]);
        let nowhere = |row: usize| (usize::MAX, part_of(parts, row)); // a newcomer's walk is begun below
        current.visit(frame, nowhere, |row, (current, part)| {
            let same = std::mem::replace(part, part_of(parts, row)) == *part;
            let goes_on = |walk: &SampledWalk| !walk.places.is_empty() && sample - walk.end() <= gap_max;
            if !(same && walks.get(*current).is_some_and(goes_on)) {
                *current = walks.len();
                walks.push(SampledWalk { id: frame.id[row], first: sample, places: Vec::new() });
            }
            *held += fill(&mut walks[*current], sample, place(row), filled);
        });
        while self.held > self.held_max && self.full.is_none() {
            if self.rate() / 2.0 >= RATE_MIN {
                self.thin();
            } else {
                self.full = Some(frame.tick);
            }
        }
    }

    /// All walks, in order of their beginning, then of id.
    pub fn walks(&self) -> Vec<&SampledWalk> {
        let mut walks: Vec<&SampledWalk> = self.walks.iter().filter(|walk| !walk.places.is_empty()).collect();
        walks.sort_by_key(|walk| (walk.first, walk.id));
        walks
    }

    /// All walks without the sway of steps; those of [`TOO_SHORT`](crate::TOO_SHORT) samples are left out and counted.
    pub fn smoothed(&self, smoothing: &Smoothing) -> Result<Smoothed, SmoothError> {
        let filter = Butterworth::new(smoothing, self.rate())?;
        let mut smoothed = Smoothed { walks: Vec::new(), step: self.step(), too_short: 0 };
        for walk in self.walks() {
            let mut walk = walk.clone();
            if filter.smooth(&mut walk.places) {
                smoothed.walks.push(walk);
            } else {
                smoothed.too_short += 1;
            }
        }
        Ok(smoothed)
    }

    /// Seconds from sample to sample.
    pub fn step(&self) -> f64 {
        self.tick * f64::from(self.stride)
    }

    /// When a sample of the clock is, s of the recording.
    pub fn seconds(&self, sample: u32) -> f64 {
        f64::from(self.origin.unwrap_or(0)) * self.tick + f64::from(sample) * self.step()
    }

    /// Samples a second.
    pub fn rate(&self) -> f64 {
        1.0 / self.step()
    }

    /// Only every so many frames were kept, for want of memory: 1 if all were.
    pub fn thinned(&self) -> u32 {
        self.stride / self.every
    }

    /// The tick from which on nothing was taken in, for want of memory.
    pub fn full(&self) -> Option<u32> {
        self.full
    }

    /// Places that were missing and lie on the straight line between those beside them.
    pub fn filled(&self) -> u64 {
        self.filled
    }

    /// Frames that came between those that the header announces, and were not used.
    pub fn off_clock(&self) -> u64 {
        self.off_clock
    }

    /// Leaves out every second sample.
    fn thin(&mut self) {
        self.stride *= 2;
        self.held = 0;
        for walk in &mut self.walks {
            let odd = walk.first % 2;
            let kept = walk.places.iter().skip(odd as usize).step_by(2).copied();
            walk.places = kept.collect();
            walk.first = walk.first.div_ceil(2);
            self.held += walk.places.len();
        }
    }
}

/// Adds a place to a walk, and what is missing before it; gives how many places that are.
fn fill(walk: &mut SampledWalk, sample: u32, at: DVec2, filled: &mut u64) -> usize {
    let missing = sample.saturating_sub(walk.end());
    if let Some(last) = walk.places.last().copied().filter(|_| missing > 0) {
        let part = |k: u32| f64::from(k) / f64::from(missing + 1);
        walk.places.extend((1..=missing).map(|k| last + part(k) * (at - last)));
        *filled += u64::from(missing);
    }
    walk.places.push(at);
    missing as usize + 1
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use passerby_record::{FORMAT, PlaceShape};

    /// What is known of a recording with frames every so many ticks.
    pub(crate) fn header(tick: f64, every: u32) -> Header {
        Header {
            format: FORMAT,
            version: String::new(),
            name: String::new(),
            scenario: String::new(),
            seed: 0,
            tick,
            every,
            offset: [0.0; 2],
            place: PlaceShape::default(),
            bodies: false,
        }
    }

    /// Shows a frame with these people.
    pub(crate) fn frame(tick: u32, people: &[(u32, f64, f64)], see: impl FnOnce(&Frame<'_>)) {
        let id: Vec<u32> = people.iter().map(|person| person.0).collect();
        let x: Vec<f64> = people.iter().map(|person| person.1).collect();
        let y: Vec<f64> = people.iter().map(|person| person.2).collect();
        let zero = vec![0.0; id.len()];
        see(&Frame { tick, id: &id, x: &x, y: &y, vx: &zero, vy: &zero, heading: &zero, bodies: &[] });
    }

    #[test]
    fn gaps_are_filled_and_long_ones_begin_anew() {
        let mut samples = Samples::new(&header(0.04, 10));
        for (tick, x) in [(3, 0.0), (13, 1.0), (43, 4.0), (53, 4.5), (54, 9.0), (173, 9.0)] {
            frame(tick, &[(5, x, 2.0)], |frame| samples.see(frame));
        }
        let places = |xs: &[f64]| xs.iter().map(|x| DVec2::new(*x, 2.0)).collect::<Vec<_>>();
        let walks: Vec<SampledWalk> = samples.walks().into_iter().cloned().collect();
        let first = SampledWalk { id: 5, first: 0, places: places(&[0.0, 1.0, 2.0, 3.0, 4.0, 4.5]) };
        assert_eq!(walks, [first.clone(), SampledWalk { id: 5, first: 17, places: places(&[9.0]) }]); // 4.4 s were missing
        assert_eq!((samples.filled(), samples.off_clock(), samples.thinned(), samples.full()), (2, 1, 1, None));
        assert!((samples.rate() - 2.5).abs() < 1e-12);
        assert_eq!(first.velocity(0, 0.4), DVec2::new(2.5, 0.0));
        assert_eq!(first.velocity(4, 0.4), DVec2::new(1.875, 0.0));
        assert_eq!(walks[1].velocity(17, 0.4), DVec2::ZERO);
    }

    #[test]
    fn a_jump_begins_anew() {
        let (mut samples, mut jumps) = (Samples::new(&header(0.4, 1)), crate::Jumps::new(5.0, 0.4));
        for (tick, x) in [0.0, 1.0, 2.0, 40.0, 41.0].into_iter().enumerate() {
            frame(tick as u32, &[(5, x, 2.0)], |frame| samples.see_parts(frame, jumps.see(frame)));
        }
        let found: Vec<(u32, usize)> = samples.walks().iter().map(|walk| (walk.first, walk.places.len())).collect();
        assert_eq!((found, samples.filled()), (vec![(0, 3), (3, 2)], 0));
    }

    #[test]
    fn memory_has_an_end_and_says_so() {
        let mut samples = Samples::with_room(&header(0.1, 1), 1000);
        for tick in 0..2000 {
            let x = f64::from(tick);
            frame(tick, &[(1, x, 0.0), (2 + tick / 7, x, 1.0)], |frame| samples.see(frame));
        }
        // 500 frames of two fill it at 10 a second, 1000 at 5, 2000 at 2.5: by then the recording is over.
        assert_eq!((samples.thinned(), samples.full()), (4, None));
        let walks = samples.walks();
        assert!(walks.iter().map(|walk| walk.places.len()).sum::<usize>() <= 1000);
        for walk in &walks {
            for (k, place) in walk.places.iter().enumerate() {
                assert_eq!(place.x, f64::from(4 * (walk.first + k as u32)), "{walk:?}");
            }
        }
        (2000..4000).for_each(|tick| frame(tick, &[(1, 0.0, 0.0)], |frame| samples.see(frame)));
        let full = samples.full().expect("no more room");
        assert!((2000..2010).contains(&full), "{full}");
    }
}
