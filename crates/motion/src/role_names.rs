//! Roles by name: CMU, Mixamo, VRM and its like, the samples of glTF.

use crate::role::{Role, Roles};
use crate::skeleton::{JointId, Skeleton};

/// What joints in the middle are called, once lower case and without separators.
const MIDDLE: &[(Role, &[&str])] =
    &[(Role::Hips, &["hips", "hip", "pelvis", "torsojoint1"]), (Role::Head, &["head", "neckjoint2"])];

/// The parts of a leg: thigh, shin, foot, toe.
const LEG: [&[&str]; 4] = [
    &["upleg", "upperleg", "thigh", "legjoint1", "hip"],
    &["leg", "lowerleg", "shin", "calf", "knee", "legjoint2"],
    &["foot", "ankle", "legjoint3"],
    &["toebase", "toe", "toes", "ball", "legjoint5"],
];

/// The parts of an arm: upper arm, forearm, hand.
const ARM: [&[&str]; 3] = [
    &["arm", "upperarm", "uparm", "armjoint1"],
    &["forearm", "lowerarm", "elbow", "armjoint2"],
    &["hand", "wrist", "armjoint3", "palm2"],
];

/// What programs put before the names of all joints.
const PREFIXES: &[&str] =
    &["mixamorig", "mixamorig1", "skeleton", "bip01", "bip001", "j", "bip", "armature", "b", "def"];

/// The roles that names tell. The trunk follows from where arms and head hang, so spines of any number of joints do.
pub fn by_name(skeleton: &Skeleton) -> Roles {
    let mut roles = Roles::default();
    let mut give = |role, joint| {
        if roles.get(role).is_none() {
            roles.set(role, joint);
        }
    };
    for joint in skeleton.ids() {
        let (side, part) = split(&skeleton.joint(joint).name);
        let is = |names: &[&str]| names.contains(&part.as_str());
        match side {
            None => MIDDLE.iter().filter(|(_, names)| is(names)).for_each(|(role, _)| give(*role, joint)),
            Some(side) => {
                (0..4).filter(|index| is(LEG[*index])).for_each(|index| give(Role::LEGS[side][index], joint));
                (0..3).filter(|index| is(ARM[*index])).for_each(|index| give(Role::ARMS[side][index], joint));
            }
        }
    }
    drop_what_hangs_wrong(skeleton, &mut roles);
    carry_both_legs(skeleton, &mut roles);
    roles
}

/// Some figures have a joint named hips that carries the trunk alone: the joint on which both legs hang is what we call so.
fn carry_both_legs(skeleton: &Skeleton, roles: &mut Roles) {
    let (Some(left), Some(right)) = (roles.get(Role::LeftThigh), roles.get(Role::RightThigh)) else { return };
    let carries = |hips: JointId| skeleton.hangs_on(left, hips) && skeleton.hangs_on(right, hips);
    if !roles.get(Role::Hips).is_some_and(carries)
        && let Some(shared) = skeleton.ancestors(left).find(|joint| carries(*joint))
    {
        roles.set(Role::Hips, shared);
    }
}

/// Arms and toes whose joints do not hang on each other are named otherwise than we think: shape has to tell.
fn drop_what_hangs_wrong(skeleton: &Skeleton, roles: &mut Roles) {
    for arm in Role::ARMS {
        let joints = arm.map(|role| roles.get(role));
        let hangs = |lower: Option<JointId>, upper: Option<JointId>| match (lower, upper) {
            (Some(lower), Some(upper)) => skeleton.hangs_on(lower, upper),
            (None, Some(_)) => true,
            _ => false,
        };
        if !hangs(joints[1], joints[0]) || !hangs(joints[2], joints[1]) {
            arm.iter().for_each(|role| roles.clear(*role));
        }
    }
    for [_, _, foot, toe] in Role::LEGS {
        if let (Some(foot), Some(joint)) = (roles.get(foot), roles.get(toe))
            && !skeleton.hangs_on(joint, foot)
        {
            roles.clear(toe);
        }
    }
}

/// A name as side (0 left, 1 right) and part, lower case and without separators, prefixes and a number at the end that
/// programs add (`_015`).
fn split(name: &str) -> (Option<usize>, String) {
    let spaced = words(name);
    let mut words: Vec<&str> = spaced.split(' ').filter(|word| !word.is_empty()).collect();
    while words.len() > 1 && PREFIXES.contains(&words[0]) {
        words.remove(0);
    }
    if words.len() > 1
        && words.last().is_some_and(|word| word.starts_with('0') && word.bytes().all(|b| b.is_ascii_digit()))
    {
        words.pop();
    }
    if words.len() > 1 && words[0] == "c" {
        words.remove(0);
    }
    let side_of = |word: &str| match word {
        "left" | "l" => Some(0),
        "right" | "r" => Some(1),
        _ => None,
    };
    let side = words.iter().find_map(|word| side_of(word));
    words.retain(|word| side_of(word).is_none());
    (side, words.concat())
}

/// Lower case, with a space where a separator stands or where a capital follows a small letter: `LeftUpLeg`, `Foot.L`.
/// `LThumb` and `LHipJoint` have their side as a letter of its own.
fn words(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (index, letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(index + 1);
        let starts = letter.is_uppercase()
            && (before.is_some_and(|b| b.is_lowercase())
                || before.is_some_and(|b| b.is_uppercase()) && after.is_some_and(|a| a.is_lowercase()));
        if starts {
            out.push(' ');
        }
        match letter.is_alphanumeric() {
            true => out.extend(letter.to_lowercase()),
            false => out.push(' '),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_parts() {
        let check =
            |name: &str, side: Option<usize>, part: &str| assert_eq!(split(name), (side, part.into()), "{name}");
        check("LeftUpLeg", Some(0), "upleg");
        check("mixamorig:RightForeArm", Some(1), "forearm");
        check("mixamorig:Hips", None, "hips");
        check("leg_joint_L_5", Some(0), "legjoint5");
        check("Skeleton_torso_joint_1", None, "torsojoint1");
        check("UpperLeg.R", Some(1), "upperleg");
        check("J_Bip_L_UpperLeg", Some(0), "upperleg");
        check("J_Bip_C_Hips", None, "hips");
        check("leftUpperLeg", Some(0), "upperleg");
        check("b_LeftFoot01_017", Some(0), "foot01");
        check("b_Hip_01", None, "hip");
        check("thigh_l", Some(0), "thigh");
        check("DEF-shin.R", Some(1), "shin");
        check("Bip01 L Calf", Some(0), "calf");
        check("LHipJoint", Some(0), "hipjoint");
        check("", None, "");
    }
}
