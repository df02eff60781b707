//! Random numbers without a shared generator: every number is a pure function of (seed, who, tick, purpose, how many
//! were drawn before it under that key).
//!
//! So neither the number of threads nor the order in which agents are asked can change a draw, and a person added to
//! a scene does not reshuffle everybody else's. The function is Philox 4x32 with 10 rounds: Salmon, Moraes, Dror and
//! Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011; checked below against the authors' published vectors.
//!
//! ```
//! use passerby_geometry::chance::{Chance, Purpose};
//! let chance = Chance::new(7);
//! let mut speed = chance.stream(42, 0, Purpose::Speed);
//! let drawn = 1.34 + 0.26 * speed.normal();
//! assert_eq!(drawn, 1.34 + 0.26 * chance.stream(42, 0, Purpose::Speed).normal()); // the same key, the same number
//! ```

use crate::math::double;
use std::f64::consts::TAU;

/// What a number is drawn for, so that two uses by the same agent in the same tick are independent.
///
/// The numbers are part of every recorded run's meaning: never renumber one, only add.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Purpose {
    /// Where somebody appears.
    Placement = 1,
    /// How fast somebody likes to walk.
    Speed = 2,
    /// How wide somebody is.
    Radius = 3,
    /// How heavy somebody is.
    Mass = 4,
    /// How long somebody hesitates before setting off.
    Premovement = 5,
    /// Small disturbances that break symmetric standstills.
    Jitter = 6,
    /// Which of several goals somebody picks.
    Choice = 7,
    /// Decisions inside a model.
    Decision = 8,
    /// When somebody comes.
    Arrival = 9,
    /// What somebody always does in the same way.
    Habit = 10,
    /// Which rows of a recording are looked at where not all can be.
    Sample = 11,
    /// How many people belong together.
    Company = 12,
    /// How tall somebody is, of which build, and what they wear.
    Looks = 13,
    /// What somebody does in a situation.
    Situation = 14,
    /// How a parameter of somebody's model differs from that of others.
    Parameter = 15,
}

/// All the chance of one run, given by its seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chance {
    key: [u32; 2],
}

impl Chance {
    /// The seed it belongs to.
    pub fn seed(&self) -> u64 {
        u64::from(self.key[1]) << 32 | u64::from(self.key[0])
    }

    /// The chance that belongs to `seed`.
    pub fn new(seed: u64) -> Chance {
        Chance { key: [seed as u32, (seed >> 32) as u32] }
    }

    /// The numbers for one use: `who` is an agent's or population's number, `tick` the step they are drawn in.
    pub fn stream(self, who: u32, tick: u32, purpose: Purpose) -> Stream {
        Stream { key: self.key, counter: [0, who, tick, purpose as u32], block: [0; 4], used: 4 }
    }
}

/// A sequence of independent random numbers: 2^34 of 32 bits, then it repeats.
#[derive(Debug, Clone)]
pub struct Stream {
    key: [u32; 2],
    counter: [u32; 4],
    block: [u32; 4],
    used: usize,
}

impl Stream {
    /// 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.used == 4 {
            self.block = philox(self.counter, self.key);
            self.counter[0] = self.counter[0].wrapping_add(1);
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    /// Uniform in [0, 1), with all 53 bits a number of that size can have.
    pub fn uniform(&mut self) -> f64 {
        let (high, low) = (u64::from(self.next_u32()), u64::from(self.next_u32()));
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (((high << 32) | low) >> 11) as f64 * STEP
    }

    /// Uniform from `low` to `high`; rounding may give `high` itself.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// One of 0, 1, ... n - 1, each exactly as likely as the others.
    ///
    /// Lemire, "Fast random integer generation in an interval", 2019: the upper half of a 64-bit product, with the
    /// few products that would favour some results drawn again.
    ///
    /// # Panics
    /// If `n` is 0: there is nothing to choose from.
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "a choice among no alternatives");
        let surplus = n.wrapping_neg() % n; // 2^32 mod n
        loop {
            let product = u64::from(self.next_u32()) * u64::from(n);
            if product as u32 >= surplus {
                return (product >> 32) as u32;
            }
        }
    }

    /// Normal with mean 0 and standard deviation 1 (Box and Muller 1958).
    ///
    /// The method makes two at a time; the second is dropped, so that a draw always costs four words of the stream.
    pub fn normal(&mut self) -> f64 {
        let radius = (2.0 * self.exponential()).sqrt();
        radius * double::cos(TAU * self.uniform())
    }

    /// Exponential with mean 1.
    pub fn exponential(&mut self) -> f64 {
        -double::ln(1.0 - self.uniform()) // 1 - u is in (0, 1]: never the logarithm of zero
    }
}

/// Philox 4x32-10: scrambles a counter under a key. Section 3.3 and figure 4 of the paper, constants of its table 2.
fn philox(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let ([mut c0, mut c1, mut c2, mut c3], [mut k0, mut k1]) = (counter, key);
    for _ in 0..10 {
        let left = u64::from(c0) * 0xD251_1F53;
        let right = u64::from(c2) * 0xCD9E_8D57;
        (c0, c1, c2, c3) = ((right >> 32) as u32 ^ c1 ^ k0, right as u32, (left >> 32) as u32 ^ c3 ^ k1, left as u32);
        k0 = k0.wrapping_add(0x9E37_79B9); // the golden ratio
        k1 = k1.wrapping_add(0xBB67_AE85); // the square root of 3, less 1
    }
    [c0, c1, c2, c3]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers published with the authors' Random123 library.
    #[test]
    fn philox_gives_the_published_answers() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox([u32::MAX; 4], [u32::MAX; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        assert_eq!(
            philox([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn a_stream_is_its_counter_read_block_by_block() {
        let mut stream = Chance::new(0x299f_31d0_a409_3822).stream(5, 9, Purpose::Choice);
        let drawn: Vec<u32> = (0..6).map(|_| stream.next_u32()).collect();
        let key = [0xa409_3822, 0x299f_31d0];
        assert_eq!(drawn[..4], philox([0, 5, 9, 7], key));
        assert_eq!(drawn[4..], philox([1, 5, 9, 7], key)[..2]);
    }

    #[test]
    fn every_part_of_the_key_matters() {
        let first = |seed, who, tick, purpose| Chance::new(seed).stream(who, tick, purpose).next_u32();
        let base = first(1, 2, 3, Purpose::Speed);
        for other in [
            first(2, 2, 3, Purpose::Speed),
            first(1 << 32 | 1, 2, 3, Purpose::Speed),
            first(1, 3, 3, Purpose::Speed),
            first(1, 2, 4, Purpose::Speed),
            first(1, 2, 3, Purpose::Radius),
        ] {
            assert_ne!(base, other);
        }
    }

    fn draws(n: usize, mut draw: impl FnMut(&mut Stream) -> f64) -> Vec<f64> {
        let mut stream = Chance::new(11).stream(0, 0, Purpose::Decision);
        (0..n).map(|_| draw(&mut stream)).collect()
    }

    fn moment(values: &[f64], power: u32) -> f64 {
        values.iter().map(|v| (0..power).fold(1.0, |product, _| product * v)).sum::<f64>() / values.len() as f64
    }

    /// Bounds are five standard errors of each mean at 100 000 draws.
    #[test]
    fn moments_are_those_of_the_distributions() {
        let uniform = draws(100_000, Stream::uniform);
        assert!(uniform.iter().all(|u| (0.0..1.0).contains(u)));
        assert!((moment(&uniform, 1) - 0.5).abs() < 0.0046, "{}", moment(&uniform, 1));
        assert!((moment(&uniform, 2) - 1.0 / 3.0).abs() < 0.0048);
        let between = draws(100_000, |s| s.between(-2.0, 4.0));
        assert!(between.iter().all(|u| (-2.0..=4.0).contains(u)));
        assert!((moment(&between, 1) - 1.0).abs() < 0.028);
        let normal = draws(100_000, Stream::normal);
        assert!(moment(&normal, 1).abs() < 0.016);
        assert!((moment(&normal, 2) - 1.0).abs() < 0.023);
        assert!(moment(&normal, 3).abs() < 0.062);
        assert!((moment(&normal, 4) - 3.0).abs() < 0.156);
        let exponential = draws(100_000, Stream::exponential);
        assert!(exponential.iter().all(|&e| e >= 0.0));
        assert!((moment(&exponential, 1) - 1.0).abs() < 0.016);
        assert!((moment(&exponential, 2) - 2.0).abs() < 0.071);
    }

    #[test]
    fn choices_are_even() {
        let mut stream = Chance::new(3).stream(0, 0, Purpose::Choice);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[stream.below(7) as usize] += 1;
        }
        let square = |x: f64| x * x;
        let chi2: f64 = counts.iter().map(|&c| square(f64::from(c) - 10_000.0) / 10_000.0).sum();
        assert!(chi2 < 22.46, "chi-square {chi2} with 6 degrees of freedom: {counts:?}"); // 99.9 %
        assert_eq!(stream.below(1), 0);
    }

    /// With n just above 2^31 a draw without rejection would give low numbers twice as often.
    #[test]
    fn choices_among_very_many_are_even() {
        let n = (1u32 << 31) + (1 << 30);
        let mut stream = Chance::new(3).stream(0, 0, Purpose::Choice);
        let low = (0..30_000).filter(|_| stream.below(n) < n / 3).count();
        assert!((low as f64 - 10_000.0).abs() < 5.0 * 81.7, "{low} of 30000 in the lowest third");
    }
}
