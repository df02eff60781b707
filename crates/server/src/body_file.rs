//! The built-in body for the page: joints, surfaces and clips in one file.
//!
//! The length of a JSON text in four bytes, lowest first; that text; then numbers that it points into by their first byte. Clips have a
//! frame for equal shares of their length, packed as frames of people are ([`crate::rotation`]).

use crate::rotation::{put_offset, put_rotation};
use passerby::motion::mesh::{Mesh, Slot};
use passerby::motion::pose::Pose;
use passerby::motion::{Library, Role, body};
use serde_json::{Value, json};

/// Frames of a clip that loops: 32 steps of a cycle, its first frame again at the end.
const FRAMES: usize = 33;

/// Joints that the page asks for by name.
const ROLES: [(&str, Role); 10] = [
    ("hips", Role::Hips),
    ("chest", Role::Chest),
    ("head", Role::Head),
    ("leftShin", Role::LeftShin),
    ("leftFoot", Role::LeftFoot),
    ("leftToe", Role::LeftToe),
    ("rightShin", Role::RightShin),
    ("rightFoot", Role::RightFoot),
    ("rightToe", Role::RightToe),
    ("leftThigh", Role::LeftThigh),
];

/// The file's bytes.
pub(crate) fn body_file(library: &Library) -> Vec<u8> {
    let mut numbers = Vec::new();
    let skeleton = library.skeleton();
    let joint = |joint: &passerby::motion::skeleton::Joint| {
        json!({
            "name": joint.name,
            "parent": joint.parent.map_or(-1, |parent| i32::from(parent.0)),
            "offset": joint.offset.to_array(),
            "rest": joint.rest.to_array(),
        })
    };
    let roles =
        ROLES.iter().filter_map(|(name, role)| Some(((*name).to_owned(), library.roles().get(*role)?.0.into())));
    let levels: Vec<Value> = body::levels().iter().map(|mesh| level(mesh, &mut numbers)).collect();
    let clips: Vec<Value> = (0..library.clips().len()).map(|clip| self::clip(library, clip, &mut numbers)).collect();
    let table = json!({
        "stature": passerby::motion::library::STATURE,
        "joints": skeleton.joints().iter().map(joint).collect::<Vec<_>>(),
        "roles": roles.collect::<serde_json::Map<String, Value>>(),
        "slots": Slot::ALL.map(|slot| format!("{slot:?}")),
        "idle": library.idle().0,
        "levels": levels,
        "clips": clips,
    });
    let mut text = table.to_string().into_bytes();
    // Numbers of four bytes begin where the page can read them as such.
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut file = (text.len() as u32).to_le_bytes().to_vec();
    file.append(&mut text);
    file.append(&mut numbers);
    file
}

fn level(mesh: &Mesh, numbers: &mut Vec<u8>) -> Value {
    let mut put = |bytes: Vec<u8>| {
        let at = numbers.len();
        numbers.extend(bytes);
        numbers.resize(numbers.len().next_multiple_of(4), 0);
        at
    };
    let vectors = |column: &[passerby::geometry::Vec3]| -> Vec<u8> {
        column.iter().flat_map(|at| at.to_array()).flat_map(f32::to_le_bytes).collect()
    };
    let at = json!({
        "positions": put(vectors(&mesh.positions)),
        "normals": put(vectors(&mesh.normals)),
        "heavier": put(vectors(&mesh.heavier)),
        "female": put(vectors(&mesh.female)),
        "shares": put(mesh.carried.iter().flat_map(|carried| carried.shares).flat_map(f32::to_le_bytes).collect()),
        "joints": put(mesh.carried.iter().flat_map(|carried| carried.joints.map(|joint| joint.0 as u8)).collect()),
        "slots": put(mesh.slots.iter().map(|slot| *slot as u8).collect()),
        "indices": put(mesh.triangles.iter().flatten().flat_map(|corner| corner.to_le_bytes()).collect()),
    });
    json!({ "vertices": mesh.positions.len(), "triangles": mesh.triangles.len(), "at": at })
}

fn clip(library: &Library, number: usize, numbers: &mut Vec<u8>) -> Value {
    let clip = &library.clips()[number];
    let at = numbers.len();
    let mut pose = Pose::default();
    for frame in 0..FRAMES {
        let time = clip.take.duration() * frame as f32 / (FRAMES - 1) as f32;
        clip.take.sample(library.skeleton(), time, &mut pose);
        put_offset(pose.offsets[0], numbers);
        pose.rotations.iter().for_each(|rotation| put_rotation(*rotation, numbers));
    }
    numbers.resize(numbers.len().next_multiple_of(4), 0);
    json!({
        "name": clip.take.name,
        "duration": clip.take.duration(),
        "looped": clip.looped,
        "velocity": clip.velocity.to_array(),
        "frames": FRAMES,
        "at": at,
    })
}
