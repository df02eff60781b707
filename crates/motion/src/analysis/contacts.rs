//! When heels and balls stand: low and slow (worked rules: 4 cm, 0.2 m/s, gaps of 0.04 s closed, at least 0.10 s).

use crate::placed::Placements;
use crate::role::{Role, Roles};
use crate::skeleton::JointId;

/// Above its floor a joint that stands is lower than this, m.
pub const HEIGHT_MAX: f64 = 0.04;

/// Thresholds of speed and time: a runner's foot comes down faster and stays shorter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// What stands is slower, m/s.
    pub speed_max: f64,
    /// Shorter gaps are closed, s.
    pub gap_max: f64,
    /// Shorter contacts are none, s.
    pub length_min: f64,
}

/// For takes in which one foot is on the ground at any time.
pub const WALKING: Limits = Limits { speed_max: 0.2, gap_max: 0.04, length_min: 0.10 };

/// For takes with a flight.
pub const RUNNING: Limits = Limits { speed_max: 0.5, gap_max: 0.04, length_min: 0.08 };

/// Frames from one to before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The first frame.
    pub from: usize,
    /// The frame after the last.
    pub to: usize,
}

/// What stands of one foot.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Foot {
    /// Contacts of the heel: of the ankle's joint.
    pub heel: Vec<Interval>,
    /// Contacts of the ball: of the toe's joint, or the ankle's if there are no toes.
    pub ball: Vec<Interval>,
    /// Heights of both joints when they stand, m: heel, ball.
    pub floor: [f64; 2],
}

impl Foot {
    /// When any part of the foot stands.
    pub fn stances(&self) -> Vec<Interval> {
        let mut all: Vec<Interval> = self.heel.iter().chain(&self.ball).copied().collect();
        all.sort_by_key(|interval| interval.from);
        let mut stances: Vec<Interval> = vec![];
        for interval in all {
            match stances.last_mut() {
                Some(last) if interval.from <= last.to => last.to = last.to.max(interval.to),
                _ => stances.push(interval),
            }
        }
        stances
    }
}

/// Contacts of a take.
#[derive(Debug, Clone, PartialEq)]
pub struct Contacts {
    /// Left, right.
    pub feet: [Foot; 2],
    /// Whether both feet are in the air at some time.
    pub flight: bool,
    /// What was asked of a contact.
    pub limits: Limits,
}

/// Joints of heel and ball of a side: ankle and toe.
pub fn joints(roles: &Roles, side: usize) -> [JointId; 2] {
    let [_, _, foot, toe] = Role::LEGS[side];
    let heel = roles.leg(foot);
    [heel, roles.get(toe).unwrap_or(heel)]
}

/// Finds all contacts.
pub fn find(placements: &Placements, roles: &Roles) -> Contacts {
    let sides = [0, 1].map(|side| joints(roles, side));
    let floors = sides.map(|joints| joints.map(|joint| floor(placements, joint)));
    let flight = flies(placements, sides, floors);
    let limits = if flight { RUNNING } else { WALKING };
    let feet = [0, 1].map(|side| {
        let part = |part: usize| stands(placements, sides[side][part], floors[side][part], limits);
        Foot { heel: part(0), ball: part(1), floor: floors[side] }
    });
    Contacts { feet, flight, limits }
}

/// The 5th percentile of a joint's height: levels differ by up to 5 cm between takes.
pub fn floor(placements: &Placements, joint: JointId) -> f64 {
    let mut heights: Vec<f64> = (0..placements.frames()).map(|frame| placements.position(frame, joint).z).collect();
    heights.sort_by(f64::total_cmp);
    heights[heights.len() / 20]
}

/// Whether heels and balls of both feet are all above the floor for 0.04 s.
fn flies(placements: &Placements, sides: [[JointId; 2]; 2], floors: [[f64; 2]; 2]) -> bool {
    let enough = (0.04 * placements.frame_rate).ceil() as usize;
    let mut run = 0;
    (0..placements.frames()).any(|frame| {
        let up = |side: usize, part: usize| {
            placements.position(frame, sides[side][part]).z > floors[side][part] + HEIGHT_MAX
        };
        run = if [0, 1].into_iter().all(|side| up(side, 0) && up(side, 1)) { run + 1 } else { 0 };
        run >= enough
    })
}

/// When a joint stands.
fn stands(placements: &Placements, joint: JointId, floor: f64, limits: Limits) -> Vec<Interval> {
    // Speeds over 1/60 s to both sides: at 120 frames a second the last digits of a file would show in them.
    let reach = (placements.frame_rate / 60.0).round().max(1.0) as usize;
    let stands = |frame: usize| {
        placements.position(frame, joint).z < floor + HEIGHT_MAX
            && placements.velocity(frame, joint, reach).length() < limits.speed_max
    };
    let labels: Vec<bool> = (0..placements.frames()).map(stands).collect();
    intervals(&labels, placements.frame_rate, limits)
}

/// Labels as intervals: short gaps closed, short intervals left out.
fn intervals(labels: &[bool], frame_rate: f64, limits: Limits) -> Vec<Interval> {
    let mut found: Vec<Interval> = vec![];
    for (frame, _) in labels.iter().enumerate().filter(|(_, stands)| **stands) {
        match found.last_mut() {
            Some(last) if (frame - last.to) as f64 <= limits.gap_max * frame_rate => last.to = frame + 1,
            _ => found.push(Interval { from: frame, to: frame + 1 }),
        }
    }
    found.retain(|interval| (interval.to - interval.from) as f64 >= limits.length_min * frame_rate);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 100 frames a second gaps of up to 4 frames close, and 10 frames are the least.
    #[test]
    fn gaps_close_and_short_contacts_go() {
        let check = |spans: &[(usize, usize)], expected: &[(usize, usize)]| {
            let mut labels = vec![false; 100];
            spans.iter().for_each(|(from, to)| labels[*from..*to].fill(true));
            let found: Vec<_> = intervals(&labels, 100.0, WALKING).iter().map(|i| (i.from, i.to)).collect();
            assert_eq!(found, expected, "{spans:?}");
        };
        check(&[(10, 15), (19, 25)], &[(10, 25)]);
        check(&[(10, 15), (20, 25)], &[]);
        check(&[(0, 10), (50, 59), (90, 100)], &[(0, 10), (90, 100)]);
        check(&[], &[]);
    }
}
