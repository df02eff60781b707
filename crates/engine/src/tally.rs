//! What a run adds up to: who arrived when, who touched whom, how fast people walked, and the digest of it all.
//!
//! Everything is counted in whole numbers or in an order fixed by ids, so that it does not depend on rows or threads.

use crate::bodies::{BodySummary, Footwork};
use crate::journey::Aim;
use crate::people::People;
use crate::saved::{Bytes, Saved};
use crate::scenario::Scenario;
use passerby_crowd::{AgentId, Row};
use passerby_motion::mediator::Walked;
use rayon::prelude::*;

/// Two people who touch; `a` has the lower id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Contact {
    pub a: AgentId,
    pub b: AgentId,
}

/// Something that has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Happened {
    /// When.
    pub tick: u32,
    /// What.
    pub what: What,
}

/// What has happened, by its number in the scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// An event has fired.
    Event(u32),
    /// A signal shows something else.
    Signal {
        /// Which signal.
        signal: u32,
        /// Which of its phases begins.
        phase: u32,
    },
}

impl Happened {
    /// Whether it can happen in this scenario.
    fn is_of(&self, scenario: &Scenario) -> bool {
        match self.what {
            What::Event(event) => (event as usize) < scenario.events.len(),
            What::Signal { signal, phase } => {
                scenario.signals.get(signal as usize).is_some_and(|signal| (phase as usize) < signal.phases.len())
            }
        }
    }

    /// What has happened in words: `close "front"`, `"light" shows "green"`.
    pub fn words(&self, scenario: &Scenario) -> String {
        match self.what {
            What::Event(event) => scenario.events[event as usize].words(scenario),
            What::Signal { signal, phase } => {
                let signal = &scenario.signals[signal as usize];
                format!("\"{}\" shows \"{}\"", signal.name, signal.phases[phase as usize].show)
            }
        }
    }
}

/// The counts of a run.
#[derive(Debug, Clone)]
pub struct Tally {
    entered: u64,
    /// Ticks from the first step to the last stop, of everybody who has arrived, in the order of arrival.
    travel_ticks: Vec<u32>,
    last_arrival: u32,
    contacts: u64,
    touching: Vec<Contact>,
    smallest_gap: f32,
    walking: u64,
    slow: u64,
    /// Sum of walking speeds in units of 1/65536 m/s: whole numbers add up the same in any order.
    speed_sum: u64,
    happened: Vec<Happened>,
    /// People times steps at whose end a mover overlapped with them.
    caught: u64,
    /// How bodies walked.
    bodies: Footwork,
    digest: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            entered: 0,
            travel_ticks: Vec::new(),
            last_arrival: 0,
            contacts: 0,
            touching: Vec::new(),
            smallest_gap: f32::INFINITY,
            walking: 0,
            slow: 0,
            speed_sum: 0,
            happened: Vec::new(),
            caught: 0,
            bodies: Footwork::default(),
            digest: 0,
        }
    }
}

/// Slower than this is not walking but being held up, m/s.
const SLOW: f32 = 0.5;

/// What a run amounts to.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// People who have entered.
    pub entered: u64,
    /// People who have reached their last stop.
    pub arrived: u64,
    /// People who are there but have no way to where they want to go.
    pub unable: u64,
    /// Pairs of bodies that overlapped by more than 1 mm on the models' own result, each uninterrupted contact once.
    pub contacts: u64,
    /// Deepest overlap on the models' own result, m; 0 if there was none.
    pub overlap_before_ground: f32,
    /// Smallest gap between two bodies on the models' own result, m; negative: overlap. None: nobody came near anybody.
    pub smallest_gap: Option<f32>,
    /// Seconds from the first step to the last stop of those who have arrived: mean, 95th percentile, largest.
    pub travel_time: Option<TravelTime>,
    /// When the last one arrived, s.
    pub last_arrival: Option<f64>,
    /// Times that a mover was over somebody at the end of a step, by more than 1 mm: it was faster than they could run.
    pub caught: u64,
    /// Mean speed of those who walk, m/s. None: nobody has walked.
    pub mean_speed: Option<f64>,
    /// Share of the walking time slower than 0.5 m/s. None: nobody has walked.
    pub slow_share: Option<f64>,
    /// How bodies walked; none where nobody has one.
    pub bodies: Option<BodySummary>,
}

/// Travel times, s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TravelTime {
    /// Mean.
    pub mean: f64,
    /// 95 of 100 are at most as long.
    pub p95: f64,
    /// Longest.
    pub max: f64,
}

impl Tally {
    pub(crate) fn entered(&mut self) {
        self.entered += 1;
    }

    pub(crate) fn arrived(&mut self, people: &People, row: Row, tick: u32) {
        if people.journeys.sent_on[row.index()] {
            return;
        }
        self.travel_ticks.push(tick - people.journeys.start_at[row.index()].min(tick));
        self.last_arrival = tick;
    }

    pub(crate) fn happened(&mut self, tick: u32, what: What) {
        self.happened.push(Happened { tick, what });
    }

    /// How bodies walked in this step.
    pub(crate) fn walked(&mut self, walked: &[Walked]) {
        walked.iter().for_each(|walked| self.bodies.count(walked));
    }

    pub(crate) fn caught(&mut self, people: u64) {
        self.caught += people;
    }

    /// Takes this step's contacts, in any order; those that go on from the last step are not counted again.
    pub(crate) fn touched(&mut self, contacts: &mut Vec<Contact>, gap: f32) {
        contacts.sort_unstable();
        self.contacts += contacts.iter().filter(|contact| self.touching.binary_search(contact).is_err()).count() as u64;
        std::mem::swap(&mut self.touching, contacts);
        self.smallest_gap = self.smallest_gap.min(gap);
    }

    /// Looks at everybody at the end of a tick.
    pub(crate) fn count(&mut self, people: &People, tick: u32) {
        let count = (0..people.len())
            .into_par_iter()
            .with_min_len(1024)
            .fold(Count::default, |count, row| count.and(&Count::of(people, row, tick)))
            .reduce(Count::default, |a, b| a.and(&b));
        self.walking += count.walking;
        self.slow += count.slow;
        self.speed_sum += count.speed_sum;
        self.digest = mix(self.digest, count.hash ^ u64::from(tick));
    }

    /// Whether all who have entered have arrived.
    pub(crate) fn all_arrived(&self) -> bool {
        self.entered == self.arrivals()
    }

    /// How many have arrived.
    pub(crate) fn arrivals(&self) -> u64 {
        self.travel_ticks.len() as u64
    }

    /// Digest of every column of every tick so far.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Events that have fired.
    pub fn events(&self) -> &[Happened] {
        &self.happened
    }

    pub(crate) fn summary(&self, people: &People, tick: f64) -> Summary {
        let mut ticks = self.travel_ticks.clone();
        ticks.sort_unstable();
        let travel_time = ticks.last().map(|last| TravelTime {
            mean: ticks.iter().map(|&t| f64::from(t)).sum::<f64>() * tick / ticks.len() as f64,
            p95: f64::from(ticks[(ticks.len() * 95).div_ceil(100) - 1]) * tick,
            max: f64::from(*last) * tick,
        });
        let share = |part: f64| (self.walking > 0).then(|| part / self.walking as f64);
        Summary {
            entered: self.entered,
            arrived: ticks.len() as u64,
            unable: people.journeys.unable.iter().filter(|unable| **unable).count() as u64,
            contacts: self.contacts,
            overlap_before_ground: (-self.smallest_gap).max(0.0),
            smallest_gap: self.smallest_gap.is_finite().then_some(self.smallest_gap),
            travel_time,
            last_arrival: (!ticks.is_empty()).then_some(f64::from(self.last_arrival) * tick),
            caught: self.caught,
            mean_speed: share(self.speed_sum as f64 / 65536.0),
            slow_share: share(self.slow as f64),
            bodies: self.bodies.summary(),
        }
    }
}

impl Saved for Contact {
    const SIZE_MIN: usize = 8;
    fn save(&self, to: &mut Vec<u8>) {
        let Self { a, b } = self;
        (a.save(to), b.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        Ok(Self { a: AgentId::load(from)?, b: AgentId::load(from)? })
    }
}

impl Saved for Happened {
    const SIZE_MIN: usize = 16;
    fn save(&self, to: &mut Vec<u8>) {
        let Self { tick, what } = *self;
        let words = match what {
            What::Event(event) => [0, event, 0],
            What::Signal { signal, phase } => [1, signal, phase],
        };
        tick.save(to);
        words.iter().for_each(|word: &u32| word.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        let (tick, kind) = (u32::load(from)?, u32::load(from)?);
        let (number, phase) = (u32::load(from)?, u32::load(from)?);
        match kind {
            0 => Ok(Happened { tick, what: What::Event(number) }),
            1 => Ok(Happened { tick, what: What::Signal { signal: number, phase } }),
            other => Err(format!("{other} is no kind of event")),
        }
    }
}

impl Tally {
    /// Appends all counts.
    pub(crate) fn save(&self, to: &mut Vec<u8>) {
        let Self {
            entered,
            travel_ticks,
            last_arrival,
            contacts,
            touching,
            smallest_gap,
            walking,
            slow,
            speed_sum,
            happened,
            caught,
            bodies,
            digest,
        } = self;
        (entered.save(to), travel_ticks.save(to), last_arrival.save(to), contacts.save(to), touching.save(to));
        (smallest_gap.save(to), walking.save(to), slow.save(to), speed_sum.save(to));
        (happened.save(to), caught.save(to), bodies.save(to), digest.save(to));
    }

    /// Reads the counts of a run of this scenario.
    pub(crate) fn load(from: &mut Bytes<'_>, scenario: &Scenario) -> Result<Tally, String> {
        let tally = Self {
            entered: Saved::load(from)?,
            travel_ticks: Saved::load(from)?,
            last_arrival: Saved::load(from)?,
            contacts: Saved::load(from)?,
            touching: Saved::load(from)?,
            smallest_gap: Saved::load(from)?,
            walking: Saved::load(from)?,
            slow: Saved::load(from)?,
            speed_sum: Saved::load(from)?,
            happened: Saved::load(from)?,
            caught: Saved::load(from)?,
            bodies: Saved::load(from)?,
            digest: Saved::load(from)?,
        };
        let counts = [tally.entered, tally.contacts, tally.walking, tally.slow, tally.speed_sum];
        // No run counts that far; and there is room to count on.
        if counts.into_iter().any(|count| count >= 1 << 62) || tally.smallest_gap.is_nan() {
            return Err("its counts are beyond any run".to_owned());
        }
        if !tally.happened.iter().all(|happened| happened.is_of(scenario)) {
            return Err("something has happened in it that is not in the scenario".to_owned());
        }
        Ok(tally)
    }
}

/// What one tick adds: whole numbers, whose sum is the same in any order, so that neither rows nor threads matter.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    walking: u64,
    slow: u64,
    speed_sum: u64,
    hash: u64,
}

impl Count {
    fn of(people: &People, row: usize, tick: u32) -> Count {
        let hash = hash_row(people, row);
        if people.journeys.aim[row] == Aim::Nothing || people.journeys.start_at[row] > tick {
            return Count { hash, ..Count::default() };
        }
        let speed = people.agents.now.velocity[row].length();
        Count { walking: 1, slow: u64::from(speed < SLOW), speed_sum: (speed * 65536.0) as u64, hash }
    }

    fn and(&self, other: &Count) -> Count {
        Count {
            walking: self.walking + other.walking,
            slow: self.slow + other.slow,
            speed_sum: self.speed_sum + other.speed_sum,
            hash: self.hash.wrapping_add(other.hash),
        }
    }
}

/// All columns of one person.
fn hash_row(people: &People, row: usize) -> u64 {
    let (a, j) = (&people.agents, &people.journeys);
    let pair = |v: passerby_geometry::Vec2| u64::from(v.x.to_bits()) << 32 | u64::from(v.y.to_bits());
    let two = |x: u32, y: u32| u64::from(x) << 32 | u64::from(y);
    let aim = match j.aim[row] {
        Aim::Nothing => 0,
        Aim::Own => 1,
        Aim::Target(target) => 2 + target.0,
    };
    let hash = [
        two(a.id[row].bits(), a.radius[row].to_bits()),
        two(a.mass[row].to_bits(), a.speed[row].to_bits()),
        two(a.speed_max[row].to_bits(), a.share[row].to_bits()),
        pair(a.pushed[row]),
        pair(a.wanted[row]),
        pair(a.now.position[row]),
        pair(a.now.velocity[row]),
        two(a.now.heading[row].to_bits(), a.decide_at[row]),
        two(j.stop[row], aim),
        u64::from(j.class[row]) << 1 | u64::from(j.unable[row]),
        pair(j.own[row]),
        pair(j.waypoint[row]),
        two(j.plan_at[row], j.entered_at[row]),
        two(j.start_at[row], a.gait[row].to_bits()),
    ]
    .into_iter()
    .fold(0x9e37_79b9_7f4a_7c15, mix);
    // Who never waits has the digest from before there were waits, who is never sent on the one from before there were events.
    let hash = if j.until[row] == 0 { hash } else { mix(hash, u64::from(j.until[row])) };
    let hash = if j.sent_on[row] { mix(hash, 1) } else { hash };
    let hash = people.plugged[row].as_deref().map_or(hash, |person| mix(hash, crate::saved_situations::hash(person)));
    people.bodies[row].as_deref().map_or(hash, |walker| walker.words().into_iter().fold(hash, mix))
}

/// Stirs a word into a hash: multiply, fold the high half down.
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word.rotate_left(32)) * 0xd6e8_feb8_6659_fd93_u128 + u128::from(word);
    (product as u64) ^ (product >> 64) as u64
}
