//! Who walks with whom, told from walks.
//!
//! People who belong together stay near each other and move alike. So do strangers in a jam or in a dense stream, because there is
//! nowhere else to be. What tells company is that two are nearer to each other than strangers would be by chance, in a crowd as dense as the one
//! around them that moves as they do. Where most who stay together are not, nothing can be told.

use passerby_geometry::DVec2;

use crate::boxes::{BLOCK, Boxes, common};
use crate::{Groups, SampledWalk, Smoothed};

/// Moments at which the people around a pair are counted, at most.
const MOMENTS: usize = 20;

/// When two people are said to walk together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Belonging {
    /// They are no farther apart than this, m, > 0, default 2.
    pub distance: f64,
    /// And their velocities differ by no more than this, m/s, > 0, default 0.5.
    pub velocity: f64,
    /// For this share of the time both are there, 0 to 1, default 0.7.
    pub share: f64,
    /// Which is no shorter than this, s, default 2.
    pub time: f64,
    /// As near as they are, fewer strangers than this would be there by chance, > 0, default 0.5.
    pub strangers: f64,
    /// Nothing is told unless this share of those who stay together are nearer than that, 0 to 1, default 0.5.
    pub tellable: f64,
}

impl Default for Belonging {
    fn default() -> Self {
        Self { distance: 2.0, velocity: 0.5, share: 0.7, time: 2.0, strangers: 0.5, tellable: 0.5 }
    }
}

/// Who walks with whom.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Company {
    /// Pairs who walk together, the smaller id first, in order. None where it is too dense to tell.
    pub pairs: Vec<[u32; 2]>,
    /// Pairs who stay near each other and move alike, whatever the reason.
    pub staying: usize,
    /// Those of them who are nearer to each other than strangers would be by chance.
    pub nearer: usize,
    /// Whether so few of them are that the rest of them may be chance as well.
    pub too_dense: bool,
}

impl Belonging {
    /// Pairs who stay near each other and move alike, the smaller id first, in order. In a jam these are strangers: see
    /// [`Belonging::company`].
    pub fn staying(&self, smoothed: &Smoothed) -> Vec<[u32; 2]> {
        self.candidates(smoothed).into_iter().map(|(pair, _)| pair).collect()
    }

    /// Who walks with whom, where that can be told. Two who stay together walk together if fewer than `strangers` would be as near by
    /// chance, or if others who walk together join them: the outer ones of three abreast.
    pub fn company(&self, smoothed: &Smoothed) -> Company {
        let staying = self.candidates(smoothed);
        let nearer: Vec<[u32; 2]> =
            staying.iter().filter(|(_, strangers)| *strangers < self.strangers).map(|(pair, _)| *pair).collect();
        let too_dense = (nearer.len() as f64) < self.tellable * staying.len() as f64;
        let joined = join(if too_dense { &[] } else { &nearer });
        let pairs = staying.iter().map(|(pair, _)| *pair).filter(|[a, b]| joined.are_together(*a, *b)).collect();
        Company { pairs, staying: staying.len(), nearer: nearer.len(), too_dense }
    }

    /// People who walk together as groups: who walks with somebody walks with those who walk with them.
    pub fn groups(&self, smoothed: &Smoothed) -> Groups {
        join(&self.company(smoothed).pairs)
    }

    /// Pairs who stay together, in order, and how many strangers would be as near by chance; the least of it if they did so twice.
    fn candidates(&self, smoothed: &Smoothed) -> Vec<([u32; 2], f64)> {
        let boxes: Vec<Boxes> = smoothed.walks.iter().map(Boxes::new).collect();
        let mut found = Vec::new();
        for (i, one) in smoothed.walks.iter().enumerate() {
            let begun = smoothed.walks[i + 1..].iter().zip(&boxes[i + 1..]);
            let mut around = None;
            for (other, their) in begun.take_while(|(other, _)| other.first < one.end()) {
                if self.holds(one, other, &boxes[i], their, smoothed.step) {
                    let around = around.get_or_insert_with(|| self.around(one, &boxes[i], &smoothed.walks, &boxes));
                    let pair = [one.id.min(other.id), one.id.max(other.id)];
                    found.push((pair, self.strangers([one, other], around, smoothed.step)));
                }
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        found.dedup_by_key(|(pair, _)| *pair);
        found
    }

    /// Whether two are near each other at a sample and move alike.
    fn near(&self, one: &SampledWalk, other: &SampledWalk, sample: u32, step: f64) -> bool {
        let apart: DVec2 = other.place(sample) - one.place(sample);
        apart.length() <= self.distance
            && (other.velocity(sample, step) - one.velocity(sample, step)).length() <= self.velocity
    }

    fn holds(&self, one: &SampledWalk, other: &SampledWalk, my: &Boxes, their: &Boxes, step: f64) -> bool {
        let time = common(one, other);
        let samples = time.len() as f64;
        if (samples - 1.0) * step < self.time {
            return false;
        }
        let (mut there, mut misses) = (0.0, 0.0);
        for block in time.start / BLOCK..=(time.end - 1) / BLOCK {
            let part = (block * BLOCK).max(time.start)..((block + 1) * BLOCK).min(time.end);
            let count = part.len() as f64;
            let far = my.gap_squared(their, block) > self.distance * self.distance;
            let near = |sample: &u32| self.near(one, other, *sample, step);
            let found = if far { 0.0 } else { part.filter(near).count() as f64 };
            there += found;
            misses += count - found;
            if misses > (1.0 - self.share) * samples + 0.5 {
                return false; // whatever comes
            }
        }
        there >= self.share * samples
    }

    /// Walks that may come within `distance` of the middle between somebody and those they stay together with.
    fn around<'a>(
        &self,
        one: &SampledWalk,
        my: &Boxes,
        walks: &'a [SampledWalk],
        boxes: &[Boxes],
    ) -> Vec<&'a SampledWalk> {
        let reach = 1.5 * self.distance;
        let comes_near = |walk: &SampledWalk, their: &Boxes| {
            let time = common(one, walk);
            let mut blocks = time.start / BLOCK..time.end.div_ceil(BLOCK);
            !time.is_empty() && blocks.any(|block| my.gap_squared(their, block) <= reach * reach)
        };
        walks.iter().zip(boxes).filter(|(walk, their)| comes_near(walk, their)).map(|(walk, _)| walk).collect()
    }

    /// How many strangers would be as near to each other as these two by chance: those besides them within `distance` of their middle who move as
    /// they do, times the square of how far apart they are over `distance`. The mean over some moments at which they are together.
    fn strangers(&self, [one, other]: [&SampledWalk; 2], around: &[&SampledWalk], step: f64) -> f64 {
        let together: Vec<u32> = common(one, other).filter(|sample| self.near(one, other, *sample, step)).collect();
        let moments = together.len().min(MOMENTS);
        let at = |k: usize| together[(2 * k + 1) * together.len() / (2 * moments)];
        let by_chance = |sample: u32| {
            let middle = 0.5 * (one.place(sample) + other.place(sample));
            let velocity = 0.5 * (one.velocity(sample, step) + other.velocity(sample, step));
            let strangers = around.iter().filter(|walk| {
                (walk.first..walk.end()).contains(&sample)
                    && walk.id != one.id
                    && walk.id != other.id
                    && walk.place(sample).distance(middle) <= self.distance
                    && walk.velocity(sample, step).distance(velocity) <= self.velocity
            });
            let apart = one.place(sample).distance(other.place(sample)) / self.distance;
            strangers.count() as f64 * apart * apart
        };
        (0..moments).map(|k| by_chance(at(k))).sum::<f64>() / moments as f64
    }
}

/// Groups of those whom pairs join.
fn join(pairs: &[[u32; 2]]) -> Groups {
    let mut ids: Vec<u32> = pairs.iter().flatten().copied().collect();
    ids.sort_unstable();
    ids.dedup();
    let place = |id: u32| ids.partition_point(|other| *other < id);
    let mut leader: Vec<usize> = (0..ids.len()).collect();
    fn find(leader: &mut [usize], mut member: usize) -> usize {
        while leader[member] != member {
            leader[member] = leader[leader[member]];
            member = leader[member];
        }
        member
    }
    for [one, other] in pairs {
        let (a, b) = (find(&mut leader, place(*one)), find(&mut leader, place(*other)));
        leader[a.max(b)] = a.min(b);
    }
    let group = |member: usize| find(&mut leader, member) as u32;
    let groups: Vec<u32> = (0..ids.len()).map(group).collect();
    Groups::of(ids.into_iter().zip(groups).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody who walks along x from a place, at a speed, for these samples of 0.4 s.
    fn walk(id: u32, first: u32, samples: u32, at: [f64; 2], speed: f64) -> SampledWalk {
        let place = |k: u32| DVec2::from_array(at) + DVec2::new(0.4 * speed * f64::from(k), 0.0);
        SampledWalk { id, first, places: (0..samples).map(place).collect() }
    }

    #[test]
    fn who_is_near_and_walks_alike_is_together() {
        let walks = vec![
            walk(9, 0, 100, [0.0, 0.0], 1.2),
            walk(4, 0, 100, [0.0, 0.9], 1.2),              // beside
            walk(5, 0, 100, [-1.5, 0.5], 1.3),             // begins behind them, drifts past
            walk(6, 0, 100, [0.0, -2.5], 1.2),             // too far off
            walk(7, 10, 60, [40.0, 0.3], -1.2),            // comes towards them
            walk(8, 96, 20, [0.4 * 1.2 * 96.0, 1.8], 1.2), // only 1.6 s of common time with the first
        ];
        let smoothed = Smoothed { walks, step: 0.4, too_short: 0 };
        assert_eq!(Belonging::default().staying(&smoothed), [[4, 5], [4, 9], [5, 9]]);
        assert_eq!(Belonging::default().groups(&smoothed).sets(), [vec![4, 5, 9]]);
        // 4 and 9 are 0.9 m apart, with 5 beside them most of the time: (0.9 / 2)^2 = 0.2 strangers.
        let company = Belonging::default().company(&smoothed);
        assert_eq!(
            (company.pairs, company.staying, company.nearer, company.too_dense),
            (vec![[4, 5], [4, 9], [5, 9]], 3, 3, false)
        );
    }

    /// A loose stream along x, 0.05 people a m2, each at their own speed (1.0 to 1.6 m/s), and a pair in it 0.7 m apart.
    #[test]
    fn a_pair_in_a_stream_is_told_and_strangers_are_not() {
        let place = |k: u32| [f64::from(k * 7919 % 400) / 10.0, f64::from(k * 104_729 % 100) / 10.0];
        let speed = |k: u32| 1.0 + 0.6 * f64::from(k * 31 % 20) / 20.0;
        let mut walks: Vec<SampledWalk> = (0..20).map(|k| walk(k, 0, 60, place(k), speed(k))).collect();
        walks.push(walk(70, 0, 60, [10.0, 5.0], 1.3));
        walks.push(walk(71, 0, 60, [10.2, 5.67], 1.3));
        let company = Belonging::default().company(&Smoothed { walks, step: 0.4, too_short: 0 });
        assert!(company.pairs.contains(&[70, 71]) && !company.too_dense, "{company:?}");
        assert!(company.pairs.len() <= 2, "{company:?}");
    }

    /// 12 by 12 people 0.5 m from each other, 4 a m2, who shuffle along at 0.1 m/s: everybody stays near dozens of others, and none of
    /// them can be told for company. So it is at walking speed.
    #[test]
    fn a_jam_is_no_company() {
        for speed in [0.1, 1.3] {
            let place = |k: u32| [0.5 * f64::from(k % 12), 0.5 * f64::from(k / 12)];
            let walks = (0..144).map(|k| walk(k, 0, 40, place(k), speed)).collect();
            let company = Belonging::default().company(&Smoothed { walks, step: 0.4, too_short: 0 });
            assert!(company.staying > 2000 && company.too_dense && company.pairs.is_empty(), "{company:?}");
        }
    }

    /// Two abreast who are alone, three abreast, and four strangers who keep 1.9 m apart in a row.
    #[test]
    fn strangers_as_near_by_chance_are_counted() {
        let strangers = |ys: &[f64], pair: [usize; 2]| {
            let walks: Vec<SampledWalk> = (0..).zip(ys).map(|(id, y)| walk(id, 0, 30, [0.0, *y], 1.2)).collect();
            let around: Vec<&SampledWalk> = walks.iter().collect();
            Belonging::default().strangers(pair.map(|k| &walks[k]), &around, 0.4)
        };
        assert_eq!(strangers(&[0.0, 0.8], [0, 1]), 0.0);
        assert!((strangers(&[0.0, 0.8, 1.6], [0, 1]) - 0.16).abs() < 1e-12); // one around, (0.8 / 2)^2
        assert!((strangers(&[0.0, 0.8, 1.6], [0, 2]) - 0.64).abs() < 1e-12); // too far, but joined by the one between
        assert!((strangers(&[0.0, 1.9, 3.8, 5.7], [1, 2]) - 0.0).abs() < 1e-12); // 2.85 m from their middle
    }

    #[test]
    fn the_outer_ones_of_three_are_joined() {
        let walks: Vec<SampledWalk> =
            (0..).zip([0.0, 0.8, 1.6]).map(|(id, y)| walk(id, 0, 30, [0.0, y], 1.2)).collect();
        let company = Belonging::default().company(&Smoothed { walks, step: 0.4, too_short: 0 });
        assert_eq!((company.staying, company.nearer), (3, 2));
        assert_eq!(company.pairs, [[0, 1], [0, 2], [1, 2]]);
        let nobody = Belonging::default().company(&Smoothed { walks: Vec::new(), step: 0.4, too_short: 0 });
        assert_eq!(nobody, Company::default());
    }
}
