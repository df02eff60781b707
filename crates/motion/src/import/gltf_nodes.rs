//! The nodes of a glTF file as a tree of joints.

use super::ImportError;
use super::gltf_buffers::Document;
use crate::skeleton::JOINTS_MAX;
use passerby_geometry::{DQuat, DVec3, math::double};
use serde_json::Value;

/// Nodes a file may have.
const NODES_MAX: usize = 1 << 16;

type Result<T> = std::result::Result<T, ImportError>;

/// A node at rest.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub name: String,
    pub parent: Option<usize>,
    pub translation: DVec3,
    pub rotation: DQuat,
    /// One factor for all axes: of a node with three their geometric mean.
    pub scale: f64,
}

/// All nodes, each with its parent. A node with two parents, or in a cycle, is refused.
pub(super) fn nodes(document: &Document, notes: &mut Vec<String>) -> Result<Vec<Node>> {
    let list = document.list("nodes")?;
    if list.len() > NODES_MAX {
        return Err(ImportError::new("nodes", format!("{} nodes: up to {NODES_MAX} are read", list.len())));
    }
    let mut nodes = Vec::with_capacity(list.len());
    for (index, value) in list.iter().enumerate() {
        nodes.push(node(value, index, notes)?);
    }
    for (index, value) in list.iter().enumerate() {
        let place = format!("nodes[{index}].children");
        for child in value.get("children").and_then(Value::as_array).into_iter().flatten() {
            let child = child.as_u64().and_then(|child| usize::try_from(child).ok());
            let Some(child) = child.filter(|child| *child < list.len()) else {
                return Err(ImportError::new(place, "names a node that does not exist"));
            };
            if let Some(other) = nodes[child].parent {
                return Err(ImportError::new(place, format!("node {child} is a child of node {other} too")));
            }
            nodes[child].parent = Some(index);
        }
    }
    cycles(&nodes)?;
    Ok(nodes)
}

/// Every node hangs on one without a parent. Each way up is gone once.
fn cycles(nodes: &[Node]) -> Result<()> {
    let mut seen = vec![0; nodes.len()];
    for start in 0..nodes.len() {
        let mut at = Some(start);
        while let Some(index) = at.filter(|index| seen[*index] == 0) {
            seen[index] = start + 1;
            at = nodes[index].parent;
            if at.is_some_and(|parent| seen[parent] == start + 1) {
                return Err(ImportError::new(format!("nodes[{index}]"), "hangs on itself: a cycle in the hierarchy"));
            }
        }
    }
    Ok(())
}

fn node(value: &Value, index: usize, notes: &mut Vec<String>) -> Result<Node> {
    let place = format!("nodes[{index}]");
    let name = value.get("name").and_then(Value::as_str).map_or_else(|| format!("node{index}"), str::to_string);
    let (translation, rotation, scale) = match numbers::<16>(value, "matrix", &place)? {
        Some(matrix) => decompose(&matrix, &place)?,
        None => {
            let [x, y, z] = numbers::<3>(value, "translation", &place)?.unwrap_or([0.0; 3]);
            let rotation = numbers::<4>(value, "rotation", &place)?.unwrap_or([0.0, 0.0, 0.0, 1.0]);
            let [a, b, c] = numbers::<3>(value, "scale", &place)?.unwrap_or([1.0; 3]);
            (DVec3::new(x, y, z), unit(rotation, &place)?, DVec3::new(a, b, c))
        }
    };
    let mean = double::powf((scale.x * scale.y * scale.z).abs(), 1.0 / 3.0);
    if !(mean > 1e-9 && mean < 1e9) {
        return Err(ImportError::new(place, format!("a scale of {scale}: not 0, and up to 1e9")));
    }
    if (scale / mean - DVec3::ONE).abs().max_element() > 0.01 && notes.len() < 20 {
        notes.push(format!("node `{name}` is scaled by {scale}: {mean:.3} was used for all axes"));
    }
    Ok(Node { name, parent: None, translation, rotation, scale: mean })
}

/// A rotation of any length but 0.
pub(super) fn unit(rotation: [f64; 4], place: &str) -> Result<DQuat> {
    let rotation = DQuat::from_array(rotation);
    let length = rotation.length();
    if length.is_finite() && length > 1e-6 {
        return Ok(rotation * (1.0 / length));
    }
    Err(ImportError::new(place, format!("the rotation {rotation} has no direction")))
}

/// A matrix by columns as translation, rotation and scale.
fn decompose(matrix: &[f64; 16], place: &str) -> Result<(DVec3, DQuat, DVec3)> {
    let column = |at: usize| DVec3::new(matrix[at], matrix[at + 1], matrix[at + 2]);
    let (x, y, z) = (column(0), column(4), column(8));
    let scale = DVec3::new(x.length(), y.length(), z.length());
    if scale.min_element() < 1e-9 {
        return Err(ImportError::new(place, "a matrix that makes everything flat"));
    }
    let turn = DQuat::from_rotation_arc(DVec3::X, x / scale.x);
    let rest = turn.inverse() * (y / scale.y);
    let rotation = turn * DQuat::from_rotation_x(double::atan2(rest.z, rest.y));
    Ok((column(12), rotation.normalize(), scale))
}

/// A list of this many numbers, if it is there.
fn numbers<const N: usize>(value: &Value, key: &str, place: &str) -> Result<Option<[f64; N]>> {
    let Some(value) = value.get(key) else { return Ok(None) };
    let list: Option<Vec<f64>> = value.as_array().and_then(|list| list.iter().map(Value::as_f64).collect());
    let list: Option<[f64; N]> = list.and_then(|list| list.try_into().ok());
    match list.filter(|list| list.iter().all(|number| number.abs() < 1e9)) {
        Some(list) => Ok(Some(list)),
        None => Err(ImportError::new(place, format!("{key} is no list of {N} numbers up to 1e9"))),
    }
}

/// The nodes that become joints, parents first: those that are wanted, and all between them and the node they hang on together.
pub(super) fn tree(nodes: &[Node], wanted: &[usize]) -> Result<Vec<usize>> {
    let up = |node: usize| std::iter::successors(Some(node), |node| nodes[*node].parent);
    let mut count = vec![0usize; nodes.len()];
    let mut marked = 0;
    for node in wanted {
        // Wanted nodes are few, ways up may be long: nobody walks one twice for the same root.
        up(*node).for_each(|node| count[node] += 1);
        marked += up(*node).count();
        if marked > 50_000_000 {
            return Err(ImportError::new("nodes", "the hierarchy is too deep"));
        }
    }
    let Some(first) = wanted.first() else { return Err(ImportError::new("nodes", "no joints and nothing that moves")) };
    let Some(root) = up(*first).find(|node| count[*node] == wanted.len()) else {
        return Err(ImportError::new("nodes", "the joints hang on several nodes: one figure is read"));
    };
    let mut children = vec![vec![]; nodes.len()];
    for (index, node) in nodes.iter().enumerate().filter(|(index, _)| count[*index] > 0) {
        node.parent.into_iter().for_each(|parent| children[parent].push(index));
    }
    let (mut order, mut open) = (vec![], vec![root]);
    while let Some(node) = open.pop() {
        order.push(node);
        if order.len() > JOINTS_MAX {
            return Err(ImportError::new(format!("nodes[{node}]"), format!("more than {JOINTS_MAX} joints")));
        }
        open.extend(children[node].iter().rev());
    }
    Ok(order)
}
