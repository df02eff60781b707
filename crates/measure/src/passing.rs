//! Who walks through a strip between two parallel lines: how fast, and how dense it was for them.
//!
//! PedPy's definition. Somebody passes who enters by one line, stays inside in every frame, and leaves by the other. Their speed is
//! the width of the strip over the time from the first frame inside to the first frame outside; their density is the mean of
//! people / area over the frames inside.

use passerby_geometry::{DVec2, Polygon, PolygonError};
use passerby_record::{Frame, NamedLine};

use crate::ById;
use crate::crossings::meets;
use crate::jumps::part_of;

/// Somebody who has passed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passed {
    /// Who.
    pub id: u32,
    /// First tick inside.
    pub entered: u32,
    /// First tick outside again.
    pub left: u32,
    /// m/s.
    pub speed: f64,
    /// 1/m2.
    pub density: f64,
}

/// A strip and who has passed it.
#[derive(Debug, Clone)]
pub struct Passing {
    /// Its name.
    pub name: String,
    lines: [[[f64; 2]; 2]; 2],
    polygon: Polygon,
    width: f64,
    every: u32,
    tick_seconds: f64,
    people: ById<Walker>,
    /// People inside, added up over all frames so far: a mean over frames is a difference.
    counted: f64,
    passed: Vec<Passed>,
}

#[derive(Debug, Clone, Copy)]
struct Walker {
    tick: u32,
    at: [f64; 2],
    part: u32,
    inside: Option<Inside>,
}

#[derive(Debug, Clone, Copy)]
struct Inside {
    since: u32,
    by: [bool; 2],
    counted: f64,
}

impl Passing {
    /// A strip of `width` metres to the left of a line, seen from its first end to its second. A frame is `every` ticks of
    /// `tick_seconds`.
    pub fn new(line: &NamedLine, width: f64, every: u32, tick_seconds: f64) -> Result<Passing, PolygonError> {
        let [a, b] = line.line.map(DVec2::from);
        let aside = (b - a).normalize_or_zero().perp() * width;
        let polygon = Polygon::new(vec![a, b, b + aside, a + aside])?;
        let other = [a + aside, b + aside].map(|p| [p.x, p.y]);
        Ok(Passing {
            name: line.name.clone(),
            lines: [line.line, other],
            polygon,
            width,
            every,
            tick_seconds,
            people: ById::default(),
            counted: 0.0,
            passed: Vec::new(),
        })
    }

    /// Its corners, m.
    pub fn corners(&self) -> [[f64; 2]; 4] {
        let [[a, b], [d, c]] = self.lines;
        [a, b, c, d]
    }

    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        self.see_parts(frame, &[]);
    }

    /// The same, with the parts that [`Jumps`](crate::Jumps) tells: a jump leads neither in nor out.
    pub fn see_parts(&mut self, frame: &Frame<'_>, parts: &[u32]) {
        let Passing { lines, polygon, width, every, tick_seconds, people, counted, passed, .. } = self;
        let inside = |at: [f64; 2]| polygon.surrounds(at.into());
        let at = |row: usize| [frame.x[row], frame.y[row]];
        let present = (0..frame.id.len()).filter(|row| inside(at(*row))).count() as f64;
        let new = |row: usize| Walker { tick: frame.tick, at: at(row), part: part_of(parts, row), inside: None };
        let tick = frame.tick;
        people.visit(frame, new, |row, walker| {
            let here = at(row);
            let part = part_of(parts, row);
            let follows = walker.tick + *every == tick && part == walker.part;
            let by = lines.map(|line| follows && meets(walker.at, here, line));
            let was = walker.inside.filter(|_| follows);
            walker.inside = match (was, inside(here)) {
                (Some(run), true) => Some(run),
                (None, true) => Some(Inside { since: tick, by, counted: *counted }),
                (Some(run), false) => {
                    if (run.by[0] && by[1]) || (run.by[1] && by[0]) {
                        let frames = f64::from((tick - run.since) / *every);
                        let seconds = f64::from(tick - run.since) * *tick_seconds;
                        let density = (*counted - run.counted) / frames / polygon.area();
                        passed.push(Passed {
                            id: frame.id[row],
                            entered: run.since,
                            left: tick,
                            speed: *width / seconds,
                            density,
                        });
                    }
                    None
                }
                (None, false) => None,
            };
            (walker.tick, walker.at) = (tick, here);
        });
        *counted += present;
    }

    /// All who have passed, in order of time, then of id.
    pub fn passed(&self) -> &[Passed] {
        &self.passed
    }

    /// Area of the strip, m2.
    pub fn area(&self) -> f64 {
        self.polygon.area()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip from y = 0 to y = 2, 4 m wide. Frames of 2 ticks of 0.25 s.
    fn strip(frames: &[&[(u32, f64)]]) -> Vec<Passed> {
        let line = NamedLine { name: "strip".into(), line: [[0.0, 0.0], [4.0, 0.0]] };
        let mut passing = Passing::new(&line, 2.0, 2, 0.25).unwrap();
        for (n, people) in frames.iter().enumerate() {
            let (id, y): (Vec<u32>, Vec<f64>) = people.iter().copied().unzip();
            let (x, v) = (vec![1.0; id.len()], vec![0.0; id.len()]);
            passing.see(&Frame { tick: 2 * n as u32, id: &id, x: &x, y: &y, vx: &v, vy: &v, heading: &v, bodies: &[] });
        }
        passing.passed().to_vec()
    }

    #[test]
    fn through_is_through() {
        // Inside in frames 1 and 2, outside in frame 3: 2 m in 1 s. In frame 2 a second person is inside: mean of 1 and 2 on 8 m2.
        let passed = strip(&[&[(1, -0.5)], &[(1, 0.5)], &[(1, 1.5), (4, 1.0)], &[(1, 2.5), (4, 1.0)]]);
        assert_eq!(passed, [Passed { id: 1, entered: 2, left: 6, speed: 2.0, density: 1.5 / 8.0 }]);
        let back = strip(&[&[(1, 2.5)], &[(1, 1.5)], &[(1, -0.5)]]);
        assert_eq!(back, [Passed { id: 1, entered: 2, left: 4, speed: 4.0, density: 1.0 / 8.0 }]);
    }

    #[test]
    fn who_turns_is_lost_or_was_there_before_has_not_passed() {
        assert!(strip(&[&[(1, -0.5)], &[(1, 0.5)], &[(1, -0.5)]]).is_empty()); // turns
        assert!(strip(&[&[(1, 0.5)], &[(1, 1.5)], &[(1, 2.5)]]).is_empty()); // begins inside
        assert!(strip(&[&[(1, -0.5)], &[(1, 0.5)], &[], &[(1, 1.5)], &[(1, 2.5)]]).is_empty()); // is lost for a frame
    }
}
