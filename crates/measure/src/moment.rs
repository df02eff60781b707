//! A frame together with how everybody moves: velocities and accelerations as differences of positions, PedPy's definition.
//!
//! Speeds of models and of camera systems are not comparable: a model knows its velocity, a camera sees a swaying head. So both are
//! measured by the same ruler: the way from n frames before to n frames after. Where one of the two is missing, at the ends of
//! somebody's track, the way from or to the present place is taken.

use std::collections::VecDeque;

use passerby_geometry::DVec2;
use passerby_record::Frame;

use crate::jumps::part_of;

/// One frame, in order of id, and how everybody moves.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// When, in ticks.
    pub tick: u32,
    /// Who is there.
    pub id: &'a [u32],
    /// Where, m.
    pub at: &'a [DVec2],
    /// m/s; none for somebody who is not there n frames earlier nor n frames later.
    pub velocity: &'a [Option<DVec2>],
    /// m/s2; none within 2 n frames of the ends of a track.
    pub acceleration: &'a [Option<DVec2>],
}

/// Makes moments of frames, 2 n frames after they were seen.
#[derive(Debug, Clone)]
pub struct Motion {
    step: u32,
    every: u32,
    frame_seconds: f64,
    held: VecDeque<Held>,
    /// How many of those held have been handed on.
    done: usize,
    velocity: Vec<Option<DVec2>>,
    acceleration: Vec<Option<DVec2>>,
    found: [Vec<Option<DVec2>>; 2],
}

#[derive(Debug, Clone, Default)]
struct Held {
    /// Number of the frame: its tick in units of the ticks between two frames.
    number: u32,
    tick: u32,
    id: Vec<u32>,
    at: Vec<DVec2>,
    part: Vec<u32>,
}

impl Motion {
    /// Differences over `step` frames to each side. A frame was recorded every `every` ticks of `tick` seconds.
    ///
    /// Panics if one of them is zero.
    pub fn new(step: u32, every: u32, tick: f64) -> Motion {
        assert!(step > 0 && every > 0 && tick > 0.0, "{step} frames, every {every} ticks of {tick} s");
        Motion {
            step,
            every,
            frame_seconds: tick * f64::from(every),
            held: VecDeque::new(),
            done: 0,
            velocity: Vec::new(),
            acceleration: Vec::new(),
            found: Default::default(),
        }
    }

    /// The step that is nearest to `seconds` on each side, at least one frame.
    pub fn step_of(seconds: f64, every: u32, tick: f64) -> u32 {
        (seconds / (tick * f64::from(every))).round().clamp(1.0, 1e6) as u32
    }

    /// Frames on each side.
    pub fn step(&self) -> u32 {
        self.step
    }

    /// Takes in the next frame, and hands on those that are complete.
    pub fn see(&mut self, frame: &Frame<'_>, each: &mut dyn FnMut(&Moment<'_>)) {
        self.see_parts(frame, &[], each);
    }

    /// The same, with the parts that [`Jumps`](crate::Jumps) tells: a jump ends a track, and another begins.
    pub fn see_parts(&mut self, frame: &Frame<'_>, parts: &[u32], each: &mut dyn FnMut(&Moment<'_>)) {
        let number = frame.tick / self.every;
        let mut held = self.forget(number);
        (held.number, held.tick) = (number, frame.tick);
        held.id.extend_from_slice(frame.id);
        held.at.extend(frame.x.iter().zip(frame.y).map(|(x, y)| DVec2::new(*x, *y)));
        held.part.extend((0..frame.id.len()).map(|row| part_of(parts, row)));
        self.held.push_back(held);
        while self.done < self.held.len() && self.held[self.done].number + 2 * self.step <= number {
            self.hand_on(self.done, each);
            self.done += 1;
        }
    }

    /// Hands on the frames that are left.
    pub fn finish(&mut self, each: &mut dyn FnMut(&Moment<'_>)) {
        while self.done < self.held.len() {
            self.hand_on(self.done, each);
            self.done += 1;
        }
    }

    /// Memory of frames that nobody looks back to any more.
    fn forget(&mut self, newest: u32) -> Held {
        let oldest = self.held.get(self.done).map_or(newest, |next| next.number).saturating_sub(2 * self.step);
        let mut free = Held::default();
        while self.done > 0 && self.held.front().is_some_and(|held| held.number < oldest) {
            free = self.held.pop_front().unwrap_or_default();
            self.done -= 1;
        }
        (free.id.clear(), free.at.clear(), free.part.clear());
        free
    }

    fn hand_on(&mut self, n: usize, each: &mut dyn FnMut(&Moment<'_>)) {
        let Motion { step, frame_seconds, held, velocity, acceleration, found, .. } = self;
        let now = &held[n];
        let seconds = f64::from(*step) * *frame_seconds;
        let [before, after] = found;
        look_up(held, now, -i64::from(*step), before);
        look_up(held, now, i64::from(*step), after);
        velocity.clear();
        velocity.extend((0..now.id.len()).map(|i| match (before[i], after[i]) {
            (Some(from), Some(to)) => Some((to - from) / (2.0 * seconds)),
            (Some(from), None) => Some((now.at[i] - from) / seconds),
            (None, Some(to)) => Some((to - now.at[i]) / seconds),
            (None, None) => None,
        }));
        look_up(held, now, -2 * i64::from(*step), before);
        look_up(held, now, 2 * i64::from(*step), after);
        acceleration.clear();
        acceleration.extend((0..now.id.len()).map(|i| match (before[i], after[i]) {
            (Some(from), Some(to)) => Some((to - 2.0 * now.at[i] + from) / (4.0 * seconds * seconds)),
            _ => None,
        }));
        each(&Moment { tick: now.tick, id: &now.id, at: &now.at, velocity, acceleration });
    }
}

/// Where those of a frame are `shift` frames later, in the same part of their walk.
fn look_up(held: &VecDeque<Held>, now: &Held, shift: i64, out: &mut Vec<Option<DVec2>>) {
    out.clear();
    let wanted = i64::from(now.number) + shift;
    let other = held.binary_search_by_key(&wanted, |held| i64::from(held.number)).ok().map(|i| &held[i]);
    let Some(other) = other else {
        out.resize(now.id.len(), None);
        return;
    };
    let mut place = 0;
    out.extend(now.id.iter().zip(&now.part).map(|(id, part)| {
        while other.id.get(place).is_some_and(|there| there < id) {
            place += 1;
        }
        (other.id.get(place) == Some(id) && other.part[place] == *part).then(|| other.at[place])
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    type Seen = Vec<(u32, u32, Option<f64>, Option<f64>)>;

    /// Tick, id, speed, acceleration along x of everybody who is at x = place(id, frame) in each frame; 2 ticks of 0.25 s a frame.
    fn moments(frames: u32, step: u32, place: impl Fn(u32, u32) -> Option<f64>) -> Seen {
        let (mut motion, mut seen) = (Motion::new(step, 2, 0.25), Vec::new());
        let mut each = |moment: &Moment<'_>| {
            for i in 0..moment.id.len() {
                let (v, a) = (moment.velocity[i].map(|v| v.x), moment.acceleration[i].map(|a| a.x));
                seen.push((moment.tick, moment.id[i], v, a));
            }
        };
        for n in 0..frames {
            let (id, x): (Vec<u32>, Vec<f64>) = [3, 7].iter().filter_map(|id| Some((*id, place(*id, n)?))).unzip();
            let (y, v) = (vec![1.0; id.len()], vec![0.0; id.len()]);
            motion.see(
                &Frame { tick: 2 * n, id: &id, x: &x, y: &y, vx: &v, vy: &v, heading: &v, bodies: &[] },
                &mut each,
            );
        }
        motion.finish(&mut each);
        seen
    }

    /// x = t^2 of one who is there from frame 0 to 6, with n = 1 frame of 0.5 s: v = 2 t inside, a = 2 two frames inside.
    #[test]
    fn differences_on_both_sides_or_on_one() {
        let square = |id: u32, n: u32| (id == 3).then(|| f64::from(n * n) / 4.0);
        let seen = moments(7, 1, square);
        let speeds: Vec<Option<f64>> = seen.iter().map(|row| row.2).collect();
        assert_eq!(speeds, [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 5.5].map(Some));
        let accelerations: Vec<Option<f64>> = seen.iter().map(|row| row.3).collect();
        assert_eq!(accelerations, [None, None, Some(2.0), Some(2.0), Some(2.0), None, None]);
        assert!(seen.iter().map(|row| row.0).eq((0..7).map(|n| 2 * n)));
    }

    /// 7 comes in frame 4 for a single frame, 3 is lost in frame 3.
    #[test]
    fn who_is_alone_in_time_has_no_speed_and_a_gap_ends_a_track() {
        let seen = moments(8, 2, |id, n| match id {
            7 => (n == 4).then_some(9.0),
            _ => (n != 3).then(|| f64::from(n)),
        });
        assert_eq!(seen.iter().filter(|row| row.1 == 7).collect::<Vec<_>>(), [&(8, 7, None, None)]);
        let speeds: Vec<Option<f64>> = seen.iter().filter(|row| row.1 == 3).map(|row| row.2).collect();
        // 1 m each 0.5 s; in frame 1 there is neither the frame -1 nor, for the gap, the frame 3.
        assert_eq!(speeds, [Some(2.0), None, Some(2.0), Some(2.0), Some(2.0), Some(2.0), Some(2.0)]);
        assert_eq!(seen.len(), 8);
    }

    /// 2 m/s, with a jump of 50 m after frame 4: no velocity is taken over it, and no acceleration.
    #[test]
    fn velocities_end_at_a_jump() {
        let (mut motion, mut jumps, mut seen) = (Motion::new(2, 1, 0.5), crate::Jumps::new(5.0, 0.5), Vec::new());
        let mut each = |moment: &Moment<'_>| seen.push((moment.velocity[0].map(|v| v.x), moment.acceleration[0]));
        for tick in 0..10 {
            let x = [f64::from(tick) + if tick > 4 { 50.0 } else { 0.0 }];
            let frame =
                Frame { tick, id: &[3], x: &x, y: &[1.0], vx: &[0.0], vy: &[0.0], heading: &[0.0], bodies: &[] };
            motion.see_parts(&frame, jumps.see(&frame), &mut each);
        }
        motion.finish(&mut each);
        assert!(seen.iter().all(|(velocity, _)| *velocity == Some(2.0)), "{seen:?}");
        assert!(seen.iter().all(|(_, acceleration)| acceleration.is_none()), "{seen:?}");
    }

    #[test]
    fn frames_that_are_missing_for_all_are_waited_for_no_longer_than_needed() {
        let seen = moments(40, 3, |id, n| (id == 3 && !(10..25).contains(&n)).then(|| f64::from(n)));
        assert_eq!(seen.len(), 25);
        assert!(seen.iter().all(|row| row.2 == Some(2.0)));
    }

    #[test]
    fn steps_come_from_seconds() {
        assert_eq!(
            (Motion::step_of(0.2, 1, 0.04), Motion::step_of(0.2, 1, 0.0625), Motion::step_of(0.2, 1, 0.4)),
            (5, 3, 1)
        );
    }
}
