//! What each person's walk amounts to: time, way, turning, effort, and how long it was slow.
//!
//! Ways are taken between samples 0.4 s apart: heads sway at step frequency, and the sum over all frames would count that as way.

use passerby_geometry::{DVec2, math::double};
use passerby_record::Frame;

use crate::ById;
use crate::jumps::part_of;

/// Seconds between the samples of a way.
pub const SAMPLE: f64 = 0.4;
/// Slower than this is not walking but being held up, m/s.
pub const SLOW: f64 = 0.5;
/// Directions of shorter pieces say nothing, m.
const PIECE_MIN: f64 = 0.05;

/// Metabolic energy a kilogram and second: at rest, J/(kg s), and for the square of the speed, J s/(kg m2).
///
/// Whittle (2008), as used by Guy et al. 2010 (PLEdestrians). The way that costs least is walked at sqrt(2.23 / 1.26) = 1.33 m/s.
const EFFORT: [f64; 2] = [2.23, 1.26];

/// Energy of a kilogram that walks at `speed` m/s for `seconds`, J/kg.
pub fn effort(speed: f64, seconds: f64) -> f64 {
    (EFFORT[0] + EFFORT[1] * speed * speed) * seconds
}

/// The walk of one person.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walk {
    first: u32,
    last: u32,
    /// Where the last sample was taken, and when.
    sample: (u32, DVec2),
    here: DVec2,
    piece: Option<DVec2>,
    length: f64,
    turned: f64,
    effort: f64,
    slow: u32,
    from: DVec2,
    /// The part that they are in, how many there were, and ticks between them.
    part: u32,
    parts: u32,
    jumped: u32,
}

impl Walk {
    fn new(tick: u32, at: DVec2, part: u32) -> Walk {
        Walk {
            first: tick,
            last: tick,
            sample: (tick, at),
            here: at,
            piece: None,
            length: 0.0,
            turned: 0.0,
            effort: 0.0,
            slow: 0,
            from: at,
            part,
            parts: 1,
            jumped: 0,
        }
    }

    fn add(&mut self, tick: u32, at: DVec2, sample_ticks: u32, tick_seconds: f64) {
        if tick - self.sample.0 >= sample_ticks {
            self.end_piece(tick, at, tick_seconds);
        }
        (self.last, self.here) = (tick, at);
    }

    /// Begins anew where a jump led to: the step over it is no way, and its direction none they walked in.
    fn jump(&mut self, tick: u32, at: DVec2, part: u32, tick_seconds: f64) {
        self.end_piece(self.last, self.here, tick_seconds);
        self.jumped += tick - self.last;
        self.parts += 1;
        (self.sample, self.piece, self.part) = ((tick, at), None, part);
        (self.last, self.here) = (tick, at);
    }

    fn end_piece(&mut self, tick: u32, at: DVec2, tick_seconds: f64) {
        let (begin, from) = self.sample;
        if tick == begin {
            return;
        }
        let (piece, ticks) = (at - from, tick - begin);
        let seconds = f64::from(ticks) * tick_seconds;
        let speed = piece.length() / seconds;
        self.length += piece.length();
        self.effort += effort(speed, seconds);
        self.slow += if speed < SLOW { ticks } else { 0 };
        if piece.length() >= PIECE_MIN {
            if let Some(before) = self.piece {
                self.turned += double::atan2(before.perp_dot(piece), before.dot(piece)).abs();
            }
            self.piece = Some(piece);
        }
        self.sample = (tick, at);
    }

    /// The walk with the piece that has not ended yet.
    fn whole(mut self, tick_seconds: f64) -> Walk {
        self.end_piece(self.last, self.here, tick_seconds);
        self
    }
}

/// What a walk amounts to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amounts {
    /// Whose.
    pub id: u32,
    /// From the first to the last frame, s.
    pub seconds: f64,
    /// The same without the steps over jumps, s: what the way, the effort and the slow time are of.
    pub walked: f64,
    /// Jumps, which are left out.
    pub jumps: u32,
    /// Way, m.
    pub length: f64,
    /// From the first to the last place, m.
    pub distance: f64,
    /// Sum of all turns to either side, rad.
    pub turned: f64,
    /// J/kg.
    pub effort: f64,
    /// Seconds below 0.5 m/s.
    pub slow: f64,
}

impl Amounts {
    /// Way over time, m/s; `None` for somebody of a single frame.
    pub fn speed(&self) -> Option<f64> {
        (self.walked > 0.0).then(|| self.length / self.walked)
    }

    /// Way over straight distance; `None` for who got no farther than 1 m, and for who jumped: their ends are not of one way.
    pub fn detour(&self) -> Option<f64> {
        (self.distance > 1.0 && self.jumps == 0).then(|| self.length / self.distance)
    }
}

/// Everybody's walk.
#[derive(Debug, Clone)]
pub struct Walks {
    walks: ById<Walk>,
    sample_ticks: u32,
    tick_seconds: f64,
}

impl Walks {
    /// Nobody has walked yet. A tick is so many seconds.
    pub fn new(tick_seconds: f64) -> Walks {
        let sample_ticks = (SAMPLE / tick_seconds).round().max(1.0) as u32;
        Walks { walks: ById::default(), sample_ticks, tick_seconds }
    }

    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        self.see_parts(frame, &[]);
    }

    /// The same, with the parts that [`Jumps`](crate::Jumps) tells.
    pub fn see_parts(&mut self, frame: &Frame<'_>, parts: &[u32]) {
        let Walks { walks, sample_ticks, tick_seconds } = self;
        let at = |row: usize| DVec2::new(frame.x[row], frame.y[row]);
        walks.visit(
            frame,
            |row| Walk::new(frame.tick, at(row), part_of(parts, row)),
            |row, walk| match part_of(parts, row) {
                same if same == walk.part => walk.add(frame.tick, at(row), *sample_ticks, *tick_seconds),
                next => walk.jump(frame.tick, at(row), next, *tick_seconds),
            },
        );
    }

    /// Everybody's amounts, in order of id.
    pub fn amounts(&self) -> impl Iterator<Item = Amounts> + '_ {
        self.walks.iter().map(|(id, walk)| {
            let walk = walk.whole(self.tick_seconds);
            Amounts {
                id,
                seconds: f64::from(walk.last - walk.first) * self.tick_seconds,
                walked: f64::from(walk.last - walk.first - walk.jumped) * self.tick_seconds,
                jumps: walk.parts - 1,
                length: walk.length,
                distance: walk.from.distance(walk.here),
                turned: walk.turned,
                effort: walk.effort,
                slow: f64::from(walk.slow) * self.tick_seconds,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found}, expected {expected}");
    }

    /// The amounts of somebody who is at place(t) for so many seconds, 20 frames a second.
    fn walk(seconds: u32, place: impl Fn(f64) -> [f64; 2]) -> Amounts {
        let mut walks = Walks::new(0.05);
        for tick in 0..=20 * seconds {
            let [x, y] = place(0.05 * f64::from(tick));
            walks.see(&Frame {
                tick,
                id: &[5],
                x: &[x],
                y: &[y],
                vx: &[0.0],
                vy: &[0.0],
                heading: &[0.0],
                bodies: &[],
            });
        }
        walks.amounts().next().unwrap()
    }

    /// Section 5 of the worked examples.
    #[test]
    fn effort_of_walking_and_standing() {
        check(walk(10, |t| [1.33 * t, 0.0]).effort, 44.58814, 1e-6);
        check(walk(10, |_| [3.0, 4.0]).effort, 22.3, 1e-9);
        // Linearly to 1.5 m/s in 3 s, then 2 s; samples of 0.4 s miss a little of the square: 1.26 times 0.25 times 0.4^2 / 12 a second.
        let start = |t: f64| [if t < 3.0 { 0.25 * t * t } else { 2.25 + 1.5 * (t - 3.0) }, 0.0];
        check(walk(5, start).effort, 19.655, 0.02);
        let far = walk(75, |t| [1.33 * t, 0.0]);
        check(100.0 * far.effort / far.length, 335.3, 3.4); // J/kg for 100 m, to 1 %
    }

    #[test]
    fn way_turning_and_slowness() {
        // 4 m east, 3 m north at 1 m/s, then 3 s of standing.
        let corner = walk(10, |t| if t < 4.0 { [t, 0.0] } else { [4.0, (t - 4.0).min(3.0)] });
        check(corner.length, 7.0, 0.15); // the samples cut the corner
        check(corner.distance, 5.0, 1e-9);
        check(corner.turned, std::f64::consts::FRAC_PI_2, 1e-9);
        check(corner.slow, 3.0, 0.4);
        check(corner.seconds, 10.0, 1e-9);
        assert_eq!(walk(0, |_| [1.0, 1.0]).speed(), None);
    }

    /// 2 m east at 1 m/s, then in 0.05 s 40 m to the north, then 3 m west at 1 m/s: 5 m in 5 s, and no turn.
    #[test]
    fn a_jump_is_no_way() {
        let (mut walks, mut jumps) = (Walks::new(0.05), crate::Jumps::new(5.0, 0.05));
        for tick in 0..=101_u32 {
            let way = 0.05 * f64::from(tick);
            let (x, y) = if tick <= 40 { ([way], [0.0]) } else { ([2.0 - (way - 2.05)], [40.0]) };
            let frame = Frame { tick, id: &[5], x: &x, y: &y, vx: &[0.0], vy: &[0.0], heading: &[0.0], bodies: &[] };
            walks.see_parts(&frame, jumps.see(&frame));
        }
        let found = walks.amounts().next().unwrap();
        assert_eq!((found.jumps, jumps.count(), found.detour()), (1, 1, None));
        check(found.length, 5.0, 1e-9);
        check(found.seconds, 5.05, 1e-9);
        check(found.walked, 5.0, 1e-9);
        check(found.speed().unwrap(), 1.0, 1e-9);
        check(found.turned, 0.0, 1e-9);
        check(found.effort, effort(1.0, 5.0), 1e-9);
        check(found.slow, 0.0, 1e-9);
    }
}
