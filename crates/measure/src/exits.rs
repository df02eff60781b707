//! By which exit people leave: how many, when the first and the last, and how many a second.
//!
//! Somebody has left by the exit they were in, or within half a metre of, when they were last seen. Who is there in the last frame has
//! not left.

use passerby_geometry::{DVec2, Polygon};
use passerby_record::Frame;

use crate::ById;

/// Between two frames somebody may go in and be gone, m.
const NEAR: f64 = 0.5;

/// How one exit was used.
#[derive(Debug, Clone, PartialEq)]
pub struct ExitUse {
    /// Its name.
    pub name: String,
    /// Ticks at which people were last seen, in order.
    pub ticks: Vec<u32>,
}

impl ExitUse {
    /// People a second from the first to the last; `None` for fewer than two.
    pub fn flow(&self, tick_seconds: f64) -> Option<f64> {
        let (first, last) = (self.ticks.first()?, self.ticks.last()?);
        let seconds = f64::from(last - first) * tick_seconds;
        (seconds > 0.0).then(|| (self.ticks.len() - 1) as f64 / seconds)
    }

    /// Flow over time: where windows of `length` ticks begin, and how many left in each. The first begins with the first one; windows in
    /// which nobody left are not among them, so that a recording with a long break has few.
    pub fn windows(&self, length: u32) -> Vec<(u32, usize)> {
        let Some(first) = self.ticks.first() else { return Vec::new() };
        let length = length.max(1);
        let window = |tick: &u32| (tick - first) / length;
        let chunks = self.ticks.chunk_by(|a, b| window(a) == window(b));
        chunks.map(|people| (first + window(&people[0]) * length, people.len())).collect()
    }
}

/// The exits of a place.
#[derive(Debug, Clone)]
pub struct Exits {
    exits: Vec<(String, Polygon)>,
    /// Last tick, and the exit that each was in then.
    people: ById<(u32, Option<u32>)>,
    last: Option<u32>,
}

impl Exits {
    /// Named areas by which people leave. Where they overlap the first counts.
    pub fn new(exits: Vec<(String, Polygon)>) -> Exits {
        Exits { exits, people: ById::default(), last: None }
    }

    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        let Exits { exits, people, last } = self;
        *last = Some(frame.tick);
        let exit = |row: usize| {
            let at = DVec2::new(frame.x[row], frame.y[row]);
            let inside = exits.iter().position(|(_, polygon)| polygon.contains(at));
            inside.or_else(|| exits.iter().position(|(_, polygon)| polygon.distance(at) <= NEAR)).map(|n| n as u32)
        };
        people.visit(frame, |_| (frame.tick, None), |row, person| *person = (frame.tick, exit(row)));
    }

    /// How each exit was used, in their order; and how many vanished elsewhere.
    pub fn uses(&self) -> (Vec<ExitUse>, usize) {
        let name = |(name, _): &(String, Polygon)| ExitUse { name: name.clone(), ticks: Vec::new() };
        let mut uses: Vec<ExitUse> = self.exits.iter().map(name).collect();
        let mut elsewhere = 0;
        for (_, (tick, exit)) in self.people.iter().filter(|(_, (tick, _))| Some(*tick) != self.last) {
            match exit {
                Some(exit) => uses[*exit as usize].ticks.push(*tick),
                None => elsewhere += 1,
            }
        }
        uses.iter_mut().for_each(|exit| exit.ticks.sort_unstable());
        (uses, elsewhere)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_gone_has_left_where_they_were() {
        let room = |x: f64| Polygon::rectangle(DVec2::new(x, 0.0), DVec2::new(x + 1.0, 4.0)).unwrap();
        let mut exits = Exits::new(vec![("west".into(), room(-1.0)), ("east".into(), room(9.0))]);
        // 1 leaves west after frame 1, 2 and 3 leave east after frames 2 and 4, 4 vanishes in the middle, 5 stays in the west.
        let frames: [&[(u32, f64)]; 6] = [
            &[(1, 1.0), (2, 5.0), (3, 5.0), (4, 5.0), (5, -0.5)],
            &[(1, -0.5), (2, 8.0), (3, 9.5), (4, 5.0), (5, -0.5)],
            &[(2, 9.1), (3, 8.0), (4, 5.0), (5, -0.5)],
            &[(3, 8.5), (5, -0.5)],
            &[(3, 9.0), (5, -0.5)],
            &[(5, -0.5)],
        ];
        for (tick, people) in frames.iter().enumerate() {
            let (id, x): (Vec<u32>, Vec<f64>) = people.iter().copied().unzip();
            let (y, v) = (vec![2.0; id.len()], vec![0.0; id.len()]);
            exits.see(&Frame { tick: tick as u32, id: &id, x: &x, y: &y, vx: &v, vy: &v, heading: &v, bodies: &[] });
        }
        let (uses, elsewhere) = exits.uses();
        assert_eq!((&uses[0].ticks[..], &uses[1].ticks[..], elsewhere), (&[1][..], &[2, 4][..], 1));
        assert_eq!((uses[0].flow(0.5), uses[1].flow(0.5)), (None, Some(1.0)));
    }

    /// From 7 on in windows of 10: 7 to 16, 17 to 26, nobody from 27 to 36, 37 to 46.
    #[test]
    fn flow_over_time() {
        let exit = |ticks: &[u32]| ExitUse { name: "exit".into(), ticks: ticks.to_vec() };
        assert_eq!(exit(&[7, 7, 16, 17, 26, 37]).windows(10), [(7, 3), (17, 2), (37, 1)]);
        assert_eq!(exit(&[]).windows(10), []);
        assert_eq!(exit(&[0, u32::MAX]).windows(0), [(0, 1), (u32::MAX, 1)]);
    }
}
