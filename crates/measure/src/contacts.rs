//! Who touches whom, how deep and how long, and how near people come.
//!
//! Bodies are discs. A contact is an uninterrupted time in which two of them overlap.

use std::collections::BTreeMap;

use passerby_geometry::DVec2;
use passerby_record::{Frame, Person};

/// Shallower is rounding, m.
pub const DEPTH_MIN: f64 = 1e-3;

/// The model of people of whom only the way is known: their radius was assumed when they were read.
const RECORDED: &str = "recorded";

/// One contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Who, the lower number first.
    pub ids: [u32; 2],
    /// First tick.
    pub begin: u32,
    /// Last tick.
    pub end: u32,
    /// Deepest overlap, m.
    pub depth: f64,
}

/// Contacts that are kept; more are only counted.
const KEPT: usize = 1 << 16;

/// The contacts of a recording.
#[derive(Debug, Clone)]
pub struct Contacts {
    /// In order of id.
    radii: Vec<(u32, f64)>,
    radius_max: f64,
    assumed: usize,
    open: BTreeMap<[u32; 2], Contact>,
    ended: Vec<Contact>,
    count: u64,
    ticks: u64,
    deepest: f64,
    smallest_gap: f64,
    order: Vec<u32>,
    rows: Vec<f64>,
}

impl Contacts {
    /// Nobody has touched anybody. Who is not among the people has the mean radius of those who are.
    pub fn new(people: &[Person]) -> Contacts {
        let mut radii: Vec<(u32, f64)> = people.iter().map(|person| (person.id, f64::from(person.radius))).collect();
        radii.sort_unstable_by_key(|(id, _)| *id);
        let radius_max = radii.iter().map(|(_, radius)| *radius).fold(0.0, f64::max);
        Contacts {
            radii,
            radius_max,
            assumed: people.iter().filter(|person| person.model == RECORDED).count(),
            open: BTreeMap::new(),
            ended: Vec::new(),
            count: 0,
            ticks: 0,
            deepest: 0.0,
            smallest_gap: f64::INFINITY,
            order: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        let mut touching: BTreeMap<[u32; 2], Contact> = BTreeMap::new();
        self.radii_of(frame);
        let Contacts { order, rows: radii, radius_max, smallest_gap, .. } = self;
        let at = |row: u32| DVec2::new(frame.x[row as usize], frame.y[row as usize]);
        (order.clear(), order.extend(0..frame.id.len() as u32));
        order.sort_unstable_by(|a, b| frame.x[*a as usize].total_cmp(&frame.x[*b as usize]).then(a.cmp(b)));
        for (place, &i) in order.iter().enumerate() {
            for &j in &order[place + 1..] {
                let apart = frame.x[j as usize] - frame.x[i as usize];
                if apart > (2.0 * *radius_max).max(2.0 * *radius_max + *smallest_gap) {
                    break;
                }
                let gap = at(i).distance(at(j)) - radii[i as usize] - radii[j as usize];
                *smallest_gap = smallest_gap.min(gap);
                if gap < -DEPTH_MIN {
                    let (a, b) = (frame.id[i as usize], frame.id[j as usize]);
                    let ids = [a.min(b), a.max(b)];
                    touching.insert(ids, Contact { ids, begin: frame.tick, end: frame.tick, depth: -gap });
                }
            }
        }
        self.follow(touching);
    }

    fn radii_of(&mut self, frame: &Frame<'_>) {
        let mean = self.radii.iter().map(|(_, radius)| radius).sum::<f64>() / self.radii.len().max(1) as f64;
        let radius = |id: &u32| match self.radii.binary_search_by_key(id, |(id, _)| *id) {
            Ok(place) => self.radii[place].1,
            Err(_) => mean,
        };
        self.rows.clear();
        self.rows.extend(frame.id.iter().map(radius));
    }

    /// Contacts that go on are one with what they were; the others have ended.
    fn follow(&mut self, mut touching: BTreeMap<[u32; 2], Contact>) {
        for (ids, before) in std::mem::take(&mut self.open) {
            match touching.get_mut(&ids) {
                Some(now) => {
                    now.begin = before.begin;
                    now.depth = now.depth.max(before.depth);
                }
                None => self.end(before),
            }
        }
        self.open = touching;
    }

    fn end(&mut self, contact: Contact) {
        self.count += 1;
        self.ticks += u64::from(contact.end - contact.begin);
        self.deepest = self.deepest.max(contact.depth);
        if self.ended.len() < KEPT {
            self.ended.push(contact);
        }
    }

    /// Ends those that go on. Call it after the last frame.
    pub fn finish(&mut self) {
        std::mem::take(&mut self.open).into_values().for_each(|contact| self.end(contact));
    }

    /// The first contacts that have ended, in the order of their ends.
    pub fn ended(&self) -> &[Contact] {
        &self.ended
    }

    /// How many have ended.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How long they lasted together, ticks from first to last frame.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The deepest overlap, m; 0 without a contact.
    pub fn deepest(&self) -> f64 {
        self.deepest
    }

    /// The smallest and the largest radius that contacts were told with, m; `None` without people.
    pub fn radii(&self) -> Option<[f64; 2]> {
        let least = self.radii.iter().map(|(_, radius)| *radius).reduce(f64::min)?;
        Some([least, self.radius_max])
    }

    /// How many people were recorded, so that nobody knows their radius: it was assumed.
    pub fn assumed(&self) -> usize {
        self.assumed
    }

    /// The smallest gap between two bodies, m; negative: overlap. `None` if there never were two people.
    pub fn smallest_gap(&self) -> Option<f64> {
        self.smallest_gap.is_finite().then_some(self.smallest_gap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(id: u32, radius: f32) -> Person {
        Person { id, population: String::new(), radius, mass: 80.0, speed: 1.3, model: String::new() }
    }

    /// One of 0.25 m stands at 0; another of 0.15 m walks past 0.3 m away: they overlap while |x| < sqrt(0.16 - 0.09) = 0.2646.
    #[test]
    fn a_contact_is_counted_once() {
        let mut contacts = Contacts::new(&[person(2, 0.25), person(5, 0.15)]);
        for tick in 0..=40 {
            let x = -1.0 + 0.05 * f64::from(tick);
            let (x, y) = ([0.0, x], [0.0, 0.3]);
            contacts.see(&Frame {
                tick,
                id: &[2, 5],
                x: &x,
                y: &y,
                vx: &[0.0; 2],
                vy: &[0.0; 2],
                heading: &[0.0; 2],
                bodies: &[],
            });
        }
        contacts.finish();
        // -0.25 to 0.25 in steps of 0.05: ticks 15 to 25.
        let [contact] = contacts.ended() else { panic!("{:?}", contacts.ended()) };
        assert_eq!((contact.ids, contact.begin, contact.end), ([2, 5], 15, 25));
        assert!((contact.depth - 0.1).abs() < 1e-6 && (contacts.deepest() - 0.1).abs() < 1e-6); // radii are single precision
        assert_eq!((contacts.count(), contacts.ticks()), (1, 10));
        assert!((contacts.smallest_gap().unwrap() + 0.1).abs() < 1e-6);
    }

    #[test]
    fn radii_are_told_and_who_has_an_assumed_one() {
        let recorded = Person { model: "recorded".to_owned(), ..person(7, 0.25) };
        let contacts = Contacts::new(&[person(2, 0.5), recorded]);
        assert_eq!((contacts.radii(), contacts.assumed()), (Some([0.25, 0.5]), 1));
        assert_eq!((Contacts::new(&[]).radii(), Contacts::new(&[]).assumed()), (None, 0));
    }

    #[test]
    fn the_smallest_gap_is_found_among_many() {
        let people: Vec<Person> = (0..200).map(|id| person(id, 0.1)).collect();
        let mut contacts = Contacts::new(&people);
        let (x, y): (Vec<f64>, Vec<f64>) =
            (0..200u64).map(|i| ((i * 7919 % 1009) as f64 / 20.0, (i * 104_729 % 997) as f64 / 20.0)).unzip();
        let (id, v): (Vec<u32>, Vec<f32>) = (0..200).map(|i| (i, 0.0)).unzip();
        contacts.see(&Frame { tick: 0, id: &id, x: &x, y: &y, vx: &v, vy: &v, heading: &v, bodies: &[] });
        let mut expected = f64::INFINITY;
        for (i, j) in (0..200).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let (dx, dy) = (x[i] - x[j], y[i] - y[j]);
            let centres = (dx * dx + dy * dy).sqrt();
            expected = expected.min(centres - 2.0 * f64::from(0.1_f32));
        }
        assert_eq!(contacts.smallest_gap(), Some(expected));
        assert_eq!(Contacts::new(&[]).smallest_gap(), None);
    }
}
