//! Roles by shape, where names tell nothing: two chains that end lowest are the legs, what ends highest is the head.

use crate::placed::{self, DPlaced};
use crate::role::{Role, Roles, RolesError};
use crate::role_names;
use crate::skeleton::{JointId, Skeleton};

/// The roles of a figure that stands upright and faces +x: by name, else by shape.
pub fn find(skeleton: &Skeleton) -> Result<Roles, RolesError> {
    let mut roles = role_names::by_name(skeleton);
    match roles.check(skeleton) {
        Err(RolesError::Missing { missing, .. }) => {
            legs(skeleton, &mut roles).map_err(|why| RolesError::Missing { missing, why })?;
        }
        other => other?,
    }
    roles.check(skeleton)?;
    trunk(skeleton, &mut roles);
    Ok(roles)
}

/// A joint without children and the joints it hangs on, from the first joint down.
fn chains(skeleton: &Skeleton) -> Vec<Vec<JointId>> {
    let mut has_children = vec![false; skeleton.len()];
    skeleton.joints().iter().filter_map(|joint| joint.parent).for_each(|parent| has_children[parent.index()] = true);
    let leaves = skeleton.ids().filter(|id| !has_children[id.index()]);
    let chain = |leaf: JointId| {
        let mut chain: Vec<JointId> = std::iter::once(leaf).chain(skeleton.ancestors(leaf)).collect();
        chain.reverse();
        chain
    };
    leaves.map(chain).collect()
}

/// Hips and legs: exactly two chains end near the ground, on both sides of the joint where they part.
fn legs(skeleton: &Skeleton, roles: &mut Roles) -> Result<(), String> {
    let rest = placed::rest(skeleton);
    let height = |id: JointId| rest[id.index()].position.z;
    let (low, high) = rest
        .iter()
        .fold((f64::MAX, f64::MIN), |(low, high), joint| (low.min(joint.position.z), high.max(joint.position.z)));
    let chains = chains(skeleton);
    // A quarter of the height: hands that hang down end above, forefeet of animals below.
    let lowest: Vec<_> =
        chains.iter().filter(|chain| height(chain[chain.len() - 1]) < low + 0.25 * (high - low)).collect();
    let [one, other] = lowest[..] else {
        let ends: Vec<&str> =
            lowest.iter().map(|chain| skeleton.joint(chain[chain.len() - 1]).name.as_str()).take(6).collect();
        return Err(format!(
            "{} chains of joints end near the ground ({}), two would be legs",
            ends.len(),
            ends.join(", ")
        ));
    };
    let shared = one.iter().zip(other.iter()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return Err("the two chains that end lowest do not part from one joint".into());
    }
    let hips = one[shared - 1];
    let end = |chain: &[JointId]| rest[chain[chain.len() - 1].index()].position - rest[hips.index()].position;
    if end(one).y * end(other).y >= 0.0 {
        return Err("the two chains that end lowest are on the same side".into());
    }
    let (left, right) = if end(one).y > 0.0 { (one, other) } else { (other, one) };
    roles.set(Role::Hips, hips);
    for (side, chain) in [left, right].into_iter().enumerate() {
        let below = &chain[shared..];
        let [thigh, shin, foot] = long_bones(below, &rest).ok_or_else(|| {
            format!("the chain down to `{}` has no thigh, shin and foot", skeleton.joint(chain[chain.len() - 1]).name)
        })?;
        let [thigh_role, shin_role, foot_role, toe_role] = Role::LEGS[side];
        (roles.set(thigh_role, thigh), roles.set(shin_role, shin), roles.set(foot_role, foot));
        let after = below.iter().position(|id| *id == foot).map(|at| at + 1);
        if let Some(toe) = after.and_then(|at| below.get(at)) {
            roles.set(toe_role, *toe);
        }
    }
    Ok(())
}

/// Thigh, shin and foot of a chain: the two longest bones that follow each other.
fn long_bones(chain: &[JointId], rest: &[DPlaced]) -> Option<[JointId; 3]> {
    let gap = |a: JointId, b: JointId| rest[a.index()].position.distance(rest[b.index()].position);
    let shorter = |three: &&[JointId]| gap(three[0], three[1]).min(gap(three[1], three[2]));
    let best = chain.windows(3).rev().max_by(|a, b| shorter(a).total_cmp(&shorter(b)))?;
    Some([best[0], best[1], best[2]])
}

/// Head, spine, chest, neck and arms, as far as they are not known: what ends highest above the hips, and what branches off.
fn trunk(skeleton: &Skeleton, roles: &mut Roles) {
    let rest = placed::rest(skeleton);
    let hips = roles.leg(Role::Hips);
    let chains: Vec<Vec<JointId>> = chains(skeleton).into_iter().filter(|chain| chain.contains(&hips)).collect();
    let legs: Vec<JointId> = Role::LEGS.iter().map(|leg| roles.leg(leg[0])).collect();
    let upper = || chains.iter().filter(|chain| !chain.iter().any(|id| legs.contains(id)));
    let top = |chain: &&Vec<JointId>| rest[chain[chain.len() - 1].index()].position.z;
    if roles.get(Role::Head).is_none() {
        let Some(highest) = upper().max_by(|a, b| top(a).total_cmp(&top(b))) else { return };
        roles.set(Role::Head, highest[highest.len() - 1]);
    }
    let Some(head) = roles.get(Role::Head).filter(|head| skeleton.hangs_on(*head, hips)) else { return };
    arms(skeleton, roles, head, &upper().cloned().collect::<Vec<_>>(), &rest);
    let mut path: Vec<JointId> = skeleton.ancestors(head).take_while(|id| *id != hips).collect();
    path.reverse();
    let shoulders: Vec<JointId> = Role::ARMS.iter().filter_map(|arm| roles.get(arm[0])).collect();
    let carries = |id: &&JointId| !shoulders.is_empty() && shoulders.iter().all(|arm| skeleton.hangs_on(*arm, **id));
    let chest = path.iter().rfind(carries).copied();
    if let Some(spine) = path.first().filter(|_| path.len() > 1 || chest.is_some()) {
        roles.set(Role::Spine, *spine);
    }
    let after = chest.and_then(|chest| path.iter().position(|id| *id == chest));
    if let (Some(chest), Some(at)) = (chest, after) {
        if Some(chest) != roles.get(Role::Spine) {
            roles.set(Role::Chest, chest);
        }
        if let Some(neck) = path.get(at + 1) {
            roles.set(Role::Neck, *neck);
        }
    }
}

/// Arms that names did not tell: on each side the chain that ends farthest out, its last joints of some length.
fn arms(skeleton: &Skeleton, roles: &mut Roles, head: JointId, chains: &[Vec<JointId>], rest: &[DPlaced]) {
    let trunk: Vec<JointId> = std::iter::once(head).chain(skeleton.ancestors(head)).collect();
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        let [upper, forearm, hand] = Role::ARMS[side];
        if roles.get(upper).is_some() {
            continue;
        }
        let out = |chain: &&Vec<JointId>| sign * rest[chain[chain.len() - 1].index()].position.y;
        let aside = chains.iter().filter(|chain| !chain.contains(&head) && out(chain) > 0.0);
        let Some(chain) = aside.max_by(|a, b| out(a).total_cmp(&out(b))) else { continue };
        let own: Vec<JointId> = chain.iter().copied().filter(|id| !trunk.contains(id)).collect();
        if let Some([a, b, c]) = long_bones(&own, rest) {
            (roles.set(upper, a), roles.set(forearm, b), roles.set(hand, c));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::Joint;
    use passerby_geometry::{Quat, Vec3};

    /// A figure of plain numbers for names: (parent, x, y, z) in the frame of the figure.
    fn figure(joints: &[(Option<u16>, [f32; 3])]) -> Skeleton {
        let at = |index: u16| Vec3::from(joints[usize::from(index)].1);
        let joint = |(index, (parent, place)): (usize, &(Option<u16>, [f32; 3]))| Joint {
            name: format!("n{index}"),
            parent: parent.map(JointId),
            offset: Vec3::from(*place) - parent.map_or(Vec3::ZERO, at),
            rest: Quat::IDENTITY,
        };
        Skeleton::new(joints.iter().enumerate().map(joint).collect()).unwrap()
    }

    const PERSON: &[(Option<u16>, [f32; 3])] = &[
        (None, [0.0, 0.0, 0.95]),
        (Some(0), [0.0, -0.1, 0.9]),
        (Some(1), [0.0, -0.1, 0.5]),
        (Some(2), [0.0, -0.1, 0.08]),
        (Some(3), [0.15, -0.1, 0.02]),
        (Some(0), [0.0, 0.1, 0.9]),
        (Some(5), [0.0, 0.1, 0.5]),
        (Some(6), [0.0, 0.1, 0.08]),
        (Some(7), [0.15, 0.1, 0.02]),
        (Some(0), [0.0, 0.0, 1.1]),
        (Some(9), [0.0, 0.0, 1.4]),
        (Some(10), [0.0, 0.0, 1.5]),
        (Some(11), [0.0, 0.0, 1.65]),
        (Some(10), [0.0, 0.2, 1.45]),
        (Some(13), [0.0, 0.5, 1.45]),
        (Some(14), [0.0, 0.8, 1.45]),
        (Some(10), [0.0, -0.2, 1.45]),
        (Some(16), [0.0, -0.5, 1.45]),
        (Some(17), [0.0, -0.8, 1.45]),
    ];

    #[test]
    fn a_person_without_names_has_all_roles() {
        let roles = find(&figure(PERSON)).unwrap();
        let expected = [0, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 5, 6, 7, 8, 1, 2, 3, 4];
        for (role, joint) in Role::ALL.into_iter().zip(expected) {
            assert_eq!(roles.get(role), Some(JointId(joint)), "{role:?}");
        }
        assert_eq!(roles.mirrored().get(Role::LeftFoot), Some(JointId(3)));
    }

    #[test]
    fn what_is_missing_is_said() {
        let error = find(&figure(&PERSON[..5])).unwrap_err().to_string();
        assert!(error.contains("left thigh") && error.contains("1 chains"), "{error}");
        let mut flat = PERSON.to_vec();
        flat[6].1 = flat[5].1;
        flat[7].1 = flat[5].1;
        assert!(find(&figure(&flat)).is_err());
    }
}
