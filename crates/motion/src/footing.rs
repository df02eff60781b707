//! What the mediator has to know of a clip: where heels, balls, ankles and hips are over the cycle, and which foot carries.
//!
//! Tables of 64 phases, linear between them: in its contact a foot goes back evenly, so nothing is lost. Values are rounded to a
//! sixty-fifth of a millimetre, far coarser than what differs between processors in the last bits of joint rotations: decisions
//! that are made with them have the same bits everywhere.

use crate::clip::Clip;
use crate::pose::Pose;
use crate::role::{Role, Roles};
use crate::skeleton::{JointId, Skeleton};
use passerby_geometry::{Vec2, Vec3, math};

/// Phases of a table.
const PHASES: usize = 64;
/// Grid that places are rounded to, 1/m.
const GRID: f32 = 65536.0;

/// What a foot stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The heel, until the ball is down.
    Heel,
    /// The ball.
    Ball,
}

/// From a phase on this foot carries.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Hold {
    from: f32,
    /// None in flight.
    support: Option<(usize, Point)>,
}

/// A foot at a phase, in the travel frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FootPlace {
    /// m.
    pub heel: Vec3,
    /// m.
    pub ball: Vec3,
    /// m.
    pub ankle: Vec3,
    /// The joint the leg hangs on, m.
    pub hip: Vec3,
}

/// Stretches of phase in which the heel and the ball of a foot stand.
type Stands = (Vec<(f32, f32)>, Vec<(f32, f32)>);

/// A clip as the mediator sees it. Feet are 0 left, 1 right.
#[derive(Debug, Clone, PartialEq)]
pub struct Footing {
    /// On the ground: heel and ball of the left foot, heel and ball of the right one.
    ground: Vec<[Vec2; 4]>,
    places: Vec<[FootPlace; 2]>,
    holds: Vec<Hold>,
    /// How far one cycle goes, m.
    pub stride: f32,
    /// Seconds of a cycle.
    pub cycle: f32,
    /// Direction of travel against the torso, rad.
    pub alpha: f32,
    /// Phases at which the feet pass each other, while the left and while the right one carries.
    pub passing: [f32; 2],
    /// Phases at which feet land.
    lands: [f32; 2],
    /// When heel and ball of each foot stand.
    spans: [Stands; 2],
}

/// Joints of a leg that a table is made of.
struct LegJoints {
    thigh: JointId,
    foot: JointId,
    ball: JointId,
    heel: JointId,
}

fn leg_joints(skeleton: &Skeleton, roles: &Roles, left: bool) -> Option<LegJoints> {
    let (thigh, foot, toe, heel) = if left {
        (Role::LeftThigh, Role::LeftFoot, Role::LeftToe, "left_heel")
    } else {
        (Role::RightThigh, Role::RightFoot, Role::RightToe, "right_heel")
    };
    let foot = roles.get(foot)?;
    // Figures without a joint at the ball stand on their ankle's point alone, and few have one at the heel.
    let ball = roles.get(toe).unwrap_or(foot);
    Some(LegJoints { thigh: roles.get(thigh)?, foot, ball, heel: skeleton.find(heel).unwrap_or(foot) })
}

impl Footing {
    /// Reads a clip. None if the figure has no legs.
    pub fn new(skeleton: &Skeleton, roles: &Roles, clip: &Clip) -> Option<Self> {
        let joints = [leg_joints(skeleton, roles, true)?, leg_joints(skeleton, roles, false)?];
        let cycle = clip.take.duration();
        let (mut pose, mut placed) = (Pose::default(), Vec::new());
        let round = |v: Vec3| (v * GRID).round() / GRID;
        let mut places = Vec::with_capacity(PHASES + 1);
        for i in 0..=PHASES {
            clip.take.sample(skeleton, cycle * i as f32 / PHASES as f32, &mut pose);
            pose.to_model(skeleton, &mut placed);
            let at = |joint: JointId| round(placed[joint.index()].position);
            places.push(joints.each_ref().map(|leg| FootPlace {
                heel: at(leg.heel),
                ball: at(leg.ball),
                ankle: at(leg.foot),
                hip: at(leg.thigh),
            }));
        }
        let plane = |foot: &FootPlace| [foot.heel.truncate(), foot.ball.truncate()];
        let ground = places.iter().map(|[left, right]| {
            let ([a, b], [c, d]) = (plane(left), plane(right));
            [a, b, c, d]
        });
        let spans = |spans: &[crate::clip::Span]| spans.iter().map(|span| (span.from, span.to)).collect();
        let mut footing = Self {
            ground: ground.collect(),
            places,
            holds: Vec::new(),
            stride: clip.velocity.length() * cycle,
            cycle,
            alpha: math::atan2(clip.velocity.y, clip.velocity.x),
            passing: [0.8, 0.3],
            lands: [0.5, 0.0],
            spans: clip.contacts.each_ref().map(|foot| (spans(&foot.heel), spans(&foot.ball))),
        };
        footing.lands = [0, 1].map(|foot| footing.landing(foot));
        footing.holds = footing.schedule();
        footing.passing = [0, 1].map(|foot| footing.find_passing(foot, clip.velocity));
        Some(footing)
    }

    /// What a foot stands on at a phase: the ball if that is down, else the heel, else nothing.
    pub fn stands(&self, foot: usize, phase: f32) -> Option<Point> {
        let holds = |spans: &[(f32, f32)]| {
            spans.iter().any(
                |&(from, to)| {
                    if from <= to { from <= phase && phase < to } else { from <= phase || phase < to }
                },
            )
        };
        let (heel, ball) = &self.spans[foot];
        if holds(ball) {
            Some(Point::Ball)
        } else if holds(heel) {
            Some(Point::Heel)
        } else {
            None
        }
    }

    /// Which foot carries at a phase, on what, and until which phase (which may be beyond 1).
    pub fn support(&self, phase: f32) -> (Option<(usize, Point)>, f32) {
        let next = self.holds.iter().position(|hold| hold.from > phase);
        let now = match next {
            Some(0) | None => self.holds.len() - 1,
            Some(next) => next - 1,
        };
        (self.holds[now].support, next.map_or(1.0 + self.holds[0].from, |next| self.holds[next].from))
    }

    /// While both feet stand: the foot that takes over from the carrying one, on what, and how much it has done so, from 0 to 1.
    pub fn taking_over(&self, carrying: usize, phase: f32) -> Option<(usize, Point, f32)> {
        let other = 1 - carrying;
        let point = self.stands(other, phase)?;
        let (_, until) = self.support(phase);
        let since = (phase - self.lands[other]).rem_euclid(1.0);
        let whole = since + (until - phase);
        // Somebody who stands on both feet for good takes over from nobody.
        (whole < 0.5).then(|| (other, point, since / whole.max(1e-3)))
    }

    /// Where heel or ball of a foot is on the ground at a phase, in the travel frame, m.
    pub fn contact(&self, foot: usize, point: Point, phase: f32) -> Vec2 {
        let (i, share) = row(phase);
        let column = 2 * foot + usize::from(point == Point::Ball);
        self.ground[i][column].lerp(self.ground[i + 1][column], share)
    }

    /// All of a foot at a phase.
    pub fn place(&self, foot: usize, phase: f32) -> FootPlace {
        let (i, share) = row(phase);
        let (a, b) = (&self.places[i][foot], &self.places[i + 1][foot]);
        FootPlace {
            heel: a.heel.lerp(b.heel, share),
            ball: a.ball.lerp(b.ball, share),
            ankle: a.ankle.lerp(b.ankle, share),
            hip: a.hip.lerp(b.hip, share),
        }
    }

    /// Who carries over the cycle: a foot does until it is lifted, then the one that stands; nobody in flight.
    fn schedule(&self) -> Vec<Hold> {
        let mut changes: Vec<f32> = vec![0.0];
        for (heel, ball) in &self.spans {
            changes.extend(heel.iter().chain(ball).flat_map(|&(from, to)| [from, to]));
        }
        changes.iter_mut().for_each(|phase| *phase = phase.rem_euclid(1.0));
        changes.sort_by(f32::total_cmp);
        changes.dedup();
        let mut carrying: Option<usize> = None;
        let mut holds: Vec<Hold> = Vec::new();
        // Twice round: who carries at the beginning is known only at the end.
        for round in 0..2 {
            for (i, &from) in changes.iter().enumerate() {
                let until = changes.get(i + 1).copied().unwrap_or(1.0);
                let middle = (from + until) / 2.0;
                let stands = |foot: usize| self.stands(foot, middle);
                if carrying.is_none_or(|foot| stands(foot).is_none()) {
                    carrying = (0..2).find(|foot| stands(*foot).is_some());
                }
                let support = carrying.and_then(|foot| Some((foot, stands(foot)?)));
                if round == 1 && holds.last().is_none_or(|last| last.support != support) {
                    holds.push(Hold { from, support });
                }
            }
        }
        // Who carries over the seam does so from before it.
        if holds.len() > 1 && holds[0].support == holds[holds.len() - 1].support {
            holds.remove(0);
        }
        holds
    }

    /// The phase at which a foot lands first, on heel or ball.
    fn landing(&self, foot: usize) -> f32 {
        let (heel, ball) = &self.spans[foot];
        let begins = heel.iter().chain(ball).map(|span| span.0);
        let fresh = |from: &f32| self.stands(foot, (from - 1e-3).rem_euclid(1.0)).is_none();
        begins.into_iter().find(fresh).unwrap_or(if foot == 0 { 0.5 } else { 0.0 })
    }

    /// The phase at which the other foot passes the one that carries: their places along the way are equal.
    fn find_passing(&self, foot: usize, velocity: Vec2) -> f32 {
        let along = if velocity == Vec2::ZERO { Vec2::X } else { velocity.normalize_or(Vec2::X) };
        let apart = |i: usize| {
            let [left, right] = &self.places[i];
            (left.ankle - right.ankle).truncate().dot(along).abs()
        };
        let lone = |i: usize| {
            let phase = i as f32 / PHASES as f32;
            self.stands(foot, phase).is_some() && self.stands(1 - foot, phase).is_none()
        };
        let found = (0..PHASES).filter(|i| lone(*i)).min_by(|a, b| apart(*a).total_cmp(&apart(*b)));
        found.map_or(if foot == 0 { 0.8 } else { 0.3 }, |i| i as f32 / PHASES as f32)
    }
}

/// Row of a table and the share of the next one.
fn row(phase: f32) -> (usize, f32) {
    let at = phase.clamp(0.0, 1.0) * PHASES as f32;
    let i = (at as usize).min(PHASES - 1);
    (i, at - i as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gait::Gait;
    use crate::gait_clip;
    use crate::walker;

    /// 1.33 m/s: a foot stands for 0.625 of the cycle. The left one carries until it is lifted at 0.125, then the right one, whose heel has
    /// been down since 0 and whose ball since 0.08, until 0.625.
    #[test]
    fn a_foot_carries_until_it_is_lifted() {
        let clip = gait_clip::clip("walk", &Gait::walk(1.75, 1.33), false);
        let footing = Footing::new(&walker::skeleton(1.75), &walker::roles(), &clip).unwrap();
        let check = |phase: f32, foot: usize, until: f32| {
            let (support, end) = footing.support(phase);
            assert_eq!(support, Some((foot, Point::Ball)), "{phase}");
            assert!((end - until).abs() < 1e-3, "{phase}: until {end}, expected {until}");
        };
        (check(0.05, 0, 0.1248), check(0.2, 1, 0.6248), check(0.6, 1, 0.6248), check(0.7, 0, 1.1248));
        assert_eq!(footing.stands(1, 0.04), Some(Point::Heel));
        assert_eq!(footing.stands(1, 0.7), None);
        // Feet pass while the other stands: near the middle of its stance.
        let passing = footing.passing[1];
        assert!((0.2..0.45).contains(&passing), "{passing}");
    }

    #[test]
    fn nobody_carries_in_flight() {
        let clip = gait_clip::clip("run", &Gait::run(1.75, 3.0), false);
        let footing = Footing::new(&walker::skeleton(1.75), &walker::roles(), &clip).unwrap();
        assert_eq!(footing.support(0.45).0, None);
        assert_eq!(footing.support(0.2).0, Some((1, Point::Ball)));
    }
}
