//! Who crosses a line and when: PedPy's definition.
//!
//! A movement leads from one recorded position of a person to the next. It crosses a line when it meets it and does not
//! end on it; a movement that begins on the line and leaves it crosses it. So who stops on the line and walks on is counted
//! once, when leaving it. The time of a crossing is that of the movement's end. Who crosses several times is counted at the
//! first time in N-t.

use passerby_record::{Frame, NamedLine};

use crate::ById;
use crate::jumps::part_of;

/// As near as this, m, is on the line: PedPy's value.
const ON_LINE: f64 = 1e-5;

/// One crossing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// When, in ticks.
    pub tick: u32,
    /// Who.
    pub id: u32,
    /// Whether they came from the left of the line, seen from its first end towards its second.
    pub from_left: bool,
}

/// The crossings of some lines.
#[derive(Debug, Clone)]
pub struct Crossings {
    lines: Vec<NamedLine>,
    /// Where everybody was, and in which part of their walk.
    last: ById<([f64; 2], u32)>,
    found: Vec<Vec<Crossing>>,
}

impl Crossings {
    /// Nobody has crossed any of these lines.
    pub fn new(lines: Vec<NamedLine>) -> Self {
        let found = lines.iter().map(|_| Vec::new()).collect();
        Self { lines, last: ById::default(), found }
    }

    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        self.see_parts(frame, &[]);
    }

    /// The same, with the parts that [`Jumps`](crate::Jumps) tells: nobody crosses a line by a jump.
    pub fn see_parts(&mut self, frame: &Frame<'_>, parts: &[u32]) {
        if self.lines.is_empty() {
            return;
        }
        let Self { lines, last, found } = self;
        let at = |row: usize| ([frame.x[row], frame.y[row]], part_of(parts, row));
        last.visit(frame, at, |row, last| {
            let ((from, before), (to, part)) = (std::mem::replace(last, at(row)), at(row));
            if part != before {
                return;
            }
            for (line, found) in lines.iter().zip(found.iter_mut()) {
                if crosses(from, to, line.line) {
                    // Who begins on the line came from the side opposite to the one they go to.
                    let from_left = side(line.line, to) < 0.0;
                    found.push(Crossing { tick: frame.tick, id: frame.id[row], from_left });
                }
            }
        });
    }

    /// The lines.
    pub fn lines(&self) -> &[NamedLine] {
        &self.lines
    }

    /// All crossings of the n-th line, in order of time, then of id.
    pub fn of_line(&self, n: usize) -> &[Crossing] {
        &self.found[n]
    }

    /// The ticks at which somebody crossed the n-th line for the first time, in order. The k-th is when N(t) becomes k.
    pub fn first_ticks(&self, n: usize) -> Vec<u32> {
        let mut by_person: Vec<(u32, u32)> =
            self.found[n].iter().map(|crossing| (crossing.id, crossing.tick)).collect();
        by_person.sort_unstable();
        by_person.dedup_by_key(|(id, _)| *id);
        let mut ticks: Vec<u32> = by_person.into_iter().map(|(_, tick)| tick).collect();
        ticks.sort_unstable();
        ticks
    }

    /// Flow through the n-th line, people a second: (N - 1) / (time of the last - time of the first first crossing).
    /// `None` with fewer than two people, or all in the same frame.
    pub fn flow(&self, n: usize, seconds_per_tick: f64) -> Option<f64> {
        let ticks = self.first_ticks(n);
        let (first, last) = (ticks.first()?, ticks.last()?);
        let seconds = f64::from(last - first) * seconds_per_tick;
        (seconds > 0.0).then(|| (ticks.len() - 1) as f64 / seconds)
    }

    /// Flow through the n-th line in windows of `window` frames from the first crossing to `last`, the last frame of all, as PedPy
    /// counts it: a window ends a frame after the last crossing before its border, the next begins there. Frames are `every` ticks.
    pub fn windows(&self, n: usize, last: u32, window: u32, every: u32, seconds_per_tick: f64) -> Vec<FlowWindow> {
        let frames: Vec<u32> = self.first_ticks(n).iter().map(|tick| tick / every).collect();
        let Some(first) = frames.first() else { return Vec::new() };
        let (mut begin, mut before, mut found) = (*first, 0, Vec::new());
        let mut border = first.saturating_add(window.max(1));
        while border < last / every {
            let passed = frames.partition_point(|frame| *frame <= border);
            if passed != before {
                let end = frames[passed - 1] + 1;
                let seconds = f64::from(end - begin) * f64::from(every) * seconds_per_tick;
                found.push(FlowWindow {
                    begin: begin * every,
                    end: end * every,
                    people: passed - before,
                    flow: (passed - before) as f64 / seconds,
                });
                (begin, before) = (end, passed);
            }
            border = border.saturating_add(window.max(1));
        }
        found
    }
}

/// How many crossed in a part of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlowWindow {
    /// Its first tick.
    pub begin: u32,
    /// The tick after its last crossing.
    pub end: u32,
    /// First crossings in it.
    pub people: usize,
    /// People a second.
    pub flow: f64,
}

/// Whether the movement meets the line and does not end on it.
fn crosses(from: [f64; 2], to: [f64; 2], line: [[f64; 2]; 2]) -> bool {
    meets(from, to, line) && distance(to, line) >= ON_LINE
}

/// Whether the movement and the line have a point in common.
pub(crate) fn meets(from: [f64; 2], to: [f64; 2], line: [[f64; 2]; 2]) -> bool {
    let movement = [from, to];
    let [a, b] = line.map(|end| side(movement, end));
    let [c, d] = movement.map(|end| side(line, end));
    let apart = |p: f64, q: f64| (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
    if apart(a, b) || apart(c, d) || from == to {
        return false;
    }
    let along = a == 0.0 && b == 0.0;
    !along || overlap(movement, line)
}

/// Whether the rectangles around two pieces of one straight line meet.
fn overlap(a: [[f64; 2]; 2], b: [[f64; 2]; 2]) -> bool {
    (0..2).all(|axis| {
        let span = |line: [[f64; 2]; 2]| (line[0][axis].min(line[1][axis]), line[0][axis].max(line[1][axis]));
        let ((a_low, a_high), (b_low, b_high)) = (span(a), span(b));
        a_low <= b_high && b_low <= a_high
    })
}

/// Twice the area of the triangle of line and point: positive when the point is to the left.
fn side(line: [[f64; 2]; 2], point: [f64; 2]) -> f64 {
    let [a, b] = line;
    (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
}

fn distance(point: [f64; 2], line: [[f64; 2]; 2]) -> f64 {
    let [a, b] = line;
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
    let squared = along[0] * along[0] + along[1] * along[1];
    let fraction = if squared > 0.0 { ((to[0] * along[0] + to[1] * along[1]) / squared).clamp(0.0, 1.0) } else { 0.0 };
    let gap = [to[0] - fraction * along[0], to[1] - fraction * along[1]];
    (gap[0] * gap[0] + gap[1] * gap[1]).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ticks at which somebody who is at these places at ticks 0, 1, .. crosses the line x = 0, y from -1 to 1.
    #[track_caller]
    fn check(places: &[[f64; 2]], expected: &[(u32, bool)]) {
        let line = NamedLine { name: "line".into(), line: [[0.0, -1.0], [0.0, 1.0]] };
        let mut crossings = Crossings::new(vec![line]);
        for (tick, [x, y]) in places.iter().enumerate() {
            let tick = tick as u32;
            crossings.see(&Frame {
                tick,
                id: &[3],
                x: &[*x],
                y: &[*y],
                vx: &[0.0],
                vy: &[0.0],
                heading: &[0.0],
                bodies: &[],
            });
        }
        let found: Vec<(u32, bool)> = crossings.of_line(0).iter().map(|c| (c.tick, c.from_left)).collect();
        assert_eq!(found, expected, "{places:?}");
    }

    #[test]
    fn a_crossing_meets_the_line_and_does_not_end_on_it() {
        check(&[[-1.0, 0.0], [-0.2, 0.0], [0.3, 0.0], [1.0, 0.0]], &[(2, true)]);
        check(&[[1.0, 0.0], [-1.0, 0.5]], &[(1, false)]);
        check(&[[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]], &[(2, true)]); // ends on it, then leaves it
        check(&[[-1.0, 0.0], [0.0, 0.0], [0.0, 0.5], [0.0, 0.5], [1.0, 0.0]], &[(4, true)]); // walks along it, stands
        check(&[[-1.0, 0.0], [0.0, 0.0], [-1.0, 0.0]], &[(2, false)]); // turns on it: PedPy counts that
        check(&[[-1.0, 0.0], [0.000_005, 0.0], [1.0, 0.0]], &[]); // so near is on it, and leaves from its far side
        check(&[[-1.0, 1.5], [1.0, 1.5]], &[]); // past its end
        check(&[[-1.0, 1.0], [1.0, 1.0]], &[(1, true)]); // through its end
        check(&[[0.0, -3.0], [0.0, -2.0]], &[]); // on the same straight line, before it
        check(&[[0.0, -3.0], [0.0, 3.0]], &[(1, false)]); // all along it
        check(&[[-1.0, 0.0], [1.0, 0.0], [-1.0, 0.0]], &[(1, true), (2, false)]);
    }

    /// From x = -1.2 by 0.4 m a second and frame, but a jump of 30 m leads there and back over the line: it is crossed on foot only.
    #[test]
    fn nobody_crosses_by_a_jump() {
        let line = NamedLine { name: "line".into(), line: [[0.0, -1.0], [0.0, 1.0]] };
        let (mut crossings, mut all, mut jumps) =
            (Crossings::new(vec![line.clone()]), Crossings::new(vec![line]), crate::Jumps::new(5.0, 1.0));
        for (tick, x) in [-1.2, 30.0, -0.8, -0.4, 0.2, 0.6, -30.0, 1.0].into_iter().enumerate() {
            let (tick, x) = (tick as u32, [x]);
            let frame =
                Frame { tick, id: &[3], x: &x, y: &[0.0], vx: &[0.0], vy: &[0.0], heading: &[0.0], bodies: &[] };
            crossings.see_parts(&frame, jumps.see(&frame));
            all.see(&frame);
        }
        let ticks = |of: &Crossings| of.of_line(0).iter().map(|crossing| crossing.tick).collect::<Vec<_>>();
        assert_eq!((ticks(&crossings), ticks(&all), jumps.count()), (vec![4], vec![1, 2, 4, 6, 7], 4));
    }

    /// Two walkers at 1 m/s and 0.5 m/s, from x = -1 and x = -2; the second one comes back.
    #[test]
    fn each_person_counts_once_in_n_t() {
        let line = |x: f64| NamedLine { name: "line".into(), line: [[x, -5.0], [x, 5.0]] };
        let mut crossings = Crossings::new(vec![line(0.03), line(100.0)]);
        for tick in 0..=100 {
            let time = 0.1 * f64::from(tick);
            let slow = if time < 6.0 { -2.0 + 0.5 * time } else { 1.0 - 0.5 * (time - 6.0) };
            let (x, y) = ([-1.0 + time, slow], [0.0, 1.0]);
            crossings.see(&Frame {
                tick,
                id: &[4, 9],
                x: &x,
                y: &y,
                vx: &[0.0; 2],
                vy: &[0.0; 2],
                heading: &[0.0; 2],
                bodies: &[],
            });
        }
        // At 0.03 m after 1.03 s and after 4.06 s, and back after 7.94 s; the next frames are 11, 41 and 80.
        assert_eq!(crossings.first_ticks(0), [11, 41]);
        let ticks: Vec<u32> = crossings.of_line(0).iter().map(|crossing| crossing.tick).collect();
        assert_eq!(ticks, [11, 41, 80]);
        assert!((crossings.flow(0, 0.1).unwrap() - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!((crossings.first_ticks(1), crossings.flow(1, 0.1)), (vec![], None));
    }
}
