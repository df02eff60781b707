//! Who belongs together: people of a population with consecutive numbers, so many at a time.
//!
//! How many is drawn for each group by its own number, so who is with whom follows from seed and scenario alone. Nothing of it is kept in
//! columns or checkpoints; what stands here is a table of what was drawn, which grows as people come.

use crate::scenario::{Action, Event, Grouping, Population};
use passerby_crowd::AgentId;
use passerby_geometry::chance::{Chance, Purpose};
use std::ops::Range;

/// Most people of a group: more do not walk as one.
pub(crate) const SIZE_MAX: u32 = 12;

/// The groups of one population.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    grouping: Grouping,
    population: u32,
    chance: Chance,
    /// Numbers of people with which something ends, ascending: nobody is with somebody who comes an hour later.
    waves: Vec<u32>,
    /// The first number of each group, ascending; the last entry is where the next one begins.
    starts: Vec<u32>,
}

impl Groups {
    /// The groups of a population, if it has any.
    pub fn new(population: &Population, number: u32, events: &[Event], chance: Chance) -> Option<Groups> {
        let added = events.iter().filter_map(|event| match event.action {
            Action::Add { population, count } if population == number as usize => Some(count),
            _ => None,
        });
        let mut waves = Vec::new();
        match &population.arrivals {
            None => {
                let mut people = population.count();
                waves.push(people);
                for count in added {
                    people = people.saturating_add(count);
                    waves.push(people);
                }
            }
            // Those whom an event adds come among those who come at a rate, nobody knows where.
            Some(arrivals) => waves.extend(arrivals.total.filter(|_| added.count() == 0)),
        }
        let grouping = population.group.clone()?;
        Some(Groups { grouping, population: number, chance, waves, starts: vec![0] })
    }

    /// Draws groups until somebody is in one.
    pub fn reach(&mut self, ordinal: u32) {
        while let Some(&start) = self.starts.last().filter(|start| **start <= ordinal) {
            let number = self.starts.len() as u32 - 1;
            let end = (start + self.size_of(number)).min(AgentId::ORDINALS_MAX);
            let wave = self.waves.iter().copied().find(|wave| *wave > start);
            self.starts.push(wave.map_or(end, |wave| wave.min(end)));
        }
    }

    /// The numbers of those whom somebody is with, their own among them. [`Groups::reach`] has been there.
    pub fn of(&self, ordinal: u32) -> Range<u32> {
        let next = self.starts.partition_point(|start| *start <= ordinal);
        self.starts[next - 1]..self.starts[next]
    }

    /// Whether somebody is the first of a group; also asked of the one after all who have been drawn.
    pub fn begins_with(&self, ordinal: u32) -> bool {
        self.starts.binary_search(&ordinal).is_ok()
    }

    /// Whether the first leads.
    pub fn are_led(&self) -> bool {
        self.grouping.leader
    }

    /// The speed of somebody, where the scenario states it for each member, m/s.
    pub fn speed_of(&self, ordinal: u32) -> Option<f64> {
        self.grouping.speeds.get((ordinal - self.of(ordinal).start) as usize).copied()
    }

    /// How many a group is meant to have.
    fn size_of(&self, number: u32) -> u32 {
        let Grouping { sizes, weights, .. } = &self.grouping;
        // Groups are no more than people, so a group's number can stand where a person's does.
        let who = AgentId::new(self.population, number);
        let mut stream = self.chance.stream(who.bits(), 0, Purpose::Company);
        let mut left = weights.iter().sum::<f64>() * stream.uniform();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        // The last bit of the sum: the last size that can be drawn at all.
        let last = weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0);
        sizes[drawn.unwrap_or(last)].clamp(1, SIZE_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(sizes: &[u32], weights: &[f64], waves: &[u32]) -> Groups {
        let grouping = Grouping { sizes: sizes.to_vec(), weights: weights.to_vec(), leader: false, speeds: Vec::new() };
        let (chance, waves, starts) = (Chance::new(7), waves.to_vec(), vec![0]);
        Groups { grouping, population: 3, chance, waves, starts }
    }

    #[test]
    fn people_with_consecutive_numbers_are_together() {
        let mut groups = groups(&[3], &[1.0], &[]);
        groups.reach(7);
        assert_eq!([0, 2, 3, 5, 7].map(|who| groups.of(who)), [0..3, 0..3, 3..6, 3..6, 6..9]);
    }

    /// Seven from the start, two who are added later: 3 + 3 + 1 and 2.
    #[test]
    fn nobody_is_with_somebody_of_another_wave() {
        let mut groups = groups(&[3], &[1.0], &[7, 9]);
        groups.reach(11);
        assert_eq!(groups.starts, [0, 3, 6, 7, 9, 12]);
    }

    /// Drawn with 0.7 and 0.3: of 10000 groups 7000, within four deviations of sqrt(10000 * 0.7 * 0.3) = 46.
    #[test]
    fn sizes_follow_their_weights() {
        let groups = groups(&[2, 3, 4], &[0.7, 0.3, 0.0], &[]);
        let sizes: Vec<u32> = (0..10_000).map(|number| groups.size_of(number)).collect();
        let pairs = sizes.iter().filter(|size| **size == 2).count();
        assert!(pairs.abs_diff(7000) < 184, "{pairs} pairs");
        assert!(sizes.iter().all(|size| *size < 4));
    }

    /// What is drawn does not depend on how far was looked before.
    #[test]
    fn who_is_with_whom_does_not_depend_on_when_it_is_asked() {
        let (mut at_once, mut one_by_one) = (groups(&[1, 2, 5], &[1.0; 3], &[]), groups(&[1, 2, 5], &[1.0; 3], &[]));
        at_once.reach(500);
        (0..=500).for_each(|who| one_by_one.reach(who));
        assert_eq!(at_once.starts, one_by_one.starts);
    }
}
