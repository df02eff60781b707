//! What is wrong with recorded data: told, never mended. Somebody who vanishes for some frames, who moves faster than people can (a jump,
//! which the other measures leave out), who is outside of the floor or in an obstacle, who is there twice, who never moves, whose walk is
//! too short to be smoothed.

use std::collections::BTreeMap;

use passerby_geometry::{Area, DVec2, Polygon, PolygonError};
use passerby_record::{Frame, Header};

use crate::TOO_SHORT;
use crate::jumps::is_jump;

/// Examples that are kept of each kind.
const EXAMPLES: usize = 10;

/// When something counts as wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AuditLimits {
    /// Nobody moves faster than this from a frame to the next, m/s, > 0, default 5. A sprinter does 10, a walker no more than
    /// 2.5; noise of some centimetres looks like 5 m/s at 120 frames a second.
    pub speed: f64,
    /// Who stays within a circle of about this radius for all of their time stands still, m, default 0.1.
    pub still: f64,
    /// If that is at least this long, s, default 5.
    pub still_time: f64,
}

impl Default for AuditLimits {
    fn default() -> Self {
        Self { speed: 5.0, still: 0.1, still_time: 5.0 }
    }
}

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Somebody is missing between two frames in which they are there; the value is how many frames.
    Gap,
    /// Somebody moves too fast between two frames; the value is their speed, m/s.
    Jump,
    /// Somebody is outside of the floor; the value is how far, m.
    OutsideFloor,
    /// Somebody is in an obstacle; the value is how deep, m.
    InObstacle,
    /// Somebody has two rows in a frame; the value is how far apart they are, m.
    Twice,
    /// A place is no number.
    NotFinite,
    /// A frame comes before or together with another of a later or the same tick, and is not looked at.
    FrameOrder,
    /// Somebody never moves; the value is for how long, s.
    Still,
    /// Somebody has 12 rows or fewer, too few to be smoothed; the value is how many.
    Short,
}

impl Fault {
    /// What it is, in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Fault::Gap => "missing between frames",
            Fault::Jump => "faster than people are",
            Fault::OutsideFloor => "outside of the floor",
            Fault::InObstacle => "in an obstacle",
            Fault::Twice => "twice in a frame",
            Fault::NotFinite => "at no place",
            Fault::FrameOrder => "frames out of order",
            Fault::Still => "never move",
            Fault::Short => "too short to be smoothed",
        }
    }
}

/// Where a fault is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaultExample {
    /// Who; `None` for a whole frame.
    pub id: Option<u32>,
    /// When, in ticks.
    pub tick: u32,
    /// Where, m.
    pub at: [f64; 2],
    /// See [`Fault`].
    pub value: f64,
}

/// Faults of one kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Faults {
    /// How many.
    pub count: u64,
    /// The first ten.
    pub examples: Vec<FaultExample>,
}

/// What is remembered of somebody.
#[derive(Debug, Clone, Copy)]
struct Passing {
    first: u32,
    last: u32,
    rows: u64,
    at: DVec2,
    low: DVec2,
    high: DVec2,
}

/// Looks for what is wrong.
#[derive(Debug, Clone)]
pub struct Audit {
    limits: AuditLimits,
    tick: f64,
    every: u32,
    areas: Vec<Area>,
    obstacles: Vec<Polygon>,
    people: BTreeMap<u32, Passing>,
    faults: BTreeMap<Fault, Faults>,
    rows: u64,
    frames: u64,
    last: Option<u32>,
}

impl Audit {
    /// Nothing was seen yet. People are looked for outside of the floor if the header has one.
    pub fn new(header: &Header, limits: AuditLimits) -> Result<Audit, PolygonError> {
        let ring = |ring: &Vec<[f64; 2]>| Polygon::new(ring.iter().copied().map(DVec2::from_array).collect());
        let area = |rings: &Vec<Vec<[f64; 2]>>| {
            let mut rings = rings.iter().map(ring).collect::<Result<Vec<_>, _>>()?.into_iter();
            rings.next().map(|outer| Area::new(outer, rings.collect())).transpose()
        };
        let areas = header.place.areas.iter().map(area).collect::<Result<Vec<_>, _>>()?;
        Ok(Audit {
            limits,
            tick: header.tick,
            every: header.every.max(1),
            areas: areas.into_iter().flatten().collect(),
            obstacles: header.place.obstacles.iter().map(ring).collect::<Result<_, _>>()?,
            people: BTreeMap::new(),
            faults: BTreeMap::new(),
            rows: 0,
            frames: 0,
            last: None,
        })
    }

    /// Takes in the next frame. Ids need not rise in it.
    pub fn see(&mut self, frame: &Frame<'_>) {
        self.frames += 1;
        if self.last.is_some_and(|last| frame.tick <= last) {
            self.found(
                Fault::FrameOrder,
                FaultExample { id: None, tick: frame.tick, at: [f64::NAN; 2], value: f64::NAN },
            );
            return;
        }
        self.last = Some(frame.tick);
        for row in 0..frame.id.len() {
            self.rows += 1;
            let at = DVec2::new(frame.x[row], frame.y[row]);
            let fault =
                |value: f64| FaultExample { id: Some(frame.id[row]), tick: frame.tick, at: at.to_array(), value };
            if !at.is_finite() {
                self.found(Fault::NotFinite, fault(f64::NAN));
                continue;
            }
            self.look_where(at, fault);
            self.look_how(frame.id[row], frame.tick, at, fault);
        }
    }

    /// What is wrong, kind by kind; kinds of which there is nothing are left out. People who are still there count as if they
    /// left now.
    pub fn faults(&self) -> BTreeMap<Fault, Faults> {
        let mut faults = self.faults.clone();
        for (id, passing) in &self.people {
            let example = |value: f64| FaultExample {
                id: Some(*id),
                tick: passing.first,
                at: passing.low.midpoint(passing.high).to_array(),
                value,
            };
            let time = f64::from(passing.last - passing.first) * self.tick;
            let radius = 0.5 * (passing.high - passing.low).max_element();
            if radius <= self.limits.still && time >= self.limits.still_time {
                add(&mut faults, Fault::Still, example(time));
            }
            if passing.rows <= TOO_SHORT as u64 {
                add(&mut faults, Fault::Short, example(passing.rows as f64));
            }
        }
        faults
    }

    /// How many frames, rows and people were looked at.
    pub fn seen(&self) -> (u64, u64, u64) {
        (self.frames, self.rows, self.people.len() as u64)
    }

    fn look_where(&mut self, at: DVec2, fault: impl Fn(f64) -> FaultExample) {
        if !self.areas.is_empty() && !self.areas.iter().any(|area| area.contains(at)) {
            let outlines = self.areas.iter().flat_map(|area| area.rings());
            let far = outlines.map(|ring| ring.closest_point(at).distance(at)).fold(f64::INFINITY, f64::min);
            self.found(Fault::OutsideFloor, fault(far));
        }
        let depth = |obstacle: &Polygon| obstacle.closest_point(at).distance(at);
        let inside = self.obstacles.iter().filter(|obstacle| obstacle.contains(at)).map(depth);
        let deepest = inside.fold(0.0, f64::max);
        if deepest > 0.0 {
            self.found(Fault::InObstacle, fault(deepest)); // on the border is not in it
        }
    }

    fn look_how(&mut self, id: u32, tick: u32, at: DVec2, fault: impl Fn(f64) -> FaultExample) {
        let new = Passing { first: tick, last: tick, rows: 1, at, low: at, high: at };
        let Some(passing) = self.people.get_mut(&id) else {
            self.people.insert(id, new);
            return;
        };
        let (ticks, way) = (tick - passing.last, at.distance(passing.at));
        if ticks == 0 {
            self.found(Fault::Twice, fault(way)); // the first row stands
            return;
        }
        let (low, high) = (passing.low.min(at), passing.high.max(at));
        *passing = Passing { first: passing.first, last: tick, rows: passing.rows + 1, at, low, high };
        let seconds = f64::from(ticks) * self.tick;
        if is_jump(way, seconds, self.limits.speed) {
            self.found(Fault::Jump, fault(way / seconds));
        }
        if ticks > self.every {
            self.found(Fault::Gap, fault(f64::from(ticks / self.every - 1)));
        }
    }

    fn found(&mut self, fault: Fault, example: FaultExample) {
        add(&mut self.faults, fault, example);
    }
}

fn add(faults: &mut BTreeMap<Fault, Faults>, fault: Fault, example: FaultExample) {
    let faults = faults.entry(fault).or_default();
    faults.count += 1;
    if faults.examples.len() < EXAMPLES {
        faults.examples.push(example);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tests::{frame, header};

    fn square(x: f64, y: f64, side: f64) -> Vec<[f64; 2]> {
        vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]]
    }

    fn check(audit: &Audit, fault: Fault, count: u64, first: (Option<u32>, u32, f64)) {
        let found = audit.faults().remove(&fault).unwrap_or_default();
        assert_eq!(found.count, count, "{fault:?}: {found:?}");
        let example = found.examples[0];
        assert_eq!((example.id, example.tick), (first.0, first.1), "{fault:?}");
        let same = example.value.is_nan() && first.2.is_nan() || (example.value - first.2).abs() < 1e-9;
        assert!(same, "{fault:?}: {example:?}, expected {}", first.2);
    }

    #[test]
    fn each_fault_is_told_with_who_when_and_where() {
        let mut header = header(0.1, 2); // a frame each 0.2 s
        header.place.areas = vec![vec![square(0.0, 0.0, 10.0), square(8.0, 8.0, 1.0)]];
        header.place.obstacles = vec![square(4.0, 4.0, 1.0)];
        let mut audit = Audit::new(&header, AuditLimits::default()).unwrap();
        for k in 0..30u32 {
            let x = 0.2 * f64::from(k);
            let mut people = vec![(1, x, 1.0), (2, 5.0 + 0.01 * f64::from(k % 3), 9.0)]; // walks; stands
            if !(10..13).contains(&k) {
                people.push((3, x, 2.0)); // missing for three frames
            }
            match k {
                3 => people.push((4, 4.5, 4.2)),
                4 => people.push((4, 4.5, 3.0)), // 1.2 m in 0.2 s
                5 => people.extend([(5, -0.5, 3.0), (5, -0.5, 3.25), (6, f64::NAN, 1.0), (7, 8.5, 8.75)]),
                6 => people.push((8, 4.0, 4.5)), // on the border of the obstacle
                _ => {}
            }
            frame(2 * k, &people, |frame| audit.see(frame));
        }
        frame(58, &[(1, 0.0, 0.0)], |frame| audit.see(frame));
        check(&audit, Fault::Gap, 1, (Some(3), 26, 3.0));
        check(&audit, Fault::Jump, 1, (Some(4), 8, 6.0));
        check(&audit, Fault::OutsideFloor, 3, (Some(5), 10, 0.5));
        check(&audit, Fault::InObstacle, 1, (Some(4), 6, 0.2));
        check(&audit, Fault::Twice, 1, (Some(5), 10, 0.25));
        check(&audit, Fault::NotFinite, 1, (Some(6), 10, f64::NAN));
        check(&audit, Fault::FrameOrder, 1, (None, 58, f64::NAN));
        check(&audit, Fault::Still, 1, (Some(2), 0, 5.8));
        check(&audit, Fault::Short, 4, (Some(4), 6, 2.0));
        let (frames, rows, people) = audit.seen();
        assert_eq!((frames, people), (31, 7)); // nobody knows whether 6 exists
        assert_eq!(rows, 30 + 30 + 27 + 2 + 4 + 1);
    }

    #[test]
    fn nothing_wrong_is_nothing_told() {
        let mut audit = Audit::new(&header(0.04, 1), AuditLimits::default()).unwrap();
        assert!(audit.faults().is_empty());
        (0..100).for_each(|k| frame(k, &[(1, 0.05 * f64::from(k), 0.0)], |frame| audit.see(frame)));
        assert!(audit.faults().is_empty(), "{:?}", audit.faults());
    }

    #[test]
    fn only_ten_are_shown_and_all_are_counted() {
        let mut header = header(0.04, 1);
        header.place.areas = vec![vec![square(0.0, 0.0, 1.0)]];
        let mut audit = Audit::new(&header, AuditLimits::default()).unwrap();
        (0..1000).for_each(|k| frame(k, &[(1, 1.5 + 0.01 * f64::from(k), 0.5)], |frame| audit.see(frame)));
        let outside = &audit.faults()[&Fault::OutsideFloor];
        assert_eq!((outside.count, outside.examples.len()), (1000, 10));
        header.place.areas = vec![vec![vec![[0.0, 0.0], [1.0, 1.0]]]];
        assert!(Audit::new(&header, AuditLimits::default()).is_err());
    }
}
