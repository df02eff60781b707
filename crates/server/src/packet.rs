//! Frames for the page: whole numbers instead of fractions, and only what differs from what the page can foresee.
//!
//! `page/frames.js` reads them. Numbers are seven bits a byte, lowest first, the eighth tells that more follow; those with a sign
//! count 0, -1, 1, -2, 2. A frame is:
//!
//! | what | how |
//! | --- | --- |
//! | kind | one byte, 1 |
//! | flags | one byte: 1 nothing before counts, 2 clips and phases follow, 4 desired velocities, 8 poses |
//! | tick | number |
//! | who left | how many; then for each how many stay between the one before and them |
//! | who stays | for each how their step in x and in y differs from their last one |
//! | who came | how many; for each how much their number is above that of the one before, x, y |
//! | headings | a byte for each, 256 to a turn |
//! | clips, phases | a byte for each (255: no body), then a byte for each, 256 to a cycle |
//! | desired | two bytes with sign for each, 1/32 m/s |
//! | poses | how many; for each how many rows lie between the one before and them, a byte that tells which feet stand, hips and joints ([`crate::rotation`]) |

use crate::rotation::{put_offset, put_rotation};
use passerby::geometry::Vec2;
use passerby::motion::figure::Figure;
use passerby::motion::library::STATURE;
use passerby::motion::{Library, Looks};
use passerby::record::{BodyRow, OwnedFrame};
use passerby::recorded_body;

/// Positions are whole numbers of this many metres.
const GRID: f64 = 1.0 / 256.0;
/// Desired velocities are whole numbers of this many metres a second.
const VELOCITY_GRID: f32 = 1.0 / 32.0;

const KEY: u8 = 1;
const BODIES: u8 = 2;
const DESIRED: u8 = 4;
const POSES: u8 = 8;

/// One moment of a run.
#[derive(Debug, Default)]
pub(crate) struct Shot {
    pub frame: OwnedFrame,
    /// Where everybody would go if they were alone, m/s; empty where that is not known.
    pub desired: Vec<Vec2>,
}

/// Around which point full poses are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Interest {
    pub at: [f32; 2],
    pub radius: f32,
    /// At most so many.
    pub most: usize,
}

/// Packs frames for one page: it has to be given all of them, in order.
#[derive(Debug)]
pub(crate) struct Packer {
    origin: [f64; 2],
    seed: u64,
    ids: Vec<u32>,
    at: Vec<[i32; 2]>,
    step: Vec<[i32; 2]>,
    begun: bool,
    figure: Figure,
}

impl Packer {
    pub(crate) fn new(origin: [f64; 2], seed: u64) -> Packer {
        Packer {
            origin,
            seed,
            ids: Vec::new(),
            at: Vec::new(),
            step: Vec::new(),
            begun: false,
            figure: Figure::default(),
        }
    }

    /// Makes `out` the packet of a frame.
    pub(crate) fn pack(
        &mut self,
        shot: &Shot,
        library: &Library,
        interest: Interest,
        desired: bool,
        out: &mut Vec<u8>,
    ) {
        let frame = &shot.frame;
        let bodies = !frame.bodies.is_empty();
        let desired = desired && shot.desired.len() == frame.id.len();
        let near = if bodies { self.near(frame, interest) } else { Vec::new() };
        out.clear();
        out.push(1);
        let flag = |flag: u8, on: bool| if on { flag } else { 0 };
        out.push(
            flag(KEY, !self.begun) | flag(BODIES, bodies) | flag(DESIRED, desired) | flag(POSES, !near.is_empty()),
        );
        self.begun = true;
        put_number(out, frame.tick);
        self.put_people(frame, out);
        let body = |row: usize| frame.bodies.get(row).filter(|body| **body != BodyRow::default());
        let heading = |row: usize| body(row).map_or(frame.heading[row], |body| body.heading);
        out.extend((0..frame.id.len()).map(|row| part_of_256(heading(row) / std::f32::consts::TAU)));
        if bodies {
            out.extend((0..frame.id.len()).map(|row| body(row).map_or(255, |body| body.clips[0].min(254) as u8)));
            out.extend((0..frame.id.len()).map(|row| body(row).map_or(0, |body| part_of_256(body.phase))));
        }
        if desired {
            let byte = |part: f32| (part / VELOCITY_GRID).round().clamp(-127.0, 127.0) as i8 as u8;
            out.extend(shot.desired.iter().flat_map(|velocity| [byte(velocity.x), byte(velocity.y)]));
        }
        if !near.is_empty() {
            self.put_poses(frame, library, &near, out);
        }
    }

    /// Who left, who stays, who came.
    fn put_people(&mut self, frame: &OwnedFrame, out: &mut Vec<u8>) {
        let (mut left, mut came, mut stay) = (Vec::new(), Vec::new(), Vec::new());
        let (mut old, mut new) = (0, 0);
        while old < self.ids.len() || new < frame.id.len() {
            match (self.ids.get(old), frame.id.get(new)) {
                (Some(gone), other) if other.is_none_or(|id| gone < id) => {
                    left.push(old);
                    old += 1;
                }
                (other, Some(id)) if other.is_none_or(|other| id < other) => {
                    came.push(new);
                    new += 1;
                }
                _ => {
                    stay.push((old, new));
                    (old, new) = (old + 1, new + 1);
                }
            }
        }
        put_number(out, left.len() as u32);
        let mut next = 0;
        for gone in left {
            put_number(out, (gone - next) as u32);
            next = gone + 1;
        }
        let at: Vec<[i32; 2]> = (0..frame.id.len()).map(|row| self.place(frame, row)).collect();
        let mut step = vec![[0; 2]; at.len()];
        for (old, new) in stay {
            for axis in 0..2 {
                step[new][axis] = at[new][axis] - self.at[old][axis];
                put_signed(out, step[new][axis] - self.step[old][axis]);
            }
        }
        put_number(out, came.len() as u32);
        let mut before = 0;
        for new in came {
            put_number(out, frame.id[new] - before);
            before = frame.id[new];
            at[new].iter().for_each(|part| put_signed(out, *part));
        }
        self.ids.clone_from(&frame.id);
        (self.at, self.step) = (at, step);
    }

    /// Where somebody is drawn: at the root of the body, if there is one.
    fn place(&self, frame: &OwnedFrame, row: usize) -> [i32; 2] {
        let root = frame.bodies.get(row).map_or([0.0; 2], |body| body.root);
        let part = |at: f64, root: f32, origin: f64| {
            // Further than 8 000 km from the origin nothing is drawn where it is.
            ((at + f64::from(root) - origin) / GRID).round().clamp(-1e9, 1e9) as i32
        };
        [part(frame.x[row], root[0], self.origin[0]), part(frame.y[row], root[1], self.origin[1])]
    }

    /// Rows of those who have a body and are nearest to where somebody looks, rising.
    fn near(&self, frame: &OwnedFrame, interest: Interest) -> Vec<usize> {
        let away = |row: usize| {
            let [x, y] = [frame.x[row] - self.origin[0], frame.y[row] - self.origin[1]].map(|part| part as f32);
            Vec2::new(x, y).distance_squared(Vec2::from(interest.at))
        };
        let mut near: Vec<(f32, usize)> = (0..frame.id.len())
            .map(|row| (away(row), row))
            .filter(|(away, row)| {
                *away <= interest.radius * interest.radius && frame.bodies[*row] != BodyRow::default()
            })
            .collect();
        if near.len() > interest.most {
            near.select_nth_unstable_by(interest.most, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            near.truncate(interest.most);
        }
        let mut rows: Vec<usize> = near.into_iter().map(|(_, row)| row).collect();
        rows.sort_unstable();
        rows
    }

    fn put_poses(&mut self, frame: &OwnedFrame, library: &Library, near: &[usize], out: &mut Vec<u8>) {
        // A recording of somebody else's may name clips that there are not.
        let near: Vec<usize> =
            near.iter().copied().filter(|row| recorded_body(&frame.bodies[*row]).is_of(library)).collect();
        put_number(out, near.len() as u32);
        let mut next = 0;
        for row in near {
            put_number(out, (row - next) as u32);
            next = row + 1;
            let body = recorded_body(&frame.bodies[row]);
            let stands = |side: usize| library.footing(body.clip).stands(side, body.phase).is_some();
            out.push(u8::from(stands(0)) | u8::from(stands(1)) << 1);
            self.figure.set(library, &body, Looks::new(self.seed, frame.id[row]).stature / STATURE);
            put_offset(self.figure.pose.offsets[0], out);
            self.figure.pose.rotations.iter().for_each(|rotation| put_rotation(*rotation, out));
        }
    }
}

/// A share of a whole turn or cycle in 256 parts.
fn part_of_256(share: f32) -> u8 {
    ((share * 256.0).round() as i64).rem_euclid(256) as u8
}

fn put_number(out: &mut Vec<u8>, mut value: u32) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_signed(out: &mut Vec<u8>, value: i32) {
    put_number(out, (value << 1 ^ value >> 31) as u32);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(tick: u32, people: &[(u32, f64, f64)]) -> Shot {
        let frame = OwnedFrame {
            tick,
            id: people.iter().map(|person| person.0).collect(),
            x: people.iter().map(|person| person.1).collect(),
            y: people.iter().map(|person| person.2).collect(),
            vx: vec![0.0; people.len()],
            vy: vec![0.0; people.len()],
            heading: vec![std::f32::consts::FRAC_PI_2; people.len()],
            bodies: Vec::new(),
        };
        Shot { frame, desired: Vec::new() }
    }

    /// By hand: person 5 at (1, -0.5) is at 256 and -128 on the grid; -128 with a sign is 255, 256 is 512; both take two bytes.
    /// A step of 0.0625 m is 16 on the grid; the same step again differs by nothing.
    #[test]
    fn frames_are_packed_as_the_page_reads_them() {
        let library = Library::built_in();
        let (mut packer, mut out) = (Packer::new([100.0, 0.0], 1), Vec::new());
        let mut check = |shot: Shot, expected: &[u8]| {
            packer.pack(&shot, &library, Interest::default(), true, &mut out);
            assert_eq!(out, expected);
        };
        check(frame(0, &[(5, 101.0, -0.5)]), &[1, 1, 0, 0, 1, 5, 0x80, 4, 0xff, 1, 64]);
        check(frame(1, &[(5, 101.0625, -0.5)]), &[1, 0, 1, 0, 32, 0, 0, 64]);
        check(frame(2, &[(5, 101.125, -0.5), (200, 100.0, 0.0)]), &[1, 0, 2, 0, 0, 0, 1, 0xc8, 1, 0, 0, 64, 64]);
        check(frame(300, &[(200, 100.0, 0.0)]), &[1, 0, 0xac, 2, 1, 0, 0, 0, 0, 64]);
    }

    /// 10 000 people who walk at 1.3 m/s in all directions and change it a little: less than 2 MB a second at 20 frames a second, and
    /// with 400 full poses as well.
    #[test]
    fn ten_thousand_people_take_less_than_two_megabytes_a_second() {
        let library = Library::built_in();
        let body = BodyRow { phase: 0.3, clips: [12, 12], fade: 1.0, ..BodyRow::default() };
        for (bodies, most) in [(false, 0), (true, 0), (true, 300)] {
            let (mut packer, mut out) = (Packer::new([0.0; 2], 1), Vec::new());
            let mut bytes = 0;
            for tick in 0..21 {
                let place = |i: u32| {
                    let (way, t) = (f64::from(i), f64::from(tick) * 0.05);
                    let heading = way + 0.5 * t;
                    let from = [way % 100.0, (way / 100.0).floor()];
                    (i, from[0] + 1.3 * t * heading.cos(), from[1] + 1.3 * t * heading.sin())
                };
                let mut shot = frame(tick, &(0..10_000).map(place).collect::<Vec<_>>());
                shot.frame.bodies = if bodies { vec![body; 10_000] } else { Vec::new() };
                let interest = Interest { at: [50.0, 50.0], radius: 1000.0, most };
                packer.pack(&shot, &library, interest, false, &mut out);
                bytes += if tick > 0 { out.len() } else { 0 };
            }
            assert!(bytes < 2_000_000, "{bytes} bytes a second, bodies: {bodies}, poses: {most}");
        }
    }
}
