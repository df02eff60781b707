//! A crowd as a file that three.js, Blender and others open: binary glTF 2.0.
//!
//! Everybody has a node that moves and turns on the ground and is scaled by their stature, below it the joints and the body. All share
//! the surface, its two morph targets (heavier, female) and the bind matrices; who is dressed alike shares colours. A root node turns our z,
//! which is up, into glTF's y. What does not change has no keys; who is not there is scaled to next to nothing.

mod buffer;
mod channel;

use crate::looks::{Colours, Looks};
use crate::mesh::{Mesh, Shape, Slot};
use crate::pose::Pose;
use crate::skinning::Bind;
use crate::walker::{self, HIPS, JOINTS};
use buffer::{Buffer, Use};
use channel::{Channel, Channels};
use passerby_geometry::Vec3;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Height of those who are not there, m: not zero, since a scale of zero has no inverse and viewers stumble over it.
const ABSENT: f32 = 1e-3;

/// Where somebody is on the ground, and which way they look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Root {
    /// m.
    pub position: Vec3,
    /// Counter-clockwise from x, rad.
    pub heading: f32,
}

/// Somebody of the crowd, with the built-in skeleton.
#[derive(Debug, Clone)]
pub struct Person {
    /// What other programs call them; best if nobody else has the name.
    pub name: String,
    /// How they look.
    pub looks: Looks,
    /// The time they come: its place in the list of times.
    pub first: usize,
    /// Where they are, at each time from the first on. They leave after the last.
    pub roots: Vec<Root>,
    /// Their poses at the same times.
    pub poses: Vec<Pose>,
}

/// Why a crowd cannot be written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GlbError {
    /// Nothing to write.
    #[error("a crowd of {people} people at {times} times: one of each is the least")]
    Empty {
        /// How many people.
        people: usize,
        /// How many times.
        times: usize,
    },
    /// Times that are no numbers, negative or not rising.
    #[error("time {index} is {value} s: times rise from 0 or later")]
    Time {
        /// Which.
        index: usize,
        /// Its value.
        value: f32,
    },
    /// Frames of a person that do not fit.
    #[error(
        "`{name}`: {roots} places and {poses} poses from time {first} on: as many of each, one at least, and not beyond the last of {times} times"
    )]
    Frames {
        /// Whose.
        name: String,
        /// Places on the ground.
        roots: usize,
        /// Poses.
        poses: usize,
        /// First time.
        first: usize,
        /// Times there are.
        times: usize,
    },
    /// A pose of another skeleton, or one with parts that are no numbers.
    #[error("`{name}`, frame {frame}: not a pose of the built-in body, or with parts that are no numbers")]
    Pose {
        /// Whose.
        name: String,
        /// Which of their frames.
        frame: usize,
    },
    /// More than the format can hold.
    #[error(
        "{bytes} bytes: a glb file holds less than 4 GiB; write fewer people, a shorter time or fewer frames a second"
    )]
    TooLarge {
        /// What it would take.
        bytes: u64,
    },
}

/// Writes a crowd with this surface of the built-in body, at these times, s.
pub fn write(mesh: &Mesh, people: &[Person], times: &[f32]) -> Result<Vec<u8>, GlbError> {
    check(people, times)?;
    let channels: Vec<Channels> = people.iter().map(Channels::new).collect();
    let keys = channels.iter().map(Channels::bytes).sum::<u64>() + 64 * people.len() as u64;
    let fixed = (160 * mesh.positions.len() + 12 * mesh.triangles.len()) as u64;
    fits(keys + fixed)?; // before any of it is in memory a second time
    let mut file = Document { buffer: Buffer::with_capacity((keys + fixed) as usize), ..Document::default() };
    let surface = file.surface(mesh);
    let binds = file.binds();
    file.buffer.view();
    let clock = file.buffer.scalars(times);
    file.buffer.end_view(Use::Other);
    for (person, channels) in people.iter().zip(&channels) {
        file.person(person, channels, mesh, &surface, binds);
        file.animate(person, channels, times, clock);
    }
    file.bytes()
}

fn check(people: &[Person], times: &[f32]) -> Result<(), GlbError> {
    if people.is_empty() || times.is_empty() {
        return Err(GlbError::Empty { people: people.len(), times: times.len() });
    }
    for (index, value) in times.iter().enumerate() {
        let before = if index == 0 { -f32::MIN_POSITIVE } else { times[index - 1] };
        if !value.is_finite() || *value <= before {
            return Err(GlbError::Time { index, value: *value });
        }
    }
    for person in people {
        let (name, [roots, poses]) = (person.name.clone(), [person.roots.len(), person.poses.len()]);
        if roots == 0 || roots != poses || person.first.checked_add(roots).is_none_or(|end| end > times.len()) {
            return Err(GlbError::Frames { name, roots, poses, first: person.first, times: times.len() });
        }
        let fits = |(root, pose): (&Root, &Pose)| {
            root.position.is_finite()
                && root.heading.is_finite()
                && (pose.rotations.len(), pose.offsets.len()) == (JOINTS, JOINTS)
                && pose.rotations.iter().all(|turn| turn.is_finite() && turn.length_squared() > 0.25)
                && pose.offsets.iter().all(|offset| offset.is_finite())
        };
        if let Some(frame) = person.roots.iter().zip(&person.poses).position(|frame| !fits(frame)) {
            return Err(GlbError::Pose { name, frame });
        }
    }
    Ok(())
}

fn fits(bytes: u64) -> Result<(), GlbError> {
    if bytes > u64::from(u32::MAX) { Err(GlbError::TooLarge { bytes }) } else { Ok(()) }
}

#[derive(Default)]
struct Document {
    buffer: Buffer,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    skins: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// Persons' nodes.
    roots: Vec<usize>,
    /// Meshes by what their people wear.
    dressed: BTreeMap<Colours, usize>,
    /// The first joint's node of the person at hand.
    joints: usize,
}

/// Accessors that all meshes share.
struct Shared {
    attributes: Value,
    targets: Value,
    indices: usize,
}

impl Document {
    fn surface(&mut self, mesh: &Mesh) -> Shared {
        let mut column = |add: &mut dyn FnMut(&mut Buffer) -> usize| {
            self.buffer.view();
            let accessor = add(&mut self.buffer);
            self.buffer.end_view(Use::Vertices);
            accessor
        };
        let shares: Vec<[f32; 4]> = mesh.carried.iter().map(|carried| carried.shares).collect();
        let joints: Vec<[u8; 4]> =
            mesh.carried.iter().map(|carried| carried.joints.map(|joint| joint.0 as u8)).collect();
        let attributes = json!({
            "POSITION": column(&mut |buffer| buffer.vectors(&mesh.positions, true)),
            "NORMAL": column(&mut |buffer| buffer.vectors(&mesh.normals, false)),
            "JOINTS_0": column(&mut |buffer| buffer.joints(&joints)),
            "WEIGHTS_0": column(&mut |buffer| buffer.shares(&shares)),
        });
        let targets = json!([
            { "POSITION": column(&mut |buffer| buffer.vectors(&mesh.heavier, true)) },
            { "POSITION": column(&mut |buffer| buffer.vectors(&mesh.female, true)) },
        ]);
        self.buffer.view();
        let indices = self.buffer.indices(&mesh.triangles);
        self.buffer.end_view(Use::Indices);
        Shared { attributes, targets, indices }
    }

    /// Inverse bind matrices of somebody 1 m tall.
    fn binds(&mut self) -> usize {
        let matrices: Vec<[f32; 16]> = Bind::new(&walker::skeleton(1.0))
            .inverse()
            .iter()
            .map(|joint| {
                let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| joint.rotation * axis);
                let at = joint.position;
                [x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0, z.x, z.y, z.z, 0.0, at.x, at.y, at.z, 1.0]
            })
            .collect();
        self.buffer.view();
        let binds = self.buffer.matrices(&matrices);
        self.buffer.end_view(Use::Other);
        binds
    }

    /// The mesh in these colours.
    fn dressed(&mut self, colours: &Colours, mesh: &Mesh, shared: &Shared) -> usize {
        if let Some(number) = self.dressed.get(colours) {
            return *number;
        }
        let parts = Slot::ALL.map(|slot| {
            let [red, green, blue] = colours.light(slot).map(|part| (part * 65535.0).round() as u16);
            [red, green, blue, 65535]
        });
        let vertices: Vec<[u16; 4]> = mesh.slots.iter().map(|slot| parts[*slot as usize]).collect();
        self.buffer.view();
        let color = self.buffer.colours(&vertices);
        self.buffer.end_view(Use::Vertices);
        let mut attributes = shared.attributes.clone();
        attributes["COLOR_0"] = json!(color);
        self.meshes.push(json!({
            "primitives": [{ "attributes": attributes, "targets": shared.targets, "indices": shared.indices, "material": 0 }],
            "extras": { "targetNames": ["heavier", "female"] },
        }));
        self.dressed.insert(*colours, self.meshes.len() - 1);
        self.meshes.len() - 1
    }

    /// Nodes of a person: their own, the body's, the joints'.
    fn person(&mut self, person: &Person, channels: &Channels, mesh: &Mesh, shared: &Shared, binds: usize) {
        let dressed = self.dressed(&person.looks.colours, mesh, shared);
        let own = self.nodes.len();
        let [body, joints] = [own + 1, own + 2];
        self.roots.push(own);
        self.joints = joints;
        self.nodes.push(json!({
            "name": person.name,
            "translation": channels.position.first().to_array(),
            "rotation": channels.heading.first().to_array(),
            "scale": Vec3::splat(person.looks.stature).to_array(),
            "children": [body, joints + HIPS.index()],
        }));
        // Below the person, though its own place does not matter: so viewers that skip what is out of sight know where it is.
        let Shape { build, female } = person.looks.shape;
        let name = format!("{}_body", person.name);
        self.nodes.push(json!({
            "name": name, "mesh": dressed, "skin": self.skins.len(), "weights": [build - 1.0, female],
        }));
        let skeleton = walker::skeleton(1.0);
        for id in skeleton.ids() {
            let at = if id == HIPS { channels.hips.first() } else { skeleton.joint(id).offset };
            let children: Vec<usize> = skeleton.children(id).map(|child| joints + child.index()).collect();
            let mut node = json!({
                "name": format!("{}_{}", person.name, skeleton.joint(id).name),
                "translation": at.to_array(),
                "rotation": channels.rotations[id.index()].first().to_array(),
            });
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            self.nodes.push(node);
        }
        self.skins.push(json!({
            "joints": (joints..joints + JOINTS).collect::<Vec<usize>>(), "inverseBindMatrices": binds, "skeleton": joints,
        }));
    }

    /// Keys of a person.
    fn animate(&mut self, person: &Person, channels: &Channels, times: &[f32], clock: usize) {
        let own = *self.roots.last().expect("the person has nodes");
        let joints = self.joints;
        let here = person.first..person.first + person.roots.len();
        let whole = here.len() == times.len();
        if channels.bytes() == 0 && whole {
            return;
        }
        let clock = if whole { clock } else { self.buffer.part(clock, here.start, &times[here.clone()]) };
        self.buffer.view();
        for (node, path, channel) in [(own, "translation", &channels.position), (joints, "translation", &channels.hips)]
        {
            if let Channel::Moving(values) = channel {
                let output = self.buffer.vectors(values, false);
                self.channel(node, path, clock, output, "LINEAR");
            }
        }
        let turned = channels.rotations.iter().enumerate().map(|(joint, channel)| (joints + joint, channel));
        for (node, channel) in std::iter::once((own, &channels.heading)).chain(turned) {
            if let Channel::Moving(values) = channel {
                let output = self.buffer.rotations(values);
                self.channel(node, "rotation", clock, output, "LINEAR");
            }
        }
        if !whole {
            let full = Vec3::splat(person.looks.stature);
            let mut keys = vec![(times[here.start], full)];
            if here.start > 0 {
                keys.insert(0, (times[0], Vec3::splat(ABSENT)));
            }
            if here.end < times.len() {
                keys.push((times[here.end], Vec3::splat(ABSENT)));
            }
            let (moments, scales): (Vec<f32>, Vec<Vec3>) = keys.into_iter().unzip();
            let [input, output] = [self.buffer.scalars(&moments), self.buffer.vectors(&scales, false)];
            self.channel(own, "scale", input, output, "STEP");
        }
        self.buffer.end_view(Use::Other);
    }

    fn channel(&mut self, node: usize, path: &str, input: usize, output: usize, interpolation: &str) {
        self.channels.push(json!({ "sampler": self.samplers.len(), "target": { "node": node, "path": path } }));
        self.samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
    }

    /// Header, JSON and bytes.
    fn bytes(mut self) -> Result<Vec<u8>, GlbError> {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        self.nodes.push(json!({ "name": "crowd", "rotation": [-half, 0.0, 0.0, half], "children": self.roots }));
        let (views, accessors, binary) = self.buffer.finish();
        let mut document = json!({
            "asset": { "version": "2.0", "generator": concat!("Passerby ", env!("CARGO_PKG_VERSION")) },
            "scene": 0,
            "scenes": [{ "nodes": [self.nodes.len() - 1] }],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "skins": self.skins,
            "materials": [{ "name": "cloth", "pbrMetallicRoughness": { "metallicFactor": 0.0, "roughnessFactor": 0.9 } }],
            "accessors": accessors,
            "bufferViews": views,
            "buffers": [{ "byteLength": binary.len() }],
        });
        if !self.channels.is_empty() {
            document["animations"] = json!([{ "name": "walk", "samplers": self.samplers, "channels": self.channels }]);
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let total = 12 + 8 + text.len() as u64 + 8 + binary.len() as u64;
        fits(total)?;
        let mut file = Vec::with_capacity(total as usize);
        file.extend(b"glTF");
        [2, total as u32, text.len() as u32].iter().for_each(|number| file.extend(number.to_le_bytes()));
        file.extend(b"JSON");
        file.extend(text);
        file.extend((binary.len() as u32).to_le_bytes());
        file.extend(b"BIN\0");
        file.extend(binary);
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header counts bytes in 32 bits.
    #[test]
    fn four_gibibytes_are_too_many() {
        assert_eq!(fits(4_294_967_295), Ok(()));
        assert_eq!(fits(4_294_967_296), Err(GlbError::TooLarge { bytes: 4_294_967_296 }));
    }
}
