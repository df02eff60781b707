//! Writes a take as BVH: y up, facing z, metres.

use super::End;
use crate::skeleton::{JointId, Skeleton};
use crate::take::Take;
use passerby_geometry::{DQuat, DVec3, math::double};
use std::fmt::Write;

/// From our axes to those of BVH: x (forward) to z, y (left) to x, z (up) to y.
const BACK: DQuat = DQuat::from_xyzw(-0.5, -0.5, -0.5, 0.5);

/// The text of a BVH file. BVH knows no rotations at rest: the offsets of a figure that has some show another posture
/// at rest there, all frames are the same.
pub fn write(skeleton: &Skeleton, take: &Take, ends: &[End]) -> String {
    let mut out = String::from("HIERARCHY\n");
    joints(&mut out, skeleton, take, ends);
    let frames = take.frames();
    let _ = write!(out, "MOTION\nFrames: {frames}\nFrame Time: {}\n", 1.0 / f64::from(take.frame_rate));
    let order = order(skeleton);
    for frame in 0..frames {
        for (index, joint) in order.iter().enumerate() {
            let turn = if joint.index() == 0 { BACK } else { DQuat::IDENTITY };
            let [z, y, x] = angles(turn * take.frame(frame)[joint.index()].as_dquat());
            let gap = if index == 0 { "" } else { " " };
            if let Some(moved) = take.moved.iter().find(|moved| moved.joint == *joint) {
                let at = turn * moved.offsets[frame].as_dvec3();
                let _ = write!(out, "{gap}{:.9} {:.9} {:.9} {z:.9} {y:.9} {x:.9}", at.x, at.y, at.z);
            } else {
                let _ = write!(out, "{gap}{z:.9} {y:.9} {x:.9}");
            }
        }
        out.push('\n');
    }
    out
}

/// Joints in the order in which braces list them: children straight after their parent.
fn order(skeleton: &Skeleton) -> Vec<JointId> {
    let mut order = Vec::new();
    let mut open = vec![JointId(0)];
    while let Some(joint) = open.pop() {
        order.push(joint);
        let mut children: Vec<JointId> = skeleton.children(joint).collect();
        children.reverse();
        open.extend(children);
    }
    order
}

fn joints(out: &mut String, skeleton: &Skeleton, take: &Take, ends: &[End]) {
    let mut depth = 0;
    for id in order(skeleton) {
        let joint = skeleton.joint(id);
        let own = skeleton.ancestors(id).count();
        close(out, &mut depth, own);
        let (tab, kind) = ("\t".repeat(own), if own == 0 { "ROOT" } else { "JOINT" });
        let turn = if own == 0 { BACK } else { DQuat::IDENTITY };
        let at = turn * joint.offset.as_dvec3();
        let moves = take.moved.iter().any(|moved| moved.joint == id);
        let channels = if moves { "6 Xposition Yposition Zposition" } else { "3" };
        // A name ends with its line, and an opening brace would end it too.
        let name: String = joint.name.chars().filter(|letter| !letter.is_control() && *letter != '{').collect();
        let name = if name.trim().is_empty() { format!("joint{}", id.0) } else { name };
        let _ = writeln!(out, "{tab}{kind} {name}\n{tab}{{\n{tab}\tOFFSET {}", line(at));
        let _ = writeln!(out, "{tab}\tCHANNELS {channels} Zrotation Yrotation Xrotation");
        for end in ends.iter().filter(|end| end.joint == id) {
            let at = line(end.offset.as_dvec3());
            let _ = writeln!(out, "{tab}\tEnd Site\n{tab}\t{{\n{tab}\t\tOFFSET {at}\n{tab}\t}}");
        }
        depth = own + 1;
    }
    close(out, &mut depth, 0);
}

fn close(out: &mut String, depth: &mut usize, until: usize) {
    while *depth > until {
        *depth -= 1;
        let _ = writeln!(out, "{}}}", "\t".repeat(*depth));
    }
}

fn line(at: DVec3) -> String {
    format!("{:.9} {:.9} {:.9}", at.x, at.y, at.z)
}

/// Angles about z, then y, then x, degrees. Where y is upright the first and the last are the same turn: x has none then.
fn angles(rotation: DQuat) -> [f64; 3] {
    let (x, y, z) = (rotation * DVec3::X, rotation * DVec3::Y, rotation * DVec3::Z);
    let level = (x.x * x.x + x.y * x.y).sqrt();
    let about_y = double::atan2(-x.z, level);
    let angles = if level > 1e-9 {
        [double::atan2(x.y, x.x), about_y, double::atan2(y.z, z.z)]
    } else {
        [double::atan2(-y.x, y.y), about_y, 0.0]
    };
    angles.map(f64::to_degrees)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_give_the_rotation_back() {
        for (z, y, x) in
            [(10.0, 20.0, 30.0), (-170.0, 89.9, 5.0), (40.0, 90.0, 0.0), (40.0, -90.0, 20.0), (0.0, 0.0, 180.0)]
        {
            let turn = |[z, y, x]: [f64; 3]| {
                DQuat::from_rotation_z(z.to_radians())
                    * DQuat::from_rotation_y(y.to_radians())
                    * DQuat::from_rotation_x(x.to_radians())
            };
            let rotation = turn([z, y, x]);
            let again = turn(angles(rotation));
            assert!(rotation.dot(again).abs() > 1.0 - 1e-12, "{z} {y} {x}: {:?}", angles(rotation));
        }
    }
}
