//! Groups of people: sets of ids, as a file names them or as walks tell them.

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

    /// Each pair a group of its own: somebody may walk with two who do not walk with each other.
    pub fn of_pairs(pairs: &[[u32; 2]]) -> Groups {
        Groups::of((0..).zip(pairs).flat_map(|(group, pair)| pair.map(|id| (id, group))).collect())
    }

    /// Everybody with the number of a group of theirs.
    pub(crate) fn of(mut members: Vec<(u32, u32)>) -> Groups {
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

    #[test]
    fn pairs_are_groups_of_two() {
        let groups = Groups::of_pairs(&[[1, 2], [2, 3]]);
        assert!(groups.are_together(1, 2) && groups.are_together(3, 2) && !groups.are_together(1, 3));
        assert_eq!(groups.pairs(), [[1, 2], [2, 3]]);
        assert_eq!(Groups::of_pairs(&[]), Groups::default());
    }

    #[test]
    fn pairs_agree_or_not() {
        let agreement = Agreement::of(&[[4, 5], [4, 9], [5, 9]], &[[1, 2], [4, 9]]);
        assert_eq!((agreement.precision(), agreement.recall()), (Some(1.0 / 3.0), Some(0.5)));
        assert_eq!(Agreement::of(&[], &[]).precision(), None);
    }
}
