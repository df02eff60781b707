//! Bodies of people: what is kept of each, and what all of them add up to.

use crate::people::People;
use crate::saved::{Bytes, Saved};
use crate::scenario::BodyKind;
use crate::world::World;
use passerby_crowd::AgentId;
use passerby_geometry::Vec2;
use passerby_motion::library::STATURE;
use passerby_motion::mediator::{Body, Foot, Walked};
use passerby_motion::{Looks, Posture};
use passerby_record::{BodyRow, FootRow};

/// Somebody who walks on feet.
#[derive(Debug, Clone, PartialEq)]
pub struct Walker {
    /// How the body moves.
    pub body: Body,
    /// How tall they are over the stature clips are made for.
    pub scale: f32,
    /// What they do while they stay where they are; whoever decides that sets it. Who is to walk stands up first: until then the body
    /// goes nowhere, see [`Body::is_posed`].
    pub posture: Posture,
    /// How fast the ground has pushed it of late, m/s.
    pub(crate) pushed: Vec2,
}

impl Walker {
    /// Somebody who stands there; as tall as their looks say, which follow from the run's seed and their number.
    pub(crate) fn new(world: &World, id: AgentId, at: Vec2, heading: f32) -> Option<Self> {
        let body = Body::standing(world.library.as_ref()?, at, heading);
        let scale = Looks::new(world.chance.seed(), id.bits()).stature / STATURE;
        Some(Self { body, scale, posture: Posture::Stand, pushed: Vec2::ZERO })
    }

    /// All of it as words, for the digest.
    pub(crate) fn words(&self) -> [u64; Body::NUMBERS / 2 + 4] {
        let (numbers, clips) = self.body.numbers();
        let mut words = [0; Body::NUMBERS / 2 + 4];
        for (word, pair) in words.iter_mut().zip(numbers.chunks(2)) {
            *word = u64::from(pair[0].to_bits()) << 32 | u64::from(pair[1].to_bits());
        }
        let [a, b, c, d, e, f] = clips.map(u64::from);
        words[Body::NUMBERS / 2] = a << 48 | b << 32 | c << 16 | d;
        words[Body::NUMBERS / 2 + 1] = e << 48 | f << 32 | u64::from(self.scale.to_bits());
        words[Body::NUMBERS / 2 + 2] = u64::from(self.pushed.x.to_bits()) << 32 | u64::from(self.pushed.y.to_bits());
        words[Body::NUMBERS / 2 + 3] = u64::from(self.posture.number());
        words
    }

    /// Whether somebody of a kind can have this body.
    pub(crate) fn is_of(&self, world: &World, kind: usize) -> bool {
        let mediated = world.kinds[kind].population.body == BodyKind::Mediated;
        let sane = (0.2..5.0).contains(&self.scale) && self.pushed.is_finite() && self.pushed.abs().max_element() < 1e7;
        mediated && sane && world.library.as_ref().is_some_and(|library| self.body.is_of(library))
    }
}

impl Saved for Walker {
    const SIZE_MIN: usize = 4 * (Body::NUMBERS + 3) + 6 * 4 + 4;
    fn save(&self, to: &mut Vec<u8>) {
        let (numbers, clips) = self.body.numbers();
        numbers.iter().for_each(|number| number.save(to));
        clips.iter().for_each(|clip| u32::from(*clip).save(to));
        (self.scale.save(to), self.pushed.save(to));
        u32::from(self.posture.number()).save(to);
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        let (mut numbers, mut clips) = ([0.0; Body::NUMBERS], [0; 6]);
        for number in &mut numbers {
            *number = f32::load(from)?;
        }
        for clip in &mut clips {
            *clip = u16::try_from(u32::load(from)?).map_err(|_| "a clip beyond all libraries")?;
        }
        let body = Body::from_numbers(&numbers, clips);
        let (scale, pushed) = (Saved::load(from)?, Saved::load(from)?);
        let number = u32::load(from)?;
        let posture = u8::try_from(number).ok().and_then(Posture::from_number);
        let posture = posture.ok_or_else(|| format!("there is no posture {number}"))?;
        Ok(Self { body, scale, posture, pushed })
    }
}

/// How somebody's body is posed, as recordings hold it; zeros for a disc, and for who has not walked yet.
pub(crate) fn row(people: &People, row: usize) -> BodyRow {
    let Some(walker) = people.bodies[row].as_deref() else { return BodyRow::default() };
    let Body { root, heading, torso, phase, fade, clip, before, feet } = walker.body;
    let foot = |foot: Foot| FootRow {
        shift: foot.shift.to_array(),
        yaw: foot.yaw,
        step: foot.step,
        fade: foot.fade,
        clips: [foot.clip.0, foot.before.0],
    };
    BodyRow {
        root: (root - people.agents.now.position[row]).to_array(),
        heading,
        torso,
        phase,
        fade,
        feet: feet.map(foot),
        clips: [clip.0, before.0],
    }
}

/// The body of a recorded row. Its root is told from where the person is.
pub fn recorded(row: &BodyRow) -> Body {
    let BodyRow { root, heading, torso, phase, fade, feet: [left, right], clips } = *row;
    let mut numbers = [0.0; Body::NUMBERS];
    numbers[..6].copy_from_slice(&[root[0], root[1], heading, torso, phase, fade]);
    for (first, foot) in [(6, &left), (15, &right)] {
        numbers[first..first + 5].copy_from_slice(&[foot.shift[0], foot.shift[1], foot.yaw, foot.step, foot.fade]);
    }
    let clips = [clips[0], clips[1], left.clips[0], left.clips[1], right.clips[0], right.clips[1]];
    Body::from_numbers(&numbers, clips)
}

/// What all feet did, in whole numbers: sums of those are the same in any order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Footwork {
    /// Stances by how far the foot slid, in quarters of a millimetre: before and after it was held.
    before: Vec<u64>,
    after: Vec<u64>,
    /// Sum and largest of root deviations, in micrometres, and how many.
    deviation: u64,
    deviation_max: u64,
    steps: u64,
    standing: u64,
    skating: u64,
}

/// Bins of slides: up to 256 mm; the last one holds all beyond.
const BINS: usize = 1025;
const BIN: f32 = 0.25e-3;

/// How bodies walked in a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodySummary {
    /// Stances that were counted: from landing to lifting a foot.
    pub stances: u64,
    /// How far a foot went while it stood, as root and clip had it, mm: half of the stances are at most as far, and 95 of 100.
    pub slide: [f64; 2],
    /// The same after the foot was held by bending the leg.
    pub slide_locked: [f64; 2],
    /// How far roots went beside what models wanted in a step, mm: mean and largest.
    pub root_deviation: [f64; 2],
    /// Share of the time of standing feet in which they were more than 1 mm from where they landed.
    pub skating_ratio: f64,
}

impl Footwork {
    pub(crate) fn count(&mut self, walked: &Walked) {
        self.before.resize(BINS, 0);
        self.after.resize(BINS, 0);
        let bin = |slide: f32| ((slide / BIN) as usize).min(BINS - 1);
        for slide in walked.lifted.iter().flatten() {
            self.before[bin(slide.before)] += 1;
            self.after[bin(slide.after)] += 1;
        }
        let deviation = (walked.deviation * 1e6) as u64;
        self.deviation += deviation;
        self.deviation_max = self.deviation_max.max(deviation);
        self.steps += 1;
        self.standing += u64::from(walked.standing);
        self.skating += u64::from(walked.skating);
    }

    pub(crate) fn summary(&self) -> Option<BodySummary> {
        if self.steps == 0 {
            return None;
        }
        let at = |bins: &[u64], share: f64| {
            let all: u64 = bins.iter().sum();
            let wanted = (all as f64 * share).ceil() as u64;
            let mut seen = 0;
            let bin = bins.iter().position(|count| {
                seen += count;
                seen >= wanted.max(1)
            });
            bin.map_or(0.0, |bin| (bin as f64 + 0.5) * f64::from(BIN) * 1000.0)
        };
        Some(BodySummary {
            stances: self.before.iter().sum(),
            slide: [at(&self.before, 0.5), at(&self.before, 0.95)],
            slide_locked: [at(&self.after, 0.5), at(&self.after, 0.95)],
            root_deviation: [self.deviation as f64 / self.steps as f64 / 1000.0, self.deviation_max as f64 / 1000.0],
            skating_ratio: if self.standing == 0 { 0.0 } else { self.skating as f64 / self.standing as f64 },
        })
    }
}

impl Saved for Footwork {
    const SIZE_MIN: usize = 7 * 8;
    fn save(&self, to: &mut Vec<u8>) {
        let Self { before, after, deviation, deviation_max, steps, standing, skating } = self;
        (before.save(to), after.save(to), deviation.save(to), deviation_max.save(to));
        (steps.save(to), standing.save(to), skating.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        let footwork = Self {
            before: Saved::load(from)?,
            after: Saved::load(from)?,
            deviation: Saved::load(from)?,
            deviation_max: Saved::load(from)?,
            steps: Saved::load(from)?,
            standing: Saved::load(from)?,
            skating: Saved::load(from)?,
        };
        let Self { before, after, deviation, deviation_max, steps, standing, skating } = &footwork;
        let beyond = |counts: &[u64]| counts.iter().any(|count| *count >= 1 << 50);
        let bins = [before, after].iter().any(|bins| ![0, BINS].contains(&bins.len()) || beyond(bins));
        if bins || beyond(&[*deviation >> 10, *deviation_max, *steps, *standing, *skating]) {
            return Err("its counts of feet are beyond any run".to_owned());
        }
        Ok(footwork)
    }
}
