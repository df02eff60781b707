//! A captured walk on other figures.

mod common;

use passerby_geometry::{Quat, Vec3};
use passerby_motion::placed::Placements;
use passerby_motion::retarget::{Figure, mirror, retarget};
use passerby_motion::{Joint, Role, Roles, Skeleton, Take};

/// Bones whose direction has to stay.
const BONES: [(Role, Role); 13] = [
    (Role::Spine, Role::Chest),
    (Role::Chest, Role::Neck),
    (Role::Neck, Role::Head),
    (Role::LeftUpperArm, Role::LeftForearm),
    (Role::LeftForearm, Role::LeftHand),
    (Role::RightUpperArm, Role::RightForearm),
    (Role::RightForearm, Role::RightHand),
    (Role::LeftThigh, Role::LeftShin),
    (Role::LeftShin, Role::LeftFoot),
    (Role::LeftFoot, Role::LeftToe),
    (Role::RightThigh, Role::RightShin),
    (Role::RightShin, Role::RightFoot),
    (Role::RightFoot, Role::RightToe),
];

/// The largest angle between bones of two takes, degrees.
fn apart(one: (&Skeleton, &Roles, &Take), other: (&Skeleton, &Roles, &Take)) -> f64 {
    let (a, b) = (Placements::of(one.0, one.2), Placements::of(other.0, other.2));
    let mut worst = 0.0f64;
    for frame in 0..a.frames() {
        for (from, to) in BONES {
            let bone = |placements: &Placements, roles: &Roles| {
                let at = |role| placements.position(frame, roles.get(role).unwrap());
                at(to) - at(from)
            };
            let (a, b) = (bone(&a, one.1), bone(&b, other.1));
            // CMU has chest and neck in one place.
            if a.length() > 1e-3 && b.length() > 1e-3 {
                worst = worst.max(a.angle_between(b).to_degrees());
            }
        }
    }
    worst
}

/// The same person with arms down and knees bent at rest, other lengths, other names, and frames turned anyhow.
fn other_rest(skeleton: &Skeleton) -> Skeleton {
    let mut joints: Vec<Joint> = skeleton.joints().to_vec();
    for (index, joint) in joints.iter_mut().enumerate() {
        let bend = match joint.name.as_str() {
            "LeftArm" => Quat::from_rotation_z(-1.3),
            "RightArm" => Quat::from_rotation_z(1.3),
            "LeftUpLeg" | "RightUpLeg" => Quat::from_rotation_x(-0.4),
            "LeftLeg" | "RightLeg" => Quat::from_rotation_x(0.7),
            _ => Quat::IDENTITY,
        };
        joint.rest *= bend;
        joint.offset *= 0.7 + 0.02 * (index % 7) as f32;
        joint.name = format!("mixamorig:{}", joint.name);
    }
    // A joint's frame turned by some rotation, its children turned back: the same figure in other coordinates.
    for index in 1..joints.len() {
        let turn = Quat::from_rotation_y(0.3 * index as f32) * Quat::from_rotation_x(0.2 * index as f32);
        joints[index].rest *= turn;
        for child in joints.iter_mut().filter(|child| child.parent.is_some_and(|parent| parent.index() == index)) {
            child.offset = turn.inverse() * child.offset;
            child.rest = turn.inverse() * child.rest;
        }
    }
    Skeleton::new(joints).unwrap()
}

/// How low the balls of the feet come, m.
fn lowest(skeleton: &Skeleton, roles: &Roles, take: &Take) -> f64 {
    let placements = Placements::of(skeleton, take);
    let height = |frame: usize, role: Role| placements.position(frame, roles.get(role).unwrap()).z;
    let balls = |frame: usize| height(frame, Role::LeftToe).min(height(frame, Role::RightToe));
    (0..placements.frames()).map(balls).fold(f64::INFINITY, f64::min)
}

#[test]
fn bones_point_where_they_pointed() {
    for name in ["07_01", "16_17", "69_59", "113_15"] {
        let Some(read) = common::cmu(name) else { return };
        let roles = read.roles.as_ref().unwrap();
        let from = Figure { skeleton: &read.skeleton, roles };
        let skeleton = other_rest(&read.skeleton);
        let to_roles = passerby_motion::role_shape::find(&skeleton).unwrap();
        let take = retarget(&read.takes[0], from, Figure { skeleton: &skeleton, roles: &to_roles });
        let worst = apart((&read.skeleton, roles, &read.takes[0]), (&skeleton, &to_roles, &take));
        println!("{name}: {worst:.4} degrees");
        assert!(worst < 1.0, "{name}: a bone is {worst} degrees off");
        let size = (to_roles.leg_length(&skeleton) / roles.leg_length(&read.skeleton)) as f32;
        let (own, other) = (&take.moved[0].offsets, &read.takes[0].moved[0].offsets);
        let lift = own[0] - other[0] * size;
        assert!(lift.truncate().length() < 1e-4, "{name}: the hips are moved by {lift}");
        for (own, other) in own.iter().zip(other) {
            assert!(own.distance(*other * size + lift) < 1e-4, "{own} {other}");
        }
        // Whatever is between hips and soles, who stood on the ground stands on it.
        let [was, is] = [lowest(&read.skeleton, roles, &read.takes[0]), lowest(&skeleton, &to_roles, &take)];
        assert!((was * f64::from(size) - is).abs() < 1e-4, "{name}: the lowest ball is at {is} m, and was at {was} m");
    }
}

/// CMU on the two figures of the glTF samples, whose frames and rests have nothing in common with it.
#[test]
fn other_peoples_figures_walk_too() {
    let Some(read) = common::cmu("07_01") else { return };
    let roles = read.roles.as_ref().unwrap();
    for path in common::files("glb") {
        let model = common::load(&path);
        let Ok(to_roles) = &model.roles else { continue };
        let (from, to) =
            (Figure { skeleton: &read.skeleton, roles }, Figure { skeleton: &model.skeleton, roles: to_roles });
        let take = retarget(&read.takes[0], from, to);
        let worst = apart((&read.skeleton, roles, &read.takes[0]), (&model.skeleton, to_roles, &take));
        println!("{}: {worst:.4} degrees", path.display());
        assert!(worst < 1.0, "{}: a bone is {worst} degrees off", path.display());
    }
}

/// In a mirror left bones point where right bones pointed, with y turned round; twice is the same again.
#[test]
fn mirrors_swap_the_sides() {
    let Some(read) = common::cmu("69_59") else { return };
    let (roles, take) = (read.roles.as_ref().unwrap(), &read.takes[0]);
    let figure = Figure { skeleton: &read.skeleton, roles };
    let image = mirror(take, figure);
    let (a, b) = (Placements::of(&read.skeleton, take), Placements::of(&read.skeleton, &image));
    for frame in 0..a.frames() {
        for (from, to) in BONES {
            let bone = |placements: &Placements, from: Role, to: Role| {
                let at = |role| placements.position(frame, roles.get(role).unwrap());
                at(to) - at(from)
            };
            let mut there = bone(&a, from.mirrored(), to.mirrored());
            there.y = -there.y;
            let off = bone(&b, from, to).angle_between(there).to_degrees();
            assert!(off < 0.5 || there.length() < 1e-3, "frame {frame}, {}: {off} degrees", from.name());
        }
    }
    let again = mirror(&image, figure);
    let worst = apart((&read.skeleton, roles, take), (&read.skeleton, roles, &again));
    assert!(worst < 0.5, "{worst} degrees after two mirrors");
    let flop = |at: Vec3| Vec3::new(at.x, -at.y, at.z);
    assert!(image.moved[0].offsets.iter().zip(&take.moved[0].offsets).all(|(a, b)| a.distance(flop(*b)) < 1e-5));
}
