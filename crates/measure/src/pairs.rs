//! The pair distribution: how much more often people are at a distance than if they did not know of one another.
//!
//! g(r) = P(r) / P0(r): P of two people who are there at the same time, P0 of two rows of the recording whatever their times. Below 1
//! people avoid that distance. PedPy's definition; it shuffles the frames of all rows, here P0 is taken over all pairs of a sample of
//! rows, drawn by a hash of who and when.

use passerby_geometry::{Chance, DVec2, Purpose};

use crate::moment::Moment;

/// Rows in the sample: 2 million pairs.
const SAMPLE: usize = 2048;

/// Distances between people, in bins.
#[derive(Debug, Clone)]
pub struct Pairs {
    bin: f64,
    together: Vec<u64>,
    all: u64,
    /// The rows with the smallest numbers drawn, in order of these.
    sample: Vec<(f64, DVec2)>,
    chance: Chance,
}

impl Pairs {
    /// Bins of so many metres, up to `far` metres.
    pub fn new(bin: f64, far: f64, seed: u64) -> Pairs {
        let count = (far / bin).ceil().clamp(1.0, 1e4) as usize;
        Pairs { bin, together: vec![0; count], all: 0, sample: Vec::new(), chance: Chance::new(seed) }
    }

    /// Takes in the next moment.
    pub fn see(&mut self, moment: &Moment<'_>) {
        let far = self.bin * self.together.len() as f64;
        let mut at: Vec<DVec2> = moment.at.to_vec();
        at.sort_unstable_by(|a, b| a.x.total_cmp(&b.x));
        for (i, a) in at.iter().enumerate() {
            for b in at[i + 1..].iter().take_while(|b| b.x - a.x < far) {
                if let Some(count) = self.together.get_mut((a.distance(*b) / self.bin) as usize) {
                    *count += 1;
                }
            }
            self.all += i as u64;
        }
        for (row, at) in moment.at.iter().enumerate() {
            self.draw(moment.id[row], moment.tick, *at);
        }
    }

    fn draw(&mut self, id: u32, tick: u32, at: DVec2) {
        let drawn = self.chance.stream(id, tick, Purpose::Sample).uniform();
        if self.sample.len() == SAMPLE && self.sample.last().is_some_and(|last| drawn >= last.0) {
            return;
        }
        let place = self.sample.partition_point(|kept| kept.0 < drawn);
        self.sample.insert(place, (drawn, at));
        self.sample.truncate(SAMPLE);
    }

    /// The outer border of each bin, m, and g there; `None` where no two rows of the sample are at that distance.
    pub fn distribution(&self) -> Vec<(f64, Option<f64>)> {
        let mut apart = vec![0_u64; self.together.len()];
        for (i, (_, a)) in self.sample.iter().enumerate() {
            for (_, b) in &self.sample[..i] {
                if let Some(count) = apart.get_mut((a.distance(*b) / self.bin) as usize) {
                    *count += 1;
                }
            }
        }
        let pairs = (self.sample.len() * self.sample.len().saturating_sub(1) / 2) as f64;
        let value = |together: u64, apart: u64| {
            (apart > 0 && self.all > 0).then(|| together as f64 / self.all as f64 / (apart as f64 / pairs))
        };
        let bins = self.together.iter().zip(&apart).enumerate();
        bins.map(|(i, (together, apart))| ((i + 1) as f64 * self.bin, value(*together, *apart))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thirty people on a lattice of 1.1 m that is moved at random each time: nobody is nearer than 1 m to anybody, every row is
    /// somewhere else. The scrambled rows are within 0.5 m of one another now and then.
    #[test]
    fn who_keeps_a_metre_has_nobody_within_one() {
        let mut pairs = Pairs::new(0.5, 5.0, 1);
        let id: Vec<u32> = (0..30).collect();
        let chance = Chance::new(9);
        for tick in 0..400 {
            let mut draw = chance.stream(0, tick, Purpose::Jitter);
            let by = DVec2::new(draw.uniform(), draw.uniform());
            let at: Vec<DVec2> = id.iter().map(|i| 1.1 * DVec2::new(f64::from(i % 6), f64::from(i / 6)) + by).collect();
            pairs.see(&Moment { tick, id: &id, at: &at, velocity: &[None; 30], acceleration: &[None; 30] });
        }
        let found = pairs.distribution();
        assert_eq!(found.len(), 10);
        assert_eq!((found[0], found[1]), ((0.5, Some(0.0)), (1.0, Some(0.0))));
        let (border, g) = found[2]; // 49 of 435 pairs are 1.1 m apart
        assert!(border == 1.5 && g.is_some_and(|g| g > 1.0), "{g:?}");
    }

    #[test]
    fn nobody_has_no_distribution() {
        assert!(Pairs::new(0.5, 2.0, 1).distribution().iter().all(|(_, g)| g.is_none()));
    }
}
