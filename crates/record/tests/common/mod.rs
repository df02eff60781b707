//! A small made-up run.
#![allow(dead_code, reason = "each test program uses its part")]

use std::io::Cursor;
use std::ops::ControlFlow;

use passerby_record::{
    BodyRow, Event, FORMAT, FootRow, Header, NamedLine, NamedPolygon, OwnedFrame, Person, PlaceShape, RecordError,
    Recording, Writer,
};

/// A header with every field in use; a tick is a twentieth of a second.
pub fn header(every: u32) -> Header {
    let place = PlaceShape {
        areas: vec![vec![vec![[0.0, 0.1], [20.0, 0.2], [0.3, 1e-300]], vec![[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]]]],
        obstacles: vec![vec![[9.9, 0.0], [10.1, 0.0], [10.1, 4.0]]],
        doors: vec![NamedLine { name: "front \"door\" \u{1f6aa}".into(), line: [[10.0, 4.0], [10.0, 6.0]] }],
        regions: vec![NamedPolygon { name: "exit".into(), polygon: vec![[19.0, 0.0], [20.0, 0.0], [20.0, 10.0]] }],
        movers: vec![passerby_record::Mover {
            name: "bus".into(),
            polygon: vec![[-5.0, -1.0], [5.0, -1.0], [5.0, 1.0]],
            path: vec![[0.0, 1.0, 2.0], [9.5, 30.0, 2.0]],
            repeat: true,
            turn: false,
        }],
        measures: vec![passerby_record::NamedMeasure {
            name: "middle".into(),
            shape: passerby_record::MeasureShape::Strip { line: [[5.0, 0.0], [5.0, 0.1 + 0.2]], width: 4.0 },
        }],
    };
    Header {
        format: FORMAT,
        version: "0.1.0".into(),
        name: "made up".into(),
        scenario: "format = 1\n# \u{df}\n".into(),
        seed: u64::MAX,
        tick: 0.05,
        every,
        offset: [0.1 + 0.2, 5_600_000.0],
        place,
        bodies: false,
    }
}

/// Recordings of both kinds: what is promised holds for either.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Plain,
    Bodies,
}

pub const KINDS: [Kind; 2] = [Kind::Plain, Kind::Bodies];

impl Kind {
    /// See [`header`].
    pub fn header(self, every: u32) -> Header {
        Header { bodies: self == Kind::Bodies, ..header(every) }
    }

    /// See [`frame`].
    pub fn frame(self, tick: u32, people: u32) -> OwnedFrame {
        match self {
            Kind::Plain => frame(tick, people),
            Kind::Bodies => posed(frame(tick, people)),
        }
    }

    /// See [`write`].
    pub fn write(self, ticks: u32, every: u32, people: u32) -> Result<Vec<u8>, RecordError> {
        let mut writer = Writer::new(Vec::new(), &self.header(every))?;
        for tick in (0..ticks).step_by(every as usize) {
            note(&mut writer, tick);
            writer.frame(&self.frame(tick, people).as_frame())?;
        }
        writer.finish()
    }
}

/// The same frame with bodies whose values depend on tick and person in every bit.
pub fn posed(frame: OwnedFrame) -> OwnedFrame {
    let mut state = u64::from(frame.tick) << 21 | 3;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state ^ state >> 29) as u32
    };
    let mut body = |_: &u32| {
        let mut number = || f32::from_bits(next() & !(1 << 23));
        let mut foot = || FootRow {
            shift: [number(), number()],
            yaw: number(),
            step: number(),
            fade: number(),
            clips: [number().to_bits() as u16, number().to_bits() as u16],
        };
        let feet = [foot(), foot()];
        BodyRow {
            root: [number(), -0.0],
            heading: number(),
            torso: number(),
            phase: number(),
            fade: number(),
            feet,
            clips: [number().to_bits() as u16, u16::MAX],
        }
    };
    let bodies = frame.id.iter().map(&mut body).collect();
    OwnedFrame { bodies, ..frame }
}

/// Somebody with numbers that have no short decimal form.
pub fn person(id: u32) -> Person {
    let share = id as f32 / 7.0;
    Person {
        id,
        population: format!("group {}", id % 3),
        radius: share,
        mass: 60.0 + share,
        speed: 0.1 * share,
        model: "orca".into(),
    }
}

/// A frame of `people` people whose values depend on the tick in every bit.
pub fn frame(tick: u32, people: u32) -> OwnedFrame {
    let mut state = u64::from(tick) << 20 | 1;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    };
    let mut frame = OwnedFrame { tick, ..OwnedFrame::default() };
    for row in 0..people {
        frame.id.push(3 * row + (tick / 8));
        frame.x.push(f64::from((next() >> 40) as f32 / 65_536.0) + 4_000.0);
        // One bit of the exponent is never set, so that no number is infinite or none at all.
        frame.y.push(f64::from_bits(next() & !(1 << 52)));
        frame.vx.push(f32::from_bits(next() as u32 & !(1 << 23)));
        frame.vy.push((next() >> 40) as f32 / 16_777_216.0);
        frame.heading.push(-0.0);
    }
    frame
}

/// Writes frames at every `every`th tick up to `ticks`, somebody new and an event now and then.
pub fn write(ticks: u32, every: u32, people: u32) -> Result<Vec<u8>, RecordError> {
    Kind::Plain.write(ticks, every, people)
}

/// Somebody new every tenth tick, an event every fifteenth.
pub fn note<W: std::io::Write + Send>(writer: &mut Writer<W>, tick: u32) {
    if tick.is_multiple_of(10) {
        writer.people(&[person(tick), person(tick + 1)]);
    }
    if tick.is_multiple_of(15) {
        writer.event(Event { tick, what: format!("close \"{tick}\""), adds: None });
    }
}

/// Opens bytes.
pub fn open(bytes: &[u8]) -> Result<Recording, RecordError> {
    Recording::open(Cursor::new(bytes.to_vec()))
}

/// All frames of a recording.
pub fn all(recording: &Recording) -> Result<Vec<OwnedFrame>, RecordError> {
    let mut frames = Vec::new();
    recording.frames(0, u32::MAX, &mut |frame| {
        frames.push(OwnedFrame::from(frame));
        ControlFlow::Continue(())
    })?;
    Ok(frames)
}

/// Bits, because NaN is not equal to itself and -0 is equal to 0.
#[track_caller]
pub fn same_bits(a: &OwnedFrame, b: &OwnedFrame) {
    let bits = |f: &OwnedFrame| {
        let doubles: Vec<u64> = f.x.iter().chain(&f.y).map(|v| v.to_bits()).collect();
        let singles: Vec<u32> = f.vx.iter().chain(&f.vy).chain(&f.heading).map(|v| v.to_bits()).collect();
        let foot = |f: &FootRow| {
            let FootRow { shift: [x, y], yaw, step, fade, clips } = *f;
            ([x, y, yaw, step, fade].map(f32::to_bits), clips)
        };
        let body = |b: &BodyRow| {
            let BodyRow { root: [x, y], heading, torso, phase, fade, feet: [left, right], clips } = b;
            ([x, y, heading, torso, phase, fade].map(|value| value.to_bits()), foot(left), foot(right), *clips)
        };
        (f.tick, f.id.clone(), doubles, singles, f.bodies.iter().map(body).collect::<Vec<_>>())
    };
    assert!(bits(a) == bits(b), "tick {} differs from tick {}", a.tick, b.tick);
}
