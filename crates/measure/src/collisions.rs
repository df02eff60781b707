//! Time to collision: when somebody would touch somebody else if both went on as they do.
//!
//! PedPy's definition: the first time at which the distance equals the sum of the radii, at constant velocities. Of each person the
//! shortest counts, over everybody within 10 m who is met within 10 s.

use passerby_geometry::DVec2;
use passerby_record::Person;

use crate::histogram::Histogram;
use crate::moment::Moment;
use crate::predicted::time_to_collision;

/// Farther people are not looked at, m.
const FAR: f64 = 10.0;
/// Later collisions are none, s.
const LATE: f64 = 10.0;
/// Width of a bin, s.
const BIN: f64 = 0.25;

/// Shortest times to collision of everybody at every moment.
#[derive(Debug, Clone)]
pub struct Collisions {
    /// In order of id.
    radii: Vec<(u32, f64)>,
    times: Histogram,
    people: u64,
    shortest: Option<f64>,
}

impl Collisions {
    /// Nobody was seen yet. Who is not among the people has a radius of 0.2 m.
    pub fn new(people: &[Person]) -> Collisions {
        let mut radii: Vec<(u32, f64)> = people.iter().map(|person| (person.id, f64::from(person.radius))).collect();
        radii.sort_unstable_by_key(|(id, _)| *id);
        Collisions { radii, times: Histogram::new(BIN, (LATE / BIN) as usize), people: 0, shortest: None }
    }

    /// Takes in the next moment.
    pub fn see(&mut self, moment: &Moment<'_>) {
        let radius = |id: u32| match self.radii.binary_search_by_key(&id, |(id, _)| *id) {
            Ok(place) => self.radii[place].1,
            Err(_) => 0.2,
        };
        let mut walkers: Vec<(DVec2, DVec2, f64)> = (0..moment.id.len())
            .filter_map(|row| Some((moment.at[row], moment.velocity[row]?, radius(moment.id[row]))))
            .collect();
        walkers.sort_unstable_by(|a, b| a.0.x.total_cmp(&b.0.x));
        let mut soonest = vec![LATE; walkers.len()];
        for i in 0..walkers.len() {
            for j in (i + 1..walkers.len()).take_while(|j| walkers[*j].0.x - walkers[i].0.x <= FAR) {
                let (one, other) = (walkers[i], walkers[j]);
                let apart = other.0 - one.0;
                if apart.length() <= FAR
                    && let Some(time) = time_to_collision(apart, other.1 - one.1, one.2 + other.2)
                {
                    soonest[i] = soonest[i].min(time);
                    soonest[j] = soonest[j].min(time);
                }
            }
        }
        self.people += walkers.len() as u64;
        for time in soonest.into_iter().filter(|time| *time < LATE) {
            self.times.add(time);
            self.shortest = Some(self.shortest.map_or(time, |shortest| shortest.min(time)));
        }
    }

    /// How often which time, of those who would meet somebody within 10 s.
    pub fn times(&self) -> &Histogram {
        &self.times
    }

    /// Share of people and moments with a collision ahead within so many seconds, a multiple of 0.25; `None` without people.
    pub fn share_within(&self, seconds: f64) -> Option<f64> {
        let bins = (seconds / BIN).round() as usize;
        let within: u64 = self.times.counts().iter().take(bins).sum();
        (self.people > 0).then(|| within as f64 / self.people as f64)
    }

    /// The shortest of all, s.
    pub fn shortest(&self) -> Option<f64> {
        self.shortest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(id: u32) -> Person {
        Person { id, population: String::new(), radius: 0.25, mass: 80.0, speed: 1.0, model: String::new() }
    }

    /// Two head on at 1 m/s, 10 m apart, radii 0.25: 9.5 m at 2 m/s take 4.75 s; a third walks away.
    #[test]
    fn head_on_and_away() {
        let mut collisions = Collisions::new(&[person(1), person(2), person(3)]);
        let at = [DVec2::ZERO, DVec2::new(10.0, 0.0), DVec2::new(0.0, 5.0)];
        let velocity = [Some(DVec2::X), Some(DVec2::NEG_X), Some(DVec2::Y)];
        collisions.see(&Moment { tick: 0, id: &[1, 2, 3], at: &at, velocity: &velocity, acceleration: &[None; 3] });
        assert!((collisions.shortest().unwrap() - 4.75).abs() < 1e-9);
        assert_eq!(collisions.times().total(), 2);
        assert_eq!((collisions.share_within(4.5), collisions.share_within(5.0)), (Some(0.0), Some(2.0 / 3.0)));
        assert_eq!(Collisions::new(&[]).share_within(1.0), None);
    }
}
