//! Coarser bodies: edges of the finest are collapsed, the one that changes least first.
//!
//! Garland and Heckbert, "Surface simplification using quadric error metrics", SIGGRAPH 1997, with two changes: an edge collapses
//! onto one of its ends, so that shares and shapes need no averaging; and the error is the sum over rest and a seated pose, since
//! a knee that is straight at rest would else lose the points it bends with.

use super::Surface;
use crate::mesh::{Carried, Slot};
use crate::pose::Pose;
use crate::skinning::{self, Bind, blended};
use crate::walker::{self, *};
use passerby_geometry::{DVec3, Quat, Vec3};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Poses in which the error is counted.
const POSES: usize = 2;
/// Where colours meet the border counts as much as a surface this many times as wide as its edge is long.
const BORDER: f64 = 1.0;

/// The same surface with `most` triangles or a few less, and the volume of the finest.
pub fn collapsed(finest: &Surface, most: usize) -> Surface {
    let mut work = Work::new(finest);
    work.collapse(most);
    let mut surface = work.surface(finest);
    inflate(&mut surface, volume(finest));
    surface
}

/// Squared distance from a set of planes: the upper triangle of a symmetric 4 x 4 matrix.
type Quadric = [f64; 10];

fn plane(normal: DVec3, at: DVec3, weight: f64) -> Quadric {
    let [a, b, c, d] = [normal.x, normal.y, normal.z, -normal.dot(at)];
    [a * a, a * b, a * c, a * d, b * b, b * c, b * d, c * c, c * d, d * d].map(|term| term * weight)
}

fn error(q: &Quadric, p: DVec3) -> f64 {
    let [x, y, z] = [p.x, p.y, p.z];
    q[0] * x * x
        + q[4] * y * y
        + q[7] * z * z
        + q[9]
        + 2.0 * (q[1] * x * y + q[2] * x * z + q[5] * y * z)
        + 2.0 * (q[3] * x + q[6] * y + q[8] * z)
}

/// An edge that might collapse: cost, from, to, and the stamps of both when it was offered. The queue gives the cheapest first.
type Offer = Reverse<(u64, u32, u32, [u32; 2])>;

struct Work {
    /// Where each point is in each pose.
    points: Vec<[DVec3; POSES]>,
    quadrics: Vec<[Quadric; POSES]>,
    triangles: Vec<Option<([u32; 3], Slot)>>,
    /// Triangles around each point.
    around: Vec<Vec<u32>>,
    /// Rises whenever what surrounds a point changes.
    stamps: Vec<u32>,
    left: usize,
}

impl Work {
    fn new(finest: &Surface) -> Work {
        let seated = seated(finest);
        let points: Vec<[DVec3; POSES]> =
            finest.points.iter().zip(&seated).map(|(rest, seated)| [rest.as_dvec3(), seated.as_dvec3()]).collect();
        let mut work = Work {
            quadrics: vec![[[0.0; 10]; POSES]; points.len()],
            around: vec![Vec::new(); points.len()],
            stamps: vec![0; points.len()],
            triangles: finest.triangles.iter().map(|triangle| Some(*triangle)).collect(),
            left: finest.triangles.len(),
            points,
        };
        let mut edges: BTreeMap<[u32; 2], Slot> = BTreeMap::new();
        for (index, (corners, slot)) in finest.triangles.iter().enumerate() {
            corners.iter().for_each(|corner| work.around[*corner as usize].push(index as u32));
            for pose in 0..POSES {
                let [a, b, c] = corners.map(|corner| work.points[corner as usize][pose]);
                let cross = (b - a).cross(c - a);
                work.add(corners, pose, &plane(cross.normalize_or_zero(), a, 0.5 * cross.length()));
            }
            for i in 0..3 {
                let [from, to] = [corners[i], corners[(i + 1) % 3]];
                match edges.remove(&[to, from]) {
                    Some(other) if other != *slot => work.add_border([from, to], corners),
                    Some(_) => {}
                    None => drop(edges.insert([from, to], *slot)),
                }
            }
        }
        work
    }

    fn add(&mut self, points: &[u32], pose: usize, quadric: &Quadric) {
        for point in points {
            let sum = &mut self.quadrics[*point as usize][pose];
            sum.iter_mut().zip(quadric).for_each(|(sum, term)| *sum += term);
        }
    }

    /// A plane through an edge where colours meet, upright on the triangle.
    fn add_border(&mut self, edge: [u32; 2], corners: &[u32; 3]) {
        for pose in 0..POSES {
            let [a, b, c] = corners.map(|corner| self.points[corner as usize][pose]);
            let [from, to] = edge.map(|end| self.points[end as usize][pose]);
            let normal = (b - a).cross(c - a).cross(to - from).normalize_or_zero();
            self.add(&edge, pose, &plane(normal, from, BORDER * from.distance_squared(to)));
        }
    }

    fn collapse(&mut self, most: usize) {
        let mut queue = BinaryHeap::new();
        (0..self.points.len() as u32).for_each(|point| self.offer(point, &mut queue));
        while self.left > most
            && let Some(Reverse((_, from, to, stamps))) = queue.pop()
        {
            if stamps == [from, to].map(|point: u32| self.stamps[point as usize]) && self.allowed(from, to) {
                self.merge(from, to);
                let mut changed = self.neighbours(to);
                changed.push(to);
                changed.iter().for_each(|point| self.stamps[*point as usize] += 1);
                changed.iter().for_each(|point| self.offer(*point, &mut queue));
            }
        }
    }

    /// Puts all edges that start here into the queue: cost, then ends, so that the order is the same everywhere.
    fn offer(&self, from: u32, queue: &mut BinaryHeap<Offer>) {
        for to in self.neighbours(from) {
            for (from, to) in [(from, to), (to, from)] {
                let cost: f64 = (0..POSES)
                    .map(|pose| error(&self.quadrics[from as usize][pose], self.points[to as usize][pose]).max(0.0))
                    .sum();
                // Bits of positive numbers are in the order of the numbers.
                queue.push(Reverse((cost.to_bits(), from, to, [from, to].map(|point| self.stamps[point as usize]))));
            }
        }
    }

    fn neighbours(&self, point: u32) -> Vec<u32> {
        let triangles = self.around[point as usize].iter().filter_map(|index| self.triangles[*index as usize]);
        let mut found: Vec<u32> = triangles.flat_map(|triangle| triangle.0).filter(|other| *other != point).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether the surface stays one closed surface and no triangle turns over. The crown stays: stature is measured there.
    fn allowed(&self, from: u32, to: u32) -> bool {
        let (here, there) = (self.neighbours(from), self.neighbours(to));
        let common = here.iter().filter(|point| there.contains(point)).count();
        let crown = self.points[from as usize][0].z == 1.0;
        if crown || common != 2 || !here.contains(&to) {
            return false;
        }
        let moved = self.around[from as usize].iter().filter_map(|index| self.triangles[*index as usize]);
        moved.map(|triangle| triangle.0).filter(|corners| !corners.contains(&to)).all(|corners| {
            (0..POSES).all(|pose| {
                let normal = |corners: [u32; 3]| {
                    let [a, b, c] = corners.map(|corner| self.points[corner as usize][pose]);
                    (b - a).cross(c - a).normalize_or_zero()
                };
                let after = corners.map(|corner| if corner == from { to } else { corner });
                normal(corners).dot(normal(after)) > 0.1
            })
        })
    }

    fn merge(&mut self, from: u32, to: u32) {
        for index in std::mem::take(&mut self.around[from as usize]) {
            let Some((corners, _)) = &mut self.triangles[index as usize] else { continue };
            if corners.contains(&to) {
                self.triangles[index as usize] = None;
                self.left -= 1;
            } else {
                corners.iter_mut().filter(|corner| **corner == from).for_each(|corner| *corner = to);
                self.around[to as usize].push(index);
            }
        }
        for pose in 0..POSES {
            let quadric = self.quadrics[from as usize][pose];
            self.add(&[to], pose, &quadric);
        }
    }

    fn surface(&self, finest: &Surface) -> Surface {
        let mut kept: Vec<u32> = self.triangles.iter().flatten().flat_map(|triangle| triangle.0).collect();
        kept.sort_unstable();
        kept.dedup();
        let number = |point: u32| kept.partition_point(|other| *other < point) as u32;
        let triangles: Vec<_> =
            self.triangles.iter().flatten().map(|(corners, slot)| (corners.map(number), *slot)).collect();
        let pick = |column: &[Vec3]| kept.iter().map(|point| column[*point as usize]).collect::<Vec<Vec3>>();
        let points = pick(&finest.points);
        Surface {
            heavier: pick(&finest.heavier),
            female: pick(&finest.female),
            carried: kept.iter().map(|point| finest.carried[*point as usize]).collect(),
            points,
            triangles,
        }
    }
}

/// The finest surface on a chair: knees, hips and elbows bent.
fn seated(finest: &Surface) -> Vec<Vec3> {
    let skeleton = walker::skeleton(1.0);
    let mut pose = Pose::rest(&skeleton);
    for (joint, degrees) in [(LEFT_THIGH, -60.0), (LEFT_SHIN, 80.0), (LEFT_UPPER_ARM, -25.0), (LEFT_FOREARM, -70.0)] {
        for joint in [joint, mirrored(joint)] {
            pose.rotations[joint.index()] = Quat::from_rotation_y(f32::to_radians(degrees));
        }
    }
    let mut placed = Vec::new();
    pose.to_model(&skeleton, &mut placed);
    let mut matrices = Vec::new();
    Bind::new(&skeleton).matrices(&placed, &mut matrices);
    let moved = |(point, carried): (&Vec3, &Carried)| skinning::point(&blended(&matrices, carried), *point);
    finest.points.iter().zip(&finest.carried).map(moved).collect()
}

fn volume(surface: &Surface) -> f32 {
    let tetrahedron = |([a, b, c], _): &([u32; 3], Slot)| {
        let [a, b, c] = [a, b, c].map(|corner| surface.points[*corner as usize]);
        a.dot(b.cross(c)) / 6.0
    };
    surface.triangles.iter().map(tetrahedron).sum()
}

/// Chords cut off what they span, so coarse limbs are thin: moves points outward until the volume is as wanted, but not
/// into the ground or above the crown.
fn inflate(surface: &mut Surface, wanted: f32) {
    for _ in 0..4 {
        // Twice the area of the triangles around each point, outward: to first order, six times what the volume gains when
        // the point moves.
        let mut outward = vec![Vec3::ZERO; surface.points.len()];
        let mut area = 0.0;
        for (corners, _) in &surface.triangles {
            let [a, b, c] = corners.map(|corner| surface.points[corner as usize]);
            let cross = (b - a).cross(c - a);
            area += 0.5 * cross.length();
            corners.iter().for_each(|corner| outward[*corner as usize] += cross);
        }
        let by = (wanted - volume(surface)) / area;
        for (point, outward) in surface.points.iter_mut().zip(outward) {
            let grounded = point.z == 0.0;
            *point += outward.normalize_or_zero() * by;
            point.z = if grounded { 0.0 } else { point.z.clamp(0.0, 1.0) };
        }
    }
}
