//! glTF 2.0, as GLB or as a document with embedded or separate buffers: the joints of skins and all animations.
//!
//! Curves are sampled at equal distances in time, from the first key of an animation to its last; scales of joints that change are
//! left out. Without skins the nodes that animations move are the joints.

use super::gltf_buffers::{Document, whole};
use super::gltf_nodes::{Node, nodes, tree};
use super::gltf_sampler::Curve;
use super::placing::{Raw, place};
use super::{ImportError, Imported, Options, ROTATIONS_MAX};
use crate::skeleton::{Joint, JointId};
use crate::take::{Moved, Take};
use passerby_geometry::{DQuat, DVec3};
use serde_json::Value;

type Result<T> = std::result::Result<T, ImportError>;

/// Reads a glTF file; `external` gives the bytes of buffers that are files of their own, by their uri.
pub fn read(bytes: &[u8], external: &dyn Fn(&str) -> Option<Vec<u8>>, options: &Options) -> Result<Imported> {
    if !(1.0..=1000.0).contains(&options.frame_rate) {
        return Err(ImportError::new("frame_rate", format!("{}: 1 to 1000 frames a second", options.frame_rate)));
    }
    let document = Document::read(bytes, external)?;
    let mut notes = vec![];
    let nodes = nodes(&document, &mut notes)?;
    let figure = Figure::new(&document, &nodes)?;
    let mut takes: Vec<Take> = vec![];
    for index in 0..document.list("animations")?.len() {
        let room = ROTATIONS_MAX - takes.iter().map(|take| take.rotations.len()).sum::<usize>();
        takes.extend(figure.take(&document, index, f64::from(options.frame_rate), room, &mut notes)?);
    }
    let inverse_binds = figure.inverse_binds(&document)?;
    place(Raw { joints: figure.joints(), takes, ends: vec![], inverse_binds, notes }, options)
}

/// The nodes that are joints.
struct Figure<'a> {
    nodes: &'a [Node],
    /// Node of each joint, parents first.
    order: Vec<usize>,
    /// Joint of each node.
    joint: Vec<Option<usize>>,
    /// What the first joint hangs on, which does not move: rotation, place, scale.
    above: (DQuat, DVec3, f64),
    /// Scale of everything a joint's offset is measured in.
    scale: Vec<f64>,
}

impl<'a> Figure<'a> {
    fn new(document: &Document, nodes: &'a [Node]) -> Result<Self> {
        let wanted = wanted(document, nodes)?;
        let order = tree(nodes, &wanted)?;
        let mut joint = vec![None; nodes.len()];
        order.iter().enumerate().for_each(|(index, node)| joint[*node] = Some(index));
        let mut above = (DQuat::IDENTITY, DVec3::ZERO, 1.0);
        let ancestors: Vec<&Node> = std::iter::successors(nodes[order[0]].parent, |node| nodes[*node].parent)
            .map(|node| &nodes[node])
            .collect();
        for node in ancestors.into_iter().rev() {
            let (rotation, place, scale) = above;
            let place = place + rotation * (node.translation * scale);
            above = ((rotation * node.rotation).normalize(), place, scale * node.scale);
        }
        let mut scale: Vec<f64> = Vec::with_capacity(order.len());
        for node in &order {
            let parent = nodes[*node].parent.filter(|_| !scale.is_empty());
            let own = parent.and_then(|parent| Some((joint[parent]?, parent)));
            scale.push(own.map_or(above.2, |(joint, parent)| scale[joint] * nodes[parent].scale));
        }
        if let Some(at) = scale.iter().position(|scale| !(1e-9..1e9).contains(scale)) {
            return Err(ImportError::new(format!("nodes[{}]", order[at]), format!("scaled by {} in all", scale[at])));
        }
        Ok(Self { nodes, order, joint, above, scale })
    }

    /// A joint's rotation and offset with what the first one hangs on, in units of the file.
    fn local(&self, joint: usize, rotation: DQuat, translation: DVec3) -> (DQuat, DVec3) {
        let offset = translation * self.scale[joint];
        if joint > 0 {
            return (rotation, offset);
        }
        let (turn, place, _) = self.above;
        (turn * rotation, place + turn * offset)
    }

    fn joints(&self) -> Vec<Joint> {
        let joint = |(index, node): (usize, &usize)| {
            let node = &self.nodes[*node];
            let (rest, offset) = self.local(index, node.rotation, node.translation);
            let parent = node.parent.filter(|_| index > 0).and_then(|parent| self.joint[parent]);
            Joint {
                name: node.name.clone(),
                parent: parent.map(|parent| JointId(parent as u16)),
                offset: offset.as_vec3(),
                rest: rest.normalize().as_quat(),
            }
        };
        self.order.iter().enumerate().map(joint).collect()
    }

    /// One animation; none if it moves no joint.
    fn take(
        &self,
        document: &Document,
        index: usize,
        rate: f64,
        room: usize,
        notes: &mut Vec<String>,
    ) -> Result<Option<Take>> {
        let animation = &document.list("animations")?[index];
        let place = format!("animations[{index}]");
        let name = animation.get("name").and_then(Value::as_str).map_or_else(|| format!("take{index}"), str::to_string);
        let curves = self.curves(document, animation, &place)?;
        let times = || curves.rotations.iter().chain(&curves.translations).flatten().map(|curve| &curve.times);
        let start = times().map(|times| times[0]).fold(f64::MAX, f64::min);
        let end = times().map(|times| times[times.len() - 1]).fold(f64::MIN, f64::max);
        if end < start {
            notes.push(format!("animation `{name}` moves no joint"));
            return Ok(None);
        }
        if curves.scales && notes.len() < 20 {
            notes.push(format!("animation `{name}` scales joints: that is left out"));
        }
        let steps = ((end - start) * rate).round().max(1.0);
        let joints = self.order.len();
        if (steps + 1.0) * joints as f64 > room as f64 {
            return Err(ImportError::new(place, format!("{} s are too long", end - start)));
        }
        let step = (end - start) / steps;
        let frame_rate = if end > start { (1.0 / step) as f32 } else { rate as f32 };
        if !frame_rate.is_finite() || frame_rate > 1e6 {
            return Err(ImportError::new(place, format!("{} s are too short", end - start)));
        }
        let mut take = Take { name, frame_rate, joints, rotations: vec![], moved: self.moving(&curves) };
        for frame in 0..=steps as usize {
            let time = start + step * frame as f64;
            for joint in 0..joints {
                let node = &self.nodes[self.order[joint]];
                let rotation = curves.rotations[joint].as_ref().map_or(node.rotation, |curve| curve.rotation(time));
                let translation =
                    curves.translations[joint].as_ref().map_or(node.translation, |curve| curve.vector(time));
                let (rotation, offset) = self.local(joint, rotation, translation);
                take.rotations.push(rotation.normalize().as_quat());
                if let Some(moved) = take.moved.iter_mut().find(|moved| moved.joint.index() == joint) {
                    moved.offsets.push(offset.as_vec3());
                }
            }
        }
        Ok(Some(take))
    }

    fn curves(&self, document: &Document, animation: &Value, place: &str) -> Result<Curves> {
        let none = || (0..self.order.len()).map(|_| None).collect::<Vec<Option<Curve>>>();
        let mut curves = Curves { rotations: none(), translations: none(), scales: false };
        let channels = animation.get("channels").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        for (number, channel) in channels.iter().enumerate() {
            let place = format!("{place}.channels[{number}]");
            let Some(target) = channel.get("target") else { return Err(ImportError::new(place, "has no target")) };
            if target.get("node").is_none() {
                continue; // An extension says what it moves.
            }
            let node = whole(target, "node", &place)?;
            let Some(joint) = self.joint.get(node) else {
                return Err(ImportError::new(place, format!("node {node} does not exist")));
            };
            let Some(joint) = *joint else { continue };
            let sampler = whole(channel, "sampler", &place)?;
            let (into, width) = match target.get("path").and_then(Value::as_str) {
                Some("rotation") => (&mut curves.rotations, 4),
                Some("translation") => (&mut curves.translations, 3),
                Some("scale") => {
                    let curve = Curve::read(document, animation, sampler, 3, &place)?;
                    let first = curve.vector(curve.times[0]);
                    curves.scales |= curve.times.iter().any(|time| curve.vector(*time).distance(first) > 0.01);
                    continue;
                }
                Some("weights") => continue,
                other => {
                    return Err(ImportError::new(
                        place,
                        format!("path {other:?}: rotation, translation, scale or weights"),
                    ));
                }
            };
            if into[joint].is_some() {
                return Err(ImportError::new(place, format!("node {node} has this path twice")));
            }
            into[joint] = Some(Curve::read(document, animation, sampler, width, &place)?);
        }
        Ok(curves)
    }

    /// The first joint, and those that leave their place at rest.
    fn moving(&self, curves: &Curves) -> Vec<Moved> {
        let leaves = |joint: usize| {
            curves.translations[joint].as_ref().is_some_and(|curve| {
                let rest = self.nodes[self.order[joint]].translation;
                let tolerance = 1e-4 * rest.length().max(1e-6);
                curve.times.iter().any(|time| curve.vector(*time).distance(rest) > tolerance)
            })
        };
        let joints = (0..self.order.len()).filter(|joint| *joint == 0 || leaves(*joint));
        joints.map(|joint| Moved { joint: JointId(joint as u16), offsets: vec![] }).collect()
    }

    fn inverse_binds(&self, document: &Document) -> Result<Vec<(JointId, [f32; 16])>> {
        let Some(skin) = document.list("skins")?.first() else { return Ok(vec![]) };
        if skin.get("inverseBindMatrices").is_none() {
            return Ok(vec![]);
        }
        let place = "skins[0]";
        let matrices = document.numbers(whole(skin, "inverseBindMatrices", place)?, 16, place)?;
        let nodes: Vec<usize> = skin_joints(skin, self.nodes, place)?;
        if matrices.len() < nodes.len() * 16 {
            let what = format!("{} joints and {} inverse bind matrices", nodes.len(), matrices.len() / 16);
            return Err(ImportError::new(place, what));
        }
        let of = |(node, matrix): (&usize, &[f64])| {
            let joint = self.joint[*node].expect("joints of skins are wanted");
            (JointId(joint as u16), std::array::from_fn(|n| matrix[n] as f32))
        };
        Ok(nodes.iter().zip(matrices.chunks_exact(16)).map(of).collect())
    }
}

/// Curves of every joint.
struct Curves {
    rotations: Vec<Option<Curve>>,
    translations: Vec<Option<Curve>>,
    scales: bool,
}

fn skin_joints(skin: &Value, nodes: &[Node], place: &str) -> Result<Vec<usize>> {
    let list = skin.get("joints").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let joints: Option<Vec<usize>> =
        list.iter().map(|node| node.as_u64().map(|node| node as usize).filter(|node| *node < nodes.len())).collect();
    joints.ok_or_else(|| ImportError::new(place, "joints names a node that does not exist"))
}

/// Joints of all skins, or else what animations move; and everything above them that moves.
fn wanted(document: &Document, nodes: &[Node]) -> Result<Vec<usize>> {
    let mut wanted = vec![];
    for (index, skin) in document.list("skins")?.iter().enumerate() {
        wanted.extend(skin_joints(skin, nodes, &format!("skins[{index}]"))?);
    }
    let mut moves = vec![false; nodes.len()];
    for animation in document.list("animations")? {
        for channel in animation.get("channels").and_then(Value::as_array).into_iter().flatten() {
            let target = channel.get("target");
            let node = target.and_then(|target| target.get("node")).and_then(Value::as_u64);
            let weights = target.and_then(|target| target.get("path")).and_then(Value::as_str) == Some("weights");
            if let Some(moves) = node.and_then(|node| moves.get_mut(node as usize)) {
                *moves |= !weights;
            }
        }
    }
    let moving = |node: &usize| moves[*node];
    if wanted.is_empty() {
        wanted = (0..nodes.len()).filter(moving).collect();
    } else {
        let above = |node: usize| std::iter::successors(nodes[node].parent, |node| nodes[*node].parent);
        let first = wanted[0];
        wanted.extend(above(first).filter(moving));
    }
    wanted.sort_unstable();
    wanted.dedup();
    Ok(wanted)
}
