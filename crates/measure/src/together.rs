//! Who walks with whom: read from a file of groups, or told from their walks.

use passerby_geometry::DVec2;

use crate::boxes::{BLOCK, Boxes, common};
use crate::{SampledWalk, Smoothed};

/// Why a text holds no groups.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GroupsError {
    /// A word is no id.
    #[error(
        "line {line}: \"{word}\" is no id; a line holds the ids of people who walk together, whole numbers from 0 to 4294967295 with blanks between"
    )]
    NotAnId {
        /// Where, from 1.
        line: usize,
        /// What stands there, at most 40 characters of it.
        word: String,
    },
}

/// Sets of people who walk together. Somebody may be in several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    /// Who is in which group, in order.
    members: Vec<(u32, u32)>,
}

impl Groups {
    /// Reads the format of the UCY recordings: a line for each group, with the ids of its people.
    pub fn parse(text: &str) -> Result<Groups, GroupsError> {
        let mut members = Vec::new();
        for (number, line) in text.lines().enumerate() {
            for word in line.split_whitespace() {
                let id = word
                    .parse()
                    .map_err(|_| GroupsError::NotAnId { line: number + 1, word: word.chars().take(40).collect() })?;
                members.push((id, number as u32));
            }
        }
        Ok(Groups::of(members))
    }

    fn of(mut members: Vec<(u32, u32)>) -> Groups {
        members.sort_unstable();
        members.dedup();
        Groups { members }
    }

    /// Whether two people are in a group together.
    pub fn are_together(&self, one: u32, other: u32) -> bool {
        let groups = |id: u32| {
            let from = self.members.partition_point(|member| member.0 < id);
            self.members[from..].iter().take_while(move |member| member.0 == id).map(|member| member.1)
        };
        groups(one).any(|group| groups(other).any(|theirs| theirs == group))
    }

    /// Groups of two or more, each in order of id, in order of their first id.
    pub fn sets(&self) -> Vec<Vec<u32>> {
        let mut by_group: Vec<(u32, u32)> = self.members.iter().map(|(id, group)| (*group, *id)).collect();
        by_group.sort_unstable();
        let groups = by_group.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
        let mut sets: Vec<Vec<u32>> = groups.map(|group| group.iter().map(|member| member.1).collect()).collect();
        sets.sort();
        sets
    }

    /// Pairs of people who are in a group together, the smaller id first, in order.
    pub fn pairs(&self) -> Vec<[u32; 2]> {
        let sets = self.sets();
        let of_set = |set: &Vec<u32>| {
            let pairs = (0..set.len()).flat_map(|i| (i + 1..set.len()).map(move |j| (i, j)));
            pairs.map(|(i, j)| [set[i], set[j]]).collect::<Vec<_>>()
        };
        let mut pairs: Vec<[u32; 2]> = sets.iter().flat_map(of_set).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}

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
}

impl Default for Belonging {
    fn default() -> Self {
        Self { distance: 2.0, velocity: 0.5, share: 0.7, time: 2.0 }
    }
}

impl Belonging {
    /// Pairs of people who walk together, the smaller id first, in order.
    pub fn pairs(&self, smoothed: &Smoothed) -> Vec<[u32; 2]> {
        let boxes: Vec<Boxes> = smoothed.walks.iter().map(Boxes::new).collect();
        let mut pairs = Vec::new();
        for (i, one) in smoothed.walks.iter().enumerate() {
            let begun = smoothed.walks[i + 1..].iter().zip(&boxes[i + 1..]);
            for (other, their) in begun.take_while(|(other, _)| other.first < one.end()) {
                if self.holds(one, other, &boxes[i], their, smoothed.step) {
                    pairs.push([one.id.min(other.id), one.id.max(other.id)]);
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// People who walk together as groups: who walks with somebody walks with those who walk with them.
    pub fn groups(&self, smoothed: &Smoothed) -> Groups {
        let pairs = self.pairs(smoothed);
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
            let (a, b) = (find(&mut leader, place(one)), find(&mut leader, place(other)));
            leader[a.max(b)] = a.min(b);
        }
        let group = |member: usize| find(&mut leader, member) as u32;
        let groups: Vec<u32> = (0..ids.len()).map(group).collect();
        Groups::of(ids.into_iter().zip(groups).collect())
    }

    fn holds(&self, one: &SampledWalk, other: &SampledWalk, my: &Boxes, their: &Boxes, step: f64) -> bool {
        let time = common(one, other);
        let samples = time.len() as f64;
        if (samples - 1.0) * step < self.time {
            return false;
        }
        let near = |sample: &u32| {
            let place = |walk: &SampledWalk| walk.places[(*sample - walk.first) as usize];
            let apart: DVec2 = place(other) - place(one);
            apart.length() <= self.distance
                && (other.velocity(*sample, step) - one.velocity(*sample, step)).length() <= self.velocity
        };
        let (mut there, mut misses) = (0.0, 0.0);
        for block in time.start / BLOCK..=(time.end - 1) / BLOCK {
            let part = (block * BLOCK).max(time.start)..((block + 1) * BLOCK).min(time.end);
            let count = part.len() as f64;
            let far = my.gap_squared(their, block) > self.distance * self.distance;
            let found = if far { 0.0 } else { part.filter(near).count() as f64 };
            there += found;
            misses += count - found;
            if misses > (1.0 - self.share) * samples + 0.5 {
                return false; // whatever comes
            }
        }
        there >= self.share * samples
    }
}

/// How well pairs that were told agree with those that are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Pairs that were told.
    pub told: usize,
    /// Pairs that are known.
    pub known: usize,
    /// Pairs that are in both.
    pub both: usize,
}

impl Agreement {
    /// Compares two lists of pairs, each in order.
    pub fn of(told: &[[u32; 2]], known: &[[u32; 2]]) -> Agreement {
        let both = told.iter().filter(|pair| known.binary_search(pair).is_ok()).count();
        Agreement { told: told.len(), known: known.len(), both }
    }

    /// Which share of those that were told is right; `None` if there is none.
    pub fn precision(&self) -> Option<f64> {
        (self.told > 0).then(|| self.both as f64 / self.told as f64)
    }

    /// Which share of those that are known was told; `None` if there is none.
    pub fn recall(&self) -> Option<f64> {
        (self.known > 0).then(|| self.both as f64 / self.known as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read_as_they_stand() {
        let groups = Groups::parse("1 2\n\n 103 \r\n6 18 421 422\n421 422\n103\t72\n").unwrap();
        assert!(groups.are_together(2, 1) && groups.are_together(72, 103) && groups.are_together(18, 422));
        assert!(!groups.are_together(1, 6) && !groups.are_together(103, 104));
        assert_eq!(groups.sets(), [vec![1, 2], vec![6, 18, 421, 422], vec![72, 103], vec![421, 422]]);
        assert_eq!(groups.pairs().len(), 1 + 6 + 1); // 421 and 422 once
        assert_eq!(Groups::parse(""), Ok(Groups::default()));
        for (text, line) in [("1 2\n3 x", 2), ("-1", 1), ("1.5", 1), ("4294967296", 1), ("1,2", 1)] {
            let error = Groups::parse(text).unwrap_err();
            assert!(matches!(error, GroupsError::NotAnId { line: l, .. } if l == line), "{text}: {error}");
        }
    }

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
        assert_eq!(Belonging::default().pairs(&smoothed), [[4, 5], [4, 9], [5, 9]]);
        assert_eq!(Belonging::default().groups(&smoothed).sets(), [vec![4, 5, 9]]);
        let agreement = Agreement::of(&[[4, 5], [4, 9], [5, 9]], &[[1, 2], [4, 9]]);
        assert_eq!((agreement.precision(), agreement.recall()), (Some(1.0 / 3.0), Some(0.5)));
        assert_eq!(Agreement::of(&[], &[]).precision(), None);
    }
}
