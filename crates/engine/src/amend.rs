//! A run that somebody changes while it goes on, and that can be run again from a file.
//!
//! What is changed is the scenario: the new one is the old one with events and situations added, none of which does anything before
//! now. So the past of a run of the new scenario is the past of this one, to the last bit, and what comes after can be repeated by whoever has its text.

use crate::Simulation;
use crate::events;
use crate::obstacles::{Change, Put};
use crate::scenario::{Event, Problem, Problems, Scenario};
use crate::step::Scratch;
use crate::world::{Kind, World, place_problem};
use passerby_situations::Situations;

impl Simulation {
    /// Goes on with another scenario: this one with more events, none of them before now, and more situations after those it has, none of
    /// which holds before now. Everything else has to be the same.
    ///
    /// What is due now has happened when this returns, but for obstacles, which come with the next step. A run of the new scenario from its
    /// beginning comes to the same state: that is what makes edits repeatable.
    pub fn amend(&mut self, scenario: Scenario) -> Result<(), Problems> {
        let events = self.new_numbers(&scenario)?;
        let wrong = |what: &str| Problems(vec![Problem::of_file(&scenario.file, what.to_owned())]);
        let same = |a: &Scenario, b: &Scenario| {
            (&a.place, &a.populations, &a.signals, &a.movers, a.run)
                == (&b.place, &b.populations, &b.signals, &b.movers, b.run)
        };
        if !same(&self.scenario, &scenario) {
            return Err(wrong("place, people, signals, movers and the run itself stay as they are while it goes on"));
        }
        self.check_situations(&scenario)?;
        let mut world = World::new(&scenario).map_err(|error| Problems(vec![place_problem(&scenario, &error)]))?;
        take_over(&mut world, &self.world, &events).map_err(|what| wrong(&what))?;
        // People head for goals of their population or of events that are over, and those keep their numbers.
        world.plant(&self.people);
        self.world = world;
        self.scenario = scenario;
        let Scratch { sort_rows, width, .. } = self.scratch;
        self.scratch = Scratch { sort_rows, width, ..Scratch::default() };
        let Self { world, people, tally, tick, .. } = self;
        events::fire_due(world, people, tally, *tick);
        Ok(())
    }

    /// The number of each old event among the new ones.
    fn new_numbers(&self, scenario: &Scenario) -> Result<Vec<usize>, Problems> {
        let (old, new) = (&self.scenario.events, &scenario.events);
        let wrong = |event: Option<&Event>, what: &str| {
            let line = event.map(|event| event.line).filter(|line| *line > 0);
            Err(Problems(vec![Problem {
                line,
                key: "event".to_owned(),
                ..Problem::of_file(&scenario.file, what.to_owned())
            }]))
        };
        let now = self.time();
        let (mut numbers, mut next) = (Vec::new(), 0);
        for event in old {
            let is_it = |other: &Event| (other.at, &other.action) == (event.at, &event.action);
            let Some(at) = new[next..].iter().position(is_it) else {
                return wrong(None, "an event of the run is missing: events can only be added");
            };
            numbers.push(next + at);
            next += at + 1;
        }
        let added = (0..new.len()).filter(|number| numbers.binary_search(number).is_err());
        for number in added {
            if new[number].at < now - 1e-9 || number < self.world.events_done {
                return wrong(Some(&new[number]), &format!("it is {now:.2} s: nothing can happen before"));
            }
        }
        Ok(numbers)
    }

    /// Situations can only be added behind the others, and hold from an event on.
    fn check_situations(&self, scenario: &Scenario) -> Result<(), Problems> {
        let (old, new) = (&self.scenario.doings, &scenario.doings);
        let wrong = |line: u32, what: &str| {
            let line = (line > 0).then_some(line);
            Err(Problems(vec![Problem {
                line,
                key: "situation".to_owned(),
                ..Problem::of_file(&scenario.file, what.to_owned())
            }]))
        };
        let starts = |long: &[String], short: &[String]| long.starts_with(short);
        let same = |(a, b): (&passerby_situations::Situation, &passerby_situations::Situation)| {
            format!("{a:?}") == format!("{b:?}")
        };
        let kept = new.situations.len() >= old.situations.len() && old.situations.iter().zip(&new.situations).all(same);
        if !kept || !new.laws.starts_with(&old.laws) || !starts(&new.words.tags, &old.words.tags) {
            return wrong(
                0,
                "a situation of the run is missing or another one: situations can only be added behind the others",
            );
        }
        match new.situations[old.situations.len()..].iter().find(|situation| situation.active) {
            Some(early) => wrong(
                early.line,
                "it holds from the start: a situation that is added begins by an event, so `active = false`",
            ),
            None => Ok(()),
        }
    }
}

/// Everything that the run so far has made of the old world.
fn take_over(world: &mut World, old: &World, events: &[usize]) -> Result<(), String> {
    for (kind, Kind { entered, coming, changed, .. }) in world.kinds.iter_mut().zip(&old.kinds) {
        (kind.entered, kind.changed) = (*entered, *changed);
        kind.coming.clone_from(coming);
        if let (Some(groups), Some(last)) = (&mut kind.groups, entered.checked_sub(1)) {
            groups.reach(last);
        }
    }
    // Events that are over, and so the plans they gave, come before those that are added.
    world.events_done = old.events_done;
    world.sent.clone_from(&old.sent);
    world.map_changed = old.map_changed;
    let mut put = vec![Put::Nowhere; world.events.len()];
    events.iter().zip(&old.put).for_each(|(number, state)| put[*number] = *state);
    events.iter().zip(&old.dropped).for_each(|(number, dropped)| world.dropped[*number].clone_from(dropped));
    let moved = |change: &Change| Change { event: events[change.event as usize] as u32, ..*change };
    world.repeat(old.changes.iter().map(moved).collect(), &put)?;
    for (door, closed) in old.map.closed_doors().iter().enumerate() {
        world.set_door(door, !closed);
    }
    for (target, standing) in old.targets.iter().zip(&old.standing) {
        if let Some(number) = world.targets.iter().position(|other| other == target) {
            world.standing[number] = *standing;
        }
    }
    if let (Some(situations), Some(old)) = (&mut world.situations, &old.situations) {
        keep(situations, old);
    }
    Ok(())
}

/// Those that were there are as they were; those that are new have not begun.
fn keep(situations: &mut Situations, old: &Situations) {
    let (states, incidents, count) = old.states();
    let mut states = states.to_vec();
    states.extend(situations.states().0[states.len()..].iter().cloned());
    situations.take_up(states, incidents.to_vec(), count);
}
