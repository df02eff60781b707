//! Encounters: pairs of walkers who come near each other at an angle, from the moment they could have seen each other to
//! their closest approach. What happens in between shows who avoids whom, and how early.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_6};
use std::ops::Range;

use passerby_geometry::DVec2;
use passerby_geometry::math::double::cos;

use crate::boxes::{BLOCK, Boxes, common};
use crate::predicted::passing_side;
use crate::{
    Closest, Groups, PassingOrder, Phases, SampledWalk, Smoothed, adaptation, approach, closest, phases_of_trial,
};

/// Which pairs are encounters. All of it is about smoothed walks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EncounterSelection {
    /// They come as near as this, m, > 0, default 3.
    pub distance: f64,
    /// Their closest approach is at least this long after the first moment both are there, s, default 1.6. Nor is it the
    /// last: then they may have come nearer unseen.
    pub time_min: f64,
    /// They see each other this long before it, or when both are there, s, > `time_min`, default 4.
    pub time_max: f64,
    /// Then both are faster than this, m/s, default 0.5.
    pub speed: f64,
    /// And their directions are at least so far apart, rad, default 30 degrees.
    pub angle: f64,
}

impl Default for EncounterSelection {
    fn default() -> Self {
        Self { distance: 3.0, time_min: 1.6, time_max: 4.0, speed: 0.5, angle: FRAC_PI_6 }
    }
}

/// How many pairs are encounters, and why others are not. A pair is counted at the first reason that holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EncounterCounts {
    /// Encounters.
    pub used: u64,
    /// They belong together.
    pub together: u64,
    /// They are never that near.
    pub far: u64,
    /// They are nearest too soon after the first moment both are there.
    pub at_start: u64,
    /// They are nearest at the last moment both are there.
    pub at_end: u64,
    /// One of them is too slow when they see each other.
    pub slow: u64,
    /// Their directions are too much alike then.
    pub alike: u64,
}

/// Two walkers from seeing each other to their closest approach. Lists have an entry for each sample, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Encounter<'a> {
    /// Who.
    pub people: [u32; 2],
    /// When they see each other, in samples of the clock.
    pub see: u32,
    /// Seconds from sample to sample.
    pub step: f64,
    /// Their closest approach; samples and moments are counted from `see`.
    pub closest: Closest,
    /// Where each of them is, m.
    pub places: [&'a [DVec2]; 2],
    /// How each of them moves, m/s.
    pub velocities: [&'a [DVec2]; 2],
    /// How near they would come if they went on like that, m.
    pub predicted: &'a [f64],
}

impl Encounter<'_> {
    /// From seeing each other to the nearest sample, s.
    pub fn duration(&self) -> f64 {
        self.closest.sample as f64 * self.step
    }

    /// When reaction and regulation begin, s from seeing each other; `None` if what is predicted hardly rises.
    /// See [`phases_of_trial`].
    pub fn phases(&self) -> Option<Phases> {
        let times: Vec<f64> = (0..self.predicted.len()).map(|sample| sample as f64 * self.step).collect();
        phases_of_trial(&times, self.predicted)
    }

    /// What each of them changes of their velocity, m/s: the integral of |dV/dt| over the time.
    pub fn adaptations(&self) -> [f64; 2] {
        self.velocities.map(|column| adaptation(column, self.step).sum::<f64>() * self.step)
    }

    /// Who would have passed first when they saw each other, and who does at their closest approach. `None` for both if their directions are
    /// not 45 to 135 degrees apart when they see each other, for one if nobody can be said to.
    pub fn orders(&self) -> [Option<PassingOrder>; 2] {
        let [one, other] = self.velocities.map(|column| column[0]);
        if one.dot(other).abs() > FRAC_1_SQRT_2 * one.length() * other.length() {
            return [None; 2];
        }
        [0, self.closest.sample].map(|sample| {
            let apart = self.places[1][sample] - self.places[0][sample];
            passing_side(apart, self.velocities[0][sample], self.velocities[1][sample])
        })
    }
}

/// Hands every encounter among these walks to `each`, in order of the walks, and counts why the other pairs are none. Only pairs
/// who are there at the same time are looked at; those in a group together are left out.
pub fn find_encounters(
    smoothed: &Smoothed,
    selection: &EncounterSelection,
    groups: &Groups,
    mut each: impl FnMut(&Encounter<'_>),
) -> EncounterCounts {
    let Smoothed { walks, step, .. } = smoothed;
    let boxes: Vec<Boxes> = walks.iter().map(Boxes::new).collect();
    let mut counts = EncounterCounts::default();
    let mut found = Columns::default();
    for i in 0..walks.len() {
        for j in (i + 1..walks.len()).take_while(|j| walks[*j].first < walks[i].end()) {
            // The smaller id is the first walker, whoever came first.
            let (i, j) = if walks[i].id <= walks[j].id { (i, j) } else { (j, i) };
            let pair = Pair { one: &walks[i], other: &walks[j], boxes: [&boxes[i], &boxes[j]], step: *step };
            let reason = if groups.are_together(pair.one.id, pair.other.id) {
                &mut counts.together
            } else {
                match pair.select(selection) {
                    Ok(samples) => {
                        each(&found.fill(&pair, samples));
                        &mut counts.used
                    }
                    Err(NoEncounter::Far) => &mut counts.far,
                    Err(NoEncounter::AtStart) => &mut counts.at_start,
                    Err(NoEncounter::AtEnd) => &mut counts.at_end,
                    Err(NoEncounter::Slow) => &mut counts.slow,
                    Err(NoEncounter::Alike) => &mut counts.alike,
                }
            };
            *reason += 1;
        }
    }
    counts
}

/// Why a pair is no encounter.
enum NoEncounter {
    Far,
    AtStart,
    AtEnd,
    Slow,
    Alike,
}

/// Two who are there at the same time.
struct Pair<'a> {
    one: &'a SampledWalk,
    other: &'a SampledWalk,
    boxes: [&'a Boxes; 2],
    step: f64,
}

impl Pair<'_> {
    fn apart(&self, sample: u32) -> DVec2 {
        let place = |walk: &SampledWalk| walk.places[(sample - walk.first) as usize];
        place(self.other) - place(self.one)
    }

    /// The samples of the clock from seeing each other to the closest one, if this is an encounter.
    fn select(&self, selection: &EncounterSelection) -> Result<Range<u32>, NoEncounter> {
        let time = common(self.one, self.other);
        let cross = self.nearest(&time, selection.distance).ok_or(NoEncounter::Far)?;
        let lead = f64::from(cross - time.start) * self.step;
        if lead < selection.time_min - 1e-9 {
            return Err(NoEncounter::AtStart);
        }
        if cross == time.end - 1 {
            return Err(NoEncounter::AtEnd);
        }
        let before = (selection.time_max / self.step).round() as u32;
        let see = cross.saturating_sub(before).max(time.start);
        let [one, other] = [self.one, self.other].map(|walk| walk.velocity(see, self.step));
        if one.length() <= selection.speed || other.length() <= selection.speed {
            return Err(NoEncounter::Slow);
        }
        if one.dot(other) > cos(selection.angle) * one.length() * other.length() {
            return Err(NoEncounter::Alike);
        }
        Ok(see..cross + 1)
    }

    /// The first sample at which they are nearest, if that is within `distance`.
    fn nearest(&self, time: &Range<u32>, distance: f64) -> Option<u32> {
        let (mut nearest, mut least) = (None, (distance * distance).next_up());
        if time.is_empty() {
            return None;
        }
        for block in time.start / BLOCK..=(time.end - 1) / BLOCK {
            if self.boxes[0].gap_squared(self.boxes[1], block) >= least {
                continue;
            }
            for sample in (block * BLOCK).max(time.start)..((block + 1) * BLOCK).min(time.end) {
                let squared = self.apart(sample).length_squared();
                if squared < least {
                    (nearest, least) = (Some(sample), squared);
                }
            }
        }
        nearest
    }
}

/// What is handed over with an encounter, kept from one to the next.
#[derive(Default)]
struct Columns {
    apart: Vec<DVec2>,
    velocities: [Vec<DVec2>; 2],
    predicted: Vec<f64>,
}

impl Columns {
    /// The encounter of a pair at these samples of the clock.
    fn fill<'a>(&'a mut self, pair: &Pair<'a>, samples: Range<u32>) -> Encounter<'a> {
        let Self { apart, velocities, predicted } = self;
        let walks = [pair.one, pair.other];
        apart.clear();
        // One sample more: they may be nearest between the last two.
        apart.extend((samples.start..samples.end + 1).map(|sample| pair.apart(sample)));
        for (column, walk) in velocities.iter_mut().zip(walks) {
            column.clear();
            column.extend(samples.clone().map(|sample| walk.velocity(sample, pair.step)));
        }
        let [one, other] = &*velocities;
        predicted.clear();
        predicted.extend((0..one.len()).map(|k| approach(apart[k], other[k] - one[k]).distance));
        let places = walks.map(|walk| {
            let from = (samples.start - walk.first) as usize;
            &walk.places[from..from + samples.len()]
        });
        Encounter {
            people: walks.map(|walk| walk.id),
            see: samples.start,
            step: pair.step,
            closest: closest(apart).expect("an encounter has samples"),
            places,
            velocities: [one, other],
            predicted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somebody at these places every 0.1 s from this sample on.
    fn walk(id: u32, first: u32, samples: u32, place: impl Fn(f64) -> [f64; 2]) -> SampledWalk {
        let places = (first..first + samples).map(|k| DVec2::from_array(place(0.1 * f64::from(k)))).collect();
        SampledWalk { id, first, places }
    }

    fn find(walks: Vec<SampledWalk>, groups: &str) -> (EncounterCounts, Vec<([u32; 2], f64, usize)>) {
        let groups = Groups::parse(groups).unwrap();
        let smoothed = Smoothed { walks, step: 0.1, too_short: 0 };
        let mut found = Vec::new();
        let counts = find_encounters(&smoothed, &EncounterSelection::default(), &groups, |encounter| {
            found.push((encounter.people, f64::from(encounter.see) * 0.1, encounter.closest.sample));
        });
        (counts, found)
    }

    /// Meets the one who walks along x at (6, 0) after 4.8 s.
    fn across(t: f64) -> [f64; 2] {
        [6.0, 0.3 - 1.25 * (4.8 - t)]
    }

    fn along(t: f64) -> [f64; 2] {
        [1.25 * t, 0.0]
    }

    #[test]
    fn each_pair_is_used_or_has_a_reason() {
        // 5 (x and y are equally far when t = 4.68): nearest at the sample 47, seen 4 s before.
        let (counts, found) = find(vec![walk(8, 0, 80, along), walk(3, 0, 80, across)], "");
        assert_eq!((counts.used, found), (1, vec![([3, 8], 0.7000000000000001, 40)]));
        let pair = |other: SampledWalk| find(vec![walk(8, 0, 80, along), other], "").0;
        assert_eq!(find(vec![walk(8, 0, 80, along), walk(3, 0, 80, across)], "8 3").0.together, 1);
        assert_eq!(pair(walk(3, 0, 80, |t| [6.0, across(t)[1] - 6.0])).far, 1);
        assert_eq!(pair(walk(3, 32, 40, across)).at_start, 1);
        assert_eq!(pair(walk(3, 31, 40, across)).used, 1); // exactly 1.6 s
        assert_eq!(pair(walk(3, 0, 48, across)).at_end, 1);
        assert_eq!(pair(walk(3, 0, 80, |_| [6.0, 0.3])).slow, 1);
        assert_eq!(pair(walk(3, 0, 80, |t| [1.05 * t + 1.0, 0.5])).alike, 1);
        assert_eq!(find(vec![walk(8, 0, 20, along), walk(3, 40, 20, across)], "").0, EncounterCounts::default());
    }

    #[test]
    fn an_encounter_holds_what_was_between() {
        let smoothed = Smoothed { walks: vec![walk(1, 0, 80, along), walk(2, 0, 80, across)], step: 0.1, too_short: 0 };
        let mut seen = 0;
        find_encounters(&smoothed, &EncounterSelection::default(), &Groups::default(), |encounter| {
            seen += 1;
            assert_eq!((encounter.places[0].len(), encounter.predicted.len()), (41, 41));
            assert!((encounter.duration() - 4.0).abs() < 1e-12);
            // Both walk evenly: what is predicted is what happens, 0.3 / sqrt(2) m.
            let clearance = 0.3 * std::f64::consts::FRAC_1_SQRT_2;
            assert!((encounter.closest.clearance - clearance).abs() < 1e-12, "{encounter:?}");
            assert!((encounter.closest.moment - 39.8).abs() < 1e-9); // 4.68 s
            assert!(encounter.predicted[..40].iter().all(|distance| (distance - clearance).abs() < 1e-9));
            assert!(encounter.velocities[1].iter().all(|v| (*v - DVec2::new(0.0, 1.25)).length() < 1e-9));
        });
        assert_eq!(seen, 1);
    }
}
