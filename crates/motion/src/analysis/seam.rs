//! A stretch of a take as a loop: straightened, its seam closed, in its travel frame.

use crate::placed::{self, DPlaced, Placements};
use crate::retarget::Figure;
use crate::role::Role;
use crate::skeleton::JointId;
use crate::take::{Moved, Take};
use passerby_geometry::{DQuat, DVec2, DVec3};

/// A loop in doubles. Joints above the hips stay in the origin of the travel frame; the hips, and whatever else hung on those
/// joints, are placed in it.
#[derive(Debug, Clone)]
pub(super) struct Loop<'a> {
    pub figure: Figure<'a>,
    pub frame_rate: f64,
    /// Steps from a frame to the next in one cycle; frame `steps` is frame 0 again and not stored.
    pub steps: usize,
    /// Mean velocity, m/s.
    pub velocity: DVec2,
    /// Whether a joint is placed in the travel frame.
    free: Vec<bool>,
    /// Relative to the parent, or to the travel frame; frame after frame.
    pub rotations: Vec<DQuat>,
    /// Likewise, m.
    pub offsets: Vec<DVec3>,
}

impl<'a> Loop<'a> {
    /// The frames from one to another, which is the first one again but for a gap; `turn` about z takes the last frame to the
    /// heading of the first.
    pub fn close(figure: Figure<'a>, take: &Take, from: usize, to: usize, turn: f64) -> Self {
        let mut cycle = Self::extract(figure, take, from, to);
        cycle.straighten(turn);
        cycle.spread();
        cycle.travel();
        cycle
    }

    fn extract(figure: Figure<'a>, take: &Take, from: usize, to: usize) -> Self {
        let skeleton = figure.skeleton;
        let above: Vec<JointId> = skeleton.ancestors(figure.roles.leg(Role::Hips)).collect();
        let free: Vec<bool> = skeleton
            .ids()
            .map(|id| !above.contains(&id) && skeleton.joint(id).parent.is_none_or(|parent| above.contains(&parent)))
            .collect();
        let (mut rotations, mut offsets, mut frame_placed) = (vec![], vec![], vec![]);
        for frame in from..=to {
            placed::place(skeleton, take, frame, &mut frame_placed);
            for id in skeleton.ids() {
                let (rotation, offset) = if above.contains(&id) {
                    (DQuat::IDENTITY, DVec3::ZERO)
                } else if free[id.index()] {
                    (frame_placed[id.index()].rotation, frame_placed[id.index()].position)
                } else {
                    let moved = take.moved.iter().find(|moved| moved.joint == id);
                    let offset = moved.map_or(skeleton.joint(id).offset, |moved| moved.offsets[frame]);
                    (take.frame(frame)[id.index()].as_dquat().normalize(), offset.as_dvec3())
                };
                (rotations.push(rotation), offsets.push(offset));
            }
        }
        let frame_rate = f64::from(take.frame_rate);
        Self { figure, frame_rate, steps: to - from, velocity: DVec2::ZERO, free, rotations, offsets }
    }

    pub fn joints(&self) -> usize {
        self.free.len()
    }

    fn hips(&self) -> usize {
        self.figure.roles.leg(Role::Hips).index()
    }

    /// Turns and moves everything in a frame about the vertical through the hips.
    fn turn_frame(&mut self, frame: usize, turn: DQuat, hips: DVec3) {
        let start = frame * self.joints();
        let pivot = self.offsets[start + self.hips()];
        for joint in (0..self.joints()).filter(|joint| self.free[*joint]) {
            let at = start + joint;
            self.rotations[at] = turn * self.rotations[at];
            self.offsets[at] = hips + turn * (self.offsets[at] - pivot);
        }
    }

    /// A walk that turns a little becomes a straight one: the turn is undone bit by bit.
    fn straighten(&mut self, turn: f64) {
        let (joints, hips) = (self.joints(), self.hips());
        let way: Vec<DVec3> = (0..=self.steps).map(|frame| self.offsets[frame * joints + hips]).collect();
        let mut at = way[0];
        for frame in 0..=self.steps {
            let share = frame as f64 / self.steps as f64;
            if frame > 0 {
                let middle = (frame as f64 - 0.5) / self.steps as f64;
                at += DQuat::from_rotation_z(turn * middle) * (way[frame] - way[frame - 1]);
            }
            self.turn_frame(frame, DQuat::from_rotation_z(turn * share), at);
        }
    }

    /// The gap between last and first frame is spread over the cycle: rotation vectors for joints, lengths for what is moved. On
    /// the ground the hips keep theirs: that is the way of a cycle.
    fn spread(&mut self) {
        let (joints, hips, last) = (self.joints(), self.hips(), self.steps);
        let way = self.offsets[last * joints + hips] - self.offsets[hips];
        let way = DVec3::new(way.x, way.y, 0.0);
        self.velocity = way.truncate() * (self.frame_rate / last as f64);
        for joint in 0..joints {
            let (first, end) = (self.rotations[joint], self.rotations[last * joints + joint]);
            let gap = first * end.inverse();
            let gap = if gap.w < 0.0 { -gap } else { gap }.to_scaled_axis();
            let travel = if self.free[joint] { way } else { DVec3::ZERO };
            let moved = self.offsets[joint] + travel - self.offsets[last * joints + joint];
            for frame in 0..=last {
                let (share, at) = (frame as f64 / last as f64, frame * joints + joint);
                self.rotations[at] = (DQuat::from_scaled_axis(gap * share) * self.rotations[at]).normalize();
                self.offsets[at] += moved * share - travel * share;
            }
        }
        self.rotations.truncate(last * joints);
        self.offsets.truncate(last * joints);
    }

    /// Into the travel frame: the torso faces x on average, the hips are above its origin on average.
    fn travel(&mut self) {
        let placements = self.placements(1);
        let facing = |frame| super::gait::facing(&placements, self.figure.roles, frame);
        let torso = (0..self.steps).map(facing).fold(DVec2::ZERO, |sum, one| sum + one);
        // The half-angle by square roots would lose digits near 180 degrees; an arc of plane vectors does not.
        let torso = torso.try_normalize().unwrap_or(DVec2::X);
        let turn = DQuat::from_rotation_z(-passerby_geometry::math::double::atan2(torso.y, torso.x));
        self.velocity = (turn * self.velocity.extend(0.0)).truncate();
        for frame in 0..self.steps {
            let pivot = self.offsets[frame * self.joints() + self.hips()];
            self.turn_frame(frame, turn, turn * pivot);
        }
        let (joints, hips) = (self.joints(), self.hips());
        let sum =
            (0..self.steps).map(|frame| self.offsets[frame * joints + hips]).fold(DVec3::ZERO, |sum, at| sum + at);
        let mean = sum / self.steps as f64;
        self.shift(DVec3::new(-mean.x, -mean.y, 0.0));
    }

    /// Moves the whole figure in its travel frame.
    pub fn shift(&mut self, by: DVec3) {
        let joints = self.joints();
        for (index, offset) in self.offsets.iter_mut().enumerate().filter(|(index, _)| self.free[index % joints]) {
            let _ = index;
            *offset += by;
        }
    }

    /// Begins the loop with another frame.
    pub fn begin_with(&mut self, frame: usize) {
        let joints = self.joints();
        self.rotations.rotate_left(frame * joints);
        self.offsets.rotate_left(frame * joints);
    }

    /// Joints of a frame in the travel frame, into `out`, which is cleared before.
    pub fn place(&self, frame: usize, out: &mut Vec<DPlaced>) {
        out.clear();
        for (joint, at) in self.figure.skeleton.joints().iter().zip(frame * self.joints()..) {
            let (rotation, offset) = (self.rotations[at], self.offsets[at]);
            out.push(match joint.parent {
                None => DPlaced { rotation, position: offset },
                Some(parent) => {
                    let parent: DPlaced = out[parent.index()];
                    DPlaced {
                        rotation: parent.rotation * rotation,
                        position: parent.position + parent.rotation * offset,
                    }
                }
            });
        }
    }

    /// Some cycles one after the other, in the world: the travel frame moves on.
    pub fn placements(&self, cycles: usize) -> Placements {
        let (mut all, mut placed) = (vec![], vec![]);
        for frame in 0..cycles * self.steps {
            self.place(frame % self.steps, &mut placed);
            let travelled = (self.velocity * (frame as f64 / self.frame_rate)).extend(0.0);
            all.extend(placed.iter().map(|joint| DPlaced { position: joint.position + travelled, ..*joint }));
        }
        Placements::new(self.joints(), self.frame_rate, all)
    }

    /// As a take in single numbers; its last frame is its first. `moved[0]` is the hips.
    pub fn take(&self, name: &str) -> Take {
        let joints = self.joints();
        let frames = || (0..=self.steps).map(|frame| (frame % self.steps) * joints);
        let rest = |joint: usize| self.figure.skeleton.joints()[joint].offset;
        let leaves = |joint: &usize| {
            self.free[*joint] || frames().any(|start| self.offsets[start + joint].as_vec3() != rest(*joint))
        };
        let hips = self.hips();
        let order = std::iter::once(hips).chain((0..joints).filter(|joint| *joint != hips).filter(leaves));
        let moved = order.map(|joint| Moved {
            joint: JointId(joint as u16),
            offsets: frames().map(|start| self.offsets[start + joint].as_vec3()).collect(),
        });
        Take {
            name: name.to_string(),
            frame_rate: self.frame_rate as f32,
            joints,
            moved: moved.collect(),
            rotations: frames()
                .flat_map(|start| &self.rotations[start..start + joints])
                .map(|rotation| rotation.normalize().as_quat())
                .collect(),
        }
    }
}
