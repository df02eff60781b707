//! What of a person changes over time, and what does not and so needs no keys.

use super::Person;
use crate::walker::{HIPS, JOINTS};
use passerby_geometry::{Quat, Vec3};

/// Values of a joint or of the person's own node, one a frame or one for all.
#[derive(Debug, Clone, PartialEq)]
pub enum Channel<T> {
    /// The same in every frame.
    Still(T),
    /// One for each frame.
    Moving(Vec<T>),
}

/// A change smaller than this is none: a thousandth of a millimetre, or of a quarter turn 0.0001 degrees.
const STILL: f32 = 1e-6;

impl<T: Copy> Channel<T> {
    fn new(values: Vec<T>, same: impl Fn(T, T) -> bool) -> Channel<T> {
        let first = values[0];
        if values.iter().all(|value| same(first, *value)) { Channel::Still(first) } else { Channel::Moving(values) }
    }

    /// In the first frame.
    pub fn first(&self) -> T {
        match self {
            Channel::Still(value) => *value,
            Channel::Moving(values) => values[0],
        }
    }

    /// Keys it needs.
    pub fn keys(&self) -> u64 {
        match self {
            Channel::Still(_) => 0,
            Channel::Moving(values) => values.len() as u64,
        }
    }
}

/// All channels of a person: where they are and how turned on the ground, the hips in their frame, and every joint's rotation.
pub struct Channels {
    pub position: Channel<Vec3>,
    pub heading: Channel<Quat>,
    pub hips: Channel<Vec3>,
    pub rotations: Vec<Channel<Quat>>,
}

impl Channels {
    pub fn new(person: &Person) -> Channels {
        let near = |a: Vec3, b: Vec3| a.distance_squared(b) < STILL * STILL;
        let positions = person.roots.iter().map(|root| root.position).collect();
        let headings = person.roots.iter().map(|root| Quat::from_rotation_z(root.heading)).collect();
        // The person's node is scaled by stature: below it, bodies are 1 m tall.
        let hips = person.poses.iter().map(|pose| pose.offsets[HIPS.index()] / person.looks.stature).collect();
        let rotations =
            (0..JOINTS).map(|joint| turning(person.poses.iter().map(|pose| pose.rotations[joint]).collect()));
        Channels {
            position: Channel::new(positions, near),
            heading: turning(headings),
            hips: Channel::new(hips, near),
            rotations: rotations.collect(),
        }
    }

    /// Bytes of all keys.
    pub fn bytes(&self) -> u64 {
        let rotations: u64 = self.rotations.iter().map(Channel::keys).sum();
        12 * (self.position.keys() + self.hips.keys()) + 16 * (self.heading.keys() + rotations)
    }
}

/// Unit quaternions, each on the side of the one before it, so that those who interpolate parts go the short way too.
fn turning(mut values: Vec<Quat>) -> Channel<Quat> {
    values[0] = values[0].normalize();
    for i in 1..values.len() {
        let value = values[i].normalize();
        values[i] = if values[i - 1].dot(value) < 0.0 { -value } else { value };
    }
    Channel::new(values, |a, b| (a - b).length_squared() < STILL * STILL)
}
