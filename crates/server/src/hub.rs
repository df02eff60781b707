//! Where a run leaves what there is to see, and pages take it from: the newest frame, not all of them.
//!
//! Whoever runs never waits for whoever looks: it swaps the newest frame and goes on. Who is slow finds a newer one next time, so frames
//! may be lost, but never their order.

use crate::packet::Shot;
use passerby::record::Person;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Answers that may wait for one page.
const ANSWERS_MAX: usize = 64;

/// What can be seen of a run.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    seen: Mutex<Seen>,
    news: Condvar,
}

/// Everything a page may not know yet. Each part has a number that rises when it changes.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub shot: (u64, Option<Arc<Shot>>),
    /// Everybody who was ever there.
    pub people: BTreeMap<u32, Person>,
    /// What happened, as JSON.
    pub events: Vec<Arc<str>>,
    /// Doors, obstacles and situations as they are, as JSON.
    pub changed: (u64, Arc<str>),
    /// The clock, as JSON.
    pub clock: (u64, Arc<str>),
    /// Answers to single pages.
    answers: BTreeMap<u64, VecDeque<Arc<str>>>,
    /// Whether there is nothing more to come.
    pub closed: bool,
}

/// What a page has been told.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct Told {
    pub shot: u64,
    pub events: usize,
    pub changed: u64,
    pub clock: u64,
}

/// What a page is to be told next.
#[derive(Debug, Default)]
pub(crate) struct News {
    pub shot: Option<Arc<Shot>>,
    pub texts: Vec<Arc<str>>,
    pub closed: bool,
}

impl Hub {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what can be seen, and wakes all who wait for it.
    pub(crate) fn tell(&self, change: impl FnOnce(&mut Seen)) {
        change(&mut self.lock());
        self.news.notify_all();
    }

    /// Answers one page.
    pub(crate) fn answer(&self, page: u64, text: String) {
        self.tell(|seen| {
            let answers = seen.answers.entry(page).or_default();
            answers.push_back(text.into());
            while answers.len() > ANSWERS_MAX {
                answers.pop_front();
            }
        });
    }

    /// A page has gone.
    pub(crate) fn forget(&self, page: u64) {
        self.lock().answers.remove(&page);
    }

    /// Waits for news for a page; empty after a while without.
    pub(crate) fn wait(&self, page: u64, told: &mut Told) -> News {
        let seen = self.lock();
        let nothing = |seen: &mut Seen| !seen.has_news(page, told);
        let (mut seen, _) =
            self.news.wait_timeout_while(seen, Duration::from_secs(1), nothing).unwrap_or_else(PoisonError::into_inner);
        seen.news(page, told)
    }
}

impl Seen {
    fn has_news(&self, page: u64, told: &Told) -> bool {
        self.closed
            || self.shot.0 > told.shot
            || self.events.len() > told.events
            || self.changed.0 > told.changed
            || self.clock.0 > told.clock
            || self.answers.get(&page).is_some_and(|answers| !answers.is_empty())
    }

    fn news(&mut self, page: u64, told: &mut Told) -> News {
        let mut news = News { closed: self.closed, ..News::default() };
        news.texts.extend(self.events[told.events.min(self.events.len())..].iter().cloned());
        told.events = self.events.len();
        for ((number, text), known) in [(&self.changed, &mut told.changed), (&self.clock, &mut told.clock)] {
            if *number > *known {
                news.texts.push(text.clone());
                *known = *number;
            }
        }
        news.texts.extend(self.answers.get_mut(&page).into_iter().flat_map(|answers| answers.drain(..)));
        if self.shot.0 > told.shot {
            told.shot = self.shot.0;
            news.shot.clone_from(&self.shot.1);
        }
        news
    }

    /// Shows a new moment.
    pub(crate) fn show(&mut self, shot: Shot) {
        self.shot = (self.shot.0 + 1, Some(Arc::new(shot)));
    }

    pub(crate) fn set_clock(&mut self, text: String) {
        self.clock = (self.clock.0 + 1, text.into());
    }

    pub(crate) fn set_changed(&mut self, text: String) {
        self.changed = (self.changed.0 + 1, text.into());
    }
}
