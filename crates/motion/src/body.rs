//! The built-in body: a skinned human of about 3000 triangles that our own code makes, and three coarser ones.
//!
//! The left half is made of rings around the bones (`tables`), joined into one surface (`half`) and mirrored. Two coarser levels are
//! the finest one with edges collapsed (`coarse`), the last is put together from a few of its rings (`far`).

mod coarse;
mod far;
mod half;
mod ring;
mod skin;
mod tables;

use crate::mesh::{Carried, Mesh, Shape, Slot, normals};
use half::Half;
use passerby_geometry::Vec3;

/// Triangles of the levels that are made by collapsing edges, at most.
const COLLAPSED: [usize; 2] = [800, 250];

/// All levels of detail, finest first: about 3000, 800, 250 and 60 triangles.
pub fn levels() -> Vec<Mesh> {
    let mut levels = vec![Surface::new(|shape| whole(half::half(shape))).mesh()];
    let plain = Surface::new(|shape| whole(half::without_folds(shape)));
    levels.extend(COLLAPSED.map(|most| coarse::collapsed(&plain, most).mesh()));
    levels.push(Surface::new(far::body).mesh());
    levels
}

/// A whole body before its vertices are parted where slots meet: every point once.
#[derive(Debug, Clone)]
struct Surface {
    points: Vec<Vec3>,
    heavier: Vec<Vec3>,
    female: Vec<Vec3>,
    carried: Vec<Carried>,
    triangles: Vec<([u32; 3], Slot)>,
}

impl Surface {
    /// Of a body that has the same points whatever the shape.
    fn new(body: fn(Shape) -> Half) -> Surface {
        let middle = body(Shape::MIDDLE);
        let from_middle = |shape: Shape| {
            let other = body(shape);
            other.points.iter().zip(&middle.points).map(|(other, middle)| *other - *middle).collect()
        };
        Surface {
            heavier: from_middle(Shape { build: 2.0, ..Shape::MIDDLE }),
            female: from_middle(Shape { female: 1.0, ..Shape::MIDDLE }),
            points: middle.points,
            carried: middle.carried,
            triangles: middle.triangles,
        }
    }

    /// Parts points where slots meet.
    fn mesh(&self) -> Mesh {
        let normals = normals(&self.points, &self.triangles);
        let mut mesh = Mesh::default();
        let mut numbers = vec![[None; Slot::ALL.len()]; self.points.len()];
        for (corners, slot) in &self.triangles {
            mesh.triangles.push(corners.map(|corner| {
                let point = corner as usize;
                *numbers[point][*slot as usize].get_or_insert_with(|| {
                    mesh.positions.push(self.points[point]);
                    mesh.normals.push(normals[point][slot.piece()]);
                    mesh.heavier.push(self.heavier[point]);
                    mesh.female.push(self.female[point]);
                    mesh.carried.push(self.carried[point]);
                    mesh.slots.push(*slot);
                    (mesh.positions.len() - 1) as u32
                })
            }));
        }
        mesh
    }
}

/// Adds the mirrored half.
fn whole(mut half: Half) -> Half {
    let mut other = Vec::with_capacity(half.points.len());
    for point in 0..half.points.len() {
        let at = half.points[point];
        if at.y == 0.0 {
            other.push(point as u32); // in the middle plane both halves share it
        } else {
            other.push(half.points.len() as u32);
            half.points.push(Vec3::new(at.x, -at.y, at.z));
            half.carried.push(skin::mirrored(&half.carried[point]));
        }
    }
    let mirrored = |([a, b, c], slot): &([u32; 3], Slot)| ([*c, *b, *a].map(|corner| other[corner as usize]), *slot);
    let triangles: Vec<_> = half.triangles.iter().map(mirrored).collect();
    half.triangles.extend(triangles);
    half
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walker;
    use std::collections::BTreeMap;

    /// Slight and heavy people of both sexes.
    const SHAPES: [Shape; 4] = [
        Shape { build: 0.8, female: 0.0 },
        Shape { build: 0.8, female: 1.0 },
        Shape { build: 1.4, female: 0.0 },
        Shape { build: 1.4, female: 1.0 },
    ];

    fn shaped(mesh: &Mesh, shape: Shape) -> Vec<Vec3> {
        (0..mesh.positions.len()).map(|vertex| mesh.shaped(vertex, shape)).collect()
    }

    fn volume(points: &[Vec3], triangles: &[[u32; 3]]) -> f32 {
        let corners = triangles.iter().map(|triangle| triangle.map(|corner| points[corner as usize]));
        corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    #[test]
    fn levels_have_the_triangles_they_should() {
        let counts: Vec<usize> = levels().iter().map(|mesh| mesh.triangles.len()).collect();
        assert!((2000..=3000).contains(&counts[0]), "{counts:?}");
        assert!((760..=800).contains(&counts[1]) && (230..=250).contains(&counts[2]), "{counts:?}");
        assert!((50..=70).contains(&counts[3]), "{counts:?}");
    }

    /// Every edge belongs to two triangles that run along it in opposite directions, whatever the vertices are called.
    #[test]
    fn surfaces_are_closed() {
        for (level, mesh) in levels().iter().enumerate() {
            let place = |vertex: u32| mesh.positions[vertex as usize].to_array().map(f32::to_bits);
            let mut edges = BTreeMap::new();
            for corners in &mesh.triangles {
                for i in 0..3 {
                    *edges.entry([place(corners[i]), place(corners[(i + 1) % 3])]).or_insert(0) += 1;
                }
            }
            for ([from, to], count) in &edges {
                assert_ne!(from, to, "level {level}: an edge without length");
                assert_eq!((*count, edges.get(&[*to, *from])), (1, Some(&1)), "level {level}: {from:?} to {to:?}");
            }
        }
    }

    /// A person of 1.75 m and average build weighs some 75 kg, a little more than water: 0.06 to 0.085 m3 with clothes. A surface
    /// that is turned inside out has a negative volume.
    #[test]
    fn bodies_have_the_volume_of_people() {
        for (level, mesh) in levels().iter().enumerate() {
            let litres = 1000.0 * 1.75 * 1.75 * 1.75 * volume(&mesh.positions, &mesh.triangles);
            assert!((60.0..85.0).contains(&litres), "level {level}: {litres} l");
            let [slight, _, heavy, _] = SHAPES.map(|shape| volume(&shaped(mesh, shape), &mesh.triangles));
            assert!(slight > 0.0 && heavy > 1.3 * slight, "level {level}: {slight} and {heavy}");
        }
    }

    #[test]
    fn bodies_stand_on_the_ground_and_are_as_tall_as_they_are() {
        for (level, mesh) in levels().iter().enumerate() {
            for shape in SHAPES {
                let heights = shaped(mesh, shape).into_iter().map(|point| point.z);
                let (low, high) = heights.fold((1.0f32, 0.0f32), |(low, high), z| (low.min(z), high.max(z)));
                assert!(low.abs() < 1e-6 && (high - 1.0).abs() < 1e-6, "level {level}: from {low} to {high}");
            }
        }
    }

    #[test]
    fn shares_sum_to_one_and_normals_point_outward() {
        for mesh in levels() {
            for vertex in 0..mesh.positions.len() {
                let carried = &mesh.carried[vertex];
                let sum: f32 = carried.shares.iter().sum();
                assert!((sum - 1.0).abs() < 1e-5 && carried.shares.iter().all(|share| *share >= 0.0), "{carried:?}");
                assert!(carried.joints.iter().all(|joint| joint.index() < walker::JOINTS));
                assert!((mesh.normals[vertex].length() - 1.0).abs() < 1e-5);
            }
            let mut inward = 0;
            for corners in &mesh.triangles {
                let [a, b, c] = corners.map(|corner| mesh.positions[corner as usize]);
                let out = (b - a).cross(c - a);
                inward += corners.iter().filter(|corner| mesh.normals[**corner as usize].dot(out) < 0.0).count();
            }
            // Sharp tips of coarse levels have a few; a surface turned inside out has all.
            let corners = 3 * mesh.triangles.len();
            assert!(50 * inward < corners, "{inward} of {corners} corners");
        }
    }

    /// Below the crotch no point hangs on the other leg, so that legs pass one another without a web between them.
    #[test]
    fn sides_are_kept_apart() {
        for mesh in levels() {
            for (at, carried) in mesh.positions.iter().zip(&mesh.carried).filter(|(at, _)| at.z < 0.4) {
                for (joint, _) in carried.joints.iter().zip(carried.shares).filter(|(_, share)| *share > 0.0) {
                    let name = walker::NAMES[joint.index()];
                    let other = if at.y > 0.0 { "right" } else { "left" };
                    assert!(!name.starts_with(other), "{at} hangs on {name}");
                }
            }
        }
    }
}
